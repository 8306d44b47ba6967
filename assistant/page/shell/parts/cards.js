// Counters as small cards: the colour of the nation, the name, the figures, what has become of the unit.

import { h } from "../common/dom.js";
import { nationOf } from "../common/words.js";

/** What a card shows: a unit of the table or of the roster. small: without its figures. */
export function card(words, unit, { small = false } = {}) {
  const nation = nationOf(words, unit.nation);
  const figures = (unit.figures ?? []).map((figure) => figure || "?");
  const known = figures.some((figure) => figure !== "?");
  return h("span", { class: `counter ${small ? "small" : ""}`, style: { "--tint": nation?.tint ?? "#ddd8cc", "--on-tint": nation?.ink ?? "#1d1a14" } },
    h("b", null, unit.id),
    !small && h("span", { class: "figures" }, known ? figures.join("-") : " "),
    unit.state?.length ? h("span", { class: "state" }, unit.state.filter((word) => /^-\d/.test(word) || !small).join(" ")) : null,
  );
}

/** What a unit is, in words, for those who hear the page. */
export const told = (words, unit) => [nationOf(words, unit.nation)?.title, unit.arm].filter(Boolean).join(" ");
