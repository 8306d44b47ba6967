"""What docs/maintaining/versions.md promises: nothing that users rely on goes within a major version, and old files are read as ever."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import chdir
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from .pages import ROOT
from .samples import ENTRIES, PACKS, SAMPLES, holds, kept, samples
from .surface import (
    MAJOR,
    PROGRAMS,
    PROMISE,
    broken,
    inputs,
    lines_of_command,
    lines_of_function,
    outputs,
    schemas_of,
    snapshot,
    surface,
)


def test_nothing_that_users_rely_on_is_gone() -> None:
    gone = broken(snapshot(), surface())
    assert gone == [], "bring it back, or raise the major version: docs/maintaining/versions.md"


def test_a_line_that_goes_or_changes_is_a_break_only_within_a_major_version() -> None:
    kept, now = {"version": ["1"], "hooks": ["a", "b"]}, {"version": ["1"], "hooks": ["a", "c"]}
    assert broken(kept, now) == ["hooks: b"]
    assert broken(kept, {"version": ["1"]}) == ["hooks: a", "hooks: b"]
    assert broken(kept, {**kept, "hooks": ["a", "b", "c"]}) == []
    assert broken(kept, {"version": ["2"], "hooks": []}) == []


def test_the_snapshot_is_of_this_major_version_and_has_every_subject() -> None:
    before = snapshot()
    assert before["version"] == [MAJOR]
    assert before.keys() == surface().keys()
    assert [name for name, lines in before.items() if lines != sorted({*lines})] == []


# --- what is seen as a break, and what as more ------------------------------------------------------------------------


def breaks(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """What of two lists of lines is a break."""
    found = broken({"version": [], "all": sorted({*before})}, {"version": [], "all": sorted({*after})})
    return [line.replace("all: ", "") for line in found]


def of_command(parameters: Iterable[click.Parameter]) -> list[str]:
    command = click.Command("ask", params=list(parameters))
    return list(lines_of_command("ask", command, click.Context(command)))


AT, WIDE, STATE = click.Option(["--at"]), click.Option(["--wide"], is_flag=True), click.Argument(["state"])


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ([AT, WIDE], [AT], ["ask --wide"]),
        ([AT], [click.Option(["--at"], is_flag=True)], ["ask --at VALUE"]),
        ([AT], [AT, STATE], ["new: ask needs STATE"]),
        ([AT], [AT, click.Option(["--to"], required=True)], ["new: ask needs --to"]),
        ([STATE], [click.Argument(["game"]), STATE], ["ask STATE as 1.", "new: ask needs GAME"]),
        ([AT, STATE], [AT, WIDE, click.Argument(["state"], required=False)], []),
    ],
    ids=[
        "gone",
        "takes nothing any more",
        "needs a word",
        "needs an option",
        "in another place",
        "has more, needs less",
    ],
)
def test_of_commands(before: list[click.Parameter], after: list[click.Parameter], gone: list[str]) -> None:
    assert breaks(of_command(before), of_command(after)) == gone


def test_a_new_command_may_need_what_it_likes() -> None:
    assert breaks([], of_command([STATE])) == []


def ask(position: str, at: str = "") -> int: ...
def ask_more(position: str | bytes = "", at: str = "", wide: bool = False) -> int: ...
def ask_all(position: str, at: str) -> int: ...
def ask_where(position: str, place: str = "") -> int: ...
def ask_named(position: str, *, at: str = "") -> int: ...


@pytest.mark.parametrize(
    ("after", "gone"),
    [
        (ask_more, []),
        (ask_all, ["ask(at='')", "new: ask needs at"]),
        (ask_where, ["ask(at) as 2.", "ask(at: str)", "ask(at='')"]),
        (ask_named, ["ask(at) as 2."]),
    ],
    ids=["takes more, needs less", "needs more", "renamed", "by name alone"],
)
def test_of_functions(after: Callable[..., int], gone: list[str]) -> None:
    assert breaks(lines_of_function("ask", ask), lines_of_function("ask", after)) == gone


class Answer(msgspec.Struct):
    column: str
    steps: int | None = None


class More(msgspec.Struct):
    column: str = ""
    steps: int | None = None
    why: str = ""


class Renamed(msgspec.Struct):
    odds: str
    steps: int | None = None


class Needing(msgspec.Struct):
    column: str
    steps: int | None


class Narrower(msgspec.Struct):
    column: str
    steps: int = 0


def fields(kind: type, lines: Callable[..., Any]) -> list[str]:
    _, components = schemas_of([kind])
    return [line.replace(kind.__name__, "Answer") for line in lines(components)]


@pytest.mark.parametrize(
    ("after", "read", "written"),
    [
        (More, [], []),
        (Renamed, ["Answer takes column: string", "new: Answer needs odds"], ["Answer.column: string"]),
        (Needing, ["new: Answer needs steps"], []),
        (Narrower, ["Answer takes steps: null"], ["Answer.steps: integer or null"]),
    ],
    ids=["more", "renamed", "needed", "narrower"],
)
def test_of_json(after: type, read: list[str], written: list[str]) -> None:
    def of_input(kind: type) -> list[str]:
        return fields(kind, lambda known: inputs(known, known))

    assert breaks(of_input(Answer), of_input(after)) == read
    assert breaks(fields(Answer, outputs), fields(after, outputs)) == written


# --- samples ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", samples(), ids=lambda file: file.relative_to(PROMISE).as_posix())
def test_an_old_file_is_read_as_it_was(sample: Path) -> None:
    for target, now in kept(sample):
        read = json.loads(json.dumps(now))
        assert holds(json.loads(target.read_text("utf-8")), read), target.relative_to(PROMISE)


def test_fields_may_come_but_none_may_go_or_differ() -> None:
    assert holds({"a": [1, {"b": ""}]}, {"a": [1, {"b": "", "c": 2}], "d": None})
    assert not holds({"a": 1}, {})
    assert not holds({"a": 1}, {"a": True})
    assert not holds([1], [1, 2])


def test_the_samples_have_every_statement_of_the_grammar() -> None:
    page = (ROOT / "docs/reference/notation.md").read_text("utf-8")
    grammar = page[page.index("statement  =") : page.index("chain      =")]
    words = {*re.findall(r'"([a-z]+)"', grammar)}
    lines = [line for file in SAMPLES.glob("*/*.pos") for line in file.read_text("utf-8").splitlines()]
    assert {"game", "chart", "nation", "ask"} <= words
    assert words - {line.split()[0] for line in lines if line} == set()
    for sign in ("#", "?", "(", "|", ":", "-3", '"', ","):
        assert [line for line in lines if sign in line], sign


def test_the_samples_have_every_entry_and_sign_of_a_journal() -> None:
    entries = [line for file in SAMPLES.glob("*/*.journal") for line in file.read_text("utf-8").splitlines()]
    for line in snapshot()["journals"]:
        kind, _, word = line.partition(" ")
        if kind in ("entry", "sign"):
            assert [entry for entry in entries if f" {word.removesuffix('MARK')}" in entry], line


def test_the_sample_of_a_pack_has_every_kind_of_entry() -> None:
    for file in PACKS.glob("*.json"):
        assert all(json.loads(file.read_text("utf-8")).values()), file.name


def test_every_game_has_samples() -> None:
    games = {json.loads(file.read_text("utf-8"))["game"] for file in SAMPLES.glob("*/state.json")}
    assert games == {name.partition("/")[0] for name in snapshot() if "/" in name}
    assert [
        file for file in SAMPLES.glob("*/*") if file.suffix == ".journal" and not file.with_name(ENTRIES).exists()
    ] == []


with (PROMISE / "exit-codes.csv").open(encoding="utf-8", newline="") as file:
    EXITS = [(row["command"], int(row["code"])) for row in csv.DictReader(file)]


@pytest.mark.parametrize(("command", "code"), EXITS, ids=[command for command, _ in EXITS])
def test_a_command_ends_with_its_exit_code(command: str, code: int, tmp_path: Path) -> None:
    program, *words = command.split()
    shutil.copytree(SAMPLES, tmp_path / "samples")
    with chdir(tmp_path / "samples"):
        assert CliRunner().invoke(PROGRAMS[program], words).exit_code == code
