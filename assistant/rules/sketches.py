"""Pictures of common answers: a route with its open and barred hexes, a unit's reach, an attack, and zones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar

from msgspec.structs import replace

from ..asking.report import MissingFacts, Report, Step
from ..asking.sketch import (
    Arrow,
    ArrowKind,
    Fate,
    FateKind,
    FigureChain,
    FigureTable,
    Remark,
    Role,
    Sketch,
    Spot,
    ZoneHexes,
    sketch_of,
    way_of,
)
from ..asking.view import Gather, View
from ..state.points import format_points
from ..util.notes import note
from .field import Field, HexOption
from .field.movement import Reach

R = TypeVar("R")
Fielding = Callable[[Gather], Field]
"""A function that reads the units on the map and their zones by the rules of a game."""


def draw_zones(view: View, field: Fielding, sides: Iterable[str], friends: str = "") -> tuple[ZoneHexes, ...]:
    """Return the zones of control of the given sides, or () while facts for them are missing.

    `friends`: the side whose units cancel zones in their hexes, or "".
    """
    zones = list[ZoneHexes]()
    with suppress(MissingFacts), view.gather() as facts:
        standing = field(facts).read()
        for side in sides:
            if hexes := frozenset(standing.zone(side)) - (standing.holds(friends) if friends else frozenset()):
                holders = frozenset(
                    unit.place for unit in standing.units(side) if unit.place and standing.has_zone(unit)
                )
                text = f"in a zone of control without a friend: {view.title_of(side)}" if friends else ""
                zones.append(ZoneHexes(side=side, hexes=hexes, holders=holders, text=text))
    return tuple(zones)


def enemies_of(view: View, side: str) -> list[str]:
    """Return the other sides of the game."""
    return [other for other in view.game.file.sides if other != side]


def draw_enemy_zones(
    view: View, field: Fielding | None, side: str, *, cancelled: bool = False
) -> tuple[ZoneHexes, ...]:
    """Return the zones of control of a side's enemies, or () without a field.

    `cancelled`: whether the side's units cancel these zones in their hexes.
    """
    return draw_zones(view, field, enemies_of(view, side), side if cancelled else "") if field else ()


def option_spots(options: Iterable[HexOption], label: Callable[[HexOption], str] = lambda option: "") -> Iterator[Spot]:
    """Yield the open and the barred hexes around a unit.

    `label`: returns the cost of an open hex in a few characters.
    """
    for option in options:
        if option.barred:
            yield Spot(hex=option.hex, role="barred", why=option.barred)
        else:
            yield Spot(hex=option.hex, role="open", label=label(option))


def choices(here: str, options: Iterable[HexOption], side: str = "") -> tuple[Arrow, ...]:
    """Return the arrows into the hexes that may be entered next."""
    return tuple(
        Arrow(hexes=(here, option.hex), kind="choice", side=side) for option in options if here and not option.barred
    )


def onward_arrows(
    onward: Mapping[str, Iterable[str]], side: str = "", label: Callable[[str, str], str] = lambda here, there: ""
) -> tuple[Arrow, ...]:
    """Return the arrows that lead on from the hexes that may be entered next.

    `label`: returns the cost of the step in a few characters.
    """
    return tuple(
        Arrow(hexes=(here, there), kind="onward", side=side, label=label(here, there))
        for here, others in onward.items()
        for there in others
    )


def way_spots(start: str, way: Sequence[str], *, over: bool) -> Iterator[Spot]:
    """Yield the start of a route, and its end once it is over."""
    yield Spot(hex=start, role="start")
    if over and way and way[-1] != start:
        yield Spot(hex=way[-1], role="end")


def barred_spots(report: Report[Any]) -> Iterator[Spot]:
    """Yield the barred hexes named in the reasons of a refusal."""
    for reason in (reason for reason in report.reasons if "hex" in reason.figures):
        hex = str(reason.figures["hex"])
        yield Spot(hex=hex, role="barred", why=str(reason.figures.get("why") or reason.text.removeprefix(f"{hex}: ")))


def of_way(
    hexes: Callable[[R], Sequence[str]],
    field: Fielding | None = None,
    labels: Callable[[R], Mapping[str, str]] = lambda result: {},
) -> Callable[[View, Report[R]], Sketch]:
    """Return a function that draws a route, and the barred hex that ends it early.

    `hexes`: returns the starting hex, or "" off the map, and the hexes entered.
    `labels`: returns the costs of the hexes in a few characters.
    """

    def sketch(view: View, report: Report[R]) -> Sketch:
        line = [*filter(None, hexes(report.shown))]
        side = side_at(view, *line)
        barred = [*barred_spots(report)]
        costs = _merge_labels(report, labels)
        ends = line[-1:] if len(line) > 1 and not barred else []
        first = [Spot(hex=hex, role="start") for hex in line[:1] if hex not in ends]
        return sketch_of(
            view,
            report,
            side=side,
            spots=(
                *first,
                *(Spot(hex=hex, role="passed", label=costs.get(hex, "")) for hex in line[1:] if hex not in ends),
                *(Spot(hex=hex, role="end", label=costs.get(hex, "")) for hex in ends),
                *barred,
            ),
            arrows=way_of(line, side),
            zones=draw_enemy_zones(view, field, side),
        )

    return sketch


def _merge_labels(report: Report[R], labels: Callable[[R], Mapping[str, str]]) -> dict[str, str]:
    """Return the labels of hexes by a result, or `2 to 3` if the ends of a range differ."""
    ends = [labels(end) for end in report.between or (report.result,) if end is not None]
    hexes = dict.fromkeys(hex for end in ends for hex in end)
    return {hex: " to ".join(dict.fromkeys(end[hex] for end in ends if end.get(hex))) for hex in hexes}


def of_reach(
    field: Fielding,
    each: Callable[[Any], Sequence[Reach]] = lambda reach: (reach,),
    words: Callable[[Any], Mapping[Role | ArrowKind, str]] = lambda reach: {},
) -> Callable[[View, Report[Reach]], Sketch]:
    """Return a function that draws a unit's reach: each hex with the points left there and the last step of its route.

    Hexes beyond the allowance are marked, with the points that are lacking. If a unit cannot enter the map, all units are shown.
    """

    return partial(_sketch_reach, field, each, words)


def _sketch_reach(
    field: Fielding,
    each: Callable[[Any], Sequence[Reach]],
    words: Callable[[Any], Mapping[Role | ArrowKind, str]],
    view: View,
    report: Report[Reach],
) -> Sketch:
    reach = report.shown
    side = view.side_of(reach.unit)
    reaches = each(reach)
    starts = {(place.hex, place.way): part.at for part in reversed(reaches) for place in part.hexes}
    spots = [Spot(hex=at, role="start") for at in dict.fromkeys(filter(None, (part.at for part in reaches)))]
    spots += [
        Spot(hex=place.hex, role="beyond", label=f"-{format_points(place.beyond)}")
        if place.beyond
        else Spot(hex=place.hex, role="reached", label=format_points(place.left))
        for place in reach.hexes
    ]
    spots += option_spots(reach.barred)
    spots += [Spot(hex=hex, role="unknown") for hex in reach.unknown]
    units = [unit.place for unit in view.units() if view.board.is_hex(unit.place)]
    steps = [(starts.get((place.hex, place.way), reach.at), *place.way)[-2:] for place in reach.hexes]
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(spots),
        arrows=tuple(Arrow(hexes=pair, kind="onward", side=side) for pair in steps if all(pair)),
        words={"onward": "the cheapest way", **words(reach)},
        zones=draw_enemy_zones(view, field, side),
        focus=() if spots else tuple(units),
    )


class CombatPicture(NamedTuple):
    """The contents of the picture of a combat."""

    attack: Annotated[Mapping[str, str], note("the strength in each attacking hex")]
    defence: Annotated[Mapping[str, str], note("the strength in each attacked hex")]
    side: Annotated[str, note("the attacker's side")]
    support: Annotated[
        Mapping[str, str], note("the strength in each further hex whose units only support the attack")
    ] = MappingProxyType({})
    causes: Annotated[Sequence[Remark], note("the causes of shifts and DRMs, each at its hex or hexside")] = ()
    held: Annotated[
        Collection[str], note("the hexes that count against the defender, held by the attackers or in their zones")
    ] = ()
    sum: Annotated[Sequence[tuple[str, str]], note("the sums of the strengths, line by line with the figure last")] = ()
    totals: Annotated[Collection[str], note("the lines that are totals of those before them")] = ()
    odds: Annotated[
        Sequence[tuple[str, str]], note("the steps from the strengths to the column, each with its heading")
    ] = ()
    drms: Annotated[Sequence[tuple[str, str]], note("the modifiers of the die, each with its heading")] = ()
    outcome: Annotated[Sequence[tuple[str, str]], note("the results of the dice, each with its heading")] = ()
    tables: Annotated[Sequence[FigureTable], note("further figures")] = ()
    ways: Annotated[Sequence[Arrow], note("the retreats carried out")] = ()
    owed: Annotated[Sequence[str], note("the further duties of the players")] = ()


def of_combat(shown: Callable[[View, Report[R]], CombatPicture]) -> Callable[[View, Report[R]], Sketch]:
    """Return a function that draws a combat: strengths and causes in their hexes, and the sum to the column."""

    def sketch(view: View, report: Report[R]) -> Sketch:
        assault = shown(view, report)
        targets = [*assault.defence]
        attackers = [*assault.attack]
        spots = [Spot(hex=at, role="target", label=strength) for at, strength in assault.defence.items()]
        spots += [
            Spot(hex=at, role="start", label=strength) for at, strength in {**assault.attack, **assault.support}.items()
        ]
        left = {(way.hexes[0], way.side) for way in assault.ways}  # hexes where another stretch of the retreat begins
        ends = dict.fromkeys(end for way in assault.ways if (end := (way.hexes[-1], way.side)) not in left)
        spots += [Spot(hex=hex, side=whose, role="end") for hex, whose in ends]
        whose = view.title_of(assault.side)
        odds = FigureChain(title="Odds", links=(*assault.odds, *assault.drms), answer=len(assault.odds) - 1)
        result = next((number for number, (word, _) in enumerate(assault.outcome) if word not in DICE), 0)
        rows = (odds, FigureChain(title="Result", links=tuple(assault.outcome), answer=result))
        totals = [number for number, (line, _) in enumerate(assault.sum) if line in assault.totals]
        strength = FigureTable(title="Strength", rows=tuple(assault.sum), totals=frozenset(totals))
        # causes at attacking hexes appear only in the working
        remarks = [cause for cause in assault.causes if cause.where not in assault.attack]
        empty = (at for at in assault.held if at not in assault.attack and not view.stack(at))
        remarks += [Remark(where=at, text=_HELD_REMARK) for at in empty]
        held = ZoneHexes(side=assault.side, hexes=frozenset(assault.held), text=f"{_HELD_KEY} ({whose})")
        drawn = sketch_of(
            view,
            report,
            side=assault.side,
            spots=tuple(spots),
            arrows=(
                *attack_arrows(attackers, targets, assault.side),
                *attack_arrows(assault.support, targets, assault.side, kind="support"),
                *assault.ways,
            ),
            chains=tuple(chain for chain in rows if chain.links),
            zones=(held,) if assault.held else (),
            remarks=tuple(remarks),
            tables=(strength, *assault.tables) if assault.sum else assault.tables,
            words={
                "start": "attacks, with its strength",
                "target": "attacked, with its defence",
                "support": "supports the attack from afar",
                "way": "retreat",
                "end": "where a retreat ends",
            },
        )
        return replace(drawn, owed=(*drawn.owed, *assault.owed))

    return sketch


DICE = ("die", "dice")
"""The headings of the dice of a combat."""


def format_die(natural: int, modifier: int = 0) -> str:
    """Return a die with its modifier: `4 + 1 = 5`."""
    return (
        f"{natural} {'-' if modifier < 0 else '+'} {abs(modifier)} = {natural + modifier}" if modifier else f"{natural}"
    )


def ratio_links(attack: Fraction | int, defence: Fraction | int, odds: str) -> Iterator[tuple[str, str]]:
    """Yield the odds of two strengths, preceded by the exact ratio if it differs."""
    if attack > 0 and defence > 0:
        larger = max(attack, defence)
        smaller = min(attack, defence)
        times = f"{float(Fraction(larger) / smaller):.2f}".rstrip("0").rstrip(".")
        exact = f"{times}:1" if attack >= defence else f"1:{times}"
        if exact != odds:
            yield "attack to defence", exact
            yield "rounded", odds
            return
    yield "odds", odds


def held_row(at: str, number: int) -> tuple[str, str]:
    """Return a row of a sum with the number of hexes around a defender that count against the defender."""
    return f"hexes round {at} held or in a ZOC", f"{number} of 6"


_HELD_REMARK = "counts against the defender"
"""The remark in an empty hex that counts against the defender."""
_HELD_KEY = "counts against the defender: held, or in a zone of control"
"""The words of the key for hexes that count against the defender."""


def strength_by_hex(word: str, units: Iterable[tuple[str, Fraction | int]]) -> dict[str, str]:
    """Return the total strength in each hex, after a word for it.

    `units`: the hex and strength of each unit.
    """
    totals = dict[str, Fraction]()
    for place, strength in units:
        totals[place] = totals.get(place, Fraction(0)) + strength
    return {place: f"{word} {float(total):g}" for place, total in totals.items()}


def attack_arrows(
    attackers: Iterable[str], targets: Sequence[str], side: str = "", kind: ArrowKind = "attack"
) -> tuple[Arrow, ...]:
    """Return an arrow from each attacking hex to each one attacked."""
    return tuple(Arrow(hexes=(at, target), kind=kind, side=side) for at in attackers for target in targets)


def side_at(view: View, *places: str) -> str:
    """Return the side of the first unit in the given hexes whose side is known, or "" if none is known."""
    units = (unit.id for place in places for unit in view.stack(place))
    return next(filter(None, map(view.side_of, units)), "")


def label_end(spots: Iterable[Spot], hex: str, label: str) -> Iterator[Spot]:
    """Yield the spots of a retreat, with a label on its last hex if no unit is left.

    `label`: the fate of the units in a few words, or "".
    """
    for spot in spots:
        yield replace(spot, label=label) if label and spot.hex == hex and spot.role in ("start", "end") else spot


def list_fates(lines: Iterable[Step], lost: Collection[str], remaining: Fate | None) -> Iterator[Fate]:
    """Yield the fates of the units of a retreat.

    `lines`: a line for each unit that is eliminated or leaves the map.
    `lost`: the eliminated units.
    """
    for line in lines:
        unit = str(line.figures["unit"])
        kind: FateKind = "lost" if unit in lost else "stays"
        yield Fate(units=(unit,), text=line.text.removeprefix(f"{unit} "), kind=kind)
    if remaining:
        yield remaining
