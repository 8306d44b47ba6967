"""How a side settles its choices before dice are rolled: who takes losses, whom +1 on a check goes to, how stacks
retreat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec.structs import replace

from assistant.util.errors import InputError, format_suggestion

from ..forces.units import SIDES, Role
from .engagement import BattleParameters, Engagement, WayPolicy

MEANINGS = {
    "usual": (
        "losses go to the unit that has lost least in this combat, then to the one with the most steps left; +1 on a "
        "check goes to the Force that can best afford it"
    ),
    "strongest": "losses go to the strongest units first; +1 on a check goes to the Force that can best afford it",
    "weakest": "losses go to the weakest units first; +1 on a check goes to the Force that can least afford it",
}
"""What each policy that has a name does, as far as the rules let it."""
AS_STATED = (
    "losses go first to {units}, in this order, then as usual; +1 on a check goes to the first of these Forces that "
    "checks"
)


class Policy(msgspec.Struct, frozen=True):
    """How one side settles its choices."""

    name: str = "usual"
    """The policy as typed."""
    meaning: str = MEANINGS["usual"]
    """What it does."""
    ranks: Mapping[str, int] = MappingProxyType({})
    """The place of a unit among those who take losses, 0 for the first."""
    modifier: Literal["best", "least", "rank"] = "best"
    """Whom +1 on a check goes to: the Force that can best or least afford it, or that with the first unit by rank."""
    way: WayPolicy = "straight"
    """How its stacks retreat."""

    def rank(self, unit: str) -> int:
        """Return the place of a unit; whoever has none comes after those who have."""
        return self.ranks.get(unit, len(self.ranks))

    def order(self, margin: int, rank: int) -> tuple[int, int]:
        """Return the place of a Force among those that may take +1 on a check. margin: by how much it passes; rank: its
        first unit's.
        """
        return (rank if self.modifier == "rank" else 0), (margin if self.modifier == "least" else -margin)


def policies(engagement: Engagement, parameters: BattleParameters) -> dict[Role, Policy]:
    """Return the policy of each side. Raises InputError for one that is neither a policy nor units that fight there."""
    stated = zip(SIDES, (parameters.attacker_policy, parameters.defender_policy), strict=True)
    return {role: replace(_parse_policy(engagement, role, given), way=parameters.ways) for role, given in stated}


def _parse_policy(engagement: Engagement, role: Role, given: Sequence[str]) -> Policy:
    """Return the policy that a side is said to follow: one by name, or units in the order in which they take losses.

    Raises InputError for what is neither a policy nor a unit that fights on that side.
    """
    name = ",".join(given)
    units = [unit.id for unit in engagement.side(role)]
    if name == "usual":
        return Policy()
    if name in MEANINGS:
        strengths = {unit.id: engagement.strengths(unit, role)[0] for unit in engagement.side(role)}
        levels = sorted(set(strengths.values()), reverse=name == "strongest")
        ranks = {unit: levels.index(worth) for unit, worth in strengths.items()}
        return Policy(name, MEANINGS[name], ranks, "best" if name == "strongest" else "least")
    for word in given or ("",):
        if word not in units:
            what = f"{role}-policy: {word!r} is neither a policy nor a unit that fights for this side"
            raise InputError(what, hint=format_suggestion(word, [*MEANINGS, *units]))
    ranks = {unit: number for number, unit in enumerate(dict.fromkeys(given))}
    return Policy(name, AS_STATED.format(units=", ".join(ranks)), ranks, "rank")
