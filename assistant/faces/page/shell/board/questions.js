// Questions that take a hex or a unit, and an answer on the sheet with its picture.

import { button, h } from "../common/dom.js";
import { capital, spoken } from "../common/words.js";
import { picture } from "../parts/picture.js";
import { isRefusal, reasons, reasonsOf } from "../parts/reasons.js";
import { trustChips } from "../parts/trust.js";
import { working } from "../parts/working.js";

const FIRST = 4; // questions that have a button at once
let last = ""; // the picture that was shown last

/** The questions that can be asked with nothing but a hex, or a unit, each with the parameter that takes it, but for those that the map shows:
 * those whose answers are drawn first. takes: "hex" or "unit". */
export function askable(words, takes) {
  const found = words.questions.flatMap((question) => {
    if (question.name === words.combat || words.also.includes(question.name) || words.layers.some((layer) => layer.question === question.name)) return [];
    const needed = question.parameters.filter((parameter) => parameter.needed);
    const [parameter] = needed.length ? needed : question.parameters; // its subject, if it needs none
    return needed.length <= 1 && parameter?.takes === takes ? [{ question, parameter }] : [];
  });
  const late = ({ question, parameter }) => (!question.drawn.includes("picture") ? 3 : parameter.needed ? 1 : 2);
  return found.sort((one, other) => late(one) - late(other));
}

/** Buttons for the questions about a hex or a unit; those after the first few in a list, with what they answer. lay(asked): lays an answer on the
 * map. */
export function questions(app, takes, value, lay) {
  const found = askable(app.state.words, takes);
  const ask = ({ question, parameter }) => () => answer(app, { question: question.name, parameters: { [parameter.name]: value } }, lay);
  if (!found.length) return null;
  const many = found.length > FIRST + 1 ? FIRST : found.length;
  const [first, more] = [found.slice(0, many), found.slice(many)];
  return [
    h("h3", null, "Ask about it"),
    h("div", { class: "card-actions" }, first.map((one) => button({ key: one.question.name, title: one.question.title, onclick: ask(one) }, capital(spoken(one.question.name))))),
    more.length
      ? h("details", { key: "more" }, h("summary", null, `${more.length} more questions`),
          h("ul", { class: "choices" }, more.map((one) => h("li", { key: one.question.name }, button({ onclick: ask(one) }, h("strong", null, capital(spoken(one.question.name))), h("small", null, one.question.title))))))
      : null,
  ];
}

/** Open the sheet with the answer to a question: its verdict, its picture, its working. lay(asked): lays it on the map. */
export async function answer(app, asked, lay) {
  let told = null, drawing = "", large = false;
  const flip = () => {
    large = !large;
    again();
  };
  const again = app.sheet(capital(spoken(asked.question)), (close) => (told ? contents(told, drawing && picture(drawing, told.answers.join("; "), large, flip), app, (more = {}) => (close(), app.open("ask", { question: asked.question, values: { ...asked.parameters, ...more }, now: true })), () => (close(), lay(asked))) : h("p", { role: "status" }, "…")));
  told = await app.about({ do: "ask", ...asked }).catch(() => ({ is: "refused", what: "the table cannot be reached now" }));
  again();
  if (!told.drawn?.includes("picture")) return;
  const drawn = await app.about({ do: "draw", what: "picture", ...asked }).catch(() => null);
  if (drawn?.is !== "drawn") return;
  URL.revokeObjectURL(last);
  drawing = last = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }));
  again();
}

function contents(told, drawn, app, goOn, lay) {
  if (told.is === "refused") return [h("p", { class: "refused" }, told.what), told.hint && h("p", null, told.hint)];
  return [
    h("p", { class: "verdict" }, told.title),
    !isRefusal(told) && told.answers.map((text) => h("p", { class: "verdict" }, h("strong", null, text))),
    trustChips(told.rests_on, app),
    reasons(told, app, ({ name, value }) => goOn({ [name]: value })),
    told.asks.length ? [h("h3", null, "Still needed"), h("ul", null, told.asks.map((ask) => h("li", null, ask.title, ask.how && h("small", null, ` ${ask.how}`)))), button({ class: "quiet-button", onclick: () => goOn() }, "Answer it under Ask")] : null,
    told.drawn.includes("picture") && h("div", { class: "row" }, button({ class: "quiet-button", onclick: lay }, "Show on the map")),
    drawn,
    working({ ...told, parts: told.parts.slice(reasonsOf(told).length) }, app.meaning),
  ];
}
