"""What a step of a march costs: the ground, rivers and what leads over them, roads, in each season and weather (8.1, 20.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.ground.costs import (
    Passage,
    Price,
    crosses_at_pillau,
    fits_causeway,
    ground_features,
    parts_of_price,
    price_passage,
    table_in_force,
)

from ...conftest import answered, ruled, told, typed

HALVES = {
    "clear": 4,
    "rough": 6,
    "wetlands": 8,
    "mountain": 10,
    "minor-river": 1,
    "major-river": 5,
    "ridge": 2,
    "escarpment": 3,
    "bridge": 0,
    "pontoon": 7,
    "ferry": 9,
    "primary-road": 3,
    "secondary-road": 4,
    "rail": 5,
    "causeway": 11,
    "sea": 1,
}
"""A chart in halves of a Movement Point, each cost its own; High Mountain and Grand Rivers are prohibited."""


def passage(terrain: str = "clear", *lies: str, ways: str = "", crossing: str = "", **more: Any) -> Passage:
    """A kind of step. ways: with spaces between."""
    return Passage(terrain, frozenset(lies), frozenset(ways.split()), crossing, **more)


def price(step: Passage, *, freeze: bool = False, added: bool = False) -> Price:
    """What it costs by the chart above."""
    return price_passage(step, HALVES.get, freeze=freeze, added=added)


@pytest.mark.rule("8.1.1", "20.1b")
@pytest.mark.parametrize(
    ("turn", "weather", "table"),
    [
        (1, "normal", "summer"),
        (27, "normal", "summer"),
        (28, "normal", "autumn"),
        (47, "normal", "autumn"),
        (9, "summer-heat", "summer"),
        (17, "high-water", "high-water"),
        (23, "high-water", "high-water"),
        (36, "freeze", "freeze"),
    ],
)
def test_the_table_of_the_season_or_of_the_weather(turn: int, weather: str, table: str) -> None:
    assert table_in_force(turn, weather) == table


@pytest.mark.rule("8.1.1", "8.1.2", "20.1c")
def test_a_causeway_costs_something_besides_the_terrain_by_another_reading() -> None:
    step = passage("rough", "lake", causeway=True)
    assert ground_features(step, freeze=False, added=True) == ("rough", "causeway")
    assert ground_features(passage("rough"), freeze=False, added=True) == ("rough",)
    assert (price(step).off, price(step, added=True).off) == (11, 17)


@pytest.mark.rule("8.1.1", "23.4.1")
@pytest.mark.parametrize(
    ("step", "off", "road", "shut"),
    [
        (passage("rough"), 6, None, False),
        (passage("rough", ways="primary-road"), 6, 3, False),
        (passage("rough", "major-river", ways="primary-road secondary-road rail", crossing="bridge"), 6, 3, False),
        (passage("rough", "major-river", crossing="ferry"), 15, None, False),
        (passage("high-mountain"), None, None, True),
        (passage("high-mountain", ways="rail"), None, 5, True),
        (passage("", ways="rail"), None, 5, False),
        (passage(""), None, None, False),
        (passage("", "lake", causeway=True), 11, None, False),
        (passage("clear", "grand-river"), None, None, True),
        (passage("high-mountain", half_hex=True), 2, None, False),
        (passage("clear", "minor-river", unstated={"crossing"}), None, None, False),
        (passage("sea"), None, None, True),
    ],
)
def test_what_a_kind_of_step_costs(step: Passage, off: int | None, road: int | None, shut: bool) -> None:
    assert price(step) == Price(off, road, shut)


@pytest.mark.parametrize(
    ("step", "by", "parts"),
    [
        (passage("rough"), "ground", {"rough": 6}),
        (passage("rough", "minor-river", "ridge"), "ground", {"rough": 6, "minor-river": 1, "ridge": 2}),
        (
            passage("rough", "major-river", ways="primary-road rail", crossing="bridge"),
            "road",
            {"primary-road": 3, "bridge": 0},
        ),
        (passage("high-mountain"), "ground", {}),
        (passage("rough", "lake", causeway=True), "ground", {"causeway": 11}),
    ],
)
def test_what_a_price_is_made_of(step: Passage, by: str, parts: dict[str, int]) -> None:
    assert dict(parts_of_price(step, HALVES.get, by=by, freeze=False)) == parts
    paid = price(step).road if by == "road" else price(step).off
    assert sum(parts.values()) == (paid or 0)


@pytest.mark.rule("8.1.1", "8.1.3", "8.1.4", "18.1b", "20.1c")
def test_terrain_or_roads_that_have_no_price() -> None:
    assert price(passage("", "lake", causeway=True), added=True) == Price(None)
    step = passage("rough", "minor-river", ways="rail")
    assert (price(step).road, price(step, freeze=True).road) == (6, 5)
    chart = {feature: cost for feature, cost in HALVES.items() if feature != "primary-road"}
    both = passage("rough", ways="primary-road rail")
    assert price_passage(both, chart.get, freeze=False) == Price(6, 5)
    assert price_passage(passage("rough", ways="primary-road"), chart.get, freeze=False) == Price(6, None)
    assert price_passage(passage("rough", "lake", causeway=True), HALVES.get, freeze=False) == Price(11)


@pytest.mark.rule("8.1.1", "8.1.2", "20.1c")
@pytest.mark.parametrize(
    ("ruling", "table", "points"),
    [("instead", "turn=5", "3/2"), ("added", "turn=5", "9/2"), ("added", "turn=36 weather=freeze campaign", "7/2")],
)
def test_what_a_causeway_costs_is_a_ruling(ruling: str, table: str, points: str) -> None:
    """Into wetlands, which cost 3 by the chart here and in Freeze as much as clear ground."""
    cells = "clear = 2", "wetlands = 3", "causeway = 1.5"
    chart = "".join(f"chart terrain-cost {season} {cell}\n" for season in ("summer", "autumn") for cell in cells)
    text = f"{chart}{table} phase=movement phasing=russian\nruling causeway-cost={ruling}\n49.29 wetlands control=russian\n48.29 clear\n48.29|49.29 lake causeway\n48.29: russian infantry XX R movement=7"
    report = answered(typed(text), "move", units="R", way="49.29")
    assert (str(report.result.moves[0].points), ruled(report, "causeway-cost")) == (points, ruling)
    (entered,) = report.result.entered
    ground = ["causeway"] if ruling == "instead" else ["clear" if "freeze" in table else "wetlands", "causeway"]
    assert [paid.what for paid in entered.made_of] == ground
    assert sum(paid.points for paid in entered.made_of) == entered.ground
    assert (
        ruled(
            answered(
                typed(f"{CHART}{table} phase=movement phasing=russian\n30.20 clear\n30.21: russian infantry XX R"),
                "move",
                units="R",
                way="30.20",
            ),
            "causeway-cost",
        )
        == ""
    )


@pytest.mark.rule("8.1.5")
@pytest.mark.parametrize(
    ("over", "nations", "holder", "open_"),
    [
        ("66.18|67.18", {"german"}, "central-powers", True),
        ("66.18|67.18", {"german"}, "russian", False),
        ("66.18|67.18", {"german"}, "", False),
        ("66.18|67.18", {"austro-hungarian"}, "central-powers", False),
        ("66.18|67.18", {"german", "austro-hungarian"}, "central-powers", False),
        ("66.18|67.18", {"russian"}, "russian", False),
        ("66.19|67.18", {"german"}, "central-powers", False),
    ],
)
def test_germans_cross_at_pillau_while_they_hold_it(over: str, nations: set[str], holder: str, open_: bool) -> None:
    assert crosses_at_pillau(over, nations, holder) is open_


@pytest.mark.rule("8.1.6")
@pytest.mark.parametrize(
    ("divisions", "brigades", "assets", "fits"),
    [
        (0, 0, 4, True),
        (0, 0, 5, False),
        (0, 1, 2, True),
        (0, 1, 3, False),
        (0, 2, 1, True),
        (0, 2, 2, False),
        (0, 3, 0, False),
        (1, 0, 1, True),
        (1, 0, 2, False),
        (1, 1, 0, False),
        (2, 0, 0, False),
    ],
)
def test_how_many_cross_a_causeway(divisions: int, brigades: int, assets: int, fits: bool) -> None:
    assert fits_causeway(divisions, brigades, assets) is fits


# --- in a position ----------------------------------------------------------------------------------------------------

CHART = """chart terrain-cost summer clear = 2
chart terrain-cost summer rough = 3
chart terrain-cost summer wetlands = 4
chart terrain-cost summer mountain = 5
chart terrain-cost summer high-mountain = prohibited
chart terrain-cost summer minor-river = 1
chart terrain-cost summer major-river = 4
chart terrain-cost summer grand-river = prohibited
chart terrain-cost summer ridge = 2
chart terrain-cost summer escarpment = 2.5
chart terrain-cost summer bridge = 0.5
chart terrain-cost summer pontoon = 1
chart terrain-cost summer ferry = 2
chart terrain-cost summer primary-road = 1.5
chart terrain-cost summer secondary-road = 2
chart terrain-cost summer rail = 2.5
chart terrain-cost summer causeway = 1.5
"""


def cost(
    lies: str, *, units: str = "R", more: str = "", to: str = "30.20", text: str = "", start: str = "clear"
) -> str:
    """What it costs units in 30.21 to enter 30.20, or why they cannot. lies: between the two; more: in 30.20."""
    position = typed(
        f"{CHART}turn=5 phase=movement phasing=russian\n30.20 {more or 'clear'}\n30.20|30.21 {lies}\n"
        f"30.21: russian infantry XX R movement=20, russian infantry III S movement=20\n30.21 {start}\n{text}"
    )
    report = answered(position, "move", units=units, way=to)
    if report.result is None or report.verdict.kind != "figure":
        return " ".join([report.verdict.text, *(ask.how for ask in report.asks)])
    return str(report.result.moves[0].points)


@pytest.mark.rule("8.1.1", "8.1.2", "8.1.3", "8.1.3b", "8.1.4", "18.1b")
@pytest.mark.parametrize(
    ("lies", "more", "units", "points"),
    [
        ("open", "clear", "R", "2"),
        ("open", "rough", "R,S", "3"),
        ("minor-river", "rough", "R", "4"),
        ("major-river", "clear", "R", "6"),
        ("major-river bridge", "clear", "R", "5/2"),
        ("major-river pontoon", "clear", "R", "3"),
        ("grand-river ferry", "clear", "R,S", "4"),
        (
            "grand-river",
            "clear",
            "R",
            "R cannot go to 30.20: the Terrain Effects Chart prohibits the move there, or the move back",
        ),
        ("ridge primary-road", "mountain", "R", "3/2"),
        ("ridge primary-road", "mountain", "R,S", "7"),
        ("major-river primary-road", "mountain", "R", "2"),
        ("major-river rail1", "mountain", "R,S", "11/2"),
        ("escarpment", "rough escarpment", "R", "11/2"),
        ("escarpment", "rough escarpment=no", "R", "3"),
        ("open", "rough escarpment", "R", "3"),
        ("secondary-road rail2", "mountain", "R", "2"),
        ("road", "mountain", "R", "2"),
        (
            "open",
            "high-mountain",
            "R",
            "R cannot go to 30.20: the Terrain Effects Chart prohibits the move there, or the move back",
        ),
        ("rail1", "high-mountain", "R", "5/2"),
    ],
)
def test_what_a_move_pays(lies: str, more: str, units: str, points: str) -> None:
    lies = (
        lies
        if "river" not in lies or any(word in lies for word in ("bridge", "ferry", "pontoon", "road", "rail"))
        else f"{lies} no-crossing"
    )
    assert cost(lies, more=more, units=units) == points


@pytest.mark.rule("8.1.3b")
@pytest.mark.parametrize(
    ("lies", "more", "units", "points"),
    [
        ("grand-river ferry spur", "30.20|30.19 primary-road", "R", "7/2"),
        ("grand-river ferry spur", "30.20|30.19 primary-road", "R,S", "7"),
        ("grand-river ferry spur=no", "30.20|30.19 primary-road", "R", "7"),
        ("grand-river ferry", "30.20|30.19 primary-road", "R", "7"),
        ("grand-river ferry spur", "30.20|30.19 secondary-road", "R", "4"),
        ("grand-river ferry spur", "30.20|30.19 rail1", "R", "7"),
        ("grand-river ferry spur", "", "R", "7"),
        ("major-river pontoon spur", "30.20|30.19 primary-road", "R", "5/2"),
        ("major-river bridge spur", "30.20|30.19 primary-road", "R", "11/2"),
        ("grand-river ferry primary-road", "", "R", "7/2"),
    ],
)
def test_a_spur_joins_the_road_to_the_ferry(lies: str, more: str, units: str, points: str) -> None:
    assert cost(lies, more="mountain", units=units, text=f"{more}\n") == points


@pytest.mark.rule("8.1.4", "8.1.4a")
@pytest.mark.parametrize(
    ("terrain", "friend", "said"),
    [
        ("clear", "", "30.21: 2 for the ground (clear)"),
        ("clear", "XX", "30.21: 2 for the ground (clear)"),
        ("rough", "", "30.21: 2 by road (secondary road)"),
        ("rough", "X", "30.21: 2 1/2 by road (secondary road 2, F 1/2)"),
        ("rough", "XX", "30.21: 3 for the ground (rough)"),
    ],
)
def test_a_hex_is_entered_by_road_only_where_that_is_cheaper(terrain: str, friend: str, said: str) -> None:
    text = f"{CHART}turn=5 phase=movement phasing=russian\n30.20 clear\n30.21 {terrain}\n30.20|30.21 secondary-road\n"
    text += f"30.21: russian infantry {friend} F\n" if friend else ""
    report = answered(typed(f"{text}30.20: russian infantry XX R movement=7"), "move", units="R", way="30.21")
    assert told(report, "Way") == [said]


@pytest.mark.rule("8.1.3b")
def test_a_road_leads_to_a_ferry_and_back() -> None:
    """A road leads to the ferry on one bank: the road's rate is paid on either side of it. From a High Mountain hex, into which only its road leads back."""
    text = f"{CHART}turn=5 phase=movement phasing=russian\n48.75 rough\n49.75 rough\n48.75|49.75 major-river ferry spur\n49.75|50.75 primary-road\n48.75|47.74 primary-road\n"
    for here, there in (("48.75", "49.75"), ("49.75", "48.75")):
        report = answered(typed(f"{text}{here}: russian infantry XX R movement=7"), "move", units="R", way=there)
        assert report.result.moves[0].points == Fraction(7, 2)
        assert told(report, "Way") == [f"{there}: 3 1/2 by road (primary road 1 1/2, ferry 2)"]
    text = "30.20|30.19 primary-road\n30.21|30.22 primary-road\n"
    assert cost("major-river ferry spur", start="high-mountain", text=text) == "7/2"
    assert "prohibits" in cost("major-river ferry spur=no", start="high-mountain", text=text)
    assert "prohibits" in cost("major-river ferry spur", start="high-mountain", text="30.20|30.19 primary-road\n")


