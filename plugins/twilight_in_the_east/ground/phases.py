"""The phases of a player turn in order, and those in which a side moves, from the present one on (5.2 to 5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from assistant.game import course
from assistant.questions import View

from .calendar import MOVEMENT_PHASES, PHASES

ORDER = (*PHASES,)
"""The words of the phases of a player turn, in order."""
OUTSIDE_PLAYER_TURNS = {"weather": 0, "administrative": 1, "replacements": 1}
"""The phases outside the player turns, with how many game turns later the next player turns come."""


def player_order(view: View) -> Sequence[str]:
    """Both sides in the order of their player turns (5.3)."""
    return course.course_file(view.game).turns.order


class Now(msgspec.Struct, frozen=True):
    """The phase in which a side moves next. present: whether it is the phase of the position, so that what happens in it
    changes the position.
    """

    turn: int
    phasing: str
    counter: bool
    present: bool


def first_phase(phase: str, phasing: str, turn: int, side: str, order: Sequence[str]) -> Now:
    """The phase in which a side moves next, or the one that it is in.

    phase, phasing, turn: of the position; order: both sides, in the order of their player turns (5.4).
    """
    if phase in OUTSIDE_PLAYER_TURNS:
        turn += bool(turn) * OUTSIDE_PLAYER_TURNS[phase]
        return Now(turn, order[0], side != order[0], False)
    own = phasing == side
    if phase == MOVEMENT_PHASES[not own]:
        return Now(turn, phasing, not own, True)
    if phase in ORDER[: ORDER.index("movement")] or (phase == "movement" and not own):
        return Now(turn, phasing, not own, False)
    steps = phases(turn, phasing, side, order, counter=not own)
    next(steps)
    turn, phasing, counter = next(steps)
    return Now(turn, phasing, counter, False)


class MovementPhase(NamedTuple):
    """A phase in which a side moves. counter: whether it is its Counter Movement Phase."""

    turn: int
    phasing: str
    counter: bool


def phases(turn: int, phasing: str, side: str, order: Sequence[str], *, counter: bool) -> Iterator[MovementPhase]:
    """The phases in which a side moves, from one on.

    turn, phasing, counter: of the first; order: both sides, in the order of their player turns.
    """
    while True:
        yield MovementPhase(turn, phasing, counter)
        turn += bool(turn) and phasing == order[-1]
        phasing = next(other for other in order if other != phasing)
        counter = phasing != side
