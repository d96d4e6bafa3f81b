// The board for a screen reader and for keys: an element a cell, in rows, one of which is in the tab order.

import { make } from "./dom.js";
import { holesOf } from "./flat.js";
import { speech, t } from "./texts.js";

const MOST = 1_600; // cells

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** What is said of a sign; nothing of one that shows what is said elsewhere. @param {Mark} mark */
function spoken({ kind, text = "" }) {
  const code = `cell.${kind.replace(/-\d+$/, "")}`;
  if (/^(option|adjacent|chosen)$/.test(kind)) return /^\d+$/.test(text) ? t("cell.adjacent", { moves: t("n.onward-move", { n: Number(text) }) }) : "";
  return code in speech.texts ? t(code, { n: text.replaceAll(" ", ", ") }) : "";
}

export class Grid {
  /** @param {HTMLElement} root @param {(place: number, digit?: string) => void} press */
  constructor(root, press) {
    this.root = root;
    /** @type {HTMLElement[]} */
    this.cells = [];
    /** @type {Board | null} */
    this.board = null;
    this.hole = new Uint8Array(0);
    this.now = 0;
    root.addEventListener("keydown", (event) => {
      const { key } = event;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (key === "Enter" || key === " ") press(this.now);
      else if (/^\d$/.test(key)) press(this.now, key);
      else if (this.cells.length && key in ARROWS) this.go(this.beside(...ARROWS[key]));
      else if (key === "Home" || key === "End") this.go(key === "Home" ? 0 : this.cells.length - 1);
      else return;
      event.preventDefault();
    });
    root.addEventListener("focusin", (event) => {
      const place = this.cells.indexOf(/** @type {HTMLElement} */ (event.target));
      if (place >= 0) this.go(place, false);
    });
  }

  /** Make the cells of a board. @param {Board} board */
  show(board) {
    const same = this.board !== null && this.board.names?.join() === board.names?.join();
    this.board = board;
    this.hole = holesOf(board);
    if (!same) this.build(board);
    this.root.setAttribute("aria-label", t("grid.board", { board: board.title }));
    this.tell({});
  }

  /** @param {Board} board */
  build(board) {
    this.cells = [];
    this.now = 0;
    const { names } = board;
    if (names === null || names.length > MOST) {
      const words = t("grid.large", { board: board.title, size: board.size });
      this.root.replaceChildren(make("div", { role: "row" }, make("div", { role: "gridcell", tabindex: 0, class: "whole" }, words)));
      return;
    }
    /** @type {Map<number, HTMLElement>} */
    const rows = new Map();
    names.forEach((name, place) => {
      const y = Math.round(board.y[place] * 10);
      let row = rows.get(y);
      if (row === undefined) rows.set(y, (row = make("div", { role: "row" })));
      const cell = make("div", { role: "gridcell", tabindex: -1, "data-cell": name });
      row.append(cell);
      this.cells.push(cell);
    });
    this.root.replaceChildren(...[...rows.keys()].sort((a, b) => a - b).map((y) => /** @type {Node} */ (rows.get(y))));
    if (this.cells[0]) this.cells[0].tabIndex = 0;
  }

  /** Lay the elements over the picture. @param {View} view */
  place(view) {
    this.cells.forEach((cell, place) => {
      const [x, y] = view.at(place);
      cell.style.left = `${x - view.cell / 2}px`;
      cell.style.top = `${y - view.cell / 2}px`;
      cell.style.width = cell.style.height = `${view.cell}px`;
      cell.classList.toggle("hole", this.hole[place] === 1);
    });
  }

  /** Say of each cell what a scene shows there; a scene may be of the board that comes next. @param {Scene} scene */
  tell({ cells = [], upto = cells.length, marks = [] }) {
    if (!this.cells.length) return;
    const question = this.board?.question;
    const words = this.cells.map(({ dataset: { cell: name } }, place) =>
      [name, this.hole[place] ? t("cell.removed") : "", name === question?.start ? t("cell.start") : name === question?.end ? t("cell.end") : ""]);
    for (let k = 0; k < Math.floor(Math.min(upto, cells.length)); k++) words[cells[k]]?.push(t("cell.step", { n: k + 1 }));
    for (const mark of marks) words[mark.cell]?.push(spoken(mark));
    this.cells.forEach((cell, place) => {
      const text = words[place].filter(Boolean).join(", ");
      if (cell.getAttribute("aria-label") !== text) cell.setAttribute("aria-label", text);
    });
  }

  /** @param {number} place @param {boolean} [focus] */
  go(place, focus = true) {
    if (place < 0 || !this.cells[place]) return;
    if (this.cells[this.now]) this.cells[this.now].tabIndex = -1;
    this.now = place;
    this.cells[place].tabIndex = 0;
    if (focus) this.cells[place].focus();
  }

  /**
   * The next cell in a direction; one that lies a little aside is farther than it looks.
   * @param {number} dx
   * @param {number} dy
   */
  beside(dx, dy) {
    const { board, now } = this;
    if (board === null) return -1;
    let [best, least] = [-1, Infinity];
    for (let place = 0; place < this.cells.length; place++) {
      const [x, y] = [board.x[place] - board.x[now], board.y[place] - board.y[now]];
      const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
      const far = along + 2.5 * aside;
      if (along > 1 && far < least) [best, least] = [place, far];
    }
    return best;
  }
}
