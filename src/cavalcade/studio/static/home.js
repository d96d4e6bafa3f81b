// Where the studio lives: here a page of its own, with a server that answers and an address that keeps the question.
// A cell of a notebook is another home, see widget.js: all other modules are the same in both.

/** @typedef {import("./types.js").Home} Home */
/** @typedef {import("./types.js").Question} Question */

/**
 * The part of the address that is the question.
 * @param {Question} question
 */
function address(question) {
  const words = new URLSearchParams();
  words.set("board", question.board);
  if (question.piece !== "knight") words.set("piece", question.piece);
  if (question.open) words.set("open", "1");
  for (const key of /** @type {const} */ (["start", "end", "symmetry"])) {
    if (question[key]) words.set(key, question[key]);
  }
  for (const key of /** @type {const} */ (["with", "avoid"])) {
    if (question[key].length) words.set(key, question[key].join(","));
  }
  return "#" + words.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3B/g, ";");
}

/** The question of the address. */
function question() {
  const words = new URLSearchParams(location.hash.replace(/^#/, ""));
  /** @type {Partial<Question>} */
  const found = { open: words.get("open") === "1" };
  for (const key of /** @type {const} */ (["board", "piece", "start", "end", "symmetry"])) {
    const text = words.get(key);
    if (text) found[key] = text;
  }
  for (const key of /** @type {const} */ (["with", "avoid"])) {
    found[key] = (words.get(key) ?? "").split(",").filter(Boolean);
  }
  return found;
}

/**
 * Ask the server; its answer comes line by line.
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<string, void>}
 */
async function* answers(text, signal) {
  const response = await fetch("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: text, signal });
  if (!response.ok || response.body === null) {
    yield JSON.stringify({ type: "error", message: await response.text() });
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  /** @type {string[]} */
  let parts = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    let from = 0;
    for (let end = value.indexOf("\n"); end >= 0; end = value.indexOf("\n", from)) {
      parts.push(value.slice(from, end));
      from = end + 1;
      yield parts.join("");
      parts = [];
    }
    parts.push(value.slice(from));
  }
}

/** @type {Home} */
export const home = {
  root: document,
  top: document.documentElement,
  keys: window,
  gone: new AbortController().signal,
  answers,
  question,
  keep: (now) => history.replaceState(null, "", address(now)),
  heard: (changed) => addEventListener("hashchange", () => changed(question())),
  link: () => location.href,
  high: () => (innerWidth < 760 ? innerHeight * 0.56 : innerHeight - 290),
};
