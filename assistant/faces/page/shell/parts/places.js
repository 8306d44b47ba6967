// The hexes where units stand, as chips with the counter on top.

import { button, h } from "../common/dom.js";
import { card } from "./cards.js";

const FIRST = 12; // hexes that are offered at once

/** Chips for the hexes of a table where units stand; those after the first few are behind "more". chosen: those that are on;
 * press(hex). */
export function places(words, table, { press, chosen = null, label = "Hexes with units" }) {
  const stacks = new Map();
  for (const unit of table.units) if (unit.on_map) stacks.set(unit.place, [...(stacks.get(unit.place) ?? []), unit]);
  if (!stacks.size) return null;
  const chip = ([hex, [top, ...below]]) =>
    button({ key: hex, class: "chip place", pressed: chosen ? chosen.includes(hex) : undefined, onclick: () => press(hex) },
      h("b", null, hex), card(words, { ...top, state: [] }, { small: true }), below.length ? h("small", null, `+${below.length}`) : null);
  const all = [...stacks];
  return [
    h("div", { key: "first", class: "chips", role: "group", "aria-label": label }, all.slice(0, FIRST).map(chip)),
    all.length > FIRST && h("details", { key: "more" }, h("summary", null, `${all.length - FIRST} more`), h("div", { class: "chips", role: "group", "aria-label": `More: ${label}` }, all.slice(FIRST).map(chip))),
  ];
}
