"""`assistant doctor` names what is there, what may be added and what is wrong, and what to do about it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import doctor
from assistant.cli.doctor import OK, OPTIONAL, WRONG, Finding, examine

from ...commands import run_command

GAME = "twilight-in-the-east"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the user's, in a home without anything."""
    for name, value in (("HOME", tmp_path), ("FIELD_STAFF_DATA", tmp_path / "data"), ("SHELL", "/bin/bash")):
        monkeypatch.setenv(name, str(value))
    for name in ("FIELD_STAFF_CACHE", "FIELD_STAFF_ENGINE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data"


def found(about: str) -> Finding:
    """What is found out about a thing."""
    (finding,) = (finding for finding in examine() if finding.about == about)
    return finding


def test_a_fresh_installation_has_nothing_wrong(data: Path) -> None:
    findings = {finding.about: finding for finding in examine()}
    assert not [finding for finding in findings.values() if finding.state == WRONG]
    assert findings["program"].said.startswith("Field Staff ")
    assert findings["plugin assistant"].state == findings["plugin builder"].state == findings["fonts"].state == OK
    assert findings[f"game {GAME}"].said.startswith("1914, Twilight in the East, 3")
    assert findings[f"pack of {GAME}"].state == OPTIONAL
    assert findings["data folder"] == Finding("data folder", OK, f"{data}, made once something is kept")
    assert not data.exists(), "looking makes nothing"


def test_its_lines_begin_with_the_state_and_end_with_a_count(data: Path) -> None:
    done = run_command(data.parent, "doctor", data=data)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1] == "Nothing is wrong."
    assert {line[:10].strip() for line in lines[:-1]} == {OK, OPTIONAL, ""}


def test_as_json(data: Path) -> None:
    listed: list[dict[str, Any]] = json.loads(run_command(data.parent, "doctor", "--json", data=data).stdout)
    assert [Finding(**finding) for finding in listed] == list(examine())


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
    from assistant.plugins import entry_points, registry

    broken = entry_points.EntryPoint("field_staff.games", "heath", "no_such_package", " of heath 1.0")
    monkeypatch.setattr(registry, "installed_games", lambda: {"heath": broken})
    assert found("game heath of heath 1.0").state == WRONG
    assert "No module named 'no_such_package'" in found("game heath of heath 1.0").said
    monkeypatch.setattr(registry, "installed_games", dict)
    assert found("games").state == WRONG
    monkeypatch.setattr(entry_points, "entry_points", lambda group: [broken])
    assert found("plugin heath of heath 1.0").state == WRONG


def test_vassal_is_found_where_it_is_usually_installed_or_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_ENGINES", (("~", "VASSAL*/lib/Vengine.jar"),))
    assert found("VASSAL").state == OPTIONAL
    engine = data.parent / "VASSAL-3.7" / "lib" / "Vengine.jar"
    engine.parent.mkdir(parents=True)
    engine.touch()
    assert found("VASSAL") == Finding("VASSAL", OK, str(engine))
    monkeypatch.setenv("FIELD_STAFF_ENGINE", str(data / "none.jar"))
    assert found("VASSAL").state == WRONG


def test_an_extra_that_is_missing_may_be_added(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "segno" else object())
    assert found("extra serve")[1:] == (
        OPTIONAL,
        "segno not installed, for `assistant serve`, a table for phones, and QR codes",
        'install Field Staff again with it: pipx install --force "FILE.whl[serve]"',
    )
    assert found("extra mcp").state == OK


@pytest.mark.parametrize(
    ("shell", "file"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/config.fish")]
)
def test_the_line_that_completes_words_is_printed_until_it_is_written(
    shell: str, file: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    for program in ("assistant", "module-builder"):
        finding = found(f"completion of {program}")
        assert finding.state == OPTIONAL
        path, _, line = finding.hint.removeprefix("write into ").partition(": ")
        assert path == str(data.parent / file)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a") as written:
            written.write(f"# {line}\n")
        assert found(f"completion of {program}").state == OPTIONAL, "a remark completes nothing"
        with open(path, "a") as written:
            written.write(f"{line}\n")
        assert found(f"completion of {program}").state == OK
    monkeypatch.setenv("SHELL", "/bin/dash")
    assert "bash, zsh, fish" in found("completion").said


def test_the_version_names_the_games_and_what_brings_them(tmp_path: Path) -> None:
    first, *games = run_command(tmp_path, "--version").stdout.splitlines()
    assert first.startswith("Field Staff ") and ", Python 3." in first
    assert [game.partition(" of field-staff ")[0] for game in games].count(GAME) == 1
