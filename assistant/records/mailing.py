"""Files that players send each other: the game after an answer, or a battle in progress with its dice."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..asking.play import rolls_of
from ..asking.report import Report
from ..asking.view import View
from ..formats.notation_writer import write_questions
from ..formats.positions import Position
from ..formats.vassal import ENDINGS, LOG, SAVE, is_played
from ..game.covers import cover_counters
from ..game.games import Chosen
from ..installed.formats import read_position
from ..installed.registry import palettes_of, question_of
from ..service import write
from ..state.overlay import Overlay
from ..state.state import INVISIBLE, MASKED, GameState, is_limited
from ..util.errors import InputError, Where, located
from ..util.files import read_bytes
from ..util.limits import kept_private
from ..util.texts import names_one_of
from ..util.writing import check_free, write_whole

if TYPE_CHECKING:
    from ..formats.vassal.modules import Module
    from ..formats.vassal.written.files import CarriedGame


def check_played_file(file: Path, source: str, *, force: bool = False) -> None:
    """Raise InputError if `file` cannot be written as the next save or log of a game.

    `source`: the save or log of the game so far, or "-". It is never overwritten.
    """
    if source != "-" and Path(source).suffix.lower() not in ENDINGS:
        hint = "a position goes into NAME.pos or NAME.json"
        raise InputError("only an answer about a VASSAL save or log goes into one", where=Where(str(file)), hint=hint)
    with suppress(OSError):
        if os.path.samefile(file, source):
            raise InputError("this is the file that was asked about", where=Where(str(file)), hint="name a new one")
    check_free(file, force=force)


def check_told(asked: Position, report: Report[Any], file: Path) -> None:
    """Raise InputError for an answer that may not go into the notes of a save or log, which every player reads.

    That is an answer with changes from one side's knowledge, or a question or answer that names a hidden unit.
    """
    if report.changes:
        _check_sees_all(asked, file)
    elif names_hidden("\n".join(write_questions(asked)), cover_counters(asked.game, asked.state)):
        what = "the question or its answers name a unit that somebody hides, but everybody can read the notes"
        raise InputError(what, where=Where(str(file)), hint="leave that answer to the end, or let an umpire go on")


def _check_sees_all(position: Position, file: Path) -> None:
    if is_limited(position.state.seen_by):
        what = (
            "a save holds both sides' game, and an answer for one side does not know what happens to the other's units"
        )
        raise InputError(
            what, where=Where(str(file)), hint="click what the answer lists, or let an umpire ask, with --umpire"
        )


def carry_out(
    position: Position,
    report: Report[Any],
    source: str | os.PathLike[str] | bytes,
    file: str | os.PathLike[str],
    *,
    module: Module | None = None,
    force: bool = False,
    asked: Position | None = None,
) -> tuple[str, ...]:
    """Write a VASSAL save (.vsav) or log (.vlog) with the changes of an answer and pieces that show it.

    Returns texts on what the players have to set themselves.

    `asked`: the position as `posed` returns it.

    Raises InputError if the file cannot be written, there is nothing to show, or the position is one side's knowledge.
    """
    _check_sees_all(position, Path(file))
    overlay = overlay_of(position, report)
    target = position if overlay and not report.changes else position.after(report.changes)
    return _write_played(target, report, source, Path(file), asked, module=module, force=force, overlay=overlay)


def overlay_of(position: Position, report: Report[Any]) -> Overlay | None:
    """Return the parts of an answer that pieces of a VASSAL module can show, or None if the answer has no picture.

    Raises InputError if no part of the picture is on a map.
    """
    question = question_of(position.game, report.question)
    from ..asking.line_sketch import LineSketch  # loaded late: most answers are not carried out

    if report.drawable is None or LineSketch not in question.draws:
        return None
    from ..drawing.answer import place_pieces

    view = View(position.game, position.state)
    return place_pieces(view, question.draw("picture", view, report))


def pass_on(
    asked: Position,
    report: Report[Any],
    source: str | os.PathLike[str] | bytes,
    file: str | os.PathLike[str],
    *,
    module: Module | None = None,
    force: bool = False,
) -> tuple[str, ...]:
    """Write the save, log or position with a question and its answers so far, for another player to continue.

    Returns texts on what the file does not show.

    `asked`: the position as `posed` returns it.
    `source`: the save or log, which stays as it was if only one side's knowledge is shown.

    Raises InputError for answers that name a hidden unit, and as `carry_out` does.
    """
    path = Path(file)
    if not is_played(path):
        write(asked, path, force=force)
        return ()
    check_told(asked, report, path)
    data = _read_bytes(path, source, force=force)
    target = asked
    limited = is_limited(asked.state.seen_by)
    if limited:
        so_far = f"the game so far{SAVE}"
        with kept_private(so_far, limited=True):
            whole = read_position(so_far, data, Chosen(asked.game.id, lambda _: asked.game))
        target = asked.with_state(msgspec.structs.replace(whole.state, accepts=asked.state.accepts))
    with kept_private(str(path), limited=limited):
        return _write_played(target, report, data, path, asked, module=module, force=force)


def carry_over(
    target: Position,
    source: str | os.PathLike[str],
    file: str | os.PathLike[str],
    *,
    module: Module | None = None,
    force: bool = False,
) -> tuple[str, ...]:
    """Write a VASSAL save (.vsav) or log (.vlog) of a game in the state of a position, such as a journal's.

    Returns texts on what the players have to set themselves.

    `source`: a save or log of the same game and module, such as its set-up.

    Raises InputError as `carry_out` does.
    """
    path = Path(file)
    if Path(source).suffix.lower() not in ENDINGS:
        raise InputError("this is not a VASSAL save or log", where=Where(os.fspath(source)), hint="begin with one")
    _check_both_sides(target, path)
    return _write_game(target, source, path, _format_setting(target), module=module, force=force)


def read_carried_over(target: Position, source: bytes, file: str) -> CarriedGame:
    """Return the bytes that `carry_over` would write, and texts on what the players have to set themselves.

    Raises InputError as `carry_over` does.
    """
    path = Path(file)
    _check_both_sides(target, path)
    return _make_carried_game(target, source, path, _format_setting(target))


def _check_both_sides(target: Position, path: Path) -> None:
    if is_limited(target.state.seen_by):
        hint = "let an umpire write it, with --umpire"
        raise InputError(
            "a save holds both sides' game, of which a side knows only its own", where=Where(str(path)), hint=hint
        )


def _format_setting(target: Position) -> str:
    return f"* Field Staff: {target.game.title}, set to a position *"


def _read_bytes(path: Path, source: str | os.PathLike[str] | bytes, *, force: bool) -> bytes:
    if isinstance(source, bytes):
        return source
    check_played_file(path, os.fspath(source), force=force)
    return read_bytes(Path(source))


def _write_played(
    target: Position,
    report: Report[Any],
    source: str | os.PathLike[str] | bytes,
    path: Path,
    asked: Position | None,
    *,
    module: Module | None = None,
    force: bool = False,
    overlay: Overlay | None = None,
) -> tuple[str, ...]:
    # the chat must not depend on what another side hides
    state = asked.state if asked and is_limited(asked.state.seen_by) else target.state
    seen = cover_counters(target.game, state)
    chat = "\n".join(format_chat(report, seen, asked, shown=overlay is not None))
    return _write_game(target, source, path, chat, module=module, force=force, overlay=overlay)


def _write_game(
    target: Position,
    source: str | os.PathLike[str] | bytes,
    path: Path,
    chat: str,
    *,
    module: Module | None = None,
    force: bool = False,
    overlay: Overlay | None = None,
) -> tuple[str, ...]:
    _check_ending(path)
    data = _read_bytes(path, source, force=force)
    carried = _make_carried_game(target, data, path, chat, module=module, overlay=overlay)
    write_whole(path, carried.data, force=force)
    return carried.left


def _make_carried_game(
    target: Position,
    data: bytes,
    path: Path,
    chat: str,
    *,
    module: Module | None = None,
    overlay: Overlay | None = None,
) -> CarriedGame:
    from ..formats.vassal.containers import check_same
    from ..formats.vassal.streams import read_stream
    from ..formats.vassal.written.files import carry_on

    _check_ending(path)
    with located(Where(str(path))):
        if module is not None:
            check_same(read_stream(data)[1], module.about)

        def palettes() -> Module | None:
            return palettes_of(target.game) if module is None else module

        return carry_on(data, target, path.suffix.lower(), chat, palettes, overlay)


def _check_ending(path: Path) -> None:
    if not is_played(path):
        raise InputError(f"a game is written as NAME{SAVE} or NAME{LOG}", where=Where(str(path)))


def format_chat(
    report: Report[Any], state: GameState, asked: Position | None = None, *, shown: bool = False
) -> list[str]:
    """Return the chat lines of a log: the result carried out, or the known part while rolls or choices are missing.

    They never name a hidden unit, and show dice but no choices, which the other side may not see.

    `shown`: whether pieces show the answer.
    """
    done = "shows on the map" if shown else "notes so far"
    if report.changes:
        done = "carries out"
    title = report.question if names_hidden(report.title, state) else report.title
    owed = ", ".join(ask.name for ask in report.asks if ask.kind in ("roll", "choice"))
    if owed and not report.changes and not names_hidden(owed, state):
        title += f"; owed: {owed}"
    lines = [f"* Field Staff {done}: {title} *"]
    if asked is not None:
        with suppress(InputError):  # some questions cannot be written as notation
            posed = write_questions(msgspec.structs.replace(asked, answers=rolled_answers(asked, report)))
            if not names_hidden("\n".join(posed), state):
                lines += [f"* Field Staff: {line} *" for line in posed]
    return [escape(line, quote=False) for line in lines]


def names_hidden(text: str, state: GameState) -> bool:
    """Return whether a text names a unit that a player hides."""
    hidden = {unit for track, unit in state.facts if track in (MASKED, INVISIBLE)}
    return names_one_of(text, hidden)


def rolled_answers(asked: Position, report: Report[Any]) -> Mapping[str, str]:
    """Return the answers to a question that are dice."""
    (only,) = asked.asks
    question = question_of(asked.game, only.question)
    view = View(asked.game, asked.state, "seen")
    rolls = rolls_of(question, view, only.parameters, asked.answers, {ask.name for ask in report.asks})
    return {name: answer for name, answer in asked.answers.items() if name in rolls}
