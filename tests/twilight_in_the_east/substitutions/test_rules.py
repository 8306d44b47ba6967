"""Substitutions over plain values (16.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.case import list_bars
from twilight_in_the_east.substitutions.rules import (
    CASES,
    EIGHTH,
    FROMMEL,
    NINTH,
    PAIRED,
    THIRD_C,
    Exchanged,
    Substituting,
    circle_in,
    kind_of,
    levels_after,
    returns_in_exchange,
)

pytestmark = pytest.mark.rule("16.2", "16.2.1", "16.2.2", "16.2.2b", "16.2.3", "16.2.3a")
"""One procedure, of which each row is a clause."""


def bars(*olds: Exchanged, unit: str = "A", **more: Any) -> list[tuple[str, str]]:
    about = {"side": "", "voluntary": False, "turn": 7, "now": 7, "way": "", "lost": False, **more}
    case = Substituting(unit=unit, olds=olds, **about)
    return [(line.rule, line.text) for line in list_bars(case.bars)]


@pytest.mark.rule("16.4")
def test_what_becomes_of_a_substitute_and_of_one_eliminated() -> None:
    why = "NINTH Minor Depot has been eliminated, and comes back two game turns later (ask return)"
    assert bars(unit=NINTH, lost=True) == [("16.4", why)]
    assert [kind_of(standing, pair=pair) for standing, pair in ((1, False), (1, True), (2, True))] == ["exchange"] * 3
    assert kind_of(0, pair=False) == "reinforcement"
    assert kind_of(0, pair=True) == "never"


def test_the_divisions_that_are_formed_of_two() -> None:
    assert sorted(PAIRED) == sorted(["12/12", "1+2 rf/22", "3+4 rf/22", "35 r", "Wz/GZ", "Wn/TN", "kg lw"])


def test_the_status_improves_by_a_level_or_is_the_average_of_two() -> None:
    assert [levels_after([levels]) for levels in range(5)] == [0, 0, 1, 2, 3]
    assert [levels_after(levels) for levels in ([1, 2], [2, 1], [0, 1], [2, 2], [4, 1], [4, 4])] == [1, 1, 0, 2, 2, 4]


def test_the_cases_of_voluntary_substitutions() -> None:
    assert dict(CASES) == {"Karpaten": "", NINTH: EIGHTH, EIGHTH: NINTH, THIRD_C: FROMMEL}
    assert (NINTH, EIGHTH, THIRD_C, FROMMEL) == (
        "NINTH Minor Depot",
        "German EIGHTH Minor Depot",
        "3 C Train",
        "FR Train",
    )
    assert [unit for unit in CASES if returns_in_exchange(unit)] == [NINTH, EIGHTH]
    assert not returns_in_exchange(FROMMEL) and not returns_in_exchange(NINTH, "off-map")


@pytest.mark.parametrize(
    ("unit", "old", "why"),
    [
        ("A", "B", []),
        (NINTH, EIGHTH, []),
        (EIGHTH, NINTH, []),
        (THIRD_C, FROMMEL, []),
        (NINTH, "B", ["NINTH Minor Depot takes only the place of German EIGHTH Minor Depot"]),
        (EIGHTH, "B", ["German EIGHTH Minor Depot takes only the place of NINTH Minor Depot"]),
        (THIRD_C, "B", ["3 C Train takes only the place of FR Train"]),
        (FROMMEL, THIRD_C, ["3 C stays in the place of FR for good"]),
        (FROMMEL, "B", []),
        (NINTH, "D", ["NINTH Minor Depot takes only the place of German EIGHTH Minor Depot"]),
        ("A", THIRD_C, []),
    ],
)
def test_whose_place_a_voluntary_substitute_takes(unit: str, old: str, why: list[str]) -> None:
    found = bars(Exchanged(old, "41.19", nation="german", arm="minor-depot"), unit=unit)
    assert found == [("16.2.3a", text) for text in why]
    assert bars(Exchanged(old, "41.19"), unit=unit) == [], "whose it is, or what, is not stated"


@pytest.mark.parametrize(
    ("nation", "arm", "province", "why"),
    [
        ("austro-hungarian", "minor-depot", "hungary", []),
        ("austro-hungarian", "minor-depot", "none", ["D is not inside Hungary"]),
        ("austro-hungarian", "minor-depot", "bukowina", ["D is not inside Hungary"]),
        ("austro-hungarian", "major-depot", "hungary", ["D is not an Austro-Hungarian Minor Depot"]),
        ("german", "minor-depot", "none", ["D is not an Austro-Hungarian Minor Depot"]),
    ],
)
def test_karpaten_takes_the_place_of_a_depot_in_hungary(nation: str, arm: str, province: str, why: list[str]) -> None:
    depot = Exchanged("D", "41.19", nation=nation, arm=arm, province=province)
    assert bars(depot, unit="Karpaten") == [("16.2.3a", text) for text in why]
    assert bars(depot) == []


def test_who_does_not_come_back() -> None:
    assert [bars(unit=unit) for unit in (NINTH, FROMMEL, "A")] == [[], [], []]
    assert bars(unit=NINTH, way="exchanged") == bars(unit=EIGHTH, way="exchanged") == []
    for unit, way, told in (
        (FROMMEL, "exchanged", ("16.2.3a", "3 C stays in the place of FR for good")),
        (FROMMEL, "off-map", ("1.2.2", f"{FROMMEL} has left the map for good")),
        (NINTH, "off-map", ("1.2.2", f"{NINTH} has left the map for good")),
        ("A", "exchanged", ("16.2", "A has been exchanged for another unit")),
        ("A", "never-formed", ("16.2.2", "A is never formed")),
    ):
        assert bars(unit=unit, way=way) == [told]


def test_a_circle_of_substitutions() -> None:
    assert circle_in({"A": ("B",), "B": ("C",)}) == ()
    assert circle_in({"A": ("A",)}) == ("A", "A")
    assert circle_in({"A": ("B",), "B": ("A",)}) == ("A", "B", "A")
    assert circle_in({"X": ("A",), "A": ("B",), "B": ("C",), "C": ("A",)}) == ("A", "B", "C", "A")
    assert circle_in({"12/12": ("B", "C"), "C": ("12/12",)}) == ("12/12", "C", "12/12")
    assert circle_in({NINTH: (EIGHTH,), EIGHTH: (NINTH,)}) == (), "these take the place of each other"
    assert circle_in({"A": ("B", "C"), "B": ("D",), "C": ("D",)}) == ()


def test_a_substitution_waits_for_its_turn_if_the_present_one_is_stated() -> None:
    ready = [("16.2", "the substitution is ready in GT 2")]
    assert [bars(Exchanged("B"), turn=2, now=now) for now in (0, 1, 2)] == [[], ready, []]
