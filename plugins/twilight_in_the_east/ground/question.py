"""The questions `zones`, on zones of control (4.1), and `weather`, on the weather of a turn and its die (20.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated

import msgspec

from assistant.asking import InputError, note
from assistant.asking.asks import Ask
from assistant.asking.play import refuse_others, throw
from assistant.asking.question import Answers, Parameters, Sets, declare
from assistant.asking.report import MissingFacts, Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import View, changed
from assistant.mechanics.procedure import Modifier
from assistant.rules.field import Field
from assistant.rules.zones import ZoneHex, zones_question
from assistant.state.state import hexside
from assistant.state.vocabulary import GameTurn

from .calendar import TITLES, possible_weather, record_figure
from .hexsides import assume_crossed, field


def _assume(who: Field, zones: Sequence[ZoneHex]) -> None:
    crossed = []
    for zone in zones:
        for unit in (*zone.units, *zone.negated):
            side = hexside(str(who.view.unit(unit).place), zone.hex)
            if side in who.unstated(zone.side):
                crossed.append(side)
    assume_crossed(who.view, dict.fromkeys(crossed))


ZONES = zones_question(field, "4.1", "4.1.1", _assume)
MIN_SPECIAL_ROLL = 6
"""The minimum modified roll for Summer Heat or Freeze."""
MODIFIER_TURNS = range(37, 48)
"""Turns for which the turn record prints a modifier."""
WEATHER_EFFECTS: Mapping[str, tuple[str, str]] = {
    "normal": ("20.1", "no effects"),
    "summer-heat": ("20.1", "checks of Forced Marches take a DRM of +1"),
    "high-water": (
        "20.1",
        (
            "in the Grand Campaign a supply line counts one hex more to cross a Major or Grand River other than by "
            "rail, and moves pay the costs on the TEC"
        ),
    ),
    "freeze": ("20.1", "in the Grand Campaign minor rivers are ignored and wetlands are clear terrain"),
}
"""The rule and the effects of each kind of weather."""


def weather_on(turn: int, natural: int, modifier: int) -> str:
    """Return the weather of a turn.

    `natural`: the roll of one die, which counts only if the turn has a choice.

    Rule: 20.0
    """
    possible = possible_weather(turn)
    return possible[-1] if len(possible) == 1 or natural + modifier >= MIN_SPECIAL_ROLL else "normal"


class WeatherParameters(Parameters, frozen=True):
    """Parameters of the question `weather`."""

    modifier: Annotated[
        Annotated[int, msgspec.Meta(ge=-9, le=9)] | None,
        note("the Freeze modifier of the turn, from GT 37 on; from the turn record if left out"),
    ] = None


class WeatherResult(msgspec.Struct, frozen=True, kw_only=True):
    """The weather of a turn."""

    turn: GameTurn
    weather: Annotated[str | None, note("normal, summer-heat, high-water or freeze; null until rolled")]
    rolled: Annotated[bool, note("whether a die is rolled")]
    chance: Annotated[Fraction, note("the chance of weather other than normal, before the roll")]


def answer(view: View, parameters: WeatherParameters, answers: Answers) -> Report[WeatherResult]:
    """Return the report on the weather of the turn.

    Raises MissingFacts if the turn or its printed modifier is not stated, AnswerError if the turn has no die.
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
    possible = possible_weather(turn)
    rolled = len(possible) > 1
    modifier = _find_modifier(view, turn, parameters.modifier)
    if not rolled:
        refuse_others(answers, [])
    printed = (Modifier("20.0", "printed for the turn", modifier),) if modifier else ()
    comes = partial(weather_on, turn, modifier=modifier)
    thrown = throw("weather", "20.0", "the weather of the turn", comes, answers if rolled else {}, modifiers=printed)
    weather = thrown.came if rolled else possible[-1]
    special = sum(
        (chance for weather_chance, chance in thrown.chances.items() if weather_chance != "normal"), Fraction(0)
    )
    result = WeatherResult(turn=turn, weather=weather, rolled=rolled, chance=special)
    noted = weather and view.state.value("weather") != weather
    return Report(
        title=f"Weather of GT {turn}",
        verdict=_choose_verdict(result, possible[-1]),
        parts=(
            Part("Weather", (step(*WEATHER_EFFECTS[weather]),) if weather else (_die_step(modifier, possible[-1]),)),
        ),
        asks=thrown.asks if rolled else (),
        changes=(changed(view, "weather", "", weather, "20.0"),) if noted else (),
        result=result,
    )


def _find_modifier(view: View, turn: int, given: int | None) -> int:
    """Return the modifier of a turn's die, or 0 before GT 37."""
    if turn not in MODIFIER_TURNS:
        if given is not None:
            raise InputError(f"modifier: GT {turn} has none", hint="leave it out: only GT 37 to 47 have one")
        return 0
    modifier = record_figure(view, "freeze-drm") if given is None else given
    if modifier is None:
        how = "modifier=NUMBER, or enter it: assistant pack enter twilight-in-the-east turns"
        title = f"the Freeze DRM on the Turn Record Chart for GT {turn}"
        raise MissingFacts([Ask(kind="parameter", name="modifier", rule="20.0", title=title, how=how)])
    return modifier


def _die_step(modifier: int, special: str) -> Step:
    text = "{weather} on {least} or more" + (", with a DRM of {modifier}" if modifier else "")
    return step("20.0", text, weather=TITLES[special], least=MIN_SPECIAL_ROLL, modifier=modifier)


def _choose_verdict(result: WeatherResult, special: str) -> Verdict:
    if result.weather:
        return verdict("figure", "{weather} in GT {turn}", turn=result.turn, weather=TITLES[result.weather])
    text = "a die roll decides: {special} with a chance of {chance:%}"
    return verdict("figure", text, result, special=TITLES[special])


WEATHER = declare(
    "weather",
    "the weather of the turn, or the die roll that decides it",
    answer,
    {"weather": "the die"},
    shows=(Sets(track="weather", change="on"),),
)

QUESTIONS = (ZONES, WEATHER)
