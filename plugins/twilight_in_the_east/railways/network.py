"""The RR lines of a side: which hexes are operational and which are cut off, where its markers lie, which lines players
build, and what enemies leave of all of them (17.1, 17.5 to 17.7).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from assistant.mechanics.tracing import CostField, link
from assistant.questions import Gather, InputError, View, note, step
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.state.differences import Apart
from assistant.state.state import hexside

from ..ground.hexsides import BRIDGE, between
from .losses import lose_line

State = Literal["operational", "non-operational", "non-friendly"]
Links = Mapping[str, Collection[str]]
"""From each RR hex to those into which an RR line leads from it."""


class RailwayStretch(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of RR line that a side has changed to operational."""

    linked: Annotated[bool, note("whether it is linked to a friendly map edge, and so operational")]
    hexes: Annotated[tuple[str, ...], note("its hexes")]
    railheads: Annotated[tuple[str, ...], note("the hexes of its Railhead markers")]
    broken: Annotated[
        tuple[str, ...], note("the hexes of the Broken RR markers that separate it from the next stretch")
    ]


class Network(msgspec.Struct, frozen=True):
    """The RR lines of a map as one side sees them. links: of the whole map; own: the hexes that the side has changed to
    operational, those at its map edge among them; edges: these."""

    links: Links
    own: frozenset[str]
    edges: frozenset[str]

    @property
    def operational(self) -> frozenset[str]:
        """The friendly operational RR hexes."""
        return linked_to(self.edges, self.own, self.links)


def linked_to(starts: Collection[str], among: Collection[str], links: Links) -> frozenset[str]:
    """The RR hexes among some that a contiguous path of these links to one of the starts."""
    return frozenset(
        link(
            sorted(set(starts) & set(among)),
            lambda hex: links.get(hex, ()),
            lambda here, there: True,
            lambda hex: hex not in among,
        ).cost
    )


def only_way(line: Sequence[str], starts: Collection[str], links: Links) -> tuple[list[str], set[tuple[str, str]]]:
    """The hexes of a line from a map edge to an RR hex, in order, and its steps from hex to hex, that every link of that
    hex to a map edge passes; none where the line does not follow these links.

    starts: where links to a map edge begin.
    """
    if any(there not in links[here] for here, there in pairwise(line)):
        return [], set()
    place, seen = {hex: at for at, hex in enumerate(line)}, set[str]()
    hexes, steps = list[str](), set[tuple[str, str]]()

    def reached(todo: list[str]) -> int:
        """How far along the line one gets from some hexes beside it."""
        far = 0
        while todo:
            hex = todo.pop()
            if hex in place:
                far = max(far, place[hex])
            elif hex not in seen:
                seen.add(hex)
                todo += links[hex]
        return far

    farthest = reached([*starts])
    for at, here in enumerate(line):
        onward = line[at + 1] if here != line[-1] else ""
        if farthest <= at:
            hexes.append(here)
        farthest = max(farthest, reached([there for there in links[here] if there != onward]))
        if onward and farthest <= at:
            steps.add((here, onward))
    return hexes, steps


def state_of(hex: str, network: Network, operational: Collection[str]) -> State:
    """The state of an RR hex for a side. operational: the operational ones of its network. Rule: 17.1.1"""
    if hex in operational:
        return "operational"
    return "non-operational" if hex in network.own else "non-friendly"


def behind_railheads(
    edges: Collection[str], railheads: Collection[str], friendly: Collection[str], links: Links
) -> frozenset[str]:
    """The RR hexes that are operational when a scenario begins: those behind the Railheads, up to them.

    edges: RR hexes at a friendly map edge; friendly: hexes in friendly territory, where a line without a Railhead ends.
    Rule: 17.1.1b
    """

    def linked(here: str, there: str) -> bool:
        return here not in railheads

    open_line = {*friendly, *railheads}
    field = link(sorted(edges), lambda hex: links.get(hex, ()), linked, lambda hex: hex not in open_line)
    return frozenset(field.cost)


