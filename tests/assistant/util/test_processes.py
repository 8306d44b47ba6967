"""The same work on many things, in several processes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import active_children

import pytest

from assistant.util.processes import AHEAD, Ended, work_through

MANY = 3 * AHEAD


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


def test_all_come_in_order_though_all_others_are_done_before_the_first() -> None:
    assert [*work_through(_first_is_slow, range(MANY), 2)] == [(number, number * number) for number in range(MANY)]
    assert not active_children()


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
    assert len(taken) <= AHEAD + 2
    assert not active_children()


def test_a_process_that_cannot_begin_ends_the_work() -> None:
    with pytest.raises(RuntimeError, match="ended before its work, with exit code 9"):
        next(work_through(_Unreadable(), [1], 1))
    assert not active_children()


def test_nothing_to_do_begins_no_process() -> None:
    assert [*work_through(_begun_in, (), 2)] == []
