// The page: its parts, its tabs, its theme, and the keys that work everywhere.

import { ask, wrong } from "./api.js";
import { App } from "./app.js";
import { askPart } from "./ask.js";
import { byId, make } from "./dom.js";
import { boardPart } from "./edit.js";
import { home } from "./home.js";
import { learnPart } from "./learn.js";
import { savePart } from "./save.js";
import { walkPart } from "./walk.js";
import { watchPart } from "./watch.js";
import { whyPart } from "./why.js";

/** @param {App} app */
function tabs(app) {
  const list = byId("tabs", HTMLElement);
  const panel = byId("panel", HTMLElement);
  for (const part of app.parts) {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${part.id}`, "aria-controls": `part-${part.id}`, click: () => app.open(part.id) }, part.title);
    const root = make("section", { role: "tabpanel", id: `part-${part.id}`, "aria-labelledby": `tab-${part.id}`, hidden: true });
    list.append(tab);
    panel.append(root);
    part.build(root);
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const now = app.parts.findIndex((part) => part === app.part);
    const next = app.parts[(now + step + app.parts.length) % app.parts.length];
    app.open(next.id);
    byId(`tab-${next.id}`, HTMLElement).focus();
  });
}

/**
 * What the browser keeps for this page, if it does.
 * @param {string} key
 * @param {string} [value] to be kept
 */
function kept(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(`cavalcade-${key}`, value);
    return localStorage.getItem(`cavalcade-${key}`) ?? "";
  } catch {
    return "";
  }
}

/** @param {App} app */
function tools(app) {
  const theme = kept("theme");
  if (home.top === document.documentElement && theme) home.top.dataset.theme = theme;
  const undo = byId("undo", HTMLButtonElement);
  const redo = byId("redo", HTMLButtonElement);
  const space = byId("in-space", HTMLButtonElement);
  const slide = byId("slide", HTMLInputElement);
  undo.addEventListener("click", () => void app.state.undo());
  redo.addEventListener("click", () => void app.state.redo());
  home.keys.addEventListener("keydown", (pressed) => {
    const event = /** @type {KeyboardEvent} */ (pressed);
    const [target] = event.composedPath();
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    void (event.shiftKey ? app.state.redo() : app.state.undo());
  });
  const update = () => {
    undo.disabled = !app.state.past.length;
    redo.disabled = !app.state.future.length;
    const able = app.state.board?.space;
    space.hidden = !able;
    space.setAttribute("aria-pressed", String(app.stage.inSpace));
    byId("turning", HTMLElement).hidden = !app.stage.inSpace;
    byId("slide-field", HTMLElement).hidden = !able?.slides;
  };
  app.state.addEventListener("board", update);
  space.addEventListener("click", () => {
    app.stage.inSpace = !app.stage.inSpace;
    app.stage.resize();
    update();
  });
  slide.addEventListener("input", () => {
    app.stage.turn.slide = slide.valueAsNumber;
    app.stage.resize();
  });
  for (const [id, yaw, pitch] of /** @type {[string, number, number][]} */ ([["turn-left", 0.2, 0], ["turn-right", -0.2, 0], ["turn-up", 0, 0.15], ["turn-down", 0, -0.15]])) {
    byId(id, HTMLButtonElement).addEventListener("click", () => app.stage.rotate(yaw, pitch));
  }
  byId("try", HTMLButtonElement).addEventListener("click", () => app.open("walk"));
  byId("theme", HTMLButtonElement).addEventListener("click", () => {
    const { top } = home;
    const dark = top.dataset.theme ? top.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    top.dataset.theme = dark ? "light" : "dark";
    kept("theme", top.dataset.theme);
  });
  update();
}

async function main() {
  try {
    const app = new App(await ask({ ask: "start" }));
    app.parts = [boardPart(app), askPart(app), watchPart(app), whyPart(app), walkPart(app), savePart(app), learnPart(app)];
    tabs(app);
    home.gone.addEventListener("abort", () => {
      app.stop();
      app.player.pause();
    });
    await app.state.begin();
    tools(app);
    const { refused } = app.state;
    app.changed();
    app.state.keep(false);
    if (refused) app.tell(refused, "wrong");
    home.top.dataset.ready = "true";
  } catch (error) {
    byId("verdict", HTMLElement).textContent = wrong(error);
  }
}

void main();
