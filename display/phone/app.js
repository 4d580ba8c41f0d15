// Watches the game: keeps one websocket to the bridge, shows the newest view, and never shows an old one as live.
// Names and texts go into the page as text only.

import { drawTable, tilePicture } from "./table.js";

const SILENCE_MS = 2000; // the bridge says something every second
const PATIENCE_MS = 4000; // for a connection to come about
const RETRY_MS = [250, 500, 1000, 2000];
const MINUS = "\u2212";

const at = (id) => document.getElementById(id);
let words = null; // not yet asked for
let view = null;
let socket = null;
let openedAt = 0;
let heardAt = null; // wall clock on purpose: other clocks stand still while a phone sleeps
let tableLives = false;
let retries = 0;
let retryTimer = null;

// ---- words ----

function say(table, code) {
  return words?.[table]?.[code] ?? code.replaceAll("-", " ");
}

function nameOf(seat) {
  const known = view.seats[seat];
  if (!known) return "";
  return known.name.trim() || `Player ${String.fromCharCode(65 + seat)}`;
}

function number(value) {
  return value < 0 ? `${MINUS}${-value}` : `${value}`;
}

function signed(value) {
  return value < 0 ? number(value) : `+${value}`;
}

function tileIn(line) {
  if (line.includes(" shows ")) return null; // a whole hand, not one tile
  return line.match(/(?<![\w-])\d+-\d+(?:-\d+)?(?![\w-])/)?.[0] ?? null;
}

// ---- building ----

function make(name, kind, ...children) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function show(section, ...children) {
  section.hidden = children.length === 0;
  section.replaceChildren(...children);
}

function kindOf(points) {
  return points < 0 ? "cost" : "gain";
}

function awardChips(ruled) {
  const seats = new Set(ruled.awards.map((award) => award.seat));
  const chips = ruled.awards.map((award) => {
    const what = say("awards", award.what);
    const whose = seats.size > 1 ? nameOf(award.seat) : "";
    return make("li", kindOf(award.points), make("b", "", signed(award.points)), [whose, what].filter(Boolean).join(" · "));
  });
  if (seats.size === 1 && chips.length > 1) {
    const sum = ruled.awards.reduce((total, award) => total + award.points, 0);
    chips.push(make("li", "sum", make("b", "", `= ${number(sum)}`)));
  }
  return chips.length ? make("ul", "awards", ...chips) : null;
}

function rule(clauses) {
  return clauses.length ? make("small", "clauses", `Rule ${clauses.join(", ")}`) : null;
}

// ---- the parts of the page ----

function showHeader() {
  at("game").textContent = view.game ? say("games", view.game) : "Tabletop Referee";
  const parts = [];
  if (view.round) parts.push(view.rounds ? `Round ${view.round} of ${view.rounds}` : `Round ${view.round}`);
  if (view.target) parts.push(`to ${view.target}`);
  if (view.lowest_wins) parts.push("lowest wins");
  at("round").textContent = parts.join(" · ");
  const whose = view.turn !== null && view.phase === "play" ? `${nameOf(view.turn)} to play · ` : "";
  document.title = `${whose}Tabletop Referee`;
}

function showSeats() {
  const cards = view.seats.map((seat, index) => {
    const turn = view.turn === index && view.phase === "play";
    const tiles = seat.shown ? "hand shown" : `${seat.tiles} ${seat.tiles === 1 ? "tile" : "tiles"}`;
    const points = seat.round_points ? make("span", "points", `round ${signed(seat.round_points)}`) : null;
    const card = make(
      "li",
      turn ? "turn" : "",
      make("span", "name", nameOf(index)),
      make("span", "score", number(seat.score)),
      make("span", "detail", tiles, points),
      turn ? make("span", "flag", "to play") : null,
    );
    if (turn) card.setAttribute("aria-current", "true");
    return card;
  });
  at("seats").replaceChildren(...cards);
  at("seats").dataset.players = view.seats.length;
}

function about(ruled) {
  const whose = ruled.seat === null ? "" : nameOf(ruled.seat);
  return [ruled.entry, whose, tileIn(ruled.line) ?? ruled.line.slice(2), say("reasons", ruled.reason)].filter(Boolean).join(" · ");
}

function proofs(ruled) {
  return ruled.proven.map((proof) => {
    const whose = proof.seat === null ? "" : nameOf(proof.seat);
    return make("p", "", [whose, proof.entry, say("reasons", proof.reason), proof.evidence.join(", ")].filter(Boolean).join(" · "));
  });
}

function showNotices() {
  const notices = [];
  if (view.dispute) {
    const { seat, tile, reason, clauses } = view.dispute;
    const who = seat === null ? "" : `${nameOf(seat)}: `;
    const text = make("div", "", make("b", "", `${who}${tile} is illegal`), make("p", "", say("reasons", reason)), rule(clauses));
    notices.push(make("article", "dispute", tilePicture(tile), text));
  }
  for (const question of view.questions) {
    const options = question.options.map((option) => {
      const seat = option.seat === null ? "" : nameOf(option.seat);
      return make("li", "", [say("options", option.what), option.tile, seat].filter(Boolean).join(" · "));
    });
    const list = options.length ? make("ul", "options", ...options) : null;
    const move = question.about ? make("p", "", about(question.about)) : null;
    notices.push(make("article", "question", make("div", "", make("b", "", say("questions", question.what)), move, list, make("small", "", "Answer on the screen at the table."))));
  }
  if (!view.saved) notices.push(make("article", "dispute", make("div", "", make("b", "", "The game is not being saved."))));
  if (view.phase === "over" && view.ranking.length) notices.unshift(result());
  else if (view.phase && view.phase !== "play") notices.push(make("article", "phase", make("b", "", say("phases", view.phase))));
  show(at("notices"), ...notices);
}

