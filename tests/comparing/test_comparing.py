"""The runner of searches: what it counts, allows, keeps and records; and a few cases of the example."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from ..cases import few, seeds, thorough
from . import SEARCHES, contradictions, orders, search, stacking, ways
from .question_cases import make_question_case
from .search import Allowed, Row, Search, find_search, kind_of, main, read_allowed, run, tried, write_report


def find_even(case: str, seen: Counter[str]) -> Iterator[str]:
    """Yield a fault of every even number, which needs the letter x of its text."""
    number = int(case.split()[0])
    seen["looked at"] += 1
    if number == 4:
        raise ValueError("four")
    if number % 2 == 0 and "x" in case:
        yield f"{number} is even"


EVEN = Search(
    "even", lambda number, seed: f"{number} {seed} x", find_even, 8, 3, smaller=lambda case: [case[:-2]], chunk=3
)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(search, "KEPT", tmp_path)
    return tmp_path


def test_what_is_wrong_is_found_and_kept_and_made_smaller(kept: Path) -> None:
    found = tried(EVEN, range(5), keeps=True)
    assert found.seen == {"looked at": 5, "cases": 5, "cases at fault": 3}
    assert [fault.splitlines()[0] for fault in found.wrong] == [
        "even 0: 0 is even", "even 2: 2 is even", "even 4: ValueError: four"
    ]  # fmt: skip
    assert (kept / "even/3-2.pos").read_text("utf-8") == "# 2 is even\n2 3 x"
    longer = EVEN._replace(make=lambda number, seed: f"{number} x y z", smaller=lambda case: [case[:-2]])
    tried(longer, [2], keeps=True)
    assert (kept / "even/3-2-small.pos").read_text("utf-8").endswith("\n2 x")


def test_a_fault_that_is_meant_is_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Allowed("even", "^2 is even", "two is the first")
    monkeypatch.setattr(search, "read_allowed", lambda: (entry, Allowed("odd", "even", "of another search")))
    found = tried(EVEN, [0, 2])
    assert found.wrong == ["even 0: 0 is even"] and found.allowed == {entry: 1}
    assert "| allowed: two is the first | 1 |" in write_report(found.seen, found.wrong, found.allowed)


def test_faults_are_reported_by_kind() -> None:
    wrong = ["even 0: 41.19 is even", "even 2: 40.20 is even", "even 3: (3) is odd"]
    report = write_report(Counter(cases=3), wrong, Counter())
    assert "| faults | 3 |" in report
    assert report.splitlines()[-5:] == [
        "2: # is even",
        "    even 0: 41.19 is even",
        "",
        "1: # is odd",
        "    even 3: (3) is odd",
    ]
    assert kind_of("4/6: alone ('in', None)") == "# alone ('in', None)"


def test_only_what_is_seen_most_often_is_listed() -> None:
    report = write_report(Counter({str(number): 100 - number for number in range(62)}), [], Counter())
    assert "| 59 | 41 |\n| 2 others | 79 |\n| faults | 0 |" in report


def test_a_run_prints_records_and_names_what_was_allowed_in_vain(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = list[tuple[str, ...]]()
    row = Row("Even", "{cases:,} cases, {missing} missing", "{faults} faults", least=90)
    monkeypatch.setattr(search, "record", lambda *words: recorded.append(words))
    monkeypatch.setattr(search, "keep_tables", lambda name, text: None)
    monkeypatch.setattr(
        search, "find_search", lambda name: orders.SEARCH._replace(find_faults=find_none, cases=90, row=row)
    )
    monkeypatch.setattr(search, "ProcessPoolExecutor", InProcess)
    assert run("orders", 90) == 0
    assert recorded == [("Even", "90 cases, 0 missing", "0 faults", "make explore WHAT=orders COUNT=90 SEED=1914")]
    assert "allowed in vain" in capsys.readouterr().out
    assert run("orders", 80) == 0 and len(recorded) == 1
    assert "allowed in vain" not in capsys.readouterr().out


class InProcess:
    """What stands for processes."""

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_raised: object) -> None:
        pass

    map = staticmethod(map)


def find_none(case: object, seen: Counter[str]) -> list[str]:
    return []


def test_a_run_keeps_off_the_data_of_the_user(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, used = os.environ["FIELD_STAFF_DATA"], set[str]()
    note = EVEN._replace(find_faults=lambda case, seen: used.add(os.environ["FIELD_STAFF_DATA"]) or ())
    monkeypatch.setattr(search, "find_search", lambda name: note)
    monkeypatch.setattr(search, "keep_tables", lambda name, text: None)
    monkeypatch.setattr(search, "ProcessPoolExecutor", InProcess)
    assert run("even") == 0
    assert used and before not in used and os.environ["FIELD_STAFF_DATA"] == before


def test_unknown_search_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 3
    assert "alike" in capsys.readouterr().err


def test_numbers_of_a_command_reach_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[object]()
    monkeypatch.setattr(search, "run", lambda *numbers: int(given.append(numbers) is not None))
    assert main(["alike", "-", "7"]) == main(["alike", "5", "-", "300"]) == main(["alike"]) == 0
    assert given == [("alike", None, 7, 0), ("alike", 5, None, 300), ("alike", None, None, 0)]


def test_each_search_is_there_with_its_allowed_differences() -> None:
    for name, listed in SEARCHES.items():
        assert find_spec(listed.module)
        assert find_search(name).name == name
    for entry in read_allowed():
        assert entry.search in SEARCHES and re.compile(entry.pattern) and entry.reason


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
def test_the_order_of_lines_changes_no_answer(seed: int) -> None:
    assert tried(orders.SEARCH, range(6 * seed, 6 * seed + 6)).wrong == []


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
def test_a_position_that_contradicts_itself_is_refused_in_the_same_words(seed: int) -> None:
    found = tried(contradictions.SEARCH, range(6 * seed, 6 * seed + 6))
    assert found.wrong == [] and not found.seen["no refusal"]


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
def test_a_stack_is_judged_as_its_parts_are(seed: int) -> None:
    assert tried(stacking.SEARCH, range(6 * seed, 6 * seed + 6)).wrong == []


@thorough
def test_another_position_has_another_answer() -> None:
    one, other = (
        ways.decision(ways.ask_file(make_question_case(number, 1914, "battle", complete=True).text()))
        for number in (0, 3)
    )
    assert [*ways.differences("one", one, "other", other)]
