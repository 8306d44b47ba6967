"""A save of a published module, read with the mapping that was proposed for it and corrected."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant import ask, read
from assistant.formats.vassal.modules import Module, read_module, set_up_game
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import Trait
from assistant.formats.vassal.written.files import NotWritten, carry_on
from assistant.state.changes import Change
from assistant.state.tracks import Fact

from .....conftest import BUSY
from .adopting import GAME, Adopted, run, unread
from .published import COUNTERS, MAP, Put, build, example, saved

OURS = Path(__file__).parents[5] / "plugins/twilight_in_the_east/setups/comprehensive-example.pos"


@pytest.fixture(scope="module")
def as_proposed(tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    """The module as adopted without any correction; tests that correct it have their own."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("adopted")
        patch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
        return Adopted(folder)


@pytest.fixture
def adopted(as_proposed: Adopted, monkeypatch: pytest.MonkeyPatch) -> Adopted:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(as_proposed.folder / "data"))
    return as_proposed


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adopted:
    """The module adopted anew, to be corrected."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    return Adopted(tmp_path)


# --- the example of the rulebook, on a module that is not ours ------------------------------------------------------------


def test_the_battle_of_the_rulebook_has_the_same_figures_on_another_makers_module(adopted: Adopted) -> None:
    theirs, ours = adopted.position(example(adopted.module)), read(OURS)
    answers = {
        "crt": "2+5",
        "slrt": "3/4",
        "losses": "29/20,27/3",
        "ec.1/1": 6,
        "ec.29/20": 5,
        "ec.25/3": 12,
        "onward.40.20.1": "39.20",
    }
    for given_answers in ({}, answers):
        one, other = ask(theirs, "battle", given_answers), ask(ours, "battle", given_answers)
        assert one.result == other.result
        said, told = (
            [(change.track, change.subject, change.after) for change in report.changes] for report in (one, other)
        )
        assert said == told
    assert one.verdict.text.startswith("column 1:1, Large, result +1 / -: attacker loses 2 steps")


def test_check_says_how_much_is_understood_but_to_no_side(adopted: Adopted) -> None:
    said = run("check", adopted.save(example(adopted.module))).output
    assert (
        """
Understood
    The Eastern Front 1.2
    5 of 5 pieces in play: 5 units
    5 of 5 units and markers in places the game knows
    3 of 4 of their layers, properties and custom traits; unknown: Class (1)
"""
        in said
    )
    parts = json.loads(run("check", str(adopted.folder / "game.vsav"), "--json").output)["parts"]
    assert parts[-1]["title"] == "Understood"
    file = adopted.save(example(adopted.module))
    assert "Understood" not in run("check", file, "--as", "russian").output
    assert "Understood" in run("check", file, "--umpire").output


def test_its_units_are_drawn_in_the_places_of_the_game(adopted: Adopted) -> None:
    picture = adopted.folder / "drawn.svg"
    done = run("check", adopted.save(example(adopted.module)), "--picture", str(picture), "--force")
    assert "5 of 5 pieces in play: 5 units" in done.output
    drawn = picture.read_text("utf-8")
    assert "Hex 40.20: 25/3" in drawn and "Hex 41.19: 1/1" in drawn


def test_what_to_do_in_vassal_names_every_change_and_no_menu_that_the_module_does_not_have(adopted: Adopted) -> None:
    answers = "crt=2+5 slrt=3/4 losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"
    said = run("battle", adopted.save(example(adopted.module)), "--answers", answers).output
    assert said.endswith(
        """
