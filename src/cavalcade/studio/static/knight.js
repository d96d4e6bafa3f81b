// The knight on the board, and what the board says to a move that it cannot make.

import { byId, still } from "./dom.js";
import { home } from "./home.js";

const TOLD = 2_400; // milliseconds that a refusal stays on the board

export class Knight {
  constructor() {
    this.piece = /** @type {SVGElement} */ (home.root.querySelector("#knight"));
    this.begun = byId("begun", HTMLElement);
    this.nudge = byId("nudge", HTMLElement);
    this.bubble = byId("bubble", HTMLElement);
    this.telling = 0; // the timer that ends a refusal
  }

  /**
   * Stand on the last cell of the path; between two cells, hop in an arc, a bar behind. Both are only transformed.
   * @param {Scene} scene
   * @param {Line} line
   * @param {number} upto
   */
  ride({ cells = [], rides, piece }, line, upto) {
    const { begun } = this;
    const { view } = line;
    const rider = rides && cells.length > 0;
    const whole = Math.max(1, Math.floor(upto));
    const part = upto - whole;
    const done = (/** @type {number[][]} */ segments) => {
      const [x, y, a, b] = segments[part < 0.5 ? 0 : segments.length - 1];
      return [x, y, (a - x) * part, (b - y) * part];
    };
    begun.hidden = !line.drawn || part <= 0 || whole > line.count;
    if (!begun.hidden) {
      const [x, y, right, down] = done(line.segments(whole - 1));
      begun.style.backgroundColor = line.ink(whole - 1);
      begun.style.transform = `translate(${x}px, ${y}px) rotate(${Math.atan2(down, right)}rad) scale(${Math.hypot(right, down) / 100}, ${line.width / 100})`;
    }
    const cell = rider ? cells[whole - 1] : piece;
    this.piece.toggleAttribute("hidden", cell === undefined || !view.visible(cell));
    if (cell === undefined) return;
    let [x, y] = view.at(cell);
    let high = 0;
    if (rider && part > 0) {
      const [a, b, right, down] = done(view.segments(cell, cells[whole % cells.length]));
      [x, y, high] = [a + right, b + down, Math.sin(Math.PI * part)];
    }
    const size = Math.max(view.cell * 0.84, 14);
    const { style } = this.piece;
    style.width = style.height = `${size}px`;
    style.transform = `translate(${x - size / 2}px, ${y - size / 2 - 0.4 * view.cell * high}px) scale(${1 + 0.25 * high})`;
  }

  /**
   * Shake a cell that cannot be entered, and say why at the edge of the board, where it covers no cell.
   * @param {View} view
   * @param {number} place
   * @param {string} why
   */
  refuse(view, place, why) {
    const { nudge, bubble } = this;
    const [x, y] = view.at(place);
    const half = view.cell / 2;
    const { clientWidth: width, clientHeight: height } = /** @type {HTMLElement} */ (bubble.parentElement);
    nudge.hidden = bubble.hidden = false;
    bubble.textContent = why;
    for (const [edge, value] of Object.entries({ left: x - half, top: y - half, width: 2 * half, height: 2 * half })) nudge.style.setProperty(edge, `${value}px`);
    const [left, top, right, bottom] = view.window ?? [0, 0, width, height];
    const low = bottom - bubble.offsetHeight;
    bubble.style.left = `${Math.max(left, Math.min(x - bubble.offsetWidth / 2, right - bubble.offsetWidth))}px`;
    bubble.style.top = `${view.window && y + half > low ? top : low}px`;
    if (!still()) nudge.animate([0, -0.12, 0.12, -0.08, 0.08, 0].map((far) => ({ transform: `translateX(${far * view.cell}px)` })), 350);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.accept(), TOLD);
  }

  /** Nothing is refused any more. */
  accept() {
    this.nudge.hidden = this.bubble.hidden = true;
  }
}
