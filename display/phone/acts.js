// What whoever holds the phone may say: the moves of the own seat, answers, and what has to be confirmed before it is done.

import { at, button, fill, make, toast } from "./build.js";
import { tilePicture } from "./table.js";
import { isLive, isWaiting, order } from "./wire.js";
import { act, because, nameOf, number, say, signed, tell, tileIn, told, trumpOf } from "./words.js";

const TOO_SOON_MS = 250; // a key that came up under the finger was not meant
const PICKED = "{tile}";
const NOBODY = { guest: "", role: "watcher", seat: null, acts: [], may: [], wishes: [], kind: "", highest: 6 };

export let part = NOBODY;
const born = new Map(); // when each key came up

export function takePart(message) {
  part = { ...NOBODY, ...message };
}

export function hasJoined() {
  return part.guest !== "";
}

// ---- keys ----

function key(text, line, kind, onTap = () => speak(line)) {
  const made = button(text, kind, () => {
    if (performance.now() - (born.get(line) ?? 0) > TOO_SOON_MS) onTap();
  });
  if (!born.has(line)) born.set(line, performance.now());
  made.dataset.line = line;
  made.disabled = !isLive();
  return made;
}

function forget(lines) {
  for (const line of born.keys()) if (!lines.has(line)) born.delete(line);
}

// What another player has asked for is only put to those who can agree to it.
function isConsent(asked) {
  return asked?.what.endsWith("-asked") ?? false;
}

// An answer to a question, or a way out of a dispute: a key for whoever may give it, else only told.
export function answerOf(view, option, asked = null) {
  const isName = ["opens", "plays", "drew", "shows"].includes(option.what);
  const seat = option.seat === null || isConsent(asked) ? "" : nameOf(view, option.seat);
  const points = option.awards.filter((award) => award.seat === option.seat).reduce((sum, award) => sum + award.points, 0);
  const chance = option.probability === null ? "" : `${Math.round(option.probability * 100)} %`;
  const what = isName ? "" : option.what === "tile" && option.tile ? option.tile : say("options", option.what);
  const small = [isName || !asked || option.seat === part.seat ? "" : seat, isName ? option.tile : "", chance, points ? signed(points) : ""].filter(Boolean).join(" · ");
  const text = [option.what === "tile" && option.tile ? tilePicture(option.tile) : null, make("span", tileIn(what) ? "tile" : "", isName ? seat : what)];
  if (small) text.push(make("small", "", small));
  if (!option.line || !part.may.includes(option.line)) return isConsent(asked) ? null : make("span", "chip", ...text);
  const pick = option.what === "any-tile";
  const onTap = pick ? () => pickTile(asked?.tile?.kind ?? part.kind, (tile) => speak(`${option.line} ${tile}`)) : undefined;
  return key(text, option.line, part.wishes.includes(option.line) ? "asks" : "answer", onTap);
}

export function showActs(view, live) {
  const section = at("acts");
  fill(section, [part, view.turn, view.phase, view.seats, view.last, live, say("actions", "draws")], () => {
    const keys = part.acts.map((each) => actKey(view, each));
    if (!keys.length) return [];
    const turn = view.turn !== null && view.turn === part.seat && view.phase === "play";
    return [make("div", turn ? "keys turn" : "keys", ...keys)];
  });
  forget(new Set([...part.acts.map((each) => each.line), ...part.may]));
}

function actKey(view, { what, line, value, asks }) {
  if (what === "bids") return key(make("b", "", value), line, "bid");
  if (what === "claims") return key([make("b", "", value), make("small", "", say("actions", what))], line, "bid");
  if (what === "names") return key(make("b", "", trumpOf(value)), line, "bid");
  const text = [make("span", "", asks ? tell("ask-undo") : say("actions", what))];
  if (what === "undo") text.push(make("small", "", view.last ? act(undone(view, line)) : ""));
  if (value) text.push(make("small", "", value));
  const kind = { draws: "main", plays: "main", begin: "main", clear: "main", undo: "asks" }[what] ?? "";
  const onTap = line.includes(PICKED) ? () => pickTile(part.kind, (tile) => speak(line.replace(PICKED, tile))) : undefined;
  return key(text, line, kind, onTap);
}

function undone(view, line) {
  const entry = Number(line.split(" ")[1]);
  return [...view.log, view.last].find((ruled) => ruled?.entry === entry)?.line ?? "";
}

// ---- saying it ----

export async function speak(line, about) {
  if (!isLive() || isWaiting(line)) return;
  document.body.classList.add("waiting");
  const answer = await order(line, about);
  document.body.classList.remove("waiting");
  if (!answer) return toast(say("answers", "no-answer"));
  if (answer.status === "confirm" && answer.outlook) return confirmed(answer);
  if (answer.status === "asked") return toast(tell("others-asked"));
  if (["done", "repeated"].includes(answer.status)) return undefined;
  toast(because(answer));
  if (answer.options.some((option) => option.line)) instead(answer);
  return undefined;
}

// What would come of it, entry by entry; then it is done or left.
function confirmed(answer) {
  const { outlook } = answer;
  const rows = outlook.changes.map(({ before, after }) => {
    const verdict = (ruled) => (ruled.void ? tell("undone") : say("reasons", ruled.reason));
    return make("li", "", make("b", "", `${before.entry} ${tileIn(before.line) ?? act(before.line)}`), ` ${verdict(before)} → ${verdict(after)}`);
  });
  if (outlook.more) rows.push(make("li", "", `+${outlook.more}`));
  const scores = outlook.scores.map((score, seat) => {
    const becomes = outlook.becomes[seat];
    return score === becomes ? null : make("li", "", told(nameOf(viewOf(), seat), `${number(score)} → ${number(becomes)}`));
  });
  const title = make("h2", "", because(answer));
  const go = button(tell("do-it"), "main", () => (at("asking").close(), speak(outlook.line, answer)));
  dialog(title, make("ul", "changes", ...rows), make("ul", "scores", ...scores), make("div", "keys", go, leave()));
}

function instead(answer) {
  const offered = answer.options.filter((option) => option.line && (part.role === "host" || option.what !== "stands"));
  const keys = offered.map((option) => button(say("options", option.what), "main", () => (at("asking").close(), speak(option.line, answer))));
  if (keys.length) dialog(make("h2", "", because(answer)), make("div", "keys", ...keys, leave()));
}

function leave() {
  return button(tell("leave"), "", () => at("asking").close());
}

function dialog(...children) {
  at("asking").replaceChildren(...children.filter(Boolean));
  if (!at("asking").open) at("asking").showModal();
}

let viewOf = () => null;

export function actsOn(current) {
  viewOf = current;
}

// ---- a tile is picked by its numbers ----

function pickTile(kind, done) {
  const count = kind === "domino" ? 2 : 3;
  const picked = [];
  const shown = make("div", "picked");
  const keys = Array.from({ length: part.highest + 1 }, (_, value) =>
    button(`${value}`, "digit", () => {
      picked.push(value);
      if (picked.length < count) return draw();
      at("asking").close();
      done([...picked].sort((one, other) => one - other).join("-"));
      return undefined;
    }),
  );
  const back = button("⌫", "digit", () => (picked.pop(), draw()));
  back.setAttribute("aria-label", tell("erase"));
  function draw() {
    shown.textContent = Array.from({ length: count }, (_, index) => picked[index] ?? "·").join(" – ");
  }
  draw();
  dialog(make("h2", "", tell("which-numbers")), shown, make("div", "digits", ...keys, back), make("div", "keys", leave()));
}
