"""A share of the cases of `make explore WHAT=lacking`, and what they would notice."""

from __future__ import annotations

import re
from itertools import product

import pytest

from assistant.asking.bounds import CountVerdict, at_least
from assistant.asking.report import verdict
from assistant.formats.notation import read_notation
from assistant.formats.positions import Asked
from assistant.installed.registry import load_game
from assistant.service import ask

from ..cases import examples, few, seeds
from ..comparing.search import tried
from ..conftest import typed
from . import checking
from .checking import SAMPLES, Removal, bases, compare, questions_asked, removable, without


@few(1)
@pytest.mark.parametrize("seed", seeds(6))
def test_without_some_facts_no_other_figure_looks_whole(seed: int) -> None:
    found = tried(SAMPLES, range(examples(SAMPLES.cases)), seed)
    assert found.wrong == []
    assert found.seen["undecided"] + found.seen["a bound"] >= 1


@few(1)
@pytest.mark.parametrize("base", [base for base in bases() if base[0].endswith(".pos")], ids=lambda base: base[0])
def test_without_a_kind_of_placeholders_no_question_of_an_example_has_another_figure_that_looks_whole(
    base: tuple[str, str],
) -> None:
    name, text = base
    position = read_notation(text.encode(), name, load_game)
    removals = [
        Removal(f"what is {source.value}", sources=(source,)) for source in sorted(position.state.accepts, key=str)
    ]
    faults = [
        str(fault)
        for asked, removal in product(questions_asked(position), removals)
        if (fault := compare(name, position, asked, removal)[1])
    ]
    assert faults == []


TEXT = """game world-undone-east-prussia-1914
scenario=historical turn=2 phase=first-movement phasing=german
chart terrain-cost clear = 0
3014-3015-3016
3015 clear town=none
3016 clear town=none
3014: XVII/36 supply=in
"""


def test_a_figure_that_shrinks_in_silence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    position, asked = typed(TEXT), Asked("reach", {"unit": "XVII/36"})
    removal = Removal("terrain of 3016", {("terrain", "3016")})
    assert compare("paper", position, asked, removal) == ("a bound", None)
    monkeypatch.setattr(checking, "OPEN", re.compile("never said"))
    what, fault = compare("paper", position, asked, removal)
    assert what == "at fault"
    assert fault is not None
    assert str(fault).startswith("paper: reach unit=XVII/36, without terrain of 3016:")


def test_what_is_removed_is_not_known_afterwards() -> None:
    position = typed(TEXT)
    assert ("terrain", "3016") in removable(position)
    assert ("phase", "") not in removable(position)
    less = without(position, Removal("", removable(position)))
    assert ask(less, "reach", unit="XVII/36").verdict.kind == "undecided"


STANDING = """game world-undone-east-prussia-1914
scenario=historical turn=5 phase=first-movement phasing=russian
5320 clear: german infantry 8th G1 (4-4) supply=in
5420 clear: russian infantry first R1 (4-4) supply=in, russian infantry first R2 (4-4), russian infantry first R3 (4-4),
5420: russian infantry first R4 (4-4)
5320|5420 open
"""


@pytest.mark.parametrize(
    ("asked", "unit", "kind", "text"),
    [
        (Asked("attacks", {"side": "german"}), "R1", "undecided", "undecided: facts are missing about 1 hex"),
        (
            Asked("turn", {}),
            "R1",
            "figure",
            "turn 5, player turns: Russian, German; now First Movement of the Russian side, 2 steps not judged, as facts are missing",
        ),
        (
            Asked("next", {}),
            "R1",
            "undecided",
            "undecided whether First Movement of the Russian side is over: 2 steps not judged, as facts are missing",
        ),
        (
            Asked("next", {}),
            "G1",
            "no",
            "First Movement of the Russian side is not over: at least 1 step owed and 2 steps not judged, as facts are missing",
        ),
    ],
)
def test_a_unit_of_which_it_is_not_stated_whose_it_is_does_not_drop_out(
    asked: Asked, unit: str, kind: str, text: str
) -> None:
    whole = typed(STANDING.replace("(4-4),\n", "(4-4)\n"))
    less = without(whole, Removal("its nation", {("nation", unit)}))
    report = ask(less, asked)
    assert (report.verdict.kind, report.verdict.text) == (kind, text)
    assert [each.key for each in report.asks] == [("nation", unit)]
    assert ask(whole, "next").verdict.text == "First Movement of the Russian side is not over: 1 step owed"


NOTHING = frozenset[str]()


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
    [
        (({"stacks"}, NOTHING), (NOTHING, {"stacks"}), ""),
        (({"stacks"}, NOTHING), ({"stacks"}, {"release"}), ""),
        (({"stacks"}, NOTHING), (NOTHING, {"release"}), "owed no more: stacks"),
        ((NOTHING, NOTHING), ({"stacks"}, NOTHING), "newly owed: stacks"),
        ((NOTHING, {"stacks"}), ({"stacks"}, NOTHING), ""),
    ],
)
def test_a_step_that_is_owed_and_settled_without_a_fact_is_noticed(
    before: tuple[set[str], set[str]],
    after: tuple[set[str], set[str]],
    wrong: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = iter(dict(zip(("owed", "undecided"), names, strict=True)) for names in (before, after))
    monkeypatch.setattr(checking, "unsettled", lambda position: next(judged))
    assert checking.misjudged(typed(TEXT), typed(TEXT)) == wrong


def test_every_game_has_its_positions_and_questions() -> None:
    names = [name for name, _ in bases()]
    for game in ("twilight", "kaisers", "world", "der-weltkrieg"):
        assert sum(game in name for name in names) > 5
    asked = {each.question for each in questions_asked(typed(TEXT))}
    assert {"threat", "attacks", "supply", "victory", "zones"} <= asked


# --- how it is said ---------------------------------------------------------------------------------------------------

COUNTED = CountVerdict("{count:#hex} of {all}", "{missing} not known", "none", ("count",))


@pytest.mark.parametrize(
    ("known", "unknown", "kind", "text"),
    [
        (2, 0, "figure", "2 hexes of 9"),
        (2, 3, "figure", "at least 2 hexes of 9; 3 not known"),
        (0, 3, "undecided", "undecided: 3 not known"),
        (0, 0, "no", "none"),
    ],
)
def test_a_count_says_whether_it_is_whole(known: int, unknown: int, kind: str, text: str) -> None:
    said = verdict(*COUNTED.word(known, unknown), count=known, all=9, missing=unknown)
    assert (said.kind, said.text) == (kind, text)


def test_only_the_figures_named_are_bounds() -> None:
    assert at_least("{one} {onely} {two:#hex}", "one", "two") == "at least {one} {onely} at least {two:#hex}"
    assert at_least("{one}") == "{one}"
    assert CountVerdict("{one}", "").word(0, 0) == ("figure", "{one}")
