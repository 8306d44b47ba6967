"""The window of charts: an author's pictures and pages, and the owner's own charts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from lxml import etree
from msgspec.structs import replace

from assistant.game.charts import Keys
from assistant.game.games import Game, Overlay
from assistant.state.state import Cell
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from module_builder.vassal.charts import chart_files, own_charts
from module_builder.vassal.module import build, wanted_module
from tests.module_builder.test_data_game import GAME, files_of, game_in

from .test_extras import picture

WITH_CHARTS = GAME.replace(
    'name = "Heath"\n', 'name = "Heath"\ncharts = [["Terrain", "art/terrain.png"], ["Notes", "notes.html"]]\n', 1
)


def test_pictures_and_pages_have_a_tab_each(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "terrain.png").write_bytes(picture())
    (tmp_path / "notes.html").write_text("<p>Sheep</p>")
    files = files_of(build(game_in(tmp_path, game_toml=WITH_CHARTS)))
    root = etree.fromstring(files["buildFile.xml"])
    (window,) = root.iter("VASSAL.build.module.ChartWindow")
    tabs = [
        (one.tag.rpartition(".")[2], one.get("chartName"), one.get("fileName"))
        for one in window.iterdescendants()
        if one.get("chartName")
    ]
    assert tabs == [("Chart", "Terrain", "chart-art-terrain.png"), ("HtmlChart", "Notes", "notes.html")]
    assert files["images/chart-art-terrain.png"] == picture()
    assert files["notes.html"] == b"<p>Sheep</p>"


def test_a_game_without_charts_has_no_window_for_them(tmp_path: Path) -> None:
    assert b"ChartWindow" not in files_of(build(game_in(tmp_path)))["buildFile.xml"]


def test_what_is_no_picture_and_no_page_is_refused(tmp_path: Path) -> None:
    (tmp_path / "terrain.pdf").write_bytes(b"%PDF")
    text = GAME.replace('name = "Heath"\n', 'name = "Heath"\ncharts = [["Terrain", "terrain.pdf"]]\n', 1)
    with pytest.raises(InputError, match="a chart is a picture or an HTML page"):
        build(game_in(tmp_path, game_toml=text))


def with_charts(folder: Path, *files: str) -> Game:
    """A game whose module has charts of these files."""
    for file in files:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_bytes(picture() if file.endswith(".png") else b"<p>Sheep</p>")
    charts = ", ".join(f'["Chart", "{file}"]' for file in files)
    return game_in(folder, game_toml=GAME.replace('name = "Heath"\n', f'name = "Heath"\ncharts = [{charts}]\n', 1))


@pytest.mark.parametrize(
    ("files", "what"),
    [
        (("a/b.png", "a-b.png"), "a-b.png: in the module the chart a/b.png is images/chart-a-b.png already"),
        (("keys.html",), "keys.html: in the module the page of keys is keys.html already"),
        (("help.html",), "help.html: in the module the page of help is help.html already"),
    ],
)
def test_charts_that_would_be_one_file_are_refused(tmp_path: Path, files: tuple[str, ...], what: str) -> None:
    with pytest.raises(InputError, match=re.escape(what)):
        build(with_charts(tmp_path, *files))


def test_one_file_may_have_two_tabs(tmp_path: Path) -> None:
    files = files_of(build(with_charts(tmp_path, "a.png", "a.png")))
    root = etree.fromstring(files["buildFile.xml"])
    assert [one.get("fileName") for one in root.iter("{*}VASSAL.build.widget.Chart")] == ["chart-a.png", "chart-a.png"]


def owned(game: Game, cells: Iterable[Keys]) -> Game:
    """A game whose owner has entered these cells of the combat results table."""
    crt = game.charts["crt"]
    held = {key: Cell(crt.cells[key].values, Source.PRINTED) for key in cells}
    game = game.with_overlay(Overlay())
    game.__dict__["charts"] = {**game.charts, "crt": replace(crt, cells=held)}
    return game


def test_a_file_with_the_name_of_an_own_chart_is_refused(twilight: Game, tmp_path: Path) -> None:
    game = owned(twilight, [next(iter(twilight.charts["crt"].cells))])
    wanted = replace(wanted_module(game), charts=(("Odds", "chart-crt.html"),))
    with pytest.raises(InputError, match=f"the owner's chart {twilight.charts['crt'].title} is chart-crt.html already"):
        chart_files(game, wanted, {})


def test_each_table_of_an_own_chart_stands_once(twilight: Game) -> None:
    cells = [*twilight.charts["crt"].cells]
    above = [*dict.fromkeys(key[:-2] for key in cells)]
    some = [next(key for key in cells if key[:-2] == start) for start in above] + [*reversed(cells)]
    (own,) = own_charts(owned(twilight, some))
    assert len(etree.HTML(own.page).findall(".//table")) == len(above)


def test_only_the_owner_s_own_cells_become_pages(twilight: Game) -> None:
    assert own_charts(twilight) == []
    key = next(iter(twilight.charts["crt"].cells))
    (own,) = own_charts(owned(twilight, [key]))
    table = etree.HTML(own.page).find(".//table")
    assert (own.path, own.title) == ("chart-crt.html", twilight.charts["crt"].title)
    assert [cell.text for cell in table.iter("th", "td")][:3] == [None, str(key[-2]), str(key[-1])]
