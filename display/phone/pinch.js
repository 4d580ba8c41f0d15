// The layout under two fingers: pinched and panned; with one finger it is moved only while it is enlarged, so that the
// page can be scrolled otherwise.

const LARGEST = 6;
const STEP = 1.6;

let svg = null;
let whole = [0, 0, 1, 1]; // the box that shows everything
let zoom = 1;
let middle = null; // what is in the middle, in the units of the picture; null: as a whole
let onZoom = null;
const fingers = new Map();

export function pinchable(element, zoomed) {
  svg = element;
  onZoom = zoomed;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    if (zoom > 1 || fingers.size > 1) svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", moved);
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  // Two fingers are ours, whatever the browser would make of them.
  const keep = (event) => (event.touches.length > 1 || zoom > 1) && event.cancelable && event.preventDefault();
  for (const begin of ["touchstart", "touchmove"]) svg.addEventListener(begin, keep, { passive: false });
  svg.addEventListener("wheel", wheeled, { passive: false });
  svg.addEventListener("dblclick", () => fit());
}

export function showWhole(box) {
  whole = box;
  show();
}

export function fit() {
  zoom = 1;
  middle = null;
  show();
}

export function larger() {
  zoomTo(zoom * STEP, centre());
}

export function smaller() {
  zoomTo(zoom / STEP, centre());
}

function centre() {
  return middle ?? [whole[0] + whole[2] / 2, whole[1] + whole[3] / 2];
}

function show() {
  const [x, y] = centre();
  const [width, height] = [whole[2] / zoom, whole[3] / zoom];
  svg.setAttribute("viewBox", [x - width / 2, y - height / 2, width, height].map((each) => each.toFixed(2)).join(" "));
  svg.classList.toggle("zoomed", zoom > 1);
  onZoom(zoom > 1);
}

// Units of the picture for one pixel of the screen.
function scale() {
  const { width, height } = svg.getBoundingClientRect();
  return Math.max(whole[2] / zoom / Math.max(width, 1), whole[3] / zoom / Math.max(height, 1));
}

// Enlarges so that a point of the picture stays where it is.
function zoomTo(wanted, [x, y]) {
  const [cx, cy] = centre();
  const next = Math.min(LARGEST, Math.max(1, wanted));
  const share = zoom / next;
  zoom = next;
  middle = zoom > 1 ? inside([x + (cx - x) * share, y + (cy - y) * share]) : null;
  show();
}

function inside([x, y]) {
  return [Math.min(whole[0] + whole[2], Math.max(whole[0], x)), Math.min(whole[1] + whole[3], Math.max(whole[1], y))];
}

function pointOf(clientX, clientY) {
  const box = svg.getBoundingClientRect();
  const [cx, cy] = centre();
  const unit = scale();
  return [cx + (clientX - box.left - box.width / 2) * unit, cy + (clientY - box.top - box.height / 2) * unit];
}

function moved(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const other = [...fingers.values()].find((each) => each.pointerId !== event.pointerId);
  if (other) {
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const between = pointOf((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    if (apart(before) > 0) zoomTo((zoom * apart(event)) / apart(before), between);
  }
  if (zoom > 1) {
    const [x, y] = centre();
    const unit = scale() / fingers.size;
    middle = inside([x - (event.clientX - before.clientX) * unit, y - (event.clientY - before.clientY) * unit]);
    show();
  }
  fingers.set(event.pointerId, event);
}

function wheeled(event) {
  if (!event.ctrlKey && zoom === 1) return; // the page is scrolled
  event.preventDefault();
  zoomTo(zoom * Math.exp(-event.deltaY / 300), pointOf(event.clientX, event.clientY));
}
