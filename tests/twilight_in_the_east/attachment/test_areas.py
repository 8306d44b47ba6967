"""The shape of Areas of Attachment, and where a boundary has to run (6.1)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.attachment.areas import along_boundary, boundaries, boundary_breaches, pieces, shapes

LINE = ["40.10", "40.11", "40.12", "40.13", "40.14", "40.15", "40.16", "40.17", "40.18"]


def beside(hex: str) -> list[str]:
    """The neighbours along a column only, which is all that these shapes need."""
    column, row = hex.split(".")
    return [f"{column}.{int(row) - 1}", f"{column}.{int(row) + 1}"]


def apart(one: str, other: str) -> int:
    return abs(int(one[3:]) - int(other[3:]))


@pytest.mark.rule("6.1")
def test_an_area_hangs_together_and_overlaps_no_other_of_its_side() -> None:
    first, second = frozenset({"40.10", "40.11"}), frozenset({"40.11", "40.12"})
    whole = {"russian First": first, "russian Second": frozenset({"40.12"}), "central-powers First": second}
    assert shapes(whole, beside) == []
    (breach,) = shapes({"russian First": first, "russian Second": second}, beside)
    assert (breach.rule, breach.about) == ("6.1", "russian First")
    assert breach.why == "its area and that of russian Second both hold 40.11"
    (breach,) = shapes({"russian First": frozenset({"40.10", "40.12", "40.13"})}, beside)
    assert breach.why == "its Area of Attachment is in 2 pieces"
    (breach,) = shapes({"russian Warsaw Garrison": first}, beside)
    assert (breach.rule, breach.why) == ("24.1", "it is not an army, and has no Area of Attachment")


def test_the_pieces_of_an_area() -> None:
    assert pieces({"40.10", "40.12", "40.11", "40.15"}, beside) == [{"40.10", "40.11", "40.12"}, {"40.15"}]
    assert pieces((), beside) == []


def test_a_boundary_begins_on_the_enemys_front_and_goes_seven_hexes_back() -> None:
    enemy, friendly = ["40.09"], ["40.11"]
    assert along_boundary("A", "B", LINE, friendly, enemy, apart) == []
    (short,) = along_boundary("A", "B", LINE[:-1], friendly, enemy, apart)
    assert short.why == "its boundary with B ends 6 hexes behind the Front Line; the least is 7"
    (late,) = along_boundary("A", "B", LINE[1:], friendly, enemy, apart)
    assert late.why == "its boundary with B does not begin on the enemy's Front Line"
    assert along_boundary("A", "B", LINE[:2], (), (), apart) == []


def test_the_hexes_along_a_boundary() -> None:
    areas = {"B": {"40.12", "40.13"}, "A": {"40.10", "40.11"}, "C": {"40.15"}}
    assert boundaries(areas, beside) == {("A", "B"): {"40.11", "40.12"}}


@pytest.mark.rule("6.1c")
def test_only_armies_of_one_side_with_a_piece_of_the_front_have_a_boundary_to_judge() -> None:
    areas = {
        "central-powers Eighth": frozenset({"40.09"}),
        "russian First": frozenset({"40.10", "40.11", "40.12", "40.13"}),
        "russian Second": frozenset({"40.14"}),
    }
    enemy, first, second = ["40.09"], ["40.13"], ["40.13"]
    fronts = {"central-powers Eighth": enemy, "russian First": first, "russian Second": second}
    assert [breach.why for breach in boundary_breaches(areas, fronts, beside, apart)] == [
        "its boundary with russian Second does not begin on the enemy's Front Line",
        "its boundary with russian Second ends 1 hexes behind the Front Line; the least is 7",
    ]
    assert boundary_breaches(areas, {"russian First": first, "central-powers Eighth": enemy}, beside, apart) == []
