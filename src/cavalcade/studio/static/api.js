// Questions to the server, and their answers line by line. Whoever aborts ends the process that works on it.

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
  const response = await fetch("ask", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(words),
    signal,
  });
  if (!response.ok || response.body === null) throw new Refused(await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  /** @type {string[]} */
  let parts = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refused("The studio has ended. Start it again, and open its new address.");
    let from = 0;
    for (let end = value.indexOf("\n"); end >= 0; end = value.indexOf("\n", from)) {
      parts.push(value.slice(from, end));
      from = end + 1;
      const found = JSON.parse(parts.join(""), revived);
      parts = [];
      if (found.type === "error") throw new Refused(found.message);
      if (found.type === "answer") return found;
      if (news) news(found);
    }
    parts.push(value.slice(from));
  }
}

/**
 * What to tell a person about something that went wrong; nothing if it was stopped on purpose.
 * @param {unknown} error
 */
export function wrong(error) {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  if (error instanceof Refused) return error.message;
  if (error instanceof TypeError) return "The studio does not answer. Is it still running?";
  throw error;
}
