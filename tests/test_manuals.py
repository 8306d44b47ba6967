"""The man pages say what the commands say."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from .manuals import MANUALS, manuals, outdated_pages


def test_the_man_pages_are_those_of_the_commands() -> None:
    assert outdated_pages() == [], "python -m tests.manuals writes them anew"


def test_each_command_of_both_programs_has_one_and_each_is_there_that_one_refers_to() -> None:
    pages = manuals()
    assert {
        "assistant.1",
        "field-staff.1",
        "module-builder.1",
        "assistant-demo.1",
        "assistant-pack-enter.1",
    } <= pages.keys()
    for text in pages.values():
        assert {f"{name}.1" for name in re.findall(r"See \\fB(.*?)\(1\)", text.replace(r"\-", "-"))} <= pages.keys()


def test_field_staff_has_a_page_of_its_own() -> None:
    page = manuals()["field-staff.1"]
    assert "Opens the table page in your browser" in page
    assert r"\fBassistant-ask(1)\fP" in page


def test_no_line_is_taken_for_a_command_of_the_typesetter() -> None:
    known = (".TH", ".SH", ".B ", ".TP", ".PP", ".nf", ".fi", ".so")
    for name, text in manuals().items():
        assert [line for line in text.splitlines() if line[:1] in (".", "'") and not line.startswith(known)] == [], name
        assert "\x08" not in text


def test_the_typesetter_finds_nothing_wrong() -> None:
    if (groff := shutil.which("groff")) is None:
        pytest.skip("groff is not installed")
    command = [groff, "-man", "-Tutf8", "-ww", "-z", *map(str, MANUALS.glob("*.1"))]
    assert subprocess.run(command, cwd=MANUALS, capture_output=True, text=True, check=True).stderr == ""
