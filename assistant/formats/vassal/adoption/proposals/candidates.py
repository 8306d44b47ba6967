"""The pieces of a module that may be units or markers, and which piece is which unit.

Units are found by numbers and words of the name, of the picture and of the palette in which a piece stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from .....game.games import Game
from .....game.roster import shared_unit_name
from .....state.tracks import STRENGTH, Track
from .....util.notes import note
from .....util.patterns import late_pattern
from ...modules import Module
from ...pieces import Piece
from ..legend import all_properties, names_for_piece, picture_of, piece_name
from ..mapping import LONGEST
from .likeness import Token, has, has_all, may_be_number, plain_words, tokens

Sureness = Literal["sure", "likely", "guess", ""]
"""How sure a proposal is; "" for one that is left to the player."""
SURE: Sureness = "sure"
LIKELY: Sureness = "likely"
GUESS: Sureness = "guess"
_FILE_ENDING = late_pattern(r"\.\w{1,4}$")
"""How the name of a file ends."""


class Proposal(NamedTuple):
    """An entry of a section: its name, its value, how sure that is, and why."""

    name: str
    value: Any
    sure: Sureness = ""
    """Empty for an entry that is left to the player, which the file has as a comment."""
    why: str = ""


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker."""

    key: Annotated[str, note("how a mapping names it")]
    title: Annotated[str, note("what players call it")]
    picture: Annotated[str, note("its file, without its ending")]
    piece: Annotated[Piece, note("with its traits, prototypes replaced")]
    own: Annotated[tuple[Token, ...], note("the words of its name, or of its picture if it has none")]
    around: Annotated[tuple[Token, ...], note("the words of its palette, its properties and its picture")]
    properties: Mapping[str, str]
    slots: Annotated[tuple[str, ...], note("the slots that hold it")]

    @property
    def named(self) -> str | list[str]:
        """How a mapping names it: one that only its slot tells from others by all slots that hold it."""
        slots = [f"#{slot}" for slot in self.slots if slot]
        return slots if self.key.startswith("#") and len(slots) > 1 else self.key


Looks = tuple[str, str, tuple[tuple[str, str], ...]]
"""What pieces share that are one candidate: name, picture and properties."""


