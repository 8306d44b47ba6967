"""The question `dig-in`: whether a unit may build or raise an Improved Position, and what that costs and gives (13.1 to 13.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

import msgspec

from assistant.field.standing import side_of
from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.assets import is_asset_unit
from ...forces.markers import bound_by_marker, credited
from ...forces.reading import is_demoralized
from ...ground.improved_positions import LATER, PRINTED, becomes, fate, level_in
from ...ground.phases import not_now
from ...ground.zones import field

COST = 7
"""Movement Points for each level (13.1.1)."""
NEAR = {"within": 3, "nearer": 2, "between": 4}
"""How far away an enemy may be at most where work begins (13.1), in hexes, by the reading of ruling dig-in-distance."""
FIRST_TURN = {
    3: {"german": 22, "russian": 25, "austro-hungarian": 25},
    4: {"german": 35, "russian": 35, "austro-hungarian": 35},
}
"""The game turn from which a level may be begun (13.1.3)."""


class DigInParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that digs in where it stands."""

    unit: Annotated[UnitName, note("its id")]
    spent: Annotated[int, note("Movement Points that went into the next level before")] = 0
    points: Annotated[float, note("those that it spends on it now")] = 0
    home: Annotated[
        bool | None,
        note("whether the hex lies in its home country, which matters where a position of the map is in ruins"),
    ] = None


class DigInResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may dig in."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    level: Annotated[int, note("that would be reached")]
    allowed: Annotated[bool, note("whether it may")]
    credited: Annotated[int, note("Movement Points that are in it with those spent now")]
    missing: Annotated[int, note("those still to be spent")]
    rebuilds: Annotated[bool, note("whether that is to rebuild a ruined position of the map")]
    shift: Annotated[int, note("odds columns that the level gives a defender, negative to the left")]
    check: Annotated[int, note("its modifier on checks after combat if the stack does not retreat")]
    hardship: Annotated[int, note("what attackers add to their roll for step losses")]
    bars: Annotated[bool, note("whether it bars movement from EZOC to EZOC")]


class Readings(NamedTuple):
    """How the doubtful places of the chapter are read, each a ruling.

    near: dig-in-distance; rebuilding: who may do that; cost: rebuilding-cost; dates: rebuilding-dates.
    """

    near: str = "within"
    rebuilding: str = "builder"
    cost: str = "seven"
    dates: str = "none"


class Digger(NamedTuple):
    """A unit that digs in, in plain values.

    distance: hexes to the nearest enemy, null if there is none; ruins: whether a position of the map lies in ruins in its hex,
    which it would rebuild; home: whether that is in its home country; raised: from which game turn a position that was
    rebuilt is raised to Level 4, null where it is not one; readings: that hold.
    """

    arm: str
    nation: str
    formation: bool
    demoralized: bool
    supply: str
    turn: int
    distance: int | None
    ruins: bool = False
    home: bool = False
    raised: int | None = None
    readings: Readings = Readings()

    @property
    def rebuilt(self) -> tuple[bool, int] | None:
        """What the ruins become if it rebuilds them, see `positions.fate`; None if it builds a position of its own."""
        return fate("rebuilt", self.home, self.turn) if self.ruins else None

    @property
    def cost(self) -> int:
        """The Movement Points that its next level takes."""
        return 0 if self.rebuilt and self.readings.cost == "none" else COST

    @property
    def unfit(self) -> bool:
        """Whether Levels 3 and 4 are not for it, if it is infantry: no formation, or not In Supply."""
        return not self.formation or self.supply != "in"


