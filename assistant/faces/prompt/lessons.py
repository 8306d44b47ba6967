"""Lessons at the prompt: a position, a decision, the learner's guess, and the answer with its reasoning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...asking.report import PHONE_COLUMNS, Report
from ...asking.wrapping import wrap_text
from ...formats.positions import Position
from ...game.examples import OURS, Example, read_examples
from ...game.games import Game
from ...game.rule_index import title_of_chapter
from ...records.lessons import Decision, LessonStep, Marked, mark_guess, parse_guess, play_lesson
from ...service import text_map
from ...util.console import format_count
from ...util.errors import InputError, MachineError
from .answer_text import format_refusal

PROMPT = "> "
QUIT = ("q", "quit", "exit")
SHOW = ("?", "show")
"""The words that show an answer without a guess."""
WORDS = "words"
"""The word that explains the words and signs of the positions."""


class LessonSession:
    """A session of lessons that answers typed lines.

    `on_finished`: a function called with the number of each finished lesson.
    """

    def __init__(
        self,
        game: Game,
        lessons: Sequence[Example],
        width: int,
        on_finished: Callable[[str], None] = lambda number: None,
    ) -> None:
        self.game = game
        self.lessons = lessons
        self.width = width
        self.is_over = not lessons
        self._on_finished = on_finished
        self._begun = 0
        self._lesson: Example | None = None
        self._steps: Iterator[LessonStep] = iter(())
        self._step: LessonStep | None = None
        self._open: list[Decision] = []

    def begin(self) -> list[str]:
        """Return the beginning of the first lesson, preceded by a line about `words` if the game explains any."""
        hint = [f"`{WORDS}` explains what stands in the positions."] if read_examples(self.game).words else []
        return [*hint, *self._begin_lesson()]

    def enter(self, line: str) -> list[str]:
        """Return the response to a typed line: a guess, or Enter to continue once no decision is left."""
        word = line.strip().casefold()
        if word in QUIT:
            self.is_over = True
            return ["`learn` goes on here next time."]
        if word == WORDS:
            return self._explain_words()
        if not self._open:
            return self._go_on()
        decision = self._open[0]
        if word in SHOW:
            return [*self._format_right(decision), *self._close_decision()]
        guess = parse_guess(line, decision)
        if guess is None:
            return [*wrap_text(f"{describe_form(decision)}; ? shows the answer, q ends.", self.width, "! ", typed=True)]
        return [*self._format_marked(decision, mark_guess(decision, guess)), *self._close_decision()]

    def _explain_words(self) -> list[str]:
        explained = read_examples(self.game).words.items()
        lines = [
            line
            for word, meaning in explained
            for line in wrap_text(f"{word}: {meaning}", self.width, "- ", typed=True)
        ]
        return lines or [f"{self.game.title} explains no words."]

    def _go_on(self) -> list[str]:
        """Return the next step of the lesson, or the beginning of the next lesson."""
        if self._lesson is not None:
            if lines := self._begin_step():
                return lines
            self._on_finished(self._lesson.number)
        return self._begin_lesson()

    def _begin_lesson(self) -> list[str]:
        if self._begun >= len(self.lessons):
            self.is_over = True
            return ["That was the last lesson."]
        self._lesson = self.lessons[self._begun]
        self._begun += 1
        heading = f"Lesson {self._begun} of {len(self.lessons)}, rule {self._lesson.rule}: {self._lesson.title}"
        lines = ["", *wrap_text(heading, self.width), ""]
        lines += [f"  {line}" for line in self._lesson.position.strip("\n").splitlines()]
        self._steps = play_lesson(self.game, self._lesson)
        return [*lines, *self._begin_step()]

    def _begin_step(self) -> list[str]:
        """Return the next step of the lesson, or no lines if there is none."""
        try:
            self._step = next(self._steps, None)
        except MachineError:
            raise
        except InputError as error:
            self._lesson = None
            return [*format_refusal(error, self.width), "Enter: the next lesson"]
        if self._step is None:
            return []
        lines = [f"  {line}" for line in self._step.step.lines.strip("\n").splitlines()]
        lines += ["", *wrap_text(f"asked: {self._step.step.ask}", self.width, typed=True)]
        if self._step.step.answers:
            lines += wrap_text(f"dice and choices: {self._step.step.answers}", self.width, typed=True)
        self._open = [*self._step.decisions]
        return [*lines, *(self._format_question() if self._open else self._format_answer())]

    def _close_decision(self) -> list[str]:
        self._open.pop(0)
        return self._format_question() if self._open else self._format_answer()

    def _format_question(self) -> list[str]:
        decision = self._open[0]
        lines = ["", *wrap_text(decision.question, self.width)]
        if decision.kind in ("word", "words"):
            lines += [f"  {chr(ord('a') + place)}) {offer}" for place, offer in enumerate(decision.offers)]
        return lines

    def _format_right(self, decision: Decision) -> list[str]:
        return wrap_text(f"Right: {', '.join(decision.right) or 'none'}{_format_source(decision)}", self.width)

    def _format_marked(self, decision: Decision, marked: Marked) -> list[str]:
        if marked.is_right:
            return wrap_text(f"Yes: {', '.join(decision.right) or 'none'}{_format_source(decision)}", self.width)
        if not marked.right:
            return [*wrap_text(f"No. {self._format_right(decision)[0]}", self.width)]
        parts = [f"right: {', '.join(marked.right)}"]
        parts += [f"wrong: {', '.join(marked.wrong)}"] * bool(marked.wrong)
        parts += [f"missed: {', '.join(marked.missed)}"] * bool(marked.missed)
        return wrap_text(f"Partly. {'; '.join(parts)}{_format_source(decision)}", self.width)

    def _format_answer(self) -> list[str]:
        step = self._step
        if step is None:
            return []
        lines = [""]
        if step.report is None:
            lines += wrap_text(step.refused, self.width, "= ")
        else:
            lines += wrap_text(step.report.headline, self.width, "= ")
            lines += self._format_map(step.position, step.report)
        lines += ["", *(line for reason in step.step.reasons for line in wrap_text(reason, self.width, "- "))]
        return [*lines, "", "Enter: go on; q: end"]

    def _format_map(self, position: Position, report: Report[Any]) -> list[str]:
        """Return an empty line and the map of an answer, or no lines if no map can be drawn or the screen is narrow."""
        if self.width <= PHONE_COLUMNS:
            return []
        try:
            rows = text_map(position, report, self.width)
        except MachineError:
            raise
        except InputError:  # not every question draws its answer
            return []
        return ["", *("".join(run.text for run in row).rstrip() for row in rows)]


def _format_source(decision: Decision) -> str:
    return "" if decision.printed == OURS else f" [{decision.printed}]"


def describe_form(decision: Decision) -> str:
    """Return the form of the lines that can be typed for a decision, in words."""
    match decision.kind:
        case "word":
            last = chr(ord("a") + len(decision.offers) - 1)
            return f"type one of the choices, or its letter, a to {last}"
        case "words":
            return "type choices or their letters, with commas between them, or none"
        case "hexes":
            return f"type hexes, such as {decision.offers[0]}, with commas between them, or none"
        case _:
            return f"type units, such as {decision.offers[0]}, with commas between them, or none"


def order_lessons(lessons: Sequence[Example], finished: Sequence[str]) -> tuple[Example, ...]:
    """Return the lessons from the first unfinished one, or all lessons if each is finished."""
    first = next((place for place, lesson in enumerate(lessons) if lesson.number not in finished), 0)
    return tuple(lessons[first:])


def format_list(lessons: Sequence[Example], finished: Sequence[str], chapters: Mapping[str, str]) -> Iterator[str]:
    """Yield each chapter with its lessons, an x before each finished one, then a line with their numbers.

    `chapters`: the titles of the game's chapters.
    """
    chapter = ""
    for lesson in lessons:
        if (title := title_of_chapter(lesson.rule, chapters)) != chapter:
            chapter = title
            yield title
        yield f"{'x' if lesson.number in finished else ' '} {lesson.number}: {lesson.title}"
    count = sum(lesson.number in finished for lesson in lessons)
    yield f"{format_count(len(lessons), 'lesson')}, {count} finished"
