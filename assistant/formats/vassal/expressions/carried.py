"""The properties that the traits of a piece carry: markers, dynamic and calculated ones, levels and names of layers, texts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..sequence import split
from ..traits import Trait, level, read_layer, read_marker
from .beanshell import Unsolved, worked_out

_DEEPEST, _LONGEST = 5, 4000
"""How many calculated properties may rest on each other; how many letters a text gets at most."""
BASIC = "BasicName"
"""The property that holds the name of a piece without what its traits add."""
_LAYER = re.compile("(.*)_(Level|Name|Active)", re.DOTALL)


class Carried:
    """The properties of a piece, by name; of several with one name the outermost counts.

    traits: the outermost first; shared: the global properties that the piece may name too.
    """

    def __init__(self, traits: tuple[Trait, ...], shared: Mapping[str, str] | None = None) -> None:
        self.shared = shared or {}
        self.values: dict[str, str] = {}
        self.calculated: dict[str, str | None] = {}  # as far as they are worked out
        self.expressions: dict[str, str] = {}
        self.layers: dict[str, Trait] = {}
        self.kept: dict[str, None] = {}  # texts that could not be worked out
        self.name: str | None = None
        self.depth = 0
        for trait in traits:
            for name, value in _carried(trait):
                if name not in self.expressions:
                    self.values.setdefault(name, value)
            if trait.kind == "calcProp" and (name := _part(trait, 1)) not in self.values:
                self.expressions.setdefault(name, _part(trait, 2))
            elif trait.kind == "emb2":
                self.layers.setdefault(read_layer(trait.type).name, trait)

    def get(self, name: str) -> str | None:
        """The value of a property; None if the piece has none that can be worked out, and no global one has the name."""
        if name in self.values:
            return self.values[name]
        if name in self.expressions:
            if name not in self.calculated:
                self.calculated[name] = self._worked_out(self.expressions[name])
            return self.calculated[name]
        if (of_layer := _LAYER.fullmatch(name)) and of_layer[1] in self.layers:
            return self._of_layer(self.layers[of_layer[1]], of_layer[2])
        return self.name if name == "PieceName" else self.shared.get(name)

    def called(self, name: str) -> None:
        """Take down the name of the piece, which its calculated properties may name in turn."""
        self.name = name
        self.calculated.clear()

    @property
    def unsolved(self) -> list[str]:
        """What stays as it is written, since it cannot be worked out."""
        names = (f"calculated property {name}" for name in self.expressions if self.get(name) is None)
        return [*names, *(f"text {text[:60]}" for text in self.kept)]

    def level(self, trait: Trait) -> int:
        """The level of a layer, from 1; negative while it is inactive. It may follow a property, if that is a number."""
        layer = read_layer(trait.type)
        followed = self.get(layer.follows) if layer.follows else None
        if followed is not None and re.fullmatch("-?[0-9]+", followed):
            return int(followed[:9]) - layer.first + 1
        return level(trait)

    def told(self, text: str, **own: str) -> str:
        """A text with the properties that it names between dollar signs, or worked out if it is an expression; what is not known stays
        as it is written. own: properties that count before those of the piece."""
        if text.startswith("{") and text.endswith("}"):
            found = self._worked_out(text, own)
            if found is None:
                self.kept[text] = None
            return text if found is None else found
        if "$" not in text:
            return text

        def value(name: re.Match[str]) -> str:
            found = own.get(name[1])
            found = self.get(name[1]) if found is None else found
            return name[0] if found is None else found[:_LONGEST]

        return re.sub(r"\$([^$]+)\$", value, text[:_LONGEST])[:_LONGEST]

    def _worked_out(self, text: str, own: Mapping[str, str] | None = None) -> str | None:
        """The value of an expression, None if it cannot be worked out."""
        if self.depth == _DEEPEST:
            return None
        self.depth += 1
        try:
            return worked_out(text, lambda name: own[name] if own and name in own else self.get(name))
        except Unsolved:
            return None
        finally:
            self.depth -= 1

    def _of_layer(self, trait: Trait, what: str) -> str:
        """A property of a layer: the number of its level, that level's name, or whether it is active."""
        at, names = self.level(trait), read_layer(trait.type).names
        if what == "Level":
            return str(at)
        if what == "Active":
            return str(at > 0).lower()
        name = names[at - 1] if 0 < at <= len(names) else ""
        return name[1:] if name.startswith("+") else name.removesuffix("+")


def _carried(trait: Trait) -> list[tuple[str, str]]:
    """The properties that a trait carries as they stand in it."""
    match trait.kind:
        case "mark":
            return [*read_marker(trait).items()]
        case "PROP":
            return [(_part(trait, 1), trait.state)]
        case "basicName":
            return [(BASIC, _part(trait, 1))] if _part(trait, 1) else []
        case "piece":
            return [(BASIC, _part(trait, 4))]
    return []


def _part(trait: Trait, place: int) -> str:
    return (split(trait.type, ";")[place:] or [""])[0]
