"""Moves by rail against a second, naive reckoning written by somebody who had only the rulebook."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from . import naive_rail as naive
from .made_railways import made, text_of
from .naive_rail import World

# --- the naive reckoning itself, by example ---------------------------------------------------------------------------


def line(tracks: str, units: dict[str, dict[str, Any]], gauges: str = "", **more: Any) -> World:
    """A RR line down column 30 from 30.20 on, with one or two tracks to each next hex, and stations at its ends. gauges: b, s or x for both."""
    hexes = [f"30.{row}" for row in range(20, 21 + len(tracks))]
    kinds = {"b": "broad", "s": "standard", "x": "both"}
    links = {
        sides: {"tracks": int(count), "narrow": False, "gauge": kinds[gauge]}
        for sides, count, gauge in zip(pairwise(hexes), tracks, gauges or "s" * len(tracks), strict=True)
    }
    basic = {"place": hexes[0], "destination": hexes[-1], "rail-cost": Fraction(2), "movement": 7}
    world: World = {
        "nation": "german", "phases": ("movement", "counter-movement") * 2, "rates": (14,) * 4, "links": links,
        "stations": {hexes[0], hexes[-1]}, "closed": set(), "points": {"rail-points": Fraction(20)},
    }  # fmt: skip
    return world | {"units": {name: {**basic, **unit} for name, unit in units.items()}} | more


def test_the_long_example_of_8_2_9() -> None:
    """Four hexes of single track and 43 of double: 51 weighted ones at a rate of 14, and a point of detraining."""
    world = line("1" * 4 + "2" * 43, {"20 lw": {}})
    (plan,) = naive.plans(world | {"phases": ("movement", "counter-movement")})
    ride = plan.rides["20 lw"]
    assert naive.cost(ride.route, 14, Fraction(2)) == Fraction(51, 14)
    assert ride.spent == (2 + Fraction(51, 14) + 1, 1)
    assert (plan.arrivals, plan.points) == ({"20 lw": 1}, {"rail-points": 18})


def test_the_examples_of_8_2_3() -> None:
    """Four RCPs leave three points of seven; of three RCPs two are paid in one phase and one in the next."""
    world = line("2" * 42, {"U": {"rail-cost": Fraction(4)}})
    first = min(naive.best(world), key=lambda plan: plan.rides["U"].spent)
    assert first.rides["U"].spent == (7, Fraction(3), 1), "half a point counts for no task"
    world = line("2" * 14, {"U": {"rail-cost": Fraction(3), "movement": 2}})
    assert [plan.rides["U"].spent for plan in naive.plans(world)] == []
    rides = naive.spend_phase(
        world, "U", naive.Ride("waiting", naive.best_routes(world, "U")[0]), 0, {"30.20": Fraction(8)}, {}
    )
    assert [(ride.stage, ride.credit) for ride, _, _ in rides] == [("entraining", 2)]


def test_the_example_of_8_2_6() -> None:
    """Two units of five RCPs in one station: one entrains, and the other spends three points towards it."""
    world = line("2" * 14, {name: {"rail-cost": Fraction(5)} for name in "AB"})
    start = naive.Plan(
        {name: naive.Ride("waiting", naive.best_routes(world, name)[0]) for name in "AB"}, world["points"], {}
    )
    both = [
        plan
        for plan in naive.phase_plans(world, start, 0)
        if all(ride.stage != "waiting" for ride in plan.rides.values())
    ]
    assert {tuple((ride.stage, ride.credit) for ride in plan.rides.values()) for plan in both} == {
        (("detraining", 1), ("entraining", 3)),
        (("entraining", 3), ("detraining", 1)),
    }


def test_the_example_of_17_2_2() -> None:
    """From Lodz to Warsaw on European gauge and on by Russian gauge: two RCPs are paid for twice, in points of each kind."""
    points = {"rail-points": Fraction(5), "euro-gauge-points": Fraction(5), "warsaw-points": Fraction(0)}
    world = line("2" * 20, {"U": {}}, "s" * 10 + "b" * 10, nation="russian", points=points)
    assert naive.best_routes(world, "U") == [], "the gauge changes in a station only"
    world["stations"].add("30.30")
    (plan,) = naive.best(world)
    assert plan.points == {"rail-points": 3, "euro-gauge-points": 3, "warsaw-points": 0}
    assert plan.rides["U"].spent == (2 + Fraction(20, 14) + 2 + 1, 1)


@pytest.mark.parametrize(("start", "left"), [("58.50", [(0, 2), (2, 0)]), ("58.55", [(0, 2)])])
def test_warsaw_points_pay_where_european_track_leads_to_warsaw(start: str, left: list[tuple[int, int]]) -> None:
    points = {"rail-points": Fraction(9), "euro-gauge-points": Fraction(2), "warsaw-points": Fraction(2)}
    world = line("22", {"U": {}}, nation="russian", points=points)
    hexes = ("58.50", "58.51", "58.52", "58.53"), ("58.54", "58.55")
    track = {"tracks": 2, "narrow": False, "gauge": "standard"}
    world["links"] = {sides: track for way in hexes for sides in pairwise(way)}
    paid = naive.pay(world, points, start, "standard", Fraction(2))
    assert [(rest["euro-gauge-points"], rest["warsaw-points"]) for rest in paid] == left


def test_without_rail_points_no_one_leaves() -> None:
    assert list(naive.plans(line("22", {"U": {}}, points={"rail-points": Fraction(3, 2)}))) == []
    assert len(naive.best(line("22", {"U": {}}, points={"rail-points": Fraction(2)}))) == 1


def test_a_longer_way_over_two_tracks_is_the_cheaper_one() -> None:
    world = line("11", {"U": {}})
    around = ("30.20", "31.20", "31.21", "30.22")
    world["links"] |= {sides: {"tracks": 2, "narrow": False, "gauge": "standard"} for sides in pairwise(around)}
    assert [halt.hex for halt in naive.best_routes(world, "U")[0]] == [*around]
    world["links"]["31.20", "31.21"]["narrow"] = True
    assert [halt.hex for halt in naive.best_routes(world, "U")[0]] == ["30.20", "30.21", "30.22"]


def test_a_world_is_the_same_each_time() -> None:
    assert text_of(made(7)) == text_of(made(7)) != text_of(made(8))
