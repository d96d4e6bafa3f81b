// The shapes of what goes between Python and the page. Types alone: nothing here runs.

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
 * @property {Int32Array} [steps]
 * @property {string} [count]
 * @property {number[]} [walk] that a story is about
 * @property {number} [lost] the step of it that was the mistake
 * @property {Int32Array} [saving] the cells that save the tour at this step
 * @property {string} [grade] how hard a puzzle is
 * @property {Question} [question] what a puzzle of a kind asks
 * @property {Int32Array} [solution]
 */

/**
 * What there is to choose from.
 * @typedef {{families: [string, string, number, number, string, string][], pieces: [string, string][],
 *   ties: string[], formats: Record<string, string[]>, languages: [string, string][], speech: object}} Choices
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

/**
 * How a board lies on the screen, in pixels.
 * @typedef {object} View
 * @property {Board} [board]
 * @property {number} cell the width of a cell
 * @property {boolean} flat whether it is not in space
 * @property {boolean} screen whether lines and letters have a smallest size
 * @property {Float64Array | null} [window] what one sees of an enlarged board: left, top, right, bottom
 * @property {(place: number) => [number, number]} at its middle
 * @property {(place: number) => [number, number][]} polygon
 * @property {(place: number) => boolean} visible
 * @property {(a: number, b: number) => boolean} crosses whether one may see a move
 * @property {(a: number, b: number) => number[][]} segments the lines of a move, each x, y, x, y
 */

export {};