In VASSAL
- 27/3: drag it to 39.20
- 29/20: by hand: has lost 1 more step, 4 in all, has fought
- 27/3: by hand: has lost 1 step, is 2 levels below its full Combat Effectiveness, has retreated, has fought
- 1/1: by hand: has lost 2 steps, has fought
- 25/3: by hand: is 1 level below its full Combat Effectiveness, has fought
- 41.19: by hand: already attacked in this attack phase
"""
    )


# --- pieces -----------------------------------------------------------------------------------------------------------------


def test_layers_and_properties_state_facts_if_they_show(adopted: Adopted) -> None:
    states = {"Step Losses": "2", "Supply": "3", "CEL lost": "1"}
    state = adopted.position(saved(adopted.module, {"4020": [Put("r025.png", states), Put("r027.png")]})).state
    assert state.facts == {
        ("lost", "25/3"): Fact(2),
        ("supply", "25/3"): Fact("out"),
        ("cel", "25/3"): Fact(-1),
        ("cel", "27/3"): Fact(0),
    }
    assert [unit.id for unit in state.stack("40.20")] == ["25/3", "27/3"]
    state = adopted.position(saved(adopted.module, {"4020": [Put("r025.png", {"Step Losses": "-2"})]})).state
    assert state.value("lost", "25/3") is None


def test_a_marker_states_a_fact_of_its_hex_or_of_the_unit_below_it(adopted: Adopted) -> None:
    stack = [Put("ip1.png", {"Level": "2"}), Put("g001.png")]
    assert adopted.position(saved(adopted.module, {"4119": stack})).state.value("ip", "41.19") == 2
    stack = [Put("r025.png"), Put("oos.png"), Put("r027.png")]
    position = adopted.position(saved(adopted.module, {"4020": stack}))
    assert (position.state.value("supply", "27/3"), position.state.value("supply", "25/3")) == ("out", None)
    alone = adopted.position(saved(adopted.module, {"4020": [Put("r025.png"), Put("oos.png")]}))
    assert unread(alone) == ["marker Out of Supply at 40.20: no known unit lies below it"]
    stack = [Put("oos.png"), Put("vp.png"), Put("r027.png")]
    position = adopted.position(saved(adopted.module, {"4020": stack}))
    assert position.state.value("supply", "27/3") is None
    assert unread(position) == [
        "piece Victory Points at 4020: unknown",
        "marker Out of Supply at 40.20: no known unit lies below it",
    ]


def test_what_is_ignored_is_not_told(own: Adopted) -> None:
    save = saved(own.module, {"4020": [Put("vp.png"), Put("r027.png")]})
    assert unread(own.position(save)) == ["piece Victory Points at 4020: unknown"]
    own.correct(("ignored = []", 'ignored = ["Victory Points"]'))
    assert unread(own.position(save)) == []


def test_pieces_of_one_name_and_sides_of_the_module_are_told_apart(adopted: Adopted) -> None:
    trains = {"3619": [Put("r-iii-train.png")], "3620": [Put("r-xx-train.png")]}
    state = adopted.position(saved(adopted.module, trains)).state
    assert {unit.id: unit.place for unit in state.units.values()} == {"3 Train": "36.19", "Russian 20 Train": "36.20"}
    save = saved(adopted.module, {"4119": [Put("g001.png")]})
    assert adopted.position(save, "German Player").state.seen_by == "central-powers"
    assert run("check", adopted.save(save), "--as", "german player").exit_code == 0


def test_a_unit_may_be_named_by_its_slot_and_have_several_pieces(own: Adopted) -> None:
    own.correct(('"25/3" = "25th Inf Div"', '"25/3" = ["#1", "25th reduced"]'))
    assert own.position(saved(own.module, {"4020": [Put("r025.png")]})).state.units["25/3"].place == "40.20"


def test_what_lies_in_the_dead_pile_or_is_a_copy_beside_the_map_is_out_of_play(adopted: Adopted) -> None:
    position = adopted.position(saved(adopted.module, {}, aside=[Put("r025.png")]))
    assert (position.state.units["25/3"].place, unread(position)) == (None, [])
    save = saved(adopted.module, {"4020": [Put("r025.png")]}, aside=[Put("r025.png")])
    position = adopted.position(save)
    assert (position.state.units["25/3"].place, unread(position)) == ("40.20", [])


def test_a_second_counter_of_a_unit_is_told_and_the_save_is_read(adopted: Adopted) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png")], "4120": [Put("r025.png")]})
    position = adopted.position(save)
    assert {unit.id: unit.place for unit in position.state.units.values()} == {"25/3": "40.20"}
    assert unread(position) == ["piece 25th Inf Div at 4120: another counter in play is already 25/3"]
    said = " ".join(run("check", adopted.save(save)).output.split())
    assert "[units] 25/3: 1 more such counter in play; write more than 1 as the count of 25/3 in the roster" in said


def test_counters_that_are_all_alike_are_units_by_their_age_wherever_they_lie(own: Adopted) -> None:
    own.correct(('"28/20" = "28th Inf Div"', '"28/20" = ["28th Inf Div"]'))
    before = saved(own.module, {"4020": [Put("r028.png")], "4120": [Put("r028.png")]})
    moved = msgspec.structs.replace(before, pieces=dict(reversed(before.pieces.items())))
    assert own.position(before).state.units == own.position(moved).state.units


def test_a_rating_that_contradicts_a_layer_does_not_make_a_save_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    rated = tuple(
        one._replace(traits=(Trait("mark;Steps", "3"),)) if one.image == "g001.png" else one for one in COUNTERS
    )
    own = Adopted(tmp_path, build(rated))
    position = own.position(saved(own.module, {"4119": [Put("g001.png", {"Step Losses": "4"})]}))
    assert position.state.value("lost", "1/1") == 4
    assert ("steps", "1/1") not in position.state.facts
    assert unread(position) == ["1/1: steps lost (4) must be below steps printed (3)"]


def test_markers_that_contradict_each_other_do_not_make_a_save_unreadable(adopted: Adopted) -> None:
    stacks = [Put("ip1.png", {"Level": level}) for level in ("1", "2")]
    position = adopted.position(saved(adopted.module, {"4020": stacks}))
    assert position.state.facts["ip", "40.20"].value == 1
    assert unread(position) == [
        "two markers at 40.20 state different values of level of the Improved Position: the upper one counts"
    ]


def test_turn_trackers_and_boxes_state_what_they_show(adopted: Adopted) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png")]})
    (piece,) = save.pieces.values()
    (stack,) = save.stacks.values()
    save = msgspec.structs.replace(
        save, pieces={piece.id: piece._replace(at=(2200, 1800))}, stacks={stack.id: stack._replace(at=(2200, 1800))}
    )
    assert adopted.position(save).state.units["25/3"].place == "Bukowina Holding Box"
    state = adopted.position(saved(adopted.module, {}, turn=r"0|7;0;false;-1;0\;0\;0\;true,true,true")).state
    assert (state.value("turn"), state.value("phase")) == (7, "movement")
    other = adopted.position(saved(adopted.module, {}, turn="0|7;0;false;-1"))
    assert unread(other) == ["the turn tracker: its state comes from another version of the module"]
    save = saved(adopted.module, {}, turn=r"0|7;0;false;-1;0\;0\;0\;true,true,true")
    turns = {"TurnTracker1": r"0|9;0;false;-1;0\;0\;0\;true,true,true", **save.turns}
    assert adopted.position(msgspec.structs.replace(save, turns=turns)).state.value("turn") == 7


def test_the_list_of_a_counter_begins_at_its_start(own: Adopted) -> None:
    own.correct(('"Turn" = "turn={}"', '"Turn" = ["turn=4", "turn=5"]'))
    found = [
        own.position(saved(own.module, {}, turn=rf"0|{n};0;false;-1;0\;0\;0\;true,true,true")).state.value("turn")
        for n in range(4)
    ]
    assert found == [None, 4, 5, None]


def test_a_property_of_the_module_counts_before_one_of_a_map(own: Adopted) -> None:
    own.correct(('"Turn" = "turn={}"', '"Turn" = "turn={}"\n"Sky" = "weather={}"'))
    save = saved(own.module, {})
    sky = {("Module", "Sky"): "freeze", ("Map", "Sky"): "normal"}
    assert own.position(msgspec.structs.replace(save, properties=sky)).state.value("weather") == "freeze"
    position = own.position(msgspec.structs.replace(save, properties={("Module", "Sky"): "hail"}))
    assert [text.partition(":")[0] for text in unread(position)] == ["property Sky"]


def test_a_list_that_does_not_fit_its_layer_is_told(own: Adopted) -> None:
    own.correct(('"Supply" = ["", "supply=low", "supply=out"]', '"Supply" = ["supply=low"]'))
    said = run("check", own.save(example(own.module))).output
    assert "[layers] Supply: the layer has 3 levels, but the list gives 1\n" in said


def test_a_property_may_be_given_by_value(own: Adopted) -> None:
    own.correct(('"CEL lost" = "cel=-{}"', '"CEL lost" = { "1" = "D1", "*" = "D2" }'))
    stack = [Put("r025.png", {"CEL lost": "1"}), Put("r027.png", {"CEL lost": "4"})]
    state = own.position(saved(own.module, {"4020": stack})).state
    assert (state.value("disorder", "25/3"), state.value("disorder", "27/3")) == (1, 2)


def test_a_calculated_property_states_what_it_works_out(own: Adopted) -> None:
    own.correct(('"CEL lost" = "cel=-{}"', '"Morale" = "cel=-{}"'))
    save = saved(own.module, {"4020": [Put("r025.png", {"CEL lost": "1"})]})
    piece = save.pieces["4020.0"]
    traits = (Trait("mark;Tired", "2"), Trait("calcProp;Morale;{Tired + 1};"), *piece.traits)
    save = msgspec.structs.replace(save, pieces={piece.id: piece._replace(traits=traits)})
    assert own.position(save).state.value("cel", "25/3") == -3


def test_on_a_sides_own_window_nothing_is_in_play(own: Adopted) -> None:
    """Whatever the mapping says of it: the other side does not see what lies there."""
    fixtures = own.file.with_suffix(".json")
    drawn = json.loads(fixtures.read_text("utf-8"))
    name, edge, boards, *_ = drawn["maps"][MAP]
    drawn["maps"][MAP] = [name, edge, boards, ["Russian"], False]
    fixtures.write_text(json.dumps(drawn), "utf-8")
    position = own.position(saved(own.module, {"4020": [Put("r025.png")]}))
    assert (position.state.units["25/3"].place, unread(position)) == (None, [])


def own_code(module: Module) -> Save:
    """Two units of which the upper one has a trait of the module's own code."""
    save = saved(module, {"4020": [Put("r025.png"), Put("r027.png")]})
    piece = save.pieces["4020.0"]
    trait = Trait("morale;9", "2;1;0")
    return msgspec.structs.replace(
        save, pieces={**save.pieces, piece.id: piece._replace(traits=(trait, *piece.traits))}
    )


