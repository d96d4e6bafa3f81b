// Answers without Python: what the page can find itself, and what Python has answered before, in `known`. Anything else is
// refused with the command that answers it.

import { NAMED, box, pieceOf } from "./boxes.js";
import { withNumbers } from "./clues.js";
import { isTour, neighbours } from "./graph.js";
import { byRule } from "./rule.js";
import { EMPTY } from "./words.js";

/** @typedef {{what: string, problem: Problem, seed: number, most: number, level?: string}} Work */
/** @typedef {{board: Board, question: Question, kind: "open" | "closed", places: number[], problem: (walk?: number[]) => Problem}} Place */
/** @typedef {Record<string, any>} Words */

const MOST = 10_000; // cells
const SMALL = 2e7; // steps of work, some seconds
const LARGE = 1e8;
const SAFE = /^[\w@%+=:,./-]+$/;
const CELL = "[A-Za-z0-9:]+";
const MOVES = `${CELL}-${CELL}(?:, ${CELL}-${CELL})*`;
const STEPS = `${CELL} at step \\d+`;
const FORM = new RegExp(
  `^(closed|open) tour of (\\S+?)(?: by the (?:piece )?(\\S+?))?(?: from (${CELL}))?(?: to (${CELL}))?` +
  `(?:, with (${MOVES}))?(?:, without (${MOVES}))?(?:, (${STEPS}(?:, ${STEPS})*))?(?:, through (${CELL}(?:, ${CELL})+))?(?:, symmetric under the (.+?))?(?:, all moves ([a-z]+))?(?: in (\\d+) coils?)?$`,
);

/** What is refused, as a code and values. */
class Refusal extends Error {
  /** @param {string} code @param {Words} [values] */
  constructor(code, values = {}) {
    super(code);
    this.said = [[code, values]];
  }
}

