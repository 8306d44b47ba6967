"""What is certain of a combat before the dice: strengths, odds, column and magnitude (10.1 to 10.10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..combat import odds
from ..combat.allocation import can_use, fewest, left_without, points_allocated
from ..combat.engagement import Engagement
from ..combat.strength import command_of, initial_odds, rounded_total
from ..forces.units import SIDES, CombatUnit, Role, joined
from ..results.combat import Combat, combat_of
from ..results.outcome import summed
from ..terms import FORTRESSES, GREAT_RIVERS
from .result import BattleResult, SideStrength, UnitStrength


def weigh(engagement: Engagement) -> tuple[BattleResult, Combat]:
    """Everything about a combat that is certain before the dice. Rule: 10.2.1a, 10.10.1"""
    attacker, defender = (side_strength(engagement, role) for role in SIDES)
    shifts = odds.column_shifts(engagement)
    initial = initial_odds(attacker.total, defender.total)
    net_shift, final = odds.final_odds(attacker.total, defender.total, shifts)
    combat = combat_of(engagement, final, odds.magnitude(attacker.divisions, defender.divisions), initial)
    same = ("at", "turn", "season", "terrain", "position", "flanked")
    result = BattleResult(
        **{name: getattr(engagement, name) for name in same},
        held_around=engagement.flank.held,
        held_by_formations=engagement.flank.by_formations,
        flank_rule=engagement.flank.rule,
        flanked_as_typed=engagement.said_flanked is not None,
        attacker=attacker,
        defender=defender,
        initial=str(initial),
        shifts=shifts,
        net_shift=net_shift,
        final=str(final),
        column=combat.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=combat.magnitude,
        attacker_modifiers=combat.modifiers["attacker"],
        defender_modifiers=combat.modifiers["defender"],
        attacker_drm=summed(combat.modifiers["attacker"]),
        defender_drm=summed(combat.modifiers["defender"]),
    )
    return result, combat


def printed_strength(unit: CombatUnit, role: Role) -> int:
    """The strength on a unit's counter without its artillery: steps in attack (3.4.1), defence in defence (3.4.2), the
    product of a fortress (12.2)."""
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    return 0 if unit.arm == "artillery" else unit.steps if role == "attacker" else unit.defence


def points_needed(present: Sequence[CombatUnit]) -> int:
    """The fewest AP that give ammunition to all units present that can use it: told beside those allocated."""
    able = [unit for unit in present if can_use(unit)]
    return len(points_allocated(able) if all(unit.ap for unit in able) else fewest(able, present))


def side_strength(engagement: Engagement, role: Role) -> SideStrength:
    """One side's strength, unit by unit, and in all, rounded once. Rule: 10.1.3a, 10.6.1, 4.5c"""
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

    strengths = tuple(map(of_unit, units))
    return SideStrength(
        units=strengths,
        total=rounded_total([unit.strength for unit in strengths]),
        artillery=engagement.artillery(role),
        divisions=odds.divisions(units),
        points=points_allocated(units),
        points_needed=points_needed(present),
        without=left_without(present),
    )
