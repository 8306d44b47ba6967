"""Movement hex by hex: the hexes that a unit enters on a route, the bars to it, and all hexes within reach.

A game judges each step: it returns the cost of entering the hex, in its smallest fraction of a Movement Point, or a
bar.
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
"""A function that judges a step between hexes by the knowledge about the route, usually its number of hexes."""


class Gathering(Protocol):
    """A mover whose facts can be gathered anew, such as a named tuple with a field `facts`."""

    @property
    def facts(self) -> Gather:
        """The reader of the mover's facts and of the ground."""

    def _replace(self, *, facts: Gather) -> Self: ...


G = TypeVar("G", bound=Gathering)


def judge_apart(mover: G, enter: Callable[[G, str, str, int], E | HexBar]) -> JudgeStep[E]:
    """Return a judge that gathers facts for each step by itself, so that all facts missing for it are reported."""

    def judge(here: str, there: str, number: int) -> E | HexBar:
        with mover.facts.view.gather() as facts:
            return enter(mover._replace(facts=facts), here, there, number)

    return judge


Ended = tuple[int, Any, tuple[str, ...]]
"""A route of the search: its cost so far, the knowledge about it, and its hexes."""


class Walked(NamedTuple, Generic[E]):
    """The part of a route that a unit can enter."""

    entered: tuple[E, ...]
    cost: int
    """The cost of the hexes entered."""
    barred: HexBar | None = None
    """The bar to the next hex, or None if no rule bars it."""
    lacks: int = 0
    """The points that the unit lacks for the next hex, or 0."""
    minimum: bool = False


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's move up to the last hex allowed. Costs are in the game's smallest fraction of a Movement Point."""

    unit: UnitId
    at: HexLeft
    entered: Annotated[tuple[EnteredHex, ...], note("the hexes that the unit enters, with their costs")] = ()
    cost: Annotated[int, note("what the move costs, in the game's smallest fraction of a Movement Point")] = 0
    allowance: Annotated[int, note("the unit's allowance, in the game's smallest fraction of a Movement Point")] = 0
    minimum: Annotated[bool, note("whether the move is the minimum move of one hex, for all Movement Points")] = False

    @property
    def left(self) -> int:
        """The rest of the unit's allowance, in the game's smallest fraction of a Movement Point."""
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
        """Movement Points spent beyond the allowance, in a game that has such moves."""
        return Fraction(0)


class Explored(NamedTuple):
    """The hexes to which a unit can move, and the hexes that are barred or unknown."""

    places: tuple[HexWithinReach, ...]
    """Each hex with its cheapest route, cheapest first."""
    barred: tuple[HexOption, ...] = ()
    """Adjacent hexes that every route bars, each with the reason on the cheapest route."""
    unknown: Mapping[str, tuple[Ask, ...]] = {}
    """Hexes that may be within reach, or nearer, if their ground were stated, each with the missing facts."""


NONE_LEFT = "{unit} has no Movement Points left"
"""The reason why a unit without Movement Points enters no hex."""


class Moving(NamedTuple, Generic[E]):
    """A unit's move from a hex, or from "" if the unit enters the map.

    Only `explore` reads the fields after `minimum`.
    """

    view: View
    at: str
    allowance: Annotated[int, note("the allowance, in the game's smallest fraction of a Movement Point")]
    enter: JudgeStep[E]
    minimum: Annotated[
        Callable[[E], bool], note("whether a unit may enter a hex beyond its allowance, as its only one")
    ] = lambda entered: False
    begins: Annotated[Collection[str], note("the hexes by which it may enter the map")] = ()
    so_far: Annotated[
        Callable[[Any, E], Any],
        note("returns what is known of a route, from what was known before and the hex entered; the least comes first"),
    ] = lambda entered, into: entered + 1
    begun: Annotated[
        Mapping[tuple[str, ...], Any], note("the routes from which the search starts, each with what is known of it")
    ] = {(): 0}
    tells_apart: Annotated[
        bool, note("whether different routes into one hex are kept apart by what is known of them")
    ] = False

    def along(self, way: Sequence[str]) -> Walked[E]:
        """Return a route up to the first hex that cannot be entered.

        Raises InputError if the route is empty or two of its hexes are not adjacent.
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
        """Return a unit's move along a route up to the first hex that it cannot enter, and what bars the rest.

        `kind`: the type of the move, whose other fields are `more`.

        Raises InputError as `along` does.
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
        """Return a step that names the bar to the next hex of a unit's route, or [] if the route is complete."""
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
        """Return the hexes within reach, cheapest first, each with its cheapest route."""
        return self.explore().places

    def _is_ground(self, ask: Ask, here: str, there: str) -> bool:
        """Return whether missing facts concern only the two hexes of a step or the hexsides of the hex entered."""
        around = (hexside(other, there) for other in self.view.board.neighbours(there))
        _, *subjects = ask.key
        return not {here, there, *around}.isdisjoint(subjects)

    def explore(self) -> Explored:
        """Return the hexes within reach with their cheapest routes, the barred hexes, and hexes of unknown ground.

        Raises MissingFacts if facts other than the ground are missing.
        """
        at, allowance, tells_apart = self.at, self.allowance, self.tells_apart
        enter, minimum, so_far = self.enter, self.minimum, self.so_far
        neighbours = self.view.board.neighbours
        reached = dict[str, HexWithinReach]()
        barred = dict[str, HexBar]()
        too_dear = set[str]()
        unknown = dict[str, tuple[int, tuple[Ask, ...]]]()  # the cost before the step, and what is missing
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
                    too_dear.add(there)

        begun = [(0, known, way) for way, known in self.begun.items()]
        for spent, _, way in cheapest_ways(begun, onward, place):
            if way:
                cost = min(spent, allowance)
                found = HexWithinReach(hex=way[-1], cost=cost, way=way, minimum=spent > allowance)
                reached.setdefault(found.hex, found)
        if lacking:
            raise MissingFacts(tuple(lacking.values()))
        places = sorted(reached.values(), key=lambda place: (place.cost, place.hex))
        may_open = {hex for hex, (spent, _) in unknown.items() if hex not in reached or spent + 1 < reached[hex].cost}
        barred_everywhere = sorted(barred.keys() - reached.keys() - too_dear - may_open)
        return Explored(
            tuple(places),
            tuple(make_option(hex, barred[hex]) for hex in barred_everywhere),
            {hex: unknown[hex][1] for hex in sorted(may_open)},
        )


