"""How the story names places, sides and units: towns beside hexes, formations, and lists that read well."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ...asking.view import View
from ...asking.wording import format_list
from ...drawing.situation import named_places
from ...formats.positions import Position
from ...state.state import is_limited
from ...util.errors import plain


class Names:
    """The names of one position. position: in which they hold."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.state = position.state
        self.view = View(position.game, position.state)

    @cached_property
    def towns(self) -> dict[str, str]:
        """The names of towns by hex."""
        return {place.hex: plain(place.name) for place in named_places(self.view)}

    def place(self, hex: str) -> str:
        """Return a hex with the town in it or next to it: `Goldap (44.23)`, `44.24 near Goldap`, `44.26`; a box by its
        name.
        """
        if town := self.towns.get(hex):
            return f"{town} ({hex})"
        if self.view.board.is_hex(hex):
            near = [self.towns[beyond] for beyond in self.view.board.neighbours(hex) if beyond in self.towns]
            if len(near) == 1:
                return f"{hex} near {near[0]}"
        return plain(hex)

    def side(self, unit: str) -> str:
        """Return the side of a unit, "" if it is not known."""
        there = self.state.units.get(unit)
        nation = self.game.nation_of_unit(there, self.state.facts) if there else ""
        return self.game.side_of(nation) if nation in self.game.file.nations else ""

    def is_certain(self, unit: str) -> bool:
        """Return whether a unit has come or gone for certain: one of another side may only have come into sight or out
        of it.
        """
        seen_by = self.state.seen_by
        return not is_limited(seen_by) or self.side(unit) == seen_by

    def group(self, unit: str) -> tuple[str, str]:
        """Return what a unit is told with: its side, and its army as far as the viewpoint knows it."""
        track = self.game.tracks.get("army")
        fact = self.view.fact("army", unit) if track is not None and track.on == "unit" else None
        return self.side(unit), plain(str(fact.value)) if fact is not None and fact.value else ""

    def group_title(self, group: tuple[str, str]) -> str:
        """Return what a group is called: `Russian, Army First`; the side alone where no army is known."""
        side, army = group
        title = self.game.file.title_of(side) if side else "Side not known"
        if not army:
            return title
        return f"{title}, {army}" if "army" in army.casefold() else f"{title}, {army} Army"


def format_units(units: Sequence[str]) -> str:
    """Return units in a list."""
    return format_list(plain(unit) for unit in units)
