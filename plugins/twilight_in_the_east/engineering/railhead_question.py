"""The question `railhead`: to which hexes Railheads may be advanced now, whose points pay, and what that changes
(17.1.2, 17.1.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import (
    InputError,
    Parameters,
    PlaceName,
    SideName,
    View,
    declare,
    note,
    permission,
    read_unless,
    refused,
)
from assistant.asking.asks import Ask
from assistant.asking.bounds import CountVerdict
from assistant.asking.report import MissingFacts, Part, Report, Step, step, verdict
from assistant.asking.view import changed
from assistant.rules.field import SideField
from assistant.state.changes import Change
from assistant.state.vocabulary import HexNumber

from ..control.front_line import holder
from ..ground import hexsides
from ..ground.calendar import other_phase_steps, record_entry
from ..railways.network import UNTYPED, Network, is_map_known, linked_to, presume_links, presume_unstated, read_network
from ..railways.typed_lines import typed_railways
from ..terms import ALLIES
from .railheads import (
    MOST,
    Advance,
    Bill,
    Points,
    advances,
    converts,
    nearest_first,
    pay_conversion,
    pay_russian,
    points_in,
    too_many_hexes,
    why_not_converted,
)

NATIONS = {"central-powers": ALLIES, "russian": ("russian",)}
"""Whose RR Engineers a side has."""
Natural = Annotated[int, msgspec.Meta(ge=0, le=99)]
HOME_FIGURE = "german-home-engineers"
"""The figure of the turn record that shows the German points in parentheses."""
ENDLESS = 99
"""More points than any turn has."""
REFUSED = "{hexes} may not be converted"


class RailheadParameters(Parameters, frozen=True):
    """What is to be converted, and with which points."""

    side: Annotated[SideName | None, note("the side whose Railheads advance; the phasing side if left out")] = None
    hexes: Annotated[
        tuple[PlaceName, ...], note("RR hexes to be converted; if left out, all that could be are listed")
    ] = ()
    german: Annotated[Natural | None, note("German RR Engineer points; from the turn record if left out")] = None
    home: Annotated[
        Natural | None,
        note("German RR Engineer points in parentheses, for use only in Germany; from the turn record if left out"),
    ] = None
    austro_hungarian: Annotated[
        Natural | None, note("Austro-Hungarian RR Engineer points; from the turn record if left out")
    ] = msgspec.field(name="austro-hungarian", default=None)
    russian: Annotated[Natural | None, note("Russian RR Engineer points; from the turn record if left out")] = None


class ConvertibleHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that could be converted now."""

    hex: HexNumber
    hexes: Annotated[
        int, note("hexes of the line that must be converted to reach the hex, including those of this turn")
    ]
    railhead: Annotated[str, note("where the line begins")]


class RailheadResult(msgspec.Struct, frozen=True, kw_only=True):
    """What may be converted."""

    side: Annotated[str, note("whose Railheads advance")]
    allowed: Annotated[bool, note("whether all hexes asked about may be converted")] = False
    within_reach: Annotated[
        tuple[ConvertibleHex, ...], note("hexes that could be converted, if none are asked about")
    ] = ()
    by_nation: Annotated[
        Mapping[str, int], note("how many of the hexes within reach each nation can reach by itself")
    ] = {}
    hexes: Annotated[tuple[str, ...], note("hexes asked about, in the order in which a Railhead reaches them")] = ()
    linked: Annotated[
        tuple[str, ...], note("of the hexes asked about, those that will be operational; the rest are cut off")
    ] = ()
    points: Annotated[Points | None, note("points for the hexes of this turn, including those already converted")] = (
        None
    )
    left: Annotated[Points | None, note("points left afterwards, as far as they are known")] = None
    short: Annotated[Mapping[str, int], note("missing points, by the country of the hexes")] = {}


