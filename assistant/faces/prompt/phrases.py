"""The search for the lines meant by texts of players who do not know the form of a line.

`spoken` reads the words of a text, and `phrases.toml` has a line for each phrase. A line is offered only if the table
accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from itertools import chain
from typing import NamedTuple

import msgspec

from ...asking.asks import Ask
from ...game.games import Game
from ...installed.registry import questions_of
from ...util.datafiles import read_toml, resolve_within
from ...util.errors import InputError, quoted
from ...util.memo import Memo
from ...util.notes import fields_of
from ...util.patterns import late_pattern
from ...util.texts import folded, natural, regular_text
from .answers import NOBODY, read_answer
from .combats import combat_hexes
from .desk import LineMeaning
from .help_words import explain_word
from .line_reading import read_line
from .spoken import Heard, Listener, SpokenWord, split_meanings
from .table import TableState, evaluate_table


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase of `phrases.toml`, whose head explains the fields."""

    when: str
    line: str | tuple[str, ...] = ()
    says: str = ""
    asks: str = ""


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `phrases.toml`."""

    filler: str = ""
    dice: str = ""
    choice: str = ""
    common: str = ""
    same: dict[str, str] = {}
    sizes: dict[str, str] = {}
    numbers: dict[str, str] = {}
    phrase: tuple[Phrase, ...] = ()


class KnownPhrases(NamedTuple):
    """The phrases and words at a game's table, prepared for the search."""

    heard: Heard
    dice: frozenset[str]
    """The words that may precede or follow dice."""
    choice: frozenset[str]
    """The words that may precede or follow the answer to a choice."""
    common: frozenset[str]
    """The words that are too common to be looked up in `help`."""
    phrases: tuple[tuple[re.Pattern[str], Phrase], ...]
    """The phrases in the order of their priority, each with its pattern over coded words."""


GAME_FILE = "phrases.toml"
"""The file in a game's folder with its own phrases, which precede the shared ones."""


_PHRASES: Memo[None, KnownPhrases] = Memo()
"""The phrases at the table of a game."""


def phrases_of(game: Game) -> KnownPhrases:
    """Return the phrases at a game's table.

    Raises InputError for a fault in the game's own file.
    """
    known: KnownPhrases = game.memo(_PHRASES, None, lambda: _read_phrases(game))
    return known


def _read_phrases(game: Game) -> KnownPhrases:
    own_file = resolve_within(game.folder, GAME_FILE)
    own = read_toml(own_file, Phrases) if own_file.is_file() else Phrases()
    shared = read_toml(files(__package__) / "phrases.toml", Phrases)
    heard = Heard(
        frozenset(shared.filler.split()),
        frozenset(shared.same),
        split_meanings(shared.same, own.same),
        split_meanings(shared.sizes),
        split_meanings(shared.numbers),
    )
    in_order = sorted((*own.phrase, *shared.phrase), key=lambda phrase: phrase.asks != "no-combat")
    phrases = tuple((_compile_phrase(phrase.when), phrase) for phrase in in_order)
    return KnownPhrases(
        heard,
        frozenset(shared.dice.split()),
        frozenset(shared.choice.split()),
        frozenset(shared.common.split()),
        phrases,
    )


_KINDS = {
    "HEX": r"H[0-9]+ ",
    "HEXES": r"(?:H[0-9]+ )+",
    "UNIT": r"[Un][0-9]+ ",
    "UNITS": r"(?:[Un][0-9]+ (?:[Rr][0-9]+ )?)+",
    "RATINGS": r"[Rr][0-9]+ ",
    "FACTS": r"(?:F[0-9]+ )+",
    "GAME": r"G[0-9]+ ",
    "GAMES": r"(?:G[0-9]+ )+",
    "SIDE": r"S[0-9]+ ",
    "DATE": r"D[0-9]+ ",
    "NUMBER": r"[Nn][0-9]+ ",
    "SIDEFACT": r"A[0-9]+ ",
    "ODDS": r"[Or][0-9]+ ",
}
"""The pattern of each kind of word in a phrase, over a text coded by `_code_words`."""
_DENIALS = "no|not|never|don't|isn't|doesn't|without"
"""The words that reverse the meaning of a phrase, and so are not skipped by `...`."""


