"""The question `morale` on national morale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from assistant.asking import NationName, Part, Report, Step, View, declare, note, step, verdict
from assistant.game.events import AccountLevel, read_events
from assistant.game.schedule_files import read_schedules
from assistant.game.typed_events import levels_by_account

from .terms import (
    BELGIAN,
    BRITISH,
    BULGARIAN,
    FRENCH,
    GERMAN,
    ROMANIAN,
    RUSSIAN,
    SERBIAN,
    SURRENDER,
    dates_of,
    format_nation,
    is_so,
    list_remarks,
    read_rows,
    turn_now,
)

ALLIES = (FRENCH, BRITISH)
MORALE = ("Shaken", "Economic Collapse", "Surrender")


class MoraleEffect(msgspec.Struct, frozen=True):
    """The effect of a level, by the track that states the turn since which the level holds."""

    who: str
    """The nation whose level has the effect."""
    level: Literal["aided", "surprised", "shaken", "collapse", "surrender", "ally-lost", "left"]
    rule: str
    text: str


class LevelState(msgspec.Struct, frozen=True):
    """A level of morale."""

    title: Annotated[str, note("the name")]
    at: Annotated[int, note("the demoralization points with which it begins")]
    since: Annotated[str, note("the turn in which it was reached, empty if it was not")]
    left: Annotated[int, note("the points that are missing to it")]


class Morale(msgspec.Struct, frozen=True, kw_only=True):
    """The morale of a nation."""

    who: Annotated[str, note("the nation")]
    points: Annotated[int, note("the demoralization points")]
    state: Annotated[str, note("the highest level reached, empty for none")]
    levels: Annotated[tuple[LevelState, ...], note("the levels, the lowest first")]
    out: Annotated[str, note("why it is out of the war, empty if it is not")] = ""
    monthly: Annotated[int, note("points that it suffers in each special turn")] = 0


def level_states(view: View, who: str) -> tuple[LevelState, ...]:
    """Return the levels of a nation, each with the turn in which it was reached and the points missing.

    Rule: 3-11, 4-3, 5-5, 6-18, 7-8, 8-6, 11-3, 13-4
    """
    levels: tuple[AccountLevel, ...] = levels_by_account(read_events(view.game)).get(("dm", who), ())
    points = view.integer("dm", who)
    return tuple(
        LevelState(level.title, level.at, view.word(level.since, who), max(0, level.at - points)) for level in levels
    )


def has_reached(view: View, track: str, who: str) -> bool:
    """Return whether a nation has reached a level: by the stated turn, or by its points.

    Rule: 3-11
    """
    if view.word(track, who):
        return True
    levels = levels_by_account(read_events(view.game)).get(("dm", who), ())
    return any(level.since == track and view.integer("dm", who) >= level.at for level in levels)


def find_reason_out(view: View, who: str) -> tuple[str, str] | None:
    """Return the reason why a nation is out of the war, and the rule, or None while it fights.

    Rule: 6-18, 7-13, 9-4, 10-7, 11-3, 11-4, 13-4
    """
    reasons = (
        (has_reached(view, SURRENDER, who), "26", "it has surrendered"),
        (who == ROMANIAN and has_reached(view, SURRENDER, RUSSIAN), "7-13", "it surrenders with Russia"),
        (who == BULGARIAN and has_reached(view, "left", who), "11-3", "its forces are removed from the game"),
        (who == BULGARIAN and has_reached(view, "ally-lost", GERMAN), "11-4", "it surrenders as Germany is worn down"),
        (who == SERBIAN and is_so(view, "serbia-fell"), "9-4", "its units are removed from play"),
        (
            who == BELGIAN and all(has_reached(view, SURRENDER, ally) for ally in ALLIES),
            "10-7",
            "France and Great Britain have surrendered",
        ),
    )
    return next(((why, rule) for holds, rule, why in reasons if holds), None)


def count_imports(view: View, who: str, turn: int) -> tuple[int, str]:
    """Return the points for lack of imports in each special turn, and the rule.

    Rule: 3-10, 6-17
    """
    dates = dates_of(view)
    due = (row for row in read_schedules(view.game).rows if (row.item, row.who) == ("imports", who))
    in_force = ((row.amount, row.rule) for row in due if dates.is_within(turn, row.from_, row.until, who))
    return next(in_force, (0, ""))


def morale(view: View, *, who: NationName) -> Report[Morale]:
    """Return the report on the morale of a nation.

    Rule: 3-11, 4-3, 5-5, 6-18, 7-8, 8-6, 10-7, 11-3, 13-4
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    levels = level_states(view, who)
    out, rule = find_reason_out(view, who) or ("", "")
    monthly, monthly_rule = count_imports(view, who, turn)
    reached = [level for level in levels if level.since or not level.left]
    steps_of_morale = [level for level in reached if level.title in MORALE]
    found = Morale(
        who=who,
        points=view.integer("dm", who),
        state=steps_of_morale[-1].title if steps_of_morale else "",
        levels=levels,
        out=out,
        monthly=monthly,
    )
    ahead = [level for level in levels if level not in reached]
    ahead.sort(key=lambda level: level.title not in MORALE)
    text = "{who}: {points} demoralization points, {state}"
    figures: dict[str, object] = {}
    if out:
        text = "{who}: out of the war, {out}"
    elif ahead:
        text += "; {left} to {next}"
        figures = {"left": ahead[0].left, "next": ahead[0].title}
    return Report(
        title=f"Morale of {format_nation(view, who)}",
        verdict=verdict(
            "figure",
            text,
            found,
            who=format_nation(view, who),
            state=found.state or "not Shaken",
            **figures,
        ),
        parts=(
            Part("Levels", tuple(_level_steps(view, found, rule, monthly_rule))),
            Part("What that means", (*_list_effects(view, who), *list_remarks("morale", who))),
        ),
        result=found,
    )


def _level_steps(view: View, found: Morale, rule: str, monthly_rule: str) -> Iterator[Step]:
    rules = {level.title: level.rule for level in read_events(view.game).level if level.who == found.who}
    for level in found.levels:
        since = level.since or ("now" if not level.left else "")
        text = "{title} at {at}: since {since}" if since else "{title} at {at}: {left} to go"
        yield step(rules[level.title], text, level, since=since)
    if not found.levels:
        yield step("10-7" if found.who == BELGIAN else "", "it has no levels of morale")
    if found.monthly:
        yield step(monthly_rule, "each special turn adds {monthly}, for lack of imports", found)
    if found.out:
        yield step(rule, "out of the war: {out}", found)


def _list_effects(view: View, who: str) -> Iterator[Step]:
    for row in read_rows("effects", MoraleEffect):
        if row.who == who and has_reached(view, row.level, who):
            yield step(row.rule, "{text}", row)


QUESTIONS = (
    declare(
        "morale", "how far a nation is from Shaken, Collapse and surrender, since when, and what that means", morale
    ),
)
