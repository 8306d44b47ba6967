"""Abbreviated questions: names and parameters, changes to the current question, and hints for refused lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, get_origin

from ....asking.parameters import FLAG_WORDS, list_parameter_words
from ....formats.new_units import how_to_state, may_be_new, may_be_run_together
from ....formats.positions import Asked, Position
from ....installed.registry import question_of, questions_of
from ....state.words import STATEMENTS, Word, name_and_value
from ....util.errors import InputError, plain, quoted, similar
from ....util.notes import fields_of
from ....util.texts import words_begun
from ..combats import COMBAT_FORM, stacks_of
from .abbreviations import MIN_LETTERS, Abbreviations, pick_only

_MAX_NAMES_LISTED = 6
"""The maximum number of questions or units listed in a hint."""
_MAX_VALUE_CHARS = 120
"""The maximum length of a value that is repeated in a response."""


class QuestionShorthand:
    """A reader of questions and their parameters at a position.

    `combat`: the question of the open combat, if another question is asked now, or None.
    """

    def __init__(self, position: Position, words: Abbreviations, combat: Asked | None) -> None:
        self.game = position.game
        self.words = words
        self.prompt = self.game.file.prompt
        self.now = position.asks[0] if position.asks else None
        is_about_combat = self.now and self.now.question in self.prompt.about and self.now.parameters
        self.about = self.now if is_about_combat else combat
        """The question about a combat whose parameters a further question inherits, or None."""
        self.combat = combat or self.about
        self.fighting = stacks_of(position, self.now)

    def takes_several(self, question: str, parameter: str) -> bool:
        fields = fields_of(question_of(self.game, question).parameters)
        types = [field.type for field in fields if field.encode_name == parameter]
        bare = [type_.__origin__ if get_origin(type_) is Annotated else type_ for type_ in types]
        return any(get_origin(type_) is tuple for type_ in bare)

    def fields(self, question: str) -> list[str]:
        return [field.encode_name for field in fields_of(question_of(self.game, question).parameters)]

    @property
    def parameters_now(self) -> list[str]:
        if self.now is None:
            return []
        fields = self.fields(self.now.question)
        return [*(name for name, full in self.prompt.short.items() if full in fields), *fields]

    def read_question(self, words: Sequence[Word]) -> Asked | None:
        """Return the question that words ask by its name or an abbreviation, or None for other words.

        The first parameter needs no name unless it is yes or no; nor does a hex if the question has the parameter `at`.

        Raises InputError for a list with a space in it, and for more than one value without a name.
        """
        first, *given = words or [Word("", 1)]
        parameters, bare = _split_named(given)
        name = self.question_begun(first, bare)
        if not name or (len(bare) > 1 and name in STATEMENTS):
            return None
        if bare and any(value.endswith(",") for _, value in parameters):
            raise InputError("a list has a space in it", hint="write no space after the comma")
        fields = self.fields(name)
        unnamed = [field for field in fields[:1] if not self.is_flag(name, field)]
        if "at" in fields and any(self.words.place(word.text) for word in bare):
            unnamed = ["at"]
        if len(bare) > len(unnamed):
            form = "".join(f" {field.upper()}," for field in unnamed)
            hint = f"type {name}{form} and NAME=VALUE for the rest"
            track = self.game.tracks.get(name)  # a fact may have the name of a question
            if track:
                hint = how_to_state(track, bare)
            raise InputError(f"{name} does not understand {bare[-1].text!r}", hint=hint)
        read = [self.complete_parameter(name, unnamed[0], self.words.unit(word.text) or word.text) for word in bare]
        read += [self.complete_parameter(name, field, value) for field, value in parameters]
        return Asked(name, join_parameters(read))

    def is_flag(self, question: str, parameter: str) -> bool:
        return list_parameter_words(question_of(self.game, question)).get(parameter.replace("_", "-")) == FLAG_WORDS

    def question_begun(self, first: Word, bare: Sequence[Word]) -> str:
        """Return the question that a word names or abbreviates, or "".

        After an abbreviation, words without a name must be units or hexes.

        `bare`: the further words without a name.
        """
        questions = questions_of(self.game)
        if first.text in questions:
            return first.text
        if not first.text.isalpha() or self.words.is_fact("game", Word(self.words.complete("game", first), 0)):
            return ""
        for word in bare:
            if not (may_be_new(word) or self.words.unit(word.text) or self.words.place(word.text)):
                return ""
        return self.words.question(first.text, questions)

    def read_following(self, words: Sequence[Word]) -> Asked | None:
        """Return another question about the open combat, or the combat itself, with its parameters and the typed ones.

        Returns None for any other words.

        Raises InputError if the question does not know a word.
        """
        first, *given = words or [Word("", 1)]
        prompt = self.prompt
        if not prompt.ask:
            return None
        parameters, others = _split_named(given)
        name = first.text.casefold()
        if name not in prompt.also:
            name = self.question_begun(first, others)
        if not name and self.combat and len(first.text) > 1 and not given and not self.words.unit(first.text):
            begun = words_begun(first.text, questions_of(self.game))
            name = prompt.ask if begun == [prompt.ask] else ""
        if not (name in prompt.also or (name == prompt.ask and not given)):
            return None
        unnamed = prompt.also.get(name, "")
        if len(others) > 1:
            hint = f"type {name} {unnamed.upper()}, and NAME=VALUE for other parameters"
            raise InputError(f"{name} does not understand {others[-1].text!r}", hint=hint)
        about = self.combat if name == prompt.ask else self.about
        before = about.parameters if about else {}
        taken = {field: before[field] for field in self.fields(name) if field in before}
        read = [self.complete_parameter(name, field, value.rstrip(",")) for field, value in parameters]
        typed = join_parameters(read)
        bare = {unnamed: others[0].text} if others else {}
        return Asked(
            name, {**bare, **taken, **bare, **typed}
        )  # `bare` comes first to be read back first, then overrides `taken`

    def read_parameter(self, word: Word, question: str) -> tuple[str, str] | None:
        """Return the parameter of a question that a word sets, or None for any other word."""
        named = None if word.quoted or not question else name_and_value(word)
        if not named:
            return None
        typed_name, value = named
        name = self.prompt.short.get(typed_name.casefold(), typed_name.casefold())
        if name not in self.fields(question) or self.may_be_a_fact(name, value):
            return None
        return self.complete_parameter(question, name, value)

    def questions_with(self, name: str) -> list[str]:
        full = self.prompt.short.get(name.casefold(), name.casefold())
        return [question for question in questions_of(self.game) if full in self.fields(question)]

    def may_be_a_fact(self, name: str, value: str) -> bool:
        """Return whether the name of a parameter and its value may state a fact.

        That is so if a track has that name, unless the value is a unit that the track does not allow.
        """
        track = self.game.tracks.get(name)
        if track is None or not self.words.unit(value):
            return track is not None
        try:
            return track.parse(self.words.value(track, value)) is not None
        except InputError:
            return False

    def complete_parameter(self, question: str, name: str, value: str) -> tuple[str, str]:
        """Return a parameter of a question with its name and its value in full.

        Raises InputError if the beginning of a name or value is ambiguous.
        """
        words = list_parameter_words(question_of(self.game, question))
        is_about_combat = question in self.prompt.about
        name = name.casefold()
        if (full := self.prompt.short.get(name)) and full in self.fields(question):
            name = full
        if name:
            name = pick_only(name, [known for known in words if known.startswith(name)]) or name
        allowed = words.get(name, ())
        usual = self.prompt.usual.get(name, ()) if is_about_combat else ()
        if isinstance(usual, str):
            usual = ()
        for word in allowed or usual:
            if word.casefold() == value.casefold():
                return name, word
        if chosen := pick_only(value, words_begun(value, allowed)):
            return name, chosen
        return name, self.words.punctuate(value)

    def read_parameters(self, words: Iterable[Word], question: str) -> tuple[dict[str, str], list[Word]]:
        """Return the parameters of a question that words set, and the other words.

        Raises InputError for a parameter set twice, and for NAME=VALUE with a name similar to that of a parameter.
        """
        read = [(word, self.read_parameter(word, question)) for word in words]
        others = [word for word, sets in read if not sets]
        for word in others:
            self.check_name(word, question)
        return join_parameters([sets for _, sets in read if sets]), others

    def check_name(self, word: Word, question: str) -> None:
        """Raise InputError for NAME=VALUE with a name similar to that of a parameter, unless it is a fact."""
        named = name_and_value(word)
        if not named or not question or word.quoted:
            return
        name = named[0].casefold()
        if not re.fullmatch("[a-z][a-z-]*", name):
            return
        fields = self.fields(question)
        tracks = self.game.tracks
        near = words_begun(name, fields) or similar(name, [*fields, *tracks], 0.6, 1)
        if near and near[0] in fields and name not in fields and not words_begun(name, tracks):
            value = word.text.partition("=")[2]
            meant = " or ".join(f"{name_meant}={value}" for name_meant in near)
            hint = f"did you mean {meant}?"
            raise InputError(f"{word.text!r} is neither a fact nor a parameter of {question}", hint=hint)

    def read_change(
        self, words: Sequence[Word], *, withholds: bool = True
    ) -> tuple[Asked | None, dict[str, str], list[Word]]:
        """Return the current question as changed by words, the changed parameters, and the other words.

        The question is None if no word changes it.

        `withholds`: whether `-UNIT` and `+UNIT` ask the same combat without a unit, or with it again.

        Raises InputError if no question has been asked, and for a unit to be withheld that is not in the combat.
        """
        parameters, others = self.read_parameters(words, self.now.question if self.now else self.prompt.ask)
        without = self.prompt.without
        withheld = []
        if withholds and without:
            signed = [word for word in others if word.text[:1] in ("-", "+")]
            withheld = [word for word in signed if self.words.unit(_drop_sign(word))]
        if not parameters and not withheld:
            return None, {}, others
        if self.now is None:
            hint = f"type a combat first: {COMBAT_FORM}"
            raise InputError("no question has been asked yet", hint=hint)
        parameters_after = {**self.now.parameters, **parameters}
        if withheld:
            withheld_units = [name for name in str(parameters_after.get(without, "")).split(",") if name]
            for word in withheld:
                name = self.words.unit(_drop_sign(word))
                withheld_units = [other for other in withheld_units if other != name]
                if word.text[0] == "-":
                    if self.fighting and not any(name in units for units in self.fighting.values()):
                        raise InputError(f"{name} is not in this combat", hint="leave it out")
                    withheld_units.append(name)
            parameters_after[without] = ",".join(withheld_units)
        changed = {name: str(parameters_after[name] or "none") for name in parameters}
        if withheld:
            changed[without] = str(parameters_after[without] or "none")
        rest = [word for word in others if word not in withheld]
        return (
            Asked(self.now.question, {name: value for name, value in parameters_after.items() if value}),
            changed,
            rest,
        )


def _drop_sign(word: Word) -> str:
    return word.text[1:].strip('"')


def join_parameters(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return parameters by name.

    Raises InputError for a name that is used twice.
    """
    parameters: dict[str, str] = {}
    for name, value in named:
        if name in parameters:
            raise InputError(f"{name} is given twice", hint="leave out one of the two")
        parameters[name] = value
    return parameters


