"""The pieces of a module that may be units or markers, and the proposed piece of each unit.

A piece matches a unit by the numbers and words of its name, its picture and its palette.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from .....game.games import Game
from .....game.roster import shared_unit_name
from .....state.tracks import SOURCE_RANKS, Track
from .....util.notes import note
from .....util.patterns import late_pattern
from ...modules import Module
from ...pieces import Piece
from ..identity import names_for_piece, picture_of, piece_name
from ..legend import all_properties
from ..mapping import MAX_NAME_CHARS
from .likeness import Token, has, has_all, may_be_number, plain_words, tokens

Sureness = Literal["sure", "likely", "guess", ""]
"""The sureness of a proposal, or "" for one that is left to the player."""
SURE: Sureness = "sure"
LIKELY: Sureness = "likely"
GUESS: Sureness = "guess"
_FILE_ENDING = late_pattern(r"\.\w{1,4}$")


class Proposal(NamedTuple):
    """A proposed entry of a section of the mapping."""

    name: str
    value: Any
    sure: Sureness = ""
    """How sure the proposal is; "" leaves the entry to the player, and the file has it as a comment."""
    why: str = ""
    """A remark for the player: alternatives, or the piece's title."""


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker."""

    key: Annotated[str, note("the name in a mapping")]
    title: Annotated[str, note("the name for players")]
    picture: Annotated[str, note("the picture's file without its suffix")]
    piece: Annotated[Piece, note("the piece, with expanded prototypes")]
    own: Annotated[tuple[Token, ...], note("the words of its name, or of its picture if it has none")]
    around: Annotated[tuple[Token, ...], note("the words of its palette, its properties and its picture")]
    properties: Mapping[str, str]
    slots: Annotated[tuple[str, ...], note("the slots that hold it")]

    @property
    def named(self) -> str | list[str]:
        """The name in a mapping, or all slots of the piece if it is identified only by slot."""
        slots = [f"#{slot}" for slot in self.slots if slot]
        return slots if self.key.startswith("#") and len(slots) > 1 else self.key


Looks = tuple[str, str, tuple[tuple[str, str], ...]]
"""The name, picture and properties of a piece; pieces with the same ones are one candidate."""


def find_candidates(module: Module) -> list[Candidate]:
    """Return the different pieces of the palettes and of the module's own set-up.

    A piece is identified by its name, by its picture if the name is not unique, or by its slot if neither is.
    """
    by_looks: dict[Looks, tuple[str, tuple[str, ...], Piece]] = {}
    slots: dict[Looks, list[str]] = {}
    for title, path, piece in _list_pieces(module):
        properties = {name: value for name, value in all_properties(module.expanded(piece.traits)) if value}
        looks = piece_name(piece), picture_of(piece) or title, tuple(properties.items())
        by_looks.setdefault(looks, (title or looks[0], path, piece))
        slots.setdefault(looks, []).append(piece.slot)
    names = Counter(name for name, _, _ in by_looks)
    pictures = Counter(picture for _, picture, _ in by_looks)
    candidates = []
    for looks, (title, path, piece) in by_looks.items():
        name, picture, known_properties = looks
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = [text for text in names_for_piece(expanded) if len(text) <= MAX_NAME_CHARS]
        if name in known and names[name] == 1:
            key = name
        elif picture in known and pictures[picture] == 1:
            key = picture
        else:
            key = next((text for text in known if text.startswith("#")), known[0] if known else "")
        if not key or not key.isprintable():
            continue
        drawn = _FILE_ENDING.sub("", picture)
        own = tuple(dict.fromkeys(token for text in (name, title) if text != picture for token in tokens(text)))
        texts = [*path, *(trait.part(1) for trait in piece.traits if trait.kind == "prototype")]
        if own:
            texts.append(drawn)
        value_tokens = (token for _, value in known_properties for token in tokens(value) if not may_be_number(token))
        around = (*(token for text in texts for token in tokens(text)), *value_tokens)
        display_name = title or name or picture
        candidates.append(
            Candidate(
                key,
                display_name,
                drawn,
                expanded,
                own or tokens(drawn),
                around,
                dict(known_properties),
                tuple(slots[looks]),
            )
        )
    return candidates


def is_fixed(piece: Piece) -> bool:
    """Return whether a piece is drawn as a part of its map: players can neither select nor move it."""
    return any(trait.kind == "immob" and "n" in trait.part(1) and trait.part(2) == "V" for trait in piece.traits)


def piece_names(module: Module) -> tuple[str, ...]:
    """Return all names that a mapping may use for pieces of a module, including those in decks."""
    pieces = [piece for _, _, piece in _list_pieces(module)]
    pieces += [piece for start in module.starts if start.deck for piece in start.pieces]
    expanded = (piece._replace(traits=module.expanded(piece.traits)) for piece in pieces)
    return tuple(sorted({name for piece in expanded for name in names_for_piece(piece)}))


def _list_pieces(module: Module) -> Iterator[tuple[str, tuple[str, ...], Piece]]:
    for slot in module.slots:
        yield slot.name, slot.path, slot.piece._replace(slot=slot.id or slot.piece.slot)
    for start in module.starts:
        if not start.deck:
            yield from (("", (), piece) for piece in start.pieces)


# --- units ------------------------------------------------------------------------------------------------------------

_MIN_LEAD = 0.4
"""The minimum lead in score of the best match over the next."""
_MIN_SCORE = 1.0
"""The minimum score of a match."""
_SCORE_OF_SAME_NAME = 100.0
"""The score of a piece that has exactly the name of a unit, or of its kind."""
_MIN_ODD_WORDS_OF_GUESS = 2
"""The minimum number of unexplained words that make a match only a guess."""
_MAX_PIECES_NAMED = 4
"""The maximum number of alternatives named in a remark."""


Words = Mapping[str, Mapping[str, tuple[Token, ...]]]
"""The words in the values of tracks, by track and value."""


class _Match(NamedTuple):
    """A piece that may be a unit."""

    score: Annotated[float, note("the score, higher for a better match")]
    lacking: Annotated[int, note("the number of words of the unit's name that the piece lacks")]
    unexplained: Annotated[int, note("the number of words of the piece that the unit does not explain")]
    is_number_beside: Annotated[bool, note("whether the unit's number is only in the palette or picture")]
    unit: str
    piece: Candidate
    vague: Annotated[
        bool, note("whether it shares only words of the unit's name that counters of any game may have")
    ] = False


class _UnitProfile(NamedTuple):
    """A unit with all data compared with pieces."""

    id: str
    kind: str
    """The name shared by all units with the same counter."""
    place: int
    """The number of units of this kind before this one in the roster, without copies."""
    namesakes: int
    """The number of units of this kind."""
    name: tuple[Token, ...]
    """The words of its name."""
    values: Mapping[str, tuple[Token, ...]]
    """The words of its printed choices, such as its nation, by track."""
    text_words: tuple[Token, ...]
    """The words of its printed texts, such as its army's name."""
    facts: Mapping[str, str]
    """The printed values by track."""


