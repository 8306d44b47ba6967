"""The question `intercepts`: Russian stacks that Wireless Intercepts reveal, and their units (26.2.7)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.asking import Answers, InputError, Parameters, PlaceName, Report, Step, View, declare, note, step
from assistant.asking.permission import permission
from assistant.asking.play import refuse_others, throw
from assistant.asking.view import changed
from assistant.state.changes import AnyChange
from assistant.state.vocabulary import Allowed, GameTurn
from assistant.util.errors import format_suggestion

from ..ground.calendar import active_now, phase_of
from .cover import concealed_stacks, moved_units, option_of, turn_over
from .rules import Lying, bars_of_intercepts, stacks_to_reveal, topmost_concealed

LISTENING_SIDE = "central-powers"
"""The side that listens."""
REVEALED_SIDE = "russian"
"""The side whose stacks are revealed."""
ROLLED = "intercepts"
RULE = "26.2.7"


class InterceptsParameters(Parameters, frozen=True):
    """Parameters of the question `intercepts`."""

    reveal: Annotated[
        tuple[PlaceName, ...], note("the hexes of the stacks that are revealed, once the die is rolled")
    ] = ()


class InterceptsResult(msgspec.Struct, frozen=True, kw_only=True):
    """The stacks that are revealed."""

    turn: GameTurn
    allowed: Allowed
    hidden: Annotated[tuple[str, ...], note("the hexes where a Russian stack lies concealed")] = ()
    stacks: Annotated[int | None, note("stacks that may be revealed, null before the die")] = None
    revealed: Annotated[tuple[str, ...], note("the units that are turned over, as far as they are known")] = ()


def answer(view: View, parameters: InterceptsParameters, answers: Answers) -> Report[InterceptsResult]:
    """Return the report on the intercepts of the turn.

    Raises MissingFacts if the turn is not stated, InputError if a stack is not concealed, or if there are more than the
    die allows.
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
    stacks = _find_hidden_stacks(view)
    reasons = _list_bars(view, turn)
    if reasons:
        refuse_others(answers, [])
    for hex in parameters.reveal:
        if hex not in stacks:
            raise InputError(f"reveal: no Russian stack lies concealed in {hex}", hint=format_suggestion(hex, stacks))
    title = "how many Russian stacks may be revealed"
    thrown = throw(ROLLED, RULE, title, lambda die: stacks_to_reveal(die, len(stacks)), {} if reasons else answers)
    max_stacks = None if reasons else thrown.came
    if max_stacks is not None and len(parameters.reveal) > max_stacks:
        what = f"reveal: the die allows only {max_stacks} of these {len(parameters.reveal)} stacks"
        raise InputError(what, hint="leave out some of them")
    lying = (
        [unit for hex in parameters.reveal for unit in _list_turned_over(view, stacks[hex])]
        if max_stacks is not None
        else []
    )
    result = InterceptsResult(
        turn=turn,
        allowed=not reasons,
        hidden=tuple(stacks),
        stacks=max_stacks,
        revealed=tuple(unit.unit for unit in lying),
    )
    changes: list[AnyChange] = [] if max_stacks is None else [changed(view, ROLLED, "", turn, RULE)]
    return permission(
        f"Wireless Intercepts of GT {turn}",
        (_write_verdict(result, parameters.reveal), "Wireless Intercepts are not rolled for now"),
        reasons,
        result,
        working={"Stacks": [step(RULE, "concealed: {hidden}", result)] if stacks and not reasons else ()},
        changes=[*changes, *(turn_over(view, unit, RULE) for unit in lying)],
        asks=() if reasons else thrown.asks,
        kind="figure",
        reveal=parameters.reveal,
    )


def _write_verdict(result: InterceptsResult, reveal: tuple[str, ...]) -> str:
    if result.stacks is None:
        return "[hidden:a die roll decides how many of {hidden:+} are revealed|no stack lies concealed]"
    if not reveal:
        return "{stacks:#stack} may be revealed (reveal=HEX)"
    return "revealed in {reveal}: [revealed:{revealed}|its owner says which units]"


def _list_bars(view: View, turn: int) -> list[Step]:
    against = bars_of_intercepts(turn, option_of(view), moved_units(view, LISTENING_SIDE))
    reasons = [step(RULE, "{why}", why=why) for why in against]
    phase = phase_of(view)
    if phase not in ("", "movement") or active_now(view) not in ("", LISTENING_SIDE):
        reasons.append(
            step(RULE, "they are rolled for only in the Movement Phase of the Central Powers' own player turn")
        )
    if turn and view.integer(ROLLED) == turn:
        reasons.append(step(RULE, "they have been rolled for in GT {turn}", turn=turn))
    return reasons


def _find_hidden_stacks(view: View) -> dict[str, list[Lying]]:
    unseen = {place: list[Lying]() for place in view.unseen if view.state.value("unseen", place) == REVEALED_SIDE}
    unseen = {place: stack for place, stack in unseen.items() if not view.state.stack(place)}
    return dict(sorted({**unseen, **concealed_stacks(view, REVEALED_SIDE)}.items()))


def _list_turned_over(view: View, stack: list[Lying]) -> list[Lying]:
    top = topmost_concealed(stack)
    if view.ruling("intercepts-units", len(stack) > 1) == "top" and top:
        return [top]
    return stack


QUESTION = declare(
    "intercepts",
    "how many Russian stacks Wireless Intercepts reveal, and what is turned over",
    answer,
    {ROLLED: "the die"},
)