def _split_named(words: Sequence[Word]) -> tuple[list[tuple[str, str]], list[Word]]:
    named = [name_and_value(word) for word in words]
    return [*filter(None, named)], [word for word, value in zip(words, named, strict=True) if not value]


def format_question(name: str, parameters: Mapping[str, object]) -> str:
    """Return a question with its parameters, of which long values are cut in the middle."""
    words = [name] if name else []
    for key, value in parameters.items():
        words.append(f"{key}={quoted(plain(str(value), _MAX_VALUE_CHARS))}")
    return " ".join(words)


def error_of_words(words: Sequence[Word], known: Abbreviations, questions: QuestionShorthand) -> InputError | None:
    """Return the error of a line without a statement or question, if its first word shows what was meant.

    Returns None otherwise; then notation may know the line.
    """
    first, *behind = words
    name, equals, _ = first.text.partition("=")
    track = known.game.tracks.get(name.casefold())
    if first.quoted:
        return None
    if track and track.on != "game":
        example = {"hex": "HEX ", "unit": "UNIT ", "hexside": "HEX|HEX "}.get(track.on, f"{track.on} NAME ")
        hint = f"put the {track.on} first: {example}{track.written.replace('{}', '...')}"
        article = "an" if track.on == "army" else "a"
        return InputError(f"{track.name} is a fact about {article} {track.on}", hint=hint)
    also = questions.prompt.also
    if behind and (meant := [name for name in also if name.startswith(first.text.casefold())]):
        return InputError(f"{first.text!r} is not understood", hint=f"type {meant[0]} {behind[0].text}")
    if options := [word for word in known.vocabulary.whole("game") if word.startswith(first.text.casefold())]:
        hint = f"a fact about the whole game must be typed in full: {' or '.join(options)}"
        return InputError(f"{first.text!r} is not understood", hint=hint)
    if equals and (asks := questions.questions_with(name)):
        now = f", not of {questions.now.question}" if questions.now else ""
        back = questions.now and questions.combat and questions.prompt.ask in asks
        hint = f"`{asks[0]}` goes back to the combat" if back else f"write {asks[0]} {name}=..."
        return InputError(f"{name} is a parameter of {', '.join(asks[:_MAX_NAMES_LISTED])}{now}", hint=hint)
    if not equals and (taken := words_begun(first.text, questions.parameters_now)):
        hint = f"write {' or '.join(f'{parameter}=...' for parameter in taken)}"
        return InputError(f"{first.text!r} on its own is not understood", hint=hint)
    if not first.text.isalpha():
        return None
    names = questions_of(known.game)
    if len(first.text) < MIN_LETTERS and (candidates := words_begun(first.text, names)):
        hint = f"{MIN_LETTERS} letters are enough" if len(candidates) == 1 else "type more letters"
        return InputError(f"{first.text!r} may mean {' or '.join(sorted(candidates)[:_MAX_NAMES_LISTED])}", hint=hint)
    if behind and (question := known.question(first.text, names)):
        hint = "a question is followed by a unit or a hex, and NAME=VALUE for the rest"
        return InputError(f"{question} does not understand {behind[0].text!r}", hint=hint)
    return None