def propose_units(game: Game, pieces: Sequence[Candidate], ratings: Mapping[str, str]) -> list[Proposal]:
    """Return a proposal for each unit of the roster except decoys: the best piece, or a remark if none stands out.

    `ratings`: tracks of ratings printed on counters, by the name of the pieces' property with the same ratings.
    """
    types_by_kind: dict[str, list[str]] = {}
    for type in game.counters:
        types_by_kind.setdefault(shared_unit_name(type), []).append(type)
    types = (type for type in game.counters if type not in game.hiding.decoy_types)
    units = [_make_profile(game, type, types_by_kind[shared_unit_name(type)]) for type in types]
    words = {track.name: {value: tokens(value) for value in track.values} for track in _list_kinds(game)}
    # Only pieces with a certain word of the unit's name are compared: all pairs would take too long.
    places_by_word: dict[str, list[int]] = {}
    pieces_by_name: dict[tuple[str, ...], list[Candidate]] = {}
    for place, piece in enumerate(pieces):
        for word in {word for token in (*piece.own, *piece.around) for word in token}:
            places_by_word.setdefault(word, []).append(place)
        for name in {*map(plain_words, (piece.key, piece.title, piece_name(piece.piece)))} - {()}:
            pieces_by_name.setdefault(name, []).append(piece)
    namesakes = _Namesakes(pieces_by_name, words, ratings)
    matches_by_unit: dict[str, Sequence[_Match]] = {}
    best_by_piece: dict[str, dict[str, _Match]] = {}  # by the piece's key and the unit's kind
    for unit in units:
        matches = namesakes.matches(unit)
        if matches is None:
            places = dict.fromkeys(place for word in _choose_first_word(unit) for place in places_by_word.get(word, ()))
            candidates = (_match_unit(unit, pieces[place], words, ratings) for place in places)
            matches = [match for match in candidates if match is not None]
        matches_by_unit[unit.id] = matches
        for match in matches:
            best = best_by_piece.setdefault(match.piece.key, {})
            best[unit.kind] = max(best.get(unit.kind, match), match, key=lambda candidate: candidate.score)
    return [_choose_proposal(unit, matches_by_unit[unit.id], best_by_piece) for unit in units]


