// A board that lies flat: where its cells are on the screen, and which one is under a finger.

import { UNIT } from "./boxes.js";

const ROOM = 0.06; // of the board, so that cells that drift stay on it
const SMALLER = 0.3; // of their sides, so that they do not meet
export const LONG = 12; // cells: no move that one sees begins and ends farther away
const SIDE = 8 * UNIT; // of the blocks of the index
/** The cells of each block of a board, one block after the other. @type {WeakMap<Board, {across: number, start: Int32Array, order: Int32Array}>} */
const INDEX = new WeakMap();

/** The index of a board, made once. @param {Board} board */
function indexed(board) {
  const made = INDEX.get(board);
  if (made) return made;
  const { x, y, width, height } = board;
  const across = Math.floor(width / SIDE) + 1;
  const block = (/** @type {number} */ place) => Math.floor(y[place] / SIDE) * across + Math.floor(x[place] / SIDE);
  const start = new Int32Array(across * (Math.floor(height / SIDE) + 1) + 1);
  for (let place = 0; place < x.length; place++) start[block(place) + 1]++;
  for (let k = 1; k < start.length; k++) start[k] += start[k - 1];
  const [next, order] = [start.slice(), new Int32Array(x.length)];
  for (let place = 0; place < x.length; place++) order[next[block(place)]++] = place;
  INDEX.set(board, { across, start, order });
  return { across, start, order };
}

/**
 * The cells of the blocks that meet a rectangle, in units of the board.
 * @type {(board: Board, left: number, top: number, right: number, bottom: number) => number[]}
 */
function within(board, left, top, right, bottom) {
  const { across, start, order } = indexed(board);
  const out = [];
  const [first, last] = [left, right].map((edge) => Math.min(Math.max(Math.floor(edge / SIDE), 0), across - 1));
  for (let row = Math.max(Math.floor(top / SIDE), 0); row <= bottom / SIDE && (row + 1) * across < start.length; row++) {
    for (let k = start[row * across + first]; k < start[row * across + last + 1]; k++) out.push(order[k]);
  }
  return out;
}

/** Which places are holes. @param {Board} board */
export function holesOf({ x, holes }) {
  const hole = new Uint8Array(x.length);
  for (const place of holes) hole[place] = 1;
  return hole;
}

export class Flat {
  /**
   * @param {Board} board
   * @param {Look} look
   * @param {number} scale pixels per unit of the board
   * @param {boolean} [screen] whether lines and letters have a smallest size
   */
  constructor(board, look, scale, screen = false) {
    this.board = board;
    this.look = look;
    this.hole = holesOf(board);
    this.size = [board.width * scale, board.height * scale];
    this.scale = scale;
    this.screen = screen;
    this.flat = true;
    this.cell = UNIT * scale;
    /** What one sees of it: left, top, right, bottom; null is all. With arrays of integers, code for fractions slows down. @type {Float64Array | null} */
    this.window = null;
    /** Cells that drift apart. @type {Drift | null} */
    this.drift = null;
    /** The lines of moves over edges of the board, from both cells. @type {Map<number, number[][]>} */
    this.over = new Map();
    for (const [a, b, ax, ay, bx, by] of board.over) {
      const legs = [[...this.at(a), ax, ay], [...this.at(b), bx, by]].map(([x, y, dx, dy]) => [x, y, x + dx * scale, y + dy * scale]);
      this.over.set(a * board.x.length + b, legs);
      this.over.set(b * board.x.length + a, [legs[1], legs[0]]);
    }
  }

  /** @param {number} place @returns {[number, number]} */
  at(place) {
    const { board, scale, drift, cell } = this;
    const [x, y] = [board.x[place] * scale, board.y[place] * scale];
    if (drift === null) return [x, y];
    const [middle, half, by] = [0.5 * board.width * scale, 0.5 * board.height * scale, 1 - ROOM * drift.moved];
    const [right, down] = [drift.to[2 * place], drift.to[2 * place + 1]].map((one) => one * drift.moved * cell);
    return [middle + by * (x - middle) + right, half + by * (y - half) + down];
  }

  /** A flat board hides nothing; but one may see a part of it alone. @param {number} place */
  visible(place) {
    return this.crosses(place, place);
  }

  /**
   * The cells that one may see.
   * @param {number} [around] cells around the window that count
   * @returns {Iterable<number>}
   */
  seen(around = 1) {
    if (this.window === null) return this.board.x.keys();
    const [left, top, right, bottom] = this.window.map((edge, i) => edge / this.scale + (i < 2 ? -around : around) * UNIT);
    return within(this.board, left, top, right, bottom);
  }

  /** Whether one may see a move. @param {number} a @param {number} b */
  crosses(a, b) {
    if (this.window === null) return true;
    const [left, top, right, bottom] = this.window;
    const [[x, y], [v, w], far] = [this.at(a), this.at(b), this.cell];
    return Math.max(x, v) > left - far && Math.min(x, v) < right + far && Math.max(y, w) > top - far && Math.min(y, w) < bottom + far;
  }

  /** The corners of a cell about its middle. @returns {[number, number][]} */
  outline() {
    const by = this.scale * (1 - SMALLER * (this.drift?.moved ?? 0));
    return this.board.outline.map(([x, y]) => [by * x, by * y]);
  }

  /** @param {number} place @returns {[number, number][]} */
  polygon(place) {
    const [x, y] = this.at(place);
    return this.outline().map(([dx, dy]) => [x + dx, y + dy]);
  }

  /**
   * A move over an edge is two lines, which leave the board and come back: the second is drawn towards its cell.
   * @param {number} a
   * @param {number} b
   */
  segments(a, b) {
    const legs = this.over.get(a * this.board.x.length + b);
    if (legs === undefined) return [[...this.at(a), ...this.at(b)]];
    const [x, y, u, v] = legs[1];
    return [legs[0], [u, v, x, y]];
  }

  /** The cell at a point of the screen, or -1. @param {number} px @param {number} py */
  hit(px, py) {
    const [x, y] = [px / this.scale, py / this.scale];
    let [best, nearest] = [-1, (0.62 * UNIT) ** 2];
    for (const place of within(this.board, x - UNIT, y - UNIT, x + UNIT, y + UNIT)) {
      const far = (this.board.x[place] - x) ** 2 + (this.board.y[place] - y) ** 2;
      if (far < nearest) [best, nearest] = [place, far];
    }
    return best;
  }
}
