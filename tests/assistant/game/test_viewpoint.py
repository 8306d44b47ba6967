"""Viewpoints in general: settings, options, errors that betray nothing, counters face down, games that limit no intelligence."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings

from assistant.asking.view import View
from assistant.faces.cli.main import cli
from assistant.formats.json_state import read_json
from assistant.formats.positions import Position
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import write_save
from assistant.formats.vassal.traits import Trait, hidden_by
from assistant.game.covers import cover_counters, hidden_units, uncover_counters
from assistant.game.games import Game, read_game
from assistant.game.states import Stated, build_state
from assistant.game.viewpoint import reduce_state
from assistant.game.viewpoint_settings import read_viewpoints, set_viewpoint
from assistant.service import to_json
from assistant.state.state import HIDDEN, UMPIRE, GameState, Unit, Unread, suppose_value
from assistant.state.tracks import Track
from assistant.util.errors import InputError

from ...cases import examples
from ...conftest import GAME, typed
from ..formats.vassal.test_positions import MAP, SETTING, TWO, positions, saved, strange, with_pieces

TWO_SIDES = Path(__file__).parents[2] / "shape" / "data" / "world_undone"
POSITION = f"game {GAME}\n40.20: 25/3\n41.19: 1/1 -3, 2/1\n"


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of the test's own."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "settings.json"


def run(*words: str, input: str | None = POSITION) -> Result:
    return CliRunner().invoke(cli, words, input=input, prog_name="assistant")


# --- whose eyes -------------------------------------------------------------------------------------------------------


def test_without_a_word_everything_is_seen_and_said_so() -> None:
    done = run("check", "-")
    assert "2/1" in done.stdout
    assert done.stdout.startswith("You see both sides. `--as SIDE` shows")
    assert f"`assistant viewpoint {GAME} SIDE` remembers it" in " ".join(done.stdout.split())
    assert done.stdout.count("You see") == 1


def test_unit_that_has_left_a_stack_says_nothing_of_what_lay_on_it(tmp_path: Path) -> None:
    told = []
    for above in ("", "2/1 invisible=central-powers, "):
        journal = f"journal {GAME} 1\n40.20: {above}25/3, 27/3\n1 1 fact 40.20: 25/3\n"
        (tmp_path / "x.journal").write_text(journal)
        told.append(run("convert", f"{tmp_path / 'x.journal'}@1", "--as", "russian").stdout)
    assert "27/3" in told[0] and told[0] == told[1]


def test_a_side_sees_its_own_and_an_umpire_everything() -> None:
    done = run("check", "-", "--as", "russian")
    assert "2/1" not in done.stdout
    assert done.stdout.splitlines()[-1] == "You see what the Russian side knows."
    done = run("check", "-", "--umpire")
    assert "2/1" in done.stdout
    assert "You see" not in done.stdout
    found = [json.loads(run("check", "-", *words, "--json").stdout)["viewpoint"] for words in ((), ("--umpire",))]
    assert found == ["everything", "umpire"]
    assert run("check", "-", "--as", "russian", "--forum").stdout.endswith("You see what the Russian side knows.\n")


def test_a_viewpoint_that_is_kept_counts_until_an_option_says_otherwise(own_settings: Path) -> None:
    assert run("viewpoint", GAME, "russian").stdout == f"{GAME}: russian\n"
    assert json.loads(own_settings.read_text("utf-8")) == {"viewpoint": {GAME: "russian"}}
    assert "2/1" not in run("check", "-").stdout
    assert "2/1" in run("check", "-", "--umpire").stdout
    assert "2/1" in run("check", "-", "--as", "central-powers").stdout
    assert run("viewpoint", GAME, "none").stdout == run("viewpoint").stdout == ""
    assert "2/1" in run("check", "-").stdout
    set_viewpoint("one", "red")
    set_viewpoint("two", UMPIRE)
    set_viewpoint("one", "")
    assert read_viewpoints() == {"two": "umpire"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "-", "--as", "french"], "--as: unknown side 'french' of 1914, Twilight in the East"),
        (["check", "-", "--as", "russian", "--umpire"], "--as: an umpire sees all sides"),
        (["viewpoint", GAME, "french"], "unknown side 'french' of 1914, Twilight in the East"),
        (["viewpoint", "chess", "white"], f"unknown game 'chess', and no folder of that name in {Path.cwd()}"),
    ],
)
def test_viewpoints_that_are_none(words: list[str], said: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.splitlines()[0] == f"assistant: {said}"


def test_settings_that_cannot_be_read_are_named(own_settings: Path) -> None:
    own_settings.parent.mkdir()
    own_settings.write_text("viewpoint = russian", "utf-8")
    done = run("check", "-")
    assert done.exit_code == 3
    assert str(own_settings) in done.stderr
    own_settings.write_text('{"viewpoint": {"' + GAME + '": "french"}}', "utf-8")
    assert run("check", "-").stderr.startswith(
        "assistant: settings.json: unknown side 'french' of 1914, Twilight in the East"
    )


# --- what is handed on ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("--notation",)])
def test_what_is_converted_for_a_side_is_read_again_as_that_side_sees_it(words: tuple[str, ...]) -> None:
    handed_on = run("convert", "-", "--as", "russian", *words).stdout
    assert "2/1" not in handed_on
    before = json.loads(run("check", "-", "--as", "russian", "--json").stdout)
    after = json.loads(run("check", "-", "--as", "russian", "--json", input=handed_on).stdout)
    assert before == after


def test_a_position_that_says_what_is_hidden_is_not_said_to_show_everything() -> None:
    assert "You see" not in run("check", "-", input=f"game {GAME}\n41.19 unseen=russian: 25/3 hidden=lost\n").stdout


def test_json_remembers_whose_knowledge_it_is_and_knows_no_other_side() -> None:
    document = json.loads(run("convert", "-", "--as", "russian").stdout)
    assert document["seen_by"] == "russian"
    assert run("check", "-", input=json.dumps(document)).stdout.endswith("You see what the Russian side knows.\n")
    with pytest.raises(InputError, match="unknown side 'french'"):
        read_json(json.dumps({**document, "seen_by": "french"}).encode(), "x.json", lambda id: typed(POSITION).game)


def test_the_cells_that_a_pack_is_completed_with_tell_nothing_either(tmp_path: Path) -> None:
    text = f"""game {GAME}
