"""The question `attrition`: who checks for supply attrition at the end of a player turn, and what the dice do (17.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.questions import Answers, Gather, InputError, SideName, UnitName, View, changed, declare, note
from assistant.questions.play import throw_each
from assistant.questions.report import Part, Report, Step, step, verdict
from assistant.state.changes import AnyChange

from ..forces.armies import available, breaks_down, corps_at_hand, corps_needed, corps_placed, presume_corps
from ..forces.units import formation
from ..ground.seasons import season
from ..ground.zones import field
from ..supply.general import at_war_on_map, settled, sources_of
from ..supply.reach import grant
from ..terms import AVAILABLE
from ..victory.losses import Worth, eliminated, worth

STRIKES = 3
"""The highest die by which attrition strikes."""
DIE = "attrition."
RESULTS = {"none": "no effect", "eliminated": "eliminated", "breakdown": "breaks down into {corps:#corps}"}


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
    into: Annotated[tuple[str, ...], note("the ids of the corps that take the place of an army")] = ()

    @property
    def step(self) -> Step:
        """The unit in a line."""
        if self.die is not None:
            corps = ": {into}" if self.into else ""
            return step("17.8", "{unit} in {place} ({terrain}): {die}, " + RESULTS[self.result] + corps, self)
        text = "{unit} in {place} ({terrain}): not supplied ({why}), "
        return step("17.8", text + ("checks" if self.checks else "does not check in this season"), self)


class Attrition(msgspec.Struct, frozen=True, kw_only=True):
    """Supply attrition at the end of a player turn."""

    side: Annotated[str, note("the side")]
    season: Annotated[str, note("the season")]
    supplied: Annotated[tuple[str, ...], note("its units in General Supply")]
    units: Annotated[tuple[Checked, ...], note("its units that are not")]


def must_check(facts: Gather, season: str, lying: str) -> bool:
    """Whether a unit that is not in General Supply checks for attrition, by the season and the Terrain Effects Chart. lying: where it
    stands, by the chart. Rule: 17.6, 17.8, SUP-summary/2
    """
    return bool(lying and season) and facts.cell("terrain-attrition", season, lying).values["check"] == "yes"


def strikes(die: int) -> bool:
    """Whether a die brings attrition into effect. Rule: 17.8"""
    return die <= STRIKES


def struck(facts: Gather, hit: Sequence[Checked], side: str) -> Iterator[tuple[Checked, list[AnyChange]]]:
    """What becomes of the units of a side that attrition strikes, one after the other, and what that changes: armies share the corps that are
    not on the map. Victory Points are lost by the ruling attrition-points alone. Rule: 17.8
    """
    view, used = facts.view, list[str]()
    units = [formation(facts, view.unit(one.unit), fights=False) for one in hit]
    wanted = {unit.id: corps_needed(facts, unit) for unit in units}
    at_hand = corps_at_hand(view, [(nation, unit.arm) for unit in units for nation in wanted[unit.id]])
    for one, unit in zip(hit, units, strict=True):
        if not breaks_down(unit):
            lost = worth(facts, unit, side).loss if view.ruling("attrition-points") == "lost" else 0
            yield replace(one, result="eliminated"), [*eliminated(view, unit, side, Worth(lost, 0), "17.8")]
            continue
        left = available(unit, wanted[unit.id], at_hand, used)
        used += (corps.id for corps in left)
        broken = changed(view, "place", unit.id, AVAILABLE, "17.8")
        presume_corps(view, left)
        into = tuple(corps.id for corps in left)
        yield replace(one, result="breakdown", corps=len(left), into=into), [broken, *corps_placed(view, left, "10.1")]


def answer(
    view: View,
    answers: Answers,
    *,
    side: Annotated[SideName, note("whose units; those of the side whose player turn it is if left out")] = "",
    unit: Annotated[tuple[UnitName, ...], note("their ids; all units of the side on the map if left out")] = (),
) -> Report[Attrition]:
    """The report on supply attrition.

    Raises MissingFacts for what is not stated, such as cells of the Terrain Effects Chart, InputError where no unit is on the map.
    """
    with view.gather() as facts:
        found = gathered(facts, side, unit)
    rolls = {DIE + one.unit: f"supply attrition of {one.unit}" for one in found.units if one.checks}
    dice, due = throw_each(rolls, "17.8", answers)
    thrown = {name.removeprefix(DIE): die for name, die in dice.items()}
    units = {one.unit: replace(one, die=thrown[one.unit], result="none") for one in found.units if one.unit in thrown}
    with view.gather() as facts:
        hit = list(struck(facts, [one for one in units.values() if strikes(thrown[one.unit])], found.side))
    units |= {one.unit: one for one, _ in hit}
    found, title = (
        replace(found, units=tuple(units.get(one.unit, one) for one in found.units)),
        view.title_of(found.side),
    )
    said = verdict("figure", "{hit} of {due:#unit} struck", hit=len(hit), due=len(rolls))
    if not rolls:
        said = verdict("no", "no unit of the {side} checks in {season}", found, side=title)
    elif due:
        said = verdict("figure", "{due:#unit} to check, attrition on a 1 to 3", due=len(due))
    return Report(
        title=f"Supply attrition of {title}",
        verdict=said,
        parts=(Part("Units without General Supply", tuple(one.step for one in found.units)),),
        asks=due,
        changes=tuple(change for _, changes in hit for change in changes),
        result=found,
    )


def gathered(facts: Gather, side: str, asked: Sequence[str]) -> Attrition:
    """Who is supplied and who is not, and who checks. Raises MissingFacts, also where the supply of a unit is not certain."""
    view = facts.view
    side = side or next((view.side_of(name) for name in asked), "") or facts.word("phasing")
    now, supplied, out = season(facts), list[str](), list[Checked]()
    around = field(facts).around(side)
    units = at_war_on_map(facts, around)
    if side and not units:
        raise InputError("no unit of this side is on the map", hint="place units in hexes, or name another side")
    sources = sources_of(facts, around)
    for unit in units:
        if asked and unit.id not in asked:
            continue
        one = settled(facts, sources, unit)
        if one.supplied:
            supplied.append(unit.id)
            grant(view, one.line)
        elif one.supplied is False:
            lying = "city" if view.flag("city", one.place) else facts.word("terrain", one.place)
            checks, why = must_check(facts, now, lying), one.cause.text if one.cause else "as stated"
            out.append(Checked(unit=unit.id, place=one.place, terrain=lying, checks=checks, why=why))
    return Attrition(side=side, season=now, supplied=tuple(supplied), units=tuple(out))


QUESTION = declare(
    "attrition",
    "which units check for supply attrition, and what their dice do",
    answer,
    {"attrition.UNIT": "the die of a unit that checks"},
)
