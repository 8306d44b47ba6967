"""What docs/maintaining/versions.md promises: nothing that users rely on goes within a major version, and old files are read as ever."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Annotated, Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from tools.release.changelog import sections_of

from .cases import thorough
from .pages import ROOT
from .released import MAJOR, PROMISE, breaks, lines_of_files, released, snapshot, write_snapshot
from .samples import ENTRIES, PACKS, SAMPLES, changed_samples, holds, readings, samples
from .surface import (
    PROGRAMS,
    inputs,
    library,
    lines_of_command,
    lines_of_function,
    lines_of_object,
    outputs,
    schemas_of,
    surface,
)

GAME = "twilight-in-the-east"


@thorough
def test_nothing_that_users_rely_on_is_gone() -> None:
    gone = breaks(lines_of_files(released()) or snapshot(), surface())
    assert gone == [], "bring it back, or raise the major version: docs/maintaining/versions.md"


def test_a_line_that_goes_or_changes_is_a_break_only_within_a_major_version() -> None:
    before, now = {"version": ["1"], "hooks": ["a", "b"]}, {"version": ["1"], "hooks": ["a", "c"]}
    assert breaks(before, now) == ["hooks: b"]
    assert breaks(before, {"version": ["1"]}) == ["hooks: a", "hooks: b"]
    assert breaks(before, {**before, "hooks": ["a", "b", "c"]}) == []
    assert breaks(before, {"version": ["2"], "hooks": []}) == []


@thorough
def test_the_snapshot_is_of_this_major_version_and_has_every_subject() -> None:
    before = snapshot()
    assert before["version"] == [MAJOR]
    assert before.keys() == surface().keys()
    assert [name for name, lines in before.items() if lines != sorted({*lines})] == []


def test_a_snapshot_taken_anew_loses_the_files_of_what_is_gone(tmp_path: Path) -> None:
    write_snapshot({"hooks": ["a"], "heath/names": ["unit 1"]}, tmp_path)
    write_snapshot({"hooks": ["a", "b"]}, tmp_path)
    assert [file.name for file in tmp_path.rglob("*.txt")] == ["hooks.txt"]
    assert (tmp_path / "hooks.txt").read_text() == "a\nb\n"


# --- what was released ------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository whose newest release, v1.2.0, promised a hook and read a sample; what lies there has changed since."""
    folder = tmp_path / "tests/promise"
    write_snapshot({"hooks": ["a", "b"], "version": [MAJOR]}, folder)
    (folder / "samples/heath").mkdir(parents=True)
    for name in "map.pos", "state.json":
        (folder / "samples/heath" / name).write_text("game heath\n")
    git(tmp_path, "init", "--quiet")
    for version in "1.2.0", "1.10.0", "2.0.0":
        git(tmp_path, "add", "--all")
        git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "x")
        git(tmp_path, "tag", f"v{version}")
        write_snapshot({"hooks": ["a", "b", version], "version": [MAJOR]}, folder)
    monkeypatch.setattr("tests.released.ROOT", tmp_path)
    monkeypatch.setattr("tests.released.PROMISE", folder)
    released.cache_clear()
    yield folder
    released.cache_clear()


def git(folder: Path, *words: str) -> None:
    own = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def test_what_no_release_had_may_go(repository: Path) -> None:
    assert lines_of_files(released()) == {"hooks": ["a", "b", "1.2.0"], "version": [MAJOR]}, "of v1.10.0"
    assert "2.0.0" in (repository / "hooks.txt").read_text()
    assert breaks(lines_of_files(released()), {"hooks": ["a", "b", "1.2.0"], "version": [MAJOR]}) == []
    assert breaks(lines_of_files(released()), {"hooks": ["a", "b"], "version": [MAJOR]}) == ["hooks: 1.2.0"]


def test_a_sample_of_a_release_may_neither_change_nor_go(repository: Path) -> None:
    sample = repository / "samples/heath/map.pos"
    assert changed_samples(released(), repository) == []
    (repository / "samples/heath/more.pos").write_text("game heath\n")
    (repository / "samples/heath/state.json").write_text("a rule was corrected")
    assert changed_samples(released(), repository) == []
    sample.write_text("game moor\n")
    assert changed_samples(released(), repository) == ["samples/heath/map.pos"]
    sample.unlink()
    assert changed_samples(released(), repository) == ["samples/heath/map.pos"]


