"""The windows of charts and of record tracks with their markers; and the window on which a module opens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations, product
from pathlib import Path

import pytest
from lxml import etree
from msgspec.structs import replace

from assistant.drawing.scene import Scene, Text
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import read_save
from assistant.game.boards import Board
from assistant.game.charts import Keys
from assistant.game.course import course_file
from assistant.game.games import Game, Overlay
from assistant.installed.registry import load_game
from assistant.state.state import Cell
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from module_builder.aids.listings import read_cells
from module_builder.vassal.charts import TO_ENTER, GameCharts, add_chart_window, chart_files, chart_pictures
from module_builder.vassal.module import BuiltModule, build_module, wanted_module
from module_builder.vassal.records import RECORDS, RecordSheet
from tests.module_builder.test_data_game import GAME, files_of, game_in
from twilight_in_the_east.combat.before_dice import ARTILLERY_MODIFIERS
from twilight_in_the_east.combat.checks import Failure, Standing, failure
from twilight_in_the_east.combat.engagement import FLANK_LOSS_DRM

from ...cases import thorough
from .test_extras import picture


@pytest.fixture(scope="module")
def war() -> Game:
    """A game whose rulebook prints most of its charts."""
    return load_game("kaisers-war-in-the-east")


WITH_CHARTS = GAME.replace(
    'name = "Heath"\n', 'name = "Heath"\ncharts = [["Terrain", "art/terrain.png"], ["Notes", "notes.html"]]\n', 1
)


def test_pictures_and_pages_have_a_tab_each(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "terrain.png").write_bytes(picture())
    (tmp_path / "notes.html").write_text("<p>Sheep</p>")
    files = files_of(build_module(game_in(tmp_path, game_toml=WITH_CHARTS)))
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


def test_a_game_has_a_window_for_its_charts_one_file_in_two_tabs_and_nothing_that_is_none(tmp_path: Path) -> None:
    bare = game_in(tmp_path)
    bare.charts = {}
    assert b"ChartWindow" not in files_of(build_module(bare))["buildFile.xml"]
    files = files_of(build_module(with_charts(tmp_path, "a.png", "a.png")))
    root = etree.fromstring(files["buildFile.xml"])
    assert [one.get("fileName") for one in root.iter("{*}VASSAL.build.widget.Chart")] == ["chart-a.png", "chart-a.png"]
    (tmp_path / "terrain.pdf").write_bytes(b"%PDF")
    text = GAME.replace('name = "Heath"\n', 'name = "Heath"\ncharts = [["Terrain", "terrain.pdf"]]\n', 1)
    with pytest.raises(InputError, match="a chart is a picture or an HTML page"):
        build_module(game_in(tmp_path, game_toml=text))


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
        build_module(with_charts(tmp_path, *files))


def owned(game: Game, cells: Iterable[Keys]) -> Game:
    """A game whose owner has entered these cells of the combat results table."""
    crt = game.charts["crt"]
    held = {key: Cell(crt.cells[key].values, Source.PRINTED) for key in cells}
    game = game.with_overlay(Overlay())
    game.charts = {**game.charts, "crt": replace(crt, cells=held)}
    return game


def titles(game: Game) -> list[str]:
    return [chart.title for chart in GameCharts(game).drawn]


def words(scene: Scene) -> set[str]:
    return {shape.text for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text)}


def test_a_file_with_the_name_of_an_own_chart_is_refused(twilight: Game) -> None:
    wanted = replace(wanted_module(twilight), charts=(("Odds", TO_ENTER),))
    with pytest.raises(InputError, match=f"the page of charts to enter is {TO_ENTER} already"):
        chart_files(twilight, wanted, GameCharts(twilight), {})


def test_the_tables_of_the_rulebook_have_a_tab_each_and_whole_ones_are_not_asked_for(war: Game) -> None:
    assert titles(war)[:5] == [
        "Standard Combat Results Table",
        "Shock Combat Results Table",
        "Mobilization Chart",
        "Victory Points Chart",
        "Amphibious Landing Table",
    ]
    assert titles(war)[-1] == "Terrain"
    assert "Mobilization Chart" not in GameCharts(war).page
    assert "Reorganization Chart" in GameCharts(war).page


def test_a_reconstruction_is_asked_for_and_not_shown_but_the_owner_s_cells_are(twilight: Game) -> None:
    """What is made up stands in brackets on paper; a window shows none of it."""
    cells = [*twilight.charts["crt"].cells]
    assert "Combat Results Table" not in titles(twilight)
    charts = GameCharts(owned(twilight, cells))
    assert charts.drawn[0].title == "Combat Results Table"
    assert f"{len(cells)} cells: {len(cells)} from your own copy" in words(charts.drawn[0].scene)
    for chart in GameCharts(owned(twilight, [*twilight.charts["crt"].cells][:150])).drawn:
        assert not [word for word in words(chart.scene) if word.startswith("[")]
    table = [[cell.text or "" for cell in row] for row in etree.HTML(GameCharts(twilight).page).iter("tr")]
    assert table[1] == ["Combat Results Table", "10.9", "1 of 198 cells", "Summer, 1:1, 7: +1 / \N{MINUS SIGN}"]
    assert "assistant pack enter twilight-in-the-east" in GameCharts(twilight).page


def test_every_chart_is_read_on_a_screen(twilight: Game, war: Game) -> None:
    """The smallest letters are 11 pixels high, and no chart is wider than a screen."""
    for game in (owned(twilight, twilight.charts["crt"].cells), war):
        for scene in chart_pictures(GameCharts(game)).values():
            sizes = [shape.size for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text)]
            assert min(sizes) >= 11
            assert scene.width <= 1020


def listed(game: Game, file: str) -> list[dict[str, str]]:
    (listing,) = (one for one in course_file(game).table if one.file == file)
    cells = read_cells(game, listing)
    return [dict(zip((column.name for column in listing.columns), row, strict=True)) for row in cells.rows]


@thorough
def test_the_lists_of_the_rulebook_have_a_tab_each(twilight: Game) -> None:
    root = etree.fromstring(files_of(build_module(twilight))["buildFile.xml"])
    tabs = [one.get("chartName") for one in root.iter("{*}VASSAL.build.widget.Chart")]
    assert tabs[:5] == [
        "Shifts of the combat column",
        "Modifiers of the step loss roll",
        "Modifiers of the Effectiveness Check after combat",
        "A failed Effectiveness Check",
        "Improved Positions",
    ]


@pytest.mark.parametrize("name", ["twilight-in-the-east", "kaisers-war-in-the-east"])
def test_many_charts_are_a_list_of_titles_and_most_are_seen_whole(name: str) -> None:
    """VASSAL puts tabs into rows, which change places when one is chosen."""
    game, root = load_game(name), etree.Element("module")
    charts = GameCharts(game)
    add_chart_window(root, charts, wanted_module(game))
    (shown,) = root.iter("VASSAL.build.widget.ListWidget")
    assert len(shown) > 4
    room = int(shown.get("divider", ""))
    assert room + 200 < int(shown.get("width", "")) < 1200, "a small screen has room for it"
    assert sum(scene.width <= room for scene in chart_pictures(charts).values()) * 2 >= len(charts.drawn)


def test_the_lists_of_step_losses_and_failed_checks_say_what_they_cost(twilight: Game) -> None:
    rows = {
        row["cause"]: int(row["drm"].replace("\N{MINUS SIGN}", "-"))
        for row in listed(twilight, "losses")
        if row["drm"] != "As printed"
    }
    for cause, drm in rows.items():
        if "artillery value" in cause:
            least, *most = map(int, re.findall(r"\d+", cause))
            assert {int(ARTILLERY_MODIFIERS.of(value)) for value in range(least, (most or [40])[0] + 1)} == {drm}
    assert (rows["Flanked"], FLANK_LOSS_DRM) == (2, 2)

    def words_of(cost: Failure) -> str:
        parts = [(cost.cel, "level"), (cost.steps, "step"), (cost.retreat, "hex")]
        told = [
            f"{count} {word}{'' if count == 1 else 'es' if word == 'hex' else 's'}" for count, word in parts if count
        ]
        return ", ".join([*told, *([f"D{cost.disorder}"] if cost.disorder else [])])

    kinds = {
        "sound": Standing(),
        "demoralized": Standing(levels=4),
        "assets": Standing(lone_assets=True),
    }
    for row in listed(twilight, "failures"):
        margin = int(row["by"].split()[0])
        for name, force in kinds.items():
            cost = failure(margin, force)
            if name == "sound" and cost.cel == 4:  # reaching -4 adds a hex, says the remark
                cost = cost._replace(retreat=cost.retreat - 1)
            assert words_of(cost) == row[name], (row["by"], name)


GAMES = ("kaisers-war-in-the-east", "twilight-in-the-east", "world-undone-east-prussia-1914")


@pytest.mark.parametrize("id", GAMES)
def test_every_marker_lies_in_a_box_of_its_track_and_boxes_do_not_overlap(id: str) -> None:
    sheet = RecordSheet(load_game(id), 75)
    wide, high = sheet.size
    for (x, y), (other_x, other_y) in combinations(sheet.boxes.values(), 2):
        assert abs(x - other_x) >= 75 or abs(y - other_y) >= 75
    assert all(38 <= x <= wide - 38 and 38 <= y <= high - 38 for x, y in sheet.boxes.values())
    slots = {marker.slot: str(number) for number, marker in enumerate(sheet.markers)}
    assert {piece.at for piece in sheet.pieces(slots)} <= {*sheet.boxes.values()}


def test_markers_lie_at_the_victory_points_of_a_set_up_with_two_for_who_counts_tens_apart() -> None:
    game = load_game("kaisers-war-in-the-east")
    files = files_of(build_module(game))
    sheet = RecordSheet(game, 75)
    named = {at: name for name, at in sheet.boxes.items()}
    for file, allies, powers in (("August-1914.vsav", 80, 65),):
        pieces = [piece for piece in read_save(files[file]).pieces.values() if piece.map == RECORDS]
        assert {piece.name: named[piece.at] for piece in pieces} == {
            "Victory Points: Allies": f"Victory Points {allies}",
            "Victory Points: Central Powers": f"Victory Points {powers}",
            "PSYWAR attacks (optional): Allies": "PSYWAR attacks (optional): Allies 0",
            "PSYWAR attacks (optional): Central Powers": "PSYWAR attacks (optional): Central Powers 0",
        }
        state = read_vassal(files[file], file, lambda id: game).state
        assert state.unread == ()
        assert (state.facts["vp", "allies"].value, state.facts["vp", "central-powers"].value) == (allies, powers)
    sheet = RecordSheet(load_game("twilight-in-the-east"), 75)
    rail = [(marker.who, marker.tens) for marker in sheet.markers if marker.title == "Rail Points"]
    assert rail == [(who, tens) for who in ("german", "austro-hungarian", "russian") for tens in (False, True)]


def test_markers_in_one_box_are_a_stack_in_set_ups_and_in_a_new_game(built: BuiltModule) -> None:
    files = files_of(built)
    save = read_save(files["19-August-1914-East-Prussia.vsav"])
    kept = {id for id, piece in save.pieces.items() if piece.map == RECORDS}
    stacks = [stack.pieces for stack in save.stacks.values() if stack.map == RECORDS]
    assert sorted(map(len, stacks)) == [2, 2, 2, 4], (
        "ones and tens of three nations, and of the two sides that share a track"
    )
    assert {id for stack in stacks for id in stack} == kept
    windows = etree.fromstring(files["buildFile.xml"]).iter("{*}VASSAL.build.module.Map")
    window = next(one for one in windows if one.get("mapName") == RECORDS)
    assert sorted(map(len, window.iter("{*}VASSAL.build.module.map.SetupStack"))) == [2, 2, 2, 4]


@thorough
@pytest.mark.parametrize(("id", "first"), [*product(GAMES, ["Map"]), *product(GAMES[:2], ["Boxes"])])
def test_a_module_opens_on_its_map_or_where_nothing_is_drawn_there_on_the_boxes(
    id: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if first == "Boxes":
        monkeypatch.setattr(Board, "is_map", False)
    root = etree.fromstring(files_of(build_module(load_game(id)))["buildFile.xml"])
    windows = [*root.iter("{*}VASSAL.build.module.Map")]
    assert [window.get("mapName") for window in windows if window.get("launch") == "false"] == [first]
    assert windows[0].get("mapName") == first, "the engine opens on the first"
