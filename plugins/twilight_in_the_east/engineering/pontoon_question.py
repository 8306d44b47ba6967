"""The question `pontoon`: laying and taking up pontoon bridges, and those on the map (18.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, UnitName, View, declare, note
from assistant.asking.asks import Ask
from assistant.asking.case import Action, fact, list_bars
from assistant.asking.permission import Clause, holding, permission
from assistant.asking.report import MissingFacts, Part, Report, Step, step, verdict
from assistant.asking.view import Gather, changed
from assistant.rules.field import LineSource, SideField, side_of
from assistant.state.changes import Change
from assistant.state.state import Unit, hexside
from assistant.util.errors import quoted

from ..control.front_line import holder
from ..ground import hexsides
from ..ground.calendar import MOVEMENT_PHASES, QuietWork, active_now, phase_of
from ..ground.hexsides import between, bridge
from ..ground.works import MAX_PONTOON_MARKERS, Pontoon, hexes_bringing_down, pontoons, take_off_bridge, works_left
from ..railways.network import RAIL_HEX_WEIGHTS
from ..supply.ground import SupplyGround, SupplyMap, at_most, judge_line, supply_ground
from ..supply.sources import side_in_use
from ..terms import COMBAT_ARMS, GREAT_RIVERS, Nation


class PontoonParameters(Parameters, frozen=True):
    """Parameters of the question `pontoon`, which lists all bridges on the map if no hex is given."""

    at: Annotated[PlaceName | None, note("the hex of the bridge's marker, from which the bridge is laid")] = None
    to: Annotated[PlaceName | None, note("the hex beyond the river, at which the arrow points")] = None
    train: Annotated[UnitName | None, note("the Corps Train that lays the bridge; any that can, if left out")] = None
    nation: Annotated[Nation | None, note("nation whose marker it is; that of the Corps Train if left out")] = None
    in_range: Annotated[
        bool | None, note("whether the hex is within the Corps Train's range, if not otherwise known")
    ] = msgspec.field(name="in-range", default=None)
    remove: Annotated[bool, note("whether the bridge is taken up")] = False


class PontoonBridge(msgspec.Struct, frozen=True, kw_only=True):
    """A pontoon bridge on the map."""

    hexside: Annotated[str, note("the hexside")]
    nation: Annotated[str, note("nation of its marker, empty if not stated")]
    entered: Annotated[tuple[str, ...], note("adjacent hexes that enemies have entered, so that the bridge comes off")]


class PontoonResult(msgspec.Struct, frozen=True, kw_only=True):
    """Pontoon bridges."""

    allowed: Annotated[bool | None, note("whether the bridge may be laid or taken up, null if none is asked about")] = (
        None
    )
    train: Annotated[str, note("the Corps Train that lays the bridge, empty for none")] = ""
    left: Annotated[dict[str, int], note("markers that each nation may still lay")] = {}
    bridges: Annotated[tuple[PontoonBridge, ...], note("pontoon bridges on the map")] = ()


def answer(view: View, parameters: PontoonParameters) -> Report[PontoonResult]:
    """Return the report on pontoon bridges.

    Raises MissingFacts if deciding facts on control, rivers or ranges are not stated, InputError if hexes are not
    adjacent.
    """
    laid = tuple(pontoons(view))
    here, there = parameters.at, parameters.to
    if (here is None) != (there is None):
        raise InputError("a pontoon bridge lies between two hexes", hint="give at=HEX and to=HEX")
    if here is None or there is None:
        if parameters != PontoonParameters():
            raise InputError("at, to: no hexside is named for the pontoon bridge", hint="give at=HEX and to=HEX")
        return _report_all(view, laid)
    view.board.check_adjacent(here, there, "a pontoon bridge lies between two adjacent hexes")
    if parameters.remove:
        return _report_taking_up(view, here, there, laid)
    return _find_laid(view, parameters, here, there, laid).report()


def _report_taking_up(view: View, here: str, there: str, laid: tuple[Pontoon, ...]) -> Report[PontoonResult]:
    crossed = hexside(here, there)
    pontoon = next((other for other in laid if other.hexside == crossed), None)
    if pontoon is None:
        raise InputError(f"no pontoon bridge lies between {here} and {there}", hint=f"state it: {crossed} pontoon")
    if not pontoon.nation:
        raise MissingFacts([_ask_whose([crossed])])
    reasons = bars_to_taking_up(view, view.game.side_of(pontoon.nation))
    left = laid if reasons else tuple(other for other in laid if other != pontoon)
    return permission(
        f"The pontoon bridge between {here} and {there}",
        (
            "it is taken up; in a Pontoon Bridge Phase the marker may be laid again",
            "it may not be taken up now",
        ),
        reasons,
        PontoonResult(left=_count_left(left)),
        changes=() if reasons else take_off_bridge(view, crossed),
    )


def bars_to_taking_up(view: View, side: str) -> list[Step]:
    """Return why a side may not take up its pontoon bridges now. Rule: 18.1c"""
    phase, active = phase_of(view), active_now(view)
    untimely = active not in ("", side) or phase not in ("", "other", "pontoon", *MOVEMENT_PHASES)
    text = "it may be taken up only in its side's Pontoon Bridge Phase or movement phases, and this is {phase}"
    return holding([(untimely, "18.1", text)], phase=phase)


class Laying(QuietWork, Action[PontoonResult]):
    """A pontoon bridge that a Corps Train would lay over a hexside."""

    here: str
    """The hex of the marker."""
    there: str
    """The hex beyond the river."""
    unit: str
    """The id of the Corps Train."""
    owner: str
    """The nation of the marker, or "" if it is not known."""
    laid: tuple[Pontoon, ...]
    """The pontoon bridges on the map."""
    around: SideField
    ground: SupplyGround
    in_range: bool | None
    """Whether the hex of the marker is within the train's range, or None if the player does not state it."""
    due: str = "pontoon"
    rule: str = "18.2"
    title = "A pontoon bridge from {here} to {there}"
    yes = "{unit} may lay a pontoon bridge from {here} to {there}"
    no = "no pontoon bridge may be laid from {here} to {there}"

    @property
    def nation(self) -> str:
        return self.view.title_of(self.owner)

    @property
    def most(self) -> int:
        return MAX_PONTOON_MARKERS[self.owner]

    @fact
    def over_great_river(self) -> bool:
        """A Major or Grand River lies on the hexside."""
        return not between(self.facts, self.here, self.there).lies.isdisjoint(GREAT_RIVERS)

    @fact
    def has_bridge(self) -> bool:
        """A bridge is known to lie there."""
        return bool(bridge(between(self.view, self.here, self.there)))

    @fact
    def here_friendly(self) -> bool:
        """Its side controls the hex of the marker."""
        return holder(self.facts, self.around, self.here) == self.side

    @fact
    def there_friendly(self) -> bool:
        """Its side controls the hex beyond."""
        return holder(self.facts, self.around, self.there) == self.side

    @fact
    def in_enemy_zone(self) -> bool:
        """The hex beyond is in an EZOC."""
        return self.there in self.around.enemy_zones

    @fact
    def friend_there(self) -> bool:
        """A friendly combat unit is in the hex beyond."""
        own = [unit.id for unit in self.view.stack(self.there) if side_of(self.facts, unit) == self.side]
        return any(self.facts.word("arm", unit) in COMBAT_ARMS for unit in own)

    @fact
    def marker_left(self) -> bool:
        """The nation has a marker left, as far as the owners of bridges on the map are known."""
        if self.owner not in MAX_PONTOON_MARKERS:
            return True
        left = works_left(self.owner, self.laid)
        unstated = [pontoon.hexside for pontoon in self.laid if not pontoon.nation]
        if 0 < left <= len(unstated):
            self.facts.ask(_ask_whose(unstated))
        return left > 0

    @fact
    def has_laid_one(self) -> bool:
        """The train has laid one in this phase."""
        return self.facts.flag("pontoon-laid", self.unit)

    @fact
    def entrained(self) -> bool:
        """The train is in Rail Mode."""
        return self.facts.flag("entrained", self.unit)

    @fact
    def in_reach(self) -> bool:
        """The hex of the marker is within the train's Supply Range, on the side that is up.

        A drawn map, typed lines, or else the player decides.
        """
        train = self.view.unit(self.unit)
        if train.place == self.here:
            return True
        source = side_in_use(self.facts, train)
        within = _is_within(self.view, source, self.here, self.ground)
        within = self.in_range if within is None else within
        if within is None:
            title = f"whether {self.here} is within the Supply Range of {source.name}"
            how = f"in-range=yes|no, or line {quoted(source.name)}: {source.place} -road- HEX clear {self.here} clear"
            self.facts.ask(Ask(kind="parameter", name="in-range", rule="18.2", title=title, how=how))
        return bool(within)

    def bars(self) -> Iterator[Clause]:
        yield from self.bars_of_phase()
        yield from self.bars_of_bridge()
        yield from self.bars_of_train()
        yield from self.bars_of_range()

    def bars_of_bridge(self) -> Iterator[Clause]:
        """Yield the bars to a pontoon bridge on the hexside. Rule: 18.1"""
        yield not self.over_great_river, "18.1", "a pontoon bridge crosses only a Major or Grand River hexside"
        yield self.has_bridge, "18.1", "a bridge lies there already"
        yield not (self.here_friendly and self.there_friendly), "18.1", "both hexes must be friendly controlled"
        yield (
            self.in_enemy_zone and not self.friend_there,
            "18.1",
            "the hex beyond is in an EZOC, and no friendly combat unit is in it",
        )

    def bars_of_train(self) -> Iterator[Clause]:
        """Yield the bars to the Corps Train, wherever it is. Rule: 18.0, 18.2"""
        yield not self.marker_left, "18.0", "{nation}: all {most} markers are on the map"
        yield self.has_laid_one, "18.2", "a Corps Train lays only one pontoon bridge per phase, and it has laid one"
        yield self.entrained, "18.2", "it is in Rail Mode and so has no Supply Range"

    def bars_of_range(self) -> Iterator[Clause]:
        """Yield the bar if the hex is out of range. Rule: 18.2"""
        yield (
            not self.in_reach,
            "18.2",
            "the hex is beyond its Supply Range, and Corps Trains are not extended in this phase",
        )

    def result(self, *, allowed: bool) -> PontoonResult:
        if not allowed:
            return PontoonResult(left=_count_left(self.laid))
        added = Pontoon(hexside(self.here, self.there), self.owner)
        return PontoonResult(train=self.unit, left=_count_left([*self.laid, added]))

    def working(self) -> dict[str, Iterable[Step]]:
        counts = step("18.1", "it counts as a bridge for all purposes except building Russian RR lines")
        left = _left_steps(self.view, self.result(allowed=True).left)
        return {"The bridge": [counts], "To be laid": left}

    def changes(self) -> Iterator[Change]:
        crossed = hexside(self.here, self.there)
        yield changed(self.view, "crossing", crossed, "pontoon", "18.2")
        yield changed(self.view, "pontoon-of", crossed, self.owner, "18.2")
        yield changed(self.view, "pontoon-laid", self.unit, True, "18.2")