def test_the_fields_of_a_trait_of_the_modules_own_code_may_be_named(own: Adopted) -> None:
    save = own_code(own.module)
    own.correct(
        ('"CEL lost" = ', '# "CEL lost" = '),
        ("[traits]", '[traits]\nmorale = { type = ["effectiveness={}"], state = ["cel=-{}", "D{}"] }'),
    )
    state = own.position(save).state
    assert [state.value(track, "25/3") for track in ("effectiveness", "cel", "disorder")] == [9, -2, 1]


def test_no_side_is_told_of_a_piece_that_unknown_code_may_hide(own: Adopted) -> None:
    save = own_code(own.module)
    for side in ("russian", "central-powers"):
        assert "25/3" not in own.position(save, side).state.units
    assert {"25/3", "27/3"} <= own.position(save, "umpire").state.units.keys()
    assert ("invisible", "25/3") not in own.position(save).state.facts
    own.correct(("[traits]", "[traits]\nmorale = {}"))
    assert "25/3" in own.position(save, "central-powers").state.units


SIDES = st.sampled_from(["r027.png", "r028.png", "r029.png"])


@settings(suppress_health_check=[*BUSY, HealthCheck.function_scoped_fixture])
@given(st.lists(SIDES, unique=True), st.integers(-4, 4), st.integers(0, 4), st.integers(1, 3))
def test_a_side_is_told_nothing_of_what_lies_below_the_top_unit(
    adopted: Adopted, below: list[str], lost: int, cel: int, supply: int
) -> None:
    """Whatever lies hidden under an enemy's top unit, and whatever it has lost, the other side is told the same."""
    states = {"Step Losses": str(lost), "CEL lost": str(cel)}
    stack = [Put("r025.png", states), *(Put(image, {**states, "Supply": str(supply)}) for image in below)]
    seen = adopted.position(saved(adopted.module, {"4020": stack, "4119": [Put("g001.png")]}), "central-powers")
    plain = adopted.position(
        saved(adopted.module, {"4020": [Put("r025.png")], "4119": [Put("g001.png")]}), "central-powers"
    )
    assert seen.state == plain.state


