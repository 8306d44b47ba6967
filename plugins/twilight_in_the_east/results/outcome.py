"""What the dice of a combat lead to: losses, checks and obligations as they are reported, and what follows the checks:
retreats, the distance from supply, the advance (10.9 to 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from assistant.asking import note
from assistant.mechanics.procedure import Apart, Choice, Done, Modifier, Node, Procedure, Resolution, Roll, Situation

from ..combat.before_dice import Combat
from ..combat.checks import failure
from ..combat.engagement import Engagement, Units, total_of
from ..combat.tolls import Amounts, Toll, add_amounts, remaining_force
from ..displacement.in_combat import Displaced, Displacing, Settled, displace, find_units_in_way, owner
from ..forces.losses import bearers
from ..forces.units import SIDES, CombatUnit, Force, Role, stacks
from ..ground.hexsides import Entry, entry_bar
from ..retreat.ways import Charge, ForceRetreat, apply_charges, hex_passed_over, supply_charges
from ..terms import BUKOWINA_BOX, FORTRESSES, KG_TRAIN, SUPPLY_ARMS
from .resolution import (
    Decided,
    ForceChecks,
    ForceLost,
    SideChecks,
    SideLoses,
    SideLost,
    SideRolls,
    Stack,
    StackChecked,
    StackChecks,
    Start,
    steps_of_side,
)
from .retreats import (
    AfterRetreats,
    Retreated,
    Retreats,
    StackRetreat,
    StepsDue,
    TriedRepulse,
    forces_along,
    hexes_around,
    hexes_drawn_along,
    parts_of,
    retreat_nodes,
    stack_of,
    withheld_units,
)


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table."""

    side: Annotated[str, note("attacker or defender")]
    natural: Annotated[int, note("the roll")]
    by_result: Annotated[int, note("the modifier of the Combat Results Table")]
    modifiers: Annotated[tuple[Modifier, ...], note("all modifiers of the roll")]
    added: Annotated[int, note("sum of the roll's modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    steps: Annotated[int | None, note("steps lost, null where the chart's cell is not known")] = None
    ec: Annotated[int | None, note("modifier of one Force's check, null where the chart's cell is not known")] = None
    losses: Annotated[dict[str, int] | None, note("steps by unit, null until they are shared out")] = None
    modifier_to: Annotated[str, note("the Force that takes the modifier")] = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    natural: Annotated[int, note("the roll")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers of the roll")]
    added: Annotated[int, note("sum of the roll's modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    cel: Annotated[int, note("the Combat Effectiveness Level")]
    margin: Annotated[int, note("by how much the check failed, 0 or less for a pass")]
    passed: Annotated[bool, note("whether the Force passed its check")]
    cel_loss: Annotated[int, note("Combat Effectiveness Levels lost")]
    retreat: Annotated[int, note("hexes to retreat")]
    steps: Annotated[int, note("steps that it must lose")]
    disorder: Annotated[int, note("its degree of Disorder afterwards")]
    losses: Annotated[
        dict[str, int] | None, note("the steps that it must lose, by unit, null until they are shared out")
    ] = None


class Obligation(msgspec.Struct, frozen=True):
    """Hexes that a Force must retreat."""

    force: Annotated[str, note("its first unit")]
    place: Annotated[str, note("where it stands")]
    by_crt: Annotated[int, note("hexes of retreat by the Combat Results Table")]
    by_check: Annotated[int, note("hexes of retreat by its check")]
    hexes: Annotated[int, note("hexes of retreat in all")]


class Withdrawal(msgspec.Struct, frozen=True):
    """A retreat as it was carried out."""

    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("the hex of the stack in the combat")]
    start: Annotated[str, note("the hex that the stack leaves")]
    cause: Annotated[str, note("crt, check, or repulse for a stack that a Repulse pushes away")]
    owed: Annotated[int, note("the fewest hexes that it had to retreat")]
    way: Annotated[tuple[str, ...], note("the hexes entered, in order")]
    charges: Annotated[tuple[Charge, ...], note("what the hexes entered cost")]
    forces: Annotated[tuple[ForceRetreat, ...], note("what the hexes entered cost each Force")]
    surrendered: Annotated[tuple[str, ...], note("Forces that could not leave their hex and surrendered")] = ()
    ends: Annotated[dict[str, str], note("where each Force ends, by Force")] = {}
    departed: Annotated[tuple[str, ...], note("Forces that have left the map for good and are not eliminated")] = ()
    beyond: Annotated[
        tuple[str, ...], note("Forces that retreated farther because the hex where they should have stopped was full")
    ] = ()


class RepulseTried(msgspec.Struct, frozen=True):
    """A Repulse that a stack has tried in its retreat."""

    place: Annotated[str, note("the hex of the stack in the combat")]
    here: Annotated[str, note("the hex from which the Repulse was attempted")]
    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[str, note("the Force that attempted the Repulse")]
    odds: Annotated[str, note("odds after shifts")]
    crt: Annotated[str, note("the cell rolled, empty without a roll")]
    repulsed: Annotated[bool, note("whether the Repulse succeeded")]
    failed: Annotated[tuple[str, ...], note("the Forces pushed away that failed their check")] = ()
    leaders: Annotated[tuple[str, ...], note("leaders who applied in it")] = ()


class PassedOver(msgspec.Struct, frozen=True):
    """A hex that a stack retreated to by choice, though the priorities put another open one before it."""

    hex: Annotated[str, note("the hex entered")]
    better: Annotated[str, note("the hex that the priorities put before the hex entered")]
    why: Annotated[str, note("the first priority that prefers that hex")]


Earned = Annotated[int, note("Victory Points for a Prepared Attack and enemy divisions eliminated")]
PHASE = note("the phase assumed in scoring a Prepared Attack, empty if it was stated or nothing was scored")


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the dice led to, as far as they were given."""

    crt_roll: Annotated[int | None, note("the roll, null until rolled")] = None
    crt: Annotated[str, note("the cell, attacker / defender")] = ""
    absorbed: Annotated[dict[str, int], note("steps that fortress units lose instead of retreating")] = {}
    losses: Annotated[tuple[SideLosses, ...], note("both sides' rolls for step losses")] = ()
    checks: Annotated[tuple[CheckOutcome, ...], note("the Effectiveness Checks")] = ()
    obligations: Annotated[
        tuple[Obligation, ...],
        note("hexes that each Force must retreat by the result and by its check, those already retreated included"),
    ] = ()
    retreats: Annotated[tuple[Withdrawal, ...], note("retreats carried out, in order")] = ()
    repulses: Annotated[tuple[RepulseTried, ...], note("Repulses attempted during the retreats, in order")] = ()
    passed_over: Annotated[tuple[PassedOver, ...], note("hexes chosen against the priorities")] = ()
    way_losses: Annotated[dict[str, int], note("steps lost to retreats, by unit")] = {}
    way_levels: Annotated[dict[str, int], note("Combat Effectiveness Levels lost to retreats, by formation")] = {}
    places: Annotated[dict[str, str], note("where units that have moved now are, empty if off the map")] = {}
    farther: Annotated[tuple[ForceRetreat, ...], note("what Forces paid for ending farther from supply")] = ()
    displaced: Annotated[tuple[Displaced, ...], note("units that had to leave their hex for the enemy, in order")] = ()
    unsettled: Annotated[
        tuple[str, ...],
        note(
            "what another question or a fact decides: units that may have to leave their hex or be abandoned, pontoon bridges"
        ),
    ] = ()
    advanced: Annotated[tuple[str, ...] | None, note("the units that have advanced, null before the advance")] = None
    attacker_steps: Annotated[int, note("steps that the attacker loses in all")] = 0
    defender_steps: Annotated[int, note("steps that the defender loses in all")] = 0
    vacated: Annotated[bool | None, note("whether the defender's hex is left empty, null while not known")] = None
    advance: Annotated[
        tuple[str, ...] | None,
        note("units that may advance after the combat, within the stacking limits, null while not known"),
    ] = None
    guns_stay: Annotated[tuple[str, ...], note("artillery units that an un-bridged river stops")] = ()
    attacker_points: Earned = 0
    defender_points: Earned = 0
    supposed_phase: Annotated[str, PHASE] = ""

    def lost(self) -> Counter[str]:
        """Return steps lost by unit, to the Step Loss Results Table, to checks and in place of retreats."""
        lost = Counter(self.absorbed) + Counter(self.way_losses)
        for taken in (*(side.losses for side in self.losses), *(check.losses for check in self.checks)):
            lost.update(taken or {})
        return lost


def read_outcome(combat: Combat, resolved: Resolution) -> BattleOutcome:
    """Return the outcome that a resolution has reached."""
    figures, losses, lost = _read_rolls(combat, resolved)
    checks, owed, more = _read_checks(combat, resolved)
    tolls = [situation.toll for situation, _, _ in resolved.trace if isinstance(situation, Retreats | AfterRetreats)]
    notes = [node.notes for _, node, _ in resolved.trace if isinstance(node, Done | Apart)]
    vacates = [noted["defender.vacates"] for noted in notes if "defender.vacates" in noted]
    toll = tolls[-1] if tolls else Toll()
    steps = lost + more + Counter({role: steps_of_side(combat, role, toll) for role in SIDES})
    return BattleOutcome(
        **figures,
        **_read_retreats(resolved),
        losses=tuple(losses.values()),
        checks=tuple(checks.values()),
        obligations=tuple(owed),
        passed_over=against_priorities(combat, resolved),
        way_losses=dict(toll.steps),
        way_levels=dict(toll.levels),
        places=dict(toll.moved),
        vacated=bool(vacates[-1]) if vacates else None,
        attacker_steps=steps["attacker"],
        defender_steps=steps["defender"],
    )


def _read_rolls(combat: Combat, resolved: Resolution) -> tuple[dict[str, Any], dict[Role, SideLosses], Counter[Role]]:
    """Return the result of the combat, both rolls for step losses, and the steps that each side has lost by them."""
    figures: dict[str, Any] = {}
    losses: dict[Role, SideLosses] = {}
    steps = Counter[Role]()
    for situation, node, taken in resolved.trace:
        match situation:
            case Start() if isinstance(taken, int):
                figures["crt_roll"] = taken
            case Decided():
                figures["crt"] = situation.text
            case SideRolls(side) if isinstance(node, Roll) and isinstance(taken, int):
                drm = node.modifiers[side.role]
                natural = (taken, situation.modifier, drm, total_of(drm), taken + total_of(drm))
                losses[side.role] = SideLosses(side.role, *natural)
                steps[side.role] += side.fortress
                figures["absorbed"] = figures.get("absorbed", {}) | dict(side.absorbed)
            case SideLoses(side):
                losses[side.role] = replace(losses[side.role], steps=situation.steps, ec=situation.ec)
            case SideLost(side) if side.role in losses:
                units = combat.engagement.side(side.role)
                shared = {unit.id: lost for unit, lost in zip(units, situation.lost, strict=True) if lost}
                losses[side.role] = replace(losses[side.role], losses=shared)
                steps[side.role] += sum(situation.lost)
            case SideChecks(side) if side.role in losses:
                losses[side.role] = replace(losses[side.role], modifier_to=situation.bonus)
    return figures, losses, steps


def _read_checks(
    combat: Combat, resolved: Resolution
) -> tuple[dict[str, CheckOutcome], list[Obligation], Counter[Role]]:
    """Return the checks by Force, the hexes that Forces must retreat by the result and by these, and the steps that
    each side has lost by them.
    """
    checks: dict[str, CheckOutcome] = {}
    owed = list[Obligation]()
    steps = Counter[Role]()
    for situation, _, taken in resolved.trace:
        match situation:
            case StackChecks(stack, forces) if isinstance(taken, int):
                checks |= {force.name: _check_outcome(combat, stack, force, taken) for force in forces}
            case StackChecked(stack, forces):
                for force in forces:
                    steps[stack.role] += min(force.suffered.steps, force.left)
                    by_check = force.suffered.retreat
                    duty = Obligation(force.name, stack.place, stack.retreat, by_check, stack.retreat + by_check)
                    owed += [duty] if duty.hexes and force.suffered.steps < force.left else []
            case ForceLost(name, lost):
                checks[name] = replace(checks[name], losses=dict(lost))
    return checks, owed, steps


def _read_retreats(resolved: Resolution) -> dict[str, Any]:
    """Return the retreats and the Repulses of a resolution, in order."""
    situations = [situation for situation, _, _ in resolved.trace]
    return {
        "retreats": tuple(
            _describe_withdrawal(situation) for situation in situations if isinstance(situation, Retreated)
        ),
        "repulses": tuple(
            _describe_repulse(situation) for situation in situations if isinstance(situation, TriedRepulse)
        ),
    }


def against_priorities(combat: Combat, resolved: Resolution) -> tuple[PassedOver, ...]:
    """Return the hexes of retreats that were chosen though the priorities put another one that was offered before them.
    Rule: 11.2.2a
    """
    better_hexes = []
    for situation, node, taken in resolved.trace:
        if not (isinstance(situation, Retreats) and isinstance(node, Choice)) or node.rule != "11.2.2" or taken is None:
            continue
        offered = hexes_around(combat, situation)
        entered = next(hex for hex in offered if hex.hex == taken)
        if better := hex_passed_over(entered, offered):
            better_hexes.append(PassedOver(entered.hex, *better))
    return tuple(better_hexes)


def _describe_withdrawal(retreated: Retreated) -> Withdrawal:
    """Return a retreat as the outcome reports it."""
    moving = retreated.moving
    least = min((owed for name, owed in moving.owed if name not in dict(moving.extra)), default=len(retreated.way))
    owed = dict(moving.owed)
    places = (moving.start, *retreated.way)
    ends = {force.force: places[min(owed[force.force], len(retreated.way))] for force in retreated.forces}
    beyond = tuple(name for name, _ in moving.extra if name in ends)
    rest = retreated.way, retreated.charges, retreated.forces, retreated.surrendered, ends, retreated.departed, beyond
    return Withdrawal(moving.role, moving.place, moving.start, retreated.cause, least, *rest)


def _describe_repulse(tried: TriedRepulse) -> RepulseTried:
    """Return a Repulse as the outcome reports it."""
    trying = tried.trying
    place = trying.retreats.todo[0].place
    here = trying.retreats.here
    came = trying.crt, tried.repulsed, tried.failed, tried.leaders
    return RepulseTried(place, here, trying.at, trying.force, tried.odds, *came)


def _check_outcome(combat: Combat, stack: Stack, force: ForceChecks, natural: int) -> CheckOutcome:
    """Return the check of one Force of a stack."""
    margin = natural - force.up_to
    suffered = failure(margin, force.standing, combat.engagement.readings.disordered_again)
    added = total_of(force.modifiers)
    rolled = (natural, force.modifiers, added, natural + added, force.cel)
    return CheckOutcome(force.name, stack.role, stack.place, *rolled, margin, margin <= 0, *suffered)


MOST_OFFERED = 6
"""Units of which every selection may be offered to advance."""


class RetreatsOver(msgspec.Struct, frozen=True):
    """All retreats are over; who stands farther from supply than before is still to pay."""


class SupplyPaid(msgspec.Struct, frozen=True):
    """All is paid; the attacker may advance. farther: what Forces paid for ending farther from supply (11.2.3)."""

    farther: tuple[ForceRetreat, ...]


class Ended(msgspec.Struct, frozen=True):
    """The combat is over. advanced: the units that have advanced."""

    toll: Toll
    advanced: tuple[str, ...] | None = None


def aftermath(combat: Combat, after: BattleOutcome, wished: str = "") -> tuple[Procedure, Situation]:
    """Return the procedure from the checks to the end of a combat, and its start. wished: the units that the attacker
    wants to advance. Rule: 10.2.1b
    """

    def then(done: AfterRetreats) -> Node:
        if isinstance(done.then, RetreatsOver):
            return away_from_supply(combat, done.toll)
        return Apart({"": Displacing(done.toll)})

    def cleared(settled: Settled) -> Node:
        if settled.done.advanced is None:
            now = settled.done.toll
            lost = {role: steps_of_side(combat, role, now) - steps_of_side(combat, role, toll) for role in SIDES}
            node = advance(combat, settled.done, wished)
            return replace(node, notes={f"{role}.afterwards": steps for role, steps in lost.items()})
        return Apart({"": Ended(settled.done.toll, settled.done.advanced)})

    nodes: dict[type, Callable[[Any], Node]] = {
        **retreat_nodes(combat),
        AfterRetreats: then,
        Displacing: partial(displace, combat),
        Settled: cleared,
        Ended: lambda _: Done(),
    }
    toll = _gather_toll(combat, after)
    todo = tuple(moving for role in SIDES for moving in retreats_by_checks(combat, after, toll, role))
    return lambda situation: nodes[type(situation)](situation), Retreats("check", todo, toll, RetreatsOver())


def _gather_toll(combat: Combat, after: BattleOutcome) -> Toll:
    """Return what the combat has cost by the time when all checks are made."""
    lost = dict(after.lost())
    every = [*combat.engagement.units, *combat.engagement.idle, *combat.engagement.withheld]
    gone = {unit.id: "" for unit in every if lost.get(unit.id, 0) >= unit.left}
    levels = add_amounts(tuple(after.way_levels.items()), {check.force: check.cel_loss for check in after.checks})
    disorder = tuple((check.force, check.disorder) for check in after.checks if check.disorder)
    moved = tuple(sorted({**after.places, **gone}.items()))
    steps = tuple(sorted(lost.items()))
    hexes, pushed = (
        tuple(
            sorted(
                _count_hexes_retreated(
                    retreat for retreat in after.retreats if (retreat.cause == "repulse") == away
                ).items()
            )
        )
        for away in (False, True)
    )
    led = Counter(leader for tried in after.repulses for leader in tried.leaders)
    return Toll(moved, steps, levels, disorder, hexes, pushed, tuple(sorted(led.items())))


def _count_hexes_retreated(retreats: Iterable[Withdrawal]) -> Counter[str]:
    """Return the hexes that each Force has had to retreat in some retreats."""
    counter = Counter[str]()
    for retreat in retreats:
        counter.update(dict.fromkeys((force.force for force in retreat.forces), retreat.owed))
    return counter


def retreats_by_checks(combat: Combat, after: BattleOutcome, toll: Toll, role: Role) -> Iterator[StackRetreat]:
    """Yield the stacks of a side that retreat by their checks, with those who go along; each part of a stack from the
    hex where it stands by now (4.2.3). Rule: 11.3.2aa
    """
    zones = _count_zones_entered(after, role)
    for place in dict.fromkeys(unit.place for unit in combat.engagement.present(role)):
        apart = False
        for start, together in parts_of(combat, role, place, toll).items():
            due = due_by_checks(combat, after, toll, together, forces_along(combat, role, place) & together.keys())
            if due and start != BUKOWINA_BOX:  # it is safe there (23.4.1)
                yield StackRetreat(
                    role, place, start, tuple(due.items()), zones=zones, apart=next(iter(due)) if apart else ""
                )
                apart = True


def due_by_checks(
    combat: Combat, after: BattleOutcome, toll: Toll, together: Mapping[str, Force], beside: Collection[str]
) -> dict[str, int]:
    """Return the hexes that each Force of a stack must retreat by its checks, and those who only go along. together:
    those of its Forces that stand in one hex by now; beside: those of them that take no part in the combat. Rule:
    10.1.5f
    """
    owed = {duty.force: duty.by_check for duty in after.obligations if duty.by_check}
    due = {name: owed[name] for name in together if name in owed}
    if beside and not _does_anybody_stay(combat, together.values(), due, toll):
        place = next(unit.place for force in together.values() for unit in force.units)
        gone = [check.retreat for check in after.checks if check.place == place]
        by_result = sum(retreat.owed for retreat in after.retreats if (retreat.place, retreat.cause) == (place, "crt"))
        hexes = hexes_drawn_along(due.values(), gone, by_result)
        due |= dict.fromkeys(sorted(beside), hexes) if hexes else {}
    return due


def _does_anybody_stay(combat: Combat, stack: Iterable[Force], due: Collection[str], toll: Toll) -> bool:
    """Return whether a fortress unit holds a hex, or a Force of its stack that takes part in the combat stays there;
    artillery alone does not (10.1.5). due: the Forces that leave it.
    """
    fighting = {unit.id for unit in combat.engagement.units if unit.arm != "artillery"}
    lost = dict(toll.steps)
    places = {unit.place for force in stack for unit in force.units}
    forts = (unit for unit in combat.engagement.units if unit.arm in FORTRESSES and unit.place in places)
    holding = any(lost.get(unit.id, 0) < unit.left for unit in forts)
    staying = (unit.id for force in stack if force.name not in due for unit in force.units)
    return holding or not fighting.isdisjoint(staying)


def _count_zones_entered(after: BattleOutcome, role: str) -> Amounts:
    """Return the unoccupied hexes in EZOCs that each Force of a side has entered in its retreats so far."""
    zones_by_force = [
        (force.force, force.zones)
        for retreat in after.retreats
        if retreat.side == role and retreat.cause == "crt"
        for force in retreat.forces
    ]
    return tuple((name, zones) for name, zones in zones_by_force if zones)


def away_from_supply(combat: Combat, toll: Toll) -> Node:
    """Return what those pay who had to retreat two hexes or more and stand farther from every supply source of their
    command, including bystanders that a Repulse has pushed away. Rule: 11.2.3
    """
    pieces = combat.standing
    layout = pieces.after(toll)
    due = list[StepsDue]()
    farther = list[ForceRetreat]()
    hexes = Counter(dict(toll.hexes))
    pushed = Counter(dict(toll.pushed))
    for role, place, force in _list_forces_concerned(combat, toll):
        name = force.name
        left = remaining_force(force, toll)
        if left is None or hexes[name] + pushed[name] < 2 or name in withheld_units(combat):
            continue
        ends = (place, layout.where[left.units[0].id])
        owed = (hexes[name], pushed[name])
        fortress = any(piece.arm in FORTRESSES for piece in layout.at(ends[1]))
        charged = supply_charges(pieces.view, pieces.sources(left), name, ends, owed, fortress=fortress)
        lost = apply_charges(left, charged)
        farther += [lost] if charged else []
        toll = toll.and_levels({name: lost.levels})
        if lost.eliminated:
            toll = toll.and_steps({unit.id: unit.left for unit in bearers(left)})
            toll = toll.and_moved({unit.id: "" for unit in bearers(left)})
        elif lost.steps:
            due.append(StepsDue(role, name, lost.steps, "supply", "11.2.3", force))
    return Apart({"": Retreats("check", (), toll, SupplyPaid(tuple(farther)), due=tuple(due))})


def _list_forces_concerned(combat: Combat, toll: Toll) -> Iterator[tuple[Role, str, Force]]:
    """Yield the Forces that a combat concerns, each with its hex: the stacks of both sides, and others that a Repulse
    has pushed away.
    """
    known = set[str]()
    for role in SIDES:
        for place in dict.fromkeys(unit.place for unit in combat.engagement.present(role)):
            for name, force in stack_of(combat, role, place).items():
                known.add(name)
                yield role, place, force
    for name, _ in toll.pushed:
        if name not in known:
            piece = combat.standing.pieces[name]
            there = combat.standing.forces_at(piece.place, combat.standing.layout(()))
            yield owner(combat, piece), piece.place, next(force for force in there if force.name == name)


def advance(combat: Combat, now: Displacing, wished: str) -> Node:
    """Return who advances into the hex that the defender has left: the attacker's choice. Rule: 11.4, 11.4.1, 11.4.2"""
    toll = now.toll
    able, _ = may_advance(combat, now)
    if not able:
        return Apart({"": Ended(toll)})
    at = combat.engagement.at
    options: dict[str, Situation] = {}
    for units in list_selections(able, partial(_fits, combat, toll), wished):
        names = tuple(unit.id for unit in units)
        advanced = toll.and_moved(dict.fromkeys(names, at))
        options[",".join(names) or "none"] = replace(now, toll=advanced, advanced=names)
    more = " (or others of them, joined by commas)" if len(able) > MOST_OFFERED else ""
    return Choice("advance", "11.4", f"the units that advance into {at}{more}", "attacker", options)


def may_advance(combat: Combat, now: Displacing) -> tuple[Units, Units]:
    """Return the attackers that may advance into the defender's hex, and the artillery units that only an un-bridged
    river stops; nobody while somebody is left there. By a reading of 10.3 (ruling vacant-hex) nor does who has removed
    a marker that pointed at an empty hex. Rule: 11.4
    """
    if not _is_vacated(combat, now.toll) or find_units_in_way(combat, now.unsettled, dict(now.toll.moved)):
        return (), ()
    able, guns = victorious_units(combat.engagement, now.toll)
    able = tuple(unit for unit in able if not entry_bar(Entry(combat.engagement.at, (unit.nation,))))
    bound = tuple(unit for unit in able if unit.prepared in ("", combat.engagement.at))
    barred = combat.pieces and combat.pieces.ruling("vacant-hex", len(bound) < len(able)) == "any"
    return (bound if barred else able), guns


def victorious_units(engagement: Engagement, toll: Toll) -> tuple[Units, Units]:
    """Return the attackers that may advance into an empty hex: not who has retreated for any reason, nor a Fortress
    Garrison. Apart from them the artillery that an un-bridged Major or Grand River stops, where a bridge that is not
    stated counts as none. Units withheld never do. Rule: 11.4.2
    """
    moved = dict(toll.moved)
    lost = dict(toll.steps)
    able = [
        unit
        for stack in stacks(engagement.attackers).values()
        for unit in stack
        if unit.id not in moved and lost.get(unit.id, 0) < unit.left and not unit.garrison
    ]
    guns = [unit for unit in able if unit.arm == "artillery" and not engagement.bridged.get(unit.place, True)]
    return tuple(unit for unit in able if unit not in guns), tuple(guns)


def _is_vacated(combat: Combat, toll: Toll) -> bool:
    """Return whether nobody that fights is left in the defender's hex."""
    pieces, at = combat.standing, combat.engagement.at
    there = pieces.after(toll).at(at)
    return all(piece.arm in SUPPLY_ARMS and piece.id != KG_TRAIN for piece in there)


def _fits(combat: Combat, toll: Toll, units: Sequence[CombatUnit]) -> bool:
    """Return whether the defender's hex holds these units within the stacking limits."""
    pieces = combat.standing
    return not any(pieces.after(toll).excess(combat.engagement.at, [unit.id for unit in units]))


def list_selections(
    able: Sequence[CombatUnit], fits: Callable[[Sequence[CombatUnit]], bool], wished: str
) -> Iterator[tuple[CombatUnit, ...]]:
    """Yield the selections of units that may advance together, within the stacking limits: every one of a few units; of
    many none, each alone, as many as fit in order, and those wished for. fits: whether the hex holds some units. Rule:
    11.4.1
    """
    if len(able) <= MOST_OFFERED:
        yield from (
            combination for n in range(len(able), -1, -1) for combination in combinations(able, n) if fits(combination)
        )
        return
    most: tuple[CombatUnit, ...] = ()
    for unit in able:
        most = (*most, unit) if fits((*most, unit)) else most
    names = [unit for unit in able if unit.id in wished.split(",")]
    choices = dict.fromkeys([most, *((unit,) for unit in able), (), tuple(names)])
    yield from (units for units in choices if fits(units))


def with_aftermath(combat: Combat, after: BattleOutcome, resolved: Resolution) -> BattleOutcome:
    """Return the outcome with what has followed the checks: retreats, their price, the advance."""
    before = after.lost() - Counter(after.way_losses)
    checked = Counter({check.force: check.cel_loss for check in after.checks})
    making_room = _find_last_situation(resolved, Displacing)
    over = _find_last_situation(resolved, Ended)
    free = next(
        (situation for situation, _, _ in resolved.trace if isinstance(situation, Settled)), None
    )  # before anybody advances
    toll = _find_last_situation(resolved, Retreats | AfterRetreats | Displacing | Ended).toll
    paid = _find_last_situation(resolved, Retreats | AfterRetreats).then
    later = _read_retreats(resolved)
    able, stopped = may_advance(combat, free.done) if free else ((), ())
    if free:
        vacated = _is_vacated(combat, free.done.toll)
    elif making_room:
        vacated = None
    else:
        vacated = after.vacated
    return replace(
        after,
        retreats=(*after.retreats, *later["retreats"]),
        repulses=(*after.repulses, *later["repulses"]),
        passed_over=(*after.passed_over, *against_priorities(combat, resolved)),
        way_losses=dict(Counter(dict(toll.steps)) - before),
        way_levels=dict(Counter(dict(toll.levels)) - checked),
        places=dict(toll.moved),
        farther=paid.farther if isinstance(paid, SupplyPaid) else (),
        displaced=making_room.displaced if making_room else (),
        unsettled=making_room.unsettled if making_room else (),
        advanced=(over.advanced or ()) if over else None,
        advance=tuple(unit.id for unit in able) if free else None,
        guns_stay=tuple(unit.id for unit in stopped),
        vacated=vacated,
        attacker_steps=steps_of_side(combat, "attacker", toll),
        defender_steps=steps_of_side(combat, "defender", toll),
    )


def _find_last_situation(resolved: Resolution, kind: Any) -> Any:
    """Return the last situation of a kind that a resolution has come to, None if it has come to none."""
    return next((situation for situation, _, _ in reversed(resolved.trace) if isinstance(situation, kind)), None)