def answer(view: View, parameters: RailheadParameters) -> Report[RailheadResult]:
    """Return the report on RR engineering. Raises MissingFacts for control, countries and points that matter and are
    not stated, InputError without a side, and for points of another side.
    """
    side = parameters.side or view.word("phasing")
    if not side:
        raise InputError("the side is not stated", hint="give side=SIDE, or state phasing=SIDE")
    _check_points(parameters, side)
    title = f"Railheads of {view.game.file.the_side(side)}"
    untimely = other_phase_steps(view, side, "17.1.2", "engineering")
    if untimely and not parameters.hexes:
        return refused(title, "no hex may be converted now", untimely, result=RailheadResult(side=side))
    fresh = {hex for hex in view.state.subjects_of("converted") if view.flag("converted", hex)}
    known = read_unless(untimely, lambda: _read_lines(view, side, parameters.hexes))
    if known is None:
        result = RailheadResult(side=side, hexes=parameters.hexes)
        return refused(title, REFUSED, untimely, result, result=result)
    around, network, controlled = known
    fresh &= network.own
    presume_unstated(view, network)
    if not parameters.hexes:
        return _list_report(view, title, network, fresh, around, parameters)
    wanted = set(parameters.hexes)
    reachable = advances(network, fresh, lambda hex: controlled.get(hex, False))
    ordered = tuple(nearest_first(wanted, reachable))
    reasons = [*untimely]
    for hex in ordered:
        enemy = hex in around.enemies
        why = why_not_converted(hex, network, reachable, controlled=controlled.get(hex, True), enemy=enemy)
        if why:
            reasons.append(why)
    reasons += _list_long_advances(view, reachable)
    bill = Bill(points=Points(), short={}) if reasons else _price_conversion(view, side, parameters, sorted(reachable))
    reasons += [_short_step(where, count) for where, count in bill.short.items()]
    after = _find_operational_after(view, network, around, wanted)
    result = RailheadResult(
        side=side,
        hexes=ordered,
        linked=tuple(hex for hex in ordered if hex in after),
        points=bill.points,
        left=bill.left,
        short=bill.short,
    )
    return permission(
        title,
        ("{hexes} may be converted", REFUSED),
        reasons,
        result,
        working={"Conversion": _conversion_steps(result)},
        changes=_record_conversion(view, side, ordered),
    )


def _list_long_advances(view: View, reachable: Mapping[str, Advance]) -> Iterator[Step]:
    """Yield the Railheads beyond which more hexes are converted than a turn allows, where a ruling counts them so."""
    many = too_many_hexes(reachable.values())
    if view.ruling("railhead-line", bool(many)) == "stretch":
        for railhead in many:  # on a branch no hex farther off was offered
            text = "more than {most:#hex} beyond the Railhead in {hex} are converted this turn"
            yield step("17.1.3", text, most=MOST, hex=railhead)


def _record_conversion(view: View, side: str, hexes: Iterable[str]) -> Iterator[Change]:
    """Yield what converting hexes changes on the map."""
    for hex in hexes:
        yield changed(view, "operational", hex, side, "17.1.2")
        yield changed(view, "converted", hex, True, "17.1.2")


def _read_lines(view: View, side: str, hexes: Iterable[str]) -> tuple[SideField, Network, Mapping[str, bool]]:
    """Return the field and the RR lines of a side, and which of some hexes on RR lines it controls. Raises MissingFacts
    for control that is not stated.
    """
    with view.gather() as facts:
        around = hexsides.field(facts).around(side)
        network = read_network(view, side, around.enemies)
        return around, network, {hex: holder(facts, around, hex) == side for hex in hexes if hex in network.links}


def _find_operational_after(
    view: View, network: Network, around: SideField, converted: Collection[str]
) -> frozenset[str]:
    """Return the operational RR hexes of a side once some are converted; on a paper map those that its typed lines
    link, as its supply counts them (17.1.1).
    """
    if view.board.hexes:
        return msgspec.structs.replace(network, own=network.own.union(converted)).operational
    typed = typed_railways(view, around.side, around.enemies)
    after = linked_to(typed.linked, typed.linked.union(network.own, converted), network.links)
    if not after.isdisjoint(converted):
        presume_links(view, network.links, typed.granted.keys(), ())
    return after


def _check_points(parameters: RailheadParameters, side: str) -> None:
    """Raises InputError for points of a nation that is not of the side."""
    kinds = {nation: nation.replace("-", "_") for nations in NATIONS.values() for nation in nations}
    own = {*NATIONS[side], "home"} if "german" in NATIONS[side] else {*NATIONS[side]}
    for name, field in {**kinds, "home": "home"}.items():
        if name not in own and getattr(parameters, field) is not None:
            raise InputError(f"{name}: the {side} side has no such points", hint=f"leave out {name}, or give its side")


