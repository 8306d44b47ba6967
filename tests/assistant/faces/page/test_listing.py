"""The list of tables: what each is called, where it stands, when it was played last, and a sketch of its front."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assistant.drawing.style import palette_of
from assistant.faces.page.tables import Tables
from tests.cases import seeds

from .test_desk import COMBAT, GAME, Page
from .test_sides import Table

SQUARE = re.compile(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" fill="(#\w+)"')
SIZE = re.compile(r'<rect [^>]*width="([\d.]+)" height="([\d.]+)"')
PLACES = [f"{column}.{row}" for column in range(40, 46) for row in range(14, 20)]


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)


def squares(sketch: str) -> list[tuple[float, float, str]]:
    """The left and upper edge of each square in a sketch, and its colour."""
    _, *drawn = SQUARE.findall(sketch)  # the first one is the ground
    return [(float(x), float(y), fill) for x, y, _, fill in drawn]


def test_table_says_where_it_stands_and_its_open_combat_and_has_no_sketch_without_units(page: Page) -> None:
    page.send("begin", table="warsaw", game=GAME)
    assert page.send("about", table="warsaw")["sketch"] == ""
    page.enter("t=2")
    assert page.send("about", table="warsaw")["stands"] == "turn 2"
    page.enter(COMBAT)
    listed = page.send("about", table="warsaw")
    assert (listed["is"], listed["game"], listed["stands"]) == (
        "listed",
        "1914, Twilight in the East",
        "turn 2; battle at 41.19",
    )


def test_a_list_answers_no_question(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.send("begin", table="warsaw", game=GAME)
    page.enter(COMBAT)
    before = page.send("about", table="warsaw")
    page.tables = Tables(page.tables.folder)
    monkeypatch.setattr("assistant.service.answer_in_view", lambda *_: pytest.fail("a question is answered"))
    assert page.send("about", table="warsaw") == before
    assert not page.tables.opened()


def test_title_is_kept_beside_the_name_and_goes_with_the_table(page: Page) -> None:
    refused = page.send("begin", table="warsaw", game=GAME, title="x" * 500)
    assert refused["what"] == "this cannot be the name of a table"
    assert page.send("games")["tables"] == []
    page.send("begin", table="warsaw", game=GAME, title="East  Prussia")
    assert page.send("about", table="warsaw")["title"] == "East Prussia"
    assert page.send("rename", table="warsaw", title="Mondays with Anna")["title"] == "Mondays with Anna"
    page.tables = Tables(page.tables.folder)
    assert page.send("about", table="warsaw")["title"] == "Mondays with Anna"
    assert page.send("games")["tables"] == ["warsaw"]
    for wrong in ("x" * 81, "bell \a"):
        assert page.send("rename", table="warsaw", title=wrong)["what"] == "this cannot be the name of a table"
    assert page.send("about", table="warsaw")["title"] == "Mondays with Anna"
    assert page.send("rename", table="warsaw", title=" ")["title"] == ""
    page.send("rename", table="warsaw", title="again")
    page.send("delete", table="warsaw")
    assert list(page.tables.folder.iterdir()) == []
    assert page.send("rename", table="warsaw", title="gone")["is"] == "refused"


def test_table_that_was_played_last_comes_first(page: Page) -> None:
    for number, name in enumerate(("b", "a", "c")):
        page.send("begin", table=name, game=GAME)
        os.utime(page.tables.file(name), (1_000_000 + number, 1_000_000 + number))
    assert page.send("games")["tables"] == ["c", "a", "b"]
    assert page.send("about", table="a")["written"] == 1_000_001_000


@pytest.mark.parametrize("seed", seeds(6))
def test_sketch_has_a_square_for_each_hex_with_units(tmp_path: Path, seed: int) -> None:
    dice, page = Random(seed), Page(tmp_path)
    stand = dict(zip(dice.sample(PLACES, 3), ("1/1", "25/3", "27/3"), strict=True))
    position = "\n".join([f"game {GAME}", *(f"{place}: {unit} (10-?-5-10)" for place, unit in stand.items())])
    assert page.send("begin", table="warsaw", game=GAME, position=position)["is"] == "table"
    sketch = page.send("about", table="warsaw")["sketch"]
    drawn = squares(sketch)
    palette = palette_of(page.tables.game(GAME))
    german, russian = (palette.side(side).strong for side in ("central-powers", "russian"))
    assert sorted(fill for *_, fill in drawn) == sorted((german, russian, russian))
    assert len({(x, y) for x, y, _ in drawn}) == len(stand)
    (width, height), *sizes = (tuple(map(float, size)) for size in SIZE.findall(sketch))
    for edges, whole, side in zip(
        ([x for x, _, _ in drawn], [y for _, y, _ in drawn]), (width, height), sizes[0], strict=True
    ):
        assert min(edges) >= 0 and max(edges) + side <= whole
        assert min(edges) + max(edges) + side == pytest.approx(whole, abs=0.2), "in the middle"


# --- what a side may know ---------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.tap("central-powers", "4119 1/1 12-16-7-11 35/17 12-16-7-11")
    table.tap("russian", "4020 25/3 10--5-10 27/3 10--5-10")
    return table


def listed(table: Table, who: str) -> Any:
    return table.send(who, "about")


def test_side_sees_nothing_in_the_list_that_its_table_does_not_show(table: Table) -> None:
    table.tap("umpire", "hidden-units=concealment")
    table.tap("central-powers", "4420 36/17 12-16-7-11")
    table.tap("umpire", "36/17 invisible=central-powers")
    assert len(squares(listed(table, "umpire")["sketch"])) == 3
    assert len(squares(listed(table, "central-powers")["sketch"])) == 3
    before = listed(table, "russian")
    assert len(squares(before["sketch"])) == 2
    table.tap("central-powers", "4520 36/17")
    assert listed(table, "russian") == before
    table.tap("central-powers", "35/17 -2")
    assert listed(table, "russian") == before


def test_all_who_share_a_table_call_it_alike(table: Table) -> None:
    table.send("russian", "rename", title="Gumbinnen")
    assert {listed(table, who)["title"] for who in table.seats} == {"Gumbinnen"}
    assert table.send("russian", "about", table="other")["is"] == "refused"
