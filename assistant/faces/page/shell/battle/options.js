// The parameters of a combat.

import { h } from "../common/dom.js";
import { named, nameOf } from "../common/words.js";
import { parameterList } from "../parts/parameters.js";

/** The options of the combat; those that are chosen before anybody attacks are kept until then. */
export function optionsTray(battle, now) {
  const { app, local, state } = battle;
  const parameters = now.isOpen
    ? now.parameters
    : now.parameters.map((one) => ({ ...one, value: local.options[one.name] ?? "" }));
  const choose = (name, value) => battle.change({ options: { ...local.options, [name]: value } });
  return parameterList({
    words: state.words,
    parameters,
    set: (name, value) => (now.isOpen ? app.enter(`${name}=${value && named(value)}`) : choose(name, value)),
    step: (name, by) =>
      now.isOpen
        ? battle.later((there) => `${name}=${valueIn(there, name) + by}`)
        : choose(name, String(Number(local.options[name] ?? 0) + by)),
    explain: (name, meaning) => app.sheet(nameOf(state.words, name), () => h("p", null, meaning)),
  });
}

/** The number of an option as it is now. */
const valueIn = ({ parameters }, name) => Number(parameters.find((one) => one.name === name)?.value || 0);
