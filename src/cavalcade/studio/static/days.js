// The puzzle of the day: today's, those of the days before, how many days in a row are solved, and a card to share.

import { daily } from "./daily.js";
import { byId, handed, make } from "./dom.js";
import { kept } from "./memory.js";
import { t } from "./texts.js";

const CARD = [1080, 1200]; // pixels of the picture to share
const MARGIN = 60;

/** A day as in 2026-05-17. @param {Date} date */
const written = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((one) => String(one).padStart(2, "0")).join("-");

/** The day before. @param {string} date */
function before(date) {
  const [year, month, day] = date.split("-").map(Number);
  return written(new Date(year, month - 1, day - 1));
}

/**
 * How many days in a row are solved, up to today or yesterday.
 * @param {Record<string, unknown>} solved by days
 * @param {string} today
 */
export function streak(solved, today) {
  let day = today in solved ? today : before(today);
  let days = 0;
  for (; day in solved; day = before(day)) days++;
  return days;
}

/**
 * The fields of the puzzle of the day.
 * @param {App} app
 * @param {() => string} time that a solution took
 */
export function dayFields(app, time) {
  const { state } = app;
  const day = byId("day", HTMLInputElement, ({ value }) => open(value));
  const today = () => open(written(new Date()));
  byId("daily", HTMLButtonElement, today);

  /** @param {string} date */
  const open = async (date) => {
    if (!date) return;
    const { question, grade } = await daily(date);
    state.walk = [];
    app.fold(false);
    await state.change(question, [], `day ${date}`);
    app.tell(t(question.open ? "day.open" : "day.closed", { date, board: question.board, grade: t(`grade.${grade}`) }), "found");
  };

  const changed = () => {
    const today = written(new Date());
    const solved = kept("days") ?? {};
    const [, date = today] = state.then.split(" ");
    day.max = today;
    day.value = date;
    const days = streak(solved, today);
    const { length } = Object.keys(solved);
    byId("streak", HTMLElement).textContent = [solved[date] && t("day.solved", { time: solved[date] }), days > 1 && t("day.streak", { days }), length > 0 && t("day.total", { puzzles: t("n.daily-puzzle", { n: length }) })].filter(Boolean).join(" ");
  };

  app.again.set("day", () => void today()); // the address #then=day&part=walk
  return {
    changed,

    /** A puzzle is solved: the first time counts. @param {string} date */
    solved(date) {
      kept("days", { [date]: time(), ...kept("days") });
      changed();
    },

    /** A picture of the board with the result, for the share menu of the system or as a file. @param {string} text */
    async card(text) {
      const canvas = make("canvas", { width: CARD[0], height: CARD[1] });
      const ink = canvas.getContext("2d");
      if (ink === null) return;
      const { style, layers } = app.stage;
      ink.fillStyle = style.paper || "#ffffff";
      ink.fillRect(0, 0, canvas.width, canvas.height);
      const { width, height } = layers[0];
      const scale = (canvas.width - 2 * MARGIN) / Math.max(width, height);
      for (const layer of layers) ink.drawImage(layer, (canvas.width - width * scale) / 2, MARGIN, width * scale, height * scale);
      ink.fillStyle = style.digits;
      ink.textAlign = "center";
      const [title, result] = text.split("\n")[0].split(": ");
      ink.font = "600 44px system-ui, sans-serif";
      ink.fillText(title, canvas.width / 2, canvas.height - 110, canvas.width - 2 * MARGIN);
      ink.font = "36px system-ui, sans-serif";
      ink.fillText(result, canvas.width / 2, canvas.height - 50, canvas.width - 2 * MARGIN);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
      if (!(blob instanceof Blob)) return;
      const file = new File([blob], "knights-tour.png", { type: blob.type });
      if (navigator.canShare?.({ files: [file] })) return void navigator.share({ files: [file], text }).catch(() => {});
      handed(file);
    },
  };
}
