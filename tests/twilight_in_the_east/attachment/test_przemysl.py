"""The track of the Przemysl Garrison (23.6)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.attachment.przemysl import OnGarrisonTrack

from ...conftest import answered, ruled, told, typed
from ..turn.listing import listed

pytestmark = pytest.mark.rule("23.6")
NOW = 'turn=20\nphase=attachment\nphasing=central-powers\ncampaign\narmy "central-powers Third" plan=no\n'
OF = 'army="Przemysl Garrison"'
INSIDE = """42.88: austro-hungarian infantry XX H army=Third{0}, austro-hungarian artillery - G{0}, austro-hungarian fortress - P complex=P
41.88: austro-hungarian fort - Q complex=P, austro-hungarian infantry XX I army=Third{0}
"""


def test_whom_the_track_serves() -> None:
    def off(**given: bool) -> list[str]:
        return [one.why for one in OnGarrisonTrack(about="H", **given).list_breaches()]

    assert off(in_fortress_hex=True, all_isolated=True) == []
    assert off(in_fortress_hex=True, all_isolated=False) == ["not all units in its hex are Isolated"]
    outside = ["it does not stand in a fortress hex of Przemysl"]
    assert off(in_fortress_hex=False, all_isolated=True) == off(in_fortress_hex=False, all_isolated=False) == outside


def attached(text: str, unit: str = "H") -> Report[Any]:
    given = {"unit": unit, "attachment_phase": True, "army": "Przemysl Garrison"}
    return answered(typed(NOW + text), "attach", **given)


def test_a_marker_goes_on_the_track_only_where_all_are_isolated() -> None:
    assert attached(INSIDE.format(" isolated")).result.allowed
    assert attached(INSIDE.format(" isolated"), "I").result.allowed, "the whole complex counts"
    free = attached(INSIDE.format(""))
    assert told(free, "Not allowed") == ["H: not all units in its hex are Isolated"]
    partly = INSIDE.format(" isolated").replace("- G isolated", "- G")
    assert told(attached(partly), "Not allowed") == ["H: not all units in its hex are Isolated"]
    away = INSIDE.format(" isolated") + "40.88: austro-hungarian infantry XX O army=Third isolated\n"
    assert told(attached(away, "O"), "Not allowed") == ["O: it does not stand in a fortress hex of Przemysl"]
    other = away.replace(
        "austro-hungarian infantry XX O", "austro-hungarian fort - R complex=S, austro-hungarian infantry XX O"
    )
    assert told(attached(other, "O"), "Not allowed") == ["O: it does not stand in a fortress hex of Przemysl"]
    elsewhere = INSIDE.format("") + "40.88: austro-hungarian infantry XX O army=Fourth\n"
    report = answered(typed(NOW + elsewhere), "attach", unit="H", attachment_phase=True, army="Fourth")
    assert report.result.allowed


RING = "\n".join(
    f"{hex}: russian infantry XX R{number}"
    for number, hex in enumerate(("42.87", "42.89", "41.87", "41.89", "43.88", "43.89", "43.87", "41.88"))
)


def test_on_the_board_a_hex_without_a_line_is_isolated_by_a_ruling() -> None:
    board = "board east\n"
    alone = "42.88: austro-hungarian infantry XX H army=Third, austro-hungarian fortress - P complex=P\n"
    free = attached(board + alone)
    assert told(free, "Not allowed") == ["H: not all units in its hex are Isolated"]
    beset = attached(f"{board}{alone}{RING}\n")
    assert beset.result.allowed
    assert ruled(beset, "przemysl-isolated") == "cut-off"
    marked = attached(f"{board}{alone}{RING}\nruling przemysl-isolated=marked\n")
    assert told(marked, "Not allowed") == ["H: not all units in its hex are Isolated"]


def owed(text: str, side: str = "central-powers") -> list[tuple[str, tuple[str, ...], str]]:
    items = listed(f"campaign\n{text}", "attachment", "attachment", side)
    return [(item.state, item.units, item.ask) for item in items if item.rule == "23.6"]


def test_the_attachment_phase_names_formations_on_the_wrong_track() -> None:
    def item(unit: str) -> tuple[str, tuple[str, ...], str]:
        return "owed", (unit,), f"attach unit={unit}"

    assert owed(INSIDE.format(" isolated")) == [item("H"), item("I")]
    assert owed(INSIDE.format(" isolated").replace("army=Third", OF)) == []
    assert owed(INSIDE.format("").replace("army=Third", OF)) == [item("H"), item("I")]
    assert owed(INSIDE.format("")) == []
    assert owed(f"40.88: austro-hungarian infantry XX O {OF} isolated, austro-hungarian infantry III T {OF}") == [
        item("O")
    ]
    assert owed(INSIDE.format(" isolated"), "russian") == []
    russian = "42.88: russian infantry XX H isolated, russian fortress - P complex=P"
    assert owed(russian) == []
    riders = INSIDE.format(" isolated").replace("infantry XX H", "cavalry XX H")
    assert owed(riders) == [item("H"), item("I")]
    assert owed(INSIDE.format(" isolated") + "O austro-hungarian infantry XX arrives=30") == [item("H"), item("I")]
    depot = "42.88: austro-hungarian minor-depot - D, austro-hungarian fortress - P complex=P"
    assert owed(depot) == [], "it is no formation"


def test_only_in_the_campaign() -> None:
    wrong, right = INSIDE.format(" isolated"), INSIDE.format("")
    for text, campaign in ((wrong, ""), (wrong, "campaign=no\n")):
        items = listed(f"{campaign}{text}", "attachment", "attachment", "central-powers")
        assert not [each for each in items if each.rule == "23.6"]
    left = "the track of the Przemysl Garrison is used only in the campaign game (c); state `campaign` if this is one"
    now = "turn=20\nphase=attachment\nphasing=central-powers\n"
    assert left in told(answered(typed(now + wrong), "turn"), "Assumed")
    assert left not in told(answered(typed(now + right), "turn"), "Assumed")
