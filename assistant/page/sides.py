"""A table as a side sees it: a journal of what the side knows, beside the journal with everything.

A line of a side is read against its own journal alone, so that no answer and no refusal depends on what is hidden from it.
What changes in one journal and may be known in the other is stated there as facts: what a side states of what it does not
see stays its own. The open question with its dice is on every table, as far as it names nothing that is not seen there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import msgspec

from ..formats import json_state
from ..formats.positions import Asked, Position
from ..formats.writing import lines_between
from ..game.games import Game
from ..game.viewpoint import seen_by
from ..journal.entries import FACT, TURN
from ..journal.journal import Journal, head_of
from ..plugins.registry import load_game
from ..prompt.table import Table
from ..state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, GameState, Unit
from ..util.errors import InputError
from ..util.files import read_bytes
from ..util.saving import write_whole
from ..util.texts import natural
from .desk import Desk, Tables
from .messages import Enter, TableShown

_UNSAID = "this could not be written at the table of the others: they have it as soon as it can be"
K = TypeVar("K")
V = TypeVar("V")


class Shared:
    """A table that sides share. whole: the one with everything; sides: those that look at it; folder: for their journals."""

    def __init__(
        self, whole: Desk, sides: Iterable[str], folder: Path, load: Callable[[str], Game] = load_game
    ) -> None:
        self.whole = whole
        self.desks = {side: SideDesk(self, side, folder / side / whole.file.name, load) for side in sides}
        self._posed: dict[Desk, _Posed] = {}  # what was laid on each table, or came from it
        self._noted = _posed(self.whole.books.open_table)

    def renew(self) -> None:
        """Bring to every side what it may know of what has changed."""
        self.whole.renew()
        for desk in self.desks.values():
            desk.renew()
            desk.hear()
        self.spread(self.whole, self._noted)

    def spread(self, source: Desk, before: _Posed) -> None:
        """Lay the question that is open at one table on the others, with its dice, if it is another than before; on each of them
        only if it is another there too. What a side has done with it is left open for the others, who carry out their own.
        """
        table = source.books.open_table
        if _posed(table) != before and (table or source is self.whole):
            self._posed[source] = _posed(table)
            for desk in (self.whole, *self.desks.values()):
                known = _as_known(table, source.position.state, desk.position.state) if table else None
                if desk is not source and self._posed.get(desk, _NOTHING) != _posed(known):
                    self._posed[desk] = _posed(known)
                    desk.books.resume(known)
                    desk.note_written()
        self._noted = _posed(self.whole.books.open_table)


class SideDesk(Desk):
    """A table as a side sees it. shared: the table that it is of."""

    _told: GameState
    """What the side has seen of the whole table so far."""
    _said_state: GameState
    """Its own table as far as the whole one has what it may have of it."""

    def __init__(self, shared: Shared, side: str, file: Path, load: Callable[[str], Game]) -> None:
        self.shared, self.side = shared, side
        self._heard_at: Journal | None = None
        self._heard, self._said = Heard(file), file.with_suffix(".said")
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            seen = Position(shared.whole.game, self._sight())
            self._heard.write(seen)
            write_whole(file, head_of(shared.whole.game, seen, "").encode())
        super().__init__(file, load, side)
        self._told = self._heard.read(load) or self._state
        if (said := self._read_said()) is None or said >= self.books.journal.last:
            self._note_said()
        else:
            self._said_state = self.books.journal.until(said).position().state
        self.hear()

    def _read_said(self) -> int | None:
        """Up to which entry the whole table has what it may have; None if that is not known."""
        try:
            return natural(read_bytes(self._said).decode("ascii", "replace").strip())
        except InputError:
            return None

    def say(self) -> bool:
        """State on the whole table what was entered since this was last done. Returns whether it has what it may have; what could not be
        written is for the next time.
        """
        if (now := self._state) != self._said_state:
            try:
                self._tell(self._said_state, now)
            except InputError:
                return False
            self._note_said()
        return True

    def _note_said(self) -> None:
        """Note that the whole table has what it may have of what has been entered up to now."""
        self._said_state = self._state
        with suppress(InputError):  # what is stated again changes nothing
            write_whole(self._said, str(self.books.journal.last).encode(), force=True)

    def _sight(self) -> GameState:
        """What the side may see of the whole table now."""
        whole = self.shared.whole
        return seen_by(whole.game, whole.books.journal.position().state, self.side)

    def hear(self) -> None:
        """Take in what the side may know of what has changed on the whole table."""
        if not self.say() or self._heard_at is self.shared.whole.books.journal:
            return
        journal = self.shared.whole.books.journal
        if (now := self._sight()) != self._told:
            try:
                texts = texts_between(self, patched(self._state, self._told, now))
            except InputError:  # what no line can state now may be stated with what changes next
                self._heard_at = journal
                return
            try:
                enter_all(self, texts)
                self._heard.write(Position(self.game, now))
            except InputError:  # what could not be written is for the next time
                return
            self._told = now
            self._note_said()
        self._heard_at = journal

    @property
    def _state(self) -> GameState:
        return self.books.journal.position().state

    def enter(self, request: Enter) -> TableShown:
        """Enter a line of the side, and state on the whole table what that changes and the side may know."""
        self.shared.renew()
        before, table = self._state, _posed(self.books.open_table)
        shown = super().enter(request)
        after = self._state
        is_said = self.say()
        self.shared.spread(self, table)
        if after == before:
            return shown
        for desk in self.shared.desks.values():
            desk.hear()
        again = self.show()
        said = shown.said if is_said else (*shown.said, _UNSAID)
        return msgspec.structs.replace(again, said=said, held=shown.held, refused=shown.refused)

    def _tell(self, before: GameState, after: GameState) -> None:
        """State on the whole table what lines of the side have changed. Raises InputError if that cannot be written."""
        whole = self.shared.whole
        state = whole.books.journal.position().state
        sight = seen_by(self.game, state, self.side)
        told = _Telling(self.game, self.side, before, after, sight, state.units).known()
        known = _as_seen(before, told, sight, seen_by(self.game, patched(state, before, told), self.side))
        try:
            texts = texts_between(whole, patched(state, before, known))
        except InputError:  # which would tell of what is hidden
            return
        enter_all(whole, texts)


class Heard:
    """The file, beside a journal, with the state elsewhere that is stated in it up to now: what changes of that has still to be stated."""

    def __init__(self, journal: Path) -> None:
        self._file = journal.with_suffix(".heard.json")

    def read(self, load: Callable[[str], Game]) -> GameState | None:
        """That state, None if it is lost."""
        try:
            return json_state.read(read_bytes(self._file), str(self._file), load).state
        except InputError:
            return None

    def write(self, position: Position) -> None:
        """Keep that state."""
        write_whole(self._file, json_state.write(position), force=True)


class WholeTables(Tables):
    """The tables of a folder, one of which sides share. Their changes reach it, and its own reach them."""

    def __init__(self, folder: Path, load: Callable[[str], Game], name: str, sides: Iterable[str], apart: Path) -> None:
        super().__init__(folder, load)
        self.name = name
        self.shared = Shared(super().desk(name), sides, apart, load)

    def desk(self, name: str) -> Desk:
        """A table; the shared one as it is now."""
        if name != self.name:
            return super().desk(name)
        self.shared.renew()
        return self.shared.whole


class SideTables(Tables):
    """The one table that a side sees. whole: the tables with everything."""

    def __init__(self, whole: WholeTables, side: str) -> None:
        super().__init__(whole.folder, whole.game)
        self.whole, self.side = whole, side

    def names(self) -> list[str]:
        """The name of the table."""
        return [self.whole.name]

    def begin(self, name: str, game: str, position: str = "") -> Desk:
        """Raises InputError: a side begins no table."""
        raise InputError("a table is begun at the laptop")

    def desk(self, name: str) -> Desk:
        """The table as the side sees it. Raises InputError for another one."""
        if name != self.whole.name:
            raise InputError(f"there is no table {name}", hint=f"known: {self.whole.name}")
        self.whole.shared.renew()
        return self.whole.shared.desks[self.side]


def texts_between(desk: Desk, state: GameState) -> list[str]:
    """What leads from where the journal of a table stands to a state, as entries are typed. Raises InputError for what cannot be
    stated.
    """
    journal = desk.books.journal
    now = journal.position()
    texts: list[str] = []
    moment = journal.rules.moment
    key = (moment.name if moment else "", "")
    stated = state.facts.get(key)
    if moment and stated and stated != now.state.facts.get(key):
        texts.append(f"{TURN} {stated.value}")
        now = now.with_state(
            msgspec.structs.replace(now.state, facts=MappingProxyType({**now.state.facts, key: stated}))
        )
    texts += [
        f"{FACT} {line}" for line in lines_between(now, Position(desk.game, _statable(desk.game, now.state, state)))
    ]
    if texts:
        journal.check_typed(journal.read_typed(*texts))
    return texts


def enter_all(desk: Desk, texts: Sequence[str]) -> None:
    """Enter at a table what leads to another state; the question that is open stays. Raises InputError for what cannot be entered, and
    then nothing is.
    """
    if texts:
        desk.books.file.add(*texts)
        desk.books.resume(desk.books.open_table)
        desk.note_written()


def _statable(game: Game, now: GameState, state: GameState) -> GameState:
    """A state with the facts of the present one that no line can take back, as silence about them means nothing."""
    left = {
        key: fact
        for key, fact in now.facts.items()
        if key not in state.facts and key[0] != UNSEEN
        if (track := game.tracks[key[0]]).absent is None and track.kind not in ("flag", "choices")
    }
    return msgspec.structs.replace(state, facts=MappingProxyType({**state.facts, **left})) if left else state


# --- what has changed between two states, made in a third -------------------------------------------------------------


def patched(state: GameState, before: GameState, after: GameState) -> GameState:
    """A state with what has changed between two others. A unit that is gone from them leaves the map, and keeps what is known
    of it.
    """
    if before == after:
        return state
    away = before.units.keys() - after.units.keys()
    facts = _patch(state.facts, {key: fact for key, fact in before.facts.items() if key[1] not in away}, after.facts)
    units = dict(state.units)
    for place in dict.fromkeys(unit.place for unit in (*before.units.values(), *after.units.values())):
        if place is not None and _ids(before, place) != _ids(after, place):
            _restack(units, state, before, after, place)
    for id, unit in after.units.items():
        if unit.place is None and (id not in before.units or before.units[id].place is not None):
            units[id] = msgspec.structs.replace(unit, place=None)
    for id in away:
        if id in units and units[id].place == before.units[id].place:
            units[id] = msgspec.structs.replace(units[id], place=None)
    return msgspec.structs.replace(
        state,
        board=after.board if after.board != before.board else state.board,
        units=MappingProxyType(units),
        facts=MappingProxyType(facts),
        cells=MappingProxyType(_patch(state.cells, before.cells, after.cells)),
        rulings=MappingProxyType(_patch(state.rulings, before.rulings, after.rulings)),
        lines=MappingProxyType(_patch(state.lines, before.lines, after.lines)),
        line_facts=MappingProxyType(_patch(state.line_facts, before.line_facts, after.line_facts)),
        accepts=(state.accepts - (before.accepts - after.accepts)) | (after.accepts - before.accepts),
    )


def _patch(now: Mapping[K, V], before: Mapping[K, V], after: Mapping[K, V]) -> dict[K, V]:
    """What is stated, with what has changed between two others."""
    made = {key: value for key, value in now.items() if key in after or key not in before}
    return made | {key: value for key, value in after.items() if key not in before or before[key] != value}


def _ids(state: GameState, place: str) -> list[str]:
    return [unit.id for unit in state.stack(place)]


def _restack(units: dict[str, Unit], state: GameState, before: GameState, after: GameState, place: str) -> None:
    """Put the units of a place in the order that they have now; others that stand there stay below the one on which they
    followed.
    """
    was, now = set(_ids(before, place)), _ids(after, place)
    others: dict[str | None, list[str]] = {}
    above: str | None = None
    for id in _ids(state, place):
        if id in was or id in now:
            above = id if id in now else above
        else:
            others.setdefault(above, []).append(id)
    stack = [*others.pop(None, ())]
    for id in now:
        stack += [id, *others.pop(id, ())]
    stack += [id for left in others.values() for id in left]
    for order, id in enumerate(stack):
        units[id] = msgspec.structs.replace(units.get(id) or after.units[id], place=place, order=order)


class _Telling:
    """What a side may state to others of what has changed at its table.

    It moves its own units, and one of the enemy's that surely stands alone: else it would find out what lies below. It brings the
    enemy's units in that nobody has stated yet, states of them what it sees, and nothing by which it would see more.
    before, after: its table; sight: what it sees of the whole one, and stated: the units there.
    """

    def __init__(
        self, game: Game, side: str, before: GameState, after: GameState, sight: GameState, stated: Collection[str]
    ) -> None:
        self.game, self.side, self.before, self.after, self.stated = game, side, before, after, stated
        self.sight, limits = sight, game.file.intelligence
        self.covers, self.options = (limits.covers, set(limits.when)) if limits else ("", set())
        self.unseen = {place for name, place in sight.facts if name == UNSEEN}
        self.identity = {*game.file.notation.identity, game.file.picture.nation}

    def known(self) -> GameState:
        """The state after the change, without what is not stated to others."""
        before, after = self.before, self.after
        units = {id: unit for id, unit in after.units.items() if before.units.get(id) == unit or self.moves(unit)}
        units |= {id: unit for id, unit in before.units.items() if id not in units and not self.moves(unit)}
        facts = {key: fact for key, fact in after.facts.items() if before.facts.get(key) == fact or self.states(key)}
        facts |= {key: fact for key, fact in before.facts.items() if key not in facts and not self.states(key)}
        return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))

    def is_own(self, unit: Unit) -> bool:
        """Whether a unit is of the side, whatever the change makes of it."""
        facts = self.before.facts if unit.id in self.before.units else self.after.facts
        return self.game.side_of_unit(unit, facts) == self.side

    def moves(self, unit: Unit) -> bool:
        """Whether the side may say where a unit stands."""
        if (was := self.before.units.get(unit.id)) is None:
            return unit.id not in self.stated
        stands_alone = was.place not in self.unseen and len(self.sight.stack(was.place or "")) == 1
        return self.is_own(unit) or stands_alone

    def states(self, key: FactKey) -> bool:
        """Whether the side may state a fact."""
        name, subject = key
        match self.game.tracks[name].on:
            case "unit":
                unit = self.before.units.get(subject) or self.after.units.get(subject)
                if name == HIDDEN or unit is None:
                    return False
                if subject not in self.before.units:
                    return subject not in self.stated
                return self.is_own(unit) or name not in (*self.identity, MASKED, INVISIBLE)
            case "hex":
                return name != UNSEEN and not (name == self.covers and subject in self.unseen)
            case "game":
                return name not in self.options
        return True


def _as_seen(before: GameState, after: GameState, sight: GameState, next_sight: GameState) -> GameState:
    """The state after a change without facts that are not seen where it is stated too. sight, next_sight: what is seen there before
    it and after it.
    """
    facts = {}
    for key in dict.fromkeys([*before.facts, *after.facts]):
        was, now = before.facts.get(key), after.facts.get(key)
        is_seen = key in sight.facts if now is None else next_sight.facts.get(key) == now
        if fact := now if was == now or is_seen else was:
            facts[key] = fact
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


# --- the open question ------------------------------------------------------------------------------------------------


_Posed = tuple[tuple[tuple[str, Mapping[str, object]], ...], Mapping[str, str]]
"""Questions, each with its parameters, and the dice and choices that are given."""
_NOTHING: _Posed = ((), {})


def _posed(table: Table | None) -> _Posed:
    """What is asked at a table."""
    if table is None:
        return _NOTHING
    asks = tuple((asked.question, dict(asked.parameters)) for asked in table.position.asks)
    return asks, dict(table.position.answers)


def _as_known(table: Table, whole: GameState, seen: GameState) -> Table:
    """A table with its question, without the units that are not seen elsewhere. whole: the state at that table; seen: the one
    there.
    """
    unknown = whole.units.keys() - seen.units.keys()
    position = table.position
    asks = tuple(
        Asked(asked.question, {name: kept for name, value in asked.parameters.items() if (kept := _without(str(value), unknown))})
        for asked in position.asks
    )  # fmt: skip
    answers = {
        name: value
        for name, value in position.answers.items()
        if unknown.isdisjoint(_words(f"{name.partition('.')[2]},{value}"))
    }
    return Table(msgspec.structs.replace(position, asks=asks, answers=answers))


def _without(value: str, units: Iterable[str]) -> str:
    """A parameter without some units."""
    gone = set(units)
    return ",".join(part for part in value.split(",") if gone.isdisjoint(_words(part)))


def _words(value: str) -> Iterator[str]:
    """The names in a value: `25/3,27/3` has two, `X:corps` that of the unit too."""
    for part in value.split(","):
        yield from (part, part.partition(":")[0])
