"""The same work on many things, in several processes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest

from assistant.util import processes
from assistant.util.processes import MAX_AHEAD_PER_PROCESS, MAX_PROCESSES, Crew, Ended, work_through

from ...cases import thorough
from ...ended import has_ended

MANY = 3 * MAX_AHEAD_PER_PROCESS


def _first_is_slow(number: int) -> int:
    time.sleep(0.0 if number else 0.5)
    return number * number


def _fourth_ends_its_process(number: int) -> int:
    if number == 3:
        os._exit(7)
    return number


def _begun_in(number: int) -> int:
    return os.getpid()


class _Unreadable:
    """Ends the process that is to work with it before that can begin."""

    def __call__(self, number: int) -> int:
        return number

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (9,)


@thorough
def test_all_come_in_order_though_all_others_are_done_before_the_first() -> None:
    assert [*work_through(_first_is_slow, range(MANY), 2)] == [(number, number * number) for number in range(MANY)]
    assert not active_children()


@thorough
def test_an_item_that_ends_its_process_is_told_and_the_others_are_done() -> None:
    made = [made for _, made in work_through(_fourth_ends_its_process, range(8), 2)]
    assert made == [0, 1, 2, Ended(7), 4, 5, 6, 7]


def test_items_are_taken_as_they_are_needed_and_processes_end_with_the_iterator() -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with closing(work_through(_begun_in, items(), 1)) as done:
        (first, process), (second, same) = next(done), next(done)
        assert (first, second) == (0, 1)
        assert process == same != os.getpid()
        assert len(active_children()) == 1
    assert len(taken) <= MAX_AHEAD_PER_PROCESS + 2
    assert not active_children()


def test_a_process_that_cannot_begin_ends_the_work() -> None:
    with pytest.raises(RuntimeError, match="ended before its work, with exit code 9"):
        next(work_through(_Unreadable(), [1], 1))
    assert not active_children()


class _Killed:
    """Has its process killed before that can work with it, the first time."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __call__(self, number: int) -> int:
        return number

    def __setstate__(self, state: dict[str, Path]) -> None:
        self.mark = state["mark"]
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_process_that_is_killed_as_it_begins_costs_its_item_alone(tmp_path: Path) -> None:
    made = [made for _, made in work_through(_Killed(tmp_path / "begun"), range(3), 1)]
    assert made == [Ended(-signal.SIGKILL), 1, 2]


@thorough
@pytest.mark.parametrize(("processors", "begun"), [(2, 2), (None, 1)])
def test_no_more_processes_begin_than_there_are_processors(
    processors: int | None, begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    with closing(work_through(_begun_in, range(MANY), 10**9)) as done:
        next(done)
        assert len(active_children()) == begun


def test_no_more_processes_begin_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Worker:
        assigned = None

        def __init__(self, work: object) -> None:
            begun.append(self)

        def assign(self, number: int, item: int) -> None:
            if len(begun) > MAX_PROCESSES:
                raise AssertionError

        def end(self) -> None:
            pass

    monkeypatch.setattr(os, "cpu_count", lambda: 10**6)
    monkeypatch.setattr(processes, "_Worker", Worker)
    monkeypatch.setattr(processes, "_wait_for_any", lambda busy: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        next(work_through(_begun_in, range(10**6), 10**9))
    assert len(begun) == MAX_PROCESSES


def test_processes_end_without_a_word_when_the_one_that_began_them_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, time\n"
        "from assistant.util.processes import work_through\n"
        "if __name__ == '__main__':\n"
        "    for _ in work_through(time.sleep, [0, 0.2, 0.5, 0.5], 2):\n"
        "        os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
    )
    assert done.stdout == ""


def test_nothing_to_do_begins_no_process() -> None:
    assert [*work_through(_begun_in, (), 2)] == []


# --- processes that stay for work on one thing after the other ---------------------------------------------------------


def _obey(order: tuple[str, str]) -> object:
    word, rest = order
    match word:
        case "end":
            os._exit(int(rest))
        case "never":
            Path(rest).write_text(str(os.getpid()))
            while True:
                time.sleep(0.1)
        case "take":
            try:
                return len(bytearray(int(rest)))
            except MemoryError:
                return "no memory"
        case "print":
            print(rest, flush=True)
    return os.getpid()


def _crew(size: int = 1, memory: int | None = None) -> Crew[tuple[str, str], object]:
    return Crew(_obey, size, memory)


def _is_gone(process: int) -> bool:
    """Whether a process has ended, or does so within two seconds."""
    for _ in range(40):
        if has_ended(process):
            return True
        time.sleep(0.05)
    return False


def test_a_process_stays_for_the_next_item_and_what_it_prints_is_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    async def work() -> list[object]:
        return [await crew.work_on((word, "x"), 60) for word in ("pid", "print", "pid")]

    with closing(_crew()) as crew:
        pids = asyncio.run(work())
    assert len({*pids, os.getpid()}) == 2
    assert capfd.readouterr().out == ""
    assert not active_children()


@thorough
def test_items_given_up_too_long_or_deadly_end_their_process_and_the_next_is_worked_on(tmp_path: Path) -> None:
    async def give_up(item: tuple[str, str]) -> None:
        asked = asyncio.ensure_future(crew.work_on(item, 60))
        while not Path(item[1]).exists() or not Path(item[1]).read_text():
            await asyncio.sleep(0.02)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    async def work() -> None:
        await give_up(("never", str(tmp_path / "given-up")))
        with pytest.raises(TimeoutError):
            await crew.work_on(("never", str(tmp_path / "too-long")), 0.3)
        assert await crew.work_on(("end", "7"), 60) == Ended(7)
        assert isinstance(await crew.work_on(("pid", ""), 60), int)

    with closing(_crew()) as crew:
        asyncio.run(work())
        assert all(_is_gone(int((tmp_path / name).read_text())) for name in ("given-up", "too-long"))
        assert len(active_children()) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits the data of a process")
def test_a_process_takes_no_more_memory_than_it_may() -> None:
    async def work() -> list[object]:
        return [await crew.work_on(("take", str(many)), 60) for many in (2**30, 2**10)]

    with closing(_crew(memory=2**29)) as crew:
        assert asyncio.run(work()) == ["no memory", 2**10]


@thorough
def test_a_process_at_work_ends_with_the_program_that_has_begun_it(tmp_path: Path) -> None:
    program = (
        "import asyncio\n"
        "from assistant.util.processes import Crew\n"
        "from tests.assistant.util.test_processes import _obey\n"
        "if __name__ == '__main__':\n"
        f"    asyncio.run(Crew(_obey, 1).work_on(('never', {str(tmp_path / 'at-work')!r}), 60))\n"
    )
    (tmp_path / "program.py").write_text(program, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, tmp_path / "program.py"], env=environment) as begun:
        while not (tmp_path / "at-work").exists() or not (tmp_path / "at-work").read_text():
            time.sleep(0.02)
        begun.kill()
    assert _is_gone(int((tmp_path / "at-work").read_text()))