def error_of_name(line: str, error: InputError, known: Abbreviations) -> InputError | None:
    """Return the error for a line with an incomplete name of a unit, or with a unit's name that needs quotes.

    Returns None if the line has no such name, or if `error` already suggests the units.

    `error`: the error with which the line was refused.
    """
    fault = str(error.what)
    words = line.split()
    for start, first in enumerate(words):
        name, equals, value = first.partition("=") if "=" in first[1:] else ("", "", first)
        if '"' in first or (equals and not value):
            continue
        for end in range(min(start + known.longest, len(words)), start, -1):
            parts = [value, *words[start + 1 : end]]
            if not any(repr(part.strip(",")) in fault or fault.startswith(f"{part} is not a unit") for part in parts):
                continue
            *before, called = " ".join(parts).split(",")
            if equals and known.unit(called):
                whole = ",".join([*before, known.unit(called)])
                return InputError(plain(fault), hint=f'put a value with spaces in quotes: {name}="{whole}"')
            may_be_part = end > start + 1 or may_be_run_together(called)
            if before or not may_be_part or known.unit(called):
                continue
            units = known.units_called(called)[:_MAX_NAMES_LISTED]
            if units and not all(unit in str(error.hint) for unit in units):
                written = [f'{name}="{unit}"' if equals else unit for unit in units]
                what = f"{called!r} is not the whole name of a unit"
                return InputError(what, hint=f"did you mean {' or '.join(written)}?")
    return None