def answer(view: View, parameters: DigInParameters, answers: Answers) -> Report[DigInResult]:
    """The report on digging in.

    Raises MissingFacts for what matters and nobody stated, InputError for a unit that is not on the map.
    """
    del answers
    unit = view.unit(parameters.unit)
    if unit.place is None or not view.board.is_hex(unit.place):
        raise InputError(f"unit: {unit.id} is not on the map")
    if parameters.points < 0:
        raise InputError(f"points: {parameters.points:g} cannot be spent")
    if not 0 <= parameters.spent < COST:
        raise InputError(
            f"spent: {parameters.spent} cannot be", hint=f"from 0 to {COST - 1}; with {COST} the level is there"
        )
    place = unit.place
    with view.gather() as facts:
        stands = level_in(facts, place)
        ruins = facts.word("printed-ip", place) not in ("", "none") and facts.flag("ruined", place) and not stands
        level = stands + 1
        asset = is_asset_unit(facts, unit.id)
        if ruins and parameters.home is None:
            title = f"whether {place} lies in the home country of {unit.id}"
            facts.ask(Ask(kind="parameter", name="home", rule="13.5.1", title=title, how="home=yes|no"))
        digger = Digger(
            arm=facts.word("arm", unit.id),
            nation=facts.word("nation", unit.id),
            formation=not asset,
            demoralized=is_demoralized(facts, unit),
            supply=facts.word("supply", unit.id),
            turn=facts.integer("turn") if level > 2 or ruins else 1,
            distance=field(facts).around(side_of(facts, unit)).nearest_enemy(place),
            ruins=ruins,
            home=bool(parameters.home),
            raised=raised(view, facts, unit, place) if level == LEVELS[-1] else None,
        )
        barred = bound_by_marker(facts, unit)
        side = side_of(facts, unit)
    digger = digger._replace(readings=readings(view, digger, begun=parameters.spent > 0))
    level = PRINTED if digger.rebuilt else level
    reasons = [(rule, why) for rule, why in (not_now(view, side), barred) if why]
    refused = [Step(rule, "{why}", {"why": why}) for rule, why in reasons]
    refused += forbidden(digger, level, begun=parameters.spent > 0)
    spent = parameters.spent + credited(Fraction(parameters.points).limit_denominator(12))
    result = gains(unit, digger, level, allowed=not refused, spent=min(spent, digger.cost)) if level in LEVELS else None
    parts = [Part("Not allowed", tuple(refused))] if refused else []
    parts += [work_part(digger), gain_part(result)] if result else []
    figures = {"unit": unit.id, "level": level, "missing": max(digger.cost - spent, 0), "reasons": len(refused)}
    done = result is not None and result.allowed and not result.missing
    text = "{unit} reaches Level {level}" if done else "{unit} needs {missing:#Movement Point} more for Level {level}"
    if refused:
        text = (
            "{unit} may not work on Level {level}, for {reasons:#reason}"
            if level <= max(LEVELS)
            else "the position is at Level {most}"
        )
        figures["most"] = max(LEVELS)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Improved Position of {unit.id} in {place}",
        verdict=Verdict("no" if refused else "yes", text, figures),
        parts=tuple(parts),
        changes=reached(view, place, digger, level) if done else (),
        result=result,
    )


def reached(view: View, place: str, digger: Digger, level: int) -> tuple[Change, ...]:
    """What lies in a hex once the work is done."""
    if digger.rebuilt:
        return tuple(becomes(view, place, *digger.rebuilt))
    return (changed(view, "ip", place, level, "13.1.1"),)


LEVELS = range(1, 5)


def readings(view: View, digger: Digger, *, begun: bool) -> Readings:
    """The readings that hold, each asked for only where it makes a difference. begun: whether work has begun already."""
    starts, usual = not begun, Readings()
    early = digger.turn < FIRST_TURN[PRINTED].get(digger.nation, 1)
    far = digger.distance is not None and min(NEAR.values()) < digger.distance <= max(NEAR.values())
    return Readings(
        near=view.ruling("dig-in-distance") if starts and far else usual.near,
        rebuilding=view.ruling("rebuilding") if digger.rebuilt and digger.unfit else usual.rebuilding,
        cost=view.ruling("rebuilding-cost") if digger.rebuilt else usual.cost,
        dates=view.ruling("rebuilding-dates") if digger.rebuilt and starts and early else usual.dates,
    )


