"""A release waits for a clean commit, a dated section and a free tag, and is tried in every Python that is there."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.util.errors import InputError
from tools.release.__main__ import (
    DEVELOPMENT,
    bill_of_materials,
    build,
    check_bill,
    check_commit,
    complete_bill,
    copy_commit,
    main,
    notes,
    referee_suites,
    static_page,
    tag_commit,
    urls_of,
    without_paths,
    write_release,
)
from tools.release.__main__ import git as read_git
from tools.release.changelog import Section, read_changelog, sections_of, without_links
from tools.release.pythons import (
    VERSIONS,
    Python,
    clean_environment,
    find_pythons,
    list_missing,
    new_environment,
    outside,
    run,
    try_release,
    version_of,
)

from ...cases import thorough
from ...module_builder.page.parts import write_parts
from ...pages import ROOT
from ...released import PROJECT

CHANGELOG = """# Changelog

## Unreleased

- A new question.

## 1.0.0 - 2026-01-01

### Games

- The first.
"""


def test_the_changelog_has_a_section_for_each_version() -> None:
    assert sections_of(CHANGELOG) == [
        Section("", "", "- A new question.\n"),
        Section("1.0.0", "2026-01-01", "### Games\n\n- The first.\n"),
    ]
    assert sections_of("# Changelog\n") == []


def test_the_top_section_is_of_this_version_or_unreleased_while_that_is_a_development_version() -> None:
    section, version = read_changelog()[0], PROJECT["version"]
    assert section.version == ("" if DEVELOPMENT in version else version)
    assert section.text.strip()


def test_a_changelog_without_releases_has_no_section_for_users_of_one() -> None:
    sections = read_changelog()
    assert any(section.version for section in sections) or "before the release" not in sections[0].text


@pytest.mark.parametrize(
    "head",
    [
        "## [1.1.0] - 2026-01-01",
        "## 1.0.0 — 2026-12-01",
        "## 1.0.0 - 2026-13-45",
        "## 1.0.0",
        "## 1.0.0 - unreleased",
        "## Games",
    ],
)
def test_a_head_that_is_not_one_is_refused_wherever_it_stands(head: str) -> None:
    for text in (f"# Changelog\n\n{head}\n\n- A.\n", f"{CHANGELOG}\n{head}\n\n- A.\n"):
        with pytest.raises(InputError, match="is not the head of a section"):
            sections_of(text)


def test_the_notes_of_a_release_are_its_section_and_what_built_it() -> None:
    text = notes(sections_of(CHANGELOG)[1])
    assert text.startswith("# Field Staff 1.0.0 - 2026-01-01\n\n### Games\n\n- The first.\n\nBuilt by Python 3.")
    for tool in "setuptools", "build", "zlib":
        assert f", {tool} " in text


def test_the_notes_say_where_the_project_is_at_home_once_that_is_filled_in(repository: Path) -> None:
    assert urls_of(repository) == {}
    (repository / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[project.urls]\nSource = "https://example.org/x"\n'
    )
    text = notes(sections_of(CHANGELOG)[1], urls_of(repository))
    assert text.endswith(".\n\n- Source: https://example.org/x\n")


def test_the_notes_have_no_link_to_a_file_that_is_not_beside_them() -> None:
    assert without_links("A journal ([docs](docs/mail/journal.md), [PSF](https://www.python.org))") == (
        "A journal (docs, [PSF](https://www.python.org))"
    )
    text = notes(read_changelog()[0])
    assert "](docs/" not in text
    assert "is added to its group" not in text


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a commit of version 1.0.0, whose changelog has its date."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1.0.0"\n')
    (folder / "CHANGELOG.md").write_text(CHANGELOG)
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def git(folder: Path, *words: str) -> None:
    own = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, version: str = "1.0.0") -> None:
    (folder / "pyproject.toml").write_text(f'[project]\nname = "x"\nversion = "{version}"\n')
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "x")


def refused(folder: Path, *, draft: bool = False) -> str:
    with pytest.raises(InputError) as error:
        check_commit(folder, draft=draft)
    return error.value.what


def dated(folder: Path, day: str) -> None:
    """Give the top section a date, and commit that as version 1.1.0."""
    (folder / "CHANGELOG.md").write_text(CHANGELOG.replace("Unreleased", f"1.1.0 - {day}"))
    commit(folder, "1.1.0")


IN_THREE_DAYS = str(date.today() + timedelta(days=3))


@pytest.mark.parametrize(
    ("version", "day", "tags", "said"),
    [
        ("1.1.0", "2026-02-01", (), ""),
        ("1.1.0", IN_THREE_DAYS, (), f"CHANGELOG.md dates version 1.1.0 in the future, {IN_THREE_DAYS}"),
        ("1.0.0", "", (), "CHANGELOG.md has what is unreleased above 1.0.0"),
        ("1.1.0", "", (), "CHANGELOG.md has no section for version 1.1.0, which pyproject.toml names"),
        ("1.1.0.dev0", "", (), "version 1.1.0.dev0, which pyproject.toml names, is a development version"),
        ("1.1.0", "2026-02-01", ("v1.9.0", "v1.10.0", "vintage"), "the tag v1.10.0 is of a newer version than 1.1.0"),
        ("1.1.0", "2026-02-01", ("v1.0.5",), "this commit is already tagged v1.0.5"),
        ("1.1.0", "2026-02-01", ("v1.1.0",), "the tag v1.1.0 exists"),
    ],
)
def test_a_release_waits_for_a_dated_section_on_top_and_a_free_tag_and_a_draft_does_not(
    repository: Path, version: str, day: str, tags: tuple[str, ...], said: str
) -> None:
    if day:
        dated(repository, day)
    else:
        commit(repository, version)
    for tag in tags:
        git(repository, "tag", tag)
    if said:
        assert refused(repository) == said
    else:
        assert check_commit(repository, draft=False) == Section(version, day, "- A new question.\n")
    assert check_commit(repository, draft=True).version == version
    (repository / "CHANGELOG.md").write_text("# Changelog\n")
    commit(repository, "1.2.0")
    none = "CHANGELOG.md has no section for version 1.2.0, which pyproject.toml names"
    assert {refused(repository), refused(repository, draft=True)} == {none}


def test_an_older_version_is_released_on_a_branch_of_its_own(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "older")
    dated(repository, "2026-02-01")
    git(repository, "checkout", "--quiet", "-")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "x")
    git(repository, "tag", "v2.0.0")
    git(repository, "checkout", "--quiet", "older")
    assert check_commit(repository, draft=False).version == "1.1.0"


def test_what_is_not_committed_stops_a_draft_too(repository: Path) -> None:
    (repository / "new.py").write_text("")
    assert refused(repository, draft=True) == "not committed: new.py"


def test_a_release_ends_with_a_tag_that_has_its_notes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("NAME", "x"), ("EMAIL", "x@example.org")):
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", value)
    section = sections_of(CHANGELOG)[1]
    (message := repository / "notes.md").write_text(notes(section))
    tag_commit(repository, section, message)
    assert read_git(repository, "tag", "--points-at", "HEAD") == "v1.0.0"
    assert read_git(repository, "tag", "--list", "--format=%(contents)", "v1.0.0").strip() == notes(section).strip()
    with pytest.raises(InputError, match="already exists"):
        tag_commit(repository, section, message)


def test_a_folder_without_commits_is_refused(tmp_path: Path) -> None:
    assert "git status" in refused(tmp_path)


def test_without_git_a_release_is_refused_in_two_lines(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "git cannot be run" in refused(repository)
    with pytest.raises(InputError, match="git cannot be run"):
        copy_commit(repository, repository.parent / "copy")


def test_a_copy_has_the_bytes_of_the_commit_whatever_git_is_set_to(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "core.autocrlf", "true")
    copy = copy_commit(repository, tmp_path / "copy")
    assert (copy / "CHANGELOG.md").read_bytes() == CHANGELOG.encode()


@pytest.mark.parametrize(("words", "draft"), [((), False), (("DRAFT=no",), False), (("DRAFT=yes",), True)])
def test_only_draft_yes_is_a_draft_and_another_word_is_refused(words: tuple[str, ...], draft: bool) -> None:
    command = ["make", "--dry-run", "--assume-old=.venv/tested", "release", *words]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert ("--draft" in printed, "tests.surface" in printed) == (draft, not draft)
    wrong = ["make", "--dry-run", "--assume-old=.venv/tested", "release", "DRAFT=1"]
    ended = subprocess.run(wrong, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ended.returncode
    assert "DRAFT is yes or no" in ended.stderr


def test_a_refusal_ends_with_two_lines_and_nothing_written(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository, "1.1.0.dev0")
    monkeypatch.setattr("tools.release.__main__.ROOT", repository)
    done = CliRunner().invoke(main, ["--out", str(tmp_path / "dist")])
    assert str(done.exception) == (
        "version 1.1.0.dev0, which pyproject.toml names, is a development version\n  write 1.1.0 there, or try it with DRAFT=yes"
    )
    assert not (tmp_path / "dist").exists()


# --- Pythons ----------------------------------------------------------------------------------------------------------


def interpreter(folder: Path, name: str, version: str) -> str:
    """A program that says it is a Python of some version, or fails for ""."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{f'echo {version}' if version else 'exit 127'}\n")
    file.chmod(0o755)
    return str(file)


