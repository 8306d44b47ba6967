"""The phases of a player turn in order, and those in which a side moves, from the present one on (5.2 to 5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from assistant.asking import View
from assistant.game import course

from .calendar import MOVEMENT_PHASES, PHASES

ORDER = (*PHASES,)
"""The words of the phases of a player turn, in order."""
OUTSIDE_PLAYER_TURNS = {"weather": 0, "administrative": 1, "replacements": 1}
"""The phases outside the player turns, with how many game turns later the next player turns come."""


def player_order(view: View) -> Sequence[str]:
    """Return both sides in the order of their player turns (5.3)."""
    return course.course_file(view.game).turns.order


class MovementPhase(NamedTuple):
    """A phase in which a side moves."""

    turn: int
    phasing: str
    counter: bool
    """Whether it is its Counter Movement Phase."""
    present: bool = False
    """Whether it is the phase of the position, so that what happens in it changes the position."""


def first_phase(phase: str, phasing: str, turn: int, side: str, order: Sequence[str]) -> MovementPhase:
    """Return the phase in which a side moves next, or the one that it is in.

    phase, phasing, turn: of the position; order: both sides, in the order of their player turns (5.4).
    """
    if phase in OUTSIDE_PLAYER_TURNS:
        if turn:
            turn += OUTSIDE_PLAYER_TURNS[phase]
        return MovementPhase(turn, order[0], side != order[0])
    own = phasing == side
    of_this_player_turn = MovementPhase(turn, phasing, not own, present=phase == MOVEMENT_PHASES[not own])
    is_over = ORDER.index(phase) > ORDER.index(MOVEMENT_PHASES[not own])
    return next(islice(phases(of_this_player_turn, side, order), int(is_over), None))


def phases(first: MovementPhase, side: str, order: Sequence[str]) -> Iterator[MovementPhase]:
    """Yield the phases in which a side moves, from one on. order: both sides, in the order of their player turns."""
    yield first
    turn = first.turn
    phasing = first.phasing
    while True:
        turn += bool(turn) and phasing == order[-1]
        phasing = next(other for other in order if other != phasing)
        yield MovementPhase(turn, phasing, phasing != side)
