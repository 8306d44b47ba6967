"""The reader of position notation: line by line, statement by statement, into the parts of a position.

Words that state facts come from the game's tracks, so it knows no game; its errors name line and column and suggest the nearest
known word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from ..game.charts import Chart
from ..game.games import Game
from ..state.sources import Fact, Source
from ..state.state import Cell, CellKey, FactKey, GameState, Unit
from ..state.tracks import Subject, Track
from ..util.errors import InputError, Where, nearest
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


class Reader:
    """Reads one file, line by line; what it says is added to what a position said before.

    before: that position; shows: whether a counter on its map shows a fact; restates: whether what is said now takes the
    place of what was said before, as for somebody who types one line after the other; else it must not contradict it.
    """

    def __init__(
        self,
        name: str,
        load_game: Callable[[str], Game],
        before: Position | None = None,
        shows: Callable[[FactKey], bool] = lambda key: False,
        restates: bool = False,
    ) -> None:
        self.name, self.load_game, self.line, self.restates = name, load_game, 0, restates
        self.game: Game | None = None
        self.vocabulary: Vocabulary
        self.board = ""
        self.units: dict[str, Unit] = {}
        self.folded: dict[str, str] = {}  # ids without capitals
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
        self.said: set[FactKey] = set()
        self.named_places: set[str] = set()
        if before is not None:
            self.take_up(before)

    def take_up(self, before: Position) -> None:
        """Go on from a position: its units, its facts, the sources that it accepts; where all may be restated, all of it."""
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
        """A place in the line that is being read."""
        return Where(self.name, self.line, column)

    def read(self, text: str) -> Position:
        """The position that a text holds, after the one before. Raises InputError with line and column."""
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
                    raise error.at(self.where(column)) from None
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
        except InputError as error:  # what is wrong with a whole map no line of the remarks is to blame for
            raise (error if self.on_a_map else error.at(Where(self.name))) from None
        return Position(game, state, tuple(self.asks), self.answers, self.marks)

    @property
    def the_game(self) -> Game:
        """The game that the first line names. Raises InputError if none has been named yet."""
        if self.game is None:
            where = Where(self.name, 1)
            raise InputError(
                "the first line must name the game", hint="write: game NAME (`assistant games` lists them)", where=where
            )
        return self.game

    @property
    def so_far(self) -> GameState:
        """The units placed so far, for looking up what a line speaks of."""
        return GameState(game=self.the_game.id, board=self.board, units=self.units)

    def statement(self, text: str, column: int) -> None:
        """Read one line, told by its first word."""
        head, _, rest = text.partition(" ")
        rest_column = column + len(head) + 1
        match head:
            case "game" if self.game is not None:
                raise InputError("the game is named twice")
            case "game":
                self.game = self.load_game(rest.strip().casefold())
                self.vocabulary = Vocabulary(self.game)
            case "board" if self.units or self.facts:
                raise InputError("the board comes before units and ground", hint="move this line up")
            case "board":
                self.board = self.the_game.board(rest.strip()).name
            case "side" | "nation" | "army":
                subject, *said = words_of(rest, rest_column) or [Word("", rest_column)]
                on: Subject = "side" if head == "side" else "nation" if head == "nation" else "army"
                for word in said:
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
                    raise InputError("nothing is asked", hint="write: ask QUESTION name=value ...")
                marks = {"": self.where(question.column)}
                self.asks.append(Asked(question.text, self.named(parameters, {}, marks), marks))
            case "answers":
                self.answers |= self.named(words_of(rest, rest_column, SPACED), self.answers, self.marks)
            case _:
                self.facts_line(text, column)

    def accept(self, words: list[Word]) -> None:
        """`accept SOURCE ...`: sources on which answers may rest."""
        for word in words:
            try:
                self.accepts.add(Source(word.text))
            except ValueError:
                hint = nearest(word.text, [source.value for source in Source])
                raise InputError(f"unknown source {word.text!r}", where=self.where(word.column), hint=hint) from None

    def named(self, words: list[Word], before: Mapping[str, str], marks: dict[str, Where]) -> dict[str, str]:
        """`name=value` words; where each stands is marked."""
        found: dict[str, str] = {}
        for word in words:
            named = name_and_value(word)
            if named is None:
                raise InputError(f"{word.text!r} is no name=value", where=self.where(word.column))
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
        """A line about the game, a place, hexsides or a unit, told by its first word."""
        before, colon, after = split_at_colon(text)
        words = words_of(before, column)
        game = self.the_game
        if not words:
            raise InputError("a line begins with a place, a unit or a word of the game", where=self.where(column))
        first = words[0]
        if "|" in first.text and not first.quoted:
            self.hexsides(words)
        elif not colon and self.is_unit(first):
            self.unit_facts(first, words[1:])
        elif self.vocabulary.read("game", first) and not first.quoted:
            for word in words:
                self.state_fact("game", "", word)
        elif colon or self.is_place(first):
            place = self.checked(first, game.board(self.board).place)
            for word in words[1:]:
                self.state_fact("hex", place, word)
            if colon:
                self.stack(place, after, column + len(before) + 1)
        else:
            known = ["game", "board", "accept", "ruling", "chart", "line", "ask", "answers"]
            known += [*self.vocabulary.known("game"), *self.units]
            raise InputError(f"{first.text!r} begins no statement", hint=nearest(first.text, known))

    def is_unit(self, word: Word) -> bool:
        """Whether a word names a unit; one that has left the map may still be spoken of."""
        if self.on_a_map and word.text in self.the_game.roster and word.text.casefold() not in self.folded:
            self.folded[word.text.casefold()] = word.text
            self.units[word.text] = Unit(word.text, word.text, None)
        return word.text.casefold() in self.folded

    def is_place(self, word: Word) -> bool:
        """Whether a word names a place; one that begins with a digit is meant to."""
        try:
            self.the_game.board(self.board).place(word.text)
        except InputError:
            return word.text[:1].isdigit()
        return True

    def checked(self, word: Word, check: Callable[[str], str]) -> str:
        """What a check makes of a word; its error gets the place of the word."""
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
                    hint = "units of one place are parted by commas"
                raise InputError(f"{word.text!r} says nothing about a {on}", hint=hint)
            self.put(found[0], subject, found[1])
        except InputError as error:
            raise error.at(self.where(word.column)) from None

    def put(self, track: Track, subject: str, fact: Fact) -> None:
        """Note a fact. Raises InputError if it contradicts one that stands."""
        key = (track.name, subject)
        known = None if self.restates and key not in self.said else self.facts.get(key)
        self.said.add(key)
        elsewhere = known.value if known else track.absent
        if fact.assumed and fact.value != elsewhere and self.shows((track.name, subject)):
            return  # a counter shows otherwise, and it is sure
        if known and track.kind == "choices" and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
            fact = Fact(track.check((*known.value, *fact.value)), assumed=fact.assumed or known.assumed)
        elif known and known.value != fact.value:
            said = f"{track.write(known.value)} and {track.write(fact.value)}"
            raise InputError(f"{track.title} is stated twice: {said}", hint="leave out one of the two")
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
            side = self.checked(Word(f"{here}|{other.text}", other.column), lambda s: self.subject(track, s))
            for word in rest:
                self.state_fact("hexside", side, word)

    def hexside_tracks(self) -> list[Track]:
        """The tracks on hexsides. Raises InputError if the game has none."""
        found = [track for track in self.the_game.tracks.values() if track.on == "hexside"]
        if not found:
            raise InputError(f"nothing can be said of hexsides in {self.the_game.title}")
        return found

    def subject(self, track: Track, text: str) -> str:
        """The regular name of what a track speaks of."""
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
            self.unit(place, order, words)
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
            raise InputError("a unit has no id here", where=self.where(0))
        name, *rest = words
        if name.text.startswith("(") and not name.quoted:
            before = " ".join(track.word(fact.value) for track, fact in identity)
            hint = f"{before} describes a unit; its name comes next, in quotes if it is such a word" if before else ""
            raise InputError(f"a unit has no id before {name.text}", where=self.where(name.column), hint=hint)
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
        """Ratings and facts of a unit that is placed."""
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
            raise InputError(f"{word.text} is no set of ratings", where=self.where(word.column), hint=hint)
        column = word.column + 1
        for name, part in zip(names, parts, strict=True):
            if part.strip() not in ("?", ""):
                self.state_fact("unit", unit, Word(f"{name}={part.strip()}", column))
            elif not part.strip():
                raise InputError(
                    f"no {name} in {word.text}", where=self.where(column), hint="less than nothing cannot be"
                )
            column += len(part) + 1

    # --- lines ---

    def typed_line(self, text: str, column: int) -> None:
        """`line NAME: HEX terrain -road- HEX ...`: a path as the player sees it; the first hex is the source."""
        head, colon, path = split_at_colon(text)
        name, *_ = words_of(head, column) or [Word("", column)]
        if not colon or not name.text:
            raise InputError("a line needs a name and a colon after it", where=self.where(column))
        on = self.the_game.board(self.board)
        passed: list[str] = []
        link: list[Word] = []
        for word in words_of(path, column + len(head) + 1):
            if word.text.startswith("-") and word.text.endswith("-") and len(word.text) > 2:
                link.append(Word(word.text.strip("-"), word.column + 1))
            elif not word.quoted and self.vocabulary.read("hex", word) and passed:
                self.state_fact("hex", passed[-1], word)
            else:
                here = self.checked(word, on.place)
                if passed:
                    self.crossing(passed[-1], here, link, word)
                passed.append(here)
                link = []
        if len(passed) < 2 or link:
            raise InputError("a line needs its hexes, from the source to the unit", where=self.where(column))
        if name.text in self.lines and not self.restates:
            raise InputError(f"there are two lines {name.text!r}", where=self.where(column))
        self.lines[name.text] = tuple(passed)

    def crossing(self, here: str, there: str, link: list[Word], at: Word) -> None:
        """What a line crosses: what is named is there, and what is not named is not."""
        tracks = self.hexside_tracks()
        side = self.checked(Word(f"{here}|{there}", at.column), lambda text: self.subject(tracks[0], text))
        for word in link:
            self.state_fact("hexside", side, word)
        for track in tracks:
            if track.absent is None and (track.name, side) not in self.facts:
                self.put(track, side, Fact(track.nothing))
