"""The situations of a combat while it is resolved: each holds only what its own later rolls and choices read."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from assistant.mechanics.procedure import Modifier

from ..forces.sharing import Share
from ..forces.units import Role
from .effectiveness import Failure, Standing
from .tolls import Toll


class Start(msgspec.Struct, frozen=True):
    """Before the roll on the Combat Results Table."""


class Decided(msgspec.Struct, frozen=True):
    """The combat's result, each side's part as printed."""

    attacker: str
    defender: str

    @property
    def text(self) -> str:
        """The cell."""
        return f"{self.attacker} / {self.defender}"


class Side(msgspec.Struct, frozen=True):
    """What the combat's result means for a side.

    retreats: hexes by stack; absorbed: steps that its fortress units lose instead of retreating, by unit; toll: what its way back has
    cost it; unable: whether it stands where it cannot leave.
    """

    role: Role
    retreats: tuple[tuple[str, int], ...]
    asterisk: bool = False
    absorbed: tuple[tuple[str, int], ...] = ()
    toll: Toll = Toll()
    unable: bool = False

    @property
    def fortress(self) -> int:
        """Steps that its fortress units lose instead of retreating."""
        return sum(steps for _, steps in self.absorbed)


class FortressesLose(msgspec.Struct, frozen=True):
    """A side whose fortress units have to share out so many steps among them; modifier: of its roll for losses."""

    side: Side
    steps: int
    modifier: int


class SideRolls(msgspec.Struct, frozen=True):
    """A side about to roll for its losses, with the combat result's modifier."""

    side: Side
    modifier: int


class SideLoses(msgspec.Struct, frozen=True):
    """A side that has to share out step losses. ec: the modifier of one Force's check."""

    side: Side
    steps: int
    ec: int


class SideLost(msgspec.Struct, frozen=True):
    """A side that has shared them out, by unit in order; it has yet to give one Force the modifier of its check."""

    side: Side
    lost: tuple[int, ...]
    ec: int


class SideChecks(msgspec.Struct, frozen=True):
    """A side about to check. bonus: the Force that has the SLRT's modifier."""

    side: Side
    lost: tuple[int, ...]
    bonus: str


class StackChecks(NamedTuple):
    """One stack about to check."""

    stack: Stack
    forces: tuple[ForceChecks, ...]


class StackChecked(NamedTuple):
    """One stack that has checked."""

    stack: Stack
    forces: tuple[ForceChecked, ...]


class ForceLoses(msgspec.Struct, frozen=True):
    """A Force that a failed check costs steps, to be shared out among its units."""

    role: Role
    force: str
    shares: tuple[Share, ...]
    steps: int


class ForceLost(msgspec.Struct, frozen=True):
    """A Force that has shared them out, by unit in order."""

    force: str
    lost: tuple[tuple[str, int], ...]


class ForceChecks(msgspec.Struct, frozen=True):
    """A Force about to check: its CEL and condition, what is added to its roll, and what steps its units have left."""

    name: str
    cel: int
    standing: Standing
    modifiers: tuple[Modifier, ...]
    shares: tuple[Share, ...]

    @property
    def up_to(self) -> int:
        """The highest roll with which it passes."""
        return self.cel - sum(modifier.amount for modifier in self.modifiers)


class ForceChecked(NamedTuple):
    """A Force that has checked: whether it passed, what it suffers, and what steps its units had."""

    name: str
    passed: bool
    suffered: Failure
    shares: tuple[Share, ...]

    @property
    def left(self) -> int:
        """The steps that it had; it loses no more than these."""
        return sum(share.left for share in self.shares)


class Stack(msgspec.Struct, frozen=True):
    """One stack, and the hexes that it retreats by the combat's result.

    stays: a fortress holds the hex; withheld: other units stand in it that retreat only if these do; unable: none of
    the hexes around is open.
    """

    place: str
    role: Role
    retreat: int
    stays: bool = False
    withheld: bool = False
    unable: bool = False
