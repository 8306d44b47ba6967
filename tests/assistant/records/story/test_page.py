"""The page of a story: it needs nothing else, may do nothing, and says only what the text says."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from html import unescape
from pathlib import Path

from lxml import html

from assistant.records.story.page import to_page
from assistant.records.story.story import Story
from assistant.records.story.words import format_sentence
from assistant.util.errors import printable

from ....cases import thorough
from .test_sentences import AUGUST, in_a_journal, kept, logged


@cache
def page() -> tuple[Story, str]:
    """The page of two turns of the example."""
    story = Story(kept(AUGUST), ["2", "3"])
    return story, to_page(story)


@thorough
def test_each_turn_has_an_anchor_that_the_list_of_turns_leads_to() -> None:
    _, text = page()
    root = html.fromstring(text)
    leads = [link.get("href") for link in root.iter("a")]
    assert leads == ["#turn-2", "#turn-3"]
    assert [section.get("id") for section in root.iter("section")] == ["start", "turn-2", "turn-3"]
    assert [link.text_content() for link in root.iter("a")] == ["GT 2 from entry 1 on", "GT 3 from entry 172 on"]


@thorough
def test_it_says_what_the_text_says() -> None:
    story, text = page()
    listed = [" ".join(line.text_content().split()) for line in html.fromstring(text).iter("li")]
    told = [" ".join(format_sentence(sentence).split()) for telling in story.tellings for sentence in telling.sentences]
    assert told and [line for line in listed if line in told] == told


def test_the_maps_are_pictures_in_the_page_each_with_its_words() -> None:
    _, text = page()
    pictures = list(html.fromstring(text).iter("img"))
    assert len(pictures) == 3
    for picture in pictures:
        kind, _, data = picture.get("src").partition(",")
        assert kind == "data:image/png;base64" and b64decode(data).startswith(b"\x89PNG")
        assert picture.get("alt")


HOSTILE = '<script>alert("x")</script>'


def test_what_files_hold_is_escaped(tmp_path: Path) -> None:
    played = in_a_journal(tmp_path, f"ah dm 22 {HOSTILE}", start="", game="der-weltkrieg")
    played.file = f"{HOSTILE}.journal"
    text = to_page(Story(played))
    assert "<script" not in text and HOSTILE in unescape(text)


@thorough
def test_a_unit_with_a_hostile_name_is_escaped() -> None:
    text = to_page(Story(logged('43.25: russian infantry XX "<b>30</b>&quot;"\n')))
    assert "<b>30" not in text and "&lt;b&gt;30&lt;/b&gt;&amp;quot;" in text


def test_long_sentences_are_not_cut() -> None:
    story, text = page()
    longest = max((format_sentence(sentence) for telling in story.tellings for sentence in telling.sentences), key=len)
    assert len(longest) > 600 and printable(longest.partition(": ")[2]) in unescape(text)


def test_books_without_a_map_have_a_page_too(tmp_path: Path) -> None:
    text = to_page(Story(in_a_journal(tmp_path, "ah dm 22 Sabac", "turn next", start="", game="der-weltkrieg")))
    assert "Sabac" in text and "<img" not in text
