// Walk yourself: legal moves, hints, whether the walk can be completed, puzzles, time and score.

import { ask, wrong } from "./api.js";
import { button, counted, every, make, say, ticked } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Part} Part */
/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Mark} Mark */

const NAMED = 12; // cells that the words on a dead end list

/**
 * @param {App} app
 * @returns {Part}
 */
export function walkPart(app) {
  const { state } = app;
  /** @type {number[]} */
  let walk = [];
  /** @type {number[][]} */
  let near = [];
  /** The numbers of a puzzle by their cells. @type {Map<number, number>} */
  let given = new Map();
  let began = 0;
  let ended = 0;
  let hints = 0;
  let undone = 0;
  let query = new AbortController();
  /** @type {Answer | null} */
  let last = null;
  const degrees = make("input", { type: "checkbox", checked: true });
  const watching = make("input", { type: "checkbox" });
  const fewest = make("input", { type: "checkbox" });
  const clock = make("span", { class: "clock", role: "timer", "aria-label": "Time" }, "0:00");
  const score = make("span", { class: "score" });
  const status = make("p", { class: "status", "aria-live": "polite", id: "walk-status" });
  const still = make("p", { class: "status", "aria-live": "polite", id: "walk-still" });
  const explain = button("Show why not", () => show(), { hidden: true });

  const size = () => state.board?.size ?? 0;
  const name = (/** @type {number} */ place) => state.board?.names?.[place] ?? "";
  const free = (/** @type {number} */ place) => near[place].filter((one) => !walk.includes(one));
  const at = () => walk[walk.length - 1];
  const whole = () => walk.length === size();
  const closes = () => state.question.open || size() < 3 || near[at()].includes(walk[0]);

  const changed = () => {
    const { board } = state;
    near = Array.from({ length: board?.names?.length ?? 0 }, () => []);
    const gone = new Set(state.question.avoid.flatMap((move) => [move, move.split("-").reverse().join("-")]));
    const edges = board?.edges ?? new Int32Array(0);
    for (let i = 0; i < edges.length; i += 2) {
      const [a, b] = [edges[i], edges[i + 1]];
      if (gone.size && gone.has(`${name(a)}-${name(b)}`)) continue;
      near[a].push(b);
      near[b].push(a);
    }
    given = new Map();
    restart();
  };

  const restart = () => {
    query.abort();
    walk = [];
    for (const [place, step] of given) if (step === 1) walk = [place];
    [began, ended, hints, undone, last] = [0, 0, 0, 0, null];
    still.textContent = "";
    explain.hidden = true;
    tell();
  };

  /** Whether the numbers of the puzzle let the walk go there. @param {number} place */
  const fits = (place) => {
    const step = walk.length + 1;
    if (given.has(place)) return given.get(place) === step;
    return ![...given.values()].includes(step);
  };

  /** @param {number} place */
  const go = (place) => {
    if (place < 0 || !state.board?.names) return;
    if (state.board.holes.includes(place)) return say(`${name(place)} is removed`);
    if (walk.length && place === at()) return undo();
    if (walk.length && !free(at()).includes(place)) return refuse(walk.includes(place) ? "is already visited" : "is not adjacent");
    if (!fits(place)) return refuse(given.has(place) ? `is for step ${given.get(place)}` : "is not the cell of the next number");
    if (!began) began = performance.now();
    walk.push(place);
    if (whole() && closes()) {
      ended = performance.now();
      void confirm();
    }
    after();

    /** @param {string} why */
    function refuse(why) {
      status.textContent = `${name(place)} ${why}.`;
    }
  };

  const undo = () => {
    if (walk.length <= (given.size ? 1 : 0)) return;
    walk.pop();
    undone++;
    ended = 0;
    after();
  };

  const after = () => {
    last = null;
    explain.hidden = true;
    still.textContent = "";
    tell();
    if (watching.checked && walk.length && !whole()) void finish(false);
  };

  const tell = () => {
    const left = size() - walk.length;
    if (!walk.length) status.textContent = state.question.start ? `Start at ${state.question.start}, or anywhere.` : "Click a cell to start.";
    else if (whole()) {
      status.textContent = closes() ? "Every cell is visited." : `Every cell is visited, but no move leads from ${name(at())} back to ${name(walk[0])}: an open tour, not a closed one.`;
    } else if (!free(at()).length) status.textContent = deadEnd(left);
    else status.textContent = `Step ${walk.length}, ${name(at())}: ${counted(free(at()).length, "move")}, ${counted(left, "cell")} unvisited.`;
    count();
    app.refresh();
  };

  /** @param {number} left */
  const deadEnd = (left) => {
    const around = near[at()].map(name).join(", ") || "none";
    const missed = [...near.keys()].filter((place) => !walk.includes(place) && !state.board?.holes.includes(place));
    const some = missed.slice(0, NAMED).map(name).join(", ") + (missed.length > NAMED ? ", …" : "");
    return `Dead end: every cell adjacent to ${name(at())} (${around}) is visited, and ${counted(left, "cell")} ${left === 1 ? "remains" : "remain"}: ${some}. Take steps back.`;
  };

  const count = () => {
    const spent = began ? (ended || performance.now()) - began : 0;
    const seconds = Math.floor(spent / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    score.textContent = `${walk.length} of ${size()} cells · ${counted(hints, "hint")} · ${counted(undone, "step")} taken back`;
  };
  every(500, () => {
    if (began && !ended && app.part?.id === "walk") count();
  });

  /** Have Python check that it is a tour, and meets the conditions of the question. */
  const confirm = async () => {
    try {
      const answer = await ask({ ask: "check", question: state.question, walk });
      const puzzle = given.size ? " The puzzle is solved." : "";
      const text = answer.status === "right" ? `A tour: ${answer.message}.${puzzle} ${clock.textContent}, ${counted(hints, "hint")}, ${counted(undone, "step")} taken back.` : `It does not answer the question: ${answer.message}.`;
      app.tell(text, answer.status);
      if (answer.status === "right") app.player.show({ cells: Int32Array.from(walk), closed: !state.question.open });
      app.player.go(Infinity);
    } catch (error) {
      app.tell(wrong(error), "wrong");
    }
  };

  /**
   * Ask whether the walk can be completed to a tour.
   * @param {boolean} through complete it
   */
  const finish = async (through) => {
    if (!walk.length) return;
    query.abort();
    const mine = (query = new AbortController());
    still.textContent = "Searching …";
    hints++;
    try {
      const question = given.size ? { ...state.question, start: name(walk[0]) } : state.question;
      last = await ask({ ask: "finish", question, walk, seconds: through ? 20 : 3 }, { signal: mine.signal });
      if (last === null || mine.signal.aborted) return;
      still.textContent = last.message;
      explain.hidden = !last.story;
      if (through && last.cells) {
        app.player.show({ cells: last.cells, closed: last.closed ?? false });
        app.player.at = walk.length;
        walk = [...last.cells];
        ended = performance.now();
        app.tell("The page completed your walk.", "found");
        app.open("watch");
      }
      count();
    } catch (error) {
      still.textContent = wrong(error);
    }
  };

  const show = () => {
    if (last === null) return;
    app.answer = last;
    app.tell(last.message, "impossible");
    for (const part of app.parts) if (part.id === "why") part.answered?.();
    app.open("why");
  };

  const puzzle = async () => {
    const answer = await app.work({ ask: "puzzle", fewest: fewest.checked, seed: Math.floor(Math.random() * 1e9), seconds: 30 }, "Making a puzzle");
    if (answer === null) return;
    const { cells, steps } = answer;
    if (cells && steps) {
      app.player.show(null);
      given = new Map([...cells].map((place, i) => [place, steps[i]]));
      restart();
    }
    app.tell(answer.message, steps ? "found" : /** @type {any} */ (answer.status));
  };

  return {
    id: "walk",
    title: "Walk",
    build(root) {
      for (const field of [degrees, watching]) field.addEventListener("change", () => after());
      root.append(
        make("p", { class: "row scoring" }, clock, score),
        status, still, explain,
        make("div", { class: "buttons" },
          button("Take back", undo, { id: "walk-undo" }),
          button("Start again", restart, { id: "walk-restart" }),
          button("Can it be completed?", () => void finish(false), { id: "walk-ask" }),
          button("Complete it for me", () => void finish(true), { id: "walk-finish" })),
        make("fieldset", {}, make("legend", {}, "Help"),
          ticked("Show legal moves and their onward moves", degrees),
          ticked("After each step, show whether it can be completed", watching)),
        make("fieldset", {}, make("legend", {}, "Puzzle"),
          make("p", { class: "hint" }, "Some numbers are given; exactly one tour fits them."),
          ticked("As few numbers as possible", fewest),
          button("New puzzle", () => void puzzle(), { id: "new-puzzle" })),
      );
    },
    drags: true,
    changed,
    enter() {
      app.player.pause();
      tell();
    },
    leave: () => query.abort(),
    scene() {
      /** @type {Mark[]} */
      const marks = [];
      const seen = new Set(walk);
      for (const [cell, step] of given) if (!seen.has(cell)) marks.push({ cell, kind: "given", text: String(step) });
      if (walk.length) {
        const next = free(at()).filter(fits);
        if (degrees.checked) for (const cell of next) if (!given.has(cell)) marks.push({ cell, kind: "option", text: String(free(cell).length) });
        if (!next.length && !whole()) {
          near.forEach((_, cell) => {
            if (!seen.has(cell) && !given.has(cell) && !state.board?.holes.includes(cell)) marks.push({ cell, kind: "unvisited" });
          });
        }
        marks.push({ cell: at(), kind: "piece", text: String(walk.length) });
      }
      return { cells: walk, closed: whole() && closes() && !state.question.open, upto: walk.length, line: true, numbers: true, marks };
    },
    words() {
      /** @type {Map<number, string>} */
      const words = new Map();
      for (const [cell, step] of given) words.set(cell, `step ${step} is given`);
      walk.forEach((cell, i) => words.set(cell, `step ${i + 1}`));
      for (const cell of walk.length ? free(at()) : []) {
        const away = `adjacent, ${counted(free(cell).length, "onward move")}`;
        words.set(cell, given.has(cell) ? `${words.get(cell)}, ${away}` : away);
      }
      return words;
    },
    touch(touch) {
      if (touch.kind === "press" || touch.kind === "key") go(touch.to);
      else if (touch.kind === "over" && touch.to >= 0 && walk.length && free(at()).includes(touch.to)) go(touch.to);
    },
  };
}
