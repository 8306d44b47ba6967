"""The question `stack`: what hexes hold, whether that is too much, and what may go (12)."""

from __future__ import annotations

from functools import partial

from assistant.questions import View
from assistant.readymade.stacks import Limits, stack_question

from ..terms import ARMIES, AVAILABLE, COMBAT_PHASES, DEAD_PILE, SUPPLY
from .units import Formation, formation, is_within_limits


def gone(view: View, unit: str) -> str:
    """Where an excess unit goes; it costs no Victory Points. Rule: 12.2"""
    return AVAILABLE if view.word("size", unit) in ARMIES else DEAD_PILE


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
