// Watch: how a tour is shown, and Warnsdorff's rule choice by choice.

import { jump } from "./ask.js";
import { byId, choices, chosen } from "./dom.js";
import { choice } from "./rule.js";
import { t } from "./texts.js";

/** @param {App} app @returns {Part} */
export function watchPart(app) {
  const ties = byId("ties", HTMLSelectElement);
  const choiceText = byId("choice", HTMLElement);
  const empty = byId("watch-empty", HTMLElement);
  choices(ties, app.choices.ties.map((name) => [name, t(`ties.${name}`)]), "first");
  /** The choice at a step of a walk by the rule, and its signs. @type {{walk: Tour | null, step: number, text?: string, marks?: Mark[]}} */
  let last = { walk: null, step: 0 };

  byId("walk-rule", HTMLButtonElement, async () => {
    const answer = await app.work({ ask: "warnsdorff", ties: ties.value, seconds: 60 }, t("doing.walk"));
    if (answer === null) return;
    app.show(answer);
    app.player.hurry(1.5);
    app.player.go(1);
  });

  chosen("style", (value) => {
    app.player.style = { line: value !== "numbers", numbers: value !== "path", colours: value === "colours" };
    app.refresh();
  });

  return {
    id: "watch",
    scene() {
      const { player: { walk, at }, state: { near, board, tour } } = app;
      const step = Math.floor(at);
      empty.hidden = tour !== null;
      if (last.walk !== walk || last.step !== step) {
        last = { walk, step };
        if (walk?.equals && board?.names) {
          const { options, text } = choice(near, board.names, walk.cells, step, walk.equals, board.size);
          last = { walk, step, text, marks: options.map(([cell, degree]) => ({ cell, kind: cell === walk.cells[step] ? "chosen" : "option", text: String(degree) })) };
        }
        choiceText.textContent = last.text ?? "";
      }
      return { ...app.player.scene(), marks: last.marks };
    },
    touch(touch) {
      if (touch.kind !== "over") jump(app, touch.to);
    },
  };
}
