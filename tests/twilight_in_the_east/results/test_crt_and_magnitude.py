"""Magnitude, CRT cells and retreats, seasons, zones."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.game.games import Game
from twilight_in_the_east.combat import odds
from twilight_in_the_east.forces.units import CombatUnit, stacking_value
from twilight_in_the_east.ground import calendar
from twilight_in_the_east.results import crt as results
from twilight_in_the_east.results.crt import CrtResult

from ..combat.test_strength import division

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
    assert (odds.divisions([unit]), stacking_value(unit)) == (counts, stacks)


@pytest.mark.rule("10.10.1", "10.10.1b")
@pytest.mark.parametrize(
    ("attacking", "defending", "size"),
    [
        (1, HALF, "Small"),
        (1, 1, "Medium"),
        (Fraction(5, 2), 1, "Medium"),
        (3, 1, "Large"),
        (4, Fraction(3, 2), "Large"),
        (5, 1, "Large"),
        (Fraction(9, 2), Fraction(3, 2), "Large"),
        (4, 2, "Massive"),
    ],
)
def test_magnitude(attacking: Fraction, defending: Fraction, size: str) -> None:
    assert odds.magnitude(Fraction(attacking), Fraction(defending)) == size


@pytest.mark.rule("10.9.1", "10.10.3a", "10.9.1b")
def test_reading_a_cell() -> None:
    assert results.read_result("-") == CrtResult()
    assert results.read_result("+3 X W2") == CrtResult(3, white=2, x=True)
    assert results.read_result("-1 *") == CrtResult(-1, asterisk=True)
    assert results.read_result("+1 B1") == CrtResult(1, black=1)
    assert results.crt_modifier(results.read_result("+3 X"), all_german=True) == 2
    assert results.crt_modifier(results.read_result("+3 X"), all_german=False) == 3


@pytest.mark.rule("10.9.1d", "10.9.1e", "13.3.1a")
@pytest.mark.parametrize(
    ("cell", "position", "fortress", "hexes", "absorbed"),
    [
        ("B1", 0, 0, 1, 0),
        ("B1", 1, 0, 0, 0),
        ("B1", 0, 3, 0, 0),
        ("W2", 0, 0, 2, 0),
        ("W2", 4, 0, 2, 0),
        ("W3", 0, 2, 1, 2),
        ("W1", 0, 5, 0, 1),
    ],
)
def test_retreats(cell: str, position: int, fortress: int, hexes: int, absorbed: int) -> None:
    assert results.crt_retreat(results.read_result(cell), position, fortress) == (hexes, absorbed)


@pytest.mark.rule("10.9")
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
    crt, slrt = twilight.charts["crt"].cells, twilight.charts["slrt"].cells
    stated = {key: cell.values for key, cell in crt.items() if cell.source == "rulebook"}
    assert stated == {("summer", "1:1", 7): {"attacker": "+1", "defender": "-"}}
    assert {k: c.values for k, c in slrt.items() if c.source == "rulebook"} == {
        ("summer", "Large", 6): {"steps": 2, "ec": 0}
    }
    assert (len(crt), len(slrt)) == (2 * 9 * 11, 2 * 4 * 17)


def test_a_unit_that_nobody_can_place_in_a_stack_counts_for_nothing() -> None:
    assert stacking_value(CombatUnit("t", "german", "corps-train", "-", False, "x")) == 0


@pytest.mark.rule("10.9.1d")
def test_white_hexes_beyond_the_steps_of_a_fortress_are_a_ruling() -> None:
    def retreat(fortress: int) -> tuple[int, int]:
        return results.crt_retreat(results.read_result("W3"), 0, fortress, "ignored")

    assert [retreat(steps) for steps in (0, 2, 3)] == [(3, 0), (0, 2), (0, 3)]