def test_a_players_side_is_that_of_his_side_in_the_module(adopted: Adopted) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png")]})
    hidden = Trait("hide;72,130;Hide;;player:;0.5;;false", "someone")
    (piece,) = save.pieces.values()
    pieces = {piece.id: piece._replace(traits=(hidden, *piece.traits))}
    save = msgspec.structs.replace(save, pieces=pieces, players=(("someone", "Ann", "Russian"),))
    assert "25/3" not in adopted.position(save, "central-powers").state.units
    assert "25/3" in adopted.position(save, "russian").state.units


# --- what a player hides --------------------------------------------------------------------------------------------------


def face_down(save: Save, id: str, by: str = "German Player", kind: str = "obs") -> Save:
    """The save with a piece that a side of the module has masked or made invisible."""
    cover = {"obs": Trait("obs;77,130;back.png;Mask;GBack.png;?;side:;Peek;;false;;", f"{by};|0")}
    cover["hide"] = Trait("hide;72,130;Hide;;side:;0.5;;false", by)
    piece = save.pieces[id]
    return msgspec.structs.replace(
        save, pieces={**save.pieces, id: piece._replace(traits=(cover[kind], *piece.traits))}
    )


TWO_STACKS = {"4020": [Put("r025.png")], "4119": [Put("vp.png")]}


