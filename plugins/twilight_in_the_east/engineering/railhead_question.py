"""The question `railhead`: advancing Railheads, the points for it, and the changes (17.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Annotated

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
from assistant.asking.case import Case, fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.report import MissingFacts, Part, Report, Step, step, verdict
from assistant.asking.view import changed
from assistant.mechanics.tracing import trace_links
from assistant.rules.field import SideField
from assistant.state.vocabulary import HexNumber

from ..control.front_line import holder
from ..ground import hexsides
from ..ground.calendar import other_phase_steps, record_entry
from ..railways.network import UNTYPED, Network, is_map_known, linked_to, presume_links, presume_unstated, read_network
from ..railways.typed_lines import typed_railways
from ..terms import ALLIES

MAX_HEXES_ADVANCED = 5
"""The maximum number of hexes that a Railhead advances along one RR line in a game turn."""
NATIONS = {"central-powers": ALLIES, "russian": ("russian",)}
"""The nations whose RR Engineers work for each side."""
POINTS = {"german": "German", "home": "German home", "austro-hungarian": "Austro-Hungarian", "russian": "Russian"}
"""The titles of the kinds of RR Engineer points."""
Natural = Annotated[int, msgspec.Meta(ge=0, le=99)]
UNLIMITED_POINTS = 99
"""More points than any turn has."""
REFUSED_TEXT = "{hexes} may not be converted"
SHORTAGE_TEXTS = {
    "german": "{points:#RR Engineer point} short within Germany, where Austro-Hungarian points may not be used",
    "austro-hungarian": "{points:#RR Engineer point} short within Austria-Hungary, where German points may not be used",
}
"""The texts on missing points in each nation's country, where its ally's points may not be used."""

# --- parameters and result --------------------------------------------------------------------------------------------


class RailheadParameters(Parameters, frozen=True):
    """Parameters of the question `railhead`."""

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


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """RR Engineer points by kind.

    `home`: German points for Germany only, in parentheses in the turn record.
    """

    german: Annotated[int, note("German points, for use anywhere except Austria-Hungary")] = 0
    home: Annotated[int, note("German points in parentheses, for use only in Germany")] = 0
    austro_hungarian: Annotated[int, note("Austro-Hungarian points, for use anywhere except Germany")] = 0
    russian: Annotated[int, note("Russian points")] = 0


class RailheadResult(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes that may be converted."""

    side: Annotated[str, note("the side whose Railheads advance")]
    allowed: Annotated[bool, note("whether all hexes asked about may be converted")] = False
    within_reach: Annotated[
        tuple[ConvertibleHex, ...], note("hexes that could be converted, if none are asked about")
    ] = ()
    by_nation: Annotated[
        Mapping[str, int], note("number of the hexes within reach that each nation can reach by itself")
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


# --- the question -----------------------------------------------------------------------------------------------------


def answer(view: View, parameters: RailheadParameters) -> Report[RailheadResult]:
    """Return the report on RR engineering.

    Raises MissingFacts if deciding control, countries or points are not stated, InputError if no side is stated or the
    points are another side's.
    """
    side = parameters.side or view.word("phasing")
    if not side:
        raise InputError("the side is not stated", hint="give side=SIDE, or state phasing=SIDE")
    _check_points(parameters, side)
    title = f"Railheads of {view.game.file.the_side(side)}"
    untimely = other_phase_steps(view, side, "17.1.2", "engineering")
    if untimely and not parameters.hexes:
        return refused(title, "no hex may be converted now", untimely, result=RailheadResult(side=side))
    known = read_unless(untimely, lambda: _read_lines(view, side))
    if known is None:
        result = RailheadResult(side=side, hexes=parameters.hexes)
        return refused(title, REFUSED_TEXT, untimely, result, result=result)
    around, network = known
    fresh = {hex for hex in view.state.subjects_of("converted") if view.flag("converted", hex)} & network.own
    presume_unstated(view, network)
    if not parameters.hexes:
        return _list_report(view, title, network, fresh, around, parameters)
    hexes = dict[str, ConvertedHex]()

    def reach() -> dict[str, Advance]:
        return advances(network, fresh, lambda hex: hex in hexes and hexes[hex].controlled)

    for hex in parameters.hexes:
        hexes[hex] = ConvertedHex(view=view, hex=hex, side=side, around=around, network=network, reach=reach)
    try:
        reachable = reach()
        ordered = tuple(nearest_first(hexes, reachable))
    except MissingFacts:  # unstated control, which is asked for where it matters
        reachable = {}
        ordered = tuple(hexes)
    reasons = _list_bars([hexes[hex] for hex in ordered], untimely)
    reasons += _list_long_advances(view, reachable)
    bill = Bill(points=Points(), short={}) if reasons else _price_conversion(view, side, parameters, sorted(reachable))
    reasons += [
        step(
            "17.1.3" if where in SHORTAGE_TEXTS else "17.1.2",
            SHORTAGE_TEXTS.get(where, "{points:#RR Engineer point} short"),
            points=count,
        )
        for where, count in bill.short.items()
    ]
    after = _find_operational_after(view, network, around, hexes)
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
        ("{hexes} may be converted", REFUSED_TEXT),
        reasons,
        result,
        working={"Conversion": _conversion_steps(result)},
        changes=[
            changed(view, track, hex, value, "17.1.2")
            for hex in ordered
            for track, value in (("operational", side), ("converted", True))
        ],
    )


