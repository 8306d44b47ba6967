"""The table as the page shows it: facts, units, the open combat or march, and the answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from ...asking.asks import Ask, asks_for_printed, format_ask_title
from ...asking.parameters import list_form_fields
from ...asking.placeholders import Placeholder, list_near, list_stand_ins
from ...asking.question import Question
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
from ...asking.sketch import FigureChain
from ...asking.view import View
from ...asking.wording import format_fact_count, format_modifiers
from ...formats.positions import Asked, Position
from ...game.boards import Board
from ...game.gamefile import MARCH_WAY
from ...game.games import Game
from ...installed.registry import question_of, questions_of
from ...records.journal.entries import FACT
from ...rules.field.movement import Reach
from ...service import sketch
from ...state.differences import Divergence
from ...state.state import HIDDEN, UNSEEN, FactKey, Unit, hexside
from ...state.tracks import Fact, Track
from ...state.trust import PLACEHOLDERS
from ...util.errors import InputError, plain
from ...util.memo import Memo
from ..layers import answers_with
from ..prompt.combats import combat_hexes, list_named
from ..prompt.shorthand.abbreviations import usual_values
from ..prompt.surroundings import describe_source, facts_about
from ..prompt.table import Assumption
from .messages.table import (
    AnswerShown,
    AskShown,
    AssumedShown,
    ChainShown,
    CombatShown,
    FactShown,
    MarchShown,
    Neighbour,
    PartShown,
    Refused,
    RemedyShown,
    StepShown,
    TrustedShown,
    UnitShown,
)
from .messages.words import Parameter

SIGNS = {HIDDEN: "partly hidden", UNSEEN: "hidden units may be here"}
"""The words for the signs of hidden units and facts in a viewpoint, by track."""
_MAX_MAP_ASKS = 12
"""The maximum number of facts of a drawn map that the page asks its owner for at once."""


class _ShownFacts(NamedTuple):
    facts: Mapping[FactKey, tuple[Fact, FactShown]]
    """Each fact, with its form on the page."""
    written: msgspec.Raw
    """All shown facts as JSON."""


_UNITS: Memo[None, Mapping[str, msgspec.Raw]] = Memo()
"""The shown units of a state, as JSON."""
_SHOWN_FACTS: Memo[tuple[str, ...], _ShownFacts] = Memo()
"""The shown facts of a state, by the kinds of their subjects."""


def show_error(error: InputError) -> Refused:
    """Return an error in its form on the page."""
    return Refused(what=plain(error.what), where=str(error.where or ""), hint=plain(error.hint))


def format_line(line: str) -> str:
    """Return a line of notation as a player says it: `25/3 cel -1` for `fact 25/3 cel=-1`."""
    return re.sub(r"(?<=[\w-])=(?=\S)", " ", re.sub(rf"^(\s*[0-9]+ \S+ )?{FACT} ", r"\1", line))


def _show_fact(track: Track, subject: str, fact: Fact) -> FactShown:
    return FactShown(
        track=track.name,
        subject=subject,
        value=track.write(fact.value),
        word=SIGNS.get(track.name) or track.word(fact.value),
        how=describe_source(fact),
        doubtful=fact.doubtful,
    )


def _show_unknown(view: View, track: Track, subject: str) -> FactShown:
    word = next(iter(usual_values(view.game, track.name)), "")
    how = "taken for granted" if word else "not stated"
    return FactShown(track=track.name, subject=subject, value="", word=word, how=how, doubtful=bool(word))


def show_stated(view: View, *on: str) -> msgspec.Raw:
    """Return the stated facts about some kinds of subjects, as a JSON list of `FactShown`.

    `on`: the kinds of subjects, such as hexes and hexsides.
    """
    tracks = view.game.tracks
    names = {name for name, track in tracks.items() if track.on in on}

    def show(known: _ShownFacts | None, difference: Divergence) -> _ShownFacts:
        if known is not None and not any(name in names for name, _ in difference.facts):
            return known
        earlier = known.facts if known else {}
        facts = {
            key: was
            if (was := earlier.get(key)) and was[0] is fact
            else (fact, _show_fact(tracks[key[0]], key[1], fact))
            for key, fact in view.state.facts.items()
            if key[0] in names
        }
        return _ShownFacts(facts, msgspec.Raw(msgspec.json.encode([shown for _, shown in facts.values()])))

    return view.memo(_SHOWN_FACTS, on, show).written


def show_units(view: View) -> tuple[msgspec.Raw, ...]:
    """Return each unit of a state as a `UnitShown` in JSON: stack by stack from the top, then units off the map."""

    def show(known: Mapping[str, msgspec.Raw] | None, difference: Divergence) -> Mapping[str, msgspec.Raw]:
        earlier = known or {}
        units = view.state.units
        stated: dict[str, dict[str, Fact]] = {
            name: {} for name in units if name in difference.units or name not in earlier
        }
        for (track, subject), fact in view.state.facts.items():
            if subject in stated:
                stated[subject][track] = fact
        anew = {
            name: msgspec.Raw(msgspec.json.encode(_show_unit(view, units[name], facts)))
            for name, facts in stated.items()
        }
        return {name: anew.get(name) or earlier[name] for name in units}

    shown = view.memo(_UNITS, None, show)
    units = sorted(view.state.units.values(), key=lambda unit: (unit.place is None, unit.place or "", unit.order))
    return tuple(shown[unit.id] for unit in units)


def _show_unit(view: View, unit: Unit, stated: Mapping[str, Fact]) -> UnitShown:
    picture = view.game.file.picture
    notation = view.game.file.notation
    tracks = view.game.tracks
    words = [
        SIGNS.get(name) or tracks[name].word(fact.value).replace("=", " ", 1)  # `cel -1`, as on the card of a counter
        for name, fact in stated.items()
        if not tracks[name].printed and name not in notation.identity and fact.value != tracks[name].nothing
    ]
    figures = [view.fact(name, unit.id) for name in notation.brackets]

    def word(name: str) -> str:
        return view.word(name, unit.id) if name in tracks else ""

    seen = (unit.type, *(f"{name}={fact.value}" for name, fact in stated.items()))
    return UnitShown(
        id=unit.id,
        place=unit.place,
        on_map=unit.place is not None and view.board.shows(unit.place),
        side=view.side_of(unit.id),
        nation=word(picture.nation),
        arm=word(picture.symbol),
        size=word(picture.size),
        figures=tuple("?" if fact is None else str(fact.value) for fact in figures),
        state=tuple(words),
        facts=tuple(_show_fact(tracks[name], unit.id, fact) for name, fact in stated.items()),
        look=blake2b("\n".join(seen).encode(), digest_size=6).hexdigest(),
    )


def show_subject(view: View, subject: str, on: str, always: str = "") -> tuple[FactShown, ...]:
    """Return the known facts of a hex or hexside, as `facts_about` does."""
    return tuple(
        _show_fact(track, subject, fact) if fact else _show_unknown(view, track, subject)
        for track, fact in facts_about(view, subject, on, always)
    )


def angle_to(board: Board, start: str, end: str) -> int:
    """Return the direction from a hex to another one, in degrees clockwise from the top."""
    x, y = board.centre(start)
    to_x, to_y = board.centre(end)
    return round(math.degrees(math.atan2(to_x - x, y - to_y))) % 360


def show_combat(position: Position, asked: Asked | None) -> CombatShown | None:
    """Return the combat of a question, or None if the question is about no combat."""
    targets, attackers = combat_hexes(position, asked)
    if asked is None or not targets:
        return None
    prompt = position.game.file.prompt
    view = View(position.game, position.state)
    target = targets[0]
    shown = {prompt.target, prompt.attackers, prompt.without}
    parameters = _show_parameters(question_of(position.game, asked.question), position, asked.parameters)
    return CombatShown(
        target=target,
        ground=show_subject(view, target, "hex"),
        units=tuple(unit.id for unit in position.state.stack(target)),
        side=_side_at(view, target),
        around=tuple(_find_neighbours(view, target, attackers)),
        withheld=tuple(list_named(asked, prompt.without)),
        parameters=tuple(parameter for parameter in parameters if parameter.name not in shown),
    )


def show_around(position: Position, place: str) -> CombatShown:
    """Return a combat at a hex without stated attackers.

    Raises InputError if the map has no such hex, or the game has no combat on one line.
    """
    prompt = position.game.file.prompt
    if not prompt.ask:
        raise InputError(f"{position.game.title} has no combat on one line", hint="ask one of its questions")
    board = position.game.board(position.state.board)
    target = board.place(place)
    asked = Asked(prompt.ask, {prompt.target: target})
    shown = show_combat(position, asked)
    assert shown
    return shown


def show_march(position: Position, asked: Asked | None) -> MarchShown | None:
    """Return the march of a question, or the units whose reach it is about, or None."""
    march = position.game.file.prompt.march
    if asked is None or not march or asked.question not in (march, reach_question(position.game)):
        return None
    parameters = _show_parameters(question_of(position.game, asked.question), position, asked.parameters)
    who = parameters[0].name
    others = [parameter for parameter in parameters if parameter.name not in (who, MARCH_WAY)]
    units = position.state.units
    names = tuple(list_named(asked, who))
    return MarchShown(
        units=names,
        at=next((units[name].place or "" for name in names if name in units), ""),
        way=tuple(list_named(asked, MARCH_WAY)),
        parameters=tuple(others) if asked.question == march else (),
    )


def reach_question(game: Game) -> str:
    """Return the name of a game's question about the reach of units, or "" if it has none."""
    return next((name for name, question in questions_of(game).items() if answers_with(Reach, question)), "")


