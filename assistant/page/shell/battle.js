// A battle by taps.

import { draw, h } from "./dom.js";

export const battle = { id: "battle", title: "Battle", icon: "M5 5l14 14M19 5 5 19M5 15v4h4M19 15v4h-4", mount };

function mount(element, app) {
  app.state.on("table", (table) => draw(element, h("p", null, table.answer?.title ?? "")));
}
