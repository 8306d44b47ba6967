"""The words of a typed line: its division into words, and the facts of a game that words state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..util.errors import InputError, Where, format_suggestion
from ..util.patterns import late_pattern
from ..util.texts import DIRECTION
from ..util.typesetting import MINUS
from .tracks import Fact, Subject, Track

OFF_MAP = "off-map"
"""The word in place of a hex for units that are not on the map."""
STATEMENTS = (
    "game",
    "board",
    "side",
    "nation",
    "army",
    "elsewhere",
    "accept",
    "trust",
    "own",
    "ruling",
    "chart",
    "line",
    "ask",
    "answers",
    OFF_MAP,
)
"""The words that begin a line, other than a place, a hexside or a unit."""


class Word(NamedTuple):
    """A word of a line and its column, from 1. A quoted word is never a fact."""

    text: str
    column: int
    quoted: bool = False


LIST_ITEM = late_pattern(r'"([^"]*)"|(\([^()]*\)?)|(,)|([^\s,("|=]+="[^"]*"|[^\s,("|]+(?:\s*\|\s*[^\s,("|]+)?)')
SPACED = late_pattern(r'((?:"[^"]*"|[^\s"])+)')


_PRINTED_MINUS = late_pattern(f"(?<![^=(/]){MINUS}(?=[0-9])")


def find_words(text: str, column: int, pattern: re.Pattern[str] = LIST_ITEM) -> list[Word]:
    """Return the words of a text that begins at a column; a typographic minus sign becomes a hyphen.

    Raises InputError for stray characters.
    """
    words = []
    end = 0
    for match in pattern.finditer(text):
        if stray := text[end : match.start()].strip():
            raise InputError(f"{stray} has no meaning here")
        end = match.end()
        quoted = match.lastindex == 1 if pattern is LIST_ITEM else _is_quoted(match[0])
        word = match[0].strip('"') if quoted else match[0]
        if MINUS in word and not quoted:
            word = _PRINTED_MINUS.sub("-", word)
        if pattern is LIST_ITEM and not quoted and '="' in word:
            word = re.sub(r'="([^"]*)"', r"=\1", word)
        words.append(Word(word, column + match.start(), quoted))
    if stray := text[end:].strip():
        raise InputError(f"{stray} has no meaning here")
    return words


def _is_quoted(word: str) -> bool:
    return word.startswith('"') and word.endswith('"') and "=" not in word


def name_and_value(word: Word) -> tuple[str, str] | None:
    """Return the two parts of a `name=value` word, without quotes, or None for any other word."""
    name, equals, value = word.text.replace('"', "").partition("=")
    return (name, value) if name and equals else None


class _TrackForm(NamedTuple):
    track: Track
    before: str
    after: str = ""

    def value(self, text: str) -> str | None:
        start, end = len(self.before), len(text) - len(self.after)
        if end < start or text[:start].casefold() != self.before.casefold():
            return None
        if text[end:].casefold() != self.after.casefold():
            return None
        value = text[start:end]
        any_value = self.track.kind != "integer" or "=" in self.before  # "D{}" must not match "displaced"
        return value if any_value or re.fullmatch(r"[+-]?[0-9]+", value) else None


_LINE_FORMS: Mapping[Subject, str] = {
    "unit": "UNIT {}",
    "hex": "HEX {}",
    "hexside": "HEX|HEX {}",
    "box": "BOX {}",
    "army": "army NAME {}",
    "nation": "nation NAME {}",
    "side": "side NAME {}",
    "game": "{} in a separate line",
}
"""The form of a line that states a fact, by kind of subject."""


class Vocabulary:
    """The words that state facts, for each kind of subject.

    `shared`: the bare words of several tracks, with the names of the tracks. These words cannot be read.
    """

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tokens: dict[Subject, list[_TrackForm]] = {}
        self._beginning: dict[tuple[Subject, str], list[_TrackForm]] = {}
        self._known: dict[Subject, list[str]] = {}
        self._bare: dict[tuple[Subject, str], tuple[Track, str]] = {}
        self.shared: dict[tuple[Subject, str], list[str]] = {}
        self._by_name = {(track.on, track.name.casefold()): track for track in tracks.values()}
        for track in tracks.values():
            tokens = self._tokens.setdefault(track.on, [])
            before, slot, after = track.written.partition("{}")
            words: tuple[str, ...] = ()
            if track.written == "{}":
                words = track.values
            elif track.kind == "flag" and not slot:
                words = (track.written,)
            for word in words:
                key = track.on, word.casefold()
                if key in self._bare:
                    self.shared.setdefault(key, [self._bare[key][0].name]).append(track.name)
                self._bare[key] = track, word
            if not words:
                tokens.append(_TrackForm(track, before, after))
            names = [track.name, *words] if track.kind == "flag" else [track.name]
            tokens += [_TrackForm(track, f"{name}=") for name in names]  # the full form, allowed for every track

    def is_taken(self, on: Subject, text: str) -> bool:
        """Return whether a bare word would be read as a fact about a kind of subject, with an allowed value or not."""
        certain = text.removesuffix("?")
        tokens = self._find_forms(on, certain)
        return (on, certain.casefold()) in self._bare or any(token.value(certain) is not None for token in tokens)

    def _find_forms(self, on: Subject, text: str) -> list[_TrackForm]:
        letter = text.casefold()[:1]
        if (on, letter) not in self._beginning:
            tokens = self._tokens.get(on, ())
            self._beginning[on, letter] = [token for token in tokens if token.before.casefold()[:1] in ("", letter)]
        return self._beginning[on, letter]

    def read(self, on: Subject, word: Word) -> tuple[Track, Fact] | None:
        """Return the fact that a word states about a kind of subject, or None if it states none.

        Raises InputError if the track does not allow the value, or if several tracks have the bare word.
        """
        if word.quoted:
            return None
        text, assumed = (word.text[:-1], True) if word.text.endswith("?") else (word.text, False)
        key = on, text.casefold()
        if key in self._bare:
            if names := self.shared.get(key):
                hint = "write " + " or ".join(f"{name}={text}" for name in names)
                raise InputError(f"{text!r} can be a fact of {' or '.join(names)}", hint=hint)
            track, bare = self._bare[key]
            return track, Fact(track.kind == "flag" or track.parse(bare), assumed=assumed)
        for token in self._find_forms(on, text):
            if (value := token.value(text)) is not None:
                return token.track, Fact(token.track.parse(value), assumed=assumed)
        return None

    def whole(self, on: Subject) -> list[str]:
        """Return the words that state a fact about a kind of subject by themselves, without a value."""
        return sorted({word for (kind, _), (_, word) in self._bare.items() if kind == on})

    def known(self, on: Subject) -> list[str]:
        """Return the words that state facts about a kind of subject."""
        if on not in self._known:  # cached: each mistake in a position needs these words
            tokens = {track.written.replace("{}", "") for track, *_ in self._tokens.get(on, ())}
            self._known[on] = sorted({*tokens, *self.whole(on)} - {""})
        return self._known[on]

    def suggest(self, on: Subject, text: str, others: Iterable[str] = ()) -> str | Callable[[], str]:
        """Return the hint for a word that states no fact: the allowed values if it names a track, or else similar
        words.

        `others`: other words allowed there.
        """
        if track := self._by_name.get((on, text.casefold())):
            return f"state its value: {track.takes}"
        return format_suggestion(text, (*self.known(on), *others))

    def suggest_for(self, on: Subject, words: Sequence[Word], number: int) -> str | Callable[[], str]:
        """Return the hint for one of several words that states no fact.

        After a fact with several values, the word may be meant as a further value.
        """
        before = self.read(on, words[number - 1]) if number else None
        if before and before[0].kind == "choices":
            next_word = next((word.text for word in words[number:] if word.text != ","), "")
            if words[number].text == "," or next_word in before[0].values:
                next_value = next_word if next_word in before[0].values else "..."
                return f"write several values with + between them: {words[number - 1].text}+{next_value}"
        text = words[number].text.rstrip("?")
        return self._suggest_elsewhere(on, text) or self.suggest(on, text)

    def _suggest_elsewhere(self, on: Subject, text: str) -> str:
        kinds = [kind for kind in self._tokens if kind != on and self._is_fact(kind, text)]
        return f"write {' or '.join(_LINE_FORMS[kind].format(text) for kind in kinds)}" if kinds else ""

    def _is_fact(self, on: Subject, text: str) -> bool:
        tokens = (token for token in self._find_forms(on, text) if token.before)
        return (on, text.casefold()) in self._bare or any(token.value(text) is not None for token in tokens)


# --- lines ------------------------------------------------------------------------------------------------------------


_TYPOGRAPHIC_SIGNS = late_pattern("[\u201c\u201d\u2018\u2019\u2013\u2014]")
_SEMICOLON = late_pattern(r"(?:^|\s)[^\s=]+;\s")
_QUOTED_TEXT = late_pattern('"[^"]*"')


def check_signs(line: str, where: Callable[[int], Where | None] = lambda column: None) -> None:
    """Raise InputError for typographic characters of word processors, a semicolon, or a stray quotation mark.

    `where`: returns the place of a column, for the error.
    """
    if match := DIRECTION.search(line):
        hint = "type it again"
        raise InputError(f"{match[0]!a} is not allowed in notation", where=where(match.start() + 1), hint=hint)
    if match := _TYPOGRAPHIC_SIGNS.search(line):
        replacement = {"\u2013": "-", "\u2014": "-"}.get(match[0], '"')
        fault = f"{match[0]} is not allowed in notation"
        raise InputError(fault, where=where(match.start() + 1), hint=f"type {replacement} instead")
    if ";" in line and (match := _SEMICOLON.search(_QUOTED_TEXT.sub(lambda name: "x" * len(name[0]), line))):
        hint = "write a comma"
        raise InputError("a semicolon has no meaning in notation", where=where(match.end() - 1), hint=hint)
    if '""' in line:
        for name in _QUOTED_TEXT.finditer(line):
            if len(name[0]) > 2 and line.startswith('"', name.end()):
                hint = "leave it out; quotation marks only stand around a name"
                raise InputError("a name cannot contain a quotation mark", where=where(name.end()), hint=hint)
    if line.count('"') % 2:
        hint = 'put a name with spaces in quotes: "3 Train"'
        raise InputError("a quotation mark is not closed", where=where(line.rindex('"') + 1), hint=hint)


def strip_comment(line: str) -> str:
    """Return the line up to the first # outside quotes."""
    quoted = False
    if "#" not in line:
        return line.rstrip()
    for column, letter in enumerate(line):
        quoted ^= letter == '"'
        if letter == "#" and not quoted:
            return line[:column].rstrip()
    return line.rstrip()


