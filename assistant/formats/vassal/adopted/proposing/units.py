"""Which piece is which unit, by numbers and words of its name, of its picture and of the palette it stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .....game.games import Game
from .....state.sources import STRENGTH
from .....state.tracks import Track
from .candidates import Candidate
from .likeness import Token, has, has_all, is_number, tokens
from .proposal import GUESS, LIKELY, SURE, Proposal

#: How much better than the next best a match must be.
_CLEAR = 0.4
_LEAST = 1.0
"""What a match must be worth to be named at all."""
_SAME = 100.0
"""What it counts that a piece is called exactly like a unit."""
_MOST_NAMED = 4
"""How many pieces are named of those that a unit may be."""


class _Match(NamedTuple):
    """A piece that may be a unit.

    score: the higher the likelier; lacking: words of the unit's name that nothing on the piece tells; more: words of the piece that the unit
    does not account for; beside: whether the unit's number stands beside its name, in its palette or its picture, and not in it.
    """

    score: float
    lacking: int
    more: int
    beside: bool
    unit: str
    piece: Candidate


class _Wanted(NamedTuple):
    """A unit as it is looked for. name: the words of its name; values: by track, the words of what is printed on it; said: the words of its texts, such as its army; facts: its printed values."""

    id: str
    name: tuple[Token, ...]
    values: Mapping[str, tuple[Token, ...]]
    said: tuple[Token, ...]
    facts: Mapping[str, str]


def propose_units(game: Game, pieces: Sequence[Candidate], ratings: Mapping[str, str]) -> list[Proposal]:
    """A proposal for each unit of the roster: the one piece that fits it best, or the pieces among which nothing decides.

    ratings: the tracks printed on counters that properties of pieces state as text, by the property's name.
    """
    wanted = [_wanted(game, unit) for unit in game.roster]
    words = {track.name: {value: tokens(value) for value in track.values} for track in _kinds(game)}
    by_word: dict[str, list[Candidate]] = {}
    for piece in pieces:
        for word in {word for token in (*piece.own, *piece.around) for word in token}:
            by_word.setdefault(word, []).append(piece)
    of_unit: dict[str, list[_Match]] = {}
    of_piece: dict[str, list[_Match]] = {}
    for unit in wanted:
        near = {id(piece): piece for word in _first(unit) for piece in by_word.get(word, ())}
        for piece in near.values():
            if (match := _match(unit, piece, words, ratings)) is not None:
                of_unit.setdefault(unit.id, []).append(match)
                of_piece.setdefault(piece.key, []).append(match)
    return [_proposal(unit.id, of_unit.get(unit.id, []), of_piece) for unit in wanted]


def _first(unit: _Wanted) -> Token:
    """The word of a unit's name that a piece must have: its first number, or else its longest word."""
    number = next((token for token in unit.name if is_number(token)), None)
    return number or max(unit.name, key=lambda token: max(map(len, token)), default=frozenset())


def _kinds(game: Game) -> list[Track]:
    return [track for track in game.tracks.values() if track.printed == "counter" and track.kind == "choice"]


def _wanted(game: Game, unit: str) -> _Wanted:
    facts = {
        name: max(known, key=lambda fact: STRENGTH[fact.source]) for name, known in game.roster[unit].items() if known
    }
    values = {track.name: tokens(str(facts[track.name].value)) for track in _kinds(game) if track.name in facts}
    texts = (str(fact.value) for name, fact in facts.items() if game.tracks[name].kind == "text")
    said = tuple(token for text in texts for token in tokens(text))
    written = {name: game.tracks[name].write(fact.value) for name, fact in facts.items()}
    return _Wanted(unit, tokens(unit), values, said, written)


def _match(
    unit: _Wanted, piece: Candidate, words: Mapping[str, Mapping[str, tuple[Token, ...]]], ratings: Mapping[str, str]
) -> _Match | None:
    """How well a piece fits a unit; None if something that it says contradicts it."""
    if unit.id.casefold() in (piece.key.casefold(), piece.title.casefold()):
        return _Match(_SAME, 0, 0, False, unit.id, piece)
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
    for track, own in unit.values.items():
        told = _told(piece, words[track])
        if told and unit.facts[track] not in told:
            return None
        score += 0.5 * bool(told and own)
    known = (*unit.name, *unit.said, *(token for own in unit.values.values() for token in own), *_OF_ALL)
    more = [token for token in piece.own if not has(known, token)]
    if missing and any(map(is_number, more)):
        return None
    score -= sum(2.0 if is_number(token) else 0.5 for token in more)
    score += 0.3 * sum(has(piece.around, token) for token in unit.said)
    stated = [
        (piece.properties[name].strip(), unit.facts[track])
        for name, track in ratings.items()
        if name in piece.properties and track in unit.facts
    ]
    if stated:
        score += 2 * sum(one == other for one, other in stated) / len(stated) - 1
    beside = first is not None and not has(piece.own, first)
    return _Match(score, missing, len(more), beside, unit.id, piece)


_OF_ALL = tokens("division brigade regiment battalion corps army german austrian russian front")
"""Words that stand on many counters and set none apart, once what they say is not contradicted."""


def _told(piece: Candidate, values: Mapping[str, tuple[Token, ...]]) -> set[str]:
    """The values of a track that a piece names: by its name if it names one there, or else by what is around it."""
    for said in (piece.own, piece.around):
        # XX is a division or the number of a corps; a single letter in the name of a file may be anything
        sure = [token for token in said if not is_number(token) and min(map(len, token)) > 1]
        told = {value for value, words in values.items() if words and has_all(sure, words)}
        if told:
            return told
    return set()


def _proposal(unit: str, matches: Sequence[_Match], of_piece: Mapping[str, Sequence[_Match]]) -> Proposal:
    """The piece that fits a unit better than all others do, and no other unit as well; or those among which nothing decides."""
    better = {match.piece.key: max(one.score for one in of_piece[match.piece.key]) for match in matches}
    free = (match for match in matches if better[match.piece.key] - match.score < _CLEAR)
    ranked = sorted(free, key=lambda match: -match.score)
    if not ranked or ranked[0].score < _LEAST:
        return Proposal(unit, "", "", "no piece found")
    best = ranked[0]
    rivals = [match for match in ranked[1:] if best.score - match.score < _CLEAR]
    others = [one for one in of_piece[best.piece.key] if one.unit != unit and best.score - one.score < _CLEAR]
    if rivals:
        named = ", ".join(
            f"{match.piece.title} ({match.piece.key})" if match.piece.title != match.piece.key else match.piece.key
            for match in ranked[: min(len(rivals) + 1, _MOST_NAMED)]
        )
        return Proposal(unit, "", "", f"one of {len(rivals) + 1}: {named}")
    if others:
        named = ", ".join(match.unit for match in others[:_MOST_NAMED])
        return Proposal(unit, "", "", f"{best.piece.key} may be {named} too")
    return Proposal(
        unit, best.piece.key, _sureness(best), "" if best.piece.title == best.piece.key else best.piece.title
    )


def _sureness(match: _Match) -> str:
    odd = match.lacking + match.more + match.beside
    return SURE if not odd else LIKELY if odd == 1 else GUESS
