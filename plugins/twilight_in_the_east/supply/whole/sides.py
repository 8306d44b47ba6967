"""The supply of all units of a side, or of some: who serves whom, as it stands and with the best modes (14.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

from assistant.field import Around, side_of
from assistant.field.serving import FULL, Offer
from assistant.questions import MissingFacts, View
from assistant.questions.report import Ask, Report
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ...forces.reading import at_best
from ...ground.zones import field
from ...terms import DEPOTS, SECOND_DIVISION_LOW
from ..isolation import is_isolated
from ..lines import compile_map
from ..report import SupplyResult
from ..rules import HEX, RR_LINE
from .causes import Cause, Causes, Hindrance
from .report import Served, SideSupply, UnitSupply, in_order, totals
from .side import EXTENDED, LOC, Client, SupplySide

OUT = Served(state="out")
UNDECIDED = Served(state=None)


class SideFound:
    """What was found out about a side: its supply, what is to be asked, what the best modes change."""

    def __init__(self, supply: SideSupply, asks: tuple[Ask, ...], changes: tuple[Change, ...]) -> None:
        self.supply, self.asks, self.changes = supply, asks, changes


def sides_asked(view: View, side: str) -> tuple[str, ...]:
    """The sides whose supply is told: the one that is named, or else that of the viewpoint, the one whose player turn it is, or all."""
    sides = tuple(view.game.file.sides)
    one = side or (view.state.seen_by if view.state.seen_by in sides else "") or view.word("phasing")
    return (one,) if one else sides


def side_supply(
    view: View, side: str, units: Collection[str], on_paper: Callable[[View, str], Report[SupplyResult]]
) -> SideFound:
    """The supply of a side. units: those that are told, all if there are none; on_paper: tells that of a unit without a board.

    Raises MissingFacts for what has to be known of the units on the map to tell who stands where.
    """
    with view.gather() as facts:
        around = field(facts).read().around(side)
    if not view.board.hexes:
        return paper_supply(view, around, units, on_paper)
    with view.gather() as facts:
        board = compile_map(facts, around)
        unseen = [str(hidden.place) for hidden in view.unseen.values() if side_of(facts, hidden) == side]
    if unseen:
        raise MissingFacts([ask_for_unseen(side, unseen)])
    found = SupplySide(view, around, board)
    teller = _Teller(found)
    on_map = {*found.clients, *found.doubts}
    wanted = [unit for unit in around.units if unit.id in on_map and (not units or unit.id in units)]
    told = [teller.told(unit) for unit in wanted]
    listed = in_order(told)
    asks = {ask.name: ask for unit in wanted for ask in teller.asks_of(unit.id)}
    supply = SideSupply(
        side=side,
        stands=totals(listed, stands=True),
        could=totals(listed, stands=False),
        extended=tuple(name for name, mode in teller.best.modes.items() if mode == EXTENDED),
        exact=teller.best.exact,
        units=listed,
    )
    return SideFound(supply, tuple(asks.values()), tuple(teller.changes()))


def paper_supply(
    view: View, around: Around, units: Collection[str], on_paper: Callable[[View, str], Report[SupplyResult]]
) -> SideFound:
    """The supply of a side without a drawn board: of each unit by itself, over what is typed."""
    told, asks = list[UnitSupply](), dict[str, Ask]()
    first = {
        arm: number for number, arm in enumerate((*DEPOTS, "corps-train"))
    }  # others draw on what they are supplied with
    for unit in sorted(around.units, key=lambda unit: first.get(view.word("arm", unit.id), len(first))):
        if not unit.place or (units and unit.id not in units):
            continue
        result, missing = None, tuple[Ask, ...]()
        try:
            found = on_paper(view, unit.id)
            result, missing = found.result, found.asks
        except MissingFacts as error:
            missing = error.asks
        asks |= {ask.name: ask for ask in missing}
        served = UNDECIDED
        if result and result.state:
            served = Served(
                state=result.state, source=result.source, extended=result.extended, cost=result.cost, line=result.line
            )
        told.append(
            UnitSupply(
                unit=unit.id,
                place=str(unit.place),
                marked=view.word("supply", unit.id),
                stands=served,
                could=served,
                alone=served.state,
                isolated=result.isolated if result else None,
                through=result.through if result else "",
                missing=tuple(dict.fromkeys(ask.how for ask in missing)),
            )
        )
    listed = in_order(told)
    both = totals(listed, stands=True), totals(listed, stands=False)
    supply = SideSupply(side=around.side, stands=both[0], could=both[1], units=listed)
    return SideFound(supply, tuple(asks.values()), ())


def ask_for_unseen(side: str, places: Sequence[str]) -> Ask:
    """What to ask for where supply units may stand unseen."""
    title = f"Trains and Depots of the {side} side that may stand unseen at {', '.join(places)}"
    return Ask(
        kind="fact",
        name="sources",
        rule="14.2",
        title=title,
        how=f"{quoted('UNIT')} supply=in|low|out, as its owner tells",
    )


class _Teller:
    """Tells the supply of each unit of a side."""

    def __init__(self, side: SupplySide) -> None:
        self.side = side
        self.stands, self.best = side.plan(as_it_stands=True), side.plan(as_it_stands=False)
        self.causes = Causes(side, self.best)
        self._served: dict[tuple[str, bool], Served] = {}
        self._causes: dict[str, Cause | None] = {}
        self._isolated: dict[str, bool | None] = {}

    def told(self, unit: Unit) -> UnitSupply:
        """A unit's supply, its cause and whether it is Isolated."""
        client = self.side.clients.get(unit.id)
        view, place = self.side.view, str(unit.place)
        marked = view.word("supply", unit.id)
        if client is None or self.asks_of(unit.id):
            missing = tuple(dict.fromkeys(ask.how for ask in self.asks_of(unit.id)))
            return UnitSupply(
                unit=unit.id, place=place, marked=marked, stands=UNDECIDED, could=UNDECIDED, alone=None, missing=missing
            )
        served = self.side.clients.get(client.through, client)
        alone = self.side.alone(served.unit.id)
        could = self.served(served, best=True)
        is_out = could.state == "out"
        return UnitSupply(
            unit=unit.id,
            place=place,
            marked=marked,
            stands=self.served(served, best=False),
            could=could,
            alone=self.capped(served, _word(alone)),
            isolated=self.isolated(served) if is_out else None,
            through=client.through,
            cause=self.cause(served) if could.state != "in" else None,
        )

    def asks_of(self, name: str) -> tuple[Ask, ...]:
        """What is missing to tell the supply of a unit: of itself or of the unit that it goes with; nothing if it is In Supply
        without it, nor if only a train or a depot lacks it, whose own supply is told."""
        client = self.side.clients.get(name)
        served = self.best.serves.get((client.through or name) if client else name)
        if served and served.gives == FULL:
            return ()
        own = self.side.doubts.get(name, ())
        through = self.side.doubts.get(client.through, ()) if client else ()
        return (*own, *through)

    def served(self, client: Client, *, best: bool) -> Served:
        """The supply that a plan gives a unit."""
        key = client.unit.id, best
        if key not in self._served:
            plan = self.best if best else self.stands
            self._served[key] = self._of(client, plan.serves.get(client.unit.id))
        return self._served[key]

    def _of(self, client: Client, offer: Offer | None) -> Served:
        if offer is None:
            return OUT
        state = self.capped(client, _word(offer))
        if client.always or offer.source == LOC:
            return Served(state=state, source=client.always or "its LOC")
        if client.arm == "corps-train" and offer.source == RR_LINE:
            return Served(state=state, source=f"the RR line at {client.unit.place}", cost=Fraction(0))
        line = self.side.line(offer.source, str(client.unit.place))
        source = f"the RR line at {line.start}" if offer.source == RR_LINE else offer.source
        return Served(
            state=state, source=source, extended=offer.mode == EXTENDED, cost=Fraction(offer.cost, HEX), line=line.steps
        )

    def capped(self, client: Client, state: str) -> str:
        """A state, as far as a unit may have it (24.4)."""
        with self.side.view.gather() as facts:
            return at_best(facts, client.unit.id, state)

    def isolated(self, client: Client) -> bool | None:
        """Whether a unit that is Out of Supply is Isolated, None where that is not stated."""
        name = client.unit.id
        if name not in self._isolated:
            try:
                self._isolated[name] = is_isolated(self.side.view, client.unit, self.side.around, self.side.board)
            except MissingFacts as missing:
                self.side.doubts[name] = missing.asks
                self._isolated[name] = None
        return self._isolated[name]

    def cause(self, client: Client) -> Cause | None:
        """Why a unit is not In Supply."""
        if client.unit.id not in self._causes:
            text = f"up to GT {SECOND_DIVISION_LOW} in Low Supply at best (24.4)"
            at_best_low = Cause(hindrances=(Hindrance(kind="turn", where=client.unit.id, text=text),))
            self._causes[client.unit.id] = self.causes.of(client) or at_best_low
        return self._causes[client.unit.id]

    def changes(self) -> list[Change]:
        """Which supply units the best modes flip to their extended side, and which back, as after the beginning of the Supply Phase.
        Rule: 14.2b
        """
        view, found = self.side.view, []
        for name in self.side.sources:
            extended = self.best.modes.get(name) == EXTENDED
            if name in self.side.fed and view.flag("extended", name) != extended:
                found.append(changed(view, "extended", name, extended or None, "14.2"))
        return found


def _word(offer: Offer | None) -> str:
    return "out" if offer is None else "in" if offer.gives == FULL else "low"
