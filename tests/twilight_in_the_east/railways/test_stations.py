"""RR Stations: where units entrain, where they go, and how many Rail Cost Points they serve (8.2.3, 8.2.6)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from assistant.asking.permission import Clause, holding
from twilight_in_the_east.railways.stations import (
    Platform,
    Work,
    Yards,
    is_destination_lost,
    station_capacity,
    why_no_destination,
    why_no_entraining,
    why_not_instead,
    work_on,
)

GOOD = Platform(hex="40.23", station=True, operational=True, enemy=3)


def said(platform: Platform, clauses: Iterable[Clause], **figures: object) -> list[tuple[str, str]]:
    """The rule and the words of each clause that holds."""
    return [(bar.rule, bar.text) for bar in holding(clauses, platform, **figures)]


def entraining(platform: Platform) -> list[tuple[str, str]]:
    return said(platform, why_no_entraining(platform))


def destination(platform: Platform) -> list[tuple[str, str]]:
    return said(platform, why_no_destination(platform))


def instead(platform: Platform, distance: int | None) -> list[tuple[str, str]]:
    return said(platform, why_not_instead(platform, distance), distance=distance)


@pytest.mark.rule("8.2.3b")
def test_units_entrain_in_a_friendly_station_outside_enemy_zones() -> None:
    assert entraining(GOOD) == []
    assert entraining(replace(GOOD, enemy=1, friendly=False)) == []
    assert entraining(replace(GOOD, station=False)) == [("8.2.3", "40.23 has no RR Station")]
    near = "40.23 has no RR Station; the nearest that will do: 40.21, 41.22"
    assert entraining(replace(GOOD, station=False, near=("40.21", "41.22"))) == [("8.2.3", near)]
    text = "the RR line in 40.23 is not friendly operational"
    assert entraining(replace(GOOD, operational=False)) == [("8.2.3", text)]
    assert entraining(replace(GOOD, zone=True)) == [("8.2.3", "40.23 is in an EZOC")]


@pytest.mark.rule("8.2.3f")
def test_a_destination_is_a_friendly_station_three_hexes_from_enemies() -> None:
    assert destination(GOOD) == []
    assert destination(replace(GOOD, enemy=None)) == []
    near = [why for _, why in destination(replace(GOOD, enemy=2))]
    assert near == ["an enemy is 2 hexes from 40.23, nearer than 3"]
    assert [why for _, why in destination(replace(GOOD, enemy=1))] == ["an enemy is 1 hex from 40.23, nearer than 3"]
    assert destination(replace(GOOD, station=False)) == [("8.2.3", "40.23 has no RR Station")]
    away = destination(replace(GOOD, friendly=False))
    assert away == [("8.2.3", "40.23 is not in friendly controlled territory")]


@pytest.mark.rule("8.2.3g")
def test_a_destination_is_lost_to_the_enemy_and_a_new_one_lies_within_ten_hexes() -> None:
    assert not is_destination_lost(replace(GOOD, enemy=2, station=False))
    assert is_destination_lost(replace(GOOD, friendly=False))
    assert is_destination_lost(replace(GOOD, zone=True))
    assert instead(GOOD, 10) == []
    far = instead(GOOD, 11)
    assert far == [("8.2.3", "40.23 is 11 hexes along the line from the old destination, more than 10")]
    nowhere = "no friendly operational RR line leads from the old destination to 40.23"
    assert instead(GOOD, None) == [("8.2.3", nowhere)]
    assert len(instead(replace(GOOD, enemy=2), 11)) == 2


@pytest.mark.rule("8.2.6")
def test_the_example_of_8_2_6() -> None:
    yards = Yards(station_capacity(counter=False))
    first = work_on(Fraction(5), Fraction(0), Fraction(7), yards.room("A"))
    assert first == Work(Fraction(5), Fraction(5), True)
    yards = yards.after("A", first.points, Fraction(5))
    second = work_on(Fraction(5), Fraction(0), Fraction(7), yards.room("A"))
    assert second == Work(Fraction(3), Fraction(3), False)
    yards = yards.after("A", second.points, Fraction(3))
    assert (yards.room("A"), yards.room("B")) == (0, 8)
    assert Yards(Fraction(4), {"A": Fraction(5)}).room("A") == 0, "never fewer than none"


@pytest.mark.rule("8.2.6a")
def test_units_queue_only_by_the_optional_rule() -> None:
    two = Fraction(2)
    yards = Yards(Fraction(8), queuing=True)
    assert yards.start("A", Fraction(0)) == 0
    after = yards.after("A", Fraction(1), Fraction(1))
    assert (after.start("A", Fraction(0)), after.start("B", Fraction(0)), after.queuing) == (1, 0, True)
    marched = yards.after("A", two, two + 2)
    assert marched.start("A", Fraction(4)) == 4, "the second unit arrives as the first finishes"
    longer = yards.after("A", Fraction(4), two + 4)
    assert longer.start("A", Fraction(4)) - 4 == 2, "it loses two points"
    plain = Yards(Fraction(8)).after("A", Fraction(4), Fraction(6))
    assert (plain.start("A", Fraction(4)), dict(plain.busy)) == (4, {})
    assert Yards(Fraction(8), busy={"A": Fraction(6)}).start("A", Fraction(4)) == 4


@pytest.mark.rule("8.2.3c", "8.2.3k", "8.2.6")
def test_the_examples_of_8_2_3() -> None:
    done = work_on(Fraction(4), Fraction(0), Fraction(7))
    assert (done.complete, Fraction(7) - done.points) == (True, 3)
    begun = work_on(Fraction(3), Fraction(0), Fraction(2))
    assert begun == Work(Fraction(2), Fraction(2), False)
    assert work_on(Fraction(5), begun.done, Fraction(2)) == Work(Fraction(2), Fraction(4), False)
    assert work_on(Fraction(3), begun.done, Fraction(7, 2)) == Work(Fraction(1), Fraction(3), True)


@pytest.mark.rule("8.2.3c", "8.2.3k", "8.2.6")
def test_what_is_carried_over_is_whole_and_nothing_is_forced() -> None:
    assert work_on(Fraction(5), Fraction(0), Fraction(7, 2)) == Work(Fraction(3), Fraction(3), False)
    assert work_on(Fraction(1, 2), Fraction(0), Fraction(1, 2)) == Work(Fraction(1, 2), Fraction(1, 2), True)
    assert work_on(Fraction(1, 2), Fraction(0), Fraction(1, 3)) == Work(Fraction(0), Fraction(0), False)
    assert work_on(Fraction(3), Fraction(0), Fraction(-1)) == Work(Fraction(0), Fraction(0), False)
    assert work_on(Fraction(3), Fraction(4), Fraction(0)) == Work(Fraction(0), Fraction(3), True)
    assert work_on(Fraction(3), Fraction(0), Fraction(7), Fraction(0)) == Work(Fraction(0), Fraction(0), False)
