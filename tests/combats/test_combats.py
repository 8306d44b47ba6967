"""A short run of `make combats`, and what it would notice."""

from __future__ import annotations

from collections import Counter

import assistant
from assistant.formats.positions import Position
from assistant.state.changes import Change

from .holding import gained, misplaced, unreadable
from .run import some

COMBATS = range(60)
STAND = "game twilight-in-the-east\n41.19 clear: german infantry XX A (10-8-0-9), german infantry XX B (6-8-0-9) -2\n41.20: russian infantry XX C\n41.18 sea: german infantry XX D, german infantry XX E\n"


def test_random_combats_are_played_to_their_end() -> None:
    seen, wrong = some(COMBATS, 1)
    assert wrong == []
    assert seen["combats"] > len(COMBATS) / 2
    assert Counter(seen)["defender left"]


def played(*changes: tuple[str, str, object, object]) -> tuple[Position, Position]:
    """A position before and after some changes, each of a track and a unit."""
    before = assistant.parse(STAND)
    return before, before.after([Change(*one, "11.1") for one in changes])  # type: ignore[arg-type]


def test_steps_that_come_back_are_noticed() -> None:
    assert list(gained(*played(("lost", "B", 2, 1), ("cel", "A", None, -1)))) == ["B lost from 2 to 1"]


def test_a_crowd_and_the_sea_are_noticed() -> None:
    before, after = played(*(("place", unit, "41.19", "41.18") for unit in "AB"))
    sea, crowd = misplaced(before, after)
    assert sea == "41.18: ['A', 'B'] at sea"
    assert crowd.startswith("41.18: over-stacked, 4.0 divisions")


def test_a_position_reads_as_it_was_written() -> None:
    assert list(unreadable(assistant.parse(STAND))) == []
