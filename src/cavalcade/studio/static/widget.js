// The studio in a cell of a notebook: questions go to Python as messages of the widget. A shadow root keeps the page's
// style out of the studio and the studio's out of the page, and the ids of several studios apart.

import { address, placed } from "./address.js";

/**
 * What anywidget gives to the front end of a widget.
 * @typedef {object} Model
 * @property {(key: string) => any} get
 * @property {(key: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(event: string, callback: (...words: any[]) => void) => void} on
 * @property {(event: string, callback: (...words: any[]) => void) => void} off
 */

/**
 * Questions and answers as messages: `{ask, question}` goes out, `{stop}` ends it, `{id}` with a line comes back.
 * @param {Model} model
 * @param {AbortSignal} gone
 * @returns {Home["answers"]}
 */
function messages(model, gone) {
  const mine = Math.random().toString(36).slice(2);
  let asked = 0;
  /** @type {Map<string, (line: string) => void>} */
  const waiting = new Map();
  const hear = (/** @type {{id?: string, kept?: boolean}} */ content, /** @type {DataView[]} */ lines) => {
    const deliver = waiting.get(content.id ?? "");
    if (deliver === undefined || !lines.length) return;
    deliver(new TextDecoder().decode(lines[0]));
    if (!content.kept) return;
    model.set("answered", model.get("answered") + 1);
    model.save_changes();
  };
  model.on("msg:custom", hear);
  gone.addEventListener("abort", () => model.off("msg:custom", hear));

  return async function* answers(text, signal) {
    const id = `${mine}-${(asked += 1)}`;
    /** @type {string[]} */
    const lines = [];
    let wake = () => {};
    waiting.set(id, (line) => {
      lines.push(line);
      wake();
    });
    signal?.addEventListener("abort", () => wake());
    model.send({ ask: id, question: text });
    let done = false;
    try {
      while (!done) {
        signal?.throwIfAborted();
        if (!lines.length) await new Promise((resolve) => (wake = () => resolve(undefined)));
        for (const line of lines.splice(0)) {
          done ||= /^\{"type": "(answer|error)"/.test(line);
          yield line;
        }
      }
    } finally {
      waiting.delete(id);
      if (!done) model.send({ stop: id });
    }
  };
}

/**
 * Whether what lies behind an element is dark: notebooks have themes of their own, which the system does not know.
 * @param {Element} element
 */
function onDark(element) {
  for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches && getComputedStyle(element).colorScheme.includes("dark");
}

/**
 * The front end of the widget.
 * @param {(home: Home) => void} studio all other modules, made anew for each home
 * @param {string} markup
 * @param {string} style
 */
export function widget(studio, markup, style) {
  /** @param {{model: Model, el: HTMLElement}} place */
  function render({ model, el }) {
    const ended = new AbortController();
    const top = document.createElement("div");
    top.setAttribute("data-lm-suppress-shortcuts", "true"); // keys are for the studio, not for JupyterLab
    const root = top.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${style}</style>${markup}`;
    el.append(top);
    for (const kind of ["keydown", "keyup", "keypress"]) {
      top.addEventListener(kind, (event) => {
        const { ctrlKey, metaKey } = /** @type {KeyboardEvent} */ (event);
        if (!ctrlKey && !metaKey) event.stopPropagation();
      });
    }
    const theme = () => {
      const now = onDark(el) ? "dark" : "light";
      if (top.dataset.theme !== now) top.dataset.theme = now;
    };
    theme();
    const watching = new MutationObserver(theme);
    for (const one of [document.documentElement, document.body]) watching.observe(one, { attributes: true });
    let own = false; // the question is being changed from here
    const same = (/** @type {unknown} */ question) => JSON.stringify(model.get("question")) === JSON.stringify(question);
    const link = () => (same(model.get("shown").question) ? model.get("shown").link : "");
    const place = () => (link() ? placed(link()) : { ask: model.get("question") });
    const begin = requestAnimationFrame(theme); // el may not have been on the page before
    studio({
      root,
      top,
      keys: top,
      gone: ended.signal,
      answers: messages(model, ended.signal),
      place,
      keep({ question }, place) {
        const mark = address(place);
        if (mark === link()) return;
        own = true;
        if (!same(question)) model.set("question", question);
        model.set("shown", { question, link: mark });
        own = false;
        model.save_changes();
      },
      heard(changed) {
        const hear = () => {
          if (!own) changed(place());
        };
        model.on("change:question", hear);
        ended.signal.addEventListener("abort", () => model.off("change:question", hear));
      },
      link,
      high: () => Math.min(0.7 * innerHeight, 520),
    });
    return () => {
      cancelAnimationFrame(begin);
      watching.disconnect();
      ended.abort();
    };
  }
  return { render };
}
