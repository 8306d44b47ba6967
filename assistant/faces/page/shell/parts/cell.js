// The fields of a cell of a chart: what may stand in each as keys, else typed; the same in a chart and where a cell is missing.

import { button, h } from "../common/dom.js";

const MOST_KEYS = 21; // a field with more values has no keys of its own

/** The fields. typed: their texts; set(typed, name): after a change, with the field that is typed next; done(typed): after
 * Enter in the last one, or a key where it is all that a cell holds. */
export function cellFields({ fields, typed, set, done }) {
  const only = fields.length === 1 && !fields[0].several;
  const put = (number, value) => {
    const [mine, ...rest] = value.split("/"); // a cell may be typed as a whole: +1/-
    const now = fields.map((_, other) => (other === number ? mine : (rest[other - number - 1] ?? typed[other] ?? "")));
    set(now, rest.length ? fields[Math.min(number + rest.length, fields.length - 1)].name : "");
  };
  const next = (event, number) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (number + 1 < fields.length) document.getElementById(`cell-${fields[number + 1].name}`).focus();
    else done(typed);
  };
  return fields.map((field, number) =>
    h("div", { key: field.name, class: "cell-field" },
      h("label", { for: `cell-${field.name}` }, field.title, field.note && !field.words.length && h("small", { class: "faint" }, ` ${field.note}`)),
      h("input", { id: `cell-${field.name}`, type: "text", class: "search", autocomplete: "off", autocapitalize: "characters", inputmode: isNumber(field) ? "numeric" : keysOf(field).length ? "none" : null, value: typed[number] ?? "", oninput: (event) => put(number, event.target.value), onkeydown: (event) => next(event, number) }),
      keysOf(field).length
        ? h("div", { class: "keys", role: "group", "aria-label": field.title },
            keysOf(field).map((word) => button({ key: word, class: "key", pressed: (typed[number] ?? "").split(" ").includes(word), onclick: () => (only ? done([word]) : put(number, toggled(field, typed[number] ?? "", word))) }, word)))
        : null));
}

/** A cell as a line has it: what is not typed of it is what a silent field means. "" for a cell of which nothing is typed. */
export const written = (fields, typed) =>
  typed.every((text) => !text?.trim()) ? "" : fields.map((field, number) => typed[number]?.trim() || silent(field)).join("/");

/** What the codes in its cells mean, folded; null for a chart without any. remark: what else there is to know of it. */
export function codeList(codes, remark = "") {
  const some = Object.entries(codes);
  if (!some.length && !remark) return null;
  return h("details", { class: "part" }, h("summary", null, "What its cells contain"),
    h("dl", { class: "code-list" }, some.map(([code, meaning]) => [h("dt", { key: `t${code}` }, code), h("dd", { key: `d${code}` }, meaning)])),
    remark && h("p", { class: "faint" }, remark));
}

/** How many cells of a chart are not known, in words; "" for none. */
export const cellsToType = ({ missing }) => (missing ? `${missing} cell${missing > 1 ? "s" : ""} to type` : "");

const isNumber = (field) => !field.words.length && (field.least ?? 0) >= 0;
const silent = (field) => (field.words.includes("-") ? "-" : field.words.length || field.least == null ? "" : String(field.least));

/** The keys of a field: its words, or the numbers that it may be. */
function keysOf(field) {
  if (field.words.length) return field.words;
  if (field.least == null || field.most == null || field.most - field.least >= MOST_KEYS) return [];
  return Array.from({ length: field.most - field.least + 1 }, (_, step) => String(field.least + step));
}

/** A field after one of its keys: another word, or one more where it takes several. */
function toggled({ several }, text, word) {
  const words = text.split(" ").filter(Boolean);
  if (words.includes(word)) return words.filter((other) => other !== word).join(" ");
  return several && word !== "-" ? [...words.filter((other) => other !== "-"), word].join(" ") : word;
}
