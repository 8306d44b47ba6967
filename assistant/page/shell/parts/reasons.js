// What stands in the way of what is not allowed, said at once; where the phase does, it can be set there.

import { button, h } from "../common/dom.js";
import { trackOf } from "../common/words.js";
import { chooseFact } from "./stating.js";
import { steps } from "./working.js";

const PHASE = "phase"; // the track of the phase, as every game has it that counts phases

/** The parts of an answer that say why something is not allowed: the first of a "no", else none. */
export const reasonsOf = (answer) => (answer.kind === "no" ? answer.parts.slice(0, 1) : []);

/** Them, unfolded. app: as page.js has it. */
export function reasons(answer, app) {
  const phase = trackOf(app.state.words, PHASE);
  const now = app.state.table.moment.find(({ track }) => track === PHASE)?.value ?? "";
  return reasonsOf(answer).map((part) =>
    h("section", { key: `why ${part.title}`, class: "reasons" },
      h("h3", null, part.title),
      steps(part.steps, app.meaning),
      phase && part.steps.some(({ text }) => /\bphases?\b/i.test(text)) && h("div", { class: "row" }, button({ class: "quiet-button", onclick: () => chooseFact(app, phase, { now }) }, "Set the phase"))));
}
