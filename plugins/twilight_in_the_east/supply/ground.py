"""The ground of supply lines, priced for one side (14.1, 17.1), on a drawn board or a typed paper map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Annotated, Any, NamedTuple

import msgspec

from assistant.asking import Gather, Part, Step, View, note, step
from assistant.asking.asks import Ask, ask_for_fact
from assistant.game.boards import Board
from assistant.mechanics.crossings import (
    Crossing,
    Ground,
    HexTable,
    Numbered,
    Worked,
    compile_crossings,
    number_crossings,
)
from assistant.mechanics.tracing import CostField
from assistant.rules.field import Cost, LineMap, LineSource, Network, Range, SideField, TracedLine
from assistant.state.differences import Divergence
from assistant.state.state import Unit, hexside
from assistant.state.tracks import Value
from assistant.util.memo import Memo

from ..ground import calendar
from ..ground.hexsides import BRIDGE, NETWORK, around_side, between
from ..railways.built_lines import (
    NARROW_TRACKS,
    field_hexes,
    field_railways,
    hexsides_of,
    join_railways,
    left_of_field_railway,
)
from ..railways.network import RAIL_HEX_WEIGHTS, operational_for, operational_of, rail_over
from ..railways.typed_lines import Railway, TypedLines
from ..terms import GREAT_RIVERS, HALF_HEXES, SAY
from .rules import QUARTERS_PER_HEX, ROADS, connected_railway, is_flooded, longest_range, step_cost, supply_from

LINKED = "an operational RR line links {hexes} to a friendly map edge"
OPERATIONAL = "the RR line is operational in {hexes} (not stated)"
"""The assumption that a typed RR line is operational (14.2.3, 17.1.1)."""
PILLAU = "66.18"
FERRY = "66.19|67.18"
"""The hexside of the strait of Pillau, over which the Germans may trace supply (14.1.1)."""

_MAX_HEXES_OFF_NETWORK = 12
"""The maximum distance of a line from the typed ways, in hexes, once all other hexsides are stated.

It exceeds half of any printed range. For a line farther off the player is asked.
"""
LINKS = NETWORK.hexside.links
ON_HEXSIDES = ("barrier", *LINKS)
Rails = Mapping[str, Sequence[str]]
UNKNOWN_TERRAIN = "the terrain of the hex is not stated"
CLOSED_REASON = "enemy-occupied or in an EZOC"
"""The reason why no line enters a hex."""


def judge_line(view: View, source: LineSource, line: TracedLine) -> Range | None:
    """Return the range in which a source serves along a line, or None if the line is too long.

    Ruling supply-rounding is consulted only if it decides.
    """
    return supply_from(
        source, int(line.cost * QUARTERS_PER_HEX), view.ruling("supply-rounding", line.cost.denominator > 1)
    )


def line_part(title: str, line: TracedLine) -> Part:
    """Return a report's part on a line, hex by hex."""
    steps = (SAY("14.1.2", "supply.hex", each) for each in line.steps)
    return Part(title, (Step("14.1.2", "from {hex}", {"hex": line.start}), *steps))


class Conditions(NamedTuple):
    """The effects of the calendar on lines: frozen wetlands, and the higher cost of great rivers in High Water or
    Autumn.
    """

    freeze: bool = False
    flooded: bool = False


def _read_conditions(facts: Gather) -> Conditions:
    if not facts.flag("campaign"):
        return Conditions()
    weather = calendar.weather(facts, "freeze", "high-water")
    flooded = is_flooded(weather, facts.integer("turn"), campaign=True)
    return Conditions(freeze=weather == "freeze", flooded=flooded)


def _cost_of_step(kind: Crossing, when: Conditions) -> Cost | str:
    """Return the cost of a kind of step, or the reason that bars it.

    Unstated terrain bars a step if the terrain could change its cost.
    """
    enters = dict[str, Any](kind.enters)
    over = dict[str, Any](kind.over)
    railed = bool(dict(kind.leaves)["operational"] and enters["operational"])

    def cost(terrain: str) -> Cost | str:
        return step_cost(terrain, **over, operational=railed, freeze=when.freeze, flooded=when.flooded)

    if enters["terrain"]:
        return cost(enters["terrain"])
    clear = cost("clear")
    mountain = cost("mountain")
    same = isinstance(clear, str) or isinstance(mountain, str) or clear.amount == mountain.amount
    return clear if same else UNKNOWN_TERRAIN


