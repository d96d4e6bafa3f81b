// Watch: how a tour is shown, and Warnsdorff's rule choice by choice.

import { jump } from "./ask.js";
import { button, choices, counted, labelled, make, ticked } from "./dom.js";
import { choice } from "./rule.js";
import { t } from "./texts.js";

/** @type {[string, {line: boolean, numbers: boolean, colours: boolean}][]} */
const STYLES = [
  ["both", { line: true, numbers: true, colours: false }],
  ["path", { line: true, numbers: false, colours: false }],
  ["numbers", { line: false, numbers: true, colours: false }],
  ["colours", { line: true, numbers: true, colours: true }],
];

/** @param {App} app @returns {Part} */
export function watchPart(app) {
  const ties = make("select", {});
  const choiceText = make("p", { class: "status", "aria-live": "polite" });
  const empty = make("p", { class: "hint" }, t("watch.empty"));
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

  const forget = () => {
    last = null;
    choiceText.textContent = "";
  };

  const walk = async () => {
    const answer = await app.work({ ask: "warnsdorff", ties: ties.value, seconds: 60 }, t("doing.walk"));
    if (answer === null) return;
    app.show(answer);
    app.player.hurry(1.5);
    app.player.go(1);
  };

  return {
    id: "watch",
    build(root) {
      const styles = STYLES.map(([id, style]) => ticked(t(`style.${id}`), make("input", { type: "radio", name: "style", value: id, checked: id === "both", change: () => {
        app.player.style = style;
        app.refresh();
      } })));
      choices(ties, app.choices.ties.map((name) => [name, t(`ties.${name}`)]), "first");
      root.append(
        make("fieldset", {}, make("legend", {}, t("watch.style")), ...styles),
        empty,
        make("fieldset", {}, make("legend", {}, t("watch.rule")),
          make("p", { class: "hint" }, t("watch.rule-help")),
          make("div", { class: "row" }, labelled(t("watch.ties"), ties), button(t("watch.walk"), () => void walk(), { id: "walk-rule" })),
          choiceText),
      );
    },
    changed: forget,
    answered: forget,
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
      for (const [cell, degree] of chosen()?.options ?? []) words.set(cell, counted(degree, "onward-move"));
      return words;
    },
    touch(touch) {
      if (touch.kind !== "over") jump(app, touch.to);
    },
  };
}
