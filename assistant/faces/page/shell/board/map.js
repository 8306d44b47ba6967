// The map under a finger: tiles of a board that are asked for one after the other, nearest first, with stacks and markers over
// them. Lengths of the board are those of its pictures; `view` says which point lies in the middle and how large one is in pixels.

import { Fingers } from "../common/fingers.js";

const TILES = 60; // pictures of tiles that are kept
const STACKS = 400; // pictures of stacks that are kept
const MAX_STACKS_ASKED = 60; // stacks in one request
const SETTLE = 140; // milliseconds after the last change of size until all is laid anew
const LARGEST = 130; // the height of a hex in pixels, at most
const READ = 15; // the least side of a counter in pixels: from afar counters are larger than the map
const CHIP = { size: 9, least: 10.5, most: 14 }; // the size of its letters on the board, and the least and greatest in pixels
const FOOT = 0.09; // how far below the middle of a hex the foot of a text lies, of its height: there no name lies
const BELOW_TOWN = 0.28; // the same below the sign of a town
const HEAD = -0.23; // the same of a text that stands above them
const NEAR = 68; // the height of a hex in pixels, at most, when hexes are brought into sight
const GAIN = 1.15; // by how much hexes in sight must become larger for the map to move
const EDGE = 40; // pixels from the edge within which what is carried moves the map
const STEP = 9; // pixels by which it does
const SOON = 40; // milliseconds until it does again
const FINE = 1000; // the size of the marks, large enough that browsers do not round it
const SVG = "http://www.w3.org/2000/svg";

/** A map in an element. ask(request): asks about the table; store: finds and keeps tiles as kept_tiles.js does; told: { chosen(spot), held(spot), stroke(spot, phase), lifts(spot, kind),
 * carried(spot, point, phase) }, the last four as in fingers.js, where a spot is { hex, side, firm }: the hex, its hexside that is nearest, and whether that is surely meant where a stroke passes by. */
export class BoardMap {
  constructor(stage, ask, store, told) {
    Object.assign(this, { stage, ask, store, told, covered: {}, shape: null, hexes: new Map(), view: { x: 0, y: 0, k: 1 }, base: 1, painting: false });
    this.tiles = new Map(); // by key: { ground, names } as addresses of pictures
    this.stacks = new Map(); // by hex and key: an address
    this.wanted = [];
    this.drawn = new Map(); // what lies on the plane, by its name
    this.units = new Map(); // stacks by hex: the key of each
    this.plane = document.createElement("div");
    this.plane.className = "board-plane";
    this.layers = Object.fromEntries(["photo", "grounds", "names", "below", "pieces", "above"].map((name) => [name, this.layer(name)]));
    [this.painted, this.marks, this.texts] = [this.layers.below, this.layers.pieces, null].map((above) => this.overlay(above));
    this.painted.classList.add("board-painted");
    stage.append(this.plane);
    this.listen();
    new ResizeObserver(() => this.resized()).observe(stage);
  }

  layer(name) {
    const layer = document.createElement("div");
    layer.className = `board-${name}`;
    this.plane.append(layer);
    return layer;
  }

  /** Room for marks below another layer, over all for none. */
  overlay(above) {
    const overlay = document.createElementNS(SVG, "svg");
    overlay.setAttribute("class", "board-marks");
    overlay.setAttribute("viewBox", `0 0 ${FINE} ${FINE}`);
    return this.plane.insertBefore(overlay, above);
  }

  // --- what is there ---