@pytest.mark.parametrize(
    ("head", "names"), [(f"{MAJOR}.0.0 - 2027-01-01", {"hooks.txt", "version.txt"}), ("Unreleased", set())]
)
def test_without_git_what_lies_here_is_held_once_there_is_a_release(
    repository: Path, head: str, names: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(repository.parent.parent / ".git")
    released.cache_clear()
    monkeypatch.setattr("tests.released.read_changelog", lambda: sections_of(f"## {head}\n\n- A.\n"))
    assert {name for name in released() if name.endswith(".txt")} == names


def test_no_sample_of_a_release_is_edited() -> None:
    assert changed_samples(released(), PROMISE) == []


@thorough
def test_a_pack_of_whoever_takes_the_snapshot_is_not_in_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(PACKS / GAME, data / GAME)
    run = [sys.executable, "-m", "tests.surface"]
    done = subprocess.run(
        run, cwd=ROOT, env={**os.environ, "FIELD_STAFF_DATA": str(data)}, check=False, capture_output=True, text=True
    )
    assert "Reserve" not in done.stdout
    assert "Traceback" not in done.stderr


# --- what is seen as a break, and what as more ------------------------------------------------------------------------


def losses(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """What of two lists of lines is a break."""
    lost = breaks({"version": [], "all": sorted({*before})}, {"version": [], "all": sorted({*after})})
    return [line.replace("all: ", "") for line in lost]


def of_command(parameters: Iterable[click.Parameter]) -> list[str]:
    command = click.Command("ask", params=list(parameters))
    return list(lines_of_command("ask", command, click.Context(command)))


AT, WIDE, STATE = click.Option(["--at"]), click.Option(["--wide"], is_flag=True), click.Argument(["state"])
DPI = click.Option(["--dpi"], type=click.IntRange(50, 600), default=300)


def dpi(least: int | None, most: int | None, default: int = 300) -> click.Option:
    return click.Option(["--dpi"], type=click.IntRange(least, most), default=default)


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ([AT, WIDE], [AT], ["ask --wide", "ask --wide is off if left out"]),
        ([AT], [click.Option(["--at"], is_flag=True)], ["ask --at VALUE"]),
        ([AT], [AT, STATE], ["new: ask needs STATE"]),
        ([AT], [AT, click.Option(["--to"], required=True)], ["new: ask needs --to"]),
        ([STATE], [click.Argument(["game"]), STATE], ["ask STATE as 1.", "new: ask needs GAME"]),
        ([AT, STATE], [AT, WIDE, click.Argument(["state"], required=False)], []),
        ([AT, STATE], [click.Option(["--at"], multiple=True), click.Argument(["state"], nargs=-1)], []),
        ([click.Option(["--at"], multiple=True)], [AT], ["ask --at, several times"]),
        ([DPI], [dpi(40, 900)], []),
        ([DPI], [dpi(None, None)], []),
        ([DPI], [dpi(60, 500)], ["new: ask --dpi at least 60", "new: ask --dpi at most 500"]),
        ([DPI], [dpi(50, 600, 600)], ["ask --dpi is 300 if left out"]),
        ([DPI], [click.Option(["--dpi"], default=300)], []),
        ([WIDE], [click.Option(["--wide"], is_flag=True, default=True)], ["ask --wide is off if left out"]),
        ([AT], [click.Option(["--at"], type=int)], ["new: ask --at needs a number", "new: ask --at needs an integer"]),
        (
            [AT],
            [click.Option(["--at"], type=click.FloatRange(0, 9))],
            ["new: ask --at at least 0", "new: ask --at at most 9", "new: ask --at needs a number"],
        ),
    ],
    ids=[
        "gone",
        "takes nothing any more",
        "needs a word",
        "needs an option",
        "in another place",
        "has more, needs less",
        "takes several",
        "takes one alone",
        "wider",
        "unbounded",
        "narrower",
        "left out it is another",
        "takes any text",
        "is on if left out",
        "takes integers alone",
        "takes numbers alone, within bounds",
    ],
)
def test_of_commands(before: list[click.Parameter], after: list[click.Parameter], gone: list[str]) -> None:
    assert losses(of_command(before), of_command(after)) == gone


def test_a_new_command_may_need_what_it_likes() -> None:
    assert losses([], of_command([STATE])) == []
    beside = ["ask-all", "ask-all needs STATE", "ask-all STATE as 1."]
    assert losses(of_command([]), [*of_command([]), *beside]) == [], "whose name begins as that of another"


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
    assert losses(lines_of_function("ask", ask), lines_of_function("ask", after)) == gone


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


class Swapped(msgspec.Struct):
    steps: int | None = None
    column: str = ""


class Counting(msgspec.Struct):
    column: str
    steps: int | None = 1


class Sparse(msgspec.Struct, omit_defaults=True):
    column: str
    steps: int | None = None


class Bounded(msgspec.Struct):
    column: str
    steps: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None


class Silent(msgspec.Struct):
    column: str
    steps: int | msgspec.UnsetType | None = msgspec.UNSET


def fields(kind: type, lines: Callable[..., Any]) -> list[str]:
    _, components = schemas_of([kind])
    return [line.replace(kind.__name__, "Answer") for line in lines(components)]


@pytest.mark.parametrize(
    ("after", "read", "written"),
    [
        (More, [], []),
        (
            Renamed,
            ["Answer takes column: string", "new: Answer needs odds"],
            ["Answer always has column", "Answer.column: string"],
        ),
        (Needing, ["Answer takes steps, null if left out", "new: Answer needs steps"], []),
        (
            Narrower,
            ["Answer takes steps, null if left out", "Answer takes steps: null"],
            ["Answer.steps: integer or null"],
        ),
        (Counting, ["Answer takes steps, null if left out"], []),
        (Sparse, [], ["Answer always has steps"]),
        (Silent, ["Answer takes steps, null if left out"], ["Answer always has steps"]),
        (Bounded, ["new: Answer takes steps at least 0", "new: Answer takes steps at most 9"], []),
    ],
    ids=["more", "renamed", "needed", "narrower", "another default", "omitted", "unset", "bounded"],
)
def test_of_json(after: type, read: list[str], written: list[str]) -> None:
    def of_input(kind: type) -> list[str]:
        return fields(kind, lambda known: inputs(known, known))

    assert losses(of_input(Answer), of_input(after)) == read

    def of_output(kind: type) -> list[str]:
        return fields(kind, lambda known: outputs(known, [kind]))

    assert losses(of_output(Answer), of_output(after)) == written


