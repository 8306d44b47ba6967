// Which tables there are, the latest first, with where each stands; and which games are installed.

import { button, draw, h, sign } from "../common/dom.js";
import { calledTable, dayOf } from "../common/words.js";
import { chooseFile } from "../common/files.js";
import { learned } from "../learn/progress.js";
import { forget, keep } from "../common/storage.js";
import { free, openFile } from "./vassal.js";

export const tables = { id: "tables", title: "Tables", icon: "M4 6h16M4 12h16M4 18h16", mount };

const PEN = "M4 20l1-4L16 5l3 3L8 19z";

/** Begin a first table with what a game names for that, if one does. Returns whether it is on the page. */
export async function start(app, games) {
  const game = games.find((one) => one.start);
  if (!game) return false;
  const shown = await app.send({ do: "begin", game: game.id, table: free([], game.id), position: game.start.position, title: game.start.title });
  if (shown.is !== "table") return false;
  keep(`start:${shown.table}`, { shows: game.start.shows, says: game.start.says });
  if (!(await app.state.open(shown))) return false;
  app.open();
  return true;
}

function mount(element, app) {
  let there = null;
  let listed = new Map(); // what is known of tables, by name
  const pictured = new Map(); // the pictures of games, by id
  let isBusy = false;
  const show = () => {
    const own = there?.games.length > 0; // who is a guest at one table begins and deletes none
    draw(
      element,
      !there ? h("p", { class: "faint" }, "The tables cannot be reached now.") : [
        there.tables.length || there.prompts.length ? h("h2", null, own ? "My tables" : "Go on") : null,
        h("ul", { class: "choices wide" }, there.tables.map((name) => row(name, own)), there.prompts.map(ofPrompt)),
        own && h("h2", null, "A new table"),
        own && h("ul", { class: "choices" }, there.games.map((game) => h("li", { key: game.id, class: "begun" }, button({ disabled: isBusy, onclick: () => offer(game) }, told(game.title, pictured.get(game.id)))))),
        own && there.games.some((game) => game.has_lessons) && [
          h("h2", null, "Learn from examples"),
          h("ul", { class: "choices" }, there.games.filter((game) => game.has_lessons).map((game) => h("li", { key: game.id }, button({ disabled: isBusy, onclick: () => app.open("learn", { game: game.id }) }, h("strong", null, game.title), h("span", null, learned(game.id)))))),
        ],
        own && h("h2", null, "A game from VASSAL"),
        own && h("ul", { class: "choices" }, h("li", { key: "file" }, button({ disabled: isBusy, onclick: choose }, h("strong", null, "Open a save or a log"), h("span", null, "or drop it anywhere on the page")))),
      ],
    );
  };
  /** A table: its sketch, what it is called, where it stands and when it was played last. */
  const row = (name, own) => {
    const called = calledTable(name, listed.get(name));
    return h("li", { key: name, class: "begun" },
      button({ disabled: isBusy, onclick: () => go({ do: "look", table: name }) }, told(called, listed.get(name))),
      h("div", null,
        button({ class: "plain", disabled: isBusy, "aria-label": `Rename ${called}`, onclick: () => rename(name) }, sign(PEN)),
        own && button({ class: "plain", disabled: isBusy, "aria-label": `Delete ${called}`, onclick: () => remove(name) }, "×")));
  };
  const told = (called, { sketch, game, stands, written } = {}) => [
    h("span", { class: "sketch" }, sketch && h("img", { src: `data:image/svg+xml,${encodeURIComponent(sketch)}`, alt: "" })),
    h("strong", null, called), h("span", null, game), h("span", null, stands), h("small", null, written && dayOf(written)),
  ];
  /** The table of a game at the prompt of this machine, which is continued here as a copy. */
  const ofPrompt = (game) => {
    const known = listed.get(`prompt ${game}`);
    return known && h("li", { key: `prompt ${game}`, class: "begun" },
      button({ disabled: isBusy, onclick: () => go({ do: "open-prompt", game }) }, told(`At the prompt: ${known.called}`, known)));
  };
  /** Do it, while nothing else can be tapped. */
  const busy = async (work) => {
    isBusy = true;
    show();
    try {
      return await work();
    } catch {
      return app.refuse({ what: "The tables cannot be reached now.", hint: "" });
    } finally {
      isBusy = false;
      show();
    }
  };
  const choose = async () => {
    const file = await chooseFile(""); // phones offer no file at all whose ending they do not know
    if (file) openFile(app, file);
  };
  /** What a table of a game may begin with: nothing, or one of its set-ups. */
  const offer = async ({ id, title }) => {
    const words = await busy(() => app.send({ do: "words", game: id }));
    if (!words) return;
    const begin = ({ name, text, title: called }) => go({ do: "begin", game: id, table: free(there.tables, id), position: text, title: name && called });
    if (!words.setups?.length) return begin({ name: "", text: "" });
    app.sheet(title, (close) => h("ul", { class: "choices" }, [{ name: "", title: "An empty table", text: "" }, ...words.setups].map((setup) => h("li", { key: setup.name }, button({ onclick: () => { close(); begin(setup); } }, h("strong", null, setup.title))))));
  };
  const go = (request) =>
    busy(async () => {
      const shown = await app.send(request);
      if (shown.is !== "table") app.refuse(shown);
      else if (await app.state.open(shown)) {
        app.open();
        if (request.do === "open-prompt") app.say(shown.said.join(". "));
      }
    });
  const remove = async (name) => {
    if (!(await app.confirm(`Delete the table ${calledTable(name, listed.get(name))} with all its entries, for good`))) return;
    const left = await busy(() => app.send({ do: "delete", table: name }));
    if (!left) return;
    if (left.is !== "games") return app.refuse(left);
    forget(name);
    there = left;
    if (app.state.table?.table === name) location.reload(); // it lies on the page
    else show();
  };
  const rename = (name) => {
    const called = calledTable(name, listed.get(name));
    app.sheet("The name of the table", (close) => {
      const give = async (event) => {
        event.preventDefault();
        const renamed = await app.send({ do: "rename", table: name, title: event.target.elements.title.value }).catch(() => ({ what: "The tables cannot be reached now." }));
        if (renamed.is !== "listed") return app.refuse(renamed);
        listed.set(name, renamed);
        close();
        show();
      };
      return h("form", { class: "row name-form", onsubmit: give }, h("input", { name: "title", "aria-label": "Name", value: called, maxlength: 80, autocomplete: "off" }), button({ type: "submit", class: "main-button" }, "Rename"));
    });
  };
  const opened = async () => {
    there = await app.send({ do: "games" }).catch(() => null);
    show();
    const asked = [...(there?.tables ?? []).map((table) => [table, { do: "about", table }]), ...(there?.prompts ?? []).map((game) => [`prompt ${game}`, { do: "about-prompt", game }])];
    for (const [name, request] of asked) {
      const told = await app.send(request).catch(() => null);
      if (told?.is === "listed") listed.set(name, told);
      if (element.hidden) return;
      show();
    }
    for (const { id } of there?.games.filter((game) => !pictured.has(game.id)) ?? []) {
      const shown = await app.send({ do: "picture-game", game: id }).catch(() => null);
      if (shown?.is === "pictured") pictured.set(id, shown);
      if (element.hidden) return;
      show();
    }
  };
  return { opened };
}
