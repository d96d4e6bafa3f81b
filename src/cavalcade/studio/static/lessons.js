// The lessons, as data: what is said, on which board, and what is to be done.

/**
 * A step of a lesson. What is to be done:
 *     jumps   click every cell that one move leads to from `from`, or from the cell in the middle
 *     reach   walk from `from` to `to` in `most` moves at most
 *     tour    visit every cell once
 *     rule    from `from` walk `most` cells, each time to a cell with the fewest onward moves
 *     number  type `answer`
 * @typedef {{say: string, board: string, open?: boolean, what: "jumps" | "reach" | "tour" | "rule" | "number", from?: string, to?: string, most?: number, answer?: number, then: string}} Step
 */

/** @type {{title: string, steps: Step[]}[]} */
export const LESSONS = [
  { title: "The move", steps: [
    { board: "8x8", what: "jumps", from: "d4", say: "A knight jumps two cells along and one to the side, over anything in between. It stands on d4. Click every cell it can jump to.", then: "Eight cells, in a ring around the knight." },
    { board: "8x8", what: "jumps", from: "a1", say: "Now it stands in the corner, on a1. Click every cell it can jump to.", then: "Only two. Corners are the hardest cells to visit: you come by one and leave by the other." },
    { board: "8x8", what: "reach", from: "a1", to: "b2", most: 4, say: "The knight wants to go from a1 to b2, the cell right beside it. Click the cells on its way, one after the other. Four moves are enough.", then: "Four moves to the next cell. Near is not the same for a knight and for you." },
  ] },
  { title: "The first board", steps: [
    { board: "3x4", what: "jumps", from: "b2", say: "A knight's tour visits every cell of a board exactly once. The smallest board with a tour, larger than one cell, has 3 rows and 4 columns. Click every cell the knight can jump to from b2.", then: "Cells in the middle of a small board have few moves, too." },
    { board: "3x4", open: true, what: "tour", say: "Find a tour. Click a cell to start, then jump from cell to cell until you have visited all 12. Click the last cell again to take a step back. Help: begin on a3.", then: "Your first knight's tour. It does not lead back to where it began: such a tour is called open." },
  ] },
  { title: "Warnsdorff's rule", steps: [
    { board: "6x6", what: "number", answer: 2, say: "In 1823 Warnsdorff gave a rule: always go to the cell from which you have the fewest ways on. How many ways on has a knight in the corner of a board?", then: "Two. So the rule visits corners early, before they are cut off." },
    { board: "6x6", open: true, what: "rule", from: "a1", most: 14, say: "Walk 14 cells by the rule, beginning on a1. The small numbers count the ways on from each cell. Choose the smallest; if two are equal, either will do.", then: "You keep close to the edge, as the rule does. It nearly always gets round the whole board." },
  ] },
  { title: "Why 4x4 has none", steps: [
    { board: "4x4", what: "jumps", from: "a1", say: "A closed tour ends one move from where it began. Is there one on 4x4? Look at the corner a1. Click where its moves lead.", then: "Two moves: a closed tour comes to a1 by one and leaves by the other, so it uses both." },
    { board: "4x4", what: "jumps", from: "d4", say: "And from the opposite corner, d4?", then: "The same two cells, b3 and c2! A closed tour must use these two moves as well." },
    { board: "4x4", what: "number", answer: 4, say: "So every closed tour has the moves a1-b3, b3-d4, d4-c2 and c2-a1. They are a ring that ends where it began. How many cells are on this ring?", then: "The ring is closed after 4 cells, and 12 are left out. So 4x4 has no closed tour: you have proved it." },
  ] },
  { title: "Colours", steps: [
    { board: "5x5", what: "jumps", from: "c3", say: "Look at the colours. Click every cell the knight can jump to from c3.", then: "All of them have the other colour. Every move of a knight changes the colour." },
    { board: "5x5", what: "number", answer: 13, say: "The corner a1 is dark. How many cells of 5x5 have its colour?", then: "13, and the other colour has 12." },
    { board: "5x5", what: "number", answer: 12, say: "A closed tour takes turns: one colour, the other, and so on, all the way round. At most how many pairs of the two colours can there be on 5x5?", then: "12 pairs are 24 cells, and one cell is left over. So 5x5 has no closed tour, and neither has any board of 3, 5, 7, 9, 11, … squares." },
  ] },
  { title: "The chessboard, and a hexagon", steps: [
    { board: "8x8", open: true, what: "rule", from: "a1", most: 24, say: "On the chessboard there are 13,267,364,410,532 closed tours. Nobody has ever seen them all. Begin one: walk 24 cells by Warnsdorff's rule from a1.", then: "You can go on with it in the part Walk." },
    { board: "hex:4", what: "jumps", say: "Knights jump on other boards, too: on this one cells are hexagons, and a knight goes two cells straight on and one to the side. Click every cell it can jump to from the middle.", then: "Twelve moves. Find a tour of it with the large button, and watch it." },
  ] },
];
