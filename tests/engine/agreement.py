"""Where the assistant's reading of a save and the engine's differ: piece by piece, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from assistant.formats.positions import Position
from assistant.formats.vassal.legends import DISPLAY
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.others.listing import carried_at, shared_properties
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import Save, read_save
from assistant.formats.vassal.traits import MASK, read_layer
from assistant.installed.registry import load_game

from . import engine

#: The property that newer engines give each piece.
_ADDED = "UniqueID"
#: Kinds of traits whose state newer engines have lengthened.
_LENGTHENED = ("footprint",)
_NAMED = re.compile(r"\b57[0-9]{3}(?=\\*,0\\*,)")


def save_set_ups(
    play: Callable[[list[dict[str, object]]], engine.Outcome], module: bytes, set_ups: Mapping[str, str], folder: Path
) -> None:
    """Let the engine open and save each set-up of a module; nothing is off the board, and both read the same.

    set_ups: the file of each by the name under which it is saved.
    """
    steps: list[dict[str, object]] = []
    for name, file in set_ups.items():
        steps += [{"do": "setup", "file": file}, {"do": "list", "as": name}]
        steps += [{"do": "save", "file": folder / f"{name}.vsav"}]
    outcome = play(steps)
    assert outcome.faults == []
    for name in set_ups:
        assert outcome[name].off_board == []
        assert differences(read_save((folder / f"{name}.vsav").read_bytes()), read_module(module), outcome[name]) == []


def saved(folder: Path, name: str) -> Position:
    """What the assistant reads of such a save."""
    return read_vassal((folder / f"{name}.vsav").read_bytes(), "game.vsav", lambda id: load_game(id))


def differences(save: Save, module: Module, listing: engine.Listing, *, stack_ids: bool = True) -> list[str]:
    """Everything on which the two readings of one game differ; nothing if they agree.

    Identity, name, levels of layers, slot, map, pixel, printed place, the stack and the place in it, every trait's type
    and state. stack_ids: whether stacks must have the same ids; a log does not say which ids the stacks get that its
    moves make.
    """
    seen, shared = {piece.id: piece for piece in listing.pieces}, shared_properties(save)
    found = [f"the engine lacks {save.pieces[id].name}" for id in save.pieces.keys() - seen.keys()]
    found += [f"the assistant lacks {seen[id].name}" for id in seen.keys() - save.pieces.keys()]
    stacks = {id: stack for stack in save.stacks.values() for id in stack.pieces}
    its_stacks = {stack.id: stack for stack in listing.stacks}
    for id in save.pieces.keys() & seen.keys():
        ours, its = save.pieces[id], seen[id]
        carried = carried_at(ours, module.locate(save, ours), shared)
        levels = [carried.level(trait) for trait in ours.traits if trait.kind == "emb2"]
        if DISPLAY in ours.marks():  # it follows the turn tracker, which is read by itself
            levels = its.levels
        pairs = {
            "name": (carried.name, its.name),
            "levels": (levels, its.levels),
            "slot": (ours.slot, its.gpid),
            "map": (ours.map, its.map or ""),
            "pixel": (ours.at, (its.x, its.y)),
            "place": (module.locate(save, ours), _place(its, its.location)),
            "place in the player's language": (module.locate(save, ours), _place(its, its.local_location)),
            "stack": (_stack(stacks.get(id), stack_ids), _stack(its_stacks.get(its.stack or ""), stack_ids)),
        }
        found += [f"{its.name}: {what} {one!r}, not {other!r}" for what, (one, other) in pairs.items() if one != other]
        found += _traits(ours, its)
    return found


def _stack(stack: PieceStack | engine.Stack | None, with_id: bool) -> tuple[str, ...]:
    """The pieces of a stack, bottom first, and its id. A piece alone in a stack is like one in none, if ids do not count."""
    if stack is None or (not with_id and len(stack.pieces) == 1):
        return ()
    return (*stack.pieces, *([stack.id] if with_id else []))


def _place(its: engine.Piece, location: str | None) -> str:
    """What the engine calls a piece's place; a board without a grid has places without names, which it calls off the board."""
    return "" if location is None or (location == engine.OFF_BOARD and its.board) else location


def _traits(ours: Piece, its: engine.Piece) -> Iterator[str]:
    if len(ours.traits) != len(its.traits):
        yield f"{its.name}: {len(ours.traits)} traits, not {len(its.traits)}"
    *traits, basic = zip(ours.traits, its.traits, strict=False)
    for trait, other in (*traits, basic):
        if not same_type(trait.type, other.type):
            yield f"{its.name}: type {trait.type!r}, not {other.type!r}"
    for trait, other in traits:  # the basic piece's state is its place
        follows = trait.kind == "emb2" and read_layer(trait.type).follows  # its level is compared, not the one it had
        states = (_owner(trait.state), _owner(other.state)) if trait.kind == MASK else (trait.state, other.state)
        if not follows and not _same(*states, ";" if trait.kind in _LENGTHENED else ""):
            yield f"{its.name}: state {trait.state!r}, not {other.state!r}, of {trait.type}"


def _owner(state: str) -> str:
    """Who masks a piece; engines write more or less behind it."""
    return state.partition(";")[0]


def own_properties(piece: Piece) -> dict[str, str]:
    """The properties that VASSAL keeps with a piece, but for those that only newer engines have."""
    return {name: value for name, value in piece.properties if name != _ADDED}


def same_types(ours: Iterable[str], its: Iterable[str]) -> bool:
    """Whether types of traits are the same, trait by trait."""
    return all(same_type(one, other) for one, other in zip_longest(ours, its, fillvalue=""))


def same_type(one: str, other: str) -> bool:
    """Whether types of traits are the same. Every engine numbers keystrokes with names anew."""
    return _same(*(_NAMED.sub("57344", type) for type in (one, other)), ";|")


def _same(one: str, other: str, delimiters: str) -> bool:
    """Whether two texts of fields are the same as far as both go: each engine adds fields at the end that older ones do
    not know.

    delimiters: between fields, and within them.
    """
    if one == other or not delimiters:
        return one == other
    return all(
        _same(a, b, delimiters[1:]) for a, b in zip(one.split(delimiters[0]), other.split(delimiters[0]), strict=False)
    )
