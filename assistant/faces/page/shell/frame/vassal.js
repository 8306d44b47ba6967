// A file of VASSAL that the reader has chosen or dropped: a save or a log becomes a table, of an unknown module the pieces are listed.

import { button, h } from "../common/dom.js";
import { inBase64 } from "../common/files.js";
import { calledTable } from "../common/words.js";

const MOST = 16 * 2 ** 20; // bytes of such a file

/** Open a file: what is in it is said in the sheet, from which it is continued as a table. */
export async function openFile(app, file) {
  let said = h("p", { role: "status" }, "Reading …");
  const again = app.sheet(file.name, () => said);
  const say = (...lines) => {
    said = lines;
    again();
  };
  const refuse = ({ what, hint }) => say(h("p", { class: "refused", role: "alert" }, h("strong", null, what), hint ? ` ${hint}` : ""));
  const send = (request) => app.send(request).catch((error) => ({ is: "refused", what: "the file cannot be read now", hint: error.message ?? "" }));
  if (file.size > MOST) return refuse({ what: "the file is too large", hint: `at most ${MOST / 2 ** 20} MiB` });
  const data = await inBase64(file).catch(() => null); // of a folder, or of a file that has gone
  if (data === null) return refuse({ what: "the file cannot be read", hint: "choose one file that is on this device" });
  const sent = { name: file.name, data };
  const look = async (more = {}) => {
    const seen = await send({ do: "look-into", ...sent, ...more });
    return seen.is === "file" ? show(seen) : refuse(seen);
  };
  const show = (seen) => {
    let compared = seen.earlier[0]?.table ?? ""; // the earlier table with which the game is compared
    /** That table, if it may be compared with what a side knows. */
    const comparable = (side) => seen.earlier.find(({ table, viewpoint }) => table === compared && (!viewpoint || viewpoint === side));
    const called = ({ table, title }) => title || calledTable(table);
    const begin = async (side) => {
      say(h("p", { role: "status" }, "Reading …"));
      const { tables = [] } = await send({ do: "games" });
      const shown = await send({ do: "begin-from", table: free(tables, seen.game), side, earlier: comparable(side)?.table ?? "", ...sent });
      if (shown.is !== "table") return refuse(shown);
      if (!(await app.state.open(shown))) return app.close();
      app.open();
      if (shown.said.length < 2) {
        app.close();
        return app.say(shown.said.join(". "));
      }
      return say(lines(shown.said), h("div", { class: "row" }, button({ class: "main-button", onclick: () => app.close() }, "To the table")));
    };
    const choice = (side, title, text) => {
      const table = comparable(side);
      return h("li", { key: side }, button({ onclick: () => begin(side) }, h("strong", null, title), text && h("span", null, text), table && h("span", null, `and what has changed since ${called(table)}`)));
    };
    const tell = () => say(
      h("h3", null, seen.title),
      lines(seen.lines),
      seen.kind === "replaces" && h("div", { class: "row" }, button({ class: "main-button", onclick: () => look({ replace: true }) }, "Replace it"), button({ class: "quiet-button", onclick: () => app.close() }, "Leave it")),
      seen.kind === "game" && h("ul", { class: "choices" },
        choice("", "Continue as a table", seen.sides.length ? "with everything in the file" : ""),
        seen.sides.map(([side, title]) => choice(side, `Continue as the ${title} player`, "with what that side may know"))),
      seen.earlier.length > 0 && h("label", { key: "earlier", class: "compared" }, h("span", null, "Compare with"),
        h("select", { class: "search", onchange: ({ target }) => { compared = target.value; tell(); } },
          seen.earlier.map((one) => h("option", { key: one.table, value: one.table, selected: one.table === compared || null }, [called(one), one.viewpoint && `as ${one.viewpoint}`].filter(Boolean).join(", "))),
          h("option", { key: "none", value: "", selected: !compared || null }, "no earlier table"))),
    );
    return tell();
  };
  return look();
}

const lines = (texts) => h("ul", { class: "plain-list" }, texts.map((text, number) => h("li", { key: number }, text)));

/** A name that none of the tables has yet. */
export function free(tables, game) {
  const names = new Set(tables);
  let number = 1;
  while (names.has(`${game}-${number}`)) number += 1;
  return `${game}-${number}`;
}
