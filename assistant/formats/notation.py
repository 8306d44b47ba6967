"""Position notation: a state typed in a minute, the questions asked of it, and the answers.

The grammar is in docs/reference/notation.md. A text is read line by line, statement by statement, into the draft of a
position. The words that state facts come from the game's tracks, so this reader knows no particular game. Its errors
name line and column and suggest the nearest known word.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from itertools import chain

import msgspec

from ..game.course import arrival_track
from ..game.games import Game, regular_text
from ..state.state import UNSEEN, Cell, CellKey, FactKey, GameState, Unit
from ..state.tracks import Fact, Source, Subject, Track, Value, flip_track
from ..state.words import (
    SPACED,
    STATEMENTS,
    Vocabulary,
    Word,
    between_commas,
    check_signs,
    name_and_value,
    ratings_in,
    split_at_colon,
    split_names,
    without_comment,
    words_of,
)
from ..util.errors import InputError, OnFault, Where, located, quoted, stop, suggested
from ..util.limits import Limit
from ..util.texts import natural
from .chains import ChainReader
from .naming import no_line, not_a_fact
from .positions import Asked, Format, Position


class Draft:
    """What is stated of a position so far.

    before: the state that the statements add to, if they do; shows: whether a counter on its map shows a fact;
    restates: whether they replace what was stated before, as when a player types line after line; otherwise they must
    not contradict it. stated: the facts stated in this draft; named_places: the places whose whole stack it restates.
    """

    def __init__(
        self,
        game: Game,
        before: GameState | None = None,
        shows: Callable[[FactKey], bool] = lambda key: False,
        *,
        restates: bool = False,
    ) -> None:
        nothing = GameState(game=game.id)
        state = before or nothing
        self.game, self.vocabulary = game, Vocabulary(game.tracks)
        self.on_a_map, self.shows, self.restates = before is not None, shows, restates
        self.board, self.accepts = state.board, set[Source](state.accepts)
        self.units, self.facts = dict(state.units), dict(state.facts)
        kept = state if restates else nothing
        self.cells: dict[CellKey, Cell] = dict(kept.cells)
        self.rulings: dict[str, str] = dict(kept.rulings)
        self.lines: dict[str, tuple[str, ...]] = dict(kept.lines)
        self.line_facts: dict[str, dict[FactKey, Fact]] = {name: dict(of) for name, of in kept.line_facts.items()}
        # the lines that state a fact, or did before they were stated anew
        self._stating: dict[FactKey, dict[str, None]] = {}
        for name, of in self.line_facts.items():
            for key in of:
                self._stating.setdefault(key, {})[name] = None
        # what lines say of a fact, but for those that say that nothing is there
        self._by_lines: dict[FactKey, Fact] = {}
        self.stated: set[FactKey] = set()
        self.named_places: set[str] = set()
        # by track of units whose value is a text, as an army: how each is spelled on counters or was stated first
        self._spelled: dict[str, dict[str, str]] = {}
        self._ids = {unit.casefold(): unit for unit in self.units}
        # the units that a line brought into the state without a place
        self._waiting: set[str] = set()
        self._stacks: dict[str, list[Unit]] = {}
        for unit in self.units.values():
            if unit.place:
                self._stacks.setdefault(unit.place, []).append(unit)

    def state(self) -> GameState:
        """The whole state. Raises InputError for what does not fit together."""
        return self.game.state(
            board=self.board,
            units=self.units.values(),
            facts=self.facts,
            cells=self.cells,
            rulings=self.rulings,
            lines=self.lines,
            line_facts={
                name: own
                for name, of in self.line_facts.items()
                if (own := {key: fact for key, fact in of.items() if self.facts.get(key) != fact})
            },
            accepts=self.accepts,
        )

    def check_new(self, holder: Container[Hashable], key: Hashable, what: str, hint: str = "") -> None:
        """Raise InputError if something is stated a second time. what: the message."""
        if key in holder and not self.restates:
            raise InputError(what, hint=hint)

    # --- facts ---

    def subject(self, track: Track, text: str) -> str:
        """The regular name of the subject of a track. Raises InputError for one that it cannot be about."""
        return self.game.subject(track, text, GameState(game=self.game.id, board=self.board, units=self.units))

    def place(self, text: str) -> str:
        """The regular name of a place. Raises InputError for one off the board."""
        return self.game.board(self.board).place(text)

    def put(self, track: Track, subject: str, fact: Fact, line: str = "") -> None:
        """Add a fact. line: the line that states it, "" for none. Raises InputError if it contradicts an earlier one."""
        if track.on == "unit" and track.kind == "text":
            fact = self._as_spelled(track, fact)
        if track.names:
            fact = msgspec.structs.replace(fact, value=regular_text(track, fact.value, self.game.board(self.board)))
        key = (track.name, subject)
        own = self.line_facts[line] if line else self.facts
        if self.restates and track is flip_track(self.game.tracks) and fact.value != self._value_of(key, track):
            self._turn_over(subject)
        if self.restates and key not in self.stated:
            for holder in (self.facts, *(self.line_facts[name] for name in self._stating.pop(key, ()))):
                holder.pop(key, None)
        self.stated.add(key)
        if fact.assumed and fact.value != self._value_of(key, track) and self.shows(key):
            return  # a counter shows otherwise, which is certain
        if track.kind == "choices":  # words add up, those of a line when the state is read
            if (known := own.get(key)) and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
                words = track.check((*known.value, *fact.value))  # if all are stated anew, they are as sure as that
                fact = Fact(words, assumed=fact.assumed or (known.assumed and words != fact.value))
        else:
            for known in (self.facts.get(key), self._by_lines.get(key)):
                if known and known.value != fact.value:
                    both = f"{track.write(known.value)} and {track.write(fact.value)}"
                    raise InputError(f"{track.title} is stated twice: {both}", hint="leave out one of the two")
            if line and fact.value != track.nothing:
                self._by_lines.setdefault(key, fact)
        self._keep(key, fact, line)
        self.game.check_below(track, subject, fact, self.facts)

    def _value_of(self, key: FactKey, track: Track) -> Value | None:
        """What the state says of a fact, or silence means."""
        return self.facts[key].value if key in self.facts else track.absent

    def _turn_over(self, unit: str) -> None:
        """Forget the ratings of a counter that is turned over, and what is counted down from them: they were those of
        the other side. What was stated with them stays.
        """
        tracks = self.game.tracks
        ratings = [name for name in self.game.file.notation.brackets if tracks[name].back]
        counted = [name for name, track in tracks.items() if track.below in ratings and track.on == "unit"]
        for name in (*ratings, *counted):
            if (name, unit) not in self.stated:
                self.facts.pop((name, unit), None)

    def _as_spelled(self, track: Track, fact: Fact) -> Fact:
        """A text about a unit as counters spell it, or as it was stated first: upper and lower case are the same."""
        if (spelled := self._spelled.get(track.name)) is None:
            spelled = self._spelled[track.name] = {}
            printed = (fact for facts in self.game.roster.values() for fact in facts.get(track.name, ()))
            stated = (fact for (name, _), fact in self.facts.items() if name == track.name)
            for known in (*printed, *stated):
                spelled.setdefault(str(known.value).casefold(), str(known.value))
        value = spelled.setdefault(str(fact.value).casefold(), str(fact.value))
        return fact if value == fact.value else Fact(value, assumed=fact.assumed)

    def leave_out(self, track: Track, subject: str, line: str) -> None:
        """Take as absent what neither a line nor the position states, as far as this line goes."""
        key = (track.name, subject)
        if key not in self.facts and key not in self.line_facts[line]:
            self._keep(key, Fact(track.nothing), line)

    def _keep(self, key: FactKey, fact: Fact, line: str) -> None:
        """Keep a fact as the line's that states it, "" for none."""
        if line:
            self.line_facts[line][key] = fact
            self._stating.setdefault(key, {})[line] = None
        else:
            self.facts[key] = fact

    def drop_line(self, name: str) -> None:
        """Forget a line that was not understood to its end, with what it stated so far."""
        for key in self.line_facts.pop(name):
            others = self._stating[key]
            others.pop(name, None)
            if self._by_lines.pop(key, None):
                kept = [self.line_facts[other][key] for other in others if key in self.line_facts[other]]
                self._by_lines.update(zip([key], kept, strict=False))

    # --- units ---

    def brought_in(self, name: str) -> str:
        """The id of a unit, on the map or off it; "" for a name of none. On a map those of the roster that the state
        lacks wait off it.
        """
        if self.on_a_map and name in self.game.roster and name.casefold() not in self._ids:
            return self.wait(name)
        return self._ids.get(name.casefold(), "")

    def wait(self, name: str) -> str:
        """The id of a unit that waits off the map, new in the state."""
        self._ids[name.casefold()] = name
        self._waiting.add(name)
        self.units[name] = Unit(name, name, None)
        Limit.UNITS.check(len(self.units), "it holds")
        return name

    def stack(self, place: str) -> list[str]:
        """The ids of the units at a place, from the top as they were stated."""
        return [unit.id for unit in self._stacks.get(place, ())]

    def open_stack(self, place: str) -> int:
        """How many units stand at a place before more are stated; none if the statement replaces them, and they leave
        the map.
        """
        if self.restates and place not in self.named_places:
            for unit in tuple(self._stacks.get(place, ())):
                self._lift(unit)
            self.named_places.add(place)
        return len(self._stacks.setdefault(place, []))

    def _lift(self, unit: Unit) -> None:
        """Take a unit off the map, for now."""
        if unit.place:
            self._stacks[unit.place].remove(unit)
        self.units[unit.id] = msgspec.structs.replace(unit, place=None)

    def enter(
        self, name: str, place: str, order: int, identity: Sequence[tuple[Track, Fact]], *, quoted: bool = False
    ) -> str:
        """Place a unit with the facts that identify it, and return its id; `join` puts it into the stack.

        quoted: whether its name was in quotes, and so is surely whole.

        Raises InputError for one that is placed already, and for one that is neither in the roster nor described.
        """
        known = self.units.get(self._ids.get(name.casefold(), ""))
        waits = known is not None and known.id in self._waiting
        if known:
            if not (self.restates or waits) or known.place in self.named_places:
                raise InputError(f"unit {name} is placed twice")
            name = known.id
            self._lift(known)
        described = {(track.name, name): fact for track, fact in identity}
        try:
            facts = ChainMap(described, self.facts) if self.restates or waits else described
            self.game.check_identity(Unit(name, name, place), facts)
        except InputError as error:
            begun = f"{name} ".casefold()
            whole = next((known for known in self.game.roster if known.casefold().startswith(begun)), "")
            if whole and not quoted:
                error.hint = f'put a name with a space in quotes: "{whole}"'
            raise
        self._ids[name.casefold()] = name
        self._waiting.discard(name)
        self.units[name] = Unit(name, name, place, order)
        Limit.UNITS.check(len(self.units), "it holds")
        for track, fact in identity:
            self.put(track, name, fact)
        return name

    def join(self, id: str, place: str) -> None:
        """Put a unit whose facts are known into the stack at its place. Raises InputError if it may not stand with the
        others.
        """
        self._stacks[place].append(self.units[id])
        self.game.check_company((self._stacks[place][0], self._stacks[place][-1]), self.facts)


