// The question, the walk and the tour, and their history.

import { ask, wrong } from "./api.js";
import { unnumbered } from "./clues.js";
import { coded, decoded } from "./code.js";
import { neighbours } from "./graph.js";
import { home } from "./home.js";
import { speech } from "./texts.js";
import { EMPTY } from "./words.js";

/** What can be undone. @typedef {{question: Question, walk: number[], notes: Map<number, string>, tour: Tour | null, then: string, part: string}} Entry */

/** @type {Question} */
const FIRST = { ...EMPTY, board: "8x8" };
const BUSY = 250; // milliseconds after which one sees that a board is loading

/**
 * Says `board` when there is another one, `walk` for another walk, `tour` for another tour, `loading` when it waits for
 * a board for some time and no more, and `refused` with the reason when a change was none.
 */
export class State extends EventTarget {
  constructor() {
    super();
    this.question = FIRST;
    /** @type {Board | null} */
    this.board = null;
    /** The cells of the walk by hand. @type {number[]} */
    this.walk = [];
    /** What is written on cells by hand: a number, as `12`, or pencil marks, as `-3-5`. @type {Map<number, string>} */
    this.notes = new Map();
    /** The tour on the board. @type {Tour | null} */
    this.tour = null;
    this.then = ""; // what was asked of the board and is asked again: prove, count
    this.part = "ask"; // of the page
    this.refused = ""; // why the last change was none
    /** Ends the loading of a board. @type {AbortController | null} */
    this.loading = null;
    /** @type {Entry[]} */
    this.past = [];
    /** @type {Entry[]} */
    this.future = [];
    /** Changes wait for one another, so that none is lost. @type {Promise<unknown>} */
    this.last = Promise.resolve();
    /** The cells that moves lead to from each, by places. @type {number[][]} */
    this.near = [];
  }

  /** The name of a cell. @param {number} place */
  name(place) {
    return this.board?.names?.[place] ?? "";
  }

  /** The cells that a board visits. */
  get size() {
    return this.board?.size ?? 0;
  }

  /** @returns {Entry} */
  get entry() {
    const { question, walk, notes, tour, then, part } = this;
    return { question, walk, notes, tour, then, part };
  }

  /** Start with the question of the address. */
  async begin() {
    home.heard((place) => void this.after(() => this.go(place)));
    await this.go(home.place(), false);
    const { refused } = this;
    if (this.board === null) await this.load(FIRST, []);
    this.refused = refused;
    this.past = [];
  }

  /** Show what an address says. @param {Place} place @param {boolean} [heard] it is another one than before */
  async go({ ask: words, walk, notes = "", tour, then = "", part }, heard = true) {
    const before = this.entry;
    const wanted = { ...FIRST, ...words };
    const same = heard && JSON.stringify(wanted) === JSON.stringify(this.question);
    if (!same && !(await this.load(wanted, []))) return;
    const read = (/** @type {string | undefined} */ text) => (text && this.board?.names ? decoded(this.near, this.board.names, text) : []);
    this.walk = read(walk);
    const noted = notes.split(",").map((one) => /** @type {[number, string]} */ ([this.board?.names?.indexOf(one.slice(0, one.lastIndexOf(":"))) ?? -1, one.slice(one.lastIndexOf(":") + 1)]));
    this.notes = new Map(noted.filter(([cell, text]) => cell >= 0 && /^(\d+|(-\d+)+)$/.test(text)));
    const cells = Int32Array.from(read(tour));
    const closes = cells.length > 2 && this.near[cells[cells.length - 1]].includes(cells[0]);
    this.tour = cells.length ? { cells, closed: !this.question.open && cells.length === this.board?.size && closes } : null;
    this.then = then;
    if (part !== undefined) this.part = part || "ask";
    this.past.push(before);
    this.keep(false);
    if (heard) this.tell("board");
  }

