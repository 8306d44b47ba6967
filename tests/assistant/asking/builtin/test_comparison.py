"""The comparison of two positions in words and as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import assistant
from assistant.asking.builtin.comparison import Comparison
from assistant.asking.report import to_text
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.service import compare
from assistant.state.differences import Arrival, Departure, FactChange, Move, StackChange
from assistant.util.errors import InputError

from ....conftest import typed

ROOT = Path(__file__).parents[4]
BEFORE = """40.20: 25/3, 27/3
40.19: 29/20 -3
41.19: 1/1, 2/1 supply=low
turn=1
"""
AFTER = """39.20: 27/3, 25/3 cel=-1
40.19: 29/20 -4 retreated
41.19: 2/1
42.19: "KG Train"
41.19 attacked clear
turn=2
line "KG Train": 42.19 -road- 41.19
ruling flip-point=half-down
"""


def position(game: Game, text: str, side: str = "") -> Position:
    found = typed(f"game {game.id}\n{text}")
    return found.with_state(reduce_state(game, found.state, side)) if side else found


def lines(report: assistant.Report) -> list[str]:
    return [line.strip() for line in to_text(report).splitlines() if line.strip()]


def test_it_tells_who_moved_was_lost_came_and_what_changed(twilight: Game) -> None:
    report = compare(position(twilight, BEFORE), position(twilight, AFTER), called=("a.pos", "b.pos"))
    assert lines(report)[:19] == [
        "You see both sides. `--as SIDE` shows what one side knows (`assistant viewpoint twilight-in-the-east",
        "SIDE` remembers it); `--umpire` leaves out this note.",
        "1914, Twilight in the East: from a.pos to b.pos",
        "= 2 units moved, 1 gone, 1 came, 7 facts changed, 1 typed line changed, 1 ruling changed",
        "Moved",
        "25/3, 27/3: 40.20 to 39.20",
        "Lost",
        "1/1, from 41.19",
        "Came",
        "KG Train in 42.19",
        "Changed",
        "the game: turn 1 to 2",
        "41.19: terrain clear, attacked yes",
        "2/1 in 41.19: supply low to in",
        "25/3 in 39.20: cel 0 to \u22121",
        "29/20 in 40.19: lost 3 to 4, retreated yes",
        "Different agreements",
        "line KG Train: now 42.19, 41.19",
        "ruling flip-point: half-up to half-down",
    ]


def test_other_ground_sources_or_facts_of_all_other_hexes_differ(twilight: Game) -> None:
    text = '40.20: 25/3\n40.23: "3 Train"\nline "3 Train": 40.23 -road- 40.22 -road- 40.21 -road- 40.20\n'
    report = compare(position(twilight, text), position(twilight, text.replace("-road-", "-ridge-")))
    assert report.verdict.text == "1 typed line changed"
    assert "line 3 Train: states other ground along 40.23, 40.22, 40.21, 40.20" in lines(report)
    plain, accepting = "turn=1\n", "turn=1\ntrust charts counters\nown map\n"
    report = compare(position(twilight, plain), position(twilight, accepting))
    assert report.verdict.text == "3 trusted sources changed"
    assert lines(report)[-3:] == ["own map", "trust counters", "trust charts"]
    before, after = (typed(text) for text in ("elsewhere clear open", "elsewhere rough control=russian"))
    said = lines(compare(before, after))
    assert {
        "all other hexes: terrain rough",
        "all other hexes: control russian",
        "all other hexes: barrier no longer stated",
    } <= {*said}
    assert "= 3 facts of all other hexes changed" in said
    same = compare(position(twilight, AFTER), position(twilight, AFTER))
    assert (same.verdict.text, same.parts) == ("nothing differs", ())


def test_a_side_is_told_only_what_it_sees_of_both_and_its_own_losses_are_certain(twilight: Game) -> None:
    seen = [position(twilight, text, "russian") for text in (BEFORE, AFTER)]
    said = lines(compare(seen[0], seen[1]))
    assert said[said.index("No longer seen") + 1] == "1/1, last in 41.19"
    assert said[said.index("Newly seen") + 1 : said.index("Changed")] == ["2/1 in 41.19", "KG Train in 42.19"]
    assert "Lost" not in said and not any("supply" in line for line in said)
    assert not any("unseen" in line for line in said)  # below every enemy that is seen there may be others
    seen = [position(twilight, text, "central-powers") for text in (BEFORE, AFTER)]
    assert "1/1, from 41.19" in lines(compare(seen[0], seen[1]))


def test_a_stack_of_which_nothing_is_seen_is_told(twilight: Game) -> None:
    covered, bare = "41.19 ip=1: 1/1\n", "41.19: 1/1\n"
    seen = [position(twilight, text, "russian") for text in ("turn=1\n", covered, bare)]
    assert "41.19: ip 0 to 1, unseen units (central-powers)" in lines(compare(seen[0], seen[1]))
    found = lines(compare(seen[1], seen[2]))
    assert found[found.index("Newly seen") + 1] == "1/1 in 41.19"
    assert "41.19: ip 1 to 0" in found
    assert "41.19: ip 1 to 0, no longer any unseen units" in lines(compare(seen[1], seen[0]))


def test_only_positions_of_one_game_and_one_viewpoint_are_compared(twilight: Game) -> None:
    whole, side = position(twilight, BEFORE), position(twilight, BEFORE, "russian")
    with pytest.raises(InputError, match="one holds everything, other what the russian side may know"):
        compare(whole, side, called=("one", "other"))
    other = assistant.parse("game kaisers-war-in-the-east\n")
    with pytest.raises(InputError, match="one is a position of .*Twilight.*, other one of Kaiser"):
        compare(whole, other, called=("one", "other"))
    boards = [position(twilight, f"board {board}\n") for board in ("east", "sample")]
    with pytest.raises(InputError, match="one is on the board 'east', other on 'sample'"):
        compare(boards[0], boards[1], called=("one", "other"))


def test_the_page_names_every_field_of_the_json() -> None:
    page = (ROOT / "docs/mail/vassal.md").read_text("utf-8")
    table = page[page.index("the fields of `result` are") :]
    assert all(f"`{field.name}`" in table for field in msgspec.structs.fields(Comparison))
    for kind in (Move, Departure, Arrival, StackChange, FactChange):
        assert all(f"`{field.name}`" in table for field in msgspec.structs.fields(kind)), kind
