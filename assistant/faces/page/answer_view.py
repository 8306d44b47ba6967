"""The answer to a question as the page shows it: its working, what it asks for, and what it takes for granted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from ...asking.asks import Ask, asks_for_printed, format_ask_title
from ...asking.placeholders import Placeholder, list_near, list_stand_ins
from ...asking.report import (
    FOR_THE_PHASE,
    IN_THE_BOOKS,
    MISSING,
    MISSING_ONE,
    ON_THE_MAP,
    Report,
    Step,
    find_likelihoods,
    format_changes,
    make_map_part,
    to_forum,
)
from ...asking.wording import format_fact_count, format_modifiers
from ...formats.positions import Position
from ...game.games import Game
from ...installed.registry import question_of
from ...service import sketch
from ...state.trust import PLACEHOLDERS
from ..prompt.table import Assumption
from .messages.table import (
    AnswerShown,
    AskShown,
    AssumedShown,
    ChainShown,
    PartShown,
    RemedyShown,
    StepShown,
    TrustedShown,
)
from .table_view import angle_to


def show_answer(position: Position, report: Report[Any]) -> AnswerShown:
    """Return an answer. position: the one that was asked about."""
    drawn = sketch(position, report)
    chains = drawn.chains if drawn else ()
    changes = format_changes(report)
    values: dict[str, str] = {}
    if position.asks:
        for name, value in position.asks[0].parameters.items():
            values[name] = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    ways = question_of(position.game, report.question).drawn_as & {"picture", "chart"}
    return AnswerShown(
        question=report.question,
        title=report.title,
        values=values,
        given=dict(position.answers),
        kind=(report.as_seen or report.verdict).kind,
        answers=report.answers_on(()),
        sentences=() if report.as_seen else report.sentences,
        headline=_format_headline(report),
        remedies=tuple(
            RemedyShown(words=remedy.words, name=remedy.name, value=remedy.value, line=remedy.typed)
            for remedy in report.remedies
        ),
        rests_on=show_trusted(position, report.rests_on if report.mark else ()),
        chains=tuple(ChainShown(title=row.title, links=row.links, answer=row.answer) for row in chains),
        parts=tuple(
            PartShown(title=part.title, brief=part.brief or "", steps=tuple(map(_show_step, part.steps)))
            for part in report.parts
        ),
        cautions=tuple(map(_show_step, report.cautions)),
        asks=tuple(show_ask(position, ask) for ask in report.asks),
        changes=tuple(changes[ON_THE_MAP]),
        noted=tuple(changes[FOR_THE_PHASE]),
        books=tuple(changes[IN_THE_BOOKS]),
        drawn=tuple(sorted(ways)) if report.drawable is not None else (),
        text=to_forum(report),
    )


def _format_headline(report: Report[Any]) -> StepShown | None:
    """Return what heads a refusal, its first reason; and an answer that lacks facts, the first of these."""
    if report.reasons:
        return _show_step(report.reasons[0])
    if report.verdict.template not in (MISSING_ONE, MISSING) or not report.asks:
        return None
    first, *others = report.asks
    more = f" and {len(others)} more" if others else ""
    return StepShown(rule=first.rule, text=f"missing: {format_ask_title(first)}{more}")


_MOST_ASKS = 12
"""How many facts of a drawn map the page lets its owner state at once."""


def show_trusted(position: Position, rests_on: Sequence[Placeholder]) -> tuple[TrustedShown, ...]:
    """Return what an answer rests on that is not the player's own."""
    lines: dict[str, list[str]] = {}
    for placeholder in rests_on:
        if placeholder.kind in PLACEHOLDERS:
            lines.setdefault(placeholder.kind, []).append(format_fact_count(placeholder.title, placeholder.facts))
    asks: tuple[AskShown, ...] = ()
    if "map" in lines:
        lines["map"] += [step.text for step in make_map_part(list_near(rests_on)).steps]
        for_map = islice(asks_for_printed(position.game, rests_on), _MOST_ASKS)
        asks = tuple(show_ask(position, ask) for ask in for_map)
    return tuple(
        TrustedShown(kind=kind, words=words, lines=tuple(lines[kind]), asks=asks if kind == "map" else ())
        for kind, words in list_stand_ins(rests_on).items()
    )


