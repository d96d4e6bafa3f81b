// A board in space, turned and projected here: a camera looks at it from a little above.

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Space} Space */
/** @typedef {import("./types.js").View} View */

const FEW = 800; // cells up to which it is found out which of them hide others
const FAR = 3.4; // the distance of the eye, in radii of the board

/** @typedef {{yaw: number, pitch: number, slide: number}} Turn */

/** @implements {View} */
export class Turned {
  /**
   * @param {Board} board
   * @param {Space} space
   * @param {Turn} turn
   * @param {number} width
   * @param {number} height
   */
  constructor(board, space, turn, width, height) {
    this.board = board;
    const n = board.x.length;
    const [cy, sy, cp, sp] = [Math.cos(turn.yaw), Math.sin(turn.yaw), Math.cos(turn.pitch), Math.sin(turn.pitch)];
    const middle = space.levels.reduce((sum, level) => sum + level, 0) / n;
    const points = new Float64Array(12 * n);
    let radius = 1;
    for (let i = 0; i < 4 * n; i++) {
      const slid = (space.levels[Math.floor(i / 4)] - middle) * turn.slide;
      const [x, y, z] = [space.corners[3 * i], space.corners[3 * i + 1], space.corners[3 * i + 2] + slid];
      radius = Math.max(radius, Math.hypot(x, y, z));
      const [ahead, side] = [x * sy + y * cy, x * cy - y * sy];
      points[3 * i] = side;
      points[3 * i + 1] = ahead * sp + z * cp;
      points[3 * i + 2] = ahead * cp - z * sp; // away from the eye
    }
    const zoom = (0.47 * Math.min(width, height)) / radius;
    /** @type {[number, number][][]} */
    this.corners = [];
    this.depth = new Float64Array(n);
    /** @type {[number, number][]} */
    this.middles = [];
    for (let place = 0; place < n; place++) {
      /** @type {[number, number][]} */
      const corners = [];
      const sum = [0, 0, 0];
      for (let k = 4 * place; k < 4 * place + 4; k++) {
        const at = [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
        corners.push(this.seen(at, radius, zoom, width, height));
        for (let i = 0; i < 3; i++) sum[i] += at[i] / 4;
      }
      this.corners.push(corners);
      this.depth[place] = sum[2];
      this.middles.push(this.seen(sum, radius, zoom, width, height));
    }
    this.order = [...this.depth.keys()].sort((a, b) => this.depth[b] - this.depth[a]);
    this.cell = Math.max(6, 0.68 * zoom);
    this.solid = !space.slides;
    /** @type {Map<number, boolean>} */
    this.front = new Map();
  }

  /**
   * @param {number[]} at
   * @param {number} radius
   * @param {number} zoom
   * @param {number} width
   * @param {number} height
   * @returns {[number, number]}
   */
  seen([x, y, z], radius, zoom, width, height) {
    const near = (FAR * radius) / (FAR * radius + z);
    return [width / 2 + x * zoom * near, height / 2 - y * zoom * near];
  }

  /**
   * Whether nothing of the board stands before the middle of a cell.
   * @param {number} place
   */
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
   * @param {number} a
   * @param {number} b
   */
  segments(a, b) {
    return [[...this.middles[a], ...this.middles[b]]];
  }

  /**
   * The cell in front at a point of the screen, or -1.
   * @param {number} x
   * @param {number} y
   */
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
 * The cells of a board in space, those behind first.
 * @param {CanvasRenderingContext2D} ink
 * @param {Board} board
 * @param {Turned} view
 * @param {Record<string, string>} colours
 * @param {Uint8Array} hole
 * @param {boolean} clear whether one sees through the cells
 */
export function solid(ink, board, view, colours, hole, clear) {
  const fills = [colours["cell-0"], colours["cell-1"], colours["cell-2"]];
  const names = board.names ?? [];
  ink.lineWidth = 0.6;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  for (const place of view.order) {
    if (hole[place]) continue;
    const corners = view.polygon(place);
    ink.beginPath();
    corners.forEach(([x, y], i) => (i ? ink.lineTo(x, y) : ink.moveTo(x, y)));
    ink.closePath();
    ink.globalAlpha = clear ? 0.82 : 0.93;
    ink.fillStyle = fills[board.shade[place]];
    ink.fill();
    ink.globalAlpha = 1;
    ink.strokeStyle = colours.label;
    ink.stroke();
    if (view.cell > 26 && names[place]) {
      ink.fillStyle = colours.label;
      ink.font = `${0.2 * view.cell}px system-ui, sans-serif`;
      const [x, y] = view.at(place);
      ink.fillText(names[place], x, y);
    }
  }
}
