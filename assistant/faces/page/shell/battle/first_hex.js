// Which hex is attacked: its number on a pad, or a stack that is tapped.

import { button, h } from "../common/dom.js";
import { pad, typed } from "../parts/pad.js";
import { places } from "../parts/places.js";
import { carriedOut, takeOut } from "./result.js";

/** The pad for the number of the attacked hex, and where units stand. */
export function firstHex(battle) {
  const { local } = battle;
  const { table, words } = battle.state;
  const put = (hex) => {
    const full = words.digits && hex.length >= words.digits && !(hex.length === words.digits && words.longer.includes(hex));
    if (full) battle.choose(hex);
    else battle.change({ hex });
  };
  return h(
    "section",
    { class: "hex-pad" },
    h("h2", null, "Which hex is attacked?"),
    h(
      "div",
      { class: "row" },
      h("input", {
        class: "search large",
        type: "text",
        inputmode: words.digits ? "none" : "text",
        autocomplete: "off",
        "aria-label": "The attacked hex",
        value: local.hex,
        hook: focusOnDesk,
        oninput: (event) => put(event.target.value),
        onkeydown: (event) => event.key === "Enter" && local.hex && battle.choose(local.hex),
      }),
      button({ class: "main-button", disabled: !local.hex, onclick: () => battle.choose(local.hex) }, "Here"),
      button({ class: "quiet-button", onclick: () => battle.app.open("board", { attack: true }) }, "On the map"),
    ),
    pad((key) => put(typed(local.hex, key)), { label: "the number of the hex" }),
    carriedOut(table.table) && !table.combat
      ? h(
          "div",
          { class: "row" },
          button(
            {
              class: "quiet-button",
              onclick: () => {
                takeOut(table.table);
                battle.draw();
              },
            },
            "What changed last",
          ),
        )
      : null,
    table.units.some(({ on_map }) => on_map)
      ? [h("h3", null, "Where units stand"), places(words, table, { press: (hex) => battle.choose(hex) })]
      : null,
  );
}

/** Where there is a keyboard, typing goes to a field at once. */
const focusOnDesk = (field) => matchMedia("(pointer: fine)").matches && queueMicrotask(() => field.focus());
