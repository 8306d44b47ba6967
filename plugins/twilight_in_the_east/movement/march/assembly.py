"""Whether units can be together in a hex by a turn: their Movement and Counter Movement Phases until then, one after
the other, while the enemy stays where he is (5.3, 5.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from math import floor
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import Gather, InputError, note, step
from assistant.rules.field import SideField
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ...forces.activation import read_dot
from ...forces.markers import BY_RAIL, COST, bar_of_task, marker_of
from ...forces.movement_points import is_immobile
from ...forces.standing_still import bar_of_mover, held_by_dot
from ...ground.calendar import MOVEMENT_PHASES, PHASES
from ...ground.phases import OUTSIDE_PLAYER_TURNS, MovementPhase, first_phase, phases
from .ends import Ends
from .landsturm import NOBODY, find_flights
from .movers import never_on_foot
from .prices import PricedMap
from .reach import Explorer, Purse, purse_in_phase, read_purse
from .steps import read_party
from .zones import Zones

AHEAD = 6
"""How many game turns ahead a meeting is sought."""


class MarchMoment(NamedTuple):
    """Where a position is in the course of the game."""

    turn: int
    phasing: str
    """"" between player turns."""
    phase: str


class MarchLeg(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit does in one phase of its way."""

    turn: Annotated[int, note("game turn")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("movement or counter-movement")]
    way: Annotated[tuple[str, ...], note("the hexes that the unit enters, in order")]
    forced: Annotated[bool, note("whether the unit makes a Forced March")] = False


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """How a unit comes to a hex."""

    unit: UnitId
    arrives: Annotated[bool, note("whether the unit can be there in time")]
    legs: Annotated[tuple[MarchLeg, ...], note("what the unit does in each phase in which it moves")] = ()
    unknown: Annotated[
        tuple[str, ...],
        note(
            "of a unit for which no way was found, the hexes of whose ground too little is stated, "
            "so that one may exist"
        ),
    ] = ()

    @property
    def forced(self) -> bool:
        """Whether it needs a Forced March."""
        return any(leg.forced for leg in self.legs)


def phases_until(side: str, now: MarchMoment, until: int, order: Sequence[str]) -> tuple[MovementPhase, ...]:
    """Return the phases in which a side moves from now on, those of a game turn included.

    order: both sides, in the order of their player turns. A Movement Phase of its own player turn, a Counter Movement
    Phase of the enemy's (5.4.6, 5.4.7).
    """
    first = first_phase(now.phase, now.phasing, now.turn, side, order)
    return tuple(takewhile(lambda phase: phase.turn <= until, phases(first, side, order)))


def read_moment(facts: Gather) -> MarchMoment:
    """Return where a position is in the course of the game. Raises InputError for a phase that is not named."""
    turn = facts.integer("turn")
    phase = facts.word("phase")
    if phase == "other":
        raise InputError(f"phase: {phase} does not say which phase it is", hint=f"state one of {', '.join(PHASES)}")
    return MarchMoment(turn, "" if phase in OUTSIDE_PLAYER_TURNS else facts.word("phasing"), phase)


def check_until(turn: int, until: int) -> None:
    """Raise InputError for a game turn that is over, or too far ahead."""
    if until < turn:
        raise InputError(f"until: GT {until} is over", hint=f"name a game turn from {turn} on")
    if until > turn + AHEAD:
        raise InputError(f"until: GT {until} is too far ahead", hint=f"at most GT {turn + AHEAD}")


def purse_after_task(purse: Purse, due: int) -> tuple[Purse, int]:
    """Return the Movement Points of a unit in a phase in which it goes on with its task, and those that it then has to
    spend on it in the next phases; half a point counts for nothing, and no Forced March is made beside it.

    due: those that the task takes. Rule: 8.9.2, 4.5b
    """
    spent = min(due, floor(max(purse.allowed - purse.before, Fraction(0))))
    return purse._replace(before=purse.before + spent, most=0), due - spent


