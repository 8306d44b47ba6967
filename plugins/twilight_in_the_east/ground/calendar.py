"""What hangs on the game turn and on the game that is played: the season of the tables, the weather, and the rules of the Grand Campaign alone,
marked (c), which hold where `campaign` is stated; a report names one that it has left out (1.1, 19.0, 20.0).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.questions import Gather, InputError, Step, View, step

ALONE = "in the campaign game (c) alone, and campaign is not stated"
"""How the line of a rule ends that was left out for want of a word on the campaign."""


def is_silent(view: View) -> bool:
    """Whether nobody has stated if the rules of the campaign are in use."""
    return view.state.value("campaign") is None


def left_out(view: View, rule: str, template: str, **figures: Any) -> list[Step]:
    """The line that a rule of the campaign was left out, where nobody has stated if these are in use; nothing where somebody has.

    template: what the rule would do, up to ALONE: "HN Corps belongs with AG P-B".
    """
    return [step(rule, f"{template} {ALONE}", **figures)] if is_silent(view) else []


def in_campaign(facts: View | Gather, matters: bool, rule: str, template: str, **figures: Any) -> bool:
    """Whether a rule of the campaign holds; where that matters and nobody has stated it, the report names the rule as left out.

    template: as for `left_out`.
    """
    view = facts.view if isinstance(facts, Gather) else facts
    for line in left_out(view, rule, template, **figures) if matters else ():
        view.presume(line)
    return view.flag("campaign")


LAST_SUMMER_TURN = 27
TITLES = {
    "normal": "normal weather",
    "summer-heat": "Summer Heat",
    "high-water": "High Water",
    "freeze": "Freeze",
}
"""What the kinds of weather are called in texts."""
CAMPAIGN_ONLY = ("high-water", "freeze")
"""The weather whose effects belong to the Grand Campaign (20.1)."""


def is_summer(turn: int) -> bool:
    """Whether a turn lies in Summer: GT 1 to 27. Rule: 10.9, 11.3.1e"""
    return turn <= LAST_SUMMER_TURN


def season(turn: int) -> str:
    """Which tables are in use: Summer to GT 27, Autumn from GT 28. Rule: 10.9, 19.0"""
    return "summer" if is_summer(turn) else "autumn"


def possible_weather(turn: int) -> tuple[str, ...]:
    """The weather that a turn may have: High Water in GT 17 to 23, a roll before GT 11 and from GT 34, else normal.
    Rule: 20.0
    """
    if 17 <= turn <= 23:
        return ("high-water",)
    if turn <= 10:
        return ("normal", "summer-heat")
    return ("normal", "freeze") if turn >= 34 else ("normal",)


def weather_left_out(view: View) -> list[Step]:
    """A line for weather that is stated and yet counts for nothing, as the campaign's rules are not in use.
    Rule: 20.0
    """
    stated = view.state.value("weather")
    if stated not in CAMPAIGN_ONLY or view.state.value("campaign"):
        return []
    text = "{weather} is ignored: it applies only in the campaign game (c), and campaign is not stated"
    return [Step("20.0", text, {"weather": TITLES[str(stated)]})]


def flood_left_out(view: View, hexsides: Sequence[str]) -> list[Step]:
    """A line for High Water and Autumn, which make rivers dearer to supply lines, where they count for nothing as nobody has stated
    whether the campaign's rules are in use. hexsides: the Major and Grand Rivers that lines cross otherwise than by rail (14.1.2).
    """
    turn = view.integer("turn")
    silent = is_silent(view) and view.state.value("weather") not in CAMPAIGN_ONLY  # which says so itself
    if not (hexsides and turn and silent):
        return []
    season = "Autumn" if not is_summer(turn) else "High Water" if "high-water" in possible_weather(turn) else ""
    if not season:
        return []
    text = "crossing {hexsides} in {season} costs no more: it does in the campaign game (c), and campaign is not stated"
    return [Step("14.1.2", text, {"hexsides": tuple(hexsides), "season": season})]


def weather(facts: Gather, *among: str) -> str:
    """The weather of the turn, asked for only where it may be one that matters (`among`) (20.0).

    Raises InputError for one that the turn cannot have.
    """
    turn = facts.integer("turn")
    possible = possible_weather(turn)
    stated = facts.view.state.value("weather")
    if stated is None and (len(possible) == 1 or not set(possible) & set(among)):
        return possible[0]
    stated_weather = facts.word_among("weather", possible)
    if turn and stated_weather and stated_weather not in possible:
        raise InputError(
            f"weather: {TITLES[stated_weather]} cannot occur in GT {turn}", hint="it may be " + " or ".join(possible)
        )
    return stated_weather
