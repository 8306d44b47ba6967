"""What is proposed for a module, entry by entry: which layer, property or marker means which track, which side, level
of the turn tracker and dice button is which of the game's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from .....game.games import Game
from .....state.tracks import Track
from .....util.console import format_count
from .....util.errors import InputError
from ...controls import Controls, TurnLevel, all_levels
from ...properties import Carried
from ...traits import KINDS, LayerTrait, Trait, read_layer
from ..legend import all_properties, layer_key
from ..mapping import OF_GAME, OF_MARKER, OF_UNIT
from .candidates import GUESS, LIKELY, SURE, Candidate, Proposal
from .likeness import has_all, likeness, tokens
from .names import ALIKE, NUMBER, SAME, TrackNames, write_number, write_scalar

_MOST_VALUES = 12
"""How many values of a property are looked at, and written."""
_ALIKE_NAMES = 0.5
"""How alike a side of the module and one of the game must be at least to be the same."""
_SAME_NAME = 0.85
"""How alike they must be to be the same for sure."""


class _Layer(NamedTuple):
    """A layer that several pieces have."""

    key: str
    title: str
    names: tuple[str, ...]
    images: tuple[str, ...]
    level: int
    """Of the first of them, negative while it does not show."""
    pieces: int
    bearer: str
    """What they are called, "" for several."""


def propose_layers(known: TrackNames, pieces: Iterable[Candidate], given: Collection[str] = ()) -> list[Proposal]:
    """Return a proposal for each different layer that has something to say: what each of its levels states. given: the
    layers of which that is known.
    """
    return [_propose_layer(known, layer) for layer in _find_layers(pieces) if layer.key not in given]


def _find_layers(pieces: Iterable[Candidate]) -> Iterator[_Layer]:
    """Yield the layers that differ in name or number of levels; those that only hold a piece's own picture are left
    out.
    """
    by_name: dict[tuple[str, int], list[tuple[LayerTrait, str]]] = {}
    levels: dict[tuple[str, int], int] = {}
    for candidate in pieces:
        for trait in candidate.piece.traits:
            if trait.kind == "emb2":
                layer = read_layer(trait.type)
                if layer.name.isprintable() and (layer.name or len(layer.images) > 1):
                    called = layer.name, len(layer.images)
                    if called not in levels:
                        levels[called] = Carried(candidate.piece.traits).level(trait)
                    by_name.setdefault(called, []).append((layer, candidate.title))
    shared = Counter(name for name, _ in by_name)
    for (name, count), alike in by_name.items():
        names, _ = Counter(layer.names for layer, _ in alike).most_common(1)[0]
        images, _ = Counter(layer.images for layer, _ in alike).most_common(1)[0]
        key = name if name and shared[name] == 1 else f"{name}/{count}"
        bearers = {title for _, title in alike}
        yield _Layer(
            key, name, names, images, levels[name, count], len(alike), bearers.pop() if len(bearers) == 1 else ""
        )


def _propose_layer(known: TrackNames, layer: _Layer) -> Proposal:
    counts = any(map(NUMBER.search, layer.names))
    match = known.track(layer.title, OF_UNIT, counts=counts) or known.track(layer.bearer, OF_MARKER, counts=counts)
    track, alike = match if match is not None else (known.find_by_values(layer.names, OF_UNIT), ALIKE)
    why = format_count(layer.pieces, "piece")
    meant = [known.word(name, OF_UNIT) for name in layer.names]
    is_clear = any(meant) and all(map(_agree, layer.names, meant))
    if track is not None and (alike >= SAME or not is_clear):
        words = [known.word(name, OF_UNIT, track) for name in layer.names]
        if any(words):
            return Proposal(layer.key, words, SURE if alike >= SAME else LIKELY, why)
    if any(meant):
        return Proposal(layer.key, meant, SURE if is_clear else LIKELY, why)
    if track is not None:
        words = _number_levels(track, layer)
        if any(words):
            return Proposal(layer.key, words, LIKELY if alike >= SAME and _read_numbers(layer.images) else GUESS, why)
    levels = ", ".join(name for name in layer.names if name)
    return Proposal(layer.key, [""] * len(layer.names), "", why + (f"; levels: {levels}" if levels else ""))


def _agree(name: str, word: str) -> bool:
    """Return whether a level without a name states nothing, and one with a name something."""
    return bool(name.strip(" +")) == bool(word)


def _number_levels(track: Track, layer: _Layer) -> list[str]:
    """Return the words for levels without names: by the numbers in the files of their pictures, or else counted from
    the one that shows nothing.
    """
    count = len(layer.names)
    if track.kind == "flag":
        return [*[""] * (count - 1), track.word(True)] if count <= 2 else []
    if track.kind != "integer":
        return []
    numbers = _read_numbers(layer.images)
    if len(numbers) != count:
        numbers = list(range(count)) if layer.level > 0 else list(range(1, count + 1))
    return [write_number(track, number) for number in numbers]


def _read_numbers(images: Sequence[str]) -> list[int]:
    """Return the last number in the name of each picture, as far as they all have one and no two the same."""
    figures = [NUMBER.findall(PurePosixPath(image).stem) for image in images if image]
    numbers = [int(each[-1]) for each in figures if each]
    return numbers if len({*numbers}) == len(images) else []


def propose_properties(known: TrackNames, pieces: Sequence[Candidate]) -> list[Proposal]:
    """Return a proposal for each property that is named like a track: printed ratings, and what varies in play."""
    values: dict[str, Counter[str]] = {}
    for candidate in pieces:
        for name, value in all_properties(candidate.piece.traits):
            values.setdefault(name, Counter())[value] += 1
    return [_propose_property(known, name, counts) for name, counts in values.items() if name.isprintable()]


def _propose_property(known: TrackNames, name: str, counts: Counter[str]) -> Proposal:
    match = known.track(name, OF_UNIT, printed=True)
    often = ", ".join(value for value, _ in counts.most_common(_MOST_VALUES) if value)[:100]
    why = format_count(counts.total(), "piece") + (f": {often}" if often else "")
    if match is None:
        return Proposal(name, "", "", why)
    track, alike = match
    sure = SURE if alike >= SAME else LIKELY
    given = [value for value in counts if value and not value.startswith("$")]
    if not given and any(counts):
        return Proposal(name, "", "", why)
    pattern = _write_pattern(track)
    if all(_fits(known, pattern, value) for value in given):
        return Proposal(name, pattern, sure if given else GUESS, why)
    if track.kind in ("choice", "choices", "flag"):
        shown = [value for value in given[:_MOST_VALUES] if value.isprintable()]
        table = {value: word for value in shown if (word := write_scalar(track, value))}
        if table:
            return Proposal(name, table, LIKELY if len(table) == len(given) else GUESS, why)
    return Proposal(name, "", "", why)


def _write_pattern(track: Track) -> str:
    """Return the word that states any value of a track, `{}` standing for it; counted downwards where the track is."""
    falls = track.kind == "integer" and track.most is not None and track.most <= 0
    return f"{track.name}=-{{}}" if falls else f"{track.name}={{}}"


def _fits(known: TrackNames, pattern: str, value: str) -> bool:
    try:
        known.meanings.fact(pattern.replace("{}", value.strip()), OF_UNIT)
    except InputError:
        return False
    return True


def propose_markers(
    known: TrackNames, pieces: Iterable[Candidate], layers: Mapping[str, Sequence[str]]
) -> Iterator[Proposal]:
    """Yield a proposal for each piece that is called like a fact of a hex, or like one of the unit below it. layers: as
    proposed, by name.
    """
    for candidate in pieces:
        word = known.word(candidate.title, OF_MARKER) or known.word(candidate.key, OF_MARKER)
        stated = _find_layer_track(known, candidate, layers)
        if stated is not None and (not word or stated in known.meanings.tracks(word, OF_MARKER)):
            yield Proposal(candidate.key, "", LIKELY, f"its layers state {stated.title}")  # players may change them
        elif word:
            yield Proposal(candidate.key, word, LIKELY, candidate.title if candidate.title != candidate.key else "")


def _find_layer_track(known: TrackNames, candidate: Candidate, layers: Mapping[str, Sequence[str]]) -> Track | None:
    """Return the track of hexes that a layer of a piece states."""
    for trait in candidate.piece.traits:
        for word in filter(None, layers.get(layer_key(trait, layers), ())):
            for track in known.meanings.tracks(word, OF_MARKER):
                if track.on == "hex":
                    return track
    return None


def propose_traits(pieces: Iterable[Candidate]) -> list[Proposal]:
    """Return the kinds of traits of the module's own code, which only the player can tell: they may hide pieces."""
    by_kind: dict[str, tuple[Trait, int]] = {}
    for candidate in pieces:
        for trait in candidate.piece.traits:
            if trait.kind not in KINDS:
                first, count = by_kind.get(trait.kind, (trait, 0))
                by_kind[trait.kind] = (first, count + 1)
    proposals: list[Proposal] = []
    for kind, (trait, count) in by_kind.items():
        if kind.isprintable():
            example = f"{trait.type} with the state {trait.state or 'none'}"
            why = f"{format_count(count, 'piece')}, such as {example}"
            proposals.append(Proposal(kind, {"type": [], "state": []}, "", why))
    return proposals


