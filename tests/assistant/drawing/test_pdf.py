"""Scenes as PDF: pages, letters, shapes, the inks of a press, and what is no scene."""

# ruff: noqa: RUF001 (letters that look alike are meant)

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pypdfium2 import PdfDocument

from assistant.drawing.colours import INK
from assistant.drawing.lettering import text_width
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf, to_pdf
from assistant.drawing.press import PressProfile
from assistant.drawing.scene import (
    Bitmap,
    Circle,
    Layer,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    SymbolPath,
    Text,
)

from ...press_profile import press_profile


def scene(*shapes: Shape, width: float = 100, height: float = 50) -> Scene:
    return Scene(width=width, height=height, title="T", layers=(Layer("all", shapes),))


def text_of(data: bytes) -> str:
    """What a reader of the PDF would copy from its first page."""
    document = PdfDocument(data)
    try:
        return str(document[0].get_textpage().get_text_bounded())
    finally:
        document.close()


def test_a_page_a_scene_in_millimetres_and_no_page_without_one() -> None:
    document = PdfDocument(to_pdf([scene(), scene(width=16, height=25.4)], title="Counters"))
    sizes = [document[number].get_size() for number in range(len(document))]
    assert sizes == [pytest.approx((100 / 25.4 * 72, 50 / 25.4 * 72)), pytest.approx((16 / 25.4 * 72, 72))]
    assert document.get_metadata_dict()["Title"] == "Counters"
    with pytest.raises(ValueError, match="needs a page"):
        to_pdf([])
    drawn = scene(Text(x=1, y=9, text="Königsberg", size=4, halo="#ffffff"), Circle(x=9, y=9, radius=3, fill="#a0b0c0"))
    assert to_pdf([drawn, drawn]) == to_pdf([drawn, drawn])


_WORDS = {
    "obj",
    "endobj",
    "stream",
    "endstream",
    "xref",
    "trailer",
    "startxref",
    "R",
    "n",
    "f",
    "null",
    "true",
    "false",
}


@pytest.mark.parametrize("opacity", [1.0, 0.5])
def test_a_strict_reader_finds_nothing_but_objects(opacity: float) -> None:
    drawn = scene(
        Rectangle(x=1, y=1, width=9, height=9, fill="#a0b0c0", opacity=opacity), Text(x=1, y=9, text="a", size=4)
    )
    data = re.sub(rb"(?s)stream\r?\n.*?endstream", b"stream endstream", to_pdf([drawn, drawn], title="T"))
    plain = re.sub(r"%[^\n]*|\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>|/[^\s/<>\[\]()]*", " ", data.decode("latin-1"))
    assert set(re.findall("[A-Za-z]+", plain)) <= _WORDS


def test_fonts_are_embedded_with_all_their_letters() -> None:
    data = to_pdf([scene(Text(x=1, y=9, text="a", size=4), Text(x=1, y=20, text="b", size=4, bold=True))])
    assert data.count(b"/FontFile2") == 2
    assert b"/Helvetica" not in data
    letters = [chr(code) for code in (*range(0x21, 0x7F), *range(0xC0, 0x17F), *range(0x400, 0x460))]
    text = "".join(letters)
    assert text_of(to_pdf([scene(Text(x=1, y=9, text=text, size=1, typed=True), width=1000)])) == text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Königsberg (Łódź)", "Königsberg (Łódź)"),
        ("Луцк, Ковель 1", "Луцк, Ковель 1"),
        ("o\u0308 ḱ", "ö k"),  # an accent that the face lacks is dropped
        ("字 1", "◊ 1"),  # a letter that it lacks altogether still takes its place
        ("a\tb\\(>", "a b\\(>"),
        ("AVATAR, To 12‒16‒7", "AVATAR, To 12‒16‒7"),  # kerned, and one text all the same
    ],
)
def test_a_text_can_be_copied_and_a_missing_letter_does_not_vanish(written: str, shown: str) -> None:
    assert text_of(to_pdf([scene(Text(x=1, y=9, text=written, size=4))])) == shown


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", ["AVATAR To Łódź", "12‒16‒7", "Königsberg", "Гродно", "29/20"])
def test_a_text_is_as_wide_as_the_table_says(text: str, bold: bool) -> None:
    """From one side of a bar to the other: the pen stands where the width says, within half a hundredth."""
    size = 10
    width = text_width(text + "■", size, bold=bold)
    document = PdfDocument(to_pdf([scene(Text(x=2, y=20, text=text + "■", size=size, bold=bold), width=200)]))
    letters = document[0].get_textpage()
    right = letters.get_charbox(letters.count_chars() - 1)[2] / 72 * 25.4
    assert right - 2 == pytest.approx(width - 0.09 * size, rel=0.005)


