// The types that modules share. This file is a script without imports, so each module knows them without importing them;
// nothing here runs.

/**
 * The words of a question.
 * @typedef {{board: string, piece: string, open: boolean, start: string, end: string, with: string[],
 *   avoid: string[], at: string[], through: string[], symmetry: string, moves: string, coils: number, avoid_cells: string[]}} Question
 */

/**
 * A question, or its statement alone.
 * @typedef {Partial<Question> & {statement?: string}} Wanted
 */

/**
 * What an address says: a question, and in words of `code.js` a walk and a tour; numbers that were written by hand; what
 * is asked again, the part of the page.
 * @typedef {{ask: Wanted, walk?: string, notes?: string, tour?: string, then?: string, part?: string}} Place
 */

/**
 * A board in space: 12 numbers per cell, its level, and the places that have a cell.
 * @typedef {{corners: Float32Array, levels: Int32Array, folds: Float32Array, there: Int32Array, slides: boolean}} Space
 */

/**
 * A board as Python describes it. Cells are numbered by their places.
 * @typedef {object} Board
 * @property {Question} question
 * @property {any[]} dropped texts, or codes with values
 * @property {string} title
 * @property {number} size
 * @property {number} moves
 * @property {number} width
 * @property {number} height
 * @property {Float32Array} x
 * @property {Float32Array} y
 * @property {Uint8Array} shade
 * @property {Int32Array | null} level on which each cell lies, if there are several
 * @property {[number, number][]} outline
 * @property {Int32Array} holes
 * @property {[number, number, string, 'start' | 'middle' | 'end'][]} labels
 * @property {number} label_size
 * @property {[string, number, number, number, number][]} panels
 * @property {string[] | null} names
 * @property {Int32Array | null} edges
 * @property {number[][]} over moves over edges: both places, the lines x, y, x, y from them, and the parts of these on the board
 * @property {{runs: [number, number][][], closed: boolean, dash: number[], glue: boolean}[]} frame of a surface; other boards have an empty list
 * @property {[number, number, number, string][]} beyond
 * @property {{cells: [number, number, string, boolean][], extent: number} | null} grid
 * @property {string} piece
 * @property {string[]} symmetries
 * @property {Space | null} space
 * @property {string[]} left_out
 * @property {Record<string, {shell: string, python: string}>} lines
 * @property {string} statement the question in canonical words
 */

/**
 * One sentence of a proof, and what it highlights.
 * @typedef {{text: string, rule?: string, named?: number[], beside?: number[], parts?: number[][], rest?: number[],
 *   counted?: number[], meanings?: Record<string, string>, moves?: [number, number][], forced?: [number, number][], out?: [number, number][]}} Sentence
 */

/**
 * An answer; which parts it has depends on what was asked.
 * @typedef {object} Answer
 * @property {string} status
 * @property {string} message
 * @property {number} [seconds]
 * @property {Int32Array} [cells]
 * @property {boolean} [closed]
 * @property {Sentence[]} [story]
 * @property {string | null} [certificate]
 * @property {string} [equals] what decides between equal choices of Warnsdorff's rule
 * @property {string} [count]
 * @property {number[]} [walk] that a story is about
 * @property {number} [lost] the step of it that was the mistake
 * @property {Int32Array} [saving] the cells that save the tour at this step
 * @property {string} [grade] how hard a puzzle is
 * @property {Question} [question] what a puzzle asks
 * @property {Int32Array} [solution]
 * @property {string} [board] that a mask draws
 * @property {string} [name] of a file
 * @property {string} [data] of a file, in base 64
 */

/**
 * What there is to choose from.
 * @typedef {{families: [string, string, number, number, string, string][], pieces: [string, string][],
 *   ties: string[], formats: Record<string, string[]>, languages: [string, string][], speech: object,
 *   fields: {key: keyof Question, values: string[], needs: keyof Question | ""}[], lessons: Step[][]}} Choices
 */

/**
 * A step of a lesson; `data/lessons.json` says what is to be done.
 * @typedef {{board: string, open?: boolean, what: "jumps" | "reach" | "tour" | "rule" | "number", from?: string, to?: string, most?: number, answer?: number}} Step
 */

/**
 * A sign on a cell.
 * @typedef {{cell: number, kind: string, text?: string}} Mark
 */

/**
 * What is shown on a board: a path as far as `upto` cells of it (a fraction is on the way), signs and lines.
 * @typedef {object} Scene
 * @property {Int32Array | number[]} [cells]
 * @property {boolean} [closed]
 * @property {number} [upto]
 * @property {boolean} [line]
 * @property {boolean} [numbers]
 * @property {boolean} [colours]
 * @property {Mark[]} [marks]
 * @property {[number, number, string][]} [lines]
 * @property {Drift} [drift]
 * @property {boolean} [rides] the knight rides along the path
 * @property {number} [piece] the cell where it stands if there is no path
 */

