"""How a side settles its choices before the dice: who takes step losses, and which Force takes +1 on its check (11.1.1, 11.3.1).

A policy puts the options of every choice in order, within what the rules leave to the owner; before the dice the first one is
taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from assistant.util.errors import InputError, suggested

from ..combat.engagement import BattleParameters, Engagement
from ..forces.units import SIDES, Role
from ..retreat.ways import WayPolicy

MEANINGS = {
    "usual": "losses go to the unit that has lost least in this combat, then to the one with the most steps left; +1 on a check goes to the Force that can best afford it",
    "strongest": "losses go to the strongest units first; +1 on a check goes to the Force that can best afford it",
    "weakest": "losses go to the weakest units first; +1 on a check goes to the Force that can least afford it",
}
"""What each policy that has a name does, as far as the rules let it."""
AS_STATED = "losses go first to {units}, in this order, then as usual; +1 on a check goes to the first of these Forces that checks"


class Policy(NamedTuple):
    """How one side settles its choices.

    name: as typed; meaning: what it does; ranks: the place of a unit among those who take losses, 0 for the first; modifier: whom
    +1 on a check goes to: the Force that can best or least afford it, or that with the first unit by rank; way: how its stacks
    retreat.
    """

    name: str = "usual"
    meaning: str = MEANINGS["usual"]
    ranks: Mapping[str, int] = MappingProxyType({})
    modifier: Literal["best", "least", "rank"] = "best"
    way: WayPolicy = "straight"

    def rank(self, unit: str) -> int:
        """The place of a unit; whoever has none comes after those who have."""
        return self.ranks.get(unit, len(self.ranks))

    def order(self, margin: int, rank: int) -> tuple[int, int]:
        """The place of a Force among those that may take +1 on a check. margin: by how much it passes; rank: its first unit's."""
        return (rank if self.modifier == "rank" else 0), (margin if self.modifier == "least" else -margin)


def policies(engagement: Engagement, parameters: BattleParameters) -> dict[Role, Policy]:
    """The policy of each side. Raises InputError for one that is neither a policy nor units that fight there."""
    stated = zip(SIDES, (parameters.attacker_policy, parameters.defender_policy), strict=True)
    return {role: policy(engagement, role, given)._replace(way=parameters.ways) for role, given in stated}


def policy(engagement: Engagement, role: Role, given: Sequence[str]) -> Policy:
    """The policy that a side is said to follow: one by name, or units in the order in which they take losses.

    Raises InputError for what is neither a policy nor a unit that fights on that side.
    """
    name, units = ",".join(given), [unit.id for unit in engagement.side(role)]
    if name == "usual":
        return Policy()
    if name in MEANINGS:
        strengths = {unit.id: engagement.strengths(unit, role)[0] for unit in engagement.side(role)}
        levels = sorted(set(strengths.values()), reverse=name == "strongest")
        ranks = {unit: levels.index(worth) for unit, worth in strengths.items()}
        return Policy(name, MEANINGS[name], ranks, "best" if name == "strongest" else "least")
    for one in given or ("",):
        if one not in units:
            what = f"{role}-policy: {one!r} is neither a policy nor a unit that fights for this side"
            raise InputError(what, hint=suggested(one, [*MEANINGS, *units]))
    ranks = {unit: number for number, unit in enumerate(dict.fromkeys(given))}
    return Policy(name, AS_STATED.format(units=", ".join(ranks)), ranks, "rank")
