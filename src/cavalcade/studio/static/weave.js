// The line of a tour as a list of shapes, by the rules of `draw/line.py` and `draw/tour.py`; a test compares the lists.

import { UNIT } from "./boxes.js";
import { Flat, LONG } from "./flat.js";
import { levelColour, wheel } from "./look.js";
import { cross } from "./shapes.js";
import { FINE, signs } from "./signs.js";

/** The step of each cell and the longest move in cells, by the cells of tours. @type {WeakMap<ArrayLike<number>, {steps: Int32Array, longest: number}>} */
const STEPS = new WeakMap();
const DART = [[0, 0], [-1.3, 0.45], [-1, 0], [-1.3, -0.45]]; // the corners of an arrowhead, ahead and aside, its tip first
const LEAN = [46, 84].map((degrees) => (degrees * Math.PI) / 180); // smallest angle between two stubs of a cell; of long badges
const THIN = 0.6; // smallest width of a line on the screen, in pixels
export const SMALL = 9; // smallest size of letters on the screen, in pixels
export const NUMBERED = 13; // pixels of a cell from which it shows its step

/** The size at which the longest of some numbers fits into a cell. @param {number} u @param {number} length */
const textSize = (u, length) => u * Math.min(0.36, 1 / Math.max(2, length));

/** The line of a tour, as far as it is shown. */
export class Line {
  /** @param {View} view @param {Scene} scene */
  constructor(view, scene) {
    const { board, look } = view;
    this.board = board;
    this.view = view;
    this.look = look;
    this.cells = scene.cells ?? [];
    this.closed = scene.closed ?? false;
    this.drawn = scene.line !== false && this.cells.length > 0;
    this.fine = board.size <= FINE;
    this.numbers = Boolean(scene.numbers) && view.cell * (view.screen ? 1 : NUMBERED) >= NUMBERED;
    this.scene = scene;
    this.stuck = (scene.marks ?? []).some(({ kind }) => kind === "unvisited");
    this.count = this.cells.length ? this.cells.length - Number(!this.closed) : 0; // moves
    this.ink = wheel(look, this.cells.length, this.closed && !scene.colours);
    /** The moves drawn as two lines, to another level. @type {Map<number, number[][]>} */
    this.stubs = board.level && view.flat && this.drawn ? this.levels(board.level) : new Map();
    this.width = this.drawn ? this.wide() : 0;
  }

  /** Both cells of a move. @param {number} k @returns {[number, number]} */
  ends(k) {
    return [this.cells[k], this.cells[(k + 1) % this.cells.length]];
  }

  /** The steps whose moves or cells one may see, in order. @param {number} around cells around the window @returns {Iterable<number>} */
  steps(around) {
    const { board, cells, view } = this;
    if (!(view instanceof Flat) || view.window === null || this.fine) return cells.keys();
    const { x, y } = board;
    const { length } = cells;
    let known = STEPS.get(cells);
    if (!known) {
      STEPS.set(cells, (known = { steps: new Int32Array(x.length).fill(-1), longest: 1 }));
      for (let k = 0; k < length; k++) {
        const [a, b] = k < this.count ? this.ends(k) : [cells[k], cells[k]];
        known.steps[a] = k;
        known.longest = Math.max(known.longest, Math.abs(x[a] - x[b]) / UNIT, Math.abs(y[a] - y[b]) / UNIT);
      }
    }
    /** @type {number[]} */
    const near = [];
    for (const place of view.seen(Math.min(around, known.longest))) {
      const k = known.steps[place];
      if (k >= 0) near.push(k, (k || length) - 1);
    }
    return new Set(Int32Array.from(near).sort());
  }

  /** The lines of a move, each x, y, x, y. @param {number} k */
  segments(k) {
    return this.stubs.get(k) ?? this.view.segments(...this.ends(k));
  }

  /** The width of the line: the longer the moves, the thinner. */
  wide() {
    const { board, view } = this;
    const u = view.cell;
    let wide = u * (board.size <= FINE ? 0.11 : board.size <= 20_000 ? 0.16 : 0.24);
    if (view.flat) {
      const lengths = [...Array(Math.min(this.count, FINE)).keys()].map((k) => this.segments(k)[0]).map(([x, y, a, b]) => Math.hypot(a - x, b - y)).sort((a, b) => a - b);
      const middle = lengths.length / 2;
      const median = (lengths[Math.floor(middle)] + lengths[Math.ceil(middle) - 1]) / 2;
      if (median > 0) wide *= Math.min(1, (2.3 * u) / median);
    }
    return Math.max(wide, view.screen ? THIN : 0);
  }

