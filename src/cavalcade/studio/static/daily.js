// The puzzle of the day: by the date alone, so it is the same for everyone, with a server and without.

import { ask } from "./api.js";
import { withNumbers } from "./clues.js";
import { answered } from "./kernel.js";
import { EMPTY } from "./words.js";

/** A board and a level for each day of the week, harder towards Sunday. @type {[string, boolean, string][]} */
const WEEK = [
  ["8x8", false, "hard"], ["5x5", true, "easy"], ["5x6", false, "easy"], ["6x6", false, "easy"],
  ["6x6", false, "medium"], ["7x7", true, "medium"], ["8x8", false, "medium"],
];

/**
 * The question whose only tour is the puzzle's solution, and how hard it is.
 * @param {string} date such as 2026-05-17
 */
export async function daily(date) {
  const [year, month, day] = date.split("-").map(Number);
  const [spec, open, level] = WEEK[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  const words = { ...EMPTY, board: spec, open };
  const board = /** @type {Board} */ (await ask({ ask: "board", question: words }));
  const pairs = [...(board.edges ?? [])];
  const edges = pairs.flatMap((_, i) => (i % 2 ? [] : [[Math.min(pairs[i], pairs[i + 1]), Math.max(pairs[i], pairs[i + 1])]]))
    .sort(([a, b], [c, d]) => a - c || b - d).flat(); // in one order, whoever describes the board
  const problem = { n: board.size, edges, open, start: -1, end: -1, must: [], walk: [] };
  const { cells, steps, grade } = answered({ what: "puzzle", problem, seed: 10_000 * year + 100 * month + day, most: 2e7, level });
  if (!cells || !steps) throw new Error(`there is no puzzle for ${date}`);
  return { question: withNumbers(words, steps.map((step) => [step + 1, board.names?.[cells[step]] ?? ""]), board.size), grade };
}
