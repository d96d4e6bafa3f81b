// The numbers of a puzzle, written by hand anywhere on the board: a number or pencil marks for a cell.

import { byId, chosen } from "./dom.js";
import { home } from "./home.js";
import { t } from "./texts.js";

/** @typedef {"walk" | "number" | "pencil"} Entry */

/**
 * @param {App} app
 * @param {object} walk
 * @param {() => Map<number, number>} walk.given the numbers of the puzzle by their cells
 * @param {() => number[][]} walk.near
 * @param {(text: string) => void} walk.says
 * @param {() => void} walk.wrote a number has been written, and the walk may be longer
 * @param {() => void} walk.hinted
 */
export function writing(app, { given, near, says, wrote, hinted }) {
  const { state } = app;
  /** What a click on the board does. @type {Entry} */
  let entry = "walk";
  let selected = -1; // the cell to write on
  /** Cells that have another number in a solution. @type {Set<number>} */
  let mistakes = new Set();
  const field = byId("written", HTMLInputElement);
  const [root, label] = ["writing", "entry-label"].map((id) => byId(id, HTMLElement));
  chosen("entry", (value) => choose(/** @type {Entry} */ (value)));
  byId("entry-form", HTMLFormElement, () => {
    const cell = selected;
    write();
    if (cell >= 0) app.stage.grid.go(cell);
  });

  const name = state.name.bind(state);

  /** @param {Entry} what a click does from now on */
  const choose = (what) => {
    entry = what;
    app.stage.typing = what !== "walk" && app.part?.id === "walk";
    byId(`entry-${what}`, HTMLInputElement).checked = true;
    select(-1);
  };

  /** @param {number} cell to write on, or -1 */
  const select = (cell) => {
    selected = cell;
    field.disabled = cell < 0;
    label.textContent = cell < 0 ? t("entry.choose") : t(`entry.${entry}.on`, { cell: name(cell) });
    const note = state.notes.get(cell) ?? "";
    field.value = note.startsWith("-") === (entry === "pencil") ? note.split("-").filter(Boolean).join(" ") : "";
    app.refresh();
  };

  /** Begin to write on a cell. @param {number} cell @param {string} [digit] that was typed there */
  const begin = (cell, digit) => {
    if (cell < 0 || state.board?.holes.includes(cell)) return;
    if (given().has(cell) || state.walk.includes(cell)) return says(t("entry.taken", { cell: name(cell) }));
    if (entry === "walk") choose("number");
    app.fold(true); // the field is there
    select(cell);
    if (digit) field.value = digit;
    field.focus();
    if (!digit) field.select();
  };

  /** Write what was typed on the cell; numbers that continue the walk become part of it. */
  const write = () => {
    if (selected < 0) return;
    const numbers = field.value.split(/[\s,;]+/).filter(Boolean);
    if (numbers.some((one) => !/^\d+$/.test(one) || Number(one) < 1 || Number(one) > state.size) || (entry === "number" && numbers.length > 1)) {
      return says(t(`entry.${entry}.wrong`, { text: field.value.slice(0, 20), cell: name(selected), size: state.size }));
    }
    const notes = new Map(state.notes);
    notes.delete(selected);
    if (numbers.length) notes.set(selected, entry === "pencil" ? numbers.map((one) => `-${Number(one)}`).join("") : String(Number(numbers[0])));
    state.step(entry === "number" ? continued(notes) : state.walk, notes);
    wrote();
    if (state.walk.includes(selected)) select(-1);
    if (home.root.activeElement === field) field.select();
  };

  /** The walk, and the cells of the numbers that come next. @param {Map<number, string>} notes */
  const continued = (notes) => {
    const walk = [...state.walk];
    /** @type {Map<number, number>} */
    const where = new Map();
    for (const [cell, text] of notes) if (!text.startsWith("-")) where.set(Number(text), cell);
    for (const [cell, step] of given()) where.set(step, cell);
    for (;;) {
      const next = where.get(walk.length + 1);
      if (next === undefined || walk.includes(next) || (walk.length && !near()[walk[walk.length - 1]].includes(next))) return walk;
      walk.push(next);
    }
  };

  /** Mark the cells that have another number in a solution of the puzzle. */
  byId("mistakes", HTMLButtonElement, async () => {
    hinted();
    const answer = await app.work({ ask: "tour", seconds: 30 }, t("doing.solve"));
    if (!answer?.cells) {
      if (answer) app.tell(answer.message, /** @type {any} */ (answer.status));
      return;
    }
    const { cells } = answer;
    const numbers = state.walk.map((cell, i) => [cell, i + 1]);
    for (const [cell, text] of state.notes) if (!text.startsWith("-") && !state.walk.includes(cell)) numbers.push([cell, Number(text)]);
    mistakes = new Set(numbers.filter(([cell, step]) => cells[step - 1] !== cell).map(([cell]) => cell));
    const listed = [...mistakes].map(name).join(", ");
    app.tell(t(mistakes.size ? "entry.mistakes" : "entry.right", { n: mistakes.size, cells: listed }), mistakes.size ? "wrong" : "right");
    app.refresh();
  });

  field.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && selected >= 0) app.stage.grid.go(selected);
  });

  return {
    root,
    begin,
    choose,
    entry: () => entry,
    /** The walk or a number is another one: nothing is known of mistakes. */
    forget() {
      mistakes = new Set();
    },
    /** @param {Set<number>} seen cells of the walk @returns {Mark[]} */
    marks(seen) {
      const notes = [...state.notes].filter(([cell]) => !seen.has(cell));
      return [
        ...notes.map(([cell, text]) => (text.startsWith("-") ? { cell, kind: "pencil", text: text.slice(1).replaceAll("-", " ") } : { cell, kind: "written", text })),
        ...(selected >= 0 ? [{ cell: selected, kind: "selected" }] : []),
      ];
    },
    /** Signs above all others. @returns {Mark[]} */
    corrections: () => [...mistakes].map((cell) => ({ cell, kind: "mistake" })),
  };
}
