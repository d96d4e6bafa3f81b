// Save: files of every format, the link, and the same question for a shell and for Python.

import { ask, bytes, wrong } from "./api.js";
import { button, make, say } from "./dom.js";
import { home } from "./home.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Part} Part */

/** @type {Record<string, string>} */
const TYPES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf", json: "application/json", gif: "image/gif" };

/**
 * @param {App} app
 * @returns {Part}
 */
export function savePart(app) {
  const { state } = app;
  const files = make("div", {});
  const lines = make("div", {});

  /**
   * @param {string} thing
   * @param {string} format
   */
  const download = async (thing, format) => {
    const { walk } = app.player;
    try {
      const found = await ask({
        ask: "file", question: state.question, thing, format, seconds: 60,
        ...(thing === "tour" ? { walk: [...(walk?.cells ?? [])], closed: walk?.closed ?? false } : {}),
        ...(thing === "certificate" ? { certificate: app.answer?.certificate } : {}),
      });
      const address = URL.createObjectURL(new Blob([bytes(found.data)], { type: TYPES[format] ?? "text/plain" }));
      make("a", { href: address, download: found.name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      app.tell(`${found.name} has been sent to the browser.`);
    } catch (error) {
      app.tell(wrong(error), "wrong");
    }
  };

  /**
   * A line to copy.
   * @param {string} title
   * @param {string} text
   */
  const line = (title, text) => {
    const copy = async () => {
      await navigator.clipboard.writeText(text);
      say("copied");
      done.textContent = "Copied";
      setTimeout(() => (done.textContent = "Copy"), 1500);
    };
    const done = button("Copy", () => void copy(), { "aria-label": `Copy: ${title}` });
    return make("div", { class: "line" }, make("span", {}, title), make("code", { tabindex: 0 }, text), done);
  };

  const shown = () => {
    const { board } = state;
    if (board === null) return;
    const things = [["board", "The board", true], ["tour", "The tour", app.player.walk !== null], ["certificate", "The proof", Boolean(app.answer?.certificate)]];
    files.replaceChildren(...things.map(([thing, title, there]) => make("fieldset", {}, make("legend", {}, String(title)),
      there
        ? make("div", { class: "buttons" }, ...app.choices.formats[String(thing)].map((format) =>
            button(format.toUpperCase(), () => void download(String(thing), format), { "aria-label": `${title} as ${format}`, "data-file": `${thing}.${format}` })))
        : make("p", { class: "hint" }, thing === "tour" ? "Ask for a tour first." : "A proof appears here when there is no tour."))));
    const { shell, python } = board.lines[app.answer?.story ? "prove" : "tour"];
    lines.replaceChildren(
      ...(home.link() ? [line("Link", home.link())] : []),
      line("Shell", shell),
      line("Python", python),
      line("Shell, to count", board.lines.count.shell),
      line("Python, to count", board.lines.count.python),
    );
  };

  return {
    id: "save",
    title: "Save",
    build(root) {
      root.append(files, make("fieldset", {}, make("legend", {}, "The same question"), lines));
    },
    changed: shown,
    answered: shown,
    enter: shown,
  };
}
