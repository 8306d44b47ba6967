"""What the Post-Combat Phase and the Inter-Phase ask for (5.2, 5.4.10)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from assistant.asking.view import View
from assistant.game.viewpoint import reduce_state
from assistant.state.changes import AnyChange, Change
from twilight_in_the_east.turn.question import retiring

from ...conftest import typed
from .listing import followed, listed, states

RIDERS = """44.20: russian cavalry XX A (3-3-1-9) {}
44.21: german infantry XX D (10-10-2-10)
44.30: german cavalry XX B (3-3-1-9) {}
44.31: russian infantry XX C (10-10-2-10)
44.40: russian cavalry XX E (3-3-1-9) cel=-4
44.20|44.21 open
44.30|44.31 open"""


@pytest.mark.rule("8.2.9")
@pytest.mark.parametrize(
    ("text", "state", "says"),
    [
        ("campaign", "possible", "German: 2 left, Austro-Hungarian: 1 left"),
        ("campaign\nnation german special-allotments=1", "possible", "German: 1 left, Austro-Hungarian: 1 left"),
        ("campaign\nnation german special-allotments=2", "possible", "Austro-Hungarian: 1 left"),
        (
            "campaign\nnation german special-allotments=2\nnation austro-hungarian special-allotments=1",
            "impossible",
            "German: it has had its 2 in this game, Austro-Hungarian: it has had its 1 in this game",
        ),
        (
            "campaign\nnation german special-allotments=1 special-turn=6",
            "impossible",
            "the Central Powers have taken one in this Administrative Segment already",
        ),
        ("campaign\nnation german special-allotments=1 special-turn=3", "possible", "German: 1 left"),
        ("campaign=no", "impossible", "special allotments belong to the campaign game (c)"),
        ("", "impossible", "special allotments belong to the campaign game (c); state `campaign` if this is one"),
    ],
)
def test_a_special_allotment_is_possible_while_one_is_left(text: str, state: str, says: str) -> None:
    (item,) = listed(text, "administrative", "special-allotment", side="", turn=6)
    assert item.state == state
    assert says in item.text
    assert item.ask.startswith("rail-points renew=yes special=") == (state == "possible")


@pytest.mark.rule("5.4.10a", "9.2", "9.2.2")
def test_cavalry_next_to_enemies_may_retire_the_phasing_side_first() -> None:
    text = RIDERS.format("", "")
    (item,) = listed(text, "post-combat", "retirement")
    assert (item.state, item.units, item.ask) == ("possible", ("A",), "cavalry unit=A when=retirement")
    assert states(listed(text, "post-combat", "retirement-after")) == [("possible", ("B",))]
    assert states(listed(text, "post-combat", "retirement", "central-powers")) == [("possible", ("B",))]
    assert states(listed(text, "post-combat", "retirement-after", "central-powers")) == [("possible", ("A",))]


@pytest.mark.rule("5.4.10a")
def test_hidden_status_of_the_other_side_is_its_own_affair() -> None:
    position = typed(f"turn=5\nphase=post-combat\nphasing=russian\n{RIDERS.format('', 'cel=-4')}")
    view = View(position.game, reduce_state(position.game, position.state, "russian"))
    assert [found.state for found in retiring(view, "central-powers")] == ["possible"]
    assert [found.state for found in retiring(View(position.game, position.state), "central-powers")] == ["owed"]


@pytest.mark.rule("5.4.10a", "9.2")
def test_cavalry_that_has_retired_or_has_nowhere_to_go_owes_nothing() -> None:
    text = RIDERS.format('cel=-4 passed="44.22 44.20"', "")
    assert states(listed(text, "post-combat", "retirement")) == [("impossible", ())]
    around = ("44.19", "45.19", "45.20", "43.19", "43.20", "45.21", "43.21")
    ring = "\n".join(f"{hex}: german infantry XX N{hex[:2]}{hex[3:]} (10-10-2-10)" for hex in around)
    assert states(listed(f"{RIDERS.format('cel=-4', '')}\n{ring}", "post-combat", "retirement")) == [("impossible", ())]
    apart = RIDERS.format("cel=-4", "").replace("44.21: german", "44.23: german")
    assert states(listed(apart, "post-combat", "retirement")) == [("impossible", ())]
    foot = RIDERS.format("", "").replace("russian cavalry XX A", "russian infantry XX A")
    assert states(listed(foot, "post-combat", "retirement")) == [("impossible", ())]


@pytest.mark.rule("5.4.10a", "9.2.2")
def test_demoralized_cavalry_must_retire_and_a_garrison_only_then() -> None:
    text = RIDERS.format("cel=-4", "")
    (item,) = listed(text, "post-combat", "retirement")
    assert (item.state, item.rule, item.units, item.places) == ("owed", "9.2.2", ("A",), ("44.20",))
    assert item.ask == "cavalry unit=A when=retirement"
    assert item.text.endswith("A in 44.20 is Demoralized and must retire")
    assert followed(text, "post-combat").verdict.kind == "no"
    both = RIDERS.format("D1 cel=-4", "").replace("XX A (3-3-1-9)", "XX F (3-3-1-9), russian cavalry XX A (3-3-1-9)")
    assert states(listed(both, "post-combat", "retirement")) == [("owed", ("A",)), ("possible", ("F",))]
    fort = RIDERS.replace("44.20: ", "44.20: russian fort - P (1-?-?-?) fssm=1, ").format("garrison{}", "")
    assert states(listed(fort.format(""), "post-combat", "retirement")) == [("impossible", ())]
    assert states(listed(fort.format(" cel=-4"), "post-combat", "retirement")) == [("owed", ("A",))]


MARKED = """44.20: russian artillery III G (1-0-2-8) displaced, russian infantry XX A (10-10-2-10) half
44.22: german infantry XX B (10-10-2-10) half half-final, german artillery III H (1-0-2-8) displaced
44.24: russian infantry XX C (10-10-2-10) half entrained"""


def made(changes: Iterable[AnyChange]) -> dict[tuple[str, str], object]:
    return {(change.track, change.subject): change.after for change in changes if isinstance(change, Change)}


@pytest.mark.rule("5.4.10b")
def test_markers_of_both_sides_come_off_as_the_phase_ends_if_there_are_any() -> None:
    half = listed(MARKED, "post-combat", "half")
    assert [(item.state, item.units, item.carried_out) for item in half] == [("owed", ("B", "A"), True)]
    assert half[0].text.endswith("those of B come off; those of A are turned to Final")
    report = followed(MARKED, "post-combat")
    displaced = {("displaced", "G"): None, ("displaced", "H"): None}
    turned = {("half-final", "A"): True, ("half", "B"): None, ("half-final", "B"): None}
    assert {key: value for key, value in made(report.changes).items() if key[1]} == displaced | turned
    assert [item.name for item in report.shown.carried_out] == ["half"]
    kept = followed(MARKED, "post-combat", leave="half")
    assert {key: value for key, value in made(kept.changes).items() if key[1]} == displaced
    assert [item.name for item in kept.shown.left] == ["half"]
    assert states(listed("", "post-combat", "half")) == [("impossible", ())]


# --- the Inter-Phase --------------------------------------------------------------------------------------------------

POINTS = """44.20: russian infantry XX A
44.30: german infantry XX B
nation russian rail-points=12
nation german rail-points=4 points-renewed=3"""


def test_rail_points_are_owed_until_they_are_renewed() -> None:
    items = listed(POINTS, "administrative", "rail-points", side="", turn=3)
    assert [(item.state, item.text.rpartition(": ")[2] if item.state == "done" else "") for item in items] == [
        ("owed", ""),
        ("done", "renewed after GT 3"),
    ]
    assert items[0].text.endswith("Russian: the allotment is not known")
    assert items[0].ask == "rail-points renew=yes nation=russian"
    assert followed(POINTS, "administrative", side="", turn=3).verdict.kind == "no"


@pytest.mark.rule("5.2.1")
def test_a_known_allotment_replaces_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"russian-rp": "60", "austro-hungarian-rp": "30"}
    monkeypatch.setattr(
        "twilight_in_the_east.railways.rail_points.record_entry",
        lambda view, name, turn: known.get(name) if turn == 3 else None,
    )
    report = followed(POINTS, "administrative", side="", turn=3)
    assert made(report.changes) == {
        ("rail-points", "russian"): "60",
        ("points-renewed", "russian"): 3,
        ("phase", ""): "replacements",
    }
    (item, _) = listed(POINTS, "administrative", "rail-points", side="", turn=3)
    assert (item.carried_out, item.text.rpartition("Russian: ")[2]) == (True, "rail-points 60")
    more = POINTS.replace("rail-points=12", "rail-points=12 euro-gauge-points=3")
    assert followed(more, "administrative", side="", turn=3).verdict.kind == "no"
    assert listed(more, "administrative", "rail-points", side="", turn=3)[0].text.endswith("not known")
    known["russian-euro-rp"] = "5"
    report = followed(more, "administrative", side="", turn=3)
    assert made(report.changes)["euro-gauge-points", "russian"] == "5"


@pytest.mark.rule("5.0", "5.2", "5.2.2", "5.3.1")
def test_an_inter_phase_follows_every_third_turn() -> None:
    after = {turn: followed("", "post-combat", "central-powers", turn).shown for turn in (3, 4, 5, 6, 45, 46)}
    assert {turn: (result.turn, result.phase) for turn, result in after.items()} == {
        3: (3, "administrative"),
        4: (5, "weather"),
        5: (6, "weather"),
        6: (6, "administrative"),
        45: (45, "administrative"),
        46: (47, "weather"),
    }
    report = followed("", "replacements", side="", turn=6)
    assert (report.shown.turn, report.shown.phase, report.shown.side) == (7, "weather", "")
    assert report.verdict.text == "turn 7: Weather"


@pytest.mark.rule("5.0", "5.3.1")
def test_a_game_turn_is_a_russian_turn_and_one_of_the_central_powers() -> None:
    order = []
    side, phase, turn = "russian", "reinforcement", 11
    while turn == 11:
        order.append((side, phase))
        report = followed(
            "side russian supply-phase-done=11\nside central-powers supply-phase-done=11", phase, side, turn
        )
        side, phase, turn = report.shown.side, report.shown.phase, report.shown.turn
    phases = "reinforcement attachment pontoon supply engineering movement counter-movement attack counter-attack post-combat"
    assert order == [(side, phase) for side in ("russian", "central-powers") for phase in phases.split()]


@pytest.mark.rule("5.4.10a", "9.2", "9.2.2", "3.3.5")
@pytest.mark.parametrize("status", ["restriction=immobile", "entrained", "restriction=fortress"])
def test_cavalry_that_may_not_leave_its_hex_is_not_due_to_retire(status: str) -> None:
    assert states(listed(RIDERS.format(status, ""), "post-combat", "retirement")) == [("impossible", ())]
    demoralized = states(listed(RIDERS.format(f"{status} cel=-4", ""), "post-combat", "retirement"))
    assert demoralized == ([("owed", ("A",))] if "fortress" in status else [("impossible", ())])


IN_HALF_HEXES = """31.114: austro-hungarian infantry XX A, austro-hungarian artillery - G
17.114: austro-hungarian cavalry XX B box-entered=4
16.114: austro-hungarian infantry XX N"""


@pytest.mark.rule("23.4.1")
@pytest.mark.parametrize("side", ["central-powers", "russian"])
def test_units_left_in_half_hexes_go_into_the_box_as_a_player_turn_ends(side: str) -> None:
    (item,) = listed(IN_HALF_HEXES, "post-combat", "half-hexes", side=side)
    assert (item.state, item.units, item.places) == ("owed", ("A", "G", "B"), ("31.114", "17.114"))
    report = followed(IN_HALF_HEXES, "post-combat", side=side)
    placed = {change.subject: change.after for change in report.changes if change.track == "place"}  # type: ignore[union-attr]
    assert placed == dict.fromkeys("AGB", "Bukowina Holding Box")
    assert Change("box-entered", "B", 4, None, "23.4.2") in report.changes


@pytest.mark.rule("23.4.1")
def test_no_unit_goes_into_the_box_while_a_player_turn_lasts_or_from_elsewhere() -> None:
    (item,) = listed("16.114: austro-hungarian infantry XX N", "post-combat", "half-hexes")
    assert (item.state, item.text) == (
        "impossible",
        "Place units left in half-hexes into the Bukowina Holding Box: no unit stands in one",
    )
    assert not [change for change in followed(IN_HALF_HEXES, "attack").changes if change.track == "place"]  # type: ignore[union-attr]


@pytest.mark.rule("23.4.1")
@pytest.mark.parametrize("hex", ["31.114", "27.114", "17.114", "11.114", "09.114", "07.114"])
def test_from_each_half_hex_austro_hungarians_go_into_the_box(hex: str) -> None:
    text = f"{hex}: austro-hungarian infantry XX A, german infantry XX G"
    assert states(listed(text, "post-combat", "half-hexes")) == [("owed", ("A",))]


@pytest.mark.parametrize("text", ["44.20: russian infantry XX A half", "44.20: russian infantry XX A half half-final"])
def test_a_line_names_only_the_markers_that_there_are(text: str) -> None:
    (item,) = listed(text, "post-combat", "half")
    assert ("come off" in item.text, "are turned" in item.text) == ("final" in text, "final" not in text)
