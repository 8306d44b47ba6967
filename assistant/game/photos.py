"""Photos of the owner's printed map, each with the taps that fit the grid to it.

The owner paints facts of the map from them. They are in the user's data folder beside the packs, `photos/GAME/ID.jpg`
with `ID.json`, and never part of a pack.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

from ..util import clock
from ..util.errors import InputError, Where
from ..util.files import data_folder, read_bytes
from ..util.limits import Limit
from ..util.notes import note
from ..util.patterns import late_pattern
from ..util.picture_head import JPEG_END, read_picture_head, without_origin
from ..util.writing import hold_folder, make_folder, write_all, write_whole

MAX_PART_BYTES = 600_000
"""The maximum size of a part in which a photo is sent."""
MAX_PHOTOS = 24
"""The maximum number of photos of a game."""
_ID = late_pattern("[0-9a-z]{8,32}")
_MAX_TITLE_LETTERS = 80
_PART_LIFETIME_SECONDS = 3600.0
"""The age at which parts of an incomplete photo are removed."""
_FILE = late_pattern(r"(?P<id>[0-9a-z]{8,32})\.(?P<ending>jpg|json)")


class Tap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The centre of a hex on the photo."""

    hex: Annotated[str, note("the printed number of the hex")]
    x: Annotated[float, note("pixels from the left edge of the photo"), msgspec.Meta(ge=-1e6, le=1e6)]
    y: Annotated[float, note("pixels from the upper edge of the photo"), msgspec.Meta(ge=-1e6, le=1e6)]


