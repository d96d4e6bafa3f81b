// Signs on cells and lines between them as lists of shapes, by the rules of `draw/proof.py` and `draw/board.py`; a test
// compares the lists.

import { PARTS, besides, partColours } from "./look.js";
import { cross } from "./shapes.js";

export const FINE = 1_000; // cells up to which each move is a shape of its own, with gaps, dots and badges
const GREEN = PARTS[0]; // of what the user may do or wants

/**
 * Lines between cells: moves that are required, forbidden, forced, ruled out or in question.
 * @param {[number, number, string][]} moves
 * @param {View} view
 * @returns {Shape[]}
 */
export function lines(moves, view) {
  const { look, cell: u } = view;
  const wide = u * (view.board.size <= FINE ? 0.12 : 0.2);
  return moves.flatMap(([a, b, kind]) => {
    const part = /^part-(\d+)$/.exec(kind);
    const stroke = part ? partColours(Number(part[1]))[0] : kind === "rest" ? look.hole : kind === "forced" ? look.text : kind === "with" || kind === "drag" ? GREEN : look.alarm;
    const width = wide * (part || kind === "rest" ? 0.5 : kind === "out" ? 0.6 : kind === "drag" || kind === "avoid" ? 1 : 1.4);
    const dash = kind === "out" || kind === "avoid" || kind === "drag" ? { dash: [u / 8, u / 8] } : {};
    const segments = view.segments(a, b);
    if (kind === "avoid" && segments.length < 2 && view.flat) { // a wall between cells that share a side
      const [[x, y, v, w]] = segments;
      const half = (0.48 * u) / Math.hypot(v - x, w - y);
      const [dx, dy] = [(y - w) * half, (v - x) * half];
      if (half > 0.47) return [{ role: "walls", runs: [[[(x + v) / 2 - dx, (y + w) / 2 - dy], [(x + v) / 2 + dx, (y + w) / 2 + dy]]], stroke: look.digits, width: 0.12 * u }];
    }
    /** @type {Point[][]} */
    const runs = segments.map(([x, y, v, w]) => [[x, y], [v, w]]);
    /** @type {Shape[]} */
    const shapes = [{ role: kind, runs, stroke, width, ...dash }];
    if (kind === "avoid") for (const [x, y, v, w] of segments) shapes.push({ role: "avoid", runs: cross((x + v) / 2, (y + w) / 2, 0.14 * u), stroke, width });
    return shapes;
  });
}

/**
 * The sign on a cell. Each kind has a shape of its own, so that colour is not all that tells them apart.
 * @param {Mark} mark
 * @param {View} view
 * @returns {Shape[]}
 */
