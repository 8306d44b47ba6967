"""The weather of a turn, and the die that decides it (20.0)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.game.turn_record import TurnFact
from assistant.service import parse
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from twilight_in_the_east.ground import calendar
from twilight_in_the_east.ground.calendar import possible_weather, weather_left_out
from twilight_in_the_east.ground.question import weather_on

from ...conftest import answered, told, typed, viewed


def asked(turn: int, die: int | None = None, **given: Any) -> Report[Any]:
    answers = {} if die is None else {"answers": {"weather": die}}
    return answered(typed(f"turn={turn}"), "weather", **given, **answers)


@pytest.mark.rule("20.0")
@pytest.mark.parametrize(
    ("turn", "die", "modifier", "weather"),
    [
        (1, 5, 0, "normal"),
        (1, 6, 0, "summer-heat"),
        (10, 6, 0, "summer-heat"),
        (11, 6, 0, "normal"),
        (16, 6, 0, "normal"),
        (17, 1, 0, "high-water"),
        (23, 1, 0, "high-water"),
        (24, 6, 0, "normal"),
        (33, 6, 0, "normal"),
        (34, 6, 0, "freeze"),
        (34, 5, 0, "normal"),
        (37, 5, 1, "freeze"),
        (47, 4, 1, "normal"),
    ],
)
def test_six_or_more_brings_heat_or_freeze(turn: int, die: int, modifier: int, weather: str) -> None:
    assert weather_on(turn, die, modifier) == weather
    assert weather in possible_weather(turn)


@pytest.mark.rule("20.0")
def test_the_weather_of_a_turn_is_not_that_of_the_next() -> None:
    hot = typed("turn=3 phasing=russian weather=summer-heat")
    assert parse("phasing=central-powers", hot).state.value("weather") == "summer-heat"
    assert parse("turn=4", hot).state.value("weather") is None
    assert parse("turn=4 weather=normal", hot).state.value("weather") == "normal"


@pytest.mark.rule("20.0")
def test_the_die_of_a_turn_with_the_printed_modifier_from_gt_37_on() -> None:
    before = asked(3)
    assert [ask.name for ask in before.asks] == ["weather"]
    assert before.verdict.text == "a die roll decides: Summer Heat with a chance of 16.7%"
    assert told(before) == ["Summer Heat on 6 or more"]
    hot = asked(3, 6)
    assert (hot.verdict.text, hot.result.rolled) == ("Summer Heat in GT 3", True)
    assert [(one.track, one.after) for one in hot.changes] == [("weather", "summer-heat")]
    water = asked(20)
    assert (water.result.weather, water.result.rolled, water.asks) == ("high-water", False, ())
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        answered(typed("turn=20\nanswers weather=6"), "weather")
    assert asked(36).result.chance == Fraction(1, 6)
    assert asked(37, modifier=2).result.chance == Fraction(1, 2)
    assert asked(37, 4, modifier=2).result.weather == "freeze"
    assert told(asked(37, modifier=2)) == ["Freeze on 6 or more, with a DRM of 2"]
    with pytest.raises(InputError, match="modifier: GT 36 has none"):
        asked(36, modifier=2)
    assert [ask.name for ask in asked(37).asks] == ["modifier"]


def test_a_figure_of_the_turn_record(monkeypatch: pytest.MonkeyPatch) -> None:
    view = viewed("turn=37")
    every = calendar.turns(view.game)

    def printed(text: str, source: Source = Source.PRINTED) -> int | None:
        own = msgspec.structs.replace(every[36], figures={"freeze-drm": TurnFact(text, source=source)})
        monkeypatch.setattr(calendar, "turns", lambda game: (*every[:36], own, *every[37:]))
        return calendar.record_figure(view, "freeze-drm")

    assert (printed("+1"), printed("2"), printed("2", Source.RECONSTRUCTION)) == (1, 2, None)
    assert calendar.record_figure(viewed(""), "freeze-drm") is None
    with pytest.raises(InputError, match="freeze-drm of turn 37: 'cold' is not a whole number"):
        printed("cold")


@pytest.mark.rule("20.0", "1.1")
def test_only_high_water_and_freeze_belong_to_the_grand_campaign() -> None:
    def left_out(text: str) -> list[str]:
        return [one.text.partition(" is ")[0] for one in weather_left_out(viewed(text))]

    assert left_out("turn=20 weather=high-water") == ["High Water"]
    assert left_out("turn=40 weather=freeze") == ["Freeze"]
    assert left_out("turn=40 weather=freeze campaign") == []
    assert left_out("turn=3 weather=summer-heat") == [], "summer heat counts in every scenario"
    assert left_out("turn=3 weather=normal") == []


@pytest.mark.rule("20.0", "1.1")
def test_ignored_weather_says_that_the_campaign_is_not_stated_only_where_it_is_not() -> None:
    (unstated,), (stated,) = (
        weather_left_out(viewed(f"turn=40 weather=freeze{rest}")) for rest in ("", " campaign=no")
    )
    ignored = "Freeze is ignored: it applies only in the campaign game (c)"
    assert (unstated.text, stated.text) == (f"{ignored}; state `campaign` if this is one", ignored)
