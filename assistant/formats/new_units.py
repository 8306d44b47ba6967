"""New units in position notation: which names may make one, and suggestions for mistyped words.

A name in quotes is always a name. Without quotes only an ID can be new: `99/9`, `36r/1R` or `22+24/1`. Any other
unknown word is a mistake and never makes a unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from ..game.games import Game
from ..state.tracks import Subject, Track
from ..state.words import OFF_MAP, Vocabulary, Word
from ..util.errors import InputError, UnknownWord, nearest, nearest_names, quoted, similar
from ..util.patterns import late_pattern
from ..util.texts import folded, has_word

_UNIT_NAME = late_pattern(r"[0-9]+[A-Za-z]*(?:\+[0-9]+[A-Za-z]*)*/[0-9]*[A-Za-z]*")
_ORDINAL = late_pattern(r"\b([0-9]+)(?:st|nd|rd|th)\b")
"""A number with its ending: `6th`."""
_MIN_BEGINNING_LETTERS = 3
"""Minimum length of a word whose beginning is compared with names of units."""
_MIN_TITLE_WORD_LETTERS = 5
"""Minimum length of a word that is sought in titles."""
_PLAYERS_WORDS = {"brigade": "X", "division": "XX", "corps": "XXX", "army": "XXXX", "hq": "headquarters"}
"""The sizes and arms that players write out, in the words of the game."""
_RATINGS = late_pattern(r"\(?[0-9?]*(?:-[0-9?]*)+\)?|[0-9?]+")


def may_be_new(name: Word) -> bool:
    """Return whether a word that names no known unit may name a new one."""
    return name.quoted or (bool(_UNIT_NAME.fullmatch(name.text)) and not name.text.endswith("/"))


class NoLine(UnknownWord):
    """The error for a word that begins no line."""


def no_line(words: Sequence[Word], game: Game, arrives: str, known: Iterable[str]) -> NoLine:
    """Return the error for words that cannot begin a line, with a hint.

    The hint names a unit of the roster, a track of the game, a fact about a unit or a similar word.

    `arrives`: the track of a unit's turn of arrival, or "" if the game has none.
    `known`: words that may begin a line.
    """
    word = words[0].text
    track = game.tracks.get(words[0].text.casefold())
    later = f", or give its turn: {arrives}=TURN" if arrives else ""
    place = f"it is not on the map yet; place it: HEX: {quoted(word)}{later}"
    hint: str | Callable[[], str] = f"{place}; if it is eliminated: {OFF_MAP}: {quoted(word)}"
    if word == OFF_MAP:
        hint = f"units off the map stand behind a colon; write: {OFF_MAP}: UNIT, UNIT"
    elif word not in game.roster:
        hint = how_to_state(track, words[1:]) if track else partial(_suggest_instead, words, game, known)
        if any(one.on == "unit" and word.casefold() in one.values for one in game.tracks.values()):
            hint = f"it is a fact about a unit; write: UNIT {word}, or HEX: {word} UNIT"
        if words[1:] and (kind := _find_owner_kind(word.casefold(), words[1], game)):
            hint = f"a fact about a {kind} has that word before it; write: {kind} {word} {words[1].text}"
    unknown = NoLine(f"a line cannot begin with {word!r}", hint=hint)
    unknown.names_units = True
    return unknown


def _find_owner_kind(word: str, fact: Word, game: Game) -> str:
    """Return "side" or "nation" if a word names one and the next word is a fact about it, or ""."""
    track = game.tracks.get(fact.text.partition("=")[0].casefold())
    nations = {nation for some in game.file.sides.values() for nation in some}
    known = {"side": game.file.sides, "nation": nations}
    return track.on if track and word in known.get(track.on, ()) else ""


def how_to_state(track: Track, words: Sequence[Word]) -> str:
    """Return a hint on the form of a fact, for a track's name typed alone or before its value."""
    if words:
        with suppress(InputError):
            return f"did you mean {track.word(track.parse(words[0].text))}?"
    return f"write {track.name}=... ({track.takes})"


