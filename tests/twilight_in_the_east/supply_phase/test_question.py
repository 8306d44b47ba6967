"""The Supply Phase of a side: resets, markers, surrender and losses in order, and a story over two turns (5.4.4, 14.4, 14.6)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.report import ON_YOUR_MAP, Report
from assistant.asking.view import View, changed
from assistant.game.states import apply_changes
from assistant.mechanics.chances import chances
from assistant.mechanics.procedure import AnswerError, first_option, resolve
from assistant.state.changes import AnyChange, Change
from assistant.util.errors import InputError
from twilight_in_the_east.forces.losses import Share
from twilight_in_the_east.supply_phase.question import (
    DONE,
    AttritionLoss,
    Fate,
    ForceSteps,
    UnsuppliedForce,
    attrition,
    loss,
    remove_markers,
)

from ...cases import few, seeds
from ...conftest import answered, rulings, told, typed, viewed
from ..supply.side.test_sides import position

HEAD = "board sample\ntrust counters\nturn=5\n"
"""The Russian line runs from 63.41 by 63.39 and 64.38 to 65.37; a source at the railway serves 3 and 6 hexes."""
TRAIN = '{}: russian corps-train - "1 Train" corps=1 army=Second range=2 extended-range=4 {}\n'
DIVISION = "{}: russian infantry XX 1/1 army=Second steps=10 back-steps=5 effectiveness=7 {}\n"
RING = "".join(f"{hex}: german infantry XX g{hex} army=Eighth\n" for hex in ("68.36", "66.35", "68.33", "70.35"))
"""Round 68.35 the zones of these close every way out."""


def phase(text: str, answers: str = "", **parameters: Any) -> Report[Any]:
    more = f"answers {answers}\n" if answers else ""
    given = {name: value for name, value in {"side": "russian", **parameters}.items() if value is not None}
    return answered(typed(HEAD + text + more), "supply-phase", **given)


def on_the_map(report: Report[Any]) -> dict[tuple[str, str], Any]:
    """What a phase changes, but for the record that it is done."""
    made = [one for one in report.changes if isinstance(one, Change) and one.track != DONE]
    return {(one.track, one.subject): one.after for one in made}


def test_it_is_refused_in_another_phase_and_in_the_enemys_turn() -> None:
    """Nothing is changed then; where the phase is not stated it may be that of supply."""
    text = DIVISION.format("68.35", "")
    for stated, why in (
        (
            "phase=movement\n",
            "that is done only in the Supply Phase, and the phase is movement; state phase=supply when the Supply Phase begins",
        ),
        (
            "phasing=central-powers\n",
            "that is done in its side's Supply Phase, but it is the Central Powers player turn",
        ),
    ):
        report = phase(stated + text)
        assert (report.verdict.kind, report.changes, told(report, "Not allowed")) == ("no", (), [why])
    for stated in ("", "phase=other\n", "phasing=russian\n"):
        assert phase(stated + text).changes


def test_what_supply_leaves_open_is_said_in_the_phase_too() -> None:
    text = TRAIN.format("65.37", "")
    guests = ((name, hex) for name, hex in (("A", "65.36"), ("B", "66.37"), ("C", "66.38")))
    text += "".join(f'{hex}: russian cavalry XX {name} army=Second draws-on="1 Train"\n' for name, hex in guests)
    assert "A, B, C are named to draw on 1 Train, but no more than two may" in [
        one.text for one in phase(text).cautions
    ]


# --- start and end ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.4.4")
def test_supply_units_go_back_to_their_fronts_and_ap_markers_come_off() -> None:
    report = phase(TRAIN.format("65.37", "extended ap-spent=2") + "71.35: german corps-train - G extended ap-spent=1\n")
    assert on_the_map(report) == {("extended", "1 Train"): None, ("ap-spent", "1 Train"): None}
    assert told(report, "At the start") == [
        "flip to the front: 1 Train",
        "AP Allocated markers come off: 1 Train",
    ]


@pytest.mark.rule("5.4.4")
@pytest.mark.parametrize("now", ["yes", "no"])
def test_praga_turns_face_up_unless_its_army_was_changed_in_this_turn(now: str) -> None:
    """Its AP marker comes off in either case."""
    praga = "65.37: russian major-depot - PRAGA army=Second range=7 changed-attachment ap-spent=1\n"
    assert [ask.name for ask in phase(praga).asks] == ["praga-changed"]
    turned = {} if now == "yes" else {("changed-attachment", "PRAGA"): None}
    assert on_the_map(phase(praga, praga_changed=now)) == {("ap-spent", "PRAGA"): None, **turned}


@pytest.mark.rule("5.4.4c", "8.2.7b")
def test_relocating_becomes_consolidating_which_serves_nobody_until_it_comes_off() -> None:
    depot = "65.37: russian major-depot - {} army=Second range=4 extended-range=6 relocation={}\n"
    report = phase(depot.format("D", "relocating") + depot.format("E", "consolidating"))
    assert on_the_map(report) == {("relocation", "D"): "consolidating", ("relocation", "E"): None}
    assert [one.source for one in report.result.units] == ["its LOC", "its LOC"], "they are In Supply themselves"
    depot = "65.37: russian major-depot - D army=Second range=4 extended-range=6 {}\n"
    train = TRAIN.format("67.35", "")
    assert ("supply", "1 Train") not in on_the_map(phase(depot.format("") + train))
    assert on_the_map(phase(depot.format("relocation=consolidating") + train))["supply", "1 Train"] == "out"


# --- markers ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.4.4b", "14.4a", "14.4b", "14.4d")
def test_markers_go_on_and_come_off_in_order() -> None:
    """A depot without a Station, a train off the line, a division at more than three hexes from the line, and one at it again."""
    report = phase(
        "67.36: russian major-depot - D army=Second range=1 extended-range=1\n"
        "69.41: russian corps-train - T corps=9 army=Second range=1 extended-range=1\n"
        "69.39: russian infantry XX far army=Second\n"
        "65.37: russian infantry XX near army=Second supply=out, russian infantry XX fine army=Second\n"
        "69.40: russian infantry XX late army=Second supply=low\n"
        "65.37 operational=none\n64.38 operational=none\n64.39 control=russian\n"
    )
    changes = on_the_map(report)
    assert changes["supply", "D"] == changes["supply", "T"] == "out"
    assert (changes["supply", "far"], changes["supply", "near"], ("supply", "fine") in changes) == ("low", None, False)
    assert ("supply", "late") not in changes, "its marker stays"
    assert [one.unit for one in report.result.units][:2] == ["D", "T"]
    assert told(report, "Depots (step 1)") == ["D in 67.36: Out of Supply; place an Out of Supply marker"]
    assert told(report, "Corps Trains (step 2)") == ["T in 69.41: Out of Supply; place an Out of Supply marker"]
    assert told(report, "Combat and artillery units (steps 3 and 4)") == [
        "near in 65.37: In Supply; its marker comes off",
        "far in 69.39: in Low Supply; place a Low Supply marker",
        "late in 69.40: still in Low Supply",
        "In Supply, no marker: fine",
    ]


@few(3)
@pytest.mark.rule("14.4d", "14.5")
@pytest.mark.parametrize("seed", seeds(12))
def test_markers_are_what_tracing_finds_and_those_in_supply_lose_nothing(seed: int) -> None:
    text = "\n".join(position(seed)) + "\n"
    report = phase(text)
    found = answered(typed(HEAD + text), "supply", side="russian")
    states = {one.unit: one.could.state for side in found.result.sides for one in side.units}
    assert {one.unit: one.now for one in report.result.units} == states
    for one in report.changes:
        if isinstance(one, Change) and one.track in ("cel", "lost", "reduced", "place"):
            assert states[one.subject] == "out"
        elif isinstance(one, Change) and one.track == "supply":
            assert one.after == states[one.subject]


@pytest.mark.rule("5.4.4b", "14.4d")
def test_a_train_in_extended_mode_gives_low_supply() -> None:
    """Off the line a depot feeds the train; which side of the train lies up is the owner's choice."""
    text = "63.39: russian minor-depot - D army=Second range=4 extended-range=4\n" + TRAIN.format("66.39", "")
    text += DIVISION.format("70.40", "") + "65.37 operational=none\n64.38 operational=none\n"
    best, normal = phase(text), phase(text, extended=[])
    assert on_the_map(best) == {("extended", "1 Train"): True, ("supply", "1/1"): "low"}
    assert told(best, "Modes") == ["flip to Extended Mode: 1 Train"]
    assert told(best, "Depots (step 1)") == ["In Supply, no marker: D"]
    assert on_the_map(normal) == {("supply", "1/1"): "out", ("cel", "1/1"): -1}
    assert normal.result.forces[0].isolated is False, "in the modes that are taken"
    assert normal.result.extended == ()


