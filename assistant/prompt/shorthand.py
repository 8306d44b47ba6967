"""Shorthand typed at the table, expanded to position notation: hexes without punctuation, words by their first letters.

A combat is one line, `4119c 1/1 12-16-7-11 < 4020o 25/3 10--5-10 27/3 = 4019 29/20 = -3`: the attacked hex and its units
from the top, then `<` and each attacking hex with its units. Letters after the first hex state what it is, after the
others what lies on the hexside to the first; `=` gives a unit the ratings of the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ..formats.positions import Asked, Position
from ..formats.words import (
    SPACED,
    STATEMENTS,
    Vocabulary,
    Word,
    check_signs,
    name_and_value,
    split_at_colon,
    without_comment,
    words_of,
)
from ..game.gamefile import TablePrompt
from ..plugins.registry import question_of, questions_of
from ..state.state import hexside
from ..state.tracks import Subject
from ..util.errors import InputError, nearest, quoted, similar
from .abbreviations import Abbreviations


class Expansion(msgspec.Struct, frozen=True):
    """A typed line, expanded.

    lines: of notation; asked: the question after it, None if unchanged; anew: whether that is a new question rather than a
    changed one; off: units that leave the map.
    """

    lines: tuple[str, ...] = ()
    asked: Asked | None = None
    anew: bool = False
    off: tuple[str, ...] = ()


class _Unit(msgspec.Struct):
    """A unit as typed: the words before its id, its id, its ratings and the words after it."""

    before: list[str]
    id: str
    ratings: str = ""
    after: list[str] = msgspec.field(default_factory=list)

    def write(self, vocabulary: Vocabulary) -> str:
        """The unit as notation; a name that is a word of the game is quoted."""
        name = f'"{self.id}"' if vocabulary.read("unit", Word(self.id, 0)) else quoted(self.id)
        ratings = [f"({self.ratings})"] if self.ratings else []
        return " ".join([*self.before, name, *ratings, *self.after])


class _Stack(msgspec.Struct):
    """A hex as typed: words about its ground, and its units from the top."""

    place: str
    ground: list[str]
    units: list[_Unit] = msgspec.field(default_factory=list)


def expand(line: str, position: Position) -> Expansion:
    """A line typed at a position, expanded.

    Raises InputError for an ambiguous abbreviation, a hex off the map or an unknown unit.
    """
    return _Shorthand(position).expand(line)


class _Shorthand:
    def __init__(self, position: Position) -> None:
        self.game, self.state, self.words = position.game, position.state, Abbreviations(position)
        self.table = self.game.file.table
        self.question = position.asks[0] if position.asks else None
        self.asking = self.question.question if self.question else self.table.ask if self.table else ""

    def expand(self, line: str) -> Expansion:
        check_signs(line)
        line = without_comment(line).strip()
        head, sign, tail = _split_at_sign(line)
        if sign and self.table is None:
            what = f"{self.game.title} does not take a combat on one line"
            raise InputError(what, hint="write lines of position notation")
        if sign and self.table:
            self.asking = self.table.ask
            return self.combat(self.table, head, tail)
        named, _, typed = line.partition(" ")
        if self.table and (named in self.table.also or line == self.table.ask):
            return self.following(self.table, named, typed)
        if named in questions_of(self.game):
            question, *given = words_of(line, 1, SPACED)
            parameters = _each_once(filter(None, map(name_and_value, given)))
            if (
                parameters
                and len(parameters) < len(given)
                and any(value.endswith(",") for value in parameters.values())
            ):
                raise InputError("a list has a space in it", hint="write no space after the comma")
            if len(parameters) == len(given):
                values = {name: self.words.punctuated(value) for name, value in parameters.items()}
                return Expansion(asked=Asked(question.text, values), anew=True)
        words = list(_words(line))
        if words and words[0].text.casefold() == "off" and not words[0].quoted:
            if len(words) == 1:
                raise InputError("off needs a unit", hint="off UNIT ... takes units off the map")
            return Expansion(off=tuple(self.game.unit(self.state, word.text).id for word in words[1:]))
        before, colon, behind = split_at_colon(line)
        if colon and words[0].text not in STATEMENTS:  # a stack, as in notation
            place, space, ground = before.strip().partition(" ")
            here = self.hex(Word(place, 1), "hex")
            said = " ".join([quoted(here.place), *here.ground]) if here else place
            return Expansion((f"{said}{space}{ground}:{behind}",))
        if words and words[0].text in STATEMENTS:  # plain notation
            return Expansion((line,))
        parameters, others = self.parameters(words)
        withheld = [word for word in others if self.withholds(word)]
        rest = [word for word in others if word not in withheld]
        asked = self.changed(parameters, withheld) if parameters or withheld else None
        return Expansion(tuple(self.facts(rest, line)) if rest else (), asked)

    # --- combats ---

    def combat(self, table: TablePrompt, head: str, tail: str) -> Expansion:
        """A combat on one line; with nothing before the sign, more attacking hexes for the current combat."""
        (parameters, defenders), (more, attackers) = (self.parameters(_words(side)) for side in (head, tail))
        targets, behind = self.stacks(defenders, "hex"), self.stacks(attackers, "hexside")
        before: Mapping[str, str] = {}
        if len(targets) > 1:
            both = f"{targets[0].place} and {targets[1].place}"
            raise InputError(f"two hexes before the <: {both}", hint="a combat attacks one hex")
        if not targets:
            before = self.question.parameters if self.question and self.question.question == table.ask else {}
            if not before:
                raise InputError("no hex before the <", hint="a combat is TARGET UNIT ... < HEX UNIT ...")
        target = targets[0].place if targets else str(before[table.target])
        places = [*str(before.get(table.attackers, "")).split(","), *(stack.place for stack in behind)]
        asked = {**before, table.target: target, table.attackers: ",".join(dict.fromkeys(filter(None, places)))}
        if not asked[table.attackers]:
            del asked[table.attackers]
        lines = [*self.written(targets), *self.written(behind, target)]
        named = _each_once([*parameters.items(), *more.items()])
        return Expansion(tuple(lines), Asked(table.ask, {**asked, **named}), anew=bool(targets))

    def written(self, stacks: Sequence[_Stack], target: str = "") -> Iterator[str]:
        """The stacks as notation; with a target, their ground is that of the hexside to it."""
        for stack in stacks:
            ground = stack.ground if not target else []
            if stack.units or ground:
                units = ", ".join(unit.write(self.words.vocabulary) for unit in stack.units)
                yield " ".join([quoted(stack.place), *ground]) + (f": {units}" if units else "")
            if target and stack.ground:
                yield " ".join([hexside(stack.place, target), *stack.ground])

    def following(self, table: TablePrompt, question: str, typed: str) -> Expansion:
        """A further question about the current combat, or that combat again, with its parameters and those that are typed."""
        self.asking = question
        parameters, others = self.parameters(_words(typed))
        unnamed = table.also.get(question, "")
        if len(others) > bool(unnamed):
            text = f"{question} does not know {others[-1].text!r}"
            raise InputError(text, hint=f"type {question} {unnamed.upper()}, or NAME=VALUE")
        about = {table.ask, *table.also}
        before = self.question.parameters if self.question and self.question.question in about else {}
        known = {field.encode_name for field in msgspec.structs.fields(question_of(self.game, question).parameters)}
        kept = {name: value for name, value in before.items() if name in known}
        named = {unnamed: others[0].text} if others else {}
        return Expansion(asked=Asked(question, {**kept, **named, **parameters}), anew=True)

    # --- parameters ---

    def parameter(self, word: Word) -> tuple[str, str] | None:
        """The parameter of the current question, or of a combat, that a word sets."""
        named = None if word.quoted else name_and_value(word)
        if not named or not self.asking:
            return None
        known = {field.encode_name for field in msgspec.structs.fields(question_of(self.game, self.asking).parameters)}
        name = (self.table.short if self.table else {}).get(named[0], named[0])
        return (name, self.words.punctuated(named[1])) if name in known and name not in self.game.tracks else None

    def parameters(self, words: Iterable[Word]) -> tuple[dict[str, str], list[Word]]:
        """The parameters that words set, and the other words."""
        found = [(word, self.parameter(word)) for word in words]
        return _each_once(sets for _, sets in found if sets), [word for word, sets in found if not sets]

    def withholds(self, word: Word) -> bool:
        """Whether a word is `-UNIT` or `+UNIT`: the same combat without a unit, or with it again."""
        return bool(
            self.table and self.table.without and word.text[:1] in ("-", "+") and self.words.unit(_signed(word))
        )

    def changed(self, parameters: Mapping[str, str], withheld: Sequence[Word]) -> Asked:
        """The current question with other parameters."""
        if self.question is None:
            raise InputError(
                "no question has been asked yet", hint="type a combat first: TARGET UNIT ... < HEX UNIT ..."
            )
        now = {**self.question.parameters, **parameters}
        if self.table and withheld:
            out = [name for name in str(now.get(self.table.without, "")).split(",") if name]
            for word in withheld:
                name = self.words.unit(_signed(word))
                out = [other for other in out if other != name] + ([name] if word.text[0] == "-" else [])
            now[self.table.without] = ",".join(out)
        return Asked(self.question.question, {name: value for name, value in now.items() if value})

    # --- facts ---

    def facts(self, words: Sequence[Word], line: str) -> Iterator[str]:
        """Notation for a line of facts about a hex with its stack, a hexside, a unit or the game; any other line unchanged."""
        first = words[0]
        one, bar, other = first.text.partition("|")
        if bar and not first.quoted:
            side = (
                f"{self.words.place(one) or one}|{','.join(self.words.place(hex) or hex for hex in other.split(','))}"
            )
            yield " ".join([side, *(self.words.completed("hexside", word) for word in words[1:])])
        elif self.hex(first, "hex"):
            lines = list(self.written(self.stacks(words, "hex")))
            if not lines:
                raise InputError(f"no fact about {first.text}", hint="add units or terrain after it")
            yield from lines
        elif self.words.named(first) and len(words) == 1:
            raise InputError(f"no fact about {first.text}", hint="add a fact, or put its hex before it")
        elif self.words.named(first):
            unit, *others = self.of_units(words)
            if others:
                near = nearest(others[0].id, self.words.vocabulary.known("unit"))
                hint = near or "put the hex before units that stand together"
                raise InputError(f"{others[0].id!r} is not a fact about a unit", hint=hint)
            yield unit.write(self.words.vocabulary)
        elif (word := self.words.completed("game", first)) != first.text or self.words.vocabulary.read("game", first):
            yield " ".join([word, *(self.words.completed("game", word) for word in words[1:])])
        else:
            yield line

    def hex(self, word: Word, ground: Subject) -> _Stack | None:
        """A hex, perhaps with letters after it that state its ground."""
        if place := self.words.place(word.text):
            return _Stack(place, [])
        found = re.fullmatch(r"(.*[0-9])([A-Za-z-]+\??)", word.text)
        if not found or word.quoted or self.words.unit(word.text) or not (place := self.words.place(found[1])):
            return None
        said = self.words.completed(ground, Word(found[2], word.column))
        if not self.words.states(ground, said):
            raise InputError(f"{found[2]!r} is not a fact about a {ground}", hint=f"in {word.text}")
        return _Stack(place, [said])

    def stacks(self, words: Sequence[Word], ground: Subject) -> list[_Stack]:
        """Hexes and their units. ground: what letters after a hex are about."""
        found: list[_Stack] = []
        of_it: list[list[Word]] = []
        for word in words:
            if here := self.hex(word, ground):
                found.append(here)
                of_it.append([])
            elif not found:
                example = self.words.board.grid.name(self.words.board.grid.middle)
                raise InputError(f"{word.text!r} is not a hex", hint=f"put a hex first, such as {example}")
            elif not of_it[-1] and self.is_ground(ground, word):
                found[-1].ground.append(self.words.completed(ground, word))
            else:
                of_it[-1].append(word)
        before: list[_Unit] = []
        for stack, its in zip(found, of_it, strict=True):
            stack.units = self.of_units(its, before)
            before += stack.units
        return found

    def is_ground(self, ground: Subject, word: Word) -> bool:
        """Whether a word after a hex is about its ground rather than its first unit."""
        if word.quoted or self.words.named(word) or self.words.vocabulary.read("unit", word):
            return False
        return bool(self.words.states(ground, self.words.completed(ground, word)))

    def of_units(self, words: Sequence[Word], before: Sequence[_Unit] = ()) -> list[_Unit]:
        """Units, each with the words around it. before: the units earlier on the line; `=` repeats the last one's ratings."""
        found: list[_Unit] = []
        waiting: list[str] = []
        identity = self.game.file.notation.identity
        for word in words:
            text = self.words.completed("unit", word) if not self.words.named(word) else word.text
            said = "" if word.quoted or self.words.named(word) else self.words.states("unit", text)
            if word.text == "=":
                self.last(found, word).ratings = self.last([*before, *found[:-1]], word).ratings
            elif ratings := self.words.ratings(word):
                self.last(found, word).ratings = ratings
            elif said and (said in identity or not found):
                waiting.append(text)
            elif said:
                found[-1].after.append(text)
            else:
                found.append(self.introduced(word, waiting, [*before, *found]))
                waiting = []
        if waiting:
            raise InputError(f"{' '.join(waiting)} needs a unit", hint="put a unit after it")
        return found

    def introduced(self, word: Word, said: list[str], before: Sequence[_Unit]) -> _Unit:
        """A unit by its name. An unknown one has the nation of the one before it, and else the usual identity."""
        known = self.words.unit(word.text)
        if known:
            return _Unit(said, known)
        words = self.words.vocabulary.known("unit")
        near = () if re.search("[0-9]", word.text) else similar(word.text.casefold(), words, 0.75)
        if not word.quoted and (near or "=" in word.text):
            hint = f"{nearest(word.text, words)}; put quotes around a unit of that name".removeprefix("; ")
            raise InputError(f"{word.text!r} is not a fact about a unit", hint=hint)
        file = self.game.file
        stated = {self.words.states("unit", text) for text in said}
        for name in file.notation.identity:
            track = self.game.tracks[name]
            usual = file.table.usual.get(name, "") if file.table else ""
            if name in stated:
                continue
            if name == file.picture.nation and before and (nation := self.nation_of(before[-1])):
                said = [*said, nation]
            elif usual:
                said = [*said, f"{track.word(track.parse(usual if isinstance(usual, str) else usual[0]))}?"]
        return _Unit(said, word.text)

    def nation_of(self, unit: _Unit) -> str:
        name = self.game.file.picture.nation
        if said := next((text for text in unit.before if self.words.states("unit", text) == name), ""):
            return said
        printed = self.game.roster.get(unit.id, {}).get(name, ())
        fact = self.state.facts.get((name, unit.id)) or next(iter(printed), None)
        return self.game.tracks[name].word(fact.value) if fact else ""

    def last(self, units: Sequence[_Unit], word: Word) -> _Unit:
        if not units:
            raise InputError(f"no unit before {word.text}", hint="put ratings after their unit")
        return units[-1]


def _signed(word: Word) -> str:
    """The name behind a + or -, without its quotes."""
    return word.text[1:].strip('"')


def _each_once(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Parameters by name. Raises InputError for a name that comes twice."""
    found: dict[str, str] = {}
    for name, value in named:
        if name in found:
            raise InputError(f"{name} is given twice", hint="leave out one of the two")
        found[name] = value
    return found


def _split_at_sign(line: str) -> tuple[str, str, str]:
    """A line before and after the first < outside quotes."""
    found = re.match(r'((?:"[^"]*"|[^"<])*)(<?)(.*)', line)
    return (found[1], found[2], found[3]) if found else (line, "", "")


def _words(text: str) -> Iterator[Word]:
    """The words of a line, separated by spaces, or by commas outside values."""
    for word in words_of(text, 1, SPACED):
        if word.quoted or "=" in word.text[1:] or "|" in word.text:
            yield word
        else:
            yield from (Word(part, word.column) for part in word.text.split(",") if part)
