"""What a record tells: exact sentences of a small one, every move that the record shows, and the page that says the same."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from assistant.installed.registry import load_game
from assistant.records.explaining.played import PlayedRecord
from assistant.records.explaining.played_journal import play_journal
from assistant.records.explaining.played_log import play_log
from assistant.records.journal.journal_file import JournalFile
from assistant.records.story.chapters import chosen_turns, story_turns
from assistant.records.story.page import to_page
from assistant.records.story.sentences import tell_stretch
from assistant.records.story.story import Story
from assistant.records.story.words import format_forum, format_sentence, format_story
from assistant.state.differences import Move, find_differences
from assistant.util.errors import InputError, printable

from ....cases import thorough
from ..explaining.played import ASK, BATTLE, CHECKS, DICE, OUTCOME, in_a_journal, record

EXAMPLES = Path("plugins")
AUGUST = EXAMPLES / "twilight_in_the_east" / "examples" / "august-1914.journal"
BOOKS = EXAMPLES / "der_weltkrieg" / "examples" / "books.journal"


def logged(*happenings: str, start: str = f"{BATTLE}{ASK}", side: str = "umpire") -> PlayedRecord:
    return play_log(record(start, *happenings, side=side), "game.vlog")


@cache
def kept(file: Path) -> PlayedRecord:
    """An example, read once: it keeps the answers that were asked again."""
    return play_journal(JournalFile(file, load_game).read(compares=False))


def test_the_story_of_a_small_log() -> None:
    story = Story(logged("43.25: 30/4\n", *DICE, *CHECKS, OUTCOME, "44.25: 30/4\n40.19: 29/20\n"))
    assert (
        format_forum(story)
        == """1914, Twilight in the East: the story of game.vlog
GT 1, about 17 August 1914
Its verdicts hold if the drawn map is right.

== GT 1, about 17 August 1914 (from the beginning)
- Enters play: 30/4 in 43.25.
- Attack on Stallupönen (41.19) from 40.19 and 40.20: 29/20, 25/3 and 27/3 against 1/1 at 41.19: column 1:1 (42 against 23 is 2:1, shifted -1 for attackers of 2 corps or independent stacks), Large. The attacker loses 2 steps, the defender 2: 29/20 1, 27/3 1, 1/1 2. 25/3 and 27/3 failed the Effectiveness Check. 27/3 retreats 1 hex. The defender holds 41.19. Steps lost now: 1/1 2, 27/3 1 and 29/20 4. 27/3 goes back from 40.20 to 39.20.
- 25/3 is 1 level below its full Combat Effectiveness; 27/3 is 2 levels below its full Combat Effectiveness.
- Russian: 30/4 from 43.25 to 44.25.

== In all
- Russian: 1 attack, 2 moves, 1 unit entered play.
"""
    )


def test_the_story_of_a_small_journal_by_turns(tmp_path: Path) -> None:
    entries = ("fact 42.20: 25/3", "turn 2", "turn 3", "turn 4", "fact 40.20: 27/3 supply=out")
    story = Story(in_a_journal(tmp_path, *entries))
    expected = """1914, Twilight in the East: the story of game.journal
GT 1, about 17 August 1914, to GT 4, about 23 August 1914

== GT 1, about 17 August 1914 (from entry 1 on)
- Russian: 25/3 from 40.20 to Trakehnen (42.20).
At the end of the turn
- Ground: The Russian side comes into Trakehnen (42.20).

== GT 2 to GT 3, about 19 August 1914 to about 21 August 1914 (from entry 2 on)
Nothing is recorded.

== GT 4, about 23 August 1914 (from entry 4 on)
- 27/3 is Out of Supply.

