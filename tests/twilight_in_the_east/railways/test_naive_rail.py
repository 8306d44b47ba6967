"""Moves by rail against a second, naive reckoning written by somebody who had only the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
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
