"""Position notation: a state typed in a minute, the questions asked about it, and the answers.

The handbook has the grammar. A text is read line by line into a draft. The words that state facts come from the tracks
of the game. Errors name line and column and suggest similar words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import chain

import msgspec

from ..game.course import arrival_track
from ..game.games import Game
from ..state.state import UNSEEN, FactKey, GameState
from ..state.tracks import Fact, Source, Subject, Track, Value, find_left_behind
from ..state.trust import ALL_WORD, OWN_WORD, PLACEHOLDERS, find_sources
from ..state.words import (
    OFF_MAP,
    SPACED,
    STATEMENTS,
    Word,
    check_signs,
    find_words,
    name_and_value,
    split_at_colon,
    split_at_commas,
    split_names,
    split_ratings,
    strip_comment,
)
from ..util.errors import InputError, OnFault, Where, format_suggestion, located, nearest_names, stop
from ..util.limits import Limit
from ..util.texts import natural
from .chains import ChainReader
from .draft import PositionDraft
from .new_units import no_line, not_a_fact
from .positions import Asked, Position, pose_position

# --- reading ----------------------------------------------------------------------------------------------------------


class _Line:
    """The line being read, separate from the reader to avoid a reference cycle, which is slow to collect."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0

    def where(self, column: int) -> Where:
        return Where(self.name, self.number, column)


