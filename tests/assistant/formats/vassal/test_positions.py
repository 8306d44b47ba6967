"""Saves as positions: what the builder puts on the map is read back, and what cannot be understood is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats.positions import Position
from assistant.formats.vassal.containers import COMMANDS, ModuleData, write_container
from assistant.formats.vassal.legends import BOARD, GAME, GRID, HEADING
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import MODULE, Save, write_commands, write_save
from assistant.formats.vassal.streams import obfuscate
from assistant.formats.vassal.traits import LayerTrait, Trait, marker_trait, read_layer
from assistant.game.games import Game
from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game
from assistant.state.state import FactKey, GameState, Unit
from assistant.state.tracks import Fact
from assistant.util.errors import InputError
from module_builder.vassal.module import list_units, module_grid, shown_board, wanted_module
from module_builder.vassal.module_setting import MAP, ModuleSetting
from module_builder.vassal.pieces.maker import Art, Maker
from module_builder.vassal.pieces.statuses import Statuses
from module_builder.vassal.setups import write_set_up
from module_builder.vassal.windows import list_displays

from ....cases import examples
from ....conftest import GAME as TWILIGHT
from ....conftest import typed


def on_paper(game: Game) -> Game:
    """The game with a module of the printed map, which states nothing."""
    file = msgspec.structs.replace(game.file, module=msgspec.structs.replace(wanted_module(game), board=""))
    return Game(game.id, game.folder, file, game.tracks, game.made_by, game.overlay)


TWO = on_paper(load_game(TWILIGHT))


def setting_of(game: Game) -> ModuleSetting:
    """What the builder makes set-ups with, without drawing the counters."""
    wanted = wanted_module(game)
    art = {unit: Art("front.png", "back.png") for unit in list_units(game, wanted)}
    grid, about = module_grid(game, wanted), ModuleData("Module", "1", "3.6.0")
    sheets = list_displays(game, game.board(wanted.board).boxes, list(art), 75)
    board = shown_board(game, wanted)
    return ModuleSetting(game, Maker(game, art, 75), "Map", board.grid, grid, about, displays=sheets)


SETTING = setting_of(TWO)
SHOWN = Statuses(TWO)
UNITS = list(SETTING.maker.art)
HEXES = list(SETTING.grid.hexes)


def reread(save: Save) -> Position:
    return read_vassal(write_save(save), "game.vsav", load_game)


def position(text: str) -> Position:
    return typed(text)


def saved(text: str) -> Save:
    """The set-up of a position in notation."""
    return write_set_up(SETTING, position(text)).save


def changed(save: Save, **parts: Any) -> Save:
    return msgspec.structs.replace(save, **parts)


def with_pieces(save: Save, *pieces: Piece) -> Save:
    """The save with pieces in place of those that have the same id, or besides them."""
    return changed(save, pieces={**save.pieces, **{piece.id: piece for piece in pieces}})


STACK = "40.20: 35/17 -2 supply=low, 36/17 D1\n41.20: 1/1"


# --- what is read -----------------------------------------------------------------------------------------------------


def test_what_lies_on_no_map_is_out_of_play_or_no_matter() -> None:
    save = saved("40.20: 35/17 -1")
    unit = next(iter(save.pieces.values()))
    state = reread(changed(with_pieces(save, unit._replace(map="")), stacks={})).state
    assert state.units["35/17"].place is None
    assert state.facts["lost", "35/17"] == Fact(1)
    assert state.unread == ()
    assert unread(with_pieces(saved("40.20: 1/1"), strange("Smoke", map=""))) == ()


def test_a_unit_that_left_the_map_may_be_spoken_of_and_a_stack_moved_in_the_log_stands_there() -> None:
    save = saved("40.20: 35/17, 36/17")
    x, y = SETTING.grid.hexes["42.21"]
    step = f"M/stack 40.20/{MAP}/{x}/{y}/null/{MAP}/1/1/null/me"
    state = reread(changed(save, steps=(step,))).state
    assert [unit.id for unit in state.stack("42.21")] == ["35/17", "36/17"]
    save = changed(saved("40.20: 35/17 -3?, 36/17"), pieces={}, stacks={})
    found = reread(changed(save, public_notes=under_heading("35/17 -3? supply=low", '"1 r/1 R" D1')))
    assert {id: unit.place for id, unit in found.state.units.items()} == {"35/17": None, "1 r/1 R": None}
    assert found.state.facts["lost", "35/17"] == Fact(3, assumed=True)
    assert found.state.facts["supply", "35/17"] == Fact("low")
    assert found.state.value("disorder", "1 r/1 R") == 1


def test_notes_below_the_heading_are_notation() -> None:
    save = saved("40.20: 35/17")
    notes = f"anything: (\nask nonsense\n  {HEADING.upper()} \n35/17 -3\nask battle at=41.19\nanswers crt=7"
    found = reread(changed(save, public_notes=notes))
    assert found.state.value("lost", "35/17") == 3
    assert [(ask.question, dict(ask.parameters)) for ask in found.asks] == [("battle", {"at": "41.19"})]
    assert found.answers == {"crt": "7"}


# --- what is not understood -------------------------------------------------------------------------------------------


def unread(save: Save) -> tuple[str, ...]:
    return words(reread(save).state)


def words(state: GameState) -> tuple[str, ...]:
    """What was not understood."""
    return tuple(one.what for one in state.unread)


def strange(name: str, *outer: Trait, at: str = "42.22", map: str = MAP) -> Piece:
    where = SETTING.grid.hexes[at] if at else (3, 3)
    return Piece("strange", (*outer, Trait(f"piece;;;x.png;{name}")), map, where)


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (strange("Smoke"), "piece Smoke at 42.22: unknown"),
        (strange("Smoke", map="Elsewhere"), "piece Smoke on Elsewhere: unknown"),
        (strange("9 lw", marker_trait({"unit": "9 lw"})), f"unit 9 lw at 42.22: not in the roster of {TWO.title}"),
        (strange("35/17", marker_trait({"unit": "35/17"}), at=""), "35/17 is not on a hex of the map"),
        (strange("35/17", marker_trait({"unit": "35/17"}), map="Elsewhere"), "35/17 is not on a hex of the map"),
        (strange("IP", marker_trait({"marker": "ip"})), "marker IP at 42.22: its ip is not stated"),
        (strange("IP", marker_trait({"marker": "ip"}), at=""), "IP is not on a hex of the map"),
    ],
)
def test_pieces_that_are_not_understood(piece: Piece, said: str) -> None:
    assert unread(with_pieces(saved("40.20: 1/1"), piece)) == (said,)


@pytest.mark.parametrize("word", ["+ sideways", "+ supply=low", "+ -99", "+ D1"])
def test_a_layer_that_says_something_else(word: str) -> None:
    layer = Trait(LayerTrait("lost", ("", "x.png"), ("", word)).type, "2")
    piece = strange("35/17", layer, marker_trait({"unit": "35/17"}))
    found = unread(with_pieces(saved("40.20: 1/1"), piece))
    assert found == (f"35/17: layer lost has the unknown value {word[2:]!r}",)


def test_traits_and_commands_that_are_not_known() -> None:
    save = with_pieces(saved(STACK), strange("36/17", Trait("odd;1"), Trait("odd;2"), map=""))
    assert unread(changed(save, unread=("STRANGE\tx",), complete=False)) == (
        "a trait of kind 'odd'",
        "command 'STRANGE\\tx'",
        "the end of the save is missing: VASSAL did not finish writing it",
    )


# --- what cannot be read ----------------------------------------------------------------------------------------------


def refused(save: Save, what: str) -> InputError:
    with pytest.raises(InputError) as caught:
        reread(save)
    assert what in caught.value.what
    assert str(caught.value.where).startswith("game.vsav")
    return caught.value


def test_a_unit_that_is_there_twice_and_markers_that_differ() -> None:
    save = saved("40.20: 35/17")
    twin = next(iter(save.pieces.values()))._replace(id="twin", at=SETTING.grid.hexes["42.21"])
    refused(with_pieces(save, twin), "unit 35/17 is in the save twice, at 40.20 and at 42.21")
    refused(with_pieces(save, twin._replace(map="")), "unit 35/17 is in the save twice, at 40.20 and off the map")
    save = saved("40.20 ip=2")
    (one,) = save.pieces.values()
    other = next(iter(saved("40.20 ip=3").pieces.values()))._replace(id="other")
    assert reread(with_pieces(save, one._replace(id="same"))).state.value("ip", "40.20") == 2
    refused(with_pieces(save, other), "two markers at 40.20 state different values of level of the Improved Position")


def properties(**said: str | None) -> dict[tuple[str, str], str]:
    known = {**SETTING.properties, **{name.replace("_", " "): value for name, value in said.items()}}
    return {(MODULE, name): value for name, value in known.items() if value is not None}


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({GAME: None}, "the save belongs to Module, whose pieces are unknown"),
        ({GAME: "nonsense"}, "unknown game 'nonsense'"),
        ({BOARD: "nowhere"}, "unknown board 'nowhere'"),
        ({f"{GRID} {MAP}": "{"}, f"{GRID} {MAP} cannot be read"),
        ({f"{GRID} {MAP}": "[" * 3000}, f"{GRID} {MAP} cannot be read"),
        ({f"{GRID} {MAP}": '{"type":"Hexes","x0":1,"y0":1,"dx":0,"dy":1}'}, "cannot be read"),
        ({f"{GRID} {MAP}": '{"type":"Hexes","x0":1,"y0":1,"dx":1e-300,"dy":1}'}, "cannot be read"),
        ({f"{GRID} {MAP}": '{"type":"Hexes","x0":1' + "0" * 400 + ',"y0":1,"dx":9,"dy":9}'}, "cannot be read"),
        ({f"{GRID} {MAP}": '{"type":"Hexes","x0":1,"y0":1,"dx":9,"dy":9,"numbering":{"hLeading":99999}}'}, "cannot be"),
        ({f"{GRID} {MAP}": '{"type":"Regions","x":' + "[" * 3000 + "}"}, f"{GRID} {MAP} cannot be read"),
        ({"weather": "fog"}, "weather: 'fog' is not allowed"),
    ],
)
def test_properties_that_make_no_sense(said: dict[str, str | None], what: str) -> None:
    refused(changed(saved(STACK), properties=properties(**said)), what)


@pytest.mark.parametrize("turn", ["", "0", "0|", "0|x;0;false;0", "0|48;0;false;0", "|"])
def test_a_turn_that_makes_no_sense(turn: str) -> None:
    refused(changed(saved(STACK), turns={"TurnTracker0": turn}), "is not allowed")


@pytest.mark.parametrize(
    ("line", "where", "what"),
    [
        ("35/17 -99", "public notes:5:7", "99"),
        ("", "public notes:6", "a line cannot begin with"),
        ("game twilight-in-the-east", "public notes:5", "the game is already twilight-in-the-east"),
        ("40.20: 35/17", "public notes:5:8", "unit 35/17 is placed twice"),
    ],
)
def test_notes_with_an_error_in_them(line: str, where: str, what: str) -> None:
    notes = "\n".join(["a", "b", HEADING, "# comment", line, "nonsense"])
    error = refused(changed(saved("40.20: 35/17"), public_notes=notes), what)
    assert where in str(error.where)


def test_notes_that_contradict_the_map_or_the_tool_bar() -> None:
    save = saved("40.20: 35/17 -2")
    refused(changed(save, public_notes=f"{HEADING}\n35/17 -3"), "steps lost is stated twice: 2 and 3")
    save = changed(saved("turn=1"), turns={"TurnTracker0": "0|3;0;true;47"}, public_notes=under_heading("turn=1"))
    refused(save, "game turn is stated twice: 3 and 1")


def is_read_or_refused(data: bytes) -> None:
    try:
        assert isinstance(read_vassal(data, "game.vsav", load_game), Position)
    except InputError as error:
        assert error.where is not None


SMALL = changed(saved("40.20: 35/17 -2 prepared=41.19\n40.20 ip=1\nturn=3"), steps=("CHATa", f"M/1/{MAP}/5/5/null"))
STREAM = "\x1b".join(write_commands(SMALL))
SIGNS = st.sampled_from([*"\x1b\t/;\\'|-9²,", "null", "LOG\t", "PNOTES\t", "+ ", "9" * 30, "1e9", "A", "true", ""])


@given(st.lists(st.tuples(st.integers(0, len(STREAM)), st.integers(0, 4), SIGNS), min_size=1, max_size=6))
@settings(max_examples=examples(150))
def test_a_damaged_save_is_a_position_or_an_input_error(changes: list[tuple[int, int, str]]) -> None:
    text = STREAM
    for at, out, sign in changes:
        text = text[:at] + sign + text[at + out :]
    is_read_or_refused(write_container({COMMANDS: obfuscate(text)}))


@given(st.integers(0, 10**6), st.integers(1, 255), st.booleans())
@settings(max_examples=examples(50))
def test_a_damaged_file_is_a_position_or_an_input_error(at: int, flip: int, cut: bool) -> None:
    data = bytearray(write_save(SMALL))
    data[at % len(data)] ^= flip
    is_read_or_refused(bytes(data[: at % len(data)] if cut else data))


TEXT = st.text(alphabet="abÄ ß/.,'()-\"|;\\", min_size=1, max_size=8).filter(lambda text: not text.endswith("\\"))
PLAIN = st.text(alphabet="abÄ ß/.,'()-|;", min_size=1, max_size=8)

NAMED = {"hex": HEXES, "unit": UNITS}


def some(draw: Callable[..., Any], values: Iterable[Any]) -> list[Any]:
    found = list(values)
    return draw(st.lists(st.sampled_from(found), max_size=3, unique_by=repr)) if found else []


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Units of the module's roster on hexes of its board, and whatever may be said of them and the game."""
    hexes = draw(st.lists(st.sampled_from(HEXES), min_size=1, max_size=4, unique=True))
    chosen = draw(st.lists(st.sampled_from(UNITS), max_size=6, unique=True))
    sides = {place: draw(st.sampled_from(list(TWO.file.sides))) for place in hexes}
    placed: list[Unit] = []
    facts: dict[FactKey, Fact] = {}
    for unit in chosen:
        side = TWO.side_of(str(TWO.roster[unit]["nation"][0].value))
        places = [place for place in hexes if sides[place] == side] + [None, "01.100"]
        place = draw(st.sampled_from(places))
        order = sum(one.place == place for one in placed)
        if place != "01.100" or side == "russian":
            placed.append(Unit(unit, unit, place, order if place else 0))
            for status in some(draw, SHOWN.shown(unit)[0]):
                value = draw(st.sampled_from(status.levels)).value
                facts[status.track.name, unit] = Fact(value, assumed=draw(st.booleans()))
            for track in some(draw, SHOWN.shown(unit)[1]):
                assumed = draw(st.booleans())
                texts = st.sampled_from(NAMED[track.names]) if track.names else PLAIN if assumed else TEXT
                facts[track.name, unit] = Fact(draw(texts if assumed else texts | st.just("")), assumed=assumed)
    for place in hexes:
        for name in some(draw, ["ip", "control", "terrain", "station"]):
            facts[name, place] = Fact(draw(values(name)), assumed=draw(st.booleans()))
        around = TWO.board("").neighbours(place)
        for name in some(draw, ["barrier", "rail", "crossing"]):
            side = "|".join(sorted((place, draw(st.sampled_from(around)))))
            facts[name, side] = Fact(draw(values(name)), assumed=draw(st.booleans()))
    for name in some(draw, ["weather", "campaign"]):
        facts[name, ""] = Fact(draw(values(name)), assumed=draw(st.booleans()))
    facts["turn", ""] = Fact(draw(st.integers(1, 47)), assumed=draw(st.booleans()))  # a tracker always shows one
    text = ["ask battle at=41.19 from=40.19,40.20", 'ask supply unit="1 r/1 R"', "answers crt=2+5 slrt=3/4"]
    text += ["trust counters", "ruling flip-point=half-down", "chart crt summer 1:1 9 = -1 * / +2 W1"]
    said = typed("\n".join(draw(st.lists(st.sampled_from(text), unique=True))))
    kept = {name: getattr(said.state, name) for name in ("cells", "rulings", "accepts")}
    return said.with_state(build_state(TWO, Stated(units=placed, facts=facts, **kept)))


