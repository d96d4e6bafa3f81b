// The question and its history.

import { ask, wrong } from "./api.js";
import { home } from "./home.js";

/** @typedef {import("./types.js").Question} Question */
/** @typedef {import("./types.js").Board} Board */

/** @type {Question} */
const FIRST = { board: "8x8", piece: "knight", open: false, start: "", end: "", with: [], avoid: [], symmetry: "" };

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
    home.heard((words) => {
      const wanted = { ...FIRST, ...words };
      if (JSON.stringify(wanted) !== JSON.stringify(this.question)) void this.change(wanted);
    });
  }

  /** Start with the question of the address. */
  async begin() {
    await this.load({ ...FIRST, ...home.question() }, []);
    const { refused } = this;
    if (this.board === null) await this.load(FIRST, []);
    this.refused = refused;
  }

  /**
   * Change the question, or remove cells and put them back.
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
   * @param {Question & {statement?: string}} wanted
   * @param {number[]} toggle
   */
  async load(wanted, toggle) {
    try {
      this.board = /** @type {Board} */ (await ask({ ask: "board", question: wanted, toggle }));
      this.question = this.board.question;
      home.keep(this.board);
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
