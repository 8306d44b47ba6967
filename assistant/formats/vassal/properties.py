"""The properties of a piece, as given by its traits.

They come from markers, dynamic and calculated properties, levels and names of layers, and texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...util.patterns import late_pattern
from .beanshell import Unsolved, evaluate
from .grids import MAX_COMPOSED_CHARS
from .traits import Trait, read_label, read_layer, read_level, read_marker

_MAX_DEPTH = 10
"""Maximum length of a chain of properties that depend on one another."""
_WHOLE_NUMBER = late_pattern(r"[+-]?[0-9]{1,9}")
"""A whole number in a property, as VASSAL reads it."""
BASIC = "BasicName"
"""The property with the name of a piece without additions by its traits."""
_LAYER_PROPERTY = late_pattern("(.*)_(Level|Name|Active)", re.DOTALL)


_CARRYING = {"mark", "PROP", "locmsg", "basicName", "piece", "emb2", "calcProp", "label"}
"""The kinds of traits that carry properties."""


class Carried:
    """The properties of a piece by name. Of several with one name the outermost counts.

    `traits`: the traits, the outermost first.
    `shared`: global properties that the piece may use too.
    """

    def __init__(self, traits: tuple[Trait, ...], shared: Mapping[str, str] | None = None) -> None:
        self.shared = shared or {}
        self.values: dict[str, str] = {}  # as written in the traits
        self.expressions: dict[str, str] = {}
        self.texts: dict[str, Trait] = {}
        self.layers: dict[str, Trait] = {}
        self.worked_out: dict[str, str | None] = {}  # the results so far
        self.asked: list[str] = []  # properties whose evaluation has begun
        self.kept: dict[str, None] = {}  # texts that cannot be evaluated
        self.name: str | None = None
        known: set[str] = set()
        for trait in traits:
            kind = trait.kind
            if kind not in _CARRYING:
                continue
            for name, value in _list_carried(trait, kind):
                if name not in known:
                    self.values[name] = value
                    known.add(name)
            if kind == "emb2":
                self.layers.setdefault(read_layer(trait.type).name, trait)
            elif kind == "calcProp" and (name := trait.part(1)) not in known:
                self.expressions[name] = trait.part(2)
                known.add(name)
            elif kind == "label" and (name := read_label(trait.type).kept_in) not in known:
                self.texts[name] = trait
                known.add(name)

    def get(self, name: str) -> str | None:
        """Return the value of a property of the piece, or else of a global one.

        The result is None if the property is unknown or cannot be evaluated.
        """
        if name in self.values:
            return self.values[name]
        if name in self.expressions or name in self.texts:
            return self._work_out(name)
        if (layer_property := _LAYER_PROPERTY.fullmatch(name)) and layer_property[1] in self.layers:
            return self._read_layer_property(self.layers[layer_property[1]], layer_property[2])
        return self.name if name == "PieceName" else self.shared.get(name)

    def called(self, name: str) -> None:
        """Set the name of the piece, which its properties may use."""
        self.name = name
        self.worked_out.clear()

    @property
    def unsolved(self) -> list[str]:
        """The properties and texts that stay as written, because they cannot be evaluated."""
        names = (f"calculated property {name}" for name in self.expressions if self.get(name) is None)
        return [*names, *(f"text {text[:60]}" for text in self.kept)]

    def level(self, trait: Trait) -> int:
        """Return the level of a layer, from 1, negative if it is inactive.

        The level may be set by a property of the piece.
        """
        layer = read_layer(trait.type)
        stated = read_level(trait)
        at = abs(stated)
        last = max(len(layer.images), 1)
        if layer.follows and (value := self.get(layer.follows)) is not None:
            if not value:
                at = 1
            elif _WHOLE_NUMBER.fullmatch(value):  # VASSAL ignores any other text
                at = max(int(value) - layer.first + 1, 1)
        return min(at, last) * (1 if stated > 0 else -1)

    def text_on(self, trait: Trait) -> str:
        """Return the text that a label shows."""
        text = written_on(trait)
        return str(int(text)) if _WHOLE_NUMBER.fullmatch(text) else self.expand(text)

    def expand(self, text: str, **own: str) -> str:
        """Return an expression's value, or a text with the values of properties named between dollar signs.

        Unknown parts stay as written.

        `own`: properties that take precedence over the piece's.
        """
        if text.startswith("{") and text.endswith("}"):
            worked = self._evaluate(text, own)
            if worked is None:
                self.kept[text] = None
            return text[:MAX_COMPOSED_CHARS] if worked is None else worked[:MAX_COMPOSED_CHARS]

        def value(name: re.Match[str]) -> str:
            given = own[name[1]] if name[1] in own else self.get(name[1])
            return name[0] if given is None else given[:MAX_COMPOSED_CHARS]

        return (
            re.sub(r"\$([^$]+)\$", value, text[:MAX_COMPOSED_CHARS])[:MAX_COMPOSED_CHARS]
            if "$" in text
            else text[:MAX_COMPOSED_CHARS]
        )

    def _work_out(self, name: str) -> str | None:
        """Return the value of a calculated property or text, or None if it cannot be evaluated.

        A property that depends on itself cannot.
        """
        if name not in self.worked_out:
            if name in self.asked or len(self.asked) == _MAX_DEPTH:
                return None
            self.asked.append(name)
            expression = self.expressions.get(name)
            value = self.text_on(self.texts[name]) if expression is None else self._evaluate(expression, {})
            self.asked.pop()
            self.worked_out[name] = value
        return self.worked_out[name]

    def _evaluate(self, expression: str, own: Mapping[str, str]) -> str | None:
        try:
            return evaluate(expression, lambda name: own[name] if name in own else self.get(name))
        except Unsolved:
            return None

    def _read_layer_property(self, trait: Trait, what: str) -> str:
        """Return a property of a layer: the number of its level, the level's name, or whether it is active."""
        at = self.level(trait)
        names = read_layer(trait.type).names
        if what == "Level":
            return str(at)
        if what == "Active":
            return str(at > 0).lower()
        name = names[at - 1] if 0 < at <= len(names) else ""
        return name[1:] if name.startswith("+") else name.removesuffix("+")


def written_on(trait: Trait) -> str:
    """Return the text of a label as players wrote it, without references to itself."""
    return trait.state.strip().replace(f"${read_label(trait.type).kept_in}$", "")


def _list_carried(trait: Trait, kind: str) -> list[tuple[str, str]]:
    """Return the properties of a trait as written."""
    match kind:
        case "mark":
            return [*read_marker(trait).items()]
        case "PROP":
            return [(trait.part(1), trait.state)]
        case "locmsg":  # a message that may be translated
            return [(trait.part(1), trait.part(3))]
        case "basicName":
            return [(BASIC, trait.part(1))]
        case "piece":
            return [(BASIC, trait.part(4))]
    return []
