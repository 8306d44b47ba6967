"""Position notation: a state typed in a minute, the questions asked of it, and the answers; its grammar is in the
handbook.

A text is read line by line into the draft of a position. The words that state facts come from the game's tracks. Errors
name line and column and suggest the nearest known word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property

import msgspec

from ..game.games import Game
from ..state.state import UNSEEN, FactKey, GameState
from ..state.tracks import Source, Value, find_left_behind
from ..state.trust import ALL, OWN, PLACEHOLDERS, find_sources
from ..state.words import (
    SPACED,
    Word,
    check_signs,
    find_words,
    name_and_value,
    split_at_colon,
    strip_comment,
)
from ..util.errors import InputError, OnFault, Where, format_suggestion, located, stop
from ..util.limits import Limit
from .draft import PositionDraft
from .fact_lines import FactReader
from .positions import Asked, Position, pose_position

# --- reading ----------------------------------------------------------------------------------------------------------


class _Here:
    """The line of a file that is being read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0

    def where(self, column: int) -> Where:
        """Return a column of the line."""
        return Where(self.name, self.line, column)


class NotationReader:
    """Reads one file, line by line."""

    def __init__(
        self, name: str, load_game: Callable[[str], Game], begun: PositionDraft | None = None, on_fault: OnFault = stop
    ) -> None:
        self.name = name
        self.load_game = load_game
        self.begun = begun
        """The draft that it adds to; without one, the file names its game."""
        self.on_fault = on_fault
        """Gets each faulty line or unit; if it does not raise, the reader goes on."""
        self.here = _Here(name)
        self.where = self.here.where
        """Gives a column of the line being read."""
        self.asks: list[Asked] = []
        self.answers: dict[str, str] = {}
        self.marks: dict[str, Where] = {}

    @property
    def draft(self) -> PositionDraft:
        """What is stated so far. Raises InputError if no game has been named yet."""
        if self.begun is None:
            hint = "write: game NAME (`assistant games` lists them)"
            raise InputError("the first line must name the game", hint=hint, where=Where(self.name, 1))
        return self.begun

    @cached_property
    def facts(self) -> FactReader:
        """Reads the lines that state facts. Raises InputError if no game has been named yet."""
        return FactReader(self.draft, self.where, self.on_fault)

    def at(self, column: int) -> AbstractContextManager[None]:
        """Give errors that have no place yet this column of the line."""
        return located(self.where(column))

    def read(self, text: str) -> Position:
        """Return the position after a text is read. Raises InputError with line and column."""
        self.read_statements(text)
        return self.position

    @property
    def position(self) -> Position:
        """The position that is stated so far. Raises InputError for a fault of it as a whole."""
        draft = self.draft
        try:
            state = draft.state(draft.before)
        except InputError as error:  # no line of the remarks is to blame for a fault of the map
            raise (error if draft.on_a_map else error.at(Where(self.name))) from None
        return pose_position(draft.game, state, self.asks, self.answers, self.marks)

    def read_statements(self, text: str, first: int = 1) -> None:
        """Read a text line by line into the draft, which is not yet checked as a whole. first: the number of its first
        line in the file. Raises InputError with line and column.
        """
        Limit.NOTATION.check(len(text), "it holds")
        Limit.LINES.check(text.count("\n"), "it holds")
        longest = Limit.LINE.most
        for self.here.line, line in enumerate(text.splitlines(), first):
            self.read_row(line, longest)

    def read_row(self, line: str, longest: int) -> None:
        """Read one line into the draft. longest: its most letters. Raises InputError with line and column."""
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
        """Read one line according to its first word. Raises InputError for what cannot be read."""
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
                self.facts.read_line(rest, column_of_rest)
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
        """Read `answers NAME=VALUE ...`: dice and choices for the question above, or where there is none for each that
        waits for them.
        """
        if not self.asks:
            self.answers |= self.read_pairs(words, self.answers, self.marks)
            return
        asked = self.asks[-1]
        marks = dict[str, Where]()
        answers = {**asked.answers, **self.read_pairs(words, asked.answers, marks)}
        self.asks[-1] = msgspec.structs.replace(asked, answers=answers, marks={**marks, **asked.marks})

    def read_sources(self, words: list[Word]) -> None:
        """Read `accept SOURCE ...`: sources that answers may rest on. Raises InputError for what cannot be read."""
        for word in words:
            try:
                self.draft.accepts.add(Source(word.text))
            except ValueError:
                hint = format_suggestion(word.text, [source.value for source in Source])
                raise InputError(f"unknown source {word.text!r}", where=self.where(word.column), hint=hint) from None

    def read_trust(self, words: list[Word], *, owns: bool) -> None:
        """Read `trust charts counters` lets these stand in for the owner's, `own map` leaves a drawn one out; `trust
        own` is `own all`.

        Raises InputError for what is neither, and for `all` or `own` beside anything else.
        """
        hint = f"write: {OWN if owns else 'trust'} {', '.join(PLACEHOLDERS)} or {ALL}"
        if not words:
            raise InputError("nothing is named", hint=hint)
        for word in words:
            if word.text not in (*PLACEHOLDERS, ALL, OWN):
                raise InputError(f"{word.text!r} cannot be trusted", where=self.where(word.column), hint=hint)
            if len(words) > 1 and word.text not in PLACEHOLDERS:
                raise InputError(f"{word.text!r} stands alone", where=self.where(word.column), hint=hint)
            change = self.draft.accepts.difference_update if owns or word.text == OWN else self.draft.accepts.update
            change(find_sources(ALL if word.text == OWN else word.text))

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
        """Return the values of `name=value` words; `marks` gets the place of each.

        Raises InputError for what cannot be read.
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
    """Return the position in a text. Each faulty line or unit goes to `on_fault`, with line and column and the nearest
    known words; without one, all of them are raised together.

    Raises InputError for a fault after which nothing can be read.
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
        """Note a fault of the text; one of a file that it names would come again with each line."""
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
            if error.where and error.where.line:  # else it may follow from what was left out
                faults.append(error)
    if faults:
        raise InputError.together(faults)
    return position


