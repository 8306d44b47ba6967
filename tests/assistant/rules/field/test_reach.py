"""What a unit can reach, told hex by hex: the cheapest first, minimum moves under their own rule, and why it cannot move at all."""

from __future__ import annotations

from assistant.asking import View, step
from assistant.rules.field.movement import EnteredHex, Moving, Reach, reach_of

from ....conftest import told, viewed

START, NEAR = "41.19", ("40.19", "40.20", "41.18", "41.20", "42.19", "42.20")


class Halves(Reach, frozen=True, kw_only=True):
    """In halves of a Movement Point."""


def moving(view: View, points: int) -> Moving[EnteredHex]:
    return Moving(view, START, points, lambda here, there, number: EnteredHex(hex=there, cost=4), lambda entered: True)


def test_the_hexes_within_reach_with_their_costs_as_players_say_them() -> None:
    view = viewed("41.19: 1/1\n")
    found = reach_of(
        Halves,
        "1/1",
        "land",
        moving(view, 4),
        [],
        rule="6.1",
        minimum_rule="6.2",
        points=lambda cost: f"{cost / 2:g}",
        parts=2,
    )
    assert isinstance(found.result, Halves)
    assert (found.title, found.verdict.text) == ("Reach of 1/1 by land", "1/1 can move to 6 hexes")
    assert sorted(one.hex for one in found.result.hexes) == sorted(NEAR)
    assert "40.19: 2 by 40.19" in told(found)
    assert {step.rule for part in found.parts for step in part.steps} == {"6.1"}


def test_a_minimum_move_has_a_rule_of_its_own() -> None:
    found = reach_of(
        Reach, "1/1", "land", moving(viewed("41.19: 1/1\n"), 3), [], rule="6.1", minimum_rule="6.2", parts=1
    )
    assert {step.rule for part in found.parts for step in part.steps if "by 4" in step.text} == {"6.2"}
    assert "40.19: 3 by 40.19" in told(found)


def test_a_unit_that_cannot_move_reaches_nothing() -> None:
    bars = [step("6.3", "it has moved")]
    found = reach_of(
        Reach, "1/1", "rail", moving(viewed("41.19: 1/1\n"), 4), bars, rule="6.1", minimum_rule="6.2", parts=1
    )
    assert (found.verdict.kind, found.verdict.text) == ("no", "1/1 cannot move (1 reason)")
    assert found.result is not None
    assert found.result.hexes == ()