class NoTrain(Laying):
    """A pontoon bridge that no Corps Train can lay."""

    reasons: Sequence[str]
    """The reason why each train cannot lay the bridge."""

    def bars(self) -> Iterator[Clause]:
        """Yield the bars to the bridge, and the reasons of the trains. Rule: 18.2"""
        yield from self.bars_of_phase()
        yield from self.bars_of_bridge()
        yield True, "18.2", "no Corps Train may lay it: {reasons}"


def _find_laid(view: View, parameters: PontoonParameters, here: str, there: str, laid: tuple[Pontoon, ...]) -> Laying:
    """Return the bridge, with the train that would lay it or the best of several trains.

    Raises InputError if there is no train, or the player contradicts the range of the named train.
    """
    with view.gather() as facts:
        trains = _find_trains(facts, parameters)
        if not trains:
            raise InputError(
                "no Corps Train that could lay it is stated", hint="place a Corps Train, or give train=UNIT"
            )
        side = side_of(facts, trains[0])
        around = hexsides.field(facts).around(side)
    about: dict[str, Any] = {
        "view": view,
        "side": side,
        "here": here,
        "there": there,
        "laid": laid,
        "around": around,
        "ground": supply_ground(view, side),
        "in_range": parameters.in_range,
    }
    owners = {train.id: parameters.nation or view.word("nation", train.id) for train in trains}
    layings = [Laying(unit=train, owner=owner, **about) for train, owner in owners.items()]
    if parameters.train and parameters.in_range is not None:
        _check_range(layings[0])
    chosen, refusals = _choose_train(layings)
    if chosen is None and len(layings) > 1:
        return NoTrain(unit="", owner="", reasons=refusals[:3], **about)
    return chosen or layings[0]


