"""Morale checks: their modifiers, and the procedure of one check from its roll to the last straggler (chapter 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from assistant.mechanics.procedure import Dice, Done, Modifier, Node, Procedure, Roll, Situation, Stuck
from assistant.state.state import Cell

CHECK, STRAGGLERS = Dice(1, 10), Dice(1, 6)


class Condition(NamedTuple):
    """What the rules read of the unit that checks.

    enemies: whether one is adjacent; volleys: how often it was fired upon this turn.
    """

    unit: str
    morale: int
    strength: int
    lost: int = 0
    enemies: bool = False
    cover: bool = False
    volleys: int = 0
    officer: bool = False

    @property
    def left(self) -> int:
        """Steps that the unit still has."""
        return self.strength - self.lost


def modifiers(of: Condition) -> tuple[Modifier, ...]:
    """What is added to the roll: losses, enemies and volleys against the unit, cover and an officer for it.

    Rule: 4.2
    """
    found = (
        Modifier("4.2a", "steps lost", of.lost),
        Modifier("4.2b", "enemy adjacent", int(of.enemies)),
        Modifier("4.2c", "cover", -int(of.cover)),
        Modifier("4.2d", "volleys", of.volleys),
        Modifier("4.2e", "officer", -int(of.officer)),
    )
    return tuple(modifier for modifier in found if modifier.amount)


# The situations of a check are structs: named tuples with equal fields are equal whatever their class.


class Start(msgspec.Struct, frozen=True):
    """Before the roll."""


class Checked(msgspec.Struct, frozen=True):
    """After the roll. margin: by how much it exceeds the morale; nothing or less holds."""

    margin: int


class Straggled(msgspec.Struct, frozen=True):
    """A routed unit has counted its stragglers."""

    steps: int


def straggled(natural: int) -> Straggled:
    """The stragglers of a rout: a further step on a 6.

    Rule: 4.3
    """
    return Straggled(int(natural == 6))


def check(of: Condition, failure: Callable[[int], Cell | None]) -> Procedure:
    """The procedure of one check: 1d10, a failed one on the table, and 1d6 for the stragglers of a rout.

    failure: the cell of the Failed Morale Table for a margin, None where nobody knows it.

    Rule: 4.1, 4.3
    """
    against = modifiers(of)
    total = sum(modifier.amount for modifier in against)

    def node(situation: Situation) -> Node:
        match situation:
            case Checked(margin) if margin <= 0:
                return Done({"outcome": "holds", "steps": 0})
            case Checked(margin):
                cell = failure(margin)
                if cell is None:
                    return Stuck(("failure", (margin,)))
                steps = min(int(cell.values["steps"]), of.left)
                notes = {"outcome": cell.values["result"], "steps": steps}
                if notes["outcome"] != "routs" or steps == of.left:
                    return Done(notes)
                return Roll("stragglers", "4.3", "stragglers of a rout", STRAGGLERS, {}, straggled, notes)
            case Straggled(steps):
                return Done({"steps": steps})
            case _:
                return Roll(
                    "morale",
                    "4.1",
                    "morale check",
                    CHECK,
                    {of.unit: against},
                    lambda natural: Checked(natural + total - of.morale),
                )

    return node
