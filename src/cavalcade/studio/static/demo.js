// The first seconds: a tour that draws itself before the rest of the page is there.

import { box, pieceOf } from "./boxes.js";
import { decoded } from "./code.js";
import { neighbours } from "./graph.js";
import { EMPTY } from "./words.js";

const TOUR = "a8.JQcRbpJkMgaNhPMvgDBpASSbBNAIaQjA.1"; // a closed tour of 8x8 that looks the same from both sides
const SECONDS = 14; // for the whole tour: two squares in the time of a breath

/** Show the tour on its board. @param {App} app */
export function demo(app) {
  const whole = box([8, 8], pieceOf("knight", 2)?.vectors ?? []);
  const cells = Int32Array.from(decoded(neighbours(64, whole.edges ?? []), whole.names ?? [], TOUR));
  app.demo = { cells, closed: true, bare: true, seconds: SECONDS };
  app.player.show(app.demo);
  app.stage.scene = app.player.scene();
  app.stage.show(/** @type {Board} */ ({ ...whole, question: EMPTY, title: "8x8", size: 64, holes: new Int32Array() }));
}
