// A puzzle as a link to Penpa, a page on which people solve puzzles by hand (swaroopg92/penpa-edit on GitHub). Nothing is asked there.
// Its text has lines, of the board, what is written on it, and settings; deflated and in base 64 it is the link.

import { UNIT } from "./boxes.js";
import { t } from "./texts.js";

const PAGE = "https://swaroopg92.github.io/penpa-edit/#m=solve&p=";
const SIZE = 38; // pixels of a cell
const AROUND = 2; // cells beside the board, on each side
/** Kinds of things on a board, by whether they are lists. @type {[string, boolean][]} */
const LAYERS = [
  ["surface", false], ["numberS", false], ["symbol", false], ["thermo", true], ["arrows", true], ["direction", true], ["squareframe", true],
  ["polygon", true], ["line", false], ["lineE", false], ["wall", false], ["cage", false], ["deletelineE", false], ["killercages", true], ["nobulbthermo", true],
];
const VERSION = [3, 2, 3]; // of Penpa, of which these lines are

/** Whether Penpa has such a board. @param {Board} board */
export function drawable({ question }) {
  return /^\d+x\d+(-.*)?$/.test(question.board);
}

/**
 * The text of a puzzle, before it is packed.
 * @param {Board} board
 * @param {Map<number, number>} numbers of its cells
 * @param {string} rules
 */
function penpaText(board, numbers, rules) {
  const [least, first] = [Math.min(...board.x), Math.min(...board.y)];
  const column = (/** @type {number} */ place) => Math.round((board.x[place] - least) / UNIT);
  const row = (/** @type {number} */ place) => Math.round((board.y[place] - first) / UNIT);
  const every = [...board.x.keys()];
  const [wide, high] = [Math.max(...every.map(column)) + 1, Math.max(...every.map(row)) + 1];
  const across = wide + 2 * AROUND;
  const all = across * (high + 2 * AROUND);
  const at = (/** @type {number} */ place) => AROUND + column(place) + (AROUND + row(place)) * across;
  const cells = every.filter((place) => !board.holes.includes(place)).map(at).sort((a, b) => a - b);
  // the middle of the board is one of a cell, of a corner, or of an edge
  const kind = wide % 2 ? (high % 2 ? 0 : 2) : (high % 2 ? 3 : 1);
  const middle = kind * all + (AROUND + ((high - 1) >> 1)) * across + AROUND + ((wide - 1) >> 1);
  const said = (/** @type {string} */ text) => text.replaceAll("\n", "%2D").replaceAll(",", "%2C").replaceAll("&", "%2E").replaceAll("=", "%2F");
  const layer = (/** @type {object} */ number) => JSON.stringify({
    command_redo: { __a: [] }, command_undo: { __a: [] }, command_replay: { __a: [] }, number, ...Object.fromEntries(LAYERS.map(([name, list]) => [name, list ? [] : {}])),
  });
  const lines = [
    ["square", wide, high, SIZE, 0, 1, 1, SIZE * (wide + 1), SIZE * (high + 1), middle, middle, 0, 0, 0, 0, `Title: ${said(t("penpa.title", { board: board.title }))}`, "Author: ", "", said(rules), "OFF", "false"].join(),
    "[0,0,0,0]",
    '["1","2","1"]~"number"~["1",1]',
    layer(Object.fromEntries([...numbers].map(([place, number]) => [at(place), [String(number), 1, "1"]]))),
    "",
    JSON.stringify(cells.map((cell, i) => cell - (i ? cells[i - 1] : 0))),
    "[]", "", '"x"', '"x"', JSON.stringify(VERSION), "", '"x"', "0", layer({}), "x", "", "[]", "false",
  ];
  return lines.join("\n").replaceAll("z", "zZ"); // z begins its short forms
}

/** @param {Board} board @param {Map<number, number>} numbers @param {string} rules */
export async function penpa(board, numbers, rules) {
  const packed = new Blob([penpaText(board, numbers, rules)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return PAGE + btoa(String.fromCharCode(...bytes));
}
