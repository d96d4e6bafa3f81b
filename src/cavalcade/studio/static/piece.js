// The piece: one with a name, one as text, or its moves drawn on a small board.

import { button, choices, entered, labelled, make } from "./dom.js";
import { home } from "./home.js";
import { t } from "./texts.js";

/** @param {App} app @returns {{root: HTMLElement, changed: () => void}} */
export function pieces(app) {
  const { state } = app;
  const named = make("select", { change: () => void (named.value && state.change({ piece: named.value })) });
  const text = make("input", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "none", keydown: entered(() => use()) });
  const small = make("div", { class: "moves", role: "group", "aria-label": t("piece.moves") });
  const hint = make("p", { class: "hint" }, t("piece.hint"));
  const drawing = make("details", {}, make("summary", {}, t("piece.draw")), small);
  const use = () => void state.change({ piece: text.value });

  /** @param {string} vector */
  const toggle = (vector) => {
    const chosen = new Set((state.board?.grid?.cells ?? []).filter((one) => one[3]).map((one) => one[2]));
    const back = vector.split(",").map((number) => String(-Number(number))).join(",");
    for (const one of [vector, back]) if (!chosen.delete(one)) chosen.add(one);
    if (chosen.size) void state.change({ piece: `moves:${[...chosen].join(";")}` });
  };

  const changed = () => {
    const { board } = state;
    if (board === null) return;
    const known = app.choices.pieces.some(([name]) => name === board.piece);
    choices(named, [...app.choices.pieces, ...(known ? [] : /** @type {[string, string][]} */ ([["", t("piece.other")]]))], known ? board.piece : "");
    if (home.root.activeElement !== text) text.value = board.piece;
    drawing.hidden = board.grid === null;
    hint.hidden = !drawing.hidden;
    if (board.grid === null) return;
    const { cells, extent } = board.grid;
    const size = 100 / (2 * extent);
    const focused = home.root.activeElement instanceof HTMLElement ? home.root.activeElement.dataset.vector : undefined;
    small.replaceChildren(...cells.map(([x, y, vector, chosen]) => {
      const middle = vector === "0,0";
      const one = make("button", {
        type: "button", "data-vector": vector, "aria-pressed": String(chosen), disabled: middle,
        "aria-label": middle ? t("piece.here") : t("piece.move", { vector }), click: () => toggle(vector),
      }, middle ? "♞" : "");
      one.style.left = `${(x + extent - 10) * size}%`;
      one.style.top = `${(y + extent - 10) * size}%`;
      one.style.width = one.style.height = `${20 * size}%`;
      if (vector === focused) queueMicrotask(() => one.focus());
      return one;
    }));
  };

  const root = make("fieldset", {}, make("legend", {}, t("piece")),
    make("div", { class: "row" }, labelled(t("piece.name"), named), labelled(t("as-text"), text), button(t("piece.use"), use)), drawing, hint);
  return { root, changed };
}
