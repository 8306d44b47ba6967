"""Lessons at the prompt: what is shown before and after a guess, and what can be typed."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.faces.prompt.lessons import LessonSession, format_list, order_lessons
from assistant.game.examples import Example, Figure
from assistant.installed.registry import published_game

from ...records.test_examples import COLUMN, EXAMPLE, GAME, STEP

COLUMN_ASKED = replace(COLUMN, decide="Which column applies?", choices=("1:2", "1:1"))
WHERE = Figure(path="verdict", values=("40.20", "40.19"), printed="ours", decide="From where?")
LESSON = replace(EXAMPLE, steps=(replace(STEP, figures=(COLUMN_ASKED,)),))
OTHER = replace(LESSON, number="4.4/10", title="Another title")


def begun(*lessons: Example, width: int = 80) -> tuple[LessonSession, list[str], str]:
    """A session, the numbers of the lessons that it finishes, and what it shows first."""
    finished = list[str]()
    session = LessonSession(published_game(GAME), lessons, width, finished.append)
    return session, finished, "\n".join(session.begin())


def enter(session: LessonSession, line: str) -> str:
    return "\n".join(session.enter(line))


def test_the_position_and_the_decision_come_before_the_answer() -> None:
    _, finished, shown = begun(LESSON)
    assert "Lesson 1 of 1, rule 4.4: A title" in shown
    assert "41.19: german infantry III d" in shown
    assert shown.endswith("Which column applies?\n  a) 1:2\n  b) 1:1")
    assert "16 against 11" not in shown
    assert finished == []


def test_a_right_guess_is_followed_by_the_answer_its_map_and_the_reasons() -> None:
    session, _, _ = begun(LESSON)
    shown = enter(session, "b")
    assert shown.startswith("Yes: 1:1 [4.4, example 1]\n\n= A against d at 41.19: column 1:1")
    assert ">41.19<" in shown
    assert "- A reason." in shown


def test_a_wrong_guess_names_the_right_one() -> None:
    session, _, _ = begun(LESSON)
    assert enter(session, "1:2").startswith("No. Right: 1:1 [4.4, example 1]\n")


def test_a_guess_that_is_right_in_part_names_what_is_wrong_and_missed() -> None:
    session, _, _ = begun(replace(LESSON, steps=(replace(STEP, figures=(WHERE,)),)))
    assert enter(session, "40.20, 41.19").startswith("Partly. right: 40.20; wrong: 41.19; missed: 40.19\n")


def test_words_and_signs_are_explained_before_the_guess() -> None:
    session, _, shown = begun(LESSON)
    assert shown.startswith("`words` explains what stands in the positions.\n")
    assert "- XX, X, III: a division, a brigade, a regiment" in enter(session, "words")
    assert enter(session, "b").startswith("Yes: 1:1")


def test_a_line_that_is_no_choice_says_what_can_be_typed() -> None:
    session, _, _ = begun(LESSON)
    assert enter(session, "5:1") == "! type one of the choices, or its letter, a to b; ? shows the answer, q ends."
    assert enter(session, "?").startswith("Right: 1:1")


def test_a_lesson_is_finished_when_its_last_step_has_been_read() -> None:
    session, finished, _ = begun(LESSON, OTHER)
    enter(session, "b")
    assert finished == []
    assert "Lesson 2 of 2, rule 4.4: Another title" in enter(session, "")
    assert finished == ["4.4/9"]
    enter(session, "b")
    assert enter(session, "") == "That was the last lesson."
    assert (finished, session.is_over) == (["4.4/9", "4.4/10"], True)


def test_quitting_leaves_the_lesson_unfinished() -> None:
    session, finished, _ = begun(LESSON)
    assert "next time" in enter(session, "q")
    assert (finished, session.is_over) == ([], True)


def test_a_position_that_cannot_be_read_does_not_end_the_session() -> None:
    session, finished, shown = begun(replace(LESSON, position="99.99 swampy"), OTHER)
    assert "! hex 99.99 is off the map" in shown
    assert "Another title" in enter(session, "")
    assert finished == []


def test_a_narrow_screen_has_no_map() -> None:
    session, _, _ = begun(LESSON, width=40)
    shown = session.enter("b")
    assert all(len(line) <= 40 for line in shown)
    assert ">41.19<" not in "\n".join(shown)


def test_lessons_go_on_at_the_first_unfinished_one() -> None:
    lessons = (LESSON, OTHER)
    assert order_lessons(lessons, ("4.4/9",)) == (OTHER,)
    assert order_lessons(lessons, ("4.4/9", "4.4/10")) == lessons
    assert [*format_list(lessons, ("4.4/9",), {"4": "Units"})] == [
        "4 Units",
        "x 4.4/9: A title",
        "  4.4/10: Another title",
        "2 lessons, 1 finished",
    ]
