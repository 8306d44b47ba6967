"""One question about many positions, answered in several processes.

Each process loads a game and its questions once. A file that cannot be used, or that ends its process, is reported by
name; the others are answered.
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
    """The report on one of many files, or the error instead of it."""

    file: str
    """The file as it was named."""
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

    `files`, `parameters`: as for `read` and `ask`.
    `question`: the name, or "" for the first question of each file.

    Raises InputError for an unknown game, ValueError for too few jobs, RuntimeError if no process can begin.
    """
    if jobs < 1:
        raise ValueError(f"{jobs} jobs")
    if game:
        named_game(game)  # loads the game's code in this process, which needs its types to unpickle reports
    report_on = partial(_ask_file, question=question, seen_by=seen_by, game=game, parameters=parameters)
    return in_processes(
        partial(try_answer, report_on), (os.fspath(file) for file in files), jobs, lambda answered: answered
    )


def _ask_file(file: str, question: str, seen_by: str, game: str, parameters: dict[str, Any]) -> Report[Any]:
    position = read(file, side=seen_by, game=named_game(game) if game else None)
    return ask(position, question, **parameters)


def try_answer(report_on: Callable[[str], Report[Any]], file: str) -> Answered:
    """Return the answer about a file, or the error as an error of the file. `report_on`: reads the file and asks."""
    try:
        return Answered(file, report_on(file))
    except InputError as error:  # the hint may be a function, which cannot be pickled
        return Answered(file, error=InputError(error.what, where=error.where, hint=error.hint))
    except (MemoryError, OSError) as error:
        wording = word_machine_error(error)
        return Answered(file, error=wording.at(Where(file)))
    except Exception as error:  # an error in one file must not stop the others
        return Answered(file, error=InputError(f"internal error: {type(error).__name__}: {error}", where=Where(file)))


def in_processes(
    answer: Callable[[str], T], files: Iterable[str], jobs: int, ended: Callable[[Answered], T]
) -> Generator[T]:
    """Yield the result for each file.

    `answer`: returns the result; it runs in another process.
    `ended`: returns the result for a file whose process has ended.
    """
    with closing(work_through(answer, files, jobs)) as results:
        for file, result in results:
            yield ended(Answered(file, error=_explain_end(file, result))) if isinstance(result, Ended) else result


def _explain_end(file: str, ended: Ended) -> InputError:
    code = ended.code or 0
    cause = name_signal(-code) if code < 0 else f"exit code {code}"
    hint = "memory may have run out: ask about this file alone, or in fewer processes at once"
    return InputError(f"the process that read it has ended ({cause})", where=Where(file), hint=hint)