@pytest.mark.rule("14.0", "14.5")
def test_only_markers_that_are_there_come_off() -> None:
    view = viewed(
        HEAD
        + "65.37: russian infantry XX A supply=low, russian infantry XX B, russian infantry XX C supply=out isolated\n"
    )
    off = [(one.track, one.subject, one.after) for one in remove_markers(view, view.units())]
    assert off == [("supply", "A", None), ("supply", "C", None), ("isolated", "C", None)]


@pytest.mark.rule("14.0", "14.5")
def test_supply_is_checked_anew_and_changes_nothing_for_those_in_supply() -> None:
    """A train that is marked Out of Supply supplies no units until its Supply Phase, which finds it In Supply."""
    text = TRAIN.format("65.37", "supply=out") + DIVISION.format("67.36", "supply=out")
    report = phase(text)
    assert on_the_map(report) == {("supply", "1 Train"): None, ("supply", "1/1"): None}
    enemy = "71.35: german infantry XX g/9 army=Eighth supply=low cel=-2\n"
    report = phase(TRAIN.format("65.37", "") + DIVISION.format("67.36", "") + enemy)
    assert (on_the_map(report), report.result.settled, report.result.points) == ({}, True, 0)


@pytest.mark.rule("5.4.4")
def test_a_phase_that_has_been_carried_out_costs_nothing_anew() -> None:
    cut = "65.37 operational=none\n64.38 operational=none\n64.39 operational=none\n" + DIVISION.format("69.39", "")
    first = phase(cut)
    assert [(one.track, one.subject, one.after) for one in first.changes][-1] == (DONE, "russian", 5)
    position = typed(HEAD + cut)
    after = position.with_state(apply_changes(position.game, position.state, first.changes))
    again = answered(after, "supply-phase", side="russian")
    why = "the position records it as side russian supply-phase-done=5: remove that to carry out the phase again"
    said = f"the Supply Phase of GT 5 has already been carried out: {why}"
    assert (again.verdict.text, again.changes, again.result.done) == (said, (), True)
    assert told(again) == [why]
    assert answered(after, "supply-phase", side="central-powers").result.done is False
    next_turn = typed(HEAD.replace("turn=5", "turn=6") + cut + f"side russian {DONE}=5\n")
    assert answered(next_turn, "supply-phase", side="russian").result.forces
    unsaid = typed(HEAD.replace("turn=5\n", "") + TRAIN.format("65.37", ""))
    assert answered(unsaid, "supply-phase", side="russian").changes == (), "without a turn nothing is recorded"


