"""Phrases from docstrings: what is so, its denial, and the thing that is named."""

from __future__ import annotations

import pytest

from assistant.game.proof.phrases import (
    agree,
    deny,
    drop_codes,
    existence,
    is_noun,
    is_plain,
    is_whole,
    noun_of,
    statement_of,
    summary_of,
)


@pytest.mark.parametrize(
    ("statement", "denied"),
    [
        ("it is in Rail Mode", "it is not in Rail Mode"),
        ("the way may leave the map", "the way may not leave the map"),
        ("it has an AP", "it has no AP"),
        ("it has two units in the hex", ""),
        ("the unit has retreated", "the unit has not retreated"),
        ("the hex lies at an edge of the map", "the hex does not lie at an edge of the map"),
        ("there is a bridge", "there is no bridge"),
        ("enemies stand in the hex", "no enemies stand in the hex"),
        ("an enemy unit is adjacent to it", "no enemy unit is adjacent to it"),
        ("it is infantry or cavalry", "it is neither infantry nor cavalry"),
        ("every unit is infantry", ""),
        ("it is a Major or Grand River", ""),
        ("a unit of the stack is fixed", ""),
        ("the unit that leads is fixed", ""),
    ],
)
def test_a_denial_is_the_opposite_or_there_is_none(statement: str, denied: str) -> None:
    assert deny(statement) == denied


@pytest.mark.parametrize(
    ("docstring", "summary", "statement"),
    [
        ("Return whether a hex is late. Rule: 3.3", "whether a hex is late", "a hex is late"),
        (
            "Whether it counts: it has an AP, or needs none.",
            "Whether it counts: it has an AP, or needs none",
            "it counts",
        ),
        ("The bridge is blown.", "The bridge is blown", "the bridge is blown"),
        (
            "Whether it is one unit, which\nmay use roads.\n\nMore.",
            "Whether it is one unit, which may use roads",
            "it is one unit, which may use roads",
        ),
        ("Return whether it goes. far: hexes to it.", "whether it goes", "it goes"),
    ],
)
def test_what_a_docstring_says(docstring: str, summary: str, statement: str) -> None:
    assert (summary_of(docstring), statement_of(docstring, is_fact=True)) == (summary, statement)


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ('the corps of a unit, or "" for an independent one; its army', "the corps of a unit; its army"),
        ("the worth of a unit; raises InputError for an Abteilung", "the worth of a unit"),
        ("what a unit costs, in steps", "what a unit costs, in steps"),
    ],
)
def test_what_a_docstring_says_to_developers_alone_is_left_out(summary: str, said: str) -> None:
    assert drop_codes(summary) == said


def test_a_note_names_a_thing_without_an_article() -> None:
    assert noun_of("hexes that it cuts", is_field=True) == "the hexes that it cuts"
    assert noun_of("as it was stated", is_field=True) == ""


@pytest.mark.parametrize(
    ("noun", "there", "gone"),
    [
        ("the hexes that it cuts", "there are hexes that it cuts", "there are no hexes that it cuts"),
        ("the army", "there is an army", "there is no army"),
        ("the Headquarters", "there is a Headquarters", "there is no Headquarters"),
        ("the hexes near the unit", "there are hexes near the unit", "there are no hexes near the unit"),
    ],
)
def test_existence(noun: str, there: str, gone: str) -> None:
    assert (existence(noun, exists=True), existence(noun, exists=False)) == (there, gone)


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("the losses", "the losses are more than 0"),
        ("2 times the losses", "2 times the losses are more than 0"),
        ("2 times the strength", "2 times the strength is more than 0"),
    ],
)
def test_verbs_agree_with_their_things(noun: str, said: str) -> None:
    assert agree(noun, "is more than 0") == said


@pytest.mark.parametrize(
    ("text", "is_sentence", "is_phrase"),
    [
        ("the unit is in supply", True, True),
        ("what lies on it, or beside it", True, True),
        ("the combat that it was in, if it was", True, False),
        ("unless it is not in supply", True, False),
        ("unless it is in supply", True, True),
        ("a bridge lies there, as far as is stated", True, False),
        ("the ruling on bridges holds", True, False),
        ("the side is the side", True, False),
        ("what an effect may do to a side, or by", False, False),
        ("the unit's hex", True, True),
        ('"" for none', False, False),
        ('the fact "attacked', False, False),
        ("the row of of the country", False, False),
        ("it is in great_river", False, False),
        ("the hex, in order:", False, False),
        ("", False, False),
    ],
)
def test_torn_phrases_and_code_are_told_from_sentences(text: str, is_sentence: bool, is_phrase: bool) -> None:
    assert (is_whole(text), is_plain(text)) == (is_sentence, is_phrase)


@pytest.mark.parametrize(
    ("words", "is_thing"),
    [
        ("the unit", True),
        ("the Victory Points of the side", True),
        ("unit", False),
        ("whether it is late", False),
        ("its hex or box", True),
        ("the hex, or a box", False),
        ("the hexes that they cross", False),
        ("the one that is the nearest of all those hexes", False),
    ],
)
def test_a_noun_has_an_article_and_few_words(words: str, is_thing: bool) -> None:
    assert is_noun(words) == is_thing
