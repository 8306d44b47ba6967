// What lies over the page for a moment: the sheet (a dialog at the foot of a phone) and the quiet line.

import { shown, spent } from "./back.js";
import { button, draw, h } from "../common/dom.js";
import { spoken } from "../common/words.js";

const SECONDS = 6; // how long the quiet line stays

/** The quiet line: `say(text)`, and `refuse(refused)`, which stays until `done()`: something has been entered since. */
export function quiet(element) {
  let timer;
  let refused = false;
  const show = (content, stays) => {
    clearTimeout(timer);
    refused = stays;
    draw(element, content);
    if (!stays) timer = setTimeout(() => draw(element), SECONDS * 1000);
  };
  return {
    say: (text) => show(text ? h("p", null, h("span", { class: "text" }, text)) : null, false),
    refuse: ({ what, hint }) =>
      show(
        h("p", { class: "refused" }, h("span", { class: "text" }, h("strong", null, what), hint ? ` ${hint}` : ""), button({ class: "plain", "aria-label": "Close", onclick: () => draw(element) }, "×")),
        true,
      ),
    done: () => refused && show(null, false),
  };
}

/** The sheet: `sheet(title, contents)` opens it with what `contents(close)` describes, and returns a function that draws it
 * anew, as long as it is open; `meaning(word)` opens it with what a word means, `confirm(question, { title, yes })` resolves to
 * whether it was answered with yes. about: sends a request about the table; ask(question): shows the form of a question. */
export function sheet(element, about, ask) {
  let opened = 0; // counts what it has been opened with: what comes late for something else is not shown
  const close = () => element.close();
  element.addEventListener("click", (event) => event.target === element && close());
  element.addEventListener("close", () => {
    if (element.open) return; // it has been opened anew since
    opened += 1;
    spent();
  });
  const open = (title, contents) => {
    const mine = (opened += 1);
    const again = () =>
      mine === opened && draw(
        element,
        h("div", { class: "sheet" },
          h("header", null, h("h2", { id: "sheet-title" }, title), button({ class: "plain", "aria-label": "Close", onclick: close }, "×")),
          h("div", { class: "sheet-body" }, contents(close)),
        ),
      );
    again();
    if (!element.open) {
      element.showModal();
      shown(history.state);
    }
    element.scrollTop = 0;
    return again;
  };
  const meaning = async (word) => {
    let answer = { lines: ["…"], rules: [] };
    const meant = ({ lines, rules }) => [
      lines.map((text, number) => h("p", { key: number, class: /^ /.test(text) ? "faint" : "" }, text)),
      rules.map(({ rule, title, asked, left }) =>
        h("section", { key: rule, class: "rule-meant" },
          h("h3", null, title, h("small", null, ` rule ${rule}`)),
          left && h("p", { class: "faint" }, left),
          asked.length ? h("div", { class: "chips" }, asked.map((question) => button({ key: question, class: "chip", onclick: () => { close(); ask(question); } }, spoken(question)))) : null)),
      rules.length && rules.every(({ asked, left }) => !asked.length && !left) ? button({ key: "computed", class: "quiet-button", onclick: () => tell(true) }, "Which questions apply it") : null,
    ];
    const again = open(word, () => (answer.lines ? meant(answer) : [h("p", null, answer.what), h("p", null, answer.hint ?? "")]));
    const tell = async (computed) => {
      answer = await about({ do: "meaning", word, computed }).catch(() => ({ what: "the table cannot be reached now" }));
      again();
    };
    await tell(false);
  };
  const confirm = (question, { title = "Sure?", yes = "Yes" } = {}) =>
    new Promise((resolve) => {
      let sure = false;
      const answer = (said) => () => {
        sure = said;
        close();
      };
      element.addEventListener("close", () => resolve(sure), { once: true });
      open(title, () => [h("p", null, `${question}?`.replace(/[?]+$/, "?")), h("div", { class: "row" }, button({ class: "main-button", onclick: answer(true) }, yes), button({ class: "quiet-button", onclick: answer(false) }, "No"))]);
    });
  return { sheet: open, meaning, confirm, close };
}
