// Unseen units that matter, once their owner names them: chosen by their cards or described by fields, and stated together.

import { button, h } from "../common/dom.js";
import { fieldsOf, figuresForm, figuresLine } from "./figures.js";
import { quoted } from "../common/words.js";
import { finder, likelyNation, newUnit, placed, usualIdentity } from "./units.js";

const UNSEEN = "unseen"; // the track of hexes that says whose units are not seen there
const EMPTY = { units: [], search: { text: "", group: "" }, draft: null, form: null };

/** The form. ask: for the units of one hex; now: what is chosen so far, undefined at first; put(now); enter(line); app: as page.js has it. */
export function unseenUnits(ask, { now = EMPTY, put, enter, app }) {
  const { table, words } = app.state;
  const hex = ask.unseen;
  const side = table.ground.find(({ track, subject }) => track === UNSEEN && subject === hex)?.value ?? "";
  const change = (more) => put({ ...now, ...more });
  const add = (unit) => change({ ...EMPTY, units: [...now.units.filter(({ id }) => id !== unit.id), unit] });
  const create = (name) => change({ draft: { name, facts: { ...usualIdentity(words), nation: likelyNation(words, table, hex, side) } }, form: fieldsOf(words).length ? { fields: fieldsOf(words), at: 0 } : null });
  const describe = ({ name, facts }, form) => {
    const nations = words.sides.some(({ nations }) => nations.length);
    if (nations && !facts.nation) return app.say("Choose its nation first.");
    return add({ id: name, words: [...words.identity.map((track) => facts[track]), quoted(name), form && figuresLine(form)].filter(Boolean).join(" ") });
  };
  const { draft, form, search, units } = now;
  return h("div", { class: "unseen-units" },
    units.length > 0 && h("div", { key: "units", class: "chips", role: "group", "aria-label": `Units in ${hex}` },
      units.map(({ id }) => button({ key: id, class: "chip", "aria-label": `Not ${id}`, onclick: () => change({ units: units.filter((unit) => unit.id !== id) }) }, `${id} ×`))),
    draft && newUnit({ words, draft, change: (draft) => change({ draft }), place: form ? null : describe }),
    form && figuresForm({ form: { ...form, words }, title: `Figures of ${draft.name}`, change: (form) => change({ form }), finish: (form) => describe(draft, form) }),
    !draft && finder({ words, table, side, here: hex, fighting: new Set(), search, change: (search) => change({ search }), pick: (unit) => add({ id: unit.id, words: placed(unit) }), create }),
    units.length > 0 && !draft && h("div", { key: "state", class: "row" }, button({ class: "main-button", onclick: () => enter(`${hex} ${units.map(({ words }) => `+${words}`).join(" ")}`) }, `They stand in ${hex}`)));
}
