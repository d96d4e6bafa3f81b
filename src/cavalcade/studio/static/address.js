// What is shown, as the part of an address behind #, and back.

import { EMPTY } from "./words.js";

const MORE = /** @type {const} */ (["walk", "notes", "tour", "then", "part"]);

/** The part of the address that says what is shown. @param {Place} place */
export function address(place) {
  const words = new URLSearchParams({ ask: place.ask.statement ?? "" });
  for (const key of MORE) {
    const text = place[key];
    if (text && !(key === "part" && text === "ask")) words.set(key, text);
  }
  return "#" + words.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3B/g, ";");
}

/**
 * What it says: a statement, or words as `#board=8x8&open=1`; and a walk, a tour, and the part of the page.
 * @param {string} mark
 * @returns {Place}
 */
export function placed(mark) {
  const words = new URLSearchParams(mark.replace(/^#/, ""));
  const more = Object.fromEntries(MORE.map((key) => [key, words.get(key) ?? ""]));
  const statement = words.get("ask");
  if (statement) return { ask: { statement }, ...more };
  /** @type {Wanted} */
  const found = { open: words.get("open") === "1" };
  for (const [key, empty] of Object.entries(EMPTY)) {
    const text = words.get(key) ?? "";
    if (Array.isArray(empty)) Object.assign(found, { [key]: text.split(",").filter(Boolean) });
    else if (text && key !== "open") Object.assign(found, { [key]: typeof empty === "number" ? Number(text) : text });
  }
  return { ask: found, ...more };
}
