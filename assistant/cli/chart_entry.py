"""Typing a chart row by row: at a terminal with arrow keys and what was typed before, else line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..util.console import echo
from ..util.errors import InputError

if TYPE_CHECKING:
    from ..game.charts import Chart
    from ..game.packs import Doubt, Pack

T = TypeVar("T")
BACK, STOP, SAME = "back", ".", "="
Ask = Callable[[str, str], str]
"""Asks for a line: the prompt, and what stands there to be corrected."""


def ask_each(todo: Sequence[T], ask: Callable[[T], str], keep: Callable[[T, str], int]) -> Iterator[int]:
    """Ask for one thing after the other and keep each at once; what `keep` returns of each that is kept.

    `back` returns to the one before, an empty line leaves one out, a dot stops; one that `keep` refuses with InputError
    is asked for again.
    """
    at = 0
    while at < len(todo):
        line = ask(todo[at]).strip()
        if line == STOP:
            return
        if line.casefold() == BACK:
            at = max(at - 1, 0)
            continue
        if line:
            try:
                kept = keep(todo[at], line)
            except InputError as error:
                echo(f"  {error}")
                continue
            yield kept
        at += 1


def enter_rows(pack: Pack, chart: str, rows: Sequence[list[tuple[int | str, ...]]], ask: Ask) -> Iterator[int]:
    """Ask for rows of a chart and keep each at once; how many cells were kept of each.

    `back`, or the arrow up, returns to the row before; an empty line skips a row, a dot stops.
    """
    from ..game.charts import cells_of

    declared = pack.game.chart(chart)
    todo, at = [list(row) for row in rows], 0
    whole = [list(row) for row in rows]
    while at < len(todo):
        row = todo[at]
        line = ask(_prompt(declared, row), _as_typed(pack, declared, row)).strip()
        if line == STOP:
            return
        if line.casefold() == BACK:
            at = max(at - 1, 0)
            todo[at] = list(whole[at])
        elif not line:
            at += 1
        else:
            try:
                cells = cells_of(declared, row, line)
                tell(pack.enter_cells(chart, cells))
            except InputError as error:
                echo(f"  {error}")
                continue
            if len(row) > 1:
                echo("  " + ", ".join(f"{key[-1]}: {text}" for key, text in cells.items()))
            yield len(cells)
            todo[at] = row[len(cells) :]
            at += not todo[at]


def _prompt(chart: Chart, row: Sequence[tuple[int | str, ...]]) -> str:
    from ..game.charts import row_name

    return f"{chart.name} {row_name(row)} ({' / '.join(field.name for field in chart.fields)}): "


def _as_typed(pack: Pack, chart: Chart, row: Sequence[tuple[int | str, ...]]) -> str:
    """What a row holds already, as it may be typed; "" unless all of it is known."""
    known = pack.cells(chart.name)
    if any(key not in known for key in row):
        return ""
    return " ".join("/".join(str(value).replace(" ", "") for value in known[key].values.values()) for key in row)


def tell(doubts: Sequence[Doubt]) -> None:
    """Say which readings of the rulebook contradict what was kept."""
    for doubt in doubts:
        echo(f"  kept, but a reading of rule {doubt.rule} contradicts it: {doubt.text}", err=True)


def asker() -> Ask:
    """What asks for lines: a prompt at a terminal that can be edited, or else standard input."""
    from ..util.files import read_typed_lines

    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return _at_a_terminal()
    lines = read_typed_lines()

    def ask(prompt: str, _: str) -> str:
        echo(prompt, nl=False)
        return next(lines, STOP)

    return ask


def _at_a_terminal() -> Ask:
    """A prompt whose arrows up and down lead to the row before and after, with what is known of it to be corrected."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("up")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=BACK)

    @keys.add("down")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result="")

    session: PromptSession[str] = PromptSession(key_bindings=keys)

    def ask(prompt: str, known: str) -> str:
        try:
            return session.prompt(prompt, default=known)
        except EOFError:
            return STOP

    return ask
