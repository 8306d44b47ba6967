"""The command that opens the table prompt."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..util.console import count_text, echo
from ..util.errors import InputError, Where
from .group import GameCommand
from .options import StateFile, eyes


@click.command("table", cls=GameCommand)
@click.argument("game")
@click.argument("state", type=StateFile(), required=False)
@click.option("--new", is_flag=True, help="Begin with an empty table instead of the kept one.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@eyes
def table(game: str, state: str | None, new: bool, narrow: bool, **options: Any) -> None:
    """A prompt beside a paper map: each combat of a GAME in one line, with your dice.

    With one game installed, GAME may be left out here and in every other command; any unique beginning of its name will
    do.

    It continues where you left it, or begins with the position STATE. `help` at the prompt lists what can be typed.
    --as, or else your own viewpoint, also limits the kept table to what that side may see.
    """
    from msgspec.structs import replace

    from ..formats.positions import Asked, Position
    from ..plugins.registry import games_beside, named_game
    from ..prompt.keeping import TableFile, table_file
    from ..prompt.session import Session
    from ..prompt.shorthand.questions import in_few_words
    from ..prompt.table import Table
    from ..prompt.terminal import WIDE, columns, run
    from ..questions.question import viewpoint_of, viewpoint_title
    from ..questions.report import NARROW, viewpoint_text
    from ..questions.view import View
    from ..questions.wording import fit_lines, wrap_text
    from ..service import check_size, kept_private, posed
    from ..state.state import is_limited
    from ..util.saving import Unsettled
    from .options import as_seen, may_be_limited, open_position
    from .output import shows_bars

    loaded, most = named_game(game), NARROW if narrow else WIDE
    games = games_beside(loaded)
    file = TableFile(table_file(loaded.id))
    kept: TableFile | None = file
    before = None
    unasked: tuple[Asked, ...] = ()
    if not (new or state):
        with kept_private(str(file.file), limited=may_be_limited(options)):
            before = file.read(games)
    cut = False
    if state:
        position = open_position(state, {**options, "beside": game})
        if position.game.id != loaded.id:
            raise InputError(
                f"this is a position of {position.game.id}", where=Where(state), hint=f"not of {loaded.id}"
            )
        begin = Table(posed(position, position.asks[0], {}) if position.asks else position)
        unasked = position.asks[1:]
    else:
        begin = before or Table(Position(loaded, loaded.state()))
        whole, seen = begin.position.state, as_seen(loaded, begin.position.state, options)
        check_size(begin.position.with_state(seen), str(file.file))
        cut = is_limited(seen.seen_by) and seen.seen_by != whole.seen_by
        position = begin.position.with_state(seen)
        begin = Table(Position(loaded, seen)) if cut else replace(begin, position=position)
    if cut or not before:
        try:
            if aside := file.set_aside():
                echo(f"The earlier table is kept as\n{aside}")  # on a line of its own a path is broken last
            if before:
                file.picture, file.saved = None, {}
                file.keep(begin)
                file.before = []
        except Unsettled as error:
            echo(f"! The earlier table is kept as {error.where}: {error.what}")
        except InputError as error:
            echo(f"! The earlier table stays as it is, and this one is not kept: {error.where}: {error.what}")
            kept = None
    seen_by = begin.position.state.seen_by
    earlier = [table for table in file.before if table.position.state.seen_by == seen_by]
    session = Session(
        begin,
        columns(most),
        kept,
        bars=shows_bars(sys.stdout.encoding),
        before=[] if cut or state else earlier,
    )
    greeting = [f"{loaded.title}, at the table; `help` lists what can be typed."]
    if before:
        greeting.append(f"Continuing with {count_text(len(begin.position.state.units), 'unit')}; `new` starts over.")
    for line in fit_lines(greeting, session.width):
        echo(line)
    for asked in unasked:
        said = f"the table asks one question at a time; not asked: {in_few_words(asked.question, asked.parameters)}"
        echo("\n".join(wrap_text(said, session.width, "! ")))
    if state or before or is_limited(begin.position.state.seen_by):  # once, and of an empty table only to a side
        view = View(loaded, begin.position.state)
        whose = viewpoint_text(viewpoint_of(view), viewpoint_title(view), loaded.id)
        echo("\n".join(wrap_text(whose, session.width)), nl=bool(whose))
    run(session, most)
    if session.unkept:
        sys.exit(3)
