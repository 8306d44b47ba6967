"""A unit's ratings, status and markers, gathered from a position into plain values (3.3, 3.4): its tasks (8.9), what it
suffers from its supply state (14.5), which units have the markers of supply units, and what bars a unit from fighting,
moving, retreating, displacing, or spending points of either kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Literal

import msgspec

from assistant.asking import Gather, InputError, Step, View, step
from assistant.asking.view import changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit

from ..ground.hexsides import field
from ..terms import (
    BATTERIES,
    COMBAT_ARMS,
    DEPOTS,
    FORTRESSES,
    KG_TRAIN,
    LANDSTURM,
    SECOND_DIVISION,
    SECOND_DIVISION_LOW,
    SUPPLY_ARMS,
)
from . import units
from .armies import corps_and_army, corps_of_nearest, formation_with, is_asset_unit
from .half_markers import half_takes_effect, mark_half
from .units import CombatUnit, Role, has_one_step, has_turned, is_asset, is_formation

BEARERS = {
    "extended": SUPPLY_ARMS,
    "ap-spent": SUPPLY_ARMS,
    "relocation": DEPOTS,
    "incomplete": ("corps-train",),
    "changed-attachment": ("major-depot",),
}
"""The arms of the units that bear these markers."""
NONE = (None, False, 0, "none")
"""The values of these tracks that are no marker."""


def _list_arms(arms: Sequence[str]) -> str:
    """Return arms in words: "corps-train, minor-depot or major-depot"."""
    return " or ".join(filter(None, [", ".join(arms[:-1]), arms[-1]]))


def check_bearers(view: View, bearers: Iterable[Unit]) -> None:
    """Raises InputError for a unit that is stated to bear a marker which only units of another arm bear."""
    marked = {subject for track, subject in view.stated if track in BEARERS}
    for unit in bearers:
        if unit.id not in marked:
            continue
        for track, arms in BEARERS.items():
            if view.state.value(track, unit.id) in NONE:
                continue
            arm = view.word("arm", unit.id)
            if arm and arm not in arms:
                title = view.game.track(track).title
                hint = f"only a {_list_arms(arms)} bears it: leave out {track} of {unit.id}"
                raise InputError(f"{unit.id} ({arm}): {title}", hint=hint)


COST = 7
"""Movement Points for a level or a degree that is recovered, and for a level of a position (7.4.2, 8.6, 13.1.1)."""
WORDS = {
    "recovery": "recovering Combat Effectiveness Levels",
    "disorder": "recovering from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "position": "an Improved Position",
    "entraining": "entraining",
    "detraining": "detraining",
    "trans-shipping": "trans-shipping",
}
CAUGHT = frozenset({"entraining", "detraining"})
"""The tasks that leave a unit with a Combat Strength 1/2 marker if an enemy comes adjacent (8.2.5)."""
BY_RAIL = CAUGHT | {"trans-shipping"}
"""The tasks for which a unit needs as many points as it has Rail Cost Points (8.2.3, 17.2.2)."""
WAITING = frozenset({"ersatz"})
"""The tasks of several units, each of which waits with all its points until the last has spent its own (8.7.1)."""
LOST_BESIDE_ENEMIES = frozenset({"recovery", "disorder"}) | CAUGHT
LOST_WHEN_ATTACKED = frozenset({"ersatz", "position"})


class Marker(msgspec.Struct, frozen=True):
    """The MPs Expended marker of a unit."""

    task: str = ""
    """What the points are for, "" without a marker."""
    points: int = 0
    """How many it shows."""


def is_lost_beside_enemies(task: str, *, sheltered: bool) -> bool:
    """Return whether a marker is removed once an enemy is adjacent to its unit.

    sheltered: whether the unit may recover levels there all the same, so that what it has spent on that stays.
    Rule: 8.9.3a
    """
    return task in LOST_BESIDE_ENEMIES and not (sheltered and task == "recovery")


def is_lost_when_attacked(task: str) -> bool:
    """Return whether a marker is removed once an enemy attacks its unit. Rule: 8.9.3b"""
    return task in LOST_WHEN_ATTACKED


def why_task_binds(marker: Marker, doing: str) -> str:
    """Return why a unit spends no Movement Points on something yet, "" if it may: it first completes the task that it
    has begun.

    doing: the task that it would spend them on, "" for anything else. Rule: 8.9.1, 8.9.2
    """
    if not marker.points or marker.task == doing:
        return ""
    left = COST - marker.points
    more = f"needs {left} more Movement Point{'s' if left != 1 else ''} for it"
    more = more if left else "waits until the other units have spent theirs"
    return f"it has begun {WORDS[marker.task]} and " + ("completes that first" if marker.task in BY_RAIL else more)


# --- read from a position ---------------------------------------------------------------------------------------------


def marker_of(facts: Gather, unit: Unit) -> Marker:
    """Return the marker of a unit, unless an enemy adjacent to it has removed it. Raises InputError for one without its
    task, and for one that shows as many points as the task takes.
    """
    points = facts.integer("expended", unit.id)
    if not points:
        return Marker()
    task = facts.word("task", unit.id)
    if task not in WORDS:
        hint = "add task=" + "|".join(WORDS)
        raise InputError(f"{unit.id} has expended={points}, but its task is not stated", hint=hint)
    most = COST if task in WAITING else COST - 1
    if task not in BY_RAIL and points > most:
        what = f"{unit.id} has expended={points}, but {COST} Movement Points complete {WORDS[task]}"
        raise InputError(what, hint=f"give 1 to {most}, or state what it has completed")
    if task not in LOST_BESIDE_ENEMIES or not beside_enemies(facts, unit):
        return Marker(task, points)
    if not is_lost_beside_enemies(task, sheltered=task == "recovery" and _is_kept_beside_enemies(facts, unit)):
        return Marker(task, points)
    text = "an enemy is adjacent to {unit}, so its MPs Expended marker is removed"
    text += ", and it bears a 1/2 marker instead" if task in CAUGHT else ""
    facts.view.premises.assume(step("8.9.3", text, unit=unit.id))
    return Marker()


def bears_half(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit bears a Combat Strength 1/2 marker that has its effects: as stated, but not in Rail Mode,
    or because an enemy adjacent to it has caught it entraining or detraining (8.2.5).
    """
    at_work = facts.word("task", unit.id) in CAUGHT and facts.integer("expended", unit.id) > 0
    stated = half_takes_effect(half=facts.flag("half", unit.id), entrained=facts.flag("entrained", unit.id))
    return stated or (at_work and beside_enemies(facts, unit))


