// A closer look at the board: by wheel, by two fingers, by buttons; and a small map of where one is.

import { byId } from "./dom.js";
import { Flat } from "./flat.js";
import { paintGround } from "./picture.js";

const STEP = 1.5; // of a button
const USUAL = 5; // times that any board can be enlarged
const READABLE = 80; // pixels to which every cell can be enlarged
const TINY = 18; // pixels of a cell below which the wheel enlarges without the control key
const MAP = 112; // pixels, but no more than so much of the frame:
const PART = 0.2;

export class Zoom {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.by = 1;
    this.next = 0; // the picture that is asked for
    this.map = byId("map", HTMLElement);
    this.size = MAP; // of the map
    /** What the map shows. @type {unknown[]} */
    this.shown = [];
    this.listen();
  }

  /**
   * Enlarge the board about a point of the screen, by default the middle of what one sees.
   * @param {number} factor
   * @param {number} [x]
   * @param {number} [y]
   */
  to(factor, x, y) {
    const { stage } = this;
    const { frame, box, view } = stage;
    if (view === null) return;
    const most = Math.max(USUAL, (READABLE * this.by) / view.cell);
    const by = Math.min(Math.max(this.by * factor, 1), most);
    if (by === this.by) return;
    const seen = frame.getBoundingClientRect();
    const [px, py] = [x ?? seen.left + frame.clientWidth / 2, y ?? seen.top + frame.clientHeight / 2];
    const before = box.getBoundingClientRect();
    const [right, down] = [(px - before.left) / before.width, (py - before.top) / before.height];
    this.by = by;
    stage.fit();
    const after = box.getBoundingClientRect();
    frame.scrollLeft += after.left + right * after.width - px;
    frame.scrollTop += after.top + down * after.height - py;
    this.soon();
  }

  /** Draw what one sees, once for all that moved it. */
  soon() {
    cancelAnimationFrame(this.next);
    this.next = requestAnimationFrame(() => this.stage.look());
  }

  /** Draw the map, and on it what one sees. */
  draw() {
    const { frame, box, board, view, style } = this.stage;
    this.map.hidden = this.by === 1 || !(view instanceof Flat);
    if (this.map.hidden || board === null) return;
    const [canvas] = this.map.getElementsByTagName("canvas");
    const [part] = this.map.getElementsByTagName("span");
    this.size = Math.min(MAP, Math.round(PART * frame.clientWidth));
    const scale = this.size / Math.max(board.width, board.height);
    const now = [board, style, scale];
    if (now.some((one, i) => one !== this.shown[i])) {
      this.shown = now;
      [canvas.width, canvas.height] = [board.width, board.height].map((side) => Math.round(side * scale));
      const ink = canvas.getContext("2d");
      if (ink) paintGround(ink, new Flat({ ...board, labels: [], names: null }, style, scale));
    }
    const small = this.size / Math.max(box.clientWidth, box.clientHeight);
    const edges = [frame.scrollLeft, frame.scrollTop, Math.min(frame.clientWidth, box.clientWidth), Math.min(frame.clientHeight, box.clientHeight)];
    ["left", "top", "width", "height"].forEach((edge, i) => part.style.setProperty(edge, `${edges[i] * small}px`));
  }

  listen() {
    const { stage, map } = this;
    const { frame, box } = stage;
    byId("zoom-in", HTMLButtonElement, () => this.to(STEP));
    byId("zoom-out", HTMLButtonElement, () => this.to(1 / STEP));
    frame.addEventListener("scroll", () => this.soon());
    frame.addEventListener("wheel", (event) => {
      const tiny = (stage.view?.cell ?? TINY) / this.by < TINY && !stage.inSpace;
      if (!event.ctrlKey && !event.metaKey && !tiny) return; // the page scrolls
      event.preventDefault();
      this.to(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), event.clientX, event.clientY);
    }, { passive: false });
    let apart = 0;
    const fingers = (/** @type {TouchEvent} */ event) => {
      const [a, b] = event.touches;
      return { far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
    };
    box.addEventListener("touchstart", (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      apart = fingers(event).far;
      stage.release();
    }, { passive: false });
    box.addEventListener("touchmove", (event) => {
      if (event.touches.length !== 2 || !apart) return;
      event.preventDefault();
      const { far, x, y } = fingers(event);
      this.to(far / apart, x, y);
      apart = far;
    }, { passive: false });
    const jump = (/** @type {PointerEvent} */ event) => {
      if (!(event.buttons & 1)) return;
      const there = map.getBoundingClientRect();
      const large = Math.max(box.clientWidth, box.clientHeight) / this.size;
      frame.scrollLeft = (event.clientX - there.left) * large - frame.clientWidth / 2;
      frame.scrollTop = (event.clientY - there.top) * large - frame.clientHeight / 2;
    };
    map.addEventListener("pointerdown", (event) => {
      map.setPointerCapture(event.pointerId);
      jump(event);
    });
    map.addEventListener("pointermove", jump);
  }
}
