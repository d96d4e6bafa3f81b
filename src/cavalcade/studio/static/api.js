// Questions to Python, and their answers one by one. Aborting a question ends its process.

import { revived } from "./bytes.js";
import { home } from "./home.js";
import { t, worded } from "./texts.js";

export class Refused extends Error {
  /** @param {{message: string}} answer whose message follows the audience */
  constructor(answer) {
    super();
    Object.defineProperty(this, "message", { get: () => answer.message });
  }
}

/**
 * The answer to a question.
 * @param {Record<string, unknown>} words
 * @param {{signal?: AbortSignal, news?: (news: News) => void}} [options]
 * @returns {Promise<any>}
 */
export async function ask(words, { signal, news } = {}) {
  for await (const line of home.answers(JSON.stringify(words), signal)) {
    const found = typeof line === "string" ? JSON.parse(line, revived) : line;
    if (found.type === "error") throw new Refused(worded(found));
    if (found.type === "answer") return worded(found);
    if (news) news(found);
  }
  throw new Refused({ message: t("server.ended") });
}

/** What to show about an error; nothing if the question was stopped. @param {unknown} error */
export function wrong(error) {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  if (error instanceof Refused) return error.message;
  if (error instanceof TypeError) return t("server.silent");
  throw error;
}
