// What is due is in sight: dice, a choice, a missing fact, the button that carries a result out. Panels mark it with `data-due`, a word that
// changes when something else is due; the first that is shown is brought into sight at once, and taps pause for that moment.

import { pause } from "../parts/pause.js";

const KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Tab"]; // a reader who scrolls by keyboard
const TYPED = "input:not([type=checkbox]), textarea, select";

/** Keep what is due in sight within an element that scrolls: not while a finger is down or something is typed, and no more once the
 * reader has gone elsewhere himself. */
export function inSight(main) {
  let before = "", isDown = false, isTyping = false, isElsewhere = false;
  const look = () => {
    const due = [...main.querySelectorAll("[data-due]")].find((element) => element.getClientRects().length);
    const now = due?.dataset.due ?? "";
    if (now !== before) isElsewhere = false;
    before = now;
    if (!due || isDown || (isTyping && document.activeElement.matches(TYPED)) || isElsewhere) return;
    const part = due.offsetHeight > roomOf(due).height ? (due.querySelector(".main-button") ?? due) : due;
    if (isSeen(part)) return;
    part.scrollIntoView({ block: "nearest", inline: "nearest" });
    pause(due.closest(".panel"));
  };
  const on = (kinds, listener) => kinds.forEach((kind) => main.addEventListener(kind, listener, { passive: true }));
  const later = () => setTimeout(look); // after the click that follows
  on(["pointerdown"], ({ target }) => ((isDown = true), (isElsewhere ||= !target.closest("[data-due]"))));
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => ((isDown = false), later()));
  on(["wheel", "touchmove"], () => (isElsewhere = true));
  on(["keydown"], ({ key }) => (KEYS.includes(key) ? (isElsewhere = true) : key === "Enter" && (isTyping = false)));
  on(["focusin"], ({ target }) => target.matches(TYPED) && !target.closest("[data-due]") && (isElsewhere = true));
  on(["input"], ({ target }) => (isTyping = target.matches(TYPED)));
  on(["focusout", "change"], () => ((isTyping = false), later()));
  new MutationObserver(look).observe(main, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-due", "hidden"] });
  new ResizeObserver(look).observe(main);
}

/** Between which heights an element can be seen: within all that scrolls around it. */
function roomOf(element) {
  let [top, bottom] = [0, innerHeight];
  for (let within = element.parentElement; within; within = within.parentElement) {
    if (getComputedStyle(within).overflowY === "visible") continue;
    const box = within.getBoundingClientRect();
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  }
  return { top, bottom, height: bottom - top };
}

/** Whether an element is seen as a whole, or fills what it scrolls in. */
function isSeen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  const room = roomOf(element);
  return (top >= room.top - 1 && bottom <= room.bottom + 1) || (top <= room.top && bottom >= room.bottom);
}
