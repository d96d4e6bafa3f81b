// Walk yourself: legal moves, hints, whether the walk can be completed, puzzles, time and score.

import { ask, wrong } from "./api.js";
import { daily, withNumbers } from "./daily.js";
import { button, choices, copied, counted, every, labelled, make, say, ticked } from "./dom.js";
import { home } from "./home.js";
import { rules, worksheet } from "./paper.js";
import { drawable, penpa } from "./penpa.js";
import { writing } from "./writing.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Part} Part */
/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Mark} Mark */

const LEVELS = ["easy", "medium", "hard"];
const NAMED = 12; // cells that the words on a dead end list

/**
 * @param {App} app
 * @returns {Part}
 */
export function walkPart(app) {
  const { state } = app;
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
  const level = make("select", { id: "level" });
  const sheets = make("select", { id: "sheets" });
  const share = make("div", { id: "share" });
  const clock = make("span", { class: "clock", role: "timer", "aria-label": "Time" }, "0:00");
  const score = make("span", { class: "score" });
  const status = make("p", { class: "status", "aria-live": "polite", id: "walk-status" });
  const still = make("p", { class: "status", "aria-live": "polite", id: "walk-still" });
  const chance = make("div", { id: "chance", role: "meter", "aria-label": "Can this walk be completed?", "aria-valuemin": 0, hidden: true }, make("span", {}), make("span", {}));
  const chances = make("p", { class: "hint", id: "chances" });
  let lost = 0; // the step since which the walk cannot be completed
  /** @param {string} text */
  const says = (text) => (status.textContent = text);
  const paper = writing(app, {
    given: () => given, near: () => near, says,
    wrote() {
      if (!began) began = performance.now();
      arrived();
    },
    hinted() {
      hints++;
      count();
    },
  });
  const elsewhere = button("Take it to Penpa", () => void taken(), { id: "penpa" });
  paper.root.append(elsewhere);
  const explain = button("Show why not", () => show(), { hidden: true });

  const size = () => state.board?.size ?? 0;
  const name = (/** @type {number} */ place) => state.board?.names?.[place] ?? "";
  const free = (/** @type {number} */ place) => near[place].filter((one) => !state.walk.includes(one));
  const at = () => state.walk[state.walk.length - 1];
  const whole = () => state.walk.length === size();
  const closes = () => state.question.open || size() < 3 || near[at()].includes(state.walk[0]);

  const changed = () => {
    const gone = new Set(state.question.avoid.flatMap((move) => [move, move.split("-").reverse().join("-")]));
    near = gone.size ? state.near.map((row, a) => row.filter((b) => !gone.has(`${name(a)}-${name(b)}`))) : state.near;
    const { start, end, open, at: steps } = state.question;
    const place = (/** @type {string} */ text) => state.board?.names?.indexOf(text) ?? -1;
    given = new Map(steps.map((one) => one.split("=")).map(([step, text]) => [place(text), Number(step)]));
    if (given.size && start) given.set(place(start), 1);
    if (given.size && open && end) given.set(place(end), size());
    paper.root.hidden = !given.size;
    elsewhere.hidden = !state.board || !drawable(state.board);
    fresh();
    paper.choose(given.size ? paper.entry() : "walk");
    if (!state.walk.length && beginning().length) state.walk = beginning();
    tell();
  };

  /** Nothing is known of the walk yet. */
  const fresh = () => {
    query.abort();
    [began, ended, hints, undone, last] = [0, 0, 0, 0, null];
    still.textContent = "";
    explain.hidden = true;
    share.replaceChildren();
    lost = 0;
    judge();
  };

  /** The first step, if the puzzle gives it. */
  const beginning = () => [...given].filter(([, step]) => step === 1).map(([place]) => place);

  const restart = () => {
    fresh();
    state.step(beginning(), new Map());
  };

  /** A link to the puzzle in Penpa. */
  const taken = async () => {
    const { board } = state;
    if (board) share.replaceChildren(copied("The puzzle in Penpa", await penpa(board, given, rules(board))));
  };

  /** Whether the numbers of the puzzle let the walk go there. @param {number} place */
  const fits = (place) => {
    const step = state.walk.length + 1;
    if (given.has(place)) return given.get(place) === step;
    return ![...given.values()].includes(step);
  };

  /** @param {number} place */
  const go = (place) => {
    const { walk } = state;
    if (place < 0 || !state.board?.names) return;
    if (state.board.holes.includes(place)) return say(`${name(place)} is removed`);
    if (walk.length && place === at()) return undo();
    if (walk.length && !free(at()).includes(place)) return refuse(walk.includes(place) ? "is already visited" : "is not adjacent");
    if (!fits(place)) return refuse(given.has(place) ? `is for step ${given.get(place)}` : "is not the cell of the next number");
    if (!began) began = performance.now();
    state.step([...walk, place]);
    arrived();

    /** @param {string} why */
    function refuse(why) {
      status.textContent = `${name(place)} ${why}.`;
    }
  };

  /** If the walk is a tour now, have it checked. */
  const arrived = () => {
    if (!whole() || !closes()) return;
    ended = performance.now();
    void confirm();
  };

  const undo = () => {
    if (state.walk.length <= beginning().length) return;
    undone++;
    ended = 0;
    state.step(state.walk.slice(0, -1));
  };

  /** Show beside the walk whether it can still be completed. @param {boolean} [known] that it can */
  const judge = (known = false) => {
    const { length } = state.walk;
    if (length < lost) [lost, known] = [0, true];
    chance.hidden = !watching.checked;
    const good = lost ? lost - 1 : length;
    const [green, red] = /** @type {NodeListOf<HTMLElement>} */ (chance.querySelectorAll("span"));
    green.style.width = `${(100 * good) / size()}%`;
    red.style.width = `${(100 * (length - good)) / size()}%`;
    const words = lost ? `Lost since step ${lost}` : known ? "Still possible" : "";
    chance.setAttribute("aria-valuemax", String(size()));
    chance.setAttribute("aria-valuenow", String(good));
    chance.setAttribute("aria-valuetext", words || "not known");
    chances.textContent = watching.checked ? words : "";
  };

  const after = () => {
    paper.forget();
    judge();
    if (!lost) { // else what is known of the beginning still holds
      last = null;
      explain.hidden = true;
      still.textContent = "";
    }
    tell();
    if (watching.checked && !lost && state.walk.length && !whole()) void finish(false);
  };

  const tell = () => {
    const { walk } = state;
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
    const missed = [...near.keys()].filter((place) => !state.walk.includes(place) && !state.board?.holes.includes(place));
    const some = missed.slice(0, NAMED).map(name).join(", ") + (missed.length > NAMED ? ", …" : "");
    return `Dead end: every cell adjacent to ${name(at())} (${around}) is visited, and ${counted(left, "cell")} ${left === 1 ? "remains" : "remain"}: ${some}. Take steps back.`;
  };

  const count = () => {
    const spent = began ? (ended || performance.now()) - began : 0;
    const seconds = Math.floor(spent / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    score.textContent = `${state.walk.length} of ${size()} cells · ${counted(hints, "hint")} · ${counted(undone, "step")} taken back`;
  };
  every(500, () => {
    if (began && !ended && app.part?.id === "walk") count();
  });

  /** Have Python check that it is a tour, and meets the conditions of the question. */
  const confirm = async () => {
    try {
      const answer = await ask({ ask: "check", question: state.question, walk: state.walk });
      const puzzle = given.size ? " The puzzle is solved." : "";
      const text = answer.status === "right" ? `A tour: ${answer.message}.${puzzle} ${clock.textContent}, ${counted(hints, "hint")}, ${counted(undone, "step")} taken back.` : `It does not answer the question: ${answer.message}.`;
      app.tell(text, answer.status);
      if (answer.status === "right") {
        state.found({ cells: Int32Array.from(state.walk), closed: !state.question.open }, state.then);
        share.replaceChildren(copied("Your result, to share", shared()));
      }
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
    const { walk } = state;
    if (!walk.length) return;
    query.abort();
    const mine = (query = new AbortController());
    still.textContent = "Searching …";
    hints++;
    try {
      last = await ask({ ask: "finish", question: state.question, walk, seconds: through ? 20 : 3 }, { signal: mine.signal });
      if (last === null || mine.signal.aborted) return;
      still.textContent = last.message;
      explain.hidden = !last.story;
      lost = last.lost ?? Number(last.status === "impossible" && last.walk?.length === 0); // there is no tour at all
      judge(last.status === "found");
      app.refresh();
      if (through && last.cells) {
        state.found({ cells: last.cells, closed: last.closed ?? false });
        app.player.at = walk.length;
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
    const { question: now } = state; // without the numbers of the last puzzle
    const question = now.at.length ? { ...now, start: "", end: "", at: [] } : now;
    const answer = await app.work({ ask: "puzzle", question, ...(fewest.checked ? { fewest: true } : { level: level.value }), seed: Math.floor(Math.random() * 1e9), seconds: 30 }, "Making a puzzle");
    if (answer === null) return;
    const { cells, steps } = answer;
    if (cells && steps) {
      state.walk = [];
      await state.change(withNumbers(question, [...cells].map((place, i) => [steps[i], name(place)]), size()));
    }
    app.tell(answer.message, steps ? "found" : /** @type {any} */ (answer.status));
  };

  const ofToday = async () => {
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((one) => String(one).padStart(2, "0")).join("-");
    const { question, size: cells, numbers, grade } = await daily(date);
    state.walk = [];
    await state.change(withNumbers(question, numbers, cells), [], `day ${date}`);
    app.tell(`The puzzle of ${date}: ${question.board}, ${question.open ? "open" : "closed"}, ${grade}. It is the same for everyone.`, "found");
  };

  /** The result as text, with a link to the puzzle but not to its solution. */
  const shared = () => {
    const [, date] = state.then.split(" ");
    const [address, mark = ""] = home.link().split("#");
    const bare = mark.split("&").filter((one) => !/^(walk|notes|tour|then)=/.test(one)).join("&");
    const what = given.size ? (date ? `Knight's tour of the day, ${date}` : "A puzzle of a knight's tour") : "A knight's tour by hand";
    return `${what} (${state.board?.title}): ${clock.textContent}, ${counted(hints, "hint")}, ${counted(undone, "step")} taken back.\n${address}#${bare}`;
  };

  state.addEventListener("walk", after);

  return {
    id: "walk",
    title: "Walk",
    build(root) {
      choices(level, LEVELS.map((one) => [one, one]), "medium");
      choices(sheets, ["1", "4", "8", "12"].map((one) => [one, one]), "4");
      const print = (/** @type {string} */ hard) => void worksheet(app, Number(sheets.value), hard, () => window.print());
      for (const field of [degrees, watching]) field.addEventListener("change", () => after());
      root.append(
        make("p", { class: "row scoring" }, clock, score),
        chance, chances, status, still, explain, share, paper.root,
        make("div", { class: "buttons" },
          button("Take back", undo, { id: "walk-undo" }),
          button("Start again", restart, { id: "walk-restart" }),
          button("Can it be completed?", () => void finish(false), { id: "walk-ask" }),
          button("Complete it for me", () => void finish(true), { id: "walk-finish" })),
        make("fieldset", {}, make("legend", {}, "Help"),
          ticked("Show legal moves and their onward moves", degrees),
          ticked("After each step, show whether it can be completed", watching)),
        make("fieldset", {}, make("legend", {}, "Puzzle"),
          make("p", { class: "hint" }, "Some numbers are given; exactly one tour fits them. Easy: the next number is always enough. Hard: you will have to guess."),
          make("div", { class: "row" }, labelled("Level", level), button("New puzzle", () => void puzzle(), { id: "new-puzzle", class: "strong" }),
            button("Puzzle of the day", () => void ofToday(), { id: "daily" })),
          ticked("As few numbers as possible", fewest)),
        ...(home.top === document.documentElement ? [make("fieldset", {}, make("legend", {}, "On paper"),
          make("p", { class: "hint" }, "Different puzzles of this level with room for a name, and an answer key on a page of its own; or empty boards to draw on."),
          make("div", { class: "row" }, labelled("How many", sheets), button("Print puzzles", () => print(level.value), { id: "print-puzzles" }),
            button("Print empty boards", () => print(""), { id: "print-boards" })))] : []),
      );
    },
    types: true,
    drags: true,
    changed,
    enter() {
      app.player.pause();
      paper.choose(paper.entry());
      tell();
    },
    leave() {
      query.abort();
      app.stage.typing = false;
    },
    scene() {
      /** @type {Mark[]} */
      const marks = [];
      const { walk } = state;
      const seen = new Set(walk);
      for (const [cell, step] of given) if (!seen.has(cell)) marks.push({ cell, kind: "given", text: String(step) });
      marks.push(...paper.marks(seen));
      if (walk.length) {
        const next = free(at()).filter(fits);
        if (degrees.checked) for (const cell of next) if (!given.has(cell)) marks.push({ cell, kind: "option", text: String(free(cell).length) });
        if (!next.length && !whole()) {
          near.forEach((_, cell) => {
            if (!seen.has(cell) && !given.has(cell) && !state.notes.has(cell) && !state.board?.holes.includes(cell)) marks.push({ cell, kind: "unvisited" });
          });
        }
        marks.push({ cell: at(), kind: "piece", text: String(walk.length) });
        if (lost && walk.length >= lost && last?.saving) { // the wrong step, and the choices that save the tour
          marks.push({ cell: walk[lost - 1], kind: "mistake" });
          for (const cell of last.saving) marks.push({ cell, kind: "chosen", text: "✓" });
        }
      }
      marks.push(...paper.corrections());
      return { cells: walk, closed: whole() && closes() && !state.question.open, upto: walk.length, line: true, numbers: true, marks };
    },
    words() {
      /** @type {Map<number, string>} */
      const words = new Map();
      for (const [cell, step] of given) words.set(cell, `step ${step} is given`);
      paper.tell(words);
      const { walk } = state;
      walk.forEach((cell, i) => words.set(cell, `step ${i + 1}`));
      for (const cell of walk.length ? free(at()) : []) {
        const away = `adjacent, ${counted(free(cell).length, "onward move")}`;
        words.set(cell, words.has(cell) ? `${words.get(cell)}, ${away}` : away);
      }
      paper.correct(words);
      return words;
    },
    touch(touch) {
      if (touch.kind === "digit") {
        if (given.size) paper.begin(touch.to, touch.digit);
      } else if (paper.entry() !== "walk") {
        if (touch.kind === "press" || touch.kind === "key") paper.begin(touch.to);
      } else if (touch.kind === "press" || touch.kind === "key") go(touch.to);
      else if (touch.kind === "over" && touch.to >= 0 && state.walk.length && free(at()).includes(touch.to)) go(touch.to);
    },
  };
}
