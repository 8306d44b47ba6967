// Counters as small cards: the colour of the nation, the name, the figures, what has become of the unit.

import { h, heard } from "../common/dom.js";
import { nationOf, spoken } from "../common/words.js";

/** What a card shows: a unit of the table or of the roster. small: without its figures. */
export function card(words, unit, { small = false } = {}) {
  const nation = nationOf(words, unit.nation);
  const figures = (unit.figures ?? []).map((figure) => figure || "?");
  const known = figures.some((figure) => figure !== "?");
  return h("span", { class: `counter ${small ? "small" : ""}`, style: { "--tint": nation?.tint ?? "#ddd8cc", "--on-tint": nation?.ink ?? "#1d1a14" } },
    h("b", null, unit.id),
    !small && h("span", { class: "figures" }, known ? figures.join("-") : " "),
    unit.state?.length ? h("span", { class: "state" }, states(unit.state.filter((word) => LOST.test(word) || !small))) : null,
  );
}

const LOST = /^-\d+$/;

/** What a unit has lost, with the sign of printing. */
export const losses = (unit) => (unit.state ?? []).filter((word) => LOST.test(word));

/** What has become of a unit, with the sign of printing; who hears it also hears of what it has lost some. */
export const states = (words) => words.flatMap((word, number) => [number ? " · " : "", spoken(word), LOST.test(word) && heard(word === "-1" ? " step" : " steps")]);

/** What a unit is, in words, for those who hear the page. */
export const told = (words, unit) => [nationOf(words, unit.nation)?.title, unit.arm].filter(Boolean).join(" ");
