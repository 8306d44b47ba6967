// What an answer lacks: a fact by its words or as a figure, a cell of a chart by its fields. The same wherever it is asked for.

import { button, h } from "../common/dom.js";
import { capital, spoken, titleOf, trackOf } from "../common/words.js";
import { cellFields, codeList, written } from "./cell.js";
import { isFull } from "./figures.js";
import { pad, typed as after } from "./pad.js";
import { unseenUnits } from "./unseen.js";
import { ruleButton } from "./working.js";

/** One of them. typed: what is typed so far: a text, or the fields of a cell; put(typed); enter(line); app: as page.js has it. */
export function missing(ask, { typed, put, enter, app }) {
  const { words } = app.state;
  const state = (value) => enter(ask.line ? ask.line.replace("{}", () => value) : value);
  const [, ...others] = ask.how.split(", or ");
  return h("section", { key: ask.name, class: "ask fact", "aria-label": ask.title, "data-due": ask.name },
    h("h2", null, capital(ask.title), ask.rule && [" ", ruleButton(ask.rule, app.meaning)]),
    ask.unseen ? unseenUnits(ask, { now: typed || undefined, put, enter, app }) : ask.kind === "cell" ? [cell(ask, words, typed || [], put, state, app), trustCharts(words, ask.of, enter)] : fact(ask, words, typed || "", put, state),
    others.length && !ask.unseen ? h("p", { class: "faint" }, `Or ${others.join(", or ")}.`) : null,
  );
}

function fact(ask, words, typed, put, state) {
  const track = trackOf(words, ask.of);
  if (ask.line && !ask.line.includes("{}")) return h("div", { class: "row" }, button({ class: "main-button", onclick: () => state("") }, "Take it so"));
  if (ask.options.length) return track?.kind === "choices" && track.on !== "hexside" ? several(ask, words, typed, put, state) : h("div", { class: "chips" }, ask.options.map((word) => button({ key: word, class: "chip", onclick: () => state(word) }, titleOf(words, word))));
  const isFigure = track?.kind === "integer";
  const press = (key) => {
    const now = after(typed, key);
    put(now);
    if (key !== "back" && isFull({ track }, now)) state(now); // no figure that may stand there has more digits
  };
  return [
    h("p", { class: "faint" }, ask.line ? ask.takes : capital(ask.how)),
    h("div", { class: "row" },
      h("input", { type: "text", class: "search", inputmode: isFigure ? "none" : "text", autocomplete: "off", autocapitalize: "off", "aria-label": ask.title, value: typed, oninput: (event) => put(event.target.value), onkeydown: (event) => event.key === "Enter" && typed && state(typed) }),
      button({ class: "main-button", disabled: !typed, onclick: () => state(typed) }, "State it")),
    isFigure ? pad(press, { more: (track.least ?? 0) < 0 ? ["-"] : [], label: ask.title }) : null,
  ];
}

/** A fact of none or several words, each switched on and off; of a hexside it hardly ever has more than one. */
function several(ask, words, typed, put, state) {
  const chosen = typed.split("+").filter(Boolean);
  const flip = (word) => put((chosen.includes(word) ? chosen.filter((other) => other !== word) : [...chosen, word]).join("+"));
  return [
    h("div", { class: "chips" }, ask.options.map((word) => button({ key: word, class: "chip", pressed: chosen.includes(word), onclick: () => flip(word) }, spoken(word)))),
    h("div", { class: "row" }, button({ class: "main-button", onclick: () => state(typed || "none") }, chosen.length ? "State it" : "None of them")),
  ];
}

/** One tap instead of all cells of a chart. */
function trustCharts(words, name, enter) {
  const standIns = words.charts.find((chart) => chart.name === name)?.stand_ins;
  return standIns ? h("div", { key: "stand-ins", class: "row" }, button({ class: "quiet-button", onclick: () => enter("trust charts") }, `Use ${standIns}`)) : null;
}

function cell(ask, words, typed, put, state, app) {
  const chart = words.charts.find(({ name }) => name === ask.of);
  if (!chart) return null; // the words are those of another table, which is laid on the page now
  const { fields, title, codes } = chart;
  const done = (now) => written(fields, now) && state(written(fields, now));
  const focus = (name) => name && document.getElementById(`cell-${name}`)?.focus({ preventScroll: true });
  return [
    cellFields({ fields, typed, set: (now, following) => (put(now), focus(following)), done }),
    h("div", { class: "row" },
      button({ class: "main-button", disabled: !written(fields, typed), onclick: () => done(typed) }, "State it"),
      app.panels.some(({ id }) => id === "charts") && button({ class: "quiet-button", "aria-label": `Fill in the whole ${title}`, onclick: () => app.open("charts", { chart: ask.of }) }, "Fill in the chart")),
    codeList(codes),
  ];
}
