"""The question `railhead`: to which hexes Railheads may be advanced now, whose points pay, and what that changes
(17.1.2, 17.1.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated

import msgspec

from assistant.field import Around
from assistant.questions import Answers, InputError, Parameters, PlaceName, SideName, View, declare, note, refused
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, step, verdict
from assistant.questions.view import Gather, changed
from assistant.state.vocabulary import HexNumber

from ..ground.turn_record import entered
from ..railways.network import Network, presume_unstated, read_network
from .conversion import (
    ALLIES,
    MOST,
    Advance,
    Bill,
    Points,
    add_points,
    advances,
    converts,
    nearest_first,
    pay,
    pay_russian,
    points_in,
    too_many,
    why_not,
)
from .reading import acting_side, around_side, holder, not_the_time

Natural = Annotated[int, msgspec.Meta(ge=0, le=99)]


ENDLESS = 99
"""More points than any turn has."""


class RailheadParameters(Parameters, frozen=True):
    """What is to be converted, and with which points."""

    side: Annotated[SideName | None, note("the side whose Railheads advance; the phasing one if left out")] = None
    hexes: Annotated[
        tuple[PlaceName, ...], note("RR hexes to be changed to operational; left out, all that could be are listed")
    ] = ()
    german: Annotated[Natural | None, note("German RR Engineer points; as the turn record says if left out")] = None
    home: Annotated[Natural | None, note("those in parentheses, for Germany only; likewise")] = None
    austro_hungarian: Annotated[Natural | None, note("Austro-Hungarian points; likewise")] = msgspec.field(
        name="austro-hungarian", default=None
    )
    russian: Annotated[Natural | None, note("Russian points; likewise")] = None


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that could be converted now."""

    hex: HexNumber
    hexes: Annotated[int, note("how many hexes of the line are converted to come there, those of this turn included")]
    railhead: Annotated[str, note("where that begins")]


class RailheadResult(msgspec.Struct, frozen=True, kw_only=True):
    """What may be converted."""

    side: Annotated[str, note("whose Railheads advance")]
    allowed: Annotated[bool, note("whether all hexes asked about may be converted")]
    within_reach: Annotated[tuple[Reach, ...], note("hexes that could be converted, if none is asked about")] = ()
    by_nation: Annotated[
        Mapping[str, int], note("to how many of them the engineers of each nation come by themselves")
    ] = {}
    hexes: Annotated[tuple[str, ...], note("hexes asked about, in the order in which a Railhead comes there")] = ()
    linked: Annotated[tuple[str, ...], note("those of them that are operational then; others are cut off")] = ()
    points: Annotated[Points | None, note("what the hexes of this turn cost, with those converted before")] = None
    left: Annotated[Points | None, note("what is left then of the points that are known")] = None
    short: Annotated[Mapping[str, int], note("points that are missing, by the country of the hexes")] = {}


def answer(view: View, parameters: RailheadParameters, answers: Answers) -> Report[RailheadResult]:
    """The report on RR engineering. Raises MissingFacts for control, countries and points that matter and are not
    stated.
    """
    side = acting_side(view, parameters.side)
    untimely = not_the_time(view, side, "17.1.2")
    if untimely and not parameters.hexes:
        result = RailheadResult(side=side, allowed=False)
        return refused(title_for(view, side), "no hex may be converted now", untimely, result=result)
    fresh = {hex for track, hex in view.state.facts if track == "converted" and view.flag("converted", hex)}
    with view.gather() as facts:
        around = around_side(facts, side)
        network = read_network(view, side, around.enemies)
        held = partial(held_by, facts, around, side)
        if parameters.hexes:
            controlled = {hex: held(hex) for hex in parameters.hexes if hex in network.links}
    fresh &= network.own
    presume_unstated(view, network)
    if not parameters.hexes:
        return list_report(view, side, network, fresh, around, parameters)
    wanted = set(parameters.hexes)
    reachable = advances(network, fresh, lambda hex: hex in wanted and controlled.get(hex, False))
    reasons = untimely + [
        reason
        for hex in nearest_first(wanted, reachable)
        if (
            reason := why_not(
                hex,
                network.links,
                network,
                reachable,
                controlled=controlled.get(hex, True),
                enemy=hex in around.enemies,
            )
        )
    ]
    every = fresh | wanted
    begun = Counter(advance.railhead for hex, advance in reachable.items() if hex in every)
    reading = view.ruling("railhead-line", max(begun.values(), default=0) > MOST)
    for railhead in too_many(every, reachable, reading):
        text = "more than {most:#hex} beyond the Railhead in {hex} are converted in this turn"
        reasons.append(step("17.1.3", text, most=MOST, hex=railhead))
    bill = Bill(points=Points(), short={}) if reasons else paid(view, side, parameters, sorted(every & set(reachable)))
    reasons += [short_step(where, count) for where, count in bill.short.items()]
    after = msgspec.structs.replace(network, own=network.own | wanted).operational
    result = RailheadResult(
        side=side,
        allowed=not reasons,
        hexes=tuple(nearest_first(wanted, reachable)),
        linked=tuple(hex for hex in nearest_first(wanted, reachable) if hex in after),
        points=bill.points,
        left=bill.left,
        short=bill.short,
    )
    title = title_for(view, side)
    if reasons:
        return refused(title, "{hexes} may not be converted", reasons, result, result=result)
    return Report(
        title=title,
        verdict=verdict("yes", "{hexes} may be converted", result),
        parts=(Part("Conversion", tuple(steps(result, reachable))),),
        changes=tuple(
            changed(view, track, hex, value, "17.1.2")
            for hex in result.hexes
            for track, value in (("operational", side), ("converted", True))
        ),
        result=result,
    )


