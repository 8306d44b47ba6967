// The board: the map with what lies on it, a card for the hex that is tapped, terrain painted by taps.

import { button, draw, h, sign } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { carrier } from "./carry.js";
import { hexCard } from "./hex_card.js";
import { tileStore } from "./kept_tiles.js";
import { layers } from "./layers.js";
import { BoardMap } from "./map.js";
import { marcher } from "./march.js";
import { painter } from "./paint.js";
import { printedMap } from "./printed.js";
import { kept } from "../common/storage.js";
import { capital, named, sideOf, spoken } from "../common/words.js";

const LEAST = 34; // the height of a hex in pixels that a finger can choose
const SEEN = 24; // that of one in the whole of an answer about a unit
const FRONT = 10; // the same in an answer about a side
const READ = 62; // that of one whose counters can be read
const WRITTEN = 118; // that of one in which the letters of an answer are 10 pixels high
const TOOLS = 8; // pixels between the tools and the edge
const STEP = 1.35; // by how much a tap on + or - changes the size
const SIGNS = { whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5", paint: "M14 4l6 6-9 9H5v-6zM12 6l6 6", printed: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14" };

export const board = { id: "board", title: "Map", icon: "M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9z", mount };

function mount(element, app) {
  const make = (tag, properties) => Object.assign(element.appendChild(document.createElement(tag)), properties);
  element.classList.add("board");
  const stage = make("div", { className: "board-stage", tabIndex: 0 });
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-label", "Map. Arrows move from hex to hex, Enter opens the hex, M picks its units up, plus and minus change the size.");
  const tools = make("div", { className: "board-tools" });
  const paints = make("div", { className: "board-paints", hidden: true });
  const prints = make("div", { className: "board-paints board-printed", hidden: true });
  const fitting = make("div", { className: "board-fit", hidden: true });
  const about = make("p", { className: "board-about" });
  const card = make("section", { className: "board-sheet board-card", hidden: true });
  const order = make("section", { className: "board-sheet board-march", hidden: true });
  const carried = make("div", { className: "board-carried", hidden: true });
  carried.setAttribute("role", "status");
  const heard = make("p", { className: "heard" });
  heard.setAttribute("role", "status");

  let cursor = "", anchor = null, also = [], table = "", waiting = false, aim = null, isOpen = false;
  const map = new BoardMap(stage, (request) => app.about(request), tileStore(app.state), {
    chosen: ({ hex }) => choose(hex),
    held: ({ hex }) => (march.on ? march.tap(hex) : open(hex, { all: true })),
    stroke: (spot, phase) => (printed.on ? printed : paint).stroke(spot, phase),
    lifts: ({ hex: at }, kind) => !printed.on && !aim && !march.on && liftable(at).length > 0 && (kind === "mouse" || hex.hex === at),
    carried: (spot, point, phase) => {
      if (phase === "begun") lift(spot.hex);
      else if (!carry.on) return;
      else if (phase === "carried") carry.over(spot?.hex ?? "", point);
      else if (phase === "done") carry.release();
      else putBack();
    },
  });
  const march = marcher(order, app, { changed: () => uncover(), beside: (at) => map.beside(at), look: (hexes) => map.fit(hexes, SEEN), reveal: (at) => map.reveal(at), back: (at, unit) => open(at, { first: unit, focus: true }), closed: () => shut() });
  const shown = layers(app, { march, lay, see: (hexes) => map.showAll([hex.hex, ...hexes], SEEN), changed: () => uncover(), setOut: (units) => setOut(units), goOn: ({ question, parameters }) => app.open("ask", { question, values: parameters, now: true }) });
  const hex = hexCard(card, app, { close: () => shut(), follow: (at, unit) => open(at, { first: unit }), changed: () => uncover(), nameOf: (at) => map.places?.get(at) ?? "", beside: (at) => (map.hexes.has(at) ? map.beside(at) : []), layers: shown, move: (unit) => depart(unit), march: (units) => (setOut(units), stage.focus({ preventScroll: true })) });
  const carry = carrier(carried, app, { march, place: (at) => map.where(at), size: () => map.size, apart: (one, other) => map.apart(one, other), changed: () => mark(), put: (at) => march.go(at), back: () => putBack() });
  const paint = painter(paints, app, { redraw: () => mark(), ended: () => setPainting(false) });

  const printed = printedMap(prints, fitting, app, map, { redraw: () => mark(), ended: () => setPrinted(false), laid: () => refresh({ anew: true }) });

  /** Lay an answer on the map, null for none, and bring what it joins into sight. */
  function lay(answer) {
    map.layAnswer(answer);
    if (answer?.hexes.length) map.showAll([hex.hex, ...answer.hexes], hex.hex ? SEEN : FRONT, WRITTEN);
  }
  /** What a tap on a hex, or Enter, does: where units march or a question goes, a march to where the chosen units can go, else its card. */
  const choose = (at, options) => {
    const stands = app.state.table.units.some(({ place }) => place === at);
    if (march.on) march.tap(at);
    else if (aim) aim.at(at);
    else if (march.reaches(at) && !stands) {
      march.go(at);
      hex.hide();
    } else open(at, options);
  };
  const open = (at, options = {}) => {
    leave();
    go(at, false);
    hex.show(at, options).then(() => uncover());
    mark();
  };
  /** The units that can be picked up in a hex: the one that is chosen there, or all of the side that lies on top. */
  const liftable = (at) => {
    if (!app.state.words?.march) return [];
    const there = app.state.table.units.filter(({ place, on_map }) => place === at && on_map);
    const chosen = hex.hex === at && there.find(({ id }) => id === hex.unit);
    return march.together((chosen ? [chosen] : there.filter(({ side }) => side === there[0].side)).map(({ id }) => id));
  };
  let wasOpen = null; // the card of a hex that units were picked up from
  const lift = (at) => {
    const units = liftable(at);
    if (!units.length) return;
    wasOpen = hex.hex ? { at: hex.hex, first: hex.unit } : null;
    hex.hide();
    cursor = at;
    carry.begin(units, at);
    uncover();
  };
  const putBack = () => {
    carry.end();
    march.end();
    cursor = carry.from;
    if (wasOpen) open(wasOpen.at, { first: wasOpen.first });
    else uncover();
  };
  /** Bring the hex of the card into sight beside it. */
  const uncover = () => {
    hex.draw();
    if (Boolean(app.state.marches) !== march.on) app.state.tell("marches", (app.state.marches = march.on));
    const over = [card, order].find((one) => !one.hidden);
    const right = tools.lastChild.offsetWidth + TOOLS;
    map.covered = !over ? {} : over.offsetWidth < stage.clientWidth * 0.7 ? { left: over.offsetLeft + over.offsetWidth, right } : { bottom: over.offsetHeight, right };
    if (hex.hex) map.reveal(hex.hex);
    mark();
  };
  const shut = () => {
    leave();
    hex.hide();
    uncover();
    mark();
    size();
    stage.focus({ preventScroll: true });
  };
  /** Ask for a hex: the next one that is tapped, or where Enter is pressed. */
  const ask = (text, not, at) => {
    shut();
    aim = { at };
    heard.textContent = text;
    draw(about, h("span", null, text), button({ class: "plain", "aria-label": not, onclick: stay }, "×"));
    about.classList.add("asking");
  };
  const depart = (unit) => ask(`Where does ${unit} go? Tap the hex.`, "Do not move it", (at) => arrive(unit, at));
  const attack = () => ask("Tap the hex that is attacked.", "Attack none", (at) => (stay(), app.open("battle", { target: at })));
  /** End a march; the move that is open at the table is not gone on with. */
  const leave = () => {
    carry.end();
    march.end();
    isOpen = Boolean(app.state.table?.march);
  };
  /** Let units march: the hexes that are tapped next are where they go. */
  const setOut = (units) => {
    hex.hide();
    cursor = march.begin(units);
  };
  /** Go on with the move that is open at the table, as soon as one is. */
  const resume = ({ march: asked, answer }) => {
    const isThere = Boolean(asked) && !march.isCarried(asked);
    if (isThere && asked.at && answer && !isOpen && !march.on) setOut(asked.units);
    isOpen = isThere;
  };
  const stay = () => {
    aim = null;
    caption();
  };
  const arrive = async (unit, at) => {
    stay();
    const answered = await app.enter(`${named(at)} +${named(unit)}`);
    if (isEntered(answered)) open(at, { first: unit });
  };
  const go = (at, aloud = true) => {
    cursor = at;
    const place = map.hexes.get(at);
    if (!place) return;
    anchor ??= place;
    if (carry.on) {
      map.reveal(at);
      carry.over(at);
    } else if (aloud) {
      const there = app.state.table.units.filter(({ place: where }) => where === at).map(({ id }) => id);
      const ground = app.state.table.ground.filter(({ subject }) => subject === at).map(({ word }) => spoken(word));
      heard.textContent = [map.isOfAreas ? at : `Hex ${at}`, map.places?.get(at), march.told(at), ...ground, ...there].filter(Boolean).join(", ");
      map.reveal(at);
    }
    mark();
  };
  const strong = (side) => sideOf(app.state.words, side)?.strong;
  const mark = () => {
    const { combat } = app.state.table ?? {};
    map.mark([
      ...paint.marks(),
      ...printed.marks(),
      ...march.marks(carry.sign),
      ...carry.marks(),
      combat ? { at: [combat.target], kind: "target", colour: strong(combat.side) } : null,
      ...(combat?.around ?? []).filter(({ attacks }) => attacks).map((there) => ({ line: [there.hex, combat.target], kind: "attack", colour: strong(there.side) })),
      hex.hex ? { at: [hex.hex], kind: "chosen" } : null,
      document.activeElement === stage && cursor && cursor !== hex.hex ? { at: [cursor], kind: "cursor" } : null,
    ].filter(Boolean));
  };
  const setPainting = (on) => {
    if (on && march.on) shut();
    if (on && printed.on) setPrinted(false);
    map.painting = on;
    paints.hidden = !on;
    stage.classList.toggle("painting", on);
    paint.show(on);
    bar();
    size();
  };
  /** Paint the owner's printed map into his pack, from a photo of it. */
  const setPrinted = async (on) => {
    if (on === printed.on) return;
    if (on) {
      shut();
      if (map.painting) setPainting(false);
      if (!(await printed.begin())) return;
    } else printed.end();
    prints.hidden = !on;
    bar();
    size();
    if (!on) refresh({ anew: true });
  };
  const bar = () =>
    draw(
      tools,
      h("form", { class: "board-find", onsubmit: find }, h("input", { name: "hex", "aria-label": "Go to a hex or a place", placeholder: "Go to", autocomplete: "off", autocapitalize: "off", spellcheck: "false", list: "board-places" }), h("datalist", { id: "board-places" }, [...((map.isOfAreas ? map.hexes.keys() : map.places?.values()) ?? [])].map((name) => h("option", { key: name, value: name })))),
      !map.isOfAreas && button({ "aria-label": "Paint the ground", title: "Paint the ground", pressed: !paints.hidden, onclick: () => setPainting(paints.hidden) }, sign(SIGNS.paint)),
      !map.isOfAreas && button({ "aria-label": "Your printed map", title: "Paint your printed map into your pack, from a photo", pressed: printed.on, onclick: () => setPrinted(!printed.on) }, sign(SIGNS.printed)),
      button({ "aria-label": "Whole board", title: "Whole board", onclick: () => map.fit() }, sign(SIGNS.whole)),
      button({ "aria-label": "Larger", onclick: () => map.zoom(STEP) }, "+"),
      button({ "aria-label": "Smaller", onclick: () => map.zoom(1 / STEP) }, "−"),
    );

  const find = async (event) => {
    event.preventDefault();
    const field = event.target.elements.hex, wanted = field.value.trim();
    if (!wanted) return;
    const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
    const named = [...(map.places ?? [])].find(([, name]) => folded(name) === folded(wanted)) ?? [...(map.places ?? [])].find(([, name]) => folded(name).startsWith(folded(wanted)));
    const unit = app.state.table.units.find(({ id, place }) => place && id.toLocaleLowerCase() === wanted.toLocaleLowerCase());
    const told = await app.about({ do: "hex", hex: unit?.place ?? named?.[0] ?? wanted }).catch(() => null);
    if (told?.is !== "hex") return told && app.refuse(told);
    field.value = "";
    if (!map.hexes.has(told.hex)) {
      also = [...also, told.hex];
      await refresh();
    }
    map.look({ ...map.view, ...map.hexes.get(told.hex), k: Math.max(map.view.k, 1.4) }, true);
    open(told.hex, { first: unit?.id ?? "" });
    stage.focus({ preventScroll: true });
  };

  /** The key of each stack, by hex: it changes when one of its counters looks different. */
  const stacks = (shown, unseen) => {
    const found = new Map();
    for (const { id, place, look } of shown.units) if (place) found.set(place, `${found.get(place) ?? ""} ${id} ${look}`);
    for (const place of unseen) found.set(place, `${found.get(place) ?? ""} unseen`);
    return found;
  };
  let refreshing = null; // the look at the board that is under way
  const refresh = (options) => {
    const mine = lookAgain(options).finally(() => refreshing === mine && (refreshing = null));
    return (refreshing = mine);
  };
  const lookAgain = async ({ anew = false } = {}) => {
    const shown = app.state.table;
    if (!shown || element.hidden || (printed.on && !anew && shown.table === table)) return void (waiting = true); // what is painted is seen at once
    waiting = false;
    if (shown.table !== table) {
      [table, also, cursor] = [shown.table, [], ""];
      map.shape = null;
      hex.hide();
      march.end();
    }
    const told = await app.about({ do: "board", also, photo: printed.photo, have: map.shape?.field ?? "" }).catch(() => null);
    if (!told || shown.table !== app.state.table.table) return;
    if (told.is !== "board") return app.refuse(told);
    map.also = also;
    const fresh = map.lay(told, stacks(app.state.table, told.unseen));
    caption();
    size();
    if (told.places.length || fresh) bar();
    const begun = start();
    if (fresh && begun) map.covered = { bottom: about.offsetHeight };
    if (fresh) begun ? map.fit(begun.shows, READ) : map.fit(places(app.state.table));
    mark();
    hex.again();
    resume(shown);
  };
  /** What stands at the foot of the map: how it is known, or what is missing. */
  const caption = () => {
    if (aim) return; // it asks for a hex
    const { blank, known, title, boards } = map.shape;
    const begun = start();
    const told = begun ? begun.says : blank ? (app.state.table.units.length ? "" : "Nothing stands here yet: go to a hex, and put units there.") : known ? capital(title) : "";
    about.classList.remove("asking");
    about.classList.toggle("begun", Boolean(begun));
    draw(about, told, begun && button({ class: "quiet-button", onclick: () => app.open("tables") }, "Other games and tables"), boards.map(([name, drawn]) => button({ key: name, class: "quiet-button", onclick: () => app.enter(`board ${name}`) }, `Show ${drawn}`)));
  };
  /** With what a first visit has begun this table, until something is entered. */
  const start = () => (app.state.table.entries.length ? null : kept(`start:${app.state.table.table}`));
  /** The hexes that one wants to see first: the combat, or else where units stand. */
  const places = ({ combat, units }) => (combat ? [combat.target, ...combat.around.filter(({ attacks }) => attacks).map((there) => there.hex)] : units.map(({ place }) => place).filter(Boolean));
  /** As high as the screen has room for, above tabs that lie at its foot. */
  const size = () => {
    const top = element.getBoundingClientRect().top + scrollY, foot = document.getElementById("tabs");
    const below = foot && !foot.hidden && foot.offsetWidth > innerWidth / 2 ? foot.offsetHeight : 0;
    element.style.setProperty("--board-height", `${Math.max(innerHeight - top - below, 280)}px`);
  };

  const keys = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  stage.addEventListener("keydown", (event) => {
    if (map.shape && printed.key(event)) return event.preventDefault();
    if (!map.shape || event.altKey || event.ctrlKey || event.metaKey) return;
    if (keys[event.key]) step(keys[event.key]);
    else if (carry.on && (event.key === "Enter" || event.key === " ")) carry.release();
    else if (carry.on && event.key === "Escape") putBack();
    else if (event.key.toLowerCase() === "m" && !printed.on && !map.painting && !aim && !march.on && !carry.on) cursor && lift(cursor);
    else if (event.key === "Enter" || event.key === " ") cursor ? (printed.on ? printed.at(cursor) : map.painting ? paint.at(cursor) : choose(cursor, { focus: true })) : begin();
    else if (event.key === "+" || event.key === "=") map.zoom(STEP);
    else if (event.key === "-") map.zoom(1 / STEP);
    else if (event.key === "0") map.fit();
    else if (event.key === "Escape") aim ? stay() : printed.on ? setPrinted(false) : map.painting ? setPainting(false) : shut();
    else return;
    event.preventDefault();
  });
  for (const what of ["focus", "blur"]) stage.addEventListener(what, () => mark());
  for (const one of [card, order]) one.addEventListener("keydown", (event) => event.key === "Escape" && shut());
  const begin = () => go(map.spot(map.view.x, map.view.y)?.hex ?? [...map.hexes.keys()][0]);
  /** To the next hex in a direction; to and fro along a row whose hexes stand by turns higher and lower. */
  const step = ([dx, dy]) => {
    const at = map.hexes.get(cursor);
    if (!at) return begin();
    const level = dx ? "y" : "x";
    if (!anchor || Math.abs(anchor[level] - at[level]) > map.hexSize * 0.6) anchor = { ...at };
    const ahead = map.around(cursor).map((name) => [name, map.hexes.get(name)]).filter(([, { x, y }]) => (x - at.x) * dx + (y - at.y) * dy > map.hexSize * 0.3);
    const [next] = ahead.sort(([, one], [, other]) => Math.abs(one[level] - anchor[level]) - Math.abs(other[level] - anchor[level]));
    if (next) {
      anchor = { ...anchor, [dx ? "x" : "y"]: next[1][dx ? "x" : "y"] };
      go(next[0]);
    }
  };

  bar();
  const gone = new AbortController();
  addEventListener("resize", size, { signal: gone.signal });
  const above = new ResizeObserver(size);
  for (const id of ["top", "line", "tabs"]) if (document.getElementById(id)) above.observe(document.getElementById(id));
  app.state.on("table", () => refresh());
  app.state.on("words", () => (setPainting(false), setPrinted(false)));
  app.state.on("panel", (id) => id !== board.id && aim && stay());
  return {
    closed() {
      gone.abort();
      above.disconnect();
      printed.end();
      map.close();
    },
    opened(detail) {
      size();
      const then = () => (detail?.attack ? attack() : detail?.lay ? (shut(), shown.lay(detail.lay)) : detail?.hex && open(detail.hex));
      if (waiting) return refresh().then(then);
      if (!map.shape) return (refreshing ?? refresh()).then(then);
      map.look();
      then();
    },
  };
}
