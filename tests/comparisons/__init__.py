"""Answers of a chapter to random positions, full and partial, compared with those of an earlier state of the program.

Each module here is a chapter: its `draw` makes up a case of a random generator. What the program answered to the first cases is kept beside it,
so that a change to the chapter shows which answers it changes; with another checkout any number of cases is compared.
"""

from __future__ import annotations

import importlib
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ..conftest import answered, typed

HERE = Path(__file__).parent
KEPT = 500
"""How many cases of a chapter have kept answers."""
SEED = 1914


Given = dict[str, Any]
"""A question's parameters, by the names that players type."""


class Case(NamedTuple):
    """A question about a made-up position."""

    question: str
    position: str
    """In notation, without the line that names the game."""
    given: Given


_WORD = re.compile(r'(?:[^ "]|"[^"]*")+')
Draw = Callable[[random.Random], Case]


def chapters() -> dict[str, Draw]:
    """Return what draws the cases of each chapter, by its name."""
    names = sorted(file.stem for file in HERE.glob("*.py") if not file.stem.startswith(("_", "test_")))
    return {name: importlib.import_module(f"{__package__}.{name}").draw for name in names}


def cases(draw: Draw, count: int, seed: int = SEED) -> Iterator[Case]:
    """Yield so many cases, each drawn by a generator of its own, so that a case is known by its seed and number."""
    for number in range(count):
        yield draw(random.Random(f"{seed}/{number}"))


def some(chance: random.Random, odds: Mapping[str, tuple[float, object]]) -> Given:
    """Return some parameters: each with how often it is given, and a value or a list to choose of."""
    given = Given()
    for name, (often, value) in odds.items():
        if chance.random() < often:
            given[name] = chance.choice(value) if isinstance(value, list) else value
    return given


def spoil(text: str, chance: random.Random, more: list[str]) -> str:
    """Return a position with some of its words left out, and some lines of others added at its end.

    What names a place, a unit, a line or a setting stays.
    """
    drop = chance.choice([0, 0, 0.05, 0.15, 0.3])
    lines = list[str]()
    for line in text.splitlines():
        words = _WORD.findall(line) or [""]
        head = 2 if words[0] in ("side", "nation", "army") else int(len(words) > 1)
        if words[0] in ("line", "answers", "ruling") or drop == 0:
            lines.append(line)
            continue
        if words[0].endswith(":"):
            head = len(words) - sum("=" in word for word in words)
        left = [word for word in words[head:] if chance.random() > drop]
        if left or not head or words[0].endswith(":"):
            lines.append(" ".join([*words[:head], *left]))
    lines += chance.sample(more, min(len(more), chance.choice([0, 0, 1, 2])))
    return "\n".join(lines) + "\n"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the program answers to a case."""

    error: str = ""
    kind: str = ""
    verdict: str = ""
    asks: list[str] = []
    parts: list[Any] = []
    changes: list[str] = []
    result: Any = None
    cautions: list[str] = []

    def __str__(self) -> str:
        """The answer in a word, what it asks for, and a checksum of all of it."""
        kind = self.kind or "error"
        return f"{zlib.crc32(msgspec.json.encode(self)):08x} {' '.join([kind, *self.asks]).splitlines()[0][:100]}"


def answer(case: Case) -> Answer:
    """Return what the program answers."""
    try:
        report: Report[Any] = answered(typed(case.position), case.question, **case.given)
    except InputError as error:
        return Answer(error=str(error))
    return Answer(
        kind=report.verdict.kind,
        verdict=report.verdict.text,
        asks=sorted(ask.name for ask in report.asks),
        parts=[[part.title, [[step.rule, step.text] for step in part.steps]] for part in report.parts],
        changes=[str(change) for change in report.changes],
        result=json.loads(msgspec.json.encode(report.result, enc_hook=str)),
        cautions=[step.text for step in report.cautions],
    )


def kept(chapter: str) -> Path:
    """Return the file of a chapter's kept answers."""
    return HERE / "kept" / f"{chapter}.txt"
