"""What the supply of a unit passes: its line, that of the source which serves it, and the RR line behind them (14.1, 14.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import pairwise

from ...forces.assets import nearest_formations
from ...ground.hexsides import between
from ...terms import GREAT_RIVERS
from ..rules import RAILS, connected_railway
from ..side.legs import Leg, Passage, legs, legs_out
from ..side.report import UnitSupply
from ..side.states import SideStates
from ..sources import fortress_source
from ..special import FERRY, PILLAU
from .losses import KINDS, Loss

Passed = dict[Loss, Passage]
"""What the supply of a unit passes and may lose, the hexes first: with the part of it that passes each, its own line, that of a source
which has to be supplied itself, the RR line from a friendly map edge, or the way that keeps a unit from being Isolated."""


class Passing:
    """What the supply of units of one side passes. states: of the side, with the best modes."""

    def __init__(self, states: SideStates) -> None:
        self.states, self.side, self.view, self.around = states, states.side, states.side.view, states.side.around
        self._of: dict[str, Passed] = {}

    def of(self, unit: str) -> Passed:
        """What the supply of a unit passes."""
        if unit not in self._of:
            supply = self.states.told(self.view.unit(unit))
            self._of[unit] = self.of(supply.through) if supply.through else self._passed(supply)
        return self._of[unit]

    def is_gone_round(self, loss: Loss) -> bool:
        """Whether a loss leaves every line in use as it is: that of a hex without friends which only RR lines behind them pass, and round
        which RR lines link all that they link now."""
        if loss.kind not in ("hex", "railway") or (loss.kind == "hex" and loss.where in self.around.friends):
            return False
        entered = Loss("hex", loss.where)
        passages = {passed[entered] for passed in self._of.values() if entered in passed}
        return passages == {"railway"} and self._leads_round(loss.where)

    def _leads_round(self, hex: str) -> bool:
        """Whether all other hexes of the RR lines of a drawn board are certain to stay linked without a hex."""
        board, around = self.side.board, self.around
        both = (around.enemies, board.linked), (around.closed, board.loc.cost.keys())
        return self._is_regular and all(self._linked(closed, hex) == now - {hex} for closed, now in both)

    @cached_property
    def _is_regular(self) -> bool:
        """Whether the RR lines are those of a drawn board, without a Field Railway."""
        return self.side.ground.network is None and self._linked(self.around.enemies) == self.side.board.linked

    def _linked(self, closed: Collection[str], *without: str) -> Collection[str]:
        """The RR hexes that stay linked without some. closed: hexes that no link passes."""
        board = self.side.board
        return connected_railway(board.edges.difference(without), {*closed, *without}, board.rails).cost.keys()

    def may_be_the_link(self, loss: Loss) -> bool:
        """Whether a loss is that of the RR line in the outermost hex of a typed line which may lead to the map edge there, and that
        nothing else passes: the line is then cut as by an enemy.
        """
        network, hex = self.side.ground.network, loss.where
        if loss.kind != "railway" or hex not in self.side.ground.railway.granted or hex in self.around.friends:
            return False
        beyond = (
            [near for near in network.next_to(hex) if between(self.view, hex, near).word("rail") in RAILS]
            if network
            else []
        )
        passages = {passed.get(Loss("hex", hex), "railway") for passed in self._of.values()}
        return len(beyond) == 1 and passages == {"railway"}

    def _passed(self, supply: UnitSupply) -> Passed:
        unit = self.view.unit(supply.unit)
        client, offer = self.side.clients.get(unit.id), self.states.best.serves.get(unit.id)
        with self.view.gather() as facts:
            near = fortress_source(facts, unit)
            formations = nearest_formations(facts, unit)  # on whose attachment it rests what it may draw on (6.4.1)
        fortress = near if client and near in client.always else ""
        found: Passed = {Loss("hex", str(self.view.unit(fortress or unit.id).place)): "line"}
        found |= {Loss("source", fortress): "line"} if fortress else {}
        if client and offer and supply.could.state:
            for leg in legs(self.side, self.states.best.serves, client, offer):
                found = self._with(found, leg)
        for name in formations:
            found.setdefault(Loss("hex", str(self.view.unit(name).place)), "line")
        if client and supply.could.state == "out" and not supply.isolated:
            for leg in legs_out(self.side, client):
                found = self._with(found, leg)
        return dict(sorted(found.items(), key=lambda passed: KINDS.index(passed[0].kind)))

    def _with(self, found: Passed, leg: Leg) -> Passed:
        """What is passed with one more leg of supply, and with the friends whose zones open a way out."""
        found |= {loss: found.get(loss, leg.part) for loss in self._losses(leg)}
        for hex in leg.hexes if leg.part == "way out" else ():
            if hex in self.around.enemy_zones:
                beside = self.around.friends.intersection(self.view.board.neighbours(hex))
                found = {Loss("hex", other): leg.part for other in sorted(beside)} | found
        return found

    def _losses(self, leg: Leg) -> Iterator[Loss]:
        """What may be lost of a leg of supply."""
        yield from (Loss("hex", hex) for hex in leg.hexes)
        if leg.part == "railway":
            yield from (Loss("railway", hex) for hex in leg.hexes)
            return
        if leg.source in self.view.state.units:
            yield Loss("source", leg.source)
        for over in (between(self.view, here, there) for here, there in pairwise(leg.hexes)):
            if GREAT_RIVERS & over.lies:
                yield Loss("bridge", over.name)
            if over.name == FERRY:
                yield Loss("hex", PILLAU)
