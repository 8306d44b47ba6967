// Which games are installed, and which tables there are: where the page begins.

import { button, draw, h } from "./dom.js";

export const tables = { id: "tables", title: "Tables", icon: "M4 6h16M4 12h16M4 18h16", mount };

function mount(element, app) {
  const show = (there) =>
    draw(
      element,
      h("h1", null, "Field Staff"),
      there.tables.length ? h("h2", null, "Go on") : null,
      h("ul", { class: "choices" },
        there.tables.map((name) => h("li", { key: name }, button({ onclick: () => go({ do: "look", table: name }) }, h("strong", null, name.replaceAll("-", " ")))))),
      h("h2", null, "An empty table"),
      h("ul", { class: "choices" }, there.games.map(({ id, title }) => h("li", { key: id }, button({ onclick: () => go({ do: "begin", game: id, table: free(there, id) }) }, h("strong", null, title))))),
    );
  const go = async (request) => {
    const shown = await app.send(request);
    if (shown.is !== "table") return app.refuse(shown);
    if (await app.state.open(shown)) app.open(app.panels[0].id);
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
