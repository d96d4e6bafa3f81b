// The piece: one with a name, one as text, or its moves drawn on a small board.

import { byId, choices, make } from "./dom.js";
import { home } from "./home.js";
import { t } from "./texts.js";

/** @param {App} app */
export function pieces(app) {
  const { state } = app;
  const named = byId("piece-name", HTMLSelectElement, ({ value }) => value && state.change({ piece: value }));
  const text = byId("piece-text", HTMLInputElement);
  const [small, hint, drawing] = ["moves", "piece-hint", "piece-drawing"].map((id) => byId(id, HTMLElement));
  byId("piece-form", HTMLFormElement, () => state.change({ piece: text.value }));

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
    choices(named, [...app.choices.pieces.map(([name, moves]) => /** @type {[string, string]} */ ([name, `${t(`piece.${name}`)} ${moves}`])), ...(known ? [] : /** @type {[string, string][]} */ ([["", t("piece.other")]]))], known ? board.piece : "");
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
  return { changed };
}
