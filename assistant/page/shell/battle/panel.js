// A battle by taps: the attacked hex with the six around it, the units in each, what else bears on it, the dice, the result.

import { card, told } from "../parts/cards.js";
import { asked, laidOut, shapeOf } from "../parts/dice.js";
import { button, draw, h, heard } from "../common/dom.js";
import { fieldsOf, figuresForm, figuresLine } from "../parts/figures.js";
import { factRow, options } from "./options.js";
import { pad, typed } from "../parts/pad.js";
import { guarded } from "./pause.js";
import { carriedOut, changesList, keepCarriedOut, notedLine, takeOut } from "./result.js";
import { places } from "../parts/places.js";
import { rose } from "../parts/rose.js";
import { keep, kept } from "../common/storage.js";
import { finder, likelyNation, newUnit, placed } from "../parts/units.js";
import { combatOf, groundOf, hexsideTrack, named, nameOf, ratingsOf, sideOf, spoken, trackOf, usualOf, valuesOf, worded } from "../common/words.js";
import { bars, working } from "../parts/working.js";

export const battle = {
  id: "battle",
  title: "Battle",
  icon: "M5 5l14 14M19 5 5 19M5 15v4h4M19 15v4h-4",
  wanted: (app) => Boolean(app.state.words && combatOf(app.state.words)),
  mount,
};

const LOST = 5; // steps lost that are figures to tap
const EMPTY = { target: "", hex: "", focus: "", mode: "units", facts: false, search: { text: "", group: "" }, unit: "", form: null, draft: null, rolls: {}, given: {}, options: {} };

