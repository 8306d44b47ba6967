// The units of a hex: those that stand there, what each has lost, those that may be stacked there; and its ground.

import { button, h, heard } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { groundOf, hexsideTrack, named, quoted, ratingsOf, spoken, trackOf, usualOf, valuesOf } from "../common/words.js";
import { card, told } from "../parts/cards.js";
import { fieldsOf, figuresForm, figuresLine } from "../parts/figures.js";
import { finder, likelyNation, newUnit, placed, usualIdentity } from "../parts/units.js";
import { factRow } from "../parts/parameters.js";

const LOST = 5; // steps lost that are figures to tap

/** The units of the hex that is chosen, those that may be stacked there, and its ground. */
export function unitsTray(battle, now) {
  const { local } = battle;
  const { table, words } = battle.state;
  const change = (more) => battle.change(more);
  const beside = now.around.find((one) => one.hex === local.focus);
  const here = table.units.filter((unit) => unit.place === local.focus);
  const picked = here.find((unit) => unit.id === local.unit);
  const side = expectedSide(words, now, beside, here);
  return h(
    "div",
    { class: "units" },
    here.length || beside
      ? h(
          "div",
          { class: "here", role: "group", "aria-label": `Units in ${local.focus}` },
          here.map((unit) =>
            button(
              {
                key: unit.id,
                class: `card ${now.withheld.includes(unit.id) ? "withheld" : ""}`,
                pressed: unit.id === local.unit,
                onclick: () => change({ unit: unit.id === local.unit ? "" : unit.id, form: null }),
              },
              card(words, unit),
              heard(told(words, unit)),
              now.withheld.includes(unit.id) && heard("withheld"),
            ),
          ),
          beside && here.length > 0 && beside.side !== now.side && now.isOpen
            ? button(
                {
                  key: "attacks",
                  class: "chip",
                  pressed: beside.attacks,
                  onclick: () => battle.attack(beside.hex, !beside.attacks),
                },
                beside.attacks ? "attacks" : "stays out",
              )
            : null,
        )
      : null,
    picked && !local.form && unitRow(battle, now, picked),
    local.draft &&
      newUnit({
        words,
        draft: local.draft,
        change: (draft) => change({ draft }),
        place: local.form ? null : (draft) => placeNew(battle, now, draft),
      }),
    local.form
      ? figuresForm({
          form: { ...local.form, words },
          title: `Figures of ${local.unit}`,
          change: (form) => change({ form }),
          finish: (form) => (local.draft ? placeNew(battle, now, local.draft, form) : finishForm(battle, form)),
          same: sameFigures(battle),
        })
      : local.draft
        ? null
        : finder({
            words,
            table,
            side,
            here: local.focus,
            fighting: new Set([now.target, ...now.around.map(({ hex }) => hex)]),
            search: local.search,
            change: (search) => change({ search }),
            pick: (unit) => stack(battle, now, unit),
            create: (name) => create(battle, name, side),
          }),
    groundRow(battle, now, beside),
  );
}

/** The unit whose figures another one may have: that which was stated last, or one in the same hex. */
const sameFigures = ({ local, state: { table } }) => {
  const known = table.units.filter((unit) => unit.id !== local.unit && unit.figures.some((figure) => figure !== "?"));
  return known.find((unit) => unit.id === local.last) ?? known.findLast((unit) => unit.place === local.focus);
};

async function finishForm(battle, form) {
  const line = figuresLine(form);
  const { unit, last } = battle.local;
  battle.change({ form: null, last: line ? unit : last });
  if (line && !isEntered(await battle.enter(`${named(unit)} ${line}`))) battle.change({ form, unit }); // what was typed stays
}

/** A unit that no roster has: what it is, most likely as its stack, and its figures. */
function create(battle, name, side) {
  const { local } = battle;
  const { table, words } = battle.state;
  const draft = { name, facts: { ...usualIdentity(words), nation: likelyNation(words, table, local.focus, side) } };
  const fields = fieldsOf(words);
  battle.change({ draft, unit: name, form: fields.length ? { fields, at: 0 } : null });
}

/** Place a unit that no roster has with one line; what was typed of it stays if that is refused. */
async function placeNew(battle, now, draft, form = null) {
  const { words } = battle.state;
  const { name, facts } = draft;
  if (!facts.nation && words.sides.some(({ nations }) => nations.length)) {
    battle.change({ form });
    return battle.app.say("Choose its nation first.");
  }
  const { search, last } = battle.local;
  const identity = words.identity
    .map((track) => facts[track])
    .filter(Boolean)
    .join(" ");
  const figures = form ? figuresLine(form) : "";
  const side = words.sides.find(({ nations }) => nations.some(({ id }) => id === facts.nation))?.id;
  battle.change({ last: figures ? name : last });
  const table = await stack(battle, now, { id: name, side }, identity && `${identity} `, figures);
  if (!isEntered(table)) battle.change({ draft, form, unit: name, search });
}

