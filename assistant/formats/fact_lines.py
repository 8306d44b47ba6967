"""The lines of position notation that state facts: about the game, sides and armies, places, hexsides, units and supply
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import chain

from ..game.course import arrival_track
from ..state.tracks import Fact, Subject, Track, Value
from ..state.words import (
    OFF_MAP,
    STATEMENTS,
    Word,
    find_words,
    name_and_value,
    split_at_colon,
    split_at_commas,
    split_names,
    split_ratings,
)
from ..util.errors import InputError, OnFault, Where, located, nearest_names
from ..util.texts import natural
from .chains import ChainReader
from .draft import PositionDraft
from .new_units import no_line, not_a_fact


class FactReader:
    """Reads lines that state facts into a draft."""

    def __init__(self, draft: PositionDraft, where: Callable[[int], Where], on_fault: OnFault) -> None:
        self.draft = draft
        self.where = where
        """The place of a column of the line being read."""
        self.on_fault = on_fault
        """Gets each faulty unit; if it does not raise, the reader goes on."""
        self.own_facts: set[tuple[str, str]] = set()
        """The tracks and units of which the units of the last stack state something themselves."""

    def at(self, column: int) -> AbstractContextManager[None]:
        """Give errors that have no place yet this column of the line."""
        return located(self.where(column))

    def read_facts_line(self, words: list[Word], units: str | None, column: int) -> None:
        """Read a line about the game, a place, hexsides or a unit, according to its first word.

        words: those before the colon; units: the text behind it, which begins at a column, None for a line without one.
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
        """Read the facts of places, and the units that stand in them. units: as in `read_facts_line`."""
        of_units = [word for word in facts if self.is_of_units(word)]
        for name in names:
            with self.at(name.column):
                place = self.draft.place(name.text)
            self.state_facts("hex", place, (word for word in facts if word not in of_units))
            self.own_facts.clear()
            above = 0 if units is None else self.read_stack(place, units, column)
            self.state_of_each(self.draft.stack(place)[above:], place, of_units)

    def state_facts(self, on: Subject, subject: str, words: Iterable[Word], line: str = "") -> None:
        """Read words as facts about a subject. line: the line that states them, "" for none.

        Raises InputError for what is not possible.
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
        """Read `elsewhere clear open control=russian`: what holds of all hexes and hexsides not otherwise known;
        `elsewhere` alone takes that back.

        Raises InputError for what cannot be read.
        """
        draft = self.draft
        if not words and not draft.restates:
            raise InputError("no fact follows elsewhere", hint="write: elsewhere clear open")
        if not words:
            draft.elsewhere.clear()
        said: dict[str, Fact] = {}
        read = draft.vocabulary.read
        for number, word in enumerate(words):
            with self.at(word.column):
                if (stated := read("hex", word) or read("hexside", word)) is None:
                    raise not_a_fact(words, number, "hex", "", draft.game, draft.vocabulary)
                track, fact = stated
                track.check_elsewhere(fact.value)
                known = said.get(track.name)
                if known and isinstance(known.value, tuple) and isinstance(fact.value, tuple):
                    both = track.check((*known.value, *fact.value))
                    fact = Fact(both, assumed=fact.assumed or known.assumed)
                elif known:
                    raise InputError(f"{track.title} is stated twice: {word.text}", hint="leave out one of the two")
                said[track.name] = fact
        for name, fact in said.items():
            draft.put_elsewhere(draft.game.tracks[name], fact)

    def is_arrival(self, words: list[Word]) -> bool:
        """Return whether a line names a unit of the roster, or describes one, and says in which turn it comes into
        play.
        """
        named = {named[0] for word in words[1:] if (named := name_and_value(word))}
        waits = bool(named) and self.arrival_track in named
        return waits and (words[0].text in self.draft.game.roster or self.names_a_nation(words[1:]))

    @cached_property
    def arrival_track(self) -> str:
        """The track of units with the turn in which one comes into play, "" if the game has none."""
        return arrival_track(self.draft.game)

    def names_a_nation(self, words: list[Word]) -> bool:
        """Return whether words name the nation of a unit, as those that place one do."""
        nation = self.draft.game.tracks.get(self.draft.game.file.picture.nation)
        return nation is not None and any(word.text in nation.values for word in words)

    def read_waiting_unit(self, name: Word, words: list[Word]) -> None:
        """Read a unit that waits off the map, with its facts."""
        with self.at(name.column):
            unit = self.draft.wait(name.text)
        try:
            self.read_unit_facts(unit, words)
        except InputError:
            self.draft.drop_unit(unit)
            raise

    def is_place(self, word: Word) -> bool:
        """Return whether a word names a place, or is meant to since it begins with a digit."""
        try:
            self.draft.place(word.text)
        except InputError:
            is_unit = word.quoted or word.text in self.draft.game.roster or self.is_like_a_unit(word.text)
            return not is_unit and natural(word.text[:1]) is not None
        return True

    def is_like_a_unit(self, text: str) -> bool:
        """Return whether a text is not a number, but almost the name of a unit of the position."""
        return not text.replace(".", "").isdecimal() and bool(nearest_names(text, self.draft.units))

    def read_hexsides(self, words: list[Word]) -> None:
        """Read `41.19|40.19,40.20 words`: what lies on the hexsides between the first hex and each of the others; of
        which one with two hexes is one of its own.
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
        """Return the tracks on hexsides. Raises InputError if the game has none."""
        game = self.draft.game
        tracks = [track for track in game.tracks.values() if track.on == "hexside"]
        if not tracks:
            raise InputError(f"{game.title} has no facts about hexsides")
        return tracks

    def is_of_units(self, word: Word) -> bool:
        """Return whether a word behind a hex is a fact about each unit there."""
        with self.at(word.column):
            read = self.draft.vocabulary.read
            fact = None if word.quoted or read("hex", word) else read("unit", word)
            return fact is not None and fact[0].name not in self.draft.game.file.notation.identity

    def state_of_each(self, units: Sequence[str], place: str, words: list[Word]) -> None:
        """State facts about each unit of a place, but for those about which it states something of its own.

        Raises InputError for what is not possible.
        """
        if words and not units:
            hint = "type units after the place"
            raise InputError(f"no unit stands in {place}", hint=hint, where=self.where(words[0].column))
        own = self.own_facts
        for unit in units:
            self.state_facts("unit", unit, [word for word in words if (self.track_of_units(word), unit) not in own])

    def track_of_units(self, word: Word) -> str:
        """Return the track of units that a word states, "" for none."""
        read = self.draft.vocabulary.read("unit", word)
        return read[0].name if read else ""

    def read_stack(self, place: str, text: str, column: int) -> int:
        """Read `PLACE: UNIT, UNIT`, the units of a place from the top; or `PLACE:` where a later line states that all
        have left it. Returns how many stood there before them.
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
        """Read `off-map: UNIT, UNIT`: units that are not on the map: they have left it, or do not take part."""
        for words in split_at_commas(find_words(text, column)):
            try:
                self.read_unit(None, 0, words)
            except InputError as error:
                self.on_fault(error.at(self.where(column)))

    def read_unit(self, place: str | None, order: int, words: list[Word]) -> None:
        """Place a unit: the words that describe it, its id, its ratings and facts. place: None off the map.

        Raises InputError for what cannot be read.
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
        """Return words with the name of a copy as one, such as `1st (2)`; after a name in quotes `(2)` is a rating."""
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
        """Read the ratings and facts of a placed unit."""
        names = self.draft.game.file.notation.brackets
        facts = list[Word]()
        for word in words:
            rated = word.text.startswith("(") and not word.quoted
            facts += split_ratings(word, names, self.where) if rated else [word]
        self.state_facts("unit", unit, facts)

    @property
    def chains(self) -> ChainReader:
        """Reads chains of hexes."""
        game = self.draft.game
        return ChainReader(game.board(self.draft.board).grid, game.file.notation, self.draft.vocabulary, self.where)

    def read_network(self, words: list[Word]) -> None:
        """Read `4023=4022=4021-4020r 4022:4122`: chains of hexes, with what lies between them and in them.

        Raises InputError for what cannot be read.
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

    def read_line(self, text: str, column: int) -> None:
        """Read `line NAME: HEX terrain -road- HEX ...`: a path as the player sees it; the first hex is the source.

        Raises InputError for what cannot be read.
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
        """Return the hexes of a typed line; states what lies in them and between them.

        Raises InputError for what cannot be read.
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
        """Read a hexside that a line crosses: what neither it, the position nor the board names there is absent, as far
        as this line goes.
        """
        tracks = self.hexside_tracks()
        side = self.draft.subject(tracks[0], f"{here}|{there}")
        self.state_facts("hexside", side, link, line)
        for track in tracks:
            if track.absent is None:
                self.draft.take_as_absent(track, side, line)
