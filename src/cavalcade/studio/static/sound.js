// The sound of a move, if one wants it.

const LONG = 0.09; // seconds
const LOUD = 0.15; // of the most

/** @type {AudioContext | null} */
let player = null;

/** Sound once. @param {number} pitch hertz */
export function click(pitch) {
  player ??= new AudioContext();
  const [tone, volume, now] = [player.createOscillator(), player.createGain(), player.currentTime];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, now);
  volume.gain.exponentialRampToValueAtTime(LOUD / 100, now + LONG);
  tone.connect(volume).connect(player.destination);
  tone.start(now);
  tone.stop(now + LONG);
}
