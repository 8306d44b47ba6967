"""The window of charts: an author's pictures and pages, and the owner's own charts."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from msgspec.structs import replace

from assistant.game.games import Game, Overlay
from assistant.state.state import Cell
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from module_builder.vassal.module import build
from module_builder.vassal.windows import own_charts
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


def test_only_the_owner_s_own_cells_become_pages(twilight: Game) -> None:
    assert own_charts(twilight) == {}
    crt = twilight.charts["crt"]
    key = next(iter(crt.cells))
    cells = {**crt.cells, key: Cell(crt.cells[key].values, Source.PRINTED)}
    game = twilight.under(Overlay())
    game.__dict__["charts"] = {**twilight.charts, "crt": replace(crt, cells=cells)}
    ((name, (title, page)),) = own_charts(game).items()
    table = etree.HTML(page.decode()).find(".//table")
    assert (name, title) == ("crt", crt.title)
    assert [cell.text for cell in table.iter("th", "td")][:3] == [None, str(key[-2]), str(key[-1])]
