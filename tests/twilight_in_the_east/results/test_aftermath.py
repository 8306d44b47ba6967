"""What follows the checks of a combat: the advance (11.4)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results.aftermath import selections

from .conftest import division


def chosen(names: str, room: int, wished: str = "", barred: str = "") -> list[str]:
    """The selections of these units that are offered where a hex has room for so many, and not for one that is barred."""

    def fits(units: Sequence[CombatUnit]) -> bool:
        return len(units) <= room and all(unit.id not in barred for unit in units)

    return [
        "".join(unit.id for unit in units) for units in selections([division(name) for name in names], fits, wished)
    ]


@pytest.mark.rule("11.4.1")
def test_of_a_few_units_every_selection_that_the_hex_holds_may_advance() -> None:
    assert chosen("ABC", room=2) == ["AB", "AC", "BC", "A", "B", "C", ""]
    assert chosen("AB", room=0) == [""]
    assert len(chosen("ABCDEF", room=6)) == 2**6


@pytest.mark.rule("11.4.1")
def test_of_many_units_as_many_as_fit_may_advance_each_alone_or_those_wished_for() -> None:
    alone = list("ABCDEFG")
    assert chosen("ABCDEFG", room=2) == ["AB", *alone, ""]
    assert chosen("ABCDEFG", room=2, wished="G,C") == ["AB", *alone, "", "CG"]
    assert chosen("ABCDEFG", room=2, wished="A,C,G") == ["AB", *alone, ""], "more than the hex holds"
    assert chosen("ABCDEFG", room=2, barred="A") == ["BC", *alone[1:], ""]
