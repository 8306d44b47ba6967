"""The answers to one question about many positions: a line of JSON for each, in the order of the command line."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...asking.report import Report
from ...asking.schemas import PositionLine, as_plain, make_refusal
from ...installed.formats import formats
from ...installed.registry import named_game
from ...many import Answered, in_processes, try_answer
from ...service import ask, resolve_question
from ...util.console import echo, encode_json, format_count, with_bar
from ...util.errors import InputError, Where
from .group import UNDECIDED_EXIT_CODE, UNUSABLE_EXIT_CODE
from .options import AskOptions, file_of, whose
from .output import JsonObject, opened, trust_of

_SINGLE_POSITION_OPTIONS = {
    "answers": "--answers",
    "after": "--after",
    "modules": "--module",
    "picture": "--picture",
    "part": "--part",
    "chart": "--chart",
    "in_letters": "--map",
    "narrow": "--narrow",
    "forum": "--forum",
    "watch": "--watch",
    "force": "--force",
}
"""The options for one position only, each as it is typed."""
_TEXT_ENDING = ".txt"
"""The ending of files that may be positions, but rarely are, and so are left out of folders."""


class Written(NamedTuple):
    """The result for one of many files, as a line of JSON."""

    line: str
    kind: str
    """The kind of the verdict, or "" if there is none."""


def ask_about_many(question: str, states: Sequence[str], parameters: JsonObject, options: AskOptions) -> int:
    """Ask one question about many positions, print a line for each and a summary, and return the exit code.

    `states`: files and folders of positions.

    Raises InputError, before any question is asked, if an option is unsuitable, or if a folder has no positions.
    """
    _check_for_many(states, options)
    files = [file for state in states for file in _list_files(state)]
    report_on = partial(_find_report, question=question, parameters=dict(parameters), options=options)
    lines = in_processes(partial(_answer_line, report_on), files, options["jobs"] or 1, write_line)
    kinds = Counter[str]()
    with closing(lines):
        shown = lines if sys.stdout.isatty() else with_bar(lines, "positions", len(files))
        for written in shown:
            echo(written.line)
            kinds[written.kind] += 1
    unusable = kinds[""]
    undecided = kinds["undecided"]
    answered = kinds.total() - unusable - undecided
    counts = f"{answered} answered, {undecided} undecided, {unusable} not usable"
    echo(f"{format_count(len(files), 'position')}: {counts}", err=True)
    if unusable:
        return UNUSABLE_EXIT_CODE
    return UNDECIDED_EXIT_CODE if undecided else 0


def _check_for_many(states: Sequence[str], options: AskOptions) -> None:
    """Raise InputError for options and input unsuitable for many positions, and for an unknown side, game or source."""
    for name, option in _SINGLE_POSITION_OPTIONS.items():
        if options.get(name):
            hint = "leave it out, or ask about one position, without --jobs"
            raise InputError("this is for one position, and several are asked about", where=Where(option), hint=hint)
    if "-" in states:
        raise InputError("standard input holds one position", where=Where("-"), hint="name files or a folder")
    whose(options)
    trust_of(options)
    if options["beside"]:
        named_game(options["beside"])


def _list_files(state: str) -> Iterator[str]:
    """Yield the named file, or the position files in the named folder, sorted by name."""
    if not os.path.isdir(state):
        yield state
        return
    endings = {suffix for format in formats() for suffix in format.suffixes} - {_TEXT_ENDING}
    try:
        files = sorted(str(file) for file in Path(state).iterdir() if file.suffix.lower() in endings and file.is_file())
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(state)) from None
    if not files:
        hint = f"it stands for the files in it that end in {', '.join(sorted(endings))}"
        raise InputError("there is no position in this folder", where=Where(state), hint=hint)
    yield from files


def _answer_line(report_on: partial[Report[Any]], file: str) -> Written:
    return write_line(try_answer(report_on, file))


def write_line(answered: Answered) -> Written:
    """Return the result for a file as a line of JSON, in the form of the question's schema `line`."""
    file, report, error = answered
    if report is not None:
        return Written(_write_json(PositionLine(file, report=as_plain(report))), report.verdict.kind)
    assert error is not None  # a file has a report or an error
    return Written(_write_json(PositionLine(file, error=make_refusal(error))), "")


def _write_json(line: PositionLine) -> str:
    return encode_json(line, one_line=True).decode()


def _find_report(file: str, question: str, parameters: JsonObject, options: AskOptions) -> Report[Any]:
    position = opened(file_of(file), options)
    return ask(position, resolve_question(position, question, parameters))
