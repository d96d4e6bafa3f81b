// A canvas that writes SVG: what `paint.js` draws on it becomes a file.

/** @param {number} x */
const short = (x) => String(Math.round(x * 100) / 100);
/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** As much of a CanvasRenderingContext2D as is used. */
export class Ink {
  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.size = [short(width), short(height)];
    this.fillStyle = this.strokeStyle = "#000";
    this.lineWidth = this.globalAlpha = 1;
    this.lineCap = "butt";
    this.lineJoin = "miter";
    this.font = "10px sans-serif";
    this.textAlign = "start";
    this.textBaseline = "middle";
    /** @type {number[]} */
    this.dash = [];
    this.way = "";
    /** @type {string[]} */
    this.parts = [];
  }

  beginPath() {
    this.way = "";
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.way += `M${short(x)} ${short(y)}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.way += `L${short(x)} ${short(y)}`;
  }

  closePath() {
    this.way += "Z";
  }

  /** A whole circle. @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    const [a, b] = [short(r), short(2 * r)];
    this.way += `M${short(x - r)} ${short(y)}a${a} ${a} 0 1 0 ${b} 0a${a} ${a} 0 1 0 -${b} 0`;
  }

  /** @param {string} look */
  draw(look) {
    this.parts.push(`<path d="${this.way}"${this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : ""} ${look}/>`);
  }

  fill() {
    this.draw(`fill="${this.fillStyle}"`);
  }

  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.map(short).join(" ")}"` : "";
    this.draw(`fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}" stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dash}`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.parts.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${this.fillStyle}"/>`);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const [, weight = "400", size = "10"] = /^(?:(\d+) )?([\d.]+)px/.exec(this.font) ?? [];
    const anchor = { center: "middle", end: "end", right: "end" }[this.textAlign] ?? "start";
    this.parts.push(`<text x="${short(x)}" y="${short(y)}" fill="${this.fillStyle}" font-family="sans-serif" font-size="${short(Number(size))}" font-weight="${weight}" text-anchor="${anchor}" dominant-baseline="central">${escaped(text)}</text>`);
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  /** A picture without points. */
  getTransform() {
    return { a: Infinity, e: 0, f: 0 };
  }

  save() {}

  restore() {}

  clip() {}

  text() {
    const [width, height] = this.size;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${this.parts.join("\n")}\n</svg>\n`;
  }
}
