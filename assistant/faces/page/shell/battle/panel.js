// A battle by taps: the attacked hex with the six around it, the units in each, what else bears on it, the dice, the result.

import { button, draw, h } from "../common/dom.js";
import { colourOf, combatOf } from "../common/words.js";
import { laidOut, shapeOf } from "../parts/dice.js";
import { pausing } from "../parts/pause.js";
import { working } from "../parts/working.js";
import { firstHex } from "./first_hex.js";
import { Battle } from "./following.js";
import { optionsTray } from "./options.js";
import { carriedOut, changesList } from "./result.js";
import { rollsTray } from "./rolls_tray.js";
import { scene } from "./scene.js";
import { unitsTray } from "./units_tray.js";

export const battle = {
  id: "battle",
  title: "Battle",
  icon: "M5 5l14 14M19 5 5 19M5 15v4h4M19 15v4h-4",
  wanted: (app) => Boolean(app.state.words && combatOf(app.state.words)),
  mount,
};

function mount(element, app) {
  const { state } = app;
  const guard = pausing(element);
  const battle = new Battle(app, show);
  let laid = []; // the rolls that lie on the page

  function show() {
    const { table, words } = state;
    if (!table || !words) return;
    if (!combatOf(words))
      return draw(element, h("p", { class: "plain" }, `${words.title} has no combat on one line; its questions are under Ask.`));
    const done = carriedOut(table.table);
    const list = done && !done.away && !table.combat;
    const now = battle.local.target ? battle.view() : null;
    laid = laidOut(laid, table);
    if (list) draw(element, h("div", { class: "battle done" }, changesList(table.table, done, { again: show })));
    else draw(element, now ? fought(battle, now, laid) : h("div", { class: "battle" }, firstHex(battle)));
    const mode = now && battle.modeOf(now);
    guard(list ? "list" : !now ? "pad" : mode === "roll" ? `roll ${shapeOf(table.pending, laid)}` : mode);
  }

  state.on("words", show);
  state.on("table", (table) => battle.follow(table));
  return { opened: (detail) => detail?.target && battle.choose(detail.target, detail.mode) };
}

/** The hexes, what is to be done beside them, and the working. */
function fought(battle, now, laid) {
  const { app } = battle;
  const { table } = battle.state;
  const mode = battle.modeOf(now);
  const rolling = mode === "roll";
  return h(
    "div",
    { class: `battle ${rolling ? "rolling" : ""}` },
    h("section", { key: "map", class: "map", "aria-label": "The hexes of the battle" }, scene(battle, now)),
    h(
      "div",
      { key: "tray", class: "tray" },
      modes(battle, now),
      mode === "units" ? unitsTray(battle, now) : mode === "options" ? optionsTray(battle, now) : rollsTray(battle, now, laid),
    ),
    h(
      "section",
      { key: "working", class: "below", "aria-label": "The working" },
      table.answer && working(table.answer, app.meaning, colourOf(battle.state)),
      more(battle),
    ),
  );
}

function modes(battle, now) {
  const { table } = battle.state;
  const due = table.pending;
  const ready = battle.isDue(now);
  const roll = !due
    ? table.answer?.changes.length
      ? "Result"
      : "Roll"
    : due.kind === "roll"
      ? "Roll"
      : due.kind === "choice"
        ? "Choose"
        : "State";
  const named = [
    ["units", "Units"],
    ["options", "Options"],
    ["roll", roll],
  ];
  return h(
    "div",
    { class: "segments modes", role: "group", "aria-label": "What to do" },
    named.map(([mode, title]) =>
      button(
        {
          key: mode,
          pressed: battle.modeOf(now) === mode,
          disabled: mode === "roll" && !ready,
          class: mode === "roll" && ready ? "due" : "",
          onclick: () => battle.change({ mode, form: null, draft: null }),
        },
        title,
      ),
    ),
  );
}

function more(battle) {
  const { app } = battle;
  const { table } = battle.state;
  const history = () =>
    h(
      "ol",
      { class: "history", reversed: true },
      table.entries.map((entry) =>
        h(
          "li",
          { key: entry.number, class: entry.struck ? "struck" : "" },
          h("span", { class: "number" }, entry.number),
          h("span", null, entry.text),
        ),
      ),
    );
  return h(
    "div",
    { class: "row" },
    button({ class: "quiet-button", onclick: () => app.sheet("What was entered", history) }, "History"),
    table.answer?.text &&
      button(
        {
          class: "quiet-button",
          onclick: () =>
            navigator.clipboard?.writeText(table.answer.text).then(
              () => app.say("Copied for a post."),
              () => app.say("This browser does not let a page copy to the clipboard."),
            ),
        },
        "Copy for a post",
      ),
    button(
      {
        class: "quiet-button",
        onclick: () => {
          battle.turn("", { chosen: true });
          battle.change({});
          app.open("board", { attack: true });
        },
      },
      "Another hex",
    ),
  );
}
