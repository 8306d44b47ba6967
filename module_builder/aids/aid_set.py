"""A set of player aids, and what its pages have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from assistant.drawing.style import SOFT_INK, palette_of
from assistant.game.course import CourseFile, Part, Phase
from assistant.game.games import Game
from assistant.game.phases import phases_in
from assistant.game.turn_record import Turn, turns
from assistant.util.errors import InputError, Where, format_suggestion

from ..sheets.sizes import Box

if TYPE_CHECKING:
    from assistant.records.journal.journal import Journal
from .page import AidStyle, content_area


class AidSet:
    """A set of player aids.

    `side`, `nation`: the side or nation that it is for, or "" for all.
    `made_up`: whether made-up cells of charts are shown.
    `journal`: the journal of the current game, or None.

    Raises InputError for an unknown side or nation, or a nation of another side.
    """

    def __init__(
        self,
        game: Game,
        course: CourseFile,
        style: AidStyle,
        *,
        side: str = "",
        nation: str = "",
        made_up: bool = False,
        journal: Journal | None = None,
    ) -> None:
        self.game, self.course, self.look = game, course, style
        self.side, self.nation, self.made_up, self.journal = side, nation, made_up, journal
        self.people = _find_people(game, side, nation)
        """The sides and nations that it concerns."""
        self.palette = palette_of(game)

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """The turns of the game. Raises InputError for a mistake in the files that describe them."""
        return turns(self.game)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order of their player turns, or one without a name if the game has no sides."""
        return self.course.turns.order or tuple(self.game.file.sides) or ("",)

    def area(self, *, landscape: bool = False) -> Box:
        return content_area(self.look, landscape=landscape)

    def phases(self, part: Part, side: str = "") -> list[Phase]:
        """Return the phases of a part of the sequence of play, for one side or, with "", for all."""
        return [phase for phase, _ in phases_in(self.game, self.course, part, None, side)]

    def tag(self, numbers: str) -> str:
        return self.course.turns.tag.replace("{}", numbers)

    def in_turns(self, numbers: str) -> str:
        """Return turns such as `3` or `5-10 12` in words, or "" for all turns."""
        if not numbers:
            return ""
        listed = re.sub("(?<=[0-9])-(?=[0-9])", "\u2013", numbers.replace(" ", ", "))
        called = self.tag(listed)
        if called != listed:
            return called
        return f"turn {listed}" if numbers.isdecimal() else f"turns {listed}"

    def turn_of(self, side: str) -> str:
        """Return the name of a side's player turn: `Russian player turn`, `Italy's player turn`."""
        if not side:
            return "player turn"
        owner = self.game.file.title_of(side) + ("'s" if self.game.file.is_country(side) else "")
        return f"{owner} player turn"

    def accent(self, who: str) -> str:
        """Return the colour of a nation or side, or the colour of lines if neither is given."""
        return self.palette.side(who).strong if who else SOFT_INK


def _find_people(game: Game, side: str, nation: str) -> frozenset[str]:
    """Return the sides and nations of a set, or all if neither is named."""
    sides = game.file.sides
    nations = [name for members in sides.values() for name in members]
    if side and side not in sides:
        raise InputError(f"unknown side {side!r}", where=Where("--side"), hint=format_suggestion(side, sides))
    if nation and nation not in nations:
        raise InputError(f"unknown nation {nation!r}", where=Where("--nation"), hint=format_suggestion(nation, nations))
    if side and nation and nation not in sides[side]:
        hint = f"of {side}: {', '.join(sides[side])}"
        raise InputError(f"{nation} is not a nation of {side}", where=Where("--nation"), hint=hint)
    if nation:
        return frozenset({nation, *(name for name, members in sides.items() if nation in members)})
    return frozenset({side, *sides[side]}) if side else frozenset({*sides, *nations})


def is_for(who: str, people: frozenset[str]) -> bool:
    """Return whether something that concerns a side or nation, or all with "", belongs in a set of aids."""
    return not who or who in people


def initials_of(game: Game, who: str) -> str:
    """Return the initials of a side or nation: `CP`, `A-H`, `R`."""
    nations = {name for members in game.file.sides.values() for name in members}
    return ("-" if who in nations else "").join(part[:1].upper() for part in who.split("-"))