function result() {
  const first = view.ranking[0].map(nameOf).join(" and ");
  let place = 1;
  const rows = view.ranking.map((seats) => {
    const row = make("li", "", make("span", "place", `${place}`), seats.map(nameOf).join(", "), make("b", "", number(view.seats[seats[0]]?.score ?? 0)));
    place += seats.length;
    return row;
  });
  const verb = view.ranking[0].length > 1 ? "share the win" : "wins the match";
  return make("article", "result", make("h2", "", `${first} ${verb}`), make("ol", "", ...rows));
}

function showBoard() {
  drawTable(at("table"), view);
  const parts = [];
  if (view.phase === "play" || view.stock) parts.push(`${view.stock} to draw`);
  if (view.drawn) parts.push(`${view.drawn} drawn in this turn`);
  if (view.dead) parts.push("no tile that is left can be laid anywhere");
  if (view.ends.length) parts.push(`open ends ${view.ends.join(" and ")}`);
  if (view.camera !== "ok") parts.push(say("camera", view.camera));
  else if (view.busy) parts.push("somebody is at the table");
  if (view.signals !== "ok") parts.push(say("signals", view.signals));
  at("below").textContent = parts.join(" · ");
}

function verdict(ruled) {
  if (ruled.void) return "void";
  return ruled.legal ? "legal" : "illegal";
}

function showRuling() {
  const ruled = view.last;
  if (!ruled) return show(at("ruling"));
  const tile = tileIn(ruled.line);
  const who = ruled.seat === null ? "" : nameOf(ruled.seat);
  const text = make("div", "", make("span", "who", who), make("strong", "", say("reasons", ruled.reason)), ...proofs(ruled), awardChips(ruled), rule(ruled.clauses));
  const card = make("article", verdict(ruled), tile ? tilePicture(tile) : null, text);
  return show(at("ruling"), card);
}

function earned(ruled, seat) {
  return ruled.awards.filter((award) => award.seat === seat).reduce((total, award) => total + award.points, 0);
}

function showLog() {
  const earlier = view.log.filter((ruled) => ruled.entry !== view.last?.entry).reverse();
  at("history").hidden = earlier.length === 0;
  const lines = earlier.map((ruled) => {
    const sum = earned(ruled, ruled.seat);
    const others = view.seats.map((_, seat) => seat).filter((seat) => seat !== ruled.seat && earned(ruled, seat));
    const who = ruled.seat === null ? "" : nameOf(ruled.seat);
    const given = others.map((seat) => `${nameOf(seat)} ${signed(earned(ruled, seat))}`);
    const what = [tileIn(ruled.line), say("reasons", ruled.reason), ...given].filter(Boolean).join(" · ");
    return make("li", verdict(ruled), make("span", "who", who), make("span", "what", what), make("b", kindOf(sum), sum ? signed(sum) : ""));
  });
  at("log").replaceChildren(...lines);
}

function showAll() {
  if (!view || !words) return;
  showHeader();
  showSeats();
  showNotices();
  showBoard();
  showRuling();
  showLog();
}

// ---- live or not ----

function isHeard() {
  return heardAt !== null && Math.abs(Date.now() - heardAt) < SILENCE_MS;
}

function showLink() {
  const live = isHeard() && tableLives && view !== null && !document.hidden;
  document.body.classList.toggle("stale", !live);
  let text = "Live";
  if (!isHeard()) text = view ? "Reconnecting …" : "Connecting …";
  else if (!live) text = view ? "The table is silent" : "Waiting for the table";
  if (at("link").textContent !== text) at("link").textContent = text;
}

function lose() {
  heardAt = null;
  const old = socket;
  socket = null;
  old?.close();
  showLink();
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]);
  retries += 1;
}

async function fetchWords() {
  try {
    const answer = await fetch("words.json", { cache: "no-store" });
    words = answer.ok ? await answer.json() : (words ?? {});
  } catch {
    words ??= {}; // the bridge is away: codes must do until the next connection asks again
  }
  showAll();
}

function take(message) {
  heardAt = Date.now();
  retries = 0;
  if (message.type === "view") {
    view = message;
    showAll();
  } else if (message.type === "beat") {
    tableLives = message.live;
  }
  showLink();
}

function connect() {
  clearTimeout(retryTimer);
  const mine = new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
  socket = mine;
  openedAt = Date.now();
  fetchWords();
  mine.onmessage = (event) => mine === socket && take(JSON.parse(event.data));
  mine.onclose = () => mine === socket && lose();
}

function check() {
  if (socket && !isHeard() && (heardAt !== null || Math.abs(Date.now() - openedAt) > PATIENCE_MS)) lose();
  showLink();
}

document.addEventListener("visibilitychange", () => {
  // A sleeping phone hears nothing: what it shows when it wakes is old until something comes.
  if (document.hidden) heardAt = null;
  else {
    retries = 0;
    lose();
  }
  showLink();
});
addEventListener("offline", lose);
setInterval(check, 200);
connect();
