// The table as a link: to copy, to send, to scan, to print; and a table from somebody else's link.

import { button, draw, h } from "../common/dom.js";
import { keep, kept } from "../common/storage.js";

const LINK = /#fs\d+\.([\w-]*)/;
const OF_THIS_MACHINE = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/;

export const share = { id: "share", title: "Share", icon: "M12 15V4M8 7.5 12 3.5l4 4M6 11H5v9h14v-9h-1", mount };

/** Whether an address holds a position. */
export const isLink = (address) => LINK.test(address);

/** Begin a table with the position in a link, or open the one that has begun with it. Returns whether it is on the page. */
export async function follow(app, link) {
  const shown = await app.send({ do: "open-link", table: nameOf(link), fragment: link });
  if (shown.is !== "table") {
    app.refuse(shown);
    return false;
  }
  if (!(await app.state.open(shown))) return false;
  arrive(app);
  if (shown.said.length) app.say(shown.said.join(". "));
  return true;
}

/** Open the panel where the question of the table is asked, with it: a combat at the step that is due, a march or where units can go on the
 * map, another one under Ask with its answer; where a table begins if none is asked. */
export function arrive(app) {
  const { combat, march, answer } = app.state.table;
  if (combat && app.panels.some(({ id, wanted }) => id === "battle" && wanted(app))) app.open("battle", { target: combat.target, mode: "roll" });
  else if (answer && !march?.at) app.open("ask", { question: answer.question, values: answer.values, answers: answer.given, now: true });
  else app.open(march?.at ? "board" : undefined);
}

/** The name of the table of a link: the same whenever it is opened. */
function nameOf(link) {
  const letters = (LINK.exec(link)?.[1] ?? "").slice(0, 4).replaceAll("-", "+").replaceAll("_", "/");
  if (letters.length < 4) return "link";
  return `link-${[...atob(letters)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("")}`;
}