@pytest.mark.parametrize(
    ("after", "gone"),
    [
        (More, []),
        (Swapped, ["Answer(column) as 1.", "Answer(steps) as 2."]),
        (Counting, ["Answer(steps=None)"]),
        (Needing, ["Answer(steps=None)", "new: Answer needs steps"]),
    ],
    ids=["more", "in another order", "another default", "needed"],
)
def test_of_structs(after: type, gone: list[str]) -> None:
    def of_struct(kind: type) -> list[str]:
        return list(lines_of_object("Answer", kind, typed=False))

    assert losses(of_struct(Answer), of_struct(after)) == gone


def test_a_class_is_a_kind_of_what_it_was() -> None:
    class Refused(ValueError): ...

    class Other(Exception): ...

    assert losses(lines_of_object("Refused", Refused), lines_of_object("Refused", Other)) == ["Refused is a ValueError"]
    assert "InputError is a ValueError" in {*library()}


def test_a_report_is_written_as_promised() -> None:
    lines = snapshot()["json"]
    for place in "verdict", "as_seen", "parts[].steps[]", "cautions[]":
        assert f"a report.{place}.text: string" in lines
        assert {f"a report.{place}.figures.share.{field}" for field in ("exact: string", "decimal: number")} <= {*lines}
    assert {"Report always has asks", "PositionLine.error: Refusal", "Step always has figures"} <= {*lines}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("commands", "tool ask takes parameters: {string}"),
        ("commands", "tool compare_positions needs before"),
        ("commands", "variable FIELD_STAFF_DATA"),
        ("commands", "assistant serve --port at most 65535"),
        ("commands", "module-builder counters --dpi is 300 if left out"),
        ("twilight-in-the-east/questions", "RetreatParameters takes zones, 0 if left out"),
        ("twilight-in-the-east/tracks", "arrives at most 47"),
        ("twilight-in-the-east/names", "between hexes ^ is ridge"),
        ("twilight-in-the-east/names", "behind a hex w is wetlands"),
        ("twilight-in-the-east/names", "in brackets 1. steps"),
        ("game-files", "PictureTracks takes style = period"),
        ("game-files", "ClassicCombat takes rounding = bands"),
        ("game-files", "Slot takes separator: string"),
        ("hooks", "Format(name) as 1."),
        ("hooks", "ChartFact.text"),
    ],
)
def test_each_kind_of_promise_has_its_line(name: str, line: str) -> None:
    assert line in snapshot()[name]


# --- samples ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", samples(), ids=lambda file: file.relative_to(PROMISE).as_posix())
def test_an_old_file_is_read_as_it_was(sample: Path) -> None:
    for target, now in readings(sample):
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


def test_the_samples_have_every_sign_and_letter_of_a_network() -> None:
    for file in SAMPLES.glob("*-network/network.pos"):
        text = file.read_text("utf-8")
        game, chains = re.findall(r"^game (.+)\n((?:.|\n)+)", text, re.MULTILINE)[0]
        for line in snapshot()[f"{game}/names"]:
            if match := re.fullmatch(r"between hexes (.) is \S+|behind a hex (.) is \S+", line):
                sign, letter = match.groups()
                assert sign in chains if sign else f"{letter}" in re.sub(r"[\d.]", "", chains), line


def test_the_samples_have_every_line_of_a_journal() -> None:
    lines = [line for file in SAMPLES.glob("*/*.journal") for line in file.read_text("utf-8").splitlines()]
    for promised in snapshot()["journals"]:
        kind, _, word = promised.partition(" ")
        if kind in ("entry", "sign"):
            assert [line for line in lines if f" {word.removesuffix('MARK').removesuffix('CHECK')}" in line], promised
        else:
            form = re.compile(re.sub(r"[A-Z]{2,}", r"[\\w.-]+", promised) + r"( ~\w{3})?")
            assert [line for line in lines if form.fullmatch(line)], promised


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


@thorough
@pytest.mark.parametrize(("command", "code"), EXITS, ids=[command for command, _ in EXITS])
def test_a_command_ends_with_its_exit_code(
    command: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = command.split()
    while "=" in words[0]:
        monkeypatch.setenv(*words.pop(0).split("="))
    shutil.copytree(SAMPLES, tmp_path / "samples")
    shutil.copytree(PROMISE / "faulty", tmp_path / "samples/faulty")
    with chdir(tmp_path / "samples"):
        assert CliRunner().invoke(PROGRAMS[words[0]], words[1:]).exit_code == code