def _side_at(view: View, place: str) -> str:
    return next((view.side_of(unit.id) for unit in view.stack(place)), "")


def _find_neighbours(view: View, target: str, attackers: Iterable[str]) -> Iterator[Neighbour]:
    board = view.board
    if not board.is_hex(target):
        return
    for place in board.neighbours(target):
        yield Neighbour(
            hex=place,
            angle=angle_to(board, target, place),
            side=_side_at(view, place),
            attacks=place in attackers,
            units=tuple(unit.id for unit in view.state.stack(place)),
            between=show_subject(view, hexside(target, place), "hexside"),
            ground=show_subject(view, place, "hex"),
        )


def _show_parameters(
    question: Question[Any, Any], position: Position, given: Mapping[str, object]
) -> tuple[Parameter, ...]:
    fields = list_form_fields(question, position.game)
    return tuple(Parameter.of(field, str(given.get(field.name, ""))) for field in fields)


def show_answer(position: Position, report: Report[Any]) -> AnswerShown:
    """Return the answer to a question in its form on the page."""
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
        chains=show_chains(chains),
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


def show_chains(chains: Iterable[FigureChain]) -> tuple[ChainShown, ...]:
    """Return the rows of figures of an answer's sketch."""
    return tuple(ChainShown(title=row.title, links=row.links, answer=row.answer) for row in chains)


