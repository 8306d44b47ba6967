// The page: its head, the tabs of its panels, the sheet, the quiet line. Every panel is given `app`:
//
//   app.state          the table and the taps on their way (state.js); app.state.on("table", draw) hears of each new table
//   app.send(request)  a request and its response; app.about(request, options): one about this table
//   app.enter(line, { confirming })  enters a line as it is typed at the table prompt, once its reader is sure where it asks first, by the
//                      words of `app.confirm`; resolves to the TableShown that answers it
//   app.top()          shows the panel from its top
//   app.panel          the id of the panel that is shown
//   app.say(text)      a line at the foot of the page, which goes by itself; app.refuse(refused): what cannot be done
//   app.sheet(title, draw)  opens the sheet with what `draw(close)` describes; returns a function that draws it anew
//   app.meaning(word)  opens the sheet with what a word, a unit or a rule means
//   app.open(id, detail)    shows a panel, without an id the one where a table begins; `detail` goes to the `opened` that its `mount` returned, if it did; `closed` is
//                           called when the panel goes
//   app.print(shared, address)  prints the report; with a Shared, its link too
//   app.confirm(question, { title, yes })  resolves to whether it was answered with yes

import { atWork } from "./frame/at_work.js";
import { battle } from "./battle/panel.js";
import { draw } from "./common/dom.js";
import { connect } from "./host.js";
import { onBack, shown } from "./frame/back.js";
import { inSight } from "./frame/due.js";
import { head } from "./frame/head.js";
import { lessons } from "./learn/panel.js";
import { line } from "./frame/line.js";
import { PANELS } from "./panels.js";
import { phase } from "./turn/panel.js";
import { guardTaps } from "./parts/pause.js";
import { replay } from "./replay/panel.js";
import { watchSince } from "./replay/since.js";
import { printing } from "./share/print.js";
import { quiet, sheet } from "./frame/sheet.js";
import { arrive, follow, isLink } from "./share/panel.js";
import { State, isEntered } from "./common/state.js";
import { keep, kept } from "./common/storage.js";
import { start, tables } from "./frame/tables.js";
import { tabs } from "./frame/tabs.js";
import { openFile } from "./frame/vassal.js";

const element = (id) => document.getElementById(id);

/** The panel where a table opens: a battle that is open; the map, if units stand on it; else the turn of a game that keeps books, or a battle
 * on a paper map. */
function home({ table, words }, wanted) {
  if (!table.combat && table.units.some(({ on_map }) => on_map)) return wanted[0];
  const first = !table.combat && words.books ? phase : battle;
  return wanted.find(({ id }) => id === first.id) ?? wanted[0];
}

async function begin() {
  const state = new State(await connect());
  const mounted = new Map();
  const app = {
    state,
    panels: PANELS,
    panel: null,
    send: (request) => state.send(request),
    about: (request, options) => state.about(request, options),
    async enter(entered, { confirming, ...options } = {}) {
      let table = await state.enter(entered, options);
      if (table.held && (await app.confirm(table.held, confirming))) table = await state.enter(entered, { ...options, tap: undefined, sure: true });
      if (isEntered(table)) app.done();
      return table;
    },
    top: () => element("main").scrollTo({ top: 0 }),
    ...quiet(element("quiet")),
    ...sheet(element("sheet"), (request) => state.about(request), (question) => app.open("ask", { question })),
    open(id, detail, { back = false } = {}) {
      const wanted = PANELS.filter((known) => known.wanted?.(app) ?? true);
      const panel = [...wanted, tables, lessons, replay].find((known) => known.id === id) ?? home(state, wanted);
      if (app.panel !== panel.id) app.top();
      if (!back && app.panel !== panel.id) shown(panel.id, { first: !app.panel });
      app.panel = panel.id;
      if (![tables, lessons, replay].includes(panel)) keep("panel", panel.id);
      if (!mounted.has(panel.id)) {
        const section = document.createElement("section");
        section.id = `panel-${panel.id}`;
        section.className = "panel";
        section.setAttribute("aria-label", panel.title);
        element("main").append(section);
        const [made, end] = state.during(() => panel.mount(section, app));
        mounted.set(panel.id, { section, end, ...made });
      }
      for (const [name, { section }] of mounted) section.hidden = name !== panel.id;
      document.body.dataset.panel = panel.id;
      mounted.get(panel.id).opened?.(detail);
      state.tell("panel", panel.id);
    },
  };
  let laid = "";
  state.on("table", ({ table }) => {
    if (table === laid) return;
    laid = table; // each table has its panels anew
    for (const [id, { section, end, closed }] of mounted) {
      if (id === tables.id || id === lessons.id) continue;
      end();
      closed?.();
      section.remove();
      mounted.delete(id);
    }
  });
  head(element("top"), app);
  watchSince(state);
  line(element("line"), element("read-out"), app);
  tabs(element("tabs"), app);
  atWork(element("at-work"), app);
  guardTaps(element("main"));
  inSight(element("main"));
  state.on("busy", (busy) => { document.body.dataset.busy = busy ? "yes" : "no"; });
  state.on("refused", (refused) => app.refuse(refused));
  app.print = printing(element("print"), app);
  /** Follow a link in the address, which then is that of the page again. */
  const followed = async () => {
    if (!isLink(location.hash) || !(await follow(app, location.hash))) return false;
    history.replaceState(history.state, "", location.pathname + location.search);
    return true;
  };
  addEventListener("hashchange", followed);
  addEventListener("dragleave", (event) => event.relatedTarget ?? delete document.body.dataset.hovers);
  for (const kind of ["dragover", "drop"])
    addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault(); // or the browser would show the file in place of the page
      if (kind === "dragover") document.body.dataset.hovers = "Drop the file to open it";
      else delete document.body.dataset.hovers;
      if (kind === "drop" && event.dataTransfer.files[0]) openFile(app, event.dataTransfer.files[0]);
    });
  onBack((panel) => {
    app.close();
    app.open(panel, undefined, { back: true });
  });
  const last = kept("table");
  const there = await state.send({ do: "games" });
  if (there.is === "refused") app.refuse(there);
  const names = there.tables ?? [];
  if (!(await followed())) {
    const isOpen = names.includes(last) ? await state.open(last) : names.length === 1 && (await state.open(names[0]));
    if (isOpen && state.table.answer && !kept("panel")) arrive(app);
    else if (isOpen) app.open(kept("panel") ?? undefined);
    else if (last || names.length || !(await start(app, there.games ?? []))) app.open(tables.id);
  }
  document.body.dataset.ready = "yes";
}

begin().catch((error) => draw(element("main"), `The page could not begin: ${error.message ?? error}`));