def _line(data: bytes, at: int) -> int:
    return data[:at].count(b"\n") + 1


def read_remarks(text: str, name: str, position: Position, shows: Callable[[FactKey], bool]) -> Position:
    """Return a position whose units are already placed, with the facts that further lines of notation add.

    name: what messages call the text; shows: whether a counter on the map shows a fact, even by showing nothing, which
    overrides an assumption in the text. Raises InputError with line and column, or without for a fault of the whole
    map.
    """
    draft = PositionDraft(position.game, position.state, shows)
    return NotationReader(name, lambda _: position.game, draft).read(text)


def read_on(text: str, position: Position, name: str = "", *, same_moment: bool = False, first: int = 1) -> Position:
    """Return a position after further lines of notation, which replace the stacks, facts and questions that they name.

    name: for messages; same_moment: whether the lines complete the position, so that no fact lapses with the track that
    it `ends_with`; first: the number of the first line. Raises InputError for a fault of the whole position.
    """
    before = position.state
    draft = PositionDraft(position.game, before, restates=True)
    reader = NotationReader(name, lambda _: position.game, draft)
    reader.read_statements(text, first)
    after = reader.position
    game = position.game
    facts = after.state.facts
    ended = ended_tracks(game, before, after.state, same_moment=same_moment)
    gone = {key for key in facts if key[0] in ended} if ended else set()
    if not same_moment:
        gone |= find_left_behind(game.tracks, facts, find_units_gone(before, after.state))
    gone |= {(UNSEEN, place) for place in draft.named_places}  # a stack is exactly as the lines state it
    if gone := (gone - draft.stated) & facts.keys():
        facts = {key: fact for key, fact in facts.items() if key not in gone}
    state = msgspec.structs.replace(after.state, facts=facts, unread=before.unread, seen_by=before.seen_by)
    return msgspec.structs.replace(after, past=position.past).with_state(state)


def ended_tracks(game: Game, before: GameState, after: GameState, *, same_moment: bool = False) -> set[str]:
    """Return the tracks whose facts lapse as play goes on from one state to another. same_moment: as in `read_on`."""
    was, now = _of_the_game(game, before), _of_the_game(game, after)
    told = was.keys() if same_moment else now.keys() | was.keys()
    new = {name: now.get(name) for name in told if now.get(name) != was.get(name)}
    if not new:
        return set()
    return {name for name, track in game.tracks.items() if track.ends_as(new)}


def find_units_gone(before: GameState, after: GameState) -> Iterator[str]:
    """Yield the units that have left the hexes in which they stood, from one state to another."""
    if before.units is after.units:
        return
    for name, unit in before.units.items():
        now = after.units.get(name)
        if unit.place and (now is None or now.place != unit.place):
            yield name


def _of_the_game(game: Game, state: GameState) -> dict[str, Value]:
    """Return the stated facts of the game itself."""
    return {name: state.facts[name, ""].value for name in game.tracks if (name, "") in state.facts}
