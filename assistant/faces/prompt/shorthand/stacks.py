"""The hexes and units of a typed line: which words name units, and which state facts about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import Annotated

import msgspec

from ....formats.new_units import may_be_new, not_a_unit
from ....formats.positions import Position
from ....state.state import Unit, hexside
from ....state.tracks import CERTAIN, Subject, flip_tracks
from ....state.words import Vocabulary, Word
from ....util.errors import InputError, quoted
from ....util.notes import note
from ....util.texts import natural, words_begun
from .abbreviations import MIN_LETTERS, Abbreviations, usual_values
from .questions import hint_at_sign, hint_of_hexside


class DescribedUnit(msgspec.Struct):
    """A typed unit: its id, the words before and after it, and its ratings."""

    before: list[str]
    id: str
    ratings: str = ""
    after: list[str] = msgspec.field(default_factory=list)
    is_new: bool = False
    """Whether the unit is in neither the roster nor the position."""

    def write(self, vocabulary: Vocabulary, *, without_hex: bool = False) -> str:
        """Return the unit as notation; a name that is a word of the game is quoted.

        `without_hex`: whether the unit begins the line, without a hex.
        """
        name = f'"{self.id}"' if vocabulary.read("unit", Word(self.id, 0)) else quoted(self.id)
        if self.ratings:
            name += f" ({self.ratings})"
        if without_hex:
            return " ".join([name, *self.before, *self.after])
        return " ".join([*self.before, name, *self.after])

    def rate(self, ratings: str) -> None:
        if self.ratings and self.ratings != ratings:
            what = f"{self.id} has two sets of ratings: {self.ratings} and {ratings}"
            raise InputError(what, hint="leave out one of the two")
        self.ratings = ratings


class TypedStack(msgspec.Struct):
    """A typed hex: the words about its ground, and its units from the top."""

    place: str
    ground: list[str]
    units: list[DescribedUnit] = msgspec.field(default_factory=list)
    off: list[str] = msgspec.field(default_factory=list)
    """The units in the hex that leave the map."""
    described: tuple[str, ...] = ()
    """The units that join the stack, or else all units of the line if it states a fact of one of them."""

    def write(self, vocabulary: Vocabulary, *, colon: bool = True) -> str:
        """Return the stack as notation.

        `colon`: whether a colon precedes the units, as in files but not in texts for players.
        """
        ground = " ".join([quoted(self.place), *self.ground])
        if not self.units:
            return ground
        units = ", ".join(unit.write(vocabulary) for unit in self.units)
        return f"{ground}: {units}" if colon else f"{ground} {units}"

    @property
    def last_unit_remark(self) -> str:
        """The remark that the last facts are only about the last unit, or "" if that is clear."""
        if len(self.units) < 2:
            return ""
        before, last = self.units[-2:]
        is_doubtful = last.after and not (last.ratings or before.ratings or before.after)
        return f" ({last.id} only)" if is_doubtful else ""


class _UnitRun(msgspec.Struct):
    before: Annotated[Sequence[DescribedUnit], note("the units earlier on the line")]
    place: Annotated[str, note("the hex that the line names before them")]
    ground: Annotated[Subject, note("the kind of subject of the words right after that hex")] = "hex"
    units: list[DescribedUnit] = []
    waiting: Annotated[list[str], note("words that describe the next unit, or else the last one")] = []
    typed_forms: Annotated[dict[str, str], note("the typed abbreviations by the full words")] = {}


class StackShorthand:
    """A reader of hexes and units at a position.

    `combat`: the attacked hexes and the attacking ones of the open combat.
    """

    def __init__(
        self, position: Position, words: Abbreviations, combat: tuple[Sequence[str], Sequence[str]] = ((), ())
    ) -> None:
        self.game = position.game
        self.state = position.state
        self.words = words
        self.identity = self.game.file.notation.identity
        self.combat = combat
        self.prompt = self.game.file.prompt
        self.doubts: list[str] = []
        """The questions that need a yes first, such as which side of a counter some words are about."""

    def read_hex(self, word: Word, ground: Subject) -> TypedStack | None:
        """Return a hex, perhaps with letters after it for its ground, or None for any other word.

        `ground`: the kind of subject of the letters: hex or hexside.

        Raises InputError for letters that cannot be read.
        """
        if place := self.words.place(word.text):
            return TypedStack(place, [])
        match = re.fullmatch(r"([0-9.]*[0-9])([A-Za-z][A-Za-z0-9=-]*\??)", word.text)
        if not match or word.quoted or self.words.unit(word.text):
            return None
        number, letters = match.groups()
        place = self.words.place(number)
        if not place:
            return None
        statement = self.words.complete(ground, Word(letters, word.column))
        self.check_side_letter(ground, letters, statement)
        if not self.words.track_stated(ground, statement):
            hint = hint_at_sign(word, letters, self.words) if ground == "hex" else ""
            raise InputError(f"{letters!r} is not a fact about a {ground}", hint=hint or f"in {word.text}")
        return TypedStack(place, [statement])

    def read(self, words: Sequence[Word], ground: Subject) -> list[TypedStack]:
        """Return hexes and their units.

        `ground`: the kind of subject of words after a hex: hex or hexside.

        Raises InputError for words that cannot be read.
        """
        stacks: list[TypedStack] = []
        words_behind: list[list[Word]] = []
        for word in self.with_values(words, ground):
            if stack := self.read_hex(word, ground):
                stacks.append(stack)
                words_behind.append([])
            elif not stacks:
                example = self.words.board.grid.name(self.words.board.grid.middle)
                raise InputError(f"{word.text!r} is not a hex", hint=f"put a hex first, such as {example}")
            elif not words_behind[-1] and self.is_ground(ground, word):
                statement = self.words.complete(ground, word)
                self.check_side_letter(ground, word.text, statement)
                stacks[-1].ground.append(statement)
            else:
                words_behind[-1].append(word)
        before: list[DescribedUnit] = []
        for stack, behind in zip(stacks, words_behind, strict=True):
            each, others = self.facts_of_each(list(self.with_values(behind, "unit")))
            if others and (self.signed_unit(others[0]) or self.word_of_joining(others[0])):
                self.change_stack(stack, others, before, each)
            else:
                typed = self.read_units(others, before, stack.place, ground)
                if each or any(unit.ratings or unit.after for unit in typed):
                    stack.described = tuple(unit.id for unit in typed)
                stack.units = typed or [DescribedUnit([], unit.id) for unit in self.units_there(stack, each)]
                for unit in stack.units:
                    unit.after = [*self.without_stated(each, unit.after), *unit.after]
            before += stack.units
        return stacks

    def facts_of_each(self, words: Sequence[Word]) -> tuple[list[str], list[Word]]:
        """Return the facts about each unit of a stack, typed before its first unit, and the other words.

        A nation, arm or size is only about the next unit, and so is among the other words.
        """
        facts: list[str] = []
        others: list[Word] = []
        for index, word in enumerate(words):
            if word.quoted or self.words.named_unit(word) or self.signed_unit(word) or self.word_of_joining(word):
                return facts, [*others, *words[index:]]
            text = self.words.complete("unit", word)
            track = self.words.track_stated("unit", text)
            if not track:
                return facts, [*others, *words[index:]]
            if track in self.identity:
                others.append(word)
            else:
                self.check_letter(word.text, text)
                facts.append(text)
        return facts, others

    def without_stated(self, facts: Sequence[str], own: Sequence[str]) -> list[str]:
        stated = {self.words.track_stated("unit", text) for text in own}
        return [text for text in facts if self.words.track_stated("unit", text) not in stated]

    def units_there(self, stack: TypedStack, each: Sequence[str]) -> Sequence[Unit]:
        """Return the units in a hex after which only facts are typed, or none if there are no facts.

        `each`: the facts about each unit.

        Raises InputError if there are facts but no units in the hex.
        """
        if not each:
            return ()
        units = self.state.stack(stack.place)
        if not units:
            raise InputError(f"no unit stands in {stack.place}", hint="type units after the hex")
        return units

    def signed_unit(self, word: Word) -> str:
        """Return the unit after the + (joins the stack) or - (leaves it) of a word, or "" for any other word."""
        sign = word.text[:1]
        name = word.text[1:].strip('"')
        if word.quoted or sign not in ("+", "-") or name in ("", sign):
            return ""
        if known := self.words.unit(name):
            return known
        joins = sign == "+" and may_be_new(Word(name, word.column, '"' in word.text))
        return name if joins else ""

    def word_of_joining(self, word: Word) -> str:
        """Return the nation, arm or size after the + of a word, which describes the next unit to join, or ""."""
        if word.quoted or not word.text.startswith("+"):
            return ""
        text = self.words.complete("unit", Word(word.text[1:], word.column))
        return text if text and self.words.track_stated("unit", text) in self.identity else ""

    def change_stack(
        self, stack: TypedStack, words: Sequence[Word], before: Sequence[DescribedUnit], each: Sequence[str] = ()
    ) -> None:
        """Add units below those in a hex, and remove others: `+27/3 -25/3`.

        `before`: the units of the previous stacks.
        `each`: the facts about each unit.

        Raises InputError if a unit has no sign, joins a stack that has it, or leaves one that does not.
        """
        units_there = [unit.id for unit in self.state.stack(stack.place)]
        typed = list[Word]()
        next_joins = False  # True after a + on a word that describes the next unit
        for word in words:
            name = self.signed_unit(word)
            if name and word.text[0] == "-":
                if name not in units_there:
                    raise InputError(f"{name} is not in {stack.place}", hint="leave it out")
                stack.off.append(name)
            elif name:
                if name in units_there:
                    raise InputError(f"{name} is in {stack.place} already", hint="leave it out")
                typed.append(Word(name, word.column, quoted=True))
            elif statement := self.word_of_joining(word):
                typed.append(Word(statement, word.column))
                next_joins = True
            elif next_joins and (self.words.named_unit(word) or may_be_new(word)):
                typed.append(word)
                next_joins = False
            elif self.words.named_unit(word) or may_be_new(word):
                hint = "put a + or - before each unit, or before none to name the whole stack"
                raise InputError(f"{word.text} has no + or -", hint=hint)
            else:
                typed.append(word)
        staying = [DescribedUnit([], name) for name in units_there if name not in stack.off]
        joining = self.read_units(typed, [*before, *staying], stack.place)
        if each and not joining:
            raise InputError(f"no unit joins {stack.place} for {' '.join(each)}", hint="put the fact after its unit")
        for unit in joining:
            unit.after = [*self.without_stated(each, unit.after), *unit.after]
        stack.units = [*staying, *joining]
        stack.described = tuple(unit.id for unit in joining)

    def check_side_letter(self, ground: Subject, typed: str, statement: str) -> None:
        """Raise InputError for a letter after an attacking hex that may stand for a hexside or the ground of a hex.

        `typed`: the letter.
        `statement`: the word about a hexside for which the letter would stand.
        """
        letter = typed.removesuffix("?").casefold()
        if ground != "hexside" or len(letter) > 1:
            return
        ground_word = self.words.complete("hex", Word(letter, 0))
        is_terrain = self.words.track_stated("hex", ground_word) == self.game.file.picture.terrain
        if not is_terrain or statement.removesuffix("?") in (letter, ground_word):
            return
        sides = [word for word in self.words.vocabulary.whole(ground) if self.words.is_typed_first(ground, word)]
        candidates = [word for word in sides if any(part.startswith(letter) for part in word.split("-"))]
        meant = dict.fromkeys([statement.removesuffix("?"), *candidates])
        hint = f"type more letters; what an attacking hex is, {ground_word}, is typed in a separate line"
        what = f"{letter!r} may mean {' or '.join(meant)} on the hexside, or {ground_word} in the hex"
        raise InputError(what, hint=hint)

    def is_ground(self, ground: Subject, word: Word) -> bool:
        """Return whether a word after a hex is about the hex's ground rather than its first unit.

        The beginning of a nation is about the unit, unless it is also the beginning of a usual word for ground.
        """
        if word.quoted or self.words.named_unit(word):
            return False
        if self.words.is_fact("unit", word):
            terrain = self.game.tracks.get(self.game.file.picture.terrain)
            return terrain is not None and ground == "hex" and word.text.casefold() in terrain.values
        statement = self.words.complete(ground, word)
        if not self.words.track_stated(ground, statement):
            return False
        is_sure = statement == word.text or self.words.is_typed_first(ground, statement)
        return is_sure or not self.words.nations(word.text)

    def read_units(
        self, words: Sequence[Word], before: Sequence[DescribedUnit] = (), place: str = "", ground: Subject = "hex"
    ) -> list[DescribedUnit]:
        """Return units, each with the words around it.

        Words of identity (nation, arm, size) belong to the next unit, or else to the previous one.

        `before`: the units of the previous stacks.
        `place`: the hex, or "".
        `ground`: the kind of subject of words that may stand between the hex and its units.

        Raises InputError for letters of a hexside that would change the kind of a known unit.
        """
        row = _UnitRun(before, place, ground)
        for word in self.with_values(words, "unit"):
            self.take(row, word)
        self.settle(row)
        for unit in row.units:
            self.check_kind(row, unit)
        self.doubts += filter(None, map(self.doubt_of_side, row.units))
        return row.units

    def take(self, row: _UnitRun, word: Word) -> None:
        """Read the next word of a row of units: a unit, its ratings, or a fact about the previous or next unit.

        Raises InputError for ratings without a unit, and for a sign without a number.
        """
        named = self.words.named_unit(word)
        text = word.text if named else self.words.complete("unit", word)
        track = "" if word.quoted or named else self.words.track_stated("unit", text)
        if text != word.text:
            row.typed_forms[text] = word.text
        if word.text == "=":
            self.settle(row)
            ratings = self.repeated_ratings([*row.before, *row.units[:-1]])
            self.last_unit(row.units, word).rate(ratings)
        elif ratings := self.words.ratings(word):
            self.settle(row)
            self.last_unit(row.units, word).rate(ratings)
        elif track and not row.waiting and not any(letter.isalnum() for letter in word.text):
            raise self.lone_sign_error(word, track)
        elif track and (track in self.identity or not row.units):
            row.waiting.append(text)
        elif track:
            self.settle(row)
            self.check_letter(word.text, text)
            row.units[-1].after.append(text)
        else:
            self.check_hexside(row, word)
            if not row.waiting:
                self.doubts += self.doubts_of_numbers(word, row.units)
            row.units.append(self.make_unit(word, row.waiting, [*row.before, *row.units], self.words_between(row)))
            row.waiting = []

    def words_between(self, row: _UnitRun) -> list[str]:
        if row.units or row.ground != "hexside":
            return []
        known = self.words.vocabulary.whole("hexside")
        return [*known, *(word.partition("-")[0] for word in known)]

    def check_hexside(self, row: _UnitRun, word: Word) -> None:
        """Raise InputError for a word right after a hex that names only a feature of hexsides, and no unit."""
        if row.units or word.quoted or may_be_new(word) or self.words.unit(word.text):
            return
        if hint := hint_of_hexside(word.text, row.place, self.combat, self.words):
            raise InputError(f"{word.text!r} is a fact about a hexside, not about a hex", hint=hint)

    def settle(self, row: _UnitRun) -> None:
        """Attach the words not yet assigned to the unit before them.

        If the last of these words names a unit, it becomes the next unit of the row, described by the other words.

        Raises InputError if the words neither follow nor name a unit.
        """
        waiting = row.waiting
        row.waiting = []
        if not waiting:
            return
        if name := self.words.unit(waiting[-1]):
            unit = self.make_unit(Word(name, 0, quoted=True), waiting[:-1], [*row.before, *row.units])
            row.units.append(unit)
        elif row.units:
            for text in waiting:
                self.check_letter(row.typed_forms.get(text, text), text)
            self.describe(row.units[-1], waiting)
        else:
            typed = row.typed_forms.get(waiting[-1], waiting[-1])
            if hint := hint_of_hexside(typed, row.place, self.combat, self.words):
                raise InputError(f"no unit follows {typed!r}", hint=hint)
            raise InputError(f"{' '.join(waiting)} needs a unit", hint="a unit must follow")

    def check_kind(self, row: _UnitRun, unit: DescribedUnit) -> None:
        """Raise InputError if letters that may mean a hexside or are too few would change a known unit's kind."""
        known = self.state.units.get(unit.id)
        place = row.place or (known and known.place) or ""
        for text in unit.before:
            if text not in row.typed_forms or not self.contradicts(unit, text):
                continue
            typed = row.typed_forms[text]
            hint = hint_of_hexside(typed, place, self.combat, self.words, unit.id)
            if hint or len(typed) < MIN_LETTERS:
                hint = hint or f"type {text} in full if that is meant"
                kind = f"an {text}" if text[0] in "aeiou" else f"a {text}"
                raise InputError(f"{typed!r} on its own does not make {unit.id} {kind}", hint=hint)

    def doubt_of_side(self, unit: DescribedUnit) -> str:
        """Return the question whether ratings are those of a unit's other side, or "".

        The question arises if the line states lost steps of the unit and that its other side is up.
        """
        less = self.game.file.picture.less
        stated = {self.words.track_stated("unit", text) for text in unit.after}
        flips = [track.name for track in flip_tracks(self.game.tracks) if track.name in stated]
        if not (flips and unit.ratings and less in stated):
            return ""
        shown = f"the ratings on the {flips[0]} side of {unit.id}"
        return f"{unit.ratings} would be {shown}, with those of its front unknown"

    def doubts_of_numbers(self, word: Word, units: Sequence[DescribedUnit]) -> Iterator[str]:
        """Yield the question whether a word creates a new unit, if it may state two numbers of the previous counter."""
        pair = self.prompt.pair
        if not pair or not units or word.quoted or self.words.unit(word.text):
            return
        last = units[-1]
        numbers = [number for number in word.text.split("/") if natural(number) is not None]
        if last.ratings or last.after or len(numbers) != len(pair):
            return
        kind = self.identity_of(last, self.game.file.picture.symbol).removesuffix("?")
        if all(kind in self.game.tracks[name].kinds for name in pair):
            meant = " ".join(f"{name}={number}" for name, number in zip(pair, numbers, strict=True))
            yield f"numbers of {last.id} are typed {meant}; make a new unit {word.text}"

    def contradicts(self, unit: DescribedUnit, text: str) -> bool:
        read = self.words.vocabulary.read("unit", Word(text, 0))
        if read is None:
            return False
        track, fact = read
        if track.name not in self.identity or track.name == self.game.file.picture.nation:
            return False
        stated = self.state.facts.get((track.name, unit.id))
        known = [stated] if stated else self.game.roster.get(unit.id, {}).get(track.name, ())
        is_known = any(not known_fact.assumed for known_fact in known)
        return is_known and all(known_fact.value != fact.value for known_fact in known)

    def check_letter(self, typed: str, text: str) -> None:
        """Raise InputError for a single letter after a unit's name, as it may be a typing error.

        `typed`: the letter.
        `text`: the word for which it stands.
        """
        letter = typed.removesuffix("?")
        if len(letter) == 1 and letter.isalpha() and typed.casefold() != text.casefold():
            candidates = [*words_begun(letter, self.words.vocabulary.whole("unit")), *self.words.nations(letter)]
            meant = sorted({text.removesuffix("?"), *candidates})
            raise InputError(f"{letter!r} on its own may be {' or '.join(meant)}", hint="type more letters")

    def lone_sign_error(self, word: Word, track_stated: str) -> InputError:
        written: dict[str, str] = {}
        for track in self.game.tracks.values():
            if track.on == "unit" and track.written == word.text + "{}":
                written[track.title] = f"{word.text}1"
        written[self.game.tracks[track_stated].title] = f"{track_stated}={word.text}"
        hint = " or ".join(f"{typed} ({title})" for title, typed in written.items())
        return InputError(f"{word.text!r} on its own is not understood", hint=f"write {hint}")

    def with_values(self, words: Sequence[Word], on: Subject) -> Iterator[Word]:
        """Yield the words, joining the name of a fact and the value after it: `cel -2` becomes `cel=-2`."""
        remaining = list(words)
        while remaining:
            word = remaining.pop(0)
            track = None if word.quoted else self.game.tracks.get(word.text.casefold())
            takes = track and track.on == on and track.kind not in ("flag", "text") and not self.words.named_unit(word)
            if takes and remaining and not remaining[0].quoted and not self.words.is_fact(on, word):
                joined = Word(
                    self.words.complete(on, Word(f"{word.text}={remaining[0].text}", word.column)), word.column
                )
                number = track and track.kind == "integer" and re.fullmatch("[+-]?[0-9]+", remaining[0].text)
                is_value = on == "unit" and number and not self.words.named_unit(remaining[0])
                with nullcontext() if is_value else suppress(InputError):
                    if self.words.vocabulary.read(on, joined):
                        remaining.pop(0)
                        word = joined
            yield word

    def describe(self, unit: DescribedUnit, words: Sequence[str]) -> None:
        stated = {text: self.words.track_stated("unit", text) for text in words}
        before = [text for text in unit.before if self.words.track_stated("unit", text) not in stated.values()]
        for text in words:
            if stated[text] in self.identity:
                before.append(text)
            else:
                unit.after.append(text)
        unit.before = before

    def make_unit(
        self, word: Word, words: list[str], before: Sequence[DescribedUnit], between: Sequence[str] = ()
    ) -> DescribedUnit:
        """Return a unit by its name.

        Facts of an unknown unit that the words do not state are assumed as usual; its nation is that of the previous
        unit.

        `before`: the previous units.
        `between`: words about a hexside that may stand in its place.

        Raises InputError for a word that neither is a unit nor can name a new one.
        """
        known = self.words.unit(word.text)
        if not known and not may_be_new(word):
            units = (*self.game.roster, *self.state.units)
            raise not_a_unit(word, self.game, self.words.vocabulary, units, between)
        stated = {self.words.track_stated("unit", text) for text in words}
        nation = self.game.file.picture.nation
        supposed: list[str] = []
        for name in self.identity:
            if name in stated:
                continue
            usual = usual_values(self.game, name)
            if name == nation and before and (before_it := self.nation_of(before[-1])):
                if not known or self.may_have(known, nation, before_it):
                    supposed.append(before_it)
            elif usual and not known:
                track = self.game.tracks[name]
                supposed.append(f"{track.word(track.parse(usual[0]))}?")
        return DescribedUnit([*words, *supposed], known or word.text, is_new=not known)

    def may_have(self, unit: str, name: str, value: str) -> bool:
        """Return whether a known unit may have a value of a fact.

        It may not if the position or a trusted source states the fact, or if another value is printed.

        `name`: the track.
        """
        if (name, unit) in self.state.facts:
            return False
        printed = self.game.roster.get(unit, {}).get(name, ())
        trusted = any(fact.source in (*CERTAIN, *self.state.accepts) for fact in printed)
        return not trusted and all(fact.value == value for fact in printed)

    def nation_of(self, unit: DescribedUnit) -> str:
        return self.identity_of(unit, self.game.file.picture.nation)

    def identity_of(self, unit: DescribedUnit, name: str) -> str:
        """Return a unit's word of identity, such as its arm, or "" if it is unknown.

        `name`: the track.
        """
        for text in unit.before:
            if self.words.track_stated("unit", text) == name:
                return text
        fact = self.state.facts.get((name, unit.id))
        printed = self.game.roster.get(unit.id, {}).get(name, ())
        if fact is None and printed:
            fact = printed[0]
        return self.game.tracks[name].word(fact.value) if fact else ""

    def suppose_enemies(self, stacks: Sequence[TypedStack], others: Sequence[TypedStack]) -> None:
        """Assume for new units without a nation the only nation that fights the other stacks, if there is only one.

        `others`: the other stacks.
        """
        nation = self.game.file.picture.nation
        game = self.game
        opposing_nations = {self.nation_of(unit).removesuffix("?") for stack in others for unit in self.units_in(stack)}
        sides = {game.side_of(name) for name in opposing_nations if name}
        enemies = [name for side, nations in game.file.sides.items() if side not in sides for name in nations]
        if len(sides) != 1 or len(enemies) != 1:
            return
        new = [unit for stack in stacks for unit in stack.units if unit.is_new]
        for unit in new:
            if not any(self.words.track_stated("unit", text) == nation for text in unit.before):
                unit.before.append(f"{game.tracks[nation].word(enemies[0])}?")

    def lacks_sign(self, stacks: Sequence[TypedStack]) -> bool:
        """Return whether stacks look like a combat without its sign: units in the first hex, and enemies next to it."""
        first, *others = stacks or [TypedStack("", [])]
        sides = self.sides_of(first)
        neighbours = set(self.words.board.neighbours(first.place)) if sides and others else set()
        return any(stack.place in neighbours and self.sides_of(stack) - sides for stack in others)

    def sides_of(self, stack: TypedStack) -> set[str]:
        names = {self.nation_of(unit).removesuffix("?") for unit in stack.units} - {""}
        return {self.game.side_of(name) for name in names} - {""}

    def units_in(self, stack: TypedStack) -> list[DescribedUnit]:
        return stack.units or [DescribedUnit([], unit.id) for unit in self.state.stack(stack.place)]

    def last_unit(self, units: Sequence[DescribedUnit], word: Word) -> DescribedUnit:
        if not units:
            raise InputError(f"no unit before {word.text}", hint="put ratings after their unit")
        return units[-1]

    def repeated_ratings(self, units: Sequence[DescribedUnit]) -> str:
        if not units or not units[-1].ratings:
            raise InputError("= has no ratings to repeat", hint="type them after the unit before it, or here")
        return units[-1].ratings

    def write_stacks(self, stacks: Sequence[TypedStack], targets: Sequence[str] = ()) -> Iterator[str]:
        """Yield the stacks as notation.

        `targets`: the attacked hexes; if there are any, the ground of a stack is that of the hexsides to them.
        """
        vocabulary = self.words.vocabulary
        for stack in stacks:
            if not targets:
                if stack.units or stack.ground:
                    yield stack.write(vocabulary)
                continue
            if stack.units:
                yield TypedStack(stack.place, [], stack.units).write(vocabulary)
            if stack.ground:
                for target in targets:
                    yield " ".join([hexside(stack.place, target), *stack.ground])