class Finder(NamedTuple):
    """Finds the way of a unit to a hex through phases. What is spent already counts in the present phase."""

    facts: Gather
    field: tuple[SideField, Zones]
    """The field of its side and the enemy zones."""
    prices: PricedMap
    slots: Sequence[MovementPhase]
    """The phases in which its side moves."""
    forced: bool
    """Whether it may make a Forced March."""
    unit: Unit
    to: str

    def come(self) -> Coming:
        """Return how the unit comes to the hex: without a Forced March if it can."""
        unit, unknown = self.unit, set[str]()
        for finder in (self._replace(forced=False), self) if self.forced else (self,):
            legs = finder._legs(unknown)
            if legs:
                return Coming(unit=unit.id, arrives=True, legs=legs)
        return Coming(unit=unit.id, arrives=unit.place == self.to, unknown=tuple(sorted(unknown)))

    def _legs(self, unknown: set[str]) -> tuple[MarchLeg, ...]:
        """Return what the unit does in each phase in which it moves, none if it does not come there. unknown: takes the
        hexes of unknown ground.
        """
        start = str(self.unit.place)
        if never_on_foot(self.facts, self.unit) or start == self.to:
            return ()
        reached = {start: NOBODY}
        legs: dict[str, tuple[MarchLeg, ...]] = {start: ()}
        fleeing = find_flights(self.facts.view, [self.unit])
        due = self._due()
        if due is None:
            return ()
        for slot in self.slots:
            purse = self._purse(slot)
            if due and purse:
                purse, due = purse_after_task(purse, due)
            phase = MOVEMENT_PHASES[slot.counter]
            newly = self._phase(slot, reached, purse, unknown) if purse and not due else {}
            for hex, ((begins, *way), marched) in newly.items():
                reached[hex] = reached[begins].union(*(fleeing.get(entered, NOBODY) for entered in way))
                leg = MarchLeg(turn=slot.turn, phasing=slot.phasing, phase=phase, way=tuple(way), forced=marched)
                legs[hex] = (*legs[begins], leg)
            if self.to in newly:
                return legs[self.to]
        return ()

    def _due(self) -> int | None:
        """Return the Movement Points that the unit first spends on a task that it has begun, or 0 without a task.

        None if the task ends in Rail Mode, or when others have spent theirs.
        Rule: 8.9.2
        """
        facts, unit = self.facts, self.unit
        _, begun = bar_of_task(facts, unit)
        if not begun:
            return 0
        marker = marker_of(facts, unit)
        due = None if marker.task in BY_RAIL else COST - marker.points or None
        then = "no way on foot is sought for it" if due is None else "its first Movement Points go into that"
        facts.view.premises.assume(step("8.9.2", "{unit}: {why}; {then}", unit=unit.id, why=begun, then=then))
        return due

    def _purse(self, slot: MovementPhase) -> Purse | None:
        """Return the Movement Points of the unit in a phase, None if it does not move then."""
        facts, unit = self.facts, self.unit
        if self._stays(slot):
            return None
        return read_purse(facts, unit) if slot.present else purse_in_phase(facts, unit, counter=slot.counter)

    def _phase(
        self, slot: MovementPhase, starts: Mapping[str, frozenset[str]], purse: Purse, unknown: set[str]
    ) -> dict[str, tuple[tuple[str, ...], bool]]:
        """Return the hexes that the unit reaches in a phase, from any of some, each with the way, its start in front,
        and whether it needs a Forced March. starts: each with the Landsturm that has fled from the unit on its way
        there; purse: what it has left to move; unknown: takes the hexes of unknown ground.
        """
        facts, units = self.facts, [self.unit]
        party = read_party(facts, units, counter=slot.counter)
        may_end = Ends(facts, units, present=slot.present)
        ends = dict[str, tuple[tuple[str, ...], bool]]()
        groups = [starts]
        if may_end.goals:  # under a Strategic Plan it matters where the phase was begun: each start is looked at alone
            groups = [{hex: fled} for hex, fled in starts.items()]
        for begun in groups:
            explorer = Explorer(facts, self.field, party, self.prices, [purse], forced=self.forced, starts=begun)
            explored = explorer.reach()
            unknown.update(explored.unknown)
            for place in explored.hexes:
                start = "" if slot.present else place.way[0]
                if place.hex not in starts and not any(may_end.bars(place.hex, start)):
                    ends.setdefault(place.hex, (place.way, bool(place.march)))
        return ends

    def _stays(self, slot: MovementPhase) -> bool:
        """Return whether something keeps a unit where it is in a phase: whatever does now, in the present one, but for
        a task that it has begun; later a dot until the turn in it, Rail Mode, or that it has no Movement Allowance.
        Rule: 3.3.5
        """
        facts, unit = self.facts, self.unit
        if slot.present:
            return bar_of_mover(facts, unit)[0] not in ("", "8.9.2")
        dot, released, _ = read_dot(facts, unit)
        held = held_by_dot(dot, released, slot.turn)
        return bool(held) or facts.flag("entrained", unit.id) or is_immobile(facts, unit)
