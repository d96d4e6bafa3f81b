// Where the studio runs: here a page of its own, with a server that answers. A cell of a notebook is another home, see
// widget.js, and a page without a server a third, see play.js: all other modules are the same in the three.

import { page } from "./page.js";

const KEY = "cavalcade-token";

/** The token of the address with which this page was opened; the address then loses it, so that links do not have it. */
const opened = new URLSearchParams(location.search).get("token") ?? "";
if (opened) {
  try {
    localStorage.setItem(KEY, opened);
  } catch {} // then only this page has it
  history.replaceState(null, "", location.pathname + location.hash);
}

/** The token of the session. The browser keeps it for this origin, which includes the port, and pages share it. */
function token() {
  try {
    return localStorage.getItem(KEY) ?? opened;
  } catch {
    return opened;
  }
}

/**
 * Ask the server; its answer comes line by line.
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<string, void>}
 */
async function* answers(text, signal) {
  const response = await fetch("ask", { method: "POST", headers: { "Content-Type": "application/json", "X-Cavalcade-Token": token() }, body: text, signal });
  if (!response.ok || response.body === null) {
    yield JSON.stringify({ type: "error", message: await response.text() });
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const [end, ...others] = value.split("\n");
    line += end;
    for (const next of others) {
      yield line;
      line = next;
    }
  }
}

export const home = page(answers);