@pytest.fixture
def on_path(tmp_path: Path) -> Path:
    """A folder with Python 3.11, one that does not run, and one that has another version than its name."""
    folder = tmp_path / "bin"
    interpreter(folder, "python3.11", "3.11")
    interpreter(folder, "python3.12", "")
    interpreter(folder, "python3.13", "3.10")
    return folder


def test_only_a_python_that_runs_and_is_what_it_is_called_is_found(on_path: Path) -> None:
    found = find_pythons({"PATH": str(on_path)})
    assert [python.version for python in found] == list(VERSIONS)
    assert [python.path for python in found] == [str(on_path / "python3.11"), "", "", ""]


def test_a_variable_names_interpreters_and_folders(on_path: Path, tmp_path: Path) -> None:
    twelve = interpreter(tmp_path / "twelve", "python", "3.12")
    interpreter(tmp_path / "fourteen", "python3.14", "3.14")
    named = os.pathsep.join([twelve, str(tmp_path / "fourteen")])
    found = {python.version: python.path for python in find_pythons({"PATH": str(on_path), "PYTHONS": named})}
    assert found == {
        "3.11": str(on_path / "python3.11"),
        "3.12": twelve,
        "3.13": "",
        "3.14": str(tmp_path / "fourteen/python3.14"),
    }


