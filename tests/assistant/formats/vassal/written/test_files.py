"""A new save or a log that goes on says what the position after an answer says, and everything else in it stays as it
was.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats.positions import Position
from assistant.formats.vassal import LOG, SAVE
from assistant.formats.vassal.containers import COMMANDS, LOGGED, write_container
from assistant.formats.vassal.legends import HEADING
from assistant.formats.vassal.logs import log_steps
from assistant.formats.vassal.modules import Module, Slot
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import Save, edit_stream, read_save, replace_stream, write_save
from assistant.formats.vassal.streams import obfuscate, read_stream, split_commands
from assistant.formats.vassal.traits import read_layer, read_level
from assistant.formats.vassal.written.files import NotWritten, carry_on, find_lacking
from assistant.formats.vassal.written.pens import HIDES
from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game
from assistant.state.changes import AnyChange, Change, Enter, Leave
from assistant.util.errors import InputError
from module_builder.vassal.setups import write_set_up
from tests.module_builder.vassal.test_turns import heath as with_arrivals
from tests.module_builder.vassal.test_turns import set_up_of
from tests.saves import read_container

from .....cases import examples, thorough
from ..test_positions import HEXES, SETTING, SIGNS, TWO, position, positions, saved

EXAMPLES = Path(__file__).parents[5] / "plugins/twilight_in_the_east/examples"
PLAYED = (EXAMPLES / "comprehensive-example.vsav").read_bytes()
LOGGED_PLAY = (EXAMPLES / "comprehensive-example.vlog").read_bytes()
MODULE = Module(
    about=SETTING.about,
    maps={},
    prototypes=SETTING.maker.named,
    slots=(
        Slot((), "1/1", SETTING.maker.slots["1/1"], SETTING.maker.unit("1/1")),
        *(Slot((), "IP", "7", SETTING.maker.marker(one, 1)) for one in SETTING.maker.markers if one.track.name == "ip"),
    ),
    setups=(),
)


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "!VCSK": lambda stream: obfuscate(stream.decode(), 0x3C),
    "VOBS": lambda stream: b"VOBS\x3c" + bytes(byte ^ 0x3C for byte in stream),
    "plain": lambda stream: stream,
    "xz": lambda stream: lzma.compress(obfuscate(stream.decode(), 0x3C)),
}


def commands(data: bytes) -> list[str]:
    return list(split_commands(read_stream(data)[0]))


def position_in(data: bytes) -> Position:
    return read_vassal(data, "game.vlog", load_game)


def after(source: bytes, *changes: AnyChange, ending: str = SAVE, module: Module | None = None) -> bytes:
    """The new file after changes."""
    return carry_on(source, position_in(source).after(changes), ending, "* done *", lambda: module).data


def in_a_save(text: str) -> bytes:
    """A save of a position in notation."""
    return write_save(saved(text))


def reachable(wanted: Position, here: Position) -> Position:
    """What of a position the pieces of another one can show: no unit comes that is not there, none stands off the
    module's map, and nothing that a side hides needs a note.
    """
    ids = {unit.id for unit in here.state.units.values() if unit.place in HEXES}
    units = {id: one for id, one in wanted.state.units.items() if id in ids and one.place in (None, *HEXES)}
    known = wanted.state.facts.items()
    facts = {key: fact for key, fact in known if TWO.tracks[key[0]].on != "unit" or key[1] in units}
    hidden = {unit for track, unit in facts if track in HIDES}
    for track, subject in [*facts]:
        secret = TWO.tracks[track].hidden or (TWO.tracks[track].on == "unit" and subject in hidden)
        if secret and (facts[track, subject].assumed or TWO.tracks[track].module is None) and track not in HIDES:
            del facts[track, subject]
    kept: Mapping[str, object] = {name: getattr(wanted.state, name) for name in ("cells", "rulings", "accepts")}
    return Position(TWO, build_state(TWO, Stated(units=units.values(), facts=facts, **kept)))


def stated_otherwise(one: Save, other: Save) -> set[str]:
    """The ids of pieces and stacks that differ between two saves."""
    both = ({**one.pieces, **one.stacks}, {**other.pieces, **other.stacks})
    return {id for id in both[0].keys() | both[1].keys() if both[0].get(id) != both[1].get(id)}


@thorough
@given(positions(), positions())
@settings(max_examples=examples(60))
def test_the_new_save_gives_the_position_and_all_else_stays_byte_for_byte(before: Position, later: Position) -> None:
    source = write_save(write_set_up(SETTING, before, "Notes").save)
    target = reachable(later, before)
    written = carry_on(source, target, SAVE, "* done *").data
    assert [*find_lacking(position_in(written), target)] == []
    old, new = commands(source), commands(written)
    otherwise = stated_otherwise(read_save(source), read_save(written))
    differing = {one for one in (*old, *new) if one.startswith("+/") and one.split("/")[1] in otherwise}
    differing |= {one for one in (*old, *new) if one.startswith(("PNOTES\t", "TURN", "GlobalProperty\t;weather;"))}
    assert [one for one in old if one not in differing] == [one for one in new if one not in differing]


@thorough
@given(positions(), positions())
@settings(max_examples=examples(60))
def test_the_log_gives_it_too_and_begins_with_the_whole_save(before: Position, later: Position) -> None:
    source = write_save(write_set_up(SETTING, before, "Notes").save)
    target = reachable(later, before)
    written = carry_on(source, target, LOG, "* done *").data
    assert [*find_lacking(position_in(written), target)] == []
    begun, steps = commands(written)[: len(commands(source))], commands(written)[len(commands(source)) :]
    assert begun == commands(source)
    assert steps[0] == f"{LOGGED}CHAT* done *" and all(step.startswith(LOGGED) for step in steps)


# --- saves ------------------------------------------------------------------------------------------------------------


def test_other_files_and_the_key_of_a_save_stay() -> None:
    written = after(PLAYED, Change("lost", "25/3", None, 1, "11.1"))
    old, new = read_container(PLAYED), read_container(written)
    assert old.keys() == new.keys() and new[COMMANDS][:7] == old[COMMANDS][:7]
    assert {name for name in old if old[name] != new[name]} == {COMMANDS}


def test_of_a_counter_that_changes_only_the_state_of_that_status_is_another() -> None:
    old, new = (commands(data) for data in (PLAYED, after(PLAYED, Change("lost", "25/3", None, 1, "11.1"))))
    ((one, other),) = [
        (one, other) for one, other in zip(old, new, strict=True) if one != other and "PNOTES" not in one
    ]
    parts = [re.split(r"\\*\t", command) for command in (one, other)]
    assert [(a, b) for a, b in zip(*parts, strict=True) if a != b] == [
        ("1", "2"),
        ("1", "2"),
    ]  # for all, and for its side


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_written_as_it_was(form: str) -> None:
    stream, source = read_stream(PLAYED)[0], dict(read_container(PLAYED))
    source[COMMANDS] = FORMS[form](stream)
    written = read_container(after(write_container(source), Change("lost", "25/3", None, 1, "11.1")))[COMMANDS]
    assert written[:6] == source[COMMANDS][:6]
    assert position_in(write_container({**source, COMMANDS: written})).state.value("lost", "25/3") == 1


def test_a_masked_counter_is_turned_up_again() -> None:
    down = after(PLAYED, Change("masked", "25/3", None, "russian", "4"))
    assert position_in(down).state.value("masked", "25/3") == "russian"
    up = after(down, Change("masked", "25/3", "russian", None, "4"))
    assert {id: piece.traits for id, piece in read_save(up).pieces.items()} == {
        id: piece.traits for id, piece in read_save(PLAYED).pieces.items()
    }


def test_which_side_has_entered_a_place_is_noted() -> None:
    entered = Change("reached-by", "61.30", None, ("russian",), "21.2")
    march = Change("place", "25/3", "40.20", "61.30", "8.1")
    noted = read_save(after(in_a_save("40.20: 25/3"), march, entered)).public_notes
    assert "61.30 reached-by=russian" in noted
    down = after(in_a_save("40.20: 25/3"), Change("masked", "25/3", None, "russian", "4"))
    with pytest.raises(NotWritten, match="all sides can read the notes"):
        after(down, march, entered)


def test_what_belongs_to_the_side_of_the_phase_is_kept_from_the_notes_and_told_in_order() -> None:
    before = in_a_save("phase=movement phasing=russian\n40.20: 25/3\n40.20|40.21 causeway")
    march = Change("place", "25/3", "40.20", "40.21", "8.1")
    crossed = Change("crossed", "40.20|40.21", None, "divisions:1", "8.1.6")
    target = position_in(before).after([march, crossed])
    written = carry_on(before, target, SAVE, "* done *")
    assert (position_in(written.data).state.units["25/3"].place, written.left) == (
        "40.21",
        (
            "40.20|40.21, units that have crossed the causeway in this phase: divisions, brigades and Asset Units: "
            "its counter does not show it, and all sides can read the notes",
        ),
    )
    assert "crossed" not in read_save(written.data).public_notes
    sides = [f"40.{number}|40.{number + 1}" for number in range(29, 20, -1)]
    before = in_a_save("phase=movement phasing=russian\n40.20: 25/3\n" + "\n".join(f"{at} causeway" for at in sides))
    crossed = [Change("crossed", at, None, "divisions:1", "8.1.6") for at in sides]
    target = position_in(before).after([Change("place", "25/3", "40.20", "40.21", "8.1"), *crossed])
    written = carry_on(before, target, SAVE, "* done *")
    assert [line.partition(",")[0] for line in written.left] == sides


def test_who_is_out_of_play_lies_in_the_dead_pile_of_his_side_and_can_be_brought_back() -> None:
    written = read_save(after(PLAYED, *(Change("place", unit, "40.20", None, "11.1") for unit in ("25/3", "27/3"))))
    lost = {piece.marks().get("unit", ""): piece for piece in written.pieces.values() if piece.map == "Out of play"}
    assert set(lost) == {"25/3", "27/3"} and lost["25/3"].at == lost["27/3"].at
    was = next(piece for piece in read_save(PLAYED).pieces.values() if piece.marks().get("unit") == "25/3")
    (sent,) = [trait.state for trait in lost["25/3"].traits if trait.kind == "sendto"]
    assert sent == f"Map;{was.at[0]};{was.at[1]}"
    (pile,) = [stack for stack in written.stacks.values() if stack.map == "Out of play"]
    assert [written.pieces[id].marks()["unit"] for id in pile.pieces] == ["25/3", "27/3"]


def test_the_turn_tracker_goes_on_to_the_entry_that_says_so_and_stays_there_while_nothing_changes() -> None:
    course = (
        Change("turn", "", 1, 2, "5"),
        Change("phasing", "", None, "russian", "5"),
        Change("phase", "", None, "attack", "5"),
    )
    written = after(PLAYED, *course)
    facts = {key[0]: fact.value for key, fact in position_in(written).state.facts.items() if not key[1]}
    assert facts == {"turn": 2, "phasing": "russian", "phase": "attack"}
    assert "phase" not in read_save(written).public_notes
    later = after(written, Change("lost", "25/3", None, 1, "11.1"))
    assert read_save(later).turns == read_save(written).turns


def test_what_buttons_set_is_set_and_who_no_longer_exists_is_deleted() -> None:
    written = after(PLAYED, Change("weather", "", None, "freeze", "20"))
    assert read_save(written).properties["Module", "weather"] == "freeze"
    written = read_save(after(PLAYED, Leave("25/3", "3")))
    assert "25/3" not in {piece.marks().get("unit") for piece in written.pieces.values()}
    assert len(written.pieces) == len(read_save(PLAYED).pieces) - 1


def test_a_new_save_is_written_of_a_log_too() -> None:
    written = after(LOGGED_PLAY, Change("disorder", "25/3", None, 1, "7.4"))
    assert read_save(written).steps == ()
    known = replay(read_save(LOGGED_PLAY)).pieces
    assert stated_otherwise(read_save(written), replay(read_save(LOGGED_PLAY))) <= {*known}


def markers(data: bytes) -> list[tuple[str, str]]:
    """The markers of a save: where each lies, by its pixel, and what it states."""
    hexes = {at: hex for hex, at in SETTING.grid.hexes.items()}
    pieces = replay(read_save(data)).pieces.values()
    return [(hexes[piece.at], stated(piece)) for piece in pieces if "marker" in piece.marks()]


def stated(piece: Piece) -> str:
    """What the layer of a marker states."""
    layers = ((read_layer(trait.type), read_level(trait)) for trait in piece.traits if trait.kind == "emb2")
    return " ".join(filter(None, (layer.added(level) for layer, level in layers)))


@pytest.mark.parametrize("ending", [SAVE, LOG])
def test_a_marker_that_lies_there_states_the_fact_or_goes(ending: str) -> None:
    source = in_a_save("40.20: 35/17\n40.20 ip=2")
    assert markers(after(source, Change("ip", "40.20", 2, 3, "13"), ending=ending)) == [("40.20", "ip=3")]
    assert markers(after(source, Change("ip", "40.20", 2, None, "13"), ending=ending)) == []


def test_a_new_marker_is_like_one_in_the_save_or_from_the_palette_or_else_noted() -> None:
    like = in_a_save("40.20: 35/17\n40.20 ip=2")
    assert ("41.20", "ip=1") in markers(after(like, Change("ip", "41.20", None, 1, "13")))
    none = in_a_save("40.20: 35/17")
    assert markers(after(none, Change("ip", "41.20", None, 1, "13"), module=MODULE)) == [("41.20", "ip=1")]
    written = after(in_a_save("40.20: 35/17"), Change("ip", "41.20", None, 1, "13"))
    assert markers(written) == [] and read_save(written).public_notes.endswith("\n41.20 ip=1")


# --- units that come --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [SAVE, LOG])
def test_a_unit_comes_from_the_palette(ending: str) -> None:
    enters = Enter("1/1", "1/1", "41.20", 0, "9"), Change("lost", "1/1", None, 2, "9")
    written = after(in_a_save("40.20: 35/17"), *enters, ending=ending, module=MODULE)
    state = position_in(written).state
    assert (state.units["1/1"].place, state.value("lost", "1/1")) == ("41.20", 2)
    (new,) = [piece for piece in replay(read_save(written)).pieces.values() if piece.marks().get("unit") == "1/1"]
    assert new.slot == SETTING.maker.slots["1/1"] and new.at == SETTING.grid.hexes["41.20"]


def test_what_cannot_be_written_is_said_line_by_line() -> None:
    source = in_a_save("40.20: 35/17, 36/17")
    gone = [Enter("1/1", "1/1", "41.20", 0, "9"), Change("place", "35/17", "40.20", "01.90", "8")]
    with pytest.raises(NotWritten) as caught:
        after(source, *gone)
    assert str(caught.value).splitlines() == [
        "nothing is written, because the new game would not show:",
        "- 1/1 in 41.20: its module has no counter for it, or is not available",
        "- 35/17 in 01.90: the module does not show this place",
    ]


def test_a_unit_waits_in_the_box_of_its_turn_and_comes_out_of_it(tmp_path: Path) -> None:
    game = with_arrivals(tmp_path)
    source = write_save(set_up_of(game))

    def lies(*changes: AnyChange) -> tuple[str, str]:
        """The window in which the Wolves lie afterwards, and the turn in which they come."""
        here = read_vassal(source, "game.vsav", lambda _: game)
        written = carry_on(source, here.after(changes), SAVE, "").data
        (wolves,) = [one for one in read_save(written).pieces.values() if one.marks().get("unit") == "Wolves"]
        state = read_vassal(written, "new.vsav", lambda _: game).state
        return wolves.map, str(state.units["Wolves"].place or state.value("due", "Wolves"))

    assert lies(Change("due", "Wolves", None, 7, "")) == ("Turns", "7")
    assert lies(Change("place", "Wolves", None, "E4", "")) == ("Map", "E4")


# --- logs -------------------------------------------------------------------------------------------------------------


def test_a_log_goes_on_with_its_steps_as_they_are() -> None:
    written = after(LOGGED_PLAY, Change("place", "25/3", "40.20", "39.20", "8"), ending=LOG)
    assert commands(written)[: len(commands(LOGGED_PLAY))] == commands(LOGGED_PLAY)
    chat, move, *_ = commands(written)[len(commands(LOGGED_PLAY)) :]
    assert chat == f"{LOGGED}CHAT* done *"
    assert re.fullmatch(
        LOGGED + r"M/4/Map/3112/1048/null/Map/3015/992/null/null", move
    )  # below 27/3, which came there first
    assert [unit.id for unit in position_in(written).state.stack("39.20")] == ["27/3", "25/3"]


@pytest.mark.parametrize(("before", "later"), [("25/3, 27/3", "27/3, 25/3"), ("27/3, 25/3", "25/3, 27/3")])
def test_a_stack_in_another_order_is_laid_anew(before: str, later: str) -> None:
    target = position(f"turn=1\n39.20: {later}")
    written = carry_on(in_a_save(f"turn=1\n39.20: {before}"), target, SAVE, "* done *").data
    assert [unit.id for unit in position_in(written).state.stack("39.20")] == later.split(", ")


def test_who_goes_where_nobody_is_makes_a_stack_in_the_same_step() -> None:
    written = after(PLAYED, Change("place", "25/3", "40.20", "39.20", "8"), ending=LOG)
    chat, (move, stack), *_ = log_steps(read_save(written), written)
    assert chat == ("CHAT* done *",) and move.startswith("M/4/Map/3112/1048/null/")
    assert re.fullmatch(r"\+/[0-9]+/stack/Map;3112;1048;4;@@-?[0-9]+", stack)


def test_a_log_that_ends_in_an_undone_step_goes_on_from_there() -> None:
    undone = [f"{LOGGED}UNDO\ttrue", f"{LOGGED}CHAT* UNDO: nothing", f"{LOGGED}UNDO\tfalse"]
    source = replace_stream(LOGGED_PLAY, edit_stream(read_stream(LOGGED_PLAY)[0], {}, undone))
    assert (
        position_in(after(source, Change("half", "25/3", None, True, "8"), ending=LOG)).state.value("half", "25/3")
        is True
    )


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ([f"{LOGGED}UNDO\ttrue"], "the log ends in the middle of an undone step"),
        ([f"{LOGGED}M/4/Map/1"], "cannot be read"),
    ],
)
def test_a_log_that_was_cut_off_is_refused(more: list[str], what: str) -> None:
    target = position_in(LOGGED_PLAY).after([Change("half", "25/3", None, True, "8")])
    with pytest.raises(InputError, match=what):
        carry_on(replace_stream(LOGGED_PLAY, edit_stream(read_stream(LOGGED_PLAY)[0], {}, more)), target, LOG, "")


def test_a_log_or_save_that_was_cut_off_is_refused() -> None:
    target = position("40.20: 35/17")
    with pytest.raises(InputError, match="the end of the save is missing"):
        carry_on(write_save(msgspec.structs.replace(saved("40.20: 35/17"), complete=False)), target, SAVE, "")
    with pytest.raises(InputError, match="VASSAL cannot hold it: .* ends in a backslash"):
        after(in_a_save("40.20: Nikolaiken"), Change("with", "Nikolaiken", None, "27/3\\", "6.4.1a"))


def notes_after(notes: str, *changes: AnyChange) -> list[str]:
    """The notes below the heading after changes, where they were these before."""
    save = msgspec.structs.replace(saved("40.20: 35/17"), public_notes=f"Good luck!\n{HEADING}\n{notes}")
    above, _, below = read_save(after(write_save(save), *changes)).public_notes.partition(f"{HEADING}\n")
    assert above == "Good luck!\n"
    return below.split("\n")


def test_notes_get_their_heading_once_there_is_something_to_say_and_stay_while_they_hold() -> None:
    notes = "# ours\n41.20   clear\nask battle at=41.20\nanswers crt=7\ncampaign"
    assert notes_after(notes, Change("lost", "35/17", None, 1, "11")) == ["# ours", "41.20   clear", "campaign"]
    attacked = notes_after(notes, Change("attacked", "41.20", None, True, "10"))
    assert attacked == ["# ours", "41.20   clear", "campaign", "41.20 attacked"]
    notes = "# ours\n41.20 clear attacked\ncampaign"
    assert notes_after(notes, Change("attacked", "41.20", True, None, "10")) == ["# ours", "41.20 clear", "campaign"]
    save = msgspec.structs.replace(saved("40.20: 35/17"), public_notes="Good luck!")
    plain = after(write_save(save), Change("lost", "35/17", None, 1, "11"))
    assert read_save(plain).public_notes == "Good luck!"
    attacked = after(write_save(save), Change("attacked", "41.20", None, True, "10"))
    assert read_save(attacked).public_notes == f"Good luck!\n{HEADING}\n41.20 attacked"


STREAM = read_stream(in_a_save("40.20: 35/17 -2 supply=low, 36/17 D1\n41.20: 1/1\n40.20 ip=2\n41.20 clear"))[0].decode()


@given(
    st.lists(st.tuples(st.integers(0, len(STREAM)), st.integers(0, 4), SIGNS), min_size=1, max_size=4), st.booleans()
)
@settings(max_examples=examples(150))
def test_of_a_damaged_save_a_new_one_is_written_or_refused(damage: list[tuple[int, int, str]], as_log: bool) -> None:
    text = STREAM
    for at, out, sign in damage:
        text = text[:at] + sign + text[at + out :]
    source = write_container({COMMANDS: obfuscate(text)})
    try:
        here = position_in(source)
        lost = here.state.value("lost", "36/17") if "36/17" in here.state.units else None
        target = here.after([Change("lost", "36/17", lost, 4, "11"), Change("ip", "41.20", None, 1, "13")])
    except InputError:
        return
    try:
        written = carry_on(source, target, LOG if as_log else SAVE, "* done *").data
    except InputError:
        return
    assert [*find_lacking(position_in(written), target)] == []