class NotationReader:
    """A reader of one file, line by line."""

    def __init__(
        self, name: str, load_game: Callable[[str], Game], begun: PositionDraft | None = None, on_fault: OnFault = stop
    ) -> None:
        self.name = name
        self.load_game = load_game
        self.begun = begun
        """The draft to add to, or None if the file names its game."""
        self.on_fault = on_fault
        """Called with the fault of each line or unit. If it does not raise, the reader continues."""
        self._line = _Line(name)
        self.asks: list[Asked] = []
        self.answers: dict[str, str] = {}
        self.marks: dict[str, Where] = {}

    @property
    def draft(self) -> PositionDraft:
        """The position as stated so far.

        Raises InputError if no game has been named yet.
        """
        if self.begun is None:
            hint = "write: game NAME (`assistant games` lists them)"
            raise InputError("the first line must name the game", hint=hint, where=Where(self.name, 1))
        return self.begun

    @cached_property
    def facts(self) -> FactReader:
        """The reader of the lines that state facts.

        Raises InputError if no game has been named yet.
        """
        return FactReader(self.draft, self._line.where, self.on_fault)

    @property
    def line(self) -> int:
        """The number of the line being read."""
        return self._line.number

    @line.setter
    def line(self, number: int) -> None:
        """The number of the line being read."""
        self._line.number = number

    def where(self, column: int) -> Where:
        return self._line.where(column)

    def at(self, column: int) -> AbstractContextManager[None]:
        """Add this column to errors in the block that have no place yet."""
        return located(self.where(column))

    def read(self, text: str) -> Position:
        self.read_statements(text)
        return self.position

    @property
    def position(self) -> Position:
        """The position as stated so far.

        Raises InputError if the position as a whole is faulty.
        """
        draft = self.draft
        try:
            state = draft.state(draft.before)
        except InputError as error:  # on a map, the fault is of the whole map, not of this text
            raise (error if draft.on_a_map else error.at(Where(self.name))) from None
        return pose_position(draft.game, state, self.asks, self.answers, self.marks)

    def read_statements(self, text: str, first: int = 1) -> None:
        """Read a text line by line into the draft, which is not yet checked as a whole.

        `first`: the number of the text's first line in the file.

        Raises InputError with line and column.
        """
        Limit.NOTATION.check(len(text), "it holds")
        Limit.LINES.check(text.count("\n"), "it holds")
        longest = Limit.LINE.most
        for self.line, line in enumerate(text.splitlines(), first):
            self.read_row(line, longest)

    def read_row(self, line: str, longest: int) -> None:
        """Read one line into the draft.

        `longest`: the maximum number of characters.

        Raises InputError with line and column.
        """
        bare = strip_comment(line.replace("\t", " "))
        if not bare.strip():
            return
        column = len(bare) - len(bare.lstrip()) + 1
        try:
            if len(bare) > longest:
                raise Limit.LINE.error("the line holds")
            check_signs(bare, self.where)
            self.read_statement(bare.strip(), column)
        except InputError as error:
            fault = error.at(self.where(column))
            if self.begun is None:
                raise fault from None
            self.on_fault(fault)

    def read_statement(self, text: str, column: int) -> None:
        head, _, rest = text.partition(" ")
        column_of_rest = column + len(head) + 1
        match head:
            case "game" if self.begun is not None:
                twice = not self.begun.on_a_map
                what = "the game is named twice" if twice else f"the game is already {self.begun.game.id}"
                raise InputError(what, hint="leave out this line")
            case "game":
                self.begun = PositionDraft(self.load_game(rest.strip().casefold()))
            case "board":
                self.draft.take_board(rest.strip())
            case "side" | "nation" | "army" as on:
                subject, *facts = find_words(rest, column_of_rest) or [Word("", column_of_rest)]
                self.facts.state_facts(on, subject.text, facts)
            case "elsewhere":
                words = find_words(rest, column_of_rest)
                self.facts.read_elsewhere(words)
            case "accept":
                self.read_sources(find_words(rest, column_of_rest))
            case "trust" | "own":
                self.read_trust(find_words(rest, column_of_rest), owns=head == "own")
            case "ruling":
                ruling, _, reading = rest.partition("=")
                self.read_ruling(ruling.strip(), reading.strip())
            case "chart":
                self.read_chart_cell(rest, column_of_rest)
            case "line":
                self.facts.read_supply_line(rest, column_of_rest)
            case "ask":
                question, *parameters = find_words(rest, column_of_rest, SPACED) or [Word("", column_of_rest)]
                if not question.text:
                    raise InputError("the question is missing", hint="write: ask QUESTION name=value ...")
                marks = {"": self.where(question.column)}
                self.asks.append(Asked(question.text, self.read_pairs(parameters, {}, marks), marks))
                Limit.ASKS.check(len(self.asks), "it asks")
            case "answers":
                self.read_answers(find_words(rest, column_of_rest, SPACED))
            case _:
                before, colon, after = split_at_colon(text)
                words = find_words(before, column)
                reader = self.facts
                if not words:
                    what = "a line must begin with a place, a unit or a fact about the game"
                    raise InputError(what, where=self.where(column))
                reader.read_facts_line(words, after if colon else None, column + len(before) + 1)

    def read_answers(self, words: list[Word]) -> None:
        """Read `answers NAME=VALUE ...`: dice and choices for the question above.

        Before the first question they are for each question that waits for them.
        """
        if not self.asks:
            self.answers |= self.read_pairs(words, self.answers, self.marks)
            return
        asked = self.asks[-1]
        marks = dict[str, Where]()
        answers = {**asked.answers, **self.read_pairs(words, asked.answers, marks)}
        self.asks[-1] = msgspec.structs.replace(asked, answers=answers, marks={**marks, **asked.marks})

    def read_sources(self, words: list[Word]) -> None:
        """Read `accept SOURCE ...`: sources that answers may rest on.

        Raises InputError for what cannot be read.
        """
        for word in words:
            try:
                self.draft.accepts.add(Source(word.text))
            except ValueError:
                hint = format_suggestion(word.text, [source.value for source in Source])
                raise InputError(f"unknown source {word.text!r}", where=self.where(word.column), hint=hint) from None

    def read_trust(self, words: list[Word], *, owns: bool) -> None:
        """Read `trust charts counters` or `own map`: whether placeholders may replace the owner's own data.

        `trust own` means `own all`.

        `owns`: whether the line begins with `own`, not with `trust`.

        Raises InputError if a word is unknown, or if `all` or `own` is not the only word.
        """
        hint = f"write: {OWN_WORD if owns else 'trust'} {', '.join(PLACEHOLDERS)} or {ALL_WORD}"
        if not words:
            raise InputError("nothing is named", hint=hint)
        for word in words:
            if word.text not in (*PLACEHOLDERS, ALL_WORD, OWN_WORD):
                raise InputError(f"{word.text!r} cannot be trusted", where=self.where(word.column), hint=hint)
            if len(words) > 1 and word.text not in PLACEHOLDERS:
                raise InputError(f"{word.text!r} stands alone", where=self.where(word.column), hint=hint)
            change = (
                self.draft.accepts.difference_update if owns or word.text == OWN_WORD else self.draft.accepts.update
            )
            change(find_sources(ALL_WORD if word.text == OWN_WORD else word.text))

    def read_ruling(self, name: str, reading: str) -> None:
        """Read `ruling NAME=READING`: the reading of a doubtful rule that the players agreed on.

        Raises InputError for what cannot be read.
        """
        known = self.draft.game.rulings
        if name not in known:
            raise InputError(f"unknown ruling {name!r}", hint=format_suggestion(name, known))
        self.draft.check_new(self.draft.rulings, name, f"ruling {name} is given twice")
        self.draft.rulings[name] = known[name].check(reading)

    def read_pairs(self, words: list[Word], before: Mapping[str, str], marks: dict[str, Where]) -> dict[str, str]:
        """Return the values of `name=value` words, and add the place of each to `marks`.

        `before`: the values of earlier words.

        Raises InputError if a word is not of this form, or a name is repeated.
        """
        values: dict[str, str] = {}
        for word in words:
            with self.at(word.column):
                named = name_and_value(word)
                if named is None:
                    is_after_comma = bool(values) and [*values.values()][-1].endswith(",")
                    hint = "write no space after the comma" if is_after_comma else ""
                    raise InputError(f"{word.text!r} is not of the form name=value", hint=hint)
                name, value = named
                if name in values or name in before:
                    raise InputError(f"{name} is given twice")
            values[name] = value
            marks[name] = self.where(word.column)
        return values

    def read_chart_cell(self, text: str, column: int) -> None:
        """Read `chart NAME KEY ... = FIELD / ...`: a cell of a printed chart.

        Raises InputError for what cannot be read.
        """
        keys, equals, cell = text.partition("=")
        name, *key = [word.text for word in find_words(keys, 0, SPACED)] or [""]
        chart = self.draft.game.chart(name)
        regular = chart.key(*key)
        if not equals:
            raise InputError("a chart cell needs its value", hint=chart.how_to_state(regular))
        cells = self.draft.cells
        self.draft.check_new(cells, (name, regular), "this chart cell is stated twice", hint="leave out one of the two")
        if chart.has_owner_ends:
            chart.ends((*(others for of, others in cells if of == name), regular))
        with self.at(column + len(keys) + 1 + len(cell) - len(cell.lstrip())):
            cells[name, regular] = chart.cell(cell)


