// A form of digits for the figures of a counter, which hops to the next figure once no further digit can follow.

import { button, h } from "../common/dom.js";
import { pad, typed } from "./pad.js";
import { ratingsOf } from "../common/words.js";

const NEXT = "›";

/** The fields of a form: each a track with what is typed. */
export const fieldsOf = (words, figures = []) => ratingsOf(words).map((track, number) => ({ track, text: figures[number] && figures[number] !== "?" ? figures[number] : "" }));

/** Whether no digit more can follow. */
export function isFull({ track }, text) {
  const most = track.most ?? 99;
  return text === "?" || Number(`${text}0`) > most || (text === "0" && most >= 0);
}

/** The form. form: { fields, at }; change(form): after a key; finish(form): once the last figure is full or `Done` is tapped;
 * same: a unit whose figures may be taken, undefined for none. */
export function figuresForm({ form, change, finish, same, title }) {
  const { fields, at } = form;
  const put = (text) => {
    const next = { ...form, fields: fields.map((field, number) => (number === at ? { ...field, text } : field)) };
    if (text && isFull(fields[at], text)) return hop(next);
    change(next);
  };
  const hop = (now) => (now.at + 1 < fields.length ? change({ ...now, at: now.at + 1 }) : finish(now));
  return h("div", { class: "figures-form" },
    h("div", { class: "row fields", role: "group", "aria-label": title },
      fields.map(({ track, text }, number) =>
        button({ key: track.name, class: "field", pressed: number === at, "aria-label": `${track.title}: ${text || "not stated"}`, onclick: () => change({ ...form, at: number }) }, h("small", null, track.name.replaceAll("-", " ")), h("b", null, text || "–")),
      ),
    ),
    pad((key) => (key === NEXT ? hop(form) : put(typed(fields[at].text, key))), { more: [NEXT], label: fields[at].track.title }),
    h("div", { class: "row" },
      button({ class: "quiet-button", onclick: () => hop({ ...form, fields: fields.map((field, number) => (number === at ? { ...field, text: "" } : field)) }) }, "Not needed"),
      same && button({ class: "quiet-button", onclick: () => finish({ ...form, fields: fieldsOf(form.words, same.figures) }) }, `As ${same.id}`),
      button({ class: "main-button", onclick: () => finish(form) }, "Done"),
    ),
  );
}

/** The figures as a line has them: 12-16-7-11, `?` for one that is not needed; "" for none. */
export const figuresLine = ({ fields }) => (fields.some(({ text }) => text) ? fields.map(({ text }) => text || "?").join("-") : "");
