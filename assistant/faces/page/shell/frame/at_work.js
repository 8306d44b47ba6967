// The sign that the page is at work, shown in words while an answer takes longer than a tap does.

import { draw } from "../common/dom.js";

const PATIENCE = 600; // milliseconds before it is shown

/** Mount the sign. element: an empty one whose text is read out when it changes. */
export function atWork(element, { state }) {
  let timer = null;
  state.on("busy", (busy) => {
    if (busy) timer ??= setTimeout(() => draw(element, "At work …"), PATIENCE);
    else {
      clearTimeout(timer);
      timer = null;
      draw(element);
    }
  });
}
