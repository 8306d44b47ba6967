"""What people type before they know how a line is written, and the line that says the same.

A text is read word by word as hexes, units, numbers and other words; `phrases.toml` says which of them make a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from ..state.tracks import Subject
from ..state.words import Word
from ..util.datafiles import read_toml
from ..util.errors import InputError, quoted
from ..util.texts import natural
from .shorthand.abbreviations import Abbreviations
from .table import Table

_SIGNS = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u2212\u2011\u00b7;\xa0", "''\"\"----., ")
_ARROW = re.compile(r"\s*(?:-+>|=+>|→|>)\s*")
_WORDS = re.compile(r'"[^"]*"|[^\s"]+')
_RATINGS = re.compile(r"\(?[0-9?]+(?:-[0-9?]+){2,3}\)?")
_ODDS = re.compile(r"([0-9]+)(?::|-|\s?to\s?)([0-9]+)")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th|\.)")


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase. when: as the head of the file has it; line: the line that it means; asks: whether it counts only while
    something is asked for.
    """

    when: str
    line: str
    asks: bool = False


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of phrases."""

    filler: str
    phrase: tuple[Phrase, ...]


class Piece(NamedTuple):
    """A word of a text. kind: H for a hex, U for a unit, R for ratings, F for a fact, N for a number, O for odds, w for any other word;
    text: as a line has it.
    """

    kind: str
    text: str


@cache
def read_phrases() -> tuple[frozenset[str], tuple[tuple[re.Pattern[str], Phrase], ...]]:
    """The filler words, and each phrase with the pattern of its words."""
    table = read_toml(files(__package__) / "phrases.toml", Phrases)
    return frozenset(table.filler.split()), tuple((_pattern(phrase.when), phrase) for phrase in table.phrase)


_KINDS = {
    "HEX": r"H[0-9]+ ",
    "HEXES": r"(?:H[0-9]+ )+",
    "UNIT": r"U[0-9]+ ",
    "UNITS": r"(?:U[0-9]+ (?:R[0-9]+ )?)+",
    "FACTS": r"(?:F[0-9]+ )+",
    "NUMBER": r"N[0-9]+ ",
    "ODDS": r"O[0-9]+ ",
}


def _pattern(when: str) -> re.Pattern[str]:
    """The pattern of a phrase over the words of a text, each with its kind and number."""
    parts, named = [], dict[str, int]()
    for word in when.split():
        bare, optional = word.removesuffix("?"), word.endswith("?")
        if word == "...":
            parts.append(r"(?:[A-Za-z]+[0-9]+(?::\S*)? )*?")
            continue
        if bare in _KINDS:
            named[bare] = named.get(bare, 0) + 1
            group = f"{bare}{named[bare]}" if named[bare] > 1 else bare
            part = f"(?P<{group}>{_KINDS[bare]})"
        else:
            words = "|".join(map(re.escape, bare.split("|")))
            part = rf"(?:w[0-9]+:(?:{words}) )"
        parts.append(f"(?:{part})?" if optional else part)
    return re.compile("".join(parts))


def regular_text(text: str) -> str:
    """A text with the signs of a keyboard: plain quotes, hyphens and commas, and > for any arrow."""
    return _ARROW.sub(" > ", text.translate(_SIGNS)).strip(" .!?")


def suggest_lines(table: Table, text: str, *, asks: bool) -> Iterator[str]:
    """The lines that a text may mean, the likeliest first. asks: whether something is asked for now."""
    filler, phrases = read_phrases()
    plain = regular_text(text)
    if plain != text.strip():
        yield plain
    pieces = [piece for piece in _pieces(table, plain) if not (piece.kind == "w" and piece.text in filler)]
    coded = "".join(
        f"{piece.kind}{number}{':' + piece.text if piece.kind == 'w' else ''} " for number, piece in enumerate(pieces)
    )
    file = table.position.game.file
    known = {"less": file.picture.less, "turn": file.prompt.when or "turn"}
    for pattern, phrase in phrases:
        if (match := pattern.fullmatch(coded)) and (asks or not phrase.asks):
            with suppress(KeyError):
                yield phrase.line.format_map(_values(table, pieces, match.groupdict()) | known)


def _values(table: Table, pieces: list[Piece], groups: Mapping[str, str | None]) -> dict[str, str]:
    """What the words of a phrase stand for, as a line has it."""
    values = {}
    for name, coded in groups.items():
        if coded:
            values[name] = " ".join(pieces[int(code[1:])].text for code in coded.split())
    if named := groups.get("UNITS"):
        units = [pieces[int(code[1:])].text.strip('"') for code in named.split() if code[0] == "U"]
        places = [table.position.state.units[unit].place for unit in units if unit in table.position.state.units]
        if places and all(places):
            values["HEXES_OF_UNITS"] = " ".join(dict.fromkeys(place for place in places if place))
    return values


def _pieces(table: Table, text: str) -> Iterator[Piece]:
    """The words of a text by their kind; the name of a unit with spaces is one word."""
    known = Abbreviations(table.position)
    words = [word.strip(",.!?()") if word[:1] != '"' else word for word in _WORDS.findall(text)]
    joined = known.join_names(
        [Word(word.strip('"').rstrip(":"), at, quoted=word[:1] == '"') for at, word in enumerate(words) if word]
    )
    for word in joined:
        yield from _read_word(known, word.text)


def _read_word(known: Abbreviations, word: str) -> Iterator[Piece]:
    """A word as one piece, or two hexes with a stroke between them as two."""
    if unit := _unit(known, word):
        yield Piece("U", quoted(unit))
    elif place := _place(known, word):
        yield Piece("H", place)
    elif re.fullmatch(r"[^\s/|-]+[/|-][^\s/|-]+", word) and all(
        pair := [_place(known, part) for part in re.split(r"[/|-]", word)]
    ):
        yield from (Piece("H", place) for place in pair)
    elif _RATINGS.fullmatch(word):
        yield Piece("R", word)
    elif odds := _ODDS.fullmatch(word):
        yield Piece("O", f"{odds[1]}:{odds[2]}")
    elif natural(word) is not None:
        yield Piece("N", word)
    elif any(_is_fact(known, on, word.casefold()) for on in ("hex", "hexside", "unit")):
        yield Piece("F", word.casefold())
    else:
        yield Piece("w", word.casefold())


def _is_fact(known: Abbreviations, on: Subject, word: str) -> bool:
    """Whether a word states a fact as it stands."""
    with suppress(InputError):
        return known.vocabulary.read(on, Word(word, 0)) is not None
    return False


def _place(known: Abbreviations, word: str) -> str:
    """The hex of a word, "" for none; its number may have a comma."""
    for text in (word, word.replace(",", ".")):
        with suppress(InputError):
            if place := known.place(text):
                return place
    return ""


def _unit(known: Abbreviations, word: str) -> str:
    """The unit of a word, "" for none: by its name, with Roman numerals for its corps, or by an ordinal that one unit has."""
    if natural(word) is not None:
        return ""
    for text in (word, _without_roman(word)):
        if unit := known.unit(text):
            return unit
    if ordinal := _ORDINAL.fullmatch(word):
        called = [
            name for name in known.units_called(f"{ordinal[1]}/") or known.on_map if name.startswith(f"{ordinal[1]}/")
        ]
        return called[0] if len(called) == 1 else ""
    return ""


def _without_roman(word: str) -> str:
    """A word with figures for the Roman numerals behind a stroke: 36/XVII is 36/17."""

    def figures(match: re.Match[str]) -> str:
        values = [_ROMAN[letter] for letter in match[1]]
        signed = (-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
        return f"/{sum(signed)}"

    return re.sub(r"/([IVXL]+)$", figures, word.upper()) if "/" in word else word
