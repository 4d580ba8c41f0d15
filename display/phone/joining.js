// Joining: the code of the screen, who holds this phone, and who else is there.

import { at, button, fill, make, toast } from "./build.js";
import { hasJoined, part, speak } from "./acts.js";
import { comeBack, link, send } from "./wire.js";
import { keep, kept, nameOf, say, tell, told } from "./words.js";

let held = kept("token");
let chosen = null; // a seat, or null for one who only looks on

export function token() {
  return held;
}

function remember(given) {
  held = given;
  keep("token", given);
}

// Said whenever a connection has come about.
export async function greet() {
  const answer = await send({ type: "hello", device: deviceName(), token: held });
  if (answer?.reason === "not-joined") lostPart();
  showJoining();
}

// The token is worth nothing any more: sent away, or another game has begun.
export function lostPart() {
  if (!held) return;
  remember("");
  toast(tell("join-again"));
}

export function prepareJoining() {
  const said = new URLSearchParams(location.hash.slice(1)).get("code");
  at("join").addEventListener("click", () => (link.sentAway ? comeBack() : openJoining()));
  at("join-go").addEventListener("click", join);
  at("joining-close").addEventListener("click", () => at("joining").close());
  at("leave-go").addEventListener("click", leave);
  at("joining").addEventListener("submit", (event) => event.preventDefault());
  at("code").addEventListener("keydown", (event) => event.key === "Enter" && join());
  addEventListener("hashchange", scanned);
  if (said) scanned();
}

// The address of the screen's QR code has the code behind it; it is not left standing there.
function scanned() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  at("code").value = code;
  openJoining();
}

function openJoining() {
  chosen = part.seat;
  at("why").textContent = "";
  if (!at("device").value) at("device").value = deviceName();
  showJoining();
  if (!at("joining").open) at("joining").showModal();
}

function deviceName() {
  const agent = navigator.userAgent;
  const kinds = [["iPad", "iPad"], ["iPhone", "iPhone"], ["Android", "Android"], ["Windows", "Windows"], ["Macintosh", "Mac"]];
  return kept("device") || (kinds.find(([sign]) => agent.includes(sign))?.[1] ?? "phone");
}

export function showJoining() {
  const { view } = link;
  const me = part.role === "host" ? tell("host") : part.seat === null ? tell("looking-on") : view ? nameOf(view, part.seat) : "";
  at("me").textContent = link.sentAway ? tell("come-back") : hasJoined() ? me : tell("join");
  at("code-row").hidden = hasJoined();
  at("leave-go").hidden = !hasJoined();
  at("join-go").textContent = hasJoined() ? tell("be-this") : tell("join");
  const seats = view?.seats ?? [];
  fill(at("seat-choice"), [seats.map((_, seat) => nameOf(view, seat)), chosen, part, tell("looking-on")], () => {
    const names = [...seats.map((_, seat) => [seat, nameOf(view, seat)]), [null, tell("looking-on")]];
    return names.filter(([seat]) => seat !== null || !hasJoined()).map(([seat, name]) => choice(seat, name));
  });
  fill(at("guests"), [view?.guests, part, say("actions", "draws")], () => (view?.guests ?? []).map(guest));
}

function choice(seat, name) {
  const made = button(name, "choice", () => {
    chosen = seat;
    showJoining();
  });
  made.dataset.seat = seat ?? "";
  made.setAttribute("aria-pressed", chosen === seat);
  return made;
}

function guest({ id, device, role, seat, here }) {
  const roles = { host: tell("host"), player: nameOf(link.view, seat), watcher: tell("looks-on") };
  const text = make("span", "", told(device, roles[role]), here ? "" : ` (${tell("asleep")})`);
  const keys = [];
  if (part.role === "host" && id !== part.guest) {
    if (role === "player") keys.push(button(tell("make-host"), "", () => speak(`host ${id}`)));
    keys.push(button(tell("send-away"), "", () => speak(`drop ${id}`)));
  }
  return make("li", "", text, ...keys);
}

async function join() {
  keep("device", at("device").value.trim());
  const code = hasJoined() ? "" : at("code").value.replace(/\D/g, "");
  const message = { type: "join", device: at("device").value.trim(), code };
  const answer = await send(chosen === null ? message : { ...message, seat: chosen });
  at("why").textContent = answer?.reason === "" ? "" : say("answers", answer?.reason ?? "no-answer");
  if (at("why").textContent) return;
  remember(answer.token);
  at("code").value = "";
  at("joining").close();
}

function leave() {
  speak(`drop ${part.guest}`);
  remember("");
  at("joining").close();
}