@pytest.mark.rule("8.1.3b")
@pytest.mark.parametrize(
    ("lies", "road", "terrain", "by_road"),
    [
        ("grand-river ferry spur", "30.21|30.22 primary-road", "7", "7/2"),
        ("major-river pontoon spur", "30.21|30.22 primary-road", "6", "5/2"),
        ("grand-river ferry spur=no", "30.21|30.22 primary-road", "7", ""),
        ("grand-river ferry spur", "30.20|30.19 primary-road", "7/2", ""),
        ("grand-river ferry spur", "", "7", ""),
        ("grand-river bridge spur", "30.21|30.22 primary-road", "11/2", ""),
    ],
)
def test_what_a_ferry_with_a_spur_on_the_near_bank_alone_costs_is_a_ruling(
    lies: str, road: str, terrain: str, by_road: str
) -> None:
    text = f"{CHART}turn=5 phase=movement phasing=russian\n30.20 mountain\n30.21 clear\n30.20|30.21 {lies}\n{road}\n"
    text += "30.21: russian infantry XX R movement=20"
    for reading, points in (("terrain", terrain), ("road", by_road or terrain)):
        report = answered(typed(f"ruling ferry-spur={reading}\n{text}"), "move", units="R", way="30.20")
        assert str(report.result.moves[0].points) == points
        assert ruled(report, "ferry-spur") == (reading if by_road else "")