def raised(view: View, facts: Gather, unit: Unit, place: str) -> int | None:
    """The game turn from which a position of the map that its side has rebuilt may be raised to Level 4, a ruling; None for any
    other position, which waits for the turn of all (13.1.3, 13.5.1)."""
    if facts.word("printed-ip", place) != side_of(facts, unit) or not facts.flag("ruined", place):
        return None
    return LATER + 1 if view.ruling("rebuilt-level-4") == "own" else None


def forbidden(digger: Digger, level: int, *, begun: bool) -> list[Step]:
    """Every rule against building or raising a position to a level. begun: whether work on it has begun already.

    Rule: 13.1b, 13.1.2, 13.1.3
    """
    steps = []
    as_level_3 = level >= 3 and (not digger.rebuilt or digger.readings.rebuilding == "formation")
    dated = not digger.rebuilt or digger.readings.dates == "usual"
    near = NEAR[digger.readings.near]

    def refuse(rule: str, template: str, **figures: object) -> None:
        steps.append(Step(rule, template, figures))

    if level not in LEVELS:
        refuse("13.0", "there is no Level {level}", level=level)
    if digger.arm != "infantry":
        refuse("13.1", "only infantry builds positions")
    elif as_level_3 and not digger.formation:
        refuse("13.1", "only an infantry formation raises a position to Level {level}", level=level)
    if not begun and (digger.distance is None or digger.distance > near):
        refuse("13.1", "no enemy within {near:#hex}, so it cannot begin", near=near)
    if digger.demoralized:
        refuse("13.1.2", "it is Demoralized")
    if as_level_3 and digger.supply != "in":
        refuse("13.1.2", "Level {level} takes a unit that is In Supply", level=level)
    first = digger.raised or FIRST_TURN.get(level, {}).get(digger.nation, 1)
    if not begun and dated and digger.turn < first:
        refuse("13.1.3", "Level {level} cannot be begun before GT {turn}", level=level, turn=first)
    return steps


def gains(unit: Unit, digger: Digger, level: int, *, allowed: bool, spent: int) -> DigInResult:
    """What a level is worth (13.2, 13.3). spent: Movement Points that are in it."""
    return DigInResult(
        unit=unit.id,
        place=str(unit.place),
        level=level,
        allowed=allowed,
        credited=spent,
        missing=digger.cost - spent,
        rebuilds=digger.rebuilt is not None,
        shift=-level,
        check=-1 if level >= 2 else 0,
        hardship=1 if level == 4 else 0,
        bars=level >= 3,
    )


def work_part(digger: Digger) -> Part:
    """What holds for the work itself, in words."""
    text = "a ruined position of the map is rebuilt to Level {rebuilt} at once"
    ruins = (Step("13.5.1", text, {"rebuilt": PRINTED}),) if digger.rebuilt else ()
    return Part(
        "The work",
        (
            Step("13.1", "one unit a hex and phase may work on it"),
            Step(
                "13.1.1",
                "{cost:#Movement Point} for each level, carried over; until it is done the unit may not attack, and if attacked loses them",
                {"cost": digger.cost},
            ),
            *ruins,
        ),
    )


def gain_part(result: DigInResult) -> Part:
    """What a level is worth, in words."""
    figures = {"level": result.level, "shift": result.shift, "check": result.check, "hardship": result.hardship}
    steps = [
        Step(
            "13.3.1",
            "Level {level}: {shift:+} columns for the defender, less what artillery negates; black retreats are ignored",
            figures,
        ),
    ]
    if result.check:
        steps.append(Step("13.3.3", "checks of a stack that does not retreat: {check:+}", figures))
    if result.hardship:
        steps.append(Step("13.3.2", "attackers' roll for step losses: {hardship:+}", figures))
    if result.bars:
        steps.append(Step("13.2", "no enemy moves from its zone into the zone of another such position"))
    return Part("What it gives", tuple(steps))


QUESTION = Question(
    name="dig-in",
    title="whether a unit may build or raise an Improved Position, and what that costs and gives",
    parameters=DigInParameters,
    result=DigInResult,
    answer=answer,
    answers={},
)
