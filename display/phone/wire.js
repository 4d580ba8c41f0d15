// One websocket to the bridge: what comes in is passed on, what goes out is answered. It never shows an old view as live.

const SILENCE_MS = 2000; // the bridge says something every second
const PATIENCE_MS = 4000; // for a connection to come about
const RETRY_MS = [250, 500, 1000, 2000];
const GIVE_UP_MS = 8000; // for an order without an answer
const CHECK_MS = 200;
const ASLEEP_MS = 3000; // a check that comes so late: the phone has slept, and what waits for it is old
const SENT_AWAY = 4003;
const PROTOCOL = 1;

export const link = { view: null, tableLives: false, sentAway: false };

const pending = new Map(); // what was said and not yet answered, by id
let hooks = null;
let socket = null;
let openedAt = 0;
let heardAt = null; // wall clock on purpose: other clocks stand still while a phone sleeps
let retries = 0;
let retryTimer = null;
let checkedAt = Date.now();
let seen = true; // false while the page is hidden

export function isHeard() {
  return heardAt !== null && Math.abs(Date.now() - heardAt) < SILENCE_MS;
}

export function isLive() {
  return isHeard() && link.tableLives && link.view !== null && seen;
}

// Says something; the reply comes as the value of the promise, null where there was none.
// An order that had no answer when the connection broke is said again with the same id: the table does it once.
export function send(message) {
  const id = newId();
  return new Promise((done) => {
    pending.set(id, { message: { ...message, id }, since: Date.now(), done });
    post(pending.get(id).message);
  });
}

export function order(line, about = link.view) {
  return send({ type: "order", epoch: about.epoch, seq: about.seq, line });
}

export function isWaiting(line) {
  return [...pending.values()].some(({ message }) => message.line === line);
}

export function start(given) {
  hooks = given;
  document.addEventListener("visibilitychange", () => wake(!document.hidden));
  addEventListener("pageshow", (event) => event.persisted && wake(true));
  addEventListener("offline", lose);
  addEventListener("online", () => wake(!document.hidden));
  setInterval(check, CHECK_MS);
  connect();
}

// Comes back after it was sent away, because somebody asks for it.
export function comeBack() {
  link.sentAway = false;
  retries = 0;
  connect();
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function post(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  clearTimeout(retryTimer);
  if (link.sentAway) return;
  const mine = new WebSocket(new URL("live", location.href.replace(/^http/, "ws").replace(/[?#].*/, "")));
  socket = mine;
  openedAt = Date.now();
  mine.onopen = () => mine === socket && greet();
  mine.onmessage = (event) => mine === socket && take(JSON.parse(event.data));
  mine.onclose = (event) => {
    if (mine !== socket) return;
    link.sentAway = event.code === SENT_AWAY;
    lose();
  };
}

async function greet() {
  const before = [...pending.values()].filter(({ message }) => message.type === "order");
  for (const [id, { message, done }] of pending) {
    if (message.type !== "order") {
      pending.delete(id);
      done(null);
    }
  }
  await hooks.greet();
  for (const { message } of before) if (pending.has(message.id)) post(message);
}

function take(message) {
  if (hasSlept()) return wake(true);
  heardAt = Date.now();
  retries = 0;
  if (message.type === "view" && message.protocol !== PROTOCOL) return hooks.outdated();
  if (message.type === "view") link.view = message;
  else if (message.type === "beat") link.tableLives = message.live;
  const waiting = message.id === undefined ? null : pending.get(message.id);
  if (waiting) {
    pending.delete(message.id);
    waiting.done(message);
  }
  return hooks.take(message);
}

// Whether this is the first that the page does after a sleep: then what comes was said before, and is not taken as new.
function hasSlept() {
  const late = seen && Math.abs(Date.now() - checkedAt) > ASLEEP_MS;
  if (late || !seen) checkedAt = Date.now();
  return late;
}

function lose() {
  heardAt = null;
  const old = socket;
  socket = null;
  old?.close();
  hooks.changed();
  clearTimeout(retryTimer);
  if (link.sentAway) return;
  retryTimer = setTimeout(connect, RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]);
  retries += 1;
}

function check() {
  if (hasSlept()) wake(true);
  checkedAt = Date.now();
  if (socket && !isHeard() && (heardAt !== null || Math.abs(Date.now() - openedAt) > PATIENCE_MS)) lose();
  for (const [id, { since, done }] of pending) {
    if (Math.abs(Date.now() - since) < GIVE_UP_MS) continue;
    pending.delete(id);
    done(null);
  }
  hooks.changed();
}

// A sleeping phone hears nothing: what it shows when it wakes is old until something comes.
function wake(isSeen) {
  seen = isSeen;
  if (!isSeen) return hooks.changed();
  retries = 0;
  return lose();
}
