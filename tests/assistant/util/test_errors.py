"""Suggestions for a mistyped name: which there are, how few names are compared for one, and that most are never worked out."""

from __future__ import annotations

import ast
import difflib
import errno
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.lint.faults import Enough, Faults
from assistant.util import errors
from assistant.util.errors import (
    InputError,
    Where,
    format_suggestion,
    is_of_the_machine,
    is_want_of_memory,
    nearest,
    similar,
    word_machine_error,
    word_plugin_error,
)

ROOT = Path(__file__).parents[3]
MANY = ["".join(letters) for letters in product("abcdefgh", repeat=4)]


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("armes", ["army", "arm", "nation"], "nearest known: arm, army"),
        ("ARMY", ["army", "nation"], "nearest known: army"),
        ("x", ["army", "nation"], "known: army, nation"),
        ("", ["army"], "known: army"),
        ("army", [], ""),
        ("x", MANY, ""),
        ("abcx", MANY, "nearest known: abfc, abgc, abhc"),
        ("army" * 245_000, ["army"] * 3, "known: army"),
        ("abcd", [f"{number}abcd" for number in range(15_001)], ""),
    ],
)
def test_the_nearest_names(word: str, known: list[str], hint: str) -> None:
    assert nearest(word, known) == hint


def test_few_of_many_names_are_compared_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def close(word: str, names: list[str], n: int, cutoff: float) -> list[str]:
        compared.append(len(names))
        return []

    monkeypatch.setattr(difflib, "get_close_matches", close)
    for word in ("abcd", "gg", "Abcd", "zzzz", "a" * 40):
        nearest(word, MANY * 3)
    assert max(compared) <= 25
    compared.clear()
    nearest("a" * 41, MANY)
    nearest("abcd", [f"abc{number}" for number in range(20_000)])
    nearest("abcd", ["a" * 980_000])
    assert not any(compared)


@given(st.text("abcd", min_size=1, max_size=6), st.sets(st.text("abcd", min_size=1, max_size=6), max_size=25))
def test_of_few_names_none_is_overlooked(word: str, known: set[str]) -> None:
    assert similar(word, known, 0.6) == difflib.get_close_matches(word, sorted(known), n=3, cutoff=0.6)


def test_only_the_remedies_of_listed_mistakes_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    monkeypatch.setattr(errors, "nearest", lambda word, known: searched.append(word) or "")
    faults = Faults()
    with pytest.raises(Enough):
        for number in range(12_000):
            for _ in range(3):  # the same in many rows
                faults(InputError(f"unknown {number}", where=Where("game.toml"), hint=lambda: errors.nearest("x", ())))
    assert (len(faults), faults.more, searched) == (100, True, [])
    assert faults.lines[99] == "game.toml: unknown 99"
    assert len(searched) == 100


def test_a_suggestion_is_worked_out_when_it_is_read() -> None:
    known = {"army"}
    error = InputError("unknown track 'armes'", hint=format_suggestion("armes", known))
    known.add("arms")
    assert str(error) == "unknown track 'armes'\n  nearest known: arms, army"
    known.clear()
    assert error.hint == "nearest known: arms, army"
    assert str(error.told_as("[counter] foot", Where("game.toml"))).startswith("game.toml: [counter] foot")


def test_no_error_works_out_a_suggestion_that_may_never_be_read() -> None:
    eager = []
    for folder in ("assistant", "plugins", "module_builder"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text("utf-8")
            nodes = ast.walk(ast.parse(source)) if re.search(r"hint=nearest\b", source) else ()
            for call in (node for node in nodes if isinstance(node, ast.Call)):
                hints = [
                    word.value for word in call.keywords if word.arg == "hint" and isinstance(word.value, ast.Call)
                ]
                eager += [f"{path.name}:{one.lineno}" for one in hints if getattr(one.func, "id", "") == "nearest"]
    assert eager == []


@pytest.mark.parametrize(
    ("error", "what", "hint"),
    [
        (MemoryError(), "not enough memory", "close other programs"),
        (RuntimeError("can't allocate read lock"), "not enough memory", "close other programs"),
        (TypeError("open: path should be string, bytes or os.PathLike, not PosixPath"), "not enough memory", "close other"),
        (OSError(errno.ENOMEM, "Cannot allocate memory", "a.csv"), "a.csv: Cannot allocate memory", "close other"),
        (OSError(errno.EIO, "Input/output error", "a.csv"), "a.csv: Input/output error", "check that disk"),
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device", "make room on that disk"),
        (OSError(errno.EACCES, "Permission denied", "a.csv"), "a.csv: Permission denied", "check who may read"),
    ],
)  # fmt: skip
def test_errors_of_the_machine_name_file_cause_and_remedy(error: Exception, what: str, hint: str) -> None:
    assert is_of_the_machine(error)
    worded = word_machine_error(error)
    assert str(worded).startswith(f"{what}\n  {hint}")
    assert is_of_the_machine(worded.told_as("not written", Where("b.csv")))


def test_who_names_a_file_that_is_not_there_is_at_fault_and_not_the_machine() -> None:
    for error in (FileNotFoundError(errno.ENOENT, "gone"), NotADirectoryError(errno.ENOTDIR, "none"), OSError("odd")):
        assert not is_of_the_machine(error)
    assert not is_of_the_machine(InputError("odd"))
    assert not is_of_the_machine(RuntimeError("cannot allocate units"))
    assert not is_of_the_machine(TypeError("expected str, bytes or os.PathLike object, not int"))


def closed_while_memory_ran_out() -> ValueError:
    """The error of a file that is closed in which writing has broken off."""
    try:
        try:
            raise MemoryError
        finally:
            raise ValueError("Can't close the ZIP file")
    except ValueError as error:
        return error


@pytest.mark.parametrize(
    ("error", "is_want"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), True),
        (RuntimeError("can't allocate lock"), True),
        (ValueError("[digital envelope routines] initialization error"), True),
        (closed_while_memory_ran_out(), True),
        (ValueError("Can't close the ZIP file"), False),
        (OSError(errno.EIO, "Input/output error"), False),
    ],
)
def test_a_want_of_memory_is_known_by_whatever_error_says_it(error: Exception, is_want: bool) -> None:
    assert is_want_of_memory(error) == is_want


def test_a_part_of_a_plugin_that_is_not_there_is_not_left_out_like_an_error_of_its_code() -> None:
    unloaded = word_plugin_error("heath", ModuleNotFoundError("No module named 'heath.battle'"), "answer battle")
    assert is_of_the_machine(unloaded)
    assert str(unloaded).startswith(
        "plugin heath failed to answer battle: ModuleNotFoundError: No module named 'heath."
    )
    assert not is_of_the_machine(word_plugin_error("heath", ZeroDivisionError()))


def test_a_file_that_a_disk_does_not_let_be_read_is_no_mistake_among_others() -> None:
    faults = Faults()
    faults(InputError("unknown track 'a'"))
    with pytest.raises(InputError, match="tracks.toml: Input/output error"):
        faults(word_machine_error(OSError(errno.EIO, "Input/output error", "tracks.toml")))
    assert len(faults) == 1
