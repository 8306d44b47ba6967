// What lies over the page for a moment: the sheet (a dialog at the foot of a phone) and the quiet line.

import { button, draw, h } from "./dom.js";

const SECONDS = 6; // how long the quiet line stays

/** The quiet line: `say(text)`, and `refuse(refused)`, which stays until the next tap. */
export function quiet(element) {
  let timer;
  const show = (content, stays) => {
    clearTimeout(timer);
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
  };
}

/** The sheet: `sheet(title, contents)` opens it with what `contents(close)` describes, and returns a function that draws it
 * anew;
 * `meaning(word)` opens it with what a word means, `confirm(question)` resolves to whether it was answered with yes. about: sends a request about the table. */
export function sheet(element, about) {
  const close = () => element.close();
  element.addEventListener("click", (event) => event.target === element && close());
  const open = (title, contents) => {
    const again = () =>
      draw(
        element,
        h("div", { class: "sheet" },
          h("header", null, h("h2", { id: "sheet-title" }, title), button({ class: "plain", "aria-label": "Close", onclick: close }, "×")),
          h("div", { class: "sheet-body" }, contents(close)),
        ),
      );
    again();
    if (!element.open) element.showModal();
    return again;
  };
  const meaning = async (word) => {
    let lines = ["…"];
    const again = open(word, () => lines.map((text) => h("p", null, text)));
    const answer = await about({ do: "meaning", word }).catch(() => ({ what: "the table cannot be reached now" }));
    lines = answer.lines ?? [answer.what, answer.hint ?? ""];
    again();
  };
  const confirm = (question) =>
    new Promise((resolve) => {
      let sure = false;
      const answer = (said) => () => {
        sure = said;
        close();
      };
      element.addEventListener("close", () => resolve(sure), { once: true });
      open("Sure?", () => [h("p", null, `${question}?`.replace(/[?]+$/, "?")), h("div", { class: "row" }, button({ class: "main-button", onclick: answer(true) }, "Yes"), button({ class: "quiet-button", onclick: answer(false) }, "No"))]);
    });
  return { sheet: open, meaning, confirm, close };
}
