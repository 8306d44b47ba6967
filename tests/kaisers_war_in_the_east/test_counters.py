"""What tells counters apart: a symbol for every unit type, a sign for every size, a colour for every nation."""

from __future__ import annotations

import pytest

from assistant.drawing.symbols import Symbols

from .examples import game

TYPES = (
    "infantry", "shock", "alpine", "marine", "cavalry", "fortress", "armoured-train", "tank", "headquarters", "supply", "airbase",
    "partisan",
)  # fmt: skip
"""The unit types of the rulebook (2.4), and the Bolshevik partisans of the optional rules."""


@pytest.mark.rule("2.4/types")
def test_every_unit_type_has_a_symbol_and_every_size_a_sign() -> None:
    assert game().track("arm").values == TYPES
    symbols = Symbols(game())
    assert [arm for arm in game().track("arm").values if symbols.symbol(arm) is None] == []
    assert [size for size in game().track("size").values if size != "-" and symbols.echelon(size) is None] == []
