// Save: files of every format, the link, and the same question for a shell and for Python.

import { bytes } from "./bytes.js";
import { button, byId, copied, handed, make } from "./dom.js";
import { home } from "./home.js";
import { t } from "./texts.js";

const USUAL = ["text", "svg", "png", "pdf", "gif", "json", "html"];
/** @type {Record<string, string>} */
const TYPES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf", json: "application/json", gif: "image/gif", glb: "model/gltf-binary" };

/** @param {App} app @returns {Part} */
export function savePart(app) {
  const { state } = app;
  const [files, lines] = ["files", "lines"].map((id) => byId(id, HTMLElement));
  byId("save-picture", HTMLButtonElement, () => hand("cavalcade.svg", app.stage.svg(), "svg"));

  /** Save a file. @param {string} name @param {BlobPart} data @param {string} format */
  const hand = (name, data, format) => {
    handed(new File([data], name, { type: TYPES[format] ?? "text/plain" }));
    app.tell(t("save.sent", { file: name }));
  };

  /** @param {string} thing @param {string} format */
  const download = async (thing, format) => {
    const { walk } = app.player;
    const answer = await app.work({
      ask: "file", thing, format, seconds: 60,
      ...(thing === "tour" ? { walk: [...(walk?.cells ?? [])], closed: walk?.closed ?? false } : {}),
      ...(thing === "certificate" ? { certificate: app.answer?.certificate } : {}),
    }, t("doing.file"));
    if (answer) hand(answer.name ?? "", bytes(answer.data ?? ""), format);
  };

  /**
   * A button for each format; those that few people want are a step further.
   * @param {string} thing
   * @param {string} title
   */
  const offered = (thing, title) => {
    const one = (/** @type {string} */ format) => button(format.toUpperCase(), () => void download(thing, format), { "aria-label": t("save.as", { thing: title, format }), "data-file": `${thing}.${format}` });
    const [usual, rare] = [true, false].map((want) => app.choices.formats[thing].filter((format) => USUAL.includes(format) === want).map(one));
    return make("div", { class: "buttons" }, ...usual, ...(rare.length ? [make("details", {}, make("summary", {}, t("save.programs")), make("div", { class: "buttons" }, ...rare))] : []));
  };

  const shown = () => {
    const { board } = state;
    if (board === null || app.part?.id !== "save") return;
    const things = [["board", t("save.board"), true], ["tour", t("save.tour"), app.player.walk !== null], ["certificate", t("save.proof"), Boolean(app.answer?.certificate)]];
    files.replaceChildren(...things.map(([thing, title, there]) => make("fieldset", {}, make("legend", {}, String(title)),
      there
        ? offered(String(thing), String(title))
        : make("p", { class: "hint" }, thing === "tour" ? t("save.no-tour") : t("save.no-proof")))));
    const { shell, python } = board.lines[app.answer?.story ? "prove" : "tour"];
    lines.replaceChildren(
      ...(home.link() ? [copied(t("save.link"), home.link().replace(/&part=\w+/, ""))] : []),
      copied(t("save.shell"), shell),
      copied(t("save.python"), python),
      copied(t("save.shell-count"), board.lines.count.shell),
      copied(t("save.python-count"), board.lines.count.python),
    );
  };

  return {
    id: "save",
    changed: shown,
    answered: shown,
    enter: shown,
    /** The tour, or without one the walk or the puzzle. */
    scene: () => (app.player.walk ? app.player.scene() : (app.parts.find((part) => part.id === "walk")?.scene?.() ?? {})),
  };
}
