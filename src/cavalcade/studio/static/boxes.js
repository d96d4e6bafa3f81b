// Boxes of two and three dimensions without Python: cells, names, moves, and where they lie on paper and in space. It
// gives what `studio/places.py` gives; a test compares them.

export const UNIT = 20;
const GAP = 2; // between two levels in space
const REACH = 4; // half the width of the grid on which moves are drawn
const LETTERS = 26;

/** @type {Record<string, [number, number]>} */
export const NAMED = { knight: [1, 2], camel: [1, 3], zebra: [2, 3], giraffe: [1, 4], antelope: [3, 4] };

/** @param {number} index */
export function fileName(index) {
  let name = "";
  for (let left = index + 1; left; left = Math.floor((left - 1) / LETTERS)) name = String.fromCharCode(97 + ((left - 1) % LETTERS)) + name;
  return name;
}

/**
 * The piece of a text in canonical words, and its moves in so many dimensions; null if it is none.
 * @param {string} text
 * @param {number} d
 * @returns {{spec: string, vectors: number[][]} | null}
 */
export function pieceOf(text, d) {
  const words = text.trim().toLowerCase();
  const numbers = (/** @type {string} */ part) => (/^-?\d{1,4}(,-?\d{1,4})*$/.test(part) ? part.split(",").map(Number) : []);
  const listed = /^(?:moves|exactly):(.*?)(\+-|±)?$/.exec(words);
  if (listed) {
    const given = listed[1].split(";").map(numbers);
    if (!given.every((move) => move.length === d && move.some(Boolean))) return null;
    const back = given.map((move) => move.map((x) => (x ? -x : 0)));
    const vectors = [...new Map([...given, ...back].map((move) => [move.join(), move])).values()];
    const all = new Set(given.map((move) => move.join()));
    if (!listed[2] && all.size < vectors.length) return null; // a piece that cannot go back, which the page does not draw
    const half = vectors.slice(0, vectors.length / 2).map((move) => move.join());
    const opposite = vectors.slice(0, vectors.length / 2).map((move) => move.map((x) => (x ? -x : 0)).join());
    const halved = [...half, ...opposite].join(";") === vectors.map((move) => move.join()).join(";");
    return { spec: halved ? `moves:${half.join(";")}+-` : `moves:${vectors.map((move) => move.join()).join(";")}`, vectors };
  }
  const leaps = words.split("+").map((part) => (Object.hasOwn(NAMED, part) ? NAMED[part] : numbers(part)));
  if (!leaps.every((leap) => leap.length === 2 && Math.min(...leap) >= 0 && Math.max(...leap) > 0)) return null;
  /** @type {Map<string, number[]>} */
  const vectors = new Map();
  for (const [a, b] of leaps) {
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < d; j++) {
        for (const [x, y] of i === j ? [] : [[a, b], [a, -b], [-a, b], [-a, -b]]) {
          const vector = Array(d).fill(0);
          [vector[i], vector[j]] = [x || 0, y || 0];
          vectors.set(vector.join(), vector);
        }
      }
    }
  }
  const sorted = leaps.map(([a, b]) => [Math.min(a, b), Math.max(a, b)].join());
  const one = sorted.length === 1 && Object.keys(NAMED).find((name) => NAMED[name].join() === sorted[0]);
  return { spec: one || sorted.join("+"), vectors: [...vectors.values()] };
}

/**
 * A whole box, without what depends on the question.
 * @param {number[]} sides
 * @param {number[][]} vectors
 * @returns {Partial<Board>}
 */
