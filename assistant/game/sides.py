"""The sides and armies of a game as a text names them."""

from __future__ import annotations

from contextlib import suppress

from ..util.errors import InputError
from ..util.texts import names_short_for
from .games import Game
from .names import regular_army


def find_side(game: Game, text: str) -> str:
    """Return the side that a text names, "" if none. Raises InputError for a beginning that several sides share."""
    named = text.casefold()
    names = {name: side for side, nations in game.file.sides.items() for name in nations}
    names |= {side: side for side in game.file.sides} | dict(game.overlay.sides)
    if side := next((side for name, side in names.items() if name.casefold() == named), ""):
        return side
    begun = sorted(names_short_for(text, names))
    if len({names[name] for name in begun}) > 1:
        raise InputError(f"{text!r} may mean {' or '.join(begun)}", hint="type more letters")
    return names[begun[0]] if begun else ""


def find_army(game: Game, text: str) -> str:
    """Return the name of an army with its side as the game calls it: `german Eighth`, or `ger Eighth`, as
    `central-powers Eighth`; a text that names no side as it is.
    """
    with suppress(InputError):
        return regular_army(text, game.file.sides)
    first, space, rest = text.partition(" ")
    side = find_side(game, first) if space else ""
    return f"{side} {rest}" if side else text
