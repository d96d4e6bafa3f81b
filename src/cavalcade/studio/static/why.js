// Why not: a proof sentence by sentence, each with its cells and moves on the board. Cells are counted into two piles, parts
// drift apart, and moves are drawn one by one.

import { button, byId, make, moving, still } from "./dom.js";
import { written } from "./shapes.js";
import { drawn, lines, marks, signs, within } from "./signs.js";
import { speech, t } from "./texts.js";

const LASTS = 1500; // milliseconds of a sentence that moves
const LIFTED = 0.35; // of them, after which the parts of a cut drift
const APART = 0.22; // cells that a part drifts
const PILED = new Set(["colours", "hall"]); // rules that count two kinds of cells

/** The signs: what a sentence says of cells and moves, and its sign or line; the catalogue has the meaning where the rule has no other word. @type {[keyof Sentence, string][]} */
const LEGEND = [["named", "named"], ["beside", "beside"], ["parts", "part-0"], ["counted", "counted"], ["moves", "moves"], ["forced", "forced"], ["out", "out"], ["rest", "rest"]];
const SIGN = 20; // units of a sign in the legend
/** @param {App} app @returns {Part} */
export function whyPart(app) {
  let at = 0;
  const [list, legend, place, empty, simply, piles, steps] = ["story", "legend", "why-place", "why-none", "simply", "piles", "why-steps"].map((id) => byId(id, HTMLElement));
  const simple = byId("simple", HTMLInputElement, ({ checked }) => app.speak(!checked));
  simple.checked = !speech.exact;
  const [back, forward] = [-1, 1].map((by) => byId(by < 0 ? "why-back" : "why-forward", HTMLButtonElement, () => go(at + by)));
  let moved = 1; // how much of the motion of a sentence is over
  /** The motion that goes on. */
  let motion = {};
  const story = () => app.answer?.story ?? [];
  /** The sentence, or the last one before it that highlights cells. */
  const highlighted = () => {
    const sentences = story();
    let i = at;
    while (i > 0 && !sentences[i]?.rule) i--;
    return sentences[i];
  };

  /** Let the sentence move, unless things are to keep still. */
  const move = () => {
    const mine = (motion = {});
    moved = still() || app.part?.id !== "why" ? 1 : 0;
    if (moved < 1) void moving(LASTS, (part) => {
      if (motion !== mine) return false;
      moved = part;
      app.refresh();
      return true;
    });
  };

  /** The two piles as far as they are counted. */
  const pile = () => {
    const one = highlighted();
    piles.hidden = !one || !PILED.has(one.rule ?? "");
    if (piles.hidden) return;
    const sizes = [one.named?.length ?? 0, one.beside?.length ?? 0];
    const most = Math.max(...sizes);
    [...piles.children].forEach((bar, i) => {
      const now = Math.min(Math.round(moved * most), sizes[i]);
      bar.textContent = `${"■●"[i]} ${now}`;
      /** @type {HTMLElement} */ (bar).style.setProperty("--part", String(now / most));
    });
  };

  /** @param {number} next */
  const go = (next) => {
    const sentences = story();
    if (!sentences.length) return;
    at = Math.min(Math.max(next, 0), sentences.length - 1);
    [...list.children].forEach((item, i) => {
      item.querySelector("button")?.setAttribute("aria-current", String(i === at));
      if (i === at && list.offsetParent !== null) item.scrollIntoView({ block: "nearest" });
    });
    [back, forward].forEach((one, i) => (one.ariaDisabled = String(at === i * (sentences.length - 1)))); // they keep the focus, for the arrow keys
    place.textContent = t("learn.of", { n: at + 1, goal: sentences.length });
    const one = highlighted();
    legend.replaceChildren(...LEGEND.filter(([key]) => /** @type {unknown[]} */ (one[key] ?? []).length)
      .map(([key, kind]) => make("li", {}, signed(one.rule === "cut" && key === "named" ? "lifted" : kind, app.stage.style), ` ${(speech.language === "en" && one.meanings?.[key]) || t(`legend.${key}`)}`)));
    move();
    app.refresh();
  };

  /** A sentence in full, or in words for a child where there are some. @param {Sentence} one */
  const words = (one) => {
    const { named = [], beside = [], parts = [], rest = [] } = one;
    const { open } = app.state.question;
    const code = [`why.${one.rule}.open`, `why.${one.rule}`].find((name, i) => (i || open) && name in speech.texts);
    return speech.exact || !code ? one.text
      : t(code, { n: named.length, beside: beside.length, parts: beside.length + parts.length + Number(rest.length > 0), most: named.length + Number(open) });
  };

  const rebuild = () => {
    const sentences = story();
    at = 0;
    simply.hidden = steps.hidden = !sentences.length;
    list.replaceChildren(...sentences.map((one, i) => make("li", {}, button(words(one), () => go(i)))));
    legend.replaceChildren();
    empty.hidden = sentences.length > 0;
    empty.textContent = t(app.answer?.status === "found" ? "why.found" : "why.empty");
    go(0);
  };

  byId("part-why", HTMLElement).addEventListener("keydown", (event) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    go(at + (event.key === "ArrowRight" ? 1 : -1));
  });

  return {
    id: "why",
    changed: rebuild,
    answered: rebuild,
    enter: () => go(at),
    leave: () => void (motion = {}),
    scene() {
      pile();
      const sentence = highlighted();
      if (sentence === undefined) return app.player.scene();
      const walked = app.answer?.walk ?? [];
      const before = story().slice(0, at).filter((one) => one.rule).pop();
      const lines = [...within(sentence, app.state.board), ...fresh(sentence, before, "out", moved), ...fresh(sentence, before, "forced", moved), ...drawn(sentence, "moves")];
      const scene = { cells: walked, upto: walked.length, line: true, numbers: true, lines };
      if (PILED.has(sentence.rule ?? "")) {
        const many = Math.round(moved * Math.max(sentence.named?.length ?? 0, sentence.beside?.length ?? 0));
        return { ...scene, marks: marks({ ...sentence, named: sentence.named?.slice(0, many), beside: sentence.beside?.slice(0, many) }, true) };
      }
      const { board } = app.state;
      const apart = sentence.rule === "cut" && board && !board.level && !board.over.length ? { drift: { to: drifting(sentence, board), moved: away(moved) } } : {};
      return { ...scene, ...apart, marks: marks(sentence) };
    },
  };
}

