// The one line always in sight: strengths, odds, shifts, column, magnitude; what would bring the next column; what is taken
// for granted and matters.

import { button, draw, h, heard } from "../common/dom.js";
import { stepsWith, steps } from "../parts/working.js";

/** Mount the line. */
export function line(element, app) {
  let all = false;
  const show = () => {
    const { table } = app.state;
    const answer = table?.answer;
    element.hidden = !answer || app.panel === "tables";
    if (!answer) return draw(element);
    const before = element.querySelector(".links")?.childElementCount;
    draw(element, verdict(answer, table, app), chips(table, app, all, () => { all = !all; show(); }));
    const links = element.querySelector(".links");
    if (links && links.childElementCount !== before) links.scrollLeft = links.nextElementSibling ? 0 : links.scrollWidth;
  };
  app.state.on("table", show);
  app.state.on("panel", show);
}

function verdict(answer, table, app) {
  const open = (word, figure) => app.sheet(`${figure} ${word}`, () => steps(stepsWith(answer, word, figure), app.meaning));
  const next = answer.parts.find(({ brief, steps: some }) => brief && some.length && /^\d+ more /.test(brief)) ?? null;
  const due = table.pending;
  const chain = answer.chains.at(-1);
  const last = chain && chain.answer === chain.links.length - 1 ? -1 : chain?.links.length; // an answer at the end stands apart
  const said = answer.kind === "undecided" ? "" : answer.answers.join(" / ");
  const missing = due && !["roll", "choice"].includes(due.kind) ? due.title : "";
  return [
    chain
      ? h("div", { class: "chain", role: "group", "aria-label": chain.title },
          h("div", { class: "links" }, chain.links.slice(0, last).map((link, number) => figure(link, number === chain.answer, open))),
          chain.links.slice(last).map((link) => figure(link, true, open)))
      : h("p", { class: "verdict" }, h("b", null, answer.kind === "undecided" ? answer.answers[0] : answer.title)),
    missing ? h("p", { class: "next missing" }, "missing: ", h("b", null, missing)) : said ? h("p", { class: "said" }, said) : null,
    next && !answer.changes.length && h("p", { class: "next" }, next.brief),
  ];
}

const figure = ([word, text], isAnswer, open) => button({ key: word + text, class: isAnswer ? "figure answer" : "figure", onclick: () => open(word, text) }, h("b", null, text), h("small", null, word));

function chips(table, app, all, flip) {
  const [decisive, others] = [table.assumed.filter((one) => one.decisive), table.assumed.filter((one) => !one.decisive)];
  if (!table.assumed.length) return null;
  const shown = all ? [...decisive, ...others] : decisive;
  return h("div", { class: "chips assumed", role: "group", "aria-label": "Taken for granted" },
    shown.map((one) => button({ key: one.number, class: `chip ${one.decisive ? "decisive" : ""}`, "aria-label": `Taken for granted: ${one.words}. Tap for the next value`, onclick: () => app.enter(`?${one.number}`) }, one.words)),
    decisive.length ? button({ key: "so", class: "chip so", onclick: () => decisive.forEach((one) => app.enter(one.words)) }, "✓ so it is", heard("state all of it")) : null,
    others.length ? button({ key: "others", class: "chip quiet", "aria-expanded": String(all), onclick: flip }, all ? "fewer" : `${others.length} usual`) : null,
  );
}
