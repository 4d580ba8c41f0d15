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

// ---- words: all of them come from the bridge, in the language of whoever holds the phone ----

function say(table, code) {
  return words?.[table]?.[code] ?? code.replaceAll("-", " ");
}

function tell(code, values = {}) {
  return say("page", code).replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);
}

function told(about, text) {
  return about ? tell("told", { name: about, text }) : text;
}

function allOf(things) {
  if (things.length < 2) return things.join("");
  return tell("and", { others: things.slice(0, -1).join(", "), last: things.at(-1) });
}

function nameOf(seat) {
  const known = view.seats[seat];
  if (!known) return "";
  return known.name.trim() || tell("player", { letter: String.fromCharCode(65 + seat) });
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

function act(line) {
  const verb = line.split(" ").find((word) => words.actions?.[word]);
  const number = line.match(/(?<![\w.,-])-?\d+(?![\w-])/)?.[0];
  return tileIn(line) ?? [verb ? say("actions", verb) : line, number].filter(Boolean).join(" ");
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
  const short = new Set(clauses.map((clause) => (clause.includes("§") ? clause.split(" ").at(-1) : clause)));
  return clauses.length ? make("small", "clauses", tell("rule", { clauses: [...short].join(", ") })) : null;
}

// ---- the parts of the page ----

function showHeader() {
  at("game").textContent = view.game ? say("games", view.game) : "Tabletop Referee";
  const parts = [];
  if (view.round) parts.push(tell(view.rounds ? "round-of" : "round", view));
  if (view.target) parts.push(tell("target", view));
  if (view.lowest_wins) parts.push(tell("lowest-wins"));
  at("round").textContent = parts.join(" · ");
  const whose = view.turn !== null && view.phase === "play" ? `${told(nameOf(view.turn), tell("to-play"))} · ` : "";
  document.title = `${whose}Tabletop Referee`;
}

function showSeats() {
  const cards = view.seats.map((seat, index) => {
    const turn = view.turn === index && view.phase === "play";
    const tiles = seat.shown ? tell("hand-shown") : (words.counts?.[seat.tiles] ?? `${seat.tiles}`);
    const points = seat.round_points ? make("span", "points", tell("round-points", { points: signed(seat.round_points) })) : null;
    const card = make(
      "li",
      turn ? "turn" : "",
      make("span", "name", nameOf(index)),
      make("span", "score", number(seat.score)),
      make("span", "detail", tiles, points),
      turn ? make("span", "flag", tell("to-play")) : null,
    );
    if (turn) card.setAttribute("aria-current", "true");
    return card;
  });
  at("seats").replaceChildren(...cards);
  at("seats").dataset.players = view.seats.length;
}

function about(ruled) {
  const whose = ruled.seat === null ? "" : nameOf(ruled.seat);
  return [ruled.entry, whose, act(ruled.line), say("reasons", ruled.reason)].filter(Boolean).join(" · ");
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
        const text = make("div", "", make("b", "", told(seat === null ? "" : nameOf(seat), tell("illegal", { tile }))), make("p", "", say("reasons", reason)), rule(clauses));
    notices.push(make("article", "dispute", tilePicture(tile), text));
  }
  for (const question of view.questions) {
    const options = question.options.map((option) => {
      const seat = option.seat === null ? "" : nameOf(option.seat);
      return make("li", "", [say("options", option.what), option.tile, seat].filter(Boolean).join(" · "));
    });
    const list = options.length ? make("ul", "options", ...options) : null;
    const move = question.about ? make("p", "", about(question.about)) : null;
    notices.push(make("article", "question", make("div", "", make("b", "", say("questions", question.what)), move, list, make("small", "", tell("answer-there")))));
  }
  if (!view.saved) notices.push(make("article", "dispute", make("div", "", make("b", "", tell("not-saved")))));
  if (view.phase === "over" && view.ranking.length) notices.unshift(result());
  else if (view.phase && view.phase !== "play") notices.push(make("article", "phase", make("b", "", say("phases", view.phase))));
  show(at("notices"), ...notices);
}

function result() {
  const first = view.ranking[0].map(nameOf);
  let place = 1;
  const rows = view.ranking.map((seats) => {
    const row = make("li", "", make("span", "place", `${place}`), seats.map(nameOf).join(", "), make("b", "", number(view.seats[seats[0]]?.score ?? 0)));
    place += seats.length;
    return row;
  });
  const text = first.length > 1 ? tell("shared-win", { names: allOf(first) }) : tell("win", { name: first[0] });
  return make("article", "result", make("h2", "", text), make("ol", "", ...rows));
}

function showBoard() {
  drawTable(at("table"), view);
  const parts = [];
  if (view.phase === "play" || view.stock) parts.push(tell("to-draw", { count: view.stock }));
  if (view.drawn) parts.push(tell("drawn", { count: view.drawn }));
  if (view.dead) parts.push(tell("no-place"));
  if (view.ends.length) parts.push(tell("ends", { ends: allOf(view.ends.map(String)) }));
  if (view.camera !== "ok") parts.push(say("camera", view.camera));
  else if (view.busy) parts.push(tell("busy"));
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
  let code = "live";
  if (!isHeard()) code = view ? "reconnecting" : "connecting";
  else if (!live) code = view ? "silent" : "waiting";
  const text = words?.page ? tell(code) : at("link").textContent;
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
    const answer = await fetch(`words.json?language=${encodeURIComponent(wish())}`, { cache: "no-store" });
    words = answer.ok ? await answer.json() : (words ?? {});
  } catch {
    words ??= {}; // the bridge is away: codes must do until the next connection asks again
  }
  showWords();
  showAll();
}

function wish() {
  try {
    return localStorage.getItem("language") ?? "";
  } catch {
    return ""; // a browser that keeps nothing: its own language then
  }
}

function choose(language) {
  try {
    localStorage.setItem("language", language);
  } catch {
    return;
  }
  fetchWords();
}

function showWords() {
  if (!words.page) return;
  document.documentElement.lang = words.language;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = tell(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", tell(element.dataset.label));
  const options = words.languages.map(({ code, name }) => {
    const option = make("option", "", name);
    option.value = code;
    option.lang = code;
    return option;
  });
  at("language").replaceChildren(...options);
  at("language").value = words.language;
  showLink();
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
at("language").addEventListener("change", (event) => choose(event.target.value));
addEventListener("offline", lose);
setInterval(check, 200);
connect();
