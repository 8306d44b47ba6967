"""What happened between two saves of any module, as text: equal changes in one line."""

from __future__ import annotations

import pytest

from assistant.asking.report import to_forum
from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.others.listing import list_save
from assistant.formats.vassal.others.sight import Eyes, visible_save
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.traits import Trait
from assistant.records.explaining.save_differences import report_save_differences
from assistant.util.errors import InputError

from ...formats.vassal.others.test_listing import unit
from ...formats.vassal.others.test_sight import mask
from ...formats.vassal.test_modules import GRID, board, module, window

MODULE = module(window(board("Land", GRID)))
CALLED = ("a.vsav", "b.vsav")


def save(*pieces: Piece, module: str = "Small", turn: str = "0|1") -> Save:
    found = {piece.id: piece for piece in pieces}
    return Save(about=ModuleData(module), boards={"Field": (("Land", 0, 0),)}, pieces=found, turns={"T": turn})


def told(before: Save, after: Save) -> list[str]:
    return str(report_save_differences(list_save(before, MODULE), list_save(after, MODULE), CALLED)).splitlines()


def moved(id: str, name: str, at: tuple[int, int], state: str) -> Piece:
    return unit(id, name, at, "Field", Trait("markmoved;x", state))


def test_long_runs_are_cut_in_text_and_what_is_not_understood_is_counted_for_each() -> None:
    before = save(*(moved(str(n), f"Foot {n}", (30, 25), "true") for n in range(50)))
    after = save(*(moved(str(n), f"Foot {n}", (30, 25), "false") for n in range(50)))
    report = report_save_differences(list_save(before, MODULE), list_save(after, MODULE), CALLED)
    assert "more: no longer moved" in to_forum(report)
    assert report.result is not None and len(report.result.changed) == 50
    odd = list_save(save(unit("1", "Guards", (30, 25), "Field", Trait("turr;x", ""))), MODULE)
    told = to_forum(report_save_differences(odd, list_save(save(), MODULE), CALLED))
    assert told.endswith("- 1 thing in a.vsav not understood: see `assistant check`\n")


def test_a_side_only_loses_sight_of_pieces() -> None:
    before = save(unit("1", "Guards", (30, 25)))
    after = save(unit("1", "Guards", (30, 25), "Field", mask("Red", "side:")))
    one, other = (
        list_save(visible_save(found, MODULE, Eyes("Blue", "Blue")), MODULE, "Blue") for found in (before, after)
    )
    assert to_forum(report_save_differences(one, other, CALLED)).splitlines() == [
        "Small: from a.vsav to b.vsav",
        "1 gone, 1 came",
        "",
        "No longer seen:",
        "- Guards: from 0101",
        "",
        "Newly seen:",
        "- Hidden unit: in 0101",
        "",
        "Cautions:",
        "- Also left out are global properties, and pieces that are off all maps, on a map that the module does not have, or with a trait of "
        "the module's own code, which may hide them.",
        "",
        "You see what the Blue side knows.",
    ]


def test_an_umpire_is_not_asked_for_a_side_and_saves_of_two_modules_are_not_compared() -> None:
    one = list_save(save(), MODULE)
    said = to_forum(report_save_differences(one, one, CALLED, umpire=True))
    assert said == "Small: from a.vsav to b.vsav\nnothing differs\n"
    one, other = (list_save(save(module=name)) for name in ("Small", "Large"))
    with pytest.raises(InputError, match="a.vsav belongs to Small, b.vsav to Large"):
        report_save_differences(one, other, CALLED)
