// The numbers of a puzzle as words of its question, and back.

import { EMPTY } from "./words.js";

/**
 * Whether the numbers of a puzzle are the order of their cells, not steps. A Zip with two numbers has only its ends and walls.
 * @param {Question} question
 */
export function isOrdered({ through, open, start, end, at, avoid, piece }) {
  return through.length > 0 || (open && piece === "0,1" && start !== "" && end !== "" && !at.length && avoid.length > 0);
}

/**
 * The numbers of a puzzle by their cells: steps, or the order of the cells.
 * @param {Question} question
 * @param {string[]} names of the cells
 * @param {number} size the number of cells that a tour visits
 * @returns {Map<number, number>}
 */
export function givenNumbers(question, names, size) {
  const { start, end, open, at, through } = question;
  const place = (/** @type {string} */ text) => names.indexOf(text);
  if (isOrdered(question)) return new Map([start, ...through, end].filter(Boolean).map((text, i) => [place(text), i + 1]));
  const given = new Map(at.map((one) => one.split("=")).map(([step, text]) => [place(text), Number(step)]));
  if (given.size && start) given.set(place(start), 1);
  if (given.size && open && end) given.set(place(end), size);
  return given;
}

/**
 * A question with the numbers of a puzzle.
 * @param {Question} question
 * @param {[number, string][]} numbers
 * @param {number} size
 */
export function withNumbers(question, numbers, size) {
  const called = (/** @type {number} */ step) => numbers.find(([one]) => one === step)?.[1] ?? "";
  const inner = numbers.filter(([step]) => step > 1 && !(question.open && step === size));
  return { ...question, start: called(1), end: question.open ? called(size) : "", at: inner.map(([step, cell]) => `${step}=${cell}`) };
}

/** The question of a puzzle without its numbers. @param {Question} question @returns {Question} */
export function unnumbered(question) {
  if (isOrdered(question)) return { ...EMPTY, board: question.board, open: question.open };
  return question.at.length ? { ...question, start: "", end: "", at: [] } : question;
}