def test_whose_phase_it_is_and_what_is_missing_are_asked_for() -> None:
    """The depot on the line may feed the train, if its range is known to reach so far."""
    text = TRAIN.format("65.37", "")
    assert phase("phasing=russian\n" + text, side=None).result.side == "russian"
    assert [ask.name for ask in phase(text, side=None).asks] == ["side"]
    depot = "65.37: russian major-depot - Depot army=Second\n65.37 station\n"
    train = "65.36: russian corps-train - T corps=1 army=Second supply=out\n"
    report = phase(depot + train + DIVISION.format("68.35", "supply=low"))
    assert (report.changes, report.result.settled, report.verdict.kind) == ((), False, "undecided")
    assert told(report, "Corps Trains (step 2)") == ["T in 65.36: undecided"]


# --- losses -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.4f")
def test_out_of_supply_a_force_with_its_guns_loses_a_level_and_an_asset_unit_a_step() -> None:
    """Beyond the range of everything, but with a way to the railway past the zones: not Isolated."""
    far = "69.39: russian infantry XX 1/1 army=Second {}, russian artillery III g corps=1 army=Second asset\n"
    report = phase("65.37 operational=none\n64.38 operational=none\n64.39 operational=none\n" + far.format(""))
    assert on_the_map(report) == {("supply", "1/1"): "out", ("supply", "g"): "out", ("cel", "1/1"): -1}
    (one,) = report.result.forces
    assert (one.units, one.isolated, one.levels, one.steps) == (("1/1", "g"), False, 1, 0)
    cut = "65.37 operational=none\n64.38 operational=none\n64.39 operational=none\n"
    report = phase(
        cut + "69.39: russian artillery III g corps=1 army=Second asset\n72.41: russian infantry XX 1/1 army=Second\n"
    )
    assert on_the_map(report)["place", "g"] is None


