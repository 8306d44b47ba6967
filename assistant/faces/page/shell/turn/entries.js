// What has been entered, the latest first: an entry that is tapped may be corrected or struck out. And a line as it is typed at the table
// prompt, with the same help.

import { button, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { capital } from "../common/words.js";
import { entering } from "./events.js";

const SHOWN = 6; // entries in sight; the sheet has the others

/** An entry as a player says it: `phase weather` for `fact phase=weather`. */
const inWords = (text) => text.replace(/^fact /, "").replace(/(?<=[\w-])=(?=\S)/g, " ");

const isQuestion = ({ text }) => /^asked\b/.test(text); // it only opens or closes a question

/** The last entries. changed(said): told what a correction has changed. */
export function entries(app, changed) {
  const { entries, viewpoint } = app.state.table;
  const all = entries.filter((entry) => !isQuestion(entry));
  if (!all.length) return null;
  const row = (entry) => {
    const told = [h("small", null, entry.turn), h("span", null, inWords(entry.text))];
    return h("li", { key: entry.number, class: entry.struck ? "struck" : "" }, viewpoint || entry.struck ? h("p", null, told) : button({ onclick: () => correctEntry(app, entry, changed) }, told));
  };
  return h("section", { key: "entries", class: "entries", "aria-label": "Entered" },
    h("h2", null, "Entered"),
    h("ul", { class: "plain-list" }, all.slice(0, SHOWN).map(row)),
    all.length > SHOWN ? h("div", { class: "row" }, button({ class: "quiet-button", onclick: () => app.sheet("Entered", () => h("ul", { class: "plain-list entries" }, all.map(row))) }, "Earlier ones")) : null);
}

/** Open an entry, to be corrected or struck out. */
export function correctEntry(app, { number, turn, text, amount, amends }, changed) {
  const { enter, fault } = entering(app, { changed, again: () => again() });
  const amend = (event, close) => {
    event.preventDefault();
    enter(`amend ${number} ${event.target.elements.now.value.trim()}`, close);
  };
  const form = (key, title, field, close) => h("form", { key, class: "row", onsubmit: (event) => amend(event, close) }, h("label", { class: "note" }, title, h("input", { name: "now", class: "search", required: true, autocomplete: "off", ...field })), button({ type: "submit", class: "main-button" }, "Correct"));
  const again = app.sheet(`Entry ${number}, ${turn}`, (close) => [
    h("p", { key: "text" }, h("b", null, inWords(text))),
    fault(close),
    amount !== null && form("amount", "The right amount", { type: "number", inputmode: "numeric", min: 0, value: amount, autofocus: true, onfocus: (event) => event.target.select() }, close),
    amends && form("words", "All of it, as it is typed", { type: "text", autocapitalize: "off", spellcheck: "false", value: text }, close),
    h("div", { key: "strike", class: "row" }, button({ class: "quiet-button", onclick: () => enter(`strike ${number}`, close) }, "Strike it out")),
  ]);
}

/** A line to be typed. `draw()` describes it; told(said): what a line that is entered has changed; again(): draws the panel anew. */
export function typedLine(app, { told, again }) {
  let said = [];
  const enter = async (line) => {
    const table = await app.enter(line);
    said = table.refused ? [] : (table.said ?? []);
    if (isEntered(table)) told(table);
    again();
    return isEntered(table);
  };
  const submit = async (event) => {
    event.preventDefault();
    const field = event.target.elements.line;
    if (field.value.trim() && (await enter(field.value.trim()))) field.value = "";
  };
  return () =>
    h("section", { key: "typed", class: "typed-line", "aria-label": "Type a line" },
      h("h2", null, "Type a line"),
      h("form", { class: "row", onsubmit: submit },
        h("input", { name: "line", class: "search", "aria-label": "A line as at the table prompt", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "such as help" }),
        button({ type: "submit", class: "main-button" }, "Enter"),
        button({ class: "quiet-button", onclick: () => enter("help") }, "Help")),
      h("div", { key: "said", class: "told", role: "status" }, said.length ? h("ul", { class: "plain-list" }, said.filter(Boolean).map((text, number) => h("li", { key: number }, answer(text, enter)))) : null));
}

/** A line of the answer: a page of help is a button that opens it. */
function answer(text, enter) {
  const [, typed, meaning = ""] = text.match(/^\s+(\S.*?)(?:\s{2,}(.*))?$/) ?? [];
  if (!typed || !meaning) return text;
  return [/^help [a-z]/.test(typed) ? button({ class: "quiet-button", onclick: () => enter(typed) }, typed) : h("code", null, typed), " ", capital(meaning)];
}