def values(track: str) -> st.SearchStrategy[Any]:
    known = TWO.tracks[track]
    if known.kind == "choices":
        return st.lists(st.sampled_from(known.values), max_size=3, unique=True).map(lambda words: known.check(words))
    return st.sampled_from(known.in_turn())


def goes_without_saying(key: FactKey, fact: Fact) -> bool:
    """Whether a counter says it by showing nothing."""
    track = TWO.tracks[key[0]]
    return track.on == "unit" and fact.value == track.absent and not fact.assumed


@given(positions())
@settings(max_examples=examples(60))
def test_a_position_comes_back_from_its_set_up(position: Position) -> None:
    made = write_set_up(SETTING, position, "Notes")
    found = reread(made.save)
    state, left_out = position.state, set(made.left_out)
    assert left_out == {unit.id for unit in state.units.values() if unit.place not in HEXES}
    assert found.state.units == {id: unit for id, unit in state.units.items() if id not in left_out}
    said = {
        key: fact for key, fact in state.facts.items() if key[1] not in left_out and not goes_without_saying(key, fact)
    }
    assert found.state.facts == said
    for name in ("game", "board", "cells", "rulings", "lines", "accepts"):
        assert getattr(found.state, name) == getattr(state, name), name
    assert found.state.unread == ()
    assert [(ask.question, ask.parameters) for ask in found.asks] == [(a.question, a.parameters) for a in position.asks]
    assert found.answers == position.answers


