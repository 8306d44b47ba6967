"""The question `clock`: the clocks of two fronts played at different speeds, and the next front (5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from assistant.asking import InputError, Part, Report, Step, View, declare, note, refused, step, verdict
from assistant.asking.view import changed
from assistant.rules.next_phase import lapsing
from assistant.state.changes import Change
from assistant.state.tracks import Value
from assistant.util.errors import format_suggestion
from assistant.util.texts import whole

Front = Literal["north", "south"]
FRONTS: Mapping[str, str] = {"north": "the Northern Front", "south": "the Southern Front", "both": "both fronts"}
OTHER_FRONT: Mapping[str, Front] = {"north": "south", "south": "north"}
HANDS = ("turn", "phasing", "phase", "weather")
"""The tracks of a clock."""
OTHER_CLOCK = "other-clock"
"""Track: the clock of the other front, its values separated by spaces."""
Clock = Mapping[str, Value | None]


class ClockResult(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks of the fronts."""

    front: Annotated[str, note("front of which the turn and the phase are stated: north, south or both")]
    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phase: Annotated[str, note("the phase by its word, empty if it is not stated")]
    side: Annotated[str, note("the phasing side, empty outside the player turns")]
    other_turn: Annotated[int, note("game turn of the other front")]
    other_phase: Annotated[str, note("phase of the other front by its word")]
    other_side: Annotated[str, note("phasing side of the other front")]


def _read_clock(view: View) -> Clock:
    """Return the stated clock of the position's front."""
    facts = view.state.facts
    return {hand: facts[hand, ""].value if (hand, "") in facts else None for hand in HANDS}


def _read_other_clock(view: View) -> Clock:
    """Return the stated clock of the other front.

    Raises InputError for a word that no clock has.
    """
    clock = dict[str, Value | None].fromkeys(HANDS)
    for word in view.word(OTHER_CLOCK).split():
        number = whole(word)
        if number is not None:
            clock["turn"] = view.game.track("turn").check(number)
        else:
            hand = _require_clock(view, word)
            clock[hand] = view.game.track(hand).check(word)
    return clock


def _require_clock(view: View, word: str) -> str:
    """Return the track of a clock that has a value.

    Raises InputError if there is none.
    """
    known = list[str]()
    for hand in HANDS:
        values = view.game.track(hand).values
        if word in values:
            return hand
        known += values
    raise InputError(f"{OTHER_CLOCK}: {word!r} is not shown by a clock", hint=format_suggestion(word, known))


def _write_clock(clock: Clock) -> str:
    return " ".join(str(value) for value in clock.values() if value is not None)


def exchange_clocks(at: str, front: Front, now: Clock, other: Clock) -> tuple[Clock, Clock]:
    """Return the clock of the front that continues, and the clock of the other front.

    Each front has its own clock, which stops while the other front is played. Both are equal until the fronts are
    separated.

    `at`: the front whose clock is `now`, or both for the two together.

    Rule: 5.1
    """
    if at == front:
        return now, other
    if at == "both":
        return now, now
    return other, now


def answer(
    view: View,
    *,
    front: Annotated[Front | None, note("the front that goes on; where both stand if left out")] = None,
) -> Report[ClockResult]:
    """Return the report on the clocks.

    A change of fronts is refused while facts are stated that would end with the other front's phase, such as Movement
    Points spent: that phase must be played to its end first.
    """
    at = view.word("at-front")
    now = _read_clock(view)
    other = _read_other_clock(view)
    if front is None or front == at:
        shown = now if at == "both" else other
        return Report(
            title="The clocks of the fronts",
            verdict=verdict("figure", "the position shows the clock of {front}", front=FRONTS[at]),
            parts=(Part("Clocks", tuple(_clock_steps(view, at, now, shown))),),
            result=_compare_clocks(at, now, shown),
        )
    after, left = exchange_clocks(at, front, now, other)
    changes = list(_clock_changes(view, front, after, left))
    became = {change.track: change.after for change in changes}
    ending = [change for change in lapsing(view, became) if change.track != "weather"]
    if ending:
        text = "facts of this phase would be lost, such as {fact}: finish the phase first (ask next)"
        first = view.game.track(ending[0].track).title
        return refused("The clock", "{front} cannot go on yet", [step("5.1", text, fact=first)], front=FRONTS[front])
    return Report(
        title="The clock",
        verdict=verdict("yes", "{front} goes on", front=FRONTS[front]),
        parts=(Part("Clocks", tuple(_clock_steps(view, front, after, left))),),
        changes=tuple(changes),
        result=_compare_clocks(front, after, left),
    )


def _clock_changes(view: View, front: Front, now: Clock, other: Clock) -> Iterator[Change]:
    values: dict[str, Value | None] = {"at-front": front, **now, OTHER_CLOCK: _write_clock(other) or None}
    for track, value in values.items():
        change = changed(view, track, "", value, "5.1")
        if change.before != change.after:
            yield change


def _compare_clocks(at: str, now: Clock, other: Clock) -> ClockResult:
    def text(clock: Clock, hand: str) -> str:
        return str(clock[hand] or "")

    def turn(clock: Clock) -> int:
        number = clock["turn"]
        return number if isinstance(number, int) else 0

    return ClockResult(
        front=at,
        turn=turn(now),
        phase=text(now, "phase"),
        side=text(now, "phasing"),
        other_turn=turn(other),
        other_phase=text(other, "phase"),
        other_side=text(other, "phasing"),
    )


def _clock_steps(view: View, at: str, now: Clock, other: Clock) -> Iterator[Step]:
    text = "{front}: [turn:GT {turn}|game turn not stated][phase:, {phase}][side: of {side}]"
    for front, clock in [(at, now)] if at == "both" else [(at, now), (OTHER_FRONT[at], other)]:
        side = view.game.file.the_side(str(clock["phasing"])) if clock["phase"] and clock["phasing"] else ""
        yield step("5.1", text, front=FRONTS[front], turn=clock["turn"], phase=clock["phase"], side=side)


QUESTION = declare(
    "clock", "where each front stands if the two are played at different speeds, and which one goes on", answer
)
