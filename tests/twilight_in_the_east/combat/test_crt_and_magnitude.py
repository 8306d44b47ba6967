"""Magnitude, CRT cells and retreats, seasons, zones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.game.games import Game
from twilight_in_the_east.combat.before_dice import CrtResult, crt_modifier, crt_retreat, read_result
from twilight_in_the_east.combat.engagement import divisions, magnitude
from twilight_in_the_east.forces.units import CombatUnit, stacking_value
from twilight_in_the_east.ground import calendar

from ..results.conftest import GUNS, division

HALF = Fraction(1, 2)


@pytest.mark.rule("10.10.1", "4.2", "2.2d", "12.0")
@pytest.mark.parametrize(
    ("arm", "size", "reduced", "counts", "stacks"),
    [
        ("infantry", "XX", False, 1, 1),
        ("infantry", "XX", True, HALF, HALF),
        ("infantry", "X", False, HALF, HALF),
        ("infantry", "X", True, HALF, HALF),
        ("infantry", "III", False, 0, 0),
        ("cavalry", "XX", False, HALF, HALF),
        ("cavalry", "X", False, 0, 0),
        ("artillery", "-", False, 0, 0),
        ("fortress", "-", False, HALF, 0),
        ("fort", "-", False, 0, 0),
    ],
)
def test_what_units_count_for(arm: str, size: str, reduced: bool, counts: Fraction, stacks: Fraction) -> None:
    unit = division("a", arm=arm, size=size, reduced=reduced)
    assert (divisions([unit]), stacking_value(unit)) == (counts, stacks)


@pytest.mark.rule("10.10.1", "12.0")
def test_what_units_count_for_together() -> None:
    units = [division(), division(arm="fortress", size="-"), division(arm="fort", size="-"), GUNS]
    assert divisions(units) == Fraction(3, 2)


@pytest.mark.rule("10.10.1", "10.10.1b")
@pytest.mark.parametrize(
    ("attacking", "defending", "size"),
    [
        ("1", "1/2", "Small"),
        ("1", "1", "Medium"),
        ("3/2", "1/2", "Medium"),
        ("5/2", "1", "Medium"),
        ("3", "1/2", "Medium"),
        ("3", "1", "Large"),
        ("3", "2", "Large"),
        ("4", "3/2", "Large"),
        ("5", "1", "Large"),
        ("9/2", "3/2", "Large"),
        ("4", "2", "Massive"),
        ("5", "3", "Massive"),
    ],
)
def test_magnitude(attacking: str, defending: str, size: str) -> None:
    assert magnitude(Fraction(attacking), Fraction(defending)) == size


@pytest.mark.rule("10.9.1")
@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("-", (0, 0, 0, False, False)),
        ("+2", (2, 0, 0, False, False)),
        ("-1", (-1, 0, 0, False, False)),
        ("W2", (0, 2, 0, False, False)),
        ("B3", (0, 0, 3, False, False)),
        ("X", (0, 0, 0, True, False)),
        ("*", (0, 0, 0, False, True)),
        ("-1 *", (-1, 0, 0, False, True)),
        ("+1 B1", (1, 0, 1, False, False)),
        ("+1 X W2 *", (1, 2, 0, True, True)),
    ],
)
def test_what_a_cell_says(cell: str, found: tuple[Any, ...]) -> None:
    assert read_result(cell) == CrtResult(*found)


@pytest.mark.rule("10.9.1b", "10.10.3a")
@pytest.mark.parametrize(("cell", "german", "modifier"), [("+2 X", True, 1), ("+2 X", False, 2), ("+2", True, 2)])
def test_an_x_helps_germans(cell: str, german: bool, modifier: int) -> None:
    assert crt_modifier(read_result(cell), all_german=german) == modifier


@pytest.mark.rule("10.9.1d", "10.9.1e", "13.3.1a")
@pytest.mark.parametrize(
    ("cell", "position", "steps", "leftover", "found"),
    [
        pytest.param("B1", 0, 0, "retreat", (1, 0), id="black"),
        pytest.param("B1", 1, 0, "retreat", (0, 0), id="ignored in an Improved Position"),
        pytest.param("B1", 0, 3, "retreat", (0, 0), id="and by a fortress unit"),
        pytest.param("W2", 0, 0, "retreat", (2, 0), id="white"),
        pytest.param("W2", 4, 0, "retreat", (2, 0), id="in an Improved Position too"),
        pytest.param("W2 B1", 0, 0, "retreat", (3, 0), id="both"),
        pytest.param("W2 B1", 1, 0, "retreat", (2, 0), id="an Improved Position ignores black"),
        pytest.param("W2 B1", 0, 1, "retreat", (1, 1), id="a fortress unit ignores black and absorbs white"),
        pytest.param("W3", 0, 2, "retreat", (1, 2), id="as many hexes as it has steps"),
        pytest.param("W2 B1", 0, 5, "retreat", (0, 2), id="as many steps as hexes"),
        pytest.param("W2 B1", 0, 1, "ignored", (0, 1), id="the rest ignored"),
        pytest.param("W3", 0, 3, "ignored", (0, 3), id="no rest"),
        pytest.param("W2 B1", 0, 0, "ignored", (3, 0), id="without a fortress unit there is no rest"),
    ],
)
def test_hexes_of_retreat_and_steps_in_their_place(
    cell: str, position: int, steps: int, leftover: str, found: tuple[int, int]
) -> None:
    assert crt_retreat(read_result(cell), position, steps, leftover) == found


@pytest.mark.rule("10.9", "19.0")
def test_seasons() -> None:
    assert [calendar.season(turn) for turn in (1, 27, 28, 47)] == ["summer", "summer", "autumn", "autumn"]


@pytest.mark.rule("20.0")
@pytest.mark.parametrize(
    ("turn", "weather"),
    [
        (1, ("normal", "summer-heat")),
        (10, ("normal", "summer-heat")),
        (11, ("normal",)),
        (16, ("normal",)),
        (17, ("high-water",)),
        (23, ("high-water",)),
        (24, ("normal",)),
        (33, ("normal",)),
        (34, ("normal", "freeze")),
    ],
)
def test_the_weather_that_a_turn_may_have(turn: int, weather: tuple[str, ...]) -> None:
    assert calendar.possible_weather(turn) == weather


def test_the_charts_hold_what_the_rulebook_states(twilight: Game) -> None:
    results, losses = twilight.charts["crt"].cells, twilight.charts["slrt"].cells
    stated = {key: cell.values for key, cell in results.items() if cell.source == "rulebook"}
    assert stated == {("summer", "1:1", 7): {"attacker": "+1", "defender": "-"}}
    assert {k: c.values for k, c in losses.items() if c.source == "rulebook"} == {
        ("summer", "Large", 6): {"steps": 2, "ec": 0}
    }
    assert (len(results), len(losses)) == (2 * 9 * 11, 2 * 4 * 17)


def test_a_unit_that_nobody_can_place_in_a_stack_counts_for_nothing() -> None:
    assert stacking_value(CombatUnit("t", "german", "corps-train", "-", False, "x")) == 0
