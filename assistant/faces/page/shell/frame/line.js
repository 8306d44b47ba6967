// What is always in sight: strengths, odds, shifts, column, magnitude, and the dice; the chances and what would bring
// the next column; what is taken for granted and matters.

import { button, draw, h, heard } from "../common/dom.js";
import { statement } from "../common/words.js";
import { headline, remedies, towardsPhase } from "../parts/reasons.js";
import { stepsWith, steps } from "../parts/working.js";

const OWN_WORDS = ["tables", "board", "replay"]; // the panels that say themselves what is to be said

/** Whether the line has something to show: nothing on the map, whose cards say it. */
export const isAnswered = ({ panel, state }) => Boolean(state.table?.answer) && !OWN_WORDS.includes(panel);

/** Mount the line; aloud: the element whose text is read out when it changes. */
export function line(element, aloud, app) {
  let all = false;
  const show = () => {
    const { table } = app.state;
    const answer = table?.answer;
    const isOnCard = app.panel === "board" && app.state.marches; // the card of the march says the rest
    element.hidden = !isAnswered(app) && !(isOnCard && table.assumed.length);
    draw(aloud, answer && !["tables", "replay"].includes(app.panel) ? inWords(answer) : null);
    if (element.hidden) return draw(element);
    if (isOnCard) return draw(element, chips(table, app, all, () => { all = !all; show(); }));
    if (app.panel !== "battle") return draw(element, answer.chains.length ? answer.chains.slice(-1).map((chain) => row(chain, app)) : title(answer, app));
    draw(element, verdict(answer, table, app), chips(table, app, all, () => { all = !all; show(); }));
  };
  for (const what of ["table", "panel", "marches"]) app.state.on(what, show);
}

function verdict(answer, table, app) {
  const open = (word, figure) => app.sheet(`${figure} ${word}`, () => steps(stepsWith(answer, word, figure), app.meaning));
  const due = table.pending;
  const chain = answer.chains.at(-1);
  const missing = chain && due && !["roll", "choice"].includes(due.kind) ? due.title : "";
  const [, chances = "", ...next] = answer.chains.length === 1 ? answer.sentences : []; // before the dice
  const said = answer.headline ? "" : chances || (answer.kind === "undecided" || (due && chain) ? "" : answer.answers.join(" / "));
  return [
    answer.chains.slice(0, -1).map((earlier) => row(earlier, app)),
    chain
      ? h("div", { key: "chain", class: "chain", role: "group", "aria-label": chain.title }, chain.links.map((link, number) => figure(link, number === chain.answer, open)))
      : title(answer, app),
    missing ? h("p", { key: "next", class: "next missing" }, "missing: ", h("b", null, missing)) : said ? h("p", { key: "said", class: "said" }, said) : null,
    next.length > 0 && h("p", { key: "more", class: "next" }, next.join(" ")),
    remedies(answer, app),
    towardsPhase(answer, app),
  ];
}

/** The last figures of a combat, or what another question is answered. */
function inWords({ chains, answers, title }) {
  const chain = chains.at(-1);
  return chain ? `${chain.title}: ${chain.links.map(([word, text]) => `${word} ${text}`).join(", ")}` : `${title}: ${answers.join("; ")}`;
}

const title = (answer, app) => h("p", { key: "title", class: "verdict headline" }, headline(answer, app) ?? h("b", null, answer.kind === "undecided" ? answer.answers[0] : answer.title));

const figure = ([word, text], isAnswer, open) => button({ key: word + text, class: isAnswer ? "figure answer" : "figure", onclick: () => open(word, text) }, h("b", null, text), h("small", null, word));

/** A chain in one row: each figure with its word. */
const row = (chain, app) =>
  button({ key: chain.title, class: "earlier", onclick: () => app.sheet(chain.title, () => h("dl", { class: "figures-of" }, chain.links.map(([word, text], number) => [h("dt", { key: `t${number}` }, text), h("dd", { key: `d${number}` }, word)]))) },
    heard(chain.title), chain.links.map(([word, text], number) => h(number === chain.answer ? "b" : "span", { key: number }, h("small", null, `${word} `), text)));

function chips(table, app, all, flip) {
  const [decisive, others] = [table.assumed.filter((one) => one.decisive), table.assumed.filter((one) => !one.decisive)];
  if (!table.assumed.length) return null;
  const shown = all ? [...decisive, ...others] : decisive;
  return h("div", { key: "assumed", class: "chips assumed", role: "group", "aria-label": "Assumed" },
    decisive.length ? button({ key: "so", class: "chip so", onclick: () => decisive.forEach((one) => app.enter(one.words)) }, "✓ all correct", heard("state what is assumed")) : null,
    shown.map((one) => button({ key: one.number, class: `chip ${one.decisive ? "decisive" : ""}`, "aria-label": `Assumed: ${statement(app.state.words, one.words)}. Tap for ${one.after || "the next value"}`, onclick: () => app.enter(`?${one.number} ${one.after}`.trim()) }, statement(app.state.words, one.words))),
    others.length ? button({ key: "others", class: "chip quiet", "aria-expanded": String(all), onclick: flip }, all ? "fewer" : `${others.length} more assumed`) : null,
  );
}
