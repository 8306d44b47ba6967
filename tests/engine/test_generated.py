"""Generated counters and labels look as the engine draws them: the same symbols, texts and colours in the same places."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from module_builder.importing.pieces import read_piece
from module_builder.importing.source import Studio, open_source

from ..module_builder.importing.drawn_counters import module_of

COUNTERS = 50
MAX_SHIFT_PX = 2
MAX_SIZE_DIFFERENCE_PX = 3
"""The pixels by which a picture may be wider or higher: the engine rounds the width of each letter."""
MAX_COLOUR_DIFFERENCE = 90
MAX_SHARE_ELSEWHERE = 0.03
"""The share of pixels that may have no like pixel near: our letters have another shape."""
GROUND = (180, 220, 180, 255)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_counters_look_as_the_engine_draws_them(engine: ModuleType, tmp_path: Path, seed: int) -> None:
    file = tmp_path / "drawn.vmod"
    file.write_bytes(module_of(COUNTERS, seed))
    drawn = {str(number): tmp_path / f"{number}.png" for number in range(COUNTERS)}
    steps = [
        {"do": "draw", "slot": slot, "file": picture}
        if int(slot) % 2
        else {"do": "draw_generated", "name": f"drawn-{slot}", "file": picture}
        for slot, picture in drawn.items()
    ]
    with engine.Session(file) as session:
        session.play([{"do": "new"}, *steps])
    with open_source(file) as source:
        for slot in source.module.slots:
            piece = slot.piece._replace(traits=source.module.expanded(slot.piece.traits))
            face = Studio(source).face(read_piece(piece, source).front)
            assert face is not None
            ours = tmp_path / "ours.png"
            ours.write_bytes(face.data)
            assert_alike(ours, drawn[slot.id])


def assert_alike(ours: Path, theirs: Path) -> None:
    """Assert that each pixel of one picture has one of about its colour near its place in the other."""
    with Image.open(ours) as one, Image.open(theirs) as other:
        assert all(abs(a - b) <= MAX_SIZE_DIFFERENCE_PX for a, b in zip(one.size, other.size, strict=True)), theirs.name
        pixels = [flatten(picture) for picture in (one, other)]
    assert max(share_elsewhere(*pixels), share_elsewhere(*reversed(pixels))) <= MAX_SHARE_ELSEWHERE, theirs.name


def flatten(picture: Image.Image) -> Image.Image:
    """Return a picture on a ground that no counter has."""
    ground = Image.new("RGBA", picture.size, GROUND)
    ground.alpha_composite(picture.convert("RGBA"))
    return ground.convert("RGB")


def share_elsewhere(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels of a picture that have no like pixel near their place in another."""
    width, height = one.size
    bare = 0
    for y in range(height):
        for x in range(width):
            left, top = x - MAX_SHIFT_PX, y - MAX_SHIFT_PX
            near = other.crop((max(left, 0), max(top, 0), min(x + 3, other.width), min(y + 3, other.height)))
            colour = one.getpixel((x, y))
            assert isinstance(colour, tuple)
            bare += not any(
                max(abs(a - b) for a, b in zip(colour, like, strict=True)) <= MAX_COLOUR_DIFFERENCE
                for _, like in near.getcolors(25) or ()
                if isinstance(like, tuple)
            )
    return bare / (width * height)
