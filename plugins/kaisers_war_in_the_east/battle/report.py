"""The report on an attack: its strengths, chances and what would change them, and what its result means."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.mechanics.chances import Likelihood
from assistant.questions import Part, holding, note, step
from assistant.questions.what_if import NextColumn, next_column_step

from ..combat.engagement import Attacker, Engagement
from ..combat.legality import Help
from ..combat.results import RESULTS
from .carried import Lost


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what percentage")]
    table: Annotated[str, note("the Combat Results Table")]
    near: Annotated[NextColumn | None, note("how near other columns are, null once the die is thrown")] = None
    without: Annotated[dict[str, str], note("the column without a unit")] = {}
    helps: Annotated[tuple[Help, ...], note("Headquarters and supply units that would help")] = ()
    chances: Annotated[tuple[Likelihood, ...], note("the results on the table, each with its chance")] = ()
    other: Annotated[tuple[Likelihood, ...], note("the results on the other table, if that may be chosen")] = ()
    outcome: Annotated[str, note("the result of the die, empty before it")] = ""
    lost: Annotated[tuple[Lost, ...], note("who is eliminated or breaks down, in order")] = ()
    retreats: Annotated[str, note("the side that retreats, attacker or defender; empty for nobody")] = ""
    retreating: Annotated[tuple[str, ...], note("who retreats; the corps of an army as X:1, X:2")] = ()
    hexes: Annotated[int, note("hexes of retreat, 0 for none and for a panic")] = 0
    panic: Annotated[dict[str, int], note("hexes that each unit retreats in panic, as rolled")] = {}
    pursues: Annotated[str, note("the side that may pursue, attacker or defender; empty for nobody")] = ""
    pursuit: Annotated[int, note("hexes of pursuit")] = 0

    @property
    def meaning(self) -> str:
        """The result in words. Rule: 14.14"""
        return RESULTS[self.outcome].meaning


def strength_part(combat: Engagement) -> Part:
    """Each factor with what multiplies it."""
    forces = (*combat.attackers, *combat.support)
    steps = [step("14.8", "{id} in {place}: {attack}" + why(one, combat), one.unit, one) for one in forces]
    for other in combat.defenders:
        rule, times = ("14.11", " x {multiple} = {strength}") if other.multiple > 1 else ("14.7", "")
        steps.append(step(rule, "{id} in {place}: {defence}" + times, other.unit, other))
    clauses = [
        (combat.terrain, "14.11", "{terrain} doubles the defence"),
        (combat.across_water, "14.11", "all attackers come across rivers or lakes, which double the defence"),
    ]
    return Part("Strengths", (*steps, *holding(clauses, combat)))


def why(one: Attacker, combat: Engagement) -> str:
    """What multiplies an attack factor, in words."""
    reasons = [f"Maximum Attack Supply from {one.supplied}"] if one.supplied else []
    reasons += ["concentric attack"] if combat.concentric else []
    reasons += ["Alpine unit against rough"] if one.alpine else []
    return f" x {{multiple}} = {{strength}} ({', '.join(reasons)})" if reasons else ""


def column_part(combat: Engagement) -> Part:
    """The percentage and its column."""
    covered = step("14.8", "attackers cover {covered:#hex} of those around {at}", combat)
    text = "{attack} against {defence} is {percent} %: column {column}"
    return Part("Column", (covered, step("14.13", text, combat)))


def chances_part(battle: Battle) -> Part:
    """The results and their chances, on the other table too if it may be chosen."""
    steps = [step("14.13", "{table}: {chances}", battle)]
    if battle.other:
        name = "shock" if battle.table == "standard" else "standard"
        steps.append(step("14.12", "{table}: {chances}", table=name, chances=battle.other))
    return Part("Chances", tuple(steps))


def change_part(battle: Battle) -> Part:
    """What would change the column."""
    text = "without {unit}: column {column}"
    steps = [step("14.13", text, unit=unit, column=there) for unit, there in battle.without.items()]
    steps += [step("14.8", "with {unit}: {attack}, column {column}", one) for one in battle.helps]
    near = [next_column_step("14.13", battle.near)] if battle.near else []
    return Part("What would change it", (*near, *steps))


def result_part(battle: Battle) -> Part:
    """The result in words, effect by effect."""
    steps = [step("14.14", "{outcome}: {meaning}", battle)]
    for one in battle.lost:
        text = "{unit} breaks down into {corps} corps" if one.breaks else "{unit} is eliminated"
        text += " once one corps is eliminated" if one.corps_lost else ""
        if one.points:
            text += ": {points:#Victory Point} lost" + (", {gained} gained by the enemy" if one.gained else "")
        steps.append(step("14.16" if one.breaks else "14.15", text, one))
    text = "{unit} retreats {hexes:#hex} in panic (question retreat)"
    steps += [step("15.1", text, unit=unit, hexes=hexes) for unit, hexes in battle.panic.items()]
    text = "the {pursues} may pursue {pursuit:#hex} (question pursue)"
    text += ", into {at} first" if battle.pursues == "attacker" else ", into a hex from which it was attacked"
    clauses = [
        (battle.hexes, "15.0", "the {retreats} retreats {hexes:#hex} (question retreat): {retreating}"),
        (battle.pursues, "16.1", text),
    ]
    return Part("Result", (*steps, *holding(clauses, battle, battle.combat)))
