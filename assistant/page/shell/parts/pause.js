// A moment in which what can be tapped has given way to something else: a second tap is then still meant for what was there.

const PAUSE = 300; // milliseconds

/** Guard an element. Returns a function to be called whenever it has been drawn, with a word for what can be tapped there:
 * once the word has become another, no tap counts for a moment, and the element says that it is busy. */
export function guarded(element) {
  let before = "";
  let timer;
  const isBusy = () => element.getAttribute("aria-busy") === "true";
  element.addEventListener("click", (event) => isBusy() && (event.stopPropagation(), event.preventDefault()), { capture: true });
  return (now) => {
    if (now === before) return;
    element.setAttribute("aria-busy", String(before !== ""));
    before = now;
    clearTimeout(timer);
    timer = setTimeout(() => element.setAttribute("aria-busy", "false"), PAUSE);
  };
}
