"""Units that move, retreat or step aside hex by hex: which hexes are open, what bars the others, how far a way leads,
and all hexes within reach.

A game judges each step: what the hex that is entered costs, in its smallest step, or what bars it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import msgspec

from ...asking.asks import Ask
from ...asking.bounds import LEFT_OUT, CountVerdict
from ...asking.messages import SAY
from ...asking.permission import holding, permission
from ...asking.report import MissingFacts, Report, Step, step
from ...asking.view import Gather, View, changed, moment
from ...state.changes import Change, Enter
from ...state.state import hexside
from ...state.vocabulary import HexLeft, HexNumber, UnitId
from ...util.errors import InputError
from ...util.memo import Memo
from ...util.notes import note
from .search import cheapest_ways
from .ways import HexBar, HexOption, NoWay, check_way, make_option


class EnteredHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that a unit enters."""

    hex: HexNumber
    cost: Annotated[int, note("what entering the hex costs, in the game's smallest fraction of a Movement Point")]


E = TypeVar("E", bound=EnteredHex)
JudgeStep = Callable[[str, str, Any], E | HexBar]
"""Judges a step from a hex into the next, by what is known of the way: usually the number of the hexes entered before."""


class Gathering(Protocol):
    """A mover whose facts can be gathered anew, as a named tuple has them."""

    @property
    def facts(self) -> Gather:
        """What is read of it and of the ground."""

    def _replace(self, *, facts: Gather) -> Self:
        """Return the same mover with other facts."""


G = TypeVar("G", bound=Gathering)


def judge_apart(mover: G, enter: Callable[[G, str, str, int], E | HexBar]) -> JudgeStep[E]:
    """Return what judges each step of a mover with facts gathered for it alone, so that of a step for which some are
    missing all are known at once. enter: judges a step of the mover.
    """

    def judge(here: str, there: str, number: int) -> E | HexBar:
        with mover.facts.view.gather() as facts:
            return enter(mover._replace(facts=facts), here, there, number)

    return judge


Ended = tuple[int, Any, tuple[str, ...]]
"""A way of a search: what is spent on it, what is known of it, and its hexes."""


class Walked(NamedTuple, Generic[E]):
    """How far a way leads."""

    entered: tuple[E, ...]
    cost: int
    """Of the hexes entered."""
    barred: HexBar | None = None
    """What keeps the unit from the next one, None if the way is free."""
    lacks: int = 0
    """What the next hex costs beyond the allowance, 0 if it is not that."""
    minimum: bool = False


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """The move of a unit as far as it is allowed. Costs are in the game's smallest fraction of a Movement Point."""

    unit: UnitId
    at: HexLeft
    entered: Annotated[tuple[EnteredHex, ...], note("the hexes that the unit enters, with their costs")] = ()
    cost: Annotated[int, note("what the move costs, in the game's smallest fraction of a Movement Point")] = 0
    allowance: Annotated[int, note("the unit's allowance, in the game's smallest fraction of a Movement Point")] = 0
    minimum: Annotated[bool, note("whether the move is the minimum move of one hex, for all Movement Points")] = False

    @property
    def left(self) -> int:
        """What the unit has left, in the same fraction."""
        return self.allowance - self.cost


M = TypeVar("M", bound=Moved)


class HexWithinReach(msgspec.Struct, frozen=True, kw_only=True):
    """A hex within reach."""

    hex: HexNumber
    cost: Annotated[int, note("what the route to the hex costs, in the game's smallest fraction of a Movement Point")]
    way: Annotated[tuple[str, ...], note("a cheapest route, hex by hex")]
    minimum: Annotated[bool, note("whether only the minimum move reaches the hex")] = False
    left: Annotated[Fraction, note("Movement Points left there")] = msgspec.field(default_factory=Fraction)

    @property
    def beyond(self) -> Fraction:
        """Movement Points beyond the allowance that the way takes, in a game that has such moves."""
        return Fraction(0)