function mount(element, app) {
  const { state } = app;
  let local = { ...EMPTY };
  let last = Promise.resolve(); // the line that is worked out last
  let laid = []; // the rolls that lie on the page
  let around = null; // the hex that may be attacked and the six around it, while no combat is open there

  let visit = 0; // counts the hexes that have been looked at: what is told about an earlier one is dropped
  const guard = guarded(element);

  const change = (more) => {
    local = { ...local, ...more };
    keep(`battle:${state.table.table}`, { target: local.target, focus: local.focus, mode: local.mode });
    show();
  };

  const view = () => {
    const { combat } = state.table;
    if (combat && (!local.target || combat.target === local.target)) return { ...combat, isOpen: true };
    return around && around.target === local.target ? { ...around, isOpen: false } : null;
  };

  /** Turn to another hex, "" for none. */
  const turn = (hex, more = {}) => {
    visit += 1;
    local = { ...EMPTY, of: local.of, target: hex, focus: hex, ...more };
    around = null;
  };

  /** What stands around the attacked hex; null if that cannot be told, or once another hex is looked at. */
  async function survey() {
    const mine = visit;
    const shown = await app.about({ do: "around", hex: local.target }).catch(() => null);
    return mine === visit ? shown : null;
  }

  /** After a new table: what stands around the hex, and whether the combat can be asked about. */
  async function follow(table) {
    if (table.combat && !local.target && !local.chosen) local = { ...local, target: table.combat.target, focus: table.combat.target };
    if (local.target && table.combat?.target !== local.target) {
      const shown = await survey();
      if (shown?.is === "combat") {
        around = shown;
        local = { ...local, focus: local.focus === local.target ? shown.target : local.focus, target: shown.target };
      } else if (shown) {
        app.refuse(shown);
        local = { ...local, target: "", hex: "" };
      }
    }
    show();
  }

  async function enter(line, options) {
    const table = await app.enter(line, options);
    if (table.is !== "table" || table.refused) return table;
    const now = view();
    if (now && !now.isOpen && now.target === local.target) await ready();
    return table;
  }

  /** Enter a line that is worked out from what is shown once all taps before it have been answered, so that each of two quick
   * ones counts. lineOf(now): the line, "" for none. */
  function later(lineOf) {
    last = last.then(() => answered(state)).then(() => {
      const now = view();
      const line = now && lineOf(now);
      return line ? app.enter(line) : null;
    });
  }

  /** Ask about the combat as soon as both sides stand there, with the options that were chosen before. */
  async function ready() {
    const shown = await survey();
    if (shown?.is !== "combat") return;
    around = shown;
    if (shown.units.length && shown.around.some(({ attacks }) => attacks)) {
      const chosen = Object.entries(local.options).map(([name, value]) => `${name}=${named(value)}`);
      local = { ...local, options: {} };
      await app.enter([`${shown.target} <`, ...chosen].join(" "));
    }
    show();
  }

  const choose = (hex) => {
    turn(hex);
    const mine = visit;
    follow(state.table).then(() => {
      if (mine !== visit) return;
      if (view() && !view().isOpen) ready();
      change({});
    });
  };

  const pick = (unit) => {
    change({ unit, form: null });
    element.querySelector(".unit-row")?.scrollIntoView({ block: "nearest" });
  };

  const stack = async (now, unit, words = "") => {
    const { search } = local;
    const line = `${local.focus} +${words}${placed(unit)}`;
    const lacks = unit.figures?.length && unit.figures.every((figure) => !figure || figure === "?");
    const form = lacks ? { words: state.words, fields: fieldsOf(state.words, unit.figures), at: 0, hex: local.focus } : null;
    const more = search.text && unit.groups?.includes(search.text) && search.text !== unit.id;
    change({ unit: lacks ? unit.id : "", form, draft: null, search: { ...search, text: more ? search.text : "" } });
    const beside = now.isOpen && now.around.find(({ hex }) => hex === local.focus);
    const enemy = beside && !beside.attacks && unit.side !== now.side;
    await enter(line);
    if (enemy && !view()?.around.find(({ hex }) => hex === beside.hex)?.attacks) await app.enter(`<${beside.hex}`);
  };

  const attack = (hex, attacks) =>
    later((now) => {
      const others = now.around.filter((one) => one.attacks && one.hex !== hex).map((one) => one.hex);
      if (!attacks && !others.length) app.say("One hex must attack.");
      return attacks ? `<${hex}` : others.length ? `${now.target} < ${others.join(" ")}` : "";
    });

  const press = (hex) => hex !== local.focus && change({ focus: hex, unit: "", form: null, draft: null, search: { text: "", group: "" }, mode: local.mode === "roll" ? "units" : local.mode });

  async function carryOut() {
    const { answer } = state.table;
    const table = await app.enter("done");
    if (table.is !== "table" || table.refused) return;
    keepCarriedOut(table.table, answer);
    turn("");
    change({});
    app.top();
  }

  function show() {
    const { table, words } = state;
    if (!table || !words) return;
    if (!combatOf(words)) return draw(element, h("p", { class: "plain" }, `${words.title} has no combat on one line; its questions are under Ask.`));
    const done = carriedOut(table.table);
    const list = done && !done.away && !table.combat;
    const now = local.target ? view() : null;
    laid = laidOut(laid, table);
    draw(element, list ? h("div", { class: "battle done" }, changesList(table.table, done, { again: show })) : now ? scene(now) : h("div", { class: "battle" }, hexPad()));
    guard(list ? "list" : !now ? "pad" : modeOf(now) === "roll" ? `roll ${shapeOf(table.pending, laid)}` : modeOf(now));
  }

  function hexPad() {
    const { words, table } = state;
    const put = (hex) => {
      const full = words.digits && hex.length >= words.digits && !(hex.length === words.digits && words.longer.includes(hex));
      if (full) choose(hex);
      else change({ hex });
    };
    return h("section", { class: "hex-pad" },
      h("h2", null, "Which hex is attacked?"),
      h("div", { class: "row" },
        h("input", { class: "search large", type: "text", inputmode: words.digits ? "none" : "text", autocomplete: "off", "aria-label": "The attacked hex", value: local.hex, hook: focusOnDesk, oninput: (event) => put(event.target.value), onkeydown: (event) => event.key === "Enter" && local.hex && choose(local.hex) }),
        button({ class: "main-button", disabled: !local.hex, onclick: () => choose(local.hex) }, "Here"),
      ),
      pad((key) => put(typed(local.hex, key)), { label: "the number of the hex" }),
      carriedOut(table.table) && !table.combat ? h("div", { class: "row" }, button({ class: "quiet-button", onclick: () => { takeOut(table.table); show(); } }, "What changed last")) : null,
      table.units.some(({ on_map }) => on_map) ? [h("h3", null, "Where units stand"), places(words, table, { press: choose })] : null,
    );
  }

  function scene(now) {
    const { table, words } = state;
    const mode = modeOf(now);
    const rolling = mode === "roll";
    return h("div", { class: `battle ${rolling ? "rolling" : ""}` },
      h("section", { key: "map", class: "map", "aria-label": "The hexes of the battle" }, picture(now)),
      h("div", { key: "tray", class: "tray" },
        modes(now),
        mode === "units" ? unitsTray(now) : mode === "options" ? optionsTray(now) : rollTray(now),
      ),
      h("section", { key: "working", class: "below", "aria-label": "The working" }, table.answer && working(table.answer, app.meaning), more()),
    );
  }

  function more() {
    const { table } = state;
    const history = () => h("ol", { class: "history", reversed: true }, table.entries.map((entry) => h("li", { key: entry.number, class: entry.struck ? "struck" : "" }, h("span", { class: "number" }, entry.number), h("span", null, entry.text))));
    return h("div", { class: "row" },
      button({ class: "quiet-button", onclick: () => app.sheet("What was entered", history) }, "History"),
      table.answer?.text && button({ class: "quiet-button", onclick: () => navigator.clipboard?.writeText(table.answer.text).then(() => app.say("Copied for a post."), () => app.say("This browser does not let a page copy.")) }, "Copy for a post"),
      button({ class: "quiet-button", onclick: () => { turn("", { chosen: true }); change({}); } }, "Another hex"),
    );
  }

  /** Whether dice, a choice or a result are due. */
  const isDue = (now) => now.isOpen && Boolean(state.table.pending || state.table.answer?.changes.length);

  /** What is shown beside the hexes: what was chosen, as far as there is such a thing now. */
  const modeOf = (now) => (local.mode === "roll" && !isDue(now) ? "units" : local.mode);

  function modes(now) {
    const { table } = state;
    const due = table.pending;
    const ready = isDue(now);
    const roll = !due ? (table.answer?.changes.length ? "Result" : "Roll") : due.kind === "roll" ? "Roll" : due.kind === "choice" ? "Choose" : "State";
    const named = [["units", "Units"], ["options", "Options"], ["roll", roll]];
    return h("div", { class: "segments modes", role: "group", "aria-label": "What to do" },
      named.map(([mode, title]) => button({ key: mode, pressed: modeOf(now) === mode, disabled: mode === "roll" && !ready, class: mode === "roll" && ready ? "due" : "", onclick: () => change({ mode, form: null, draft: null }) }, title)));
  }

  function picture(now) {
    const { words } = state;
    const units = new Map(state.table.units.map((unit) => [unit.id, unit]));
    const stackOf = (ids) => h("span", { class: "stack" }, ids.slice(0, 3).map((id) => units.get(id) && card(words, units.get(id), { small: true })), ids.length > 3 ? h("small", null, `+${ids.length - 3}`) : null);
    const ground = (facts) => facts.filter(({ track, value }) => words.ground.includes(track) && value !== trackOf(words, track).silent).map((fact) => `${worded(fact)}${fact.doubtful ? "?" : ""}`).join(", ");
    const strong = (side) => sideOf(words, side)?.strong;
    const withheld = new Set(now.withheld);
    return rose({
      label: `${now.target} and the hexes around it`,
      centre: { hex: now.target, picked: local.focus === now.target, strong: strong(now.side), tone: "attacked", said: [now.units.length ? "" : "empty", "attacked"].filter(Boolean).join(", "), press: () => press(now.target), contents: [h("b", null, now.target), stackOf(now.units), h("small", { class: "ground" }, ground(now.ground))] },
      around: now.around.map((one) => {
        const enemy = one.units.length > 0 && one.side !== now.side;
        return {
          hex: one.hex, angle: one.angle, picked: local.focus === one.hex, strong: strong(one.side),
          tone: enemy ? (one.attacks ? "attacks" : "stays") : one.units.length ? "friend" : "",
          said: one.units.length ? enemy && one.attacks && "attacks" : "empty",
          press: () => press(one.hex),
          contents: [h("b", null, one.hex), stackOf(one.units.filter((id) => !withheld.has(id))), h("small", { class: "ground" }, ground(one.ground)), enemy && !one.attacks && h("small", { class: "role" }, "stays out")],
        };
      }),
      edges: now.around.filter((one) => one.units.length || local.focus === one.hex).map((one) => edge(now, one)),
    });
  }

  /** The button on a hexside: its first track of words, which a tap turns to the next. */
  function edge(now, one) {
    const { words } = state;
    const track = hexsideTrack(words);
    const values = valuesOf(track);
    const first = usualOf(words, track?.name)[0] ?? values[0];
    const factOf = ({ between }) => between.find((known) => known.track === track?.name);
    const after = (there) => values[(values.indexOf(factOf(there)?.value ?? first) + 1) % values.length];
    const [fact, value, next] = [factOf(one), factOf(one)?.value ?? first, after(one)];
    const turned = ({ target, around: all }) => `${target}|${one.hex} ${after(all.find(({ hex }) => hex === one.hex))}`;
    return { key: `edge ${one.hex}`, angle: one.angle, "aria-label": `Hexside to ${one.hex}: ${spoken(value)}. Tap for ${spoken(next)}`, disabled: values.length < 2, onclick: () => later(turned), contents: h("span", { class: `water ${fact && !fact.doubtful ? "sure" : ""} ${value === first ? "nothing" : ""}` }, value === first ? (fact && !fact.doubtful ? "–" : "+") : spoken(value)) };
  }

  function unitsTray(now) {
    const { words, table } = state;
    const beside = now.around.find((one) => one.hex === local.focus);
    const here = table.units.filter((unit) => unit.place === local.focus);
    const picked = here.find((unit) => unit.id === local.unit);
    const side = expectedSide(words, now, beside, here);
    return h("div", { class: "units" },
      here.length || beside
        ? h("div", { class: "here", role: "group", "aria-label": `Units in ${local.focus}` },
            here.map((unit) => button({ key: unit.id, class: `card ${now.withheld.includes(unit.id) ? "withheld" : ""}`, pressed: unit.id === local.unit, onclick: () => pick(unit.id === local.unit ? "" : unit.id) }, card(words, unit), heard(told(words, unit)), now.withheld.includes(unit.id) && heard("withheld"))),
            beside && here.length > 0 && beside.side !== now.side && now.isOpen ? button({ key: "attacks", class: "chip", pressed: beside.attacks, onclick: () => attack(beside.hex, !beside.attacks) }, beside.attacks ? "attacks" : "stays out") : null)
        : null,
      picked && !local.form && unitRow(now, picked),
      local.form
        ? figuresForm({ form: { ...local.form, words }, title: `Figures of ${local.unit}`, change: (form) => change({ form }), finish: finishForm, same: sameFigures(table) })
        : local.draft
          ? newUnit({ words, draft: local.draft, change: (draft) => change({ draft }), place: (draft) => placeNew(now, draft) })
          : finder({ words, table, side, here: local.focus, fighting: new Set([now.target, ...now.around.map(({ hex }) => hex)]), search: local.search, change: (search) => change({ search }), pick: (unit) => stack(now, unit), create: (name) => create(now, name, side) }),
      groundRow(now, beside),
    );
  }

  /** The unit whose figures another one may have: that which was stated last, or one in the same hex. */
  const sameFigures = (table) => {
    const known = table.units.filter((unit) => unit.id !== local.unit && unit.figures.some((figure) => figure !== "?"));
    return known.find((unit) => unit.id === local.last) ?? known.findLast((unit) => unit.place === local.focus);
  };

  async function finishForm(form) {
    const line = figuresLine(form);
    const unit = local.unit;
    change({ form: null, last: line ? unit : local.last });
    const table = line ? await enter(`${named(unit)} ${line}`) : {};
    if (table.refused) change({ form, unit }); // what was typed stays
  }

  /** A unit that no roster has: placed at once if its stack says of which nation it is, else asked about. */
  function create(now, name, side) {
    const { words, table } = state;
    const draft = { name, facts: { ...usualIdentity(words), nation: likelyNation(words, table, local.focus, side) } };
    if (table.units.some((unit) => unit.place === local.focus)) placeNew(now, draft);
    else change({ draft });
  }

  function placeNew(now, { name, facts }) {
    const words = state.words.identity.map((track) => facts[track]).filter(Boolean).join(" ");
    stack(now, { id: name, side: state.words.sides.find((side) => side.nations.some(({ id }) => id === facts.nation))?.id, figures: ratingsOf(state.words).map(() => "") }, words ? `${words} ` : "");
  }

  /** What a unit has lost, as figures to tap; further facts about it, figures, withholding. */
  function unitRow(now, unit) {
    const { words } = state;
    const stated = (track, { facts } = unit) => facts.find((fact) => fact.track === track.name)?.value;
    const say = (track, value) => app.enter(`${named(unit.id)} ${track.name}=${value}`);
    const step = (track, by) =>
      later(() => {
        const now = state.table.units.find(({ id }) => id === unit.id);
        return now ? `${named(unit.id)} ${track.name}=${Number(stated(track, now) || 0) + by}` : "";
      });
    const less = trackOf(words, words.less);
    const most = Math.min(Number(unit.figures[0]) || LOST, LOST);
    const lost = Number(less && (stated(less) ?? 0));
    const withheld = now.withheld.includes(unit.id);
    const others = words.tracks.filter((track) => track.on === "unit" && !track.printed && track !== less && ["integer", "flag", "choice"].includes(track.kind));
    return h("div", { class: "unit-row" },
      less && h("div", { class: "segments lost", role: "group", "aria-label": less.title },
        h("span", { class: "faint" }, less.title),
        Array.from({ length: most + 1 }, (_, number) => button({ key: number, "aria-label": `${less.title}: ${number}`, pressed: number === lost, onclick: () => say(less, number) }, number)),
        h("span", { key: "more" }, button({ "aria-label": `${less.title}: one more`, onclick: () => step(less, 1) }, lost > most ? `${lost}+` : "+"))),
      h("div", { class: "row" },
        ratingsOf(words).length ? button({ class: "quiet-button", onclick: () => change({ form: { fields: fieldsOf(words, unit.figures), at: 0 } }) }, "Figures") : null,
        now.isOpen && button({ class: "quiet-button", pressed: withheld, onclick: () => app.enter(`${withheld ? "+" : "-"}${named(unit.id)}`) }, withheld ? "Let it fight" : "Withhold"),
        others.length ? button({ class: "quiet-button", "aria-expanded": String(local.facts), onclick: () => change({ facts: !local.facts }) }, "More") : null,
        button({ class: "quiet-button", onclick: () => { change({ unit: "" }); enter(`off ${named(unit.id)}`); } }, "Take off")),
      local.facts && h("div", { class: "parameters" }, others.map((track) => factRow(track, stated(track), { say: (value) => say(track, value), step: (by) => step(track, by) }, app.meaning))));
  }

  /** What is known of the ground of the hex that is chosen, as buttons of words. */
  function groundRow(now, beside) {
    const { words } = state;
    const row = (track, subject, facts, title) => {
      const values = valuesOf(track);
      const fact = facts.find((known) => known.track === track.name);
      if (!values.length) return factRow(track, fact?.value, { step: (by) => later((there) => `${subject} ${track.name}=${Number(groundAt(there, subject).find((known) => known.track === track.name)?.value ?? 0) + by}`) }, app.meaning);
      const value = fact?.value ?? usualOf(words, track.name)[0] ?? track.silent;
      return h("div", { key: `${subject}${track.name}`, class: "segments ground-row", role: "group", "aria-label": title }, values.map((option) => button({ key: option, class: fact && !fact.doubtful ? "" : "usual", pressed: option === value, onclick: () => app.enter(`${subject} ${option}`) }, spoken(option))));
    };
    const side = hexsideTrack(words);
    const title = (track) => `${track.name === words.terrain ? "Terrain" : track.title} of ${local.focus}`;
    return h("details", { key: "ground", class: "ground-of", open: local.ground },
      h("summary", null, `Ground of ${local.focus}`),
      groundOf(words).map((track) => row(track, local.focus, (beside ?? now).ground, title(track))),
      beside && side ? row(side, `${now.target}|${beside.hex}`, beside.between, `Hexside between ${now.target} and ${beside.hex}`) : null);
  }

  function optionsTray(now) {
    const parameters = now.isOpen ? now.parameters : now.parameters.map((one) => ({ ...one, value: local.options[one.name] ?? "" }));
    const choose = (name, value) => change({ options: { ...local.options, [name]: value } });
    return options({
      words: state.words,
      parameters,
      set: (name, value) => (now.isOpen ? app.enter(`${name}=${value && named(value)}`) : choose(name, value)),
      step: (name, by) => (now.isOpen ? later((there) => `${name}=${valueIn(there, name) + by}`) : choose(name, String(Number(local.options[name] ?? 0) + by))),
      explain: (name, meaning) => app.sheet(nameOf(state.words, name), () => h("p", null, meaning)),
    });
  }

  /** What nobody has stated and a battle often turns on, each a tap away. */
  function reminders(now) {
    const { words, table } = state;
    const less = trackOf(words, words.less);
    const fighting = new Set([now.target, ...now.around.filter(({ attacks }) => attacks).map(({ hex }) => hex)]);
    const worn = table.units.some((unit) => fighting.has(unit.place) && unit.facts.some(({ track }) => track === words.less));
    const unsaid = groundOf(words).filter((track) => !valuesOf(track).length && !now.ground.some((fact) => fact.track === track.name));
    const some = [
      less && !worn && { text: `${less.title}: none`, go: { mode: "units", focus: now.target } },
      ...unsaid.map((track) => ({ text: `${track.title}: ${track.silent}`, go: { mode: "units", focus: now.target, ground: true } })),
      ...now.parameters.filter(({ name, value }) => !value && usualOf(words, name).length).map(({ name }) => ({ text: `${nameOf(words, name)}: ${usualOf(words, name)[0]}`, go: { mode: "options" } })),
    ].filter(Boolean);
    return some.length > 0 && h("details", { key: "reminders", class: "part" },
      h("summary", null, h("b", null, "Before the dice"), h("span", { class: "brief" }, some.map(({ text }) => text).join("; "))),
      h("div", { class: "chips" }, some.map(({ text, go }) => button({ key: text, class: "chip", onclick: () => change({ unit: "", ...go }) }, text))));
  }

  function rollTray(now) {
    const { table } = state;
    const answer = table.answer;
    const give = (name, value, { seed } = {}) => {
      local.given = { ...local.given, [name]: value };
      if (seed) app.say(`Thrown: ${value}, from the seed ${seed}.`);
      return app.enter(`answers ${name}=${value}`, seed ? { tap: `throw-${seed}` } : {});
    };
    const isFirst = table.pending?.kind === "roll" && answer.chains.length < 2; // no dice lie yet
    const chances = answer.parts.flatMap((part) => part.steps).filter((step) => step.bars.length);
    return h("div", { class: "rolls" },
      isFirst && reminders(now),
      asked(table, { laid, given: local.given, local: local.rolls, change: (rolls) => change({ rolls }), answer: give, enter: (line) => app.enter(line), app }),
      !table.pending && answer.changes.length
        ? h("section", { class: "changes" },
            h("h2", null, "What changes"),
            h("ul", { class: "plain-list" }, answer.changes.map((text, number) => h("li", { key: number }, text))),
            notedLine(answer.noted),
            h("div", { class: "row" }, button({ class: "main-button", onclick: carryOut }, "Carry out")))
        : null,
      !table.pending && !answer.changes.length && h("p", null, answer.answers.join(" / ")),
      chances.length ? h("details", { key: "chances", class: "part", open: true }, h("summary", null, h("b", null, "Chances")), chances.map((step, number) => h("div", { key: number }, h("p", null, step.text), bars(step.bars)))) : null,
    );
  }

  state.on("words", show);
  state.on("table", (table) => {
    if (local.of !== table.table) {
      const before = kept(`battle:${table.table}`);
      local = { ...EMPTY, of: table.table, ...(before ?? {}) };
      around = null;
    }
    follow(table);
  });
  return { opened: (detail) => detail?.target && choose(detail.target) };
}

