// A page of its own as a home: the address says all that it shows. Who answers is up to the page.

import { address, placed } from "./address.js";

/** @param {Home["answers"]} answers @returns {Home} */
export function page(answers) {
  return {
    root: document,
    top: document.documentElement,
    keys: window,
    gone: new AbortController().signal,
    answers,
    place: () => placed(location.hash),
    keep(_board, now, push) {
      const next = address(now);
      if (next === location.hash) return;
      if (push) history.pushState(null, "", next);
      else history.replaceState(null, "", next);
    },
    heard: (changed) => addEventListener("popstate", () => changed(placed(location.hash))),
    link: () => location.href,
    high: () => document.getElementById("frame")?.clientHeight ?? 0,
  };
}
