"""What `check` finds in how a game looks, and the pictures of what there is to choose from."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

import pytest
from click.testing import CliRunner

from assistant.drawing.scene import Rectangle, Symbol, Text
from assistant.game.games import Game, pack_folder
from assistant.installed.registry import load_game
from module_builder.cli import cli
from module_builder.counters.look_checks import look_faults, look_remarks
from module_builder.gallery import colours_scene, symbols_scene

from ...folders import game_of, written
from ..vassal.test_extras import picture

GAME = """
title = "Elephants"
about = "Made up for the tests."
[grid]
columns = [1, 5]
rows = [1, 5]
[sides]
home = ["carthage", "numidia"]
away = ["rome"]
[picture]
figures = []
[picture.colours]
"""
TRACKS = """
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["carthage", "numidia", "rome"]
printed = "counter"
[arm]
title = "arm"
on = "unit"
kind = "choice"
values = ["elephants", "infantry", "velites"]
printed = "counter"
"""
ROSTER = '[[roster]]\nfile = "roster/all.csv"\nsource = "printed"\n'
FACE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    folder = tmp_path / "elephants"
    (folder / "faces").mkdir(parents=True)
    units = "unit,nation,arm\n1/1,rome,infantry\n1_1,rome,velites\nHanno,carthage,elephants\n"
    return written(folder, {"game.toml": ROSTER, "tracks.toml": TRACKS, "roster/all.csv": units})


def game(folder: Path, colours: str = "") -> Game:
    return game_of(folder, {"game.toml": GAME + colours + ROSTER})


def test_sides_that_cannot_be_told_apart_are_named(folder: Path) -> None:
    made = game(folder, 'rome = "#84a8d3"\ncarthage = "#d2a46a"\nnumidia = "#d3a56b"\n')
    close = [remark for remark in look_remarks(made) if "distinguish" in remark]
    assert close == [
        "carthage #d2a46a and numidia #d3a56b are hard to distinguish at a glance (0.3 apart; at least 5 is needed); "
        "choose other colours in [picture.colours] of game.toml",
        "carthage #d2a46a and rome #84a8d3 are hard to distinguish in a grey print (2.6 apart in lightness, of 100; at least 8 is needed); "
        "choose other colours in [picture.colours] of game.toml",
        "numidia #d3a56b and rome #84a8d3 are hard to distinguish in a grey print (3.0 apart in lightness, of 100; at least 8 is needed); "
        "choose other colours in [picture.colours] of game.toml",
    ]


def test_colours_that_the_game_leaves_to_us_can_be_told_apart(folder: Path) -> None:
    assert [remark for remark in look_remarks(game(folder)) if "distinguish" in remark] == []


def test_words_without_a_symbol_are_named(folder: Path) -> None:
    made = game(folder)
    assert "no symbol for elephants, velites: counters show the word; draw symbols/elephants.svg, or see" in next(
        remark for remark in look_remarks(made) if "symbol" in remark
    )


def test_a_face_is_that_of_its_unit_however_a_system_writes_its_accents(folder: Path) -> None:
    units = folder / "roster" / "all.csv"
    units.write_text(units.read_text("utf-8").replace("Hanno", "Hannó"), "utf-8")
    (folder / "faces" / normalize("NFD", "Hannó.svg")).write_text(FACE, "utf-8")
    assert not [remark for remark in look_remarks(game(folder)) if remark.startswith("faces/")]


def test_faces_of_no_unit_are_named(folder: Path) -> None:
    (folder / "faces" / "Hano.svg").write_text(FACE, "utf-8")
    (folder / "faces" / "1_1-back.svg").write_text(FACE, "utf-8")
    (folder / "faces" / "Hanno.svg").write_text(FACE, "utf-8")
    found = [remark for remark in look_remarks(game(folder)) if remark.startswith("faces/")]
    assert found == [
        "faces/1_1-back.svg is the face of both 1/1 and 1_1; rename a unit",
        "faces/Hano.svg is the face of no unit; nearest: Hanno.svg",
    ]


def test_files_that_are_no_drawings_are_named(folder: Path) -> None:
    (folder / "faces" / "Hanno.tif").write_bytes(b"")
    (folder / "faces" / ".DS_Store").write_bytes(b"")
    found = [remark for remark in look_remarks(game(folder)) if remark.startswith("faces/")]
    assert found == ["faces/Hanno.tif is not used: only drawings and pictures saved as Hanno.svg or Hanno.png are"]


def test_a_symbol_outside_its_view_box_is_named(folder: Path) -> None:
    (folder / "symbols").mkdir()
    for name, y in (("elephants", 80), ("velites", 30)):
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M0 {y}H9V{y + 20}Z"/></svg>'
        (folder / "symbols" / f"{name}.svg").write_text(drawing, "utf-8")
    found = [remark for remark in look_remarks(game(folder)) if remark.startswith("symbols/")]
    assert found == [
        "symbols/elephants.svg shows nothing: all of it lies outside its viewBox; move it, or change the viewBox"
    ]


def test_a_symbol_of_another_shape_is_named(folder: Path) -> None:
    (folder / "symbols").mkdir()
    for name, box in (("elephants", "0 0 100 100"), ("velites", "0 0 30 20"), ("nation-rome", "0 0 9 9")):
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><path d="M0 0H9V9Z"/></svg>'
        (folder / "symbols" / f"{name}.svg").write_text(drawing, "utf-8")
    found = [remark for remark in look_remarks(game(folder)) if remark.startswith("symbols/")]
    assert found == [
        "symbols/elephants.svg has a viewBox of 100 by 100, which leaves much of its place empty; use one of 60 by 40"
    ]


def test_a_face_that_cannot_be_drawn_is_a_mistake(folder: Path) -> None:
    (folder / "faces" / "Hanno.svg").write_text(FACE.replace("<path", "<script/><path"), "utf-8")
    made = game(folder)
    pack = pack_folder(made.id) / "faces"
    pack.mkdir(parents=True)
    (pack / "Hanno.svg").write_text(FACE.replace("0 0 9 9", "0 0 9 7"), "utf-8")
    mine, theirs = look_faults(made)
    assert (mine.what, theirs.what) == (
        "a face must be square, but its viewBox is 9 by 7",
        "a drawing cannot use <script>",
    )
    assert theirs.hint == "remove it"
    assert theirs.where
    assert theirs.where.file.endswith("Hanno.svg")


def test_our_game_has_nothing_to_remark_on() -> None:
    made = load_game("twilight-in-the-east")
    assert list(look_remarks(made)) == list(look_faults(made)) == []


def test_pictures_of_what_there_is_to_choose_from(folder: Path) -> None:
    (folder / "symbols").mkdir()
    (folder / "symbols" / "elephants.svg").write_text(FACE, "utf-8")
    made = game(folder)
    assert symbols_scene(made).height > symbols_scene().height
    assert colours_scene(made).height < colours_scene().height


@pytest.mark.parametrize("command", ["symbols", "colours"])
def test_the_commands(command: str, folder: Path, tmp_path: Path) -> None:
    game(folder)
    out = tmp_path / "out.svg"
    done = CliRunner().invoke(cli, [command, str(folder), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "Elephants" in done.output
    assert out.read_text("utf-8").startswith("<svg")
    refused = CliRunner().invoke(cli, [command, "-o", "picture.gif"])
    assert "picture.gif is not the name of a picture" in refused.stderr


FREE = [Symbol]
FRAMED = [Rectangle, Symbol, Rectangle]


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("infantry", FRAMED + FREE),  # as NATO's, and as the period's
        ("elephants", FRAMED),
        ("corps-train", FREE),
        ("nation-german", FREE),
    ],
)
def test_symbols_of_arms_stand_in_a_frame_and_others_free(name: str, drawn: list[type], folder: Path) -> None:
    (folder / "symbols").mkdir()
    (folder / "symbols" / "elephants.svg").write_text(FACE, "utf-8")
    (sheet,) = symbols_scene(game(folder)).layers
    texts = [n for n, shape in enumerate(sheet.shapes) if isinstance(shape, Text)]
    before, end = next(both for both in pairwise(texts) if sheet.shapes[both[1]].text == name)
    assert [type(shape) for shape in sheet.shapes[before + 1 : end]] == drawn


def test_faces_too_coarse_for_print_and_those_that_are_no_squares_are_remarked_on(folder: Path) -> None:
    for name, size in {"1_1.png": (20, 20), "1_1-back.png": (60, 60), "Hanno.png": (300, 180)}.items():
        (folder / "faces" / name).write_bytes(picture(*size))
    said = [remark for remark in look_remarks(game(folder)) if "pixels" in remark or "square" in remark]
    assert said == [
        "faces/1_1-back.png and 1 other face have fewer than 94 pixels each way, too few for print; 188 make 300 to the "
        "inch on a counter of 5/8 inch",
        "faces/Hanno.png has another shape than the square counter, of which it leaves a part bare; cut out a square",
    ]
