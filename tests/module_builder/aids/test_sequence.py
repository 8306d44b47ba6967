"""The sequence of play: a track with the phases of every side, and a checklist for each."""

from __future__ import annotations

from pathlib import Path

from assistant.drawing.lettering import text_width
from assistant.installed.registry import load_game
from module_builder.aids.cards import CARDS

from ...cases import thorough
from .moor import FILES, boxes, moor, said, texts, wanted


def test_the_track_has_a_box_for_each_phase_and_says_who_is_active(tmp_path: Path) -> None:
    chosen = wanted(moor(tmp_path))
    (card,) = CARDS["sequence"](chosen)
    words = said(card.pages)
    assert words.index("Blue player turn") < words.index("Red player turn")  # in the order that course.toml says
    assert (words.count("1. March"), words.count("2. Answer")) == (2, 2)
    assert words.index("A. Weather") < words.index("1. March") < words.index("1. Rest")
    squares = [box for box in boxes(card.pages, chosen.look.box) if abs(box.width - box.height) < 1e-6]
    assert len(squares) == 6
    (card,) = CARDS["sequence"](wanted(moor(tmp_path)))
    active = [text.text for text in texts(card.pages)]
    answers = [active[n + 1] for n, text in enumerate(active) if text == "2. Answer"]
    assert answers == ["Red", "Blue"]  # the side whose turn it is not
    marches = [active[n + 1] for n, text in enumerate(active) if text == "1. March"]
    assert marches == ["Blue · 5.1", "Red · 5.1"]


def test_a_checklist_has_what_its_side_does_with_a_box_to_tick(tmp_path: Path) -> None:
    blue, red = CARDS["checklist"](wanted(moor(tmp_path)))
    assert "March by night (Day 1\u20133)" in said(blue.pages)
    assert "March by night" not in said(red.pages)
    assert "Ride (Blood-Red)" in said(red.pages) and "Ride" not in said(blue.pages)  # one nation of its side
    assert "Look at the sky" in said(red.pages) and "Look at the sky" not in said(blue.pages)
    for card, other in ((blue, "Red"), (red, "Blue")):
        words = said(card.pages)
        assert words.index("March on") < words.index(f"In the {other} player turn") < words.index("Fire back")
        assert words.index("In each combat") < words.index("Roll") < words.index("Mend boots")
        assert "5.3" in words
    _, red = CARDS["checklist"](wanted(moor(tmp_path)))
    ticks = [box for box in boxes(red.pages, 2.0) if abs(box.width - box.height) < 1e-6]
    steps = ("Look at the sky", "March on", "Ride (Blood-Red)", "Fire back", "Roll", "Mend boots")
    assert len(ticks) == len(steps) == sum(text.text in steps for text in texts(red.pages))


def test_a_phase_of_one_side_is_not_printed_under_another(tmp_path: Path) -> None:
    """Neither one that concerns a side alone, nor one whose steps it does alone, nor one that the other always skips."""
    course = """
[turns]
order = ["blue", "red"]
[[phase]]
title = "Muster"
who = "red"
steps = [{ do = "Call all up" }]
[[phase]]
title = "Raid"
steps = [{ do = "Burn a mill", who = "blue" }]
[[phase]]
title = "Rally"
skipped = [{ who = "blue" }]
steps = [{ do = "Bind wounds" }]
[[phase]]
title = "Answer"
active = "other"
who = "red"
steps = [{ do = "Fire back" }]
[[phase]]
title = "Night"
part = "inter-phase"
who = "blue"
steps = [{ do = "Sleep" }]
"""
    aids = wanted(moor(tmp_path, course=course, turns=None))
    blue, red = (said(card.pages) for card in CARDS["checklist"](aids))
    for phase, mine, other in (("Muster", red, blue), ("Raid", blue, red), ("Rally", red, blue), ("Night", blue, red)):
        assert (phase in mine, phase in other) == (True, False)
    assert ("Fire back" in blue, "Fire back" in red) == (True, False)  # in the player turn of Red
    (track,) = CARDS["sequence"](aids)
    words = [text.text for text in texts(track.pages)]
    whose = {text[3:]: words[at + 1] for at, text in enumerate(words) if text[:2] in ("1.", "2.", "3.", "4.")}
    assert whose == {"Muster": "Red", "Raid": "Blue", "Rally": "Red", "Answer": "Blue", "Night": "Blue"}


