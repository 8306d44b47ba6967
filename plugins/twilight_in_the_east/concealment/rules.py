"""What may be hidden, where and when, and what brings it to light, over plain values (26.1, 26.2)."""

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
"""What is hidden, or hides: a Stack Cap, a formation or an Asset Unit with its crest up, a dummy."""
TITLES: dict[Option, str] = {
    "none": "no optional rule of hidden units is in force",
    "caps": "Stack Caps (26.1) are in force",
    "concealment": "Hidden Movement (26.2) is in force",
    "on-map": "play without displays (26.3) is in force",
}
ALLOWED: dict[Kind, tuple[Option, ...]] = {
    "cap": ("caps",),
    "formation": ("concealment",),
    "asset": ("caps", "concealment"),
    "dummy": ("caps", "concealment"),
}
"""The optional rules under which each is used; an Asset Unit is flipped to its crest under Stack Caps too (26.1.1b)."""
WORDS: dict[Kind, str] = {
    "cap": "a Stack Cap",
    "formation": "a formation with its crest up",
    "asset": "an Asset Unit with its crest up",
    "dummy": "a dummy",
}
FAR_ENOUGH = 3
"""Hexes to the nearest enemy unit from which on something may be hidden."""
TOO_NEAR = 2
"""Hexes up to which an enemy unit brings it to light."""


def bar_of_option(kind: Kind, option: Option) -> str:
    """Return why something is not used with the optional rule in force, as at most one of the three is; "" if it is.
    Rule: 26.0
    """
    if option in ALLOWED[kind]:
        return ""
    return f"{WORDS[kind]} is not allowed: {TITLES[option]}"


def concealment_left(stock: int, caps: int, dummies: int) -> int:
    """Return how many Concealment markers a nation has left: each of them is a Stack Cap or a dummy. stock: in its
    counter mix.

    Below 0 if there are too many on the map. Rule: 26.1
    """
    return stock - caps - dummies


def bars_of_dummy_step(option: Option, *, controlled: bool, next_to_enemy: bool) -> Iterator[Clause]:
    """Yield what keeps a dummy from the next hex: it enters only hexes that its side controls, and none adjacent to an
    enemy unit.

    controlled: whether its side controls the hex; next_to_enemy: whether an enemy unit is adjacent to it.
    Rule: 26.1.2b, 26.2.3a
    """
    moves, avoids = ("26.2.3a", "26.2.3a") if option == "concealment" else ("26.1.2b", "26.1.2c")
    yield not controlled, moves, "a dummy enters only hexes that its side controls"
    yield next_to_enemy, avoids, "a dummy never moves adjacent to an enemy unit"


def hexes_between(board: Board, here: str, there: str) -> tuple[str, ...]:
    """Return the hexes between two that are two hexes apart; none for others."""
    if board.distance(here, there) != TOO_NEAR:
        return ()
    return tuple(hex for hex in board.neighbours(here) if hex in board.neighbours(there))


def is_screened(between: Collection[str], friends: Collection[str], *, by_all: bool) -> bool:
    """Return whether friendly units keep an enemy unit two hexes away from bringing something to light: a cap if they
    are in a hex between, a dummy if they are in all of them. Nothing screens from an adjacent enemy.

    between: the hexes between, none for an adjacent enemy; friends: the hexes of friendly units.
    Rule: 26.1.1b, 26.1.2c
    """
    held = [hex for hex in between if hex in friends]
    return bool(held) and (len(held) == len(between) or not by_all)


def enemies_who_see(
    board: Board, here: str, enemies: Iterable[str], friends: Collection[str], *, by_all: bool
) -> tuple[str, ...]:
    """Return the hexes of enemy units that bring to light what is hidden in a hex: within two hexes, and not screened.
    by_all: as of `is_screened`. Rule: 26.1.1b, 26.1.2c
    """
    near = (enemy for enemy in enemies if board.is_hex(enemy) and board.distance(here, enemy) <= TOO_NEAR)
    return tuple(enemy for enemy in near if not is_screened(hexes_between(board, here, enemy), friends, by_all=by_all))


class Lying(msgspec.Struct, frozen=True):
    """A unit of a stack: whether it lies with its crest up, and whether it is a dummy."""

    unit: str
    concealed: bool
    dummy: bool = False