class SupplyMap(msgspec.Struct, frozen=True):
    """A board or typed network, prepared for one side's supply lines.

    A part that a change does not affect stays the same object, so that stored lines remain valid.
    """

    lines: LineMap
    rails: Rails
    """The next hexes along operational RR lines, by hex."""
    edges: frozenset[str]
    """Operational RR hexes at a friendly map edge."""
    railway: CostField
    """The RR hexes linked to a friendly map edge, with their links; only these are operational (17.1.1)."""
    linked: frozenset[str]
    """The hexes of `railway`."""
    railway_hexes: frozenset[str]
    """The linked RR hexes that are not closed: lines may begin there."""
    loc: CostField
    """The RR hexes that EZOCs leave open to a depot's LOC, with their links."""
    for_side: frozenset[str] = frozenset()
    """The hexsides whose features differ for the two sides."""
    changed: frozenset[str] = frozenset()
    """The hexes where features of the hex or of its hexsides have changed since the previous map."""

    def line(self, source: LineSource, to: str) -> TracedLine | None:
        """Return the cheapest line from a source to a hex, or None if the source has none within its ranges."""
        return self.lines.line(source.place, to, at_most(longest_range(source)))

    def along(self, hexes: Sequence[str]) -> TracedLine:
        """Return the line through the given hexes, up to the first bar.

        Raises KeyError if adjacent hexes of the line are not connected.
        """
        return self.lines.along(hexes, CLOSED_REASON)


class SupplyGround(msgspec.Struct, frozen=True):
    """The ground on which a side's supply lines are traced: a drawn board, or what is typed of a paper map."""

    around: Annotated[SideField, note("the units and the zones of both sides, as the side sees them")]
    network: Annotated[Network | None, note("the typed network, or None on a drawn board")]
    certain: Annotated[SupplyMap, note("the map on which unstated facts bar the way if they matter")]
    possible: Annotated[
        SupplyMap, note("the map on which unstated facts do not bar the way; `certain` on a drawn board")
    ]
    railway: Annotated[Railway, note("the hexes of typed RR lines as sources")] = Railway()
    loc: Annotated[Railway, note("the hexes of typed RR lines as a depot's LOC")] = Railway()
    deployed: Annotated[Mapping[str, str], note("by hex of a typed Field Railway, the hex of its DEPLOYED marker")] = {}

    @property
    def is_whole(self) -> bool:
        """Whether all ways that a line can take are known."""
        return self.network is None or self.network.is_whole


def at_most(hexes: int) -> int:
    """Return the maximum cost within a range, including the quarter of a hex that may be rounded away."""
    return hexes * QUARTERS_PER_HEX + 1


def beside_field_railways(
    words: Mapping[str, str], name: str, narrow: Collection[str], built: frozenset[str]
) -> dict[str, str]:
    """Return the features of a hexside for a side that has Field Railways.

    Field Railways count as narrow track. If only a Field Railway links a hex, no RR line works on its other hexsides,
    but their bridges remain.

    `words`: the features of the hexside without Field Railways.
    `narrow`: the hexsides of Field Railways.
    `built`: the hexes that only Field Railways link.

    Rule: 17.5.3
    """
    if not words["rail"].startswith("rail"):
        return {**words, "rail": NARROW_TRACKS} if name in narrow else dict(words)
    if built.isdisjoint(name.split("|")):
        return dict(words)
    if name in narrow:
        return {**words, "rail": NARROW_TRACKS}
    return {**words, "rail": "no-rail", "crossing": words["crossing"].replace("no-crossing", "bridge")}


