"""What bars a unit from marching, fighting and working: a table, which every question reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Literal, Protocol

import msgspec

from assistant.asking import Step, step

from ..terms import BATTERIES, FORTRESSES, KG_TRAIN, LANDSTURM

Doing = Literal["attack", "defend", "use AP", "spend", "move", "retreat alone"]
"""To spend is to spend Movement Points on anything, to move is to spend them on what is not done where the unit stands;
which of that a bar from moving leaves open is a rule of its own (8.5.4, ruling ended-spends).
"""
ATTACK: Mapping[Doing, str] = {"attack": "cannot attack"}
COMBAT: Mapping[Doing, str] = {**ATTACK, "defend": "must be withheld"}
AP: Mapping[Doing, str] = {"use AP": "uses no AP"}
SPEND: Mapping[Doing, str] = {"spend": "spends no Movement Points"}
ALONE: Mapping[Doing, str] = {"retreat alone": "retreats only with others"}
IMMOBILE: Mapping[Doing, str] = {"spend": "has no Movement Allowance", "move": "never moves"}
CONCLUDED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in it", "move": "moves no further"}
PINNED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in this phase"}
ASIDE: Mapping[Doing, str] = {"attack": "takes no part in combat", **AP, **SPEND, **ALONE}


class Status(Protocol):
    """A unit's status, as the table of bars asks for it."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def arm(self) -> str:
        """Its arm, or "" if that is not stated."""

    @property
    def prepared(self) -> str:
        """The hex at which its Prepared Attack marker points, or "" without one."""

    @property
    def expended(self) -> int:
        """The Movement Points on its MPs Expended marker."""

    @property
    def half(self) -> bool:
        """Whether it bears a Combat Strength 1/2 marker."""

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized."""

    def has(self, flag: str) -> bool:
        """Return whether a flag of the table is stated of it."""


class UnitBar(msgspec.Struct, frozen=True):
    """A reason why a unit may not do something: a flag that is stated of it, or another part of its status."""

    rule: str
    words: str
    """What is true of the unit."""
    doings: Mapping[Doing, str]
    """What it bars, each with what follows."""
    flag: str = ""
    """The track of the flag, "" for none."""
    is_so: Callable[[Status], object] | None = None
    """Whether it is true of a unit, whatever its flags."""

    def holds(self, unit: Status) -> bool:
        """Return whether it is true of a unit."""
        return bool(self.is_so and self.is_so(unit)) or bool(self.flag and unit.has(self.flag))

    def text(self, doing: Doing) -> str:
        """Return what is true of the unit, and what follows for something that it would do."""
        return f"{self.words} and {self.doings[doing]}"


RETREATED = UnitBar("10.1.5", "has retreated in this phase", COMBAT, "retreated")
FOUGHT = UnitBar("10.1", "has been in a combat of this phase", COMBAT, "fought")
HALTED = UnitBar("8.5.4", "has failed a Repulse attempt in this phase", {"move": "moves no further"}, "halted")
ENDED = UnitBar("8.1", "has ended its move in this phase", {"move": "moves no further"}, "ended")
CHECKED = UnitBar("8.3.2", "has made the check of its Forced March in this phase", CONCLUDED, "checked")
PREPARED = UnitBar("8.4", "bears a Prepared Attack marker", PINNED, is_so=attrgetter("prepared"))
DISPLACED = UnitBar("9.5.1", "is marked Displaced", ASIDE, "displaced")
BY_RAIL_ONLY: Mapping[Doing, str] = {"spend": "moves only by rail until it detrains"}
IN_RAIL_MODE = UnitBar("8.2.4", "is in Rail Mode", {**ATTACK, **BY_RAIL_ONLY}, "entrained")
BARS = (
    UnitBar("22.4.1", "is a Landsturm Abteilung", IMMOBILE, is_so=lambda unit: unit.id in LANDSTURM),
    UnitBar("22.4.2", "is an immobile battery", IMMOBILE, is_so=lambda unit: unit.id in BATTERIES),
    UnitBar("22.5.1", "is the Train of Königsberg", IMMOBILE, is_so=lambda unit: unit.id == KG_TRAIN),
    HALTED,
    CHECKED,
    ENDED,
    PREPARED,
    DISPLACED,
    UnitBar("8.2.5", "bears a 1/2 marker", {**ATTACK, **AP, **SPEND}, is_so=attrgetter("half")),
    IN_RAIL_MODE,
    UnitBar("8.9", "bears an MPs Expended marker", ATTACK, is_so=attrgetter("expended")),
    UnitBar("10.1.2", "can only defend", ATTACK, "defence-only", lambda unit: unit.arm in FORTRESSES),
    RETREATED,
    FOUGHT,
    UnitBar("10.1.2", "is Demoralized", ATTACK, is_so=attrgetter("demoralized")),
)
"""All that bars units. A row with a flag needs only its track: what reads units reads all flags of this table."""
FLAGS = tuple(dict.fromkeys(bar.flag for bar in BARS if bar.flag))


def bars(unit: Status, doing: Doing) -> Iterator[UnitBar]:
    """Return all that bars a unit from doing something; nothing if it may. Rule: 3.5.1,
    9.5.1a
    """
    return (bar for bar in BARS if doing in bar.doings and bar.holds(unit))


def is_barred(unit: Status, doing: Doing) -> bool:
    """Return whether anything bars a unit from doing something."""
    return next(bars(unit, doing), None) is not None


def format_bars(doing: Doing) -> tuple[str, ...]:
    """Return what a unit must not be to do something, in words: "bears a 1/2 marker"."""
    return tuple(bar.words for bar in BARS if doing in bar.doings)


def first_bar(unit: Status, doing: Doing) -> tuple[str, str]:
    """Return the first rule that bars a unit from doing something, and why, of "it"; two empty texts if none does."""
    return next(((bar.rule, f"it {bar.text(doing)}") for bar in bars(unit, doing)), ("", ""))


def say_bars(*bound: tuple[str, str]) -> list[Step]:
    """Return what bars a unit as steps, each with its rule; nothing for two empty texts."""
    return [step(rule, "{why}", why=why) for rule, why in bound if why]
