"""Kind and size of a picture from the beginning of its file, without a picture library."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from assistant.util.errors import InputError
from assistant.util.picture_head import PictureHead, read_picture_head


def drawn(kind: str, size: tuple[int, int], **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "tan").save(out, kind, **options)
    return out.getvalue()


@given(st.sampled_from(["JPEG", "PNG", "WEBP"]), st.integers(1, 300), st.integers(1, 300), st.booleans())
def test_what_a_picture_library_writes_is_read(kind: str, width: int, height: int, other: bool) -> None:
    options: dict[str, object] = {"JPEG": {"progressive": other}, "PNG": {}, "WEBP": {"lossless": other}}[kind]  # type: ignore[assignment]
    assert read_picture_head(drawn(kind, (width, height), **options)) == PictureHead(kind.casefold(), width, height)


def test_a_webp_with_more_to_say_is_read() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (70, 40), (1, 2, 3, 4)).save(out, "WEBP", exif=Image.Exif().tobytes(), quality=50)
    assert out.getvalue()[12:16] == b"VP8X"
    assert read_picture_head(out.getvalue()) == PictureHead("webp", 70, 40)


def test_a_small_picture_within_a_photo_is_not_taken_for_it() -> None:
    """A camera puts one before the size of the whole."""
    small, whole = drawn("JPEG", (16, 12)), drawn("JPEG", (160, 120))
    exif = b"Exif\0\0" + small
    held = whole[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + whole[2:]
    assert read_picture_head(held) == PictureHead("jpeg", 160, 120)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a picture that the page can read"),
        (b"GIF89a\x10\0\x10\0", "not a picture that the page can read"),
        (b"<svg width='3' height='4'/>", "not a picture that the page can read"),
        (b"RIFF\0\0\0\0WAVEfmt ", "not a picture that the page can read"),
        (drawn("PNG", (30, 20))[:20], "the PNG does not say how large it is"),
        (drawn("JPEG", (30, 20))[:60], "the JPEG does not say how large it is"),
        (drawn("WEBP", (30, 20))[:20], "the WEBP does not say how large it is"),
        (b"\xff\xd8\xff\xe1\0\0" + b"\0" * 50, "the JPEG does not say how large it is"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 0, 5), "the PNG has no pixels"),
    ],
)
def test_what_is_no_picture_is_told(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        read_picture_head(data)
    assert "JPEG, PNG or WebP" in str(refused.value.hint)


@given(st.sampled_from(["JPEG", "PNG", "WEBP"]), st.data())
def test_spoiled_pictures_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    held = bytearray(drawn(kind, (90, 60)))
    for _ in range(data.draw(st.integers(1, 6))):
        held[data.draw(st.integers(4, len(held) - 1))] = data.draw(st.integers(0, 255))
    spoiled = bytes(held[: data.draw(st.integers(0, len(held)))])
    try:
        assert read_picture_head(spoiled).width > 0
    except InputError as refused:
        assert refused.hint
