"""The signs over units that are lost, that break down, and that have moved on."""

from __future__ import annotations

import msgspec
import pytest

from assistant.asking.sketch import FateKind
from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.scene import Path
from assistant.drawing.sketch.fates import FATE_SIGNS, FATE_WORDS, arrived_units
from assistant.state.changes import Change

from .answers import answer_of

BOX = PageBox(10.0, 20.0, 24.0, 28.0)


@pytest.mark.parametrize("kind", FATE_SIGNS)
def test_the_sign_of_a_fate_stays_in_its_box(kind: FateKind) -> None:
    for shape in FATE_SIGNS[kind](BOX, 1.0):
        assert isinstance(shape, Path)
        for x, y in (point for line in shape.lines for point in line):
            assert BOX.left <= x <= BOX.right
            assert BOX.top <= y <= BOX.bottom


def test_the_signs_of_fates_differ_in_form_and_all_have_words() -> None:
    forms = {
        kind: [shape.lines for shape in shapes(BOX, 1.0) if isinstance(shape, Path)]
        for kind, shapes in FATE_SIGNS.items()
    }
    assert forms["lost"] != forms["broken"]
    assert FATE_SIGNS.keys() == FATE_WORDS.keys()


def test_a_unit_arrives_in_the_last_hex_that_it_comes_to_and_nowhere_if_that_is_its_own() -> None:
    case = answer_of("twilight-in-the-east battle.pos: battle 0")
    (move,) = (move for move in case.sketch.moves if isinstance(move, Change))

    def arrived(*moves: Change) -> dict[str, list[str]]:
        units = arrived_units(View(case.view.game, case.view.state), msgspec.structs.replace(case.sketch, moves=moves))
        return {hex: [unit.id for unit in there] for hex, there in units.items()}

    on = msgspec.structs.replace(move, before="39.20", after="39.21")
    assert arrived(move) == {"39.20": ["27/3"]}
    assert arrived(move, on) == {"39.21": ["27/3"]}
    assert arrived(move, msgspec.structs.replace(on, after="40.20")) == {}
