"""A game's worked examples: the file `examples.toml`.

An example has a position, questions about it, and the figures that the rulebook prints for their answers. Its number is
stable: `TE-11.4/1` is the first example of rule 11.4 in the game whose prefix is `TE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from ..util.datafiles import read_text, read_toml, resolve_within
from ..util.errors import InputError, OnFault, Where, format_suggestion, plain, stop
from ..util.notes import note
from .games import Game
from .rule_index import is_under

FILE = "examples.toml"
POSITIONS = "examples"
"""The folder of the game's positions that an example may name."""
OURS = "ours"
"""The source of a figure that no rulebook prints: this project worked it out from the rules."""


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Expected values of an answer, and what a learner decides about them."""

    path: Annotated[str, note("where the values stand in the answer: a path as in a referee's file")]
    values: Annotated[tuple[str, ...], note("the values, in any order")]
    printed: Annotated[str, note(f'the place in the rulebook that prints them, or "{OURS}"')]
    decide: Annotated[str, note('the question that a lesson asks about them, or "" if it asks none')] = ""
    choices: Annotated[tuple[str, ...], note("the values that a lesson offers, or none if the learner names them")] = ()


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question about the position, with the figures of its answer."""

    ask: Annotated[str, note("the question with its parameters, as in notation")]
    figures: Annotated[tuple[Figure, ...], note("the expected figures")]
    reasons: Annotated[tuple[str, ...], note("the reasoning, a sentence for each of its steps")]
    lines: Annotated[str, note("notation that changes the position before the question")] = ""
    answers: Annotated[str, note("dice and choices, as in notation: die=6")] = ""
    carry_out: Annotated[bool, note("whether the next step begins with the position after this answer")] = False


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked example."""

    number: Annotated[str, note("the rule that it illustrates, and which example of the rule it is: 11.4/1")]
    title: Annotated[str, note("what it shows")]
    steps: Annotated[tuple[Step, ...], note("the questions, in order")]
    position: Annotated[str, note("the position in notation, without the line `game`")] = ""
    file: Annotated[str, note("a file of `examples/` that has the position, in place of `position`")] = ""

    @property
    def rule(self) -> str:
        """The rule that it illustrates."""
        return self.number.rpartition("/")[0]

    @property
    def is_printed(self) -> bool:
        """Whether the rulebook prints some of its figures."""
        return any(figure.printed != OURS for step in self.steps for figure in step.figures)


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `examples.toml`."""

    prefix: Annotated[str, note("the letters before the numbers of this game's examples: TE")] = ""
    words: Annotated[dict[str, str], note("what words and signs of the positions mean, for lessons")] = {}
    example: Annotated[tuple[Example, ...], note("the examples, in the order of the rulebook's chapters")] = ()


def has_examples(game: Game) -> bool:
    """Return whether a game has a file of worked examples."""
    return resolve_within(game.folder, FILE).is_file()


def read_examples(game: Game, on_fault: OnFault = stop) -> Examples:
    """Return the contents of a game's `examples.toml`, or no examples if it has no such file.

    `on_fault`: takes each mistake in the file; without it the first one is raised as InputError.
    """
    if not has_examples(game):
        return Examples()
    examples = read_toml(resolve_within(game.folder, FILE), Examples, on_fault)
    for fault in _find_faults(examples):
        on_fault(fault)
    return replace(examples, example=tuple(_read_position(game, example, on_fault) for example in examples.example))


def _read_position(game: Game, example: Example, on_fault: OnFault) -> Example:
    """Return an example with the position of its file, if it names one.

    The file's own question is left out.
    """
    if not example.file:
        return example
    name = f"{POSITIONS}/{plain(example.file, 40)}"
    try:
        text = read_text(resolve_within(game.folder, f"{POSITIONS}/{example.file}"), name)
    except InputError as error:
        on_fault(
            InputError(
                f"{example.number}: {name}: {error.what}",
                where=Where(FILE),
                hint=error.hint or f"name a file in {POSITIONS}/",
            )
        )
        return example
    lines = [line for line in text.splitlines() if not line.startswith(("#", "game ", "ask ", "answers "))]
    return replace(example, position="\n".join(lines))


def _find_faults(examples: Examples) -> Iterator[InputError]:
    where = Where(FILE)
    if examples.example and not examples.prefix.isalnum():
        yield InputError("the examples have no prefix", where=where, hint='write: prefix = "TE"')
    numbers = set[str]()
    for example in examples.example:
        if not example.rule or not example.number.rpartition("/")[2].isdecimal():
            hint = "write the rule and the number of the example: 11.4/1"
            yield InputError(f"{plain(example.number, 40)!r} is not a number of an example", where=where, hint=hint)
        if example.number in numbers:
            what = f"{example.number} is the number of two examples"
            yield InputError(what, where=where, hint="give one of them another number")
        numbers.add(example.number)
        if bool(example.position) == bool(example.file):
            hint = "write either position = ... or file = ..."
            yield InputError(f"{example.number} has no position, or two", where=where, hint=hint)
        if not example.steps:
            yield InputError(f"{example.number} asks nothing", where=where, hint="write: [[example.steps]]")
        for step in example.steps:
            yield from _find_step_faults(example, step)


def _find_step_faults(example: Example, step: Step) -> Iterator[InputError]:
    where = Where(FILE)
    if not step.figures:
        what = f"{example.number} expects nothing of {plain(step.ask, 60)!r}"
        yield InputError(what, where=where, hint="write: figures = [{ path = ..., values = ..., printed = ... }]")
    for figure in step.figures:
        named = f"{example.number}, {figure.path}"
        if not figure.printed.strip():
            hint = f'name the place in the rulebook, or write: printed = "{OURS}"'
            yield InputError(
                f"{named}: `printed` does not say where the rulebook prints this figure", where=where, hint=hint
            )
        if figure.choices and not set(figure.values) <= set(figure.choices):
            hint = "add the expected values to `choices`"
            yield InputError(f"{named}: the choices lack an expected value", where=where, hint=hint)
        if figure.choices and not figure.decide:
            yield InputError(f"{named}: choices without a question", where=where, hint="write: decide = ...")


def find_examples(game: Game, named: str = "") -> tuple[Example, ...]:
    """Return the examples of a game, or those of a rule and the rules under it, or the one with a number.

    `named`: a rule such as 11 or 11.4, or a number with or without the prefix: 11.4/1, TE-11.4/1.

    Raises InputError if the file has a mistake, and for a name without an example.
    """
    examples = read_examples(game)
    bare = named.removeprefix(f"{examples.prefix}-")
    found = tuple(
        example for example in examples.example if bare in ("", example.number) or is_under(example.rule, bare)
    )
    if not examples.example:
        raise InputError(f"{game.title} has no worked examples", hint=f"they are in {FILE} of its folder")
    if not found:
        hint = format_suggestion(bare, [example.number for example in examples.example])
        raise InputError(f"{game.title} has no example {plain(named, 40)!r}", hint=hint)
    return found
