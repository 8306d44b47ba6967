"""The reading of a text in spoken language: hexes, units, sides, facts, turns, numbers, and other words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from ...asking.asks import Ask
from ...game.games import find_side
from ...game.turn_record import read_calendar, turns
from ...state.tracks import Subject
from ...state.words import Word
from ...util.errors import InputError, quoted
from ...util.notes import note
from ...util.patterns import late_pattern
from ...util.texts import folded, names_short_for, natural, regular_text
from .shorthand.abbreviations import Abbreviations
from .table import TableState

_ARROW = late_pattern(r"\s*(?:-+>|=+>|\u2192|>)\s*")
"""The sign of a move in any form: `->`, `=>`, an arrow, `>`."""
_TOKENS = late_pattern(r'"[^"]*"|[^\s"]+')
"""Words, and texts in quotes."""
_JOINING_SIGN = late_pattern(r"(?<=[\w.])[+&](?=[\w])")
"""The + or & between two words that are read separately."""
_RATINGS = late_pattern(r"\(?[0-9?]+(?:-[0-9?]*){1,3}\)?")
"""Ratings as printed on a counter: `10-5-10`."""
_ODDS = late_pattern(r"([0-9]+)(?::|-|to)([0-9]+)|([0-9]+)%")
"""Odds, `3:1` or `3to1`, or a share, `50%`."""
_ROMAN = late_pattern(r"(?=[IVXL])(XL|L?X{0,3})(IX|IV|V?I{0,3})")
"""A Roman numeral up to 89."""
_ORDINAL = late_pattern(r"([0-9]{1,4})(?:st|nd|rd|th|\.)?", re.IGNORECASE)
"""A number, perhaps with its ending: `6th`."""
_ID = late_pattern(r"([0-9]+[a-z]{0,3}|[IVXL]+)/([0-9]+|[IVXL]+)", re.IGNORECASE)
"""The name of a unit with its formation: `25/3`."""
_HEX_NUMBER = late_pattern(r"[0-9]{2}[.,][0-9]{2}|[0-9]{4}")
"""The number of a hex rather than of a unit: `40.17`, `4017`."""
_TWO_DICE = late_pattern("[0-9]/[0-9]")
"""A roll of two dice: `3/5`."""
_MAX_UNITS_NAMED = 4
"""The maximum number of units listed as the meanings of an ambiguous name."""
_DATE_MARK = "\ue000"
"""The sign before the index of a date that was taken out of the text; no keyboard has it."""
_MAX_WORDS_TOGETHER = 3
"""The maximum number of words that together stand for another one."""
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|\.)?"
"""The day of a date."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"\b(?P<month>jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar|mär(?:z)?|march(?= *19?1[4-8])"
    r"|apr(?:il)?|may|mai|june?|juni|july?|juli"
    r"|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)
_YEAR = r"(?:,? *(?:19)?(?P<year>1[4-8])\b)?"
"""A pattern for the optional year of a date, from 1914 to 1918."""
_DATES = [
    re.compile(rf"\b{_DAY}(?: of)? *{_MONTH}{_YEAR}", re.IGNORECASE),
    re.compile(rf"\b{_MONTH} +{_DAY}\b(?![:./]?[0-9]){_YEAR}", re.IGNORECASE),
    re.compile(
        rf"(?!may\b(?! *19?1[4-8])){_MONTH}(?:[- /]+{_MONTH.replace('month', 'second')})?{_YEAR}", re.IGNORECASE
    ),
    re.compile(r"\b(?P<day>[0-9]{1,2})[./](?P<month>[0-9]{1,2})[./](?:19)?(?P<year>1[4-8])\b"),
]
_SUBJECTS: tuple[Subject, ...] = ("hex", "hexside", "unit", "game")
"""The subjects of facts that a single word may state, in the order of trial."""
_ORDINAL_WORDS = {"1st": "first", "2nd": "second", "3rd": "third"}
"""The ordinals that games write as words."""


WordKind = Literal["H", "U", "R", "F", "G", "A", "N", "O", "S", "D", "w"]
"""H for a hex, U a unit, R ratings, F a fact about a hex, hexside or unit, G a fact about the game, A the name of a
fact about sides, N a number, O odds, S a side or nation, D a date, w any other word.
"""


class SpokenWord(NamedTuple):
    """A word of a text, with its kind."""

    kind: WordKind
    text: Annotated[str, note("the word as a line has it")]
    unit: Annotated[str, note("the unit that a U names or that a number may be short for")] = ""
    fault: Annotated[str, note("the reason why the turn of a D is not certain")] = ""

    @property
    def coded(self) -> str:
        """The kind, but `n` for a number that may be a unit, and `r` for ratings that may be odds."""
        if self.kind == "N" and self.unit:
            return "n"
        if self.kind == "R" and re.fullmatch("[0-9]-[0-9]", self.text):
            return "r"
        return self.kind


class Heard(NamedTuple):
    """The vocabulary for spoken texts of any game."""

    filler: frozenset[str]
    """The words that are left out because they have no meaning of their own."""
    verbs: frozenset[str]
    """The words of phrases that state no fact by themselves."""
    same: Mapping[str, str]
    """The words for which synonyms stand, by synonym."""
    sizes: Mapping[str, str]
    """The sizes of units, by word."""
    numbers: Mapping[str, str]
    """The numbers in figures, by word."""


def split_meanings(*tables: Mapping[str, str]) -> dict[str, str]:
    """Return the word for which each synonym stands.

    `tables`: synonyms by meaning: `{"swamp": "bog marsh wet_ground"}`. An underscore stands for a space.
    """
    meanings: dict[str, str] = {}
    for table in tables:
        for meant, synonyms in table.items():
            for synonym in synonyms.split():
                meanings[synonym.replace("_", " ")] = meant
    return meanings


class Listener:
    """A reader of spoken texts at a table."""

    def __init__(self, table: TableState, heard: Heard, ask: Ask | None = None) -> None:
        self.table = table
        self.ask = ask
        self.game = table.position.game
        self.state = table.position.state
        self.known = Abbreviations(table.position)
        self.same = heard.same
        self.sizes = heard.sizes
        self.numbers = heard.numbers
        self.filler = heard.filler
        self.verbs = heard.verbs
        self.nations_named: Sequence[str] = ()
        """The nations of the side that the text has named last."""
        self.ambiguous_units: list[str] = []
        """The possible units for the numbers passed last to `_find_unit`."""

    def pieces(self, text: str) -> list[SpokenWord]:
        """Return the words of a text with their kinds.

        Raises InputError for a hex off the map, and for a name that no unit has or that several have.
        """
        text = _ARROW.sub(" > ", regular_text(text).replace("\u00b7", "."))
        text = re.sub(r"\b([0-9]) (?:to|zu) ([0-9])\b", r"\1:\2", self._join_ratings(text))
        self.nations_named = ()
        dates = list[SpokenWord]()
        for pattern in _DATES:
            for match in reversed([*pattern.finditer(text)]):
                text = f"{text[: match.start()]} {_DATE_MARK}{len(dates)} {text[match.end() :]}"
                dates.append(self._find_turn(match))
        words = [word for part in _TOKENS.findall(text) for word in self._split_word(part)]
        all_pieces = list[SpokenWord]()
        start = 0
        while start < len(words):
            next_pieces, start = self._read_next(words, start, dates)
            all_pieces += next_pieces
        pieces = []
        for number, piece in enumerate(all_pieces):
            is_filler = piece.kind == "w" and piece.text in self.filler
            is_plus = number > 0 and piece.text == "+"  # a + at the beginning has a meaning
            if not is_filler and not is_plus:
                pieces.append(piece)
        return pieces

    def _read_next(
        self, words: Sequence[str], start: int, dates: Sequence[SpokenWord]
    ) -> tuple[Sequence[SpokenWord], int]:
        """Return the words that begin at `start`, as one or more pieces, and the index after them.

        A fact of two words has priority over a unit, a unit over a fact of one word, and that over any other word.

        `dates`: the dates that were taken out of the text.
        """
        if words[start][0] == _DATE_MARK:
            return [dates[int(words[start][1:])]], start + 1
        fact = self._read_fact(words, start)
        fact_after_nation = None
        if start + 1 < len(words) and self._find_nations(words[start]):
            fact_after_nation = self._read_fact(words, start + 1)
        is_fact_of_two_words = (fact and fact[1] > start + 1) or (
            fact_after_nation and fact_after_nation[1] > start + 2
        )
        if not is_fact_of_two_words:
            units, end = self._read_units(words, start)
            if units:
                return [SpokenWord("U", quoted(unit), unit) for unit in units], end
        if fact:
            word, end = fact
            return [word], end
        for end in range(min(start + _MAX_WORDS_TOGETHER, len(words)), start + 1, -1):
            together = " ".join(words[start:end]).casefold()
            if meant := self.numbers.get(together) or self.same.get(together):
                return self._read_word(meant), end
        return self._read_word(words[start]), start + 1

    def _join_ratings(self, text: str) -> str:
        """Return the text with hyphens in ratings typed with spaces: `10 5 10 4` becomes `10-5-10-4`.

        Ratings of up to three figures stay as typed, and so does the whole text while an ask is open.
        """
        count = len(self.game.file.notation.brackets)
        if count <= 3 or self.ask:
            return text
        ratings = rf"(?<![\w+/])[0-9]+(?: [0-9]+){{{count - 1}}}(?![\w+])"
        return re.sub(ratings, lambda numbers: numbers[0].replace(" ", "-"), text)

    def _split_word(self, word: str) -> Iterator[str]:
        """Yield a word without the signs around it.

        Words joined by + or & are separated, unless a unit has that name.
        """
        if word[0] == '"':
            yield word.strip('"')
            return
        if re.fullmatch(r"[-+][0-9]+(?:/[0-9a-zA-Z]+)?", bare := word.strip(",.!?()'")):
            yield bare
            return
        parts = [word] if self.known.unit(word) else _JOINING_SIGN.split(word)
        for part in parts:
            bare = part.strip(",.!?():;'*&+=")
            bare = re.sub(r"'(?:s|re|m|ve|d|ll)?$", "", bare)
            if bare and bare != "-":
                yield bare
            elif not bare and part in ("+", ">"):
                yield part

    @cached_property
    def _named_units(self) -> list[tuple[str, Counter[str], str]]:
        """Each unit's name, the numbers and words of the name, and the unit's own number, units on the map first."""
        names = dict.fromkeys([*self.known.on_map, *self.game.roster, *self.state.units])
        return [(name, Counter(_split_name(name)), _find_own_number(name)) for name in names]

    def _read_units(self, words: Sequence[str], start: int) -> tuple[list[str], int]:
        """Return the units named by the words from `start` on, or none, and the index after the name.

        A name is that of one unit, or of a corps or an army with units on the map.

        Raises InputError for a spoken name that several units have, or none.
        """
        for end in range(min(start + self.known.longest, len(words)), start, -1):
            name = " ".join(words[start:end])
            if natural(name) is not None or name.casefold() in self.same:
                continue
            if name.islower() and self._read_statement(name):
                continue
            unit = self.known.unit(name) or self.known.unit(name.replace(" ", "-"))
            if unit:
                return [unit], end
        if _HEX_NUMBER.fullmatch(words[start]):
            return [], start
        if self.ask and self.ask.kind == "roll" and _TWO_DICE.fullmatch(words[start]):
            return [], start
        if (pair := _ID.fullmatch(words[start])) and not all(map(_HEX_NUMBER.fullmatch, pair.groups())):
            numbers = [_find_number(part.upper()) or part.casefold() for part in pair.groups()]
            return [self._find_unit(numbers) or _replace_numerals(words[start])], start + 1
        spoken = self._read_name(words, start)
        if spoken is None:
            return [], start
        numbers, size, nations, end = spoken
        if unit := self._find_unit(numbers, size, nations):
            return [unit], end
        if len(numbers) == 1 and (group := self._find_units_under(numbers[0], nations)):
            return group, end
        name = " ".join(words[start:end])
        if len(self.ambiguous_units) > 1:
            raise InputError(
                f"{name!r} may mean {' or '.join(self.ambiguous_units[:_MAX_UNITS_NAMED])}",
                hint="type its name in full",
            )
        if not size and len(numbers) == 1:
            return [], start
        hint_for_new = 'type a new unit in quotes after its nation: HEX NATION "NAME"'
        hint = self.known.nearest_units(name) or hint_for_new
        raise InputError(f"no unit is called {name!r}", hint=hint)

    def _read_name(self, words: Sequence[str], start: int) -> tuple[list[str], str, list[str], int] | None:
        """Return the numbers of a spoken unit name, its size, possible nations, and the index after it, or None.

        `28th division of XX corps` has the numbers 28 and 20. Other names are `German 8 Army`, `XVII 36`, `8A`, `36R`
        and `12. ID`. A single number needs an ordinal ending, a size or a nation. While dice are asked for, plain
        figures are no name.
        """
        next_index = start + 1
        nations = self._find_nations(words[start])
        size = ""
        parent = ""
        if (
            nations
            and next_index < len(words)
            and _find_number(words[next_index])
            and not _HEX_NUMBER.fullmatch(words[next_index])
        ):
            number = words[next_index]
            next_index = next_index + 1
        else:
            number = words[start]
            nations = self._find_nations(words[next_index]) if next_index < len(words) else []
            if nations:
                next_index = next_index + 1
        if army := re.fullmatch("([0-9]+)[Aa]", number):
            return [army[1]], self.sizes["army"], nations, next_index
        figure = _find_number(number)
        if not figure:
            is_labelled = re.fullmatch("[0-9]+[A-Za-z]{1,3}", number) and self._find_unit([number.casefold()])
            return ([number.casefold()], "", [], start + 1) if is_labelled else None
        roman = bool(_ROMAN.fullmatch(number))
        while next_index < len(words) and (size_named := self.sizes.get(words[next_index].casefold())):
            size = size_named
            next_index = next_index + 1
        parent_at = next_index
        if next_index < len(words) and words[next_index].casefold() in ("of", "from"):
            parent_at = next_index + 1
        second_word = words[parent_at] if parent_at < len(words) else ""
        second_number = _find_number(second_word) if second_word and not _HEX_NUMBER.fullmatch(second_word) else ""
        if second_number:
            is_roman = second_word != "I" and bool(_ROMAN.fullmatch(second_word))
            has_of = parent_at > next_index
            if is_roman or (roman and second_word.isdecimal()) or (has_of and not second_word.isdecimal()):
                parent = second_number
                next_index = parent_at + 1
        while next_index < len(words) and parent and words[next_index].casefold() in self.sizes:
            next_index += 1
        if parent:
            return [figure, parent], size, nations, next_index
        is_roll = self.ask is not None and self.ask.kind == "roll"
        is_ordinal = not number.isdecimal() and not roman
        if (is_roll and number.isdecimal()) or not (size or nations or is_ordinal):
            return None
        return [figure], size, nations, next_index

    def _find_units_under(self, number: str, nations: Sequence[str]) -> list[str]:
        under = [name for name, parts, own in self._named_units if own != number and parts[number]]
        return [name for name in under if name in self.known.on_map and self._is_of_nation(name, nations)]

    def _find_unit(self, numbers: Sequence[str], size: str = "", nations: Sequence[str] = ()) -> str:
        """Return the only unit of some nations with some numbers in its name, or "".

        A single number must be the unit's own. Units of the size are preferred, then units on the map, then shorter
        names. `ambiguous_units` has all remaining ones.
        """
        if len(numbers) == 1:
            units = [name for name, _, own in self._named_units if own == numbers[0]]
        else:
            units = [name for name, parts, _ in self._named_units if parts >= Counter(numbers)]
        units = [name for name in units if self._is_of_nation(name, nations)]
        if size:
            units = [name for name in units if self._is_of_size(name, size)] or units
        preferred = [name for name in units if name in self.known.on_map] or units
        max_parts = max(len(numbers), 2)
        exact = [name for name in preferred if len(_split_name(name)) <= max_parts] or preferred
        self.ambiguous_units = exact
        return exact[0] if len(exact) == 1 else ""

    def _is_of_size(self, unit: str, size: str) -> bool:
        return size == self._find_printed("size", unit) or folded(size) in _split_name(unit)

    def _is_of_nation(self, unit: str, nations: Sequence[str]) -> bool:
        return not nations or self._find_printed(self.game.file.picture.nation, unit) in ("", *nations)

    def _find_printed(self, track: str, unit: str) -> str:
        fact = self.state.facts.get((track, unit))
        printed = self.game.roster.get(unit, {}).get(track, ())
        if fact is None and printed:
            fact = printed[0]
        return str(fact.value) if fact else ""

    def _find_nations(self, word: str) -> list[str]:
        is_short_name = word.isupper() and not _ROMAN.fullmatch(word)
        if not word.replace("-", "").isalpha() or (len(word) < 3 and not is_short_name):
            return []
        named = names_short_for(word, self.game.file.nations)
        if not named and len(word) > 4:
            named = names_short_for(word.removesuffix("s"), self.game.file.nations)
        return named

    def _replace_word(self, word: str) -> str:
        """Return the word for which a synonym or a form of it stands: `swampy` means swamp, `rivers` river."""
        for form in (word, word.removesuffix("s"), word.removesuffix("y"), word.removesuffix("ed")):
            if form in self.same:
                return self.same[form]
        return _ORDINAL_WORDS.get(word, word)

    def _read_statement(self, text: str) -> SpokenWord | None:
        for on in _SUBJECTS:
            with suppress(InputError):
                if self.known.vocabulary.read(on, Word(text, 0)):
                    return SpokenWord("G" if on == "game" else "F", text)
        return None

    def _read_fact(self, words: Sequence[str], start: int) -> tuple[SpokenWord, int] | None:
        """Return the fact that the words from `start` on state, and the index after them, or None.

        A fact may be one word, two words for one with a hyphen, or the name of the fact with its value.
        """
        if words[start].casefold() in self.filler or self._find_side(words[start]):
            return None
        next_words = [self._replace_word(word.casefold()) for word in words[start : start + 3]]
        first = next_words[0]
        second = next_words[1] if len(next_words) > 1 else ""
        meant_by_two = self.same.get(f"{words[start]} {words[start + 1]}".casefold(), "") if second else ""
        phase = self.game.tracks.get("phase")
        for length, value in ((3, "-".join(next_words[:2])), (2, first)):
            if phase and len(next_words) >= length and next_words[length - 1] == phase.name and value in phase.values:
                return SpokenWord("G", f"{phase.name}={value}"), start + length
        if phase and second and f"{first}-{second}" in phase.values:
            return SpokenWord("G", f"{phase.name}={'-'.join(next_words[:2])}"), start + 2
        for text, length in ((meant_by_two, 2), (f"{first}-{second}", 2), (first, 1)):
            stated = self._read_statement(text) if text and not text[0].isdecimal() else None
            if stated and (length == 2 or not (first in self.verbs or self.known.place(first))):
                return stated, start + length
        named = self.game.tracks.get(first)
        if first == self.game.file.picture.less:
            return None
        number = re.fullmatch(r"([a-z]+)([0-9]{1,3})", first)
        if number and (track := self.game.tracks.get(self.same.get(number[1], number[1]))) and track.kind == "integer":
            return SpokenWord("G" if track.on == "game" else "F", f"{track.name}={number[2]}"), start + 1
        if named is not None and named.on == "side":
            return SpokenWord("A", named.name), start + 1
        if named is None or named.kind in ("flag", "text"):
            return None
        repeats = int(len(next_words) > 2 and second == first)  # the name is typed twice, by two of its synonyms
        for length, value in (
            (3, "-".join(next_words[1 + repeats :])),
            (2 + repeats, next_words[-1] if repeats else second),
        ):
            with suppress(InputError):
                if value and len(next_words) >= length:
                    read = named.parse(self.known.value(named, value))
                    end = start + length
                    while end < len(words) and self._means_fact(words[end], named.name):
                        end += 1
                    return SpokenWord("G" if named.on == "game" else "F", f"{named.name}={named.write(read)}"), end
        return None

    def _means_fact(self, word: str, name: str) -> bool:
        return self.same.get(word.casefold(), word.casefold()) == name

    def _read_word(self, word: str) -> Sequence[SpokenWord]:
        """Return a word as one piece, or as several if it consists of hexes or dice joined by a sign."""
        if place := self._find_place(word):
            return [SpokenWord("H", place)]
        parts = re.split(r"[/|-]", word)
        if len(parts) > 1 and all(places := [self._find_place(part) for part in parts]):
            return [SpokenWord("H", place) for place in places]
        if self.ask and self.ask.kind == "roll" and _TWO_DICE.fullmatch(word):
            return [SpokenWord("N", part) for part in word.split("/")]
        many = len(self.game.file.notation.brackets)
        if _RATINGS.fullmatch(word) and many > 1 and word.count("-") == many - 1:
            return [SpokenWord("R", word.strip("()"))]
        if odds := _ODDS.fullmatch(word):
            return [SpokenWord("O", f"{odds[1]}:{odds[2]}" if odds[1] else odds[3])]
        bare = word.casefold()
        number = self.numbers.get(bare, word)
        if natural(number) is not None:
            own = self._find_unit([str(natural(number))], "", self.nations_named) if number == word else ""
            return [SpokenWord("N", number, own)]
        if re.fullmatch("[0-9]+[+][0-9]+", number):
            return [SpokenWord("N", part) for part in number.split("+")]
        if side := self._find_side(word):
            self.nations_named = self.game.file.sides[side]
            return [SpokenWord("S", side)]
        return [SpokenWord("w", self.same.get(bare, bare))]

    def _find_side(self, word: str) -> str:
        if not word.replace("-", "").replace(".", "").isalpha() or (len(word) < 3 and not word.isupper()):
            return ""
        for text in (word, word.removesuffix("s")):
            with suppress(InputError):
                if side := find_side(self.game, text.replace(".", "")):
                    return side
        return ""

    def _find_place(self, word: str) -> str:
        """Return the hex with a number or a unique name, or "".

        Raises InputError for a hex off the map.
        """
        text = re.sub(r"(?<=[0-9]),(?=[0-9]{2}$)", ".", word)
        grid = self.known.board.grid
        if place := self.known.place(text):
            return place
        named = [place.hex for place in self.known.board.places if folded(place.name) == folded(word)]
        return named[0] if len(named) == 1 and word[:1].isupper() and grid else ""

    def _find_turn(self, match: re.Match[str]) -> SpokenWord:
        """Return the turn of a date as a fact, or a word with a fault if not exactly one turn fits.

        Of a date without a day the first fitting turn counts.
        """
        groups = match.groupdict()
        word = str(groups["month"]).casefold()
        month = int(word) if word.isdecimal() else _number_month(word)
        year = int(groups.get("year") or 0)
        day = int(groups.get("day") or 0)
        when = self.game.file.prompt.when
        if read_calendar(self.game).months:
            written = f"{_MONTHS[month - 1]}{year or _FIRST_YEAR}"
            is_turn = match.string[: match.start()].rstrip().casefold().endswith("turn")
            return SpokenWord("D", f"{when or 'turn'}={written}/{day}" if is_turn else written)
        fitting = self._list_turns_on(day, month, year)
        if fitting and when and (len(fitting) == 1 or not day):
            return SpokenWord("D", f"{when}={fitting[0]}")
        date = " ".join(filter(None, (str(day or ""), _MONTHS[month - 1].capitalize(), f"19{year}" if year else "")))
        if fitting:
            return SpokenWord("D", "", fault=f"{date} may be {when} {fitting[0]} to {fitting[-1]}")
        return SpokenWord("D", "", fault=f"the turn of {date} is not known")

    def _list_turns_on(self, day: int, month: int, year: int) -> list[int]:
        """Return the turns that a date fits, of the first year in which any does.

        If the date is in no turn, that is the last turn begun a few days earlier, as the date of a turn may be only its
        first day.

        `day`, `year`: 0 if they are not stated.
        """
        fitting = list[int]()
        fitting_year = 0
        last_begun = 0
        for turn in turns(self.game):
            span = _find_span(turn.date.text) if turn.date else None
            if span is None:
                continue
            first, last, turn_year = span[0], span[1], span[2] % 100
            asked = ((year or turn_year) - turn_year) * _DAYS_PER_YEAR + month * _DAYS_PER_MONTH + day
            if day:
                fits = first <= asked <= last
            else:
                is_month = first // _DAYS_PER_MONTH <= month <= last // _DAYS_PER_MONTH
                fits = is_month and year in (0, turn_year)
            if fits and (not fitting or turn_year == fitting_year):
                fitting.append(turn.number)
                fitting_year = turn_year
            elif day and 0 <= asked - first < _MAX_DAYS_PER_TURN:
                last_begun = turn.number
        if not fitting and last_begun:
            return [last_begun]
        return fitting


_DAYS_PER_MONTH = 32
"""A number of days above that of any month: dates are only compared."""
_DAYS_PER_YEAR = 13 * _DAYS_PER_MONTH
"""A number of days above that of any year of such months."""
_FIRST_YEAR = 14
"""The year of a month without a year: 1914."""
_MAX_DAYS_PER_TURN = 5
"""The maximum length in days of a turn whose date is only its first day."""
_DAYS_OF_THIRDS = {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}
"""The first and last day of each third of a month."""


def _number_month(word: str) -> int:
    return _MONTHS.index({"mär": "mar", "mai": "may", "okt": "oct", "dez": "dec"}.get(word[:3], word[:3])) + 1


def _find_span(date: str) -> tuple[int, int, int] | None:
    """Return the first and last day of a turn's date, and its year or 0, or None for a text without a month.

    Days are counted from the beginning of the year in months of `_DAYS_PER_MONTH`.
    """
    months = [_number_month(match["month"].casefold()) for match in re.finditer(_MONTH, date, re.IGNORECASE)]
    year = re.search(r"\b19[0-9]{2}\b", date)
    if not months:
        return None
    thirds = [days for name, days in _DAYS_OF_THIRDS.items() if name in date]
    numbers = [int(number) for number in re.findall(r"\b[0-9]{1,2}\b", date)]
    if thirds:
        first_day, last_day = thirds[0]
    elif numbers:
        first_day = numbers[0]
        last_day = numbers[-1]
    else:
        first_day = 0
        last_day = 31
    first = months[0] * _DAYS_PER_MONTH + first_day
    last = months[-1] * _DAYS_PER_MONTH + last_day
    return first, last, int(year[0]) if year else 0


def _find_number(word: str) -> str:
    """Return the number of a word, which may be an ordinal or Roman, in figures, or "" if it has none."""
    if ordinal := _ORDINAL.fullmatch(word):
        return str(int(ordinal[1]))
    return _replace_numerals(word) if _ROMAN.fullmatch(word) else ""


def _replace_numerals(text: str) -> str:
    """Return a text with its Roman numerals replaced by figures: `36/XVII` becomes `36/17`."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50}

    def to_figures(match: re.Match[str]) -> str:
        row = [values[letter] for letter in match[0]]
        return str(sum(-value if value < after else value for value, after in zip(row, [*row[1:], 0], strict=True)))

    return re.sub(r"\b(?=[IVXL]+\b)(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b", to_figures, text)


def _split_name(name: str) -> list[str]:
    return [part.casefold() for part in re.findall(r"[^\W0-9_]+|[0-9]+", _replace_numerals(name))]


def _find_own_number(name: str) -> str:
    """Return a unit's own number with the letters after it: the first one of 25/3, the second one of III/25.

    Returns "" for a name without exactly one number there.
    """
    first, stroke, second = name.partition("/")
    own = second if stroke and not re.match(r"[0-9]+( |$|[a-z])", first) else first
    numbers = re.findall(r"[0-9]+[A-Za-z]*", own)
    return numbers[0].casefold() if len(numbers) == 1 else ""
