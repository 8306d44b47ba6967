"""National morale and who has won: the questions `morale` and `victory` (3-11, 4-3, 5-5, 6-17, 6-18, 7-8, 7-13, 8-6,
10-7, 11-3, 11-4, 13-4, 26).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from assistant.asking import NationName, Part, Report, Step, View, declare, holding, note, step, verdict
from assistant.game.events import AccountLevel, levels_by_account, read_events
from assistant.game.schedules import read_schedules

from .supply_points import Forfeit, list_forfeits
from .terms import (
    AUSTRIAN,
    BELGIAN,
    BRITISH,
    BULGARIAN,
    CENTRAL_POWERS,
    COLLAPSE,
    ENTENTE,
    FRENCH,
    GERMAN,
    ROMANIAN,
    RUSSIAN,
    SERBIAN,
    SURRENDER,
    dates_of,
    format_nation,
    format_turn,
    is_so,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
    year_of,
)

LAST = "nov18/3"
ALLIES = (FRENCH, BRITISH)
DECIDING = (*ALLIES, GERMAN, AUSTRIAN)
"""Nations whose surrender decides the game."""
MORALE = ("Shaken", "Economic Collapse", "Surrender")


class MoraleEffect(msgspec.Struct, frozen=True):
    """What a level means: by the track with the turn since when it is in effect."""

    who: str
    level: Literal["aided", "surprised", "shaken", "collapse", "surrender", "ally-lost", "left"]
    rule: str
    text: str


class LevelState(msgspec.Struct, frozen=True):
    """A level of morale."""

    title: Annotated[str, note("its name")]
    at: Annotated[int, note("the demoralization points with which it begins")]
    since: Annotated[str, note("the turn in which it was reached, empty if it was not")]
    left: Annotated[int, note("the points that are missing to it")]


class Morale(msgspec.Struct, frozen=True, kw_only=True):
    """The morale of a nation."""

    who: Annotated[str, note("the nation")]
    points: Annotated[int, note("its demoralization points")]
    state: Annotated[str, note("the highest level reached, empty for none")]
    levels: Annotated[tuple[LevelState, ...], note("its levels, the lowest first")]
    out: Annotated[str, note("why it is out of the war, empty if it is not")] = ""
    monthly: Annotated[int, note("points that it suffers in each special turn")] = 0


def level_states(view: View, who: str) -> tuple[LevelState, ...]:
    """Return the levels of a nation: those that its points have reached, and what is missing to the others.
    Rule: 3-11, 4-3, 5-5, 6-18, 7-8, 8-6, 11-3, 13-4
    """
    levels: tuple[AccountLevel, ...] = levels_by_account(read_events(view.game)).get(("dm", who), ())
    points = view.integer("dm", who)
    return tuple(
        LevelState(level.title, level.at, view.word(level.since, who), max(0, level.at - points)) for level in levels
    )


def has_reached(view: View, track: str, who: str) -> bool:
    """Return whether a nation has reached a level: by the turn that is stated, or by its points. Rule: 3-11"""
    if view.word(track, who):
        return True
    levels = levels_by_account(read_events(view.game)).get(("dm", who), ())
    return any(level.since == track and view.integer("dm", who) >= level.at for level in levels)


def find_reason_out(view: View, who: str) -> tuple[str, str]:
    """Return why a nation is out of the war, and by which rule; "" while it fights.
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
    return next(((why, rule) for holds, rule, why in reasons if holds), ("", ""))


def count_imports(view: View, who: str, turn: int) -> tuple[int, str]:
    """Return the points that a nation suffers in each special turn for lack of imports, and by which rule. Rule: 3-10,
    6-17
    """
    dates = dates_of(view)
    due = (row for row in read_schedules(view.game).rows if (row.item, row.who) == ("imports", who))
    in_force = ((row.amount, row.rule) for row in due if dates.is_within(turn, row.from_, row.until, who))
    return next(in_force, (0, ""))


