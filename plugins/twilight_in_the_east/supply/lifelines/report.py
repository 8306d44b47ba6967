"""The units that depend on parts of a side's supply: results and texts (14.1, 14.2).

The results are losses that make supply worse, units supplied through a hex, alternative supply, and the effects of a
supposition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.asking import Step, Verdict, note, step, verdict
from assistant.asking.wording import fill, format_list

from ..report import UnitSupply, write_source
from ..rules import SupplyState

Passage = Literal["line", "source", "railway", "way out"]
"""The part of a unit's supply that passes a hex."""
Kind = Literal["hex", "source", "railway", "bridge"]
RULES: Mapping[Kind, str] = {"hex": "14.1", "source": "14.2", "railway": "17.1.1", "bridge": "14.1.1"}
"""The rule of each kind of loss."""
KINDS = tuple(RULES)
MAX_NAMED = 6
"""The maximum number of places named for losses with the same effects; the result lists all."""
WORDS: Mapping[SupplyState | None, str] = {
    "in": "In Supply",
    "low": "Low Supply",
    "out": "Out of Supply",
    None: "undecided",
}
LOSS_TEMPLATES: dict[Kind, str] = {
    "hex": "an enemy in {places}",
    "source": "{places} eliminated",
    "railway": "RR line out of use in {places}",
    "bridge": "no bridge or ferry across {places}",
}
"""The template of a loss, by kind."""
PASSAGE_WORDS: dict[Passage, str] = {
    "line": "its line",
    "source": "the line of its source",
    "railway": "the RR line behind it",
    "way out": "the route that keeps it from being Isolated",
}


class SupplyLoss(NamedTuple):
    """A hex, unit, RR hex or bridge that is lost."""

    kind: Kind
    """The kind of loss: a hex that an enemy enters, an eliminated source, a hex whose RR line stops working, or a river
    hexside without its bridge or ferry.
    """
    where: str
    """The hex, the unit or the hexside."""


class SupplyHeld(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply in one position, with the best modes that its side may choose."""

    state: Annotated[SupplyState | None, note("the supply state, null where facts are missing")]
    isolated: Annotated[bool | None, note("whether it is Isolated, if it is Out of Supply")] = None
    source: Annotated[str, note("the source that serves the unit, empty if none does")] = ""
    extended: Annotated[bool, note("whether the source is in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of its line in hexes, null if the unit needs or has no line")] = None
    line: Annotated[tuple[str, ...], note("the hexes of its line after that of the source")] = ()

    @property
    def now(self) -> str:
        """The supply state in words."""
        return WORDS[self.state] + (" and Isolated" if self.isolated else "")

    @property
    def worth(self) -> int:
        """The rank of the supply, higher for better; lowest if facts are missing."""
        ranks: Mapping[SupplyState | None, int] = {None: 0, "out": 1 if self.isolated else 2, "low": 3, "in": 4}
        return ranks[self.state]

    @classmethod
    def of(cls, supply: UnitSupply) -> SupplyHeld:
        could = supply.could
        return cls(
            state=could.state,
            isolated=supply.isolated if could.state == "out" else None,
            source=could.source,
            extended=could.extended,
            cost=could.cost,
            line=tuple(entered.hex for entered in could.line),
        )


class SupplyEffect(msgspec.Struct, frozen=True, kw_only=True):
    """The change of a unit's supply."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex or box")]
    before: Annotated[SupplyHeld, note("the supply in the position as it stands")]
    after: Annotated[SupplyHeld, note("the supply afterwards")]


class HarmfulLoss(msgspec.Struct, frozen=True, kw_only=True):
    """A loss that leaves units worse off."""

    kind: Annotated[Kind, note("hex that an enemy enters, source eliminated, railway out of use, or bridge lost")]
    where: Annotated[str, note("the hex, the unit or the hexside")]
    worse: Annotated[tuple[SupplyEffect, ...], note("units worse supplied after the loss")] = ()
    better: Annotated[
        tuple[SupplyEffect, ...], note("units better supplied after the loss, as others no longer draw on their source")
    ] = ()
    gone: Annotated[tuple[str, ...], note("the units that are lost with the hex or the source")] = ()

    @property
    def severity(self) -> tuple[int, ...]:
        """The numbers of units that the loss leaves Isolated, Out of Supply and worse off."""
        then = [effect.after for effect in self.worse]
        return sum(bool(state.isolated) for state in then), sum(state.state == "out" for state in then), len(then)


class PassingUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply passes through a hex."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex or box")]
    by: Annotated[
        Passage,
        note(
            "what passes through the hex: the unit's line, its source's line, the RR line behind that line, "
            "or the route that keeps the unit from being Isolated"
        ),
    ]
    before: Annotated[SupplyHeld, note("the supply in the position as it stands")]
    after: Annotated[
        SupplyHeld | None, note("the supply once an enemy has entered the hex, null if the unit is lost there")
    ]


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply in the same position without some hexes of its line."""

    unit: Annotated[str, note("the id")]
    without: Annotated[tuple[str, ...], note("hexes, any one of which may fall")]
    same_line: Annotated[bool, note("whether its own line stands, with another stretch of the route bypassing the hex")]
    after: Annotated[SupplyHeld, note("the supply after such a loss")]


class UndecidedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply is undecided in the position."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex or box")]
    missing: Annotated[tuple[str, ...], note("what to state")]


class SideLifelines(msgspec.Struct, frozen=True, kw_only=True):
    """The dependences of a side's supply that were asked for."""

    side: Annotated[str, note("the name")]
    units: Annotated[int, note("how many units were asked about")]
    undecided: Annotated[tuple[UndecidedUnit, ...], note("units whose supply state the position leaves open")] = ()
    tried: Annotated[int, note("how many losses were tried")] = 0
    losses: Annotated[tuple[HarmfulLoss, ...], note("losses that leave units worse off, the worst first")] = ()
    through: Annotated[tuple[PassingUnit, ...], note("units whose supply passes through the hex named")] = ()
    alternatives: Annotated[
        tuple[Alternative, ...], note("for units that were named, what could serve them instead")
    ] = ()
    worse: Annotated[tuple[SupplyEffect, ...], note("units worse supplied under what is supposed")] = ()
    unsure: Annotated[
        tuple[SupplyEffect, ...], note("units whose supply under what is supposed is undecided until more is stated")
    ] = ()
    better: Annotated[tuple[SupplyEffect, ...], note("units better supplied under what is supposed")] = ()
    otherwise: Annotated[
        tuple[SupplyEffect, ...], note("units with the same state from another source or line under what is supposed")
    ] = ()
    waiting: Annotated[tuple[str, ...], note("RR hexes vacated by enemies, non-friendly until converted")] = ()
    gone: Annotated[tuple[str, ...], note("units that leave the map under what is supposed")] = ()


