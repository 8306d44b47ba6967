"""What `due`, `turn`, `arrive` and `substitute` say of the same unit, over a made-up schedule (16.0, 16.2, 16.5)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from assistant.asking import View
from assistant.formats.positions import Position
from assistant.state.changes import Change, Enter
from assistant.state.tracks import Value
from assistant.util.errors import InputError
from twilight_in_the_east.substitutions.facts import is_substitute, ready_turn, with_substitutes
from twilight_in_the_east.substitutions.rules import EIGHTH, FROMMEL, NINTH, THIRD_C
from twilight_in_the_east.terms import KARPATEN

from ...cases import thorough
from ...conftest import answered, carried_on, told, values
from ..owned import stated, with_pack

ROWS = """rule,who,at,until,action,item,count,units,place,text,replaces
29.5,german,3,,arrive,unit,1,1/1,48.25,,
29.5,german,5,,arrive,unit,1,2/1,48.25 48.26,,
29.5,german,5,,substitute,unit,1,36/17,48.25,,2 lw
29.5,german,5,,withdraw,unit,1,35/17,,,
"""
NOW = """board east
trust charts counters
weather=normal
turn={} phase=reinforcement phasing=central-powers
"""
TRAIN = "german corps-train -"
Typed = Callable[..., Position]


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """What is typed, in the game of an owner whose pack has these rows."""
    game = with_pack(tmp_path, {"schedules/made.csv": ROWS})
    return lambda text="", turn=5: stated(game, NOW.format(turn) + text)


def off_map(position: Position, unit: str, **facts: Value) -> Position:
    """A position with a unit of the roster that is in play no more, as no notation says it."""
    changes = [Change(track, unit, None, value, "") for track, value in facts.items()]
    view = View(position.game, position.state).after([Enter(unit, unit, None, 0, ""), *changes])
    return replace(position, state=view.state)


def seen(position: Position) -> View:
    return View(position.game, position.state)


def due(position: Position, **period: str) -> list[tuple[str, str, str]]:
    items = answered(position, "due", who=("central-powers",), **period).result.items
    return [(item.action, item.text, item.place) for item in items if item.action in ("arrive", "substitute")]


def items(position: Position, name: str) -> list[tuple[str, tuple[str, ...]]]:
    now = answered(position, "turn").shown.now
    return [(item.state, item.units) for item in now.items if item.name == name]


def entering(position: Position) -> list[str]:
    return [unit.unit for unit in answered(position, "arrive").result.units]


@pytest.mark.rule("16.0")
def test_a_unit_that_waits_is_due_now_in_each_of_them(typed: Typed) -> None:
    position = typed("1/1 arrives=3\n")
    assert entering(position) == ["1/1", "2/1"]
    assert items(position, "reinforcements") == [("owed", ("1/1", "2/1"))]
    assert [text for _, text, _ in due(position)] == ["1/1, due since GT 3", "2/1", "36/17 for 2 lw"]
    assert due(position, turn="3") == []
    assert due(position)[1] == ("arrive", "2/1", "48.25 48.26")
    assert due(typed("A german infantry XX arrives=6 entry=48.20", 6)) == [("arrive", "A", "48.20")]


@pytest.mark.rule("16.0", "16.2")
def test_a_unit_of_an_earlier_turn_that_is_not_in_the_position_is_named(typed: Typed) -> None:
    """Nobody has brought it in, or it has been lost on paper; it is never passed over in silence."""
    report = answered(typed(), "arrive")
    assert told(report, "Not in the position") == ["1/1, due since GT 3: if it has not come, state 1/1 arrives=3"]
    assert ("possible", ("1/1",)) in items(typed(), "reinforcements")
    for position in (typed("1/1 arrives=3"), typed("44.14: 1/1"), off_map(typed(), "1/1")):
        assert not told(answered(position, "arrive"), "Not in the position")
    assert told(answered(typed("", 3), "arrive"), "Not in the position") == []
    assert told(answered(typed("1/1 arrives=3", 6), "arrive"), "Not in the position") == [
        "2/1, due since GT 5: if it has not come, state 2/1 arrives=5"
    ]


@pytest.mark.rule("16.0", "16.1b")
def test_the_list_says_what_is_typed_to_bring_a_unit_in(typed: Typed) -> None:
    assert told(answered(typed(), "arrive"), "To go on") == ["to bring 2/1 in, type: arrive 2/1 at=48.25"]
    blocked = "A german infantry XX army=Eighth arrives=5 entry=48.20\n48.20: russian artillery - Foe\n44.14: 2/1"
    (line,) = told(answered(typed(blocked), "arrive"), "To go on")
    assert line.startswith("to bring A in, type: arrive A at=") and "48.20" not in line
    assert told(answered(typed("44.14: 2/1"), "arrive"), "To go on") == []
    (ask,) = answered(typed(), "arrive", units=("2/1",)).asks
    assert ask.how == "at=48.25|48.26"


@pytest.mark.rule("16.2")
def test_a_substitute_does_not_enter_while_it_takes_the_place_of_another(typed: Typed) -> None:
    position = typed('46.12: "2 lw"\n')
    assert "36/17" not in entering(position)
    report = answered(position, "arrive", units=("36/17",))
    assert told(report) == ["36/17 takes the place of another unit (ask substitute unit=36/17)"]
    assert not report.result.allowed and report.changes == ()
    assert told(answered(position, "arrive", units=("2/1", "36/17"))) == told(report)
    with pytest.raises(InputError, match="36/17 is in 46.12 already"):
        answered(typed('46.12: 36/17 substitute-for="2 lw"\n'), "arrive", units=("36/17",))
    assert items(position, "substitutions") == [("owed", ("36/17",))]
    alone = "46.12: german infantry X B\nA german infantry XX arrives=5 entry=48.25 substitute-for=B\n"
    assert ("substitute", "A for B", "48.25") in due(typed(alone))
    assert not answered(typed(alone), "arrive", units=("A",)).result.allowed


@pytest.mark.rule("16.2", "16.2.1")
def test_a_substitute_takes_the_place_of_its_own_unit_alone(typed: Typed) -> None:
    text = """46.12: german infantry X B (6-5-0-9)
