"""The plain PDF that pictures are rendered from: every pixel as in the PDF for readers."""

from __future__ import annotations

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.drawing.lettering import placed
from assistant.drawing.pdf import Page, PlacedScene, pages_to_pdf
from assistant.drawing.pdf_plain import plain_pdf
from assistant.drawing.scene import Layer, Polygon, Rectangle, Scene, Shape, Text

from ...cases import examples


def pixels(pdf: bytes) -> list[bytes]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [bytes(page.render(scale=1).buffer) for page in document]


def page(*shapes: Shape, width: float = 120, turned: bool = False) -> Page:
    scene = Scene(width=60, height=30, title="T", layers=(Layer("all", shapes),))
    clip = (4.0, 2.0, 90.0, 50.0)
    return Page(width, 60, (PlacedScene(scene, 3, 2, 110, 50, turned, clip), PlacedScene(scene, 60, 20, 30, 15)))


def same(*pages: Page) -> bool:
    return pixels(plain_pdf(pages)) == pixels(pages_to_pdf(pages, unit=1))


words = st.text(st.sampled_from("AVToy 0189/-ąßЖж◊?()\\<>"), min_size=1, max_size=8)


@settings(max_examples=examples(40), deadline=None)
@given(words, st.booleans(), st.sampled_from(["", "#ffffff"]), st.floats(2, 14))
def test_letters_stand_where_readers_see_them(text: str, bold: bool, halo: str, size: float) -> None:
    assert same(page(Text(x=2.5, y=20, text=text, size=size, bold=bold, halo=halo, fill="#203040")))


def test_faint_shapes_and_pages_of_several_sizes() -> None:
    faint = [Rectangle(x=n * 9, y=3, width=14, height=20, fill="#c02020", opacity=n / 5) for n in range(1, 6)]
    triangle = Polygon(points=((5, 5), (50, 9), (20, 28)), fill="#20c020", stroke="#000000", width=1.5)
    first, second = page(*faint, triangle, turned=True), page(triangle, width=200)
    assert same(first, second)
    assert pixels(plain_pdf([first]))[0] != pixels(plain_pdf([page(triangle, turned=True)]))[0]


def test_all_letters_of_the_face_are_there() -> None:
    from assistant.drawing.lettering import _metrics

    letters = _metrics().letters
    assert placed(letters).text == letters
    for start in range(0, len(letters), 12):
        assert same(page(Text(x=1, y=20, text=letters[start : start + 12], size=6)))


@pytest.mark.parametrize("colour", ["red", "#12345", ""])
def test_a_colour_that_is_none_is_an_error(colour: str) -> None:
    with pytest.raises(ValueError, match="is not a colour"):
        plain_pdf([page(Text(x=1, y=9, text="T", size=9, fill=colour))])
