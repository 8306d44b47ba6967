"""What a phase owes as it ends: steps not taken, phases skipped, markers left lying.

A debt is against a rule only if the table would show that it was settled. Dice may be rolled by hand, so a roll that is owed
is undecided unless the log has other dice of that kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import msgspec

from ...asking.view import View
from ...formats.notation import read_on
from ...formats.positions import Position
from ...game.course import clock_tracks
from ...rules.next_phase import Next
from ...rules.phase_now import ChecklistItem
from ...service import answer_in_view
from ...state.changes import BUILT_IN_TRACKS
from ...state.state import GameState
from ...util.errors import InputError, MachineError
from ..explaining.record import reason
from .course import NextPhase, find_next
from .deeds import carry_out, list_expected
from .marks import Judgement
from .moves import find_doubt, format_missing

_MAX_SKIPPED = 12
"""The maximum number of phases that may be skipped by one step."""


class OwedStep(NamedTuple):
    """A step that a phase owes as it ends, with the judgement on that."""

    item: ChecklistItem
    judgement: Judgement
    why: str


def list_owed_steps(position: Position, items: Collection[ChecklistItem], dice: Collection[str]) -> Iterator[OwedStep]:
    """Yield the judgement on each step that is owed in a position.

    `dice`: the kinds of dice that are thrown in the log.
    """
    for item in items:
        if item.state == "owed":
            yield OwedStep(item, *_judge_item(position, item, dice))


def _judge_item(position: Position, item: ChecklistItem, dice: Collection[str]) -> tuple[Judgement, str]:
    unseen: tuple[Judgement, str] = ("undecided", "whether it is done, which no table shows")
    if not item.ask:
        return unseen
    view = View(position.game, position.state)
    try:
        bare = msgspec.structs.replace(position, asks=(), answers={})
        asked = read_on(f"ask {item.ask}", bare, same_moment=True).asks[0]
        report = answer_in_view(view, position, asked)
    except MachineError:
        raise
    except InputError as error:
        return "undecided", reason(error)
    if any(ask.kind not in ("roll", "choice") for ask in report.asks):
        return "undecided", format_missing(report)
    roll = next((ask for ask in report.asks if ask.kind == "roll"), None)
    if roll is not None and roll.dice not in dice:
        return "undecided", f"its die {roll.name}, which may be rolled by hand"
    tracks = position.game.tracks
    keys = [key for change in report.changes for key, _ in list_expected(change)]
    is_shown = any(key[0] in BUILT_IN_TRACKS or tracks[key[0]].module is not None for key in keys)
    if roll is None and not is_shown and all(ask.kind != "choice" for ask in report.asks):
        return unseen
    if doubt := find_doubt(view):
        return "undecided", doubt
    return "against", "it is not done as the phase ends"


class SkippedPhases(NamedTuple):
    """The phases between the one that follows by the course of play and the one that a record states."""

    phases: tuple[Next, ...]
    owed: tuple[tuple[Position, ChecklistItem], ...]
    """The steps that they owe, each with the position in which it is owed."""


def find_skipped(position: Position, found: NextPhase, stated: GameState) -> SkippedPhases | None:
    """Return the phases that a step skips, or None if the course of play does not lead to the stated phase.

    `found`: the phase that follows.
    `stated`: the state with the stated phase.
    """
    game = position.game
    clock = clock_tracks(game)
    phases = list[Next]()
    owed = list[tuple[Position, ChecklistItem]]()
    for _ in range(_MAX_SKIPPED):
        phases.append(found.next)
        position = position.with_state(carry_out(position.state, found.changes, game.tracks))
        following = find_next(position)
        if isinstance(following, str):
            return None
        owed += [(position, item) for item in following.next.left]
        found = following
        due = found.next.turn, found.next.phase, found.next.side
        if tuple(map(str, due)) == tuple(str(stated.value(track, "") or "") for track in clock):
            return SkippedPhases(tuple(phases), tuple(owed))
    return None