@pytest.mark.rule("8.1.3b")
def test_whether_the_spur_of_the_far_bank_alone_leads_back_is_a_ruling_where_the_ground_does_not() -> None:
    text = "ruling ferry-spur={}\n30.20|30.19 primary-road\n"
    assert "prohibits" in cost("major-river ferry spur", start="high-mountain", text=text.format("terrain"))
    assert cost("major-river ferry spur", start="high-mountain", text=text.format("road")) == "7/2"


@pytest.mark.rule("8.1.3b")
def test_reach_finds_the_road_beyond_a_ferry_and_an_unstated_spur_is_none() -> None:
    text = f"{CHART}turn=5 phase=movement phasing=russian\n30.20 mountain\n30.21 clear\n30.20|30.21 grand-river ferry{{}}\n{{}}30.21: russian infantry XX R movement=20"
    road = "30.20|30.19 primary-road\n"
    for spur, roads, points in ((" spur", road, "7/2"), ("", road, "7"), (" spur", "", "7")):
        position = typed(text.format(spur, roads))
        (place,) = [place for place in answered(position, "reach", units="R").result.hexes if place.hex == "30.20"]
        assert str(place.points) == points
    said = "30.20|30.21 assumed to have no spur (not stated)"
    assert said in told(answered(typed(text.format("", road)), "move", units="R", way="30.20"), "Assumed")
    assert said not in told(answered(typed(text.format("", "")), "move", units="R", way="30.20"), "Assumed")