def _suggest_instead(words: Sequence[Word], game: Game, known: Iterable[str]) -> str:
    """Return a hint for a line whose first word can begin no line."""
    word = words[0].text
    near = nearest(word, known)
    titled = [] if near else _find_titled(word, game)
    meant = f"did you mean {' or '.join(titled)}?" if titled else ""
    asked = _suggest_question_for_all(words, game) or near or meant or _suggest_question(word, game)
    return asked or "a line begins with a place, a unit or a fact about the game"


def not_a_unit(
    name: Word, game: Game, vocabulary: Vocabulary, units: Collection[str], between: Sequence[str] = ()
) -> InputError:
    """Return the error for a word that is neither a unit nor a fact about one.

    `between`: words about a hexside that may occur there as well.
    """
    rated = game.file.notation.brackets
    text = name.text
    if rated and _RATINGS.fullmatch(text):
        slashed = text.replace("-", "/")
        return _ratings_error(text, game, slashed if slashed != text and slashed in units else "")
    likely = _find_likely_facts(text, game)
    certain = likely or _find_titled(text, game)
    near = dict.fromkeys(certain or _find_similar(text, game, vocabulary, units, between))
    meant = [word for word in near if word.casefold() != text.casefold()][:3]
    if placed := _suggest_place(text, game):
        return InputError(f"{text!r} is not a unit or a fact about one", hint=placed)
    same = [quoted(unit) for unit in dict.fromkeys(units) if _fold_name(unit) == _fold_name(text)]
    alike = same or suggest_units(text, units)
    if alike:
        meant = alike[:3]
    new = f'put a new unit in quotes: "{text}"' if "=" not in text and '"' not in text else ""
    new = "" if certain and not likely and not alike else new  # a known word in the wrong place, not a new unit
    if not (alike or certain) and (question := _suggest_question(text, game)):
        hint = "; ".join(filter(None, (question, new)))
    elif meant:
        hint = " ".join(filter(None, (f"did you mean {' or '.join(meant)}?", new)))
    else:
        hint = "; ".join(filter(None, ("" if "=" in text else _list_ground(game), new)))
    return InputError(f"{text!r} is not a unit or a fact about one", hint=hint)


def not_a_fact(
    words: Sequence[Word], number: int, on: Subject, subject: str, game: Game, vocabulary: Vocabulary
) -> UnknownWord:
    """Return the error for a word that states no fact about a subject.

    `on`: the kind of the subject.
    """
    word = words[number]
    hint: str | Callable[[], str] = partial(_suggest_words, words, number, on, game, vocabulary)
    if word.quoted or word.text in game.roster:
        if on == "unit":
            hint = "separate the units of a place with commas"
        elif on == "hex":
            hint = f"put a colon between the hex and its units: {subject}: {quoted(word.text)}"
    return UnknownWord(f"{word.text!r} is not a fact about {'an' if on == 'army' else 'a'} {on}", hint=hint)


def _suggest_words(words: Sequence[Word], number: int, on: Subject, game: Game, vocabulary: Vocabulary) -> str:
    hint = vocabulary.suggest_for(on, words, number)
    return (hint if isinstance(hint, str) else hint()) or _list_ground(game, on)


def suggest_units(text: str, units: Collection[str]) -> list[str]:
    """Return the units, as typed, whose names begin with a text, or contain it if it mixes letters and digits."""
    begins = _fold_name(text)
    if not begins.isalpha():
        return [quoted(unit) for unit in units_called(text, units)] if may_be_run_together(text) else []
    if len(begins) < _MIN_BEGINNING_LETTERS:
        return []
    return [quoted(unit) for unit in dict.fromkeys(units) if _fold_name(unit).startswith(begins)]


def units_called(text: str, units: Iterable[str]) -> list[str]:
    """Return the units whose names contain a text, with or without its blanks, preferably at their end.

    `1 c` and `1c` mean German 1 c and Russian 1 c, `20train` means Russian 20 Train.
    """
    part = _fold_name(_ORDINAL.sub(r"\1", text))
    words_of = {unit: words for unit in units if part in "".join(words := folded(unit).split())}
    ending = [unit for unit, words in words_of.items() if part in _list_runs(words, from_end=True)]
    return sorted(ending or (unit for unit, words in words_of.items() if part in _list_runs(words)))


