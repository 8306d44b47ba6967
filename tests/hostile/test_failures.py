"""Commands with calls that fail; `make explore WHAT=failures` lets each call fail, once and for good."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.pdf import to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Rectangle, Scene
from assistant.faces.cli.main import cli as assistant
from module_builder.cli import cli as builder

from ..cases import few, thorough
from . import failures, judging, points, trying
from .interposer import Call, Fault, Nursery, build_interposer, calls_of
from .judging import shows_the_same

pytestmark = pytest.mark.skipif(build_interposer() is None, reason="needs Linux and a C compiler")

QUICK = {"imports": 1, "objects": 3, "blocks": 2, "reads": 4, "writes": 4, "output": 1, "input": 1}


@few(1)
@pytest.mark.parametrize("name", trying.COMMANDS)
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
    tried = [command.words for command in trying.COMMANDS.values()]
    all_paths = [*paths(assistant, ("assistant",)), *paths(builder, ("module-builder",))]
    assert [path for path in all_paths if not any(words[: len(path)] == path for words in tried)] == []


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
    assert points.sampled(range(1, 5), 9) == [1, 2, 3, 4]
    many = points.sampled(range(1, 1001), 10)
    assert [(number - 1) // 100 for number in many] == list(range(10))
    assert many == points.sampled(range(1, 1001), 10)


def calls(kind: str, *calls: str) -> list[Call]:
    """Calls, each as NAME PATH."""
    return [Call(kind, number, *call.split()) for number, call in enumerate(calls, 1)]


def test_of_reads_the_first_and_the_last_of_each_call_at_a_file_of_the_user_fail() -> None:
    made = calls("reads", "open a", "read a", "read a", "read a", "open b", "open a", "read b")
    assert points.points_of("reads", 7, made) == points.Points(once=[1, 2, 4, 5, 6, 7], for_good=[1, 5])


def test_of_reads_one_of_each_call_at_a_file_of_the_program_fails() -> None:
    made = calls("reads", *(f"{name} /{file}" for file in "abcdef" for name in ("open", "read", "read", "read")))
    once = points.points_of("reads", 24, made).once
    assert [number for number in once if number % 4 == 1] == list(range(1, 24, 4))
    assert {number % 4 for number in once} == {0, 1, 2}
    assert len(once) == 12


def test_names_that_differ_from_run_to_run_are_one() -> None:
    made = calls("reads", *(f"open /here/data/.field-staff-{number:02x}ab.part" for number in range(9)))
    assert {call.path for call in points.located(made, Path("/here"))} == {"FOLDER/data/.field-staff-.part"}


def test_of_imports_each_module_fails_once_at_one_of_its_calls() -> None:
    made = calls(
        "imports", *(f"{call}" for file in "abcdef" for call in (f"stat /{file}.so", f"open /__pycache__/{file}.pyc"))
    )
    once = points.points_of("imports", 12, made).once
    assert [(number - 1) // 2 for number in once] == list(range(6))
    assert len({number % 2 for number in once}) == 2


@given(st.dictionaries(st.sampled_from("ABCDE"), st.sets(st.sampled_from("abcd"), min_size=1), min_size=1))
def test_the_calls_at_the_programs_files_are_shared_out_among_the_commands_that_make_them(
    made: dict[str, set[str]],
) -> None:
    """All commands together fail at each call at each file and at each module, once."""
    lists = {
        name: [
            *calls("reads", *(f"{call} /{file}" for file in sorted(files) for call in ("open", "read", "read"))),
            *calls("reads", "open mine"),
            *calls("imports", *(f"{call} /{file}.py" for file in sorted(files) for call in ("stat", "open"))),
        ]
        for name, files in made.items()
    }
    shares = points.share_out(lists)
    files = set[str]().union(*made.values())
    at_files = sorted((call, f"/{file}") for file in files for call in ("open", "read"))
    assert sorted(key for share in shares.values() for key in share.reads) == at_files
    assert sorted(module for share in shares.values() for module in share.imports) == sorted(
        f"/{file}" for file in files
    )
    for name, share in shares.items():
        assert {path for _, path in share.reads} | share.imports <= {f"/{file}" for file in made[name]}
        imports = [call for call in lists[name] if call.kind == "imports"]
        assert len(points.points_of("imports", len(imports), imports, share).once) == len(share.imports)


def test_everything_else_fails_in_full_but_memory() -> None:
    assert points.points_of("writes", 250, []).once == list(range(1, 251))
    assert len(points.points_of("writes", 1000, []).once) == points.OF_MORE
    assert len(points.points_of("objects", 1000, []).for_good) == points.SAMPLES["objects"]


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_what_is_compressed_otherwise_shows_the_same_and_what_is_drawn_otherwise_does_not(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    squares = (Rectangle(x=1, y=1, width=8, height=8, fill=colour) for colour in ("#112233", "#112234"))
    scene, other = (
        Scene(width=20, height=10, title="a square", layers=(Layer("squares", (square,)),)) for square in squares
    )
    draw = {"png": lambda scene: to_png([scene], 4)[0], "pdf": lambda scene: to_pdf([scene], title="A title")}[suffix]
    usual, drawn_otherwise = draw(scene), draw(other)
    monkeypatch.setitem(sys.modules, "zlib_ng", None)
    with_zlib = draw(scene) if suffix == "png" else usual.replace(b"%PDF-1.3", b"%PDF-1.4")
    assert with_zlib != usual
    assert shows_the_same(f"a.{suffix}", with_zlib, usual)
    assert not shows_the_same(f"a.{suffix}", drawn_otherwise, usual)
    assert not shows_the_same(f"a.{suffix}", usual[: len(usual) // 2], usual)
    assert not shows_the_same("a.svg", with_zlib, usual)


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


def test_a_picture_that_lacks_something_is_known_from_one_that_is_not_whole() -> None:
    scenes = [
        Scene(width=20, height=10, title="squares", layers=(Layer("squares", squares),))
        for squares in (
            (
                Rectangle(x=1, y=1, width=8, height=8, fill="#112233"),
                Rectangle(x=11, y=1, width=8, height=8, fill="#112233"),
            ),
            (Rectangle(x=1, y=1, width=8, height=8, fill="#112233"),),
        )
    ]
    whole, lacking = ({"a.png": to_png([scene], 4)[0]} for scene in scenes)
    assert judging.lacks_of_pictures(lacking, whole)
    assert not judging.lacks_of_pictures({"a.png": lacking["a.png"][:100]}, whole)
    assert not judging.lacks_of_pictures({**lacking, "b.txt": b"x"}, whole)
    assert not judging.lacks_of_pictures(whole, whole)