@pytest.mark.rule("8.1.1b")
def test_no_unit_leaves_ground_that_it_could_not_enter_again() -> None:
    start = "high-mountain"
    assert "prohibits" in cost("open", start=start)
    assert cost("rail1", start=start) == "2", "the line leads back"
    assert "prohibits" in cost("rail1", start=start, units="R,S"), "but not for units that move together"


@pytest.mark.rule("8.1.1b", "20.1c")
@pytest.mark.parametrize(("weather", "kind"), [("freeze", "figure"), ("normal", "no")])
def test_wetlands_that_the_chart_prohibits_may_be_left_while_frozen(weather: str, kind: str) -> None:
    prohibited = "chart terrain-cost autumn clear = 2\nchart terrain-cost autumn wetlands = prohibited\n"
    text = f"turn=40 weather={weather} campaign phase=movement phasing=russian\n30.20 clear\n30.20|30.21 open\n30.21 wetlands: russian infantry XX R movement=20"
    assert answered(typed(prohibited + text), "move", units="R", way="30.20").verdict.kind == kind


@pytest.mark.rule("8.1.1")
def test_what_is_not_stated_is_asked_for_cell_by_cell_unless_roads_spare_it() -> None:
    bare = "turn=5 phase=movement phasing=russian\n30.20 rough\n30.20|30.21 major-river no-crossing\n30.21 clear\n30.21: russian infantry XX R movement=20"
    report = answered(typed(bare), "move", units="R", way="30.20")
    assert report.verdict.kind == "undecided"
    assert [ask.how.split(" = ")[0] for ask in report.asks] == [
        "chart terrain-cost summer rough",
        "chart terrain-cost summer major-river",
    ]
    assert "30.20 clear|rough" in cost("open", more="ip=0")
    assert cost("primary-road", more="ip=0") == "3/2"
    assert "crossing" in cost("major-river", more="rough") or "ferry" in cost("major-river", more="rough")
    assert "escarpment" in cost("escarpment", more="rough")


