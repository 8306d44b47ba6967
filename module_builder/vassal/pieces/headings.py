"""What the inventory of a module lists counters under: their side by its title, their army, their corps, in words."""

from __future__ import annotations

import re

from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.state.tracks import Track
from assistant.util.patterns import late_pattern

from ...counters.columns import word_of
from .traits import side_of

_ORDINAL = late_pattern(
    r"[0-9]+(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth", re.IGNORECASE
)


class Headings:
    """The headings of a game's counters. Raises InputError for a fault in `course.toml`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        course = course_file(game)
        self._armies = {army.name: army.title or course.organisation.title for army in course.army}
        module = game.file.module
        self._sorts = [game.tracks[name] for name in module.palettes] if module else []
        self._nation = game.tracks.get(game.file.picture.nation)

    @property
    def depth(self) -> int:
        """How many headings stand above a counter."""
        return len(self._below) + 1 if self._sorts else 0

    @property
    def _below(self) -> list[Track | None]:
        """What the headings below the sides go by; the nation alone if nothing else sorts the counters."""
        below: list[Track | None] = [track for track in self._sorts if track is not self._nation]
        return below or [None]

    def of(self, unit: str) -> list[str]:
        """Return the headings above a unit's counter, the outermost first: `Central Powers`, `German Eighth Army`,
        `Corps 1`. The nation stands before the first one that it does not go without saying for.
        """
        if not self._sorts:
            return []
        nation = word_of(self.game, unit, self._nation.name) if self._nation else ""
        side = side_of(self.game, unit)
        title, several = self.game.file.title_of(nation), len(self.game.file.sides.get(side, ())) > 1
        first = self.game.file.title_of(side) if side else title or "Others"
        below = [self.word(track, unit) or f"without {track.title}" if track else title for track in self._below]
        if side and several and self._below[0]:
            is_army = word_of(self.game, unit, self._below[0].name) in self._armies
            below[0] = f"{title} {below[0]}" if is_army else f"{title}: {below[0]}"
        return [first, *below]

    def word(self, track: Track, unit: str) -> str:
        """Return what a fact that is printed on a unit's counter reads as a heading: `Eighth Army`, `Corps 1`, `Heavy
        Artillery`; "" if it is not known.
        """
        word = word_of(self.game, unit, track.name)
        name = track.title[:1].upper() + track.title[1:]
        if not word:
            return ""
        if word in self._armies:
            return self._armies[word].replace("{}", word)
        if _ORDINAL.fullmatch(word):
            return f"{word[:1].upper()}{word[1:]} {name}"
        return self.game.file.title_of(word) if track.kind == "choice" else f"{name} {word}"


def heading_property(depth: int) -> str:
    """Return the property of a counter with its heading of a depth, from 0."""
    return f"heading_{depth + 1}"
