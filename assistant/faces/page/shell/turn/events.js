// The events of a game that keeps books, as forms: what happened to a nation, a side or the game, with its amount and its kind.

import { button, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { capital, named, sideOf, spoken } from "../common/words.js";
import { ruleButton } from "../parts/working.js";

const GAME = "game"; // who the game is in a line

/** What may be entered of a nation, a side or the game (""): each event with its kinds, one without a name for the event itself. account:
 * only what changes it, "" for all. */
export function eventsOf(words, who, account = "") {
  const on = who ? (sideOf(words, who) ? "side" : "nation") : GAME;
  const happens = ({ only }) => !only.length || only.includes(who);
  const changes = ({ accounts }) => !account || accounts.includes(account);
  return (words.books?.events ?? [])
    .filter((event) => event.on === on && happens(event))
    .map((event) => ({ event, kinds: [...(event.needs_kind ? [] : [{ name: "", title: "", accounts: event.accounts }]), ...event.kinds.filter(happens)].filter(changes) }))
    .filter(({ kinds }) => kinds.length);
}

/** What a line has changed, without the line itself. */
export const consequences = (said) => said.slice(1).map((text) => text.trim()).filter(Boolean);

/** Enters lines from a sheet: `enter(line)`, which closes the sheet, and `fault(close)`, why the last one was refused. changed(said): told
 * once one is entered; again(): draws the sheet anew. */
export function entering(app, { changed, again }) {
  let refused = null;
  const enter = async (line, close) => {
    const table = await app.enter(line);
    refused = isEntered(table) ? null : { line, ...table.refused };
    if (refused) return again();
    close();
    changed(table.said);
  };
  const fault = (close) =>
    refused?.what && h("div", { key: "fault", class: "refused-here", role: "alert" }, h("strong", null, capital(refused.what)), h("p", null, capital(refused.hint)),
      /`force`/.test(refused.hint) && button({ class: "quiet-button", onclick: () => enter(`force ${refused.line}`, close) }, "The players agree: enter it"));
  return { enter, fault };
}

/** A form for an event: a button for each of its kinds. first: whether the sheet opens at its field; headed: whether it
 * has its title. */
export function eventForm(app, who, { event, kinds }, enter, { first = false, headed = true } = {}) {
  const { word, title, rule, least, most, usual, unit } = event;
  const units = unit ? app.state.words.units.filter(({ nation, side }) => !who || nation === who || side === who) : [];
  const submit = (form, kind) => {
    if (!form.reportValidity()) return;
    const given = (name) => form.elements[name]?.value.trim() ?? "";
    enter([who || GAME, word, given("amount"), kind.name, given("unit") && named(given("unit")), given("note")].filter(Boolean).join(" "));
  };
  const alone = kinds.length === 1;
  return h("form", { key: word, class: "event", onsubmit: (event) => { event.preventDefault(); if (alone) submit(event.target, kinds[0]); } },
    (headed || rule) && h("h3", null, headed && capital(title), rule && ruleButton(rule, app.meaning)),
    h("div", { class: "row" },
      least !== null && h("label", null, "How many", h("input", { name: "amount", class: "search", autofocus: first, type: "number", inputmode: "numeric", min: least, max: most, step: 1, required: usual === null, placeholder: usual })),
      unit && h("label", null, "Unit", h("input", { name: "unit", class: "search", required: true, autocomplete: "off", list: `units-${word}` }), h("datalist", { id: `units-${word}` }, units.map(({ id }) => h("option", { key: id, value: id })))),
      h("label", { class: "note" }, "Note", h("input", { name: "note", class: "search", autocomplete: "off", maxlength: 80, placeholder: "if you like" }))),
    h("div", { class: "row" },
      kinds.map((kind) => h("button", { key: kind.name, type: alone ? "submit" : "button", class: alone || !kind.name ? "main-button" : "quiet-button", onclick: alone ? null : (event) => submit(event.currentTarget.form, kind) }, kind.name ? capital(kind.title || spoken(kind.name)) : "Enter it"))));
}