# --- what happens at the table ----------------------------------------------------------------------------------------


def under_heading(*lines: str) -> str:
    return "\n".join([HEADING, *lines])


def put(unit: str, at: tuple[int, int], **values: Any) -> Piece:
    """A unit's counter at a pixel of the map."""
    return SETTING.maker.placed_unit(unit, values, "1", MAP, at)


def alone(piece: Piece, notes: str = "") -> Save:
    """A save with a single piece on the map."""
    return changed(saved(""), pieces={piece.id: piece}, stacks={}, public_notes=notes)


MIDDLE = SETTING.grid.hexes["40.20"]


def test_doubts_that_the_tool_bar_or_a_marker_overrules() -> None:
    save = saved("turn=1? weather=freeze?")
    assert {"turn=1?", "weather=freeze?"} <= set(save.public_notes.split())
    moved = changed(save, turns={"TurnTracker0": "0|3;0;true;47"}, properties=properties(weather="normal"))
    facts = reread(moved).state.facts
    assert (facts["turn", ""], facts["weather", ""]) == (Fact(3), Fact("normal"))
    facts = reread(save).state.facts
    assert (facts["turn", ""], facts["weather", ""]) == (Fact(1, assumed=True), Fact("freeze", assumed=True))
    save = changed(saved("weather=freeze?"), properties=properties(weather=""))
    assert reread(save).state.facts["weather", ""] == Fact("freeze", assumed=True)
    save = saved("40.20 ip=2? control=russian?")
    (level,) = (one for one in SETTING.maker.markers if one.track.name == "ip")
    piece = SETTING.maker.placed_marker(level, 3, "1", MAP, MIDDLE)
    assert [one.name for one in save.pieces.values()] == ["IP", "Control"]
    facts = reread(with_pieces(save, piece)).state.facts
    assert (facts["ip", "40.20"], facts["control", "40.20"]) == (Fact(3), Fact("russian", assumed=True))


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"lost": 3}, Fact(3, assumed=True)),
        ({"lost": 2}, Fact(2)),
        ({}, None),  # no tag is what silence means
    ],
)
def test_doubts_that_a_tag_overrules(now: dict[str, int], expected: Fact | None) -> None:
    notes = saved("40.20: 35/17 -3?").public_notes
    assert "35/17 -3?" in notes.splitlines()
    assert reread(alone(put("35/17", MIDDLE, **now), notes)).state.facts.get(("lost", "35/17")) == expected