class Explored(NamedTuple):
    """Where a unit can move."""

    places: tuple[HexWithinReach, ...]
    """Each hex with its cheapest way, the cheapest first."""
    barred: tuple[HexOption, ...] = ()
    """Those beside them that a rule bars whichever way it comes, each with what bars it on the cheapest way."""
    unknown: Mapping[str, tuple[Ask, ...]] = {}
    """Those into which a step may lead, or a cheaper one, of whose ground too little is stated, each with what is
    missing.
    """


NONE_LEFT = "{unit} has no Movement Points left"
"""What is said of a unit that enters no hex, whatever that costs."""


class Moving(NamedTuple, Generic[E]):
    """How a unit moves from a hex, "" for one that enters the map; what follows `minimum` is read by `explore` alone."""

    view: View
    at: str
    allowance: Annotated[int, note("in the game's smallest fraction of a Movement Point")]
    enter: JudgeStep[E]
    minimum: Annotated[
        Callable[[E], bool], note("whether a unit may enter a hex beyond its allowance, as its only one")
    ] = lambda entered: False
    begins: Annotated[Collection[str], note("the hexes by which it may enter the map")] = ()
    so_far: Annotated[
        Callable[[Any, E], Any],
        note("what is known of a way, from what was known before and the hex entered, of which the least comes first"),
    ] = lambda entered, into: entered + 1
    begun: Annotated[
        Mapping[tuple[str, ...], Any], note("the ways from which it goes on, each with what is known of it")
    ] = {(): 0}
    tells_apart: Annotated[bool, note("whether what is known differs between ways into one hex")] = False

    def along(self, way: Sequence[str]) -> Walked[E]:
        """Return a way up to the first hex that bars it. Raises InputError for an empty way or a hex that is not
        adjacent to the one before.
        """
        check_way(self.view, self.at, way)
        entered = list[E]()
        spent = 0
        for number, (here, there) in enumerate(pairwise((self.at, *way))):
            entry = self.enter(here, there, number)
            if isinstance(entry, HexBar):
                return Walked(tuple(entered), spent, entry)
            if (lacks := spent + entry.cost - self.allowance) > 0:
                if len(way) == 1 and self.minimum(entry):
                    return Walked((entry,), self.allowance, minimum=True)
                return Walked(tuple(entered), spent, lacks=lacks)
            entered.append(entry)
            spent += entry.cost
        return Walked(tuple(entered), spent)

    def moved(
        self,
        kind: type[M],
        unit: str,
        way: Sequence[str],
        *,
        rule: str,
        points: Callable[[int], str] = str,
        **more: Any,
    ) -> tuple[M, list[Step]]:
        """Return the move of a unit along a way as far as it leads, and what bars the rest, in a step.

        kind: of the move, whose other fields are `more`; rule, points: as in `stopped`. Raises InputError as `along`.
        """
        walked = self.along(way)
        move = kind(
            unit=unit,
            at=self.at,
            entered=walked.entered,
            cost=walked.cost,
            allowance=self.allowance,
            minimum=walked.minimum,
            **more,
        )
        return move, self.stopped(unit, way, walked, rule, points)

    def stopped(
        self, unit: str, way: Sequence[str], walked: Walked[E], rule: str, points: Callable[[int], str] = str
    ) -> list[Step]:
        """Return what keeps a unit from the next hex of a way that leads no farther, in a step; none if nothing does.

        rule: of what hexes cost; points: Movement Points as players say them.
        """
        at = way[min(len(walked.entered), len(way) - 1)]
        if walked.barred:
            return [step(walked.barred.rule, "{hex}: {why}", hex=at, why=walked.barred.why)]
        if not walked.lacks:
            return []
        if self.allowance <= 0:
            return [step(rule, NONE_LEFT, unit=unit)]
        text = "{hex}: {cost_points} Movement Points are needed, but {unit} has {allowance_points}"
        needed = points(self.allowance + walked.lacks)
        has = points(self.allowance)
        return [step(rule, text, hex=at, unit=unit, cost_points=needed, allowance_points=has)]

    def within_reach(self) -> tuple[HexWithinReach, ...]:
        """Return the hexes that it can move to, each with its cheapest way, the cheapest first."""
        return self.explore().places

    def _is_ground(self, ask: Ask, here: str, there: str) -> bool:
        """Return whether what is missing lies in the hexes of a step or on a hexside of the one that is entered."""
        around = (hexside(other, there) for other in self.view.board.neighbours(there))
        _, *subjects = ask.key
        return not {here, there, *around}.isdisjoint(subjects)

    def explore(self) -> Explored:
        """Return the hexes that it can move to, each with its cheapest way, and what it finds beside them. Raises
        MissingFacts for all that is missing but of the ground.
        """
        at, allowance, tells_apart = self.at, self.allowance, self.tells_apart
        enter, minimum, so_far = self.enter, self.minimum, self.so_far
        neighbours = self.view.board.neighbours
        reached = dict[str, HexWithinReach]()
        barred = dict[str, HexBar]()
        dear = set[str]()
        unknown = dict[str, tuple[int, tuple[Ask, ...]]]()  # what is missing, with what is spent before it
        lacking = dict[str, Ask]()

        def place(ended: Ended) -> Hashable:
            _, known, way = ended
            here = way[-1] if way else at
            return (here, known) if tells_apart else here

        def onward(ended: Ended) -> Iterator[Ended]:
            spent, known, way = ended
            here = way[-1] if way else at
            for there in neighbours(here) if here else self.begins:
                if there == at or (there in reached and not tells_apart):
                    continue
                try:
                    entry = enter(here, there, known)
                except MissingFacts as missing:
                    if not all(self._is_ground(ask, here, there) for ask in missing.asks):
                        lacking.update({ask.name: ask for ask in missing.asks})
                    elif spent < allowance or not way:
                        unknown.setdefault(there, (spent, missing.asks))
                    continue
                if isinstance(entry, NoWay):
                    continue
                if isinstance(entry, HexBar):
                    barred.setdefault(there, entry)
                elif spent + entry.cost <= allowance or (not way and minimum(entry)):
                    yield spent + entry.cost, so_far(known, entry), (*way, there)
                else:
                    dear.add(there)

        begun = [(0, known, way) for way, known in self.begun.items()]
        for spent, _, way in cheapest_ways(begun, onward, place):
            if way:
                cost = min(spent, allowance)
                found = HexWithinReach(hex=way[-1], cost=cost, way=way, minimum=spent > allowance)
                reached.setdefault(found.hex, found)
        if lacking:
            raise MissingFacts(tuple(lacking.values()))
        places = sorted(reached.values(), key=lambda place: (place.cost, place.hex))
        open_to = {hex for hex, (spent, _) in unknown.items() if hex not in reached or spent + 1 < reached[hex].cost}
        shut = sorted(barred.keys() - reached.keys() - dear - open_to)
        return Explored(
            tuple(places),
            tuple(make_option(hex, barred[hex]) for hex in shut),
            {hex: unknown[hex][1] for hex in sorted(open_to)},
        )


