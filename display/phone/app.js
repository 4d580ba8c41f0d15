// Puts the page together: what comes from the bridge is shown, and never an old view as a live one.

import { actsOn, hasJoined, part, showActs, takePart } from "./acts.js";
import { at, make, toast } from "./build.js";
import { showGame } from "./game.js";
import { greet, lostPart, prepareJoining, showJoining } from "./joining.js";
import { fit, larger, pinchable, smaller } from "./pinch.js";
import { prepareSheet } from "./sheet.js";
import { isHeard, isLive, link, start } from "./wire.js";
import { fetchWords, keep, say, tell, words } from "./words.js";

function showAll() {
  if (link.view && words?.page) {
    showGame(link.view, part, isLive());
    showActs(link.view, isLive());
    showJoining();
  }
  showLink();
}

let wasLive = null;

function showLink() {
  const live = isLive();
  document.body.classList.toggle("stale", !live);
  document.body.classList.toggle("joined", hasJoined());
  let code = "live";
  if (link.sentAway) code = "sent-away";
  else if (!isHeard()) code = link.view ? "reconnecting" : "connecting";
  else if (!live) code = link.view ? "silent" : "waiting";
  const text = words?.page ? tell(code) : at("link").textContent;
  if (at("link").textContent !== text) at("link").textContent = text;
  if (wasLive !== live) {
    wasLive = live;
    if (link.view && words?.page) showAll();
  }
  stayAwake();
}

function showWords() {
  if (!words?.page) return;
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
}

async function learnWords() {
  await fetchWords();
  showWords();
  showAll();
}

function take(message) {
  if (message.type === "seat") {
    const before = hasJoined();
    takePart(message);
    if (before && !hasJoined()) lostPart();
  } else if (message.type === "refused") toast(say("answers", message.reason));
  showAll();
}

// ---- the screen of the phone stays on during a game; browsers allow that to pages of this machine and over https only ----

let lock = null;

async function stayAwake() {
  const wanted = isLive() && !["", "over"].includes(link.view.phase);
  if (!navigator.wakeLock || wanted === (lock !== null)) return;
  if (!wanted) {
    const held = await lock;
    lock = null;
    held?.release();
    return;
  }
  lock = navigator.wakeLock.request("screen").catch(() => null);
  const held = await lock;
  held?.addEventListener("release", () => {
    lock = null;
  });
}

for (const [id, zoom] of [["larger", larger], ["smaller", smaller], ["fit", fit]]) at(id).addEventListener("click", zoom);
pinchable(at("table"), (zoomed) => {
  at("fit").disabled = at("smaller").disabled = !zoomed;
});
at("language").addEventListener("change", (event) => {
  keep("language", event.target.value);
  learnWords();
});
actsOn(() => link.view);
prepareJoining();
prepareSheet();
learnWords();
start({
  take,
  changed: showLink,
  outdated: () => toast(say("answers", "protocol")),
  greet: async () => {
    learnWords();
    await greet();
  },
});
