"""The messages about lessons."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....records.lessons import Decision
from ....util.notes import note
from .table import PartShown


class LessonListed(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson in the list."""

    number: str
    rule: str
    title: str


class ChapterListed(msgspec.Struct, frozen=True, kw_only=True):
    """The lessons of a chapter of the rules, in order."""

    title: str
    lessons: tuple[LessonListed, ...]


class LessonsListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="lessons"):
    """The lessons of a game by chapter."""

    game: str
    title: str
    chapters: tuple[ChapterListed, ...]


class LessonStepShown(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson; the page shows the answer after the step's decisions."""

    asked: Annotated[str, note("the question with its parameters, as it is typed")]
    before: Annotated[str, note("the picture of the position as SVG, or empty if it cannot be drawn")]
    places: Annotated[
        dict[str, tuple[float, float]],
        note("the centres of its hexes, as shares of its width and height; empty if no hexes are chosen"),
    ]
    stands: Annotated[tuple[str, ...], note("the position in notation, a line each")]
    decisions: tuple[Decision, ...]
    headline: Annotated[str, note("the answer in a sentence, or why the question is refused")]
    after: Annotated[str, note("the picture of the answer as SVG, or empty if there is none")]
    parts: Annotated[tuple[PartShown, ...], note("the working of the answer")]
    reasons: tuple[str, ...]


class LessonShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="lesson"):
    """A lesson with all its steps."""

    game: str
    number: str
    rule: str
    title: str
    words: Annotated[dict[str, str], note("what words and signs of its positions mean")]
    steps: tuple[LessonStepShown, ...]