def _check_range(laying: Laying) -> None:
    """Raise InputError if the player contradicts the range of a Corps Train and nothing else bars the bridge."""
    with suppress(MissingFacts):  # the missing facts are asked for elsewhere
        alone = list_bars(laying.bars) == list_bars(laying.bars_of_range)
        if alone and laying.in_reach != laying.in_range:
            where = "within" if laying.in_reach else "beyond"
            what = f"in-range: {laying.here} is {where} the Supply Range of {laying.unit}"
            raise InputError(what, hint="leave out in-range")


def _choose_train(layings: Iterable[Laying]) -> tuple[Laying | None, list[str]]:
    """Return the bridge of the first Corps Train that can lay it, and the reasons why others cannot.

    If none can, it is the bridge of the first undecided train, or None.
    """
    refusals = list[str]()
    possible = None
    for laying in layings:
        try:
            bars = list_bars(laying.bars_of_train, laying.bars_of_range)
        except MissingFacts:
            possible = possible or laying
            continue
        if not bars:
            return laying, refusals
        refusals.append(f"{laying.unit}: {bars[0].text}")
    return possible, refusals


def _report_all(view: View, pontoons_laid: tuple[Pontoon, ...]) -> Report[PontoonResult]:
    bridges = []
    changes = list[Change]()
    asks = list[Ask]()
    with view.gather() as facts:
        arounds = {side: hexsides.field(facts).around(side) for side in view.game.file.sides}
    for pontoon in pontoons_laid:
        sides = [view.game.side_of(pontoon.nation)] if pontoon.nation else view.game.file.sides
        lost = [hexes_bringing_down(view, pontoon, arounds[side].enemies) for side in sides]
        if any(lost) and not all(lost):
            asks.append(_ask_whose([pontoon.hexside]))
        entered = frozenset[str]().union(*lost) if all(lost) else frozenset[str]()
        bridges.append(PontoonBridge(hexside=pontoon.hexside, nation=pontoon.nation, entered=tuple(sorted(entered))))
        if entered:
            changes += take_off_bridge(view, pontoon.hexside)
    result = PontoonResult(left=_count_left(pontoons_laid), bridges=tuple(bridges))
    off = sum(bool(bridge.entered) for bridge in bridges)
    return Report(
        title="Pontoon bridges",
        verdict=verdict(
            "figure", "{pontoons:#pontoon bridge} on the map, {gone} to come off", pontoons=len(bridges), gone=off
        ),
        parts=(
            Part("On the map", tuple(_bridge_step(view, bridge) for bridge in bridges)),
            Part("To be laid", tuple(_left_steps(view, result.left))),
        ),
        asks=tuple(asks),
        changes=tuple(changes),
        result=result,
    )


