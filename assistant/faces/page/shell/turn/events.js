// The events of a game that keeps books, as forms: what happened to a nation, a side or the game, with its amount and its kind.

import { button, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { capital, named, sideOf, titleOf, trackOf } from "../common/words.js";
import { titled } from "../parts/stating.js";
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

/** A form for events of one holder, as `eventsOf` has them, which share its fields: a button for each kind of each. first: whether the sheet
 * opens at its field; headed: whether events have their titles. */
export function eventForm(app, who, some, enter, { first = false, headed = true } = {}) {
  const { words } = app.state;
  const amounts = some.filter(({ event }) => event.least !== null);
  const units = some.some(({ event }) => event.unit) && words.units.filter(({ nation, side }) => !who || nation === who || side === who);
  const alone = some.length === 1 && some[0].kinds.length === 1;
  const called = ({ name, title }) => capital(title || titled(trackOf(words, name)) || titleOf(words, name));
  const submit = (form, { word, least, most, usual }, kind) => {
    const { amount, unit, note } = form.elements;
    if (amount) Object.assign(amount, { min: least ?? "", max: most, required: least !== null && usual === null });
    if (!form.reportValidity()) return;
    const number = least !== null && amount.value;
    enter([who || GAME, word, number, kind.name, unit && named(unit.value.trim()), note.value.trim()].filter(Boolean).join(" "));
  };
  return h("form", { key: some[0].event.word, class: "event", onsubmit: (pressed) => { pressed.preventDefault(); if (alone) submit(pressed.target, some[0].event, some[0].kinds[0]); } },
    h("div", { class: "row" },
      amounts.length > 0 && h("label", null, "How many", h("input", { name: "amount", class: "search", autofocus: first, type: "number", inputmode: "numeric", placeholder: amounts[0].event.usual })),
      units && h("label", null, "Unit", h("input", { name: "unit", class: "search", required: true, autocomplete: "off", list: "event-units" }), h("datalist", { id: "event-units" }, units.map(({ id }) => h("option", { key: id, value: id })))),
      h("label", { class: "note" }, "Note", h("input", { name: "note", class: "search", autocomplete: "off", maxlength: 80, placeholder: "if you like" }))),
    some.map(({ event, kinds }) => [
      (headed || event.rule) && h("h3", { key: event.word }, headed && capital(event.title), event.rule && ruleButton(event.rule, app.meaning)),
      h("div", { key: `${event.word} kinds`, class: "row" },
        kinds.map((kind) => h("button", { key: kind.name, type: alone ? "submit" : "button", class: kind.name ? "quiet-button" : "main-button", onclick: alone ? null : (tapped) => submit(tapped.currentTarget.form, event, kind) }, kind.name ? called(kind) : "Enter it"))),
    ]));
}
