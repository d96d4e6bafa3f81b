// The board in the middle of the page: three canvases one above another, fingers and keys.

import { byId } from "./dom.js";
import { Flat } from "./flat.js";
import { Grid } from "./grid.js";
import { home } from "./home.js";
import { Knight } from "./knight.js";
import { ground, inks, lines, marks, path, rulers, visited } from "./paint.js";
import { solid, Turned } from "./space.js";
import { Ink } from "./svg.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Scene} Scene */

const FINE = 2_500; // cells up to which everything is drawn anew for each picture
const LEAST = 120; // pixels

/**
 * What a finger or a key did: the cell where it began, and where it ended or is now.
 * @typedef {{kind: "press" | "over" | "drop" | "key" | "digit", from: number, to: number, digit?: string}} Touch
 */

export class Stage {
  constructor() {
    this.frame = byId("frame", HTMLElement);
    this.box = byId("board", HTMLElement);
    this.knight = new Knight();
    this.layers = ["ground", "path", "top"].map((id) => byId(id, HTMLCanvasElement));
    /** @type {Board | null} */
    this.board = null;
    /** @type {Scene} */
    this.scene = {};
    /** @type {[number, number, string][]} */
    this.wishes = []; // moves to make or not, start and end: part of the question
    /** @type {import("./types.js").Mark[]} */
    this.ends = [];
    this.hole = new Uint8Array(0);
    this.inSpace = false;
    this.typing = false; // a click on the board leaves the focus where it is
    this.turn = { yaw: 0.5, pitch: 0.62, slide: 2 };
    this.drawn = 0; // cells of the path that are on its layer
    this.grid = new Grid(byId("grid", HTMLElement), (place, digit) => this.touch({ kind: digit ? "digit" : "key", from: place, to: place, digit }));
    /** @type {(touch: Touch) => void} */
    this.touch = () => {};
    /** @type {Flat | Turned | null} */
    this.view = null;
    this.colours = inks();
    /** End the touch that has begun. */
    this.release = () => {};
    this.listen();
    this.zoom = new Zoom(this);
    new ResizeObserver(() => this.resize()).observe(this.frame);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour(), { signal: home.gone });
    new MutationObserver(() => this.recolour()).observe(home.top, { attributeFilter: ["data-theme"] });
  }

  /** The colours have changed. */
  recolour() {
    this.colours = inks();
    this.resize();
  }

  /**
   * Show another board.
   * @param {Board} board
   */
  show(board) {
    if (this.board?.x.length !== board.x.length) this.zoom.whole();
    this.board = board;
    this.hole = new Uint8Array(board.x.length);
    for (const place of board.holes) this.hole[place] = 1;
    const number = new Map((board.names ?? []).map((name, place) => [name, place]));
    const move = (/** @type {string} */ text, /** @type {string} */ kind) => {
      const [a, b] = text.split("-").map((name) => number.get(name) ?? -1);
      return /** @type {[number, number, string]} */ ([a, b, kind]);
    };
    const { question } = board;
    this.wishes = [...question.with.map((text) => move(text, "with")), ...question.avoid.map((text) => move(text, "avoid"))];
    this.wishes = this.wishes.filter(([a, b]) => a >= 0 && b >= 0);
    this.ends = [];
    for (const kind of /** @type {const} */ (["start", "end"])) {
      const cell = number.get(question[kind]);
      if (cell !== undefined) this.ends.push({ cell, kind, text: "" });
    }
    if (!board.space) this.inSpace = false;
    this.knight.accept();
    this.grid.show(board, this.hole);
    this.resize();
  }

  /**
   * Show another scene; what is left out of it is as if there were none.
   * @param {Scene} scene
   */
  play(scene) {
    const goesOn = scene.cells === this.scene.cells && scene.colours === this.scene.colours && scene.line === this.scene.line;
    const moves = scene.drift !== this.scene.drift;
    this.scene = scene;
    this.draw(goesOn && !moves, moves);
  }

  /** Fit the board into its frame, and draw it. */
  resize() {
    this.fit();
    this.look();
  }

  /** Fit the board into its frame. */
  fit() {
    const { board } = this;
    if (board === null) return;
    const room = this.frame.clientWidth;
    if (!room) { // hidden, as cells of a notebook may be; it will be heard when they are not
      this.view = null;
      return;
    }
    const high = Math.max(LEAST, home.high());
    const { by } = this.zoom;
    let width = room * by;
    let height = high * by;
    if (this.inSpace && board.space) {
      height = Math.min(height, width);
      this.view = new Turned(board, board.space, this.turn, width, height);
    } else {
      const scale = Math.min(width / board.width, height / board.height);
      [width, height] = [board.width * scale, board.height * scale];
      this.view = new Flat(board, scale);
    }
    this.box.classList.toggle("turns", this.inSpace);
    this.box.classList.toggle("zoomed", by > 1);
    this.frame.style.height = by > 1 ? `${height / by}px` : "";
    this.box.style.width = `${width}px`;
    this.box.style.height = `${height}px`;
    this.box.style.setProperty("--ratio", String(width / height));
    this.grid.place(this.view, this.hole);
  }

  /** Draw what one sees of the board: all of it, unless it is enlarged. */
  look() {
    const { board, box, frame, view } = this;
    if (board === null || view === null) return;
    const enlarged = this.zoom.by > 1;
    const [left, top] = enlarged ? [Math.max(0, frame.scrollLeft), Math.max(0, frame.scrollTop)] : [0, 0];
    const [whole, high] = [Number.parseFloat(box.style.width), Number.parseFloat(box.style.height)];
    const width = enlarged ? Math.min(frame.clientWidth, whole) : whole;
    const height = enlarged ? Math.min(frame.clientHeight, high) : high;
    if (view instanceof Flat) view.window = enlarged ? [left, top, left + width, top + height] : null;
    const dense = Math.min(devicePixelRatio || 1, 2, 4096 / Math.max(width, height));
    for (const layer of this.layers) {
      layer.width = Math.round(width * dense);
      layer.height = Math.round(height * dense);
      layer.getContext("2d")?.setTransform(dense, 0, 0, dense, -left * dense, -top * dense);
      for (const [edge, value] of Object.entries({ left, top, width, height })) layer.style.setProperty(edge, enlarged ? `${value}px` : "");
    }
    this.draw(false, true);
    this.zoom.draw();
  }

  /**
   * @param {boolean} goesOn whether the path is the same and may be longer
   * @param {boolean} [anew] whether the ground is drawn, too
   */
  draw(goesOn, anew = false) {
    const { board, view, colours, scene } = this;
    if (board === null || view === null) return;
    const [base, way, top] = this.layers.map((layer) => layer.getContext("2d"));
    if (base === null || way === null || top === null) return;
    const upto = scene.upto ?? scene.cells?.length ?? 0;
    if (view instanceof Flat) view.drift = scene.drift ?? null;
    const fine = board.x.length <= FINE;
    if (anew) {
      this.clear(base);
      this.under(base);
    }
    if (fine || view instanceof Turned || board.level || !goesOn || upto < this.drawn) {
      this.clear(way);
      this.path(way);
    } else path(way, scene, view, colours, this.drawn, Math.floor(upto));
    this.drawn = Math.floor(upto);
    this.clear(top);
    this.over(top, fine || (scene.cells?.length ?? 0) === upto);
    this.knight.ride(scene, view, upto);
  }

  /** The board itself. @param {CanvasRenderingContext2D} ink */
  under(ink) {
    const { board, view, scene, colours, hole } = this;
    if (board === null || view === null) return;
    if (!(view instanceof Turned)) return ground(ink, board, view, colours, hole, view.scale);
    const clear = !view.solid;
    if (!clear) path(ink, scene, view, colours, 0, scene.upto ?? scene.cells?.length ?? 0);
    solid(ink, board, view, colours, hole, clear);
  }

  /** The path on it. @param {CanvasRenderingContext2D} ink */
  path(ink) {
    const { board, view, scene, colours } = this;
    if (board === null || view === null) return;
    const upto = scene.upto ?? scene.cells?.length ?? 0;
    const { level } = board;
    if (level) {
      const across = (/** @type {number} */ a, /** @type {number} */ b) => level[a] !== level[b];
      path(ink, scene, view, { ...colours, path: colours.across }, 0, upto, across, 0.5);
      path(ink, scene, view, colours, 0, upto, (a, b) => !across(a, b));
    } else path(ink, scene, view, colours, 0, upto, view instanceof Turned && view.solid ? (a, b) => view.visible(a) && view.visible(b) : undefined);
  }

  /**
   * Lines, numbers and signs above it.
   * @param {CanvasRenderingContext2D} ink
   * @param {boolean} numbers
   */
  over(ink, numbers) {
    const { board, view, scene, colours } = this;
    if (board === null || view === null) return;
    lines(ink, [...(scene.lines ?? []), ...this.wishes], view, colours);
    marks(ink, this.ends, view, colours);
    if (numbers) visited(ink, scene, view, colours);
    marks(ink, scene.marks ?? [], view, colours);
    if (view instanceof Flat) rulers(ink, board, view, colours);
  }

  /** What is on the screen, as SVG. */
  svg() {
    const [width, height] = [this.box.clientWidth, this.box.clientHeight];
    const ink = new Ink(width, height);
    ink.fillStyle = this.colours.paper;
    ink.fillRect(0, 0, width, height);
    const canvas = /** @type {any} */ (ink);
    if (this.view instanceof Flat) this.view.window = null; // all of it
    this.under(canvas);
    this.path(canvas);
    this.over(canvas, true);
    this.look();
    return ink.text();
  }

  /** Shake a cell, and say why it cannot be entered. @param {number} place @param {string} why */
  refuse(place, why) {
    if (this.view) this.knight.refuse(this.view, place, why);
  }

  /** @param {CanvasRenderingContext2D} ink */
  clear(ink) {
    ink.save();
    ink.resetTransform();
    ink.clearRect(0, 0, ink.canvas.width, ink.canvas.height);
    ink.restore();
  }

  /** Hear fingers and mice. */
  listen() {
    let from = -1;
    let over = -1;
    let waiting = false; // for what a finger will do: a second one enlarges, and it may scroll
    /** @type {[number, number] | null} */
    let turning = null;
    const hit = (/** @type {PointerEvent} */ event) => {
      const box = this.box.getBoundingClientRect();
      return this.view?.hit(event.clientX - box.left, event.clientY - box.top) ?? -1;
    };
    const press = () => {
      waiting = false;
      this.touch({ kind: "press", from, to: from });
    };
    this.release = () => {
      turning = null;
      from = -1;
      waiting = false;
      this.touch({ kind: "drop", from: -1, to: -1 });
    };
    this.box.addEventListener("mousedown", (event) => {
      if (this.typing) event.preventDefault();
    });
    this.box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !event.isPrimary) return;
      if (this.inSpace) turning = [event.clientX, event.clientY];
      from = over = hit(event);
      this.box.setPointerCapture(event.pointerId);
      waiting = from >= 0;
      if (waiting && !this.inSpace && event.pointerType !== "touch") press();
    });
    this.box.addEventListener("pointermove", (event) => {
      if (turning && (event.buttons & 1)) {
        const [x, y] = turning;
        if (Math.hypot(event.clientX - x, event.clientY - y) < 4) return;
        from = -1;
        turning = [event.clientX, event.clientY];
        this.rotate(0.009 * (event.clientX - x), 0.009 * (event.clientY - y));
        return;
      }
      if (from < 0 || !(event.buttons & 1)) return;
      const to = hit(event);
      if (to === over) return;
      over = to;
      if (waiting) press();
      this.touch({ kind: "over", from, to });
    });
    this.box.addEventListener("pointerup", (event) => {
      turning = null;
      if (from < 0) return;
      if (waiting) press();
      this.touch({ kind: "drop", from, to: hit(event) });
      from = -1;
    });
    this.box.addEventListener("pointercancel", () => this.release());
  }

  /**
   * Turn a board in space.
   * @param {number} yaw
   * @param {number} pitch
   */
  rotate(yaw, pitch) {
    this.turn.yaw += yaw;
    this.turn.pitch = Math.min(Math.max(this.turn.pitch + pitch, -1.5), 1.5);
    this.resize();
  }
}
