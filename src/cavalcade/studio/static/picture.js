// Boards as lists of shapes, by the rules of `draw/board.py`; a test compares the lists. A view says where cells are; its cell has the width `u`.

import { UNIT, fileName } from "./boxes.js";
import { Flat } from "./flat.js";
import { Line, NUMBERED, SMALL } from "./weave.js";
import { channels, levelColour } from "./look.js";
import { paint } from "./shapes.js";
import { FINE, lines, signs } from "./signs.js";
import { inSpace } from "./space.js";

const TINY = 10; // pixels of a square below which it is a block of pixels
const CHUNK = 1_000; // cells per shape: a canvas fills many small paths faster than a long one
const LARGE = 20; // largest size of the names of files and ranks on the screen, in pixels

/**
 * The sides of cells with no cell on the other side, and the holes that cells surround, in units of the board.
 * @param {Flat} view
 */
function surroundings({ board: { x, y, outline, over }, hole }) {
  const key = (/** @type {number} */ a, /** @type {number} */ b) => `${Math.round(a)},${Math.round(b)}`;
  const places = new Map([...hole.keys()].map((place) => [key(x[place], y[place]), place]));
  const sides = outline.map((corner, k) => /** @type {[Point, Point]} */ ([corner, outline[(k + 1) % outline.length]]));
  const beside = (/** @type {number} */ place) => sides.map(([[a, b], [c, d]]) => places.get(key(x[place] + a + c, y[place] + b + d)) ?? -1);
  /** @type {Point[][]} */
  const borders = [];
  const holes = [...hole.keys()].filter((place) => hole[place]);
  const open = new Set(over.length ? [] : holes.filter((place) => beside(place).includes(-1)));
  for (const place of open) for (const next of beside(place)) if (hole[next]) open.add(next);
  for (const place of hole.keys()) {
    if (hole[place]) continue;
    beside(place).forEach((next, k) => {
      if (next < 0 || hole[next]) borders.push(sides[k].map(([a, b]) => [x[place] + a, y[place] + b]));
    });
  }
  return { borders, pits: holes.filter((place) => !open.has(place)), open: [...open] };
}

/** One outline at many places. @type {(role: string, outline: Point[], at: Point[], fill: string, rest?: Partial<Polyline>) => Shape[]} */
const tiles = (role, outline, at, fill, rest) => {
  const chunks = [...Array(Math.ceil(at.length / CHUNK)).keys()].map((k) => at.slice(k * CHUNK, (k + 1) * CHUNK));
  return chunks.map((part) => ({ role, runs: [outline], at: part, fill, closed: true, ...rest }));
};

/** A flat board: cells, holes, frame, names of levels, files and ranks. @param {Flat} view */
function ground(view) {
  const { board, look, hole, cell: u, scale, screen, drift } = view;
  const outline = view.outline();
  const hexagonal = outline.length > 4;
  const scaled = (/** @type {Point[][]} */ runs) => runs.map((run) => run.map(([x, y]) => /** @type {Point} */ ([x * scale, y * scale])));
  /** @type {Shape[]} */
  const out = [];
  /** @type {Point[][]} */
  const at = look.shades.map(() => []);
  for (const place of view.seen()) if (!hole[place] && view.visible(place)) at[board.shade[place]].push(view.at(place));
  look.shades.forEach((fill, shade) => {
    out.push(...tiles("cells", outline, at[shade], fill, hexagonal ? { stroke: fill, width: 0.3 * scale } : {}));
  });
  /** @type {(runs: Point[][], rest?: Partial<Polyline>) => unknown} */
  const frame = (runs, rest) => out.push({ role: "frame", runs: scaled(runs), stroke: look.frame, width: scale, ...rest });
  const area = board.panels.reduce((sum, [, , , wide, high]) => sum + wide * high, 0);
  const whole = board.names === null || (!board.holes.length && area === hole.length * UNIT * UNIT);
  const framed = !hexagonal && !board.frame.length;
  if (drift?.moved) {
    // Cells that drift have no frame.
  } else if (!whole) {
    const { borders, pits, open } = surroundings(view);
    const centres = pits.map((place) => view.at(place));
    out.push(...tiles("hole", outline, centres, look.hole));
    if (!hexagonal) {
      const near = (/** @type {number[]} */ centre) => centre.map(Math.round).join();
      const corners = new Set(centres.map(near));
      const [h, d] = [u / 2, 0.16 * u - u / 2];
      /** @type {[number, number, Point[]][]} */
      const edges = [[0, -u, [[-h, -h], [h, -h], [h, d], [-h, d]]], [-u, 0, [[-h, -h], [d, -h], [d, h], [-h, h]]]];
      for (const [i, j, edge] of edges) out.push(...tiles("shadow", edge, centres.filter(([x, y]) => !corners.has(near([x + i, y + j]))), look.shadow));
    }
    // On the screen a removed cell outside the board can be clicked, so it has a faint outline.
    if (screen) out.push(...tiles("removed", outline.map(([x, y]) => [0.9 * x, 0.9 * y]), open.map((place) => view.at(place)), "", { stroke: look.frame, width: u / 50, dash: [u / 10, u / 10] }));
    if (framed) frame(borders);
  } else if (framed) frame(board.panels.map(([, x, y, a, b]) => [[x, y], [x + a, y], [x + a, y + b], [x, y + b]]), { closed: true });
  for (const { runs, dash, closed, glue } of board.frame) if (!glue) frame(runs, { closed, dash: dash.map((part) => part * scale) });
  out.push(...names(view));
  if (screen && u > 14) {
    for (const [place, dx, dy, text] of board.beyond) {
      const [x, y] = view.at(place);
      out.push({ role: "beyond", x: x + 0.68 * dx * scale, y: y + 0.68 * dy * scale, text, size: Math.max(0.22 * u, 8), fill: look.text });
    }
  }
  return out;
}

