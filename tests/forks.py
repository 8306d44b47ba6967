"""Tests run against functions changed on purpose, each time in a process of its own, forked when all is imported."""

from __future__ import annotations

import contextlib
import gc
import inspect
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import click
import pytest
from hypothesis import Phase, settings

from .credited import Function
from .reached import NOTES, TOLD, Noting, forget_notes

MEMORY = 3 * 2**30
"""The most bytes that a process may take: a fault may fill a list for ever."""
LOADING = 10
"""Seconds that games and boards may take at most, read anew."""
OWN = (
    "assistant",
    "module_builder",
    "images",
    "tools",
    "tests",
    "der_weltkrieg",
    "kaisers_war_in_the_east",
    "twilight_in_the_east",
    "world_undone_east_prussia",
)
"""The packages that keep what they have worked out."""
QUIET = ("-qq", "--no-header", "--no-summary", "--capture=sys", "-p", "no:cacheprovider")


TOGETHER = 20
"""How many tests of a file a process takes at most at once."""
NUMBER = 4
"""The bytes of a number in a pipe."""


class Trial(NamedTuple):
    """A function with what it is changed into, what that reads besides, and the tests to run, until one fails."""

    function: FunctionType
    changed: FunctionType
    reads: Mapping[str, Any]
    tests: Sequence[str]


