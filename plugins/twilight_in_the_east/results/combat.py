"""A combat whose odds are known, with the modifiers of both rolls for step losses (10.10)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier

from ..combat.engagement import Engagement
from ..combat.strength import HIGHEST, LOWEST, modifiers, odds_of_modifiers
from ..forces.units import SIDES, Force, Role, forces, is_marsch, stacks
from ..retreat.pieces import Pieces
from ..terms import FORTRESSES
from . import step_losses
from .crt import FARTHEST, fortress_steps
from .policies import Policy


class Combat(msgspec.Struct, frozen=True):
    """A combat whose odds are known: what stays the same through its dice.

    odds, initial: after and before shifts; counted: those that modifiers for odds past the ends of the chart go by; modifiers: of
    both rolls for step losses but the result's own; forces: of each side, by hex; policies: how each side settles its choices
    before the dice; pieces: who stands where, None where no ground is known, so that ways back cost nothing.
    """

    engagement: Engagement
    odds: Odds
    magnitude: str
    modifiers: Mapping[Role, tuple[Modifier, ...]]
    forces: Mapping[Role, Mapping[str, tuple[Force, ...]]]
    initial: Odds
    counted: Odds
    policies: Mapping[Role, Policy] = MappingProxyType(dict.fromkeys(SIDES, Policy()))
    pieces: Pieces | None = None

    @property
    def column(self) -> str:
        """The chart's column: the final odds, or the last one on their side. Rule: 10.7"""
        return str(self.odds.within(LOWEST, HIGHEST))


def combat_of(engagement: Engagement, odds: Odds, magnitude: str, initial: Odds | None = None) -> Combat:
    """The combat that its odds make of an engagement. odds, initial: after and before shifts, None where nothing shifts."""
    initial = odds if initial is None else initial
    counted = odds_of_modifiers(initial, odds, engagement.readings.beyond_chart)
    hardship = engagement.campaign or engagement.readings.level_4_hardship == "always"
    own: dict[Role, tuple[Modifier, ...]] = {
        "attacker": step_losses.attacker_modifiers(engagement.defenders, engagement.position, counted, hardship),
        "defender": step_losses.defender_modifiers(engagement.flanked, counted),
    }

    def all_of(role: Role, other: Role) -> tuple[Modifier, ...]:
        return (
            *step_losses.artillery_modifiers(engagement.present(other), engagement.artillery(other)),
            *step_losses.german_modifier(engagement.all_german(role)),
            *own[role],
            *modifiers("", ("added by the players", engagement.drm.get(role, 0))),
        )

    drm = {role: all_of(role, other) for role, other in zip(SIDES, SIDES[::-1], strict=True)}
    by_hex = {role: stacks(engagement.side(role)).items() for role in SIDES}
    in_stacks = {role: {place: forces(stack) for place, stack in found} for role, found in by_hex.items()}
    return Combat(engagement, odds, magnitude, drm, in_stacks, initial, counted)


def on_the_dice(combat: Combat) -> dict[str, bool]:
    """Which rulings matter for what the dice lead to."""
    engagement = combat.engagement
    beside_it = any(unit.arm not in FORTRESSES for unit in (*engagement.defenders, *engagement.withheld))
    others = [unit.left for unit in engagement.attackers if not is_marsch(unit)]
    return {
        "marsch_first": 0 < len(others) < len(engagement.attackers) and max(others) == 1,
        "fortress_steps": 0 < fortress_steps(engagement.defenders) < FARTHEST and beside_it,
        "level_4_hardship": engagement.position == 4 and not engagement.campaign,
        "disordered_again": any(unit.formation and unit.disorder == 1 for unit in engagement.units),
        "beyond_chart": odds_of_modifiers(combat.initial, combat.odds, "begun") != combat.odds,
    }
