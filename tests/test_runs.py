"""The page of runs: each run that is recorded has one row there, and only that row changes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assistant.installed.registry import load_game

from . import prints, runs
from .comparing import SEARCHES
from .comparing.search import find_search
from .credit import GAMES, run_of
from .hostile import failures

RUNS = [failures.RUN, *(run_of(load_game(game).file.title) for game in GAMES)]
RUNS += [search.row.name for search in map(find_search, SEARCHES) if search.row]


@pytest.mark.parametrize("run", RUNS)
def test_each_run_has_its_row(run: str) -> None:
    page = runs.PAGE.read_text("utf-8")
    assert runs.with_row(page, run, runs.row_of(page, run)) == page


def test_figures_replace_those_of_the_same_run_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "runs.md"
    page.write_text("| Heath | 1 | 0 | then | `a` |\n| Heath at night | 2 | 0 | then | `b` |\n", "utf-8")
    monkeypatch.setattr(runs, "PAGE", page)
    runs.record("Heath", "10 tried", "1 fault", "make heath")
    assert page.read_text("utf-8").splitlines() == [
        f"| Heath | 10 tried | 1 fault | {date.today()} | `make heath` |",
        "| Heath at night | 2 | 0 | then | `b` |",
    ]
    with pytest.raises(ValueError, match="has 0 rows of 'Moor'"):
        runs.record("Moor", "", "", "")


def test_the_tables_of_prints_stand_on_the_page_and_replace_one_another_alone() -> None:
    page = runs.PAGE.read_text("utf-8")
    for head in ("aids", "nearest nations, dE", "palettes in the engine"):
        new = prints.table((head, "x"), [("1", "2")])
        changed = prints.with_table(page, new)
        assert "\n".join(new) in changed
        others = [line for line in page.splitlines() if line not in changed.splitlines()]
        assert 0 < len(others) <= 6, "only this table"
    with pytest.raises(ValueError, match="has no table of moor"):
        prints.with_table(page, prints.table(("moor",), []))


def test_a_foot_is_what_a_page_leaves_below_its_cards_and_the_nearest_nations_are_the_nearest() -> None:
    game = load_game("twilight-in-the-east")
    pages = prints.aids_of(game)
    found = prints.feet(pages)
    assert len(found) == len(pages) and all(0 <= foot.blank + 1e-6 < 1 for foot in found)
    apart, pair = prints.nearest(game, str)
    assert apart > 10 and pair.count(", ") == 1
    assert prints.nearest(game, lambda colour: "#808080")[0] == 0
