// The attacked hex with the six around it: the units in each, its ground, the hexsides between.

import { h } from "../common/dom.js";
import { hexsideTrack, sideOf, spoken, trackOf, usualOf, valuesOf, worded } from "../common/words.js";
import { card, losses } from "../parts/cards.js";
import { rose } from "../parts/rose.js";

/** The seven hexes. */
export function scene(battle, now) {
  const { local } = battle;
  const { table, words } = battle.state;
  const units = new Map(table.units.map((unit) => [unit.id, unit]));
  const seen = battle.picture(now);
  const stackOf = (ids) => [
    h(
      "span",
      { key: "stack", class: seen ? "stack heard" : "stack" },
      ids.slice(0, 3).map((id) => units.get(id) && card(words, units.get(id), { small: true })),
      ids.length > 3 ? h("small", null, `+${ids.length - 3}`) : null,
    ),
    seen && h("small", { key: "losses", class: "role", "aria-hidden": "true" }, ids.map((id) => units.get(id)).filter((unit) => unit && losses(unit).length).map((unit) => (ids.length > 1 ? `${unit.id} ${losses(unit)}` : losses(unit))).join(", ")),
  ];
  const ground = (facts) =>
    facts
      .filter(({ track, value }) => words.ground.includes(track) && value !== trackOf(words, track).silent)
      .map((fact) => `${worded(fact)}${fact.doubtful ? "?" : ""}`)
      .join(", ");
  const strong = (side) => sideOf(words, side)?.strong;
  const withheld = new Set(now.withheld);
  return rose({
    label: `${now.target} and the hexes around it`,
    scene: seen,
    centre: {
      hex: now.target,
      picked: local.focus === now.target,
      strong: strong(now.side),
      tone: "attacked",
      said: [now.units.length ? "" : "empty", "attacked"].filter(Boolean).join(", "),
      press: () => battle.press(now.target),
      contents: [h("b", null, now.target), stackOf(now.units), h("small", { class: "ground" }, ground(now.ground))],
    },
    around: now.around.map((one) => {
      const enemy = one.units.length > 0 && one.side !== now.side;
      return {
        hex: one.hex,
        angle: one.angle,
        picked: local.focus === one.hex,
        strong: strong(one.side),
        tone: enemy ? (one.attacks ? "attacks" : "stays") : one.units.length ? "friend" : "",
        said: one.units.length ? enemy && one.attacks && "attacks" : "empty",
        press: () => battle.press(one.hex),
        contents: [
          h("b", null, one.hex),
          stackOf(one.units.filter((id) => !withheld.has(id))),
          h("small", { class: "ground" }, ground(one.ground)),
          enemy && !one.attacks && h("small", { class: "role" }, "stays out"),
          seen && one.units.some((id) => withheld.has(id)) && h("small", { class: "role" }, `without ${one.units.filter((id) => withheld.has(id)).join(", ")}`),
        ],
      };
    }),
    edges: now.around.filter((one) => one.units.length || local.focus === one.hex).map((one) => edge(battle, now, one)),
  });
}

/** The button on a hexside: its first track of words, which a tap turns to the next. */
function edge(battle, now, one) {
  const { words } = battle.state;
  const track = hexsideTrack(words);
  const values = valuesOf(track);
  const first = usualOf(words, track?.name)[0] ?? values[0];
  const factOf = ({ between }) => between.find((known) => known.track === track?.name);
  const after = (there) => values[(values.indexOf(factOf(there)?.value ?? first) + 1) % values.length];
  const [fact, value, next] = [factOf(one), factOf(one)?.value ?? first, after(one)];
  const turned = ({ target, around: all }) => `${target}|${one.hex} ${after(all.find(({ hex }) => hex === one.hex))}`;
  return {
    key: `edge ${one.hex}`,
    angle: one.angle,
    "aria-label": `Hexside to ${one.hex}: ${spoken(value)}. Tap for ${spoken(next)}`,
    disabled: values.length < 2,
    onclick: () => battle.later(turned),
    contents: h(
      "span",
      { class: `water ${fact && !fact.doubtful ? "sure" : ""} ${value === first ? "nothing" : ""}` },
      value === first ? (fact && !fact.doubtful ? "–" : "+") : spoken(value),
    ),
  };
}
