"""Shorthand typed at the table, expanded to position notation: hexes without punctuation, words by their first letters.

A combat is one line, `4119c 1/1 12-16-7-11 < 4020o 25/3 10--5-10 27/3 = 4019 29/20 = -3`: the attacked hex and its units
from the top, then `<` and each attacking hex with its units. Letters after the first hex state what it is, after the
others what lies on the hexside to the first; `=` gives a unit the ratings of the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from ..formats.positions import Asked, Position
from ..game.gamefile import TablePrompt
from ..plugins.registry import question_of, questions_of
from ..questions.parameters import words_of_parameters
from ..state.hidden import UNSEEN
from ..state.words import (
    SPACED,
    STATEMENTS,
    Word,
    check_signs,
    name_and_value,
    split_at_colon,
    without_comment,
    words_of,
)
from ..util.errors import InputError, quoted
from .abbreviations import Abbreviations, one_of
from .stacks import Stack, Stacks


class Expansion(msgspec.Struct, frozen=True):
    """A typed line, expanded.

    lines: of notation; asked: the question after it, None if unchanged; anew: whether that is a new question rather than a
    changed one; off: units that leave the map; read: how the line was understood, in few words.
    """

    lines: tuple[str, ...] = ()
    asked: Asked | None = None
    anew: bool = False
    off: tuple[str, ...] = ()
    read: str = ""


def expand(line: str, position: Position, combat: Asked | None = None) -> Expansion:
    """A line typed at a position, expanded. combat: the one that is open, if another question is asked now.

    Raises InputError for an ambiguous abbreviation, a hex off the map, and a word that is not understood.
    """
    return _Shorthand(position, combat).expand(line)


_LINK = re.compile("-[a-z][a-z0-9-]*-", re.IGNORECASE)
"""What lies between two hexes of a line: `-road-`."""


class _Shorthand:
    def __init__(self, position: Position, combat: Asked | None) -> None:
        self.game, self.state, self.words = position.game, position.state, Abbreviations(position)
        self.stacks = Stacks(position, self.words)
        self.table = self.game.file.table
        self.question = position.asks[0] if position.asks else None
        self.combat = combat
        if self.table and self.question and self.question.parameters and self.question.question in self.table.about:
            self.combat = self.question
        self.asking = self.question.question if self.question else self.table.ask if self.table else ""

    def expand(self, line: str) -> Expansion:
        line, *further = self.stacks_of(line)
        if further:
            stacks = [self.expand(line), *map(self.expand, further)]
            written = tuple(one for said in stacks for one in said.lines)
            return Expansion(written, read="; ".join(said.read for said in stacks))
        check_signs(line)
        line = without_comment(line).strip()
        head, sign, tail = _split_at_sign(line)
        if sign and self.table is None:
            what = f"{self.game.title} does not take a combat on one line"
            raise InputError(what, hint="write lines of position notation")
        if sign and self.table:
            self.asking = self.table.ask
            return self.on_one_line(self.table, head, tail)
        given = list(self.words.joined(words_of(line, 1, SPACED), signed=True))
        if asked := self.following(given) or self.asked(given):
            return Expansion(asked=asked, anew=True, read=_question(asked.question, asked.parameters))
        words = list(_words(line, self.words, signed=True))
        if words and words[0].text.casefold() == "off" and not words[0].quoted:
            return self.off(words[1:])
        before, colon, behind = split_at_colon(line)
        if colon and words[0].text not in STATEMENTS:  # a stack, as in notation
            place, space, ground = before.strip().partition(" ")
            here = self.stacks.hex(Word(place, 1), "hex")
            said = " ".join([quoted(here.place), *here.ground]) if here else place
            behind = re.sub('"([^"]*)"', lambda name: f'"{self.words.unit(name[1]) or name[1]}"', behind)
            return _as_it_stands(f"{said}{space}{ground}:{behind}")
        if words and words[0].text in STATEMENTS:  # plain notation
            return _as_it_stands(self.statement(line, words))
        if any(_LINK.fullmatch(word.text) for word in words[1:]):
            return _as_it_stands(self.supply_line(f"line {quoted(self.source(words[0]))}: {line}"))
        parameters, others = self.parameters(words)
        withheld = [word for word in others if self.withholds(word)]
        rest = [word for word in others if word not in withheld]
        asked = self.changed(parameters, withheld) if parameters or withheld else None
        lines = tuple(self.facts(rest, line)) if rest else ()
        changed = (
            {name: str(asked.parameters.get(name, "none")) for name in self.named(parameters, withheld)}
            if asked
            else {}
        )
        read = [*lines, *([_question(asked.question, changed)] if asked else [])]
        return Expansion(lines, asked, read="; ".join(read))

    def stacks_of(self, line: str) -> list[str]:
        """The stacks of a line that is written as the prompt reads it back, `41.19: 1/1; 42.19: 2/1`; those of a combat stay one
        line, without semicolons. A line with anything but hexes behind its semicolons stays as it is."""
        parts = [part.strip() for part in re.split(r""";(?=(?:[^"]*"[^"]*")*[^"]*$)""", line)]
        firsts = [re.split(r"[\s:]", part, maxsplit=1)[0] for part in parts]
        if len(parts) < 2 or not all(
            part and self.words.place(first) for part, first in zip(parts, firsts, strict=True)
        ):
            return [line]
        return [" ".join(parts)] if "<" in line else parts

    def asked(self, words: Sequence[Word]) -> Asked | None:
        """The question that words ask by its name or the beginning of it; None for any others.

        Its first parameter needs no name. Raises InputError for a list with a space in it, and for more than one value
        without a name.
        """
        first, *given = words or [Word("", 1)]
        questions = questions_of(self.game)
        parameters, bare = _given(given)
        name = self.question_named(first, bare)
        if not name or (len(bare) > 1 and name in STATEMENTS):
            return None
        if bare and any(value.endswith(",") for _, value in parameters):
            raise InputError("a list has a space in it", hint="write no space after the comma")
        fields = [field.encode_name for field in msgspec.structs.fields(questions[name].parameters)]
        if len(bare) > min(1, len(fields)):
            hint = " ".join(
                [f"type {name}", *(f"{field.upper()}," for field in fields[:1]), "and NAME=VALUE for the rest"]
            )
            raise InputError(f"{name} does not know {bare[-1].text!r}", hint=hint)
        read = [self.in_full(name, fields[0], self.words.unit(word.text) or word.text) for word in bare]
        return Asked(name, _each_once([*read, *(self.in_full(name, *one) for one in parameters)]))

    def question_named(self, first: Word, bare: Sequence[Word]) -> str:
        """The question that a word names or begins, "" if none. A beginning has only units and hexes behind it, or words with a name.

        bare: the words behind it without a name.
        """
        questions = questions_of(self.game)
        if first.text not in questions and (
            not first.text.isalpha()
            or self.words.is_of_the_game(first)
            or not all(self.words.unit(word.text) or self.words.place(word.text) for word in bare)
        ):
            return ""
        return self.words.question(first.text, questions)

    def following(self, words: Sequence[Word]) -> Asked | None:
        """A further question about the current combat, or that combat again, with its parameters and those that are typed; None for
        any other words. Raises InputError for a word that the question does not know."""
        first, *given = words or [Word("", 1)]
        table = self.table
        if table is None:
            return None
        parameters, others = _given(given)
        name = first.text if first.text in table.also else self.question_named(first, others)
        if not (name in table.also or (name == table.ask and not given)):
            return None
        unnamed = table.also.get(name, "")
        if len(others) > 1:
            hint = f"type {name} {unnamed.upper()}, and NAME=VALUE for other parameters"
            raise InputError(f"{name} does not know {others[-1].text!r}", hint=hint)
        before = self.combat.parameters if self.combat else {}
        fields = msgspec.structs.fields(question_of(self.game, name).parameters)
        kept = {field.encode_name: before[field.encode_name] for field in fields if field.encode_name in before}
        typed = _each_once(self.in_full(name, *one) for one in parameters)
        bare = {unnamed: others[0].text} if others else {}
        return Asked(name, {**bare, **kept, **bare, **typed})  # what was typed bare is read back first

    def statement(self, line: str, words: Sequence[Word]) -> str:
        """A line of notation that begins with its kind, the side, nation or army that it is about in full."""
        on = words[0].text
        if on == "line":
            return self.supply_line(line)
        if on not in ("side", "nation", "army") or len(words) < 2:
            return line
        subject = self.words.subject(on, words[1].text)
        facts = (self.words.completed(on, word) for word in words[2:])  # type: ignore[arg-type]  # these are subjects
        return " ".join([on, quoted(subject), *facts])

    def supply_line(self, line: str) -> str:
        """`line NAME: HEX -road- HEX ...` with the unit that it is named after and its hexes in full."""
        head, colon, path = split_at_colon(line)
        names = list(self.words.joined(words_of(head, 1)[1:]))
        if not colon or len(names) != 1:
            return line
        name = self.words.unit(names[0].text) or names[0].text
        hexes = (self.words.punctuated(word.text) for word in words_of(path, 1))
        return f"line {quoted(name)}: {' '.join(hexes)}"

    def source(self, first: Word) -> str:
        """The only unit in the hex at which a line begins. Raises InputError if there is none, or several."""
        place = self.words.place(first.text)
        there = [unit.id for unit in self.state.units.values() if place and unit.place == place]
        if len(there) != 1:
            what = f"{len(there) or 'no'} units stand in {place}" if place else f"{first.text!r} is not a hex"
            raise InputError(what, hint="name the line after its source: line UNIT: HEX -road- HEX ...")
        return there[0]

    def off(self, words: Sequence[Word]) -> Expansion:
        """Units that leave the map."""
        if not words:
            raise InputError("off needs a unit", hint="off UNIT ... takes units off the map")
        names = [self.words.unit(word.text) or word.text for word in words]
        for name in names:
            known = self.state.units.get(name)
            if known.place is None if known else name in self.game.roster:
                raise InputError(f"{name} is not on the map", hint="leave it out")
        off = tuple(self.game.unit(self.state, name).id for name in names)
        return Expansion(off=off, read=f"off {', '.join(off)}")

    # --- combats ---

    def on_one_line(self, table: TablePrompt, head: str, tail: str) -> Expansion:
        """A combat on one line; with nothing before the sign, more attacking hexes for the current combat."""
        (parameters, defenders), (more, attackers) = (
            self.parameters(_words(side, self.words)) for side in (head, tail)
        )
        targets, behind = self.stacks.read(defenders, "hex"), self.stacks.read(attackers, "hexside")
        before: Mapping[str, str] = {}
        if len(targets) > 1:
            both = f"{targets[0].place} and {targets[1].place}"
            raise InputError(f"two hexes before the <: {both}", hint="a combat attacks one hex")
        if not targets:
            known = {
                field.encode_name for field in msgspec.structs.fields(question_of(self.game, table.ask).parameters)
            }
            now = self.combat.parameters if self.combat else {}
            before = {name: value for name, value in now.items() if name in known}
            if not before.get(table.target):
                raise InputError("no hex before the <", hint="a combat is TARGET UNIT ... < HEX UNIT ...")
        target = targets[0].place if targets else str(before[table.target])
        places = [*str(before.get(table.attackers, "")).split(","), *(stack.place for stack in behind)]
        asked = {**before, table.target: target, table.attackers: ",".join(dict.fromkeys(filter(None, places)))}
        if not asked[table.attackers]:
            del asked[table.attackers]
        self.check_manned(behind)
        lines = [*self.stacks.written(targets), *self.stacks.written(behind, target)]
        named = _each_once([*parameters.items(), *more.items()])
        attacked, attacking = (
            "; ".join(stack.write(self.words.vocabulary, colon=False) for stack in side) for side in (targets, behind)
        )
        read = " ".join(filter(None, [attacked, "<", attacking, _question("", named)]))
        return Expansion(tuple(lines), Asked(table.ask, {**asked, **named}), anew=bool(targets), read=read)

    def check_manned(self, attackers: Sequence[Stack]) -> None:
        """Raise InputError for a hex that is said to attack and in which nobody stands."""
        for stack in attackers:
            if not (stack.units or self.state.stack(stack.place) or (UNSEEN, stack.place) in self.state.facts):
                hint = f"type its units behind it: < {stack.place} UNIT ..."
                raise InputError(f"no unit stands in {stack.place}", hint=hint)

    # --- parameters ---

    def parameter(self, word: Word) -> tuple[str, str] | None:
        """The parameter of the current question, or of a combat, that a word sets."""
        named = None if word.quoted else name_and_value(word)
        if not named or not self.asking:
            return None
        known = {field.encode_name for field in msgspec.structs.fields(question_of(self.game, self.asking).parameters)}
        name = (self.table.short if self.table else {}).get(named[0], named[0])
        return self.in_full(self.asking, name, named[1]) if name in known and name not in self.game.tracks else None

    def in_full(self, question: str, name: str, value: str) -> tuple[str, str]:
        """A parameter of a question with its name and its value in full.

        Raises InputError for a beginning of either that is ambiguous.
        """
        words = words_of_parameters(question_of(self.game, question))
        name = (self.table.short if self.table and question in self.table.about else {}).get(name, name)
        name = one_of(name, [one for one in words if name and one.startswith(name)]) or name
        allowed = words.get(name, ())
        begun = [one for one in allowed if value and one.startswith(value.casefold())]
        if chosen := one_of(value, begun):
            return name, chosen
        return name, self.words.punctuated(value)

    def parameters(self, words: Iterable[Word]) -> tuple[dict[str, str], list[Word]]:
        """The parameters that words set, and the other words."""
        found = [(word, self.parameter(word)) for word in words]
        return _each_once(sets for _, sets in found if sets), [word for word, sets in found if not sets]

    def named(self, parameters: Iterable[str], withheld: Sequence[Word]) -> list[str]:
        """The parameters that a line changes."""
        return [*parameters, *([self.table.without] if self.table and withheld else [])]

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
        elif self.stacks.hex(first, "hex"):
            lines = list(self.stacks.written(self.stacks.read(words, "hex")))
            if not lines:
                raise InputError(f"no fact about {first.text}", hint="add units or terrain after it")
            yield from lines
        elif self.words.named(first) and len(words) == 1:
            raise InputError(f"no fact about {first.text}", hint="add a fact, or put its hex before it")
        elif self.words.named(first):
            self.check_order(first, words[1:])
            unit, *others = self.stacks.units(words)
            if others:
                hint = "put the hex before units that stand together"
                raise InputError(f"{others[0].id!r} is not a fact about a unit", hint=hint)
            yield unit.write(self.words.vocabulary)
        elif (word := self.words.completed("game", first)) != first.text or self.words.vocabulary.read("game", first):
            yield " ".join([word, *(self.words.completed("game", word) for word in words[1:])])
        elif (track := self.game.tracks.get(first.text.casefold())) and track.on != "game":
            example = {"hex": "HEX ", "unit": "UNIT ", "hexside": "HEX|HEX "}.get(track.on, f"{track.on} NAME ")
            hint = f"put that first: {example}{track.written.replace('{}', '...')}"
            raise InputError(f"{track.name} is a fact about a {track.on}", hint=hint)
        elif options := [one for one in self.words.vocabulary.whole("game") if one.startswith(first.text.casefold())]:
            hint = f"what counts for the whole game needs its whole word: {' or '.join(options)}"
            raise InputError(f"{first.text!r} is not understood", hint=hint)
        else:
            yield line

    def check_order(self, unit: Word, words: Sequence[Word]) -> None:
        """Raise InputError for a hex behind a unit."""
        for word in words:
            place = ""
            with suppress(InputError):  # a number that is not a hex of the map
                place = self.words.place(word.text) if re.match("[0-9]", word.text) and not word.quoted else ""
            if place and not self.words.unit(word.text):
                name = quoted(self.words.unit(unit.text))
                raise InputError(f"a hex stands before its units: {place} {name}", hint="type the line in that order")


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


def _given(words: Sequence[Word]) -> tuple[list[tuple[str, str]], list[Word]]:
    """The words with a name, as names and values, and those without one."""
    named = [name_and_value(word) for word in words]
    return [*filter(None, named)], [word for word, value in zip(words, named, strict=True) if not value]


def _words(text: str, known: Abbreviations, *, signed: bool = False) -> list[Word]:
    """The words of a line, separated by spaces, or by commas outside values; the name of a unit is one word, with a sign before it too
    if it may have one."""
    found: list[Word] = []
    for word in words_of(text, 1, SPACED):
        whole = word.quoted or "=" in word.text[1:] or "|" in word.text
        found += [word] if whole else (Word(part, word.column) for part in word.text.split(",") if part)
    return list(known.joined(found, signed=signed))


def _as_it_stands(line: str) -> Expansion:
    return Expansion((line,), read=line)


def _question(name: str, parameters: Mapping[str, object]) -> str:
    """A question with its parameters, in few words."""
    return " ".join(filter(None, [name, *(f"{key}={quoted(str(value))}" for key, value in parameters.items())]))