def _format_headline(report: Report[Any]) -> StepShown | None:
    """Return the first reason of a refusal, or the first missing fact of an answer, or None."""
    if report.reasons:
        return _show_step(report.reasons[0])
    if report.verdict.template not in (MISSING_ONE, MISSING) or not report.asks:
        return None
    first, *others = report.asks
    more = f" and {len(others)} more" if others else ""
    return StepShown(rule=first.rule, text=f"missing: {format_ask_title(first)}{more}")


def show_trusted(position: Position, rests_on: Sequence[Placeholder]) -> tuple[TrustedShown, ...]:
    """Return the stand-ins for the player's own charts, counters or map, on which an answer rests."""
    lines: dict[str, list[str]] = {}
    for placeholder in rests_on:
        if placeholder.kind in PLACEHOLDERS:
            lines.setdefault(placeholder.kind, []).append(format_fact_count(placeholder.title, placeholder.facts))
    asks: tuple[AskShown, ...] = ()
    if "map" in lines:
        lines["map"] += [step.text for step in make_map_part(list_near(rests_on)).steps]
        for_map = islice(asks_for_printed(position.game, rests_on), _MAX_MAP_ASKS)
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
    """Return an ask in its form on the page.

    `usual`: the option assumed for the likelihoods, or "".
    """
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
        unseen=_find_unseen(position, ask),
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
    """Return the line that answers an ask, with {} for its value, or "" if the ask has only an instruction in words."""
    match ask.kind, ask.key:
        case "fact", (name, subject):
            return f"{game.track(str(name)).before(str(subject))}{name}={{}}"
        case "cell", (_, *_):
            return f"{ask.how.partition(' = ')[0]} = {{}}"
        case "parameter", _:
            return f"{ask.name}={{}}"
        case "fact", () if ask.line:
            return ask.line
        case "fact", () if ask.how.startswith("trust "):  # trust in placeholders for the player's own material
            return ask.how
    return ""


def _find_unseen(position: Position, ask: Ask) -> str:
    """Return the hex of the unseen units that are asked for, or "" if the ask is for something else."""
    if ask.kind != "fact" or ask.key or ask.line:
        return ""
    unseen = View(position.game, position.state).unseen
    return next((place for place, unit in unseen.items() if unit.id == ask.name), "")


def _list_values(game: Game, ask: Ask) -> tuple[str, ...]:
    if ask.kind != "fact" or not ask.key:
        return ()
    track = game.track(str(ask.key[0]))
    if track.kind == "flag" and not track.values:
        return tuple(map(track.write, track.in_turn()))
    return track.values


def _find_start(position: Position, ask: Ask) -> str:
    """Return the hex next to all options of a choice between hexes, or "".

    The hex has units of the choice, or is named in its title.
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
    """Return the assumptions of an answer, in the order of their numbers."""
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