def find_candidates(module: Module) -> list[Candidate]:
    """Return the different pieces of the palettes and of the module's own set-up; those of one name, picture and
    properties are one.

    A piece is named by its name, or by its picture or its slot where several have the same one.
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
    listed = []
    for looks, (title, path, piece) in by_looks.items():
        name, picture, known_properties = looks
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = [text for text in names_for_piece(expanded) if len(text) <= LONGEST]
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
        called = title or name or picture
        listed.append(
            Candidate(
                key, called, drawn, expanded, own or tokens(drawn), around, dict(known_properties), tuple(slots[looks])
            )
        )
    return listed


def is_fixed(piece: Piece) -> bool:
    """Return whether players can neither choose nor move a piece: it is drawn as a part of its map."""
    return any(trait.kind == "immob" and "n" in trait.part(1) and trait.part(2) == "V" for trait in piece.traits)


def piece_names(module: Module) -> tuple[str, ...]:
    """Return all names by which a mapping may call pieces of a module, those in decks too."""
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
"""The least difference between a match and the next best."""
_MIN_SCORE = 1.0
_SCORE_OF_SAME_NAME = 100.0
"""The score of a piece that is called exactly like a unit, or like its kind."""
_MIN_ODD_WORDS_OF_GUESS = 2
_MAX_PIECES_NAMED = 4
"""The most pieces named of those that a unit may be."""


Words = Mapping[str, Mapping[str, tuple[Token, ...]]]
"""The words of the values of tracks, by track and value."""


class _Match(NamedTuple):
    """A piece that may be a unit."""

    score: Annotated[float, note("the higher the likelier")]
    lacking: Annotated[int, note("words of the unit's name that nothing on the piece has")]
    more: Annotated[int, note("words of the piece that the unit does not account for")]
    beside: Annotated[bool, note("whether the unit's number is not in its name, but in its palette or its picture")]
    unit: str
    piece: Candidate
    vague: Annotated[bool, note("whether it has no more of the unit's name than counters of any game may have")] = False


class _UnitProfile(NamedTuple):
    """A unit as it is looked for."""

    id: str
    kind: str
    """What all units are called whose counters are like its own."""
    place: int
    """How many of these stand before it in the roster, without copies."""
    namesakes: int
    """How many these are."""
    name: tuple[Token, ...]
    """The words of its name."""
    values: Mapping[str, tuple[Token, ...]]
    """By track, the words of what is printed on it."""
    said: tuple[Token, ...]
    """The words of its texts, such as its army."""
    facts: Mapping[str, str]
    """Its printed values."""


def propose_units(game: Game, pieces: Sequence[Candidate], ratings: Mapping[str, str]) -> list[Proposal]:
    """Return a proposal for each unit of the roster but decoys: the one piece that fits it best, or the pieces among
    which nothing decides.

    ratings: the tracks printed on counters that properties of pieces state as text, by the property's name.
    """
    named: dict[str, list[str]] = {}
    for type in game.counters:
        named.setdefault(shared_unit_name(type), []).append(type)
    types = (type for type in game.counters if type not in game.hiding.decoy_types)
    wanted = [_make_profile(game, type, named[shared_unit_name(type)]) for type in types]
    words = {track.name: {value: tokens(value) for value in track.values} for track in _list_kinds(game)}
    by_word: dict[str, list[int]] = {}  # the places of its pieces
    by_name: dict[tuple[str, ...], list[Candidate]] = {}
    for place, piece in enumerate(pieces):
        for word in {word for token in (*piece.own, *piece.around) for word in token}:
            by_word.setdefault(word, []).append(place)
        for name in {*map(plain_words, (piece.key, piece.title, piece_name(piece.piece)))} - {()}:
            by_name.setdefault(name, []).append(piece)
    namesakes = _Namesakes(by_name, words, ratings)
    of_unit: dict[str, Sequence[_Match]] = {}
    of_piece: dict[str, dict[str, _Match]] = {}  # for each kind of unit the best
    for unit in wanted:
        matches = namesakes.matches(unit)
        if matches is None:
            near = dict.fromkeys(place for word in _choose_first_word(unit) for place in by_word.get(word, ()))
            candidates = (_match_unit(unit, pieces[place], words, ratings) for place in near)
            matches = [match for match in candidates if match is not None]
        of_unit[unit.id] = matches
        for match in matches:
            best = of_piece.setdefault(match.piece.key, {})
            best[unit.kind] = max(best.get(unit.kind, match), match, key=lambda candidate: candidate.score)
    return [_choose_proposal(unit, of_unit[unit.id], of_piece) for unit in wanted]


class _Namesakes:
    """The pieces that are called like units, or like their kinds."""

    def __init__(
        self, by_name: Mapping[tuple[str, ...], Sequence[Candidate]], words: Words, ratings: Mapping[str, str]
    ) -> None:
        self.by_name = by_name
        self.words = words
        self.ratings = ratings
        self.slots = {name: [piece for piece in some for _ in piece.slots] for name, some in by_name.items()}
        self._best: dict[Hashable, dict[str, _Match]] = {}  # by what is known of a unit, the best by piece
        self._before: dict[str, Candidate] = {}  # by kind, the piece of the unit before

    def matches(self, unit: _UnitProfile) -> Sequence[_Match] | None:
        """Return the pieces of a unit's name, or of its kind's, that fit it best; None if nothing is called so.

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
            self._best[key] = {match.piece.key: match for match in candidates if best - match.score < _MIN_LEAD}
        alike = self._best[key]
        if len(alike) > 1 and name == plain_words(unit.kind):
            pieces = self.by_name[name]
            counted = self._choose_by_place(unit, pieces if unit.namesakes <= len(pieces) else self.slots[name])
            if counted is not None and counted.key in alike:
                return [alike[counted.key]._replace(more=_MIN_ODD_WORDS_OF_GUESS)]
        return [*alike.values()]

    def _choose_by_place(self, unit: _UnitProfile, pieces: Sequence[Candidate]) -> Candidate | None:
        """Return the piece of a name that is in a unit's place among them; beyond them that of the unit before."""
        if unit.place < len(pieces):
            self._before[unit.kind] = pieces[unit.place]
        return self._before.get(unit.kind)


def _choose_first_word(unit: _UnitProfile) -> Token:
    """Return the word of a unit's name that a piece must have: its first number, or else its longest word."""
    number = next((token for token in unit.name if may_be_number(token)), None)
    return number or max(unit.name, key=lambda token: max(map(len, token)), default=frozenset())


def _list_kinds(game: Game) -> list[Track]:
    return [track for track in game.tracks.values() if track.printed == "counter" and track.kind == "choice"]


def _make_profile(game: Game, unit: str, named: Sequence[str]) -> _UnitProfile:
    """Return a unit of the roster as it is looked for. named: those of its kind."""
    facts = {
        name: max(known, key=lambda fact: STRENGTH[fact.source]) for name, known in game.roster[unit].items() if known
    }
    values = {track.name: tokens(str(facts[track.name].value)) for track in _list_kinds(game) if track.name in facts}
    texts = (str(fact.value) for name, fact in facts.items() if game.tracks[name].kind == "text")
    text_words = tuple(token for text in texts for token in tokens(text))
    written = {name: game.tracks[name].write(fact.value) for name, fact in facts.items()}
    kind, place = shared_unit_name(unit), named.index(unit)
    return _UnitProfile(unit, kind, place, len(named), tokens(unit), values, text_words, written)


def _match_by_name(unit: _UnitProfile, piece: Candidate, words: Words, ratings: Mapping[str, str]) -> _Match:
    """Return how well a piece fits a unit that is called like it, or whose kind is: other things about it tell it from
    others of that name.
    """
    agree, contradict = _count_agreeing(unit, piece, words)
    score = _SCORE_OF_SAME_NAME + agree - contradict + sum(has(piece.around, token) for token in unit.said)
    score += _measure_ratings(unit, piece, ratings)
    return _Match(score, 0, contradict, False, unit.id, piece)


