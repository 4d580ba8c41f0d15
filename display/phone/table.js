// Draws the tiles of a view as they lie: one SVG unit is a millimetre, x to the right, y toward the near side,
// angles clockwise. Everything that comes from the view is set as an attribute or as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const SMALLEST_WINDOW_MM = [190, 120];
const MARGIN_MM = 16;

// Where the pips of a half lie, from -1 to 1 along and across the tile.
const PIPS = [
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [-1, 1], [0, 1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [0, 0], [-1, 1], [0, 1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]],
];

function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function label(text, x, y, size, kind = "number") {
  const element = shape("text", { x, y, "font-size": size, class: kind });
  element.textContent = text;
  return element;
}

function turned(x, y, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

function domino(tile, length, width) {
  const parts = [shape("rect", { x: -length / 2, y: -width / 2, width: length, height: width, rx: width / 8, class: "face" })];
  if (tile.face_up && tile.values.length) {
    parts.push(shape("line", { x1: 0, x2: 0, y1: -width * 0.4, y2: width * 0.4, class: "divider" }));
    tile.values.forEach((value, half) => {
      const middle = (half - 0.5) * (length / 2);
      if (PIPS[value]) {
        for (const [along, across] of PIPS[value]) {
          const place = { cx: middle + along * length * 0.135, cy: across * width * 0.28, r: width * 0.085, class: "pip" };
          parts.push(shape("circle", place));
        }
      } else {
        parts.push(shape("g", { transform: `translate(${middle} 0) rotate(${-tile.angle_deg})` }, label(value, 0, 0, width * 0.55)));
      }
    });
  }
  return shape("g", { transform: `rotate(${tile.angle_deg})` }, ...parts);
}

function triomino(tile, side) {
  const radius = side / Math.sqrt(3);
  const corners = [0, 120, 240].map((step) => turned(radius, 0, tile.angle_deg + step));
  // A rounded corner is a thick, round-joined outline in the colour of the face, around a slightly smaller face.
  const inner = corners.map(([x, y]) => `${x * 0.9},${y * 0.9}`).join(" ");
  const parts = [
    shape("polygon", { points: inner, class: "edge", "stroke-width": radius * 0.14 }),
    shape("polygon", { points: inner, class: "face", "stroke-width": radius * 0.08 }),
  ];
  if (tile.face_up) tile.values.forEach((value, i) => parts.push(label(value, corners[i][0] * 0.47, corners[i][1] * 0.47, side * 0.24)));
  // A side that another tile could join: a short bar inside it; side 0 lies between the first two numbers.
  for (const open of tile.open ?? []) {
    const [one, other] = [corners[open], corners[(open + 1) % 3]];
    const [x, y] = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    const along = (share) => [x * 0.84 + (other[0] - one[0]) * share, y * 0.84 + (other[1] - one[1]) * share];
    const [[x1, y1], [x2, y2]] = [along(-0.12), along(0.12)];
    parts.push(shape("line", { x1, y1, x2, y2, class: "open", "stroke-width": radius * 0.11 }));
  }
  return shape("g", {}, ...parts);
}

const MARKS = { illegal: "✕", doubt: "?", missing: "?", removal: "↶" };

function laid(tile, view, status) {
  const [length, width] = view.tile_mm;
  const drawn = tile.kind === "triomino" ? triomino(tile, length) : domino(tile, length, width);
  const classes = ["tile", status];
  if (!tile.face_up) classes.push("back");
  if (view.last && tile.entry !== null && tile.entry === view.last.entry) classes.push("newest");
  const group = shape("g", { class: classes.join(" "), transform: `translate(${tile.x_mm} ${tile.y_mm})` }, drawn);
  if (MARKS[status]) {
    const size = tile.kind === "triomino" ? width * 0.13 : width * 0.2;
    group.append(shape("circle", { cx: 0, cy: 0, r: size, class: "mark" }), label(MARKS[status], 0, 0, size * 1.5, "sign"));
  }
  return group;
}

function windowAround(layout, reach) {
  const xs = layout.map((tile) => tile.x_mm);
  const ys = layout.map((tile) => tile.y_mm);
  const left = Math.min(...xs) - reach;
  const top = Math.min(...ys) - reach;
  const wide = Math.max(...xs) + reach - left;
  const high = Math.max(...ys) + reach - top;
  const width = Math.max(wide, SMALLEST_WINDOW_MM[0]);
  const height = Math.max(high, SMALLEST_WINDOW_MM[1]);
  return [left - (width - wide) / 2, top - (height - high) / 2, width, height];
}

// Draws the layout; returns the box that shows all of it.
export function drawTable(svg, view) {
  const layout = [...view.layout];
  const asked = new Set(view.questions.map((question) => question.tile).filter(Boolean).map((tile) => `${tile.x_mm} ${tile.y_mm}`));
  const [width, height] = view.mat_mm;
  const reach = Math.max(...view.tile_mm) / 1.7 + MARGIN_MM;
  const visible = layout.length ? windowAround(layout, reach) : [-MARGIN_MM, -MARGIN_MM, width + 2 * MARGIN_MM, height + 2 * MARGIN_MM];
  // What is settled is drawn first, what needs attention lies on top.
  const order = { seen: 0, placed: 1, removal: 2, missing: 3, doubt: 4, illegal: 5 };
  const tiles = layout.map((tile) => [tile, asked.has(`${tile.x_mm} ${tile.y_mm}`) ? "doubt" : tile.status]);
  tiles.sort((one, other) => (order[one[1]] ?? 0) - (order[other[1]] ?? 0));
  // Without a camera the tiles lie as planned, on no mat.
  const mat = view.camera === "none" ? [] : [shape("rect", { x: 0, y: 0, width, height, rx: 12, class: "mat" })];
  svg.replaceChildren(...mat, ...tiles.map(([tile, status]) => laid(tile, view, status)));
  return visible;
}

export function tilePicture(text) {
  const values = text.split("-").map(Number);
  const kind = values.length === 3 ? "triomino" : "domino";
  const tile = { kind, values, angle_deg: kind === "triomino" ? -90 : 0, face_up: true };
  const drawn = kind === "triomino" ? triomino(tile, 40) : domino(tile, 48, 24);
  const box = kind === "triomino" ? "-22 -25 44 40" : "-25 -13 50 26";
  return shape("svg", { viewBox: box, class: `picture ${kind}`, role: "img", "aria-label": text }, shape("g", { class: "tile placed" }, drawn));
}