def lost_hexes(own: Collection[str], entered: Collection[str], behind: Collection[str] = ()) -> frozenset[str]:
    """The hexes of a side's RR lines that become non-friendly, without becoming operational for its enemy.

    entered: hexes in which enemy units stand or through which they passed; behind: those behind the enemy's Front Line.
    Rule: 17.1.4
    """
    return frozenset(own) & (set(entered) | set(behind))


def stretches(network: Network) -> tuple[RailwayStretch, ...]:
    """The stretches of a side's RR lines, those that are linked to a friendly map edge first, then the longest first.

    A hex that turns non-friendly leaves the rest of the line as it is: what it cuts off becomes non-operational, and
    the hexes between are marked Broken.
    Rule: 17.1.5
    """
    parts, left = [], set(network.own)
    while left:
        hexes = linked_to([next(iter(left))], network.own, network.links)
        left -= hexes
        linked, ordered = not network.edges.isdisjoint(hexes), tuple(sorted(hexes))
        railheads = tuple(hex for hex in ordered if not hexes.issuperset(network.links.get(hex, ())))
        broken = () if linked else _gap(hexes, network)
        parts.append(RailwayStretch(linked=linked, hexes=ordered, railheads=railheads, broken=broken))
    return tuple(sorted(parts, key=lambda stretch: (not stretch.linked, -len(stretch.hexes), stretch.hexes[0])))


def _gap(hexes: Collection[str], network: Network) -> tuple[str, ...]:
    """The fewest hexes that part a stretch from another one of its side; empty where no line leads there."""
    others = network.own - set(hexes)
    field = link(sorted(hexes), lambda hex: network.links.get(hex, ()), lambda here, there: True)
    reached = sorted((field.cost[hex], hex) for hex in others if hex in field.cost)
    return field.line(reached[0][1])[1:-1] if reached else ()


# --- of a position ----------------------------------------------------------------------------------------------------


def rail_over(facts: View | Gather) -> Callable[[str], str]:
    """Tells which RR line crosses a hexside, "" if that is not known: for whoever asks it of many."""
    known = (facts.view if isinstance(facts, Gather) else facts).facts_of("rail")

    def rail(name: str) -> str:
        fact = known(name)
        return str(fact.value) if fact and name != BRIDGE else between(facts, *name.split("|")).word("rail")

    return rail


def read_links(view: View) -> Links:
    """The RR lines of the map, as far as they are drawn or stated, once for a view."""

    def read(known: Links | None, apart: Apart) -> Links:
        if known is not None and all(track != "rail" for track, _ in apart.facts):
            return known
        links, rail = dict[str, list[str]](), rail_over(view)
        stated = (subject for track, subject in view.stated if track == "rail")
        for name in sorted({*view.board.known("rail"), *stated}):
            if rail(name) not in ("", "no-rail"):
                here, there = name.split("|")
                links.setdefault(here, []).append(there)
                links.setdefault(there, []).append(here)
        return {hex: tuple(sorted(beyond)) for hex, beyond in links.items()}

    return view.kept("RR lines of the map", read)


def operational_for(view: View, hex: str) -> str:
    """The side whose operational RR line a hex is on, "" if that is not known. A line in enemy territory is nobody's,
    so a side that is stated to control the hex outweighs what a map shows of its line, or of its edge.
    Rule: 17.1.1
    """
    side, facts = view.word("operational", hex), view.state.facts
    control = facts.get(("control", hex))
    if control is None or ("operational", hex) in facts or (side or view.word("map-edge", hex)) == control.value:
        return side
    return "none" if side or view.word("map-edge", hex) != "none" else ""


def has_station(facts: Gather, hex: str) -> bool:
    """Whether a hex has an RR Station; asked for where that is not known."""
    known = known_station(facts.view, hex)
    return facts.flag("station", hex) if known is None else known


def known_station(view: View, hex: str) -> bool | None:
    """Whether a hex is known to have an RR Station, None if it is not: one that holds neither city, town, village nor
    platform has none (2.2).
    """
    stated = view.fact("station", hex)
    if stated is not None:
        return bool(stated.value)
    return False if view.word("town", hex) == "no-town" else None


