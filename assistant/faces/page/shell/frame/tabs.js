// The tabs: at the foot of a phone, at the left of a larger screen.

import { button, draw, h, sign } from "../common/dom.js";

export function tabs(element, app) {
  const show = () => {
    const panels = app.state.table ? app.panels.filter((panel) => panel.wanted?.(app) ?? true) : [];
    element.hidden = panels.length < 2;
    draw(
      element,
      panels.map((panel) =>
        button({ key: panel.id, "aria-current": panel.id === app.panel ? "page" : null, onclick: () => app.open(panel.id) }, sign(panel.icon), h("span", null, panel.title)),
      ),
    );
  };
  for (const what of ["table", "words", "panel"]) app.state.on(what, show);
}