def _check_points(parameters: RailheadParameters, side: str) -> None:
    for kind in POINTS:
        own = kind in NATIONS[side] or (kind == "home" and "german" in NATIONS[side])
        if not own and getattr(parameters, kind.replace("-", "_")) is not None:
            raise InputError(f"{kind}: the {side} side has no such points", hint=f"leave out {kind}, or give its side")


def _read_lines(view: View, side: str) -> tuple[SideField, Network]:
    with view.gather() as facts:
        around = hexsides.field(facts).around(side)
        return around, read_network(view, side, around.enemies)


def _list_bars(hexes: Iterable[ConvertedHex], untimely: Sequence[Step]) -> list[Step]:
    """Return why hexes cannot be converted now, and the first reason against each hex.

    Raises MissingFacts if no reason is certain and one is possible.
    """
    bars = [*untimely]
    asks = dict[str, Ask]()
    for hex in hexes:
        try:
            bars += list_bars(hex.bars)[:1]
        except MissingFacts as missing:
            asks |= {ask.name: ask for ask in missing.asks}
    if asks and not bars:
        raise MissingFacts([*asks.values()])
    return bars


def _list_long_advances(view: View, reachable: Mapping[str, Advance]) -> Iterator[Step]:
    """Yield a step for each Railhead from which too many hexes are converted in a turn, by a ruling."""
    many = too_many_hexes(reachable.values())
    if view.ruling("railhead-line", bool(many)) == "stretch":
        for railhead in many:  # `advances` has limited each branch, but not all branches together
            text = "more than {most:#hex} beyond the Railhead in {hex} are converted this turn"
            yield step("17.1.3", text, most=MAX_HEXES_ADVANCED, hex=railhead)


def _find_operational_after(
    view: View, network: Network, around: SideField, converted: Collection[str]
) -> frozenset[str]:
    """Return the operational RR hexes of a side once hexes are converted (17.1.1).

    On a paper map they are the hexes that its typed lines link, as for supply.
    """
    if view.board.hexes:
        return msgspec.structs.replace(network, own=network.own.union(converted)).operational
    typed = typed_railways(view, around.side, around.enemies)
    after = linked_to(typed.linked, typed.linked.union(network.own, converted), network.links)
    if not after.isdisjoint(converted):
        presume_links(view, network.links, typed.granted.keys(), ())
    return after