@pytest.mark.parametrize("state", ["99", "-99", "0", "", "9" * 9])
def test_a_level_that_a_layer_does_not_have(state: str) -> None:
    piece = put("35/17", MIDDLE)
    traits = (Trait(one.type, state) if layer_of(one) == "lost" else one for one in piece.traits)
    found = reread(alone(piece._replace(traits=tuple(traits)))).state
    assert words(found) == (f"35/17: layer lost has the unknown value 'level {state}'",)
    assert ("lost", "35/17") not in found.facts and found.units["35/17"].place == "40.20"


def layer_of(trait: Trait) -> str:
    return read_layer(trait.type).name if trait.kind == "emb2" else ""


@pytest.mark.parametrize("hex", ["28.20", "70.20", "40.12", "40.42"])
def test_the_last_hexes_that_are_drawn_and_those_beyond(hex: str) -> None:
    x, y = SETTING.grid.hexes[hex]
    assert reread(alone(put("35/17", (x, y)))).state.units["35/17"].place == hex
    wide, high = SETTING.grid.grid.dx, SETTING.grid.grid.dy
    over = {"28.20": (wide, high / 2), "70.20": (-wide, high / 2), "40.12": (0, -high), "40.42": (0, high)}[hex]
    state = reread(alone(put("35/17", (round(x + over[0]), round(y + over[1]))))).state
    assert (state.units["35/17"].place, words(state)) == (None, ("35/17 is not on a hex of the map",))