@pytest.mark.rule("14.4e", "14.4g", "14.6", "27.2.5")
def test_a_demoralized_force_that_is_isolated_may_surrender() -> None:
    beset = TRAIN.format("65.37", "") + RING + DIVISION.format("68.35", "cel=-4")
    asked = phase(beset)
    assert ([ask.name for ask in asked.asks], asked.changes) == (["surrender.1/1"], ())
    assert asked.verdict.text.endswith("1/1 may surrender")
    gone = phase(beset, "surrender.1/1=4")
    assert on_the_map(gone) == {("place", "1/1"): None, ("control", "68.35"): "russian"}
    assert (gone.result.points, told(gone, "Victory Points")) == (
        4,
        ["Central Powers: 4 Victory Points for 1/1 eliminated"],
    )
    stays = phase(beset, "surrender.1/1=3")
    assert on_the_map(stays) == {("supply", "1/1"): "out", ("isolated", "1/1"): True, ("lost", "1/1"): 3}
    assert told(stays, "Isolated (step 7)") == ["1/1 loses 3 steps (Demoralized)"]


@pytest.mark.parametrize(
    "answers",
    ["surrender.1/1=5 surrender.nobody=5", "surrender.1/1=5 losses.1/1=zzz", "surrender.1/1=3 losses.g68.36=g68.36"],
)
def test_answers_that_are_not_due_are_refused(answers: str) -> None:
    """Of Forces that are not Out of Supply, and of one that has surrendered."""
    beset = TRAIN.format("65.37", "") + RING + DIVISION.format("68.35", "cel=-4")
    with pytest.raises(AnswerError, match="no roll or choice of that name is due"):
        phase(beset, answers)


@pytest.mark.rule("14.4e", "14.4f", "14.4g")
def test_while_isolation_is_open_both_losses_are_told_and_nothing_is_settled() -> None:
    """On a paper map only the player can tell whether a way leads out."""
    text = "turn=5\n68.35: russian infantry XX 1/1 steps=10 supply=out cel=-4\n"
    text += "70.35: russian infantry XX 2/1 steps=10 supply=out cel=-2, russian artillery III g asset\n"
    report = answered(typed(text), "supply-phase", side="russian")
    assert told(report, "Surrender (step 5)") == [
        "1/1: Demoralized; if it is Isolated, roll a die: on 4 or more it surrenders (50.0%)"
    ]
    assert told(report, "Out of Supply (step 6)") == [
        "1/1 loses 1 step, or 3 steps if Isolated (Demoralized), if it does not surrender",
        "2/1 (with g) loses 1 level, or 2 levels and 1 step if Isolated",
    ]
    assert (report.changes, report.result.settled) == ((), False)
    assert report.verdict.text.endswith("1/1 may surrender")
    assert [one.isolated for one in report.result.forces] == [None, None]
    out = answered(typed(text + "1/1 way-out=yes\n2/1 way-out=no\n"), "supply-phase", side="russian")
    assert [one.isolated for one in out.result.forces] == [False, True]


@pytest.mark.rule("14.4e")
def test_dice_are_asked_for_before_choices_and_isolated_asset_units_rest_on_a_ruling() -> None:
    guns = "68.35: russian artillery III g corps=1 army=Second asset\n"
    text = (
        RING + DIVISION.format("68.35", "cel=-3") + guns + "64.31: russian infantry XX 2/2 army=Second steps=6 cel=-4\n"
    )
    names = [ask.name.partition(".")[0] for ask in phase(text).asks]
    assert names == sorted(names, key=["surrender", "losses"].index)
    guns = ", ".join(f"russian infantry III {name} corps=1 army=Second asset steps=4" for name in "gh")
    report = phase(RING + f"68.35: {guns}\n72.41: russian infantry XX 1/1 army=Second\n")
    assert "isolated-assets" in rulings(report)


