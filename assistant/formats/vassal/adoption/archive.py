"""An adoption packed into one file, for another machine or the table page: the mapping and its fixtures."""

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
"""The suffix of a packed adoption."""
_MAPPING = "mapping.toml"


def adoption_archive(mapping: Path) -> bytes:
    """Return the packed adoption with this mapping file. The same adoption gives the same bytes."""
    fixtures = fixtures_file(Path(_MAPPING)).name
    return write_container({_MAPPING: read_own(mapping), fixtures: read_own(fixtures_file(mapping))})


class AdoptionThere(InputError):
    """The error if another adoption of the same module exists, possibly with its user's corrections."""


def take_adoption(data: bytes, name: str, load_game: Callable[[str], Game], *, replace: bool = False) -> ModuleMapping:
    """Save a packed adoption in the user's data folder.

    `name`: the name of the file in messages.
    `replace`: whether to replace a different adoption of the same module and game.

    Raises AdoptionThere if such an adoption exists and `replace` is not set. Raises InputError if the file is not an
    adoption, or its mapping cannot be used here.
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
    target = mapping_file(mapping.module, mapping.game)
    with hold_folder(data_folder()):
        if not replace and target.is_file() and read_own(target) != files[trial]:
            hint = "corrections of yours in it would be lost"
            raise AdoptionThere(f"you have another adoption of {mapping.module}", hint=hint, where=Where(name))
        make_folder(target.parent)
        write_whole(fixtures_file(target), files[fixtures_file(trial)], force=True)
        write_whole(target, files[trial], force=True)
    return mapping