/** The names of levels, files and ranks. @param {Flat} view */
function names({ board, look, cell: u, scale, screen, window }) {
  /** @type {Shape[]} */
  const out = [];
  board.panels.forEach(([name, x, y], k) => {
    if (board.panels.length < 2) return;
    const [wide, left, top] = [(0.35 + 0.3 * name.length) * u, x * scale, y * scale - 0.85 * u];
    out.push({ role: "level", x: left, y: top, wide, high: 0.65 * u, radius: 0.2 * u, fill: levelColour(k, board.panels.length) });
    out.push({ role: "name", x: left + wide / 2, y: top + 0.325 * u, text: name, size: 0.5 * u, fill: "#ffffff" });
  });
  const size = screen ? Math.min(Math.max(board.label_size * scale, SMALL), LARGE) : board.label_size * scale;
  const [left, top, right, bottom] = window ?? [-Infinity, -Infinity, Infinity, Infinity];
  let last = [-1e9, -1e9];
  for (const [a, b, text, anchor] of board.labels) {
    const [x, y, far] = [a * scale, b * scale, size * text.length];
    if (screen && Math.hypot(x - last[0], y - last[1]) < 0.9 * size * Math.min(text.length, 2)) continue;
    last = [x, y];
    if (x + far < left || x - far > right || y + far < top || y - far > bottom) continue; // a font that is set takes time
    out.push({ role: "label", x, y, text, size, fill: look.text, anchor });
  }
  return out;
}

/**
 * Draw a line into an image: each pixel is as opaque as the part of it that the line covers.
 * @param {ImageData} image
 * @param {number[]} line x, y, x, y
 * @param {number} width
 * @param {number[]} colour
 */
function draw({ data, width: wide, height: high }, [x, y, a, b], width, [red, green, blue]) {
  const steep = Math.abs(b - y) > Math.abs(a - x);
  const [u, v, s, t, long, across] = steep ? [y, x, b, a, high, wide] : [x, y, a, b, wide, high];
  const slope = (t - v) / (s - u || 1);
  const half = (width / 2) * Math.sqrt(1 + slope * slope);
  const end = Math.min(Math.round(Math.max(u, s)), long);
  for (let i = Math.max(Math.round(Math.min(u, s)), 0); i < end; i++) {
    const middle = v + (i + 0.5 - u) * slope;
    const [from, to] = [middle - half, middle + half];
    for (let j = Math.max(Math.floor(from), 0); j < Math.min(to, across); j++) {
      const covered = Math.min(j + 1, to) - Math.max(j, from);
      const point = 4 * (steep ? i * wide + j : j * wide + i);
      data[point] += covered * (red - data[point]);
      data[point + 1] += covered * (green - data[point + 1]);
      data[point + 2] += covered * (blue - data[point + 2]);
    }
  }
}

/**
 * Paint a flat board; squares and moves of a few pixels are drawn into an image, without a frame.
 * @param {CanvasRenderingContext2D} ink
 * @param {Flat} view
 * @param {Polyline[]} [moves]
 * @returns {boolean} whether the moves are painted, too
 */
