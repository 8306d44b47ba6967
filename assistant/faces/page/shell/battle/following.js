// Which hex is attacked, what stands around it, and what is entered about it.

import { address, pictured } from "../board/map.js";
import { isEntered } from "../common/state.js";
import { keep, kept } from "../common/storage.js";
import { named } from "../common/words.js";

const EMPTY = {
  target: "", // the attacked hex
  hex: "", // its number, while it is typed
  focus: "", // which of the seven hexes is chosen
  mode: "units", // what is shown beside them: units, options, roll
  unit: "", // the unit that is chosen
  form: null, // its figures, while they are typed
  draft: null, // a unit that no roster has, while it is described
  search: { text: "", group: "" },
  facts: false, // whether all facts of a unit are shown
  options: {}, // those that are chosen before anybody attacks
  rolls: {}, // dice that are tapped one by one, by their roll
  given: {}, // what was thrown, by its roll
};

/** The battle that the panel shows. local: what has been tapped and is not of the table. */
export class Battle {
  /** app: as page.js has it; draw(): draws the panel. */
  constructor(app, draw) {
    [this.app, this.state, this.draw] = [app, app.state, draw];
    this.local = { ...EMPTY };
    this.around = null; // the hex that may be attacked and the six around it, while no combat is open there
    this.scene = { shows: "", of: "", url: "" }; // the picture of the seven hexes: what it is to show, of which hex it is, and its address
    this.visit = 0; // counts the hexes that have been looked at: what is told about an earlier one is dropped
    this.last = Promise.resolve(); // the line that is worked out last
    this.underWay = new Set(); // the rolls and choices whose answer is on its way
  }

  /** Change what has been tapped. */
  change(more) {
    this.local = { ...this.local, ...more };
    const { target, focus, mode } = this.local;
    keep(`battle:${this.state.table.table}`, { target, focus, mode });
    this.draw();
  }

  /** The combat that is open at the attacked hex, or what stands around it; null while neither is known. */
  view() {
    const { combat } = this.state.table;
    const { target } = this.local;
    if (combat && (!target || combat.target === target)) return { ...combat, isOpen: true };
    return this.around && this.around.target === target ? { ...this.around, isOpen: false } : null;
  }

  /** The address of the picture of the seven hexes as they lie on the board, "" until there is one; another is asked for
   * when it has changed. */
  picture(now) {
    const { table, units } = this.state.table, of = `${table} ${now.target}`;
    const looks = new Map(units.map((unit) => [unit.id, unit.look]));
    const shows = JSON.stringify([of, [now, ...now.around].map((one) => [one.hex, one.ground, one.between, one.units.map((id) => [id, looks.get(id)])])]);
    if (shows !== this.scene.shows) {
      this.scene.shows = shows;
      this.paint(now.target, of, shows);
    }
    return this.scene.of === of ? this.scene.url : "";
  }

  async paint(hex, of, shows) {
    const drawn = await this.app.about({ do: "stack", hex, around: true }).catch(() => null);
    if (shows !== this.scene.shows) return; // asked for anew meanwhile
    const url = drawn?.is === "drawn" ? (await pictured({ scene: address(drawn.svg) })).scene : "";
    if (this.scene.url) URL.revokeObjectURL(this.scene.url);
    Object.assign(this.scene, { of, url });
    this.draw();
  }

  /** Whether dice, a choice or a result are due. */
  isDue(now) {
    return now.isOpen && Boolean(this.state.table.pending || this.state.table.answer?.changes.length);
  }

  /** What is shown beside the hexes: what was chosen, as far as there is such a thing now. */
  modeOf(now) {
    return this.local.mode === "roll" && !this.isDue(now) ? "units" : this.local.mode;
  }

  /** Turn to another hex, "" for none. */
  turn(hex, more = {}) {
    this.visit += 1;
    this.local = { ...EMPTY, of: this.state.table.table, target: hex, focus: hex, ...more };
    this.around = null;
  }

  /** What stands around the attacked hex; null if that cannot be told, or once another hex is looked at. */
  async survey() {
    const mine = this.visit;
    const shown = await this.app.about({ do: "around", hex: this.local.target }).catch(() => null);
    return mine === this.visit ? shown : null;
  }

