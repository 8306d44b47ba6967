"""What losses bring at once: a headquarters ends the game, Samsonov's die is due; and retreats and advances that a combat leaves."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.formats.notation import read_on
from assistant.formats.positions import Position

from ..conftest import answered, told, typed, values
from ..owing import left_out
from .asking import GAME, undone

HEAD = "turn=5 scenario=historical phasing={} phase=first-combat\n"
RUSSIAN_ATTACK = (
    HEAD.format("russian")
    + "5420 clear: III/25 (6-2) supply=in, III/27 (6-2) supply=in\n5320 clear: 8A/H-L supply=in\n5320|5420 open\n"
    + "".join(f"chart russian-table 4:1+ {die} = DE\n" for die in range(-1, 10))
)
"""Two divisions next to the German headquarters, which no result spares."""
GERMAN_ATTACK = (
    HEAD.format("german")
    + "5320 clear: I/1 (8-3) supply=in, I/2 (8-3) supply=in\n5420 clear: russian infantry second A (2-2) supply=in\n5320|5420 open\n5420|5520 open\n5520|5620 open\n"
    + "".join(f"chart german-table 4:1+ {die} = {{code}}\n" for die in range(-1, 10))
)
"""Two divisions next to one of the Second Army."""


def position(text: str) -> Position:
    return typed(f"game {GAME}\n{text}")


def owed(before: Position, question: str, **given: Any) -> list[tuple[str, str]]:
    """What an answer makes owed, said in every form, with the question that settles it."""
    report = answered(before, question, **given)
    assert list(left_out(before, report)) == []
    return [(consequence.owed.track, consequence.ask) for consequence in report.follows]


@pytest.mark.rule("10.6.1/defeat")
def test_the_loss_of_a_german_headquarters_ends_the_game() -> None:
    text = RUSSIAN_ATTACK.replace("phasing", "options=german-headquarters phasing")
    before = position(text)
    assert owed(before, "battle", at=["5320"], answers={"die": "3"}) == [("defeated", "victory")]
    report = answered(before, "battle", at=["5320"], answers={"die": "3"})
    says = "The German side has lost a headquarters in combat: the game ends at once, and the other side wins"
    assert f"{says} (ask victory)." in report.headline
    after = before.after(report.changes)
    assert answered(after, "victory").result.winner == "russian"
    assert answered(after, "next").verdict.kind == "no"
    assert answered(after, "next", leave=("defeated",)).verdict.kind == "figure"
    assert owed(position(RUSSIAN_ATTACK), "battle", at=["5320"], answers={"die": "3"}) == [], "the option is not used"
    lost = text + 'army "german 8th" headquarters-lost=4\n'
    assert owed(position(lost), "battle", at=["5320"], answers={"die": "3"}) == [], "it was over before"


@pytest.mark.rule("10.6.2.1/roll")
def test_samsonovs_die_is_due_as_soon_as_the_second_army_has_lost_25_strength_points() -> None:
    def due(lost: int, more: str = "options=samsonov\n") -> list[tuple[str, str]]:
        text = GERMAN_ATTACK.format(code="DE") + f'army "russian second" army-lost={lost}\n{more}'
        return owed(position(text), "battle", at=["5420"], answers={"die": "3"})

    assert due(23) == [("samsonov-die", "samsonov")]
    assert due(22) == due(25) == due(23, "") == due(23, "options=samsonov\nsamsonov=survives\n") == []
    before = position(GERMAN_ATTACK.format(code="DE") + 'army "russian second" army-lost=23\noptions=samsonov\n')
    after = before.after(answered(before, "battle", at=["5420"], answers={"die": "3"}).changes)
    (item,) = (item for item in answered(after, "turn").result.now.items if item.ask == "samsonov")
    assert item.state == "owed", "the phase has a step for it, so that it is listed once"
    rolled = answered(after, "samsonov", answers={"samsonov": "6"})
    settled = after.after(rolled.changes)
    assert settled.state.value("samsonov-die", "") is None
    assert not [item for item in answered(settled, "turn").result.now.items if item.ask == "samsonov"]
    crowd = ", ".join(f"russian infantry second {name} (9-2)" for name in "ABCD")
    text = f"turn=5 scenario=historical phasing=russian phase=first-movement options=samsonov\n5420 clear: {crowd}\n"
    before = position(text + 'army "russian second" army-lost=20\n')
    given = {"at": ["5420"], "ended": True, "answers": {"excess.5420": "A"}}
    assert owed(before, "stack", **given) == [("samsonov-die", "samsonov")]


@pytest.mark.rule("6.5/path", "6.6/who")
def test_a_retreat_is_owed_until_it_is_made_and_the_victors_may_advance() -> None:
    before = position(GERMAN_ATTACK.format(code="D2"))
    fought = answered(before, "battle", at=["5420"], answers={"die": "3"})
    assert list(left_out(before, fought)) == []
    assert values(fought)["owes", "A"] == 2
    after = before.after(fought.changes)
    steps = [item for item in answered(after, "turn").result.now.items if item.name == "retreats"]
    assert [(item.state, item.units, item.places, item.ask) for item in steps] == [
        ("owed", ("A",), ("5420",), "retreat units=A")
    ]
    assert answered(after, "next").verdict.kind == "no"
    retreat = answered(after, "retreat", units=["A"])
    assert "2 owed" in retreat.asks[0].title
    gone = after.after(answered(after, "retreat", units=["A"], way=["5520", "5620"]).changes)
    steps = [item for item in answered(gone, "turn").result.now.items if item.name == "retreats"]
    assert [(item.state, item.units, item.places, item.ask) for item in steps] == [
        ("possible", ("I/1", "I/2"), ("5420",), "advance units=I/1,I/2 at=5420"),
        ("done", (), (), ""),
    ]
    assert answered(gone, "next").verdict.kind == "figure"


def test_a_retreat_that_players_let_stand_ends_with_the_phase() -> None:
    before = position(GERMAN_ATTACK.format(code="D2"))
    after = before.after(answered(before, "battle", at=["5420"], answers={"die": "3"}).changes)
    left = answered(after, "next", leave=("retreats",))
    assert left.verdict.kind == "figure"
    assert not after.after(left.changes).state.value("owes", "A")


def test_the_working_names_what_is_done_next() -> None:
    fought = undone(GERMAN_ATTACK.format(code="D2"), "battle", at=["5420"], answers={"die": "3"})
    assert "the defender retreats 2 hexes (ask retreat hexes=2): A" in told(fought)


@pytest.mark.rule("6.5/path")
def test_a_unit_that_is_moved_by_hand_owes_no_retreat() -> None:
    before = position(GERMAN_ATTACK.format(code="D2"))
    after = before.after(answered(before, "battle", at=["5420"], answers={"die": "3"}).changes)
    moved = read_on("5620: A\n", after)
    assert [item.state for item in answered(moved, "turn").result.now.items if item.name == "retreats"] == [
        "possible",
        "done",
    ]
    assert not moved.state.value("owes", "A")
    assert answered(moved, "next").verdict.kind == "figure"
