// Worksheets on paper: puzzles with room for a name, their answer key, or empty boards to draw on.

import { address } from "./address.js";
import { ask } from "./api.js";
import { givenNumbers, unnumbered } from "./clues.js";
import { byId, make } from "./dom.js";
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

/**
 * Print a worksheet of so many puzzles about the question, and its answer key; or empty boards.
 * @param {App} app
 * @param {number} count
 * @param {string} level "" for empty boards
 */
async function worksheet(app, count, level) {
  const asked = unnumbered(app.state.question);
  const whole = /** @type {Board} */ (await ask({ ask: "board", question: asked }));
  const here = elsewhere();
  /** @type {{numbers: Map<number, number>, solution: Map<number, number>, grade: string, codes: Node[]}[]} */
  const made = level ? [] : Array(count).fill({ numbers: new Map(), codes: [] });
  const begin = Math.floor(Math.random() * 1e9);
  for (let k = 0; made.length < count; k++) {
    const found = await app.work({ ask: "puzzle", question: asked, level, seed: (begin + k) % 1e9, seconds: 30 }, t("paper.making", { n: made.length + 1, count }));
    if (found === null) return;
    if (!found.question) return app.tell(found.message, "undecided");
    const solution = new Map([...(found.solution ?? [])].map((place, i) => [place, i + 1]));
    const { question, grade = "" } = found;
    const codes = [];
    if (here) {
      const { statement } = /** @type {Board} */ (await ask({ ask: "board", question }));
      codes.push(code(here + address({ ask: { statement }, part: "walk" })));
    }
    made.push({ numbers: givenNumbers(question, whole.names ?? [], whole.size), solution, grade, codes });
  }
  const task = t(!level ? "paper.empty" : asked.open ? "paper.open" : "paper.closed", { size: whole.size, move: moves(whole) });
  /** @type {(size: number, head: (Node | string)[], draw: (k: number) => Node[]) => HTMLElement[]} */
  const pages = (size, head, draw) => [...Array(Math.ceil(count / size)).keys()].map((page) =>
    make("div", { class: "page", "data-size": size }, ...head.map((one) => (typeof one === "string" ? one : one.cloneNode(true))),
      ...[...Array(Math.min(size, count - page * size)).keys()].map((k) => make("figure", {}, ...draw(page * size + k)))));
  const head = [make("p", { class: "name" }, make("strong", {}, t("paper.title", { board: whole.title })), make("span", {}, t("paper.name")), make("span", {}, t("paper.date"))), make("p", { class: "task" }, task)];
  byId("sheet", HTMLElement).replaceChildren(
    ...pages(PER_PAGE, head, (k) => [drawn(whole, made[k].numbers), make("figcaption", {}, level ? `${k + 1}, ${t(`grade.${made[k].grade}`)}` : String(k + 1)), ...made[k].codes]),
    ...(level ? pages(KEYS, [make("p", { class: "name" }, make("strong", {}, t("paper.key")))], (k) => [drawn(whole, made[k].solution), make("figcaption", {}, String(k + 1))]) : []),
  );
  app.tell(t(level ? "paper.ready" : "paper.boards", { count }), "found");
  document.documentElement.dataset.sheet = "";
  window.print();
  delete document.documentElement.dataset.sheet;
}

/**
 * The fields that print puzzles, or empty boards.
 * @param {App} app
 * @param {HTMLSelectElement} level how hard the puzzles are
 */
export function paperFields(app, level) {
  const sheets = byId("sheets", HTMLSelectElement);
  const print = (/** @type {string} */ hard) => worksheet(app, Number(sheets.value), hard);
  byId("print-puzzles", HTMLButtonElement, () => print(level.value));
  byId("print-boards", HTMLButtonElement, () => print(""));
}