def _list_report(
    view: View, title: str, network: Network, fresh: set[str], around: SideField, parameters: RailheadParameters
) -> Report[RailheadResult]:
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
    points = _known_points(view, parameters, side)
    if unknown := [view.title_of(nation) for nation in NATIONS[side] if points[nation] is None]:
        text = "the RR Engineer points of the turn are not stated, so no hex is left out for lack of them: {nations}"
        view.premises.assume(step("17.1.2", text, nations=unknown))
    entered = fresh.union(*(advance.way for advance in reached.values()))
    countries = {hex: view.word("country", hex) for hex in entered}
    payable = _find_payable(reached, countries, _sum_points(points, NATIONS[side], UNLIMITED_POINTS), fresh)
    by_nation = {}
    for nation in NATIONS[side]:
        paid = {hex for hex in fresh if nation not in ALLIES or countries[hex] != _find_other_ally(nation)}
        own = _sum_points(points, [nation], UNLIMITED_POINTS)
        by_nation[nation] = len(_find_payable(reached, countries, own, paid))
    if unstated:
        text = "hexes whose control is not stated are assumed not to be friendly: {hexes}"
        view.premises.assume(step("17.1.3", text, hexes=sorted(unstated)))
    within = tuple(
        ConvertibleHex(hex=hex, hexes=payable[hex].hexes, railhead=payable[hex].railhead)
        for hex in nearest_first(payable, payable)
    )
    counted = CountVerdict("{hexes:#hex} could be converted now", UNTYPED, bounds=("hexes",) if within else ())
    kind, found = counted.word(len(network.links), int(not is_map_known(view, [side])))
    text = "{hex}: {hexes:#hex} along the line from the Railhead in {place}"
    steps = tuple(step("17.1.3", text, reach, place=reach.railhead) for reach in within)
    text = "{title} RR Engineers: {count:#hex}"
    shares = (step("17.1.2", text, title=view.title_of(nation), count=count) for nation, count in by_nation.items())
    return Report(
        title=title,
        verdict=verdict(kind, found, hexes=len(within)),
        parts=(
            Part("Within reach", steps),
            Part("By one nation only", tuple(shares) if len(by_nation) > 1 else ()),
        ),
        result=RailheadResult(side=side, allowed=bool(within), within_reach=within, by_nation=by_nation),
    )


def _find_payable(
    reached: Mapping[str, Advance], countries: Mapping[str, str], points: Points, done: Collection[str]
) -> dict[str, Advance]:
    return {
        hex: advance
        for hex, advance in reached.items()
        if converts((countries[entered] for entered in {*done, *advance.way}), points)
    }


# --- how far Railheads advance ----------------------------------------------------------------------------------------


