"""What the table of a side is made of: its beliefs, its own lines, and the question that all share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from assistant.asking.question import Parameters, Question
from assistant.faces.page import beliefs, disclosure, own_lines
from assistant.faces.page.beliefs import MAX_TRIES, Belief, BeliefReader, find_writable
from assistant.faces.page.disclosure import Following, combat_asked, without_unseen_units
from assistant.faces.page.own_lines import OwnFile, OwnLine, PrivateChange
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.state import GameState, Unit
from assistant.util.errors import InputError
from assistant.util.writing import write_whole

GAME = "twilight-in-the-east"
EMPTY = GameState(game=GAME)


def bring(number: int) -> Belief:
    """The belief that a unit has come to a hex of its own."""
    units = {f"u{number}": Unit(id=f"u{number}", type="", place=f"10.{number}")}
    return Belief(EMPTY, msgspec.structs.replace(EMPTY, units=MappingProxyType(units)), EMPTY)


def count_tries(refused: set[str], number: int) -> tuple[list[int], GameState, int]:
    """What is chosen of a number of beliefs if no table may have some units, and how many tables are tried."""
    tried = list[GameState]()

    def can_write(state: GameState) -> bool:
        tried.append(state)
        return not refused & state.units.keys()

    kept, state = find_writable(EMPTY, [bring(at) for at in range(number)], can_write)
    return kept, state, len(tried)


@pytest.mark.parametrize("refused", [{0}, {63}, {7, 40, 41}])
def test_beliefs_with_which_a_table_cannot_be_written_are_found_in_few_tries(refused: set[int]) -> None:
    kept, state, tries = count_tries({f"u{number}" for number in refused}, 64)
    assert kept == [at for at in range(64) if at not in refused]
    assert [*state.units] == [f"u{at}" for at in kept]
    assert tries <= 1 + 12 * len(refused)


def test_no_number_of_beliefs_takes_more_than_so_many_tries() -> None:
    kept, state, tries = count_tries({f"u{number}" for number in range(1, 400)}, 400)
    assert tries == MAX_TRIES
    assert kept == [0]
    assert [*state.units] == ["u0"]


def test_belief_that_makes_good_what_an_earlier_one_spoils_keeps_both() -> None:
    away = Belief(bring(0).after, EMPTY, EMPTY)
    kept, state = find_writable(EMPTY, [bring(0), away], lambda state: not any(u.place for u in state.units.values()))
    assert kept == [0, 1]
    assert all(unit.place is None for unit in state.units.values())


def test_belief_is_read_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def unpack(text: str, _: Callable[[str], Game]) -> GameState:
        read.append(text)
        return EMPTY

    monkeypatch.setattr(beliefs, "_unpack", unpack)
    reader = BeliefReader(load_game)
    lines = [OwnLine(str(number), private=PrivateChange(str(number), "")) for number in range(1200)]
    for _ in range(2):
        assert len(reader.read_all(lines)[1]) == len(lines)
    assert len(read) == 2 * len(lines)
    reader.read_all(lines[:1])
    reader.read_all(lines[:2])  # the second is forgotten once its line does not count
    assert len(read) == 2 * len(lines) + 2


def open_file(folder: Path) -> OwnFile:
    return OwnFile(folder / "sides" / "front.own", pytest.fail)


def taps(file: OwnFile) -> list[str]:
    return [line.tap for line in file.lines]


def test_line_goes_behind_those_that_another_run_has_added(tmp_path: Path) -> None:
    first, second = open_file(tmp_path), open_file(tmp_path)
    for number in range(3):
        first.add(OwnLine(f"first {number}"))
        second.add(OwnLine(f"second {number}"))
    first.renew()
    known = [f"{run} {number}" for number in range(3) for run in ("first", "second")]
    assert taps(first) == taps(second) == taps(open_file(tmp_path)) == known


def test_file_is_not_written_anew_over_a_line_that_another_run_has_added(tmp_path: Path) -> None:
    first = open_file(tmp_path)
    first.add(OwnLine("first"))
    open_file(tmp_path).add(OwnLine("second"))
    first.begin([OwnLine("", taps=("first",))])
    assert taps(first) == taps(open_file(tmp_path)) == ["first", "second"]
    first.begin([OwnLine("", taps=("first", "second"))])
    assert taps(first) == taps(open_file(tmp_path)) == [""]


def test_file_that_another_run_has_written_anew_has_lost_nothing(tmp_path: Path) -> None:
    first = open_file(tmp_path)
    first.add(OwnLine("first"))
    open_file(tmp_path).begin([OwnLine("", taps=("first",))])
    first.renew()
    assert taps(first) == [""]


def test_file_that_is_damaged_between_two_lines_gets_no_line_behind_the_damage(tmp_path: Path) -> None:
    said = list[str]()
    file = OwnFile(tmp_path / "front.own", said.append)
    file.add(OwnLine("first"))
    file.file.write_bytes(file.file.read_bytes() + b"\xff\n")
    with pytest.raises(InputError, match="cannot be used now"):
        file.add(OwnLine("second"))
    file.renew()
    file.add(OwnLine("second"))
    assert taps(file) == taps(OwnFile(file.file, pytest.fail)) == ["first", "second"]
    assert len(said) == 1 and "damaged-1" in said[0]


def test_damaged_file_that_cannot_be_replaced_is_copied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    file = OwnFile(tmp_path / "front.own", said.append)
    file.add(OwnLine("first"))
    data = file.file.read_bytes() + b"\xff\n"
    file.file.write_bytes(data)

    def refuse(path: Path, data: bytes, **options: Any) -> None:
        if options:
            raise InputError("no space left")
        write_whole(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(own_lines.disk, "write_whole", refuse)
        for _ in range(3):
            file.renew()
    assert file.file.read_bytes() == data
    assert taps(file) == ["first"] and len(said) == 1
    file.renew()
    assert [path.read_bytes() for path in tmp_path.glob("*.damaged-*")] == [data]
    assert len(said) == 2 and "damaged-1" in said[1]


TWILIGHT = load_game("twilight-in-the-east")


def table_of(question: str, **parameters: str) -> TableState:
    """Return an empty table with a question."""
    return TableState(Position(TWILIGHT, GameState(game=TWILIGHT.id), asks=(Asked(question, parameters),)))


FIRST = table_of("battle", **{"at": "41.19", "from": "40.20"})
SECOND = table_of("battle", **{"at": "42.21", "from": "40.19"})
SUPPLY = table_of("supply", unit="25/3")


def test_combat_of_another_hex_takes_the_place_of_what_is_asked_and_the_same_stays_as_it_is() -> None:
    following = Following(SUPPLY, combat_asked(FIRST)).follow(FIRST, bool)
    assert following.table is SUPPLY
    assert following.follow(SECOND, bool).table is SECOND


def test_undo_of_the_own_combat_brings_back_what_was_asked_at_the_combat_before() -> None:
    following = Following(SUPPLY, combat_asked(FIRST)).follow(SECOND, bool)
    assert following.follow(FIRST, bool, is_undone=True).table is SUPPLY
    assert following.follow(FIRST, bool).table is FIRST
    assert following.follow(None, bool, is_undone=True).table is None


def shown_parameters(asked: TableState, seen: set[str] | None = None) -> dict[str, object] | None:
    """What of a question is shown at a table where 25/3 is not seen, None for a question that is hidden there."""
    shown = without_unseen_units(asked, {"25/3"}, seen)
    return dict(shown.position.asks[0].parameters) if shown else None


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("at", "41.19", "41.19"),
        ("withhold", "25/3,27/3", "27/3"),
        ("withhold", "25/3", None),
        ("attacker-policy", "25/3:corps,usual", "usual"),
        ("shift", "2", "2"),
        ("leader", "brusilov", "brusilov"),
        ("unheard-of", "27/3", None),
    ],
)
def test_type_of_a_parameter_decides_what_others_see_of_it(name: str, value: str, left: str | None) -> None:
    assert shown_parameters(table_of("battle", **{name: value})) == ({} if left is None else {name: left})


def test_question_about_none_but_unseen_units_is_hidden() -> None:
    assert shown_parameters(SUPPLY) is None
    assert shown_parameters(table_of("supply", unit="27/3"), {"27/3"}) == {"unit": "27/3"}
    assert shown_parameters(table_of("supply", unit="27/3"), {"1/1"}) is None
    assert shown_parameters(table_of("no-such-question", unit="27/3")) is None


def test_parameter_of_an_unknown_type_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class TextParameters(Parameters, frozen=True):
        remark: str
        turn: int = 1

    question = Question(name="text", title="A text", parameters=TextParameters, result=int, answer=pytest.fail)
    monkeypatch.setattr(disclosure, "questions_of", lambda game: {"text": question})
    assert shown_parameters(table_of("text", remark="beside 25-3", turn="2")) == {"turn": "2"}