46.20: german infantry X C (6-5-0-9)
38.19: russian infantry X R (6-5-0-9)
A german infantry XX (6-5-0-9) back-steps=3 arrives=5
"""
    for old, replaced, why in (
        ("C", "B", "A takes the place of B"),
        ("R", "B", "A takes the place of B"),
        ("R", "", "R is of the other side"),
    ):
        more = f"A substitute-for={replaced}" if replaced else ""
        with pytest.raises(InputError, match=why):
            answered(typed(text + more), "substitute", unit="A", exchanged=(old,))
    for old, more in (("B", "A substitute-for=B"), ("C", "")):
        assert answered(typed(text + more), "substitute", unit="A", exchanged=(old,)).result.allowed
    with pytest.raises(InputError, match="destroyed: B is in 46.12"):
        answered(typed(f"{text}A substitute-for=B"), "substitute", unit="A", destroyed=("B",))


@pytest.mark.rule("16.2", "16.2.1", "16.4")
def test_once_its_unit_has_been_destroyed_it_is_a_reinforcement_for_good(typed: Typed) -> None:
    """The row that says whose place it takes says so of it no more."""
    position = typed()
    report = answered(position, "substitute", unit="36/17", destroyed=("2 lw",))
    assert values(report)["substitute-for", "36/17"] == ""
    assert told(report) == [
        "2 lw has been destroyed: 36/17 enters as an ordinary reinforcement (ask arrive units=36/17)"
    ]
    later = carried_on(position, report)
    assert entering(later) == ["2/1", "36/17"]
    assert items(later, "substitutions") == [("impossible", ())]
    assert ("arrive", "36/17", "48.25") in due(later)
    assert answered(later, "arrive", units=("36/17",)).result.allowed
    train = typed(f'"{THIRD_C}" arrives=5 entry=48.25 army=Eighth')
    report = answered(train, "substitute", unit=THIRD_C, destroyed=(FROMMEL,))
    assert THIRD_C not in entering(train) and THIRD_C in entering(carried_on(train, report))


@pytest.mark.rule("16.2", "16.2.1", "16.4")
def test_a_unit_that_is_not_there_does_not_stop_the_turn(typed: Typed) -> None:
    assert items(typed(), "substitutions") == [("undecided", ("36/17",))]
    (item,) = (item for item in answered(typed(), "turn").shown.now.items if item.name == "substitutions")
    assert item.text.endswith(
        "36/17: 2 lw is not in this position; state where it stands, or that it has been destroyed"
    )
    assert item.ask == 'substitute unit=36/17 destroyed="2 lw"'
    for position in (typed('"2 lw" arrives=7 entry=48.25'), off_map(typed(), "2 lw", departed="withdrawn")):
        assert items(position, "substitutions") == [("impossible", ("36/17",))]
    assert items(off_map(typed(), "2 lw"), "substitutions") == [("owed", ("36/17",))], "off the map, and destroyed"


@thorough
@pytest.mark.rule("16.2", "16.2.3a", "16.4")
def test_a_voluntary_substitute_that_is_eliminated_comes_back_as_any_supply_unit(typed: Typed) -> None:
    def back(unit: str, away: str = "", text: str = "", **facts: Value) -> bool:
        position = typed(text)
        position = off_map(position, away, departed="exchanged") if away else position
        position = off_map(position, unit, **{"arrives": 5, **facts})
        listed = unit in entering(position)
        assert is_substitute(with_substitutes(seen(position)), unit) is not listed
        exchanged = [text for action, text, _ in due(position) if action == "substitute" and text.startswith(unit)]
        assert bool(exchanged) is not (listed or unit == KARPATEN or "departed" in facts)
        return listed

    assert back(EIGHTH) and back(NINTH, EIGHTH) and back(THIRD_C, FROMMEL) and back(NINTH, text="ninth-army=4")
    assert not back(NINTH) and not back(THIRD_C) and not back(THIRD_C, text="ninth-army=4")
    assert not back(NINTH, army="Ninth") and is_substitute(seen(off_map(typed(), EIGHTH)), EIGHTH)
    assert not back(EIGHTH, departed="exchanged") and not back(KARPATEN) and back(KARPATEN, army="Third")
    assert is_substitute(seen(typed(f'48.19: "{EIGHTH}"')), EIGHTH) and is_substitute(seen(typed()), NINTH)
    for text, unit in ((f'48.19: "{EIGHTH}"\n"{NINTH}" arrives=5', NINTH), ('48.19: "2 lw"\n36/17 arrives=5', "36/17")):
        assert answered(typed(text), "substitute", unit=unit).result.allowed
    report = answered(typed(f'48.19: "{NINTH}"\n"{EIGHTH}" arrives=5'), "substitute", unit=EIGHTH)
    assert told(report) == [f"{EIGHTH} has been eliminated, and comes back two game turns later (ask return)"]


@pytest.mark.rule("16.2.3a")
def test_the_two_depots_take_the_place_of_each_other_as_often_as_wished(typed: Typed) -> None:
    position = typed(f'48.19: "{EIGHTH}"\n"{NINTH}" arrives=5')
    for depot in (NINTH, EIGHTH, NINTH, EIGHTH, NINTH):
        report = answered(position, "substitute", unit=depot)
        assert report.result.allowed and report.result.place == "48.19"
        position = carried_on(position, report)
        assert ready_turn(seen(position), NINTH if depot == EIGHTH else EIGHTH)
        with pytest.raises(InputError, match="is on the map"):
            answered(position, "substitute", unit=depot)


@pytest.mark.rule("16.2.3a")
def test_the_train_of_frommel_never_takes_its_place_back(typed: Typed) -> None:
    with pytest.raises(InputError, match="FR Train has been exchanged for another unit") as refused:
        answered(off_map(typed(f'48.19: "{THIRD_C}"'), FROMMEL, departed="exchanged"), "substitute", unit=FROMMEL)
    assert "16.2.3a" in refused.value.hint


@pytest.mark.rule("16.0")
def test_a_unit_that_has_been_eliminated_does_not_arrive_again(typed: Typed) -> None:
    def enters(position: Position, unit: str = "1/1") -> list[str]:
        report = answered(position, "arrive", units=(unit,), at="48.25")
        return [] if report.result.allowed else told(report)

    assert enters(off_map(typed(), "1/1")) == [
        "1/1: it was due in GT 3 and has been in play; if it still waits, state 1/1 arrives=3"
    ]
    assert enters(off_map(typed(), "1/1", arrives=3)) == enters(typed()) == []
    assert enters(off_map(typed(), "2/1"), "2/1") == enters(off_map(typed("", 3), "1/1")) == []


@thorough
@pytest.mark.rule("16.1d")
def test_a_unit_joins_no_army_that_is_not_in_play(typed: Typed) -> None:
    def joins(army: str, facts: str = "", turn: int = 5) -> bool:
        text = f"A german infantry XX (6-6-1-9) movement=7 arrives={turn} entry=48.25\n46.20: 2/1 army=Eighth\n{facts}"
        return answered(typed(text, turn), "arrive", units=("A",), army=army).result.allowed

    for army in ("Eighth", "central-powers Eighth", "Third"):
        assert joins(army)
    with pytest.raises(InputError, match="Ninth is not in play in GT 9") as refused:
        joins("Ninth", turn=9)
    assert refused.value.hint == "formed between GT 10 and 21"
    assert joins("Ninth", turn=10) and joins("Ninth", "46.21: german infantry XX B army=Ninth")
    with pytest.raises(InputError, match="Ninth is not in play in GT 10"):
        joins("Ninth", "campaign", turn=10)
    assert joins("Ninth", "campaign\nninth-army=10", turn=10) and joins("Third", "campaign")
    for army, why in (
        ("Przemysl Garrison", "takes no units that arrive"),
        ("Warsaw Garrison", "no army 'Warsaw Garrison' of the Central Powers"),
        ("Eigth", "no army 'Eigth' of the Central Powers"),
    ):
        with pytest.raises(InputError, match=why):
            joins(army)


@pytest.mark.rule("1.2.2b", "16.0")
def test_a_unit_that_has_left_for_good_does_not_arrive(typed: Typed) -> None:
    with pytest.raises(InputError, match="2/1 has left the map for good"):
        answered(off_map(typed(), "2/1", departed="off-map"), "arrive", units=("2/1",))


@thorough
@pytest.mark.rule("3.3.6", "16.5")
def test_a_unit_is_withdrawn_while_it_waits(typed: Typed) -> None:
    for text in ("35/17 arrives=4 entry=48.25", "A german infantry XX arrives=4 entry=48.25 withdrawal=5"):
        unit = text.split()[0]
        position = typed(text)
        assert unit not in entering(position)
        assert items(position, "withdrawals") == [("owed", (unit,))]
        assert unit in entering(typed(text, 4))
        report = answered(position, "next", leave=("reinforcements", "substitutions"))
        assert values(report)["departed", unit] == "withdrawn"
        assert items(carried_on(position, report), "withdrawals") == []
    assert items(typed("44.14: 35/17"), "withdrawals") == [("owed", ("35/17",))]


def test_what_blocks_an_entry_hex_is_said_for_turns_ahead(typed: Typed) -> None:
    ahead = due(typed("48.25: 25/3", turn=2), until="5")
    several = next(text for _, text, place in ahead if place == "48.25 48.26")
    assert several.startswith("2/1 (blocked now: an enemy unit is in 48.25")
    assert [text for _, text, place in ahead if place == "48.25" and text.startswith("1/1")] == [
        "1/1 (blocked now: an enemy unit is in 48.25)"
    ]
    free = due(typed("25.25: 25/3", turn=2), until="5")
    assert {text for action, text, _ in free if action == "arrive"} == {"1/1", "2/1"}
