// Ask: is there a tour, is there none, how many are there?

import { button, byId, choices, labelled, make, ticked } from "./dom.js";
import { t } from "./texts.js";
import { EMPTY, FIELDS } from "./words.js";

/** @param {App} app @returns {Part} */
export function askPart(app) {
  const { state } = app;
  const closed = make("input", { type: "radio", name: "kind", change: () => void state.change({ open: false, end: "" }) });
  const open = make("input", { type: "radio", name: "kind", change: () => void state.change({ open: true }) });
  const symmetry = make("select", { change: () => void state.change({ symmetry: symmetry.value }) });
  const seconds = make("input", { type: "number", min: 1, max: 3600, value: 60 });
  const seed = make("input", { type: "number", min: 0, max: 999999999, value: 0 });
  const count = make("output", { class: "count" });
  const find = byId("ask-tour", HTMLButtonElement);
  app.again.set("prove", () => void ask("prove", t("doing.prove"), true));
  app.again.set("count", () => void ask("count", t("doing.count"), true));
  find.addEventListener("click", () => void ask("tour", t("doing.tour")));
  /** Fields of words whose values need no board, as the vocabulary lists them. */
  const fields = FIELDS.map(({ key, values, needs }) => {
    const field = values.length ? make("select", { name: key }) : make("input", { type: "number", min: 1, name: key });
    field.addEventListener("change", () => {
      const value = values.length ? field.value : Number(field.value);
      const without = FIELDS.filter((other) => !value && other.needs === key).map((other) => [other.key, EMPTY[other.key]]);
      void state.change({ [key]: value, ...Object.fromEntries(without) });
    });
    return { key, values, needs, field };
  });

  /**
   * @param {"tour" | "prove" | "count"} what
   * @param {string} doing
   * @param {boolean} [again] the address asks, and says which part is shown
   */
  const ask = async (what, doing, again = false) => {
    count.textContent = "";
    if (what === "tour" && state.tour) seed.valueAsNumber = (seed.valueAsNumber || 0) + 1;
    const words = { ask: what, seconds: seconds.valueAsNumber || 60, seed: seed.valueAsNumber || 0 };
    const answer = await app.work(words, doing);
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

  /** The tour that draws itself, until something is done. */
  const demo = () => (state.past.length || state.future.length || state.tour ? null : app.demo);

  /** With a tour on the board the next one is another. */
  const shown = () => {
    find.textContent = t(state.tour ? "ask.another" : "ask.tour");
  };

  return {
    id: "ask",
    build(root) {
      root.append(
        make("fieldset", {}, make("legend", {}, t("ask.which")), ticked(t("ask.closed"), closed), ticked(t("ask.open"), open), labelled(t("ask.symmetry"), symmetry)),
        make("details", {}, make("summary", {}, t("ask.round")), ...fields.map(({ key, field }) => labelled(t(`field.${key}`), field))),
        make("div", { class: "buttons" },
          button(t("ask.prove"), () => void ask("prove", t("doing.prove")), { id: "ask-prove" }),
          button(t("ask.count"), () => void ask("count", t("doing.count")), { id: "ask-count" })),
        count,
        make("p", { class: "hint" }, t("ask.checked")),
        make("details", {}, make("summary", {}, t("ask.limits")),
          make("div", { class: "row" }, labelled(t("ask.seconds"), seconds), labelled(t("ask.seed"), seed))),
      );
    },
    answered: shown,
    changed() {
      shown();
      const { question, board } = state;
      closed.checked = !question.open;
      open.checked = question.open;
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
    enter: () => void demo()?.begin(),
    leave: () => demo()?.end(),
    status: () => demo()?.status() ?? null,
    /** Before there is a tour, the piece stands on the board, and a click begins a walk. */
    scene() {
      const shown = demo()?.scene() ?? app.player.scene();
      if (shown.cells || !state.board?.names) return shown;
      const at = [state.question.start, "b1", ...state.board.names].map((name) => state.board?.names?.indexOf(name) ?? -1);
      return { piece: at.find((one) => one >= 0 && !state.board?.holes.includes(one)) ?? 0 };
    },
    touch(touch) {
      if (app.player.walk) {
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