@pytest.mark.rule("14.4f", "14.4g")
@pytest.mark.parametrize(("enemy", "levels", "isolated"), [("68.36", -3, True), ("69.36", -1, None)])
def test_the_example_of_14_4_1(enemy: str, levels: int, isolated: bool | None) -> None:
    """With the German in 69.36 the division's own zone keeps it from being Isolated."""
    ring = "".join(
        f"{hex}: {unit}\n"
        for hex, unit in [(enemy, "41/20"), ("66.35", "37/20"), ("68.33", "35/17"), ("70.35", "36/17")]
    )
    changes = on_the_map(phase('65.37: "Russian 1 Train"\n68.35: 22/1\n' + ring))
    assert (changes["supply", "22/1"], changes["cel", "22/1"]) == ("out", levels)
    assert changes.get(("isolated", "22/1")) is isolated


@pytest.mark.rule("5.4.4b", "12.5.2")
def test_an_isolated_bridgehead_is_abandoned() -> None:
    fort = "68.35: austro-hungarian fort - Z (1-?-?-?) fssm=1 abandonment=4\n"
    ring = RING.replace("german", "russian").replace("Eighth", "Second")
    report = phase(fort + ring, side="central-powers")
    assert on_the_map(report) == {("place", "Z"): None, ("control", "68.35"): "central-powers"}
    assert told(report, "Bridgeheads") == ["Z: Isolated, abandoned"]
    assert report.verdict.text == "0 In Supply, 0 in Low Supply, 0 Out of Supply; Z is abandoned"
    assert phase(fort, side="central-powers").result.bridgeheads == ()


@pytest.mark.rule("5.4.4b", "14.4e")
def test_the_checklist_goes_in_the_order_of_the_rules() -> None:
    """One division is Isolated and surrenders, one is Isolated, one only Out of Supply, and a depot is on the move."""
    cut = "65.37 operational=none\n64.38 operational=none\n64.39 operational=none\n"
    text = (
        DIVISION.format("68.35", "cel=-4")
        + "68.35: russian infantry XX I army=Second\n"
        + "70.40: russian infantry XX S army=Second cel=-1\n"
        + "63.39: russian major-depot - D army=Second range=1 extended-range=1 extended relocation=relocating\n"
    )
    report = phase(cut + RING + text, "surrender.1/1=5")
    assert [
        (part.title, told(report, part.title))
        for part in report.parts
        if part.title not in ("Rulings", "Cautions", ON_YOUR_MAP)
    ] == [
        ("At the start", ["flip to the front: D"]),
        ("Depots (step 1)", ["In Supply, no marker: D", "D supplies no units: marked Relocating (8.2.7)"]),
        (
            "Combat and artillery units (steps 3 and 4)",
            [
                "1/1 in 68.35: Out of Supply and Isolated; place an Out of Supply marker",
                "I in 68.35: Out of Supply and Isolated; place an Out of Supply marker",
                "S in 70.40: Out of Supply; place an Out of Supply marker",
            ],
        ),
        ("Surrender (step 5)", ["1/1 surrenders; take off for good: 1/1"]),
        ("Out of Supply (step 6)", ["S loses 1 level"]),
        ("Isolated (step 7)", ["I loses 3 levels"]),
        ("At the end", ["flip the Relocating marker to Consolidating: D"]),
        ("Victory Points", ["Central Powers: 4 Victory Points for 1/1 eliminated"]),
    ]


# --- a story ----------------------------------------------------------------------------------------------------------


class Game:
    """A game from turn to turn: what the enemy does between two Supply Phases, and each phase carried out as it is told."""

    def __init__(self, text: str) -> None:
        self.position = typed(HEAD + text)

    def apply(self, changes: Iterable[AnyChange]) -> None:
        game, state = self.position.game, self.position.state
        self.position = self.position.with_state(apply_changes(game, state, changes))

    def place(self, **units: str) -> None:
        """Units march to other hexes, named by their letters."""
        view = View(self.position.game, self.position.state)
        self.apply([changed(view, "place", name, hex, "8.1") for name, hex in units.items()])

    def phase(self, side: str, **dice: str) -> dict[tuple[str, str], Any]:
        """A side's Supply Phase: what it changes. That of the Russians begins a game turn."""
        if side == "russian":
            view = View(self.position.game, self.position.state)
            self.apply([changed(view, "turn", "", view.integer("turn") + 1, "5.1")])
        answers = {f"surrender.{name}": natural for name, natural in dice.items()}
        report = answered(msgspec.structs.replace(self.position, answers=answers), "supply-phase", side=side)
        self.apply(report.changes)
        self.points = report.result.points
        return on_the_map(report)


