// What changes on the physical map, large, ticked off one by one. What is ticked is kept in this browser.

import { button, h } from "../common/dom.js";
import { keep, kept } from "../common/storage.js";

const place = (table) => `changes:${table}`;

/** The changes that were carried out last: { title, changes, noted, ticked, away }; null for none. away: whether the list is put away. */
export const carriedOut = (table) => kept(place(table));

/** Keep what is carried out now. */
export const keepCarriedOut = (table, { title, changes, noted }) => keep(place(table), { title, changes, noted, ticked: [] });

/** Take the list out again once it has been put away. */
export const takeOut = (table) => keep(place(table), { ...carriedOut(table), away: false });

/** The list. again(): draws it anew, or what comes after it. */
export function changesList(table, list, { again }) {
  const { title, changes, noted, ticked } = list;
  const keepNow = (more) => {
    keep(place(table), { ...list, ...more });
    again();
  };
  const tick = (number) =>
    keepNow({ ticked: ticked.includes(number) ? ticked.filter((other) => other !== number) : [...ticked, number] });
  const left = changes.length - ticked.length;
  const next = changes.findIndex((_, number) => !ticked.includes(number));
  return h(
    "section",
    { class: "changes", "aria-label": "What changes on the map" },
    h("h2", null, "On the map", h("small", null, left ? ` ${left} of ${changes.length} left` : " all done")),
    h("p", { class: "faint" }, title),
    h(
      "ul",
      null,
      changes.map((text, number) =>
        h(
          "li",
          { key: number, "data-due": number === next && `tick ${number}` },
          h(
            "label",
            { class: "tick" },
            h("input", { type: "checkbox", checked: ticked.includes(number), onchange: () => tick(number) }),
            h("span", null, text),
          ),
        ),
      ),
    ),
    notedLine(noted),
    h(
      "div",
      { class: "row", "data-due": !left && "on" },
      button(
        { class: left ? "quiet-button" : "main-button", onclick: () => keepNow({ away: true }) },
        left ? "Hide the list" : "On to the next",
      ),
    ),
  );
}

/** What is only noted, as it ends by itself: no counter or marker shows it. */
export const notedLine = (noted) =>
  noted?.length ? h("p", { class: "faint" }, `Noted here, with no marker: ${noted.join("; ")}.`) : null;