  /** Lay another board there, or the same one with other tiles. stacks: the key of each by hex. */
  lay(shape, stacks) {
    const fresh = !this.shape || this.shape.board !== shape.board;
    if (shape.hexes.length) {
      this.hexes = new Map(shape.hexes.map(([name, x, y]) => [name, { x, y }]));
      this.places = new Map(shape.places);
      this.cells = new Map();
      for (const [name, x, y] of shape.hexes) {
        const cell = this.cell(x, y);
        this.cells.set(cell, [...(this.cells.get(cell) ?? []), name]);
      }
      const xs = shape.hexes.map(([, x]) => x), ys = shape.hexes.map(([, , y]) => y);
      const [width, height] = shape.size;
      this.isOfAreas = width > 0;
      this.edges = this.isOfAreas ? { left: 0, right: width, top: 0, bottom: height } : { left: Math.min(...xs) - shape.hex, right: Math.max(...xs) + shape.hex, top: Math.min(...ys) - shape.hex, bottom: Math.max(...ys) + shape.hex };
    }
    this.shape = { ...shape, hexes: null, levels: shape.levels.map((level) => ({ ...level, keys: new Map(level.tiles.map(([column, row, key]) => [`${column} ${row}`, { column, row, key }])) })) };
    this.units = stacks;
    this.markers = new Map(shape.markers.map(({ hex, svg }) => [hex, svg]));
    if (fresh) this.drawn.clear(), Object.entries(this.layers).forEach(([name, layer]) => name !== "photo" && layer.replaceChildren());
    this.sync();
    return fresh;
  }

  /** Lay an answer's picture over the board: { below, above, box }, below the counters and above them; null for none. */
  layAnswer(answer) {
    const { below, above } = this.answer ?? {};
    for (const url of [below, above]) if (url) URL.revokeObjectURL(url);
    this.answer = answer?.below ? { below: address(answer.below), above: address(answer.above), box: answer.box } : null;
    this.sync();
  }

  cell(x, y) {
    return `${Math.floor(x / this.hexSize)} ${Math.floor(y / this.hexSize)}`;
  }

  get hexSize() {
    return this.shape?.hex ?? 34;
  }

  /** The hex at a point of the board, and its nearest hexside; null beside the board. */
  spot(x, y) {
    const size = this.hexSize, near = [];
    for (let across = -2; across <= 2; across += 1)
      for (let down = -2; down <= 2; down += 1)
        for (const name of this.cells?.get(this.cell(x + across * size, y + down * size)) ?? []) {
          const { x: left, y: top } = this.hexes.get(name);
          near.push([Math.hypot(left - x, top - y), name]);
        }
    near.sort(([one], [other]) => one - other);
    if (!near.length || near[0][0] > size * (this.isOfAreas ? 2 : 0.62)) return null;
    const hex = near[0][1];
    if (this.isOfAreas) return { hex, side: null, firm: false };
    const beyond = near.find(([, name]) => name !== hex && this.apart(hex, name) < size * 1.2);
    const close = beyond && beyond[0] - near[0][0] < size * 0.5; // else it is the middle of a hex that is meant
    const corner = near.find(([, name]) => name !== hex && name !== beyond?.[1]);
    const firm = close && beyond[0] - near[0][0] < size * 0.3 && (!corner || corner[0] - beyond[0] > size * 0.22); // not near a corner, where three hexsides meet
    return { hex, side: close ? [hex, beyond[1]].sort().join("|") : null, firm };
  }

  /** Where the middle of a hex is on the stage, in pixels. */
  where(hex) {
    const { width, height } = this.size, { x, y, k } = this.view, at = this.hexes.get(hex);
    return { left: width / 2 + (at.x - x) * k, top: height / 2 + (at.y - y) * k };
  }

  apart(one, other) {
    const from = this.hexes.get(one), to = this.hexes.get(other);
    return Math.hypot(from.x - to.x, from.y - to.y);
  }

  /** The hexes beside one; of a map of areas none. */
  beside(hex) {
    if (this.isOfAreas) return [];
    const { x, y } = this.hexes.get(hex), size = this.hexSize, found = new Set();
    for (let turn = 0; turn < 12; turn += 1) {
      const angle = (turn * Math.PI) / 6;
      const spot = this.spot(x + size * Math.cos(angle), y + size * Math.sin(angle));
      if (spot && spot.hex !== hex && this.apart(hex, spot.hex) < size * 1.2) found.add(spot.hex);
    }
    return [...found];
  }

  /** The hexes beside one, or the nearest places of a map of areas. */
  around(hex) {
    return this.isOfAreas ? [...this.hexes.keys()].filter((name) => name !== hex).sort((one, other) => this.apart(hex, one) - this.apart(hex, other)).slice(0, 12) : this.beside(hex);
  }

