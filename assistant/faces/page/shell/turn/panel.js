// The turn: where the game stands, the next phase or turn, the answer to `turn` with its checklist, what is due, the accounts of sides and
// nations, what was entered, the phases, and what a whole side may ask. Only what the game has.

import { button, draw, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { keep, kept } from "../common/storage.js";
import { nationOf, sideOf, spoken, trackOf } from "../common/words.js";
import { pausing } from "../parts/pause.js";
import { chooseFact } from "../parts/stating.js";
import { accounts } from "./accounts.js";
import { entries, typedLine } from "./entries.js";
import { consequences } from "./events.js";
import { ruleButton, steps } from "../parts/working.js";

export const phase = { id: "phase", title: "Turn", icon: "M12 3a9 9 0 1 0 9 9M12 7v5l3.5 2M17 3h4v4", mount };

const TURN = "turn";
const NEXT = "next";
const DUE = "due";
const RULINGS = "Rulings";
const FEW = 12; // things due that are all in sight
const OUTSIDE = { turn: "Before the player turns", "inter-phase": "After them" }; // parts of the turn around the player turns, in its answer
const AROUND = { ...OUTSIDE, "inter-phase": "After the player turns" }; // and where they stand alone
const PHASE = ["phase", "phasing"]; // the facts that say which phase it is

function mount(element, app) {
  const { state } = app;
  let answers = {}; // to the questions about the turn, by name
  let asked = ""; // the entry of the table for which they were asked
  let isTurnAsked = false; // whether the turn has been answered or refused: what can be done stands behind that
  let renewed = Promise.resolve(); // once they are here
  let whose = "";
  let said = []; // what the last step did
  let isUnderWay = false; // whether a step is

  const guard = pausing(element);

  const has = (name) => state.words.questions.some((question) => question.name === name);
  const fact = (track) => state.table.moment.find((one) => one.track === track)?.value ?? "";

  function renew() {
    const { table, words } = state;
    const now = `${table?.table}:${table?.entry}`;
    if (!table || !words || asked === now || app.panel !== phase.id) return;
    asked = now;
    renewed = askAnew(now);
  }

  async function askAnew(now) {
    const given = {};
    for (const question of [TURN, DUE, NEXT].filter(has)) {
      const answer = await app.about({ do: "ask", question }).catch(() => null);
      if (asked !== now) return;
      if (answer?.is === "answer") given[question] = answer;
      if (question === TURN) {
        isTurnAsked = true;
        answers = { ...answers, [TURN]: given[TURN] }; // it is read while the others are worked out
        show();
      }
    }
    answers = given;
    show();
  }

  /** Enter a line, unless one is on its way: a second tap is not meant to go further. Returns whether it has been entered. */
  async function step(line) {
    if (isUnderWay) return false;
    isUnderWay = true;
    const table = await app.enter(line);
    isUnderWay = false;
    if (isEntered(table)) said = withoutDue(table.said).filter((text) => text && !/^(entered|read|[0-9]+ \S+ turn$)/.test(text)); // that is in sight
    show();
    return isEntered(table);
  }

  /** What was said of a line, without what is due in the turn that it begins: that is in sight. */
  function withoutDue(texts) {
    const at = texts.indexOf(`Due in ${state.table.turn}`);
    return at < 0 || !has(DUE) ? texts : texts.slice(0, at);
  }

  /** An entry has been made from a sheet. */
  function changed(texts) {
    said = consequences(texts);
    app.say(said.join("; "));
    show();
  }

  const line = typedLine(app, { told: () => { said = []; }, again: () => show() });

  const show = () => {
    if (!state.table || !state.words) return;
    const isHere = isTurnAsked || !has(TURN);
    draw(element, isHere ? [head(), strip(), did(), h("div", { key: "columns", class: "turn-columns" }, h("div", null, answered(), due(), checklist()), h("div", null, accounts(app, changed), entries(app, changed), line(), phaseRows(), questions(), played()))] : head());
    guard([turnNow(), ...PHASE.map(fact), answers[NEXT]?.answers[0]].join("/"));
  };

  function head() {
    const answer = answers[TURN];
    const { moment } = state.table;
    const counted = trackOf(state.words, state.words.course?.track);
    const turn = turnNow();
    const others = moment.filter(({ track }) => ![counted?.name, ...PHASE].includes(track));
    return h("header", { key: "head", class: "turn-head" },
      h("h1", null, state.table.turn_in_words || (answer && answer.kind !== "undecided" ? answer.title : turn ? `Turn ${turn}` : "The turn is not stated yet"), turn && !/^\d+$/.test(turn) && h("small", { class: "faint" }, ` ${turn}`)),
      counted && h("div", { key: "turns", class: "row" },
        button({ key: "next", class: turn && state.words.course.phases.length ? "quiet-button" : "main-button", onclick: nextTurn }, turn ? "Next turn" : "Begin the first turn"),
        button({ key: "other", class: "quiet-button", onclick: () => chooseFact(app, counted, { now: fact(counted.name) }) }, "Another turn")),
      others.length
        ? h("div", { key: "facts", class: "chips", role: "group", "aria-label": "Facts of the whole game" },
            others.map((one) => button({ key: one.track, class: "chip", onclick: () => chooseFact(app, trackOf(state.words, one.track), { now: one.value }) }, `${spoken(one.track)} `, h("b", null, told(one)))))
        : null);
  }

  /** The turn as it is typed; "" while the game counts turns and none is stated. */
  const turnNow = () => (state.words.course?.track ? fact(state.words.course.track) : state.table.turn);

  async function nextTurn() {
    if (!(await step("turn next"))) return;
    await renewed; // which phases a turn has is known once it has begun
    const isKnown = answers[NEXT] && answers[NEXT].kind !== "undecided"; // else no phase is stated yet
    const [first] = isKnown ? [] : phases();
    if (first) await enterPhase(first);
  }

  const told = ({ value }) => nationOf(state.words, value)?.title ?? sideOf(state.words, value)?.title ?? spoken(value);

  /** The phases that a word stands for, in their order: those of the player turns, and those of this turn before and after them. */
  function phases() {
    const { course } = state.words;
    if (!course || !trackOf(state.words, "phase")) return [];
    const worded = course.phases.filter((one) => one.word);
    const every = worded.filter((one) => one.part === "player-turn");
    const isIn = (part, one) => part.steps.some(({ text }) => text.startsWith(one.title));
    const outside = (which) => {
      const part = answers[TURN]?.parts.find(({ title }) => title === OUTSIDE[which]);
      return worded.filter((one) => part && one.part === which && isIn(part, one)).map((one) => ({ ...one, side: "", row: which, key: `${which}/${one.title}` }));
    };
    const sides = trackOf(state.words, "phasing") ? course.order : [""];
    const of = (side) => answers[TURN]?.parts.find((part) => side && part.title.endsWith(`: ${sideOf(state.words, side)?.title}`));
    const rows = sides.map((side) => ({ side, part: of(side) }));
    const known = rows.filter(({ part }) => part).sort((one, other) => answers[TURN].parts.indexOf(one.part) - answers[TURN].parts.indexOf(other.part));
    const ofPlayers = (known.length ? known : rows).flatMap(({ side, part }) =>
      every.filter((one) => (!one.who || one.who === side) && (!part || isIn(part, one))).map((one) => ({ ...one, side, row: side, key: `${side}/${one.title}` })));
    return [...outside("turn"), ...ofPlayers, ...outside("inter-phase")];
  }

  /** Which of the phases it is now: that which was tapped last, if the game still stands in it. */
  function current(all) {
    const here = (one) => one.word === fact("phase") && (!one.side || one.side === fact("phasing"));
    const last = kept(`phase:${state.table.table}`);
    return all.find((one) => one.key === last && here(one)) ?? all.find(here);
  }

  function strip() {
    const all = phases();
    const now = current(all);
    const following = now ? all[all.indexOf(now) + 1] : all[0];
    const next = answers[NEXT];
    if (!turnNow() || !(all.length || next)) return null;
    const goesOn = next && next.kind !== "undecided" && next.changes.length;
    return h("section", { key: "strip", class: "phases", "aria-label": "Phases" },
      now && h("p", { key: "now", class: "phase-now" }, h("b", null, now.title), now.side && `, ${sideOf(state.words, now.side)?.title ?? spoken(now.side)}`),
      goesOn
        ? button({ key: "next", class: "main-button", onclick: () => step(`answer ${NEXT}`) }, "Next: ", next.answers[0])
        : following && button({ key: "next", class: "main-button", onclick: () => enterPhase(following) }, `Next: ${following.title}`),
      next?.changes.length ? resets(next) : null,
    );
  }

  function phaseRows() {
    const all = turnNow() ? phases() : [];
    const now = current(all);
    const rows = [...new Set(all.map(({ row }) => row))];
    if (!rows.length) return null;
    return h("section", { key: "rows", class: "phases", "aria-label": "All phases" },
      rows.map((row) =>
        h("details", { key: row, class: "phase-row", open: !now || now.row === row || null },
          h("summary", null, h("h2", { style: { "--own": sideOf(state.words, row)?.strong ?? "currentcolor" } }, row ? (AROUND[row] ?? sideOf(state.words, row)?.title ?? spoken(row)) : "Phases")),
          h("ol", { class: "strip" },
            all.filter((one) => one.row === row).map((one) =>
              h("li", { key: one.key }, button({ class: "phase", "aria-current": one === now ? "step" : null, onclick: () => enterPhase(one) }, one.title)))))),
    );
  }

  async function enterPhase(one) {
    keep(`phase:${state.table.table}`, one.key);
    if (one.word !== fact("phase") || (one.side && one.side !== fact("phasing"))) await step([one.side && `phasing=${one.side}`, `phase=${one.word}`].filter(Boolean).join(" "));
    else show();
  }

  /** What ends as the next phase begins. */
  const resets = ({ changes }) => {
    const ended = changes.filter((text) => !/^(the game|turn|phase|phasing)\b/.test(text));
    return ended.length ? h("details", { class: "part" }, h("summary", null, `${ended.length} ${ended.length === 1 ? "fact ends" : "facts end"} with this phase`), h("ul", { class: "plain-list" }, ended.map((text) => h("li", { key: text }, text)))) : null;
  };

  const did = () => (said.length ? h("section", { key: "did", class: "said-list", "aria-label": "What that did" }, h("ul", { class: "plain-list" }, said.map((text, number) => h("li", { key: number }, text)))) : null);

  /** What `turn` is answered in words. */
  function answered() {
    const answer = answers[TURN];
    if (!answer || !turnNow()) return null;
    const said = answer.sentences.length ? answer.sentences : answer.answers;
    return h("p", { key: "answered", class: "verdict" }, said.join(" "));
  }

  /** Boxes to be ticked, kept in this browser. part, one: of an answer. */
  function ticks() {
    const name = `ticks:${state.table.table}:${state.table.turn}`;
    const ticked = new Set(kept(name) ?? []);
    const named = (part, { text }) => `${part.title}: ${text}`;
    return {
      count: (part) => part.steps.filter((one) => ticked.has(named(part, one))).length,
      box(part, one) {
        const tick = () => {
          if (!ticked.delete(named(part, one))) ticked.add(named(part, one));
          keep(name, [...ticked]);
          show();
        };
        return [
          h("label", { class: "check" }, h("input", { type: "checkbox", checked: ticked.has(named(part, one)), onchange: tick }), h("span", null, one.text)),
          one.rule && ruleButton(one.rule, app.meaning),
        ];
      },
    };
  }

  const sum = (parts, count) => parts.reduce((total, part) => total + count(part), 0);

  /** What is due, to be ticked off; what only waits for an event has no rule of its own, and no box. */
  function due() {
    const answer = answers[DUE];
    if (!answer || answer.kind === "undecided") return null;
    const { box, count } = ticks();
    const comes = answer.parts.filter((part) => part.steps.every(({ rule }) => rule));
    const all = sum(comes, ({ steps }) => steps.length);
    const asks = ({ text }) => text.match(/\(ask ([\w-]+)\)/)?.[1];
    return h("details", { key: DUE, class: "part", open: true }, h("summary", null, h("h2", null, "Due"), h("span", { class: "brief" }, [...answer.answers, ...(all ? [`${sum(comes, count)} done`] : [])].join(", "))),
      comes.map((part) =>
        h("details", { key: part.title, class: "check-part", open: all <= FEW || null },
          h("summary", null, h("b", null, part.title), h("span", { class: "brief" }, `${count(part)} of ${part.steps.length}`)),
          h("ul", { class: "checks" }, part.steps.map((one, number) =>
            h("li", { key: number }, box(part, one), has(asks(one)) && button({ class: "quiet-button", onclick: () => app.open("ask", { question: asks(one), now: true }) }, `Ask: ${spoken(asks(one))}`)))))),
      answer.parts.filter((part) => !comes.includes(part)).map((part) => h("details", { key: part.title, class: "check-part" }, h("summary", null, h("b", null, part.title)), steps(part.steps, app.meaning))));
  }

  function checklist() {
    const answer = answers[TURN];
    const parts = answer?.parts.filter(({ title }) => title !== RULINGS) ?? [];
    if (!parts.length) return null;
    const { box, count } = ticks();
    const now = current(phases());
    const isNow = (part, { text }) => now && text.startsWith(now.title) && (!now.side || part.title.endsWith(sideOf(state.words, now.side)?.title ?? now.side));
    const isOfPhase = (part) => now && part.title.startsWith(now.title);
    const opened = parts.find((part) => part.steps.some((one) => isNow(part, one))) ?? parts[0];
    return h("details", { key: "checklist", class: "part", open: true },
      h("summary", null, h("h2", null, "Checklist of the turn"), h("span", { class: "brief" }, `${sum(parts, count)} of ${sum(parts, ({ steps }) => steps.length)} done`)),
      parts.map((part) =>
        h("details", { key: part.title, class: "check-part", open: parts.length < 3 || part === opened || isOfPhase(part) || null },
          h("summary", null, h("b", null, part.title), h("span", { class: "brief" }, `${count(part)} of ${part.steps.length}`)),
          h("ul", { class: "checks" }, part.steps.map((one, number) => h("li", { key: number, class: isNow(part, one) ? "now" : "" }, box(part, one)))))),
    );
  }

  function questions() {
    const { words } = state;
    const others = words.questions.filter(({ name }) => ![TURN, NEXT, DUE, words.combat].includes(name));
    const takes = (question, kind) => question.parameters.find((one) => one.takes === kind && question.parameters.every((other) => other === one || !other.needed));
    const plain = others.filter((question) => question.parameters.every(({ needed }) => !needed) && !takes(question, "side"));
    const ofSide = others.filter((question) => takes(question, "side"));
    const ofNation = others.filter((question) => takes(question, "nation"));
    const nations = ofNation.length ? words.sides.flatMap((side) => side.nations) : [];
    const powers = [...(ofSide.length ? words.sides : []), ...nations.filter(({ id }) => !words.sides.some((side) => side.id === id))];
    const chosen = powers.find(({ id }) => id === whose) ?? powers.find(({ id }) => id === fact("phasing")) ?? powers[0];
    const isSide = words.sides.some(({ id }) => id === chosen?.id);
    const isNation = nations.some(({ id }) => id === chosen?.id);
    const chip = (question, values) => button({ key: question.name, class: "chip", title: question.title, onclick: () => app.open("ask", { question: question.name, values, now: true }) }, spoken(question.name));
    return h("section", { key: "ask", class: "ask-now" },
      powers.length
        ? [
            h("h2", { key: "h" }, nations.length ? "For a side or a nation" : "For a whole side"),
            h("div", { key: "whose", class: powers.length > 5 ? "chips" : "segments", role: "group", "aria-label": "Whose" }, powers.map(({ id, title }) => button({ key: id, class: powers.length > 5 ? "chip" : "", pressed: id === chosen?.id, onclick: () => { whose = id; show(); } }, title))),
            h("div", { key: "of", class: "chips" },
              isSide && ofSide.map((question) => chip(question, { [takes(question, "side").name]: chosen.id })),
              isNation && ofNation.map((question) => chip(question, { [takes(question, "nation").name]: chosen.id }))),
          ]
        : null,
      plain.length ? [h("h2", { key: "p" }, "For all"), h("div", { key: "plain", class: "chips" }, plain.map((question) => chip(question, {})))] : null,
    );
  }

  /** What was played, to be stepped through. */
  function played() {
    const { entries, begun, has_earlier: hasEarlier } = state.table;
    const isLog = begun === ".vlog";
    if (!entries.length && !isLog && !hasEarlier) return null;
    return h("section", { key: "played", class: "ask-now" },
      h("h2", null, "What was played"),
      h("div", { class: "row" },
        entries.length > 0 && button({ key: "game", class: "quiet-button", onclick: () => app.open("replay") }, "Step through the game"),
        isLog && button({ key: "log", class: "quiet-button", onclick: () => app.open("replay", { log: true }) }, "Step through the log"),
        hasEarlier && button({ key: "earlier", class: "quiet-button", onclick: () => app.open("replay", { earlier: true }) }, "What changed before this save")));
  }

  const opened = () => {
    if (app.panel !== phase.id) return;
    show();
    renew();
  };
  for (const what of ["words", "table"]) state.on(what, opened);
  return { opened };
}