class _Namesakes:
    """The pieces with exactly the name of a unit, or of its kind."""

    def __init__(
        self, by_name: Mapping[tuple[str, ...], Sequence[Candidate]], words: Words, ratings: Mapping[str, str]
    ) -> None:
        self.by_name = by_name
        self.words = words
        self.ratings = ratings
        self.slots = {name: [piece for piece in some for _ in piece.slots] for name, some in by_name.items()}
        self._best: dict[Hashable, dict[str, _Match]] = {}  # the best matches by piece, by the known facts of a unit
        self._before: dict[str, Candidate] = {}  # the piece of the previous unit, by kind

    def matches(self, unit: _UnitProfile) -> Sequence[_Match] | None:
        """Return the best pieces with the name of a unit or its kind, or None if no piece has the name.

        If several pieces of a kind are alike, the unit gets the piece at its own place among them, as imported units
        are numbered in the order of the module's pieces.
        """
        name = next((name for name in map(plain_words, (unit.id, unit.kind)) if name in self.by_name), None)
        if name is None:
            return None
        key = (name, unit.text_words, *unit.facts.items())
        if key not in self._best:
            candidates = [_match_by_name(unit, piece, self.words, self.ratings) for piece in self.by_name[name]]
            best = max(match.score for match in candidates)
            self._best[key] = {match.piece.key: match for match in candidates if best - match.score < _MIN_LEAD}
        alike = self._best[key]
        if len(alike) > 1 and name == plain_words(unit.kind):
            pieces = self.by_name[name]
            in_its_place = self._choose_by_place(unit, pieces if unit.namesakes <= len(pieces) else self.slots[name])
            if in_its_place is not None and in_its_place.key in alike:
                # marks the match as a guess
                return [alike[in_its_place.key]._replace(unexplained=_MIN_ODD_WORDS_OF_GUESS)]
        return [*alike.values()]

    def _choose_by_place(self, unit: _UnitProfile, pieces: Sequence[Candidate]) -> Candidate | None:
        """Return the piece at the unit's place, or the previous unit's piece if there are too few pieces."""
        if unit.place < len(pieces):
            self._before[unit.kind] = pieces[unit.place]
        return self._before.get(unit.kind)


def _choose_first_word(unit: _UnitProfile) -> Token:
    """Return the word of a unit's name that a piece must have: the first number, or else the longest word."""
    number = next((token for token in unit.name if may_be_number(token)), None)
    return number or max(unit.name, key=lambda token: max(map(len, token)), default=frozenset())


def _list_kinds(game: Game) -> list[Track]:
    return [track for track in game.tracks.values() if track.printed == "counter" and track.kind == "choice"]


def _make_profile(game: Game, unit: str, units_of_kind: Sequence[str]) -> _UnitProfile:
    facts = {
        name: max(known, key=lambda fact: SOURCE_RANKS[fact.source])
        for name, known in game.roster[unit].items()
        if known
    }
    values = {track.name: tokens(str(facts[track.name].value)) for track in _list_kinds(game) if track.name in facts}
    texts = (str(fact.value) for name, fact in facts.items() if game.tracks[name].kind == "text")
    text_words = tuple(token for text in texts for token in tokens(text))
    written = {name: game.tracks[name].write(fact.value) for name, fact in facts.items()}
    kind, place = shared_unit_name(unit), units_of_kind.index(unit)
    return _UnitProfile(unit, kind, place, len(units_of_kind), tokens(unit), values, text_words, written)


def _match_by_name(unit: _UnitProfile, piece: Candidate, words: Words, ratings: Mapping[str, str]) -> _Match:
    """Return the match of a piece with a unit of the same name or kind, from its other properties."""
    agree, contradict = _count_agreeing(unit, piece, words)
    score = _SCORE_OF_SAME_NAME + agree - contradict + sum(has(piece.around, token) for token in unit.text_words)
    score += _measure_ratings(unit, piece, ratings)
    return _Match(score, 0, contradict, False, unit.id, piece)


def _match_unit(unit: _UnitProfile, piece: Candidate, words: Words, ratings: Mapping[str, str]) -> _Match | None:
    """Return the match of a piece with a unit, or None if a number or word of the piece contradicts it."""
    score = 0.0
    missing = 0
    number = next((token for token in unit.name if may_be_number(token)), None)
    if number is not None and not has(piece.own, number) and any(map(may_be_number, piece.own)):
        return None
    for token in unit.name:
        if has(piece.own, token):
            score += 2
        elif has(piece.around, token):
            score += 1.5
        else:
            missing += 1
            score -= 1
    agree, contradict = _count_agreeing(unit, piece, words)
    if contradict:
        return None
    score += 0.5 * agree
    known = (*unit.name, *unit.text_words, *(token for own in unit.values.values() for token in own), *_COMMON_WORDS)
    unexplained = [token for token in piece.own if not has(known, token)]
    if missing and any(map(may_be_number, unexplained)):
        return None
    score -= sum(2.0 if may_be_number(token) else 0.5 for token in unexplained)
    score += 0.3 * sum(has(piece.around, token) for token in unit.text_words) + _measure_ratings(unit, piece, ratings)
    is_number_beside = number is not None and not has(piece.own, number)
    return _Match(score, missing, len(unexplained), is_number_beside, unit.id, piece, not _is_telling(unit, piece))


