"""The commands at the table, with their effects and their descriptions for `help`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ...asking.asks import Ask, ask_for_cell, format_ask_title
from ...asking.changes import format_change
from ...asking.parameters import read_parameters
from ...asking.question import answer_question as ask_question
from ...asking.report import MissingFacts
from ...asking.view import View
from ...asking.wording import format_list
from ...asking.wrapping import wrap_text
from ...formats import notation_writer
from ...formats.positions import Position
from ...game.pack_charts import list_keys
from ...game.states import build_state
from ...installed.registry import question_of
from ...service import write
from ...state.state import FactKey, GameState, all_stated
from ...state.tracks import Source
from ...state.trust import ALL_WORD, OWN_WORD, PLACEHOLDERS, name_stand_ins, write_trust
from ...util.background import work_out
from ...util.console import format_count
from ...util.errors import InputError, quoted
from ...util.writing import Unsettled
from .answer_text import format_answer, format_changes
from .desk import PromptDesk, Writes, shorten_line
from .files import keep_facts
from .help_text import QUESTIONS, format_topic, list_questions, list_topics, list_topics_of
from .help_words import explain_word
from .table import TableState, carry_out_answer, evaluate_if_ready, evaluate_table


class Command(msgspec.Struct, frozen=True):
    """A command at the table."""

    run: Callable[[PromptDesk, str], Iterator[str]]
    """The function that carries the command out, given the text typed after the command."""
    meaning: str
    """The effect of the command, for `help`."""
    takes: str = ""
    """The argument of the command, for `help`."""
    writes: Writes | Literal[""] = ""
    """The kind of data that the command writes besides the table, or "" if none."""


def _undo_line(desk: PromptDesk, _: str) -> Iterator[str]:
    if len(desk.tables) == 1:
        raise InputError("there is nothing to undo")
    line, carried_out = _find_last_step(desk)
    since = _list_passing(desk)
    del desk.tables[len(desk.tables) - len(since) :]
    shown = evaluate_if_ready(desk.tables[-2])
    before = desk.shown
    desk.tables.pop()
    of_pack = desk.unpack()
    desk.shown = evaluate_if_ready(desk.of_this_game(desk.table)) if of_pack else shown
    desk.queue = []
    yield from desk.keep_table()
    parts = ["undone"]
    if line:
        parts.append(f"`{line}`")
    if carried_out:
        parts.append(carried_out)
    yield from wrap_text(f"{': '.join(parts)}{of_pack}", desk.width)
    if since:
        asked = ", ".join(f"`{table.line}`" for table in since)
        yield from wrap_text(f"with what was asked since then and had changed nothing: {asked}", desk.width, "  ")
    if desk.refused:
        yield from wrap_text(f"not `{shorten_line(desk.refused)}`, which had changed nothing", desk.width, "  ")
    if desk.shown is not None and desk.shown.report.sentences:
        yield from desk.show(None)
    else:
        yield from desk.show(before or desk.shown)


def _list_passing(desk: PromptDesk) -> list[TableState]:
    """Return the last tables that are no steps of their own: `undo` removes them with the table before."""
    step = len(desk.tables) - 1
    while step > 1 and desk.tables[step].passes:
        step -= 1
    return desk.tables[step + 1 :]


def _find_last_step(desk: PromptDesk) -> tuple[str, str]:
    """Return the shortened line that `undo` removes and the answer that it carried out, or "" for either."""
    tables = desk.tables[: len(desk.tables) - len(_list_passing(desk))]
    if len(tables) == 1:
        return "", ""
    before, last = tables[-2:]
    return last.line, last.done[-1].why if len(last.done) > len(before.done) else ""


def describe_undo(desk: PromptDesk) -> str:
    """Return the shortened line that `undo` removes, with the answer that it carried out, or "" if there is no line."""
    if len(desk.tables) == 1:
        return ""
    return ": ".join(filter(None, _find_last_step(desk))) or "the last line"


def _show_previous(desk: PromptDesk, _: str) -> Iterator[str]:
    """Yield the previous combat in its last state."""
    combat = desk.game.file.prompt.ask
    now = desk.table
    for table in reversed(desk.tables[:-1]):
        if not table.asked or table.asked.question != combat or (now.asked and table.number == now.number):
            continue
        shown = evaluate_table(desk.of_this_game(table))
        if shown is None or shown.report.verdict.kind == "no":
            continue
        yield "the previous combat:"
        shown = msgspec.structs.replace(shown, assumed=())
        yield from format_answer(shown, None, desk.game, desk.width, bars=desk.bars, whole=True)
        yield from format_changes(shown, desk.width, carried_out=True, whole=True)
        return
    raise InputError("there is no combat before this one")


def _show_working(desk: PromptDesk, _: str) -> Iterator[str]:
    if not desk.shown:
        raise InputError("no question has been asked yet", hint="type a combat, or `help`")
    yield from desk.show(None, whole=True)


def _carry_out_answer(desk: PromptDesk, _: str) -> Iterator[str]:
    table = carry_out_answer(desk.table)
    why = table.done[-1].why
    lines = list(desk.lay(table))
    what = "carried out, not saved" if desk.is_unsaved else "carried out and entered in the journal"
    yield from wrap_text(f"{what}: {why}", desk.width)
    yield from lines


def _show_trust(desk: PromptDesk, _: str) -> Iterator[str]:
    accepts = desk.table.position.state.accepts
    of_charts = {source for chart in desk.game.charts.values() for source in chart.sources}
    for kind, source in PLACEHOLDERS.items():
        stand_ins = name_stand_ins(kind, of_charts if kind == "charts" else {source})
        if source in accepts and stand_ins:
            text = f"{kind}: the {stand_ins} (`{OWN_WORD} {kind}` changes it)"
        else:
            text = f"{kind}: your own {kind} (`trust {kind}` changes it)"
        yield from wrap_text(text, desk.width)
    yield from wrap_text(f"`trust {ALL_WORD}` takes all three, `trust {OWN_WORD}` none", desk.width)


def _show_position(desk: PromptDesk, _: str) -> Iterator[str]:
    yield from notation_writer.write_notation(desk.table.position).splitlines()


def _show_journal(desk: PromptDesk, _: str) -> Iterator[str]:
    if not desk.table.done:
        yield "nothing has been carried out yet"
    for number, carried_out in enumerate(desk.table.done, 1):
        yield from wrap_text(f"{number}. {carried_out.why}", desk.width)
        texts = carried_out.said or [format_change(change, desk.game.tracks) for change in carried_out.changes]
        for text in texts:
            yield f"   - {text}"


def _keep_stated(desk: PromptDesk, _: str) -> Iterator[str]:
    tracks = desk.table.position.game.tracks
    certain: dict[FactKey, str] = {}
    for (name, subject), fact in all_stated(desk.table.position.state, tracks).items():
        if fact.source is Source.STATED and not fact.assumed:
            certain[name, subject] = tracks[name].write(fact.value)
    with desk.packing():
        count = keep_facts(desk.table.position, certain)
    desk.put(desk.of_this_game(desk.table))
    yield f"{format_count(count, 'fact')} saved in your pack"


_HOW_TO_TYPE_A_ROW = (
    "row by row with spaces between cells, = for the previous one, or pasted as a whole table; `back` returns to the "
    "previous row, an empty line ends it"
)


def cells_needed(desk: PromptDesk) -> list[Ask]:
    """Return the chart cells that are missing for the likelihoods of the answer.

    Raises InputError if the answer has read no chart.
    """
    if not desk.shown:
        raise InputError("no question has been asked yet", hint="type a combat first")
    position = desk.shown.position
    asked = desk.shown.asked
    view = View(position.game, position.state)
    question = question_of(position.game, asked.question)
    try:
        parameters = read_parameters(question, view, asked.parameters)
    except MissingFacts as missing:
        hint = f"answer this first: {format_ask_title(missing.asks[0])}"
        raise InputError("no chart has been read yet", hint=hint) from None
    ask_question(question, view, parameters, position.answers)
    missed = view.premises.missed_cells
    charts = [name for name in position.game.charts if any(name == chart for chart, _ in missed)]
    row_numbers = {
        chart: {key: number for number, key in enumerate(list_keys(position.game.chart(chart)))} for chart in charts
    }
    in_rows = sorted(missed, key=lambda cell: (charts.index(cell[0]), row_numbers[cell[0]].get(cell[1], 0)))
    return [ask_for_cell(position.game, chart, *key) for chart, key in in_rows]


def _ask_for_charts(desk: PromptDesk, _: str) -> Iterator[str]:
    desk.queue = cells_needed(desk)
    count = len(desk.queue)
    if not count:
        yield "no cells are missing"
        return
    yield from wrap_text(
        f"{format_count(count, 'chart cell')} to type into your pack, {_HOW_TO_TYPE_A_ROW}", desk.width
    )
    desk.has_named_pack = True


def _save_position(desk: PromptDesk, name: str) -> Iterator[str]:
    """Write the position to a file as notation or JSON; overwrite only a file that this table has saved."""
    file = os.path.expanduser(name.strip('"'))
    if not file:
        raise InputError("a file needs a name", hint="save NAME.pos")
    path = Path(os.path.abspath(file))
    is_there = os.path.exists(file)
    if is_there and not desk.saved.may_write(path):
        what = "the file already exists, and is not the version that this table saved"
        raise InputError(what, hint=f"remove it, or use another name: save {quoted(_find_unused_name(file))}")
    try:
        write(desk.table.position, file, force=is_there)
    except Unsettled:  # the file is in place nevertheless
        desk.saved.note_written(path)
        raise
    desk.saved.note_written(path)
    yield from desk.keep_table()  # the next session may then overwrite the file
    yield f"{'written again' if is_there else 'written'}: {file}"


def _find_unused_name(file: str) -> str:
    stem, ending = os.path.splitext(file)
    names = (f"{stem}-{number}{ending}" for number in itertools.count(2))
    return next(name for name in names if not os.path.exists(name))


def _draw_picture(desk: PromptDesk, rest: str) -> Iterator[str]:
    before = desk.picture.kept
    yield from desk.picture.draw_as_asked(rest, desk.table, desk.shown)
    if desk.picture.kept != before:
        yield from desk.keep_table()  # the next session then redraws the same picture


def count_placed(state: GameState) -> int:
    """Return the number of units that have a place."""
    return sum(unit.place is not None for unit in state.units.values())


def _start_anew(desk: PromptDesk, _: str) -> Iterator[str]:
    state = desk.table.position.state
    units = count_placed(state)
    if units or state.facts or state.cells:
        contents = f"{format_count(units, 'unit')} on it" if units else "facts but no units on it"
        yield from desk.ask_first(f"empty the table, with {contents}", lambda: _empty_table(desk))
    else:
        yield from _empty_table(desk)


def _empty_table(desk: PromptDesk) -> Iterator[str]:
    """Yield the response to a new empty table, with the same viewpoint and accepted sources."""
    before = desk.table.position.state
    empty = msgspec.structs.replace(build_state(desk.game), seen_by=before.seen_by, accepts=before.accepts)
    yield from desk.format_not_carried_out(desk.shown)
    desk.put(TableState(Position(desk.game, empty)))
    desk.shown = None
    desk.queue = []
    yield from desk.keep_table()
    lines = [f"`{line}`" for line in write_trust(before.accepts)]
    trusted = f", still {format_list(lines)}" if lines else ""
    yield from wrap_text(f"an empty table{trusted}; `undo` brings back the old one", desk.width)


def _show_help(desk: PromptDesk, word: str) -> Iterator[str]:
    typed: dict[str, tuple[str, bool]] = {}
    for name, command in COMMANDS.items():
        if not command.writes or command.writes in desk.writes:
            typed[f"{name} {command.takes}".strip()] = command.meaning, bool(command.writes)
    topics = list_topics_of(desk.table.position, typed)
    if word in topics:
        yield from format_topic(topics[word], desk.width)
    elif word:
        meanings = {name: command.meaning for name, command in COMMANDS.items()}
        for line in work_out(True, explain_word, desk.table.position, word.strip('"'), meanings):
            yield from wrap_text(line.strip(), desk.width, line[: len(line) - len(line.lstrip())])
    elif desk.queue:
        chart = desk.game.chart(str(desk.queue[0].key[0]))
        fields = " / ".join(field.name for field in chart.fields)
        yield from wrap_text(f"{chart.title}, {_HOW_TO_TYPE_A_ROW}", desk.width)
        yield from wrap_text(f"a cell is {fields}; a single cell is written with all its slashes", desk.width)
        for field in chart.fields:
            if field.note:
                yield from wrap_text(f"{field.name}: {field.note}", desk.width, "  ")
    else:
        yield from list_topics(topics, desk.width)


def _show_questions(desk: PromptDesk, name: str) -> Iterator[str]:
    yield from list_questions(desk.table.position, name, desk.width)


def _end_session(desk: PromptDesk, _: str) -> Iterator[str]:
    desk.is_over = True
    yield from ()


COMMANDS: Mapping[str, Command] = {
    "help": Command(
        _show_help, "show what can be typed, what a word, a track or a question means, or what lies in a hex", "WORD"
    ),
    "undo": Command(_undo_line, "undo the last line"),
    "before": Command(_show_previous, "show the previous combat, with its result"),
    "why": Command(_show_working, "show the whole working"),
    "done": Command(_carry_out_answer, "carry out the answer and enter it in the journal"),
    "trust": Command(_show_trust, "show what may stand in for your own map, charts and counters"),
    "position": Command(_show_position, "show the position as notation"),
    "picture": Command(
        _draw_picture, "draw the table as .svg, .pdf or .png; `always` after it keeps it up to date", "FILE", "file"
    ),
    "journal": Command(_show_journal, "show what was carried out"),
    "keep": Command(_keep_stated, "keep the facts stated about counters and the map in your pack", writes="pack"),
    "charts": Command(_ask_for_charts, "type the chart cells needed for the chances", writes="pack"),
    "save": Command(_save_position, "write the position to a file", "FILE", "file"),
    "new": Command(_start_anew, "start an empty table; what you `trust` still holds"),
    "quit": Command(
        _end_session, "end the session; the first letter of a command is enough, but not of new and questions"
    ),
    QUESTIONS: Command(_show_questions, "list the questions, or show what one takes", "NAME"),
}
"""The commands by name; a first letter stands for the first command that has it, but `new` must be typed in full."""
