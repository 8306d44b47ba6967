"""How many units a hex holds (12.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..terms import FORTRESS, HEADQUARTERS, SUPPLY, TRAIN
from .units import Formation

MOST_CORPS = 3


def is_within_limits(units: Iterable[Formation]) -> bool:
    """Whether units may end a phase in one hex: one army or Headquarters, or three corps; and one supply unit, one fortress, and one
    armoured train, shock corps or tank besides.

    Units smaller than a corps count as corps. Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4
    """
    held = Counter(slot(unit) for unit in units)
    if max(held["supply"], held["fortress"], held["train"]) > 1:
        return False
    besides = 0 if held["train"] else min(held["shock"], 1)
    corps = held["corps"] + held["shock"] - besides
    return held["army"] <= 1 and corps <= (0 if held["army"] else MOST_CORPS)


def slot(unit: Formation) -> str:
    """What a unit counts as for stacking: supply, fortress, train (or tank), shock, army (or Headquarters), corps."""
    if unit.arm in (SUPPLY, FORTRESS):
        return unit.arm
    if unit.arm in (TRAIN, "tank"):
        return "train"
    if unit.is_army or unit.arm == HEADQUARTERS:
        return "army"
    return "shock" if unit.arm == "shock" else "corps"
