// How things look on a canvas. Lengths are in pixels of the page.

import { UNIT, fileName } from "./boxes.js";
import { home } from "./home.js";

/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Mark} Mark */

const BUCKETS = 64; // colours along a path
const DUST = 1.5; // pixels of a cell below which a move is no line, but the colour of its step
// dark blue to yellow, ever lighter, so that it can be read without seeing hues
const RAMP = [
  [38, 55, 120],
  [50, 92, 140],
  [62, 126, 138],
  [104, 156, 116],
  [168, 182, 88],
  [236, 204, 80],
];
const SHADES = ["--cell-0", "--cell-1", "--cell-2"];
const INKS = [
  ...SHADES, "--hole", "--hole-ink", "--path", "--path-ink", "--across", "--ink", "--paper", "--label", "--named", "--beside",
  "--part-0", "--part-1", "--part-2", "--part-3", "--forced", "--out", "--with", "--avoid", "--option", "--start",
];

/**
 * The colours of the page, light or dark.
 * @returns {Record<string, string>}
 */
export function inks() {
  const style = getComputedStyle(home.top);
  return Object.fromEntries(INKS.map((name) => [name.slice(2), style.getPropertyValue(name).trim()]));
}

/**
 * The colour of a part of the way, from 0 to 1.
 * @param {number} part
 */