def title_for(view: View, side: str) -> str:
    """The title of the report."""
    return f"Railheads of {view.game.file.the_side(side)}"


def held_by(facts: Gather, around: Around, side: str, hex: str) -> bool:
    """Whether a side controls a hex."""
    return holder(facts, around, hex) == side


def list_report(
    view: View, side: str, network: Network, fresh: set[str], around: Around, parameters: RailheadParameters
) -> Report[RailheadResult]:
    """The report on all hexes to which Railheads could be advanced now, each by itself, with the points of the turn as
    far as known.
    """
    unstated = set[str]()

    def held(hex: str) -> bool:
        if hex in around.enemies or hex in around.friends:
            return hex in around.friends
        control = view.word("control", hex)
        if not control:
            unstated.add(hex)
        return control == side

    reached = {hex: advance for hex, advance in advances(network, fresh, held).items() if hex not in fresh}
    points = points_known(view, side, parameters)

    countries = {hex: view.word("country", hex) for hex in fresh.union(*(advance.way for advance in reached.values()))}

    def paid_by(given: Points, done: Iterable[str]) -> dict[str, Advance]:
        """The hexes to which points bring a Railhead. done: those of this turn that they have paid for."""
        ways = {hex: {*done, *advance.way} for hex, advance in reached.items()}
        return {
            hex: reached[hex]
            for hex, way in ways.items()
            if converts((countries[country_hex] for country_hex in way), given)
        }

    payable = paid_by(add_points(points.values()), fresh)
    by_nation = {
        nation: len(paid_by(own, [hex for hex in fresh if nation not in ALLIES or countries[hex] != other(nation)]))
        for nation, own in points.items()
    }
    if unstated:
        text = "hexes whose control is not stated are not friendly: {hexes}"
        view.presume(step("17.1.3", text, hexes=sorted(unstated)))
    within = tuple(
        Reach(hex=hex, hexes=payable[hex].hexes, railhead=payable[hex].railhead)
        for hex in nearest_first(payable, payable)
    )
    text = "{hex}: {number:#hex} along the line from the Railhead in {place}"
    return Report(
        title=title_for(view, side),
        verdict=verdict("figure", "{hexes:#hex} could be converted now", hexes=len(within)),
        parts=(
            Part(
                "Within reach",
                tuple(
                    step("17.1.3", text, hex=advance.hex, number=advance.hexes, place=advance.railhead)
                    for advance in within
                ),
            ),
            Part("By one nation alone", tuple(nation_steps(view, by_nation)) if len(by_nation) > 1 else ()),
        ),
        result=RailheadResult(side=side, allowed=bool(within), within_reach=within, by_nation=by_nation),
    )


def nation_steps(view: View, by_nation: Mapping[str, int]) -> Iterator[Step]:
    """How far the engineers of each nation come, in words."""
    for nation, count in by_nation.items():
        text = "{title} RR Engineers: {count:#hex}"
        yield step("17.1.2", text, title=view.game.file.title_of(nation), count=count)