def _is_kept_beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit keeps what it has spent on recovering levels adjacent to an enemy: a ruling for those that
    may recover there, in a Fortress Complex, and another one for whether Demoralized units are among them (8.6.1,
    8.9.3).
    """
    view = facts.view
    if not is_sheltered(facts, unit):
        return False
    demoralized = units.is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    if demoralized and view.ruling("complex-demoralized") == "distant":
        return False
    return view.ruling("complex-points") == "kept"


def beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether an enemy stands adjacent to a unit."""
    place = str(unit.place)
    return facts.view.board.is_hex(place) and field(facts).around(side_of(facts, unit)).next_to_enemy(place)


def guarded(view: View, fighting: Collection[str]) -> bool:
    """Return whether the friendly combat units in a hex keep artillery and Corps Trains in an EZOC: if there are some;
    those in Rail Mode alone by a ruling.
    """
    by_rail = bool(fighting) and all(view.flag("entrained", unit) for unit in fighting)
    return bool(fighting) and view.ruling("rail-mode-friend", by_rail) == "counts"


def is_sheltered(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is stacked with a fortress unit of a Fortress Complex, which has an ID; without one it is
    noted (12.0).
    """
    view = facts.view
    there = [other.id for other in facts.view.stack(str(unit.place))]
    forts = [other for other in there if facts.word("arm", other) in FORTRESSES]
    if any(view.word("complex", fort) for fort in forts):
        return True
    for fort in forts:
        view.premises.assume(step("12.0", "{fort} belongs to no Fortress Complex (complex not stated)", fort=fort))
    return False


def points_carried(facts: Gather, unit: Unit, task: str, given: int | None) -> int:
    """Return the Movement Points that a unit has spent on a task in earlier phases: as its marker says if they are not
    given.

    Raises InputError for more than can have been spent before the task is complete.
    """
    if given is not None and given not in range(COST):
        hint = f"give 0 to {COST - 1}; at {COST} it is complete"
        raise InputError(f"carried: {given} is not possible", hint=hint)
    marker = marker_of(facts, unit)
    if given is not None:
        return given
    return marker.points if marker.task == task else 0


def bar_of_task(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """Return the rule and the task that keep a unit from spending Movement Points on something, see `why_task_binds`;
    empty texts if none does.
    """
    why = why_task_binds(marker_of(facts, unit), doing)
    return ("8.9.2", why) if why else ("", "")


def task_first_steps(begun: int, before: Fraction) -> list[Step]:
    """Return a line saying that a unit with points on a task spends the first ones of a phase on it. begun: those
    points; before: spent on anything else.
    """
    text = "it has {points:#Movement Point} on its task and must spend its first ones of the phase on that"
    return [step("8.9.2", text, points=begun)] if begun and before else []


def mark_task(view: View, unit: str, task: str, points: int, rule: str = "8.9") -> list[Change]:
    """Return the changes that leave a unit with so many points on its marker for a task, which it carries over to the
    next phase; none for 0. Rule: 8.9
    """
    changes = [changed(view, "task", unit, task if points else None, rule)]
    changes.append(changed(view, "expended", unit, points or None, rule))
    return [change for change in changes if change.before != change.after]


def take_off_when_attacked(view: View, attacked: Iterable[str]) -> list[Change]:
    """Return the changes that take their markers off units that were attacked (8.9.3)."""
    losing = [unit for unit in attacked if is_lost_when_attacked(view.word("task", unit))]
    return [change for unit in losing for change in mark_task(view, unit, "", 0, "8.9.3")]


def take_off_beside_enemies(facts: Gather, unit: Unit) -> list[Change]:
    """Return the changes that take its marker off a unit adjacent to which an enemy has come; who was entraining or
    detraining bears a 1/2 marker instead (8.2.5, 8.9.3).
    """
    task = facts.word("task", unit.id)
    if not facts.integer("expended", unit.id) or task not in LOST_BESIDE_ENEMIES:
        return []
    if not is_lost_beside_enemies(task, sheltered=task == "recovery" and _is_kept_beside_enemies(facts, unit)):
        return []
    view = facts.view
    changes = mark_task(view, unit.id, "", 0, "8.9.3")
    if task in CAUGHT:
        changes += catch_train(view, unit.id)
    return changes


def catch_train(view: View, unit: str) -> Iterator[Change]:
    """Yield what becomes of a unit that an enemy catches entraining or detraining: it bears a Combat Strength 1/2
    marker, and by ruling caught-detraining is not in Rail Mode any more. Rule: 8.2.3d, 8.2.3k, 8.2.5
    """
    yield from mark_half(view, unit, "initial", "8.2.5")
    if view.ruling("caught-detraining", view.flag("entrained", unit)) == "off":
        for track in ("entrained", "destination", "train-gauge"):
            if view.state.value(track, unit):
                yield changed(view, track, unit, None, "8.2.5")


What = Literal["check", "position", "recovery", "reaction"]
FIGHTING = (*COMBAT_ARMS, *FORTRESSES, "artillery")
FLAGS = ("displaced", "entrained", "defence_only", "retreated", "fought", "halted", "ended", "checked")
"""What the table of bars asks of a unit with yes or no."""
Side = Literal["front", "reduced", "turned"]
"""The side of its counter that a unit shows; it has turned to the reduced one if only its losses say so."""
Doing = Literal["attack", "defend", "use AP", "spend", "move", "retreat alone", "displace alone"]
"""To spend is to spend Movement Points on anything, to move is to spend them on what is not done where the unit stands;
which of that a bar from moving leaves open is a rule of its own (8.5.4, ruling ended-spends).
"""
ATTACK: Mapping[Doing, str] = {"attack": "cannot attack"}
COMBAT: Mapping[Doing, str] = {**ATTACK, "defend": "must be withheld"}
AP: Mapping[Doing, str] = {"use AP": "uses no AP"}
SPEND: Mapping[Doing, str] = {"spend": "spends no Movement Points"}
ALONE: Mapping[Doing, str] = {"retreat alone": "retreats only with others", "displace alone": "cannot displace again"}
IMMOBILE: Mapping[Doing, str] = {"spend": "has no Movement Allowance", "move": "never moves"}
CONCLUDED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in it", "move": "moves no further"}
PINNED: Mapping[Doing, str] = {"spend": "spends no more Movement Points in this phase"}
ASIDE: Mapping[Doing, str] = {"attack": "takes no part in combat", **AP, **SPEND, **ALONE}


class Hardship(msgspec.Struct, frozen=True):
    """An effect of a supply state."""

    what: What
    """Whom it concerns."""
    states: tuple[tuple[str, str], ...]
    """The states that bring it, each with its rule."""
    words: str
    """What it means."""

    def rule(self, state: str) -> str:
        """Return the rule by which a supply state brings it, "" if it does not."""
        return dict(self.states).get(state, "")


HARDSHIPS = (
    Hardship("check", (("low", "14.5.1"),), "its checks after combat and of Forced Marches take a DRM of +1"),
    Hardship("position", (("low", "14.5.1"), ("out", "14.5.2")), "it raises no Improved Position to Level 3 or 4"),
    Hardship("recovery", (("out", "14.5.2"),), "it recovers neither levels nor from Disorder"),
    Hardship("reaction", (("out", "14.5.2"),), "as Demoralized cavalry it makes no Cavalry Reaction"),
)


def suffers(state: str, what: What) -> bool:
    """Return whether a combat unit suffers a hardship. state: in, low or out; "reaction" is that of Demoralized cavalry
    alone. Rule: 14.5.1, 14.5.2
    """
    return any(hardship.what == what and hardship.rule(state) for hardship in HARDSHIPS)


def hardships(state: str, *, demoralized_cavalry: bool) -> Iterator[tuple[str, str]]:
    """Yield all that a supply state brings a combat unit, each with its rule (14.5.1, 14.5.2)."""
    for hardship in HARDSHIPS:
        if hardship.rule(state) and (demoralized_cavalry or hardship.what != "reaction"):
            yield hardship.rule(state), hardship.words


def unit_on_map(view: View, name: str) -> tuple[Unit, str]:
    """Return a unit and the hex where it stands. Raises InputError if it is not on the map."""
    unit = view.unit(name)
    if unit.place is None or not view.board.is_hex(unit.place):
        raise InputError(f"unit: {unit.id} is not on the map")
    return unit, unit.place


def fighting_units(facts: Gather, place: str) -> list[Unit]:
    """Return the units at a place that may take part in combat, top of the stack first: supply units do not, so that a
    lone depot never checks either. Rule: 2.1b, 3.6.3, 11.3b
    """
    return [unit for unit in facts.view.stack(place) if (facts.word("arm", unit.id) or "infantry") in FIGHTING]


def defending_train(facts: Gather, place: str) -> list[Unit]:
    """Return the Corps Train of Königsberg, if it is at a place: the one supply unit that fights, and only in defence.
    Rule: 22.5.1
    """
    return [unit for unit in facts.view.stack(place) if unit.id == KG_TRAIN]


def gather_unit(facts: Gather, unit: Unit, role: Role | None, *, guns: bool = True) -> CombatUnit:
    """Return one unit's ratings and status, as far as its role in the combat needs them; None for a unit that does not
    fight.

    guns: whether artillery values count.
    Rule: 3.3.1, 3.3.2, 3.4.1, 3.4.2, 3.4.3, 3.8.2
    """
    view, name = facts.view, unit.id
    arm = facts.word("arm", name)
    size = facts.word("size", name)
    fortress = arm in FORTRESSES
    supplies = arm in SUPPLY_ARMS
    asset = is_asset(arm, size, facts.flag("asset", name))
    steps = read_steps(facts, name)

    def rating(track: str) -> int:
        return rating_shown(facts, track, name, steps.side)

    return facts.record(
        CombatUnit,
        name,
        id=name,
        arm=arm,
        size=size,
        formation=is_formation(arm or "infantry", size, facts.flag("asset", name)),
        place=unit.place or "",
        corps=corps_under(facts, unit, asset),
        army=view.word("army", name),
        steps=steps.printed,
        lost=steps.lost,
        reduced=steps.side != "front",
        back_steps=steps.behind,
        artillery=rating("artillery") if guns and role and not (fortress or supplies) else 0,
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
        low_supply=low_supply(supply_status(facts, unit), view),
        fssm=facts.integer("fssm", name) if role and fortress else 0,
        with_=facts.word("with", name),
    )


def corps_under(facts: Gather, unit: Unit, asset: bool) -> str:
    """Return the corps that a unit fights under, "" if it is independent: as stated, or as its ID says; of an Asset
    Unit that stands without a formation that of the nearest one. Rule: 3.3.1, 6.4.1b
    """
    stated = facts.view.fact("corps", unit.id) is not None
    if asset and not stated and not formation_with(facts, unit, facts.word("with", unit.id)):
        return corps_of_nearest(facts, unit)
    return corps_and_army(facts.view, unit.id)[0]


class UnitSteps(msgspec.Struct, frozen=True):
    """The steps of a unit on the side that it shows."""

    side: Side
    printed: int
    """How many that side has."""
    lost: int
    """How many of these are lost."""
    behind: int = 0
    """Those of its reduced side while it shows its front, 0 if it has none."""


def read_steps(facts: View | Gather, unit: str) -> UnitSteps:
    """Return the steps of a unit, with the side that it shows: the reduced one if that is stated, or if it has lost
    enough to be turned; a `Gather` asks for what a view leaves unknown.

    Raises InputError for a unit that has lost them all. Rule: 3.4.1, 3.4.1b
    """
    view = facts.view if isinstance(facts, Gather) else facts
    arm = facts.word("arm", unit)
    flagged = facts.flag("reduced", unit)
    steps = 1 if has_one_step(arm) else facts.integer("steps", unit)
    lost = facts.integer("lost", unit)
    if steps and lost >= steps:
        hint = "take it off the map, or correct either number"
        raise InputError(f"{unit} has lost {lost} of {steps} steps", hint=hint)
    if flagged:
        return UnitSteps("reduced", steps, lost)
    has_back = arm not in FORTRESSES and not has_one_step(arm) and not is_asset_unit(facts, unit)
    back = back_steps(view, unit, steps) if has_back else 0
    if view.is_hidden("lost", unit) and back:
        lost = min(lost, steps - back - 1)  # a counter that shows its front has lost fewer than would turn it
    if has_turned(steps, lost, back):
        return UnitSteps("turned", back, lost - (steps - back))
    return UnitSteps("front", steps, lost, back)


def side_shown(facts: View | Gather, unit: str) -> Side:
    """Return the side that a unit shows. Its steps are read, and asked for, only of one that has lost some. Rule:
    3.4.1b
    """
    if facts.flag("reduced", unit):
        return "reduced"
    return read_steps(facts, unit).side if facts.integer("lost", unit) else "front"


def rating_shown(facts: View | Gather, rating: str, unit: str, side: Side) -> int:
    """Return a rating on the side that a unit shows: of one that its losses turn, what is stated as one value is that
    of its front. Rule: 3.4.1, 3.4.2, 3.4.3
    """
    return facts.integer(f"back-{rating}" if side == "turned" else rating, unit)


class Cap(msgspec.Struct, frozen=True):
    """A reason why a unit is in Low Supply at best, whatever line reaches it."""

    rule: str
    kind: Literal["turn", "rule"]
    """Of a `Hindrance`: "rule" for any but a game turn."""
    words: str
    """While what it holds, as "up to GT 7"."""
    holds: Callable[[Gather, Unit], bool]


def lacks_services(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is the Russian 2nd Division of the 23rd Corps in its first turns. Rule: 24.4"""
    if unit.id != SECOND_DIVISION or facts.word("nation", unit.id) != "russian":
        return False
    return facts.integer("turn") <= SECOND_DIVISION_LOW


CAPS = (Cap("24.4", "turn", f"up to GT {SECOND_DIVISION_LOW}", lacks_services),)
"""All that keeps units in Low Supply at best: by what is stated of units, where they stand, and of the game, for where
only hexes and hexsides differ the units are not looked at anew (`side_position`).
"""


def cap_on(facts: Gather, unit: Unit) -> Cap | None:
    """Return what keeps a unit in Low Supply at best: the first row of the table that holds for it, or else for the
    formation whose supply an Asset Unit in its stack shares (6.4.1). Supply units are In Supply or out of it (14.2).
    """
    if cap := _own_cap(facts, unit):
        return cap
    if not is_asset_unit(facts, unit.id):
        return None
    caps = {other.id: cap for other in facts.view.stack(str(unit.place)) if (cap := _own_cap(facts, other))}
    return caps.get(formation_with(facts, unit, facts.word("with", unit.id))) if caps else None


def _own_cap(facts: Gather, unit: Unit) -> Cap | None:
    cap = next((cap for cap in CAPS if cap.holds(facts, unit)), None)
    return None if cap and facts.word("arm", unit.id) in SUPPLY_ARMS else cap


def supply_status(facts: Gather, unit: Unit) -> str:
    """Return the supply status of a unit, in, low or out: as it is stated, and no better than a cap lets it be."""
    status = facts.word("supply", unit.id)
    return "low" if status == "in" and cap_on(facts, unit) else status


def low_supply(status: str, view: View) -> bool:
    """Return whether a unit's supply status counts as Low Supply in its Force's check. Rule: 11.3.1d"""
    return suffers(status, "check") or (status == "out" and view.ruling("out-of-supply-ec") == "as-low")


def back_steps(view: View, unit: str, steps: int) -> int:
    """Return the steps at which a unit turns to its reduced side: as printed there, or else half of its steps (a
    ruling). Rule: 3.4.1b, 11.1
    """
    if view.fact("back-steps", unit) is not None:
        return view.integer("back-steps", unit)
    if not steps:  # not known yet
        return 0
    return (steps + 1) // 2 if view.ruling("flip-point") == "half-up" else steps // 2


def is_unit_demoralized(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit counts as Demoralized, which no Asset Unit does (7.3)."""
    low = units.is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    return low and not is_asset_unit(facts, unit.id)


class StatusRead:
    """A unit's status for the table of bars, each part of it read from the position when it is looked at: FLAGS, arm,
    prepared, expended, half and demoralized, as a `CombatUnit` has them. Raises AttributeError for any other.
    """

    def __init__(self, facts: Gather, unit: Unit) -> None:
        self._facts = facts
        self._unit = unit

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
        return is_unit_demoralized(self._facts, self._unit)


Status = CombatUnit | StatusRead


class UnitBar(msgspec.Struct, frozen=True):
    """A reason why a unit may not do something."""

    rule: str
    words: str
    """What is true of the unit."""
    holds: Callable[[Status], object]
    doings: Mapping[Doing, str]
    """What it bars, each with what follows."""

    def text(self, doing: Doing) -> str:
        """Return what is true of the unit, and what follows for something that it would do."""
        return f"{self.words} and {self.doings[doing]}"


RETREATED = UnitBar("10.1.5", "has retreated in this phase", attrgetter("retreated"), COMBAT)
FOUGHT = UnitBar("10.1", "has been in a combat of this phase", attrgetter("fought"), COMBAT)
HALTED = UnitBar(
    "8.5.4", "has failed a Repulse attempt in this phase", attrgetter("halted"), {"move": "moves no further"}
)
ENDED = UnitBar("8.1", "has ended its move in this phase", attrgetter("ended"), {"move": "moves no further"})
CHECKED = UnitBar("8.3.2", "has made the check of its Forced March in this phase", attrgetter("checked"), CONCLUDED)
PREPARED = UnitBar("8.4", "bears a Prepared Attack marker", attrgetter("prepared"), PINNED)
DISPLACED = UnitBar("9.5.1", "is marked Displaced", attrgetter("displaced"), ASIDE)
BY_RAIL_ONLY: Mapping[Doing, str] = {"spend": "moves only by rail until it detrains"}
IN_RAIL_MODE = UnitBar("8.2.4", "is in Rail Mode", attrgetter("entrained"), {**ATTACK, **BY_RAIL_ONLY})
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
    UnitBar("10.1.2", "can only defend", lambda unit: unit.arm in FORTRESSES or unit.defence_only, ATTACK),
    RETREATED,
    FOUGHT,
    UnitBar("10.1.2", "is Demoralized", attrgetter("demoralized"), ATTACK),
)


def bars(unit: Status, doing: Doing) -> Iterator[UnitBar]:
    """Return all that bars a unit from doing something, in the order of the table; nothing if it may. Rule: 3.5.1,
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
