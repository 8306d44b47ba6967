"""Whose units a question is about."""

from __future__ import annotations

import msgspec
import pytest

from assistant.asking.view import View
from assistant.rules.field.units import check_units, sides_asked
from assistant.state.state import Unit
from assistant.util.errors import InputError

from ....conftest import viewed

TEXT = "41.19: german infantry XX G\n45.19: russian infantry XX R\n"


@pytest.fixture
def view() -> View:
    view = viewed(TEXT)
    view.state = msgspec.structs.replace(view.state, units={**view.state.units, "Off": Unit("Off", "Off", None)})
    return view


def test_units_on_the_map_of_any_or_of_one_side_pass(view: View) -> None:
    check_units(view, ["G", "R"], "", "hint")
    check_units(view, ["G"], "central-powers", "hint")


@pytest.mark.parametrize(
    ("unit", "side", "said"),
    [
        ("Off", "", "Off is not on the map"),
        ("R", "central-powers", "R is not a unit of the Central Powers\n  leave it out"),
    ],
)
def test_others_are_refused(view: View, unit: str, side: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_units(view, ["G", unit], side, "leave it out")


def test_a_game_says_which_places_count(view: View) -> None:
    with pytest.raises(InputError, match="G is not on the map"):
        check_units(view, ["G"], "", "hint", lambda place: place != "41.19")


def test_the_sides_are_those_named_then_those_of_the_units_then_the_viewpoints_then_the_active_one(view: View) -> None:
    assert sides_asked(view, "russian", ["G"], "central-powers") == ("russian",)
    assert sides_asked(view, "", ["R", "G", "R"], "russian") == ("russian", "central-powers")
    assert sides_asked(view, "", (), "russian") == ("russian",)
    assert sides_asked(view, "") == tuple(view.game.file.sides)
    view.state = msgspec.structs.replace(view.state, seen_by="russian")
    assert sides_asked(view, "", (), "central-powers") == ("russian",)
    view.state = msgspec.structs.replace(view.state, seen_by="umpire")
    assert sides_asked(view, "", (), "central-powers") == ("central-powers",)
