// What stands in the way of what is not allowed, said first, with what would make it possible as a button; where the phase does, it can
// be set there.

import { button, h } from "../common/dom.js";
import { capital, trackOf } from "../common/words.js";
import { chooseFact } from "./stating.js";
import { ruleButton, steps } from "./working.js";

const PHASE = "phase"; // the track of the phase, as every game has it that counts phases

/** Whether an answer says that something is not allowed. */
export const isRefusal = ({ kind, headline }) => kind === "no" && Boolean(headline);

/** The parts of an answer that say why something is not allowed or not so: the first of a "no", else none. */
export const reasonsOf = (answer) => (answer.kind === "no" ? answer.parts.slice(0, 1) : []);

/** What heads an answer: the reason of a refusal, or what is missing, with its rule in front; null for another answer. */
export const headline = ({ headline: head }, app) => (head ? [head.rule && ruleButton(head.rule, app.meaning), h("b", null, capital(head.text))] : null);

/** What would make it possible, each as a button. take(remedy): chooses it, by default for the question that is open at the table. */
export const remedies = (answer, app, take = ({ line }) => app.enter(line)) =>
  answer.remedies.length > 0 && h("div", { key: "remedies", class: "row" }, answer.remedies.map((remedy) => button({ key: remedy.line, class: "main-button", onclick: () => take(remedy) }, capital(remedy.words))));

const found = new Map(); // phases in which a refused combat is allowed, by the table's last entry and the question

/** A button to the phase in which a combat is allowed that is refused because of the present one, if there is one: asked for once an entry,
 * and drawn with what is drawn anew then. */
export function towardsPhase(answer, app) {
  const { table, words } = app.state;
  const isOfPhase = answer.question === words.combat && isRefusal(answer) && trackOf(words, PHASE) && /\bphases?\b/i.test(answer.headline.text);
  if (!isOfPhase) return null;
  const request = { do: "phase-for", question: answer.question, parameters: answer.values };
  const key = JSON.stringify([table.table, table.entry, request]);
  if (!found.has(key)) {
    found.set(key, null);
    app.about(request).then((phase) => {
      found.set(key, phase);
      if (app.state.table === table) app.state.tell("table", table);
    }, () => found.delete(key));
  }
  const { title, line } = found.get(key) ?? {};
  return title ? h("div", { key: "phase", class: "row" }, button({ class: "main-button", onclick: () => app.enter(line) }, `Go to the phase ${title}`)) : null;
}

/** All reasons, unfolded, the first of a refusal as its headline. app: as page.js has it; take: as of `remedies`. */
export function reasons(answer, app, take) {
  const phase = trackOf(app.state.words, PHASE);
  const now = app.state.table.moment.find(({ track }) => track === PHASE)?.value ?? "";
  return reasonsOf(answer).map((part) =>
    h("section", { key: `why ${part.title}`, class: "reasons", "data-due": isRefusal(answer) && answer.headline.text },
      isRefusal(answer) ? h("p", { class: "headline" }, headline(answer, app)) : h("h3", null, part.title),
      steps(isRefusal(answer) ? part.steps.slice(1) : part.steps, app.meaning),
      remedies(answer, app, take),
      towardsPhase(answer, app),
      phase && part.steps.some(({ text }) => /\bphases?\b/i.test(text)) && h("div", { class: "row" }, button({ class: "quiet-button", onclick: () => chooseFact(app, phase, { now }) }, "Set the phase"))));
}