turn=1
40.20: 25/3 (10-?-5-10)
41.19 clear: 1/1 (12-16-7-11) {{}}
41.19|40.20 open
ask battle at=41.19 attacker-ap=3 defender-ap=none
"""
    told = []
    for losses in ("", "-9 cel=-4"):
        file = tmp_path / "mail.pos"
        file.write_text(text.format(losses), "utf-8")
        told.append([run("pack", "complete", str(file), *eyes, input="").stdout for eyes in (["--as", "russian"], [])])
    (as_a_side, everything), (after_losses, everything_then) = told
    assert as_a_side == after_losses
    assert everything != everything_then


# --- errors and what is not understood --------------------------------------------------------------------------------


def test_a_save_whose_pieces_cannot_be_read_tells_only_an_umpire_why(tmp_path: Path) -> None:
    twice = with_pieces(saved("41.19: 1/1, 2/1"), *(saved("42.19: 2/1").pieces.values()))
    twice = msgspec.structs.replace(
        twice, pieces={**twice.pieces, "twin": saved("42.19: 1/1").pieces["1"]._replace(id="twin")}
    )
    file = tmp_path / "mail.vsav"
    file.write_bytes(write_save(twice))
    told = run("check", str(file), "--as", "russian", input=None)
    assert told.exit_code == 3
    assert told.stderr.splitlines() == [
        f"assistant: {file}: its pieces cannot be read",
        "  an umpire learns more with --umpire",
    ]
    assert "is in the save twice" in run("check", str(file), "--umpire", input=None).stderr


@pytest.mark.parametrize("limit", ["UNITS=2", "STACK=1", "PIECES=2", "COMMANDS=30", "COMMAND=900", "TRAITS=12"])
@pytest.mark.parametrize("ending", [".pos", ".json", ".vsav"])
def test_no_limit_counts_what_is_hidden(
    ending: str, limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, most = limit.split("=")
    file = tmp_path / f"mail{ending}"
    told = []
    for below in ("", ", 2/1 -3, 35/17 cel=-2, 36/17, 37/20"):
        text = f"40.20: 25/3\n41.19: 1/1{below}"
        if ending == ".vsav":
            file.write_bytes(write_save(saved(text)))
        else:
            file.write_bytes(to_json(typed(text)).encode() if ending == ".json" else f"game {GAME}\n{text}".encode())
        with monkeypatch.context() as limited:
            limited.setenv(f"FIELD_STAFF_LIMIT_{name}", most)
            told.append(run("check", str(file), "--as", "russian", input=None))
    assert [(one.exit_code, one.output) for one in told] == [(0, told[0].output)] * 2


def test_what_is_seen_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_UNITS", "1")
    done = run("check", "-", "--as", "russian")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (
        3,
        "assistant: standard input.pos: it holds more than 1 units",
    )


def test_a_hint_names_no_unit_that_may_be_hidden() -> None:
    wrong = POSITION.replace("2/1", '"KG Train"') + '"KG Tran" D1\n'
    assert run("check", "-", "--umpire", input=wrong).stderr.splitlines()[1] == "  nearest known: KG Train"
    assert len(run("check", "-", "--as", "russian", input=wrong).stderr.splitlines()) == 1


def test_the_line_of_a_question_does_not_tell_how_many_are_above_it() -> None:
    told = []
    for hidden in ("", "2/1 D1\n35/17 D1\n"):
        asks = f"game {GAME}\n40.20: 25/3\n41.19: 1/1, 2/1, 35/17\n{hidden}ask battle at=99.99\n"
        told.append(run("battle", "-", "--as", "russian", input=asks).stderr)
    assert told[0] == told[1]


def test_a_file_that_is_no_save_is_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "mail.vsav"
    file.write_bytes(b"no zip")
    assert "zip" in run("check", str(file), "--as", "russian", input=None).stderr


def test_what_was_not_understood_of_a_hidden_piece_is_not_told() -> None:
    position = typed(POSITION)
    unread = (Unread("of all"), Unread("of 1/1", "1/1"), Unread("of 2/1", "2/1"), Unread("of nobody", None))
    state = msgspec.structs.replace(position.state, unread=unread)
    assert [one.what for one in reduce_state(position.game, state, "russian").unread] == ["of all", "of 1/1"]
    assert len(reduce_state(position.game, state, UMPIRE).unread) == 4


def test_strange_things_out_of_sight_leave_room_for_those_in_sight(tmp_path: Path) -> None:
    """Only so many are named; whom they concern, they are counted for alone."""
    file = tmp_path / "mail.vsav"
    told = []
    for number in (0, 1001):
        save = saved("40.20: 25/3\n41.19: 1/1")
        cover = hidden_by("hide;;;;side:", "central-powers")
        odd = [
            Piece(f"odd {n}", (Trait(f"odd{n};1"), cover, Trait("piece;;;;?")), MAP, SETTING.grid.hexes["41.19"])
            for n in range(number)
        ]
        seen = {id: piece._replace(traits=(Trait("strange;1"), *piece.traits)) for id, piece in save.pieces.items()}
        before = {piece.id: piece for piece in odd}
        file.write_bytes(write_save(msgspec.structs.replace(save, pieces={**before, **seen})))
        told.append(run("check", str(file), "--as", "russian", input=None).stdout)
    assert "a trait of kind 'strange'" in told[0]
    assert told[0] == told[1]


def test_a_text_of_a_save_steers_no_terminal(tmp_path: Path) -> None:
    file = tmp_path / "bell.vsav"
    file.write_bytes(write_save(with_pieces(saved("40.20: 25/3"), strange("ring\a\x9b31m\u202e"))))
    told = run("check", str(file), input=None).stdout
    assert "ring\\x07\\x9b31m\\u202e at 42.22" in told
    assert all(line.isprintable() for line in told.split("\n"))


@pytest.fixture
def plain_game() -> Game:
    return read_game("world-undone", TWO_SIDES)


def state_of(game: Game, text: dict[str, str]) -> GameState:
    """German units in 1010 and a Russian one in 1111, with how each is hidden ("" for not at all)."""
    from assistant.state.tracks import Fact

    units = [Unit(name, name, "1111" if name == "ivan" else "1010", order) for order, name in enumerate(text)]
    facts = {("nation", name): Fact("russian" if name == "ivan" else "german") for name in text}
    facts |= {("arm", name): Fact("infantry") for name in text}
    facts |= {(how, name): Fact("german") for name, how in text.items() if how}
    return build_state(game, Stated(units=units, facts=facts))


def test_only_what_a_player_has_hidden_is_hidden_then(plain_game: Game) -> None:
    state = state_of(plain_game, {"a": "", "b": "masked", "c": "invisible", "d": "", "ivan": ""})
    theirs, ours = reduce_state(plain_game, state, "russian"), reduce_state(plain_game, state, "german")
    assert [unit.id for unit in theirs.stack("1010")] == ["a", "d"]
    assert theirs.value("unseen", "1010") == "german"
    assert [unit.id for unit in ours.stack("1010")] == ["a", "b", "c", "d"]
    assert all((HIDDEN, unit) not in theirs.facts for unit in theirs.units)


def test_what_is_unseen_is_asked_for(plain_game: Game) -> None:
    state = reduce_state(plain_game, state_of(plain_game, {"a": "masked", "ivan": ""}), "russian")
    view = View(plain_game, state)
    (stands_for,) = view.stack("1010")
    assert (stands_for.id, view.unit(stands_for.id)) == ("unseen at 1010", stands_for)
    nation = view.fact("nation", stands_for.id)
    assert nation is not None and nation.value == "german"
    assert view.premises.supposes


# --- suppositions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track", "weakest", "strongest"),
    [
        ({"kind": "integer", "least": 0, "most": 40, "absent": 0}, 7, 0),
        ({"kind": "integer", "least": -4, "most": 0, "absent": 0}, -4, 0),
        ({"kind": "flag", "absent": False}, True, False),
        ({"kind": "choice", "values": ["in", "low", "out"], "absent": "in"}, "out", "in"),
        ({"kind": "text", "absent": ""}, "", ""),
        ({"kind": "flag"}, True, None),
    ],
)
def test_what_silence_means_is_the_strongest_and_the_farthest_from_it_the_weakest(
    track: dict[str, object], weakest: object, strongest: object
) -> None:
    declared = msgspec.convert({"name": "t", "title": "t", "on": "unit", "rule": "", **track}, Track)
    below = 8 if declared.kind == "integer" else None
    assert (suppose_value(declared, "weakest", below), suppose_value(declared, "strongest", below)) == (
        weakest,
        strongest,
    )


def test_steps_lost_stay_within_the_side_that_is_up() -> None:
    text = "41.19: german infantry XX A (12-16-7-11) back-steps=5 {} hidden=lost"
    for said, most in (("", 11), ("reduced", 4)):
        position = typed(text.format(said))
        view = View(position.game, position.state)
        lost = view.fact("lost", "A")
        assert lost is not None and lost.value == most


CAPS, CRESTS = "hidden-units=caps\n", "hidden-units=concealment\n"


def hides(text: str) -> dict[tuple[str, str], object]:
    """What hides the counters of a position on a table."""
    position = typed(text)
    state = cover_counters(position.game, position.state)
    return {key: fact.value for key, fact in state.facts.items() if key[0] in ("masked", "invisible")}


def meant(text: str) -> GameState:
    position = typed(text)
    return uncover_counters(position.game, position.state)


def test_units_lie_face_down_by_crests_and_out_of_sight_under_caps() -> None:
    assert hides(CRESTS + "40.20: 25/3 concealed, 27/3") == {("masked", "25/3"): "russian"}
    assert hides(CAPS + "41.19: Tilsit concealed") == {("masked", "Tilsit"): "central-powers"}
    text = CAPS + "41.19 capped: Tilsit concealed"
    assert hides(text) == {("masked", "Tilsit"): "central-powers", ("invisible", "Tilsit"): "central-powers"}
    assert hides(CAPS + "40.20 capped: 25/3, Dummy/R1\n40.21: 27/3") == {
        ("invisible", "25/3"): "russian",
        ("invisible", "Dummy/R1"): "russian",
    }


@pytest.mark.parametrize("option", ["", "hidden-units=none\n", "hidden-units=on-map\n"])
def test_without_the_option_no_counter_lies_face_down_by_the_rules(option: str) -> None:
    assert hides(option + "40.20: 25/3 concealed") == {}
    assert meant(option + "40.20: 25/3 masked=russian").value("masked", "25/3") == "russian"


def test_a_counter_that_its_own_side_hid_is_concealed_or_under_the_cap() -> None:
    state = meant(CRESTS + "40.20: 25/3 masked=russian, 27/3 masked=central-powers, 28/20 masked=nobody")
    assert [state.value("concealed", unit) for unit in ("25/3", "27/3", "28/20")] == [True, None, None]
    assert [state.value("masked", unit) for unit in ("25/3", "27/3", "28/20")] == [None, "central-powers", "nobody"]
    state = meant(CAPS + "40.20 capped: 25/3 invisible=russian, 27/3 invisible=nobody\n40.21: 28/20 invisible=russian")
    said = [state.value("invisible", unit) for unit in ("25/3", "27/3", "28/20")]
    assert said == [None, "nobody", "russian"]


def test_who_is_hidden_from_others_is_known_by_each_of_the_ways() -> None:
    text = "40.20 capped: 25/3\n40.21: 27/3\n40.22: 28/20 masked=russian\n40.23: 29/20 invisible=russian\n40.24: 30/4"
    position = typed(CRESTS + text + " concealed\n41.19: 1/1")
    assert hidden_units(position.game, position.state) == {"25/3", "28/20", "29/20", "30/4"}


@given(positions())
@settings(max_examples=examples(100))
def test_what_the_game_has_comes_back_from_the_table(position: Position) -> None:
    state = uncover_counters(TWO, position.state)
    again = uncover_counters(TWO, cover_counters(TWO, state))
    assert dict(again.facts) == dict(state.facts)
