"""Where the assistant's reading of a save and the engine's differ: piece by piece, both ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.formats.vassal.modules import Module
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import Save

from . import engine

_NAMED = re.compile(r"\b57[0-9]{3}(?=\\*,0\\*,)")


def differences(save: Save, module: Module, listing: engine.Listing) -> list[str]:
    """Everything on which the two readings of one game differ; nothing if they agree.

    Identity, name, slot, map, pixel, printed place, the stack and the place in it, every trait's type and state.
    """
    seen = {piece.id: piece for piece in listing.pieces}
    found = [f"the engine lacks {save.pieces[id].name}" for id in save.pieces.keys() - seen.keys()]
    found += [f"the assistant lacks {seen[id].name}" for id in seen.keys() - save.pieces.keys()]
    stacked = {id: (stack.id, index) for stack in save.stacks.values() for index, id in enumerate(stack.pieces)}
    for id in save.pieces.keys() & seen.keys():
        ours, its = save.pieces[id], seen[id]
        pairs = {
            "name": (ours.name, its.name),
            "slot": (ours.slot, its.gpid),
            "map": (ours.map, its.map or ""),
            "pixel": (ours.at, (its.x, its.y)),
            "place": (module.locate(save, ours), _place(its)),
            "stack": (stacked.get(id), (its.stack, its.index) if its.stack is not None else None),
        }
        found += [f"{its.name}: {what} {one!r}, not {other!r}" for what, (one, other) in pairs.items() if one != other]
        found += _traits(ours, its)
    return found


def _place(its: engine.Piece) -> str:
    """What the engine calls a piece's place; a board without a grid has places without names, which it calls off the board."""
    return "" if its.location is None or (its.location == engine.OFF_BOARD and its.board) else its.location


def _traits(ours: Piece, its: engine.Piece) -> Iterator[str]:
    if not same_types([trait.type for trait in ours.traits], [trait.type for trait in its.traits]):
        yield f"{its.name}: traits {ours.traits}, not {its.traits}"
    for trait, other in zip(ours.traits[:-1], its.traits[:-1], strict=False):  # the basic piece's state is its place
        if trait.state != other.state:
            yield f"{its.name}: state {trait.state!r}, not {other.state!r}, of {trait.type}"


def same_types(ours: Sequence[str], its: Sequence[str]) -> bool:
    """Whether types of traits are the same; an older engine leaves out fields at the end that it does not know.

    Every engine numbers keystrokes with names anew.
    """
    pairs = zip(*([_NAMED.sub("57344", type) for type in types] for types in (ours, its)), strict=False)
    return len(ours) == len(its) and all(one == other or one.startswith(f"{other};") for one, other in pairs)
