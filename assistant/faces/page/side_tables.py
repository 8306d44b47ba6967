"""The tables of a host of which sides share one, and what of them is open to a side."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...formats.positions import Position
from ...game.games import Game
from ...records.journal.journal import Journal
from ...util.errors import InputError
from .desk import PageDesk
from .sides import SharedTable, WholeDesk
from .tables import Tables


class WholeTables(Tables):
    """Tables, one of which sides share: their changes reach it, and its own reach them. name: of that one; apart: the
    folder for the files of the sides.
    """

    def __init__(self, tables: Tables, name: str, sides: Iterable[str], apart: Path) -> None:
        super().__init__(tables.folder, tables.game, files=tables.files)
        self.name = name
        whole = self._desks[name] = WholeDesk(self.file(name), self._load, writes_pack=self._writes_pack)
        self.shared = SharedTable(whole, sides, apart, tables.game)

    def desk(self, name: str) -> PageDesk:
        """Return a table; the shared one as it is now."""
        if name != self.name:
            return super().desk(name)
        self.shared.renew()
        return self.shared.whole


class SideTables:
    """The one table that a side sees. whole: the tables with everything."""

    def __init__(self, whole: WholeTables, side: str) -> None:
        self.whole = whole
        self.side = side

    def game(self, id: str) -> Game:
        """Return a game. Raises InputError if it cannot be played at a table."""
        return self.whole.game(id)

    def names(self) -> list[str]:
        """Return the name of the table."""
        return [self.whole.name]

    def opened(self) -> Iterable[PageDesk]:
        """Return the table of the side."""
        return [self.whole.shared.desks[self.side]]

    def begin(self, name: str, game: str, position: str = "") -> PageDesk:
        """Raises InputError: a side begins no table."""
        raise InputError("a table is begun at the laptop")

    def lay(self, name: str, game: Game, start: Position | None) -> PageDesk:
        """Raises InputError: a side begins no table."""
        raise InputError("a table is begun at the laptop")

    def delete(self, name: str) -> None:
        """Raises InputError: a side deletes no table."""
        raise InputError("a table is deleted at the laptop")

    def desk(self, name: str) -> PageDesk:
        """Return the table as the side sees it. Raises InputError for another one."""
        if name != self.whole.name:
            raise InputError(f"there is no table {name}", hint=f"known: {self.whole.name}")
        self.whole.shared.renew()
        return self.whole.shared.desks[self.side]

    def journal(self, name: str) -> Journal:
        """Return the journal of the table as the side sees it. Raises InputError for another one."""
        return self.desk(name).books.journal

    def file(self, name: str) -> Path:
        """Return the file of what the side has entered there. Raises InputError for another one."""
        self.desk(name)
        return self.whole.shared.desks[self.side].own_file

    def title(self, name: str) -> str:
        """Return what all call the table. Raises InputError for another one."""
        return self.whole.title(self.desk(name).name)

    def rename(self, name: str, title: str) -> None:
        """Call the table otherwise, for all. Raises InputError for another one, and as `Tables.rename` does."""
        self.whole.rename(self.desk(name).name, title)
