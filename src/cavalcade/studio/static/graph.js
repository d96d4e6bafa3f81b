// A graph as lists of neighbours, and what a tour of it is.

/**
 * The neighbours of each vertex, in ascending order.
 * @param {number} n
 * @param {ArrayLike<number>} edges pairs
 * @returns {number[][]}
 */
export function neighbours(n, edges) {
  /** @type {number[][]} */
  const near = Array.from({ length: n }, () => []);
  for (let i = 0; i < edges.length; i += 2) {
    near[edges[i]].push(edges[i + 1]);
    near[edges[i + 1]].push(edges[i]);
  }
  for (const row of near) row.sort((a, b) => a - b);
  return near;
}

/**
 * Whether cells are a tour as it is asked for. This shares nothing with the searches.
 * @param {Problem} problem
 * @param {number[]} tour
 */
export function isTour({ n, edges, open, start, end, must, walk, given = [], order = [] }, tour) {
  const moves = new Set();
  for (let i = 0; i < edges.length; i += 2) moves.add(`${edges[i]} ${edges[i + 1]}`).add(`${edges[i + 1]} ${edges[i]}`);
  const used = new Set();
  for (let i = open ? 1 : 0; i < tour.length; i++) {
    const before = tour[(i || tour.length) - 1];
    if (n > 1 && !moves.has(`${before} ${tour[i]}`)) return false;
    used.add(`${before} ${tour[i]}`).add(`${tour[i]} ${before}`);
  }
  return tour.length === n && new Set(tour).size === n && tour.every((cell) => cell >= 0 && cell < n)
    && (start < 0 || walk.length > 0 || tour[0] === start) && (end < 0 || tour[n - 1] === end)
    && given.every(([step, cell]) => tour[step] === cell) && must.every(([a, b]) => used.has(`${a} ${b}`))
    && walk.every((cell, i) => tour[i] === cell) && order.every((cell, i) => i === 0 || tour.indexOf(order[i - 1]) < tour.indexOf(cell));
}
