"""Lines of supply (3.4)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.field import Around
from assistant.questions import Gather


def out_of_supply(facts: Gather, around: Around, units: Iterable[str]) -> frozenset[str]:
    """Those of some units of a side that cannot trace a line of supply, as stated. Rule: 3.4/trace"""
    return frozenset(unit for unit in units if facts.view.word("supply", unit) == "out")
