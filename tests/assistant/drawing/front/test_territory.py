"""Who holds which ground: that of the nearest unit, and else that of its country; the front lies between."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from assistant import parse
from assistant.asking.view import View
from assistant.drawing.front.territory import REACH_HEXES, assign_ground, ground_gained, side_of_country, units_by_place
from assistant.installed.registry import load_game

GAME = load_game("twilight-in-the-east")
BOARD = GAME.board("east")
HEAD = "game twilight-in-the-east\nboard east\ntrust counters\n"
AREA = frozenset(f"{column}.{row}" for column in range(40, 52) for row in range(14, 30))
UNITS = ("25/3", "27/3", "29/20", "28/20", "40/4", "30/4", "1/1", "2/1", "35/17", "36/17", "37/20", "41/20")
RUSSIAN = UNITS[:6]
PLACES = st.dictionaries(st.sampled_from(UNITS), st.sampled_from(sorted(AREA)), min_size=1)


def view(places: Mapping[str, str], *more: str) -> View:
    """A position in which some units stand: those of two sides never in one hex."""
    taken, lines = dict[str, bool](), list[str]()
    for unit, place in places.items():
        if taken.setdefault(place, unit in RUSSIAN) == (unit in RUSSIAN):
            lines.append(f"{place}: {unit}")
    position = parse(HEAD + "\n".join([*lines, *more]) + "\n")
    return View(position.game, position.state)


def test_ground_near_to_one_side_or_controlled_is_its_own_and_other_ground_that_of_its_country() -> None:
    held = assign_ground(view({"25/3": "44.20"}), AREA)
    assert held["44.20"] == held["45.20"] == "russian"  # of German ground
    assert held["50.16"] == "central-powers"
    assert {held[place] for place in AREA if place in held and BOARD.distance(place, "44.20") <= REACH_HEXES} == {
        "russian"
    }
    assert (
        assign_ground(view({"25/3": "44.20"}, "45.20 control=central-powers", "46.20: 1/1"), AREA)["45.20"]
        == "central-powers"
    )
    ring = dict(zip(RUSSIAN, BOARD.neighbours("46.20"), strict=True))
    assert assign_ground(view(ring, "46.20 control=central-powers"), AREA)["46.20"] == "russian"


def test_ground_that_nobody_comes_near_to_stays_with_the_side_or_country_that_had_it() -> None:
    first = assign_ground(view({"25/3": "48.20"}), AREA)
    later = assign_ground(view({"25/3": "42.20"}), AREA, first)
    assert later["48.20"] == "russian" and "48.20" not in ground_gained(first, later)
    assert ground_gained(first, assign_ground(view({"1/1": "48.20"}), AREA, first))["48.20"] == "central-powers"
    assert side_of_country(GAME, "austro-hungarian") == side_of_country(GAME, "german") == "central-powers"
    assert side_of_country(load_game("world-undone-east-prussia-1914"), "germany") == "german"
    assert side_of_country(GAME, "none") == ""


@given(PLACES)
def test_the_front_separates_the_sides(places: Mapping[str, str]) -> None:
    """No way from a unit of one side to one of another avoids the front."""
    seen = view(places)
    held = assign_ground(seen, AREA)
    sides = dict(units_by_place(seen))
    for place, side in sides.items():
        assert held[place] == side
        reached, edge = {place}, [place]
        while edge:
            here = edge.pop()
            for beyond in BOARD.neighbours(here):
                if beyond in held and beyond not in reached and held[beyond] == held[here]:
                    reached.add(beyond)
                    edge.append(beyond)
        assert {sides[other] for other in reached & sides.keys()} == {side}


@given(PLACES)
def test_no_ground_near_to_units_belongs_to_a_side_that_stands_farther_off(places: Mapping[str, str]) -> None:
    """By a naive count of distances, but for what lies in a pocket or behind water."""
    seen = view(places)
    held, sides = assign_ground(seen, AREA), dict(units_by_place(seen))
    for place, side in held.items():
        away = {
            whose: min(BOARD.distance(place, at) for at, other in sides.items() if other == whose)
            for whose in {*sides.values()}
        }
        nearest = min(away.values())
        if place in sides:
            assert side == sides[place]
        elif (
            nearest <= 1
            and len(away) == 2
            and len({*away.values()}) == 2
            and all(held.get(beyond) for beyond in BOARD.neighbours(place))
        ):
            around = {held[beyond] for beyond in BOARD.neighbours(place)}
            assert away[side] == nearest or around == {side}