def operational_of(view: View) -> Callable[[str], str]:
    """Tells the same of each hex of a board: faster, for whoever asks it of many."""
    side_of, stated = view.facts_of("operational"), {hex for track, hex in view.state.facts if track == "control"}

    def operational(hex: str) -> str:
        if hex in stated:
            return operational_for(view, hex)
        fact = side_of(hex)
        return str(fact.value) if fact else ""

    return operational


def may_operate(view: View, hex: str, side: str) -> bool:
    """Whether a side's RR line may be operational in a hex of which perhaps nothing is stated, as of lines that are
    typed: not where another side's is, nor in a hex that another side controls.
    Rule: 17.1.1
    """
    if view.word("operational", hex):
        return operational_for(view, hex) == side
    return view.word("control", hex) in ("", side)


def read_network(view: View, side: str, entered: Iterable[str] = ()) -> Network:
    """The RR lines of a side. Any RR hex on a friendly map edge, or from which one is stated to lead on to it, is
    operational unless it is stated not to be; a hex that an enemy has entered is not. entered: hexes of enemy units, or
    through which they passed.
    """
    links, lost = read_links(view), set(entered)
    operational, on_edge, linked = operational_of(view), view.facts_of("map-edge"), view.facts_of("linked")
    words = {hex: operational(hex) for hex in links}
    edge_facts = ((hex, fact) for hex in links for fact in (on_edge(hex), linked(hex)))
    at_edge = {hex for hex, fact in edge_facts if fact and fact.value == side}
    edges = {hex for hex in at_edge if words[hex] in ("", side)}
    own = {hex for hex, word in words.items() if word == side} | edges
    return Network(links, frozenset(own - lost_hexes(own, lost)), frozenset(edges - lost))


def presume_unstated(view: View, network: Network) -> None:
    """Say in the report which RR hexes count as non-friendly because nothing is stated of them."""
    silent = (hex for hex in network.links if hex not in network.own and not view.word("operational", hex))
    edges = ("map-edge", "linked")
    if unstated := sorted(hex for hex in silent if all(view.word(track, hex) in ("", "none") for track in edges)):
        text = "nothing is stated about the RR line in {hexes}, so it does not count as operational ({how})"
        view.presume(step("17.1.1", text, hexes=unstated, how=f"{unstated[0]} operational=SIDE"))


Kind = Literal["field", "narrow-gauge", "railroad"]
KINDS: Mapping[str, Kind] = {"field": "field", "narrow-gauge": "narrow-gauge", "railroad": "railroad"}
"""By the word that states them."""
NARROW = "rail1"
"""As what a narrow-track line counts: as single track (17.1)."""


class BuiltLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line under construction or complete.

    kind: of a Field Railway, a narrow-gauge line or a new RR line; nation: that builds it; hexes: from its DEPLOYED
    marker to its RAILHEAD marker; half: whether the last of them is built by half; turn: of the last work on it, 0 if
    not stated; objective, gauge: of a new RR line.
    """

    kind: Kind
    nation: str
    hexes: tuple[str, ...]
    half: bool = False
    turn: int = 0
    objective: str = ""
    gauge: str = ""

    @property
    def deployed(self) -> str:
        """The hex of its DEPLOYED marker, the only one in which a Field Railway is connected to the rail net."""
        return self.hexes[0]

    @property
    def railhead(self) -> str:
        """The hex of its RAILHEAD marker."""
        return self.hexes[-1]

    @property
    def whole(self) -> tuple[str, ...]:
        """The hexes that are built wholly."""
        return self.hexes[:-1] if self.half else self.hexes


def left_of_field_railway(hexes: tuple[str, ...], entered: Collection[str]) -> tuple[str, ...]:
    """What enemies leave of a Field Railway: up to the hex before the first that they enter, and nothing if that is the
    hex of its DEPLOYED marker, which is not used again.
    Rule: 17.5.3b
    """
    lost = next((number for number, hex in enumerate(hexes) if hex in entered), len(hexes))
    return hexes[:lost]


def hexes_left(line: BuiltLine, entered: Collection[str]) -> tuple[str, ...]:
    """The hexes of a line as enemies leave it: they shorten only a Field Railway. entered: the hexes that they enter."""
    return left_of_field_railway(line.hexes, entered) if line.kind == "field" else line.hexes


def field_hexes(line: BuiltLine, operational: Collection[str], entered: Collection[str]) -> tuple[str, ...]:
    """The hexes in which a Field Railway is operational: all that enemies leave of it where its DEPLOYED marker lies on
    an operational RR line, and none otherwise, whatever its RAILHEAD touches. It counts as a narrow-track line for
    supply and APs.
    Rule: 17.5.3
    """
    joined = line.kind == "field" and line.deployed in operational
    return left_of_field_railway(line.hexes, entered) if joined else ()


def join_railways(railway: CostField, fields: Iterable[Sequence[str]]) -> CostField:
    """The operational RR hexes and how they are linked, with those of Field Railways. fields: the operational hexes of
    each, from that of its DEPLOYED marker.
    Rule: 17.5.3
    """
    cost, before = dict(railway.cost), dict(railway.before)
    for hexes in fields:
        for here, there in pairwise(hexes):
            if there not in cost:
                cost[there], before[there] = cost[here] + 1, here
    return CostField(cost, before)


def platforms(hexes: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes of a new RR line that count as having an RR platform: every sixth one. Rule: 17.7"""
    return hexes[5::6]


# --- of a position ----------------------------------------------------------------------------------------------------


def built_lines(view: View) -> Iterator[BuiltLine]:
    """The lines that a position records, in the order of their DEPLOYED markers. Raises InputError for a line that
    cannot exist.
    """
    for hex in sorted(subject for track, subject in view.state.facts if track == "built-line"):
        if line := line_from(view, hex):
            yield line


def line_from(view: View, hex: str) -> BuiltLine | None:
    """The line whose DEPLOYED marker lies in a hex, None if there is none. Raises InputError for a line that cannot
    exist.
    """
    hexes = tuple(view.word("built-line", hex).split())
    if not hexes:
        return None
    where = f"built-line of {hex}"
    try:
        for here, there in pairwise(hexes):
            view.board.check_adjacent(here, there, "each hex of the line must be adjacent to the one before")
    except InputError as error:
        raise InputError(f"{where}: {error.what}", hint=error.hint) from None
    kind, nation = KINDS.get(view.word("built-kind", hex)), view.word("built-by", hex)
    if hexes[0] != hex:
        raise InputError(f"{where}: it begins in {hexes[0]}", hint="the line begins where its DEPLOYED marker lies")
    if kind is None or not nation:
        hint = f"write: {hex} built-kind=field|narrow-gauge|railroad built-by=NATION"
        raise InputError(f"{where}: its kind or its builder is not stated", hint=hint)
    return BuiltLine(
        kind=kind,
        nation=nation,
        hexes=hexes,
        half=view.flag("built-half", hex),
        turn=view.integer("built-turn", hex),
        objective=view.word("built-to", hex),
        gauge=view.word("built-gauge", hex),
    )


def field_railways(view: View, side: str) -> tuple[BuiltLine, ...]:
    """The Field Railways of a side."""
    return tuple(line for line in built_lines(view) if line.kind == "field" and view.game.side_of(line.nation) == side)


def hexsides_of(hexes: Sequence[str]) -> frozenset[str]:
    """The hexsides that a line crosses."""
    return frozenset(hexside(here, there) for here, there in pairwise(hexes))


GAUGE = {"european": "standard", "russian": "broad"}
"""The track of each gauge, by the country where it is usual."""


def is_complete(line: BuiltLine, links: Links) -> bool:
    """Whether a line is at its end: a new RR line at its objective, a narrow-gauge line at another RR line.

    links: RR lines of the map, its own among them. Rule: 17.6.1, 17.7.1
    """
    if line.kind == "railroad":
        return line.railhead == line.objective and not line.half
    others = set(links.get(line.railhead, ())) - set(line.hexes)
    return line.kind == "narrow-gauge" and len(line.hexes) > 1 and bool(others)


