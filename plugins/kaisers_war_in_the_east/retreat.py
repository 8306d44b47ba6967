"""The questions `retreat` (15) and `pursue` (16): open hexes, bars of others, and eliminations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

from assistant.asking import Gather, Step, View, note, step
from assistant.rules import retreat as readymade
from assistant.rules.field import Bar, HexBar, SideField
from assistant.rules.following import bars_to_following
from assistant.rules.retreat import (
    EntryEffects,
    Pursuit,
    PursuitRules,
    Retreat,
    RetreatRules,
    held,
    pursuit_question,
    retreat_question,
)
from assistant.state.changes import AnyChange
from assistant.state.state import Unit

from .combat.results import ATTACKER_LOST, RESULT, RESULTS, has_held, may_pursue
from .forces import Formation, formation, formation_taken, has_room, needs_factor, note_granted_factors
from .ground import assume_zones, bars_of, field, note_presumed_open
from .terms import COMBAT_PHASES, OWES, TRAIN
from .victory.points import eliminate_unit, enter_hexes, format_entry, judge_worth, take_hexes


def read_retreat(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    """Return the units that retreat, and the bars of their ways.

    Units without movement are eliminated, and so is a unit that finds no way.

    Rule: 15.0, 15.2/1, 15.2/3, 15.2/4, 15.2/5, 15.2/6, 15.2/7, 15.2/8, 15.2/none, 20.2, Opt/Entrench/1
    """
    units = {unit.id: formation_taken(facts, unit, [], ["movement"]) for unit in stacked}
    eliminated = [name for name, unit in units.items() if stays(facts.view, unit) or facts.flag("entrenched", name)]
    movers = [unit for name, unit in units.items() if name not in eliminated]
    note_granted_factors(facts.view, [mover.id for mover in movers], "movement")
    around = field(facts).around(side)
    closing = bars_of(facts, side, {mover.nation for mover in movers}, {mover.arm for mover in movers})

    def lost(name: str) -> Iterator[AnyChange]:
        return eliminate_unit(facts.view, units[name], side, judge_worth(facts, units[name], side), "15.2")

    bars: tuple[Bar, ...] = (held(around, "15.2"), lambda here, there: enemy_zone(around, there), *closing)
    return Retreat(
        [mover.id for mover in movers],
        eliminated,
        bars,
        partial(holds, facts, movers),
        lost,
        lambda hexes, units: _enter(facts.view, side, hexes),
    )


def _enter(view: View, side: str, hexes: Sequence[str]) -> EntryEffects:
    takes = enter_hexes(view, side, hexes)
    return EntryEffects(tuple(format_entry(view, takes)), tuple(take_hexes(view, takes)))


def stays(view: View, unit: Formation) -> bool:
    """Return whether a unit is known not to move.

    A unit whose movement is still asked for may move.

    Rule: 15.2/none
    """
    stated = view.fact("movement", unit.id)
    return unit.movement == 0 and (stated is not None or not needs_factor("movement", unit.arm))


def enemy_zone(around: SideField, there: str) -> HexBar | None:
    """Return a bar if a hex is in an enemy zone of control, or None.

    A fortress in the hex keeps zones out.

    Rule: 15.2/2, 13.6
    """
    reaching = around.field.reaching(around.side, there)
    assume_zones(around.view, [unit.id for unit in reaching[:1]])
    return HexBar("15.2", f"in the zone of control of {reaching[0].id}") if reaching else None


def holds(facts: Gather, movers: Sequence[Formation], at: str) -> bool:
    """Return whether a hex has room for units that end their retreat or pursuit there. Rule: 15.2/4"""
    return has_room(facts, at, *movers)


# --- pursuit ----------------------------------------------------------------------------------------------------------

_FULL_PURSUIT = "BT"
"""The result of combat that allows the longest pursuit."""
_LONG_CAVALRY_PURSUIT = "DZ"
"""The result after which cavalry pursues two hexes with the option Better Cavalry Doctrine."""


class PursuitParameters(readymade.PursuitParameters, frozen=True):
    """Units that pursue."""

    result: Annotated[
        Literal["AD", "AZ", "BB", "BT", "DD", "DP", "DZ", "MD", "ST"] | None,
        note("the result of the combat, which says how far the units may go; the result in the position if left out"),
    ] = None


def read_pursuit(facts: Gather, asked: PursuitParameters, side: str) -> Pursuit:
    """Return the pursuit that a player describes, by units that took part in the combat. Rule: 16.1, 16.2, 16.4"""
    view = facts.view
    units = asked.units
    at = asked.at
    barred = [*bars_by_combat(view, units, at)]
    factors = [] if barred else ["attack", "movement"]
    movers = [formation(facts, view.unit(name), factors=factors) for name in units]
    known = asked.result or read_result(view, units, at)
    return Pursuit(
        min(reach_of(view, mover, known or _FULL_PURSUIT) for mover in movers),
        barred or [*bars_to_pursuit(movers)],
        bars_to(facts, movers, side),
        partial(holds, facts, movers),
        entered=lambda hexes, units: _describe_pursuit(facts, movers, side, hexes),
        # asks for an unknown result, as another result may not allow this hex
        decides=lambda here, there: known or facts.word(RESULT, at),
    )


def bars_to(facts: Gather, units: Sequence[Formation], side: str) -> list[Bar]:
    """Return the functions that bar hexes to pursuing units.

    Zones of control do not bar them.

    Rule: 13.6, 16.4, 21.4
    """
    arms = {unit.arm for unit in units}
    enemies = held(field(facts).around(side), "16.4", "enemy units are in it")
    anyones = facts.view.ruling("train-pursuit", matters=TRAIN in arms) == "yes"
    return [enemies, *bars_of(facts, side, {unit.nation for unit in units}, arms, anyones=anyones)]


def read_result(view: View, units: Sequence[str], at: str) -> str:
    """Return the stated result of the combat, or "" if none is stated.

    It is the result at the cleared hex, or at the pursuers' own hex if its attackers were annihilated.

    Rule: 16.1
    """
    thrown_back = any(has_held(view, str(view.unit(name).place)) for name in units)
    return ATTACKER_LOST if thrown_back else str(view.value(RESULT, at) or "")


def reach_of(view: View, unit: Formation, result: str) -> int:
    """Return the number of hexes that a unit may pursue after a result. Rule: 16.2"""
    goes_two_hexes = (
        unit.arm == "cavalry" and result == _LONG_CAVALRY_PURSUIT and "better-cavalry" in view.words("options")
    )
    return 2 if goes_two_hexes else RESULTS[result].pursuit


def bars_to_pursuit(units: Sequence[Formation]) -> Iterator[Step]:
    """Yield the units that do not pursue. Rule: 16.3"""
    for unit in units:
        if not may_pursue(unit):
            yield step("16.3", "{id} may not pursue: its attack or movement factor is 0 or in brackets", unit)


def bars_by_combat(view: View, units: Sequence[str], at: str) -> Iterator[Step]:
    """Yield the units that have not fought for a hex, or whose pursuit is over. Rule: 16.0, 16.1, 16.3"""
    held = partial(has_held, view)
    return bars_to_following(view, units, at, held=held, phases=COMBAT_PHASES, rule="16.1", verb="pursue")


def _describe_pursuit(facts: Gather, movers: Sequence[Formation], side: str, hexes: Sequence[str]) -> EntryEffects:
    """Return the steps and changes of a pursuit: room, hexes taken, and terrain that is not stated."""
    text = "{end} is over-stacked: the owner must eliminate the excess, at no cost in Victory Points"
    full = [] if holds(facts, movers, hexes[-1]) else [step("12.2", text, end=hexes[-1])]
    note_presumed_open(facts.view, hexes, "16.4")
    effects = _enter(facts.view, side, hexes)
    return effects._replace(steps=(*full, *effects.steps), called_for=full)


QUESTIONS = (
    retreat_question(
        RetreatRules(
            read_retreat,
            "15.0",
            "15.2",
            most=6,
            presume=partial(note_presumed_open, rule="15.2"),
            field=field,
            owes=OWES,
        )
    ),
    pursuit_question(
        PursuitRules(
            "pursue",
            "pursuit",
            "whether units may pursue into a hex that a combat has cleared, and into which hex beyond",
            "16.1",
            "16.2",
            "16.4",
            field,
        ),
        read_pursuit,
        PursuitParameters,
    ),
)
