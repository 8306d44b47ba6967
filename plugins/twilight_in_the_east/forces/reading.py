"""A unit's ratings and status, gathered from a position into plain values (3.3, 3.4); what it suffers from its supply
state (14.5); and what bars it from attacking, defending, using an Artillery Ammunition Point, spending Movement
Points, moving, retreating or displacing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Literal

import msgspec

from assistant.questions import Gather, InputError, View
from assistant.state.state import Unit

from ..terms import (
    BATTERIES,
    COMBAT_ARMS,
    FORTRESSES,
    KG_TRAIN,
    LANDSTURM,
    SECOND_DIVISION,
    SECOND_DIVISION_LOW,
    SUPPLY_ARMS,
)
from . import units
from .armies import corps_and_army
from .assets import corps_of_nearest, formation_with, is_asset_unit
from .tasks import bears_half, marker_of
from .units import CombatUnit, Role, has_turned, is_asset

What = Literal["check", "position", "recovery", "reaction"]
FIGHTING = (*COMBAT_ARMS, *FORTRESSES, "artillery")
FLAGS = ("displaced", "entrained", "defence_only", "retreated", "fought", "halted")
"""What the table of bars asks of a unit with yes or no."""
Doing = Literal["attack", "defend", "use AP", "spend", "move", "retreat alone", "displace alone"]
"""To spend is to spend Movement Points on anything, to move is to spend them on anything but a Prepared Attack marker
or a position.
"""
ATTACK: Mapping[Doing, str] = {"attack": "cannot attack"}
COMBAT: Mapping[Doing, str] = {**ATTACK, "defend": "must be withheld"}
AP: Mapping[Doing, str] = {"use AP": "uses no AP"}
SPEND: Mapping[Doing, str] = {"spend": "spends no Movement Points"}
ALONE: Mapping[Doing, str] = {"retreat alone": "retreats only with others", "displace alone": "cannot displace again"}
IMMOBILE: Mapping[Doing, str] = {"spend": "has no Movement Allowance", "move": "never moves"}
PINNED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in this phase"}
ASIDE: Mapping[Doing, str] = {"attack": "takes no part in combat", **AP, **SPEND, **ALONE}


class Hardship(msgspec.Struct, frozen=True):
    """An effect of a supply state. what: whom it concerns; states: those that bring it, each with its rule; words: what
    it means.
    """

    what: What
    states: tuple[tuple[str, str], ...]
    words: str

    def rule(self, state: str) -> str:
        """The rule by which a supply state brings it, "" if it does not."""
        return dict(self.states).get(state, "")


HARDSHIPS = (
    Hardship("check", (("low", "14.5.1"),), "its checks after combat and of Forced Marches have DRM +1"),
    Hardship("position", (("low", "14.5.1"), ("out", "14.5.2")), "it raises no Improved Position to Level 3 or 4"),
    Hardship("recovery", (("out", "14.5.2"),), "it recovers neither levels nor from Disorder"),
    Hardship("reaction", (("out", "14.5.2"),), "as Demoralized cavalry it makes no Cavalry Reaction"),
)


def suffers(state: str, what: What) -> bool:
    """Whether a combat unit suffers a hardship. state: in, low or out; "reaction" is that of Demoralized cavalry alone.
    Rule: 14.5.1, 14.5.2
    """
    return any(hardship.what == what and hardship.rule(state) for hardship in HARDSHIPS)


def hardships(state: str, *, demoralized_cavalry: bool) -> Iterator[tuple[str, str]]:
    """All that a supply state brings a combat unit, each with its rule (14.5.1, 14.5.2)."""
    for hardship in HARDSHIPS:
        if hardship.rule(state) and (demoralized_cavalry or hardship.what != "reaction"):
            yield hardship.rule(state), hardship.words


def placed(view: View, name: str) -> tuple[Unit, str]:
    """A unit and the hex where it stands. Raises InputError if it is not on the map."""
    unit = view.unit(name)
    if unit.place is None or not view.board.is_hex(unit.place):
        raise InputError(f"unit: {unit.id} is not on the map")
    return unit, unit.place


def fighting(facts: Gather, place: str) -> list[Unit]:
    """The units at a place that may take part in combat, top of the stack first: supply units do not, so that a lone
    depot never checks either.
    Rule: 2.1b, 3.6.3, 11.3b
    """
    return [unit for unit in facts.view.stack(place) if (facts.word("arm", unit.id) or "infantry") in FIGHTING]


def standing_guard(facts: Gather, place: str) -> list[Unit]:
    """The Corps Train of Königsberg, if it is at a place: the one supply unit that fights, and only in defence.
    Rule: 22.5.1
    """
    return [unit for unit in facts.view.stack(place) if unit.id == KG_TRAIN]


def gather_unit(facts: Gather, unit: Unit, role: Role | None) -> CombatUnit:
    """One unit's ratings and status, as far as its role in the combat needs them; None for a unit that does not fight.
    Rule: 3.3.1, 3.3.2, 3.4.1, 3.4.2, 3.4.3, 3.8.2
    """
    view, name = facts.view, unit.id
    arm, size = facts.word("arm", name), facts.word("size", name)
    fortress, supplies = arm in FORTRESSES, arm in SUPPLY_ARMS
    asset = is_asset(arm, size, facts.flag("asset", name))
    flagged = facts.flag("reduced", name)
    steps = 1 if arm == "artillery" or supplies else side_rating(facts, "steps", name, flagged)
    lost = facts.integer("lost", name)
    if steps and lost >= steps:
        hint = "take it off the map, or correct one of the two"
        raise InputError(f"{name} has lost {lost} of {steps} steps", hint=hint)
    back = 0 if asset or fortress or supplies or flagged else back_steps(view, name, steps)
    if view.is_hidden("lost", name) and back:
        lost = min(lost, steps - back - 1)  # a counter that shows its front has lost fewer than would turn it
    turned = has_turned(steps, lost, back)
    if turned:
        steps, lost = back, lost - (steps - back)

    def rating(of: str) -> int:
        return facts.integer(f"back-{of}", name) if turned else side_rating(facts, of, name, flagged)

    return facts.record(
        CombatUnit,
        name,
        id=name,
        arm=arm,
        size=size,
        formation=not (asset or fortress or supplies),
        place=unit.place or "",
        corps=corps_under(facts, unit, asset),
        army=view.word("army", name),
        steps=steps,
        lost=lost,
        reduced=flagged or turned,
        back_steps=0 if turned else back,
        artillery=rating("artillery") if role and not (fortress or supplies) else 0,
        defence=rating("defence") if role == "defender" and not fortress and arm != "artillery" else 0,
        classes=frozenset(),
        ap=False,
        point="",
        effectiveness=facts.integer("effectiveness", name)
        if role and not (fortress or supplies or arm == "artillery")
        else 0,
        levels=-facts.integer("cel", name),
        expended=marker_of(facts, unit).points,
        half=bears_half(facts, unit),
        low_supply=low_supply(at_best(facts, name, facts.word("supply", name)), view),
        fssm=facts.integer("fssm", name) if role and fortress else 0,
        with_=facts.word("with", name),
    )


def corps_under(facts: Gather, unit: Unit, asset: bool) -> str:
    """The corps that a unit fights under, "" if it is independent: as stated, or as its ID says; of an Asset Unit that
    stands without a formation that of the nearest one.
    Rule: 3.3.1, 6.4.1b
    """
    stated = facts.view.fact("corps", unit.id) is not None
    if asset and not stated and not formation_with(facts, unit, facts.word("with", unit.id)):
        return corps_of_nearest(facts, unit)
    return corps_and_army(facts.view, unit.id)[0]


def side_rating(facts: Gather, rating: str, unit: str, reduced: bool) -> int:
    """A rating on the side that a unit shows. A player who states one value states that side's; what is printed, and
    what a player states with "back-", has one of each. Rule: 3.4.1, 3.4.2, 3.4.3
    """
    stated = facts.view.state.facts
    use_back = reduced and ((f"back-{rating}", unit) in stated or (rating, unit) not in stated)
    return facts.integer(f"back-{rating}" if use_back else rating, unit)


def at_best(facts: Gather, unit: str, status: str) -> str:
    """The supply status of a unit that would have this one: that of the Russian 2nd Division of the 23rd Corps is at
    best Low in its first turns.
    Rule: 24.4
    """
    if status != "in" or unit != SECOND_DIVISION or facts.word("nation", unit) != "russian":
        return status
    return "low" if facts.integer("turn") <= SECOND_DIVISION_LOW else status


def low_supply(status: str, view: View) -> bool:
    """Whether a unit's supply status counts as Low Supply in its Force's check. Rule: 11.3.1d"""
    return suffers(status, "check") or (status == "out" and view.ruling("out-of-supply-ec") == "as-low")


def back_steps(view: View, unit: str, steps: int) -> int:
    """The steps at which a unit turns to its reduced side: as printed there, or else half of its steps (a ruling).
    Rule: 3.4.1b, 11.1
    """
    if view.fact("back-steps", unit) is not None:
        return view.integer("back-steps", unit)
    if not steps:  # not known yet
        return 0
    return (steps + 1) // 2 if view.ruling("flip-point") == "half-up" else steps // 2


def is_demoralized(facts: Gather, unit: Unit) -> bool:
    """Whether a unit counts as Demoralized, which no Asset Unit does (7.3)."""
    low = units.is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    return low and not is_asset_unit(facts, unit.id)


class StatusRead:
    """A unit's status for the table of bars, each part of it read from the position when it is looked at: FLAGS, arm,
    prepared, expended, half and demoralized, as a `CombatUnit` has them. Raises AttributeError for any other.
    """

    def __init__(self, facts: Gather, unit: Unit) -> None:
        self._facts, self._unit = facts, unit

    def __getattr__(self, name: str) -> bool:
        if name not in FLAGS:
            raise AttributeError(f"{name} is not in the table of bars")
        return self._facts.flag(name.replace("_", "-"), self._unit.id)

    @property
    def id(self) -> str:
        """Its id."""
        return self._unit.id

    @property
    def arm(self) -> str:
        """Its arm, "" if that is not stated."""
        return self._facts.word("arm", self._unit.id)

    @property
    def prepared(self) -> str:
        """The hex at which its Prepared Attack marker points, "" for none."""
        return self._facts.word("prepared", self._unit.id)

    @property
    def expended(self) -> int:
        """The Movement Points on its MPs Expended marker."""
        return marker_of(self._facts, self._unit).points

    @property
    def half(self) -> bool:
        """Whether it bears a Combat Strength 1/2 marker."""
        return bears_half(self._facts, self._unit)

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized."""
        return is_demoralized(self._facts, self._unit)


Status = CombatUnit | StatusRead


class Bar(msgspec.Struct, frozen=True):
    """A reason why a unit may not do something.

    rule: that gives it; words: what is true of the unit; holds: whether it is; doings: what it bars, each with what
    follows.
    """

    rule: str
    words: str
    holds: Callable[[Status], object]
    doings: Mapping[Doing, str]

    def text(self, doing: Doing) -> str:
        """What is true of the unit, and what follows for something that it would do."""
        return f"{self.words} and {self.doings[doing]}"


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
