// The first seconds: a tour that draws itself before the rest of the page is there.

import { box, pieceOf } from "./boxes.js";
import { decoded } from "./code.js";
import { moving } from "./dom.js";
import { neighbours } from "./graph.js";
import { t } from "./texts.js";
import { EMPTY } from "./words.js";

const TOUR = "a8.JQcRbpJkMgaNhPMvgDBpASSbBNAIaQjA.1"; // a closed tour of 8x8 that looks the same from both sides
const SECONDS = 14; // for the whole tour: two squares in the time of a breath

/** @param {App} app */
export function demo(app) {
  const whole = box([8, 8], pieceOf("knight", 2)?.vectors ?? []);
  const cells = decoded(neighbours(64, whole.edges ?? []), whole.names ?? [], TOUR);
  let upto = 1;
  let done = false;
  /** The drawing that goes on. @type {object | null} */
  let drawing = null;
  /** @returns {Scene} */
  const scene = () => ({ cells, closed: true, upto, rides: upto < cells.length, line: true, numbers: false });
  app.stage.scene = scene();
  app.stage.show(/** @type {Board} */ ({ ...whole, question: EMPTY, title: "8x8", size: 64, holes: new Int32Array() }));
  return {
    async begin() {
      if (drawing) return;
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
    scene,
  };
}
