// The picture of an answer, which a tap makes larger.

import { button, h } from "../common/dom.js";

/** A picture. src: its address; said: what it shows, in words; large: whether it is larger; flip(). */
export const picture = (src, said, large, flip) =>
  h("figure", { key: "picture", class: large ? "picture large" : "picture" },
    button({ "aria-label": large ? "Show the whole picture" : "Show the picture larger", pressed: large, onclick: flip }, h("img", { src, alt: said })));