def _count_agreeing(unit: _UnitProfile, piece: Candidate, words: Words) -> tuple[int, int]:
    """Return the numbers of a unit's printed choices that a piece confirms and contradicts."""
    agree = contradict = 0
    for track, own in unit.values.items():
        if values := _find_named_values(piece, words[track]):
            contradict += unit.facts[track] not in values
            agree += bool(own) and unit.facts[track] in values
    return agree, contradict


def _measure_ratings(unit: _UnitProfile, piece: Candidate, ratings: Mapping[str, str]) -> float:
    """Return the score of a piece's ratings, from -1 (all differ from the unit's) to 1 (none do), or 0 without any."""
    stated = [
        (piece.properties[name].strip(), unit.facts[track])
        for name, track in ratings.items()
        if name in piece.properties and track in unit.facts
    ]
    return 2 * sum(one == other for one, other in stated) / len(stated) - 1 if stated else 0.0


def _is_telling(unit: _UnitProfile, piece: Candidate) -> bool:
    """Return whether a piece shares a word or two numbers with a unit's name.

    A single number or single letter is not enough, because counters of any game may share it.
    """
    around = [*piece.around]
    for token in tokens(piece.picture):  # a number in both the name and the picture's file counts once
        if token in around:
            around.remove(token)
    shared = [token for token in (*piece.own, *around) if has(unit.name, token)]
    words = [token for token in shared if not may_be_number(token) and min(map(len, token)) > 1]
    return bool(words) or sum(map(may_be_number, shared)) > 1


_COMMON_WORDS = tokens("division brigade regiment battalion corps army german austrian russian front")
"""Words of many counters, which do not count against a piece that has them but not the unit."""


def _find_named_values(piece: Candidate, values: Mapping[str, tuple[Token, ...]]) -> set[str]:
    """Return the values of a track found in a piece's own name, or else in the words around it."""
    for piece_tokens in (piece.own, piece.around):
        # XX is a division or the number of a corps; a single letter in the name of a file may be anything
        sure = [token for token in piece_tokens if not may_be_number(token) and min(map(len, token)) > 1]
        named = {value for value, words in values.items() if words and has_all(sure, words)}
        if named:
            return named
    return set()


def _choose_proposal(
    unit: _UnitProfile, matches: Sequence[_Match], best_by_piece: Mapping[str, Mapping[str, _Match]]
) -> Proposal:
    """Return the proposal of the piece that clearly fits the unit best, and fits no unit of another kind as well.

    If there is no such piece, the proposal has only a remark with the alternatives.

    `best_by_piece`: the best match of each piece, by the piece's key and the unit's kind.
    """
    rival_scores = {
        match.piece.key: max(
            (other.score for kind, other in best_by_piece[match.piece.key].items() if kind != unit.kind), default=0.0
        )
        for match in matches
    }
    unclaimed = (match for match in matches if rival_scores[match.piece.key] - match.score < _MIN_LEAD)
    ranked = sorted(unclaimed, key=lambda match: -match.score)
    if not ranked or ranked[0].score < _MIN_SCORE:
        return Proposal(unit.id, "", "", "no piece found")
    best = ranked[0]
    rival_pieces = [match for match in ranked[1:] if best.score - match.score < _MIN_LEAD]
    rival_units = [
        match
        for kind, match in best_by_piece[best.piece.key].items()
        if kind != unit.kind and best.score - match.score < _MIN_LEAD
    ]
    if rival_pieces:
        named = ", ".join(
            f"{match.piece.title} ({match.piece.key})" if match.piece.title != match.piece.key else match.piece.key
            for match in ranked[: min(len(rival_pieces) + 1, _MAX_PIECES_NAMED)]
        )
        return Proposal(unit.id, "", "", f"one of {len(rival_pieces) + 1}: {named}")
    if rival_units:
        named = ", ".join(match.unit for match in rival_units[:_MAX_PIECES_NAMED])
        return Proposal(unit.id, "", "", f"{best.piece.key} may be {named} too")
    return Proposal(
        unit.id,
        best.piece.named,
        _choose_sureness(best),
        "" if best.piece.title == best.piece.key else best.piece.title,
    )


def _choose_sureness(match: _Match) -> Sureness:
    oddities = match.lacking + match.unexplained + match.is_number_beside or match.vague
    if not oddities:
        return SURE
    return LIKELY if oddities == 1 else GUESS
