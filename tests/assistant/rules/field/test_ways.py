"""The hexes around a unit: open ones first, each other one with the first rule that bars it."""

from __future__ import annotations

from functools import partial

import pytest

from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.mechanics.procedure import AnswerError
from assistant.rules.field.ways import HexBar, HexOption, Walk, check_way, first_bar, open_hexes, option
from assistant.util.errors import InputError


def sea(here: str, there: str) -> HexBar | None:
    return HexBar("2.2", "sea") if there in ("41.18", "42.19") else None


def enemy(here: str, there: str) -> HexBar | None:
    return HexBar("4.2", f"enemies stand next to {here}") if there == "42.19" else None


def test_the_first_rule_that_bars_is_named_and_a_hex_says_in_a_line_whether_it_is_open() -> None:
    assert first_bar([sea, enemy], "41.19", "42.19") == ("2.2", "sea")
    assert first_bar([enemy, sea], "41.19", "42.19") == ("4.2", "enemies stand next to 41.19")
    assert first_bar([sea, enemy], "41.19", "41.20") is None
    assert option([sea], "41.19", "41.20") == HexOption("41.20", "", "")
    assert [
        (one.rule, one.text) for one in (HexOption("41.19").step("11.2"), HexOption("41.18", "2.2", "sea").step("11.2"))
    ] == [
        ("11.2", "41.19 is open"),
        ("2.2", "41.18: sea"),
    ]


def test_the_open_hexes_come_first_as_the_game_prefers_them(twilight: Game) -> None:
    view = View(twilight, build_state(twilight))
    found = open_hexes(view, "41.19", partial(option, [sea, enemy]), lambda one: one.hex)
    around = sorted(view.board.neighbours("41.19"))
    assert [one.hex for one in found] == [hex for hex in around if hex not in ("41.18", "42.19")] + ["41.18", "42.19"]
    assert [one.rule for one in found if one.barred] == ["2.2", "2.2"]


@pytest.mark.parametrize(
    ("way", "said"),
    [((), "way: it must enter at least one hex"), (("41.18", "44.18"), "way: 44.18 is not adjacent to 41.18")],
)
def test_a_way_enters_hex_after_hex(twilight: Game, way: tuple[str, ...], said: str) -> None:
    view = View(twilight, build_state(twilight))
    check_way(view, "41.19", ("41.18", "41.17"))
    with pytest.raises(InputError, match=said):
        check_way(view, "41.19", way)


def test_a_way_goes_on_with_the_hexes_that_are_chosen_and_due_one_by_one() -> None:
    walk = Walk.along(["41.19"], {"hex.2": "41.18", "hex.3": "41.17", "hex.5": "41.15"})
    assert walk.way == ("41.19", "41.18", "41.17")
    (ask,) = walk.ask("11.2", "hex {number} of 5", [HexOption("41.16"), HexOption("42.16", "2.2", "sea")])
    assert (ask.name, ask.rule, ask.title, ask.options) == ("hex.4", "11.2", "hex 4 of 5", ("41.16",))
    walk = Walk.along(["41.19"], {"hex.2": "41.18"})
    walk.refuse_others(["hex.2", "losses"], "losses")
    for name in ("hex.1", "hex.3", "losses"):
        with pytest.raises(AnswerError, match=name):
            walk.refuse_others([name])
