// A form of digits for the figures of a counter, which hops to the next figure once no further digit can follow. The next key
// tapped right after such a hop was meant for the figure that is full, and skips nothing.

import { button, h } from "../common/dom.js";
import { pad, typed } from "./pad.js";
import { capital, nameOf, ratingsOf } from "../common/words.js";

const NEXT = "›";

/** The fields of a form: each a track with what is typed. */
export const fieldsOf = (words, figures = []) => ratingsOf(words).map((track, number) => ({ track, text: figures[number] && figures[number] !== "?" ? figures[number] : "" }));

/** Whether no digit more can follow. */
export function isFull({ track }, text) {
  const most = track.most ?? 99;
  return text === "?" || Number(`${text}0`) > most || (text === "0" && most >= 0);
}

/** What is wrong with a figure, in words; "" for one that may stand there. */
function wrong({ track, text }) {
  const [least, most] = [track.least ?? -Infinity, track.most ?? Infinity];
  if (!text || text === "?" || (Number(text) >= least && Number(text) <= most)) return "";
  return `${capital(track.title)}: ${text} is not ${most < Infinity ? `${least > -Infinity ? `from ${least} ` : ""}to ${most}` : `at least ${least}`}.`;
}

/** The form. form: { fields, at, hopped }, hopped: whether it has just moved on by itself; change(form): after a key; finish(form): once the last figure is full or `Done` is tapped;
 * same: a unit whose figures may be taken, undefined for none. */
export function figuresForm({ form, change, finish, same, title }) {
  const { fields, at } = form;
  const put = (text, now = form) => {
    const next = { ...now, hopped: false, fields: fields.map((field, number) => (number === now.at ? { ...field, text } : field)) };
    if (text && isFull(fields[now.at], text) && !wrong(next.fields[now.at])) return hop(next, true);
    change(next);
  };
  /** A digit that cannot follow begins the next figure: 49 is a 4 and a 9 where no figure is above 40. */
  const press = (key) => {
    const { track, text } = fields[at];
    const longer = typed(text, key);
    const begins = text && at + 1 < fields.length && !fields[at + 1].text && wrong({ track, text: longer }) && !wrong({ track, text });
    begins ? put(typed("", key), { ...form, at: at + 1 }) : put(longer);
  };
  const hop = (now, hopped = false) => (now.at + 1 < fields.length ? change({ ...now, at: now.at + 1, hopped }) : end(now));
  const goOn = () => (form.hopped ? change({ ...form, hopped: false }) : hop(form));
  const end = (now) => {
    const bad = now.fields.findIndex((field) => wrong(field));
    if (bad < 0) finish(now);
    else change({ ...now, at: bad });
  };
  const faults = fields.map(wrong).filter(Boolean);
  return h("div", { class: "figures-form", "data-due": title },
    h("div", { class: "row fields", role: "group", "aria-label": title },
      fields.map(({ track, text }, number) =>
        button({ key: track.name, class: wrong({ track, text }) ? "field wrong" : "field", pressed: number === at, "aria-label": `${track.title}: ${text || "not stated"}`, onclick: () => change({ ...form, at: number, hopped: false }) }, h("small", null, nameOf(form.words, track.name)), h("b", null, text || "–")),
      ),
    ),
    faults.length ? h("p", { class: "refused", role: "alert" }, faults.join(" ")) : null,
    pad((key) => (key === NEXT ? goOn() : press(key)), { more: [NEXT], label: fields[at].track.title }),
    h("div", { class: "row" },
      button({ class: "quiet-button", onclick: () => hop({ ...form, fields: fields.map((field, number) => (number === at ? { ...field, text: "" } : field)) }) }, "Not needed"),
      same && button({ class: "quiet-button", onclick: () => finish({ ...form, fields: fieldsOf(form.words, same.figures) }) }, `As ${same.id}`),
      button({ class: "main-button", onclick: () => end(form) }, "Done"),
    ),
  );
}

/** The figures as a line has them: 12-16-7-11, `?` for one that is not needed; "" for none. */
export const figuresLine = ({ fields }) => (fields.some(({ text }) => text) ? fields.map(({ text }) => text || "?").join("-") : "");
