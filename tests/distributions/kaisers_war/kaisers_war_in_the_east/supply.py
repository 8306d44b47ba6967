"""The question `supply`: whether a unit is in General Supply, and from which supply unit (17.2 to 17.7)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field.standing import Around, side_of
from assistant.mechanics.tracing import link, radius
from assistant.pictures.line import line_picture
from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Part, Report, step, verdict
from assistant.questions.view import Gather, View
from assistant.state.state import Unit
from assistant.util.notes import note

from .ground import around, between


class SupplyParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit whose supply is asked for."""

    unit: Annotated[UnitName, note("its id")]


class SupplyResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit is in General Supply."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    supplied: Annotated[bool, note("whether it is")]
    source: Annotated[str, note("the supply unit, empty for none")] = ""
    line: Annotated[tuple[str, ...], note("the hexes from the supply unit to the unit")] = ()


def by_radius(facts: Gather, seen: Around, source: Unit, to: str) -> tuple[str, ...]:
    """The hexes from a supply unit to a hex in its radius, none if it is not: into an EZOC but not out of one, not into enemies,
    marsh or neutral land, nor over an all-sea hexside.

    Rule: 17.2, 17.3, 17.4
    """
    start = str(source.place)
    if start == to:
        return (to,)
    reached = radius(
        [start],
        0 if start in seen.enemy_zones else facts.integer("radius", source.id),
        facts.view.board.neighbours,
        enters=lambda hex: hex not in seen.enemies and facts.word("terrain", hex) != "marsh",
        leaves=lambda hex: hex not in seen.enemy_zones,
        crosses=lambda here, there: "all-sea" not in between(facts, here, there).lies,
        until=to,
    )
    return tuple(reached.line(to)) if to in reached.cost else ()


def by_rail(facts: Gather, seen: Around, source: Unit, to: str) -> tuple[str, ...]:
    """The railway hexes from a supply unit to a hex on or next to the line, none if there are none.

    Rule: 17.5
    """
    view = facts.view
    shut = seen.enemies | seen.enemy_zones
    reached = link(
        [str(source.place)],
        view.board.neighbours,
        lambda here, there: between(view, here, there).linked,
        shut=lambda hex: hex in shut,
    )
    ends = [hex for hex in (to, *view.board.neighbours(to)) if hex in reached.cost and hex not in shut]
    if not ends or len(reached.cost) == 1:
        return ()
    line = tuple(reached.line(min(ends, key=lambda hex: reached.cost[hex])))
    return line if line[-1] == to else (*line, to)


def answer(view: View, parameters: SupplyParameters, answers: Answers) -> Report[SupplyResult]:
    """The report on a unit's General Supply.

    Rule: 17.5, 17.7
    """
    unit = view.unit(parameters.unit)
    place = str(unit.place)
    steps = []
    with view.gather() as facts:
        seen = around(facts, unit)
        friends = [other for other in view.units() if other.place and side_of(facts, other) == seen.side]
        kinds = {other.id: facts.word("kind", other.id) for other in friends}
        always = kinds[unit.id] == "supply" or any(kinds[o.id] == "fortress" for o in friends if o.place == unit.place)
        found = SupplyResult(unit=unit.id, place=place, supplied=always)
        if always:
            steps.append(step("17.7", "{unit} is a supply unit, or stands with a fortress: always in supply", found))
        for source in friends if not always else ():
            if kinds[source.id] != "supply":
                continue
            line = by_radius(facts, seen, source, place)
            how = "radius" if line else "rail"
            line = line or by_rail(facts, seen, source, place)
            text = "{source} reaches {unit} by {how}: {line}" if line else "{source} does not reach {unit}"
            steps.append(step("17.5", text, found, source=source.id, how=how, line=list(line)))
            if line and not found.supplied:
                found = msgspec.structs.replace(found, supplied=True, source=source.id, line=line)
    said = (
        verdict("yes", "{unit} is in supply", found)
        if found.supplied
        else verdict("no", "{unit} is out of supply", found)
    )
    return Report(
        title=f"General Supply of {unit.id}", verdict=said, parts=(Part("Sources", tuple(steps)),), result=found
    )


def picture(view: View, report: Report[SupplyResult]) -> str:
    """The unit and its line, as SVG."""
    found = report.drawable
    assert found is not None
    return line_picture(view, found.line, title=report.title, shown=[found.place], caption=report.verdict.text)


QUESTION = Question(
    name="supply",
    title="whether a unit is in General Supply, and from which supply unit",
    parameters=SupplyParameters,
    result=SupplyResult,
    answer=answer,
    answers={},
    picture=picture,
)
