"""The search for losses that affect a side's supply (14.1, 14.2).

It finds the hexes, sources and links behind the supply of each unit, and the effects of losing each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from assistant.asking import View
from assistant.asking.what_if import ChangedRank, compare_losses, compare_ranks
from assistant.rules.field.allocation import Offer
from assistant.state.state import GameState, Unit

from ...forces.armies import nearest_formations
from ...ground.hexsides import between
from ...terms import DEPOTS, GREAT_RIVERS, SUPPLY_ARMS
from ..clients import Client
from ..ground import FERRY, PILLAU, rails_from
from ..isolation import WaysOut
from ..report import UnitSupply
from ..rules import RR_LINE, connected_railway
from ..side.offers import LOC, STATED_SOURCE
from ..side.states import SideAnswer, SideStates, side_states
from ..sources import fortress_source
from .report import (
    KINDS,
    Alternative,
    HarmfulLoss,
    Passage,
    PassingUnit,
    SideLifelines,
    SupplyEffect,
    SupplyHeld,
    SupplyLoss,
    UndecidedUnit,
)
from .suppositions import Suppositions


class SupplyLeg(NamedTuple):
    """A leg of the route from the map edge to a supplied unit."""

    part: Passage
    """The kind of the leg."""
    hexes: tuple[str, ...]
    """The hexes in the order of the way, from the source to the unit."""
    source: str = ""
    """The source of a line, or ""."""


Passed = dict[SupplyLoss, Passage]
"""The losses that may affect a unit's supply, hexes first, each with the affected part of the supply."""


