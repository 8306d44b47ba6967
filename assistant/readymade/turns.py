"""The question `turn`: the checklist of a game turn, as `course.toml` and `turns.csv` state it: its date, its phases,
whose they are, their steps, what optional rules add, and which units arrive.

A game with such files has the question without code. One that knows more of its turns reads them with `player_turns`,
and words the report with `turn_report`. A game whose phases all have a word may register `next` of this module too: the
phase that follows, as changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from ..game import course
from ..game.course import Part as PartOfTurn
from ..game.course import Phase, Turn
from ..questions.permission import InForce, refused
from ..questions.question import declare
from ..questions.report import Part, Report, Step, Verdict, step, verdict
from ..questions.view import Gather, View, changed
from ..state.changes import AnyChange, Change
from ..state.tracks import Value
from ..util.errors import InputError
from ..util.notes import note

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")


class PlayerTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A player turn."""

    side: Annotated[str, note("the side whose player turn it is")]
    units: Annotated[tuple[str, ...], note("units that arrive")] = ()
    phases: Annotated[tuple[str, ...], note("its phases in order")] = ()


class GameTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A game turn."""

    turn: Annotated[int, note("its number")]
    date: Annotated[str, note("its date, empty while unknown")] = ""
    players: Annotated[tuple[PlayerTurn, ...], note("the player turns in order")] = ()
    options: Annotated[tuple[str, ...], note("the optional rules and the like in force")] = ()


T = TypeVar("T", bound=GameTurn)


class Entry(NamedTuple):
    """What is done in a phase of a turn, in a player turn or outside: a step, or a phase without steps."""

    phase: Phase
    what: course.Step
    player: PlayerTurn | None


Say = Callable[[View, Entry], Step | None]
"""Takes something to be done and returns its line, None to leave it out."""


def read_number(facts: Gather) -> int:
    """The number of the turn. Raises InputError in a game that counts none."""
    game, track = facts.view.game, course.course_file(facts.view.game).turns.track
    if track not in game.tracks:
        raise InputError(f"{game.title} has no track {track!r}", hint="name the one that counts turns in course.toml")
    if course.course_file(game).calendar is not None:
        return course.calendar_of(game).number(facts.word(track))
    return facts.integer(track)


def record_of(view: View, number: int) -> Turn:
    """What `turns.csv` says of a turn, nothing if it does not speak of it."""
    return next((turn for turn in course.turns(view.game) if turn.number == number), Turn(number=number))


def arriving(facts: Gather, side: str, number: int) -> tuple[str, ...]:
    """The units of a side that arrive in a turn, as they state it themselves: those that are not on the map yet."""
    view, track = facts.view, course.arrival_track(facts.view.game)
    return tuple(
        unit.id
        for unit in view.units()
        if track and view.integer(track, unit.id) == number and view.side_of(unit.id) == side
        if unit.place is None or view.board.is_box(unit.place)
    )


def player_turns(facts: Gather, number: int, order: Iterable[str] = ()) -> tuple[PlayerTurn, ...]:
    """The player turns of a turn that have a phase, with the units that arrive. order: the sides in their order, by
    default that of `course.toml`, or else of the game.
    """
    game, options = facts.view.game, InForce(facts)
    declared = course.course_file(game)
    players = []
    for side in order or declared.turns.order or game.file.sides:
        phases = [phase for phase, _ in course.phases_in(game, declared, "player-turn", number, side, options)]
        titles = tuple(phase.title for phase in phases)
        if phases:
            players.append(PlayerTurn(side=side, units=arriving(facts, side, number), phases=titles))
    return tuple(players)


def say(view: View, entry: Entry) -> Step:
    """What is done, in words: the phase, whose it is if not that of the phasing side alone, what, and who arrives."""
    phase, what, player = entry
    whose = {"other": " (the other side)", "both": " (both sides)"}.get(phase.active, "") if player else ""
    named = what.who or ("" if player else phase.who)
    whose = f" ({view.title_of(named)})" if named and (player is None or named != player.side) else whose
    text = f"{{phase}}{whose}: {{do}}" if what.do else f"{{phase}}{whose}"
    if what.arrives and player:
        text += ": {units}" if player.units else " (no unit is stated to arrive)"
    return step(what.rule or phase.rule, text, what, player, phase=phase.title)


def turn_report(
    view: View,
    turn: T,
    found: Verdict,
    *,
    title: str = "",
    say: Say = say,
    before: Iterable[Step] = (),
    after: Iterable[Step] = (),
    changes: Iterable[AnyChange] = (),
) -> Report[T]:
    """The report on a turn. title: by default its number and date; say: words what is done; before, after: what else
    there is to say before the player turns and after them.
    """
    declared = course.course_file(view.game)

    def steps(part: PartOfTurn, player: PlayerTurn | None = None) -> Iterator[Step]:
        side = player.side if player else ""
        for phase, due in course.phases_in(view.game, declared, part, turn.turn, side, options):
            for what in due or (course.Step(do="", rule=phase.rule),):
                if said := say(view, Entry(phase, what, player)):
                    yield said

    with view.gather() as facts:
        options = InForce(facts)
        parts = [Part("Before the player turns", (*steps("turn"), *before))]
        for which, player in zip(ORDINALS, turn.players, strict=False):
            name = f"{which} Player Turn: {view.title_of(player.side)}"
            parts.append(Part(name, tuple(steps("player-turn", player))))
        parts.append(Part("After them", (*steps("inter-phase"), *after)))
    title = title or f"Turn {turn.turn}" + (f", {turn.date}" if turn.date else "")
    return Report(title=title, verdict=found, parts=tuple(parts), changes=tuple(changes), result=turn)


def answer(view: View) -> Report[GameTurn]:
    """The checklist of the turn that the position states."""
    declared = course.course_file(view.game)
    with view.gather() as facts:
        number = read_number(facts)
    record = record_of(view, number)
    with view.gather() as facts:
        players = player_turns(facts, number)
    agreed = [word for name in declared.turns.options for word in words_of(view, name)]
    turn = GameTurn(
        turn=number,
        date=record.date.in_words if record.date else "",
        players=players,
        options=tuple(sorted(agreed)),
    )
    return turn_report(view, turn, word_verdict(view, turn), before=record_steps(view, record, turn))


def word_verdict(view: View, turn: GameTurn) -> Verdict:
    """Whose player turns a turn has, in order, and which phase it is now, if the position states that."""
    sides = [view.title_of(player.side) for player in turn.players]
    now, phasing = (" ".join(words_of(view, name)) for name in ("phase", "phasing"))
    phase = next((phase.title for phase in course.course_file(view.game).phase if now and phase.word == now), "")
    text = "turn {turn}" + (", player turns: {sides}" if sides else "")
    text += ("; now {phase} of {side}" if phasing else "; now {phase}") if phase else ""
    figures: dict[str, Any] = {"sides": sides, "phase": phase, "side": view.title_of(phasing)}
    return verdict("figure", text, turn, **{name: figures[name] for name in figures if f"{{{name}}}" in text})


def words_of(view: View, name: str) -> tuple[str, ...]:
    """The words that a position states of a track of the game, none if the game has no such track."""
    value = view.value(name) if name in view.game.tracks else None
    return value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()


def record_steps(view: View, record: Turn, turn: GameTurn) -> Iterator[Step]:
    """What the turn record says of a turn, and the optional rules in force."""
    facts = (("season", record.season), ("weather", record.weather), ("then", record.interphase))
    for kind, fact in facts:
        if fact:
            yield step(fact.rule, f"{kind}: {{what}}", what=fact.in_words)
    for figure in course.course_file(view.game).turns.figures:
        if fact := record.figures.get(figure.name):
            whose = f" ({view.title_of(figure.who)})" if figure.who else ""
            yield step(figure.rule, f"{{title}}{whose}: {{what}}", title=figure.title, what=fact.in_words)
    for event in record.events:
        yield step(
            event.rule, ("{side}: " if event.who else "") + "{what}", side=view.title_of(event.who), what=event.in_words
        )
    if turn.options:
        yield step("", "played with: {options}", turn)


QUESTION = declare("turn", "who does what in a game turn, in order, and which units arrive", answer)


# --- the next phase ---------------------------------------------------------------------------------------------------


class Next(msgspec.Struct, frozen=True):
    """The phase that follows."""

    turn: Annotated[int, note("its game turn")]
    side: Annotated[str, note("whose player turn it is")]
    phase: Annotated[str, note("the word of the phase")]
    ended: Annotated[int, note("how many facts end with the phase before")]


def phases_of(facts: Gather, number: int) -> list[tuple[str, str]]:
    """The phases of a turn that a word stands for, in order, each with its side."""
    game, options = facts.view.game, InForce(facts)
    declared = course.course_file(game)
    return [
        (side, phase.word)
        for side in declared.turns.order or game.file.sides
        for phase, _ in course.phases_in(game, declared, "player-turn", number, side, options)
        if phase.word
    ]


def lapsing(view: View, became: Mapping[str, Value | None], rule: str = "") -> Iterator[Change]:
    """The changes by which facts end that last only as long as other facts about the game. became: those that change, by
    track, with their new values.
    """
    for (track, subject), fact in view.state.facts.items():
        if view.game.tracks[track].ends_as(became):
            yield Change(track, subject, fact.value, None, rule)


def next_phase(view: View) -> Report[Next]:
    """The phase that follows the one that the position states, and what that changes."""
    counts = course.course_file(view.game).turns.track
    with view.gather() as facts:
        number = read_number(facts)
        now = facts.word("phasing"), facts.word("phase")
    with view.gather() as facts:
        due, most = phases_of(facts, number), view.game.tracks[counts].most or number
        later = due[due.index(now) + 1 :] if now in due else []
        turn = number
        while now in due and not later and turn < most:
            turn, later = turn + 1, phases_of(facts, turn + 1)
    if now not in due:
        known = ", ".join(f"{side} {word}" for side, word in due)
        raise InputError(f"turn {number} has no phase {now[1]} of the side {now[0]}", hint=f"it has: {known}")
    if not later:
        return refused("The next phase", "the game is over", [step("", "turn {turn} is the last", turn=number)])
    before: dict[str, Value] = {counts: number, "phasing": now[0], "phase": now[1]}
    after: dict[str, Value] = {counts: turn, "phasing": later[0][0], "phase": later[0][1]}
    moved = [changed(view, name, "", after[name], "") for name in after if after[name] != before[name]]
    ended = tuple(lapsing(view, {change.track: change.after for change in moved}))
    found = Next(turn, *later[0], len(ended))
    title = next(phase.title for phase in course.course_file(view.game).phase if phase.word == found.phase)
    return Report(
        title="The next phase",
        verdict=verdict("figure", "turn {turn}: {phase} of {side}", found, phase=title, side=view.title_of(found.side)),
        changes=(*moved, *ended),
        result=found,
    )


QUESTIONS = (QUESTION, declare("next", "the phase that follows, and which facts end with the one before", next_phase))
