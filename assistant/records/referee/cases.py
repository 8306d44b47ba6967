"""Cases answered by the questions of their game, and the differences from the expected answers.

Each case is read as a position of its own, without any owner's pack, and sees everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from ...asking.report import Report
from ...asking.schemas import schemas
from ...formats.notation import NotationReader, read_on
from ...formats.positions import Position
from ...game.games import Game
from ...installed.registry import make_game_loader, named_game, question_of
from ...service import ask, check_size
from ...util.datafiles import resolve_within
from ...util.errors import InputError, MachineError, Where, plain
from ...util.files import files_below, read_own
from ...util.memo import Memo
from ...util.notes import note
from .files import (
    COMMON_PARTS,
    Case,
    Exchange,
    ExpectedValues,
    Head,
    JsonSchema,
    check_value_path,
    read_suite,
    read_value_path,
    values_at,
)

MARK_DIGITS = 16
"""The number of hexadecimal digits of a SHA-256 in a mark."""
_PROSE = ".md"
"""The suffix of files on which no answer depends."""
_CASES_PER_BATCH = 8
"""The number of cases given to a process at once."""


class CaseDifference(msgspec.Struct, frozen=True):
    """A difference between an answer and the expected values."""

    file: Annotated[str, note("the referee's file")]
    line: Annotated[int, note("the line of what is expected")]
    case: Annotated[str, note("the name of the case, empty for what its file uses")]
    question: Annotated[str, note("the question as it is asked, empty for what the file uses")]
    name: Annotated[str, note("the values that differ, or the file or folder that does")]
    expected: Annotated[tuple[str, ...], note("the values expected")]
    got: Annotated[tuple[str, ...], note("the values of the answer")]
    why: Annotated[str, note("the reason why there are no values, empty if there are")] = ""


class CaseResult(msgspec.Struct, frozen=True):
    """The result of a case, or of the check of the game's files that a suite names."""

    differences: tuple[CaseDifference, ...] = ()
    unusable: InputError | None = None


class RefereeResult(msgspec.Struct, frozen=True):
    """The result of all files of a referee."""

    cases: Annotated[int, note("the number of cases")]
    agree: Annotated[int, note("the number of cases without differences")]
    differences: Annotated[tuple[CaseDifference, ...], note("the differences")] = ()
    unusable: Annotated[
        tuple[str, ...], note("the files and cases that cannot be read, each with its file, its line and why")
    ] = ()


class _Work(NamedTuple):
    head: Head
    cases: tuple[Case, ...]


def judge_file(path: Path, *, folder: str = "", jobs: int = 1) -> Generator[CaseResult]:
    """Yield the result for the game's files, with those that have changed, then the result of each case.

    A case with a syntax error is the last, because the next one cannot be found.

    `folder`: the folder of a game that is not installed.

    Raises InputError for an unreadable head and for an unknown game, and MachineError if a file of the program cannot
    be read, which would spoil every case.
    """
    head, cases = read_suite(path)
    yield CaseResult(tuple(_find_changed_files(head, _load_game(head, folder))))
    faults = list[InputError]()
    work = _batch_cases(head, cases, faults)
    for result in _judge_in_parallel(work, folder, jobs) if jobs > 1 else _judge_here(work, folder):
        if isinstance(result.unusable, MachineError):
            raise result.unusable
        yield result
    for error in faults:
        yield CaseResult(unusable=error)


def _judge_here(work: Iterator[_Work], folder: str) -> Iterator[CaseResult]:
    for batch in work:
        yield from _judge_batch(batch, folder)


def _judge_in_parallel(work: Iterator[_Work], folder: str, jobs: int) -> Iterator[CaseResult]:
    from ...util.processes import Ended, work_through  # loaded late: a browser has no processes

    for batch, judged in work_through(partial(_judge_batch, folder=folder), work, jobs):
        if isinstance(judged, Ended):
            where = Where(batch.head.file, batch.cases[0].line)
            error = InputError("the process that judged these cases has ended", where=where, hint="use fewer jobs")
            for _ in batch.cases:
                yield CaseResult(unusable=error)
        else:
            yield from judged


def _batch_cases(head: Head, cases: Iterator[Case], faults: list[InputError]) -> Iterator[_Work]:
    batch = list[Case]()
    try:
        for case in cases:
            batch.append(case)
            if len(batch) == _CASES_PER_BATCH:
                yield _Work(head, tuple(batch))
                batch.clear()
    except InputError as error:
        faults.append(error)
    if batch:
        yield _Work(head, tuple(batch))


def _make_loader(folder: str) -> Callable[[str], Game]:
    return make_game_loader(named_game(folder) if folder else None, pack="none")


def _judge_batch(work: _Work, folder: str) -> tuple[CaseResult, ...]:
    return tuple(judge_case(work.head, case, _make_loader(folder)) for case in work.cases)


def _load_game(head: Head, folder: str) -> Game:
    reader = NotationReader(head.file, _make_loader(folder))
    reader.read_statements(head.notation)
    return reader.draft.game


def judge_case(head: Head, case: Case, load_game: Callable[[str], Game]) -> CaseResult:
    """Return the differences of a case, and its error if it cannot be read or asked."""
    differences = list[CaseDifference]()
    try:
        for exchange, answer in play(head, case, load_game):
            differences += compare_values(head, case, exchange, answer)
    except MachineError as error:
        return CaseResult(tuple(differences), error)
    except InputError as error:
        what = error.what
        where = error.where or Where(head.file, case.line)
        return CaseResult(tuple(differences), InputError(what, where=where, hint=plain(error.hint)))
    return CaseResult(tuple(differences))


