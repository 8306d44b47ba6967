// The fields of a form, drawn from what a question says of its parameters: nothing here knows a question by name.

import { card, told } from "../parts/cards.js";
import { button, h } from "../common/dom.js";
import { places } from "../parts/places.js";
import { capital, spoken, titleOf } from "../common/words.js";

const FEW = 16; // counters that are offered at once
const APART = /[,\s]+/;

/** The fields of a question. parameters: as the words list them; values: what is chosen, as it is typed, by name;
 * set(name, value): "" takes it out; search: what is typed to find a counter, by name; find(name, text); explain(name, meaning). */
export function fields({ words, table, parameters, values, set, search, find, explain }) {
  const field = (one) => row(one, values[one.name] ?? "", { words, table, set, search: search[one.name] ?? "", find, explain });
  const [first, more] = [parameters.filter(({ needed }) => needed), parameters.filter(({ needed }) => !needed)];
  const open = first.length === 0 && more.length <= 3;
  return [
    first.map(field),
    open
      ? more.map(field)
      : more.length
        ? h("details", { key: "more", class: "further", open: more.some(({ name }) => values[name]) || null }, h("summary", null, first.length ? "Optional details" : "Limit the question"), more.map(field))
        : null,
  ];
}

/** Whether everything that a question needs is chosen. */
export const isWhole = (parameters, values) => parameters.every(({ name, needed }) => !needed || values[name]);

function row(one, value, at) {
  const id = `field-${one.name}`;
  return h("div", { key: one.name, class: `form-field takes-${one.takes}`, "data-name": one.name },
    h("div", { class: "head" },
      h(isTyped(one) ? "label" : "span", { class: "name", ...(isTyped(one) ? { for: id } : { id: `${id}-label` }) }, capital(first(one.meaning)), one.needed && h("span", { class: "needed" }, " needed")),
      first(one.meaning) !== one.meaning && button({ class: "what", "aria-label": `More about: ${first(one.meaning)}`, onclick: () => at.explain(one.name, one.meaning) }, "?"),
    ),
    control(one, value, id, at),
  );
}

const isTyped = ({ takes, words }) => ["number", "hex", "text"].includes(takes) && !words.length;

/** The first clause of a meaning. */
const first = (meaning) => meaning.split(/[;(]|: /, 1)[0].trim();

function control(one, value, id, at) {
  const { set } = at;
  if (one.takes === "flag") return segments(one, value, id, [["yes", "yes"], ["no", "no"]], set);
  if (one.takes === "unit") return units(one, value, id, at);
  if (one.words.length) return segments(one, value, id, one.words.map((word) => [word, titleOf(at.words, word)]), set);
  const numeric = one.takes === "hex" || one.takes === "number";
  const typed = h("input", {
    id,
    type: "text",
    class: "search",
    inputmode: numeric && !one.many ? "decimal" : null,
    autocomplete: "off",
    autocapitalize: "off",
    value,
    oninput: (event) => set(one.name, tidy(one, event.target.value)),
  });
  if (one.takes !== "hex") return typed;
  const chosen = value.split(APART).filter(Boolean);
  return [typed, places(at.words, at.table, { chosen, press: (place) => set(one.name, toggled(one, chosen, place).join(",")) })];
}

/** What is typed as a line has it: several hexes with commas between. */
const tidy = ({ takes, many }, text) => (takes === "hex" && many ? text.trim().split(APART).filter(Boolean).join(",") : text.trim());

const toggled = ({ many }, chosen, one) => (chosen.includes(one) ? chosen.filter((other) => other !== one) : many ? [...chosen, one] : [one]);

function segments(one, value, id, options, set) {
  const chosen = value ? value.split(",") : [];
  return h("div", { class: options.length > 5 ? "chips" : "segments", role: "group", "aria-labelledby": `${id}-label` },
    options.map(([word, title]) => button({ key: word, class: options.length > 5 ? "chip" : "", pressed: chosen.includes(word), onclick: () => set(one.name, toggled(one, chosen, word).join(",")) }, title)),
  );
}

/** Counters to choose from: those on the table that have what is typed in their name, their hex or their nation. */
function units(one, value, id, { words, table, set, search, find }) {
  const chosen = split(value);
  const wanted = search.toLowerCase();
  const has = (unit) => [unit.id, unit.place, unit.nation, unit.arm].some((text) => (text ?? "").toLowerCase().includes(wanted));
  const on = table.units.filter((unit) => unit.place);
  if (chosen.length && !one.many && !search) {
    const [unit] = table.units.filter(({ id: name }) => name === chosen[0]);
    if (unit) return h("div", { class: "offered", role: "group", "aria-labelledby": `${id}-label` }, counter(unit, { words, chosen, press: () => set(one.name, "") }), h("span", { class: "faint" }, "tap it to choose another"));
  }
  const offered = [...table.units.filter(({ id: name }) => chosen.includes(name)), ...on.filter((unit) => !chosen.includes(unit.id) && has(unit))];
  const more = offered.length - FEW;
  return [
    on.length > 8 && h("input", { id: `${id}-find`, type: "search", class: "search", placeholder: "name or hex", "aria-label": "Find a counter by its name or hex", value: search, oninput: (event) => find(one.name, event.target.value.trim()) }),
    table.units.length
      ? h("div", { class: "offered", role: "group", "aria-labelledby": `${id}-label` },
          offered.slice(0, FEW).map((unit) => counter(unit, { words, chosen, press: () => set(one.name, joined(toggled(one, chosen, unit.id))) })),
          more > 0 && h("span", { class: "faint" }, `and ${more} more`),
        )
      : h("p", { class: "faint" }, "No counter is on the table yet."),
  ];
}

const counter = (unit, { words, chosen, press }) =>
  button({ key: unit.id, class: "card", title: told(words, unit), pressed: chosen.includes(unit.id), onclick: press }, card(words, unit), h("small", null, unit.place ?? "off"));

/** Names of units in one value, and the value of some: names may have spaces, none has a comma. */
const split = (value) => value.split(",").filter(Boolean);
const joined = (names) => names.join(",");
