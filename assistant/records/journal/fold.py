"""A journal folded: its entries carried out in the order of their effect, with the effects of schedules and levels.

A turn begins with the effects of its schedules; then its entries follow. An entry that cannot take effect changes
nothing and is reported; the others hold.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any
from zlib import crc32

import msgspec

from ...formats.draft import PositionDraft
from ...formats.notation import NotationReader
from ...formats.positions import Position
from ...game.calendar import Calendar
from ...game.course import course_file
from ...game.events import AMOUNT, THIS_TURN, AccountLevel, Event, Events, is_account, read_events
from ...game.games import Game
from ...game.history import Past, dues_in
from ...game.names import regular_value
from ...game.schedule_dates import RULING
from ...game.schedule_files import read_schedules
from ...game.schedules import Due
from ...game.states import check_below, check_company, check_identity, regular_change
from ...game.turn_record import read_calendar
from ...game.typed_events import event_meaning, levels_by_account, subject_of
from ...state.changes import Change, Enter, Gain, Leave, Raise, apply_change
from ...state.state import FactKey, GameState, Unit, copy_of
from ...state.tracks import Fact, Value, find_left_behind
from ...state.words import strip_comment
from ...util.errors import InputError
from ...util.limits import Limit
from ...util.notes import note
from .entries import Answer, Counting, JournalEntry, OpenQuestion, TurnBegins
from .entries import Fact as FactEntry
from .room import CountedState

_CHECKPOINT_ENTRIES = 256
"""The number of entries after which a state is kept, so that earlier states are computed quickly."""
_DIGITS = tuple("0123456789")
_OTHER_STATEMENTS = ("board", "accept", "trust", "own", "ruling", "chart", "line")
"""The first words of notation lines that state neither facts nor units."""
Reads = Mapping[FactKey, Any]
"""The facts that an answer was given from, by track and subject, with None for an unstated fact.

STACK and a place stand for its units, ELSEWHERE and a track for all other hexes, ALL for a check of the whole map.
"""
# The keys of reads that are not tracks.
STACK = "stack"
ELSEWHERE = "elsewhere"
ALL = "position"


class Posting(msgspec.Struct, frozen=True):
    """An amount added to an account, or taken from it."""

    turn: Annotated[int, note("the number of the turn")]
    who: Annotated[str, note("the nation or side, or empty if the game")]
    account: Annotated[str, note("the account")]
    amount: Annotated[int, note("the amount added")]
    entry: Annotated[int, note("the number of the entry, or 0 if a schedule made it")]
    rule: Annotated[str, note("the rule")]
    what: Annotated[str, note("the reason in words")]


class ReachedLevel(msgspec.Struct, frozen=True):
    """A level that an account reached in a turn."""

    level: AccountLevel
    turn: int
    entry: int


class Conflict(msgspec.Struct, frozen=True):
    """An answer given from facts that have changed since."""

    entry: int
    changed: tuple[tuple[FactKey, Any, Any], ...]
    """Each changed fact with its value then and its value now."""


class Shortfall(msgspec.Struct, frozen=True):
    """An entry that takes more from an account than the account has."""

    entry: int
    account: str
    who: str
    left: int
    """The amount before the entry."""
    taken: int
    """The amount that the entry takes."""
    agreed: bool
    """Whether the players agreed to the entry, marked `force`."""
    rule: str


class _Noting(dict[FactKey, Fact]):
    def __init__(self, facts: Mapping[FactKey, Fact]) -> None:
        super().__init__(copy_of(facts))
        self.log: list[tuple[FactKey, Fact | None]] = []

    def __setitem__(self, key: FactKey, fact: Fact) -> None:
        self.log.append((key, self.get(key)))
        super().__setitem__(key, fact)

    def __delitem__(self, key: FactKey) -> None:
        self.pop(key)

    def pop(self, key: FactKey, *default: Any) -> Any:
        if key in self:
            self.log.append((key, self[key]))
        return super().pop(key, *default)


class KeptState(msgspec.Struct, frozen=True):
    """A state between two entries, from which a fold may continue."""

    index: int
    """The index of the entry after the state."""
    turn: int
    """The last turn that has begun."""
    state: GameState
    balances: dict[FactKey, int]
    counts: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    """The numbers of postings, levels reached, faults, conflicts, shortfalls and dues so far."""


class Rules:
    """The rules of a game that a fold uses.

    Raises InputError for faults in the game's files.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        course = course_file(game)
        self.calendar: Calendar = read_calendar(game, course)
        self.events: Events = read_events(game)
        self.schedules = read_schedules(game)
        self.levels = levels_by_account(self.events)
        self.ceilings = [(self.calendar.number(row.at), row) for row in self.events.ceiling]
        self.accounts = {name: track for name, track in game.tracks.items() if is_account(track)}
        kinds = (kind for event in self.events.event.values() for kind in (event, *event.kinds.values()))
        self.set_by_events = {subject_of(path, "")[0] for kind in kinds for path in kind.sets} - {*self.accounts}
        self.moment = game.tracks.get(course.turns.track)
        self.ending = [track for track in game.tracks.values() if track.ends_with]

    def turn_of(self, state: GameState) -> int:
        stated = state.facts.get((self.moment.name, "")) if self.moment else None
        return self.calendar.number(str(stated.value)) if stated else 0

    def value_of_turn(self, number: int) -> Value:
        return number if self.moment is not None and self.moment.kind == "integer" else self.calendar.label(number)


