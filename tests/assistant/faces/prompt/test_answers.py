"""Answers at the prompt: choices however they are written, dice with spaces, beginnings that several answers share."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from assistant.asking.asks import Ask
from assistant.faces.prompt import answers as typed_answers
from assistant.faces.prompt.answers import read_answer
from assistant.faces.prompt.line_reading import find_text_doubts, list_known_texts
from assistant.faces.prompt.table import TableState
from assistant.util.errors import InputError

from ....conftest import typed

TABLE = TableState(typed('40.20: 25/3, 27/3\n40.19: 29/20\n41.19: "20 lw"'))


def choice(*options: str) -> Ask:
    return Ask(kind="choice", name="it", rule="", title="it", how="", options=options)


@pytest.mark.parametrize(
    ("options", "text", "chosen"),
    [
        pytest.param(("40.21", "41.20"), "4120", "41.20", id="a hex without punctuation"),
        pytest.param(("40.21", "41.20"), "2", "41.20", id="a number"),
        pytest.param(("25/3,27/3", "25/3,29/20"), "29/20,25/3", "25/3,29/20", id="a list in another order"),
        pytest.param(("25/3,27/3", "25/3,29/20"), "25/3 27/3", "25/3,27/3", id="a list with spaces"),
        pytest.param(("20 lw", "none"), "20 LW", "20 lw", id="a name with a space and capitals"),
        pytest.param(("25/3", "none"), "n", "none", id="the first letter of a word"),
        pytest.param(("none", "1/1"), "1/1", "1/1", id="a unit"),
        pytest.param(("20 lw", "Lötzen"), "lo", "Lötzen", id="the first letters of a name"),
        pytest.param(("stand-fast", "retreat"), "s", "stand-fast", id="the first letter of two words"),
    ],
)
def test_a_choice_however_it_is_written(options: tuple[str, ...], text: str, chosen: str) -> None:
    table = read_answer(TABLE, choice(*options), text)
    assert table and table.position.answers == {"it": chosen}


@pytest.mark.parametrize(
    ("options", "text", "says"),
    [
        (("40.21", "41.20"), "3", "there is no option 3"),
        (("40.21", "41.20"), "4218", "there is no option 4218"),
        (("stand", "stay"), "s", "'s' may mean stand or stay"),
    ],
)
def test_what_is_no_option_is_refused(options: tuple[str, ...], text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_answer(TABLE, choice(*options), text)


def test_an_order_that_could_be_two_options_is_none() -> None:
    assert read_answer(TABLE, choice("25/3,27/3", "27/3,25/3"), "27/3,25/3") is not None
    assert read_answer(TABLE, choice("25/3,25/3,27/3", "25/3,27/3,25/3"), "27/3,25/3,25/3") is None


@dataclass
class Shown:
    """An answer that waits for these dice."""

    asks: list[Ask]

    @property
    def report(self) -> Shown:
        return self


def rolls(dice: list[str], monkeypatch: pytest.MonkeyPatch) -> list[Ask]:
    """Rolls of these dice, which wait for their answers: a, b, c."""
    asks = [
        Ask(kind="roll", name=name, rule="", title=f"roll {name}", how="", dice=one)
        for name, one in zip("abcd", dice, strict=False)
    ]
    left = lambda table: Shown([ask for ask in asks if ask.name not in table.position.answers])  # noqa: E731
    monkeypatch.setattr(typed_answers, "evaluate_table", left)
    return asks


@pytest.mark.parametrize(
    ("text", "dice", "answers"),
    [
        ("2 6", ["2d6"], {"a": "2+6"}),
        ("8", ["2d6"], {"a": "8"}),
        ("2 5 3 4", ["2d6", "1d6", "1d6"], {"a": "2+5", "b": "3", "c": "4"}),
        ("7 3 4", ["2d6", "1d6", "1d6"], {"a": "7", "b": "3", "c": "4"}),
        ("5 9", ["2d6", "2d6"], {"a": "5", "b": "9"}),
        ("5, 9", ["2d6", "2d6"], {"a": "5", "b": "9"}),
        ("5 6 7", ["2d6", "2d6", "2d6"], {"a": "5", "b": "6", "c": "7"}),
        ("5 6 3 4", ["2d6", "2d6"], {"a": "5+6", "b": "3+4"}),
        ("5+6 3 4", ["2d6", "2d6"], {"a": "5+6", "b": "3+4"}),
        ("1 2 3", ["3d6"], {"a": "1+2+3"}),
        ("2+5 3+4", ["2d6", "2d6"], {"a": "2+5", "b": "3+4"}),
        ("3 2+1", ["1d6", "2d6"], {"a": "3", "b": "2+1"}),
        ("3 9", ["1d6", "2d6"], {"a": "3", "b": "9"}),
        ("3 2 1", ["1d6", "2d6"], {"a": "3", "b": "2+1"}),
    ],
)
def test_bare_numbers_are_the_dice_of_one_roll(
    text: str, dice: list[str], answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = rolls(dice, monkeypatch)
    table = read_answer(TABLE, asks[0], text)
    assert table and table.position.answers == answers


@pytest.mark.parametrize(
    ("text", "dice", "said"),
    [
        ("5 6", ["2d6", "2d6"], "'5 6' could be 5 for roll a, 6 for roll b; or 5+6 for roll a"),
        ("5, 6", ["2d6", "2d6"], "'5, 6' could be 5 for roll a, 6 for roll b; or 5+6 for roll a"),
        ("2 5 3 4", ["2d6"] * 4, "or 2+5 for roll a, 3+4 for roll b"),
    ],
)
def test_numbers_that_may_be_totals_or_dice_are_refused(
    text: str, dice: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = rolls(dice, monkeypatch)
    with pytest.raises(InputError) as refused:
        read_answer(TABLE, asks[0], text)
    assert said in refused.value.what
    assert refused.value.hint.startswith("nothing was entered; join the dice of one roll with +")


def unknown_after(totals: list[int], monkeypatch: pytest.MonkeyPatch) -> list[Ask]:
    """A roll of two dice, some of whose totals lead to a chart cell that is not known, the others to two rolls of one die."""
    first, *others = rolls(["2d6", "1d6", "1d6"], monkeypatch)
    cell = Ask(kind="cell", name="cell", rule="", title="the cell", how="")

    def left(table: TableState) -> Shown:
        answers = table.position.answers
        if "a" not in answers:
            return Shown([first])
        unknown = sum(map(int, answers["a"].split("+"))) in totals
        return Shown([cell] if unknown else [ask for ask in others if ask.name not in answers])

    monkeypatch.setattr(typed_answers, "evaluate_table", left)
    return [first, *others]


@pytest.mark.parametrize(
    ("text", "totals", "said"),
    [
        ("3 4 5", [3], "'3 4 5' could be 3 for roll a, 4 5 for what the cell leads to; or 3+4 for roll a, 5 for"),
        ("2 4 3", [6], "'2 4 3' could be 2 for roll a, 4 for roll b, 3 for roll c; or 2+4 for roll a, 3 for what the"),
        ("2 4 3", [2, 6], "'2 4 3' could be 2 for roll a, 4 3 for what the cell leads to; or 2+4 for roll a, 3 for"),
        ("9 4 5", [9], "no roll is left for 4 after roll a (2d6)"),
    ],
)
def test_a_chart_cell_that_is_not_known_makes_no_reading_impossible(
    text: str, totals: list[int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = unknown_after(totals, monkeypatch)
    with pytest.raises(InputError) as refused:
        read_answer(TABLE, asks[0], text)
    assert refused.value.what.startswith(said)
    assert refused.value.hint.startswith("nothing was entered; ")


@pytest.mark.parametrize(
    ("text", "totals", "answers"),
    [
        ("2 5", [2, 7], {"a": "2+5"}),
        ("2 5", [3], {"a": "2+5"}),
        ("7 3 4", [3], {"a": "7", "b": "3", "c": "4"}),
        ("2+4 3", [3], {"a": "2+4", "b": "3"}),
    ],
)
def test_the_only_reading_is_taken_whatever_is_not_known(
    text: str, totals: list[int], answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = unknown_after(totals, monkeypatch)
    table = read_answer(TABLE, asks[0], text)
    assert table and table.position.answers == answers


@pytest.mark.parametrize(
    ("text", "dice", "said"),
    [
        ("3 4", ["1d6"], r"no roll is left for 4 after roll a \(1d6\)"),
        ("5 6 7", ["2d6", "2d6"], "no roll is left for"),
        ("5+6 7 8", ["2d6", "2d6"], "no roll is left for"),
        # both threw a die for their losses, but only one of them loses anything
        ("3 3", ["1d6", "2d6"], r"next comes roll b \(2d6\): 3 may be only one of its dice"),
    ],
)
def test_a_line_is_never_dice_of_one_roll_and_half_of_another(
    text: str, dice: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = rolls(dice, monkeypatch)
    with pytest.raises(InputError, match=said) as refused:
        read_answer(TABLE, asks[0], text)
    assert refused.value.hint.startswith("nothing was entered")


def then_a_choice(monkeypatch: pytest.MonkeyPatch) -> list[Ask]:
    """A roll of two dice; a total of 4 or less leads to a choice, 11 to nothing, any other to two rolls of one die."""
    first, *others = rolls(["2d6", "1d6", "1d6"], monkeypatch)

    def left(table: TableState) -> Shown:
        answers = table.position.answers
        if "a" not in answers:
            return Shown([first])
        total = sum(map(int, answers["a"].split("+")))
        after = [ask for ask in others if ask.name not in answers]
        return Shown([choice("40.21", "41.20")] if total < 5 else [] if total == 11 else after)

    monkeypatch.setattr(typed_answers, "evaluate_table", left)
    return [first, *others]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 3 4", "could be 2 for roll a, 3 4 for what comes after that; or 2+3 for roll a, 4 for roll b"),
        ("6 5 4", "could be 6 for roll a, 5 for roll b, 4 for roll c; or 6+5 for roll a, 4 for what comes after that"),
        ("3 3 9", ""),
        ("11 3 4", ""),
    ],
)
def test_results_that_nobody_foresees_make_no_reading_impossible(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = then_a_choice(monkeypatch)
    with pytest.raises(InputError) as refused:
        read_answer(TABLE, asks[0], text)
    assert refused.value.what == f"{text!r} {said}" if said else "no roll is left for" in refused.value.what


LINES = [
    "t=4",
    "4022r",
    "4022 25/3 army=Second",
    "25/3 -1",
    "supply",
    "need 3:1",
    "phase=movement",
    "25/3 army=2",
    "<4120",
]


@pytest.mark.parametrize("text", LINES)
def test_a_question_that_takes_any_text_takes_no_line(text: str) -> None:
    table = TableState(typed("40.20: 25/3, 27/3\n40.19: 29/20"))
    army = Ask(kind="fact", name="army", rule="", title="army", how="", key=("army", "25/3"))
    assert read_answer(table, army, text) is None


@pytest.mark.parametrize("text", ["army=Second", "second", "Sec", "Second"])
def test_an_army_is_named_as_others_have_it(text: str) -> None:
    table = TableState(typed("40.20: 25/3, 27/3\n40.19: 29/20"))
    army = Ask(kind="fact", name="army", rule="", title="army", how="", key=("army", "25/3"))
    after = read_answer(table, army, text)
    assert after and after.position.state.value("army", "25/3") == "Second"
    assert not list(find_text_doubts(table.position, after.position.state.facts_since(table.position.state)))
    strange = read_answer(table, army, "Twelfth")
    assert strange and list(find_text_doubts(table.position, strange.position.state.facts_since(table.position.state)))
    known = list_known_texts(table.position, table.position.game.tracks["army"], "25/3")
    assert "Eighth" in known and "AG P-B" not in known, "of its side only"