def morale(view: View, *, who: NationName) -> Report[Morale]:
    """Return the report on the morale of a nation: its points, its level and what that means, and how far it is from
    the next. Rule: 3-11, 4-3, 5-5, 6-18, 7-8, 8-6, 10-7, 11-3, 13-4
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    levels, (out, rule), (monthly, monthly_rule) = (
        level_states(view, who),
        find_reason_out(view, who),
        count_imports(view, who, turn),
    )
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
    text = "{who}: {points} demoralization points, {state}" + ("; {left} to {next}" if ahead else "")
    if out:
        text = "{who}: out of the war, {out}"
    return Report(
        title=f"Morale of {format_nation(view, who)}",
        verdict=verdict(
            "figure",
            text,
            found,
            who=format_nation(view, who),
            state=found.state or "not Shaken",
            **({"left": ahead[0].left, "next": ahead[0].title} if ahead and not out else {}),
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


# --- victory ----------------------------------------------------------------------------------------------------------

VictoryLevel = Literal["decisive", "substantial", "marginal", ""]


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """Who has won, or would win if nothing changed."""

    winner: Annotated[str, note("the side, empty for none")]
    level: Annotated[VictoryLevel, note("its victory, empty for none")]
    over: Annotated[bool, note("whether the game is decided")]
    surrendered: Annotated[tuple[str, ...], note("nations that have surrendered, in order")]
    collapsed: Annotated[tuple[str, ...], note("nations in Economic Collapse")]


def list_reached(view: View, track: str, nations: Iterable[str], turn: int) -> list[tuple[int, str]]:
    """Return which of these nations have surrendered or collapsed, the earliest first, each with its turn: this one if
    none is stated. Rule: 26/decisive-CP, 26/substantial-CP, 26/marginal-E
    """
    return sorted((turn_stated(view, track, who) or turn, who) for who in nations if has_reached(view, track, who))


def find_left_by_forfeit(view: View, lost: list[Forfeit]) -> str:
    """Return the side that has not forfeited the game in the first special turn in which one has, "" if both have.
    Rule: 16-13
    """
    losers = {view.game.side_of(forfeit.who) for forfeit in lost if forfeit.turn == lost[0].turn}
    return "".join({CENTRAL_POWERS, ENTENTE} - losers)


def judge_war(view: View, turn: int) -> tuple[str, VictoryLevel, str]:
    """Return the side that has won by the first surrender, or would without one at the end; its level, and its rule.
    A player who was over a limit of supply points in a special turn before has lost the game (16-13).
    Rule: 26/decisive-CP, 26/substantial-CP, 26/marginal-CP, 26/marginal-E, 26/substantial-E, 26/decisive-E
    """
    order = list_reached(view, SURRENDER, DECIDING, turn)
    lost = list_forfeits(view, turn)
    if lost and not (order and order[0][0] <= lost[0].turn):
        return find_left_by_forfeit(view, lost), "", "16-13"
    if order:
        when = order[0][0]
        winners = {CENTRAL_POWERS if who in ALLIES else ENTENTE for at, who in order if at == when}
        winner = winners.pop() if len(winners) == 1 else view.ruling("both-surrender")
        if winner == "none":
            return "", "", "26"
        year = year_of(view, when)
        worn = list_reached(view, COLLAPSE, ALLIES, turn)
        if winner == ENTENTE and any(at <= when for at, _ in worn):
            return ENTENTE, "marginal", "26/marginal-E"
        early = year < 1918 if winner == ENTENTE else year == 1914 and (when, FRENCH) in order
        level: VictoryLevel = "decisive" if early else "substantial"
        return winner, level, f"26/{level}-{'E' if winner == ENTENTE else 'CP'}"
    if has_reached(view, COLLAPSE, GERMAN):
        return "", "", "26/marginal-CP"
    return CENTRAL_POWERS, "marginal", "26/marginal-CP"


def victory(view: View) -> Report[Victory]:
    """Return the report on who has won, and what would change it.
    Rule: 26/marginal-CP, 26/marginal-E, 26/substantial-CP, 26/substantial-E
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    order = list_reached(view, SURRENDER, DECIDING, turn)
    winner, level, rule = judge_war(view, turn)
    lost = list_forfeits(view, turn) if rule == "16-13" else []
    over = bool(order or lost) or turn >= read_campaign_calendar(view).number(LAST)
    found = Victory(
        winner=winner,
        level=level,
        over=over,
        surrendered=tuple(who for _, who in order),
        collapsed=tuple(who for who in DECIDING if has_reached(view, COLLAPSE, who)),
    )
    text = (
        "{level} victory of the {side}" if level else "the player of the {side} wins: the other has forfeited the game"
    )
    if lost and not winner:
        text = "no victor: both players have forfeited the game"
    elif not winner:
        what = "a draw" if view.ruling("no-surrender") == "draw" else "no victor"
        text = f"{what}: Germany is in Economic Collapse, and no nation surrenders"
        if order:
            text = "no victor: both sides surrender in one turn"
    why = [
        step(rule, "{who} surrenders in {when}", who=format_nation(view, who), when=format_turn(view, when))
        for when, who in order
    ]
    why += [
        step(
            rule,
            "{who} was over its limit of supply points in {when}",
            who=format_nation(view, each.who),
            when=format_turn(view, each.turn),
        )
        for each in lost
    ]
    why += holding(
        [
            (
                not order and not lost,
                rule,
                "neither France nor Great Britain, Germany nor Austria-Hungary has surrendered",
            )
        ]
    )
    return Report(
        title="Victory",
        verdict=verdict(
            "figure", text if over else f"if nothing changed: {text}", found, side=format_nation(view, winner)
        ),
        parts=(
            Part("Why", (*why, *list_remarks("victory"))),
            Part("What would change it", () if over else tuple(_list_distances(view, turn))),
        ),
        result=found,
    )


def _list_distances(view: View, turn: int) -> Iterator[Step]:
    """Yield how far each nation is from what decides. Rule: 26/decisive-CP, 26/decisive-E"""
    for who in DECIDING:
        left = {level.title: level.left for level in level_states(view, who)}
        text = "{who}: {surrender} points to its surrender" + (
            ", {collapse} to Economic Collapse" if left["Economic Collapse"] else ""
        )
        figures = {"collapse": left["Economic Collapse"]} if left["Economic Collapse"] else {}
        yield step("26", text, who=format_nation(view, who), surrender=left["Surrender"], **figures)
    if year_of(view, turn) == 1914:
        yield step("26/decisive-CP", "a surrender of France in 1914 is a decisive victory of the Central Powers")
    if year_of(view, turn) < 1918:
        yield step(
            "26/decisive-E",
            (
                "a surrender of Germany or Austria-Hungary before 1918 is decisive while neither France nor Great "
                "Britain has collapsed"
            ),
        )


QUESTIONS = (
    declare(
        "morale", "how far a nation is from Shaken, Collapse and surrender, since when, and what that means", morale
    ),
    declare("victory", "who has won, or would, and what would change it", victory),
)
