"""Symbols of a game's own and of its owner: the pack comes first, then the game's folder, then ours; all are checked."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import msgspec
import pytest
from PIL import Image

from assistant.asking.view import View
from assistant.drawing.counters import symbol_box
from assistant.drawing.faces import Faces, PictureFile, decode_face, unit_face_file
from assistant.drawing.lettering import FIGURE_HEIGHT, text_width
from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Rectangle, Scene, Symbol, Text
from assistant.drawing.sketch.scene import standing_scene
from assistant.drawing.style import Palette
from assistant.drawing.svg import to_svg
from assistant.drawing.symbols import Style, Symbols, read_symbol
from assistant.formats.notation import read_notation
from assistant.game.games import Game, pack_folder, read_game
from assistant.util.errors import InputError
from tests.growth import grows_evenly

from ...cases import few
from ...folders import game_of
from ..game.track_files import format_track

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
TRACKS = "".join(
    (format_track("arm", "unit", "choice", values=["elephants", "infantry"], printed="counter", token="{}"),)
)


def svg(path: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="{path}" fill="#000"/></svg>'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    folder = tmp_path / "elephants"
    put(folder, "elephants", svg("M1 1L59 39"))
    return game_of(folder, {"game.toml": GAME, "tracks.toml": TRACKS})


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
    assert 'd="M1 1L59 39"' in to_svg(standing_scene(View(game, position.state)))
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
        (svg("M0 0L1 1").replace("<path", '<rect href="http://x/"/><path'), "a drawing cannot use anything outside it"),
        (svg("M0 0L1 1").replace("<path", "<defs><image/></defs><path"), "a drawing cannot use <image>"),
        (svg("M0 0L1 1").replace("<path", "<text>12</text><path"), "a drawing cannot use <text>"),
        (svg("M0 0L1 1").replace('fill="#000"', 'fill="url(#run)"'), "a drawing cannot use gradients or patterns"),
        (svg("M0 0L1 1").replace("<path", '<path opacity="0.5"'), "a shape is partly transparent"),
        (svg("M0 0L1 1").replace("<path", '<path clip-path="url(#a)"'), "a drawing cannot use clip-path"),
        (svg("M0 0L1 1").replace("<path", '<path transform="scale(x)"'), "'x' is not a number (in a transform)"),
        (svg("M0 0L1 1").replace("<path", '<path transform="turn(9)"'), "'turn(9)' is not a transform"),
        (svg("M0 0L1 1").replace("<path", '<path transform="scale(1e300)"'), "a point lies too far out"),
        (svg("M0 0L1 1e300"), "a point lies too far out"),
        (svg("M0 0L1 1").replace("0 0 60 40", "0 0 0 40"), "a drawing needs a viewBox of four numbers, and at least"),
        (svg("M0 0L1 1").replace("0 0 60 40", "0 0 nan 40"), "a drawing needs a viewBox of four numbers, and at"),
        (svg("M0 0L1 1").replace("0 0 60 40", "wide"), "a drawing needs a viewBox of four numbers, and at least one"),
        (svg("M0 0L1 1").replace("<path", '<circle cx="1" cy="1"/><path'), "a <circle> lacks a dimension"),
        (svg("M0 0L1 1").replace("<path", '<rect width="5mm" height="2"/><path'), "'5mm' is not a number (width of"),
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


@pytest.mark.parametrize(
    ("before", "part", "after"),
    [
        ("<style>", ".a{fill:red}", "</style>"),
        ("<style>", "/*", "</style>"),
        ("<style>.a", " ", "{fill:red}</style>"),
        ("<style>.a{", "fill:red;", '}</style><g class="a a a"/>'),
        ('<g transform="', "rotate(1) ", '"/>'),
        ('<g style="', "fill:red;", '"/>'),
        ("", '<rect class="a" width="1" height="1"/>', ""),
        ('<defs><clipPath id="a"><rect width="9" height="9"/></clipPath></defs>', '<g clip-path="url(#a)"/>', ""),
        ("", '<polygon points="1,2 3,4 5,6" transform="rotate(9)"/>', ""),
        ('<polyline points="', "1 2 ", '"/>'),
    ],
)
def test_a_face_takes_as_much_more_work_as_it_is_long(before: str, part: str, after: str) -> None:
    def make(many: int) -> Callable[[], object]:
        text = f'<svg viewBox="0 0 9 9">{before}{part * many}{after}<path d="M0 0H9V9Z"/></svg>'
        return lambda: decode_face(PictureFile("svg", text.encode()))

    assert grows_evenly(make)


def test_words_without_a_symbol_are_not_looked_for_on_the_disk(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    symbols = Symbols(game)
    assert symbols.names
    monkeypatch.setattr(
        "assistant.drawing.symbols.resolve_within", lambda folder, path: pytest.fail(f"looked for {path}")
    )
    assert symbols.symbol("mammoths") is None


# --- our own ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("rifles", "jaeger"),
        ("Jäger", "jaeger"),
        ("HQ", "headquarters"),
        ("field howitzers", None),
        ("howitzers", "high-trajectory-artillery"),
        ("Field_Artillery", "artillery"),
        ("zeppelin", "airship"),
    ],
)
def test_a_symbol_has_other_words(word: str, other: str | None) -> None:
    symbols = Symbols()
    found = symbols.symbol(word)
    assert found == (symbols.symbol(other) if other else None)


def test_every_other_word_leads_to_a_symbol() -> None:
    from assistant.util.datafiles import read_toml
    from assistant.util.files import package_folder

    symbols = Symbols()
    for word in read_toml(package_folder("field_staff_images").joinpath("words.toml"), dict[str, str]):
        assert symbols.symbol(word) is not None, word


def test_reserve_and_landwehr_carry_a_mark_within_the_frame_of_any_arm() -> None:
    symbols = Symbols()
    line, reserve, landwehr = (symbols.symbol(word) for word in ("infantry", "reserve-infantry", "Landwehr-infantry"))
    assert line and reserve and landwehr
    assert reserve.paths[: len(line.paths)] == landwehr.paths[: len(line.paths)] == line.paths
    assert len({symbol.paths for symbol in (line, reserve, landwehr)}) == 3
    assert symbols.symbol("guard-reserve-infantry") is not None
    assert symbols.symbol("reserve-mammoths") is None
    assert symbols.is_framed("reserve-infantry")


LATER = {
    "airmobile-infantry", "amphibious-infantry", "anti-tank", "marines", "mechanised-infantry", "military-police",
    "motorised-infantry", "parachute-infantry", "rocket-artillery", "ski-infantry",
}  # fmt: skip
"""Arms of later wars, for which the period had no emblem."""


def test_the_period_draws_arms_its_own_way_and_free_of_a_frame(game: Game) -> None:
    nato, period = Symbols(style="nato"), Symbols(style="period")
    assert set(nato.names) == set(period.names)
    for name in {*nato.names} - LATER:
        arm = nato.kind(name) in ("troops", "guns", "services")
        assert (nato.symbol(name) != period.symbol(name)) == arm, name
        assert nato.is_framed(name) == arm
        assert not period.is_framed(name)
    for name in LATER:
        assert nato.symbol(name) == period.symbol(name)
        assert period.is_framed(name)
    (Path(str(game.folder)) / "game.toml").write_text(GAME.replace("figures", 'style = "period"\nfigures'), "utf-8")
    assert Symbols(read_game("elephants", Path(str(game.folder)))).symbol("infantry") == period.symbol("infantry")


def test_sizes_are_drawn_and_a_task_force_has_a_bracket_over_its_size() -> None:
    symbols = Symbols()
    for size in ("I", "II", "III", "X", "XX", "XXX", "XXXX", "XXXXX", "division", "•••"):
        assert symbols.echelon(size) is not None, size
    for size in ("team", "Ø", "•", "..", "●●●", "Squad", "XXXXXX", "army group", "[III]", "[•••]"):
        assert symbols.echelon(size) is not None, size
    assert symbols.echelon("XX") == symbols.echelon("division")
    assert symbols.echelon("...") == symbols.echelon("platoon") != symbols.echelon("..")
    assert symbols.echelon("[wing]") is symbols.echelon("[]") is symbols.echelon("[[X]") is None
    assert symbols.echelon("-") is symbols.echelon("") is symbols.echelon("a/b") is None
    symbols = Symbols()
    sign, held = symbols.echelon("III"), symbols.echelon("[III]")
    assert sign is not None
    assert held is not None
    assert held.paths[:-1] == sign.paths
    assert held.paths[-1].data == "M19.8 14V-3.4H40.2V14"


def test_grounds_and_nations_have_signs(game: Game) -> None:
    symbols = Symbols()
    assert symbols.ground("swamp") == symbols.ground("wetlands") != symbols.ground("forest")
    assert symbols.ground("clear") is symbols.ground("blorb") is None
    palette, symbols = Palette({}, ["german", "ruritanian"]), Symbols(game)
    assert (
        symbols.sign("german", palette.mark("german"))
        != symbols.sign("ruritanian", palette.mark("ruritanian"))
        is not None
    )
    assert symbols.sign("martian", palette.mark("martian")) is None
    put(Path(str(game.folder)), "nation-ruritanian", svg("M1 1L2 2"))
    mark = Symbols(game).sign("ruritanian", palette.mark("ruritanian"))
    assert mark is not None
    assert mark.paths[0].data == "M1 1L2 2"


@few(1)
@pytest.mark.parametrize("style", ["nato", "period"])
def test_all_symbols_that_stand_free_stay_within_their_box(style: Style) -> None:
    symbols = Symbols(style=style)
    free = {name: drawn for name in symbols._ours if not symbols.is_framed(name) and (drawn := symbols.symbol(name))}
    scenes = []
    for symbol in free.values():
        x, y, width, height = symbol.view_box
        wide = msgspec.structs.replace(
            symbol, view_box=(x - 6, y - 6, width + 12, height + 12), width=width, height=height
        )
        scenes.append(Scene(width=width, height=height, title="", layers=(Layer("one", (wide,)),)))
    for name, scene, drawn in zip(free, scenes, to_png(scenes, 4), strict=True):
        picture = Image.open(io.BytesIO(drawn)).getchannel("A")
        left, top, right, bottom = picture.point(lambda value: 255 * (value > 60)).getbbox() or (0, 0, 0, 0)
        scale = min(scene.width / (scene.width + 12), scene.height / (scene.height + 12))
        across, down = ((side - (side) * scale) * 2 for side in (scene.width, scene.height))
        assert left >= int(across) - 1, name
        assert top >= int(down) - 1, name
        assert right <= picture.width - int(across) + 1, name
        assert bottom <= picture.height - int(down) + 1, name


# --- whole faces ------------------------------------------------------------------------------------------------------


def face(colour: str, box: str = "0 0 90 90") -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><rect width="90" height="90" fill="{colour}"/></svg>'
    )


def put_face(folder: Path, name: str, text: str) -> None:
    (folder / "faces").mkdir(parents=True, exist_ok=True)
    (folder / "faces" / name).write_text(text, "utf-8")


def test_a_whole_face_keeps_its_colours_is_square_and_limited(game: Game) -> None:
    folder = Path(str(game.folder))
    assert Faces(game).face("1/1", "front") is None
    put_face(folder, "1_1.svg", face("#aa0000"))
    put_face(folder, "1_1-back.svg", face("teal"))
    front, back = Faces(game).face("1/1", "front"), Faces(game).face("1/1", "back")
    assert front and back
    assert (front.paths[0].fill, back.paths[0].fill) == ("#aa0000", "#008080")
    put_face(pack_folder(game.id), "1_1.svg", face("#0000bb"))
    mine = Faces(game).face("1/1", "front")
    assert mine
    assert mine.paths[0].fill == "#0000bb"
    put_face(Path(str(game.folder)), "1.svg", face("#aa0000", "0 0 90 60"))
    with pytest.raises(InputError, match="a face must be square, but its viewBox is 90 by 60"):
        Faces(game).face("1", "front")
    put_face(Path(str(game.folder)), "2.svg", face("#aa0000").replace("<rect", "<!--" + "x" * 2**20 + "--><rect"))
    with pytest.raises(InputError, match="it holds more than 256 KiB"):
        Faces(game).face("2", "front")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_face_is_known_however_a_system_writes_its_accents(game: Game, form: Literal["NFC", "NFD"]) -> None:
    put_face(Path(str(game.folder)), normalize(form, "Lötzen.svg"), face("#aa0000"))
    for unit in ("Lötzen", normalize("NFD", "Lötzen")):
        assert Faces(game).face(unit, "front")


@pytest.mark.parametrize(
    ("unit", "file"),
    [("1/1", "1_1.svg"), ("../../x", "_.._x.svg"), ("Königsberg main", "Königsberg main.svg"), ("..", "_.svg")],
)
def test_the_file_of_a_face_is_named_after_its_unit(unit: str, file: str) -> None:
    assert unit_face_file(unit, "front") == file


@pytest.mark.parametrize("word", ["mammoths", "siege-tower-drawn-by-oxen", "velites"])
def test_a_word_without_a_symbol_stands_whole_in_the_box(word: str) -> None:
    texts = [shape for shape in symbol_box(word, 0, 0, 6, Symbols()) if isinstance(shape, Text)]
    assert " ".join(text.text for text in texts) == word.replace("-", " ")
    for text in texts:
        assert text_width(text.text, text.size) <= 9
        assert 0 < text.y - text.size * FIGURE_HEIGHT < text.y < 6


@pytest.mark.parametrize("name", ["infantry", "cavalry"])
def test_a_symbol_of_the_owners_is_inked_as_ours_are_whatever_its_colours(name: str, tmp_path: Path) -> None:
    coloured = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">{}</svg>'
    shapes = '<path d="M1 1H9V9Z" fill="#a00"/><path d="M2 2H9V9Z" fill="white"/><path d="M3 3L9 9" stroke="green" fill="none"/>'
    one, white, line = read_symbol(put(tmp_path, name, coloured.format(shapes))).paths
    plain = read_symbol(put(tmp_path, name, coloured.format('<path d="M1 1H9V9Z"/>'))).paths[0]
    assert (one.fill, one.stroke) == (plain.fill, plain.stroke)
    assert white.fill not in (one.fill, "none", "")
    assert (line.stroke, line.fill) == (one.fill, white.stroke)


def test_trains_stand_free_and_arms_in_a_white_frame() -> None:
    free, framed = (symbol_box(word, 0, 0, 6, Symbols()) for word in ("corps-train", "cavalry"))
    assert [type(shape) for shape in free] == [Symbol]
    assert [type(shape) for shape in framed] == [Rectangle, Symbol, Rectangle]
