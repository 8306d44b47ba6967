"""What a player's own words find."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from assistant.faces.prompt.search import MAX_HITS, SEARCH_FILE, Hit, PlayersWords, find_hits
from assistant.game.rule_index import rule_titles
from assistant.installed.registry import installed_games, load_game, questions_of
from assistant.util.datafiles import read_toml, resolve_within

TWILIGHT = "twilight-in-the-east"
MIN_SHARE_RIGHT = 0.92
"""The minimum share of the typed lines for which the first or second hit is right."""


def named(hit: Hit) -> str:
    """A hit as `first_lines.tsv` names it: q:question, r:rule or w:word."""
    return f"{hit.kind[0]}:{hit.name}"


def typed_lines() -> list[dict[str, str]]:
    """Lines as players type them before they know the program, each with the hits that would serve them."""
    with (Path(__file__).parent / "first_lines.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_most_lines_of_players_find_what_serves_them() -> None:
    lines = typed_lines()
    right = [
        line
        for line in lines
        if {*line["right"].split()} & {*map(named, find_hits(load_game(line["game"]), line["typed"])[:2])}
    ]
    assert len(right) >= MIN_SHARE_RIGHT * len(lines)


def test_every_hit_that_serves_a_line_exists() -> None:
    for line in typed_lines():
        game = load_game(line["game"])
        known = {f"q:{name}" for name in questions_of(game)} | {f"r:{rule}" for rule, _ in rule_titles(game)}
        assert {*line["right"].split()} <= known, line["typed"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("how far can I march", "q:reach"),
        ("How far can it go?", "q:reach"),
        ("who wins", "q:victory"),
        ("cross a river", "q:move"),
        ("advance after combat", "q:battle"),
        ("stacking", "q:stack"),
        ("retreet where", "q:retreat"),
        ("replacments", "q:replace"),
        ("10.8a", "r:10.8a"),
        ("what do I do now", "q:turn"),
        ("Hindenburg", "r:25.0"),
        ("14 against 5", "q:battle"),
    ],
)
def test_what_players_type_first_finds_its_question(typed: str, first: str) -> None:
    hits = find_hits(load_game(TWILIGHT), typed)
    assert named(hits[0]) == first
    assert len(hits) <= MAX_HITS


@pytest.mark.parametrize("typed", ["rule 16-3", "what does 29-13 say", "1914-1918", "map 5-5"])
def test_a_range_of_numbers_is_no_odds(typed: str) -> None:
    hits = find_hits(load_game("der-weltkrieg"), typed)
    assert "r:28/column" not in map(named, hits[:1])


@pytest.mark.parametrize("typed", ["", "?", "4119", "xyzzy", "the"])
def test_what_says_nothing_finds_nothing_or_little(typed: str) -> None:
    assert find_hits(load_game(TWILIGHT), typed) == []


def test_the_name_of_a_result_is_found_also_with_a_number() -> None:
    game = load_game("world-undone-east-prussia-1914")
    assert [named(find_hits(game, typed)[0]) for typed in ("AE", "what does DR2 mean")] == ["r:6.4/AE", "r:6.4/DR"]


def test_words_that_say_little_tell_two_questions_apart() -> None:
    game = load_game(TWILIGHT)
    assert [named(find_hits(game, typed)[0]) for typed in ("how many units in a hex", "how many hexes")] == [
        "q:stack",
        "q:reach",
    ]


def test_a_misspelt_word_is_corrected_only_if_that_is_wanted() -> None:
    game = load_game(TWILIGHT)
    assert named(find_hits(game, "retreet")[0]) == "q:retreat"
    assert find_hits(game, "retreet", corrects=False) == []


@pytest.mark.parametrize("id", sorted(installed_games()))
def test_what_a_game_adds_names_its_questions_and_rules(id: str) -> None:
    game = load_game(id)
    words = read_toml(resolve_within(game.folder, SEARCH_FILE), PlayersWords)
    assert words.asked.keys() <= questions_of(game).keys() | dict(rule_titles(game)).keys()


def test_every_question_is_found_by_its_name_and_by_its_title() -> None:
    for id in installed_games():
        game = load_game(id)
        for name, question in questions_of(game).items():
            assert f"q:{name}" in map(named, find_hits(game, question.title)), (id, name)
