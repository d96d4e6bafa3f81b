// Plays a tour: a number of visited cells that grows with time, and the buttons that change it.

import { byId, still } from "./dom.js";
import { home } from "./home.js";
import { speech, t } from "./texts.js";

const USUAL = 8; // seconds for a whole tour
const SLOWEST = 0.5; // steps a second
const FASTEST = 200_000;

export class Player {
  /** @param {(whole?: boolean) => void} drawn draws the walk as far as it is, and with a whole step all that tells it */
  constructor(drawn) {
    this.drawn = drawn;
    /** @type {Tour | null} */
    this.walk = null;
    this.at = 0;
    this.playing = false;
    this.style = { line: true, numbers: true, colours: false };
    this.speed = 8;
    this.last = 0;
    this.told = 0; // the step that the player shows
    this.row = byId("player", HTMLElement);
    this.scrub = byId("scrub", HTMLInputElement);
    this.pace = byId("pace", HTMLInputElement);
    this.toggle = byId("play", HTMLButtonElement, () => (this.playing ? this.pause() : this.play()));
    byId("back", HTMLButtonElement, () => this.go(Math.ceil(this.at) - 1));
    byId("forward", HTMLButtonElement, () => this.go(Math.floor(this.at) + 1));
    byId("first", HTMLButtonElement, () => this.go(1));
    byId("last", HTMLButtonElement, () => this.go(Infinity));
    this.scrub.addEventListener("input", () => this.go(this.scrub.valueAsNumber));
    this.pace.addEventListener("input", () => this.hurry(SLOWEST * (FASTEST / SLOWEST) ** (this.pace.valueAsNumber / 100)));
  }

  /** Show another walk, or none. @param {Tour | null} walk */
  show(walk) {
    if (walk === this.walk) return;
    this.walk = walk;
    this.playing = false;
    if (walk === null) return;
    const { cells: { length: n }, seconds = USUAL } = walk;
    this.scrub.max = String(n);
    this.hurry(Math.max(4, n / seconds));
    if (still()) this.go(Infinity);
    else {
      this.at = 1;
      this.play();
    }
  }

  /** @param {number} speed steps a second */
  hurry(speed) {
    this.speed = speed;
    this.pace.value = String((100 * Math.log(speed / SLOWEST)) / Math.log(FASTEST / SLOWEST));
    const words = speed < 10 ? speed.toFixed(1) : Math.round(speed).toLocaleString(speech.language);
    this.pace.setAttribute("aria-valuetext", t("player.speed", { speed: words }));
    byId("pace-words", HTMLElement).textContent = `${words}/s`;
  }

  /** Continue, from the first step if it has ended. */
  play() {
    if (this.walk === null || this.playing) return;
    if (this.at >= this.walk.cells.length) this.at = 1;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.label();
  }

  /** Stand still. */
  pause() {
    this.playing = false;
    this.label();
    this.drawn();
  }

  /** Jump to a step. @param {number} step */
  go(step) {
    if (this.walk === null) return;
    this.at = Math.min(Math.max(step, 1), this.walk.cells.length);
    this.pause();
  }

  /** @param {number} now */
  tick(now) {
    if (!this.playing || this.walk === null) return;
    const n = this.walk.cells.length;
    const whole = Math.floor(this.at) !== this.told; // a step is drawn in one frame and told in the next
    this.at += (Math.max(0, now - this.last) / 1000) * this.speed;
    this.last = now;
    if (this.at >= n) {
      this.at = n;
      this.pause();
      return;
    }
    if (whole) this.label();
    this.drawn(whole);
    requestAnimationFrame((next) => this.tick(next));
  }

  /** Show the step, and the state of the buttons; the first formatted number of a page is slow, so not before one sees it. */
  label() {
    const n = this.walk?.cells.length ?? 0;
    const whole = (this.told = Math.floor(this.at));
    if (this.row.hidden) return;
    if (home.root.activeElement !== this.scrub || this.playing) this.scrub.value = String(whole);
    this.scrub.setAttribute("aria-valuetext", t("player.step", { n: whole, size: n }));
    const icon = this.playing ? "pause" : "play";
    if (this.toggle.dataset.icon !== icon) this.toggle.dataset.icon = icon;
    const label = t(`player.${icon}`);
    if (this.toggle.getAttribute("aria-label") !== label) this.toggle.setAttribute("aria-label", label);
    byId("step-words", HTMLElement).textContent = `${whole.toLocaleString(speech.language)} / ${n.toLocaleString(speech.language)}`;
  }

  /** The walk as far as it is now. @returns {Scene} */
  scene() {
    if (this.walk === null) return {};
    const { cells, closed, bare } = this.walk;
    const upto = still() ? Math.floor(this.at) : this.at;
    return { cells, closed, upto, rides: this.at < cells.length, ...this.style, ...(bare ? { numbers: false } : {}) };
  }
}
