"""The question `retreat`: which hexes units may retreat into, what bars the others, and who is eliminated (15)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from assistant.field import Around, Bar, Barred, HexOption, check_way, first_bar, open_hexes
from assistant.mechanics.procedure import Choice
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    Report,
    Step,
    UnitName,
    Verdict,
    View,
    Way,
    declare,
    note,
    step,
    verdict,
)
from assistant.questions.play import refuse_others
from assistant.questions.report import ask_for
from assistant.questions.view import changed
from assistant.state.changes import AnyChange

from ..forces.stacking import is_within_limits
from ..forces.units import Formation, formation, formation_taken, grant_factors
from ..ground.entry import bars_of
from ..ground.zones import assume_zones, field, side_of
from ..terms import FORTRESS
from ..victory.losses import eliminated, worth
from .ways import Ways

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene

HEX = "hex.{}"
"""The name of the choice of a hex of the way, by its number."""


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
    """A retreat as the rules see it. gone: units that cannot retreat at all; bars: what bars a hex, in the order of the rules."""

    at: str
    side: str
    movers: tuple[Formation, ...]
    gone: tuple[Formation, ...]
    bars: tuple[Bar, ...]
    ways: Ways


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, or where it ends and what it changes.

    Raises InputError for units that do not stand together and an impossible way, MissingFacts for what is not stated.
    """
    if not parameters.units or not 1 <= parameters.hexes <= 6:
        raise InputError("units, and 1 to 6 hexes, are needed for a retreat", hint="type units=X,Y hexes=1")
    way = list(parameters.way)
    while (chosen := HEX.format(len(way) + 1)) in answers:
        way.append(answers[chosen])
    refuse_others(answers, [HEX.format(number) for number in range(len(parameters.way) + 1, len(way) + 1)])
    with view.gather() as facts:
        retreat = read_retreat(facts, parameters)
        if way:
            check_way(view, retreat.at, way)
        title = f"Retreat of {', '.join(parameters.units)} from {retreat.at}"
        for number, hex in enumerate(way):
            if barred := judged(retreat, way[:number], hex):
                no = verdict("no", "{hex} cannot be entered: {why}", hex=hex, why=barred.why)
                steps = (step(barred.rule, "{hex}: {why}", hex=hex, why=barred.why),)
                return Report(title=title, verdict=no, parts=(Part("Not allowed", steps),))
        return reported(facts, retreat, parameters, tuple(way), title)


def read_retreat(facts: Gather, parameters: RetreatParameters) -> Retreat:
    """The units that retreat, and what bars their ways. Those without movement are eliminated. Rule: 15.2/6, 15.2/8, 20.2, Opt/Entrench/1"""
    view = facts.view
    stacked = [view.unit(name) for name in parameters.units]
    places = sorted({str(unit.place) for unit in stacked})
    if len(places) > 1 or not view.board.is_hex(places[0]):
        raise InputError("units: they do not stand in one hex", hint="ask for the units of each hex apart")
    at, side = places[0], side_of(facts, stacked[0])
    units = [formation_taken(facts, unit, [], ["movement"]) for unit in stacked]
    fixed = [one for one in units if one.arm == FORTRESS or one.movement == 0 or facts.flag("entrenched", one.id)]
    movers = tuple(one for one in units if one not in fixed)
    grant_factors(view, [one.id for one in movers], "movement")
    around = field(facts).around(side)
    closing = bars_of(facts, side, {one.nation for one in movers}, {one.arm for one in movers})
    bars: tuple[Bar, ...] = (partial(enemy, around), partial(enemy_zone, around), *closing)
    names = {one.id for one in units}
    ways = Ways(
        at,
        parameters.hexes,
        view.board.neighbours,
        view.board.distance,
        opens=lambda here, there: first_bar(bars, here, there) is None,
        holds=lambda hex: holds(facts, hex, movers, names),
    )
    return Retreat(at, side, movers, tuple(fixed), bars, ways)


def enemy(around: Around, here: str, there: str) -> Barred | None:
    """A hex with enemies. Rule: 15.2/1"""
    return Barred("15.2", "enemies stand there") if there in around.enemies else None


def enemy_zone(around: Around, here: str, there: str) -> Barred | None:
    """A hex in an enemy zone of control, which a fortress of its own side in it keeps out. Rule: 15.2/2, 13.6"""
    reaching = around.field.reaching(around.side, there)
    assume_zones(around.view, [unit.id for unit in reaching[:1]])
    return Barred("15.2", f"in the zone of control of {reaching[0].id}") if reaching else None


def holds(facts: Gather, hex: str, movers: Sequence[Formation], names: set[str]) -> bool:
    """Whether a hex holds units that end their retreat there. Rule: 15.2/4"""
    there = [formation(facts, unit, fights=False) for unit in facts.view.stack(hex) if unit.id not in names]
    return is_within_limits([*there, *movers])


