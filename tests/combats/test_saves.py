"""What an answer makes owed stands in the VASSAL save or log that carries it out, in every game with combats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assistant
from assistant.formats.vassal.saves import write_save
from assistant.formats.vassal.written.files import find_lacking
from module_builder.vassal.setups import write_set_up

from ..assistant.formats.vassal.test_positions import setting_of
from ..cases import few
from ..conftest import answered, typed
from ..owing import list_owed

TWILIGHT = """trust charts counters
turn=5 phase=movement phasing=russian weather=normal
elsewhere clear open
43.17: "2 c"
44.20: "17 Train"
43.20|44.20 pontoon
"""
KAISER = """game kaisers-war-in-the-east
turn=10 scenario=1915 main-effort=east phase=movement phasing=central-powers
side allies vp=10
side central-powers vp=60
2621 clear: AH-4 (12-12-4)
2619,2620 clear objective
2619,2620 country=russia
2620,3030 control=allies
3030 objective country=russia
2620|2621,2619 open
"""
UNDONE = """game world-undone-east-prussia-1914
turn=5 scenario=historical phasing=german phase=first-combat options=samsonov
army "russian second" army-lost=24
5320 clear: I/1 supply=in, I/2 supply=in
5420 clear: VI/4 (2-2) supply=in
5419 clear: VI/16 supply=in
5320|5420,5419 open
""" + "".join(f"chart german-table 4:1+ {die} = {{code}}\n" for die in range(-1, 10))
BATTLE: dict[str, Any] = {"at": ["5420"], "answers": {"die": "3"}}
CASES = [
    (
        TWILIGHT,
        "move",
        {"units": ["2 c"], "way": ["43.18", "43.19", "43.20"], "answers": {"khan.2 c": "1"}},
        {"must-leave 17 Train", "bridge-open 43.20|44.20"},
    ),
    (KAISER, "move", {"unit": "AH-4", "way": ["2620", "2619"]}, {"overthrown allies", "capture-open 2619"}),
    (UNDONE.format(code="DE"), "battle", BATTLE, {"samsonov-die ", "must-be-attacked 5419"}),
    (UNDONE.format(code="D2"), "battle", BATTLE, {"must-be-attacked 5419"}),
]


@few(2)
@pytest.mark.parametrize(("text", "question", "given", "owed"), CASES)
@pytest.mark.parametrize("name", ["after.vsav", "after.vlog"])
def test_a_save_keeps_what_is_owed(
    tmp_path: Path, text: str, question: str, given: dict[str, Any], owed: set[str], name: str
) -> None:
    typed_position = typed(text)
    setting = setting_of(typed_position.game)
    (tmp_path / "before.vsav").write_bytes(write_save(write_set_up(setting, typed_position).save))
    before = assistant.read(tmp_path / "before.vsav")
    report = answered(before, question, **given)
    assert {f"{one.owed.track} {one.owed.subject}" for one in report.follows} == owed
    assistant.carry_out(before, report, tmp_path / "before.vsav", tmp_path / name)
    after, target = assistant.read(tmp_path / name), before.after(report.changes)
    assert [*find_lacking(after, target)] == []
    assert list_owed(after) == list_owed(target) and len(list_owed(after) or ()) > 1
    assert answered(after, "next").verdict.kind in ("no", "undecided")
