"""The same combat in other ways: by the command line with all answers at once, and at the table, answer by answer."""

from __future__ import annotations

import tempfile
from pathlib import Path

from click.testing import CliRunner

import assistant
from assistant.faces.cli.main import cli
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position

from .worlds import World


def asking(world: World) -> str:
    """The position with its question."""
    given = {
        name.rstrip("_").replace("_", "-"): ",".join(value) if isinstance(value, list) else value
        for name, value in world.asked.items()
    }
    words = " ".join(f"{name}={value}" for name, value in {"at": world.at, **given}.items())
    return f"{world.text}ask battle {words}\n"


def by_command(world: World, dice: dict[str, str]) -> Position:
    """The position after the combat as `battle --after` writes it."""
    with tempfile.TemporaryDirectory() as name:
        file, out = Path(name, "one.pos"), Path(name, "after.pos")
        file.write_text(asking(world), "utf-8")
        answers = " ".join(f"{ask}={answer}" for ask, answer in dice.items())
        words = ["battle", str(file), "--umpire", "--answers", answers, "--after", str(out)]
        done = CliRunner().invoke(cli, words, prog_name="assistant", catch_exceptions=False)
        if done.exit_code:
            raise AssertionError(f"`battle --after` ends with {done.exit_code}: {done.output[-300:]}")
        return assistant.read(out, side="umpire")


def at_the_table(world: World, dice: dict[str, str]) -> Position:
    """The position after the combat at the table, where each roll and choice is typed when it is asked for."""
    session = Session(TableState(assistant.parse(asking(world))), 100)
    said = session.begin()
    for _ in range(len(dice) + 1):
        if session.pending is None:
            break
        if session.pending.name not in dice:
            raise AssertionError(f"the table asks for {session.pending.name}: {said[-3:]}")
        said = session.enter(dice[session.pending.name])
    session.enter("done")
    return session.table.position


def differences(world: World, dice: dict[str, str], after: Position) -> list[str]:
    """The ways that lead elsewhere than the library."""
    expected = facts_of(after)
    found = {"battle --after": by_command(world, dice), "the table": at_the_table(world, dice)}
    return [
        f"{way} differs: {sorted(set(facts_of(position)) ^ set(expected))[:6]}"
        for way, position in found.items()
        if facts_of(position) != expected
    ]


def facts_of(position: Position) -> list[str]:
    """A position as sorted lines of notation, without what is a comment, a question, or a source that it accepts."""
    lines = assistant.notation(position).splitlines()
    return sorted(line for line in lines if line.split(" ")[0] not in ("#", "ask", "answers", "accept"))
