"""The question `lifelines`: losses that would harm units' supply, and the supply after them (14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, SideName, UnitName, View, declare, note
from assistant.asking.report import Part, Report, Step, step
from assistant.rules.field.units import check_units, sides_asked
from assistant.state.state import is_limited

from ...forces.markers import check_bearers
from ..report import UNTRIED, campaign_steps, format_missing
from ..side.states import side_states
from .report import (
    Lifelines,
    SideLifelines,
    alternative_step,
    effect_step,
    hanging_verdict,
    loss_steps,
    supposed_verdict,
    through_step,
    through_verdict,
    with_undecided,
)
from .search import LifelineSearch
from .suppositions import Suppositions, state_facts, supposes_enemy, vacated_hexes


class LifelinesParameters(Parameters, frozen=True):
    """The units whose supply is asked about, and a hex or a supposition to test."""

    unit: Annotated[tuple[UnitName, ...], note("ids of the units asked about; all units of the side if left out")] = ()
    side: Annotated[SideName, note("whose units; if left out, as for `supply`")] = ""
    through: Annotated[
        PlaceName, note("a hex: the units whose supply passes through it, and their supply if it falls")
    ] = ""
    if_: Annotated[
        str, note("what is supposed: `HEX enemy`, `off UNIT` or position notation, separated by semicolons")
    ] = msgspec.field(name="if", default="")
    zone: Annotated[bool, note("whether an enemy that enters a hex exerts a zone of control there; no if left out")] = (
        False
    )


def answer(view: View, parameters: LifelinesParameters) -> Report[Lifelines]:
    """Return the report on the dependences of units' supply.

    Raises MissingFacts if a fact that places units is not stated, InputError if a unit or side cannot be asked about or
    the supposition is impossible.
    """
    _check(view, parameters)
    title_of = view.game.file.title_of
    sides = sides_asked(view, parameters.side, parameters.unit, view.word("phasing"))
    standing = [side_states(view, side, causes=False).answer(parameters.unit) for side in sides]
    finders = [LifelineSearch(view, supply, parameters.unit, zone=parameters.zone) for supply in standing]
    if parameters.if_:
        title = f"if {parameters.if_}"
        lifelines = [_judge_supposed(view, finder, parameters) for finder in finders]
        outcome = supposed_verdict(lifelines)
    elif parameters.through:
        title = f"through {parameters.through}"
        lifelines = [finder.find_units_through(parameters.through) for finder in finders]
        outcome = through_verdict(parameters.through, lifelines)
    else:
        title = ""
        lifelines = [finder.find_harmful_losses() for finder in finders]
        outcome = hanging_verdict(lifelines)
    lifelines = [side for side in lifelines if side.units] or lifelines[:1]
    for left_out in campaign_steps(view, [row for finder in finders for row in finder.rows.values()]):
        view.premises.assume(left_out)
    for granted in _list_suppositions(parameters, lifelines):
        view.premises.assume(granted)
    whose = ", ".join(parameters.unit) or " and ".join(view.game.file.the_side(side.side) for side in lifelines)
    parts = list[Part]()
    for side in lifelines:
        parts += _list_parts(side, parameters, title_of(side.side) if len(lifelines) > 1 else "")
    asks = {ask.name: ask for supply in standing for ask in supply.asks}
    return Report(
        title=f"Supply of {whose}, {title}" if title else f"What the supply of {whose} depends on",
        verdict=with_undecided(outcome, lifelines),
        parts=tuple(parts),
        cautions=() if all(finder.exact for finder in finders) else (Step("", UNTRIED),),
        asks=tuple(asks.values()),
        result=Lifelines(zone=parameters.zone, sides=tuple(lifelines)),
    )


def _check(view: View, parameters: LifelinesParameters) -> None:
    """Raise InputError if a unit is off the map, two questions are combined, a place is a box, or the side is not the
    viewpoint's.
    """
    check_bearers(view, view.units())
    check_units(view, parameters.unit, parameters.side, "leave out the side or the unit")
    if parameters.through and parameters.if_:
        raise InputError("through and if cannot be combined", hint="ask them one after the other")
    if parameters.through and not view.board.is_hex(parameters.through):
        raise InputError(f"through: {parameters.through} is not a hex", hint="supply lines pass only through hexes")
    own = view.state.seen_by
    asked = {parameters.side, *(view.side_of(name) for name in parameters.unit)} - {""}
    if is_limited(own) and asked - {own}:
        what = f"the {view.game.file.title_of(own)} side sees only its own lifelines"
        raise InputError(what, hint="leave out the other side and its units")


def _judge_supposed(view: View, finder: LifelineSearch, parameters: LifelinesParameters) -> SideLifelines:
    try:
        supposed = Suppositions(view.game, finder.side, parameters.zone).suppose(view.state, parameters.if_)
    except InputError as error:
        error.what = f"if: {error.what}"
        raise
    state = supposed.state
    waiting = vacated_hexes(view, supposed, finder.side)
    if waiting:
        state = state_facts(view.game, state, {("operational", hex): "none" for hex in waiting})
    return msgspec.structs.replace(finder.compare_with(state), waiting=waiting)


def _list_suppositions(parameters: LifelinesParameters, sides: Sequence[SideLifelines]) -> Iterator[Step]:
    """Yield the assumptions: modes, ignored units, RR lines to convert, and the ZOC of an enemy who enters a hex."""
    yield Step("14.2", "each time the side flips its supply units to the modes that serve the most units")
    if parameters.unit:
        text = "losses of other units are ignored: only what the supply of these units passes through is tried"
        yield Step("14.2", text)
    enters = supposes_enemy(parameters.if_) if parameters.if_ else any(side.tried for side in sides)
    waiting = {hex for side in sides for hex in side.waiting}
    if parameters.if_ and waiting:
        text = "where an enemy stood, the RR line is operational only once RR Engineers have converted it: {hexes}"
        yield Step("17.1.2", text, {"hexes": sorted(waiting)})
    if enters:
        zone = "reaches the adjacent hexes (zone=yes)" if parameters.zone else "is not counted (count it with zone=yes)"
        yield Step("4.1", f"an enemy that enters a hex eliminates the units there, and its ZOC {zone}")


def _list_parts(lifelines: SideLifelines, parameters: LifelinesParameters, side: str) -> Iterator[Part]:
    """Yield the parts about one side.

    `side`: the side's title, or "" if the parts do not name it.
    """
    text = "{unit} in {place}: undecided; {wanted}"
    open_steps = [step("14.4", text, unit, wanted=format_missing(unit.missing)) for unit in lifelines.undecided]
    parts: dict[str, Iterable[Step]] = {"Undecided": open_steps}
    if parameters.if_:
        parts["Worse off"] = map(effect_step, lifelines.worse)
        parts["No longer certain"] = map(effect_step, lifelines.unsure)
        parts["Better off"] = map(effect_step, lifelines.better)
        parts["Supplied differently"] = map(effect_step, lifelines.otherwise)
        parts["Off the map"] = [step("14.4", "{gone}", gone=lifelines.gone)] if lifelines.gone else []
    elif parameters.through:
        parts[f"Supplied through {parameters.through}"] = map(through_step, lifelines.through)
    else:
        parts["Losses that worsen supply"] = loss_steps(lifelines.losses)
        parts["As well without"] = map(alternative_step, lifelines.alternatives)
    for title, steps in parts.items():
        yield Part(f"{title} ({side})" if side else title, tuple(steps))


QUESTION = declare(
    "lifelines",
    "what the supply of units depends on: hexes, sources and bridges whose loss worsens it",
    answer,
    decision=None,
)
