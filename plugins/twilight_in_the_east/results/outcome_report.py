"""What the dice of a combat lead to, as it is reported (10.9 to 11.4)."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Modifier
from assistant.questions import note

from ..retreat.cost import Charge, ForceRetreat
from .displacing import Displaced


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table."""

    side: Annotated[str, note("attacker or defender")]
    natural: Annotated[int, note("the roll")]
    by_result: Annotated[int, note("the modifier of the Combat Results Table")]
    modifiers: Annotated[tuple[Modifier, ...], note("all modifiers of the roll")]
    added: Annotated[int, note("the sum of these modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    steps: Annotated[int | None, note("steps lost, null where the chart's cell is not known")] = None
    ec: Annotated[int | None, note("modifier of one Force's check, null likewise")] = None
    losses: Annotated[dict[str, int] | None, note("steps by unit, null until they are shared out")] = None
    modifier_to: Annotated[str, note("the Force that takes the modifier")] = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    natural: Annotated[int, note("the roll")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers of the roll")]
    added: Annotated[int, note("the sum of these modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    cel: Annotated[int, note("the Combat Effectiveness Level")]
    margin: Annotated[int, note("by how much it failed, 0 or less is a pass")]
    passed: Annotated[bool, note("whether it passed")]
    cel_loss: Annotated[int, note("Combat Effectiveness Levels lost")]
    retreat: Annotated[int, note("hexes to retreat")]
    steps: Annotated[int, note("steps that it must lose")]
    disorder: Annotated[int, note("its degree of Disorder afterwards")]
    losses: Annotated[dict[str, int] | None, note("these steps by unit, null until they are shared out")] = None


class Obligation(msgspec.Struct, frozen=True):
    """Hexes that a Force must retreat."""

    force: Annotated[str, note("its first unit")]
    place: Annotated[str, note("where it stands")]
    by_crt: Annotated[int, note("hexes by the Combat Results Table")]
    by_check: Annotated[int, note("hexes by its check")]
    hexes: Annotated[int, note("hexes of retreat in all")]


class Withdrawal(msgspec.Struct, frozen=True):
    """A retreat as it was carried out."""

    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("the hex of the stack in the combat")]
    start: Annotated[str, note("the hex that it leaves")]
    cause: Annotated[str, note("crt, check, or repulse for a stack that a Repulse pushes away")]
    owed: Annotated[int, note("hexes that it had to retreat at least")]
    way: Annotated[tuple[str, ...], note("the hexes entered, in order")]
    charges: Annotated[tuple[Charge, ...], note("what they cost")]
    forces: Annotated[tuple[ForceRetreat, ...], note("what they cost each Force")]
    surrendered: Annotated[tuple[str, ...], note("Forces that could not leave their hex and surrendered")] = ()
    ends: Annotated[dict[str, str], note("where each Force ends, by Force")] = {}
    beyond: Annotated[tuple[str, ...], note("Forces that went on for want of room in the hex before")] = ()


class RepulseTried(msgspec.Struct, frozen=True):
    """A Repulse that a stack has tried in its retreat."""

    place: Annotated[str, note("the hex of the stack in the combat")]
    here: Annotated[str, note("the hex from which it was tried")]
    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[str, note("the Force that tried it")]
    odds: Annotated[str, note("odds after shifts")]
    crt: Annotated[str, note("the cell rolled, empty without a roll")]
    repulsed: Annotated[bool, note("whether it succeeded")]
    failed: Annotated[tuple[str, ...], note("the Forces pushed away that failed their check")] = ()


class PassedOver(msgspec.Struct, frozen=True):
    """A hex that a stack retreated to by choice, though the priorities put another open one before it."""

    hex: Annotated[str, note("the hex entered")]
    better: Annotated[str, note("the hex that comes before it")]
    why: Annotated[str, note("the first priority that puts it there")]


Earned = Annotated[int, note("Victory Points for a Prepared Attack and enemy divisions eliminated")]
PHASE = note(
    "the phase for which the points of a Prepared Attack are counted, empty if none were earned or it was stated"
)


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the dice led to, as far as they were given."""

    crt_roll: Annotated[int | None, note("the roll, null before it")] = None
    crt: Annotated[str, note("the cell, attacker / defender")] = ""
    absorbed: Annotated[dict[str, int], note("steps that fortress units lose instead of retreating")] = {}
    losses: Annotated[tuple[SideLosses, ...], note("both sides' rolls for step losses")] = ()
    checks: Annotated[tuple[CheckOutcome, ...], note("the Effectiveness Checks")] = ()
    obligations: Annotated[
        tuple[Obligation, ...],
        note("hexes that each Force has to retreat by the result and by its check, those gone already among them"),
    ] = ()
    retreats: Annotated[tuple[Withdrawal, ...], note("retreats carried out, in order")] = ()
    repulses: Annotated[tuple[RepulseTried, ...], note("Repulses tried in these retreats, in order")] = ()
    passed_over: Annotated[tuple[PassedOver, ...], note("hexes chosen against the priorities")] = ()
    way_losses: Annotated[dict[str, int], note("steps lost to retreats, by unit")] = {}
    way_levels: Annotated[dict[str, int], note("Combat Effectiveness Levels lost to retreats, by formation")] = {}
    places: Annotated[dict[str, str], note("where units stand that have moved, empty for off the map")] = {}
    farther: Annotated[tuple[ForceRetreat, ...], note("what Forces paid for ending farther from supply")] = ()
    displaced: Annotated[tuple[Displaced, ...], note("units that had to make room for the enemy, in order")] = ()
    unsettled: Annotated[
        tuple[str, ...],
        note(
            "what another question or a fact decides: units that may have to make room or be abandoned, pontoon bridges"
        ),
    ] = ()
    advanced: Annotated[tuple[str, ...] | None, note("the units that have advanced, null before that")] = None
    attacker_steps: Annotated[int, note("steps lost in all")] = 0
    defender_steps: Annotated[int, note("steps lost in all")] = 0
    vacated: Annotated[bool | None, note("whether the defender's hex is left empty, null while not known")] = None
    advance: Annotated[
        tuple[str, ...] | None, note("units that then may, within the stacking limits, null likewise")
    ] = None
    guns_stay: Annotated[tuple[str, ...], note("artillery units that an un-bridged river stops")] = ()
    attacker_points: Earned = 0
    defender_points: Earned = 0
    supposed_phase: Annotated[str, PHASE] = ""

    def lost(self) -> Counter[str]:
        """Steps lost by unit, to the Step Loss Results Table, to checks and in place of retreats."""
        lost = Counter(self.absorbed) + Counter(self.way_losses)
        for taken in (*(side.losses for side in self.losses), *(check.losses for check in self.checks)):
            lost.update(taken or {})
        return lost