export function paintGround(ink, view, moves = []) {
  const { board, look, hole } = view;
  if (view.cell >= TINY || board.outline.length !== 4) {
    paint(ink, ground(view));
    return false;
  }
  const { a: dense, e: right, f: down } = ink.getTransform();
  const edges = view.window ?? Float64Array.of(0, 0, board.width * view.scale, board.height * view.scale);
  const [west, north, east, south] = edges.map((edge, i) => Math.round(edge * dense + [right, down][i % 2]));
  const [width, height] = [east - west, south - north];
  const image = ink.createImageData(width, height);
  const points = new Uint32Array(image.data.buffer);
  const shades = look.shades.map((fill) => {
    const [red, green, blue] = channels(fill);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
  const half = (view.cell * dense) / 2;
  for (const place of view.seen()) {
    if (hole[place]) continue;
    const [x, y] = view.at(place);
    const [column, row] = [x * dense + right - west, y * dense + down - north];
    const [left, top] = [Math.max(Math.round(column - half), 0), Math.max(Math.round(row - half), 0)];
    if (column + half <= 0 || left >= width) continue;
    const [end, bottom] = [Math.max(Math.round(column + half), left + 1), Math.max(Math.round(row + half), top + 1)];
    for (let line = top; line < bottom && line < height; line++) points.fill(shades[board.shade[place]], line * width + left, line * width + Math.min(end, width));
  }
  for (const { runs, stroke = look.frame, width: wide = 1 } of moves) {
    const colour = channels(stroke);
    for (const [[x, y], [a, b]] of runs) draw(image, [x * dense + right - west, y * dense + down - north, a * dense + right - west, b * dense + down - north], wide * dense, colour);
  }
  ink.putImageData(image, west, north);
  paint(ink, names(view));
  return true;
}

/** The arrowheads of glued edges, painted over the moves. @param {Flat} view @returns {Shape[]} */
function above({ board, look, scale, cell: u }) {
  return board.frame.filter(({ glue }) => glue).map(({ runs }) => ({
    role: "glue", runs: runs.map((run) => run.map(([x, y]) => [x * scale, y * scale])), stroke: look.shades[0], width: 0.05 * u, fill: look.text, closed: true,
  }));
}

/** The names of files and ranks at the edges of the window onto an enlarged board. @param {Flat} view @returns {Shape[]} */
export function rulers({ board: { labels, panels }, look, window, scale, cell }) {
  const [rows, columns] = ["end", "middle"].map((side) => labels.filter(([, , , anchor]) => anchor === side));
  if (window === null || panels.length !== 1 || rows.length < 2 || columns.length < 2 || cell < NUMBERED || !rows.every(([, , text]) => /^\d+$/.test(text))) return [];
  const [left, top, right, bottom] = window;
  const [[, x, y, wide, high]] = panels;
  const size = Math.min(15, 0.5 * cell);
  const side = 0.62 * size * Math.max(...rows.map(([, , text]) => text.length)) + 8;
  /** @type {(x: number, y: number, wide: number, high: number) => Shape} */
  const bar = (a, b, c, d) => ({ role: "ruler", runs: [[[a, b], [a + c, b], [a + c, b + d], [a, b + d]]], fill: look.disc, closed: true, opacity: 0.92 });
  const out = [bar(left, top, side, bottom - top), bar(left, bottom - 1.5 * size, right - left, 1.5 * size)];
  /** @type {(x: number, y: number, text: string) => unknown} */
  const name = (a, b, text) => out.push({ role: "label", x: a, y: b, text, size, fill: look.text });
  const count = Math.round(high / UNIT);
  for (let i = 0; i < count; i++) {
    const middle = y * scale + (i + 0.5) * cell;
    if (middle > top && middle < bottom - 1.7 * size) name(left + side / 2, middle, String(count - i));
  }
  for (let j = 0; j < Math.round(wide / UNIT); j++) {
    const middle = x * scale + (j + 0.5) * cell;
    if (middle > left + side && middle < right) name(middle, bottom - 0.75 * size, fileName(j));
  }
  return out;
}

/**
 * A board with what is shown on it.
 * @param {View} view
 * @param {Scene} scene
 * @param {Shown} [shown]
 */
export function picture(view, scene, shown) {
  if (view instanceof Flat) view.drift = scene.drift ?? null;
  const line = new Line(view, scene);
  const upto = scene.upto ?? line.cells.length;
  const moves = () => line.moves(0, upto >= line.cells.length ? Infinity : upto - 1);
  const below = view instanceof Flat ? [...ground(view), ...line.unvisited(), ...moves()] : inSpace(view, line, upto);
  return [...below, ...over(line, upto, shown)];
}

/**
 * What is above the line of a tour.
 * @param {Line} line
 * @param {number} upto visited cells
 * @param {Shown} [shown]
 */
export function over(line, upto, { ends, wishes } = { ends: [], wishes: [] }) {
  const { board, scene: { lines: moves = [], marks = [] }, view } = line;
  return [
    ...lines([...moves, ...wishes], view),
    ...(view instanceof Flat ? above(view) : []),
    ...signs(ends, view),
    ...(board.size <= FINE || upto === line.cells.length ? line.over(upto) : []),
    ...signs(marks.filter(({ kind }) => kind !== "unvisited"), view),
  ];
}
