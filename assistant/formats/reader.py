"""The reader of position notation: line by line, statement by statement, into the parts of a position.

The words that state facts come from the game's tracks, so the reader knows no particular game. Its errors name line and
column and suggest the nearest known word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from ..game.charts import Chart
from ..game.games import Game
from ..state.sources import Fact, Source
from ..state.state import Cell, CellKey, FactKey, GameState, Unit
from ..state.tracks import Subject, Track
from ..util.errors import InputError, OnFault, Where, nearest, quoted, stop
from ..util.limits import Limit
from .positions import Asked, Position
from .words import (
    SPACED,
    Vocabulary,
    Word,
    between_commas,
    check_signs,
    name_and_value,
    split_at_colon,
    without_comment,
    words_of,
)


class NotationReader:
    """Reads one file, line by line, and adds what it states to an earlier position.

    before: that position; shows: whether a counter on its map shows a fact; restates: whether the file replaces what was
    stated before, as when a player types line after line; otherwise it must not contradict it. on_fault: gets each faulty line
    or unit; if it does not raise, the reader goes on.
    """

    def __init__(
        self,
        name: str,
        load_game: Callable[[str], Game],
        before: Position | None = None,
        shows: Callable[[FactKey], bool] = lambda key: False,
        restates: bool = False,
        on_fault: OnFault = stop,
    ) -> None:
        self.on_fault = on_fault
        self.name, self.load_game, self.line, self.restates = name, load_game, 0, restates
        self.game: Game | None = None
        self.vocabulary: Vocabulary
        self.board = ""
        self.units: dict[str, Unit] = {}
        self.folded: dict[str, str] = {}  # casefolded id -> id
        self.stacks: dict[str, list[Unit]] = {}
        self.facts: dict[FactKey, Fact] = {}
        self.cells: dict[CellKey, Cell] = {}
        self.rulings: dict[str, str] = {}
        self.lines: dict[str, tuple[str, ...]] = {}
        self.accepts: set[Source] = set()
        self.asks: list[Asked] = []
        self.answers: dict[str, str] = {}
        self.marks: dict[str, Where] = {}
        self.on_a_map, self.shows = before is not None, shows
        self.stated: set[FactKey] = set()
        self.named_places: set[str] = set()
        if before is not None:
            self.take_up(before)

    def take_up(self, before: Position) -> None:
        """Start from a position: its units, facts and accepted sources; all of it if this file replaces statements."""
        self.game, state = before.game, before.state
        self.vocabulary = Vocabulary(before.game)
        self.board = state.board
        self.units, self.facts = dict(state.units), dict(state.facts)
        self.folded = {unit.casefold(): unit for unit in self.units}
        for unit in self.units.values():
            if unit.place:
                self.stacks.setdefault(unit.place, []).append(unit)
        self.accepts = set(state.accepts)
        if self.restates:
            self.cells, self.rulings, self.lines = dict(state.cells), dict(state.rulings), dict(state.lines)

    def where(self, column: int) -> Where:
        """A column of the line being read."""
        return Where(self.name, self.line, column)

    def read(self, text: str) -> Position:
        """The position after a text is read. Raises InputError with line and column."""
        Limit.NOTATION.check(len(text), "it holds")
        Limit.LINES.check(text.count("\n"), "it holds")
        longest = Limit.LINE.most
        for self.line, line in enumerate(text.splitlines(), 1):
            bare = without_comment(line.replace("\t", " "))
            if bare.strip():
                column = len(bare) - len(bare.lstrip()) + 1
                try:
                    if len(bare) > longest:
                        raise Limit.LINE.error("the line holds")
                    check_signs(bare)
                    self.statement(bare.strip(), column)
                except InputError as error:
                    if self.game is None:
                        raise error.at(self.where(column)) from None
                    self.on_fault(error.at(self.where(column)))
        game = self.the_game
        try:
            state = game.state(
                board=self.board,
                units=self.units.values(),
                facts=self.facts,
                cells=self.cells,
                rulings=self.rulings,
                lines=self.lines,
                accepts=self.accepts,
            )
        except InputError as error:  # no line of the remarks is to blame for a fault of the map
            raise (error if self.on_a_map else error.at(Where(self.name))) from None
        return Position(game, state, tuple(self.asks), self.answers, self.marks)

    @property
    def the_game(self) -> Game:
        """The game named in the first line. Raises InputError if none has been named yet."""
        if self.game is None:
            where = Where(self.name, 1)
            raise InputError(
                "the first line must name the game", hint="write: game NAME (`assistant games` lists them)", where=where
            )
        return self.game

    @property
    def so_far(self) -> GameState:
        """The units placed so far, to look up the subject of a line."""
        return GameState(game=self.the_game.id, board=self.board, units=self.units)

    def statement(self, text: str, column: int) -> None:
        """Read one line according to its first word."""
        head, _, rest = text.partition(" ")
        rest_column = column + len(head) + 1
        match head:
            case "game" if self.game is not None:
                raise InputError("the game is named twice")
            case "game":
                self.game = self.load_game(rest.strip().casefold())
                self.vocabulary = Vocabulary(self.game)
            case "board" if self.units or self.facts:
                raise InputError("the board must be named before units and terrain", hint="move this line up")
            case "board":
                self.board = self.the_game.board(rest.strip()).name
            case "side" | "nation" | "army":
                subject, *facts = words_of(rest, rest_column) or [Word("", rest_column)]
                on: Subject = "side" if head == "side" else "nation" if head == "nation" else "army"
                for word in facts:
                    self.state_fact(on, subject.text, word)
            case "accept":
                self.accept(words_of(rest, rest_column))
            case "ruling":
                name, _, reading = (part.strip() for part in rest.partition("="))
                if name not in self.the_game.rulings:
                    raise InputError(f"unknown ruling {name!r}", hint=nearest(name, self.the_game.rulings))
                if name in self.rulings and not self.restates:
                    raise InputError(f"ruling {name} is given twice")
                self.rulings[name] = self.the_game.rulings[name].check(reading)
            case "chart":
                self.chart(rest, rest_column)
            case "line":
                self.typed_line(rest, rest_column)
            case "ask":
                question, *parameters = words_of(rest, rest_column, SPACED) or [Word("", rest_column)]
                if not question.text:
                    raise InputError("the question is missing", hint="write: ask QUESTION name=value ...")
                marks = {"": self.where(question.column)}
                self.asks.append(Asked(question.text, self.named(parameters, {}, marks), marks))
            case "answers":
                self.answers |= self.named(words_of(rest, rest_column, SPACED), self.answers, self.marks)
            case _:
                self.facts_line(text, column)

    def accept(self, words: list[Word]) -> None:
        """`accept SOURCE ...`: sources that answers may rest on."""
        for word in words:
            try:
                self.accepts.add(Source(word.text))
            except ValueError:
                hint = nearest(word.text, [source.value for source in Source])
                raise InputError(f"unknown source {word.text!r}", where=self.where(word.column), hint=hint) from None

    def named(self, words: list[Word], before: Mapping[str, str], marks: dict[str, Where]) -> dict[str, str]:
        """`name=value` words; `marks` gets the place of each."""
        found: dict[str, str] = {}
        for word in words:
            named = name_and_value(word)
            if named is None:
                hint = "write no space after the comma" if "".join([*found.values()][-1:]).endswith(",") else ""
                raise InputError(
                    f"{word.text!r} is not of the form name=value", where=self.where(word.column), hint=hint
                )
            name, value = named
            if name in found or name in before:
                raise InputError(f"{name} is given twice", where=self.where(word.column))
            found[name] = value
            marks[name] = self.where(word.column)
        return found

    def chart(self, text: str, column: int) -> None:
        """`chart NAME KEY ... = FIELD / ...`: a cell of a printed chart."""
        keys, equals, cell = text.partition("=")
        name, *key = [word.text for word in words_of(keys, 0, SPACED)] or [""]
        chart: Chart = self.the_game.chart(name)
        if not equals:
            raise InputError("a chart cell needs its value", hint=chart.how_to_state(chart.key(*key)))
        regular = chart.key(*key)
        if (name, regular) in self.cells and not self.restates:
            raise InputError("this chart cell is stated twice", hint="leave out one of the two")
        try:
            self.cells[name, regular] = chart.cell(cell)
        except InputError as error:
            raise error.at(self.where(column + len(keys) + 1 + len(cell) - len(cell.lstrip()))) from None

    # --- facts ---

    def facts_line(self, text: str, column: int) -> None:
        """A line about the game, a place, hexsides or a unit, according to its first word."""
        before, colon, after = split_at_colon(text)
        words = words_of(before, column)
        game = self.the_game
        if not words:
            raise InputError("a line must begin with a place, a unit or a word of the game", where=self.where(column))
        first = words[0]
        if "|" in first.text and not first.quoted:
            self.hexsides(words)
        elif not colon and self.is_unit(first):
            self.unit_facts(first, words[1:])
        elif self.vocabulary.read("game", first) and not first.quoted:
            for word in words:
                self.state_fact("game", "", word)
        elif colon or self.is_place(first):
            place = self.check_at(first, game.board(self.board).place)
            for word in words[1:]:
                self.state_fact("hex", place, word)
            if colon:
                self.stack(place, after, column + len(before) + 1)
        else:
            known = ["game", "board", "accept", "ruling", "chart", "line", "ask", "answers"]
            known += [*self.vocabulary.known("game"), *self.units]
            raise InputError(f"a line cannot begin with {first.text!r}", hint=nearest(first.text, known))

    def is_unit(self, word: Word) -> bool:
        """Whether a word names a unit, on the map or off it."""
        if self.on_a_map and word.text in self.the_game.roster and word.text.casefold() not in self.folded:
            self.folded[word.text.casefold()] = word.text
            self.units[word.text] = Unit(word.text, word.text, None)
        return word.text.casefold() in self.folded

    def is_place(self, word: Word) -> bool:
        """Whether a word names a place, or is meant to since it begins with a digit."""
        try:
            self.the_game.board(self.board).place(word.text)
        except InputError:
            return word.text[:1].isdigit()
        return True

    def check_at(self, word: Word, check: Callable[[str], str]) -> str:
        """The result of a check of a word; an error gets the place of the word."""
        try:
            return check(word.text)
        except InputError as error:
            raise error.at(self.where(word.column)) from None

    def state_fact(self, on: Subject, subject: str, word: Word) -> None:
        """Read a word as a fact about a subject."""
        try:
            found = self.vocabulary.read(on, word)
            if found is None:
                hint = nearest(word.text.rstrip("?"), self.vocabulary.known(on))
                if on == "unit" and (word.quoted or word.text in self.the_game.roster):
                    hint = "separate the units of a place with commas"
                if on == "hex" and (word.quoted or word.text in self.the_game.roster):
                    hint = f"put a colon between the hex and its units: {subject}: {quoted(word.text)}"
                raise InputError(f"{word.text!r} is not a fact about a {on}", hint=hint)
            self.put(found[0], subject, found[1])
        except InputError as error:
            raise error.at(self.where(word.column)) from None

    def put(self, track: Track, subject: str, fact: Fact) -> None:
        """Add a fact. Raises InputError if it contradicts an earlier one."""
        key = (track.name, subject)
        known = None if self.restates and key not in self.stated else self.facts.get(key)
        self.stated.add(key)
        shown = known.value if known else track.absent
        if fact.assumed and fact.value != shown and self.shows((track.name, subject)):
            return  # a counter shows otherwise, which is certain
        if known and track.kind == "choices" and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
            fact = Fact(track.check((*known.value, *fact.value)), assumed=fact.assumed or known.assumed)
        elif known and known.value != fact.value:
            both = f"{track.write(known.value)} and {track.write(fact.value)}"
            raise InputError(f"{track.title} is stated twice: {both}", hint="leave out one of the two")
        self.facts[track.name, subject] = fact
        self.the_game.check_below(track, subject, fact, self.facts)

    def hexsides(self, words: list[Word]) -> None:
        """`41.19|40.19,40.20 words`: what lies on the hexsides between the first hex and each of the others."""
        here, _, there = words[0].text.replace(" ", "").partition("|")
        others, rest = [Word(there, words[0].column + len(here) + 1)], words[1:]
        while len(rest) > 1 and rest[0].text == ",":
            others.append(rest[1])
            rest = rest[2:]
        track = self.hexside_tracks()[0]
        for other in others:
            side = self.check_at(Word(f"{here}|{other.text}", other.column), lambda s: self.subject(track, s))
            for word in rest:
                self.state_fact("hexside", side, word)

    def hexside_tracks(self) -> list[Track]:
        """The tracks on hexsides. Raises InputError if the game has none."""
        found = [track for track in self.the_game.tracks.values() if track.on == "hexside"]
        if not found:
            raise InputError(f"{self.the_game.title} has no facts about hexsides")
        return found

    def subject(self, track: Track, text: str) -> str:
        """The regular name of the subject of a track."""
        return self.the_game.subject(track, text, self.so_far)

    # --- units ---

    def stack(self, place: str, text: str, column: int) -> None:
        """`PLACE: UNIT, UNIT`: the units of a place from the top."""
        if self.restates and place not in self.named_places:
            for unit in tuple(self.stacks.get(place, ())):
                self.lift(unit)
            self.named_places.add(place)
        order = len(self.stacks.setdefault(place, []))
        for words in between_commas(words_of(text, column)):
            try:
                self.unit(place, order, words)
            except InputError as error:
                self.on_fault(error.at(self.where(column)))
            order += 1

    def lift(self, unit: Unit) -> None:
        """Take a unit off the map, for now."""
        if unit.place:
            self.stacks[unit.place].remove(unit)
        self.units[unit.id] = msgspec.structs.replace(unit, place=None)

    def unit(self, place: str, order: int, words: list[Word]) -> None:
        """Place a unit: the words that describe it, its id, its ratings and facts."""
        identity: list[tuple[Track, Fact]] = []
        while words and not words[0].quoted and (found := self.vocabulary.read("unit", words[0])):
            identity.append(found)
            words = words[1:]
        if not words:
            raise InputError("a unit name is missing", where=self.where(0))
        name, *rest = words
        if name.text.startswith("(") and not name.quoted:
            before = " ".join(track.word(fact.value) for track, fact in identity)
            hint = (
                f"{before} describes a unit: put the unit's name after it (in quotes if the name is such a word)"
                if before
                else ""
            )
            raise InputError(f"a unit name is missing before {name.text}", where=self.where(name.column), hint=hint)
        if name.text.casefold() in self.folded:
            known = self.units[self.folded[name.text.casefold()]]
            if not self.restates or known.place in self.named_places:
                raise InputError(f"unit {name.text} is placed twice", where=self.where(name.column))
            name = name._replace(text=known.id)
            self.lift(known)
        described = {(track.name, name.text): fact for track, fact in identity}
        described = {**self.facts, **described} if self.restates else described
        try:
            self.the_game.check_identity(Unit(name.text, name.text, place), described)
        except InputError as error:
            begun = f"{name.text} ".casefold()
            whole = next((known for known in self.the_game.roster if known.casefold().startswith(begun)), "")
            if whole and not name.quoted:
                error.hint = f'put a name with a space in quotes: "{whole}"'
            raise error.at(self.where(name.column)) from None
        game = self.the_game
        self.folded[name.text.casefold()] = name.text
        self.units[name.text] = Unit(name.text, name.text, place, order)
        Limit.UNITS.check(len(self.units), "it holds")
        for track, fact in identity:
            self.put(track, name.text, fact)
        self.unit_facts(name, rest)
        try:
            self.stacks[place].append(self.units[name.text])
            game.check_company((self.stacks[place][0], self.stacks[place][-1]), self.facts)
        except InputError as error:
            raise error.at(self.where(name.column)) from None

    def unit_facts(self, name: Word, words: list[Word]) -> None:
        """The ratings and facts of a placed unit."""
        unit = self.folded[name.text.casefold()]
        for word in words:
            if word.text.startswith("(") and not word.quoted:
                self.ratings(unit, word)
            else:
                self.state_fact("unit", unit, word)

    def ratings(self, unit: str, word: Word) -> None:
        """`(10-?-5-10)`: the ratings in brackets; a ? alone states nothing, a ? after a value marks an assumption."""
        names = self.the_game.file.notation.brackets
        parts = word.text.strip("()").split("-")
        if not word.text.endswith(")") or len(parts) != len(names):
            hint = f"write ({'-'.join(names)}), with ? for what is not needed"
            raise InputError(f"{word.text} does not fit the ratings", where=self.where(word.column), hint=hint)
        column = word.column + 1
        for name, part in zip(names, parts, strict=True):
            if part.strip() not in ("?", ""):
                self.state_fact("unit", unit, Word(f"{name}={part.strip()}", column))
            elif not part.strip():
                raise InputError(
                    f"{name} is missing in {word.text}", where=self.where(column), hint="write ? for an unknown one"
                )
            column += len(part) + 1

    # --- lines ---

    def typed_line(self, text: str, column: int) -> None:
        """`line NAME: HEX terrain -road- HEX ...`: a path as the player sees it; the first hex is the source."""
        head, colon, path = split_at_colon(text)
        name, *_ = words_of(head, column) or [Word("", column)]
        if not colon or not name.text:
            raise InputError("a supply line needs a name followed by a colon", where=self.where(column))
        on = self.the_game.board(self.board)
        passed: list[str] = []
        link: list[Word] = []
        for word in words_of(path, column + len(head) + 1):
            if word.text.startswith("-") and word.text.endswith("-") and len(word.text) > 2:
                link.append(Word(word.text.strip("-"), word.column + 1))
            elif not word.quoted and self.vocabulary.read("hex", word) and passed:
                self.state_fact("hex", passed[-1], word)
            else:
                here = self.check_at(word, on.place)
                if passed:
                    self.crossing(passed[-1], here, link, word)
                passed.append(here)
                link = []
        if len(passed) < 2 or link:
            raise InputError("a line needs at least two hexes, from the source to the unit", where=self.where(column))
        if name.text in self.lines and not self.restates:
            raise InputError(f"line {name.text!r} is given twice", where=self.where(column))
        self.lines[name.text] = tuple(passed)

    def crossing(self, here: str, there: str, link: list[Word], at: Word) -> None:
        """A hexside that a line crosses: what is not named there is absent."""
        tracks = self.hexside_tracks()
        side = self.check_at(Word(f"{here}|{there}", at.column), lambda text: self.subject(tracks[0], text))
        for word in link:
            self.state_fact("hexside", side, word)
        for track in tracks:
            if track.absent is None and (track.name, side) not in self.facts:
                self.put(track, side, Fact(track.nothing))
