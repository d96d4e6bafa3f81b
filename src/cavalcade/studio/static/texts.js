// Texts by codes, for an audience and in a language: the catalogue of the language is part of the first answer.

/** @typedef {Record<string, any>} Values */
/** @typedef {[string, Values][]} Said codes, each with its values */

/** The language, the audience, what cells of the board are called in English, and the texts: one for all, or one for each audience. */
export const speech = { language: "en", exact: false, noun: "cell", texts: /** @type {Record<string, string | {simple: string, exact: string}>} */ ({}) };

/** A value in a text: numbers and days as the language writes them, alternatives, a text by codes, or a name. @param {any} value @returns {string} */
const shown = (value) => typeof value === "number" ? value.toLocaleString(speech.language) : Array.isArray(value) ? value.join(t("list.or")) : value?.said ? sentence(value.said)
  : /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T12:00`).toLocaleDateString(speech.language, { dateStyle: "long" }) : t(`name.${value}`);

/** @param {Said} said */
const sentence = (said) => said.map(([code, values]) => t(code, values)).join(" ");

/**
 * The text of a code. `{name}` stands for a value, `{n|cell|cells}` for a word that depends on a number. A name that has no
 * text is its own text.
 * @param {string} code
 * @param {Values} [values]
 */
export function t(code, values = {}) {
  const text = speech.texts[code];
  if (text === undefined) return code.slice(code.indexOf(".") + 1);
  return (typeof text === "string" ? text : text[speech.exact ? "exact" : "simple"]).replace(/(?<!\{)\bcell(?=s?\b)/g, speech.noun).replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
    (_, name, single, plural) => (single === undefined ? shown(values[name]) : values[name] === 1 ? single : plural));
}

/**
 * An answer with its message, and the sentences of its story, in words that follow the audience.
 * @template {Values} T
 * @param {T} answer
 * @param {string} [key]
 * @returns {T}
 */
export function worded(answer, key = "message") {
  if (answer.said) Object.defineProperty(answer, key, { enumerable: true, get: () => sentence(answer.said) });
  for (const one of answer.story ?? []) worded(one, "text");
  return answer;
}
