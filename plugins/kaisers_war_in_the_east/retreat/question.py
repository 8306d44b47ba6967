"""The questions `retreat`: which hexes units may retreat into, what bars the others, who is eliminated (15); and `pursue`: who may follow
into a hex that a combat has cleared, and into which hex beyond (16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from assistant.field import Around, Bar, Barred, HexOption, check_way, first_bar, open_hexes, option
from assistant.pictures.usual import of_way
from assistant.questions import (
    Gather,
    InputError,
    Parameters,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    Way,
    changed,
    declare,
    holding,
    note,
    permission,
    step,
)
from assistant.readymade.retreat import Retreat, RetreatRules, retreat_question
from assistant.state.changes import AnyChange
from assistant.state.state import Unit

from ..combat.results import RESULTS, may_pursue
from ..forces.stacking import is_within_limits
from ..forces.units import Formation, formation, formation_taken, grant_factors
from ..ground.entry import bars_of, presume_open
from ..ground.zones import assume_zones, field, side_of
from ..terms import TRAIN
from ..victory.losses import eliminated, worth


def read(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    """The units that retreat, and what bars their ways. Those without movement are eliminated, as is whoever finds no way.
    Rule: 15.0, 15.2/3, 15.2/4, 15.2/5, 15.2/6, 15.2/7, 15.2/8, 15.2/none, 20.2, Opt/Entrench/1
    """
    units = {unit.id: formation_taken(facts, unit, [], ["movement"]) for unit in stacked}
    gone = [name for name, one in units.items() if one.movement == 0 or facts.flag("entrenched", name)]
    movers = [one for name, one in units.items() if name not in gone]
    grant_factors(facts.view, [one.id for one in movers], "movement")
    around = field(facts).around(side)
    closing = bars_of(facts, side, {one.nation for one in movers}, {one.arm for one in movers})

    def lost(name: str) -> Iterator[AnyChange]:
        return eliminated(facts.view, units[name], side, worth(facts, units[name], side), "15.2")

    bars: tuple[Bar, ...] = (partial(enemy, around), partial(enemy_zone, around), *closing)
    return Retreat([one.id for one in movers], gone, bars, partial(holds, facts, movers), lost)


def enemy(around: Around, here: str, there: str) -> Barred | None:
    """A hex with enemies. Rule: 15.2/1"""
    return Barred("15.2", "enemies stand there") if there in around.enemies else None


def enemy_zone(around: Around, here: str, there: str) -> Barred | None:
    """A hex in an enemy zone of control, which a fortress of its own side in it keeps out. Rule: 15.2/2, 13.6"""
    reaching = around.field.reaching(around.side, there)
    assume_zones(around.view, [unit.id for unit in reaching[:1]])
    return Barred("15.2", f"in the zone of control of {reaching[0].id}") if reaching else None


def holds(facts: Gather, movers: Sequence[Formation], hex: str) -> bool:
    """Whether a hex holds units that end their retreat or pursuit there. Rule: 15.2/4"""
    return is_within_limits([*(formation(facts, unit, fights=False) for unit in facts.view.stack(hex)), *movers])


# --- pursuit ------------------------------------------------------------------------------------------------------------

CAVALRY_FARTHER = "DZ"
"""The result by which cavalry pursues two hexes by the option Better Cavalry Doctrine, as by a Breakthrough everybody does."""


class PursueParameters(Parameters, frozen=True):
    """Units that pursue together."""

    units: Annotated[tuple[UnitName, ...], note("the units, which took part in the combat and go together")]
    at: Annotated[PlaceName, note("the hex that the combat cleared")]
    result: Annotated[
        Literal["AZ", "BB", "BT", "DD", "DP", "DZ", "MD"], note("the result of the combat, which tells how far")
    ] = "DD"
    way: Annotated[Way, note("the hexes entered beyond it")] = ()

    @property
    def whole(self) -> tuple[str, ...]:
        """All hexes entered."""
        return self.at, *self.way


class PursueResult(msgspec.Struct, frozen=True, kw_only=True):
    """A pursuit."""

    at: Annotated[str, note("the hex that was cleared")]
    units: Annotated[tuple[str, ...], note("the units that pursue")]
    reach: Annotated[int, note("hexes that they may enter")]
    end: Annotated[str, note("the last hex entered")]
    options: Annotated[tuple[HexOption, ...], note("the hexes that they may enter next, open ones first")] = ()
    allowed: Annotated[bool, note("whether the rules allow it")] = True
    over_stacked: Annotated[bool, note("whether the last hex holds too much, so that units there are eliminated")] = (
        False
    )


def pursue(view: View, parameters: PursueParameters) -> Report[PursueResult]:
    """The report on a pursuit: whether the rules allow it, and the hexes beyond the first.

    Raises InputError for no units and a way that cannot be, MissingFacts for what is not stated.
    """
    if not parameters.units:
        raise InputError("units are needed for a pursuit", hint="type units=X,Y")
    with view.gather() as facts:
        units = [formation(facts, view.unit(name), factors=["attack", "movement"]) for name in parameters.units]
        side = side_of(facts, view.unit(units[0].id))
        if parameters.way:
            check_way(view, parameters.at, parameters.way)
        bars = bars_to(facts, units, side)
        result = followed(facts, parameters, units, bars)
        return permission(
            f"Pursuit of {', '.join(parameters.units)} into {parameters.at}",
            ("{units} may pursue to {end}", "this pursuit is not allowed"),
            why_not(view, parameters, units, bars, result.reach),
            result,
            working={"Pursuit": working(view, parameters, result)},
            changes=taken(view, parameters, side),
        )


def bars_to(facts: Gather, units: Sequence[Formation], side: str) -> list[Bar]:
    """What keeps units that pursue out of a hex, in order; zones of control do not. Rule: 13.6, 16.4, 21.4"""
    view, arms = facts.view, {one.arm for one in units}

    def held(here: str, there: str) -> Barred | None:
        enemies = any(view.side_of(unit.id) != side for unit in view.stack(there))
        return Barred("16.4", "it is not cleared of enemies") if enemies else None

    anyones = view.ruling("train-pursuit", matters=TRAIN in arms) == "yes"
    return [held, *bars_of(facts, side, {one.nation for one in units}, arms, anyones=anyones)]


def reach_of(view: View, unit: Formation, result: str) -> int:
    """How many hexes a unit may pursue by a result. Rule: 16.2"""
    farther = unit.arm == "cavalry" and result == CAVALRY_FARTHER and "better-cavalry" in view.words("options")
    return 2 if farther else RESULTS[result].pursuit


def why_not(
    view: View, parameters: PursueParameters, units: Sequence[Formation], bars: Sequence[Bar], reach: int
) -> Iterator[Step]:
    """Why units may not pursue: their factors, where they stand, who is still in the hex, what bars a hex. Rule: 16.1, 16.3, 16.4"""
    board, at = view.board, parameters.at
    for one in units:
        clauses = [
            (not may_pursue(one), "16.3", "{id} does not pursue: its attack or movement factor is 0 or in brackets"),
            (one.place not in board.neighbours(at), "16.1", "{id} in {place} is not next to {at}"),
        ]
        yield from holding(clauses, one, at=at)
    if len(parameters.whole) > reach:
        yield step("16.2", "the result {result} allows {reach:#hex} of pursuit", parameters, reach=reach)
    for start in sorted({one.place for one in units}):
        for here, there in pairwise((start, *parameters.whole)):
            if there in board.neighbours(here) and (barred := first_bar(bars, here, there)):
                yield step(barred.rule, "{hex} cannot be entered: {why}", hex=there, why=barred.why)


def followed(
    facts: Gather, parameters: PursueParameters, units: Sequence[Formation], bars: Sequence[Bar]
) -> PursueResult:
    """The pursuit as far as it goes, and the hexes that are open next. Rule: 16.2, 16.4"""
    view, way = facts.view, parameters.whole
    reach = min(reach_of(view, one, parameters.result) for one in units)
    goes_on = reach > 1 and not parameters.way
    look = partial(option, bars)
    return PursueResult(
        at=parameters.at,
        units=parameters.units,
        reach=reach,
        end=way[-1],
        options=open_hexes(view, parameters.at, look, prefer=lambda one: one.hex) if goes_on else (),
        over_stacked=not holds(facts, units, way[-1]),
    )


def working(view: View, parameters: PursueParameters, result: PursueResult) -> Iterator[Step]:
    """How far the pursuit leads, and what the pursuers find."""
    yield step("16.2", "up to {reach:#hex}, {at} first", result)
    yield from (one.step("16.4") for one in result.options)
    if result.over_stacked:
        text = "{end} is over-stacked: its owner eliminates the excess, for no Victory Points"
        yield step("12.2", text, result)
    presume_open(view, parameters.whole, "16.4")
    for hex in parameters.whole:
        if view.flag("objective", hex):
            text = "{hex} is a Strategic Objective: its capture counts Victory Points (question capture)"
            yield step("5.3", text, hex=hex)


def taken(view: View, parameters: PursueParameters, side: str) -> Iterator[AnyChange]:
    """What the pursuit changes: places, and who controls the hexes that were entered, but for the Strategic Objectives, whose capture is
    a question of its own (7.3)."""
    for name in parameters.units:
        yield changed(view, "place", name, parameters.whole[-1], "16.1")
    for hex in parameters.whole:
        if view.word("control", hex) != side and not view.flag("objective", hex):
            yield changed(view, "control", hex, side, "7.3")


QUESTIONS = (
    retreat_question(RetreatRules(read, partial(presume_open, rule="15.2"), ("15.0", "15.2"), most=6)),
    declare(
        "pursue",
        "whether units may pursue into a hex that a combat has cleared, and into which hex beyond",
        pursue,
        picture=of_way(lambda result: [result.at]),
    ),
)
