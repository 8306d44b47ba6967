"""Tests run against functions changed on purpose, each time in a process of its own, forked when all is imported."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, NamedTuple

import click
import pytest
from hypothesis import Phase, settings

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


class Trial(NamedTuple):
    """A function with what it is changed into, what that reads besides, and the tests to run, until one fails."""

    function: FunctionType
    changed: FunctionType
    reads: Mapping[str, Any]
    tests: Sequence[str]


class Tests:
    """The tests of a pytest session, which has collected them. anew: whether each trial begins without what was kept before it."""

    def __init__(self, session: pytest.Session, seconds: Mapping[str, float], anew: bool = False) -> None:
        self._session = session
        self._seconds = seconds
        self._anew = anew
        self._items = {item.nodeid: item for item in session.items}
        self.failed = False
        self.forked = False

    def marked(self, mark: str) -> dict[str, tuple[str, ...]]:
        """What each test is marked with."""
        return {
            name: tuple(str(argument) for marker in item.iter_markers(mark) for argument in marker.args)
            for name, item in self._items.items()
        }

    def try_all(self, trials: Iterable[Trial], processes: int) -> Iterator[tuple[int, bool]]:
        """Whether a test fails, by the number of the trial, in the order in which they end."""
        fastest_last = sorted(self._items.values(), key=lambda item: -self._seconds.get(item.nodeid, 0.0))
        by_file = {item.path: item for item in fastest_last}
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
                allowed = 5 * self._seconds.get(item.nodeid, 0.0) + (LOADING if self._anew else 2)
                signal.setitimer(signal.ITIMER_PROF, allowed)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails; pytest calls this."""
        self.failed = self.failed or report.failed
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


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _wait(running: dict[int, int]) -> tuple[int, bool]:
    process, status = os.wait()
    return running.pop(process), status != 0


def collect(
    arguments: Sequence[str], seconds: Mapping[str, float], work: Callable[[Tests], None], anew: bool = False
) -> None:
    """Collect tests in this process and hand them over in place of running them.

    seconds: what each test usually takes; one that takes five times as long, and two seconds, has failed. Hypothesis does not look for
    smaller examples than those that fail. anew: whether each trial begins without what was kept.
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
            tests = Tests(session, seconds, anew)
            session.config.pluginmanager.register(tests)
            work(tests)
            return True

    with contextlib.suppress(SystemExit):
        pytest.main([*QUIET, *arguments], plugins=[Handing()])
