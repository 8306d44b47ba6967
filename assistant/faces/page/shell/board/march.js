// A march: the units of a hex, the hexes that they can reach with what is left there, the way that is tapped, and what the rules say
// of it. The way is entered as the line that one would have typed, `UNITS > HEX HEX`, so that Undo takes back a tap.

import { button, draw, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { capital, named, nameOf } from "../common/words.js";
import { notedLine } from "../battle/result.js";
import { card } from "../parts/cards.js";
import { asked } from "../parts/dice.js";
import { missing } from "../parts/missing.js";
import { trustChips } from "../parts/trust.js";
import { parameterList } from "../parts/parameters.js";
import { isRefusal, reasons, reasonsOf } from "../parts/reasons.js";
import { working } from "../parts/working.js";

const KEPT = ["flag", "number", "word", "side", "nation"]; // parameters that hold for another way too: the others name hexes
const SIGNS = { yes: "✓", no: "✗", undecided: "?", figure: "=" };

const nameOfWay = ({ table, turn }, { units, way }) => [table, turn, ...units, ">", ...way].join(" ");

/** What is left in a hex, in words. */
const whatIsLeft = ({ left, beyond }) => (beyond ? `${beyond} beyond the allowance` : `${left} left`);

/** The card of a march in an element. board: { changed(), beside(hex), look(hexes), reveal(hex), back(hex, unit), closed() }. Returns { on, survey(units),
 * answer(), together(units), hexes(), reaches(hex), go(hex), begin(units), tap(hex), end(), marks(sign), told(hex) }; `survey` only shows what units can reach, and a march is on from
 * `begin` or `go`. */
export function marcher(element, app, board) {
  const { state } = app;
  let units = [], from = "", reach = null, sent = null, local = {}, visit = 0, own = 0, isLeaving = false, isOn = false, carried = "";

  /** The move of these units that is open at the table, null for none. */
  const open = () => {
    const { march } = state.table;
    return march && march.units.length === units.length && march.units.every((unit) => units.includes(unit)) ? march : null;
  };
  /** The answer to it, while no other way is on its way. */
  const answered = () => (open() && !sent ? state.table.answer : null);
  const way = () => sent ?? open()?.way ?? [];
  const unitOf = (name) => state.table.units.find(({ id }) => id === name);
  const parameters = () => state.words.questions.find(({ name }) => name === state.words.march)?.parameters ?? [];
  const reached = (hex) => reach?.hexes.find((one) => one.hex === hex);

  const together = (names) => (parameters()[0]?.many ? [...names] : names.slice(0, 1));
  const muster = (names) => {
    from = unitOf(names[0])?.place ?? "";
    units = together(names);
    [reach, sent, local] = [null, null, {}];
  };
  const begin = (names) => {
    muster(names);
    isOn = true;
    survey({ looks: true });
    return from;
  };
  const end = () => {
    if (!units.length) return;
    visit += 1;
    [units, from, reach, sent, isOn] = [[], "", null, null, false];
    show();
  };
  /** Begin the march to a hex that the units can reach, with the cheapest way there. */
  const go = (hex) => {
    isOn = true;
    return lay(reached(hex).way);
  };
  /** Ask which hexes the units can reach. */
  const survey = async ({ looks = false } = {}) => {
    const mine = (visit += 1);
    show();
    if (!units.length) return;
    const told = await app.about({ do: "reach", units }).catch(() => null);
    if (mine !== visit) return;
    if (told?.is === "refused") app.refuse(told);
    reach = told?.is === "reach" ? told : null;
    show();
    if (looks && reach?.hexes.length) board.look([from, ...reach.hexes.map(({ hex }) => hex)]);
    else if (looks) board.reveal(from);
  };
  const choose = (unit) => {
    const others = units.filter((name) => name !== unit);
    if (units.includes(unit) && !others.length) return app.say("One unit must march.");
    const before = way();
    units = units.includes(unit) ? others : parameters()[0]?.many ? [...units, unit] : [unit];
    if (before.length) lay(before, { anew: true });
    else survey();
  };

  /** Enter a way: hexes, or what is typed behind the sign. */
  const enter = async (behind) => {
    own += 1;
    const more = (open()?.parameters ?? []).filter(({ takes, value }) => value && KEPT.includes(takes)).map(({ name, value }) => `${name}=${named(value)}`);
    const entered = await app.enter([...units.map(named), ">", behind, ...more].join(" "));
    own -= 1;
    return entered;
  };
  /** Let the same way be possible: without a unit, or with another parameter. */
  const amend = ({ name, value, line }) => {
    if (name !== parameters()[0].name) return app.enter(line);
    const before = way();
    units = value.split(",");
    lay(before, { anew: true });
  };
  const lay = async (hexes, { anew = !reach } = {}) => {
    const mine = (sent = hexes);
    show();
    await enter(hexes.join(" "));
    if (sent === mine) sent = null;
    board.reveal(hexes.at(-1));
    if (anew) survey();
    else show();
  };
  /** A hex that is tapped: one more beside the last one, a shorter way for one that is on it, else the cheapest way there. */
  const tap = (hex) => {
    const now = way(), last = now.at(-1) ?? from, at = now.indexOf(hex);
    if (hex === from) return app.say(`${from} is where they begin: tap the hex to which they go.`);
    if (at >= 0) return at + 1 < now.length && lay(now.slice(0, at + 1));
    if (board.beside(last).includes(hex)) return lay([...now, hex]);
    if (reached(hex)) return lay(reached(hex).way);
    const why = reach?.barred.find(([barred]) => barred === hex)?.[1];
    app.say(reach ? `${hex} is not within reach${why ? `: ${why}` : ""}. Adjacent hexes can be tapped one after the other.` : "The hexes within reach are not known yet: tap the hexes one by one.");
  };
  const carryOut = async () => {
    if (isLeaving) return; // a second tap is no second order
    isLeaving = true;
    const now = open(), [unit] = now.units, entered = await app.enter("done");
    isLeaving = false;
    if (!isEntered(entered)) return;
    carried = nameOfWay(state.table, now);
    app.say("Carried out and entered; Undo takes it back");
    const place = unitOf(unit)?.place;
    if (place) board.back(place, unit);
    else board.closed();
  };
  const answer = async (name, value, { seed } = {}) => {
    const entered = await app.enter(`${name}=${value}`, seed ? { tap: `throw-${seed}` } : {});
    if (seed && isEntered(entered)) app.say(`Thrown: ${value}, from the seed ${seed}.`);
  };

  const show = () => {
    element.hidden = !isOn;
    if (isOn) {
      element.setAttribute("aria-label", "March");
      draw(element, head(), h("div", { class: "card-body" }, verdict(), cheaper(), who(), owed(), change(), typing(), options(), list()));
    }
    board.changed();
  };
  const head = () =>
    h("header", null,
      button({ class: "plain", "aria-label": `Back to ${units.length > 1 ? `hex ${from}` : units[0]}`, onclick: () => board.back(from, units.length > 1 ? "" : units[0]) }, "‹"),
      h("h2", { tabindex: "-1" }, "March ", h("span", { class: "faint" }, `from ${from}`)),
      button({ class: "plain", "aria-label": "Close", onclick: () => board.closed() }, "×"),
    );
  const who = () => {
    const side = unitOf(units[0])?.side, there = state.table.units.filter((unit) => unit.place === from && unit.side === side);
    return h("div", { key: "who", class: "card-units", role: "group", "aria-label": "Who marches" },
      there.map((unit) => button({ key: unit.id, class: "card", pressed: units.includes(unit.id), onclick: () => choose(unit.id) }, card(state.words, unit))));
  };
  /** The way with what is said of it, and what carries it out. */
  const verdict = () => {
    const told = answered();
    return h("section", { key: "verdict", class: `outcome ${told?.kind === "figure" ? "value" : (told?.kind ?? "")}` },
      told && h("p", { class: "mark", "aria-hidden": "true" }, SIGNS[told.kind] ?? ""),
      h("div", null,
        h("p", { class: "march-way", role: "status" }, way().length ? [from, ...way()].join(" → ") : hint()),
        told && (isRefusal(told) ? reasons(told, app, amend) : told.answers.map((text, number) => h("p", { key: number, class: "said" }, capital(text)))),
        trustChips(told ? told !== state.table.answer && told.rests_on : reach?.rests_on, app)),
      told && !state.table.pending && told.changes.length > 0 && button({ class: "main-button", "data-due": `carry out ${way().join(" ")}`, onclick: carryOut }, "Carry out"));
  };
  const hint = () => {
    const some = reach?.hexes.length ?? 0;
    if (!reach) return "Finding the hexes within reach …";
    if (reach.answer && !some) return capital(reach.answer.answers[0] ?? reach.answer.title);
    const beyond = reach.hexes.some((place) => place.beyond) ? " Those with − are beyond the allowance." : "";
    return some ? `${some} ${some === 1 ? "hex is" : "hexes are"} within reach, each with what is left there. Tap one for the cheapest way, or lay your own, hex after hex.${beyond}` : "Tap the hexes of the way, one after the other.";
  };
  /** The cheapest way to where the way leads, if that is another one. */
  const cheaper = () => {
    const cheapest = sent ? null : reached(way().at(-1));
    if (!cheapest || cheapest.way.join(" ") === way().join(" ")) return null;
    return h("div", { key: "cheapest", class: "row" }, button({ class: "quiet-button", onclick: () => lay(cheapest.way) }, `Cheapest way: ${cheapest.way.join(" ")}, ${whatIsLeft(cheapest)}`));
  };
  /** What is asked for: of the way, or before it of the hexes within reach. */
  const owed = () => {
    if (open()) return asked(state.table, { local, change: (typed) => ((local = typed), show()), answer, enter: app.enter, app });
    const told = reach?.answer;
    if (!told) return null;
    return [
      reasons({ ...told, remedies: [] }, app),
      told.asks.slice(0, 1).map((ask) => missing(ask, { typed: local[ask.name], put: (text) => ((local = { ...local, [ask.name]: text }), show()), enter: app.enter, app })),
    ];
  };
  /** What follows, and how it comes about. */
  const change = () => {
    const told = answered();
    if (!told) return null;
    const all = [...told.changes, ...told.books];
    return [
      !isRefusal(told) && reasons(told, app),
      all.length > 0 && h("details", { key: "changes", class: "part" }, h("summary", null, h("b", null, "What follows"), h("span", { class: "brief first" }, told.changes[0] ?? "")), h("ul", { class: "plain-list" }, all.map((text, number) => h("li", { key: number }, text))), notedLine(told.noted)),
      working({ ...told, parts: told.parts.slice(reasonsOf(told).length) }, app.meaning),
    ];
  };
  const typing = () => {
    const typed = async (event) => {
      event.preventDefault();
      const field = event.target.elements.way;
      if (field.value.trim() && isEntered(await enter(field.value.trim()))) field.value = "";
      survey();
    };
    return h("details", { key: "typing", class: "part" }, h("summary", null, h("b", null, "Type the way")),
      h("p", { class: "faint" }, "Hex by hex: before each, what lies between; after it, its terrain, as at the table prompt: -4021r/4022."),
      h("form", { class: "row", onsubmit: typed },
        h("input", { name: "way", class: "search", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "The way, hex by hex" }),
        button({ type: "submit", class: "main-button" }, "Enter it")));
  };
  const options = () => {
    const now = open();
    if (!now?.parameters.length || sent) return null;
    return h("details", { key: "options", class: "part" }, h("summary", null, h("b", null, "Options")),
      parameterList({
        words: state.words,
        parameters: now.parameters,
        set: (name, value) => app.enter(`${name}=${value && named(value)}`),
        step: (name, by) => app.enter(`${name}=${Number(now.parameters.find((one) => one.name === name).value || 0) + by}`),
        explain: (name, meaning) => app.sheet(capital(nameOf(state.words, name)), () => h("p", null, `${capital(meaning)}.`)),
      }));
  };
  /** The hexes within reach as buttons, for those who do not see the map. */
  const list = () =>
    reach?.hexes.length > 0 && h("details", { key: "list", class: "part" }, h("summary", null, h("b", null, "Hexes within reach")),
      h("div", { class: "chips" }, reach.hexes.map((place) => button({ key: place.hex, class: "chip", "aria-label": `${place.hex}, ${whatIsLeft(place)}`, pressed: way().at(-1) === place.hex, onclick: () => lay(place.way) }, h("b", null, place.hex), ` ${place.beyond ? `−${place.beyond}` : place.left}`))));

  state.on("table", () => isOn && (own || unitOf(units[0])?.place !== from ? show() : survey()));
  return {
    get on() {
      return isOn;
    },
    /** Whether it is the march that was carried out here last: once that is taken back nobody goes on with it. */
    isCarried: (march) => carried === nameOfWay(state.table, march),
    survey(names) {
      muster(names);
      return survey();
    },
    /** The verdict on what they can reach, null while it is worked out. */
    answer: () => reach && { says: reach.says.length ? reach.says : (reach.answer?.answers ?? []), rests_on: reach.rests_on.length ? reach.rests_on : reach.answer?.rests_on, asks: reach.answer?.asks ?? [] },
    /** Those of some units of a hex that can march together: the first alone in a game whose units march one by one. */
    together,
    /** The hexes within reach, the cheapest first; null while they are worked out. */
    hexes: () => reach?.hexes.map(({ hex }) => hex) ?? null,
    reaches: (hex) => !isOn && Boolean(reached(hex)),
    go,
    begin,
    tap,
    end,
    /** sign(hex): what stands behind the points that are left in a hex. */
    marks(sign = () => "") {
      if (!units.length) return [];
      const now = way();
      return [
        { at: [from], kind: "chosen" },
        { at: (reach?.hexes ?? []).filter(({ beyond }) => !beyond).map(({ hex }) => hex), kind: "reached" },
        { at: (reach?.hexes ?? []).filter(({ beyond }) => beyond).map(({ hex }) => hex), kind: "beyond" },
        { at: now.slice(-1), kind: "end" },
        { way: now.length ? [from, ...now] : [], kind: "way" },
        ...(reach?.hexes ?? []).map(({ hex, left, beyond }) => ({ text: `${beyond ? `−${beyond}` : left}${sign(hex)}`, in: hex, kind: beyond ? "left short" : "left" })),
        ...(reach?.barred ?? []).map(([hex]) => ({ text: "×", in: hex, kind: "left" })),
      ];
    },
    /** What is said aloud of a hex while units march. */
    told(hex) {
      if (!units.length) return "";
      const barred = reach?.barred.find(([name]) => name === hex)?.[1];
      return reached(hex) ? whatIsLeft(reached(hex)) : barred ? `barred: ${barred}` : hex === from ? "where they begin" : "not within reach";
    },
  };
}
