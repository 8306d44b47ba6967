"""Who may try a Repulse against whom, its dice, and what a failed check costs (8.5); movement and retreats read it
alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Dice, Done, LookUp, Node, Procedure, Roll, Situation, Stuck, Unknown
from assistant.questions import Part, Step, step

from ..combat.engagement import BattleParameters, Cause, Engagement
from ..combat.legality import combining, too_many
from ..combat.pieces import Layout
from ..combat.reckoning import Combat
from ..combat.tables import crt_retreat, force_cel, read_result
from ..forces.bars import FOUGHT, PREPARED, RETREATED, bars
from ..forces.units import CombatUnit, Force, stacking_value
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS

MOST_UNITS = 2
"""Combat units that may take part on the attacking side (8.5.1)."""


class Clearing(msgspec.Struct, frozen=True):
    """A Repulse that a stack may try before it suffers for hexes that it cannot retreat. forces: those of which one may; hexes: those
    that it could clear."""

    forces: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    @property
    def part(self) -> Part:
        """What may be tried, in words; nothing where no Force or no hex is left."""
        text = "before it suffers for hexes that it cannot retreat, the stack may attempt a Repulse, if it has tried none in this retreat: "
        text += "{forces} against {hexes} (repulse during=retreat)"
        found = (step("8.5.1", text, self),) if self.forces and self.hexes else ()
        return Part("Repulse", found)


def may_try(force: Force) -> bool:
    """Whether a Force that retreats may attempt a Repulse: one combat unit or two, of which nothing bars an attack but that they have
    fought or retreated. Rule: 8.5.1
    """
    fighting = [unit for unit in force.units if unit.arm in COMBAT_ARMS]
    barred = any(bar not in (RETREATED, FOUGHT) for unit in fighting for bar in bars(unit, "attack"))
    return 0 < len(fighting) <= MOST_UNITS and not barred and not any(combining(fighting, "attacker"))


def may_be_cleared(layout: Layout, side: str, here: str, hex: str) -> bool:
    """Whether enemies stand in a hex that a Repulse from the next one could push away: combat units, and no fortress unit, not over a
    Major or Grand River. side: of the Force. Rule: 8.5.1
    """
    arms = {piece.arm for piece in layout.at(hex) if piece.side not in ("", side)}
    passage = layout.pieces.terrain.passage(here, hex)
    held = not arms.isdisjoint(COMBAT_ARMS) and arms.isdisjoint(FORTRESSES)
    return held and not passage.shut and not passage.wide


def clearing(layout: Layout, forces: Iterable[Force], here: str, side: str, cause: Cause) -> Clearing:
    """The Repulse that a stack may try from the hex where it is stuck; none in a retreat from one.

    forces: what the way to that hex has left of the stack, which may have made them Demoralized; side: of the stack.
    Rule: 8.5.1, 8.5.1c
    """
    if cause == "repulse":
        return Clearing()
    able = tuple(force.name for force in forces if may_try(force))
    around = layout.pieces.terrain.neighbours(here)
    return Clearing(able, tuple(hex for hex in around if may_be_cleared(layout, side, here, hex)))


LEAST, CERTAIN = Odds.parse("3:1"), Odds.parse("7:1")
"""The odds from which a Repulse is rolled for, and from which it succeeds by itself (8.5.2)."""
HEXES = 2
"""How far a repulsed stack retreats (8.5.3)."""


def taking_part(engagement: Engagement) -> tuple[CombatUnit, ...]:
    """The units of the Force that attempts it, with its artillery."""
    return (*engagement.attackers, *(unit for unit in engagement.idle if unit.place != engagement.at))


def parameters_of(
    at: str,
    here: str,
    beside: Iterable[str],
    force: Collection[str],
    withheld: Iterable[str] = (),
    **more: Any,
) -> BattleParameters:
    """A Repulse of a hex as a combat without Artillery Ammunition Points, in which units in the hex of a Force that are not of it have no part.

    here, beside: the hex of the Force, and all who stand there; withheld: defenders that stay out. Rule: 8.5.5
    """
    out = (*withheld, *(unit for unit in beside if unit not in force))
    return BattleParameters(at=at, from_=(here,), withhold=out, attacker_ap=("none",), defender_ap=("none",), **more)


def as_repulse(engagement: Engagement) -> Engagement:
    """A combat as a Repulse: no artillery value counts, not even that of batteries which need no AP, and who has retreated in this
    phase takes part all the same. Rule: 8.5.1
    """

    def counting(units: Iterable[CombatUnit]) -> tuple[CombatUnit, ...]:
        return tuple(msgspec.structs.replace(unit, retreated=False) for unit in units if not unit.emplaced)

    attackers, defenders = engagement.attackers, engagement.defenders
    idle = (*engagement.idle, *(unit for unit in (*attackers, *defenders) if unit.emplaced))
    return msgspec.structs.replace(
        engagement, attackers=counting(attackers), defenders=counting(defenders), idle=idle, left_out=()
    )


def forbidden(engagement: Engagement, during: str) -> list[Step]:
    """Every rule against a Repulse by these units: whatever `unfit` says of them, a fortress unit in the hex, a Major or Grand River.
    Rule: 8.5.1, 12.1.1
    """
    forts = [unit.id for unit in engagement.defenders if unit.arm in FORTRESSES]
    steps = unfit(engagement.attackers, during)  # artillery is idle without Artillery Ammunition Points
    return steps + sheltered(engagement.at, forts, engagement.crossed)


def unfit(attackers: Sequence[CombatUnit], during: str) -> list[Step]:
    """What keeps combat units from a Repulse beside what bars them from attacks: more than two of them, and in movement a Prepared Attack
    marker and whatever keeps them from moving (8.4, 8.5.4). Rule: 8.5.1
    """
    moving = attackers if during == "movement" else ()
    bound = [(unit.id, PREPARED, PREPARED.text("spend")) for unit in moving if PREPARED.holds(unit)]
    bound += [(unit.id, bar, bar.text("move")) for unit in moving for bar in bars(unit, "move")]
    steps = [step(bar.rule, "{unit} " + why, unit=unit) for unit, bar, why in bound]
    if len(attackers) > MOST_UNITS:
        steps.append(step("8.5.1", "two combat units at most: {units}", units=[unit.id for unit in attackers]))
    return steps


def sheltered(at: str, forts: Iterable[str], crossed: Mapping[str, Collection[str]]) -> list[Step]:
    """Why nobody clears a hex by a Repulse, whoever attempts it: fortress units stand there, or a Major or Grand River lies before it.

    forts: the fortress units in the hex; crossed: what lies on each hexside that is attacked over, by the hex beyond. Rule: 8.5.1, 12.1.1
    """
    fortress = "{unit} is a fortress unit, whose hex cannot be cleared"
    river = "no Repulse over the Major or Grand River {place}|{at}"
    wet = [place for place, over in crossed.items() if not GREAT_RIVERS.isdisjoint(over)]
    steps = [step("8.5.1", fortress, unit=unit) for unit in forts]
    return steps + [step("8.5.1", river, place=place, at=at) for place in wet]


def withheld_from(there: Sequence[CombatUnit]) -> tuple[str, ...]:
    """The combat units of a hex that do not stand against a Repulse, where its owner does not say: the arm of fewer divisions, and from the
    bottom of the stack those beyond what may fight from a hex. there: from the top. Rule: 8.5.5
    """
    arms = {arm: sum(stacking_value(unit) for unit in there if unit.arm == arm) for arm in COMBAT_ARMS}
    arm = max(arms, key=lambda one: arms[one])
    kept: list[CombatUnit] = []
    for unit in there:
        if unit.arm == arm and not too_many([*kept, unit]):
            kept.append(unit)
    return tuple(unit.id for unit in there if unit not in kept and unit.arm in COMBAT_ARMS)


class Rolled(NamedTuple):
    """How the attempt ended. repulsed: whether the defenders have to go; crt: the cell rolled, "" without a roll."""

    repulsed: bool
    crt: str = ""


def repulse_procedure(combat: Combat, look_up: LookUp) -> Procedure:
    """The procedure of a Repulse: failure below 3:1, success from 7:1, between them a roll on the Combat Results Table, of which only
    the defender's retreat counts; then the defending Forces check, with one roll and no modifiers. It starts from None.
    Rule: 8.5.2, 8.5.2b, 8.5.3
    """
    engagement, checking = combat.engagement, defending_forces(combat)

    def decide(natural: int) -> Situation:
        key = (engagement.season, combat.column, natural)
        if (cell := look_up("crt", *key)) is None:
            return Unknown("crt", key)
        attacker, defender = (str(cell.values[role]) for role in ("attacker", "defender"))
        hexes, _ = crt_retreat(read_result(defender), engagement.position)  # no fortress unit: its hex is never cleared
        return Rolled(hexes > 0, f"{attacker} / {defender}")

    def node(situation: Situation) -> Node:
        match situation:
            case None if combat.odds < LEAST or combat.odds >= CERTAIN:
                return node(Rolled(combat.odds >= CERTAIN))
            case None:
                title = f"Combat Results Table, {engagement.season}, {combat.column}"
                return Roll("crt", "8.5.2", title, Dice(2, 6), {}, decide)
            case Rolled(True):
                title = f"unmodified Effectiveness Check in {engagement.at}"
                return Roll(f"ec.{engagement.at}", "8.5.3", title, Dice(2, 6), {}, int, situation._asdict())
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
    """The Forces that are to be pushed away."""
    return combat.forces["defender"].get(combat.engagement.at, ())


def failing(force: Force, demoralized: str = "step") -> tuple[int, int]:
    """What a failed check costs a Force in levels and steps: a level; of lone Asset Units, which have none, a step.

    demoralized: what it costs a Demoralized formation, which has no level to lose either: a "step" or "nothing".
    Rule: 8.5.3
    """
    formation = force.formation
    if formation is None or (formation.demoralized and demoralized == "step"):
        return 0, 1
    return int(not formation.demoralized), 0
