"""Questions: doubts, what the verdict turns on, parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import msgspec
import pytest

from assistant.asking.asks import Ask
from assistant.asking.parameters import ParameterError, read_parameters
from assistant.asking.question import Answers, Nothing, PlaceName, Question, UnitName, Way, answer_question, declare
from assistant.asking.report import MissingFacts, Part, Report, Step, Verdict
from assistant.asking.sketch import Chart, Sketch
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.installed.registry import questions_of
from assistant.mechanics.procedure import AnswerError
from assistant.util.errors import InputError, PluginError
from assistant.util.memo import Memo
from assistant.util.notes import note, notes_of

from ...conftest import typed, viewed


class Parameters(msgspec.Struct, kw_only=True):
    """What is asked. at: a hex; units: some units; many: a number; sure: yes or no."""

    at: PlaceName
    units: tuple[UnitName, ...] = ()
    many: int = 1
    sure: bool | None = None


def answer(view: View, parameters: Parameters, answers: Any) -> Report[None]:
    """High ground or not, and who is strong there."""
    with view.gather() as facts:
        terrain = facts.word("terrain", parameters.at)
        steps = [facts.integer("steps", unit) for unit in parameters.units]
    high = terrain in ("mountain", "high-mountain")
    return Report(
        game=view.game.id,
        question="q",
        title="t",
        verdict=Verdict("yes" if high else "no", "{high}, {strong}", {"high": high, "strong": sum(steps) > 9}),
    )


QUESTION = Question(name="q", title="t", parameters=Parameters, result=type(None), answer=answer)  # type: ignore[type-var]


def asked(text: str, **given: Any) -> Report[Any]:
    position = typed(text)
    view = View(position.game, position.state)
    return answer_question(QUESTION, view, read_parameters(QUESTION, view, {"at": "41.19", **given}), {})


def test_an_assumption_is_a_caution_and_on_the_edge_leaves_it_undecided() -> None:
    report = asked("41.19 clear\n40.20: 25/3 steps=12?", units="25/3")
    assert report.verdict.kind == "no"
    assert [step.text for step in report.cautions] == ["assumed: 25/3, steps printed: 12"]
    report = asked("41.19 clear\n40.20: 25/3 steps=10?", units="25/3")
    assert report.verdict.kind == "undecided"
    assert report.cautions[0].text == "assumed: 25/3, steps printed: 10; with 9: no, no"
    report = asked("41.19 rough?")
    assert report.cautions[0].text == "assumed: 41.19, terrain: rough; with mountain: yes, no"
    report = asked("41.19 clear\n40.20: 25/3 steps=10? -9", units="25/3")
    assert "9 instead" not in report.verdict.text, "nine steps lost leave none of nine"


READ: Memo[None, Callable[[str], object]] = Memo()


def test_what_other_values_read_is_no_caution_though_the_view_itself_reads_it() -> None:
    """What the view has worked out is completed for another value of the steps, by a fact that the answer never read."""

    def reads_more(view: View, parameters: Parameters, answers: Answers) -> Report[Any]:
        read = view.memo(READ, None, lambda known, apart: known or partial(view.fact, "terrain"))
        if view.integer("steps", "25/3") != 12:
            read("41.19")
        return answer(view, parameters, answers)

    question = msgspec.structs.replace(QUESTION, answer=reads_more)
    position = typed("41.19 clear?\n40.20 clear: 25/3 steps=12?")
    view = View(position.game, position.state)
    report = answer_question(question, view, read_parameters(question, view, {"at": "40.20"}), {})
    assert [step.text for step in report.cautions] == ["assumed: 25/3, steps printed: 12"]


def test_sources_are_named_and_decide_if_they_are_accepted() -> None:
    report = asked("trust counters\nboard sample\n68.35: 22/1", at="68.35", units="22/1")
    assert report.verdict.kind == "no"
    assert [step.text for step in report.cautions] == [
        "made up, not from the printed game: sample board near Soldau, steps printed"
    ]
    report = asked("board sample\n68.35: 22/1", at="68.35", units="22/1")
    assert [ask.how for ask in report.asks] == ["trust counters", "22/1 steps=N"]
    assert report.asks[0].title.endswith(": made up, not from the printed map")
    assert report.verdict.kind == "undecided"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"at": "41.119"}, "at: hex 41.119 is off the map"),
        ({"units": "25/4"}, "units: unknown unit '25/4' in this position"),
        ({"many": "several"}, "many: 'several' is not allowed"),
        ({"sure": "perhaps"}, "sure: 'perhaps' is not allowed"),
        ({"when": "now"}, "when: q has no such parameter"),
    ],
)
def test_parameters_that_cannot_be(given: dict[str, Any], what: str) -> None:
    position = typed("41.19 clear\n40.20: 25/3")
    with pytest.raises(ParameterError) as caught:
        read_parameters(QUESTION, View(position.game, position.state), {"at": "41.19", **given})
    assert caught.value.what.startswith(what)


def test_a_parameter_that_has_to_be_given_is_asked_for() -> None:
    position = typed("turn=1")
    with pytest.raises(MissingFacts) as caught:
        read_parameters(QUESTION, View(position.game, position.state), {})
    assert [ask.how for ask in caught.value.asks] == ["at=<a hex or box by its printed name>"]


def test_missing_facts_keep_the_working_so_far() -> None:
    def half(view: View, parameters: Parameters, answers: Any) -> Report[None]:
        part = Part("So far", (Step("1", "{what}", {"what": "this much"}),))
        raise MissingFacts([Ask(kind="fact", name="x", rule="1", title="x", how="x")], [part])

    position = typed("41.19 clear")
    report = answer_question(
        msgspec.structs.replace(QUESTION, answer=half), View(position.game, position.state), Parameters(at="41.19"), {}
    )
    assert report.verdict.text == "undecided: 1 fact is missing"
    assert [step.text for part in report.parts for step in part.steps] == ["this much"]


# --- answers ----------------------------------------------------------------------------------------------------------


def test_an_answer_to_nothing_is_refused_with_the_names_that_there_are() -> None:
    view = View(typed("41.19 clear").game, typed("41.19 clear").state)
    for answers, hint in (({}, ""), ({"crt": "a roll"}, "nearest known: crt")):
        question = msgspec.structs.replace(QUESTION, answers=answers)
        with pytest.raises(AnswerError, match="cr: q does not ask for it") as refused:
            answer_question(question, view, Parameters(at="41.19"), {"cr": "7"})
        assert (refused.value.hint or "") == hint


def test_the_questions_of_the_game_say_what_they_wait_for(twilight: Game) -> None:
    assert {name for name, one in questions_of(twilight).items() if one.answers is None} <= {"check"}


class InOrder(msgspec.Struct, kw_only=True):
    """Lists. at: hexes; way: hexes in order; marks: words."""

    at: tuple[PlaceName, ...] = ()
    way: Annotated[Way, note("the hexes")] | None = None
    marks: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("question", "given", "what"),
    [
        (QUESTION, {"units": "25/3,27/3,25/3"}, "units: 25/3 is named twice"),
        (QUESTION, {"units": ["25/3", "25/3"]}, "units: 25/3 is named twice"),
        (msgspec.structs.replace(QUESTION, parameters=InOrder), {"at": "41.19,41.19"}, "at: 41.19 is named twice"),
        (msgspec.structs.replace(QUESTION, parameters=InOrder), {"at": ["41.19", "40.20", "41.19"]}, "at: 41.19 is "),
    ],
)
def test_a_list_names_no_unit_or_place_twice(question: Any, given: dict[str, Any], what: str) -> None:
    position = typed("40.20: 25/3, 27/3")
    with pytest.raises(ParameterError) as refused:
        read_parameters(question, View(position.game, position.state), {"at": "41.19", **given})
    assert refused.value.what.startswith(what)


def test_a_way_may_come_back_and_words_are_not_looked_at() -> None:
    position = typed("40.20: 25/3, 27/3")
    question: Any = msgspec.structs.replace(QUESTION, parameters=InOrder)
    given = {"way": "41.19,41.20,41.19", "marks": "a,a"}
    read: Any = read_parameters(question, View(position.game, position.state), given)
    assert (read.way, read.marks) == (("41.19", "41.20", "41.19"), ("a", "a"))


# --- a question that fails while another value is supposed ------------------------------------------------------------


def failing(error: Exception) -> Question[Any, Any]:
    """Fails where 25/3 has 9 steps."""

    def fails(view: View, parameters: Parameters, answers: Any) -> Report[None]:
        if view.integer("steps", "25/3") == 9:
            raise error
        return answer(view, parameters, answers)

    return msgspec.structs.replace(QUESTION, answer=fails)


def asked_of(question: Question[Any, Any]) -> Report[Any]:
    view = viewed("41.19 clear\n40.20: 25/3 steps=10?")
    return answer_question(question, view, read_parameters(question, view, {"at": "41.19", "units": "25/3"}), {})


def test_a_fault_in_its_code_is_not_taken_for_a_missing_fact() -> None:
    with pytest.raises(PluginError, match="plugin twilight-in-the-east.* failed to answer q: .*ZeroDivisionError"):
        asked_of(failing(ZeroDivisionError("division by zero")))


def test_a_table_that_is_read_before_a_word_is_known_is_told_so() -> None:
    with pytest.raises(PluginError) as failed:
        asked_of(failing(KeyError("")))
    assert failed.value.hint.startswith("the word is '' because it is not stated")


@pytest.mark.parametrize(("returned", "kind"), [(None, "None"), (Verdict("yes", "yes", {}), "of the type Verdict")])
def test_an_answer_that_is_not_a_report_is_told_with_its_question(returned: object, kind: str) -> None:
    message = f"plugin twilight-in-the-east.* failed to answer q: TypeError: its answer is {kind}, not a Report"
    with pytest.raises(PluginError, match=message):
        asked_of(msgspec.structs.replace(QUESTION, answer=lambda view, parameters, answers: returned))


def test_what_it_refuses_with_another_value_is_told_in_its_own_words() -> None:
    report = asked_of(failing(InputError("nine steps are too few")))
    assert report.cautions[0].text.endswith("with 9: nine steps are too few")


# --- declaring one ----------------------------------------------------------------------------------------------------


def test_a_question_is_declared_by_its_annotations_whatever_they_leave_out() -> None:
    def loose(view, parameters: Parameters, answers) -> Report[int]:  # type: ignore[no-untyped-def]
        raise NotImplementedError

    question = declare("q", "t", loose)
    assert (question.parameters, question.result) == (Parameters, int)


class Taken(msgspec.Struct, kw_only=True):
    number: Annotated[int, note("a number")]


def test_an_answer_takes_the_parameters_or_the_answers_that_it_has_a_use_for() -> None:
    def without_dice(view: View, parameters: Taken) -> Report[int]:
        return Report(title="", verdict=Verdict("yes", "parameters"), result=parameters.number)

    def dice_alone(view: View, answers: Answers) -> Report[int]:
        return Report(title="", verdict=Verdict("yes", "answers"), result=len(answers))

    def neither(view: View) -> Report[int]:
        return Report(title="", verdict=Verdict("yes", "neither"), result=0)

    view, four = viewed("turn=1"), Taken(number=4)
    questions = [declare("q", "t", one) for one in (without_dice, dice_alone, neither)]
    assert [one.parameters for one in questions] == [Taken, Nothing, Nothing]
    assert [one.answer(view, four, {"die": "6"}).result for one in questions] == [4, 1, 0]


def test_an_answer_may_take_its_parameters_one_by_one() -> None:
    def singly(
        view: View, answers: Answers, *, from_: PlaceName, many: Annotated[int, note("a number")] = 1
    ) -> Report[int]:
        return Report(title=from_, verdict=Verdict("yes", "singly"), result=many + len(answers))

    view, question = viewed("40.20: 25/3"), declare("q", "t", singly)
    (first, second) = msgspec.structs.fields(question.parameters)
    assert (first.encode_name, first.required, second.encode_name, second.required) == ("from", True, "many", False)
    assert notes_of(question.parameters) == {"from_": "a hex or box by its printed name", "many": "a number"}
    report = answer_question(question, view, read_parameters(question, view, {"from": "41.19", "many": "4"}), {})
    assert (report.title, report.result) == ("41.19", 4)
    with pytest.raises(ParameterError, match="from: hex 99.99 is off the map"):
        read_parameters(question, view, {"from": "99.99"})
    with pytest.raises(MissingFacts):
        read_parameters(question, view, {})


@pytest.mark.parametrize("returns", [Report, None])
def test_an_answer_without_the_annotations_is_refused_with_what_to_write(returns: Any) -> None:
    def bare(view: View, parameters: Parameters, answers: Any) -> Any:
        raise NotImplementedError

    bare.__annotations__["return"] = returns
    with pytest.raises(TypeError, match=r"q: annotate its answer as .* -> Report\[R\]"):
        declare("q", "t", bare)


@pytest.mark.parametrize(
    ("name", "waits"),
    [
        ("crt", True),
        ("crtx", False),
        ("crt.1", False),
        ("to.1/1", True),
        ("to.1.2", True),
        ("to.", False),
        ("to", False),
        ("retreat.to.1/1", True),
        ("retreat.1/1", False),
    ],
)
def test_capitals_in_the_name_of_an_answer_stand_for_any_name(name: str, waits: bool) -> None:
    answers = {"crt": "a roll", "to.UNIT": "a hex", "retreat.to.FORCE.UNIT": "a hex"}
    assert msgspec.structs.replace(QUESTION, answers=answers).waits_for(name) == waits
    assert not msgspec.structs.replace(QUESTION, answers={}).waits_for(name)
    assert msgspec.structs.replace(QUESTION, answers=None).waits_for(name)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_a_number_has_an_end(value: str) -> None:
    view = viewed("40.20: 25/3")
    with pytest.raises(ParameterError, match="points: .* is not allowed"):
        read_parameters(questions_of(view.game)["recover"], view, {"unit": "25/3", "points": value})


def test_how_an_answer_is_drawn_is_said_by_the_annotation_of_its_sketch() -> None:
    def question(sketch: Any) -> Question[Any, Any]:
        return declare("q", "t", loose, sketch=sketch)

    def loose(view: View) -> Report[int]:
        raise NotImplementedError

    def both(view: View, report: Report[int]) -> tuple[Sketch, Chart | None]:
        return Sketch(title="where"), Chart(title="how likely")

    def nothing(view: View, report: Report[int]) -> None:
        return None

    view, report = viewed("40.20: 25/3"), Report[int](title="q", verdict=Verdict("figure", "", {}))
    drawn = question(partial(both))
    assert drawn.drawn_as == {"picture", "map", "chart"}
    assert [drawn.draw(way, view, report).title for way in ("picture", "map", "chart")] == ["where"] * 2 + [
        "how likely"
    ]
    assert question(lambda view, report: Sketch(title="bare")).drawn_as == {"picture", "map"}
    assert question(None).drawn_as == frozenset() and question(None).draw("map", view, report) is None
    with pytest.raises(TypeError, match="q: annotate its sketch with what it returns"):
        question(nothing)
