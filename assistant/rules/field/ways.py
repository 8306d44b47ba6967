"""Open and barred hexes for a unit, and its route through them, hex by hex."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from ...asking.asks import Ask, ask_for
from ...asking.permission import Clause
from ...asking.play import refuse_others
from ...asking.report import Step, step
from ...asking.view import View
from ...mechanics.procedure import Choice
from ...state.vocabulary import HexNumber
from ...util.errors import InputError
from ...util.notes import note


class HexOption(msgspec.Struct, frozen=True):
    """A hex adjacent to the unit."""

    hex: HexNumber
    rule: Annotated[str, note("the rule that bars the hex, empty if none does")] = ""
    barred: Annotated[str, note("why the hex cannot be entered, empty if it can")] = ""

    def step(self, rule: str) -> Step:
        """Return a step that says whether the hex is open or why it is barred."""
        return step(self.rule or rule, "{hex}: {barred}" if self.barred else "{hex} is open", self)


class HexBar(NamedTuple):
    """The rule that bars a hex, and the reason in words."""

    rule: str
    why: str


class NoWay(HexBar):
    """A bar to a hex that is not even listed as barred, because units could never go there."""


Bar = Callable[[str, str], HexBar | None]
"""A function that returns what bars the way from one hex into the next, or None if nothing does."""

H = TypeVar("H", bound=HexOption)


def check_way(view: View, start: str, way: Sequence[str]) -> None:
    """Raise InputError if a route is empty or two of its hexes are not adjacent.

    `start`: the hex of the unit, or "" if it enters the map.
    """
    hint = "name every hex entered, in order"
    if not way:
        raise InputError("way: it must enter at least one hex", hint=hint)
    for here, there in pairwise((start, *way) if start else way):
        if there not in view.board.neighbours(here):
            raise InputError(f"way: {there} is not adjacent to {here}", hint=hint)


def first_bar(bars: Iterable[Bar], here: str, there: str) -> HexBar | None:
    """Return the first bar to a step between hexes, or None if no rule bars it."""
    return next((barred for bar in bars if (barred := bar(here, there))), None)


def bar_of(clauses: Iterable[Clause]) -> HexBar | None:
    """Return the bar of the first clause that holds, or None if none holds."""
    return next((HexBar(rule, why) for holds, rule, why in clauses if holds), None)


def make_option(hex: str, bar: HexBar | None) -> HexOption:
    """Return a hex as barred, or as open if `bar` is None."""
    return HexOption(hex, bar.rule, bar.why) if bar else HexOption(hex)


def option(bars: Iterable[Bar], here: str, there: str) -> HexOption:
    """Return the next hex as open, or as barred by the first rule that bars it."""
    return make_option(there, first_bar(bars, here, there))


def open_hexes(view: View, here: str, look: Callable[[str, str], H], prefer: Callable[[H], Any]) -> tuple[H, ...]:
    """Return the hexes around a hex, the open ones first.

    `look`: judges a step between hexes, such as `partial(option, bars)` with the game's bars.
    `prefer`: returns the sort key within the open and within the barred hexes, best first.
    """
    options = [look(here, there) for there in view.board.neighbours(here)]
    return tuple(sorted(options, key=lambda hex_option: (bool(hex_option.barred), prefer(hex_option))))


HEX = "hex.{}"
"""The name of the choice of the route's Nth hex."""


class Walk(msgspec.Struct, frozen=True):
    """A route as far as its owner has chosen it, hex by hex."""

    way: tuple[str, ...]
    given: int
    """The number of hexes typed before the first choice."""

    @classmethod
    def along(cls, way: Sequence[str], answers: Mapping[str, str]) -> Walk:
        """Return the route through the typed hexes, then through the answers: after two hexes, `hex.3` comes next."""
        entered = list(way)
        while (name := HEX.format(len(entered) + 1)) in answers:
            entered.append(answers[name])
        return cls(tuple(entered), len(way))

    @property
    def next_answer(self) -> str:
        """The name of the answer that chooses the next hex."""
        return HEX.format(len(self.way) + 1)

    def refuse_others(self, answers: Iterable[str], *others: str) -> None:
        """Raise AnswerError if an answer neither chose a hex of the route nor is one of `others`."""
        refuse_others(answers, [*map(HEX.format, range(self.given + 1, len(self.way) + 1)), *others])

    def ask(
        self,
        rule: str,
        title: str,
        options: Iterable[H],
        remark: Callable[[H], str] = lambda option: "",
        units: Iterable[str] = (),
    ) -> tuple[Ask, ...]:
        """Return the request to choose the next hex among the open ones.

        `title`: the request in words, with "{number}" for the number of the hex.
        `remark`: returns a remark on a hex before it is entered.
        """
        open_ones = {hex_option.hex: hex_option for hex_option in options if not hex_option.barred}
        remarks = {name: remark(hex_option) for name, hex_option in open_ones.items()}
        title = title.format(number=len(self.way) + 1)
        choice = Choice(self.next_answer, rule, title, "owner", open_ones, remarks=lambda: remarks, units=tuple(units))
        return (ask_for(choice),)