/** How far the parts of a cut are apart while their sentence moves: at its end they are together again. @param {number} moved */
function away(moved) {
  const part = Math.max(0, (moved - LIFTED) / (1 - LIFTED));
  return 4 * part * (1 - part);
}

/**
 * How far the cells of a cut drift, each part away from the middle of all.
 * @param {Sentence} sentence
 * @param {Board} board
 */
function drifting({ beside = [], parts = [], rest = [] }, { x, y }) {
  const found = new Float32Array(2 * x.length);
  const groups = [...beside.map((cell) => [cell]), ...parts, rest].filter((cells) => cells.length);
  const middle = (/** @type {number[]} */ cells) => [x, y].map((one) => cells.reduce((sum, cell) => sum + one[cell], 0) / cells.length);
  const all = middle(groups.flat());
  for (const cells of groups) {
    const away = middle(cells).map((one, i) => one - all[i]);
    const far = Math.hypot(...away) || 1;
    for (const cell of cells) away.forEach((one, i) => (found[2 * cell + i] = (APART * one) / far));
  }
  return found;
}

/**
 * The moves of a kind; those that the last sentence did not have come one after the other.
 * @param {Sentence} sentence
 * @param {Sentence | undefined} before
 * @param {"forced" | "out"} kind
 * @param {number} moved
 */
function fresh(sentence, before, kind, moved) {
  const old = new Set((before?.[kind] ?? []).map(String));
  const all = drawn(sentence, kind);
  const [known, others] = [true, false].map((want) => all.filter(([a, b]) => old.has(`${a},${b}`) === want));
  return [...known, ...others.slice(0, Math.ceil(moved * others.length))];
}

/** A sign of the legend, or a line. @param {string} kind @param {Look} look */
function signed(kind, look) {
  const view = /** @type {any} */ ({ cell: SIGN, look, board: { size: 1 }, at: () => [0, 0], visible: () => true, segments: () => [[-0.65 * SIGN, 0, 0.65 * SIGN, 0]] });
  const shapes = signs([{ cell: 0, kind, text: kind === "part-0" ? "1" : "" }], view);
  const holder = make("span", { class: "sign" });
  holder.innerHTML = written(shapes.length ? shapes : lines([[0, 1, kind]], view), [-0.75 * SIGN, -0.35 * SIGN, 1.5 * SIGN, 0.7 * SIGN], "", 1.4);
  return holder;
}
