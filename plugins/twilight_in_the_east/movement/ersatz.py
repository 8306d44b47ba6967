"""Ersatz replacements: infantry that absorbs steps of Ersatz units, and how many (8.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Annotated, ClassVar, Final

import msgspec

from assistant.asking import note
from assistant.asking.case import Case, fact
from assistant.asking.permission import Clause
from assistant.asking.report import Step, step
from assistant.asking.view import Gather
from assistant.state.state import Unit

from ..forces.account import Account
from ..forces.gains import full_steps
from ..forces.markers import TASK_COST, is_beside_enemies, marker_of
from ..forces.unit import gather_unit, side_shown
from ..forces.units import CombatUnit
from ..ground.works import level_in
from ..terms import ALLIES

TASK: Final = "ersatz"
"""The task of giving or receiving Ersatz replacements, as markers and accounts name it."""
MIN_SHELTER_LEVEL = 3
"""Minimum level of an Improved Position that protects the task from adjacent enemies (8.7.1)."""
MAX_STEPS = 99
"""More steps than any unit has."""
RINGS = {"front": (False,), "back": (True,), "both": (False, True), "none": ()}
"""The sides of a counter with the Ersatz ring, by its statement (3.4.1a): False for the front, True for the reduced
side.
"""


class Transfer(msgspec.Struct, frozen=True):
    """Steps that one unit gives another."""

    giver: Annotated[str, note("the Ersatz unit")]
    receiver: Annotated[str, note("the unit that receives its steps")]
    steps: Annotated[int, note("steps given")]


class Member(msgspec.Struct, frozen=True):
    """A unit that gives or receives Ersatz replacements, with its steps."""

    unit: CombatUnit
    full: Annotated[int, note("the steps of its full side, 0 where they do not matter")] = 0

    @property
    def id(self) -> str:
        return self.unit.id

    @property
    def room(self) -> int:
        """The number of steps missing from the unit's full strength. Rule: 8.7.2"""
        return max((self.full or self.unit.steps) - self.unit.left, 0)


def read_member(facts: Gather, unit: str, *, gives: bool) -> Member:
    """Return a unit with its steps, and with those of its full side if it receives steps."""
    now = gather_unit(facts, facts.view.unit(unit), None)
    return Member(now, 0 if gives else full_steps(facts, now, MAX_STEPS))


class Sharing(Case):
    """A unit that would give or receive steps of Ersatz units."""

    unit: str
    bound: Iterable[Step]
    """The reasons why the unit cannot spend Movement Points on the task."""

    level: ClassVar[int] = MIN_SHELTER_LEVEL

    @fact
    def of_allies(self) -> bool:
        """It is German or Austro-Hungarian."""
        return self.facts.word("nation", self.unit) in ALLIES

    @fact
    def is_infantry(self) -> bool:
        """It is infantry."""
        return self.facts.word("arm", self.unit) == "infantry"

    @fact
    def shows_ring(self) -> bool:
        """It shows a side with the Ersatz ring; some units have the ring only on the reduced side. Rule: 3.4.1a"""
        sides = RINGS[self.facts.word("ersatz", self.unit) or "none"]
        return bool(sides) and (len(sides) > 1 or (side_shown(self.facts, self.unit) != "front") in sides)

    @fact
    def at_full_strength(self) -> bool:
        """It is at its full strength."""
        return read_member(self.facts, self.unit, gives=False).room == 0

    @fact
    def is_beset(self) -> bool:
        """An enemy keeps it from giving and receiving."""
        return is_beset(self.facts, self.view.unit(self.unit))

    def bars_of_giver(self) -> Iterator[Clause]:
        """Yield why the unit may not give steps.

        Rule: 8.7
        """
        yield not self.of_allies, "8.7", "{unit} is neither German nor Austro-Hungarian"
        yield not self.is_infantry, "8.7", "{unit} is not infantry"
        yield (
            not (self.is_infantry and self.shows_ring),
            "3.4.1a",
            "{unit} shows no Ersatz Indicator, so no unit can absorb its steps",
        )

    def bars_of_receiver(self) -> Iterator[Clause]:
        """Yield why the unit may not receive steps.

        Rule: 8.7, 8.7.2
        """
        yield not self.is_infantry, "8.7", "{unit} is not infantry"
        yield self.at_full_strength, "8.7.1", "{unit} is at its full strength"

    def bars_of_place(self) -> Iterator[Clause | Step]:
        """Yield why the unit may neither give nor receive steps in its hex.

        Rule: 8.7.1
        """
        yield (
            self.is_beset,
            "8.7.1",
            "an enemy is adjacent to {unit}, which is not in an Improved Position of Level {level} or more",
        )
        yield from (step(bar.rule, "{unit}: {why}", self, why=bar.text) for bar in self.bound)


