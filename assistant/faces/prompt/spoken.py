"""The words of a text that somebody types as he speaks: hexes, units, sides, facts, turns, numbers, and any others."""

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
"""The sign of a move, in any of its forms."""
_TOKENS = late_pattern(r'"[^"]*"|[^\s"]+')
"""Words, and texts in quotes."""
_JOINED = late_pattern(r"(?<=[\w.])[+&](?=[\w])")
"""What joins two words that are read apart."""
_RATINGS = late_pattern(r"\(?[0-9?]+(?:-[0-9?]*){1,3}\)?")
"""Ratings as a counter has them: `10-5-10`."""
_ODDS = late_pattern(r"([0-9]+)(?::|-|to)([0-9]+)|([0-9]+)%")
"""Odds, `3:1` or `3to1`, or a share, `50%`."""
_ROMAN = late_pattern(r"(?=[IVXL])(XL|L?X{0,3})(IX|IV|V?I{0,3})")
"""A Roman numeral up to 89."""
_ORDINAL = late_pattern(r"([0-9]{1,4})(?:st|nd|rd|th|\.)?", re.IGNORECASE)
"""A number, perhaps with its ending: `6th`."""
_ID = late_pattern(r"([0-9]+[a-z]{0,3}|[IVXL]+)/([0-9]+|[IVXL]+)", re.IGNORECASE)
"""The name of a unit with what it belongs to: `25/3`."""
_HEX = late_pattern(r"[0-9]{2}[.,][0-9]{2}|[0-9]{4}")
"""What is a hex number rather than that of a unit."""
_TWO_DICE = late_pattern("[0-9]/[0-9]")
"""A roll of two dice with a stroke between them."""
_MOST = 4
"""How many units are named that a spoken name may mean."""
_DATED = "\ue000"
"""What marks a date in a text once it is read: no keyboard has it."""
_TOGETHER = 3
"""How many words mean another one together, at most."""
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|\.)?"
"""The day of a date."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"\b(?P<month>jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar|mär(?:z)?|march(?= *19?1[4-8])"
    r"|apr(?:il)?|may|mai|june?|juni|july?|juli"
    r"|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)
_YEAR = r"(?:,? *(?:19)?(?P<year>1[4-8])\b)?"
"""The year of a date, of 1914 to 1918; it may be missing."""
_DATES = [
    re.compile(rf"\b{_DAY}(?: of)? *{_MONTH}{_YEAR}", re.IGNORECASE),
    re.compile(rf"\b{_MONTH} +{_DAY}\b(?![:./]?[0-9]){_YEAR}", re.IGNORECASE),
    re.compile(
        rf"(?!may\b(?! *19?1[4-8])){_MONTH}(?:[- /]+{_MONTH.replace('month', 'second')})?{_YEAR}", re.IGNORECASE
    ),
    re.compile(r"\b(?P<day>[0-9]{1,2})[./](?P<month>[0-9]{1,2})[./](?:19)?(?P<year>1[4-8])\b"),
]
_SUBJECTS: tuple[Subject, ...] = ("hex", "hexside", "unit", "game")
"""What a word may state a fact about, in the order in which it is tried."""
_COUNTED = {"1st": "first", "2nd": "second", "3rd": "third"}
"""Ordinals that are words of games."""


WordKind = Literal["H", "U", "R", "F", "G", "A", "N", "O", "S", "D", "w"]
"""H for a hex, U a unit, R ratings, F a fact about a hex, a hexside or a unit, G about the game, A the name of one
about sides, N a number, O odds, S a side or nation, D a date, w any other word.
"""


class SpokenWord(NamedTuple):
    """A word of a text."""

    kind: WordKind
    text: Annotated[str, note("as a line has it")]
    unit: Annotated[str, note("the unit of a U, and the one that a number may be short for")] = ""
    fault: Annotated[str, note("why the turn of a D is not certain")] = ""

    @property
    def coded(self) -> str:
        """The kind of the piece, small for a number that may be a unit, and for ratings that may be odds."""
        if self.kind == "N" and self.unit:
            return "n"
        if self.kind == "R" and re.fullmatch("[0-9]-[0-9]", self.text):
            return "r"
        return self.kind


class Heard(NamedTuple):
    """How words are heard."""

    filler: frozenset[str]
    """Words that say nothing."""
    verbs: frozenset[str]
    """Words of phrases, which by themselves state nothing."""
    same: Mapping[str, str]
    """Words that mean another one."""
    sizes: Mapping[str, str]
    """Words for the sizes of units."""
    numbers: Mapping[str, str]
    """Words for numbers."""


def split_meanings(*tables: Mapping[str, str]) -> dict[str, str]:
    """Return each of several words that stand for one, with that one; an underline stands for a blank."""
    meanings: dict[str, str] = {}
    for table in tables:
        for meant, several in table.items():
            for word in several.split():
                meanings[word.replace("_", " ")] = meant
    return meanings


class Listener:
    """Reads the words of texts at a table. heard: the words that mean others, whatever the game."""

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
        self.acting: Sequence[str] = ()
        """The nations of the side that the text has named last."""
        self.alike: list[str] = []
        """The units that may be meant by the numbers that were looked for last."""

    def pieces(self, text: str) -> list[SpokenWord]:
        """Return the words of a text. Raises InputError for a hex that is not on the map, and for a unit that is in no
        roster.
        """
        text = _ARROW.sub(" > ", regular_text(text).replace("\u00b7", "."))
        text = re.sub(r"\b([0-9]) (?:to|zu) ([0-9])\b", r"\1:\2", self._join_ratings(text))
        self.acting = ()
        dates = list[SpokenWord]()
        for pattern in _DATES:
            for match in reversed([*pattern.finditer(text)]):
                text = f"{text[: match.start()]} {_DATED}{len(dates)} {text[match.end() :]}"
                dates.append(self._find_turn(match))
        words = [word for part in _TOKENS.findall(text) for word in self._split_word(part)]
        read = list[SpokenWord]()
        at = 0
        while at < len(words):
            next_pieces, at = self._read_next(words, at, dates)
            read += next_pieces
        pieces = []
        for number, piece in enumerate(read):
            is_filler = piece.kind == "w" and piece.text in self.filler
            is_plus = number > 0 and piece.text == "+"
            if not is_filler and not is_plus:
                pieces.append(piece)
        return pieces

    def _read_next(
        self, words: Sequence[str], at: int, dates: Sequence[SpokenWord]
    ) -> tuple[Sequence[SpokenWord], int]:
        """Return what the words from a place on are first, and where that ends."""
        if words[at][0] == _DATED:
            return [dates[int(words[at][1:])]], at + 1
        fact = self._read_fact(words, at)
        behind = self._read_fact(words, at + 1) if at + 1 < len(words) and self._find_nations(words[at]) else None
        of_two_words = (fact and fact[1] > at + 1) or (behind and behind[1] > at + 2)
        if not of_two_words:
            units, end = self._read_units(words, at)
            if units:
                return [SpokenWord("U", quoted(unit), unit) for unit in units], end
        if fact:
            word, end = fact
            return [word], end
        for end in range(min(at + _TOGETHER, len(words)), at + 1, -1):
            together = " ".join(words[at:end]).casefold()
            if meant := self.numbers.get(together) or self.same.get(together):
                return self._read_word(meant), end
        return self._read_word(words[at]), at + 1

    def _join_ratings(self, text: str) -> str:
        """Return the text with a hyphen for each blank between as many numbers as a counter has, where more than
        two.
        """
        many = len(self.game.file.notation.brackets)
        if many <= 3 or self.ask:
            return text
        row = rf"(?<![\w+/])[0-9]+(?: [0-9]+){{{many - 1}}}(?![\w+])"
        return re.sub(row, lambda numbers: numbers[0].replace(" ", "-"), text)

    def _split_word(self, word: str) -> Iterator[str]:
        """Yield a word without the signs around it; those joined by + or & apart, unless it is the name of a unit or a
        chain of hexes.
        """
        if word[0] == '"':
            yield word.strip('"')
            return
        if re.fullmatch(r"[-+][0-9]+(?:/[0-9a-zA-Z]+)?", bare := word.strip(",.!?()'")):
            yield bare
            return
        parts = [word] if self.known.unit(word) else _JOINED.split(word)
        for part in parts:
            bare = part.strip(",.!?():;'*&+=")
            bare = re.sub(r"'(?:s|re|m|ve|d|ll)?$", "", bare)
            if bare and bare != "-":
                yield bare
            elif not bare and part in ("+", ">"):
                yield part

    @cached_property
    def _named_units(self) -> list[tuple[str, Counter[str], str]]:
        """Each unit with the numbers and words of its name, and its own number; those on the map first."""
        names = dict.fromkeys([*self.known.on_map, *self.game.roster, *self.state.units])
        return [(name, Counter(_split_name(name)), _find_own_number(name)) for name in names]

    def _read_units(self, words: Sequence[str], at: int) -> tuple[list[str], int]:
        """Return the unit that words from a place on name, or those of a corps or an army on the map, and where they
        end; none for other words.

        Raises InputError for a spoken name that several units have, or none.
        """
        for end in range(min(at + self.known.longest, len(words)), at, -1):
            name = " ".join(words[at:end])
            if natural(name) is not None or name.casefold() in self.same:
                continue
            if name.islower() and self._read_statement(name):
                continue
            unit = self.known.unit(name) or self.known.unit(name.replace(" ", "-"))
            if unit:
                return [unit], end
        if _HEX.fullmatch(words[at]):
            return [], at
        if self.ask and self.ask.kind == "roll" and _TWO_DICE.fullmatch(words[at]):
            return [], at
        if (pair := _ID.fullmatch(words[at])) and not all(map(_HEX.fullmatch, pair.groups())):
            numbers = [_find_number(part.upper()) or part.casefold() for part in pair.groups()]
            return [self._find_unit(numbers) or _replace_numerals(words[at])], at + 1
        spoken = self._read_name(words, at)
        if spoken is None:
            return [], at
        numbers, size, nations, end = spoken
        if unit := self._find_unit(numbers, size, nations):
            return [unit], end
        if len(numbers) == 1 and (group := self._find_units_under(numbers[0], nations)):
            return group, end
        name = " ".join(words[at:end])
        if len(self.alike) > 1:
            raise InputError(f"{name!r} may mean {' or '.join(self.alike[:_MOST])}", hint="type its name in full")
        if not size and len(numbers) == 1:
            return [], at
        new = 'a new unit stands in quotes behind its nation: HEX NATION "NAME"'
        hint = self.known.nearest_units(name) or new
        raise InputError(f"no unit is called {name!r}", hint=hint)

    def _read_name(self, words: Sequence[str], at: int) -> tuple[list[str], str, list[str], int] | None:
        """Return the numbers of a unit's name as it is spoken, its size, the nations that it may have, and where it
        ends; None for other words.

        `28th division of XX corps`, `German 8 Army`, `XVII 36`, `8A`, `36R`, `12. ID`.
        """
        here = at + 1
        nations = self._find_nations(words[at])
        size = ""
        parent = ""
        if nations and here < len(words) and _find_number(words[here]) and not _HEX.fullmatch(words[here]):
            number = words[here]
            here = here + 1
        else:
            number = words[at]
            nations = self._find_nations(words[here]) if here < len(words) else []
            if nations:
                here = here + 1
        if army := re.fullmatch("([0-9]+)[Aa]", number):
            return [army[1]], self.sizes["army"], nations, here
        figure = _find_number(number)
        if not figure:
            is_labelled = re.fullmatch("[0-9]+[A-Za-z]{1,3}", number) and self._find_unit([number.casefold()])
            return ([number.casefold()], "", [], at + 1) if is_labelled else None
        roman = bool(_ROMAN.fullmatch(number))
        while here < len(words) and (size_named := self.sizes.get(words[here].casefold())):
            size = size_named
            here = here + 1
        of = here
        if here < len(words) and words[here].casefold() in ("of", "from"):
            of = here + 1
        second = _find_number(words[of]) if of < len(words) and not _HEX.fullmatch(words[of]) else ""
        if second:
            is_roman = words[of] != "I" and bool(_ROMAN.fullmatch(words[of]))
            if is_roman or (roman and words[of].isdecimal()) or (of > here and not words[of].isdecimal()):
                parent = second
                here = of + 1
        while here < len(words) and parent and words[here].casefold() in self.sizes:
            here += 1
        if parent:
            return [figure, parent], size, nations, here
        is_roll = self.ask is not None and self.ask.kind == "roll"
        is_ordinal = not number.isdecimal() and not roman
        if (is_roll and number.isdecimal()) or not (size or nations or is_ordinal):
            return None
        return [figure], size, nations, here

    def _find_units_under(self, number: str, nations: Sequence[str]) -> list[str]:
        """Return the units on the map that belong to the corps or army of a number."""
        under = [name for name, parts, own in self._named_units if own != number and parts[number]]
        return [name for name in under if name in self.known.on_map and self._is_of_nation(name, nations)]

    def _find_unit(self, numbers: Sequence[str], size: str = "", nations: Sequence[str] = ()) -> str:
        """Return the only unit whose name has these numbers, of one of these nations, and of this size as far as any
        is; "" if there are several.
        """
        if len(numbers) == 1:
            units = [name for name, _, own in self._named_units if own == numbers[0]]
        else:
            units = [name for name, parts, _ in self._named_units if parts >= Counter(numbers)]
        units = [name for name in units if self._is_of_nation(name, nations)]
        if size:
            units = [name for name in units if self._is_of_size(name, size)] or units
        there = [name for name in units if name in self.known.on_map] or units
        most_parts = max(len(numbers), 2)
        exact = [name for name in there if len(_split_name(name)) <= most_parts] or there
        self.alike = exact
        return exact[0] if len(exact) == 1 else ""

    def _is_of_size(self, unit: str, size: str) -> bool:
        """Return whether a unit is of a size, by its counter or its name."""
        return size == self._find_printed("size", unit) or folded(size) in _split_name(unit)

    def _is_of_nation(self, unit: str, nations: Sequence[str]) -> bool:
        """Return whether a unit is of one of some nations, as far as its own is known; of any if none are named."""
        return not nations or self._find_printed(self.game.file.picture.nation, unit) in ("", *nations)

    def _find_printed(self, track: str, unit: str) -> str:
        """Return what is stated of a unit, or else printed on its counter; "" for nothing."""
        fact = self.state.facts.get((track, unit))
        printed = self.game.roster.get(unit, {}).get(track, ())
        if fact is None and printed:
            fact = printed[0]
        return str(fact.value) if fact else ""

    def _find_nations(self, word: str) -> list[str]:
        """Return the nations that a word may name, by some of its letters or a capital."""
        is_short_name = word.isupper() and not _ROMAN.fullmatch(word)
        if not word.replace("-", "").isalpha() or (len(word) < 3 and not is_short_name):
            return []
        named = names_short_for(word, self.game.file.nations)
        if not named and len(word) > 4:
            named = names_short_for(word.removesuffix("s"), self.game.file.nations)
        return named

    def _replace_word(self, word: str) -> str:
        """Return the word that a word means, in another form of it too: `swampy` is the swamp, `rivers` a river."""
        for form in (word, word.removesuffix("s"), word.removesuffix("y"), word.removesuffix("ed")):
            if form in self.same:
                return self.same[form]
        return _COUNTED.get(word, word)

    def _read_statement(self, text: str) -> SpokenWord | None:
        """Return the fact that a word states as it stands, None for none."""
        for on in _SUBJECTS:
            with suppress(InputError):
                if self.known.vocabulary.read(on, Word(text, 0)):
                    return SpokenWord("G" if on == "game" else "F", text)
        return None

    def _read_fact(self, words: Sequence[str], at: int) -> tuple[SpokenWord, int] | None:
        """Return the fact that words from a place on state, and where they end: a word, two for one with a hyphen, or
        the name of a fact and its value.
        """
        if words[at].casefold() in self.filler or self._find_side(words[at]):
            return None
        some = [self._replace_word(word.casefold()) for word in words[at : at + 3]]
        first = some[0]
        second = some[1] if len(some) > 1 else ""
        two = self.same.get(f"{words[at]} {words[at + 1]}".casefold(), "") if second else ""
        phase = self.game.tracks.get("phase")
        for length, value in ((3, "-".join(some[:2])), (2, first)):
            if phase and len(some) >= length and some[length - 1] == phase.name and value in phase.values:
                return SpokenWord("G", f"{phase.name}={value}"), at + length
        if phase and second and f"{first}-{second}" in phase.values:
            return SpokenWord("G", f"{phase.name}={'-'.join(some[:2])}"), at + 2
        for text, length in ((two, 2), (f"{first}-{second}", 2), (first, 1)):
            stated = self._read_statement(text) if text and not text[0].isdecimal() else None
            if stated and (length == 2 or not (first in self.verbs or self.known.place(first))):
                return stated, at + length
        named = self.game.tracks.get(first)
        if first == self.game.file.picture.less:
            return None
        number = re.fullmatch(r"([a-z]+)([0-9]{1,3})", first)
        if number and (track := self.game.tracks.get(self.same.get(number[1], number[1]))) and track.kind == "integer":
            return SpokenWord("G" if track.on == "game" else "F", f"{track.name}={number[2]}"), at + 1
        if named is not None and named.on == "side":
            return SpokenWord("A", named.name), at + 1
        if named is None or named.kind in ("flag", "text"):
            return None
        extra = int(len(some) > 2 and second == first)
        for length, value in ((3, "-".join(some[1 + extra :])), (2 + extra, some[-1] if extra else second)):
            with suppress(InputError):
                if value and len(some) >= length:
                    read = named.parse(self.known.value(named, value))
                    end = at + length
                    while end < len(words) and self._means_fact(words[end], named.name):
                        end += 1
                    return SpokenWord("G" if named.on == "game" else "F", f"{named.name}={named.write(read)}"), end
        return None

    def _means_fact(self, word: str, name: str) -> bool:
        """Return whether a word is the name of a fact, or means it."""
        return self.same.get(word.casefold(), word.casefold()) == name

    def _read_word(self, word: str) -> Sequence[SpokenWord]:
        """Return a word as one piece, or hexes with a stroke between them as several."""
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
            own = self._find_unit([str(natural(number))], "", self.acting) if number == word else ""
            return [SpokenWord("N", number, own)]
        if re.fullmatch("[0-9]+[+][0-9]+", number):
            return [SpokenWord("N", part) for part in number.split("+")]
        if side := self._find_side(word):
            self.acting = self.game.file.sides[side]
            return [SpokenWord("S", side)]
        return [SpokenWord("w", self.same.get(bare, bare))]

    def _find_side(self, word: str) -> str:
        """Return the side that a word names: by some letters, or by capitals."""
        if not word.replace("-", "").replace(".", "").isalpha() or (len(word) < 3 and not word.isupper()):
            return ""
        for text in (word, word.removesuffix("s")):
            with suppress(InputError):
                if side := find_side(self.game, text.replace(".", "")):
                    return side
        return ""

    def _find_place(self, word: str) -> str:
        """Return the hex of a word, by its number or a name of its own, "" for none. Raises InputError for a hex off
        the map.
        """
        text = re.sub(r"(?<=[0-9]),(?=[0-9]{2}$)", ".", word)
        grid = self.known.board.grid
        if place := self.known.place(text):
            return place
        named = [place.hex for place in self.known.board.places if folded(place.name) == folded(word)]
        return named[0] if len(named) == 1 and word[:1].isupper() and grid else ""

    def _find_turn(self, match: re.Match[str]) -> SpokenWord:
        """Return the turn that a date falls into, as a fact; without it and with the turns that it may be, if that is
        not certain.
        """
        groups = match.groupdict()
        word = str(groups["month"]).casefold()
        month = int(word) if word.isdecimal() else _number_month(word)
        year = int(groups.get("year") or 0)
        day = int(groups.get("day") or 0)
        if read_calendar(self.game).months and match.string[: match.start()].rstrip().casefold().endswith("turn"):
            when = self.game.file.prompt.when or "turn"
            return SpokenWord("D", f"{when}={_MONTHS[month - 1]}{year or _FIRST_YEAR}/{day}")
        if read_calendar(self.game).months:
            return SpokenWord("D", f"{_MONTHS[month - 1]}{year or _FIRST_YEAR}")
        dated = [(turn.number, span) for turn in turns(self.game) if turn.date and (span := _find_span(turn.date.text))]
        when = self.game.file.prompt.when
        began = -1
        fitting_year = 0
        fitting = list[int]()
        for number, (first, last, its_year) in dated:
            asked = (year or its_year % 100) * _YEAR_OF_DAYS + month * _MONTH_OF_DAYS + day
            begins = its_year % 100 * _YEAR_OF_DAYS + first
            ends = its_year % 100 * _YEAR_OF_DAYS + last
            if day:
                fits = begins <= asked <= ends
            else:
                is_month = first // _MONTH_OF_DAYS <= month <= last // _MONTH_OF_DAYS
                fits = is_month and year in (0, its_year % 100)
            if fits:
                if not fitting or its_year == fitting_year:
                    fitting.append(number)
                if len(fitting) == 1:
                    fitting_year = its_year
            elif day and begins <= asked and asked - begins < _LONGEST_TURN:
                began = number
        if not fitting and began > 0:
            fitting = [began]
        if fitting and when and (len(fitting) == 1 or not day):
            return SpokenWord("D", f"{when}={fitting[0]}")
        date = " ".join(filter(None, (str(day or ""), _MONTHS[month - 1].capitalize(), f"19{year}" if year else "")))
        if fitting:
            return SpokenWord("D", "", fault=f"{date} may be {when} {fitting[0]} to {fitting[-1]}")
        return SpokenWord("D", "", fault=f"the turn of {date} is not known")


_MONTH_OF_DAYS = 32
"""More days than a month has, so that dates are counted in their order."""
_YEAR_OF_DAYS = 13 * _MONTH_OF_DAYS
"""More days than a year has, in such months."""
_FIRST_YEAR = 14
"""The year of a month without one."""
_LONGEST_TURN = 5
"""How many days a turn has at most whose date is that of its first day."""
_PARTS = {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}
"""The days of a third of a month."""


def _number_month(word: str) -> int:
    return _MONTHS.index({"mär": "mar", "mai": "may", "okt": "oct", "dez": "dec"}.get(word[:3], word[:3])) + 1


def _find_span(date: str) -> tuple[int, int, int] | None:
    """Return the first and the last day of the date of a turn, counted in months of as many days as any has, and its
    year; None for another text.
    """
    months = [_number_month(match["month"].casefold()) for match in re.finditer(_MONTH, date, re.IGNORECASE)]
    year = re.search(r"\b19[0-9]{2}\b", date)
    if not months:
        return None
    parts = [days for name, days in _PARTS.items() if name in date]
    numbers = [int(number) for number in re.findall(r"\b[0-9]{1,2}\b", date)]
    if parts:
        first_day, last_day = parts[0]
    elif numbers:
        first_day = numbers[0]
        last_day = numbers[-1]
    else:
        first_day = 0
        last_day = 31
    first = months[0] * _MONTH_OF_DAYS + first_day
    last = months[-1] * _MONTH_OF_DAYS + last_day
    return first, last, int(year[0]) if year else 0


def _find_number(word: str) -> str:
    """Return the number of a word in figures, ordinal or Roman, "" for none."""
    if ordinal := _ORDINAL.fullmatch(word):
        return str(int(ordinal[1]))
    return _replace_numerals(word) if _ROMAN.fullmatch(word) else ""


def _replace_numerals(text: str) -> str:
    """Return a text with figures for its Roman numerals: 36/XVII is 36/17."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50}

    def figures(match: re.Match[str]) -> str:
        row = [values[letter] for letter in match[0]]
        return str(sum(-value if value < after else value for value, after in zip(row, [*row[1:], 0], strict=True)))

    return re.sub(r"\b(?=[IVXL]+\b)(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b", figures, text)


def _split_name(name: str) -> list[str]:
    """Return the numbers and words of a unit's name."""
    return [part.casefold() for part in re.findall(r"[^\W0-9_]+|[0-9]+", _replace_numerals(name))]


def _find_own_number(name: str) -> str:
    """Return the number of a unit itself, with the letters behind it, not that of what it belongs to: the first of
    25/3, the second of III/25; "" for none.
    """
    first, stroke, second = name.partition("/")
    own = second if stroke and not re.match(r"[0-9]+( |$|[a-z])", first) else first
    numbers = re.findall(r"[0-9]+[A-Za-z]*", own)
    return numbers[0].casefold() if len(numbers) == 1 else ""
