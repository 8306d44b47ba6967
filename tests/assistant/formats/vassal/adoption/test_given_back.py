"""Answers carried out in saves and logs of a published module, through the mapping that reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import ask, carry_out, read
from assistant.formats.vassal.legends import pieces_in_order, share_units
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import Save, read_save
from assistant.formats.vassal.traits import Trait
from assistant.formats.vassal.written.files import NotWritten, carry_on, find_lacking
from assistant.game.roster import shared_unit_name
from assistant.state.changes import AnyChange, Change, Enter

from .adopting import Adopted, run
from .published import DEAD, MAP, Put, example, saved

ANSWERS = {
    "crt": "2+5",
    "slrt": "3/4",
    "losses": "29/20,27/3",
    "ec.1/1": 6,
    "ec.29/20": 5,
    "ec.25/3": 12,
    "onward.40.20.1": "39.20",
}


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    folder = tmp_path_factory.mktemp("given-back")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
        return Adopted(folder)


@pytest.fixture(autouse=True)
def at_home(adopted: Adopted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(adopted.folder / "data"))


def states(save: Save, image: str) -> dict[str, str]:
    """The states of the traits of a piece by their kinds, by its picture."""
    (piece,) = [piece for piece in save.pieces.values() if f";{image};" in piece.traits[-1].type]
    return {
        trait.type.split(";")[1 if trait.kind == "PROP" else 19 if trait.kind == "emb2" else 0]: trait.state
        for trait in piece.traits
    }


@pytest.mark.parametrize("name", ["new.vsav", "new.vlog"])
def test_a_battle_is_carried_out_on_another_makers_module(adopted: Adopted, tmp_path: Path, name: str) -> None:
    source = Path(adopted.save(example(adopted.module)))
    position = read(source)
    report = ask(position, "battle", ANSWERS)
    carry_out(position, report, source, tmp_path / name)
    assert [*find_lacking(read(tmp_path / name), position.after(report.changes))] == []
    written = replay(read_save((tmp_path / name).read_bytes()))
    assert states(written, "r029.png")["Step Losses"] == "4"
    assert (states(written, "r027.png")["Step Losses"], states(written, "r027.png")["CEL lost"]) == ("1", "2")
    assert states(written, "r025.png")["CEL lost"] == "1"


def changed(adopted: Adopted, save: Save, *changes: AnyChange) -> Save:
    """The save after changes."""
    source = Path(adopted.save(save))
    return read_save(
        carry_on(source.read_bytes(), read(source).after(changes), ".vsav", "", lambda: adopted.module).data
    )


def test_who_is_lost_lies_with_others_and_a_unit_comes_from_the_palettes(adopted: Adopted) -> None:
    lost = Change("place", "1/1", "41.19", None, "")
    alone = changed(adopted, example(adopted.module), lost)
    assert [piece.map for piece in alone.pieces.values()].count(MAP) == 4
    beside = saved(adopted.module, {"4119": [Put("g001.png")]}, aside=[Put("r028.png")])
    pieces = changed(adopted, beside, lost).pieces.values()
    assert {(piece.map, piece.at) for piece in pieces} == {(DEAD, (100, 100))}
    save = changed(adopted, example(adopted.module), Enter("28/20", "28/20", "40.19", 1, ""))
    (piece,) = [one for one in save.pieces.values() if ";r028.png;" in one.traits[-1].type]
    (other,) = [one for one in save.pieces.values() if ";r029.png;" in one.traits[-1].type]
    assert (piece.map, piece.at, piece.slot) == (other.map, other.at, "4")


@pytest.mark.parametrize("ending", [".vsav", ".vlog"])
def test_what_the_counters_can_show_is_written_and_the_rest_is_listed(adopted: Adopted, ending: str) -> None:
    marked = saved(adopted.module, {"4020": [Put("oos.png"), Put("r025.png")], "4119": [Put("g001.png")]})
    source = Path(adopted.save(marked))
    changes = (
        Change("lost", "25/3", None, 2, ""),
        Change("place", "1/1", "41.19", "41.20", ""),
        Change("supply", "25/3", "out", "in", ""),
    )
    carried = carry_on(source.read_bytes(), read(source).after(changes), ending, "", lambda: adopted.module)
    assert carried.left == ("25/3, supply status: in, instead of out",)
    (adopted.folder / f"new{ending}").write_bytes(carried.data)
    state = read(adopted.folder / f"new{ending}").state
    assert (state.units["1/1"].place, state.value("lost", "25/3"), state.value("supply", "25/3")) == ("41.20", 2, "out")


def test_what_is_left_to_the_players_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    own = Adopted(tmp_path)
    own.correct(('"Step Losses" =', '"Other losses" ='))
    answers = " ".join(f"{name}={value}" for name, value in ANSWERS.items())
    new = tmp_path / "new.vsav"
    done = run("battle", own.save(example(own.module)), "--answers", answers, "--after", str(new))
    assert done.exit_code == 0, done.output
    lines = done.stderr.splitlines()
    assert lines[:2] == [f"save written: {new}", "what the file does not show, for you to set in VASSAL:"]
    assert "- 27/3, steps lost: its counter does not show it, and all sides can read the notes" in lines
    assert read(new).state.value("cel", "27/3") == -2


def test_what_a_player_has_to_set_himself_is_said(adopted: Adopted) -> None:
    with pytest.raises(NotWritten, match="the game, game turn: 2, instead of 1"):
        changed(adopted, example(adopted.module), Change("turn", "", 1, 2, ""))
    marked = saved(adopted.module, {"4020": [Put("oos.png"), Put("r025.png")]})
    with pytest.raises(NotWritten, match="25/3, supply status: in, instead of out"):
        changed(adopted, marked, Change("supply", "25/3", "out", "in", ""))


ALIKE = ("Infantry", "Infantry (2)", "Infantry (3)")


def piece(id: str, map: str = "Main", owner: str = "null") -> Piece:
    return Piece(id, (Trait("obs;66,130;;Mask;B;?;side:", owner), Trait("piece;;;;Infantry")), map)


def units(*pieces: Piece) -> dict[str, str]:
    return share_units(
        pieces_in_order(pieces), dict.fromkeys((one.id for one in pieces), ALIKE), lambda one: one.map == "Main"
    )


@pytest.mark.parametrize(
    ("unit", "kind"), [("Infantry (12)", "Infantry"), ("Infantry", "Infantry"), ("29/20 (a)", "29/20 (a)")]
)
def test_the_number_behind_a_name_is_not_of_its_kind(unit: str, kind: str) -> None:
    assert shared_unit_name(unit) == kind


def test_counters_are_numbered_by_their_age_and_keep_their_number_when_lost() -> None:
    assert units(piece("1000"), piece("999"), piece("x")) == {"999": ALIKE[0], "1000": ALIKE[1], "x": ALIKE[2]}
    assert units(piece("1", "Dead Pile"), piece("2")) == {"1": ALIKE[0], "2": ALIKE[1]}
    some = [piece("1", "Chart"), piece("2"), piece("3"), piece("4")]
    assert units(*some) == {"2": ALIKE[0], "3": ALIKE[1], "4": ALIKE[2]}


class Counted(tuple[str, ...]):
    """Units that pieces may be; how often they are told from others is counted."""

    times = 0

    def __hash__(self) -> int:
        Counted.times += 1
        return super().__hash__()


def test_hundreds_of_counters_that_are_all_alike_are_not_compared_one_by_one() -> None:
    possible = Counted(f"Infantry ({number})" for number in range(300))
    pieces = [piece(str(number)) for number in range(300)]
    found = share_units(pieces, dict.fromkeys((one.id for one in pieces), possible), lambda one: True)
    assert len(found) == 300 and Counted.times < 3


def test_hiding_a_counter_changes_no_number() -> None:
    """Which unit each counter is stays the same, so that facts by name stay with it and nothing seems to have moved."""
    for hidden in "123":
        some = [piece(id, owner="Blue" if id == hidden else "null") for id in "123"]
        assert units(*some) == dict(zip("123", ALIKE, strict=True))
    seen = [piece(id) for id in "2345"]
    open = units(*seen[:3])
    assert units(piece("1", owner="Blue"), *seen[:3]) == open
    assert units(piece("1", owner="Blue"), *seen) == units(*seen)