# --- reading ----------------------------------------------------------------------------------------------------------


class NotationReader:
    """Reads one file, line by line.

    begun: the draft that it adds to; without one, the file names its game. on_fault: gets each faulty line or unit; if
    it does not raise, the reader goes on.
    """

    def __init__(
        self, name: str, load_game: Callable[[str], Game], begun: Draft | None = None, on_fault: OnFault = stop
    ) -> None:
        self.name, self.load_game, self.begun, self.on_fault = name, load_game, begun, on_fault
        self.line = 0
        self.asks: list[Asked] = []
        self.answers: dict[str, str] = {}
        self.marks: dict[str, Where] = {}
        self.of_own: set[tuple[str, str]] = set()
        """The tracks and units of which the units of the last stack state something themselves."""

    @property
    def draft(self) -> Draft:
        """What is stated so far. Raises InputError if no game has been named yet."""
        if self.begun is None:
            hint = "write: game NAME (`assistant games` lists them)"
            raise InputError("the first line must name the game", hint=hint, where=Where(self.name, 1))
        return self.begun

    def where(self, column: int) -> Where:
        """A column of the line being read."""
        return Where(self.name, self.line, column)

    def at(self, column: int) -> AbstractContextManager[None]:
        """Give errors that have no place yet this column of the line."""
        return located(self.where(column))

    def read(self, text: str) -> Position:
        """The position after a text is read. Raises InputError with line and column."""
        Limit.NOTATION.check(len(text), "it holds")
        Limit.LINES.check(text.count("\n"), "it holds")
        longest = Limit.LINE.most
        for self.line, line in enumerate(text.splitlines(), 1):
            bare = without_comment(line.replace("\t", " "))
            if not bare.strip():
                continue
            column = len(bare) - len(bare.lstrip()) + 1
            try:
                if len(bare) > longest:
                    raise Limit.LINE.error("the line holds")
                check_signs(bare, self.where)
                self.statement(bare.strip(), column)
            except InputError as error:
                fault = error.at(self.where(column))
                if self.begun is None:
                    raise fault from None
                self.on_fault(fault)
        draft = self.draft
        try:
            state = draft.state()
        except InputError as error:  # no line of the remarks is to blame for a fault of the map
            raise (error if draft.on_a_map else error.at(Where(self.name))) from None
        return Position(draft.game, state, tuple(self.asks), self.answers, self.marks)

    def statement(self, text: str, column: int) -> None:
        """Read one line according to its first word."""
        head, _, rest = text.partition(" ")
        column_of_rest = column + len(head) + 1
        match head:
            case "game" if self.begun is not None:
                twice = not self.begun.on_a_map
                what = "the game is named twice" if twice else f"the game is already {self.begun.game.id}"
                raise InputError(what, hint="leave out this line")
            case "game":
                self.begun = Draft(self.load_game(rest.strip().casefold()))
            case "board" if self.draft.units or self.draft.facts:
                raise InputError("the board must be named before units and terrain", hint="move this line up")
            case "board":
                self.draft.board = self.draft.game.board(rest.strip()).name
            case "side" | "nation" | "army":
                subject, *facts = words_of(rest, column_of_rest) or [Word("", column_of_rest)]
                on: Subject = "side" if head == "side" else "nation" if head == "nation" else "army"
                self.state_facts(on, subject.text, facts)
            case "accept":
                self.accept(words_of(rest, column_of_rest))
            case "ruling":
                self.ruling(*(part.strip() for part in rest.partition("=")[::2]))
            case "chart":
                self.chart(rest, column_of_rest)
            case "line":
                self.typed_line(rest, column_of_rest)
            case "ask":
                question, *parameters = words_of(rest, column_of_rest, SPACED) or [Word("", column_of_rest)]
                if not question.text:
                    raise InputError("the question is missing", hint="write: ask QUESTION name=value ...")
                marks = {"": self.where(question.column)}
                self.asks.append(Asked(question.text, self.named(parameters, {}, marks), marks))
                Limit.ASKS.check(len(self.asks), "it asks")
            case "answers":
                self.answers |= self.named(words_of(rest, column_of_rest, SPACED), self.answers, self.marks)
            case _:
                self.facts_line(text, column)

    def accept(self, words: list[Word]) -> None:
        """`accept SOURCE ...`: sources that answers may rest on."""
        for word in words:
            try:
                self.draft.accepts.add(Source(word.text))
            except ValueError:
                hint = suggested(word.text, [source.value for source in Source])
                raise InputError(f"unknown source {word.text!r}", where=self.where(word.column), hint=hint) from None

    def ruling(self, name: str, reading: str) -> None:
        """`ruling NAME=READING`: the reading of a doubtful rule that the players agreed on."""
        known = self.draft.game.rulings
        if name not in known:
            raise InputError(f"unknown ruling {name!r}", hint=suggested(name, known))
        self.draft.check_new(self.draft.rulings, name, f"ruling {name} is given twice")
        self.draft.rulings[name] = known[name].check(reading)

    def named(self, words: list[Word], before: Mapping[str, str], marks: dict[str, Where]) -> dict[str, str]:
        """`name=value` words; `marks` gets the place of each."""
        values: dict[str, str] = {}
        for word in words:
            with self.at(word.column):
                named = name_and_value(word)
                if named is None:
                    hint = "write no space after the comma" if "".join([*values.values()][-1:]).endswith(",") else ""
                    raise InputError(f"{word.text!r} is not of the form name=value", hint=hint)
                name, value = named
                if name in values or name in before:
                    raise InputError(f"{name} is given twice")
            values[name] = value
            marks[name] = self.where(word.column)
        return values

    def chart(self, text: str, column: int) -> None:
        """`chart NAME KEY ... = FIELD / ...`: a cell of a printed chart."""
        keys, equals, cell = text.partition("=")
        name, *key = [word.text for word in words_of(keys, 0, SPACED)] or [""]
        chart = self.draft.game.chart(name)
        regular = chart.key(*key)
        if not equals:
            raise InputError("a chart cell needs its value", hint=chart.how_to_state(regular))
        cells = self.draft.cells
        self.draft.check_new(cells, (name, regular), "this chart cell is stated twice", hint="leave out one of the two")
        with self.at(column + len(keys) + 1 + len(cell) - len(cell.lstrip())):
            cells[name, regular] = chart.cell(cell)

    # --- facts ---

    def facts_line(self, text: str, column: int) -> None:
        """A line about the game, a place, hexsides or a unit, according to its first word."""
        before, colon, after = split_at_colon(text)
        words = words_of(before, column)
        draft = self.draft
        if not words:
            raise InputError(
                "a line must begin with a place, a unit or a fact about the game", where=self.where(column)
            )
        first = words[0]
        if "|" in first.text and not first.quoted:
            self.hexsides(words)
        elif not colon and self.chains.begins(first):
            self.network(words)
        elif not colon and (unit := draft.brought_in(first.text)):
            self.unit_facts(unit, words[1:])
        elif not colon and self.arrives(words):
            self.waiting(first, words[1:])
        elif draft.vocabulary.read("game", first):
            self.state_facts("game", "", words)
        elif colon or self.is_place(first):
            names, facts = (words[:1], words[1:]) if colon else split_names(words)
            of_units = [word for word in facts if self.is_of_units(word)]
            for name in names:
                with self.at(name.column):
                    place = draft.place(name.text)
                self.state_facts("hex", place, (word for word in facts if word not in of_units))
                self.of_own.clear()
                above = self.stack(place, after, column + len(before) + 1) if colon else 0
                self.of_each(draft.stack(place)[above:], place, of_units)
        else:
            known = chain(STATEMENTS, draft.vocabulary.known("game"), draft.units)
            raise no_line(words, draft.game, self.arrival_track, known)

    def arrives(self, words: list[Word]) -> bool:
        """Whether a line names a unit of the roster, or describes one, and says in which turn it comes into play."""
        named = {named[0] for word in words[1:] if (named := name_and_value(word))}
        waits = bool(named) and self.arrival_track in named
        return waits and (words[0].text in self.draft.game.roster or self.describes(words[1:]))

    @cached_property
    def arrival_track(self) -> str:
        """The track of units with the turn in which one comes into play, "" if the game has none."""
        return arrival_track(self.draft.game)

    def describes(self, words: list[Word]) -> bool:
        """Whether words say of which nation a unit is, as those that place one do."""
        nation = self.draft.game.tracks.get(self.draft.game.file.picture.nation)
        return nation is not None and any(word.text in nation.values for word in words)

    def waiting(self, name: Word, words: list[Word]) -> None:
        """A unit that waits off the map, with its facts."""
        with self.at(name.column):
            unit = self.draft.wait(name.text)
        self.unit_facts(unit, words)

    def is_place(self, word: Word) -> bool:
        """Whether a word names a place, or is meant to since it begins with a digit."""
        try:
            self.draft.place(word.text)
        except InputError:
            is_unit = word.quoted or word.text in self.draft.game.roster
            return not is_unit and natural(word.text[:1]) is not None
        return True

    def state_facts(self, on: Subject, subject: str, words: Iterable[Word], line: str = "") -> None:
        """Read words as facts about a subject. line: the line that states them, "" for none."""
        draft, words = self.draft, list(words)
        before: dict[str, Value] = {}
        for number, word in enumerate(words):
            with self.at(word.column):
                stated = draft.vocabulary.read(on, word)
                if stated is None:
                    hint: str | Callable[[], str] = partial(not_a_fact, words, number, on, draft.game, draft.vocabulary)
                    if on == "unit" and (word.quoted or word.text in draft.game.roster):
                        hint = "separate the units of a place with commas"
                    if on == "hex" and (word.quoted or word.text in draft.game.roster):
                        hint = f"put a colon between the hex and its units: {subject}: {quoted(word.text)}"
                    article = "an" if on == "army" else "a"
                    raise InputError(f"{word.text!r} is not a fact about {article} {on}", hint=hint)
                if stated[0].kind != "choices" and before.get(stated[0].name) == stated[1].value:
                    raise InputError(f"{stated[0].title} is stated twice: {word.text}", hint="leave out one of the two")
                before[stated[0].name] = stated[1].value
                about = draft.subject(stated[0], subject) if on == "army" else subject
                if on == "unit":
                    self.of_own.add((stated[0].name, subject))
                draft.put(stated[0], about, stated[1], line)

    def hexsides(self, words: list[Word]) -> None:
        """`41.19|40.19,40.20 words`: what lies on the hexsides between the first hex and each of the others; of which
        one with two hexes is one of its own.
        """
        names, facts = split_names(words)
        here, track = "", self.hexside_tracks()[0]
        for name in names:
            first, bar, other = name.text.replace(" ", "").partition("|")
            here, there = (first, other) if bar else (here, first)
            with self.at(name.column + (len(first) + 1 if bar else 0)):
                side = self.draft.subject(track, f"{here}|{there}")
            self.state_facts("hexside", side, facts)

    def hexside_tracks(self) -> list[Track]:
        """The tracks on hexsides. Raises InputError if the game has none."""
        game = self.draft.game
        tracks = [track for track in game.tracks.values() if track.on == "hexside"]
        if not tracks:
            raise InputError(f"{game.title} has no facts about hexsides")
        return tracks

    # --- units ---

    def is_of_units(self, word: Word) -> bool:
        """Whether a word behind a hex is a fact about each unit there."""
        with self.at(word.column):
            read = self.draft.vocabulary.read
            fact = None if word.quoted or read("hex", word) else read("unit", word)
            return fact is not None and fact[0].name not in self.draft.game.file.notation.identity

    def of_each(self, units: Sequence[str], place: str, words: list[Word]) -> None:
        """Facts about each unit of a place, but for those about which it states something of its own."""
        if words and not units:
            hint = "type its units after it"
            raise InputError(f"no unit stands in {place}", hint=hint, where=self.where(words[0].column))
        own = self.of_own
        for unit in units:
            self.state_facts("unit", unit, [word for word in words if (self.track_of_units(word), unit) not in own])

    def track_of_units(self, word: Word) -> str:
        """The track of units that a word states, "" for none."""
        read = self.draft.vocabulary.read("unit", word)
        return read[0].name if read else ""

    def stack(self, place: str, text: str, column: int) -> int:
        """`PLACE: UNIT, UNIT`: the units of a place from the top. How many stood there before them."""
        first = self.draft.open_stack(place)
        for order, words in enumerate(between_commas(words_of(text, column)), first):
            try:
                self.unit(place, order, words)
            except InputError as error:
                self.on_fault(error.at(self.where(column)))
        return first

    def unit(self, place: str, order: int, words: list[Word]) -> None:
        """Place a unit: the words that describe it, its id, its ratings and facts."""
        draft = self.draft
        identity: list[tuple[Track, Fact]] = []
        while words and (stated := draft.vocabulary.read("unit", words[0])):
            identity.append(stated)
            words = words[1:]
        if not words:
            raise InputError("a unit name is missing", where=self.where(0))
        name, *rest = words
        with self.at(name.column):
            if name.text.startswith("(") and not name.quoted:
                before = " ".join(track.word(fact.value) for track, fact in identity)
                hint = (
                    f"{before} describes a unit: put the unit's name after it (in quotes if it is such a word itself)"
                )
                raise InputError(f"a unit name is missing before {name.text}", hint=hint if before else "")
            id = draft.enter(name.text, place, order, identity, quoted=name.quoted)
            self.unit_facts(id, rest)
            draft.join(id, place)

    def unit_facts(self, unit: str, words: list[Word]) -> None:
        """The ratings and facts of a placed unit."""
        names = self.draft.game.file.notation.brackets
        facts = list[Word]()
        for word in words:
            rated = word.text.startswith("(") and not word.quoted
            facts += ratings_in(word, names, self.where) if rated else [word]
        self.state_facts("unit", unit, facts)

    # --- lines ---

    @property
    def chains(self) -> ChainReader:
        """Reads chains of hexes."""
        game = self.draft.game
        return ChainReader(game.board(self.draft.board).grid, game.file.notation, self.draft.vocabulary, self.where)

    def network(self, words: list[Word]) -> None:
        """`4023=4022=4021-4020r 4022:4122`: chains of hexes, with what lies between them and in them."""
        hint = "type what lies between it and the next hex"
        draft, track = self.draft, self.hexside_tracks()[0]
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

    def typed_line(self, text: str, column: int) -> None:
        """`line NAME: HEX terrain -road- HEX ...`: a path as the player sees it; the first hex is the source."""
        draft = self.draft
        head, colon, path = split_at_colon(text)
        name, *more = words_of(head, column) or [Word("", column)]
        with self.at(column):
            if more:
                raise InputError(f"{more[0].text!r} is not expected here", hint=f'write line "{head.strip()}": ...')
            if not colon or not name.text:
                raise InputError("a supply line needs a name followed by a colon")
            draft.check_new(draft.lines, name.text, f"line {name.text!r} is given twice")
            draft.line_facts[name.text] = {}
            try:
                draft.lines[name.text] = self.path(name.text, words_of(path, column + len(head) + 1))
            except InputError:
                draft.drop_line(name.text)
                raise

    def path(self, line: str, words: list[Word]) -> tuple[str, ...]:
        """The hexes of a typed line; states what lies in them and between them."""
        passed: list[str] = []
        for step in self.chains.read(words):
            with self.at(step.hex.column):
                here = self.draft.place(step.hex.text)
                if passed:
                    self.crossing(passed[-1], here, step.between, line)
            passed.append(here)
            self.state_facts("hex", here, step.within, line)
        if len(passed) < 2:
            raise InputError("a line needs at least two hexes, from the source to the unit")
        return tuple(passed)

    def crossing(self, here: str, there: str, link: Sequence[Word], line: str) -> None:
        """A hexside that a line crosses: what neither it nor the position names there is absent, as far as this line
        goes.
        """
        tracks = self.hexside_tracks()
        side = self.draft.subject(tracks[0], f"{here}|{there}")
        self.state_facts("hexside", side, link, line)
        for track in tracks:
            if track.absent is None:
                self.draft.leave_out(track, side, line)


