// Units that a finger, the mouse or the arrows carry over the map: what is left to them in each hex, whether it holds them, their supply, and
// what the enemy could bring against the hex below them next.

import { draw, h } from "../common/dom.js";

const AT_ONCE = 16; // hexes in one request
const REST = 250; // milliseconds over a hex after which its danger is asked for first
const GAP = 90; // pixels between a finger and what is said of the hex, so that the hexes around it are seen
const SUPPLY = { no: "○", figure: "◐", undecided: "?" };

/** What is carried, with what is said of it in an element. board: { march, place(hex): where a hex is on the stage; size(): that of the stage;
 * apart(hex, hex), changed(), put(hex), back() }. Returns { on, from, begin(units, hex), over(hex, point), release(), end(), marks(), sign(hex) }. */
export function carrier(element, app, board) {
  const { state } = app, { march } = board;
  let units = [], from = "", hex = "", point = null, there = new Map(), dangers = new Map(), hasDangers = false;
  let visit = 0, isWorking = false, isResting = false, timer = null, surveyed = null;

  const begin = (names, at) => {
    [units, from, hex, point] = [[...names], at, at, null];
    rest();
    start();
  };
  const start = async () => {
    const mine = (visit += 1);
    [there, dangers, isWorking] = [new Map(), new Map(), false];
    show();
    await (surveyed = march.survey(units));
    if (mine === visit) work();
  };
  const end = () => {
    if (!units.length) return;
    visit += 1;
    clearTimeout(timer);
    units = [];
    show();
  };
  /** The units are over a hex, "" beside the map; point: where the finger is on the stage, null for the middle of the hex. */
  const over = (at, where = null) => {
    const isOther = at !== hex;
    [hex, point] = [at, where];
    if (!isOther) return lay();
    rest();
    show();
  };
  const rest = () => {
    isResting = false;
    clearTimeout(timer);
    timer = setTimeout(() => ((isResting = true), work()), REST);
  };
  /** Put the units down where they are: a march begins there, or they stay where they were. */
  const release = async () => {
    const mine = visit;
    await surveyed; // units that are let go at once
    if (mine !== visit) return;
    const at = hex, why = march.reaches(at) ? "" : said(at);
    const isBack = at === from;
    end();
    if (!why) return board.put(at);
    if (!isBack) app.say(why);
    board.back();
  };

  /** Ask one thing after the other, while there is anything to be asked. */
  const work = async () => {
    if (isWorking || !units.length) return;
    const mine = visit;
    isWorking = true;
    for (let request; (request = next()); ) {
      const answer = await app.about(request, { isQuiet: true }).catch(() => null);
      if (mine !== visit) return;
      if (!answer) break; // the host cannot be reached now
      keep(request, answer);
      show();
    }
    isWorking = false;
  };
  /** What is asked for next: the danger of the hex below once the finger rests, then what holds in all hexes, then their danger. */
  const next = () => {
    const reached = march.hexes() ?? [], unknown = reached.filter((at) => !there.has(at)), isReached = reached.includes(hex);
    if (isResting && isReached && hasDangers && !dangers.has(hex)) return { do: "danger", units, hex };
    if (unknown.length) return { do: "carry", units, hexes: [...new Set([...unknown.filter((at) => at === hex), ...unknown])].slice(0, AT_ONCE) };
    const quiet = hasDangers && isResting ? reached.filter((at) => !dangers.has(at)) : [];
    const near = (at) => board.apart(at, hex || from);
    return quiet.length ? { do: "danger", units, hex: quiet.reduce((one, other) => (near(other) < near(one) ? other : one)) } : null;
  };
  const keep = (request, answer) => {
    if (request.do === "danger") return dangers.set(request.hex, answer.is === "danger" ? answer : { lost: "", column: "", is_open: true, mark: "", says: `not known: ${answer.what}` });
    if (answer.is === "carried") {
      hasDangers = answer.has_dangers;
      for (const one of answer.hexes) there.set(one.hex, one);
    } else for (const at of request.hexes) there.set(at, { hex: at, is_over: false, stack: "", supply: "undecided", supplied: answer.what });
  };

  /** Why units cannot be put down in a hex, or what is left to them there. */
  const said = (at) => {
    if (!at) return "Beside the map";
    if (!march.hexes()) return "Finding the hexes within reach …";
    if (!march.hexes().length && at === from) return march.answer()?.says.join(" ") || "No hex is within reach";
    const told = march.told(at);
    return at === from && !march.reaches(at) ? "Where they are now" : march.reaches(at) ? `Movement: ${told}` : `${at} is ${told}`;
  };
  const lines = () => {
    const known = there.get(hex), danger = dangers.get(hex);
    if (!march.reaches(hex)) return [];
    return [
      known ? known.stack && h("p", { key: "stack", class: "over" }, known.is_over === null ? known.stack : `Too many: ${known.stack}`) : h("p", { key: "stack" }, "…"),
      known?.supplied && h("p", { key: "supply", class: known.supply === "no" ? "over" : "" }, known.supplied),
      hasDangers && h("p", { key: "danger" }, `Danger: ${danger?.says ?? "…"}`),
      danger?.mark && h("p", { key: "mark", class: "faint" }, danger.mark),
    ];
  };
  const show = () => {
    element.hidden = !units.length;
    if (units.length) draw(element, h("p", null, h("strong", null, hex || from), ` ${units.join(", ")}`), h("p", { class: march.reaches(hex) ? "" : "over" }, said(hex)), lines());
    lay();
    board.changed();
  };
  /** Lay what is said beside the finger, within the stage. */
  const lay = () => {
    if (!units.length) return;
    const { width, height } = board.size(), at = point ?? board.place(hex || from), [wide, high] = [element.offsetWidth, element.offsetHeight];
    const above = at.top - GAP - high;
    element.style.left = `${Math.max(4, Math.min(at.left - wide / 2, width - wide - 4))}px`;
    element.style.top = `${above >= 4 ? above : Math.min(at.top + GAP, height - high - 4)}px`;
  };

  state.on("table", () => {
    if (!units.length) return;
    if (units.every((unit) => state.table.units.some(({ id, place }) => id === unit && place === from))) start();
    else board.back();
  });
  return {
    get on() {
      return units.length > 0;
    },
    get from() {
      return from;
    },
    begin,
    over,
    release,
    end,
    marks() {
      if (!units.length) return [];
      return [
        hex && hex !== from ? { at: [hex], kind: march.reaches(hex) ? "end" : "barred" } : null,
        ...[...dangers].map(([at, { lost, column, is_open }]) => ({ text: lost || column || (is_open ? "?" : "–"), in: at, kind: "risk", above: true })),
      ].filter(Boolean);
    },
    /** What stands behind the points that are left in a hex: ▲ over the stacking limits, ○ out of supply. */
    sign: (at) => (units.length ? `${there.get(at)?.is_over ? "▲" : ""}${SUPPLY[there.get(at)?.supply] ?? ""}` : ""),
  };
}