def propose_sides(game: Game, controls: Controls) -> list[Proposal]:
    """Return a proposal for each side of the module: the game's whose name or nations its name tells."""
    return [_propose_side(game, name) for name in controls.sides if name.isprintable()]


def _propose_side(game: Game, name: str) -> Proposal:
    candidates = []
    for side, nations in game.file.sides.items():
        called = (side, game.file.titles.get(side, side))
        mine = tokens(name)
        by_nation = 0.7 if any(has_all(mine, tokens(nation)) for nation in nations) else 0.0
        candidates.append((max(likeness(mine, *map(tokens, called)), by_nation), side))
    ranked = sorted(candidates, reverse=True)
    if not ranked or ranked[0][0] < _ALIKE_NAMES or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return Proposal(name, "", "", f"one of {', '.join(game.file.sides)}, or none")
    return Proposal(name, ranked[0][1], SURE if ranked[0][0] >= _SAME_NAME else LIKELY)


def propose_turn(known: TrackNames, controls: Controls) -> list[Proposal]:
    """Return a proposal for each level of the turn trackers: a number counts turns, the entries of a list are words."""
    proposals: list[Proposal] = []
    for levels in controls.trackers:
        for number, level in enumerate(all_levels(levels)):
            proposal = _propose_level(known, level, is_first=number == 0) if level.name.isprintable() else None
            if proposal:
                proposals.append(proposal)
    return proposals


