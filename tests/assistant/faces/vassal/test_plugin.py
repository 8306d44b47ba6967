"""The plugin's file, its folder on each system, and the commands that install and remove it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.faces.vassal.plugin import command_of_this_program, find_plugin_file, make_plugin

from ....commands import run_command


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("linux", {"HOME": "/home/me"}, "/home/me/.VASSAL/plugins"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Application Support/VASSAL/plugins"),
        ("win32", {"HOME": "/me", "APPDATA": "/me/Roaming"}, "/me/Roaming/VASSAL/plugins"),
        ("win32", {"HOME": "/me"}, "/me/AppData/Roaming/VASSAL/plugins"),
        ("linux", {"HOME": "/home/me", "FIELD_STAFF_VASSAL": "/games/vassal"}, "/games/vassal/plugins"),
    ],
)
def test_plugins_lie_beside_the_settings_of_vassal(system: str, variables: dict[str, str], folder: str) -> None:
    assert find_plugin_file(variables, system) == Path(folder, "field-staff.vmdx")


def test_the_plugin_is_text_with_one_button_and_the_same_in_every_run() -> None:
    data = make_plugin(["/opt/field staff/bin/assistant", "vassal", "answer"])
    assert data == make_plugin(["/opt/field staff/bin/assistant", "vassal", "answer"])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["buildFile.xml", "extensiondata", "field-staff-ask.bsh"]
        built = ElementTree.fromstring(archive.read("buildFile.xml"))
        ElementTree.fromstring(archive.read("extensiondata"))
        script = archive.read("field-staff-ask.bsh").decode("ascii")
    (button,) = built.iter("VASSAL.build.module.DoActionButton")
    assert (button.get("text"), button.get("hotkey")) == ("Ask", "81,520")
    assert 'new String[] {"/opt/field staff/bin/assistant", "vassal", "answer"}' in script


def test_a_path_with_other_letters_and_backslashes_is_written_for_the_script() -> None:
    data = make_plugin([r"C:\Söhne\"x\😀"])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert r'"C:\\S\u00f6hne\\\"x\\\ud83d\ude00"' in archive.read("field-staff-ask.bsh").decode("ascii")


def test_the_command_has_an_absolute_path() -> None:
    program, *words = command_of_this_program()
    assert Path(program).is_absolute()
    assert words[-2:] == ["vassal", "answer"]


def test_it_is_installed_found_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_VASSAL", str(tmp_path))
    file = tmp_path / "plugins" / "field-staff.vmdx"
    assert run_command(tmp_path, "vassal", "where").stdout == f"not installed: {file}\n"
    assert run_command(tmp_path, "vassal", "install").stdout.startswith(f"written: {file}\n")
    assert run_command(tmp_path, "vassal", "install").returncode == 0
    assert run_command(tmp_path, "vassal", "where").stdout == f"installed: {file}\n"
    assert run_command(tmp_path, "vassal", "remove").stdout == f"removed: {file}\n"
    assert run_command(tmp_path, "vassal", "remove").stdout == f"not there: {file}\n"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugins").write_text("a file")
    monkeypatch.setenv("FIELD_STAFF_VASSAL", str(tmp_path))
    run = run_command(tmp_path, "vassal", "install")
    assert run.returncode == 3
    assert str(tmp_path / "plugins") in run.stderr
