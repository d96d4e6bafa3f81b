// Learn: lessons step by step, each with something to do, which the page checks.

import { button, byId, say } from "./dom.js";
import { kept } from "./memory.js";
import { t } from "./texts.js";
import { EMPTY } from "./words.js";

/** @param {App} app @returns {Part} */
export function learnPart(app) {
  const { state, choices: { lessons } } = app;
  let [lesson, at] = [-1, 0];
  let done = false;
  /** @type {number[]} */
  let cells = []; // that were clicked, in order
  const [list, title, text, told] = ["lessons", "lesson", "lesson-text", "lesson-told"].map((id) => byId(id, HTMLElement));
  const number = byId("lesson-number", HTMLInputElement);
  const next = byId("lesson-next", HTMLButtonElement, () => go(lesson, at + 1));

  /** What is said when a step is done. */
  const then = () => t(`lesson.${lesson}.${at}.then`);
  const step = () => lessons[lesson]?.[at];
  const name = state.name.bind(state);
  const from = () => {
    const place = state.board?.names?.indexOf(step()?.from ?? "") ?? -1;
    return place >= 0 ? place : Math.floor((state.board?.names?.length ?? 1) / 2);
  };
  const walks = () => ["reach", "tour", "rule"].includes(step()?.what ?? "");
  const here = () => cells[cells.length - 1];
  const free = (/** @type {number} */ place) => state.near[place].filter((one) => !cells.includes(one));

  /** The first step of a lesson that is not done; -1 if all are. @param {number} which */
  const open = (which) => lessons[which].findIndex((_, k) => !kept("lessons")?.[`${which}.${k}`]);
  const tick = () => [...list.children].forEach((one, i) => (one.textContent = `${i + 1}. ${t(`lesson.${i}`)}${open(i) < 0 ? " ✓" : ""}`));

  /** Show a step of a lesson. @param {number} which @param {number} k */
  const go = async (which, k) => {
    if (lessons[which] && k >= lessons[which].length) [which, k] = [which + 1, 0];
    if (!lessons[which]) which = 0;
    [lesson, at, done] = [which, k, false];
    const now = lessons[which][k];
    await state.change({ ...EMPTY, board: now.board, open: now.open ?? false });
    cells = walks() && now.from ? [from()] : [];
    [...list.children].forEach((one, i) => one.setAttribute("aria-pressed", String(i === which)));
    title.textContent = t("learn.title", { lesson: `${which + 1}. ${t(`lesson.${which}`)}`, step: k + 1, steps: lessons[which].length });
    text.textContent = t(`lesson.${which}.${k}.say`);
    answer.hidden = now.what !== "number";
    number.value = "";
    hear("");
    app.refresh();
  };

  /** @param {string} words @param {boolean} [finished] */
  const hear = (words, finished = false) => {
    if (finished) {
      done = true;
      kept("lessons", { ...kept("lessons"), [`${lesson}.${at}`]: 1 });
      tick();
    }
    told.textContent = words;
    next.hidden = !done;
    if (words) say(words);
  };

  /** The typed answer. */
  const answer = byId("lesson-form", HTMLFormElement, () => {
    const now = step();
    if (number.value && now) hear(number.valueAsNumber === now.answer ? t("learn.right", { then: then() }) : t("learn.wrong", { number: number.value }), number.valueAsNumber === now.answer);
  });

  /** @param {number} place */
  const click = (place) => {
    const now = step();
    if (!now || place < 0 || done) return;
    if (now.what === "jumps") {
      if (!state.near[from()].includes(place)) return hear(place === from() ? t("learn.there") : t("learn.far", { cell: name(place) }));
      if (!cells.includes(place)) cells.push(place);
      const left = state.near[from()].length - cells.length;
      hear(left ? t("learn.some", { n: cells.length }) : t("learn.all", { then: then() }), !left);
    } else if (walks()) {
      if (cells.length > (now.from ? 1 : 0) && place === here()) cells.pop();
      else if (cells.length && !free(here()).includes(place)) return hear(t(cells.includes(place) ? "learn.been" : "learn.no-move", { from: name(here()), to: name(place) }));
      else if (now.what === "rule" && free(place).length > Math.min(...free(here()).map((one) => free(one).length))) return hear(t("learn.fewer", { cell: name(place), ways: t("n.way", { n: free(place).length }) }));
      else cells.push(place);
      walked(now);
    }
    app.refresh();
  };

  /** @param {Step} now */
  const walked = (now) => {
    const moves = cells.length - 1;
    if (now.what === "reach") {
      if (name(here()) === now.to) hear(moves <= (now.most ?? 0) ? t("learn.right-moves", { moves: t("n.move", { n: moves }), then: then() }) : t("learn.long", { moves: t("n.move", { n: moves }), most: now.most }), moves <= (now.most ?? 0));
      else hear(moves ? t("n.move", { n: moves }) : "");
    } else {
      const goal = now.what === "tour" ? state.size : now.most ?? state.size;
      const stuck = cells.length < goal && cells.length > 0 && !free(here()).length;
      hear(cells.length === goal ? t("learn.right", { then: then() }) : stuck ? t("learn.stuck", { cells: t("n.cell", { n: goal - cells.length }), cell: name(here()) }) : t("learn.of", { n: cells.length, goal }), cells.length === goal);
    }
  };

  list.append(...lessons.map((_, i) => button("", () => void go(i, Math.max(0, open(i))), { "data-lesson": i, "aria-pressed": "false" })));
  tick();

  return {
    id: "learn",
    drags: true,
    scene() {
      const now = step();
      if (!now || state.board === null || state.question.board !== now.board) return app.player.scene();
      /** @type {Mark[]} */
      const marks = [];
      if (now.what === "jumps") {
        return { marks: cells.map((cell) => ({ cell, kind: "reached" })), piece: from() };
      }
      if (now.to) marks.push({ cell: state.board.names?.indexOf(now.to) ?? 0, kind: "end" });
      if (now.what === "rule" && cells.length && !done) for (const cell of free(here())) marks.push({ cell, kind: "option", text: String(free(cell).length) });
      return { cells, upto: cells.length, line: true, numbers: true, rides: true, marks };
    },
    status: () => (step() ? [told.textContent || text.textContent || "", ""] : null),
    touch(touch) {
      if (touch.kind === "press" || touch.kind === "key") click(touch.to);
    },
  };
}
