"""The tables of a host: how they begin, which of them are open to a seat, and their entries in a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from msgspec.structs import replace

from ...asking.view import View
from ...formats.positions import JOURNAL, Asked, Position
from ...formats.vassal import LOG, SAVE
from ...game.games import Game
from ...installed.fingerprints import name_rules
from ...installed.registry import load_game
from ...records.journal.journal import Journal, write_head
from ...records.journal.journal_file import JournalFile
from ...records.journal.open_question import posed_entry
from ...service import parse
from ...util import disk
from ...util.errors import InputError
from ...util.files import data_folder
from ...util.typesetting import with_spaces
from .desk import PageDesk, begun_file, begun_name_file, can_name_table, sides_folder, written_at
from .earlier_passages import earlier_file
from .messages.words import TableListed
from .table_names import is_numbered, name_by_game
from .table_sketch import sketch_table

_MAX_TITLE_LETTERS = 80
MAX_TABLES = 200
"""The maximum number of tables that a host stores."""


def clip_title(text: str) -> str:
    """Return a text as the title of a table: one line without unprintable letters, cut to the maximum length."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())[:_MAX_TITLE_LETTERS]


def check_title(title: str) -> str:
    """Return a title on one line.

    Raises InputError if a table cannot have this title.
    """
    title = " ".join(title.split())
    if title != clip_title(title):
        raise InputError("this cannot be the name of a table", hint=f"one line of at most {_MAX_TITLE_LETTERS} letters")
    return title


def _title_file(journal: Path) -> Path:
    return journal.with_suffix(".title.txt")


class OpenTables(Protocol):
    """The tables that are open to a seat, or to a player who plays alone."""

    def names(self) -> list[str]: ...

    def opened(self) -> Iterable[PageDesk]: ...

    def game(self, id: str) -> Game:
        """Return a game.

        Raises InputError if the game cannot be played.
        """

    def begin(self, name: str, game: str, position: str = "") -> PageDesk:
        """Begin a table and return it.

        Raises InputError if the seat may not do so, and the errors of `Tables.begin`.
        """

    def lay(self, name: str, game: Game, start: Position | None) -> PageDesk: ...

    def delete(self, name: str) -> None:
        """Delete a table.

        Raises InputError if the seat may not do so, and the errors of `Tables.delete`.
        """

    def desk(self, name: str) -> PageDesk:
        """Return a table.

        Raises InputError if no table with that name is open to the seat.
        """

    def journal(self, name: str) -> Journal:
        """Return the journal of a table without answering its open question.

        Raises the errors of `desk`.
        """

    def file(self, name: str) -> Path: ...

    def title(self, name: str) -> str: ...

    def rename(self, name: str, title: str) -> None: ...


class Tables:
    """The tables of a host: the journals of a folder, which is created with the first table.

    `files`: journals elsewhere, by the names of their tables.
    `writes_pack`: whether entered lines may change the owner's pack.
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
        """Return the names of the tables, the last changed one first."""
        journals = self.folder.glob(f"*{JOURNAL}") if self.folder.is_dir() else ()
        files = {file.stem: file for file in journals if can_name_table(file.stem)} | {**self.files}
        return sorted(files, key=lambda name: (-written_at(files[name]), name))

    def opened(self) -> Iterable[PageDesk]:
        return [*self._desks.values()]

    def game(self, id: str) -> Game:
        return self._load(id)

    def begin(self, name: str, game: str, position: str = "") -> PageDesk:
        """Begin a table and return it.

        `position`: the position in notation, or "" for an empty table.

        Raises InputError if the game or the position cannot be read, and the errors of `lay`.
        """
        playing = self._load(game)  # an id, never a folder: the request may come from another machine
        return self.lay(name, playing, parse(position, game=playing) if position.strip() else None)

    def lay(self, name: str, game: Game, start: Position | None) -> PageDesk:
        """Begin a table with a position, or an empty one for None, and return it.

        Raises InputError if a table with that name exists, or if there are too many tables.
        """
        file = self._file(name)
        if disk.exists(file):
            raise InputError(f"there is a table {name} already", hint="open it, or choose another name")
        if len(self.names()) >= MAX_TABLES:
            raise InputError(f"{MAX_TABLES} tables are saved already", hint="delete one that you no longer need")
        disk.make_folder(self.folder)
        disk.write_whole(file, write_head(game, start, "", rules=name_rules(game)).encode())
        return self.desk(name)

    def delete(self, name: str) -> None:
        """Delete a table with its journal and the files of its sides.

        Raises InputError if no table has that name, or if its journal is one of `files`.
        """
        file = self.file(name)
        if name in self.files:
            raise InputError(f"the table {name} is played from a file of yours", hint=f"delete {file.name} yourself")
        begun = (begun_file(file, SAVE), begun_file(file, LOG), begun_name_file(file), earlier_file(file))
        for removed in (file, *begun, _title_file(file)):
            disk.unlink(removed)
        disk.remove_folder(sides_folder(file))
        self._desks.pop(name, None)

    def desk(self, name: str) -> PageDesk:
        file = self.file(name)
        if (desk := self._desks.get(name)) is None:
            desk = self._desks[name] = PageDesk(file, self._load, writes_pack=self._writes_pack)
        else:
            desk.renew()
        return desk

    def journal(self, name: str) -> Journal:
        file = self.file(name)
        if name in self._desks:
            return self.desk(name).books.journal
        return JournalFile(file, self._load).read(compares=False)

    def title(self, name: str) -> str:
        file = _title_file(self.file(name))
        return disk.read_bytes(file).decode("utf-8", "replace").strip() if file.is_file() else ""

    def rename(self, name: str, title: str) -> None:
        file = _title_file(self.file(name))
        title = check_title(title)
        if title:
            disk.write_whole(file, title.encode(), force=True)
        else:
            disk.unlink(file)

    def file(self, name: str) -> Path:
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


def describe_table(tables: OpenTables, name: str) -> TableListed:
    """Return the entry of a table in a list.

    Raises InputError if no table with that name is open here.
    """
    journal = tables.journal(name)
    turn = journal.label(journal.turn)
    asked, _ = posed_entry(journal.asking.question)
    listed = list_table(journal.position(), asked, f"turn {turn}" if turn.isdecimal() else turn)
    if not is_numbered(name, journal.game):
        listed = replace(listed, called="")  # the name is that of a player's file
    return replace(listed, table=name, title=tables.title(name), written=written_at(tables.file(name)))


def list_table(position: Position, asked: Asked | None, turn: str = "") -> TableListed:
    """Return the entry of a table without a name in a list.

    `asked`: the open question, or None.
    `turn`: the turn in words, or "".
    """
    target = str(asked.parameters.get(position.game.file.prompt.target) or "") if asked else ""
    question = with_spaces(asked.question) if asked else ""
    return TableListed(
        table="",
        title="",
        called=name_by_game(position, target),
        game=position.game.title,
        written=0,
        stands="; ".join(filter(None, (turn, f"{question} at {target}" if target else question))),
        sketch=sketch_table(View(position.game, position.state)),
    )