def _compile_phrase(when: str) -> re.Pattern[str]:
    """Return the pattern of a phrase over a text coded by `_code_words`.

    A kind of word is a group with its name; the second word of a kind has the name with a 2, such as `UNIT2`.
    """
    parts = []
    count_by_kind = dict[str, int]()
    for word in when.split():
        bare = word.removesuffix("?")
        optional = word.endswith("?")
        kind = bare.removesuffix("2")
        if word == "...":
            parts.append(rf"(?:(?!w[0-9]+:(?:{_DENIALS}) )[A-Za-z]+[0-9]+(?::\S*)? )*?")
            continue
        if word == "***":
            parts.append(r"(?:[A-Za-z]+[0-9]+(?::\S*)? )*?")
            continue
        if word == "~":
            parts.append(r"(?:[wNnG][0-9]+(?::\S*)? )*")
            continue
        if kind in _KINDS:
            count_by_kind[kind] = count_by_kind.get(kind, 0) + 1
            group = f"{kind}{count_by_kind[kind]}" if count_by_kind[kind] > 1 else kind
            part = f"(?P<{group}>{_KINDS[kind]})"
        else:
            words = "|".join(map(re.escape, bare.split("|")))
            part = rf"(?:w[0-9]+:(?:{words}) )"
        parts.append(f"(?:{part})?" if optional else part)
    return re.compile("".join(parts))


def find_meaning(table: TableState, text: str, ask: Ask | None, is_command: Callable[[str], bool]) -> LineMeaning:
    """Return the meaning of a text that is not a line.

    `ask`: the open ask, or None.
    `is_command`: returns whether a line is a command that has an effect now.

    Raises InputError for a hex off the map, and for a unit's name that no unit has or that several have.
    """
    return _Finder(table, ask, is_command).find(text)


_MIN_TITLE_WORD_CHARS = 6
"""The minimum length of a word of a game's title that identifies the game."""
_CLAUSE_ENDS = late_pattern(
    r"[;,!?](?=\s|$)|(?<![0-9])\.(?=\s|$)|(?<=[0-9]{4})\.(?=\s|$)|(?<=\.[0-9]{2})\.(?=\s|$)|\s/\s|\bthen\b"
)
"""The signs and words between the clauses of a text."""
_SUM = late_pattern(r"[^0-9]*([0-9]+)\s*(?:[-+]|minus|plus)\s*[0-9].*=\s*[0-9]+\D*|=\s*([0-9]+)")
"""A roll with its modifiers and their sum: `7 + 1 = 8`."""
_QUESTION = late_pattern(
    r"(?:what|which|who|why|when|where|how|is|are|am|does|do|did|can|could|must|may|should|would|will|was"
    r"|wie|wann|wer|warum)\b"
    r"|.*\?\s*$",
    re.IGNORECASE,
)
"""A text that is a question."""
_DOUBLE = late_pattern(r"\bdouble ([1-6])s?\b")
"""The words for two equal dice: `double 6`."""
_CHOICE_SUBJECTS = ("advanc", "retreat")
"""The beginnings of words for the subjects of choices, as in the titles of choices."""
_ROLES = {"att": 0, "attacker": 0, "attackers": 0, "def": 1, "defender": 1, "defenders": 1}
"""The role for which a word stands, as the index of its roll: 0 is the attacker, 1 the defender."""


