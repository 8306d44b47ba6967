"""Example files as a side sees them: no command ends in an internal error, whatever it is asked with."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click

from assistant.faces.cli.main import cli
from assistant.installed.registry import installed_games, load_game, questions_of
from tests.commands import run_command
from tests.comparing.search import Search

_READ = {
    ".pos": ("answer", "ask", "check", "compare", "convert", "link"),
    ".vsav": ("answer", "ask", "check", "compare", "convert", "link"),
    ".vlog": ("answer", "ask", "check", "convert", "explain", "link", "luck", "story"),
    ".journal": ("luck", "story"),
}
"""The commands with `--as` that read a file, by its ending."""
_OTHER_SWITCHES = {"--umpire", "--watch", "--force", "--debug", "--help", "--bars"}
"""Switches that contradict `--as`, wait or write."""


@cache
def list_files(game: str) -> tuple[Path, ...]:
    """Return the examples and set-ups of a game that a command can read."""
    folder = load_game(game).folder
    found = [file for name in ("examples", "setups") for file in sorted(folder.joinpath(name).glob("*"))]
    return tuple(file for file in found if file.suffix in _READ)


@cache
def list_switches(name: str) -> tuple[str, ...]:
    """Return the switches of a command that may stand beside `--as`."""
    command = cli.get_command(click.Context(cli), name)
    assert command
    options = [option for option in command.params if isinstance(option, click.Option) and option.is_flag]
    return tuple(sorted({option.opts[-1] for option in options} - _OTHER_SWITCHES))


def draw_command(random: Random) -> tuple[str, ...]:
    """Return the words of a random command about an example file, as one side sees it."""
    game = load_game(random.choice(sorted(name for name in installed_games() if list_files(name))))
    file = random.choice(list_files(game.id))
    name = random.choice(_READ[file.suffix])
    words = [name]
    if name == "ask":
        words.append(random.choice(list(questions_of(game))))
    words += [str(file)] * (2 if name == "compare" else 1)
    words += ["--as", random.choice(list(game.file.sides))]
    if switches := list_switches(name):
        words += random.sample(switches, random.randint(0, 1))
    return tuple(words)


def find_faults(words: tuple[str, ...], seen: Counter[str]) -> tuple[str, ...]:
    """Run a command and count it. What it raises a user would see as an internal error."""
    with TemporaryDirectory() as folder:
        run_command(Path(folder), *words)
    seen[words[0]] += 1
    return ()


SEARCH = Search(
    "viewpoints", lambda number, seed: draw_command(Random(f"{seed}/{number}")), find_faults, 1000, write=" ".join
)
