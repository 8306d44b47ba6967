"""The faces of a real game on its sheets: a cut or a back that is off shows their own ground, and their letters whole."""

from __future__ import annotations

import pypdfium2
import pytest

from assistant.game.games import Game
from module_builder.counters.pieces import design_counters
from module_builder.sheets.layout import SheetSetting, edges_of
from module_builder.sheets.pages import back_of, lay_out_counters, sheets_pdf
from module_builder.sheets.sizes import DIES, PAPERS, Box
from tests.module_builder.counters.made import markers

from ...cases import few

SCALE = 8
"""Pixels per millimetre."""


@few(4)
@pytest.mark.parametrize("die", ["9/16", "0.6", "5/8", "15mm"])
@pytest.mark.parametrize("variant", ["colour", "low-ink"])
def test_faces_have_one_colour_at_their_edges(twilight: Game, die: str, variant: str) -> None:
    cut = {"side": DIES[die], "bleed": 1.5, "rounded": False, "variant": variant}
    for counter in [*design_counters(twilight, **cut), *markers(twilight, **cut)]:  # type: ignore[arg-type]
        for face in (counter.front, back_of(counter)):
            seen = edges_of(face, counter.bleed)
            assert len({colours for pair in seen for colours in pair}) == 1, (counter.unit, face.title)


def test_a_millimetre_inside_every_trim_is_ground(twilight: Game) -> None:
    """On the PDF itself: from the bleed to the safe area each face of the first page is of one colour."""
    setting = SheetSetting(PAPERS["a4"], "gutter", DIES["5/8"], 1.5)
    cut = {"side": setting.die, "bleed": setting.bleed, "rounded": False}
    made = lay_out_counters(twilight.title, design_counters(twilight, **cut), setting)  # type: ignore[arg-type]
    with pypdfium2.PdfDocument(sheets_pdf(made)) as document:
        picture = document[0].render(scale=SCALE * 25.4 / 72).to_pil().convert("RGB")
    sheet = made.sheets[0]
    for place in (*sheet.fronts, *sheet.backs):
        outer, inner = place.trim.grown(-0.15), place.trim.grown(-1.0)
        colours = set()
        for strip in around(outer, inner):
            found = picture.crop(tuple(round(edge * SCALE) for edge in strip)).getcolors(10_000)  # type: ignore[arg-type]
            colours |= {colour for _, colour in found or ()}
        assert len(colours) == 1, made.counters[place.piece].unit


def around(outer: Box, inner: Box) -> list[tuple[float, float, float, float]]:
    """The four strips between two boxes, by their edges."""
    return [
        (outer.left, outer.top, outer.right, inner.top),
        (outer.left, inner.bottom, outer.right, outer.bottom),
        (outer.left, outer.top, inner.left, outer.bottom),
        (inner.right, outer.top, outer.right, outer.bottom),
    ]