function sign({ cell, kind, text = "" }, view) {
  const { look, cell: u } = view;
  const [x, y] = view.at(cell);
  const largest = String(view.board.size);
  /** @type {(r: number, fill: string, stroke?: string, width?: number, role?: string) => Shape} */
  const disc = (r, fill, stroke = "", width = 0, role = "named") => ({ role, x, y, r: r * u, fill, stroke, width: width * u });
  /** @type {(size: number, fill: string, dx?: number, dy?: number, role?: string) => Shape[]} */
  const letters = (size, fill, dx = 0, dy = 0, role = "part") => (text ? [{ role, x: x + dx * u, y: y + dy * u, text, size: size * u, fill }] : []);
  const fit = Math.min(0.36, 0.9 / Math.max(2, text.length));
  const a = 0.29 * u;
  /** @type {Shape} */
  const plate = { role: "named", x: x - a, y: y - a, wide: 2 * a, high: 2 * a, radius: 0.1 * u, fill: look.alarm };
  const part = /^part-(\d+)$/.exec(kind);
  if (part) {
    const [fill, ink] = partColours(Number(part[1]));
    return [disc(0.3, fill), ...letters(0.36, ink)];
  }
  switch (kind) {
    case "named": return [plate, ...letters(fit, look.shades[0])];
    case "lifted": return [plate, { role: "cross", runs: cross(x, y, 0.13 * u), stroke: look.shades[0], width: 0.08 * u }];
    case "beside": case "reached": return [disc(0.27, besides(look)), ...letters(fit, "#ffffff")];
    case "counted": return [disc(0.2, look.disc, look.text, 0.09, "ring")];
    case "unvisited": return [disc(0.13, "", look.alarm, 0.04, "unvisited")];
    case "given": case "written": return [
      ...(kind === "given" && (text === "1" || text === largest) ? [disc(0.45, "", look.digits, 0.05, "ring")] : []),
      ...letters(Math.min(0.38, 1.5 / (largest.length + 1)), kind === "written" ? GREEN : look.digits, 0, 0, "number"),
    ];
    case "order": return [disc(0.3, look.digits, look.disc, 0.05, "ring"), ...letters(fit, look.disc, 0, 0, "number")];
    case "pencil": return letters(0.2, look.text, 0, -0.27);
    case "start": return [disc(0.2, look.disc, look.digits, 0.09, "start")];
    case "end": return [disc(0.2, look.digits, look.disc, 0.09, "end")];
    case "mistake": case "wrong": return [{ role: "mistake", x: x + 0.33 * u, y: y - 0.33 * u, r: 0.15 * u, fill: look.alarm, stroke: look.disc, width: 0.03 * u }, { role: "mistake", x: x + 0.33 * u, y: y - 0.33 * u, text: "!", size: 0.26 * u, fill: "#ffffff" }];
    case "option": case "chosen": return [ // a small number in a corner, unlike any step
      ...(kind === "chosen" ? [disc(0.4, "", GREEN, 0.07)] : []),
      { role: kind, x: x + 0.22 * u, y: y + 0.22 * u, r: 0.17 * u, fill: GREEN },
      ...letters(text.length > 1 ? 0.2 : 0.25, "#ffffff", 0.22, 0.22),
    ];
    case "selected": return [{ role: "selected", runs: [view.polygon(cell).map(([v, w]) => [x + 0.9 * (v - x), y + 0.9 * (w - y)])], stroke: GREEN, width: 0.07 * u, closed: true }];
    default: return [];
  }
}

/** The signs on cells. @param {Mark[]} marks @param {View} view */
export function signs(marks, view) {
  return marks.filter(({ cell }) => view.visible(cell)).flatMap((mark) => sign(mark, view));
}

/**
 * The signs on cells, as `draw/proof.py` has them.
 * @param {Sentence} sentence
 * @param {boolean} [numbered] the cells are counted
 */
export function marks(sentence, numbered = false) {
  const { counted = [], beside = [], parts = [], rest = [], named = [] } = sentence;
  const number = (/** @type {number} */ i) => (numbered ? String(i + 1) : "");
  return [
    ...counted.map((cell) => ({ cell, kind: "counted" })),
    ...beside.map((cell, i) => ({ cell, kind: "beside", text: number(i) })),
    ...parts.flatMap((part, i) => part.map((cell) => ({ cell, kind: `part-${i}`, text: String(i + 1) }))),
    ...rest.map((cell) => ({ cell, kind: "part" })), // without a sign, but a screen reader says it
    ...named.map((cell, i) => ({ cell, kind: sentence.rule === "cut" ? "lifted" : "named", text: number(i) })),
  ];
}

/**
 * The moves that remain after a cut; each is inside a part.
 * @param {Sentence} sentence
 * @param {Board | null} board
 * @returns {[number, number, string][]}
 */
export function within({ rule, parts = [], rest = [], out = [] }, board) {
  if (rule !== "cut") return [];
  const part = new Map([...parts.flatMap((cells, i) => cells.map((cell) => /** @type {const} */ ([cell, `part-${i}`]))), ...rest.map((cell) => /** @type {const} */ ([cell, "rest"]))]);
  const gone = new Set(out.flatMap(([a, b]) => [`${a},${b}`, `${b},${a}`]));
  const edges = board?.edges ?? new Int32Array();
  return [...Array(edges.length / 2).keys()].flatMap((i) => {
    const [a, b] = [edges[2 * i], edges[2 * i + 1]];
    const kind = part.get(a);
    return kind && kind === part.get(b) && !gone.has(`${a},${b}`) ? [/** @type {[number, number, string]} */ ([a, b, kind])] : [];
  });
}

/** @param {Sentence} sentence @param {"forced" | "out" | "moves"} kind @returns {[number, number, string][]} */
export function drawn(sentence, kind) {
  return (sentence[kind] ?? []).map(([a, b]) => [a, b, kind]);
}
