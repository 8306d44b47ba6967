"""The story of a game as text: 100 columns wide for a terminal or a mail, or as plain lines for a forum."""

from __future__ import annotations

from collections.abc import Iterator

from ...asking.report import UNLIMITED, format_viewpoint
from ...asking.wrapping import wrap_text
from ...util.errors import plain
from .sentences import Sentence
from .story import Story, Telling, format_tally

WIDTH = 100
"""The width of a story, in characters."""
NOTHING = "Nothing is recorded."
"""The text of turns about which the record shows nothing."""


def format_story(story: Story) -> str:
    """Return the story as text, 100 columns wide."""
    lines = list[str]()
    for line, mark in _format_story(story):
        if line:
            lines += wrap_text(line, WIDTH, mark)
        else:
            lines.append("")
    return "\n".join(lines) + "\n"


def format_forum(story: Story) -> str:
    """Return the story as plain lines for a forum, a paragraph each."""
    return "\n".join(mark + line for line, mark in _format_story(story)) + "\n"


def _format_story(story: Story) -> Iterator[tuple[str, str]]:
    viewpoint, title = story.record.viewpoint
    seen = format_viewpoint(viewpoint, title, story.game.id)
    if viewpoint == UNLIMITED and seen:
        yield seen, ""
        yield "", ""
    yield f"{story.title}: the story of {plain(story.file)}", ""
    for line in filter(None, (story.span, story.rests_on)):
        yield line, ""
    for telling in story.tellings:
        yield "", ""
        yield f"{heading(telling)}{_format_bookmark(story, telling)}", "== "
        yield from _format_telling(telling)
    if summary := [*_format_summary(story)]:
        yield "", ""
        yield "In all", "== "
        for line in summary:
            yield line, "- "
    if viewpoint != UNLIMITED and seen:
        yield "", ""
        yield seen, ""


def heading(telling: Telling) -> str:
    """Return the title of a turn with its date, if known."""
    return ", ".join(filter(None, (telling.title, telling.date)))


def _format_telling(telling: Telling) -> Iterator[tuple[str, str]]:
    if not telling.phases:
        yield NOTHING, ""
    for phase in telling.phases:
        if phase.title:
            yield phase.title, ""
        for sentence in phase.sentences:
            yield format_sentence(sentence), "- "


def format_sentence(sentence: Sentence) -> str:
    """Return a sentence with its head as plain text."""
    return ": ".join(filter(None, (sentence.head, sentence.text)))


def _format_bookmark(story: Story, telling: Telling) -> str:
    begins = story.bookmarks.get(telling.chapters[0].label)
    return "" if begins is None else f" ({format_place(story, begins)})"


def format_place(story: Story, turn: int) -> str:
    """Return a text for a place in the record: `after step 3`, `from entry 12 on`."""
    if story.record.is_log and not turn:
        return "from the beginning"
    return f"after {story.unit} {turn}" if story.record.is_log else f"from {story.unit} {turn} on"


def _format_summary(story: Story) -> Iterator[str]:
    for side, tally in story.tallies.items():
        if words := format_tally(tally):
            yield f"{story.game.file.title_of(side)}: {words}."
