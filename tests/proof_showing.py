"""Which lines of an answer show a rule: they cite it, and change when a function that computes it is spoiled."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import Any, NamedTuple

import pytest

from assistant.asking.report import NOT_ALLOWED, Report
from assistant.asking.wording import append_rule
from assistant.formats.notation import read_notation
from assistant.game.proof.examples import cites_of
from assistant.installed.registry import load_game
from assistant.service import ask

from .conftest import rule_caches
from .credit import GAMES
from .credited import Constants, Function, all_functions, load_function
from .mutants import Mutant, drop_results, mutants

MAX_FAULTS = 5
"""The maximum number of faults that are put into one function."""
SECONDS = 2
"""The time in which an answer must come, even with a fault."""


class Line(NamedTuple):
    """A line of an answer, with the rule that it cites, "" for a verdict."""

    text: str
    rule: str

    @property
    def shown(self) -> str:
        """The line as a sheet shows it."""
        return append_rule(self.text, self.rule)


class Answer(NamedTuple):
    """An answer in lines: the verdict, the steps, the consequences, then the changes."""

    kind: str
    lines: tuple[Line, ...]
    reasons: frozenset[str]
    """The rules for which something is not allowed."""


def repeat(text: str) -> Report[Any]:
    """The report on the question of a position in notation."""
    return ask(read_notation(f"{text}\n".encode(), "example.pos", load_game))


def answer_lines(report: Report[Any]) -> Answer:
    """The lines of a report."""
    steps = dict.fromkeys(Line(step.text, step.rule) for part in report.parts for step in part.steps)
    reasons = frozenset(step.rule for part in report.parts if part.title == NOT_ALLOWED for step in part.steps)
    followed = dict.fromkeys(Line(each.step.text, each.step.rule) for each in report.follows)
    done = dict.fromkeys(
        Line(text.removesuffix(f" [{change.rule}]"), change.rule)
        for change, text in zip(report.changes, report.done, strict=True)
    )
    lines = dict.fromkeys((Line(report.verdict.text, ""), *steps, *followed, *done))
    return Answer(report.verdict.kind, tuple(lines), reasons)


def cites(cited: str, rule: str) -> bool:
    """Whether a line that cites a rule may mean a row of the index."""
    return bool(cited) and cited in cites_of(rule)


class Spoiler:
    """The functions of a game with faults in them."""

    def __init__(self, game: str) -> None:
        package, folder = GAMES[game]
        self._functions = dict[str, list[Function]]()
        for function in all_functions(package, folder):
            for rule in function.rules:
                self._functions.setdefault(rule, []).append(function)
        self._constants = Constants(package, folder)
        self._faults = dict[str, list[Mutant]]()

    def changed_lines(self, rule: str, text: str, answer: Answer) -> tuple[frozenset[Line], int]:
        """The lines of an answer that some fault in the functions of a rule changes, and the number of faults that do."""
        changed = set[Line]()
        count = 0
        functions = self._functions.get(rule, ())
        for function in functions:
            if function.is_part and len(functions) > 3:
                continue
            for fault in self._faults_of(function):
                with _spoiled(function, fault):
                    spoiled = _ask_in_time(text)
                lost = set(answer.lines) - set(spoiled.lines) if spoiled else set()
                count += spoiled is None or bool(lost)
                changed |= lost
        return frozenset(changed), count

    def _faults_of(self, function: Function) -> list[Mutant]:
        """Some faults for a function, spread over it, the lack of any result among them."""
        if str(function) not in self._faults:
            scope = load_function(function).__globals__
            every = list(mutants(function.tree, scope, function.owner, self._constants.read_by(function)))
            chosen = list(islice(every, 0, None, max(1, -(-len(every) // (MAX_FAULTS - 1)))))
            self._faults[str(function)] = [*chosen, drop_results(function.tree, scope, function.owner)]
        return self._faults[str(function)]


@contextmanager
def _spoiled(function: Function, fault: Mutant) -> Iterator[None]:
    """Put a fault into a function for a while."""
    own = load_function(function)
    kept = own.__code__, own.__defaults__, own.__kwdefaults__
    try:
        own.__globals__.update(fault.reads)
        changed = fault.function
        own.__code__, own.__defaults__, own.__kwdefaults__ = (
            changed.__code__,
            changed.__defaults__,
            changed.__kwdefaults__,
        )
        yield
    finally:
        own.__code__, own.__defaults__, own.__kwdefaults__ = kept
        for name in fault.reads:
            del own.__globals__[name]
        forget()


@contextmanager
def without_own_files() -> Iterator[None]:
    """Answer as on a computer whose owner has added nothing of their own to the games."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", folder)
        yield


def forget() -> None:
    """Empty what the games keep."""
    for cached in rule_caches(len(sys.modules)):
        cached.cache_clear()


def _ask_in_time(text: str) -> Answer | None:
    """The answer to a question, None if it fails or takes too long."""
    forget()

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError

    usual = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return answer_lines(repeat(text))
    except Exception:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, usual)


def answered(text: str) -> Answer | None:
    """The answer to the question of a position, None if it cannot be asked."""
    return _ask_in_time(text)