export function ramp(part) {
  const at = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
  const i = Math.min(Math.floor(at), RAMP.length - 2);
  const mixed = RAMP[i].map((low, k) => Math.round(low + (RAMP[i + 1][k] - low) * (at - i)));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * The outline of a cell as the current path.
 * @param {CanvasRenderingContext2D} ink
 * @param {[number, number][]} corners
 */
function outline(ink, corners) {
  ink.beginPath();
  corners.forEach(([x, y], i) => (i ? ink.lineTo(x, y) : ink.moveTo(x, y)));
  ink.closePath();
}

/**
 * The cells, the holes, and what is written around them.
 * @param {CanvasRenderingContext2D} ink
 * @param {Board} board
 * @param {View} view
 * @param {Record<string, string>} colours
 * @param {Uint8Array} hole
 * @param {number} scale
 */
export function ground(ink, board, view, colours, hole, scale) {
  const fills = SHADES.map((name) => colours[name.slice(2)]);
  const cell = view.cell;
  if (cell * ink.getTransform().a <= 1) return dust(ink, board, view, fills, hole);
  for (let place = 0; place < board.x.length; place++) {
    if (!view.visible(place)) continue;
    if (cell < 5) {
      if (hole[place]) continue;
      const [x, y] = view.at(place);
      ink.fillStyle = fills[board.shade[place]];
      ink.fillRect(x - cell / 2, y - cell / 2, cell + 0.4, cell + 0.4);
      continue;
    }
    const corners = view.polygon(place);
    outline(ink, corners);
    if (!hole[place]) {
      ink.fillStyle = fills[board.shade[place]];
      ink.fill();
    } else {
      ink.strokeStyle = colours["hole-ink"];
      ink.lineWidth = Math.max(0.5, cell / 40);
      ink.setLineDash([cell / 10, cell / 10]);
      ink.save();
      ink.clip();
      ink.stroke();
      ink.restore();
      ink.setLineDash([]);
    }
  }
  ink.fillStyle = colours.label;
  const size = Math.min(Math.max(board.label_size * scale, 9), 17);
  ink.font = `${size}px system-ui, sans-serif`;
  ink.textBaseline = "middle";
  let last = [-1e9, -1e9];
  for (const [x, y, text, anchor] of board.labels) {
    const at = [x * scale, y * scale];
    if (Math.hypot(at[0] - last[0], at[1] - last[1]) < 0.9 * size * Math.min(text.length, 2)) continue;
    last = at;
    ink.textAlign = anchor === "middle" ? "center" : anchor;
    ink.fillText(text, at[0], at[1]);
  }
  ink.textAlign = "center";
  for (const [name, x, y] of board.panels) {
    if (!name) continue;
    ink.textAlign = "left";
    ink.fillText(`level ${name}`, x * scale, (y - 0.6 * board.label_size) * scale);
  }
  if (cell < 14) return;
  ink.textAlign = "center";
  ink.font = `${Math.max(0.22 * cell, 8)}px system-ui, sans-serif`;
  ink.globalAlpha = 0.75;
  for (const [place, dx, dy, name] of board.beyond) {
    const [x, y] = view.at(place);
    ink.fillText(name, x + 0.68 * dx * scale, y + 0.68 * dy * scale);
  }
  ink.globalAlpha = 1;
}

/**
 * The names of rows and columns at the edges of what one sees of an enlarged board; those of the ground are out of sight.
 * @param {CanvasRenderingContext2D} ink
 * @param {Board} board
 * @param {import("./flat.js").Flat} view
 * @param {Record<string, string>} colours
 */
export function rulers(ink, { labels, panels }, { window, scale, cell }, colours) {
  const [rows, columns] = [labels.filter(([, , , anchor]) => anchor === "end"), labels.filter(([, , , anchor]) => anchor === "middle")];
  if (window === null || panels.length !== 1 || rows.length < 2 || columns.length < 2 || cell < 14 || !rows.every(([, , text]) => /^\d+$/.test(text))) return;
  const [left, top, right, bottom] = window;
  const [[, x, y, wide, high]] = panels;
  const size = Math.min(15, 0.5 * cell);
  ink.font = `${size}px system-ui, sans-serif`;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  const side = 0.62 * size * Math.max(...rows.map(([, , text]) => text.length)) + 8;
  ink.fillStyle = colours.hole;
  ink.globalAlpha = 0.92;
  ink.fillRect(left, top, side, bottom - top);
  ink.fillRect(left, bottom - 1.5 * size, right - left, 1.5 * size);
  ink.globalAlpha = 1;
  ink.fillStyle = colours.label;
  for (let i = 0, many = Math.round(high / UNIT); i < many; i++) {
    const at = y * scale + (i + 0.5) * cell;
    if (at > top && at < bottom - 1.7 * size) ink.fillText(String(many - i), left + side / 2, at);
  }
  for (let j = 0; j < Math.round(wide / UNIT); j++) {
    const at = x * scale + (j + 0.5) * cell;
    if (at > left + side && at < right) ink.fillText(fileName(j), at, bottom - 0.75 * size);
  }
}

/**
 * Cells that are smaller than a point of the screen.
 * @param {CanvasRenderingContext2D} ink
 * @param {Board} board
 * @param {View} view
 * @param {string[]} fills
 * @param {Uint8Array} hole
 */
function dust(ink, board, view, fills, hole) {
  const { width, height } = ink.canvas;
  const { a: dense, e: right, f: down } = ink.getTransform();
  const picture = ink.createImageData(width, height);
  const points = new Uint32Array(picture.data.buffer);
  const shades = fills.map((fill) => {
    const [red, green, blue] = [1, 3, 5].map((i) => Number.parseInt(fill.slice(i, i + 2), 16));
    return (255 << 24) | (blue << 16) | (green << 8) | red;
  });
  for (let place = 0; place < hole.length; place++) {
    if (hole[place] || !view.visible(place)) continue;
    const [x, y] = view.at(place);
    const column = Math.floor(x * dense + right);
    if (column >= 0 && column < width) points[Math.floor(y * dense + down) * width + column] = shades[board.shade[place]];
  }
  ink.putImageData(picture, 0, 0);
}

/**
 * The moves of a path, from one number of visited cells to another.
 * @param {CanvasRenderingContext2D} ink
 * @param {Scene} scene
 * @param {View} view
 * @param {Record<string, string>} colours
 * @param {number} from
 * @param {number} to
 * @param {(a: number, b: number) => boolean} [shown] which moves, if not all
 * @param {number} [thin]
 */
export function path(ink, scene, view, colours, from, to, shown, thin = 1) {
  const cells = scene.cells ?? [];
  const n = cells.length;
  if (!n || scene.line === false) return;
  const moves = scene.closed ? n : n - 1;
  const whole = Math.min(Math.floor(to), n);
  const last = to >= n ? moves : whole - 1;
  ink.lineCap = "round";
  ink.lineJoin = "round";
  ink.lineWidth = thin * Math.min(Math.max(view.cell * 0.08, 0.6), 5);
  const begin = Math.max(0, Math.floor(from) - 1);
  if (view.cell < DUST) {
    for (let k = begin; k < whole; k++) {
      if (k === begin || k % Math.ceil(n / BUCKETS) === 0) ink.fillStyle = ramp(k / n);
      if (!view.visible(cells[k])) continue;
      const [x, y] = view.at(cells[k]);
      ink.fillRect(x - 0.5, y - 0.5, 1, 1);
    }
    return;
  }
  const size = scene.colours ? Math.max(1, Math.ceil(moves / BUCKETS)) : Math.max(moves, 1);
  for (let start = begin; start < last; start = (Math.floor(start / size) + 1) * size) {
    ink.strokeStyle = scene.colours ? ramp(start / moves) : colours.path;
    ink.beginPath();
    let [ex, ey] = [NaN, NaN];
    for (let k = start; k < Math.min(last, (Math.floor(start / size) + 1) * size); k++) {
      if (!view.crosses(cells[k], cells[(k + 1) % n]) || (shown && !shown(cells[k], cells[(k + 1) % n]))) continue;
      for (const [x, y, u, v] of view.segments(cells[k], cells[(k + 1) % n])) {
        if (x !== ex || y !== ey) ink.moveTo(x, y);
        ink.lineTo(u, v);
        [ex, ey] = [u, v];
      }
    }
    ink.stroke();
  }
  const part = to - whole;
  if (part > 0 && whole >= 1 && whole < n && (!shown || shown(cells[whole - 1], cells[whole]))) {
    ink.strokeStyle = scene.colours ? ramp(whole / moves) : colours.path;
    const segments = view.segments(cells[whole - 1], cells[whole]);
    const halves = segments.length > 1 ? [segments[part < 0.5 ? 0 : 1]] : segments;
    for (const [x, y, u, v] of halves) {
      ink.beginPath();
      ink.moveTo(x, y);
      ink.lineTo(x + (u - x) * part, y + (v - y) * part);
      ink.stroke();
    }
  }
}

/**
 * The numbers, or dots, of the cells that are visited.
 * @param {CanvasRenderingContext2D} ink
 * @param {Scene} scene
 * @param {View} view
 * @param {Record<string, string>} colours
 */
export function visited(ink, scene, view, colours) {
  const cells = scene.cells ?? [];
  const upto = Math.min(Math.floor(scene.upto ?? cells.length), cells.length);
  if (!upto) return;
  const cell = view.cell;
  if (scene.numbers && cell >= 13) {
    const longest = String(cells.length).length;
    ink.font = `500 ${Math.min(0.34, 0.9 / Math.max(longest, 2)) * cell}px system-ui, sans-serif`;
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    for (let k = 0; k < upto; k++) {
      if (!view.visible(cells[k])) continue;
      const [x, y] = view.at(cells[k]);
      const fill = scene.colours ? ramp(k / cells.length) : k === 0 ? colours.path : colours.paper;
      disc(ink, x, y, 0.31 * cell, fill, scene.colours ? fill : colours.path, cell * 0.03);
      ink.fillStyle = scene.colours ? (k / cells.length < 0.55 ? "#fff" : "#111") : k === 0 ? colours["path-ink"] : colours.ink;
      ink.fillText(String(k + 1), x, y + 0.02 * cell);
    }
    return;
  }
  if (cell >= 8) {
    for (let k = 0; k < upto; k++) {
      if (!view.visible(cells[k])) continue;
      const [x, y] = view.at(cells[k]);
      disc(ink, x, y, 0.1 * cell, scene.colours ? ramp(k / cells.length) : colours.path);
    }
  }
  const radius = Math.max(0.22 * cell, 3);
  const [x, y] = view.at(cells[0]);
  disc(ink, x, y, radius, colours.paper, colours.path, 0.4 * radius);
  if (upto === cells.length && !scene.closed) {
    const [u, v] = view.at(cells[upto - 1]);
    disc(ink, u, v, radius, colours.path, colours.paper, 0.3 * radius);
  }
}

/**
 * @param {CanvasRenderingContext2D} ink
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} fill
 * @param {string} [stroke]
 * @param {number} [width]
 */
function disc(ink, x, y, radius, fill, stroke, width = 1) {
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  if (fill) {
    ink.fillStyle = fill;
    ink.fill();
  }
  if (stroke) {
    ink.strokeStyle = stroke;
    ink.lineWidth = width;
    ink.stroke();
  }
}

/**
 * Lines between cells: moves that are wanted, forbidden, forced, excluded or looked at.
 * @param {CanvasRenderingContext2D} ink
 * @param {[number, number, string][]} lines
 * @param {View} view
 * @param {Record<string, string>} colours
 */
export function lines(ink, lines, view, colours) {
  for (const [a, b, kind] of lines) {
    const dashed = kind === "out" || kind === "avoid" || kind === "drag";
    ink.strokeStyle = colours[kind === "moves" ? "named" : kind === "drag" ? "option" : kind] ?? colours.ink;
    ink.lineWidth = Math.max(1, view.cell * (kind === "out" ? 0.05 : 0.1));
    ink.setLineDash(dashed ? [view.cell * 0.14, view.cell * 0.14] : []);
    for (const [x, y, u, v] of view.segments(a, b)) {
      ink.beginPath();
      ink.moveTo(x, y);
      ink.lineTo(u, v);
      ink.stroke();
      if (kind === "avoid") cross(ink, (x + u) / 2, (y + v) / 2, 0.14 * view.cell);
    }
  }
  ink.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} ink
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function cross(ink, x, y, size) {
  ink.setLineDash([]);
  ink.beginPath();
  ink.moveTo(x - size, y - size);
  ink.lineTo(x + size, y + size);
  ink.moveTo(x - size, y + size);
  ink.lineTo(x + size, y - size);
  ink.stroke();
}

/**
 * The signs on cells. Each has a shape of its own, so that colour is not all that tells them apart.
 * @param {CanvasRenderingContext2D} ink
 * @param {Mark[]} marks
 * @param {View} view
 * @param {Record<string, string>} colours
 */
export function marks(ink, marks, view, colours) {
  const cell = view.cell;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  for (const { cell: place, kind, text } of marks) {
    if (!view.visible(place)) continue;
    const [x, y] = view.at(place);
    const colour = colours[kind] ?? colours.ink;
    if (kind === "named") {
      ink.fillStyle = colour;
      ink.fillRect(x - 0.27 * cell, y - 0.27 * cell, 0.54 * cell, 0.54 * cell);
    } else if (kind === "lifted") { // a gap in the board
      outline(ink, view.polygon(place));
      ink.fillStyle = colours.hole;
      ink.fill();
      ink.strokeStyle = colours.named;
      ink.lineWidth = 0.05 * cell;
      ink.setLineDash([cell / 10, cell / 10]);
      const r = 0.36 * cell;
      outline(ink, [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]]);
      ink.stroke();
      ink.setLineDash([]);
    } else if (kind === "knight") {
      ink.fillStyle = colours.ink;
      ink.font = `${0.8 * cell}px "Noto Sans Symbols2", "DejaVu Sans", sans-serif`;
      ink.fillText(text ?? "", x, y + 0.04 * cell);
      continue;
    } else if (kind === "written" || kind === "pencil") { // a bare number, or small ones in a corner
      const large = kind === "written";
      ink.fillStyle = large ? colours.ink : colours.label;
      ink.font = `600 ${Math.max((large ? Math.min(0.44, 1.1 / Math.max(2, (text ?? "").length)) : 0.2) * cell, 7)}px system-ui, sans-serif`;
      ink.fillText(text ?? "", x, large ? y + 0.02 * cell : y - 0.27 * cell);
      continue;
    } else if (kind === "selected") {
      outline(ink, view.polygon(place).map(([u, v]) => [x + 0.9 * (u - x), y + 0.9 * (v - y)]));
      ink.strokeStyle = colours.path;
      ink.lineWidth = 0.07 * cell;
      ink.stroke();
      continue;
    } else if (kind === "mistake") {
      disc(ink, x + 0.33 * cell, y - 0.33 * cell, Math.max(0.15 * cell, 4), colours.named, colours.paper, 0.03 * cell);
      ink.fillStyle = colours.paper;
      ink.font = `700 ${0.24 * cell}px system-ui, sans-serif`;
      ink.fillText("!", x + 0.33 * cell, y - 0.32 * cell);
      continue;
    } else if (kind === "beside") {
      disc(ink, x, y, 0.27 * cell, colour);
    } else if (kind === "option" || kind === "chosen") { // a small number in a corner, unlike any step
      if (kind === "chosen") disc(ink, x, y, 0.4 * cell, "", colours.option, 0.07 * cell);
      const [u, v] = [x + 0.22 * cell, y + 0.22 * cell];
      disc(ink, u, v, Math.max(0.17 * cell, 3), colours.option);
      if (text && cell >= 16) {
        ink.fillStyle = colours.paper;
        ink.font = `600 ${(text.length > 1 ? 0.2 : 0.25) * cell}px system-ui, sans-serif`;
        ink.fillText(text, u, v + 0.01 * cell);
      }
      continue;
    } else if (kind === "counted") {
      disc(ink, x, y, 0.3 * cell, "", colours.ink, 0.07 * cell);
    } else if (kind === "start" || kind === "end") {
      disc(ink, x, y, 0.3 * cell, kind === "end" ? colours.start : colours.paper, colours.start, 0.08 * cell);
    } else if (kind === "piece") {
      disc(ink, x, y, 0.36 * cell, colours.path, colours.paper, 0.05 * cell);
    } else if (kind === "unvisited") {
      ink.strokeStyle = colours.named;
      ink.lineWidth = 0.06 * cell;
      cross(ink, x, y, 0.2 * cell);
    } else if (kind === "given") {
      ink.fillStyle = colours.ink;
      ink.fillRect(x - 0.36 * cell, y - 0.36 * cell, 0.72 * cell, 0.72 * cell);
    } else {
      disc(ink, x, y, 0.27 * cell, colour);
    }
    if (text && cell >= 11) {
      const over = kind === "piece" ? colours["path-ink"] : kind === "start" ? colours.ink : colours.paper;
      ink.fillStyle = kind === "counted" ? colours.ink : over;
      ink.font = `600 ${Math.min(0.36, 0.9 / Math.max(2, text.length)) * cell}px system-ui, "Noto Sans Symbols2", sans-serif`;
      ink.fillText(text, x, y + 0.02 * cell);
    }
  }
}
