// What the owner of the game fills in from his own copy: charts laid out as they are printed, counters as forms that look like
// them, and the pack that holds both, given and taken as one file.

import { chartForm } from "./chart.js";
import { counterForm } from "./counter.js";
import { button, draw, h } from "../common/dom.js";
import { inBase64 } from "../common/files.js";
import { capital } from "../common/words.js";
import { cellsToType } from "../parts/cell.js";

export const charts = { id: "charts", title: "Charts", icon: "M4 4h16v16H4zM4 10h16M10 4v16M10 15h10", mount };

function mount(element, app) {
  const { state } = app;
  let open = null; // { chart } or { unit }
  let missing = {}; // by chart
  let counters = null;
  let pack = null;
  let of = "";

  const about = (request) => app.about(request).catch(() => ({ is: "refused", what: "the table cannot be reached now", hint: "" }));
  const show = () => {
    if (!state.table || !state.words || open?.form) return; // a form draws itself
    draw(element, open ? h("div", { key: `${open.chart ?? ""}/${open.unit ?? ""}`, class: "owned" }, h("div", { class: "row" }, button({ class: "quiet-button", "aria-label": "All charts and counters", onclick: back }, "‹ All"))) : overview());
    if (open && !open.form) begin();
  };

  function begin() {
    const place = element.querySelector(".owned");
    const room = document.createElement("div");
    place.append(room);
    open.form = open.chart ? chartForm(room, app, about, open.chart) : counterForm(room, app, about, open.unit, (unit) => go({ unit }));
  }

  const go = (what) => {
    open = what;
    draw(element);
    show();
    app.top();
  };
  const back = () => {
    go(null);
    renew();
  };

  async function renew() {
    const { game } = state.words;
    if (of !== game) [of, missing, counters, pack] = [game, {}, null, null];
    for (const { name } of state.words.charts) {
      const chart = await about({ do: "chart", chart: name });
      if (chart.is === "chart") missing = { ...missing, [name]: chart };
    }
    const listed = await about({ do: "counters" });
    if (listed.is === "counters") counters = listed.formations;
    const held = await about({ do: "pack" });
    if (held.is === "pack") pack = held;
    show();
  }

  function overview() {
    return [
      h("h1", { key: "h" }, "From your own copy"),
      h("p", { key: "why", class: "faint" }, "What is printed belongs to the owners of the game. Type it once from your copy; it is saved here, and counts as printed from then on."),
      state.words.charts.length
        ? h("ul", { key: "charts", class: "choices" },
            state.words.charts.map(({ name, title, rule }) =>
              h("li", { key: name }, button({ onclick: () => go({ chart: name }) }, h("strong", null, title), h("span", null, [progress(missing[name]), rule && `rule ${rule}`].filter(Boolean).join(" · "))))))
        : null,
      counters?.length ? [h("h2", { key: "hc" }, "Counters"), h("div", { key: "counters" }, formations())] : null,
      h("section", { key: "pack", class: "pack" },
        h("h2", null, "The pack"),
        h("p", { class: "faint" }, pack?.files.length ? `It contains ${pack.files.join(", ")}.` : "It is empty."),
        h("div", { class: "row" },
          h("a", { class: "quiet-button link", href: pack?.data ? `data:application/zip;base64,${pack.data}` : null, download: pack?.name ?? "pack.zip", "aria-disabled": String(!pack?.data) }, "Keep a copy"),
          h("label", { class: "quiet-button link" }, "Take a copy in", h("input", { type: "file", accept: ".zip", class: "hidden-file", onchange: take })))),
    ];
  }

  const formations = () =>
    counters.map(({ title, units }) => {
      const left = units.filter(([, lacking]) => lacking).length;
      return h("details", { key: title, class: "part" },
        h("summary", null, h("b", null, capital(title)), h("span", { class: "brief" }, left ? `${left} of ${units.length} lack values` : "complete")),
        h("div", { class: "chips" }, units.map(([unit, lacking]) => button({ key: unit, class: `chip ${lacking ? "" : "whole"}`, onclick: () => go({ unit }) }, unit, lacking ? null : h("span", { "aria-label": ", complete" }, " ✓")))));
    });

  async function take(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    const taken = await about({ do: "take-pack", data: await inBase64(file) });
    if (taken.is !== "pack") return app.refuse(taken);
    app.say(`Imported: ${taken.files.join(", ")}`);
    await state.look();
    renew();
  }

  return { opened: (detail) => (detail?.chart || detail?.unit ? go(detail) : (show(), open || renew())) };
}

/** How much of a chart is known, in words. */
function progress(chart) {
  if (!chart) return "";
  if (!chart.grids.length) return "its ends are asked for first";
  return cellsToType(chart) || "complete";
}
