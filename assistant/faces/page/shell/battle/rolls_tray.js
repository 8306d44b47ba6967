// What is due: dice, choices, what is missing; then the result.

import { button, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { colourOf, groundOf, nameOf, trackOf, usualOf, valuesOf } from "../common/words.js";
import { asked } from "../parts/dice.js";
import { owned } from "../parts/working.js";
import { keepCarriedOut, notedLine } from "./result.js";

/** What nobody has stated and a battle often turns on, each a tap away. */
function reminders(battle, now) {
  const { table, words } = battle.state;
  const less = trackOf(words, words.less);
  const fighting = new Set([now.target, ...now.around.filter(({ attacks }) => attacks).map(({ hex }) => hex)]);
  const worn = table.units.some((unit) => fighting.has(unit.place) && unit.facts.some(({ track }) => track === words.less));
  const unsaid = groundOf(words).filter(
    (track) => !valuesOf(track).length && !now.ground.some((fact) => fact.track === track.name),
  );
  const some = [
    less && !worn && { text: `${less.title}: none`, go: { mode: "units", focus: now.target } },
    ...unsaid.map((track) => ({
      text: `${track.title}: ${track.silent}`,
      go: { mode: "units", focus: now.target, ground: true },
    })),
    ...now.parameters
      .filter(({ name, value }) => !value && usualOf(words, name).length)
      .map(({ name }) => ({ text: `${nameOf(words, name)}: ${usualOf(words, name)[0]}`, go: { mode: "options" } })),
  ].filter(Boolean);
  return (
    some.length > 0 &&
    h(
      "details",
      { key: "reminders", class: "part" },
      h("summary", null, h("b", null, "Before the dice"), h("span", { class: "brief" }, some.map(({ text }) => text).join("; "))),
      h(
        "div",
        { class: "chips" },
        some.map(({ text, go }) => button({ key: text, class: "chip", onclick: () => battle.change({ unit: "", ...go }) }, text)),
      ),
    )
  );
}

/** What is due: dice, a choice, what is missing, or the result. laid: the rolls that lie on the page. */
export function rollsTray(battle, now, laid) {
  const { app, local } = battle;
  const { table } = battle.state;
  const answer = table.answer;
  const isFirst = table.pending?.kind === "roll" && answer.chains.length < 2; // no dice lie yet
  const chances = answer.parts.flatMap((part) => part.steps).filter((step) => step.bars.length);
  return h(
    "div",
    { class: "rolls" },
    isFirst && reminders(battle, now),
    asked(table, {
      laid,
      given: local.given,
      local: local.rolls,
      change: (rolls) => battle.change({ rolls }),
      answer: (name, value, thrown) => battle.answer(name, value, thrown),
      enter: (line) => app.enter(line),
      app,
    }),
    !table.pending && answer.changes.length
      ? h(
          "section",
          { class: "changes", "data-due": "carry out" },
          h("h2", null, "What changes"),
          h(
            "ul",
            { class: "plain-list" },
            answer.changes.map((text, number) => h("li", { key: number }, text)),
          ),
          notedLine(answer.noted),
          h("div", { class: "row" }, button({ class: "main-button", onclick: () => carryOut(battle) }, "Carry out")),
        )
      : null,
    !table.pending && !answer.changes.length && h("p", null, answer.answers.join(" / ")),
    chances.length
      ? h(
          "details",
          { key: "chances", class: "part", open: true },
          h("summary", null, h("b", null, "Chances")),
          chances.map((step, number) => h("div", { key: number }, h("p", null, step.text), owned(step, colourOf(battle.state)))),
        )
      : null,
  );
}

/** Carry the result out, and show the list of what changes. */
async function carryOut(battle) {
  const { app } = battle;
  const { answer } = battle.state.table;
  const table = await app.enter("done");
  if (!isEntered(table)) return;
  keepCarriedOut(table.table, answer);
  battle.turn("");
  battle.change({});
  app.top();
}