def _list_runs(words: Sequence[str], *, from_end: bool = False) -> Iterator[str]:
    """Yield each run of consecutive words, joined without blanks."""
    for start in range(len(words)):
        for end in range(len(words) if from_end else start + 1, len(words) + 1):
            yield "".join(words[start:end])


def may_be_run_together(word: str) -> bool:
    """Return whether a word of letters and digits may be part of a name whose blanks were left out."""
    return word.isalnum() and not word.isalpha() and not word.isdecimal()


def _ratings_error(text: str, game: Game, unit: str) -> InputError:
    """Return the error for a row of numbers that does not fit the ratings.

    `unit`: the unit with a similar name, or "".
    """
    rated = game.file.notation.brackets
    parts = text.strip("()").split("-")
    usual = f"ratings are {'-'.join(rated)}, with ? for any not needed"
    if len(parts) == 1:
        usual = f"ratings are {'-'.join(rated)}, with - between them and ? for any not needed"
    if unit:
        usual = f"did you mean {unit}? {usual}"
    elif meant := suggest_ratings(text, game):
        usual = f"did you mean {' or '.join(meant)}? {usual}"
    count = f"{len(parts)} values" if len(parts) > 1 else "one value"
    return InputError(f"{text} is not a unit, and has {count} where there are {len(rated)} ratings", hint=usual)


def suggest_ratings(text: str, game: Game) -> list[str]:
    """Return the likely ratings for a row with one rating or one hyphen too few.

    The list is empty if several completions with a hyphen are possible.
    """
    rated = game.file.notation.brackets
    parts = text.strip("()").split("-")
    if not (1 < len(parts) < len(rated) and parts[0]):
        return []
    whole = [part or "?" for part in parts]
    meant = []
    without_second = [parts[0], "", *parts[1:]]
    if len(without_second) == len(rated) > 3 and all(parts) and _are_ratings(without_second, game):
        form = "-".join((rated[0], *rated[2:]))  # most units in a combat need no second value
        meant.append(f"`{'-'.join(without_second)}` ({form})")
    without_last = [*whole, *["?"] * (len(rated) - len(parts))]
    if _are_ratings(without_last, game):
        meant.append(f"`{'-'.join(without_last)}`")
    if meant or len(parts) != len(rated) - 1:
        return meant
    split = [
        [*whole[:at], part[:end], part[end:], *whole[at + 1 :]]
        for at, part in enumerate(whole)
        for end in range(1, len(part))
    ]
    possible = [ratings for ratings in split if _are_ratings(ratings, game)]
    return [f"`{'-'.join(ratings)}`" for ratings in possible] if len(possible) == 1 else []


def _are_ratings(values: Sequence[str], game: Game) -> bool:
    """Return whether a unit may have these ratings. An empty value or `?` stands for any value."""
    for name, value in zip(game.file.notation.brackets, values, strict=True):
        if value in ("", "?"):
            continue
        if len(value) > 1 and value[0] == "0":
            return False
        try:
            game.track(name).parse(value)
        except InputError:
            return False
    return True


def _fold_name(text: str) -> str:
    return folded(text).replace(" ", "")


def _find_likely_facts(text: str, game: Game) -> list[str]:
    """Return the facts that a word may mean, as typed, because a track or value has that name in another spelling."""
    meanings = []
    parts = re.fullmatch(r"(.*?)=?([+-]?[0-9]*)", text.casefold(), re.DOTALL)
    assert parts, "any text fits"
    name, number = parts.groups()
    for track in game.tracks.values():
        where = _format_subject(track)
        if track.name == name and track.kind == "integer":
            meanings.append(track.written.replace("{}", _choose_allowed(track, number)) + where)
        elif name not in game.tracks:
            names = {text.casefold(), _PLAYERS_WORDS.get(name, "").casefold()}
            meanings += [track.word(value) + where for value in track.values if value.casefold() in names]
    return meanings


def _suggest_place(text: str, game: Game) -> str:
    """Return the hint for a fact in the wrong place, with its correct form, or "" for another word."""
    for track in game.tracks.values():
        before = {"hex": "HEX ", "hexside": "HEX|HEX ", "box": "BOX ", "game": ""}.get(track.on, f"{track.on} NAME ")
        values = (True,) if track.kind == "flag" else track.values
        if track.on != "unit" and any(track.word(value).casefold() == text.casefold() for value in values):
            return (
                f"it is a fact{_format_subject(track).replace(' (', ' ').rstrip(')')}; type it in a separate line: "
                f"{before}{text}"
            )
    return ""


