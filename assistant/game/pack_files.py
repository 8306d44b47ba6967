"""The files of a pack: their names, reading and writing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..util.datafiles import files_in, read_rows
from ..util.errors import InputError
from ..util.files import is_device, read_own
from ..util.patterns import late_pattern
from ..util.writing import clear, hold_folder, make_folder, write_all, write_whole
from .games import POSITION_SUFFIX, SCHEDULES, SETUPS, Game
from .pack_map import BOARDS, map_file
from .schedule_files import ENDING

COUNTERS = "counters.csv"
"""The values printed on counters."""
RULINGS = "rulings.csv"
"""The readings of doubtful rules."""
CHARTS = "charts"
"""The folder with the cells of charts, a file for each chart."""
OLD_GROUND = "ground.csv"
"""The file that held facts of the map in older versions."""
TURNS = "turns.csv"
"""Facts of the turn record."""
ARMIES = "armies.csv"
"""Facts printed on the markers of armies."""
SCENARIO_FOLDERS = {SETUPS: POSITION_SUFFIX, SCHEDULES: ENDING}
"""The folders with files of scenarios, and the suffixes of these files."""
_NAME = late_pattern(r"[\w-][\w.-]{0,59}")
"""The pattern of names of scenarios, which also name files and occur in lines of journals."""


class PackFiles:
    """The files in the folder of a pack.

    `game`: the game without its pack.
    """

    def __init__(self, game: Game, folder: Path) -> None:
        self.game = game
        self.folder = folder

    def contents(self) -> dict[Path, bytes]:
        """Return the contents of the pack's files, for `put_back`."""
        return {file: read_own(file) for file in self.list_existing()}

    def put_back(self, before: Mapping[Path, bytes], after: Mapping[Path, bytes]) -> bool:
        """Restore the contents before an entry, and return True.

        If the pack has changed since, only return False.

        Raises InputError if a file cannot be written.
        """
        with self.lock():
            if self.contents() != after:
                return False
            for file, data in before.items():
                if after.get(file) != data:
                    write_whole(file, data, force=True)
            for file in after.keys() - before.keys():
                file.unlink()
        return True

    def put_in(self, files: Mapping[str, bytes]) -> None:
        """Write files into the pack, all or none, in place of its own.

        `files`: checked contents by name as in `names`.

        Raises InputError if a file cannot be written.
        """
        with self.lock():
            write_all(self.folder, files, force=True)

    def names(self) -> list[str]:
        """Return the possible names of the pack's files, except those of scenarios."""
        charts = [f"{CHARTS}/{chart}.csv" for chart in self.game.charts]
        maps = [map_file(Path(), board).as_posix() for board in ("", *self.game.board_names)]
        return [*charts, COUNTERS, RULINGS, TURNS, ARMIES, OLD_GROUND, *maps]

    def is_name(self, name: str) -> bool:
        """Return whether a file of the pack may have a name."""
        folder, _, file = name.partition("/")
        ending = SCENARIO_FOLDERS.get(folder)
        if ending is None:
            return name in self.names()
        return file.endswith(ending) and bool(_NAME.fullmatch(file.removesuffix(ending)))

    def list_existing(self) -> list[Path]:
        """Return the files of the pack that exist."""
        known = [file for name in self.names() if (file := self.folder / name).exists()]
        folders = [folder for name in SCENARIO_FOLDERS if (folder := self.folder / name).is_dir()]
        files = [folder / file.name for folder in folders for file in files_in(folder)]
        return known + [file for file in files if self.is_name(file.relative_to(self.folder).as_posix())]

    def scenarios(self) -> list[str]:
        """Return the scenarios for which the pack has a set-up or a schedule."""
        files = (
            file
            for file in self.list_existing()
            if file.parent.name in SCENARIO_FOLDERS and file.parent.parent == self.folder
        )
        return sorted({file.name.removesuffix(SCENARIO_FOLDERS[file.parent.name]) for file in files})

    def unread(self) -> list[Path]:
        """Return the files in the pack's folders that are not read, most likely because of their names."""
        names = (CHARTS, BOARDS, *SCENARIO_FOLDERS)
        folders = [folder for folder in (self.folder, *(self.folder / name for name in names)) if folder.is_dir()]
        files = [folder / file.name for folder in folders for file in files_in(folder)]
        return sorted(
            {file for file in files if file.is_file() and not file.name.endswith("~")} - {*self.list_existing()}
        )

    def scenario_file(self, folder: str, name: str) -> str:
        """Return the name of a scenario's file within the pack.

        `folder`: the folder of set-ups or of schedules.

        Raises InputError if no file can have the name.
        """
        if not _NAME.fullmatch(name) or is_device(name):
            raise InputError(
                f"{name[:60]!r} cannot be the name of a scenario", hint="use letters, digits, dots and hyphens"
            )
        return f"{folder}/{name}{SCENARIO_FOLDERS[folder]}"

    def entries(self, name: str, *columns: str, by: int = 1) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
        """Yield the rows of a file with their identifying cells, or nothing if there is no such file.

        `by`: the number of columns, from the first, that identify a row.

        Raises InputError with file and line if two rows have the same identifying cells.
        """
        file = self.folder / name
        seen_rows = set[tuple[str, ...]]()
        if not file.exists():
            return
        for row, where in read_rows(file, columns, str(file)):
            identity = tuple(row[column] for column in columns[:by])
            if identity in seen_rows:
                hint = "leave one of the rows out, or write both into one"
                raise InputError(f"{' '.join(identity)} is listed twice", where=where, hint=hint)
            seen_rows.add(identity)
            yield identity, row

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes from changing the pack between reading and writing; entries would be lost."""
        with hold_folder(self.folder):
            for folder in (self.folder, *(self.folder / name for name in (CHARTS, BOARDS, *SCENARIO_FOLDERS))):
                clear(folder)
            yield

    def write(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Write rows to a file in place of the one that the pack has."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([columns, *rows])
        self.write_text(self.folder / name, out.getvalue())

    def write_text(self, file: Path, text: str) -> None:
        """Write text to a file in place of the one that the pack has."""
        make_folder(file.parent)
        write_whole(file, text.encode(), force=True)

    def lacking(self, what: str) -> InputError:
        """Return the error that the pack has no entry for something."""
        hint = f"its files are in {self.folder}"
        return InputError(f"your pack has no entry for {what}", hint=hint)
