"""The expansion of shorthand typed at the table to position notation: hexes without punctuation, abbreviated words.

A combat is one line, `4119c 1/1 12-16-7-11 < 4020o 25/3 10--5-10 = 4019 29/20 = -3`. The attacked hex comes first, with
its letters and its units from the top, then each attacking hex with the letters of its hexside. `=` repeats the last
ratings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Annotated

import msgspec

from ....formats.chains import ChainStep, write_chains
from ....formats.new_units import may_be_new
from ....formats.positions import Asked, Position
from ....game.gamefile import MARCH_WAY
from ....state.state import UNSEEN, hexside
from ....state.words import (
    SPACED,
    STATEMENTS,
    Word,
    check_signs,
    find_words,
    split_at_colon,
    split_names,
    strip_comment,
)
from ....util.errors import InputError, quoted
from ....util.notes import note
from ....util.patterns import late_pattern
from ..combats import COMBAT_FORM, combat_hexes, with_units_again
from .abbreviations import Abbreviations
from .questions import QuestionShorthand, error_of_words, format_question, join_parameters, leftover_error
from .stacks import StackShorthand, TypedStack


class Expansion(msgspec.Struct, frozen=True):
    """The expansion of a typed line."""

    lines: Annotated[tuple[str, ...], note("the lines of notation")] = ()
    asked: Annotated[Asked | None, note("the question after the line, or None if it stays")] = None
    asks_new_question: Annotated[bool, note("whether the question is new rather than changed")] = False
    off: Annotated[tuple[str, ...], note("the units that the line takes off the map")] = ()
    read: Annotated[str, note("how the line was understood, in few words")] = ""
    described: Annotated[tuple[str, ...], note("the units of stacks about which the line states something")] = ()
    doubts: Annotated[tuple[str, ...], note("the questions that need a yes first")] = ()
    typed: Annotated[tuple[str, ...], note("the parameters of a changed question that the line itself gives")] = ()
    meant: Annotated[str, note('the line that was more likely meant, or ""')] = ""
    why: Annotated[str, note("the reason why that line is more likely")] = ""
    lacks_sign: Annotated[bool, note("whether the line looks like a combat without its sign")] = False


class MeaninglessSign(InputError):
    """An error for a sign that has no meaning in its place.

    `meant`: the likely meaning of the line, without the sign.
    """

    def __init__(self, what: str, meant: str) -> None:
        super().__init__(what, hint=f"write: {meant}")
        self.meant = meant


def expand_line(line: str, position: Position, combat: Asked | None = None) -> Expansion:
    """Return the expansion of a line typed at a position.

    `combat`: the question of the open combat, if another question is asked now, or None.

    Raises InputError for an ambiguous abbreviation, a hex off the map, and a word that is not understood.
    """
    shorthand = _Shorthand(position, combat)
    expansion = shorthand.expand(line)
    return msgspec.structs.replace(expansion, doubts=tuple(dict.fromkeys(shorthand.stacks.doubts)))


MARCH_FORM = "UNIT > HEX HEX ..., with what lies between the hexes if you wish: UNIT > -HEX/HEX"
"""The form of a typed move, for hints."""
_LIKE_A_UNIT = late_pattern("[0-9]+[-/+][0-9]+")
"""Numbers joined by a sign, which may be intended as the name of a unit."""
_MARCH = "march"
"""A word for a move, for any name of the game's question about moves."""
_LINK = late_pattern("-[a-z][a-z0-9-]*-", re.IGNORECASE)
"""The link between two hexes of a line: `-road-`."""
_SPACED_VALUE = late_pattern(r"(?<!\S)([A-Za-z-]+)(?:\s+=\s*|=)(?=[^\s=<])")
"""A name and the = before its value, with or without spaces around it: `turn = 4`."""
_ONLY_REMARK = late_pattern(r" \((?:[^()\s]| (?!only\)))+ only\)")
"""The prompt's remark that a fact is only about the last unit of a stack: ` (27/3 only)`."""
_HEXSIDE_BAR = late_pattern(r'^([^\s"|]+)\s*\|\s*(?=\S)')
"""The first hex of a hexside and the bar after it, with or without spaces: `41.19 | 40.20`."""