def _find_titled(text: str, game: Game) -> list[str]:
    """Return up to three facts, as typed, with a word in a value, or else in a name or title."""
    if len(text) < _MIN_TITLE_WORD_LETTERS or not text.isalpha():
        return []
    has = has_word(text)
    valued: list[str] = []
    for track in game.tracks.values():
        values = [value for value in track.values if "-" in value and text in value.split("-")]
        if values:
            valued.append(f"{' or '.join(map(track.word, values))}{_format_subject(track)}")
    if valued:
        return valued[:3]
    named = game.tracks.get(text.casefold())
    tracks = [named] if named else [track for track in game.tracks.values() if has(track.name) or has(track.title)]
    return [f"{_write_example(track)}{_format_subject(track)}" for track in tracks[:3]]


def _suggest_question(text: str, game: Game) -> str:
    """Return a text with the question that answers a word by the game's wishes, or "" if there is none."""
    if len(text) < _MIN_TITLE_WORD_LETTERS or not text.isalpha():
        return ""
    has = has_word(text)
    for wish, question in game.file.wishes.items():
        if has(wish):
            return f"`{question.partition(':')[0]}` answers: {wish}"
    return ""


def _suggest_question_for_all(words: Sequence[Word], game: Game) -> str:
    """Return a text with the question that answers all of several words by the game's wishes, or ""."""
    texts = [word.text.rstrip("?") for word in words]
    if len(texts) > 1 and all(text.isalpha() for text in texts):
        has_each = [has_word(text) for text in texts]
        for wish, question in game.file.wishes.items():
            if all(has(wish) for has in has_each):
                return f"`{question.partition(':')[0]}` answers: {wish}"
    return ""


def _write_example(track: Track) -> str:
    """Return a fact as typed, with an allowed value for a number."""
    if track.kind == "flag":
        return track.word(True)
    return track.written.replace("{}", _choose_allowed(track, "") if track.kind == "integer" else "...")


def _format_subject(track: Track) -> str:
    """Return the kind of a fact's subject in brackets, as ` (about a hex)`, or "" for a unit."""
    return "" if track.on == "unit" else f" (about {_SUBJECT_NAMES.get(track.on, f'a {track.on}')})"


def _choose_allowed(track: Track, number: str) -> str:
    """Return a number that a track allows: the one typed, 1, -1 or an end of its range."""
    ends = (str(end) for end in (track.least, track.most) if end is not None)
    for candidate in (number, "1", "-1", *ends):
        with suppress(InputError):
            return str(track.parse(candidate))
    return "0"


_SUBJECT_NAMES = {"game": "the game", "army": "an army"}


def _find_similar(
    text: str, game: Game, vocabulary: Vocabulary, units: Collection[str], between: Sequence[str]
) -> list[str]:
    """Return the known words and units that resemble a text, words about a hexside first."""
    named = units if len(text) >= _MIN_BEGINNING_LETTERS else ()  # a short text resembles many names
    known = {folded(name): name for name in (*vocabulary.known("unit"), *vocabulary.whole("hex"), *named)}
    meant = folded(text.rstrip("?"))
    near = [*similar(meant, between, 0.6, 1), *(known[name] for name in nearest_names(meant, known))]
    numbered = {track.written.replace("{}", ""): track for track in game.tracks.values() if track.kind == "integer"}

    def write(name: str) -> str:
        if name.endswith("="):
            return f"{name}..."
        return _write_example(numbered[name]) if name in numbered else quoted(name)

    return [write(name) for name in dict.fromkeys(near)]


def _list_ground(game: Game, on: Subject = "hex") -> str:
    """Return a hint with the kinds of terrain or hexsides, or "" for another subject or without a list."""
    picture = game.file.picture
    shown = {"hex": picture.terrain, "hexside": picture.barrier}.get(on, "")
    track = game.tracks.get(shown)
    return f"{track.name} is {', '.join(track.values)}" if track and track.values else ""
