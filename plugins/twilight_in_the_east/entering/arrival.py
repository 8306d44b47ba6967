"""Units' steps from hex to hex or off the map, and the starred towns that they occupy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import View, note
from assistant.asking.view import changed

from ..concealment.cover import hides_units, is_concealed
from ..scoring.points import star_holder
from ..terms import CAPPED, COMBAT_ARMS, DUMMY, FIELD_ARMS, SUPPLY_ARMS


class March(msgspec.Struct, frozen=True):
    """The moves of units that go together."""

    units: tuple[str, ...]
    way: tuple[str, ...] = ()
    """The hexes entered, in order; empty if the units are taken off the map."""
    departs: bool = False
    """Whether the units leave the map at the end without being eliminated."""

    @property
    def end(self) -> str | None:
        """The last hex, or None off the map."""
        return self.way[-1] if self.way and not self.departs else None

    @property
    def legs(self) -> tuple[March, ...]:
        """The march in single steps: one for each hex entered, and one off the map if the units leave it."""
        legs = [March(self.units, (hex,)) for hex in self.way]
        if self.departs or not self.way:
            legs.append(March(self.units, departs=self.departs))
        return tuple(legs)


class Arrival(msgspec.Struct, frozen=True, dict=True):
    """A completed step of units: from a hex to the next, or off the map."""

    before: View
    after: View
    march: Annotated[March, note("the moving units and their way; dummies are left out if other units move too")]
    side: Annotated[str, note("the side of the moving units")]
    left: Annotated[tuple[str, ...], note("the hexes that the units leave")]
    entered: Annotated[tuple[str, ...], note("the hex of the map that the units enter, or () if there is none")]
    stays: Annotated[bool, note("whether the move of the units ends with this step")] = True

    @property
    def is_rumour(self) -> bool:
        """Whether only dummies move, which have no effects (26.1.2d)."""
        return self.before.decoys.issuperset(self.march.units)

    @property
    def has_troops(self) -> bool:
        """Whether any of the units are troops, unlike supply units and dummies."""
        return any(self.before.word("arm", unit) not in (*SUPPLY_ARMS, DUMMY) for unit in self.march.units)

    @property
    def is_veiled(self) -> bool:
        """Whether an optional rule hides units, so that records of hexes must not reveal them."""
        return hides_units(self.before)

    @property
    def is_hidden(self) -> bool:
        """Whether the enemy cannot identify the units (26.1, 26.2).

        All lie with their crests up, or have their cap with them.
        """
        covered = any(self.before.flag(CAPPED, hex) and not self.after.state.stack(hex) for hex in self.left)
        crests = all(is_concealed(self.before, unit) for unit in self.march.units)
        return self.is_veiled and (covered or crests)

    def of_arm(self, arms: Collection[str]) -> tuple[str, ...]:
        """Return the moving units of the given arms."""
        return tuple(unit for unit in self.march.units if self.before.word("arm", unit) in arms)

    def beside(self, hexes: Iterable[str]) -> dict[str, None]:
        """Return hexes and all hexes adjacent to them, without duplicates."""
        board = self.before.board
        return dict.fromkeys(near for hex in hexes for near in (hex, *board.neighbours(hex)))

    @cached_property
    def towns(self) -> tuple[Town, ...]:
        """The starred towns that troops occupy by this step."""
        return tuple(_find_towns_occupied(self))

    def is_enemy(self, unit: str) -> bool:
        """Return whether a unit is an enemy of the moving units."""
        return bool(self.side) and self.before.side_of(unit) not in ("", self.side)


def arrive(before: View, march: March, *, stays: bool = True) -> Arrival:
    """Return the step that moves units to the end of their march, with the views before and after it.

    `stays`: whether the move of the units ends with this step.
    """
    board = before.board
    places = [before.unit(unit).place for unit in march.units]
    after = before.after([changed(before, "place", unit, march.end, "4.2") for unit in march.units])
    left = dict.fromkeys(place for place in places if board.is_hex(place) and place != march.end)
    entered = dict.fromkeys(hex for hex in march.way if board.is_hex(hex))
    real = tuple(unit for unit in march.units if unit not in before.decoys)
    return Arrival(
        before,
        after,
        replace(march, units=real or march.units),
        before.side_of(march.units[0]),
        tuple(left),
        tuple(entered),
        stays,
    )


class Town(NamedTuple):
    """A starred town."""

    hex: str
    star: int
    """The number in the town's star."""
    holder: str
    """The side that held the town, or "" if it is not stated."""


def _find_towns_occupied(arrival: Arrival) -> Iterator[Town]:
    """Yield the starred towns that troops occupy by this step.

    Rulings decide on towns that are only passed through, and on towns entered by artillery alone.
    """
    view = arrival.before
    stars = {hex: view.integer("star", hex) for hex in arrival.entered if view.fact("star", hex)}
    if not (stars and arrival.side and arrival.of_arm(FIELD_ARMS)):
        return
    lone_guns = not arrival.of_arm(COMBAT_ARMS)
    for hex, star in stars.items():
        holder = star_holder(view, hex)
        matters = holder != arrival.side
        if not arrival.stays and view.ruling("star-passage", matters) == "end":
            continue
        if lone_guns and view.ruling("star-troops", matters) == "combat":
            continue
        yield Town(hex, star, holder)
