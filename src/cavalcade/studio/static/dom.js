// Small help with elements.

import { home } from "./home.js";
import { t } from "./texts.js";

/** What people do to elements of a kind; the values of all others change. @type {Record<string, string>} */
const EVENTS = { BUTTON: "click", FORM: "submit" };

/**
 * The element with this id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @param {(element: T) => unknown} [act] what follows when a button is pressed, a form is sent, or a field has another value
 * @returns {T}
 */
export function byId(id, kind, act) {
  const found = home.root.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  if (act) found.addEventListener(EVENTS[found.tagName] ?? "change", (event) => {
    event.preventDefault(); // no form goes to a server
    act(found);
  });
  return found;
}

/** Hear which of the radio buttons with a name is chosen. @param {string} name @param {(value: string) => unknown} act */
export function chosen(name, act) {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (home.root.querySelectorAll(`input[name="${name}"]`));
  for (const field of fields) field.addEventListener("change", () => act(field.value));
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
