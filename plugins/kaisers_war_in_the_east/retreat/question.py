"""The question `retreat`: which hexes units may retreat into, what bars the others, and who is eliminated (15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, NamedTuple

import msgspec

from assistant.field import Around, Bar, Barred, HexOption, Walk, check_way, first_bar, open_hexes
from assistant.pictures.usual import of_way
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    Report,
    UnitName,
    Verdict,
    View,
    Way,
    changed,
    declare,
    note,
    step,
    verdict,
)
from assistant.state.changes import AnyChange

from ..forces.stacking import is_within_limits
from ..forces.units import Formation, formation, formation_taken, grant_factors
from ..ground.entry import bars_of, presume_open
from ..ground.zones import assume_zones, field, side_of
from ..terms import FORTRESS
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
        """Whether a way may end: it is long enough, leads far enough away, and its last hex holds the units. Rule: 15.2/4, 15.2/5"""
        here = way[-1] if way else self.start
        return len(way) >= self.owed and self.view.board.distance(self.start, here) >= self.owed and self.holds(here)

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
        here = way[-1] if way else self.start
        return any(
            self.leads_on(way, there) and not first_bar(self.bars, here, there) and self.completes((*way, there), farther)
            for there in self.view.board.neighbours(here)
        )

    def judged(self, way: Sequence[str], there: str) -> Barred | None:
        """What bars the next hex of a way, None if nothing does; past over-stacked hexes no way leads while another ends in time.
        Rule: 15.2/3, 15.2/5, 15.2/7
        """
        here = way[-1] if way else self.start
        if self.is_over(way):
            return Barred("15.2", f"the retreat is over in {here}")
        if barred := first_bar(self.bars, here, there):
            return barred
        if not self.leads_on(way, there):
            return Barred("15.2", "it does not lead away")
        farther = not self.completes((), False)
        if self.completes((*way, there), farther):
            return None
        stuck = farther or not self.completes((*way, there), True)
        return Barred("15.2", "no way leads on from there" if stuck else "other ways avoid over-stacked hexes")


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, or where it ends and what it changes.

    Raises InputError for units that do not stand together and an impossible way, MissingFacts for what is not stated.
    """
    if not parameters.units or not 1 <= parameters.hexes <= 6:
        raise InputError("units, and 1 to 6 hexes, are needed for a retreat", hint="type units=X,Y hexes=1")
    walk = Walk.along(parameters.way, answers)
    walk.refuse_others(answers)
    with view.gather() as facts:
        retreat = read_retreat(facts, parameters)
        if walk.way:
            check_way(view, retreat.start, walk.way)
        for number, hex in enumerate(walk.way):
            if barred := retreat.judged(walk.way[:number], hex):
                no = verdict("no", "{hex} cannot be entered: {why}", hex=hex, why=barred.why)
                steps = (step(barred.rule, "{hex}: {why}", hex=hex, why=barred.why),)
                return Report(title=title_of(retreat, parameters), verdict=no, parts=(Part("Not allowed", steps),))
        return reported(facts, retreat, parameters, walk)


def title_of(retreat: Retreat, parameters: RetreatParameters) -> str:
    """What was asked."""
    return f"Retreat of {', '.join(parameters.units)} from {retreat.start}"


def read_retreat(facts: Gather, parameters: RetreatParameters) -> Retreat:
    """The units that retreat, and what bars their ways. Those without movement are eliminated. Rule: 15.2/6, 15.2/8, 20.2, Opt/Entrench/1"""
    view = facts.view
    stacked = [view.unit(name) for name in parameters.units]
    places = sorted({str(unit.place) for unit in stacked})
    if len(places) > 1 or not view.board.is_hex(places[0]):
        raise InputError("units: they do not stand in one hex", hint="ask for the units of each hex apart")
    side = side_of(facts, stacked[0])
    units = [formation_taken(facts, unit, [], ["movement"]) for unit in stacked]
    fixed = [one for one in units if one.arm == FORTRESS or one.movement == 0 or facts.flag("entrenched", one.id)]
    movers = tuple(one for one in units if one not in fixed)
    grant_factors(view, [one.id for one in movers], "movement")
    around = field(facts).around(side)
    closing = bars_of(facts, side, {one.nation for one in movers}, {one.arm for one in movers})
    bars: tuple[Bar, ...] = (partial(enemy, around), partial(enemy_zone, around), *closing)
    return Retreat(
        view, places[0], parameters.hexes, side, movers, tuple(fixed), bars, partial(holds, facts, parameters, movers)
    )