def read_notation(data: bytes, name: str, load_game: Callable[[str], Game], on_fault: OnFault = stop) -> Position:
    """Return the position in a text.

    `on_fault`: gets the fault of each line or unit, with line and column. By default all faults are raised together.

    Raises InputError after a fault that makes the rest unreadable.
    """
    hint = "name it NAME.vsav" if data.startswith(b"PK\x03\x04") else "save it as UTF-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text", where=Where(name, _line(data, error.start)), hint=hint) from None
    if "\0" in text:  # as in UTF-16
        raise InputError("this is not UTF-8 text", where=Where(name, _line(data, data.index(b"\0"))), hint=hint)
    faults = list[InputError]()

    def gather(fault: InputError) -> None:
        """Collect a fault of the text, but raise a fault of another file, which would come again with each line."""
        if not fault.where or fault.where.file != name:
            raise fault
        faults.append(fault)

    with located(Where(name)):
        try:
            reader = NotationReader(name, load_game, on_fault=gather if on_fault is stop else on_fault)
            position = reader.read(text)
        except InputError as error:
            if not faults:
                raise
            if error.where and error.where.line:  # a fault without a line may follow from the faulty lines
                faults.append(error)
    if faults:
        raise InputError.together(faults)
    return position


def _line(data: bytes, at: int) -> int:
    return data[:at].count(b"\n") + 1


def read_remarks(text: str, name: str, position: Position, shows: Callable[[FactKey], bool]) -> Position:
    """Return a position with placed units, extended by further lines of notation.

    `name`: the name of the text in messages.
    `shows`: whether a counter on the map shows a fact, even by showing nothing. The counter overrides an assumption in
    the text.

    Raises InputError with line and column, or without them for a fault of the whole map.
    """
    draft = PositionDraft(position.game, position.state, shows)
    return NotationReader(name, lambda _: position.game, draft).read(text)


