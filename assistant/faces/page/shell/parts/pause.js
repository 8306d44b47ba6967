// A moment in which what can be tapped has given way to something else, or to another place: a second tap is then still meant for what
// was there.

const PAUSE = 300; // milliseconds

/** Let no tap count in an element for a moment, and say that it is busy. */
export function pause(element) {
  clearTimeout(element.pausing);
  element.setAttribute("aria-busy", "true");
  element.pausing = setTimeout(() => element.setAttribute("aria-busy", "false"), PAUSE);
}

/** Stop taps on what pauses, wherever it lies in an element. */
export const guardTaps = (element) =>
  element.addEventListener("click", (event) => event.target.closest("[aria-busy=true]") && (event.stopPropagation(), event.preventDefault()), { capture: true });

/** A function to be called whenever an element has been drawn, with a word for what can be tapped there: once the word has become another,
 * taps pause. */
export function pausing(element) {
  let before = "";
  return (now) => {
    if (now !== before && before) pause(element);
    before = now;
  };
}
