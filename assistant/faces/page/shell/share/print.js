// The report on paper: the answer whole, each step with its rule in a column of its own, the picture, and the link as a QR
// code. print.css shows it in place of the page.

import { draw, h } from "../common/dom.js";

/** Have the report ready whenever the page is printed, by whatever means. Returns a function that prints it with its picture
 * and, given a Shared and its address, the link. */
export function printing(element, app) {
  let drawn = {}; // what only the host can draw, for the table as it was shown
  const lay = () => draw(element, app.state.table && report(app.state.table, drawn.table === app.state.table ? drawn : {}));
  addEventListener("beforeprint", lay);
  return async (shared, address) => {
    const { table } = app.state;
    const picture = table.answer?.drawn.includes("picture") ? await app.about({ do: "draw", what: "picture" }).catch(() => null) : null;
    drawn = { table, shared, address, picture: picture?.svg };
    lay();
    await Promise.allSettled([...element.querySelectorAll("img")].map((image) => image.decode()));
    window.print();
  };
}

function report(table, { picture, shared, address }) {
  const { answer } = table;
  return [
    h("header", null,
      h("h1", null, answer?.title ?? table.title),
      h("p", null, [answer && table.title, /^\d+$/.test(table.turn) ? `turn ${table.turn}` : table.turn, table.viewpoint && `seen by ${table.viewpoint}`].filter(Boolean).join(" · "))),
    answer && h("p", { class: "outcome" }, answer.answers.join(" / ")),
    answer?.rests_on.length ? h("p", null, `Rests on: ${answer.rests_on.map(({ words }) => words).join(", ")}`) : null,
    (answer?.chains ?? []).map((chain) =>
      h("figure", null, h("figcaption", null, chain.title), chain.links.map(([word, figure], number) => h("div", { class: number === chain.answer ? "result" : null }, h("b", null, figure), h("small", null, word))))),
    (answer?.parts ?? []).map((part) => steps(part.title, part.steps)),
    answer?.cautions.length ? steps("Assumptions and notes", answer.cautions) : null,
    list("On the map", answer?.changes ?? []),
    list("In the books", answer?.books ?? []),
    answer ? null : stacks(table),
    shared && h("footer", null, shared.qr && h("img", { src: image(shared.qr), alt: "" }), h("p", null, `This position, as a link: ${address}`)),
    picture && h("img", { class: "drawing", src: image(picture), alt: "The hexes of the answer" }),
  ];
}

const image = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const steps = (title, some) =>
  h("section", null, h("h2", null, title), h("table", { class: "listed" }, some.map((step) => [
    h("tr", null, h("td", { class: "number" }, step.rule), h("td", null, step.text)),
    step.bars.length ? h("tr", null, h("td"), h("td", null, bars(step.bars))) : null,
  ])));

const bars = (some) => {
  const most = Math.max(...some.map(([, chance]) => chance), 0.01);
  return h("table", { class: "likely" }, some.map(([value, chance, percent]) => h("tr", null, h("td", null, value), h("td", null, percent), h("td", null, h("div", { class: "bar", style: { "inline-size": `${(100 * chance) / most}%` } })))));
};

const list = (title, some) => (some.length ? h("section", null, h("h2", null, title), h("ul", null, some.map((text) => h("li", null, text)))) : null);

/** Who stands where, of a table without a question. */
function stacks(table) {
  const places = new Map();
  for (const unit of table.units) if (unit.place) places.set(unit.place, [...(places.get(unit.place) ?? []), unit]);
  return h("section", null, h("table", { class: "listed" }, [...places].map(([place, units]) => h("tr", null, h("td", { class: "number" }, place), h("td", null, units.map(({ id, figures }) => (figures.length ? `${id} (${figures.join("-")})` : id)).join(", "))))));
}