def topmost_concealed(stack: Sequence[Lying]) -> Lying | None:
    """Return the unit that is turned over as stacks of both sides come adjacent: only the topmost concealed one of
    each. stack: from the top; None if nothing in it is concealed. Rule: 26.2.4
    """
    return next((lying for lying in stack if lying.concealed), None)


def revealed_in_combat(stack: Sequence[Lying]) -> tuple[Lying, ...]:
    """Return the units that are turned over as their stack takes part in combat: all that are concealed, and every
    dummy. Rule: 26.2.4
    """
    return tuple(lying for lying in stack if lying.concealed or lying.dummy)


class Counters(msgspec.Struct, frozen=True):
    """Where the two counters of a formation lie."""

    on_map: Literal["unit", "attachment marker"]
    """The one in its hex."""
    on_display: Literal["unit", "attachment marker"]
    """The one on the Attachment Track."""
    losses: Literal["unit", "attachment marker"]
    """The one under which its Step Reduction marker lies."""
    levels: Literal["unit", "attachment marker"]
    """The one that tracks its effectiveness."""


def counters_of(*, concealed: bool) -> Counters:
    """Return where the two counters of a formation lie: concealed, they have changed places, and what the unit has lost
    in steps still lies under the unit itself. Rule: 26.2.1
    """
    if concealed:
        return Counters("attachment marker", "unit", "unit", "unit")
    return Counters("unit", "attachment marker", "unit", "attachment marker")


def points_beyond(left: Fraction, extra: Fraction) -> Fraction:
    """Return the Movement Points of what a revealed zone adds that a unit spends beyond its allowance without a Forced
    March: one at most, where its last one has taken it into the hex.

    left: those left after all else, none if below 0; extra: what zones revealed only now add.
    Rule: 26.2.5
    """
    affordable = left >= 0 and extra - left <= 1
    return max(extra - left, Fraction(0)) if affordable else Fraction(0)


def points_forgiven(left: Fraction, extra: Fraction) -> Fraction:
    """Return the Movement Points of what a revealed zone adds that a unit in the hex does not spend by ruling
    revealed-zone: all but what it has left and one more.

    left, extra: as of `points_beyond`. Rule: 26.2.5
    """
    return max(extra - max(left, Fraction(0)) - 1, Fraction(0))


FIRST_INTERCEPTS = 3
"""The game turn from which on Russian stacks may be revealed (26.2.7)."""


def bars_of_intercepts(turn: int, option: Option, moved: Collection[str]) -> Iterator[str]:
    """Yield why Wireless Intercepts are not rolled for now: the option, the turn, or that Central Powers units have
    moved in the phase.

    moved: those that have. Rule: 26.2.7
    """
    if option != "concealment":
        yield f"Wireless Intercepts belong to Hidden Movement: {TITLES[option]}"
    if turn < FIRST_INTERCEPTS:
        yield f"Wireless Intercepts begin in GT {FIRST_INTERCEPTS}"
    if moved:
        yield f"they are rolled for before any Central Powers unit moves, and these have moved: {', '.join(moved)}"


def stacks_to_reveal(die: int, hidden: int) -> int:
    """Return how many Russian stacks may be revealed. die: the roll of 1d6; hidden: how many there are with something
    concealed. Rule: 26.2.7
    """
    return min(die, hidden)


DEMORALIZED = 4
"""The Step Reduction marker under the Attachment marker of a Demoralized formation (26.3.2)."""
Place = Literal["behind its Corps Train", "with its corps' Attachment marker", "with its army's marker"]
"""Where an Attachment marker lies without displays."""


def place_of_marker(*, is_corps: bool, independent: bool) -> Place:
    """Return where an Attachment marker lies on the map: that of a corps a short way behind its Corps Train, that of a
    formation with its corps' Attachment marker, or with the marker of its army if it is independent. Rule: 26.3.1
    """
    if is_corps:
        return "behind its Corps Train"
    if independent:
        return "with its army's marker"
    return "with its corps' Attachment marker"


def status_marker(levels: int) -> int:
    """Return the Step Reduction marker under the Attachment marker of a formation: as many as it has lost in levels, 4
    if it is Demoralized, 0 for none if its status is full. levels: lost, 0 to 4. Rule: 26.3.2
    """
    return min(levels, DEMORALIZED)