class Photo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The description of a photo, with the taps that fit the grid to it."""

    title: str
    board: str = ""
    """The board whose hexes the taps name, or "" for the printed map."""
    width: Annotated[int, msgspec.Meta(ge=1)]
    height: Annotated[int, msgspec.Meta(ge=1)]
    taps: tuple[Tap, ...] = ()
    """The taps to which the grid is fitted."""
    places: tuple[Tap, ...] = ()
    """The hexes at which the owner has confirmed the fit, or () before that."""


class Photos:
    """The photos of one game."""

    def __init__(self, game: str) -> None:
        self.folder = data_folder() / "photos" / game

    def ids(self) -> list[str]:
        """Return the ids of the photos, the oldest first."""
        arrived = list[tuple[int, str]]()
        for file in self.folder.glob("*.json"):
            if _ID.fullmatch(file.stem):
                with suppress(FileNotFoundError):  # the picture may have been deleted
                    arrived.append((file.with_suffix(".jpg").stat().st_mtime_ns, file.stem))
        return [id for _, id in sorted(arrived)]

    def read(self, id: str) -> Photo:
        """Return the description of a photo. Raises InputError if there is none, or if its file is damaged."""
        file = self._find_file(id, ".json")
        if not file.exists():
            raise InputError("this photo is no longer there", hint="choose the file again")
        try:
            return msgspec.json.decode(read_bytes(file), type=Photo)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(
                str(error), where=Where(str(file)), hint="delete the photo, and choose its file again"
            ) from None

    def picture(self, id: str) -> bytes:
        """Return a photo as a JPEG. Raises InputError if there is none."""
        return read_bytes(self._find_file(id, ".jpg"))

    def take_part(self, id: str, photo: Photo, part: int, parts: int, data: bytes) -> bool:
        """Save a part of a photo, and return whether the photo is now complete.

        Parts may arrive in any order and repeatedly.

        Raises InputError if there are too many photos, or if the photo is too large or not a JPEG of the stated size.
        """
        most = Limit.PHOTO.most
        if not 0 <= part < parts or len(data) > MAX_PART_BYTES or (parts - 1) * MAX_PART_BYTES > most:
            raise Limit.PHOTO.error("the photo has")
        make_folder(self.folder)
        with hold_folder(self.folder):
            self._remove_abandoned(id)
            self._check_room(id)
            write_whole(self._find_part(id, part), data, force=True)
            files = [self._find_part(id, number) for number in range(parts)]
            if not all(file.exists() for file in files):
                return False
            whole = b"".join(file.read_bytes() for file in files)
            try:
                self._write_photo(id, photo, whole)
            finally:
                for file in files:
                    file.unlink(missing_ok=True)
        return True

    def put_in(self, id: str, photo: bytes, picture: bytes) -> None:
        """Save a photo from another machine, with its description.

        `photo`: the description as stored.
        `picture`: the JPEG.

        Raises InputError if there are too many photos, or if the picture or its description is not valid.
        """
        described = read_description(photo)
        check_picture(described, picture)
        with hold_folder(self.folder):
            self._check_room(id)
            self._write_photo(id, msgspec.structs.replace(described, title=clean_title(described.title)), picture)

    def _check_room(self, id: str) -> None:
        if id not in (known := self.ids()) and len(known) >= MAX_PHOTOS:
            raise InputError(f"{MAX_PHOTOS} photos are saved already", hint="delete one that you no longer need")

    def _write_photo(self, id: str, photo: Photo, picture: bytes) -> None:
        check_picture(photo, picture)
        self._find_file(id, ".jpg")
        write_all(
            self.folder, {f"{id}.jpg": without_origin(picture), f"{id}.json": _write_description(photo)}, force=True
        )

    def keep_fit(self, id: str, board: str, taps: tuple[Tap, ...], places: tuple[Tap, ...]) -> Photo:
        """Save the taps to which the grid is fitted, and the hexes at which the owner has confirmed the fit."""
        with hold_folder(self.folder):
            photo = msgspec.structs.replace(self.read(id), board=board, taps=taps, places=places)
            write_whole(self._find_file(id, ".json"), _write_description(photo), force=True)
        return photo

    def delete(self, id: str) -> None:
        """Delete a photo and its fit. Facts painted from it stay in the pack."""
        with hold_folder(self.folder):
            for ending in (".jpg", ".json"):  # the picture first: a description left by an interruption is small
                self._find_file(id, ending).unlink(missing_ok=True)

    def files(self) -> dict[str, bytes]:
        """Return all photos and their descriptions by file name."""
        return {
            f"{id}{ending}": read_bytes(self._find_file(id, ending))
            for id in self.ids()
            for ending in (".jpg", ".json")
        }

    def _find_file(self, id: str, ending: str) -> Path:
        if not _ID.fullmatch(id):
            raise InputError(f"{id[:40]!r} is not the id of a photo")
        return self.folder / f"{id}{ending}"

    def _find_part(self, id: str, number: int) -> Path:
        return self._find_file(id, f".{number}.arriving")

    def _remove_abandoned(self, id: str) -> None:
        """Remove old parts of other photos that never became complete."""
        for file in self.folder.glob("*.arriving"):
            if not file.name.startswith(f"{id}.") and clock.now() - file.stat().st_mtime > _PART_LIFETIME_SECONDS:
                file.unlink(missing_ok=True)


def photo_file(name: str) -> tuple[str, str] | None:
    """Return the id and the suffix in the file name of a photo, or None for the name of another file."""
    match = _FILE.fullmatch(name)
    return (match["id"], match["ending"]) if match else None


def read_description(data: bytes) -> Photo:
    """Return the description of a photo. Raises InputError if the data does not describe one."""
    try:
        return msgspec.json.decode(data, type=Photo)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("this does not describe a photo", hint="`assistant pack export --photos` writes it") from None


def check_picture(photo: Photo, picture: bytes) -> None:
    """Raise InputError if a picture is too large, or not a complete JPEG of the stated size."""
    Limit.PHOTO.check(len(picture), "the photo has")
    head = read_picture_head(picture)
    is_whole = head.kind == "jpeg" and picture.endswith(JPEG_END)
    if not is_whole or (head.width, head.height) != (photo.width, photo.height):
        raise InputError("the photo did not arrive whole", hint="choose it again")
    Limit.PHOTO_PIXELS.check(head.width * head.height, "the photo has")


def clean_title(name: str) -> str:
    """Return the title of a photo, made from its file name."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:_MAX_TITLE_LETTERS] or "photo"


def _write_description(photo: Photo) -> bytes:
    return msgspec.json.format(msgspec.json.encode(photo))
