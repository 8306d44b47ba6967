"""The question `move` for units that move together, hex by hex.

Its answer has the end of each unit, its work on the way for Movement Points, its move by rail, and the changes. A game
judges each step and says which units may move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, NamedTuple

import msgspec

from ..asking.messages import SAY
from ..asking.permission import holding, permission
from ..asking.report import Report, Step, step
from ..asking.view import Gather, View, changed
from ..mechanics.procedure import Modifier
from ..state.changes import AnyChange
from ..state.state import hexside
from ..state.vocabulary import HexNumber
from ..util.errors import InputError
from ..util.notes import note
from .field import SideField
from .field.hexsides import leads_into
from .field.movement import NONE_LEFT, EnteredHex, Moved, Moving, stretch_of
from .field.ways import HexBar, NoWay, check_way
from .stacks import count_again

Works = Mapping[str, Sequence[str]]
"""Hexes in which a unit works for a Movement Point, by the parameter that lists them."""
REFUSED_MOVE = "this move is not allowed"
"""The verdict on a move that is not allowed."""
MAX_RAIL_HEXES = 10_000
"""A number of hexes beyond any move by rail."""
ENTRAINED = "entrained"
"""The flag of units that continue by rail in the next turn; a game may lack it."""


class Marched(EnteredHex, frozen=True, kw_only=True):
    """A hex that a unit enters."""

    how: Annotated[str, note("march, or rail for a hex entered by rail")] = "march"


class March(Moved, frozen=True, kw_only=True):
    """A unit's move up to the last hex allowed. Costs are in the game's smallest fraction of a Movement Point."""

    entered: Annotated[tuple[Marched, ...], note("the hexes that the unit enters, with their costs")] = ()

    @property
    def end(self) -> str:
        """The hex where the move ends."""
        return self.entered[-1].hex if self.entered else self.at

    @property
    def way(self) -> tuple[str, ...]:
        """The hexes of the move, including the first."""
        return (*filter(None, [self.at]), *(place.hex for place in self.entered))


class StackMove(msgspec.Struct, frozen=True, kw_only=True):
    """A move of units that start together."""

    units: Annotated[tuple[March, ...], note("the moves of the units, in the order in which they are named")]
    over: Annotated[tuple[HexNumber, ...], note("hexes that are then over the stacking limits")] = ()

    @property
    def way(self) -> tuple[str, ...]:
        """The hexes of the unit that moves farthest, including the first."""
        return max((march.way for march in self.units), key=len)


# --- orders -----------------------------------------------------------------------------------------------------------


class Order(NamedTuple):
    """A move as the player orders it."""

    line: Annotated[tuple[str, ...], note('the starting hex, or "" off the map, then the hexes entered')]
    ends: Annotated[Mapping[str, int], note("the position in the line of each unit's last hex")]
    rail: Annotated[range | None, note("the numbers of the steps by rail, or None")] = None
    entrains: Annotated[bool, note("whether the units entrain on the way")] = False
    detrains: Annotated[bool, note("whether the units detrain on the way")] = False
    done: Annotated[
        Mapping[int, int], note("the Movement Points spent on work in each hex, by its position in the line")
    ] = Counter()
    works: Annotated[Works, note("the hexes of each kind of work")] = MappingProxyType({})
    railheads: Annotated[tuple[str, ...], note("the hexes where units entrain and detrain")] = ()

    def at(self, work: str) -> Sequence[str]:
        """Return the hexes in which a unit does the work."""
        return self.works.get(work, ())

    def spent(self, number: int) -> int:
        """Return the points spent in the next hex. Before the first step, those in the starting hex are added.

        `number`: the number of hexes entered before.
        """
        return self.done.get(number + 1, 0) + (0 if number else self.done.get(0, 0))

    def rides(self, number: int) -> bool:
        """Return whether the next hex is entered by rail."""
        return self.rail is not None and number in self.rail

    def sets_out(self, number: int) -> bool:
        """Return whether the move by rail begins with the next hex."""
        return self.rail is not None and number == self.rail.start

    @property
    def stays(self) -> bool:
        """Whether the units enter no hex and do no work."""
        return len(self.line) == 1 and not self.done

    @property
    def riders(self) -> int:
        """The number of units that entrain, or enter the map entrained."""
        begins = self.rail.start if self.rail is not None else 0
        return sum(self.entrains and end >= begins for end in self.ends.values())


def starting_hex(view: View, units: Sequence[str]) -> str:
    """Return the hex in which units that move together start, or "" off the map.

    Raises InputError if there are no units or they start in several hexes.
    """
    if not units:
        raise InputError("units: none is named", hint="name the units that move")
    places = [place if (place := view.unit(name).place) and view.board.is_hex(place) else "" for name in units]
    for name, place in zip(units, places, strict=True):
        if place != places[0]:
            where = places[0] or "the same place"
            hint = "a moving stack picks up no units: ask for its move apart"
            raise InputError(f"units: {name} does not begin in {where} with {units[0]}", hint=hint)
    return places[0]


def order_of(
    view: View,
    units: Sequence[str],
    way: Sequence[str],
    drop: Sequence[str] = (),
    *,
    entrain: str | None = None,
    detrain: str | None = None,
    works: Works = MappingProxyType({}),
    stays: bool = False,
) -> Order:
    """Return a move as ordered.

    Entraining and detraining cost a Movement Point each, except for units that enter the map entrained.

    `drop`: units left on the way, each with the hex: "1/1@41.19".
    `entrain`, `detrain`: the hexes of entraining and detraining.
    `works`: other work that costs a Movement Point.
    `stays`: whether units may do nothing.

    Raises InputError if units are apart or the route is impossible.
    """
    line = (starting_hex(view, units), *way)
    if len(units) > 1 and (asked := [name for name, places in works.items() if places]):
        raise InputError(f"{', '.join(asked)}: the work of one unit", hint="ask for its move alone")
    are_entrained = [ENTRAINED in view.game.tracks and view.flag(ENTRAINED, name) for name in units]
    if len({*are_entrained}) > 1:
        raise InputError("units: not all of them are entrained", hint="ask for the moves of the others apart")
    done = Counter[int]()
    rail = None
    if entrain or detrain or are_entrained[0]:
        first, last = stretch_of(line, entrain or "", detrain or "", names=("entrain", "detrain"))
        if first > last or not (entrain or are_entrained[0]):
            hint = f"name a hex beyond {entrain} on the route" if entrain else "name where they do: entrain="
            raise InputError(f"detrain: the units do not entrain before {detrain}", hint=hint)
        if entrain and are_entrained[0]:
            raise InputError(f"entrain: {units[0]} is entrained already", hint="leave it out")
        enters = not line[0] and first == 1
        rail = range(0 if enters else first, last)
        if entrain and not enters:
            done[first] += 1
        if detrain:
            done[last] += 1
    for name, places in works.items():
        for place in places:
            done[stretch_of(line, place, "", names=(name, ""))[0]] += 1
    if not way and not +done and not (stays and line[0]):
        check_way(view, line[0], way)
    railheads = tuple(at for at in (entrain, detrain) if at)
    return Order(
        line=line,
        ends=_find_ends(units, line, drop),
        rail=rail,
        entrains=bool(entrain),
        detrains=bool(detrain),
        done=+done,
        works=works,
        railheads=railheads,
    )


def order_to_reach(view: View, unit: str, *, by_rail: bool) -> Order:
    """Return the order of a unit for `reach`: to move anywhere, or anywhere by rail.

    To move by rail, the unit entrains in its hex unless it is entrained or enters the map.
    """
    at = starting_hex(view, [unit])
    entrains = by_rail and not (ENTRAINED in view.game.tracks and view.flag(ENTRAINED, unit))
    here = (at,) if entrains and at else ()
    rail = range(MAX_RAIL_HEXES) if by_rail else None
    return Order((at,), {unit: 0}, rail, entrains, done={0: 1} if here else {}, railheads=here)


def _find_ends(units: Sequence[str], line: Sequence[str], drop: Sequence[str]) -> dict[str, int]:
    """Return the position in the line at which each unit of a moving stack ends."""
    ends = dict.fromkeys(units, len(line) - 1)
    for text in drop:
        unit, _, place = text.rpartition("@")
        if unit not in ends or place not in line[1:]:
            why = f"drop: {text!r} is not a unit that moves and a hex that it enters"
            raise InputError(why, hint=f"type it so: {units[-1]}@{line[-1] or 'HEX'}")
        ends[unit] = line.index(place, 1)
    return ends


# --- bars to rail movement --------------------------------------------------------------------------------------------


def bar_to_rail(
    facts: Gather,
    around: SideField,
    order: Order,
    here: str,
    there: str,
    controller: Callable[[str], str],
    rule: str,
    *,
    link: str = "rail",
    cut: str = "rail-cut",
) -> HexBar | None:
    """Return the bar to a step by rail, or None if nothing bars it.

    This is an enemy zone of control, an unrepaired cut or foreign control in either hex, or the lack of a railway.

    `here`: the hex left, or "" if the units enter the map.
    `link`: the track of hexsides with railways.
    `cut`: the flag of hexes where the line is cut.
    """
    nowhere = NoWay(rule, f"no railway leads there from {here or 'the edge of the map'}")
    if here and (railway := facts.view.fact(link, hexside(here, there))) and railway.value != link:
        return nowhere
    for at in filter(None, (here, there)):
        clauses = (
            (at in around.enemy_zones, f"{at} is in an enemy zone of control: no rail movement"),
            (facts.view.flag(cut, at) and at not in order.at("repair"), f"the rail line is cut in {at}"),
        )
        if why := next((text for holds, text in clauses if holds), ""):
            return HexBar(rule, why)
        if controller(at) != around.side:
            return HexBar(rule, f"its side does not control {at}")
    if facts.word(link, hexside(here, there)) == link if here else leads_into(facts, link, there):
        return None
    return nowhere


# --- results of a move ------------------------------------------------------------------------------------------------


def walk(order: Order, movings: Iterable[Moving[Marched]], rule: str) -> tuple[tuple[March, ...], list[Step]]:
    """Return the moves of units, and the reasons why they do not complete the order.

    Raises InputError if two hexes are not adjacent.
    """
    moved = list[March]()
    bars = list[Step]()
    for name, moving in zip(order.ends, movings, strict=True):
        if end := order.ends[name]:
            move, stopped = moving.moved(March, name, order.line[1 : end + 1], rule=rule)
        else:
            move = March(unit=name, at=moving.at, cost=order.done.get(0, 0), allowance=moving.allowance)
            text = "{cost:#Movement Point} needed, but {unit} has {allowance}"
            stopped = holding([(move.left < 0, rule, text)], move)
        moved.append(move)
        bars += stopped
    return tuple(moved), bars


def stack_move(view: View, moved: tuple[March, ...], fits: Callable[[Sequence[str]], bool]) -> StackMove:
    """Return the moves of units, with the hexes that they then overstack."""
    ends = {move.unit: move.end for move in moved}
    stay = {at: [unit.id for unit in view.stack(at) if unit.id not in ends] for at in ends.values() if at}
    over = (at for at, others in stay.items() if not fits([*others, *(unit for unit in ends if ends[unit] == at)]))
    return StackMove(units=moved, over=tuple(over))


def move_changes(view: View, move: March, order: Order, rules: Mapping[str, str]) -> Iterator[AnyChange]:
    """Yield the changes by a unit's move: its place, its stacking, and whether it has moved and is entrained."""
    if move.entered:
        yield changed(view, "place", move.unit, move.end, rules["march"])
        yield from count_again(view, move.unit, rule=rules["over"])
    if "moved" in view.game.tracks:
        yield changed(view, "moved", move.unit, True, rules["march"])
    if ENTRAINED in view.game.tracks and order.rail is not None and len(move.entered) >= order.rail.start:
        aboard = not (order.detrains and len(move.entered) >= order.rail.stop)
        if aboard != view.flag(ENTRAINED, move.unit):
            yield changed(view, ENTRAINED, move.unit, aboard, rules["rail"])


