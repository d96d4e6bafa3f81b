// Walk yourself: legal moves, hints, the wrong turn of a walk that is stuck, puzzles, time and score.

import { ask, wrong } from "./api.js";
import { withNumbers } from "./daily.js";
import { dayFields } from "./days.js";
import { byId, button, choices, copied, counted, every, labelled, make, moving, say, ticked } from "./dom.js";
import { home } from "./home.js";
import { kept } from "./memory.js";
import { paperFields, rules } from "./paper.js";
import { LEVELS } from "./numbers.js";
import { drawable, penpa } from "./penpa.js";
import { click, soundField } from "./sound.js";
import { givenNumbers, isOrdered } from "./signs.js";
import { t } from "./texts.js";
import { EMPTY } from "./words.js";
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
  const [degrees, watching, fewest] = [true, false, false].map((checked) => make("input", { type: "checkbox", checked }));
  const level = make("select", { id: "level" });
  const kind = make("select", { id: "kind" });
  const share = make("div", { id: "share" });
  const clock = make("span", { class: "clock", role: "timer", "aria-label": t("walk.time") }, "0:00");
  const score = make("span", { class: "score" });
  const still = make("p", { class: "status", id: "walk-still" });
  const chance = make("div", { id: "chance", role: "meter", "aria-label": t("walk.chance"), "aria-valuemin": 0, hidden: true }, make("span", {}), make("span", {}));
  const chances = make("p", { class: "hint", id: "chances" });
  const days = dayFields(app, { time: () => clock.textContent ?? "", hints: () => hints, undone: () => undone });
  const paper = writing(app, {
    given: () => given, near: () => near, says: (text) => app.tell(text, "wrong"),
    wrote() {
      began ||= performance.now();
      arrived();
    },
    hinted() {
      hints++;
      count();
    },
  });
  const elsewhere = button(t("walk.penpa"), () => void taken(), { id: "penpa" });
  paper.root.append(elsewhere);
  const explain = button(t("walk.why"), () => show(), { hidden: true });
  const takeBack = button(t("walk.undo"), () => undo(), { id: "walk-undo" });
  const hint = button(t("walk.hint"), () => void help(), { id: "walk-hint" });
  const back = button("", () => state.step(state.walk.slice(0, lost() - 1)), { id: "walk-back", class: "strong" });
  const watch = button(t("walk.watch"), () => {
    app.open("watch");
    app.player.go(1);
    app.player.play();
  }, { class: "strong" });

  const card = button(t("share.picture"), () => void days.card(shared()), { id: "card" });
  const noun = () => (/^(hex|triangle|parallelogram|hexagon):|^\d+x\d+x/.test(state.question.board) ? "cell" : "square");
  const name = state.name.bind(state);
  const named = (/** @type {Iterable<number>} */ places) => [...places].map(name).join(t("list.or"));
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
    elsewhere.hidden = !state.board || !drawable(state.board);
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

  const restart = () => {
    fresh();
    state.step(beginning(), new Map());
  };

  /** A link to the puzzle in Penpa. */
  const taken = async () => {
    const { board } = state;
    if (board) share.replaceChildren(copied(t("puzzle.penpa"), await penpa(board, given, rules(board))));
  };

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
    if (state.board?.holes.includes(place)) return t("bar.hole", { noun: t(`noun.${noun()}`), cell: name(place) });
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
    arrived();
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
    const { length } = state.walk;
    const good = step ? step - 1 : length;
    const [green, red] = /** @type {NodeListOf<HTMLElement>} */ (chance.querySelectorAll("span"));
    green.style.width = `${(100 * good) / state.size}%`;
    red.style.width = `${(100 * (length - good)) / state.size}%`;
    const words = step ? t("chance.lost", { step }) : answer?.status === "found" ? t("chance.possible") : "";
    chance.setAttribute("aria-valuemax", String(state.size));
    chance.setAttribute("aria-valuenow", String(good));
    chance.setAttribute("aria-valuetext", words || t("chance.unknown"));
    chance.hidden = !watching.checked;
    chances.textContent = watching.checked ? words : "";
    still.textContent = searching ? t("doing.search") : answer?.message ?? "";
    explain.hidden = !answer?.story;
    takeBack.disabled = length <= beginning().length;
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
    if (!walk.length) return [state.question.start ? t("walk.start-at", { cell: state.question.start }) : t("walk.start", { noun: t(`noun.${noun()}`) }), ""];
    if (whole()) return closes() ? [t("walk.all", { noun: t(`noun.${noun()}`) }), ""] : [t("walk.open", { noun: t(`noun.${noun()}`), from: name(at()), to: name(walk[0]) }) + wrongTurn(answer), "undecided"];
    if (stuck()) return [`${deadEnd(unvisited)}${searching ? ` ${t("doing.wrong-turn")}` : wrongTurn(answer)}`, "wrong"];
    if (answer && lost()) return [lost() > 1 ? wrongTurn(answer).trim() : answer.message, "wrong"];
    if (hinted >= 0) return [t("walk.hinted", { cell: name(hinted) }), "found"];
    return [t("walk.step", { step: walk.length, cell: name(at()), moves: counted(options().length, "move"), cells: counted(unvisited, noun()) }), ""];
  };

  /** Which step was wrong, and what would have been right. @param {Answer | null} answer */
  const wrongTurn = (answer) => {
    const step = lostIn(answer);
    if (!answer || !step) return "";
    if (step === 1) return ` ${answer.message}`;
    return ` ${t(answer.saving?.length ? "walk.saving" : "walk.wrong-turn", { step, cell: name(state.walk[step - 1]), saving: named(answer.saving ?? []) })}`;
  };

  /** @param {number} unvisited */
  const deadEnd = (unvisited) => {
    const missed = [...near.keys()].filter((place) => !state.walk.includes(place) && !state.board?.holes.includes(place));
    const some = missed.slice(0, NAMED).map(name).join(", ") + (missed.length > NAMED ? ", …" : "");
    return t(free(at()).length ? "walk.stuck.numbers" : "walk.stuck", { cell: name(at()), noun: t(`noun.${noun()}`), unvisited, left: counted(unvisited, noun()), cells: some }).replace("….", "…");
  };

  const count = () => {
    const spent = began ? (ended || performance.now()) - began : 0;
    const seconds = Math.floor(spent / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    score.textContent = t("walk.score", { n: state.walk.length, size: state.size, hints: counted(hints, "hint"), steps: counted(undone, "step") });
  };
  const result = () => ({ time: clock.textContent, hints: counted(hints, "hint"), steps: counted(undone, "step") });
  every(500, () => {
    if (began && !ended && app.mode === "walk") count();
  });

  /** Have Python check that it is a tour, and meets the conditions of the question. */
  const confirm = async () => {
    const { walk } = state;
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
  const help = async () => {
    if (!state.walk.length) return app.tell(t("walk.any", { noun: t(`noun.${noun()}`) }));
    const { walk } = state;
    await finish(false);
    const answer = verdict();
    if (state.walk !== walk || !answer || lost()) return;
    const next = answer.cells?.[walk.length];
    if (next === undefined) return app.tell(answer.message, /** @type {any} */ (answer.status));
    hinted = next;
    tell();
  };

  const show = () => {
    const answer = verdict();
    if (answer === null) return;
    app.answer = answer;
    for (const part of app.parts) if (part.id === "why") part.answered?.();
    app.open("why", true);
  };

  const puzzle = async () => {
    const { question: now } = state; // without the numbers of the last puzzle
    const question = isOrdered(now) ? { ...EMPTY, board: now.board } : now.at.length ? { ...now, start: "", end: "", at: [] } : now;
    const answer = await app.work({ ask: "puzzle", question, kind: kind.value, ...(fewest.checked ? { fewest: true } : { level: level.value }), seed: Math.floor(Math.random() * 1e9), seconds: 30 }, t("doing.puzzle"));
    if (answer === null) return;
    const { cells, steps } = answer;
    if (answer.question || steps) state.walk = [];
    if (answer.question) await state.change(answer.question);
    else if (cells && steps) {
      await state.change(withNumbers(question, [...cells].map((place, i) => [steps[i], name(place)]), state.size));
    }
    app.tell(answer.message, answer.question || steps ? "found" : /** @type {any} */ (answer.status));
  };

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
      if (degrees.checked) for (const cell of options()) if (!given.has(cell)) marks.push({ cell, kind: "option", text: String(free(cell).length) });
      if (stuck() && !whole()) {
        near.forEach((_, cell) => {
          if (!seen.has(cell) && !given.has(cell) && !state.notes.has(cell) && !state.board?.holes.includes(cell)) marks.push({ cell, kind: "unvisited" });
        });
      }
      if (hinted >= 0) marks.push({ cell: hinted, kind: "chosen", text: "✓" });
      if (step && walk.length >= step) { // the wrong step, and the choices that save the tour
        marks.push({ cell: walk[step - 1], kind: "mistake" });
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
    build(root) {
      choices(kind, KINDS.map((one) => [one, t(`kind.${one || "numbers"}`)]), "");
      choices(level, LEVELS.map((one) => [one, t(`grade.${one}`)]), "medium");
      for (const field of [degrees, watching]) field.addEventListener("change", () => after());
      byId("bar", HTMLElement).append(back, watch, card, takeBack, hint, button(t("walk.restart"), restart, { id: "walk-restart" }));
      root.append(
        make("p", { class: "row scoring" }, clock, score),
        chance, chances, still, explain, share, paper.root,
        make("div", { class: "buttons" },
          button(t("walk.ask"), () => void finish(false), { id: "walk-ask" }),
          button(t("walk.finish"), () => void finish(true), { id: "walk-finish" })),
        make("fieldset", {}, make("legend", {}, t("walk.help")),
          ticked(t("walk.degrees"), degrees),
          ticked(t("walk.each"), watching), soundField()),
        make("fieldset", {}, make("legend", {}, t("puzzle")),
          make("p", { class: "hint" }, t("puzzle.help")),
          make("div", { class: "row" }, labelled(t("puzzle.kind"), kind), labelled(t("puzzle.level"), level), button(t("puzzle.new"), () => void puzzle(), { id: "new-puzzle", class: "strong" })),
          ticked(t("puzzle.fewest"), fewest)),
        days.root,
        ...(home.top === document.documentElement ? [paperFields(app, level)] : []),
      );
    },
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
    words() {
      /** @type {Map<number, string>} */
      const words = new Map();
      for (const [cell, step] of given) words.set(cell, t(ordered() ? "cell.order" : "cell.given", { n: step }));
      paper.tell(words);
      state.walk.forEach((cell, i) => words.set(cell, t("cell.step", { n: i + 1 })));
      for (const cell of options()) {
        const away = t("cell.adjacent", { moves: counted(free(cell).length, "onward-move") });
        words.set(cell, words.has(cell) ? `${words.get(cell)}, ${away}` : away);
      }
      paper.correct(words);
      return words;
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
