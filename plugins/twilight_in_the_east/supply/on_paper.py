"""Supply on a paper map: what the typed network gives a unit, and the question that decides where it may not be the whole (14)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from assistant.field import Around
from assistant.questions import Gather, View
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask, MissingFacts, Part, Report, step, verdict
from assistant.state.state import Unit

from ..forces.armies import corps_and_army
from ..forces.assets import attaching
from ..ground.zones import assume_zones
from ..terms import BOYEN, BOYEN_SERVES, DEPOTS, SUPPLY_ARMS
from .lines import at_most, best, judge, line_part
from .modes import with_modes
from .report import (
    STATES,
    Serving,
    SourceTried,
    SupplyResult,
    as_stated,
    isolation_part,
    report,
    sources_part,
    state_verdict,
    supplied,
    surplus_asks,
    tried,
)
from .rules import RR_LINE
from .sources import OTHERS
from .special import presume_named
from .whole.causes import Causes
from .whole.paper import PaperSide, compiled, stated_states
from .whole.side import LOC, STATED


def over_network(view: View, unit: Unit, around: Around) -> Report[SupplyResult]:
    """The supply of a unit over the typed network.

    It is certain where no way that is not typed, and nothing that is not stated, can better it. Otherwise what the position states of
    it is believed, and failing that the question that decides is asked. Raises MissingFacts for a unit that is not in a hex, and for
    what has to be known of it and of the supply units that may serve it.
    """
    if not view.board.is_hex(str(unit.place)):
        raise MissingFacts([ask_for_fact(view.game.track("supply"), unit.id)])
    with view.gather() as facts:
        near = [unit, *suppliers(facts, unit, around)]
    paper = compiled(view, around)
    only = {one.id for one in near}
    return _OneUnit(PaperSide(view, around, paper, only, stated=stated_states(view), granted=unit.id), unit).report()


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


class _OneUnit:
    """What is found of one unit. side: it and those that may serve it."""

    def __init__(self, side: PaperSide, unit: Unit) -> None:
        self.side, self.unit, self.view, self.here = side, unit, side.view, str(unit.place)
        if unit.id not in side.found:
            raise MissingFacts(side.doubts[unit.id])
        self.client, self.found = side.clients[unit.id], side.found[unit.id]

    def report(self) -> Report[SupplyResult]:
        """The report on the unit."""
        found = self.found
        if found.asks and self.unit.id in self.side.lacks:
            raise MissingFacts(found.asks)
        if found.is_stated and found.state != "out":
            return as_stated(self.unit, found.state, self.tried())
        if found.is_stated:
            return self.out(stated=True)
        serving = self.serving()
        assume_zones(self.side.around, [self.here, *(one.hex for one in serving[1].steps)] if serving else [self.here])
        if found.asks:
            return self.undecided(serving, found.asks)
        return self.served(serving) if serving else self.out()

    def serving(self) -> Serving | None:
        """What serves the unit best for certain, None for nothing. Raises MissingFacts where that turns on whom else it serves."""
        every = list(self.every())
        asked = [ask for one in every for ask in surplus_asks(self.view, self.unit, one[0])]
        sure = [one for one in every if not surplus_asks(self.view, self.unit, one[0])]
        if asked and (not sure or best(every)[2].gives != best(sure)[2].gives):
            raise MissingFacts(asked)
        return best(sure) if sure else None

    def every(self) -> Iterator[Serving]:
        """All that serve the unit for certain, each along its line."""
        side = self.side
        for name, offer in {one.source: one for one in side.offers if one.client == self.unit.id}.items():
            if name == STATED or (name in side.sources and name not in side.serving):
                continue
            line = side.line_of(side, self.client, offer)
            source = side.source_of(self.client, offer, line)
            if range := judge(self.view, source, line):
                yield source, line, range

    # --- verdicts ---

    def served(self, serving: Serving) -> Report[SupplyResult]:
        """In Supply or in Low Supply along a typed line, which is the best there is."""
        source, line, found = serving
        result, modes = with_modes(self.side, supplied(self.unit, source, line, found, self.tried()), source.name)
        self.grant(serving)
        return report(result, state_verdict(result), line_part(f"The line from {source.name}", line), modes)

    def grant(self, serving: Serving) -> None:
        """Say what a line takes for granted."""
        source, side = serving[0], self.side
        presume_named(self.view, self.unit.id, source)
        own = [one for one in side.offers if one.client == self.unit.id]
        by_rail = [one for one in own if source.kind == RR_LINE and one.source in (RR_LINE, LOC)]
        for offer in [one for one in own if one.source == source.name][:1] or by_rail[:1]:
            side.say_granted(self.client, offer)

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
        """Out of Supply, with its cause and the test of isolation."""
        tried, asks = self.tried(), tuple[Ask, ...]()
        isolated: bool | None = None
        try:
            isolated = self.side.isolated(self.unit)
        except MissingFacts as missing:
            asks = missing.asks
        result = SupplyResult(unit=self.unit.id, place=self.here, state="out", isolated=isolated, tried=tuple(tried))
        said = " (as stated)" if stated else ""
        cause = None if stated else Causes(self.side, self.side.plan(as_it_stands=False)).of(self.client)
        why = Part("Cause", (step("14.4", "{cause}", cause=cause.text),) if cause else ())
        if isolated is None:
            text = f"undecided: {{unit}} is Out of Supply{said}, perhaps Isolated"
            return report(result, verdict("undecided", text, result), sources_part(tried), why, asks=asks)
        text = f"{{unit}} is Out of Supply{said}" + (" and Isolated" if isolated else ", but not Isolated")
        return report(result, verdict("no", text, result), sources_part(tried), why, isolation_part(isolated))

    def tried(self) -> list[SourceTried]:
        """The sources that attachment allows the unit, each with its line and why it does not serve."""
        side, lines, found = self.side, self.side.board.lines, list[SourceTried]()
        serving = {one[0].name: one for one in self.every()}
        fortress = ("fortress",) if self.unit.id in BOYEN_SERVES else ()
        able = (
            () if self.client.arm in DEPOTS else DEPOTS if self.client.arm in SUPPLY_ARMS else (*SUPPLY_ARMS, *fortress)
        )
        for name, one in side.sources.items():
            if (
                one.source.kind not in able
                or name == self.unit.id
                or (why_not := self.why_not(name)).startswith(OTHERS)
            ):
                continue
            line = None if why_not else lines.line(one.source.place, self.here, at_most(one.source.limit or 0))
            found.append(
                tried(one.source, line, why_not or ("" if name in serving else "no typed line within its range"))
            )
        return found + [tried(one, line, "") for one, line, _ in serving.values() if one.kind == RR_LINE]

    def why_not(self, name: str) -> str:
        """Why a source does not serve the unit whatever the distance, "" if it may."""
        side, one = self.side, self.side.sources[name]
        with self.view.gather() as facts:
            barred = side.barred(facts, self.client, one)
        known = side.found.get(name)
        is_out = known is not None and known.state != "in" and not known.asks
        return barred or one.why_not or ("Out of Supply itself (14.2.2)" if is_out and name in side.fed else "")
