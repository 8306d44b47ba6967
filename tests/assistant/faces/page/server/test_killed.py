"""A server that is killed between taps: what was acknowledged is there, and a tap that is sent again counts once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases import thorough

from .laptop import Laptop, Phone

TAPS = [
    "trust charts", "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3", "7", "3 4", "1", "2", "6",
    "5", "done", "t=2", "27/3 cel=-1", "undo",
]  # fmt: skip


def shown(phone: Phone) -> Any:
    """The table. A fact that says that nothing is so is as good as none."""
    table = phone.send(do="look")
    units = [(unit["id"], unit["place"], stated(unit["facts"])) for unit in table["units"]]
    same = [table[name] for name in ("turn", "moment", "answer", "pending", "combat", "assumed")]
    return [units, stated(table["ground"]), *same]


def stated(facts: Any) -> Any:
    return [fact for fact in facts if not fact["word"].endswith("=no")]


@thorough
@pytest.mark.parametrize("path", ["0", "2"])
def test_kill_between_taps_loses_nothing_and_counts_nothing_twice(tmp_path: Path, path: str) -> None:
    calm, killed = Laptop(tmp_path / "calm"), Laptop(tmp_path / "killed")
    try:
        one, other = Phone.entering(calm, path), Phone.entering(killed, path)
        for number, line in enumerate(TAPS):
            expected = one.tap(f"tap {number}", line)
            answered = other.tap(f"tap {number}", line)
            assert (answered["refused"] is None) == (expected["refused"] is None), line
            killed.kill()
            killed.start()
            assert shown(other) == shown(one), line
            again = other.tap(f"tap {number}", line)  # as its answer got lost
            assert again["entry"] == answered["entry"] or answered["refused"], line
            assert shown(other) == shown(one), line
    finally:
        calm.kill()
        killed.kill()