def unable_now(view: View, unit: str, side: str, phases: Collection[str], rule: str) -> list[Step]:
    """Return what keeps a unit from moving at this moment: another phase, the turn of another side, a move made before.

    The tracks are `phase`, `phasing` and `moved`, any of which a game may lack. phases: those in which units move;
    while no phase is stated they move too.
    """
    phase, phasing = moment(view)
    clauses = (
        (phase and phase not in phases, rule, "units move only in the Movement Phase, but this is {phase}"),
        (phasing not in ("", side), rule, "it is the player turn of {phasing}"),
        ("moved" in view.game.tracks and view.flag("moved", unit), rule, "{unit} has already moved this phase"),
    )
    return holding(clauses, unit=unit, phase=phase, phasing=view.game.file.the_side(phasing))


_ALIKE: Memo[tuple[str, str, tuple[str, ...]], str | None] = Memo()
"""By chart, track and free features, a feature of the track that costs what all cost."""


class Prices(NamedTuple):
    """A chart of the owner that says what terrain adds to the cost of a hex: its key is the feature, and its field
    `cost` a number or "prohibited".
    """

    chart: str
    of_hex: tuple[str, ...]
    """The tracks that state what lies in a hex."""
    of_hexside: tuple[str, ...] = ()
    """The tracks that state what lies on the hexside that is crossed."""
    free: Collection[str] = ()
    """Features that are not on the chart and cost nothing."""

    def of_step(self, facts: Gather, here: str, there: str) -> int | None:
        """Return what the step into the next hex costs by the chart, None if it is prohibited. What is not stated is
        asked for, unless all that may be there is known to cost the same. here: "" for a unit that enters the map.
        """
        costs = [self._price_feature(facts, track, subject) for track, subject in self._list_features(here, there)]
        return None if None in costs else sum(filter(None, costs))

    def _list_features(self, here: str, there: str) -> list[tuple[str, str]]:
        """Return what may cost something in a step, each as a track and its subject."""
        over = [(track, hexside(here, there)) for track in self.of_hexside] if here else []
        return [*((track, there) for track in self.of_hex), *over]

    def _price_feature(self, facts: Gather, track: str, subject: str) -> int | None:
        """Return what lies there costs so much, None if it is prohibited."""
        same = None if facts.view.fact(track, subject) else self._find_same(facts.view, track)
        feature = same or facts.word(track, subject)
        if not feature or feature in self.free:
            return 0
        cost = facts.cell(self.chart, feature).values["cost"]
        return None if cost == "prohibited" else int(cost)

    def _find_same(self, view: View, track: str) -> str | None:
        """Return a feature that costs what all cost, None if they differ, or if one is not known."""
        return view.memo(
            _ALIKE, (self.chart, track, tuple(self.free)), lambda known, apart: self._find_alike(view, track)
        )

    def _find_alike(self, view: View, track: str) -> str | None:
        """Return a feature of a track as `_find_same` tells it."""
        features = view.game.track(track).values
        cells = [None if feature in self.free else view.cell(self.chart, feature) for feature in features]
        known = [cell is not None or feature in self.free for cell, feature in zip(cells, features, strict=True)]
        costs = {str(cell.values["cost"]) if cell else "0" for cell in cells}
        return features[-1] if all(known) and len(costs) == 1 else None


