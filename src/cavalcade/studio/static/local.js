// Answers without Python: what the page can find itself, and what Python has answered before, in `known`. Anything else is
// refused with the command that answers it.

import { NAMED, box, pieceOf } from "./boxes.js";
import { neighbours } from "./graph.js";
import { byRule } from "./rule.js";
import { EMPTY, OPTIONS } from "./words.js";

/** @import { Board, Problem, Question, Sentence, Solved } from "./types.js" */
/** @typedef {{what: string, problem: Problem, seed: number, most: number, level?: string}} Work */
/** @typedef {{board: Board, question: Question, places: number[], problem: (walk?: number[]) => Problem}} Place */
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

/** What is refused. */
class Refusal extends Error {}

/** @param {string[]} words */
const shell = (words) => words.map((one) => (SAFE.test(one) ? one : `'${one.replaceAll("'", `'"'"'`)}'`)).join(" ");

/**
 * The same question for a shell and for Python.
 * @param {Question} words
 * @returns {Board["lines"]}
 */
function lines(words) {
  const quoted = (/** @type {string} */ one) => `'${one}'`;
  const line = [words.board];
  const call = [quoted(words.board)];
  for (const [key, option, keyword] of OPTIONS) {
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

/**
 * @param {string} a
 * @param {string} b
 */
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
    const refused = `'${question.board.slice(0, 60)}' is not a board: try 8x8, 4x8x8, hex:6, torus:8x8, cube:4 or 8x8-a1,b1`;
    /** @type {Partial<Board> | undefined} */
    let whole;
    let piece = pieceOf(question.piece, sides.length);
    if (/^\d{1,4}(x\d{1,4}){1,2}$/.test(shape) && !sides.includes(0)) {
      if (piece === null) throw new Refusal(`'${question.piece.slice(0, 60)}' is not a piece: expected ${Object.keys(NAMED).join(", ")}, a leaper like 1,4, a union like 1,2+1,3, or moves:1,2;2,1+-`);
      if (sides.reduce((a, b) => a * b) > MOST) throw new Refusal(`this page shows boards of up to ${MOST.toLocaleString("en")} cells; for ${shape}: cavalcade tour ${shape}`);
      whole = box(sides, piece.vectors);
    } else {
      if (!/^\w+:[\dx,]+$/.test(shape) && !/^\d+(x\d+)+$/.test(shape)) throw new Refusal(refused);
      whole = await known(`board ${shape}`);
      piece = { spec: "knight", vectors: [] };
      if (whole === undefined || question.piece !== "knight") throw new Refusal(`this page has some sizes of each shape, for the knight; for others: ${shell(["cavalcade", "tour", shape, ...(question.piece === "knight" ? [] : ["--piece", question.piece])])}`);
    }
    const names = whole.names ?? [];
    const number = new Map(names.map((name, i) => [name, i]));
    const hole = new Uint8Array(names.length);
    for (const name of cut ? cut.split(",") : []) {
      const one = number.get(name.trim());
      if (one === undefined) throw new Refusal(`in '${text.slice(0, 60)}': '${name.slice(0, 40)}' is not a cell of ${shape}`);
      hole[one] = 1;
    }
    for (const one of asked.toggle ?? []) hole[one] ^= 1;
    const places = [...hole.keys()].filter((one) => !hole[one]);
    if (!places.length) throw new Refusal("the mask has no cell, expected at least one");
    const holes = [...hole.keys()].filter((one) => hole[one]);
    const there = (/** @type {number} */ one) => !hole[one];
    const all = whole.edges ?? new Int32Array(0);
    const edges = all.filter((_, i) => there(all[i]) && there(all[i ^ 1]));
    const spec = shape + (holes.length ? `-${holes.map((one) => names[one]).join(",")}` : "");
    /** @type {Set<string>} */
    const moves = new Set();
    for (let i = 0; i < edges.length; i += 2) moves.add(`${names[edges[i]]}-${names[edges[i + 1]]}`).add(`${names[edges[i + 1]]}-${names[edges[i]]}`);
    /** @type {string[]} */
    const dropped = [];
    const isCell = (/** @type {string} */ name) => there(number.get(name) ?? -1) && number.has(name);
    const fits = (/** @type {boolean} */ fine, /** @type {string} */ why) => fine || (dropped.push(why), false);
    const cell = (/** @type {string} */ name) => !name || fits(isCell(name), `'${name.slice(0, 40)}' is not a cell of ${spec}`) ? name : "";
    const list = (/** @type {string[]} */ given) => given.filter((move) => fits(moves.has(move), `${move.slice(0, 40)} is not a move`));
    const start = cell(question.start);
    const end = question.end && fits(question.open, "only an open tour has an end") && fits(question.end !== start || places.length === 1, `the tour starts and ends at ${start}`) ? cell(question.end) : "";
    const taken = new Map([["1", start], [String(places.length), question.open ? end : ""]]);
    const steps = question.at.filter((one) => {
      const [step, name] = one.split("=");
      const inside = Number(step) >= 1 && Number(step) <= places.length && isCell(name);
      const free = !taken.get(step) && ![...taken.values()].includes(name);
      return fits(inside && free, `${one.slice(0, 40)} is not a step of a tour of ${spec}`) && taken.set(step, name);
    });
    const through = question.through.length && fits(false, "this page finds no tours with cells in order: cavalcade tour --through does") ? question.through : [];
    const symmetry = question.symmetry && fits(false, "this page finds no tours that are symmetric: cavalcade tour --symmetry does") ? question.symmetry : "";
    const turns = question.moves && fits(false, "this page finds no tours that go round the centre: cavalcade tour --moves does");
    const fitting = { board: spec, piece: piece.spec, open: question.open, start, end, with: list(question.with), avoid: list(question.avoid), at: steps, through, symmetry, moves: turns ? question.moves : "", coils: turns ? question.coils : 0, avoid_cells: [] };
    const title = holes.length > 8 ? `${shape} without ${holes.length.toLocaleString("en")} cells` : spec;
    const board = /** @type {Board} */ ({
      ...whole, question: fitting, dropped, title, size: places.length, moves: edges.length / 2, holes: Int32Array.from(holes), edges,
      over: (whole.over ?? []).filter(([a, b]) => there(a) && there(b)), piece: piece.spec, symmetries: [], left_out: [],
      space: whole.space ? { ...whole.space, there: Int32Array.from(places) } : null,
      lines: lines(fitting), statement: statement(fitting, number),
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
      given: fitting.at.map((one) => /** @type {[number, number]} */ ([Number(one.split("=")[0]) - 1, index(one.split("=")[1])])),
    });
    return { board, question: fitting, places, problem };
  };

  /** @param {string} what @param {string} line */
  const elsewhere = (what, line) => new Refusal(`this page ${what}; on your own computer: ${line}`);

  /**
   * Whether there is a tour.
   * @param {Place} about
   * @param {number[]} walk
   * @param {Words} asked
   * @param {AbortSignal} [signal]
   * @returns {Promise<Words>}
   */
  const decided = async ({ board, places, problem }, walk, { seed = 0 }, signal) => {
    const began = performance.now();
    const found = await kernel({ what: "solve", problem: problem(walk), seed, most: places.length > 400 ? LARGE : SMALL }, signal);
    const seconds = (performance.now() - began) / 1000;
    const common = { status: found.status, seconds, method: "", seed };
    if (found.cells) {
      const cells = Int32Array.from(found.cells, (one) => places[one]);
      return { ...common, cells, closed: !board.question.open, message: `${board.question.open ? "An" : "A"} ${board.statement}, found and checked.` };
    }
    const line = board.lines.prove.shell;
    if (found.status === "undecided") return { ...common, reason: "too much work", message: `Undecided: this page has tried for ${seconds.toPrecision(2)} s. On your own computer: ${line}` };
    const none = `there is no ${board.statement}.`;
    if (!found.reason) return { ...common, message: `Impossible: ${none} The page has tried every way; for a proof in sentences: ${line}` };
    return { ...common, message: `Impossible: ${none}`, story: [...told(found.reason, board, places), { text: `So ${none}` }] };
  };

  /**
   * Which step of a walk was the mistake, and why; or why the board has no tour at all. As `studio/walking.py`.
   * @param {Place} about
   * @param {number[]} walk
   * @param {string} kind
   * @param {AbortSignal} [signal]
   * @returns {Promise<Words>}
   */
  const mistake = async (about, walk, kind, signal) => {
    const { board, places, problem } = about;
    const whole = (await known(`prove ${board.statement}`)) ?? (await decided(about, [], {}, signal));
    if (whole.status === "impossible") return { ...whole, message: `No: ${board.title} has no ${kind} tour, wherever you begin.`, walk: [] };
    let [last, lost] = [0, walk.length];
    while (lost - last > 1) {
      const middle = (last + lost) >> 1;
      const one = await kernel({ what: "solve", problem: problem(walk.slice(0, middle)), seed: 0, most: SMALL }, signal);
      if (one.status === "impossible") lost = middle;
      else last = middle;
    }
    const name = (/** @type {number} */ step) => board.names?.[walk[step - 1]] ?? "";
    const step = `Step ${lost}, ${name(lost)}, was the mistake`;
    /** @type {number[]} */
    const saving = [];
    let said = `${step}: no ${kind} tour starts there.`;
    if (lost > 1) {
      const [number, all] = (await kernel({ what: "ways", problem: problem(walk.slice(0, lost - 1)), seed: 0, most: SMALL / 10 }, signal)).ways ?? [1, false];
      said = `${step}: before it ${all ? "" : "at least "}${number.toLocaleString("en")} ${number === 1 && all ? "way was" : "ways were"} left.`;
      const from = walk[lost - 2];
      const ends = board.edges ?? new Int32Array();
      const onward = [...ends].map((one, i) => (one === from ? ends[i ^ 1] : -1)).filter((one) => one >= 0 && !walk.slice(0, lost).includes(one));
      for (const cell of [...new Set(onward)].sort((a, b) => a - b)) {
        const other = await kernel({ what: "solve", problem: problem([...walk.slice(0, lost - 1), cell]), seed: 0, most: SMALL }, signal);
        if (other.status === "found") saving.push(cell);
      }
      if (saving.length) said += ` With ${saving.map((cell) => board.names?.[cell]).join(" or ")} instead, a tour is possible.`;
    }
    const found = await decided(about, walk.slice(0, lost), {}, signal);
    const back = about.question.open ? "" : ` and come back to ${name(1)}`;
    const reasons = found.story?.slice(0, -1) ?? [{ text: "The page has tried every way to go on, and each of them gets stuck." }];
    return {
      ...found, message: `No: no ${kind} tour starts with this walk. ${said}`, walk: walk.slice(0, lost), lost, saving: Int32Array.from(saving),
      story: [{ text: `From ${name(lost)} the walk must visit the other ${places.length - lost} cells${back}. It cannot:`, rule: "walk" },
        ...reasons, { text: `So no ${kind} tour goes on from step ${lost}.` }],
    };
  };

  /** @type {Record<string, (asked: Words, signal?: AbortSignal) => Promise<Words>>} */
  const ASKS = {
    start: async () => ({ ...(await known("start")) }),
    board: async (asked) => (await place(asked)).board,
    async mask({ text }) {
      /** @type {string[][]} */
      const levels = [[]];
      for (const row of text.split("\n").map((/** @type {string} */ one) => one.trimEnd())) {
        if (!/^[.# ]*$/.test(row)) throw new Refusal("the drawing has a character that is neither '.' (a cell) nor '#' (a hole)");
        if (row) levels[levels.length - 1].push(row);
        else if (levels[levels.length - 1].length) levels.push([]);
      }
      const drawn = levels.filter((level) => level.length);
      if (!drawn.some((level) => level.some((row) => row.includes(".")))) throw new Refusal("the drawing has no cell, expected at least one '.'");
      if (drawn.some((level) => level.length !== drawn[0].length)) throw new Refusal("levels have different numbers of lines");
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
      if (await known(`prove ${board.statement}`)) return { status: "counted", message: "0: there is none.", count: "0" };
      if (found === undefined) throw elsewhere("has no number for this question", board.lines.count.shell);
      return found;
    },
    async puzzle(asked, signal) {
      const { board, question, places, problem } = await place(asked);
      const line = `${shell(["cavalcade", "puzzle", board.question.board])}${question.open ? " --open" : ""}`;
      if (asked.fewest) throw elsewhere("does not look for the fewest numbers", `${line} --fewest`);
      const found = await kernel({ what: "puzzle", problem: problem(), seed: asked.seed ?? 0, most: SMALL, level: asked.level }, signal);
      if (!found.cells || !found.steps) throw elsewhere(found.status === "impossible" ? `knows no tour of ${board.title}` : "finds no puzzle here", line);
      const { cells, steps } = found;
      return {
        status: "found", steps: Int32Array.from(steps, (step) => step + 1), cells: Int32Array.from(steps, (step) => places[cells[step]]), closed: !question.open,
        solution: Int32Array.from(cells, (one) => places[one]), grade: found.grade,
        message: `${steps.length} of ${places.length} numbers are given; exactly one tour has them. The puzzle is ${found.grade}.`,
      };
    },
    async warnsdorff(asked) {
      const { board, places, problem } = await place(asked);
      const { n, edges, start } = problem();
      const near = neighbours(n, edges);
      const walk = byRule(near, Math.max(start, 0), asked.ties ?? "first");
      const closed = walk.length === n && n > 2 && near[walk[n - 1]].includes(walk[0]);
      const ending = closed ? ", and a move leads from the last to the first: a closed tour." : ": an open tour.";
      const message = walk.length === n
        ? `Warnsdorff's rule visits all ${n.toLocaleString("en")} cells of ${board.title}${ending}`
        : `The walk from ${board.names?.[places[walk[0]]]} stops after ${walk.length} of ${n} cells.`;
      return { status: walk.length === n ? "found" : "undecided", message, cells: Int32Array.from(walk, (one) => places[one]), closed, equals: `the rule takes the ${asked.ties ?? "first"} in the order of the moves` };
    },
    async finish(asked, signal) {
      const about = await place(asked);
      const found = await decided(about, asked.walk, asked, signal);
      const kind = about.question.open ? "open" : "closed";
      const a = kind === "open" ? "an open" : "a closed";
      if (found.status === "found") return { ...found, message: `Yes: ${a} tour starts with this walk.` };
      if (found.status === "undecided") return found;
      const { with: must, avoid, at } = about.question;
      if (must.length || avoid.length || at.length) return { ...found, message: `No: no ${kind} tour starts with this walk.` };
      return mistake(about, [...asked.walk], kind, signal);
    },
    async check(asked) {
      const { problem, board, places } = await place(asked);
      const { n, edges, open, must, start, end, walk } = problem(asked.walk);
      const near = neighbours(n, edges);
      const next = (/** @type {number} */ i) => near[walk[i]].includes(walk[(i + 1) % n]);
      const made = new Set(walk.flatMap((cell, i) => [`${cell} ${walk[(i + 1) % n]}`, `${walk[(i + 1) % n]} ${cell}`]));
      const right = new Set(walk).size === n && walk.length === n && walk.every((_, i) => (open && i === n - 1) || n === 1 || next(i))
        && (start < 0 || walk[0] === start) && (end < 0 || walk[n - 1] === end) && must.every(([a, b]) => made.has(`${a} ${b}`));
      return { status: right ? "right" : "wrong", message: right ? `${open ? "an open" : "a closed"} tour of ${board.title}` : `these ${walk.length} of ${places.length} cells are not ${board.statement}` };
    },
    async file(asked) {
      const { board, question, places } = await place(asked);
      const name = `cavalcade-${asked.thing}.${asked.format === "json" ? "json" : "txt"}`;
      const data = asked.thing === "certificate" ? asked.certificate : asText(board, question, places, asked);
      return { name, data: btoa(String.fromCharCode(...new TextEncoder().encode(data))) };
    },
  };

  /**
   * @param {string} text
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<object, void>}
   */
  return async function* answers(text, signal) {
    const asked = JSON.parse(text);
    try {
      yield { type: "answer", ...(await ASKS[asked.ask](asked, signal)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      yield { type: "error", message: error.message };
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
  const open = board.question.open;
  const square = /^(hex|triangle|parallelogram|hexagon):|^\d+x\d+x/.test(board.question.board) ? "cell" : "square";
  const every = `a ${open ? "tour" : "closed tour"} must enter ${open ? "or" : "and"} leave every ${square}`;
  const text = {
    degree: () => {
      const [cell, end] = [name(named[0]), beside.length ? name(beside[0]) : ""];
      return beside.length && !open ? `${cell} has only the move to ${end}, but ${every} by two different moves.` : `${cell} has no move, but ${every}.`;
    },
    ends: () => `From each of ${named.map(name).join(", ")} there is only one move, so each is the start or the end of a tour, but a tour has only two ends.`,
    reach: () => `From ${name(named[0])} no moves lead to ${name(named[1])}, but a tour leads from every ${square} to every other.`,
    colours: () => `The ${square}s can be coloured with two colours so that every move changes the colour. ${named.length.toLocaleString("en")} have one colour and ${beside.length.toLocaleString("en")} have the other, ${open ? "but along an open tour with these ends the numbers would be different" : "so no closed tour can alternate between the two colours"}.`,
  }[rule];
  const at = (/** @type {number[]} */ cells) => cells.map((cell) => places[cell]);
  return [{ text: text(), rule, named: at(named), beside: at(beside) }];
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
