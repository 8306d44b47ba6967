// A fact to be stated: all its words on the sheet, or a field for a figure, a name or several words.

import { button, h } from "../common/dom.js";
import { capital, spoken } from "../common/words.js";

const LISTED = 40; // values that are buttons; more are a list to choose from

/** A title without what stands in brackets or behind it. */
export const titled = (track) => track?.title.split(/ \(|[;:] /, 1)[0] ?? "";

/** Open the sheet with the words of a track. before: what stands in the line before the fact; of: whose fact it is, in words;
 * now: its value. */
export function chooseFact(app, track, { before = "", of = "", now = "" } = {}) {
  const { course } = app.state.words;
  const options = course?.track === track.name ? course.turns.map((turn) => [turn, `${track.name}=${turn}`]) : track.values;
  const shown = ([value, word]) => spoken(track.kind === "flag" || word.includes("=") ? value : word);
  const say = (word, close) => {
    close();
    app.enter([before, word].filter(Boolean).join(" "));
  };
  const typed = (event, close) => {
    event.preventDefault();
    say(`${track.name}=${event.target.elements.value.value.trim()}`, close);
  };
  app.sheet([capital(titled(track)), of && `of ${of}`].filter(Boolean).join(" "), (close) => [
    track.note && h("p", { class: "faint" }, track.note),
    options.length <= LISTED
      ? h("div", { class: "chips" }, options.map((one) => button({ key: one[0], class: "chip", pressed: one[0] === now, onclick: () => say(one[1], close) }, shown(one))))
      : null,
    options.length > LISTED
      ? h("form", { class: "row", onsubmit: (event) => typed(event, close) },
          h("select", { name: "value", class: "search", "aria-label": titled(track) }, options.map((one) => h("option", { key: one[0], value: one[0], selected: one[0] === now }, shown(one)))),
          button({ type: "submit", class: "main-button" }, "State it"))
      : null,
    !options.length || track.kind === "choices"
      ? h("form", { class: "row", onsubmit: (event) => typed(event, close) },
          h("label", null, track.kind === "choices" ? "Several, joined by +" : capital(titled(track)), h("input", { name: "value", class: "search", autocomplete: "off", inputmode: track.kind === "integer" ? "numeric" : "text", value: now })),
          button({ type: "submit", class: "main-button" }, "State it"))
      : null,
    h("div", { class: "row" }, button({ class: "quiet-button", onclick: () => app.meaning(track.name) }, "What it means")),
  ]);
}