class Fold:
    """The entries of a journal carried out one by one, with the state and the results so far."""

    def __init__(
        self,
        rules: Rules,
        counting: Counting,
        start: KeptState,
        reads: Mapping[int, Reads] = MappingProxyType({}),
        before: Fold | None = None,
    ) -> None:
        self.rules = rules
        self.game = rules.game
        self.counting = counting
        self.reads = reads
        self.postings: list[Posting] = []
        self.reached: list[ReachedLevel] = []
        self.faults: list[tuple[int, InputError]] = []  # each with the number of its entry
        self.conflicts: list[Conflict] = []
        self.shortfalls: list[Shortfall] = []
        self.dues: list[Due] = []  # arrivals by schedule in each turn, including the first
        self.kept: list[KeptState] = []
        self.checked: GameState | None = start.state
        """The last state that was checked as a whole by these rules, or None."""
        if before:
            self.checked = before.checked if before.rules is rules else None
        self._begin_from(start, before or self)

    def _begin_from(self, start: KeptState, before: Fold) -> None:
        """Set this fold to a kept state, with the results of `before` up to that state."""
        self.index = start.index
        self.turn = start.turn
        self.balances = dict(start.balances)
        self.start = start.state
        self.draft = PositionDraft(self.game, start.state, restates=True)
        self.facts = self.draft.facts = _Noting(start.state.facts)
        self.moved = self.draft.standing.log = list[tuple[str, Unit | None]]()
        posted, reached, faults, conflicts, shortfalls, brought = start.counts
        self.postings = before.postings[:posted]
        self.reached = before.reached[:reached]
        self.faults = before.faults[:faults]
        self.conflicts = before.conflicts[:conflicts]
        self.shortfalls = before.shortfalls[:shortfalls]
        self.dues = before.dues[:brought]
        if not start.index and start.turn >= self.rules.calendar.first:
            self.dues = [*self.rules.schedules.due(start.turn, self.value)]
        self.kept = [*(kept for kept in before.kept if kept.index < start.index), start]

    def run_entries(self, until: int | None = None) -> None:
        entries = self.counting.entries
        end = len(entries) if until is None else until
        while self.index < end:
            entry = entries[self.index]
            self.begin_turn_of(entry)
            self.pass_entry(entry)

    def begin_turn_of(self, entry: JournalEntry) -> None:
        if self.index - self.kept[-1].index >= _CHECKPOINT_ENTRIES:
            self.keep_state()
        self.begin_turns(entry.turn)

    def pass_entry(self, entry: JournalEntry) -> None:
        self.carry_out_entry(entry)
        self.index += 1

    def keep_state(self) -> None:
        """Keep the state so far, so that a fold may continue from it.

        The further back states lie, the fewer are kept, since continuing from them takes long anyway.
        """
        for number in range(len(self.kept) - 2, 0, -1):
            gap = self.kept[number + 1].index - self.kept[number - 1].index
            if gap < max(_CHECKPOINT_ENTRIES, (self.index - self.kept[number].index) // 4):
                del self.kept[number]
        lists = (self.postings, self.reached, self.faults, self.conflicts, self.shortfalls, self.dues)
        counts = tuple(len(one) for one in lists)
        self.kept.append(KeptState(self.index, self.turn, self._strip_state(), dict(self.balances), counts))

    def kept_before(self, index: int) -> KeptState:
        """Return the last kept state before the entry at an index."""
        return self.kept[bisect_right([kept.index for kept in self.kept], index) - 1]

    def state(self) -> GameState:
        state = self.draft.state(self.checked)
        self.checked = state = msgspec.structs.replace(state, unread=self.start.unread, seen_by=self.start.seen_by)
        return state

    def _strip_state(self) -> GameState:
        draft = self.draft
        return msgspec.structs.replace(
            self.start,
            board=draft.board,
            units=MappingProxyType(copy_of(draft.units)),
            facts=MappingProxyType(self.facts.copy()),
            cells=MappingProxyType(dict(draft.cells)),
            rulings=MappingProxyType(dict(draft.rulings)),
            lines=MappingProxyType(dict(draft.lines)),
            line_facts=MappingProxyType({name: dict(facts) for name, facts in draft.line_facts.items()}),
            elsewhere=MappingProxyType(dict(draft.elsewhere)),
            accepts=frozenset(draft.accepts),
        )

    def begin_turns(self, turn: int) -> None:
        """Begin all turns up to `turn`, each with the effects of its schedules.

        A counter, such as that of a rotation, is raised only as the next turn begins. Facts that the start of a journal
        states without a turn hold in the first turn.
        """
        if turn <= self.turn:
            return
        previous_turn = max(self.turn, self.rules.calendar.first)
        self.draft.begin_line()  # facts stated by an earlier entry may end now
        for number in range(self.turn + 1, turn + 1):
            for due in dues_in(self.dues, self.turn):
                for counter, who, amount in due.counts:
                    self.post_amount(counter, who, amount, 0, due.rule, due.text)
            self.turn = number
            self._lower_accounts(number)
            dues = self.rules.schedules.due(number, self.value)
            self.dues += dues
            for due in dues:
                if due.account:
                    self.post_amount(due.account, due.who, due.amount, 0, due.rule, due.text)
        self.facts.log.clear()
        if (moment := self.rules.moment) is not None:
            self.facts[moment.name, ""] = Fact(self.rules.value_of_turn(turn))
            if turn != previous_turn:
                self.end_facts()

    def _lower_accounts(self, turn: int) -> None:
        for turn_of_row, row in self.rules.ceilings:
            if turn_of_row == turn and (excess := self.balance(row.account, row.who) - row.most) > 0:
                self.post_amount(row.account, row.who, -excess, 0, row.rule, row.title)

    def value(self, track: str, subject: str = "") -> Value | None:
        """Return the present value of a fact, or its default; for a ruling, the reading in use."""
        if track == RULING:
            return self.draft.rulings.get(subject) or self.game.rulings[subject].default
        if (fact := self.facts.get((track, subject))) is not None:
            return fact.value
        declared = self.game.tracks.get(track)
        return None if declared is None else declared.absent

    def end_facts(self) -> None:
        """Drop the facts that end when the game's own facts change, unless the entry states them."""
        changed: dict[str, Value] = {}
        for (track, subject), old in self.facts.log:
            fact = self.facts.get((track, subject))
            if subject == "" and fact is not None and fact != old:
                changed[track] = fact.value
        if not (changed and self.rules.ending):
            return
        ending = {track.name for track in self.rules.ending if track.ends_as(changed)}
        if not ending:
            return
        stated = {*self.draft.stated, *(key for key, _ in self.facts.log)}
        for key in [key for key in self.facts if key[0] in ending and key not in stated]:
            del self.facts[key]

    def carry_out_entry(self, entry: JournalEntry) -> None:
        """Carry out an entry. If it cannot take effect, nothing changes and its fault is noted."""
        self.facts.log.clear()
        self.moved.clear()
        self.draft.begin_line()
        try:
            match entry.what:
                case Event():
                    self.carry_out_event(entry, entry.what)
                case FactEntry(line):
                    self.state_fact(line)
                    self.post_stated(entry)
                case Answer():
                    self.compare_reads(entry)
                    self.carry_out_answer(entry.what)
                    self.post_stated(entry)
                case TurnBegins() | OpenQuestion():
                    pass
        except InputError as error:
            error.where = None  # the line of the entry is reported instead
            if self._may_have_changed(entry):
                self._go_back(entry, error)
            else:
                self.faults.append((entry.number, error))

    def _may_have_changed(self, entry: JournalEntry) -> bool:
        """Return whether an entry may have changed something before it turned out to be faulty."""
        if not isinstance(entry.what, FactEntry) or self.facts.log or self.moved:
            return True
        return not {*strip_comment(entry.what.line).split()[:1]}.isdisjoint((ELSEWHERE, *_OTHER_STATEMENTS))

    def _go_back(self, entry: JournalEntry, error: InputError) -> None:
        """Restore the state before an entry that cannot take effect, keep that state, and note the fault."""
        index = self.index
        self._begin_from(self.kept[-1], self)
        self.run_entries(index)
        self.begin_turns(entry.turn)
        self.faults.append((entry.number, error))
        self.index += 1
        self.keep_state()
        self.index = index

    def carry_out_event(self, entry: JournalEntry, event: Event) -> None:
        meaning = event_meaning(self.rules.events, event)
        rule = meaning.rule or self.rules.events.event[event.word].rule
        amount = 1 if event.amount is None else event.amount
        what = " ".join(filter(None, (event.word, event.kind, event.unit, event.note)))
        for path, per in meaning.posts.items():
            account, who = subject_of(path, event.who)
            new_amount = self.post_amount(account, who, amount * per, entry.number, rule, what)
            least = self.rules.accounts[account].least
            if per < 0 and least is not None and new_amount < least:
                taken = -amount * per
                self.shortfalls.append(
                    Shortfall(entry.number, account, who, new_amount + taken, taken, entry.force, rule)
                )
        for path, level in meaning.raises.items():
            account, who = subject_of(path, event.who)
            if (increase := level - self.balance(account, who)) > 0:
                self.post_amount(account, who, increase, entry.number, rule, what)
        if event.unit:
            self.draft.bring_in(event.unit)
        for path, word in meaning.sets.items():
            name, subject = subject_of(path, event.who, event.unit)
            track = self.game.track(name)
            value: Value = amount
            if word == THIS_TURN:
                value = self.rules.value_of_turn(entry.turn)
            elif word != AMOUNT:
                value = track.parse(word)
            if name in self.rules.accounts and isinstance(value, int):
                self.post_amount(name, subject, value - self.balance(name, subject), entry.number, rule, what)
            else:
                self.facts[name, subject] = Fact(track.check(value))
        self.end_facts()

    def balance(self, account: str, who: str) -> int:
        """Return the amount of an account, even if it is below the minimum."""
        key = (account, who)
        if key in self.balances:
            return self.balances[key]
        value = self.value(account, who)
        return value if isinstance(value, int) else 0

    def post_amount(self, account: str, who: str, amount: int, entry: int, rule: str, what: str) -> int:
        """Add to an account, note the levels that it reaches, and return the new amount."""
        key = (account, who)
        before = self.balance(account, who)
        after = self.balances[key] = before + amount
        track = self.rules.accounts[account]
        self.facts[key] = Fact(after if track.least is None else max(after, track.least))
        self.postings.append(Posting(self.turn, who, account, amount, entry, rule, what))
        for level in self.rules.levels.get(key, ()):
            if before < level.at <= after and (level.since, who) not in self.facts:
                self.facts[level.since, who] = Fact(self.rules.calendar.label(self.turn))
                self.reached.append(ReachedLevel(level, self.turn, entry))
        return after

    def state_fact(self, line: str) -> None:
        """Carry out a line of position notation.

        Raises InputError if the line is unreadable, states nothing, sets another turn, or is a question or an answer.
        """
        draft = self.draft
        reader = NotationReader("", lambda _: self.game, draft)
        reader.read_row(line, Limit.LINE.most)
        if reader.asks or reader.answers:
            raise InputError("a question is not a fact", hint="write it as `answer`, or ask it about the journal")
        moment = (self.rules.moment.name if self.rules.moment else "", "")
        is_turn_set = any(key == moment for key, _ in self.facts.log)
        stated_turn = self.facts.get(moment) if is_turn_set else None
        if stated_turn and stated_turn.value != self.rules.value_of_turn(self.turn):
            raise InputError("a turn needs a separate entry", hint=f"write: turn {stated_turn.value}")
        words = strip_comment(line).split()
        states = draft.stated or draft.named_places or self.moved or self.facts.log
        of_others = words[:1] == [ELSEWHERE] or (len(words) > 1 and words[0] in _OTHER_STATEMENTS)
        if not states and not of_others:
            raise InputError("the line states nothing", hint="write a line of position notation")
        for place in draft.named_places:
            self.facts.pop(("unseen", place), None)
        self.end_facts()
        self._drop_left_behind()

    def _drop_left_behind(self) -> None:
        """Drop the facts of moved units that end when a unit leaves its hex, unless the line states them."""
        placed = {name: unit.place for name, unit in self.draft.units.items() if unit.place} if self.moved else {}
        moved_away = {name for name, old in self.moved if old and old.place and placed.get(name) != old.place}
        for key in find_left_behind(self.game.tracks, self.facts, moved_away) - self.draft.stated:
            del self.facts[key]

    def carry_out_answer(self, answer: Answer) -> None:
        """Carry out the changes of an answer, with the same checks as in a position."""
        draft = self.draft
        game = self.game
        for change in answer.changes:
            units_state = GameState(game=game.id, board=draft.board, units=draft.units)
            apply_change(
                regular_change(game, change, units_state), draft.standing, self.facts, game.tracks, anyway=True
            )
            if isinstance(change, Enter):
                draft.note_name(change.unit)
        for (name, subject), _ in [*self.facts.log]:
            if (fact := self.facts.get((name, subject))) is not None:
                value = regular_value(game.track(name), fact.value, game.board(draft.board), draft.units)
                if value != fact.value:
                    fact = self.facts[name, subject] = msgspec.structs.replace(fact, value=value)
                check_below(game, game.track(name), subject, fact, self.facts)
        for change in answer.changes:
            if isinstance(change, Enter) and change.unit in draft.units:
                check_identity(game, draft.units[change.unit], self.facts)
        for name, _ in self.moved:
            unit = draft.units.get(name)
            if unit is not None and unit.place:
                check_company(game, draft.standing.at(unit.place), self.facts)
        self.end_facts()

    def post_stated(self, entry: JournalEntry) -> None:
        """Note the changes of accounts by an entry as postings, with the levels reached."""
        before: dict[FactKey, Fact | None] = {}
        what = entry.what.question if isinstance(entry.what, Answer) else "stated"
        for key, old in self.facts.log:
            if key[0] in self.rules.accounts:
                before.setdefault(key, old)
        for key, old in before.items():
            new_value = self.value(*key)
            is_removed = key not in self.facts
            stated = new_value if isinstance(new_value, int) else 0
            if old is None:
                self.facts.pop(key)
            else:
                self.facts[key] = old
            changes = _list_changes_of(entry, key)
            gains = [change.amount for change in changes if isinstance(change, Gain)]
            is_gained = bool(gains) and len(gains) == len(changes)
            amount = sum(gains) if is_gained else stated - self.balance(*key)
            if amount:
                self.post_amount(*key, amount, entry.number, changes[0].rule if changes else "", what)
            else:
                self.facts[key] = Fact(stated)
            if is_removed:
                self.facts.pop(key)

    def compare_reads(self, entry: JournalEntry) -> None:
        """Note the facts that have changed since an answer was given or kept."""
        reads = self.reads.get(self.counting.given_by(entry.number), {})
        changed = tuple((key, old, new) for key, old in reads.items() if (new := self.stated_value(key)) != old)
        if changed:
            self.conflicts.append(Conflict(entry.number, changed))

    def stated_value(self, key: FactKey) -> Any:
        """Return the present value of a read: of a fact, a place, the units of a hex, or the whole map."""
        name, subject = key
        if name == ALL:
            return compute_digest(self._strip_state())
        if name == STACK:
            return tuple(unit.id for unit in self.draft.standing.at(subject))
        if name == ELSEWHERE:
            return fact.value if (fact := self.draft.elsewhere.get(subject)) else None
        if name == "place":
            return unit.place if (unit := self.draft.units.get(subject)) else None
        return fact.value if (fact := self.facts.get(key)) else None


class FoldedJournal(Fold):
    """All entries of a journal carried out, with access to every earlier state.

    `known`: the fold of almost the same entries; only entries after the first difference are carried out anew.

    Raises InputError if the start cannot be read.
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
            begin = known.kept_before(_count_alike(counting, reads, known))
        super().__init__(rules, counting, begin, reads, known if goes_on else None)
        self._counted: CountedState = known._counted if known else CountedState(GameState(game=rules.game.id), 0)
        self.run_entries()
        if self.kept[-1].index < self.index:
            self.keep_state()
        self.begin_turns(first)  # a journal without entries begins its first turn too

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        return [(entry.turn, entry.number) for entry in self.counting.entries]

    def goes_on_from(self, rules: Rules, start: GameState) -> bool:
        return self.rules is rules and self.kept[0].state is start

    @cached_property
    def last(self) -> GameState:
        """The state after all entries."""
        start = self.kept[0].state
        return start if not self.counting.entries and self.facts == start.facts else self.state()

    @property
    def counted(self) -> CountedState:
        """The last state with its length as notation, counted from the difference to the state counted before."""
        self._counted = self._counted.with_state(self.last)
        return self._counted

    def set_by_events(self) -> dict[FactKey, Value]:
        names = self.rules.set_by_events
        return {key: fact.value for key, fact in self.facts.items() if key[0] in names} if names else {}

    def state_at(self, turn: int) -> GameState:
        return self._rebuild_state(bisect_left(self._order, (turn + 1, 0)), turn)

    def state_after(self, number: int) -> GameState:
        """Return the state after an entry, or the start for 0.

        Raises InputError if the entry has no effect of its own.
        """
        return self._rebuild_state(self._find_index(number) + 1 if number else 0)

    def state_before(self, number: int) -> GameState:
        index = self._find_index(number)
        return self._rebuild_state(index, self.counting.entries[index].turn)

    def state_before_turn(self, turn: int) -> GameState:
        return self._rebuild_state(bisect_left(self._order, (turn, 0)))

    def find_effect(self, number: int) -> tuple[tuple[GameState, GameState], frozenset[FactKey]]:
        """Return the states before and after an entry, and the facts that it sets or states.

        Raises InputError if the entry cannot take effect.
        """
        fold = self._fold_before(self._find_index(number))
        entry = self.counting.entries[fold.index]
        fold.begin_turns(entry.turn)
        before = fold.state()
        fold.carry_out_entry(entry)
        for at, error in fold.faults:
            if at == number:
                raise error
        facts = {key for key, _ in fold.facts.log if key in fold.facts} | fold.draft.stated
        return (before, fold.state()), frozenset(facts)

    def walk_entries(self, numbers: Collection[int]) -> Iterator[tuple[int, tuple[GameState, GameState]]]:
        """Yield the number of each wanted entry with the states before and after it, in the order of their effect.

        This is far faster than computing each state by itself.
        """
        entries = self.counting.entries
        first = next((index for index, entry in enumerate(entries) if entry.number in numbers), len(entries))
        fold = Fold(self.rules, self.counting, self.kept_before(first), before=self)
        after: GameState | None = None
        for entry in self.counting.entries[fold.index :]:
            wanted = entry.number in numbers
            begins = entry.turn > fold.turn
            fold.begin_turn_of(entry)
            before = fold.state() if wanted and (after is None or begins) else after
            fold.pass_entry(entry)
            if wanted or begins or not isinstance(entry.what, OpenQuestion):  # an open question changes nothing
                after = fold.state() if wanted else None
            if wanted and before is not None and after is not None:
                yield entry.number, (before, after)

    def states_from(self, index: int) -> Iterator[GameState]:
        """Yield the state after each entry that counts, from an index on."""
        fold = self._fold_before(index)
        for entry in self.counting.entries[index:]:
            fold.begin_turn_of(entry)
            fold.pass_entry(entry)
            yield fold.state()

    def find_takers(self, units: Collection[str]) -> dict[str, int]:
        """Return the last entry that takes each of the units off the map, for the units that have one."""
        fold = Fold(self.rules, self.counting, self.kept_before(0), before=self)
        takers = dict[str, int]()
        for entry in self.counting.entries[fold.index :]:
            fold.begin_turn_of(entry)
            fold.pass_entry(entry)
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
        fold = Fold(self.rules, self.counting, self.kept_before(index), before=self)
        fold.run_entries(index)
        return fold

    def _rebuild_state(self, index: int, turn: int | None = None) -> GameState:
        fold = self._fold_before(index)
        if turn is not None:
            if turn < fold.turn and index == 0:
                raise InputError("the journal begins later", hint=f"with {self.rules.calendar.label(fold.turn + 1)}")
            fold.begin_turns(turn)
        return fold.state()

    def postings_of(self, account: str, who: str) -> Iterator[Posting]:
        return (posting for posting in self.postings if posting.account == account and posting.who == who)

    @cached_property
    def past(self) -> Past:
        added: dict[FactKey, list[tuple[int, int]]] = {}
        for posting in self.postings:
            added.setdefault((posting.account, posting.who), []).append((posting.turn, posting.amount))
        posted = {key: tuple(amounts) for key, amounts in added.items()}
        accounts = self.rules.accounts
        stated = {key: fact.value for key, fact in self.facts.items() if key[0] in accounts}
        numbers = {key: value for key, value in (stated | self.balances).items() if isinstance(value, int)}
        usual = {name: track.absent for name, track in accounts.items() if isinstance(track.absent, int)}
        return Past(self.kept[0].turn, self.turn, tuple(self.dues), posted, numbers, usual)


def _list_changes_of(entry: JournalEntry, key: FactKey) -> list[Change | Gain | Raise]:
    """Return the changes that an answer makes to a fact, or none if the entry is no answer."""
    if not isinstance(entry.what, Answer):
        return []
    facts = [change for change in entry.what.changes if not isinstance(change, Enter | Leave)]
    return [change for change in facts if (change.track, change.subject) == key]


def compute_digest(state: GameState) -> int:
    """Return a checksum of the units, and of the facts about units, hexes and hexsides."""
    units = sorted((unit.id, unit.place or "") for unit in state.units.values())
    facts = []
    for (track, subject), fact in state.facts.items():
        if subject in state.units or subject.startswith(_DIGITS):
            facts.append((track, subject, str(fact.value)))
    facts.sort()
    elsewhere = sorted((track, str(fact.value)) for track, fact in state.elsewhere.items())
    return crc32(repr((units, facts, *elsewhere)).encode())


def _count_alike(counting: Counting, reads: Mapping[int, Reads], known: FoldedJournal) -> int:
    """Return the number of entries at the beginning that have the same effect as in another fold."""
    known_counting = known.counting
    count = min(len(counting.entries), len(known_counting.entries))
    corrected = (counting.amended_by, counting.kept), (known_counting.amended_by, known_counting.kept)
    goes_on = counting.entries.goes_on(known_counting.entries) or known_counting.entries.goes_on(counting.entries)
    if goes_on and reads == known.reads and corrected[0] == corrected[1]:
        return count
    for index, (entry, other) in enumerate(zip(counting.entries, known_counting.entries, strict=False)):
        if entry is not other and entry != other:
            return index
        if isinstance(entry.what, Answer):
            own_reads = reads.get(counting.given_by(entry.number))
            if own_reads != known.reads.get(known_counting.given_by(entry.number)):
                return index
    return count