def unable_now(view: View, unit: str, side: str, phases: Collection[str], rule: str) -> list[Step]:
    """Return the reasons why a unit may not move now: another phase, another side's turn, or a move already made.

    Reads the tracks `phase`, `phasing` and `moved`, each of which a game may lack.

    `phases`: the phases in which units move; while no phase is stated, they may move.
    """
    phase, phasing = moment(view)
    clauses = (
        (phase and phase not in phases, rule, "units move only in the Movement Phase, but this is {phase}"),
        (phasing not in ("", side), rule, "it is the player turn of {phasing}"),
        ("moved" in view.game.tracks and view.flag("moved", unit), rule, "{unit} has already moved this phase"),
    )
    return holding(clauses, unit=unit, phase=phase, phasing=view.game.file.the_side(phasing))


_SAME_COST_FEATURES: Memo[tuple[str, str, tuple[str, ...]], str | None] = Memo()
"""A feature of a track whose features all cost the same, by chart, track and free features."""


class Prices(NamedTuple):
    """The owner's chart of terrain costs. Its key is the feature, its field `cost` a number or "prohibited"."""

    chart: str
    of_hex: tuple[str, ...]
    """The tracks of features in a hex."""
    of_hexside: tuple[str, ...] = ()
    """The tracks of features on the hexside crossed."""
    free: Collection[str] = ()
    """Features that are not on the chart and cost nothing."""

    def of_step(self, facts: Gather, here: str, there: str) -> int | None:
        """Return the cost of a step by the chart, or None if the step is prohibited.

        Asks for features that are not stated, unless every possible feature costs the same.

        `here`: the hex left, or "" if the unit enters the map.
        """
        costs = [self._price_feature(facts, track, subject) for track, subject in self._list_features(here, there)]
        return None if None in costs else sum(filter(None, costs))

    def _list_features(self, here: str, there: str) -> list[tuple[str, str]]:
        over = [(track, hexside(here, there)) for track in self.of_hexside] if here else []
        return [*((track, there) for track in self.of_hex), *over]

    def _price_feature(self, facts: Gather, track: str, subject: str) -> int | None:
        same = None if facts.view.fact(track, subject) else self._find_same_cost(facts.view, track)
        feature = same or facts.word(track, subject)
        if not feature or feature in self.free:
            return 0
        cost = facts.cell(self.chart, feature).values["cost"]
        return None if cost == "prohibited" else int(cost)

    def _find_same_cost(self, view: View, track: str) -> str | None:
        """Return any feature of the track if all features are known to cost the same, or else None."""
        return view.memo(
            _SAME_COST_FEATURES,
            (self.chart, track, tuple(self.free)),
            lambda known, apart: self._read_same_cost(view, track),
        )

    def _read_same_cost(self, view: View, track: str) -> str | None:
        features = view.game.track(track).values
        cells = [None if feature in self.free else view.cell(self.chart, feature) for feature in features]
        known = [cell is not None or feature in self.free for cell, feature in zip(cells, features, strict=True)]
        costs = {str(cell.values["cost"]) if cell else "0" for cell in cells}
        return features[-1] if all(known) and len(costs) == 1 else None


