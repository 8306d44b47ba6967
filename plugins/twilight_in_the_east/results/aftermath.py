"""The end of a combat after its checks: retreats, distance from supply, the advance (11.2 to 11.4).

`Aftermath.follow` returns what follows each situation, `Aftermath.complete_outcome` the complete outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

import msgspec
from msgspec.structs import replace

from assistant.asking.permission import Clause
from assistant.asking.wording import fill
from assistant.mechanics.procedure import Apart, Choice, Done, Node, Resolution, Situation
from assistant.rules.field import bar_of

from ..combat.before_dice import Combat
from ..combat.engagement import Engagement, Units
from ..combat.pieces import Amounts, Layout, Toll, add_amounts, remaining_force
from ..displacement.in_combat import Displacing, displace_next_unit, find_units_in_way, role_of_piece
from ..forces.losses import bearers
from ..forces.units import SIDES, CombatUnit, Force, Role, stacks
from ..ground.hexsides import Entry, entry_bar
from ..retreat.ways import ForceRetreat, apply_charges, supply_charges
from ..terms import BUKOWINA_BOX, FORTRESSES, KG_TRAIN, SUPPLY_ARMS
from .outcome import BattleOutcome, PlayedCombat, Withdrawal
from .repulses import follow_retreats
from .resolution import steps_of_side
from .retreats import (
    RetreatDuty,
    Retreats,
    StepsToShare,
    UnitsInHex,
    withheld_units,
)

MAX_UNITS_COMBINED = 6
"""The most units of which every combination is offered to advance."""


class AwayFromSupply(msgspec.Struct, frozen=True):
    """The stage after the retreats by checks, when Forces pay for ending farther from supply (11.2.3)."""

    paid: tuple[ForceRetreat, ...] | None = None
    """The costs to Forces, or None before they pay."""


class Aftermath(msgspec.Struct, frozen=True):
    """The part of a combat that follows its checks."""

    combat: Combat
    after: BattleOutcome
    """The outcome once all checks are made."""
    wished: str = ""
    """The attacker's answer `advance`, ids of units joined by commas, or ""."""

    @property
    def start(self) -> Retreats:
        """The first situation: the retreats by the checks."""
        duties = tuple(duty for role in SIDES for duty in self.retreats_by_checks(self.toll, role))
        return Retreats("check", duties, self.toll, AwayFromSupply())

    def follow(self, situation: Situation) -> Node:
        """Return what follows a situation, from the checks to the end of a combat. Rule: 10.2.1b"""
        match situation:
            case Retreats(stage="done", then=AwayFromSupply(paid=None), toll=toll):
                return self.away_from_supply(toll)
            case Retreats(stage="done", toll=toll):
                return Apart({"": Displacing(toll)})
            case Displacing(settled=False):
                return displace_next_unit(self.combat, situation)
            case Displacing(advanced=None, toll=toll):
                offered = Advance(self.combat, situation, self.wished).offer_advance()
                return replace(offered, notes=self._note_steps_lost(toll))
            case Displacing():
                return Done()
            case _:
                return follow_retreats(self.combat, situation)

    def _note_steps_lost(self, now: Toll) -> dict[str, int]:
        """Return the steps that each side has lost since the checks."""
        lost = {role: [steps_of_side(self.combat, role, toll) for toll in (now, self.toll)] for role in SIDES}
        return {f"{role}.afterwards": by_now - before for role, (by_now, before) in lost.items()}

    @property
    def toll(self) -> Toll:
        """The costs of the combat once all checks are made."""
        after = self.after
        lost = dict(after.lost())
        every = self.combat.engagement.everybody
        gone = {unit.id: "" for unit in every if lost.get(unit.id, 0) >= unit.left}
        levels = add_amounts(tuple(after.way_levels.items()), {check.force: check.cel_loss for check in after.checks})
        disorder = tuple((check.force, check.disorder) for check in after.checks if check.disorder)
        led = Counter(leader for tried in after.repulses for leader in tried.leaders)
        return Toll(
            moved=tuple(sorted({**after.places, **gone}.items())),
            steps=tuple(sorted(lost.items())),
            levels=levels,
            disorder=disorder,
            hexes=_count_hexes_retreated(retreat for retreat in after.retreats if retreat.cause != "repulse"),
            pushed=_count_hexes_retreated(retreat for retreat in after.retreats if retreat.cause == "repulse"),
            led=tuple(sorted(led.items())),
        )

    def retreats_by_checks(self, toll: Toll, role: Role) -> Iterator[RetreatDuty]:
        """Yield the duties of a side's stacks to retreat by their checks, with Forces that accompany them.

        If a stack has been divided, each part begins in its present hex (4.2.3).

        Rule: 11.3.2aa
        """
        zones = self._count_zones_entered(role)
        for place in dict.fromkeys(unit.place for unit in self.combat.engagement.present(role)):
            is_split = False
            stack = UnitsInHex(self.combat, role, place)
            for start, together in stack.parts(toll).items():
                due = self.due_by_checks(toll, together, stack.along & together.keys())
                if due and start != BUKOWINA_BOX:  # units in the Holding Box are safe (23.4.1)
                    split_name = next(iter(due)) if is_split else ""
                    yield RetreatDuty(
                        role, place, start, tuple(due.items()), earlier_zones=zones, split_name=split_name
                    )
                    is_split = True

    def due_by_checks(self, toll: Toll, together: Mapping[str, Force], bystanders: Collection[str]) -> dict[str, int]:
        """Return the hexes that each Force of a stack must retreat, by its check or by accompanying others.

        `together`: the Forces of the stack that stand in one hex, by name.
        `bystanders`: the names of the Forces that take no part in the combat.

        Rule: 10.1.5f
        """
        owed = {duty.force: duty.by_check for duty in self.after.obligations if duty.by_check}
        due = {name: owed[name] for name in together if name in owed}
        if bystanders and not self._does_anybody_stay(together.values(), due, toll):
            place = next(unit.place for force in together.values() for unit in force.units)
            gone = [check.retreat for check in self.after.checks if check.place == place]
            by_result = sum(
                retreat.owed for retreat in self.after.retreats if (retreat.place, retreat.cause) == (place, "crt")
            )
            hexes = hexes_drawn_along(due.values(), gone, by_result)
            if hexes:
                due |= dict.fromkeys(sorted(bystanders), hexes)
        return due

    def _does_anybody_stay(self, stack: Iterable[Force], due: Collection[str], toll: Toll) -> bool:
        """Return whether a fortress unit or a fighting Force stays in the hex that a stack leaves (10.1.5).

        Artillery alone does not count.

        `due`: the names of the Forces that leave.
        """
        fighting = {unit.id for unit in self.combat.engagement.units if unit.arm != "artillery"}
        lost = dict(toll.steps)
        places = {unit.place for force in stack for unit in force.units}
        forts = (unit for unit in self.combat.engagement.units if unit.arm in FORTRESSES and unit.place in places)
        holding = any(lost.get(unit.id, 0) < unit.left for unit in forts)
        staying = (unit.id for force in stack if force.name not in due for unit in force.units)
        return holding or not fighting.isdisjoint(staying)

    def _count_zones_entered(self, role: str) -> Amounts:
        """Return the number of unoccupied hexes in EZOCs that each Force of a side has entered in its retreats."""
        zones = list[tuple[str, int]]()
        for retreat in self.after.retreats:
            if retreat.side == role and retreat.cause == "crt":
                zones += [(force.force, force.zones) for force in retreat.forces if force.zones]
        return tuple(zones)

    def away_from_supply(self, toll: Toll) -> Node:
        """Return the situation once Forces have paid for ending farther from all their supply sources.

        Only Forces that had to retreat two hexes or more pay, including those pushed away by a Repulse.

        Rule: 11.2.3
        """
        pieces = self.combat.standing
        layout = pieces.after(toll)
        due = list[StepsToShare]()
        farther = list[ForceRetreat]()
        hexes = Counter(dict(toll.hexes))
        pushed = Counter(dict(toll.pushed))
        for role, place, force in self._list_forces_concerned(toll):
            name = force.name
            left = remaining_force(force, toll)
            if left is None or hexes[name] + pushed[name] < 2 or name in withheld_units(self.combat):
                continue
            ends = (place, layout.where[left.units[0].id])
            owed = (hexes[name], pushed[name])
            fortress = any(piece.arm in FORTRESSES for piece in layout.at(ends[1]))
            sources = [(then, layout.stands(source, then)) for source, then in pieces.sources(left).items()]
            charged = supply_charges(pieces.view, sources, name, ends, owed, fortress=fortress)
            lost = apply_charges(left, charged)
            if charged:
                farther.append(lost)
            toll = toll.and_levels({name: lost.levels})
            if lost.eliminated:
                toll = toll.and_steps({unit.id: unit.left for unit in bearers(left)})
                toll = toll.and_moved({unit.id: "" for unit in bearers(left)})
            elif lost.steps:
                due.append(StepsToShare(role, force, lost.steps, "supply", "11.2.3"))
        return Apart({"": Retreats("check", (), toll, AwayFromSupply(tuple(farther)), steps_to_share=tuple(due))})

    def _list_forces_concerned(self, toll: Toll) -> Iterator[tuple[Role, str, Force]]:
        """Yield the Forces of both sides and those pushed away by a Repulse, each with its side and its hex."""
        known = set[str]()
        for role in SIDES:
            for place in dict.fromkeys(unit.place for unit in self.combat.engagement.present(role)):
                for name, force in UnitsInHex(self.combat, role, place).forces.items():
                    known.add(name)
                    yield role, place, force
        for name, _ in toll.pushed:
            if name not in known:
                piece = self.combat.standing.by_id[name]
                there = self.combat.standing.layout(()).forces_at(piece.place)
                yield (
                    role_of_piece(self.combat, piece),
                    piece.place,
                    next(force for force in there if force.name == name),
                )

    def complete_outcome(self, resolved: Resolution) -> BattleOutcome:
        """Return the outcome with the events after the checks: retreats, their costs, the advance."""
        after, played = self.after, PlayedCombat(self.combat, resolved)
        due = played.count_steps_due()
        toll = Toll()
        farther: tuple[ForceRetreat, ...] = ()
        making_room: Displacing | None = None
        before_advance: Displacing | None = None
        for situation, _, _ in resolved.trace:
            if isinstance(situation, Retreats):
                toll = situation.toll
                farther = (situation.then.paid or ()) if isinstance(situation.then, AwayFromSupply) else ()
            elif isinstance(situation, Displacing):
                toll = situation.toll
                making_room = situation
                if situation.settled and situation.advanced is None:
                    before_advance = situation
        checked = Counter({check.force: check.cel_loss for check in after.checks})
        outcome = replace(
            after,
            retreats=(*after.retreats, *played.list_withdrawals()),
            repulses=(*after.repulses, *played.list_repulses()),
            passed_over=(*after.passed_over, *played.against_priorities()),
            way_losses=dict(Counter(dict(toll.steps)) - (after.lost() - Counter(after.way_losses))),
            way_levels=dict(Counter(dict(toll.levels)) - checked),
            places=dict(toll.moved),
            farther=farther,
            attacker_steps=steps_of_side(self.combat, "attacker", toll),
            defender_steps=steps_of_side(self.combat, "defender", toll),
            attacker_due=due["attacker"],
            defender_due=due["defender"],
        )
        if making_room:
            outcome = replace(outcome, displaced=making_room.displaced, unsettled=making_room.unsettled, vacated=None)
        if before_advance:
            advance = Advance(self.combat, before_advance)
            able, stopped = advance.may_advance()
            outcome = replace(
                outcome,
                vacated=advance.is_vacated(),
                advance=tuple(unit.id for unit in able),
                guns_stay=tuple(unit.id for unit in stopped),
            )
        if making_room and making_room.settled and making_room.advanced is not None:
            outcome = replace(outcome, advanced=making_room.advanced)
        return outcome


