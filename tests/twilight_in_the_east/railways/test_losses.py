"""Which RR lines lost lately still count for units in Rail Mode and for depots (8.2.4, 9.9)."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError
from twilight_in_the_east.ground.calendar import ORDER
from twilight_in_the_east.railways.losses import (
    LineLoss,
    Phase,
    is_since_movement,
    lost_in_this_phase,
    lost_since_movement,
    movement_before,
)

from ...conftest import viewed

RUSSIAN, GERMAN = 0, 1


def phase(turn: int, player: int, word: str) -> Phase:
    return Phase(turn, player, ORDER.index(word))


@pytest.mark.rule("8.2.4c")
def test_the_movement_phase_before_is_the_last_one_of_either_kind() -> None:
    assert movement_before(phase(9, GERMAN, "movement"), GERMAN) == phase(9, RUSSIAN, "counter-movement")
    assert movement_before(phase(9, RUSSIAN, "counter-movement"), GERMAN) == phase(8, GERMAN, "movement")
    assert movement_before(phase(9, RUSSIAN, "movement"), RUSSIAN) == phase(8, GERMAN, "counter-movement")
    assert movement_before(phase(9, GERMAN, "counter-movement"), RUSSIAN) == phase(9, RUSSIAN, "movement")


@pytest.mark.rule("8.2.4c")
def test_a_line_counts_for_units_cut_off_if_it_was_lost_after_their_movement_phase_before() -> None:
    before = phase(9, RUSSIAN, "counter-movement")

    def counts(turn: int, player: int, word: str, side: str = "central-powers") -> bool:
        return is_since_movement(LineLoss(side, phase(turn, player, word)), "central-powers", before)

    assert counts(9, RUSSIAN, "attack")
    assert counts(9, GERMAN, "reinforcement")
    assert counts(10, RUSSIAN, "reinforcement")
    assert not counts(9, RUSSIAN, "counter-movement"), "that phase itself"
    assert not counts(9, RUSSIAN, "movement"), "before it"
    assert not counts(8, GERMAN, "post-combat"), "a turn before"
    assert not counts(9, RUSSIAN, "attack", "russian"), "the side that took it"


LOST = "40.20 line-lost=central-powers:9:russian:movement\n40.21 line-lost=russian:9:russian:movement\n"
NOW = "turn=9\nphase=movement\nphasing=russian\n"


@pytest.mark.rule("8.2.4b", "9.9", "8.2.4c")
def test_the_position_says_what_was_lost_in_its_phase_and_since_the_one_before() -> None:
    assert lost_in_this_phase(viewed(NOW + LOST), "central-powers") == {"40.20"}
    assert lost_in_this_phase(viewed(NOW + LOST), "russian") == {"40.21"}
    for silent in ("turn=9\n", "phase=movement\n", "phasing=russian\n"):
        assert lost_in_this_phase(viewed(NOW.replace(silent, "") + LOST), "central-powers") == frozenset()
    assert lost_in_this_phase(viewed(NOW + "40.20 line-lost=none"), "central-powers") == frozenset()
    view = viewed(LOST)
    assert lost_since_movement(view, "central-powers", 9, "russian", counter=True) == {"40.20"}
    assert lost_since_movement(view, "central-powers", 9, "central-powers", counter=False) == frozenset()
    assert lost_since_movement(view, "russian", 9, "central-powers", counter=True) == frozenset()
    assert lost_since_movement(view, "central-powers", 0, "russian", counter=True) == frozenset()


@pytest.mark.parametrize(
    "text",
    ["russian", "german:9:russian:movement", "russian:9:russian:rest", "russian:x:russian:movement", "a:b:c:d:e"],
)
def test_a_loss_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        lost_in_this_phase(viewed(f"{NOW}40.20 line-lost={text}"), "russian")
    assert "40.20" in str(refused.value) and "central-powers:9:russian:movement" in str(refused.value)