class _Shorthand:
    def __init__(self, position: Position, combat: Asked | None) -> None:
        self.game = position.game
        self.state = position.state
        self.words = Abbreviations(position)
        self.prompt = self.game.file.prompt
        self.questions = QuestionShorthand(position, self.words, combat)
        self.stacks = StackShorthand(position, self.words, combat_hexes(position, self.questions.combat))

    def expand(self, line: str) -> Expansion:
        """Return the expansion of a line: each kind of line is tried in turn, and any other line states facts.

        Raises InputError for a line that cannot be read.
        """
        line, *further = self.split_stacks(_ONLY_REMARK.sub("", line))
        if further:
            return self.join_stacks([self.expand(line), *map(self.expand, further)])
        check_signs(line)
        line = self.join_values(_HEXSIDE_BAR.sub(r"\1|", strip_comment(line).strip()))
        head, sign, tail = _split_at_sign(line, "<")
        # in plain notation a < is part of a value
        is_statement = head.split()[:1] and head.split()[0] in STATEMENTS
        if sign and not is_statement:
            if not self.prompt.ask:
                what = f"{self.game.title} does not take a combat on one line"
                raise InputError(what, hint="write lines of position notation")
            try:
                return self.combat_on_one_line(head, tail)
            except InputError as error:
                raise self.find_meaningless_sign(head, tail) or error from None
        if march := self.read_march(line):
            return march
        self.check_sign(line)
        if expansion := self.read_network(line) or self.read_hexes(line) or self.read_question(line):
            return expansion
        words = list(_split_words(line, self.words, signed=True))
        return self.read_off(words) or self.read_notation(line, words) or self.read_facts(line, words)

    def read_question(self, line: str) -> Expansion | None:
        self.check_march(line)
        given = list(self.words.join_names(find_words(line, 1, SPACED), signed=True))
        asked = self.questions.read_following(given) or self.questions.read_question(given)
        if asked is None:
            return None
        return Expansion(asked=asked, asks_new_question=True, read=format_question(asked.question, asked.parameters))

    def read_notation(self, line: str, words: Sequence[Word]) -> Expansion | None:
        """Return the expansion of a line in the notation of files with its names in full, or None for any other line.

        Such a line is a hex, a colon and its stack; a statement that begins with its kind; or hexes with links between
        them.
        """
        before, colon, stack_text = split_at_colon(line)
        if colon and words[0].text not in STATEMENTS:
            place, space, ground = before.strip().partition(" ")
            here = self.stacks.read_hex(Word(place, 1), "hex")
            stack = " ".join([quoted(here.place), *here.ground]) if here else place
            stack_text = re.sub('"([^"]*)"', lambda name: f'"{self.words.unit(name[1]) or name[1]}"', stack_text)
            return _as_it_stands(f"{stack}{space}{ground}:{stack_text}")
        if words and words[0].text in STATEMENTS:
            return _as_it_stands(self.complete_statement(line, words))
        if any(_LINK.fullmatch(word.text) for word in words[1:]):
            return _as_it_stands(self.complete_line(f"line {quoted(self.unit_at(words[0]))}: {line}"))
        return None

    def read_facts(self, line: str, words: Sequence[Word]) -> Expansion:
        """Return the expansion of a line with hexes and units, other facts, and parameters of the current question."""
        on_hexes = bool(words) and self.stacks.read_hex(words[0], "hex") is not None
        asked, changed, rest = self.questions.read_change(words, withholds=not on_hexes)
        in_hexes = self.stacks.read(rest, "hex") if on_hexes else []
        stated = line if len(rest) == len(words) else ""
        lines: tuple[str, ...] = ()
        if in_hexes:
            lines = tuple(self.write_stacks(in_hexes, words[0]))
        elif rest:
            lines = tuple(self.write_facts(rest, stated))
        off = tuple(name for stack in in_hexes for name in stack.off)
        read = [
            stack.write(self.words.vocabulary) + stack.last_unit_remark
            for stack in in_hexes
            if stack.units or stack.ground
        ]
        if not read:
            read += lines
        if off:
            read.append(f"off {', '.join(off)}")
        if asked:
            read.append(format_question(asked.question, changed))
        described = tuple(name for stack in in_hexes for name in stack.described)
        return Expansion(
            lines,
            asked,
            off=off,
            read="; ".join(read),
            described=described,
            typed=tuple(changed),
            lacks_sign=bool(self.prompt.ask) and self.questions.now is None and self.stacks.lacks_sign(in_hexes),
        )

    def join_stacks(self, stacks: Sequence[Expansion]) -> Expansion:
        """Return the expansion of several stacks on one line, with their parameters.

        Raises InputError for a parameter stated twice.
        """
        changed: list[tuple[str, str]] = []
        for stack in stacks:
            if stack.asked:
                changed += [(name, str(stack.asked.parameters.get(name) or "")) for name in stack.typed]
        typed = join_parameters(changed)
        now = self.questions.now
        asked = None
        if now and typed:
            parameters = {**now.parameters, **typed}
            asked = Asked(now.question, {name: value for name, value in parameters.items() if value})
        return Expansion(
            lines=tuple(line for stack in stacks for line in stack.lines),
            asked=asked,
            off=tuple(unit for stack in stacks for unit in stack.off),
            read="; ".join(stack.read for stack in stacks),
            described=tuple(unit for stack in stacks for unit in stack.described),
            typed=tuple(typed),
        )

    def join_values(self, line: str) -> str:
        """Return the line without spaces around the = of a fact or parameter: `turn = 4` becomes `turn=4`."""
        names = {*self.game.tracks, *self.questions.parameters_now}

        def without_spaces(words: re.Match[str]) -> str:
            return f"{words[1]}=" if words[1].casefold() in names else words[0]

        return line if '"' in line else _SPACED_VALUE.sub(without_spaces, line)

    def check_sign(self, line: str) -> None:
        first, *others = find_words(line, 1) or [Word("", 1)]
        has_arrow = any(word.text.startswith(">") and not word.quoted for word in others)
        if self.prompt.ask and has_arrow and self.stacks.read_hex(first, "hex"):
            move = f"; a move is {MARCH_FORM}" if self.prompt.march else ""
            hint = f"a combat has < between its hexes: {COMBAT_FORM}{move}"
            raise InputError("'>' is not understood", hint=hint)

    def split_stacks(self, line: str) -> list[str]:
        """Return the stacks of a line in the form that the prompt shows: `41.19: 1/1; 42.19: 2/1`.

        A combat stays one line, without semicolons. A line with a part that does not begin with a hex is returned
        unchanged.
        """
        parts = [part.strip() for part in re.split(r""";(?=(?:[^"]*"[^"]*")*[^"]*$)""", line)]
        firsts = [re.split(r"[\s:]", part, maxsplit=1)[0] for part in parts]
        if len(parts) < 2 or not all(first and self.words.place(first) for first in firsts):
            return [line]
        return [" ".join(parts)] if "<" in line else parts

    def read_network(self, line: str) -> Expansion | None:
        """Return the expansion of a line of chains of hexes, or None for any other line.

        If units follow the chains, the expansion asks the game's question about their line, if there is one.
        """
        words = list(self.words.join_names(find_words(line.replace(",", " "), 1, SPACED)))
        if not words or not self.words.chains.begins(words[0]):
            return None
        end = next((index for index, word in enumerate(words) if index and self.is_unit(word)), len(words))
        steps = self.words.chains.read(words[:end])
        units = words[end:]
        chains = " ".join(word.text for word in words[:end])
        if not units:
            return Expansion((chains,), read=write_chains(steps))
        (stack,) = self.stacks.read([steps[-1].hex, *units], "hex")
        units_there = [unit.id for unit in self.state.stack(stack.place)]
        names = [unit.id for unit in stack.units]
        lines = [chains]
        text = write_chains(steps)
        has_facts = any(unit.after or unit.ratings for unit in stack.units)
        if has_facts or not all(name in units_there for name in names):
            lines += self.stacks.write_stacks([stack])
            text += f"; {stack.write(self.words.vocabulary, colon=False)}"
        question = self.prompt.along
        if not question:
            return Expansion(tuple(lines), read=text)
        asked = Asked(question, {self.questions.fields(question)[0]: ",".join(names)})
        meant, why = self.find_meant_chain(line, steps)
        text = f"{text}; {format_question(question, asked.parameters)}"
        return Expansion(tuple(lines), asked, asks_new_question=True, read=text, meant=meant, why=why)

    def find_meant_chain(self, line: str, steps: Sequence[ChainStep]) -> tuple[str, str]:
        """Return the line with the signs that were more likely meant, and the reason, or "" for both.

        A chain is doubted only if all of its signs are often confused with others, and its last hexside is not known
        yet.
        """
        signs = {word: sign for sign, word in self.game.file.notation.signs.items()}
        link_words = [word for step in steps for word in step.between]
        doubted = [
            word
            for word in link_words
            if word.text in self.prompt.mistaken and line.startswith(signs[word.text], word.column - 1)
        ]
        if not link_words or len(doubted) < len(link_words):  # a player who types other signs too knows their meanings
            return "", ""
        here, there = (self.words.punctuate(step.hex.text) for step in steps[-2:])
        last = doubted[-1].text
        if (self.words.track_stated("hexside", last), hexside(here, there)) in self.state.facts:
            return "", ""
        meant = line
        for word in reversed(doubted):
            sign = signs[self.prompt.mistaken[word.text]]
            meant = meant[: word.column - 1] + sign + meant[word.column - 1 + len(signs[word.text]) :]
        other = self.prompt.mistaken[last]
        return meant, f"`{signs[last]}` is {last}, 0 hexes away from who is in {there}; `{signs[other]}` is {other}"

    def find_meaningless_sign(self, head: str, tail: str) -> MeaninglessSign | None:
        """Return the error of a combat with a sign of chains beside a hex, or None if the line is no such combat.

        `head`, `tail`: the line before and after the sign of the combat.
        """
        clean_head, signs_in_head = self.without_signs(head, attacks=False)
        clean_tail, signs_in_tail = self.without_signs(tail, attacks=True)
        sides = [clean_head, clean_tail]
        found = [*signs_in_head, *signs_in_tail]
        if not found:
            return None
        meant = " < ".join(side.strip() for side in sides)
        with suppress(InputError):
            self.combat_on_one_line(*sides)
            sign = self.game.file.notation.signs[found[0]]
            return MeaninglessSign(f"`{found[0]}` ({sign}) has no meaning beside a hex of a combat", meant)
        return None

    def without_signs(self, text: str, *, attacks: bool) -> tuple[str, list[str]]:
        """Return one side of a combat without signs of chains beside its hexes, and these signs.

        After an attacking hex the sign of a hexside becomes its word; a road or railway has no meaning there.

        `attacks`: whether the side is the attacking one.
        """
        picture = self.game.file.picture
        signs = self.game.file.notation.signs
        found = list[str]()
        words = re.split(r"(\s+)", text)
        for index, word in enumerate(words):
            bare = word.strip("".join(signs))
            sign = word.removeprefix(bare) if word.startswith(bare) else word.removesuffix(bare)
            number = re.match("[0-9.]*", bare)
            if sign not in signs or not bare or not (number and self.is_hex(number[0])):
                continue
            found.append(sign)
            track = self.words.track_stated("hexside", signs[sign])
            has_meaning = attacks and track not in (picture.rail, picture.road)
            words[index] = f"{bare} {signs[sign]}" if has_meaning else bare
        return "".join(words), found

    def is_hex(self, text: str) -> bool:
        try:
            return bool(self.words.place(text))
        except InputError:
            return False

    def read_march(self, line: str) -> Expansion | None:
        """Return a move, `25/3 > 4022 4021`, perhaps with facts about its ground, `25/3 > -4022r-4021`, or None.

        Without a unit before the >, the units are those of the current question about a move.

        Raises InputError for a move that cannot be read.
        """
        question = self.prompt.march
        head, sign, tail = _split_at_sign(line, ">")
        units = list(self.words.join_names(find_words(head.replace(",", " "), 1, SPACED)))
        is_other = bool(units) and (units[0].text in STATEMENTS or bool(self.stacks.read_hex(units[0], "hex")))
        if not (question and sign) or is_other:
            return None
        who = self.questions.fields(question)[0]
        self.check_arrow(units, tail)
        names = self.name_marching(units, question, who)
        parameters, hexes = self.questions.read_parameters(find_words(tail.replace(",", " "), 1), question)
        start = here = str(self.game.unit(self.state, names[0]).place or "")
        steps = self.words.chains.read(self.begin_at(here, hexes))
        way = [self.words.punctuate(step.hex.text) for step in steps]
        if way == [here]:
            raise InputError(f"{names[0]} is in {here} already", hint=f"name the next hex: a move is {MARCH_FORM}")
        if not way:
            raise InputError("no hex after the >", hint=f"a move is {MARCH_FORM}")
        lines = list[str]()
        for there, step in zip(way, steps, strict=True):
            lines += _write_ground(here, there, step)
            here = there
        entered = way[1:] if way[0] == start else way
        asked = Asked(question, {who: ",".join(names), MARCH_WAY: ",".join(entered), **parameters})
        read = "; ".join([*lines, format_question(question, asked.parameters)])
        return Expansion(tuple(lines), asked, asks_new_question=True, read=read)

    def check_arrow(self, units: Sequence[Word], tail: str) -> None:
        """Raise InputError if `->` follows the units: the sign of a move is `>`."""
        if units and units[-1].text.strip("-") == "" and not units[-1].quoted:
            names = [self.words.named_unit(unit) or unit.text for unit in units[:-1]]
            way = [self.words.punctuate(word) for word in tail.split()]
            hint = f"a move has > alone: {_write_move(names, way)}" if names and way else f"a move is {MARCH_FORM}"
            raise InputError(f"'{units[-1].text}>' is not the sign of a move", hint=hint)

    def check_march(self, line: str) -> None:
        """Raise InputError for a move with its name but without its sign: `march 4/6 5335`."""
        first, *words = [*self.words.join_names(find_words(line.replace(",", " "), 1, SPACED))] or [Word("", 1)]
        if not self.prompt.march or first.quoted or first.text.casefold() not in (self.prompt.march, _MARCH):
            return
        units = [self.words.named_unit(word) for word in takewhile(self.words.named_unit, words)]
        way = [self.words.place(word.text) for word in words[len(units) :]]
        if units and way and all(way):
            what = f"{first.text!r} does not understand {words[len(units)].text!r}"
            raise InputError(what, hint=f"a move has > before its hexes: {_write_move(units, way)}")

    def name_marching(self, units: Sequence[Word], question: str, who: str) -> list[str]:
        """Return the units before a >, or if there are none, those of the current question.

        No facts precede a >, so that the name of a unit may be the word of a fact.

        `question`: the question about moves.
        `who`: the name of its parameter for the units.

        Raises InputError if a word names no unit, or no unit is named.
        """
        for unit in units:
            if not self.is_marching(unit):
                hint = self.words.nearest_units(unit.text) or f"a move is {MARCH_FORM}"
                raise InputError(f"{unit.text!r} is not a unit on the map", hint=hint)
        names = [self.words.unit(unit.text) or unit.text for unit in units]
        now = self.questions.now
        if not names and now and now.question == question:
            names = [name for name in str(now.parameters.get(who, "")).split(",") if name]
        if not names:
            raise InputError("no unit before the >", hint=f"a move is {MARCH_FORM}")
        return names

    def is_marching(self, word: Word) -> bool:
        return bool(self.words.named_unit(word)) or word.text.casefold() in self.state.by_folded_id

    def begin_at(self, start: str, words: Sequence[Word]) -> list[Word]:
        """Return the words of a way, with `start` added if they begin with a sign."""
        if not words or not self.words.board.is_hex(start):
            return list(words)
        first = words[0]
        if first.quoted or first.text[0].isalnum():
            return list(words)
        return [Word(self.words.board.grid.bare(start) + first.text, first.column), *words[1:]]

    def read_hexes(self, line: str) -> Expansion | None:
        """Return facts about several hexes with commas between them, or None for any other line.

        Raises InputError for facts that cannot be read.
        """
        if "," not in line or "|" in line or '"' in line or "<" in line:
            return None
        names, facts = split_names(find_words(line, 1))
        stacks = [*filter(None, [self.stacks.read_hex(name, "hex") for name in names])]
        if len(names) < 2 or len(stacks) < len(names):
            return None
        places = ",".join(stack.place for stack in stacks)
        ground = [word for stack in stacks for word in stack.ground]
        for word in facts:
            statement = self.words.complete("hex", word)
            if not self.words.track_stated("hex", statement):
                statement = self.words.complete("unit", word)
                if self.words.track_stated("unit", statement) in ("", *self.stacks.identity):
                    hint = "only facts about hexes follow several hexes: type each stack in a separate line"
                    raise InputError(f"{word.text!r} is not a fact about a hex", hint=hint)
            ground.append(statement)
        if not ground:
            raise InputError(f"no fact given about {places}", hint="add terrain after them")
        return _as_it_stands(" ".join([places, *ground]))

    def is_unit(self, word: Word) -> bool:
        return bool(self.words.named_unit(word)) or (may_be_new(word) and not self.words.chains.begins(word))

    def complete_statement(self, line: str, words: Sequence[Word]) -> str:
        """Return a line of notation that begins with its kind, with the name of its side, nation or army in full.

        Raises InputError for a line that cannot be read.
        """
        on = words[0].text
        if on == "line":
            return self.complete_line(line)
        if on not in ("side", "nation", "army"):
            return line
        if len(words) < 2:
            raise InputError(f"{on} needs a name and a fact", hint=f"write {on} NAME FACT")
        subject = self.words.subject(on, words[1].text)
        facts = (self.words.complete(on, word) for word in words[2:])  # type: ignore[arg-type]  # these are subjects
        return " ".join([on, quoted(subject), *facts])

    def complete_line(self, line: str) -> str:
        """Return `line UNIT: HEX -road- HEX ...` with its names in full."""
        head, colon, path = split_at_colon(line)
        names = list(self.words.join_names(find_words(head, 1)[1:]))
        if not colon or len(names) != 1:
            return line
        name = self.words.unit(names[0].text) or names[0].text
        hexes = (self.words.punctuate(word.text) for word in find_words(path, 1))
        return f"line {quoted(name)}: {' '.join(hexes)}"

    def unit_at(self, first: Word) -> str:
        place = self.words.place(first.text)
        units = [unit.id for unit in self.state.units.values() if place and unit.place == place]
        if len(units) != 1:
            what = f"{len(units) or 'no'} units stand in {place}" if place else f"{first.text!r} is not a hex"
            raise InputError(what, hint="name the line after its source: line UNIT: HEX -road- HEX ...")
        return units[0]

    def read_off(self, words: Sequence[Word]) -> Expansion | None:
        """Return the units that `off` takes off the map, or None for any other line.

        Raises InputError for a unit that is not on the map, and if no unit is named.
        """
        if not words or words[0].text.casefold() != "off" or words[0].quoted:
            return None
        names = [self.words.unit(word.text) or word.text for word in words[1:]]
        if not names:
            raise InputError("off needs a unit", hint="off UNIT ... takes units off the map")
        for name in names:
            known = self.state.units.get(name)
            is_off = known.place is None if known else name in self.game.roster
            if is_off:
                raise InputError(f"{name} is not on the map", hint="leave it out")
        off = tuple(self.game.unit(self.state, name).id for name in names)
        return Expansion(off=off, read=f"off {', '.join(off)}")

    def combat_on_one_line(self, head: str, tail: str) -> Expansion:
        """Return a combat typed on one line.

        Without a hex before the <, the attacking hexes are added to the current combat.

        `head`, `tail`: the line before and after the <.
        """
        prompt = self.prompt
        parameters, defenders = self.questions.read_parameters(_split_words(head, self.words), prompt.ask)
        more_parameters, attackers = self.questions.read_parameters(_split_words(tail, self.words), prompt.ask)
        target_stacks = self.stacks.read(defenders, "hex")
        attacking_stacks = self.stacks.read(attackers, "hexside")
        self.stacks.suppose_enemies(target_stacks, attacking_stacks)
        self.stacks.suppose_enemies(attacking_stacks, target_stacks)
        current: Mapping[str, str] = {}
        if len(target_stacks) > 1 and not self.questions.takes_several(prompt.ask, prompt.target):
            two_hexes = f"{target_stacks[0].place} and {target_stacks[1].place}"
            raise InputError(f"two hexes before the <: {two_hexes}", hint="a combat attacks only one hex")
        if not target_stacks:
            now = self.questions.combat.parameters if self.questions.combat else {}
            fields = self.questions.fields(prompt.ask)
            current = {name: value for name, value in now.items() if name in fields}
            again = {unit.id for stack in attacking_stacks for unit in self.stacks.units_in(stack)}
            current = with_units_again(current, prompt.without, again)
            if not current.get(prompt.target):
                raise InputError("no hex before the <", hint=f"a combat is {COMBAT_FORM}")
        attacked_hexes = [stack.place for stack in target_stacks] or str(current[prompt.target]).split(",")
        for stack in attacking_stacks:
            if stack.place in attacked_hexes:
                raise InputError(f"{stack.place} is the attacked hex", hint="the hexes that attack it come after the <")
        places = [place for place in str(current.get(prompt.attackers, "")).split(",") if place]
        places += [stack.place for stack in attacking_stacks]
        asked = {**current, prompt.target: ",".join(attacked_hexes), prompt.attackers: ",".join(dict.fromkeys(places))}
        if not asked[prompt.attackers]:
            del asked[prompt.attackers]
        self.check_manned(attacking_stacks)
        lines = [*self.stacks.write_stacks(target_stacks), *self.stacks.write_stacks(attacking_stacks, attacked_hexes)]
        named = join_parameters([*parameters.items(), *more_parameters.items()])
        read = " ".join(
            filter(
                None, [self.read_back(target_stacks), "<", self.read_back(attacking_stacks), format_question("", named)]
            )
        )
        off = tuple(name for stack in (*target_stacks, *attacking_stacks) for name in stack.off)
        typed = (prompt.target, prompt.attackers, *named)
        return Expansion(
            tuple(lines), Asked(prompt.ask, {**asked, **named}), bool(target_stacks), off, read, typed=typed
        )

    def read_back(self, stacks: Sequence[TypedStack]) -> str:
        return "; ".join(stack.write(self.words.vocabulary, colon=False) + stack.last_unit_remark for stack in stacks)

    def check_manned(self, attackers: Sequence[TypedStack]) -> None:
        for stack in attackers:
            if not (stack.units or self.state.stack(stack.place) or (UNSEEN, stack.place) in self.state.facts):
                hint = f"type the units after the hex: < {stack.place} UNIT ..."
                raise InputError(f"no unit stands in {stack.place}", hint=hint)

    def write_facts(self, words: Sequence[Word], line: str) -> Iterator[str]:
        """Yield notation for a line of facts about a hexside, a unit or the game, or any other line unchanged.

        `line`: the line, or "" if parameters were taken out of `words`.

        Raises InputError for an impossible fact.
        """
        first = words[0]
        hex_text, bar, neighbours_text = first.text.partition("|")
        if bar and not first.quoted:
            here = self.words.place(hex_text) or hex_text
            neighbours = ",".join(self.words.place(text) or text for text in neighbours_text.split(","))
            yield " ".join([f"{here}|{neighbours}", *(self.words.complete("hexside", word) for word in words[1:])])
        elif self.words.named_unit(first) and len(words) == 1:
            raise InputError(f"no fact given about {first.text}", hint="add a fact, or put its hex before it")
        elif self.words.named_unit(first):
            self.check_order(first, words[1:])
            unit, *others = self.stacks.read_units(words)
            if others:
                hint = "put the hex before stacked units"
                raise InputError(f"{others[0].id!r} is not a fact about a unit", hint=hint)
            yield unit.write(self.words.vocabulary, without_hex=True)
        elif (word := self.words.complete("game", first)) != first.text or self.words.vocabulary.read("game", first):
            yield " ".join([word, *(self.words.complete("game", word) for word in words[1:])])
        elif fault := error_of_words(words, self.words, self.questions):
            raise fault
        elif not line and self.questions.now:
            raise leftover_error(words, self.questions.now.question)
        elif len(words) == 1 and _LIKE_A_UNIT.fullmatch(first.text) and (near := self.words.nearest_units(first.text)):
            raise InputError(f"{first.text!r} is neither a hex nor a unit on the map", hint=near)
        else:
            yield line

    def write_stacks(self, stacks: Sequence[TypedStack], first: Word) -> Iterator[str]:
        """Yield notation for hexes and their units.

        `first`: the first word of the line.

        Raises InputError for a hex without units or facts.
        """
        lines = list(self.stacks.write_stacks(stacks))
        for stack in stacks:
            if stack.units or stack.ground or stack.off:
                continue
            if len(stacks) > 1:
                hint = f"write {stack.place} FACT, or put a comma between hexes"
                raise InputError(f"no fact given about {stack.place}", hint=hint)
            raise InputError(f"no fact given about {first.text}", hint="add units or terrain after the hex")
        yield from lines

    def check_order(self, unit: Word, words: Sequence[Word]) -> None:
        """Raise InputError for a hex after a unit, as a line has the hex before its units."""
        for word in words:
            if word.quoted or not re.match("[0-9]", word.text):
                continue
            place = ""
            with suppress(InputError):  # a number that is not a hex of the map
                place = self.words.place(word.text)
            if place and not self.words.unit(word.text):
                name = self.words.unit(unit.text)
                stated = f"{place} {quoted(name)}"
                hint = "type the line in that order"
                if self.prompt.march and name in self.state.units and self.state.units[name].place:
                    hint = f"to march: {quoted(name)} > {place}; {stated} only states where it stands"
                raise InputError(f"a hex comes before its units: {stated}", hint=hint)


