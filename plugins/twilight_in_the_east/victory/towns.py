"""The starred towns and cities: where they lie, and who holds them (27.2.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field.places import hexes_with
from assistant.questions import View, note
from assistant.state.vocabulary import Hex


class Town(msgspec.Struct, frozen=True, kw_only=True):
    """A starred town or city."""

    hex: Hex
    star: Annotated[int, note("the number in its star")]
    holder: Annotated[str, note("the side that occupied it last, empty if not known")]
    scores: Annotated[str, note("the side that scores if it occupies the town next, empty if not known")]


def star_holder(view: View, hex: str) -> str:
    """The side that occupied a starred town last: as stated, or else that of the country in which it lies; "" if neither is
    stated.
    Rule: 27.2.4
    """
    if stated := view.word("star-holder", hex):
        return stated
    country = view.word("country", hex)
    return next((side for side, nations in view.game.file.sides.items() if country in nations), "")


def starred_towns(view: View) -> tuple[Town, ...]:
    """The starred towns that are known, each with who may score for it next."""
    towns = []
    for hex in hexes_with(view, "star"):
        holder = star_holder(view, hex)
        scores = next((side for side in view.game.file.sides if holder and side != holder), "")
        towns.append(Town(hex=hex, star=view.integer("star", hex), holder=holder, scores=scores))
    return tuple(towns)