class Passing:
    """The hexes, sources and links that the supply of a side's units passes.

    `states`: the states of the side, with the best modes.
    """

    def __init__(self, states: SideStates) -> None:
        self.states = states
        self.side = states.side
        self.inputs = states.side.inputs
        self.view = self.inputs.view
        self.around = self.inputs.around
        self._of: dict[str, Passed] = {}

    def find_passed(self, unit: str) -> Passed:
        if unit not in self._of:
            supply = self.states.supply_of(self.view.unit(unit))
            self._of[unit] = self.find_passed(supply.through) if supply.through else self._trace_passed(supply)
        return self._of[unit]

    def is_gone_round(self, loss: SupplyLoss) -> bool:
        """Return whether a loss certainly leaves all lines of the units looked up so far unchanged.

        So it does if the hex has no friends, only RR lines behind the units pass it, and other lines still link all
        other hexes.
        """
        if loss.kind not in ("hex", "railway") or (loss.kind == "hex" and loss.where in self.around.friends):
            return False
        entered = SupplyLoss("hex", loss.where)
        passages = {passed[entered] for passed in self._of.values() if entered in passed}
        return passages == {"railway"} and self._has_way_round(loss.where)

    def _has_way_round(self, hex: str) -> bool:
        board, around = self.side.lines.board, self.around
        # False also if Field Railways link hexes: only `board.linked` has these, and they lead no way round
        if self.inputs.ground.network or self._find_linked(around.enemies) != board.linked:
            return False
        both = (around.enemies, board.linked), (around.closed, board.loc.cost.keys())
        return all(self._find_linked(closed, hex) == now - {hex} for closed, now in both)

    def _find_linked(self, closed: Collection[str], *without: str) -> Collection[str]:
        """Return the RR hexes that stay linked without the given hexes.

        `closed`: hexes that no link passes.
        """
        board = self.side.lines.board
        return connected_railway(board.edges.difference(without), {*closed, *without}, board.rails).cost.keys()

    def may_cut_link(self, loss: SupplyLoss) -> bool:
        """Return whether a loss may cut the RR line that links a typed line to the map edge.

        The lost hex must be the outermost one of the typed line. Nothing else of the units looked up so far may pass
        it.
        """
        network, hex = self.inputs.ground.network, loss.where
        if loss.kind != "railway" or hex not in self.inputs.ground.railway.granted or hex in self.around.friends:
            return False
        beyond = list(rails_from(self.view, hex, network.next_to(hex) if network else ()))
        passages = {passed.get(SupplyLoss("hex", hex), "railway") for passed in self._of.values()}
        return len(beyond) == 1 and passages == {"railway"}

    def _trace_passed(self, supply: UnitSupply) -> Passed:
        unit = self.view.unit(supply.unit)
        client = self.inputs.clients.get(unit.id)
        offer = self.states.best.serves.get(unit.id)
        with self.view.gather() as facts:
            near = fortress_source(facts, unit)
            formations = nearest_formations(facts, unit)  # their attachment decides the unit's sources (6.4.1)
        fortress = near if client and near in client.always else ""
        passed: Passed = {SupplyLoss("hex", str(self.view.unit(fortress or unit.id).place)): "line"}
        if fortress:
            passed[SupplyLoss("source", fortress)] = "line"
        if client and offer and supply.could.state:
            for leg in self._list_legs(client, offer):
                passed = self._add_leg(passed, leg)
        for name in formations:
            passed.setdefault(SupplyLoss("hex", str(self.view.unit(name).place)), "line")
        if client and supply.could.state == "out" and not supply.isolated:
            for leg in self._list_legs_out(unit):
                passed = self._add_leg(passed, leg)
        return dict(sorted(passed.items(), key=lambda entry: KINDS.index(entry[0].kind)))

    def _list_legs(self, client: Client, offer: Offer, part: Passage = "line") -> Iterator[SupplyLeg]:
        """Yield the legs of a unit's supply, from the unit back to the map edge."""
        inputs, serves = self.inputs, self.states.best.serves
        if client.always or offer.source == STATED_SOURCE:
            return
        source, line = self.side.lines.line_of_offer(client, offer)
        by_rail = offer.source in (RR_LINE, LOC)
        if not (by_rail and client.arm in SUPPLY_ARMS):
            yield SupplyLeg(part, line.hexes, source.name)
        if by_rail:
            yield self._trace_railway(line.start, is_loc=offer.source == LOC)
        elif offer.source in inputs.fed and offer.source in serves:
            yield from self._list_legs(inputs.clients[offer.source], serves[offer.source], "source")
        for at in reversed(range(1, len(line.hexes))):
            if line.hexes[at] in line.linked:
                for hex in line.hexes[at - 1 : at + 1]:
                    yield self._trace_railway(hex, is_loc=client.arm in DEPOTS)

    def _list_legs_out(self, unit: Unit) -> Iterator[SupplyLeg]:
        """Yield the way out of an Out of Supply unit, and the RR line at its end (14.4.1)."""
        board, around = self.side.lines.board, self.around
        way = WaysOut(around, board.lines, board.linked, frozenset({around.side})).find(str(unit.place))
        if way:
            yield SupplyLeg("way out", way[::-1])
            yield self._trace_railway(way[-1])

    def _trace_railway(self, hex: str, *, is_loc: bool = False) -> SupplyLeg:
        """Return the RR line that links a hex to a friendly map edge.

        If one of its ends is assumed to be linked, it is the whole typed line.
        """
        ground, board = self.inputs.ground, self.side.lines.board
        railways = ground.loc if is_loc else ground.railway
        line = (board.loc if is_loc else board.railway).line(hex)
        return SupplyLeg("railway", (*railways.granted.get(line[0], line[:1]), *line[1:]))

    def _add_leg(self, passed: Passed, leg: SupplyLeg) -> Passed:
        """Add the losses of one more leg to those that may affect a unit's supply.

        For a way out they include the friends whose zones open it.
        """
        passed |= {loss: passed.get(loss, leg.part) for loss in self._list_losses(leg)}
        if leg.part != "way out":
            return passed
        for hex in leg.hexes:
            if hex in self.around.enemy_zones:
                beside = self.around.friends.intersection(self.view.board.neighbours(hex))
                passed = {SupplyLoss("hex", other): leg.part for other in sorted(beside)} | passed
        return passed

    def _list_losses(self, leg: SupplyLeg) -> Iterator[SupplyLoss]:
        for hex in leg.hexes:
            yield SupplyLoss("hex", hex)
        if leg.part == "railway":
            for hex in leg.hexes:
                yield SupplyLoss("railway", hex)
            return
        if leg.source in self.view.state.units:
            yield SupplyLoss("source", leg.source)
        for here, there in pairwise(leg.hexes):
            over = between(self.view, here, there)
            if GREAT_RIVERS & over.lies:
                yield SupplyLoss("bridge", over.name)
            if over.name == FERRY:
                yield SupplyLoss("hex", PILLAU)


