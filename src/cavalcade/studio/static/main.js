// The page: its parts, its tabs, its theme, and the keys that work everywhere.

import { placed } from "./address.js";
import { ask, wrong } from "./api.js";
import { App } from "./app.js";
import { askPart } from "./ask.js";
import { demo } from "./demo.js";
import { button, byId, choices, isDark, labelled, make, ticked } from "./dom.js";
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
async function tabs(app) {
  const list = byId("tabs", HTMLElement);
  const panel = byId("parts", HTMLElement);
  for (const part of app.parts) {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${part.id}`, "aria-controls": `part-${part.id}`, click: () => app.open(part.id, true) }, t(`tab.${part.id}`));
    const root = make("section", { role: "tabpanel", id: `part-${part.id}`, "aria-labelledby": `tab-${part.id}`, hidden: true });
    list.append(tab);
    panel.append(root);
    part.build(root);
    await frame();
  }
  list.addEventListener("keydown", (event) => {
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
  const [undo, redo, space] = ["undo", "redo", "in-space"].map((id) => byId(id, HTMLButtonElement));
  const [begin, bar, playing, turning, slides] = ["begin", "bar", "player", "turning", "slide-field"].map((id) => byId(id, HTMLElement));
  const slide = byId("slide", HTMLInputElement);
  undo.addEventListener("click", () => void state.undo());
  redo.addEventListener("click", () => void state.redo());
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
    playing.hidden = player.walk === null || mode === "walk" || mode === "learn" || Boolean(story);
    space.hidden = !state.board?.space;
    space.setAttribute("aria-pressed", String(stage.inSpace));
    turning.hidden = !stage.inSpace;
    slides.hidden = !state.board?.space?.slides;
  };
  space.addEventListener("click", () => {
    stage.inSpace = !stage.inSpace;
    stage.resize();
    app.around();
  });
  slide.addEventListener("input", () => {
    stage.turn.slide = slide.valueAsNumber;
    stage.resize();
  });
  for (const [id, yaw, pitch] of /** @type {[string, number, number][]} */ ([["turn-left", 0.2, 0], ["turn-right", -0.2, 0], ["turn-up", 0, 0.15], ["turn-down", 0, -0.15]])) {
    byId(id, HTMLButtonElement).addEventListener("click", () => stage.rotate(yaw, pitch));
  }
  byId("try", HTMLButtonElement).addEventListener("click", () => app.open("walk", false));
  byId("fold", HTMLButtonElement).addEventListener("click", () => app.fold(byId("studio", HTMLElement).dataset.sheet !== "open"));
  byId("theme", HTMLButtonElement).addEventListener("click", () => {
    kept("theme", (home.top.dataset.theme = isDark() ? "light" : "dark"));
  });
}

/** The texts of the page, and the fields for its language and audience. @param {App} app */
function words(app) {
  const { language: now, texts } = speech;
  home.top.lang = now;
  for (const code of Object.keys(texts).filter((one) => one.startsWith("page."))) {
    const [, id, attribute] = code.split(".");
    const element = home.root.getElementById(id);
    if (attribute) element?.setAttribute(attribute, t(code));
    else if (element) (element.querySelector(":scope > span") ?? element).textContent = t(code);
  }
  const language = make("select", { id: "language", change: () => {
    kept("language", language.value);
    location.reload();
  } });
  choices(language, app.choices.languages, now);
  const exact = make("input", { type: "checkbox", id: "exact", checked: speech.exact, change: () => app.speak(exact.checked) });
  byId("parts", HTMLElement).append(make("div", { class: "row", id: "wording" },
    ...(home.top === document.documentElement ? [labelled(t("language"), language)] : []), ticked(t("exact"), exact)));
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
      app.demo = demo(app);
      void app.demo.begin();
      await frame();
    }
    app.choices = await ask({ ask: "start", languages: [kept("language") ?? "", ...navigator.languages] });
    Object.assign(speech, app.choices.speech, { exact: kept("exact") ?? false });
    app.parts = [boardPart(app), askPart(app), watchPart(app), whyPart(app), walkPart(app), savePart(app), learnPart(app)];
    await tabs(app);
    words(app);
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
