// Small help with elements.

import { home } from "./home.js";
import { t } from "./texts.js";

/**
 * The element with this id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = home.root.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | boolean | number | EventListener>} [attributes] text stays text; functions listen
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * A button.
 * @param {string} text
 * @param {() => void} press
 * @param {Record<string, string | boolean | number | EventListener>} [attributes]
 */
export function button(text, press, attributes = {}) {
  return make("button", { type: "button", click: press, ...attributes }, text);
}

/** What a field does when Enter is pressed in it. @param {() => unknown} act */
export const entered = (act) => (/** @type {Event} */ event) => void (/** @type {KeyboardEvent} */ (event).key === "Enter" && act());

/** A field with its label. @param {string} text @param {HTMLElement} field */
export function labelled(text, field) {
  return make("label", { class: "field" }, make("span", {}, text), field);
}

/** A checkbox or radio button with its label behind it. @param {string} text @param {HTMLInputElement} field */
export function ticked(text, field) {
  return make("label", { class: "tick" }, field, make("span", {}, text));
}

/**
 * The options of a choice.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options value and text
 * @param {string} chosen
 */
export function choices(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
}

/**
 * `1 cell`, `2 cells`: a number of things, `what` being a code of the catalogue.
 * @param {number} number
 * @param {string} what
 */
export function counted(number, what) {
  return t(`n.${what}`, { n: number });
}

/**
 * Do something again and again, for as long as the studio is shown.
 * @param {number} milliseconds
 * @param {() => void} act
 */
export function every(milliseconds, act) {
  const timer = setInterval(act, milliseconds);
  home.gone.addEventListener("abort", () => clearInterval(timer));
}

export const night = matchMedia("(prefers-color-scheme: dark)");

/** Whether the colours of the page are dark. */
export const isDark = () => (home.top.dataset.theme ?? (night.matches && "dark")) === "dark";

const motion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the person wants things to keep still. */
export const still = () => motion.matches;

/**
 * Draw something again and again while it moves; where things keep still, only its end.
 * @param {number} milliseconds
 * @param {(part: number) => boolean} step draws a part from 0 to 1; false ends it
 * @returns {Promise<boolean>} whether it has come to its end
 */
export function moving(milliseconds, step) {
  if (still()) return Promise.resolve(step(1));
  const began = performance.now();
  return new Promise((resolve) => {
    const frame = (/** @type {number} */ now) => {
      const part = Math.min(Math.max(0, now - began) / milliseconds, 1);
      if (!step(part)) resolve(false);
      else if (part === 1) resolve(true);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Say something to a screen reader. @param {string} text */
export function say(text) {
  byId("live", HTMLElement).textContent = text;
}

/**
 * Ask before something is lost.
 * @param {string} text
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function sure(text, yes, no) {
  return new Promise((resolve) => {
    const box = make("dialog", { "aria-label": text, close: () => {
      box.remove();
      resolve(box.returnValue === yes);
    } }, make("p", {}, text), make("div", { class: "buttons" },
      ...[no, yes].map((word) => button(word, () => box.close(word), { class: word === no ? "strong" : "" }))));
    byId("studio", HTMLElement).append(box);
    box.showModal();
  });
}

/** Hand a file to the browser, which saves it. @param {File} file */
export function handed(file) {
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A line to copy. @param {string} title @param {string} text */
export function copied(title, text) {
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    say(t("copy.done"));
    done.textContent = t("copy.done");
    setTimeout(() => (done.textContent = t("copy")), 1500);
  };
  const done = button(t("copy"), () => void copy(), { "aria-label": t("copy.what", { title }) });
  return make("div", { class: "line" }, make("span", {}, title), make("code", { tabindex: 0 }, text), done);
}
