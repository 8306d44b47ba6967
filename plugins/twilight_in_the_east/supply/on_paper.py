"""Supply on a paper map: what the typed network gives a unit, and the question that decides where it may not be the whole (14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from assistant.field import Around, Line, LineMap, Range, Source
from assistant.questions import Gather, View
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask, MissingFacts, Part, Report, step, verdict
from assistant.state.state import Unit

from ..forces.armies import corps_and_army
from ..forces.assets import attaching
from ..ground.zones import assume_zones
from ..terms import BOYEN, COMBAT_ARMS, DEPOTS, SUPPLY_ARMS
from .isolation import MOST_ENEMY_HEXES, closed_for_isolation, way_out
from .lines import at_most, best, judge, line_part
from .network import PaperMap, Railway, compile_network, unstated_terrain
from .report import (
    STATES,
    SourceTried,
    SupplyResult,
    as_stated,
    guest_asks,
    report,
    sources_part,
    state_verdict,
    supplied,
    take_for_granted,
    tried,
)
from .rules import RR_IN_SUPPLY, RR_LINE, RR_LOW
from .sources import OTHERS, always_supplied, boyen, railway, supply_unit, underfoot, unusable
from .special import bukowina_sources

Serving = tuple[Source, Line, Range]
"""A source, the line from it and what it gives along that line."""
BETTER = {"in": 2, "low": 1}


def over_network(view: View, unit: Unit, around: Around) -> Report[SupplyResult]:
    """The supply of a unit over the typed network.

    It is certain where no way that is not typed, and nothing that is not stated, can better it. Otherwise what the position states of
    it is believed, and failing that the question that decides is asked. Raises MissingFacts for a unit that is not in a hex.
    """
    if not view.board.is_hex(str(unit.place)):
        raise MissingFacts([ask_for_fact(view.game.track("supply"), unit.id)])
    with view.gather() as facts:
        paper = on_paper(facts, unit, around)
    return paper.report()


def on_paper(facts: Gather, unit: Unit, around: Around) -> _Paper:
    """All that is looked up for one unit."""
    view, arm = facts.view, facts.word("arm", unit.id)
    board = view.kept(("network", around.side), lambda known, apart: compile_network(facts, around))
    return _Paper(view, unit, around, board, arm, list(sources_on_paper(facts, unit, around, arm)))


def sources_on_paper(facts: Gather, unit: Unit, around: Around, arm: str) -> Iterator[tuple[Source, str]]:
    """The sources that attachment allows a unit, each with the reason why it cannot be used now, "" if it can. That they are
    supplied themselves is taken for granted unless the opposite is certain (14.2.2). A depot has its LOC alone."""
    if arm in DEPOTS:
        return
    able = DEPOTS if arm == "corps-train" else SUPPLY_ARMS
    for other in suppliers(facts, unit, around):
        if other.id == unit.id:
            continue
        if facts.word("arm", other.id) in able:
            why_not = unusable(facts, unit, other, around.side)
            if not why_not.startswith(OTHERS):
                out = "" if why_not or not is_out(facts.view, other, around) else "Out of Supply itself (14.2.2)"
                yield supply_unit(facts, other), why_not or out
        elif fortress := boyen(unit, other):
            yield fortress, ""
    yield from bukowina_sources(facts, unit)


def suppliers(facts: Gather, unit: Unit, around: Around) -> list[Unit]:
    """The supply units of a unit's side on the map, and Boyen, without the Corps Trains of other corps, which do not serve it (14.3.1)."""
    view = facts.view

    def by_corps() -> dict[str, list[tuple[int, Unit]]]:
        """All of them in order, by the corps whose trains they are; "" for those of none."""
        there = [one for one in around.units if view.board.is_hex(str(one.place))]
        found: dict[str, list[tuple[int, Unit]]] = {}
        for number, one in enumerate(there):
            arm = facts.word("arm", one.id)
            if one.id == BOYEN or arm in SUPPLY_ARMS:
                corps = corps_and_army(view, one.id)[0] if arm == "corps-train" else ""
                found.setdefault(corps, []).append((number, one))
        return found

    found = view.kept(("suppliers", around.side), lambda known, apart: by_corps())
    corps = corps_and_army(view, attaching(facts, unit).id)[0]  # "" for cavalry that may be a guest of any
    wanted = [corps, ""] if corps else list(found)
    return [one for _, one in sorted((one for each in wanted for one in found.get(each, ())), key=lambda one: one[0])]


