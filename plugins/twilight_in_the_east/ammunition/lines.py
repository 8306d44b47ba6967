"""Whether a supply unit reaches a hex to give an AP: over a drawn board, along typed lines, or as the player says
(10.5.3).
"""

from __future__ import annotations

import msgspec

from assistant.field import Line, Source
from assistant.questions import View
from assistant.questions.report import Ask
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ..supply.ground import SupplyGround, facts_of_line, judge
from ..supply.rules import RAILS, supply_from
from .report import PointLink, PointRecord


class Delivery(msgspec.Struct, frozen=True):
    """How a supply unit reaches a hex, and what giving an AP there does to it.

    line: None if no line is known or needed; extended: whether it takes Extended Mode; why_not: why it gives no AP, ""
    if it gives one; asks: what would settle it where lines are known only as typed; link, record: both in the result,
    None where too little is known.
    """

    line: Line | None = None
    extended: bool = False
    why_not: str = ""
    asks: tuple[Ask, ...] = ()
    link: PointLink | None = None
    record: PointRecord | None = None


class Lines(msgspec.Struct, frozen=True):
    """The lines that supply units may trace in a position.

    ground: the drawn map, or what is typed of a paper map, with who stands where; near, far: supply units that reach
    what they have to as the player says, on their normal side and extended.
    """

    ground: SupplyGround
    near: tuple[str, ...]
    far: tuple[str, ...]

    def as_stated(self, source: str) -> Delivery | None:
        """How a supply unit reaches what it has to, if the player says so."""
        return Delivery(extended=source not in self.near) if source in (*self.near, *self.far) else None

    def between(self, view: View, source: Source, to: Unit) -> Delivery:
        """How a source reaches a unit: over the map if it is drawn, or else along the best line that is typed, alone or
        in a network.
        Rule: 10.5.3
        """
        place = str(to.place)
        if source.place == place:
            return Delivery(Line(place))
        line = self.ground.certain.line(source, place)
        delivery = delivery_over(view, source, line) if line else None
        if delivery and not delivery.why_not:
            return delivery
        if self.ground.network is None:
            return Delivery(why_not=f"{source.name} has no line to {place} within its range")
        return self.open_still(view, source, to)

    def open_still(self, view: View, source: Source, to: Unit) -> Delivery:
        """How a source may reach a unit though no line that is typed does for certain."""
        place = str(to.place)
        if supply_from(source, view.board.distance(source.place, place) * min(RAILS.values()), "exact") is None:
            return Delivery(why_not=f"{place} is out of the range of {source.name}, even along a double-track RR line")
        how = f"line NAME: {source.place} -rail2- HEX clear -road- {place} rough"
        how += f"; or in-range={quoted(source.name)}, or in-extended-range= for Extended Mode"
        title = f"a line by which {source.name} reaches {place}"
        asks: tuple[Ask, ...] = (Ask(kind="fact", name=f"{source.place} {place}", rule="10.5.3", title=title, how=how),)
        other = view.fact("other-line", to.id)
        if self.ground.is_whole or (other and not other.value):  # what is typed is all there is
            line = self.ground.possible.line(source, place)
            asks = tuple(facts_of_line(view, self.ground, self.ground.railway, line)) if line else ()
        lines = view.state.lines.values()
        ending = [hexes for hexes in lines if (hexes[0], hexes[-1]) == (source.place, place)]
        if typed := [delivery_over(view, source, self.ground.certain.along(hexes)) for hexes in ending]:
            return msgspec.structs.replace(typed[0], asks=asks)
        return Delivery(why_not=f"no line from {source.name} to {place} is typed", asks=asks)


def delivery_over(view: View, source: Source, line: Line) -> Delivery:
    """How a source reaches the end of a line, in one of its ranges or not."""
    if line.barred:
        return Delivery(why_not=f"the line from {source.name} is barred: {line.barred}")
    reached, too_far = judge(view, source, line), f"{line.end} is out of the range of {source.name}"
    return Delivery(line, reached.extended) if reached else Delivery(line, why_not=too_far)