class Lifelines(msgspec.Struct, frozen=True, kw_only=True):
    """The dependences of supply."""

    zone: Annotated[bool, note("whether an enemy that enters a hex exerts a zone of control there")]
    sides: Annotated[tuple[SideLifelines, ...], note("each side asked about")] = ()


def _write_supply(had: SupplyHeld) -> str:
    return "{now}" + write_source(had.source, had.cost, extended=had.extended)


def _format_supply(had: SupplyHeld) -> str:
    return fill(_write_supply(had), {"now": had.now, "source": had.source, "cost": had.cost})


def _format_places(places: Sequence[str]) -> str:
    more = len(places) - MAX_NAMED
    named = [*places[:MAX_NAMED], f"{more} more"] if more > 1 else list(places)
    return " or ".join(filter(None, [", ".join(named[:-1]), named[-1]]))


# --- losses -----------------------------------------------------------------------------------------------------------


def loss_steps(losses: Sequence[HarmfulLoss]) -> Iterator[Step]:
    """Return the steps that list the losses and their effects on the supply of units.

    Losses of the same kind and with the same effects share a step.
    """
    same: dict[tuple[object, ...], list[HarmfulLoss]] = {}
    for loss in losses:
        effects = tuple((effect.unit, effect.before.now, effect.after.now) for effect in (*loss.worse, *loss.better))
        same.setdefault((loss.kind, effects, loss.gone), []).append(loss)
    return map(_loss_step, same.values())


def _loss_step(some: Sequence[HarmfulLoss]) -> Step:
    loss = some[0]
    effects = "; ".join([*_changes(loss.worse), *_changes(loss.better)])
    text = f"{LOSS_TEMPLATES[loss.kind]}: {{effects}}[gone:; {{gone}} lost]"
    return step(RULES[loss.kind], text, loss, places=_format_places([each.where for each in some]), effects=effects)