def stretch_of(line: Sequence[str], first: str, last: str, *, names: tuple[str, str]) -> tuple[int, int]:
    """Return the positions in a route of the first and the last hex of a part, such as a move by rail.

    `line`: the unit's hex, then the hexes entered.
    `first`, `last`: the hexes of the part, or "" for the ends of the route.
    `names`: the words for `first` and `last` in an error.

    Raises InputError if a hex is not on the route.
    """
    for name, place in zip(names, (first, last), strict=True):
        if place and place not in line:
            raise InputError(f"{name}: {place} is not on the route", hint="name a hex on the route")
    return line.index(first) if first else 0, len(line) - 1 - (line[::-1].index(last) if last else 0)


def bring_unit(view: View, unit: str, at: str | None, rule: str, *, on_top: bool = False) -> Change | Enter:
    """Return the change that brings a unit to a place, or lets it wait off the map if `at` is None.

    `on_top`: whether a unit that enters play lies on top of the stack.
    """
    if unit in view.state.units:
        return changed(view, "place", unit, at, rule)
    return Enter(unit, view.game.type_of(unit), at, len(view.stack(at)) if at and not on_top else 0, rule)


# --- the report of the question `reach` -------------------------------------------------------------------------------


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes to which a unit can move. Costs are in the game's smallest fraction of a Movement Point."""

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
GROUND_UNKNOWN = "too little is stated of the ground of {unknown:#hex}"
"""The reason why more hexes may be within reach, as a template."""
REACHED = CountVerdict("{unit} can move to {hexes:#hex}", GROUND_UNKNOWN, bounds=("hexes",))
"""The verdict on a unit's reach."""


def unknown_steps(hexes: Iterable[str], rule: str) -> list[Step]:
    """Return a step with the hexes whose ground is not stated, or [] if there are no such hexes."""
    text = "the ground of {hexes} is not stated, or what lies on the way into them"
    return [step(rule, text, hexes=listed)] if (listed := [*hexes]) else []


def barred_steps(options: Iterable[HexOption]) -> list[Step]:
    """Return steps with the barred hexes, one for each reason."""
    alike = dict[tuple[str, str], list[str]]()
    for option in options:
        alike.setdefault((option.rule, option.barred), []).append(option.hex)
    return [step(rule, "{places}: {why}", places=hexes, why=why) for (rule, why), hexes in alike.items()]


MAX_HEXES_NAMED = 40
"""The maximum number of hexes named in sentences. Of more hexes, only the farthest are named."""


def short_reach(
    view: View, text: str, reach: R, rule: str, *, own_hexes: Collection[str] = (), **figures: Any
) -> Iterator[Step]:
    """Yield a unit's reach in a few sentences: the number of hexes, their names, and a reason why others are barred.

    Of many hexes, only the farthest are named.

    `text`: the verdict, with its figures.
    `own_hexes`: hexes that the game names itself.
    """
    yield step(rule, f"{text}.", reach, **figures)
    named = {*own_hexes}
    unnamed = [place.hex for place in reach.hexes if place.hex not in named]
    if len(unnamed) > MAX_HEXES_NAMED and reach.at:
        distances = {place.hex: view.board.distance(reach.at, place.hex) for place in reach.hexes}
        max_distance = max(distances.values())
        yield SAY(rule, "reach.farthest", places=[hex for hex, hexes in distances.items() if hexes == max_distance])
    elif 0 < len(unnamed) <= MAX_HEXES_NAMED:
        yield SAY(rule, "reach.hexes", places=unnamed)
    for barred in barred_steps(reach.barred)[:1]:
        yield SAY(barred.rule, "reach.barred", **barred.figures)


def reach_of(
    kind: type[R],
    unit: str,
    means: str,
    moving: Moving[E],
    reasons: Collection[Step],
    *,
    rule: str,
    minimum_rule: str,
    points: Callable[[int], str] = str,
    parts: int = 1,
) -> Report[R]:
    """Return the report on the hexes to which a unit can move.

    `kind`: the type of the result, which defines the smallest fraction.
    `means`: a word for the means, such as land.
    `reasons`: the reasons why the unit cannot move at all, or none.
    `parts`: the number of smallest fractions in a Movement Point.
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
        f"Reach of {unit} by {means}",
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
