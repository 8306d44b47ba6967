// The owner's printed map painted into his pack: a photo of it under the board, a brush, and what each stroke has changed, to take back. What is
// painted goes to the pack alone: it is no line of the table.

import { button, draw, h, sign } from "../common/dom.js";
import { capital, spoken } from "../common/words.js";
import { addressOf, keepPhoto } from "./photo_file.js";
import { chooseFile } from "../common/files.js";
import { photoFit } from "./photo_fit.js";

const STROKES = 200; // that can be taken back
const MAIN = 5; // kinds of facts that have a button of their own
const UNDO = "M9 5 4 10l5 5M4 10h10.5a5 5 0 0 1 0 10H11", REDO = "M15 5l5 5-5 5M20 10H9.500a5 5 0 0 0 0 10H13", MOVE = "M12 3v18M3 12h18M9.500 5.500 12 3l2.500 2.500M9.500 18.500 12 21l2.500-2.500M5.500 9.500 3 12l2.500 2.500M18.500 9.500 21 12l-2.500 2.500";
const TITLES = { shown: "As drawn", nothing: "Nothing else", remove: "Take out" };
const MEANINGS = {
  shown: "The board shows this hex and its hexsides as printed",
  nothing: "Nothing in the hex or on its hexsides (river, road, town, border) beyond what is printed there",
  remove: "Remove a hex and its hexsides from the pack",
};
const KEYS = { d: "shown", n: "nothing", r: "remove" };

/** The painting of the printed map. strip: the element of the brushes; fitting: that of the fit; map: the board. told: { redraw(), ended(), laid() }. Returns { on, begin(),
 * end(), stroke(spot, phase), at(hex), key(event), marks(), photo }. */
