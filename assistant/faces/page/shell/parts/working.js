// The working: part by part, each step with the rule it applies, chances as bars.

import { button, h } from "../common/dom.js";

/** The number of a rule as it is printed, wherever it stands: it opens what the rule says. meaning(word) opens it. */
export function ruleButton(rule, meaning) {
  const printed = rule.split("/")[0]; // behind the stroke stands which part of it
  return button({ class: "rule", "aria-label": `Rule ${printed}`, onclick: () => meaning(rule) }, printed);
}

/** The steps of a part. meaning(word) opens a rule; colour(whose): of bars. */
export const steps = (some, meaning, colour) =>
  h("ul", { class: "steps" }, some.map((step, number) => h("li", { key: number }, step.rule && ruleButton(step.rule, meaning), h("span", null, step.text), step.bars.length ? owned(step, colour) : null)));

/** The chances of a step as bars in the colour of those whose they are. */
export const owned = (step, colour = () => null) => h("div", { style: { "--own": colour(step.whose) ?? "var(--accent)" } }, bars(step.bars));

/** Chances as bars. */
export function bars(some) {
  return h("dl", { class: "bars" },
    some.map(([value, chance, percent]) => [
      h("dt", { key: `t${value}` }, value),
      h("dd", { key: `d${value}` }, h("span", { class: "bar", style: { "inline-size": `${72 * chance}%` } }), h("span", { class: "percent" }, percent)),
    ]),
  );
}

/** A whole answer. */
export function working(answer, meaning, colour) {
  return h("div", { class: "working" },
    answer.cautions.length ? h("details", { key: "cautions", class: "part caution" }, h("summary", null, h("b", null, `${answer.cautions.length} assumed`)), steps(answer.cautions, meaning)) : null,
    answer.parts.map((part) => h("details", { key: part.title, class: "part" }, h("summary", null, h("b", null, part.title), part.brief && h("span", { class: "brief" }, part.brief)), steps(part.steps, meaning, colour))),
  );
}

/** The steps in which a figure of the line stands; all of them if none does. */
export function stepsWith(answer, word, figure) {
  const all = answer.parts.flatMap((part) => part.steps);
  const has = (text, wanted) => new RegExp(`(^|[^\\w.])${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}($|[^\\w])`).test(text);
  const near = all.filter(({ text }) => has(text, figure) || text.includes(word));
  return near.length ? near : all;
}
