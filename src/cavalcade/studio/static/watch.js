// Watch: how a tour is shown, and Warnsdorff's rule choice by choice.

import { jump } from "./ask.js";
import { button, choices, counted, labelled, make, ticked } from "./dom.js";
import { choice } from "./rule.js";

/** @import { App, Part } from "./app.js" */
/** @import { Scene } from "./types.js" */

/** @type {[string, string, {line: boolean, numbers: boolean, colours: boolean}][]} */
const STYLES = [
  ["both", "Path and numbers", { line: true, numbers: true, colours: false }],
  ["path", "Path only", { line: true, numbers: false, colours: false }],
  ["numbers", "Numbers only", { line: false, numbers: true, colours: false }],
  ["colours", "Colours, from dark to light", { line: true, numbers: true, colours: true }],
];

/**
 * @param {App} app
 * @returns {Part}
 */
export function watchPart(app) {
  const ties = make("select", {});
  const choiceText = make("p", { class: "status", "aria-live": "polite" });
  const empty = make("p", { class: "hint" }, "There is no tour yet: ask for one, or walk by Warnsdorff's rule.");
  /** @type {{step: number, options: [number, number][], text: string} | null} */
  let last = null;
  /** The choice at this step of a walk by the rule. */
  const chosen = () => {
    const { board, near } = app.state;
    const { walk, at } = app.player;
    if (!walk?.equals || !board?.names) return null;
    const step = Math.floor(at);
    if (last?.step !== step) last = { step, ...choice(near, board.names, walk.cells, step, walk.equals, board.size) };
    return last;
  };

  const walk = async () => {
    const answer = await app.work({ ask: "warnsdorff", ties: ties.value, seconds: 60 }, "Walking");
    if (answer === null) return;
    app.show(answer);
    app.player.hurry(1.5);
    app.player.go(1);
  };

  return {
    id: "watch",
    title: "Watch",
    build(root) {
      const styles = STYLES.map(([id, text, style]) => {
        const field = make("input", { type: "radio", name: "style", value: id });
        field.checked = id === "both";
        field.addEventListener("change", () => {
          app.player.style = style;
          app.refresh();
        });
        return ticked(text, field);
      });
      choices(ties, app.choices.ties.map((name) => [name, name]), "first");
      root.append(
        make("fieldset", {}, make("legend", {}, "Shown as"), ...styles),
        empty,
        make("fieldset", {}, make("legend", {}, "Warnsdorff's rule"),
          make("p", { class: "hint" }, "Move to the cell with the fewest onward moves. The rings show how many each cell has; step through the choices with the buttons under the board."),
          make("div", { class: "row" }, labelled("Ties", ties), button("Walk by the rule", () => void walk(), { id: "walk-rule" })),
          choiceText),
      );
    },
    changed() {
      choiceText.textContent = "";
    },
    answered() {
      last = null;
      choiceText.textContent = "";
    },
    scene() {
      const { player } = app;
      const scene = player.scene();
      empty.hidden = player.walk !== null;
      const one = chosen();
      if (one === null) return scene;
      if (choiceText.textContent !== one.text) choiceText.textContent = one.text;
      const next = player.walk?.cells[one.step];
      const marks = one.options.map(([cell, degree]) => ({ cell, kind: cell === next ? "chosen" : "option", text: String(degree) }));
      return { ...scene, marks };
    },
    words() {
      const words = app.player.words();
      for (const [cell, degree] of chosen()?.options ?? []) words.set(cell, counted(degree, "onward move"));
      return words;
    },
    touch(touch) {
      if (touch.kind !== "over") jump(app, touch.to);
    },
  };
}