  // --- where one looks ---

  get size() {
    return { width: this.stage.clientWidth || 1, height: this.stage.clientHeight || 1 };
  }

  get least() {
    const { width, height } = this.size;
    return Math.min(width / (this.edges.right - this.edges.left), height / (this.edges.bottom - this.edges.top), 1.6);
  }

  /** Show all of the board, or some hexes with what lies round them, beside what covers the map: as large as there is room for,
   * but no smaller than a hex of so many pixels round the first one, and no larger than one of `most`. */
  fit(hexes = [], least = 0, most = NEAR) {
    this.unfit = this.stage.clientHeight ? null : [hexes, least, most]; // until the stage has a size
    this.look(this.fitted(hexes, least, most), true);
  }

  /** The view that `fit` takes: no paper beyond the board is seen where the board has more to show. */
  fitted(hexes, least, most) {
    const known = hexes.map((hex) => this.hexes.get(hex)).filter(Boolean);
    const { left = 0, bottom = 0, right = 0 } = known.length ? this.covered : {};
    const width = this.size.width - left - right, height = this.size.height - bottom;
    const room = this.hexSize * (least ? 0.8 : 1.6);
    const box = known.length
      ? { left: Math.min(...known.map(({ x }) => x)) - room, right: Math.max(...known.map(({ x }) => x)) + room, top: Math.min(...known.map(({ y }) => y)) - room, bottom: Math.max(...known.map(({ y }) => y)) + room }
      : this.edges;
    const k = Math.min(width / (box.right - box.left), height / (box.bottom - box.top), most / this.hexSize);
    const whole = k * this.hexSize >= least || !known.length;
    const middle = whole ? { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, k } : { ...known[0], k: least / this.hexSize };
    const { k: size } = middle, { edges } = this;
    const within = (at, from, to, before, after) => (to - from < before + after ? at : Math.min(Math.max(at, from + before), to - after));
    return {
      k: size,
      x: within(middle.x - (left - right) / 2 / size, edges.left, edges.right, (this.size.width / 2 - left) / size, (this.size.width / 2 - right) / size),
      y: within(middle.y + bottom / 2 / size, edges.top, edges.bottom, this.size.height / 2 / size, (this.size.height / 2 - bottom) / size),
    };
  }

  look(view = this.view, now = false) {
    const k = Math.min(Math.max(view.k, this.least), LARGEST / this.hexSize);
    const { left, right, top, bottom } = this.edges;
    this.view = { k, x: Math.min(Math.max(view.x, left), right), y: Math.min(Math.max(view.y, top), bottom) };
    clearTimeout(this.settling);
    if (now) this.settle();
    else if (k === this.base) {
      this.move();
      this.soon ??= requestAnimationFrame(() => {
        this.soon = null;
        this.sync();
      });
    } else {
      this.move();
      this.settling = setTimeout(() => this.settle(), SETTLE);
    }
  }

  /** After another size of the stage. What comes above or below the map, on a screen as wide as before, leaves each hex where it is
   * under a finger. */
  resized() {
    const { y, width, height } = this.stage.getBoundingClientRect(), before = this.box;
    this.box = { width, middle: y + height / 2 };
    if (!this.shape || !width || !height) return;
    if (this.unfit) return this.fit(...this.unfit);
    const moved = before?.width === width ? this.box.middle - before.middle : 0;
    this.look({ ...this.view, y: this.view.y + moved / this.view.k });
  }

  zoom(factor, at = null) {
    const { width, height } = this.size, { x, y, k } = this.view;
    const point = at ?? { left: width / 2, top: height / 2 };
    const to = Math.min(Math.max(k * factor, this.least), LARGEST / this.hexSize);
    const dx = point.left - width / 2, dy = point.top - height / 2;
    this.look({ x: x + dx / k - dx / to, y: y + dy / k - dy / to, k: to });
  }

  pan(left, top) {
    this.look({ ...this.view, x: this.view.x - left / this.view.k, y: this.view.y - top / this.view.k });
  }

