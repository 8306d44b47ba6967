"""When a side lost an RR line in a hex: which lines lost lately still count for its units in Rail Mode and its depots
(8.2.4, 9.9).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from assistant.asking import InputError, View
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.util.texts import whole

from ..ground.calendar import MOVEMENT_PHASES, ORDER, phase_of, player_order

LOST = "line-lost"
"""The track of the side that last lost the RR line of a hex, and of the phase in which it did."""
HOW = "write it as SIDE:TURN:PHASING:PHASE, such as central-powers:9:russian:movement"


class Phase(NamedTuple):
    """A phase of the game. Later phases are greater."""

    turn: int
    player: int
    """Of the two player turns of its game turn, 0 for the first."""
    at: int
    """Of the phases of that player turn, by number."""


class LineLoss(msgspec.Struct, frozen=True):
    """The loss of an RR line in a hex."""

    side: str
    """That lost it."""
    phase: Phase


def is_of_this_phase(loss: LineLoss, side: str, now: Phase | None) -> bool:
    """Return whether a side lost a line during the current phase, so that its units that displace may still use it.

    now: the phase that it is, None where that is not stated.
    Rule: 8.2.4b, 9.9
    """
    return loss.side == side and loss.phase == now


def is_since_movement(loss: LineLoss, side: str, before: Phase) -> bool:
    """Return whether a side lost a line after its previous movement phase, so that its units in Rail Mode that are cut
    off may still use it.

    before: that movement phase. Rule: 8.2.4c
    """
    return loss.side == side and loss.phase > before


def movement_before(now: Phase, player: int) -> Phase:
    """Return the last phase before another one in which a side moves: the Movement Phase of its own player turn, or the
    Counter Movement Phase of the other one.

    player: the number of its own player turn. Rule: 8.2.4c
    """
    own = ORDER.index(MOVEMENT_PHASES[False])
    counter = ORDER.index(MOVEMENT_PHASES[True])
    moves = list[Phase]()
    for turn in (now.turn - 1, now.turn):
        moves += [Phase(turn, player, own), Phase(turn, 1 - player, counter)]
    return max(phase for phase in moves if phase < now)


# --- of a position ----------------------------------------------------------------------------------------------------


def _find_phase(view: View, turn: int, phasing: str, phase: str) -> Phase | None:
    """Return a phase of the game, None where a part of that is not stated, and between player turns."""
    order = player_order(view)
    if not turn or phasing not in order or phase not in ORDER:
        return None
    return Phase(turn, order.index(phasing), ORDER.index(phase))


def _read_phase(view: View) -> Phase | None:
    """Return the phase that the position states, None where it does not."""
    return _find_phase(view, view.integer("turn"), view.word("phasing"), phase_of(view))


def lose_line(view: View, side: str, hex: str) -> Iterator[Change]:
    """Yield the changes by which the RR line in a hex is no longer operational for a side that has lost it to its
    enemy, with the phase in which it did, if that is stated.
    Rule: 17.1.4
    """
    yield changed(view, "operational", hex, "none", "17.1.4")
    if _read_phase(view):
        when = f"{side}:{view.integer('turn')}:{view.word('phasing')}:{phase_of(view)}"
        yield changed(view, LOST, hex, when, "8.2.4")


def _read_loss(view: View, hex: str) -> LineLoss:
    """Return when the RR line in a hex was lost, and by whom. Raises InputError for a text that does not say that."""
    text = view.word(LOST, hex)
    side, turn, phasing, phase = (*text.split(":"), "", "", "", "")[:4]
    when = _find_phase(view, whole(turn) or 0, phasing, phase)
    if when is None or side not in player_order(view) or text.count(":") != len(Phase._fields):
        raise InputError(f"{LOST} of {hex}: {text!r} does not say who lost the line, and when", hint=HOW)
    return LineLoss(side, when)


def _list_losses(view: View) -> Iterator[tuple[str, LineLoss]]:
    """Yield the RR hexes that were lost at a stated time, each with its loss. Raises InputError as `_read_loss` does."""
    for hex in view.stated_about.get(LOST, ()):
        if view.word(LOST, hex):
            yield hex, _read_loss(view, hex)


def lost_in_this_phase(view: View, side: str) -> frozenset[str]:
    """Return the RR hexes that a side has lost in the phase of the position, as far as that records them."""
    now = _read_phase(view)
    return frozenset(hex for hex, loss in _list_losses(view) if is_of_this_phase(loss, side, now))


def lost_since_movement(view: View, side: str, turn: int, phasing: str, *, counter: bool) -> frozenset[str]:
    """Return the RR hexes that a side has lost since the movement phase before one of its movement phases, as far as
    the position records them.

    turn, phasing, counter: the movement phase in which its trains go on.
    """
    now = _find_phase(view, turn, phasing, MOVEMENT_PHASES[counter])
    if now is None:
        return frozenset()
    before = movement_before(now, player_order(view).index(side))
    return frozenset(hex for hex, loss in _list_losses(view) if is_since_movement(loss, side, before))
