"""A release waits for a clean commit, a dated section and a free tag, and is tried in every Python that is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.util.errors import InputError
from tools.release.__main__ import build_twice, check_commit, main, notes, without_paths, write_release
from tools.release.archives import members
from tools.release.changelog import Section, read_changelog, sections_of
from tools.release.pythons import (
    VERSIONS,
    Python,
    clean_environment,
    find_pythons,
    run,
    try_release,
    untried,
    version_of,
)

from ...cases import thorough
from ...pages import ROOT
from ...released import PROJECT

CHANGELOG = """# Changelog

## 1.1.0 - unreleased

- A new question.

## 1.0.0 - 2027-01-01

### Games

- The first.
"""


def test_the_changelog_has_a_section_for_each_version() -> None:
    assert sections_of(CHANGELOG) == [
        Section("1.1.0", "", "- A new question.\n"),
        Section("1.0.0", "2027-01-01", "### Games\n\n- The first.\n"),
    ]


def test_the_changelog_of_this_version_has_something_to_say() -> None:
    section = read_changelog()[0]
    assert section.version == PROJECT["version"]
    assert len(section.text) > 1000


def test_the_notes_of_a_release_are_its_section() -> None:
    assert notes(sections_of(CHANGELOG)[1]) == "# Field Staff 1.0.0 - 2027-01-01\n\n### Games\n\n- The first.\n"


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


def test_a_clean_commit_with_a_date_is_released(repository: Path) -> None:
    assert check_commit(repository, draft=False).date == "2027-01-01"


def test_what_is_not_committed_stops_a_draft_too(repository: Path) -> None:
    (repository / "new.py").write_text("")
    assert refused(repository, draft=True) == "not committed: new.py"


def test_a_version_without_a_section_is_refused(repository: Path) -> None:
    commit(repository, "1.2.0")
    assert refused(repository, draft=True) == "CHANGELOG.md says nothing of version 1.2.0 of pyproject.toml"


def test_an_unreleased_section_is_for_drafts_alone(repository: Path) -> None:
    commit(repository, "1.1.0")
    assert refused(repository) == "CHANGELOG.md calls version 1.1.0 unreleased"
    assert check_commit(repository, draft=True).version == "1.1.0"


def test_a_version_that_has_its_tag_is_not_released_twice(repository: Path) -> None:
    git(repository, "tag", "v1.0.0")
    assert refused(repository) == "the tag v1.0.0 exists"
    assert check_commit(repository, draft=True).version == "1.0.0"


def test_a_folder_without_commits_is_refused(tmp_path: Path) -> None:
    assert "git status" in refused(tmp_path)


def test_a_refusal_ends_with_two_lines_and_nothing_written(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository, "1.1.0")
    monkeypatch.setattr("tools.release.__main__.ROOT", repository)
    done = CliRunner().invoke(main, ["--out", str(tmp_path / "dist")])
    assert str(done.exception) == (
        "CHANGELOG.md calls version 1.1.0 unreleased\n  put the date of the release there, or try it with DRAFT=yes"
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


def test_a_python_that_is_missing_is_named_as_not_run() -> None:
    missing = list(untried([Python("3.11", "/usr/bin/python3.11"), Python("3.14", "")]))
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
    assert without_paths({"name": "isal"}) == {"name": "isal"}


def test_the_checksums_of_a_release_fit(tmp_path: Path) -> None:
    write_release({"a.whl": b"a", "notes.md": b"n"}, tmp_path / "dist")
    subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path / "dist", check=True, capture_output=True
    )


@thorough
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="an sdist has no commits")
def test_two_builds_of_a_commit_are_the_same_and_hold_what_they_should(tmp_path: Path) -> None:
    copy = tmp_path / "repository"  # of what lies here, committed or not
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with tarfile.open(tmp_path / "files.tar", "w") as archive:
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).exists():
                archive.add(ROOT / name, name)
    with tarfile.open(tmp_path / "files.tar") as archive:
        archive.extractall(copy, filter="data")
    git(copy, "init", "--quiet")
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", "x")
    wheel, sdist = build_twice(copy, tmp_path, 1_798_761_600)
    committed = {name for name in listed.split("\0") if name and not re.match(r"\.(ci/|git[a-z]+$)", name)}
    extra = {name for name in members(sdist) if not name.startswith("field_staff.egg-info/")} - committed
    assert (committed - {*members(sdist)}, extra) == (set(), {"PKG-INFO", "setup.cfg"})
    assert [name for name in members(wheel) if name.startswith(("tests/", "tools/", "docs/", "benchmarks/"))] == []
