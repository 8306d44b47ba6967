"""What tells counters apart: a symbol for every unit type, a sign for every size, a colour for every nation."""

from __future__ import annotations

from itertools import combinations

import pytest

from assistant.pictures.colours import SIGHTS, difference, seen_by
from assistant.pictures.palettes import nations_of
from assistant.pictures.symbols import Symbols

from .examples import game

APART = 8.0
"""How far the colours of two nations have to be apart, CIEDE2000: 10 is seen at a glance."""


TYPES = (
    "infantry", "shock", "alpine", "marine", "cavalry", "fortress", "armoured-train", "tank", "headquarters", "supply", "airbase",
    "partisan",
)  # fmt: skip
"""The unit types of the rulebook (2.4), and the Bolshevik partisans of the optional rules."""


@pytest.mark.rule("2.4/types")
def test_every_unit_type_has_a_symbol() -> None:
    assert game().track("arm").values == TYPES
    symbols = Symbols(game())
    assert [arm for arm in game().track("arm").values if symbols.symbol(arm) is None] == []


def test_every_size_has_a_sign() -> None:
    symbols = Symbols(game())
    assert [size for size in game().track("size").values if size != "-" and symbols.echelon(size) is None] == []


@pytest.mark.parametrize("sight", ["", *SIGHTS])
def test_nations_are_told_apart_by_every_sight(sight: str) -> None:
    found = nations_of(game().track("nation").values, game().file.picture.colours)
    seen = {
        name: next((seen_by(nation.tint, one) for one in SIGHTS if one == sight), nation.tint)
        for name, nation in found.items()
    }
    alike = [pair for pair in combinations(seen, 2) if difference(seen[pair[0]], seen[pair[1]]) < APART]
    assert alike == []
