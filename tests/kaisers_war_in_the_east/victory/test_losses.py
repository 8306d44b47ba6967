"""Victory Points of losses in combat (5.1, 5.2, 8.1)."""

from __future__ import annotations

import pytest

from assistant.questions.view import View
from assistant.testing import typed
from kaisers_war_in_the_east.victory.losses import Worth, worth_of

from ..examples import game


def price(arm: str, size: str, nation: str, side: str, effort: str = "main-effort=east", defence: int = 5) -> Worth:
    """What a loss means. effort: what is stated of the Main Effort."""
    position = typed(f"{effort}\n", game())
    with View(position.game, position.state).gather() as facts:
        return worth_of(facts, arm, size, nation, defence, side)


@pytest.mark.rule(
    "5.1",
    "VP-table/AL-HQ-army",
    "VP-table/AL-corps",
    "VP-table/AL-fortress",
    "VP-table/Bolshevik",
    "VP-table/other",
)
@pytest.mark.parametrize(
    ("arm", "size", "nation", "worth"),
    [
        ("headquarters", "XXXXX", "russian", (6, 0)),
        ("infantry", "XXXX", "russian", (6, 0)),
        ("cavalry", "XXX", "russian", (2, 0)),
        ("fortress", "-", "russian", (5, 5)),
        ("infantry", "XXX", "bolshevik", (1, 0)),
        ("supply", "-", "russian", (0, 0)),
        ("armoured-train", "-", "russian", (0, 0)),
        ("airbase", "-", "russian", (0, 0)),
        ("infantry", "X", "british", (0, 0)),
    ],
)
def test_losses_of_the_allies_cost_what_the_chart_says(
    arm: str, size: str, nation: str, worth: tuple[int, int]
) -> None:
    assert price(arm, size, nation, "allies") == worth
    assert price(arm, size, nation, "allies", "main-effort=west") == worth


@pytest.mark.rule(
    "5.1",
    "5.2",
    "8.1",
    "VP-table/CP-HQ-army",
    "VP-table/CP-abteilung",
    "VP-table/CP-corps",
    "VP-table/CP-fortress",
    "VP-table/CP-HQ-army-West",
    "VP-table/CP-abteilung-West",
    "VP-table/CP-corps-West",
    "VP-table/other",
)
@pytest.mark.parametrize(
    ("arm", "size", "east", "west"),
    [
        ("headquarters", "XXXXX", (6, 0), (9, 0)),
        ("infantry", "XXXX", (6, 0), (9, 0)),
        ("infantry", "abteilung", (4, 0), (6, 0)),
        ("shock", "XXX", (2, 0), (3, 0)),
        ("fortress", "-", (5, 5), (5, 5)),
        ("supply", "-", (0, 0), (0, 0)),
    ],
)
def test_losses_of_the_central_powers_are_dearer_while_their_main_effort_is_west(
    arm: str, size: str, east: tuple[int, int], west: tuple[int, int]
) -> None:
    assert price(arm, size, "german", "central-powers") == east
    assert price(arm, size, "german", "central-powers", "main-effort=west") == west


@pytest.mark.rule("8.0", "8.1")
@pytest.mark.parametrize(("turn", "points"), [(1, 9), (4, 9), (5, 6), (13, 6), (14, 9)])
def test_the_turn_tells_the_main_effort_of_its_year(turn: int, points: int) -> None:
    assert price("infantry", "XXXX", "german", "central-powers", f"turn={turn}").loss == points
