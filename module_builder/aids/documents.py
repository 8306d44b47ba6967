"""Cards as files: a PDF with bookmarks, a folder of SVG pages, a picture of the first page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.drawing.lettering import missing_letters
from assistant.drawing.pdf import Page, PlacedScene, pages_to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene, Text
from assistant.drawing.svg import to_svg

from ..sheets.sizes import INCH
from .cards import Card

_PREVIEW = 110 / INCH
"""Pixels per millimetre."""


def pdf(title: str, cards: Sequence[Card]) -> bytes:
    """The pages of all cards, with a bookmark for each card. title: of the game."""
    pages = [_page(scene, "" if number else card.title) for card in cards for number, scene in enumerate(card.pages)]
    return pages_to_pdf(pages, title=f"{title}: player aids")


def svg_pages(cards: Sequence[Card]) -> dict[str, bytes]:
    """Each page as an SVG document, by its file name."""
    pages = [(card.name, scene) for card in cards for scene in card.pages]
    return {f"page-{n:02}-{name}.svg": to_svg(scene).encode() for n, (name, scene) in enumerate(pages, 1)}


def preview_of(cards: Sequence[Card]) -> bytes:
    """The first page as a PNG of 110 pixels to the inch."""
    return to_png([cards[0].pages[0]], _PREVIEW)[0]


def troubles(cards: Sequence[Card], most: int = 10) -> Iterator[str]:
    """What of the words could not be printed as it is meant, in at most so many lines: what found no room, and which
    letters the face lacks.
    """
    lines = list(dict.fromkeys(line for card in cards for line in _of_card(card)))
    yield from lines[:most]
    if len(lines) > most:
        yield f"and {len(lines) - most} more of this kind"


def _of_card(card: Card) -> Iterator[str]:
    for text in (shape for scene in card.pages for shape in _texts(scene)):
        if text.text.endswith("…"):
            yield f"{card.name}: {text.text!r} finds no room; shorten it"
        if letters := missing_letters(text.text):
            yield f"{card.name}: {text.text!r} has letters that the face lacks: {letters}"


def _texts(scene: Scene) -> Iterator[Text]:
    return (shape for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text))


def _page(scene: Scene, bookmark: str) -> Page:
    placed = PlacedScene(scene, 0.0, 0.0, scene.width, scene.height)
    return Page(scene.width, scene.height, (placed,), bookmark=bookmark)
