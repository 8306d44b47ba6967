"""Counts that are written into a roster leave everything else in it as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import read_game
from assistant.util.errors import InputError
from module_builder.importing.counts import check_count, raise_counts
from module_builder.new import new_game


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("unit,arm\n1st,foot\n2nd,horse\n", "unit,arm,count\n1st,foot,3\n2nd,horse,\n"),
        ("Name,Qty\n1st,2\n2nd,5\n", "Name,Qty\n1st,3\n2nd,5\n"),
        ('unit;count;arm\n1st;;"foot; guns"\n', 'unit;count;arm\n1st;3;"foot; guns"\n'),
        ("unit,arm,,\n1st,foot,,\n\n", "unit,arm,count\n1st,foot,3\n\n"),
        ("unit,number\n1st,7\n", "unit,number,count\n1st,7,3\n"),
    ],
)
def test_a_count_is_written_into_its_column(before: str, after: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(before, "utf-8")
    tracks = ["arm", *(["number"] if "number" in before else [])]
    assert raise_counts(tmp_path, ["roster.csv"], {"1st": 3}, tracks) == {"roster.csv": after}


def test_only_the_files_that_list_the_units_are_written(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("unit\n1st\n", "utf-8")
    (tmp_path / "two.csv").write_text("unit\n2nd\n", "utf-8")
    names = ["one.csv", "two.csv", "three.xlsx"]
    assert [*raise_counts(tmp_path, names, {"2nd": 2})] == ["two.csv"]
    with pytest.raises(InputError, match="counts are only written into CSV files"):
        raise_counts(tmp_path, names, {"3rd": 2})
    with pytest.raises(InputError, match="no row of the roster lists 3rd"):
        raise_counts(tmp_path, names[:2], {"3rd": 2})


def test_a_count_must_leave_room_for_the_names_of_copies(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    roster = tmp_path / "heath" / "roster.csv"
    roster.write_text(roster.read_text("utf-8") + "1st (2),blue,infantry,1,1,1\n", "utf-8")
    game = read_game("heath", tmp_path / "heath")
    check_count(game, "2nd", 500)
    with pytest.raises(InputError, match=r"it has 2 counters of 1st, and the roster has a row for 1st \(2\)"):
        check_count(game, "1st", 2)
    with pytest.raises(InputError, match="it has 501 counters of 2nd"):
        check_count(game, "2nd", 501)
