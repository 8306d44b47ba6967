"""Commands with calls that fail; `make failures` lets each call fail, once and for good."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from assistant.cli.main import cli as assistant
from module_builder.cli import cli as builder

from ..cases import few, thorough
from . import failures
from .interposer import Call, Fault, Nursery, build_interposer, calls_of

pytestmark = pytest.mark.skipif(build_interposer() is None, reason="needs Linux and a C compiler")

QUICK = {"imports": 1, "objects": 3, "blocks": 2, "reads": 4, "writes": 4, "output": 1, "input": 1}


@few(2)
@pytest.mark.parametrize("name", failures.COMMANDS)
def test_a_command_says_what_failed_and_leaves_everything_whole(name: str) -> None:
    tallies = list(failures.try_command(name, QUICK))
    assert [fault for tally in tallies for fault in tally.faults] == []
    assert sum(sum(tally.counts.values()) for tally in tallies) > 15


@thorough
@pytest.mark.parametrize("name", ["pack set", "journal add", "new", "table --new", "counters in a folder"])
def test_a_command_with_each_of_its_writing_calls_failing(name: str) -> None:
    (tally,) = failures.try_command(name, {}, ["writes"])
    assert tally.faults == []
    assert sum(tally.counts.values()) == tally.points == 2 * tally.calls > 15


def paths(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The commands of a program, each with the words that lead to it."""
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from paths(inner, (*path, name))


def test_every_command_of_both_programs_has_its_case() -> None:
    tried = [command.words for command in failures.COMMANDS.values()]
    all_paths = [*paths(assistant, ("assistant",)), *paths(builder, ("module-builder",))]
    assert [path for path in all_paths if not any(words[: len(path)] == path for words in tried)] == []


def test_the_page_names_every_command() -> None:
    written = failures.PAGE.read_text("utf-8")
    assert [name for name in failures.COMMANDS if f"\n| {name} | " not in written] == []


# --- what stands between a command and the C library ------------------------------------------------------------------


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    library = build_interposer()
    assert library is not None
    with Nursery(library) as nursery:
        yield nursery


def test_the_call_that_is_named_fails(nursery: Nursery, tmp_path: Path) -> None:
    """Once: the calls after it do not."""
    folder = tmp_path / "here"
    folder.mkdir()
    words = ("module-builder", "new", "heath")
    calm = nursery.run(words, folder, "")
    assert (calm.code, calm.failed) == (0, 0)
    for number in (1, calm.counts["writes"] // 2):
        other = tmp_path / f"{number}"
        other.mkdir()
        run = nursery.run(words, other, "", Fault("writes", number, False, errno.ENOSPC))
        assert (run.code, run.failed) == (3, 1)
        assert run.path and not list(other.iterdir())
        assert "No space left on device" in Path(f"{other}.complained").read_text("utf-8")


def test_memory_that_is_gone_for_good_is_told_and_ends_the_command(nursery: Nursery, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    run = nursery.run(("assistant", "games"), folder, "", Fault("objects", 2000, True, errno.ENOMEM))
    assert run.code == 3
    said = Path(f"{folder}.complained").read_text("utf-8")
    assert said == "assistant: not enough memory\n  close other programs, or ask for less at once\n"


# --- what judges a run ------------------------------------------------------------------------------------------------


def test_of_many_numbers_one_of_each_part_is_tried() -> None:
    assert failures.sampled(range(1, 5), 9) == [1, 2, 3, 4]
    many = failures.sampled(range(1, 1001), 10)
    assert [(number - 1) // 100 for number in many] == list(range(10))
    assert many == failures.sampled(range(1, 1001), 10)


def calls(kind: str, *calls: str) -> list[Call]:
    """Calls, each as NAME PATH."""
    return [Call(kind, number, *call.split()) for number, call in enumerate(calls, 1)]


def test_of_reads_the_first_the_second_and_the_last_of_each_call_at_each_file_fail() -> None:
    made = calls("reads", "open a", "read a", "read a", "read a", "read a", "open b", "open a", "read b")
    assert failures.points_of("reads", 8, made) == failures.Points(once=[1, 2, 3, 5, 6, 7, 8], for_good=[1, 6])


def test_names_that_differ_from_run_to_run_are_one() -> None:
    made = calls("reads", *(f"open data/.field-staff-{number:02x}ab.part" for number in range(9)))
    assert failures.points_of("reads", 9, made) == failures.Points(once=[1, 2, 9], for_good=[1])


def test_of_imports_each_file_fails_once_at_another_of_its_calls() -> None:
    made = calls("imports", "stat a", "open a", "stat b", "open b", "stat c", "open c")
    assert failures.points_of("imports", 6, made) == failures.Points(once=[1, 4, 5], for_good=[1, 4, 5])


def test_everything_else_fails_in_full_but_memory() -> None:
    assert failures.points_of("writes", 1000, []).once == list(range(1, 1001))
    assert len(failures.points_of("objects", 1000, []).for_good) == failures.SAMPLES["objects"]


def test_a_run_lists_its_calls(nursery: Nursery, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    run = nursery.run(("module-builder", "new", "heath"), folder, "")
    listed = calls_of(folder)
    for kind in ("reads", "writes", "output"):
        assert [call.number for call in listed if call.kind == kind] == list(range(1, run.counts[kind] + 1))
    assert ("rename", str(folder / "heath")) in {(call.name, call.path) for call in listed} or ("rename", "heath") in {
        (call.name, call.path) for call in listed
    }
