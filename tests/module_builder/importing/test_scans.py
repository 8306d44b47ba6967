"""Pictures of boards that are too large, made smaller."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from PIL import Image, ImageChops

from assistant.drawing.faces import PictureFile
from assistant.game.boards.map_picture import BoxArea, MapPicture
from module_builder.importing.scans import Scan, fit_scan, shrink_place, shrink_places

SIZE = (301, 523)
ENDINGS = {"PNG": "png", "GIF": "gif", "JPEG": "jpg"}


def noise(mode: str) -> Image.Image:
    """A picture of noise over broad stripes."""
    grey = Image.blend(Image.effect_noise(SIZE, 60), Image.linear_gradient("L").resize(SIZE), 0.5)
    whole = Image.merge(
        "RGBA", (grey, grey.rotate(90).resize(SIZE), grey.rotate(180), grey.point([9 * n % 256 for n in range(256)]))
    )
    if mode == "P":
        return whole.convert("RGB").quantize(200)
    if mode == "LA":
        return whole.convert("LA")
    return whole.convert("L").convert(mode) if mode in ("1", "L") else whole.convert(mode)


def saved(whole: Image.Image, kind: str, **options: Any) -> PictureFile:
    file = io.BytesIO()
    whole.save(file, kind, **options)
    return PictureFile(ENDINGS[kind], file.getvalue())


def made_smaller(picture: PictureFile, factor: int, monkeypatch: pytest.MonkeyPatch) -> Image.Image:
    """The picture as it is made smaller where a picture may not have as many pixels."""
    pixels = SIZE[0] * SIZE[1]
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", str(2 * pixels // factor**2 + 1))
    scan = fit_scan(picture, SIZE)
    assert scan.picture is not None and scan.factor == factor
    return Image.open(io.BytesIO(scan.picture.data))


@pytest.mark.parametrize("factor", [2, 4, 16])
@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("1", {}),
        ("L", {}),
        ("LA", {}),
        ("P", {}),
        ("P", {"bits": 4}),
        ("P", {"bits": 2}),
        ("P", {"bits": 1}),
        ("P", {"transparency": 3}),
        ("RGB", {}),
        ("RGB", {"transparency": (9, 9, 9)}),
        ("RGBA", {}),
    ],
)
def test_strips_of_a_png_make_what_the_whole_makes(
    mode: str, options: dict[str, Any], factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = saved(
        noise(mode) if "bits" not in options else noise("L").quantize(2 ** options["bits"]), "PNG", **options
    )
    found = made_smaller(picture, factor, monkeypatch)
    with Image.open(io.BytesIO(picture.data)) as whole:
        opaque = "L" if whole.mode in ("1", "L") else "RGB"
        wanted = whole.convert("RGBA" if whole.has_transparency_data else opaque).reduce(factor)
    assert found.mode == wanted.mode and found.size == wanted.size and found.tobytes() == wanted.tobytes()


def _filtered(depth: int, rows: int = 300) -> PictureFile:
    """A grey PNG with so many bits to a sample."""
    whole = Image.effect_noise((200, rows), 90)
    packed = whole.tobytes("raw", f"L;{depth}")
    length = -(-200 * depth // 8)
    lines = b"".join(b"\0" + packed[at : at + length] for at in range(0, len(packed), length))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 200, rows, depth, 0, 0, 0, 0))
    body = b"".join(
        chunk(b"IDAT", zlib.compress(lines)[at : at + 99]) for at in range(0, len(zlib.compress(lines)), 99)
    )
    return PictureFile("png", b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b""))


@pytest.mark.parametrize("depth", [2, 4])
def test_a_grey_png_of_few_bits_is_read_in_strips(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = _filtered(depth)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", "30000")
    scan = fit_scan(picture, (200, 300))
    assert scan.picture is not None and scan.factor == 2
    with Image.open(io.BytesIO(picture.data)) as whole, Image.open(io.BytesIO(scan.picture.data)) as found:
        assert found.tobytes() == whole.convert("L").reduce(2).tobytes()


@pytest.mark.parametrize(("kind", "factor"), [("GIF", 2), ("JPEG", 2), ("JPEG", 8)])
def test_other_pictures_are_made_smaller_too(kind: str, factor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = saved(noise("P" if kind == "GIF" else "RGB"), kind)
    found = made_smaller(picture, factor, monkeypatch).convert("L")
    with Image.open(io.BytesIO(picture.data)) as whole:
        wanted = whole.convert("RGB").reduce(factor).convert("L")
    assert found.size == wanted.size
    assert max(ImageChops.difference(found, wanted).resize((5, 5), Image.Resampling.BOX).tobytes()) < 12


def test_only_a_picture_of_too_many_pixels_or_bytes_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = saved(noise("RGB"), "PNG")
    assert fit_scan(picture, SIZE) == Scan(picture, 1)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FILE", str(len(picture.data) // 3))
    scan = fit_scan(picture, SIZE)
    assert scan.picture is not None and scan.factor == 2 and len(scan.picture.data) <= len(picture.data) // 3
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FILE", "60")
    assert fit_scan(picture, SIZE).picture is None


@pytest.mark.parametrize(
    ("kind", "cut"),
    [
        ("PNG", 20),
        ("PNG", 40),
        ("PNG", 200),
        *((kind, cut) for kind in ("GIF", "JPEG") for cut in (20, 200, -3000, -9)),
    ],
)
def test_a_picture_that_ends_too_early_is_none(kind: str, cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = saved(noise("P" if kind == "GIF" else "RGB"), kind)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", "90000")
    assert fit_scan(picture._replace(data=picture.data[:cut]), SIZE) == Scan(None)


@pytest.mark.parametrize(("cut", "least"), [(-200_000, 100), (-3000, 250), (-9, 261)])
def test_of_a_png_that_ends_too_early_its_upper_rows_are_left(
    cut: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = saved(noise("RGB"), "PNG")
    whole = made_smaller(picture, 2, monkeypatch)
    spoiled = made_smaller(picture._replace(data=picture.data[:cut]), 2, monkeypatch)
    upper = (0, 0, whole.width, least)
    assert spoiled.size == whole.size and spoiled.crop(upper).tobytes() == whole.crop(upper).tobytes()


def test_places_move_with_their_picture() -> None:
    picture = MapPicture(
        file="map.png",
        first=(-30, 41),
        step=(69.0, 81.0),
        areas=(BoxArea(((0, 0), (100, 0), (100, 50)), {"A": (10, 10), "B": (9, 10), "C": (41, 20)}),),
        boxes={"D": (7, 9)},
    )
    smaller = shrink_places(picture, 4)
    assert (smaller.first, smaller.step, smaller.boxes) == ((-8, 10), (17.25, 20.25), {"D": (2, 2)})
    assert smaller.areas == (BoxArea(((0, 0), (25, 0), (25, 12)), {"A": (2, 2), "C": (10, 5)}),)


@pytest.mark.parametrize("factor", [2, 4, 8])
def test_boards_lie_on_a_smaller_picture_where_its_places_do(factor: int) -> None:
    for x in range(-40, 40):
        placed = shrink_places(MapPicture(file="map.png", step=(69.0, 81.0), boxes={"A": (x, 3 * x)}), factor)
        assert placed.boxes["A"] == shrink_place((x, 3 * x), factor)
