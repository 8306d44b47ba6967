"""The sides and nations that a set of aids serves, and the colours that stand for them."""

from __future__ import annotations

from assistant.game.games import Game
from assistant.pictures.style import SOFT_INK, Palette
from assistant.util.errors import InputError, Where, suggested


def people_of(game: Game, side: str, nation: str) -> frozenset[str]:
    """The sides and nations of a set of aids, all of them if neither is named.

    Raises InputError for an unknown one, or a nation of another side.
    """
    sides = game.file.sides
    nations = [name for of in sides.values() for name in of]
    if side and side not in sides:
        raise InputError(f"unknown side {side!r}", where=Where("--side"), hint=suggested(side, sides))
    if nation and nation not in nations:
        raise InputError(f"unknown nation {nation!r}", where=Where("--nation"), hint=suggested(nation, nations))
    if side and nation and nation not in sides[side]:
        hint = f"of {side}: {', '.join(sides[side])}"
        raise InputError(f"{nation} is not a nation of {side}", where=Where("--nation"), hint=hint)
    if nation:
        return frozenset({nation, *(name for name, of in sides.items() if nation in of)})
    return frozenset({side, *sides[side]}) if side else frozenset({*sides, *nations})


def concerns(who: str, people: frozenset[str]) -> bool:
    """Whether what concerns a side or nation, "" for all, belongs in a set of aids."""
    return not who or who in people


def accent_of(game: Game, who: str, palette: Palette) -> str:
    """The colour that stands for a nation, for a side that of its first nation, for nobody that of lines."""
    nations = {name for of in game.file.sides.values() for name in of}
    nation = who if who in nations else next(iter(game.file.sides.get(who, ())), "")
    return palette.inks(nation).strong if nation else SOFT_INK
