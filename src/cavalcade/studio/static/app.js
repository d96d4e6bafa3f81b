// What all parts of the page share: the question, the board on the screen, the last answer, and who works.

import { ask, wrong } from "./api.js";
import { byId, say, sure } from "./dom.js";
import { Player } from "./player.js";
import { Stage } from "./stage.js";
import { State } from "./state.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").News} News */

/**
 * One part of the page. All but the first two may be missing.
 * @typedef {object} Part
 * @property {string} id
 * @property {string} title
 * @property {(root: HTMLElement) => void} build
 * @property {() => void} [enter] it is shown now
 * @property {() => void} [leave]
 * @property {() => void} [changed] there is another board
 * @property {() => void} [answered] there is another answer
 * @property {() => Scene} [scene] what it shows on the board; by default the tour
 * @property {() => Map<number, string>} [words] what a screen reader says of cells
 * @property {(touch: import("./stage.js").Touch) => void} [touch]
 * @property {boolean} [types] it hears digits that are typed on a cell
 * @property {boolean} [drags] a finger on the board draws; elsewhere it moves the page
 */

export class App {
  /** @param {import("./types.js").Choices} choices */
  constructor(choices) {
    this.choices = choices;
    this.state = new State();
    this.stage = new Stage();
    this.player = new Player(() => this.refresh());
    /** The last answer about tours. @type {Answer | null} */
    this.answer = null;
    /** @type {Part[]} */
    this.parts = [];
    /** @type {Part | null} */
    this.part = null;
    /** @type {AbortController | null} */
    this.working = null;
    this.stage.touch = (touch) => {
      if (touch.kind !== "digit" || this.part?.types) this.part?.touch?.(touch);
    };
    byId("stop", HTMLButtonElement).addEventListener("click", () => this.stop());
    this.state.sure = (text) => sure(text, "Remove the cell", "Keep my walk");
    /** How a question of the address is asked again. @type {Map<string, () => void>} */
    this.again = new Map();
    this.state.addEventListener("board", () => this.changed());
    this.state.addEventListener("tour", () => this.player.show(this.state.tour));
    this.state.addEventListener("refused", () => this.tell(this.state.refused, "wrong"));
  }

  /** There is another board: what was answered about the old one goes. */
  changed() {
    const { board } = this.state;
    if (board === null) return;
    this.stop();
    this.answer = null;
    const { tour, then, part } = this.state;
    this.player.show(tour);
    if (tour) this.player.go(Infinity);
    this.stage.show(board);
    const about = `${board.title}: ${board.size.toLocaleString("en")} cells, ${board.moves.toLocaleString("en")} moves.`;
    const dropped = board.dropped.map((why) => `Left out: ${why}.`);
    this.tell([about, ...dropped, ...board.left_out].join(" "));
    for (const one of this.parts) one.changed?.();
    this.open(part);
    this.refresh();
    this.again.get(then)?.();
  }

  /** Draw what the part that is shown has to show. */
  refresh() {
    this.stage.play(this.part?.scene?.() ?? this.player.scene());
    if (!this.player.playing) this.stage.grid.tell(this.part?.words?.() ?? this.player.words(), this.stage.hole);
  }

  /**
   * The words under the board.
   * @param {string} text
   * @param {"" | "found" | "impossible" | "undecided" | "counted" | "wrong" | "right"} [kind]
   */
  tell(text, kind = "") {
    const place = byId("verdict", HTMLElement);
    place.textContent = text;
    place.dataset.kind = kind;
  }

  /**
   * Ask something that may take long; one thing at a time. Null if it was stopped or refused.
   * @param {Record<string, unknown>} words
   * @param {string} doing
   * @returns {Promise<Answer | null>}
   */
  async work(words, doing) {
    this.stop();
    const mine = (this.working = new AbortController());
    const began = performance.now();
    const bar = byId("working", HTMLElement);
    const progress = byId("progress", HTMLProgressElement);
    const text = byId("doing", HTMLElement);
    progress.removeAttribute("value");
    text.textContent = doing;
    const shown = setTimeout(() => (bar.hidden = false), 150);
    const news = (/** @type {News} */ one) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (one.done !== undefined) progress.value = one.done;
      if (one.message !== undefined) text.dataset.news = one.message;
      text.textContent = [doing, text.dataset.news, `${seconds} s`].filter(Boolean).join(" · ");
    };
    try {
      return await ask({ question: this.state.question, ...words }, { signal: mine.signal, news });
    } catch (error) {
      const why = wrong(error);
      this.tell(why || "Stopped.", "wrong");
      return null;
    } finally {
      clearTimeout(shown);
      delete text.dataset.news;
      if (this.working === mine) {
        this.working = null;
        bar.hidden = true;
      }
    }
  }

  /** End what is being worked on. */
  stop() {
    this.working?.abort();
    this.working = null;
    byId("working", HTMLElement).hidden = true;
  }

  /**
   * There is an answer about tours.
   * @param {Answer} answer
   * @param {string} [then] what is asked again when the page is loaded
   */
  show(answer, then = "") {
    this.answer = answer;
    this.tell(answer.message, /** @type {any} */ (answer.status));
    this.state.found(answer.cells ? { cells: answer.cells, closed: answer.closed ?? false, equals: answer.equals } : null, then);
    for (const part of this.parts) part.answered?.();
    this.refresh();
    say(answer.message);
  }

  /**
   * Show a part of the page.
   * @param {string} id
   */
  open(id) {
    const next = this.parts.find((part) => part.id === id) ?? this.parts[0];
    if (next === this.part) return;
    this.part?.leave?.();
    this.part = next;
    for (const part of this.parts) {
      const tab = byId(`tab-${part.id}`, HTMLElement);
      tab.setAttribute("aria-selected", String(part === next));
      tab.tabIndex = part === next ? 0 : -1;
      byId(`part-${part.id}`, HTMLElement).hidden = part !== next;
    }
    byId("try", HTMLButtonElement).setAttribute("aria-pressed", String(id === "walk"));
    this.stage.box.classList.toggle("drawn", next.drags ?? false);
    next.enter?.();
    this.state.open(next.id);
    this.refresh();
  }
}