  /** Bring a hex into sight if it is not: to the middle of what nothing covers. `covered`: how much of which edge something
   * does; at the right, where only tools lie, that counts only for `fit`. */
  reveal(hex) {
    const at = this.hexes.get(hex);
    if (!at) return;
    const { width, height } = this.size, { k } = this.view, room = this.hexSize * k * 0.7;
    const { left = 0, bottom = 0 } = this.covered;
    const { left: across, top: down } = this.where(hex);
    if (across > left + room && across < width - room && down > room && down < height - bottom - room) return;
    this.look({ k, x: at.x - left / 2 / k, y: at.y + bottom / 2 / k });
  }

  /** Bring hexes into sight that are not, or that could be larger: from as near as there is room for all, but no smaller than a hex of so many
   * pixels, and no larger than one of `most`. */
  showAll(hexes, least, most = NEAR) {
    const { left, right: edge, top, bottom } = this.seen, [covered, beside, tools] = ["bottom", "left", "right"].map((side) => (this.covered[side] ?? 0) / this.view.k), right = edge - tools;
    const known = hexes.map((hex) => this.hexes.get(hex)).filter(Boolean), room = this.hexSize * 0.62;
    if (!known.length) return;
    if (this.fitted(hexes, least, most).k > this.view.k * GAIN) this.fit(hexes, least, most);
    else if (known.some(({ x, y }) => x < left + beside + room || x > right - room || y < top + room || y > bottom - covered - room)) this.fit(hexes, least, most);
  }

  move() {
    const { width, height } = this.size, { x, y, k } = this.view;
    const still = k === this.base;
    const left = width / 2 - x * k, top = height / 2 - y * k;
    this.plane.style.transform = still ? `translate(${Math.round(left)}px, ${Math.round(top)}px)` : `translate(${left}px, ${top}px) scale(${k / this.base})`;
  }

  settle() {
    this.base = this.view.k;
    const isFar = READ > this.shape?.counter * this.base; // counters that are larger than the map would hide names
    if (isFar !== this.isFar) this.plane.insertBefore(this.layers.names, (this.isFar = isFar) ? this.layers.above : this.layers.pieces); // no outline crosses a name
    const letters = CHIP.size * this.base;
    this.texts.style.setProperty("--large", String(Math.min(Math.max(letters, CHIP.least), CHIP.most) / letters));
    this.texts.style.setProperty("--beyond", this.shape ? `${(this.shape.counter / 2) * (this.enlarged - 1)}px` : "0px");
    for (const overlay of [this.painted, this.marks, this.texts]) for (const side of ["width", "height"]) overlay.setAttribute(side, FINE * this.base);
    this.move();
    this.laySeen();
    this.sync();
  }

  // --- the owner's photo, and what he has painted over it ---

  /** Lay a photo under the map: { url, width, height, matrix }, the matrix from its pixels to lengths of the board; null for none. */
  layPhoto(photo) {
    this.photo = photo;
    this.layers.photo.replaceChildren();
    if (!photo) return;
    const image = document.createElement("img");
    Object.assign(image, { alt: "", src: photo.url, draggable: false });
    Object.assign(image.style, { width: `${photo.width}px`, height: `${photo.height}px` });
    this.layers.photo.append(image);
    this.laySeen();
  }

  laySeen() {
    const image = this.layers.photo.firstChild;
    if (!image) return;
    const { matrix: [a, b, c, d, e, f, g, h, i], width, height } = this.photo, k = this.base;
    const depth = g * (width / 2) + h * (height / 2) + i; // in the middle, which is surely seen
    const cells = [a * k, d * k, 0, g, b * k, e * k, 0, h, 0, 0, depth, 0, c * k, f * k, 0, i].map((value) => value / depth);
    image.style.transform = `matrix3d(${cells.join(",")})`;
  }

  /** Bring what a photo shows into sight, but no smaller than a finger can choose a hex. */
  showPhoto(photo) {
    const [a, b, c, d, e, f, g, h, i] = photo.matrix;
    const at = (x, y) => ({ x: (a * x + b * y + c) / (g * x + h * y + i), y: (d * x + e * y + f) / (g * x + h * y + i) });
    const corners = [at(0, 0), at(photo.width, 0), at(0, photo.height), at(photo.width, photo.height)];
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const { width, height } = this.size, middle = at(photo.width / 2, photo.height / 2);
    const whole = Math.min(width / (Math.max(...xs) - Math.min(...xs)), height / (Math.max(...ys) - Math.min(...ys)));
    this.look({ ...middle, k: Math.max(whole, 40 / this.hexSize) }, true);
  }

