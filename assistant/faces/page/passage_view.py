"""A passage in words and for the map: what moved, fought, was lost, came and changed, and the luck of a battle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b

from msgspec.structs import replace

from ...asking.changes import format_change
from ...asking.report import Report
from ...asking.view import View
from ...asking.wording import sentence_case
from ...formats.notation import find_stated
from ...formats.positions import Position
from ...game.course import clock_tracks
from ...game.gamefile import MARCH_WAY
from ...game.games import Game
from ...records.explaining.played import Passage, PlayedQuestion, PlayedRecord, Ruled, read_played_moment
from ...records.explaining.record import reason
from ...records.journal.entries import FACT
from ...records.luck.calculation import tell_luck
from ...records.luck.evening import Evening
from ...records.luck.words import format_verdict, list_outcome_rows, list_turn_rows
from ...records.story.chapters import StoryStretch, attacked_from, attacked_hex, split_stretches
from ...records.story.sentences import Names, format_units, tell_stretch
from ...service import ask, sketch
from ...state.changes import Change
from ...state.differences import Differences, FactChange, find_differences
from ...util.errors import InputError, MachineError, plain
from ..prompt.combats import list_named
from .desk import StandingTable
from .messages.passages import FoughtShown, MoveShown, OutcomeShown, PassageShown, RollShown, SentenceShown
from .passages import QuestionPassed, TablePassage, changed_subjects
from .seen_entries import drop_signs
from .table_view import format_line, show_chains

_MAX_CHANGES_WORDED = 8
"""The maximum number of changes that are listed if a passage has no sentence of its own."""


def show_passage(table: StandingTable) -> PassageShown:
    """Return the passage after which a table stands.

    Raises InputError if it stands after none.
    """
    if (passage := table.passage) is None:
        raise InputError("no passage is named", hint="name the number of one")
    view = View(table.game, passage.after.state)
    moment = sentence_case(read_played_moment(table.game, passage.after.state).label(table.game))
    shown = PassageShown(
        number=passage.number,
        count=passage.last,
        turn=moment,
        sentences=(),
        is_correction=passage.is_correction,
        stacks=_digest_stacks(view),
    )
    if passage.number == 0:
        return shown
    stretch = _make_stretch(passage)
    changed = stretch.changed
    return replace(
        shown,
        sentences=tuple(_list_sentences(stretch, passage.lines)),
        moves=tuple(_list_moves(view, changed, _find_way(passage))),
        entered=_list_hexes(view, (unit.place for unit in changed.came)),
        left=_list_hexes(view, (unit.place for unit in changed.gone)),
        changed=_list_hexes(view, _find_changed_places(view, changed)),
        battle=_show_battle(stretch) if stretch.combat else None,
    )


def _make_stretch(passage: TablePassage) -> StoryStretch:
    before, after = passage.before, passage.after
    question = passage.question
    played = _make_question(before, question) if question and _carries_out(passage, question) else None
    made = Passage(
        "question" if played else "event",
        passage.number,
        passage.number,
        lambda: (before, after),
        changes=question.changes if played and question else (),
        question=played,
    )
    return next(split_stretches(before.game, [made]))


def _make_question(before: Position, question: QuestionPassed) -> PlayedQuestion:
    @cache
    def ruled() -> Ruled:
        try:
            return Ruled(ask(before, question.asked, question.answers))
        except MachineError:
            raise
        except InputError as error:
            error.where = None  # the place of the error would be in a file that is not the reader's
            return Ruled(None, reason(error))

    return PlayedQuestion(question.asked, question.answers, ruled, guessed=question.guessed, in_order=question.in_order)


def _carries_out(passage: TablePassage, question: QuestionPassed) -> bool:
    """Return whether a passage carries out the answer to a question.

    Players enter the changes of a combat as facts. A combat is carried out by the first passage after its last die that
    changes a unit or place in the answer's changes.
    """
    if question.since is None:
        return True
    game = passage.before.game
    try:
        report = ask(passage.before.with_state(question.since.state), question.asked, question.answers)
    except MachineError:
        raise
    except InputError:
        return False
    expected = _list_subjects(report)
    now = changed_subjects(game, passage.before.state, passage.after.state)
    return (
        not report.asks and bool(expected & now) and not any(expected & subjects for subjects in question.since.changed)
    )


def _list_subjects(report: Report[object]) -> frozenset[str]:
    """Return the units and places that an answer changes."""
    return frozenset(getattr(change, "subject", "") or getattr(change, "unit", "") for change in report.changes) - {""}


def _list_sentences(stretch: StoryStretch, entered: Sequence[str]) -> Iterator[SentenceShown]:
    """Yield the sentences of a passage, or its changes in words if it has none.

    `entered`: the entries in short, for a passage without any change.
    """
    sentences = tell_stretch(stretch)
    for sentence in sentences:
        yield SentenceShown(kind=sentence.kind, text=sentence.text, head=sentence.head)
    if sentences:
        return
    game = stretch.before.game
    before, after = (read_played_moment(game, position.state) for position in (stretch.before, stretch.after))
    if before != after:
        yield SentenceShown(kind="entry", text=f"{sentence_case(after.label(game))} begins.")
        return
    lines = [*_word_changes(stretch.before, stretch.after)] or [*_word_restated(stretch.after, entered)]
    more = len(lines) - _MAX_CHANGES_WORDED
    for line in lines[:_MAX_CHANGES_WORDED]:
        yield SentenceShown(kind="entry", text=line)
    if more > 0:
        yield SentenceShown(kind="entry", text=f"… and {more} more")


def _word_changes(before: Position, after: Position) -> Iterator[str]:
    """Yield the facts and stacks that differ, in words."""
    game = before.game
    clock = clock_tracks(game)
    changed = find_differences(drop_signs(before.state, clock), drop_signs(after.state, clock), game.tracks)
    yield from (f"{sentence_case(fact)}." for fact in _word_facts(game, changed.facts))
    for stack in changed.restacked:
        yield f"{Names(after).place(stack.place)}: {format_units(stack.after)}, from the top."


def _word_facts(game: Game, facts: Iterable[FactChange]) -> Iterator[str]:
    for fact in facts:
        change = Change(fact.track, fact.subject, fact.before, fact.after, "")
        yield plain(format_change(change, game.tracks))


def _word_restated(position: Position, lines: Sequence[str]) -> Iterator[str]:
    """Yield what lines state that have changed nothing, in words, or the lines themselves if they state no position."""
    if not lines:
        return
    game, state = position.game, position.state
    try:
        places, keys = find_stated("\n".join(line.removeprefix(f"{FACT} ") for line in lines), position)
    except InputError:
        yield from map(format_line, lines)
        return
    names = Names(position)
    clock = clock_tracks(game)
    stacks = {place: [unit.id for unit in state.stack(place)] for place in sorted(places)}
    parts = [
        f"{format_units(units) if units else 'no units'} in {names.place(place)}" for place, units in stacks.items()
    ]
    if any(track in clock for track, _ in keys):
        parts.append(read_played_moment(game, state).label(game))
    facts = [key for key in sorted(keys & state.facts.keys()) if key[0] not in clock]
    parts += _word_facts(game, [FactChange(*key, None, state.facts[key].value) for key in facts])
    yield f"Stated again, nothing changed: {'; '.join(parts)}." if parts else "Nothing changed."


def _find_way(passage: TablePassage) -> list[str]:
    """Return the hexes that a march has entered, or none for any other passage."""
    if passage.question is None:
        return []
    game, asked = passage.before.game, passage.question.asked
    if not game.file.prompt.march or asked.question != game.file.prompt.march:
        return []
    board = game.board_of(passage.before.state)
    return [board.place(name) for name in list_named(asked, MARCH_WAY)]


def _list_moves(view: View, changed: Differences, way: Sequence[str]) -> Iterator[MoveShown]:
    """Yield the moves. One that ends in a hex that a march has entered has the way up to there."""
    ways: dict[tuple[str, str, str], list[str]] = {}
    for move in changed.moved:
        if view.board.shows(move.before) and view.board.shows(move.after):
            ways.setdefault((move.before, move.after, view.side_of(move.unit)), []).append(move.unit)
    for (start, end, side), units in ways.items():
        entered = tuple(way[: way.index(end) + 1]) if end in way and start not in way else ()
        yield MoveShown(start=start, end=end, side=side, units=tuple(units), way=entered)


def _find_changed_places(view: View, changed: Differences) -> Iterator[str]:
    tracks = view.game.tracks
    units = view.state.units
    for fact in changed.facts:
        track = tracks[fact.track]
        if track.is_passing:
            continue
        if track.on == "unit" and fact.subject in units:
            yield units[fact.subject].place or ""
        elif track.on in ("hex", "hexside"):
            yield from fact.subject.split("|")


def _list_hexes(view: View, places: Iterable[str]) -> tuple[str, ...]:
    return tuple(place for place in dict.fromkeys(places) if place and view.board.shows(place))


def _show_battle(stretch: StoryStretch) -> FoughtShown:
    passage = stretch.passages[0]
    question = passage.question
    report = question.report if question else None
    drawn = sketch(passage.before, report) if report else None
    evening = tell_luck(PlayedRecord("", passage.before, [passage], is_log=False))
    return FoughtShown(
        at=attacked_hex(passage),
        attacks=tuple(attacked_from(passage)),
        odds=show_chains(drawn.chains if drawn else ()),
        verdict=" ".join(format_verdict(evening)),
        luck=tuple(_list_luck(evening)),
        rolls=tuple(_list_rolls(evening)),
        rests_on=evening.battles[0].rests_on if evening.battles else (),
        why_not=plain("; ".join(left.why for left in evening.left_out)),
    )


def _list_luck(evening: Evening) -> Iterator[OutcomeShown]:
    for battle in evening.battles:
        for row in list_outcome_rows(evening, battle):
            expected, actual, percentile = row.cells
            yield OutcomeShown(
                title=sentence_case(row.label.strip()), expected=expected, actual=actual, percentile=percentile
            )


def _list_rolls(evening: Evening) -> Iterator[RollShown]:
    for battle in evening.battles:
        for row in list_turn_rows(evening, battle):
            dice, percentile, swing, luck = row.cells
            yield RollShown(title=row.label, dice=dice, percentile=percentile, swing=swing, luck=luck)


def _digest_stacks(view: View) -> dict[str, str]:
    """Return a digest of the counters in each place of the map."""
    facts: dict[str, list[str]] = {}
    for (track, subject), fact in view.state.facts.items():
        if subject in view.state.units:
            facts.setdefault(subject, []).append(f"{track}={fact.value}")
    stacks: dict[str, list[str]] = {}
    for unit in sorted(view.state.units.values(), key=lambda unit: unit.order):
        if unit.place is not None and view.board.shows(unit.place):
            stacks.setdefault(unit.place, []).append(f"{unit.id} {unit.type} {sorted(facts.get(unit.id, ()))}")
    return {
        place: blake2b("\n".join(counters).encode(), digest_size=6).hexdigest() for place, counters in stacks.items()
    }
