"""Armies by their names, the shape of their areas, and where a boundary has to run (6.1)."""

from __future__ import annotations

import pytest

from assistant.questions.view import View
from assistant.util.errors import InputError
from twilight_in_the_east.forces.armies import (
    area,
    boundary,
    boundary_faults,
    kept_from_enemy,
    known_armies,
    pieces,
    shapes,
)

from ...conftest import typed

LINE = ["40.10", "40.11", "40.12", "40.13", "40.14", "40.15", "40.16", "40.17", "40.18"]


def view_of(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


def beside(hex: str) -> list[str]:
    """The neighbours along a column only, which is all that these shapes need."""
    column, row = hex.split(".")
    return [f"{column}.{int(row) - 1}", f"{column}.{int(row) + 1}"]


def apart(one: str, other: str) -> int:
    return abs(int(one[3:]) - int(other[3:]))


def test_an_area_is_stated_in_stretches_down_a_column() -> None:
    view = view_of('army "russian Second" area="44.18-44.20 45.19"')
    assert area(view, "russian Second") == {"44.18", "44.19", "44.20", "45.19"}
    assert area(view, "russian First") is None


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("44.18-45.20", "area of army russian Second: 44.18-45.20 is no stretch down a column"),
        ("44.20-44.18", "no stretch down a column"),
        ("here", "'here' is not a hex number"),
        ("99.99", "hex 99.99 is off the map"),
    ],
)
def test_an_area_that_is_none(stated: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        area(view_of(f'army "russian Second" area="{stated}"'), "russian Second")


def test_an_army_is_named_by_its_side_too() -> None:
    text = '41.19: russian infantry XX R army=First\narmy "central-powers First" attachment-limit=5'
    assert known_armies(view_of(text)) == ["central-powers First", "russian First"]
    with pytest.raises(InputError, match="army 'First' may be of either side") as error:
        known_armies(view_of("army First attachment-limit=5"))
    assert error.value.hint == 'write: army "central-powers First" or army "russian First"'
    with pytest.raises(InputError, match="army of R: its side is known by its nation") as error:
        known_armies(view_of(text.replace("army=First", 'army="russian First"')))
    assert error.value.hint == "write: army=First"


@pytest.mark.rule("6.1")
def test_an_area_hangs_together_and_overlaps_no_other_of_its_side() -> None:
    first, second = frozenset({"40.10", "40.11"}), frozenset({"40.11", "40.12"})
    whole = {"russian First": first, "russian Second": frozenset({"40.12"}), "central-powers First": second}
    assert shapes(whole, beside) == []
    (fault,) = shapes({"russian First": first, "russian Second": second}, beside)
    assert (fault.rule, fault.about) == ("6.1", "russian First")
    assert fault.why == "its area and that of russian Second both hold 40.11"
    (fault,) = shapes({"russian First": frozenset({"40.10", "40.12", "40.13"})}, beside)
    assert fault.why == "its Area of Attachment is in 2 pieces"
    (fault,) = shapes({"russian Warsaw Garrison": first}, beside)
    assert (fault.rule, fault.why) == ("24.1", "it is no army, and has no Area of Attachment")


def test_the_pieces_of_an_area() -> None:
    assert pieces({"40.10", "40.12", "40.11", "40.15"}, beside) == [{"40.10", "40.11", "40.12"}, {"40.15"}]
    assert pieces((), beside) == []


def test_a_boundary_begins_on_the_enemys_front_and_goes_seven_hexes_back() -> None:
    enemy, friendly = ["40.09"], ["40.11"]
    assert boundary_faults("A", "B", LINE, friendly, enemy, apart) == []
    (short,) = boundary_faults("A", "B", LINE[:-1], friendly, enemy, apart)
    assert short.why == "its boundary with B ends 6 hexes behind the Front Line, and 7 are the least"
    (late,) = boundary_faults("A", "B", LINE[1:], friendly, enemy, apart)
    assert late.why == "its boundary with B does not begin on the enemy's Front Line"
    assert boundary_faults("A", "B", LINE[:2], (), (), apart) == []


def test_the_hexes_along_a_boundary() -> None:
    assert boundary({"40.10", "40.11"}, {"40.12", "40.13"}, beside) == {"40.11", "40.12"}


@pytest.mark.rule("6.3.1b")
def test_next_to_an_enemy_only_the_area_of_the_own_army_is_entered() -> None:
    own = frozenset({"40.10"})
    assert kept_from_enemy("40.11", own, next_to_enemy=True)
    assert not kept_from_enemy("40.10", own, next_to_enemy=True)
    assert not kept_from_enemy("40.11", own, next_to_enemy=False)
    assert not kept_from_enemy("40.11", None, next_to_enemy=True)