/** @param {string[]} words */
const shell = (words) => words.map((one) => (SAFE.test(one) ? one : `'${one.replaceAll("'", `'"'"'`)}'`)).join(" ");

/**
 * The same question for a shell and for Python.
 * @param {Question} words
 * @param {[keyof Question, string, string][]} options of words, and their keywords in Python
 * @returns {Board["lines"]}
 */
function lines(words, options) {
  const quoted = (/** @type {string} */ one) => `'${one}'`;
  const line = [words.board];
  const call = [quoted(words.board)];
  for (const [key, option, keyword] of options) {
    const value = words[key];
    if (String(value) === String(EMPTY[key])) continue;
    if (value === true) line.push(option);
    else for (const one of Array.isArray(value) ? value : [value]) line.push(option, String(one));
    const written = Array.isArray(value) ? `[${value.map(quoted).join(", ")}]` : value === true ? "True" : typeof value === "number" ? value : quoted(String(value));
    call.push(`${keyword}=${written}`);
  }
  return Object.fromEntries(["tour", "prove", "count"].map((name) => [name, { shell: shell(["cavalcade", name, ...line]), python: `cavalcade.${name}(${call.join(", ")})` }]));
}

/**
 * The statement of a question, as `question/statement.py` writes it.
 * @param {Question} words
 * @param {Map<string, number>} number of each cell
 */
function statement(words, number) {
  const [d] = [words.board.split("-")[0].split("x").length];
  const { piece } = words;
  const canonical = piece.startsWith("moves:")
    ? `moves:${[...new Set((pieceOf(piece, d)?.vectors ?? []).map((move) => (move.find(Boolean) ?? 0) > 0 ? move.join() : move.map((x) => -x || 0).join()))].sort(byNumbers).join(";")}+-`
    : [...new Set(piece.split("+"))].sort(byNumbers).join("+");
  const at = (/** @type {string} */ name) => number.get(name) ?? -1;
  const moves = (/** @type {string[]} */ list) => list.map((move) => move.split("-").sort((a, b) => at(a) - at(b)))
    .sort(([a, b], [c, e]) => at(a) - at(c) || at(b) - at(e)).map((move) => [...move].sort().join("-")).join(", ");
  return `${words.open ? "open" : "closed"} tour of ${words.board}`
    + (canonical === "knight" ? "" : ` by the ${canonical in NAMED ? "" : "piece "}${canonical}`)
    + (words.start && ` from ${words.start}`) + (words.end && words.open && number.size > 1 ? ` to ${words.end}` : "")
    + (words.with.length ? `, with ${moves(words.with)}` : "") + (words.avoid.length ? `, without ${moves(words.avoid)}` : "")
    + [...words.at].map((one) => one.split("=")).sort(([a], [b]) => Number(a) - Number(b)).map(([step, cell]) => `, ${cell} at step ${step}`).join("")
    + (words.through.length ? `, through ${words.through.join(", ")}` : "")
    + (words.symmetry && `, symmetric under the ${words.symmetry}`)
    + (words.moves && `, all moves ${words.moves}`) + (words.coils ? ` in ${words.coils} coil${words.coils > 1 ? "s" : ""}` : "");
}

/** @param {string} a @param {string} b */
function byNumbers(a, b) {
  const [one, other] = [a, b].map((text) => text.split(",").map(Number));
  const i = one.findIndex((x, k) => x !== other[k]);
  return i < 0 ? 0 : one[i] - other[i];
}

/**
 * @param {(key: string) => Promise<Words | undefined>} known what Python has answered
 * @param {(work: Work, signal?: AbortSignal) => Promise<Solved & {steps?: number[], grade?: string, ways?: [number, boolean]}>} kernel
 */
export function local(known, kernel) {
  const options = known("start").then((first) => first?.options ?? []);

  /**
   * The words of a question, from its statement too.
   * @param {Partial<Question> & {statement?: string}} given
   * @returns {Question}
   */
  const words = ({ statement: said, ...given }) => {
    if (said === undefined) return { ...EMPTY, ...given };
    const found = FORM.exec(said);
    if (found === null) throw new Refusal(`'${said.slice(0, 80)}' is not a statement, expected one like 'closed tour of 8x8' or 'open tour of 6x6 by the camel from a1'`);
    const [, kind, board, piece = "knight", start = "", end = "", must, avoid, steps, through, symmetry = "", moves = "", coils = 0] = found;
    const at = steps?.split(", ").map((one) => one.split(" at step ").reverse().join("=")) ?? [];
    return { board, piece, open: kind === "open", start, end, with: must?.split(", ") ?? [], avoid: avoid?.split(", ") ?? [], at, through: through?.split(", ") ?? [], symmetry, moves, coils: Number(coils), avoid_cells: [] };
  };

  /**
   * The board of a question: the whole one, from its sides or from Python, and what its holes leave of it.
   * @param {Words} asked
   * @returns {Promise<Place>}
   */
  const place = async (asked) => {
    const question = words(asked.question ?? {});
    const text = question.board.trim().toLowerCase().replaceAll("×", "x");
    const [shape, ...rest] = text.split("-");
    const cut = rest.join("-");
    const sides = shape.split("x").map(Number);
    /** @type {Partial<Board> | undefined} */
    let whole;
    let piece = pieceOf(question.piece, sides.length);
    if (/^\d{1,4}(x\d{1,4}){1,2}$/.test(shape) && !sides.includes(0)) {
      if (piece === null) throw new Refusal("here.piece", { piece: question.piece.slice(0, 60), names: Object.keys(NAMED).join(", ") });
      if (sides.reduce((a, b) => a * b) > MOST) throw new Refusal("here.large", { most: MOST, board: shape });
      whole = box(sides, piece.vectors);
    } else {
      if (!/^\w+:[\dx,]+$/.test(shape) && !/^\d+(x\d+)+$/.test(shape)) throw new Refusal("here.board", { board: question.board.slice(0, 60) });
      whole = await known(`board ${shape}`);
      piece = { spec: "knight", vectors: [] };
      if (whole === undefined || question.piece !== "knight") throw new Refusal("here.sizes", { line: shell(["cavalcade", "tour", shape, ...(question.piece === "knight" ? [] : ["--piece", question.piece])]) });
    }
    const names = whole.names ?? [];
    const number = new Map(names.map((name, i) => [name, i]));
    const hole = new Uint8Array(names.length);
    for (const name of cut ? cut.split(",") : []) {
      const one = number.get(name.trim());
      if (one === undefined) throw new Refusal("here.hole", { text: text.slice(0, 60), cell: name.slice(0, 40), board: shape });
      hole[one] = 1;
    }
    for (const one of asked.toggle ?? []) hole[one] ^= 1;
    const places = [...hole.keys()].filter((one) => !hole[one]);
    if (!places.length) throw new Refusal("here.empty");
    const holes = [...hole.keys()].filter((one) => hole[one]);
    const there = (/** @type {number} */ one) => !hole[one];
    const all = whole.edges ?? new Int32Array(0);
    const edges = all.filter((_, i) => there(all[i]) && there(all[i ^ 1]));
    const spec = shape + (holes.length ? `-${holes.map((one) => names[one]).join(",")}` : "");
    /** @type {Set<string>} */
    const moves = new Set();
    for (let i = 0; i < edges.length; i += 2) moves.add(`${names[edges[i]]}-${names[edges[i + 1]]}`).add(`${names[edges[i + 1]]}-${names[edges[i]]}`);
    /** @type {Words[]} */
    const dropped = [];
    const isCell = (/** @type {string} */ name) => there(number.get(name) ?? -1) && number.has(name);
    const fits = (/** @type {boolean} */ fine, /** @type {string} */ code, /** @type {Words} */ values = {}) => fine || (dropped.push({ said: [[`drop.${code}`, values]] }), false);
    const cell = (/** @type {string} */ name) => !name || fits(isCell(name), "cell", { cell: name.slice(0, 40), board: spec }) ? name : "";
    const list = (/** @type {string[]} */ given) => given.filter((move) => fits(moves.has(move), "move", { move: move.slice(0, 40) }));
    const start = cell(question.start);
    const end = question.end && fits(question.open, "end") && fits(question.end !== start || places.length === 1, "ends", { cell: start }) ? cell(question.end) : "";
    const taken = new Map([["1", start], [String(places.length), question.open ? end : ""]]);
    const steps = question.at.filter((one) => {
      const [step, name] = one.split("=");
      const inside = Number(step) >= 1 && Number(step) <= places.length && isCell(name);
      const free = !taken.get(step) && ![...taken.values()].includes(name);
      return fits(inside && free, "step", { step: one.slice(0, 40), board: spec }) && taken.set(step, name);
    });
    const through = question.through.map(cell).filter(Boolean);
    const symmetry = question.symmetry && fits(false, "symmetry") ? question.symmetry : "";
    const turns = question.moves && fits(false, "moves");
    const fitting = { board: spec, piece: piece.spec, open: question.open, start, end, with: list(question.with), avoid: list(question.avoid), at: steps, through, symmetry, moves: turns ? question.moves : "", coils: turns ? question.coils : 0, avoid_cells: [] };
    const title = holes.length > 8 ? `${shape} without ${holes.length.toLocaleString("en")} cells` : spec;
    const board = /** @type {Board} */ ({
      ...whole, question: fitting, dropped, title, size: places.length, moves: edges.length / 2, holes: Int32Array.from(holes), edges,
      over: (whole.over ?? []).filter(([a, b]) => there(a) && there(b)), piece: piece.spec, symmetries: [], left_out: [],
      space: whole.space ? { ...whole.space, there: Int32Array.from(places), folds: whole.space.folds.filter((_, i) => there(all[2 * Math.floor(i / 3)]) && there(all[2 * Math.floor(i / 3) + 1])) } : null,
      lines: lines(fitting, await options), statement: statement(fitting, number),
    });
    const at = new Map(places.map((one, i) => [one, i]));
    const index = (/** @type {string} */ name) => at.get(number.get(name) ?? -1) ?? -1;
    const pair = (/** @type {string} */ move) => /** @type {[number, number]} */ (move.split("-").map(index));
    const avoided = new Set(fitting.avoid.flatMap((move) => [move, move.split("-").reverse().join("-")]));
    /** @param {number[]} [walk] */
    const problem = (walk = []) => ({
      n: places.length, open: fitting.open, start: index(start), end: index(end), must: fitting.with.map(pair),
      edges: edges.filter((_, i) => !avoided.size || !avoided.has(`${names[edges[i & ~1]]}-${names[edges[i | 1]]}`)).map((one) => at.get(one) ?? -1),
      walk: walk.map((one) => at.get(one) ?? -1),
      order: fitting.through.map(index),
      given: fitting.at.map((one) => /** @type {[number, number]} */ ([Number(one.split("=")[0]) - 1, index(one.split("=")[1])])),
    });
    return { board, question: fitting, kind: fitting.open ? "open" : "closed", places, problem };
  };

  /** A text by its code. @param {string} code @param {Words} [values] */
  const say = (code, values = {}) => ({ said: [[code, values]] });

  /**
   * Whether there is a tour.
   * @param {Place} about
   * @param {number[]} walk
   * @param {Words} asked
   * @param {AbortSignal} [signal]
   * @returns {Promise<Words>}
   */
  const decided = async ({ board, kind, places, problem }, walk, { seed = 0 }, signal) => {
    const began = performance.now();
    const found = await kernel({ what: "solve", problem: problem(walk), seed, most: places.length > 400 ? LARGE : SMALL }, signal);
    const seconds = (performance.now() - began) / 1000;
    const tour = say(`tour.${kind}`, { board: board.statement.split(" tour of ")[1] });
    const common = { status: found.status, seconds, method: "", seed };
    if (found.cells) {
      const cells = Int32Array.from(found.cells, (one) => places[one]);
      return { ...common, cells, closed: !board.question.open, ...say(`found.${kind}`, { tour }) };
    }
    const line = board.lines.prove.shell;
    if (found.status === "undecided") return { ...common, ...say("here.undecided", { seconds: seconds.toPrecision(2), line }) };
    if (!found.reason) return { ...common, ...say("here.impossible", { tour, line }) };
    return { ...common, ...say("impossible", { tour }), story: [...told(found.reason, board, places), say("story.so", { tour })] };
  };

  /**
   * Which step of a walk was the mistake, and why; or why the board has no tour at all. As `studio/walking.py`.
   * @param {Place} about
   * @param {number[]} walk
   * @param {AbortSignal} [signal]
   * @returns {Promise<Words>}
   */
  const mistake = async (about, walk, signal) => {
    const { board, kind, places, problem } = about;
    const whole = (await known(`prove ${board.statement}`)) ?? (await decided(about, [], {}, signal));
    if (whole.status === "impossible") return { ...whole, ...say(`finish.none.${kind}`, { board: board.title }), walk: [] };
    let [last, lost] = [0, walk.length];
    while (lost - last > 1) {
      const middle = (last + lost) >> 1;
      const one = await kernel({ what: "solve", problem: problem(walk.slice(0, middle)), seed: 0, most: SMALL }, signal);
      if (one.status === "impossible") lost = middle;
      else last = middle;
    }
    const name = (/** @type {number} */ step) => board.names?.[walk[step - 1]] ?? "";
    const step = { step: lost, cell: name(lost) };
    /** @type {number[]} */
    const saving = [];
    let { said } = say(`mistake.start.${kind}`, step);
    if (lost > 1) {
      const [number, all] = (await kernel({ what: "ways", problem: problem(walk.slice(0, lost - 1)), seed: 0, most: SMALL / 10 }, signal)).ways ?? [1, false];
      ({ said } = say(all ? "mistake.ways" : "mistake.at-least", { ...step, ways: number }));
      const from = walk[lost - 2];
      const ends = board.edges ?? new Int32Array();
      const onward = [...ends].map((one, i) => (one === from ? ends[i ^ 1] : -1)).filter((one) => one >= 0 && !walk.slice(0, lost).includes(one));
      for (const cell of [...new Set(onward)].sort((a, b) => a - b)) {
        const other = await kernel({ what: "solve", problem: problem([...walk.slice(0, lost - 1), cell]), seed: 0, most: SMALL }, signal);
        if (other.status === "found") saving.push(cell);
      }
      if (saving.length) said.push(["mistake.saving", { cells: saving.map((cell) => board.names?.[cell]) }]);
    }
    const found = await decided(about, walk.slice(0, lost), {}, signal);
    const reasons = found.story?.slice(0, -1) ?? [say("here.tried")];
    return {
      ...found, said: [[`finish.no.${kind}`, {}], ...said], walk: walk.slice(0, lost), lost, saving: Int32Array.from(saving),
      story: [{ ...say(`mistake.goal.${kind}`, { ...step, n: places.length - lost, start: name(1) }), rule: "walk" },
        ...reasons, say(`mistake.end.${kind}`, { step: lost })],
    };
  };

  /** @type {Record<string, (asked: Words, signal?: AbortSignal) => Promise<Words>>} */
  const ASKS = {
    async start({ languages = [] }) {
      const first = /** @type {Words} */ (await known("start"));
      const language = languages.map((/** @type {string} */ one) => one.slice(0, 2)).find((/** @type {string} */ one) => first.languages.some((/** @type {string[]} */ [name]) => name === one)) ?? "en";
      return { ...first, ...(language === "en" ? {} : { speech: await known(`speech ${language}`) }) };
    },
    board: async (asked) => (await place(asked)).board,
    async mask({ text }) {
      /** @type {string[][]} */
      const levels = [[]];
      for (const row of text.split("\n").map((/** @type {string} */ one) => one.trimEnd())) {
        if (!/^[.# ]*$/.test(row)) throw new Refusal("mask.sign");
        if (row) levels[levels.length - 1].push(row);
        else if (levels[levels.length - 1].length) levels.push([]);
      }
      const drawn = levels.filter((level) => level.length);
      if (!drawn.some((level) => level.some((row) => row.includes(".")))) throw new Refusal("mask.empty");
      if (drawn.some((level) => level.length !== drawn[0].length)) throw new Refusal("mask.levels");
      const [m, n] = [drawn[0].length, Math.max(...drawn.flat().map((row) => row.length))];
      const sides = [...(drawn.length > 1 ? [drawn.length] : []), m, n];
      const toggle = drawn.flatMap((level, k) => level.flatMap((row, i) => [...Array(n).keys()].filter((j) => row[j] !== ".").map((j) => (k * m + i) * n + j)));
      return { board: (await place({ question: { board: sides.join("x") }, toggle })).question.board };
    },
    async tour(asked, signal) {
      const about = await place(asked);
      return (await known(`prove ${about.board.statement}`)) ?? decided(about, [], asked, signal);
    },
    prove: (asked, signal) => ASKS.tour(asked, signal),
    async count(asked) {
      const { board } = await place(asked);
      const found = await known(`count ${board.statement}`);
      if (await known(`prove ${board.statement}`)) return { status: "counted", ...say("count.none"), count: "0" };
      if (found === undefined) throw new Refusal("here.count", { line: board.lines.count.shell });
      return found;
    },
    async puzzle(asked, signal) {
      const { board, question, places, problem } = await place(asked);
      if (asked.kind) throw new Refusal("here.kind", { line: shell(["cavalcade", "puzzle", board.question.board, "--kind", asked.kind]) });
      const line = `${shell(["cavalcade", "puzzle", board.question.board])}${question.open ? " --open" : ""}`;
      if (asked.fewest) throw new Refusal("here.fewest", { line: `${line} --fewest` });
      const found = await kernel({ what: "puzzle", problem: problem(), seed: asked.seed ?? 0, most: SMALL, level: asked.level }, signal);
      if (!found.cells || !found.steps) throw new Refusal(found.status === "impossible" ? "here.no-tour" : "here.no-puzzle", { board: board.title, line });
      const { cells, steps, grade } = found;
      const numbers = steps.map((step) => /** @type {[number, string]} */ ([step + 1, board.names?.[places[cells[step]]] ?? ""]));
      return {
        status: "found", question: withNumbers(question, numbers, places.length), solution: Int32Array.from(cells, (one) => places[one]), grade,
        ...say("puzzle.made", { given: steps.length, size: places.length, grade: say(`grade.${grade}`) }),
      };
    },
    async warnsdorff(asked) {
      const { board, places, problem } = await place(asked);
      const { n, edges, start } = problem();
      const near = neighbours(n, edges);
      const walk = byRule(near, Math.max(start, 0), asked.ties ?? "first");
      const closed = walk.length === n && n > 2 && near[walk[n - 1]].includes(walk[0]);
      const message = walk.length === n ? say(`warnsdorff.${closed ? "closed" : "open"}`, { size: n, board: board.title })
        : say("warnsdorff.stops", { cell: board.names?.[places[walk[0]]], step: walk.length, size: n });
      return { status: walk.length === n ? "found" : "undecided", ...message, cells: Int32Array.from(walk, (one) => places[one]), closed, equals: asked.ties ?? "first" };
    },
    async finish(asked, signal) {
      const about = await place(asked);
      const found = await decided(about, asked.walk, asked, signal);
      const { question: { with: must, avoid, at, through }, kind } = about;
      if (found.status === "found") return { ...found, ...say(`finish.yes.${kind}`) };
      if (found.status === "undecided") return found;
      if ([must, avoid, at, through].some((list) => list.length)) return { ...found, ...say(`finish.no.${kind}`) };
      return mistake(about, [...asked.walk], signal);
    },
    async check(asked) {
      const { problem, board, kind, places } = await place(asked);
      const right = isTour(problem(), problem(asked.walk).walk);
      return { status: right ? "right" : "wrong", ...(right ? say(`check.${kind}`, { board: board.title }) : say("check.wrong", { n: asked.walk.length, size: places.length, tour: board.statement })) };
    },
    async file(asked) {
      const { board, question, places } = await place(asked);
      const name = `cavalcade-${asked.thing}.${asked.format === "json" ? "json" : "txt"}`;
      const data = asked.thing === "certificate" ? asked.certificate : asText(board, question, places, asked);
      return { name, data: btoa(String.fromCharCode(...new TextEncoder().encode(data))) };
    },
  };

  /** @param {string} text @param {AbortSignal} [signal] @returns {AsyncGenerator<object, void>} */
  return async function* answers(text, signal) {
    const asked = JSON.parse(text);
    try {
      yield { type: "answer", ...(await ASKS[asked.ask](asked, signal)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      yield { type: "error", said: error.said };
    }
  };
}

/**
 * A reason of the kernel in a sentence.
 * @param {NonNullable<Solved["reason"]>} reason
 * @param {Board} board
 * @param {number[]} places
 * @returns {Sentence[]}
 */
function told({ rule, named, beside }, board, places) {
  const name = (/** @type {number} */ cell) => board.names?.[places[cell]] ?? "";
  const kind = board.question.open ? "open" : "closed";
  const code = { degree: !beside.length ? "none" : kind, ends: "", reach: "", colours: kind }[rule];
  const values = { cell: name(named[0]), end: beside.length ? name(beside[0]) : name(named[1] ?? named[0]), cells: named.map(name).join(", "), n: named.length, others: beside.length, noun: { said: [["noun.cell", {}]] } };
  const at = (/** @type {number[]} */ cells) => cells.map((cell) => places[cell]);
  return [/** @type {any} */ ({ said: [[`proof.${rule}${code && `.${code}`}`, values]], rule, named: at(named), beside: at(beside) })];
}

/**
 * A tour or a board as text that `cavalcade` reads: numbers on a flat board, else names.
 * @param {Board} board
 * @param {Question} question
 * @param {number[]} places
 * @param {Words} asked
 */
function asText(board, question, places, { thing, walk = [], closed }) {
  const names = board.names ?? [];
  const whole = question.board.split("-")[0];
  const [m, n, third] = whole.split("x").map(Number);
  const flat = third === undefined && n > 0;
  const there = new Set(places);
  /** @param {(place: number) => string} sign */
  const rows = (sign) => [...Array(m).keys()].map((i) => `${[...Array(n).keys()].map((j) => sign(i * n + j)).join(thing === "tour" ? " " : "")}\n`).join("");
  if (thing === "board") return flat ? rows((one) => (there.has(one) ? "." : "#")) : `${question.board}\n`;
  const head = `; ${closed ? "closed" : "open"} tour of ${flat ? whole : question.board}, piece ${question.piece}\n`;
  const step = new Map(walk.map((/** @type {number} */ one, /** @type {number} */ i) => [one, i + 1]));
  const width = String(walk.length).length;
  return head + (flat ? rows((one) => String(there.has(one) ? step.get(one) ?? "." : "#").padStart(width)) : `${walk.map((/** @type {number} */ one) => names[one]).join(" ")}\n`);
}
