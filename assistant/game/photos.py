"""Photos of the owner's printed map: pictures that he paints the printed facts from, each with the taps that fit the
grid to it.

They lie beside the packs in the user's data folder, `photos/GAME/ID.jpg` with `ID.json`, and never in a pack: what
reads, writes or sends packs does not see them.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

from ..util.errors import InputError, Where
from ..util.files import data_folder, read_bytes
from ..util.limits import Limit
from ..util.notes import note
from ..util.patterns import late_pattern
from ..util.picture_head import JPEG_END, read_picture_head, without_origin
from ..util.writing import hold_folder, make_folder, write_all, write_whole

PART = 600_000
"""The most bytes of a part in which a photo arrives."""
MOST = 24
"""How many photos of a game are kept at most."""
_ID = late_pattern("[0-9a-z]{8,32}")
_LONGEST_TITLE = 80
_ABANDONED = 3600.0
"""Seconds after which parts of a photo that never became whole are removed."""
_FILE = late_pattern(r"(?P<id>[0-9a-z]{8,32})\.(?P<ending>jpg|json)")


class Tap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the photo shows the middle of a hex."""

    hex: Annotated[str, note("the printed number of the hex")]
    x: Annotated[float, note("pixels of the photo from its left edge"), msgspec.Meta(ge=-1e6, le=1e6)]
    y: Annotated[float, note("pixels of the photo from its upper edge"), msgspec.Meta(ge=-1e6, le=1e6)]


class Photo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A photo, and what fits the grid to it."""

    title: str
    board: str = ""
    """Whose hexes its taps name, "" for the printed map."""
    width: Annotated[int, msgspec.Meta(ge=1)]
    height: Annotated[int, msgspec.Meta(ge=1)]
    taps: tuple[Tap, ...] = ()
    """By which the grid is fitted."""
    places: tuple[Tap, ...] = ()
    """Hexes at which the owner has found the fit right, () for a photo that is not fitted yet."""


class Photos:
    """The photos of one game. game: its id."""

    def __init__(self, game: str) -> None:
        self.folder = data_folder() / "photos" / game

    def ids(self) -> list[str]:
        """Return which photos there are, the oldest first."""
        arrived = list[tuple[int, str]]()
        for file in self.folder.glob("*.json"):
            if _ID.fullmatch(file.stem):
                with suppress(FileNotFoundError):  # the picture was deleted by hand, or meanwhile
                    arrived.append((file.with_suffix(".jpg").stat().st_mtime_ns, file.stem))
        return [id for _, id in sorted(arrived)]

    def read(self, id: str) -> Photo:
        """Return what is known of a photo. Raises InputError if there is none of that id, or its file is damaged."""
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
        """Return the photo itself, as a JPEG. Raises InputError if there is none of that id."""
        return read_bytes(self._find_file(id, ".jpg"))

    def take_part(self, id: str, photo: Photo, part: int, parts: int, data: bytes) -> bool:
        """Keep a part of a photo that arrives, in any order and as often as it is sent; with the last one it is whole.
        Returns whether it is. Raises InputError for too many photos, for one that is too large, and for what is not a
        JPEG of the size stated.
        """
        most = Limit.PHOTO.most
        if not 0 <= part < parts or len(data) > PART or (parts - 1) * PART > most:
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
        """Keep a photo from another machine, with what fits the grid to it. Raises InputError for too many photos, for
        a picture that is too large or not a JPEG of the size described, and for what is not the description of a photo.
        """
        described = read_description(photo)
        check_picture(described, picture)
        with hold_folder(self.folder):
            self._check_room(id)
            self._write_photo(id, msgspec.structs.replace(described, title=clean_title(described.title)), picture)

    def _check_room(self, id: str) -> None:
        """Raise InputError if a photo would be one more than are kept."""
        if id not in (known := self.ids()) and len(known) >= MOST:
            raise InputError(f"{MOST} photos are saved already", hint="delete one that you no longer need")

    def _write_photo(self, id: str, photo: Photo, picture: bytes) -> None:
        check_picture(photo, picture)
        self._find_file(id, ".jpg")
        write_all(
            self.folder, {f"{id}.jpg": without_origin(picture), f"{id}.json": _write_description(photo)}, force=True
        )

    def keep_fit(self, id: str, board: str, taps: tuple[Tap, ...], places: tuple[Tap, ...]) -> Photo:
        """Keep the taps by which the grid is fitted to a photo, and the places at which that was found right."""
        with hold_folder(self.folder):
            photo = msgspec.structs.replace(self.read(id), board=board, taps=taps, places=places)
            write_whole(self._find_file(id, ".json"), _write_description(photo), force=True)
        return photo

    def delete(self, id: str) -> None:
        """Delete a photo and its fit; what was painted from it stays in the pack."""
        with hold_folder(self.folder):
            for ending in (".jpg", ".json"):  # a description alone takes no room
                self._find_file(id, ending).unlink(missing_ok=True)

    def files(self) -> dict[str, bytes]:
        """Return all photos with their fits, by the names of their files."""
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
        """Remove what has arrived of other photos and was given up."""
        for file in self.folder.glob("*.arriving"):
            if not file.name.startswith(f"{id}.") and time.time() - file.stat().st_mtime > _ABANDONED:
                file.unlink(missing_ok=True)


def photo_file(name: str) -> tuple[str, str] | None:
    """Return the id and the ending of the file of a photo, from its name; None for any other name."""
    found = _FILE.fullmatch(name)
    return (found["id"], found["ending"]) if found else None


def read_description(data: bytes) -> Photo:
    """Return what is known of a photo. Raises InputError for what is no such description."""
    try:
        return msgspec.json.decode(data, type=Photo)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("this does not describe a photo", hint="`assistant pack export --photos` writes it") from None


def check_picture(photo: Photo, picture: bytes) -> None:
    """Raise InputError for a picture that is too large, or not a whole JPEG of the size that is stated."""
    Limit.PHOTO.check(len(picture), "the photo has")
    head = read_picture_head(picture)
    is_whole = head.kind == "jpeg" and picture.endswith(JPEG_END)
    if not is_whole or (head.width, head.height) != (photo.width, photo.height):
        raise InputError("the photo did not arrive whole", hint="choose it again")
    Limit.PHOTO_PIXELS.check(head.width * head.height, "the photo has")


def clean_title(name: str) -> str:
    """Return what a photo is called, from the name of its file."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:_LONGEST_TITLE] or "photo"


def _write_description(photo: Photo) -> bytes:
    return msgspec.json.format(msgspec.json.encode(photo))