  /** Draw what is painted, as far as it is in sight: paths(inSight) gives { kind, colour, width, data }, of
   * which `data` is in lengths of the board, and the width in pixels. */
  layPainted() {
    if (!this.paths || !this.shape) return this.painted.replaceChildren();
    const { left, right, top, bottom } = this.seen, room = this.hexSize * 2;
    const inSight = ({ x, y }) => x > left - room && x < right + room && y > top - room && y < bottom + room;
    this.painted.replaceChildren(
      ...this.paths(inSight).map(({ kind, colour, width, data }) => {
        const node = document.createElementNS(SVG, "path");
        node.setAttribute("d", data);
        node.setAttribute("class", kind);
        if (colour) node.style.setProperty("--own", colour);
        if (width) node.style.setProperty("--wide", `${width}px`);
        return node;
      }),
    );
  }

  /** Lay a picture where it belongs. inset: how much of its edge is not shown, in pixels of the board. */
  put({ image, box, inset }) {
    const k = this.base, [x, y, width, height] = box;
    Object.assign(image.style, { left: `${x * k}px`, top: `${y * k}px`, width: `${width * k}px`, height: `${height * k}px` });
    if (inset) image.style.clipPath = `inset(${inset * k - 1.5}px)`;
  }

  // --- what is drawn ---

  get seen() {
    const { width, height } = this.size, { x, y, k } = this.view;
    return { left: x - width / 2 / k, right: x + width / 2 / k, top: y - height / 2 / k, bottom: y + height / 2 / k };
  }

  /** Draw what is in sight, and ask for what is missing. */
  sync() {
    if (!this.shape || this.stage.hidden || !this.stage.clientWidth) return;
    const seen = this.seen, { x, y, k } = this.view, shown = new Set(), wanted = [];
    this.layPainted();
    const level = Math.max(this.shape.levels.findIndex(({ least }) => least <= this.hexSize * k + 0.01), 0);
    const tiles = this.tilesIn(level, seen);
    const missing = tiles.filter(({ key }) => !this.tiles.has(key));
    for (const tile of tiles) {
      if (this.tiles.has(tile.key)) this.showTile(level, tile, shown, true);
      else wanted.push({ ...tile, level, far: Math.hypot(tile.x - x, tile.y - y) });
    }
    if (missing.length)
      this.shape.levels.forEach((_, other) => {
        if (other !== level) for (const tile of this.tilesIn(other, seen)) if (this.tiles.has(tile.key)) this.showTile(other, tile, shown, false);
      });
    const room = this.hexSize * 1.5;
    const inSight = (at) => at && at.x > seen.left - room && at.x < seen.right + room && at.y > seen.top - room && at.y < seen.bottom + room;
    for (const [hex, key] of this.units) {
      const at = this.hexes.get(hex);
      if (!inSight(at)) continue;
      const url = this.stacks.get(`${hex} ${key}`);
      if (url) this.showPiece(`stack ${hex}`, url, at, shown);
      else wanted.push({ hex, key: `${hex} ${key}`, far: Math.hypot(at.x - x, at.y - y) });
    }
    for (const [hex, svg] of this.markers) {
      const at = this.hexes.get(hex);
      if (inSight(at)) this.showPiece(`marker ${hex}`, this.kept(this.stacks, `marker ${svg}`, () => address(svg)), at, shown);
    }
    for (const side of this.answer ? ["below", "above"] : []) this.show(`answer ${side}`, this.answer[side], this.answer.box, this.layers[side], shown, {});
    for (const [name, { image }] of this.drawn)
      if (!shown.has(name)) {
        image.remove();
        this.drawn.delete(name);
      }
    this.wanted = wanted.sort((one, other) => one.far - other.far);
    this.stage.dataset.waits = String(this.wanted.length);
    this.pump();
  }

