// Warnsdorff's rule: a walk by it, and why it goes where it goes.

import { t } from "./texts.js";

/**
 * A walk by Warnsdorff's rule.
 * @param {number[][]} near
 * @param {number} start
 * @param {string} ties `first` or `last` in the order of the cells
 */
export function byRule(near, start, ties) {
  const free = near.map((row) => row.length);
  const seen = new Uint8Array(near.length);
  const walk = [start];
  for (let at = start; at >= 0;) {
    seen[at] = 1;
    for (const one of near[at]) free[one]--;
    let best = -1;
    for (const one of near[at]) {
      if (!seen[one] && (best < 0 || free[one] < free[best] || (ties === "last" && free[one] === free[best]))) best = one;
    }
    if (best >= 0) walk.push(best);
    at = best;
  }
  return walk;
}

/**
 * What the rule has to choose from after some steps of a walk, and why it takes the next one.
 * @param {number[][]} near
 * @param {string[]} names
 * @param {Int32Array} walk
 * @param {number} step
 * @param {string} equals what decides between equals
 * @param {number} size of the board
 * @returns {{options: [number, number][], text: string}} cells and their onward moves, the fewest first
 */
export function choice(near, names, walk, step, equals, size) {
  const seen = new Set(walk.subarray(0, step));
  const free = (/** @type {number} */ cell) => near[cell].filter((one) => !seen.has(one));
  const at = walk[step - 1];
  const options = free(at).map((one) => /** @type {[number, number]} */ ([one, free(one).length])).sort(([a, x], [b, y]) => x - y || a - b);
  const chosen = names[walk[step]];
  const fewest = options[0]?.[1];
  const same = options.filter(([, degree]) => degree === fewest).length;
  const listed = options.map(([cell, degree]) => `${names[cell]} (${degree})`).join(", ");
  const why = !options.length ? t(step === size ? "rule.all" : "rule.none")
    : options.length === 1 ? t("rule.only", { cell: chosen })
    : t(same === 1 ? "rule.one" : "rule.some", { cells: listed, same, fewest, equals: t(`equals.${equals}`), cell: chosen });
  return { options, text: `${t("rule.step", { step, cell: names[at] })} ${why}` };
}