def test_a_name_that_gives_no_python_is_refused(on_path: Path, tmp_path: Path) -> None:
    old, empty = interpreter(tmp_path / "old", "python", "3.10"), tmp_path / "empty"
    empty.mkdir()
    for name in (old, str(empty), "/nowhere/python3.14", str(on_path / "python3.12")):
        with pytest.raises(InputError, match=f"PYTHONS: {name} is not a Python of 3.11"):
            find_pythons({"PATH": str(on_path), "PYTHONS": name})


def test_a_python_that_is_missing_is_named_as_not_run() -> None:
    missing = list(list_missing([Python("3.11", "/usr/bin/python3.11"), Python("3.14", "")]))
    assert missing == ["Python 3.14: not found, not run (PYTHONS names interpreters that are not on PATH)"]


def test_the_version_is_that_of_the_interpreter() -> None:
    assert version_of(sys.executable) == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert version_of("/nowhere/python") == ""


def test_an_empty_environment_has_nothing_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "FIELD_STAFF_DATA", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, "/home/ann")
    variables = clean_environment(tmp_path / "home", tmp_path / "bin")
    assert "/home/ann" not in variables.values()
    assert variables["HOME"] == str(tmp_path / "home")
    assert variables["PATH"].startswith(f"{tmp_path / 'bin'}{os.pathsep}")


def test_what_is_installed_sees_nothing_of_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET"):
        monkeypatch.setenv(name, "/home/ann")
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.org")
    assert "/home/ann" not in outside().values()
    assert outside()["PIP_INDEX_URL"] == "https://example.org", "how pip fetches is up to the user"


@pytest.mark.parametrize("what", ["bill", "environment", "build"])
def test_each_step_runs_outside_of_this_python(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environments: list[Any] = []

    def record(command: list[str], folder: Path | None = None, environment: Any = None) -> str:
        environments.append(environment)
        raise InputError("enough")

    monkeypatch.setenv("PYTHONPATH", "/home/ann")
    monkeypatch.setattr("tools.release.__main__.run", record)
    monkeypatch.setattr("tools.release.pythons.run", record)
    with pytest.raises(InputError, match="enough"):
        if what == "bill":
            bill_of_materials(tmp_path, tmp_path / "bill.json", 0, ())
        elif what == "build":
            build(tmp_path, tmp_path, 0, {}, umask=0o022)
        else:
            new_environment(Python("3.11", sys.executable), tmp_path, tmp_path / "x.whl")
    assert ["PYTHONPATH" in environment for environment in environments] == [False]


def test_a_command_that_fails_says_which_and_why() -> None:
    with pytest.raises(InputError, match=r"exit\(7\).* failed with 7\n +too bad"):
        run([sys.executable, "-c", "import sys; print('too bad', file=sys.stderr); exit(7)"])


def test_a_release_that_is_not_in_the_environment_fails_its_trial(tmp_path: Path) -> None:
    """Such as the working copy of this repository, which an editable install finds."""
    with pytest.raises(InputError, match="AssertionError"):
        try_release(Path(sys.executable), PROJECT["version"], tmp_path / "home")


# --- what is written --------------------------------------------------------------------------------------------------


def test_a_bill_names_no_file_of_this_machine() -> None:
    references = [
        {"type": "distribution", "url": "file:///tmp/x.whl"},
        {"type": "website", "url": "https://example.org"},
    ]
    component = {"name": "click", "externalReferences": references}
    assert without_paths(component) == {"name": "click", "externalReferences": references[1:]}
    assert without_paths({"name": "click"}) == {"name": "click"}


@pytest.fixture
def bill() -> dict[str, Any]:
    """A bill as it is made of an environment, and the archives of a release."""
    component = {"type": "library", "bom-ref": "click==8.1", "name": "click", "version": "8.1"}
    ours = {"type": "library", "bom-ref": "ours", "name": "field-staff", "version": "1.0.0"}
    main = {"type": "application", "bom-ref": "root", "name": "field-staff", "version": "1.0.0"}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main},
        "components": [component, ours],
        "dependencies": [
            {"ref": "root", "dependsOn": ["click==8.1"]},
            {"ref": "ours", "dependsOn": ["click==8.1"]},
            {"ref": "click==8.1", "dependsOn": ["ours"]},
        ],
    }