  tilesIn(level, { left, right, top, bottom }) {
    const { width, height, keys } = this.shape.levels[level], found = [];
    for (let column = Math.floor(left / width); column <= right / width; column += 1)
      for (let row = Math.floor(top / height); row <= bottom / height; row += 1) {
        const tile = keys.get(`${column} ${row}`);
        if (tile) found.push({ ...tile, x: (column + 0.5) * width, y: (row + 0.5) * height });
      }
    return found;
  }

  showTile(level, { key, column, row }, shown, named) {
    const { width, height, bleed } = this.shape.levels[level], pictures = this.tiles.get(key);
    this.tiles.delete(key);
    this.tiles.set(key, pictures); // the last one that is shown is the last one that is dropped
    const box = [column * width - bleed, row * height - bleed, width + 2 * bleed, height + 2 * bleed];
    this.show(`ground ${key}`, pictures.ground, box, this.layers.grounds, shown, { inset: bleed, order: 9 - level });
    if (named) this.show(`names ${key}`, pictures.names, box, this.layers.names, shown, {});
  }

  /** How much larger counters are than on the board. */
  get enlarged() {
    return Math.max(1, READ / (this.shape.counter * this.view.k));
  }

  showPiece(name, url, { x, y }, shown) {
    const size = this.hexSize, large = this.enlarged;
    const [wide, high] = this.shape.flat ? [(size * 2) / Math.sqrt(3), size] : [size, (size * 2) / Math.sqrt(3)];
    this.show(name, url, [x - (wide * large) / 2, y - (high * large) / 2, wide * large, high * large], this.layers.pieces, shown, { order: Math.round(y) });
  }

  show(name, url, box, layer, shown, { inset = 0, order = 0 }) {
    shown.add(name);
    let drawn = this.drawn.get(name);
    if (drawn?.url !== url) {
      drawn?.image.remove();
      const image = document.createElement("img");
      image.alt = "";
      image.draggable = false;
      image.decoding = "sync"; // it has been decoded: no blink
      image.src = url;
      image.dataset.name = name;
      image.style.zIndex = String(order);
      layer.append(image);
      this.drawn.set(name, (drawn = { image, url }));
    }
    const where = `${box} ${this.base}`;
    if (drawn.where === where) return;
    Object.assign(drawn, { box, inset, where });
    this.put(drawn);
  }

  kept(pictures, key, make) {
    if (!pictures.has(key)) pictures.set(key, make());
    return pictures.get(key);
  }

  async pump() {
    if (this.asking) return;
    this.asking = true;
    try {
      for (let next; (next = this.wanted.shift()); ) {
        if (next.hex) await this.askStacks([next, ...this.takeStacks()]);
        else await this.askTile(next);
        this.drop();
        this.sync();
      }
    } catch {
      this.wanted = []; // the host cannot be reached: what is drawn stays
    } finally {
      this.asking = false;
    }
  }

  /** The wanted stacks that fit into one request beside the one that is taken already, which are no longer wanted then. */
  takeStacks() {
    const taken = new Set(this.wanted.filter(({ hex }) => hex).slice(0, MAX_STACKS_ASKED - 1));
    this.wanted = this.wanted.filter((one) => !taken.has(one));
    return taken;
  }

  async askTile({ level, column, row, key }) {
    const kept = await this.store.find(key);
    const tile = kept ?? (await this.ask({ do: "tile", level, column, row, also: this.also ?? [], photo: this.photo?.id ?? "" }));
    if (!this.shape) return; // another table is laid on the page
    if (tile.is !== "tile") return this.shape.levels[level].keys.delete(`${column} ${row}`);
    if (!kept) this.store.keep(tile);
    if (tile.key !== key) this.shape.levels[level].keys.get(`${column} ${row}`).key = tile.key; // the table has changed since
    this.tiles.set(tile.key, await pictured({ ground: address(tile.ground), names: address(tile.names) }));
  }