def _split_at_sign(line: str, sign: str) -> tuple[str, str, str]:
    """Return the text before the first < or > outside quotes, the sign or "", and the text after it."""
    match = re.match(rf'((?:"[^"]*"|[^"{sign}])*)({sign}?)(.*)', line)
    return (match[1], match[2], match[3]) if match else (line, "", "")


def _write_move(units: Sequence[str], way: Sequence[str]) -> str:
    return f"{' '.join(map(quoted, units))} > {' '.join(way)}"


def _write_ground(here: str, there: str, step: ChainStep) -> Iterator[str]:
    if step.between:
        yield " ".join([f"{here}|{there}", *(word.text for word in step.between)])
    if step.within:
        yield " ".join([there, *(word.text for word in step.within)])


def _split_words(text: str, known: Abbreviations, *, signed: bool = False) -> list[Word]:
    """Return the words of a line, separated by spaces, or by commas outside values; a unit's name is one word.

    `signed`: whether units may be preceded by + or -.
    """
    split: list[Word] = []
    for word in find_words(text, 1, SPACED):
        if word.quoted:
            split.append(word)
        elif "=" in word.text[1:]:
            split.append(word._replace(text=word.text.rstrip(",")))
        elif "|" in word.text:
            split.append(word)
        else:
            split += [Word(part, word.column) for part in word.text.split(",") if part]
    return list(known.join_names(split, signed=signed))


def _as_it_stands(line: str) -> Expansion:
    return Expansion((line,), read=line)
