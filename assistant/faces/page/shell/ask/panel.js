// Questions: whatever the game registers is a form drawn from its parameters, and its answer stands below it, with its working,
// its picture, what it asks for, and what it changes. Nothing here knows a question by name.

import { asked } from "../parts/dice.js";
import { button, draw, h } from "../common/dom.js";
import { isEntered } from "../common/state.js";
import { fields, isWhole } from "./fields.js";
import { capital, named, nameOf, spoken, titleOf } from "../common/words.js";
import { missing } from "../parts/missing.js";
import { trustChips } from "../parts/trust.js";
import { picture } from "../parts/picture.js";
import { headline, isRefusal, reasons, reasonsOf } from "../parts/reasons.js";
import { working } from "../parts/working.js";

export const questions = { id: "ask", title: "Ask", icon: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0", mount };

const EMPTY = { question: "", values: {}, search: {}, answers: {}, answer: null, picture: null, rolls: {}, waits: false, large: false, folded: false, owed: [], of: "" };

function mount(element, app) {
  const { state } = app;
  let local = { ...EMPTY, filter: "", hits: null };
  let heading = null; // focus goes there when a question is opened
  let last = 0; // the question that was sent last: an answer to an earlier one comes too late
  let isUnderWay = false; // whether an answer is being carried out
  const seen = () => `${state.table.table}:${state.table.entry}`;

  const change = (more) => {
    local = { ...local, ...more };
    show();
  };
  const asking = () => state.words.questions.find(({ name }) => name === local.question);

  const open = (question, values = {}, now = false, answers = {}) => {
    last += 1;
    change({ ...EMPTY, of: seen(), question, values, folded: now });
    app.top();
    heading?.focus();
    if (asking() && isWhole(asking().parameters, values) && (now || !asking().parameters.length)) give(answers);
  };

  /** Ask with what is chosen, and with these dice and choices. */
  async function give(answers) {
    const { question, values } = local;
    const mine = (last += 1);
    change({ answers, waits: true, rolls: {}, of: seen() });
    const answer = await app.about({ do: "ask", question, parameters: chosen(values), answers }).catch(() => null);
    if (mine !== last) return;
    if (answer?.is !== "answer") {
      if (answer) app.refuse(answer);
      return change({ waits: false, answers: Object.fromEntries(Object.entries(answers).slice(0, -1)) });
    }
    const owed = answer.asks.filter(({ kind }) => kind === "parameter").map(({ name }) => name);
    change({ answer, waits: false, picture: null, owed: [...new Set([...local.owed, ...owed])], folded: local.folded && !owed.length });
    if (!answer.drawn.length) return;
    const drawn = await app.about({ do: "draw", what: answer.drawn.includes("picture") ? "picture" : "chart", question, parameters: chosen(values), answers }).catch(() => null);
    if (drawn?.is === "drawn" && local.answer === answer) change({ picture: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}` });
  }

  /** Another table than that of the answer: another question, or the same one asked anew. */
  function renew() {
    if (!state.table || !state.words || app.panel !== questions.id) return;
    const [table] = (local.of ?? "").split(":");
    if (table && table !== state.table.table) forget();
    if (local.answer && local.of !== seen()) give(local.answers);
    show();
  }

  /** No question is asked, and no answer is waited for. */
  function forget() {
    last += 1;
    change({ ...EMPTY });
  }

  async function carryOut() {
    if (isUnderWay) return;
    isUnderWay = true;
    const { question, values, answers } = local;
    const words = [question, ...pairs(chosen(values))].join(" ");
    const dice = pairs(answers).join(" ");
    const table = await app.enter(`answer ${words}${dice ? ` | ${dice}` : ""}`);
    isUnderWay = false;
    if (!isEntered(table)) return;
    app.say("Carried out and entered; Undo takes it back");
    forget();
  }

  const show = () => {
    if (!state.table || !state.words) return;
    draw(element, local.question && asking() ? form() : list());
  };

  /** Look up what was typed in the player's own words. */
  async function find(typed) {
    change({ filter: typed, ...(typed ? {} : { hits: null }) });
    if (!typed) return;
    const found = await app.about({ do: "search", typed }).catch(() => null);
    if (found?.is === "hits" && local.filter === typed) change({ hits: found.hits });
  }

  function list() {
    const { filter, hits } = local;
    const some = hits ?? state.words.questions.map(({ name, title }) => ({ kind: "question", name, title }));
    return [
      h("h1", { key: "h" }, "What you can ask"),
      h("div", { key: "find", class: "row" },
        h("input", { type: "search", class: "search", placeholder: "What do you want to know?", "aria-label": "Find a question", value: filter, oninput: (event) => find(event.target.value.trim()) })),
      h("ul", { key: "list", class: "choices questions" },
        some.map((hit) =>
          h("li", { key: `${hit.kind} ${hit.name}` },
            button({ onclick: () => openHit(hit) },
              h("strong", null, hit.kind === "rule" ? `Rule ${hit.name}` : capital(spoken(hit.name))),
              h("span", null, capital(hit.title)))))),
      some.length ? null : h("p", { key: "none", class: "faint" }, "No question found. Try move, supply, stack."),
    ];
  }

  function openHit({ kind, name }) {
    if (kind !== "question") return app.meaning(name);
    return name === state.words.combat && app.panels.some(({ id }) => id === "battle") ? app.open("battle") : open(name);
  }

  function form() {
    const question = asking();
    const parameters = question.parameters.map((one) => (local.owed.includes(one.name) ? { ...one, needed: true } : one));
    const set = (name, value) => {
      const values = { ...local.values, [name]: value };
      if (!value) delete values[name];
      last += 1;
      change({ values, waits: false, answer: null, picture: null, answers: {}, rolls: {} });
    };
    const whole = isWhole(parameters, local.values);
    return [
      h("header", { key: "head", class: "asked" },
        button({ class: "quiet-button", "aria-label": "All questions", onclick: forget }, "‹ All"),
        h("h1", { tabindex: "-1", hook: (node) => { heading = node; } }, capital(spoken(question.name)))),
      h("p", { key: "title", class: "faint" }, `${capital(question.title)}.`),
      local.folded
        ? h("div", { key: "folded", class: "row" },
            Object.entries(local.values).map(([name, value]) => h("span", { key: name, class: "given-die" }, `${nameOf(state.words, name)} `, h("b", null, titleOf(state.words, value)))),
            button({ class: "quiet-button", onclick: () => change({ folded: false }) }, "Change the question"))
        : h("form", { key: "form", class: "question", onsubmit: (event) => { event.preventDefault(); if (whole) give({}); } },
        fields({ words: state.words, table: state.table, parameters, values: local.values, set, search: local.search, find: (name, text) => change({ search: { ...local.search, [name]: text } }), explain }),
        h("div", { class: "row" }, h("button", { type: "submit", class: "main-button", disabled: !whole || local.waits }, local.waits ? "Asking …" : local.answer ? "Ask again" : "Ask"))),
      local.answer && h("div", { key: "answer", class: "given", "aria-live": "polite" }, answered(local.answer)),
    ];
  }

  /** Ask with what would make it possible. */
  const take = ({ name, value }) => {
    change({ values: { ...local.values, [name]: value } });
    give({});
  };
  const explain = (name, meaning) => app.sheet(capital(nameOf(state.words, name)), () => h("p", null, `${capital(meaning)}.`));

  function answered(answer) {
    const waits = answer.asks.length > 0;
    const changes = [...answer.changes, ...answer.books];
    return [
      h("section", { key: "verdict", class: `outcome ${answer.kind === "figure" ? "value" : answer.kind}`, "data-due": !waits && !changes.length && `answer ${last}` },
        h("p", { class: "mark" }, MARKS[answer.kind] ?? ""),
        h("div", null, answer.title.startsWith(`${answer.question}: `) ? null : h("h2", null, answer.title), isRefusal(answer) ? reasons(answer, app, take) : answer.headline ? h("p", { class: "says headline" }, headline(answer, app)) : answer.answers.map((text, number) => h("p", { key: number, class: "says" }, capital(text))), trustChips(answer.rests_on, app))),
      isRefusal(answer) ? null : reasons(answer, app),
      Object.keys(local.answers).length
        ? h("div", { key: "dice", class: "chips", role: "group", "aria-label": "Dice and choices" },
            Object.entries(local.answers).map(([name, value]) => h("span", { key: name, class: "given-die" }, `${spoken(name)} ${value}`)),
            button({ class: "quiet-button", onclick: () => give({}) }, "Without them"))
        : null,
      waits ? h("div", { key: "asks", class: "asks" }, owed(answer)) : null,
      answer.drawn?.includes("picture") && !waits && h("div", { key: "map", class: "row" }, button({ class: "quiet-button", onclick: () => app.open("board", { lay: { question: answer.question, parameters: chosen(local.values), answers: local.answers } }) }, "Show on the map")),
      local.picture && picture(local.picture, `${answer.title}: ${answer.answers.join("; ")}`, local.large, () => change({ large: !local.large })),
      changes.length && !waits
        ? h("section", { key: "changes", class: "changes", "data-due": `carry out ${last}` },
            h("h2", null, "What changes"),
            h("ul", { class: "plain-list" }, changes.map((text, number) => h("li", { key: number }, text))),
            h("div", { class: "row" }, button({ class: "main-button", onclick: carryOut }, "Carry it out")))
        : null,
      h("div", { key: "working" }, working({ ...answer, parts: answer.parts.slice(reasonsOf(answer).length) }, app.meaning)),
    ];
  }

  /** What is asked for: facts first, as lines; then dice and choices. */
  function owed(answer) {
    const facts = answer.asks.filter(({ kind }) => !["roll", "choice"].includes(kind));
    if (facts.length) {
      const many = facts.length > 6;
      return [
        h("h2", { key: "h" }, `${facts.length === 1 ? "One fact is" : `${facts.length} facts are`} missing`),
        facts.slice(0, many ? 6 : facts.length).map((fact) => h("div", { key: fact.name }, lacking(fact))),
        many && h("p", { key: "more", class: "faint" }, `and ${facts.length - 6} more`),
      ];
    }
    return asked({ ...state.table, answer, pending: answer.asks[0] }, {
      local: local.rolls,
      change: (rolls) => change({ rolls }),
      answer: (name, value, { seed } = {}) => {
        if (seed) app.say(`Thrown: ${value}, from the seed ${seed}.`);
        give({ ...local.answers, [name]: bare(value) });
      },
      enter: app.enter,
      app,
    });
  }

  const goTo = (name) => {
    const field = element.querySelector(`.form-field[data-name="${name}"]`);
    field?.scrollIntoView({ block: "center" });
    field?.querySelector("input, .segments button, .chips button, .offered button")?.focus({ preventScroll: true });
  };

  /** What is missing; a parameter is chosen in the form. */
  const lacking = (fact) =>
    fact.kind === "parameter"
      ? h("section", { class: "ask fact", "aria-label": fact.title, "data-due": fact.name }, h("h2", null, capital(fact.title)), h("div", { class: "row" }, button({ class: "main-button", onclick: () => goTo(fact.name) }, "Choose it above")))
      : missing(fact, { typed: local.rolls[fact.name], put: (text) => change({ rolls: { ...local.rolls, [fact.name]: text } }), enter: app.enter, app });

  for (const what of ["words", "table"]) state.on(what, renew);
  return { opened: (detail) => (detail?.question ? open(detail.question, detail.values, detail.now, detail.answers) : renew()) };
}

const MARKS = { yes: "✓", no: "✗", undecided: "?", figure: "=" };

/** A value without the quotes that a line needs. */
const bare = (value) => (/^".*"$/.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value);

const chosen = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

const pairs = (values) => Object.entries(values).map(([name, value]) => `${name}=${named(value)}`);
