"""The rules on hiding units: kinds, place, time and disclosure (26.1, 26.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from assistant.asking.permission import Clause
from assistant.game.boards import Board

Option = Literal["none", "caps", "concealment", "on-map"]
"""The optional rule in force: 26.1, 26.2, 26.3 or none of them."""
Kind = Literal["cap", "formation", "asset", "dummy"]
"""A thing that is hidden or hides: a Stack Cap, a formation or Asset Unit with its crest up, a dummy."""
OPTION_TITLES: dict[Option, str] = {
    "none": "no optional rule of hidden units is in force",
    "caps": "Stack Caps (26.1) are in force",
    "concealment": "Hidden Movement (26.2) is in force",
    "on-map": "play without displays (26.3) is in force",
}
OPTIONS_BY_KIND: dict[Kind, tuple[Option, ...]] = {
    "cap": ("caps",),
    "formation": ("concealment",),
    "asset": ("caps", "concealment"),
    "dummy": ("caps", "concealment"),
}
"""Optional rules under which each kind is used.

Stack Caps also flip Asset Units to their crest (26.1.1b).
"""
KIND_WORDS: dict[Kind, str] = {
    "cap": "a Stack Cap",
    "formation": "a formation with its crest up",
    "asset": "an Asset Unit with its crest up",
    "dummy": "a dummy",
}
MIN_HIDING_DISTANCE_HEXES = 3
"""Minimum distance to the nearest enemy unit for hiding something, in hexes."""
MAX_SIGHT_HEXES = 2
"""Maximum distance at which an enemy unit reveals something, in hexes."""


def bar_of_option(kind: Kind, option: Option) -> str:
    """Return why the optional rule in force does not allow a kind, or "" if it does. Rule: 26.0"""
    if option in OPTIONS_BY_KIND[kind]:
        return ""
    return f"{KIND_WORDS[kind]} is not allowed: {OPTION_TITLES[option]}"


def concealment_left(stock: int, caps: int, dummies: int) -> int:
    """Return the number of Concealment markers that a nation has left, below 0 if too many are on the map.

    Each marker is used as a Stack Cap or a dummy.

    `stock`: the number of markers in the nation's counter mix.

    Rule: 26.1
    """
    return stock - caps - dummies


def bars_of_dummy_step(option: Option, *, controlled: bool, next_to_enemy: bool) -> Iterator[Clause]:
    """Yield the bars to a dummy entering a hex.

    It enters only hexes that its side controls, and none adjacent to an enemy unit.

    Rule: 26.1.2b, 26.2.3a
    """
    moves, avoids = ("26.2.3a", "26.2.3a") if option == "concealment" else ("26.1.2b", "26.1.2c")
    yield not controlled, moves, "a dummy enters only hexes that its side controls"
    yield next_to_enemy, avoids, "a dummy never moves adjacent to an enemy unit"


def hexes_between(board: Board, here: str, there: str) -> tuple[str, ...]:
    """Return the hexes between two hexes at a distance of two, or () for other hexes."""
    if board.distance(here, there) != MAX_SIGHT_HEXES:
        return ()
    return tuple(hex for hex in board.neighbours(here) if hex in board.neighbours(there))


def is_screened(between: Collection[str], friends: Collection[str], *, by_all: bool) -> bool:
    """Return whether friendly units screen something from an enemy unit two hexes away.

    A cap needs friends in one hex between, a dummy in all of them. Nothing screens from an adjacent enemy.

    `between`: the hexes between, or () for an adjacent enemy.
    `friends`: the hexes of friendly units.
    `by_all`: whether friends in all hexes between are needed.

    Rule: 26.1.1b, 26.1.2c
    """
    held = [hex for hex in between if hex in friends]
    return bool(held) and (len(held) == len(between) or not by_all)


def enemies_who_see(
    board: Board, here: str, enemies: Iterable[str], friends: Collection[str], *, by_all: bool
) -> tuple[str, ...]:
    """Return the hexes of enemy units that reveal what is hidden in a hex.

    They are within two hexes, and not screened.

    `by_all`: as in `is_screened`.

    Rule: 26.1.1b, 26.1.2c
    """
    near = (enemy for enemy in enemies if board.is_hex(enemy) and board.distance(here, enemy) <= MAX_SIGHT_HEXES)
    return tuple(enemy for enemy in near if not is_screened(hexes_between(board, here, enemy), friends, by_all=by_all))


class Lying(msgspec.Struct, frozen=True):
    """A unit of a stack, and whether its crest is up."""

    unit: str
    concealed: bool
    dummy: bool = False


def topmost_concealed(stack: Sequence[Lying]) -> Lying | None:
    """Return the topmost concealed unit, or None.

    It is turned over as stacks of both sides come adjacent.

    `stack`: the units, the top one first.

    Rule: 26.2.4
    """
    return next((lying for lying in stack if lying.concealed), None)


def revealed_in_combat(stack: Sequence[Lying]) -> tuple[Lying, ...]:
    """Return the units turned over as their stack takes part in combat: concealed ones and dummies.

    Rule: 26.2.4
    """
    return tuple(lying for lying in stack if lying.concealed or lying.dummy)


class Counters(msgspec.Struct, frozen=True):
    """The places of the two counters of a formation."""

    on_map: Literal["unit", "attachment marker"]
    """The counter in the formation's hex."""
    on_display: Literal["unit", "attachment marker"]
    """The counter on the Attachment Track."""
    losses: Literal["unit", "attachment marker"]
    """The counter above the formation's Step Reduction marker."""
    levels: Literal["unit", "attachment marker"]
    """The counter that tracks the formation's effectiveness."""