  /**
   * Moves to other levels as stubs, where they leave and where they arrive. A stub points to the other cell as if both
   * were on one level; two stubs of a cell with about the same direction lean apart.
   * @param {Int32Array} level
   */
  levels(level) {
    const { board, view } = this;
    const u = view.cell;
    const long = board.panels.some(([name]) => name.length > 2);
    const [length, lean] = long ? [0.32, LEAN[1]] : [this.numbers ? 0.39 : 0.35, LEAN[0]];
    const scale = u / 20;
    const corner = (/** @type {number} */ cell) => board.panels[level[cell]].slice(1, 3).map((one) => Number(one) * scale);
    const angles = new Float64Array(2 * level.length).fill(NaN); // of the stubs in which cells are left and reached
    const moves = [...Array(this.count).keys()].filter((k) => level[this.ends(k)[0]] !== level[this.ends(k)[1]]);
    const direction = (/** @type {number} */ cell, /** @type {number} */ other) => {
      const [here, there, from, to] = [view.at(cell), view.at(other), corner(cell), corner(other)];
      const away = [0, 1].map((i) => to[i] - from[i]);
      const step = [0, 1].map((i) => there[i] - here[i] - away[i]);
      const [x, y] = step.every((one) => Math.abs(one) < 0.01 * u) ? away : step;
      return Math.atan2(y, x);
    };
    for (const k of moves) {
      const [a, b] = this.ends(k);
      angles[2 * a] = direction(a, b);
      angles[2 * b + 1] = direction(b, a);
    }
    for (let i = 0; i < angles.length; i += 2) {
      const difference = angles[i] - angles[i + 1];
      const apart = Math.atan2(Math.sin(difference), Math.cos(difference));
      if (!(Math.abs(apart) < lean)) continue;
      const middle = angles[i + 1] + apart / 2;
      const aside = apart < -1e-9 ? -lean / 2 : lean / 2; // equal but for rounding
      [angles[i], angles[i + 1]] = [middle + aside, middle - aside];
    }
    const stub = (/** @type {number} */ cell, /** @type {number} */ side) => {
      const [x, y] = view.at(cell);
      const angle = angles[2 * cell + side];
      return [x, y, x + length * u * Math.cos(angle), y + length * u * Math.sin(angle)];
    };
    return new Map(moves.map((k) => [k, [stub(this.ends(k)[0], 0), stub(this.ends(k)[1], 1)]]));
  }

  /**
   * Moves in order, with a light gap around each where it crosses others; on a larger board successive moves of one
   * colour are one shape.
   * @param {number} from
   * @param {number} to
   * @returns {Polyline[]}
   */
  moves(from, to) {
    if (!this.drawn) return [];
    const { view } = this;
    /** @type {Polyline[]} */
    const out = [];
    let joined = /** @type {Polyline | null} */ (null);
    for (const k of this.steps(LONG)) {
      if (k < from || k >= Math.min(to, this.count) || !view.crosses(...this.ends(k))) continue;
      const segments = this.segments(k);
      /** @type {Point[][]} */
      const runs = segments.map(([x, y, a, b]) => [[x, y], [a, b]]);
      const stroke = this.ink(k);
      if (this.fine) {
        if (segments.length < 2) out.push(this.gap(segments[0], k + 1));
        out.push({ role: "move", runs, stroke, width: this.width, step: k + 1 });
        continue;
      }
      if (joined?.stroke !== stroke) out.push((joined = { role: "moves", runs: [], stroke, width: this.width, step: k + 1 }));
      joined.runs.push(...runs);
      joined.step = k + 1;
    }
    return out;
  }

  /** The signs of unvisited cells, below the moves. */
  unvisited() {
    return signs((this.scene.marks ?? []).filter(({ kind }) => kind === "unvisited"), this.view);
  }

  /** The gap around a line. @param {number[]} segment @param {number} step @returns {Polyline} */
  gap([x, y, a, b], step) {
    const cut = Math.min(((this.numbers ? 0.5 : 0.4) * this.view.cell) / Math.max(Math.hypot(a - x, b - y), 1e-9), 0.5);
    const [dx, dy] = [cut * (a - x), cut * (b - y)];
    return { role: "gap", runs: [[[x + dx, y + dy], [a - dx, b - dy]]], stroke: this.look.casing, width: this.width * (this.numbers ? 1.6 : 1.9), step };
  }

  /**
   * What is painted over the moves: the arrow of the first, numbers or dots, the names of other levels.
   * @param {number} upto visited cells
   * @param {number} [from] cells whose steps are painted already
   * @returns {Shape[]}
   */
  over(upto, from = 0) {
    if (!this.cells.length) return [];
    const out = [...(this.drawn ? this.arrow() : []), ...(this.numbers ? this.written() : this.dots()), ...(this.drawn ? this.badges() : [])];
    return out.filter(({ step = 0 }) => step >= from && (step <= upto - 1 || upto >= this.cells.length));
  }

