// The sound of a move, if one wants it.

import { make, ticked } from "./dom.js";
import { kept } from "./memory.js";
import { t } from "./texts.js";

const LOW = 330; // hertz of the first step; the last is an octave higher
const LONG = 0.09; // seconds
const LOUD = 0.15; // of the most

/** @type {AudioContext | null} */
let player = null;

/** The choice. */
export function soundField() {
  const field = make("input", { type: "checkbox", id: "sound", checked: kept("sound") ?? false, change: () => kept("sound", field.checked) });
  return ticked(t("walk.sound"), field);
}

/** Sound once. @param {number} high octaves above the first step */
export function click(high) {
  if (!kept("sound")) return;
  player ??= new AudioContext();
  const [tone, volume, now] = [player.createOscillator(), player.createGain(), player.currentTime];
  tone.frequency.value = LOW * 2 ** high;
  volume.gain.setValueAtTime(LOUD, now);
  volume.gain.exponentialRampToValueAtTime(LOUD / 100, now + LONG);
  tone.connect(volume).connect(player.destination);
  tone.start(now);
  tone.stop(now + LONG);
}
