// The kernel of the page without a server: Hamiltonian cycles of a graph, in a worker. It knows no board and no piece.

import { isTour, neighbours } from "./graph.js";
import { numbered, puzzle } from "./numbers.js";
import { Work, chance, within } from "./work.js";

const PUZZLE = 150; // cells of a puzzle
const MANY = 1_000; // ways to complete a walk up to which they are counted
const TRIES = 8; // at a puzzle of a level
const EXACT = 400; // vertices up to which every way is tried

// ---- what is asked, as one graph whose Hamiltonian cycles are the answers

/**
 * The graph of a problem, and the way back from its cycles to tours. An edge that must be used is a path of two; the
 * ends of an open tour meet in one more vertex; of a walk that goes on only the two ends are left.
 * @param {Problem} problem
 */
function encoded({ n, edges, open, start, end, must, walk, order = [] }) {
  const k = walk.length;
  const first = k ? walk[k - 1] : open ? start : -1;
  const inner = new Set(open ? walk.slice(0, -1) : walk.slice(1, -1));
  const cells = [...Array(n).keys()].filter((cell) => !inner.has(cell));
  const vertex = new Map(cells.map((cell, i) => [cell, i]));
  let size = cells.length;
  /** @type {number[]} */
  const pairs = [];
  const key = (/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, b) * n + Math.max(a, b);
  const steps = new Set(walk.slice(1).map((cell, i) => key(walk[i], cell)));
  const wanted = new Set(must.map(([a, b]) => key(a, b)));
  for (let i = 0; i < edges.length; i += 2) {
    const [a, b] = [vertex.get(edges[i]), vertex.get(edges[i + 1])];
    const one = key(edges[i], edges[i + 1]);
    if (a === undefined || b === undefined || steps.has(one)) continue;
    if (wanted.delete(one)) pairs.push(a, size, size++, b);
    else pairs.push(a, b);
  }
  const late = order.findIndex((cell) => !walk.includes(cell)); // the next cell in the order
  const lost = [...wanted].some((one) => !steps.has(one)) || (late >= 0 && order.slice(late).some((cell) => walk.includes(cell))); // a move or an order that the walk can no longer have
  let apex = -1;
  if (open) {
    apex = size++;
    const [from, to] = [vertex.get(first), vertex.get(end)];
    const fixed = from ?? to;
    if (fixed !== undefined) pairs.push(apex, size, size++, fixed);
    if (from !== undefined && to !== undefined) pairs.push(apex, to);
    else for (let i = 0; i < cells.length; i++) if (i !== fixed) pairs.push(apex, i);
  } else if (k > 1) {
    apex = size++;
    pairs.push(apex, /** @type {number} */ (vertex.get(walk[0])), apex, /** @type {number} */ (vertex.get(first)));
  }

  /** @param {ArrayLike<number>} cycle */
  const decoded = (cycle) => {
    const all = Array.from(cycle);
    const at = all.indexOf(apex >= 0 ? apex : /** @type {number} */ (vertex.get(k ? first : Math.max(start, 0))));
    const turned = [...all.slice(at), ...all.slice(0, at)].map((one) => cells[one] ?? -1).filter((one) => one >= 0);
    if (!open && k < 2) return turned.indexOf(order[0]) > turned.indexOf(order[1]) ? [...turned.slice(0, 1), ...turned.slice(1).reverse()] : turned;
    const last = open ? end : walk[0];
    if (first >= 0 ? turned[0] !== first : last >= 0 && turned[0] === last) turned.reverse();
    return open ? [...walk.slice(0, -1), ...turned] : [...walk.slice(0, -1), ...turned.slice(0, -1)];
  };
  const anchor = apex >= 0 ? apex : vertex.get(k ? first : start);
  const numbers = new Int32Array(size);
  if (order.length && anchor !== undefined) [anchor, ...order.map((cell) => vertex.get(cell) ?? -1).filter((v) => v >= 0)].forEach((v, i) => (numbers[v] = i + 1));
  return { size, pairs, cells, lost, decoded, numbers };
}

