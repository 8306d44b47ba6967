"""Whether a supply unit reaches a hex to give an AP: over a drawn board, along typed lines, or as the player says (10.5.3)."""

from __future__ import annotations

import msgspec

from assistant.field import Around, Line, Source
from assistant.questions import Gather, View
from assistant.questions.report import Ask
from assistant.util.errors import quoted

from ..supply.lines import SupplyMap, judge, typed_line
from ..supply.network import PaperMap
from ..supply.rules import RAILS, supply_from
from .report import PointLink, PointRecord


class Delivery(msgspec.Struct, frozen=True):
    """How a supply unit reaches a hex, and what giving an AP there does to it.

    line: None where none is known or needed; extended: whether it takes Extended Mode; why_not: why it gives none, "" if it does;
    asks: what would tell more, where lines are known only as typed; link, record: both in the result, None where too little is known.
    """

    line: Line | None = None
    extended: bool = False
    why_not: str = ""
    asks: tuple[Ask, ...] = ()
    link: PointLink | None = None
    record: PointRecord | None = None


class Lines(msgspec.Struct, frozen=True):
    """The lines that supply units may trace in a position.

    board, network: the drawn map, or without one what is typed of the paper map; near, far: supply units that reach what they have to as the player says, on their normal side
    and extended.
    """

    around: Around
    board: SupplyMap | None
    network: PaperMap | None
    near: tuple[str, ...]
    far: tuple[str, ...]

    def as_stated(self, source: str) -> Delivery | None:
        """How a supply unit reaches what it has to, if the player says so."""
        return Delivery(extended=source not in self.near) if source in (*self.near, *self.far) else None

    def between(self, facts: Gather, source: Source, to: str) -> Delivery:
        """How a source reaches a hex: over the map if it is drawn, or else along the best line that is typed, alone or in a network. Rule: 10.5.3"""
        if source.place == to:
            return Delivery(Line(to))
        if self.board is None:
            return self.along_typed(facts, source, to)
        if line := self.board.line(source, to):
            return delivered(facts.view, source, line)
        return Delivery(why_not=f"{source.name} has no line to {to} within its range")

    def along_typed(self, facts: Gather, source: Source, to: str) -> Delivery:
        """How a source reaches a hex along what the player typed, of which a better line may be missing."""
        ending = [hexes for hexes in facts.view.state.lines.values() if (hexes[0], hexes[-1]) == (source.place, to)]
        found = [delivered(facts.view, source, typed_line(facts, hexes, self.around)) for hexes in ending]
        if self.network and (line := self.network.certain.line(source, to)):
            found.append(delivered(facts.view, source, line))
        how = f"line NAME: {source.place} -rail2- HEX clear -road- {to} rough"
        how += f"; or in-range={quoted(source.name)}, or in-extended-range= for Extended Mode"
        title = f"a line by which {source.name} reaches {to}"
        ask = Ask(kind="fact", name=f"{source.place} {to}", rule="10.5.3", title=title, how=how)
        if (
            not found
            and supply_from(source, facts.view.board.distance(source.place, to) * min(RAILS.values()), "exact") is None
        ):
            return Delivery(why_not=f"{to} is out of the range of {source.name}, even along a double-track RR line")
        if not found:
            return Delivery(why_not=f"no line from {source.name} to {to} is typed", asks=(ask,))
        best = min(found, key=lambda one: (bool(one.why_not), one.extended, one.line.cost if one.line else 0))
        return msgspec.structs.replace(best, asks=(ask,)) if best.why_not else best


def delivered(view: View, source: Source, line: Line) -> Delivery:
    """How a source reaches the end of a line, in one of its ranges or not."""
    if line.barred:
        return Delivery(why_not=f"the line from {source.name} is barred: {line.barred}")
    found, too_far = judge(view, source, line), f"{line.end} is out of the range of {source.name}"
    return Delivery(line, found.extended) if found else Delivery(line, why_not=too_far)
