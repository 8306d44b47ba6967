"""What a phase still owes, and which phase follows (6.2, 12.2, 14.3, 15.0, 16.0)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from assistant.asking.report import Report
from assistant.formats.notation import read_on
from assistant.formats.positions import Position
from assistant.rules.next_phase import Next
from assistant.rules.phase_now import Checklist, ChecklistItem
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ...cases import few, seeds
from ...conftest import answered, told, typed, why_not
from ..asking import kaiser

pytestmark = pytest.mark.rule("6.0", "6.1", "3.1")
"""Every phase here is one of a whole turn, in the order of its player turns."""

GAME = "game kaisers-war-in-the-east\n"
NOW = "turn=3 main-effort=west phasing={} phase={}\n"
CHARTS = "chart reorganization russian infantry-army = 3\nchart reorganization austro-hungarian infantry-army = 3\n"
FIGHT = (
    NOW.format("allies", "first-combat")
    + CHARTS
    + """2620 clear: Rus-2 ({attack}-12-4)
2621 clear: AH-4 (10-5-4)
2622: AH-3 (4-4-4)
3020: Rus-3 (9-9-4)
3021: AH-1 (1-1-4)
elsewhere clear open
ask battle at=2621
answers die={die}
"""
)


def next_of(text: str) -> Report:  # type: ignore[type-arg]
    return kaiser(text, "next")


def moved(report: Report) -> dict[str, object]:  # type: ignore[type-arg]
    return {change.track: change.after for change in report.changes if isinstance(change, Change)}


@pytest.mark.rule("6.2/2a", "6.2/2b", "6.2/3", "6.1", "3.1", "6.2/4b")
def test_the_phases_of_a_turn_follow_one_another_until_the_last() -> None:
    order = ["mobilization", "reorganization", "movement", "first-combat", "second-combat", "attrition"]
    for here, there in pairwise(order):
        assert moved(next_of(NOW.format("allies", here))) == {"phase": there}
    assert moved(next_of(NOW.format("allies", "attrition"))) == {"phasing": "central-powers", "phase": "mobilization"}
    east = NOW.format("central-powers", "attrition").replace("west", "east")
    assert moved(next_of(east)) == {"phasing": "allies", "phase": "mobilization"}
    last = next_of(NOW.format("central-powers", "attrition"))
    assert moved(last) == {"phasing": None, "phase": "victory-points"}
    points = "turn=3 main-effort=west phase=victory-points settled=victory-points"
    assert moved(next_of(points)) == {"turn": 4, "phasing": "allies", "phase": "mobilization", "settled": None}
    assert moved(next_of(points.replace("turn=3", "turn=4"))) == {
        "turn": 5,
        "phase": "grand-strategy",
        "main-effort": None,
        "settled": None,
    }
    assert moved(next_of("turn=5 main-effort=east phase=grand-strategy")) == {
        "phasing": "central-powers",
        "phase": "mobilization",
    }
    over = next_of("turn=4 last-turn=4 main-effort=west phase=victory-points settled=victory-points")
    assert (over.verdict.kind, over.verdict.text) == ("no", "the game is over (1 reason)")
    assert told(over) == ["turn 4 is the last"]
    scored = "turn=31 main-effort=west phase=victory-points settled=victory-points"
    assert next_of(scored).verdict.kind == "no"
    assert next_of(f"{scored} options=revolutions").verdict.kind == "figure"


def items(position: Position, *states: str) -> list[tuple[str, ...]]:
    """The attacks of the checklist in some states: in words, whom and where, and what to ask."""
    now = answered(position, "turn").shown.now.items
    listed = [item for item in now if item.name == "attacks" and item.state in states]
    return [(item.text.partition(": ")[2], *item.units, *item.places, item.ask) for item in listed]


@pytest.mark.rule("14.3/7", "15.0", "16.0")
def test_a_retreat_is_owed_until_it_is_made_and_no_battle_or_pursuit_comes_before() -> None:
    position = typed(GAME + FIGHT.format(attack=29, die=4))
    beaten = position.after(answered(position).changes)
    assert beaten.state.value("owes", "AH-inf-1") == 1
    phase = answered(beaten, "next")
    assert (phase.verdict.kind, phase.verdict.text) == ("no", "First Combat of the Allies is not over: 1 step owed")
    corps = ("AH-inf-1", "AH-inf-2", "AH-inf-3")
    text = "AH-inf-1, AH-inf-2, AH-inf-3 in 2621 must retreat 1 hex (ask retreat units=AH-inf-1,AH-inf-2,AH-inf-3)"
    assert items(beaten, "owed", "possible") == [
        (text.partition(" (ask")[0], *corps, "2621", "retreat units=AH-inf-1,AH-inf-2,AH-inf-3")
    ]
    assert answered(beaten, "turn").verdict.text.endswith("; 1 step owed")
    assert told(answered(beaten, "battle", at="3021"))[:1] == [
        "the retreats of the battle before come first: AH-inf-1, AH-inf-2, AH-inf-3"
    ]
    dead = read_on('"Dead Pile": AH-inf-1, AH-inf-2, AH-inf-3', beaten)
    assert items(dead, "owed") == [], "units that are eliminated owe nothing"
    gone = retreated(beaten)
    assert gone.state.value("owes", "AH-inf-1") in (None, 0)
    assert answered(gone, "battle", at="3021").verdict.kind == "figure"
    assert answered(gone, "next").verdict.kind == "figure"
    assert items(gone, "owed", "possible") == [
        ("Rus-2 may pursue into 2621, before the next attack", "Rus-2", "2621", "pursue units=Rus-2 at=2621"),
        ("no unit owes a retreat, so the next attack may be made", ""),
    ]


@pytest.mark.rule("16.0")
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("2620: Rus-2 (9-9-4) fought, Rus-W (2-2-3) radius=2 fought\n2621 combat-result=DZ", ["Rus-2"]),
        ("2620: Rus-2 (9-9-4) fought, Rus-inf-1 (3-3-3) fought\n2621 combat-result=BT", ["Rus-2", "Rus-inf-1"]),
        ("2620: Rus-2 (9-9-4) fought\n2621 combat-result=AD", []),
        ("2620: Rus-2 (9-9-4) fought\n2621 combat-result=ST", []),
        ("2620: Rus-2 (9-9-4)\n2621 combat-result=DZ", []),
        ("2620 combat-result=AZ: Rus-2 (9-9-4)\n2621 combat-result=DZ", []),
        ("2620: Rus-2 (9-9-4) fought\n2621 combat-result=DD: AH-4", []),
        ("2620: AH-4 (9-9-4) fought\n2621 combat-result=DZ", []),
        ("2618: Rus-2 (9-9-4) fought\n2621 combat-result=DZ", []),
        ("2620: Rus-W (2-2-3) radius=2 fought\n2621 combat-result=DZ", []),
        ("2620: Rus-2 (9-9-4) follows=2621, Rus-inf-1 (3-3-3) fought\n2621 combat-result=BT", ["Rus-2"]),
        ("2620: Rus-2 (9-9-4) fought\n2621 combat-result=DZ\n2720 attacked", []),
    ],
)
def test_who_may_pursue_before_the_next_attack(text: str, named: list[str]) -> None:
    now = kaiser(NOW.format("allies", "first-combat") + text, "turn").shown.now.items
    assert [item.units for item in now if item.ask.startswith("pursue")] == ([tuple(named)] if named else [])


@pytest.mark.rule("12.2")
def test_a_stack_over_the_limits_is_owed_or_left_undone_by_its_name() -> None:
    full = "2620: Rus-2, Rus-3\n2621: AH-4\n"
    phase = next_of(NOW.format("allies", "movement") + full)
    over = "Remove what is over the stacking limits: 2620 must lose what is over the limits (ask stack at=2620)"
    assert told(phase)[0] == over
    two = kaiser(NOW.format("allies", "movement") + full + "2820: Rus-4, Rus-5", "turn").shown.now.items[0]
    assert (two.state, two.places, two.ask) == ("owed", ("2620", "2820"), "stack at=2620,2820")
    within = kaiser(NOW.format("allies", "movement") + "2620: Rus-2, Allied-supply-1\n", "turn").shown.now.items
    assert [(item.state, item.places) for item in within if item.name == "stacks"] == [("done", ())]
    assert next_of(NOW.format("allies", "mobilization") + full).verdict.kind == "figure"
    assert next_of(NOW.format("allies", "movement") + full.replace(", Rus-3", "")).verdict.kind == "figure"
    full = NOW.format("allies", "movement") + "2620: Rus-2 moved, Rus-3\n2621: AH-4\n"
    held = next_of(full)
    assert (held.result, held.changes, held.verdict.kind) == (None, (), "no")
    assert told(held, "To go on") == ["to leave this undone, type: next leave=stacks"]
    gone = kaiser(full, "next", leave=["stacks"])
    assert gone.result == Next(3, "allies", "first-combat", 0, (OVER,))
    assert gone.changes == (Change("phase", "", "movement", "first-combat", ""),)
    assert [part.title for part in gone.parts if part.steps] == ["Left undone"]
    done = kaiser(full.replace(", Rus-3", ""), "next", leave=["stacks"])
    assert (done.result, told(done)) == (Next(3, "allies", "first-combat", 0), []), "nothing was owed"


OVER = ChecklistItem(
    name="stacks",
    state="owed",
    rule="12.2",
    text="Remove what is over the stacking limits: 2620 must lose what is over the limits",
    places=("2620",),
    ask="stack at=2620",
)
"""What a stack over the limits still owes in Movement."""


@pytest.mark.rule("9.2")
def test_the_whole_report_on_the_next_phase() -> None:
    phase = next_of(NOW.format("allies", "attrition"))
    assert phase.result == Next(3, "central-powers", "mobilization", 0)
    assert phase.verdict.text == "turn 3: Mobilization of the Central Powers"
    assert phase.changes == (
        Change("phasing", "", "allies", "central-powers", ""),
        Change("phase", "", "attrition", "mobilization", ""),
    )
    assert [part.title for part in phase.parts if part.steps] == []
    arrivals = next_of(NOW.format("allies", "mobilization"))
    assert [part.title for part in arrivals.parts if part.steps] == ["Not done, or not shown by the position"]
    assert told(arrivals)[0].endswith("supply units: of the Allies (ask arrivals side=allies)")
    turn = next_of("turn=4 main-effort=west phase=victory-points settled=victory-points")
    assert (turn.result, turn.verdict.text) == (Next(5, "", "grand-strategy", 2), "turn 5: Grand Strategy")
    assert turn.changes == (
        Change("turn", "", 4, 5, ""),
        Change("phase", "", "victory-points", "grand-strategy", ""),
        Change("main-effort", "", "west", None, ""),
        Change("settled", "", ("victory-points",), None, ""),
    )
    end = next_of("turn=24 last-turn=25 main-effort=west phase=victory-points settled=victory-points")
    assert end.result == Next(25, "allies", "mobilization", 1)
    assert (
        next_of("turn=25 last-turn=25 main-effort=west phase=victory-points settled=victory-points").result is None
    ), "the game is over"
    with pytest.raises(
        InputError, match="turn 3 has no phase grand-strategy\n  it has: allies mobilization, allies reorg"
    ):
        next_of(NOW.format("allies", "grand-strategy"))


@pytest.mark.rule("6.2/2c", "12.2")
def test_the_whole_checklist_of_a_phase() -> None:
    report = kaiser(NOW.format("allies", "movement") + "2620: Rus-2, Rus-3\n2621: AH-4\n", "turn")
    steps = (
        ChecklistItem(
            name="", state="possible", rule="17.9", text="Name the supply units to be expended for Forced March"
        ),
        ChecklistItem(name="", state="possible", rule="11.1", text="Move units, by rail and sea too", ask="move"),
    )
    assert report.result.now == Checklist(phase="Movement", side="allies", items=(OVER, *steps))
    assert (report.title, report.changes, report.asks) == ("Turn 3, 1914", (), ())
    assert [part.title for part in report.parts if part.steps] == [
        "Movement of the Allies: owed",
        "Movement of the Allies: possible",
        "First Player Turn: Allies",
        "Second Player Turn: Central Powers",
        "After them",
    ]
    phases = ["Mobilization", "Reorganization", "Movement", "First Combat", "Second Combat", "Supply Attrition"]
    assert told(report, "First Player Turn: Allies") == told(report, "Second Player Turn: Central Powers") == phases
    assert told(report, "After them") == ["Victory Points", "move the turn marker to turn 4"]
    whole = kaiser(NOW.format("allies", "movement"), "turn", whole=True)
    assert len(told(whole, "First Player Turn: Allies")) > len(phases)
    assert len(told(whole, "After them")) == 2
    assert [item.state for item in whole.result.now.items] == ["possible", "possible", "done"]


def retreated(position: Position) -> Position:
    """A position after all retreats that it names, each by the way offered first."""
    for _ in range(9):
        items = answered(position, "turn").shown.now.items
        owed = next((item for item in items if item.state == "owed" and item.ask.startswith("retreat")), None)
        if owed is None:
            break
        report, way = answered(position, "retreat", units=owed.units), list[str]()
        while report.asks:
            way.append(report.asks[0].options[0])
            report = answered(position, "retreat", units=owed.units, way=way)
        position = position.after(report.changes)
    return position


def play(seed: int) -> None:
    """A random battle, fought out: whoever retreats owes that, and nobody after the retreats."""
    random = Random(f"owed {seed}")
    text = FIGHT.format(attack=random.randint(1, 40), die=random.randint(1, 6))
    position = typed(GAME + text)
    report = answered(position)
    while report.asks:
        text = f"{text.rstrip()} {report.asks[0].name}={random.choice(report.asks[0].options or [str(random.randint(1, 6))])}\n"
        report = answered(typed(GAME + text))
    after = position.after(report.changes)
    owing = {unit: after.state.value("owes", unit) for unit in report.shown.retreating}
    assert owing == {unit: report.shown.panic.get(unit, report.shown.hexes) for unit in report.shown.retreating}
    assert (answered(after, "next").verdict.kind == "no") == bool(owing)
    rest = retreated(after)
    assert not [unit for unit in rest.state.units if rest.state.value("owes", unit)]
    assert answered(rest, "next").verdict.kind == "figure"


@few(6)
@pytest.mark.rule("15.0", "15.1")
@pytest.mark.parametrize("seed", seeds(60))
def test_whoever_retreats_owes_it_until_then(seed: int) -> None:
    play(seed)


def test_what_the_prompt_shows_of_a_turn() -> None:
    """Where a phase is stated the turn behind its checklist is shown only with all working."""
    now = kaiser(NOW.format("allies", "movement"), "turn")
    assert [(part.title, part.brief) for part in now.parts] == [
        ("Movement of the Allies: possible", None),
        ("Movement of the Allies: done", "1 step"),
        ("First Player Turn: Allies", ""),
        ("Second Player Turn: Central Powers", ""),
        ("After them", ""),
    ]
    none = kaiser("turn=3 main-effort=west", "turn")
    assert [(part.title, part.brief) for part in none.parts] == [
        ("First Player Turn: Allies", None),
        ("Second Player Turn: Central Powers", None),
        ("After them", None),
    ]
    assert none.result.now is None


def settled(text: str, *asked: str) -> Position:
    """The position once questions have been answered and carried out."""
    position = typed(GAME + text)
    for line in asked:
        report = answered(read_on(f"ask {line}\n", position))
        assert report.changes and not report.asks, str(report)
        position = position.after(report.changes)
    return position


WINTER = """trust charts
turn=4 main-effort=west phasing=allies phase=attrition
chart terrain-attrition winter clear = yes
chart terrain-attrition winter forest = no
chart reorganization russian infantry-army = 3
elsewhere no-rail open country=russia
2620 clear city=no: Rus-2 supply=out, Rus-3 supply=out
2720 forest city=no: Rus-inf-2 supply=out
2820 clear city=no: Rus-inf-1 supply=in
2622 clear city=no: AH-4 supply=out
"""
"""Two armies in the clear that check in winter, and three units that do not."""


@pytest.mark.rule("17.8")
def test_an_attrition_phase_is_not_left_before_every_unit_that_must_has_checked_once() -> None:
    begun = typed(GAME + WINTER)
    held = answered(begun, "next")
    assert (held.verdict.kind, held.verdict.text) == ("no", "Supply Attrition of the Allies is not over: 1 step owed")
    (item,) = [item for item in answered(begun, "turn").shown.now.items if item.state == "owed"]
    assert (item.name, item.units, item.ask) == ("attrition", ("Rus-2", "Rus-3"), "attrition side=allies")
    assert answered(begun, "next", leave=["attrition"]).verdict.kind == "figure"
    once = settled(WINTER, "attrition unit=Rus-2\nanswers attrition.Rus-2=5")
    assert answered(once, "next").verdict.kind == "no"
    again = answered(once, "attrition")
    assert [ask.name for ask in again.asks] == ["attrition.Rus-3"]
    assert "Rus-2 in 2620 (clear): not supplied (as stated), has checked" in told(again)
    broken = settled(WINTER, "attrition\nanswers attrition.Rus-2=6 attrition.Rus-3=1")
    left = answered(broken, "next")
    assert left.verdict.kind == "figure", "the corps that are left of an army do not check again"
    assert not any(
        subject.startswith("Rus") for track, subject in broken.after(left.changes).state.facts if track == "checked"
    )
    unknown = WINTER.replace("trust charts", "")
    held = answered(typed(GAME + unknown), "next")
    assert (held.verdict.kind, [ask.key for ask in held.asks]) == ("undecided", [("turn-record", 4)])
    fed = unknown.replace("supply=out", "supply=in")
    assert answered(typed(GAME + fed), "next").verdict.kind == "figure"


@pytest.mark.rule("5.4", "6.2/4a")
def test_a_turn_is_not_left_before_its_victory_points_are_scored_once() -> None:
    text = "turn=3 main-effort=west phase=victory-points\nside allies vp=50\nside central-powers vp=50\n"
    text += "2620 objective country=russia control=allies\n"
    assert next_of(text).verdict.kind == "no"
    scored = settled(text, "victory when=turn-end")
    assert scored.state.value("vp", "allies") == 54
    assert answered(scored, "next").verdict.kind == "figure"
    assert answered(scored, "victory", when="turn-end").changes == ()
    assert "scored already" in str(answered(scored, "victory", when="turn-end"))
    assert scored.after(answered(scored, "next").changes).state.value("settled") is None


@pytest.mark.rule("Opt/Rev1", "Opt/Rev2", "Opt/VarRomania")
@pytest.mark.parametrize(
    ("text", "name", "asked"),
    [
        (
            "turn=24 phasing=allies options=revolutions\nside allies vp=20",
            "revolution",
            "revolution\nanswers revolution=3",
        ),
        ("turn=17 phasing=central-powers options=variable-romania", "romania", "romania\nanswers entry=5"),
    ],
)
def test_a_mobilization_phase_is_not_left_before_its_dice_are_rolled_once(text: str, name: str, asked: str) -> None:
    text = f"main-effort=west phase=mobilization {text}\nside central-powers vp=50\n"
    held = next_of(text)
    assert (held.verdict.kind, told(held, "To go on")) == ("no", [f"to leave this undone, type: next leave={name}"])
    rolled = settled(text, asked)
    assert answered(rolled, "next").verdict.kind == "figure"
    assert why_not(answered(rolled, name))
    without = text.replace("options=revolutions", "").replace("options=variable-romania", "")
    assert next_of(without).verdict.kind == "figure"


@pytest.mark.rule("Opt/Rev2")
def test_the_second_revolution_is_carried_out_as_the_phase_ends() -> None:
    text = "turn=25 main-effort=west phase=mobilization phasing=allies options=revolutions revolution=1\nside allies vp=9\n2420: Rus-2\n"
    done = next_of(text + "side central-powers vp=50\n")
    assert done.verdict.kind == "figure"
    assert ("revolution", 2) in moved(done).items()


@pytest.mark.rule("Opt/Amph/5")
def test_a_first_combat_phase_is_not_left_while_an_assault_waits_at_sea() -> None:
    text = "turn=8 main-effort=west phase=first-combat phasing=allies options=amphibious\n2620 all-sea: russian marine XXX M (4-3-3){}\n"
    assert told(next_of(text.format("")), "To go on") == ["to leave this undone, type: next leave=assaults"]
    assert next_of(text.format(" fought")).verdict.kind == "figure"
    assert next_of(text.replace("all-sea", "clear").format("")).verdict.kind == "figure"
    assert next_of(text.replace("phasing=allies", "phasing=central-powers").format("")).verdict.kind == "figure"
