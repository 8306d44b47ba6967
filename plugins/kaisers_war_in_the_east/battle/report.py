"""An attack in words: strengths, column, and what becomes of units."""

from __future__ import annotations

from typing import Annotated

from assistant.questions import Part, Step, holding, note, step
from assistant.readymade import battle

from ..combat.engagement import Attacker, Engagement
from .carried import Lost


class Battle(battle.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what percentage")]
    lost: Annotated[tuple[Lost, ...], note("who is eliminated or breaks down, in order")] = ()


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
    return Part("Strengths", (*steps, *holding(clauses, combat)), brief="")


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
    last = step("14.13", text, combat)
    return Part("Column", (covered, last), last.text)


def loss_step(one: Lost) -> Step:
    """What becomes of a unit, and what that costs."""
    text = "{unit} is eliminated"
    if one.breaks:
        text = "{unit} breaks down into {corps} corps" + (": {into}" if one.into else ", for none is off the map")
        text += "; one more is eliminated at once" if one.corps_lost else ""
    if one.points:
        text += ": {points:#Victory Point} lost" + (", {gained} gained by the enemy" if one.gained else "")
    return step("14.16" if one.breaks else "14.15", text, one)
