// The browser's Back: it closes the sheet, or leads to the panel before.

let isSpent = false; // whether the last entry is of a sheet that has been closed since

/** Note that something new is shown, which Back leaves again; first: it is where the page begins. */
export function shown(panel, { first = false } = {}) {
  history[first || isSpent ? "replaceState" : "pushState"](panel, "");
  isSpent = false;
}

/** Note that the sheet has been closed by other means than Back. */
export function spent() {
  isSpent = true;
}

/** Call `listener` with the panel that Back leads to. */
export function onBack(listener) {
  addEventListener("popstate", ({ state: panel }) => {
    isSpent = false;
    if (panel) listener(panel);
  });
}