  async askStacks(wanted) {
    const drawn = await this.ask({ do: "stacks", hexes: wanted.map(({ hex }) => hex) });
    if (!this.shape || drawn.is !== "stacks") return;
    const svgs = new Map(drawn.stacks.map(({ hex, svg }) => [hex, svg]));
    await Promise.all(wanted.map(async ({ hex, key }) => {
      if (svgs.get(hex)) this.stacks.set(key, (await pictured({ stack: address(svgs.get(hex)) })).stack);
      else this.units.delete(hex);
    }));
  }

  /** Let all pictures go, once the map is no longer on the page. */
  close() {
    [this.shape, this.wanted] = [null, []];
    clearTimeout(this.settling);
    clearInterval(this.moving);
    for (const kept of [...this.tiles.values(), ...this.stacks.values()]) urlsOf(kept).forEach((url) => URL.revokeObjectURL(url));
    for (const pictures of [this.tiles, this.stacks]) pictures.clear();
  }

  drop() {
    const used = new Set([...this.drawn.values()].map(({ url }) => url));
    for (const [pictures, most] of [[this.tiles, TILES], [this.stacks, STACKS]])
      for (const [key, kept] of pictures) {
        if (pictures.size <= most) break;
        const urls = urlsOf(kept);
        if (urls.some((url) => used.has(url))) continue;
        urls.forEach((url) => URL.revokeObjectURL(url));
        pictures.delete(key);
      }
  }

  /** Draw marks over the map: each { at: [hexes], kind } is the outline of hexes, { line: [hexes], kind } an arrow, { way: [hexes], kind } one from
   * hex to hex, { moved: [hexes], kind, colour } one from hex to hex to the edge of the last, { sides: [..], kind } hexsides,
   * { text, in: hex, kind, above } a few characters in a hex, or at its head. */
  mark(marks) {
    this.marks.replaceChildren(...marks.filter(({ text }) => !text).flatMap((mark) => this.marked(mark)));
    this.texts.replaceChildren(...marks.filter(({ text, in: hex }) => text && this.hexes.has(hex)).map((mark) => this.written(mark)));
  }

  marked({ at, line, way, moved, sides, kind, colour }) {
    const path = (data) => {
      const node = document.createElementNS(SVG, "path");
      node.setAttribute("d", data);
      node.setAttribute("class", kind);
      if (colour) node.style.setProperty("--own", colour);
      return node;
    };
    const points = (list) => list.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L");
    if (at) return at.filter((hex) => this.hexes.has(hex)).map((hex) => path(`M${points(this.corners(hex))}Z`));
    if (sides) return sides.map((side) => this.ends(side)).filter(Boolean).map((ends) => path(`M${points(ends)}`));
    const spots = (way ?? moved ?? line).map((hex) => this.hexes.get(hex)).filter((spot, number, all) => spot && spot !== all[number - 1]), [from, to] = spots.slice(-2);
    if (!to) return [];
    const length = Math.hypot(to.x - from.x, to.y - from.y), [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const shares = moved || way ? [way ? 0.36 : 0, Math.max(1 - (this.hexSize * 0.4) / length, 0.5)] : [0.36, 0.62];
    const [start, end] = shares.map((share) => ({ x: from.x + dx * length * share, y: from.y + dy * length * share }));
    const barb = (side) => ({ x: end.x - dx * 5 + side * dy * 3.4, y: end.y - dy * 5 - side * dx * 3.4 });
    return [path(`M${points(way || moved ? [...spots.slice(0, -1), end] : [start, end])}M${points([barb(1), end, barb(-1)])}`)];
  }

  /** A few characters on a chip: in the middle of a hex, where neither its number nor a name lies, below its town or at its head, or beside the top of
   * counters that lie in it. */
  written({ text, in: hex, kind, above }) {
    const { x, y } = this.hexes.get(hex), size = this.hexSize;
    const isBeside = this.units.has(hex) && !above, counter = this.shape.counter / 2;
    const [chip, plate, node] = ["g", "rect", "text"].map((tag) => document.createElementNS(SVG, tag));
    const width = 3 + 5.6 * text.length, at = isBeside ? { x: x + counter + width / 2, y: y - counter + 8 } : { x, y: y + size * (above ? HEAD : this.places?.has(hex) ? BELOW_TOWN : FOOT) };
    const transform = isBeside ? "translate(var(--beyond, 0px), calc(-1 * var(--beyond, 0px))) scale(var(--large, 1))" : "scale(var(--large, 1))";
    Object.assign(chip.style, { transform, transformOrigin: `${(isBeside ? at.x - width / 2 : at.x).toFixed(1)}px ${(above ? at.y : at.y - 8).toFixed(1)}px` });
    for (const [name, value] of Object.entries({ x: at.x - width / 2, y: at.y - 8, width, height: 10, rx: 3 })) plate.setAttribute(name, Number(value).toFixed(1));
    for (const [name, value] of Object.entries(at)) node.setAttribute(name, value.toFixed(1));
    plate.setAttribute("class", "chip-plate");
    node.setAttribute("class", kind);
    node.dataset.hex = hex;
    node.textContent = text;
    chip.append(plate, node);
    return chip;
  }

  corners(hex) {
    const { x, y } = this.hexes.get(hex), far = (this.hexSize / Math.sqrt(3)) * 0.97;
    return Array.from({ length: 6 }, (_, turn) => {
      const angle = ((turn + (this.shape.flat ? 0 : 0.5)) * Math.PI) / 3;
      return { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) };
    });
  }

