// The game as everybody sees it: scores, the layout, the last rulings with their reasons, what is in dispute or in doubt.

import { answerOf } from "./acts.js";
import { at, fill, make } from "./build.js";
import { pictures } from "./evidence.js";
import { showWhole } from "./pinch.js";
import { drawTable, tilePicture } from "./table.js";
import { act, allOf, nameOf, number, rule, say, signed, tell, tileIn, told, trumpOf, words } from "./words.js";

let view = null;

export function showGame(newest, part, live) {
  view = newest;
  showHeader();
  fill(at("seats"), [words.language, view.seats, view.turn, view.phase, part.seat], () => seats(part));
  const asked = [view.dispute, view.questions, view.phase, view.ranking, view.saved, view.seats, view.tricks, view.turn];
  fill(at("notices"), [words.language, ...asked, part, live], notices);
  showBoard();
  fill(at("ruling"), [words.language, view.last, view.seats], () => [ruling(view.last)]);
  fill(at("log"), [words.language, view.log, view.last, view.seats], log);
  at("history").hidden = !at("log").children.length;
}

function showHeader() {
  at("game").textContent = view.game ? say("games", view.game) : "Tabletop Referee";
  const parts = [];
  if (view.round) parts.push(tell(view.rounds ? "round-of" : "round", view));
  if (view.target) parts.push(tell("target", view));
  if (view.lowest_wins) parts.push(tell("lowest-wins"));
  at("round").textContent = parts.join(" · ");
  const whose = view.turn !== null && view.phase === "play" ? `${told(nameOf(view, view.turn), tell("to-play"))} · ` : "";
  document.title = `${whose}Tabletop Referee`;
}

function seats(part) {
  at("seats").dataset.players = view.seats.length;
  return view.seats.map((seat, index) => {
    const turn = view.turn === index && view.phase === "play";
    const tiles = seat.shown ? tell("hand-shown") : (words.counts?.[seat.tiles] ?? `${seat.tiles}`);
    const points = seat.round_points ? make("span", "points", tell("round-points", { points: signed(seat.round_points) })) : null;
    const mine = part.seat === index && part.role !== "watcher";
    const card = make(
      "li",
      [turn && "turn", mine && "mine"].filter(Boolean).join(" "),
      make("span", "name", nameOf(view, index)),
      make("span", "score", number(seat.score)),
      make("span", "detail", tiles, points),
      mine ? make("span", "flag me", tell("you")) : null,
      turn ? make("span", "flag", tell("to-play")) : null,
    );
    if (turn) card.setAttribute("aria-current", "true");
    return card;
  });
}

// ---- what is to be settled ----

function notices() {
  const shown = view.questions.map(question);
  if (view.dispute) shown.unshift(dispute());
  if (!view.saved) shown.push(make("article", "dispute", make("div", "", make("b", "", tell("not-saved")))));
  if (view.phase === "over" && view.ranking.length) shown.unshift(result());
  else if (view.phase && view.phase !== "play") shown.push(make("article", "phase", make("b", "", say("phases", view.phase))));
  else if (view.tricks) shown.push(trick(view.tricks));
  return shown;
}

function dispute() {
  const { seat, tile, reason, clauses, options, evidence } = view.dispute;
  const text = make(
    "div",
    "",
    make("b", "", told(nameOf(view, seat), tell("illegal", { tile }))),
    make("p", "", say("reasons", reason)),
    make("small", "clauses", rule(clauses)),
  );
  const keys = options.map((option) => answerOf(view, option));
  return make("article", "dispute", make("div", "about", tilePicture(tile), text), pictures(evidence), make("div", "options", ...keys));
}

function question(asked) {
  const move = asked.about ? make("p", "", about(asked.about)) : null;
  const keys = asked.options.map((option) => answerOf(view, option, asked));
  const title = make("b", "", say("questions", asked.what));
  return make("article", "question", make("div", "", title, move), pictures(asked.evidence || asked.about?.evidence), make("div", "options", ...keys));
}

function about(ruled) {
  return [ruled.entry, nameOf(view, ruled.seat), act(ruled.line), say("reasons", ruled.reason)].filter(Boolean).join(" · ");
}

function trick(tricks) {
  const trumps = tricks.trump ? tell("trumps", { trump: trumpOf(tricks.trump) }) : "";
  const bid = tricks.bidder === null ? "" : tell("bid-of", { name: nameOf(view, tricks.bidder), bid: tricks.bid });
  const calls = tricks.step === "auction" ? tricks.calls : [];
  const said = calls.map(({ seat, bid: call }) => make("li", "", told(nameOf(view, seat), call ? `${call}` : say("actions", "passes"))));
  const laid = tricks.step === "tricks" ? tricks.trick : [];
  const played = laid.map(({ seat, tile }) => make("li", seat === tricks.winner ? "winner" : "", tilePicture(tile), nameOf(view, seat)));
  const taken = view.seats.map((_, seat) => told(nameOf(view, seat), `${tricks.taken[seat] ?? 0}`)).join(" · ");
  return make(
    "article",
    "trick",
    make("b", "", [bid, trumps].filter(Boolean).join(" · ")),
    said.length || played.length ? make("ul", "", ...said, ...played) : null,
    tricks.step === "tricks" ? make("small", "", tell("tricks-taken", { taken })) : null,
  );
}

