// A chart laid out as it is printed. A whole table is pasted, shown as it was read, and kept by one tap. Or its cells follow each other:
// Enter or Next keeps one and goes on to the next. What is typed is checked at once and kept in the owner's pack; a doubt that it raises is asked.

import { button, draw, h } from "../common/dom.js";
import { keep, kept } from "../common/storage.js";
import { cellFields, cellsToType, codeList, written } from "../parts/cell.js";

/** Fill in a chart in an element. about(request): its response. */
export function chartForm(element, app, about, name) {
  const endsOf = `ends:${app.state.table.game}:${name}`;
  let chart = null;
  let at = ""; // the key of the cell that is open
  let typed = []; // its fields, as they are typed
  let down = kept("chart-order") !== "across";
  let doubts = null;
  let ends = kept(endsOf) ?? {};
  let focusAt = ""; // the field that is to have the focus
  let pasted = "";
  let ways = []; // in which what was pasted may be read; the first is shown

  const load = async () => adopt(await about({ do: "chart", chart: name, ends }));
  const adopt = (answer) => {
    if (answer.is !== "chart") {
      app.refuse(answer);
      return false;
    }
    chart = answer;
    show();
    return true;
  };

  /** The cells in the order in which they follow each other. */
  const order = () => chart.grids.flatMap(({ keys }) => (down ? keys[0].flatMap((_, column) => keys.map((row) => row[column])) : keys.flat()));
  const place = (key) => {
    for (const grid of chart.grids)
      for (const [row, keys] of grid.keys.entries()) if (keys.includes(key)) return [grid.title, grid.columns[keys.indexOf(key)], grid.rows[row]].filter(Boolean).join(" · ");
    return "";
  };

  const go = (key, { focus = true } = {}) => {
    at = key;
    typed = chart.cells[key]?.values ?? chart.fields.map(() => "");
    focusAt = focus ? chart.fields[0].name : "";
    show();
  };
  const move = (by) => {
    const all = order();
    go(all[Math.min(Math.max(all.indexOf(at) + by, 0), all.length - 1)]);
  };
  const empty = (from) => {
    const all = order();
    const start = all.indexOf(from) + 1;
    return [...all.slice(start), ...all.slice(0, start)].find((key) => !chart.cells[key]) ?? "";
  };

  /** Keep the open cell, and go on to the next one that is empty. */
  async function next(values = typed) {
    const before = chart.cells[at]?.values.join("/");
    const key = at;
    if (values.every((value) => value.trim() === "") && !before) return move(1);
    const text = written(chart.fields, values);
    if (text !== before) {
      const answer = await about({ do: "cells", chart: name, cells: { [key]: text }, ends });
      if (answer.is !== "chart") {
        app.refuse(answer);
        return go(key);
      }
      chart = answer;
      if (answer.doubts.length) {
        doubts = { key, found: answer.doubts };
        return go(key, { focus: false });
      }
    }
    const following = order()[order().indexOf(key) + 1];
    go(following && !chart.cells[following] ? following : empty(key) || following || key);
  }

  async function readTable() {
    const answer = await about({ do: "paste", chart: name, text: pasted, ends });
    if (answer.is !== "read") return app.refuse(answer);
    ways = answer.ways;
    show();
    element.querySelector(".table-read")?.scrollIntoView({ block: "start" });
  }

  async function keepTable() {
    const answer = await about({ do: "cells", chart: name, cells: ways[0].cells, ends });
    if (answer.is !== "chart") return app.refuse(answer);
    [pasted, ways] = ["", []];
    adopt(answer);
    for (const { rule, text } of answer.doubts) app.say(`Saved, but a reading of rule ${rule} contradicts it: ${text}`);
  }

  const again = () => {
    const all = order();
    const before = chart.cells[all[all.indexOf(at) - 1]];
    if (before) next([...before.values]);
  };

  const show = () => {
    if (!chart) return draw(element, h("p", { class: "faint" }, "…"));
    draw(element,
      h("header", { key: "head", class: "chart-head" },
        h("h1", null, chart.title, chart.rule && h("small", null, " ", button({ class: "rule", onclick: () => app.meaning(chart.rule) }, `rule ${chart.rule}`))),
        h("p", { class: "faint" }, chart.grids.length ? (cellsToType(chart) || "complete") : "Type the first and the last that are printed in your copy.")),
      chart.unread && h("p", { key: "unread", class: "faint" }, `${chart.unread}.`),
      chart.ends.length && !chart.grids.length && !ways.length ? h("div", { key: "ends" }, endsForm()) : null,
      ways.length ? h("section", { key: "read", class: "table-read", "aria-label": "What was read" }, tableRead(ways[0])) : h("details", { key: "paste", class: "part", open: pasted !== "" }, pasteForm()),
      ways.length ? null : laidOut(chart.grids),
      chart.grids.length ? h("div", { key: "codes" }, codeList(chart.codes, chart.remark)) : null,
      at && !ways.length ? h("div", { key: "cell", class: "cell-editor" }, editor()) : chart.grids.length && !ways.length ? h("div", { key: "begin", class: "row" }, button({ class: "main-button", onclick: () => go(empty("") || order()[0]) }, chart.missing ? "Begin with the first empty cell" : "Look through the cells")) : null,
    );
    if (!focusAt) return;
    const input = element.querySelector(`#cell-${focusAt}`);
    const number = chart.fields.findIndex(({ name: field }) => field === focusAt);
    focusAt = "";
    if (input) {
      input.value = typed[number] ?? "";
      input.focus({ preventScroll: true });
    }
    element.querySelector('.cell-button[aria-current="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  const laidOut = (grids, cells) => grids.map((grid, number) => h("div", { key: `grid${number}`, class: "scrolls", tabindex: "0", role: "region", "aria-label": grid.title || chart.title }, table(grid, cells)));

  const pasteForm = () => [
    h("summary", null, "Paste the whole table"),
    h("p", { class: "faint" }, "From a spreadsheet or a text, in either direction, best with its headings. You see how it was read before it is saved."),
    h("textarea", { class: "search", rows: 6, wrap: "off", spellcheck: "false", "aria-label": "The table", value: pasted, oninput: (event) => { pasted = event.target.value; } }),
    h("div", { class: "row" }, button({ class: "main-button", onclick: readTable }, "Read it")),
  ];

  const tableRead = (way) => [
    h("div", { role: "status" }, way.said.map((text) => h("p", { key: text }, text))),
    laidOut(way.grids, way.cells),
    h("div", { class: "row" },
      button({ class: "main-button", onclick: keepTable }, `Save ${Object.keys(way.cells).length} cells`),
      ways.length > 1 && button({ class: "quiet-button", onclick: () => { ways = [...ways.slice(1), way]; show(); } }, `Read it another way (${ways.length} fit)`),
      button({ class: "quiet-button", onclick: () => { ways = []; show(); } }, "Not so")),
  ];

  /** A table. read: the texts of its cells by key where it is not kept yet. */
  function table(grid, read) {
    return h("table", { class: "chart" },
      grid.title && h("caption", null, grid.title),
      h("thead", null,
        grid.across && h("tr", null, h("td", null), h("th", { colspan: grid.columns.length, scope: "colgroup", class: "across" }, grid.across)),
        h("tr", null, h("th", { scope: "col", class: "corner" }, grid.down), (grid.columns.length ? grid.columns : [chart.fields.map(({ title }) => title).join(" / ")]).map((head, number) => h("th", { key: number, scope: "col" }, head)))),
      h("tbody", null,
        grid.keys.map((keys, row) =>
          h("tr", { key: row },
            h("th", { scope: "row" }, grid.rows[row]),
            keys.map((key, column) => {
              if (read) return h("td", { key, class: "cell-read" }, read[key] ? read[key] : "?");
              const cell = chart.cells[key];
              const text = cell ? cell.values.join(" / ") : "";
              return h("td", { key },
                button({ class: `cell-button ${cell ? cell.source : "empty"}`, "aria-current": key === at ? "true" : null, "aria-label": `${[grid.columns[column], grid.rows[row]].filter(Boolean).join(", ")}: ${text || "empty"}`, onclick: () => go(key) }, text || "·"));
            })))),
    );
  }

  function editor() {
    const all = order();
    const set = (now, following) => {
      typed = now;
      focusAt = following;
      show();
    };
    const cell = chart.cells[at];
    return [
      h("div", { key: "where", class: "cell-place" },
        button({ class: "plain", "aria-label": "The previous cell", disabled: all[0] === at, onclick: () => move(-1) }, "‹"),
        h("b", null, place(at)),
        button({ class: "plain", "aria-label": "The cell after", disabled: all.at(-1) === at, onclick: () => move(1) }, "›"),
        button({ class: "quiet-button", "aria-label": down ? "Cells are filled in down the columns; tap for across" : "Cells are filled in across the rows; tap for down", onclick: () => { down = !down; keep("chart-order", down ? "down" : "across"); show(); } }, down ? "down ↓" : "across →"),
        button({ class: "plain", "aria-label": "Close the cell", onclick: () => { at = ""; show(); } }, "×")),
      doubts?.key === at && h("div", { key: "doubts", class: "doubt", role: "alert" },
        doubts.found.map(({ rule, text }) => h("p", { key: text }, `Saved, but a reading of rule ${rule} contradicts it: ${text}. Is it printed like this?`)),
        h("div", { class: "row" },
          button({ class: "main-button", onclick: () => { doubts = null; next([...typed]); } }, "Yes, it is"),
          button({ class: "quiet-button", onclick: () => { doubts = null; go(at); } }, "No, change it"))),
      cell?.source === "rulebook"
        ? h("p", { key: "fixed", class: "faint" }, `${cell.values.join(" / ")}: the rulebook states this cell.`)
        : cellFields({ fields: chart.fields, typed, set, done: next }),
      h("div", { key: "row", class: "row" },
        button({ class: "main-button", onclick: () => next() }, "Next"),
        all.indexOf(at) > 0 && chart.cells[all[all.indexOf(at) - 1]] && button({ class: "quiet-button", onclick: again }, "= as before"),
        cell && cell.source === "printed" && button({ class: "quiet-button", onclick: () => next(typed.map(() => "")) }, "Take out")),
    ];
  }

  function endsForm() {
    const put = (key, number, text) => {
      const pair = [...(ends[key] ?? ["", ""])];
      pair[number] = text.trim();
      ends = { ...ends, [key]: pair };
    };
    return h("form", { class: "ends", onsubmit: async (event) => { event.preventDefault(); if (await load()) { keep(endsOf, ends); if (chart.grids.length) go(empty("")); } } },
      chart.ends.map(({ key, title, first, last, examples }) =>
        h("fieldset", { key }, h("legend", null, title),
          ["first", "last"].map((word, number) => h("label", { key: word }, word, h("input", { type: "text", class: "search", autocomplete: "off", placeholder: `such as ${examples[number]}`, value: ends[key]?.[number] ?? [first, last][number], oninput: (event) => put(key, number, event.target.value) }))))),
      h("button", { type: "submit", class: "main-button" }, "Lay the chart out"));
  }

  show();
  load();
  return { show };
}