@pytest.mark.rule("20.1b", "20.1c")
@pytest.mark.parametrize(
    ("game", "lies", "more", "points"),
    [
        ("turn=20 weather=high-water campaign", "major-river no-crossing", "clear", "8"),
        ("turn=20 weather=high-water campaign", "major-river ferry", "clear", "5"),
        ("turn=20 weather=high-water campaign", "minor-river no-crossing", "rough", "4"),
        ("turn=20 weather=high-water", "major-river no-crossing", "clear", "6"),
        ("turn=20 campaign", "major-river no-crossing", "clear", "8"),
        ("turn=36 weather=freeze campaign", "minor-river no-crossing", "wetlands", "9/2"),
        ("turn=36 weather=freeze", "minor-river no-crossing", "wetlands", "15/2"),
        ("turn=36 weather=normal campaign", "minor-river no-crossing", "wetlands", "15/2"),
    ],
)
def test_high_water_and_freeze_in_the_campaign(game: str, lies: str, more: str, points: str) -> None:
    """In Autumn clear ground costs 4.5, wetlands 6.5 and minor rivers 1 here, in High Water Major Rivers 6 and ferries 3."""
    more_chart = "".join(
        f"chart terrain-cost {table} {feature} = {cost}\n"
        for table, feature, cost in (
            ("high-water", "major-river", 6), ("high-water", "ferry", 3), ("high-water", "minor-river", 1),
            ("autumn", "clear", 4.5), ("autumn", "wetlands", 6.5), ("autumn", "minor-river", 1),
        )
    )  # fmt: skip
    text = f"{CHART}{more_chart}{game} phase=movement phasing=russian\n30.20 {more}\n30.20|30.21 {lies}\n30.21 clear\n30.21: russian infantry XX R movement=20"
    report = answered(typed(text), "move", units="R", way="30.20")
    assert str(report.result.moves[0].points) == points