def test_a_unit_dragged_from_its_box_stands_in_the_hex_and_off_the_sheet_in_none() -> None:
    box, (window, at) = next((place, spot) for place, spot in SETTING.pixels_by_place.items() if spot[0] != MAP)
    wide, high = SETTING.displays[window].size
    piece = put("35/17", at)._replace(map=window)
    assert reread(alone(piece)).state.units["35/17"].place == box
    assert reread(alone(piece._replace(map=MAP, at=MIDDLE))).state.units["35/17"].place == "40.20"
    for off in ((wide, at[1]), (at[0], high), (-1, at[1]), (at[0], -1)):
        state = reread(alone(piece._replace(at=off))).state
        assert (state.units["35/17"].place, words(state)) == (None, ("35/17 is not on a hex of the map",))
    smoke = strange("Smoke", map=window)._replace(at=(wide, high))
    assert unread(with_pieces(saved("40.20: 1/1"), smoke)) == (f"piece Smoke on {window}: unknown",)


@pytest.mark.parametrize(("off", "said"), [((3, -3), False), ((4, 0), True), ((0, -20), True), ((30, 30), True)])
def test_a_piece_beside_the_middle_of_its_hex(off: tuple[int, int], said: bool) -> None:
    state = reread(alone(put("35/17", (MIDDLE[0] + off[0], MIDDLE[1] + off[1])))).state
    assert state.units["35/17"].place == "40.20"
    assert words(state) == (("35/17 is off the centre of 40.20; assumed to be in it",) if said else ())


