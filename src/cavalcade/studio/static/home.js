// Where the studio runs: here a page of its own, with a server that answers and the question in the address.
// A cell of a notebook is another home, see widget.js: all other modules are the same in both.

/** @typedef {import("./types.js").Home} Home */
/** @typedef {import("./types.js").Wanted} Wanted */

/**
 * The part of the address that is the question: its statement.
 * @param {string} statement
 */
function address(statement) {
  const words = new URLSearchParams({ ask: statement }).toString();
  return "#" + words.replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3B/g, ";");
}

/** The question of the address: a statement, or words as `#board=8x8&open=1`. */
function question() {
  const words = new URLSearchParams(location.hash.replace(/^#/, ""));
  const statement = words.get("ask");
  if (statement) return { statement };
  /** @type {Wanted} */
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
  keep: (board) => history.replaceState(null, "", address(board.statement)),
  heard: (changed) => addEventListener("hashchange", () => changed(question())),
  link: () => location.href,
  high: () => (innerWidth < 760 ? innerHeight * 0.56 : innerHeight - 290),
};
