// A picture as a list of shapes in the order of painting, as in `draw/shapes.py`, and its two renderers: canvas and SVG.

const FONT = 'system-ui,ui-sans-serif,Helvetica,Arial,"DejaVu Sans","Noto Sans Symbols2",sans-serif';
const BASELINE = 0.36; // of the size of letters below their middle

/** The two lines of a cross. @param {number} x @param {number} y @param {number} r @returns {Point[][]} */
export const cross = (x, y, r) => [[[x - r, y - r], [x + r, y + r]], [[x - r, y + r], [x + r, y - r]]];

/** Draw shapes on a canvas. @param {CanvasRenderingContext2D} ink @param {Iterable<Shape>} shapes */
export function paint(ink, shapes) {
  ink.lineCap = ink.lineJoin = "round";
  for (const shape of shapes) {
    if ("text" in shape) {
      ink.font = `${shape.size}px ${FONT}`;
      ink.textAlign = shape.anchor === "start" || shape.anchor === "end" ? shape.anchor : "center";
      ink.fillStyle = shape.fill;
      ink.fillText(shape.text, shape.x, shape.y + BASELINE * shape.size);
      continue;
    }
    ink.beginPath();
    if ("runs" in shape) {
      for (const [dx, dy] of shape.at ?? [[0, 0]]) {
        for (const run of shape.runs) {
          run.forEach(([x, y], i) => (i ? ink.lineTo(x + dx, y + dy) : ink.moveTo(x + dx, y + dy)));
          if (shape.closed && shape.stroke) ink.closePath(); // which is slow in long paths, and no matter to a filling
        }
      }
      ink.globalAlpha = shape.opacity ?? 1;
    } else if ("r" in shape) ink.arc(shape.x, shape.y, shape.r, 0, 2 * Math.PI);
    else ink.roundRect(shape.x, shape.y, shape.wide, shape.high, shape.radius);
    if (shape.fill) {
      ink.fillStyle = shape.fill;
      ink.fill();
    }
    ink.globalAlpha = 1;
    if (!shape.stroke) continue;
    ink.setLineDash("dash" in shape && shape.dash ? shape.dash : []);
    ink.strokeStyle = shape.stroke;
    ink.lineWidth = shape.width ?? 1;
    ink.stroke();
  }
  ink.setLineDash([]);
}

/** @param {number} x */
const short = (x) => String(Math.round(x * 100) / 100);
/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/**
 * Shapes as the text of an SVG.
 * @param {Shape[]} shapes
 * @param {number[]} box left, top, width and height
 * @param {string} [paper]
 * @param {number} [scale] pixels per unit
 */
export function written(shapes, box, paper = "", scale = 1) {
  const parts = shapes.map((shape) => {
    if ("text" in shape) return `<text class="${shape.role}" x="${short(shape.x)}" y="${short(shape.y + BASELINE * shape.size)}" font-size="${short(shape.size)}" text-anchor="${shape.anchor ?? "middle"}" fill="${shape.fill}">${escaped(shape.text)}</text>`;
    const dash = "dash" in shape && shape.dash ? ` stroke-dasharray="${shape.dash.map(short)}"` : "";
    const stroke = shape.stroke ? ` stroke="${shape.stroke}" stroke-width="${short(shape.width ?? 1)}"${dash}` : "";
    const opacity = "runs" in shape && shape.opacity !== undefined ? ` fill-opacity="${shape.opacity}"` : "";
    const style = `class="${shape.role}" fill="${shape.fill || "none"}"${stroke}${opacity}`;
    if ("r" in shape) return `<circle ${style} cx="${short(shape.x)}" cy="${short(shape.y)}" r="${short(shape.r)}"/>`;
    if ("wide" in shape) return `<rect ${style} x="${short(shape.x)}" y="${short(shape.y)}" width="${short(shape.wide)}" height="${short(shape.high)}" rx="${short(shape.radius)}"/>`;
    const paths = (shape.at ?? [[0, 0]]).flatMap(([dx, dy]) => shape.runs.map((run) => `M${run.map(([x, y]) => `${short(x + dx)} ${short(y + dy)}`).join("L")}${shape.closed ? "Z" : ""}`));
    return `<path ${style} d="${paths.join("")}"/>`;
  });
  const [x, y, width, height] = box.map(short);
  const ground = paper ? `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${paper}"/>\n` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${short(box[2] * scale)}" height="${short(box[3] * scale)}" font-family="${escaped(FONT)}" stroke-linecap="round" stroke-linejoin="round">\n${ground}${parts.join("\n")}\n</svg>\n`;
}
