// The units of the table and of the roster as cards, found by number pad or by corps and army.

import { button, h, heard } from "../common/dom.js";
import { card, told } from "./cards.js";
import { pad, typed } from "./pad.js";
import { named, nationOf, usualOf, valuesOf } from "../common/words.js";

const SHOWN = 30; // cards at a time

/** All units that may be stacked: those on the table with what is known of them, then the rest of the roster. */
export function unitsOf(words, table) {
  const there = new Map(table.units.map((unit) => [unit.id, unit]));
  const groups = new Map(words.units.map((unit) => [unit.id, unit.groups]));
  return [...table.units.map((unit) => ({ ...unit, groups: groups.get(unit.id) ?? [] })), ...words.units.filter((unit) => !there.has(unit.id))];
}

/** A name as it is compared: without capitals, accents and spaces. */
const folded = (text) => text.normalize("NFD").replace(/[\p{M}\s]/gu, "").toLocaleLowerCase();

/** Those that a search finds, the nearest first: by name, by corps or army, by the beginning of the name or of a part of it; units on
 * the table before others. */
export function found(units, text, side, fighting) {
  const wanted = folded(text);
  const rank = (unit) => {
    const id = folded(unit.id);
    if (!wanted) return 0;
    if (id === wanted) return 0;
    if (unit.groups.some((name) => folded(name) === wanted) || (/^\W/.test(wanted) && id.endsWith(wanted))) return 1;
    if (id.startsWith(wanted)) return 2;
    if (unit.id.split(/[^\p{L}\p{N}]+/u).some((part) => folded(part).startsWith(wanted))) return 3;
    return id.includes(wanted) ? 4 : -1;
  };
  return units
    .map((unit, order) => ({ unit, order, rank: rank(unit) + (side && unit.side && unit.side !== side ? 5 : 0), fits: rank(unit) >= 0 }))
    .filter(({ fits }) => fits)
    .sort((one, other) => one.rank - other.rank || Number(fighting.has(one.unit.place)) - Number(fighting.has(other.unit.place)) || one.order - other.order)
    .map(({ unit }) => unit);
}

/** The signs other than letters and figures that names of units have most often. */
export function signsIn(units) {
  const counts = new Map();
  for (const { id } of units) for (const sign of id.replace(/[\p{L}\p{N}\s]/gu, "")) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const [most] = [...counts].sort((one, other) => other[1] - one[1]);
  return most && most[1] > 2 ? [most[0]] : [];
}

/** The finder: a field with its pad, groups, cards. search: { text, group }; change(search); pick(unit); create(name):
 * begins a unit that is not in the roster; side: whose units come first; fighting: the hexes of the
 * battle, whose units come last. */
export function finder({ words, table, search, change, pick, create, side, here, fighting }) {
  const all = unitsOf(words, table).filter((unit) => !here || unit.place !== here);
  const groups = [...new Set(all.filter((unit) => !side || unit.side === side).map((unit) => unit.groups[0]).filter(Boolean))];
  const within = search.group ? all.filter((unit) => unit.groups[0] === search.group) : all;
  const units = found(within, search.text, side, fighting).slice(0, SHOWN);
  const exact = unitsOf(words, table).some(({ id }) => folded(id) === folded(search.text));
  return h("div", { class: "finder" },
    h("div", { class: "row" },
      h("input", { key: "field", class: "search", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", inputmode: search.letters ? "text" : "none", "aria-label": "Find a unit", placeholder: words.units.length ? `Find a unit: ${words.units[0].id}` : "Find a unit", value: search.text, oninput: (event) => change({ ...search, text: event.target.value }), onkeydown: (event) => event.key === "Enter" && search.text && (units.length ? pick(units[0]) : create(search.text.trim())) }),
      button({ class: "quiet-button", pressed: Boolean(search.letters), onclick: (event) => { change({ ...search, letters: !search.letters }); event.currentTarget.parentElement.querySelector("input").focus(); } }, "Letters"),
      search.text && button({ class: "quiet-button", "aria-label": "Clear", onclick: () => change({ ...search, text: "" }) }, "×"),
    ),
    h("div", { class: "cards scrolled", role: "group", "aria-label": "Units", "data-due": `units for ${here}` },
      units.map((unit) => button({ key: unit.id, class: "card", onclick: () => pick(unit) }, card(words, unit), heard(told(words, unit)), unit.place && h("small", null, unit.place))),
      search.text && !exact ? button({ key: "new", class: "card new", onclick: () => create(search.text.trim()) }, h("b", null, search.text), h("small", null, "new unit")) : null,
      units.length ? null : !search.text && h("p", { class: "faint" }, "Type the name of a unit."),
    ),
    groups.length > 1 && !search.text
      ? h("div", { class: "chips scrolled", role: "group", "aria-label": "Armies" }, groups.map((group) => button({ key: group, class: "chip", pressed: group === search.group, onclick: () => change({ ...search, group: group === search.group ? "" : group }) }, group)))
      : null,
    pad((key) => change({ ...search, text: typed(search.text, key) }), { more: signsIn(all), label: "the name of a unit" }),
  );
}

/** The facts that an unknown unit usually has, by track. */
export const usualIdentity = (words) => Object.fromEntries(words.identity.map((name) => [name, usualOf(words, name)[0] ?? ""]));

/** A form for a unit that the roster lacks. draft: { name, facts }; change(draft); place(draft), undefined
 * where the form of its figures places it. */
export function newUnit({ words, draft, change, place }) {
  const lists = words.identity.filter((name) => name !== "nation").map((name) => words.tracks.find((track) => track.name === name)).filter(Boolean);
  const nations = words.sides.flatMap((side) => side.nations);
  const set = (name, value) => change({ ...draft, facts: { ...draft.facts, [name]: value } });
  return h("div", { class: "new-unit", "data-due": place && draft.name },
    h("p", null, h("b", null, draft.name), " is in no roster. What is it?"),
    h("div", { class: "chips", role: "group", "aria-label": "Nation" }, nations.map(({ id, title }) => button({ key: id, class: "chip", pressed: draft.facts.nation === id, onclick: () => set("nation", id) }, title))),
    lists.map((track) => h("div", { key: track.name, class: "chips", role: "group", "aria-label": track.title }, valuesOf(track).map((value) => button({ key: value, class: "chip", pressed: draft.facts[track.name] === value, onclick: () => set(track.name, value) }, value)))),
    place && h("div", { class: "row" }, button({ class: "main-button", disabled: nations.length > 0 && !draft.facts.nation, onclick: () => place(draft) }, "Place it")),
  );
}

/** A unit as a line places it: with what it is, where the roster only has that as an example. */
export const placed = ({ id, states }) => [states, named(id)].filter(Boolean).join(" ");

/** Which nation a new unit has: that of its neighbours in the stack, or the only one of its side; "" where it must be said. */
export function likelyNation(words, table, hex, side) {
  const there = table.units.find((unit) => unit.place === hex);
  const nations = words.sides.find(({ id }) => id === side)?.nations ?? [];
  return (there && nationOf(words, there.nation)?.id) ?? (nations.length === 1 ? nations[0].id : "");
}
