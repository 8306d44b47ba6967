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
PLACES = {
    "here": "this hex",
    "there": "that hex",
    "at": "the hex",
    "to": "the hex that it goes to",
    "end": "its last hex",
    "now": "the present",
    "it": "it",
    "name": "the one named",
    "by": "the mover",
    "each": "the one",
    "most": "the maximum",
    "least": "the minimum",
}
"""Names that are no nouns, with what they stand for."""


def _list_words(text: str) -> list[str]:
    return text.split()


QUALIFIERS = frozenset(
    _list_words("""
first last other own chosen named left found given held asked final next rear one some second third now old
new nearest adjacent moved dropped picked
""")
)
"""Names that tell one thing of a kind from the others."""
_NOT_NOUNS = frozenset(
    _list_words("""
abandoned able about abroad absorbed achieved across activated active added after again agreed allowed alone
along also announced any anybody anyones apart arrives aside away back bar bare barred became before began
begins begun behind below beside besides between beyond black both bound bridged built busy by called came
captured certain changed charged closed combined come comes coming compiled complete concealed converted could
counted crossed dated defended demoralized deserted disturbed does doing doings done double doubled due during
early elsewhere emplaced ended enough entered entrained entrenched every everybody exchanged extended extra
far fed few fits forced foreign fought free freed full gave gives goes going gone got guarded half has hidden
hostile how idle immobile inside is isolated joined kept kin known lacking laid landing large late lately
later led lent less lies like listed looks lost lowest made many may met missing mix more moves moving much
multiple must narrow natural near nearer needed negated neutral never none noted nothing occupied of off
offered olds on once only open opens orderly others out outside over overlapping owed owned pairwise passed
paid phasing pinning prepared railed ranked reached reaches reaching read reading real recorded reduced
released reserved retreated rolled said same scheduled served settled several shaken shared sheltered shelters
short shown shut silent since small so sound spared spares spent standing stated stays still strong such sud
supplied sure surrenders taken takes taking telling than that their them then these they this those through
thrown tied to told too top touching turned typed unable under unknown unless unsettled unstated until up used
usual via void voluntary waiting waits walking wanted wanting was weak weighted west what when whence where
whether which white who whole whose why wider wide with withdrawn withheld within without words worked worn
would wrong
""")
)
"""Words by which the code names things and that are no nouns."""
_VERBS = ("find ", "read ", "list ", "get ", "make ", "build ", "choose ", "collect ", "show ", "format ", "write ")
_AUXILIARIES = ("is ", "has ", "may ", "can ", "must ", "are ", "was ")
_PREPOSITIONS = frozenset(_list_words("by over around of it who before after each"))
"""Names that are said by the class of what they stand for."""


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
    words = noun.removeprefix("the ").strip('"')
    if re.match(r"(?:is|has|may|can|must|are|was) \w", words):
        said = f"it {words}"
        return said if holds else phrases.deny(said)
    return f'"{words}" {"holds" if holds else "does not hold"}'


def short_title(track: Track) -> str:
    """Return the title of a track without what stands in brackets."""
    return track.title.partition(" (")[0]


def say_neither(words: list[str]) -> str:
    """Return that a thing is none of several."""
    if words[0] == "not stated":
        others = words[1:]
        return f"stated to be other than {phrases.listed(others, 'or')}" if others else "stated"
    return f"not {words[0]}" if len(words) == 1 else f"neither {phrases.listed(words, 'nor')}"


def name_thing(name: str, kind: str = "") -> str:
    """Return what a name of the code names, with its article, or in quotation marks if it is no noun.

    `kind`: the name of its class, or "" if that is unknown.
    """
    words = phrases.name_in_words(name)
    if kind and words in QUALIFIERS:
        return f"the {words} {phrases.name_in_words(kind)}"
    if kind and words in _PREPOSITIONS:
        return f"the {phrases.name_in_words(kind)}".replace("the side field", "the side's field")
    if words in PLACES:
        return PLACES[words]
    words = next((words.removeprefix(verb) for verb in _VERBS if words.startswith(verb)), words)
    if words.startswith("count "):
        return f"the number of {words.removeprefix('count ')}"
    if words.startswith(_AUXILIARIES):
        return f"the {words}"
    first = words.split(" ", 1)[0]
    if (
        words in _NOT_NOUNS
        or words in _PREPOSITIONS
        or (first in _NOT_NOUNS and first not in QUALIFIERS)
        or (words in QUALIFIERS)
    ):
        return f'"{words}"'
    return f"the {words}"


def put_the(words: str) -> str:
    """Return a thing with an article."""
    return words if words.startswith(("the ", "its ", '"')) else f"the {words}"


def put_article(words: str) -> str:
    """Return a thing with an indefinite article."""
    return f"{phrases.article_of(words)} {words}"


def drop_article(words: str) -> str:
    """Return a thing without its article."""
    return re.sub(r"^(?:the|each|an?) ", "", words)
