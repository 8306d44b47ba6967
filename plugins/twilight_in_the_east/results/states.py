"""The situations of a combat while it is resolved: each holds only what its own later rolls and choices read."""

from __future__ import annotations

from typing import NamedTuple

from assistant.mechanics.procedure import Modifier

from ..forces.units import Role
from . import step_losses
from .effectiveness import Failure, Standing


class Start(NamedTuple):
    """Before the roll on the Combat Results Table."""


class Decided(NamedTuple):
    """The combat's result, each side's part as printed."""

    attacker: str
    defender: str


class Side(NamedTuple):
    """What the combat's result means for a side.

    retreats: hexes by stack; absorbed: steps that its fortress units lose instead of retreating, by unit.
    """

    role: Role
    retreats: tuple[tuple[str, int], ...]
    asterisk: bool = False
    absorbed: tuple[tuple[str, int], ...] = ()

    @property
    def fortress(self) -> int:
        """Steps that its fortress units lose instead of retreating."""
        return sum(steps for _, steps in self.absorbed)


class FortressesLose(NamedTuple):
    """A side whose fortress units have to share out so many steps among them; modifier: of its roll for losses."""

    side: Side
    steps: int
    modifier: int


class SideRolls(NamedTuple):
    """A side about to roll for its losses, with the combat result's modifier."""

    side: Side
    modifier: int


class SideLoses(NamedTuple):
    """A side that has to share out step losses. ec: the modifier of one Force's check."""

    side: Side
    steps: int
    ec: int


class SideLost(NamedTuple):
    """A side that has shared them out, by unit in order; it has yet to give one Force the modifier of its check."""

    side: Side
    lost: tuple[int, ...]
    ec: int


class SideChecks(NamedTuple):
    """A side about to check. bonus: the Force that has the SLRT's modifier."""

    side: Side
    lost: tuple[int, ...]
    bonus: str


class StackChecks(NamedTuple):
    """One stack about to check: for each Force its CEL, condition, modifiers and what steps its units have left.

    stays: a fortress holds the hex; withheld: other units stand in it that retreat only if these do.
    """

    place: str
    role: Role
    retreat: int
    forces: tuple[tuple[str, int, Standing, tuple[Modifier, ...], tuple[step_losses.Share, ...]], ...]
    stays: bool
    withheld: bool = False


class StackChecked(NamedTuple):
    """One stack that has checked: for each Force whether it passed, what it suffers, and what steps its units had."""

    place: str
    role: Role
    retreat: int
    forces: tuple[tuple[str, bool, Failure, tuple[step_losses.Share, ...]], ...]
    stays: bool
    withheld: bool = False


class ForceLoses(NamedTuple):
    """A Force that a failed check costs steps, to be shared out among its units."""

    role: Role
    force: str
    shares: tuple[step_losses.Share, ...]
    steps: int


class ForceLost(NamedTuple):
    """A Force that has shared them out, by unit in order."""

    force: str
    lost: tuple[tuple[str, int], ...]
