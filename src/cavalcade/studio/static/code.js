// A walk as text for a link: its first cell, and of each move which of the neighbours it leads to, some moves a sign.
// `formats/link.py` reads it, too.

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** How many neighbours a cell has at most, and how many moves there are to a sign. @param {number[][]} near */
function measures(near) {
  const base = near.reduce((most, row) => Math.max(most, row.length), 2);
  let [moves, power] = [0, base];
  for (; power <= SIGNS.length; power *= base) moves++;
  return [base, moves];
}

/**
 * @param {number[][]} near in ascending order
 * @param {string[]} names
 * @param {ArrayLike<number>} walk
 * @returns {string} nothing for no walk, or where a cell has too many neighbours
 */
export function coded(near, names, walk) {
  const [base, moves] = measures(near);
  if (!walk.length || !moves) return "";
  let text = "";
  let i = 1;
  for (; i < walk.length; i += moves) {
    let sign = 0;
    for (let k = Math.min(i + moves, walk.length) - 1; k >= i; k--) sign = sign * base + near[walk[k - 1]].indexOf(walk[k]);
    text += SIGNS[sign];
  }
  const rest = (walk.length - 1) % moves;
  return `${names[walk[0]]}.${text}${rest ? `.${rest}` : ""}`;
}

/**
 * The walk of a text, as far as it leads from cell to cell.
 * @param {number[][]} near
 * @param {string[]} names
 * @param {string} text
 * @returns {number[]}
 */
export function decoded(near, names, text) {
  const [base, moves] = measures(near);
  const [first, signs = "", rest = ""] = text.split(".");
  const walk = [names.indexOf(first)];
  if (walk[0] < 0) return [];
  const seen = new Set(walk);
  for (let s = 0; s < signs.length; s++) {
    let sign = SIGNS.indexOf(signs[s]);
    for (let k = 0; k < (rest && s === signs.length - 1 ? Number(rest) : moves); k++) {
      const next = near[walk[walk.length - 1]][sign % base];
      if (next === undefined || seen.has(next)) return walk;
      seen.add(next);
      walk.push(next);
      sign = Math.floor(sign / base);
    }
  }
  return walk;
}
