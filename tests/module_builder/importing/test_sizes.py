"""Modules at the limits and beyond them, without a map, and with a map of areas."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree
from PIL import Image

from assistant.formats.notation import read_notation
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import LayerTrait, Trait
from assistant.game.games import read_game
from assistant.util.limits import Limit
from module_builder.cli import cli
from module_builder.vassal.elements import MAP, MODULE, add

from ...cases import thorough
from .foreign import BOARD, LAND, PALETTES, PICTURES, build_file, foreign, packed, picture
from .foreign import _picker as picker


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words])


def imported(data: bytes, name: str = "marsh") -> str:
    """The report on a module that is imported, of which a module is built again. Raises AssertionError if that fails."""
    Path("module.vmod").write_bytes(data)
    for words in (("import", "module.vmod", "-o", name), ("check", name), ("module", name)):
        done = run(*words)
        assert done.exit_code == 0, (words, done.output)
    return (Path(name) / "IMPORT.md").read_text("utf-8").replace("\\", "")


# --- limits -----------------------------------------------------------------------------------------------------------

#: Limits of what is read and written where a module is imported, each with steps by which it is lowered at a time.
WALKED = {
    **dict.fromkeys((Limit.DATA, Limit.FILE, Limit.ENTRY, Limit.CONTAINER, Limit.IMPORT, Limit.TEXT, Limit.XML), 8),
    **dict.fromkeys((Limit.ENTRIES, Limit.TAGS, Limit.ATTRIBUTES, Limit.PIECES, Limit.PARTS, Limit.TRAITS), 4),
    **dict.fromkeys((Limit.STACK, Limit.PROTOTYPES, Limit.GRID, Limit.HEXES, Limit.UNITS, Limit.TURNS), 4),
    **dict.fromkeys((Limit.NOTATION, Limit.LINES, Limit.LINE, Limit.ART, Limit.ART_PIXELS, Limit.SCAN), 4),
}


def refused_or_built(limit: Limit, most: int, data: bytes, patched: pytest.MonkeyPatch) -> bool:
    """Whether a module can be imported where a limit is so low; if so, what is made of it can be checked and built."""
    patched.setenv(limit.variable, str(most))
    Path("module.vmod").write_bytes(data)
    name = f"{limit.name.lower()}-{most}".replace("_", "-")
    done = run("import", "module.vmod", "-o", name)
    if done.exit_code:
        assert done.exit_code == 3 and limit.variable in done.output, done.output
        assert not Path(name).exists()
        return False
    for words in (("check", name), ("module", name)):
        done = run(*words)
        assert done.exit_code == 0, (limit, most, words, done.output)
    return True


#: What the program's own files need.
LEAST = {Limit.FILE: 8192, Limit.DATA: 8192}


@thorough
@pytest.mark.parametrize("limit", WALKED, ids=lambda limit: limit.name)
def test_a_module_over_a_limit_is_refused_or_what_is_made_of_it_can_be_built(
    limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, most = foreign(), limit.most
    last = most
    while most > LEAST.get(limit, 0) and refused_or_built(limit, most, data, monkeypatch):
        most, last = most // WALKED[limit], most
    while most > LEAST.get(limit, 0) and last - most > max(most // 16, 1):  # the least that is enough, about
        middle = (last + most) // 2
        if refused_or_built(limit, middle, data, monkeypatch):
            last = middle
        else:
            most = middle


def test_a_set_up_that_is_too_long_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_UNITS", "2")
    said = imported(foreign())
    assert "set-ups that are too long: it holds more than 2 units" in said and "FIELD_STAFF_LIMIT_UNITS=" in said
    assert not [*Path("marsh").glob("setups/*")]


@thorough
def test_a_stack_longer_than_a_line_has_several(monkeypatch: pytest.MonkeyPatch) -> None:
    imported(foreign())
    game = read_game("marsh", Path("marsh"))
    (file,) = Path("marsh/setups").iterdir()
    whole = file.read_bytes()
    before = read_notation(whole, "before", lambda _: game)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LINE", str(max(map(len, whole.decode().splitlines())) - 1))
    imported(foreign(), "again")
    text = next(Path("again/setups").iterdir()).read_bytes().replace(b"game again", b"game marsh")
    assert text.count(b"\n") > whole.count(b"\n")
    assert read_notation(text, "after", lambda _: game).state == before.state


@thorough
def test_statuses_beyond_what_a_file_may_hold_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = [
        LayerTrait(f"Odd {n}", ("two.png",), ("two",), ("On", f"{65 + n},130"), ("Off", "66,195")) for n in range(25)
    ]
    pieces = [
        Piece("null", (Trait(layer.type, "-1"), Trait(f"piece;;;front.png;P {n}"))) for n, layer in enumerate(layers)
    ]
    data = packed(build_file({"Blue units": pieces, "Red units": PALETTES["Red units"]}))
    assert "statuses beyond" not in imported(data)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DATA", "8K")
    assert "statuses beyond what a file may hold" in imported(data, "again")


def test_pictures_that_several_statuses_have_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    large = {**PICTURES, "two.png": picture((500, 500), "#123456") + b"x" * 4000}
    monkeypatch.setenv("FIELD_STAFF_LIMIT_CONTAINER", "24K")
    said = imported(packed(build_file(), large))
    assert "pictures of statuses beyond" not in said


def test_a_face_laid_of_several_pictures_is_no_larger_than_a_face_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = io.BytesIO()
    Image.effect_noise((90, 90), 90).convert("RGB").save(noise, "JPEG", quality=20)
    over = LayerTrait("Sign", ("d.png",), ("",), x=0, y=0)
    piece = Piece("null", (Trait(over.type, "1"), Trait("piece;;;front.jpg;Signed")))
    monkeypatch.setenv("FIELD_STAFF_LIMIT_ART", str(len(noise.getvalue()) + 10))
    palettes = {"Blue units": [piece], "Red units": PALETTES["Red units"]}
    imported(packed(build_file(palettes), {**PICTURES, "front.jpg": noise.getvalue()}))
    face = Image.open("marsh/faces/Signed.png")
    assert face.size < (90, 90)


@thorough
def test_a_scan_that_is_too_large_is_made_smaller_and_its_counters_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    imported(foreign())
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", "600K")
    said = imported(foreign(), "again")
    assert "- Main: Land: 900 by 700 pixels, here 1/2 of that each way" in said
    for name, size in (("marsh", LAND), ("again", (LAND[0] // 2, LAND[1] // 2))):
        assert Image.open(f"{name}/boards/main/map.png").size == size
    side = {name: Image.open(f"{name}/faces/1st.png").size for name in ("marsh", "again")}
    assert side == {"marsh": (50, 50), "again": (25, 25)}
    one, other = (next(Path(name, "setups").iterdir()).read_text("utf-8") for name in ("marsh", "again"))
    assert one == other.replace("game again", "game marsh")
    games = {name: read_game(name, Path(name)).board("main").picture for name in ("marsh", "again")}
    assert games["marsh"] and games["again"]
    assert games["again"].step == (games["marsh"].step[0] / 2, games["marsh"].step[1] / 2)


# --- no hexes ---------------------------------------------------------------------------------------------------------

AREAS = {"North": (100, 100), "South": (100, 600), "Far East": (800, 300)}


def without_maps() -> etree._Element:
    root = build_file()
    for element in [*root.iter(MODULE + "Map"), *root.iter(MODULE + "PredefinedSetup")]:
        root.remove(element)
    return root


def test_a_module_without_a_map_has_a_bare_table() -> None:
    imported(packed(without_maps()))
    with zipfile.ZipFile("marsh.vmod") as module:
        table = Image.open(io.BytesIO(module.read("images/board.png")))
        assert len(table.getcolors() or ()) == 1 and max(table.size) <= 1200
        assert b"HexGrid" not in module.read("buildFile.xml")
    assert "has no board that is drawn" in run("board", "marsh").output


@thorough
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_map_of_areas_is_its_picture_with_its_places(ending: str) -> None:
    root = without_maps()
    board = add(picker(root, "Main", "Land"), MAP + "boardPicker.Board", name="Land", image="land.png")
    regions = add(add(board, BOARD + "ZonedGrid"), BOARD + "RegionGrid")
    for name, (x, y) in AREAS.items():
        add(regions, BOARD + "Region", name=name, originx=str(x), originy=str(y))
    imported(packed(root))
    done = run("board", "marsh", "--out", f"map.{ending}")
    assert done.exit_code == 0 and "3 places of Main" in done.output
    if ending == "png":
        shown = Image.open("map.png").convert("RGB")
        assert shown.size == LAND and shown.getpixel((5, 5)) == (0xDD, 0xEE, 0xCC)
        assert all(sum(shown.getpixel(at)) < 200 for at in AREAS.values())  # type: ignore[arg-type]
        assert run("board", "marsh", "--out", "bare.png", "--no-labels").exit_code == 0
        assert len(Image.open("bare.png").convert("RGB").getcolors() or ()) == 1
    if ending == "svg":
        assert all(name in Path("map.svg").read_text("utf-8") for name in AREAS)
    assert "leave out --area" in run("board", "marsh", "--out", "x.pdf", "--area", "0101-0202").output
