"""Words for figures: long lists, and what facts are about."""

from __future__ import annotations

from assistant.questions.wording import fill


def test_a_long_list_names_the_first_and_how_many_more() -> None:
    hexes = ["40.19", "40.20", "40.21", "40.22", "40.23"]
    assert fill("across {hexes:+}", {"hexes": hexes}) == "across 40.19, 40.20, 40.21 and 2 more"
    assert fill("across {hexes:+}", {"hexes": hexes[:4]}) == "across 40.19, 40.20, 40.21, 40.22"
    assert fill("across {hexes}", {"hexes": hexes}) == "across 40.19, 40.20, 40.21, 40.22, 40.23"


def test_words_are_written_with_capitals_where_a_text_asks_for_it() -> None:
    assert fill("{nation:title} units", {"nation": "austro-hungarian"}) == "Austro-Hungarian units"
    assert fill("{nations:title} units", {"nations": ("german", "turkish")}) == "German, Turkish units"
