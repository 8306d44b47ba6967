"""The question `stack`: what hexes hold, whether that is too much, and what may go (12)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from assistant.questions import View, changed
from assistant.readymade.stacks import Limits, stack_question
from assistant.state.changes import AnyChange

from ..terms import AVAILABLE, COMBAT_PHASES, DEAD_PILE, SUPPLY
from .armies import counted_off
from .units import Formation, formation, is_within_limits


def gone(view: View, unit: str, rule: str) -> Iterator[AnyChange]:
    """What changes as an excess unit is eliminated; it costs no Victory Points. rule: by which it is. Rule: 12.2"""
    with view.gather() as facts:
        excess = formation(facts, view.unit(unit), fights=False)
    yield changed(view, "place", unit, AVAILABLE if excess.is_army else DEAD_PILE, rule)
    yield from counted_off(view, [excess], 1, rule)


def is_time(view: View) -> bool:
    """Whether what is too much goes at the end of what is being done: of a Movement or Combat Phase or a battle, for all that is known, and
    not of another phase. Rule: 12.2
    """
    return view.word("phase") in ("", "movement", *COMBAT_PHASES)


def mixes(unit: Formation) -> bool:
    """Whether a unit stands with those of any nation, as supply units do. Rule: 12.3"""
    return unit.arm == SUPPLY


QUESTION = stack_question(
    Limits(
        read=partial(formation, fights=False),
        fits=is_within_limits,
        mixes=mixes,
        rules=("12.1", "12.2", "12.3"),
        gone=gone,
        lost=", at no cost in Victory Points,",
        ends="a Movement or Combat Phase or a battle",
        now=is_time,
        together="and attack together only with a Headquarters",
    )
)
