// The ground by painting: a word is picked, and each hex or hexside that a finger crosses gets it. A stroke is one line.

import { button, draw, h } from "../common/dom.js";
import { spoken } from "../common/words.js";


/** The strip with the words, in an element. told: { redraw(), ended() }. Returns { show(on), stroke(spot, phase), at(hex), marks() }. */
export function painter(element, app, told) {
  let track = "", word = "", stroke = new Set(), on = false;
  const tracks = () => {
    const { words } = app.state;
    const first = (name) => (name === words.terrain ? 0 : name === words.barrier ? 1 : 2);
    return words.tracks.filter((one) => one.printed === "map" && ["hex", "hexside"].includes(one.on) && one.values.length).sort((one, other) => first(one.name) - first(other.name));
  };
  const show = () => {
    if (!on) return draw(element);
    const chosen = tracks().find(({ name }) => name === track) ?? tracks()[0];
    if (!chosen) return draw(element, h("p", null, "This game has no ground that can be painted."));
    track = chosen.name;
    if (!chosen.values.some(([, one]) => one === word)) word = chosen.values[0][1];
    draw(
      element,
      h("select", { "aria-label": "What is painted", value: track, onchange: (event) => ((track = event.target.value), (word = ""), show()) }, tracks().map((one) => h("option", { value: one.name, selected: one.name === track }, one.title.replace(/ \(.*\)$/, "")))),
      h("div", { class: "chips", role: "group", "aria-label": chosen.title },
        chosen.values.map(([value, one]) => button({ key: value, class: "chip", pressed: one === word, onclick: () => ((word = one), show()) }, spoken(one.includes("=") ? value : one)))),
      button({ class: "chip", title: "What is printed on your map is then known in every game", onclick: () => app.enter("keep") }, "Keep in my pack"),
      button({ class: "plain", "aria-label": "End painting", onclick: told.ended }, "×"),
    );
  };
  const side = () => tracks().find(({ name }) => name === track)?.on === "hexside";
  const send = async () => {
    const subjects = [...stroke], where = subjects.join(",");
    if (where) await app.enter(`${where} ${word}`);
    for (const subject of subjects) stroke.delete(subject);
    told.redraw();
  };
  return {
    show(now) {
      on = now;
      if (on || element.firstChild) show();
    },
    stroke(spot, phase) {
      if (phase === "begun") stroke = new Set();
      const subject = side() ? spot?.side : spot?.hex;
      if (subject) stroke.add(subject);
      if (phase === "given up") stroke.clear();
      told.redraw();
      if (phase === "done") send();
    },
    at(hex) {
      if (side()) return app.say("Paint hexsides with a finger or the mouse, or set them on the card of a hex.");
      stroke = new Set([hex]);
      send();
    },
    marks: () => [...stroke].map((subject) => (subject.includes("|") ? { sides: [subject], kind: "painted side" } : { at: [subject], kind: "painted" })),
  };
}