// ---- reasons that are seen at once

/**
 * Why there is no tour, as far as colours, moves and parts of the board say it; null where they do not.
 * @param {Problem} problem
 * @param {number[]} cells those that are not behind the walk
 * @returns {NonNullable<Solved["reason"]> | null}
 */
function reason({ n, edges, open, start, end, walk }, cells) {
  const inside = new Set(cells);
  const near = neighbours(n, edges);
  const left = (/** @type {number} */ cell) => near[cell].filter((one) => inside.has(one));
  const at = walk.length ? walk[walk.length - 1] : -1;
  const ends = new Set(walk.length > 1 ? (open ? [at] : [at, walk[0]]) : []); // these have a move behind them
  const poor = cells.filter((cell) => left(cell).length + Number(ends.has(cell)) < (open ? 1 : 2));
  if (poor.length) return { rule: "degree", named: poor.slice(0, 1), beside: left(poor[0]) };
  if (open) {
    const single = cells.filter((cell) => left(cell).length < 2 && cell !== at);
    if (single.length > (at >= 0 || start >= 0 ? 1 : 2) && !(start >= 0 && single.includes(start) && single.length === 2)) return { rule: "ends", named: single, beside: [] };
  }
  const colour = new Map([[cells[0], 0]]);
  let even = true;
  for (const cell of colour.keys()) {
    for (const one of left(cell)) {
      if (!colour.has(one)) colour.set(one, 1 - Number(colour.get(cell)));
      else if (colour.get(one) === colour.get(cell)) even = false;
    }
  }
  if (colour.size < cells.length) {
    const reached = [...colour.keys()];
    const others = cells.filter((cell) => !colour.has(cell));
    return { rule: "reach", named: [reached[0], others[0]], beside: others.length < reached.length ? others : reached };
  }
  if (!even) return null;
  const piles = [0, 1].map((pile) => cells.filter((cell) => colour.get(cell) === pile)).sort((a, b) => a.length - b.length);
  const more = piles[1].length - piles[0].length;
  const from = at >= 0 ? at : start;
  const told = [...(from >= 0 ? [from] : []), ...(end >= 0 ? [end] : [])];
  let wrong = open ? more > 1 : more > 0;
  if (!open && walk.length > 1) wrong = more !== (colour.get(at) === colour.get(walk[0]) ? 1 : 0) || (more === 1 && !piles[1].includes(at));
  else if (open && more === 1) wrong = told.some((cell) => !piles[1].includes(cell));
  else if (open && more === 0) wrong = told.length === 2 && colour.get(told[0]) === colour.get(told[1]);
  return wrong ? { rule: "colours", named: piles[1], beside: piles[0] } : null;
}

// ---- a cycle by rotations

/**
 * A Hamiltonian cycle: a path that grows where few ways lead on, and turns its end over where none does (Pósa 1976).
 * @param {number[][]} near
 * @param {() => number} random
 * @param {Work} work
 * @returns {Int32Array}
 */
