// A pad of keys, for numbers of hexes, names of units, and figures.

import { button, h } from "../common/dom.js";

const SPOKEN = { "›": "Next", "-": "minus", "+": "plus", "/": "slash" };
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** A pad: its keys, `more` ones behind the digits, and one that takes the last sign away. press(key) is called with a
 * sign or "back"; label: what is typed. */
export function pad(press, { more = [], label = "keys" } = {}) {
  return h("div", { class: "pad", role: "group", "aria-label": label },
    [...DIGITS, ...more].map((key) => button({ key, class: "key", "aria-label": SPOKEN[key] ?? null, onclick: () => press(key) }, key)),
    button({ key: "back", class: "key", "aria-label": "Delete the last character", onclick: () => press("back") }, "⌫"),
  );
}

/** A text after a key of the pad. */
export const typed = (text, key) => (key === "back" ? text.slice(0, -1) : text + key);
