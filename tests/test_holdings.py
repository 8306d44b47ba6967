"""What the packages hold: each file belongs to a kind, and the counts are those of the data."""

from __future__ import annotations

import re

import pytest

from assistant.installed.registry import make_game_loader
from assistant.state.tracks import Source

from .holdings import COLUMNS, contents_of, data_files, kinds_of, write_contents
from .pages import ROOT

TWILIGHT, KAISERS = "twilight-in-the-east", "kaisers-war-in-the-east"


@pytest.mark.parametrize(("game", "path"), [*data_files()])
def test_each_data_file_belongs_to_one_kind(game: str, path: str) -> None:
    assert len(kinds_of(path)) == 1, "name it in tests/holdings.py, and what it holds"


def test_the_counts_are_those_of_the_data() -> None:
    twilight, kaisers = (dict(contents_of(make_game_loader(pack="none")(game))) for game in (TWILIGHT, KAISERS))
    assert twilight["cells: Combat Results Table"] == {Source.RULEBOOK: 1, Source.MADE_UP: 197}
    for table in ("Standard", "Shock"):
        assert kaisers[f"cells: {table} Combat Results Table"] == {Source.RULEBOOK: 54}
    assert kaisers["figures of units"].total() == 0
    strengths = dict(contents_of(make_game_loader(pack="none")("der-weltkrieg")))["figures of units"]
    assert strengths == {Source.RULEBOOK: 1111 + 1102}


def test_the_table_has_a_column_for_each_source_of_a_file() -> None:
    assert {source for sources in COLUMNS.values() for source in sources} == {*Source} - {Source.PRINTED, Source.STATED}
    assert len({row.count("|") for row in write_contents().splitlines()}) == 1


BANNED = re.compile("contains no rulebook text|Field Staff contains none|charts rebuilt from|reconstructed chart", re.I)


def test_no_page_says_that_the_packages_hold_nothing_of_the_games_or_that_made_up_charts_are_rebuilt() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("plugins/*/*.md")]
    assert [page.name for page in pages if BANNED.search(page.read_text("utf-8"))] == []
