"""The command `learn`: a game's worked examples as lessons, one decision after the other."""

from __future__ import annotations

import sys

import click

from ...game.examples import find_examples
from ...installed.registry import published_game
from ...records.lesson_progress import read_progress, save_finished
from ...records.lessons import list_lessons
from ...util.console import MAX_COLUMNS, echo, screen_width
from ...util.errors import InputError
from ...util.files import read_typed_lines
from ..prompt.lessons import PROMPT, LessonSession, format_list, order_lessons
from .group import UNUSABLE_EXIT_CODE, GameCommand


@click.command("learn", cls=GameCommand)
@click.argument("game")
@click.argument("chapter", default="")
@click.option("--list", "only_list", is_flag=True, help="The lessons, with an x before those that you have finished.")
@click.option("--again", is_flag=True, help="From the first lesson, not from where you left.")
def learn(game: str, chapter: str, *, only_list: bool, again: bool) -> None:
    """Learn a GAME by its worked examples, or one CHAPTER of its rules (11), or one lesson (11.4/1).

    Each lesson shows a position and asks for a decision. Type your guess, and the answer follows with its reasoning and
    its rules. The next time it goes on where you left.
    """
    published = published_game(game)
    lessons = list_lessons(find_examples(published, chapter))
    if not lessons:
        about = f" on {chapter}" if chapter else ""
        raise InputError(f"{published.title} has no lessons{about}", hint=f"`assistant learn {game} --list`")
    done = read_progress(published.id)
    if only_list:
        for line in format_list(lessons, done, published.file.chapters):
            echo(line)
        return
    first = order_lessons(lessons, () if again else done)
    unsaved = list[str]()

    def save(number: str) -> None:
        try:
            save_finished(published.id, number)
        except InputError as error:
            unsaved.append(number)
            echo(f"! This lesson is not marked as finished: {error}")

    _run(LessonSession(published, first, screen_width(MAX_COLUMNS), save))
    if unsaved:
        sys.exit(UNUSABLE_EXIT_CODE)


def _run(session: LessonSession) -> None:
    for line in session.begin():
        echo(line)
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    _prompt()
    for line in read_typed_lines():
        if not is_terminal:
            echo(line.rstrip())
        for answer in session.enter(line):
            echo(answer)
        if session.is_over:
            return
        _prompt()
    echo()


def _prompt() -> None:
    echo(PROMPT, nl=False)
    sys.stdout.flush()