def _propose_level(known: TrackNames, level: TurnLevel, *, is_first: bool) -> Proposal:
    if not level.entries:
        return _propose_counter(known, level, is_first=is_first)
    listed = known.find_by_values(level.entries, OF_GAME)
    words: list[Any] = [known.word(entry, OF_GAME, listed) for entry in level.entries]
    entries = ", ".join(level.entries)
    if any(words):
        return Proposal(level.name, words, LIKELY if all(words) else GUESS, entries)
    return Proposal(level.name, words, "", entries)


def _propose_counter(known: TrackNames, level: TurnLevel, *, is_first: bool) -> Proposal:
    """Return a proposal for a level that is a number: the track that it is called like, or for the first one the game's
    first that is a number.
    """
    match = known.track(level.name, OF_GAME)
    if match is not None and match[0].kind == "integer":
        track, alike = match
        return Proposal(level.name, _write_pattern(track), SURE if alike >= SAME else GUESS)
    counted = next((track for track in known.tracks(OF_GAME) if track.kind == "integer"), None)
    if counted is None or not is_first:
        return Proposal(level.name, "", "", "a number")
    return Proposal(level.name, _write_pattern(counted), GUESS)


def propose_dice(controls: Controls) -> list[Proposal]:
    """Return the dice buttons, whose throws a log holds; which roll one is for only the player can tell."""
    return [
        Proposal(button.name, "", LIKELY, f"{button.dice}d{button.faces}")
        for button in controls.dice
        if button.name and button.name.isprintable()
    ]
