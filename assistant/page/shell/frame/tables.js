// Which games are installed, and which tables there are: where the page begins.

import { button, draw, h } from "../common/dom.js";

export const tables = { id: "tables", title: "Tables", icon: "M4 6h16M4 12h16M4 18h16", mount };

function mount(element, app) {
  const show = (there) =>
    draw(
      element,
      there.tables.length ? h("h2", null, "Go on") : null,
      h("ul", { class: "choices" },
        there.tables.map((name) => h("li", { key: name }, button({ onclick: () => go({ do: "look", table: name }) }, h("strong", null, name.replaceAll("-", " ")))))),
      h("h2", null, "A new table"),
      h("ul", { class: "choices" }, there.games.map((game) => h("li", { key: game.id }, button({ onclick: () => offer(there, game) }, h("strong", null, game.title))))),
    );
  /** What a table of a game may begin with: nothing, or one of its set-ups. */
  const offer = async (there, { id, title }) => {
    const { setups = [] } = await app.send({ do: "words", game: id });
    const begin = (position) => go({ do: "begin", game: id, table: free(there, id), position });
    if (!setups.length) return begin("");
    app.sheet(title, (close) => h("ul", { class: "choices" }, [{ name: "", title: "An empty table", text: "" }, ...setups].map((setup) => h("li", { key: setup.name }, button({ onclick: () => { close(); begin(setup.text); } }, h("strong", null, setup.title))))));
  };
  const go = async (request) => {
    const shown = await app.send(request);
    if (shown.is !== "table") return app.refuse(shown);
    if (await app.state.open(shown)) app.open();
  };
  return { opened: async () => show(await app.send({ do: "games" })) };
}

/** A name that no table has yet. */
function free(there, game) {
  const names = new Set(there.tables);
  let number = 1;
  while (names.has(`${game}-${number}`)) number += 1;
  return `${game}-${number}`;
}
