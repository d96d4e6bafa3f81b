// Puzzles: numbers on cells that exactly one tour has.

import { neighbours } from "./graph.js";
import { Work, chance, within } from "./work.js";

/**
 * Tours with given numbers, up to so many, and whether the work has sufficed; every step has the cells that it may still
 * be on.
 * @param {number[][]} near
 * @param {boolean} open
 * @param {Map<number, number>} given step, from 0, to cell
 * @param {number} most
 * @param {Work} work
 */
export function numbered(near, open, given, most, work) {
  let guesses = 0;
  const n = near.length;
  const all = (1n << BigInt(n)) - 1n;
  // A set of cells is an integer with a bit for each.
  const reach = near.map((row) => row.reduce((mask, cell) => mask | (1n << BigInt(cell)), 0n));
  /** @type {number[][]} */
  const tours = [];
  /** @param {bigint} mask */
  const list = (mask) => {
    const cells = [];
    const bits = mask.toString(2);
    for (let i = bits.length - 1; i >= 0; i--) if (bits[i] === "1") cells.push(bits.length - 1 - i);
    return cells;
  };

  /** Take away what cannot be; false if nothing is left of a step. @param {bigint[]} steps */
  const narrow = (steps) => {
    let queue = new Set(steps.keys());
    const keep = (/** @type {number} */ s, /** @type {bigint} */ mask) => {
      const kept = steps[s] & mask;
      if (kept !== steps[s]) queue.add(s);
      steps[s] = kept;
      return kept > 0n;
    };
    while (queue.size) {
      const now = queue;
      queue = new Set();
      for (const s of now) {
        work.spend(1);
        const around = list(steps[s]).reduce((mask, cell) => mask | reach[cell], 0n);
        for (const beside of [s - 1, s + 1]) {
          if (open && (beside < 0 || beside === n)) continue;
          if (!keep((beside + n) % n, around)) return false;
        }
      }
      if (queue.size) continue;
      let [once, twice] = [0n, 0n];
      for (const mask of steps) {
        twice |= once & mask;
        once |= mask;
      }
      if (once !== all) return false;
      const single = once & ~twice;
      for (let s = 0; s < n; s++) {
        const mask = steps[s];
        if (!(mask & (mask - 1n))) { // a single cell, which is on no other step
          for (let t = 0; t < n; t++) if (t !== s && steps[t] & mask && !keep(t, ~mask)) return false;
        } else if (mask & single) keep(s, single);
      }
    }
    return true;
  };

  /** @param {bigint[]} steps */
  const solve = (steps) => {
    if (!narrow(steps)) return;
    const lists = steps.map(list);
    const best = lists.reduce((least, cells, s) => (cells.length > 1 && (least < 0 || cells.length < lists[least].length) ? s : least), -1);
    if (best < 0) {
      tours.push(lists.map(([cell]) => cell));
      return;
    }
    guesses++;
    for (const cell of lists[best]) {
      solve(Object.assign([...steps], { [best]: 1n << BigInt(cell) }));
      if (tours.length >= most) return;
    }
  };

  const steps = [...Array(n).keys()].map((s) => (given.has(s) ? 1n << BigInt(given.get(s) ?? 0) : all));
  const enough = within(work, () => {
    solve(steps);
    return true;
  });
  return { tours, guesses, enough };
}

/**
 * The given numbers, and those found by writing a number where a single cell admits it: one next to a known number in
 * the count, into a free cell adjacent to that.
 * @param {number[][]} near
 * @param {boolean} open
 * @param {Map<number, number>} given step, from 0, to cell
 */
function nextNumbers(near, open, given) {
  const n = near.length;
  const known = new Map(given);
  const free = new Set([...Array(n).keys()].filter((cell) => ![...known.values()].includes(cell)));
  for (let moved = true; free.size && moved;) {
    moved = false;
    for (let s = 0; s < n; s++) {
      const beside = [s - 1, s + 1].map((one) => (open ? one : (one + n) % n)).filter((one) => known.has(one));
      if (known.has(s) || !beside.length) continue;
      const places = [...free].filter((cell) => beside.every((one) => near[/** @type {number} */ (known.get(one))].includes(cell)));
      if (places.length !== 1) continue;
      known.set(s, places[0]);
      free.delete(places[0]);
      moved = true;
    }
  }
  return known;
}

export const LEVELS = ["easy", "medium", "hard"];

/**
 * Steps of a tour that no other tour has on the same cells: a third of them, or more where that is too few; and how hard
 * the puzzle is. Numbers are added, or taken away, until it is as hard as it is asked for, if it can be.
 * @param {Problem} problem
 * @param {number[]} tour
 * @param {number} seed
 * @param {number} most
 * @param {string} [level] one of `LEVELS`
 * @returns {{steps: number[], grade: string} | null}
 */
export function puzzle({ n, edges, open }, tour, seed, most, level) {
  const near = neighbours(n, edges);
  const random = chance(seed);
  const order = [...Array(n - 1).keys()].map((s) => s + 1).map((s) => /** @type {const} */ ([random(), s])).sort(([a], [b]) => a - b).map(([, s]) => s);
  const steps = new Set([0, ...order.slice(0, Math.ceil(n / 3) - 1)]);
  const all = new Work(most);
  const numbers = () => new Map([...steps].map((s) => [s, tour[s]]));
  /** Where another tour differs, and the guesses; null if that is too hard. */
  const tried = () => {
    const work = new Work(Math.min(all.left, 400 * n));
    const before = work.left;
    const { tours, guesses, enough } = numbered(near, open, numbers(), 2, work);
    all.left -= before - work.left;
    return enough ? { differs: tours.flatMap((one) => order.filter((s) => one[s] !== tour[s])), guesses } : null;
  };
  /** @type {Map<number, number>} */
  let known = new Map();
  const graded = () => {
    known = nextNumbers(near, open, numbers());
    return known.size === n ? 0 : tried()?.guesses ? 2 : 1;
  };
  for (let found = tried(); found === null || found.differs.length; found = tried()) {
    if (all.left <= 0) return null;
    const rest = found?.differs ?? order.filter((s) => !steps.has(s));
    for (let i = 0; i < (found ? 1 : Math.ceil(n / 25)); i++) steps.add(rest[Math.floor(random() * rest.length)]);
  }
  let grade = graded();
  const wanted = level === undefined ? grade : LEVELS.indexOf(level);
  for (const s of order) {
    if (grade === wanted || all.left <= 0) break;
    if (grade > wanted) {
      if (known.has(s)) continue; // it would help nobody
      steps.add(s);
    } else if (steps.delete(s) && tried()?.differs.length !== 0) steps.add(s);
    grade = graded();
  }
  return { steps: [...steps].sort((a, b) => a - b), grade: LEVELS[grade] };
}
