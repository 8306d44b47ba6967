"""Trains, phase by phase: entraining, payment, moving, trans-shipping and detraining, and when they can fight (8.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twilight_in_the_east.ground.calendar import MovementPhase, phases
from twilight_in_the_east.railways.rail_points import Purse, RailPool
from twilight_in_the_east.railways.routes import Route, RouteLeg
from twilight_in_the_east.railways.stations import Yards, station_capacity
from twilight_in_the_east.railways.transport import (
    Battle,
    Stage,
    Train,
    TrainPhase,
    first_battle,
    has_interphase,
    run_phase,
    timetables,
)

GERMAN = RailPool("german", "rail-points")
RUSSIAN, EUROPEAN, WARSAW = (
    RailPool("russian", kind) for kind in ("rail-points", "euro-gauge-points", "warsaw-points")
)
ORDER = ("russian", "central-powers")


def train(cost: str = "2", **given: Any) -> Train:
    basic: dict[str, Any] = {
        "unit": "A",
        "nation": "german",
        "allowance": Fraction(7),
        "place": "S",
        "destination": "D",
    }
    return Train(cost=Fraction(cost), **basic | given)


def way(*hexes: int, gauge: str = "") -> Route:
    """A route to D of legs that count for so many hexes."""
    ends = [f"H{number}" for number in range(1, len(hexes))]
    return Route("S", tuple(RouteLeg(end, count, gauge) for end, count in zip([*ends, "D"], hexes, strict=True)), gauge)


def now(counter: bool = False, rate: int = 14, turn: int = 16) -> TrainPhase:
    return TrainPhase(turn, "russian" if counter else "central-powers", counter, rate)


def run(unit: Train, route: Route, moment: TrainPhase | None = None, purse: Purse | None = None, **given: Any) -> Stage:
    moment = moment or now()
    yards = given.pop("yards", Yards(station_capacity(counter=moment.counter)))
    return run_phase(unit, route, moment, yards, {GERMAN: Fraction(20)} if purse is None else purse, **given)[0]


@pytest.mark.rule("8.2.3a", "8.2.3c", "8.2.3d", "8.2.3e")
def test_a_unit_of_four_points_keeps_three_of_seven_for_the_journey() -> None:
    stage = run(train("4"), way(*[1] * 60))
    assert stage.spent == {"entraining": 4, "rail": 3}
    assert (stage.paid, stage.train.aboard, len(stage.hexes), stage.train.place) == ({GERMAN: 4}, True, 42, "H42")
    assert (stage.train.task, stage.train.done, stage.left, stage.arrived) == ("", 0, 0, False)


@pytest.mark.rule("8.2.3a", "8.2.3c", "8.2.3d", "8.2.3e", "8.2.3k")
def test_what_is_missing_is_entrained_in_the_next_phase() -> None:
    first = run(train("3", allowance=Fraction(2)), way(1))
    assert (first.spent, first.train.task, first.train.done, first.paid) == ({"entraining": 2}, "entraining", 2, {})
    assert not first.train.aboard and not first.hexes
    second = run(train("3", task="entraining", done=Fraction(2)), way(1, 1), now(counter=True))
    assert second.spent == {"entraining": 1, "rail": Fraction(1, 7), "detraining": 2}
    assert (second.train.task, second.train.done, second.train.place) == ("detraining", 2, "D")
    assert (second.paid, second.left) == ({GERMAN: 3}, Fraction(5, 14))
    none = run(train("3", spent=Fraction(7)), way(1))
    assert (none.spent, none.train.task, none.train.done) == ({}, "", 0)


@pytest.mark.rule("8.2.3a", "8.2.3h", "8.2.3j", "8.2.3k", "8.2.2", "8.2.8", "8.2.9")
def test_the_long_example_of_8_2_9() -> None:
    route = way(*[2] * 4, *[1] * 43)
    stage, _, yards, purse = run_phase(train(), route, now(), Yards(Fraction(8)), {GERMAN: Fraction(10)})
    assert stage.spent == {"entraining": 2, "rail": Fraction(51, 14), "detraining": 1}
    assert (stage.train.task, stage.train.done, stage.train.aboard) == ("detraining", 1, True)
    assert (yards.used, purse) == ({"S": 2, "D": 1}, {GERMAN: 8})
    on_a_line = train(place="D", aboard=True, task="detraining", done=Fraction(1), gauge="broad")
    last = run(on_a_line, Route("D"), now(counter=True, turn=17))
    assert (last.spent, last.arrived, last.left) == ({"detraining": 1}, True, Fraction(5, 2))
    assert last.train == train(place="D", destination="")
    assert stage.train == train(place="D", aboard=True, task="detraining", done=Fraction(1))
    assert run(train(spent=Fraction(9)), way(1)).left == 0, "by Forced March"


@pytest.mark.rule("8.2.3a", "8.2.3c", "8.2.3d", "8.2.3e")
def test_without_rail_points_the_move_begins_anew_and_under_a_marker_wastes_the_rest() -> None:
    stage, route, yards, purse = run_phase(train("3"), way(1), now(), Yards(Fraction(8)), {GERMAN: Fraction(5, 2)})
    assert (stage.spent, stage.lacking, stage.paid, stage.wasted) == ({}, Fraction(1, 2), {}, False)
    assert (yards.used, purse, route, stage.train) == ({}, {GERMAN: Fraction(5, 2)}, way(1), train("3"))
    assert run(train("3"), way(1), purse={GERMAN: Fraction(3)}).paid == {GERMAN: 3}
    stage = run(train("3", task="entraining", done=Fraction(1)), way(1), purse={GERMAN: Fraction(2)})
    assert (stage.spent, stage.lacking, stage.wasted, stage.paid) == ({"entraining": 2}, 1, True, {})
    assert (stage.train.aboard, stage.train.task, stage.train.done, stage.left) == (False, "", 0, 5)


@pytest.mark.rule("8.2.3h", "8.2.2", "8.2.8")
def test_a_train_never_stops_short_while_it_can_move() -> None:
    stage = run(train(aboard=True), way(2, 2, 2, 2), now(rate=1))
    assert (stage.hexes, stage.spent, stage.left) == (("H1", "H2", "H3"), {"rail": 6}, 1)
    onward = run(train(aboard=True), way(2, 2), now(counter=True, rate=1))
    assert (onward.hexes, onward.left) == (("H1",), Fraction(3, 2))
    exact = run(train(aboard=True), way(1, 6, 1), now(rate=1))
    assert (exact.hexes, exact.left) == (("H1", "H2"), 0)
    detraining = run(train("1", aboard=True), way(1, 5), now(rate=1))
    assert (detraining.arrived, detraining.spent) == (True, {"rail": 6, "detraining": 1})


@pytest.mark.rule("8.2.8", "8.2.3h", "8.2.2")
def test_over_an_off_map_line_it_gets_as_far_as_it_can() -> None:
    route = Route("85.27", (RouteLeg("98.36", 16, off_map=True), RouteLeg("98.65", 40, off_map=True)))
    begin = train(aboard=True, place="85.27", destination="98.65", allowance=Fraction(4))
    stage, left, *_ = run_phase(begin, route, now(rate=12, turn=9), Yards(Fraction(8)), {})
    assert (stage.spent, stage.hexes, stage.train.place, stage.train.gone) == ({"rail": 4}, ("98.36",), "98.36", 32)
    assert left == Route("98.36", route.legs[1:])
    onward = run(stage.train, left, now(counter=True, rate=12))
    assert (onward.hexes, onward.spent, onward.train.gone) == (("98.65",), {"rail": Fraction(2, 3), "detraining": 1}, 0)
    assert (stage.spent["rail"] + onward.spent["rail"]) == Fraction(14, 3)
    slower = run(stage.train, left, now(counter=True, rate=1))
    assert (slower.hexes, slower.train.place, slower.train.gone) == ((), "98.36", 34)
    whole = run(train("1", aboard=True, place="85.27", destination="98.65"), route, now(rate=12))
    assert (whole.spent, whole.arrived) == ({"rail": Fraction(14, 3), "detraining": 1}, True)


@pytest.mark.rule("17.2.2", "17.2", "8.2.1a", "8.2.1b", "8.2.3c", "8.2.3d", "8.2.3e", "8.2.3h", "8.2.3j", "8.2.3a")
def test_the_example_of_17_2_2() -> None:
    legs = (RouteLeg("W", 10, "standard"), RouteLeg("W", 0, "broad"), RouteLeg("D", 4, "broad"))
    unit = train(nation="russian", place="L")
    purse = {RUSSIAN: Fraction(2), EUROPEAN: Fraction(3), WARSAW: Fraction(1)}
    stage, _, yards, left = run_phase(unit, Route("L", legs, "standard"), now(rate=10), Yards(Fraction(8)), purse)
    assert stage.spent == {"entraining": 2, "rail": Fraction(7, 5), "trans-shipping": 2, "detraining": 1}
    assert (stage.paid, left) == ({EUROPEAN: 2, RUSSIAN: 2}, {RUSSIAN: 0, EUROPEAN: 1, WARSAW: 1})
    assert (stage.train.gauge, stage.train.place, stage.hexes) == ("broad", "D", ("W", "D"))
    assert yards.used == {"L": 2, "D": 1}, "a unit that trans-ships does not detrain"
    joined = run(unit, Route("L", legs, "standard"), now(rate=10), purse, warsaw={"L"})
    assert joined.paid == {WARSAW: 1, EUROPEAN: 1, RUSSIAN: 2}
    back = (RouteLeg("W", 10, "broad"), RouteLeg("W", 0, "standard"), RouteLeg("D", 4, "standard"))
    again = run(unit, Route("L", back, "broad"), now(rate=10), purse, warsaw={"W"})
    assert again.paid == {RUSSIAN: 2, WARSAW: 1, EUROPEAN: 1}


@pytest.mark.rule("17.2.2")
def test_trans_shipping_is_carried_over_and_paid_for_when_it_is_complete() -> None:
    legs = (RouteLeg("S", 0, "broad"), RouteLeg("D", 4, "broad"))
    unit = train("3", nation="russian", aboard=True, gauge="standard", allowance=Fraction(5, 2))
    purse = {RUSSIAN: Fraction(3), EUROPEAN: Fraction(0), WARSAW: None}
    first, route, _, left = run_phase(unit, Route("S", legs, "standard"), now(), Yards(Fraction(8)), purse)
    assert (first.spent, first.train.task, first.train.done, left) == (
        {"trans-shipping": 2},
        "trans-shipping",
        2,
        purse,
    )
    assert (route.legs, first.train.gauge) == (legs, "standard")
    second = run(first.train, route, now(), purse)
    assert (second.spent["trans-shipping"], second.paid, second.train.gauge) == (1, {RUSSIAN: 3}, "broad")
    assert (second.train.task, second.train.done, second.train.place) == ("detraining", 1, "D")
    far = (RouteLeg("S", 0, "broad"), RouteLeg("D", 400, "broad"))
    onward, rest, *_ = run_phase(first.train, Route("S", far, "standard"), now(), Yards(Fraction(8)), purse)
    assert rest == Route("S", far[1:], "broad")
    assert onward.train == train("3", nation="russian", aboard=True, gauge="broad", allowance=Fraction(5, 2))
    short = run(first.train, route, now(), {RUSSIAN: Fraction(2)})
    assert (short.lacking, short.spent, short.train.place, short.train.done) == (1, {}, "S", 2)
    idle = run(train("3", nation="russian", aboard=True, allowance=Fraction(0)), Route("S", legs), now(), purse)
    assert (idle.train.task, idle.spent) == ("", {})


@pytest.mark.rule("8.2.6a", "8.2.3c", "8.2.3d", "8.2.3e", "8.2.3j", "8.2.3k")
def test_a_queue_costs_movement_points() -> None:
    yards = Yards(Fraction(8), queuing=True)
    first, _, yards, purse = run_phase(train("1"), way(60), now(rate=1), yards, {GERMAN: Fraction(9)})
    second, _, after, _ = run_phase(train("2", unit="B"), way(60), now(rate=1), yards, purse)
    assert (first.spent, second.spent) == ({"entraining": 1}, {"waiting": 1, "entraining": 2})
    assert (second.left, after.busy) == (4, {"S": 3})
    late = run(
        train("4", unit="B", spent=Fraction(4)),
        way(60),
        now(rate=1),
        yards=Yards(Fraction(8), {}, {"S": Fraction(6)}, True),
    )
    assert (late.spent, late.train.done) == ({"waiting": 2, "entraining": 1}, 1)
    there = run(train("2", aboard=True), way(1), now(rate=1), yards=Yards(Fraction(8), {}, {"D": Fraction(3)}, True))
    assert there.spent == {"rail": 1, "waiting": 2, "detraining": 2}
    full = run(
        train("2", aboard=True),
        way(1),
        now(rate=1),
        yards=Yards(Fraction(8), {"D": Fraction(8)}, {"D": Fraction(3)}, True),
    )
    assert (full.spent, full.train.task) == ({"rail": 1}, "")
    shut = Yards(Fraction(8), {"S": Fraction(8)}, {"S": Fraction(3)}, True)
    assert run(train("2"), way(1), yards=shut).spent == {}


@pytest.mark.rule("8.2.6", "8.2.3c", "8.2.3d", "8.2.3e", "8.2.3j", "8.2.3k")
def test_a_full_station_keeps_units_aboard() -> None:
    full = Yards(Fraction(8), {"D": Fraction(6)})
    stage = run(train("5", aboard=True), way(1), yards=full)
    assert (stage.spent["detraining"], stage.train.done, stage.train.aboard, stage.arrived) == (2, 2, True, False)
    waits = run(train("5"), way(1), yards=Yards(Fraction(8), {"S": Fraction(8)}))
    assert (waits.spent, waits.train.task, waits.train.done) == ({}, "", 0)


def moments(counter_first: bool = False) -> Iterator[TrainPhase]:
    first = MovementPhase(16, "russian" if counter_first else "central-powers", counter_first)
    for turn, phasing, counter, _ in phases(first, "central-powers", ORDER):
        yield TrainPhase(turn, phasing, counter, 14)


@pytest.mark.rule("8.2.6", "8.2.3a")
def test_trains_share_stations_and_points_in_their_order() -> None:
    both = [train("5"), train("5", unit="B")]
    tables = timetables(both, [way(14), way(14)], moments, Yards(Fraction(8)), {GERMAN: Fraction(9)})
    first, second = tables
    assert [stage.spent for stage in first.stages] == [
        {"entraining": 5, "rail": 1, "detraining": 1},
        {"detraining": 3},
        {"detraining": 1},
    ]
    assert first.done == TrainPhase(17, "central-powers", False, 14)
    assert second.stages[0].spent == {"entraining": 3}
    assert (second.stages[1].wasted, second.stages[1].lacking, second.done) == (True, 1, None)
    assert len(second.stages) == 2, "its journey is over"
    assert first.yards[1].used == {"D": 3} and first.purses[0] == {GERMAN: 4}
    unit = train(nation="russian")
    purse = {RUSSIAN: Fraction(0), EUROPEAN: Fraction(0), WARSAW: Fraction(2)}
    (paid,) = timetables([unit], [way(1, gauge="standard")], moments, Yards(Fraction(8)), purse, {"S"})
    assert paid.stages[0].paid == {WARSAW: 2}
    enough = timetables(both, [way(14), way(14)], moments, Yards(Fraction(8)), {GERMAN: Fraction(10)})
    assert [len(table.stages) for table in enough] == [3, 3]
    assert enough[1].stages[2].spent == {"detraining": 5} and enough[1].done == enough[0].done


@pytest.mark.rule("5.2.1")
def test_new_points_come_with_the_inter_phase() -> None:
    seen = []

    def renewed(turn: int) -> Purse:
        seen.append(turn)
        return {GERMAN: Fraction(1)}

    def later() -> Iterator[TrainPhase]:
        for turn, phasing, counter, _ in phases(MovementPhase(17, "central-powers", False), "central-powers", ORDER):
            yield TrainPhase(turn, phasing, counter, 1)

    slow = train("8", allowance=Fraction(2))
    (table,) = timetables([slow], [way(1)], later, Yards(Fraction(8)), {GERMAN: Fraction(9)}, renewed=renewed)
    assert seen == [18] and table.stages[-1].lacking == 7

    def at_once() -> Iterator[TrainPhase]:
        yield TrainPhase(19, "central-powers", False, 1)

    left = {GERMAN: Fraction(9)}
    for since, lacking in ((18, 1), (19, 0), (None, 0)):
        (table,) = timetables([train("2")], [way(1)], at_once, Yards(Fraction(8)), left, renewed=renewed, since=since)
        assert table.stages[0].lacking == lacking
    assert [has_interphase(*turns) for turns in ((3, 3), (3, 4), (2, 3), (4, 6), (6, 7))] == [
        False,
        True,
        False,
        False,
        True,
    ]


def test_the_phases_of_a_side_follow_one_another() -> None:
    own = phases(MovementPhase(16, "central-powers", False), "central-powers", ORDER)
    assert [phase[:3] for phase in islice(own, 3)] == [
        (16, "central-powers", False),
        (17, "russian", True),
        (17, "central-powers", False),
    ]
    russian = phases(MovementPhase(16, "russian", False), "russian", ORDER)
    assert [phase[:3] for phase in islice(russian, 3)] == [
        (16, "russian", False),
        (16, "central-powers", True),
        (17, "russian", False),
    ]
    unstated = phases(MovementPhase(0, "central-powers", False), "central-powers", ORDER)
    assert [phase.turn for phase in islice(unstated, 4)] == [0, 0, 0, 0]


@pytest.mark.rule("8.2.5")
def test_a_unit_fights_in_the_attack_phase_that_follows_or_once_its_marker_is_off() -> None:
    own, theirs = TrainPhase(16, "central-powers", False, 14), TrainPhase(17, "russian", True, 14)
    assert first_battle(own, marked=False) == Battle(16, "central-powers", False)
    assert first_battle(theirs, marked=False) == Battle(17, "russian", True)
    assert first_battle(own, marked=True) == Battle(17, "central-powers", False)
    assert first_battle(theirs, marked=True) == Battle(18, "russian", True)
    assert first_battle(TrainPhase(0, "russian", True, 1), marked=True) == Battle(0, "russian", True)


costs = st.fractions(min_value=Fraction(1, 2), max_value=6, max_denominator=2)


@pytest.mark.rule("8.2.1", "8.2.6")
@given(
    st.lists(costs, min_size=1, max_size=4), st.fractions(min_value=0, max_value=12, max_denominator=2), st.booleans()
)
def test_neither_pools_nor_stations_fall_below_zero(units: list[Fraction], left: Fraction, queuing: bool) -> None:
    trains = [train(str(cost), unit=f"U{number}") for number, cost in enumerate(units)]
    yards = Yards(Fraction(8), queuing=queuing)
    tables = timetables(trains, [way(5, 3)] * len(trains), moments, yards, {GERMAN: left})
    for table, cost in zip(tables, units, strict=True):
        assert all(points is not None and points >= 0 for purse in table.purses for points in purse.values())
        assert all(used <= each.capacity for each in table.yards for used in each.used.values())
        for stage in table.stages:
            have = Fraction(7, 2) if stage.moment.counter else Fraction(7)
            assert sum(stage.spent.values()) + stage.left == have
        work = sum(stage.spent.get("entraining", 0) for stage in table.stages)
        assert work in (0, cost)
