"""The units of a combat, its ground, and the readings of doubtful rules (10.1 to 10.6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, InputError, MissingFacts, Step, View
from assistant.rules.field import side_of
from assistant.state.state import Unit, hexside
from assistant.util.limits import Limit

from ..forces.armies import company_of
from ..forces.bars import FOUGHT, RETREATED, is_barred
from ..forces.unit import defending_train, fighting_units, gather_unit
from ..forces.units import SIDES, CombatUnit, Role
from ..ground import calendar
from ..ground.calendar import attack_phase, in_campaign, phase_against
from ..ground.hexsides import between, bridge, cell_of_high_mountain, is_uncrossable, needs_chart, why_closed
from ..ground.works import level_in
from ..leaders.combat import BRIGADES_RULING, leader_needs_army
from ..leaders.command import Leader
from ..leaders.facts import leaders_who_tell, leaders_with_uses, read_uses
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS
from .allocation import command_holder, commands_of, reallocate, with_ammunition
from .engagement import BattleParameters, Engagement, Readings, barrier_shifts
from .flanks import depends_on_bystanders, judge_flank, list_hexside_asks, ring_around
from .legality import (
    attacker_steps,
    attackers_kept_out,
    deserted_steps,
    fought_before_steps,
    incompatible_steps,
    must_withhold,
    only_sound_ones_withheld,
    phase_steps,
    river_steps,
    smaller_cavalry,
    stands_idle,
)

STEPS_AT_RISK = 3
"""The most steps that a unit can have at the start of a combat that may bring it to its last step."""
LENIENT_READINGS = {"defending_arm": "free", "sound_formation": "stack"}
"""The readings that allow the defender to withhold the most units."""


class Setup(msgspec.Struct, frozen=True):
    """A combat as a position and its parameters describe it."""

    view: View
    parameters: BattleParameters
    barred: Collection[str] = ()
    """Features on no hexside attacked across, so that their shifts are not asked for."""
    any_part: bool = False
    """Whether any part of the attackers may fight, so that the shifts of all hexsides are read."""
    guns: bool = True
    """Whether artillery counts and leaders apply; False for a Repulse."""

    def engage(self) -> Engagement:
        """Return the combat without withheld attackers, which may attack another hex.

        Raises MissingFacts if a fact is not stated, InputError if there are no defenders or no attackers.

        Rule: 10.1.1a, 10.1.5e
        """
        with self.view.gather() as facts:
            engagement = _add_ground(facts, self.participants(facts))
            if self.guns:
                engagement = add_leaders(facts, engagement, self.parameters.leader)
            engagement = replace(engagement, ring=ring_around(facts, engagement))
            engagement = replace(engagement, shifts=self._read_terrain_shifts(facts, engagement))
        return self._settle_readings(engagement)

    def engage_obliged(self) -> tuple[Engagement, BattleParameters, tuple[Step, ...]]:
        """Return the combat without units that must be withheld, its parameters, and the reasons.

        `withhold` in the parameters names these units too.

        Raises the errors of `engage`.
        """
        engagement = self.engage()
        check_choices(engagement, self.parameters.leader)
        steps = must_withhold(engagement)
        cavalry = [unit.id for unit in engagement.defenders if unit.id in steps and not RETREATED.holds(unit)]
        if cavalry and self.view.ruling("defending-arm") == "free":
            steps = {name: why for name, why in steps.items() if name not in cavalry}
        if not steps:
            return engagement, self.parameters, ()
        parameters = replace(self.parameters, withhold=(*self.parameters.withhold, *steps))
        return replace(self, parameters=parameters).engage(), parameters, tuple(steps.values())

    def _gather_present(self, facts: Gather) -> tuple[list[Unit], list[Unit]]:
        """Return the possible defenders and attackers of a hex, including withheld units.

        Raises InputError if there are no defenders or attackers, if a unit cannot be withheld, or if a hexside cannot
        be attacked across.
        """
        view, at, out = self.view, self.parameters.at, self.parameters.withhold
        here = [*fighting_units(facts, at), *defending_train(facts, at)]
        if not here:
            hint = "place the defender there, or name another hex"
            for lone in view.stack(at)[:1]:
                hint = f"supply units do not fight: {lone.id} displaces when an enemy becomes adjacent to it (ask displace)"
            raise InputError(f"no unit defends {at}", hint=hint)
        side = side_of(facts, here[0])
        places = self.parameters.from_ or view.board.neighbours(at)
        near = [unit for place in places for unit in fighting_units(facts, place)]
        # Fortress units never attack (12.1).
        around = [
            unit for unit in near if side_of(facts, unit) != side and facts.word("arm", unit.id) not in FORTRESSES
        ]
        Limit.COMBAT.check(len(around) + len(here), f"the combat at {at} has")
        if not around:
            if fort := next((unit for unit in near if side_of(facts, unit) != side), None):
                raise InputError(
                    f"{fort.id} is a fortress unit, which never attacks (12.1)", hint="place the attackers"
                )
            for decoy in sorted(name for name in view.decoys if view.unit(name).place in places):
                raise InputError(f"{decoy} is a dummy, which never attacks (26.1.2d)", hint="place the attackers")
            raise InputError(
                f"no enemy is adjacent to {at}", hint="place the attackers, or name other hexes with from="
            )
        for units, doing in ((around, "attack"), (here, "defend")):
            if all(unit.id in out for unit in units):
                raise InputError(f"withhold: no unit is left to {doing} {at}")
        if fortress := next(
            (unit for unit in here if unit.id in out and facts.word("arm", unit.id) in FORTRESSES), None
        ):
            raise InputError(f"withhold: {fortress.id} is a fortress unit, which cannot be withheld (10.1.5)")
        attacking = [unit for unit in around if unit.id not in out and facts.word("arm", unit.id) in COMBAT_ARMS]
        require_ground_that_is_crossed(view, attacking, at)
        return here, around

    def participants(self, facts: Gather) -> Engagement:
        """Return the combat with its units, without ground and leaders.

        Raises InputError as `_gather_present` does, and if only artillery without an AP would fight.
        """
        view, parameters = self.view, self.parameters
        at, out = parameters.at, parameters.withhold
        here, around = self._gather_present(facts)
        side = side_of(facts, here[0])
        withheld = [unit for unit in here if unit.id in out]
        turn = facts.integer("turn")
        position = level_in(facts, at)

        def armed(role: Role, units: list[Unit], points: tuple[str, ...] | None) -> list[CombatUnit]:
            gathered = [
                gather_unit(facts, unit, role, guns=self.guns, checks=self._may_check(facts, unit, role))
                for unit in units
                if unit.id not in out
            ]
            return [*with_ammunition(facts, f"{role}-ap", points, gathered)]

        attackers = armed("attacker", around, parameters.attacker_ap)
        if position:
            for number, unit in enumerate(attackers):
                if unit.ap and unit.artillery and not is_barred(unit, "attack"):
                    attackers[number] = replace(unit, classes=facts.words("artillery-class", unit.id))
        defenders = armed("defender", here, parameters.defender_ap)
        idle = tuple(unit for units in (attackers, defenders) for unit in units if stands_idle(unit, units))
        attacking = tuple(unit for unit in attackers if unit not in idle)
        defending = tuple(unit for unit in defenders if unit not in idle)
        if not attacking or not defending:
            raise InputError(
                f"only artillery without an AP would fight at {at}", hint="allocate one with attacker-ap or defender-ap"
            )
        taken = {unit.id for unit in around if unit.id not in out}
        beside = (unit for place in view.board.neighbours(at) for unit in view.stack(place) if unit.id not in taken)
        bearers = [unit for unit in beside if view.word("prepared", unit.id) == at and side_of(facts, unit) != side]
        return Engagement(
            at=at,
            attackers=attacking,
            defenders=defending,
            turn=turn,
            around=view.board.neighbours(at),
            position=position,
            idle=idle,
            withheld=tuple(gather_unit(facts, unit, None) for unit in withheld),
            stack=tuple(unit.id for unit in here),
            left_out=tuple(gather_unit(facts, unit, None) for unit in bearers),
            said_flanked=parameters.flanked,
            elsewhere={unit.id: unit.prepared for unit in attacking if _is_pointed_elsewhere(view, unit, at)},
            campaign=facts.flag("campaign"),
            shift=parameters.shift,
            drm={"attacker": parameters.attacker_drm, "defender": parameters.defender_drm},
        )

    def _may_check(self, facts: Gather, unit: Unit, role: Role) -> bool:
        """Return whether a unit's own effectiveness may decide an Effectiveness Check.

        In a Repulse (without `guns`) it does so only for defenders, and for Asset Units only without a formation in
        their hex (8.5.3).
        """
        if self.guns:
            return True
        beside = company_of(facts, unit)
        return role == "defender" and (not beside or beside in self.parameters.withhold)

    def _read_terrain_shifts(self, facts: Gather, engagement: Engagement) -> dict[str, int]:
        if not self.any_part and (engagement.unbridged or engagement.prohibited):
            return {}  # the combat is refused, whatever the chart says
        features = {engagement.terrain}
        if self.any_part or not engagement.mixed or self.view.ruling("river-shift") != "all":
            features = features.union(*engagement.crossed.values()) - set(self.barred)
        listed = sorted(features - {"", "open"})
        return {key: int(facts.cell("terrain-shift", key).values["shift"]) for key in listed}

    def _settle_readings(self, engagement: Engagement) -> Engagement:
        """Return the combat with the players' readings and with whether the defender is flanked.

        Raises MissingFacts if hexsides of unstated terrain decide whether the defender is flanked.
        """
        matters = _find_rulings(engagement)
        matters["last_step"] |= "last-step" in self.view.state.rulings and any(
            unit.left <= STEPS_AT_RISK for unit in engagement.units
        )
        unsaid = engagement.said_flanked is None
        matters["flank_occupied"] = unsaid and depends_on_bystanders(engagement, any_part=self.any_part)
        engagement = replace(engagement, readings=agree_readings(self.view, engagement.readings, matters))
        if asks := list_hexside_asks(self.view, engagement, any_part=self.any_part):
            raise MissingFacts(asks)
        return judge_flank(engagement)

    def withhold_another(self, engagement: Engagement, unit: str) -> Engagement | None:
        """Return the combat with one more unit withheld, or None if that is not allowed or leaves a side empty.

        Raises MissingFacts if a fact that now matters is not stated.
        """
        if any(defender.id == unit and defender.arm in FORTRESSES for defender in engagement.defenders):
            return None
        others = [attacker for attacker in engagement.attackers if attacker.id != unit]
        attackers = reallocate(others, self.parameters.attacker_ap)
        others = [defender for defender in engagement.defenders if defender.id != unit]
        defenders = reallocate(others, self.parameters.defender_ap)
        other = narrow(engagement, attackers, defenders)
        if not other.attackers or not other.defenders:
            return None
        with self.view.gather() as facts:
            other = replace(other, shifts=self._read_terrain_shifts(facts, other))
        return self._settle_readings(other)

    def certain_refusals(self) -> list[Step]:
        """Return the bars to a combat that hold whatever facts are still missing (10.1.5).

        They are the phase, earlier retreats and combats, and bars to the attackers.

        Raises InputError as `_gather_present` does.
        """
        view, at = self.view, self.parameters.at
        steps = phase_steps(phase_against(view, at), at)
        with suppress(MissingFacts):
            here, around = self.read_sides()
            ready = [unit for unit in around if not (RETREATED.holds(unit) or _is_pointed_elsewhere(view, unit, at))]
            spent = here if all(map(FOUGHT.holds, here)) else ()  # if only some have fought, these may be withheld
            steps += [
                *deserted_steps(at, here),
                *attackers_steps(view, at, ready),
                *fought_before_steps([*spent, *ready]),
            ]
        return steps

    def read_sides(self) -> tuple[list[CombatUnit], list[CombatUnit]]:
        """Return the units in the defending hex, including those withheld, and the combat units that would attack it.

        They have their status, but no ratings.

        Raises MissingFacts if facts that identify the units are not stated, InputError as `_gather_present` does.
        """
        with self.view.gather() as facts:
            here, around = self._gather_present(facts)
            around = [unit for unit in around if unit.id not in self.parameters.withhold]
            around = [unit for unit in around if facts.word("arm", unit.id) in COMBAT_ARMS]
            for unit in around:
                facts.word("size", unit.id)
        status = self.view.gather()  # without `with`, missing ratings are 0 and not asked for
        return [gather_unit(status, unit, None) for unit in here], [gather_unit(status, unit, None) for unit in around]


def require_ground_that_is_crossed(view: View, attacking: Sequence[Unit], at: str) -> None:
    """Raise InputError if a hex is attacked at sea, or over a lake, the sea or an impassable hexside.

    Rule: 10.1.2d
    """
    if any(why_closed(between(view, str(unit.place), at)) for unit in attacking):
        what = f"{at} cannot be attacked: it is sea, or a hexside attacked across is lake, sea or impassable"
        raise InputError(what, hint="see 10.1.2")


def _add_ground(facts: Gather, engagement: Engagement) -> Engagement:
    """Return the combat with its ground and its phase.

    Cells of the Terrain Effects Chart are asked for if they may prohibit the attack.
    """
    view = facts.view
    at = engagement.at
    places = list(dict.fromkeys(unit.place for unit in engagement.attackers))
    near = [place for place in places if place in engagement.around]
    engagement = replace(
        engagement,
        terrain=facts.word("terrain", at),
        crossed={place: facts.words("barrier", hexside(at, place)) for place in near},
        positions={place: level_in(facts, place) for place in places},
    )
    engagement = apply_weather(facts, engagement)

    def unbridged(place: str) -> bool:
        return is_uncrossable(between(facts, place, at))

    def prohibited(place: str) -> bool:
        high = cell_of_high_mountain(engagement.turn)
        return needs_chart(between(view, place, at)) and facts.cell(*high).values["cost"] == "prohibited"

    def shut(place: str) -> bool:
        return bool(why_closed(between(view, place, at))) or unbridged(place) or prohibited(place)

    wet = [place for place, side in engagement.crossed.items() if GREAT_RIVERS & side]
    return replace(
        engagement,
        unbridged=tuple(filter(unbridged, near)),
        bridged={place: bridge(between(view, place, at)) for place in wet},
        prohibited=tuple(filter(prohibited, near)),
        left_out=tuple(unit for unit in engagement.left_out if not shut(unit.place)),
        attack_phase=attack_phase(view, at, side_of(facts, view.unit(engagement.attackers[0].id))),
    )


def add_leaders(facts: Gather, engagement: Engagement, chosen: Collection[str]) -> Engagement:
    """Return the combat with the leaders in command who may apply in it.

    A unit's army is asked for if it decides whether a leader applies.

    `chosen`: leaders whom their players use.

    Raises InputError for a leader who cannot be chosen.
    """
    leaders = leaders_who_tell(facts, chosen)
    if not leaders:
        return engagement
    reading = facts.view.quiet_view().ruling(BRIGADES_RULING)
    readings = replace(engagement.readings, leaders_brigades=reading)
    engagement = replace(engagement, leaders=leaders, used=read_uses(facts.view), readings=readings)
    for role in SIDES:
        fighting = engagement.side(role)
        led = engagement.as_led(role)
        present = (*fighting, *engagement.withheld, *engagement.left_out)
        for unit, as_led in zip(fighting, led, strict=True):
            if any(leader_needs_army(leader, role, as_led, led, reading) for leader in leaders):
                facts.word("army", command_holder(unit, present).id)
    pair, division = (
        replace(engagement, readings=replace(readings, leaders_brigades=brigades)) for brigades in ("pair", "division")
    )
    facts.view.ruling(BRIGADES_RULING, pair.telling() != division.telling())
    return engagement


def check_choices(engagement: Engagement, chosen: Collection[str]) -> None:
    """Raise InputError if a leader is chosen for a combat in which he does not apply."""
    applying = {leader.leader for leader, _ in engagement.telling()}
    for leader in engagement.leaders:
        if leader.leader in chosen and leader.leader not in applying:
            fights = "fights" if leader.fights == "both" else "attacks"
            what = f"leader: no unit of the {leader.nation.title()} {leader.of} {fights} here ({leader.rule})"
            raise InputError(
                what, hint=f"leave out {leader.leader}, or state the {'corps' if leader.corps else 'army'} of the units"
            )


def leaders_to_choose(view: View, engagement: Engagement) -> tuple[Leader, ...]:
    """Return the leaders whom players might still choose for a combat, because they command units in the right role."""
    with view.gather() as facts:
        able = leaders_with_uses(facts)
    idle = tuple(leader for leader in able if leader.chosen and leader not in engagement.leaders)
    return tuple(leader for leader, _ in replace(engagement, leaders=idle).telling())


def agree_readings(view: View, so_far: Readings, matters: Mapping[str, bool]) -> Readings:
    """Return the readings, with those that matter as the players have agreed, or else by default.

    `matters`: whether each reading matters, by field of `Readings`.
    """
    return replace(so_far, **{name: view.ruling(name.replace("_", "-")) for name, does in matters.items() if does})


def _find_rulings(engagement: Engagement) -> dict[str, bool]:
    sides = engagement.crossed.values()
    units = engagement.units
    return {
        "several_corps": len(commands_of(engagement.attackers, engagement.attackers)) > 2,
        "river_shift": engagement.mixed or len(set(barrier_shifts(sides, engagement.shifts))) > 1,
        "river_halving": len({bool(GREAT_RIVERS & side) for side in sides}) > 1,
        "last_step": any(unit.left == 1 for unit in units) and len(units) > 2,
        "half_hex_attack": bool(attackers_kept_out(engagement)),
        "leaders_loss_roll": any(leader.rule == "25.4" for leader, _ in engagement.telling()),
        "leaders_together": sum(leader.rule == "25.4" for leader, _ in engagement.telling()) > 1,
        **withholding_rulings(engagement),
    }


def withholding_rulings(engagement: Engagement) -> dict[str, bool]:
    """Return whether each ruling on withholding defenders matters, by field of `Readings`."""
    return {"defending_arm": bool(smaller_cavalry(engagement)), "sound_formation": only_sound_ones_withheld(engagement)}


def narrow(engagement: Engagement, attackers: Sequence[CombatUnit], defenders: Sequence[CombatUnit]) -> Engagement:
    """Return a combat fought by some of its units.

    The other units are withheld, and artillery that cannot take part is idle.

    `attackers`, `defenders`: some units of each side, with their present Artillery Ammunition Points.
    """
    idle = (*engagement.idle, *(unit for side in (attackers, defenders) for unit in side if stands_idle(unit, side)))
    taking_part = {unit.id for unit in (*attackers, *defenders, *idle)}
    attacking = tuple(unit for unit in attackers if unit not in idle)
    places = {unit.place for unit in attacking}
    left = [unit for unit in engagement.attackers if unit.id not in taking_part]
    withheld = [unit for unit in engagement.defenders if unit.id not in taking_part]
    shut = (*engagement.unbridged, *engagement.prohibited)
    return judge_flank(
        replace(
            engagement,
            attackers=attacking,
            defenders=tuple(unit for unit in defenders if unit not in idle),
            idle=idle,
            withheld=(*engagement.withheld, *withheld),
            unbridged=tuple(place for place in engagement.unbridged if place in places),
            prohibited=tuple(place for place in engagement.prohibited if place in places),
            crossed={place: side for place, side in engagement.crossed.items() if place in places},
            left_out=(*engagement.left_out, *(unit for unit in left if unit.place not in shut)),
            elsewhere={unit: target for unit, target in engagement.elsewhere.items() if unit in taking_part},
        )
    )


def _is_pointed_elsewhere(view: View, unit: CombatUnit, at: str) -> bool:
    """Return whether a unit's Prepared Attack marker points at another hex with enemies (10.3)."""
    target = unit.prepared
    there = view.stack(target) if target not in ("", at) and view.board.is_hex(target) else ()
    nations = {unit.nation, *(view.word("nation", other.id) for other in there)} - {""}
    return len({view.game.side_of(nation) for nation in nations}) > 1