def _list_report(
    view: View, title: str, network: Network, fresh: set[str], around: SideField, parameters: RailheadParameters
) -> Report[RailheadResult]:
    """Return the report on all hexes to which Railheads could be advanced now, each by itself, with the points of the
    turn as far as known.
    """
    side = around.side
    unstated = set[str]()

    def held(hex: str) -> bool:
        if hex in around.enemies or hex in around.friends:
            return hex in around.friends
        control = view.word("control", hex)
        if not control:
            unstated.add(hex)
        return control == side

    reached = {hex: advance for hex, advance in advances(network, fresh, held).items() if hex not in fresh}
    points = _require_points(view, side, parameters)
    entered = fresh.union(*(advance.way for advance in reached.values()))
    countries = {hex: view.word("country", hex) for hex in entered}
    together = Points(
        german=sum(own.german for own in points.values()),
        home=sum(own.home for own in points.values()),
        austro_hungarian=sum(own.austro_hungarian for own in points.values()),
        russian=sum(own.russian for own in points.values()),
    )
    payable = _find_payable(reached, countries, together, fresh)
    by_nation = {}
    for nation, own in points.items():
        paid = fresh
        if nation in ALLIES:
            paid = {hex for hex in fresh if countries[hex] != _find_other_ally(nation)}
        by_nation[nation] = len(_find_payable(reached, countries, own, paid))
    if unstated:
        text = "hexes whose control is not stated are assumed not to be friendly: {hexes}"
        view.premises.assume(step("17.1.3", text, hexes=sorted(unstated)))
    within = []
    for hex in nearest_first(payable, payable):
        advance = payable[hex]
        within.append(ConvertibleHex(hex=hex, hexes=advance.hexes, railhead=advance.railhead))
    counted = CountVerdict("{hexes:#hex} could be converted now", UNTYPED, bounds=("hexes",) if within else ())
    kind, found = counted.word(len(network.links), int(not is_map_known(view, [side])))
    text = "{hex}: {number:#hex} along the line from the Railhead in {place}"
    steps = [step("17.1.3", text, hex=reach.hex, number=reach.hexes, place=reach.railhead) for reach in within]
    text = "{title} RR Engineers: {count:#hex}"
    title_of = view.game.file.title_of
    shares = [step("17.1.2", text, title=title_of(nation), count=count) for nation, count in by_nation.items()]
    return Report(
        title=title,
        verdict=verdict(kind, found, hexes=len(within)),
        parts=(
            Part("Within reach", tuple(steps)),
            Part("By one nation only", tuple(shares) if len(shares) > 1 else ()),
        ),
        result=RailheadResult(side=side, allowed=bool(within), within_reach=tuple(within), by_nation=by_nation),
    )


def _find_payable(
    reached: Mapping[str, Advance], countries: Mapping[str, str], points: Points, done: Collection[str]
) -> dict[str, Advance]:
    """Return the hexes to which points bring a Railhead. done: those of this turn that they have paid for."""
    payable = {}
    for hex, advance in reached.items():
        way = {*done, *advance.way}
        if converts((countries[entered] for entered in way), points):
            payable[hex] = advance
    return payable


def _require_points(view: View, side: str, parameters: RailheadParameters) -> dict[str, Points]:
    """Return the points of the nations of a side; more than any turn has, which the report names, of one whose points
    are not known.
    """
    known = dict[str, Points]()
    unstated = []
    for nation in NATIONS[side]:
        try:
            known[nation] = _read_points(view, parameters, [nation])
        except MissingFacts:
            known[nation] = Points()
        if not _are_points_stated(view, parameters, nation):
            unstated.append(view.game.file.title_of(nation))
            known[nation] = msgspec.structs.replace(known[nation], **{nation.replace("-", "_"): ENDLESS})
    if unstated:
        text = "the RR Engineer points of the turn are not stated, so no hex is left out for lack of them: {nations}"
        view.premises.assume(step("17.1.2", text, nations=unstated))
    return known


def _price_conversion(view: View, side: str, parameters: RailheadParameters, hexes: Sequence[str]) -> Bill:
    """Return what the hexes converted in a turn cost. Raises MissingFacts for points and countries that are not
    stated.
    """
    if side == "russian":
        return pay_russian(len(hexes), _read_points(view, parameters, NATIONS[side]))
    if short := _find_shortage(view, parameters, hexes):
        return short
    with view.gather() as facts:
        countries = Counter(facts.word("country", hex) for hex in hexes)
    needed = [nation for nation in NATIONS[side] if set(countries) - {_find_other_ally(nation)}]
    bill = pay_conversion(countries, _read_points(view, parameters, needed))
    if bill.short and "german" in needed and not _are_points_stated(view, parameters, "german"):
        raise MissingFacts([_ask_for_points(view, "german")])
    return bill


def _find_shortage(view: View, parameters: RailheadParameters, hexes: Sequence[str]) -> Bill | None:
    """Return the bill for hexes of the Central Powers that no points pay for wherever those lie whose countries are not
    stated; None where that may matter.
    """
    stated = Counter(country for hex in hexes if (country := view.word("country", hex)))
    unstated = len(hexes) - stated.total()
    if not unstated or not all(_are_points_stated(view, parameters, nation) for nation in ALLIES):
        return None
    points = _read_points(view, parameters, ALLIES)
    lying = combinations_with_replacement((*ALLIES, ""), unstated)
    bills = [pay_conversion(stated + Counter(countries), points) for countries in lying]
    least = min(bills, key=lambda bill: sum(bill.short.values()))
    return msgspec.structs.replace(least, short={"": sum(least.short.values())}) if least.short else None


