"""Answers of a chapter to random positions, full and partial, compared with those of an earlier state of the program.

Each chapter is a file of templates (`chapters`, and `tests.making.chance` for their form). What the program answered to its first
cases is in `kept`, so that a change to the chapter shows which answers it changes; with another checkout any number of cases is compared.
"""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import msgspec

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ..comparing.ways import Answer, plain
from ..conftest import GAME, answered, typed
from ..making.chance import Names, fill_in
from ..making.corners import Corner, draw_corner
from ..making.spoiling import spoil
from .networks import draw_network, know_sample_board

HERE = Path(__file__).parent
KEPT = 500
"""The number of cases of a chapter with kept answers."""
SEED = 1914


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cases of one kind."""

    text: str
    """A template of the position with its question. A line that begins with `!` is always whole."""
    often: int = 1
    added: Sequence[str] = ()
    """Templates of lines, up to two of which may be added."""
    corner: str = ""
    """The name of the corner that the text names."""
    names: Mapping[str, str | Sequence[str]] = {}
    """What the text and the lines may name besides."""
    is_network: bool = False
    """Whether it is a random network with a question about its supply, as the text asks it."""
    moves: bool = False
    """Whether units move, so that something may follow from the answer."""


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules with its cases."""

    kind: Sequence[Kind]
    names: Mapping[str, str | Sequence[str]] = {}
    """What all templates of the chapter may name."""
    corner: Mapping[str, Corner] = {}


@cache
def read_chapters() -> dict[str, Chapter]:
    """Return the chapters by name."""
    files = sorted((HERE / "chapters").glob("*.toml"))
    return {file.stem: msgspec.convert(tomllib.loads(file.read_text("utf-8")), Chapter) for file in files}


def draw(chapter: Chapter, random: Random, *, spoiled: bool = True, moves: bool = False) -> str:
    """Make up a case: a position in notation that asks a question.

    `spoiled`: whether facts are left out and lines added. `moves`: whether only questions are asked by which units move.
    """
    kinds = [kind for kind in chapter.kind if kind.moves or not moves]
    kind = random.choices(kinds, [kind.often for kind in kinds])[0]
    names: Names = {**chapter.names, **kind.names}
    if kind.corner:
        names |= draw_corner(random, chapter.corner[kind.corner])
    if kind.is_network:
        names |= draw_network(random)
    text = fill_in(kind.text, random, names)
    head = "" if text.startswith("game ") else f"game {GAME}\n"
    if spoiled:
        return head + spoil(text, random, [fill_in(line, random, names) for line in kind.added])
    return head + "".join(f"{line.removeprefix('!')}\n" for line in text.splitlines())


def cases(name: str, count: int, seed: int = SEED) -> Iterator[str]:
    """Yield the first cases of a chapter, each drawn by a generator of its own, so that a case is known by its seed and number."""
    know_sample_board()
    for number in range(count):
        yield draw(read_chapters()[name], Random(f"{seed}/{number}"))


def answer(case: str) -> Answer:
    """Return what the program answers to a case, as plain values."""
    try:
        report: Report[object] | str = answered(typed(case))
    except InputError as error:
        report = str(error)
    return plain(report)


def sum_up(answer: Answer) -> str:
    """Return an answer in a word, what it asks for, and a checksum of all of it."""
    kind = "error" if "error" in answer else answer["verdict"]["kind"]
    asks = sorted(ask["name"] for ask in answer.get("asks", ()))
    exact = msgspec.json.encode(answer, order="sorted")
    return f"{zlib.crc32(exact):08x} {' '.join([kind, *asks]).splitlines()[0][:100]}"


def kept(chapter: str) -> Path:
    """Return the file of a chapter's kept answers."""
    return HERE / "kept" / f"{chapter}.txt"