def enemy(around: Around, here: str, there: str) -> Barred | None:
    """A hex with enemies. Rule: 15.2/1"""
    return Barred("15.2", "enemies stand there") if there in around.enemies else None


def enemy_zone(around: Around, here: str, there: str) -> Barred | None:
    """A hex in an enemy zone of control, which a fortress of its own side in it keeps out. Rule: 15.2/2, 13.6"""
    reaching = around.field.reaching(around.side, there)
    assume_zones(around.view, [unit.id for unit in reaching[:1]])
    return Barred("15.2", f"in the zone of control of {reaching[0].id}") if reaching else None


def holds(facts: Gather, parameters: RetreatParameters, movers: Sequence[Formation], hex: str) -> bool:
    """Whether a hex holds units that end their retreat there. Rule: 15.2/4"""
    there = [unit for unit in facts.view.stack(hex) if unit.id not in parameters.units]
    return is_within_limits([*(formation(facts, unit, fights=False) for unit in there), *movers])


def reported(
    facts: Gather, retreat: Retreat, parameters: RetreatParameters, walk: Walk
) -> Report[RetreatResult]:
    """The report on the way so far. Rule: 15.0, 15.2/none"""
    view, way = facts.view, walk.way
    over = not retreat.movers or retreat.is_over(way)

    def look(here: str, there: str) -> HexOption:
        return HexOption(there, *(retreat.judged(way, there) or ()))

    end = way[-1] if way else retreat.start
    options = () if over else open_hexes(view, end, look, prefer=lambda one: one.hex)
    stuck = bool(options) and all(one.barred for one in options)
    gone = (*retreat.gone, *(retreat.movers if stuck else ()))
    result = RetreatResult(
        at=retreat.start,
        units=parameters.units,
        owed=parameters.hexes,
        way=way,
        options=options,
        eliminated=tuple(one.id for one in gone),
        complete=over or stuck,
    )
    presume_open(view, way, "15.2")
    lost = [step("15.2", "{id} has no movement and is eliminated", one) for one in retreat.gone]
    lost += [step("15.2", "{id} cannot retreat and is eliminated", one) for one in retreat.movers if stuck]
    chosen = f"hex {{number}} of the retreat from {retreat.start}, {parameters.hexes} owed"
    return Report(
        title=title_of(retreat, parameters),
        verdict=in_a_line(result),
        parts=(Part("Eliminated", tuple(lost)), Part("Hexes", tuple(one.step("15.2") for one in options))),
        asks=() if result.complete else walk.ask("15.2", chosen, options),
        changes=tuple(changes_of(facts, retreat, gone, end)) if result.complete else (),
        result=result,
    )


def in_a_line(result: RetreatResult) -> Verdict:
    """The retreat in a line."""
    if not result.complete:
        open_ones = [one.hex for one in result.options if not one.barred]
        return verdict("figure", "open hexes: {hexes}", hexes=open_ones)
    if set(result.eliminated) >= set(result.units):
        return verdict("figure", "eliminated: {eliminated}", result)
    return verdict("figure", "the retreat ends in {end}", end=result.way[-1])


def changes_of(facts: Gather, retreat: Retreat, gone: Sequence[Formation], end: str) -> Iterator[AnyChange]:
    """What the retreat changes: places, and for those eliminated Victory Points. Rule: 5.1, 15.0"""
    for one in gone:
        yield from eliminated(facts.view, one, retreat.side, worth(facts, one, retreat.side), "15.2")
    for one in retreat.movers:
        if one not in gone:
            yield changed(facts.view, "place", one.id, end, "15.0")


QUESTION = declare(
    "retreat",
    "which hexes units may retreat into, what bars the others, and who is eliminated",
    answer,
    {"hex.N": "the hex that the units enter as the N-th of their retreat"},
    picture=of_way(lambda result: (result.at, *result.way)),
)
