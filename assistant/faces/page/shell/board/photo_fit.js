// The grid fitted to a photo of the owner's map: he taps hexes and types their printed numbers; then hexes are outlined in the photo, and he
// says whether the fit is right there.

import { button, draw, h } from "../common/dom.js";
import { Fingers } from "../common/fingers.js";

const NEEDED = 4;
const ENOUGH = 3; // outlined hexes that have to be found right
const GRAB = 22; // pixels within which a finger takes hold of a cross
const CLOSE = 64; // pixels of a hex that is looked at closely
const SHARP = 1; // pixels of the screen for one of the photo, at which a hex is tapped with care
const STEP = 1.4; // by how much a tap on + or - changes the size
const SVG = "http://www.w3.org/2000/svg";

/** The fitting of a photo in an element. about(request): its response, a refusal where it cannot be asked; told: { kept(photo id), closed() }. Returns { show(photo), hide(), on, photo }. */
export function photoFit(element, about, told) {
  let photo = null, taps = [], draft = null, typed = "", fit = null, fault = null, right = [], skipped = [], nudging = false, asked = 0, grabbed = null, from = null;
  let view = { x: 0, y: 0, k: 1 }, far = null;

  const stage = document.createElement("div"), image = document.createElement("img"), over = document.createElementNS(SVG, "svg"), panel = document.createElement("section");
  stage.className = "photo-stage";
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-label", "Your photo. Arrows move the cross, with Shift by a pixel, Enter names its hex, plus and minus change the size.");
  image.alt = "";
  panel.className = "photo-panel";
  panel.setAttribute("aria-label", "Fit the grid");
  stage.append(image, over);
  element.append(stage, panel);

  // --- the photo under a finger ---

  const size = () => ({ width: stage.clientWidth || 1, height: stage.clientHeight || 1 });
  const least = () => Math.min(size().width / photo.width, size().height / photo.height);
  const look = (next) => {
    const k = Math.min(Math.max(next.k, least() * 0.9), 8);
    view = { k, x: Math.min(Math.max(next.x, 0), photo.width), y: Math.min(Math.max(next.y, 0), photo.height) };
    lay();
  };
  const whole = () => look({ x: photo.width / 2, y: photo.height / 2, k: least() });
  const inPhoto = ({ left, top }) => ({ x: view.x + (left - size().width / 2) / view.k, y: view.y + (top - size().height / 2) / view.k });
  const zoom = (factor, at = { left: size().width / 2, top: size().height / 2 }) => {
    const before = inPhoto(at), k = Math.min(Math.max(view.k * factor, least() * 0.9), 8);
    look({ k, x: before.x - (at.left - size().width / 2) / k, y: before.y - (at.top - size().height / 2) / k });
  };
  /** What lies near a point: a tap, the one that is not named yet, or the outlined hex. */
  const near = (at) => {
    const point = inPhoto(at), reach = GRAB / view.k;
    return [draft, ...taps].filter(Boolean).find(({ x, y }) => Math.hypot(x - point.x, y - point.y) < reach) ?? null;
  };
  new Fingers(stage, {
    ready: () => Boolean(photo),
    tap: (at) => chosen(inPhoto(at)),
    pan: (left, top) => look({ ...view, x: view.x - left / view.k, y: view.y - top / view.k }),
    zoom,
    brushes: (at) => Boolean((grabbed = near(at))),
    stroke: (at, phase) => {
      if (phase === "begun") from = { x: grabbed.x, y: grabbed.y };
      if (phase === "drawn") Object.assign(grabbed, inPhoto(at));
      if (phase === "given up") Object.assign(grabbed, from);
      lay();
      if (phase === "done" && grabbed !== draft) refit();
    },
  });
  stage.addEventListener("keydown", (event) => {
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (way) {
      draft ??= { x: view.x, y: view.y };
      const step = event.shiftKey ? 1 : 12 / view.k;
      Object.assign(draft, { x: draft.x + way[0] * step, y: draft.y + way[1] * step });
      look({ ...view, ...draft });
      show();
    } else if (event.key === "Enter") draft && (nudging ? chosen(draft) : panel.querySelector("input")?.focus());
    else if (event.key === "+" || event.key === "=") zoom(STEP);
    else if (event.key === "-") zoom(1 / STEP);
    else if (event.key === "0") whole();
    else if (event.key === "Escape") told.closed();
    else return;
    event.preventDefault();
  });

  const lay = () => {
    if (!photo) return;
    const { width, height } = size(), left = width / 2 - view.x * view.k, top = height / 2 - view.y * view.k;
    image.style.transform = `translate(${left}px, ${top}px) scale(${view.k})`;
    over.setAttribute("width", width);
    over.setAttribute("height", height);
    const at = ({ x, y }) => [left + x * view.k, top + y * view.k];
    const node = (tag, properties, text = "") => {
      const made = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
      made.textContent = text;
      return made;
    };
    const cross = (spot, kind, name) => {
      const [x, y] = at(spot);
      if (x < 0 || y < 0 || x > width || y > height) return [];
      return [node("path", { class: `cross ${kind}`, d: `M${x - 13},${y}h9m8,0h9M${x},${y - 13}v9m0,8v9` }), node("circle", { class: `cross ${kind}`, cx: x, cy: y, r: 3 }), name && node("text", { x: x + 9, y: y - 9 }, name)];
    };
    const place = current();
    over.replaceChildren(
      ...[
        place && !nudging && node("path", { class: "outline", d: `M${place.outline.map(([x, y]) => at({ x, y }).join(",")).join("L")}Z` }),
        place && !nudging && node("text", { x: at(place)[0], y: at(place)[1] - (heightOf(place) * view.k) / 2 - 8, class: "middle" }, place.name || place.hex),
        ...taps.flatMap((tap) => cross(tap, "", tap.hex)),
        ...right.flatMap((tap) => cross(tap, "right", "")),
        ...(draft ? cross(draft, "draft", typed) : []),
      ].filter(Boolean),
    );
  };
  const heightOf = ({ outline }) => Math.max(...outline.map(([, y]) => y)) - Math.min(...outline.map(([, y]) => y));

  // --- taps, and what comes of them ---

  /** The hex that is to be checked now. */
  const current = () => (taps.length >= NEEDED && !draft && fit?.places?.find(({ hex }) => !right.some((one) => one.hex === hex))) || null;
  const chosen = (point) => {
    if (nudging) return answer({ ...nudging, ...point });
    draft = point;
    typed = "";
    if (view.k < SHARP) {
      far ??= view;
      look({ ...point, k: Math.min(SHARP, view.k * 3) }); // near enough to put the cross right
    }
    show();
    panel.querySelector("input")?.focus({ preventScroll: true });
  };
  const name = async (event) => {
    event.preventDefault();
    if (!draft || !typed.trim()) return;
    const mine = draft, named = await about({ do: "hex", hex: typed.trim() });
    if (mine !== draft) return; // it was given up meanwhile
    if (named.is !== "hex") return show((fault = named));
    taps = [...taps.filter(({ hex }) => hex !== named.hex), { hex: named.hex, ...draft }];
    [draft, typed] = [null, ""];
    afar();
    await refit();
    stage.focus({ preventScroll: true });
  };
  /** Back to where one looked before a hex was tapped. */
  const afar = () => {
    if (far) look(far);
    far = null;
  };
  const remove = (hex) => {
    taps = taps.filter((tap) => tap.hex !== hex);
    refit();
  };
  const refit = () => {
    right = [];
    return ask();
  };
  /** Fit the grid to the taps, and keep the fit once it is found right at enough hexes. */
  const ask = async ({ keep = false } = {}) => {
    if (!photo) return;
    const mine = (asked += 1);
    fault = null;
    show();
    const answered = await about({ do: "fit", photo: photo.id, taps, places: right, skip: skipped, keep });
    if (mine !== asked || !photo) return;
    if (answered.is !== "fit") {
      if (taps.length >= NEEDED) fault = answered;
      if (!right.length) fit = null;
      show();
      return false;
    }
    fit = answered;
    if (fit.kept) return told.kept(photo.id);
    const place = current();
    if (place) look({ x: place.x, y: place.y, k: CLOSE / Math.max(heightOf(place), 1) });
    show();
    if (!place && right.length >= ENOUGH) return ask({ keep: true });
    return true;
  };
  const answer = async (place) => {
    nudging = false;
    const before = right;
    right = [...right, { hex: place.hex, x: place.x, y: place.y }];
    if ((await ask()) === false) {
      right = before;
      fault = { ...fault, off: place };
      show();
    }
  };
  /** Count a hex where the fit is off as one more tap. */
  const count = ({ hex, x, y }) => {
    taps = [...taps.filter((tap) => tap.hex !== hex), { hex, x, y }];
    refit();
  };
  const skip = ({ hex }) => {
    skipped = [...skipped, hex];
    ask();
  };

  // --- the panel ---

  const show = () => {
    if (!photo) return;
    lay();
    const place = current(), off = new Map((fit?.taps ?? []).map((tap) => [tap.hex, tap.off]));
    draw(panel,
      h("header", { key: "head" },
        h("h2", { tabindex: "-1" }, "Fit the grid ", h("span", { class: "faint" }, photo.title)),
        button({ class: "plain", "aria-label": "Close", onclick: () => told.closed() }, "×")),
      h("div", { class: "card-body", key: "body" },
        fault && h("p", { key: "fault", class: "photo-fault", role: "alert" }, h("strong", null, fault.what), fault.hint ? `. ${fault.hint}.` : ""),
        fault?.off && h("div", { key: "count", class: "card-actions" }, button({ onclick: () => count(fault.off) }, `Count ${fault.off.hex} as a tap`)),
        draft && !nudging ? naming() : nudging ? moving() : place ? checking(place) : h("p", { key: "next", class: "photo-next", role: "status" }, next()),
        fit && h("p", { key: "says", class: "faint" }, fit.says),
        taps.length > 0 && h("div", { key: "taps", class: "chips", role: "group", "aria-label": "Tapped hexes" },
          taps.map(({ hex }) => button({ key: hex, class: "chip", "aria-label": `Remove ${hex}`, onclick: () => remove(hex) }, hex, off.get(hex) && taps.length > NEEDED ? h("small", null, ` ${off.get(hex).toFixed(2)} off`) : null, " ×"))),
        h("div", { key: "sizes", class: "card-actions" },
          button({ "aria-label": "Larger", onclick: () => zoom(STEP) }, "+"),
          button({ "aria-label": "Smaller", onclick: () => zoom(1 / STEP) }, "−"),
          button({ onclick: whole }, "Whole photo"))));
  };
  const next = () => {
    const more = NEEDED - taps.length;
    if (more > 0) return `Tap the middle of a hex in the photo, near a corner, and type its printed number. ${more === NEEDED ? "Four hexes, far apart." : `${more} more.`}`;
    return fault ? "Drag a cross to correct it, remove one, or tap one more hex." : "Checking the fit …";
  };
  const naming = () =>
    h("form", { key: "naming", class: "row", onsubmit: name },
      h("label", null, "Its printed number ", h("input", { class: "search", name: "hex", value: typed, inputmode: "decimal", autocomplete: "off", spellcheck: "false", oninput: (event) => { typed = event.target.value; lay(); } })),
      button({ type: "submit", class: "main-button" }, "Set it"),
      button({ class: "quiet-button", onclick: () => { draft = null; afar(); show(); } }, "Not this one"),
      h("span", { class: "faint" }, "Drag the cross to the middle of the hex."));
  const checking = (place) =>
    h("div", { key: `check ${place.hex}`, role: "group", "aria-label": "Check the fit" },
      h("p", { role: "status", class: "photo-next" }, `Is ${place.name ? `${place.name}, ${place.hex},` : `hex ${place.hex}`} the outlined hex? `, h("span", { class: "faint" }, `${right.length + 1} of ${right.length + fit.places.length}`)),
      h("div", { class: "card-actions" },
        button({ class: "main-button", onclick: () => answer(place) }, "Yes"),
        button({ onclick: () => { nudging = place; show(); } }, "Not quite: I tap its middle"),
        button({ onclick: () => skip(place) }, "I cannot find it")));
  const moving = () =>
    h("div", { key: "moving" },
      h("p", { role: "status", class: "photo-next" }, `Tap the middle of ${nudging.name ? `${nudging.name}, ${nudging.hex}` : nudging.hex} in the photo.`),
      h("div", { class: "card-actions" }, button({ onclick: () => { nudging = false; draft = null; show(); } }, "Never mind")));

  new ResizeObserver(() => photo && !element.hidden && look(view)).observe(stage);
  return {
    get on() {
      return Boolean(photo);
    },
    get photo() {
      return photo;
    },
    show(chosenPhoto) {
      photo = chosenPhoto;
      [taps, draft, typed, fit, fault, right, skipped, nudging] = [photo.taps.map((tap) => ({ ...tap })), null, "", null, null, [], [], false];
      element.hidden = false;
      Object.assign(image, { src: photo.url, width: photo.width, height: photo.height });
      far = null;
      whole();
      show();
      if (taps.length >= NEEDED) ask();
      panel.querySelector("h2").focus({ preventScroll: true });
    },
    hide() {
      if (photo) URL.revokeObjectURL(photo.url);
      [photo, draft] = [null, null];
      image.removeAttribute("src");
      asked += 1;
      draw(panel);
      element.hidden = true;
    },
  };
}