function rotated(near, random, work) {
  const n = near.length;
  const path = new Int32Array(n);
  const place = new Int32Array(n);
  const free = new Int32Array(n);
  for (;;) {
    place.fill(-1);
    near.forEach((row, v) => (free[v] = row.length));
    let length = 0;
    const add = (/** @type {number} */ v) => {
      path[length] = v;
      place[v] = length++;
      for (const u of near[v]) free[u]--;
      work.spend(near[v].length + 1);
    };
    /** Turn the path over from a place on. @param {number} from */
    const turn = (from) => {
      for (let i = from, j = length - 1; i < j; i++, j--) {
        [path[i], path[j]] = [path[j], path[i]];
        place[path[i]] = i;
        place[path[j]] = j;
      }
      work.spend((length - from) / 4 + 4);
    };
    add(Math.floor(random() * n));
    for (let idle = 0; idle < 30 * n + 1000; idle++) {
      const end = path[length - 1];
      let [next, fewest] = [-1, Infinity];
      for (const u of near[end]) {
        const value = place[u] < 0 ? free[u] + random() : Infinity;
        if (value < fewest) [next, fewest] = [u, value];
      }
      if (next >= 0) {
        add(next);
        idle = 0;
        continue;
      }
      const whole = length === n;
      if (near[end].includes(path[0]) && (length > 2 || n === 2)) {
        if (whole) return path;
        const from = path.findIndex((v, i) => i < length && free[v] > 0); // a cycle: open it where it can grow
        if (from < 0) break;
        const cycle = path.slice(0, length);
        for (let i = 0; i < length; i++) {
          path[i] = cycle[(from + 1 + i) % length];
          place[path[i]] = i;
        }
        work.spend(length / 2);
        continue;
      }
      // the new end should lead on, or back to the first cell
      let [best, worth] = [-1, -1];
      for (const u of near[end]) {
        const i = place[u] + 1;
        if (i >= length - 1) continue;
        const v = path[i];
        const value = random() + (free[v] > 0 ? 2 : 0) + (whole && near[v].includes(path[0]) ? 2 : 0);
        if (value > worth) [best, worth] = [i, value];
      }
      if (best < 0 || random() < 0.02) turn(0); // go on at the other end
      else turn(best);
    }
  }
}

// ---- every way, with what follows from each choice

const [FREE, USED, OUT] = [0, 1, 2];

/**
 * A Hamiltonian cycle, or null once there is none: edges are used or not, one after the other. A vertex with two edges
 * left uses both, one that uses two has no others, and a path closes only when all are on it. Numbered vertices follow
 * one another, round and round: a path joins another if the numbers at their ends do so in one direction.
 * @param {number[][]} near
 * @param {Int32Array} numbers of the vertices, 0 for none
 * @param {(cycle: number[]) => boolean} accepts whether a cycle will do
 * @param {Work} work
 * @returns {number[] | null}
 */
