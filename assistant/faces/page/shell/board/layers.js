// What the map shows of the units that are chosen there: where they can go, how they are supplied, who threatens them. The question is
// one of the game's `layers`; the one that was chosen last stays for the next unit that is tapped.

import { button, h } from "../common/dom.js";
import { keep, kept } from "../common/storage.js";
import { capital } from "../common/words.js";
import { trustChips } from "../parts/trust.js";
import { answer as explain } from "./questions.js";

/** The layers. board: { march, lay(answer), see(hexes), changed(), setOut(units), goOn(asked) }: its marches, what lays an answer on the map, brings hexes into sight, draws the card
 * anew, begins a march, and opens a question as a form. Returns { choose(hex, units), clear(), lay(question), row(), said() }. */
export function layers(app, board) {
  let chosen = null, told = null, visit = 0, isOn = true;
  const all = () => app.state.words?.layers ?? [];
  const layer = () => all().find(({ title }) => title === kept("layer")) ?? all()[0];
  const asked = ({ question, parameter, takes, many }) => ({ question, parameters: { [parameter]: takes === "hex" ? chosen.hex : many ? chosen.units.join(",") : chosen.units[0] } });

  /** Show the layer of some units of a hex, or none of a hex without units. */
  const choose = (hex, units) => {
    if (chosen?.hex !== hex) isOn = true;
    chosen = units.length ? { hex, units } : null;
    return ask();
  };
  const clear = () => {
    chosen = null;
    ask();
  };
  const ask = async () => {
    const mine = (visit += 1), wanted = chosen && isOn ? layer() : null;
    told = null;
    if (!board.march.on) board.march.end();
    board.lay(null);
    board.changed();
    if (!wanted) return;
    if (wanted.marches) {
      await board.march.survey(chosen.units);
      if (mine === visit) board.see(board.march.hexes() ?? []);
      return;
    }
    const answer = await fetched(asked(wanted));
    if (mine !== visit) return;
    told = answer;
    board.changed(); // the card has its size before the answer is fitted beside it
    board.lay(answer.is === "on-map" ? answer : null);
  };
  const fetched = (question) => app.about({ do: "on-map", ...question }).catch(() => ({ is: "refused", what: "The table cannot be reached now." }));
  /** Lay the answer to another question on the map, until something else is shown there. */
  const lay = async (question) => {
    isOn = false;
    await ask();
    const mine = visit, answer = await fetched(question);
    if (mine !== visit) return;
    if (answer.is === "refused") app.refuse(answer);
    else board.lay(answer);
  };
  const flip = (title) => {
    isOn = layer().title !== title || !isOn;
    keep("layer", title);
    ask();
  };
  const row = () => (chosen ? all().map(({ title }) => button({ key: title, pressed: isOn && title === layer().title, onclick: () => flip(title) }, title)) : null);
  /** What the layer says, in its first sentence, with what that rests on. */
  const said = () => {
    if (!chosen || !isOn || !layer()) return null;
    const answer = layer().marches ? board.march.answer() : told && (told.answer ? { says: told.answer.answers, ...told.answer } : { says: [told.what], asks: [] });
    if (!answer) return h("p", { key: "said", class: "layer-said", role: "status" }, "…");
    return [
      h("p", { key: "said", class: "layer-said", role: "status" }, answer.says.map((text) => capital(text.replace(/\.\s.*$/s, "."))).join(" ")),
      layer().marches && answer.says.length > 0 && h("p", { key: "key", class: "layer-key" }, "In each hex: points left; − beyond the allowance; ×\u00a0barred"),
      h("div", { key: "rests", class: "layer-rests" },
        told?.is !== "refused" && button({ class: "chip", onclick: () => explain(app, asked(layer()), lay) }, "Why"),
        answer.asks.length > 0 && button({ class: "chip", onclick: () => (layer().marches ? board.setOut(chosen.units) : board.goOn(asked(layer()))) }, "State what is missing"),
        trustChips(answer.rests_on, app)),
    ];
  };
  return { choose, clear, lay, row, said };
}
