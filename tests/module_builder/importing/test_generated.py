"""Counters that VASSAL draws itself, and texts of labels: drawn on the faces, and read as data."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.traits import LabelTrait, Trait
from module_builder.importing.game import import_module
from module_builder.importing.generated import read_generated
from module_builder.importing.painting import paint_counter
from module_builder.vassal.elements import MODULE, WIDGET, add

from .drawn_counters import GENERATED, module_of
from .foreign import packed, picture

LAYOUT = (
    "Symbol;27;21;1.0|Symbol;Center;0;-2;0;true,"
    "Text;Stats;Specified in individual images;;;67\\,130;;76\\,130;false|Stats;Bottom;0;0;0;true,"
    "Text;Stats;Fixed for this layout;GHQ;;;;;false|Maker;Top;0;0;0;true"
)
PROPS = "Symbol;Symbol;Center;BLACK;CLEAR;Division;Cavalry/Recon;None;BLACK,Text;Stats;Bottom;BLACK;CLEAR;4-6-5;"
BRIGADE = LabelTrait("Brigade", "", foreground="200,0,0", background="255,255,0", place=("c", 0, "c", 0))
WRITTEN = LabelTrait("Note", "Write a note", stroke="76,130", place=("c", 0, "c", 0))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))


def made_of(pieces: list[Piece], *, generated: bool = False) -> dict[str, bytes]:
    """Return the files of a game made of a module with some pieces, and perhaps a generated counter `bl-3`."""
    root = etree.Element("VASSAL.build.GameModule", name="Labels", version="1.0", VassalVersion="3.7.0")
    window = add(root, MODULE + "PieceWindow", name="Counters")
    listed = add(add(window, WIDGET + "TabWidget", entryName="All"), WIDGET + "ListWidget", entryName="Blue")
    for number, piece in enumerate(pieces, 1):
        slot = add(listed, WIDGET + "PieceSlot", entryName="", gpid=str(number))
        slot.text = write_definition(piece._replace(slot=str(number)))
    if generated:
        definitions = add(root, GENERATED + "GamePieceImageDefinitions")
        layouts = add(definitions, GENERATED + "GamePieceLayoutsContainer")
        layout = add(layouts, GENERATED + "GamePieceLayout", width="60", height="60", border="None", layout=LAYOUT)
        add(layout, GENERATED + "GamePieceImage", name="bl-3", bgColor="PINK", props=PROPS)
    Path("module.vmod").write_bytes(packed(root, {"blank.png": picture((50, 50))}))
    return dict(import_module(Path("module.vmod"), Path("marsh"))[0])


def rows(files: dict[str, bytes]) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(files["roster.csv"].decode()))]


def face(files: dict[str, bytes], unit: str) -> Image.Image:
    with Image.open(io.BytesIO(files[f"faces/{unit}.png"])) as shown:
        return shown.convert("RGBA")


def colours(shown: Image.Image) -> Iterator[tuple[int, ...]]:
    return (colour[:3] for _, colour in shown.getcolors(10_000) or () if isinstance(colour, tuple))


def shows_red(shown: Image.Image) -> bool:
    """Return whether there is a pixel of nearly the red of a label, whose letters are smooth."""
    return any(red > 150 and green < 90 and blue < 90 for red, green, blue in colours(shown))


def labelled(name: str, label: LabelTrait, text: str) -> Piece:
    return Piece("", (Trait(label.type, text), Trait(f"piece;;;blank.png;{name}")))


def test_a_generated_counter_is_drawn_and_says_its_arm_size_and_figures() -> None:
    files = made_of([Piece("", (Trait("piece;;;bl-3;3rd"),))], generated=True)
    (row,) = rows(files)
    assert (row["arm"], row["size"], row["stats"]) == ("Cavalry/Recon", "Division", "4-6-5")
    assert [row[f"stats-{number}"] for number in (1, 2, 3)] == ["4", "6", "5"]
    assert "GHQ" not in row.values()  # all counters of the layout have it
    shown = face(files, "3rd")
    assert shown.size == (60, 60)
    assert shown.getpixel((2, 30)) == (255, 175, 175, 255)
    assert b"missing" not in files["IMPORT.md"]


def test_a_label_is_on_the_counter_with_its_colours() -> None:
    files = made_of([labelled("First", BRIGADE, "Adler"), labelled("Second", BRIGADE, "Berg")])
    first, second = face(files, "First"), face(files, "Second")
    assert first.tobytes() != second.tobytes()
    assert (255, 255, 0) in {*colours(first)}
    assert shows_red(first)
    assert [row["brigade"] for row in rows(files)] == ["Adler", "Berg"]


def test_a_label_may_show_a_property() -> None:
    traits = (Trait(BRIGADE.type, "$Chief$"), Trait("mark;Chief", "Cohn"), Trait("piece;;;blank.png;First"))
    files = made_of([Piece("", traits)])
    assert shows_red(face(files, "First"))
    assert rows(files)[0]["brigade"] == "Cohn"


def test_pieces_that_only_a_label_tells_apart_are_units_of_their_own() -> None:
    files = made_of([labelled("Brigade", BRIGADE, name) for name in ("Adler", "Berg", "Berg")])
    assert [(row["unit"], row.get("count", "")) for row in rows(files)] == [
        ("Brigade Adler", ""),
        ("Brigade Berg", "2"),
    ]


def test_a_text_that_players_may_write_is_drawn_and_stays_a_status() -> None:
    files = made_of([labelled("First", WRITTEN, "Reserve")])
    plain = made_again(labelled("First", WRITTEN, ""))
    assert face(files, "First").tobytes() != face(plain, "First").tobytes()
    assert b'menu = ["Note: write"]' in files["tracks.toml"]


def made_again(piece: Piece) -> dict[str, bytes]:
    """Return the files of another game with one piece."""
    Path("other").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir("other")
        return made_of([piece])


@pytest.mark.parametrize("seed", range(3))
def test_made_up_counters_are_all_drawn(seed: int) -> None:
    Path("module.vmod").write_bytes(module_of(30, seed))
    files, findings = import_module(Path("module.vmod"), Path("marsh"))
    assert findings.lost == 0
    assert sum(name.startswith("faces/") for name in files) == 30


@pytest.mark.parametrize(
    ("size", "degrees", "text"),
    [
        (2000, 0, "W" * 100),
        (500, 45, "W" * 100),
        (200, 45, "Adler"),
        (12, 0, "<html>" + "<" * 100_000),
        (12, 30, "x" * 9999),
    ],
)
def test_a_label_too_large_to_be_drawn_is_left_out(size: int, degrees: int, text: str) -> None:
    label = BRIGADE._replace(size=size, degrees=degrees)
    shown = face(made_of([labelled("First", label, text)]), "First")
    assert shown.width * shown.height < 4_000_000


@pytest.mark.parametrize(
    "item",
    [
        "Symbol;999999999;999999999;999.9|Name;Center;999999999;-999999999;45;true",
        "Text;Default;Fixed for this layout;{many};;;;;false|Name;Top;0;0;45;true",
        "Box;999999999;999999999;Oval;999999999|Name;Center;0;0;0;true",
        ",".join(["Symbol;40;30;1.0|Name;Center;0;0;45;true"] * 2000),
    ],
)
def test_an_immense_layout_is_drawn_within_bounds(item: str) -> None:
    root = etree.Element("VASSAL.build.GameModule", name="Immense", version="1.0", VassalVersion="3.7.0")
    layouts = add(add(root, GENERATED + "GamePieceImageDefinitions"), GENERATED + "GamePieceLayoutsContainer")
    layout = item.replace("{many}", "W" * 100_000)
    add(
        add(layouts, GENERATED + "GamePieceLayout", width="999999999", height="999999999", layout=layout),
        GENERATED + "GamePieceImage",
        name="immense",
        bgColor="no such colour",
        props="Symbol;Name;Center;300,0,0;0x1234567;Army;Infantry;None;BLACK",
    )
    read = read_generated([root])["immense"]
    counter = read()
    assert max(counter.size) <= 700
    assert len(counter.items) <= 100
    assert paint_counter(counter._replace(items=counter.items[:2]), lambda _: None).size == counter.size