def judged(retreat: Retreat, way: Sequence[str], there: str) -> Barred | None:
    """What bars the next hex of a way, None if nothing does. Rule: 15.2/3, 15.2/5, 15.2/7"""
    ways, here = retreat.ways, way[-1] if way else retreat.at
    if ways.is_over(way):
        return Barred("15.2", f"the retreat is over in {here}")
    if barred := first_bar(retreat.bars, here, there):
        return barred
    if not ways.leads_on(way, there):
        return Barred("15.2", "it does not lead away")
    farther = not ways.is_spared()
    if not ways.completes((*way, there), farther):
        stuck = farther or not ways.completes((*way, there), True)
        return Barred("15.2", "no way leads on from there" if stuck else "other ways avoid over-stacked hexes")
    return None


def reported(
    facts: Gather, retreat: Retreat, parameters: RetreatParameters, way: tuple[str, ...], title: str
) -> Report[RetreatResult]:
    """The report on the way so far. Rule: 15.0, 15.2/none"""
    view, over = facts.view, bool(retreat.movers) and retreat.ways.is_over(way)
    end = way[-1] if way else retreat.at

    def look(here: str, there: str) -> HexOption:
        return HexOption(there, *(judged(retreat, way, there) or ()))

    options = () if over or not retreat.movers else open_hexes(view, end, look, prefer=lambda one: one.hex)
    stuck = bool(options) and all(one.barred for one in options)
    gone = (*retreat.gone, *(retreat.movers if stuck else ()))
    result = RetreatResult(
        at=retreat.at,
        units=parameters.units,
        owed=parameters.hexes,
        way=way,
        options=options,
        eliminated=tuple(one.id for one in gone),
        complete=over or stuck or not retreat.movers,
    )
    presume(view, retreat, way)
    parts = tuple(part for part in (lost_part(retreat, stuck), options_part(options)) if part.steps)
    if not result.complete:
        open_ones = {one.hex: one for one in options if not one.barred}
        number = len(way) + 1
        title_of = f"hex {number} of the retreat from {retreat.at}, {parameters.hexes} owed"
        asks = (ask_for(Choice(HEX.format(number), "15.2", title_of, "owner", open_ones)),)
        return Report(title=title, verdict=in_a_line(result), parts=parts, asks=asks, result=result)
    return Report(
        title=title,
        verdict=in_a_line(result),
        parts=parts,
        changes=changes_of(facts, retreat, result, gone),
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


def lost_part(retreat: Retreat, stuck: bool) -> Part:
    """Who is eliminated, and why."""
    steps: list[Step] = [step("15.2", "{unit} has no movement and is eliminated", unit=one.id) for one in retreat.gone]
    if stuck:
        text = "{unit} cannot retreat and is eliminated"
        steps += [step("15.2", text, unit=one.id) for one in retreat.movers]
    return Part("Eliminated", tuple(steps))


def options_part(options: Sequence[HexOption]) -> Part:
    """The hexes around, and what bars those that are not open."""
    steps = [step(one.rule or "15.2", "{hex}: {barred}" if one.barred else "{hex} is open", one) for one in options]
    return Part("Hexes", tuple(steps))


def presume(view: View, retreat: Retreat, way: Sequence[str]) -> None:
    """Say what is taken for granted of the hexes entered."""
    for hex in way:
        view.granted("terrain", hex, "clear", "15.2", "{hexes} taken to be open to land units (terrain not stated)")


def changes_of(
    facts: Gather, retreat: Retreat, result: RetreatResult, gone: Sequence[Formation]
) -> tuple[AnyChange, ...]:
    """What the retreat changes: places, and for those eliminated Victory Points. Rule: 5.1, 15.0"""
    changes: list[AnyChange] = []
    for one in gone:
        changes += eliminated(facts.view, one, retreat.side, worth(facts, one, retreat.side), "15.2")
    staying = [one for one in retreat.movers if one not in gone]
    changes += [changed(facts.view, "place", one.id, result.way[-1], "15.0") for one in staying]
    return tuple(changes)


def picture(view: View, report: Report[RetreatResult]) -> Scene:
    """The hexes of the retreat and those around."""
    from assistant.pictures.line import line_picture

    result = report.drawable
    assert result is not None
    return line_picture(view, [result.at, *result.way], title=report.title, caption=report.verdict.text)


QUESTION = declare(
    "retreat",
    "which hexes units may retreat into, what bars the others, and who is eliminated",
    answer,
    {"hex.N": "the hex that the units enter as the N-th of their retreat"},
    picture=picture,
)
