// The pictures that a ruling rests on, for those who have joined; where there is none, nothing is shown.

import { make } from "./build.js";
import { token } from "./joining.js";
import { tell } from "./words.js";

const MOST_KEPT = 12;
const kept = new Map(); // by address: the picture, or a promise of it

export function pictures(name) {
  if (!name || !token()) return null;
  const shown = ["before", "after"].map((side) => {
    const picture = make("img");
    picture.alt = tell(side);
    const frame = make("figure", "", picture, make("figcaption", "", tell(side)));
    frame.hidden = true;
    fetched(`evidence/${name}/${side}.jpg`).then((address) => {
      if (!address) return;
      picture.src = address;
      frame.hidden = false;
    });
    return frame;
  });
  return make("div", "evidence", ...shown);
}

function fetched(path) {
  if (!kept.has(path)) kept.set(path, get(path));
  while (kept.size > MOST_KEPT) {
    const [oldest, address] = kept.entries().next().value;
    kept.delete(oldest);
    address.then((known) => known && URL.revokeObjectURL(known));
  }
  return kept.get(path);
}

async function get(path) {
  try {
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${token()}` } });
    if (answer.ok) return URL.createObjectURL(await answer.blob());
  } catch {
    // the bridge is away
  }
  kept.delete(path); // asked for again with the next view
  return null;
}
