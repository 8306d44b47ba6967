"""What is certain of a combat before the dice: strengths, odds, column and magnitude (10.1 to 10.10)."""

from __future__ import annotations

from fractions import Fraction

from ..combat import odds
from ..combat.allocation import can_use, commands_in_need, left_without, points_allocated
from ..combat.engagement import Engagement
from ..combat.strength import command_of, joined
from ..forces.units import CombatUnit, Role
from ..results.combat import Combat, combat_of
from ..terms import FORTRESSES, GREAT_RIVERS
from .result import BattleResult, SideStrength, UnitStrength


def weigh(engagement: Engagement) -> tuple[BattleResult, Combat]:
    """Everything about a combat that is certain before the dice. Rule: 10.2.1a, 10.10.1"""
    weighed = odds.weighed(engagement)
    attacker = side_strength(engagement, "attacker", weighed.attack)
    defender = side_strength(engagement, "defender", weighed.defence)
    combat = combat_of(engagement, weighed.final, weighed.magnitude, weighed.initial)
    same = {name: getattr(engagement, name) for name in ("at", "turn", "season", "terrain", "position", "flanked")}
    result = BattleResult(
        **same,
        held_around=engagement.around.held,
        attacker=attacker,
        defender=defender,
        initial=str(weighed.initial),
        shifts=weighed.shifts,
        net_shift=weighed.net,
        final=str(weighed.final),
        column=weighed.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=weighed.magnitude,
        attacker_modifiers=combat.modifiers["attacker"],
        defender_modifiers=combat.modifiers["defender"],
    )
    return result, combat


def printed_strength(unit: CombatUnit, role: Role) -> int:
    """The strength on a unit's counter without its artillery: steps in attack (3.4.1), defence in defence (3.4.2), the
    product of a fortress (12.2)."""
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    return 0 if unit.arm == "artillery" else unit.steps if role == "attacker" else unit.defence


def side_strength(engagement: Engagement, role: Role, total: int) -> SideStrength:
    """One side's strength, unit by unit. total: of the side, rounded once. Rule: 10.1.3a, 10.6.1, 4.5c"""
    units, present = engagement.side(role), engagement.present(role)

    def of_unit(unit: CombatUnit) -> UnitStrength:
        whole, guns = engagement.strengths(unit, role)
        guns = guns if unit.fssm == 0 else Fraction(0)
        across = bool(GREAT_RIVERS & engagement.across(unit.place))
        return UnitStrength(
            unit=unit.id,
            place=unit.place,
            command=command_of(unit, units),
            steps=unit.left,
            printed=printed_strength(unit, role),
            lost=unit.lost,
            base=whole - guns,
            artillery=guns,
            strength=whole,
            halved=unit.half if role == "defender" else across,
            ap=unit.ap,
            joins=joined(unit, units),
        )

    return SideStrength(
        units=tuple(map(of_unit, units)),
        total=total,
        artillery=engagement.artillery(role),
        divisions=odds.divisions(units),
        points=points_allocated(units),
        points_needed=len(commands_in_need(filter(can_use, present), present)),
        without=left_without(present),
    )