@pytest.mark.rule("5.4.4", "14.4d", "14.4f", "14.4g", "14.5", "14.6")
def test_a_division_is_supplied_cut_off_isolated_and_surrenders() -> None:
    """Worked out by hand: a Russian division of ten steps (five on its back) south of the Germans, turn by turn."""
    game = Game(
        "65.37: russian corps-train - T corps=1 army=Second range=4 extended-range=5 extended ap-spent=1\n"
        "68.35: russian infantry XX R corps=1 army=Second steps=10 back-steps=5\n"
        "69.36: german infantry XX A army=Eighth\n70.36: german infantry XX B army=Eighth\n"
        "71.35: german infantry XX C army=Eighth\n72.35: german infantry XX D army=Eighth\n"
    )
    assert game.phase("russian") == {("extended", "T"): None, ("ap-spent", "T"): None}
    assert game.phase("central-powers") == {}

    game.place(A="68.36", B="66.35", C="68.33", D="70.35")  # the ring is closed
    assert game.phase("russian") == {("supply", "R"): "out", ("isolated", "R"): True, ("cel", "R"): -3}
    assert game.phase("central-powers") == {("supply", "C"): "low"}, "more than three hexes from its railway"

    assert game.phase("russian") == {("cel", "R"): -4, ("lost", "R"): 2}, (
        "one level fits, two are steps; the marker stays"
    )

    assert game.phase("russian", R="3") == {("reduced", "R"): True, ("lost", "R"): 0, ("steps", "R"): 5}, "no surrender"

    game.place(B="66.34")  # the zone of the division itself opens a way now
    assert game.phase("russian") == {("isolated", "R"): None, ("lost", "R"): 1}, (
        "only Out of Supply, and Demoralized: one step"
    )

    game.place(B="71.36")
    assert game.phase("russian") == {("supply", "R"): "low"}, "a way round the zones, so nothing is lost"

    game.place(B="66.35")
    assert game.phase("russian", R="4") == {("place", "R"): None, ("control", "68.35"): "russian"}
    assert game.points == 4


def test_a_unit_of_which_facts_are_missing_is_neither_isolated_nor_not() -> None:
    (unit,) = answered(typed("turn=5\n40.21: 25/3"), "supply-phase", side="russian").result.units
    assert (unit.now, unit.isolated) == (None, None)


@pytest.mark.rule("22.5.1")
def test_a_flip_of_what_has_no_extended_mode_is_refused_as_of_the_train_of_koenigsberg() -> None:
    with pytest.raises(InputError, match="1/1 cannot be flipped"):
        phase(DIVISION.format("65.37", ""), extended=["1/1"])
    with pytest.raises(InputError, match="PRAGA cannot be flipped"):
        phase("65.37: russian major-depot - PRAGA army=Second range=7\n", extended=["PRAGA"])
    text = 'turn=5\n60.17: "KG Train"'
    with pytest.raises(InputError, match="extended: KG Train cannot be flipped to Extended Mode"):
        answered(typed(text), "supply-phase", side="central-powers", extended="KG Train")


def test_an_army_that_no_depot_shows_as_changed_was_not_changed() -> None:
    with pytest.raises(InputError, match="praga-changed: no depot of the phasing side shows"):
        answered(typed("turn=5\n40.20: 25/3"), "supply-phase", side="russian", **{"praga-changed": True})


def force(**more: Any) -> UnsuppliedForce:
    return UnsuppliedForce(**{"name": "A", "nation": "russian", "units": ("A",), **more})