function searched(near, numbers, accepts, work) {
  const n = near.length;
  const last = Math.max(...numbers);
  const nearest = numbers.slice(); // the number next to an end of a path, 0 for none
  const rising = new Int8Array(n); // 1 if numbers rise towards an end, -1 if they fall, 0 for less than two
  /** @type {[number, number][]} */
  const edges = near.flatMap((row, a) => row.filter((b) => a < b).map((b) => /** @type {[number, number]} */ ([a, b])));
  /** @type {number[][]} */
  const at = near.map(() => []);
  edges.forEach(([a, b], e) => {
    at[a].push(e);
    at[b].push(e);
  });
  const status = new Uint8Array(edges.length);
  const used = new Int32Array(n);
  const left = Int32Array.from(near, (row) => row.length); // edges that are not out
  const mate = Int32Array.from(near.keys()); // the other end of the path that ends here
  let total = 0;
  /** What was changed, to be undone: an edge, and for a used one its ends and their mates. @type {number[][]} */
  const trail = [];
  /** @type {number[]} */
  const queue = [];
  const other = (/** @type {number} */ e, /** @type {number} */ v) => edges[e][0] ^ edges[e][1] ^ v;

  /** @param {number} e */
  const drop = (e) => {
    const [a, b] = edges[e];
    status[e] = OUT;
    left[a]--;
    left[b]--;
    trail.push([e]);
    queue.push(a, b);
  };

  /** @param {number} e */
  const use = (e) => {
    const [a, b] = edges[e];
    const [ma, mb] = [mate[a], mate[b]];
    if (used[a] === 2 || used[b] === 2 || (ma === b && total < n - 1)) return false;
    const [p, q] = [nearest[a], nearest[b]];
    const up = q === (p % last) + 1;
    if (p && q && !up && p !== (q % last) + 1) return false;
    const way = !p ? rising[mb] : !q ? rising[a] : last < 3 ? 0 : up ? 1 : -1;
    if (p && q && (rising[a] === -way || rising[b] === way) && way) return false;
    status[e] = USED;
    used[a]++;
    used[b]++;
    total++;
    mate[ma] = mb;
    mate[mb] = ma;
    trail.push([e, ma, a, mb, b, nearest[ma], nearest[mb], rising[ma], rising[mb]]);
    nearest[ma] ||= q;
    nearest[mb] ||= p;
    rising[ma] = -way;
    rising[mb] = way;
    queue.push(a, b);
    if (total < n - 1) {
      for (const f of at[ma]) if (status[f] === FREE && other(f, ma) === mb) drop(f);
    }
    return true;
  };

  /** What follows; false for a contradiction. */
  const follow = () => {
    for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
      work.spend(1);
      if (left[v] < 2 || used[v] > 2) return false;
      if (used[v] === 2 && left[v] > 2) {
        for (const e of at[v]) if (status[e] === FREE) drop(e);
      } else if (left[v] === 2 && used[v] < 2) {
        for (const e of at[v]) if (status[e] === FREE && !use(e)) return false;
      }
    }
    return true;
  };

  /** @param {number} mark */
  const undo = (mark) => {
    queue.length = 0;
    while (trail.length > mark) {
      const [e, ma, a, mb, b, ...ends] = /** @type {number[]} */ (trail.pop());
      const [c, d] = edges[e];
      if (status[e] === OUT) {
        left[c]++;
        left[d]++;
      } else {
        used[c]--;
        used[d]--;
        total--;
        mate[ma] = a;
        mate[mb] = b;
        mate[a] = ma;
        mate[b] = mb;
        [nearest[ma], nearest[mb], rising[ma], rising[mb]] = ends;
      }
      status[e] = FREE;
    }
  };

  const stack = new Int32Array(n);
  const seen = new Uint8Array(n);

  /** Whether the edges that are not out connect all. */
  const connected = () => {
    seen.fill(0);
    seen[0] = 1;
    let [top, count] = [1, 1];
    stack[0] = 0;
    while (top) {
      const v = stack[--top];
      for (const e of at[v]) {
        const u = other(e, v);
        if (status[e] === OUT || seen[u]) continue;
        seen[u] = 1;
        stack[top++] = u;
        count++;
      }
    }
    work.spend(n);
    return count === n;
  };

  /** The cycle of the edges that are used. */
  const around = () => {
    const cycle = [0];
    for (let before = -1; cycle.length < n;) {
      const v = cycle[cycle.length - 1];
      const e = at[v].find((one) => status[one] === USED && other(one, v) !== before) ?? -1;
      before = v;
      cycle.push(other(e, v));
    }
    return cycle;
  };

  /** @returns {boolean} */
  const solve = () => {
    if (!follow() || !connected()) return false;
    if (total === n) return accepts(around());
    let [best, fewest] = [-1, Infinity];
    for (let v = 0; v < n; v++) {
      if (used[v] === 2) continue;
      const value = 2 * left[v] - 3 * used[v];
      if (value < fewest) [best, fewest] = [v, value];
    }
    const mark = trail.length;
    const e = at[best].find((one) => status[one] === FREE);
    if (e === undefined) return false;
    if (use(e) && solve()) return true;
    undo(mark);
    drop(e);
    return solve();
  };

  for (let v = 0; v < n; v++) queue.push(v);
  return n > 2 && solve() ? around() : null;
}

/**
 * A tour with cells at given steps.
 * @param {Problem} problem
 * @param {Work} work
 * @param {(tour: number[]) => Solved} found
 * @returns {Solved}
 */
