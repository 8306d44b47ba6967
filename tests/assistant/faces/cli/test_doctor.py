"""`assistant doctor` names what is there, what may be added and what is wrong, and what to do about it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from assistant.faces.cli import doctor
from assistant.faces.cli.doctor import OK, OPTIONAL, WRONG, DoctorFinding, examine_installation
from assistant.util import extras

from ....cases import few, thorough
from ....commands import run_command

GAME = "twilight-in-the-east"
_RIGHTS = "-dac_override,-dac_read_search"
WITHOUT_RIGHTS = (
    ["setpriv", f"--bounding-set={_RIGHTS}", "--inh-caps=-all"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
)
"""Words before a command that root runs, so that it reads no more than an ordinary user may."""


def run_apart(data: Path, before: list[str], *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own. before: words before it."""
    environment = {**os.environ, "HOME": str(data.parent), "FIELD_STAFF_DATA": str(data), **environment}
    command = [*before, sys.executable, "-m", "assistant", "doctor", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd="/")


def can_lose_rights() -> bool:
    """Whether a folder can be closed to a command."""
    if sys.platform == "win32":
        return False
    if not WITHOUT_RIGHTS:
        return True
    return bool(shutil.which("setpriv")) and not subprocess.call([*WITHOUT_RIGHTS, "true"])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the user's, in a home without anything."""
    folders = {"HOME": tmp_path, "FIELD_STAFF_DATA": tmp_path / "data", "FIELD_STAFF_CACHE": tmp_path / "cache"}
    for name, value in {**folders, "SHELL": "/bin/bash"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.delenv("FIELD_STAFF_ENGINE", raising=False)
    return tmp_path / "data"


def found(about: str) -> DoctorFinding:
    """What is found out about a thing."""
    (finding,) = (finding for finding in examine_installation() if finding.about == about)
    return finding


def test_a_fresh_installation_has_nothing_wrong(data: Path) -> None:
    findings = {finding.about: finding for finding in examine_installation()}
    assert not [finding for finding in findings.values() if finding.state == WRONG]
    assert findings["program"].said.startswith("Field Staff ")
    assert findings["plugin assistant"].state == findings["plugin builder"].state == findings["fonts"].state == OK
    assert findings[f"game {GAME}"].said.startswith("1914, Twilight in the East, 5")
    assert GAME in findings["packs"].said and findings["packs"].state == OPTIONAL
    assert findings["data folder"] == DoctorFinding(
        "data folder", OK, f"{data}: not there yet, made when something is first saved"
    )
    assert not data.exists(), "looking makes nothing"


def test_an_installation_without_its_metadata_is_examined_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", lacks)
    assert "of unknown version" in next(examine_installation()).said


def test_its_lines_begin_with_the_state_what_is_optional_last_and_end_with_a_count(data: Path) -> None:
    done = run_command(data.parent, "doctor", data=data)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.splitlines()
    assert last == "Nothing is wrong."
    states = [line.partition(" ")[0] for line in lines if not line.startswith(" ")]
    assert states == sorted(states) and {*states} == {OK, OPTIONAL}
    assert {line[:10].strip() for line in lines} == {OK, OPTIONAL, ""}
    listed: list[dict[str, Any]] = json.loads(run_command(data.parent, "doctor", "--json", data=data).stdout)
    assert [DoctorFinding(**finding) for finding in listed] == list(examine_installation())


@thorough
def test_what_the_owner_has_entered_is_counted(data: Path) -> None:
    run_command(data.parent, "pack", "set", GAME, "ruling", "supply-rounding", "exact", data=data)
    assert found(f"pack of {GAME}")[:3] == (f"pack of {GAME}", OK, f"1 ruling ({data / 'packs' / GAME})")
    run_command(data.parent, "table", GAME, typed="t=2\n", data=data)
    assert found(f"table of {GAME}").state == OK
    run_command(data.parent, "viewpoint", GAME, "russian", data=data)
    assert found("viewpoint").said == f"russian in {GAME}"


@pytest.mark.parametrize(
    ("file", "about", "said"),
    [
        (f"packs/{GAME}/rulings.csv", f"pack of {GAME}", "rulings.csv"),
        (f"packs/{GAME}/charts/crt.csv", f"pack of {GAME}", "charts/crt.csv:1: "),
        (f"table/{GAME}.json", f"table of {GAME}", f"{GAME}.json: "),
        ("settings.json", "viewpoint", "settings.json: "),
        (f"modules/{GAME}/other.toml", "adopted module", "other.toml"),
    ],
)
def test_a_damaged_file_is_wrong_and_named(file: str, about: str, said: str, data: Path) -> None:
    (data / file).parent.mkdir(parents=True)
    (data / file).write_text("{ no such thing")
    finding = found(about)
    assert finding.state == WRONG
    assert said in finding.said and finding.hint
    done = run_command(data.parent, "doctor", data=data)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 thing is wrong")


def test_a_folder_that_cannot_be_written_to_is_wrong(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data.write_text("a file")
    assert found("data folder").state == WRONG
    data.unlink()
    (data / "packs").mkdir(parents=True)
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, how: Path(path).name != "packs" and allowed(path, how))
    finding = found("data folder")
    assert (finding.state, finding.said) == (WRONG, f"{data / 'packs'} cannot be read and written")
    assert "FIELD_STAFF_DATA=FOLDER" in finding.hint


def test_a_game_and_a_plugin_that_fail_are_wrong(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant.installed import entry_points, registry

    broken = entry_points.EntryPoint("field_staff.games", "heath", "no_such_package", "heath 1.0")
    monkeypatch.setattr(registry, "installed_games", lambda: {"heath": broken})
    said = "plugin heath of heath 1.0 failed: ModuleNotFoundError: No module named 'no_such_package'"
    hint = "install its package again, or remove it"
    assert found("game heath") == DoctorFinding("game heath", WRONG, said, hint)
    monkeypatch.setattr(registry, "installed_games", dict)
    assert found("games").state == WRONG
    monkeypatch.setattr(entry_points, "entry_points", lambda group: [broken])
    assert found("plugin heath") == DoctorFinding("plugin heath", WRONG, said, hint)


@few(2)
@pytest.mark.parametrize(("group", "wrong"), [("games", ["game heath"]), ("plugins", ["plugin heath", "games"])])
@pytest.mark.parametrize("code", ["raise ValueError", "raise SystemExit"])
def test_a_package_that_fails_or_exits_is_wrong_once(group: str, wrong: list[str], code: str, data: Path) -> None:
    made = data.parent / "made"
    (made / "heath-1.0.dist-info").mkdir(parents=True)
    (made / "heath.py").write_text(code)
    (made / "heath-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: heath\nVersion: 1.0\n")
    (made / "heath-1.0.dist-info" / "entry_points.txt").write_text(f"[field_staff.{group}]\nheath = heath\n")
    done = run_apart(data, [], "--json", PYTHONPATH=str(made))
    assert done.returncode == 1
    assert [finding["about"] for finding in json.loads(done.stdout) if finding["state"] == WRONG] == wrong


def test_what_cannot_be_read_hides_nothing_else(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        yield DoctorFinding("game heath", OK, "")
        raise PermissionError(13, "Permission denied", "packs/heath")

    monkeypatch.setattr(doctor, "_EXAMINERS", {**doctor._EXAMINERS, "games": refuse})
    findings = {finding.about: finding for finding in examine_installation()}
    assert findings["games"] == DoctorFinding(
        "games", WRONG, "packs/heath: Permission denied", "check who may read and write it"
    )
    assert findings.keys() >= {"game heath", "data folder", "fonts", "VASSAL"}


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't allocate read lock")])
def test_a_want_of_memory_is_no_fault_of_the_installation(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise error
        yield

    monkeypatch.setattr(doctor, "_EXAMINERS", {"plugins": refuse})
    assert list(examine_installation())[1:] == [
        DoctorFinding("plugins", WRONG, "not enough memory", "close other programs, or ask for less at once")
    ]


@few(1)
@pytest.mark.skipif(not can_lose_rights(), reason="needs an ordinary user, or root who can give up his rights")
@pytest.mark.parametrize("closed", [".", "data", "data/packs"])
def test_folders_that_cannot_be_read_are_named(closed: str, data: Path) -> None:
    (data / "packs").mkdir(parents=True)
    (data / "settings.json").write_text("{}")
    folder = data.parent / closed
    folder.chmod(0)
    try:
        done = run_apart(data, WITHOUT_RIGHTS)
    finally:
        folder.chmod(0o700)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert any(line.startswith("wrong     data folder: ") for line in lines)
    assert any(line.startswith("ok        fonts: ") for line in lines)
    assert "install the program again" not in done.stdout


def test_vassal_is_found_where_it_is_usually_installed_or_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_ENGINE_PLACES", (("~", "VASSAL*/lib/Vengine.jar"),))
    assert found("VASSAL").state == OPTIONAL
    engine = data.parent / "VASSAL-3.7" / "lib" / "Vengine.jar"
    engine.parent.mkdir(parents=True)
    engine.touch()
    assert found("VASSAL") == DoctorFinding("VASSAL", OK, str(engine))
    monkeypatch.setenv("FIELD_STAFF_ENGINE", str(data / "none.jar"))
    assert found("VASSAL").state == WRONG


def test_an_extra_that_is_missing_may_be_added(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setattr(extras, "find_spec", lambda name: None)
        finding = found("extra mcp")
    assert finding[1:] == (
        OPTIONAL,
        "mcp is not installed, needed for `assistant mcp`, which lets a language model ask",
        'install it in the project folder: .venv/bin/pip install --editable ".[mcp]"',
    )
    assert found("extra mcp").state == OK
    monkeypatch.setattr(extras, "version", lambda name: "1.9.4")
    assert found("extra mcp").said.startswith("mcp 1.9.4 is older than 2.0, needed for ")


@pytest.mark.parametrize(
    ("shell", "file"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/config.fish")]
)
def test_the_line_that_completes_words_is_printed_until_it_is_written(
    shell: str, file: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    finding = found("completion")
    assert (finding.state, finding.said) == (
        OPTIONAL,
        f"{shell} does not complete the words of assistant and module-builder",
    )
    path, _, both = finding.hint.removeprefix("add to ").partition(": ")
    assert path == str(data.parent / file)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    first, second = both.split("; ")
    for text, lacking in ((f"# {both}", "assistant and module-builder"), (first, "module-builder")):
        with open(path, "a") as written:
            written.write(f"{text}\n")
        assert found("completion").said == f"{shell} does not complete the words of {lacking}"
    with open(path, "a") as written:
        written.write(f"{second}\n")
    assert found("completion").state == OK
    monkeypatch.setenv("SHELL", "/bin/dash")
    assert found("completion").said == "only for bash, zsh, fish; this shell is dash"
    monkeypatch.delenv("SHELL")
    assert not [finding for finding in examine_installation() if finding.about == "completion"]


def test_the_version_names_the_games_and_what_brings_them(tmp_path: Path) -> None:
    first, *games = run_command(tmp_path, "--version").stdout.splitlines()
    assert first.startswith("Field Staff ") and ", Python 3." in first
    assert [game.partition(" (field-staff ")[0] for game in games].count(GAME) == 1