@pytest.mark.rule("14.4f", "14.4g")
@pytest.mark.parametrize(
    ("nation", "isolated", "levels", "lost"),
    [
        ("russian", False, 0, AttritionLoss(levels=1)),
        ("german", False, 3, AttritionLoss(levels=1)),
        ("austro-hungarian", False, 4, AttritionLoss(steps=1)),
        ("russian", True, 0, AttritionLoss(levels=3)),
        ("austro-hungarian", True, 1, AttritionLoss(levels=3)),
        ("russian", True, 2, AttritionLoss(levels=2, steps=1)),
        ("russian", True, 4, AttritionLoss(steps=3)),
        ("german", True, 1, AttritionLoss(levels=2)),
        ("german", True, 3, AttritionLoss(levels=1, steps=1)),
        ("german", True, 4, AttritionLoss(steps=2)),
    ],
)
def test_levels_and_what_does_not_fit_as_steps(nation: str, isolated: bool, levels: int, lost: AttritionLoss) -> None:
    assert loss(force(nation=nation, isolated=isolated, levels=levels)) == lost


@pytest.mark.rule("14.4f", "14.4g")
def test_a_disordered_formation_and_asset_units_lose_steps() -> None:
    assert loss(force(levels=2, disorder=1)) == AttritionLoss(steps=1)
    lone = force(formation=False, units=("g", "h"))
    assert loss(lone) == AttritionLoss(steps=1, each=True)
    cut = force(formation=False, isolated=True)
    assert loss(cut) == AttritionLoss(steps=3)
    assert loss(cut, "each") == AttritionLoss(steps=3, each=True), "ruling isolated-assets"


@pytest.mark.rule("14.4e", "14.6")
@pytest.mark.parametrize(
    ("isolated", "levels", "disorder", "formation", "rolls"),
    [
        (True, 4, 0, True, True),
        (True, 0, 1, True, True),
        (True, 3, 0, True, False),
        (False, 4, 0, True, False),
        (True, 4, 0, False, False),
    ],
)
def test_who_is_checked_for_surrender(isolated: bool, levels: int, disorder: int, formation: bool, rolls: bool) -> None:
    assert force(isolated=isolated, levels=levels, disorder=disorder, formation=formation).may_surrender is rolls


# --- as a procedure ---------------------------------------------------------------------------------------------------

BESET = force(isolated=True, levels=4, units=("A", "g"))
KNOWN = ForceSteps(shares={"A": (Share("A", 8), Share("g", 1, guns=True))}, worth={"A": 4, "g": 0})


def fates(forces: tuple[UnsuppliedForce, ...], known: ForceSteps, **answers: str) -> dict[str, Fate]:
    typed = {name.replace("_", "."): answer for name, answer in answers.items()}
    trace = resolve(attrition(forces, known), forces, typed).trace
    return {one.situation.force.name: one.situation for one in trace if isinstance(one.situation, Fate)}


@pytest.mark.rule("14.6")
@pytest.mark.parametrize(("natural", "surrenders"), [(1, False), (3, False), (4, True), (5, True), (6, True)])
def test_a_force_surrenders_on_4_or_more(natural: int, surrenders: bool) -> None:
    found = fates((BESET,), KNOWN, surrender_A=str(natural), losses_A="A,A,A" if not surrenders else "")
    assert found["A"].surrendered is surrenders
    assert found["A"].steps == (() if surrenders else (("A", 3),))


@pytest.mark.rule("14.6")
def test_two_forces_and_what_the_enemy_gains() -> None:
    """Each surrenders on half of the rolls, for 4 points a division; the second has two steps left and is gone in any case."""
    other = force(name="B", units=("B",), isolated=True, levels=4)
    known = ForceSteps(shares={**KNOWN.shares, "B": (Share("B", 2),)}, worth={**KNOWN.worth, "B": 2})
    every = chances(attrition((BESET, other), known), (BESET, other), first_option)
    assert every.marginal("surrenders") == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    assert every.marginal("points") == {2: Fraction(1, 2), 6: Fraction(1, 2)}


@pytest.mark.rule("14.4f", "14.4g")
def test_no_force_loses_more_steps_than_it_has_and_none_stated_for_levels() -> None:
    alone = force(formation=False, units=("g", "h"))
    known = ForceSteps(shares={"A": (Share("g", 1), Share("h", 4))})
    assert fates((alone,), known)["A"].steps == (("g", 1), ("h", 1))
    cut = force(isolated=True, levels=4)
    assert fates((cut,), ForceSteps(shares={"A": (Share("A", 2),)}), surrender_A="1")["A"].steps == (("A", 2),)
    assert fates((force(),), ForceSteps())["A"] == Fate(force(), levels=1)
