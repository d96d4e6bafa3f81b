// Counted work, and numbers at random.

/** The work is counted, and there is no more of it. */
class Spent extends Error {}

/** Counts steps, so that the same question has the same answer on every machine. */
export class Work {
  /** @param {number} most */
  constructor(most) {
    this.left = most;
  }

  /** @param {number} steps */
  spend(steps) {
    if ((this.left -= steps) < 0) throw new Spent();
  }
}

/**
 * The result of a search; undefined if the work does not suffice for it.
 * @template T
 * @param {Work} work
 * @param {(work: Work) => T} search
 * @returns {T | undefined}
 */
export function within(work, search) {
  try {
    return search(work);
  } catch (error) {
    if (error instanceof Spent) return undefined;
    throw error;
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32, by Tommy Ettinger). @param {number} seed */
export function chance(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
