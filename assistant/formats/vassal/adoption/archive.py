"""An adoption as one file, to take it to another machine or to the table page: the mapping, and what of the module its
saves need.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ....game.games import Game
from ....util.errors import InputError, Where
from ....util.files import data_folder, read_own, scratch_folder
from ....util.writing import hold_folder, make_folder, write_whole
from ..archives import Archive
from ..containers import write_container
from .mapping import ModuleMapping, check_mapping, read_mapping
from .mapping_files import fixtures_file, mapping_file, read_fixtures

ENDING = ".adoption"
"""How the name of such a file ends."""
_MAPPING = "mapping.toml"


def adoption_archive(mapping: Path) -> bytes:
    """Return the adoption whose mapping is a file, as one file; the same adoption gives the same bytes."""
    fixtures = fixtures_file(Path(_MAPPING)).name
    return write_container({_MAPPING: read_own(mapping), fixtures: read_own(fixtures_file(mapping))})


class AdoptionThere(InputError):
    """Another adoption of the same module, which may hold its user's corrections, is there already."""


def take_adoption(data: bytes, name: str, load_game: Callable[[str], Game], *, replace: bool = False) -> ModuleMapping:
    """Keep an adoption in the user's data folder. name: of the file, for messages; replace: whether another one of the
    same module for the same game gives way.

    Raises AdoptionThere if it would have to and may not, and InputError for what is not such a file, and for a mapping
    that cannot be used here.
    """
    try:
        with scratch_folder() as folder:
            trial = folder / _MAPPING
            with closing(Archive(data)) as archive:
                files = {file: archive.read(file.name) for file in (trial, fixtures_file(trial))}
            for file, held in files.items():
                file.write_bytes(held)
            mapping = read_mapping(trial)
            if mapping.folder:
                raise InputError("it is for a game in a folder of another machine", hint="adopt the module here")
            check_mapping(mapping, load_game(mapping.game), trial)
            read_fixtures(fixtures_file(trial))
    except InputError as error:
        raise error.told_as(error.what, Where(name, error.where.line if error.where else 0)) from None
    kept = mapping_file(mapping.module, mapping.game)
    with hold_folder(data_folder()):
        if not replace and kept.is_file() and read_own(kept) != files[trial]:
            hint = "corrections of yours in it would be lost"
            raise AdoptionThere(f"you have another adoption of {mapping.module}", hint=hint, where=Where(name))
        make_folder(kept.parent)
        write_whole(fixtures_file(kept), files[fixtures_file(trial)], force=True)
        write_whole(kept, files[trial], force=True)
    return mapping
