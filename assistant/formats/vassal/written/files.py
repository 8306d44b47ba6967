"""Writing an answer into a file: a new save, or a log that continues a save or log.

Notes state what counters cannot show. The new file is checked before it gets its name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from ....game.covers import cover_counters, hidden_units, uncover_counters
from ....game.games import Chosen, Game
from ....game.viewpoint import lists_sides
from ....state.overlay import Overlay
from ....state.state import FactKey, GameState
from ....state.tracks import Fact
from ....state.trust import write_trust
from ....util.errors import InputError, is_want_of_memory, plain, word_machine_error
from ...notation_writer import write_remarks
from ...positions import Position
from .. import LOG
from ..adoption.legend import AdoptedLegend
from ..containers import ESCAPE, LOGGED
from ..legends import HEADING, BuiltLegend, Legend
from ..logs import CHAT
from ..positions import legend_of, part_notes, position_of, read_vassal
from ..replay import UNDO, replay
from ..saves import PUBLIC, Save, edit_stream, mark_private, read_save, replace_stream, rewrite_save, write_lines
from ..sequence import join
from ..streams import read_stream, split_commands
from .pens import AdoptedPen, BuiltPen, Pen
from .table import Hand, Palettes, PieceSource, TableLayout, has_overlay, show_overlay


class NotWritten(InputError):
    """The reasons why a game cannot be written, a line each. No file has been written."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("nothing is written, because the new game would not show:")
        self.reasons = reasons

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"- {plain(reason)}" for reason in self.reasons)])


class CarriedGame(NamedTuple):
    """A game after an answer has been carried out."""

    data: bytes
    """The bytes of its file."""
    left: tuple[str, ...] = ()
    """Texts on facts that players must set on a published module's counters, and on phase facts not in the notes."""


def carry_on(
    source: bytes,
    target: Position,
    ending: str,
    chat: str,
    palettes: Palettes = lambda: None,
    overlay: Overlay | None = None,
) -> CarriedGame:
    """Return a save or log in which the game of another one has reached a position.

    `ending`: `.vsav`, or `.vlog` for a continued log.
    `chat`: the lines of its chat.
    `palettes`: returns the module for new pieces.
    `overlay`: the pieces that show an answer, or None.

    Raises InputError if the source is unfinished, or NotWritten if the new game cannot show the position.
    """
    try:
        return _carry_on(source, target, ending, chat, palettes, overlay)
    except InputError:
        raise
    except ValueError as error:  # a text that VASSAL's files cannot hold, or a piece without an id
        if is_want_of_memory(error):
            raise word_machine_error(error) from None
        raise InputError(
            f"VASSAL cannot hold it: {error}", hint='make the changes by hand: the answer lists them under "In VASSAL"'
        ) from None


def _carry_on(
    source: bytes, target: Position, ending: str, chat: str, palettes: Palettes, overlay: Overlay | None
) -> CarriedGame:
    with mark_private():
        before = read_save(source)
        _check_whole(before)
        hand = Hand(replay(before))
    save_now = hand.begun_with
    game = target.game
    target = target.with_state(uncover_counters(game, target.state))

    def same_game(id: str) -> Game:
        if id != game.id:
            raise InputError(f"this is a position of {game.id}", hint=f"the save to begin with is of {id}")
        return game

    its_game = Chosen(game.id, same_game)

    def read_legend(save: Save) -> Legend:
        return legend_of(save, its_game)

    def read_stated(save: Save) -> Position:
        return position_of(save, read_legend(save), "the new save")

    legend = read_legend(save_now)
    pen = choose_pen(legend)
    palette = PieceSource(save_now, read_legend, palettes)
    layout = TableLayout(hand, game, legend, pen, palette)
    before_it = read_stated(save_now).state
    _log_chat(hand, chat, write_trust(target.state.accepts, before_it.accepts))
    layout.lay_out(cover_counters(game, before_it), cover_counters(game, target.state))
    is_unchanged = before_it == target.state
    if overlay is not None and (is_unchanged or has_overlay(legend)):
        show_overlay(hand, pen, palette, overlay)
    shown = read_stated(msgspec.structs.replace(hand.to_save(), public_notes=""))
    shown = shown.with_state(uncover_counters(game, shown.state, target.state.facts))
    target = _add_printed(target, shown, before_it)
    known = _find_known(before_it, shown.state, target)
    left_out = _find_left(layout, known, shown, target, may_leave=not isinstance(legend, BuiltLegend))
    if left_out:
        target = _reconcile(target, shown, known)
    if (
        not (overlay and is_unchanged)
        and (notes := _write_notes(hand.to_save(), target, read_stated)) != save_now.public_notes
    ):
        hand.log_step(PUBLIC + write_lines(notes))
    data = _write_log(source, hand.steps) if ending == LOG else _write_save(source, before, hand.to_save())
    differences = [*find_lacking(read_vassal(data, "the new file", its_game), target)]
    shows_any = (before_it.units, before_it.facts) != (target.state.units, target.state.facts)
    if differences or (left_out and not shows_any):
        raise NotWritten([*left_out, *differences])
    return CarriedGame(data, tuple(dict.fromkeys(left_out)))


