"""Hexes that are open or barred to a unit, and its way through them, hex by hex."""

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
        """Return the hex in a line, with what bars it. rule: of a hex that nothing bars."""
        return step(self.rule or rule, "{hex}: {barred}" if self.barred else "{hex} is open", self)


class HexBar(NamedTuple):
    """What bars a hex: the rule, and why in words."""

    rule: str
    why: str


class NoWay(HexBar):
    """Why no way leads into a hex: it is not among those where units could go but for a rule."""


Bar = Callable[[str, str], HexBar | None]
"""A rule that may bar the way from one hex into the next."""

H = TypeVar("H", bound=HexOption)


def check_way(view: View, start: str, way: Sequence[str]) -> None:
    """Raise InputError for an empty way, or one with a hex that is not adjacent to the one before. start: "" for a unit
    that enters the map.
    """
    hint = "name every hex entered, in order"
    if not way:
        raise InputError("way: it must enter at least one hex", hint=hint)
    for here, there in pairwise((start, *way) if start else way):
        if there not in view.board.neighbours(here):
            raise InputError(f"way: {there} is not adjacent to {here}", hint=hint)


def first_bar(bars: Iterable[Bar], here: str, there: str) -> HexBar | None:
    """Return the first of some rules that bars the way from one hex into the next, None if none does."""
    return next((barred for bar in bars if (barred := bar(here, there))), None)


def bar_of(clauses: Iterable[Clause]) -> HexBar | None:
    """Return what bars a hex: the first of some clauses that holds, None if none does."""
    return next((HexBar(rule, why) for holds, rule, why in clauses if holds), None)


def make_option(hex: str, bar: HexBar | None) -> HexOption:
    """Return a hex that is barred, or open."""
    return HexOption(hex, bar.rule, bar.why) if bar else HexOption(hex)


def option(bars: Iterable[Bar], here: str, there: str) -> HexOption:
    """Return the next hex, open or barred by the first of some rules that bars it."""
    return make_option(there, first_bar(bars, here, there))


def open_hexes(view: View, here: str, look: Callable[[str, str], H], prefer: Callable[[H], Any]) -> tuple[H, ...]:
    """Return the hexes around a hex, the open ones first.

    look: judges the way from the hex into the next, such as `partial(option, bars)` with the bars of the game; prefer:
    the sort key of open hexes, and of the others, best first.
    """
    options = [look(here, there) for there in view.board.neighbours(here)]
    return tuple(sorted(options, key=lambda hex_option: (bool(hex_option.barred), prefer(hex_option))))


HEX = "hex.{}"
"""The name of the choice of a hex of a way, by its number."""


class Walk(msgspec.Struct, frozen=True):
    """A way as far as its owner has chosen it, hex by hex."""

    way: tuple[str, ...]
    given: int
    """How many of its hexes were named at once, before the first choice."""

    @classmethod
    def along(cls, way: Sequence[str], answers: Mapping[str, str]) -> Walk:
        """Return the way of some hexes, and after them of those that answers name in order: with two hexes the next
        answer is `hex.3`.
        """
        entered = list(way)
        while (name := HEX.format(len(entered) + 1)) in answers:
            entered.append(answers[name])
        return cls(tuple(entered), len(way))

    def refuse_others(self, answers: Iterable[str], *others: str) -> None:
        """Raise AnswerError for an answer that neither chose a hex of the way nor is one of the others that may be
        due.
        """
        refuse_others(answers, [*map(HEX.format, range(self.given + 1, len(self.way) + 1)), *others])

    def ask(
        self,
        rule: str,
        title: str,
        options: Iterable[H],
        remark: Callable[[H], str] = lambda option: "",
        units: Iterable[str] = (),
    ) -> tuple[Ask, ...]:
        """Return the choice of the hex that is entered next, out of the open ones. title: what is chosen, with
        "{number}" for that of the hex; remark: what is to be known of a hex before it is entered; units: those that go
        there.
        """
        number = len(self.way) + 1
        open_ones = {hex_option.hex: hex_option for hex_option in options if not hex_option.barred}
        remarks = {name: remark(hex_option) for name, hex_option in open_ones.items()}
        title = title.format(number=number)
        choice = Choice(
            HEX.format(number), rule, title, "owner", open_ones, remarks=lambda: remarks, units=tuple(units)
        )
        return (ask_for(choice),)
