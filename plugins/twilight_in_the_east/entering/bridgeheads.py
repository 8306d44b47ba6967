"""When a garrison may abandon an Austro-Hungarian bridgehead: who stands next to it and in it (12.5.1)."""

from __future__ import annotations

import msgspec

from assistant.questions import Gather, View
from assistant.state.state import Unit

from ..terms import COMBAT_ARMS


class Trigger(msgspec.Struct, frozen=True):
    """What may make a garrison abandon a bridgehead. enemy, friend: Russian combat units next to it, and Austro-Hungarian ones in it;
    tested: whether a die has been rolled for it before."""

    enemy: tuple[str, ...]
    friend: tuple[str, ...]
    tested: bool

    @property
    def due(self) -> bool:
        """Whether a die is rolled: at the first moment when a Russian combat unit is next to it and no Austro-Hungarian one in it, and
        once only. Rule: 12.5.1
        """
        return bool(self.enemy) and not self.friend and not self.tested


def around(facts: Gather | View, unit: str, place: str) -> Trigger:
    """Who stands next to a bridgehead and in it. facts: asked for what is not stated, unless it is a view."""
    view = facts.view if isinstance(facts, Gather) else facts
    enemy = tuple(russian for hex in view.board.neighbours(place) for russian in combat_units(facts, hex, "russian"))
    friend = tuple(other for other in combat_units(facts, place, "austro-hungarian") if other != unit)
    return Trigger(enemy, friend, facts.flag("tested", unit))


def combat_units(facts: Gather | View, hex: str, nation: str) -> list[str]:
    """The combat units of a nation in a hex."""
    view = facts.view if isinstance(facts, Gather) else facts
    there = [unit.id for unit in view.stack(hex)]
    return [unit for unit in there if facts.word("nation", unit) == nation and facts.word("arm", unit) in COMBAT_ARMS]


def may_be_bridgehead(view: View, unit: Unit) -> bool:
    """Whether a unit is an Austro-Hungarian Fort, as all bridgeheads are; of one whose counter is not known it is not known whether it is
    one."""
    return view.word("arm", unit.id) == "fort" and view.word("nation", unit.id) == "austro-hungarian"
