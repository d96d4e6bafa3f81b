// Watch: how a tour is shown, and Warnsdorff's rule choice by choice.

import { jump } from "./ask.js";
import { button, choices, counted, labelled, make, ticked } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Part} Part */
/** @typedef {import("./types.js").Scene} Scene */

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
  let shown = -1;

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
      shown = -1;
      choiceText.textContent = "";
    },
    scene() {
      const { player } = app;
      const scene = player.scene();
      empty.hidden = player.walk !== null;
      const step = Math.floor(player.at);
      const choice = player.walk?.choices?.[step - 1];
      if (choice === undefined) return scene;
      if (step !== shown) choiceText.textContent = choice.text;
      shown = step;
      const next = player.walk?.cells[step];
      const marks = [...choice.options].map((cell, i) =>
        ({ cell, kind: cell === next ? "chosen" : "option", text: String(choice.degrees[i]) }));
      return { ...scene, marks };
    },
    words() {
      const words = app.player.words();
      const choice = app.player.walk?.choices?.[Math.floor(app.player.at) - 1];
      choice?.options.forEach((cell, i) => words.set(cell, counted(choice.degrees[i], "onward move")));
      return words;
    },
    touch(touch) {
      if (touch.kind !== "over") jump(app, touch.to);
    },
  };
}
