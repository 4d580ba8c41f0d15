// The score sheet of the match: what each round has brought, and what that came to.

import { at, make, toast } from "./build.js";
import { link, send } from "./wire.js";
import { nameOf, number, say, signed, tell } from "./words.js";

export function prepareSheet() {
  at("sheet-open").addEventListener("click", openSheet);
  at("sheet-close").addEventListener("click", () => at("sheet").close());
}

async function openSheet() {
  const told = await send({ type: "ask", what: "sheet", args: [] });
  const { view } = link;
  if (!told || told.error || !view?.seats.length) return toast(told ? tell("no-sheet") : say("answers", "no-answer"));
  const cell = (kind, text) => make(kind, "", text);
  const head = make("tr", "", cell("th", ""), ...view.seats.map((_, seat) => cell("th", nameOf(view, seat))));
  const rows = told.sheet.map((round) => {
    const cells = round.points.map((points, seat) => make("td", points < 0 ? "cost" : "", make("b", "", number(round.scores[seat])), make("small", "", signed(points))));
    return make("tr", "", cell("th", `${round.number}`), ...cells);
  });
  const sums = make("tr", "sum", cell("th", "="), ...view.seats.map((seat) => cell("td", number(seat.score))));
  at("rounds").replaceChildren(make("thead", "", head), make("tbody", "", ...rows), make("tfoot", "", sums));
  at("sheet").showModal();
  return undefined;
}
