"""The different pieces of a module, how alike two names are, and which piece is which unit: by numbers and words of its
name, of its picture and of the palette it stands in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from .....game.games import Game
from .....state.tracks import STRENGTH, Track
from .....util.datafiles import read_toml
from .....util.texts import folded
from ...modules import Module
from ...pieces import Piece
from ..legend import all_properties, name_of, names_of, picture_of
from ..mapping import LONGEST, kind_of

SURE, LIKELY, GUESS = "sure", "likely", "guess"


class Proposal(NamedTuple):
    """An entry of a section: its name, its value, how sure that is, and why.

    sure: "" for an entry that is left to the player, which the file has as a comment.
    """

    name: str
    value: Any
    sure: str = ""
    why: str = ""


Token = frozenset[str]
"""A word of a name, in each way in which it may be meant: XX is `xx`, `20` and `division`."""

_WORDS = re.compile(r"[0-9]+|[^\W0-9_]+")
_ORDINAL = re.compile(r"(?<=[0-9])(st|nd|rd|th)\b", re.IGNORECASE)
_ROMAN = re.compile(r"(?=[IVXLC])(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_TENS = {"XC": 90, "XL": 40}
_ONES = {"IX": 9, "IV": 4}
_NOISE = {*_WORDS.findall("of the be and in at a is to by it unit marker png jpg gif svg")}
_LONGEST = 200
"""The most letters of a name that are looked at."""


class _Abbreviations(NamedTuple):
    """words: what an abbreviation stands for, by it; compounds: what one word stands for as several."""

    words: dict[str, frozenset[str]]
    compounds: dict[str, tuple[str, ...]]


@cache
def _abbreviations() -> _Abbreviations:
    raw = read_toml(
        files(__package__).joinpath("abbreviations.toml"), dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]]
    )
    words: dict[str, set[str]] = {}
    compounds: dict[str, tuple[str, ...]] = {}
    for word, short in raw.items():
        if isinstance(short, dict):
            compounds |= short
        else:
            for small in short:
                words.setdefault(small, set()).add(word)
    return _Abbreviations({abbreviation: frozenset(long) for abbreviation, long in words.items()}, compounds)


@cache
def plain_words(text: str) -> tuple[str, ...]:
    """The words and numbers of a name as they are written, whatever stands between them: two names with the same ones
    are the same.
    """
    return tuple(map(folded, _WORDS.findall(text[:_LONGEST])))


@cache
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a name, without those that say nothing."""
    plain = _ORDINAL.sub(
        " ",
        text[:_LONGEST]
        .replace("A-H", "AH")
        .replace("ustro-Hungarian", "ustrohungarian")
        .replace("ustro-hungarian", "ustrohungarian"),
    )
    words = _WORDS.findall(re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", plain))
    telling = [word for word in words if folded(word) not in _NOISE] or words
    return tuple(token for word in telling for token in _tokens(word))


def _tokens(word: str) -> Iterator[Token]:
    small = folded(word)
    if parts := _abbreviations().compounds.get(small):
        yield from map(_meant, parts)
    else:
        yield _meant(small, _roman(word))


def _meant(small: str, number: int = 0) -> Token:
    plain = str(int(small)) if small.isascii() and small.isdecimal() else small
    return (
        frozenset({plain}) | _abbreviations().words.get(small, frozenset()) | ({str(number)} if number else frozenset())
    )


def _roman(word: str) -> int:
    """The number that a Roman numeral is, 0 for any other word; a single letter is one only if it is a capital."""
    match = _ROMAN.fullmatch(word.upper() if len(word) > 1 else word)
    if not match:
        return 0
    tens, ones = match.groups()
    return _TENS.get(tens, 50 * ("L" in tens) + 10 * tens.count("X")) + _ONES.get(
        ones, 5 * ("V" in ones) + ones.count("I")
    )


def is_number(token: Token) -> bool:
    """Whether a word may be a number."""
    return any(sign.isdecimal() for sign in token)


def has(name: Iterable[Token], token: Token) -> bool:
    """Whether a word stands among others."""
    return any(not token.isdisjoint(other) for other in name)


def has_all(name: Iterable[Token], words: Iterable[Token]) -> bool:
    """Whether all of some words stand among others."""
    mine = tuple(name)
    return all(has(mine, word) for word in words)


def likeness(mine: Sequence[Token], *others: Sequence[Token]) -> float:
    """How alike a name is to several that mean one thing, from 0 to 1: by the part of its words that they have, and the
    part of theirs that it has.
    """
    if not mine:
        return 0.0
    if any(len(other) == len(mine) and has_all(other, mine) for other in others):
        return 1.0
    shared = sum(has((token for other in others for token in other), token) for token in mine) / len(mine)
    covered = max((sum(has(mine, token) for token in other) / len(other) for other in others if other), default=0.0)
    return 0.9 * (2 * shared + covered) / 3


_ENDING = re.compile(r"\.\w{1,4}$")


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker.

    key: how a mapping names it; title: what players call it; picture: its file, without its ending; piece: with its
    traits, prototypes replaced; own: the words of its name, or of its picture if it has none; around: those of the
    palette it stands in, of its properties and its picture; properties: by name; slots: the slots that hold it.
    """

    key: str
    title: str
    picture: str
    piece: Piece
    own: tuple[Token, ...]
    around: tuple[Token, ...]
    properties: Mapping[str, str]
    slots: tuple[str, ...]

    @property
    def named(self) -> str | list[str]:
        """How a mapping names it: one that only its slot tells from others by all slots that hold it."""
        slots = [f"#{slot}" for slot in self.slots if slot]
        return slots if self.key.startswith("#") and len(slots) > 1 else self.key


class _Looks(NamedTuple):
    """What pieces have in common that are one candidate."""

    name: str
    picture: str
    properties: tuple[tuple[str, str], ...]


def candidates(module: Module) -> list[Candidate]:
    """The different pieces of the palettes and of the module's own set-up; those of one name, picture and properties
    are one.

    A piece is named by its name, or by its picture or its slot where several have the same one.
    """
    by_looks: dict[_Looks, tuple[str, tuple[str, ...], Piece]] = {}
    slots: dict[_Looks, list[str]] = {}
    for title, path, piece in _pieces(module):
        properties = {name: value for name, value in all_properties(module.expanded(piece.traits)) if value}
        looks = _Looks(name_of(piece), picture_of(piece) or title, tuple(properties.items()))
        by_looks.setdefault(looks, (title or looks.name, path, piece))
        slots.setdefault(looks, []).append(piece.slot)
    names, pictures = (Counter(looks[part] for looks in by_looks) for part in (0, 1))
    listed = []
    for looks, (title, path, piece) in by_looks.items():
        name, picture, known_properties = looks
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = [text for text in names_of(expanded) if len(text) <= LONGEST]
        if name in known and names[name] == 1:
            key = name
        elif picture in known and pictures[picture] == 1:
            key = picture
        else:
            key = next((text for text in known if text.startswith("#")), known[0] if known else "")
        if not key or not key.isprintable():
            continue
        drawn = _ENDING.sub("", picture)
        own = tuple(dict.fromkeys(token for text in (name, title) if text != picture for token in tokens(text)))
        texts = (
            *path,
            *(trait.part(1) for trait in piece.traits if trait.kind == "prototype"),
            *((drawn,) if own else ()),
        )
        said = (token for _, value in known_properties for token in tokens(value) if not is_number(token))
        around = (*(token for text in texts for token in tokens(text)), *said)
        called = title or name or picture
        listed.append(
            Candidate(
                key, called, drawn, expanded, own or tokens(drawn), around, dict(known_properties), tuple(slots[looks])
            )
        )
    return listed


def piece_names(module: Module) -> tuple[str, ...]:
    """All names by which a mapping may call pieces of a module, those in decks too."""
    pieces = [piece for _, _, piece in _pieces(module)]
    pieces += [piece for start in module.starts if start.deck for piece in start.pieces]
    expanded = (piece._replace(traits=module.expanded(piece.traits)) for piece in pieces)
    return tuple(sorted({name for piece in expanded for name in names_of(piece)}))


def _pieces(module: Module) -> Iterator[tuple[str, tuple[str, ...], Piece]]:
    for slot in module.slots:
        yield slot.name, slot.path, slot.piece._replace(slot=slot.id or slot.piece.slot)
    for start in module.starts:
        if not start.deck:
            yield from (("", (), piece) for piece in start.pieces)


# --- units ------------------------------------------------------------------------------------------------------------

#: How much better than the next best a match must be.
_CLEAR = 0.4
_LEAST = 1.0
"""What a match must be worth to be named at all."""
_SAME = 100.0
"""What it counts that a piece is called exactly like a unit, or like its kind."""
_GUESSED = 2
"""How many odd words make a match a guess."""
_MOST_NAMED = 4
"""How many pieces are named of those that a unit may be."""


Words = Mapping[str, Mapping[str, tuple[Token, ...]]]
"""The words of the values of tracks, by track and value."""


class _Match(NamedTuple):
    """A piece that may be a unit.

    score: the higher the likelier; lacking: words of the unit's name that nothing on the piece tells; more: words of
    the piece that the unit does not account for; beside: whether the unit's number stands beside its name, in its
    palette or its picture, and not in it; vague: whether it has no more of the unit's name than counters of any game
    may have.
    """

    score: float
    lacking: int
    more: int
    beside: bool
    unit: str
    piece: Candidate
    vague: bool = False


class _UnitProfile(NamedTuple):
    """A unit as it is looked for.

    kind: what all units are called whose counters are like its own; name: the words of its name; values: by track, the
    words of what is printed on it; said: the words of its texts, such as its army; facts: its printed values.
    """

    id: str
    kind: str
    name: tuple[Token, ...]
    values: Mapping[str, tuple[Token, ...]]
    said: tuple[Token, ...]
    facts: Mapping[str, str]


def propose_units(game: Game, pieces: Sequence[Candidate], ratings: Mapping[str, str]) -> list[Proposal]:
    """A proposal for each unit of the roster: the one piece that fits it best, or the pieces among which nothing
    decides.

    ratings: the tracks printed on counters that properties of pieces state as text, by the property's name.
    """
    wanted = [_profile(game, unit) for unit in game.roster]
    words = {track.name: {value: tokens(value) for value in track.values} for track in _kinds(game)}
    by_word: dict[str, list[Candidate]] = {}
    by_name: dict[tuple[str, ...], list[Candidate]] = {}
    for piece in pieces:
        for word in {word for token in (*piece.own, *piece.around) for word in token}:
            by_word.setdefault(word, []).append(piece)
        for name in {*map(plain_words, (piece.key, piece.title, name_of(piece.piece)))} - {()}:
            by_name.setdefault(name, []).append(piece)
    called = _Namesakes(by_name, words, ratings)
    of_unit: dict[str, Sequence[_Match]] = {}
    of_piece: dict[str, dict[str, _Match]] = {}  # for each kind of unit the best
    for unit in wanted:
        matches = called.matches(unit)
        if matches is None:
            near = {id(piece): piece for word in _first(unit) for piece in by_word.get(word, ())}
            candidates = (_match(unit, piece, words, ratings) for piece in near.values())
            matches = [match for match in candidates if match is not None]
        of_unit[unit.id] = matches
        for match in matches:
            best = of_piece.setdefault(match.piece.key, {})
            best[unit.kind] = max(best.get(unit.kind, match), match, key=lambda candidate: candidate.score)
    return [_proposal(unit, of_unit[unit.id], of_piece) for unit in wanted]


class _Namesakes:
    """The pieces that are called like units, or like their kinds."""

    def __init__(
        self, by_name: Mapping[tuple[str, ...], Sequence[Candidate]], words: Words, ratings: Mapping[str, str]
    ) -> None:
        self.by_name, self.words, self.ratings = by_name, words, ratings
        self.slots = {name: [piece for piece in some for _ in piece.slots] for name, some in by_name.items()}
        self._best: dict[Hashable, dict[str, _Match]] = {}  # by what is known of a unit, the best by piece
        self._before: dict[str, Candidate] = {}  # by kind, the piece of the unit before

    def matches(self, unit: _UnitProfile) -> Sequence[_Match] | None:
        """The pieces of a unit's name, or of its kind's, that fit it best; None if nothing is called so.

        Where nothing tells several from one another it is the one in the unit's own place among them, as those are
        numbered that are imported.
        """
        name = next((name for name in map(plain_words, (unit.id, unit.kind)) if name in self.by_name), None)
        if name is None:
            return None
        key = (name, unit.said, *unit.facts.items())
        if key not in self._best:
            candidates = [_match_by_name(unit, piece, self.words, self.ratings) for piece in self.by_name[name]]
            best = max(match.score for match in candidates)
            self._best[key] = {match.piece.key: match for match in candidates if best - match.score < _CLEAR}
        alike = self._best[key]
        if len(alike) > 1 and name == plain_words(unit.kind):
            counted = self._count(unit, self.slots[name])
            if counted is not None and counted.key in alike:
                return [alike[counted.key]._replace(more=_GUESSED)]
        return [*alike.values()]

    def _count(self, unit: _UnitProfile, slots: Sequence[Candidate]) -> Candidate | None:
        """The piece in the place of a unit's number among the slots of a name; beyond them that of the unit before."""
        number = int(unit.id.removeprefix(unit.kind).strip(" ()") or 1)
        if 0 < number <= len(slots):
            self._before[unit.kind] = slots[number - 1]
        return self._before.get(unit.kind)


def _first(unit: _UnitProfile) -> Token:
    """The word of a unit's name that a piece must have: its first number, or else its longest word."""
    number = next((token for token in unit.name if is_number(token)), None)
    return number or max(unit.name, key=lambda token: max(map(len, token)), default=frozenset())


def _kinds(game: Game) -> list[Track]:
    return [track for track in game.tracks.values() if track.printed == "counter" and track.kind == "choice"]


def _profile(game: Game, unit: str) -> _UnitProfile:
    facts = {
        name: max(known, key=lambda fact: STRENGTH[fact.source]) for name, known in game.roster[unit].items() if known
    }
    values = {track.name: tokens(str(facts[track.name].value)) for track in _kinds(game) if track.name in facts}
    texts = (str(fact.value) for name, fact in facts.items() if game.tracks[name].kind == "text")
    said = tuple(token for text in texts for token in tokens(text))
    written = {name: game.tracks[name].write(fact.value) for name, fact in facts.items()}
    return _UnitProfile(unit, kind_of(unit), tokens(unit), values, said, written)


def _match_by_name(unit: _UnitProfile, piece: Candidate, words: Words, ratings: Mapping[str, str]) -> _Match:
    """How well a piece fits a unit that is called like it, or whose kind is: other things about it tell it from others
    of that name.
    """
    agree, contradict = _agreeing(unit, piece, words)
    score = _SAME + agree - contradict + sum(has(piece.around, token) for token in unit.said)
    score += _by_ratings(unit, piece, ratings)
    return _Match(score, 0, contradict, False, unit.id, piece)


def _match(unit: _UnitProfile, piece: Candidate, words: Words, ratings: Mapping[str, str]) -> _Match | None:
    """How well a piece fits a unit; None if something that it says contradicts it."""
    score, missing = 0.0, 0
    first = next((token for token in unit.name if is_number(token)), None)
    if first is not None and not has(piece.own, first) and any(map(is_number, piece.own)):
        return None
    for token in unit.name:
        if has(piece.own, token):
            score += 2
        elif has(piece.around, token):
            score += 1.5
        else:
            missing += 1
            score -= 1
    agree, contradict = _agreeing(unit, piece, words)
    if contradict:
        return None
    score += 0.5 * agree
    known = (*unit.name, *unit.said, *(token for own in unit.values.values() for token in own), *_OF_ALL)
    more = [token for token in piece.own if not has(known, token)]
    if missing and any(map(is_number, more)):
        return None
    score -= sum(2.0 if is_number(token) else 0.5 for token in more)
    score += 0.3 * sum(has(piece.around, token) for token in unit.said) + _by_ratings(unit, piece, ratings)
    beside = first is not None and not has(piece.own, first)
    return _Match(score, missing, len(more), beside, unit.id, piece, not _is_telling(unit, piece))


def _agreeing(unit: _UnitProfile, piece: Candidate, words: Words) -> tuple[int, int]:
    """How many of a unit's printed words a piece tells, and how many it tells otherwise."""
    agree = contradict = 0
    for track, own in unit.values.items():
        if values := _values_named(piece, words[track]):
            contradict += unit.facts[track] not in values
            agree += bool(own) and unit.facts[track] in values
    return agree, contradict


def _by_ratings(unit: _UnitProfile, piece: Candidate, ratings: Mapping[str, str]) -> float:
    """What it counts that ratings of a piece are those of a unit, from -1 to 1; 0 if none stand on it."""
    stated = [
        (piece.properties[name].strip(), unit.facts[track])
        for name, track in ratings.items()
        if name in piece.properties and track in unit.facts
    ]
    return 2 * sum(one == other for one, other in stated) / len(stated) - 1 if stated else 0.0


def _is_telling(unit: _UnitProfile, piece: Candidate) -> bool:
    """Whether what a piece has of a unit's name is more than one number and letters, which counters of any game may
    have.
    """
    around = [*piece.around]
    for token in tokens(piece.picture):  # a number that stands in the name and in the file of the picture is one number
        if token in around:
            around.remove(token)
    shared = [token for token in (*piece.own, *around) if has(unit.name, token)]
    words = [token for token in shared if not is_number(token) and min(map(len, token)) > 1]
    return bool(words) or sum(map(is_number, shared)) > 1


_OF_ALL = tokens("division brigade regiment battalion corps army german austrian russian front")
"""Words that stand on many counters and set none apart, once what they say is not contradicted."""


def _values_named(piece: Candidate, values: Mapping[str, tuple[Token, ...]]) -> set[str]:
    """The values of a track that a piece names: by its name if it names one there, or else by what is around it."""
    for said in (piece.own, piece.around):
        # XX is a division or the number of a corps; a single letter in the name of a file may be anything
        sure = [token for token in said if not is_number(token) and min(map(len, token)) > 1]
        named = {value for value, words in values.items() if words and has_all(sure, words)}
        if named:
            return named
    return set()


def _proposal(unit: _UnitProfile, matches: Sequence[_Match], of_piece: Mapping[str, Mapping[str, _Match]]) -> Proposal:
    """The piece that fits a unit better than all others do, and no unit of another kind as well; or those among which
    nothing decides.
    """
    claimed = {match.piece.key: of_piece[match.piece.key].items() for match in matches}
    better = {
        key: max((match.score for kind, match in by if kind != unit.kind), default=0.0) for key, by in claimed.items()
    }
    free = (match for match in matches if better[match.piece.key] - match.score < _CLEAR)
    ranked = sorted(free, key=lambda match: -match.score)
    if not ranked or ranked[0].score < _LEAST:
        return Proposal(unit.id, "", "", "no piece found")
    best = ranked[0]
    rivals = [match for match in ranked[1:] if best.score - match.score < _CLEAR]
    others = [
        match
        for kind, match in of_piece[best.piece.key].items()
        if kind != unit.kind and best.score - match.score < _CLEAR
    ]
    if rivals:
        named = ", ".join(
            f"{match.piece.title} ({match.piece.key})" if match.piece.title != match.piece.key else match.piece.key
            for match in ranked[: min(len(rivals) + 1, _MOST_NAMED)]
        )
        return Proposal(unit.id, "", "", f"one of {len(rivals) + 1}: {named}")
    if others:
        named = ", ".join(match.unit for match in others[:_MOST_NAMED])
        return Proposal(unit.id, "", "", f"{best.piece.key} may be {named} too")
    return Proposal(
        unit.id, best.piece.named, _sureness(best), "" if best.piece.title == best.piece.key else best.piece.title
    )


def _sureness(match: _Match) -> str:
    odd = match.lacking + match.more + match.beside or match.vague
    return SURE if not odd else LIKELY if odd == 1 else GUESS
