// Worksheets on paper: puzzles with room for a name, their answer key, or empty boards to draw on.

import { address } from "./address.js";
import { ask } from "./api.js";
import { withNumbers } from "./daily.js";
import { button, byId, choices, labelled, make } from "./dom.js";
import { Flat } from "./flat.js";
import { home } from "./home.js";
import { LOOKS } from "./look.js";
import { picture } from "./picture.js";
import { written } from "./shapes.js";
import { t } from "./texts.js";
import { encode } from "./uqr.js";

const PER_PAGE = 4;
const KEYS = 12;
const LONGEST = 858; // letters of a link in a code of 97 modules, each a quarter of a millimetre wide on paper

/** A board with numbers, as an element. @param {Board} board @param {Map<number, number>} numbers */
function drawn(board, numbers) {
  const marks = [...numbers].map(([cell, number]) => ({ cell, kind: "given", text: String(number) }));
  const holder = make("div", { class: "drawing" });
  holder.innerHTML = written(picture(new Flat(board, LOOKS.colour, 1), { marks }), [0, 0, board.width, board.height]);
  return holder;
}

/** Where other people find this page; nothing if it is on this machine alone. */
function elsewhere() {
  const [base] = home.link().split("#");
  const { protocol, hostname } = new URL(base || "about:blank");
  return protocol.startsWith("http") && !/^(127\.|localhost$|\[::1\])/.test(hostname) ? base : "";
}

/** A link as a QR code; nothing if it is too long for a phone to read from paper. @param {string} text */
function code(text) {
  const holder = make("div", { class: "qr" });
  if (text.length > LONGEST) return holder;
  const { data, size } = /** @type {{data: boolean[][], size: number}} */ (encode(text, { border: 0 }));
  const dark = data.flatMap((row, y) => row.flatMap((one, x) => (one ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  holder.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${size + 8} ${size + 8}" shape-rendering="crispEdges"><path d="${dark}"/></svg>`;
  return holder;
}

/** @param {Board} board */
const moves = ({ question }) => (question.piece === "knight" ? t("paper.knight") : t("paper.piece", { piece: question.piece }));

/** What is to be done with a puzzle. @param {Board} board */
export function rules(board) {
  const { size, question } = board;
  return t(question.open ? "paper.open" : "paper.closed", { size, move: moves(board) });
}

/**
 * Print a worksheet of so many puzzles about the question, and its answer key; or empty boards.
 * @param {App} app
 * @param {number} count
 * @param {string} level "" for empty boards
 * @param {() => void} print
 */
async function worksheet(app, count, level, print) {
  const { board, question } = app.state;
  if (board === null) return;
  const asked = question.at.length ? { ...question, start: "", end: "", at: [] } : question;
  /** @type {[Map<number, number>, Map<number, number>, string][]} */
  const made = level ? [] : Array(count).fill([new Map(), new Map(), ""]);
  const begin = Math.floor(Math.random() * 1e9);
  for (let k = 0; made.length < count; k++) {
    const found = await app.work({ ask: "puzzle", question: asked, level, seed: (begin + k) % 1e9, seconds: 30 }, t("paper.making", { n: made.length + 1, count }));
    if (found === null || !found.cells || !found.steps) {
      if (found) app.tell(found.message, "undecided");
      return;
    }
    const { steps } = found;
    const solution = new Map([...(found.solution ?? [])].map((place, i) => [place, i + 1]));
    made.push([new Map([...found.cells].map((place, i) => [place, steps[i]])), solution, found.grade ?? ""]);
  }
  const whole = /** @type {Board} */ (await ask({ ask: "board", question: asked }));
  const task = level ? rules(whole) : t("paper.empty", { move: moves(whole) });
  const here = level ? elsewhere() : "";
  /** @type {Node[][]} */
  const codes = made.map(() => []);
  for (const [k, [numbers]] of here ? made.entries() : []) {
    const puzzle = withNumbers(asked, [...numbers].map(([place, step]) => [step, whole.names?.[place] ?? ""]), whole.size);
    const { statement } = /** @type {Board} */ (await ask({ ask: "board", question: puzzle }));
    codes[k].push(code(here + address({ ask: { statement }, part: "walk" })));
  }
  /** @type {(size: number, head: (Node | string)[], draw: (k: number) => Node[]) => HTMLElement[]} */
  const pages = (size, head, draw) => [...Array(Math.ceil(count / size)).keys()].map((page) =>
    make("div", { class: "page", "data-size": size }, ...head.map((one) => (typeof one === "string" ? one : one.cloneNode(true))),
      ...[...Array(Math.min(size, count - page * size)).keys()].map((k) => make("figure", {}, ...draw(page * size + k)))));
  const head = [make("p", { class: "name" }, make("strong", {}, t("paper.title", { board: whole.title })), make("span", {}, t("paper.name")), make("span", {}, t("paper.date"))), make("p", { class: "task" }, task)];
  byId("sheet", HTMLElement).replaceChildren(
    ...pages(PER_PAGE, head, (k) => [drawn(whole, made[k][0]), make("figcaption", {}, level ? `${k + 1}, ${t(`grade.${made[k][2]}`)}` : String(k + 1)), ...codes[k]]),
    ...(level ? pages(KEYS, [make("p", { class: "name" }, make("strong", {}, t("paper.key")))], (k) => [drawn(whole, made[k][1]), make("figcaption", {}, String(k + 1))]) : []),
  );
  app.tell(t(level ? "paper.ready" : "paper.boards", { count }), "found");
  document.documentElement.dataset.sheet = "";
  print();
  delete document.documentElement.dataset.sheet;
}

/**
 * The fields that print puzzles, or empty boards.
 * @param {App} app
 * @param {HTMLSelectElement} level how hard the puzzles are
 */
export function paperFields(app, level) {
  const sheets = make("select", { id: "sheets" });
  choices(sheets, ["1", "4", "8", "12"].map((one) => [one, one]), "4");
  const print = (/** @type {string} */ hard) => void worksheet(app, Number(sheets.value), hard, () => window.print());
  return make("fieldset", {}, make("legend", {}, t("paper")),
    make("p", { class: "hint" }, t("paper.help")),
    make("div", { class: "row" }, labelled(t("paper.count"), sheets), button(t("paper.print"), () => print(level.value), { id: "print-puzzles" }),
      button(t("paper.print-boards"), () => print(""), { id: "print-boards" })));
}
