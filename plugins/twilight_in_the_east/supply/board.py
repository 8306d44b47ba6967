"""A drawn board as the supply lines of a side find it: what lies in its hexes and on its hexsides, and its RR lines (14.1, 17.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from assistant.field import Around, Cost, LineMap
from assistant.mechanics.crossings import Crossing, Ground, Numbered, Table, Worked, number_crossings
from assistant.mechanics.tracing import ANY_LENGTH, CostField
from assistant.questions import Gather, View
from assistant.state.apart import Apart
from assistant.state.sources import Fact, Value
from assistant.state.state import hexside

from ..ground.hexsides import between
from ..ground.jaroslau import BRIDGE
from ..railways.built import field_hexes, field_railways, hexsides_of, joined
from ..railways.network import operational_of
from .lines import LINKS, ON_HEXSIDES, Rails, SupplyMap, beside_field_railways, conditions, cost_of_step
from .rules import HEX, RAILS, connected_railway
from .special import FERRY, bars_across

T = TypeVar("T")
Costs = Mapping[Crossing, Cost | str]


class Hexsides(NamedTuple):
    """What lies on the hexsides of a drawn board: the kinds of it by number, that of each hexside, and those around each hex by its
    number."""

    grounds: Numbered[Ground]
    lies: Mapping[str, int]
    around: Table[tuple[int, ...]]


class Drawn(NamedTuple):
    """A drawn board as compiled for the lines of a side, with its RR lines then, their hexes, and the hexsides on which something of its own
    lay."""

    lines: LineMap
    railway: CostField
    linked: frozenset[str]
    for_side: frozenset[str]


class Linked(NamedTuple):
    """The RR hexes linked to a map edge, and how, with what that rests on: the hexes where the links begin, those closed to them, and
    the RR lines."""

    railway: CostField
    begin: frozenset[str]
    closed: frozenset[str]
    rails: Rails

    def again(self, begin: frozenset[str], closed: frozenset[str], rails: Rails, near: Collection[str]) -> CostField:
        """The links over other lines, which lead on from what is left of these. near: the hexes from which other RR lines may lead; a line
        leads from hex to hex if it leads back."""
        if not begin <= self.begin:
            return connected_railway(begin, closed, rails)
        cost, before = self.railway.cost, self.railway.before
        shut = closed ^ self.closed
        other = {hex for hex in near if hex in cost and rails[hex] != self.rails[hex]}
        if begin == self.begin and not other and all(cost.keys().isdisjoint((hex, *rails[hex])) for hex in shut):
            return self.railway
        lost = set(self.begin - begin)
        for hex, link in before.items():
            if link in lost or (hex in shut and hex in closed) or (link in other and hex not in rails[link]):
                lost.add(hex)
        gained = [hex for hex in other if not set(rails[hex]) <= set(self.rails[hex])]
        beside = [link for hex in (*lost, *shut) if hex not in closed for link in rails[hex]]
        same = min((cost[hex] for hex in (*gained, *beside) if hex in cost and hex not in lost), default=ANY_LENGTH)
        left = {hex: far for hex, far in cost.items() if far <= same and hex not in lost}
        known = CostField(left, {hex: link for hex, link in before.items() if hex in left})
        return known if same == ANY_LENGTH else connected_railway(begin, closed, rails, known)


def compile_board(facts: Gather, around: Around) -> SupplyMap:
    """The crossings of a drawn board with their costs for a side, its RR lines and the hexes closed to it."""
    view, board, side = facts.view, facts.view.board, around.side
    when = conditions(facts)
    terrain_of, control_of, whose_railway = view.facts_of("terrain"), view.facts_of("control"), operational_of(view)
    friends, layout, alike = around.friends, board.layout, dict[tuple[Value, ...], int]()

    def operational(place: str) -> bool:
        return whose_railway(place) == side

    def ground(place: str) -> Ground:
        terrain = facts.word("terrain", place)
        control = side if place in friends else view.word("control", place)
        return (("terrain", terrain), ("operational", place in railway.cost), ("control", control))

    def ground_of(at: int) -> int:
        place = layout.hexes[at]
        terrain, control = terrain_of(place), None if place in friends else control_of(place)
        if terrain is None or (control is None and place not in friends):
            return hexsides.grounds[ground(place)]
        said = terrain.value, place in railway.cost, side if control is None else control.value
        if (number := alike.get(said)) is None:
            alike[said] = number = hexsides.grounds[ground(place)]
        return number

    def lies_for_side(name: str) -> Ground:
        """What lies on one of the few hexsides that are another thing for each side."""
        words: dict[str, Any] = dict(hexsides.grounds.listed[hexsides.lies[name]])
        barrier = words.pop("barrier")
        words = beside_field_railways(words, name, field_hexsides, built)
        return (("barrier", tuple(sorted(bars_across(view, side, name, barrier)))), *words.items())

    def cost(kind: Crossing) -> Cost | str:
        return cost_of_step(kind, when)

    def railed(here: str) -> Sequence[str]:
        beyond = (there for there in board.neighbours(here) if operational(there)) if operational(here) else ()
        return tuple([there for there in beyond if railway_over(hexside(here, there)) in RAILS])

    def priced(known: Costs | None, apart: Apart) -> Costs:
        return known if known is not None else Worked(cost)

    def railways(known: Rails | None, apart: Apart) -> Rails:
        return Worked(railed, known, {near for hex in apart.hexes for near in (hex, *board.neighbours(hex))})

    def beside(at: int) -> Sequence[int]:
        found = hexsides.around.of(at)
        if at not in near_own:
            return found
        both = zip(layout.hexsides.of(at), found, strict=True)
        return [own_hexsides[name] if name in for_side else lies for name, lies in both]

    def compiled(known: Drawn | None, apart: Apart) -> Drawn:
        if known is None:
            linked, others = frozenset(railway.cost), apart.hexes
        else:
            linked = known.linked  # by which lines are kept
            if known.railway is not railway and linked != railway.cost.keys():
                linked = frozenset(railway.cost)
            on_rails = (hex for name in known.for_side ^ for_side for hex in name.split("|"))
            others = apart.hexes.union(known.linked ^ linked if linked is not known.linked else (), on_rails)
        before = known.lines.crossings if known else None
        crossings = number_crossings(layout, hexsides.grounds, ground_of, beside, before, others)
        if known:
            lines = known.lines.instead(crossings, around.closed, others)
        else:
            lines = LineMap(crossings, view.kept(("costs of lines", side), priced), around.closed, HEX)
        return Drawn(lines, railway, linked, for_side)

    railway_over = rail_over(facts)
    rails = view.kept(("rails", side), railways)
    edges = hexes_where(view, "map-edge", side, operational)
    railway = linked_to_edges(view, side, edges, around.enemies, rails)
    fields = [field_hexes(line, railway.cost, around.enemies) for line in field_railways(view, side)]
    field_hexsides = frozenset[str]().union(*map(hexsides_of, fields))
    regular, railway = railway.cost.keys(), joined(railway, fields) if fields else railway
    built = frozenset(railway.cost.keys() - regular)
    near_built = (hexside(hex, other) for hex in built for other in board.neighbours(hex))
    for_side = field_hexsides.union({FERRY}, near_built)
    near_own = layout.numbered(hex for name in for_side for hex in name.split("|"))
    hexsides = hexsides_of_board(facts)  # for both sides
    own_hexsides = Worked[str, int](lambda name: hexsides.grounds[lies_for_side(name)])
    drawn = view.kept(("lines", side), compiled)
    return SupplyMap(drawn.lines, rails, edges, railway, board.distance, drawn.linked)


def hexsides_of_board(facts: Gather) -> Hexsides:
    """What lies on the hexsides of a drawn board, for both sides alike."""
    view, layout = facts.view, facts.view.board.layout
    tracks, grounds, alike = list[Callable[[str], Fact | None]](), Numbered[Ground](), dict[Any, int]()

    def ground(name: str) -> Ground:
        across = between(facts, *name.split("|"))
        return (("barrier", tuple(sorted(across.lies))), *((track, across.word(track)) for track in LINKS))

    def number(name: str) -> int:
        said = [fact.value for of in tracks if (fact := of(name)) is not None]
        if name == BRIDGE or len(said) < len(tracks):
            return grounds[ground(name)]
        found = alike.get(same := tuple(said))
        if found is None:
            alike[same] = found = grounds[ground(name)]
        return found

    def found(known: Hexsides | None, apart: Apart) -> Hexsides:
        nonlocal grounds
        near = apart.hexsides
        if known is not None and not near:
            return known
        tracks.extend(map(view.facts_of, ON_HEXSIDES))
        if known is None:
            silent, stated = unstated(view, number), hexsides_stated(view)
            lies = Worked[str, int](lambda name: number(name) if name in stated else silent(name))
        else:
            grounds = known.grounds
            before = known.lies
            lies = Worked[str, int](lambda name: number(name) if name in near else before[name])

        def around(at: int) -> tuple[int, ...]:
            return tuple([lies[name] for name in layout.hexsides.of(at)])

        beside = layout.numbered(hex for name in near for hex in name.split("|"))
        table = Table(len(layout.hexes), around, known.around if known else None, beside)
        return Hexsides(grounds, lies, table)

    return view.kept("what lies on hexsides", found)


def rail_over(facts: Gather) -> Callable[[str], str]:
    """Tells which RR line crosses a hexside."""
    known = facts.view.facts_of("rail")

    def told(name: str) -> str:
        fact = known(name)
        return str(fact.value) if fact and name != BRIDGE else between(facts, *name.split("|")).word("rail")

    return told


def linked_to_edges(view: View, side: str, edges: frozenset[str], closed: frozenset[str], rails: Rails) -> CostField:
    """The RR hexes that are linked to the friendly map edges of a side, and how. closed: the hexes that no link passes."""

    def linked(known: Linked | None, apart: Apart) -> Linked:
        begin = edges - closed
        near = {other for hex in apart.hexes for other in (hex, *view.board.neighbours(hex))}
        links = known.again(begin, closed, rails, near) if known else connected_railway(begin, closed, rails)
        return Linked(links, begin, closed, rails)

    return view.kept(("linked", side), linked).railway


def hexsides_stated(view: View) -> frozenset[str]:
    """The hexsides of a drawn board of which anything is known that matters to a line, beyond what silence means."""
    on_map = (side for track in ON_HEXSIDES for side in view.board.known(track))
    return frozenset(on_map).union(side for track, side in view.stated if track in ON_HEXSIDES)


def unstated(view: View, lies: Callable[[str], T]) -> Callable[[str], T]:
    """Tells what lies on hexsides of which nothing is stated: the same on all of them, if silence means something of each track."""
    found: list[T] = []

    def told(side: str) -> T:
        if not found:
            lying = lies(side)
            if any(view.fact(track, side) is None for track in ON_HEXSIDES):
                return lying
            found.append(lying)
        return found[0]

    return told


def hexes_where(view: View, track: str, value: str, also: Callable[[str], bool]) -> frozenset[str]:
    """The hexes of a drawn board of which a fact is known to have a value, and something else holds as well."""

    fact_of = view.facts_of(track)

    def has(place: str) -> bool:
        fact = fact_of(place)
        return fact is not None and fact.value == value and also(place)

    def hexes(known: frozenset[str] | None, apart: Apart) -> frozenset[str]:
        if known is not None:
            return (known - apart.hexes) | frozenset(filter(has, apart.hexes))
        stated = (place for name, place in view.stated if name == track and place in view.board.hexes)
        return frozenset(filter(has, {*stated, *view.board.known(track)}))

    return view.kept((track, value), hexes)