def counters_of(*, concealed: bool) -> Counters:
    """Return the places of the two counters of a formation.

    If the formation is concealed, they have changed places, but the lost steps still lie under the unit itself.

    Rule: 26.2.1
    """
    if concealed:
        return Counters("attachment marker", "unit", "unit", "unit")
    return Counters("unit", "attachment marker", "unit", "attachment marker")


def points_beyond(left: Fraction, extra: Fraction) -> Fraction:
    """Return the Movement Points for a revealed zone that exceed a unit's allowance.

    They need no Forced March, but are at most one, if the unit's last point has taken it into the hex.

    `left`: the points left after everything else; if it is below 0, the result is 0.
    `extra`: the cost of zones revealed only now.

    Rule: 26.2.5
    """
    affordable = left >= 0 and extra - left <= 1
    return max(extra - left, Fraction(0)) if affordable else Fraction(0)


def points_forgiven(left: Fraction, extra: Fraction) -> Fraction:
    """Return the Movement Points for a revealed zone that a unit does not spend, by ruling revealed-zone.

    The unit, which is in the hex, spends the points it has left and one more.

    `left`, `extra`: as in `points_beyond`.

    Rule: 26.2.5
    """
    return max(extra - max(left, Fraction(0)) - 1, Fraction(0))


FIRST_INTERCEPTS_TURN = 3
"""The first game turn of Wireless Intercepts (26.2.7)."""


def bars_of_intercepts(turn: int, option: Option, moved: Collection[str]) -> Iterator[str]:
    """Yield the bars to rolling for Wireless Intercepts: the option, the turn, or moves of the Central Powers.

    `moved`: the Central Powers units that have moved in the turn.

    Rule: 26.2.7
    """
    if option != "concealment":
        yield f"Wireless Intercepts belong to Hidden Movement: {OPTION_TITLES[option]}"
    if turn < FIRST_INTERCEPTS_TURN:
        yield f"Wireless Intercepts begin in GT {FIRST_INTERCEPTS_TURN}"
    if moved:
        yield f"they are rolled for before any Central Powers unit moves, and these have moved: {', '.join(moved)}"


def stacks_to_reveal(die: int, hidden: int) -> int:
    """Return the number of Russian stacks that may be revealed.

    `die`: the roll of 1d6.
    `hidden`: the number of stacks with something concealed.

    Rule: 26.2.7
    """
    return min(die, hidden)


DEMORALIZED_MARKER = 4
"""The Step Reduction marker under the Attachment marker of a Demoralized formation (26.3.2)."""
Place = Literal["behind its Corps Train", "with its corps' Attachment marker", "with its army's marker"]
"""The place of an Attachment marker without displays."""


def place_of_marker(*, is_corps: bool, independent: bool) -> Place:
    """Return the place of an Attachment marker on the map.

    A corps' marker lies behind its Corps Train, a formation's with its corps' marker, or with its army's if the
    formation is independent.

    Rule: 26.3.1
    """
    if is_corps:
        return "behind its Corps Train"
    if independent:
        return "with its army's marker"
    return "with its corps' Attachment marker"


def status_marker(levels: int) -> int:
    """Return the Step Reduction marker under a formation's Attachment marker, or 0 for none.

    It shows the levels lost, or 4 if the formation is Demoralized.

    `levels`: levels lost, 0 to 4.

    Rule: 26.3.2
    """
    return min(levels, DEMORALIZED_MARKER)
