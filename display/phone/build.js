// Small building blocks. Names and texts go into the page as text only.

export const at = (id) => document.getElementById(id);

const drawn = new WeakMap();

export function make(name, kind, ...children) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export function button(text, kind, onTap, ...more) {
  const element = make("button", kind, ...[text].flat(), ...more);
  element.type = "button";
  element.addEventListener("click", onTap);
  return element;
}

// Fills a part of the page, but only when what it is made from has changed: what a finger is about to touch stays.
export function fill(section, from, build) {
  const key = JSON.stringify(from);
  if (drawn.get(section) === key) return;
  drawn.set(section, key);
  const children = build().filter(Boolean);
  if (section.dataset.hides !== undefined) section.hidden = children.length === 0;
  section.replaceChildren(...children);
}

let toastTimer = null;

// A sentence for a few seconds.
export function toast(text) {
  if (!text) return;
  at("toast").textContent = text;
  at("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    at("toast").hidden = true;
  }, 5000);
}
