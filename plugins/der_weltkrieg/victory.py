"""The question `victory` on who has won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from assistant.asking import Part, Report, Step, View, declare, note, step, verdict

from .morale import ALLIES, has_reached, level_states
from .supply_points import Forfeit, list_forfeits
from .terms import (
    AUSTRIAN,
    CENTRAL_POWERS,
    COLLAPSE,
    ENTENTE,
    FRENCH,
    GERMAN,
    SURRENDER,
    format_nation,
    format_turn,
    list_remarks,
    read_campaign_calendar,
    turn_now,
    turn_stated,
    year_of,
)

LAST_TURN = "nov18/3"
DECIDING_NATIONS = (*ALLIES, GERMAN, AUSTRIAN)
"""The nations whose surrender decides the game."""
VictoryLevel = Literal["decisive", "substantial", "marginal", ""]


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """The winner, or the side that would win if nothing changed."""

    winner: Annotated[str, note("the side, empty for none")]
    level: Annotated[VictoryLevel, note("the victory, empty for none")]
    over: Annotated[bool, note("whether the game is decided")]
    surrendered: Annotated[tuple[str, ...], note("nations that have surrendered, in order")]
    collapsed: Annotated[tuple[str, ...], note("nations in Economic Collapse")]


def list_reached(view: View, track: str, nations: Iterable[str], turn: int) -> list[tuple[int, str]]:
    """Return the nations that have surrendered or collapsed, the earliest first, each with its turn.

    `turn`: the turn for nations without a stated one.

    Rule: 26/decisive-CP, 26/substantial-CP, 26/marginal-E
    """
    return sorted((turn_stated(view, track, who) or turn, who) for who in nations if has_reached(view, track, who))


def find_left_by_forfeit(view: View, lost: list[Forfeit]) -> str:
    """Return the side that has not forfeited in the first special turn with a forfeit, or "" if both have.

    Rule: 16-13
    """
    losers = {view.game.side_of(forfeit.who) for forfeit in lost if forfeit.turn == lost[0].turn}
    return "".join({CENTRAL_POWERS, ENTENTE} - losers)


def judge_war(view: View, turn: int) -> tuple[str, VictoryLevel, str]:
    """Return the winning side, its level and the rule.

    They follow from the first surrender, or else from how the war would end now. A player who was over a limit of
    supply points in an earlier special turn has lost (16-13).

    Rule: 26/decisive-CP, 26/substantial-CP, 26/marginal-CP, 26/marginal-E, 26/substantial-E, 26/decisive-E
    """
    order = list_reached(view, SURRENDER, DECIDING_NATIONS, turn)
    forfeits = list_forfeits(view, turn)
    if forfeits and not (order and order[0][0] <= forfeits[0].turn):
        return find_left_by_forfeit(view, forfeits), "", "16-13"
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
    """Return the report on the winner, and on possible changes.

    Rule: 26/marginal-CP, 26/marginal-E, 26/substantial-CP, 26/substantial-E
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    order = list_reached(view, SURRENDER, DECIDING_NATIONS, turn)
    winner, level, rule = judge_war(view, turn)
    forfeits = list_forfeits(view, turn) if rule == "16-13" else []
    over = bool(order or forfeits) or turn >= read_campaign_calendar(view).number(LAST_TURN)
    found = Victory(
        winner=winner,
        level=level,
        over=over,
        surrendered=tuple(who for _, who in order),
        collapsed=tuple(who for who in DECIDING_NATIONS if has_reached(view, COLLAPSE, who)),
    )
    if winner and level:
        text = "{level} victory of the {side}"
    elif winner:
        text = "the player of the {side} wins: the other has forfeited the game"
    elif forfeits:
        text = "no victor: both players have forfeited the game"
    else:
        what = "a draw" if view.ruling("no-surrender") == "draw" else "no victor"
        text = f"{what}: Germany is in Economic Collapse, and no nation surrenders"
        if order:
            text = "no victor: both sides surrender in one turn"
    why = []
    for when, who in order:
        line = "{who} surrenders in {when}"
        why.append(step(rule, line, who=format_nation(view, who), when=format_turn(view, when)))
    for forfeit in forfeits:
        line = "{who} was over its limit of supply points in {when}"
        why.append(step(rule, line, who=format_nation(view, forfeit.who), when=format_turn(view, forfeit.turn)))
    if not why:
        line = "neither France nor Great Britain, Germany nor Austria-Hungary has surrendered"
        why.append(step(rule, line))
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
    """Yield the points that each nation is from the levels that decide.

    Rule: 26/decisive-CP, 26/decisive-E
    """
    for who in DECIDING_NATIONS:
        left = {level.title: level.left for level in level_states(view, who)}
        text = "{who}: {surrender} points to its surrender"
        figures = {"who": format_nation(view, who), "surrender": left["Surrender"]}
        if left["Economic Collapse"]:
            text += ", {collapse} to Economic Collapse"
            figures["collapse"] = left["Economic Collapse"]
        yield step("26", text, **figures)
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


QUESTIONS = (declare("victory", "who has won, or would, and what would change it", victory),)
