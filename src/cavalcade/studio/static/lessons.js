// The lessons, as data: on which board, and what is to be done; the catalogue has what is said.

/**
 * A step of a lesson. What is to be done:
 *     jumps   click every cell that one move leads to from `from`, or from the cell in the middle
 *     reach   walk from `from` to `to` in `most` moves at most
 *     tour    visit every cell once
 *     rule    from `from` walk `most` cells, each time to a cell with the fewest onward moves
 *     number  type `answer`
 * @typedef {{board: string, open?: boolean, what: "jumps" | "reach" | "tour" | "rule" | "number", from?: string, to?: string, most?: number, answer?: number}} Step
 */

/** @type {Step[][]} */
export const LESSONS = [
  [ // The move
    { board: "8x8", what: "jumps", from: "d4" },
    { board: "8x8", what: "jumps", from: "a1" },
    { board: "8x8", what: "reach", from: "a1", to: "b2", most: 4 },
  ],
  [ // The first board
    { board: "3x4", what: "jumps", from: "b2" },
    { board: "3x4", open: true, what: "tour" },
  ],
  [ // Warnsdorff's rule
    { board: "6x6", what: "number", answer: 2 },
    { board: "6x6", open: true, what: "rule", from: "a1", most: 14 },
  ],
  [ // Why 4x4 has none
    { board: "4x4", what: "jumps", from: "a1" },
    { board: "4x4", what: "jumps", from: "d4" },
    { board: "4x4", what: "number", answer: 4 },
  ],
  [ // Colours
    { board: "5x5", what: "jumps", from: "c3" },
    { board: "5x5", what: "number", answer: 13 },
    { board: "5x5", what: "number", answer: 12 },
  ],
  [ // The chessboard, and a hexagon
    { board: "8x8", open: true, what: "rule", from: "a1", most: 24 },
    { board: "hex:4", what: "jumps" },
  ],
];