def _find_other_ally(nation: str) -> str:
    """Return the other ally, in whose country a nation's points do not serve."""
    return "austro-hungarian" if nation == "german" else "german"


def _read_points(view: View, parameters: RailheadParameters, nations: Iterable[str]) -> Points:
    """Return the points of nations: as given, or by the owner's turn record; none besides German home points that alone
    are known. Raises MissingFacts.
    """
    known = dict[str, int]()
    asks = []
    for nation in nations:
        recorded = recorded_points(view, nation)
        anywhere = recorded.anywhere
        home = recorded.home
        given = getattr(parameters, nation.replace("-", "_"))
        anywhere = anywhere if given is None else given
        if nation == "german" and parameters.home is not None:
            home = parameters.home
        if anywhere is None and home is None:
            asks.append(_ask_for_points(view, nation))
            continue
        known[nation.replace("-", "_")] = anywhere or 0
        if nation == "german":
            known["home"] = home or 0
    if asks:
        raise MissingFacts(asks)
    return Points(**known)


def _ask_for_points(view: View, nation: str) -> Ask:
    """Return what is asked where the points of a nation are not known."""
    how = f"{nation}=POINTS" + (" home=POINTS" if nation == "german" else "")
    title = f"{view.game.file.title_of(nation)} RR Engineer points of the turn, on the printed Game Turn Track"
    return Ask(kind="parameter", name=nation, rule="17.1.2", title=title, how=how)


def _are_points_stated(view: View, parameters: RailheadParameters, nation: str) -> bool:
    """Return whether it is known how many points a nation has, German home points apart."""
    given = getattr(parameters, nation.replace("-", "_"))
    return given is not None or recorded_points(view, nation).anywhere is not None


class Recorded(NamedTuple):
    """The points of a nation that the turn record shows."""

    anywhere: int | None = None
    """None where nobody has entered them."""
    home: int | None = None
    """The German ones for Germany alone, None where nobody has entered them."""


def recorded_points(view: View, nation: str) -> Recorded:
    """Return the points that the turn record shows, as far as its owner has entered them: those for Germany alone under
    a name of their own, or in parentheses after the others. Raises InputError for what is not a number. Rule: 17.1.2b
    """
    both = _entered_points(view, f"{nation}-engineers", "write 3, or 3 (2) with home points")
    apart = _entered_points(view, HOME_FIGURE, "write 2, or (2)") if nation == "german" else None
    home = both[1] if both else None
    return Recorded(both[0] if both else None, home if apart is None else sum(apart))


def _entered_points(view: View, name: str, hint: str) -> tuple[int, int] | None:
    """Return the points that the turn record shows under a name, usable anywhere and at home only; None for what nobody
    has entered. hint: how they are written. Raises InputError for what is not a number.
    """
    if (text := record_entry(view, name)) is None:
        return None
    if (points := points_in(text)) is None:
        raise InputError(f"{name} of turn {view.integer('turn')}: {text!r}", hint=hint)
    return points


def _short_step(where: str, count: int) -> Step:
    """Return the points that are missing, in words."""
    texts = {
        "german": "{points:#RR Engineer point} short within Germany, where Austro-Hungarian points may not be used",
        "austro-hungarian": (
            "{points:#RR Engineer point} short within Austria-Hungary, where German points may not be used"
        ),
    }
    return step("17.1.2", texts.get(where, "{points:#RR Engineer point} short"), points=count)


def _conversion_steps(result: RailheadResult) -> list[Step]:
    """Return what a conversion costs and brings, in words."""
    text = "RR Engineer points of the turn: {points} used, {left} left"
    lines = [step("17.1.2", text, points=_format_points(result.points), left=_format_points(result.left))]
    cut = [hex for hex in result.hexes if hex not in result.linked]
    if cut:
        lines.append(
            step("17.1.5", "{hexes}: non-operational, as no line links them to a friendly map edge", hexes=cut)
        )
    return lines


def _format_points(points: Points | None) -> list[str]:
    """Return the points by their kind, in words."""
    names = (
        ("german", "German"),
        ("home", "German home"),
        ("austro_hungarian", "Austro-Hungarian"),
        ("russian", "Russian"),
    )
    return [f"{count} {name}" for field, name in names if points and (count := getattr(points, field))]


QUESTION = declare(
    "railhead",
    "to which hexes Railheads may be advanced now, and which RR Engineer points pay for it",
    answer,
    decision=None,
)
