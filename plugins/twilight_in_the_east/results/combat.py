"""A combat whose odds are known, with the modifiers of both rolls for step losses (10.10)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier

from ..combat.engagement import Engagement
from ..combat.strength import HIGHEST, LOWEST, odds_of_modifiers
from ..forces.units import SIDES, Force, Role, forces, stacks
from . import step_losses
from .policies import Policy

USUAL = Policy()


class Combat(NamedTuple):
    """A combat whose odds are known: what stays the same through its dice.

    odds, initial: after and before shifts; modifiers: of both rolls for step losses but the result's own; forces: of each side, by
    hex; policies: in which order each side puts what it may choose.
    """

    engagement: Engagement
    odds: Odds
    magnitude: str
    modifiers: Mapping[Role, tuple[Modifier, ...]]
    forces: Mapping[Role, Mapping[str, tuple[Force, ...]]]
    initial: Odds
    policies: Mapping[Role, Policy] = MappingProxyType({})

    def policy(self, role: Role) -> Policy:
        """How a side settles its choices before the dice."""
        return self.policies.get(role, USUAL)

    @property
    def counted(self) -> Odds:
        """The odds that the modifiers for odds past the ends of the chart go by."""
        return odds_of_modifiers(self.initial, self.odds, self.engagement.readings.beyond_chart)

    @property
    def column(self) -> str:
        """The chart's column: the final odds, or the last one on their side. Rule: 10.7"""
        return str(self.odds.within(LOWEST, HIGHEST))


def combat_of(engagement: Engagement, odds: Odds, magnitude: str, initial: Odds | None = None) -> Combat:
    """The combat that its odds make of an engagement. odds, initial: after and before shifts, None where nothing shifts."""
    initial = odds if initial is None else initial
    counted = odds_of_modifiers(initial, odds, engagement.readings.beyond_chart)
    german = step_losses.german_modifier
    hardship = engagement.campaign or engagement.readings.level_4_hardship == "always"
    attacking = step_losses.artillery_modifiers(engagement.present("defender"), engagement.artillery("defender"))
    defending = step_losses.artillery_modifiers(engagement.present("attacker"), engagement.artillery("attacker"))
    said = {
        role: (Modifier("", "added by the players", engagement.drm[role]),) if engagement.drm.get(role) else ()
        for role in SIDES
    }
    return Combat(
        engagement,
        odds,
        magnitude,
        {
            "attacker": attacking
            + german(engagement.attackers)
            + step_losses.attacker_modifiers(engagement.defenders, engagement.position, counted, hardship)
            + said["attacker"],
            "defender": defending
            + german(engagement.defenders)
            + step_losses.defender_modifiers(engagement.flanked, counted)
            + said["defender"],
        },
        {role: {place: forces(stack) for place, stack in stacks(engagement.side(role)).items()} for role in SIDES},
        initial,
    )
