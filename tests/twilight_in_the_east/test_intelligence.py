"""Limited intelligence: what a side is shown of the other, and that nothing else can be learnt from any answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assistant.asking.parameters import read_parameters
from assistant.asking.question import Question, answer_question
from assistant.asking.report import Report, to_forum, to_text
from assistant.asking.schemas import report_json
from assistant.asking.view import View
from assistant.formats import json_state, notation_writer
from assistant.formats.positions import Position
from assistant.formats.vassal.legends import HEADING
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import Trait, hidden_by, marker_trait, read_layer
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_position
from assistant.installed.registry import question_of
from assistant.state.state import UMPIRE, GameState
from assistant.state.tracks import Fact, Source, Value
from assistant.util.errors import InputError, quoted
from module_builder.vassal.module_setting import MAP
from module_builder.vassal.pieces.traits import private_window

from ..assistant.formats.vassal.test_positions import HEXES, SETTING, UNITS
from ..cases import examples, thorough
from ..conftest import answered, typed

GERMANS = [unit for unit in UNITS if SETTING.game.roster[unit]["nation"][0].value == "german"]


def seen(text: str, side: str = "russian") -> GameState:
    """What a side sees of a position."""
    position = typed(text)
    return reduce_state(position.game, position.state, side)


def names(state: GameState, place: str) -> list[str]:
    return [unit.id for unit in state.stack(place)]


# --- 4.2.6 ------------------------------------------------------------------------------------------------------------


def test_one_that_stands_alone_looks_the_same() -> None:
    assert seen("41.19: 1/1") == seen("41.19: 1/1, 2/1 D1, 35/17 -3")


def test_losses_and_effectiveness_are_never_shown_but_a_marker_on_top_is() -> None:
    state = seen("41.19: 1/1 -3 cel=-2 D1 supply=low reduced")
    assert not state.facts.keys() & {("lost", "1/1"), ("cel", "1/1")}
    assert [state.value(track, "1/1") for track in ("disorder", "supply", "reduced")] == [1, "low", True]
    known_to_its_side = "lost cel with draws-on other-line way-out began-in-eighth destination destination-lost"
    assert state.value("hidden", "1/1") == tuple(known_to_its_side.split())


def test_after_an_attack_is_announced_the_others_are_named_without_what_lies_on_them() -> None:
    state = seen("41.19 announced: 1/1 D1, 2/1 D2 -1")
    assert names(state, "41.19") == ["1/1", "2/1"]
    assert (state.value("disorder", "1/1"), state.value("disorder", "2/1")) == (1, None)
    assert "disorder" in state.value("hidden", "2/1")  # type: ignore[operator]
    assert ("unseen", "41.19") not in state.facts


def test_what_is_off_the_map_is_its_owners() -> None:
    bare = typed("41.19: 1/1\n40.20: 25/3")
    gone = {name: msgspec.structs.replace(unit, place=None) for name, unit in bare.state.units.items()}
    state = msgspec.structs.replace(bare.state, units=gone)
    assert list(reduce_state(bare.game, state, "russian").units) == ["25/3"]
    assert list(reduce_state(bare.game, state, "central-powers").units) == ["1/1"]


def test_lines_of_supply_are_their_owners() -> None:
    text = LINE.format("41.22: 1/1")
    assert (list(seen(text, "russian").lines), list(seen(text, "central-powers").lines)) == (["3 Train"], [])


THEIRS = """40.20: 25/3
40.23: "3 Train"
41.19: 1/1
43.19: "German 1 Train"
41.20 rough?
41.20|42.20 barrier=none no-rail
line "3 Train": 40.23 -rail2- 40.22 40.21 -road- 40.20 rough
"""
HIDDEN_LINE = 'line "German 1 Train": 43.19 -rail1- 42.20 wetlands -ridge- 41.20 rough 41.19\n'


@pytest.mark.parametrize("ending", [".pos", ".json"])
def test_what_only_a_hidden_line_states_is_hidden_with_it(ending: str) -> None:
    told = []
    for line in ("", HIDDEN_LINE):
        position = typed(THEIRS + line)
        data = (
            json_state.write_json(position) if ending == ".json" else notation_writer.write_notation(position).encode()
        )
        assert read_position(f"x{ending}", data).state == position.state
        told.append(reduce_state(position.game, read_position(f"x{ending}", data).state, "russian"))
    assert told[0] == told[1]
    theirs = View(SETTING.game, seen(THEIRS + HIDDEN_LINE, "central-powers"))
    assert theirs.value("rail", "42.20|43.19") == "rail1"
    assert theirs.words("barrier", "41.20|42.20") == {"ridge"}
    assert theirs.value("rail", "40.22|40.23") is None
    assert theirs.fact("terrain", "41.20") == Fact("rough"), "who typed the line is sure of it"


def test_a_line_names_nothing_where_another_names_something() -> None:
    """It crosses the same hexside; whether the other is seen makes no difference to what it states."""
    both = THEIRS + 'line "German 1 Train": 43.19 42.19 41.19\n40.22: 27/3\nline "4 Train": 40.23 40.22\n'
    view = View(SETTING.game, typed(both).state)
    assert view.value("rail", "40.22|40.23") == "rail2"
    other = THEIRS.replace('"3 Train": 40.23 -rail2- 40.22', '"German 1 Train": 40.23 -rail2- 40.22').replace(
        "40.20 rough", "41.20"
    )
    state = seen(other + '40.22: 27/3\nline "4 Train": 40.23 40.22\n')
    assert View(SETTING.game, state).value("rail", "40.22|40.23") == "no-rail"


def test_lines_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InputError, match="RR line is stated twice: rail2 and rail1"):
        typed(THEIRS + 'line "4 Train": 40.23 -rail1- 40.22')


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (
            {"track": "rail", "subject": "40.22|40.23", "value": "rail2", "line": "x"},
            "line 'x' states a fact, but there is no such line",
        ),
        ({"track": "rail", "subject": "41.19|41.20", "value": "rail2", "line": "3 Train"}, "which it does not pass"),
        (
            {"track": "turn", "value": 2, "line": "3 Train"},
            "states game turn of the game, which it does not pass through",
        ),
    ],
)
def test_a_line_in_json_states_what_it_passes(fact: dict[str, Any], said: str) -> None:
    document = json.loads(json_state.write_json(typed(THEIRS)))
    document["facts"].append(fact)
    with pytest.raises(InputError, match=said):
        read_position("x.json", json.dumps(document).encode())


def test_displays_are_their_sides() -> None:
    facts = 'army "central-powers Eighth" area="41.18-41.22" attachment-limit=3 cavalry-track front="41.20"\n'
    state = seen("41.19: 1/1\n" + facts)
    assert {track for track, subject in state.facts if subject == "central-powers Eighth"} == {"front"}
    theirs = seen("41.19: 1/1\n" + facts, "central-powers")
    assert theirs.value("attachment-limit", "central-powers Eighth") == 3


def hint_of(text: str) -> str:
    with pytest.raises(InputError) as error:
        typed(text)
    assert error.value.names_units
    return error.value.hint


def test_a_hint_that_names_units_is_known_for_it() -> None:
    assert hint_of('41.19: 1/1, "KG Train"\n"KG Tran" D1\n') == "nearest known: KG Train"


# --- VASSAL's own ways to hide ----------------------------------------------------------------------------------------


def test_a_masked_unit_is_not_known_and_what_it_covers_neither() -> None:
    state = seen("41.19 announced: 1/1 masked=central-powers, 2/1")
    assert (names(state, "41.19"), state.value("unseen", "41.19")) == (["2/1"], "central-powers")
    assert names(seen("41.19: 1/1 masked=central-powers, 2/1"), "41.19") == []
    assert names(seen("41.19: 1/1 masked=central-powers", "central-powers"), "41.19") == ["1/1"]


def test_an_invisible_unit_leaves_no_trace_not_even_among_enemies() -> None:
    assert seen("40.20: 25/3, 1/1 invisible=central-powers") == seen("40.20: 25/3")
    assert seen("41.19: 2/1 invisible=central-powers, 1/1") == seen("41.19: 1/1")


@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_what_nobody_of_either_side_has_hidden_neither_side_sees(side: str) -> None:
    assert list(seen("40.20: 25/3 invisible=nobody\n41.19: 1/1 invisible=nobody", side).units) == []


def test_an_umpire_sees_all() -> None:
    state = seen("41.19: 1/1 -3, 2/1 masked=central-powers", UMPIRE)
    assert (names(state, "41.19"), state.value("lost", "1/1")) == (["1/1", "2/1"], 3)


# --- answers over a range ---------------------------------------------------------------------------------------------

BATTLE = """turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10)
41.19 clear announced: german infantry XX A (12-16-7-11) {}, german infantry XX B (12-16-7-11) {}
41.19|40.19,40.20 open
ask battle at=41.19 attacker-ap=3,20 defender-ap=none
"""


def shown(position: Position, side: str) -> Position:
    return msgspec.structs.replace(position, state=reduce_state(position.game, position.state, side))


def test_a_verdict_that_differs_only_in_its_figures_gives_their_range() -> None:
    report = answered(shown(typed(BATTLE.format("-2", "")), "russian"))
    assert report.verdict.text == "column 2:1 to 1:2, Large; roll 2d6"
    assert (report.result, report.viewpoint) == (None, "russian")
    weakest, strongest = report.between or (None, None)
    assert weakest and strongest and (weakest.column, strongest.column) == ("2:1", "1:2")
    said = [step.text for part in report.parts for step in part.steps]
    assert "strongest: A in 41.19: 16" in said
    assert "defender: 17 to 32 in all" in said


def test_what_stands_below_the_top_unit_leaves_it_undecided_and_is_asked_for() -> None:
    report = answered(shown(typed(BATTLE.format("", "").replace(" announced", "")), "russian"))
    assert report.verdict.kind == "undecided"
    assert "if what is hidden is weak" in report.verdict.text
    (asked,) = (ask for ask in report.asks if ask.name == "unseen at 41.19")
    assert asked.rule == "4.2.6"
    assert asked.how.startswith("41.19: UNIT, ... as their owner names them (once they are shown to you: ")


LINE = """40.20: 25/3
40.23: "3 Train" range=5 extended-range=8
line "3 Train": 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough
{}
ask supply unit=25/3"""


def test_a_supply_line_that_an_unseen_unit_may_cut_is_undecided() -> None:
    position = typed(LINE.format('41.22: "German 1 Train"'))
    report = answered(shown(position, "russian"))
    assert report.verdict.text.startswith(
        "undecided: 25/3 is In Supply from 3 Train, 1 1/2 hexes away if what is hidden is weak, "
    )
    assert [step.text for step in report.cautions] == ["not all units can be seen at 41.22"]
    assert answered(shown(position, UMPIRE)).verdict.kind == "yes"


def test_one_that_is_too_far_to_matter_leaves_the_verdict_as_it_is() -> None:
    report = answered(shown(typed(LINE.format("45.22: 1/1")), "russian"))
    assert (report.verdict.kind, report.between) == ("yes", None)


def test_where_only_one_end_has_an_answer_it_is_undecided() -> None:
    """At its weakest B bears a 1/2 marker and can use no AP, at its strongest it can."""
    text = BATTLE.format("-10", "").replace("defender-ap=none", "defender-ap=2")
    report = answered(shown(typed(text.replace("XX B", "XX B corps=2")), "russian"))
    assert report.verdict.kind == "undecided"
    assert "no unit of 2 can use an AP (10.5) if what is hidden is weak, column" in report.verdict.text


def test_dice_that_fell_do_not_bound_what_they_lead_to() -> None:
    position = typed("trust charts\n" + BATTLE.format("", "") + "answers crt=7 slrt=2/6")
    report = answered(shown(position, "russian"))
    assert report.verdict.kind == "undecided"
    assert not any(" to " in step.text for part in report.parts for step in part.steps if "loses" in step.text)


def test_the_supply_of_others_rests_on_what_they_do_not_show() -> None:
    text = LINE.format("41.22: 1/1, 2/1").replace("unit=25/3", "unit=1/1")
    report = answered(shown(typed(text), "russian"))
    assert (report.verdict.kind, [ask.name for ask in report.asks]) == ("undecided", ["sources"])


def test_a_text_that_is_not_shown_is_not_supposed_in_silence() -> None:
    position = typed(BATTLE.format("", "").replace("40.20: 25/3 (10-?-5-10)", "40.20 announced: 25/3 (10-16-5-10)"))
    report = answered(shown(position, "central-powers"))
    assert any("hex at which a Prepared Attack marker points" in step.text for step in report.cautions)


def test_what_came_about_before_the_eyes_of_both_is_known_of_every_unit_that_is_seen() -> None:
    text = "40.20: 25/3\n41.19 announced: 1/1, 2/1 fought half"
    seen = shown(typed(text), "russian").state
    assert seen.value("fought", "2/1") is True
    assert seen.value("half", "2/1") is None, "a marker below the top unit is not"
    assert "fought" not in seen.facts["hidden", "2/1"].value


def test_nobody_can_name_what_is_not_seen() -> None:
    position = shown(typed("41.19: 1/1"), "russian")
    with pytest.raises(InputError, match="unknown unit 'unseen at 41.19'"):
        answered(position, "supply", unit="unseen at 41.19")


STATES = st.fixed_dictionaries(
    {},
    optional={
        "lost": st.integers(0, 5),
        "cel": st.integers(-4, 0),
        "disorder": st.integers(0, 2),
        "supply": st.sampled_from(["in", "low", "out"]),
        "half": st.booleans(),
    },
)


def stated(values: dict[str, Value]) -> str:
    return " ".join(SETTING.game.tracks[name].word(value) for name, value in values.items())


@thorough
@settings(max_examples=examples(60), deadline=None)
@given(top=STATES, below=STATES)
def test_the_truth_lies_within_the_range(top: dict[str, Value], below: dict[str, Value]) -> None:
    position = typed(BATTLE.format(stated(top), stated(below)))
    ranged, truth = answered(shown(position, "russian")), answered(shown(position, UMPIRE)).result
    weakest, strongest = ranged.between or (ranged.result, ranged.result)
    assert weakest.defender.total <= truth.defender.total <= strongest.defender.total
    assert _ratio(strongest.final) <= _ratio(truth.final) <= _ratio(weakest.final)
    assert weakest.divisions <= truth.divisions <= strongest.divisions


def _ratio(odds: str) -> float:
    attack, defence = odds.split(":")
    return int(attack) / int(defence)


# --- nothing can be learnt --------------------------------------------------------------------------------------------


class Pieces(NamedTuple):
    """The German pieces of a save, all but those that the Russian player may look at.

    below: under the top unit of 41.19; masked: in 42.21, face down; buried: under an IP far from any Russian; unseen: by
    hex, on the map and invisible; away: in the window of their own side, or on no map; top: what the top unit hides;
    remarks: of the public notes; odd: further pieces and traits that nobody understands.
    """

    below: list[tuple[str, dict[str, Value]]]
    masked: list[tuple[str, dict[str, Value]]]
    buried: list[tuple[str, dict[str, Value]]]
    unseen: list[tuple[str, str]]
    away: list[tuple[str, str]]
    top: dict[str, Value]
    odd: int
    beside: int


FREE = [unit for unit in GERMANS if unit not in ("1/1", "35/17")]


MARKERS = st.fixed_dictionaries(
    {},
    optional={
        "lost": st.integers(1, 3),
        "cel": st.integers(-4, -1),
        "disorder": st.integers(1, 2),
        "supply": st.sampled_from(["low", "out"]),
        "half": st.just(True),
        "reduced": st.just(True),
        "entrained": st.just(True),
        "prepared": st.sampled_from(["40.19", "\x07[31m", "nowhere"]),
    },
)


@st.composite
def hidden_pieces(draw: st.DrawFn) -> Pieces:
    units = draw(st.permutations(FREE))
    cuts = sorted(draw(st.lists(st.integers(0, 12), min_size=5, max_size=5)))
    below, masked, buried, unseen, away = (units[start:end] for start, end in zip([0, *cuts], cuts, strict=False))
    masked, buried = masked or [units[13]], buried or [units[14]]
    return Pieces(
        [(unit, draw(MARKERS)) for unit in below],
        [(unit, draw(MARKERS)) for unit in masked],
        [(unit, draw(MARKERS)) for unit in buried],
        [(unit, draw(st.sampled_from(HEXES))) for unit in unseen],
        [(unit, draw(st.sampled_from([private_window("central-powers"), ""]))) for unit in away],
        draw(st.fixed_dictionaries({}, optional={"lost": st.integers(1, 11), "cel": st.integers(-4, -1)})),
        draw(st.integers(0, 3)),
        draw(st.integers(0, 12)),
    )


NOTES = f"""Dear all,
{HEADING}
41.19 clear
41.19|40.19,40.20 open
1/1 steps=12 defence=16 artillery=7 effectiveness=11 -2
36/17 cel=-1
{{}}
ask battle at=41.19 attacker-ap=3,20 defender-ap=none
ask supply unit=25/3 line="3 Train"
line "3 Train": 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough
"""


def save_of(hidden: Pieces) -> Save:
    """A save in which the Russian side sees the same whatever is hidden."""
    maker, pieces, stacks = SETTING.maker, dict[str, Piece](), dict[str, PieceStack]()

    def put(place: str, *units: tuple[str, dict[str, Value]], off: int = 0, map: str = MAP) -> None:
        x, y = SETTING.grid.hexes[place] if place else (50, 50)
        ids = []
        for unit, values in reversed(units):
            ids.append(f"{unit} {len(pieces)}")
            pieces[ids[-1]] = maker.placed_unit(unit, values, ids[-1], map, (x + off, y))
        if map:
            stacks[f"{place}{ids[0]}"] = PieceStack(f"{place}{ids[0]}", tuple(ids), map, (x + off, y))

    put("40.20", ("25/3", {}), ("27/3", {}))
    put("40.19", ("29/20", {"lost": 3}))
    put("40.23", ("3 Train", {}))
    put("41.19", ("1/1", {**hidden.top, "disorder": 0}), *hidden.below, off=8)  # which is told, whatever lies on it
    put("42.21", *((unit, {**values, "masked": "central-powers"}) for unit, values in hidden.masked))
    put("45.15", *hidden.buried)
    position = next(status for status in maker.markers if status.track.name == "ip")
    pieces["ip"] = maker.placed_marker(position, 2, "ip", MAP, SETTING.grid.hexes["45.15"])
    put("38.18", ("35/17", {}))
    for unit, place in hidden.unseen:
        put(place, (unit, {"invisible": "central-powers"}), off=hidden.beside)
    for unit, sheet in hidden.away:
        put("", (unit, {}), map=sheet)
    odd = Trait("odd;1")
    unseen = {unit for unit, _ in (*hidden.below, *hidden.masked, *hidden.buried[1:], *hidden.unseen)}
    for id, piece in list(pieces.items()):
        unit = piece.marks().get("unit", "")
        if hidden.odd and unit in unseen:
            pieces[id] = _spoilt(piece, unit, hidden.odd)
        elif hidden.odd == 1 and unit == "1/1":
            pieces[id] = piece._replace(traits=tuple(map(_with_a_level_too_high, piece.traits)))
    for number in range(hidden.odd):
        traits = (
            odd,
            hidden_by("hide;;;;side:", "central-powers"),
            marker_trait({"unit": "9 lw"}),
            Trait("piece;;;;?"),
        )
        pieces[f"odd {number}"] = Piece(f"odd {number}", traits, MAP, SETTING.grid.hexes["40.20"])
    if hidden.beside % 2:  # what is told first
        stacks = dict(reversed(stacks.items()))
    noted = [f"{quoted(unit)} D1" for unit, values in hidden.below if "disorder" not in values and _has_cel(unit)]
    return Save(
        about=SETTING.about,
        boards={MAP: ((SETTING.board, 0, 0),)},
        pieces=pieces,
        stacks=stacks,
        public_notes=NOTES.format("\n".join(noted[:1] if hidden.odd == 2 else [])),
        properties={("Module", name): value for name, value in SETTING.properties.items()},
        turns={"TurnTracker0": "0|3;0;true;47"},
        unread=("STRANGE\tx",) * hidden.odd,
    )


def _spoilt(piece: Piece, unit: str, how: int) -> Piece:
    """A piece with a trait that nobody understands, or one of a unit that nobody knows."""
    traits = (
        marker_trait({"unit": f"{unit} x"}) if trait.type.startswith("mark;") else trait for trait in piece.traits
    )
    return piece._replace(traits=tuple(traits) if how == 3 else (Trait("odd;1"), *piece.traits))


def _with_a_level_too_high(trait: Trait) -> Trait:
    return Trait(trait.type, "77") if trait.kind == "emb2" and read_layer(trait.type).name == "lost" else trait


def _has_cel(unit: str) -> bool:
    return "effectiveness" in SETTING.game.roster[unit]


DICE = {"crt": "2+5", "slrt": "3/4", "losses": "29/20", "ec.1/1": "6", "ec.29/20": "5", "ec.25/3": "12"}
QUESTIONS: Sequence[tuple[str, dict[str, Any]]] = (
    ("check", {}),
    ("battle", {"at": "41.19", "attacker-ap": "3,20", "defender-ap": "none"}),
    ("battle", {"at": "41.19", "attacker-ap": "3,20", "defender-ap": "1"}),
    ("battle", {"at": "42.21", "attacker-ap": "all", "defender-ap": "none", "from": "41.21"}),
    ("battle", {"at": "45.15"}),
    ("battle", {"at": "40.20", "attacker-ap": "none", "defender-ap": "none"}),
    ("battle", {"at": "41.19", "withhold": "2/1"}),
    ("supply", {"unit": "25/3", "line": "3 Train"}),
    ("supply", {"unit": "29/20"}),
    ("supply", {"unit": "2/1"}),
)


def all_that_is_told(save: Save, side: str) -> list[str | bytes]:
    """Everything that the assistant says of a save to a side: reports in every form, pictures, errors, conversions."""
    try:
        position = read_position("mail.vsav", write_save(save), cut=lambda game, state: reduce_state(game, state, side))
    except InputError as error:
        return [str(error)]
    position = msgspec.structs.replace(
        position,
        state=msgspec.structs.replace(position.state, accepts=frozenset({Source.RECONSTRUCTION, Source.ILLUSTRATIVE})),
    )
    said: list[str | bytes] = [
        json_state.write_json(position),
        _tried(lambda: notation_writer.write_notation(position)),
    ]
    for name, parameters in QUESTIONS:
        for answers in ({}, DICE) if name == "battle" else ({},):
            said += _answers(position, question_of(position.game, name), parameters, answers)
    return said


def _answers(
    position: Position, question: Question[Any, Any], parameters: dict[str, Any], answers: dict[str, str]
) -> list[str | bytes]:
    view = View(position.game, position.state)
    try:
        report: Report[Any] = answer_question(question, view, read_parameters(question, view, parameters), answers)
    except InputError as error:
        return [str(error)]
    return [to_text(report), to_text(report, 40), to_forum(report), report_json(report)]


def _tried(write: Any) -> str:
    try:
        return str(write())
    except InputError as error:
        return str(error)


NOTHING = Pieces([], [("2/1", {})], [("36/17", {})], [], [], {}, 0, 0)


@thorough
@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(one=hidden_pieces(), other=hidden_pieces())
@example(one=NOTHING, other=NOTHING._replace(unseen=[("37/20", "45.15")]))  # told of before those that are seen there
def test_no_hidden_fact_of_a_save_changes_a_byte_of_what_a_side_is_told(one: Pieces, other: Pieces) -> None:
    assert all_that_is_told(save_of(one), "russian") == all_that_is_told(save_of(other), "russian")


ANNOUNCED = Pieces([("2/1", {}), ("36/17", {})], [("37/20", {})], [("41/20", {})], [], [], {}, 0, 0)


@thorough
@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(one=st.tuples(MARKERS, MARKERS), other=st.tuples(MARKERS, MARKERS))
def test_nor_do_the_markers_on_units_that_had_to_be_named(
    one: tuple[dict[str, Value], ...], other: tuple[dict[str, Value], ...]
) -> None:
    told = []
    for values in (one, other):
        below = list(zip(("2/1", "36/17"), values, strict=True))
        save = save_of(ANNOUNCED._replace(below=below, odd=2))
        notes = save.public_notes.replace("41.19 clear", "41.19 clear announced")
        told.append(all_that_is_told(msgspec.structs.replace(save, public_notes=notes), "russian"))
    assert told[0] == told[1]


@thorough
def test_though_everything_that_is_told_to_an_umpire_changes() -> None:
    bare = NOTHING
    flips = {
        "below": bare._replace(below=[("37/20", {})]),
        "masked": bare._replace(masked=[("37/20", {})]),
        "buried": bare._replace(buried=[("37/20", {})]),
        "unseen": bare._replace(unseen=[("37/20", "41.20")]),
        "away": bare._replace(away=[("37/20", private_window("central-powers"))]),
        "top": bare._replace(top={"lost": 3}),
        "odd": bare._replace(odd=1),
    }
    before = {side: all_that_is_told(save_of(bare), side) for side in ("russian", UMPIRE)}
    for what, flipped in flips.items():
        assert all_that_is_told(save_of(flipped), UMPIRE) != before[UMPIRE], what
        assert all_that_is_told(save_of(flipped), "russian") == before["russian"], what
