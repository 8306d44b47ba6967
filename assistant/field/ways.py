"""The hexes next to a unit that moves, retreats or steps aside: which are open, and what bars the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from ..mechanics.procedure import Choice
from ..questions.play import refuse_others
from ..questions.report import Ask, Step, ask_for, step
from ..questions.view import View
from ..state.vocabulary import HexNumber
from ..util.errors import InputError
from ..util.notes import note


class HexOption(msgspec.Struct, frozen=True):
    """A hex next to the unit."""

    hex: HexNumber
    rule: Annotated[str, note("the rule that bars it, empty if none does")] = ""
    barred: Annotated[str, note("why it cannot be entered, empty if it can")] = ""

    def step(self, rule: str) -> Step:
        """The hex in a line, with what bars it. rule: of a hex that nothing bars."""
        return step(self.rule or rule, "{hex}: {barred}" if self.barred else "{hex} is open", self)


class Barred(NamedTuple):
    """What bars a hex: the rule, and why in words."""

    rule: str
    why: str


Bar = Callable[[str, str], Barred | None]
"""A rule that may bar the way from one hex into the next."""

H = TypeVar("H", bound=HexOption)


def check_way(view: View, start: str, way: Sequence[str]) -> None:
    """Raise InputError for an empty way, or one with a hex that is not next to the one before."""
    hint = "name every hex entered, in order"
    if not way:
        raise InputError("way: it enters no hex", hint=hint)
    for here, there in pairwise((start, *way)):
        if there not in view.board.neighbours(here):
            raise InputError(f"way: {there} is not next to {here}", hint=hint)


def first_bar(bars: Iterable[Bar], here: str, there: str) -> Barred | None:
    """The first of some rules that bars the way from one hex into the next, None if none does."""
    return next((barred for bar in bars if (barred := bar(here, there))), None)


def option(bars: Iterable[Bar], here: str, there: str) -> HexOption:
    """The next hex, open or barred by the first of some rules that bars it."""
    return HexOption(there, *(first_bar(bars, here, there) or ()))


def open_hexes(view: View, here: str, look: Callable[[str, str], H], prefer: Callable[[H], Any]) -> tuple[H, ...]:
    """The hexes around a hex, the open ones first.

    look: judges the way from the hex into the next, such as `partial(option, bars)` with the bars of the game; prefer:
    the sort key of open hexes, and of the others, best first.
    """
    options = [look(here, there) for there in view.board.neighbours(here)]
    return tuple(sorted(options, key=lambda hex_option: (bool(hex_option.barred), prefer(hex_option))))


HEX = "hex.{}"
"""The name of the choice of a hex of a way, by its number."""


class Walk(NamedTuple):
    """A way as far as its owner has chosen it, hex by hex. given: how many of its hexes were named at once, before the
    first choice.
    """

    way: tuple[str, ...]
    given: int

    @classmethod
    def along(cls, way: Sequence[str], answers: Mapping[str, str]) -> Walk:
        """The way of some hexes, and after them of those that answers name in order: with two hexes the next answer is
        `hex.3`.
        """
        entered = list(way)
        while (name := HEX.format(len(entered) + 1)) in answers:
            entered.append(answers[name])
        return cls(tuple(entered), len(way))

    def refuse_others(self, answers: Iterable[str], *others: str) -> None:
        """Raise AnswerError for an answer that neither chose a hex of the way nor is one of the others that may be due."""
        refuse_others(answers, [*map(HEX.format, range(self.given + 1, len(self.way) + 1)), *others])

    def ask(
        self,
        rule: str,
        title: str,
        options: Iterable[H],
        remark: Callable[[H], str] = lambda option: "",
        units: Iterable[str] = (),
    ) -> tuple[Ask, ...]:
        """The choice of the hex that is entered next, out of the open ones. title: what is chosen, with "{number}" for
        that of the hex; remark: what is to be known of a hex before it is entered; units: those that go there.
        """
        number = len(self.way) + 1
        open_ones = {hex_option.hex: hex_option for hex_option in options if not hex_option.barred}
        remarks = {name: remark(hex_option) for name, hex_option in open_ones.items()}
        title = title.format(number=number)
        choice = Choice(
            HEX.format(number), rule, title, "owner", open_ones, remarks=lambda: remarks, units=tuple(units)
        )
        return (ask_for(choice),)
