"""An attack in words, and as its picture shows it."""

from __future__ import annotations

from assistant.asking import Part, holding, step
from assistant.asking.sketch import Remark
from assistant.rules.sketches import CombatPicture, held_row, strength_by_hex
from assistant.state.state import hexside

from .engagement import Attacker, Defender, Engagement


def strength_part(combat: Engagement) -> Part:
    """Return each factor with what multiplies it."""
    forces = (*combat.attackers, *combat.support)
    text = "{id} in {place}: {attack}"
    steps = [step("14.8", text + _format_multipliers(attacker, combat), attacker.unit, attacker) for attacker in forces]
    for other in combat.defenders:
        rule, times = ("14.11", " x {multiple} = {strength}") if other.multiple > 1 else ("14.7", "")
        steps.append(step(rule, "{id} in {place}: {defence}" + times, other.unit, other))
    clauses = [
        (combat.terrain, "14.11", "{terrain} doubles the defence"),
        (combat.across_water, "14.11", "all attackers cross rivers or lakes: the defence is doubled"),
    ]
    return Part("Strengths", (*steps, *holding(clauses, combat)), brief="")


def _format_multipliers(attacker: Attacker, combat: Engagement) -> str:
    """Return what multiplies an attack factor, in words."""
    reasons = _list_multipliers(attacker, combat)
    return f" x {{multiple}} = {{strength}} ({', '.join(reasons)})" if reasons else ""


def _list_multipliers(attacker: Attacker, combat: Engagement) -> list[str]:
    """Return what multiplies an attack factor, in words, one by one."""
    reasons = [f"Maximum Attack Supply from {attacker.supplied}"] if attacker.supplied else []
    if combat.concentric:
        reasons.append("concentric attack")
    if attacker.alpine:
        reasons.append("Alpine unit against rough terrain")
    return reasons


def column_part(combat: Engagement) -> Part:
    """Return the percentage and its column."""
    covered = step("14.8", "attackers cover {covered:#hex} of those around {at}", combat)
    text = "{attack} against {defence} is {percent} %: column {column}"
    last = step("14.13", text, combat)
    return Part("Column", (covered, last), last.text)


def draw_assault(combat: Engagement) -> CombatPicture:
    """Return a combat as its picture shows it: what multiplies a factor stands where its cause lies."""
    forces = (*combat.attackers, *combat.support)
    places = dict.fromkeys(attacker.unit.place for attacker in combat.attackers)
    causes = []
    for attacker in forces:
        if reasons := _list_multipliers(attacker, combat):
            text = f"x{attacker.multiple} {attacker.unit.id}: {', '.join(reasons)}"
            causes.append(Remark(where=attacker.unit.place, text=text))
    if combat.terrain:
        causes.append(Remark(where=combat.at, text=f"x2 {combat.terrain}"))
    if combat.across_water:
        causes += [Remark(where=hexside(place, combat.at), text="x2 river or lake") for place in places]
    rows = [_row_of(attacker) for attacker in forces]
    rows.append(("attack", f"{combat.attack}"))
    rows += [_row_of(defender) for defender in combat.defenders]
    rows += [
        ("defence", f"{combat.defence}"),
        held_row(combat.at, combat.covered),
    ]
    return CombatPicture(
        attack=strength_by_hex(
            "attack", ((force.unit.place, force.strength) for force in forces if force.unit.place in places)
        ),
        defence=strength_by_hex("defence", ((combat.at, other.strength) for other in combat.defenders)),
        side=combat.side,
        causes=causes,
        held=[hex for hex in combat.held if hex not in places],
        sum=rows,
        totals=("attack", "defence"),
        odds=(
            ("attack", f"{combat.attack}"),
            ("defence", f"{combat.defence}"),
            ("attack in % of the defence", f"{combat.percent} %"),
        ),
    )


def _row_of(fighter: Attacker | Defender) -> tuple[str, str]:
    """Return the row of a unit: where it stands, with its factor, and its strength."""
    return f"{fighter.unit.id} in {fighter.unit.place}{_format_factor(fighter)}", f"{fighter.strength}"


def _format_factor(fighter: Attacker | Defender) -> str:
    """Return what multiplies a factor, as its line in the sum of a picture has it."""
    factor = fighter.unit.attack if isinstance(fighter, Attacker) else fighter.unit.defence
    return f": {factor} x {fighter.multiple}" if fighter.multiple > 1 else ""