def read_on(text: str, position: Position, name: str = "", *, same_moment: bool = False, first: int = 1) -> Position:
    """Return a position after further lines, which replace stacks, facts and questions named in them.

    `name`: the name of the text in messages.
    `same_moment`: whether the lines complete the position, so that no fact lapses with the track that it `ends_with`.
    `first`: the number of the first line in messages.

    Raises InputError if the position as a whole is faulty.
    """
    before = position.state
    draft = PositionDraft(position.game, before, restates=True)
    reader = NotationReader(name, lambda _: position.game, draft)
    reader.read_statements(text, first)
    after = reader.position
    game = position.game
    facts = after.state.facts
    ended = ended_tracks(game, before, after.state, same_moment=same_moment)
    lapsed = {key for key in facts if key[0] in ended} if ended else set()
    if not same_moment:
        lapsed |= find_left_behind(game.tracks, facts, find_units_gone(before, after.state))
    lapsed |= {(UNSEEN, place) for place in draft.named_places}  # a stated stack is complete, without unseen units
    if lapsed := (lapsed - draft.stated) & facts.keys():
        facts = {key: fact for key, fact in facts.items() if key not in lapsed}
    state = msgspec.structs.replace(after.state, facts=facts, unread=before.unread, seen_by=before.seen_by)
    return msgspec.structs.replace(after, past=position.past).with_state(state)


def find_stated(text: str, position: Position) -> tuple[Set[str], Set[FactKey]]:
    """Return the places of the stacks and the keys of the facts that further lines state for a position.

    Raises InputError if the lines cannot be read.
    """
    draft = PositionDraft(position.game, position.state, restates=True)
    NotationReader("", lambda _: position.game, draft).read_statements(text, 1)
    return draft.named_places, draft.stated


def ended_tracks(game: Game, before: GameState, after: GameState, *, same_moment: bool = False) -> set[str]:
    """Return the tracks whose facts lapse as play continues from one state to another.

    `same_moment`: as in `read_on`.
    """
    values_before, values_after = _of_the_game(game, before), _of_the_game(game, after)
    relevant_tracks = values_before.keys() if same_moment else values_after.keys() | values_before.keys()
    changed = {
        name: values_after.get(name) for name in relevant_tracks if values_after.get(name) != values_before.get(name)
    }
    if not changed:
        return set()
    return {name for name, track in game.tracks.items() if track.ends_as(changed)}


def find_units_gone(before: GameState, after: GameState) -> Iterator[str]:
    """Yield the ids of units that have left their hexes between two states."""
    if before.units is after.units:
        return
    for name, unit in before.units.items():
        unit_after = after.units.get(name)
        if unit.place and (unit_after is None or unit_after.place != unit.place):
            yield name


def _of_the_game(game: Game, state: GameState) -> dict[str, Value]:
    return {name: state.facts[name, ""].value for name in game.tracks if (name, "") in state.facts}


# --- facts ------------------------------------------------------------------------------------------------------------