class CaseAnswer(NamedTuple):
    """The answer to a question: a report, or the reason why the question is refused."""

    position: Position
    report: Report[Any] | None
    refused: str = ""


def play(head: Head, case: Case, load_game: Callable[[str], Game]) -> Iterator[tuple[Exchange, CaseAnswer]]:
    """Yield each question of a case with its answer. An answer that is carried out changes the next position.

    A question that cannot be asked ends the case if its answer was to be carried out.

    Raises InputError if a position cannot be read.
    """
    position: Position | None = None
    for exchange in case.exchanges:
        try:
            position = _read_position(head, exchange, position, load_game)
        except InputError as error:
            raise _move_error(error, exchange) from None
        try:
            report = ask(position)
        except MachineError:
            raise
        except InputError as error:
            yield exchange, CaseAnswer(position, None, plain(error.what))
            if exchange.carried_out:
                return
            continue
        yield exchange, CaseAnswer(position, report)
        if exchange.carried_out:
            position = position.after(report.changes)


def _read_position(
    head: Head, exchange: Exchange, before: Position | None, load_game: Callable[[str], Game]
) -> Position:
    """Return the position of a question: the previous one, or the head's, changed by the notation before it."""
    if before is None:
        reader = NotationReader(head.file, load_game)
        reader.read_statements(head.notation)
        reader.read_statements(exchange.notation, exchange.first)
        position = reader.position
    else:
        bare = msgspec.structs.replace(before, asks=(), answers={}, marks={})
        position = read_on(exchange.notation, bare, head.file, first=exchange.first)
    check_size(position, head.file)
    return position


def _move_error(error: InputError, exchange: Exchange) -> InputError:
    """Return an error with its column in the file, where `do` stands in place of the longer `ask`."""
    where = error.where
    if where and exchange.carried_out and where.line == exchange.line and where.column > 1:
        error.where = where._replace(column=where.column - 1)
    return error


def compare_values(head: Head, case: Case, exchange: Exchange, answer: CaseAnswer) -> Iterator[CaseDifference]:
    """Yield the expected values of a question that differ from its answer, in order.

    After the first value that is missing because the question is refused or undecided, no more follow.
    """
    why = f"refused: {answer.refused}" if answer.refused else _find_open(answer.report)
    for expected in exchange.expected:
        got: tuple[str, ...] = ()
        fault: str | None = None
        try:
            got = tuple(_find_values(head, expected, answer))
        except MachineError:
            raise
        except InputError as error:
            fault = plain(error.what)
        if fault is None and Counter(got) == Counter(expected.values):
            continue
        yield CaseDifference(
            file=head.file,
            line=expected.line,
            case=case.name,
            question=exchange.asked,
            name=expected.name,
            expected=expected.values,
            got=got,
            why=why or fault or "",
        )
        if fault is not None and why:
            return


def _find_values(head: Head, expected: ExpectedValues, answer: CaseAnswer) -> Sequence[str]:
    report = answer.report
    if report is None:
        if expected.name == "verdict":
            return ("refused",)
        raise InputError(answer.refused)
    named = head.values.get(expected.name)
    path = read_value_path(named.path if named else expected.name)
    check_value_path(path, _load_schema(answer.position.game, report.question))
    if report.result is None and path.steps[0].field not in COMMON_PARTS:
        raise InputError(_find_open(report))
    return values_at(report, path)


def _find_open(report: Report[Any] | None) -> str:
    """Return a text on what an undecided answer is missing, or "" if it is decided."""
    if report is None or report.verdict.kind != "undecided":
        return ""
    missing = [wanted.how for wanted in report.asks if wanted.kind not in ("roll", "choice")]
    return f"undecided: {plain('; '.join(missing[:3]) or report.verdict.text, 200)}"


_SCHEMAS: Memo[str, JsonSchema] = Memo()
"""The JSON Schema of the reports on each question, by its name."""


def _load_schema(game: Game, question: str) -> JsonSchema:
    schema: JsonSchema = game.memo(_SCHEMAS, question, lambda: schemas(question_of(game, question))["report"])
    return schema


def _find_changed_files(head: Head, game: Game) -> Iterator[CaseDifference]:
    for used in head.uses:
        try:
            mark = content_mark(game, used.path)
        except InputError as error:
            raise error.at(Where(head.file, used.line)) from None
        if mark != used.mark:
            yield CaseDifference(
                file=head.file,
                line=used.line,
                case="",
                question="",
                name=used.path,
                expected=(used.mark,),
                got=(mark,),
            )


def content_mark(game: Game, path: str) -> str:
    """Return the mark of a file or folder of a game: the first digits of a SHA-256.

    The mark of a folder is made from the output of `sha256sum` for its files, sorted by name, without notes (.md).

    Raises InputError if there is no such file or folder.
    """
    thing = resolve_within(game.folder, path)
    if thing.is_file():
        return sha256(read_own(thing)).hexdigest()[:MARK_DIGITS]
    if not thing.is_dir():
        raise InputError(f"{game.title} has no file {plain(path, 60)!r}", hint="name a file or a folder of the game")
    files = ((name, file) for name, file in files_below(thing) if not name.endswith(_PROSE))
    lines = (f"{sha256(read_own(file)).hexdigest()}  {name}\n" for name, file in files)
    return sha256("".join(lines).encode()).hexdigest()[:MARK_DIGITS]