def _changes(effects: Iterable[SupplyEffect]) -> Iterator[str]:
    """Yield texts on the changes of units, such as "22/1 and 24/1 go from In Supply to Low Supply"."""
    same: dict[tuple[str, str], list[str]] = {}
    for effect in effects:
        same.setdefault((effect.before.now, effect.after.now), []).append(effect.unit)
    for (before, after), units in same.items():
        yield f"{format_list(units)} {'go' if units[1:] else 'goes'} from {before} to {after}"


def hanging_verdict(sides: Sequence[SideLifelines]) -> Verdict:
    """Return the number of units that a single loss would harm, and the worst loss."""
    units = sum(side.units for side in sides)
    losses = [loss for side in sides for loss in side.losses]
    if not units:
        return verdict("figure", "no units on the map")
    if not losses:
        text = "no single loss of a hex, source, RR hex or bridge worsens the supply of {units:#unit}"
        return verdict("figure", text, units=units)
    worst = max(losses, key=lambda loss: loss.severity)
    hanging = len({effect.unit for loss in losses for effect in loss.worse})
    certain = all(effect.after.state for loss in losses for effect in loss.worse)
    doubt = "would" if certain else "may"
    text = f"a single loss {doubt} worsen the supply of {{hanging}} of {{units:#unit}}; the worst: {LOSS_TEMPLATES[worst.kind]}"
    return verdict("figure", text, hanging=hanging, units=units, places=worst.where)


def alternative_step(alternative: Alternative) -> Step:
    """Return the step on a unit's alternative supply."""
    text = (
        f"{{unit}} without {{places}}: {_write_supply(alternative.after)}"
        "[same_line: along the same line, as another route bypasses the hex][by_line:, by {line}]"
    )
    words = {"by_line": alternative.after.line and not alternative.same_line}
    return step("14.1", text, alternative, alternative.after, places=_format_places(alternative.without), **words)


# --- supply through a hex ---------------------------------------------------------------------------------------------


def through_step(unit: PassingUnit) -> Step:
    """Return the step on a unit whose supply passes through a hex."""
    text = "{unit} in {place}, by {part}: {has}; then " + (_write_supply(unit.after) if unit.after else "lost")
    return step("14.1", text, unit, unit.after, part=PASSAGE_WORDS[unit.by], has=unit.before.now)


def through_verdict(hex: str, sides: Sequence[SideLifelines]) -> Verdict:
    """Return the numbers of units supplied through a hex, and of those that would be worse off."""
    units = [unit for side in sides for unit in side.through]
    if not units:
        return verdict("figure", "the supply of none of these units passes through {hex}", hex=hex)
    worse = [unit.after for unit in units if unit.after and unit.after.worth < unit.before.worth]
    doubt = "would" if all(after.state for after in worse) else "may"
    text = (
        f"the supply of {{units:#unit}} passes through {{hex}}; with an enemy there {{worse}} {doubt} be worse off"
        "[gone:, {gone} lost]"
    )
    gone = SimpleNamespace(gone=sum(unit.after is None for unit in units))
    return verdict("figure", text, gone, units=len(units), hex=hex, worse=len(worse))


def with_undecided(outcome: Verdict, sides: Sequence[SideLifelines]) -> Verdict:
    """Return a verdict with the number of undecided units added."""
    many = sum(len(side.undecided) for side in sides)
    if not many:
        return outcome
    text = f"{outcome.template}; {{missing:#unit}} undecided"
    return Verdict("undecided", text, {**outcome.figures, "missing": many})


# --- suppositions -----------------------------------------------------------------------------------------------------


def effect_step(effect: SupplyEffect) -> Step:
    """Return the step on the change of a unit's supply."""
    has = _format_supply(effect.before)
    gets = _format_supply(effect.after)
    if has == gets:
        return step("14.4", "{unit} in {place}: {has}, then along {line}", effect, effect.after, has=has)
    return step("14.4", "{unit} in {place}: {has}, then {gets}", effect, has=has, gets=gets)


def supposed_verdict(sides: Sequence[SideLifelines]) -> Verdict:
    """Return the numbers of units that the supposition leaves worse and better off."""
    lists = ("worse", "unsure", "better", "gone")
    worse, unsure, better, gone = (sum(len(getattr(side, name)) for side in sides) for name in lists)
    what = "{worse:#unit} worse off, {gaining} better off"
    if not (worse or unsure or better):
        what = "no unit is better or worse off"
    text = f"{what}[doubtful:, {{doubtful}} undecided][gone:, {{gone}} off the map]"
    return verdict("figure", text, SimpleNamespace(doubtful=unsure, gone=gone), worse=worse, gaining=better)
