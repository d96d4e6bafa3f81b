// The colours of pictures, as in `draw/styles.py`; a test compares them.

const COLOURS = 240; // shades along a tour
/** Colours of the parts that a proof separates. */
export const PARTS = ["#009e73", "#cc79a7", "#e69f00", "#4d4d4d", "#f0e442"];
const PALE = [PARTS[2], PARTS[4]]; // parts whose numbers are black

/** @type {Record<string, Look>} */
export const LOOKS = {
  colour: {
    paper: "", shades: ["#f9f4ea", "#e7dac2", "#f0e6d4"], hole: "#a99c86", shadow: "#7f7564", frame: "#b9a88a", text: "#7a6f60", digits: "#3d362d",
    disc: "#ffffff", casing: "#f9f4ea", lightness: 0.58, alarm: "#d55e00",
  },
  dark: {
    paper: "#14161b", shades: ["#3b4252", "#2d333f", "#343a48"], hole: "#06070a", shadow: "#040508", frame: "#5b6475", text: "#b4bac6", digits: "#f2f2f2",
    disc: "#14161b", casing: "#14161b", lightness: 0.74, alarm: "#d55e00",
  },
};

/** The colour of neighbours in a proof. @param {Look} look */
export const besides = ({ lightness }) => (lightness < 0.7 ? "#0072b2" : "#56a3d9");

/** The fill of a part of a proof and the colour of its number. @param {number} part @returns {[string, string]} */
export function partColours(part) {
  const fill = PARTS[part % PARTS.length];
  return [fill, PALE.includes(fill) ? "#000000" : "#ffffff"];
}

/** Red, green and blue of a colour. @param {string} colour */
export const channels = (colour) => [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));

/** The colour of red, green and blue. @param {number[]} channels */
const hex = (channels) => `#${channels.map((x) => x.toString(16).padStart(2, "0")).join("")}`;

const light = (/** @type {number} */ angle) => Math.cos((angle * Math.PI) / 180);

/** A colour of the Oklab wheel (B. Ottosson 2020); the angle is in degrees. @type {(angle: number, lightness: number, chroma: number) => string} */
const hue = (angle, lightness, chroma) => {
  const [a, b] = [chroma * light(angle), chroma * light(angle - 90)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return hex(linear.map((x) => Math.min(Math.max(x, 0), 1)).map((x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055))));
};

/**
 * The colours of a tour by step: once around the wheel if it is closed, else from blue to yellow.
 * @param {Look} look
 * @param {number} steps
 * @param {boolean} closed
 * @returns {(step: number) => string}
 */
export function wheel(look, steps, closed) {
  const count = Math.min(Math.max(steps, 1), COLOURS);
  const colours = [...Array(count).keys()].map((i) => (i + 0.5) / count).map((along) => {
    const angle = 262 + 360 * along;
    return closed ? hue(angle, look.lightness - 0.13 * light(angle), 0.15) : hue(262 + 180 * along, look.lightness - 0.18 + 0.34 * along ** 0.75, 0.14);
  });
  return (step) => colours[Math.floor((step * count) / Math.max(steps, 1))];
}

/** A colour as dark as light falls on it, from 0 to 1. @param {string} colour @param {number} bright */
export const lit = (colour, bright) => hex(channels(colour).map((x) => Math.round(bright * x)));

/** The colour of a level. @param {number} k @param {number} count */
export function levelColour(k, count) {
  const angle = 40 + (360 * k) / count;
  return hue(angle, 0.55 - 0.08 * light(angle), 0.13);
}
