"""When an Austro-Hungarian bridgehead is abandoned (12.5)."""

from __future__ import annotations

from typing import NamedTuple

from assistant.mechanics.procedure import Dice, Done, Node, Procedure, Roll, Situation


class Trigger(NamedTuple):
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


def abandonment(number: int) -> Procedure:
    """The die for a bridgehead, which is abandoned at more than its abandonment number; it starts from None. Rule: 12.5.1"""

    def node(natural: Situation) -> Node:
        if isinstance(natural, int):
            return Done({"abandoned": natural > number})
        return Roll("abandon", "12.5.1", "whether it is abandoned", Dice(1, 6), {}, int)

    return node


def given_up(isolated: bool | None, reading: str, *, in_supply_phase: bool) -> bool:
    """Whether a bridgehead is abandoned without a die, as it is Isolated.

    isolated: None if it is not stated; reading: ruling isolated-bridgehead; in_supply_phase: whether its side's Supply Phase finds it so.
    Rule: 12.5.2
    """
    return bool(isolated) and (in_supply_phase or reading == "at-once")