FROZEN = """trust charts
turn=40 phase=movement phasing=russian campaign
40.20 clear
40.20: russian infantry XX A movement=7 army=First corps=none
40.20|40.21 no-road no-rail
"""


@pytest.mark.rule("20.1c")
@pytest.mark.parametrize(
    ("ground", "missing", "values"),
    [
        ("weather=freeze\n40.21 wetlands\n40.20|40.21 minor-river", [], ()),
        ("40.21 clear\n40.20|40.21 open", [], ()),
        ("weather=freeze\n40.21 clear control=russian\n40.20|40.21 escarpment causeway", [], ()),
        (
            "weather=freeze\n40.21 clear control=russian\n40.20|40.21 escarpment causeway\nruling causeway-cost=added",
            ["escarpment"],
            ("40.21 escarpment", "40.21 escarpment=no"),
        ),
        (
            "weather=normal\n40.21 wetlands\n40.20|40.21 minor-river",
            ["crossing"],
            ("40.20|40.21 bridge", "40.20|40.21 no-crossing"),
        ),
        (
            "weather=freeze\n40.21 wetlands\n40.20|40.21 major-river",
            ["crossing"],
            ("40.20|40.21 bridge", "40.20|40.21 no-crossing"),
        ),
        (
            "weather=freeze\n40.21 clear\n40.20|40.21 escarpment",
            ["escarpment"],
            ("40.21 escarpment", "40.21 escarpment=no"),
        ),
        ("40.21 wetlands\n40.20|40.21 open", ["weather"], ("weather=freeze", "weather=normal")),
        ("40.21 clear\n40.20|40.21 minor-river no-crossing", ["weather"], ("weather=freeze", "weather=normal")),
    ],
)
def test_only_what_decides_the_cost_is_asked_for(ground: str, missing: list[str], values: tuple[str, ...]) -> None:
    """Of a fact that is asked for, one value makes another answer than the other."""

    def moved(more: str = "") -> Report[Any]:
        return answered(typed(f"{FROZEN}{ground}\n{more}"), "move", units="A", way="40.21", forced="no")

    assert [ask.key[0] for ask in moved().asks] == missing
    points = [moved(value).result.moves[0].points for value in values]
    assert len({*points}) == len(values)


def test_of_high_water_only_what_it_makes_dearer_need_be_entered() -> None:
    """All else costs what it costs in the season; the river itself is asked for."""
    text = f"{CHART}turn=20 weather=high-water campaign phase=movement phasing=russian\n30.20 clear\n30.21 clear\n30.20|30.21 {{}}\n30.21: russian infantry XX R movement=20"
    assert answered(typed(text.format("ridge")), "move", units="R", way="30.20").result.moves[0].points == 4
    asked = answered(typed(text.format("major-river no-crossing")), "move", units="R", way="30.20").asks
    assert [ask.how.split(" = ")[0] for ask in asked] == ["chart terrain-cost high-water major-river"]


@pytest.mark.rule("8.1.1b")
@pytest.mark.parametrize(
    ("terms", "alone", "closed"),
    [
        (Price(4), True, False),
        (Price(None, None, shut=True), True, True),
        (Price(None, 3, shut=True), True, False),
        (Price(None, 3, shut=True), False, True),
        (Price(4, back_shut=True), True, True),
        (Price(4, back_shut=True, back_road=True), True, False),
        (Price(4, back_shut=True, back_road=True), False, True),
        (Price(None, 3, shut=True, back_shut=True, back_road=True), True, False),
        (Price(None), True, False),
        (Price(None, None), False, False),
    ],
)
def test_a_step_is_closed_where_the_chart_prohibits_it_or_the_way_back(terms: Price, alone: bool, closed: bool) -> None:
    assert terms.prohibits(moves_alone=alone) is closed
