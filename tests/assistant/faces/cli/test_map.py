"""`--map`: a map in letters behind the report."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli import output
from assistant.faces.cli.main import cli

NETWORK = """game twilight-in-the-east
4026=4025=4024-4023:4022/4021r
40.24: "3 Train" range=5 extended-range=8
40.21: 25/3
ask supply unit=25/3
"""


def asked(folder: Path, *words: str, color: bool = False) -> Result:
    file = folder / "network.pos"
    file.write_text(NETWORK, "utf-8")
    return CliRunner().invoke(cli, ["supply", str(file), *words], color=color)


def test_the_map_stands_behind_the_report(tmp_path: Path) -> None:
    done = asked(tmp_path, "--map")
    assert done.exit_code == 0
    assert done.stdout.startswith("25/3 is In Supply from the RR line at 40.23, 2 1/2 hexes away.")
    assert "25/3 +" in done.stdout
    assert "+ In Supply" in done.stdout.splitlines()[-2] + done.stdout.splitlines()[-1]
    assert "\x1b" not in done.stdout


def test_colours_only_repeat_what_signs_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = asked(tmp_path, "--map").stdout
    monkeypatch.setattr(output, "shows_colours", lambda: True)
    coloured = asked(tmp_path, "--map", color=True).stdout
    assert "\x1b[" in coloured
    assert (
        "".join(piece.partition("m")[2] if number else piece for number, piece in enumerate(coloured.split("\x1b[")))
        == plain
    )


@pytest.mark.parametrize(("tty", "no_color", "wanted"), [(True, "", True), (True, "1", False), (False, "", False)])
def test_colours_are_for_terminals_without_no_color(
    tty: bool, no_color: str, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return tty

    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys, "stdout", Screen())
    assert output.shows_colours() is wanted


def test_a_map_is_not_json(tmp_path: Path) -> None:
    done = asked(tmp_path, "--map", "--json")
    assert done.exit_code == 3
    assert done.stderr.startswith("assistant: --map: a map in letters is not JSON")


def test_a_retreat_has_a_map_of_open_and_barred_hexes() -> None:
    examples = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples"
    done = CliRunner().invoke(cli, ["ask", "retreat", str(examples / "retreat.pos"), "--umpire", "--map"])
    assert "+ 1 level a: 41.18, 41.20, 42.19: enemy ZOC: costs 1 level" in done.stdout
    assert "x b: 42.20, 40.19, 40.20: enemies stand there" in done.stdout
