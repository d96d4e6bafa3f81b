// A graph as lists of neighbours.

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