def points_known(view: View, side: str, parameters: RailheadParameters) -> dict[str, Points]:
    """The points of the nations of a side; more than any turn has, which the report names, of one whose points are not
    known.
    """
    given: dict[str, tuple[int | None, int | None]] = {"russian": (parameters.russian, None)}
    if side != "russian":
        german, austrian = (parameters.german, parameters.home), (parameters.austro_hungarian, None)
        given = {"german": german, "austro-hungarian": austrian}
    known, unstated = dict[str, Points](), []
    for nation, usual in given.items():
        try:
            anywhere, home = points_of(view, {nation: usual})[nation]
        except MissingFacts:
            unstated.append(view.game.file.title_of(nation))
            anywhere, home = ENDLESS, 0
        known[nation] = Points(**{nation.replace("-", "_"): anywhere, "home": home})
    if unstated:
        text = "the RR Engineer points of the turn are not stated, and no hex is left out for want of them: {nations}"
        view.presume(step("17.1.2", text, nations=unstated))
    return known


def paid(view: View, side: str, parameters: RailheadParameters, hexes: Sequence[str]) -> Bill:
    """What the hexes converted in a turn cost. Raises MissingFacts for points and countries that are not stated."""
    if side == "russian":
        (russian,) = points_of(view, {"russian": (parameters.russian, None)}).values()
        return pay_russian(len(hexes), Points(russian=russian[0]))
    with view.gather() as facts:
        countries = Counter(facts.word("country", hex) for hex in hexes)
    given = {
        "german": (parameters.german, parameters.home),
        "austro-hungarian": (parameters.austro_hungarian, None),
    }
    needed = {nation: points for nation, points in given.items() if set(countries) - {other(nation)}}
    known = points_of(view, needed)
    german, home = known.get("german", (0, 0))
    return pay(countries, Points(german=german, home=home, austro_hungarian=known.get("austro-hungarian", (0, 0))[0]))


def other(nation: str) -> str:
    """The other ally, in whose country a nation's points do not serve."""
    return "austro-hungarian" if nation == "german" else "german"


def points_of(view: View, given: Mapping[str, tuple[int | None, int | None]]) -> dict[str, tuple[int, int]]:
    """The points of nations, usable anywhere and at home only: as given, or by the owner's turn record. Raises
    MissingFacts.
    """
    known, asks = dict[str, tuple[int, int]](), []
    for nation, (anywhere, home) in given.items():
        printed = recorded_points(view, nation)
        if anywhere is None and home is None and printed is None:
            how = f"{nation}=POINTS" + (" home=POINTS" if nation == "german" else "")
            title = f"{view.game.file.title_of(nation)} RR Engineer points of the turn, on the printed Game Turn Track"
            asks.append(Ask(kind="parameter", name=nation, rule="17.1.2", title=title, how=how))
            continue
        usual = printed or (0, 0)
        known[nation] = (usual[0] if anywhere is None else anywhere, usual[1] if home is None else home)
    if asks:
        raise MissingFacts(asks)
    return known


def recorded_points(view: View, nation: str) -> tuple[int, int] | None:
    """The points that the turn record shows, as far as its owner has entered them. Raises InputError for what is not a
    number.
    """
    name = f"{nation}-engineers"
    if (text := entered(view, name)) is None:
        return None
    if (points := points_in(text)) is None:
        hint = "write 3, or 3 (2) with home points"
        raise InputError(f"{name} of turn {view.integer('turn')}: {text!r}", hint=hint)
    return points


def short_step(where: str, count: int) -> Step:
    """The points that are missing, in words."""
    texts = {
        "german": "{points:#RR Engineer point} short within Germany, where Austro-Hungarian ones do not serve",
        "austro-hungarian": "{points:#RR Engineer point} short within Austria-Hungary, where German ones do not serve",
    }
    return step("17.1.2", texts.get(where, "{points:#RR Engineer point} short"), points=count)


def steps(result: RailheadResult, advance_by_hex: Mapping[str, object]) -> list[Step]:
    """What a conversion costs and brings, in words."""
    text = "RR Engineer points of the turn: {points} used, {left} left"
    lines = [step("17.1.2", text, points=points_told(result.points), left=points_told(result.left))]
    cut = [hex for hex in result.hexes if hex not in result.linked]
    if cut:
        lines.append(
            step("17.1.5", "{hexes}: non-operational, as no line links them to a friendly map edge", hexes=cut)
        )
    return lines


def points_told(points: Points | None) -> list[str]:
    """Points by their kind, in words."""
    names = (
        ("german", "German"),
        ("home", "German home"),
        ("austro_hungarian", "Austro-Hungarian"),
        ("russian", "Russian"),
    )
    return [f"{count} {name}" for field, name in names if points and (count := getattr(points, field))]


QUESTION = declare(
    "railhead",
    "to which hexes Railheads may be advanced now, and whose RR Engineer points pay",
    answer,
    decision=None,
)
