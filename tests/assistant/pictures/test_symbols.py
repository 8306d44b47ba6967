"""Symbols of a game's own and of its owner: the pack comes first, then the game's folder, then ours; all are checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.drawing.svg import to_svg
from assistant.formats.notation import read as read_notation
from assistant.game.games import Game, read_game
from assistant.game.packs import pack_folder
from assistant.pictures.situation import situation_scene
from assistant.pictures.symbols import Symbols, read_symbol
from assistant.questions.view import View
from assistant.util.errors import InputError
from tests.growth import grows_evenly

GAME = """
title = "Elephants"
about = "Made up for the tests."
[grid]
columns = [1, 5]
rows = [1, 5]
[notation]
identity = ["arm"]
[picture]
figures = []
"""
TRACKS = """
[arm]
title = "arm"
on = "unit"
kind = "choice"
values = ["elephants", "infantry"]
printed = "counter"
token = "{}"
"""


def svg(path: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="{path}" fill="#000"/></svg>'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    folder = tmp_path / "elephants"
    put(folder, "elephants", svg("M1 1L59 39"))
    (folder / "game.toml").write_text(GAME, "utf-8")
    (folder / "tracks.toml").write_text(TRACKS, "utf-8")
    return read_game("elephants", folder)


def put(folder: Path, name: str, text: str) -> Path:
    file = folder / "symbols" / f"{name}.svg"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def data(game: Game, name: str) -> str:
    symbol = Symbols(game).symbol(name)
    assert symbol is not None
    return symbol.paths[0].data


def test_a_game_of_data_alone_brings_its_own_symbol(game: Game) -> None:
    position = read_notation(b"game elephants\n0101: elephants E1\n", "x.pos", lambda _: game)
    assert 'd="M1 1L59 39"' in to_svg(situation_scene(View(game, position.state), ["0101"], title="One"))
    assert "elephants" in Symbols(game).names


def test_the_owners_come_before_the_games_and_those_before_ours(game: Game) -> None:
    assert data(game, "infantry") == "M0 0L60 40M60 0L0 40"
    put(Path(str(game.folder)), "infantry", svg("M2 2L3 3"))
    assert data(game, "infantry") == "M2 2L3 3"
    put(pack_folder(game.id), "infantry", svg("M4 4L5 5"))
    assert data(game, "infantry") == "M4 4L5 5"
    assert Symbols().symbol("elephants") is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("no XML", "the drawing: "),
        ('<!DOCTYPE svg [<!ENTITY x "y">]>' + svg("M0 0L1 1"), "the drawing declares a document type"),
        (svg("M0 0L1 1").replace("<path", '<image href="file:///etc/passwd"/><path'), "a drawing cannot use <image>"),
        (svg("M0 0L1 1").replace("<path", "<script>x</script><path"), "a drawing cannot use <script>"),
        (svg("M0 0L1 1").replace("<path", '<path onclick="x()"'), "a drawing cannot use a script (onclick)"),
        (
            svg("M0 0L1 1").replace("<path", '<rect href="http://x/"/><path'),
            "a drawing cannot use what lies outside it",
        ),
        (svg("M0 0L1 1").replace("<path", "<defs><image/></defs><path"), "a drawing cannot use <image>"),
        (svg("M0 0L1 1").replace("<path", "<text>12</text><path"), "a drawing cannot use <text>"),
        (svg("M0 0L1 1").replace('fill="#000"', 'fill="url(#run)"'), "a drawing cannot use gradients or patterns"),
        (svg("M0 0L1 1").replace("<path", '<path opacity="0.5"'), "a shape is half transparent"),
        (svg("M0 0L1 1").replace("<path", '<path clip-path="url(#a)"'), "a drawing cannot use clip-path"),
        (svg("M0 0L1 1").replace("<path", '<path transform="scale(x)"'), "'x' is not a number (a transform)"),
        (svg("M0 0L1 1").replace("<path", '<path transform="turn(9)"'), "'turn(9)' is not a transform"),
        (svg("M0 0L1 1").replace("<path", '<path transform="scale(1e300)"'), "a point lies too far away"),
        (svg("M0 0L1 1e300"), "a point lies too far away"),
        (svg("M0 0L1 1").replace("0 0 60 40", "0 0 0 40"), "a drawing needs a viewBox of four numbers and a shape"),
        (svg("M0 0L1 1").replace("0 0 60 40", "0 0 nan 40"), "a drawing needs a viewBox of four numbers and a shape"),
        (svg("M0 0L1 1").replace("0 0 60 40", "wide"), "a drawing needs a viewBox of four numbers and a shape"),
        (svg("M0 0L1 1").replace("<path", '<circle cx="1" cy="1"/><path'), "a <circle> lacks a length"),
        (
            svg("M0 0L1 1").replace("<path", '<rect width="5mm" height="2"/><path'),
            "'5mm' is not a number (width of <rect>)",
        ),
        (svg("M0 0L1 1").replace("<path", '<path stroke="#000" stroke-width="inf"'), "'inf' is not a number"),
        (svg("M0 0L1 1").replace("<path", '<path stroke="#000" stroke-width="-1"'), "a stroke cannot be -1 wide"),
        (svg("M0 0L1 1").replace("<path", '<path stroke="#000" stroke-width="thick"'), "'thick' is not a number"),
        (svg("M0 0L1 url(x)"), "is not a path"),
        (svg("M0 0" + "L1 1" * 20_000), "it holds more than 64 KiB"),
    ],
)
def test_a_symbol_is_hostile_until_it_is_read(text: str, what: str, tmp_path: Path) -> None:
    file = put(tmp_path, "ram", text)
    with pytest.raises(InputError) as caught:
        read_symbol(file)
    assert caught.value.what.startswith(what) or what in caught.value.what
    assert caught.value.where is not None
    assert caught.value.where.file.endswith("ram.svg")


@pytest.mark.parametrize(
    "part", ["L1 2", " 1 2", "C1 2 3 4 5 6", "A5 5 0 1 0 9 9", "zM0 0", "-1-1", '"/><path d="M0 0']
)
def test_a_symbol_takes_as_much_more_work_as_it_is_long(part: str, tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        file = put(tmp_path, f"{many}.svg", f'<svg viewBox="0 0 60 40"><path d="M0 0{part * many}"/></svg>')
        return lambda: read_symbol(file)

    assert grows_evenly(make)


def test_words_without_a_symbol_are_not_looked_for_on_the_disk(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    symbols = Symbols(game)
    assert symbols.names
    monkeypatch.setattr("assistant.pictures.symbols.inner", lambda folder, path: pytest.fail(f"looked for {path}"))
    assert symbols.symbol("mammoths") is None
