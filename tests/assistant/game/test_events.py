"""What `events.toml` may not say: each mistake with its line and the nearest form, or what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.events import is_account, read_events
from assistant.game.games import read_game
from assistant.game.lint.faults import format_fault
from assistant.game.typed_events import leading_name, read_event
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ...folders import game_of
from ..records.journal.small import FILES, small_game
from .test_course import GAME, TRACKS


def faults(folder: Path, before: str, after: str) -> list[str]:
    text = FILES["events.toml"]
    assert before in text
    game = small_game(folder)
    (folder / "events.toml").write_text(text.replace(before, after, 1))
    found: list[InputError] = []
    read_events(game, found.append)
    return [format_fault(fault) for fault in found]


def test_a_sound_file_has_no_faults_and_debts_and_bars_name_what_there_is(tmp_path: Path) -> None:
    assert faults(tmp_path, "[short]", "[short]") == []
    debt = '[[debt]]\naccount = "sp"\nby = "dmm"\nwithin = 2\ntitle = "made good"\n[[level]]'
    assert faults(tmp_path, "[[level]]", debt) == [
        "events.toml:44: [debt.1] by: 'dmm' is not an account; nearest known: dm"
    ]
    (fault,) = faults(tmp_path, "[[level]]", debt.replace("dmm", "dm").replace("= 2", "= -2"))
    assert fault.startswith("events.toml:45: [debt.1] within: -2 is not allowed")
    barred = '[[barred]]\nwho = ["rust"]\nevents = ["dm"]\nuntil = "shaken"\ntitle = "neutral"\n[[level]]'
    assert faults(tmp_path, "[[level]]", barred) == []
    for before, after, fault in (
        ('"rust"', '"rusty"', "43: [barred.1.who] entry 1: 'rusty' is neither a side nor a nation; nearest known: rust"),
        ('"dm"', '"dmm"', "44: [barred.1.events] entry 1: 'dmm' is not an event; nearest known: dm"),
        ('"shaken"', '"shake"', "45: [barred.1] until: 'shake' is neither a turn nor counted from a fact that is one; nearest known: shaken"),
    ):  # fmt: skip
        assert faults(tmp_path, "[[level]]", barred.replace(before, after)) == [f"events.toml:{fault}"]


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('ru = "rust"', 'ru = "rsut"', "events.toml:3: [short] ru: 'rsut' is neither a side nor a nation"),
        ("{ dm = 1 }", "{ dmm = 1 }", "events.toml:9: [event.dm.posts] dmm: 'dmm' is not an account"),
        ("{ dm = 1 }", "{ vp = 1 }", "[event.dm.posts] vp: 'vp' is about the game; name the nation, or the game"),
        ('"rust.sp" = 1', '"rest.sp" = 1', "[event.give.posts] rest.sp: 'rest' is neither a side nor a nation"),
        ('"rust.sp" = 1', '"nation.sp" = 1', "[event.give.posts] nation.sp: 'nation' is neither a side nor a nation"),
        ('only = ["rose"]', 'only = ["rosy"]', "[event.give.only] entry 1: 'rosy' is neither a side nor a nation"),
        ("raises = { dm", "raises = { dn", "[event.declare.raises] dn: 'dn' is not an account; nearest known: dm"),
        ('"unit.lost"', '"unti.lost"', "[event.lose.sets] unti.lost: 'unti' is neither a side nor a nation"),
        ('"unit.lost"', '"unit.lots"', "[event.lose.sets] unit.lots: unknown track 'lots'; nearest known: lost"),
        ('= "turn" }', '= "trun" }', "[event.lose.sets] unit.lost: 'trun' is not a turn; nearest known: turn"),
        ('= "turn" }', '= "amount" }', "[event.lose.sets] unit.lost: 'lost' cannot be set to the amount; write: turn"),
        ('"unit.lost" = "turn"', '"game.lost" = "turn"', "[event.lose.sets] game.lost: 'lost' is about the unit; name"),
        ("{ sp = -2 }", "{ spp = -2 }", "[event.rebuild.kinds.artillery.posts] spp: 'spp' is not an account"),
        ("least = 1", "least = 9\nmost = 2", "[event.dm] least: no amount lies between `least` and `most`; put least"),
        ("posts = { vp = 1 }", "", "[event] score: the event changes nothing; write posts, raises, sets or kinds"),
        ("at = 200", "at = 90", "[level.2] at: 'Broken' does not come after 'Shaken'; the lowest level first"),
        ('since = "broken"', 'since = "shaken"', "[level.2] since: 'Broken' does not come after 'Shaken'"),
        ('since = "broken"', 'since = "brokn"', "[level.2] since: 'brokn' is not a track of turns"),
        ('who = "rust"\nat = 100', "at = 100", "[level.1] account: 'dm' is about the nation"),
    ],
)
def test_each_mistake_is_named_with_its_line(before: str, after: str, fault: str, tmp_path: Path) -> None:
    first, *_ = faults(tmp_path, before, after)
    assert fault in first
    assert first.startswith("events.toml:")
    line = int(first.split(":")[1])
    lines = FILES["events.toml"].replace(before, after, 1).splitlines()
    assert after.splitlines()[:1] == [] or any(
        part in "\n".join(lines[line - 1 : line + 8]) for part in after.splitlines()
    )


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('["rust"]', '["red"]', "[barred.1.who] entry 1: none of the events happens to 'red', a side; `dm` is an event of a nation"),
        ('["rust"]', "[]", "[barred.1] who: it bars nothing; name one at least"),
        ('["dm"]', "[]", "[barred.1] events: it bars nothing; name one at least"),
        ('["dm"]', '["dm", "score"]', "[barred.1.events] entry 2: 'score' happens to none of `who`; `score` is an event of a game"),
        ('["dm"]', '["give"]', "[barred.1.who] entry 1: none of the events happens to 'rust', a nation; `give` happens only to rose"),
        ('"shaken"', '"dec14"\nfrom = "jan15/2"', "[barred.1] until: the bar ends before it begins; correct `from` or `until`"),
        ('"shaken"', '"jan15"\nfrom = "jan15/2"', ""),
    ],
)  # fmt: skip
def test_a_bar_can_bar_something(before: str, after: str, fault: str, tmp_path: Path) -> None:
    barred = '[[barred]]\nwho = ["rust"]\nevents = ["dm"]\nuntil = "shaken"\ntitle = "neutral"\n[[level]]'
    found = faults(tmp_path, "[[level]]", barred.replace(before, after))
    assert [one.split(": ", 1)[1] for one in found] == ([fault] if fault else [])


@pytest.mark.parametrize(("value", "is_one"), [("turn", True), ("amount", True), ("3", True), ("trun", False)])
def test_where_turns_are_counted_a_number_is_set_to_the_turn(value: str, is_one: bool, tmp_path: Path) -> None:
    entered = '[entered]\ntitle = "turn of entry"\non = "game"\nkind = "integer"\nleast = 1\nmost = 9\n'
    events = f'[event.enter]\non = "game"\nleast = 1\nsets = {{ entered = "{value}" }}\n'
    game = game_of(tmp_path, {"game.toml": GAME, "tracks.toml": TRACKS + entered, "events.toml": events}, "heath")
    found: list[InputError] = []
    read_events(game, found.append)
    assert (found == []) == is_one


def test_in_a_calendar_a_number_is_not_set_to_the_turn(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, 'sets = { "unit.lost" = "turn" }', 'sets = { sp = "turn" }')
    assert fault.endswith("[event.lose.sets] sp: 'sp' cannot be set to the turn; write: amount")


def test_an_event_is_typed_without_an_amount_it_has_not_and_after_a_name_of_several_words(tmp_path: Path) -> None:
    small_game(tmp_path)
    falls = '[event.falls]\non = "game"\nsets = { weather = "mud" }\n[event.score]'
    (tmp_path / "events.toml").write_text(FILES["events.toml"].replace("[event.score]", falls))
    game = read_game("small-war", tmp_path)
    with pytest.raises(InputError) as caught:
        read_event(game, read_events(game), "game", "")
    assert caught.value.hint == "write: game falls; events: falls, score"
    with pytest.raises(InputError, match="'3' is not an event"):
        read_event(game, read_events(game), "game", "3 falls")
    small_game(tmp_path)
    (tmp_path / "events.toml").write_text(
        FILES["events.toml"].replace("[short]", '[short]\n"Grand Duchy of Rust" = "rust"')
    )
    game = read_game("small-war", tmp_path)
    assert leading_name(game, read_events(game), "Grand Duchy of Rust dm 3") == ("Grand Duchy of Rust", "dm 3")
    assert leading_name(game, read_events(game), "Grand dm 3") == ("", "Grand dm 3")


@pytest.mark.parametrize("game", ["twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914"])
def test_no_game_counts_the_turn_of_an_event_as_an_account(game: str) -> None:
    accounts = {track.title for track in load_game(game).tracks.values() if is_account(track) and track.name != "turn"}
    assert not [title for title in accounts if "game turn" in title]