class Hexsides(NamedTuple):
    """The hexsides of a drawn board."""

    grounds: Numbered[Ground]
    """The kinds of hexsides by number."""
    lies: Mapping[str, int]
    """The number of the kind of each hexside."""
    around: HexTable[tuple[int, ...]]
    """The kinds of the hexsides around each hex, by its number."""


class RailLinks(NamedTuple):
    """The RR hexes of a side linked to a friendly map edge on a drawn board, with the facts that decide it."""

    edges: frozenset[str]
    """Operational RR hexes at a friendly map edge."""
    closed: frozenset[str]
    """The hexes that no link passes."""
    rails: Rails
    """The next hexes along operational RR lines, by hex."""
    linked: CostField

    def still_hold(self, other: RailLinks, changed: Collection[str], board: Board) -> bool:
        """Return whether the same hexes are linked by other RR lines, past other closed hexes.

        `changed`: the hexes where facts differ.
        """
        linked = self.linked.cost
        near = {hex for at in changed for hex in (at, *board.neighbours(at)) if hex in linked}
        if self.edges != other.edges or any(self.rails[hex] != other.rails[hex] for hex in near):
            return False
        differing = filter(board.is_hex, self.closed ^ other.closed)
        return not any(
            hex in linked
            or hex in self.edges
            or any(hex in self.rails[at] for at in board.neighbours(hex) if at in linked)
            for hex in differing
        )


_LINKS: Memo[tuple[str, bool], RailLinks] = Memo()
"""The linked RR hexes, by side and by whether EZOCs cut them."""


def _link(view: View, name: tuple[str, bool], edges: frozenset[str], closed: frozenset[str], rails: Rails) -> CostField:
    """Return the RR hexes linked to a friendly map edge, reused from the earlier view if they are the same.

    `name`: the key in `_LINKS`; the other parameters are fields of `RailLinks`.
    """

    def find(known: RailLinks | None, divergence: Divergence) -> RailLinks:
        links = RailLinks(edges, closed, rails, known.linked if known else CostField({}, {}))
        subjects = (subject.split("|") for _, subject in divergence.facts)
        changed = divergence.hexes.intersection(chain.from_iterable(subjects))
        if known and known.still_hold(links, changed, view.board):
            return links
        return links._replace(linked=connected_railway(edges, closed, rails))

    return view.memo(_LINKS, name, find).linked


class BoardRailways(NamedTuple):
    """The RR lines of a side on a drawn board."""

    rails: Rails
    """The next hexes along operational RR lines, by hex."""
    edges: frozenset[str]
    """Operational RR hexes at a friendly map edge."""
    linked: CostField
    """The RR hexes linked to a friendly map edge, including Field Railways, with their links."""
    narrow: frozenset[str]
    """The hexsides of Field Railways."""
    built: frozenset[str]
    """The hexes that only Field Railways link."""


_RAILS_OF_SIDE: Memo[str, Rails] = Memo()
"""The next hexes along operational RR lines from each hex, by side."""


_EDGES: Memo[str, frozenset[str]] = Memo()
"""The operational RR hexes at a friendly map edge, by side."""


def _board_railways(facts: Gather, around: SideField) -> BoardRailways:
    view, board, side = facts.view, facts.view.board, around.side
    whose_railway = operational_of(view)
    railway_over = rail_over(facts)
    edge_of = view.facts_of("map-edge")

    is_own = Worked[str, bool](lambda place: whose_railway(place) == side)
    leads = Worked[str, bool](lambda name: railway_over(name) in RAIL_HEX_WEIGHTS)

    def railed(here: str) -> Sequence[str]:
        if not is_own[here]:
            return ()
        beyond = board.neighbours(here)
        return tuple([there for there in beyond if is_own[there] and leads[hexside(here, there)]])

    def railways(known: Rails | None, divergence: Divergence) -> Rails:
        return Worked(railed, known, {near for hex in divergence.hexes for near in (hex, *board.neighbours(hex))})

    rails = view.memo(_RAILS_OF_SIDE, side, railways)

    def is_edge(hex: str) -> bool:
        edge = edge_of(hex)
        return edge is not None and edge.value == side and is_own[hex]

    def find_edges(known: frozenset[str] | None, divergence: Divergence) -> frozenset[str]:
        stated = {subject for track, subject in view.stated if track == "map-edge"}
        possible = stated.intersection(board.hexes).union(board.known("map-edge"))
        if known is None:
            return frozenset(filter(is_edge, possible))
        return (known - divergence.hexes).union(filter(is_edge, possible & divergence.hexes))

    edges = view.memo(_EDGES, side, find_edges)
    regular = _link(view, (side, False), edges, around.enemies, rails)
    fields = [field_hexes(line, regular.cost, around.enemies) for line in field_railways(view, side)]
    linked = join_railways(regular, fields) if fields else regular
    narrow = frozenset[str]().union(*map(hexsides_of, fields))
    return BoardRailways(rails, edges, linked, narrow, frozenset(linked.cost.keys() - regular.cost.keys()))


