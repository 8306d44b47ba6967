"""Control, zones of control and fortresses (2.0, 3.3)."""

from __future__ import annotations

import pytest

from assistant.asking import View
from assistant.asking.report import MissingFacts
from world_undone_east_prussia.ground import (
    control_left,
    controller,
    field,
    fortress_bar,
    holder,
    known_controller,
)

from ..conftest import told, typed
from .asking import GAME, undone


def seen(text: str) -> View:
    position = typed(f"game {GAME}\n{text}")
    return View(position.game, position.state)


def zone(text: str, side: str) -> set[str]:
    """The hexes in the zones of a side."""
    with seen(text).gather() as facts:
        return set(field(facts).zone(side))


AROUND = {"3009", "3110", "3111", "3011", "2911", "2910"}
"""The hexes around 3010."""
LEFT = "3011 country=germany\n3110, 3111 country=russia\n"


# --- control ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.0/Control", "3.3/control", "3.3/fort-entry", "3.3/fortress")
def test_who_controls_a_hex() -> None:
    view = seen(
        "3010 country=germany: III/25\n3011 country=germany\n3012 country=germany control=russian\n3009 country=russia\n4020: XX/37\n"
    )
    assert [known_controller(view, at) for at in ("3010", "3011", "3012", "3009", "4020", "2010")] == [
        "russian", "german", "russian", "russian", "german", "",
    ]  # fmt: skip
    assert (holder(view, "3010"), holder(view, "4020")) == ("german", ""), "as it is without the unit"
    with view.gather() as facts:
        assert controller(facts, "3011") == "german", "the zone of III/25 changes nothing"
    with pytest.raises(MissingFacts) as missing, view.gather() as facts:
        assert controller(facts, "2010") == ""
    assert [ask.key for ask in missing.value.asks] == [("country", "2010")]
    assert holder(seen("3010 fortress=3 country=russia control=russian\n"), "3010") == "german"
    assert holder(seen("3010 fortress=3 country=germany control=russian destroyed\n"), "3010") == "russian"


@pytest.mark.rule("2.0/Control")
@pytest.mark.parametrize(
    ("units", "options", "kept", "taken"),
    [
        ("III/25", "", [], ["3011", "3012"]),
        ("IC/3C", "", [], ["3011", "3012"]),
        ("IC/3C", "options=cavalry-control", [], []),
        ("IC/3C", "options=cavalry-control", ["3012", "3110"], ["3012"]),
        ("IC/3C, III/25", "options=cavalry-control", [], ["3011", "3012"]),
    ],
)
def test_units_leave_the_hexes_of_their_way_under_their_control(
    units: str, options: str, kept: list[str], taken: list[str]
) -> None:
    view = seen(f"{options}\n3011: {units}\n{LEFT}")
    changes = list(control_left(view, ["3011", "3110", "3012"], units.split(", "), "russian", kept))
    assert [(change.subject, change.after, change.rule) for change in changes] == [
        (at, "russian", "2.0") for at in taken
    ]


# --- zones of control -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3/extent", "3.3/fortress")
def test_a_unit_has_a_zone_all_round_but_over_rivers_and_in_enemy_fortresses() -> None:
    assert zone("3010: III/25\n", "russian") == AROUND
    for unit in ("1A/1HA", "1A/Renn", "IC/3C", "8A/G-Grau"):
        side = "german" if unit == "8A/G-Grau" else "russian"
        assert zone(f"3010: {unit}\n", side) == AROUND
    assert zone("3010: III/25\n3010|3110 river\n3010|3009 open\n", "russian") == AROUND - {"3110"}
    assert zone("3010: III/25\n3011 fortress=2\n", "russian") == AROUND - {"3011"}
    assert zone("3010: III/25\n3011 fortress=2 destroyed\n", "russian") == AROUND
    assert zone("3010: XX/37\n3011 fortress=2\n", "german") >= AROUND, "it is no enemy fortress"