def test_an_ignored_piece_face_down_looks_like_a_unit_face_down(own: Adopted) -> None:
    own.correct(("ignored = []", 'ignored = ["Victory Points"]'))
    dummy = face_down(saved(own.module, TWO_STACKS), "4119.0")
    unit = face_down(saved(own.module, {**TWO_STACKS, "4119": [Put("g001.png")]}), "4119.0")
    assert own.position(dummy, "russian").state == own.position(unit, "russian").state
    assert own.position(dummy, "russian").state.value("unseen", "41.19") == "central-powers"
    assert own.position(dummy, "central-powers").state.value("unseen", "41.19") is None  # who put it there knows it


@pytest.mark.parametrize("marker", ["oos.png", "ip1.png"])
def test_a_marker_face_down_looks_like_a_unit_face_down(adopted: Adopted, marker: str) -> None:
    down, unit = (
        face_down(saved(adopted.module, {"4020": [Put("r025.png")], "4119": [Put(image)]}), "4119.0")
        for image in (marker, "g001.png")
    )
    assert adopted.position(down, "russian").state == adopted.position(unit, "russian").state


@pytest.mark.parametrize("kind", ["obs", "hide"])
@pytest.mark.parametrize("hidden", ["4119.0", "4120.0"])
def test_a_hidden_double_of_a_unit_is_told_only_to_who_sees_everything(
    adopted: Adopted, kind: str, hidden: str
) -> None:
    two = {"4020": [Put("r025.png")], "4119": [Put("g001.png")], "4120": [Put("g001.png")]}
    other = {**two, "4119" if hidden == "4119.0" else "4120": [Put("g002.png")]}
    double, unit = (face_down(saved(adopted.module, stacks), hidden, "German Player", kind) for stacks in (two, other))
    assert adopted.position(double, "russian").state == adopted.position(unit, "russian").state
    doubled = "another counter in play is already 1/1"
    for side, is_told in (("", True), ("umpire", True), ("russian", False)):
        assert any(doubled in what for what in unread(adopted.position(double, side))) is is_told


def test_the_notes_of_a_new_save_tell_nothing_of_a_hidden_unit_or_of_steps_that_the_game_hides(
    adopted: Adopted,
) -> None:
    save = face_down(saved(adopted.module, {"4119": [Put("g001.png")]}), "4119.0")
    source = Path(adopted.save(save))
    position = read(source)
    spent = position.after([Change("expended", "1/1", None, 3, "12")])
    with pytest.raises(NotWritten, match="all sides can read the notes"):
        carry_on(source.read_bytes(), spent, ".vsav", "* done *")
    lost = position.after([Change("lost", "1/1", None, 2, "11")])
    assert carry_on(source.read_bytes(), lost, ".vsav", "* done *")  # its own layer shows it


