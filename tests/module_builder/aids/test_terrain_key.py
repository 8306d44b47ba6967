"""The key of the terrain: every word of the map as boards draw it, with what the charts say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.drawing.map.borders import BORDER_COLOUR
from assistant.drawing.scene import Polygon, Symbol
from assistant.drawing.style import palette_of
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.installed.registry import load_game
from module_builder.aids.cards import CARDS
from module_builder.aids.tables import MADE_UP_COLOUR, Coverage
from module_builder.aids.terrain_key import columns, entries

from .moor import moor, said, shapes, texts, wanted


def test_every_word_of_the_map_is_named_as_boards_draw_it_beside_what_charts_say(tmp_path: Path) -> None:
    (card,) = CARDS["terrain-key"](wanted(moor(tmp_path)))
    words = [text.text for text in texts(card.pages)]
    order = ["Terrain", "Clear", "Deep bog", "Water", "Minor river", "Railway", "Railway, single track"]
    order += ["Railway, double track", "Others", "Bridge"]
    assert [word for word in words if word in order] == order
    assert "Open" not in words and "No rail" not in words
    game = moor(tmp_path)
    (card,) = CARDS["terrain-key"](wanted(game))
    palette, drawn = palette_of(game), list(shapes(card.pages))
    fills = {shape.fill for shape in drawn if isinstance(shape, Polygon)}
    assert {palette.ground("clear"), palette.ground("deep-bog")} <= fills
    assert any(isinstance(shape, Symbol) for shape in drawn)
    river = palette.hexside("minor-river")
    assert river is not None
    assert river.colour in fills
    (card,) = CARDS["terrain-key"](wanted(moor(tmp_path)))
    found = texts(card.pages)
    rows = {text.text: text.y for text in found}
    assert [text.text for text in found if text.text in ("Dry", "Wet")] == ["Dry", "Wet"]
    assert {text.text for text in found if abs(text.y - rows["Clear"]) < 0.1} == {"Clear", "1"}
    assert {text.text for text in found if abs(text.y - rows["Railway, double track"]) < 0.1} == {
        "Railway, double track",
        "5",
    }  # the chart speaks of railways as a whole
    assert {text.text for text in found if abs(text.y - rows["Deep bog"]) < 0.1} == {"Deep bog"}


def test_what_is_reconstructed_is_shown_only_if_wished_and_without_charts_there_is_a_key_of_looks(
    tmp_path: Path,
) -> None:
    (card,) = CARDS["terrain-key"](wanted(moor(tmp_path), made_up=True))
    (bog,) = [text for text in texts(card.pages) if text.text == "[8]"]
    assert bog.fill == MADE_UP_COLOUR
    assert "REBUILT" in said(card.pages)
    (card,) = CARDS["terrain-key"](wanted(moor(tmp_path, course=None)))
    assert "Deep bog" in said(card.pages) and "Bridge" not in said(card.pages)


def test_everything_that_a_board_shows_is_in_the_key_and_words_without_charts_side_by_side(twilight: Game) -> None:
    (card,) = CARDS["terrain-key"](wanted(twilight))
    assert len(card.pages) == 1
    found = [text.text for text in texts(card.pages)]
    headings = ["Terrain", "Rivers and ridges", "Pontoon bridge or ferry", "Roadway", "RR line", "Gauge of the RR line"]
    headings += ["Border of 1914", "Town"]
    assert [text for text in dict.fromkeys(found) if text in headings] == headings
    words = [
        "Causeway",
        "Standard gauge",
        "Broad gauge",
        "Both gauges",
        "Province border",
        "State border",
        "Platform",
        "City",
    ]
    assert [text for text in found if text in words] == words
    assert "Others" not in found
    colours = {
        colour for shape in shapes(card.pages) for colour in (getattr(shape, "stroke", ""), getattr(shape, "fill", ""))
    }
    palette = palette_of(twilight)
    assert {BORDER_COLOUR, palette.country("german"), palette.country("russian")} <= colours
    at = {text.text: text.y for text in texts(card.pages)}
    assert at["Village"] == at["City"] != at["State border"] == at["Province border"]
    assert at["Lake"] == at["Impassable"] and at["Ridge"] != at["Escarpment"]


def test_the_absence_of_a_town_has_no_row() -> None:
    (card,) = CARDS["terrain-key"](wanted(load_game("world-undone-east-prussia-1914")))
    words = {text.text for text in texts(card.pages)}
    assert {"Town", "City"} <= words
    assert "None" not in words


@pytest.mark.parametrize("name", ["twilight-in-the-east", "kaisers-war-in-the-east"])
def test_each_column_is_read_by_words_of_the_map_and_a_chart_without_such_words_has_none(name: str) -> None:
    game = load_game(name)
    words = {entry.word for some in entries(game, ()).values() for entry in some}
    shown = {chart: columns(game, [Coverage(game.chart(chart), True)]) for chart in game.charts}
    of_the_map = [chart for chart in shown if any(words & set(key.values) for key in game.chart(chart).keys)]
    assert [chart for chart, own in shown.items() if own] == of_the_map
    assert of_the_map and len(of_the_map) < len(shown)
    for chart in of_the_map:
        keys = {*list_keys(game.chart(chart))}
        assert all(any(column.key(word) in keys for word in words) for column in shown[chart])
