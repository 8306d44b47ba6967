"""The question `supply`: whether a unit is in General Supply, and from which supply unit (17.2 to 17.7)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.drawing.scene import Scene
from assistant.field import Around
from assistant.mechanics.tracing import link, radius
from assistant.pictures.line import line_picture
from assistant.questions import Answers, Gather, Parameters, Part, Report, UnitName, View, declare, note, step, verdict
from assistant.state.state import Unit

from .ground import around, between


class SupplyParameters(Parameters, frozen=True):
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
    """The hexes from a supply unit to a hex in its radius, none if it is not: into an EZOC but not out of one, not into enemies
    or marsh, nor over an all-sea hexside; in its own hex always. Rule: 17.2, 17.3, 17.4
    """
    view, start = facts.view, str(source.place)
    reached = radius(
        [start],
        0 if start in seen.enemy_zones else facts.integer("radius", source.id),
        view.board.neighbours,
        enters=lambda hex: hex not in seen.enemies and view.word("terrain", hex) != "marsh",
        leaves=lambda hex: hex not in seen.enemy_zones,
        crosses=lambda here, there: "all-sea" not in between(view, here, there).lies,
        until=to,
    )
    line = reached.line(to) if to in reached.cost else ()
    for hex in line:
        view.granted("terrain", hex, "", "17.3", "{hexes} taken not to be marsh (terrain not stated)")
    return line


def by_rail(facts: Gather, seen: Around, source: Unit, to: str) -> tuple[str, ...]:
    """The hexes along a railway from a supply unit to a hex on or next to it, none if there are none. Rule: 17.5"""
    near, shut = facts.view.board.neighbours, seen.enemies | seen.enemy_zones
    linked = link(
        [str(source.place)], near, lambda here, there: between(facts.view, here, there).linked, shut.__contains__
    )
    ends = [hex for hex in (to, *near(to)) if hex in linked.cost]
    if len(linked.cost) < 2 or not ends:
        return ()
    line = linked.line(min(ends, key=linked.cost.__getitem__))
    return line if line[-1] == to else (*line, to)


def answer(view: View, parameters: SupplyParameters, answers: Answers) -> Report[SupplyResult]:
    """The report on a unit's General Supply. Rule: 17.5, 17.7"""
    unit = view.unit(parameters.unit)
    steps = []
    with view.gather() as facts:
        seen = around(facts, unit)
        kinds = {friend: facts.word("kind", friend.id) for friend in seen.field.units(seen.side)}
        beside = {kind for friend, kind in kinds.items() if friend.place == unit.place}
        always = facts.word("kind", unit.id) == "supply" or "fortress" in beside
        found = SupplyResult(unit=unit.id, place=str(unit.place), supplied=always)
        if always:
            steps.append(step("17.7", "{unit} is a supply unit or stands with a fortress: always in supply", found))
        for source in () if always else [friend for friend, kind in kinds.items() if kind == "supply"]:
            line = by_radius(facts, seen, source, found.place) or by_rail(facts, seen, source, found.place)
            text = "{source} reaches {unit}: {line}" if line else "{source} does not reach {unit}"
            steps.append(step("17.5", text, unit=unit.id, source=source.id, line=line))
            if line and not found.supplied:
                found = msgspec.structs.replace(found, supplied=True, source=source.id, line=line)
    text = "{unit} is in supply" if found.supplied else "{unit} is out of supply"
    said = verdict("yes" if found.supplied else "no", text, found)
    parts = (Part("Sources", tuple(steps)),)
    return Report(title=f"General Supply of {unit.id}", verdict=said, parts=parts, result=found)


def picture(view: View, report: Report[SupplyResult]) -> Scene:
    """The unit and its line."""
    found = report.drawable
    assert found is not None
    return line_picture(view, found.line, title=report.title, shown=[found.place], caption=report.verdict.text)


QUESTION = declare("supply", "whether a unit is in General Supply, and from which supply unit", answer, picture=picture)
