"""Every question of the game over positions that grow tenfold: its work grows no faster, or a limit stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import msgspec
import pytest

import assistant
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import questions_of
from assistant.state.state import Unread
from assistant.util.limits import TooMuch
from tests.growth import MANY, TIMES, grows_evenly

from ..cases import few

ASKED: Mapping[str, str] = {
    "abandon": 'army="russian First" distance=5',
    "activate": "army=Ninth",
    "ammunition": "at=02.16 in-range=T0",
    "arrive": "side=russian",
    "attach": "unit=R0 attachment-phase=yes army=A1",
    "attachment": "",
    "attacks": "side=russian attacker-ap=all defender-ap=all",
    "battle": "at=03.16 attacker-ap=none defender-ap=none",
    "bridgehead": "unit=Zamosc",
    "build-line": "at=02.16 kind=field nation=russian",
    "call": "",
    "cavalry": "unit=Rider enemy=G0 left=03.17",
    "check": "",
    "clock": "",
    "conceal": "",
    "condition": "unit=R0",
    "control": "at=02.16,50.50",
    "dig-in": "unit=R0 points=2",
    "displace": "unit=Gun",
    "due": "",
    "ersatz": "from=E0 to=E1",
    "ezoc": "units=R0 way=02.17",
    "forced-march": "unit=R0 points=2",
    "garrison": "",
    "holding-box": "unit=R0",
    "intercepts": "",
    "lifelines": "unit=R0",
    "markers": "",
    "move": "units=R0 way=02.17",
    "move-depot": "unit=Depot to=50.91 rate=9",
    "next": "leave=tasks",
    "need": "at=03.16 column=3:1 attacker-ap=none defender-ap=none",
    "plans": "side=russian",
    "pontoon": "at=02.16 to=02.17 train=T0 in-range=yes",
    "prepared": "unit=R0 at=03.16 points=4",
    "railhead": "side=russian hexes=02.16 russian=3",
    "railways": "side=russian at=02.16",
    "rail": "units=Train0 to=50.95 rate=9",
    "rail-points": "",
    "reach": "units=R0",
    "recover": "unit=Loose points=3",
    "replace": "",
    "repulse": "at=03.16 from=02.16 units=R0 flanked=no",
    "retreat": "at=02.16 hexes=2 cause=check",
    "return": "unit=Gone",
    "reunite": 'unit="det R0" ends=yes parent=R0',
    "setup": "",
    "scenario": "scenario=own",
    "stack": "at=02.16",
    "substitute": "",
    "supply": "unit=R0 line=L0",
    "supply-phase": "side=russian",
    "threat": "side=russian at=02.16",
    "town": "at=03.16 held=central-powers",
    "turn": "",
    "victory": "",
    "weather": "",
    "zones": "",
}
"""What each question is asked: a new one has to be added here."""


def pairs(many: int) -> str:
    """So many pairs of stacks face to face, spread over the map, with armies, areas, fronts, lines, hexes and hexsides."""
    lines = ["game twilight-in-the-east", "turn=3", "trust charts counters"]
    stated: list[str] = []
    armies = many // 4
    for number in range(many):
        column, row = 2 + number % 23 * 4, 16 + number // 23 * 5
        here, there, back = f"{column:02}.{row}", f"{column + 1:02}.{row}", f"{column:02}.{row + 2}"
        army = f"army=A{number % armies} corps={number}"
        first = ', russian cavalry XX Rider (3-3-0-9), russian artillery - Gun artillery=4, russian infantry X "det R0" (1-1-0-9) withdrawal=1'
        others = f"{first}, russian infantry XX Loose (3-3-0-9) D1" if number == 0 else ""
        lines.append(f"{here}: russian infantry XX R{number} (5-5-2-10) {army}{others}")
        lines.append(f"{there}: german infantry XX G{number} (5-5-2-10) {army}")
        lines.append(f"{back}: russian corps-train - T{number} {army} range=5 extended-range=8")
        stated += [f"{hex} clear control=russian" for hex in (here, back)] + [
            f"{there} clear star=1 star-holder=central-powers"
        ]
        between = f"{column:02}.{row + 1}"
        stated += [f"{between} clear", f"{here}|{there},{between} open", f"line L{number}: {back} {between} {here}"]
        if number < armies:
            stated.append(f'army "russian A{number}" area="{here}-{back}" front={here} attachment-limit=2 plan=no')
            stated.append(f'army "central-powers A{number}" area={there} front={there} attachment-limit=2')
    stated.append('army "russian First" plan')
    lines.append("11.103: austro-hungarian fort - Zamosc (1-?-?-?) fssm=1 abandonment=1")
    lines.append(
        "11.105: german infantry XX E0 (6-6-2-10) movement=7 ersatz=both, german infantry XX E1 (6-6-2-10) movement=7 -1"
    )
    lines.append("50.90: russian minor-depot - Depot army=A0 rail-allowance=1")
    lines.append("50.90-50.91\n50.93=50.94=50.95\n50.93: russian infantry X Train0 (1-1-0-9) movement=7 rail-cost=2")
    stated += ["50.93,50.95 station", "nation russian rail-points=40"]
    lines.append("Gone russian corps-train - army=A0 corps=0 arrives=5")
    return "\n".join([*lines, *stated])


@cache
def position(many: int, side: str = "") -> assistant.Position:
    """The position with so many pairs and notes, as a side sees it."""
    found = assistant.parse(pairs(many))
    unread = tuple(Unread(f"note {number}", place="60.60", order=number) for number in range(many))
    state = msgspec.structs.replace(found.state, unread=unread)
    return found.with_state(reduce_state(found.game, state, side) if side else state)


def answered(question: str, side: str) -> Callable[[int], Callable[[], object]]:
    """The work of an answer, in words and in JSON, for a size."""

    def make(many: int) -> Callable[[], object]:
        asked = assistant.parse(f"ask {question} {ASKED[question]}", position(many, side))

        def act() -> None:
            try:
                report = assistant.ask(asked)
            except TooMuch:
                raise
            except assistant.InputError as error:
                assert side, f"{question} has to be asked so that it is answered: {error}"
                return
            str(report)
            assistant.to_json(report)

        return act

    return make


def test_every_question_is_watched() -> None:
    assert sorted(questions_of(position(1 * MANY).game)) == sorted(ASKED)


@few(3)
@pytest.mark.parametrize("side", ["", "russian"])
@pytest.mark.parametrize("question", sorted(ASKED))
def test_an_answer_takes_as_much_more_work_as_the_position_holds(question: str, side: str) -> None:
    assert grows_evenly(answered(question, side))


@few(2)
@pytest.mark.parametrize("what", ["read", "notation", "json", "read json", "read on", "viewpoint"])
def test_reading_and_writing_take_as_much_more_work_as_the_position_holds(what: str, tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        text, found, file = pairs(many), position(many), tmp_path / f"{many}.json"
        fresh = found.with_state(msgspec.structs.replace(found.state))
        file.write_text(assistant.to_json(found), "utf-8")
        acts: dict[str, Callable[[], object]] = {
            "read": lambda: assistant.parse(text),
            "notation": lambda: assistant.notation(fresh),
            "json": lambda: assistant.to_json(fresh),
            "read json": lambda: assistant.read(file),
            "read on": lambda: assistant.parse(text.partition("\n")[2], fresh),
            "viewpoint": lambda: reduce_state(fresh.game, fresh.state, "russian"),
        }
        return acts[what]

    assert grows_evenly(make)


def facing(many: int, corps: int = 1) -> str:
    """A hex with one defender, and so many attackers in a hex beside it."""
    units = ", ".join(f"russian infantry XX R{n} (5-5-2-10) army=Second corps={n % corps}" for n in range(many))
    ground = "41.19 clear\n40.20 clear\n40.20|41.19 open"
    return f"game twilight-in-the-east\nturn=3\n40.20: {units}\n41.19: german infantry XX G (5-5-2-10) army=Eighth\n{ground}"


def test_a_hex_with_too_many_units_to_rank_is_named_and_not_judged() -> None:
    asked = {"side": "russian", "attacker-ap": "none", "defender-ap": "none"}
    assert assistant.ask(assistant.parse(facing(8)), "attacks", **asked).result.targets[0].largest
    with pytest.raises(TooMuch, match="41.19: a hex that takes part holds more than 8 units\n.*LIMIT_TOGETHER=16"):
        assistant.ask(assistant.parse(facing(9)), "attacks", **asked)


def test_too_many_ways_to_attack_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_WAYS", "20")
    with pytest.raises(TooMuch, match="41.19: its units can be put together in more than 20 ways"):
        asked = {"side": "russian", "attacker-ap": "none", "defender-ap": "none"}
        assistant.ask(assistant.parse(facing(6, 6)), "attacks", **asked)


@pytest.mark.parametrize("question", ["control", "attachment"])
def test_front_lines_are_proposed_for_so_many_hexes_of_troops(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"40.{row}: russian infantry XX R{row} army=Second" for row in range(20, 40)]
    found = assistant.parse("\n".join(["game twilight-in-the-east", "60.20: german infantry XX G army=Eighth", *lines]))
    assistant.ask(found, question)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FRONT", "20")
    with pytest.raises(TooMuch, match="the troops hold more than 20 hexes"):
        assistant.ask(found, question)


@pytest.mark.parametrize(
    ("limit", "message"),
    [("ARMIES", "the position names more than 3 armies"), ("AREAS", "the areas of the armies hold more than 3 hexes")],
)
def test_armies_and_their_areas_are_limited(limit: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"FIELD_STAFF_LIMIT_{limit}", "3")
    with pytest.raises(TooMuch, match=message):
        assistant.ask(position(TIMES * MANY), "attachment")
