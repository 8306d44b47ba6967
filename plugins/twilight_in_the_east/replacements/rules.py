"""Replacements: when they are allocated, to which units, and how many each takes (15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assistant.asking import View, if_known
from assistant.asking.case import Case, fact
from assistant.asking.permission import Clause
from assistant.state.state import Unit
from assistant.util.memo import Memo

from ..ground.calendar import phase_of
from ..railways.rail_points import EVERY
from ..supply.isolation import known_isolation

Points = Literal["repl", "cav-repl"]
POINTS: dict[str, Points] = {"infantry": "repl", "cavalry": "cav-repl"}
"""The track of the replacements that units of an arm take: REPLs restore a step to infantry, CAV REPLs to cavalry (15.0)."""
NAMES: dict[Points, str] = {"repl": "REPL", "cav-repl": "CAV REPL"}
SEGMENT = "replacements"
"""The word of the segment in which they are allocated."""
TAKEN = "repl-taken"
"""The track of what a unit has had in the segment."""


class Allocating(Case):
    """The allocation of replacements. phase: its word, "" if it is not stated; turn: the game turn, 0 if it is not
    stated.
    """

    phase: str
    turn: int

    @property
    def in_segment(self) -> bool:
        """Whether it may be the segment in which they are allocated."""
        return self.phase in ("", "other", SEGMENT)

    def bars_of_time(self) -> Iterator[Clause]:
        """Yield why none are allocated now, as far as is stated: they are in their segment alone, after every third game
        turn. Rule: 15.1
        """
        yield (
            not self.in_segment or self.turn % EVERY,
            "15.1",
            "replacements are allocated only in the Replacement Allocation Segment, after every third game turn"
            "[in_segment:; this is GT {turn}|; the phase is {phase}]",
        )


class Taking(Case):
    """A unit that would take replacements, as far as is stated."""

    unit: str
    nation: str
    arm: str
    size: str
    on_map: bool
    """Whether it stands on the map or in a box of it."""
    taken: int = 0
    """Replacements that it has had in this segment."""
    room: int = 0
    """The steps that it lacks of its full strength."""
    giver: str = ""
    """The nation whose replacements they are."""
    left: int | None = None
    """Those that are left, None if that is not known."""
    steps: int = 0
    """How many it would take."""

    @fact
    def isolated(self) -> bool:
        """It is Isolated as they are allocated."""
        return is_held_isolated(self.view, self.view.unit(self.unit))

    @property
    def is_known(self) -> bool:
        """Whether its arm and its nation are stated."""
        return bool(self.arm and self.nation)

    @property
    def limit(self) -> int:
        """How many it takes in a segment: an infantry division two, any other unit one. Rule: 15.1.2"""
        return 2 if (self.arm, self.size) == ("infantry", "XX") else 1

    @property
    def most(self) -> int:
        """How many it may still take, never to more than its full strength. Rule: 15.1.2"""
        most = min(self.room, self.limit - self.taken)
        return max(most if self.left is None else min(most, self.left), 0)

    def bars_of_state(self) -> Iterator[Clause]:
        """Yield why it is not eligible. Rule: 15.1.1"""
        yield self.isolated, "15.1.1", "{unit} is Isolated"
        yield not self.on_map, "15.1.1", "{unit} is not on the map"

    def bars_of_points(self) -> Iterator[Clause]:
        """Yield why it takes none of a nation's replacements, as far as its arm and its nation are stated: each nation has
        points of its own. Rule: 15.0
        """
        yield (
            self.is_known and self.arm not in POINTS,
            "15.0",
            "{unit} is neither infantry nor cavalry, and takes no replacements",
        )
        yield (
            self.is_known and self.giver != self.nation,
            "15.0",
            "the replacements of a nation are for its own units, and {unit} is of another",
        )

    def bars_of_amount(self) -> Iterator[Clause]:
        """Yield why it does not take so many. Rule: 15.1, 15.1.2"""
        yield not self.room, "15.1.2", "{unit} is at its full strength"
        yield 0 < self.room < self.steps, "15.1.2", "{unit} lacks only {room:#step} of its full strength"
        yield (
            self.taken + self.steps > self.limit,
            "15.1.2",
            "{unit} takes at most {limit:#replacement} in a segment, {taken} so far",
        )
        yield (
            self.left is not None and self.steps > self.left,
            "15.1",
            "the nation has {left:#such replacement} left",
        )


def allocating(view: View) -> Allocating:
    """Return the allocation of replacements now, as far as is stated."""
    return Allocating(view=view, phase=phase_of(view), turn=view.integer("turn"))


_AS_IT_IS: Memo[None, View] = Memo()
"""The view in which Isolation is judged as it is now."""


def is_held_isolated(view: View, unit: Unit) -> bool:
    """Return whether a unit is Isolated as replacements are allocated: if its side's last Supply Phase has marked it;
    by ruling repl-isolated, where every way is known, if it is Out of Supply and has no line to an RR line now. Rule:
    15.1.1
    """
    marked = view.flag("isolated", unit.id)
    if not (unit.place and view.word("supply", unit.id) == "out"):
        return marked
    side = view.side_of(unit.id)
    apart = view.memo(_AS_IT_IS, None, lambda *_: view.unnoticed())  # one, so that its ground is made ready once
    now = if_known(apart, lambda _: known_isolation(apart, unit, side))
    if now in (None, marked) or view.ruling("repl-isolated") == "marked":
        return marked
    return bool(known_isolation(view, unit, side))