def hexes_drawn_along(due: Collection[int], eliminated: Iterable[int], by_result: int) -> int:
    """Return the hexes that accompanying Forces retreat once all others leave the hex by their checks.

    They are the fewest hexes that any other Force must retreat, or had to retreat if all are eliminated.

    `due`: hexes of retreat by the checks of the others.
    `eliminated`: hexes of retreat by the checks of eliminated Forces.
    `by_result`: hexes that the stack retreats by the result.

    Rule: 10.1.5f
    """
    return min(due or [hexes for hexes in eliminated if hexes + by_result], default=0)


def _count_hexes_retreated(retreats: Iterable[Withdrawal]) -> Amounts:
    hexes = Counter[str]()
    for retreat in retreats:
        hexes.update(dict.fromkeys((force.force for force in retreat.forces), retreat.owed))
    return tuple(sorted(hexes.items()))


class Advance(msgspec.Struct, frozen=True):
    """The end of a combat, when attackers may advance into the hex that the defender has left."""

    combat: Combat
    now: Displacing
    """The situation after the retreats and displacements."""
    wished: str = ""
    """The attacker's answer `advance`, ids of units joined by commas, or ""."""

    def offer_advance(self) -> Node:
        """Return the attacker's choice of the units that advance. Rule: 11.4, 11.4.1, 11.4.2"""
        toll = self.now.toll
        able, _ = self.may_advance()
        if not able:
            return Apart({"": replace(self.now, advanced=())})
        at = self.combat.engagement.at
        options: dict[str, Situation] = {}
        for units in list_selections(able, self._fits, self.wished):
            names = tuple(unit.id for unit in units)
            advanced = toll.and_moved(dict.fromkeys(names, at))
            options[",".join(names) or "none"] = replace(self.now, toll=advanced, advanced=names, settled=False)
        text = "the units that advance into {at}[more: (or others of them, joined by commas)]"
        title = fill(text, {"at": at, "more": len(able) > MAX_UNITS_COMBINED})
        return Choice("advance", "11.4", title, "attacker", options)

    def may_advance(self) -> tuple[Units, Units]:
        """Return the attackers that may advance, and the artillery that only an un-bridged river stops.

        No unit advances while a unit is left in the defender's hex. By ruling vacant-hex, a unit does not advance
        either if its Prepared Attack marker points at another, empty hex (10.3).

        Rule: 11.4
        """
        combat = self.combat
        if bar_of(self.bars()):
            return (), ()
        able, guns = victorious_units(combat.engagement, self.now.toll)
        able = tuple(unit for unit in able if not entry_bar(Entry(combat.engagement.at, (unit.nation,))))
        bound = tuple(unit for unit in able if unit.prepared in ("", combat.engagement.at))
        barred = combat.pieces and combat.pieces.view.ruling("vacant-hex", len(bound) < len(able)) == "any"
        return (bound if barred else able), guns

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to any advance into the defender's hex. Rule: 11.4"""
        yield not self.is_vacated(), "11.4", "somebody who fights is left there"
        now = self.now
        yield find_units_in_way(self.combat, now.unsettled, dict(now.toll.moved)), "9.5", "others have yet to leave it"

    def is_vacated(self) -> bool:
        """Return whether no fighting unit is left in the defender's hex."""
        there = self._layout.at(self.combat.engagement.at)
        return all(piece.arm in SUPPLY_ARMS and piece.id != KG_TRAIN for piece in there)

    def _fits(self, units: Sequence[CombatUnit]) -> bool:
        """Return whether the defender's hex holds these units within the stacking limits."""
        return self._layout.holds([unit.id for unit in units], self.combat.engagement.at)

    @property
    def _layout(self) -> Layout:
        """The places of all pieces now."""
        return self.combat.standing.after(self.now.toll)