class FactReader:
    """A reader of lines that state facts, into a draft."""

    def __init__(self, draft: PositionDraft, where: Callable[[int], Where], on_fault: OnFault) -> None:
        self.draft = draft
        self.where = where
        """Returns the place in the file of a column of the line being read."""
        self.on_fault = on_fault
        """Called with the fault of each unit. If it does not raise, the reader continues."""
        self.own_facts: set[tuple[str, str]] = set()
        """The facts that units of the last stack state themselves, each by track and unit."""

    def at(self, column: int) -> AbstractContextManager[None]:
        """Add this column to errors in the block that have no place yet."""
        return located(self.where(column))

    def read_facts_line(self, words: list[Word], units: str | None, column: int) -> None:
        """Read a line about the game, a place, hexsides or a unit, according to its first word.

        `words`: the words before the colon.
        `units`: the text behind the colon, which begins at `column`, or None if the line has no colon.
        """
        draft = self.draft
        words = self.join_copies(words)
        first = words[0]
        if "|" in first.text and not first.quoted:
            self.read_hexsides(words)
        elif units is not None and [word.text for word in words if not word.quoted] == [OFF_MAP]:
            self.read_units_off_map(units, column)
        elif units is None and self.chains.begins(first):
            self.read_network(words)
        elif units is None and (unit := draft.bring_in(first.text)):
            self.read_unit_facts(unit, words[1:])
        elif units is None and self.is_arrival(words):
            self.read_waiting_unit(first, words[1:])
        elif draft.vocabulary.read("game", first):
            self.state_facts("game", "", words)
        elif units is not None:
            self.read_places(words[:1], words[1:], units, column)
        elif self.is_place(first):
            self.read_places(*split_names(words))
        else:
            known = chain(STATEMENTS, draft.vocabulary.known("game"), draft.units)
            raise no_line(words, draft.game, self.arrival_track, known)

    def read_places(
        self, names: Sequence[Word], facts: Sequence[Word], units: str | None = None, column: int = 0
    ) -> None:
        """Read the facts of places, and the units there.

        `units`: the text with the units, which begins at `column`, or None if there is none.
        """
        of_units = [word for word in facts if self.is_unit_fact(word)]
        for name in names:
            with self.at(name.column):
                place = self.draft.place(name.text)
            self.state_facts("hex", place, (word for word in facts if word not in of_units))
            self.own_facts.clear()
            above = 0 if units is None else self.read_stack(place, units, column)
            self.state_units_facts(self.draft.stack(place)[above:], place, of_units)

    def state_facts(self, on: Subject, subject: str, words: Iterable[Word], line: str = "") -> None:
        """Read words as facts about a subject.

        `line`: the supply line for which the facts are stated, or "".

        Raises InputError if a word is no such fact, or a fact is stated twice.
        """
        draft = self.draft
        words = list(words)
        before: dict[str, Value] = {}
        for number, word in enumerate(words):
            with self.at(word.column):
                stated = draft.vocabulary.read(on, word)
                if stated is None:
                    raise not_a_fact(words, number, on, subject, draft.game, draft.vocabulary)
                track, fact = stated
                if track.kind != "choices" and before.get(track.name) == fact.value:
                    raise InputError(f"{track.title} is stated twice: {word.text}", hint="leave out one of the two")
                before[track.name] = fact.value
                about = draft.subject(track, subject) if on in ("side", "nation", "army") else subject
                if on == "unit":
                    self.own_facts.add((track.name, subject))
                draft.put(track, about, fact, line)

    def read_elsewhere(self, words: list[Word]) -> None:
        """Read `elsewhere clear open control=russian`: facts of all hexes and hexsides that are not stated singly.

        `elsewhere` alone removes all such facts.

        Raises InputError if a word is no such fact, or a fact is stated twice.
        """
        draft = self.draft
        if not words and not draft.restates:
            raise InputError("no fact follows elsewhere", hint="write: elsewhere clear open")
        if not words:
            draft.elsewhere.clear()
        stated_facts: dict[str, Fact] = {}
        read = draft.vocabulary.read
        for number, word in enumerate(words):
            with self.at(word.column):
                if (stated := read("hex", word) or read("hexside", word)) is None:
                    raise not_a_fact(words, number, "hex", "", draft.game, draft.vocabulary)
                track, fact = stated
                track.check_elsewhere(fact.value)
                known = stated_facts.get(track.name)
                if known and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
                    combined = track.check((*known.value, *fact.value))
                    fact = Fact(combined, assumed=fact.assumed or known.assumed)
                elif known:
                    raise InputError(f"{track.title} is stated twice: {word.text}", hint="leave out one of the two")
                stated_facts[track.name] = fact
        for name, fact in stated_facts.items():
            draft.put_elsewhere(draft.game.tracks[name], fact)

    def is_arrival(self, words: list[Word]) -> bool:
        """Return whether a line names or describes a unit and states its turn of arrival."""
        named = {named[0] for word in words[1:] if (named := name_and_value(word))}
        waits = bool(named) and self.arrival_track in named
        return waits and (words[0].text in self.draft.game.roster or self.names_a_nation(words[1:]))

    @cached_property
    def arrival_track(self) -> str:
        """The track with a unit's turn of arrival, or "" if the game has none."""
        return arrival_track(self.draft.game)

    def names_a_nation(self, words: list[Word]) -> bool:
        """Return whether a word names a nation, as in a line that describes a unit."""
        nation = self.draft.game.tracks.get(self.draft.game.file.picture.nation)
        return nation is not None and any(word.text in nation.values for word in words)

    def read_waiting_unit(self, name: Word, words: list[Word]) -> None:
        with self.at(name.column):
            unit = self.draft.wait(name.text)
        try:
            self.read_unit_facts(unit, words)
        except InputError:
            self.draft.drop_unit(unit)
            raise

    def is_place(self, word: Word) -> bool:
        """Return whether a word names a place, or begins with a digit like one."""
        try:
            self.draft.place(word.text)
        except InputError:
            is_unit = word.quoted or word.text in self.draft.game.roster or self.is_like_a_unit(word.text)
            return not is_unit and natural(word.text[:1]) is not None
        return True

    def is_like_a_unit(self, text: str) -> bool:
        """Return whether a text is almost the name of a unit of the position, and not a number."""
        return not text.replace(".", "").isdecimal() and bool(nearest_names(text, self.draft.units))

    def read_hexsides(self, words: list[Word]) -> None:
        """Read `41.19|40.19,40.20 words`: facts of the hexsides between the first hex and each other hex.

        A name with two hexes is a hexside of its own.
        """
        names, facts = split_names(words)
        here = ""
        track = self.hexside_tracks()[0]
        for name in names:
            first, bar, other = name.text.replace(" ", "").partition("|")
            here, there = (first, other) if bar else (here, first)
            with self.at(name.column + (len(first) + 1 if bar else 0)):
                side = self.draft.subject(track, f"{here}|{there}")
            self.state_facts("hexside", side, facts)

    def hexside_tracks(self) -> list[Track]:
        """Return the tracks on hexsides.

        Raises InputError if the game has none.
        """
        game = self.draft.game
        tracks = [track for track in game.tracks.values() if track.on == "hexside"]
        if not tracks:
            raise InputError(f"{game.title} has no facts about hexsides")
        return tracks

    def is_unit_fact(self, word: Word) -> bool:
        """Return whether a word after a hex is a fact about each unit there."""
        with self.at(word.column):
            read = self.draft.vocabulary.read
            fact = None if word.quoted or read("hex", word) else read("unit", word)
            return fact is not None and fact[0].name not in self.draft.game.file.notation.identity

    def state_units_facts(self, units: Sequence[str], place: str, words: list[Word]) -> None:
        """State facts about each unit of a place, except facts that the unit's own description states.

        Raises InputError if no unit is there, or a fact is not possible.
        """
        if words and not units:
            hint = "type units after the place"
            raise InputError(f"no unit stands in {place}", hint=hint, where=self.where(words[0].column))
        own = self.own_facts
        for unit in units:
            self.state_facts("unit", unit, [word for word in words if (self.find_unit_track(word), unit) not in own])

    def find_unit_track(self, word: Word) -> str:
        read = self.draft.vocabulary.read("unit", word)
        return read[0].name if read else ""

    def read_stack(self, place: str, text: str, column: int) -> int:
        """Read `PLACE: UNIT, UNIT`, the stack from the top, and return the number of units there before.

        In a later line `PLACE:` states that the place is empty.
        """
        first = self.draft.open_stack(place)
        if self.draft.restates and not text.strip():
            return first
        for order, words in enumerate(split_at_commas(find_words(text, column)), first):
            try:
                self.read_unit(place, order, words)
            except InputError as error:
                self.on_fault(error.at(self.where(column)))
        return first

    def read_units_off_map(self, text: str, column: int) -> None:
        """Read `off-map: UNIT, UNIT`: units that have left the map or do not take part."""
        for words in split_at_commas(find_words(text, column)):
            try:
                self.read_unit(None, 0, words)
            except InputError as error:
                self.on_fault(error.at(self.where(column)))

    def read_unit(self, place: str | None, order: int, words: list[Word]) -> None:
        """Read a unit: the words that describe it, its id, its ratings and facts.

        `place`: the place, or None off the map.

        Raises InputError if no name is given, or a fact is not possible.
        """
        draft = self.draft
        words = self.join_copies(words)
        identity: list[tuple[Track, Fact]] = []
        described = list[str]()
        while words and (stated := draft.vocabulary.read("unit", words[0])):
            identity.append(stated)
            described.append(words[0].text)
            words = words[1:]
        hint = "put the unit's name after it (in quotes if it is such a word itself)"
        hint = f"{' '.join(described)} describes a unit: {hint}" if described else ""
        if not words:
            raise InputError("a unit name is missing", hint=hint, where=self.where(0))
        name, *rest = words
        with self.at(name.column):
            if name.text.startswith("(") and not name.quoted:
                raise InputError(f"a unit name is missing before {name.text}", hint=hint)
            id = draft.enter(name.text, place, order, identity, quoted=name.quoted)
            self.read_unit_facts(id, rest)
            draft.join(id, place)

    def join_copies(self, words: list[Word]) -> list[Word]:
        """Return the words, with the two words of a name such as `1st (2)` joined into one.

        Such a name stands for a further counter of a type. If the roster has no such counter, or the name is in quotes,
        `(2)` is a rating.
        """
        game, joined = self.draft.game, list[Word]()
        for word in words:
            if joined and word.text.startswith("(") and not (word.quoted or joined[-1].quoted):
                name = game.spell_unit(f"{joined[-1].text} {word.text}")
                if game.type_of(name) != name:
                    joined[-1] = joined[-1]._replace(text=name, quoted=True)
                    continue
            joined.append(word)
        return joined

    def read_unit_facts(self, unit: str, words: list[Word]) -> None:
        names = self.draft.game.file.notation.brackets
        facts = list[Word]()
        for word in words:
            rated = word.text.startswith("(") and not word.quoted
            facts += split_ratings(word, names, self.where) if rated else [word]
        self.state_facts("unit", unit, facts)

    @property
    def chains(self) -> ChainReader:
        """The reader of chains of hexes."""
        game = self.draft.game
        return ChainReader(game.board(self.draft.board).grid, game.file.notation, self.draft.vocabulary, self.where)

    def read_network(self, words: list[Word]) -> None:
        """Read `4023=4022=4021-4020r 4022:4122`: chains of hexes, with facts about the hexes and hexsides.

        Raises InputError if a word is not understood.
        """
        hint = "type what lies between it and the next hex"
        draft = self.draft
        track = self.hexside_tracks()[0]
        steps = self.chains.read(word for word in words if word != Word(",", word.column))
        for at, step in enumerate(steps):
            with self.at(step.hex.column):
                here = draft.place(step.hex.text)
                tied = step.between or (at + 1 < len(steps) and steps[at + 1].between)
                if not (tied or step.within):
                    raise InputError(f"{here} is linked to no other hex", hint=hint)
                if step.between:
                    side = draft.subject(track, f"{steps[at - 1].hex.text}|{here}")
                    self.state_facts("hexside", side, step.between)
            self.state_facts("hex", here, step.within)

    def read_supply_line(self, text: str, column: int) -> None:
        """Read `line NAME: HEX terrain -road- HEX ...`: the path of a supply line, the source first.

        Raises InputError if the line cannot be read.
        """
        draft = self.draft
        head, colon, path = split_at_colon(text)
        name, *more = find_words(head, column) or [Word("", column)]
        with self.at(column):
            if more:
                raise InputError(f"{more[0].text!r} is not expected here", hint=f'write line "{head.strip()}": ...')
            if not colon or not name.text:
                raise InputError("a supply line needs a name followed by a colon")
            draft.check_new(draft.lines, name.text, f"line {name.text!r} is given twice")
            draft.line_facts[name.text] = {}
            try:
                draft.lines[name.text] = self.read_path(name.text, find_words(path, column + len(head) + 1))
            except InputError:
                draft.drop_line(name.text)
                raise

    def read_path(self, line: str, words: list[Word]) -> tuple[str, ...]:
        """Return the hexes of a supply line, and state the terrain in and between them for this line.

        Raises InputError if a word is not understood.
        """
        passed: list[str] = []
        for step in self.chains.read(words):
            with self.at(step.hex.column):
                here = self.draft.place(step.hex.text)
                if passed:
                    self.read_crossing(passed[-1], here, step.between, line)
            passed.append(here)
            self.state_facts("hex", here, step.within, line)
        if len(passed) < 2:
            raise InputError("a line needs at least two hexes, from the source to the unit")
        return tuple(passed)

    def read_crossing(self, here: str, there: str, link: Sequence[Word], line: str) -> None:
        """State the facts of a hexside crossed by a supply line.

        For this line, a feature is absent there unless the line, the position or the board states it.
        """
        tracks = self.hexside_tracks()
        side = self.draft.subject(tracks[0], f"{here}|{there}")
        self.state_facts("hexside", side, link, line)
        for track in tracks:
            if track.absent is None:
                self.draft.take_as_absent(track, side, line)