def is_abandoned(line: BuiltLine, enemy: Collection[str], links: Links) -> bool:
    """Whether a new RR line is given up: any of its hexes becomes the enemy's before it is complete. enemy: the hexes
    that enemies have entered or control.
    Rule: 17.7
    """
    return line.kind == "railroad" and not is_complete(line, links) and not set(enemy).isdisjoint(line.hexes)


# --- what that changes ------------------------------------------------------------------------------------------------


def after_enemies(view: View, line: BuiltLine, entered: Collection[str]) -> list[Change]:
    """What enemies leave of a Field Railway. Rule: 17.5.3b"""
    left = hexes_left(line, entered)
    if left == line.hexes:
        return []
    if not left:
        return remove_line(view, line)
    return [changed(view, "built-line", line.deployed, " ".join(left), "17.5.3")]


def remove_line(view: View, line: BuiltLine) -> list[Change]:
    """That a line is gone: its markers, and what was built of a new RR line, but not a line of another gauge beside it."""
    rule = "17.5.3" if line.kind == "field" else "17.7"
    tracks = ("built-line", "built-kind", "built-by", "built-turn", "built-half", "built-to", "built-gauge")
    left: dict[tuple[str, str], str | None] = {(track, line.deployed): None for track in tracks}
    if line.kind == "railroad":
        beside = GAUGE["european" if line.gauge == "russian" else "russian"]
        for over in (hexside(*pair) for pair in pairwise(line.whole)):
            if view.word("gauge", over) == "both":
                left["gauge", over] = beside
            else:
                left |= {("rail", over): None, ("gauge", over): None}
        left |= {("station", hex): None for hex in platforms(line.whole)}
    return [changed(view, *key, value, rule) for key, value in left.items() if key in view.state.facts]


def lost_to(view: View, side: str, entered: Collection[str], held: Collection[str]) -> Iterator[Change]:
    """What units of a side take of its enemies' railways. Nothing that is lost becomes their own.

    entered: the hexes into which they have come, in order; held: those of them that have been the enemy's until then,
    as he stood there or controlled them, so that on a paper map a line of which nothing else is stated has been his.
    """
    own = {hex for hex in entered if was_operational(view, side, hex, held=hex in held)}
    lost = lost_hexes(own, entered)
    for hex in (hex for hex in entered if hex in lost):
        yield from lose_line(view, next(loser for loser in view.game.file.sides if loser != side), hex)
    for line in built_lines(view):
        if view.game.side_of(line.nation) != side:
            yield from (
                remove_line(view, line) if is_abandoned(line, entered, {}) else after_enemies(view, line, entered)
            )


def lost_before(view: View, side: str, left: Iterable[str], held: Collection[str]) -> Iterator[Change]:
    """The RR hexes in which units of a side have stood, as from the set-up on, and whose line nobody has recorded as lost
    to its enemies: it has been ever since they came. Which phase that was is not known, so it counts as lost in none.

    left: the hexes where they stood; held: as for `lost_to`. Rule: 17.1.4
    """
    own = [hex for hex in left if was_operational(view, side, hex, held=hex in held)]
    yield from (changed(view, "operational", hex, "none", "17.1.4") for hex in own)


def was_operational(view: View, side: str, hex: str, *, held: bool) -> bool:
    """Whether an RR hex counts as operational for the enemies of a side. held: whether it has been theirs."""
    if stated := view.word("operational", hex):
        return stated not in ("none", side)
    at_edge = any(view.word(track, hex) not in ("", "none", side) for track in ("map-edge", "linked"))
    sides = (
        [hexside(hex, beside) for beside in view.board.neighbours(hex)]
        if at_edge or (held and not view.board.hexes)
        else []
    )
    return any(view.word("rail", over) not in ("", "no-rail") for over in sides)
