// The one line always in sight: strengths, odds, shifts, column, magnitude; what would bring the next column; assumptions.

import { draw } from "./dom.js";

export function line(element, app) {
  app.state.on("table", () => draw(element));
}
