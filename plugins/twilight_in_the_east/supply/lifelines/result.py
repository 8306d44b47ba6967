"""The typed result of asking what supply hangs on."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.questions import note
from assistant.questions.sensitivity import Harm, Turned

from ..report import UnitSupply
from ..side.resting import Passage
from .losses import Kind, Loss


class Had(msgspec.Struct, frozen=True, kw_only=True):
    """The supply that a unit has in one position, with the best modes that its side may choose."""

    state: Annotated[str | None, note("in, low or out; null where facts are missing")]
    isolated: Annotated[bool | None, note("whether it is Isolated, if it is Out of Supply")] = None
    source: Annotated[str, note("what serves it, empty if nothing does")] = ""
    extended: Annotated[bool, note("whether that is in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of its line in hexes, null where it needs none or has none")] = None
    line: Annotated[tuple[str, ...], note("the hexes of its line after that of the source")] = ()

    @classmethod
    def of(cls, supply: UnitSupply) -> Had:
        """What a unit has of its supply."""
        could = supply.could
        return cls(
            state=could.state,
            isolated=supply.isolated if could.state == "out" else None,
            source=could.source,
            extended=could.extended,
            cost=could.cost,
            line=tuple(one.hex for one in could.line),
        )


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the supply of a unit."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    before: Annotated[Had, note("its supply as the position is")]
    after: Annotated[Had, note("its supply afterwards")]

    @classmethod
    def of(cls, turned: Turned[UnitSupply]) -> Effect:
        """What becomes of the supply of a unit, as compared."""
        before, after = Had.of(turned.before), Had.of(turned.after)
        return cls(unit=turned.subject, place=turned.before.place, before=before, after=after)


class LossTold(msgspec.Struct, frozen=True, kw_only=True):
    """A loss by which units are worse off."""

    kind: Annotated[
        Kind,
        note(
            "hex for one that an enemy enters, source for a unit that is eliminated, railway for a hex whose RR line is no longer "
            "operational, bridge for a hexside of a great river over which nothing leads any more"
        ),
    ]
    where: Annotated[str, note("the hex, the unit or the hexside")]
    worse: Annotated[tuple[Effect, ...], note("the units that have less supply then")] = ()
    better: Annotated[
        tuple[Effect, ...], note("the units that have more, because others no longer draw on their source")
    ] = ()
    gone: Annotated[tuple[str, ...], note("the units that are lost with it")] = ()

    @classmethod
    def of(cls, harm: Harm[Loss, UnitSupply]) -> LossTold:
        """What a loss does, as found out."""
        return cls(
            kind=harm.loss.kind,
            where=harm.loss.where,
            worse=tuple(map(Effect.of, harm.worse)),
            better=tuple(map(Effect.of, harm.better)),
            gone=harm.gone,
        )

    @property
    def severity(self) -> tuple[int, ...]:
        """How bad it is: how many units it leaves Isolated, how many Out of Supply, how many worse off."""
        then = [one.after for one in self.worse]
        return sum(bool(one.isolated) for one in then), sum(one.state == "out" for one in then), len(then)


class Through(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply passes a hex."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    by: Annotated[
        Passage,
        note(
            "what passes the hex: its own line, that of the source which serves it, the RR line behind them, or the way that "
            "keeps it from being Isolated"
        ),
    ]
    before: Annotated[Had, note("its supply as the position is")]
    after: Annotated[Had | None, note("its supply once an enemy has entered the hex, null if it is lost there")]


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """What serves a unit just as well without some hexes of its line."""

    unit: Annotated[str, note("its id")]
    without: Annotated[tuple[str, ...], note("hexes of which any one may fall")]
    same_line: Annotated[
        bool, note("whether its own line stays as it is, and another part of the way goes round the hex")
    ]
    after: Annotated[Had, note("its supply then")]


class Undecided(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply cannot be told as the position is."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    missing: Annotated[tuple[str, ...], note("what to state")]


class SideLifelines(msgspec.Struct, frozen=True, kw_only=True):
    """What the supply of a side hangs on, as far as it was asked."""

    side: Annotated[str, note("its name")]
    units: Annotated[int, note("how many units were asked about")]
    undecided: Annotated[tuple[Undecided, ...], note("those whose supply cannot be told as the position is")] = ()
    tried: Annotated[int, note("how many losses were supposed")] = 0
    losses: Annotated[tuple[LossTold, ...], note("those by which units are worse off, the worst first")] = ()
    through: Annotated[tuple[Through, ...], note("the units whose supply passes the hex that was named")] = ()
    alternatives: Annotated[tuple[Alternative, ...], note("of units that were named, what serves them as well")] = ()
    worse: Annotated[tuple[Effect, ...], note("the units that have less supply with what is supposed")] = ()
    unsure: Annotated[tuple[Effect, ...], note("the units of which more has to be stated to tell it then")] = ()
    better: Annotated[tuple[Effect, ...], note("the units that have more")] = ()
    otherwise: Annotated[
        tuple[Effect, ...], note("the units with the same state from another source or along another line")
    ] = ()
    waiting: Annotated[tuple[str, ...], note("RR hexes that enemies leave, non-friendly until they are converted")] = ()
    gone: Annotated[tuple[str, ...], note("the units that leave the map with what is supposed")] = ()


class Lifelines(msgspec.Struct, frozen=True, kw_only=True):
    """What supply hangs on."""

    zone: Annotated[bool, note("whether an enemy who enters a hex has a zone of control there")]
    sides: Annotated[tuple[SideLifelines, ...], note("each side that was asked for")] = ()
