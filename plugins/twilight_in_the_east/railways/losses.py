"""Losses of RR lines, which still count for a time for units in Rail Mode and depots (8.2.4, 9.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from assistant.asking import InputError, View
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.util.texts import whole

from ..ground.calendar import MOVEMENT_PHASES, ORDER, phase_of, player_order

LOSS_TRACK = "line-lost"
"""Track: the side that last lost the RR line of a hex, and the phase of the loss."""
_FORM_HINT = "write it as SIDE:TURN:PHASING:PHASE, such as central-powers:9:russian:movement"


class Phase(NamedTuple):
    """A phase of the game, ordered by time."""

    turn: int
    player: int
    """The player turn of the game turn, counted from 0."""
    at: int
    """The number of the phase in its player turn."""


class LineLoss(msgspec.Struct, frozen=True):
    """The loss of an RR line in a hex."""

    side: str
    """The side that lost the line."""
    phase: Phase


def is_of_this_phase(loss: LineLoss, side: str, now: Phase | None) -> bool:
    """Return whether a side lost a line in the current phase, so that its displacing units may still use it.

    `now`: the current phase, or None if it is not stated.

    Rule: 8.2.4b, 9.9
    """
    return loss.side == side and loss.phase == now


def is_since_movement(loss: LineLoss, side: str, before: Phase) -> bool:
    """Return whether a side lost a line after its previous movement phase.

    Its units in Rail Mode that are cut off may still use such a line.

    `before`: the side's previous movement phase.

    Rule: 8.2.4c
    """
    return loss.side == side and loss.phase > before


def movement_before(now: Phase, player: int) -> Phase:
    """Return the last phase before `now` in which a side moves.

    A side moves in the Movement Phase of its own player turn and the Counter Movement Phase of the other.

    `player`: the number of the side's own player turn.

    Rule: 8.2.4c
    """
    own = ORDER.index(MOVEMENT_PHASES[False])
    counter = ORDER.index(MOVEMENT_PHASES[True])
    moves = list[Phase]()
    for turn in (now.turn - 1, now.turn):
        moves += [Phase(turn, player, own), Phase(turn, 1 - player, counter)]
    return max(phase for phase in moves if phase < now)


# --- losses in a position ---------------------------------------------------------------------------------------------


def _find_phase(view: View, turn: int, phasing: str, phase: str) -> Phase | None:
    """Return a phase of the game, or None between player turns or if it is not fully stated."""
    order = player_order(view)
    if not turn or phasing not in order or phase not in ORDER:
        return None
    return Phase(turn, order.index(phasing), ORDER.index(phase))


def _read_phase(view: View) -> Phase | None:
    return _find_phase(view, view.integer("turn"), view.word("phasing"), phase_of(view))


def lose_line(view: View, side: str, hex: str) -> Iterator[Change]:
    """Yield the changes by which a side loses the RR line in a hex, with the current phase if it is stated.

    Rule: 17.1.4
    """
    yield changed(view, "operational", hex, "none", "17.1.4")
    if _read_phase(view):
        when = f"{side}:{view.integer('turn')}:{view.word('phasing')}:{phase_of(view)}"
        yield changed(view, LOSS_TRACK, hex, when, "8.2.4")


def _read_loss(view: View, hex: str) -> LineLoss:
    """Return the loss of the RR line in a hex.

    Raises InputError if the fact has another form than `SIDE:TURN:PHASING:PHASE`.
    """
    text = view.word(LOSS_TRACK, hex)
    side, turn, phasing, phase = (*text.split(":"), "", "", "", "")[:4]
    when = _find_phase(view, whole(turn) or 0, phasing, phase)
    if when is None or side not in player_order(view) or text.count(":") != len(Phase._fields):
        raise InputError(f"{LOSS_TRACK} of {hex}: {text!r} does not say who lost the line, and when", hint=_FORM_HINT)
    return LineLoss(side, when)


def _list_losses(view: View) -> Iterator[tuple[str, LineLoss]]:
    for hex in view.stated_about.get(LOSS_TRACK, ()):
        if view.word(LOSS_TRACK, hex):
            yield hex, _read_loss(view, hex)


def lost_in_this_phase(view: View, side: str) -> frozenset[str]:
    """Return the RR hexes that a side has recorded as lost in the current phase."""
    now = _read_phase(view)
    return frozenset(hex for hex, loss in _list_losses(view) if is_of_this_phase(loss, side, now))


def lost_since_movement(view: View, side: str, turn: int, phasing: str, *, counter: bool) -> frozenset[str]:
    """Return the RR hexes that a side has recorded as lost since its previous movement phase.

    `turn`, `phasing`, `counter`: the movement phase in which the side's trains continue.
    """
    now = _find_phase(view, turn, phasing, MOVEMENT_PHASES[counter])
    if now is None:
        return frozenset()
    before = movement_before(now, player_order(view).index(side))
    return frozenset(hex for hex, loss in _list_losses(view) if is_since_movement(loss, side, before))
