// What is always in sight: strengths, odds, shifts, column, magnitude, and the dice; what would bring the next column; what is
// taken for granted and matters.

import { button, draw, h, heard } from "../common/dom.js";
import { statement } from "../common/words.js";
import { headline, remedies } from "../parts/reasons.js";
import { stepsWith, steps } from "../parts/working.js";

const WHOLE = ["battle", "board"]; // the panels beside which all of it is shown; beside the others it takes one row

/** Mount the line; aloud: the element whose text is read out when it changes. */
export function line(element, aloud, app) {
  let all = false;
  const show = () => {
    const { table } = app.state;
    const answer = table?.answer;
    element.hidden = !answer || app.panel === "tables";
    draw(aloud, element.hidden ? null : inWords(answer));
    if (!answer) return draw(element);
    const isTold = app.panel === "board" && app.state.marches; // by the card of the march
    element.hidden ||= isTold && !table.assumed.length;
    if (isTold) return draw(element, chips(table, app, all, () => { all = !all; show(); }));
    if (!WHOLE.includes(app.panel)) return draw(element, answer.chains.length ? answer.chains.slice(-1).map((chain) => row(chain, app)) : title(answer, app));
    draw(element, verdict(answer, table, app), chips(table, app, all, () => { all = !all; show(); }));
  };
  for (const what of ["table", "panel", "marches"]) app.state.on(what, show);
}

function verdict(answer, table, app) {
  const open = (word, figure) => app.sheet(`${figure} ${word}`, () => steps(stepsWith(answer, word, figure), app.meaning));
  const next = answer.parts.find(({ brief, steps: some }) => brief && some.length && /^\d+ more /.test(brief)) ?? null;
  const due = table.pending;
  const chain = answer.chains.at(-1);
  const missing = chain && due && !["roll", "choice"].includes(due.kind) ? due.title : "";
  const said = answer.headline || answer.kind === "undecided" || (due && chain) ? "" : answer.answers.join(" / ");
  return [
    answer.chains.slice(0, -1).map((earlier) => row(earlier, app)),
    chain
      ? h("div", { key: "chain", class: "chain", role: "group", "aria-label": chain.title }, chain.links.map((link, number) => figure(link, number === chain.answer, open)))
      : title(answer, app),
    missing ? h("p", { key: "next", class: "next missing" }, "missing: ", h("b", null, missing)) : said ? h("p", { key: "said", class: "said" }, said) : null,
    remedies(answer, app),
    next && !answer.changes.length && h("p", { key: "more", class: "next" }, next.brief),
  ];
}

/** The last figures of a combat, or what another question is answered. */
function inWords({ chains, answers, title }) {
  const chain = chains.at(-1);
  return chain ? `${chain.title}: ${chain.links.map(([word, text]) => `${word} ${signed(text)}`).join(", ")}` : `${title}: ${answers.join("; ")}`;
}

const title = (answer, app) => h("p", { key: "title", class: "verdict headline" }, headline(answer, app) ?? h("b", null, answer.kind === "undecided" ? answer.answers[0] : answer.title));

const figure = ([word, text], isAnswer, open) => button({ key: word + text, class: isAnswer ? "figure answer" : "figure", onclick: () => open(word, text) }, h("b", null, signed(text)), h("small", null, word));

/** A chain in one row: its figures alone, which open with the words for them. */
const row = (chain, app) =>
  button({ key: chain.title, class: "earlier", onclick: () => app.sheet(chain.title, () => h("dl", { class: "figures-of" }, chain.links.map(([word, text], number) => [h("dt", { key: `t${number}` }, signed(text)), h("dd", { key: `d${number}` }, word)]))) },
    heard(chain.title), chain.links.map(([, text], number) => h(number === chain.answer ? "b" : "span", { key: number }, signed(text))));

/** A figure with the sign of printing. */
const signed = (text) => text.replace(/^-(?=\d)/, "−");

function chips(table, app, all, flip) {
  const [decisive, others] = [table.assumed.filter((one) => one.decisive), table.assumed.filter((one) => !one.decisive)];
  if (!table.assumed.length) return null;
  const shown = all ? [...decisive, ...others] : decisive;
  return h("div", { key: "assumed", class: "chips assumed", role: "group", "aria-label": "Taken for granted" },
    decisive.length ? button({ key: "so", class: "chip so", onclick: () => decisive.forEach((one) => app.enter(one.words)) }, "✓ all correct", heard("state what is taken for granted")) : null,
    shown.map((one) => button({ key: one.number, class: `chip ${one.decisive ? "decisive" : ""}`, "aria-label": `Taken for granted: ${statement(app.state.words, one.words)}. Tap for ${one.after || "the next value"}`, onclick: () => app.enter(`?${one.number} ${one.after}`.trim()) }, statement(app.state.words, one.words))),
    others.length ? button({ key: "others", class: "chip quiet", "aria-expanded": String(all), onclick: flip }, all ? "fewer" : `${others.length} more taken for granted`) : null,
  );
}
