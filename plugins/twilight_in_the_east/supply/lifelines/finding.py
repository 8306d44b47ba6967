"""What the supply of units of one side hangs on, found by supposing one loss after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from assistant.questions import View
from assistant.questions.sensitivity import compared, harms
from assistant.state.state import GameState

from ..side.report import UnitSupply
from ..side.states import side_supply
from .losses import Loss, after_loss
from .passing import Passed, Passing
from .result import Alternative, Effect, Had, LossTold, SideLifelines, Through, Undecided

Supplies = Mapping[str, UnitSupply]
UNDECIDED, ISOLATED, OUT, LOW, IN = range(5)
"""What supply is worth: the more, the better."""


def worth(supply: UnitSupply) -> int:
    """What a unit's supply is worth, with the best modes that its side may choose; least where facts are missing to tell it."""
    of = {None: UNDECIDED, "out": ISOLATED if supply.isolated else OUT, "low": LOW, "in": IN}
    return of[supply.could.state]


class Finder:
    """What the supply of a side's units hangs on. units: those that are asked about, all if none are named; zone: whether an enemy who
    enters a hex has a zone of control there.

    asks: what is to be asked about the units as the position is; exact: whether no choice of modes was better in all that was supposed.

    Raises MissingFacts for what has to be known to tell who stands where.
    """

    def __init__(self, view: View, side: str, units: Sequence[str], *, zone: bool) -> None:
        self.view, self.side, self.zone = view, side, zone
        self.named = units
        standing = side_supply(view, side, units, causes=False)
        self.now = {supply.unit: supply for supply in standing.supply.units}
        self.asks, self.exact = standing.asks, standing.supply.exact
        self.believed = {name: view.word("supply", name) for name in standing.states.side.believed}
        self.passing = Passing(standing.states)
        self._then: dict[Loss, Supplies] = {}

    def told(self, **more: Any) -> SideLifelines:
        """The result, with some of its fields."""
        undecided = (one for one in self.now.values() if one.could.state is None)
        told = tuple(Undecided(unit=one.unit, place=one.place, missing=one.missing) for one in undecided)
        return SideLifelines(side=self.side, units=len(self.now), undecided=told, **more)

    # --- what may be lost -------------------------------------------------------------------------------------------------

    def passed(self) -> dict[str, Passed]:
        """What the supply of each unit passes."""
        return {name: self.passing.of(name) for name in self.now}

    def losses(self, passed: Mapping[str, Passed]) -> list[Loss]:
        """What may be lost of all that is passed: with a zone of control the hexes beside it too, from which an enemy would close it."""
        found = dict.fromkeys(loss for losses in passed.values() for loss in losses)
        if self.zone:
            beside = (
                near for loss in tuple(found) if loss.kind == "hex" for near in self.view.board.neighbours(loss.where)
            )
            found |= dict.fromkeys(Loss("hex", near) for near in beside)
        held = {unit.place for unit in self.view.units() if self.view.side_of(unit.id) not in ("", self.side)}
        return [loss for loss in found if not (loss.kind == "hex" and loss.where in held)]

    def after(self, loss: Loss) -> Supplies:
        """The supply of the units after a loss."""
        if not self.zone and self.passing.is_gone_round(loss):
            return self.now
        if loss not in self._then:
            is_cut = self.passing.may_be_the_link(loss)
            lost, zone = (Loss("hex", loss.where), False) if is_cut else (loss, self.zone)
            state = after_loss(self.view.game, self.view.state, self.side, lost, zone=zone)
            self._then[loss] = self.among(state)
        return self._then[loss]

    def among(self, state: GameState) -> Supplies:
        """The supply of the units in another state, as far as they are on the map there. What the position gives a unit is believed only
        where nothing was traced for it."""
        there = [name for name in self.now if state.units[name].place]
        if not there:
            return {}
        standing = side_supply(self.view.instead(state), self.side, there, self.believed, causes=False)
        self.exact = self.exact and standing.supply.exact
        return {supply.unit: supply for supply in standing.supply.units}

    # --- answers ------------------------------------------------------------------------------------------------------------

    def hanging(self) -> SideLifelines:
        """Every loss by which a unit is worse off; of units that are named, also what serves them as well."""
        passed = self.passed()
        tried = self.losses(passed)
        found = [one for one in harms(self.view, tried, self.now, self.after, worth) if one.worse]
        bad = {one.loss for one in found}
        ways = self.alternatives(passed, bad) if self.named else ()
        losses = sorted(map(LossTold.of, found), key=lambda one: one.severity, reverse=True)
        return self.told(tried=len(tried), losses=tuple(losses), alternatives=tuple(ways))

    def alternatives(self, passed: Mapping[str, Passed], bad: Collection[Loss]) -> Iterator[Alternative]:
        """What serves each unit as well without the hexes of its line that it does not hang on. bad: those by whose loss a unit is
        worse off."""
        for name, now in self.now.items():
            lost = [loss for loss in passed[name] if loss.kind == "hex" and loss.where != now.place and loss not in bad]
            then = {loss.where: self.after(loss).get(name) for loss in lost}
            kept = [(hex, Had.of(supply)) for hex, supply in then.items() if supply and worth(supply) >= worth(now)]
            for after, some in groupby(kept, key=lambda one: one[1]):
                before = Had.of(now)
                same = (after.source, after.line) == (before.source, before.line)
                yield Alternative(unit=name, without=tuple(hex for hex, _ in some), same_line=same, after=after)

    def through(self, hex: str) -> SideLifelines:
        """The units whose supply passes a hex, and what each has once an enemy has entered it."""
        loss = Loss("hex", hex)
        passing = {name: passed[loss] for name, passed in self.passed().items() if loss in passed}
        then = self.after(loss) if passing else {}
        found = (
            Through(
                unit=name,
                place=self.now[name].place,
                by=by,
                before=Had.of(self.now[name]),
                after=Had.of(then[name]) if name in then else None,
            )
            for name, by in passing.items()
        )
        return self.told(through=tuple(found), tried=int(bool(passing)))

    def otherwise(self, state: GameState) -> SideLifelines:
        """What becomes of the units in another state."""
        then = self.among(state)
        worse, better = compared(self.now, then, worth)
        both = {one.subject for one in (*worse, *better)}
        effects = (
            Effect(unit=name, place=now.place, before=Had.of(now), after=Had.of(then[name]))
            for name, now in self.now.items()
            if name in then and name not in both
        )
        return self.told(
            worse=tuple(Effect.of(one) for one in worse if one.after.could.state),
            unsure=tuple(Effect.of(one) for one in worse if not one.after.could.state),
            better=tuple(map(Effect.of, better)),
            otherwise=tuple(one for one in effects if one.before != one.after),
            gone=tuple(name for name in self.now if name not in then),
        )