def test_the_notes_tell_no_steps_lost_where_the_game_hides_them(own: Adopted) -> None:
    own.correct(('"Step Losses" =', '"Other losses" ='))
    source = Path(own.save(saved(own.module, {"4119": [Put("g001.png")]})))
    lost = read(source).after([Change("lost", "1/1", None, 2, "11")])
    with pytest.raises(NotWritten, match="all sides can read the notes"):
        carry_on(source.read_bytes(), lost, ".vsav", "* done *")


# --- what cannot be used --------------------------------------------------------------------------------------------------


def test_a_mapping_that_does_not_fit_names_the_line(own: Adopted) -> None:
    own.correct(('"25/3" = "25th Inf Div"', '"25/33" = "25th Inf Div"'))
    line = next(number for number, text in enumerate(own.file.read_text("utf-8").splitlines(), 1) if "25/33" in text)
    done = run("check", own.save(example(own.module)))
    assert done.exit_code == 3
    assert f"{own.file}:{line}: [units] 25/33: unknown unit '25/33'\n  nearest known: " in done.stderr


def test_a_module_that_is_adopted_for_two_games_is_told(own: Adopted) -> None:
    second = run("adopt", str(own.module_file), "--game", "kaisers-war-in-the-east")
    assert f"! it is adopted for {GAME} too: its saves are only listed until" in " ".join(second.output.split())
    done = run("check", own.save(example(own.module)))
    assert done.exit_code == 0 and "25th Inf Div" in done.stdout
    assert (
        "The Eastern Front is adopted for kaisers-war-in-the-east and for twilight-in-the-east\n"
        "  choose: --game kaisers-war-in-the-east\n"
    ) in done.stderr


def test_of_two_games_for_which_a_module_is_adopted_one_is_chosen(own: Adopted, tmp_path: Path) -> None:
    run("adopt", str(own.module_file), "--game", "kaisers-war-in-the-east")
    save = own.save(example(own.module))
    done = run("check", save, "--game", "twilight")
    assert (done.exit_code, done.stderr) == (0, "") and "Understood" in done.stdout
    thrown = ("--answers", "crt=2+5 slrt=3/4")
    done = run("battle", save, "--game", "twilight", *thrown, "--after", str(tmp_path / "half.vsav"))
    assert "save written, with the question and its answers so far" in done.stderr
    done = run("battle", save, "--game", "twilight", *thrown, "--after", str(tmp_path / "half.vlog"))
    assert "log written" in done.stderr
    done = run("explain", str(tmp_path / "half.vlog"), "--game", "twilight")
    assert done.exit_code == 0 and "1 question explained" in done.stdout


def test_a_module_with_names_that_are_too_long_for_a_mapping_is_adopted_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    long = Adopted(tmp_path, build(map="M" * 501))
    assert run("check", long.save(set_up_game(long.module))).exit_code == 0


def test_fixtures_that_are_missing_or_damaged_are_told(own: Adopted) -> None:
    file = own.save(example(own.module))
    fixtures = own.file.with_suffix(".json")
    for spoiled in (b"{}", b"\xff", b"[" * 100_000):
        fixtures.write_bytes(spoiled)
        assert f"{fixtures}: it is damaged" in run("check", file).stderr
    fixtures.unlink()
    assert run("check", file).stderr.count("assistant adopt MODULE --game GAME") == 1


def test_a_save_of_a_module_that_nobody_adopted_is_told_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    file = tmp_path / "game.vsav"
    file.write_bytes(write_save(example(read_module(build()))))
    done = run("battle", str(file))
    assert done.exit_code == 3
    assert (
        "the save belongs to The Eastern Front, whose pieces are unknown\n  `assistant adopt MODULE --game GAME` finds"
        in done.stderr
    )


def test_a_piece_beside_the_centre_of_its_hex_is_told(adopted: Adopted) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png")]})
    moved = {id: stack._replace(at=(stack.at[0] + 9, stack.at[1])) for id, stack in save.stacks.items()}
    position = adopted.position(msgspec.structs.replace(save, stacks=moved))
    assert unread(position) == ["25/3 is off the centre of 40.20; assumed to be in it"]
