"""A pack as one file, to keep a copy or to move it to another machine."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

from ..util.errors import InputError, Where
from ..util.files import read_own, scratch_folder
from ..util.limits import Limit
from .pack_charts import Doubt
from .packs import Pack, overlay_pack
from .photos import MAX_PHOTOS, Photos, check_picture, photo_file, read_description
from .schedule_files import read_schedules

_DATE = (1980, 1, 1, 0, 0, 0)
PHOTOS = "photos/"
"""The folder of photos in the zip file."""


def pack_archive(pack: Pack, *, with_photos: bool = False) -> bytes:
    """Return the files of a pack as a zip file; equal files give equal bytes.

    `with_photos`: whether to add the owner's photos of the map.
    """
    files = {path.relative_to(pack.folder).as_posix(): read_own(path) for path in pack.files.list_existing()}
    if with_photos:
        files |= {f"{PHOTOS}{name}": data for name, data in Photos(pack.game.id).files().items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as container:
        for name, data in files.items():
            container.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def take_archive(pack: Pack, data: bytes, name: str) -> list[Doubt]:
    """Replace files of a pack by those of an archive, all or none, and return the doubts about its charts.

    Raises InputError if the data is not an archive, or has a foreign file or a contradiction of the rulebook.
    """
    files = _read_archive(data, name, pack)
    photos = _read_photos(files, name)
    files = {file: held for file, held in files.items() if not file.startswith(PHOTOS)}
    with scratch_folder() as folder:
        trial = Pack(pack.game, folder, pack.charts.facts)
        trial.files.put_in(files)
        try:
            doubts = _check_pack(trial)
        except InputError as error:
            place = _place_within(error.where, trial.folder)
            raise InputError(
                f"{place}: {error.what}" if place else error.what, where=Where(name), hint=error.hint
            ) from None
    if files:
        pack.files.put_in(files)
    for id, (described, picture) in photos.items():
        Photos(pack.game.id).put_in(id, described, picture)
    return doubts


def _read_photos(files: dict[str, bytes], name: str) -> dict[str, tuple[bytes, bytes]]:
    parts: dict[str, dict[str, bytes]] = {}
    for file, data in files.items():
        if file.startswith(PHOTOS) and (found := photo_file(file.removeprefix(PHOTOS))):
            parts.setdefault(found[0], {})[found[1]] = data
    for id, part in parts.items():
        try:
            check_picture(read_description(part.get("json", b"")), part.get("jpg", b""))
        except InputError as error:
            raise InputError(f"{PHOTOS}{id}: {error.what}", where=Where(name), hint=error.hint) from None
    if len(parts) > MAX_PHOTOS:
        raise InputError(f"it holds more than {MAX_PHOTOS} photos", where=Where(name), hint="take some out")
    return {id: (part["json"], part["jpg"]) for id, part in parts.items()}


def _is_file_of(pack: Pack, name: str) -> bool:
    return pack.files.is_name(name) or (name.startswith(PHOTOS) and photo_file(name.removeprefix(PHOTOS)) is not None)


def _check_pack(pack: Pack) -> list[Doubt]:
    game = overlay_pack(pack.game, pack.folder)
    pack.check_counters()
    for contradicted in pack.check_ground():
        raise contradicted
    read_schedules(game)
    return [doubt for chart in game.charts for doubt in pack.charts.check_cells(chart, pack.charts.cells(chart))]


def _place_within(where: Where | None, folder: Path) -> str:
    """Return a place relative to a folder, or "" if there is none."""
    for within in (folder, folder.resolve()):
        if where and Path(where.file).is_relative_to(within):
            return str(where._replace(file=Path(where.file).relative_to(within).as_posix()))
    return str(where or "")


def _read_archive(data: bytes, name: str, pack: Pack) -> dict[str, bytes]:
    """Return the contents of a zip file by name. A foreign name is refused before anything is unpacked."""
    unreadable = InputError("not a readable zip file", where=Where(name), hint="`assistant pack export` writes one")
    files: dict[str, bytes] = {}
    names = set[str]()
    size = 0
    has_photos = False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            entries = [entry for entry in container.infolist() if not entry.is_dir()]
            for entry in entries:
                if entry.filename in names or not _is_file_of(pack, entry.filename):
                    what = f"{entry.filename[:60]!r} is not a file of a pack of {pack.game.title}, or is there twice"
                    hint = "take a file to which this game's pack was exported"
                    raise InputError(what, where=Where(name), hint=hint)
                names.add(entry.filename)
            for entry in entries:
                limit = Limit.PHOTO if entry.filename.endswith(".jpg") else Limit.DATA
                with container.open(entry) as opened:
                    files[entry.filename] = opened.read(limit.most + 1)
                limit.check(len(files[entry.filename]), f"{entry.filename} unpacks to")
                size += len(files[entry.filename])
                has_photos |= limit is Limit.PHOTO
                (Limit.CONTAINER if has_photos else Limit.FILE).check(size, f"{name} unpacks to")
    except InputError:
        raise
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        raise unreadable from None
    if not files:
        raise unreadable
    return files
