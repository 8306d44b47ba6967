"""The lessons of a game as the page shows them."""

from __future__ import annotations

from collections.abc import Iterator

from ...game.examples import Example, find_examples, read_examples
from ...game.games import Game
from ...game.rule_index import title_of_chapter
from ...records.examples import draw_example, draw_position
from ...records.lessons import LessonStep, list_lessons, play_lesson
from ...util.errors import InputError, plain
from .messages.lessons import ChapterListed, LessonListed, LessonShown, LessonsListed, LessonStepShown
from .table_view import show_answer


def list_chapters(game: Game) -> LessonsListed:
    """Return the lessons of a game by chapter.

    Raises InputError if the game's examples cannot be read.
    """
    chapters: dict[str, list[LessonListed]] = {}
    for lesson in list_lessons(read_examples(game).example):
        listed = LessonListed(number=lesson.number, rule=lesson.rule, title=lesson.title)
        chapters.setdefault(title_of_chapter(lesson.rule, game.file.chapters), []).append(listed)
    return LessonsListed(
        game=game.id,
        title=game.title,
        chapters=tuple(ChapterListed(title=chapter, lessons=tuple(lessons)) for chapter, lessons in chapters.items()),
    )


def show_lesson(game: Game, number: str) -> LessonShown:
    """Return a lesson with all its steps.

    Raises InputError if the game has no such lesson, or if it cannot be read.
    """
    lesson = next((example for example in find_examples(game, number) if example.number == number), None)
    if lesson is None:
        raise InputError(f"{plain(number, 40)!r} is not one lesson", hint="give its whole number, such as 11.4/1")
    return LessonShown(
        game=game.id,
        number=lesson.number,
        rule=lesson.rule,
        title=lesson.title,
        words=read_examples(game).words,
        steps=tuple(_show_steps(game, lesson)),
    )


def _show_steps(game: Game, lesson: Example) -> Iterator[LessonStepShown]:
    lines = lesson.position.strip("\n").splitlines()
    for step in play_lesson(game, lesson):
        yield _show_step(step, (*lines, *step.step.lines.strip("\n").splitlines()))
        lines = []


def _show_step(step: LessonStep, lines: tuple[str, ...]) -> LessonStepShown:
    report = step.report
    answers = f" | {step.step.answers}" if step.step.answers else ""
    drawn = draw_position(step.position)
    chooses_hexes = any(decision.kind == "hexes" for decision in step.decisions)
    return LessonStepShown(
        asked=f"{step.step.ask}{answers}",
        before=drawn.svg,
        places=drawn.places if chooses_hexes else {},
        stands=lines,
        decisions=step.decisions,
        headline=report.headline if report else step.refused,
        after=draw_example(step.position, report).decode() if report else "",
        parts=show_answer(step.position, report).parts if report else (),
        reasons=step.step.reasons,
    )