def _check_whole(save: Save) -> None:
    """Raise InputError if VASSAL did not finish writing a save or log."""
    if not save.complete:
        raise InputError("the end of the save is missing", hint="save it again")
    undone = sum(step.startswith(UNDO) for step in save.steps)
    if undone % 2:
        raise InputError("the log ends in the middle of an undone step", hint="end the log in VASSAL again")


def choose_pen(legend: Legend) -> Pen:
    """Return the pen for a legend.

    Raises InputError if saves with this legend cannot be written.
    """
    if isinstance(legend, BuiltLegend):
        return BuiltPen(legend)
    if isinstance(legend, AdoptedLegend):
        return AdoptedPen(legend)
    raise InputError(
        "a save of this module cannot be written",
        hint='make the changes by hand: the answer lists them under "In VASSAL"',
    )


def _log_chat(hand: Hand, chat: str, trust: Iterable[str]) -> None:
    """Log the lines of a chat, and after the first one the sources trusted from now on."""
    lines = chat.splitlines()
    if not lines:
        return
    for line in (lines[0], *(f"* {HEADING}: {line} *" for line in trust), *lines[1:]):
        hand.log_step(f"{CHAT}{line}")


def _find_left(
    layout: TableLayout, known: SharedKnowledge, shown: Position, target: Position, *, may_leave: bool
) -> list[str]:
    """Return texts on the parts of a position left to players.

    `may_leave`: whether anything may be left besides facts of the phase that are kept out of the notes.

    Raises NotWritten if anything else is left but may not be.
    """
    reasons = (layout.refused, [*_find_contradictions(shown, target)], [*_find_revealed(known, target)])
    left = [reason for group in reasons for reason in group]
    if left and not may_leave:
        raise NotWritten(next(filter(None, reasons)))
    return [*left, *_find_revealed(known, target, passing=True)]


def _find_known(before: GameState, shown: GameState, target: Position) -> SharedKnowledge:
    """Return the public knowledge before a position is written.

    `before`: the state of the game before.
    `shown`: the facts on the new counters.
    """
    game = target.game
    after = target.state
    units_before, units_after = _read_units(game, before), _read_units(game, after)
    acted = (unit for unit in hidden_units(game, after) if units_before.get(unit) != units_after.get(unit))
    sides = (game.side_of_unit(after.units[unit], after.facts) for unit in acted)
    return SharedKnowledge({**before.facts, **shown.facts}, frozenset(sides))


def _add_printed(target: Position, shown: Position, before: GameState) -> Position:
    """Return a position with printed facts added for new units, as a published module's counters state them."""
    tracks = target.game.tracks
    new = target.state.units.keys() - before.units.keys()
    facts = shown.state.facts.items()
    printed = {key: fact for key, fact in facts if key[1] in new and tracks[key[0]].printed == "counter"}
    return target.with_state(msgspec.structs.replace(target.state, facts={**printed, **target.state.facts}))


def _reconcile(target: Position, shown: Position, known: SharedKnowledge) -> Position:
    """Return the part of a position that a save can state: the facts on counters, and no secrets in the notes.

    `shown`: the facts on the counters.
    """
    state = msgspec.structs.replace(target.state, facts={**target.state.facts, **_list_facts(target.game, shown.state)})
    unfit = _find_unfit(target.with_state(state), known)
    facts = {key: fact for key, fact in state.facts.items() if key not in unfit}
    state = msgspec.structs.replace(state, facts=facts)
    if [*_find_moved(shown, target)]:
        state = msgspec.structs.replace(state, units=shown.state.units)
    tracks = target.game.tracks
    known_units = {key: fact for key, fact in facts.items() if tracks[key[0]].on != "unit" or key[1] in state.units}
    return target.with_state(msgspec.structs.replace(state, facts=known_units))


def _write_log(source: bytes, steps: Sequence[Sequence[str]]) -> bytes:
    """Return a log that continues a save or log with steps."""
    stream, _ = read_stream(source)
    more = [join([f"{LOGGED}{command}" for command in step], ESCAPE) for step in steps]
    return replace_stream(source, edit_stream(stream, {}, more))