  /** After a new table: what stands around the hex. */
  async follow(table) {
    if (this.local.of !== table.table) this.turn("", kept(`battle:${table.table}`) ?? {});
    const { local } = this;
    if (table.combat && !local.target && !local.chosen)
      this.local = { ...local, target: table.combat.target, focus: table.combat.target };
    if (this.local.target && table.combat?.target !== this.local.target) {
      const shown = await this.survey();
      if (shown?.is === "combat") this.surround(shown);
      else if (shown) {
        this.app.refuse(shown);
        this.local = { ...this.local, target: "", hex: "" };
      }
    }
    this.draw();
  }

  surround(shown) {
    const { target, focus } = this.local;
    this.around = shown;
    this.local = { ...this.local, focus: focus === target ? shown.target : focus, target: shown.target };
  }

  /** Ask about the combat as soon as both sides stand there, with the options that were chosen before. */
  async ready() {
    const shown = await this.survey();
    if (shown?.is !== "combat") return;
    this.around = shown;
    if (shown.units.length && shown.around.some(({ attacks }) => attacks)) {
      const chosen = Object.entries(this.local.options).map(([name, value]) => `${name}=${named(value)}`);
      this.local = { ...this.local, options: {} };
      await this.app.enter([`${shown.target} <`, ...chosen].join(" "));
    }
    this.draw();
  }

  /** Look at a hex that may be attacked. mode: what is shown beside it first. */
  async choose(hex, mode = EMPTY.mode) {
    this.turn(hex, { mode });
    const mine = this.visit;
    await this.follow(this.state.table);
    if (mine !== this.visit) return;
    if (this.view() && !this.view().isOpen) this.ready();
    this.change({});
  }

  /** Choose one of the seven hexes. */
  press(hex) {
    const { focus, mode } = this.local;
    if (hex !== focus)
      this.change({
        focus: hex,
        unit: "",
        form: null,
        draft: null,
        search: EMPTY.search,
        mode: mode === "roll" ? "units" : mode,
      });
  }

  /** Enter a line that may bring both sides to stand there. */
  async enter(line) {
    const table = await this.app.enter(line);
    if (!isEntered(table)) return table;
    const now = this.view();
    if (now && !now.isOpen && now.target === this.local.target) await this.ready();
    return table;
  }

  /** Enter a line that is worked out from what is shown once all taps before it have been answered, so that each of two quick
   * ones counts. lineOf(now): the line, "" for none. */
  later(lineOf) {
    const { visit } = this;
    const work = async () => {
      if (!(await answered(this.state))) return this.app.say("The table cannot be reached: tap this again when you are online.");
      if (visit !== this.visit) return this.app.say("Another hex has been chosen meanwhile: tap this again.");
      const now = this.view();
      const line = now && lineOf(now);
      return line ? this.app.enter(line) : null;
    };
    this.last = this.last.then(work, work);
  }

  /** Answer a roll or a choice, once. seed: from which the page has thrown it. */
  async answer(name, value, { seed } = {}) {
    if (this.underWay.has(name)) return;
    this.underWay.add(name);
    this.local = { ...this.local, given: { ...this.local.given, [name]: value } };
    const table = await this.app.enter(`${name}=${value}`, seed ? { tap: `throw-${seed}` } : {});
    this.underWay.delete(name);
    if (seed && isEntered(table)) this.app.say(`Thrown: ${value}, from the seed ${seed}.`);
  }

  /** Let a hex attack or stay out. */
  attack(hex, attacks) {
    this.later((now) => {
      const others = now.around.filter((one) => one.attacks && one.hex !== hex).map((one) => one.hex);
      if (!attacks && !others.length) this.app.say("One hex must attack.");
      return attacks ? `<${hex}` : others.length ? `${now.target} < ${others.join(" ")}` : "";
    });
  }
}

/** Whether no tap is on its way, as soon as that is so; false if the table cannot be reached. */
const answered = (state) =>
  new Promise((resolve) => {
    const look = () => {
      if (state.taps.length && !state.away) return;
      resolve(!state.taps.length);
      queueMicrotask(() => ends.forEach((end) => end()));
    };
    const ends = ["taps", "away"].map((what) => state.on(what, look));
  });
