"""At what odds does an attack stand, and what does its die lead to?"""

from typing import Annotated

import msgspec

from assistant.asking import Answers, Part, PlaceName, Report, View, changed, declare, note, step, verdict
from assistant.asking.play import play_procedure
from assistant.mechanics.odds import odds_down
from assistant.mechanics.procedure import Dice, Done, Modifier, Roll, Stuck
from assistant.rules.field import hexside


class Combat(msgspec.Struct, frozen=True):
    """An attack on a hex."""

    outcome: Annotated[str, note("the result on the table; empty before the die")]


def strength(facts, units):
    """The Strength Points of a stack: heavy artillery has none, but 1 if it is alone. Rule: 3.1, 6.1"""
    guns = [unit for unit in units if facts.word("arm", unit.id) == "heavy-artillery"]
    return sum(facts.integer("sp", unit.id) for unit in units if unit not in guns) or len(guns)


def modifiers(facts, at, sources, stacks):
    """What is added to the die: ground, a river before all attackers, heavy artillery. Rule: 6.3"""
    ours, theirs = (any(facts.word("arm", unit.id) == "heavy-artillery" for unit in units) for units in stacks)
    river = all(facts.word("barrier", hexside(at, hex)) == "river" for hex in sources)
    ground = {"forest": 1, "swamp": 2}.get(facts.word("terrain", at), 0)
    amounts = {"ground": ground, "river": 3 * river, "heavy artillery": theirs - ours}
    return tuple(Modifier("6.3", why, amount) for why, amount in amounts.items() if amount)


def answer(view: View, answers: Answers, *, at: PlaceName, from_: tuple[PlaceName, ...]) -> Report[Combat]:
    """The chances of an attack on a hex by all units in others, or its result. Rule: 6.0"""
    stacks = attackers, defenders = [unit for hex in from_ for unit in view.stack(hex)], view.stack(at)
    with view.gather() as facts:
        attack, defence = (strength(facts, units) for units in stacks)
        drms, table = modifiers(facts, at, from_, stacks), f"{facts.word('nation', attackers[0].id)}-table"
    column, drm = str(odds_down(attack, defence)), sum(drm.amount for drm in drms)

    def node(total):
        if total is None:
            return Roll("die", "6.0", "combat", Dice(1, 6), {at: drms}, lambda die: die + drm)
        cell = view.cell(table, column, total)
        return Done({"outcome": cell.values["result"]}) if cell else Stuck((table, (column, total)))

    played = play_procedure(view, node, None, answers)
    outcome = played.settled.get("outcome", "")
    steps = [step(drm.rule, "{why}: {amount:+}", drm) for drm in drms]
    steps += [step("6.4", "{chances}", chances=played.chances.likelihoods("outcome"))] if played.chances else []
    said = verdict("figure", "{column} {outcome}", column=column, outcome=outcome)
    parts, lost = (Part("Die", tuple(steps)), played.unknown_cells), {"AE": attackers, "DE": defenders}.get(outcome, ())
    how = {"asks": played.asks, "changes": tuple(changed(view, "place", unit.id, None, "6.4") for unit in lost)}
    return Report(title=f"Attack on {at}", verdict=said, parts=parts, result=Combat(outcome), **how)


QUESTION = declare("combat", "the chances of an attack, or its result", answer, {"die": "the die of the combat"})
