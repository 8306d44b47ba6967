"""Zones of control as any game can ask about them: a game gives the field, its rules and what it assumes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from assistant.asking.question import answer_question
from assistant.asking.report import Report
from assistant.asking.view import Gather
from assistant.rules.field import Field, Hexside, HexsideTracks, PlaceZone
from assistant.rules.zones import ZoneHex, Zones, ZonesAsked, sketch_zones, zones_question
from assistant.util.errors import InputError

from ...conftest import told, viewed

TRACKS = HexsideTracks(lies="barrier", terrain="terrain")
TEXT = "41.19: german infantry XX A\n45.19: russian infantry XX R\n45.20: russian artillery - Gun\n41.19|41.18 lake\n"


def field(facts: Gather, places: Sequence[PlaceZone] = ()) -> Field:
    return Field(
        facts,
        lambda facts, unit: facts.word("arm", unit.id) == "infantry",
        lambda here, there: Hexside(facts.view, here, there, TRACKS),
        lambda over: "lake" not in over.lies,
        places=places,
    )


def zones(text: str, assumed: list[ZoneHex] | None = None, **asked: object) -> Report[Zones]:
    def assume(who: Field, found: Sequence[ZoneHex]) -> None:
        (assumed if assumed is not None else []).extend(found)

    return answer_question(
        zones_question(field, "5.1", "5.2", assume), viewed(text), msgspec.convert(asked, ZonesAsked), {}
    )


def test_the_hexes_that_zones_reach_side_by_side() -> None:
    found = zones(TEXT)
    assert found.verdict.text == "11 hexes in zones of control"
    assert [part.title for part in found.parts] == ["Central Powers", "Russian"]
    (line,) = told(zones(TEXT, side="russian"))
    assert line.endswith(": in the zone of R")


def test_of_named_hexes_it_is_told_what_does_not_reach_them() -> None:
    found = zones(TEXT, at=["41.18"], side="central-powers")
    assert told(found) == ["41.18: in no zone", "41.18: no zone of A reaches it"]
    assert [step.rule for step in found.parts[0].steps] == ["5.1", "5.2"]
    assert found.verdict.text == "0 hexes in zones of control"


def test_what_zones_rest_on_is_the_games_to_say_and_without_units_there_are_none() -> None:
    assumed: list[ZoneHex] = []
    result = zones(TEXT, assumed).result
    assert result and tuple(assumed) == result.hexes
    with pytest.raises(InputError, match="no unit stands on the map"):
        zones("turn=1")


FORT = PlaceZone("43.20", "russian", "the fort in 43.20", frozenset({"42.20", "43.19"}))


def test_a_place_with_a_zone_is_named_and_needs_no_unit() -> None:
    with_fort = zones_question(lambda facts: field(facts, [FORT]), "5.1", "5.2", lambda who, found: None)
    found = answer_question(with_fort, viewed("turn=1"), ZonesAsked(), {})
    assert told(found) == ["42.20, 43.19: in the zone of the fort in 43.20"]
    assert found.verdict.text == "2 hexes in zones of control"
    asked = answer_question(
        with_fort,
        viewed("44.19: russian infantry XX R\n41.19: german infantry XX A\n"),
        ZonesAsked(at=("43.19", "42.19")),
        {},
    )
    assert [(hex.hex, hex.side, hex.units, hex.places) for hex in asked.result.hexes if hex.exerting] == [
        ("43.19", "russian", ("R",), ("the fort in 43.20",)),
        ("42.19", "central-powers", ("A",), ()),
    ]
    assert asked.verdict.text == "2 hexes in zones of control"
    shown = sketch_zones(viewed("turn=1"), found)
    assert {zone.side: zone.hexes for zone in shown.zones} == {"russian": {"42.20", "43.19"}}
    assert set(shown.focus) == {"42.20", "43.19"}
