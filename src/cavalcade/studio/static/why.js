// Why not: a proof sentence by sentence, each with its cells and moves on the board.

import { button, make } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Part} Part */
/** @typedef {import("./types.js").Sentence} Sentence */

const PARTS = 4; // colours

/** @type {[keyof Sentence, string, string][]} */
const LEGEND = [
  ["named", "named", "■ the cells that the sentence is about"],
  ["beside", "beside", "● their neighbours, or cells alone in a part"],
  ["parts", "part-0", "● ● the parts that remain, numbered"],
  ["counted", "ink", "○ cells whose moves are counted"],
  ["moves", "named", "▬ the move in question"],
  ["forced", "forced", "▬ moves that every tour uses"],
  ["out", "out", "┄ moves that no tour uses"],
];

/**
 * @param {App} app
 * @returns {Part}
 */
export function whyPart(app) {
  let at = 0;
  const list = make("ol", { class: "story" });
  const legend = make("ul", { class: "legend", "aria-label": "Legend" });
  const place = make("span", { class: "place", "aria-live": "polite" });
  const empty = make("p", { class: "hint" });
  const story = () => app.answer?.story ?? [];
  /** The sentence, or the last one before it that highlights cells. */
  const highlighted = () => {
    const sentences = story();
    let i = at;
    while (i > 0 && !sentences[i]?.rule) i--;
    return sentences[i];
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
    place.textContent = `${at + 1} of ${sentences.length}`;
    legend.replaceChildren(...LEGEND.filter(([key]) => /** @type {unknown[]} */ (highlighted()[key] ?? []).length)
      .map(([, kind, text]) => make("li", { "data-kind": kind }, text)));
    app.refresh();
  };

  const rebuild = () => {
    const sentences = story();
    at = 0;
    list.replaceChildren(...sentences.map((one, i) => make("li", {}, button(one.text, () => go(i)))));
    controls.hidden = !sentences.length;
    legend.replaceChildren();
    const found = app.answer?.status === "found";
    empty.hidden = sentences.length > 0;
    empty.textContent = found
      ? "There is a tour."
      : "When an answer is that there is no tour, its proof appears here, step by step. Try 4x4, 5x5 or 3x6.";
    go(0);
  };

  const controls = make("div", { class: "buttons" },
    button("Back", () => go(at - 1), { id: "why-back" }), place, button("Forward", () => go(at + 1), { id: "why-forward", class: "strong" }));

  return {
    id: "why",
    title: "Why not",
    build(root) {
      root.append(empty, controls, legend, list);
      root.addEventListener("keydown", (event) => {
        if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
          event.preventDefault();
          go(at + (event.key === "ArrowRight" ? 1 : -1));
        }
      });
      rebuild();
    },
    changed: rebuild,
    answered: rebuild,
    enter: () => go(at),
    scene() {
      const sentence = highlighted();
      if (sentence === undefined) return app.player.scene();
      return { marks: marks(sentence), lines: [...drawn(sentence, "out"), ...drawn(sentence, "forced"), ...drawn(sentence, "moves")] };
    },
    words() {
      /** @type {Map<number, string>} */
      const words = new Map();
      const sentence = highlighted();
      for (const { cell, kind } of sentence ? marks(sentence) : []) words.set(cell, kind === "named" ? "named in this sentence" : kind.replace(/^part-\d/, "in a part that remains"));
      return words;
    },
  };
}

/** @param {Sentence} sentence */
function marks(sentence) {
  return [
    ...(sentence.counted ?? []).map((cell) => ({ cell, kind: "counted" })),
    ...(sentence.beside ?? []).map((cell) => ({ cell, kind: "beside" })),
    ...(sentence.parts ?? []).flatMap((part, i) => part.map((cell) => ({ cell, kind: `part-${i % PARTS}`, text: String(i + 1) }))),
    ...(sentence.named ?? []).map((cell) => ({ cell, kind: "named" })),
  ];
}

/**
 * @param {Sentence} sentence
 * @param {"forced" | "out" | "moves"} kind
 * @returns {[number, number, string][]}
 */
function drawn(sentence, kind) {
  return (sentence[kind] ?? []).map(([a, b]) => [a, b, kind]);
}