  /** @returns {Shape[]} */
  arrow() {
    const { look, view } = this;
    const [segment] = this.count ? this.segments(0) : [];
    if (!segment || !view.crosses(...this.ends(0))) return [];
    const u = view.cell;
    const [x, y, v, w] = segment;
    const long = Math.hypot(v - x, w - y);
    if (long < 0.005 * u) return [];
    const size = 0.32 * u * (this.fine || this.numbers ? 1 : 4);
    const [a, b] = [(v - x) / long, (w - y) / long];
    const along = Math.min(0.45 * u + size, long);
    const dart = DART.map(([ahead, aside]) => /** @type {Point} */ ([x + a * (along + size * ahead) - b * size * aside, y + b * (along + size * ahead) + a * size * aside]));
    return [{ role: "arrow", runs: [dart], stroke: look.casing, width: 0.05 * u, fill: look.digits, closed: true, step: 1 }];
  }

  /** The steps on their cells; the first and the last filled. @returns {Shape[]} */
  written() {
    const { board, cells, look, view } = this;
    const u = view.cell;
    const last = cells.length - 1;
    const many = board.panels.some(([name]) => name.length > 2);
    const radius = (board.panels.length < 2 || !view.flat ? 0.34 : many ? 0.22 : 0.28) * u;
    const full = textSize(u, String(cells.length).length) * (this.drawn ? radius / (0.34 * u) : view.flat ? 1.25 : 0.9);
    const size = view.flat ? full : Math.max(full, SMALL);
    /** @type {Shape[]} */
    const out = this.drawn ? this.cross(0.36 * u) : [];
    for (const k of this.steps(1)) {
      if (!view.visible(cells[k])) continue;
      const [x, y] = view.at(cells[k]);
      const filled = this.drawn && (k === 0 || (k === last && !this.closed));
      if (this.drawn) out.push({ role: "step", x, y, r: radius, fill: filled ? this.ink(k) : look.disc, stroke: this.ink(k), width: 0.05 * u, step: k });
      out.push({ role: "number", x, y, text: String(k + 1), size, fill: filled ? look.disc : look.digits, step: k });
    }
    return out;
  }

  /** Dots on cells, the first a ring, the last of an open tour a disc, of a stuck walk a cross. @returns {Shape[]} */
  dots() {
    const { board, cells, look, view } = this;
    const u = view.cell;
    const last = cells.length - 1;
    const radius = Math.max(0.2 * u, view.flat ? (Math.max(board.width, board.height) * u) / 3000 : 0);
    /** @type {(role: string, k: number, r: number, fill: string, stroke?: string) => Shape[]} */
    const disc = (role, k, r, fill, stroke) => {
      if (!view.visible(cells[k])) return [];
      const [x, y] = view.at(cells[k]);
      return [{ role, x, y, r, fill, ...(stroke ? { stroke, width: 0.45 * r } : {}), step: k }];
    };
    return [
      ...(this.fine && view.cell >= 8 / (view.screen ? 1 : 8) ? [...cells.keys()].flatMap((k) => disc("cell", k, 0.95 * this.width, this.ink(k))) : []),
      ...(last > 0 && !this.closed && !this.stuck ? disc("end", last, radius, this.ink(last), look.disc) : []),
      ...disc("start", 0, radius, look.disc, this.ink(0)),
      ...this.cross(1.2 * radius),
    ];
  }

  /** Where a walk is stuck. @param {number} radius @returns {Shape[]} */
  cross(radius) {
    if (!this.stuck) return [];
    const { cells, look, view } = this;
    const last = cells.length - 1;
    const runs = cross(...view.at(cells[last]), radius);
    return [{ role: "stuck", runs, stroke: look.casing, width: 0.75 * radius, step: last }, { role: "stuck", runs, stroke: look.alarm, width: 0.4 * radius, step: last }];
  }

  /** The names of other levels at the ends of stubs: filled at departures, empty at arrivals. @returns {Shape[]} */
  badges() {
    const { board, view } = this;
    if (!this.fine || !board.level) return [];
    const u = view.cell;
    /** @type {Shape[]} */
    const out = [];
    for (const [k, stubs] of this.stubs) {
      stubs.forEach(([, , x, y], side) => {
        const target = board.level?.[this.ends(k)[1 - side]] ?? 0;
        const [name] = board.panels[target];
        const colour = levelColour(target, board.panels.length);
        const high = (name.length < 3 ? 0.25 : 0.14) * u;
        const wide = Math.max(high, (0.3 + 0.52 * name.length) * high);
        const [fill, ink] = side ? ["#ffffff", colour] : [colour, "#ffffff"];
        out.push({ role: "badge", x: x - wide / 2, y: y - high / 2, wide, high, radius: high / 2, fill, stroke: colour, width: 0.03 * u, step: k + 1 });
        out.push({ role: "to", x, y, text: name, size: 0.9 * high, fill: ink, step: k + 1 });
      });
    }
    return out;
  }
}