class Pair(Case):
    """Two units, one of which would absorb steps of the other."""

    giver: str
    receiver: str
    here: str
    """The hex of the giver."""
    there: str
    """The hex of the receiver."""

    @fact
    def of_two_nations(self) -> bool:
        """They are of two nations."""
        return self.facts.word("nation", self.giver) != self.facts.word("nation", self.receiver)

    @fact
    def one_nation_only(self) -> bool:
        """Only units of one nation take in steps of each other."""
        return self.view.ruling("ersatz-nation") == "own"

    @property
    def are_apart(self) -> bool:
        """Whether the two units are in different hexes."""
        return self.here != self.there

    def bars(self) -> Iterator[Clause]:
        """Yield why the receiver may not absorb steps of the giver. Rule: 8.7"""
        yield (
            self.are_apart,
            "8.7",
            "{giver} is in {here} and {receiver} in {there}; both must be in the same hex",
        )
        yield (
            self.of_two_nations and (self.are_apart or self.one_nation_only),
            "8.7",
            "{giver} and {receiver} are not of one nation",
        )


def share_steps(left: Sequence[int], room: Sequence[int]) -> tuple[int, ...]:
    """Return the steps that each giver gives each receiver: as many as possible, the first givers first.

    The pairs are in the order of `transfers_of`.

    `left`: the steps of each giver.
    `room`: the steps that each receiver lacks.

    Rule: 8.7.2
    """
    having = list(left)
    lacking = list(room)
    shares = list[int]()
    for giver, receiver in product(range(len(left)), range(len(room))):
        given = min(having[giver], lacking[receiver])
        having[giver] -= given
        lacking[receiver] -= given
        shares.append(given)
    return tuple(shares)


def bars_of_steps(transfers: Iterable[Transfer], givers: Iterable[Member], receivers: Iterable[Member]) -> list[Step]:
    """Return why the steps cannot be given as planned.

    A unit gives more than it has, receives more than it lacks, or takes no part at all.

    Rule: 8.7.1, 8.7.2
    """
    reasons = list[Step]()
    given = sums(transfers, "giver")
    received = sums(transfers, "receiver")
    for giver in givers:
        steps = given.get(giver.id, 0)
        left = giver.unit.left
        if steps > left:
            text = "{unit} has {left:#step}, but would give {steps}"
            reasons.append(step("8.7.2", text, unit=giver.id, left=left, steps=steps))
        if not steps:
            reasons.append(step("8.7.2", "no step is left for {unit} to give", unit=giver.id))
    for receiver in receivers:
        steps = received.get(receiver.id, 0)
        room = receiver.room
        if steps > room:
            text = "{unit} lacks {room:#step}, but would receive {steps}"
            reasons.append(step("8.7.1", text, unit=receiver.id, room=room, steps=steps))
        if not steps:
            reasons.append(step("8.7.2", "no step is left for {unit} to receive", unit=receiver.id))
    return reasons


def transfers_of(givers: Sequence[Member], receivers: Sequence[Member], steps: Sequence[int]) -> tuple[Transfer, ...]:
    """Return the steps that go from unit to unit, without pairs that have none.

    `steps`: the steps that the player gives, pair by pair; if empty, as many as possible.
    """
    shares = steps or share_steps([giver.unit.left for giver in givers], [receiver.room for receiver in receivers])
    pairs = zip(product(givers, receivers), shares, strict=True)
    return tuple(Transfer(giver.id, receiver.id, share) for (giver, receiver), share in pairs if share)


def sums(transfers: Iterable[Transfer], role: str) -> dict[str, int]:
    """Return the steps that each unit gives or receives.

    `role`: "giver" or "receiver".
    """
    total = dict[str, int]()
    for transfer in transfers:
        unit = getattr(transfer, role)
        total[unit] = total.get(unit, 0) + transfer.steps
    return total


def steps_after(member: Member, transfers: Iterable[Transfer]) -> int:
    """Return the steps of a unit after all transfers."""
    given = sums(transfers, "giver")
    received = sums(transfers, "receiver")
    return member.unit.left - given.get(member.id, 0) + received.get(member.id, 0)


def points_begun(account: Account, marked: int) -> int:
    """Return the Movement Points that a unit has already spent on the task.

    A task completed in this phase counts in full for further ones: several units may absorb steps of one unit in a
    phase, and one unit those of several.

    `marked`: the points on the unit's marker.

    Rule: 8.7.2
    """
    return marked or (TASK_COST if account.spent.get(TASK) else 0)


# --- units next to enemies --------------------------------------------------------------------------------------------


def is_beset(facts: Gather, unit: Unit) -> bool:
    """Return whether an adjacent enemy keeps a unit from giving and receiving steps.

    A Level 3 or 4 Improved Position protects the unit. By a ruling so does a task begun before the enemy came.

    Rule: 8.7.1
    """
    if not is_beside_enemies(facts, unit) or level_in(facts, str(unit.place)) >= MIN_SHELTER_LEVEL:
        return False
    return marker_of(facts, unit).task != TASK or facts.view.ruling("ersatz-beset") != "goes-on"