class ConvertedHex(Case):
    """A hex to convert."""

    hex: str
    side: str
    around: SideField
    network: Network
    reach: Callable[[], Mapping[str, Advance]]
    """A function that returns the hexes to which Railheads advance this turn."""
    limit = MAX_HEXES_ADVANCED

    @fact
    def enemy_there(self) -> bool:
        """An enemy stands in the hex."""
        return self.hex in self.around.enemies

    @fact
    def controlled(self) -> bool:
        """The side controls the hex."""
        return holder(self.facts, self.around, self.hex) == self.side

    @fact
    def reached(self) -> bool:
        """A Railhead comes there this turn, through hexes that are converted too."""
        return self.hex in self.reach()

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to converting the hex, of which the first is reported. Rule: 17.1.1, 17.1.3, 17.1.4"""
        yield self.hex not in self.network.links, "17.1", "no RR line leads through {hex}"
        yield self.hex in self.network.own, "17.1.1", "{hex} is on an RR line that the side has already converted"
        yield self.enemy_there, "17.1.4", "an enemy stands in {hex}"
        yield not self.controlled, "17.1.3", "{hex} is not in friendly controlled territory"
        yield not self.reached, "17.1.3", "no Railhead can reach {hex} within {limit} hexes of a line this turn"


class Advance(msgspec.Struct, frozen=True):
    """The advance of a Railhead to a hex that may be converted."""

    hexes: int
    """The number of hexes along the lines, including those of this turn."""
    railhead: str
    """The hex where the advance begins."""
    way: tuple[str, ...] = ()
    """The hexes of the way, to the hex that may be converted."""


def advances(network: Network, fresh: Collection[str], open_to: Callable[[str], bool]) -> dict[str, Advance]:
    """Return the hexes to which Railheads are or may be advanced this turn, each with its distance.

    `fresh`: hexes that were converted this turn.
    `open_to`: returns whether a Railhead may advance to a hex, or is to do so.

    Rule: 17.1.2, 17.1.3
    """
    behind = network.own - set(fresh)
    advance_by_hex: dict[str, Advance] = {}
    field = trace_links(
        sorted(behind),
        lambda hex: network.links.get(hex, ()),
        lambda here, there: there in fresh or open_to(there),
        reach=MAX_HEXES_ADVANCED,
    )
    for hex, far in field.cost.items():
        if far:
            railhead, *way = field.line(hex)
            advance_by_hex[hex] = Advance(far, railhead, tuple(way))
    return advance_by_hex


def nearest_first(hexes: Iterable[str], advance_by_hex: Mapping[str, Advance]) -> list[str]:
    """Sort hexes in the order in which a Railhead reaches them."""
    return sorted(
        hexes, key=lambda hex: (advance_by_hex[hex].hexes if hex in advance_by_hex else MAX_HEXES_ADVANCED + 1, hex)
    )


def too_many_hexes(advances: Iterable[Advance]) -> tuple[str, ...]:
    """Return the Railheads from which more than five hexes are converted in a turn, on all branches.

    `advances`: the advances to all hexes that are converted in the turn.

    Rule: 17.1.3
    """
    begun = Counter(advance.railhead for advance in advances)
    return tuple(sorted(railhead for railhead, count in begun.items() if count > MAX_HEXES_ADVANCED))


# --- the points of the turn -------------------------------------------------------------------------------------------


def _known_points(view: View, parameters: RailheadParameters, side: str) -> dict[str, int | None]:
    """Return the points of a side this turn by their kind, or None for a kind that is not known.

    They are given, or entered in the turn record. There the points for Germany alone are in parentheses or under a name
    of their own.

    Rule: 17.1.2b
    """
    known = dict[str, int | None]()
    for nation in NATIONS[side]:
        both = _entered_points(view, f"{nation}-engineers", "write 3, or 3 (2) with home points")
        known[nation], home = both or (None, None)
        if nation == "german":
            apart = _entered_points(view, "german-home-engineers", "write 2, or (2)")
            known["home"] = home if apart is None else sum(apart)
    given = {kind: getattr(parameters, kind.replace("-", "_")) for kind in known}
    return {kind: points if given[kind] is None else given[kind] for kind, points in known.items()}


def _entered_points(view: View, name: str, hint: str) -> tuple[int, int] | None:
    """Return the points in the turn record, for anywhere and for home only, or None if not entered.

    `name`: the name of the entry.
    `hint`: the form of the entry, in words.
    """
    if (text := record_entry(view, name)) is None:
        return None
    if (points := points_in(text)) is None:
        raise InputError(f"{name} of turn {view.integer('turn')}: {text!r}", hint=hint)
    return points


def points_in(text: str) -> tuple[int, int] | None:
    """Parse `3 (2)` as 3 points for anywhere and 2 for home only, and `3` as 3 and 0.

    Returns None if the text has another form.
    """
    match = re.fullmatch(r"([0-9]{1,2})\s*(?:\(([0-9]{1,2})\))?|\(([0-9]{1,2})\)", text.strip())
    return (int(match[1] or 0), int(match[2] or match[3] or 0)) if match else None


def _sum_points(known: Mapping[str, int | None], nations: Iterable[str], unknown: int = 0) -> Points:
    points = {nation: unknown if known[nation] is None else known[nation] for nation in nations}
    if "german" in points:
        points["home"] = known["home"] or 0
    return Points(**{kind.replace("-", "_"): count or 0 for kind, count in points.items()})


def _require_points(view: View, known: Mapping[str, int | None], nations: Iterable[str]) -> Points:
    unknown = [nation for nation in nations if known[nation] is None]
    asks = [_ask_for_points(view, nation) for nation in unknown if nation != "german" or known["home"] is None]
    if asks:
        raise MissingFacts(asks)
    return _sum_points(known, nations)


def _ask_for_points(view: View, nation: str) -> Ask:
    how = f"{nation}=POINTS" + (" home=POINTS" if nation == "german" else "")
    title = f"{view.title_of(nation)} RR Engineer points of the turn, on the printed Game Turn Track"
    return Ask(kind="parameter", name=nation, rule="17.1.2", title=title, how=how)


# --- the cost of a conversion -----------------------------------------------------------------------------------------


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of a conversion."""

    points: Points
    """The points that each kind pays."""
    left: Points = Points()
    """The points that each kind has left."""
    short: Annotated[Mapping[str, int], note("missing points, by country")]


