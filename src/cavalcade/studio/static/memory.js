// What the browser keeps for a page of its own: colours, the last walk, lessons and puzzles that are done.

import { home } from "./home.js";

/**
 * Return what is kept under a key, after keeping a new value if one is given; null if there is none.
 * @param {string} key
 * @param {unknown} [value] plain data
 * @returns {any}
 */
export function kept(key, value) {
  if (home.top !== document.documentElement) return null;
  try {
    if (value !== undefined) localStorage.setItem(`cavalcade-${key}`, JSON.stringify(value));
    return JSON.parse(localStorage.getItem(`cavalcade-${key}`) ?? "null");
  } catch {
    return null; // the browser keeps nothing, or somebody else wrote it
  }
}