  ends(side) {
    const [from, to] = side.split("|").map((hex) => this.hexes.get(hex));
    if (!from || !to) return null;
    const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2], half = 0.5 / Math.sqrt(3);
    return [1, -1].map((sign) => ({ x: x - sign * (to.y - from.y) * half, y: y + sign * (to.x - from.x) * half }));
  }

  // --- fingers ---

  listen() {
    let last = null; // where the stroke was last
    const under = ({ left, top }) => {
      const { width, height } = this.size, { x, y, k } = this.view;
      return this.spot(x + (left - width / 2) / k, y + (top - height / 2) / k);
    };
    new Fingers(this.stage, {
      ready: () => Boolean(this.shape),
      tap: (at) => ((spot) => spot && this.told.chosen?.(spot))(under(at)),
      hold: (at) => ((spot) => spot && this.told.held?.(spot))(under(at)),
      pan: (left, top) => this.pan(left, top),
      zoom: (factor, at) => this.zoom(factor, at),
      brushes: () => this.painting,
      lifts: (at, kind) => ((spot) => Boolean(spot && this.told.lifts?.(spot, kind)))(under(at)),
      carry: (at, phase) => {
        clearInterval(this.moving);
        this.told.carried(under(at), at, phase);
        if (phase !== "carried") return;
        const { width, height } = this.size;
        const beyond = (where, size) => (where < EDGE ? STEP : where > size - EDGE ? -STEP : 0);
        const [left, top] = [beyond(at.left, width), beyond(at.top, height)];
        if (left || top) this.moving = setInterval(() => (this.pan(left, top), this.told.carried(under(at), at, phase)), SOON);
      },
      stroke: (at, phase) => {
        if (phase === "begun") this.told.stroke?.(under(at), phase);
        else if (phase !== "drawn") this.told.stroke?.(null, phase);
        else for (const between of this.between(last, at)) this.told.stroke?.(under(between), phase);
        last = at;
      },
    });
  }

  /** The points from one to another, so close that no hex is leapt over, however fast a finger is. */
  between(from, to) {
    const step = (this.hexSize * this.view.k) / 5, far = Math.hypot(to.left - from.left, to.top - from.top), count = Math.max(1, Math.ceil(far / step));
    return Array.from({ length: count }, (_, number) => {
      const share = (number + 1) / count;
      return { left: from.left + (to.left - from.left) * share, top: from.top + (to.top - from.top) * share };
    });
  }
}

/** The addresses of a stack or of a tile. */
const urlsOf = (kept) => (typeof kept === "string" ? [kept] : Object.values(kept));

/** The address of a picture that is text. */
export const address = (svg) => URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));

/** The same addresses once their pictures can be shown without a blink. */
export async function pictured(addresses) {
  await Promise.all(
    Object.values(addresses).map((url) => {
      const image = new Image();
      image.src = url;
      return image.decode().catch(() => null);
    }),
  );
  return addresses;
}
