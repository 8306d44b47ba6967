"""No verdict is shown without what it rests on: the page's chips, in every example and set-up of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant
from assistant.faces.page.table_view import show_answer
from assistant.util.errors import InputError

from ....cases import few
from ....pages import ROOT

FILES = sorted(file for folder in ("examples", "setups") for file in ROOT.glob(f"plugins/*/{folder}/*.pos"))


def reports(file: Path) -> Iterator[tuple[assistant.Position, assistant.Report]]:
    """The answers to the questions of a file, or to one of its own that can be asked of any."""
    position = assistant.read(file, side="")
    for asked in position.asks:
        try:
            yield position, assistant.ask(position, asked)
        except InputError:
            continue


@few(8)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_each_verdict_has_a_chip_for_each_placeholder_that_it_rests_on(file: Path) -> None:
    for position, report in reports(file):
        shown = show_answer(position, report)
        right = re.search("the ([^?]*?) (?:is|are) right", report.mark)
        assert [chip.words for chip in shown.rests_on] == (re.split(", | and ", right[1]) if right else [])
        assert all("(if " not in said or "is right" not in said for said in shown.answers)
        assert all(chip.lines for chip in shown.rests_on)