/** Once no tap is on its way. */
const answered = (state) =>
  new Promise((resolve) => {
    const end = state.on("taps", (taps) => {
      if (taps.length) return;
      resolve();
      queueMicrotask(() => end());
    });
  });

/** The number of an option as it is now. */
const valueIn = ({ parameters }, name) => Number(parameters.find((one) => one.name === name)?.value || 0);

/** What is known of the ground of one of the seven hexes. */
const groundAt = (now, hex) => (now.around.find((one) => one.hex === hex) ?? now).ground;

/** The facts that an unknown unit usually has, by track. */
const usualIdentity = (words) => Object.fromEntries(words.identity.map((name) => [name, usualOf(words, name)[0] ?? ""]));

/** Where there is a keyboard, typing goes to a field at once. */
const focusOnDesk = (field) => matchMedia("(pointer: fine)").matches && queueMicrotask(() => field.focus());

/** Which side most likely stands in a hex: that of its units, or the other one than that across the hexside. */
function expectedSide(words, now, beside, here) {
  if (here.length) return here[0].side;
  const enemies = now.around.find((one) => one.units.length && one.side !== now.side)?.side;
  const across = beside ? now.side : enemies;
  return words.sides.length === 2 && across ? words.sides.find(({ id }) => id !== across).id : "";
}
