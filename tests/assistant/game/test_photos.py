"""Photos of the owner's map: they arrive in parts, become whole or do not, and lie beside his pack."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from assistant.game import photos as module
from assistant.game.photos import Photo, Photos, Tap, clean_title, photo_file
from assistant.util.errors import InputError
from assistant.util.picture_head import JPEG_END, without_origin

ID = "0123456789abcdef"


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Photos:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    return Photos("a-game")


def jpeg(size: tuple[int, int] = (120, 80), shade: str = "tan") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, shade).save(out, "JPEG")
    return out.getvalue()


SHEET = Photo(title="sheet A.jpg", width=120, height=80)


def put(photos: Photos, id: str = ID, data: bytes | None = None, photo: Photo = SHEET) -> bool:
    return photos.take_part(id, photo, 0, 1, jpeg() if data is None else data)


def test_a_photo_arrives_in_parts_in_any_order_and_more_than_once(photos: Photos) -> None:
    data = jpeg()
    parts = [data[:200], data[200:500], data[500:]]
    arrived = [photos.take_part(ID, SHEET, at, 3, parts[at]) for at in (1, 0, 0, 2)]
    assert arrived == [False, False, False, True]
    assert (photos.picture(ID), photos.read(ID), photos.ids()) == (data, SHEET, [ID])
    assert sorted(file.name for file in photos.folder.iterdir() if not file.name.startswith(".")) == [
        f"{ID}.jpg",
        f"{ID}.json",
    ]


def taken(data: bytes) -> bytes:
    """A picture as a telephone hands it over: with its place, a small picture, and a film behind it."""
    position = Image.Exif()
    position[0x0110] = "my own telephone"
    position.get_ifd(0x8825)[1] = "N"
    with Image.open(io.BytesIO(data)) as picture:
        out = io.BytesIO()
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        picture.save(
            out, "JPEG", quality=75, exif=position, icc_profile=profile, xmp=b"<x:xmpmeta>my garden</x:xmpmeta>"
        )
    return out.getvalue() + b"a film of my garden" + JPEG_END


def test_a_photo_is_kept_without_where_and_by_what_it_was_taken(photos: Photos) -> None:
    raw = taken(jpeg())
    assert b"my own telephone" in raw
    assert put(photos, data=raw)
    kept = photos.picture(ID)
    for said in (b"Exif", b"telephone", b"garden", b"xmpmeta"):
        assert said not in kept
    with Image.open(io.BytesIO(kept)) as after, Image.open(io.BytesIO(raw)) as before:
        assert after.tobytes() == before.tobytes()
        assert after.info["icc_profile"] == before.info["icc_profile"]
    photos.put_in("b" * 16, module._write_description(SHEET), raw)
    assert photos.picture("b" * 16) == kept
    assert without_origin(kept) == kept


@pytest.mark.parametrize("data", [b"", b"GIF89a", jpeg((119, 80)), jpeg()[:150], jpeg()[:-2]])
def test_what_is_not_the_photo_is_refused_and_nothing_is_kept(photos: Photos, data: bytes) -> None:
    with pytest.raises(InputError):
        put(photos, data=data)
    assert photos.ids() == []
    assert not [*photos.folder.glob("*.arriving")]


def test_a_photo_that_is_too_large_is_refused(photos: Photos, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PHOTO", "600")
    with pytest.raises(InputError, match="the photo has more than 600 bytes"):
        put(photos)
    with pytest.raises(InputError, match="the photo has more than"):
        photos.take_part(ID, SHEET, 2, 3, b"x")
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PHOTO", "1M")
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PHOTO_PIXELS", "9000")
    with pytest.raises(InputError, match="the photo has more than 9000 pixels"):
        put(photos)
    assert photos.ids() == []


@pytest.mark.parametrize("id", ["", "short", "../../etc/passwd", "ABCDEFGH", "a" * 33, "abcdefgh/x"])
def test_no_name_leads_out_of_the_folder(photos: Photos, id: str) -> None:
    for ask in (
        lambda: put(photos, id),
        lambda: photos.picture(id),
        lambda: photos.read(id),
        lambda: photos.delete(id),
    ):
        with pytest.raises(InputError, match="is not the id of a photo"):
            ask()


def test_so_many_photos_and_no_more(photos: Photos, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PHOTOS", 2)
    put(photos, "aaaaaaaa")
    put(photos, "bbbbbbbb")
    put(photos, "bbbbbbbb")
    with pytest.raises(InputError, match="2 photos are saved already"):
        put(photos, "cccccccc")
    photos.delete("aaaaaaaa")
    put(photos, "cccccccc")
    assert photos.ids() == ["bbbbbbbb", "cccccccc"]


def test_parts_that_were_given_up_are_removed(photos: Photos) -> None:
    photos.take_part("aaaaaaaa", SHEET, 0, 2, b"x")
    photos.take_part("bbbbbbbb", SHEET, 0, 2, b"x")
    old = photos.folder / "aaaaaaaa.0.arriving"
    os.utime(old, (time.time() - 7200,) * 2)
    put(photos)
    assert [file.name for file in photos.folder.glob("*.arriving")] == ["bbbbbbbb.0.arriving"]


def test_a_fit_is_kept_with_its_photo(photos: Photos) -> None:
    put(photos)
    taps, places = (Tap("41.19", 10.5, 20.25),), (Tap("41.20", 11.0, 40.0),)
    photos.keep_fit(ID, "", taps, places)
    kept = Photos("a-game").read(ID)
    assert (kept.taps, kept.places, kept.title) == (taps, places, "sheet A.jpg")
    photos.delete(ID)
    assert photos.ids() == []
    with pytest.raises(InputError, match="no longer there"):
        photos.read(ID)


def test_names() -> None:
    assert photo_file(f"{ID}.jpg") == (ID, "jpg")
    assert photo_file(f"{ID}.json") == (ID, "json")
    assert [photo_file(name) for name in ("x.jpg", f"../{ID}.jpg", f"{ID}.png", f"{ID}.jpg.json")] == [None] * 4
    assert clean_title("a\x1b[31m\nb.jpg") == "a[31mb.jpg"
    assert clean_title("\n") == "photo"
    assert len(clean_title("x" * 500)) == 80


def test_a_photo_without_its_picture_or_with_a_damaged_description(photos: Photos) -> None:
    put(photos)
    put(photos, "b" * 16)
    (photos.folder / f"{ID}.jpg").unlink()
    assert photos.ids() == ["b" * 16]
    assert set(photos.files()) == {f"{'b' * 16}.jpg", f"{'b' * 16}.json"}
    put(photos)
    (photos.folder / f"{ID}.json").write_text('{"title": 3}')
    with pytest.raises(InputError) as refused:
        photos.read(ID)
    assert str(refused.value.where).endswith(f"{ID}.json")


def test_photos_from_another_machine_are_cleaned_and_no_more_than_are_kept(
    photos: Photos, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos.put_in(ID, b'{"title": "a\\u001b[31m/b", "width": 120, "height": 80}', jpeg())
    assert photos.read(ID).title == "a[31m/b"
    put(photos)
    monkeypatch.setattr(module, "MAX_PHOTOS", 1)
    description = (photos.folder / f"{ID}.json").read_bytes()
    photos.put_in(ID, description, jpeg())
    with pytest.raises(InputError, match="1 photos are saved already"):
        photos.put_in("b" * 16, description, jpeg())
    assert photos.ids() == [ID]
