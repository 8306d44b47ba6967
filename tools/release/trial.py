"""Checks of an installed release, in the environment in which it is installed: `python trial.py VERSION`.

It needs nothing but the program, and is run in an empty folder, so that nothing of the repository can help.
"""

import re
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import entry_points, version
from pathlib import Path
from urllib.request import urlopen

import assistant
from assistant.faces.mcp.guide import game_guide

COMMANDS = {
    "assistant --version": "VERSION",
    "assistant doctor": "Nothing is wrong.",
    "assistant demo": "column 1:1 (42 against 23",
    "assistant battle example:battle --umpire": "column 1:1 (42 against 23",
    "assistant check battle.pos --umpire": "4 units",
    "module-builder aids twilight-in-the-east --only turn-track": "turn-track on",
    "module-builder symbols -o symbols.svg": "",
}
"""A phrase in the output of each command."""
POSITION = """
game twilight-in-the-east
turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
ask battle at=41.19 attacker-ap=3,20 defender-ap=1
"""


def main(expected: str) -> None:
    """Try the library, the games and the commands. Raises AssertionError for the first failure."""
    assert version("field-staff") == expected, version("field-staff")
    assert Path(assistant.__file__).is_relative_to(sys.prefix), assistant.__file__
    position = assistant.parse(POSITION)
    report = assistant.ask(position)
    assert report.result is not None, report
    assert report.result.final == "1:1", report
    for entry in entry_points(group="field_staff.games"):
        game = assistant.named_game(entry.name)
        assert game.title, entry
        for name in game.setups:
            assert assistant.read(Path(str(game.folder), f"setups/{name}.pos"), side="").state.units, name
        assert "The first line is `game " in "\n".join(game_guide(game)), entry
    with tempfile.TemporaryDirectory(dir=".") as folder:
        assistant.write(position, Path(folder, "battle.pos"))
        assert assistant.read(Path(folder, "battle.pos")).state == position.state
        assert assistant.picture(position, report).startswith(b"<")
        for command, phrase in COMMANDS.items():
            printed = run(command, folder)
            assert phrase.replace("VERSION", expected) in printed, f"{command}: {printed}"
        assert serves(folder)


def serves(folder: str) -> bool:
    """Return whether `field-staff`, started without a file, serves the table page."""
    command = [str(Path(sysconfig.get_path("scripts"), "field-staff")), "--no-browser"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        links = (re.search(r"http://127\.0\.0\.1:\d+/0/", line) for line in server.stdout)
        link = next(filter(None, links))
        with urlopen(link[0]) as page:
            title = b"<title>" in page.read()
        server.terminate()
    return title


def run(command: str, folder: str) -> str:
    """Return the output of a command of this environment in a folder."""
    name, *words = command.split()
    program = Path(sysconfig.get_path("scripts"), name)
    ended = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{command}: {ended.stdout}{ended.stderr}"
    return ended.stdout


if __name__ == "__main__":
    main(sys.argv[1])