Supplies = Mapping[str, SupplyHeld]


class LifelineSearch:
    """The search for the losses on which the supply of a side's units depends.

    `standing`: their supply in the position, without causes.
    `units`: ids of the units that the player names, or empty.
    `zone`: whether an enemy that enters a hex has a zone of control there.
    """

    def __init__(self, view: View, standing: SideAnswer, units: Sequence[str], *, zone: bool) -> None:
        self.view = view
        self.standing = standing
        self.side = standing.supply.side
        self.named = units
        self.zone = zone
        self.rows = {row.unit: row for row in standing.supply.units}
        self.now = {name: SupplyHeld.of(row) for name, row in self.rows.items()}
        self.exact = standing.supply.exact
        self.passing = Passing(standing.states)
        self._then: dict[SupplyLoss, Supplies] = {}

    def _make_result(self, **more: Any) -> SideLifelines:
        undecided = (row for row in self.rows.values() if row.could.state is None)
        rows = tuple(UndecidedUnit(unit=row.unit, place=row.place, missing=row.missing) for row in undecided)
        return SideLifelines(side=self.side, units=len(self.rows), undecided=rows, **more)

    def _list_effects(self, turned: Iterable[ChangedRank[SupplyHeld]]) -> tuple[SupplyEffect, ...]:
        return tuple(
            SupplyEffect(unit=name, place=self.rows[name].place, before=before, after=after)
            for name, before, after in turned
        )

    # --- possible losses ----------------------------------------------------------------------------------------------

    def find_passages(self) -> dict[str, Passed]:
        return {name: self.passing.find_passed(name) for name in self.now}

    def _list_losses(self, passed: Mapping[str, Passed]) -> list[SupplyLoss]:
        """Return the possible losses along the units' supply.

        With a zone of control they include adjacent hexes, from which an enemy would close a hex.
        """
        losses = dict[SupplyLoss, None]()
        for of_unit in passed.values():
            losses |= dict.fromkeys(of_unit)
        if self.zone:
            for hex in [loss.where for loss in losses if loss.kind == "hex"]:
                losses |= dict.fromkeys(SupplyLoss("hex", near) for near in self.view.board.neighbours(hex))
        held = {unit.place for unit in self.view.units() if self.view.side_of(unit.id) not in ("", self.side)}
        return [loss for loss in losses if not (loss.kind == "hex" and loss.where in held)]

    def _find_supplies_after(self, loss: SupplyLoss) -> Supplies:
        if not self._leaves_all(loss) and loss not in self._then:
            is_cut = self.passing.may_cut_link(loss)
            lost, zone = (SupplyLoss("hex", loss.where), False) if is_cut else (loss, self.zone)
            self._then[loss] = self.find_supplies_in(
                Suppositions(self.view.game, self.side, zone).after_loss(self.view.state, lost)
            )
        return self._then[loss]

    def _leaves_all(self, loss: SupplyLoss) -> bool:
        """Return whether a loss certainly changes no line of the units."""
        if loss not in self._then and not self.zone and self.passing.is_gone_round(loss):
            self._then[loss] = self.now
        return self._then.get(loss) is self.now

    def find_supplies_in(self, state: GameState) -> Supplies:
        """Return the supply in another state of the units that are on the map there.

        Stated supply counts only if no line was traced for the unit.
        """
        there = [name for name in self.now if name in state.units and state.units[name].place]
        if not there:
            return {}
        then = self.view.view_of(state)
        believed = {name: self.view.word("supply", name) for name in self.standing.states.side.believed}
        standing = side_states(then, self.side, stated=believed, causes=False).answer(there)
        then.forget()
        self.exact = self.exact and standing.supply.exact
        return {row.unit: SupplyHeld.of(row) for row in standing.supply.units}

    # --- answers ------------------------------------------------------------------------------------------------------

    def find_harmful_losses(self) -> SideLifelines:
        """Return the losses by which a unit is worse off, and for named units their alternative supply."""
        passed = self.find_passages()
        tried = self._list_losses(passed)
        felt = [loss for loss in tried if not self._leaves_all(loss)]
        every = compare_losses(self.view, felt, self.now, self._find_supplies_after, _worth)
        losses = [
            HarmfulLoss(
                kind=harm.loss.kind,
                where=harm.loss.where,
                worse=self._list_effects(harm.worse),
                better=self._list_effects(harm.better),
                gone=harm.gone,
            )
            for harm in every
            if harm.worse
        ]
        bad = {SupplyLoss(loss.kind, loss.where) for loss in losses}
        losses.sort(key=lambda loss: loss.severity, reverse=True)
        ways = self._list_alternatives(passed, bad) if self.named else ()
        return self._make_result(tried=len(tried), losses=tuple(losses), alternatives=tuple(ways))

    def _list_alternatives(self, passed: Mapping[str, Passed], bad: Collection[SupplyLoss]) -> Iterator[Alternative]:
        """Yield each unit's alternative supply without the hexes that it could lose.

        `bad`: the losses by which a unit is worse off.
        """
        for name, now in self.now.items():
            as_well = list[tuple[SupplyHeld, str]]()
            for loss in passed[name]:
                if loss.kind == "hex" and loss.where != self.rows[name].place and loss not in bad:
                    supply = self._find_supplies_after(loss).get(name)
                    if supply and supply.worth >= now.worth:
                        as_well.append((supply, loss.where))
            for after, some in groupby(as_well, key=itemgetter(0)):
                same = (after.source, after.line) == (now.source, now.line)
                yield Alternative(unit=name, without=tuple(hex for _, hex in some), same_line=same, after=after)

    def find_units_through(self, hex: str) -> SideLifelines:
        """Return the units whose supply passes through a hex, with their supply after an enemy enters it."""
        loss = SupplyLoss("hex", hex)
        passing = {name: passed[loss] for name, passed in self.find_passages().items() if loss in passed}
        then = self._find_supplies_after(loss) if passing else {}
        units = tuple(
            PassingUnit(unit=name, place=self.rows[name].place, by=by, before=self.now[name], after=then.get(name))
            for name, by in passing.items()
        )
        return self._make_result(through=units, tried=int(bool(passing)))

    def compare_with(self, state: GameState) -> SideLifelines:
        """Return the changes of the units' supply in another state."""
        then = self.find_supplies_in(state)
        worse, better = compare_ranks(self.now, then, _worth)
        both = {turned.subject for turned in (*worse, *better)}
        alike = (
            ChangedRank(name, self.now[name], then[name]) for name in self.now if name in then and name not in both
        )
        return self._make_result(
            worse=self._list_effects(turned for turned in worse if turned.after.state),
            unsure=self._list_effects(turned for turned in worse if not turned.after.state),
            better=self._list_effects(better),
            otherwise=self._list_effects(turned for turned in alike if turned.before != turned.after),
            gone=tuple(name for name in self.now if name not in then),
        )


def _worth(held: SupplyHeld) -> int:
    return held.worth