class _Finder:
    def __init__(self, table: TableState, ask: Ask | None, is_command: Callable[[str], bool]) -> None:
        self.table = table
        self.ask = ask
        self.is_command = is_command
        self.file = table.position.game.file
        self.known = phrases_of(table.position.game)
        self.listener = Listener(table, self.known.heard, ask)
        self.is_question = False
        self.refused: InputError | None = None
        """The error of the first possible line of a text, if the table refused it."""

    def find(self, text: str) -> LineMeaning:
        """Return the meaning of a text, or an empty one if there is none.

        Readings are tried in this order: answers, clauses, the text as one phrase. The first one whose lines the table
        accepts counts.
        """
        plain = regular_text(text)
        self.is_question = bool(_QUESTION.match(plain))
        if title := self._find_title(plain):
            return LineMeaning(error=title, is_certain=True)
        only_numbers = self.ask is not None and re.fullmatch("[0-9 ,+/-]+", plain)
        readings = [self._read_answers(plain)]
        if not only_numbers:
            readings += [self._read_clauses(plain), self._match_phrases(self.table, plain)]
        if ";" in plain:
            with_commas = plain.replace(";", ",")
            if self._read_lines(self.table, (with_commas,)):
                return LineMeaning((with_commas,))
        for meaning in chain.from_iterable(readings):
            if meaning.error and self.refused and "<" in self.refused.what:
                break  # a combat was meant: the error of the refused line says more
            if meaning.error or (meaning.lines != (text,) and self._read_lines(self.table, meaning.lines)):
                return meaning
        if self.refused:
            return LineMeaning(error=self.refused)
        return self._find_topic(plain)

    def _find_title(self, text: str) -> InputError | None:
        title = {
            word
            for word in re.findall(r"\w+", folded(self.file.title.replace("'", "")))
            if len(word) >= _MIN_TITLE_WORD_CHARS
        }
        if not title.intersection(re.findall(r"\w+", folded(text.replace("'", "")))):
            return None
        hint = (
            "state the turn, then HEX UNIT of each stack; `assistant table GAME` in the terminal opens another game's"
        )
        return InputError(f"this table is for {self.file.title}", hint=hint)

    def _read_lines(self, table: TableState, lines: Sequence[str]) -> TableState | None:
        for number, line in enumerate(lines, 1):
            if self.is_command(line):
                continue
            try:
                ask = self.ask
                if number > 1:
                    shown = evaluate_table(table)
                    ask = next(iter(shown.report.asks), None) if shown else None
                table = self._read_line(table, ask, line)
            except InputError as error:
                self.refused = self.refused or InputError(f"`{line}`: {error.what}", hint=error.hint)
                return None
        return table

    def _read_line(self, table: TableState, ask: Ask | None, line: str) -> TableState:
        """Return the table after a line.

        `ask`: the open ask, which the line may answer, or None.

        Raises InputError for a line that is not understood, and for a question with a wrong or missing parameter.
        """
        if ask:
            if after := read_answer(table, ask, line):
                return after
            if ask.kind == "choice" and self.listener.known.place(line):
                raise InputError(f"{line} is not an option", hint=f"choose {' or '.join(ask.options)}")
        now = read_line(table, line).table
        asked = now.asked
        if asked and asked != table.asked:
            fields = fields_of(questions_of(self.table.position.game)[asked.question].parameters)
            unknown = asked.parameters.keys() - {field.encode_name for field in fields}
            missing = {field.encode_name for field in fields if field.required} - asked.parameters.keys()
            wrong = [f"it has no {name}" for name in unknown]
            wrong += [f"it needs {name}=..." for name in sorted(missing)]
            if wrong:
                raise InputError("; ".join(wrong), hint=f"`help {asked.question}` shows how it is asked")
        return now

    def _hear_words(self, table: TableState, text: str) -> list[SpokenWord]:
        if self.listener.table is not table:
            self.listener = Listener(table, self.known.heard, self.ask)
        return self.listener.pieces(text)

    def _match_phrases(self, table: TableState, text: str) -> Iterator[LineMeaning]:
        """Yield the meanings of a text by the phrases that match it, first with and then without the sides in it."""
        heard = self._hear_words(table, text)
        readings = [heard]
        if any(piece.kind == "S" for piece in heard):
            readings.append([piece for piece in heard if piece.kind != "S"])
        for pieces in readings:
            coded = _code_words(pieces)
            for pattern, phrase in self.known.phrases:
                if self._is_met(table, phrase) and (match := pattern.fullmatch(coded)):
                    with suppress(KeyError):
                        yield self._fill_phrase(table, phrase, pieces, match.groupdict())

    def _is_met(self, table: TableState, phrase: Phrase) -> bool:
        states = {
            "nothing": self.ask is None,
            "combat": table.combat is not None,
            "no-combat": not self.file.prompt.ask,
            "no-question": not self.is_question,
        }
        return all(states.get(need, self.ask is not None and self.ask.kind == need) for need in phrase.asks.split())

    def _fill_phrase(
        self, table: TableState, phrase: Phrase, pieces: Sequence[SpokenWord], groups: Mapping[str, str | None]
    ) -> LineMeaning:
        """Return the meaning of a phrase, with values filled in.

        `pieces`: the words of the text.
        `groups`: the coded words that each group of the phrase's pattern matched.

        Raises KeyError if neither the game nor the text has a value that the phrase needs.
        """
        named = dict[str, list[SpokenWord]]()
        for name, coded in groups.items():
            codes = (coded or "").split()
            named[name] = [pieces[int(re.sub(r"\D", "", code))] for code in codes]
        values = self._find_values(table, named)
        for piece in named.get("DATE", [])[:1]:
            if piece.fault:
                hint = f"turns have numbers here: type {values['turn']}=NUMBER as your turn record has it"
                return LineMeaning(error=InputError(piece.fault, hint=hint), is_certain=True)
        date = values.get("DATE", "")
        if date and "=" not in date and not values.get("NUMBER"):
            hint = f"a month has several turns: type {values['turn']}={date}/1 or another number"
            return LineMeaning(error=InputError(f"{date} is a month", hint=hint), is_certain=True)
        if phrase.says:
            what, _, hint = phrase.says.partition("|")
            what = what.format_map(values)
            hint = hint.format_map(values)
            return LineMeaning(error=InputError(what, hint=hint), is_certain=True)
        lines = (phrase.line,) if isinstance(phrase.line, str) else phrase.line
        units = re.findall(r'"[^"]*"|\S+', values.get("UNITS", "")) if "{EACH}" in lines[0] else [""]
        filled = [line.format_map({**values, "EACH": unit}) for unit in units for line in lines]
        return LineMeaning(tuple(" ".join(line.split()) for line in filled))

    def _find_values(self, table: TableState, named: Mapping[str, Sequence[SpokenWord]]) -> dict[str, str]:
        """Return the values that the lines of a phrase may use, by name.

        `named`: the words of the text by the group that matched them.
        """
        combat = table.combat
        target = str(combat.asked.parameters.get(self.file.prompt.target, "")) if combat else ""
        values = {
            "turn": self.file.prompt.when or "turn",
            "title": self.file.title,
            "bar": "|",
            "id": table.position.game.id,
            "target": target or "HEX",
        }
        for name, words in named.items():
            is_unit = name.startswith("UNIT")
            values[name] = " ".join(quoted(word.unit) if is_unit and word.unit else word.text for word in words)
            if name.startswith("ODDS"):
                values[name] = values[name].replace("-", ":")
        usual = self.file.prompt.usual.get(self.file.picture.barrier)
        if isinstance(usual, str):
            values["open"] = usual
        if self.file.picture.less:
            values["less"] = self.file.picture.less
        has_phasing = "phasing" in table.position.game.tracks
        side = values.get("SIDE", "")
        if has_phasing or not side:
            values["phasing"] = f"phasing={side}" if side else ""
        if side:
            values["side"] = side
        elif has_phasing and (phasing := table.position.state.value("phasing")):
            values["side"] = str(phasing)
        units = table.position.state.units
        for name, group in (("HEXES_OF_UNITS", "UNITS"), ("HEX_OF_UNIT", "UNIT"), ("HEX_OF_UNIT2", "UNIT2")):
            places = [units[piece.unit].place for piece in named.get(group, []) if piece.unit in units]
            if places and all(places) and name not in values:
                values[name] = " ".join(dict.fromkeys(place for place in places if place))
        stack = table.position.state.stack(values["HEX"]) if values.get("HEX") else ()
        if stack:
            values["UNITS_IN_HEX"] = " ".join(quoted(unit.id) for unit in stack)
        here = values.get("HEX_OF_UNIT")
        values["WAY"] = " ".join(piece.text for piece in named.get("HEXES", []) if piece.text != here)
        for unit in named.get("UNIT", [])[:1]:
            numbers = [natural(piece.text) or 0 for piece in named.get("NUMBER", [])]
            values |= self._count_steps(table, unit.unit, numbers[0] if numbers else 1)
        return values

    def _count_steps(self, table: TableState, unit: str, number: int) -> dict[str, str]:
        """Return the number of steps that a unit has lost, by up to four readings of `number` steps.

        `more`: that many further steps are lost.
        `back`: that many are regained.
        `left`: that many are left.
        `half`: half of its steps are lost, rounded up.
        """
        less = self.file.picture.less
        steps_track = next(iter(self.file.picture.figures), "")
        lost = _find_number(table, less, unit) or 0
        full_steps = _find_number(table, steps_track, unit)
        values = {"more": str(lost + number), "back": str(max(lost - number, 0))}
        if full_steps is not None and full_steps >= number:
            values |= {"left": str(full_steps - number), "half": str(full_steps - full_steps // 2)}
        return values

    def _read_clauses(self, text: str) -> Iterator[LineMeaning]:
        """Yield the lines of all clauses of a text, or none if a clause has no meaning.

        A clause may have the subject of the previous line: `25/3 is shaken, has lost 2`.
        """
        clauses = [clause for part in _CLAUSE_ENDS.split(text) if (clause := part.strip())]
        if len(clauses) < 2:
            return
        lines = list[str]()
        table = self.table
        for clause in clauses:
            if all(piece.kind == "S" for piece in self._hear_words(table, clause)):
                continue
            forms = [clause]
            if lines and (subject := re.match(r'("[^"]*"|\S+) ', lines[-1])):
                forms.append(f"{subject[1].replace('|', ' ')} {clause}")
            read = self._read_clause(table, forms)
            if read is None:
                return
            meant, table = read
            if any(map(self.is_command, meant)):
                return
            lines += meant
        if lines:
            yield LineMeaning(tuple(_join_lines(lines)))

    def _read_clause(self, table: TableState, forms: Sequence[str]) -> tuple[Sequence[str], TableState] | None:
        for form in forms:
            for meaning in self._match_phrases(table, form):
                after = self._read_lines(table, meaning.lines) if meaning.lines else None
                if after:
                    return meaning.lines, after
        return None

    def _read_answers(self, text: str) -> Iterator[LineMeaning]:
        if self.ask is None:
            return
        pieces = self._hear_words(self.table, text)
        match self.ask.kind:
            case "roll":
                yield from self._read_rolls(text, pieces)
            case "choice":
                yield from self._read_choices(text, pieces)
            case "fact" | "parameter":
                yield from self._read_values(pieces)

    def _read_rolls(self, text: str, pieces: Sequence[SpokenWord]) -> Iterator[LineMeaning]:
        """Yield the rolls of a text, in which other words may only name the player or the dice.

        Dice of the attacker precede those of the defender.
        """
        if added := _SUM.fullmatch(text.strip()):
            yield LineMeaning((added[1] or added[2],))
        if double := _DOUBLE.search(text):
            yield LineMeaning((f"{double[1]}+{double[1]}",))
        allowed = self.known.dice | _ROLES.keys()
        if any(piece.kind not in ("N", "S", "U") and piece.text not in allowed for piece in pieces):
            return
        roles = list[int]()
        role = 0
        numbers = list[str]()
        for piece in pieces:
            if piece.kind == "N":
                numbers.append(piece.text)
                roles.append(role)
            elif piece.text in _ROLES:
                role = _ROLES[piece.text]
            elif piece.kind == "S":
                role = self._find_role(piece.text)
            elif piece.kind == "U":
                return
        if not numbers:
            return
        dice_count = natural(self.ask.dice.partition("d")[0]) if self.ask else 1
        numbers = [number for _, number in sorted(zip(roles, numbers, strict=True), key=lambda pair: pair[0])]
        if dice_count == 2 and len(numbers[0]) == 2 and natural(numbers[0]) not in range(13):
            numbers = [*numbers[0], *numbers[1:]]  # `35` is a 3 and a 5
        if dice_count == 2 and len(numbers) > 1:
            yield LineMeaning((" ".join(["+".join(numbers[:2]), *numbers[2:]]),))
        yield LineMeaning((" ".join(numbers),))

    def _find_role(self, side: str) -> int:
        combat = self.table.combat
        targets, _ = combat_hexes(self.table.position, combat.asked if combat else None)
        state = self.table.position.state
        game = self.table.position.game
        attacked = [unit for place in targets for unit in state.stack(place)]
        return 1 if any(game.side_of_unit(unit, state.facts) == side for unit in attacked) else 0

    def _read_choices(self, text: str, pieces: Sequence[SpokenWord]) -> Iterator[LineMeaning]:
        """Yield the options for exactly the units in a text, the hexes in it, all units, or nobody."""
        ask = self.ask
        if ask is None:
            return
        words = {piece.text for piece in pieces if piece.kind == "w"}
        folded_text = text.casefold()
        title = ask.title.casefold()
        of_another = any(word in folded_text and word not in title for word in _CHOICE_SUBJECTS)
        if of_another or not words <= self.known.choice or any(piece.kind in "FGDOR" for piece in pieces):
            return
        named = [piece.unit for piece in pieces if piece.unit]
        hexes = [piece.text for piece in pieces if piece.kind == "H"]
        options = {option: {name.partition(":")[0] for name in option.split(",")} for option in ask.options}
        units = set().union(*options.values()) - {NOBODY}
        if words & {"not", "stays", "stay"} and named:
            named = [] if text.split()[0].casefold() == "not" else named[:1]
        indices = [index for index, place in enumerate(hexes) if place in ask.options]
        if indices:  # all hexes from the first option on, as a retreat names them one after the other
            yield LineMeaning(tuple(hexes[indices[0] :]))
        same = [option for option, option_units in options.items() if named and option_units == set(named)]
        if same:
            yield LineMeaning((same[0],))
        if re.search(r"\b(both|all|every|alle|beide)", text.casefold()) and not named:
            largest = [option for option, option_units in options.items() if option_units == units]
            if len(largest) == 1:
                yield LineMeaning((largest[0],))
        if not named and not hexes and NOBODY in options and words & {"no", "none", "not"}:
            yield LineMeaning((NOBODY,))
        if (named or hexes) and units:
            wrong = [name for name in (*named, *hexes) if name not in units]
            what = f"{wrong[0]} is not an option" if wrong else f"no choice is {', '.join(named)}"
            hint = f"choose {' or '.join(ask.options)}, by name or number"
            yield LineMeaning(error=InputError(what, hint=hint), is_certain=True)

    def _read_values(self, pieces: Sequence[SpokenWord]) -> Iterator[LineMeaning]:
        """Yield the possible values of the fact or parameter of the ask.

        In a text that begins with a hex, numbers are about that hex or its units and so are no values.
        """
        for piece in pieces:
            if piece.kind in "FGDwN" and piece.text and not (piece.kind == "N" and pieces[0].kind == "H"):
                yield LineMeaning((piece.text,))

    def _find_topic(self, text: str) -> LineMeaning:
        """Return `help` for a word of a question, or `why` in a combat, or an error for an unknown unit."""
        known = self.listener.known
        unknown = [
            piece.text for piece in self._hear_words(self.table, text) if piece.unit and not known.unit(piece.unit)
        ]
        if unknown:
            hint = known.nearest_units(unknown[0]) or f"a new unit follows its nation: HEX NATION {unknown[0]}"
            return LineMeaning(error=InputError(f"no unit is called {unknown[0]}", hint=hint))
        if not self.is_question:
            return LineMeaning()
        game = self.table.position.game
        names = {*questions_of(game), *game.tracks, *game.charts}
        words = {piece.text for piece in self._hear_words(self.table, text) if piece.kind in "wF"} - self.known.common
        for word in sorted(words, key=lambda word: (word not in names, -len(word), word)):
            if len(word) > 1 and word.replace("-", "").isalpha():
                with suppress(InputError):
                    if explain_word(self.table.position, word, {}):
                        return LineMeaning((f"help {word}",))
        return LineMeaning(("why",)) if self.table.combat else LineMeaning()


def _join_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines, with successive lines about hexes joined into one, and likewise those about the game."""
    joined = ""
    for line in lines:
        of_hexes = joined[:1].isdecimal() and line[:1].isdecimal() and not re.search("[<>|]", joined + line)
        of_game = "=" in joined.partition(" ")[0] and "=" in line.partition(" ")[0]
        if of_hexes:
            joined = f"{joined}; {line}"
        elif of_game:
            joined = f"{joined} {line}"
        else:
            if joined:
                yield joined
            joined = line
    yield joined


def _code_words(pieces: Sequence[SpokenWord]) -> str:
    """Return words as a text for the patterns of phrases: `U0 w1:attacks H2 `.

    Each word is its kind and index; a word without a special kind also has its text.
    """
    coded = ""
    for index, piece in enumerate(pieces):
        text = f":{piece.text}" if piece.kind == "w" else ""
        coded += f"{piece.coded}{index}{text} "
    return coded


def _find_number(table: TableState, track: str, unit: str) -> int | None:
    stated = table.position.state.facts.get((track, unit))
    printed = table.position.game.roster.get(unit, {}).get(track, ())
    if stated is None and printed:
        stated = printed[0]
    return natural(str(stated.value)) if stated else None
