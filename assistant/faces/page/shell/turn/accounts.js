// The accounts of nations, sides and the game: each with what it holds and the next level that it may reach. A tap opens it: what may be
// entered, what has been posted, what may be corrected.

import { button, h } from "../common/dom.js";
import { capital, named, sideOf, titleOf, trackOf } from "../common/words.js";
import { correctEntry } from "./entries.js";
import { entering, eventForm, eventsOf } from "./events.js";
import { titled } from "../parts/stating.js";
import { ruleButton } from "../parts/working.js";

const HOLDERS = ["nation", "side"];

/** The accounts in sight. changed(said): told what an entry has changed. */
export function accounts(app, changed) {
  const { table, words } = app.state;
  const stated = (table.powers ?? []).filter(({ track }) => trackOf(words, track)?.kind === "integer");
  const levels = words.books?.levels ?? [];
  const holders = [...words.sides, ...words.sides.flatMap(({ nations }) => nations)];
  const rows = holders.map(({ id, title }) => {
    const known = new Map(stated.filter(({ subject }) => subject === id).map(({ track, value }) => [track, Number(value)]));
    const hasLevels = ({ name }) => levels.some(({ account, who }) => account === name && who === id);
    const isEntered = (track) => hasLevels(track) || eventsOf(words, id, track.name).length > 0;
    const all = words.tracks.filter((track) => track.kind === "integer" && HOLDERS.includes(track.on) && (known.has(track.name) || hasLevels(track)));
    return { id, title, tracks: [...all.filter(isEntered), ...all.filter((track) => !isEntered(track))], known };
  });
  const [kept, others] = [rows.filter(({ tracks }) => tracks.length), rows.filter(({ id, tracks }) => !tracks.length && eventsOf(words, id).length)];
  const ofGame = eventsOf(words, "").length > 0;
  if (!kept.length && !others.length && !ofGame) return null;
  return h("section", { key: "accounts", class: "accounts", "aria-label": "Accounts" },
    h("h2", null, words.books ? "Accounts" : "Points and accounts"),
    kept.map(({ id, title, tracks, known }) =>
      h("section", { key: id, class: "holder" },
        h("h3", { style: { "--own": sideOf(words, id)?.strong ?? words.sides.find(({ nations }) => nations.some((nation) => nation.id === id))?.strong ?? "currentcolor" } }, title),
        h("div", { class: "holds" },
          tracks.map((track) => account(app, id, track, known.get(track.name) ?? 0, changed)),
          eventsOf(words, id).length ? button({ key: "event", class: "quiet-button", "aria-label": `Something else happened to ${title}`, onclick: () => openEvents(app, id, changed) }, "Something else …") : null))),
    others.length || ofGame
      ? h("div", { key: "others", class: "chips", role: "group", "aria-label": "Others" },
          others.map(({ id, title }) => button({ key: id, class: "chip", onclick: () => openEvents(app, id, changed) }, title)),
          ofGame ? button({ key: "game", class: "chip", onclick: () => openEvents(app, "", changed) }, "The whole game") : null)
      : null);
}

function account(app, who, track, amount, changed) {
  const next = (app.state.words.books?.levels ?? []).find((level) => level.account === track.name && level.who === who && level.at > amount);
  return button({ key: track.name, class: "account", onclick: () => openAccount(app, who, track, changed) },
    h("span", null, titled(track)), h("b", null, String(amount)), next && h("small", null, `${next.at - amount} to ${next.title}`));
}

/** Open an account. */
function openAccount(app, who, track, changed) {
  const { state } = app;
  const events = eventsOf(state.words, who, track.name);
  const { enter, fault } = entering(app, { changed, again: () => again() });
  const amount = { typed: null };
  let shown = null;
  const again = app.sheet(`${titleOf(state.words, who)}: ${titled(track)}`, (close) => [
    shown && shown.is === "account" && h("p", { key: "now", class: "account-now" }, h("b", null, String(shown.holds)),
      shown.levels.map(([title, at, since]) => h("small", { key: title }, since ? `${title} since ${since}` : `${title} at ${at}: ${at - shown.holds} to go`))),
    fault(close),
    events.length ? eventForm(app, who, events, (line) => enter(line, close), { first: true }) : correctAmount(track, who, amount, shown, (line) => enter(line, close)),
    shown && (shown.is === "account" ? postings(app, shown.rows, changed) : h("p", { key: "fault" }, shown.what)),
    h("div", { key: "means", class: "row" }, button({ class: "quiet-button", onclick: () => app.meaning(track.name) }, "What it means")),
  ]);
  app.about({ do: "account", account: track.name, who }).then((answer) => { shown = answer; again(); }, () => null);
}

/** The form in which the amount of an account is stated, where the game has no events for it. amount: what has been `typed` in it,
 * which stays when `shown`, what the account holds, comes later. */
const correctAmount = (track, who, amount, shown, enter) =>
  h("form", { key: "amount", class: "row", onsubmit: (event) => { event.preventDefault(); enter(`${track.on} ${named(who)} ${track.name}=${event.target.elements.amount.value}`); } },
    h("label", null, capital(titled(track)), h("input", { name: "amount", class: "search", type: "number", inputmode: "numeric", required: true, min: track.least, max: track.most, value: amount.typed ?? shown?.holds, oninput: (event) => { amount.typed = event.target.value; } })),
    button({ type: "submit", class: "main-button" }, "State it"));

/** What has been posted, the latest first; what an entry has posted may be corrected. */
function postings(app, rows, changed) {
  const entries = new Map(app.state.table.viewpoint ? [] : app.state.table.entries.map((entry) => [entry.number, entry]));
  if (!rows.length) return h("p", { key: "rows", class: "faint" }, "Nothing has been posted yet.");
  return h("section", { key: "rows" },
    h("h3", null, "What was posted"),
    h("ul", { class: "postings" }, rows.toReversed().map(({ turn, amount, holds, entry, rule, what }, number) =>
      h("li", { key: number },
        h("span", { class: "turn" }, turn), h("b", null, amount > 0 ? `+${amount}` : String(amount)), h("span", { class: "what" }, what, h("small", null, `makes ${holds}`)),
        entries.has(entry) ? button({ class: "quiet-button", onclick: () => correctEntry(app, entries.get(entry), changed) }, "Correct") : rule ? ruleButton(rule, app.meaning) : null))));
}

/** Open everything that may happen to a nation, a side or the game (""). */
function openEvents(app, who, changed) {
  const { enter, fault } = entering(app, { changed, again: () => again() });
  const again = app.sheet(who ? titleOf(app.state.words, who) : "The whole game", (close) => [
    fault(close),
    eventsOf(app.state.words, who).map((one) => h("details", { key: one.event.word, class: "part" }, h("summary", null, h("span", null, capital(one.event.title))), eventForm(app, who, [one], (line) => enter(line, close), { headed: false }))),
  ]);
}