/** What a unit has lost, as figures to tap; further facts about it, figures, withholding. */
function unitRow(battle, now, unit) {
  const { app, local } = battle;
  const { words } = battle.state;
  const change = (more) => battle.change(more);
  const stated = (track, { facts } = unit) => facts.find((fact) => fact.track === track.name)?.value;
  const say = (track, value) => app.enter(`${named(unit.id)} ${track.name}=${value}`);
  const step = (track, by) =>
    battle.later(() => {
      const now = battle.state.table.units.find(({ id }) => id === unit.id);
      return now ? `${named(unit.id)} ${track.name}=${Number(stated(track, now) || 0) + by}` : "";
    });
  const less = trackOf(words, words.less);
  const most = Math.min(Number(unit.figures[0]) || LOST, LOST);
  const isHidden = unit.facts.some(({ track, value }) => track === "hidden" && less && value.split("+").includes(less.name));
  const lost = isHidden ? NaN : Number(less && (stated(less) ?? 0));
  const withheld = now.withheld.includes(unit.id);
  const others = words.tracks.filter(
    (track) => track.on === "unit" && !track.printed && track !== less && ["integer", "flag", "choice"].includes(track.kind),
  );
  return h(
    "div",
    { class: "unit-row", "data-due": unit.id },
    less &&
      h(
        "div",
        { class: "segments lost", role: "group", "aria-label": less.title },
        h("span", { class: "faint" }, less.title),
        Array.from({ length: most + 1 }, (_, number) =>
          button(
            { key: number, "aria-label": `${less.title}: ${number}`, pressed: number === lost, onclick: () => say(less, number) },
            number,
          ),
        ),
        h(
          "span",
          { key: "more" },
          button({ "aria-label": `${less.title}: one more`, onclick: () => step(less, 1) }, lost > most ? `${lost}+` : "+"),
        ),
      ),
    h(
      "div",
      { class: "row" },
      ratingsOf(words).length
        ? button(
            { class: "quiet-button", onclick: () => change({ form: { fields: fieldsOf(words, unit.figures), at: 0 } }) },
            "Figures",
          )
        : null,
      now.isOpen &&
        button(
          { class: "quiet-button", pressed: withheld, onclick: () => app.enter(`${withheld ? "+" : "-"}${named(unit.id)}`) },
          withheld ? "Let it fight" : "Withhold",
        ),
      others.length
        ? button(
            { class: "quiet-button", "aria-expanded": String(local.facts), onclick: () => change({ facts: !local.facts }) },
            "More",
          )
        : null,
      button(
        {
          class: "quiet-button",
          onclick: () => {
            change({ unit: "" });
            battle.enter(`off ${named(unit.id)}`);
          },
        },
        "Take off",
      ),
    ),
    local.facts &&
      h(
        "div",
        { class: "parameters" },
        others.map((track) =>
          factRow(track, stated(track), { say: (value) => say(track, value), step: (by) => step(track, by) }, app.meaning),
        ),
      ),
  );
}

/** What is known of the ground of the hex that is chosen, as buttons of words. */
function groundRow(battle, now, beside) {
  const { app, local } = battle;
  const { words } = battle.state;
  const row = (track, subject, facts, title) => {
    const values = valuesOf(track);
    const fact = facts.find((known) => known.track === track.name);
    if (!values.length)
      return factRow(
        track,
        fact?.value,
        {
          step: (by) =>
            battle.later(
              (there) =>
                `${subject} ${track.name}=${Number(groundAt(there, subject).find((known) => known.track === track.name)?.value ?? 0) + by}`,
            ),
        },
        app.meaning,
      );
    const value = fact?.value ?? usualOf(words, track.name)[0] ?? track.silent;
    return h(
      "div",
      { key: `${subject}${track.name}`, class: "segments ground-row", role: "group", "aria-label": title },
      values.map((option) =>
        button(
          {
            key: option,
            class: fact && !fact.doubtful ? "" : "usual",
            pressed: option === value,
            onclick: () => app.enter(`${subject} ${option}`),
          },
          spoken(option),
        ),
      ),
    );
  };
  const side = hexsideTrack(words);
  const title = (track) => `${track.name === words.terrain ? "Terrain" : track.title} of ${local.focus}`;
  return h(
    "details",
    { key: "ground", class: "ground-of", open: local.ground },
    h("summary", null, `Ground of ${local.focus}`),
    groundOf(words).map((track) => row(track, local.focus, (beside ?? now).ground, title(track))),
    beside && side
      ? row(side, `${now.target}|${beside.hex}`, beside.between, `Hexside between ${now.target} and ${beside.hex}`)
      : null,
  );
}

/** A unit into the hex that is chosen; its figures are asked for if none is known. identity: what it is, as a line has it; figures: likewise. */
async function stack(battle, now, unit, identity = "", figures = "") {
  const { app, local, state } = battle;
  const { search } = local;
  const line = [`${local.focus} +${identity ? identity + quoted(unit.id) : placed(unit)}`, figures].filter(Boolean).join(" ");
  const lacks = unit.figures?.length && unit.figures.every((figure) => !figure || figure === "?");
  const form = lacks ? { words: state.words, fields: fieldsOf(state.words, unit.figures), at: 0, hex: local.focus } : null;
  const more = search.text && unit.groups?.includes(search.text) && search.text !== unit.id;
  battle.change({ unit: lacks ? unit.id : "", form, draft: null, search: { ...search, text: more ? search.text : "" } });
  const beside = now.isOpen && now.around.find(({ hex }) => hex === local.focus);
  const enemy = beside && !beside.attacks && unit.side !== now.side;
  const table = await battle.enter(line);
  if (enemy && !battle.view()?.around.find(({ hex }) => hex === beside.hex)?.attacks) await app.enter(`<${beside.hex}`);
  return table;
}

/** What is known of the ground of one of the seven hexes. */
const groundAt = (now, hex) => (now.around.find((one) => one.hex === hex) ?? now).ground;

/** Which side most likely stands in a hex: that of its units, or the other one than that across the hexside. */
function expectedSide(words, now, beside, here) {
  if (here.length) return here[0].side;
  const enemies = now.around.find((one) => one.units.length && one.side !== now.side)?.side;
  const across = beside ? now.side : enemies;
  return words.sides.length === 2 && across ? words.sides.find(({ id }) => id !== across).id : "";
}
