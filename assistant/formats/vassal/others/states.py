"""What the traits of a piece say of it: what players see of it, and the properties that it carries."""

from __future__ import annotations

from collections.abc import Mapping

from ..expressions.carried import BASIC, Carried
from ..pieces import Piece
from ..sequence import split
from ..traits import INVISIBLE, MASK, Trait, read_label, read_layer, shared_by


def shown(piece: Piece, carried: Carried, owners: Mapping[str, str]) -> dict[str, str]:
    """What players see of a piece beside its name: its layers by their names, texts, whether it moved, how it is turned, who hides it.

    owners: what players are called, by id, which is the password of a player and never told.
    """
    found: dict[str, str] = {}
    for trait in piece.traits:
        for name, value in _seen(trait, carried):
            found[_new(found, name)] = value
        if owner := piece.owner(trait):
            player = shared_by(trait.type) is None
            found[_new(found, _HIDDEN[trait.kind])] = owners.get(owner, "a player") if player else owner
    return found


_HIDDEN = {MASK: "masked by", INVISIBLE: "invisible, placed by"}


def properties(piece: Piece, carried: Carried) -> dict[str, str]:
    """The properties of a piece: markers, dynamic ones, and calculated ones, as they are written if they cannot be worked out."""
    found = {name: value for name, value in carried.values.items() if name != BASIC}
    for name, expression in carried.expressions.items():
        value = carried.get(name)
        found[name] = expression if value is None else value
    for trait in piece.traits:
        if trait.kind == "propertysheet" and trait.state.strip("~"):
            found.setdefault("property sheet", trait.state)
    return found


def _seen(trait: Trait, carried: Carried) -> list[tuple[str, str]]:
    """What one trait shows, by names."""
    if trait.kind == "emb2":
        return _of_layer(trait, carried.level(trait))
    if trait.kind == "label" and (text := carried.text_on(trait)):
        return [(read_label(trait.type).name or "text", text)]
    if trait.kind == "markmoved" and trait.state == "true":
        return [("moved", "yes")]
    if trait.kind == "rotate" and trait.state not in ("", "0", "0.0"):
        facings = (*split(trait.type, ";"), "")[1]
        return [("turned", f"{trait.state} degrees" if facings == "1" else f"facing {trait.state} of {facings}")]
    return []


def _of_layer(trait: Trait, level: int) -> list[tuple[str, str]]:
    """The level of a layer: its name, or else its number; nothing for one that is off, or that has no second level and no name."""
    layer = read_layer(trait.type)
    count = len(layer.images)
    if not 0 < level <= count:
        return [] if level <= 0 else [(layer.name or "layer", f"level {level} of {count}")]
    name = next((word for part in split(layer.names[level - 1], "+") if (word := part.strip())), "")
    if not name and count == 1:
        return [(layer.name, "yes")] if layer.name else []
    return [(layer.name or "layer", name or f"level {level} of {count}")]


def _new(found: dict[str, str], name: str) -> str:
    """A name that is not taken."""
    number, free = 1, name
    while free in found:
        number += 1
        free = f"{name} {number}"
    return free
