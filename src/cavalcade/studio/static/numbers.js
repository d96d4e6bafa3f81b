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
  const words = Math.ceil(n / 32);
  const reach = near.map((row) => {
    const mask = new Uint32Array(words);
    for (const cell of row) mask[cell >> 5] |= 1 << (cell & 31);
    return mask;
  });
  /** @type {number[][]} */
  const tours = [];
  const list = (/** @type {Uint32Array} */ mask) => [...mask.keys()].flatMap((w) => {
    const cells = [];
    for (let bits = mask[w]; bits; bits &= bits - 1) cells.push(32 * w + 31 - Math.clz32(bits & -bits));
    return cells;
  });

  /** Take away what cannot be; false if nothing is left of a step. @param {Uint32Array[]} steps */
  const narrow = (steps) => {
    let queue = [...steps.keys()];
    /** @param {number} s @param {(w: number) => number} mask */
    const keep = (s, mask) => {
      let some = false;
      let less = false;
      for (let w = 0; w < words; w++) {
        const kept = (steps[s][w] & mask(w)) >>> 0;
        some ||= kept > 0;
        less ||= kept !== steps[s][w];
        steps[s][w] = kept;
      }
      if (less) queue.push(s);
      return some;
    };
    while (queue.length) {
      const now = new Set(queue);
      queue = [];
      for (const s of now) {
        work.spend(1);
        const around = new Uint32Array(words);
        for (const cell of list(steps[s])) for (let w = 0; w < words; w++) around[w] |= reach[cell][w];
        for (const beside of [s - 1, s + 1]) {
          if (open && (beside < 0 || beside === n)) continue;
          if (!keep((beside + n) % n, (w) => around[w])) return false;
        }
      }
      if (queue.length) continue;
      const [once, twice] = [new Uint32Array(words), new Uint32Array(words)];
      for (const mask of steps) {
        for (let w = 0; w < words; w++) {
          twice[w] |= once[w] & mask[w];
          once[w] |= mask[w];
        }
      }
      if (list(once).length < n) return false;
      for (let s = 0; s < n; s++) {
        const cells = list(steps[s]);
        const [cell] = cells;
        if (cells.length === 1) {
          const w = cell >> 5;
          const bit = 1 << (cell & 31);
          for (let t = 0; t < n; t++) {
            if (t !== s && steps[t][w] & bit && !keep(t, (v) => (v === w ? ~bit : -1))) return false;
          }
        } else if (steps[s].some((mask, w) => mask & once[w] & ~twice[w])) keep(s, (w) => once[w] & ~twice[w]);
      }
    }
    return true;
  };

  /** @param {Uint32Array[]} steps */
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
      const next = steps.map((mask) => mask.slice());
      next[best].fill(0);
      next[best][cell >> 5] = 1 << (cell & 31);
      solve(next);
      if (tours.length >= most) return;
    }
  };

  const steps = [...Array(n).keys()].map((s) => {
    const mask = new Uint32Array(words);
    const cell = given.get(s);
    for (let one = 0; one < n; one++) if (cell === undefined || cell === one) mask[one >> 5] |= 1 << (one & 31);
    return mask;
  });
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
