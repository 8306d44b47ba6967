"""What the questions about railways and pontoons read of a position: whose phase it is, who holds a hex, what enemies
entered.
"""

from __future__ import annotations

from collections.abc import Collection

from assistant.field import Around
from assistant.game.named import hexes_of_stretches
from assistant.questions import Gather, InputError, Step, View

from ..control.front_line import is_behind
from ..forces.armies import known_armies, side_of_army
from ..ground import zones
from ..ground.calendar import not_among_others


def acting_side(view: View, side: str | None) -> str:
    """The side that is asked about, or else the one whose player turn it is. Raises InputError if neither is stated."""
    chosen = side or view.word("phasing")
    if not chosen:
        raise InputError("the side is not stated", hint="give side=SIDE, or state phasing=SIDE")
    return chosen


def around_side(facts: Gather, side: str) -> Around:
    """Who stands where, as a side sees it."""
    return zones.field(facts).around(side)


def holder(facts: Gather, around: Around, hex: str) -> str:
    """The side that controls a hex: whose units stand there, or else as it is recorded, which is asked for. Front Lines
    add to the record by the question `control` (4.3).
    """
    if hex in around.enemies:
        return next(other for other in around.field.enemies_of(around.side) if hex in around.field.holds(other))
    return around.side if hex in around.friends else facts.word("control", hex)


def behind_agreed_fronts(view: View, around: Around, hexes: Collection[str]) -> dict[str, str]:
    """The hexes of a side that lie wholly behind a Front Line on which the players have agreed, each with the enemy's
    army.

    A line that is only proposed takes nothing: `control` shows it, and it is agreed on as `front` of the army.
    """
    own, behind = {hex for hex in around.friends if view.board.is_hex(hex)}, dict[str, str]()
    for army in known_armies(view):
        stated = view.word("front", army)
        if stated and side_of_army(army) in around.field.enemies_of(around.side) and own:
            line = tuple(hexes_of_stretches(stated, view.board))
            behind |= {hex: army for hex in hexes if hex not in own and is_behind(hex, line, own, view.board)}
    return behind


def not_the_time(view: View, side: str, rule: str) -> list[Step]:
    """Why the RR Engineers of a side do not work now, as far as is stated."""
    return not_among_others(view, side, rule, "RR Engineering Phase")
