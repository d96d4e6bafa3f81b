// The sound of a move, if one wants it.

import { kept } from "./memory.js";

const LOW = 330; // hertz of the first step; the last is an octave higher
const LONG = 0.09; // seconds
const LOUD = 0.15; // of the most

/** @type {AudioContext | null} */
let player = null;

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