@pytest.mark.parametrize(
    "shape",
    [
        Circle(x=float("nan"), y=0, radius=1, fill="#000000"),
        Rectangle(x=0, y=0, width=float("inf"), height=1, fill="#000000"),
        Text(x=0, y=float("-inf"), text="a", size=3),
        Polyline(points=((0, 0), (1, float("nan"))), stroke="#000000"),
    ],
)
def test_a_length_that_is_none_is_an_error(shape: Shape) -> None:
    with pytest.raises(ValueError, match="not a length"):
        to_pdf([scene(shape)])


@pytest.mark.parametrize("size", [float("nan"), float("inf")])
def test_an_endless_page_is_an_error(size: float) -> None:
    with pytest.raises(ValueError, match="not a length"):
        to_pdf([scene(width=size)])


@pytest.mark.parametrize("colour", ["red", "#fff", "#12345g", "#1234567", "1 0 0 rg"])
def test_a_colour_that_is_none_is_an_error(colour: str) -> None:
    symbol: dict[str, Any] = {"view_box": (0, 0, 6, 4), "paths": (SymbolPath("M0 0L6 4", False, 1),)}
    for shape in (
        Polygon(points=((0, 0), (1, 0), (1, 1)), fill=colour),
        Circle(x=1, y=1, radius=1, stroke=colour),
        Text(x=1, y=1, text="a", size=3, halo=colour),
        Polyline(points=((0, 0), (1, 1)), stroke="#000000", casing=colour, casing_width=2),
        Symbol(x=0, y=0, width=6, height=4, ink=colour, **symbol),
    ):
        with pytest.raises(ValueError, match="not a colour"):
            to_pdf([scene(shape)])


@pytest.mark.parametrize("data", ["60 40", "M0", "M0 0A5 5 0 2 1 9 9", "M0 0C1 1 2 2"])
def test_a_path_that_is_none_is_an_error(data: str) -> None:
    bad = Symbol(x=0, y=0, width=6, height=4, view_box=(0, 0, 60, 40), paths=(SymbolPath(data, True, 0),))
    with pytest.raises(ValueError, match="not a path"):
        to_pdf([scene(bad)])


def test_pages_hold_several_scenes_and_are_found_by_their_bookmarks() -> None:
    tag = scene(Text(x=1, y=9, text="one", size=4))
    page = PdfPage(200, 100, (PlacedScene(tag, 0, 0, 100, 50), PlacedScene(tag, 100, 50, 50, 25)))
    assert text_of(pages_to_pdf([page])).split() == ["one", "one"]
    found = ((), ("Terrain",), ("Terrain", "Rail"), ("Königsberg (Łódź)",))
    pages = [PdfPage(100, 50, (), bookmarks=names) for names in found]
    document = PdfDocument(pages_to_pdf(pages))
    targets = [(entry.get_title(), dest.get_index()) for entry in document.get_toc() if (dest := entry.get_dest())]
    assert targets == [("Terrain", 1), ("Terrain", 2), ("Rail", 2), ("Königsberg (Łódź)", 3)]


