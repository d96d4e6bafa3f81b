// Ask: is there a tour, is there none, how many are there?

import { byId, choices, chosen, make } from "./dom.js";
import { t } from "./texts.js";
import { EMPTY } from "./words.js";

/** @param {App} app @returns {Part} */
export function askPart(app) {
  const { state, choices: { fields: words } } = app;
  const [seconds, seed] = ["seconds", "seed"].map((id) => byId(id, HTMLInputElement));
  const symmetry = byId("symmetry", HTMLSelectElement, ({ value }) => state.change({ symmetry: value }));
  const count = byId("count", HTMLElement);
  const find = byId("ask-tour", HTMLButtonElement, () => ask("tour"));
  byId("ask-prove", HTMLButtonElement, () => ask("prove"));
  byId("ask-count", HTMLButtonElement, () => ask("count"));
  chosen("open", (value) => state.change(value === "open" ? { open: true } : { open: false, end: "" }));
  app.again.set("prove", () => void ask("prove", true));
  app.again.set("count", () => void ask("count", true));
  /** Fields of words whose values need no board, as the vocabulary lists them. */
  const fields = words.map(({ key, values, needs }) => {
    const field = values.length ? make("select", { name: key }) : make("input", { type: "number", min: 1, name: key });
    field.addEventListener("change", () => {
      const value = values.length ? field.value : Number(field.value);
      const without = words.filter((other) => !value && other.needs === key).map((other) => [other.key, EMPTY[other.key]]);
      void state.change({ [key]: value, ...Object.fromEntries(without) });
    });
    byId("round", HTMLElement).append(make("label", { class: "field" }, make("span", {}, t(`field.${key}`)), field));
    return { key, values, needs, field };
  });

  /**
   * @param {"tour" | "prove" | "count"} what
   * @param {boolean} [again] the address asks, and says which part is shown
   */
  const ask = async (what, again = false) => {
    count.textContent = "";
    if (what === "tour" && state.tour) seed.valueAsNumber = (seed.valueAsNumber || 0) + 1;
    const answer = await app.work({ ask: what, seconds: seconds.valueAsNumber || 60, seed: seed.valueAsNumber || 0 }, t(`doing.${what}`));
    if (answer === null) return;
    if (!again && what !== "count" && !["ask", "watch"].includes(app.part?.id ?? "")) app.open("ask");
    if (what === "count") {
      count.textContent = answer.count ? BigInt(answer.count).toLocaleString("en") : "";
      app.tell(answer, "counted");
      state.found(state.tour, "count");
      return;
    }
    app.show(answer, answer.cells ? "" : "prove");
    if (!again && answer.story && app.part?.id === "ask") app.open("why");
  };

  /** With a tour on the board the next one is another. */
  const shown = () => {
    find.textContent = t(state.tour ? "ask.another" : "ask.tour");
  };

  return {
    id: "ask",
    answered: shown,
    changed() {
      shown();
      const { question, board } = state;
      byId(question.open ? "open" : "closed", HTMLInputElement).checked = true;
      count.textContent = "";
      const names = board?.symmetries ?? [];
      choices(symmetry, [["", t("ask.no-symmetry")], ...names.map((name) => /** @type {[string, string]} */ ([name, t(`symmetry.${name}`)]))], question.symmetry);
      symmetry.disabled = !names.length;
      for (const { key, values, needs, field } of fields) {
        if (field instanceof HTMLSelectElement) choices(field, [["", t("ask.any")], ...values.map((value) => /** @type {[string, string]} */ ([value, t(`field.${value}`)]))], String(question[key]));
        else field.value = String(question[key] || "");
        field.disabled = needs !== "" && !question[needs];
      }
    },
    /** In the first seconds, what the page is. */
    status: () => (app.demo && app.player.walk === app.demo ? [t("welcome") + (app.player.playing ? "" : ` ${t("welcome.turn")}`), ""] : null),
    /** Before there is a tour, the piece stands on the board, and a click begins a walk. */
    scene() {
      const shown = app.player.scene();
      if (shown.cells || !state.board?.names) return shown;
      const at = [state.question.start, "b1", ...state.board.names].map((name) => state.board?.names?.indexOf(name) ?? -1);
      return { piece: at.find((one) => one >= 0 && !state.board?.holes.includes(one)) ?? 0 };
    },
    touch(touch) {
      if (state.tour) {
        if (touch.kind !== "over") jump(app, touch.to);
      } else if (touch.kind === "press" || touch.kind === "key") {
        app.open("walk", false);
        app.part?.touch?.(touch);
      }
    },
  };
}

/** Go to the step that visits a cell. @param {App} app @param {number} place */
export function jump(app, place) {
  const step = app.player.walk?.cells.indexOf(place) ?? -1;
  if (step >= 0) app.player.go(step + 1);
}
