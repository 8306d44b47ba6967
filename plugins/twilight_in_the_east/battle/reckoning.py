"""What is certain of a combat before the dice: strengths, odds, column and magnitude (10.1 to 10.10)."""

from __future__ import annotations

from fractions import Fraction

from ..combat import magnitude
from ..combat import strength as combat
from ..combat.allocation import can_use, commands_in_need, left_without, points_allocated
from ..combat.engagement import Engagement
from ..combat.odds import column_shifts, final_odds
from ..forces.units import CombatUnit, Role
from ..results.resolution import Conditions, conditions
from ..terms import FORTRESSES, GREAT_RIVERS
from .result import BattleResult, SideStrength, UnitStrength


def reckoned(found: Engagement) -> tuple[BattleResult, Conditions]:
    """Everything about a combat that is certain before the dice.

    Rule: 10.10.1
    """
    attacker = side_strength(found, "attacker")
    defender = side_strength(found, "defender")
    shifts = column_shifts(found)
    net, final = final_odds(attacker.total, defender.total, shifts)
    size = magnitude.magnitude(attacker.divisions, defender.divisions)
    initial = combat.initial_odds(attacker.total, defender.total)
    of = conditions(found, final, size, initial)
    result = BattleResult(
        at=found.at,
        turn=found.turn,
        season=found.season,
        terrain=found.terrain,
        position=found.position,
        flanked=found.flanked,
        held_around=found.around.held,
        attacker=attacker,
        defender=defender,
        initial=str(initial),
        shifts=shifts,
        net_shift=net,
        final=str(final),
        column=of.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=size,
        attacker_modifiers=of.modifiers["attacker"],
        defender_modifiers=of.modifiers["defender"],
    )
    return result, of


def printed_strength(unit: CombatUnit, role: Role) -> int:
    """The strength on a unit's counter without its artillery: steps in attack (3.4.1), defence in defence (3.4.2), the
    product of a fortress (12.2)."""
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    return 0 if unit.arm == "artillery" else unit.steps if role == "attacker" else unit.defence


def side_strength(found: Engagement, role: Role) -> SideStrength:
    """One side's strength, unit by unit, and its rounded total.

    Rule: 10.1.3a, 10.6.1, 4.5c
    """
    units = found.side(role)
    strengths = []
    for unit in units:
        across = found.across(unit.place) if role == "attacker" else frozenset[str]()
        whole = combat.attack_strength(unit, across) if role == "attacker" else combat.defence_strength(unit)
        guns = combat.artillery_value(unit, across) if unit.fssm == 0 else Fraction(0)
        strengths.append(
            UnitStrength(
                unit=unit.id,
                place=unit.place,
                command=combat.command_of(unit, units),
                steps=unit.left,
                printed=printed_strength(unit, role),
                lost=unit.lost,
                base=whole - guns,
                artillery=guns,
                strength=whole,
                halved=unit.half if role == "defender" else bool(GREAT_RIVERS & across),
                ap=unit.ap,
                joins=combat.joined(unit, units),
            )
        )
    total = combat.total([one.strength for one in strengths])
    present = found.present(role)
    return SideStrength(
        units=tuple(strengths),
        total=total,
        artillery=found.artillery(role),
        divisions=magnitude.divisions(units),
        points=points_allocated(units),
        points_needed=len(commands_in_need(filter(can_use, present), present)),
        without=left_without(present),
    )
