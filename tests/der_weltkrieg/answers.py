"""What examples of `cases.csv` answer, whole, a page a question in `kept/answers`: `python -m tests.der_weltkrieg.answers` writes
these anew. Verdicts in `cases.csv` are worked out by hand; these pages show what else an answer holds: each kind of line and of figure that
a question has, in as few examples as show them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import msgspec

from assistant import Report, ask, parse
from assistant.asking import MissingFacts, View
from assistant.asking.parameters import read_parameters
from assistant.installed.registry import question_of
from assistant.service import to_json
from assistant.state.words import SPACED, find_words, name_and_value
from der_weltkrieg import QUESTIONS

HERE = Path(__file__).parent
ANSWERS = HERE / "kept" / "answers"
SHOWN = ("result", "changes", "asks")
"""What of an answer a page shows in figures, besides its lines."""


def read_cases() -> Iterator[dict[str, str]]:
    """The rows of `cases.csv`."""
    with open(HERE / "cases.csv", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def named(text: str) -> dict[str, str]:
    """The parameters in a text."""
    pairs = (name_and_value(word) for word in find_words(text, 1, SPACED))
    return {pair[0]: pair[1] for pair in pairs if pair}


def asked(position: str, question: str, parameters: str = "", dice: str = "") -> Report[Any]:
    """A question asked of a position, whose lines are parted by semicolons."""
    text = "\n".join(["game der-weltkrieg", *position.split("; ")])
    return ask(parse(text), question, named(dice), **named(parameters))


def asked_alone(position: str, question: str, parameters: str = "", dice: str = "") -> Report[Any] | None:
    """The same of the question's function, which is called with what is typed and leaves the rest to its own defaults; None
    for a function of the core, and if facts are missing.
    """
    read = parse("\n".join(["game der-weltkrieg", *position.split("; ")]))
    known, view = question_of(read.game, question), View(read.game, read.state)
    module = next(name for name, names in QUESTIONS.items() if question in names)
    function = getattr(import_module(f"der_weltkrieg.{module}"), question.replace("-", "_"), None)
    if function is None:
        return None
    takes = signature(function).parameters
    typed = named(parameters)
    given = read_parameters(known, view, typed)
    fields = {field.encode_name.replace("_", "-"): field.name for field in msgspec.structs.fields(known.parameters)}
    handed = {"view": view, "_view": view, "asked": given, "answers": named(dice)}
    single = {} if "asked" in takes else {fields[name]: getattr(given, fields[name]) for name in typed}
    with suppress(MissingFacts):
        answer: Report[Any] = function(**{name: handed[name] for name in handed if name in takes}, **single)
        return answer
    return None


def title_of(case: Mapping[str, str]) -> str:
    """What is asked in a case."""
    return " | ".join(filter(None, (case["position"], case["parameters"], case["dice"])))


def lines_of(report: Report[Any]) -> str:
    """The working of an answer, a line a step behind its rule."""
    return "\n".join(f"{step.rule} {step.text}" for part in report.parts for step in part.steps)


def answer_of(case: Mapping[str, str], report: Report[Any]) -> str:
    """An answer as a page shows it."""
    told = json.loads(to_json(report))
    figures = (f"{name}: {json.dumps(told[name], ensure_ascii=False)}" for name in SHOWN if told[name])
    lines = [f"> {title_of(case)}", f"= {report.answers[0]}", *lines_of(report).splitlines(), *figures]
    return "\n".join(line for line in lines if line)


def kinds_of(report: Report[Any]) -> set[str]:
    """The kinds of lines in an answer, and of figures that are neither none nor empty."""
    told = json.loads(to_json(report))
    lines = {step["template"] for part in told["parts"] for step in part["steps"]}
    return {told["verdict"]["template"], *lines, *(kind for name in SHOWN for kind in _figures(told[name], name))}


def _figures(value: Any, kind: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _figures(part, f"{kind} {name}")
    elif isinstance(value, list):
        for part in value:
            yield from _figures(part, kind)
    elif value:
        yield kind


def read_answers(question: str) -> dict[str, str]:
    """The answers on the page of a question, by what is asked."""
    answers = (ANSWERS / f"{question}.txt").read_text("utf-8").rstrip("\n").split("\n\n")
    return {answer.partition("\n")[0].removeprefix("> "): answer for answer in answers}


def write_answers() -> None:
    """Write all pages anew."""
    reports: dict[str, list[tuple[dict[str, str], Report[Any]]]] = {}
    for case in read_cases():
        report = asked(case["position"], case["question"], case["parameters"], case["dice"])
        reports.setdefault(case["question"], []).append((case, report))
    ANSWERS.mkdir(exist_ok=True)
    for page in ANSWERS.glob("*.txt"):
        page.unlink()
    for question, every in reports.items():
        kinds = [kinds_of(report) for _, report in every]
        shown = choose_few(kinds)
        answers = [answer_of(*answered) for number, answered in enumerate(every) if number in shown]
        (ANSWERS / f"{question}.txt").write_text("\n\n".join(answers) + "\n", "utf-8")


def choose_few(kinds: Sequence[set[str]]) -> set[int]:
    """The numbers of few sets that have together what all have: always one that adds most."""
    left, chosen = set[str]().union(*kinds), set[int]()
    while left:
        most = max(range(len(kinds)), key=lambda number: len(kinds[number] & left))
        chosen.add(most)
        left -= kinds[most]
    return chosen


if __name__ == "__main__":
    write_answers()
