"""The facts of a drawn map on which a verdict turns, as the owner of the printed map types them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..util.console import echo
from ..util.errors import InputError

if TYPE_CHECKING:
    from ..game.packs import Pack
    from ..questions.report import Ask

AS_DRAWN = "="
"""What is typed for a fact of a drawn map that is as it is drawn."""


def enter_drawn(pack: Pack, board: str, asks: Sequence[Ask], ask: Callable[[str], str | None]) -> Iterator[Ask]:
    """Ask for facts of a board, first together for those that are drawn alike, and keep what is typed. Yields those
    left out.

    ask: shows a prompt and gives the line that is typed, None where nothing more is to be asked.
    """
    from ..questions.report import group_alike, line_of_group, title_as_drawn, title_of_group

    for some in group_alike(asks):
        if len(some) > 1:
            line = ask(
                f"{title_of_group(some)} ({line_of_group(some)}; {AS_DRAWN} if all are, an empty line for one after the other): "
            )
            if line is None:
                return
            if line == AS_DRAWN:
                _keep(pack, board, [(asked, asked.drawn) for asked in some])
                continue
            if line:
                echo(f"  {AS_DRAWN} stands for all of them; otherwise they are asked for one after the other")
        for fact_asked in some:
            line = ask(f"{title_as_drawn(fact_asked)} ({fact_asked.how}): ")
            if line is None:
                return
            if line:
                _keep(pack, board, [(fact_asked, fact_asked.drawn if line == AS_DRAWN else "+".join(line.split()))])
            else:
                yield fact_asked


def _keep(pack: Pack, board: str, values: Sequence[tuple[Ask, str]]) -> None:
    """Keep facts, or say why they cannot be."""
    try:
        pack.enter_all({}, {(board, str(ask.key[1]), str(ask.key[0])): text for ask, text in values})
    except InputError as error:
        echo(f"  {error}")
