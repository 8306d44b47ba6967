"""QR codes: the same modules in each kind of picture, and what is said when there can be none."""

from __future__ import annotations

import re
import sys
from io import BytesIO

import pytest
from PIL import Image

from assistant.drawing.qr import qr_code
from assistant.util.errors import InputError

ADDRESS = "https://example.org/table/#fs1.BF7mN4OQJeWZOaBUgKLDxEDPyMBKwchU35gLAA"


def modules(text: str) -> list[list[bool]]:
    return [[bool(module) for module in row] for row in qr_code(text).code.matrix_iter(border=4)]


def test_a_png_has_a_square_of_pixels_for_each_module() -> None:
    picture = Image.open(BytesIO(qr_code(ADDRESS).draw(".png"))).convert("L")
    rows = modules(ADDRESS)
    assert picture.size == (8 * len(rows), 8 * len(rows))
    assert [
        [picture.getpixel((8 * x + 3, 8 * y + 3)) < 128 for x in range(len(rows))] for y in range(len(rows))
    ] == rows


def test_a_terminal_that_writes_light_on_dark_shows_the_modules() -> None:
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    shown = [[halves[letter][half] for letter in line] for line in qr_code(ADDRESS).in_letters() for half in (0, 1)]
    assert shown[: len(modules(ADDRESS))] == modules(ADDRESS)


def test_an_svg_says_nothing_but_the_code() -> None:
    svg = qr_code(ADDRESS).draw(".svg").decode()
    assert re.findall(r"<(\w+)", svg) == ["svg", "g", "path", "path"]
    assert "viewBox" in svg


@pytest.mark.parametrize(("letters", "version", "dense"), [(14, 1, False), (997, 25, False), (998, 26, True)])
def test_how_dense_it_is(letters: int, version: int, dense: bool) -> None:
    code = qr_code("a" * letters)
    assert (code.version, code.is_dense) == (version, dense)


def test_what_no_code_can_hold() -> None:
    with pytest.raises(InputError, match="2332 letters are too many for a QR code"):
        qr_code("a" * 2332)


def test_without_segno_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(InputError, match="QR codes need the package segno") as caught:
        qr_code(ADDRESS)
    assert caught.value.hint == "install it, or Field Staff again"
