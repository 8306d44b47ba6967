"""Which track of a game is meant by a name in a module, and which word of position notation by one of its values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from .....game.games import Game
from .....state.tracks import Subject, Track
from .....util.errors import InputError
from .....util.patterns import late_pattern
from .....util.texts import folded
from ..meanings import Meanings
from .likeness import Token, has, has_all, likeness, tokens

ALIKE = 0.7
"""How alike a name and a track must be at least to be the same."""
SAME = 0.85
"""How alike they must be to be the same for sure."""
_CLEAR = 0.1
"""How much more alike than the next one it must be."""
_NO = ("0", "no", "false", "off", "none")
"""Texts that deny a flag."""
NUMBER = late_pattern(r"[0-9]{1,3}")


class TrackNames:
    """The tracks of a game by what they are called."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.meanings = Meanings(game)
        self.called = {track.name: tuple(map(tokens, _list_titles(track))) for track in game.tracks.values()}
        self._by_word: dict[str, set[str]] = defaultdict(set)
        """By each word in what a track is called, or in a value of it that is a choice, the tracks; by "" those with a
        value without words.
        """
        for track in game.tracks.values():
            values = [tokens(value) for value in track.values]
            for word in chain.from_iterable(chain.from_iterable((*self.called[track.name], *values))):
                self._by_word[word].add(track.name)
            if () in values:
                self._by_word[""].add(track.name)

    def tracks(self, on: Sequence[Subject], *, printed: bool = False) -> list[Track]:
        """Return the tracks of some kinds of subjects that a piece may show. printed: also those printed on counters."""
        known = self.game.tracks.values()
        return [
            candidate
            for candidate in known
            if candidate.on in on and (candidate.printed is None or (printed and candidate.printed == "counter"))
        ]

    def track(
        self, name: str, on: Sequence[Subject], *, printed: bool = False, counts: bool = False
    ) -> tuple[Track, float] | None:
        """Return the one track that a name is most like, and how much; None if none is, or several are.

        printed: as for `tracks`; counts: leaves out flags, for what has numbers.
        """
        plain = folded(name).replace("_", "-")
        mine = tokens(name)
        tracks = [track for track in self.tracks(on, printed=printed) if not (counts and track.kind == "flag")]
        if (same := next((track for track in tracks if track.name == plain), None)) is not None:
            return same, 1.0
        return _find_best(
            [(likeness(mine, *self.called[track.name]), track) for track in self._find_named(mine, tracks)]
        )

    def find_by_values(self, values: Sequence[str], on: Sequence[Subject]) -> Track | None:
        """Return the one track of which most of some texts name a value each, of those with the same values the first;
        None if none has two of them.
        """
        named = [
            (sum(bool(_find_named_values(candidate, tokens(text))) for text in values), candidate)
            for candidate in self._find_named([token for text in values for token in tokens(text)], self.tracks(on))
            if candidate.kind == "choice"
        ]
        ranked = sorted(named, key=lambda pair: -pair[0])
        if not ranked or ranked[0][0] < 2:
            return None
        most, first = ranked[0]
        return first if all(track.values == first.values for named, track in ranked if named == most) else None

    def word(self, text: str, on: Sequence[Subject], track: Track | None = None) -> str:
        """Return the word of notation that a text stands for, "" if none is found. track: the one that it is about, if
        known.
        """
        plain = text.strip(" +()[]")
        if not plain:
            return ""
        if track is not None:
            return write_scalar(track, plain)
        try:
            track_stated, fact = self.meanings.fact(plain.casefold(), on)
            return track_stated.word(fact.value) if track_stated.kind != "text" and track_stated.printed is None else ""
        except InputError:
            return self._by_name(plain, on)

    def _find_named(self, text: Sequence[Token], tracks: Iterable[Track]) -> list[Track]:
        """Return the tracks to which a text can be like at all: they, or a value of theirs, share a word with it."""
        named = set().union(*(self._by_word.get(word, ()) for word in ("", *chain.from_iterable(text))))
        return [track for track in tracks if track.name in named]

    def _by_name(self, text: str, on: Sequence[Subject]) -> str:
        """Return the word for a text that names a track and one of its values, or a flag."""
        mine = tokens(text)
        likely: list[tuple[float, tuple[Track, str]]] = []
        for track in self._find_named(mine, self.tracks(on)):
            called = self.called[track.name]
            if track.kind == "flag":
                alike = likeness(mine, *called)
                likely.append((alike if alike >= SAME else 0.0, (track, track.word(True))))
            elif track.kind in ("choice", "choices"):
                for value in _find_named_values(track, mine):
                    rest = [token for token in mine if not has(tokens(value), token)]
                    word = track.word((value,) if track.kind == "choices" else value)
                    likely.append((likeness(rest, *called), (track, word)))
            elif track.kind == "integer" and (number := NUMBER.search(text)):
                rest = [token for token in mine if str(int(number[0])) not in token]
                likely.append((likeness(rest, *called), (track, write_number(track, int(number[0])))))
        best = _find_best(likely)
        return "" if best is None else best[0][1]


Ranked = TypeVar("Ranked")


def _find_best(likely: Sequence[tuple[float, Ranked]]) -> tuple[Ranked, float] | None:
    """Return what is most alike, and how much; None if nothing is alike enough, or two are nearly as much so."""
    ranked = sorted(likely, key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < ALIKE or (len(ranked) > 1 and ranked[1][0] > ranked[0][0] - _CLEAR):
        return None
    return ranked[0][1], ranked[0][0]


def _find_named_values(track: Track, text: Sequence[Token]) -> list[str]:
    """Return the values of a track of words that a text names."""
    return [value for value in track.values if has_all(text, tokens(value))]


def _list_titles(track: Track) -> Iterator[str]:
    """Yield what a track is called: its name, its title, what its counters and menus say."""
    yield track.name
    yield re.sub(r"\(.*?\)|:.*", "", track.title)
    if track.module is not None:
        yield from track.module.menu


def write_scalar(track: Track, text: str) -> str:
    """Return the word for the value of a track that a text names, "" if it names none."""
    mine = tokens(text)
    if track.kind == "flag":
        return "" if text.casefold() in _NO else track.word(True)
    if track.kind in ("choice", "choices"):
        named = _find_named_values(track, mine)
        return track.word((named[0],) if track.kind == "choices" else named[0]) if len(named) == 1 else ""
    number = NUMBER.search(text)
    return write_number(track, int(number[0])) if number and track.kind == "integer" else ""


def write_number(track: Track, number: int) -> str:
    """Return the word for a number of a track that may count downwards, "" for none and for one that is not allowed."""
    value = -number if track.most is not None and track.most <= 0 else number
    try:
        return "" if value == track.absent else track.word(track.check(value))
    except InputError:
        return ""