def _write_save(source: bytes, before: Save, after: Save) -> bytes:
    """Return the save, or the beginning of the log, with the pieces and other state of `after`."""
    if before.steps:
        stream, _ = read_stream(source)
        steps = {number: () for number, command in enumerate(split_commands(stream)) if command.startswith(LOGGED)}
        source = replace_stream(source, edit_stream(stream, steps))
    writable = msgspec.structs.replace(
        after, unread=before.unread, players=before.players, boards=before.boards, pings=before.pings
    )
    if writable != after:
        raise InputError("the log has steps that a save cannot hold", hint=f"write a log: NAME{LOG}")
    return rewrite_save(source, after)


# --- the public notes -------------------------------------------------------------------------------------------------


Read = Callable[[Save], Position]
"""A function that reads a save with its notes as a position."""
_QUESTION_WORDS = ("ask", "answers")
"""The first words of lines that only concern the earlier position."""


def _write_notes(save: Save, target: Position, read: Read) -> str:
    """Return the public notes with the facts that the counters of a save do not show.

    The players' lines, except questions and answers, stay if they still hold. Otherwise all necessary facts are written
    again, and only comments stay.

    Raises InputError if notation cannot state a fact.
    """
    above, below = part_notes(save.public_notes)
    lines_to_keep = [line for line in below if line.split()[:1] not in [[word] for word in _QUESTION_WORDS]]

    def text(lines: Sequence[str]) -> str:
        if not above and not lines:
            return save.public_notes
        begun = above or [*save.public_notes.split("\n"), HEADING] if save.public_notes else [HEADING]
        return "\n".join([*begun, *lines])

    def read_with(lines: Sequence[str]) -> Position:
        return read(msgspec.structs.replace(save, public_notes=text(lines)))

    added_lines = _find_more(lines_to_keep, target, read_with)
    if added_lines is not None:
        return text([*lines_to_keep, *added_lines])
    shown = read_with([]).state.facts
    comments = [line for line in below if line.lstrip().startswith("#")]
    facts = target.state.facts
    shown_keys = {
        key for key in facts if shown.get(key) == facts[key] or _goes_without_saying(target.game, key, facts[key])
    }
    return text([*comments, *write_remarks(target, shown_keys)])


def _find_more(kept: Sequence[str], target: Position, stated: Callable[[Sequence[str]], Position]) -> list[str] | None:
    """Return the lines needed besides the kept notes, or None if a kept note no longer holds."""
    try:
        known = stated(kept).state
        state = target.state
        rest = msgspec.structs.replace(
            state,
            facts={
                key: fact
                for key, fact in state.facts.items()
                if known.facts.get(key) != fact and not _goes_without_saying(target.game, key, fact)
            },
            cells={key: cell for key, cell in state.cells.items() if known.cells.get(key) != cell},
            rulings={name: reading for name, reading in state.rulings.items() if known.rulings.get(name) != reading},
            elsewhere={name: fact for name, fact in state.elsewhere.items() if known.elsewhere.get(name) != fact},
            lines={},
            line_facts={},
        )
        added_lines = write_remarks(target.with_state(rest), (), known.accepts)
        return None if [*find_lacking(stated([*kept, *added_lines]), target)] else added_lines
    except InputError:
        return None


# --- differences between two positions --------------------------------------------------------------------------------


def find_lacking(written: Position, target: Position) -> Iterator[str]:
    """Yield texts on the differences of a written position from the target.

    Questions, answers and units without a place do not count.
    """
    was = written.state
    wanted = target.state
    yield from _find_moved(written, target)
    facts, wanted_facts = _list_facts(target.game, was), _list_facts(target.game, wanted)
    for key in dict.fromkeys((*facts, *wanted_facts)):
        fact, wanted_fact = facts.get(key), wanted_facts.get(key)
        if fact != wanted_fact:
            yield _format_difference(target.game, key, fact, wanted_fact)
    for name in ("board", "cells", "rulings", "lines", "line_facts", "elsewhere", "accepts"):
        if getattr(was, name) != getattr(wanted, name):
            yield f"what is stated about {name.replace('_', ' ')}"


def _find_contradictions(shown: Position, target: Position) -> Iterator[str]:
    """Yield texts on differences between the counters and a position that no note can correct."""
    yield from _find_moved(shown, target)
    for key, fact in _list_facts(target.game, shown.state).items():
        wanted = target.state.facts.get(key)
        if wanted is None or wanted.value != fact.value:
            yield _format_difference(target.game, key, fact, wanted)