@thorough
def test_long_lists_get_smaller_letters_and_then_more_pages(tmp_path: Path) -> None:
    sizes = []
    for count in (5, 60, 400):
        steps = "".join(
            f'{{ do = "Turn over stone number {n} and write down what is under it" }},' for n in range(count)
        )
        course = f'[[phase]]\ntitle = "Stones"\nsteps = [{steps}]\n'
        blue, _ = CARDS["checklist"](wanted(moor(tmp_path, course=course, turns=None)))
        found = [text.size for text in texts(blue.pages) if text.text.startswith("Turn over")]
        assert len(found) == count
        sizes.append((max(found), len(blue.pages)))
    assert sizes[0][0] > sizes[1][0] and sizes[1][1] == 1
    assert sizes[2][1] > 1


def test_a_game_without_sides_has_one_player_turn_and_a_side_named_like_a_country_its_own(tmp_path: Path) -> None:
    course = (
        '[[phase]]\ntitle = "March"\nsteps = [{ do = "March on" }]\n[[phase]]\ntitle = "Answer"\nactive = "other"\n'
    )
    plain = 'title = "Moor"\nabout = "Made up."\n'
    chosen = wanted(moor(tmp_path, game=plain, course=course, turns=None))
    (track,) = CARDS["sequence"](chosen)
    words = [text.text for text in texts(track.pages)]
    assert words[:3] == ["Player turn", "1. March", "2. Answer"]
    (card,) = CARDS["checklist"](chosen)
    assert card.title == "Checklist"
    assert "In the player turn" in said(card.pages) and "March on" in said(card.pages)
    chosen = wanted(moor(tmp_path, game=FILES["game.toml"] + '[titles]\nblue = "Italy"\n'))
    (track,) = CARDS["sequence"](chosen)
    assert "Italy\u2019s player turn" in said(track.pages)
    blue, red = CARDS["checklist"](chosen)
    assert "In the player turn of Italy" in said(blue.pages) and "In the Red player turn" in said(blue.pages)
    assert "In the player turn of Italy" in said(red.pages)


def test_steps_are_listed_by_the_usual_readings_with_the_optional_rules_that_they_need(tmp_path: Path) -> None:
    course = """[[phase]]
title = "March"
steps = [
    { do = "March in mud", option = "deep-mud", turns = "1-3" },
    { do = "Whistle", unless = "silence" },
    { do = "Sing (optional)", option = "songs" },
]
"""
    blue, _ = CARDS["checklist"](wanted(moor(tmp_path, course=course, turns=None)))
    words = said(blue.pages)
    for step in ("March in mud (turns 1\u20133, with Deep Mud)", "Whistle (without Silence)", "Sing (optional)"):
        assert step in words
    course = """[[phase]]
title = "March"
steps = [
    { do = "March two", option = "pace=slow" },
    { do = "March five", option = "pace=fast" },
    { do = "Rest one", unless = "pace=slow" },
    { do = "Rest nine", unless = "pace=fast" },
]
"""
    (tmp_path / "rulings.csv").write_text(
        "id,rule,doubt,readings,default,authority\npace,2.1,How fast,slow: two; fast: five,slow,sense\n", "utf-8"
    )
    blue, _ = CARDS["checklist"](wanted(moor(tmp_path, course=course, turns=None)))
    found = [text.text for text in texts(blue.pages) if text.text.startswith(("March", "Rest"))]
    assert found == ["March", "March two", "Rest nine"]


def test_the_name_of_a_rule_leaves_the_words_of_its_step_alone(tmp_path: Path) -> None:
    steps = (
        '{ do = "Turn over every stone on the way and write down what lies under it", rule = "10.6.2.1/under-stones" }'
    )
    course = f'[[phase]]\ntitle = "March"\nsteps = [{steps}]\n'
    blue, _ = CARDS["checklist"](wanted(moor(tmp_path, course=course, turns=None)))
    found = texts(blue.pages)
    (rule,) = [text for text in found if text.text.startswith("10.6")]
    words = [text for text in found if text.x < rule.x and abs(text.y - rule.y) < 1]
    assert all(text.x + text_width(text.text, text.size) < rule.x for text in words)
    assert words


def test_a_phase_of_some_turns_alone_says_so_in_the_checklist() -> None:
    cards = CARDS["checklist"](wanted(load_game("kaisers-war-in-the-east")))
    assert all("Grand Strategy (turns 5, 14, 23, 32)" in said(card.pages) for card in cards)
