"""The view: what a question may read of a state, its board, its roster and its charts, and a note of what it read.

A question gathers all it needs into plain values inside `with view.gather() as facts:`. A fact that nobody has stated
reads as nothing there, and leaving the block raises one `MissingFacts` with everything that is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING

import msgspec

from .board import Board
from .errors import InputError
from .procedure import Choice, Roll, Stuck
from .report import Ask, MissingFacts, ask_for
from .rulings import Ruling
from .sources import CERTAIN, Fact, Value
from .state import Cell, CellKey, FactKey, GameState, Unit

if TYPE_CHECKING:
    from .games import Game


class View:
    """A state as one question sees it.

    read, cells_read, rulings_read: what has been looked at so far, for the cautions of the report; cells_missed: the chart
    cells that were looked for and are not known.
    """

    def __init__(self, game: Game, state: GameState) -> None:
        self.game, self.state = game, state
        self.board: Board = game.board(state.board)
        self.read: dict[FactKey, Fact] = {}
        self.cells_read: dict[CellKey, Cell] = {}
        self.cells_missed: dict[CellKey, None] = {}
        self.rulings_read: dict[str, str] = {}

    def supposing(self, key: FactKey, value: Value) -> View:
        """A fresh view of the same state with one fact changed. Raises InputError for a value that leaves others no room."""
        facts = {**self.state.facts, key: Fact(value)}
        self.game.check_below(self.game.track(key[0]), key[1], facts[key], facts)
        return View(self.game, msgspec.structs.replace(self.state, facts=MappingProxyType(facts)))

    def unit(self, name: str) -> Unit:
        """A unit of the state. Raises InputError if it is not there."""
        return self.game.unit(self.state, name)

    def units(self) -> Iterable[Unit]:
        """The units of the state."""
        return self.state.units.values()

    def stack(self, place: str) -> tuple[Unit, ...]:
        """The units at a place, the top one first."""
        return self.state.stack(place)

    def fact(self, track: str, subject: str = "") -> Fact | None:
        """A fact from the first source that knows it: the state, the counter or the map, and last what silence means.

        None where it is unknown, or known only from a source that the player has not accepted.
        """
        declared = self.game.track(track)
        known = [self.state.facts.get((track, subject)), self.board.fact(track, subject)]
        if declared.printed == "counter" and subject in self.state.units:
            known += self.game.roster.get(self.state.units[subject].type, {}).get(track, ())
        found = next(filter(self._accepts, known), None)
        if found is None and declared.absent is not None:
            found = Fact(declared.absent)
        if found is not None:
            self.read[track, subject] = found
        return found

    def unaccepted(self, track: str, subject: str) -> str:
        """The source from which the board knows a fact that the player has not accepted; "" if there is none."""
        fact = self.board.fact(track, subject)
        return fact.source.value if fact is not None and not self._accepts(fact) else ""

    def _accepts(self, source: Fact | Cell | None) -> bool:
        return source is not None and (source.source in CERTAIN or source.source in self.state.accepts)

    def cell(self, chart: str, *key: int | str) -> Cell | None:
        """A chart cell, as stated or from the game's own files; None where it is unknown or not accepted.

        Raises InputError for a key that is off the chart.
        """
        declared = self.game.chart(chart)
        regular = declared.key(*key)
        for cell in (self.state.cells.get((chart, regular)), declared.cells.get(regular)):
            if cell is not None and self._accepts(cell):
                self.cells_read[chart, regular] = cell
                return cell
        self.cells_missed[chart, regular] = None
        return None

    def ruling(self, name: str) -> str:
        """The reading of a doubtful rule that holds in this state."""
        ruling: Ruling = self.game.rulings[name]
        self.rulings_read[name] = self.state.rulings.get(name, ruling.default)
        return self.rulings_read[name]

    def gather(self) -> Gather:
        """A block that collects what a question needs."""
        return Gather(self)


class Gather:
    """Reads facts as plain values, and collects those that are missing."""

    def __init__(self, view: View) -> None:
        #: The view that the facts are read from.
        self.view = view
        self._asks: dict[str, Ask] = {}

    def __enter__(self) -> Gather:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._asks and (error is None or isinstance(error, InputError)):
            raise MissingFacts(tuple(self._asks.values())) from None

    def _value(self, track: str, subject: str) -> Value | None:
        fact = self.view.fact(track, subject)
        if fact is None:
            declared = self.view.game.track(track)
            if source := self.view.unaccepted(track, subject):
                title = f"{self.view.board.title} is {source}, not the print"
                how = f"accept {source}"
                self.ask(Ask(kind="fact", name=how, rule="", title=title, how=how))
                return None
            how = declared.how_to_state(subject)
            title = f"{declared.title} of {subject}" if subject else declared.title
            takes = "" if declared.values else declared.takes  # words stand in `how` already
            self.ask(Ask(kind="fact", name=how, rule=declared.rule, title=title, how=how, takes=takes))
            return None
        return fact.value

    def integer(self, track: str, subject: str = "") -> int:
        """A whole number; 0 while it is missing."""
        return int(self._value(track, subject) or 0)  # type: ignore[arg-type]  # the track's own check made it a number

    def flag(self, track: str, subject: str = "") -> bool:
        """A flag; False while it is missing."""
        return bool(self._value(track, subject))

    def word(self, track: str, subject: str = "") -> str:
        """A word or a text; "" while it is missing."""
        return str(self._value(track, subject) or "")

    def words(self, track: str, subject: str = "") -> frozenset[str]:
        """Several words; none while they are missing."""
        value = self._value(track, subject)
        return frozenset(value) if isinstance(value, tuple) else frozenset()

    def cell(self, chart: str, *key: int | str) -> Cell:
        """A chart cell; one whose fields are all 0 while it is missing."""
        cell = self.view.cell(chart, *key)
        if cell is None:
            self.ask(ask_for_cell(self.view.game, chart, *key))
            return Cell({field.name: 0 for field in self.view.game.chart(chart).fields})
        return cell

    def ask(self, ask: Ask) -> None:
        """Note that something is missing."""
        self._asks[ask.name] = ask


def ask_for_cell(game: Game, chart: str, *key: int | str) -> Ask:
    """What to ask the owner of a chart for, where a cell is not known."""
    declared = game.chart(chart)
    how = declared.how_to_state(declared.key(*key))
    notes = "; ".join(f"{field.name}: {field.note}" for field in declared.fields if field.note)
    title = f"{declared.title}, {' '.join(str(part) for part in declared.key(*key))}"
    return Ask(kind="cell", name=how, rule=declared.rule, title=title, how=how, takes=notes)


def asks_of(game: Game, pending: Iterable[Roll | Choice | Stuck]) -> list[Ask]:
    """What a resolution waits for: its rolls, its choices, and the chart cells that nobody has stated."""
    return [
        ask_for_cell(game, node.cell[0], *node.cell[1]) if isinstance(node, Stuck) else ask_for(node)
        for node in pending
    ]