def _ask_whose(where: Sequence[str]) -> Ask:
    how = f"{where[0]} pontoon-of={'|'.join(MAX_PONTOON_MARKERS)}"
    title = f"whose pontoon bridge lies on {', '.join(where)}"
    return Ask(kind="fact", name=how, rule="18.0", title=title, how=how, key=("pontoon-of", where[0]))


def _count_left(bridges: Collection[Pontoon]) -> dict[str, int]:
    return {nation: works_left(nation, bridges) for nation in MAX_PONTOON_MARKERS}


def _bridge_step(view: View, pontoon: PontoonBridge) -> Step:
    text = (
        "{hexside}[nation: ({nation})|, whose owner is not stated (pontoon-of)]"
        "[hexes:: comes off, as enemies have entered {hexes}]"
    )
    return step("18.1", text, pontoon, nation=view.title_of(pontoon.nation), hexes=pontoon.entered)


def _left_steps(view: View, left: Mapping[str, int]) -> Iterator[Step]:
    for nation, count in left.items():
        text = "{nation}: {left:#marker} of {most}"
        yield step("18.0", text, nation=view.title_of(nation), left=count, most=MAX_PONTOON_MARKERS[nation])


def _find_trains(facts: Gather, parameters: PontoonParameters) -> list[Unit]:
    """Return the Corps Trains that may lay a bridge, those of the marker's nation first, then the nearest.

    They are the named train, or all trains of a side: the side of the marker, of the units in its hex, of the phase, or
    in control of the hex.
    """
    view = facts.view
    nation = parameters.nation
    if parameters.train:
        unit = view.unit(parameters.train)
        if facts.word("arm", unit.id) != "corps-train" or not view.board.is_hex(unit.place or ""):
            raise InputError(f"train: {unit.id} is not a Corps Train on the map", hint="name a Corps Train")
        if nation and view.game.side_of(nation) != side_of(facts, unit):
            raise InputError(
                f"nation: {unit.id} lays no {view.title_of(nation)} marker", hint="name one of the same side"
            )
        return [unit]
    at = str(parameters.at)
    on_map = [unit for unit in view.units() if view.board.is_hex(unit.place)]
    trains = [(unit, side_of(facts, unit)) for unit in on_map if facts.word("arm", unit.id) == "corps-train"]
    wanted = view.game.side_of(nation) if nation else next((side_of(facts, unit) for unit in view.stack(at)), "")
    wanted = wanted or view.word("phasing") or view.word("control", at)
    if not any(side == wanted for _, side in trains) and len({side for _, side in trains}) == 1:
        wanted = trains[0][1] if not nation else wanted
    own = [unit for unit, side in trains if side == wanted]
    order = {
        unit.id: (view.word("nation", unit.id) != nation, view.board.distance(str(unit.place), at)) for unit in own
    }
    return sorted(own, key=lambda unit: (*order[unit.id], unit.id))


def _is_within(view: View, source: LineSource, at: str, ground: SupplyGround) -> bool | None:
    """Return whether a hex is in range of a Corps Train along a line, or None if a paper map leaves it open."""
    if view.board.distance(source.place, at) * min(RAIL_HEX_WEIGHTS.values()) > at_most(source.limit or 0):
        return False

    def leads(ways: SupplyMap) -> bool:
        typed = {source.place, at} <= ways.lines.crossings.number.keys()
        line = ways.line(source, at) if typed else None
        return line is not None and judge_line(view, source, line) is not None

    if leads(ground.certain):
        return True
    return False if ground.is_whole and not leads(ground.possible) else None


QUESTION = declare(
    "pontoon",
    "whether a pontoon bridge may be laid or taken up, and which ones come off",
    answer,
    decision=lambda report: report.result.allowed if report.result else None,
)
