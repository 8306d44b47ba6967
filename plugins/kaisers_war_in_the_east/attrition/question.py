"""The question `attrition`: who checks for supply attrition at the end of a player turn, and what the dice do (17.8)."""

from __future__ import annotations

from typing import Annotated

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
    declare,
    note,
    step,
    verdict,
)
from assistant.questions.play import play
from assistant.state.changes import AnyChange

from ..forces.units import formation
from ..ground.countries import at_war
from ..ground.seasons import season
from ..ground.zones import field
from ..supply.general import asks, general, sources_of
from ..supply.reach import grant
from .rules import Struck, consequences, feature, must_check, procedure, strikes


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
    checking = [one.unit for one in found.units if one.checks]
    played = play(view, procedure(checking), "checks", answers) if checking else None
    dice = {name.partition(".")[2]: int(die) for name, die in played.settled.items()} if played else {}
    with view.gather() as facts:
        hit = [formation(facts, view.unit(unit), fights=False) for unit, die in dice.items() if strikes(die)]
        struck = {one.unit.id: one for one in consequences(facts, hit, found.side)}
    units = tuple(with_die(one, dice.get(one.unit), struck.get(one.unit)) for one in found.units)
    result = msgspec.structs.replace(found, units=units)
    changes: tuple[AnyChange, ...] = tuple(change for one in struck.values() for change in one.changes)
    if not checking:
        said = verdict(
            "no", "no unit of the {side} checks in {season}", result, side=view.game.file.title_of(found.side)
        )
    elif played and played.asks:
        said = verdict("figure", "{due:#unit} to check, attrition on a 1 to 3", due=len(played.asks))
    else:
        said = verdict("figure", "{hit} of {due:#unit} struck", hit=len(hit), due=len(checking))
    return Report(
        title=f"Supply attrition of {view.game.file.title_of(found.side)}",
        verdict=said,
        parts=(Part("Units without General Supply", tuple(unit_step(one) for one in units)),),
        asks=played.asks if played else (),
        changes=changes,
        result=result,
    )


def gathered(facts: Gather, parameters: AttritionAsked) -> Attrition:
    """Who is supplied and who is not, and who checks. Raises MissingFacts, also where the supply of a unit is not certain."""
    view = facts.view
    side = parameters.side or next((view.side_of(name) for name in parameters.unit), "") or facts.word("phasing")
    now, supplied, out = season(facts), list[str](), list[Checked]()
    around = field(facts).around(side)
    units = [unit for unit in around.units if view.board.is_hex(str(unit.place))]
    units = [unit for unit in units if at_war(view, facts.word("nation", unit.id)) is not False]
    if side and not units:
        raise InputError("no unit of this side is on the map", hint="place units in hexes, or name another side")
    sources = sources_of(facts, around)
    for unit in units:
        if parameters.unit and unit.id not in parameters.unit:
            continue
        one = general(facts, around, sources, unit)
        if one.supplied is None:
            for ask in asks(view, around, sources, unit):
                facts.ask(ask)
        elif one.supplied:
            supplied.append(unit.id)
            grant(view, one.line)
        else:
            why = one.cause.text if one.cause else "as stated"
            checks = must_check(facts, now, one.place)
            out.append(
                Checked(unit=unit.id, place=one.place, terrain=feature(facts, one.place), checks=checks, why=why)
            )
    return Attrition(side=side, season=now, supplied=tuple(supplied), units=tuple(out))


def with_die(one: Checked, die: int | None, struck: Struck | None) -> Checked:
    """A unit with its die and what that does."""
    if die is None:
        return one
    result = "none" if struck is None else "eliminated"
    if struck and struck.breaks:
        result = "breakdown"
    return msgspec.structs.replace(one, die=die, result=result, corps=struck.corps if struck else 0)


RESULTS = {
    "none": "no effect",
    "eliminated": "eliminated",
    "breakdown": "breaks down into {corps:#corps}",
}


def unit_step(one: Checked) -> Step:
    """A unit in a line."""
    text = "{unit} in {place} ({terrain}): not supplied ({why}), "
    if not one.checks:
        return step("17.8", text + "does not check in this season", one)
    if one.die is None:
        return step("17.8", text + "checks", one)
    return step("17.8", "{unit} in {place} ({terrain}): {die}, " + RESULTS[one.result], one)


QUESTION = declare(
    "attrition",
    "which units check for supply attrition, and what their dice do",
    answer,
    {"attrition.UNIT": "the die of a unit that checks"},
)
