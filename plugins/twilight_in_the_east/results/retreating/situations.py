"""Retreats as they are carried out: the situations on the way, and the names of their choices (10.2.1, 11.2)."""

from __future__ import annotations

import msgspec

from assistant.mechanics.procedure import Situation

from ...forces.units import Force, Role
from ...retreat import cost
from ...retreat.cost import Cause, Charge, ForceRetreat, RetreatHex
from ...terms import BUKOWINA_BOX
from ..tolls import Amounts, Toll

WAYS: dict[Cause, str] = {"crt": "retreat", "check": "onward"}
"""The name of the hexes that a stack retreats to, by what makes it retreat."""
TRIES: dict[Cause, str] = {"crt": "repulse", "check": "onward-repulse"}
"""The name of a Repulse that it tries, likewise."""
PUSHED: dict[Cause, str] = {"crt": "repulsed", "check": "onward-repulsed"}
"""The name of the hexes that the stack retreats to which this pushes away, likewise."""
DUE: dict[Cause, str] = {"crt": "crt", "check": "way", "repulse": "repulsed"}
"""The name of the steps that a way costs, likewise."""


class StackRetreat(msgspec.Struct, frozen=True):
    """A stack that has to retreat.

    place: its hex in the combat, which names it; start: where it stands now; owed: hexes that each Force retreats, those in `extra`
    among them; extra: hexes beyond what they had to, of Forces that go on because a hex cannot hold them; zones: unoccupied hexes in
    EZOCs that each Force has entered in an earlier retreat of the combat; tried: whether it has tried a Repulse in this retreat;
    forces: that retreat, where a Repulse pushes them away; named: how answers name its hexes then; apart: the Force that names it in
    answers, in place of its hex, where another part of the same stack stands elsewhere by now and retreats before it.
    """

    role: Role
    place: str
    start: str
    owed: tuple[tuple[str, int], ...]
    extra: Amounts = ()
    zones: Amounts = ()
    tried: bool = False
    forces: tuple[Force, ...] = ()
    named: str = ""
    apart: str = ""

    @property
    def name(self) -> str:
        """As answers name it."""
        return self.apart or self.place


class StepsDue(msgspec.Struct, frozen=True):
    """Steps that a Force has to share out. what: cost them, as answers name it; of: the Force, where a Repulse pushes it away."""

    role: Role
    force: str
    steps: int
    what: str
    rule: str = cost.EZOC
    of: Force | None = None


class Retreats(msgspec.Struct, frozen=True):
    """Stacks that have to retreat, the first of them on its way.

    todo: in order; way: of the first so far; toll: of the combat so far; due: steps to be shared out first; then: what follows, the
    next stage, or the retreat that waits while the stack that a Repulse has pushed away retreats; entered: the hexes of the way up to a
    Repulse, as they were found.
    """

    cause: Cause
    todo: tuple[StackRetreat, ...]
    toll: Toll
    then: Situation
    way: tuple[str, ...] = ()
    due: tuple[StepsDue, ...] = ()
    entered: tuple[RetreatHex, ...] = ()

    @property
    def here(self) -> str:
        """Where the stack is."""
        return self.way[-1] if self.way else self.todo[0].start

    @property
    def is_safe(self) -> bool:
        """Whether it has come into the Holding Box, where its retreat ends (23.4.1)."""
        return self.here == BUKOWINA_BOX

    @property
    def before(self) -> str:
        """The hex that it has just left, "" at the start."""
        return "" if not self.way else (self.todo[0].start, *self.way)[-2]


class Halted(msgspec.Struct, frozen=True):
    """Stacks that have to retreat, the first of which has to go on and finds no hex open."""

    retreats: Retreats


class Trying(msgspec.Struct, frozen=True):
    """A Repulse that a Force tries on the first stack's retreat. at: the hex to be cleared; so_far: what its own procedure has come
    to; crt: the cell rolled."""

    retreats: Retreats
    force: str
    at: str
    so_far: Situation = None
    crt: str = ""

    @property
    def name(self) -> str:
        """As answers name it."""
        return f"{TRIES[self.retreats.cause]}.{self.retreats.todo[0].name}"


class Retreated(msgspec.Struct, frozen=True):
    """A stack that has retreated: its way, what that costs, and what follows."""

    moving: StackRetreat
    cause: Cause
    way: tuple[str, ...]
    charges: tuple[Charge, ...]
    forces: tuple[ForceRetreat, ...]
    surrendered: tuple[str, ...]
    before: Toll
    next: Retreats


class AfterRetreats(msgspec.Struct, frozen=True):
    """All have retreated that had to: what follows, and what the combat has cost so far."""

    then: Situation
    toll: Toll
