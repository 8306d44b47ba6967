"""The supply that units of a side have in a position, and how good it is (14.4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from assistant.questions import View
from assistant.questions.report import Ask

from ..side.report import UnitSupply
from ..side.states import side_supply

UNDECIDED, ISOLATED, OUT, LOW, IN = range(5)
"""What supply is worth: the more, the better."""


class Standing(NamedTuple):
    """The supply of some units, by unit; what is to be asked where facts are missing to tell it; by unit the state that is believed as the
    position gives it, since what is typed leaves it open; and whether no choice of modes is better."""

    supplies: Mapping[str, UnitSupply] = MappingProxyType({})
    asks: tuple[Ask, ...] = ()
    believed: Mapping[str, str] = MappingProxyType({})
    exact: bool = True


def standing(view: View, side: str, units: Collection[str], believed: Mapping[str, str] | None = None) -> Standing:
    """The supply of units of a side that are on the map: all of them if none are named. believed: what may be believed of units as the
    position gives it, all of that if left out."""
    there = {name for name in units if name in view.state.units and view.state.units[name].place}
    if units and not there:
        return Standing()
    found = side_supply(view, side, there, believed, causes=False)
    stated = {name: view.word("supply", name) for name in found.believed}
    return Standing({one.unit: one for one in found.supply.units}, found.asks, stated, found.supply.exact)


def worth(supply: UnitSupply) -> int:
    """What a unit's supply is worth, with the best modes that its side may choose; least where facts are missing to tell it."""
    of = {None: UNDECIDED, "out": ISOLATED if supply.isolated else OUT, "low": LOW, "in": IN}
    return of[supply.could.state]