def _find_moved(written: Position, target: Position) -> Iterator[str]:
    """Yield texts on places with other units, or with the same units in another order.

    A box may have a part for each side, so there only the order within a side counts.
    """
    states = (written.state, target.state)
    game = target.game
    board = game.board(target.state.board)
    for place in dict.fromkeys(unit.place for state in states for unit in state.units.values() if unit.place):
        stacks = [list(state.stack(place)) for state in states]
        if not board.is_hex(place):
            for stack, state in zip(stacks, states, strict=True):
                stack.sort(key=partial(game.side_of_unit, facts=state.facts))
        here, there = [unit.id for unit in stacks[0]], [unit.id for unit in stacks[1]]
        if here != there:
            yield f"{place}: {_format_units(there)} from the top, instead of {_format_units(here)}"


def _list_facts(game: Game, state: GameState) -> dict[FactKey, Fact]:
    return {key: fact for key, fact in state.facts.items() if not _goes_without_saying(game, key, fact)}


def _goes_without_saying(game: Game, key: FactKey, fact: Fact) -> bool:
    """Return whether a fact has the value that counters and markers state by showing nothing."""
    track = game.tracks[key[0]]
    return track.module is not None and not fact.assumed and fact.value == track.absent


def _format_difference(game: Game, key: FactKey, shown: Fact | None, wanted: Fact | None) -> str:
    track = game.tracks[key[0]]
    facts = (wanted, shown)
    words = ["nothing" if fact is None else track.write(fact.value) + ("?" if fact.assumed else "") for fact in facts]
    return f"{_format_subject(key)}, {track.title}: {words[0]}, instead of {words[1]}"


def _format_subject(key: FactKey) -> str:
    return key[1] or "the game"


def _format_units(units: list[str]) -> str:
    return ", ".join(units) or "nothing"


# --- facts that not every side may read -------------------------------------------------------------------------------


class SharedKnowledge(NamedTuple):
    """Public knowledge about the game before it is written."""

    facts: Mapping[FactKey, Fact]
    """The facts on the counters and in the notes."""
    acted: frozenset[str] = frozenset()
    """The sides of hidden units that have moved or otherwise acted since."""


def _read_units(game: Game, state: GameState) -> dict[str, tuple[str | None, Mapping[FactKey, Fact]]]:
    facts: dict[str, dict[FactKey, Fact]] = {unit: {} for unit in state.units}
    for key, fact in state.facts.items():
        if game.tracks[key[0]].on == "unit" and key[1] in facts:
            facts[key[1]][key] = fact
    return {unit.id: (unit.place, facts[unit.id]) for unit in state.units.values()}


def _find_revealed(known: SharedKnowledge, target: Position, *, passing: bool = False) -> Iterator[str]:
    """Yield texts on secret facts that only the public notes could state, of hidden units or hidden tracks.

    `passing`: whether to yield the facts that end with the phase, or else the others.
    """
    for key in (key for key in _find_unfit(target, known) if _is_passing(target.game, key) == passing):
        title = target.game.tracks[key[0]].title
        yield f"{_format_subject(key)}, {title}: its counter does not show it, and all sides can read the notes"


def _find_unfit(target: Position, known: SharedKnowledge) -> Collection[FactKey]:
    """Return the facts that the public notes would reveal, in the position's order."""
    game = target.game
    hidden = hidden_units(target.game, target.state)
    limited = game.hiding.limits(target.state.facts) is not None
    unfit = dict.fromkeys(key for key, fact in target.state.facts.items() if known.facts.get(key) != fact)
    for key in [*unfit]:
        track = game.tracks[key[0]]
        fact = target.state.facts[key]
        secret = track.hidden and limited
        if track.on == "unit":
            secret = secret or key[1] in hidden
        elif lists_sides(game, track):  # notes about what all have seen there reveal nothing new
            unseen = any(unit.id in hidden for unit in target.state.stack(key[1]))
            new_words = _list_fact_words(fact) - _list_fact_words(known.facts.get(key))
            secret = secret and (unseen or not known.acted.isdisjoint(new_words))
        if not secret or _goes_without_saying(game, key, fact):
            del unfit[key]
    return unfit.keys()


def _is_passing(game: Game, key: FactKey) -> bool:
    """Return whether a fact of a place is hidden and ends with the active side's phase."""
    track = game.tracks[key[0]]
    return track.hidden and track.on in ("hex", "hexside") and "phasing" in track.ends_with


def _list_fact_words(fact: Fact | None) -> set[str]:
    return {*fact.value} if fact and isinstance(fact.value, tuple) else set()
