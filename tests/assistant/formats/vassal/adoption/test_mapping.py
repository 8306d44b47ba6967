"""A mapping as a player writes it: what is in it, and what is wrong with it, by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.formats.vassal.adoption.mapping import ModuleMapping, check_mapping, read_mapping
from assistant.game.games import Game
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
        (
            '[maps."Main"]\nhexes = "{column}"',
            "front.toml:4: [maps.Main] hexes: hex number format '{column}' must hold",
        ),
        (
            '[maps."Main"]\nboxes = { "A" = "Nowhere" }',
            "front.toml:4: [maps.Main.boxes] A: 'Nowhere' is not a hex number",
        ),
        (
            '[maps."Main".boards]\nEast = { at = [0, 0], scale = -1.0 }',
            "front.toml:4: [maps.Main.boards.East] scale: -1.0 is not allowed",
        ),
        ('[maps."Main"]\nknown = { "1" = "41.19" }', "front.toml:4: [maps.Main] known: '1' is not a hex number"),
        (
            '[units]\n"1/1" = "1 Div"\n"2/1" = "1 Div"',
            "front.toml:5: [units] 2/1: '1 Div' is already 1/1\n  name one of the two by its slot",
        ),
        ('[units]\n"9/99" = "1 Div"', "front.toml:4: [units] 9/99: unknown unit '9/99'"),
        ('[markers]\n"IP" = "ip=9"', "front.toml:4: [markers] IP: level of the Improved Position: 9 is not allowed"),
        (
            '[layers]\n"Loss" = ["", "-{}"]',
            "front.toml:4: [layers] Loss: '-{}' holds {}, but there is no value to put there",
        ),
        (
            '[layers]\n"Loss" = ["", "loost=1"]',
            "front.toml:4: [layers] Loss: 'loost=1' states no fact\n  nearest known: ",
        ),
        (
            '[properties]\n"A" = { "1" = "weather=freeze" }',
            "front.toml:4: [properties] A: 'weather=freeze' states no fact",
        ),
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