def read(data: bytes, name: str, load_game: Callable[[str], Game], on_fault: OnFault = stop) -> Position:
    """The position in a text. Each faulty line or unit goes to `on_fault`, with line and column and the nearest known
    words.

    Raises InputError for a fault after which nothing can be read.
    """
    hint = "name it NAME.vsav" if data.startswith(b"PK\x03\x04") else "save it as UTF-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text", where=Where(name, _line(data, error.start)), hint=hint) from None
    if "\0" in text:  # as in UTF-16
        raise InputError("this is not UTF-8 text", where=Where(name, _line(data, data.index(b"\0"))), hint=hint)
    with located(Where(name)):
        return NotationReader(name, load_game, on_fault=on_fault).read(text)


def _line(data: bytes, at: int) -> int:
    return data[:at].count(b"\n") + 1


def read_remarks(text: str, name: str, position: Position, shows: Callable[[FactKey], bool]) -> Position:
    """A position whose units are already placed, with the facts that further lines of notation add.

    name: what messages call the text; shows: whether a counter on the map shows a fact, even by showing nothing, which
    overrides an assumption in the text. Raises InputError with line and column, or without for a fault of the whole
    map.
    """
    draft = Draft(position.game, position.state, shows)
    return NotationReader(name, lambda _: position.game, draft).read(text)