def apply_weather(facts: Gather, engagement: Engagement) -> Engagement:
    """Return the combat with its ground after the weather: in Freeze wetlands are clear and minor rivers do not count.

    Rule: 10.8a
    """
    wetlands = engagement.terrain == "wetlands"
    matters = wetlands or any("minor-river" in side for side in engagement.crossed.values())
    may_freeze = "freeze" in calendar.possible_weather(engagement.turn) and facts.view.state.value("weather") is None
    campaign = in_campaign(facts, "20.1", "Freeze cancels minor rivers and wetlands", matters=matters and may_freeze)
    if not campaign or not matters or calendar.weather(facts, "freeze") != "freeze":
        return engagement
    crossed = {place: side - {"minor-river"} for place, side in engagement.crossed.items()}
    return replace(engagement, terrain="clear" if wetlands else engagement.terrain, crossed=crossed)


def attackers_steps(view: View, at: str, attackers: Sequence[CombatUnit]) -> list[Step]:
    """Return the stated bars to units attacking a hex: their status, rivers, and arms or armies that cannot combine."""
    near = [place for place in dict.fromkeys(unit.place for unit in attackers) if place in view.board.neighbours(at)]
    return [
        *river_steps(at, [place for place in near if is_uncrossable(between(view, place, at))]),
        *(line for unit in attackers for line in attacker_steps(unit, at, view.board.neighbours(at))),
        *incompatible_steps(attackers, "attacker"),
    ]
