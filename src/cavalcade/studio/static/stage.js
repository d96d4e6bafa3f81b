// The board in the middle of the page: three canvases one above another, fingers and keys.

import { byId, isDark, make, night } from "./dom.js";
import { isOrdered } from "./clues.js";
import { Flat } from "./flat.js";
import { Grid } from "./grid.js";
import { home } from "./home.js";
import { Knight } from "./knight.js";
import { Line } from "./weave.js";
import { LOOKS } from "./look.js";
import { over, paintGround, picture, rulers } from "./picture.js";
import { paint, written } from "./shapes.js";
import { inSpace, Turned } from "./space.js";
import { Zoom } from "./zoom.js";

const LEAST = 120; // pixels
const DUST = 1.5; // pixels of a cell below which a move is only a point in the colour of its step
const PAGE = 18; // centimetres of the longer side of a printed board

export class Stage {
  constructor() {
    this.frame = byId("frame", HTMLElement);
    this.box = byId("board", HTMLElement);
    this.knight = new Knight();
    this.layers = ["ground", "top", "edge"].map((id) => byId(id, HTMLCanvasElement));
    /** @type {Board | null} */
    this.board = null;
    /** @type {Scene} */
    this.scene = {};
    /** @type {[number, number, string][]} */
    this.wishes = []; // moves to make or not, start and end: part of the question
    /** @type {Mark[]} */
    this.ends = [];
    this.inSpace = false;
    this.typing = false; // a click on the board leaves the focus where it is
    this.turn = { yaw: 0.5, pitch: 0.62, slide: 2 };
    this.drawn = 0; // cells of the path that are drawn
    /** The layers on which something is drawn. @type {Set<CanvasRenderingContext2D>} */
    this.used = new Set();
    /** @type {Line | null} */
    this.line = null;
    this.grid = new Grid(byId("grid", HTMLElement), (place, digit) => this.touch({ kind: digit ? "digit" : "key", from: place, to: place, digit }));
    /** @type {(touch: Press) => void} */
    this.touch = () => {};
    /** @type {View | null} */
    this.view = null;
    /** What the canvases show: the view and the window. @type {[View | null, number[]]} */
    this.seen = [null, []];
    /** End the touch that has begun. */
    this.release = () => {};
    this.listen();
    this.zoom = new Zoom(this);
    this.printed = make("div", { id: "printed", "aria-hidden": "true" });
    this.box.append(this.printed);
    addEventListener("beforeprint", () => this.print(), { signal: home.gone });
    this.room = ""; // for which the board was fitted
    new ResizeObserver(() => this.room === this.measured() || this.resize()).observe(this.frame);
    night.addEventListener("change", () => this.resize(), { signal: home.gone });
    new MutationObserver(() => this.resize()).observe(home.top, { attributeFilter: ["data-theme"] });
  }

  /** The colours of the page, light or dark. */
  get style() {
    return isDark() ? LOOKS.dark : LOOKS.colour;
  }