export function printedMap(strip, fitting, app, map, told) {
  const about = (request) => app.about(request).catch(() => ({ is: "refused", what: "the table cannot be reached now", hint: "try it again", where: "" }));
  let on = false, isMoving = false, ground = null, own = new Map(), brush = { kind: "word", track: "", value: "" }, adds = false;
  let photos = [], limits = null, photo = null, busy = "", mix = 50;
  let stroke = new Set(), last = "", began = null, done = [], undone = [], pending = [], sending = Promise.resolve(), laying = 0;

  const fit = photoFit(fitting, about, {
    kept: async (id) => {
      fit.hide();
      await list();
      await lay(id);
    },
    closed: async () => {
      const before = fit.photo;
      fit.hide();
      show();
      map.stage.focus({ preventScroll: true });
      if (before?.fit) await lay(before.id); // as it was fitted before
    },
  });

  // --- photos ---

  const refuse = (answer) => (app.refuse(answer), null);
  const list = async () => {
    const answered = await about({ do: "photos" });
    if (answered.is !== "photos") return refuse(answered);
    [photos, limits] = [answered.photos.filter(({ here }) => here), answered];
    return photos;
  };
  const choose = async () => {
    const file = await chooseFile("image/jpeg,image/png,image/webp");
    if (!file) return;
    const kept = await keepPhoto(file, about, limits, (words) => show((busy = words))).catch(() => ({ what: "The photo could not be saved.", hint: "Choose it again." }));
    busy = "";
    show();
    if (kept.is !== "kept") return refuse(kept);
    photos = kept.photos.filter(({ here }) => here);
    await lay(kept.id);
  };
  const fetched = async (id) => {
    const shown = await about({ do: "photo", photo: id });
    if (shown.is !== "photo") return refuse(shown);
    return { ...shown, url: addressOf(shown.data), data: "" };
  };
  /** Lay a photo under the board, or have the grid fitted to it first. Of several that are chosen in haste the last one counts. */
  const lay = async (id, { refit = false } = {}) => {
    if (!on) return; // ended while a photo was being kept
    const mine = (laying += 1), shown = await fetched(id);
    if (!shown) return;
    if (mine !== laying) return URL.revokeObjectURL(shown.url);
    letGo();
    if (!shown.fit || refit) {
      show();
      return fit.show(shown);
    }
    photo = shown;
    map.layPhoto({ ...shown, matrix: shown.fit.matrix });
    show();
    await told.laid();
    if (photo !== shown) return;
    map.showPhoto(map.photo);
    mixed(mix);
  };
  const letGo = () => {
    laying += 1;
    fit.hide();
    if (photo) URL.revokeObjectURL(photo.url);
    photo = null;
    map.layPhoto(null);
  };
  const remove = async () => {
    if (!photo || !(await app.confirm("Delete this photo? What you have painted from it stays"))) return;
    const answered = await about({ do: "delete-photo", photo: photo.id });
    if (answered.is !== "photos") return refuse(answered);
    letGo();
    photos = answered.photos.filter(({ here }) => here);
    show();
    told.laid();
  };
  /** How much of the drawn board is seen over the photo, of 100. */
  const mixed = (value) => {
    mix = value;
    map.plane.style.setProperty("--drawn", String(photo ? mix / 100 : 1));
  };

  // --- what the pack has ---

  const load = async () => {
    const answered = await about({ do: "ground" });
    if (answered.is !== "ground") return refuse(answered);
    ground = answered;
    own = new Map();
    for (const { track, value, subjects } of ground.layers) for (const subject of subjects.split(" ")) put(track, subject, value);
    brush = brush.track ? brush : { kind: "word", track: ground.brushes[0]?.track ?? "", value: ground.brushes[0]?.words[0].value ?? "" };
    return ground;
  };
  const put = (track, subject, value) => {
    if (!own.has(track)) own.set(track, new Map());
    if (value === null) own.get(track).delete(subject);
    else own.get(track).set(subject, value);
  };
  const take = async (answered) => {
    if (answered.before !== ground.mark) await load(); // another page has painted too
    else {
      for (const [track, subject, , value] of answered.changes) put(track, subject, value);
      ground = { ...ground, printed: answered.printed, total: answered.total, mark: answered.mark };
    }
    if (answered.left.length) app.say(answered.left[0]);
  };
  /** Send one request after the other. Resolves to what it has changed, null for nothing. */
  const send = (request) =>
    (sending = sending.catch(() => null).then(async () => {
      const answered = await about(request);
      pending = pending.filter((one) => one.request !== request);
      if (answered.is !== "ground") refuse(answered);
      else await take(answered);
      redraw();
      show();
      if (!pending.length) app.state.look(); // what is printed counts in the answers at once
      return answered.is === "ground" && answered.changes.length ? answered.changes : null;
    }));
  const back = async (from, to) => {
    await sending;
    const changes = from.pop();
    if (!changes) return;
    const changed = await send({ do: "restore", changes: changes.map(([track, subject, before, after]) => [track, subject, after, before]) });
    if (changed) to.push(changed);
    else app.say("Someone else has painted there meanwhile: nothing was changed.");
    show();
  };
  const undo = () => back(done, undone);
  const redo = () => back(undone, done);

  // --- strokes ---

  const chosen = () => ground?.brushes.find(({ track }) => track === brush.track);
  /** What a spot means to the brush: a hex, or a hexside. */
  const subjectOf = (spot, passing) => {
    if (brush.kind !== "word" || chosen().on === "hex") return spot.hex;
    return passing && !spot.firm ? null : spot.side;
  };
  const strokeOver = (spot, phase) => {
    if (phase === "begun") [stroke, last, began] = [new Set(), "", null];
    if (phase === "given up") stroke.clear();
    if (spot) {
      const crosses = brush.kind === "word" && chosen().crosses;
      if (!crosses) stroke.add(subjectOf(spot, phase === "drawn"));
      else if (last && last !== spot.hex && map.apart(last, spot.hex) < map.hexSize * 1.2) stroke.add([last, spot.hex].sort().join("|"));
      else if (!last) began = spot;
      last = spot.hex;
      stroke.delete(null);
    }
    if (phase === "done") {
      if (!stroke.size && began?.side) stroke.add(began.side); // a tap near a side is a crossing there
      if (stroke.size) finish();
      else if (brush.kind === "word" && chosen().on === "hexside") app.say(chosen().crosses ? "Draw it from hex to hex, or tap near the side that it crosses." : "Tap nearer to the side.");
      began = null;
    }
    told.redraw();
  };
  const finish = () => {
    const request = { do: "paint", brush: brush.kind, subjects: [...stroke], ...(brush.kind === "word" ? { track: brush.track, value: brush.value, adds: adds && Boolean(chosen().several) } : {}) };
    pending.push({ request });
    stroke = new Set();
    undone = [];
    send(request).then((changes) => {
      if (changes) done = [...done.slice(1 - STROKES), changes];
      show();
    });
  };
  const at = (hex) => {
    if (brush.kind === "word" && chosen().on === "hexside") return app.say("Paint hexsides with a finger or the mouse.");
    stroke = new Set([hex]);
    finish();
    told.redraw();
  };

  // --- what is seen ---

  /** What is painted, as paths over the map: what lies in a hex as a tint, along a hexside as a line on it, across it as a line from hex to hex. */
  const paths = (inSight) => {
    if (!on || !ground) return [];
    const made = [], shape = (points) => `M${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;
    const known = (hex) => map.hexes.has(hex) && inSight(map.hexes.get(hex));
    const printed = new Set();
    for (const [number, one] of ground.brushes.entries()) {
      const values = new Map();
      for (const [subject, value] of overlaid(one.track)) if (subject.split("|").every(known)) values.set(value, [...(values.get(value) ?? []), subject]);
      for (const [value, subjects] of values) {
        const { colour, width } = one.words.find((word) => word.value === value) ?? one.words.find((word) => value.split("+").includes(word.value) && word.colour) ?? { colour: "", width: 0 };
        if (number === 0) subjects.forEach((hex) => printed.add(hex));
        if (one.on === "hex" && number === 0) made.push({ kind: "tint", colour, data: subjects.map((hex) => `${shape(map.corners(hex))}Z`).join("") });
        else if (one.on === "hex") colour && made.push({ kind: "dot", colour, data: subjects.map((hex) => dot(hex, number)).join("") });
        else if (one.crosses) colour && made.push({ kind: "crossing", colour, width, data: subjects.map((side) => shape(side.split("|").map((hex) => map.hexes.get(hex)))).join("") });
        else made.push({ kind: colour ? "along" : "bare", colour, width, data: subjects.map((side) => shape(map.ends(side))).join("") });
      }
    }
    made.push({ kind: "edge", colour: "", data: [...printed].map((hex) => `${shape(map.corners(hex))}Z`).join("") });
    return made.filter(({ data }) => data);
  };
  const dot = (hex, number) => {
    const { x, y } = map.hexes.get(hex), size = map.hexSize, left = x + size * (0.09 * (number % 5) - 0.18), top = y + size * 0.24;
    return `M${left - 1.6},${top}a1.6,1.6 0 1,0 3.2,0a1.6,1.6 0 1,0 -3.2,0`;
  };
  /** What the pack has of a track, with strokes on their way over it. */
  const overlaid = (track) => {
    const strokes = pending.filter(({ request }) => request.track === track);
    if (!strokes.length) return own.get(track) ?? new Map();
    const facts = new Map(own.get(track) ?? []);
    for (const { request } of strokes) for (const subject of request.subjects) facts.set(subject, request.value);
    return facts;
  };
  const redraw = () => (map.layPainted(), told.redraw());
  const marks = () => [...stroke].map((subject) => (!subject.includes("|") ? { at: [subject], kind: "painted" } : chosen()?.crosses ? { way: subject.split("|"), kind: "painted way" } : { sides: [subject], kind: "painted side" }));

  // --- the strip ---

  const pick = (next) => ((brush = next), (isMoving = false), moving(), show(), told.redraw());
  const isPicked = ({ track }) => !isMoving && brush.kind === "word" && brush.track === track;
  const moving = () => {
    map.painting = on && !isMoving;
    map.stage.classList.toggle("painting", map.painting);
  };
  const group = (track) => {
    const one = ground.brushes.find((other) => other.track === track);
    pick({ kind: "word", track, value: remembered.get(track) ?? one.words.find(({ colour }) => colour)?.value ?? one.words[0].value });
  };
  const remembered = new Map(); // the last word of each track
  const word = (value) => {
    remembered.set(brush.track, value);
    pick({ kind: "word", track: brush.track, value });
  };
  const show = () => {
    if (!on || !ground) return draw(strip);
    const now = chosen();
    draw(strip,
      h("div", { key: "head", class: "printed-row printed-head" },
        button({ class: "plain", "aria-label": "End painting", onclick: told.ended }, "×"),
        h("strong", { role: "status", class: "printed-count" }, busy || `${ground.printed.toLocaleString("en")} of ${ground.total.toLocaleString("en")} hexes printed`)),
      h("div", { key: "photos", class: "printed-row printed-photos" },
        photos.length > 0 && h("select", { "aria-label": "Photo", value: photo?.id ?? "", onchange: (event) => (event.target.value ? lay(event.target.value) : (letGo(), mixed(mix), told.laid(), show())) },
          h("option", { value: "" }, "No photo"), photos.map((one) => h("option", { key: one.id, value: one.id, selected: one.id === photo?.id }, `${one.title}${one.fitted ? "" : " (to be fitted)"}`))),
        button({ class: "chip", disabled: Boolean(busy) || !limits, onclick: choose }, photos.length ? "Another photo" : "Choose a photo of your map"),
        photo && [
          h("label", { key: "mix", class: "printed-mix" }, h("span", null, "Drawn board"), h("input", { type: "range", min: "0", max: "100", step: "5", value: String(mix), oninput: (event) => mixed(Number(event.target.value)) })),
          button({ key: "fit", class: "chip", onclick: () => lay(photo.id, { refit: true }) }, "Fit again"),
          button({ key: "delete", class: "chip", onclick: remove }, "Delete photo"),
        ]),
      h("div", { key: "tracks", class: "printed-row", role: "group", "aria-label": "What is painted" },
        button({ class: "chip tool", "aria-label": "Undo the stroke", title: "Undo (Z)", disabled: !done.length, onclick: undo }, sign(UNDO)),
        button({ class: "chip tool", "aria-label": "Paint it again", title: "Redo (Y)", disabled: !undone.length, onclick: redo }, sign(REDO)),
        button({ class: "chip tool", "aria-label": "Move the map", pressed: isMoving, title: "Move the map (Space); two fingers or the right mouse button always move it", onclick: () => ((isMoving = !isMoving), moving(), show()) }, sign(MOVE)),
        ground.brushes.slice(0, MAIN).map((one) => button({ key: one.track, class: "chip", pressed: isPicked(one), title: capital(one.title), onclick: () => group(one.track) }, one.title)),
        ground.brushes.length > MAIN &&
          h("select", { key: `more ${brush.track}`, "aria-label": "More that is printed", onchange: (event) => event.target.value && group(event.target.value) },
            h("option", { value: "" }, "More …"), ground.brushes.slice(MAIN).map((one) => h("option", { key: one.track, value: one.track, selected: isPicked(one) }, one.title))),
        Object.entries(TITLES).map(([kind, title]) => button({ key: kind, class: "chip tool", title: `${MEANINGS[kind]} (${Object.keys(KEYS).find((key) => KEYS[key] === kind).toUpperCase()})`, pressed: !isMoving && brush.kind === kind, onclick: () => pick({ ...brush, kind }) }, title))),
      now && brush.kind === "word" &&
        h("div", { key: "words", class: "printed-row chips", role: "group", "aria-label": now.title },
          now.words.map(({ value, word: name, colour }, number) =>
            button({ key: value, class: "chip", pressed: value === brush.value, title: number < 9 ? `Key ${number + 1}` : null, onclick: () => word(value) }, colour && h("span", { class: "swatch", style: { "--own": colour }, "aria-hidden": "true" }), spoken(name))),
          now.several && button({ key: "adds", class: "chip tool", pressed: adds, title: "Adds this word to those already chosen", onclick: () => ((adds = !adds), show()) }, "Add to what is there"),
          h("span", { key: "how", class: "faint" }, now.on === "hex" ? "Draw over hexes." : now.crosses ? "Draw from hex to hex." : "Draw along hexsides, or tap near one.")),
      brush.kind !== "word" && h("p", { key: "meaning", class: "printed-meaning faint" }, `${MEANINGS[brush.kind]}.`),
    );
  };
  const key = (event) => {
    if (!on || fit.on || !ground) return false;
    const name = event.key.toLowerCase(), number = Number(event.key), command = event.ctrlKey || event.metaKey;
    if (event.altKey || (command && !["z", "y"].includes(name))) return false;
    if (name === "z" && !event.shiftKey) undo();
    else if (name === "y" || name === "z") redo();
    else if (number >= 1 && chosen()?.words[number - 1]) word(chosen().words[number - 1].value);
    else if (KEYS[name]) pick({ ...brush, kind: KEYS[name] });
    else if (name === " ") (isMoving = !isMoving), moving(), show();
    else if (name === "[" || name === "]") {
      const all = ground.brushes.map(({ track }) => track), now = all.indexOf(brush.track) + (name === "]" ? 1 : -1);
      group(all[(now + all.length) % all.length]);
    } else return false;
    return true;
  };

  map.paths = paths;
  return {
    get on() {
      return on;
    },
    get photo() {
      return photo?.id ?? "";
    },
    async begin() {
      if (!(await list()) || !(await load())) return false;
      on = true;
      moving();
      show();
      const first = photos.filter(({ fitted }) => fitted).at(-1);
      if (first) await lay(first.id);
      redraw();
      return true;
    },
    end() {
      if (!on) return;
      on = isMoving = false;
      letGo();
      mixed(mix);
      moving();
      show();
      redraw();
    },
    stroke: strokeOver,
    at,
    key,
    marks,
  };
}
