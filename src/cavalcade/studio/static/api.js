// Questions to Python, and their answers one by one. Aborting a question ends its process.

import { home } from "./home.js";

/** @typedef {import("./types.js").News} News */

export class Refused extends Error {}

/** @type {Record<string, (buffer: ArrayBuffer) => unknown>} */
const ARRAYS = {
  int32: (buffer) => new Int32Array(buffer),
  float32: (buffer) => new Float32Array(buffer),
  uint8: (buffer) => new Uint8Array(buffer),
};

/**
 * Arrays come as their bytes in base 64.
 * @param {string} _key
 * @param {any} value
 */
function revived(_key, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  for (const name in ARRAYS) {
    if (typeof value[name] === "string") return ARRAYS[name](bytes(value[name]).buffer);
  }
  return value;
}

/**
 * The bytes of a text in base 64.
 * @param {string} text
 */
export function bytes(text) {
  const letters = atob(text);
  const found = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) found[i] = letters.charCodeAt(i);
  return found;
}

/**
 * The answer to a question.
 * @param {Record<string, unknown>} words
 * @param {{signal?: AbortSignal, news?: (news: News) => void}} [options]
 * @returns {Promise<any>}
 */
export async function ask(words, { signal, news } = {}) {
  for await (const text of home.answers(JSON.stringify(words), signal)) {
    const found = JSON.parse(text, revived);
    if (found.type === "error") throw new Refused(found.message);
    if (found.type === "answer") return found;
    if (news) news(found);
  }
  throw new Refused("The studio has ended. Start it again and open its new address.");
}

/**
 * What to show about an error; nothing if the question was stopped.
 * @param {unknown} error
 */
export function wrong(error) {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  if (error instanceof Refused) return error.message;
  if (error instanceof TypeError) return "The studio does not answer. Is it still running?";
  throw error;
}
