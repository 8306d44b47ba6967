"""What a language model is told of a pair of positions: every tool of the MCP server, with the eyes of one side."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from assistant.faces.mcp.access import Access, check_roots
from assistant.faces.mcp.tools import Reply, answer

from .telling import Pair, _commands, pair
from .worlds import BESIDE, GAME, OURS, SECOND, TARGET

Call = tuple[str, dict[str, Any]]
_FORMS = {"--json", "--narrow", "--forum", "--map", "--whole"}
_WRITES = {"--picture", "--chart", "--after"}
_NO_TOOL = {"answer", "compare", "explain", "luck", "convert", "link", "pack", "table"}


class Difference(NamedTuple):
    """A call that told a side something else of the other position of a pair."""

    number: int
    call: Call
    told: tuple[Reply, Reply]


def differences(numbers: range, seed: int, folder: Path) -> tuple[list[Difference], int]:
    """The calls that tell the two positions of a pair apart, and how many calls were made of both."""
    different, count = [], 0
    for number in numbers:
        both = pair(number, seed, posed=True)
        for call in calls(both, Random(f"calls {seed} {number}")):
            told = (told_of(both, 0, call, folder), told_of(both, 1, call, folder))
            count += 1
            if told[0] != told[1]:
                different.append(Difference(number, call, told))
    return different, count


def calls(both: Pair, random: Random) -> list[Call]:
    """Some calls of every tool that takes a position, with lines that name what may be hidden."""
    asked = list(filter(None, (_as_call(words, both.ending) for words in _commands(random, both.known))))
    name = f"mail{both.ending}"
    hidden = random.choice([*both.known.free, *both.known.tops.values()])
    place = random.choice([TARGET, SECOND, OURS, BESIDE])
    lines = random.choice(
        [f'"{hidden}" -1', f'{place}: "{hidden}"', f"{place} unseen={both.known.enemy}", "turn=2", f"{place} nonsense"]
    )
    return [
        ("list_games", {}),
        ("check_position", {"position": name, "lines": lines}),
        ("ask", {"position": name, "lines": lines}),
        ("compare_positions", {"before": f"first{both.ending}", "after": name}),
        ("look_up", {"game": GAME.id, "word": hidden}),
        *random.sample(asked, 4),
    ]


class Wanted(NamedTuple):
    """What a command asks. question: "" for one that checks the position; accepted: sources of facts that are taken."""

    question: str
    parameters: dict[str, str]
    answers: dict[str, str]
    accepted: tuple[str, ...]


def asked_by(words: tuple[str, ...]) -> Wanted | None:
    """What a command asks; None for one that does something else."""
    command, *rest = words
    if command in _NO_TOOL or "-" in words:
        return None
    question = rest.pop(0) if command == "ask" else "" if command == "check" else command
    options, accepted = dict[str, str](), set[str]()
    left: Iterator[str] = iter(word for word in rest if word not in ("FILE", "FIRST"))
    for word in left:
        if word == "--reconstruction":
            accepted.add("reconstruction")
        elif word == "--accept":
            accepted.add(next(left))
        elif word in _WRITES:
            next(left)
        elif word not in _FORMS:
            options[word.removeprefix("--")] = next(left)
    answers = dict(word.split("=") for word in options.pop("answers", "").split())
    return Wanted(question, options, answers, tuple(sorted(accepted)))


def _as_call(words: tuple[str, ...], ending: str) -> Call | None:
    """The call of a tool that asks what a command asks; None for a command that no tool does."""
    if (wanted := asked_by(words)) is None:
        return None
    given: dict[str, Any] = {"position": f"mail{ending}"}
    if wanted.accepted:
        given["lines"] = f"accept {' '.join(wanted.accepted)}"
    if not wanted.question:
        return "check_position", given
    if wanted.answers:
        given["answers"] = wanted.answers
    return "ask", {**given, "question": wanted.question, "parameters": wanted.parameters}


def told_of(both: Pair, which: int, call: Call, folder: Path) -> Reply:
    """What the side is told of one of a pair."""
    roots = written(both, which, folder)
    side: Mapping[str, Any] = {"settings": {GAME.id: both.known.side}} if both.settings else {"side": both.known.side}
    with patch.dict(os.environ, both.limits):
        return answer(Access(check_roots(tuple(roots)), **side), *call)


def written(both: Pair, which: int, folder: Path) -> list[Path]:
    """The files of one of a pair, alone in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = {folder / f"mail{both.ending}": both.files[which], folder / f"first{both.ending}": both.files[0]}
    for file, data in files.items():
        file.write_bytes(data)
    return [*files]


def spoken(both: Pair, which: int, asked: list[Call], folder: Path) -> tuple[str, str]:
    """All that a server says for a side about one of a pair, on standard output and standard error."""
    files = [str(file) for file in written(both, which, folder)]
    begun = [sys.executable, "-m", "assistant", "mcp", *files, "--as", both.known.side]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    said = ""
    with subprocess.Popen(begun, text=True, env=os.environ | both.limits, **pipes) as server:  # type: ignore[call-overload]
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        requests = [
            ("initialize", hello),
            *(("tools/call", {"name": name, "arguments": given}) for name, given in asked),
        ]
        for number, (method, given) in enumerate(requests):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
            server.stdin.write(json.dumps(message) + "\n")
            if method == "initialize":
                server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
            server.stdin.flush()
            said += server.stdout.readline()
        out, err = server.communicate(timeout=20)
    return said + out, err