class Tests:
    """The tests of a pytest session, which has collected them. anew: whether each trial begins without what was kept before it.

    seconds: what each test usually takes; one that takes five times as long, and two seconds, has failed.
    """

    def __init__(self, session: pytest.Session, anew: bool = False) -> None:
        self._session = session
        self._anew = anew
        self._items = {item.nodeid: item for item in session.items}
        self.seconds: Mapping[str, float] = {}
        self.failed = False
        self.forked = False
        self._failures: Path | None = None

    def marked(self, mark: str) -> dict[str, tuple[str, ...]]:
        """What each test is marked with."""
        return {
            name: tuple(str(argument) for marker in item.iter_markers(mark) for argument in marker.args)
            for name, item in self._items.items()
        }

    def sources(self) -> dict[str, str]:
        """The text of each test, with the case that it is given where that is made of plain values."""
        text_of = cache(inspect.getsource)
        return {name: f"{text_of(item.function)}{_plain_case(item)}" for name, item in self._items.items()}

    def trace(self, functions: Callable[[], Iterable[Function]], folder: Path, processes: int) -> bool:
        """Run all tests and note into a folder what they execute of some functions; whether none fails.

        Each process takes the next few tests, until none are left. What fails is printed.
        """
        forget_notes(folder)
        self._failures = folder / "failures.txt"
        self._failures.write_text("", "utf-8")
        files = (list(items) for _, items in groupby(self._items.values(), key=lambda item: item.path))
        parts = [items[at : at + TOGETHER] for items in files for at in range(0, len(items), TOGETHER)]
        waiting, put = os.pipe()
        os.write(put, b"".join(number.to_bytes(NUMBER, "big") for number in range(len(parts))))
        os.close(put)
        running: dict[int, int] = {}
        with tempfile.TemporaryDirectory() as shared:
            for number in range(processes):
                if process := os.fork():
                    running[process] = number
                    continue
                try:
                    _silence()
                    os.environ["FIELD_STAFF_TESTS_CACHE"] = shared
                    noting = Noting(functions(), folder / NOTES.replace("*", str(number)))
                    self._session.config.pluginmanager.register(noting)
                    while part := os.read(waiting, NUMBER):
                        self._run(parts[int.from_bytes(part, "big")])
                    self._session._setupstate.teardown_exact(None)
                    noting.write()
                finally:
                    os._exit(self.failed or sys.exc_info()[0] is not None)
            os.close(waiting)
            ended = [_wait(running) for _ in range(processes)]
        click.echo(self._failures.read_text("utf-8")[-TOLD:], err=True, nl=False)
        self._failures = None
        return not any(has_failed for _, has_failed in ended)

    def try_all(self, trials: Sequence[Trial], processes: int) -> Iterator[tuple[int, bool]]:
        """Whether a test fails, by the number of the trial, in the order in which they end."""
        if not trials:
            return
        names = {name for trial in trials for name in trial.tests}
        fastest_last = sorted(names, key=lambda name: -self.seconds.get(name, 0.0))
        by_file = {self._items[name].path: self._items[name] for name in fastest_last}
        self._run(list(by_file.values()))  # so that no process has to load games and libraries anew
        if self.failed:
            raise click.ClickException("a test fails without any fault: mend it first")
        gc.collect()
        gc.freeze()
        running: dict[int, int] = {}
        with tempfile.TemporaryDirectory() as folder:
            self._folder = folder
            for number, trial in enumerate(trials):
                if len(running) == processes:
                    yield _wait(running)
                running[self._fork(trial)] = number
            while running:
                yield _wait(running)

    def _fork(self, trial: Trial) -> int:
        process = os.fork()
        if process:
            return process
        try:
            self.forked = True
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            _silence()
            put_in_place(trial)
            if self._anew:
                self._session._setupstate.teardown_exact(None)
                forget(tempfile.mkdtemp(dir=self._folder))
            self._run([self._items[name] for name in trial.tests])
        finally:
            os._exit(self.failed or sys.exc_info()[0] is not None)

    def _run(self, items: Sequence[pytest.Item]) -> None:
        for item, following in zip(items, [*items[1:], self._session], strict=True):
            if self.forked:  # a fault may go round for ever: it is noticed then
                allowed = 5 * self.seconds.get(item.nodeid, 0.0) + (LOADING if self._anew else 2)
                signal.setitimer(signal.ITIMER_PROF, allowed)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed and not self._failures:
                return

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """End a trial as soon as a test fails, before a report of that is made, which takes longer; pytest calls this."""
        has_failed = call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception)
        if self.forked and has_failed and item.get_closest_marker("xfail") is None:
            os._exit(1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails; pytest calls this."""
        self.failed = self.failed or report.failed
        if self._failures and report.failed:
            with self._failures.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n{report.longreprtext}\n")
        if self.failed and self.forked:
            os._exit(1)


def put_in_place(trial: Trial) -> None:
    """Change the function wherever it is called, also under other names."""
    trial.function.__globals__.update(trial.reads)
    trial.function.__defaults__ = trial.changed.__defaults__
    trial.function.__kwdefaults__ = trial.changed.__kwdefaults__
    trial.function.__code__ = trial.changed.__code__
    kept = vars(sys.modules[trial.function.__module__]).get(trial.function.__name__)
    if hasattr(kept, "cache_clear"):
        kept.cache_clear()


def forget(folder: str) -> None:
    """Empty what the program and its tests keep: a fault shows in what is worked out, and not in what was before it.

    folder: where they may keep what they read from now on.
    """
    own = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in OWN]
    things = [thing for module in own for thing in vars(module).values()]
    methods = [each for thing in things if isinstance(thing, type) for each in vars(thing).values()]
    for kept in (*things, *methods):
        if clear := getattr(kept, "cache_clear", None):
            clear()
    os.environ["FIELD_STAFF_TESTS_CACHE"] = folder


def _plain_case(item: pytest.Item) -> str:
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return "".join(f"{name} = {value!r}\n" for name, value in given.items() if _is_plain(value))


def _is_plain(value: object) -> bool:
    """Whether a value is written the same in each process."""
    match value:
        case dict():
            return all(map(_is_plain, (*value, *value.values())))
        case list() | tuple():
            return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float)


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _wait(running: dict[int, int]) -> tuple[int, bool]:
    process, status = os.wait()
    return running.pop(process), status != 0


def collect(arguments: Sequence[str], work: Callable[[Tests], None], anew: bool = False) -> None:
    """Collect tests in this process and hand them over in place of running them.

    Hypothesis does not look for smaller examples than those that fail. anew: whether each trial begins without what was kept.
    """

    class Handing:
        @pytest.hookimpl(trylast=True)
        def pytest_configure(self) -> None:
            profile = settings.get_current_profile_name()  # what conftest.py and the arguments have chosen
            phases = (Phase.explicit, Phase.generate)
            settings.register_profile(profile, settings.get_profile(profile), phases=phases, database=None)
            settings.load_profile(profile)

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            tests = Tests(session, anew)
            session.config.pluginmanager.register(tests)
            work(tests)
            return True

    with contextlib.suppress(SystemExit):
        pytest.main([*QUIET, *arguments], plugins=[Handing()])
