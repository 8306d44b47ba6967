"""What a hex holds, and what its owner eliminates (3.2)."""

from __future__ import annotations

import pytest

from ..conftest import values
from .asking import undone

CROWDED = "turn=2\nphasing=russian\nphase=first-movement\n4916: XX/28, XX/29, III/25, III/27, 1A/1HA, 1A/Renn"


@pytest.mark.rule("3.2")
def test_three_infantry_one_heavy_artillery_and_one_headquarters_fit() -> None:
    fits = CROWDED.replace("III/27, ", "")
    assert undone(fits, "stack", at=["4916"]).verdict.kind == "yes"
    assert undone(CROWDED, "stack", at=["4916"]).result.stacks[0].too_many
    assert undone("4916: 1A/1HA, 1A/2HA", "stack", at=["4916"]).result.stacks[0].excess == (("1A/1HA",), ("1A/2HA",))
    both = "4916: 1A/Renn, russian headquarters second 2A/Sams (1-4)"
    assert undone(both, "stack", at=["4916"]).result.stacks[0].too_many


@pytest.mark.rule("3.2", "8.0/vp", "3.1/armies", "10.6.2/effects")
def test_the_loss_of_what_is_too_much_counts_for_the_enemy() -> None:
    gone = undone(CROWDED, "stack", at=["4916"], ended=True, answers={"excess.4916": "III/27"})
    assert values(gone) == {("place", "III/27"): None, ("lost", "russian"): 5}


@pytest.mark.rule("10.6.2/effects")
@pytest.mark.parametrize(("ruling", "turn"), [("", None), ("combat", None), ("any", 4)])
def test_a_headquarters_that_is_too_much_in_a_hex_is_lost_to_its_army_by_a_ruling_alone(
    ruling: str, turn: int | None
) -> None:
    led = "turn=4\nphase=first-movement\n4916: 1A/Renn, russian headquarters second 2A/Sams (1-4)\n"
    led += f"ruling headquarters-stacking={ruling}\n" if ruling else ""
    lost = values(undone(led, "stack", at=["4916"], ended=True, answers={"excess.4916": "2A/Sams"}))
    assert (lost["place", "2A/Sams"], lost["lost", "russian"]) == (None, 1)
    assert lost.get(("headquarters-lost", "russian second")) == turn


@pytest.mark.rule("3.2")
def test_in_a_combat_phase_nothing_goes() -> None:
    assert not undone(CROWDED.replace("first-movement", "first-combat"), "stack", at=["4916"], ended=True).asks
