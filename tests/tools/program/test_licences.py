"""The text of licences that goes along with the program has one of each package, of Python, and of each library of the system."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from assistant.util.licences import installed_licences
from tools.program import licences
from tools.program.licences import program_licences
from tools.program.start import COMMANDS

from ...released import PROJECT


def test_the_program_has_the_commands_of_an_installation() -> None:
    assert {name: ":".join(begin) for name, begin in COMMANDS.items()} == PROJECT["scripts"]


def test_each_package_of_the_environment_has_its_licence(capsys: pytest.CaptureFixture[str]) -> None:
    text = program_licences([]).decode()
    titles = re.findall(r"^(.+)\n=+\n", text, re.MULTILINE)
    assert titles[:3] == ["Field Staff", "The fonts of Field Staff", "Python"]
    assert {"click", "lxml", "msgspec", "pillow", "reportlab"} <= {*titles}
    assert "pip" not in titles
    assert "Python Software Foundation" in text


def test_all_licences_of_a_package_go_along_not_only_its_own() -> None:
    texts = [text for _, text in installed_licences(distribution("pypdfium2"))]
    assert [text for text in texts if "PDFium" in text]
    assert [text for text in texts if "FreeType" in text]


def test_a_library_of_the_system_has_the_licence_of_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(licences, "system_licence", lambda file: "zlib licence" if "libz" in file.name else "")
    text = program_licences([tmp_path / "libz.so.1", tmp_path / "libunknown.so.2"]).decode()
    assert "libz.so.1\n=========\n\nzlib licence" in text
    assert "libunknown" not in text
    assert f"lacks the licence of {tmp_path / 'libunknown.so.2'}" in capsys.readouterr().err