def _show_step(step: Step) -> StepShown:
    bar = find_likelihoods(step)
    if bar is None:
        return StepShown(rule=step.rule, text=step.text)
    rounded = zip(bar.likelihoods, bar.percents, strict=True)
    chances = tuple((str(likelihood.value), float(likelihood.chance), percent) for likelihood, percent in rounded)
    whose = step.figures.get("role", step.figures.get("force"))
    return StepShown(rule=step.rule, text=bar.head, bars=chances, whose=whose if isinstance(whose, str) else "")


def show_ask(position: Position, ask: Ask, usual: str = "") -> AskShown:
    """Return what is asked for. position: the one asked about; usual: the option that the chances assume."""
    board = position.game.board(position.state.board)
    number, _, sides = (ask.dice or "0d0").partition("d")
    hexes = bool(ask.options) and all(map(board.has, ask.options))
    start = _find_start(position, ask) if hexes else ""
    return AskShown(
        kind=ask.kind,
        name=ask.name,
        title=ask.title,
        rule=ask.rule,
        how=ask.how,
        takes=ask.takes,
        line=_find_line(position.game, ask),
        of=str(ask.key[0]) if ask.key else "",
        drawn=ask.drawn,
        dice=(int(number), int(sides)),
        options=ask.options or _list_values(position.game, ask),
        usual=usual,
        remarks=dict(ask.remarks),
        units=ask.units,
        hexes=hexes,
        start=start,
        angles={option: angle_to(board, start, option) for option in ask.options} if start else {},
        modifiers={
            label: tuple(format_modifiers([modifier]) for modifier in modifiers)
            for label, modifiers in ask.modifiers.items()
        },
    )


def _find_line(game: Game, ask: Ask) -> str:
    """Return the line that states what is asked for, with {} for its value; "" if only its own words say how to state
    it.
    """
    match ask.kind, ask.key:
        case "fact", (name, subject):
            return f"{game.track(str(name)).before(str(subject))}{name}={{}}"
        case "cell", (_, *_):
            return f"{ask.how.partition(' = ')[0]} = {{}}"
        case "parameter", _:
            return f"{ask.name}={{}}"
        case "fact", () if ask.line:
            return ask.line
        case "fact", () if ask.how.startswith("trust "):  # what stands in for one's own, as a whole
            return ask.how
    return ""


def _list_values(game: Game, ask: Ask) -> tuple[str, ...]:
    """Return the words that a fact may have."""
    if ask.kind != "fact" or not ask.key:
        return ()
    track = game.track(str(ask.key[0]))
    if track.kind == "flag" and not track.values:
        return tuple(map(track.write, track.in_turn()))
    return track.values


def _find_start(position: Position, ask: Ask) -> str:
    """Return the hex beside which all options of a choice between hexes lie: where its units stand or one that its
    title names, "" for none.
    """
    board = position.game.board(position.state.board)
    units = position.state.units
    places = [units[name].place for name in ask.units if name in units]
    named = [word for word in re.split(r"[^\w.]+", ask.title) if board.has(word) and board.is_hex(word)]
    for start in (*places, *named):
        if start and board.has(start) and board.is_hex(start):
            around = board.neighbours(start)
            if all(option in around for option in ask.options):
                return start
    return ""


def show_assumed(assumed: Iterable[Assumption]) -> tuple[AssumedShown, ...]:
    """Return what is taken for granted, in the order of its numbers."""
    return tuple(
        AssumedShown(
            number=assumption.number,
            words=assumption.words,
            value=assumption.value,
            after=assumption.after,
            decisive=assumption.decisive,
        )
        for assumption in sorted(assumed, key=lambda assumption: assumption.number)
    )
