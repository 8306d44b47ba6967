"""What a word means, in every game, and what is computed of a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.installed.registry import installed_games

from ....folders import written
from ....module_builder.aids.moor import FILES
from .pages import AtTable


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_questions_facts_charts_and_units_are_explained(tmp_path: Path, game: str) -> None:
    page = AtTable(tmp_path, game)
    words = page.send("words", game=page.game.id)
    some = [words[kind][0][name] for kind, name in (("questions", "name"), ("tracks", "name"), ("units", "id"))]
    for word in [*some, *(chart["name"] for chart in words["charts"][:1])]:
        meaning = page.send("meaning", word=word)
        assert (meaning["is"], bool(meaning["lines"])) == ("meaning", True), word


def test_a_rule_has_its_title_at_once_and_what_computes_it_when_asked(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "twilight-in-the-east")
    brief = page.send("meaning", word="10.8")["rules"]
    assert brief[0] == {"rule": "10.8a", "title": "Terrain shift", "asked": [], "left": ""}
    whole = page.send("meaning", word="10.8", computed=True)["rules"]
    assert [rule["rule"] for rule in whole] == [rule["rule"] for rule in brief]
    assert "battle" in whole[0]["asked"]


def test_a_rule_that_nothing_computes_says_why(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "twilight-in-the-east")
    left = [
        rule
        for chapter in "12345"
        for rule in page.send("meaning", word=f"{chapter}.1", computed=True).get("rules", ())
    ]
    assert any(rule["left"] and not rule["asked"] for rule in left)


def test_a_word_that_means_nothing_is_refused_with_the_nearest(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "twilight-in-the-east")
    refused = page.send("meaning", word="suply")
    assert (refused["is"], "supply" in refused["hint"]) == ("refused", True)


def test_a_game_of_data_alone_explains_its_words(tmp_path: Path) -> None:
    page = AtTable(tmp_path / "tables", str(written(tmp_path / "moor", FILES)))
    assert page.send("meaning", word="terrain")["lines"][0] == "terrain: terrain"
