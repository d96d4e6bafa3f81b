// The first seconds: a tour that draws itself before anything is asked.

import { decoded } from "./code.js";
import { moving } from "./dom.js";
import { t } from "./texts.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types.js").Scene} Scene */

const TOUR = "a8.JQcRbpJkMgaNhPMvgDBpASSbBNAIaQjA.1"; // a closed tour of 8x8 that looks the same from both sides
const SECONDS = 14; // for the whole tour: two squares in the time of a breath

/** @param {App} app */
export function demo(app) {
  const cells = decoded(app.state.near, app.state.board?.names ?? [], TOUR);
  let upto = 1;
  let done = false;
  /** The drawing that goes on. @type {object | null} */
  let drawing = null;
  return {
    async begin() {
      const mine = (drawing = {});
      done = await moving(1000 * SECONDS, (part) => {
        upto = 1 + part * (cells.length - 1);
        if (drawing === mine) app.frame();
        return drawing === mine;
      });
      if (done) app.refresh();
    },
    end() {
      drawing = null;
    },
    /** @returns {[string, ""]} */
    status: () => [t("welcome") + (done ? ` ${t("welcome.turn")}` : ""), ""],
    /** @returns {Scene} */
    scene: () => ({ cells, closed: true, upto, rides: upto < cells.length, line: true, numbers: false }),
  };
}
