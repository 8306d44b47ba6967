"""Counters of Kaiser's War in the East, and which of them may stack: every way to sort them into the four groups is tried (12.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from ..hexes import Hex

GROUPS = ("troops", "supply", "fortress", "extra")


@dataclass(frozen=True)
class Unit:
    """A counter: attack, defence and movement as printed, radius in hexes for Headquarters and supply units; mark: `moved` or `declared`."""

    id: str
    side: str
    nation: str
    arm: str
    size: str
    at: Hex
    attack: int = 0
    defence: int = 0
    movement: int = 0
    radius: int = 0
    mark: str = ""

    def text(self) -> str:
        """The unit as notation has it."""
        words = [self.nation, self.arm, self.size, self.id, f"({self.attack}-{self.defence}-{self.movement})"]
        words += [f"radius={self.radius}"] * (self.arm in ("supply", "headquarters"))
        return " ".join([*words, self.mark]).strip()

    def is_army(self) -> bool:
        """Whether it has the symbol of an army or of an Abteilung."""
        return self.size in ("XXXX", "abteilung")


def groups_of(unit: Unit) -> list[str]:
    """The groups in which a unit may be counted: a shock corps is a corps too."""
    if unit.arm in ("supply", "fortress"):
        return [unit.arm]
    if unit.arm in ("armoured-train", "tank"):
        return ["extra"]
    if unit.arm == "shock" and unit.size == "XXX":
        return ["troops", "extra"]
    return ["troops"]


def is_legal(units: list[Unit]) -> bool:
    """Whether units may end together in a hex."""
    for sorting in product(*(groups_of(unit) for unit in units)):
        counts = {group: [unit for unit, own in zip(units, sorting, strict=True) if own == group] for group in GROUPS}
        if any(len(counts[group]) > 1 for group in ("supply", "fortress", "extra")):
            continue
        large = [unit for unit in counts["troops"] if unit.is_army() or unit.arm == "headquarters"]
        small = [unit for unit in counts["troops"] if unit not in large]
        if (len(large) == 1 and not small) or (not large and len(small) <= 3):
            return True
    return False
