// A counter as a form that looks like it: figures are typed into the boxes where they stand, front and back side by side.

import { button, draw, h } from "../common/dom.js";
import { capital, spoken } from "../common/words.js";

/** Fill in a counter in an element. about(request): its response; open(unit): goes on to another counter. */
export function counterForm(element, app, about, unit, open) {
  let form = null;
  let typed = {};

  const adopt = (answer) => {
    if (answer.is !== "form") return app.refuse(answer);
    form = answer;
    typed = {};
    show();
    return true;
  };

  async function keepIt(event) {
    event?.preventDefault();
    const changed = Object.fromEntries(Object.entries(typed).filter(([name, text]) => text.trim() && text.trim() !== form.values.find((value) => value.name === name)?.value));
    if (Object.keys(changed).length && !adopt(await about({ do: "printed", unit, values: changed }))) return;
    if (form.next) open(form.next);
  }

  const show = () => {
    if (!form) return draw(element, h("p", { class: "faint" }, "…"));
    const face = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(form.face)}`;
    const back = form.values.some(({ at }) => at.startsWith("back"));
    draw(element,
      h("header", { key: "head" }, h("h1", null, unit), h("p", { class: "faint" }, capital(form.formation))),
      h("form", { key: "form", class: "counter-form", onsubmit: keepIt },
        h("div", { key: "sides", class: "sides" }, ["front", ...(back ? ["back"] : [])].map((side) => h("fieldset", { key: side }, h("legend", null, side), counter(side, face), beside(side)))),
        h("div", { key: "row", class: "row" }, h("button", { type: "submit", class: "main-button" }, form.next ? "Save, then the next counter" : "Keep"), form.next && button({ class: "quiet-button", onclick: () => open(form.next) }, "Leave it out"))),
    );
  };

  const counter = (side, face) =>
    h("div", { class: "counter-face" },
      h("img", { src: face, alt: `${unit}, ${side}` }),
      h("div", { class: "foot" }, onFoot(side).map((value) => h("div", { key: value.name, class: "box" }, field(value, true)))),
      h("div", { class: "captions" }, onFoot(side).map(({ name, title }) => h("label", { key: name, for: `printed-${name}` }, short(title)))));

  const onFoot = (side) => form.values.filter(({ at }) => at === `${side}-foot`);

  const beside = (side) =>
    h("div", { class: "beside" },
      form.values.filter(({ at }) => at === side).map((value) => h("div", { key: value.name, class: "beside-row" }, h("label", { for: `printed-${value.name}` }, short(value.title)), field(value, false))));

  function field({ name, title, value, source, own, words, takes }, onFace) {
    const text = typed[name] ?? value;
    if (source === "rulebook" && !own) return h("output", { id: `printed-${name}`, class: onFace ? "figure-box known" : "known", title: "the rulebook states it" }, text);
    if (words.length && !onFace)
      return h("div", { class: "chips", id: `printed-${name}`, role: "group", "aria-label": title }, words.map((word) => button({ key: word, class: "chip", pressed: text.split("+").includes(word), onclick: () => { typed = { ...typed, [name]: flip(text, word, takes.startsWith("none or several")) }; show(); } }, spoken(word))));
    return h("input", { id: `printed-${name}`, type: "text", class: onFace ? "figure-box" : "search", inputmode: "numeric", autocomplete: "off", "aria-label": `${title} (${takes})`, value: text, oninput: (event) => { typed = { ...typed, [name]: event.target.value }; } });
  }

  const flip = (text, word, several) => {
    const words = text && text !== "none" ? text.split("+") : [];
    const now = words.includes(word) ? words.filter((other) => other !== word) : several ? [...words, word] : [word];
    return now.join("+") || "none";
  };

  show();
  about({ do: "form", unit }).then(adopt);
  return { show };
}

/** A title without what stands in brackets. */
const short = (title) => title.replace(/ \(.*\)$/, "");
