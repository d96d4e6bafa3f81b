// The board: its shape, removed cells, ends, and moves to make or to avoid.

import { button, byId, choices, chosen, make, say } from "./dom.js";
import { home } from "./home.js";
import { pieces } from "./piece.js";
import { t } from "./texts.js";

/** @param {App} app @returns {Part} */
export function boardPart(app) {
  const { state } = app;
  let tool = "cells";
  /** @type {Set<number>} */
  const touched = new Set();
  let first = -1; // of a move, when cells are pressed one after the other
  /** @type {[number, number, string][]} */
  let dragged = [];
  const family = byId("family", HTMLSelectElement, () => {
    fields(app.choices.families[Number(family.value)][5]);
    void state.change({ board: spec() });
  });
  const [sides, chips] = ["sides", "chips"].map((id) => byId(id, HTMLElement));
  const free = byId("board-text", HTMLInputElement);
  const picture = byId("mask", HTMLTextAreaElement);
  const piece = pieces(app);
  const name = state.name.bind(state);
  byId("board-form", HTMLFormElement, () => state.change({ board: free.value }));
  byId("use-mask", HTMLButtonElement, async () => {
    const answer = await app.work({ ask: "mask", text: picture.value }, t("doing.board"));
    if (answer) await state.change({ board: answer.board });
  });
  chosen("tool", (id) => {
    tool = id;
    first = -1;
    byId("tool-help", HTMLElement).textContent = t(`tool.${id}.help`);
    app.refresh();
  });

  /** The spec that the fields make. */
  const spec = () => {
    const [kind, , , , between] = app.choices.families[Number(family.value)];
    const values = [...sides.querySelectorAll("input")].map((field) => String(Math.max(1, Math.round(field.valueAsNumber) || 1)));
    return `${kind === "box" ? "" : `${kind}:`}${values.join(between)}`;
  };

  /** @param {string} text of the sides */
  const fields = (text) => {
    const between = app.choices.families[Number(family.value)][4];
    sides.replaceChildren(...text.split(between).map((value, i) =>
      make("input", { type: "number", min: 1, max: 1000, value, "aria-label": t("board.side", { n: i + 1 }), change: () => void state.change({ board: spec() }) })));
  };

  /** @param {number} place */
  const end = (place) => {
    const key = tool === "start" ? "start" : "end";
    const value = state.question[key] === name(place) ? "" : name(place);
    const open = key === "end" && value ? { open: true } : {};
    void state.change({ ...open, [key]: value });
  };

  /** Require or forbid a move, or undo that. @param {number} a @param {number} b */
  const wish = (a, b) => {
    const key = tool === "with" ? "with" : "avoid";
    const both = [`${name(a)}-${name(b)}`, `${name(b)}-${name(a)}`];
    const others = state.question[key].filter((one) => !both.includes(one));
    const there = others.length < state.question[key].length;
    void state.change({ [key]: there ? others : [...others, both[0]] });
  };

  /** @param {Press} touch */
  const drag = (touch) => {
    dragged = touch.kind === "over" && touch.to >= 0 && touch.to !== touch.from ? [[touch.from, touch.to, "drag"]] : [];
    if (touch.kind === "drop" || touch.kind === "key") {
      const [a, b] = touch.kind === "drop" && touch.from !== touch.to ? [touch.from, touch.to] : [first, touch.to];
      if (a >= 0 && b >= 0 && a !== b) {
        first = -1;
        wish(a, b);
      } else {
        first = first === touch.to ? -1 : touch.to;
        if (first >= 0) say(t("board.other-end", { cell: name(first) }));
      }
    }
    app.refresh();
  };

  /** @param {Press} touch */
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
    const chip = (/** @type {string} */ words, /** @type {Partial<Question>} */ without) =>
      make("li", {}, words, button("×", () => void state.change(without), { "aria-label": t("chip.remove", { what: words }) }));
    const list = (/** @type {"with" | "avoid"} */ key) =>
      question[key].map((move) => chip(t(`chip.${key}`, { move }), { [key]: question[key].filter((one) => one !== move) }));
    chips.replaceChildren(
      ...(question.start ? [chip(t("chip.start", { cell: question.start }), { start: "" })] : []),
      ...(question.end ? [chip(t("chip.end", { cell: question.end }), { end: "" })] : []),
      ...list("with"),
      ...list("avoid"),
      ...question.at.map((one) => chip(t("chip.at", { step: one.split("=")[0], cell: one.split("=")[1] }), { at: question.at.filter((other) => other !== one) })),
      ...(question.through.length ? [chip(t("chip.through", { cells: question.through.join(", ") }), { through: [] })] : []),
    );
    piece.changed();
  };

  choices(family, app.choices.families.map((one, i) => [String(i), t(`family.${one[1]}`)]), "0");
  fields("8x8");

  return {
    id: "board",
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
    },
  };
}
