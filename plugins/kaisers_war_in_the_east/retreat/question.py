"""The questions `retreat`: which hexes units may retreat into, what bars the others, who is eliminated (15); and `pursue`: who may follow
into a hex that a combat has cleared, and into which hex beyond (16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.field import Around, Bar, Barred, HexOption, Walk, check_way, first_bar, open_hexes
from assistant.pictures.usual import of_way
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    Verdict,
    View,
    Way,
    changed,
    declare,
    holding,
    note,
    permission,
    step,
    verdict,
)
from assistant.state.changes import AnyChange

from ..combat.results import RESULTS, may_pursue
from ..forces.stacking import is_within_limits
from ..forces.units import Formation, formation, formation_taken, grant_factors
from ..ground.entry import bars_of, presume_open
from ..ground.zones import assume_zones, field, side_of
from ..terms import TRAIN
from ..victory.losses import eliminated, worth


class RetreatParameters(Parameters, frozen=True):
    """Units that retreat together after a combat."""

    units: Annotated[tuple[UnitName, ...], note("the units, which stand in one hex and retreat together")]
    hexes: Annotated[int, note("hexes to retreat: 1, or those that the die of a panic gave")] = 1
    way: Annotated[Way, note("the hexes entered so far")] = ()


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A retreat as far as it goes."""

    at: Annotated[str, note("the hex that is left")]
    units: Annotated[tuple[str, ...], note("the units that retreat")]
    owed: Annotated[int, note("hexes to retreat")]
    way: Annotated[tuple[str, ...], note("the hexes entered")] = ()
    options: Annotated[tuple[HexOption, ...], note("the hexes around the last one, open ones first")] = ()
    eliminated: Annotated[tuple[str, ...], note("units that are eliminated")] = ()
    complete: Annotated[bool, note("whether the retreat is over")] = False


class Retreat(NamedTuple):
    """A retreat as the rules see it. start: the hex that is left; owed: hexes to retreat; movers: who retreats; gone: who cannot at all;
    bars: what bars a hex, in the order of the rules; holds: whether a hex holds those who end their retreat there.
    """

    view: View
    start: str
    owed: int
    side: str
    movers: tuple[Formation, ...]
    gone: tuple[Formation, ...]
    bars: tuple[Bar, ...]
    holds: Callable[[str], bool]

    def is_over(self, way: Sequence[str]) -> bool:
        """Whether a way may end: it leads far enough away, and its last hex holds the units. Rule: 15.2/4, 15.2/5"""
        here = (self.start, *way)[-1]
        return self.view.board.distance(self.start, here) >= self.owed and self.holds(here)

    def leads_on(self, way: Sequence[str], there: str) -> bool:
        """Whether a way may go on into a hex: not one that it has entered, and farther away until it is long enough. Rule: 15.2/5"""
        if there == self.start or there in way:
            return False
        return len(way) >= self.owed or self.view.board.distance(self.start, there) == len(way) + 1

    def completes(self, way: Sequence[str], farther: bool) -> bool:
        """Whether a way can be completed. farther: whether it may go on beyond the hexes owed, past over-stacked ones. Rule: 15.2/4, 15.2/7"""
        if self.is_over(way):
            return True
        if len(way) >= self.owed and not farther:
            return False
        here = (self.start, *way)[-1]
        return any(
            self.leads_on(way, there)
            and not first_bar(self.bars, here, there)
            and self.completes((*way, there), farther)
            for there in self.view.board.neighbours(here)
        )

    def judged(self, way: Sequence[str], there: str) -> Barred | None:
        """What bars the next hex of a way, None if nothing does; past over-stacked hexes no way leads while another ends in time.
        Rule: 15.2/3, 15.2/5, 15.2/7
        """
        here = (self.start, *way)[-1]
        if self.is_over(way):
            return Barred("15.2", f"the retreat is over in {here}")
        if barred := first_bar(self.bars, here, there):
            return barred
        if not self.leads_on(way, there):
            return Barred("15.2", "it does not lead away")
        if not self.completes((*way, there), True):
            return Barred("15.2", "no way leads on from there")
        spared = self.completes((), False) and not self.completes((*way, there), False)
        return Barred("15.2", "other ways avoid over-stacked hexes") if spared else None