class SideBoard:
    """The numbers of the hexes and hexsides of a drawn board for a side.

    `for_side`: the few hexsides whose features differ for the two sides.
    """

    def __init__(self, facts: Gather, around: SideField, railways: BoardRailways) -> None:
        self.facts = facts
        self.around = around
        self.railways = railways
        view = self.view = facts.view
        self.layout = view.board.layout
        self.hexsides = _read_hexsides(facts)
        beside = (hexside(hex, other) for hex in railways.built for other in view.board.neighbours(hex))
        self.for_side = railways.narrow.union({FERRY}, beside)
        self._near_own = self.layout.numbers_of(hex for name in self.for_side for hex in name.split("|"))
        self._own = Worked[str, int](lambda name: self.hexsides.grounds[self.lies_for_side(name)])
        self._terrain_of = view.facts_of("terrain")
        self._control_of = view.facts_of("control")
        self._alike = dict[tuple[Value, ...], int]()

    def ground(self, place: str) -> Ground:
        control = self.around.side if place in self.around.friends else self.view.word("control", place)
        terrain = self.facts.word("terrain", place)
        operational = place in self.railways.linked.cost
        return (("terrain", terrain), ("operational", operational), ("control", control))

    def ground_of(self, at: int) -> int:
        """Return the number of a hex's features.

        `at`: the number of the hex.
        """
        place = self.layout.hexes[at]
        held = place in self.around.friends
        terrain = self._terrain_of(place)
        control = None if held else self._control_of(place)
        if terrain is None or (control is None and not held):
            return self.hexsides.grounds[self.ground(place)]
        side = self.around.side if control is None else control.value
        facts = terrain.value, place in self.railways.linked.cost, side
        if facts not in self._alike:
            self._alike[facts] = self.hexsides.grounds[self.ground(place)]
        return self._alike[facts]

    def lies_for_side(self, name: str) -> Ground:
        """Return the features of a hexside of `for_side`."""
        words: dict[str, Any] = dict(self.hexsides.grounds.listed[self.hexsides.lies[name]])
        barrier = words.pop("barrier")
        words = beside_field_railways(words, name, self.railways.narrow, self.railways.built)
        bars = bars_across(self.view, self.around.side, name, barrier)
        return (("barrier", tuple(sorted(bars))), *words.items())

    def beside(self, at: int) -> Sequence[int]:
        """Return the numbers of the features of the hexsides around a hex.

        `at`: the number of the hex.
        """
        kinds = self.hexsides.around.of(at)
        if at not in self._near_own:
            return kinds
        both = zip(self.layout.hexsides.of(at), kinds, strict=True)
        return [self._own[name] if name in self.for_side else lies for name, lies in both]


_BOARDS: Memo[str, SupplyMap] = Memo()
"""The maps of a drawn board by side."""


