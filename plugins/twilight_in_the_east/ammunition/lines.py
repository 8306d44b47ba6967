"""Whether a supply unit reaches a hex to give an AP: over a drawn board, along typed lines, or as the player says (10.5.3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from assistant.field.standing import Around
from assistant.questions.report import Ask
from assistant.questions.view import Gather, View
from assistant.util.errors import quoted

from ..supply import rules as supply
from ..supply.on_map import Traced, measured, prepared, typed_step
from ..supply.report import LineStep
from ..supply.rules import HEX, Source


class Reached(NamedTuple):
    """How a supply unit reaches a hex.

    cost: of the line in hexes, None where none is known or needed; extended: whether it takes Extended Mode; line: hex by hex;
    why_not: why it does not reach it, "" if it does; asks: what would tell more, where lines are known only as typed.
    """

    cost: Fraction | None = None
    extended: bool = False
    line: tuple[LineStep, ...] = ()
    why_not: str = ""
    asks: tuple[Ask, ...] = ()


class Lines(NamedTuple):
    """The lines that supply units may trace in a position.

    around: who stands where; board: the drawn map made ready, None where none is drawn; near, far: supply units that reach
    what they have to as the player says, on their normal side and extended.
    """

    around: Around
    board: Traced | None
    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()

    def as_said(self, source: str) -> Reached | None:
        """How a supply unit reaches what it has to, if the player says so."""
        return Reached(extended=source not in self.near) if source in (*self.near, *self.far) else None

    def between(self, facts: Gather, source: Source, to: str) -> Reached:
        """How a source reaches a hex: over the map if it is drawn, or else along the best line that is typed.

        Rule: 10.5.3
        """
        if source.place == to:
            return Reached(Fraction(0))
        return over_board(facts.view, self.board, source, to) if self.board else self.along_typed(facts, source, to)

    def along_typed(self, facts: Gather, source: Source, to: str) -> Reached:
        """How a source reaches a hex along the lines that the player typed, of which a better one may be missing."""
        view = facts.view
        found = []
        for line in view.state.lines.values():
            if (line[0], line[-1]) == (source.place, to):
                costs = [typed_step(facts, view, here, there) for here, there in pairwise(line)]
                steps, barred = measured(line, costs, self.around)
                if barred:
                    found.append(Reached(why_not=f"the line from {source.name} is barred: {barred}"))
                else:
                    found.append(judged(view, source, to, int(steps[-1].sum * HEX), steps))
        how = f"line NAME: {source.place} -rail2- HEX clear -road- {to} rough"
        how += f"; or in-range={quoted(source.name)}, or in-extended-range= for Extended Mode"
        title = f"a line by which {source.name} reaches {to}"
        ask = Ask(kind="fact", name=f"{source.place} {to}", rule="10.5.3", title=title, how=how)
        if not found:
            return Reached(why_not=f"no line from {source.name} to {to} is typed", asks=(ask,))
        best = min(found, key=lambda one: (bool(one.why_not), one.extended, one.cost or 0))
        return best._replace(asks=(ask,)) if best.why_not else best


def lines_of(facts: Gather, around: Around, near: tuple[str, ...] = (), far: tuple[str, ...] = ()) -> Lines:
    """The lines of a position, over its board if there is one."""
    board = prepared(facts.view, facts, around) if facts.view.board.hexes else None
    return Lines(around, board, near, far)


def over_board(view: View, board: Traced, source: Source, to: str) -> Reached:
    """How a source reaches a hex over a drawn map.

    Rule: 10.5.3
    """
    field = board.field({source.place}, max(source.range, source.extended))
    if to not in field.cost:
        return Reached(why_not=f"{source.name} has no line to {to} within its range")
    return judged(view, source, to, field.cost[to], board.steps(field, to))


def judged(view: View, source: Source, to: str, quarters: int, steps: tuple[LineStep, ...]) -> Reached:
    """Whether a line of this cost lies within one of the source's ranges."""
    found = supply.reach(source, quarters, view.ruling("supply-rounding") if quarters % HEX else "exact")
    cost = Fraction(quarters, HEX)
    if found is None:
        return Reached(cost, line=steps, why_not=f"{to} is out of the range of {source.name}")
    return Reached(cost, found.extended, steps)