def _match_unit(unit: _UnitProfile, piece: Candidate, words: Words, ratings: Mapping[str, str]) -> _Match | None:
    """Return how well a piece fits a unit; None if something that it says contradicts it."""
    score = 0.0
    missing = 0
    first = next((token for token in unit.name if may_be_number(token)), None)
    if first is not None and not has(piece.own, first) and any(map(may_be_number, piece.own)):
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
    known = (*unit.name, *unit.said, *(token for own in unit.values.values() for token in own), *_COMMON_WORDS)
    more = [token for token in piece.own if not has(known, token)]
    if missing and any(map(may_be_number, more)):
        return None
    score -= sum(2.0 if may_be_number(token) else 0.5 for token in more)
    score += 0.3 * sum(has(piece.around, token) for token in unit.said) + _measure_ratings(unit, piece, ratings)
    beside = first is not None and not has(piece.own, first)
    return _Match(score, missing, len(more), beside, unit.id, piece, not _is_telling(unit, piece))


def _count_agreeing(unit: _UnitProfile, piece: Candidate, words: Words) -> tuple[int, int]:
    """Return how many of a unit's printed words a piece tells, and how many it tells otherwise."""
    agree = contradict = 0
    for track, own in unit.values.items():
        if values := _find_named_values(piece, words[track]):
            contradict += unit.facts[track] not in values
            agree += bool(own) and unit.facts[track] in values
    return agree, contradict


def _measure_ratings(unit: _UnitProfile, piece: Candidate, ratings: Mapping[str, str]) -> float:
    """Return what it counts that ratings of a piece are those of a unit, from -1 to 1; 0 if none stand on it."""
    stated = [
        (piece.properties[name].strip(), unit.facts[track])
        for name, track in ratings.items()
        if name in piece.properties and track in unit.facts
    ]
    return 2 * sum(one == other for one, other in stated) / len(stated) - 1 if stated else 0.0


def _is_telling(unit: _UnitProfile, piece: Candidate) -> bool:
    """Return whether what a piece has of a unit's name is more than one number and letters, which counters of any game
    may have.
    """
    around = [*piece.around]
    for token in tokens(piece.picture):  # a number that stands in the name and in the file of the picture is one number
        if token in around:
            around.remove(token)
    shared = [token for token in (*piece.own, *around) if has(unit.name, token)]
    words = [token for token in shared if not may_be_number(token) and min(map(len, token)) > 1]
    return bool(words) or sum(map(may_be_number, shared)) > 1


_COMMON_WORDS = tokens("division brigade regiment battalion corps army german austrian russian front")
"""Words that stand on many counters and set none apart, once what they say is not contradicted."""


def _find_named_values(piece: Candidate, values: Mapping[str, tuple[Token, ...]]) -> set[str]:
    """Return the values of a track that a piece names: by its name if it names one there, or else by what is around it."""
    for tokens_said in (piece.own, piece.around):
        # XX is a division or the number of a corps; a single letter in the name of a file may be anything
        sure = [token for token in tokens_said if not may_be_number(token) and min(map(len, token)) > 1]
        named = {value for value, words in values.items() if words and has_all(sure, words)}
        if named:
            return named
    return set()


def _choose_proposal(
    unit: _UnitProfile, matches: Sequence[_Match], of_piece: Mapping[str, Mapping[str, _Match]]
) -> Proposal:
    """Return the piece that fits a unit better than all others do, and no unit of another kind as well; or those among
    which nothing decides.
    """
    claimed = {match.piece.key: of_piece[match.piece.key].items() for match in matches}
    better = {
        key: max((match.score for kind, match in by if kind != unit.kind), default=0.0) for key, by in claimed.items()
    }
    free = (match for match in matches if better[match.piece.key] - match.score < _MIN_LEAD)
    ranked = sorted(free, key=lambda match: -match.score)
    if not ranked or ranked[0].score < _MIN_SCORE:
        return Proposal(unit.id, "", "", "no piece found")
    best = ranked[0]
    rivals = [match for match in ranked[1:] if best.score - match.score < _MIN_LEAD]
    others = [
        match
        for kind, match in of_piece[best.piece.key].items()
        if kind != unit.kind and best.score - match.score < _MIN_LEAD
    ]
    if rivals:
        named = ", ".join(
            f"{match.piece.title} ({match.piece.key})" if match.piece.title != match.piece.key else match.piece.key
            for match in ranked[: min(len(rivals) + 1, _MAX_PIECES_NAMED)]
        )
        return Proposal(unit.id, "", "", f"one of {len(rivals) + 1}: {named}")
    if others:
        named = ", ".join(match.unit for match in others[:_MAX_PIECES_NAMED])
        return Proposal(unit.id, "", "", f"{best.piece.key} may be {named} too")
    return Proposal(
        unit.id,
        best.piece.named,
        _choose_sureness(best),
        "" if best.piece.title == best.piece.key else best.piece.title,
    )


def _choose_sureness(match: _Match) -> Sureness:
    odd = match.lacking + match.more + match.beside or match.vague
    if not odd:
        return SURE
    return LIKELY if odd == 1 else GUESS
