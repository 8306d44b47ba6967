"""Sentences on how much of a save a mapping covers."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from shlex import quote

from ....game.roster import COUNT, NUMBERED, shared_unit_name
from ....util.console import format_count
from ....util.errors import plain
from ....util.patterns import late_pattern
from ..maps import list_centres
from ..pieces import Piece
from ..properties import Carried
from ..saves import Save
from ..traits import KINDS, read_layer
from .identity import names_for_piece
from .legend import AdoptedLegend, find_strays, layer_key, list_layer_names, property_values
from .mapping_files import mapping_file

_NUMBER = late_pattern("[0-9]{1,9}")
_MAX_NAMED = 12
"""Maximum number of layers, properties or places that are named."""


def describe_understood(save: Save, legend: AdoptedLegend) -> Iterator[str]:
    """Yield sentences on what is understood and what is not. They count all pieces, so no side may read them."""
    mapping = legend.mapping
    about = save.about
    yield " ".join(filter(None, (about.module or mapping.module, about.module_version))) + compare_versions(
        about.module_version, mapping.version
    )
    in_play = [piece for piece in save.pieces.values() if piece.map and not legend.is_aside(piece.map, piece.at)]
    kinds = Counter(_classify(legend, piece) for piece in in_play)
    known = ", ".join(format_count(kinds[kind], kind) for kind in ("unit", "marker", "ignored piece") if kinds[kind])
    yield f"{kinds.total() - kinds['']} of {format_count(kinds.total(), 'piece')} in play" + (
        f": {known}" if known else ""
    )
    counters = [piece for piece in in_play if _classify(legend, piece) in ("unit", "marker")]
    unplaced = Counter(
        legend.printed(piece.map, piece.at) or piece.map
        for piece in counters
        if not legend.place(piece.map, piece.at).name
    )
    yield (
        f"{len(counters) - unplaced.total()} of {len(counters)} units and markers in places the game knows"
        + _format_unknown(unplaced)
    )
    traits = Counter(name for piece in counters for name in _list_traits(legend, piece, known=True))
    others = Counter(name for piece in counters for name in _list_traits(legend, piece, known=False))
    yield (
        f"{len(traits)} of {len(traits) + len(others)} of their layers, properties and custom traits"
        + _format_unknown(others)
    )
    yield from _find_too_many(legend)
    yield from dict.fromkeys(trouble for piece in counters for trouble in _find_ill_fitting(legend, piece))
    more = {name for piece in save.pieces.values() for name in names_for_piece(piece)} | {
        name for _, name in save.properties
    }
    yield from islice(find_strays(mapping, legend.fixtures, more), _MAX_NAMED)


def compare_versions(saved: str, mapped: str) -> str:
    """Return a remark on a save whose module has another version than the mapping, or ""."""
    if not mapped or saved in ("", mapped):
        return ""
    of_save, of_mapping = _list_numbers(saved), _list_numbers(mapped)
    age = "newer" if of_save < of_mapping else "older" if of_save > of_mapping else "another"
    return f"; the mapping is {age}, made from {mapped}: adopt {saved} too"


def _list_numbers(version: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(version)]


def describe_guesses(legend: AdoptedLegend) -> Iterator[str]:
    """Yield a sentence for each map with guessed hexes, with one hex to confirm. It reveals nothing of the save."""
    mapping = legend.mapping
    file = mapping_file(mapping.module, mapping.game)
    for name, meaning in mapping.maps.items():
        if not meaning.guessed or meaning.aside:
            continue
        example = next(_list_examples(legend, name), "no hex of it is found")
        yield (
            f"the hexes of {plain(name)} are guessed: {example}. If that is right, delete `guessed = true` in {file}; "
            "if not, correct it there"
        )


def _list_examples(legend: AdoptedLegend, map: str) -> Iterator[str]:
    """Yield sentences that match a map's hexes with the game's, from the middle outwards."""
    for board in legend.located.boards.get(map, ()):
        x, y = board.size[0] // 2, board.size[1] // 2
        centres = sorted(list_centres(board.grid, board.size), key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)
        for at in centres:
            there = board.on_map(at)
            if board.holds(there) and legend.game.board(legend.board).is_hex(place := legend.place(map, there).name):
                yield f"{plain(legend.printed(map, there))} of the module is taken for {place}"


def _find_too_many(legend: AdoptedLegend) -> Iterator[str]:
    """Yield sentences on the counters in play that exceed the number of their units."""
    for units, count in Counter(map(legend.units_of, legend.left_over)).items():
        named = ", ".join(map(plain, units[:_MAX_NAMED]))
        kind = shared_unit_name(units[0])
        numbered = (NUMBERED.format(kind, number) for number in itertools.count(2))
        next_free = next(unit for unit in numbered if unit not in units)
        what = (
            f"name a unit for each, such as {plain(next_free)}"
            if next_free in legend.game.roster
            else _word_count(legend, units)
        )
        yield f"[units] {named}: {format_count(count, 'more such counter')} in play; {what}"


def _word_count(legend: AdoptedLegend, units: Sequence[str]) -> str:
    """Return the advice to raise these units' count in the roster: the command, or the column to write it into."""
    if legend.game.home:
        return f"module-builder count {quote(legend.game.home)} SAVE makes a unit of each"
    type = legend.game.type_of(units[-1])
    return f"write more than {legend.game.counters.get(type, 1)} as the {COUNT} of {plain(type)} in the roster"


def _find_ill_fitting(legend: AdoptedLegend, piece: Piece) -> Iterator[str]:
    """Yield sentences on a piece's layers with more or fewer levels than the mapping has words for."""
    layers = legend.mapping.layers
    for trait in piece.traits:
        if name := layer_key(trait, layers):
            levels, given = len(read_layer(trait.type).images), len(layers[name])
            if levels != given:
                yield (
                    f"[layers] {plain(name)}: the layer has {format_count(levels, 'level')}, but the list gives {given}"
                )


def _classify(legend: AdoptedLegend, piece: Piece) -> str:
    """Return the kind of a piece, or "" for an unknown one."""
    if legend.unit(piece):
        return "unit"
    if legend.marker(piece):
        return "marker"
    return "ignored piece" if legend.is_ignored(piece) else ""


def _list_traits(legend: AdoptedLegend, piece: Piece, *, known: bool) -> Iterator[str]:
    """Yield the names of a piece's layers, properties and own traits that the mapping has, or that it lacks."""
    mapping = legend.mapping
    carried = Carried(piece.traits)
    for trait in piece.traits:
        if trait.kind == "emb2":
            names = list_layer_names(trait)
            if names and any(name in mapping.layers for name in names) is known:
                yield f"layer {names[-1]}"
        elif trait.kind not in KINDS:
            if (trait.kind in mapping.traits) is known:
                yield f"trait {trait.kind}"
        else:
            yield from (
                name for name in property_values(trait, carried) if name and (name in mapping.properties) is known
            )


def _format_unknown(unknown: Counter[str]) -> str:
    """Return a text with the unknown names, the most frequent first, or ""."""
    named = [f"{plain(name)} ({count})" for name, count in unknown.most_common(_MAX_NAMED)]
    more = [f"{len(unknown) - _MAX_NAMED} more"] if len(unknown) > _MAX_NAMED else []
    return f"; unknown: {', '.join(named + more)}" if unknown else ""
