"""The program for machines without Python does what a player does first, with nothing else on the machine.

`make program` makes it; FIELD_STAFF_PROGRAM names another folder with one, and these tests are skipped without either.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from ...cases import thorough
from ...installed import FIRST, check_made, link_of_served, plays
from ...module_builder.page.parts import write_parts
from ...released import PROJECT
from ...test_packaging import needed

ROOT = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("FIELD_STAFF_PROGRAM") or ROOT / "build/program/field-staff").absolute()
pytestmark = [
    thorough,
    pytest.mark.skipif(not PROGRAM.is_dir(), reason="there is no program: make program"),
]


@pytest.mark.parametrize(("words", "typed", "said"), FIRST, ids=[" ".join(words[:2]) for words, *_ in FIRST])
def test_it_needs_no_python_and_no_home(words: tuple[str, ...], typed: str, said: str, tmp_path: Path) -> None:
    write_parts(tmp_path / "parts")
    assert said in plays(PROGRAM, tmp_path, *words, typed=typed)
    check_made(tmp_path)


@pytest.mark.parametrize("words", [("field-staff",), ("assistant", "serve", "twilight", "--port", "0")])
def test_it_serves_the_table_page(words: tuple[str, ...], tmp_path: Path) -> None:
    assert link_of_served(PROGRAM, tmp_path, *words).startswith("http://127.0.0.1:")


def test_double_click_opens_it_in_the_browser(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "DISPLAY": ":0", "BROWSER": str(browser)}
    nowhere: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(
        [PROGRAM / "field-staff"], cwd="/", env=environment, start_new_session=True, **nowhere
    ) as run:
        try:
            until = time.monotonic() + 20
            while not (opened.exists() and opened.read_text().endswith("\n")) and time.monotonic() < until:
                time.sleep(0.05)
            address = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/0/#\S+\n", opened.read_text())
            assert address and httpx.get(f"{address[1]}/0/").status_code == 200
        finally:
            run.terminate()


def test_several_processes_answer_many_positions(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.pos").write_text("game twilight-in-the-east\nturn=1\n40.20: 25/3\n")
    said = plays(PROGRAM, tmp_path, "assistant", "ask", "check", "one.pos", "two.pos", "three.pos", "--jobs", "2")
    assert [line.partition(".pos")[0][-3:] for line in said.splitlines() if ".pos" in line] == ["one", "two", "ree"]


def test_a_new_game_is_checked_with_its_code(tmp_path: Path) -> None:
    plays(PROGRAM, tmp_path, "module-builder", "new", "heath")
    assert "heath" in plays(PROGRAM, tmp_path, "module-builder", "check", "heath").lower()


def test_it_fetches_nothing_itself(tmp_path: Path) -> None:
    said = plays(PROGRAM, tmp_path, "module-builder", "page", "-o", "made", "--fetch", code=3)
    assert said.startswith("module-builder: --fetch: this installation has no pip\n  name a folder with the parts")


UNDER_THE_GPL = re.compile(
    r"(?:lib)?(?:readline|history|gdbm|_gdbm|_dbm|db|mysqlclient|poppler|gs|gsl|fftw3|x264|x265)(?![a-z]).*"
)
"""Libraries under the GPL or the AGPL that Python or a package may use, and modules that need them."""


def test_nothing_under_the_gpl_is_in_it() -> None:
    libraries = [path.name for path in PROGRAM.rglob("*") if re.search(r"\.(?:so|dll|dylib|pyd)\b", path.name)]
    assert len(libraries) > 20
    assert [name for name in libraries if UNDER_THE_GPL.fullmatch(name)] == []


def test_the_licence_of_each_thing_in_it_goes_along() -> None:
    text = (PROGRAM / "licences.txt").read_text("utf-8")
    titles = {title.lower().replace("_", "-") for title in re.findall(r"^(.+)\n=+\n", text, re.MULTILINE)}
    bundled = {path.name for path in PROGRAM.glob("_internal/*.libs/*")}  # the licence of their package has theirs
    of_system = {path.name for path in PROGRAM.glob("_internal/lib*.so*")} - bundled
    of_python = {name for name in of_system if name.startswith("libpython")}
    packages = needed(PROJECT["dependencies"])
    assert {"click", "uvicorn", "pillow"} <= packages
    wanted = {"field staff", "python", *packages, *(name.lower() for name in of_system - of_python)}
    assert {name.replace("_", "-") for name in wanted} - titles == set()
    assert "Python Software Foundation License" in text or "PSF LICENSE AGREEMENT" in text


def test_it_weighs_less_than_110_megabytes() -> None:
    files = {path.stat().st_ino: path.stat().st_size for path in PROGRAM.rglob("*") if path.is_file()}
    assert 50 < sum(files.values()) / 1e6 < 110