def _price_conversion(view: View, side: str, parameters: RailheadParameters, hexes: Sequence[str]) -> Bill:
    known = _known_points(view, parameters, side)
    if side == "russian":
        return pay_russian(len(hexes), _require_points(view, known, NATIONS[side]))
    if short := _find_shortage(view, known, hexes):
        return short
    with view.gather() as facts:
        countries = Counter(facts.word("country", hex) for hex in hexes)
    needed = [nation for nation in NATIONS[side] if set(countries) - {_find_other_ally(nation)}]
    bill = pay_conversion(countries, _require_points(view, known, needed))
    if bill.short and "german" in needed and known["german"] is None:
        raise MissingFacts([_ask_for_points(view, "german")])
    return bill


def _find_shortage(view: View, known: Mapping[str, int | None], hexes: Sequence[str]) -> Bill | None:
    stated = Counter(country for hex in hexes if (country := view.word("country", hex)))
    unstated = len(hexes) - stated.total()
    if not unstated or any(known[nation] is None for nation in ALLIES):
        return None
    points = _sum_points(known, ALLIES)
    lying = combinations_with_replacement((*ALLIES, ""), unstated)
    bills = [pay_conversion(stated + Counter(countries), points) for countries in lying]
    least = min(bills, key=lambda bill: sum(bill.short.values()))
    return msgspec.structs.replace(least, short={"": sum(least.short.values())}) if least.short else None


def pay_conversion(hexes: Mapping[str, int], points: Points) -> Bill:
    """Return the bill for hexes of the Central Powers, one point each.

    German points do not serve in Austria-Hungary, Austro-Hungarian ones not in Germany, home points only in Germany.
    Elsewhere both nations work together.

    `hexes`: the number of hexes in each country.

    Rule: 17.1.2b
    """
    in_germany = hexes.get("german", 0)
    in_austria = hexes.get("austro-hungarian", 0)
    abroad = sum(hexes.values()) - in_germany - in_austria
    home = min(points.home, in_germany)
    german = min(points.german, in_germany - home)
    austro_hungarian = min(points.austro_hungarian, in_austria)
    short = {"german": in_germany - home - german, "austro-hungarian": in_austria - austro_hungarian}
    more = min(points.german - german, abroad)
    rest = min(points.austro_hungarian - austro_hungarian, abroad - more)
    short["abroad"] = abroad - more - rest
    paid = Points(german=german + more, home=home, austro_hungarian=austro_hungarian + rest)
    return Bill(
        points=paid, left=_subtract(points, paid), short={where: count for where, count in short.items() if count}
    )


def pay_russian(hexes: int, points: Points) -> Bill:
    """Return the bill for the Russian RR Engineers, who work anywhere.

    `hexes`: the number of hexes converted.

    Rule: 17.1.2
    """
    paid = Points(russian=min(hexes, points.russian))
    short = hexes - paid.russian
    return Bill(points=paid, left=_subtract(points, paid), short={"": short} if short else {})


def converts(countries: Iterable[str], points: Points) -> bool:
    """Return whether points pay for hexes, one each.

    `countries`: the country of each hex.

    Rule: 17.1.2, 17.1.2b
    """
    hexes = Counter(countries)
    return not (pay_russian(hexes.total(), points) if points.russian else pay_conversion(hexes, points)).short


def _find_other_ally(nation: str) -> str:
    return "austro-hungarian" if nation == "german" else "german"


def _subtract(points: Points, paid: Points) -> Points:
    return Points(**{kind: getattr(points, kind) - getattr(paid, kind) for kind in Points.__struct_fields__})


# --- the conversion in words ------------------------------------------------------------------------------------------


def _conversion_steps(result: RailheadResult) -> list[Step]:
    text = "RR Engineer points of the turn: {points} used, {left} left"
    lines = [step("17.1.2", text, points=_format_points(result.points), left=_format_points(result.left))]
    cut = [hex for hex in result.hexes if hex not in result.linked]
    if cut:
        lines.append(
            step("17.1.5", "{hexes}: non-operational, as no line links them to a friendly map edge", hexes=cut)
        )
    return lines


def _format_points(points: Points | None) -> list[str]:
    counts = {name: getattr(points, kind.replace("-", "_")) for kind, name in POINTS.items()} if points else {}
    return [f"{count} {name}" for name, count in counts.items() if count]


QUESTION = declare(
    "railhead",
    "to which hexes Railheads may be advanced now, and which RR Engineer points pay for it",
    answer,
    decision=None,
)
