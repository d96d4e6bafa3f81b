// The question, its history, and the address in which it stands.

import { ask, wrong } from "./api.js";

/** @typedef {import("./types.js").Question} Question */
/** @typedef {import("./types.js").Board} Board */

/** @type {Question} */
const FIRST = { board: "8x8", piece: "knight", open: false, start: "", end: "", with: [], avoid: [], symmetry: "" };

/**
 * The part of the address that is the question.
 * @param {Question} question
 */
export function address(question) {
  const words = new URLSearchParams();
  words.set("board", question.board);
  if (question.piece !== FIRST.piece) words.set("piece", question.piece);
  if (question.open) words.set("open", "1");
  for (const key of /** @type {const} */ (["start", "end", "symmetry"])) {
    if (question[key]) words.set(key, question[key]);
  }
  for (const key of /** @type {const} */ (["with", "avoid"])) {
    if (question[key].length) words.set(key, question[key].join(","));
  }
  return "#" + words.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3B/g, ";");
}

/**
 * The question of an address.
 * @param {string} hash
 * @returns {Question}
 */
export function question(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (/** @type {string} */ key) => words.get(key) ?? "";
  const list = (/** @type {string} */ key) => text(key).split(",").filter(Boolean);
  return {
    board: text("board") || FIRST.board,
    piece: text("piece") || FIRST.piece,
    open: text("open") === "1",
    start: text("start"),
    end: text("end"),
    with: list("with"),
    avoid: list("avoid"),
    symmetry: text("symmetry"),
  };
}

/** Says `board` when there is another one, `refused` with the reason when a change was none. */
export class State extends EventTarget {
  constructor() {
    super();
    this.question = FIRST;
    /** @type {Board | null} */
    this.board = null;
    this.refused = ""; // why the last change was none
    /** @type {Question[]} */
    this.past = [];
    /** @type {Question[]} */
    this.future = [];
    /** Changes wait for one another, so that none is lost. @type {Promise<unknown>} */
    this.last = Promise.resolve();
    addEventListener("hashchange", () => {
      if (location.hash !== address(this.question)) void this.change(question(location.hash));
    });
  }

  /** Begin with what the address says. */
  async begin() {
    await this.load(question(location.hash), []);
    const { refused } = this;
    if (this.board === null) await this.load(FIRST, []);
    this.refused = refused;
  }

  /**
   * Change the question, or take cells out and put them back.
   * @param {Partial<Question>} changes
   * @param {number[]} [toggle]
   */
  change(changes, toggle = []) {
    return this.after(async () => {
      const before = this.question;
      if (!(await this.load({ ...before, ...changes }, toggle))) return;
      this.past.push(before);
      this.future = [];
      this.tell("board");
    });
  }

  /** Take the last change back. */
  undo() {
    return this.after(() => this.step(this.past, this.future));
  }

  /** And make it again. */
  redo() {
    return this.after(() => this.step(this.future, this.past));
  }

  /**
   * @param {Question[]} from
   * @param {Question[]} to
   */
  async step(from, to) {
    const wanted = from.pop();
    if (wanted === undefined) return;
    to.push(this.question);
    if (await this.load(wanted, [])) this.tell("board");
  }

  /**
   * Do something when what was begun is done.
   * @param {() => Promise<unknown>} work
   */
  after(work) {
    return (this.last = this.last.then(work));
  }

  /**
   * Have a question described.
   * @param {Question} wanted
   * @param {number[]} toggle
   */
  async load(wanted, toggle) {
    try {
      this.board = /** @type {Board} */ (await ask({ ask: "board", question: wanted, toggle }));
      this.question = this.board.question;
      history.replaceState(null, "", address(this.question));
      this.refused = "";
      return true;
    } catch (error) {
      this.refused = wrong(error);
      this.tell("refused");
      return false;
    }
  }

  /** @param {"board" | "refused"} what */
  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}