@pytest.mark.rule("3.3/fortress")
def test_a_fortress_has_the_zone_that_is_printed_over_rivers_too() -> None:
    text = "3010 fortress=3\n3011, 3111, 4010 fortress-zone=3010\n3010|3011 river\n2010: III/25\n"
    assert zone(text, "german") == {"3011", "3111", "4010"}
    assert zone(text.replace("fortress=3", "fortress=3 destroyed"), "german") == set()
    assert zone("3010 fortress=3\n3010|3011 river\n", "german") == AROUND, "all round while none is stated"
    with seen(text).gather() as facts:
        assert [place.at for place in field(facts).places] == ["3010"]
        assert field(facts, fallen="3010").zone("german") == frozenset(), "it falls now"
    bare = "3010 fortress=3\n3011, 3111 fortress-zone=none\n"
    assert zone(bare, "german") == AROUND - {"3011", "3111"}, "where none is printed there is none"
    both = text + '2509 fortress=1\n3111 fortress-zone="2509 3010"\n2510 fortress-zone=2509\n'
    assert zone(both.replace("3011, 3111, 4010", "3011, 4010"), "german") == {"3011", "3111", "4010", "2510"}
    with seen(both.replace("3011, 3111, 4010", "3011, 4010")).gather() as facts:
        around = field(facts).around("russian")
    named = {at: around.field.whose_zones("russian", at) for at in ("3011", "3111", "2510")}
    assert named == {
        "3011": ("the fortress in 3010",),
        "3111": ("the fortress in 2509", "the fortress in 3010"),
        "2510": ("the fortress in 2509",),
    }


@pytest.mark.rule("3.3/fort-entry")
def test_a_russian_unit_enters_no_fortress_that_stands() -> None:
    view = seen("3010 fortress=3\n3011 fortress=3 destroyed\n")
    barred = fortress_bar(view, "russian", "3010")
    assert barred and (barred.rule, barred.why) == ("3.3", "a Russian unit may not enter the fortress in 3010")
    assert (
        fortress_bar(view, "german", "3010")
        is fortress_bar(view, "russian", "3011")
        is fortress_bar(view, "russian", "3012")
        is None
    )


@pytest.mark.rule("3.3/extent")
def test_zones_of_a_side_that_is_alone_on_the_map_say_what_they_assume() -> None:
    report = undone("3210: III/25\n3210|3310 open\n", "zones", at=["3110", "3310"])
    assert told(report, "Assumed") == ["3110|3210 assumed to have no river (not stated)"]


@pytest.mark.rule("3.3/fortress", "3.3/extent")
def test_the_question_names_the_place_and_what_it_assumes() -> None:
    report = undone("3010 fortress=3\n3210: III/25\n3210|3310 open\n", "zones", at=["3110", "3310"])
    assert [(one.hex, one.side, one.exerting) for one in report.result.hexes] == [
        ("3110", "russian", ("III/25",)), ("3310", "russian", ("III/25",)),
        ("3110", "german", ("the fortress in 3010",)), ("3310", "german", ()),
    ]  # fmt: skip
    assert "3110: in the zone of the fortress in 3010" in told(report)
    assert told(report, "Assumed") == [
        "3110|3210 assumed to have no river (not stated)",
        "3010: the zone of the fortress assumed to reach all hexes around it (not stated)",
    ]
    stated = undone("3010 fortress=3\n3110 fortress-zone=3010\n", "zones", at=["3110"])
    assert told(stated, "Assumed") == [], "no unit is needed, and nothing is assumed"
    assert stated.result.hexes[0].units == ()
    met = undone("3010 fortress=3\n3110 fortress-zone=3010\n3210: III/25\n3110|3210 open\n", "zones", at=["3110"])
    assert told(met, "Assumed") == [], "its zone is stated"
    fallen = undone("3010 fortress=3 destroyed\n", "zones", at=["3110"], side="german")
    assert [(one.hex, one.exerting) for one in fallen.result.hexes] == [("3110", ())], "nobody on the map has a zone"