function mount(element, app) {
  let shared = null;
  let given = null;
  let luck = null;
  let pasted = "";
  const ownPage = location.origin + location.pathname;
  const page = () => kept("page") || ownPage;
  const isLocal = () => page() === ownPage && (app.state.host.kind === "laptop" || OF_THIS_MACHINE.test(location.host));
  const ask = async () => {
    const answer = await app.about({ do: "share", page: page() }).catch(() => null);
    if (answer?.is === "refused") app.refuse(answer);
    shared = answer?.is === "link" ? answer : null;
    show();
  };
  const setPage = (typed) => {
    keep("page", typed.trim().replace(/#.*/, "") || null);
    ask();
  };
  const open = async () => (isLink(pasted) ? follow(app, pasted) : app.refuse({ what: "this is not a link to a position", hint: "it holds #fs and a figure" }));
  const give = async () => {
    given = await app.about({ do: "give-save" }).catch(() => ({ is: "refused", what: "the table cannot be reached now", hint: "" }));
    if (given.is !== "save") app.refuse(given);
    given = given.is === "save" ? given : null;
    show();
  };
  /** Ask for the luck of the battles. trusts: whether rebuilt charts count. */
  const tell = async (trusts) => {
    const answer = await app.about({ do: "luck", trusts_charts: trusts }).catch(() => ({ is: "refused", what: "the table cannot be reached now", hint: "" }));
    if (answer.is !== "luck") return app.refuse(answer);
    luck = answer;
    show();
  };
  const show = () =>
    draw(
      element,
      shared && linkSection(app, shared, page() + shared.fragment),
      shared &&
        h("details", { key: "page", class: "share-page", open: isLocal() || null },
          h("summary", null, "The page that the link opens"),
          h("label", null, h("span", { class: "faint" }, isLocal() ? "Only people in your network can open this address. Enter one that your readers can open." : "The address of a table page that your readers can open."), h("input", { type: "text", inputmode: "url", autocomplete: "off", autocapitalize: "off", spellcheck: "false", class: "search", value: page(), onchange: (event) => setPage(event.target.value) }))),
      app.state.table.begun && h("section", { key: "save", class: "share-open" },
        h("h2", null, "Back to VASSAL"),
        given ? saveSection(given) : h("div", { class: "row" }, button({ class: "quiet-button", onclick: give }, `As a ${app.state.table.begun === ".vlog" ? "log" : "save"}`))),
      app.state.table.entries.length > 0 && h("section", { key: "luck", class: "share-open luck" },
        h("h2", null, "Luck"),
        luck ? luckSection(luck, () => tell(true)) : h("div", { class: "row" }, button({ class: "quiet-button", onclick: () => tell(false) }, "The luck in the battles so far"))),
      h("section", { key: "open", class: "share-open" },
        h("h2", null, "Open a link"),
        h("div", { class: "row" },
          h("input", { class: "search", type: "text", "aria-label": "A link to a position", placeholder: "#fs1.…", autocapitalize: "off", autocomplete: "off", spellcheck: "false", value: pasted, oninput: (event) => { pasted = event.target.value; } }),
          button({ class: "quiet-button", onclick: open }, "Open"))),
    );
  app.state.on("table", () => {
    given = luck = null;
    if (app.panel === "share") ask();
  });
  show();
  return { opened: ask };
}

/** The luck of the battles, and what could stand in for unknown cells. trust(): takes it. */
const luckSection = ({ lines, stand_ins: standIns }, trust) => [
  standIns && h("div", { key: "row", class: "row" }, button({ class: "main-button", onclick: trust }, `Use ${standIns}`)),
  h("ul", { key: "lines", class: "plain-list" }, lines.filter(Boolean).map((text, number) => h("li", { key: number }, text.replace(/^- /, "")))),
];

/** A table as a save, and what to click in its place. */
function saveSection({ name, data, why, left, clicks }) {
  const list = (title, texts) => texts.length ? [h("h3", { key: title }, title), h("ul", { key: `${title}:`, class: "plain-list" }, texts.map((text, number) => h("li", { key: number }, text)))] : null;
  return [
    data ? h("div", { key: "row", class: "row" }, h("a", { class: "quiet-button link", href: `data:application/zip;base64,${data}`, download: name }, `Keep ${name}`)) : null,
    why.map((text, number) => h("p", { key: number, class: "refused" }, text)),
    list("What the file does not show", left),
    clicks.length ? list(`To click in VASSAL${data ? " instead" : ""}`, clicks) : h("p", { key: "none", class: "faint" }, "No counter has changed since the table began."),
  ];
}

function linkSection(app, shared, address) {
  const copy = async () => {
    await navigator.clipboard.writeText(address).then(
      () => app.say("The link is copied"),
      () => app.refuse({ what: "the link could not be copied", hint: "hold the finger on it, and copy it" }),
    );
  };
  const send = () => navigator.share({ title: app.state.table.answer?.title ?? app.state.table.title, url: address }).catch(() => null); // the reader may think better of it
  return h("section", { key: "link", class: "share-link" },
    h("h1", null, "This table as a link"),
    h("p", null, `It shows ${shared.seen}, with the question, the dice and the choices. The position is in the link; no server sees it.`),
    shared.left_out.length ? h("ul", { class: "plain-list", "aria-label": "Left out" }, shared.left_out.map((what) => h("li", { key: what }, h("span", { class: "faint" }, "left out: "), what))) : null,
    h("input", { class: "search", type: "text", readonly: true, autocomplete: "off", "aria-label": "The link", value: address, onfocus: (event) => event.target.select() }),
    h("div", { class: "row" },
      button({ class: "main-button", onclick: copy }, "Copy"),
      navigator.share ? button({ class: "quiet-button", onclick: send }, "Send") : null,
      button({ class: "quiet-button", onclick: () => app.print(shared, address) }, "Print the report")),
    shared.qr ? h("img", { class: "qr", src: `data:image/svg+xml,${encodeURIComponent(shared.qr)}`, alt: "The link as a QR code" }) : h("p", { class: "faint" }, shared.no_qr),
  );
}
