// Parameters of a question that is open, and facts of a unit: flags and words as buttons, numbers as steppers, the rest as text behind `More`.

import { button, h } from "../common/dom.js";
import { nameOf, spoken, usualOf, valuesOf } from "../common/words.js";

/** All parameters. set(name, value): "" takes it out again; step(name, by): makes a number larger or smaller. */
export function parameterList({ words, parameters, set, step, explain }) {
  const [first, more] = [parameters.filter((one) => isQuick(words, one)), parameters.filter((one) => !isQuick(words, one))];
  return h(
    "div",
    { class: "parameters" },
    first.map((one) => parameter(words, one, set, step, explain)),
    more.length
      ? h(
          "details",
          { key: "more" },
          h("summary", null, `${more.length} more`),
          more.map((one) => parameter(words, one, set, step, explain)),
        )
      : null,
  );
}

/** A fact of a unit, as buttons or a stepper. value: as it is stated, undefined for none; say(value); step(by): makes a
 * number larger or smaller. */
export function factRow(track, value, { say, step }, meaning) {
  const now = value ?? track.silent;
  const values = valuesOf(track);
  return h(
    "div",
    { key: track.name, class: "parameter" },
    button({ class: "name", "aria-label": `What ${track.title} means`, onclick: () => meaning(track.name) }, track.title),
    track.kind === "integer" ? stepper(track.title, Number(now || 0), step, track) : segments(track.title, values, now, say),
  );
}

const segments = (title, values, now, say) =>
  h(
    "div",
    { class: "segments", role: "group", "aria-label": title },
    values.map((value) => button({ key: value, pressed: value === now, onclick: () => say(value) }, spoken(value))),
  );

const stepper = (title, now, step, { least = null, most = null } = {}) =>
  h(
    "div",
    { class: "stepper", role: "group", "aria-label": title },
    button({ "aria-label": `${title}: one less`, disabled: least != null && now <= least, onclick: () => step(-1) }, "−"),
    h("output", null, String(now)),
    button({ "aria-label": `${title}: one more`, disabled: most != null && now >= most, onclick: () => step(1) }, "+"),
  );

const isQuick = (words, { takes, name, value }) =>
  takes === "flag" || takes === "number" || usualOf(words, name).length > 0 || Boolean(value);

function parameter(words, one, set, step, explain) {
  const { name, value } = one;
  const usual = usualOf(words, name);
  const listed =
    one.takes === "flag"
      ? ["yes", "no"]
      : one.takes === "word" || one.takes === "side" || one.takes === "nation"
        ? one.words
        : usual.length > 1
          ? usual
          : [];
  const choose = (option) => set(name, option === value ? "" : option);
  return h(
    "div",
    { key: name, class: "parameter" },
    button(
      { class: "name", "aria-label": `What ${nameOf(words, name)} means`, onclick: () => explain(name, one.meaning) },
      nameOf(words, name),
    ),
    listed.length
      ? h(
          "div",
          { class: "segments", role: "group", "aria-label": nameOf(words, name) },
          listed.map((option) =>
            button(
              {
                key: option,
                pressed: option === (value || (usual[0] ?? "")),
                class: value ? "" : "usual",
                onclick: () => choose(option),
              },
              spoken(option),
            ),
          ),
        )
      : one.takes === "number"
        ? stepper(nameOf(words, name), Number(value || 0), (by) => step(name, by))
        : h("input", {
            type: "text",
            "aria-label": nameOf(words, name),
            value,
            onchange: (event) => set(name, event.target.value.trim()),
          }),
  );
}
