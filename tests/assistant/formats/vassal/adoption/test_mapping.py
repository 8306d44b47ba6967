"""A mapping as a player writes it: what is in it, its words and places, and what is wrong with it, by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.adoption.mapping import (
    MARKER_SUBJECTS,
    UNIT_SUBJECTS,
    ModuleMapping,
    check_mapping,
    read_mapping,
)
from assistant.formats.vassal.adoption.meanings import Meanings, Numbers, Places
from assistant.formats.vassal.legends import Statement
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

HEAD = 'module = "Front"\ngame = "twilight-in-the-east"\n'


def mapping(tmp_path: Path, text: str) -> tuple[ModuleMapping, Path]:
    file = tmp_path / "front.toml"
    file.write_text(HEAD + text, "utf-8")
    return read_mapping(file), file


def test_a_mapping_may_say_very_little(tmp_path: Path, twilight: Game) -> None:
    found, file = mapping(tmp_path, "")
    check_mapping(found, twilight, file)
    assert (found.module, found.game, found.units) == ("Front", "twilight-in-the-east", {})
    found, _ = mapping(tmp_path, '[units]\n"1/1" = "1 Div"\n"2/1" = ["2 Div", "#7"]\n"25/3" = ""\n')
    assert [found.pieces_of(unit) for unit in ("1/1", "2/1", "25/3", "27/3")] == [("1 Div",), ("2 Div", "#7"), (), ()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('board = "west"', "front.toml:3: board: unknown board 'west'"),
        ('[sides]\n"Red" = "russians"', "front.toml:4: [sides] Red: unknown side 'russians'\n  nearest known: russian"),
        ('[maps."Main"]\nhexes = "{column}"', "front.toml:4: [maps.Main] hexes: hex number format '{column}' must"),
        ('[maps."Main"]\nboxes = { "A" = "Nowhere" }', "front.toml:4: [maps.Main.boxes] A: 'Nowhere' is not a hex"),
        ('[maps."Main".boards]\nEast = { at = [0, 0], scale = -1.0 }', "front.toml:4: [maps.Main.boards.East] scale:"),
        ('[maps."Main"]\nknown = { "1" = "41.19" }', "front.toml:4: [maps.Main] known: '1' is not a hex number"),
        ('[units]\n"1/1" = "1 Div"\n"2/1" = "1 Div"', "front.toml:5: [units] 2/1: '1 Div' is already 1/1\n  name one"),
        ('[units]\n"9/99" = "1 Div"', "front.toml:4: [units] 9/99: unknown unit '9/99'"),
        ('[markers]\n"IP" = "ip=9"', "front.toml:4: [markers] IP: level of the Improved Position: 9 is not allowed"),
        ('[layers]\n"Loss" = ["", "-{}"]', "front.toml:4: [layers] Loss: '-{}' holds {}, but there is no value to"),
        ('[layers]\n"Loss" = ["", "loost=1"]', "front.toml:4: [layers] Loss: 'loost=1' states no fact\n  nearest"),
        ('[properties]\n"A" = { "1" = "weather=freeze" }', "front.toml:4: [properties] A: 'weather=freeze' states no"),
        ('[traits]\nmorale = { state = ["x{}"] }', "front.toml:4: [traits.morale] state: 'x{}' states no fact"),
        ('[turn]\n"Turn" = "-{}"', "front.toml:4: [turn] Turn: '-{}' states no fact"),
        ("[unit]", "front.toml:3: unit: unknown key\n  nearest known: units"),
        ('[layers]\n"Loss" = "-1"', "front.toml:4: [layers] Loss: '-1' is not allowed\n  allowed: a list"),
        pytest.param(
            f'[units]\n"1/1" = "{"z" * 501}"',
            "front.toml:4: [units] 1/1: 501 characters are too many\n  allowed: at most 500",
            id="a name that is too long",
        ),
        pytest.param(
            f'[maps."{"z" * 501}"]\naside = true',
            f"front.toml:3: [maps] {'z' * 100}...: 501 characters are too many",
            id="a key that is too long",
        ),
        ('[units]\n"1/1" = 7', "front.toml:4: [units] 1/1: 7 is not allowed"),
    ],
)
def test_what_is_wrong_is_told_by_line(tmp_path: Path, twilight: Game, text: str, message: str) -> None:
    with pytest.raises(InputError) as told:
        check_mapping(*(found := mapping(tmp_path, text))[:1], twilight, found[1])
    assert message in str(told.value)
    assert len(str(told.value).splitlines()) <= 2


@pytest.mark.parametrize(
    ("words", "value", "stated"),
    [
        ("-1", "", [("lost", "-1")]),
        ("reduced -2", "", [("reduced", "reduced"), ("lost", "-2")]),
        ("cel=-{}", "3", [("cel", "cel=-3")]),
        ("cel=-{}", "9", [("cel", "cel=-9")]),
        ("army={}", "First Army", [("army", "First Army")]),
        ('army="First Army"', "", [("army", "First Army")]),
        ("{}", "russian", [("nation", "russian")]),
        ("ip=2", "", [("ip", "ip=2")]),
        ("", "", []),
    ],
)
def test_what_words_state(twilight: Game, words: str, value: str, stated: list[tuple[str, str]]) -> None:
    assert list(Meanings(twilight).stated(words, UNIT_SUBJECTS, value)) == [Statement(*one) for one in stated]


def test_words_that_may_state_several_things_state_that_of_the_first_kind_of_subject(twilight: Game) -> None:
    meanings = Meanings(twilight)
    assert meanings.possible("control={}", MARKER_SUBJECTS) == ["control"]
    assert meanings.possible(("", "-1", "D2"), UNIT_SUBJECTS) == ["lost", "disorder"]


@pytest.mark.parametrize("words", ["nonsense", "cell={}", "-1 nonsense", "=", "cel=x"])
def test_words_that_state_nothing_are_refused(twilight: Game, words: str) -> None:
    with pytest.raises(InputError):
        Meanings(twilight).check(words, UNIT_SUBJECTS)


TWILIGHT = load_game("twilight-in-the-east")
BOARD = TWILIGHT.board("")


@pytest.mark.parametrize(
    ("format", "known", "printed", "hex"),
    [
        ("", {}, "41.19", "41.19"),
        ("", {}, "4119", "41.19"),
        ("{column:02}-{row:02}", {}, "41-19", "41.19"),
        ("{row:02}{column:02}", {}, "1941", "41.19"),
        ("{column:A}{row}", {"N5": "41.19"}, "N5", "41.19"),
        ("{column:A}{row}", {"N5": "41.19"}, "P3", "43.17"),
        ("{column},{row}", {"5,7": "41.19"}, "6,8", "42.20"),
        ("{column},{row}", {"5,7": "41.19", "6,8": "40.20"}, "7,9", "39.21"),
        ("{column},{row}", {"5,7": "41.19"}, "99,7", ""),
        ("Main {column:02}{row:02}", {}, "Main 4119", "41.19"),
        ("", {}, "Reserve", ""),
        ("", {}, "", ""),
    ],
)
def test_the_number_of_a_hex(format: str, known: dict[str, str], printed: str, hex: str) -> None:
    assert Numbers(format, known, BOARD).hex(printed) == hex


@pytest.mark.parametrize(
    ("format", "known", "message"),
    [
        ("{column:02}", {}, "must hold {column} and {row} once each"),
        ("{column},{row}", {"5,7": "41.19", "6,7": "43.19"}, "the known hexes contradict each other"),
        ("{column},{row}", {"57": "41.19"}, "'57' is not a hex number"),
        ("{column},{row}", {"5,7": "4x"}, "'4x' is not a hex number"),
    ],
)
def test_what_leads_nowhere(format: str, known: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as told:
        Numbers(format, known, BOARD)
    assert message in told.value.what


COLUMNS, ROWS = st.integers(1, 98), st.integers(12, 114)


@given(
    COLUMNS,
    ROWS,
    COLUMNS,
    ROWS,
    st.integers(-50, 50),
    st.integers(-50, 50),
    st.sampled_from([1, -1]),
    st.sampled_from([1, -1]),
)
def test_two_known_hexes_tell_all_others(
    column: int, row: int, other_column: int, other_row: int, across: int, down: int, turned: int, upside: int
) -> None:
    """However a module counts, two hexes in different columns and rows lead from each of its numbers to the game's."""

    def theirs(at: Hex) -> str:
        return f"{1000 + across + turned * at.column},{1000 + down + upside * at.row}"

    here, there = Hex(column, row), Hex(other_column, other_row)
    known = {theirs(at): BOARD.grid.name(at) for at in (here, Hex(here.column % 98 + 1, 12 + (here.row - 11) % 103))}
    assert Numbers("{column},{row}", known, BOARD).hex(theirs(there)) == BOARD.grid.name(there)


def test_boxes_are_called_as_the_mapping_says_or_like_the_games(twilight: Game) -> None:
    board = twilight.board("")
    places = Places(board, Numbers("", {}, board), {"Bukowina": "Bukowina Holding Box", "Rail Pool": ""})
    assert [places.name(one) for one in ("bukowina", "BUKOWINA HOLDING BOX", "Rail Pool", "4119", "Nowhere", "")] == [
        "Bukowina Holding Box",
        "Bukowina Holding Box",
        "",
        "41.19",
        "",
        "",
    ]
    assert [places.is_aside(one) for one in ("Rail Pool", "Bukowina", "Nowhere")] == [True, False, False]
