"""Chains of hexes: a network as it is typed, in signs and letters or in words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats import json_state
from assistant.formats.chains import join_chains
from assistant.formats.notation import read_notation
from assistant.formats.notation_writer import write_notation
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.tracks import Fact
from assistant.util.errors import InputError

from ...conftest import GAME, typed


def facts(text: str) -> dict[tuple[str, str], Any]:
    return {key: fact.value for key, fact in typed(text).state.facts.items()}


def test_a_network_and_other_lines_state_what_lies_between_hexes_and_in_them() -> None:
    assert facts("4023=4022=4021-4020r") == {
        ("rail", "40.22|40.23"): "rail2",
        ("rail", "40.21|40.22"): "rail2",
        ("rail", "40.20|40.21"): "rail1",
        ("terrain", "40.20"): "rough",
    }
    assert facts("40.23: 25/3\n40.20|40.21 open\n40.20 rough") == {
        ("barrier", "40.20|40.21"): ("open",),
        ("terrain", "40.20"): "rough",
    }
    text = f"game {GAME}\n40.23=40.22=40.21-40.20\n41.22:40.22\n40.20 rough\n40.22|41.21 open ridge\n"
    assert write_notation(typed("4023=4022=4021-4020r 4022:4122 4022/-ridge-4121")) == text


@pytest.mark.parametrize(
    ("chain", "same"),
    [
        ("4023=4022", "40.23=40.22"),
        ("4023=4022", "4023-rail2-4022"),
        ("4023=4022", "40.22|40.23 rail2"),
        ("4023/4022r", "40.22|40.23 open\n40.22 rough"),
        ("4023~:4022", "40.22|40.23 major-river road"),
        ("4023m:4022r!", "40.22|40.23 road\n40.23 mountain\n40.22 rough complete"),
        ("4023rough:4022 wetlands", "4023r:4022w"),
        ("4023r?:4022", "40.23 rough?\n40.22|40.23 road"),
        ("4023! 4022r!", "40.23 complete\n40.22 rough complete"),
        ("4023=4022 4121:4021", "4023=4022\n4121:4021"),
        ("4023=4022, 4121:4021", "4023=4022\n4121:4021"),
        ("4023=4022 -ferry- 4021", "4023=4022-ferry-4021"),
        ("4023-major-river-ferry-road-4022", "40.22|40.23 major-river ferry road"),
        ("4023~-ferry-secondary-road-4022r", "40.22|40.23 major-river ferry secondary-road\n40.22 rough"),
        ("4023-rail=rail1-road-4022", "40.22|40.23 rail1 road"),
        ("4023=4022 -ferry-road- 4021", "40.22|40.23 rail2\n40.21|40.22 ferry road"),
        ("4023 operational=none", "40.23 operational=none"),
        ("4023, 4022 clear\n4023|4022 open\n4021: 25/3", "40.23, 40.22 clear\n40.22|40.23 open\n40.21: 25/3"),
    ],
)
def test_several_ways_to_type_the_same(chain: str, same: str) -> None:
    assert typed(chain).state == typed(same).state


def test_what_is_typed_wins_over_a_drawn_board() -> None:
    position = typed("board sample\n6537:6637")
    assert position.state.facts["road", "65.37|66.37"] == Fact("road")


@pytest.mark.parametrize(
    ("line", "where", "what", "hint"),
    [
        ("4023=4022=", "2:11", "a hex is missing at the end", "= rail2, - rail1"),
        ("4023=4021", "2:6", "40.23 and 40.21 are not adjacent", "adjacent to 40.23: 40.22"),
        ("4023=4022x", "2:10", "'x' has no meaning after a hex", "after a hex: c clear, r rough"),
        ("4023=4022-foo-4021", "2:11", "'foo-4021' has no meaning after a hex", "r rough"),
        ("4023-ferry-foo-4022", "2:12", "'foo-4022' has no meaning after a hex", "r rough"),
        ("4023-road=rail1-4022", "2:1", "roadway: 'rail1' is not allowed", "primary-road"),
        ("4023=4022%4021", "2:10", "'%4021' has no meaning after a hex", "between two hexes: = rail2"),
        ("4023=4022=9999", "2:11", "hex 99.99 is off the map", "columns run from 1 to 98"),
        ("4023==4022", "2:6", "rail2 is typed twice", "= rail2"),
        ("4023-4022=4023", "2:10", "RR line is stated twice: rail1 and rail2", "leave out one"),
        ("4023=4022 4021", "2:11", "40.21 is linked to no other hex", "type what lies between"),
        ("4023=4022 -road-", "2:12", "a hex is missing at the end of the chain", "= rail2"),
        ("4023=4022?", "2:10", "'?' has no meaning after a hex", "c clear"),
    ],
)
def test_errors_name_the_column_and_what_to_type(line: str, where: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        typed(line)
    assert str(caught.value.where) == f"typed.pos:{where}"
    assert what in caught.value.what
    assert hint in caught.value.hint


def test_a_game_without_signs_has_no_chains(twilight: Game) -> None:
    notation = msgspec.structs.replace(twilight.file.notation, signs={}, letters={})
    game = Game(
        twilight.id, twilight.folder, msgspec.structs.replace(twilight.file, notation=notation), twilight.tracks
    )
    with pytest.raises(InputError, match="'4023=4022' is not a hex number"):
        read_notation(f"game {GAME}\n4023=4022".encode(), "x.pos", lambda _: game)


@given(st.data())
def test_a_random_network_is_read_back_from_notation_and_json(twilight: Game, data: st.DataObject) -> None:
    """Typed with signs and letters, written and read again: the state stays the same, in few lines."""
    board = twilight.board("")
    signs = st.sampled_from(["=", "-", ":", "/", "~:", "^/", "+~"])
    letters: dict[str, str] = {}
    lines = []
    stated: dict[str, str] = {}
    for _ in range(data.draw(st.integers(1, 4))):
        chain = here = data.draw(st.sampled_from(["40.20", "41.20", "40.23"]))
        for _ in range(data.draw(st.integers(1, 5))):
            there = data.draw(st.sampled_from(board.neighbours(here)))
            side = "|".join(sorted((here, there)))
            stated.setdefault(side, data.draw(signs))
            letters.setdefault(there, data.draw(st.sampled_from(["", "r", "m", "c!"])))
            chain += f"{stated[side]}{there.replace('.', '')}{letters[there]}"
            here = there
        lines.append(chain)
    position = typed("\n".join(lines))
    again = read_notation(write_notation(position).encode(), "written.pos", load_game)
    assert again.state == position.state
    assert json_state.read_json(json_state.write_json(position), "x.json", load_game).state == position.state


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda side: side[0] < side[1]), max_size=15))
def test_each_hexside_is_in_one_chain(sides: set[tuple[int, int]]) -> None:
    named = [(str(one), str(other)) for one, other in sides]
    for most in (3, 20):
        chains = join_chains(named, most)
        assert all(2 <= len(chain) <= most for chain in chains)
        passed = [tuple(sorted(pair)) for chain in chains for pair in pairwise(chain)]
        assert sorted(passed) == sorted(named)
