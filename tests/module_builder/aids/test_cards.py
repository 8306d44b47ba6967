"""Displays of armies and record tracks: as many tracks and boxes as the game says, each large enough for a counter.

And the card of the table prompt.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.game.gamefile import AnswerCard, AnswerLine
from assistant.game.games import Game, Overlay
from assistant.installed.registry import installed_games, load_game, named_game
from assistant.state.tracks import Fact, Source
from assistant.util.datafiles import read_data, resolve_within
from module_builder.aids.aid_set import AidSet
from module_builder.aids.cards import CARDS, Card, add_quotes, event_entries, set_as_typed, typed_entries

from .moor import FILES, boxes, moor, said, texts, wanted

LIMITS = """
[limit]
title = "limit"
on = "army"
kind = "integer"
[horse]
title = "horse"
on = "army"
kind = "flag"
"""


@pytest.mark.parametrize("die", ["1/2", "5/8", "20mm"])
def test_an_army_has_a_track_for_independent_formations_and_one_for_each_corps(tmp_path: Path, die: str) -> None:
    chosen = wanted(moor(tmp_path), die=die, nation="crimson")
    (card,) = CARDS["armies"](chosen)
    words = said(card.pages)
    assert "Crimson First Army" in words and "Attachment Limit 2" in words
    assert words.count("KG only (6.1)") == 1
    places = boxes(card.pages, chosen.look.die + 1)
    corps = [box for box in places if abs(box.width - box.height) < 1e-6]
    assert len(corps) == 2
    assert len(places) - len(corps) == 3 * 3  # three statuses on three tracks
    assert [text.text for text in texts(card.pages) if text.text in ("fresh", "tired", "spent")] == [
        "fresh",
        "tired",
        "spent",
    ]


def test_the_limit_of_an_army_is_a_number_a_blank_or_the_owner_s(tmp_path: Path) -> None:
    (card,) = CARDS["armies"](wanted(moor(tmp_path), nation="blue"))
    words = said(card.pages)
    assert "Attachment Limit ____" in words
    assert "write it in from your own copy" in words
    assert words.count("Corps") >= 3
    course = moor(tmp_path).folder.joinpath("course.toml").read_text("utf-8")
    changed = course.replace('limit = 2\nboxes = [{ only = "KG", rule = "6.1" }]', "limit = 0")
    (card,) = CARDS["armies"](wanted(moor(tmp_path, course=changed), nation="crimson"))
    assert "Attachment Limit" not in said(card.pages)
    assert len(boxes(card.pages, 16.8)) == 3
    facts = {("limit", "blue Second"): Fact(9, Source.PRINTED), ("horse", "blue Second"): Fact(True, Source.PRINTED)}
    tracks = FILES["tracks.toml"] + LIMITS
    course = FILES["course.toml"].replace("[organisation]", '[organisation]\nlimit = "limit"\ncavalry = "horse"')
    game = moor(tmp_path, tracks=tracks, course=course).with_overlay(Overlay(armies=facts))
    chosen = wanted(game, nation="blue")
    (card,) = CARDS["armies"](chosen)
    words = said(card.pages)
    assert words.count("Attachment Limit 9 + C") == 2 and len(card.pages) == 1
    assert "Blue Second Army, continued" in words
    assert words.count("Independent") == words.count("Cavalry Corps only") == 1
    places = boxes(card.pages, chosen.look.die + 1)
    assert sum(abs(box.width - box.height) < 1e-6 for box in places) == 10
    assert all(box.y + box.height <= 200 for box in places)  # inside the margins of a page turned on its side
    assert "write it in" not in words


def test_records_have_a_numbered_box_for_each_number_above_the_room_of_the_counter(tmp_path: Path) -> None:
    chosen = wanted(moor(tmp_path))
    (card,) = CARDS["records"](chosen)
    numbers = [text.text for text in texts(card.pages) if text.text.lstrip("-\u2212").isdecimal()]
    assert numbers == [*map(str, range(15)), *map(str, range(15)), "\u22123", "\u22122", "\u22121", "0", "1", "2", "3"]
    assert len(boxes(card.pages, chosen.look.die + 1)) == 15 + 15 + 7
    assert "Points: Crimson" in said(card.pages) and "Score" in said(card.pages)
    labels = {text.text: text for text in texts(card.pages)}
    for box in boxes(card.pages, chosen.look.die + 1):
        inside = [
            text
            for text in labels.values()
            if box.x < text.x < box.x + box.width and box.y < text.y < box.y + box.height
        ]
        assert all(box.y + box.height - text.y >= chosen.look.die + 1 - 1e-6 for text in inside)


def reach(card: Card, chosen: AidSet, number: int) -> float:
    """How far down the boxes of a page of displays reach, as a share of the room."""
    area = chosen.area(landscape=True)
    low = max(box.y + box.height for box in boxes(card.pages[number : number + 1], chosen.look.die))
    return (low - area.top) / area.height


@pytest.mark.parametrize("die", ["1/2", "5/8", "9/16"])
def test_displays_fill_their_pages(die: str) -> None:
    chosen = wanted(load_game("twilight-in-the-east"), die=die)
    (card,) = CARDS["armies"](chosen)
    assert all(0.97 < reach(card, chosen, number) <= 1.0001 for number in range(len(card.pages) - 1))


def test_a_garrison_stands_below_the_army_before_it() -> None:
    (card,) = CARDS["armies"](wanted(load_game("twilight-in-the-east"), nation="austro-hungarian"))
    last = said(card.pages[-1:])
    assert last.index("AG P-B") < last.index("Przemysl Garrison")
    assert last.count("Corps") >= 3, "as many tracks as still fit"
    assert len(card.pages) == 3, "two armies to a page"


def test_small_armies_share_a_page_and_short_records_stand_side_by_side(tmp_path: Path) -> None:
    course = FILES["course.toml"].replace(
        '[[army]]\nname = "Second"\nnation = "blue"', '[[army]]\nname = "Second"\nnation = "crimson"\nlimit = 1'
    )
    (card,) = CARDS["armies"](wanted(moor(tmp_path, course=course)))
    assert len(card.pages) == 1
    assert "Crimson First Army" in said(card.pages) and "Crimson Second Army" in said(card.pages)
    records = """