  /**
   * Change the question, or remove cells and put them back. The walk stays as far as it can.
   * @param {Partial<Question>} changes
   * @param {number[]} [toggle]
   * @param {string} [then] what the address says of it beside
   */
  change(changes, toggle = [], then = "") {
    return this.after(async () => {
      const before = this.entry;
      const kept = changes.board && changes.board !== before.question.board && !changes.at ? unnumbered(before.question) : before.question; // a puzzle's numbers go with its board
      if (!(await this.load({ ...kept, ...changes }, toggle))) return;
      if (kept !== before.question) this.board?.dropped.push({ said: [["drop.numbers", {}]] });
      const { walk } = this;
      const end = walk.findIndex((cell, i) => (i ? !this.near[walk[i - 1]].includes(cell) : this.board?.holes.includes(cell)));
      if (end >= 0) this.walk = walk.slice(0, end);
      this.notes = new Map();
      this.tour = null;
      this.then = then;
      this.did(before, true);
      this.tell("board");
    });
  }

  /**
   * The walk by hand is another one, or what is written.
   * @param {number[]} walk
   * @param {Map<number, string>} [notes]
   */
  step(walk, notes = this.notes) {
    const before = this.entry;
    this.walk = walk;
    this.notes = notes;
    this.did(before, false);
    this.tell("walk");
  }

  /**
   * There is a tour on the board, or an answer about tours.
   * @param {Tour | null} tour
   * @param {string} [then] what is asked again when the page is loaded
   */
  found(tour, then = "") {
    const before = this.entry;
    this.tour = tour;
    this.then = then;
    if (tour !== before.tour || then !== before.then) this.did(before, true);
    this.tell("tour");
  }

  /** Another part of the page is shown. @param {string} part */
  open(part) {
    this.part = part;
    this.keep(false);
  }

  /** @param {Entry} before @param {boolean} push it is one to come back to */
  did(before, push) {
    this.refused = "";
    this.past.push(before);
    this.future = [];
    this.keep(push);
  }

  /** @param {boolean} push */
  keep(push) {
    const { board, near, walk, tour, then, part } = this;
    if (board === null) return;
    const notes = [...this.notes].map(([cell, written]) => `${board.names?.[cell]}:${written}`).join();
    const text = (/** @type {ArrayLike<number>} */ cells) => (board.names ? coded(near, board.names, cells) : "");
    home.keep(board, { ask: { statement: board.statement }, walk: text(walk), notes, tour: text(tour?.cells ?? []), then, part }, push);
  }

  /** Take the last change back. */
  undo() {
    return this.after(() => this.back(this.past, this.future));
  }

  /** And make it again. */
  redo() {
    return this.after(() => this.back(this.future, this.past));
  }

  /** @param {Entry[]} from @param {Entry[]} to */
  async back(from, to) {
    const wanted = from.pop();
    if (wanted === undefined) return;
    const now = this.entry;
    if (wanted.question !== now.question && !(await this.load(wanted.question, []))) return;
    const { walk, notes, tour, then, part } = wanted;
    Object.assign(this, { walk, notes, tour, then, part });
    to.push(now);
    this.keep(false);
    this.tell("board");
  }

  /** Do something when what was begun is done. @param {() => Promise<unknown>} work */
  after(work) {
    return (this.last = this.last.catch(() => {}).then(work));
  }

  /** Have a question described. @param {Question & {statement?: string}} wanted @param {number[]} toggle */
  async load(wanted, toggle) {
    const mine = (this.loading = new AbortController());
    const late = setTimeout(() => this.tell("loading"), BUSY);
    try {
      this.board = /** @type {Board} */ (await ask({ ask: "board", question: wanted, toggle }, { signal: mine.signal }));
      this.question = this.board.question;
      speech.noun = /^(hex|triangle|parallelogram|hexagon):|^\d+x\d+x/.test(this.question.board) ? "cell" : "square";
      this.near = neighbours(this.board.names?.length ?? 0, this.board.edges ?? []);
      this.refused = "";
      return true;
    } catch (error) {
      this.refused = wrong(error);
      this.tell("refused");
      return false;
    } finally {
      clearTimeout(late);
      this.loading = null;
      this.tell("loading");
    }
  }

  /** @param {"board" | "walk" | "tour" | "refused" | "loading"} what */
  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}
