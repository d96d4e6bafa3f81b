// The page: its parts, its tabs, its theme, and the keys that work everywhere.

import { placed } from "./address.js";
import { ask, wrong } from "./api.js";
import { App } from "./app.js";
import { askPart } from "./ask.js";
import { demo } from "./demo.js";
import { button, byId, choices, isDark } from "./dom.js";
import { boardPart } from "./edit.js";
import { home } from "./home.js";
import { learnPart } from "./learn.js";
import { kept } from "./memory.js";
import { savePart } from "./save.js";
import { speech, t } from "./texts.js";
import { walkPart } from "./walk.js";
import { watchPart } from "./watch.js";
import { whyPart } from "./why.js";

/** Let the browser draw a frame; a hidden page has none. */
const frame = () => new Promise((go) => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, 100);
});

/** @param {App} app */
function tabs(app) {
  for (const { id } of app.parts) byId(`tab-${id}`, HTMLButtonElement, () => app.open(id, true));
  byId("tabs", HTMLElement).addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const now = app.parts.findIndex((part) => part === app.part);
    const next = app.parts[(now + step + app.parts.length) % app.parts.length];
    app.open(next.id, true);
    byId(`tab-${next.id}`, HTMLElement).focus();
  });
}

/** @param {App} app */
function tools(app) {
  const { state, stage, player } = app;
  const undo = byId("undo", HTMLButtonElement, () => state.undo());
  const redo = byId("redo", HTMLButtonElement, () => state.redo());
  const space = byId("in-space", HTMLButtonElement, () => {
    stage.inSpace = !stage.inSpace;
    stage.resize();
    app.around();
  });
  const [begin, bar, turning, slides] = ["begin", "bar", "turning", "slide-field"].map((id) => byId(id, HTMLElement));
  const slide = byId("slide", HTMLInputElement);
  home.keys.addEventListener("keydown", (pressed) => {
    const event = /** @type {KeyboardEvent} */ (pressed);
    const [target] = event.composedPath();
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    void (event.shiftKey ? state.redo() : state.undo());
  });
  app.around = () => {
    const { mode } = app;
    const story = mode === "proof" && app.answer?.story;
    undo.disabled = !state.past.length;
    redo.disabled = !state.future.length;
    bar.hidden = mode !== "walk";
    begin.hidden = mode === "walk" || mode === "learn" || Boolean(story);
    player.row.hidden = state.tour === null || mode === "walk" || mode === "learn" || Boolean(story);
    player.label();
    space.hidden = !state.board?.space;
    space.setAttribute("aria-pressed", String(stage.inSpace));
    turning.hidden = !stage.inSpace;
    slides.hidden = !state.board?.space?.slides;
  };
  slide.addEventListener("input", () => {
    stage.turn.slide = slide.valueAsNumber;
    stage.resize();
  });
  for (const [id, yaw, pitch] of /** @type {[string, number, number][]} */ ([["turn-left", 0.2, 0], ["turn-right", -0.2, 0], ["turn-up", 0, 0.15], ["turn-down", 0, -0.15]])) {
    byId(id, HTMLButtonElement, () => stage.rotate(yaw, pitch));
  }
  byId("try", HTMLButtonElement, () => app.open("walk", false));
  byId("fold", HTMLButtonElement, () => app.fold(byId("studio", HTMLElement).dataset.sheet !== "open"));
  byId("theme", HTMLButtonElement, () => kept("theme", (home.top.dataset.theme = isDark() ? "light" : "dark")));
}

/** The texts of the page, and the choice of its language and audience. @param {App} app */
function words(app) {
  home.top.lang = speech.language;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (home.root.querySelectorAll("[data-text], [data-label]"))) {
    const { text, label, title } = element.dataset;
    if (text) element.textContent = t(text);
    if (label) element.setAttribute("aria-label", t(label));
    if (title) element.title = t(title);
  }
  const language = byId("language", HTMLSelectElement, () => {
    kept("language", language.value);
    location.reload();
  });
  choices(language, app.choices.languages, speech.language);
  const exact = byId("exact", HTMLInputElement, ({ checked }) => app.speak(checked));
  exact.checked = speech.exact;
}

/** Offer the walk that was left. @param {App} app */
function goOn(app) {
  const before = kept("walk");
  if (!before) return;
  const offer = button(t("walk.go-on", { walk: before.text }), () => {
    offer.remove();
    void app.state.after(() => app.state.go(placed(before.link.slice(before.link.indexOf("#")))));
  }, { id: "go-on" });
  byId("begin", HTMLElement).append(offer);
  app.state.addEventListener("walk", () => offer.remove(), { once: true });
}

/** The tour that draws itself comes first; the page is built between its frames. */
async function main() {
  const theme = kept("theme");
  if (theme) home.top.dataset.theme = theme;
  try {
    const app = new App();
    const bare = home.top === document.documentElement && /^(#ask=closed\+tour\+of\+8x8)?$/.test(location.hash);
    if (bare) {
      demo(app);
      await frame();
    }
    const shelf = byId("shelf", HTMLScriptElement);
    shelf.outerHTML = shelf.text;
    app.choices = await ask({ ask: "start", languages: [kept("language") ?? "", ...navigator.languages] });
    Object.assign(speech, app.choices.speech, { exact: kept("exact") ?? false });
    words(app);
    await frame();
    app.parts = [boardPart(app), askPart(app), watchPart(app), whyPart(app), walkPart(app), savePart(app), learnPart(app)];
    tabs(app);
    home.gone.addEventListener("abort", () => {
      app.stop();
      app.player.pause();
    });
    tools(app);
    await app.state.begin();
    if (bare) goOn(app);
    app.changed();
    app.state.keep(false);
    home.top.dataset.ready = "true";
  } catch (error) {
    byId("verdict", HTMLElement).textContent = wrong(error);
  }
}

void main();
