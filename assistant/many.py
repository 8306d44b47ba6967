"""One question about many positions, answered in several processes.

Each process loads a game and its questions once. A file that cannot be used, and one at which a process ends, is
reported by name; the others go on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .installed.registry import named_game
from .service import ask, read
from .util.errors import InputError, Where, word_machine_error
from .util.processes import Ended, work_through
from .util.signals import name_signal

if TYPE_CHECKING:
    from .asking.report import Report

T = TypeVar("T")


class Answered(NamedTuple):
    """What comes of one of many files: a report, or else the error for which there is none."""

    file: str
    """As it was named."""
    report: Report[Any] | None = None
    error: InputError | None = None


def ask_many(
    files: Iterable[str | os.PathLike[str]],
    question: str = "",
    /,
    *,
    jobs: int = 1,
    seen_by: str = "",
    game: str = "",
    **parameters: object,
) -> Generator[Answered]:
    """Return the answers to one question about many positions, in file order; an unusable file has its error instead.

    files, parameters: as `read` and `ask` take them; question: "" for the first of each. Raises InputError for an
    unknown game, ValueError for too few jobs, RuntimeError where no process can begin.
    """
    if jobs < 1:
        raise ValueError(f"{jobs} jobs")
    if game:
        named_game(game)  # reports hold what its code declares
    report_on = partial(_ask_file, question=question, seen_by=seen_by, game=game, parameters=parameters)
    return in_processes(
        partial(try_answer, report_on), (os.fspath(file) for file in files), jobs, lambda answered: answered
    )


def _ask_file(file: str, question: str, seen_by: str, game: str, parameters: dict[str, Any]) -> Report[Any]:
    position = read(file, side=seen_by, game=named_game(game) if game else None)
    return ask(position, question, **parameters)


def try_answer(report_on: Callable[[str], Report[Any]], file: str) -> Answered:
    """Return what comes of a file. report_on: reads and asks; whatever it raises is told of the file."""
    try:
        return Answered(file, report_on(file))
    except InputError as error:  # its hint may be a function, which goes to no other process
        return Answered(file, error=InputError(error.what, where=error.where, hint=error.hint))
    except (MemoryError, OSError) as error:
        wording = word_machine_error(error)
        return Answered(file, error=wording.at(Where(file)))
    except Exception as error:  # nothing that one file brings about ends the others
        return Answered(file, error=InputError(f"internal error: {type(error).__name__}: {error}", where=Where(file)))


def in_processes(
    answer: Callable[[str], T], files: Iterable[str], jobs: int, ended: Callable[[Answered], T]
) -> Generator[T]:
    """Yield what comes of each file. answer: in another process; ended: what becomes of one at which the process has
    ended.
    """
    with closing(work_through(answer, files, jobs)) as worked:
        for file, made in worked:
            yield ended(Answered(file, error=_explain_end(file, made))) if isinstance(made, Ended) else made


def _explain_end(file: str, ended: Ended) -> InputError:
    """Return why there is no answer about a file at which a process has ended."""
    code = ended.code or 0
    how = name_signal(-code) if code < 0 else f"exit code {code}"
    hint = "memory may have run out: ask about this file alone, or in fewer processes at once"
    return InputError(f"the process that read it has ended ({how})", where=Where(file), hint=hint)
