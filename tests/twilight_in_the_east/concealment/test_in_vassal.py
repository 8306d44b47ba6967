"""Hidden units in a VASSAL module: what its counters show comes back from a save, and the enemy learns nothing from either."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats import json_state
from assistant.formats.positions import Position
from assistant.formats.vassal import LOG, SAVE
from assistant.formats.vassal.hidden_facts import is_keeping, make_keeping_trait
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.written.files import NotWritten, carry_on
from assistant.game.covers import cover_counters
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.records.mailing import names_hidden
from assistant.state.changes import AnyChange, Change, Leave
from assistant.util.errors import InputError
from module_builder.vassal.module import make_palettes
from module_builder.vassal.setups import write_set_up

from ...assistant.formats.vassal.test_positions import SETTING
from ...cases import examples, few
from ...conftest import GAME, answered, typed

NOW = "turn=3 phase=movement phasing=russian hidden-units={}\n"
CAPS, CRESTS = NOW.format("caps"), NOW.format("concealment")
CAPPED = (
    CAPS + '40.20 capped: 25/3, "3 Train"\n43.20: 27/3 -1\n41.15: 1/1\n42.15: Tilsit concealed\n41.17 capped: Dummy/R1'
)
HIDDEN = CRESTS + '40.20: 25/3 concealed, "3 Train"\n43.20: Dummy/R2 concealed, 27/3 -1 concealed\n41.15: 1/1'
FACE_UP = 'turn=3 phase=movement phasing=russian\n40.20: 25/3, "3 Train", 27/3\n41.15: 1/1'


PALETTES = msgspec.structs.replace(make_palettes(load_game(GAME)), about=SETTING.about)


def in_a_save(text: str) -> Save:
    return write_set_up(SETTING, typed(text)).save


def read_back(save: Save) -> Position:
    return read_vassal(write_save(save), "game.vsav", load_game)


def standing(position: Position) -> tuple[object, ...]:
    units = {unit.id: (unit.place, unit.order) for unit in position.state.units.values()}
    return units, {key: fact.value for key, fact in position.state.facts.items()}, position.state.unread


def carried(source: Save, target: Position, ending: str = SAVE) -> bytes:
    return carry_on(write_save(source), target, ending, "* done *", lambda: PALETTES).data


def pieces_of(data: bytes) -> Mapping[str, Piece]:
    """The pieces by unit, and the caps by their nations."""
    marks = {id: piece.marks() for id, piece in replay(read_save(data)).pieces.items()}
    pieces = replay(read_save(data)).pieces
    return {said.get("unit", "") or f"{said['marker']} {said['nation']}": pieces[id] for id, said in marks.items()}


# --- there and back -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [CAPPED, HIDDEN, CAPS + "42.15 capped: Tilsit concealed, 2/1"])
def test_what_is_hidden_stands_in_no_note_of_a_set_up_and_comes_back_from_it(text: str) -> None:
    save = in_a_save(text)
    assert not {"capped", "concealed", "hidden-units"} & {*save.public_notes.replace("=", " ").split()}
    assert standing(read_back(save)) == standing(typed(text))


@few(4)
@pytest.mark.parametrize("ending", [SAVE, LOG])
@pytest.mark.parametrize(
    ("before", "after"), [(FACE_UP, CAPPED), (FACE_UP, HIDDEN), (CAPPED, HIDDEN), (HIDDEN, CAPPED)]
)
def test_a_position_becomes_a_save_or_log_and_comes_back(before: str, after: str, ending: str) -> None:
    written = carried(in_a_save(before), typed(after), ending)
    assert standing(read_vassal(written, f"game{ending}", load_game)) == standing(typed(after))


def test_a_cap_lies_on_the_top_of_its_stack_and_is_of_the_nation_of_its_top_unit() -> None:
    for data in (write_save(in_a_save(CAPPED)), carried(in_a_save(FACE_UP), typed(CAPPED))):
        save, pieces = read_save(data), pieces_of(data)
        cap = pieces["capped russian"]
        assert [pieces[unit].owners() for unit in ("25/3", "3 Train", "Dummy/R1", "27/3")] == [
            {"hide": "russian"}
        ] * 3 + [{}]
        assert (cap.owners(), cap.marks()["Layer"]) == ({}, "russian")
        assert {save.stacks[id].pieces[-1] for id in save.stacks if cap.id in save.stacks[id].pieces} == {cap.id}
    german = write_save(in_a_save(CAPS + "41.19 capped: 1/1"))
    assert pieces_of(german)["capped german"].marks()["Layer"] == "central-powers"


def test_a_cap_goes_with_its_stack_and_who_leaves_it_is_seen_again() -> None:
    source = in_a_save(CAPPED)
    here = read_back(source)
    moved = here.after((Change("place", "25/3", "40.20", "40.19", "8.1"),))
    data = carried(source, moved)
    assert pieces_of(data)["25/3"].owners() == {}
    assert pieces_of(data)["3 Train"].owners() == {"hide": "russian"}
    both = (
        Change("place", "25/3", "40.20", "40.19", "8.1"),
        Change("place", "3 Train", "40.20", "40.19", "8.1"),
        Change("capped", "40.20", True, None, "26.1.1"),
        Change("capped", "40.19", None, True, "26.1.1"),
    )
    again = read_vassal(carried(source, here.after(both)), "game.vsav", load_game)
    assert standing(again) == standing(here.after(both))


def test_a_unit_that_comes_to_light_is_turned_up_and_a_dummy_leaves_the_map() -> None:
    source = in_a_save(HIDDEN)
    shown: tuple[AnyChange, ...] = (
        Change("concealed", "25/3", True, None, "26.2.4"),
        Change("place", "Dummy/R2", "43.20", None, "26.2.4"),
        Change("concealed", "Dummy/R2", True, None, "26.2.4"),
    )
    pieces = pieces_of(carried(source, read_back(source).after(shown)))
    assert (pieces["25/3"].owners(), pieces["27/3"].owners()) == ({}, {"obs": "russian"})
    assert pieces["Dummy/R2"].map == "Out of play"


def test_a_new_dummy_comes_from_the_palette_and_once_more_after_it_was_taken_off() -> None:
    source = in_a_save(CAPS + "40.20: 25/3\n41.15: 1/1")
    report = answered(read_back(source), "conceal", at="40.20", dummy="Dummy/R1", movement=6)
    placed = read_back(source).after(report.changes)
    assert [unit.id for unit in placed.state.stack("40.20")] == ["Dummy/R1", "25/3"]
    save = read_save(carried(source, placed))
    gone = read_back(save).after((Change("place", "Dummy/R1", "40.20", None, "26.1.2c"),))
    off = read_save(carried(save, gone))
    again = answered(read_back(off), "conceal", at="40.20", dummy="dummy/r1", movement=6)
    assert isinstance(again.changes[0], Leave)
    back = read_vassal(carried(off, read_back(off).after(again.changes)), "game.vsav", load_game)
    assert [unit.id for unit in back.state.stack("40.20")] == ["Dummy/R1", "25/3"]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Dummy/G1", "Dummy/G1 is of another nation than the units there"),
        ("27/3", "27/3 is a unit"),
        ("25/3", "25/3 is in the position already"),
        ("Dummy/R2", "Dummy/R2 is in the position already"),
    ],
)
def test_a_dummy_has_a_name_of_its_own_or_a_counter_of_its_nation(name: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        answered(typed(CAPS + "40.20: 25/3\n40.22: Dummy/R2"), "conceal", at="40.20", dummy=name, movement=6)


MOVED = ' spent=march:2+zones:1 passed="40.18 40.19 40.20"'
KEPT = [
    CAPS + "40.20 capped: Dummy/R1 movement=6" + MOVED + ", 25/3" + MOVED,
    CRESTS + "40.20: Dummy/R1 movement=6 concealed" + MOVED + ", 25/3 concealed lost=2" + MOVED,
]


@pytest.mark.parametrize("text", KEPT)
def test_what_no_layer_shows_of_a_hidden_unit_is_kept_by_its_counter_and_told_by_no_note(text: str) -> None:
    for data in (
        write_save(in_a_save(text)),
        carried(in_a_save(FACE_UP), typed(text)),
        carried(in_a_save(CAPPED), typed(text), LOG),
    ):
        notes = replay(read_save(data)).public_notes
        assert not any(word in notes for word in ("spent", "passed", "movement=6", "Dummy", "25/3"))
        assert standing(read_vassal(data, "game.vlog", load_game)) == standing(typed(text))


def test_what_has_come_to_light_is_told_by_the_notes_again_and_lapses_as_ever() -> None:
    source = in_a_save(KEPT[1])
    here = read_back(source)
    shown = here.after((Change("concealed", "25/3", True, None, "26.2.4"),))
    save = read_save(carried(source, shown))
    assert "25/3" in save.public_notes and "march:2+zones:1" in save.public_notes and "Dummy" not in save.public_notes
    assert standing(read_back(save)) == standing(shown)
    lapsed = here.after(
        tuple(Change(track, "25/3", here.state.value(track, "25/3"), None, "8.1") for track in ("spent", "passed"))
    )
    assert standing(read_back(read_save(carried(source, lapsed)))) == standing(lapsed)


def test_a_damaged_text_of_a_counter_is_noted_or_states_nothing() -> None:
    save = in_a_save(KEPT[1])
    for text in ("lost=nine", "spent=5", "no=1", "x", "=", "|", "nation=martian", "capped=yes"):
        pieces = {
            id: piece._replace(
                traits=tuple(make_keeping_trait(text) if is_keeping(trait) else trait for trait in piece.traits)
            )
            for id, piece in save.pieces.items()
        }
        state = read_back(msgspec.structs.replace(save, pieces=pieces)).state
        assert state.value("passed", "25/3") is None


# --- what the enemy learns --------------------------------------------------------------------------------------------------


OTHERS = ["26/2", "28/20", "29/20", "30/4", "2 Train", "Dummy/R3", "Dummy/R4"]


@given(st.lists(st.sampled_from(OTHERS), unique=True, min_size=1, max_size=4), st.sampled_from([CAPS, CRESTS]))
@settings(max_examples=examples(40))
def test_of_a_save_the_enemy_is_told_the_same_whatever_is_hidden(hidden: list[str], option: str) -> None:
    first, crest = (" capped", "") if option == CAPS else ("", " concealed")
    stacks = [", ".join(f'"{unit}"{crest}' for unit in units) for units in (hidden, ["25/3"])]
    shown = []
    for stack in stacks:
        here = read_back(in_a_save(f"{option}40.20{first}: {stack}\n41.15: 1/1"))
        shown.append(json_state.write_json(here.with_state(reduce_state(here.game, here.state, "central-powers"))))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("hides", ["capped: 25/3, 27/3", ": 25/3 concealed, 27/3 concealed"])
def test_no_note_tells_that_hidden_infantry_has_entered_an_objective(hides: str) -> None:
    option = CAPS if hides.startswith("capped") else CRESTS
    source = in_a_save(f"{option}40.20 {hides}")
    passing: tuple[AnyChange, ...] = (Change("reached-by", "41.20", None, ("russian",), "21.2"),)
    passing += tuple(Change("place", unit, "40.20", "42.20", "8.1") for unit in ("25/3", "27/3"))
    if option == CAPS:
        passing += (Change("capped", "40.20", True, None, "26.1.1"), Change("capped", "42.20", None, True, "26.1.1"))
    with pytest.raises(NotWritten, match="41.20, .*all sides can read the notes"):
        carried(source, read_back(source).after(passing))


def test_of_a_unit_that_has_come_to_light_a_note_tells_where_it_stands() -> None:
    source = in_a_save(CRESTS + "40.20: 25/3 concealed\n42.20: 27/3 concealed")
    stormed = (
        Change("concealed", "25/3", True, None, "26.2.4"),
        Change("place", "25/3", "40.20", "41.20", "8.1"),
        Change("reached-by", "41.20", None, ("russian",), "21.2"),
    )
    assert "41.20 reached-by=russian" in read_save(carried(source, read_back(source).after(stormed))).public_notes


def test_the_chat_of_a_log_names_no_unit_under_a_cap_or_with_its_crest_up() -> None:
    for text, named in (
        (CAPS + "40.20 capped: 25/3", True),
        (CRESTS + "40.20: 25/3 concealed", True),
        (CAPS + "40.20: 25/3", False),
    ):
        position = typed(text)
        state = cover_counters(position.game, position.state)
        assert names_hidden("conceal units=25/3 off=yes", state) == named


def test_dummies_are_counters_of_the_game_and_no_units_that_a_scenario_has_to_set_up() -> None:
    game = load_game(GAME)
    assert len(game.hiding.decoy_types) == 30 and {"Dummy/G1", "Dummy/A10", "Dummy/R5"} <= game.hiding.decoy_types
    assert not load_game("der-weltkrieg").hiding.decoy_types
