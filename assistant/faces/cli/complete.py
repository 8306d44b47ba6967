"""What a question of a position needs of the printed game: chart cells, and facts of a drawn map, typed one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...asking.asks import (
    Ask,
    asks_for_printed,
    format_asks,
    format_drawn_title,
    format_group_statement,
    format_group_title,
    group_alike,
)
from ...asking.parameters import read_parameters
from ...asking.question import answer_question as ask_question
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Position
from ...game.charts import Ends, Keys
from ...game.packs import Pack
from ...installed.registry import pack_of, question_of
from ...service import answers_to
from ...state.state import CellKey
from ...util.console import echo
from ...util.errors import InputError, Where
from .chart_entry import ask_ends, enter_rows
from .entry import STOP, Asker

AS_DRAWN = "="
"""What is typed for a fact of a drawn map that is as it is drawn."""


class Completion:
    """What a question of a position needs from the printed game, asked for until nothing of it is missing.

    question: its name; ask: asks for a line. A dot stops, and an empty line leaves one thing out.
    """

    def __init__(self, question: str, ask: Asker) -> None:
        self.question = question
        self._ask = ask
        self._left_out = set[tuple[int | str, ...]]()
        self._stopped = False
        self._ends = dict[str, list[Keys]]()

    def goes_on(self, file: str, position: Position) -> bool:
        """Ask for what is missing and keep it; whether more may be missing then.

        position: as its file states it, with what was kept so far. Raises InputError if it does not ask the question.
        """
        view, report = self._answer(file, position)
        pack = pack_of(position.game)
        cells = [
            (chart, key) for chart, key in self._find_cells_missed(pack, view) if (chart, *key) not in self._left_out
        ]
        if self._stopped:
            return False
        printed = [asked for asked in asks_for_printed(view.game, report.rests_on) if asked.key not in self._left_out]
        if not cells and not printed:
            stated = [asked for asked in report.asks if asked.kind == "fact" and asked.key not in self._left_out]
            self._echo_end(file, stated)
            return False
        if printed:
            echo(f"{view.board.title}: {AS_DRAWN} is as drawn, an empty line leaves a fact out, a dot stops")
        self._left_out |= {asked.key for asked in enter_drawn(pack, view.board.name, printed, self._ask_fact)}
        for chart, key in cells:
            if self._stopped:
                break
            saved = sum(enter_rows(pack, chart, [[key]], self._ask_line))
            if not saved and not self._stopped:
                self._left_out.add((chart, *key))
        return not self._stopped

    def _find_cells_missed(self, pack: Pack, view: View) -> list[CellKey]:
        """Return the cells that are missing, each once, after asking where their charts end, as far as neither pack nor
        position tells it.
        """
        charts = {name: pack.game.chart(name) for name, _ in view.premises.missed_cells}
        ends = dict[str, tuple[Ends, ...]]()
        for name, chart in charts.items():
            known = [*pack.charts.cells(name), *(keys for of, keys in view.state.cells if of == name)]
            if chart.has_owner_ends and name not in self._ends:
                self._ends[name] = ask_ends(chart, known, self._ask_line)
            ends[name] = chart.ends((*known, *self._ends.get(name, ())))
        missed = dict[CellKey, None]()
        for name, key in view.premises.missed_cells:
            missed[name, charts[name].key_within(key, ends[name])] = None
        return [*missed]

    def _answer(self, file: str, position: Position) -> tuple[View, Report[Any]]:
        """Return the answer to the question, and the view that it was read from."""
        asked = next((asked for asked in position.asks if asked.question == self.question), None)
        if asked is None:
            hint = f"write a line: ask {self.question} name=value ..."
            raise InputError(f"{self.question} is not asked in this position", where=Where(file), hint=hint)
        view = View(position.game, position.state)
        question = question_of(position.game, self.question)
        given = read_parameters(question, view, asked.parameters)
        return view, ask_question(question, view, given, answers_to(position, asked))

    def _echo_end(self, file: str, stated: Sequence[Ask]) -> None:
        """Say that nothing more is asked for. stated: facts that a position states, of a map that is not drawn too."""
        for line in format_asks(stated):
            echo(f"state in the position: {line}")
        known = "all that it needs is known"
        if stated:
            known = f"write each into {file}, such as `{_find_example(stated[0])}`, and type the same command again"
        echo(f"{self.question}: {'some of it was left out' if self._left_out else known}")

    def _ask_line(self, prompt: str, known: str) -> str:
        line = self._ask(prompt, known)
        self._stopped = line.strip() == STOP
        return line

    def _ask_fact(self, prompt: str) -> str | None:
        line = self._ask_line(prompt, "").strip()
        return None if self._stopped else line


def _find_example(ask: Ask) -> str:
    """Return how a fact is stated, with the first of the words that it may have."""
    subject = str(ask.key[1]) if ask.how.startswith(str(ask.key[1])) else ""
    return subject + ask.how.removeprefix(subject).partition("|")[0]


def enter_drawn(pack: Pack, board: str, asks: Sequence[Ask], ask: Callable[[str], str | None]) -> Iterator[Ask]:
    """Ask for facts of a board, first together for those that are drawn alike, and keep what is typed. Yields those
    left out.

    ask: shows a prompt and gives the line that is typed, None where nothing more is to be asked.
    """
    for some in group_alike(asks):
        if len(some) > 1:
            choice = f"{AS_DRAWN} if all are, an empty line to be asked one by one"
            line = ask(f"{format_group_title(some)} ({format_group_statement(some)}; {choice})> ")
            if line is None:
                return
            if line == AS_DRAWN:
                _keep(pack, board, [(asked, asked.drawn) for asked in some])
                continue
            if line:
                echo(f"  {AS_DRAWN} answers for all of them; an empty line asks for them one by one")
        for fact_asked in some:
            line = ask(f"{format_drawn_title(fact_asked)} ({fact_asked.how})> ")
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
