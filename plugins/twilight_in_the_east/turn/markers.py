"""What is due with Prepared Attack markers in a phase: where they may be placed, which hexes must be attacked because
of them, and which come off (5.4.7, 8.4, 10.1.2, 10.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.asking import View, holding
from assistant.asking.permission import Clause
from assistant.asking.view import changed
from assistant.rules.phase_now import Duty, StepFinding
from assistant.rules.turns import finding

from ..ground.hexsides import around_side
from ..movement.bearers import Bearer, must_attack, read_bearer
from .movement import COUNTER_MOVEMENT, active_in, own_units


def bars_to_placing(phase: str) -> Iterator[Clause]:
    """Yield what forbids Prepared Attack markers in a phase in which units move. Rule: 5.4.7"""
    yield phase == COUNTER_MOVEMENT, "5.4.7", "none are placed in the Counter Movement Phase"


def judge_markers(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether Prepared Attack markers may be placed, and which units have one."""
    marked = [unit.id for unit in own_units(view, "prepared", active_in(view, duty)) if view.word("prepared", unit.id)]
    bars = holding(bars_to_placing(duty.phase.word))
    if bars:
        yield finding("impossible", bars[0].rule, bars[0].text)
    else:
        text = "infantry and artillery with 3 Movement Points left may place one[units:; placed by {units}]"
        yield finding("possible", "8.4", text, units=marked)


def _list_bearers(view: View, side: str) -> list[Bearer]:
    """Return the units of a side with a Prepared Attack marker."""
    with view.gather() as facts:
        marked = [(unit, facts.word("prepared", unit.id)) for unit in own_units(view, "prepared", side)]
        return [read_bearer(facts, unit, str(unit.place), target) for unit, target in marked if target]


def judge_prepared_attacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which hexes must be attacked, as markers point at enemies there, and which markers come off, as no enemy is
    there.
    """
    side = active_in(view, duty)
    with view.gather() as facts:
        enemies = around_side(facts, side).enemies
    targets = dict[str, list[Bearer]]()
    for bearer in _list_bearers(view, side):
        targets.setdefault(bearer.target, []).append(bearer)
    for target, bearers in sorted(targets.items()):
        units = [bearer.unit for bearer in bearers]
        bound = [bearer for bearer in bearers if must_attack(bearer, {target} & enemies)]
        if target not in enemies:
            text = "no enemy is in {places}: the markers of {units} come off"
            gone = list(units)
            off = [changed(view, "prepared", unit, None, "10.3") for unit in gone]
            yield finding("owed", "10.3", text, units=units, places=[target], changes=off)
        elif view.flag("attacked", target) or not bound:
            yield finding("done", "10.3", "{places}: no unit still has to attack it", units=units, places=[target])
        else:
            armies = _list_armies(bound)
            text = "{units} must attack {places}[several:: only one of the armies {armies} attacks]"
            hexes = ",".join(dict.fromkeys(bearer.place for bearer in bound))
            whom = [bearer.unit for bearer in bound]
            ask = f"battle at={target} from={hexes}"
            yield finding(
                "owed", "10.1.2", text, units=whom, places=[target], ask=ask, armies=armies, several=len(armies) > 1
            )
    if not targets:
        yield finding("impossible", "10.3", "no unit bears a Prepared Attack marker")


def _list_armies(bearers: Iterable[Bearer]) -> list[str]:
    """Return the armies of some units, as far as they are stated."""
    return sorted({bearer.army for bearer in bearers} - {""})
