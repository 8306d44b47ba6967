"""Displays of armies and record tracks: as many tracks and boxes as the game says, each large enough for a counter."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Overlay
from assistant.installed.registry import load_game
from assistant.state.tracks import Fact, Source
from module_builder.aids.aid_set import AidSet
from module_builder.aids.cards import CARDS, Card

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
