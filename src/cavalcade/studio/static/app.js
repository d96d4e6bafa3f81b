// What all parts of the page share: the question, the board on the screen, the last answer, and who works.

import { ask, Refused, wrong } from "./api.js";
import { byId, say } from "./dom.js";
import { kept } from "./memory.js";
import { Player } from "./player.js";
import { Stage } from "./stage.js";
import { State } from "./state.js";
import { speech, t } from "./texts.js";

/** The mode of each part; all others watch a tour. @type {Record<string, Mode>} */
const MODES = { board: "edit", walk: "walk", why: "proof", learn: "learn" };

const LATE = 150; // milliseconds after which one sees that something is being worked on

export class App {
  constructor() {
    this.choices = /** @type {Choices} */ ({});
    this.state = new State();
    this.stage = new Stage();
    this.player = new Player((whole = true) => (whole ? this.refresh() : this.frame()));
    /** The last message, and what it is about. @type {{answer: {message: string}, kind: Kind, about: unknown[]} | null} */
    this.said = null;
    /** The last answer about tours, and what it is about. @type {{answer: Answer, about: unknown[]} | null} */
    this.last = null;
    /** @type {Part[]} */
    this.parts = [];
    /** @type {Part | null} */
    this.part = null;
    /** @type {AbortController | null} */
    this.working = null;
    /** The work that was asked for last. @type {object} */
    this.wanted = {};
    /** The tour that draws itself at first. @type {Tour | null} */
    this.demo = null;
    /** Draw what is around the board. */
    this.around = () => {};
    this.stage.touch = (touch) => {
      if (touch.kind !== "digit" || this.part?.types) this.part?.touch?.(touch);
    };
    byId("stop", HTMLButtonElement, () => {
      this.state.loading?.abort();
      this.stop();
    });
    /** How a question of the address is asked again. @type {Map<string, () => void>} */
    this.again = new Map();
    this.state.addEventListener("board", () => this.changed());
    this.state.addEventListener("tour", () => this.player.show(this.tour));
    this.state.addEventListener("refused", () => this.refresh());
    this.state.addEventListener("loading", () => {
      if (!this.working) this.busy(this.state.loading ? t("doing.board") : "");
    });
  }

  /** What the page does: one thing at a time, and which follows from the part that is shown. @returns {Mode} */
  get mode() {
    return MODES[this.part?.id ?? ""] ?? "watch";
  }

  /** The tour that is played: the one on the board or, until something is done, the one of the first seconds. */
  get tour() {
    const { tour, past, future } = this.state;
    const idle = !past.length && !future.length && (this.part?.id ?? "ask") === "ask";
    return tour ?? (idle ? this.demo : null);
  }

  /** What a message is about. When it is about something else than this, it is not shown. */
  get subject() {
    const { board, walk, tour } = this.state;
    return [board, this.mode, this.mode === "walk" ? walk : tour];
  }

  /** The last answer, if it is about the board and the tour that are shown. */
  get answer() {
    const { board, tour } = this.state;
    return this.last?.about[0] === board && this.last.about[1] === tour ? this.last.answer : null;
  }

  set answer(answer) {
    const { board, tour } = this.state;
    this.last = answer && { answer, about: [board, tour] };
  }

  /** There is another board: what was answered about the old one goes. */
  changed() {
    const { board, tour, then, part } = this.state;
    if (board === null) return;
    this.stop();
    this.player.show(this.tour);
    if (tour) this.player.go(Infinity);
    this.stage.show(board);
    for (const one of this.parts) one.changed?.();
    this.open(part);
    this.refresh();
    this.again.get(then)?.();
  }

  /** Draw the board as the part that is shown wants it. */
  frame() {
    this.stage.play(this.part?.scene?.() ?? this.player.scene());
  }

  /** Draw the board and everything around it. */
  refresh() {
    this.player.show(this.tour);
    this.frame();
    if (!this.part) return; // the page is not there yet
    if (!this.player.playing) this.stage.grid.tell(this.stage.scene);
    const [text, kind] = this.status();
    const place = byId("verdict", HTMLElement);
    if (place.textContent !== text) place.textContent = text;
    place.dataset.kind = kind;
    this.around();
  }

