"""Repulses in movement and in retreats: units, targets, dice, and the cost of failure (8.5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, Part, Step, View, holding, if_known, step
from assistant.asking.view import changed
from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Dice, Done, LookUp, Node, Procedure, Roll, Situation, Stuck, Unknown
from assistant.state.changes import Change

from ..combat.before_dice import Combat, combat_of, crt_retreat, read_result
from ..combat.checks import force_cel
from ..combat.engagement import BattleParameters, Cause, Engagement, column_shifts, final_odds, initial_odds
from ..combat.legality import combining_steps, too_many
from ..combat.pieces import Layout, Pieces, Toll, unit_of
from ..combat.retreat_ground import RetreatGround, lasting_bar, way_in
from ..combat.setup import Setup, add_leaders, check_choices
from ..forces.bars import FOUGHT, PREPARED, RETREATED, bars
from ..forces.losses import step_losses
from ..forces.unit import fighting_units, gather_unit
from ..forces.units import CombatUnit, Force, stacking_order, stacking_value
from ..ground.hexsides import between
from ..leaders.combat import shift_of
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS, OFF_MAP

MAX_UNITS = 2
"""The maximum number of combat units on the attacking side (8.5.1)."""
MIN_ODDS = Odds.parse("3:1")
"""The minimum odds at which a Repulse is rolled for (8.5.2)."""
MIN_CERTAIN_ODDS = Odds.parse("7:1")
"""The minimum odds at which a Repulse succeeds without a roll (8.5.2)."""
LEADERS = "leaders-repulse"
"""The ruling on leaders in a Repulse."""
REPULSED_HEXES = 2
"""The number of hexes that a repulsed stack retreats (8.5.3)."""


class Clearing(msgspec.Struct, frozen=True):
    """A Repulse that a stack may try before it pays for hexes that it cannot retreat."""

    forces: tuple[str, ...] = ()
    """The Forces that may try; only one of them does."""
    hexes: tuple[str, ...] = ()
    """The hexes that a Force could clear."""

    @property
    def part(self) -> Part:
        """The possible Repulse in words, empty if no Force or no hex is left."""
        if not self.forces or not self.hexes:
            return Part("Repulse", ())
        text = (
            "before it suffers for hexes that it cannot retreat, the stack may attempt a Repulse, "
            "if it has attempted none in this retreat: {forces} against {hexes} (repulse during=retreat)"
        )
        return Part("Repulse", (step("8.5.1", text, self),))


def may_try(force: Force) -> bool:
    """Return whether a retreating Force may attempt a Repulse.

    It has one or two combat units, and nothing bars them from attacks except earlier combats and retreats.

    Rule: 8.5.1
    """
    fighting = [unit for unit in force.units if unit.arm in COMBAT_ARMS]
    barred = any(bar not in (RETREATED, FOUGHT) for unit in fighting for bar in bars(unit, "attack"))
    return 0 < len(fighting) <= MAX_UNITS and not barred and not any(combining_steps(fighting, "attacker"))


def may_be_cleared(layout: Layout, ground: RetreatGround, here: str, hex: str) -> bool:
    """Return whether a Repulse could open a hex to a retreating stack.

    Enemy combat units must be the only bar: no fortress unit, and no Major or Grand River.

    `ground`: the ground around the stack.

    Rule: 8.5.1
    """
    arms = {piece.id: piece.arm for piece in layout.at(hex) if piece.side not in ("", ground.side)}
    held = any(arm in COMBAT_ARMS for arm in arms.values())
    sheltered = any(shelter_steps(hex, arms, {here: between(ground.view, here, hex).lies}))
    return held and not sheltered and not lasting_bar(way_in(ground, here, hex))


def offer_clearing(layout: Layout, forces: Iterable[Force], here: str, ground: RetreatGround, cause: Cause) -> Clearing:
    """Return the Repulse that a stack may try from the hex where it is stuck.

    It may try none in a retreat from a Repulse.

    `forces`: the Forces after their losses on the way; they may have become Demoralized.
    `ground`: the ground around the stack.

    Rule: 8.5.1, 8.5.1c
    """
    if cause == "repulse":
        return Clearing()
    able = tuple(force.name for force in forces if may_try(force))
    around = layout.pieces.terrain.neighbours(here)
    return Clearing(able, tuple(hex for hex in around if may_be_cleared(layout, ground, here, hex)))


def units_taking_part(engagement: Engagement) -> tuple[CombatUnit, ...]:
    """Return the units of the Force that attempts the Repulse, including its artillery."""
    return (*engagement.attackers, *(unit for unit in engagement.idle if unit.place != engagement.at))


def parameters_of(
    at: str,
    here: str,
    stack: Iterable[str],
    force: Collection[str],
    withheld: Iterable[str] = (),
    **more: Any,
) -> BattleParameters:
    """Return the parameters of a Repulse as a combat of one Force without Artillery Ammunition Points.

    `here`, `stack`: the hex of the Force, and all units in it.
    `withheld`: defenders that stay out.

    Rule: 8.5.5
    """
    out = (*withheld, *(unit for unit in stack if unit not in force))
    return BattleParameters(at=at, from_=(here,), withhold=out, attacker_ap=("none",), defender_ap=("none",), **more)


def engage_led(view: View, parameters: BattleParameters, barred: Collection[str] = ()) -> Engagement:
    """Return the combat of a Repulse without artillery values, with the leaders whose column shifts count.

    None count, or by ruling leaders-repulse the same as in any combat.

    Raises MissingFacts and InputError as `engage` does, and InputError for a chosen leader who cannot apply.

    Rule: 8.5.2
    """
    engagement = Setup(view, parameters, barred, guns=False).engage()
    shifts = view.quiet_view().ruling(LEADERS) == "shift"
    if parameters.leader and not shifts:
        hint = f"leave it out; if you play it otherwise, state: ruling {LEADERS}=shift"
        raise InputError("leader: leaders do nothing in a Repulse", hint=hint)
    if shifts:
        with view.gather() as facts:
            led = add_leaders(facts, engagement, parameters.leader)
        check_choices(led, parameters.leader)
    else:
        led = if_known(view.quiet_view(), lambda facts: add_leaders(facts, engagement, ())) or engagement
    view.ruling(LEADERS, any(shift_of(leader, role) for leader, role in led.telling()))
    return led if shifts else engagement


def as_repulse(engagement: Engagement) -> Engagement:
    """Return a combat as a Repulse: artillery values do not count, and units that have retreated take part.

    Rule: 8.5.1
    """

    def counting(units: Iterable[CombatUnit]) -> tuple[CombatUnit, ...]:
        return tuple(replace(unit, flags=unit.flags - {"retreated"}) for unit in units if not unit.emplaced)

    attackers, defenders = engagement.attackers, engagement.defenders
    idle = (*engagement.idle, *(unit for unit in (*attackers, *defenders) if unit.emplaced))
    return replace(engagement, attackers=counting(attackers), defenders=counting(defenders), idle=idle, left_out=())


def forbidden_steps(engagement: Engagement, during: str) -> list[Step]:
    """Return the bars to a Repulse by these units: their kind, a fortress unit in the hex, a great river.

    Rule: 8.5.1, 12.1.1
    """
    arms = {unit.id: unit.arm for unit in engagement.defenders}
    # The attackers include no artillery, which is idle without Artillery Ammunition Points.
    steps = unfit_steps(engagement.attackers, during)
    return [*steps, *shelter_steps(engagement.at, arms, engagement.crossed)]


def unfit_steps(attackers: Sequence[CombatUnit], during: str) -> list[Step]:
    """Return the bars to a Repulse by combat units, except bars to attacks.

    They are more than two units and, in movement, a Prepared Attack marker or a bar to moving (8.4, 8.5.4).

    Rule: 8.5.1
    """
    moving = attackers if during == "movement" else ()
    bound = [(unit.id, PREPARED, PREPARED.text("spend")) for unit in moving if PREPARED.holds(unit)]
    bound += [(unit.id, bar, bar.text("move")) for unit in moving for bar in bars(unit, "move")]
    names = [unit.id for unit in attackers]
    return [
        *(step(bar.rule, "{unit} {why}", unit=unit, why=why) for unit, bar, why in bound),
        *holding([(len(names) > MAX_UNITS, "8.5.1", "two combat units at most: {units}")], units=names),
    ]


def shelter_steps(at: str, arms: Mapping[str, str], crossed: Mapping[str, Collection[str]]) -> Iterator[Step]:
    """Yield why no Repulse can clear a hex: fortress units in it, or a Major or Grand River before it.

    `arms`: arms of the units in the hex.
    `crossed`: features of each hexside attacked over, by the attacker's hex.

    Rule: 8.5.1, 12.1.1
    """
    for unit, arm in arms.items():
        fort = arm in FORTRESSES
        yield from holding([(fort, "8.5.1", "{unit} is a fortress unit, whose hex cannot be cleared")], unit=unit)
    for place, over in crossed.items():
        wet = not GREAT_RIVERS.isdisjoint(over)
        river = wet, "8.5.1", "no Repulse over the Major or Grand River {place}|{at}"
        yield from holding([river], place=place, at=at)


def withheld_from(there: Sequence[CombatUnit]) -> tuple[str, ...]:
    """Return the combat units of a hex that do not defend against a Repulse by default.

    They are the arm of fewer divisions, and from the bottom of the stack those beyond the limit of a hex.

    `there`: the units, the top one first.

    Rule: 8.5.5
    """
    arms = {arm: sum(stacking_value(unit) for unit in there if unit.arm == arm) for arm in COMBAT_ARMS}
    arm = max(arms, key=lambda name: arms[name])
    kept: list[CombatUnit] = []
    for unit in there:
        if unit.arm == arm and not too_many([*kept, unit]):
            kept.append(unit)
    return tuple(unit.id for unit in there if unit not in kept and unit.arm in COMBAT_ARMS)


def needs(odds: Odds) -> Literal["hopeless", "roll", "automatic"]:
    """Return the requirement of a Repulse at these odds after shifts. Rule: 8.5.2"""
    if odds < MIN_ODDS:
        return "hopeless"
    return "automatic" if odds >= MIN_CERTAIN_ODDS else "roll"


class Rolled(NamedTuple):
    """The outcome of an attempt."""

    repulsed: bool
    """Whether the defenders must retreat."""
    crt: str = ""
    """The cell rolled, or "" without a roll."""


def repulse_procedure(combat: Combat, look_up: LookUp) -> Procedure:
    """Return the procedure of a Repulse, which starts from None.

    Below 3:1 it fails, from 7:1 it succeeds. In between it takes a roll on the Combat Results Table, of which only the
    defender's retreat matters. Then the defending Forces check with one roll and no modifiers.

    Rule: 8.5.2, 8.5.2b, 8.5.3
    """
    engagement = combat.engagement
    checking = defending_forces(combat)

    def decide(natural: int) -> Situation:
        key = (engagement.season, combat.column, natural)
        cell = look_up("crt", *key)
        if cell is None:
            return Unknown("crt", key)
        attacker = str(cell.values["attacker"])
        defender = str(cell.values["defender"])
        # The steps of fortress units do not matter: a Repulse never clears their hex.
        hexes, _ = crt_retreat(read_result(defender), engagement.position)
        return Rolled(hexes > 0, f"{attacker} / {defender}")

    def node(situation: Situation) -> Node:
        match situation:
            case None if (needed := needs(combat.odds)) != "roll":
                return node(Rolled(needed == "automatic"))
            case None:
                title = f"Combat Results Table, {engagement.season}, {combat.column}"
                return Roll("crt", "8.5.2", title, Dice(2, 6), {}, decide, side="attacker")
            case Rolled(True):
                title = f"unmodified Effectiveness Check in {engagement.at}"
                notes = situation._asdict()
                return Roll(f"ec.{engagement.at}", "8.5.3", title, Dice(2, 6), {}, int, notes, side="defender")
            case Rolled():
                return Done(situation._asdict())
            case int(natural):
                over = {force.name: natural - force_cel(force.units) for force in checking}
                return Done({f"{name}.failed_by": max(by, 0) for name, by in over.items()})
            case Unknown(chart, key):
                return Stuck((chart, key))
        raise TypeError(f"{situation!r} cannot occur in a Repulse")

    return node


def defending_forces(combat: Combat) -> tuple[Force, ...]:
    """Return the defending Forces, which are to be pushed away."""
    return combat.forces["defender"].get(combat.engagement.at, ())


def failure_cost(force: Force, ruling: Callable[[str, bool], str]) -> tuple[int, int]:
    """Return the levels and steps that a failed check costs a Force.

    A Force loses a level, or a step if it is lone Asset Units. A Demoralized formation has no level left; by a ruling
    it loses a step or nothing.

    `ruling`: returns the reading of a ruling, given whether it matters.

    Rule: 8.5.3
    """
    if force.formation is None:
        return 0, 1
    if not force.formation.demoralized:
        return 1, 0
    return 0, int(ruling("repulse-demoralized", True) == "step")


def losing_in_vain(units: Iterable[CombatUnit], who: str) -> list[CombatUnit]:
    """Return the units that lose a step each to a failed Repulse.

    `units`: the units that took part.
    `who`: ruling repulse-step, "every" unit or each "combat" unit.

    Rule: 8.5.4b
    """
    return [unit for unit in units if who == "every" or unit.arm in COMBAT_ARMS]


def position_now(pieces: Pieces, toll: Toll, standing: Mapping[str, str], *, quiet: bool = False) -> View:
    """Return the position after a combat so far.

    `standing`: units on their way, each with its present hex.
    `quiet`: whether reading the position leaves the report's doubts unchanged.
    """
    view = pieces.view.quiet_view() if quiet else pieces.view
    places = {**dict(toll.moved), **standing}
    changes: list[Change] = []
    for name, lost in toll.steps:
        if places.get(name) != "":
            changes += step_losses(view, unit_of(view, name), lost)
    for name, levels in toll.levels:
        changes.append(changed(view, "cel", name, view.integer("cel", name) - levels, "11.2.5"))
    for name, degree in toll.disorder:
        changes.append(changed(view, "disorder", name, degree, "11.3.2"))
    gone = {change.subject for change in changes if change.track == "place"}
    for name, place in places.items():
        if name not in gone and place != view.unit(name).place:
            there = None if place in ("", OFF_MAP) else place
            changes.append(changed(view, "place", name, there, "11.2.1"))
    return view.after(changes)


def engage_in_retreat(view: View, at: str, here: str, units: Collection[str]) -> Combat:
    """Return the Repulse of a hex by retreating units as a combat.

    The units that defend by default are used, although their owner may choose others; the report notes this.

    `view`: a view of the position at this moment.
    `at`: the hex attacked by the Repulse.
    `here`: the hex of the retreating stack.
    `units`: units of the Force that tries the Repulse.

    Raises MissingFacts if a fact that the Repulse needs is not stated.

    Rule: 8.5.1, 8.5.2
    """
    with view.gather() as facts:
        beside = [unit.id for unit in view.stack(here)]
        there = {unit.id: gather_unit(facts, unit, None) for unit in fighting_units(facts, at)}
    # only one arm defends, and the order of units of one arm is the same in an Improved Position
    out = withheld_from([there[name] for name in stacking_order([*there.values()], in_position=False)])
    if out:
        text = (
            "{units} do not defend against the Repulse of {at}: "
            "only one arm and two divisions do (its owner may choose others)"
        )
        view.premises.assume(step("8.5.5", text, units=list(out), at=at))
    engagement = as_repulse(engage_led(view, parameters_of(at, here, beside, units, out)))
    attack, defence = engagement.total("attacker"), engagement.total("defender")
    _, final = final_odds(attack, defence, column_shifts(engagement))
    return combat_of(engagement, final, "", initial_odds(attack, defence))
