// The board: its shape, removed cells, ends, and moves to make or to avoid.

import { ask, wrong } from "./api.js";
import { button, choices, labelled, make, say, ticked } from "./dom.js";
import { home } from "./home.js";
import { pieces } from "./piece.js";

/** @import { App, Part } from "./app.js" */
/** @import { Touch } from "./stage.js" */

/** @type {[string, string, string][]} */
const TOOLS = [
  ["cells", "Remove cells, put them back", "Click a cell, or drag over several."],
  ["start", "Set the start", "Click a cell; a second click undoes it."],
  ["end", "Set the end", "Click a cell; the tour becomes an open one."],
  ["with", "Require a move", "Drag from a cell to another, or press one after the other."],
  ["avoid", "Forbid a move", "Drag from a cell to another, or press one after the other."],
];

/**
 * @param {App} app
 * @returns {Part}
 */
export function boardPart(app) {
  const { state, stage } = app;
  let tool = "cells";
  /** @type {Set<number>} */
  const touched = new Set();
  let first = -1; // of a move, when cells are pressed one after the other
  /** @type {[number, number, string][]} */
  let dragged = [];
  const family = make("select", {});
  const sides = make("span", { class: "sides" });
  const free = make("input", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "none" });
  const hint = make("p", { class: "hint" });
  const moves = make("ul", { class: "chips", "aria-label": "Ends and moves" });
  const picture = make("textarea", { rows: 6, spellcheck: "false", placeholder: "........\n..####..\n........" });
  const piece = pieces(app);

  const name = (/** @type {number} */ place) => state.board?.names?.[place] ?? "";

  /** The spec that the fields make. */
  const spec = () => {
    const [kind, , , , between] = app.choices.families[Number(family.value)];
    const values = [...sides.querySelectorAll("input")].map((field) => String(Math.max(1, Math.round(field.valueAsNumber) || 1)));
    return `${kind === "box" ? "" : `${kind}:`}${values.join(between)}`;
  };

  /** @param {string} text of the sides */
  const fields = (text) => {
    const between = app.choices.families[Number(family.value)][4];
    const made = text.split(between).map((value, i) => {
      const field = make("input", { type: "number", min: 1, max: 1000, value, "aria-label": `Side ${i + 1}` });
      field.addEventListener("change", () => void state.change({ board: spec() }));
      return field;
    });
    sides.replaceChildren(...made);
  };

  family.addEventListener("change", () => {
    fields(app.choices.families[Number(family.value)][5]);
    void state.change({ board: spec() });
  });

  /** @param {number} place */
  const end = (place) => {
    const key = tool === "start" ? "start" : "end";
    const value = state.question[key] === name(place) ? "" : name(place);
    const open = key === "end" && value ? { open: true } : {};
    void state.change({ ...open, [key]: value });
  };

  /**
   * Require or forbid a move, or undo that.
   * @param {number} a
   * @param {number} b
   */
  const wish = (a, b) => {
    const key = tool === "with" ? "with" : "avoid";
    const both = [`${name(a)}-${name(b)}`, `${name(b)}-${name(a)}`];
    const others = state.question[key].filter((one) => !both.includes(one));
    const there = others.length < state.question[key].length;
    void state.change({ [key]: there ? others : [...others, both[0]] });
  };

  /** @param {Touch} touch */
  const drag = (touch) => {
    dragged = touch.kind === "over" && touch.to >= 0 && touch.to !== touch.from ? [[touch.from, touch.to, "drag"]] : [];
    if (touch.kind === "drop" || touch.kind === "key") {
      const [a, b] = touch.kind === "drop" && touch.from !== touch.to ? [touch.from, touch.to] : [first, touch.to];
      if (a >= 0 && b >= 0 && a !== b) {
        first = -1;
        wish(a, b);
      } else {
        first = first === touch.to ? -1 : touch.to;
        if (first >= 0) say(`${name(first)}: press the other cell of the move`);
      }
    }
    app.refresh();
  };

  /** @param {Touch} touch */
  const touch = (touch) => {
    if (!state.board?.names) return;
    if (tool === "with" || tool === "avoid") drag(touch);
    else if (tool !== "cells") {
      if ((touch.kind === "drop" || touch.kind === "key") && touch.to >= 0 && touch.from === touch.to) end(touch.to);
    } else if (touch.kind === "key") void state.change({}, [touch.to]);
    else if (touch.kind !== "drop" && touch.to >= 0) {
      touched.add(touch.to);
      app.refresh();
    } else if (touch.kind === "drop") {
      const places = [...touched];
      touched.clear();
      if (places.length) void state.change({}, places);
    }
  };

  const changed = () => {
    const { question } = state;
    first = -1;
    if (home.root.activeElement !== free) free.value = question.board;
    const [shape] = question.board.split("-");
    const [kind, numbers] = shape.includes(":") ? shape.split(":") : ["box", shape];
    const count = (/** @type {string} */ between) => numbers.split(between).length;
    const at = app.choices.families.findIndex(([name, , least, most, between]) =>
      name === kind && count(between) >= least && count(between) <= most);
    if (at >= 0) {
      family.value = String(at);
      if (spec() !== shape) fields(numbers);
    }
    const chip = (/** @type {string} */ words, /** @type {Partial<import("./types.js").Question>} */ without) =>
      make("li", {}, words, button("×", () => void state.change(without), { "aria-label": `Remove: ${words}` }));
    const list = (/** @type {"with" | "avoid"} */ key, /** @type {string} */ word) =>
      question[key].map((move) => chip(`${word} ${move}`, { [key]: question[key].filter((one) => one !== move) }));
    moves.replaceChildren(
      ...(question.start ? [chip(`start ${question.start}`, { start: "" })] : []),
      ...(question.end ? [chip(`end ${question.end}`, { end: "" })] : []),
      ...list("with", "with"),
      ...list("avoid", "without"),
      ...question.at.map((one) => chip(`step ${one.replace("=", " on ")}`, { at: question.at.filter((other) => other !== one) })),
      ...(question.through.length ? [chip(`through ${question.through.join(", ")}`, { through: [] })] : []),
    );
    piece.changed();
  };

  return {
    id: "board",
    title: "Board",
    build(root) {
      choices(family, app.choices.families.map((one, i) => [String(i), one[1]]), "0");
      fields("8x8");
      free.addEventListener("keydown", (event) => {
        if (event.key === "Enter") void state.change({ board: free.value });
      });
      const tools = TOOLS.map(([id, text, help]) => {
        const field = make("input", { type: "radio", name: "tool", value: id });
        field.checked = id === tool;
        field.addEventListener("change", () => {
          tool = id;
          first = -1;
          hint.textContent = help;
          app.refresh();
        });
        return ticked(text, field);
      });
      hint.textContent = TOOLS[0][2];
      const draw = async () => {
        try {
          const found = await ask({ ask: "mask", text: picture.value });
          await state.change({ board: found.board });
        } catch (error) {
          app.tell(wrong(error), "wrong");
        }
      };
      root.append(
        make("div", { class: "row" }, labelled("Shape", family), make("div", { class: "field", role: "group", "aria-label": "Sides" }, make("span", { "aria-hidden": "true" }, "Sides"), sides)),
        make("div", { class: "row" }, labelled("As text", free), button("Show", () => void state.change({ board: free.value }))),
        make("fieldset", {}, make("legend", {}, "On the board"), ...tools, hint),
        moves,
        piece.root,
        make("details", {}, make("summary", {}, "Draw a mask"),
          make("p", { class: "hint" }, "A dot is a cell, # a hole; an empty line starts a new level."),
          labelled("Picture of the board", picture), button("Use it", () => void draw())),
      );
    },
    drags: true,
    changed,
    touch,
    scene() {
      const scene = app.player.scene();
      const marks = [...touched].map((cell) => ({ cell, kind: "unvisited" }));
      if (first >= 0) marks.push({ cell: first, kind: "option" });
      return { ...scene, marks, lines: dragged };
    },
    leave() {
      first = -1;
      dragged = [];
      stage.draw(false);
    },
  };
}