def test_a_scene_in_two_places_is_held_once_and_as_faint_as_in_one() -> None:
    corner = scene(Rectangle(x=0, y=0, width=50, height=25, fill="#c02020"), width=100, height=50)
    page = PdfPage(100, 100, (PlacedScene(corner, 0, 0, 100, 50), PlacedScene(corner, 0, 50, 100, 50, turned=True)))
    data = pages_to_pdf([page], compress=False)
    assert data.count(b"0.753 0.125 0.125 rg") == 1
    pixels = PdfDocument(data)[0].render(scale=0.5).to_pil()
    assert [pixels.getpixel(at)[0] for at in ((20, 20), (120, 20), (20, 120), (120, 120))] == [0xC0, 255, 255, 0xC0]
    faint = scene(Rectangle(x=0, y=0, width=50, height=50, fill="#c02020", opacity=0.5))
    page = PdfPage(200, 50, (PlacedScene(faint, 0, 0, 100, 50), PlacedScene(faint, 100, 0, 100, 50)))
    (once, twice) = (
        PdfDocument(data)[0].render(scale=0.5).to_pil() for data in (to_pdf([faint]), pages_to_pdf([page]))
    )
    assert once.getpixel((20, 20)) == twice.getpixel((20, 20)) == twice.getpixel((161, 20)) == (223, 143, 143)


def test_a_page_says_where_it_is_trimmed_and_a_clip_cuts_a_scene_off() -> None:
    red = scene(Rectangle(x=0, y=0, width=100, height=50, fill="#c02020"))
    data = pages_to_pdf([PdfPage(100, 50, (PlacedScene(red, 0, 0, 100, 50, clip=(0, 0, 50, 50)),))])
    pixels = PdfDocument(data)[0].render(scale=0.5).to_pil()
    assert [pixels.getpixel(at)[0] for at in ((60, 30), (90, 30))] == [0xC0, 255]
    page = PdfDocument(pages_to_pdf([PdfPage(100, 50, (), trim=(5, 10, 80, 30), bleed=(2, 7, 86, 36))], unit=1))[0]
    assert page.get_trimbox() == pytest.approx((5, 10, 85, 40))
    assert page.get_bleedbox() == pytest.approx((2, 7, 88, 43))


def test_nothing_heavy_is_imported_and_no_settings_of_the_user_are_run(tmp_path: Path) -> None:
    code = "import sys, assistant.drawing.png; print({'reportlab', 'pypdfium2'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
    for name in (".reportlab_mods", ".reportlab_settings"):
        (tmp_path / name).write_text("print('run')", "utf-8")
    script = (
        "import sys\n"
        "from assistant.drawing.pdf import to_pdf\n"
        "from assistant.drawing.scene import Scene\n"
        "to_pdf([Scene(width=10, height=10, title='T')])\n"
        "print([name for name in sys.modules if name.startswith('reportlab_')])\n"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def inked(*shapes: Shape) -> bytes:
    """An open PDF of shapes in the inks of a press."""
    scene = Scene(width=50, height=50, title="", layers=(Layer("all", shapes),))
    page = PdfPage(50, 50, (PlacedScene(scene, 0, 0, 50, 50),))
    return pages_to_pdf([page], imprint=Imprint(press=PressProfile(press_profile())), compress=False)


def test_letters_are_black_ink_alone_and_no_colour_of_a_screen_is_left() -> None:
    data = inked(Text(x=5, y=20, text="Ink", size=8, fill=INK))
    assert b" 0 0 0 1 k" in data
    data = inked(
        Rectangle(x=0, y=0, width=40, height=40, fill="#9ba091", stroke="#043a71", stroke_width=1),
        Text(x=5, y=20, text="Ink", size=8, fill="#731124", halo="#ffffff"),
        Bitmap(x=1, y=1, width=9, height=9, columns=1, rows=1, pixels=bytes((255, 0, 0))),
    )
    assert not re.search(rb"[0-9] (rg|RG)\b", data)
    assert b"/CS /RGB" not in data
    assert b"/CS /CMYK" in data
    assert re.search(rb"[0-9] k\b", data)
    assert re.search(rb"[0-9] K\b", data)
    operators = "q 1 0 0 1 2.5 3 cm 0.5 0.5 0.5 rg BT /F1+0 1 Tf [<0a1b>] TJ ET Q"
    converted = PressProfile(press_profile()).convert_operators(operators)
    assert re.fullmatch(r"q 1 0 0 1 2.5 3 cm 0 0 0 0\.[0-9]+ k BT /F1\+0 1 Tf \[<0a1b>\] TJ ET Q", converted)
