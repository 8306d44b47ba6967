"""Entries of a mapping that are called like nothing in the module: misspelt, or of another version of it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from ....util.console import count_text
from ....util.errors import nearest, plain
from ..elements.controls import all_levels
from ..expressions.carried import Carried
from ..pieces import Piece
from ..saves import Save
from ..traits import KINDS, read_layer
from .legend import AdoptedLegend, layer_names, names_of, property_values
from .mapping import NUMBERED, Fixtures, ModuleMapping, kind_of


def strays(
    mapping: ModuleMapping, fixtures: Fixtures, more: Collection[str] = (), marks: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """A sentence for each name in a mapping that nothing in a module has, with what may be meant.

    more: names of pieces and properties beside those that the fixtures state; marks: the likely piece of each unit that
    has one.
    """
    controls = fixtures.controls
    levels = {level.name for tracker in controls.trackers for level in all_levels(tracker)}
    for section, kind, entries, known in (
        ("sides", "side", mapping.sides, {*controls.sides}),
        ("maps", "map", mapping.maps, {*fixtures.maps}),
        ("turn", "level of a turn tracker", mapping.turn, {*levels, *more}),
        ("dice", "dice button", mapping.dice, {button.name for button in controls.dice}),
    ):
        yield from (_stray(f"[{section}]", kind, name, nearest(name, known)) for name in entries if name not in known)
    if not fixtures.pieces:  # of a module that was adopted before they were kept
        return
    pieces = {*fixtures.pieces, *more}
    named = [
        (f"[units] {unit}", name, (marks or {}).get(unit)) for unit in mapping.units for name in mapping.pieces_of(unit)
    ]
    named += [("[markers]", name, None) for name in mapping.markers] + [
        ("ignored", name, None) for name in mapping.ignored
    ]
    for where, name, now in named:
        if name not in pieces:
            yield _stray(where, "piece", name, f"it may be {now!r} now" if now else nearest(name, pieces))


def _stray(where: str, kind: str, name: str, hint: str) -> str:
    return f"{where}: the module has no {kind} {plain(repr(name))}" + (f"; {hint}" if hint else "")


_MOST = 12
"""How many layers, properties or places are named."""


def understood(save: Save, legend: AdoptedLegend) -> Iterator[str]:
    """What is understood, and what is not, in sentences. They count all pieces, so that no side may read them."""
    mapping, about = legend.mapping, save.about
    of_another = mapping.version and about.module_version not in ("", mapping.version)
    yield " ".join(filter(None, (about.module, about.module_version))) + (
        f"; the mapping was made of {mapping.version}: adopt the newer one too" if of_another else ""
    )
    in_play = [piece for piece in save.pieces.values() if piece.map and not legend.is_aside(piece.map, piece.at)]
    kinds = Counter(_kind(legend, piece) for piece in in_play)
    known = ", ".join(count_text(kinds[kind], kind) for kind in ("unit", "marker", "ignored piece") if kinds[kind])
    yield f"{kinds.total() - kinds['']} of {count_text(kinds.total(), 'piece')} in play" + (
        f": {known}" if known else ""
    )
    lying = [piece for piece in in_play if _kind(legend, piece) in ("unit", "marker")]
    lost = Counter(
        legend.printed(piece.map, piece.at) or piece.map
        for piece in lying
        if not legend.place(piece.map, piece.at).name
    )
    yield f"{len(lying) - lost.total()} of {len(lying)} units and markers in places of the game" + _others(lost)
    traits = Counter(name for piece in lying for name in _traits(legend, piece, known=True))
    others = Counter(name for piece in lying for name in _traits(legend, piece, known=False))
    yield f"{len(traits)} of {len(traits) + len(others)} of their layers, properties and traits of own code" + _others(
        others
    )
    yield from _too_many(legend)
    yield from dict.fromkeys(trouble for piece in lying for trouble in _ill_fitting(legend, piece))
    more = {name for piece in save.pieces.values() for name in names_of(piece)} | {name for _, name in save.properties}
    yield from islice(strays(mapping, legend.fixtures, more), _MOST)


def _too_many(legend: AdoptedLegend) -> Iterator[str]:
    """The counters in play for which no unit is left."""
    for units, count in Counter(map(legend.units_of, legend.left_over)).items():
        named, kind = ", ".join(map(plain, units[:_MOST])), kind_of(units[0])
        numbered = (NUMBERED.format(kind, number) for number in itertools.count(2))
        free = next(unit for unit in numbered if unit not in legend.mapping.units)
        unlisted = "" if free in legend.game.roster else ", which has to be in the roster first"
        yield (
            f"[units] {named}: {count_text(count, 'more such counter')} in play; "
            f"name a unit for each, such as {plain(free)}{unlisted}"
        )


def _ill_fitting(legend: AdoptedLegend, piece: Piece) -> Iterator[str]:
    """The layers of a piece that have more levels, or fewer, than the mapping gives words for."""
    layers = legend.mapping.layers
    for trait in piece.traits:
        if trait.kind == "emb2" and (name := next((name for name in layer_names(trait) if name in layers), "")):
            levels, given = len(read_layer(trait.type).images), len(layers[name])
            if levels != given:
                yield f"[layers] {plain(name)}: the layer has {count_text(levels, 'level')}, and the list tells {given}"


def _kind(legend: AdoptedLegend, piece: Piece) -> str:
    """What a piece is, "" for one that is unknown."""
    if legend.unit(piece):
        return "unit"
    return "marker" if legend.marker(piece) else "ignored piece" if legend.is_ignored(piece) else ""


def _traits(legend: AdoptedLegend, piece: Piece, *, known: bool) -> Iterator[str]:
    """The layers, properties and traits of the module's own code of a piece that the mapping has, or those that it does
    not have.
    """
    mapping, carried = legend.mapping, Carried(piece.traits)
    for trait in piece.traits:
        if trait.kind == "emb2":
            names = layer_names(trait)
            if names and any(name in mapping.layers for name in names) is known:
                yield f"layer {names[-1]}"
        elif trait.kind not in KINDS:
            if (trait.kind in mapping.traits) is known:
                yield f"trait {trait.kind}"
        else:
            yield from (
                name for name in property_values(trait, carried) if name and (name in mapping.properties) is known
            )


def _others(unknown: Counter[str]) -> str:
    """What is not understood, the most frequent first."""
    named = [f"{plain(name)} ({count})" for name, count in unknown.most_common(_MOST)]
    more = [f"{len(unknown) - _MOST} more"] if len(unknown) > _MOST else []
    return f"; unknown: {', '.join(named + more)}" if unknown else ""
