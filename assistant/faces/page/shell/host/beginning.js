// What is shown until the page begins: how much of it has come, what is being done, and behind that a still picture of the board,
// which the live one replaces.

import { button, draw, h } from "../common/dom.js";
import { kept } from "../common/storage.js";

const PATIENCE = 400; // milliseconds before a page that is kept says that it is starting
const SHARES = { fetching: 0.8, starting: 0.9, reading: 0.98 }; // how far the bar has come when each is done
const MB = 1e6;
const [LEAST, LARGEST, ROOM] = [62, 68, 0.8]; // of the live board: the height of a hex in pixels, and the hexes round those that it shows first
const FOOT = 100; // what covers its lower edge, in pixels, until that is there
const LINGERS = 8000; // milliseconds that the still waits for the live board at most

/** Show that the page begins. files: each with [its bytes, those over the wire]; still: as `module_builder/page/command.py`
 * has it, or null.
 * Returns `tell(news)` as the worker sends it, `started()`, and `fail(error, again)`, which returns whether that is shown. */
export function beginning(files, still, { isKept }) {
  const main = document.getElementById("main");
  const panel = Object.assign(document.createElement("section"), { className: "beginning" });
  const behind = still && !isKept && !kept("table") && !location.hash ? stillPicture(main, still) : null;
  const come = new Map();
  const all = sum(Object.values(files).map(([, wire]) => wire));
  let words = isKept ? "Starting Python" : "Fetching the rules";
  let detail = "";
  let far = 0;
  let isBegun = false, isDone = false;
  const show = (...more) => {
    if (isDone) return;
    draw(panel,
      h("p", { id: "beginning-words" }, words, detail),
      h("p", { class: "heard", role: "status" }, words),
      h("progress", { max: 1, value: far, "aria-labelledby": "beginning-words" }),
      !isKept && !more.length && h("p", { class: "faint" }, "The first visit downloads everything; after that the page works offline."),
      more,
    );
  };
  /** The bar never goes back: a file that is fetched again has come already. */
  const say = (text, share, after = "") => {
    words = text;
    detail = after;
    far = Math.max(far, share);
    show();
  };
  const end = () => {
    isDone = true;
    clearTimeout(timer);
    panel.remove();
  };
  const timer = setTimeout(() => main.append(panel), isKept ? PATIENCE : 0);
  show();
  return {
    tell({ file, bytes, reading }) {
      if (reading) return say("Reading the games", SHARES.starting);
      if (!files[file]) return;
      const [size, wire] = files[file];
      come.set(file, Math.max(come.get(file) ?? 0, Math.min(bytes / size, 1) * wire));
      const fetched = sum(come.values());
      if (fetched >= all) say("Starting Python", SHARES.fetching);
      else say("Fetching the rules", (fetched / all) * SHARES.fetching, `, ${Math.floor(fetched / MB)} of ${Math.round(all / MB)} MB`);
    },
    started() {
      isBegun = true;
      if (!behind) return end();
      say("Laying out the map", SHARES.reading);
      behind.leave(end);
    },
    fail(error, again) {
      if (isBegun) return false;
      clearTimeout(timer);
      if (!panel.isConnected) main.append(panel);
      const retry = () => {
        say("Fetching the rules", far);
        again();
      };
      const why = navigator.onLine ? "The page could not be fetched or started." : "There is no network.";
      show(h("p", { class: "refused", role: "alert" }, h("strong", null, why), error && navigator.onLine ? ` ${error}` : ""), button({ class: "main-button", onclick: retry }, "Try again"));
      return true;
    },
  };
}

/** Show the still picture where the live board will show the same, as `BoardMap.fit` does, until that is drawn. Returns `leave(left)`, which calls `left()` then. */
function stillPicture(main, { file, width, height, hex, shows: [wide, high], first: [right, down] }) {
  const image = Object.assign(document.createElement("img"), { src: file, alt: "", className: "still" });
  const frame = document.createElement("div");
  frame.className = "still-frame";
  frame.append(image);
  const lay = () => {
    const { top, left, width: across, height: along } = main.getBoundingClientRect();
    const foot = document.querySelector(".board-about")?.offsetHeight ?? FOOT;
    const fits = Math.min(across / (wide + 2 * ROOM), (along - foot) / (high + 2 * ROOM), LARGEST);
    const size = Math.max(fits, LEAST) / hex;
    const [aside, below] = fits < LEAST ? [right * LEAST, down * LEAST] : [0, 0];
    Object.assign(frame.style, { left: `${left}px`, top: `${top}px`, width: `${across}px`, height: `${along}px` });
    Object.assign(image.style, { width: `${width * size}px`, height: `${height * size}px`, left: `${across / 2 - (width * size) / 2 - aside}px`, top: `${(along - foot) / 2 - (height * size) / 2 - below}px` });
  };
  const laid = new ResizeObserver(lay);
  laid.observe(main);
  main.append(frame);
  const leave = (until, left) => {
    const { panel } = document.body.dataset;
    const isDrawn = document.querySelector(".board-stage")?.dataset.waits === "0";
    lay();
    if (!isDrawn && (!panel || panel === "board") && performance.now() <= until) return void setTimeout(() => leave(until, left), 100);
    laid.disconnect();
    frame.remove();
    left();
  };
  return { leave: (left) => leave(performance.now() + LINGERS, left) };
}

const sum = (numbers) => [...numbers].reduce((one, other) => one + other, 0);
