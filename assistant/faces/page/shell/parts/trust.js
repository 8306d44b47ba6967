// What an answer rests on that is not the player's own, as chips beside its verdict: the drawn map, made-up charts, made-up
// counters. A tap says what was read of it, lets a fact of the map be stated as the printed one has it, and leaves it out.

import { button, h } from "../common/dom.js";
import { capital } from "../common/words.js";
import { missing } from "./missing.js";

/** The chips. rests: what the answer rests on; app: as page.js has it. */
export const trustChips = (rests, app) =>
  rests?.length
    ? h("div", { key: "trust", class: "chips trust", role: "group", "aria-label": "What this rests on" },
        rests.map((one) => button({ key: one.kind, class: "chip", onclick: () => explain(one, app) }, one.words)))
    : null;

/** Open the sheet about one of them. */
function explain({ kind, words, lines, asks }, app) {
  let asked = null, typed = "";
  const enter = (line, close) => (close(), app.enter(line));
  const again = app.sheet(capital(words), (close) => [
    h("p", null, `This answer holds if the ${words} ${kind === "map" ? "is" : "are"} right.`),
    h("ul", { class: "plain-list" }, lines.map((text) => h("li", { key: text }, text))),
    asks.length ? h("h3", { key: "yours" }, "On your printed map") : null,
    asks.length ? h("div", { key: "asks", class: "chips" }, asks.map((ask) => button({ key: ask.name, class: "chip", pressed: ask === asked, onclick: () => { asked = ask === asked ? null : ask; typed = ""; again(); } }, capital(ask.title.replace(/ \(.*?\)/, ""))))) : null,
    asked && [
      h("div", { key: "drawn", class: "row" }, button({ class: "main-button", onclick: () => enter(asked.line.replace("{}", () => asked.drawn), close) }, `As drawn: ${asked.drawn}`)),
      missing(asked, { typed, put: (text) => { typed = text; again(); }, enter: (line) => enter(line, close), app }),
    ],
    h("div", { key: "own", class: "row" }, button({ class: "quiet-button", onclick: () => enter(`own ${kind}`, close) }, `Only my own ${kind}`)),
  ]);
}
