"""Words for what code names: constants, local names, yes and no."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...state.tracks import Track
from ..rulings import Ruling
from . import phrases


class Unsayable(Exception):
    """Some code that has no words. The message names it."""


class ProofFact(NamedTuple):
    """A phrase of a condition, and what it rests on."""

    name: str
    """The phrase."""
    read: str
    """The way in which the code reads it, or "" if that is not shown."""
    place: str = ""
    """The function that works it out, with its module and line, if `read` is ""."""


class Words(NamedTuple):
    """What a game's files say that code only names."""

    tracks: Mapping[str, Track]
    rulings: Mapping[str, Ruling]


MAX_LITERALS = 8
"""The maximum number of constants that are listed one by one."""
MEMBERS = {
    "at": "hex",
    "here": "hex",
    "there": "hex",
    "who": "nation",
    "most": "maximum",
    "each": "thing",
    "own": "thing",
    "other": "other one",
}
"""What a member of several is called whose name is no noun."""
PLACES = {
    "here": "this hex",
    "there": "that hex",
    "at": "the hex",
    "to": "the hex that it goes to",
    "end": "its last hex",
    "last": "the last of them",
    "first": "the first of them",
    "who": "the one asked about",
    "of": "the one asked about",
    "now": "the present",
    "name": "the one named",
    "it": "it",
    "by": "the mover",
    "before": "what was before",
    "after": "what comes after",
    "most": "the maximum",
    "least": "the minimum",
}
"""Names that are no nouns."""
NO_NOUNS = (
    *(
        "by",
        "over",
        "around",
        "of",
        "it",
        "who",
        "asked",
        "off",
        "own",
        "now",
        "found",
        "chosen",
        "left",
        "first",
        "last",
    ),
    *("at", "here", "there", "to", "before", "after", "held", "given", "one", "other", "these", "those"),
)
"""Names that are said by their class instead."""


def say_constant(value: object) -> str:
    """Return a constant as a player reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        plain = re.fullmatch(r"[\w./+-]+", value) and "_" not in value
        return value if plain and value != "None" else f'"{value}"'
    return str(value)


def say_flag(noun: str, *, holds: bool) -> str:
    """Return that a yes or no is yes, or no, by its name alone."""
    words = noun.removeprefix("the ")
    if re.match(r"(?:is|has|may|can|must|are|was) \w", words):
        said = f"it {words}"
        return said if holds else phrases.deny(said)
    return f"{words}: {'yes' if holds else 'no'}"


def short_title(track: Track) -> str:
    """Return the title of a track without what stands in brackets."""
    return track.title.partition(" (")[0]


def say_neither(words: list[str]) -> str:
    """Return that a thing is none of several."""
    return f"not {words[0]}" if len(words) == 1 else f"neither {phrases.listed(words, 'nor')}"


def name_thing(name: str) -> str:
    """Return what a name of the code names, with its article."""
    words = phrases.name_in_words(name)
    if words in PLACES:
        return PLACES[words]
    return f"the {words}"


def put_the(words: str) -> str:
    """Return a thing with an article."""
    return words if words.startswith(("the ", "its ")) else f"the {words}"


def put_article(words: str) -> str:
    """Return a thing with an indefinite article."""
    return f"{phrases.article_of(words)} {words}"


def drop_article(words: str) -> str:
    """Return a thing without its article."""
    return words.removeprefix("the ").removeprefix("each ") if words.startswith(("the ", "each ")) else words
