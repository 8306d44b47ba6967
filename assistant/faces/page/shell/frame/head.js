// The head of the page: which game and turn, whose view, undo, what the answer rests on, and whether the table can be reached.

import { button, draw, h, heard, sign } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { capital } from "../common/words.js";
import { trustChips } from "../parts/trust.js";
import { dismiss, offerInWords } from "../replay/since.js";
import { isAnswered } from "./line.js";

const TABLES = "M4 6h16M4 12h16M4 18h16";
const UNDO = "M9 5 4 10l5 5M4 10h10.5a5 5 0 0 1 0 10H11";

const UNDONE = "undo";

export function head(element, app) {
  const undo = async () => {
    const { undo: taken } = app.state.table;
    const table = await app.enter(UNDONE, { confirming: { title: "Others have continued from here", yes: "Ask them" } });
    if (isEntered(table)) app.say(table.undo === taken ? capital(table.said.at(-1)) : `Taken back: ${taken.replace(/^done: ([^:]+).*/, "$1")}`);
  };
  const show = () => {
    const { table, taps, away, since } = app.state;
    draw(
      element,
      h("h1", null,
        button({ class: "title", onclick: () => app.open("tables") },
          sign(TABLES),
          h("span", { class: "game" }, table?.title ?? "Field Staff"),
          h("span", { class: "turn" }, table && [/^\d+$/.test(table.turn) ? `turn ${table.turn}` : table.turn, table.viewpoint && `as ${table.viewpoint}`].filter(Boolean).join(" · ")),
          heard("the tables"),
        ),
      ),
      (away || taps.length > 1) &&
        h("span", { class: "away" }, away ? (taps.length ? `Offline: ${taps.length} ${taps.length > 1 ? "taps" : "tap"} to send` : "Offline") : `Sending ${taps.length} taps`),
      table &&
        button({ class: "undo", disabled: !table.undo || taps.some(({ request }) => request.line === UNDONE), title: table.undo || null, onclick: undo },
          sign(UNDO), h("span", null, "Undo"), heard(table.undo)),
      isAnswered(app) && trustChips(table.answer.rests_on, app),
      table?.wished &&
        h("div", { key: "wished", class: "wished", role: "status" }, h("p", null, table.wished), button({ class: "main-button", onclick: () => app.enter(table.agrees) }, "Agree")),
      since && app.panel !== "replay" &&
        h("div", { key: "since", class: "wished since", role: "status" }, h("p", null, offerInWords(since)), button({ class: "quiet-button", onclick: () => app.open("replay", { log: since.log, earlier: since.earlier, after: since.after }) }, "Step through"), button({ class: "plain", "aria-label": "Skip the replay", onclick: () => dismiss(app.state) }, "×")),
    );
  };
  for (const what of ["table", "taps", "away", "panel", "marches", "since"]) app.state.on(what, show);
  show();
}