def is_out(view: View, unit: Unit, around: Around) -> bool:
    """Whether a supply unit is certain to be Out of Supply."""

    def found() -> bool:
        try:
            with view.gather() as own:  # what it lacks of that is not asked for
                paper, always = on_paper(own, unit, around), always_supplied(own, unit)
            serving, asks = paper.found()
        except MissingFacts:
            return False
        return not (always or serving or asks)

    return view.kept(("out on paper", unit.id), lambda known, apart: found())


class _Paper:
    """What is looked up for one unit."""

    def __init__(
        self, view: View, unit: Unit, around: Around, board: PaperMap, arm: str, sources: Sequence[tuple[Source, str]]
    ) -> None:
        self.view, self.unit, self.around, self.board, self.arm = view, unit, around, board, arm
        self.sources, self.here = sources, str(unit.place)
        self.reach = at_most(max([*(one.limit or 0 for one, _ in sources), RR_LOW]))

    # --- what serves ---

    def report(self) -> Report[SupplyResult]:
        """The report on the unit."""
        serving, asks = self.found()
        assume_zones(self.around, [self.here, *(one.hex for one in serving[1].steps)] if serving else [self.here])
        marked = self.view.state.facts.get(("supply", self.unit.id))
        if asks and marked is not None and _rank(str(marked.value)) >= _rank(serving[2].gives if serving else "out"):
            if marked.value == "out":
                return self.out(stated=True)
            return as_stated(self.unit, str(marked.value), self.tried())
        if asks:
            return self.undecided(serving, asks)
        return self.served(serving) if serving else self.out()

    def found(self) -> tuple[Serving | None, tuple[Ask, ...]]:
        """What serves the unit best over what is typed, None for nothing, and what to ask because it may be served better.

        Raises MissingFacts where that turns on which guests a Corps Train serves.
        """
        certain = list(self.serving(self.board.certain, linked=True))
        asked = [ask for one in certain for ask in guest_asks(self.view, self.unit, one[0])]
        sure = [one for one in certain if not guest_asks(self.view, self.unit, one[0])]
        serving = best(sure) if sure else None
        state = serving[2].gives if serving else "out"
        if asked and best(certain)[2].gives != state:
            raise MissingFacts(asked)
        return serving, () if state == "in" else self.asks(state)

    def serving(self, lines: LineMap, *, linked: bool) -> Iterator[Serving]:
        """What serves the unit along typed ways. linked: whether RR lines count only where their link is stated or taken for granted."""
        for source, why_not in self.sources:
            if not why_not and (serves := self.along(lines, source)):
                yield serves
        if self.arm in SUPPLY_ARMS:
            hexes = self.railway_hexes(self.board.loc if self.arm in DEPOTS else self.board.railway, linked=linked)
            if self.here in hexes and self.has_station():
                source = underfoot(self.here)
                yield source, Line(self.here), source.ranges[0]
        elif self.arm in (*COMBAT_ARMS, "artillery"):
            starts = self.railway_hexes(self.board.railway, linked=linked)
            near = [(cost, hex) for hex, cost in lines.field_to(self.here, self.reach).cost.items() if hex in starts]
            if near and (serves := self.along(lines, railway(min(near)[1]))):
                yield serves

    def along(self, lines: LineMap, source: Source) -> Serving | None:
        """What a source gives along the cheapest line from it, None if it gives nothing."""
        lines.field_to(self.here, self.reach)  # the same for all sources
        line = lines.line(source.place, self.here, at_most(source.limit or 0))
        found = judge(self.view, source, line) if line else None
        return (source, line, found) if line and found else None

    def railway_hexes(self, of: Railway, *, linked: bool) -> frozenset[str]:
        """The hexes of RR lines, those that are linked or those that may be."""
        return of.linked if linked else of.linked | of.doubtful

    def has_station(self) -> bool:
        """Whether a depot has the RR Station that it needs, which is asked for."""
        if self.arm not in DEPOTS:
            return True
        with self.view.gather() as facts:
            return facts.flag("station", self.here)

    # --- what might serve ---

    def asks(self, state: str) -> tuple[Ask, ...]:
        """What is to be asked because it may give the unit more than a state; nothing if that is certain."""
        possible = [
            one for one in self.serving(self.board.possible, linked=False) if _rank(one[2].gives) > _rank(state)
        ]
        if possible:
            return tuple(self.facts_of(best(possible)))
        other = self.view.fact("other-line", self.unit.id)
        untyped = [] if other and not other.value else list(self.untyped(state))
        if not untyped:
            return ()
        title = f"is there {', or '.join(untyped)}"
        typed = f"type it, as {self.example()}"
        if other:
            return (Ask(kind="fact", name="line", rule="14.1", title=title, how=typed),)
        return (yes_or_no(self.view, "other-line", self.unit, title, f", or {typed}"),)

    def facts_of(self, serving: Serving) -> Iterator[Ask]:
        """The facts on which it turns whether a possible line serves: terrain along it, and whether its RR line is linked."""
        line = serving[1]
        hexes = [line.start, *(one.hex for one in line.steps)]
        tracks = self.view.game.tracks
        for hex in unstated_terrain(self.view, line):
            yield ask_for_fact(tracks["terrain"], hex)
        railways = self.board.loc if self.arm in DEPOTS else self.board.railway
        if cut := [hex for hex in hexes if hex in railways.doubtful]:
            title = f"does the RR line at {cut[0]}, cut off as it is, lead on to a friendly map edge"
            yield msgspec.structs.replace(ask_for_fact(tracks["linked"], cut[0]), title=title)

    def untyped(self, state: str) -> list[str]:
        """The lines that only the player can see and that would give the unit more than a state, in words."""
        network, lines, closed = self.board.network, self.board.possible, self.around.closed
        nowhere = self.reach + 1
        back = lines.field_to(self.here, self.reach).cost
        leads_in = min((cost for hex, cost in back.items() if network.is_open(hex, closed)), default=nowhere)
        found: dict[int, list[str]] = {}
        for source, why_not in self.sources:
            hexes = more_than(source, state)
            apart = self.view.board.distance(source.place, self.here)  # each hex costs a quarter at least
            if why_not or not hexes or apart > at_most(hexes):
                continue
            if self.leads_out(source) + leads_in <= at_most(hexes):
                found.setdefault(hexes, []).append(source.name)
        hexes, enemies = RR_LOW if state == "out" else RR_IN_SUPPLY, self.around.enemies  # EZOCs do not cut RR lines
        railed = min((cost for hex, cost in back.items() if network.is_open(hex, enemies)), default=nowhere)
        if self.arm in (*COMBAT_ARMS, "artillery") and railed <= at_most(hexes):
            found.setdefault(hexes, []).append("an operational RR line")
        said = [f"of at most {hexes} hexes from {' or '.join(names)}" for hexes, names in found.items()]
        said[:1] = [f"another line to {self.unit.id} {first}" for first in said[:1]]
        if self.arm in SUPPLY_ARMS and network.is_open(self.here, closed if self.arm in DEPOTS else enemies):
            said.append(f"an operational RR line from {self.here} to a friendly map edge")
        return said

    def leads_out(self, source: Source) -> int:
        """What it costs at least to get from a source to a hex from which a way that is not typed may lead on."""
        network, limit = self.board.network, at_most(source.limit or 0)

        def least() -> int:
            cost = self.board.possible.field({source.place}, limit).cost
            return min((at for hex, at in cost.items() if network.is_open(hex, self.around.closed)), default=limit + 1)

        return self.view.kept(("leads out", self.around.side, source.place, limit), lambda known, apart: least())

    def example(self) -> str:
        """How a way into the unit's hex is typed."""
        near = self.view.board.neighbours(self.here)
        return f"{near[0]}-{self.here}" if near else "HEX-HEX"

    # --- verdicts ---

    def served(self, serving: Serving) -> Report[SupplyResult]:
        """In Supply or in Low Supply along a typed line, which is the best there is."""
        source, line, found = serving
        result = supplied(self.unit, source, line, found, self.tried())
        self.grant(serving)
        return report(result, state_verdict(result), line_part(f"The line from {source.name}", line))

    def grant(self, serving: Serving) -> None:
        """Say what a line takes for granted."""
        source, line, _ = serving
        take_for_granted(self.view, source, line)
        railways = self.board.loc if self.arm in DEPOTS else self.board.railway
        self.grant_link([line.start, *line.linked] if source.kind == RR_LINE or line.linked else [], railways)

    def grant_link(self, hexes: Sequence[str], railways: Railway) -> None:
        """Say that a RR line is taken to be operational and linked, if it is one of some hexes of which nothing is stated."""
        if granted := [hex for hex in hexes if hex in railways.granted]:
            text = "an operational RR line links {hex} to a friendly map edge"
            self.view.presume(step("14.2.3", text, hex=granted[0]))

    def undecided(self, serving: Serving | None, asks: tuple[Ask, ...]) -> Report[SupplyResult]:
        """What the typed ways give, and what decides whether there is more."""
        tried = self.tried()
        if serving:
            source, line, found = serving
            self.grant(serving)
            result = msgspec.structs.replace(supplied(self.unit, source, line, found, tried), state=None)
            text = "undecided: along what is typed {unit} is {typed} from {source}"
            said = verdict("undecided", text, result, typed=STATES[found.gives])
            return report(result, said, line_part(f"The line from {source.name}", line), asks=asks)
        result = SupplyResult(unit=self.unit.id, place=self.here, state=None, tried=tuple(tried))
        said = verdict("undecided", "undecided: nothing typed supplies {unit}", result)
        return report(result, said, sources_part(tried), asks=asks)

    def out(self, *, stated: bool = False) -> Report[SupplyResult]:
        """Out of Supply, with the test of isolation."""
        tried = self.tried()
        isolated, asks = self.isolation()
        result = SupplyResult(unit=self.unit.id, place=self.here, state="out", isolated=isolated, tried=tuple(tried))
        said = " (as stated)" if stated else ""
        if isolated is None:
            text = f"undecided: {{unit}} is Out of Supply{said}, perhaps Isolated"
            return report(result, verdict("undecided", text, result), sources_part(tried), asks=asks)
        text = f"{{unit}} is Out of Supply{said}" + (" and Isolated" if isolated else ", but not Isolated")
        found = "line of any length to an operational RR hex (a friendly ZOC opens a hex to it): {found}"
        isolation = Part("Isolation", (step("14.4.1", found, found=not isolated),))
        return report(result, verdict("no", text, result), sources_part(tried), isolation)

    def isolation(self) -> tuple[bool | None, tuple[Ask, ...]]:
        """Whether the unit is Isolated, None with what to ask where only the player can tell (14.4.1)."""
        around, board, view = self.around, self.board, self.view
        closed = closed_for_isolation(around.enemies, around.enemy_zones, around.friends, around.friendly_zones)
        known = board.railway.linked
        if way := way_out(around, board.certain, known, self.here, {around.side}):
            self.grant_link(way[-1:], board.railway)
            return False, ()
        stated = view.fact("way-out", self.unit.id)
        if stated is not None:
            return not stated.value, ()
        beyond = {hex for hex in board.network.ways if board.network.is_open(hex, closed)}
        possible = way_out(
            around, board.possible, known | board.railway.doubtful | beyond, self.here, {around.side, ""}
        )
        if not possible:
            return True, ()
        title = f"is there a way from {self.here} of at most {MOST_ENEMY_HEXES} enemy hexes to an operational RR line"
        return None, (yes_or_no(view, "way-out", self.unit, title),)

    def tried(self) -> list[SourceTried]:
        """The sources, each with its line and why it does not serve."""
        found = []
        for source, why_not in self.sources:
            line = None if why_not else self.board.certain.line(source.place, self.here, at_most(source.limit or 0))
            serves = line and judge(self.view, source, line)
            found.append(tried(source, line, why_not or ("" if serves else "no typed line within its range")))
        for source, line, _ in self.serving(self.board.certain, linked=True):
            if source.kind == RR_LINE:
                found.append(tried(source, line, ""))
        return found


def yes_or_no(view: View, track: str, unit: Unit, title: str, more: str = "") -> Ask:
    """Whether there is something that only the player can see on his map. title: what; more: how else it can be answered."""
    asked = ask_for_fact(view.game.track(track), unit.id)
    how = view.game.track(track).how_to_state(unit.id, False)
    return msgspec.structs.replace(asked, title=title, how=f"{how}{more}")


def more_than(source: Source, state: str) -> int:
    """How far a source reaches that gives more than a state, in hexes; 0 if it gives no more."""
    return max((one.hexes or 0 for one in source.ranges if _rank(one.gives) > _rank(state)), default=0)


def _rank(state: str) -> int:
    return BETTER.get(state, 0)
