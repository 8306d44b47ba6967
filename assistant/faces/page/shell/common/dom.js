// Drawing elements: `h` describes one, `draw` makes what an element holds equal to a description. What is there already is
// kept and changed, so that a finger that is down, the focus and a scroll position outlive an answer that comes in between.

const SVG = "http://www.w3.org/2000/svg";

/** An element described: its tag, its properties and what it holds (descriptions, texts, nodes, lists of these; null for
 * nothing). `on...` are listeners, `key` tells elements of one parent apart, `hook` is called with the element once made. */
export function h(tag, properties, ...children) {
  const { key, hook, ...rest } = properties ?? {};
  return { tag, key, hook, properties: rest, children: children.flat(Infinity).filter(isShown) };
}

const isShown = (child) => child != null && child !== false && child !== "";

/** A text as it is set in type: with minus signs, dashes between words and apostrophes; what is quoted is often typed so. */
const setInType = (text) => String(text).split(/("[^"]*"|`[^`]*`)/).map((part, number) => (number % 2 ? part : withSigns(part))).join("");

const withSigns = (text) => text.replace(/([a-z] )-(?= \w)|(\w )-(?= [a-z])/gi, "$1$2–").replace(/(^|[^\w).?])-(?=[\d\s\]]|$)/g, "$1−").replace(/(\w)'(?=[a-z])/g, "$1’");

/** Make what an element holds equal to descriptions. */
export function draw(parent, ...children) {
  const wanted = children.flat(Infinity).filter(isShown).map((child) => (typeof child === "object" ? child : setInType(child)));
  const keyed = new Map();
  for (const node of parent.childNodes) if (node.described?.key != null) keyed.set(node.described.key, node);
  let at = parent.firstChild;
  for (const child of wanted) {
    let node = child instanceof Node ? child : matching(child, at, keyed);
    if (node === null) node = make(child, parent.namespaceURI);
    else if (!(child instanceof Node)) change(node, child);
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function matching(child, at, keyed) {
  if (typeof child !== "object") return at?.nodeType === Node.TEXT_NODE ? at : null;
  const node = child.key != null ? keyed.get(child.key) : at;
  const before = node?.described;
  return before && before.tag === child.tag && before.key === child.key ? node : null;
}

function make(child, namespace) {
  if (typeof child !== "object") return document.createTextNode(child);
  const node = child.tag === "svg" || namespace === SVG ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  change(node, child);
  child.hook?.(node);
  return node;
}

function change(node, child) {
  if (typeof child !== "object") {
    if (node.data !== String(child)) node.data = child;
    return;
  }
  const before = node.described?.properties ?? {};
  for (const name of Object.keys(before)) if (!(name in child.properties)) set(node, name, null, before[name]);
  for (const [name, value] of Object.entries(child.properties)) if (before[name] !== value || name === "value") set(node, name, value, before[name]);
  node.described = child;
  draw(node, ...child.children);
}

function set(node, name, value, before) {
  if (name.startsWith("on")) {
    const event = name.slice(2);
    if (before) node.removeEventListener(event, before);
    if (value) node.addEventListener(event, value);
  } else if (name === "value" && "value" in node) {
    const typing = before === value && document.activeElement === node; // what is being typed stays
    if (node.value !== String(value ?? "") && !typing) node.value = value ?? "";
  } else if (name === "style") {
    for (const [property, worth] of Object.entries(value ?? {})) node.style.setProperty(property, worth);
  } else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : name === "aria-label" ? setInType(value) : value);
}

/** A button. properties: as of `h`; `pressed`: whether it is on, for one that is switched. */
export function button(properties, ...children) {
  const { pressed, ...rest } = properties;
  if (pressed !== undefined) rest["aria-pressed"] = String(pressed);
  return h("button", { type: "button", ...rest }, ...children);
}

/** A text for those who hear the page, behind what others see. */
export const heard = (text) => (text ? h("span", { class: "heard" }, ` ${text}`) : null);

/** A sign of 24 by 24, from the path of its strokes. */
export function sign(path) {
  return h("svg", { viewBox: "0 0 24 24", class: "sign", "aria-hidden": "true" }, h("path", { d: path }));
}
