"""The question `dig-in`: whether a unit may build or raise an Improved Position, and what that costs and gives (13.1 to 13.3)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field import side_of
from assistant.questions import Answers, InputError, Parameters, UnitName, declare, note
from assistant.questions.report import Ask, Part, Report, step, verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit

from ...forces.assets import is_asset_unit
from ...forces.markers import cannot_spend, credited
from ...forces.reading import is_demoralized, placed
from ...ground.improved_positions import LATER, PRINTED, becomes, level_in
from ...ground.zones import field
from .rules import COST, LEVELS, NEAR, Digger, Readings, forbidden, gains


class DigInParameters(Parameters, frozen=True):
    """A unit that digs in where it stands."""

    unit: Annotated[UnitName, note("its id")]
    spent: Annotated[int, note("Movement Points already spent on the next level")] = 0
    points: Annotated[float, note("Movement Points spent on it now")] = 0
    home: Annotated[bool | None, note("whether the hex lies in its home country, where the map shows a ruin")] = None


class DigInResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may dig in."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    level: Annotated[int, note("the level that would be reached")]
    allowed: Annotated[bool, note("whether the rules allow it")]
    credited: Annotated[int, note("Movement Points spent on the level, those spent now included")]
    missing: Annotated[int, note("Movement Points still needed")]
    rebuilds: Annotated[bool, note("whether it rebuilds a ruined position of the map")]
    shift: Annotated[int, note("odds columns that the level gives a defender, negative to the left")]
    check: Annotated[int, note("its modifier of checks after combat if the stack does not retreat")]
    hardship: Annotated[int, note("DRM of the attackers' roll for step losses")]
    bars: Annotated[bool, note("whether it bars movement from EZOC to EZOC")]


def answer(view: View, parameters: DigInParameters, answers: Answers) -> Report[DigInResult]:
    """The report on digging in.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that is not on the map and points that cannot have
    been spent.
    """
    unit, place = placed(view, parameters.unit)
    if parameters.points < 0:
        raise InputError(f"points: {parameters.points:g} Movement Points cannot be spent")
    if parameters.spent not in range(COST):
        hint = f"give 0 to {COST - 1}; at {COST} the level is complete"
        raise InputError(f"spent: {parameters.spent} is not possible", hint=hint)
    with view.gather() as facts:
        digger, level = read(facts, parameters, unit, place)
        barred = cannot_spend(facts, unit)
    digger = digger._replace(readings=readings(view, digger))
    reasons = barred + forbidden(digger, level)
    title = f"Improved Position of {unit.id} in {place}"
    if level not in LEVELS:
        no = verdict("no", "the position is at Level {most}", most=LEVELS[-1])
        return Report(title=title, verdict=no, parts=(Part("Not allowed", tuple(reasons)),))
    spent = parameters.spent + credited(parameters.points)
    result = DigInResult(
        unit=unit.id,
        place=place,
        level=level,
        allowed=not reasons,
        credited=min(spent, digger.cost),
        missing=max(digger.cost - spent, 0),
        rebuilds=digger.rebuilt is not None,
        **gains(level),
    )
    done = result.allowed and not result.missing
    text = "{unit} reaches Level {level}" if done else "{unit} needs {missing:#Movement Point} more for Level {level}"
    text = "{unit} may not work on Level {level}: {reasons:#reason}" if reasons else text
    return Report(
        title=title,
        verdict=verdict("no" if reasons else "yes", text, result, reasons=len(reasons)),
        parts=(Part("Not allowed", tuple(reasons)), work_part(digger), gain_part(result)),
        changes=reached(view, place, digger, level) if done else (),
        result=result,
    )


def read(facts: Gather, parameters: DigInParameters, unit: Unit, place: str) -> tuple[Digger, int]:
    """The unit, and the level that it would reach."""
    stands = level_in(facts, place)
    ruins = facts.word("printed-ip", place) not in ("", "none") and facts.flag("ruined", place) and not stands
    if ruins and parameters.home is None:
        title = f"whether {place} lies in the home country of {unit.id}"
        facts.ask(Ask(kind="parameter", name="home", rule="13.5.1", title=title, how="home=yes|no"))
    digger = facts.record(
        Digger,
        unit.id,
        formation=not is_asset_unit(facts, unit.id),
        demoralized=is_demoralized(facts, unit),
        turn=facts.integer("turn") if stands > 1 or ruins else 1,
        distance=field(facts).around(side_of(facts, unit)).nearest_enemy(place),
        begun=parameters.spent > 0,
        ruins=ruins,
        home=bool(parameters.home),
        raised=raised(facts, unit, place) if stands + 1 == LEVELS[-1] else None,
        readings=Readings(),
    )
    return digger, PRINTED if digger.rebuilt else stands + 1


def raised(facts: Gather, unit: Unit, place: str) -> int | None:
    """The game turn from which a position of the map that its side has rebuilt may be raised to Level 4, a ruling; None for any
    other position, which waits for the turn of all (13.1.3, 13.5.1)."""
    if facts.word("printed-ip", place) != side_of(facts, unit) or not facts.flag("ruined", place):
        return None
    return LATER + 1 if facts.view.ruling("rebuilt-level-4") == "own" else None


def readings(view: View, digger: Digger) -> Readings:
    """The readings that hold, each asked for only where it makes a difference."""
    far = digger.distance is not None and min(NEAR.values()) < digger.distance <= max(NEAR.values())
    doubtful = {
        "near": ("dig-in-distance", far and not digger.begun),
        "rebuilding": ("rebuilding", digger.rebuilt and digger.unfit),
        "cost": ("rebuilding-cost", digger.rebuilt),
        "dates": ("rebuilding-dates", digger.rebuilt and digger.early and not digger.begun),
    }
    return Readings(**{name: view.ruling(ruling) for name, (ruling, matters) in doubtful.items() if matters})


def reached(view: View, place: str, digger: Digger, level: int) -> tuple[Change, ...]:
    """What lies in a hex once the work is done."""
    if digger.rebuilt:
        return tuple(becomes(view, place, *digger.rebuilt))
    return (changed(view, "ip", place, level, "13.1.1"),)


def work_part(digger: Digger) -> Part:
    """What holds for the work itself, in words."""
    text = "{cost:#Movement Point} for each level, carried over from phase to phase; "
    text += "until the level is complete the unit may not attack, and it loses the points if it is attacked"
    steps = [step("13.1", "one unit a hex and phase may work on it"), step("13.1.1", text, digger)]
    if digger.rebuilt:
        text = "a ruined position of the map is rebuilt to Level {rebuilt} at once"
        steps.append(step("13.5.1", text, rebuilt=PRINTED))
    return Part("The work", tuple(steps))


def gain_part(result: DigInResult) -> Part:
    """What a level is worth, in words."""
    text = "Level {level}: {shift:+} columns for the defender, less what artillery negates; black retreats are ignored"
    further = (
        (result.check, "13.3.3", "checks of a stack that does not retreat: {check:+}"),
        (result.hardship, "13.3.2", "attackers' roll for step losses: {hardship:+}"),
        (result.bars, "13.2", "no enemy moves from its zone into the zone of another such position"),
    )
    steps = [step(rule, words, result) for holds, rule, words in further if holds]
    return Part("What the position gives", (step("13.3.1", text, result), *steps))


QUESTION = declare(
    "dig-in", "whether a unit may build or raise an Improved Position, and what that costs and gives", answer
)
