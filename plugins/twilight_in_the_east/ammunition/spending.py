"""The Artillery Ammunition Points (APs) that a combat takes from supply units (10.5.2 to 10.5.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, MissingFacts, Part, Step, View, note, step
from assistant.asking.view import changed
from assistant.state.changes import Change, Gain
from assistant.util.errors import quoted

from ..combat.allocation import MAGAZINE_PREFIX, command_of, points_allocated
from ..forces.units import CombatUnit, Role, stacks
from ..ground.hexsides import assume_zones
from ..terms import BOYEN, DEPOTS, SUPPLY_ARMS
from .ways import ALLOTMENT, PointRecord, PointWay, cheapest, record_steps

if TYPE_CHECKING:
    from .sources import AmmunitionLines, TriedWay

Route = tuple[str, str]
"""The supply unit that delivers an AP, and the depot behind it if it is a Corps Train, or ""."""


class UsedPoint(msgspec.Struct, frozen=True):
    """An AP that a combat has used."""

    role: Role
    point: Annotated[str, note("name of the AP in a battle")]
    places: Annotated[tuple[str, ...], note("the hexes of the units that it serves")]
    way: Annotated[PointWay | None, note("the way by which the AP comes, None if none is known")] = None
    able: Annotated[tuple[PointWay, ...], note("all ways by which it could come")] = ()
    barred: Annotated[tuple[PointWay, ...], note("the ways that are closed")] = ()
    is_open: Annotated[bool, note("whether it depends on what the position does not state")] = False
    unseen: Annotated[
        tuple[str, ...],
        note("placeholders of unseen units of its side that may give it, none where that does not matter"),
    ] = ()


class AmmunitionSpending(msgspec.Struct, frozen=True):
    """The APs that a combat takes from supply units."""

    points: tuple[UsedPoint, ...] = ()
    changes: tuple[Change, ...] = ()
    """The changes that record the APs."""

    @property
    def is_settled(self) -> bool:
        """Whether the supply unit of every AP is known."""
        return bool(self.points) and all(point.way for point in self.points)


def record_points(view: View, way: PointWay) -> tuple[Change, ...]:
    """Return the changes for APs given: supply units turned over, and markers of recorded APs. Rule: 10.5.4"""
    todo = []
    for record in way.records:
        if record.turned:
            todo.append(changed(view, "extended", record.source, True, "10.5.3"))
        if record.after != record.before:
            track, rule = (ALLOTMENT, "22.3.1") if record.allotment else ("ap-spent", "10.5.4")
            todo.append(changed(view, track, record.source, record.after, rule))
    return tuple(todo)


def spend_points(
    view: View, sides: Mapping[Role, Sequence[CombatUnit]], named: Mapping[Role, Sequence[str]]
) -> AmmunitionSpending:
    """Return the APs that both sides of a combat take from their supply units.

    `named`: supply units that their owners name.

    Raises InputError for a named supply unit that gives none of the APs.
    """
    spent = [SideSpending(view, role, units, named.get(role, ())).spend() for role, units in sides.items()]
    points = tuple(point for used, _ in spent for point in used)
    return AmmunitionSpending(points, tuple(change for _, made in spent for change in made))


class SideSpending(msgspec.Struct, frozen=True):
    """A side of a combat whose APs come from its supply units."""

    view: View
    role: Role
    units: Sequence[CombatUnit]
    """The units that fight."""
    named: Sequence[str]
    """The supply units that their owner names as sources."""

    def spend(self) -> tuple[list[UsedPoint], list[Change]]:
        """Return the APs of the side in order, and their record.

        They come from the sources that the owner names, or by the cheapest way. APs of magazines and of Boyen are not
        recorded.

        Raises InputError for a named supply unit that gives none.

        Rule: 10.5.3, 10.5.4
        """
        every = points_allocated(self.units) if self._has_sources() else ()
        drawn = [point for point in every if point != BOYEN and not point.startswith(MAGAZINE_PREFIX)]
        used, made = self._spend_in_order(drawn)
        if any(each.way is None for each in used):  # one AP may have used the source that another one needs
            turned, instead = self._spend_in_order(drawn[::-1])
            if sum(each.way is None for each in turned) < sum(each.way is None for each in used):
                used = turned[::-1]
                made = instead
        self._check_sources(used)
        return used, made

    def _spend_in_order(self, points: Iterable[str]) -> tuple[list[UsedPoint], list[Change]]:
        """Return the APs and their record, each AP given after the effects of those before it."""
        used = list[UsedPoint]()
        changes = list[Change]()
        for point in points:
            now = replace(self, view=self.view.after(changes)) if changes else self
            used.append(now.use_point(point))
            if way := used[-1].way:
                changes += record_points(now.view, way)
        return used, changes

    def _has_sources(self, arms: Collection[str] = SUPPLY_ARMS) -> bool:
        """Return whether the position has a supply unit of the side.

        `arms`: the arms that count.
        """
        quiet = self.view.quiet_view()
        side = quiet.side_of(self.units[0].id) if self.units else ""
        placed = (unit.id for unit in self.view.units() if unit.place)
        return any(quiet.word("arm", unit) in arms and quiet.side_of(unit) == side for unit in placed)

    def use_point(self, point: str) -> UsedPoint:
        """Return the cheapest way of an AP among those by most of the named supply units.

        The way leads to all hexes with units that the AP serves. If no supply unit is named, an unseen unit may give
        the AP instead of one that must record it, even if the position has no depot of the side.

        Rule: 10.5.3
        """
        from ..supply.ground import supply_ground  # imported only here, because most combats use no AP
        from .sources import AmmunitionLines

        view = self.view
        served = [unit for unit in self.units if unit.point == point]
        side = view.side_of(served[0].id)
        by_hex = stacks(served)
        used = UsedPoint(self.role, point, tuple(by_hex))
        try:
            lines = AmmunitionLines(view, supply_ground(view, side), (), ())
            tried = [self._find_ways_to_hex(lines, point, here) for here in by_hex.values()]
        except MissingFacts:
            return replace(used, is_open=True)
        able = tuple(_find_ways_to_all(tried))
        every = [each for ways in tried for each in ways]

        def of_the_named(way: PointWay) -> int:
            return sum(way.comes_by([name]) for name in self.named)

        wanted = max(map(of_the_named, able), default=-1)
        if max((of_the_named(each.way) for each in every if each.asks), default=-1) > wanted:
            return replace(used, is_open=True)
        used = replace(used, able=able, barred=tuple(each.way for each in every if each.way.why_not))
        way = cheapest([way for way in able if of_the_named(way) == wanted], ())
        unseen = tuple(hidden.id for hidden in view.unseen.values() if view.side_of(hidden.id) == side)
        if unseen and wanted <= 0 and (way is None or _find_effects(way)):
            return replace(used, unseen=unseen)
        if way is None and not self._has_sources(DEPOTS):
            return replace(used, is_open=True)
        if way:
            assume_zones(lines.ground.around, {entered.hex for link in way.links for entered in link.line})
        return replace(used, way=way)

    def _find_ways_to_hex(self, lines: AmmunitionLines, point: str, served: Sequence[CombatUnit]) -> list[TriedWay]:
        from .sources import Recipient

        here = [unit for unit in self.units if unit.place == served[0].place and unit.formation]
        commands = {command_of(unit, self.units) for unit in served}
        led = [unit for unit in here if command_of(unit, self.units) in commands]
        names = tuple(unit.id for unit in served)
        with self.view.gather() as facts:
            wanting = Recipient(self.view.unit((*led, *served)[0].id), point, names, names)
            tried = lines.supply_chains(facts, wanting)
        return [each for each in tried if set(each.way.serves) >= set(names)]

    def _check_sources(self, used: Sequence[UsedPoint]) -> None:
        """Raise InputError if a named supply unit gives no AP, unless missing facts may change that."""
        giving = [point.way for point in used if point.way]
        able = (way for point in used for way in point.able)
        allowed = dict.fromkeys(unit for way in able for unit in _route_of(way) if unit)
        hint = "leave it out"
        if allowed:
            hint = f"these can: {', '.join(allowed)}"
        if any(point.is_open for point in used):
            return
        for name in self.named:
            if not any(way.comes_by([name]) for way in giving):
                barred = [way.why_not for point in used for way in point.barred if way.comes_by([name])]
                why = f": {barred[0]}" if barred else ""
                raise InputError(f"{self.role}-ap-from: {name} gives none of the APs of this combat{why}", hint=hint)


def _find_ways_to_all(tried: Sequence[Sequence[TriedWay]]) -> Iterator[PointWay]:
    """Yield the ways by which an AP reaches several hexes, each joined as one way.

    `tried`: the ways to each hex.
    """
    by_route = [{_route_of(each.way): each.way for each in ways if not each.way.why_not} for ways in tried]
    for route in by_route[0]:
        if all(route in ways for ways in by_route):
            yield _join_ways([ways[route] for ways in by_route])


def _route_of(way: PointWay) -> Route:
    return way.source, way.depot


def _join_ways(ways: Sequence[PointWay]) -> PointWay:
    """Join the ways of an AP to several hexes by one route.

    A supply unit is turned over if any of the ways requires it.
    """
    records = dict[tuple[str, bool], PointRecord]()
    for record in chain.from_iterable(way.records for way in ways):
        if (record.source, record.allotment) not in records or record.turned:
            records[record.source, record.allotment] = record
    serves = tuple(name for way in ways for name in way.serves)
    links = tuple(dict.fromkeys(link for way in ways for link in way.links))
    return replace(ways[0], serves=serves, links=links, records=tuple(records.values()))


def kept_changes(
    spending: AmmunitionSpending, others: Iterable[Change | Gain], off_map: Collection[str]
) -> Iterator[Change]:
    """Yield the changes that record the APs of a combat once it is over.

    `others`: the other changes of the combat.
    `off_map`: units taken off the map, whose APs are not recorded.
    """
    later = {(change.track, change.subject) for change in others}
    for change in spending.changes:
        if change.subject not in off_map and (change.track, change.subject) not in later:
            yield change


# --- the spending in words --------------------------------------------------------------------------------------------


def spending_part(spending: AmmunitionSpending) -> Part:
    """Return the part on the supply units that gave the APs of a combat, their record, and open questions."""
    steps = list[Step]()
    for used in spending.points:
        steps += _used_steps(used)
    return Part("Ammunition", tuple(steps))


LACKING_SOURCE_TEXT = (
    "no supply unit in this position can give the {role}'s AP of {point}, which counts all the same ({lines} says why; "
    "{role}-ap=none leaves the AP out)"
)
"""The template on an AP without a source, before the dice."""


def lacking_part(view: View, sides: Mapping[Role, Sequence[CombatUnit]]) -> Part:
    """Return the part on APs that no supply unit can give, before the dice of a combat.

    An AP is left out if a missing fact could change that (10.5.3).

    `sides`: the units that fight.
    """
    points = spend_points(view.quiet_view(), sides, {}).points
    lacking = [used for used in points if used.way is None and not (used.is_open or used.unseen)]
    steps = [step("10.5.3", LACKING_SOURCE_TEXT, used, lines=_ask_lines(used)) for used in lacking]
    return Part("Without a source", tuple(steps), brief="; ".join(line.text for line in steps))


def _ask_lines(used: UsedPoint) -> list[str]:
    return [f"ammunition {place} command={quoted(used.point)}" for place in used.places]


def _find_effects(way: PointWay) -> frozenset[PointRecord]:
    return frozenset(record for record in way.records if record.turned or record.after != record.before)


def _used_steps(used: UsedPoint) -> Iterator[Step]:
    lines = _ask_lines(used)
    how = f"{used.role}-ap-from=UNIT"
    if used.way is None:
        text = "no supply unit in this position can give the AP of {point} ({lines} says why), and nothing is recorded"
        if used.is_open:
            text = (
                "the position leaves open which supply unit gives the AP of {point}: {lines} says what it needs; state "
                "that, or enter the AP of its source (UNIT ap-spent=N)"
            )
        if used.unseen:
            text = (
                "units that are not seen ({unseen}) may give the AP of {point}, and nothing is recorded: name the "
                "supply unit that gives it ({how})"
            )
        yield step("10.5.3", text, point=used.point, lines=lines, unseen=used.unseen, how=how)
        return
    recorded = _find_effects(used.way)
    if not recorded:
        text = "{way} gives the AP of {point}, and nothing is recorded"
        yield step(used.way.rule, text, point=used.point, way=used.way.name)
        return
    others = [other.name for other in used.able if _find_effects(other) != recorded]
    text = "{way} gives the AP of {point}[others:; {others} could give it instead ({how})]"
    yield step(used.way.rule, text, point=used.point, way=used.way.name, others=others, how=how)
    for record in used.way.records:
        yield from record_steps(record)