def compile_board(facts: Gather, around: SideField) -> SupplyMap:
    """Return the map of a drawn board for a side: crossings with costs, RR lines and closed hexes."""
    view = facts.view
    when = _read_conditions(facts)
    railways = _board_railways(facts, around)
    board = SideBoard(facts, around, railways)
    linked_now = railways.linked
    parts = board.layout, board.hexsides.grounds, board.ground_of, board.beside

    def compiled(known: SupplyMap | None, divergence: Divergence) -> SupplyMap:
        same_links, linked, others = linked_now, frozenset(linked_now.cost), frozenset[str]()
        if known is None:
            crossings = number_crossings(*parts, None, ())
            lines = LineMap(crossings, Worked(lambda kind: _cost_of_step(kind, when)), around.closed, QUARTERS_PER_HEX)
        else:
            if known.railway == linked_now:
                same_links = known.railway
            on_rails = (hex for name in known.for_side ^ board.for_side for hex in name.split("|"))
            others = divergence.hexes.union(known.linked ^ linked, on_rails)
            linked = known.linked if known.linked == linked else linked
            crossings = number_crossings(*parts, known.lines.crossings, others)
            lines = known.lines.instead(crossings, around.closed, others)
        loc = _link(view, (around.side, True), railways.edges, lines.closed, railways.rails)
        open_hexes = linked - lines.closed
        return SupplyMap(
            lines, railways.rails, railways.edges, same_links, linked, open_hexes, loc, board.for_side, others
        )

    return view.memo(_BOARDS, around.side, compiled)


_HEXSIDES: Memo[None, Hexsides] = Memo()
"""The hexsides of the board."""


class _HexsideNumbers:
    """The numbers of a drawn board's hexsides; hexsides with equal facts are evaluated once."""

    def __init__(self, facts: Gather, grounds: Numbered[Ground]) -> None:
        self.facts = facts
        self.grounds = grounds
        self._tracks = [facts.view.facts_of(track) for track in ON_HEXSIDES]
        self._alike = dict[tuple[Value, ...], int]()
        self._silent: int | None = None

    def number(self, name: str) -> int:
        facts = [fact_of(name) for fact_of in self._tracks]
        stated = tuple([fact.value for fact in facts if fact is not None])
        if name == BRIDGE or len(stated) < len(facts):
            return self.grounds[self._ground(name)]
        if stated not in self._alike:
            self._alike[stated] = self.grounds[self._ground(name)]
        return self._alike[stated]

    def number_unknown(self, name: str) -> int:
        """Return the number of an unknown hexside, the same for all if every track has a value for "not stated"."""
        if self._silent is None:
            number = self.number(name)
            if any(self.facts.view.fact(track, name) is None for track in ON_HEXSIDES):
                return number
            self._silent = number
        return self._silent

    def _ground(self, name: str) -> Ground:
        across = between(self.facts, *name.split("|"))
        return (("barrier", tuple(sorted(across.lies))), *((track, across.word(track)) for track in LINKS))


def _read_hexsides(facts: Gather) -> Hexsides:
    """Return the features of a drawn board's hexsides, which are the same for both sides.

    A hexside is numbered when it is first looked up.
    """
    view = facts.view
    layout = view.board.layout

    def numbered(known: Hexsides | None, divergence: Divergence) -> Hexsides:
        near: Collection[str] = divergence.hexsides
        if known and not near:
            return known
        numbers = _HexsideNumbers(facts, known.grounds if known else Numbered[Ground]())
        beside = layout.numbers_of(hex for name in near for hex in name.split("|") if known)
        if not known:
            stated = {subject for track, subject in view.stated if track in ON_HEXSIDES}
            near = stated.union(*map(view.board.known, ON_HEXSIDES))
        elsewhere = known.lies.__getitem__ if known else numbers.number_unknown
        lies = Worked[str, int](lambda name: numbers.number(name) if name in near else elsewhere(name))

        def around(at: int) -> tuple[int, ...]:
            return tuple([lies[name] for name in layout.hexsides.of(at)])

        table = HexTable(len(layout.hexes), around, known.around if known else None, beside)
        return Hexsides(numbers.grounds, lies, table)

    return view.memo(_HEXSIDES, None, numbered)


_GROUNDS: Memo[str, SupplyGround] = Memo()
"""The supply ground by side."""


