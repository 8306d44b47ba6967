"""What a journal comes to: the fold that has gone through all of its entries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

import msgspec

from ...formats.positions import Position
from ...game.history import Past
from ...state.state import FactKey, GameState
from ...state.tracks import Value
from ...util.errors import InputError
from .counting import Counting
from .entries import Answer, OpenQuestion
from .fold import Fold, KeptState, Posting, Reads, Rules
from .room import CountedState


class Touched(msgspec.Struct, frozen=True):
    """What an entry states or changes: facts, but for those that only lapse with it, and the states before it and after
    it.
    """

    facts: frozenset[FactKey]
    states: tuple[GameState, GameState]


def _count_alike(counting: Counting, reads: Mapping[int, Reads], known: FoldedJournal) -> int:
    """Return how many entries from the first on take effect as in other books."""
    was = known.counting
    count = min(len(counting.entries), len(was.entries))
    corrected = (counting.amended_by, counting.kept), (was.amended_by, was.kept)
    goes_on = counting.entries.goes_on(was.entries) or was.entries.goes_on(counting.entries)
    if goes_on and reads == known.reads and corrected[0] == corrected[1]:
        return count
    for index, (entry, other) in enumerate(zip(counting.entries, was.entries, strict=False)):
        if entry is not other and entry != other:
            return index
        if isinstance(entry.what, Answer):
            given = reads.get(counting.given_by(entry.number))
            if given != known.reads.get(was.given_by(entry.number)):
                return index
    return count


class FoldedJournal(Fold):
    """What a journal comes to: the fold that has gone through all entries, with every earlier state.

    start: the position that it begins from; known: what other entries come to, so that only what follows the first that
    differs is worked out. Raises InputError for a start that cannot be read.
    """

    def __init__(
        self,
        rules: Rules,
        start: Position,
        counting: Counting,
        reads: Mapping[int, Reads] = MappingProxyType({}),
        known: FoldedJournal | None = None,
    ) -> None:
        first = rules.calendar.first
        begin = KeptState(0, rules.turn_of(start.state) or first - 1, start.state, {})
        goes_on = known is not None and known.goes_on_from(rules, start.state)
        if known is not None and goes_on:
            begin = known.begun_from(_count_alike(counting, reads, known))
        super().__init__(rules, counting, begin, reads, known if goes_on else None)
        self._counted: CountedState = known._counted if known else CountedState(GameState(game=rules.game.id), 0)
        self.run()
        if self.kept[-1].index < self.index:
            self.keep()
        self.begin(first)  # in which a journal without entries stands

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        return [(entry.turn, entry.number) for entry in self.counting.entries]

    def goes_on_from(self, rules: Rules, start: GameState) -> bool:
        """Return whether it is by some rules, and begins from a state."""
        return self.rules is rules and self.kept[0].state is start

    @cached_property
    def last(self) -> GameState:
        """The state after all entries."""
        start = self.kept[0].state
        return start if not self.counting.entries and self.facts == start.facts else self.state()

    @property
    def counted(self) -> CountedState:
        """The state after all entries, with the letters that it takes; what differs from the one counted last is
        counted.
        """
        self._counted = self._counted.with_state(self.last)
        return self._counted

    def set_by_events(self) -> dict[FactKey, Value]:
        """Return what is stated of the tracks that events set, but for accounts."""
        names = self.rules.set_by_events
        return {key: fact.value for key, fact in self.facts.items() if key[0] in names} if names else {}

    def at(self, turn: int) -> GameState:
        """Return the state at the end of a turn. Raises InputError for one before the journal begins."""
        return self._rebuild_state(bisect_left(self._order, (turn + 1, 0)), turn)

    def after(self, number: int) -> GameState:
        """Return the state after an entry, for 0 that of the start. Raises InputError for one that there is not, or
        that takes no effect of its own.
        """
        return self._rebuild_state(self._find_index(number) + 1 if number else 0)

    def before(self, number: int) -> GameState:
        """Return the state before an entry, in its turn."""
        index = self._find_index(number)
        return self._rebuild_state(index, self.counting.entries[index].turn)

    def before_turn(self, turn: int) -> GameState:
        """Return the state before a turn begins."""
        return self._rebuild_state(bisect_left(self._order, (turn, 0)))

    def touched(self, number: int) -> Touched:
        """Return what an entry states or changes. Raises InputError for one that cannot take effect."""
        fold = self._fold_before(self._find_index(number))
        entry = self.counting.entries[fold.index]
        fold.begin(entry.turn)
        before = fold.state()
        fold.take(entry)
        for at, error in fold.faults:
            if at == number:
                raise error
        facts = {key for key, _ in fold.facts.log if key in fold.facts} | fold.draft.stated
        return Touched(frozenset(facts), (before, fold.state()))

    def walk(self, numbers: Collection[int]) -> Iterator[tuple[int, tuple[GameState, GameState]]]:
        """Yield the states before some entries, in their turns, and after them, in the order in which they take effect:
        all of them in one go, which is far faster than each by itself.
        """
        entries = self.counting.entries
        first = next((index for index, entry in enumerate(entries) if entry.number in numbers), len(entries))
        fold = Fold(self.rules, self.counting, self.begun_from(first), before=self)
        after: GameState | None = None
        for entry in self.counting.entries[fold.index :]:
            wanted = entry.number in numbers
            begins = entry.turn > fold.turn
            fold.approach(entry)
            before = fold.state() if wanted and (after is None or begins) else after
            fold.step(entry)
            if wanted or begins or not isinstance(entry.what, OpenQuestion):  # which changes nothing
                after = fold.state() if wanted else None
            if wanted and before is not None and after is not None:
                yield entry.number, (before, after)

    def states_from(self, index: int) -> Iterator[GameState]:
        """Yield the state after each entry that counts, from one on, by its index in the order of their effect."""
        fold = self._fold_before(index)
        for entry in self.counting.entries[index:]:
            fold.approach(entry)
            fold.step(entry)
            yield fold.state()

    def find_takers(self, units: Collection[str]) -> dict[str, int]:
        """Return by unit the number of the last entry that takes it off the map, if there is one."""
        fold = Fold(self.rules, self.counting, self.begun_from(0), before=self)
        takers = dict[str, int]()
        for entry in self.counting.entries[fold.index :]:
            fold.approach(entry)
            fold.step(entry)
            standing = fold.draft.units
            for id in {id for id, _ in fold.moved if id in units}:
                if id not in standing or standing[id].place is None:
                    takers[id] = entry.number
        return takers

    def _find_index(self, number: int) -> int:
        for index, entry in enumerate(self.counting.entries):
            if entry.number == number:
                return index
        raise InputError(
            f"entry {number} does not take effect by itself", hint="name an event, a fact or an answer that counts"
        )

    def _fold_before(self, index: int) -> Fold:
        """Return the fold before an entry takes effect, by its index."""
        fold = Fold(self.rules, self.counting, self.begun_from(index), before=self)
        fold.run(index)
        return fold

    def _rebuild_state(self, index: int, turn: int | None = None) -> GameState:
        fold = self._fold_before(index)
        if turn is not None:
            if turn < fold.turn and index == 0:
                raise InputError("the journal begins later", hint=f"with {self.rules.calendar.label(fold.turn + 1)}")
            fold.begin(turn)
        return fold.state()

    def of_account(self, account: str, who: str) -> Iterator[Posting]:
        """Return the postings of an account, in their order."""
        return (posting for posting in self.postings if posting.account == account and posting.who == who)

    @cached_property
    def past(self) -> Past:
        """What is known of earlier turns."""
        added: dict[FactKey, list[tuple[int, int]]] = {}
        for posting in self.postings:
            added.setdefault((posting.account, posting.who), []).append((posting.turn, posting.amount))
        posted = {key: tuple(amounts) for key, amounts in added.items()}
        accounts = self.rules.accounts
        stated = {key: fact.value for key, fact in self.facts.items() if key[0] in accounts}
        numbers = {key: value for key, value in (stated | self.balances).items() if isinstance(value, int)}
        usual = {name: track.absent for name, track in accounts.items() if isinstance(track.absent, int)}
        return Past(self.kept[0].turn, self.turn, tuple(self.dues), posted, numbers, usual)
