"""What an attack phase allows once: who attacks, which hexes and units have had their combat, who has retreated (10.0, 10.1)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import assistant
from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.util.errors import InputError

from ...conftest import answered, carried_out, told, typed

FIELD = """turn=3
trust charts
40.20: russian infantry XX R1 (12-?-0-9) {r1}, russian infantry XX R2 (12-?-0-9) {r2}
40.19: russian infantry XX R3 (12-?-0-9)
41.19 clear {at}: german infantry XX A (12-14-0-10) {a}, german infantry XX B (12-14-0-10) {b}
41.20 clear: german infantry XX C (12-14-0-10)
41.19|40.20,40.19 open
41.20|40.20 open
{more}
"""


def field(**more: str) -> str:
    return FIELD.format(**{name: more.get(name, "") for name in ("r1", "r2", "at", "a", "b", "more")})


def battle(text: str, at: str = "41.19", **parameters: Any) -> Report[Any]:
    given = {"flanked": "no", "attacker-ap": "none", "defender-ap": "none", **parameters}
    return carried_out(text, "battle", at=at, **{name: value for name, value in given.items() if value})


def refused(report: Report[Any]) -> list[str]:
    return told(report, "Not allowed")


@pytest.mark.rule("10.0", "2.2a")
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("", ""),
        ("phase=attack", ""),
        ("phase=attack phasing=russian", ""),
        ("phase=counter-attack phasing=central-powers", ""),
        ("phase=attack phasing=central-powers", "the Central Powers side attacks in this phase"),
        ("phase=counter-attack phasing=russian", "the Central Powers side attacks in this phase"),
        ("phase=movement phasing=russian", "combats are fought only in attack phases, and the phase is movement"),
    ],
)
def test_only_the_active_side_attacks(more: str, reason: str) -> None:
    assert refused(battle(field(more=more), withhold="R3")) == ([reason] if reason else [])


@pytest.mark.rule("10.1b", "10.1.1b")
@pytest.mark.parametrize(
    ("where", "status", "reason"),
    [
        (
            "at",
            "attacked",
            "41.19 has already been attacked in this phase (if a new phase has begun, state it, or 41.19 attacked=no)",
        ),
        (
            "r1",
            "fought",
            "already in a combat of this phase: R1 (if a new phase has begun, state it, or fought=no for each)",
        ),
        (
            "b",
            "fought",
            "already in a combat of this phase: B (if a new phase has begun, state it, or fought=no for each)",
        ),
    ],
)
def test_no_hex_and_no_unit_has_a_second_combat(where: str, status: str, reason: str) -> None:
    assert refused(battle(field(**{where: status}))) == [reason]


@pytest.mark.rule("10.1c", "10.1.5a")
def test_who_has_retreated_neither_defends_others_nor_attacks() -> None:
    report = battle(field(a="retreated"))
    assert told(report, "Withheld") == ["A has retreated in this phase and must be withheld"]
    out = battle(field(a="retreated"), withhold="A").result
    assert [unit.unit for unit in out.defender.units] == ["B"], "although it is the top unit"
    assert report.result == out
    report = battle(field(r1="retreated"), withhold="R2", **{"from": "40.20"})
    assert refused(report) == ["R1 has retreated in this phase and must be withheld"]


CAVALRY = {"H1": "retreated", "H2": "retreated", "H3": "retreated", "H4": ""}


@pytest.mark.rule("10.1c")
def test_a_hex_where_all_have_retreated_is_not_attacked() -> None:
    report = battle(field(a="retreated", b="retreated"))
    assert refused(report) == ["all in 41.19 have retreated in this phase and may not be attacked again: A, B"]
    with_one = battle(field(a="retreated", b="retreated"), withhold="A")
    assert refused(with_one) == ["all in 41.19 have retreated in this phase and may not be attacked again: B, A"]


@pytest.mark.rule("10.1.5a")
@pytest.mark.parametrize(
    ("text", "withheld"),
    [
        (field(b="retreated"), "B"),
        (field(r1="prepared=41.20"), "R1"),
        (field(more="41.19: german cavalry XX D (4-5-0-10)"), "D"),
    ],
)
def test_who_must_be_withheld_and_is(text: str, withheld: str) -> None:
    (line,) = told(battle(text), "Withheld")
    assert line.startswith(withheld)


@pytest.mark.rule("10.1.5a")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (field(r1="army=1", r2="army=2"), "10.1.4"),
        (field(more="41.19: german infantry XX D (12-14-0-10)"), "4.2.2"),
    ],
)
def test_who_must_be_withheld_as_his_owner_chooses(text: str, rule: str) -> None:
    report = battle(text)
    assert rule in [step.rule for part in report.parts if part.title == "Not allowed" for step in part.steps]


@pytest.mark.rule("10.1c", "10.1.5a")
def test_cavalry_that_has_retreated_neither_outweighs_the_infantry_nor_gives_it_a_choice() -> None:
    """Four divisions of cavalry would weigh as much as the two of infantry; but only one of them has not retreated."""
    cavalry = ", ".join(f"german cavalry XX {name} (4-5-0-10) {status}" for name, status in CAVALRY.items())
    report = battle(field(more=f"41.19: {cavalry}"))
    assert [line.split()[0].strip(":") for line in told(report, "Withheld")] == ["H1", "H2", "H3", "H4"]
    text = field(a="retreated", more="41.19: german cavalry XX H (4-5-0-10) retreated")
    assert battle(text, withhold="A,H").verdict.kind == "figure"
    assert "A and B cannot" not in " ".join(refused(battle(text, withhold="A,H")))


@pytest.mark.rule("10.1.1a", "10.1.5e")
def test_units_of_one_hex_attack_different_hexes_and_units_of_different_hexes_one() -> None:
    one = battle(field(), withhold="R2").result
    assert [unit.unit for unit in one.attacker.units] == ["R3", "R1"]
    other = battle(field(), at="41.20", withhold="R1", **{"from": "40.20"}).result
    assert [unit.unit for unit in other.attacker.units] == ["R2"]


# --- what is remembered -----------------------------------------------------------------------------------------------

FOUGHT = "answers crt=7 slrt=1/1 ec.41.19={check} ec.40.20=2 ec.40.19=12\nchart crt summer {column} 7 = - / W1"


def fought(check: int = 2, **more: str) -> tuple[Position, Report[Any]]:
    text = field(more=FOUGHT.format(check=check, column="1:2"), **more)
    text += "\nask battle at=41.19 withhold=R2 attacker-ap=none defender-ap=none flanked=no"
    text += "\n" + "\n".join(f"chart slrt summer Large {n} = 0 / 0" for n in range(-2, 9))
    return typed(text), carried_out(text, advance="none")


@pytest.mark.rule("10.1b", "10.1.5e")
def test_a_combat_leaves_its_hex_and_its_units_marked_and_who_was_withheld_as_he_was() -> None:
    _, report = fought()
    marked = {(change.track, change.subject, change.after) for change in report.changes}
    assert {("attacked", "41.19", True), ("fought", "R1", True), ("fought", "R3", True)} <= marked
    assert {("fought", "A", True), ("fought", "B", True), ("retreated", "A", True), ("retreated", "B", True)} <= marked
    assert "R2" not in {change.subject for change in report.changes}
    assert "R2" not in report.result.outcome.advance
    assert {duty.force for duty in report.result.outcome.obligations} == {"A", "B"}


@pytest.mark.rule("10.1b", "10.1c")
def test_the_next_combat_and_the_retreat_read_what_this_one_has_left() -> None:
    position, report = fought()
    after = msgspec.structs.replace(
        position, state=apply_changes(position.game, position.state, report.changes), answers={}, asks=()
    )
    manned = assistant.parse("41.19: german infantry XX Z (12-14-0-10)", after)
    again = answered(manned, "battle", at="41.19", withhold="R1,R3", **{"attacker-ap": "none", "defender-ap": "none"})
    assert refused(again)[0].startswith("41.19 has already been attacked in this phase")
    other = answered(
        after, "battle", at="41.20", withhold="R1,A,B", flanked="no", **{"attacker-ap": "none", "defender-ap": "none"}
    )
    assert other.verdict.kind == "figure", "R2 stood aside and attacks another hex"
    ground = "42.19 clear\n41.19|42.19 open"
    state = typed(field(a="owes=1", b="owes=1", more=ground))
    way = answered(state, "retreat", at="41.19", hexes=1, way="42.19")
    assert {(change.track, change.after) for change in way.changes if change.subject == "A"} == {
        ("place", "42.19"),
        ("retreated", True),
        ("owes", 0),
    }


@pytest.mark.rule("10.1c")
@pytest.mark.parametrize(("phase", "marked"), [("", False), ("movement", False), ("attack", True)])
def test_a_repulse_marks_whom_it_drives_off_in_an_attack_phase_only(phase: str, marked: bool) -> None:
    text = field(more=f"42.19 clear\n41.19|42.19 open\n{'phase=' + phase if phase else ''}")
    report = answered(typed(text), "retreat", at="41.19", hexes=1, cause="repulse", way="42.19")
    assert ("retreated" in {change.track for change in report.changes}) is marked
    granted = [step.text for part in report.parts for step in part.steps if "phase not stated" in step.text]
    assert bool(granted) is (phase == "")


# --- what else forbids a combat ---------------------------------------------------------------------------------------


@pytest.mark.rule("10.1.2d")
@pytest.mark.parametrize(
    ("ground", "cost", "reasons"),
    [
        ("41.19|40.19 no-road no-rail", "prohibited", 2),
        ("41.19|40.19 no-road no-rail", "7", 0),
        ("41.19|40.19 road", "prohibited", 1),
    ],
    ids=["prohibited", "let", "by road from one of the two"],
)
def test_high_mountains_are_attacked_where_the_chart_lets_units_move(ground: str, cost: str, reasons: int) -> None:
    text = field(more=f"{ground}\nchart terrain-cost summer high-mountain = {cost}")
    report = battle(text.replace("41.19 clear", "41.19 high-mountain"), withhold="R2")
    assert len(refused(report)) == reasons
    assert all("the Terrain Effects Chart prohibits" in reason for reason in refused(report))


@pytest.mark.rule("10.1.2d")
def test_the_chart_is_asked_for_where_it_decides() -> None:
    unaccepted = field().replace("trust charts", "chart terrain-shift high-mountain = -2")
    report = battle(unaccepted.replace("41.19 clear", "41.19 high-mountain"), withhold="R2")
    assert [ask.name for ask in report.asks] == ["chart terrain-cost summer high-mountain = cost"]


@pytest.mark.rule("11.3b")
def test_a_depot_alone_neither_fights_nor_checks() -> None:
    text = "turn=3\n40.20: 25/3\n41.19 clear: german minor-depot - D"
    with pytest.raises(InputError, match="no unit defends 41.19") as raised:
        battle(text)
    assert "D displaces when an enemy becomes adjacent to it" in str(raised.value.hint)
    both = battle(f"{text}, german infantry XX A (12-14-0-10)\n41.19|40.20 open\n25/3 (10-?-0-9)\ntrust charts")
    assert [force.force for force in both.result.chances.forces] == ["25/3", "A"]


@pytest.mark.rule("10.4.2")
@pytest.mark.parametrize(
    ("more", "flanked"),
    [
        ("", True),
        (", german minor-depot - D", True),
        (", german infantry XX F (9-9-0-9)", False),
    ],
)
def test_an_asset_unit_is_flanked_on_three_hexes_with_or_without_a_depot(more: str, flanked: bool) -> None:
    text = f"turn=3\ntrust charts\n40.20: 25/3 (10-?-0-9)\n41.19 clear: german infantry X A asset (3-3-0-9){more}\n"
    text += "41.19|40.20,40.19,41.20,41.18,42.19,42.20 open\n40.20|40.19,41.20 open"
    report = battle(text, flanked="")
    assert (report.result.flanked, report.result.held_around) == (flanked, 3)


@pytest.mark.rule("10.4.3")
def test_all_that_being_flanked_costs() -> None:
    report = battle(field(), withhold="R2", flanked="yes")
    flank = [(shift.why, shift.amount) for shift in report.result.shifts if "flanked" in shift.why]
    assert flank == [("defender flanked", 2)]
    assert [m.amount for m in report.result.defender_modifiers if m.why == "flanked"] == [2]
    text = field(more=FOUGHT.format(check=7, column="2:1"))
    text += "\n" + "\n".join(f"chart slrt summer Large {n} = 0 / 0" for n in range(-2, 9))
    after = battle(text, withhold="R2", flanked="yes").result.outcome
    assert [[m.amount for m in check.modifiers if m.why == "flanked"] for check in after.checks] == [[], [], [1], [1]]
