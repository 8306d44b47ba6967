"""The tables of a host: which there are, how one begins, what it is called, and which of them are open to a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from shutil import rmtree
from types import MappingProxyType
from typing import Protocol

from ...formats.positions import JOURNAL, Position
from ...formats.vassal import LOG, SAVE
from ...game.games import Game
from ...installed.registry import load_game
from ...records.journal.journal import Journal, write_head
from ...records.journal.journal_file import JournalFile
from ...service import parse
from ...util.errors import InputError
from ...util.files import data_folder, read_bytes
from ...util.writing import make_folder, write_whole
from .desk import PageDesk, begun_file, can_name_table, sides_folder, written_at

_LONGEST_TITLE = 80
"""How many letters the title of a table has at most."""
MOST_TABLES = 200
"""How many tables a host keeps at most."""


def clip_title(text: str) -> str:
    """Return a text as the title of a table: one line, as long as a title may be."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())[:_LONGEST_TITLE]


def check_title(title: str) -> str:
    """Return a title on one line. Raises InputError for one that a table cannot have."""
    title = " ".join(title.split())
    if title != clip_title(title):
        raise InputError("this cannot be the name of a table", hint=f"one line of at most {_LONGEST_TITLE} letters")
    return title


def _title_file(journal: Path) -> Path:
    """Return where the title of a table is kept, whose journal is a file."""
    return journal.with_suffix(".title.txt")


class OpenTables(Protocol):
    """The tables that are open to a seat, or to the one who plays alone."""

    def names(self) -> list[str]:
        """Return the names of the tables."""

    def opened(self) -> Iterable[PageDesk]:
        """Return the tables that have been opened."""

    def game(self, id: str) -> Game:
        """Return a game. Raises InputError if it cannot be played at a table."""

    def begin(self, name: str, game: str, position: str = "") -> PageDesk:
        """Begin a table. Raises InputError if none may be begun here, or as `Tables.begin` does."""

    def lay(self, name: str, game: Game, start: Position | None) -> PageDesk:
        """Begin a table with a position. Raises InputError as `begin` does."""

    def delete(self, name: str) -> None:
        """Delete a table. Raises InputError if none may be deleted here, or as `Tables.delete` does."""

    def desk(self, name: str) -> PageDesk:
        """Return a table. Raises InputError if there is none of that name, or it is not open here."""

    def journal(self, name: str) -> Journal:
        """Return the journal of a table; its open question is not answered for that. Raises InputError as `desk`
        does.
        """

    def file(self, name: str) -> Path:
        """Return the journal's file of a table. Raises InputError as `desk` does."""

    def title(self, name: str) -> str:
        """Return what the players of a table call it, "" for nothing else than its name. Raises InputError as `desk`
        does.
        """

    def rename(self, name: str, title: str) -> None:
        """Call a table otherwise, "" for by its name. Raises InputError as `desk` does, and for a title that cannot
        be.
        """


class Tables:
    """The tables of a host: the journals of a folder, which is made when the first table begins. files: journals with
    any name, by the names of their tables; writes_pack: whether what is typed may go into the owner's pack.
    """

    def __init__(
        self,
        folder: Path | None = None,
        load: Callable[[str], Game] = load_game,
        *,
        files: Mapping[str, Path] = MappingProxyType({}),
        writes_pack: bool = True,
    ) -> None:
        self.files = files
        self.folder = folder or data_folder() / "page"
        self._load = load
        self._writes_pack = writes_pack
        self._desks: dict[str, PageDesk] = {}

    def names(self) -> list[str]:
        """Return the names of the tables, that first whose last entry is the latest."""
        journals = self.folder.glob(f"*{JOURNAL}") if self.folder.is_dir() else ()
        files = {file.stem: file for file in journals if can_name_table(file.stem)} | {**self.files}
        return sorted(files, key=lambda name: (-written_at(files[name]), name))

    def opened(self) -> Iterable[PageDesk]:
        """Return the tables that have been opened."""
        return [*self._desks.values()]

    def game(self, id: str) -> Game:
        """Return a game that can be played at a table. Raises InputError for any other."""
        return self._load(id)

    def begin(self, name: str, game: str, position: str = "") -> PageDesk:
        """Begin a table. position: notation with which it begins, "" for an empty one. Raises InputError if there is a
        table of that name, and for a game or a position that cannot be read.
        """
        playing = self._load(game)  # never a folder: whoever asks may sit elsewhere
        return self.lay(name, playing, parse(position, game=playing) if position.strip() else None)

    def lay(self, name: str, game: Game, start: Position | None) -> PageDesk:
        """Begin a table with a position, None for an empty one. Raises InputError if there is a table of that name, or
        there are too many.
        """
        file = self._file(name)
        if file.exists():
            raise InputError(f"there is a table {name} already", hint="open it, or choose another name")
        if len(self.names()) >= MOST_TABLES:
            raise InputError(f"{MOST_TABLES} tables are saved already", hint="delete one that you no longer need")
        make_folder(self.folder)
        write_whole(file, write_head(game, start, "").encode())
        return self.desk(name)

    def delete(self, name: str) -> None:
        """Delete a table with its journal and the files of its sides. Raises InputError if there is none of that name, and
        for a journal that has been named by its owner (`files`).
        """
        file = self.file(name)
        if name in self.files:
            raise InputError(f"the table {name} is played from a file of yours", hint=f"delete {file.name} yourself")
        for gone in (file, begun_file(file, SAVE), begun_file(file, LOG), _title_file(file)):
            gone.unlink(missing_ok=True)
        rmtree(sides_folder(file), ignore_errors=True)
        self._desks.pop(name, None)

    def desk(self, name: str) -> PageDesk:
        """Return a table. Raises InputError if there is none of that name."""
        file = self.file(name)
        if (desk := self._desks.get(name)) is None:
            desk = self._desks[name] = PageDesk(file, self._load, writes_pack=self._writes_pack)
        else:
            desk.renew()
        return desk

    def journal(self, name: str) -> Journal:
        """Return the journal of a table; its open question is not answered for that. Raises InputError if there is none
        of that name.
        """
        file = self.file(name)
        if name in self._desks:
            return self.desk(name).books.journal
        return JournalFile(file, self._load).read(compares=False)

    def title(self, name: str) -> str:
        """Return what the players of a table call it, "" for nothing else than its name. Raises InputError if there is
        none of that name.
        """
        file = _title_file(self.file(name))
        return read_bytes(file).decode("utf-8", "replace").strip() if file.is_file() else ""

    def rename(self, name: str, title: str) -> None:
        """Call a table otherwise, "" for by its name. Raises InputError if there is none of that name, and for a title
        that cannot be.
        """
        file = _title_file(self.file(name))
        title = check_title(title)
        if title:
            write_whole(file, title.encode(), force=True)
        else:
            file.unlink(missing_ok=True)

    def file(self, name: str) -> Path:
        """Return the journal of a table. Raises InputError if there is none of that name."""
        file = self._file(name)
        if not file.is_file():
            self._desks.pop(name, None)
            known = self.names()
            raise InputError(f"there is no table {name}", hint=f"known: {', '.join(known)}" if known else "begin one")
        return file

    def _file(self, name: str) -> Path:
        if name in self.files:
            return self.files[name]
        if not can_name_table(name):
            hint = "small letters, figures, - and _, at most 64; no word that Windows keeps for itself, such as con"
            raise InputError(f"{name[:40]!r} is not the name of a table", hint=hint)
        return self.folder / f"{name}{JOURNAL}"