def test_a_bill_names_its_files_and_the_face_and_nothing_that_it_lacks(bill: dict[str, Any], tmp_path: Path) -> None:
    archive = tmp_path / "field_staff-1.0.0.tar.gz"
    archive.write_bytes(b"sdist")
    whole = complete_bill(bill, [archive])
    check_bill(json.dumps(whole))
    main = whole["metadata"]["component"]
    assert main["purl"] == "pkg:pypi/field-staff@1.0.0"
    (file,) = main["externalReferences"]
    assert (file["url"], file["hashes"][0]["content"][:8]) == (archive.name, hashlib.sha256(b"sdist").hexdigest()[:8])
    assert [each["name"] for each in whole["components"]] == ["click", "Noto Sans"]
    needs = {each["ref"]: each["dependsOn"] for each in whole["dependencies"]}
    assert needs == {"click==8.1": [], "face": [], "root": ["click==8.1", "face"]}


def test_a_bill_that_is_not_one_is_refused(bill: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="the SBOM is not valid"):
        check_bill(json.dumps({**bill, "components": [{"name": "click"}]}))


@thorough
def test_the_table_page_of_a_release_is_ready_to_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")  # without Node.js, which could not run these parts
    write_parts(tmp_path / "parts")
    page = static_page(Path(sys.executable), tmp_path / "parts", tmp_path / "page", 1_800_000_000)
    with zipfile.ZipFile(io.BytesIO(page)) as archive:
        assert archive.testzip() is None
        assert {"index.html", "service-worker.js"} <= {*archive.namelist()}


def test_without_the_parts_of_the_page_there_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="parts"):
        static_page(Path(sys.executable), tmp_path / "parts", tmp_path / "page", 0)


@pytest.mark.parametrize("ended", [0, 1])
def test_a_release_has_the_whole_suites_of_the_referee_if_they_are_those_recorded(
    ended: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(command: list[str], cwd: Path, **_: Any) -> subprocess.CompletedProcess[str]:
        assert (command[1:4], cwd) == (["-m", "tests.referee", "--into"], ROOT)
        suite = Path(command[4], "heath/zones.txt")
        suite.parent.mkdir(parents=True)
        suite.write_text("referee 1\n")
        return subprocess.CompletedProcess(command, ended)

    monkeypatch.setattr(subprocess, "run", make)
    if ended:
        with pytest.raises(InputError, match="not those recorded"):
            referee_suites(tmp_path / "referee", 0)
    else:
        with zipfile.ZipFile(io.BytesIO(referee_suites(tmp_path / "referee", 0))) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == {"heath/zones.txt": b"referee 1\n"}


def test_the_folder_of_a_release_holds_nothing_of_another_try_and_its_checksums_fit(tmp_path: Path) -> None:
    write_release({"a-0.9.whl": b"a", "notes.md": b"n"}, tmp_path / "1.0.0")
    write_release({"a-1.0.whl": b"a"}, tmp_path / "1.0.0")
    assert sorted(file.name for file in (tmp_path / "1.0.0").iterdir()) == ["SHA256SUMS", "a-1.0.whl"]
    subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path / "1.0.0", check=True, capture_output=True
    )


def test_a_release_that_cannot_be_written_leaves_the_one_before_it(tmp_path: Path) -> None:
    write_release({"a.whl": b"old"}, tmp_path / "1.0.0")
    with pytest.raises(InputError):
        write_release({"a.whl": b"new", "no\0name": b""}, tmp_path / "1.0.0")
    assert [file.name for file in tmp_path.iterdir()] == ["1.0.0"]
    assert (tmp_path / "1.0.0/a.whl").read_bytes() == b"old"


def test_a_release_that_cannot_take_its_place_leaves_the_one_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_release({"a.whl": b"old"}, tmp_path / "1.0.0")
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if path.name == "made":
            raise PermissionError
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError):
        write_release({"a.whl": b"new"}, tmp_path / "1.0.0")
    assert [file.name for file in tmp_path.iterdir()] == ["1.0.0"]
    assert (tmp_path / "1.0.0/a.whl").read_bytes() == b"old"
