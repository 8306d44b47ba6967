// Questions that take a hex or a unit, and an answer on the sheet with its picture.

import { button, h } from "./dom.js";

/** The questions that can be asked with nothing but a hex, or a unit, each with the parameter that takes it. takes: "hex" or "unit". */
export function askable(words, takes) {
  return words.questions.flatMap((question) => {
    if (question.name === words.combat || words.also.includes(question.name)) return [];
    const needed = question.parameters.filter((parameter) => parameter.needed);
    const fitting = (needed.length ? needed : question.parameters).filter((parameter) => parameter.takes === takes);
    return needed.length <= 1 && fitting.length ? [{ question, parameter: fitting[0].name }] : [];
  });
}

/** Buttons for all questions about a hex or a unit. */
export const questions = (app, takes, value) =>
  askable(app.state.words, takes).map(({ question, parameter }) =>
    button({ key: question.name, class: "chip", title: question.title, onclick: () => answer(app, { question: question.name, parameters: { [parameter]: value } }) }, question.name.replaceAll("-", " ")),
  );

/** Open the sheet with the answer to a question: its verdict, its picture, its working. */
export async function answer(app, asked) {
  let told = null, picture = null;
  const again = app.sheet(asked.question.replaceAll("-", " "), () => (told ? contents(told, picture) : h("p", { role: "status" }, "…")));
  told = await app.about({ do: "ask", ...asked }).catch(() => ({ is: "refused", what: "the table cannot be reached now" }));
  again();
  if (!told.drawn?.includes("picture")) return;
  const drawn = await app.about({ do: "draw", what: "picture", ...asked }).catch(() => null);
  if (drawn?.is !== "drawn") return;
  picture = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }));
  again();
}

function contents(told, picture) {
  if (told.is === "refused") return [h("p", { class: "refused" }, told.what), told.hint && h("p", null, told.hint)];
  return [
    h("p", { class: "verdict" }, told.title),
    told.answers.map((text) => h("p", { class: "verdict" }, h("strong", null, text))),
    told.asks.length ? [h("h3", null, "Still to be known"), h("ul", null, told.asks.map((ask) => h("li", null, ask.title, ask.how && h("small", null, ` ${ask.how}`))))] : null,
    picture && h("img", { class: "answer-picture", src: picture, alt: told.answers.join("; ") }),
    told.parts.map((part) => h("details", { key: part.title, open: told.parts.length < 4 }, h("summary", null, part.title), h("ul", { class: "steps" }, part.steps.map((step) => h("li", null, step.rule && h("small", { class: "rule" }, step.rule), ` ${step.text}`))))),
    told.cautions.length ? [h("h3", null, "Cautions"), h("ul", { class: "steps" }, told.cautions.map((step) => h("li", null, step.text)))] : null,
  ];
}