def supply_ground(view: View, side: str) -> SupplyGround:
    """Return the ground of a side's supply lines, prepared once for a view.

    Raises MissingFacts if a fact that decides the positions of units is not stated.
    """
    with view.gather() as facts:
        around = around_side(facts, side)

    def compiled() -> SupplyGround:
        with view.gather() as facts:
            if not view.board.hexes:
                return _TypedNetwork(facts, around).ground()
            board = compile_board(facts, around)
        return SupplyGround(around, None, board, board)

    return view.memo(_GROUNDS, side, lambda known, divergence: compiled())


class _TypedNetwork:
    def __init__(self, facts: Gather, around: SideField) -> None:
        view, side = facts.view, around.side
        self.view = view
        self.around = around
        begins = (*sorted(around.friends), *(hex for hex in HALF_HEXES if view.board.has(hex)))
        self.built = field_railways(view, side)
        self.fields = [left_of_field_railway(line.hexes, around.enemies) for line in self.built]
        narrow = frozenset[str]().union(*map(hexsides_of, self.fields))
        self.network = Network(view, NETWORK, side, begins, built=narrow, beyond=_MAX_HEXES_OFF_NETWORK)
        wet = any(GREAT_RIVERS & view.words("barrier", over) for over in sorted(self.network.sides))
        wet = wet or any(view.word("terrain", hex) == "wetlands" for hex in sorted(self.network.ways))
        self.when = _read_conditions(facts) if wet else Conditions()
        lines = TypedLines(view, self.network, side, around.enemies, around.enemies)
        self.railway = lines.link()
        self.loc = lines._replace(closed=around.closed).link(self.railway)
        self.onward = defaultdict[str, list[str]](list)
        """By hex, the next hexes along the LOCs, away from the map edge."""
        for there, here in self.loc.stated.before.items():
            self.onward[here].append(there)

    def ground(self) -> SupplyGround:
        deployed = {hex: hexes[0] for hexes in self.fields for hex in hexes[1:]}
        maps = self.supply_map(), self.supply_map(possible=True)
        return SupplyGround(self.around, self.network, *maps, self.railway, self.loc, deployed)

    def supply_map(self, *, possible: bool = False) -> SupplyMap:
        """Return the network with certain facts only.

        `possible`: whether to take unstated facts at their best: RR lines linked although they are cut, clear terrain,
        and Pillau held by the side.
        """
        view, around, network, railway = self.view, self.around, self.network, self.railway
        linked = railway.linked.union(railway.doubtful if possible else ())
        loc_linked = self.loc.linked.union(self.loc.doubtful if possible else ())
        in_use = [field_hexes(line, linked, around.enemies) for line in self.built]
        operational = join_railways(CostField(dict.fromkeys(sorted(linked), 0), railway.stated.before), in_use)
        by_field = frozenset[str]().union(*map(hexsides_of, in_use))
        only_field = frozenset(operational.cost.keys() - set(linked))

        def ground(place: str) -> Ground:
            control = around.side if place in around.friends else view.word("control", place)
            terrain = view.word("terrain", place) or ("clear" if possible else "")
            return (("terrain", terrain), ("operational", place in operational.cost), ("control", control))

        def over(here: str, there: str) -> Ground:
            across = between(view, here, there)
            words = {track: across.word(track) or f"no-{track}" for track in LINKS}
            words = beside_field_railways(words, across.name, by_field, only_field)
            holder = around.side if possible else ""
            barrier = bars_across(view, around.side, across.name, across.lies, unstated=holder)
            return (("barrier", tuple(sorted(barrier))), *words.items())

        crossings = compile_crossings(network.ways, network.next_to, ground, over)
        line_map = LineMap(
            crossings, Worked(lambda kind: _cost_of_step(kind, self.when)), around.closed, QUARTERS_PER_HEX
        )
        on_rails = frozenset(operational.cost)
        begin = frozenset(loc_linked).difference(self.loc.stated.before)
        loc = connected_railway(begin, around.closed, self.onward)
        return SupplyMap(line_map, self.onward, begin, operational, on_rails, on_rails - around.closed, loc)


