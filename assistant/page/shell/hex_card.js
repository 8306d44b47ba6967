// The card of a hex: who stands there, whose zones reach it, its ground and hexsides and how each is known, and what can be done.

import { answer, questions } from "./ask.js";
import { button, draw, h } from "./dom.js";

const HOLD = 550; // milliseconds after which a tap on a fact opens all its words

/** The compass point of a hexside, from the angle at which it lies: of six. */
const point = (angle) => ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].find((_, eighth) => (eighth % 2 ? Math.abs(angle - eighth * 45) < 44 : angle === eighth * 45)) ?? "";
/** A name as it stands in a line: in quotes if it has spaces. */
export const named = (name) => (/[\s"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
const spoken = (word) => String(word ?? "").replaceAll("-", " ");

/** The card in an element. board: { close(), reveal(hex) }. Returns { show(hex, { all }), hide(), again() }. */
export function hexCard(element, app, board) {
  let hex = "", told = null, unit = "", list = null;
  const again = async () => {
    if (!hex) return;
    const asked = hex, answered = await app.about({ do: "hex", hex }).catch(() => null);
    if (asked !== hex || !answered) return;
    told = answered.is === "hex" ? answered : null;
    if (!told) return app.refuse(answered);
    if (!told.units.includes(unit)) unit = "";
    show();
  };
  const show = () => {
    element.hidden = !hex;
    if (!hex || !told) return;
    element.setAttribute("aria-label", `Hex ${told.hex}`);
    draw(element, head(), h("div", { class: "card-body" }, unit ? unitPart() : [units(), actions(), zones(), ground(), sides(), asked()]));
  };
  const head = () =>
    h("header", null,
      unit && button({ class: "plain", "aria-label": `Back to hex ${told.hex}`, onclick: () => pick("") }, "‹"),
      h("h2", { tabindex: "-1" }, unit || told.hex, " ", h("span", { class: "faint" }, unit ? told.hex : told.name)),
      button({ class: "plain", "aria-label": "Close", onclick: () => board.close() }, "×"),
    );
  const pick = (name) => {
    unit = name;
    show();
    element.querySelector("h2")?.focus();
  };
  const unitOf = (name) => app.state.table.units.find(({ id }) => id === name);
  const titled = (track) => track?.title.replace(/ \(.*\)$/, "") ?? "";

  const units = () =>
    told.units.length || told.unseen
      ? h("ul", { class: "card-units" },
          told.units.map((name) => {
            const there = unitOf(name);
            return h("li", { key: name }, button({ onclick: () => pick(name) }, h("strong", null, name), h("span", null, [there?.figures.some((figure) => figure !== "?") && there.figures.join("–"), ...(there?.state ?? []).map(spoken)].filter(Boolean).join(" · "))));
          }),
          told.unseen && h("li", { class: "faint" }, `${told.units.length ? "others" : "units"} that are not seen (${told.unseen})`),
        )
      : null;
  const actions = () =>
    h("div", { class: "card-actions" },
      app.state.words.combat && button({ class: "main-button", onclick: () => app.open("battle", { target: told.hex }) }, "Attack this hex"),
      button({ onclick: place }, "Put a unit here"),
      button({ onclick: () => state(told.hex, "hex") }, "State a fact"),
    );
  const asked = () => {
    const buttons = questions(app, "hex", told.hex);
    return buttons.length ? [h("h3", null, "Ask about it"), h("div", { class: "card-actions" }, buttons)] : null;
  };
  const zones = () =>
    told.zones_owed
      ? h("p", { class: "faint" }, `Zones of control: not known without ${told.zones_owed}.`)
      : told.zones.map((zone) => h("p", { key: zone.side, class: "card-zone" }, h("strong", null, zone.title), ` zone of control, of ${zone.of.join(", ")}`));

  const ground = () => [h("h3", null, "Ground"), h("ul", { class: "card-facts" }, told.ground.map((fact) => row(fact, "hex")))];
  const sides = () => [
    h("h3", null, "Hexsides"),
    h("ul", { class: "card-facts" },
      told.sides.flatMap((side) => side.known.map((fact, number) => row(fact, "hexside", number ? "" : point(side.angle), side.hex)))),
    h("p", { class: "faint" }, "Tap a word to change it, press long for all words."),
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
        "aria-label": `${titled(trackOf(fact.track))}${beyond ? ` to ${beyond}` : ""}: ${word}, ${fact.how}`,
        onpointerdown: hold, onpointerup: () => clearTimeout(timer), onpointerleave: () => clearTimeout(timer),
        oncontextmenu: (event) => event.preventDefault(),
        onclick: () => (held ? (held = false) : cycle(fact)),
      }, h("strong", null, word), h("span", null, titled(trackOf(fact.track)))),
      h("small", { "aria-hidden": "true" }, fact.how),
    );
  };

  const trackOf = (name) => app.state.words.tracks.find((track) => track.name === name);
  const cycle = (fact) => {
    const { values, kind } = trackOf(fact.track);
    if (kind === "choices" || values.length < 2 || values.length > 9) return choose(fact.subject, fact.track);
    const now = values.findIndex(([value, word]) => value === fact.value || word === fact.word);
    app.enter(`${fact.subject} ${values[(now + 1) % values.length][1]}`);
  };
  /** All words of a track, to choose one. */
  const choose = (subject, name) => {
    const track = trackOf(name);
    const say = (word, close) => (close(), app.enter(`${subject} ${word}`));
    app.sheet(`${titled(track)} of ${subject}`, (close) => [
      track.note && h("p", { class: "faint" }, track.note),
      h("div", { class: "chips" }, track.values.map(([value, word]) => button({ key: value, class: "chip", onclick: () => say(word, close) }, spoken(track.kind === "flag" ? value : word.includes("=") ? value : word)))),
      !track.values.length || track.kind === "choices"
        ? h("form", { onsubmit: (event) => (event.preventDefault(), say(`${name}=${event.target.elements.value.value.trim()}`, close)) }, h("label", null, track.kind === "choices" ? "Several, joined by +" : titled(track), h("input", { name: "value", autocomplete: "off", inputmode: track.kind === "integer" ? "numeric" : "text" })), button({ type: "submit", class: "main-button" }, "State it"))
        : null,
    ]);
  };
  /** All facts that can be stated of a hex or a unit. */
  const state = (subject, on) => {
    const arm = on === "unit" ? unitOf(subject)?.arm : "";
    const tracks = app.state.words.tracks.filter((track) => track.on === on && (!track.arms.length || !arm || track.arms.includes(arm)));
    const name = on === "unit" ? named(subject) : subject;
    app.sheet(`State a fact of ${subject}`, () => h("ul", { class: "choices" }, tracks.map((track) => h("li", { key: track.name }, button({ onclick: () => choose(name, track.name) }, h("strong", null, titled(track)), h("span", null, track.rule))))));
  };
  const place = () => {
    let search = "", again = null;
    const { words, table } = app.state;
    const known = new Map([...words.units.map((one) => [one.id, one]), ...table.units.map((one) => [one.id, one])]);
    const put = (name, close) => (close(), app.enter(`${told.hex} +${named(name)}`));
    const found = () => {
      const wanted = search.trim().toLocaleLowerCase();
      return [...known.values()].filter(({ id, place: at }) => at !== told.hex && id.toLocaleLowerCase().includes(wanted)).sort((one, other) => !one.id.toLocaleLowerCase().startsWith(wanted) - !other.id.toLocaleLowerCase().startsWith(wanted)).slice(0, 24);
    };
    again = app.sheet(`Put a unit in ${told.hex}`, (close) => [
      h("label", null, "Its name", h("input", { key: "name", autocomplete: "off", autocapitalize: "off", spellcheck: "false", value: search, oninput: (event) => ((search = event.target.value), again()) })),
      h("ul", { class: "choices" }, found().map((one) => h("li", { key: one.id }, button({ onclick: () => put(one.id, close) }, h("strong", null, one.id), h("span", null, one.place ? `now in ${one.place}` : spoken([one.nation, one.arm].filter(Boolean).join(" "))))))),
      !found().length && search && h("p", null, "No unit of that name. A unit that is in no roster is typed with what it is: the battle panel asks for that."),
    ]);
  };

  const unitPart = () => {
    const there = unitOf(unit);
    return [
      h("p", null, [there?.nation, there?.arm, there?.size].filter(Boolean).map(spoken).join(" ")),
      there && h("p", null, there.figures.join("–"), there.state.length ? ` · ${there.state.map(spoken).join(" · ")}` : ""),
      h("div", { class: "card-actions" },
        questions(app, "unit", unit),
        button({ onclick: () => state(unit, "unit") }, "State a fact"),
        button({ onclick: () => app.meaning(unit) }, "What it is"),
        button({ onclick: () => app.enter(`off ${named(unit)}`) }, "Take it off the map"),
      ),
      there?.facts.length ? [h("h3", null, "Stated"), h("ul", { class: "card-facts" }, there.facts.map((fact) => row({ ...fact, subject: named(unit), how: "stated" }, "unit")))] : null,
    ];
  };

  return {
    get hex() {
      return hex;
    },
    async show(at, { all = false, focus = false, first = "" } = {}) {
      hex = at;
      unit = first;
      await again();
      if (focus) element.querySelector("h2")?.focus();
      if (all && told) state(told.hex, "hex");
    },
    hide() {
      hex = unit = "";
      told = null;
      element.hidden = true;
    },
    again,
    answer: (asked) => answer(app, asked),
  };
}
