"""What bars a unit from attacking, defending, using an Artillery Ammunition Point, spending Movement Points, moving, retreating or
displacing.

One table: legality, withholding, markers, ranking and the prompts all read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Literal

import msgspec

from ..terms import BATTERIES, FORTRESSES, KG_TRAIN, LANDSTURM
from .reading import StatusRead
from .units import CombatUnit

Doing = Literal["attack", "defend", "use AP", "spend", "move", "retreat alone", "displace alone"]
"""To spend is to spend Movement Points on anything, to move is to spend them on anything but a Prepared Attack marker or a position."""
Status = CombatUnit | StatusRead


class Bar(msgspec.Struct, frozen=True):
    """A reason why a unit may not do something.

    rule: that gives it; words: what is true of the unit; holds: whether it is; doings: what it bars, each with what follows.
    """

    rule: str
    words: str
    holds: Callable[[Status], object]
    doings: Mapping[Doing, str]

    def text(self, doing: Doing) -> str:
        """What is true of the unit, and what follows for something that it would do."""
        return f"{self.words} and {self.doings[doing]}"


ATTACK: Mapping[Doing, str] = {"attack": "cannot attack"}
COMBAT: Mapping[Doing, str] = {**ATTACK, "defend": "must be withheld"}
AP: Mapping[Doing, str] = {"use AP": "uses no AP"}
SPEND: Mapping[Doing, str] = {"spend": "spends no Movement Points"}
ALONE: Mapping[Doing, str] = {"retreat alone": "retreats only with others", "displace alone": "cannot displace again"}

IMMOBILE: Mapping[Doing, str] = {"spend": "has no Movement Allowance", "move": "never moves"}
PINNED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in this phase"}
ASIDE: Mapping[Doing, str] = {"attack": "takes no part in combat", **AP, **SPEND, **ALONE}

RETREATED = Bar("10.1.5", "has retreated in this phase", attrgetter("retreated"), COMBAT)
FOUGHT = Bar("10.1", "has been in a combat of this phase", attrgetter("fought"), COMBAT)
HALTED = Bar("8.5.4", "has failed in a Repulse in this phase", attrgetter("halted"), {"move": "moves no further"})
PREPARED = Bar("8.4", "bears a Prepared Attack marker", attrgetter("prepared"), PINNED)
DISPLACED = Bar("9.5.1", "is marked Displaced", attrgetter("displaced"), ASIDE)
BARS = (
    Bar("22.4.1", "is a Landsturm Abteilung", lambda unit: unit.id in LANDSTURM, IMMOBILE),
    Bar("22.4.2", "is an immobile battery", lambda unit: unit.id in BATTERIES, IMMOBILE),
    Bar("22.5.1", "is the Train of Königsberg", lambda unit: unit.id == KG_TRAIN, IMMOBILE),
    HALTED,
    PREPARED,
    DISPLACED,
    Bar("8.2.5", "bears a 1/2 marker", attrgetter("half"), {**ATTACK, **AP, **SPEND}),
    Bar("8.2.4", "is in Rail Mode", attrgetter("entrained"), {**ATTACK, "spend": "goes by rail only"}),
    Bar("8.9", "bears an MPs Expended marker", attrgetter("expended"), ATTACK),
    Bar("10.1.2", "can only defend", lambda unit: unit.arm in FORTRESSES or unit.defence_only, ATTACK),
    RETREATED,
    FOUGHT,
    Bar("10.1.2", "is Demoralized", attrgetter("demoralized"), ATTACK),
)


def bars(unit: Status, doing: Doing) -> Iterator[Bar]:
    """All that bars a unit from doing something, in the order of the table; nothing if it may. Rule: 9.5.1a"""
    return (bar for bar in BARS if doing in bar.doings and bar.holds(unit))


def is_barred(unit: Status, doing: Doing) -> bool:
    """Whether anything bars a unit from doing something."""
    return next(bars(unit, doing), None) is not None


def barring(doing: Doing) -> tuple[str, ...]:
    """What a unit must not be to do something, in words: "bears a 1/2 marker"."""
    return tuple(bar.words for bar in BARS if doing in bar.doings)


def first_bar(unit: Status, doing: Doing) -> tuple[str, str]:
    """The first rule that bars a unit from doing something, and why, of "it"; two empty texts if none does."""
    return next(((bar.rule, f"it {bar.text(doing)}") for bar in bars(unit, doing)), ("", ""))
