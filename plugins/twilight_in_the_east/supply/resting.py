"""What supply rests on, each fact at its worst: the ground of a line, the zones that leave it open, the RR line or the LOC behind it.

A fact is supposed at its worst or at its best for a line: whatever else it may be lies between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from assistant.field import Around
from assistant.questions import View
from assistant.questions.doubts import Group
from assistant.state.sources import Value
from assistant.state.state import FactKey, hexside

from ..ground.hexsides import between
from ..railways.network import only_way
from ..terms import GREAT_RIVERS
from .lines import SupplyMap

Otherwise = tuple[FactKey, Value]
"""Another value of a fact."""
WORST: Mapping[str, Value] = {
    "terrain": "high-mountain",
    "barrier": ("lake",),
    "rail": "no-rail",
    "road": "no-road",
    "crossing": "no-crossing",
    "operational": "none",
    "map-edge": "none",
    "station": False,
}
"""The value of a fact that is worst for lines."""
BEST: Mapping[str, Value] = {
    "terrain": "clear",
    "barrier": (),
    "rail": "rail2",
    "road": "primary-road",
    "crossing": "bridge",
}
"""The value that is best for them; of operational RR hexes, map edges and control it is their own side."""


class Rests:
    """What supply over a drawn board rests on, and what else zones may do. Facts are looked up in a view aside, so that the report does not
    name them as read."""

    def __init__(self, view: View, around: Around, board: SupplyMap) -> None:
        self.view, self.around, self.board, self.side = view, around, board, around.side

    def at_once(self, others: Iterable[Otherwise], beside_enemy: Value) -> Group:
        """Facts that are all otherwise at once. beside_enemy: what then lies on the hexsides of enemies, which no line crosses, but zones."""
        enemies = self.around.enemies
        found: dict[FactKey, Value] = {}
        for (track, subject), value in others:
            meets = track == "barrier" and not enemies.isdisjoint(subject.split("|"))
            found.setdefault((track, subject), beside_enemy if meets else value)
        return found

    def line_rests(self, hexes: Sequence[str], linked: Collection[str] = ()) -> Iterator[Otherwise]:
        """What a line rests on: the ground that it passes, from the end on, and the zones that leave it open. linked: the hexes
        that it enters along a railway."""
        for here, there in reversed(list(pairwise(hexes))):
            across = between(self.view, here, there)
            yield worst("terrain", there)
            yield worst("barrier", across.name)
            river = GREAT_RIVERS & across.lies
            if river or there in linked:
                yield worst("rail", across.name)
            if across.lies or self.view.word("terrain", there) != BEST["terrain"]:
                yield worst("road", across.name)
            if river:
                yield worst("crossing", across.name)
        yield from self.zones(hexes, closed=True)

    def railway_rests(self, hexes: Sequence[str], *, is_loc: bool) -> Iterator[Otherwise]:
        """What the link of a RR hex to the map edge rests on. is_loc: whether it is a depot's LOC."""
        if is_loc:
            yield worst("station", hexes[-1])
        yield from (worst("rail", hexside(here, there)) for here, there in pairwise(hexes))
        yield from (worst("operational", hex) for hex in hexes)
        yield worst("map-edge", hexes[0])
        if is_loc:
            yield from self.zones(hexes, closed=True)

    def only_way(self, hexes: Sequence[str]) -> Iterator[list[FactKey]]:
        """What of the link of a RR hex to the map edge no other link leaves out, from there on: the RR line over hexsides, and in hexes. Each
        bridge stands for itself, as more than the link may be lost with it."""
        through, over = only_way(hexes, self.board.edges, self.board.rails)
        across = [between(self.view, here, there) for here, there in pairwise(hexes) if (here, there) in over]
        yield [("rail", one.name) for one in across if not GREAT_RIVERS & one.lies]
        yield from ([("rail", one.name)] for one in across if GREAT_RIVERS & one.lies)
        yield [("operational", hex) for hex in through]

    def way_rests(self, hexes: Sequence[str]) -> Iterator[Otherwise]:
        """What the way out of a unit that is not Isolated rests on."""
        yield from self.line_rests(hexes)
        enemies = [side for side in self.view.game.file.sides if side != self.side]
        yield from ((("control", hex), enemies[0]) for hex in reversed(hexes))
        yield from self.friendly_zones(hexes[::-1], closed=True)

    def zones(self, hexes: Collection[str], *, closed: bool) -> Iterator[Otherwise]:
        """The hexsides between hexes without a friend and the enemies next to them: with what EZOCs cross, or with what they do
        not."""
        free = [hex for hex in hexes if hex not in self.around.friends]
        return self.across(free, self.around.enemies, () if closed else ("grand-river",))

    def friendly_zones(self, hexes: Collection[str], *, closed: bool) -> Iterator[Otherwise]:
        """The same with the friends whose zones open hexes to a line in the test of isolation."""
        met = [hex for hex in hexes if hex in self.around.enemy_zones]
        return self.across(met, self.around.friends, WORST["barrier"] if closed else ())

    def across(self, hexes: Iterable[str], units: Collection[str], barrier: Value) -> Iterator[Otherwise]:
        """The hexsides between hexes and the units next to them, with something on them."""
        for hex in hexes:
            for other in self.view.board.neighbours(hex):
                if other in units:
                    yield ("barrier", hexside(hex, other)), barrier


def worst(track: str, subject: str) -> Otherwise:
    """A fact at its worst."""
    return (track, subject), WORST[track]


def best(track: str, subject: str) -> Otherwise:
    """A fact at its best."""
    return (track, subject), BEST[track]
