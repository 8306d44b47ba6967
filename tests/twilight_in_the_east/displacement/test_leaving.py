"""Corps Trains at the edge of the map, whose retreat leads off it; artillery never leaves (1.2.2, 9.5.1, 9.8.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.sketch import Sketch
from twilight_in_the_east.displacement.question import sketch_displacement
from twilight_in_the_east.terms import BUKOWINA_BOX

from ...conftest import answered, ruled, told, typed, viewed
from ..battle.test_off_map import DONE, changes_of, end

AT_EDGE = ("01.49", "01.51", "02.50", "02.51")
"""The hexes around 01.50, which lies at the western edge."""


def position(unit: str, enemies: tuple[str, ...] = AT_EDGE, more: str = "", place: str = "01.50") -> str:
    """A Russian unit with enemies near it, in hexes between which nothing lies."""
    units = [f"{hex}: german infantry XX G{number}" for number, hex in enumerate(enemies)]
    places = [f"{column:02}.{row}" for column in range(1, 6) for row in range(44, 56)]
    clear = [f"{hex} clear" for hex in places]
    return "\n".join(["turn=5", f"{place}: {unit}", *units, *clear, more])


def asked(unit: str, enemies: tuple[str, ...] = AT_EDGE, more: str = "", place: str = "01.50") -> Report[Any]:
    return answered(typed(position(unit, enemies, more, place)), "displace", unit=unit.split()[-1])


TRAIN, GUNS = "russian corps-train - T", "russian artillery - A"
LEFT = "T retreats off the map for good, removed from the game and not eliminated: "
ALONE = "it is in an EZOC without a friendly combat unit"


@pytest.mark.rule("1.2.2b", "9.8.1")
def test_a_train_whose_only_way_leads_off_the_map_has_departed() -> None:
    report = asked(TRAIN)
    assert (report.verdict.kind, report.verdict.text) == ("yes", LEFT + ALONE)
    assert changes_of(report, "place", "departed", "extended", "arrives") == {
        ("place", "T"): None, ("departed", "T"): "off-map",
    }  # fmt: skip
    assert {change.rule for change in report.changes if change.subject == "T"} == {"1.2.2"}
    assert not told(report, "Victory Points")
    assert (report.result.must, report.result.eliminated) == (True, False)
    assert [(refuge.hex, refuge.way) for refuge in report.result.refuges] == [("off-map", ("off-map",))]
    assert ruled(report, "train-off-map") == "departs"
    line = "off the map, as the only way of three hexes leads there; it never returns and does not count as eliminated"
    assert told(report, "Displacement") == [ALONE, line]


@pytest.mark.rule("9.8.1", "1.2.2b")
def test_players_may_agree_that_a_train_at_the_edge_is_lost_as_one_inside_is_anyway() -> None:
    report = asked(TRAIN, more="ruling train-off-map=lost")
    assert (report.result.eliminated, report.result.refuges) == (True, ())
    assert changes_of(report, "place", "departed", "arrives") == {("place", "T"): None, ("arrives", "T"): 7}
    assert told(report, "Victory Points")
    around = ("04.48", "04.50", "03.48", "03.49", "05.48", "05.49")
    report = asked(TRAIN, around, place="04.49")
    assert (report.result.eliminated, ruled(report, "train-off-map")) == (True, "")


def lane(place: str, *open_hexes: str, more: str = "", unit: str = TRAIN, enemy: str = "german") -> Report[Any]:
    """A train in a lane of hexes, shut in by lakes, with an enemy at its back."""
    board, inside = viewed("").board, (place, *open_hexes)
    back = next(hex for hex in board.neighbours(place) if hex not in inside)
    lakes = [
        f"{here}|{there} lake" for here in inside for there in board.neighbours(here) if there not in (*inside, back)
    ]
    lakes += [f"{hex}|{back} lake" for hex in open_hexes if back in board.neighbours(hex)]
    text = position(unit, (back,), "\n".join([f"{place}|{back} open", *dict.fromkeys(lakes), more]), place)
    return answered(typed(text.replace("german", enemy)), "displace", unit="T")


@pytest.mark.rule("1.2.2b", "9.8.1")
@pytest.mark.parametrize(
    ("hexes", "way"),
    [
        (("01.50",), ("off-map",)),
        (("02.50", "01.49"), ("01.49", "off-map")),
        (("03.49", "02.49", "01.48"), ("02.49", "01.48", "off-map")),
        (("04.49", "03.48", "02.48"), ()),
        (("04.49", "03.48", "02.48", "01.47"), ("03.48", "02.48", "01.47")),
    ],
)
def test_the_edge_may_be_two_hexes_away_and_three_hexes_on_the_map_come_first(
    hexes: tuple[str, ...], way: tuple[str, ...]
) -> None:
    report = lane(*hexes)
    assert [refuge.way for refuge in report.result.refuges] == ([way] if way else [])
    assert bool(changes_of(report, "departed")) is (way[-1:] == ("off-map",))
    assert report.result.eliminated is not bool(way)


@pytest.mark.rule("1.2.2b", "9.8.1b")
def test_a_friend_within_reach_keeps_a_train_on_the_map() -> None:
    friend = "01.49: russian infantry XX R"
    report = lane("02.50", "01.49", more=friend)
    assert [refuge.hex for refuge in report.result.refuges] == ["01.49"]
    assert changes_of(report, "departed") == {}
    assert ruled(report, "train-off-map") == ""


@pytest.mark.rule("1.2.2b", "9.8.1")
def test_of_ways_off_the_map_the_shortest_is_taken_and_a_railway_on_it() -> None:
    report = lane("02.50", "01.49", "01.48")
    assert [refuge.way for refuge in report.result.refuges] == [("01.49", "off-map")]
    report = lane("02.50", "01.49", more="01.49 operational=central-powers")
    assert changes_of(report, "operational") == {("operational", "01.49"): "none"}
    assert "via 01.49" in told(report, "Displacement")[1]


def beside_romania(unit: str, *, more: str = "") -> Report[Any]:
    """A unit in 30.20 with 30.19 in Romania, and enemies in all other hexes around."""
    enemies = tuple(hex for hex in viewed("").board.neighbours("30.20") if hex != "30.19")
    text = position(unit, enemies, f"30.20 clear\n30.19 clear country=romanian\n30.19|30.20 open\n{more}", "30.20")
    return answered(typed(text), "displace", unit=unit.split()[-1])


@pytest.mark.rule("1.2.2b", "9.8.1")
def test_romania_is_off_the_map_too_but_not_over_a_lake() -> None:
    assert changes_of(beside_romania(TRAIN), "departed") == {("departed", "T"): "off-map"}
    assert beside_romania(TRAIN, more="30.19: german infantry XX G9").result.eliminated
    assert [refuge.way for refuge in beside_romania(TRAIN).result.refuges] == [("off-map",)]
    enemies = tuple(hex for hex in viewed("").board.neighbours("30.20") if hex != "30.19")
    text = position(TRAIN, enemies, "30.20 clear\n30.19 clear country=romanian\n30.19|30.20 lake", "30.20")
    assert answered(typed(text), "displace", unit="T").result.eliminated


@pytest.mark.rule("9.8.1c", "1.2.2b")
def test_where_only_cavalry_keeps_it_on_the_map_the_report_says_where_it_goes_after_a_reaction() -> None:
    report = lane("02.50", "01.49", more="01.49: russian cavalry XX C")
    assert [refuge.hex for refuge in report.result.refuges] == ["01.49"]
    assert (
        told(report, "Order")[-1] == "before or after C in 01.49 reacts, as its owner chooses; after that, off the map"
    )


@pytest.mark.rule("1.2.2b", "9.8.1", "23.4.1", "9.5.1")
def test_half_hexes_lead_to_the_box_and_artillery_never_off_the_map() -> None:
    report = lane("07.113", "07.114", unit="austro-hungarian corps-train - T", enemy="russian")
    assert [refuge.way for refuge in report.result.refuges] == [("07.114", BUKOWINA_BOX)]
    assert changes_of(report, "place", "departed") == {("place", "T"): BUKOWINA_BOX}
    report = asked(GUNS)
    assert (report.result.eliminated, changes_of(report, "departed")) == (True, {})
    friend = "30.17: russian infantry XX R\n30.18 clear\n30.17|30.18 open\n30.18|30.19 open"
    assert beside_romania(GUNS, more=friend).result.eliminated, "its way would lead through Romania"


def test_the_picture_of_a_train_that_leaves_names_no_hex_off_the_map() -> None:
    view = viewed(position(TRAIN))
    drawn: Sketch = sketch_displacement(view, answered(typed(position(TRAIN)), "displace", unit="T"))
    assert all(spot.hex != "off-map" for spot in drawn.spots)
    assert not drawn.arrows


@pytest.mark.rule("1.2.2b", "11.2.1")
def test_in_a_combat_a_train_departs_with_its_stack() -> None:
    report = end(DONE, defenders=f"russian infantry XX R (6-6-0-9), {TRAIN}")
    assert not report.asks, report.asks
    assert changes_of(report, "departed") == {("departed", "R"): "off-map", ("departed", "T"): "off-map"}
    places = changes_of(report, "place")
    assert (places["place", "R"], places["place", "T"]) == (None, None)
    outcome = report.result.outcome
    assert outcome.displaced == ()
    assert (outcome.attacker_points, outcome.defender_points) == (0, 0)
    assert not changes_of(report, "extended", "arrives")
