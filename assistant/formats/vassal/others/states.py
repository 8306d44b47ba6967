"""What the traits of a piece say of it: what players see of it, and the properties that it carries."""

from __future__ import annotations

from ..pieces import Piece
from ..sequence import split
from ..traits import MASK, Trait, read_label, read_layer, read_marker


def shown(piece: Piece) -> dict[str, str]:
    """What players see of a piece beside its name: its layers by their names, texts, whether it moved, how it is turned, who hides it."""
    found: dict[str, str] = {}
    for trait in piece.traits:
        for name, value in _seen(piece, trait):
            found[_new(found, name)] = value
    return found


def properties(piece: Piece) -> dict[str, str]:
    """The properties of a piece: markers, dynamic properties, and as they are written the expressions of calculated ones.

    Of several with one name the outermost counts.
    """
    found: dict[str, str] = {}
    for trait in piece.traits:
        name = (*split(trait.type, ";"), "")[1]
        if trait.kind == "mark":
            for key, value in read_marker(trait).items():
                found.setdefault(key, value)
        elif trait.kind == "PROP":
            found.setdefault(name, trait.state)
        elif trait.kind == "calcProp":
            found.setdefault(name, (*split(trait.type, ";"), "", "")[2])
        elif trait.kind == "propertysheet" and trait.state.strip("~"):
            found.setdefault("property sheet", trait.state)
    return found


def _seen(piece: Piece, trait: Trait) -> list[tuple[str, str]]:
    """What one trait shows, by names."""
    if trait.kind == "emb2":
        return _of_layer(piece, trait)
    if trait.kind == "label" and trait.state:
        return [(read_label(trait.type).name or "text", trait.state)]
    if trait.kind == "markmoved" and trait.state == "true":
        return [("moved", "yes")]
    if trait.kind == "rotate" and trait.state not in ("", "0", "0.0"):
        facings = (*split(trait.type, ";"), "")[1]
        return [("turned", f"{trait.state} degrees" if facings == "1" else f"facing {trait.state} of {facings}")]
    if owner := piece.owner(trait):
        return [("masked by" if trait.kind == MASK else "invisible, placed by", owner)]
    return []


def _of_layer(piece: Piece, trait: Trait) -> list[tuple[str, str]]:
    """The level of a layer: its name, or else its number; nothing for one that is off, or that has no second level and no name."""
    layer, level = read_layer(trait.type), piece.level(trait)
    count = len(layer.images)
    if not 0 < level <= count:
        return [] if level <= 0 else [(layer.name or "layer", f"level {level} of {count}")]
    name = layer.names[level - 1].strip("+ ")
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
