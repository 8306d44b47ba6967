"""Which of several counters that are all alike is which unit."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.alike import pieces_in_order, share_units
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import Trait
from assistant.game.roster import shared_unit_name

ALIKE = ("Infantry", "Infantry (2)", "Infantry (3)")


def piece(id: str, map: str = "Main", owner: str = "null") -> Piece:
    return Piece(id, (Trait("obs;66,130;;Mask;B;?;side:", owner), Trait("piece;;;;Infantry")), map)


def units(*pieces: Piece) -> dict[str, str]:
    return share_units(
        pieces_in_order(pieces), dict.fromkeys((one.id for one in pieces), ALIKE), lambda one: one.map == "Main"
    )


@pytest.mark.parametrize(
    ("unit", "kind"), [("Infantry (12)", "Infantry"), ("Infantry", "Infantry"), ("29/20 (a)", "29/20 (a)")]
)
def test_the_number_behind_a_name_is_not_of_its_kind(unit: str, kind: str) -> None:
    assert shared_unit_name(unit) == kind


def test_counters_are_numbered_by_their_age_and_keep_their_number_when_lost() -> None:
    assert units(piece("1000"), piece("999"), piece("x")) == {"999": ALIKE[0], "1000": ALIKE[1], "x": ALIKE[2]}
    assert units(piece("1", "Dead Pile"), piece("2")) == {"1": ALIKE[0], "2": ALIKE[1]}
    some = [piece("1", "Chart"), piece("2"), piece("3"), piece("4")]
    assert units(*some) == {"2": ALIKE[0], "3": ALIKE[1], "4": ALIKE[2]}


class Counted(tuple[str, ...]):
    """Units that pieces may be; how often they are told from others is counted."""

    times = 0

    def __hash__(self) -> int:
        Counted.times += 1
        return super().__hash__()


def test_hundreds_of_counters_that_are_all_alike_are_not_compared_one_by_one() -> None:
    possible = Counted(f"Infantry ({number})" for number in range(300))
    pieces = [piece(str(number)) for number in range(300)]
    found = share_units(pieces, dict.fromkeys((one.id for one in pieces), possible), lambda one: True)
    assert len(found) == 300 and Counted.times < 3


def test_hiding_a_counter_changes_no_number() -> None:
    """Which unit each counter is stays the same, so that facts by name stay with it and nothing seems to have moved."""
    for hidden in "123":
        some = [piece(id, owner="Blue" if id == hidden else "null") for id in "123"]
        assert units(*some) == dict(zip("123", ALIKE, strict=True))
    seen = [piece(id) for id in "2345"]
    open = units(*seen[:3])
    assert units(piece("1", owner="Blue"), *seen[:3]) == open
    assert units(piece("1", owner="Blue"), *seen) == units(*seen)