  /** What the line under the board says: it follows from what is shown. @returns {[string, Kind]} */
  status() {
    const { state, said, answer } = this;
    if (state.refused) return [state.refused, "wrong"];
    const { subject } = this;
    if (said?.about.every((one, i) => one === subject[i])) return [said.answer.message, said.kind];
    const own = this.part?.status?.();
    if (own) return own;
    if (answer) return [answer.message, /** @type {Kind} */ (answer.status)];
    const { board } = state;
    if (board === null) return ["", ""];
    const about = t("board.about", { board: board.title, size: board.size, moves: board.moves });
    return [[about, ...board.dropped.map((why) => t("board.dropped", { why })), ...board.left_out].join(" "), ""];
  }

  /**
   * Say something under the board, for as long as what it is about is shown.
   * @param {string | {message: string}} words a text, or an answer, whose message follows the audience
   * @param {Kind} [kind]
   */
  tell(words, kind = "") {
    this.said = { answer: typeof words === "string" ? { message: words } : words, kind, about: this.subject };
    this.refresh();
  }

  /**
   * Ask something that may take long; one thing at a time. It waits for changes of the board that came before, and
   * is about the board that is shown then. Null if it was stopped or refused, or is about another board when it comes.
   * @param {Record<string, unknown>} words
   * @param {string} doing
   * @returns {Promise<Answer | null>}
   */
  async work(words, doing) {
    const mine = (this.wanted = {});
    this.stop();
    await this.state.last;
    if (this.wanted !== mine) return null;
    const working = (this.working = new AbortController());
    const began = performance.now();
    const shown = setTimeout(() => this.busy(doing), LATE);
    let last = "";
    const news = (/** @type {News} */ { done, message = last }) => {
      last = message;
      if (performance.now() - began > LATE) this.busy([doing, last, `${((performance.now() - began) / 1000).toFixed(1)} s`].filter(Boolean).join(" · "), done);
    };
    const { board, question } = this.state;
    try {
      const answer = await ask({ question, ...words }, { signal: working.signal, news });
      return this.state.board === board ? answer : null;
    } catch (error) {
      const why = wrong(error);
      if (this.state.board === board) this.tell(error instanceof Refused ? error : why || t("stopped"), "wrong");
      return null;
    } finally {
      clearTimeout(shown);
      if (this.working === working) this.stop();
    }
  }

  /** End what is being worked on. */
  stop() {
    this.working?.abort();
    this.working = null;
    this.busy("");
  }

  /** Show what is being worked on, or nothing. @param {string} doing @param {number} [done] how much of it, from 0 to 1 */
  busy(doing, done) {
    const progress = byId("progress", HTMLProgressElement);
    byId("working", HTMLElement).hidden = !doing;
    byId("doing", HTMLElement).textContent = doing;
    if (done !== undefined) progress.value = done;
    else if (!doing) progress.removeAttribute("value");
  }

  /**
   * There is an answer about tours.
   * @param {Answer} answer
   * @param {string} [then] what is asked again when the page is loaded
   */
  show(answer, then = "") {
    this.state.found(answer.cells ? { cells: answer.cells, closed: answer.closed ?? false, equals: answer.equals } : null, then);
    this.answer = answer;
    for (const part of this.parts) part.answered?.();
    this.tell(answer, /** @type {Kind} */ (answer.status));
    say(answer.message);
  }

  /** Speak to another audience. @param {boolean} exact */
  speak(exact) {
    kept("exact", (speech.exact = exact));
    byId("exact", HTMLInputElement).checked = exact;
    byId("simple", HTMLInputElement).checked = !exact;
    for (const part of this.parts) part.answered?.();
    this.refresh();
  }

  /**
   * Show a part of the page.
   * @param {string} id
   * @param {boolean} [unfolded] whether its fields are shown on a small screen; by default as they are
   */
  open(id, unfolded) {
    if (unfolded !== undefined) this.fold(unfolded);
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
    this.stage.box.classList.toggle("drawn", next.drags ?? false);
    next.enter?.();
    this.state.open(next.id);
    this.refresh();
  }

  /** Show the fields of the part under the board, or the board alone, on a small screen. @param {boolean} open */
  fold(open) {
    byId("studio", HTMLElement).dataset.sheet = open ? "open" : "";
    const button = byId("fold", HTMLButtonElement);
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? "▾" : "▴";
  }
}
