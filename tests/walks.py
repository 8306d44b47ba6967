"""Which modules an answer leads through, and which pairs of modules call each other both ways.

`python -m tests.walks` counts the modules from the question asked to its report, and fails where two modules call each other both ways
without standing in HANDED_OVER.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any, NamedTuple

import assistant
from assistant.asking import question as questions

ROOT = Path(__file__).parent.parent
PROGRAM = {str(ROOT / folder): name for folder, name in (("assistant", "assistant"), ("plugins", ""))}
AUGUST = "plugins/twilight_in_the_east/setups/19-august-1914.pos"


class Way(NamedTuple):
    """A question about a position."""

    file: str
    question: str
    parameters: Mapping[str, str]


WAYS = (
    Way("plugins/twilight_in_the_east/examples/battle.pos", "battle", {}),
    Way(AUGUST, "supply", {"unit": "4/6"}),
    Way(AUGUST, "supply", {"side": "russian"}),
)

HANDED_OVER = {
    (
        "assistant.mechanics.crossings",
        "assistant.rules.field.lines",
    ): "the crossings price a way by the callable that they were given",
    ("assistant.mechanics.tracing", "assistant.rules.field.units"): "the search asks the field where a zone stops it",
    ("assistant.rules.field.units", "twilight_in_the_east.ground.hexsides"): "the field asks the game's rule of zones",
    ("assistant.game.boards.board", "assistant.mechanics.crossings"): "the crossings read the board's neighbours",
    ("assistant.asking.view", "assistant.game.boards.board"): "the board asks which sources the view accepts",
    (
        "assistant.mechanics.tracing",
        "twilight_in_the_east.combat.retreat_ground",
    ): "the search asks the retreat's ground for neighbours",
    (
        "assistant.mechanics.crossings",
        "twilight_in_the_east.supply.ground",
    ): "the crossings ask the board of a side what lies in its hexes and on their hexsides",
    ("assistant.asking.view", "assistant.state.tracks"): "the reader's words are read through the view",
}
"""Pairs of modules that call each other because one was handed a callable, an iterator or a mapping of the other: why."""


class Walk:
    """The modules that one answer enters, in order, and the calls between them."""

    def __init__(self) -> None:
        self.modules: dict[str, None] = {}
        self.calls: dict[tuple[str, str], set[str]] = {}
        self._names: dict[CodeType, str] = {}

    def __enter__(self) -> None:
        sys.setprofile(self._note)

    def __exit__(self, *_raised: object) -> None:
        sys.setprofile(None)

    def both_ways(self) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
        """Pairs of modules that call each other, each with the functions that it calls of the other."""
        return {
            pair: (sorted(self.calls[pair]), sorted(self.calls[pair[::-1]]))
            for pair in sorted(self.calls)
            if pair < pair[::-1] and pair[::-1] in self.calls
        }

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or not (module := self._module(frame.f_code)):
            return
        if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return  # a module or a class that is being imported
        self.modules[module] = None
        caller = frame.f_back
        while caller is not None and not self._module(caller.f_code):
            caller = caller.f_back  # through a library: a sort's key, a cached function
        if caller is None or _handed_over(frame.f_code):
            return
        above = self._module(caller.f_code)
        if above != module:
            self.calls.setdefault((above, module), set()).add(frame.f_code.co_qualname)

    def _module(self, code: CodeType) -> str:
        """The name of a module of the program, "" for another's."""
        if code not in self._names:
            self._names[code] = _module_name(code.co_filename)
        return self._names[code]


def walked(way: Way) -> Walk:
    """The way of one answer, from the question to its report."""
    position, walk, ask = assistant.read(ROOT / way.file), Walk(), questions.answer_question

    def measured(*given: Any) -> Any:
        with walk:
            return ask(*given)

    questions.answer_question = measured
    try:
        assistant.ask(position, way.question, **way.parameters)
    finally:
        questions.answer_question = ask
    return walk


def faults() -> Iterator[str]:
    """Which pairs call each other unlisted; prints how many modules an answer enters."""
    unlisted: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for way in WAYS:
        walk = walked(way)
        name = f"{way.question} of {Path(way.file).name}" + "".join(
            f" {key}={value}" for key, value in way.parameters.items()
        )
        print(f"{name}: {len(walk.modules)} modules")
        unlisted |= {pair: calls for pair, calls in walk.both_ways().items() if pair not in HANDED_OVER}
    for (above, below), (down, up) in unlisted.items():
        yield f"{above} calls {below} ({', '.join(down)}) and is called by it ({', '.join(up)})"


def main() -> None:
    with TemporaryDirectory() as folder:
        os.environ["FIELD_STAFF_DATA"] = folder  # with a pack of charts an answer leads through other modules
        if unlisted := list(faults()):
            sys.exit("\n".join(unlisted))


def _module_name(file: str) -> str:
    for folder, package in PROGRAM.items():
        if file.startswith(f"{folder}/"):
            parts = [package, *Path(file).relative_to(folder).with_suffix("").parts]
            return ".".join(part for part in parts if part and part != "__init__")
    return ""


def _handed_over(code: CodeType) -> bool:
    """Whether this is a callable or an iterator that was made and handed over: a nested function, a generator that runs on."""
    return "<" in code.co_qualname or bool(code.co_flags & inspect.CO_GENERATOR)


if __name__ == "__main__":
    main()