export function box(sides, vectors) {
  const levels = sides.length > 2 ? sides[0] : 1;
  const [m, n] = sides.slice(-2);
  const size = levels * m * n;
  const columns = panelColumns(levels, m, n);
  const letters = 0.42 * UNIT * Math.max(1, Math.max(m, n) / 32);
  const left = Math.ceil(letters * (0.55 + 0.6 * String(m).length) + 0.25 * UNIT);
  const right = Math.ceil(Math.max(0.25 * UNIT, (letters * (0.55 + 0.6 * String(m).length) + 0.25 * UNIT) / 2));
  const above = Math.ceil(0.25 * UNIT + (sides.length > 2 ? 0.95 * UNIT : 0));
  const below = Math.ceil(1.35 * letters + 0.25 * UNIT);
  const [wide, high] = [left + n * UNIT + right, above + m * UNIT + below];
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e9].find((one) => Math.max(m, n) <= 32 * one) ?? 1;
  const every = (/** @type {number} */ side) => [...Array(side).keys()].filter((i) => (step === 2 ? i % 2 === 0 : i === 0 || (i + 1) % step === 0));
  const [x, y] = [new Float32Array(size), new Float32Array(size)];
  const [shade, level] = [new Uint8Array(size), new Int32Array(size)];
  /** @type {string[]} */
  const names = [];
  /** @type {Board["labels"]} */
  const labels = [];
  /** @type {Board["panels"]} */
  const panels = [];
  /** @type {number[]} */
  const edges = [];
  for (let k = 0; k < levels; k++) {
    const [px, py] = [(k % columns) * wide + left, Math.floor(k / columns) * high + above];
    panels.push([sides.length > 2 ? String(k + 1) : "", px, py, n * UNIT, m * UNIT]);
    for (const i of every(m)) labels.push([px - 0.35 * letters, py + (m - i - 0.5) * UNIT, String(i + 1), "end"]);
    for (const j of every(n)) labels.push([px + (j + 0.5) * UNIT, py + m * UNIT + 0.7 * letters, fileName(j), "middle"]);
    for (let row = 0; row < m; row++) {
      for (let column = 0; column < n; column++) {
        const place = (k * m + row) * n + column;
        [x[place], y[place]] = [px + (column + 0.5) * UNIT, py + (row + 0.5) * UNIT];
        shade[place] = (m - row + column + k) % 2;
        level[place] = k;
        names.push(`${sides.length > 2 ? `${k + 1}:` : ""}${fileName(column)}${m - row}`);
        for (const vector of vectors) {
          const [dk, dr, dc] = vector.length > 2 ? vector : [0, ...vector];
          const [a, b, c] = [k + dk, row + dr, column + dc];
          const other = (a * m + b) * n + c;
          if (other > place && a < levels && b >= 0 && b < m && c >= 0 && c < n) edges.push(place, other);
        }
      }
    }
  }
  const half = UNIT / 2;
  return {
    width: wide * Math.min(columns, levels), height: high * Math.ceil(levels / columns), x, y, shade,
    level: levels > 1 ? level : null, outline: [[-half, -half], [half, -half], [half, half], [-half, half]],
    labels, label_size: letters, panels, names, edges: Int32Array.from(edges), over: [], frame: [], beyond: [],
    grid: sides.length === 2 ? grid(vectors) : null, space: sides.length > 2 ? space(levels, m, n) : null,
  };
}

/**
 * How many levels lie side by side: the picture should be a little wider than high, and full.
 * @param {number} count
 * @param {number} m
 * @param {number} n
 */
function panelColumns(count, m, n) {
  let [best, least] = [1, Infinity];
  for (let c = 1; c <= count; c++) {
    const value = Math.abs(Math.log((c * n) / (Math.ceil(count / c) * m) / 1.3)) + 0.7 * ((c - (count % c)) % c);
    if (value < least) [best, least] = [c, value];
  }
  return best;
}

/** A small board around a piece. @param {number[][]} vectors @returns {Board["grid"]} */
function grid(vectors) {
  const chosen = new Set(vectors.map((vector) => vector.join()));
  const reach = [...Array(2 * REACH + 1).keys()].map((i) => i - REACH);
  const cells = reach.flatMap((a) => reach.map((b) => /** @type {[number, number, string, boolean]} */ ([UNIT * b, UNIT * a, `${a},${b}`, chosen.has(`${a},${b}`)])));
  return { cells, extent: UNIT * REACH + UNIT / 2 };
}

/**
 * Levels above one another, about their middle.
 * @param {number} levels
 * @param {number} m
 * @param {number} n
 * @returns {Space}
 */
function space(levels, m, n) {
  /** @type {number[]} */
  const corners = [];
  /** @type {number[]} */
  const of = [];
  for (let k = 0; k < levels; k++) {
    for (let row = 0; row < m; row++) {
      for (let column = 0; column < n; column++) {
        of.push(k);
        for (const [dr, dc] of [[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]]) {
          corners.push(column + dc - (n - 1) / 2, (m - 1) / 2 - row - dr, GAP * (k - (levels - 1) / 2));
        }
      }
    }
  }
  return { corners: Float32Array.from(corners), levels: Int32Array.from(of), folds: new Float32Array(0), there: new Int32Array(0), slides: levels > 1 };
}