def test_notes_without_the_heading_are_reported_unless_they_are_empty() -> None:
    save = saved("40.20: 35/17")
    complaint = ("the public notes have no line 'Field Staff'",)
    assert unread(changed(save, public_notes="35/17 -3")) == complaint
    assert unread(changed(save, public_notes="Field Staff 35/17 -3")) == complaint
    assert unread(changed(save, public_notes=" \n\n ")) == ()


@pytest.mark.parametrize("heading", ["Field Staff:", "FIELD STAFF", "  field staff :  ", "\tField staff"])
def test_ways_to_write_the_heading(heading: str) -> None:
    state = reread(changed(saved("40.20: 35/17"), public_notes=f"Dear all,\n{heading}\n36/17 -1")).state
    assert (state.value("lost", "36/17"), words(state)) == (1, ())


def test_of_two_stacks_in_one_hex_the_later_one_lies_on_top() -> None:
    save = saved("40.20: 35/17, 36/17\n42.21: 1/1")
    names = {piece.name: id for id, piece in save.pieces.items()}
    stacks = {
        "a": PieceStack("a", (names["35/17"],), MAP, MIDDLE),
        "b": PieceStack("b", (names["1/1"], names["36/17"]), MAP, (MIDDLE[0] + 1, MIDDLE[1])),
    }
    for order, expected in (("ab", ["36/17", "1/1", "35/17"]), ("ba", ["35/17", "36/17", "1/1"])):
        state = reread(changed(save, stacks={name: stacks[name] for name in order})).state
        assert [unit.id for unit in state.stack("40.20")] == expected


def test_enemies_in_one_hex_are_a_fault_of_the_file_not_of_the_notes() -> None:
    save = with_pieces(saved("40.20: 35/17"), put("25/3", MIDDLE)._replace(id="enemy"))
    error = refused(changed(save, public_notes=under_heading("weather=freeze")), "40.20 holds units of different sides")
    assert str(error.where) == "game.vsav"


@pytest.mark.parametrize("step", ["D/nobody/x", "-/nobody", f"M/nobody/{MAP}/5/5/null/{MAP}/1/1/null/me"])
def test_steps_of_a_log_about_pieces_that_are_not_there(step: str) -> None:
    state = reread(changed(saved("40.20: 35/17"), steps=("CHATall goes on", step))).state
    assert words(state) == (f"command {step!r}",)
    assert state.units["35/17"].place == "40.20"
