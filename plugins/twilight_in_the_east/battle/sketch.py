"""What the picture of a battle shows: strengths, each shift where its cause lies, who holds the hexes around the defender, and
the sum that leads to the column and the magnitude.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assistant.questions import Report, View
from assistant.readymade.sketches import Assault, held_row, side_at, strength_by_hex

from ..combat.reckoning import SideStrength, UnitStrength
from ..combat.shown import shift_remarks
from .report import BattleResult


def assault(view: View, report: Report[BattleResult]) -> Assault:
    """The combat of a report as its picture shows it."""
    battle = report.shown
    places = {unit.place for unit in battle.attacker.units}
    return Assault(
        attack=_by_hex("attack", battle.attacker),
        defence={battle.at: "defence 0"} | _by_hex("defence", battle.defender),
        side=side_at(view, *(unit.place for unit in battle.attacker.units)),
        causes=tuple(shift_remarks(battle.at, battle.shifts, battle.shift_places)),
        held=[hex for hex in battle.held_hexes if hex not in places],
        sum=tuple(sum_of(battle)),
        totals=("attack", "defence", "column", _magnitude(battle)),
    )


def _by_hex(word: str, side: SideStrength) -> dict[str, str]:
    return strength_by_hex(word, ((unit.place, unit.strength) for unit in side.units))


def sum_of(battle: BattleResult) -> Iterator[tuple[str, str]]:
    """How the column and the magnitude come about, line by line: the strength of each unit, both totals, the odds, each
    shift, the column, the divisions.
    """
    for name, side in (("attack", battle.attacker), ("defence", battle.defender)):
        yield from ((_unit_words(unit), f"{float(unit.strength):g}") for unit in side.units)
        yield name, f"{side.total}"
    yield f"odds {battle.attacker.total} : {battle.defender.total}", battle.initial
    if battle.held_hexes:
        around, number = held_row(battle.at, battle.held_around)
        yield around, f"{number}{', flanked' if battle.flanked else ''}"
    for shift in battle.shifts:
        yield shift.why.replace("-", " "), f"{shift.amount:+}"
    if battle.final != battle.column:
        yield "shifted", battle.final
    yield "column", battle.column
    yield _magnitude(battle), battle.magnitude


def _magnitude(battle: BattleResult) -> str:
    return f"magnitude, of {_in_words(battle.divisions)} divisions"


def _unit_words(unit: UnitStrength) -> str:
    """A unit and what its strength is made of."""
    lost = f" - {unit.lost} lost" if unit.lost else ""
    parts = [f"{unit.printed}{lost}" if lost or not unit.halved else _in_words(unit.base)]
    parts += [f"{_in_words(unit.artillery)} artillery"] if unit.artillery else []
    halved = ", halved" if unit.halved else ""
    made = f": {' + '.join(parts)}{halved}" if len(parts) > 1 or lost or halved else ""
    return f"{unit.unit} in {unit.place}{made}"


def _in_words(number: Fraction) -> str:
    return f"{float(number):g}"
