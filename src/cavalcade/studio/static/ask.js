// Ask: is there a tour, is there none, how many are there?

import { button, choices, labelled, make, ticked } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Part} Part */

/**
 * @param {App} app
 * @returns {Part}
 */
export function askPart(app) {
  const { state } = app;
  const closed = make("input", { type: "radio", name: "kind" });
  const open = make("input", { type: "radio", name: "kind" });
  const symmetry = make("select", {});
  const seconds = make("input", { type: "number", min: 1, max: 3600, value: 60 });
  const seed = make("input", { type: "number", min: 0, max: 999999999, value: 0 });
  const count = make("output", { class: "count" });
  closed.addEventListener("change", () => void state.change({ open: false, end: "" }));
  open.addEventListener("change", () => void state.change({ open: true }));
  symmetry.addEventListener("change", () => void state.change({ symmetry: symmetry.value }));

  /**
   * @param {"tour" | "prove" | "count"} what
   * @param {string} doing
   */
  const ask = async (what, doing) => {
    count.textContent = "";
    const words = { ask: what, seconds: seconds.valueAsNumber || 60, seed: seed.valueAsNumber || 0 };
    const answer = await app.work(words, doing);
    if (answer === null) return;
    if (what === "count") {
      count.textContent = answer.count ? BigInt(answer.count).toLocaleString("en") : "";
      app.tell(answer.message, "counted");
      return;
    }
    app.show(answer);
    if (answer.story && app.part?.id === "ask") app.open("why");
  };

  return {
    id: "ask",
    title: "Ask",
    build(root) {
      root.append(
        make("fieldset", {}, make("legend", {}, "Which tours"), ticked("closed: the last move leads back to the first cell", closed), ticked("open", open), labelled("Symmetric under", symmetry)),
        make("div", { class: "buttons" },
          button("Find a tour", () => void ask("tour", "Looking for a tour"), { id: "ask-tour", class: "strong" }),
          button("Prove there is none", () => void ask("prove", "Looking for a reason"), { id: "ask-prove" }),
          button("Count them", () => void ask("count", "Counting"), { id: "ask-count" })),
        count,
        make("div", { class: "row" }, labelled("Time limit in seconds", seconds), labelled("Seed of the random choices", seed)),
        make("p", { class: "hint" }, "Every answer is checked before it is shown. Counting 8x8 takes minutes and much memory; Stop ends it."),
      );
    },
    changed() {
      const { question, board } = state;
      closed.checked = !question.open;
      open.checked = question.open;
      count.textContent = "";
      const names = board?.symmetries ?? [];
      choices(symmetry, [["", "no symmetry"], ...names.map((name) => /** @type {[string, string]} */ ([name, name]))], question.symmetry);
      symmetry.disabled = !names.length;
    },
    touch(touch) {
      if (touch.kind !== "over") jump(app, touch.to);
    },
  };
}

/**
 * Go to the step that visits a cell.
 * @param {App} app
 * @param {number} place
 */
export function jump(app, place) {
  const step = app.player.walk?.cells.indexOf(place) ?? -1;
  if (step >= 0) app.player.go(step + 1);
}
