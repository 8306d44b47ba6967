// The card of a hex: who stands there, whose zones reach it, its ground and hexsides and how each is known, and what can be done.

import { questions } from "./questions.js";
import { card, states } from "../parts/cards.js";
import { button, draw, h, sign } from "../common/dom.js";
import { chooseFact, titled } from "../parts/stating.js";
import { finder, likelyNation, newUnit, placed } from "../parts/units.js";
import { named, spoken, trackOf } from "../common/words.js";

const [UP, DOWN] = ["M6 15l6-6 6 6", "M6 9l6 6 6-6"];
const HOLD = 550; // milliseconds after which a tap on a fact opens all its words

/** The compass point of a hexside, from the angle at which it lies: of six. */
const point = (angle) => ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].find((_, eighth) => (eighth % 2 ? Math.abs(angle - eighth * 45) < 44 : angle === eighth * 45)) ?? "";
/** The card in an element: at first the units with what the map shows of them, the rest once it is opened. board: { close(), follow(hex, unit), nameOf(hex), move(unit),
 * march(units), beside(hex), layers }. Returns { hex, unit, show(hex, { all, focus, first }), hide(), again(), draw() }. */
export function hexCard(element, app, board) {
  let hex = "", told = null, unit = "", isWhole = false;
  const counters = new Map(); // pictures by unit and look
  const again = async () => {
    if (!hex) return;
    const asked = hex;
    if (told?.hex !== hex) {
      told = { hex, name: board.nameOf(hex), side: "", unseen: "", zones: [], zones_owed: "", ground: [], sides: [], units: standing(hex) };
      show(); // what is known at once, before the rules have been asked
    }
    const answered = await app.about({ do: "hex", hex }).catch(() => null);
    if (asked !== hex || !answered) return;
    told = answered.is === "hex" ? answered : null;
    if (!told) return app.refuse(answered);
    show();
  };
  /** The units of which the map shows where they go and so on: the one that is chosen, or those of the hex. */
  const look = () => board.layers.choose(hex, unit ? [unit] : standing(hex));
  /** The only unit of the hex, "" if there are others, or none. */
  const alone = () => (told.units.length === 1 && !told.unseen ? told.units[0] : "");
  const standing = (at) => app.state.table.units.filter(({ place }) => place === at).map(({ id }) => id);
  const show = () => {
    element.hidden = !hex;
    if (!hex || !told) return;
    element.setAttribute("aria-label", `Hex ${told.hex}`);
    element.classList.toggle("whole", isWhole || !(told.units.length || told.unseen));
    const lies = board.layers.row();
    draw(element, head(),
      h("div", { class: "card-peek" },
        !unit && !alone() && units(),
        (lies || isTarget()) && h("div", { key: "layers", class: "card-layers", role: "group", "aria-label": "Shown on the map" }, isTarget() && attack(), lies),
        board.layers.said()),
      h("div", { class: "card-body" }, unit ? unitPart() : [alone() && units(), actions(), zones(), ground(), sides(), questions(app, "hex", told.hex, board.layers.lay)]));
  };
  /** Whether the hex is one to attack: units stand there that are not of the phasing side, beside enemies. */
  const isTarget = () => {
    const { moment, units: all } = app.state.table, side = all.find(({ place }) => place === hex)?.side;
    if (!app.state.words.combat || !side || side === moment.find(({ track }) => track === "phasing")?.value) return false;
    const beside = board.beside(hex);
    return all.some((other) => other.side && other.side !== side && beside.includes(other.place));
  };
  const attack = () => button({ key: "attack", class: "main-button", onclick: () => app.open("battle", { target: hex }) }, "Attack this hex");
  const head = () =>
    h("header", null,
      unit && button({ class: "plain", "aria-label": `Back to hex ${told.hex}`, onclick: () => pick("") }, "‹"),
      h("h2", { tabindex: "-1" }, unit || alone() || told.hex, " ", h("span", { class: "faint" }, unit || alone() ? told.hex : told.name)),
      (told.units.length > 0 || told.unseen) && button({ class: "plain card-more", "aria-expanded": String(isWhole), "aria-label": `More about hex ${told.hex}`, onclick: () => ((isWhole = !isWhole), show(), board.changed()) }, sign(isWhole ? DOWN : UP)),
      button({ class: "plain", "aria-label": "Close", onclick: () => board.close() }, "×"),
    );
  const pick = (name) => {
    unit = name;
    look();
    show();
    element.querySelector("h2")?.focus();
  };
  const unitOf = (name) => app.state.table.units.find(({ id }) => id === name);

  const units = () =>
    told.units.length || told.unseen
      ? h("ul", { class: "card-units" },
          told.units.map((name) => {
            const there = unitOf(name);
            return h("li", { key: name }, button({ class: "card", onclick: () => pick(name) }, there ? card(app.state.words, there) : name));
          }),
          told.unseen && h("li", { class: "faint" }, `${told.units.length ? "others" : "units"} that are not seen (${told.unseen})`),
        )
      : null;
  const actions = () =>
    h("div", { class: "card-actions" },
      app.state.words.combat && !isTarget() && attack(),
      app.state.words.march && told.units.length > 0 && button({ onclick: () => board.march(told.units) }, "March from here"),
      button({ onclick: place }, "Put a unit here"),
      button({ onclick: () => state(told.hex, "hex") }, "State a fact"),
    );
  const zones = () =>
    told.zones_owed
      ? h("p", { class: "faint" }, `Zones of control: not known without ${told.zones_owed}.`)
      : told.zones.map((zone) => h("p", { key: zone.side, class: "card-zone" }, h("strong", null, zone.title), ` zone of control, of ${zone.of.join(", ")}`));

  const ground = () => told.ground.length > 0 && [h("h3", null, "Ground"), h("ul", { class: "card-facts" }, told.ground.map((fact) => row({ ...fact, subject: named(fact.subject) }, "hex")))];
  const sides = () => told.sides.length > 0 && [
    h("h3", null, "Hexsides"),
    h("ul", { class: "card-facts" },
      told.sides.flatMap((side) => side.known.map((fact, number) => row(fact, "hexside", number ? "" : point(side.angle), side.hex)))),
    h("p", { class: "faint" }, "Tap a word to change it; press and hold for all words."),
  ];
  const row = (fact, on, where = null, beyond = "") => {
    const word = spoken(fact.word.includes("=") ? fact.word.split("=").slice(1).join("=") : fact.word) || "?";
    let timer, held = false;
    const hold = () => {
      held = false;
      clearTimeout(timer);
      timer = setTimeout(() => ((held = true), choose(fact.subject, fact.track)), HOLD);
    };
    return h("li", { key: `${fact.track} ${fact.subject}`, class: fact.doubtful ? "doubtful" : "" },
      where !== null && h("span", { class: "point", "aria-hidden": "true" }, where),
      button({
        "aria-label": `${word} ${titled(track(fact.track))}${beyond ? ` to ${beyond}` : ""}, ${fact.how}`,
        onpointerdown: hold, onpointerup: () => clearTimeout(timer), onpointerleave: () => clearTimeout(timer),
        oncontextmenu: (event) => event.preventDefault(),
        onclick: () => (held ? (held = false) : cycle(fact)),
      }, h("strong", null, word), " ", h("span", null, titled(track(fact.track)))),
      h("small", { "aria-hidden": "true" }, fact.how),
    );
  };

  const track = (name) => trackOf(app.state.words, name);
  const cycle = (fact) => {
    const { values, kind } = track(fact.track);
    if (kind === "choices" || values.length < 2 || values.length > 9) return choose(fact.subject, fact.track);
    const now = values.findIndex(([value, word]) => value === fact.value || word === fact.word);
    app.enter(`${fact.subject} ${values[(now + 1) % values.length][1]}`);
  };
  /** All words of a track, to choose one. */
  const choose = (subject, name) => chooseFact(app, track(name), { before: subject, of: subject });
  /** All facts that can be stated of a hex or a unit. */
  const state = (subject, on) => {
    const arm = on === "unit" ? unitOf(subject)?.arm : "";
    const tracks = app.state.words.tracks.filter((one) => one.on === on && (!one.arms.length || !arm || one.arms.includes(arm)));
    const name = named(subject);
    app.sheet(`State a fact of ${subject}`, () => h("ul", { class: "choices" }, tracks.map((one) => h("li", { key: one.name }, button({ onclick: () => choose(name, one.name) }, h("strong", null, titled(one)), h("small", null, one.rule ? `rule ${one.rule}` : ""))))));
  };
  const place = () => {
    const { words, table } = app.state, at = told.hex, side = told.side;
    let search = { text: "", group: "" }, draft = null, again = null;
    const put = (close, unit) => (close(), app.enter(`${named(at)} +${unit}`));
    again = app.sheet(`Put a unit in ${at}`, (close) =>
      draft
        ? newUnit({ words, draft, change: (changed) => ((draft = changed), again()), place: ({ name, facts }) => put(close, [...Object.values(facts), named(name)].join(" ")) })
        : finder({ words, table, side, here: at, fighting: new Set(), search, change: (changed) => ((search = changed), again()), pick: (unit) => put(close, placed(unit)), create: (name) => ((draft = { name, facts: { [words.nation]: likelyNation(words, table, at, side) } }), again()) }),
    );
  };
  /** The counter of a unit as it lies on the table. */
  const counter = ({ id, look }) => {
    const key = `${id} ${look}`;
    if (!counters.has(key)) {
      counters.set(key, "");
      app.about({ do: "counter", unit: id }).then((drawn) => {
        if (drawn.is !== "drawn") return;
        counters.set(key, URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" })));
        show();
      }, () => counters.delete(key));
    }
    return counters.get(key) && h("img", { class: "card-counter", src: counters.get(key), alt: "" });
  };

  const unitPart = () => {
    const there = unitOf(unit);
    if (!there) return null;
    return [
      h("div", { class: "card-unit" },
        counter(there),
        h("p", null, [there.nation, there.arm, there.size].filter(Boolean).map(spoken).join(" "), h("br"), there.figures.join("–"), there.state.length ? [" · ", states(there.state)] : null)),
      h("div", { class: "card-actions" },
        app.state.words.march && there.on_map && button({ class: "main-button", onclick: () => board.march([unit]) }, "March", h("small", null, "by the rules, at its cost")),
        button({ onclick: () => board.move(unit) }, "Move it", app.state.words.march && h("small", null, "put it anywhere, at no cost")),
        button({ onclick: () => state(unit, "unit") }, "State a fact"),
        button({ onclick: () => app.meaning(unit) }, "What it is"),
        button({ onclick: () => app.enter(`off ${named(unit)}`) }, "Remove it from the map"),
      ),
      questions(app, "unit", unit, board.layers.lay),
      there.facts.length ? [h("h3", null, "Stated"), h("ul", { class: "card-facts" }, there.facts.map((fact) => row({ ...fact, subject: named(unit), how: "stated" }, "unit")))] : null,
    ];
  };

  return {
    get hex() {
      return hex;
    },
    /** The unit that is chosen, "" for none. */
    get unit() {
      return unit;
    },
    async show(at, { all = false, focus = false, first = "" } = {}) {
      hex = at;
      unit = first;
      look(); // before more is asked about the hex: it is what is looked at
      await again();
      if (focus) element.querySelector("h2")?.focus();
      if (all && told) state(told.hex, "hex");
    },
    hide() {
      [hex, unit, isWhole] = ["", "", false];
      told = null;
      element.hidden = true;
      board.layers.clear();
    },
    again() {
      if (!hex) return;
      const there = unit && !standing(hex).includes(unit) ? unitOf(unit) : null;
      if (there?.on_map) return board.follow(there.place, unit); // the card stays with its unit
      if (!standing(hex).includes(unit)) unit = "";
      look();
      return again();
    },
    draw: show,
  };
}