def bars_of_advance(unit: CombatUnit, toll: Toll) -> Iterator[Clause]:
    """Yield the bars to the advance of a unit that has attacked. Rule: 11.4.2"""
    yield unit.id in dict(toll.moved), "11.4.2", "it has retreated"
    yield dict(toll.steps).get(unit.id, 0) >= unit.left, "11.4", "it is eliminated"
    yield unit.garrison, "12.4.1", "it is of a Fortress Garrison"


def victorious_units(engagement: Engagement, toll: Toll) -> tuple[Units, Units]:
    """Return the attackers that may advance into an empty hex, and the artillery that a river stops.

    Artillery does not cross an un-bridged Major or Grand River; a bridge that is not stated counts as missing.

    Rule: 11.4.2
    """
    every = chain.from_iterable(stacks(engagement.attackers).values())
    able = [unit for unit in every if not bar_of(bars_of_advance(unit, toll))]
    guns = [unit for unit in able if unit.arm == "artillery" and not engagement.bridged.get(unit.place, True)]
    return tuple(unit for unit in able if unit not in guns), tuple(guns)


def list_selections(
    able: Sequence[CombatUnit], fits: Callable[[Sequence[CombatUnit]], bool], wished: str
) -> Iterator[tuple[CombatUnit, ...]]:
    """Yield the selections of units that may advance together, within the stacking limits.

    All combinations of up to `MAX_UNITS_COMBINED` units are offered. Of more units only these are: as many as fit in
    order, each unit alone, none, and the selection in `wished`.

    `fits`: returns whether the hex has room for the given units.
    `wished`: ids joined by commas.

    Rule: 11.4.1
    """
    if len(able) <= MAX_UNITS_COMBINED:
        for number in range(len(able), -1, -1):
            yield from filter(fits, combinations(able, number))
        return
    most: tuple[CombatUnit, ...] = ()
    for unit in able:
        if fits((*most, unit)):
            most = (*most, unit)
    alone = [(unit,) for unit in able]
    names = tuple(unit for unit in able if unit.id in wished.split(","))
    yield from filter(fits, dict.fromkeys([most, *alone, (), names]))