def choose_refusal(bars: Iterable[Step]) -> str:
    """Return the template of the verdict on a refused move: no Movement Points left, or not allowed."""
    return "{why}" if any(bar.template == NONE_LEFT for bar in bars) else REFUSED_MOVE


def move_report(
    order: Order,
    found: StackMove,
    bars: Sequence[Step],
    rules: Mapping[str, str],
    points: Sequence[Sequence[Modifier]] = (),
    after: Iterable[Step] = (),
    changes: Iterable[AnyChange] = (),
) -> Report[StackMove]:
    """Return the report on a move.

    `rules`: the rules of "march", "rail" and of the stacking limits, "over".
    `points`: the parts of each unit's Movement Points, shown if more than one, with the printed ones first.
    """
    several = ((unit, own) for unit, own in zip(order.ends, points, strict=False) if len(own) > 1)
    parts = ((unit, part, ":+" if number else "") for unit, own in several for number, part in enumerate(own))
    way = [step(part.rule, "{unit}: {amount" + sign + "} {why}", part, unit=unit) for unit, part, sign in parts]
    first = max(found.units, key=lambda march: len(march.entered))
    way += [SAY(rules[place.how], "move.hex", place) for place in first.entered]
    way += [
        SAY(rules["march"], "move.ends_by_minimum" if march.minimum else "move.ends", march) for march in found.units
    ]
    over = "{over}: over the stacking limits; what is too many when the phase ends is eliminated"
    remarks = [*holding([(found.over, rules["over"], over)], found), *after]
    end = order.line[-1]
    units = [name for name, number in order.ends.items() if number == len(order.line) - 1]
    does = "move to" if order.line[1:] else "stay in"
    text = "{units} may " + does + " {end}: {cost} of {allowance:#Movement Point}"
    title = f"Move of {', '.join(units)} {'to' if order.line[1:] else 'in'} {end}"
    costs = [SAY.brief("move.hex", place) for place in first.entered]
    short = [SAY(rules["march"], "move.to" if costs else "move.in", first, units=units, end=end, way=costs)]
    if left := [SAY.brief("move.ends", march) for march in found.units if march.unit not in units]:
        short.append(SAY(rules["march"], "move.others", ends=left))
    if found.over:
        short.append(SAY(rules["over"], "move.over", found))
    working = {"Way": way, "Afterwards": remarks} if remarks else {"Way": way}
    return permission(
        title,
        (text, choose_refusal(bars)),
        bars,
        found,
        first,
        working=working,
        changes=changes,
        sentences=short,
        units=units,
        end=end,
    )
