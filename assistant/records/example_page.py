"""A page of a game's worked examples in Markdown, with their pictures."""

from __future__ import annotations

from collections.abc import Iterator

from ..game.examples import OURS, Example, read_examples
from ..game.games import Game
from ..util.errors import InputError, MachineError
from .examples import FigureResult, StepResult, draw_example, judge_example, play_example

PAGE = "examples.md"
"""The name of the page's file."""


def draw_examples(game: Game) -> dict[str, bytes]:
    """Return the page's Markdown file, and an SVG for each answer that can be drawn, by file name.

    Raises InputError if the examples cannot be read, and MachineError if a file of the program cannot be read.
    """
    examples = read_examples(game)
    lines = [f"# Worked examples: {game.title}", ""]
    pictures = dict[str, bytes]()
    for example in examples.example:
        drawn = _draw_answers(game, example)
        lines += _format_example(game, examples.prefix, example, drawn)
        pictures |= drawn
    return {PAGE: "\n".join(lines).encode() + b"\n", **pictures}


def _draw_answers(game: Game, example: Example) -> dict[str, bytes]:
    drawn = dict[str, bytes]()
    try:
        for number, (_, answer) in enumerate(play_example(game, example)):
            if answer.report and (data := draw_example(answer.position, answer.report)):
                drawn[_name_picture(example, number)] = data
    except MachineError:
        raise
    except InputError:  # `_format_example` reports the error on the page
        pass
    return drawn


def _name_picture(example: Example, step: int) -> str:
    return f"{example.number.replace('/', '-')}-{step + 1}.svg"


def _format_example(game: Game, prefix: str, example: Example, drawn: dict[str, bytes]) -> Iterator[str]:
    result = judge_example(game, prefix, example)
    yield from (f"## {result.number}: {example.title}", "", f"Rule {example.rule}.", "")
    yield from ("```text", example.position.strip("\n"), "```", "")
    for number, step in enumerate(result.steps):
        if step.lines:
            yield from ("```text", step.lines, "```", "")
        answers = f" | {step.answers}" if step.answers else ""
        yield from (f"`{step.ask}{answers}`", "")
        yield from _format_figures(step)
        yield from (*(f"- {reason}" for reason in step.reasons), "")
        if (name := _name_picture(example, number)) in drawn:
            yield from (f"![{example.title}]({name})", "")
    if result.error:
        yield from (f"Unusable: {result.error}", "")


def _format_figures(step: StepResult) -> Iterator[str]:
    yield from ("| figure | expected | printed in |", "| --- | --- | --- |")
    for figure in step.figures:
        printed = "not printed; worked out here" if figure.printed == OURS else figure.printed
        yield f"| `{figure.path}` | {_format_values(figure)} | {printed} |"
    yield ""


def _format_values(figure: FigureResult) -> str:
    expected = ", ".join(figure.expected) or "nothing"
    text = expected if figure.agrees else f"{expected}; the program: {figure.why or ', '.join(figure.got) or 'nothing'}"
    return text.replace("|", "&#124;")
