"""The questions `retreat`: which hexes units may retreat into, what bars the others, who is eliminated (15); and
`pursue`: who may follow into a hex that a combat has cleared, and into which hex beyond (16).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

from assistant.field import Around, Bar, Barred
from assistant.pictures.usual import of_way
from assistant.questions import Gather, PlaceName, Report, Step, UnitName, View, Way, declare, note, step
from assistant.readymade.retreat import (
    Entered,
    Pursuit,
    PursuitResult,
    Retreat,
    RetreatRules,
    check_pursuit,
    pursuit_report,
    retreat_question,
    why_not,
)
from assistant.state.changes import AnyChange
from assistant.state.state import Unit

from .combat.results import RESULTS, may_pursue
from .forces import Formation, formation, formation_taken, grant_factors, has_room, needs
from .ground import assume_zones, bars_of, field, presume_open, side_of
from .terms import TRAIN
from .victory.points import Entry, eliminate, enter_hexes, take_hexes, word_ending, word_entry, worth


def read_retreat(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    """The units that retreat, and what bars their ways. Those without movement are eliminated, as is whoever finds no
    way.
    Rule: 15.0, 15.2/3, 15.2/4, 15.2/5, 15.2/6, 15.2/7, 15.2/8, 15.2/none, 20.2, Opt/Entrench/1
    """
    units = {unit.id: formation_taken(facts, unit, [], ["movement"]) for unit in stacked}
    gone = [name for name, unit in units.items() if stays(facts.view, unit) or facts.flag("entrenched", name)]
    movers = [unit for name, unit in units.items() if name not in gone]
    grant_factors(facts.view, [mover.id for mover in movers], "movement")
    around = field(facts).around(side)
    closing = bars_of(facts, side, {mover.nation for mover in movers}, {mover.arm for mover in movers})

    def lost(name: str) -> Iterator[AnyChange]:
        return eliminate(facts.view, units[name], side, worth(facts, units[name], side), "15.2")

    def entered(hexes: Sequence[str]) -> Entered:
        takes = enter_hexes(facts.view, side, hexes)
        return Entered(tuple(word_entry(facts.view, takes)), tuple(take_hexes(facts.view, side, takes.taken)))

    bars: tuple[Bar, ...] = (partial(enemy, around), partial(enemy_zone, around), *closing)
    return Retreat(
        [mover.id for mover in movers],
        gone,
        bars,
        partial(holds, facts, movers),
        lost,
        entered,
        partial(word_ending, facts.view),
    )


def stays(view: View, unit: Formation) -> bool:
    """Whether a unit is known not to move: what is still asked for it may have. Rule: 15.2/none"""
    stated = view.fact(view.side_up("movement", unit.id), unit.id)
    return unit.movement == 0 and (stated is not None or not needs("movement", unit.arm))


def enemy(around: Around, here: str, there: str) -> Barred | None:
    """A hex with enemies. Rule: 15.2/1"""
    return Barred("15.2", "enemies stand there") if there in around.enemies else None


def enemy_zone(around: Around, here: str, there: str) -> Barred | None:
    """A hex in an enemy zone of control, which a fortress of its own side in it keeps out. Rule: 15.2/2, 13.6"""
    reaching = around.field.reaching(around.side, there)
    assume_zones(around.view, [unit.id for unit in reaching[:1]])
    return Barred("15.2", f"in the zone of control of {reaching[0].id}") if reaching else None


def holds(facts: Gather, movers: Sequence[Formation], at: str) -> bool:
    """Whether a hex holds units that end their retreat or pursuit there. Rule: 15.2/4"""
    return has_room(facts, at, *movers)


# --- pursuit ----------------------------------------------------------------------------------------------------------

RESULT = "combat-result"
"""The fact that a combat leaves at its hex."""
FARTHEST = "BT"
"""The result by which everybody pursues as far as any result allows."""
ATTACKER_LOST = "AZ"
"""The result by which the defender pursues, into a hex from which it was attacked."""
CAVALRY_FARTHER = "DZ"
"""The result by which cavalry pursues two hexes by the option Better Cavalry Doctrine, as by a Breakthrough everybody
does.
"""


def pursue(
    view: View,
    *,
    units: Annotated[tuple[UnitName, ...], note("the units, which took part in the combat and move together")],
    at: Annotated[PlaceName, note("the hex that the combat cleared")],
    result: Annotated[
        Literal["AZ", "BB", "BT", "DD", "DP", "DZ", "MD"] | None,
        note("the result of the combat, which tells how far the units may go; the result in the position if left out"),
    ] = None,
    way: Annotated[Way, note("the hexes entered beyond the cleared one")] = (),
) -> Report[PursuitResult]:
    """The report on a pursuit: whether the rules allow it, and the hexes beyond the first.

    Raises InputError for no units and a way that cannot be, MissingFacts for what is not stated. Rule: 16.1, 16.2, 16.4
    """
    check_pursuit(view, units, at, way)
    with view.gather() as facts:
        movers = [formation(facts, view.unit(name), factors=["attack", "movement"]) for name in units]
        side = side_of(facts, view.unit(units[0]))
        known = result or result_at(view, units, at)
        reach = min(reach_of(view, mover, known or FARTHEST) for mover in movers)
        takes = enter_hexes(view, side, (at, *way))
        changes = [*take_hexes(view, side, takes.taken)]
        bars, room = bars_to(facts, movers, side), partial(holds, facts, movers)
        who = Pursuit(units, at, way, reach, unable(movers), bars, room, "16.1", "16.2", "16.4")
        if not known and not any(why_not(view, who)):
            facts.word(RESULT, at)  # by any other result this may not be allowed
        return pursuit_report(view, who, partial(word_pursuit, view, who, takes, changes), changes)


def bars_to(facts: Gather, units: Sequence[Formation], side: str) -> list[Bar]:
    """What keeps units that pursue out of a hex, in order; zones of control do not. Rule: 13.6, 16.4, 21.4"""
    view, arms = facts.view, {unit.arm for unit in units}

    def held(here: str, there: str) -> Barred | None:
        enemies = any(view.side_of(unit.id) != side for unit in view.stack(there))
        return Barred("16.4", "enemy units are in it") if enemies else None

    anyones = view.ruling("train-pursuit", matters=TRAIN in arms) == "yes"
    return [held, *bars_of(facts, side, {unit.nation for unit in units}, arms, anyones=anyones)]


def result_at(view: View, units: Sequence[str], at: str) -> str:
    """The result that the position states, "" if it does not: of the combat for the cleared hex, or for the hex of
    units whose attackers were annihilated.
    Rule: 16.1
    """
    stands = {view.unit(name).place or "" for name in units}
    thrown_back = any(view.value(RESULT, place) == ATTACKER_LOST for place in stands)
    return ATTACKER_LOST if thrown_back else str(view.value(RESULT, at) or "")


def reach_of(view: View, unit: Formation, result: str) -> int:
    """How many hexes a unit may pursue by a result. Rule: 16.2"""
    farther = unit.arm == "cavalry" and result == CAVALRY_FARTHER and "better-cavalry" in view.words("options")
    return 2 if farther else RESULTS[result].pursuit


def unable(units: Sequence[Formation]) -> Iterator[Step]:
    """The units that do not pursue. Rule: 16.3"""
    for unit in units:
        if not may_pursue(unit):
            yield step("16.3", "{id} may not pursue: its attack or movement factor is 0 or in brackets", unit)


def word_pursuit(view: View, who: Pursuit, takes: Entry, changes: Sequence[AnyChange]) -> Iterator[Step]:
    """What the pursuers find: no room, hexes that they take, ground that is not stated; and whether the game ends by
    that.
    """
    if not who.holds(who.entered[-1]):
        text = "{end} is over-stacked: the owner must eliminate the excess, at no cost in Victory Points"
        yield step("12.2", text, end=who.entered[-1])
    presume_open(view, who.entered, "16.4")
    yield from word_entry(view, takes)
    yield from word_ending(view, changes)


QUESTIONS = (
    retreat_question(RetreatRules(read_retreat, partial(presume_open, rule="15.2"), "15.0", "15.2", most=6)),
    declare(
        "pursue",
        "whether units may pursue into a hex that a combat has cleared, and into which hex beyond",
        pursue,
        picture=of_way(lambda result: [result.at]),
    ),
)