== In all
- Russian: 1 move.
"""
    assert format_forum(story).split("\n\n", 1)[1] == expected


def test_the_books_of_a_campaign_say_by_how_much_an_account_rises_or_falls(tmp_path: Path) -> None:
    entries = ("ah dm 22 Sabac", "ah dm 3", "turn dec14/1", "ah dm 530 Lemberg", "ge spend 12")
    story = Story(in_a_journal(tmp_path, *entries, start="", game="der-weltkrieg"))
    lines = format_forum(story).splitlines()
    assert "- Austria-Hungary: demoralization points: 25 more (Sabac 22 more), now 25." in lines
    (later,) = [line for line in lines if "Lemberg" in line]
    assert "demoralization points: 530 more (Lemberg), now 555" in later and "Shaken" in later
    assert any(line.startswith("- Germany: ") and "supply points" in line for line in lines)
    entries = ("turn dec14/1", "turn dec14/2", "ge spend 12 Ypres-Lys")
    text = format_forum(Story(in_a_journal(tmp_path / "less", *entries, start="", game="der-weltkrieg")))
    assert "- Germany: supply points: 12 less (Ypres-Lys), now " in text


def test_a_unit_that_stays_out_of_a_combat_is_not_told_to_attack() -> None:
    text = format_forum(Story(logged(*DICE, start=f"{BATTLE}{ASK} from=40.19,40.20 withhold=27/3")))
    assert "Attack on Stallupönen (41.19) from 40.19 and 40.20: 29/20 and 25/3 against 1/1:" in text


def test_several_units_enter_and_one_enters() -> None:
    one, several = (
        format_forum(Story(logged(line, start=BATTLE))) for line in ("43.25: 30/4\n", "43.25: 30/4\n43.26: 40/4\n")
    )
    assert "- Enters play: 30/4 in 43.25." in one
    assert "- Enter play: 30/4 in 43.25; 40/4 in 43.26." in several
    assert "2 units entered play." in several


def test_turns_are_chosen_one_by_one_or_from_one_to_another() -> None:
    story = Story(kept(AUGUST), chosen_turns(load_game("twilight-in-the-east"), ["2", "4-5"]))
    assert [chapter.label for chapter in story.chapters] == ["2", "4", "5"]
    with pytest.raises(InputError, match="3 comes before 5"):
        chosen_turns(load_game("twilight-in-the-east"), ["5-3"])
    with pytest.raises(InputError, match="not a turn"):
        chosen_turns(load_game("twilight-in-the-east"), ["tomorrow"])


@pytest.mark.parametrize(
    ("file", "turns"),
    [(AUGUST, ["2"]), (BOOKS, ["sep14/1", "sep14/2"]), pytest.param(AUGUST, [], marks=thorough), pytest.param(BOOKS, [], marks=thorough)],
)  # fmt: skip
def test_what_is_told_to_have_moved_is_what_moved(file: Path, turns: list[str]) -> None:
    """The moves of the sentences of a stretch are the differences between its ends, worked out here anew."""
    played = kept(file)
    stretches = [stretch for chapter in story_turns(played, turns) for stretch in chapter.stretches]
    for stretch in stretches:
        told = [move for sentence in tell_stretch(stretch) for move in sentence.moved]
        ends = stretch.passages[0].before.state, stretch.passages[-1].after.state
        assert sorted(told, key=lambda move: move.unit) == sorted(moved_between(*ends), key=lambda move: move.unit)
        for move in told:
            assert any(move.unit in sentence.text for sentence in tell_stretch(stretch))
    passages = [passage for passage in played if not turns or passage.when.turn in turns]
    assert [passage for stretch in stretches for passage in stretch.passages] == passages


def moved_between(before: object, after: object) -> list[Move]:
    """Who stands elsewhere, by a naive comparison."""
    old, new = ({unit.id: unit.place for unit in state.units.values() if unit.place} for state in (before, after))  # type: ignore[attr-defined]
    return [Move(unit, old[unit], new[unit]) for unit in old.keys() & new.keys() if old[unit] != new[unit]]


PLACES = st.lists(st.sampled_from(["42.20", "43.21", "44.22", "45.23"]), min_size=2, max_size=6)


@given(PLACES)
def test_a_unit_that_comes_back_between_combats_has_not_moved(places: list[str]) -> None:
    happenings = [f"{place}: 30/4\n" for place in places]
    (chapter,) = story_turns(logged(*happenings, start=f"{BATTLE}42.20: 30/4\n"))
    (stretch,) = chapter.stretches
    told = [move for sentence in tell_stretch(stretch) for move in sentence.moved]
    assert told == ([] if places[-1] == "42.20" else [Move("30/4", "42.20", places[-1])])


def test_every_unit_and_hex_that_is_told_is_in_the_record() -> None:
    """No sentence names a hex in which nobody stood, and that no side attacked, and no unit that is not there."""
    played = kept(AUGUST)
    game = played.game
    for chapter in story_turns(played, ["2"]):
        for stretch in chapter.stretches:
            states = [position.state for passage in stretch.passages for position in (passage.before, passage.after)]
            units = {unit for state in states for unit in state.units}
            changed = find_differences(states[0], states[-1], game.tracks)
            named = {move.unit for move in changed.moved} | {unit.unit for unit in (*changed.gone, *changed.came)}
            assert named <= units
            text = " ".join(f"{sentence.head} {sentence.text}" for sentence in tell_stretch(stretch))
            for unit in game.roster.keys() - units:
                assert f" {unit} from " not in text and f"and {unit} " not in text


def test_what_a_side_may_not_know_changes_nothing_that_it_is_told() -> None:
    """Two logs that differ in a unit below the top of a stack, and in steps lost."""
    known = f"{BATTLE}43.25: 30/4\n44.20: 35/17, 36/17\n{ASK}"
    other = f"{BATTLE}43.25: 30/4\n44.20: 35/17 -2, 37/20\n{ASK}"
    told = [
        format_story(Story(logged("43.24: 30/4\n", *DICE, start=start, side="russian"))) for start in (known, other)
    ]
    assert told[0] == told[1] and "36/17" not in told[0]
    assert "You see what the Russian side knows." in told[0]


def test_each_turn_of_a_log_begins_at_its_step() -> None:
    first = ("43.25: 30/4\n", "say: my turn", "turn=2\n43.24: 30/4\n")
    then = ("43.23: 30/4\n", "turn=3\n", "1d6 4", "44.24: 30/4\n")
    story = Story(logged(*first, *then, start=BATTLE))
    assert story.bookmarks == {"1": 0, "2": 3, "3": 5}
    told = {
        chapter.label: [line.moved[0] for stretch in chapter.stretches for line in tell_stretch(stretch)]
        for chapter in story.chapters[1:]
    }
    assert told == {"2": [Move("30/4", "43.24", "43.23")], "3": [Move("30/4", "43.23", "44.24")]}


def test_it_says_at_once_that_it_saw_everything() -> None:
    assert format_story(Story(logged("43.25: 30/4\n", side=""))).startswith("You see both sides.")


# --- the page: it needs nothing else, may do nothing, and says only what the text says --------------------------------


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