function stepped(problem, work, found) {
  const { n, edges, open, start, end, walk, must, given = [], order = [] } = problem;
  if (n > PUZZLE) return { status: "undecided" };
  const steps = new Map([...given, ...walk.map((cell, i) => /** @type {[number, number]} */ ([i, cell]))]);
  if (!walk.length && start >= 0) steps.set(0, start);
  if (end >= 0) steps.set(n - 1, end);
  if (given.some(([step, cell]) => steps.get(step) !== cell) || new Set(steps.values()).size < steps.size) return { status: "impossible" };
  const most = must.length || order.length ? 1000 : 1;
  const { tours, enough } = numbered(neighbours(n, edges), open, steps, most, work);
  const right = tours.find((tour) => isTour(problem, tour));
  return right ? found(right) : { status: enough && tours.length < 1000 ? "impossible" : "undecided" };
}

/**
 * A tour, or that there is none, or neither.
 * @param {Problem} problem
 * @param {number} seed
 * @param {number} most steps of work
 * @returns {Solved}
 */
export function solve(problem, seed, most) {
  const { n, open, walk, order = [] } = problem;
  const { size, pairs, cells, lost, decoded, numbers } = encoded(problem);
  /** @param {number[]} tour @returns {Solved} */
  const found = (tour) => {
    if (!isTour(problem, tour)) throw new Error("the kernel has found what is not a tour");
    return { status: "found", cells: tour };
  };
  if (n === 1 || walk.length === n) return isTour(problem, walk.length ? walk : [0]) ? found(walk.length ? walk : [0]) : { status: "impossible" };
  if (lost || (!open && n < 3)) return { status: "impossible" };
  const why = reason(problem, cells);
  if (why) return { status: "impossible", reason: why };
  if (problem.given?.length) return stepped(problem, new Work(most), found);
  const near = neighbours(size, pairs);
  const random = chance(seed);
  const small = size <= EXACT;
  const fits = (/** @type {number[]} */ cycle) => !order.length || isTour(problem, decoded(cycle));
  const cycle = (order.length ? undefined : within(new Work(small ? Math.min(most / 10, 5000 * size) : most), (work) => rotated(near, random, work)))
    ?? (small ? within(new Work((9 * most) / 10), (work) => searched(near, numbers, fits, work)) : undefined);
  if (cycle) return found(decoded(cycle));
  return { status: cycle === null ? "impossible" : "undecided" };
}

/**
 * In how many ways a walk can be completed, up to a thousand or so, and whether these are all.
 * @param {Problem} problem
 * @param {number} most
 * @returns {[number, boolean]}
 */
function ways(problem, most) {
  const { size, pairs, numbers } = encoded(problem);
  let count = 0;
  const last = within(new Work(most), (work) => searched(neighbours(size, pairs), numbers, () => ++count > MANY, work));
  const directions = problem.open || problem.walk.length > 1 ? 1 : 2;
  return [directions * Math.max(count, 1), last === null];
}

/**
 * The answer to a message of the page.
 * @param {{what: string, problem: Problem, seed: number, most: number, level?: string}} asked
 * @returns {Solved & {steps?: number[], grade?: string, ways?: [number, boolean]}}
 */
export function answered({ what, problem, seed, most, level }) {
  if (what === "ways") return { status: "found", ways: ways(problem, most) };
  const found = solve(problem, seed, most);
  if (what === "solve" || !found.cells) return found;
  if (problem.n > PUZZLE) return { status: "undecided" };
  const { cells } = found;
  const random = chance(seed ^ 0x5bd1e995);
  if (!problem.open && problem.start < 0) {
    cells.push(...cells.splice(0, Math.floor(random() * problem.n)));
    if (random() < 0.5) cells.reverse();
  }
  let made = puzzle(problem, cells, seed, most, level);
  for (let k = 1; k < TRIES && made && level && made.grade !== level; k++) made = puzzle(problem, cells, seed + k * 7919, most, level);
  return made ? { status: "found", cells, ...made } : { status: "undecided" };
}
