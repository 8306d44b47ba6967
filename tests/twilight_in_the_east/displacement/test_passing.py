"""Artillery, trains and depots next to which a stack comes on its way back."""

from __future__ import annotations

from typing import Any

import pytest

from ...conftest import answered, told, typed

PASSING = """turn=1
trust charts counters
41.19 clear: 1/1 (12-3-7-11)
40.20: 25/3 (10-?-5-10)
{other}
42.19 clear
42.18 clear
41.19|40.20,41.20,42.20,41.18,40.19,42.19 open
42.19|42.18,43.18,43.19,42.20 open
43.19|42.20,43.18,43.20,44.19,44.20 open
43.20|43.21 open
"""
GUN = "43.19 clear: russian artillery - RF\n43.21: 27/3"
SAID = "as soon as the stack enters 42.19, and before it goes on, these must leave their hexes: {}; the players see to that"


def displacement(other: str, *way: str) -> list[str]:
    position = typed(PASSING.format(other=other))
    return told(answered(position, "retreat", at="41.19", hexes=2, way=list(way)), "Displacement")


@pytest.mark.rule("9.5.1", "9.5", "9.8", "9.9")
@pytest.mark.parametrize(
    ("other", "units"),
    [
        pytest.param(GUN, "RF in 43.19", id="guns"),
        pytest.param('43.19: "3 Train"', "3 Train in 43.19", id="a train"),
        pytest.param('43.19: "Russian FIRST Major Depot", 27/3', "Russian FIRST Major Depot in 43.19", id="a depot"),
        pytest.param("43.19: russian artillery - RF, 27/3", "", id="guns with a combat unit"),
        pytest.param("43.19: german artillery - GF", "", id="its own guns"),
        pytest.param("44.19: russian artillery - RF", "", id="guns farther off"),
        pytest.param(GUN + "\n44.20: german infantry XX 2/1", "", id="guns that had to go before"),
        pytest.param(GUN + "\n42.19|43.19 grand-river", "", id="guns behind a Grand River"),
    ],
)
def test_units_left_alone_must_go_the_instant_that_the_stack_comes_next_to_them(other: str, units: str) -> None:
    expected = [SAID.format(units)] if units else []
    assert displacement(other, "42.19") == displacement(other, "42.19", "42.18") == expected
    assert displacement(other) == []


@pytest.mark.rule("9.5.1")
@pytest.mark.parametrize(("way", "said"), [("42.19,42.18", True), ("41.18,41.17", False)])
def test_a_battle_names_the_units_that_a_retreat_passes(way: str, said: bool) -> None:
    text = PASSING.format(other=GUN) + "41.18 clear\n41.17 clear\n41.18|41.17 open\nchart crt summer 3:1 7 = - / W2\n"
    text += f"answers crt=7 slrt=3/3 ec.41.19=2 ec.40.20=2 retreat.41.19={way} advance=none\n"
    given: dict[str, Any] = {"attacker-ap": "none", "defender-ap": "none", "flanked": "no"}
    found = answered(typed(text), "battle", at="41.19", **given)
    assert (SAID.format("RF in 43.19") in told(found, "Displacement")) == said
    assert found.verdict.kind == "figure"
