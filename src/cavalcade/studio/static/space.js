// A board in space, turned and projected here: a camera looks at it from a little above.

import { holesOf } from "./flat.js";
import { lit } from "./look.js";

const FEW = 800; // cells up to which it is found out which of them hide others
const FAR = 3.4; // the distance of the eye, in radii of the board
const NAMED = 26; // pixels of a cell from which it shows its name
const GLASS = { far: 0.95, near: 0.86, level: 0.86 }; // opacity of the cells of both sides of a surface, and of levels

const LIGHT = [-0.3, 0.78, -0.55]; // where it comes from: the left, above, the eye
const DARKEST = 0.68; // brightness of a cell along which the light falls

/** @typedef {{yaw: number, pitch: number, slide: number}} Turn */

export class Turned {
  /**
   * @param {Board} board
   * @param {Look} look
   * @param {Turn} turn
   * @param {number} width
   * @param {number} height
   */
  constructor(board, look, turn, width, height) {
    const space = /** @type {Space} */ (board.space);
    this.board = board;
    this.look = look;
    this.hole = holesOf(board);
    this.size = [width, height];
    this.scale = 1;
    this.screen = true;
    this.flat = false;
    this.window = /** @type {Float64Array | null} */ (null); // one sees all of it
    const n = board.x.length;
    const [cy, sy, cp, sp] = [Math.cos(turn.yaw), Math.sin(turn.yaw), Math.cos(turn.pitch), Math.sin(turn.pitch)];
    const middle = space.levels.reduce((sum, level) => sum + level, 0) / n;
    /** The corners of the cells, as the eye sees them. @type {number[][]} */
    const points = [];
    /** A point of the board as the eye sees it; the last number is its way from the eye. @type {(x: number, y: number, z: number) => number[]} */
    const turned = (x, y, z) => {
      const [ahead, side] = [x * sy + y * cy, x * cy - y * sy];
      return [side, ahead * sp + z * cp, ahead * cp - z * sp];
    };
    let [radius, wide, high] = [1, 1, 0]; // of a sphere and of a cylinder around the board
    for (let i = 0; i < 4 * n; i++) {
      const slid = (space.levels[Math.floor(i / 4)] - middle) * turn.slide;
      const [x, y, z] = [space.corners[3 * i], space.corners[3 * i + 1], space.corners[3 * i + 2] + slid];
      radius = Math.max(radius, Math.hypot(x, y, z));
      [wide, high] = [Math.max(wide, Math.hypot(x, y)), Math.max(high, Math.abs(z))];
      points.push(turned(x, y, z));
    }
    const zoom = Math.min((0.46 * width) / wide, (0.46 * height) / Math.min(radius, wide * Math.abs(sp) + high * cp));
    /** A point in space on the screen. @param {number[]} point @returns {Point} */
    const seen = ([x, y, z]) => {
      const near = (FAR * radius) / (FAR * radius + z);
      return [width / 2 + x * zoom * near, height / 2 - y * zoom * near];
    };
    this.depth = new Float64Array(n);
    this.bright = new Float64Array(n);
    /** @type {Point[][]} */
    this.corners = [];
    /** @type {number[][]} */
    this.centres = [];
    for (let place = 0; place < n; place++) {
      const corners = points.slice(4 * place, 4 * place + 4);
      this.corners.push(corners.map(seen));
      this.centres.push([0, 1, 2].map((i) => corners.reduce((sum, corner) => sum + corner[i] / 4, 0)));
      this.depth[place] = this.centres[place][2];
      const [a, b] = [corners[1], corners[3]].map((corner) => corner.map((x, i) => x - corners[0][i]));
      const normal = [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
      const slant = normal.reduce((sum, x, i) => sum + x * LIGHT[i], 0) / (Math.hypot(...normal) || 1);
      this.bright[place] = space.slides ? 1 : DARKEST + (1 - DARKEST) * Math.abs(slant);
    }
    this.middles = this.centres.map(seen);
    this.order = [...this.depth.keys()].sort((a, b) => this.depth[b] - this.depth[a]);
    const areas = this.corners.map((corners) => Math.abs(corners.reduce((sum, [x, y], k) => sum + x * corners[(k + 1) % 4][1] - y * corners[(k + 1) % 4][0], 0)) / 2);
    this.cell = Math.max(6, Math.sqrt(areas.sort((a, b) => a - b)[n >> 1]));
    this.solid = !space.slides;
    this.above = turn.pitch >= 0;
    /** @type {Map<number, boolean>} */
    this.front = new Map();
    /** Where each move folds on a surface, by its cells. */
    this.index = new Map(space.folds.length ? [...(board.edges ?? [])].map((cell, i, edges) => [cell * n + edges[i ^ 1], i >> 1]) : []);
    /** @param {number} move @returns {Point} */
    this.fold = (move) => seen(turned(space.folds[3 * move], space.folds[3 * move + 1], space.folds[3 * move + 2]));
  }

  /** Whether nothing of the board stands before the middle of a cell. @param {number} place */
  visible(place) {
    if (!this.solid) return true;
    let front = this.front.get(place);
    if (front === undefined) {
      front = this.order.length > FEW ? this.depth[place] < 0 : this.hit(...this.at(place)) === place;
      this.front.set(place, front);
    }
    return front;
  }

  /** All moves are drawn. */
  crosses() {
    return true;
  }

  /** @param {number} place */
  at(place) {
    return this.middles[place];
  }

  /** @param {number} place */
  polygon(place) {
    return this.corners[place];
  }

  /**
   * A move on a surface folds over its edge, or half way round a bend; each half lies on the side of its cell.
   * @param {number} a
   * @param {number} b
   */
  segments(a, b) {
    const [from, to] = [this.middles[a], this.middles[b]];
    if (!this.solid) return [[...from, ...to]];
    const move = this.index.get(a * this.board.x.length + b);
    const fold = move === undefined ? from.map((c, i) => (c + to[i]) / 2) : this.fold(move);
    return [[...from, ...fold], [...fold, ...to]];
  }

  /** The cell in front at a point of the screen, or -1. @param {number} x @param {number} y */
  hit(x, y) {
    for (let i = this.order.length - 1; i >= 0; i--) {
      const corners = this.corners[this.order[i]];
      let inside = false;
      for (let k = 0, j = corners.length - 1; k < corners.length; j = k++) {
        const [[ax, ay], [bx, by]] = [corners[k], corners[j]];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      }
      if (inside) return this.order[i];
    }
    return -1;
  }
}

/**
 * A board in space with a tour on it, what is behind first: the levels of a stack one after the other, each with its
 * moves; of a surface the far side with its moves, seen through the near side as through glass.
 * @param {Turned} view
 * @param {Line} line
 * @param {number} upto visited cells
 */
export function inSpace(view, line, upto) {
  const { board, look, hole } = view;
  const groups = view.solid ? 2 : 1 + Math.max(...(board.space?.levels ?? [0]));
  const groupOf = (/** @type {number} */ cell) => (view.solid ? Number(view.visible(cell)) : (board.space?.levels[cell] ?? 0));
  /** @type {Shape[][]} */
  const cells = [...Array(groups)].map(() => []);
  for (const place of view.order) {
    if (hole[place]) continue;
    const group = groupOf(place);
    cells[group].push({ role: "cells", runs: [view.polygon(place)], fill: lit(look.shades[board.shade[place]], view.bright[place]), stroke: look.frame, width: 0.6, closed: true, opacity: view.solid ? (group ? GLASS.near : GLASS.far) : GLASS.level });
    const name = board.names?.[place];
    const [x, y] = view.at(place);
    if (view.cell > NAMED && name && !line.cells.length) cells[group].push({ role: "name", x, y, text: name, size: 0.2 * view.cell, fill: look.text });
  }
  /** @type {Shape[][]} */
  const moves = [...Array(groups)].map(() => []);
  const whole = Math.floor(upto);
  for (let k = 0; k < (upto >= line.cells.length ? line.count : whole - 1); k++) {
    const ends = line.ends(k).map(groupOf);
    const shapes = line.moves(k, k + 1);
    // Each half of a move on a surface is with its cell; a move between levels is with the lower one.
    if (!view.solid || ends[0] === ends[1]) moves[view.above ? Math.min(...ends) : Math.max(...ends)].push(...shapes);
    else for (const shape of shapes) if ("runs" in shape) ends.forEach((group, side) => moves[group].push({ ...shape, runs: shape.runs.slice(side, side + 1) }));
  }
  const order = [...Array(groups).keys()];
  if (!view.above && !view.solid) order.reverse();
  return order.flatMap((group) => [...cells[group], ...moves[group]]);
}
