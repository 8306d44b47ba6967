// What is asked for next: dice as big buttons, choices, a fact or a cell of a chart.

import { button, h } from "../common/dom.js";
import { card } from "./cards.js";
import { missing } from "./missing.js";
import { rose } from "./rose.js";
import { keep, kept } from "../common/storage.js";
import { named, spoken } from "../common/words.js";
import { ruleButton } from "./working.js";

/** The rolls that are asked for now. */
function openRolls({ pending, answer }) {
  if (pending?.kind !== "roll") return [];
  const rolls = (answer?.asks ?? []).filter(({ kind }) => kind === "roll");
  return rolls.some(({ name }) => name === pending.name) ? rolls : [pending];
}

/** The rolls that lie on the page: those that are asked for now and, until the last of them has been thrown, those that were
 * asked for with them, so that none takes another one's place under a finger. before: those that lay there. */
export function laidOut(before, table) {
  const open = openRolls(table);
  const of = (some, name) => some.find((roll) => roll.name === name);
  if (!before.some(({ name }) => of(open, name))) return open;
  return [...before.map((roll) => of(open, roll.name) ?? roll), ...open.filter(({ name }) => !of(before, name))];
}

/** A word for what is asked for, which changes when other buttons take the place of its own. */
export function shapeOf(due, laid) {
  if (!due) return "";
  if (due.kind === "roll") return laid.map(({ name }) => name).join(" ");
  return due.options.length ? due.name : due.kind;
}

/** All rolls that are asked for now, or the one thing that is due. laid: the rolls on the page, as of `laidOut`; given: what was
 * thrown, by name; local: what has been tapped so far, by name; change(local); answer(name, value, options): gives an answer;
 * enter(line); app: as page.js has it. */
export function asked(table, { laid = [], given = {}, local, change, answer, enter, app }) {
  const due = table.pending;
  if (!due) return null;
  if (due.kind === "roll") {
    const open = openRolls(table);
    const thrown = (name) => (open.some((roll) => roll.name === name) ? null : (given[name] ?? ""));
    return (laid.length ? laid : open).map((roll) => rollBox(roll, { was: thrown(roll.name), local, change, answer, app }));
  }
  if (due.kind === "choice") return choiceBox(due, table, answer, app);
  return missing(due, { typed: local[due.name], put: (text) => change({ ...local, [due.name]: text }), enter, app });
}

function heading({ title, rule, modifiers = {} }, app) {
  return [
    h("h2", null, title, rule && [" ", ruleButton(rule, app.meaning)]),
    Object.entries(modifiers).flatMap(([label, some]) => some.map((text) => h("p", { key: `${label}${text}`, class: "drm" }, h("b", null, label), ` ${text}`))),
  ];
}

/** A roll. was: what it was, as it was entered, "" if that was elsewhere; null while it is open. */
function rollBox(roll, { was, local, change, answer, app }) {
  const [dice, sides] = roll.dice;
  const isOpen = was === null;
  const faces = (was ?? "").split("+").map(Number);
  const each = dice > 1 && kept("dice") === "each" && (isOpen || faces.length === dice);
  const thrown = isOpen ? (local[roll.name] ?? []) : faces;
  const give = (value) => answer(roll.name, value);
  const tapDie = (number, value) => {
    const now = Object.assign([...thrown], { [number]: value });
    if (now.filter(Boolean).length === dice) {
      change({ ...local, [roll.name]: [] });
      give(now.join("+"));
    } else change({ ...local, [roll.name]: now });
  };
  const totals = Array.from({ length: dice * (sides - 1) + 1 }, (_, step) => step + dice);
  const digit = (value, rest) => button({ key: value, class: "die", disabled: !isOpen, ...rest }, value);
  return h("section", { key: roll.name, class: "ask roll", "aria-label": roll.title, "data-due": isOpen && roll.name },
    heading(roll, app),
    each
      ? Array.from({ length: dice }, (_, number) =>
          h("div", { key: number, class: "dice", role: "group", "aria-label": `die ${number + 1} of ${dice}` }, Array.from({ length: sides }, (_, side) => digit(side + 1, { pressed: thrown[number] === side + 1, onclick: () => tapDie(number, side + 1) }))))
      : h("div", { class: "dice", role: "group", "aria-label": dice > 1 ? `total of ${dice} dice` : "die" }, totals.map((total) => digit(total, { pressed: isOpen ? undefined : total === sum(faces), onclick: () => give(String(total)) }))),
    h("div", { class: "row" },
      h("span", { class: "faint" }, `${dice}d${sides}`),
      dice > 1 && button({ class: "quiet-button", disabled: !isOpen, onclick: () => { keep("dice", each ? "total" : "each"); change({ ...local }); } }, each ? "by their total" : "die by die"),
      button({ class: "quiet-button", disabled: !isOpen, onclick: () => { const { seed, faces } = throwDice(dice, sides); answer(roll.name, faces.join("+"), { seed }); } }, "Throw for me"),
    ),
  );
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** Throw dice from a fresh seed, which says afterwards that nobody chose them: the same seed gives the same dice. */
export function throwDice(dice, sides, seed = crypto.getRandomValues(new Uint32Array(1))[0]) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed: seed.toString(16).padStart(8, "0"), faces: Array.from({ length: dice }, () => 1 + Math.floor(next() * sides)) };
}

function choiceBox(ask, table, answer, app) {
  const { words } = app.state;
  const units = new Map(table.units.map((unit) => [unit.id, unit]));
  const give = (option) => answer(ask.name, named(option));
  const remark = (option) => [ask.remarks[option], option === ask.usual && "usual"].filter(Boolean).join("; ");
  const onMap = ask.hexes && ask.start;
  return h("section", { key: ask.name, class: "ask choice", "aria-label": ask.title, "data-due": `${ask.name} ${table.entry}` },
    heading(ask, app),
    onMap
      ? rose({
          label: ask.title,
          centre: { hex: ask.start, contents: [h("b", null, ask.start), ask.units.map((id) => units.get(id) && card(words, units.get(id), { small: true }))] },
          around: ask.options.map((option) => ({ hex: option, angle: ask.angles[option], tone: "open", press: () => give(option), contents: [h("b", null, option), remark(option) && h("small", null, remark(option))] })),
        })
      : h("div", { class: "options" },
          ask.options.map((option) => {
            const shown = option.split(",").map((id) => units.get(id));
            return button({ key: option, class: "option", onclick: () => give(option) },
              shown.every(Boolean) ? h("span", { class: "stack" }, shown.map((unit) => card(words, unit, { small: true }))) : h("b", null, spoken(option)),
              remark(option) && h("small", null, remark(option)));
          })),
  );
}
