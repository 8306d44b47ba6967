"""The question `attrition`: who checks for supply attrition at the end of a player turn, and what the dice do (17.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    Report,
    SideName,
    Step,
    UnitName,
    View,
    changed,
    declare,
    note,
    step,
    verdict,
)
from assistant.questions.play import throw_each
from assistant.state.changes import AnyChange

from ..forces.armies import SUD_CORPS, corps_of, corps_placed, is_alone
from ..forces.units import Formation, formation
from ..ground.seasons import season
from ..ground.zones import field
from ..supply.general import at_war_on_map, settled, sources_of
from ..supply.reach import grant
from ..terms import AVAILABLE, SUD
from ..victory.losses import Worth, eliminated, worth

STRIKES = 3
"""The highest die by which attrition strikes."""
DIE = "attrition."


# --- the rules ----------------------------------------------------------------------------------------------------------


def feature(facts: Gather, hex: str) -> str:
    """The line of the Terrain Effects Chart for a hex: its city, or else its terrain."""
    return "city" if facts.view.flag("city", hex) else facts.word("terrain", hex)


def must_check(facts: Gather, season: str, lying: str) -> bool:
    """Whether a unit that is not in General Supply checks for attrition, by the season and the Terrain Effects Chart. lying: where it
    stands, by the chart. Rule: 17.6, 17.8
    """
    return bool(lying and season) and facts.cell("terrain-attrition", season, lying).values["check"] == "yes"


def strikes(die: int) -> bool:
    """Whether a die brings attrition into effect. Rule: 17.8"""
    return die <= STRIKES


def breaks_down(unit: Formation) -> bool:
    """Whether a unit that attrition strikes breaks down: armies and Abteilungen do, others are eliminated, and so are armies that
    have no corps. Rule: 17.8, 10.6
    """
    return unit.is_army and not is_alone(unit.nation)


class Struck(NamedTuple):
    """What becomes of a unit that attrition strikes. result: breakdown or eliminated; corps: those that take its place."""

    result: str
    corps: int
    changes: tuple[AnyChange, ...]


def consequences(facts: Gather, struck: Sequence[Formation], side: str) -> Iterator[Struck]:
    """What becomes of the units of a side that attrition strikes, one after the other: armies share the corps that are not on the map.

    Victory Points are lost by the ruling attrition-points alone. Rule: 17.8
    """
    view, used, taken = facts.view, Counter[str](), set[str]()
    for unit in struck:
        if not breaks_down(unit):
            lost = worth(facts, unit, side).loss if view.ruling("attrition-points") == "lost" else 0
            yield Struck("eliminated", 0, tuple(eliminated(view, unit, side, Worth(lost, 0), "17.8")))
            continue
        left = corps_of(facts, unit)
        if view.fact("spare-corps", unit.nation):
            left = min(left, view.integer("spare-corps", unit.nation) - used[unit.nation])
        used[unit.nation] += left
        nations = (SUD_CORPS if unit.id == SUD else (unit.nation,) * left)[:left]
        broken = changed(view, "place", unit.id, AVAILABLE, "17.8")
        yield Struck("breakdown", left, (broken, *corps_placed(view, unit, nations, taken, "10.1")))


# --- the question -------------------------------------------------------------------------------------------------------


class AttritionAsked(Parameters, frozen=True):
    """The units that may have to check."""

    side: Annotated[SideName, note("whose units; those of the side whose player turn it is if left out")] = ""
    unit: Annotated[tuple[UnitName, ...], note("their ids; all units of the side on the map if left out")] = ()


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is not in General Supply."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    terrain: Annotated[str, note("the terrain that decides whether it checks")]
    checks: Annotated[bool, note("whether it checks in this season")]
    why: Annotated[str, note("what keeps it from supply")] = ""
    die: Annotated[int | None, note("its die, null before it is thrown")] = None
    result: Annotated[str, note("none, breakdown or eliminated; empty before the die and without a check")] = ""
    corps: Annotated[int, note("corps that take the place of an army")] = 0


class Attrition(msgspec.Struct, frozen=True, kw_only=True):
    """Supply attrition at the end of a player turn."""

    side: Annotated[str, note("the side")]
    season: Annotated[str, note("the season")]
    supplied: Annotated[tuple[str, ...], note("its units in General Supply")]
    units: Annotated[tuple[Checked, ...], note("its units that are not")]


def answer(view: View, parameters: AttritionAsked, answers: Answers) -> Report[Attrition]:
    """The report on supply attrition.

    Raises MissingFacts for what is not stated, such as cells of the Terrain Effects Chart, InputError where no unit is on the map.
    """
    with view.gather() as facts:
        found = gathered(facts, parameters)
    rolls = {DIE + one.unit: f"supply attrition of {one.unit}" for one in found.units if one.checks}
    dice, due = throw_each(rolls, "17.8", answers)
    with view.gather() as facts:
        hit = [name.removeprefix(DIE) for name, die in dice.items() if strikes(die)]
        formations = [formation(facts, view.unit(unit), fights=False) for unit in hit]
        struck = dict(zip(hit, consequences(facts, formations, found.side), strict=True))
    units = tuple(with_die(one, dice.get(DIE + one.unit), struck.get(one.unit)) for one in found.units)
    side = view.title_of(found.side)
    if not rolls:
        said = verdict("no", "no unit of the {side} checks in {season}", found, side=side)
    elif due:
        said = verdict("figure", "{due:#unit} to check, attrition on a 1 to 3", due=len(due))
    else:
        said = verdict("figure", "{hit} of {due:#unit} struck", hit=len(hit), due=len(rolls))
    return Report(
        title=f"Supply attrition of {side}",
        verdict=said,
        parts=(Part("Units without General Supply", tuple(map(unit_step, units))),),
        asks=due,
        changes=tuple(change for one in struck.values() for change in one.changes),
        result=msgspec.structs.replace(found, units=units),
    )


def gathered(facts: Gather, parameters: AttritionAsked) -> Attrition:
    """Who is supplied and who is not, and who checks. Raises MissingFacts, also where the supply of a unit is not certain."""
    view = facts.view
    side = parameters.side or next((view.side_of(name) for name in parameters.unit), "") or facts.word("phasing")
    now, supplied, out = season(facts), list[str](), list[Checked]()
    around = field(facts).around(side)
    units = at_war_on_map(facts, around)
    if side and not units:
        raise InputError("no unit of this side is on the map", hint="place units in hexes, or name another side")
    sources = sources_of(facts, around)
    for unit in units:
        if parameters.unit and unit.id not in parameters.unit:
            continue
        one = settled(facts, sources, unit)
        if one.supplied:
            supplied.append(unit.id)
            grant(view, one.line)
        elif one.supplied is False:
            lying = feature(facts, one.place)
            checks, why = must_check(facts, now, lying), one.cause.text if one.cause else "as stated"
            out.append(Checked(unit=unit.id, place=one.place, terrain=lying, checks=checks, why=why))
    return Attrition(side=side, season=now, supplied=tuple(supplied), units=tuple(out))


def with_die(one: Checked, die: int | None, struck: Struck | None) -> Checked:
    """A unit with its die and what that does."""
    if die is None:
        return one
    result, corps = (struck.result, struck.corps) if struck else ("none", 0)
    return msgspec.structs.replace(one, die=die, result=result, corps=corps)


RESULTS = {
    "none": "no effect",
    "eliminated": "eliminated",
    "breakdown": "breaks down into {corps:#corps}",
}


def unit_step(one: Checked) -> Step:
    """A unit in a line."""
    if one.die is not None:
        return step("17.8", "{unit} in {place} ({terrain}): {die}, " + RESULTS[one.result], one)
    text = "{unit} in {place} ({terrain}): not supplied ({why}), "
    return step("17.8", text + ("checks" if one.checks else "does not check in this season"), one)


QUESTION = declare(
    "attrition",
    "which units check for supply attrition, and what their dice do",
    answer,
    {"attrition.UNIT": "the die of a unit that checks"},
)
