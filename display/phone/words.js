// What the page says: all words come from the bridge, in the language of whoever holds the phone.

const MINUS = "\u2212";

export let words = null; // not yet asked for

export function say(table, code) {
  return words?.[table]?.[code] ?? `${code}`.replaceAll("-", " ").replaceAll("_", " ");
}

export function tell(code, values = {}) {
  return say("page", code).replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);
}

export function told(about, text) {
  return about ? tell("told", { name: about, text }) : text;
}

export function allOf(things) {
  if (things.length < 2) return things.join("");
  return tell("and", { others: things.slice(0, -1).join(", "), last: things.at(-1) });
}

export function letterOf(seat) {
  return String.fromCharCode(65 + seat);
}

export function nameOf(view, seat) {
  const known = view.seats[seat ?? -1];
  return known ? known.name.trim() || tell("player", { letter: letterOf(seat) }) : "";
}

export function number(value) {
  return value < 0 ? `${MINUS}${-value}` : `${value}`;
}

export function signed(value) {
  return value < 0 ? number(value) : `+${value}`;
}

export function tileIn(line) {
  if (line.includes(" shows ")) return null; // a whole hand, not one tile
  return line.match(/(?<![\w-])\d+-\d+(?:-\d+)?(?![\w-])/)?.[0] ?? null;
}

export function trumpOf(trump) {
  return words?.trumps?.[trump] ?? trump;
}

// What was said: its tile, or its action with its number.
export function act(line) {
  const verb = line.split(" ").find((word) => words?.actions?.[word]);
  const count = line.match(/(?<![\w.,-])-?\d+(?![\w-])/)?.[0];
  return tileIn(line) ?? [verb ? say("actions", verb) : line, count].filter(Boolean).join(" ");
}

// Why an order was not carried out.
export function because(answer) {
  if (answer.status === "stale") return say("answers", "stale");
  if (words?.answers?.[answer.reason]) return say("answers", answer.reason);
  if (words?.reasons?.[answer.reason]) return say("reasons", answer.reason);
  return answer.message || say("reasons", "not-now");
}

export function rule(clauses) {
  const short = new Set(clauses.map((clause) => (clause.includes("§") ? clause.split(" ").at(-1) : clause)));
  return clauses.length ? tell("rule", { clauses: [...short].join(", ") }) : "";
}

export async function fetchWords() {
  try {
    const answer = await fetch(`words.json?language=${encodeURIComponent(kept("language"))}`, { cache: "no-store" });
    words = answer.ok ? await answer.json() : (words ?? {});
  } catch {
    words ??= {}; // the bridge is away: codes must do until the next connection asks again
  }
}

// ---- what this phone remembers; some browsers keep nothing ----

export function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

export function keep(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // it holds until the page is closed
  }
}