def split_at_colon(text: str) -> tuple[str, str, str]:
    """Return the text before the first colon that ends a word, the colon, and the text after it.

    A colon within quotes does not count. Without a colon, the last two texts are "".
    """
    quoted = False
    if ":" not in text:
        return text, "", ""
    for column, letter in enumerate(text):
        quoted ^= letter == '"'
        if letter == ":" and not quoted and text[column + 1 : column + 2] in ("", " "):
            return text[:column], ":", text[column + 1 :]
    return text, "", ""


def split_at_commas(words: list[Word]) -> Iterator[list[Word]]:
    """Yield the words between the commas of a line."""
    part: list[Word] = []
    for word in words:
        if word.text == "," and not word.quoted:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def split_names(words: list[Word]) -> tuple[list[Word], list[Word]]:
    """Return the names at the beginning of a line, which commas separate, and the words after them."""
    names, rest = words[:1], words[1:]
    while len(rest) > 1 and rest[0].text == ",":
        names.append(rest[1])
        rest = rest[2:]
    return names, rest


def split_ratings(word: Word, names: Sequence[str], where: Callable[[int], Where]) -> Iterator[Word]:
    """Yield the ratings in `(10-?-5-10)` as facts by name.

    A ? alone states nothing; a ? after a value marks an assumption.

    `names`: the ratings in the order of the brackets.

    Raises InputError if a rating is missing.
    """
    parts = word.text.strip("()").split("-")
    if not word.text.endswith(")") or len(parts) != len(names):
        hint = f"write ({'-'.join(names)}), with ? for what is not needed"
        raise InputError(f"{word.text} does not fit the ratings", where=where(word.column), hint=hint)
    column = word.column + 1
    for name, part in zip(names, parts, strict=True):
        if not part.strip():
            raise InputError(
                f"{name} is missing in {word.text}", where=where(column), hint="write ? for an unknown one"
            )
        if part.strip() != "?":
            yield Word(f"{name}={part.strip()}", column)
        column += len(part) + 1
