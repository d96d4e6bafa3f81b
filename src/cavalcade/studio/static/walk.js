// Walk yourself: legal moves, hints, the wrong turn of a walk that is stuck, puzzles, time and score.

import { ask, wrong } from "./api.js";
import { givenNumbers, isOrdered, unnumbered } from "./clues.js";
import { dayFields } from "./days.js";
import { byId, choices, copied, every, moving, say } from "./dom.js";
import { home } from "./home.js";
import { kept } from "./memory.js";
import { paperFields } from "./paper.js";
import { LEVELS } from "./numbers.js";
import { click } from "./sound.js";
import { t } from "./texts.js";
import { writing } from "./writing.js";

const KINDS = ["", "zip", "holy-knight"]; // of puzzles; the first has numbers alone
const NAMED = 12; // cells that the words on a dead end list
const HOP = 240; // milliseconds of a move
const ROUND = 2_200; // milliseconds of the knight's ride round a tour that is completed

/** @param {App} app @returns {Part} */
export function walkPart(app) {
  const { state } = app;
  /** @type {number[][]} */
  let near = [];
  /** The numbers of a puzzle by their cells: steps, or the order of the cells if the question has one. @type {Map<number, number>} */
  let given = new Map();
  let [began, ended, hints, undone] = [0, 0, 0, 0];
  let query = new AbortController();
  /** What is known of a walk: of it and, once it is lost, of all that go on from there. @type {{walk: number[], answer: Answer} | null} */
  let known = null;
  /** The walk that is checked and right. @type {number[] | null} */
  let right = null;
  let hinted = -1; // the cell that a hint names
  let [searching, held] = [false, false]; // for an answer; the knight is pressed, and not yet moved
  /** How far the knight has come while it moves; the colours of a ride round the whole tour. */
  let riding = { upto: Infinity, round: false };
  const [degrees, watching] = ["degrees", "watching"].map((id) => byId(id, HTMLInputElement, () => after()));
  const sound = byId("sound", HTMLInputElement, ({ checked }) => kept("sound", checked));
  const fewest = byId("fewest", HTMLInputElement);
  const [level, kind] = ["level", "kind"].map((id) => byId(id, HTMLSelectElement));
  const [share, clock, score, still, chances] = ["share", "clock", "score", "walk-still", "chances"].map((id) => byId(id, HTMLElement));
  const days = dayFields(app, () => clock.textContent ?? "");
  const paper = writing(app, {
    given: () => given, near: () => near, says: (text) => app.tell(text, "wrong"),
    wrote() {
      began ||= performance.now();
      void confirm();
    },
    hinted() {
      hints++;
      count();
    },
  });
  const takeBack = byId("walk-undo", HTMLButtonElement, () => undo());
  const back = byId("walk-back", HTMLButtonElement, () => state.step(state.walk.slice(0, lost() - 1)));
  const card = byId("card", HTMLButtonElement, () => days.card(shared()));
  const watch = byId("watch-walk", HTMLButtonElement, () => {
    app.open("watch");
    app.player.go(1);
    app.player.play();
  });
  byId("walk-ask", HTMLButtonElement, () => finish(false));
  byId("walk-finish", HTMLButtonElement, () => finish(true));
  sound.checked = kept("sound") ?? false;
  choices(kind, KINDS.map((one) => [one, t(`kind.${one || "numbers"}`)]), "");
  choices(level, LEVELS.map((one) => [one, t(`grade.${one}`)]), "medium");
  if (home.top === document.documentElement) paperFields(app, level);

  const name = state.name.bind(state);
  const free = (/** @type {number} */ place) => near[place].filter((one) => !state.walk.includes(one));
  const at = () => state.walk[state.walk.length - 1];
  const whole = () => state.walk.length === state.size;
  const closes = () => state.question.open || state.size < 3 || near[at()].includes(state.walk[0]);
  /** The cells where the walk can go on. */
  const options = () => (state.walk.length ? free(at()).filter(fits) : []);
  const stuck = () => state.walk.length > 0 && !(whole() && closes()) && !options().length;

  /** What is known of the walk as it is. */
  const verdict = () => {
    if (known === null) return null;
    const { walk, answer } = known;
    const same = walk === state.walk || (lostIn(answer) && walk.slice(0, lostIn(answer)).every((cell, i) => cell === state.walk[i]));
    return same ? answer : null;
  };
  /** The step since which a walk cannot be completed; 0 if it can, or nothing is known. @param {Answer | null} answer */
  const lostIn = (answer) => (answer === null ? 0 : answer.lost ?? Number(answer.status === "impossible" && answer.walk?.length === 0));
  const lost = () => lostIn(verdict());
  const ordered = () => isOrdered(state.question);
  /** The first step, if the puzzle gives it. */
  const beginning = () => [...given].filter(([, step]) => step === 1).map(([place]) => place);

  const changed = () => {
    const gone = new Set(state.question.avoid.flatMap((move) => [move, move.split("-").reverse().join("-")]));
    near = gone.size ? state.near.map((row, a) => row.filter((b) => !gone.has(`${name(a)}-${name(b)}`))) : state.near;
    given = givenNumbers(state.question, state.board?.names ?? [], state.size);
    paper.root.hidden = !given.size || ordered();
    days.changed();
    fresh();
    paper.choose(given.size && !ordered() ? paper.entry() : "walk");
    if (!state.walk.length && beginning().length) state.walk = beginning();
    const before = kept("score");
    if (before?.statement === state.board?.statement && state.walk.length > beginning().length) {
      began = performance.now() - before.spent;
      [hints, undone] = [before.hints, before.undone];
    }
    tell();
  };

  /** Nothing is known of the walk yet. */
  const fresh = () => {
    query.abort();
    [began, ended, hints, undone, known, right] = [0, 0, 0, 0, null, null];
    share.replaceChildren();
  };

  byId("walk-restart", HTMLButtonElement, () => {
    fresh();
    state.step(beginning(), new Map());
  });

  /** The number whose cell is the next in the order. */
  const due = () => state.walk.filter((place) => given.has(place)).length + 1;

  /** Whether the numbers of the puzzle let the walk go there. @param {number} place */
  const fits = (place) => {
    const step = state.walk.length + 1;
    if (ordered()) return !given.has(place) || (given.get(place) === due() && (name(place) !== state.question.end || step === state.size));
    return given.has(place) ? given.get(place) === step : ![...given.values()].includes(step);
  };

  /** Why the walk cannot go to a cell; nothing if it can. @param {number} place */
  const barred = (place) => {
    const { walk } = state;
    if (state.board?.holes.includes(place)) return t("bar.hole", { noun: t("noun.cell"), cell: name(place) });
    if (walk.includes(place)) return t("bar.visited", { cell: name(place) });
    if (walk.length && !near[at()].includes(place)) return t("bar.no-move", { from: name(at()), to: name(place) });
    if (fits(place)) return "";
    if (ordered()) return given.get(place) === due() ? t("bar.last", { n: due() }) : t("bar.order", { n: given.get(place), due: due() });
    return given.has(place) ? t("bar.given", { cell: name(place), step: given.get(place) }) : t("bar.elsewhere", { step: walk.length + 1 });
  };

  /** @param {number} place */
  const go = (place) => {
    if (place < 0 || !state.board?.names) return;
    const why = barred(place);
    if (why) {
      if (app.stage.view) app.stage.knight.refuse(app.stage.view, place, why);
      click(-1);
      say(why);
      return;
    }
    began ||= performance.now();
    state.step([...state.walk, place]);
    click(state.walk.length / state.size);
    void hop();
    void confirm();
  };

  /** The last step is made on the board; the closing one, too, and the knight rides round the tour. */
  const hop = async () => {
    const { walk, walk: { length: n } } = state;
    /** @param {number} from @param {number} to @param {number} time @param {boolean} [round] */
    const ride = (from, to, time, round = false) => moving(time, (part) => {
      if (state.walk !== walk) return false;
      riding = { upto: from + (to - from) * part, round };
      app.stage.play(scene());
      return true;
    });
    const closed = whole() && closes() && !state.question.open;
    const done = (n < 2 || await ride(n - 1, n, HOP)) && (!closed || await ride(n, n + 1, 2 * HOP)) && (!whole() || !closes() || await ride(1, n, ROUND, true));
    if (state.walk !== walk) return;
    riding = { upto: Infinity, round: done && whole() };
    app.refresh();
  };

  const undo = () => {
    if (state.walk.length <= beginning().length) return;
    undone++;
    ended = 0;
    state.step(state.walk.slice(0, -1));
  };

  const after = () => {
    paper.forget();
    hinted = -1;
    riding = { upto: Infinity, round: false };
    if (!verdict()) query.abort();
    tell();
    keep();
    if (whole() || !state.walk.length || verdict()) return;
    if (watching.checked) void finish(false);
    else if (stuck()) void finish(false, false);
  };

  /** The walk, its time and its hints, to go on with them another day. */
  const keep = () => {
    const { board, walk } = state;
    if (board === null || walk.length < 2) return;
    const spent = began ? (ended || performance.now()) - began : 0;
    kept("score", { statement: board.statement, spent, hints, undone });
    if (walk.length > beginning().length + 1) kept("walk", right || whole() ? null : { link: home.link(), text: t("walk.kept", { n: walk.length, size: state.size, board: board.title }) });
  };

  /** Show what is known of the walk around the board. */
  const tell = () => {
    const answer = verdict();
    const step = lost();
    chances.textContent = !watching.checked ? "" : step ? t("chance.lost", { step }) : answer?.status === "found" ? t("chance.possible") : "";
    still.textContent = searching ? t("doing.search") : answer?.message ?? "";
    explain.hidden = !answer?.story;
    takeBack.disabled = state.walk.length <= beginning().length;
    takeBack.hidden = hint.hidden = right === state.walk;
    watch.hidden = card.hidden = right !== state.walk;
    back.hidden = step < 2;
    back.textContent = t("walk.back", { step: step - 1 });
    count();
    app.refresh();
  };

  /** @returns {[string, Kind]} */
  const status = () => {
    const { walk } = state;
    const answer = verdict();
    const unvisited = state.size - walk.length;
    if (!state.board?.names) return [t("walk.large", { board: state.board?.title }), "undecided"];
    if (!walk.length) return [state.question.start ? t("walk.start-at", { cell: state.question.start }) : t("walk.start", { noun: t("noun.cell") }), ""];
    if (whole()) return closes() ? [t("walk.all", { noun: t("noun.cell") }), ""] : [t("walk.open", { noun: t("noun.cell"), from: name(at()), to: name(walk[0]) }) + wrongTurn(answer), "undecided"];
    if (stuck()) return [`${deadEnd(unvisited)}${searching ? ` ${t("doing.wrong-turn")}` : wrongTurn(answer)}`, "wrong"];
    if (answer && lost()) return [lost() > 1 ? wrongTurn(answer).trim() : answer.message, "wrong"];
    if (hinted >= 0) return [t("walk.hinted", { cell: name(hinted) }), "found"];
    return [t("walk.step", { step: walk.length, cell: name(at()), moves: t("n.move", { n: options().length }), cells: t("n.cell", { n: unvisited }) }), ""];
  };

  /** Which step was wrong, and what would have been right. @param {Answer | null} answer */
  const wrongTurn = (answer) => {
    const step = lostIn(answer);
    if (!answer || !step) return "";
    if (step === 1) return ` ${answer.message}`;
    return ` ${t(answer.saving?.length ? "walk.saving" : "walk.wrong-turn", { step, cell: name(state.walk[step - 1]), saving: [...(answer.saving ?? [])].map(name) })}`;
  };

  /** @param {number} unvisited */
  const deadEnd = (unvisited) => {
    const missed = [...near.keys()].filter((place) => !state.walk.includes(place) && !state.board?.holes.includes(place));
    const some = missed.slice(0, NAMED).map(name).join(", ") + (missed.length > NAMED ? ", …" : "");
    return t(free(at()).length ? "walk.stuck.numbers" : "walk.stuck", { cell: name(at()), noun: t("noun.cell"), unvisited, left: t("n.cell", { n: unvisited }), cells: some }).replace("….", "…");
  };

  const count = () => {
    const spent = began ? (ended || performance.now()) - began : 0;
    const seconds = Math.floor(spent / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    score.textContent = t("walk.score", { n: state.walk.length, size: state.size, hints: t("n.hint", { n: hints }), steps: t("n.step", { n: undone }) });
  };
  const result = () => ({ time: clock.textContent, hints: t("n.hint", { n: hints }), steps: t("n.step", { n: undone }) });
  every(500, () => began && !ended && app.mode === "walk" && count());

  /** If the walk is a tour now, have Python check that it is one, and meets the conditions of the question. */
  const confirm = async () => {
    const { walk } = state;
    if (!whole() || !closes()) return;
    ended = performance.now();
    const answer = await app.work({ ask: "check", walk }, t("doing.check"));
    if (answer === null || state.walk !== walk) return;
    if (answer.status === "right") {
      right = walk;
      state.found({ cells: Int32Array.from(walk), closed: !state.question.open }, state.then);
      app.player.go(Infinity);
      const [, date] = state.then.split(" ");
      if (date) days.solved(date);
      share.replaceChildren(copied(t("share"), shared()));
      keep();
      tell();
    }
    app.tell(t(answer.status !== "right" ? "walk.not" : given.size ? "walk.solved" : "walk.done", { message: answer.message, ...result() }), /** @type {Kind} */ (answer.status));
  };

  /**
   * Ask whether the walk can be completed to a tour. An answer about another walk is dropped.
   * @param {boolean} through complete it
   * @param {boolean} [counts] as a hint
   */
  const finish = async (through, counts = true) => {
    const { walk } = state;
    if (!walk.length) return;
    query.abort();
    const mine = (query = new AbortController());
    searching = true;
    if (counts) hints++;
    tell();
    try {
      const answer = await ask({ ask: "finish", question: state.question, walk, seconds: through ? 20 : 3 }, { signal: mine.signal });
      if (query !== mine) return;
      searching = false;
      known = { walk, answer };
      if (through && answer.cells) {
        state.found({ cells: answer.cells, closed: answer.closed ?? false });
        app.player.at = walk.length;
        ended = performance.now();
        app.open("watch");
        app.tell(t("walk.completed"), "found");
      }
      tell();
    } catch (error) {
      if (query !== mine) return;
      searching = false;
      tell();
      if (wrong(error)) app.tell(wrong(error), "wrong");
    }
  };

  /** Name a next cell that keeps a tour possible, or the wrong turn. */
  const hint = byId("walk-hint", HTMLButtonElement, async () => {
    if (!state.walk.length) return app.tell(t("walk.any", { noun: t("noun.cell") }));
    const { walk } = state;
    await finish(false);
    const answer = verdict();
    if (state.walk !== walk || !answer || lost()) return;
    const next = answer.cells?.[walk.length];
    if (next === undefined) return app.tell(answer.message, /** @type {any} */ (answer.status));
    hinted = next;
    tell();
  });

  const explain = byId("walk-why", HTMLButtonElement, () => {
    app.answer = verdict();
    for (const part of app.parts) if (part.id === "why") part.answered?.();
    app.open("why", true);
  });

  byId("new-puzzle", HTMLButtonElement, async () => {
    const question = unnumbered(state.question);
    const answer = await app.work({ ask: "puzzle", question, kind: kind.value, ...(fewest.checked ? { fewest: true } : { level: level.value }), seed: Math.floor(Math.random() * 1e9), seconds: 30 }, t("doing.puzzle"));
    if (answer === null) return;
    if (answer.question) {
      state.walk = [];
      await state.change(answer.question);
    }
    app.tell(answer.message, /** @type {any} */ (answer.status));
  });

  /** The result as text, with a link to the puzzle but not to its solution. */
  const shared = () => {
    const [, date] = state.then.split(" ");
    const [address, mark = ""] = home.link().split("#");
    const bare = mark.split("&").filter((one) => !/^(walk|notes|tour|then)=/.test(one)).join("&");
    const what = t(!given.size ? "share.walk" : date ? "share.day" : "share.puzzle", { date });
    return `${t("share.text", { what, board: state.board?.title, ...result() })}\n${address}#${bare}`;
  };

  const scene = () => {
    /** @type {Mark[]} */
    const marks = [];
    const { walk } = state;
    const seen = new Set(walk);
    for (const [cell, step] of given) if (!seen.has(cell) || ordered()) marks.push({ cell, kind: ordered() ? "order" : "given", text: String(step) });
    marks.push(...paper.marks(seen));
    const step = lost();
    if (walk.length) {
      for (const cell of options()) marks.push({ cell, kind: degrees.checked && !given.has(cell) ? "option" : "adjacent", text: String(free(cell).length) });
      if (stuck() && !whole()) {
        near.forEach((_, cell) => {
          if (!seen.has(cell) && !given.has(cell) && !state.notes.has(cell) && !state.board?.holes.includes(cell)) marks.push({ cell, kind: "unvisited" });
        });
      }
      if (hinted >= 0) marks.push({ cell: hinted, kind: "chosen", text: "✓" });
      if (step && walk.length >= step) { // the wrong step, and the choices that save the tour
        marks.push({ cell: walk[step - 1], kind: "wrong" });
        for (const cell of verdict()?.saving ?? []) marks.push({ cell, kind: "chosen", text: "✓" });
      }
    }
    marks.push(...paper.corrections());
    const { upto, round } = riding;
    const closed = whole() && closes() && !state.question.open && (upto === Infinity || round);
    return { cells: walk, closed, upto: upto === Infinity ? walk.length : upto, rides: true, line: true, numbers: !round && !ordered(), colours: round, marks: round ? [] : marks };
  };

  state.addEventListener("walk", after);

  return {
    id: "walk",
    types: true,
    drags: true,
    changed,
    status,
    scene,
    enter() {
      app.player.pause();
      paper.choose(paper.entry());
      tell();
    },
    leave() {
      query.abort();
      searching = false;
      app.stage.typing = false;
    },
    /** A click or a key goes to a cell, or takes the last step back; the knight can be dragged, too. */
    touch({ kind, to, digit }) {
      if (kind === "digit") {
        if (given.size && !ordered()) paper.begin(to, digit);
      } else if (paper.entry() !== "walk") {
        if (kind === "press" || kind === "key") paper.begin(to);
      } else if (kind === "press") {
        held = state.walk.length > 0 && to === at();
        if (!held) go(to);
      } else if (kind === "key") {
        if (state.walk.length && to === at()) undo();
        else go(to);
      } else if (kind === "over" && options().includes(to)) {
        held = false;
        go(to);
      } else if (kind === "drop" && held) {
        held = false;
        if (to === at()) undo();
        else if (to >= 0) go(to);
      }
    },
  };
}
