"""The table of conditions that keep units from marching, fighting and working, which all questions read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Literal, Protocol

import msgspec

from assistant.asking import Step, step

from ..terms import BATTERIES, FORTRESSES, KG_TRAIN, LANDSTURM

Doing = Literal["attack", "defend", "use AP", "spend", "move", "retreat alone"]
"""Activities that a bar may forbid.

- `use AP`: to use an Artillery Ammunition Point.
- `spend`: to spend Movement Points on anything.
- `move`: to spend Movement Points outside the unit's hex. Rule 8.5.4 and ruling ended-spends decide which purposes stay
  open in the hex.
"""
ATTACK: Mapping[Doing, str] = {"attack": "cannot attack"}
COMBAT: Mapping[Doing, str] = {**ATTACK, "defend": "must be withheld"}
AP: Mapping[Doing, str] = {"use AP": "uses no AP"}
SPEND: Mapping[Doing, str] = {"spend": "spends no Movement Points"}
NOT_RETREATING_ALONE: Mapping[Doing, str] = {"retreat alone": "retreats only with others"}
IMMOBILE: Mapping[Doing, str] = {"spend": "has no Movement Allowance", "move": "never moves"}
NO_MORE_MOVES: Mapping[Doing, str] = {"spend": "spends no more Movement Points in it", "move": "moves no further"}
PINNED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in this phase"}
TAKEN_ASIDE: Mapping[Doing, str] = {"attack": "takes no part in combat", **AP, **SPEND, **NOT_RETREATING_ALONE}


class Status(Protocol):
    """The facts of a unit that the table of bars reads."""

    @property
    def id(self) -> str: ...

    @property
    def arm(self) -> str:
        """The arm, or "" if it is not stated."""

    @property
    def prepared(self) -> str:
        """The hex at which the unit's Prepared Attack marker points, or "" without one."""

    @property
    def expended(self) -> int:
        """The Movement Points on the unit's MPs Expended marker."""

    @property
    def half(self) -> bool:
        """Whether the unit bears a Combat Strength 1/2 marker."""

    @property
    def demoralized(self) -> bool:
        """Whether the unit counts as Demoralized."""

    def has(self, flag: str) -> bool:
        """Return whether a flag is stated for the unit.

        `flag`: a track of `FLAGS`.
        """


class UnitBar(msgspec.Struct, frozen=True):
    """A reason why a unit may not do something."""

    rule: str
    words: str
    """The unit's condition, such as "bears a 1/2 marker"."""
    decides: str | Callable[[Status], object]
    """The track of a flag that puts the bar in force, or a function that returns whether it is."""
    doings: Mapping[Doing, str]
    """Barred activities, each with its consequence for messages, such as "cannot attack"."""
    reads: tuple[str, ...] = ()
    """Tracks of the flags that a function in `decides` reads."""

    @property
    def flags(self) -> tuple[str, ...]:
        return (self.decides,) if isinstance(self.decides, str) else self.reads

    def holds(self, unit: Status) -> bool:
        return unit.has(self.decides) if isinstance(self.decides, str) else bool(self.decides(unit))

    def text(self, doing: Doing) -> str:
        """Return the condition and its consequence for an activity."""
        return f"{self.words} and {self.doings[doing]}"


RETREATED = UnitBar("10.1.5", "has retreated in this phase", "retreated", COMBAT)
FOUGHT = UnitBar("10.1", "has been in a combat of this phase", "fought", COMBAT)
HALTED = UnitBar("8.5.4", "has failed a Repulse attempt in this phase", "halted", {"move": "moves no further"})
ENDED = UnitBar("8.1", "has ended its move in this phase", "ended", {"move": "moves no further"})
CHECKED = UnitBar("8.3.2", "has made the check of its Forced March in this phase", "checked", NO_MORE_MOVES)
PREPARED = UnitBar("8.4", "bears a Prepared Attack marker", attrgetter("prepared"), PINNED)
DISPLACED = UnitBar("9.5.1", "is marked Displaced", "displaced", TAKEN_ASIDE)
BY_RAIL_ONLY: Mapping[Doing, str] = {"spend": "moves only by rail until it detrains"}
IN_RAIL_MODE = UnitBar("8.2.4", "is in Rail Mode", "entrained", {**ATTACK, **BY_RAIL_ONLY})
BARS = (
    UnitBar("22.4.1", "is a Landsturm Abteilung", lambda unit: unit.id in LANDSTURM, IMMOBILE),
    UnitBar("22.4.2", "is an immobile battery", lambda unit: unit.id in BATTERIES, IMMOBILE),
    UnitBar("22.5.1", "is the Train of Königsberg", lambda unit: unit.id == KG_TRAIN, IMMOBILE),
    HALTED,
    CHECKED,
    ENDED,
    PREPARED,
    DISPLACED,
    UnitBar("8.2.5", "bears a 1/2 marker", attrgetter("half"), {**ATTACK, **AP, **SPEND}),
    IN_RAIL_MODE,
    UnitBar("8.9", "bears an MPs Expended marker", attrgetter("expended"), ATTACK),
    UnitBar(
        "10.1.2",
        "can only defend",
        lambda unit: unit.arm in FORTRESSES or unit.has("defence-only"),
        ATTACK,
        ("defence-only",),
    ),
    RETREATED,
    FOUGHT,
    UnitBar("10.1.2", "is Demoralized", attrgetter("demoralized"), ATTACK),
)
"""All bars on units."""
FLAGS = tuple(dict.fromkeys(flag for bar in BARS for flag in bar.flags))
"""Tracks of all flags in the table; `gather_unit` reads each of them."""


def bars(unit: Status, doing: Doing) -> Iterator[UnitBar]:
    """Return the bars on an activity of a unit. Rule: 3.5.1, 9.5.1a"""
    return (bar for bar in BARS if doing in bar.doings and bar.holds(unit))


def is_barred(unit: Status, doing: Doing) -> bool:
    """Return whether a bar rules out an activity of a unit."""
    return next(bars(unit, doing), None) is not None


def format_bars(doing: Doing) -> tuple[str, ...]:
    """Return the conditions that bar an activity, in words: "bears a 1/2 marker"."""
    return tuple(bar.words for bar in BARS if doing in bar.doings)


def first_bar(unit: Status, doing: Doing) -> tuple[str, str]:
    """Return the first rule that bars a unit from an activity, and the reason, or "" twice.

    The reason is a clause such as "it bears a 1/2 marker and cannot attack".
    """
    return next(((bar.rule, f"it {bar.text(doing)}") for bar in bars(unit, doing)), ("", ""))


def say_bars(*bound: tuple[str, str]) -> list[Step]:
    """Return each reason as a step of a report, without empty reasons.

    `bound`: pairs of a rule and a reason.
    """
    return [step(rule, "{why}", why=why) for rule, why in bound if why]