def rails_from(view: View, hex: str, near: Iterable[str]) -> Iterator[str]:
    """Return the hexes to which RR lines lead from a hex, operational or not.

    `near`: the adjacent hexes to look at.
    """
    return (there for there in near if between(view, hex, there).word("rail") in RAIL_HEX_WEIGHTS)


def facts_of_line(view: View, ground: SupplyGround, railways: Railway, line: TracedLine) -> Iterator[Ask]:
    """Yield the facts that decide whether a possible line exists.

    They are the terrain of hexes entered neither by rail nor by road, the holder of Pillau if the line crosses its
    strait (14.1.1), and the link of the RR line.

    `railways`: the typed RR lines that count.
    """
    tracks, hexes = view.game.tracks, line.hexes
    for here, there in pairwise(hexes):
        by_foot = there not in line.linked and between(view, here, there).word("road") not in ROADS
        if by_foot and not view.word("terrain", there):
            yield ask_for_fact(tracks["terrain"], there)
    if not _find_holder_of_pillau(view) and FERRY in {hexside(here, there) for here, there in pairwise(hexes)}:
        yield ask_for_fact(tracks["control"], PILLAU)
    for begun in [ground.deployed.get(hex, hex) for hex in hexes]:
        if begun in railways.doubtful:
            yield ask_for_link(view, ground, railways.doubtful[begun])
            return


def ask_for_link(view: View, ground: SupplyGround, hex: str) -> Ask:
    """Return the question whether an RR line leads on to a friendly map edge.

    It is asked about a stretch that is cut off, or open to a LOC only through an EZOC (14.2.1a).

    `hex`: a hex of the stretch.
    """
    if hex in ground.railway.doubtful:
        title = f"does the RR line at {hex}, cut off as it is, lead on to a friendly map edge"
    else:
        title = f"does the RR line at {hex} lead on to a friendly map edge other than through an EZOC"
    return msgspec.structs.replace(ask_for_fact(view.game.track("linked"), hex), title=title)


def yes_or_no(view: View, track: str, unit: Unit, title: str, more: str = "") -> Ask:
    """Return a question that only the player can answer, from the paper map.

    `more`: another way to answer the question, in words.
    """
    how = view.game.track(track).how_to_state(unit.id, False)
    return msgspec.structs.replace(ask_for_fact(view.game.track(track), unit.id), title=title, how=f"{how}{more}")


def grant_links(view: View, ground: SupplyGround, hexes: Iterable[str], railways: Railway) -> None:
    """Note the typed RR hexes that are presumed linked to a friendly map edge, or operational."""
    side = ground.around.side
    begun = [ground.deployed.get(hex, hex) for hex in hexes]
    granted = [hex for hex in begun if hex in railways.granted]
    if granted:
        silent_one = next((hex for hex in granted if not view.word("linked", hex)), granted[0])
        view.granted("linked", silent_one, side, "14.2.3", LINKED)

    def is_known(hex: str) -> bool:
        return bool(operational_for(view, hex)) or side in (view.word("map-edge", hex), view.word("linked", hex))

    silent = dict.fromkeys(hex for hex in begun if hex in railways.stated.cost and not is_known(hex))
    if silent:
        view.premises.assume(step("17.1.1", OPERATIONAL, hexes=tuple(silent)))


def bars_across(view: View, side: str, over: str, features: Collection[str], *, unstated: str = "") -> frozenset[str]:
    """Return the features of a hexside that matter to a side's supply lines.

    At Pillau that is the sea, whatever is typed, except for the Central Powers while they control Pillau.

    `unstated`: the side presumed to control Pillau if that is not stated.

    Rule: 14.1.1b
    """
    if over != FERRY:
        return frozenset(features)
    holder = _find_holder_of_pillau(view) or unstated
    clauses = [(side != "central-powers" or side != holder, "14.1.1", "sea")]
    return frozenset(features) - {"sea"} | {lies for holds, _, lies in clauses if holds}


def _find_holder_of_pillau(view: View) -> str:
    held = {view.side_of(unit.id) for unit in view.stack(PILLAU)} - {""}
    return next(iter(held), view.word("control", PILLAU))
