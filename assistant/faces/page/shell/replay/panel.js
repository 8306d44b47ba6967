// What was played, one passage after the other, on the map: what moved, fought, was lost, came and changed, each battle with its odds
// and its luck. Space, the arrow keys, a swipe over the card and its buttons go forward and back.

import { tileStore } from "../board/kept_tiles.js";
import { BoardMap } from "../board/map.js";
import { button, draw, h } from "../common/dom.js";
import { sideOf } from "../common/words.js";
import { swiped } from "../common/fingers.js";
import { dismiss, noteSeen } from "./since.js";

const LEAST = 34; // the least height of a hex in pixels
const STEP = 1.35; // by how much + and - change the size
const KEPT = 40; // passages that are kept
const AHEAD = 300; // milliseconds after which the next passage is asked for

export const replay = { id: "replay", title: "What was played", mount };

function mount(element, app) {
  const { state } = app;
  const make = (tag, properties) => Object.assign(element.appendChild(document.createElement(tag)), properties);
  element.classList.add("board", "replay");
  const stage = make("div", { className: "board-stage", tabIndex: 0 });
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-label", "Map of what was played. Space or right arrow goes forward, left arrow back, plus and minus change the size.");
  const card = make("section", { className: "board-sheet replay-card" });
  card.setAttribute("aria-label", "The step");

  let of = {}; // what is stepped through: { log: true } or { earlier: true } for what was before the table began, else its journal
  let first = 0; // the passage before the first one that is shown
  let number = 0; // the passage that is shown
  let shown = null; // what it has changed
  let refused = null;
  let turn = 0; // counts what has been asked for: what comes late is not shown
  let isOpen = false; // whether the working of the dice is
  let timer;
  let visit = new AbortController(); // until the panel is left
  const known = new Map(); // passages by number, as promises

  const map = new BoardMap(stage, (request) => app.about({ ...request, passage: number, ...of }), tileStore(state), { chosen() {}, held() {} });

  const isApart = () => Boolean(of.log || of.earlier);

  /** A passage, asked for in sight or quietly ahead. */
  const find = (wanted, send = app.about) => {
    if (!known.has(wanted)) {
      known.set(wanted, send({ do: "passage", passage: wanted, ...of }, { signal: visit.signal }).catch(() => ({ is: "refused", what: "The table cannot be reached now.", hint: "" })));
      for (const old of known.keys()) if (known.size > KEPT) known.delete(old);
    }
    return known.get(wanted);
  };

  /** Show a passage; 0 is the start. */
  async function show(wanted) {
    const mine = (turn += 1);
    clearTimeout(timer);
    if (shown) card.dataset.waits = "yes"; // what is shown goes pale
    const told = await find(wanted);
    if (mine !== turn || element.hidden) return;
    delete card.dataset.waits;
    if (told.is !== "passage") {
      known.delete(wanted);
      refused = told;
      return write();
    }
    const ground = await app.about({ do: "board", have: map.shape?.field ?? "", passage: wanted, ...of }).catch(() => null);
    if (mine !== turn || element.hidden) return;
    [number, shown, refused] = [wanted, told, null];
    if (!isApart()) noteSeen(state, number);
    write();
    size();
    if (ground?.is === "board") {
      const stacks = new Map(Object.entries(told.stacks));
      for (const hex of ground.unseen) stacks.set(hex, `${stacks.get(hex) ?? ""} unseen`);
      const fresh = map.lay(ground, stacks);
      map.mark(wanted > first ? marks(told) : []);
      look(told, fresh);
    }
    timer = setTimeout(() => number < told.count && find(number + 1, (request, options) => state.host.send({ table: state.table.table, ...request }, options)), AHEAD);
  }

  /** The hexes where something has happened. */
  const places = ({ moves, entered, left, changed, battle }) => {
    const acted = [battle?.at, ...(battle?.attacks ?? []), ...moves.flatMap(({ start, end, way }) => [start, ...way, end]), ...entered, ...left].filter(Boolean);
    return acted.length ? acted : changed;
  };

  function look(told, fresh) {
    const covered = card.offsetWidth < stage.clientWidth * 0.7;
    map.covered = covered ? { left: card.offsetWidth } : { bottom: card.offsetHeight };
    const hexes = places(told);
    if (hexes.length) fresh ? map.fit(hexes, LEAST) : map.showAll(hexes, LEAST);
    else if (fresh) map.fit(Object.keys(told.stacks));
  }

  const colour = (side) => sideOf(state.words, side)?.strong ?? "";
  const marks = ({ moves, entered, left, changed, battle }) => [
    ...(moves.length || entered.length || left.length || battle ? [] : [{ at: changed, kind: "chosen" }]),
    { at: left, kind: "gone" },
    { at: entered, kind: "came" },
    battle?.at && { at: [battle.at], kind: "target" },
    ...(battle?.attacks ?? []).map((from) => ({ line: [from, battle.at], kind: "attack" })),
    ...moves.map(({ start, end, side, way }) => ({ moved: [start, ...(way.length ? way : [end])], kind: "moved", colour: colour(side) })),
  ].filter(Boolean);

  const count = () => (shown?.count ?? first) - first;
  const isLast = () => shown !== null && number >= shown.count;
  const back = () => number > first && show(number - 1);
  const next = () => shown && !isLast() && show(number + 1);
  const leave = () => app.open("board");

  const title = () => (!shown ? "Reading …" : number > first ? `${number - first} of ${count()}` : first || of.earlier ? "As you last saw it" : "At the start");

  function write() {
    draw(card,
      h("header", null,
        h("h2", null, title(), shown?.turn && h("span", { class: "faint" }, ` ${shown.turn}`)),
        button({ class: "plain", "aria-label": "Close", onclick: leave }, "×")),
      h("div", { class: "replay-told", role: "status", tabindex: "0", "aria-label": "What happened" },
        refused && h("p", { class: "refused" }, h("strong", null, refused.what), refused.hint ? ` ${refused.hint}` : ""),
        shown && !refused && told(shown),
        !shown && !refused && of.log && h("p", { key: "explains", class: "faint" }, "The log is being explained. Close stops it.")),
      h("div", { class: "replay-steps", role: "group", "aria-label": "Step" },
        button({ class: "quiet-button", disabled: number <= first, onclick: back }, "Back"),
        isLast() ? button({ class: "main-button", onclick: leave }, "To the table") : button({ class: "main-button", disabled: !shown, onclick: next }, "Next")));
  }

  const told = (passage) => (passage.number > first ? whatChanged(passage) : whatFollows(count()));

  const whatFollows = (all) => h("p", { key: "start" }, all ? `${all} ${of.earlier ? (all === 1 ? "change" : "changes") : all === 1 ? "entry" : "entries"} from here. Press Next or Space, or swipe here.` : of.earlier ? "Nothing has changed since." : "Nothing has been played yet.");

  const whatChanged = ({ number: at, sentences, is_correction, battle }) => [
    is_correction && h("p", { key: "corrected", class: "faint" }, "A correction of earlier entries"),
    sentences.map(({ kind, head, text }, order) => [
      kind === "fought" && battle ? [h("h3", { key: `${at} attack` }, head), oddsAndLuck(battle)] : null,
      h("p", { key: `${at} ${order}`, class: kind }, head && kind !== "fought" && h("b", null, head, ": "), text),
    ]),
    battle?.luck.length > 0 && dice(battle),
  ];

  const oddsAndLuck = ({ odds: [chain], verdict, luck, why_not }) => {
    const swing = luck.at(-1);
    return h("dl", { key: "battle", class: "replay-battle" },
      chain && [h("dt", { key: "odds" }, "Odds"), h("dd", { key: "figures" }, chain.links.map(([word, text], order) => h("span", { key: order, class: order === chain.answer ? "answer" : "" }, `${word} `, h("b", null, text))))],
      swing && [h("dt", { key: "luck" }, "Luck"), h("dd", { key: "percentile" }, h("b", null, `percentile ${swing.percentile}`), ` for the attacker. ${verdict}`)],
      why_not && [h("dt", { key: "luck" }, "Luck"), h("dd", { key: "why" }, `left out: ${why_not}`)]);
  };

  const dice = ({ luck, rolls, rests_on }) =>
    h("details", { key: "dice", class: "replay-dice", open: isOpen || null, ontoggle: ({ target }) => { isOpen = target.open; } },
      h("summary", null, "Dice, expected and actual"),
      h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Expected and actual" },
        table(["Result", "expected", "actual", "percentile"], luck.map(({ title, expected, actual, percentile }) => [title, expected, actual, percentile])),
        rolls.length > 0 && table(["Roll or choice", "dice", "percentile", "luck"], rolls.map(({ title, dice: shown, percentile, luck: moved }) => [title, shown, percentile, moved]))),
      rests_on.map((text) => h("p", { key: text, class: "faint" }, `Rests on ${text}`)));

  const table = (heads, rows) => h("table", { key: heads[0] },
    h("thead", null, h("tr", null, heads.map((head) => h("th", { key: head, scope: "col" }, head)))),
    h("tbody", null, rows.map(([title, ...cells], order) => h("tr", { key: order }, h("th", { scope: "row" }, title), cells.map((cell, place) => h("td", { key: place }, cell))))));

  const keys = { ArrowRight: next, ArrowLeft: back, " ": next, Home: () => show(first), End: () => shown && show(shown.count), Escape: leave, "+": () => map.zoom(STEP), "=": () => map.zoom(STEP), "-": () => map.zoom(1 / STEP) };
  const press = (event) => {
    const { key, target } = event;
    if (element.hidden || event.altKey || event.ctrlKey || event.metaKey || document.getElementById("sheet").open) return;
    if (target.closest("input, textarea, select") || (key === " " && target.closest("button, summary, a"))) return;
    if (!element.contains(target) && target !== document.body && target.id !== "main") return;
    const act = key === " " && event.shiftKey ? back : keys[key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  /** As high as the screen has room for, above tabs that lie at its foot. */
  const size = () => {
    const top = element.getBoundingClientRect().top + scrollY, foot = document.getElementById("tabs");
    const below = foot && !foot.hidden && foot.offsetWidth > innerWidth / 2 ? foot.offsetHeight : 0;
    element.style.setProperty("--board-height", `${Math.max(innerHeight - top - below, 280)}px`);
  };

  const gone = new AbortController();
  addEventListener("resize", size, { signal: gone.signal });
  addEventListener("keydown", press, { signal: gone.signal });
  swiped(card, { left: next, right: back });
  state.on("panel", (panel) => panel === replay.id || visit.abort());
  state.on("table", async () => {
    if (!shown || isApart() || element.hidden) return;
    known.clear(); // there may be more behind the last one
    const again = await find(number);
    if (again.is !== "passage" || again.number !== number) return;
    shown = again;
    write();
  });
  return {
    closed() {
      gone.abort();
      clearTimeout(timer);
      visit.abort();
      map.close();
    },
    opened(detail) {
      of = detail?.log ? { log: true } : detail?.earlier ? { earlier: true } : {};
      first = isApart() ? 0 : detail?.after ?? 0;
      [number, shown, refused] = [first, null, null];
      visit.abort();
      visit = new AbortController();
      known.clear();
      if ((of.log && state.since?.log) || (of.earlier && state.since?.earlier)) dismiss(state);
      write();
      size();
      show(detail?.after == null || isApart() ? 0 : first + 1);
      stage.focus({ preventScroll: true });
    },
  };
}
