"""Tables of a game: what stands under headings that mean the same in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.lint.faults import format_fault
from assistant.game.lint.tables import find_table_faults
from assistant.util.errors import InputError

from ...records.journal.small import small_game


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("rust,A1,0101,aug14/1,dec14,1", ""),
        ("rust,A1,0101,shaken,,1", ""),
        (",,,,,", ""),
        ("rusty,,,,,", "who: unknown side or nation 'rusty'; nearest known: rust"),
        ("rust,A9,,,,", "unit: unknown unit of the roster 'A9'; nearest known: A1, A2"),
        ("rust,,9901,,,", "hex 9901 is off the map"),
        ("rust,,,agu14,,", "'agu14' is neither a turn nor counted from a fact that is one"),
        ("rust,,,shakn,,", "'shakn' is neither a turn nor counted from a fact that is one; nearest known: shaken"),
        ("rust,,,aug14/9,,", "aug14 has no turn 9"),
        ("rust,,,dec14/3,dec14,", ""),
        ("rust,,,dec14,nov14,", "the row ends before it begins; exchange its dates"),
        ("rust,,,dec14,aug14/2,", "the row ends before it begins; exchange its dates"),
    ],
)
def test_each_cell_names_what_there_is(tmp_path: Path, row: str, fault: str) -> None:
    game = small_game(tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/limits.csv").write_text(f"who,unit,hex,from,until,most\n{row}\n")
    found: list[InputError] = []
    find_table_faults(game, found.append)
    assert [format_fault(one).startswith(f"tables/limits.csv:2: {fault}") for one in found] == (
        [True] if fault else []
    ), found