def stretch_of(line: Sequence[str], begins: str, ends: str, *, names: tuple[str, str]) -> tuple[int, int]:
    """Return the numbers of the hexes of a way where a part of it begins and ends, such as a move by rail.

    line: the hex of the unit, then those that it enters; begins, ends: hexes, "" for the first and the last; names:
    their parameters. Raises InputError for a hex that is not in the line.
    """
    for name, place in zip(names, (begins, ends), strict=True):
        if place and place not in line:
            raise InputError(f"{name}: {place} is not on the route", hint="name a hex on the route")
    return line.index(begins) if begins else 0, len(line) - 1 - (line[::-1].index(ends) if ends else 0)


def bring_unit(view: View, unit: str, at: str | None, rule: str, *, on_top: bool = False) -> Change | Enter:
    """Return the change that brings a unit to a place, or off the map to wait there if it is None. rule: by which it
    comes; on_top: of the stack, if it enters play; otherwise below it.
    """
    if unit in view.state.units:
        return changed(view, "place", unit, at, rule)
    return Enter(unit, view.game.type_of(unit), at, len(view.stack(at)) if at and not on_top else 0, rule)


# --- the report of the question `reach` -------------------------------------------------------------------------------


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit can move. Costs are in the game's smallest fraction of a Movement Point."""

    unit: UnitId
    at: HexLeft
    allowance: Annotated[int, note("the unit's allowance, in the game's smallest fraction of a Movement Point")]
    hexes: Annotated[tuple[HexWithinReach, ...], note("the hexes, cheapest first")] = ()
    barred: Annotated[
        tuple[HexOption, ...], note("the hexes beside these that a rule bars, with the reason on the cheapest route")
    ] = ()
    unknown: Annotated[
        tuple[HexNumber, ...],
        note("the hexes of whose ground too little is stated; they and others may be within reach too"),
    ] = ()


