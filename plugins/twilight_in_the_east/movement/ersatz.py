"""Ersatz replacements: which infantry takes in steps of which Ersatz units, how many, and what counts for it (8.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Annotated, Final

import msgspec

from assistant.asking import holding, note
from assistant.asking.report import Step, step
from assistant.asking.view import Gather
from assistant.state.state import Unit

from ..forces.account import Account
from ..forces.markers import COST, beside_enemies, marker_of
from ..forces.units import CombatUnit
from ..ground.works import level_in
from ..terms import ALLIES

TASK: Final = "ersatz"
"""The task of units that give or receive Ersatz replacements, as their marker and their account name it."""
SHELTER = 3
"""The level of an Improved Position from which on enemies may be adjacent (8.7.1)."""
RINGS = {"front": (False,), "back": (True,), "both": (False, True), "none": ()}
"""Whether the side with the Ersatz ring is the reduced one, by what is stated of a counter (3.4.1a)."""


class Transfer(msgspec.Struct, frozen=True):
    """Steps that go from one unit to another."""

    giver: Annotated[str, note("the Ersatz unit")]
    receiver: Annotated[str, note("the unit that receives its steps")]
    steps: Annotated[int, note("steps given")]


class Member(msgspec.Struct, frozen=True):
    """A unit that gives or receives Ersatz replacements, in plain values."""

    unit: Annotated[CombatUnit, note("with its steps")]
    place: Annotated[str, note("its hex")]
    full: Annotated[int, note("the steps of its full side")] = 0
    ring: Annotated[str, note("the sides with the Ersatz ring")] = "none"
    near: Annotated[bool, note("whether an enemy is adjacent")] = False
    level: Annotated[int, note("of the Improved Position in its hex")] = 0
    begun: Annotated[bool, note("whether it has spent Movement Points on it in an earlier phase")] = False
    bound: Annotated[tuple[Step, ...], note("what bars it from spending any")] = ()

    @property
    def id(self) -> str:
        """Its id."""
        return self.unit.id

    @property
    def room(self) -> int:
        """The steps that it may take in: those that it lacks of its full strength. Rule: 8.7.2"""
        return max((self.full or self.unit.steps) - self.unit.left, 0)


def bears_ring(ring: str, *, reduced: bool) -> bool:
    """Return whether a unit shows a side with the Ersatz ring, so that others may take in its steps; some have it on
    the reduced side alone. ring: the sides that have it. Rule: 3.4.1a
    """
    return reduced in RINGS[ring]


def bars_of_giver(member: Member) -> list[Step]:
    """Return what keeps a unit from giving steps: its nation, its arm, or no Ersatz ring on the side that is up. Rule:
    8.7
    """
    unit = member.unit
    reasons = (
        (unit.nation not in ALLIES, "8.7", "{unit} is neither German nor Austro-Hungarian"),
        (unit.arm != "infantry", "8.7", "{unit} is not infantry"),
        (
            not bears_ring(member.ring, reduced=unit.reduced),
            "3.4.1a",
            "{unit} shows no Ersatz Indicator, so no unit can absorb its steps",
        ),
    )
    return holding(reasons, unit=unit.id)


def bars_of_receiver(member: Member) -> list[Step]:
    """Return what keeps a unit from receiving steps: it is not infantry, or at its full strength. Rule: 8.7, 8.7.2"""
    reasons = (
        (member.unit.arm != "infantry", "8.7", "{unit} is not infantry"),
        (member.room == 0, "8.7.1", "{unit} is at its full strength"),
    )
    return holding(reasons, unit=member.id)


def bars_of_pair(giver: Member, receiver: Member, ruling: Callable[[str, bool], str]) -> list[Step]:
    """Return what keeps one unit from taking in steps of another one: they do not stand in one hex, or are of two
    nations.

    ruling: from a ruling, and whether it matters, to the reading that holds. Rule: 8.7
    """
    apart = giver.place != receiver.place
    foreign = giver.unit.nation != receiver.unit.nation
    strange = foreign and ruling("ersatz-nation", not apart) == "own"
    reasons = (
        (apart, "8.7", "{giver} is in {here} and {receiver} in {there}; both must be in the same hex"),
        (strange, "8.7", "{giver} and {receiver} are not of one nation"),
    )
    return holding(reasons, giver=giver.id, receiver=receiver.id, here=giver.place, there=receiver.place)


def is_beset(*, near: bool, level: int, begun: bool, ruling: Callable[[str, bool], str]) -> bool:
    """Return whether an enemy keeps a unit from giving and receiving: one adjacent to it, unless it is in a Level 3 or
    4 Improved Position, or has begun before the enemy came, which is a ruling.

    near, level, begun: as of a `Member`; ruling: from a ruling, and whether it matters, to the reading that holds.
    Rule: 8.7.1
    """
    exposed = near and level < SHELTER
    return exposed and not (ruling("ersatz-beset", begun) == "goes-on" and begun)


def bars_of_place(member: Member, ruling: Callable[[str, bool], str]) -> list[Step]:
    """Return what keeps a unit from giving or receiving where it stands: an enemy, and what keeps it from spending
    Movement Points. ruling: as for `is_beset`. Rule: 8.7.1
    """
    bars = list[Step]()
    if is_beset(near=member.near, level=member.level, begun=member.begun, ruling=ruling):
        text = "an enemy is adjacent to {unit}, which is not in an Improved Position of Level {level} or more"
        bars.append(step("8.7.1", text, unit=member.id, level=SHELTER))
    bars += [step(bar.rule, "{unit}: {why}", unit=member.id, why=bar.text) for bar in member.bound]
    return bars


def share_steps(left: Sequence[int], room: Sequence[int]) -> tuple[int, ...]:
    """Return the steps that each giver gives each receiver, the first ones first, as many as there are and fit: pair by
    pair, in the order of `transfers_of`. left: steps of each giver; room: of each receiver. Rule: 8.7.2
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
    """Return what is wrong with the steps that are to be given: a unit gives more than it has, receives more than it
    lacks, or has no part in it. Rule: 8.7.1, 8.7.2
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
    """Return the steps that go from unit to unit, pairs without any left out. steps: as the player says, pair by pair."""
    shares = steps or share_steps([giver.unit.left for giver in givers], [receiver.room for receiver in receivers])
    pairs = zip(product(givers, receivers), shares, strict=True)
    return tuple(Transfer(giver.id, receiver.id, share) for (giver, receiver), share in pairs if share)


def sums(transfers: Iterable[Transfer], role: str) -> dict[str, int]:
    """Return the steps that each unit gives or receives. role: giver or receiver."""
    every = dict[str, int]()
    for transfer in transfers:
        unit = getattr(transfer, role)
        every[unit] = every.get(unit, 0) + transfer.steps
    return every


def steps_after(member: Member, transfers: Iterable[Transfer]) -> int:
    """Return the steps of a unit once all are taken in."""
    given = sums(transfers, "giver")
    received = sums(transfers, "receiver")
    return member.unit.left - given.get(member.id, 0) + received.get(member.id, 0)


def points_begun(account: Account, marked: int) -> int:
    """Return the Movement Points that a unit has spent on the task already: those on its marker, or all of them if it
    has completed one in this phase, which serves for a further one, as several may take in steps of one unit in a
    phase, and one those of several.

    marked: on its marker. Rule: 8.7.2
    """
    return marked or (COST if account.spent.get(TASK) else 0)


# --- as a position has it ---------------------------------------------------------------------------------------------


def has_begun(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit bears a marker of points that it has spent on Ersatz replacements."""
    return marker_of(facts, unit).task == TASK


def waits_for_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit that has begun does not go on while an enemy is adjacent to it, by a ruling."""
    near = beside_enemies(facts, unit)
    level = level_in(facts, str(unit.place)) if near else 0
    return is_beset(near=near, level=level, begun=has_begun(facts, unit), ruling=facts.view.ruling)