function result() {
  const first = view.ranking[0].map((seat) => nameOf(view, seat));
  let place = 1;
  const rows = view.ranking.map((placed) => {
    const names = placed.map((seat) => nameOf(view, seat)).join(", ");
    const row = make("li", "", make("span", "place", `${place}`), names, make("b", "", number(view.seats[placed[0]]?.score ?? 0)));
    place += placed.length;
    return row;
  });
  const text = first.length > 1 ? tell("shared-win", { names: allOf(first) }) : tell("win", { name: first[0] });
  return make("article", "result", make("h2", "", text), make("ol", "", ...rows));
}

// ---- the table ----

let boardOf = "";

function showBoard() {
  const from = JSON.stringify([view.layout, view.camera, view.tile_mm, view.mat_mm, view.questions, view.last]);
  if (from !== boardOf) showWhole(drawTable(at("table"), view));
  boardOf = from;
  at("board").classList.toggle("bare", view.tricks !== null && !view.layout.length);
  const parts = [];
  if ((view.phase === "play" && !view.tricks) || view.stock) parts.push(tell("to-draw", { count: view.stock }));
  if (view.drawn) parts.push(tell("drawn", { count: view.drawn }));
  if (view.dead) parts.push(tell("no-place"));
  if (view.ends.length) parts.push(tell(view.count === null ? "ends" : "ends-count", { ends: allOf(view.ends.map(String)), count: view.count }));
  if (view.camera !== "ok") parts.push(say("camera", view.camera));
  else if (view.busy) parts.push(tell("busy"));
  if (view.signals !== "ok") parts.push(say("signals", view.signals));
  at("below").textContent = parts.join(" · ");
}

// ---- rulings ----

function kindOf(points) {
  return points < 0 ? "cost" : "gain";
}

function verdict(ruled) {
  if (ruled.void) return "void";
  return ruled.legal ? "legal" : "illegal";
}

function awardChips(ruled) {
  const getting = new Set(ruled.awards.map((award) => award.seat));
  const chips = ruled.awards.map((award) => {
    const what = say("awards", award.what);
    const whose = getting.size > 1 ? nameOf(view, award.seat) : "";
    return make("li", kindOf(award.points), make("b", "", signed(award.points)), [whose, what].filter(Boolean).join(" · "));
  });
  if (getting.size === 1 && chips.length > 1) {
    const sum = ruled.awards.reduce((total, award) => total + award.points, 0);
    chips.push(make("li", "sum", make("b", "", `= ${number(sum)}`)));
  }
  return chips.length ? make("ul", "awards", ...chips) : null;
}

function proofs(ruled) {
  return ruled.proven.map((proof) => {
    const parts = [nameOf(view, proof.seat), proof.entry, say("reasons", proof.reason), proof.evidence.join(", ")];
    return make("p", "", parts.filter(Boolean).join(" · "));
  });
}

function ruling(ruled) {
  if (!ruled) return null;
  const tile = tileIn(ruled.line);
  const text = make(
    "div",
    "",
    make("span", "who", nameOf(view, ruled.seat)),
    make("strong", "", say("reasons", ruled.reason)),
    ...proofs(ruled),
    awardChips(ruled),
    make("small", "clauses", rule(ruled.clauses)),
  );
  return make("article", verdict(ruled), tile ? tilePicture(tile) : null, text);
}

function earned(ruled, seat) {
  return ruled.awards.filter((award) => award.seat === seat).reduce((total, award) => total + award.points, 0);
}

function log() {
  const earlier = view.log.filter((ruled) => ruled.entry !== view.last?.entry).reverse();
  return earlier.map((ruled) => {
    const sum = earned(ruled, ruled.seat);
    const others = view.seats.map((_, seat) => seat).filter((seat) => seat !== ruled.seat && earned(ruled, seat));
    const given = others.map((seat) => `${nameOf(view, seat)} ${signed(earned(ruled, seat))}`);
    const what = [tileIn(ruled.line), say("reasons", ruled.reason), ...given].filter(Boolean).join(" · ");
    const text = make("span", "what", what, make("small", "clauses", ruled.legal ? "" : rule(ruled.clauses)));
    return make("li", verdict(ruled), make("span", "who", nameOf(view, ruled.seat)), text, make("b", kindOf(sum), sum ? signed(sum) : ""));
  });
}