def leftover_error(words: Sequence[Word], question: str) -> InputError:
    """Return the error of a word that is neither a fact nor a parameter, on a line with parameters."""
    hint = "separate several values by commas, without spaces: NAME=3,20"
    return InputError(f"{words[0].text!r} is neither a fact nor a parameter of {question}", hint=hint)


def hint_at_sign(first: Word, letters: str, known: Abbreviations) -> str:
    """Return the hint that a combat lacks its <, or "" unless letters after a hex are only about a hexside.

    `first`: the hex.
    """
    return f"a combat has < between its hexes: < {first.text}" if _is_on_hexside(letters, known) else ""


def hint_of_hexside(
    letters: str, place: str, combat: tuple[Sequence[str], Sequence[str]], known: Abbreviations, unit: str = ""
) -> str:
    """Return the hint on typing a fact about a hexside, or "" if letters state no such fact.

    `place`: the hex before the letters.
    `combat`: the attacked hexes and the attacking ones.
    `unit`: the unit after the letters, or "".
    """
    if not (place and _is_on_hexside(letters, known)):
        return ""
    targets, attackers = combat
    grid = known.board.grid
    here = grid.bare(place)
    if place in targets:
        attacker = grid.bare(attackers[0]) if attackers else ""
        return f"what lies on a hexside is typed {here}|{attacker or 'HEX'} {letters}"
    if not (targets and targets[0]):
        in_combat = f", or in a combat HEX UNIT ... < {here} {letters} UNIT ..."
        return f"what lies on a hexside is typed HEX|{here} {letters}{in_combat}"
    in_combat = f" or <{here} {letters} {quoted(unit)}".rstrip()
    return f"what lies on a hexside is typed {grid.bare(targets[0])}|{here} {letters}{in_combat}"


def _is_on_hexside(letters: str, known: Abbreviations) -> bool:
    return bool(known.track_stated("hexside", known.complete("hexside", Word(letters, 0))))
