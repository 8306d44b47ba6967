"""Moves by rail against a second, naive reckoning written by somebody who had only the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest

from assistant.asking.report import Report

from ...cases import few, seeds
from ...conftest import answered, typed
from . import naive_rail as naive
from .made_railways import made, text_of
from .naive_rail import Plan, World

BOARDS = 10
"""How many railways each seed makes."""


def railways(seed: int) -> list[World]:
    return [made(BOARDS * seed + number) for number in range(BOARDS)]


def timetables(world: World, order: Sequence[str]) -> tuple[dict[str, Any], str]:
    """The timetable of each unit as the question `rail` has it, empty if they do not all go, or their destinations would
    not do once they have entrained; and what it says.
    """
    goals = [world["units"][name]["destination"] for name in order]
    report: Report[Any] = answered(typed(text_of(world)), "rail", units=list(order), to=goals, rate=world["rates"][0])
    assert report.result is not None, (report.verdict.text, report.asks, text_of(world))
    goes = report.verdict.kind != "no" and all(unit.destination for unit in report.result.units)
    return {unit.unit: unit for unit in report.result.units} if goes else {}, report.verdict.text


def spent_by_phase(unit: Any, phases: int) -> tuple[Fraction, ...]:
    """What a unit spends in each of the first phases."""
    spent = [sum(phase.spent.values(), Fraction(0)) for phase in unit.phases]
    return tuple([*spent, *[Fraction(0)] * phases][:phases])


def naive_timetable(plan: Plan, name: str, phases: int) -> tuple[Fraction, ...]:
    """The same of a naive timetable."""
    return (*plan.rides[name].spent, *[Fraction(0)] * phases)[:phases]


def pools_after(world: World, units: dict[str, Any]) -> dict[str, Fraction]:
    """What is left of the pools when all units have paid."""
    paid: Counter[str] = Counter()
    for unit in units.values():
        paid.update(unit.paid)
    return {pool: left - paid[pool] for pool, left in world["points"].items()}


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_a_timetable_is_one_of_those_by_which_units_leave_at_once_in_their_order(seed: int) -> None:
    for world in railways(seed):
        phases, expected = len(world["phases"]), naive.in_order(world)
        units, words = timetables(world, tuple(world["units"]))
        assert bool(units) is bool(expected), f"{words}\n{text_of(world)}"
        if not units:
            continue
        plans = [
            plan
            for plan in expected
            if all(naive_timetable(plan, name, phases) == spent_by_phase(unit, phases) for name, unit in units.items())
        ]
        assert plans, f"{words}\n{text_of(world)}"
        arrivals = {name: len(unit.phases) - 1 for name, unit in units.items() if len(unit.phases) <= phases}
        assert all(plan.arrivals == arrivals for plan in plans), f"{words}\n{text_of(world)}"
        if len(arrivals) == len(units):
            assert pools_after(world, units) in [plan.points for plan in plans], f"{words}\n{text_of(world)}"
        pools = [phase.pools or {} for unit in units.values() for phase in unit.phases]
        left = [
            points for pool in pools for points in pool.values() if points is not None
        ]  # those of the next Inter-Phase are not known
        assert min(left, default=0) >= 0, f"{words}\n{text_of(world)}"


@few(1)
@pytest.mark.parametrize("seed", seeds(15))
def test_no_order_of_units_arrives_before_the_best_of_all_departures(seed: int) -> None:
    """A unit alone arrives as early as it can; several may do better by giving way to one another later on."""
    for world in railways(seed):
        best, phases = naive.best(world), len(world["phases"])
        tables = [timetables(world, order)[0] for order in permutations(world["units"])]
        last = [max(len(unit.phases) - 1 for unit in units.values()) for units in tables if units]
        earliest = min([number for number in last if number < phases], default=None)
        expected = naive.last_arrival(best[0]) if best else None
        if len(world["units"]) == 1 or expected is None:
            assert earliest == expected, text_of(world)
        elif earliest is not None:
            assert earliest >= expected, text_of(world)


# --- the naive reckoning itself, by example ---------------------------------------------------------------------------


def line(tracks: str, units: dict[str, dict[str, Any]], gauges: str = "", **more: Any) -> World:
    """A RR line down column 30 from 30.20 on, with one or two tracks to each next hex, and stations at its ends.
    gauges: b, s or x for both.
    """
    hexes = [f"30.{row}" for row in range(20, 21 + len(tracks))]
    kinds = {"b": "broad", "s": "standard", "x": "both"}
    links = {
        sides: {"tracks": int(count), "narrow": False, "gauge": kinds[gauge]}
        for sides, count, gauge in zip(pairwise(hexes), tracks, gauges or "s" * len(tracks), strict=True)
    }
    basic = {"place": hexes[0], "destination": hexes[-1], "rail-cost": Fraction(2), "movement": 7}
    world: World = {
        "nation": "german", "phases": ("movement", "counter-movement") * 2, "rates": (14,) * 4, "links": links,
        "stations": {hexes[0], hexes[-1]}, "closed": set(), "enemies": {}, "points": {"rail-points": Fraction(20)},
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
    """From Lodz to Warsaw on European gauge and on by Russian gauge: two RCPs are paid for twice, in points of each
    kind.
    """
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
