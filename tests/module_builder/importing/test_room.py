"""Files of an imported game that could hold too much: the roster in parts, and the mapping without what has no room."""

from __future__ import annotations

import csv
import io
from typing import Any, cast

import pytest

from assistant.formats.vassal.adoption.proposals.candidates import SURE, Candidate, Proposal
from assistant.formats.vassal.adoption.proposals.draft import MappingDraft, write_draft
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import Trait
from assistant.util.limits import Limit
from module_builder.importing.files import roster_files
from module_builder.importing.game import write_within


class Table:
    """A roster of units of which each has a column of its own."""

    def __init__(self, units: int) -> None:
        self.units = units
        self.columns = iter(["unit", "count", *(f"has-{number}" for number in range(units))])

    def table(self) -> list[dict[str, str]]:
        return [{"unit": f"Unit {number}", f"has-{number}": "yes"} for number in range(self.units)]


def test_each_part_of_a_roster_has_the_columns_of_its_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.DATA.variable, "2000")
    files = roster_files(cast("Any", Table(60)))
    assert [*files][:3] == ["roster.csv", "roster-2.csv", "roster-3.csv"]
    units = list[str]()
    for data in files.values():
        assert len(data) <= 2000
        head, *rows = csv.reader(io.StringIO(data.decode()))
        assert head == ["unit", *(f"has-{row[0].removeprefix('Unit ')}" for row in rows)]
        assert all([cell for cell in row if cell] == [row[0], "yes"] for row in rows)
        units += [row[0] for row in rows]
    assert units == [f"Unit {number}" for number in range(60)]


def test_a_part_of_a_roster_grows_with_its_units_and_not_with_all_columns() -> None:
    sizes = [sum(map(len, roster_files(cast("Any", Table(units))).values())) for units in (400, 1600)]
    assert sizes[1] < 16 * sizes[0] * 0.75


PIECE = Candidate("Who knows", "Who knows", "", Piece("null", (Trait("piece;;;;Who knows"),)), (), (), {}, ())
DRAFT = MappingDraft(
    {"module": "Marsh", "game": "marsh"},
    {
        "maps": [Proposal("Main", {"aside": True}, SURE)],
        "units": [Proposal(f"Unit {number}", f"#{number}", SURE) for number in range(40)],
        "layers": [Proposal(f"Layer {number}", ["", "on=yes"], SURE) for number in range(20)],
        "properties": [Proposal(f"Property {number}", "", "", "what it is") for number in range(20)],
    },
    [PIECE],
)


@pytest.mark.parametrize(
    ("room", "left_out"),
    [(100_000, []), (4500, []), (2600, ["units"]), (1500, ["units", "layers"]), (800, ["units", "layers", "maps"])],
)
def test_a_mapping_holds_what_it_has_room_for(room: int, left_out: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.DATA.variable, str(room))
    text, without = write_within(DRAFT)
    assert without == left_out and len(text.encode()) <= room
    assert (text == write_draft(DRAFT)) == (room == 100_000) == ("Who knows" in text)
    assert ("Main" in text) == ("maps" not in without) and ("Unit 7" in text) == ("units" not in without)
