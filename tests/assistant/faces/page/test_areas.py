"""A map of areas on the page: its picture in tiles, and the units in its places."""

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from .pages import AtTable

GAME = 'title = "Areas"\nboxes = ["Fort Monroe", "Cairo", "Box"]\n[grid]\nformat = "{column}.{row}"\ncolumns = [0, 0]\nrows = [0, 0]\n[[roster]]\nfile = "roster.csv"\nsource = "printed"\n'
TRACKS = '[nation]\ntitle = "nation"\non = "unit"\nkind = "text"\nprinted = "counter"\n[turn]\ntitle = "turn"\non = "game"\nkind = "integer"\nleast = 1\nmost = 9\n'
BOARD = 'title = "Map"\nsource = "printed"\n[grid]\nformat = "{column}.{row}"\ncolumns = [0, 0]\nrows = [0, 0]\n[picture]\nfile = "map.png"\n[picture.boxes]\n"Fort Monroe" = [60, 120]\nCairo = [600, 300]\n'
PLACED = 'game areas\nboard map\nturn=1\n"Fort Monroe": "1st Corps", Guns\nCairo: 2nd\nBox: 3rd\n'
SIZE = (1300, 900)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = tmp_path / "areas"
    (game / "boards/map").mkdir(parents=True)
    for name, text in (("game.toml", GAME), ("tracks.toml", TRACKS), ("boards/map/board.toml", BOARD)):
        (game / name).write_text(text, "utf-8")
    (game / "roster.csv").write_text("unit,nation\n1st Corps,blue\nGuns,blue\n2nd,red\n3rd,red\n", "utf-8")
    picture = Image.new("RGB", SIZE, (0, 128, 0))
    picture.paste((200, 0, 0), (700, 0, *SIZE))
    picture.save(game / "boards/map/map.png")
    return game


@pytest.fixture
def page(folder: Path, tmp_path: Path) -> AtTable:
    page = AtTable(tmp_path / "tables", str(folder))
    begun = page.send("begin", table="laid", game="areas", position=PLACED)
    assert begun["is"] == "table", begun
    return page


def ask(page: AtTable, do: str, **more: Any) -> Any:
    return page.send(do, table="laid", **more)


def test_its_places_lie_where_they_are_on_the_picture(page: AtTable) -> None:
    shown = ask(page, "board")
    unit = shown["hex"] / 60
    assert {name: (x / unit, y / unit) for name, x, y in shown["hexes"]} == {
        "Fort Monroe": pytest.approx((60, 120), abs=0.1),
        "Cairo": pytest.approx((600, 300), abs=0.1),
    }
    assert shown["size"] == pytest.approx([length * unit for length in SIZE])


def test_its_tiles_hold_the_whole_picture(page: AtTable) -> None:
    shown = ask(page, "board")
    for number, level in enumerate(shown["levels"]):
        for column, row, key in level["tiles"]:
            tile = ask(page, "tile", level=number, column=column, row=row)
            assert tile["key"] == key
            (data,) = re.findall(r"data:image/png;base64,([^\"]+)", tile["ground"])
            part = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
            assert part.width * part.height <= 640_000
            left = (column * level["width"] - level["bleed"]) / (shown["hex"] / 60)
            assert part.getpixel((0, 0)) == ((0, 128, 0) if left < 700 else (200, 0, 0))
        columns, rows = ({at[axis] for at in level["tiles"]} for axis in (0, 1))
        assert (max(columns) + 1) * level["width"] >= shown["size"][0] > max(columns) * level["width"]
        assert (max(rows) + 1) * level["height"] >= shown["size"][1] > max(rows) * level["height"]


def test_units_in_its_places_are_on_the_map(page: AtTable) -> None:
    units = {unit["id"]: unit for unit in ask(page, "look")["units"]}
    assert {name for name, unit in units.items() if unit["on_map"]} == {"1st Corps", "Guns", "2nd"}
    drawn = ask(page, "stack", hex="Fort Monroe")
    assert drawn["is"] == "drawn" and "Guns" in drawn["svg"]
    assert ask(page, "hex", hex="Fort Monroe")["units"] == ["1st Corps", "Guns"]
    assert ask(page, "stack", hex="Fort Monroe", around=True)["is"] == "drawn"
    refused = ask(page, "stack", hex="Box")
    assert (refused["is"], refused["what"]) == ("refused", "Box is not a hex of the map")


def test_a_missing_picture_is_said_with_its_file(page: AtTable, folder: Path) -> None:
    (folder / "boards/map/map.png").unlink()
    refused = ask(page, "board")
    assert refused["is"] == "refused" and "boards/map/map.png" in (refused["where"] + refused["what"])


def test_units_are_moved_and_taken_off_as_in_a_game_with_combats(page: AtTable) -> None:
    for line, there in (
        ('Cairo +"1st Corps"', ["1st Corps", "2nd"]),
        ("off 2nd", ["1st Corps"]),
        ("undo", ["1st Corps", "2nd"]),
    ):
        entered = ask(page, "enter", line=line)
        assert entered["refused"] is None, entered["refused"]
        assert sorted(ask(page, "hex", hex="Cairo")["units"]) == there