[[record]]
title = "Marches"
most = 2
who = ["crimson", "blue"]
"""
    (card,) = CARDS["records"](wanted(moor(tmp_path, course=FILES["course.toml"] + records)))
    heads = {text.text: text for text in texts(card.pages)}
    one, other = heads["Marches: Crimson"], heads["Marches: Blue"]
    assert one.y == other.y and other.x - one.x > 80


GAMES = [name for name in installed_games() if load_game(name).file.card]
CARD = """
[card]
typed = "4119 1/1 -3"
lines = [{ reads = "= column 1:1; roll 2d6", means = "The verdict; `why` shows more, below it -1." }]
"""


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("name", GAMES)
def test_the_prompt_prints_what_the_card_explains(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    game = load_game(name)
    card = game.file.card
    assert card
    position = read_notation(
        read_data(resolve_within(game.folder, card.example), card.example), card.example, load_game
    )
    session = Session(TableState(position), 200)
    answer = squeezed("\n".join([*session.enter(card.typed), session.prompt]))
    for line in card.lines:
        assert line.reads in answer


def test_games_with_a_card_have_it_on_one_page() -> None:
    assert {"twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg"} <= {
        *GAMES
    }
    for name in GAMES:
        (card,) = CARDS["answers"](wanted(load_game(name)))
        assert len(card.pages) == 1
        explained = load_game(name).file.card
        assert explained
        printed = squeezed(said(card.pages))
        for line in explained.lines:
            assert squeezed(line.reads) in printed


def game_with_card(tmp_path: Path) -> Game:
    moor(tmp_path / "moor", game=FILES["game.toml"] + CARD)
    return named_game(str(tmp_path / "moor"))


def test_a_game_has_its_card_if_it_states_one(tmp_path: Path) -> None:
    game = game_with_card(tmp_path)
    assert game.file.card == AnswerCard(
        typed="4119 1/1 -3",
        lines=(AnswerLine(reads="= column 1:1; roll 2d6", means="The verdict; `why` shows more, below it -1."),),
    )
    (card,) = CARDS["answers"](wanted(game))
    printed = [text.text for text in texts(card.pages)]
    assert "4119 1/1 -3" in printed
    assert "The verdict; \u201cwhy\u201d shows more, below it \u22121." in printed
    assert CARDS["answers"](wanted(moor(tmp_path))) == []


def test_commands_and_events_stand_as_they_are_typed(tmp_path: Path) -> None:
    typed = [typed for typed, _ in typed_entries(game_with_card(tmp_path))]
    assert typed[-1] == "help WORD" and {"why", "undo", "done"} <= {*typed}
    assert all("  " not in one for one in typed)
    events = dict(event_entries(load_game("der-weltkrieg")))
    assert events["ge dm 3"].startswith("demoralization points")
    assert event_entries(load_game("kaisers-war-in-the-east")) == []
    assert len(set_as_typed("4119c 1/1 12-16-7-11 <4020o 25/3 10-?-5-10", 4, 40).lines) > 1
    assert add_quotes("`a` and `b") == "\u201ca\u201d and `b"