/**
 * Cells that drift apart: how far each goes to the right and down, in cells, and how much of it is done, from 0 to 1.
 * @typedef {{to: Float32Array, moved: number}} Drift
 */

/**
 * What the kernel is asked: a graph, and what its tours must have, such as cells in an order; cells are numbered from 0, -1 is none.
 * @typedef {{n: number, edges: ArrayLike<number>, open: boolean, start: number, end: number, must: [number, number][],
 *   walk: number[], given?: [number, number][], order?: number[]}} Problem
 */

/**
 * What it answers.
 * @typedef {{status: "found" | "impossible" | "undecided", cells?: number[],
 *   reason?: {rule: "degree" | "ends" | "reach" | "colours", named: number[], beside: number[]}}} Solved
 */

/** @typedef {{type: string, done?: number, message?: string}} News */

/**
 * What surrounds a studio: a page of its own, or a cell of a notebook.
 * @typedef {object} Home
 * @property {Document | ShadowRoot} root where its elements are
 * @property {HTMLElement} top the element that has the theme, `data-theme`, and the colours
 * @property {EventTarget} keys where keys are heard
 * @property {AbortSignal} gone the studio is no longer shown
 * @property {(text: string, signal?: AbortSignal) => AsyncGenerator<any, void>} answers to a question, as JSON or made of it
 * @property {() => Place} place to begin with
 * @property {(board: Board, place: Place, push: boolean) => void} keep what is shown, as a place to come back to or not
 * @property {(changed: (place: Place) => void) => void} heard the address or Python has changed it
 * @property {() => string} link to this question; "" if there is none
 * @property {() => number} high how many pixels a board may be
 */

/** How a board lies on the screen. @typedef {import("./flat.js").Flat | import("./space.js").Turned} View */
/** @typedef {import("./weave.js").Line} Line */
/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./app.js").App} App */

/** A tour; a bare one shows no numbers, and takes so many seconds. @typedef {{cells: Int32Array, closed: boolean, equals?: string, bare?: boolean, seconds?: number}} Tour */

/** What a question shows on its board. @typedef {{ends: Mark[], wishes: [number, number, string][]}} Shown */

/**
 * The colours of a style. An empty text means transparent paper.
 * @typedef {{paper: string, shades: string[], hole: string, shadow: string, frame: string, text: string, digits: string, disc: string,
 *   casing: string, lightness: number, alarm: string}} Look
 */

/** @typedef {[number, number]} Point */
/** @typedef {{role: string, fill?: string, stroke?: string, width?: number, step?: number}} Style */
/** Runs of straight lines, or polygons if they are closed; with `at`, the same runs at several places. @typedef {Style & {runs: Point[][], closed?: boolean, dash?: number[], at?: Point[], opacity?: number}} Polyline */
/** @typedef {Style & {x: number, y: number, r: number}} Disc */
/** A rectangle with round corners. @typedef {Style & {x: number, y: number, wide: number, high: number, radius: number}} Plate */
/** A text, centred at the height y. @typedef {Style & {x: number, y: number, text: string, size: number, fill: string, anchor?: "start" | "middle" | "end"}} Letters */
/** @typedef {Polyline | Disc | Plate | Letters} Shape */

/**
 * What a finger or a key did: the cell where it began, and where it ended or is now.
 * @typedef {{kind: "press" | "over" | "drop" | "key" | "digit", from: number, to: number, digit?: string}} Press
 */

/** @typedef {"" | "found" | "impossible" | "undecided" | "counted" | "wrong" | "right"} Kind */
/** @typedef {"edit" | "watch" | "walk" | "proof" | "learn"} Mode */

/**
 * One part of the page. All but the first may be missing.
 * @typedef {object} Part
 * @property {string} id also of its title, `tab-ID`, and of its fields, `part-ID`
 * @property {() => void} [enter] it is shown now
 * @property {() => void} [leave]
 * @property {() => void} [changed] there is another board
 * @property {() => void} [answered] there is another answer
 * @property {() => Scene} [scene] what it shows on the board; by default the tour
 * @property {() => [string, Kind] | null} [status] what the line under the board says unless there are news
 * @property {(touch: Press) => void} [touch]
 * @property {boolean} [types] it hears digits that are typed on a cell
 * @property {boolean} [drags] a finger on the board draws; elsewhere it moves the page
 */