def retreat(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, or where it ends and what it changes.

    Raises InputError for units that do not stand together and an impossible way, MissingFacts for what is not stated.
    """
    if not parameters.units or not 1 <= parameters.hexes <= 6:
        raise InputError("units, and 1 to 6 hexes, are needed for a retreat", hint="type units=X,Y hexes=1")
    walk = Walk.along(parameters.way, answers)
    walk.refuse_others(answers)
    with view.gather() as facts:
        moving = read_retreat(facts, parameters)
        title = f"Retreat of {', '.join(parameters.units)} from {moving.start}"
        if walk.way:
            check_way(view, moving.start, walk.way)
        for number, hex in enumerate(walk.way):
            if barred := moving.judged(walk.way[:number], hex):
                no = verdict("no", "{hex} cannot be entered: {why}", hex=hex, why=barred.why)
                steps = (step(barred.rule, "{hex}: {why}", hex=hex, why=barred.why),)
                return Report(title=title, verdict=no, parts=(Part("Not allowed", steps),))
        presume_open(view, walk.way, "15.2")
        result, stuck = moved(moving, parameters, walk.way)
        lost = [step("15.2", "{id} has no movement and is eliminated", one) for one in moving.gone]
        lost += [step("15.2", "{id} cannot retreat and is eliminated", one) for one in moving.movers if stuck]
        chosen = f"hex {{number}} of the retreat from {moving.start}, {parameters.hexes} owed"
        return Report(
            title=title,
            verdict=in_a_line(result),
            parts=(Part("Eliminated", tuple(lost)), Part("Hexes", tuple(one.step("15.2") for one in result.options))),
            asks=() if result.complete else walk.ask("15.2", chosen, result.options),
            changes=tuple(changes_of(facts, moving, result)) if result.complete else (),
            result=result,
        )


def read_retreat(facts: Gather, parameters: RetreatParameters) -> Retreat:
    """The units that retreat, and what bars their ways. Those without movement are eliminated. Rule: 15.2/6, 15.2/8, 20.2, Opt/Entrench/1"""
    view = facts.view
    stacked = [view.unit(name) for name in parameters.units]
    start, *others = {str(unit.place) for unit in stacked}
    if others or not view.board.is_hex(start):
        raise InputError("units: they do not stand in one hex", hint="ask for the units of each hex apart")
    side = side_of(facts, stacked[0])
    units = [formation_taken(facts, unit, [], ["movement"]) for unit in stacked]
    fixed = [one for one in units if one.movement == 0 or facts.flag("entrenched", one.id)]
    movers = tuple(one for one in units if one not in fixed)
    grant_factors(view, [one.id for one in movers], "movement")
    around = field(facts).around(side)
    closing = bars_of(facts, side, {one.nation for one in movers}, {one.arm for one in movers})
    bars: tuple[Bar, ...] = (partial(enemy, around), partial(enemy_zone, around), *closing)
    return Retreat(view, start, parameters.hexes, side, movers, tuple(fixed), bars, partial(holds, facts, movers))


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


def moved(moving: Retreat, parameters: RetreatParameters, way: tuple[str, ...]) -> tuple[RetreatResult, bool]:
    """The retreat with the hexes entered so far, and whether it is stuck there, so that the units are eliminated. Rule: 15.0, 15.2/none"""

    def look(here: str, there: str) -> HexOption:
        return HexOption(there, *(moving.judged(way, there) or ()))

    over = not moving.movers or moving.is_over(way)
    options = () if over else open_hexes(moving.view, (moving.start, *way)[-1], look, prefer=lambda one: one.hex)
    stuck = bool(options) and all(one.barred for one in options)
    result = RetreatResult(
        at=moving.start,
        units=parameters.units,
        owed=parameters.hexes,
        way=way,
        options=options,
        eliminated=tuple(one.id for one in (*moving.gone, *(moving.movers if stuck else ()))),
        complete=over or stuck,
    )
    return result, stuck


def in_a_line(result: RetreatResult) -> Verdict:
    """The retreat in a line."""
    if not result.complete:
        open_ones = [one.hex for one in result.options if not one.barred]
        return verdict("figure", "open hexes: {hexes}", hexes=open_ones)
    if set(result.eliminated) >= set(result.units):
        return verdict("figure", "eliminated: {eliminated}", result)
    return verdict("figure", "the retreat ends in {end}", end=result.way[-1])


def changes_of(facts: Gather, moving: Retreat, result: RetreatResult) -> Iterator[AnyChange]:
    """What the retreat changes: places, and for those eliminated Victory Points. Rule: 5.1, 15.0"""
    for one in (*moving.gone, *moving.movers):
        if one.id in result.eliminated:
            yield from eliminated(facts.view, one, moving.side, worth(facts, one, moving.side), "15.2")
        else:
            yield changed(facts.view, "place", one.id, result.way[-1], "15.0")


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


class Pursuit(msgspec.Struct, frozen=True):
    """Units that pursue, as the rules see them."""

    facts: Gather
    units: list[Formation]
    side: str

    def bar(self, here: str, there: str) -> Barred | None:
        """What keeps them out of a hex, None if nothing does; zones of control do not stop them. Rule: 13.6, 16.4"""
        view, arms = self.facts.view, {one.arm for one in self.units}
        if any(view.side_of(unit.id) != self.side for unit in view.stack(there)):
            return Barred("16.4", "it is not cleared of enemies")
        anyones = view.ruling("train-pursuit", matters=TRAIN in arms) == "yes"
        bars = bars_of(self.facts, self.side, {one.nation for one in self.units}, arms, anyones=anyones)
        return first_bar(bars, here, there)

    def option(self, here: str, there: str) -> HexOption:
        """The next hex with what bars it."""
        return HexOption(there, *(self.bar(here, there) or ()))


def pursue(view: View, parameters: PursueParameters) -> Report[PursueResult]:
    """The report on a pursuit: whether the rules allow it, and the hexes beyond the first.

    Raises InputError for no units and a way that cannot be, MissingFacts for what is not stated.
    """
    if not parameters.units:
        raise InputError("units are needed for a pursuit", hint="type units=X,Y")
    with view.gather() as facts:
        units = [formation(facts, view.unit(name), factors=["attack", "movement"]) for name in parameters.units]
        if parameters.way:
            check_way(view, parameters.at, parameters.way)
        pursuit = Pursuit(facts, units, side_of(facts, view.unit(units[0].id)))
        result = followed(pursuit, parameters)
        return permission(
            f"Pursuit of {', '.join(parameters.units)} into {parameters.at}",
            ("{units} may pursue to {end}", "this pursuit is not allowed"),
            why_not(pursuit, parameters, result.reach),
            result,
            working={"Pursuit": working(view, parameters, result)},
            changes=taken(pursuit, parameters),
        )


def reach_of(view: View, unit: Formation, result: str) -> int:
    """How many hexes a unit may pursue by a result. Rule: 16.2"""
    farther = unit.arm == "cavalry" and result == CAVALRY_FARTHER and "better-cavalry" in view.words("options")
    return 2 if farther else RESULTS[result].pursuit


def why_not(pursuit: Pursuit, parameters: PursueParameters, reach: int) -> Iterator[Step]:
    """Why units may not pursue: their factors, where they stand, who is still in the hex, what bars a hex.
    Rule: 16.1, 16.3, 16.4, 21.4
    """
    board, at = pursuit.facts.view.board, parameters.at
    for one in pursuit.units:
        clauses = [
            (not may_pursue(one), "16.3", "{id} does not pursue: its attack or movement factor is 0 or in brackets"),
            (one.place not in board.neighbours(at), "16.1", "{id} in {place} is not next to {at}"),
        ]
        yield from holding(clauses, one, at=at)
    if len(parameters.whole) > reach:
        yield step("16.2", "the result {result} allows {reach:#hex} of pursuit", parameters, reach=reach)
    for start in sorted({one.place for one in pursuit.units}):
        for here, there in pairwise((start, *parameters.whole)):
            if there in board.neighbours(here) and (barred := pursuit.bar(here, there)):
                yield step(barred.rule, "{hex} cannot be entered: {why}", hex=there, why=barred.why)


def followed(pursuit: Pursuit, parameters: PursueParameters) -> PursueResult:
    """The pursuit as far as it goes, and the hexes that are open next. Rule: 16.2, 16.4"""
    view, way = pursuit.facts.view, parameters.whole
    reach = min(reach_of(view, one, parameters.result) for one in pursuit.units)
    goes_on = reach > 1 and not parameters.way
    return PursueResult(
        at=parameters.at,
        units=parameters.units,
        reach=reach,
        end=way[-1],
        options=open_hexes(view, parameters.at, pursuit.option, prefer=lambda one: one.hex) if goes_on else (),
        over_stacked=not holds(pursuit.facts, pursuit.units, way[-1]),
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


def taken(pursuit: Pursuit, parameters: PursueParameters) -> Iterator[AnyChange]:
    """What the pursuit changes: places, and who controls the hexes that were entered, but for the Strategic Objectives, whose capture is
    a question of its own (7.3)."""
    view, side = pursuit.facts.view, pursuit.side
    for one in pursuit.units:
        yield changed(view, "place", one.id, parameters.whole[-1], "16.1")
    for hex in parameters.whole:
        if view.word("control", hex) != side and not view.flag("objective", hex):
            yield changed(view, "control", hex, side, "7.3")


QUESTIONS = (
    declare(
        "retreat",
        "which hexes units may retreat into, what bars the others, and who is eliminated",
        retreat,
        {"hex.N": "the hex that the units enter as the N-th of their retreat"},
        picture=of_way(lambda result: (result.at, *result.way)),
    ),
    declare(
        "pursue",
        "whether units may pursue into a hex that a combat has cleared, and into which hex beyond",
        pursue,
        picture=of_way(lambda result: [result.at]),
    ),
)