def read_on(text: str, position: Position, name: str = "", *, same_moment: bool = False) -> Position:
    """A position after further lines of notation, which replace what was stated before.

    name: what messages call the text; same_moment: whether the lines complete the position, as the answer to what is
    asked for does. A stack is exactly as the lines state it: units that stood there before leave the map, and no unseen
    unit stays. Questions replace those asked before. A fact that `ends_with` a track of the game lapses when that track
    changes, or is stated for the first time, for play has gone on; what the same lines state stays, as all that a file
    states does. Raises InputError for a fault of the whole position.
    """
    before = position.state
    draft = Draft(position.game, before, restates=True)
    after = NotationReader(name, lambda _: position.game, draft).read(text)
    was, now = _of_the_game(before), _of_the_game(after.state)
    new = {name for name in (was.keys() if same_moment else now.keys() | was.keys()) if now.get(name) != was.get(name)}
    gone = {(UNSEEN, place) for place in draft.named_places}
    facts = {
        key: fact
        for key, fact in after.state.facts.items()
        if key in draft.stated or (key not in gone and new.isdisjoint(position.game.tracks[key[0]].ends_with))
    }
    state = msgspec.structs.replace(after.state, facts=facts, unread=before.unread, seen_by=before.seen_by)
    return after.with_state(state)


def _of_the_game(state: GameState) -> dict[str, Value]:
    """The stated facts of the game itself."""
    return {name: fact.value for (name, subject), fact in state.facts.items() if not subject}


FORMAT = Format("position notation", (".pos", ".txt"), read)
