"""A game's worked examples: the program's answers to their questions, compared with the expected figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ..asking.question import draw_safely
from ..asking.report import Report
from ..asking.view import View
from ..formats.positions import Position
from ..game.examples import FILE, OURS, Example, Step, read_examples
from ..game.games import Game
from ..service import picture
from ..util.errors import InputError, MachineError, Where, ignore, plain
from ..util.notes import note
from .referee.cases import CaseAnswer, compare_values, play
from .referee.files import Case, Exchange, ExpectedValues, Head


class FigureResult(msgspec.Struct, frozen=True):
    """An expected figure, compared with the program's."""

    path: Annotated[str, note("where the values stand in the answer")]
    printed: Annotated[str, note(f'the place in the rulebook that prints them, or "{OURS}"')]
    expected: Annotated[tuple[str, ...], note("the expected values")]
    got: Annotated[tuple[str, ...], note("the values that this program computes")]
    why: Annotated[str, note('the reason why there are no values, or "" if there are')] = ""

    @property
    def agrees(self) -> bool:
        """Whether the program computes the expected values."""
        return not self.why and sorted(self.got) == sorted(self.expected)


class StepResult(msgspec.Struct, frozen=True):
    """The answer to one question of an example."""

    ask: Annotated[str, note("the question with its parameters, as in notation")]
    lines: Annotated[str, note("notation that changes the position before the question")]
    answers: Annotated[str, note("dice and choices, as in notation")]
    carry_out: Annotated[bool, note("whether the next step begins with the position after this answer")]
    figures: Annotated[tuple[FigureResult, ...], note("the figures")]
    reasons: Annotated[tuple[str, ...], note("the reasoning, a sentence for each of its steps")]


class ExampleResult(msgspec.Struct, frozen=True):
    """An example with the program's answers."""

    number: Annotated[str, note("the number, with the prefix of the game: TE-11.4/1")]
    rule: Annotated[str, note("the rule that it illustrates")]
    title: Annotated[str, note("what it shows")]
    result: Annotated[
        Literal["agrees", "differs", "unusable"],
        note("whether all figures are as expected, or why not: the position or a question may be unusable"),
    ]
    position: Annotated[str, note("the position in notation")]
    steps: Annotated[tuple[StepResult, ...], note("the questions, in order, as far as they were answered")]
    error: Annotated[str, note('the reason why it is unusable, or ""')] = ""


def play_example(game: Game, example: Example) -> Iterator[tuple[Step, CaseAnswer]]:
    """Yield each step of an example with its answer.

    A question that cannot be asked ends the example if its answer was to be carried out.

    Raises InputError if the position cannot be read.
    """
    head, case = _make_case(game, example)
    for step, (_, answer) in zip(example.steps, play(head, case, _make_loader(game)), strict=False):
        yield step, answer


def draw_example(position: Position, report: Report[Any]) -> bytes:
    """Return the picture of an answer as SVG, or b"" if there is none.

    Raises MachineError if a file of the program cannot be read.
    """
    try:
        return picture(position, report)
    except MachineError:
        raise
    except InputError:
        return b""


class DrawnPosition(NamedTuple):
    """The picture of a position, and the places of its hexes in it."""

    svg: str
    places: dict[str, tuple[float, float]]
    """The centres of the hexes, as shares of the picture's width and height from its upper left corner."""


def draw_position(position: Position) -> DrawnPosition:
    """Return the picture of a position without a question, empty if no unit is on the map.

    Raises MachineError if a file of the program cannot be read.
    """
    from ..drawing.sketch.scene import standing_scene  # loaded late: the prompt draws nothing
    from ..drawing.svg import to_svg

    try:
        scene = draw_safely(position.game, lambda: standing_scene(View(position.game, position.state)))
    except MachineError:
        raise
    except InputError:
        return DrawnPosition("", {})
    places = {name: (round(x / scene.width, 4), round(y / scene.height, 4)) for name, (x, y) in scene.centres}
    return DrawnPosition(to_svg(scene), places)


def example_faults(game: Game) -> Iterator[InputError]:
    """Yield why examples cannot be read or asked. A figure that differs is no fault here.

    Raises MachineError if a file of the program cannot be read.
    """
    for example in read_examples(game, ignore).example:
        try:
            for _ in play_example(game, example):
                pass
        except MachineError:
            raise
        except InputError as error:
            yield InputError(f"{example.number}: {error.what}", where=Where(FILE), hint=error.hint)


def judge_example(game: Game, prefix: str, example: Example) -> ExampleResult:
    """Return an example with the program's answers.

    `prefix`: the letters before the numbers of the game's examples, such as `TE`.

    Raises MachineError if a file of the program cannot be read.
    """
    head, case = _make_case(game, example)
    steps = list[StepResult]()
    error = ""
    try:
        for step, (exchange, answer) in zip(example.steps, play(head, case, _make_loader(game)), strict=False):
            steps.append(_judge_step(head, case, step, exchange, answer))
    except MachineError:
        raise
    except InputError as raised:
        error = plain(str(raised))
    figures = [figure for step in steps for figure in step.figures]
    agrees = len(steps) == len(example.steps) and all(figure.agrees for figure in figures)
    return ExampleResult(
        number=f"{prefix}-{example.number}",
        rule=example.rule,
        title=example.title,
        result="unusable" if error else "agrees" if agrees else "differs",
        position=head.notation + "\n" + example.position.strip("\n"),
        steps=tuple(steps),
        error=error,
    )


def _judge_step(head: Head, case: Case, step: Step, exchange: Exchange, answer: CaseAnswer) -> StepResult:
    figures = []
    for figure, expected in zip(step.figures, exchange.expected, strict=True):
        alone = msgspec.structs.replace(exchange, expected=(expected,))
        difference = next(compare_values(head, case, alone, answer), None)
        figures.append(
            FigureResult(
                path=figure.path,
                printed=figure.printed,
                expected=figure.values,
                got=difference.got if difference else figure.values,
                why=difference.why if difference else "",
            )
        )
    return StepResult(
        ask=step.ask,
        lines=step.lines.strip("\n"),
        answers=step.answers,
        carry_out=step.carry_out,
        figures=tuple(figures),
        reasons=step.reasons,
    )


def _make_loader(game: Game) -> Callable[[str], Game]:
    return lambda _: game


def _make_case(game: Game, example: Example) -> tuple[Head, Case]:
    """Return an example as a referee's case, whose line numbers are those of the example's notation."""
    exchanges = []
    text = example.position.strip("\n").splitlines()
    first = 1
    for step in example.steps:
        text += step.lines.strip("\n").splitlines()
        text.append(f"ask {step.ask}")
        if step.answers:
            text.append(f"answers {step.answers}")
        line = first + len(text) - 1
        exchanges.append(
            Exchange(
                asked=step.ask,
                line=line,
                carried_out=step.carry_out,
                notation="\n".join(text),
                first=first,
                expected=tuple(ExpectedValues(figure.path, figure.values, line) for figure in step.figures),
            )
        )
        first += len(text)
        text = []
    return Head(f"{FILE}, {example.number}", f"game {game.id}"), Case(example.number, 1, tuple(exchanges))
