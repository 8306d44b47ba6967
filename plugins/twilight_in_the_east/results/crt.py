"""What a cell of the Combat Results Table says (10.9)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..forces.units import CombatUnit
from ..terms import FORTRESSES

FARTHEST = 3
"""The hexes of the longest retreat that the table knows (10.9.1)."""


class CrtResult(msgspec.Struct, frozen=True):
    """One side's part of a cell: SLRT modifier, white and black retreat in hexes, and the X and asterisk marks."""

    modifier: int = 0
    white: int = 0
    black: int = 0
    x: bool = False
    asterisk: bool = False


def read_result(text: str) -> CrtResult:
    """A cell's part from its notation: `+1 X W2`, or `-` for nothing. Rule: 10.9.1"""
    found = {token[0]: token for token in text.split() if token != "-"}
    return CrtResult(
        modifier=int(found.get("+") or found.get("-") or 0),
        white=int(found.get("W", "W0")[1:]),
        black=int(found.get("B", "B0")[1:]),
        x="X" in found,
        asterisk="*" in found,
    )


def crt_modifier(result: CrtResult, all_german: bool) -> int:
    """The SLRT modifier of a result: one less on an X if all attackers are German. Rule: 10.9.1b, 10.10.3a"""
    return result.modifier - (result.x and all_german)


def crt_retreat(
    result: CrtResult, position: int, fortress_steps: int = 0, leftover: str = "retreat"
) -> tuple[int, int]:
    """Hexes that a stack retreats, and steps that its fortress units lose instead.

    A black retreat is ignored in an Improved Position (its level is `position`) and by a stack with a fortress unit; a
    fortress unit turns white retreats into step losses, one for one, while it has steps.

    leftover: ruling fortress-steps, what becomes of white hexes for which no steps are left. Rule: 10.9.1d, 10.9.1e, 13.3.1a
    """
    absorbed = min(result.white, fortress_steps)
    black = 0 if position or fortress_steps else result.black
    white = 0 if fortress_steps and leftover == "ignored" else result.white - absorbed
    return white + black, absorbed


def fortress_steps(units: Iterable[CombatUnit]) -> int:
    """Steps of all fortress units of a stack, which stand in for hexes of retreat (10.9.1)."""
    return sum(unit.left for unit in units if unit.arm in FORTRESSES)