R = TypeVar("R", bound=Reach)
GROUND = "too little is stated of the ground of {unknown:#hex}"
"""Why more hexes may be within reach, in a template."""
REACHED = CountVerdict("{unit} can move to {hexes:#hex}", GROUND, bounds=("hexes",))
"""Where a unit can move, in a line."""


def unknown_steps(hexes: Iterable[str], rule: str) -> list[Step]:
    """Return the hexes of whose ground too little is stated, in a step; none without any. rule: of the move."""
    text = "the ground of {hexes} is not stated, or what lies on the way into them"
    return [step(rule, text, hexes=listed)] if (listed := [*hexes]) else []


def barred_steps(options: Iterable[HexOption]) -> list[Step]:
    """Return the hexes that something bars, a step for each reason."""
    alike = dict[tuple[str, str], list[str]]()
    for option in options:
        alike.setdefault((option.rule, option.barred), []).append(option.hex)
    return [step(rule, "{places}: {why}", places=hexes, why=why) for (rule, why), hexes in alike.items()]


MOST_HEXES = 40
"""How many hexes within reach are named in sentences; of more, the farthest are."""


def short_reach(
    view: View, text: str, reach: R, rule: str, *, apart: Collection[str] = (), **figures: Any
) -> Iterator[Step]:
    """Yield where a unit can move in a few sentences: how many hexes and which, or the farthest of many, and what bars
    the first that are barred.

    text: the verdict, with its figures; apart: hexes that the game names apart.
    """
    yield step(rule, f"{text}.", reach, **figures)
    named = {*apart}
    near = [place.hex for place in reach.hexes if place.hex not in named]
    if len(near) > MOST_HEXES and reach.at:
        far = {place.hex: view.board.distance(reach.at, place.hex) for place in reach.hexes}
        most = max(far.values())
        yield SAY(rule, "reach.farthest", places=[hex for hex, hexes in far.items() if hexes == most])
    elif 0 < len(near) <= MOST_HEXES:
        yield SAY(rule, "reach.hexes", places=near)
    for barred in barred_steps(reach.barred)[:1]:
        yield SAY(barred.rule, "reach.barred", **barred.figures)


def reach_of(
    kind: type[R],
    unit: str,
    how: str,
    moving: Moving[E],
    reasons: Collection[Step],
    *,
    rule: str,
    minimum_rule: str,
    points: Callable[[int], str] = str,
    parts: int = 1,
) -> Report[R]:
    """Return the report on where a unit can move.

    kind: of its result, which says what the smallest step is; how: by land or else, in a word; reasons: what keeps it
    from moving at all; rule: of its move; minimum_rule: of a minimum move; points: Movement Points as players say them;
    parts: the smallest fractions in a Movement Point.
    """
    explored = Explored(()) if reasons else moving.explore()
    hexes = tuple(
        msgspec.structs.replace(place, left=Fraction(moving.allowance - place.cost, parts)) for place in explored.places
    )
    kind_of_verdict, text = REACHED.word(len(hexes), len(explored.unknown))
    steps = [
        step(minimum_rule if place.minimum else rule, "{hex}: {points} by {way}", place, points=points(place.cost))
        for place in hexes
    ]
    unknown = tuple(explored.unknown)
    reach = kind(
        unit=unit, at=moving.at, allowance=moving.allowance, hexes=hexes, barred=explored.barred, unknown=unknown
    )
    return permission(
        f"Reach of {unit} by {how}",
        (text, "{unit} cannot move"),
        reasons,
        reach,
        working={
            "Hexes": steps,
            "Barred": barred_steps(explored.barred),
            LEFT_OUT: unknown_steps(explored.unknown, rule),
        },
        asks=() if hexes else {ask.name: ask for asks in explored.unknown.values() for ask in asks}.values(),
        kind=kind_of_verdict,
        sentences=short_reach(moving.view, text, reach, rule, hexes=len(hexes), unknown=len(unknown)),
        hexes=len(hexes),
        unknown=len(unknown),
    )
