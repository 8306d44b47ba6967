"""Supply in single places: Pillau, the Bukowina and its Holding Box, PRAGA (14.1.1, 14.7, 23.4, 24.5)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.forces.units import is_of_fischer
from twilight_in_the_east.supply.ground import FERRY, bars_across
from twilight_in_the_east.supply.sources import (
    ServingUnit,
    bars_from_bukowina,
    bukowina_sources,
    is_in_the_box,
    why_so,
)
from twilight_in_the_east.terms import HALF_HEXES

from ...conftest import answered, told, typed, viewed

BOX = "Bukowina Holding Box"


@pytest.mark.rule("14.1.1b")
def test_the_strait_at_pillau_is_open_to_germans_who_hold_pillau() -> None:
    held = "66.18 control=central-powers"
    assert bars_across(viewed(held), "central-powers", FERRY, {"sea"}) == frozenset()
    assert bars_across(viewed(held), "central-powers", "66.18|67.18", {"sea"}) == {"sea"}
    assert bars_across(viewed(held), "russian", FERRY, {"sea"}) == {"sea"}
    lost = f"{held}\n66.18: russian infantry XX R"
    assert bars_across(viewed(lost), "central-powers", FERRY, {"sea"}) == {"sea"}
    assert bars_across(viewed(held), "central-powers", FERRY, {"sea", "ridge"}) == {"ridge"}
    assert bars_across(viewed(lost), "russian", FERRY, ()) == {"sea"}
    assert bars_across(viewed(""), "central-powers", FERRY, {"sea"}) == {"sea"}


@pytest.mark.rule("14.7")
def test_who_draws_on_the_bukowina() -> None:
    def barred(unit: str, *named: str, fischer: bool = False) -> str:
        return why_so(bars_from_bukowina(unit, named, fischer=fischer), named=named)

    assert barred("A", "B", "C") == ""
    assert barred("A", "B", "C", "D") == "B, C, D draw on it, and no more than three may (14.7)"
    assert barred("A", "B", "C", "D", fischer=True) == ""
    assert barred("A", "A", "B", "C", "D") == "", "it may be one of the three"
    german = viewed("20.113: german infantry XX Fischer")
    assert bukowina_sources(german.gather(), german.unit("Fischer")) == []
    assert [
        is_of_fischer(unit, corps)
        for unit, corps in (("Fischer", ""), ("1/Fischer", "Fischer"), ("Fischer 2", ""), ("35 L", ""))
    ] == [True, True, True, False]


CUT_OFF = """board east
turn=12
20.113: austro-hungarian infantry XX "43 L"
20.106: russian infantry XX R1
22.105: russian infantry XX R2
17.103: russian infantry XX R3
12.105: russian infantry XX R4
"""
"""The railways of the Bukowina are cut: those near Czernowitz no longer lead to a map edge."""


def asked(text: str, unit: str = "43 L") -> Report[Any]:
    return answered(typed(text), "supply", unit=unit)


@pytest.mark.rule("14.2", "14.7")
def test_a_line_of_ten_hexes_from_a_half_hex() -> None:
    report = asked(CUT_OFF)
    assert (report.result.state, report.result.line[0].hex[:3]) == ("in", "17.")
    assert report.result.source == "the Bukowina at 17.114"
    assert {one.kind for one in report.result.tried} >= {"Bukowina"}


@pytest.mark.rule("14.2", "14.7")
def test_three_units_and_fischer_draw_on_it() -> None:
    more = "".join(f"\n30.{row}: austro-hungarian infantry XX U{row} bukowina" for row in (111, 112, 113))
    full = asked(CUT_OFF + more)
    assert {one.why_not for one in full.result.tried if one.kind == "Bukowina"} == {
        "U111, U112, U113 draw on it, and no more than three may (14.7)"
    }
    four = asked(CUT_OFF.replace('"43 L"', '"43 L" bukowina') + more)
    surplus = "43 L, U111, U112, U113 are named to draw on the Bukowina, but no more than three may"
    assert (four.result.state, [step.text for step in four.cautions][:1]) == ("in", [surplus])
    two = asked(CUT_OFF + more.replace("U113 bukowina", "U113"))
    assert two.result.state == "in"
    fischer = CUT_OFF.replace('"43 L"', "Fischer") + more
    assert asked(fischer, "Fischer").result.state == "in"


def half_hexes(text: str) -> dict[str, bool]:
    """The half-hexes that are sources of unit U, and whether it may draw on them."""
    view = viewed(text)
    with view.gather() as facts:
        return {source.place: not why for source, why in bukowina_sources(facts, view.unit("U"))}


@pytest.mark.rule("14.2", "14.7")
def test_the_half_hexes_and_how_they_are_counted() -> None:
    assert HALF_HEXES == ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114")
    unit = "{}: austro-hungarian infantry XX U {}\n"
    assert half_hexes(unit.format("31.104", ""))["31.114"], "ten hexes away"
    assert "31.114" in half_hexes(unit.format("31.75", "")), (
        "a path of ten hexes leads forty hexes along a double-track RR line"
    )
    assert half_hexes(unit.format("31.73", "")) == {}
    assert half_hexes(unit.format(f'"{BOX}"', "")) == {}
    for arm in ("corps-train", "minor-depot", "major-depot"):
        assert half_hexes(f"31.104: austro-hungarian {arm} - U") == {}, "a supply unit has its RR line or its LOC"
    for arm in ("cavalry", "artillery"):
        assert half_hexes(f"31.104: austro-hungarian {arm} X U")["31.114"]
    assert half_hexes(unit.format("31.104", "").replace("austro-hungarian", "german")) == {}, "they serve nobody else"
    for hex in HALF_HEXES:
        assert hex in half_hexes(unit.format(hex.replace("114", "112"), "")), "each of them"
    assert half_hexes(f"board sample\n{unit.format('71.33', '')}") == {}, "no such hex is on the board"
    others = "30.100: austro-hungarian infantry XX A bukowina, austro-hungarian infantry XX B bukowina, "
    others += "austro-hungarian infantry X Fischer bukowina, austro-hungarian infantry XX C {}"
    here = unit.format("31.104", "bukowina")
    assert half_hexes(here + others.format(""))["31.114"], "itself and Fischer do not count"
    assert half_hexes(here + others.format("bukowina=no"))["31.114"]
    assert half_hexes(here + others.format("bukowina"))["31.114"], "it may be one of the three"
    assert not half_hexes(unit.format("31.104", "") + others.format("bukowina"))["31.114"]


@pytest.mark.rule("14.7")
def test_a_line_from_a_half_hex_is_ten_hexes_long_as_lines_are_counted() -> None:
    """Along a RR line it leads farther than ten hexes on the map (14.1.2)."""
    report = answered(
        typed("board east\nturn=3 weather=normal\n39.107: austro-hungarian infantry XX U"),
        "supply",
        unit="U",
    )
    assert report.verdict.text == "U is In Supply from the Bukowina at 31.114, 8 1/2 hexes away"
    assert [tried.place for tried in report.result.tried if tried.source.startswith("the Bukowina")] == ["31.114"]


@pytest.mark.rule("14.7")
def test_a_typed_line_from_a_half_hex() -> None:
    text = "turn=12\n17.112: austro-hungarian infantry XX U {}\nline way: 17.114 17.113 mountain 17.112 mountain\n"
    text += "17.113|17.114 open no-road no-rail\n17.112|17.113 open no-road no-rail"
    report = asked(text.format(""), "U")
    assert (report.result.state, report.result.cost, report.result.source) == ("in", 4, "the Bukowina at 17.114")
    assert "U is one of the three units that draw on the Bukowina (to name it: bukowina)" in told(report)
    assert "Assumed" not in [part.title for part in asked(text.format("bukowina"), "U").parts]
    german = asked(text.format("").replace("austro-hungarian", "german"), "U")
    assert german.result.state is None, "for Germans it is a RR line, of which nothing is stated"


@pytest.mark.rule("23.4")
def test_a_unit_in_the_holding_box_is_in_supply() -> None:
    assert is_in_the_box(BOX, "austro-hungarian")
    assert not is_in_the_box("20.113", "austro-hungarian")
    assert not is_in_the_box(BOX, "russian")
    for board in ("", "board east\n"):
        report = asked(f'{board}turn=12\n"{BOX}": austro-hungarian infantry X "35 L"', "35 L")
        assert report.verdict.text == f"35 L is In Supply: a unit in the {BOX} is In Supply (23.4)"


@pytest.mark.rule("24.5.3")
def test_praga_is_inactive_while_it_shows_that_its_army_changed() -> None:
    def inactive(text: str, name: str = "PRAGA") -> bool:
        view = viewed(f'57.52: russian major-depot - "{name}" {text}')
        with view.gather() as facts:
            return ServingUnit(facts, view.unit(name)).inactive

    assert inactive("changed-attachment\ncampaign")
    assert not inactive("changed-attachment=no\ncampaign")
    assert not inactive("changed-attachment\ncampaign=no")
    assert not inactive("changed-attachment\ncampaign", "Russian FIRST Major Depot")


GARRISON = """turn=10
60.54: russian infantry XX "1/W" army="Warsaw Garrison" other-line=no
58.47: russian infantry XX "1/S" army=Second other-line=no
57.52: russian major-depot - PRAGA army=Second range=7 changed-attachment
56.52: russian major-depot - W army="Warsaw Garrison" range=7 extended-range=8
5752:5852:5853:5953:5954:6054 5752:5751:5851:5850:5849:5848:5847
5652-5752-5751
57.51 map-edge=russian
57.52,56.52 station
"""
"""Both divisions are five hexes from the railway."""


@pytest.mark.rule("24.1.2b", "24.5.3", "1.1")
def test_what_the_campaign_would_bar_is_said_where_it_is_not_stated() -> None:
    """The depots serve both divisions, unless it is the Grand Campaign."""
    bars = "the rule bars that only in the campaign game (c); state `campaign` if this is one"
    garrison = f"1/W of the Warsaw Garrison may draw on W: {bars}"
    praga = f"PRAGA serves its army in the turn in which its army was changed: {bars}"
    for question, more in (("supply", {}), ("supply-phase", {"praga-changed": True})):
        found = answered(typed(GARRISON), question, side="russian", **more)
        assert {garrison, praga} <= {*told(found, "Assumed")}
        for stated in ("campaign\n", "campaign=no\n"):
            said = told(answered(typed(stated + GARRISON), question, side="russian", **more))
            assert not any(bars in line for line in said)
    alone = asked(GARRISON, "1/W")
    assert (alone.result.source, garrison in told(alone), praga in told(alone)) == ("W", True, False)
    assert asked("campaign\n" + GARRISON, "1/W").result.state == "low"
    near = asked(GARRISON.replace("60.54:", "58.52:"), "1/W")
    assert garrison not in told(near), "it draws on the railway"


@pytest.mark.rule("14.2.1", "24.5.3")
@pytest.mark.parametrize(
    ("marker", "why"),
    [
        ("W relocation=relocating", "marked Relocating (8.2.7)"),
        ("W relocation=consolidating", "marked Consolidating (8.2.7)"),
        ("PRAGA range=7\ncampaign", "inactive, as its army was changed (24.5.3)"),
    ],
)
def test_a_depot_in_supply_that_serves_nobody_says_why(marker: str, why: str) -> None:
    name = marker.split()[0]
    text = GARRISON + marker
    (side,) = answered(typed(text), "supply", side="russian").result.sides
    assert {one.unit: one.idle for one in side.units if one.idle} == {name: why}
    whole = answered(typed(text), "supply", side="russian")
    assert any(f"{name} in" in line and line.endswith(f"; it supplies no units: {why}") for line in told(whole))
    alone = asked(text, name)
    assert (alone.result.state, alone.result.idle) == ("in", why)
    assert told(alone, "Service") == [f"{name} supplies no units: {why}"]
    phase = answered(typed(text), "supply-phase", side="russian", **{"praga-changed": True})
    assert f"{name} supplies no units: {why}" in told(phase, "Depots (step 1)")
    assert "Service" not in [part.title for part in asked(GARRISON, "W").parts]


@pytest.mark.rule("14.1.1b")
def test_a_line_across_the_strait_of_pillau() -> None:
    """Along a typed line and over the board: the step from 66.19 to 67.18 costs as if no sea lay there."""
    text = 'turn=5\n66.18 control={}\n66.20: german corps-train - "1 Train" supply=in range=5 extended-range=8 corps=1\n67.18: german infantry XX 1/1\n'
    text += "line way: 66.20 -road- 66.19 clear 67.18 clear\n66.19|67.18 sea no-rail no-road"
    report = asked(text.format("central-powers"), "1/1")
    assert (report.result.state, report.result.cost) == ("in", 2)
    lost = asked(text.format("russian"), "1/1")
    assert lost.result.state is None
    named = answered(typed(text.format("russian")), "supply", unit="1/1", line="way")
    assert "a lake or sea blocks it" in named.result.tried[0].why_not
    board = 'board east\nturn=5\n66.19: german infantry XX 1/1\n67.18: german corps-train - "1 Train" range=5 extended-range=8 corps=1\n{}'
    trains = {one.source: one for one in asked(board.format(""), "1/1").result.tried}
    assert trains["1 Train"].cost is not None
    cut = {one.source: one for one in asked(board.format("66.18 control=russian\n"), "1/1").result.tried}
    assert cut["1 Train"].cost != trains["1 Train"].cost


def test_a_train_that_serves_nobody_is_said_to_even_if_it_needs_no_line() -> None:
    text = "turn=5\n40.20: german corps-train - T range=5 extended-range=8 entrained"
    alone = answered(typed(text), "supply", unit="T")
    (row,) = answered(typed(text), "supply", side="central-powers").result.units
    assert (alone.result.state, alone.result.idle) == (row.could.state, row.idle) == ("in", "entrained (14.2.2)")
    assert told(alone, "Service") == ["T supplies no units: entrained (14.2.2)"]
