"""The file in which an answer is carried out: a new save, or a log that goes on from a save or a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ....game.games import Chosen
from ....state.state import GameState
from ....util.errors import InputError, plain
from ...positions import Position
from .. import LOG
from ..adopted.legend import AdoptedLegend
from ..containers import ESCAPE, LOGGED, commands_of, read_stream
from ..legends.built import BuiltLegend
from ..legends.legend import Legend
from ..logs import UNDO, replayed
from ..positions import legend_of, position_of, read
from ..rewriting import rewritten, with_stream
from ..saves import Save, private, read_save
from ..sequence import join
from ..streams import edited
from .adopted import AdoptedPen
from .built import BuiltPen
from .checking import contradicting, lacking, reconciled, revealing, with_printed
from .hand import Hand
from .laying import Layout
from .notes import noted
from .palette import Palette, Palettes
from .pen import Pen


def _none() -> None:
    """No palettes."""


class Carried(NamedTuple):
    """A game carried on. data: the bytes of its file; left: what a published module's counters do not show, for players to set, in words."""

    data: bytes
    left: tuple[str, ...] = ()


def carried_out(source: bytes, target: Position, ending: str, said: str, palettes: Palettes = _none) -> Carried:
    """A save or a log in which the game of another one stands as in a position.

    source: the bytes of the save or log before; ending: .vsav for a new save, in which every command stays as it was but those of what
    differs; .vlog for a log that begins with all of the source, and goes on with new steps. said: the lines that the log's chat gets.
    palettes: gives the module from whose palettes units and markers come into play, if it is the one of the source.

    Raises InputError if the source was not finished, or belongs to a module that cannot be written; NotWritten for what the new game cannot
    show; of a published module only if it would show nothing of what changes.
    """
    try:
        return _carried_out(source, target, ending, said, palettes)
    except InputError:
        raise
    except ValueError as error:  # a text that VASSAL's files have no way to hold, or a piece without an id
        raise InputError(f"VASSAL cannot hold it: {error}", hint="click what is listed under: In VASSAL") from None


def _carried_out(source: bytes, target: Position, ending: str, said: str, palettes: Palettes) -> Carried:
    with private():
        before = read_save(source)
        _check_whole(before)
        hand = Hand(replayed(before))
    now, game = hand.begun_with, target.game
    its_game = Chosen(game.id, lambda _: game)

    def meant(save: Save) -> Legend:
        return legend_of(save, its_game)

    def stated(save: Save) -> Position:
        return position_of(save, meant(save), "the new save")

    legend = meant(now)
    layout = Layout(hand, game, legend, _pen(legend), Palette(now, meant, palettes))
    for line in said.splitlines():
        hand.say(line)
    before_it = stated(now).state
    layout.lay_out(before_it, target.state)
    shown = stated(msgspec.structs.replace(hand.save(), public_notes=""))
    target = with_printed(target, shown, before_it)
    known = {**before_it.facts, **shown.state.facts}
    reasons = (layout.refused, [*contradicting(shown, target)], [*revealing(known, target)])
    left = [reason for some in reasons for reason in some]
    if left and isinstance(legend, BuiltLegend):
        raise NotWritten(next(filter(None, reasons)))
    if left:
        target = reconciled(target, shown, known)
    if (notes := noted(hand.save(), target, stated)) != now.public_notes:
        hand.note(notes)
    data = _as_log(source, hand.steps) if ending == LOG else _as_save(source, before, hand.save())
    lacks = [*lacking(read(data, "the new file", its_game), target)]
    if lacks or (left and not _shows_any(before_it, target.state)):
        raise NotWritten([*left, *lacks])
    return Carried(data, tuple(dict.fromkeys(left)))


def _shows_any(before: GameState, after: GameState) -> bool:
    """Whether anything of a position is otherwise than before."""
    return (before.units, before.facts) != (after.units, after.facts)


def _pen(legend: Legend) -> Pen:
    """The pen for what a legend reads. Raises InputError if there is none."""
    if isinstance(legend, BuiltLegend):
        return BuiltPen(legend)
    if isinstance(legend, AdoptedLegend):
        return AdoptedPen(legend)
    raise InputError("a save of this module cannot be written", hint="click what is listed under: In VASSAL")


class NotWritten(InputError):
    """What cannot be written, a line for each reason. Nothing has been written."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("nothing is written, for the new game would not show:")
        self.reasons = reasons

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"- {plain(reason)}" for reason in self.reasons)])


def _check_whole(save: Save) -> None:
    """Raise InputError for a save or a log that VASSAL did not finish writing."""
    if not save.complete:
        raise InputError("the end of the save is missing", hint="save it again")
    undone = sum(step.startswith(UNDO) for step in save.steps)
    if undone % 2:
        raise InputError("the log ends in the middle of an undone step", hint="end the log in VASSAL again")


def _as_log(source: bytes, steps: Sequence[Sequence[str]]) -> bytes:
    """A log that begins with a save or a log and goes on with steps."""
    stream, _ = read_stream(source)
    more = [join([f"{LOGGED}{command}" for command in step], ESCAPE) for step in steps]
    return with_stream(source, edited(stream, {}, more))


def _as_save(source: bytes, before: Save, after: Save) -> bytes:
    """The save, or the save that a log begins with, with the pieces and the rest of a later one."""
    if before.steps:
        stream, _ = read_stream(source)
        steps = {number: () for number, command in enumerate(commands_of(stream)) if command.startswith(LOGGED)}
        source = with_stream(source, edited(stream, steps))
    kept = msgspec.structs.replace(after, unread=before.unread, players=before.players, boards=before.boards)
    if kept != after:
        raise InputError("the log has steps that a save cannot hold", hint=f"write a log: NAME{LOG}")
    return rewritten(source, after)