  /** Show another board. @param {Board} board */
  show(board) {
    if (this.board?.x.length !== board.x.length) this.zoom.by = 1;
    this.board = board;
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
      if (cell !== undefined && !isOrdered(question)) this.ends.push({ cell, kind, text: "" });
    }
    if (!board.space) this.inSpace = false;
    this.knight.accept();
    this.grid.show(board);
    this.resize();
  }

  /** Show another scene; what is left out of it is as if there were none. @param {Scene} scene */
  play(scene) {
    const equal = (/** @type {(keyof Scene)[]} */ ...parts) => parts.every((part) => scene[part] === this.scene[part]);
    const moves = !equal("drift");
    const goesOn = !moves && equal("cells", "closed", "colours", "line", "numbers");
    const unmarked = equal("marks", "lines");
    this.scene = scene;
    this.draw(goesOn, moves, goesOn && unmarked);
  }

  /** Fit the board into its frame, and draw it. */
  resize() {
    this.fit();
    this.look();
  }

  /** The size of the frame. */
  measured() {
    return `${this.frame.clientWidth} ${home.high()}`;
  }

  /** Fit the board into its frame. */
  fit() {
    const { board } = this;
    if (board === null) return;
    this.room = this.measured();
    const room = this.frame.clientWidth;
    if (!room) { // hidden, as cells of a notebook may be; it will be heard when they are not
      this.view = null;
      return;
    }
    const high = Math.max(LEAST, home.high());
    const { by } = this.zoom;
    const scale = Math.min((room * by) / board.width, (high * by) / board.height);
    this.view = this.inSpace ? new Turned(board, this.style, this.turn, room * by, Math.min(room, high) * by) : new Flat(board, this.style, scale, true);
    const [width, height] = this.view.size;
    this.box.classList.toggle("turns", this.inSpace);
    this.box.classList.toggle("zoomed", by > 1);
    this.frame.style.height = by > 1 ? `${height / by}px` : "";
    this.box.style.width = `${width}px`;
    this.box.style.height = `${height}px`;
    this.box.style.setProperty("--ratio", String(width / height));
    this.grid.place(this.view);
  }

  /** Draw what one sees of the board: all of it, unless it is enlarged. */
  look() {
    const { board, frame, view } = this;
    if (board === null || view === null) return;
    const enlarged = this.zoom.by > 1;
    const [left, top] = enlarged ? [Math.max(0, frame.scrollLeft), Math.max(0, frame.scrollTop)] : [0, 0];
    const [whole, high] = view.size;
    const width = enlarged ? Math.min(frame.clientWidth, whole) : whole;
    const height = enlarged ? Math.min(frame.clientHeight, high) : high;
    this.zoom.draw();
    if (view instanceof Flat) view.window = enlarged ? Float64Array.of(left, top, left + width, top + height) : null;
    const dense = Math.min(devicePixelRatio || 1, 2, 4096 / Math.max(width, height));
    const strips = this.shifted([left, top, width, height], dense);
    for (const layer of this.layers) {
      const size = [width, height].map((side) => Math.round(side * dense));
      if (layer.width !== size[0] || layer.height !== size[1]) [layer.width, layer.height] = size; // otherwise it keeps its picture
      layer.getContext("2d")?.setTransform(dense, 0, 0, dense, -left * dense, -top * dense);
      for (const [edge, value] of Object.entries({ left, top, width, height })) layer.style.setProperty(edge, enlarged ? `${value}px` : "");
    }
    this.draw(false, true, strips !== null, strips);
  }

  /**
   * Shift what lies still on the canvases by what one has scrolled.
   * @param {number[]} window left, top, width and height
   * @param {number} dense
   * @returns {Float64Array[] | null} what then is to be drawn; null is all
   */
  shifted(window, dense) {
    const { view, seen: [before, from] } = this;
    this.seen = [view, window];
    const [left, top, width, height] = window;
    const [right, down] = [left - from[0], top - from[1]];
    const same = view instanceof Flat && view === before && width === from[2] && height === from[3];
    if (!same || ![right, down].every((by) => Number.isInteger(by * dense)) || Math.abs(right) >= width || Math.abs(down) >= height) return null;
    for (const ink of this.used) {
      if (ink.canvas.id === "edge") continue;
      ink.resetTransform();
      ink.globalCompositeOperation = "copy";
      ink.drawImage(ink.canvas, -right * dense, -down * dense);
      ink.globalCompositeOperation = "source-over";
    }
    const [end, bottom] = [left + width, top + height];
    const [west, east] = [Math.max(left, left - right), Math.min(end, end - right)]; // of what stays
    const strips = [
      Float64Array.of(right > 0 ? east : left, top, right > 0 ? end : west, bottom),
      Float64Array.of(west, down > 0 ? bottom - down : top, east, down > 0 ? bottom : top - down),
    ];
    return strips.filter((_, i) => [right, down][i]);
  }

  /**
   * Draw the ground with the path, or only the moves that are added; above them signs and steps, but in a window onto a
   * whole path all is one layer, which is shifted faster.
   * @param {boolean} goesOn whether the path is the same and may be longer
   * @param {boolean} [anew] whether the ground is drawn, too
   * @param {boolean} [same] whether all but the number of its cells is as before
   * @param {Float64Array[] | null} [strips] parts of the window that are drawn; null is all
   */
  draw(goesOn, anew = false, same = false, strips = null) {
    const { view, scene } = this;
    if (view === null) return;
    const upto = this.upto;
    if (view instanceof Flat) view.drift = scene.drift ?? null;
    const stuck = this.line?.stuck;
    if (!same || !this.line) this.line = new Line(view, scene);
    const { line } = this;
    const ended = upto >= line.cells.length;
    const bare = !line.cells.length;
    const beyond = !same || strips !== null || Math.floor(upto) !== this.drawn;
    const merged = !bare && view instanceof Flat && view.window !== null && ended;
    const all = anew || !goesOn || upto < this.drawn || (line.stuck !== stuck && !bare) || (beyond && (merged || view instanceof Turned));
    if (!all && !beyond) return this.knight.ride(scene, line, upto);
    const [base, top, edge] = this.layers.map((layer) => layer.getContext("2d"));
    if (!base || !top || !edge) return;
    const adds = !all && same && line.fine && this.drawn > 1 && !scene.marks?.length; // the arrow lies below the first step
    if (all && !strips) this.clear(base);
    if (beyond && !adds && !strips) this.clear(top);
    const above = () => (adds ? line.over(upto, this.drawn) : [...(bare ? line.unvisited() : []), ...over(line, upto, this)]);
    if (view instanceof Turned) {
      if (all) this.put(base, inSpace(view, line, upto));
      if (beyond) this.put(top, above());
    } else {
      const from = all ? 0 : this.drawn;
      const { window } = view;
      for (const part of strips ?? [window]) {
        for (const ink of [base, top]) {
          ink.save();
          if (!strips || !part) continue;
          const clip = new Path2D();
          clip.rect(part[0], part[1], part[2] - part[0], part[3] - part[1]);
          ink.clip(clip);
        }
        view.window = part;
        const moves = view.cell < DUST || !(all || upto > from) ? [] : line.moves(from - 1, ended ? Infinity : Math.floor(upto) - 1);
        const pixels = all && paintGround(base, view, moves);
        if (all) this.used.add(base);
        if (all && !bare) this.put(base, line.unvisited());
        if (view.cell < DUST) this.dust(base, line, from, upto);
        else if (!pixels) this.put(base, moves);
        if (beyond) this.put(merged ? base : top, above());
        for (const ink of [base, top]) ink.restore();
      }
      view.window = window;
    }
    if (anew) {
      this.clear(edge);
      if (view instanceof Flat) this.put(edge, rulers(view));
    }
    for (const ink of [base, top, edge]) ink.canvas.hidden = !this.used.has(ink); // a shown canvas costs time in each frame
    this.drawn = Math.floor(upto);
    this.knight.ride(scene, line, upto);
  }

  /** Draw shapes on a layer. @param {CanvasRenderingContext2D} ink @param {Shape[]} shapes */
  put(ink, shapes) {
    if (shapes.length) this.used.add(ink);
    paint(ink, shapes);
  }

  /** How many cells of the path are shown. */
  get upto() {
    return this.scene.upto ?? this.scene.cells?.length ?? 0;
  }

  /**
   * A path as points in the colours of its steps.
   * @param {CanvasRenderingContext2D} ink
   * @param {Line} line
   * @param {number} from
   * @param {number} upto
   */
  dust(ink, line, from, upto) {
    this.used.add(ink);
    for (const k of line.steps(1)) {
      if (k < from || k >= Math.floor(upto) || !line.view.visible(line.cells[k])) continue;
      const [x, y] = line.view.at(line.cells[k]);
      ink.fillStyle = line.ink(k);
      ink.fillRect(x - 0.5, y - 0.5, 1, 1);
    }
  }

  /** What is on the screen, as SVG; a tour that is being played, all of it. @param {Look} [style] */
  svg(style = this.style) {
    const { board, view } = this;
    if (board === null || view === null) return "";
    const moving = !Number.isInteger(this.upto) || this.upto === 1;
    const scene = { ...this.scene, upto: moving ? undefined : this.upto };
    const whole = view instanceof Flat ? new Flat(board, style, 1) : new Turned(board, style, this.turn, view.size[0], view.size[1]);
    return written(picture(whole, scene, this), [0, 0, ...whole.size], style.paper, view.scale);
  }

  /** Put the board on paper. */
  print() {
    this.printed.innerHTML = this.svg(LOOKS.colour);
    const [svg] = this.printed.getElementsByTagName("svg");
    const [wide, high] = [svg.width.baseVal.value, svg.height.baseVal.value];
    svg.setAttribute("width", `${(PAGE * wide) / Math.max(wide, high)}cm`);
    svg.setAttribute("height", `${(PAGE * high) / Math.max(wide, high)}cm`);
  }

  /** Clear a layer, if something is drawn on it. @param {CanvasRenderingContext2D} ink */
  clear(ink) {
    if (!this.used.delete(ink)) return;
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

  /** Turn a board in space. @param {number} yaw @param {number} pitch */
  rotate(yaw, pitch) {
    this.turn.yaw += yaw;
    this.turn.pitch = Math.min(Math.max(this.turn.pitch + pitch, -1.5), 1.5);
    this.resize();
  }
}
