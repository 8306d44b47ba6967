"""An explanation in words, ready for a mail: at most 25 lines for each battle or check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from ...asking import schemas
from ...asking.asks import format_asks
from ...asking.parameters import format_parameters
from ...asking.question import RULINGS, TAKEN_FOR_GRANTED
from ...asking.report import Report, format_viewpoint_lines, working
from ...asking.wording import append_rule, fill
from ...asking.wrapping import wrap_text
from ...state.tracks import Value
from ...util.console import encode_json, format_count
from ...util.errors import plain
from .explanation import ExplainedQuestion, Explanation
from .record import Disagreement, JudgedFact

WIDTH = 100
"""The number of columns of an explanation."""
MAX_LINES = 25
"""The maximum number of lines of one question; `whole` has no maximum."""
_BASIS = (TAKEN_FOR_GRANTED, RULINGS)
"""The titles of report parts that are only counted here."""
_MAX_DIFFERENCES = 6
"""The maximum number of differences between log and rules that are listed."""
_MAX_LACKS = 4
"""The maximum number of missing things that are listed."""


def format_explanation(explanation: Explanation, *, whole: bool = False) -> str:
    """Return an explanation as text, 100 columns wide.

    `whole`: whether to show every step of the working, however many lines that takes.
    """
    viewpoint = explanation.viewpoint, explanation.viewpoint_title
    before, after = format_viewpoint_lines(*viewpoint, explanation.game, WIDTH)
    lines = [*before, _format_summary(explanation)]
    for number, answer in enumerate(explanation.explained, 1):
        lines.append("")
        if whole:
            lines += _format_question(answer, number)
        else:
            lines += format_question_briefly(answer, number)
    if explanation.judged:
        lines += ["", "Judged on the counters", *_format_bullets(map(_format_judged_fact, explanation.judged))]
    if explanation.unexplained:
        throws = [f"step {throw.step}: {throw} ({throw.player})" for throw in explanation.unexplained]
        lines += ["", "Throws with no known purpose", *_format_bullets(throws)]
        how = (
            "To have them explained, type the question into the chat before them, such as: ask QUESTION name=value ..."
        )
        lines += wrap_text(how, WIDTH)
    if explanation.reported:
        lines += ["", "Throws of unknown buttons"]
        lines += _format_bullets(
            f"step {entry.step}: {plain(entry.text)} ({plain(entry.player)})" for entry in explanation.reported
        )
        lines += wrap_text("To have them read, name their buttons under [dice] in the adopted module's mapping.", WIDTH)
    if explanation.faults:
        lines += ["", "Typed for the assistant, but not understood"]
        lines += _format_bullets(f"step {typed.step}: {typed.text} - {fault}" for typed, fault in explanation.faults)
    return "\n".join([*lines, *after]) + "\n"


def _format_summary(explanation: Explanation) -> str:
    explained = sum(answer.report is not None for answer in explanation.explained)
    counts = {"steps": explanation.steps, "explained": explained, "log": explanation.log}
    step_count = "{steps:#line} of throws and chat, counted as steps" if explanation.by_lines else "{steps:#step}"
    failed = len(explanation.explained) - explained
    failed_text = f", {failed} cannot be asked" if failed else ""
    return fill(f"{{log}}: {step_count}, {{explained:#question}} explained", counts) + failed_text


def format_question_briefly(answer: ExplainedQuestion, number: int) -> list[str]:
    """Return an explained question in at most `MAX_LINES` lines.

    `number`: its number in the explanation.
    """
    before = list(_format_head(answer, number))
    after = list(_format_tail(answer))
    parts = list[_Paragraph]()
    if answer.report is not None:
        parts += _list_paragraphs(answer.report)
        after += _format_basis(answer.report)
    early = parts[: len(parts) // 2]  # parts before the dice are shortened first
    while len(before) + len(after) + sum(len(part.lines) for part in parts) > MAX_LINES:
        with_steps = [part for part in parts if part.steps]
        if not with_steps:
            break
        longest = max(with_steps, key=lambda part: (len(part.steps) > 2, len(part.lines) + (part in early)))
        if not longest.shorten():
            parts.remove(longest)
    lines = [*before, *(line for part in parts for line in part.lines), *after]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], "... (the rest: --whole)"]
    return lines


def _format_question(answer: ExplainedQuestion, number: int) -> list[str]:
    lines = list(_format_head(answer, number))
    if answer.report is not None and (steps := working(answer.report, WIDTH, bars=False)):
        lines += [*steps, ""]
    return [*lines, *_format_tail(answer)]


def _format_head(explained: ExplainedQuestion, number: int) -> Iterator[str]:
    typed_parameters = format_parameters(explained.parameters)
    title = f"{explained.question} {typed_parameters}".rstrip()
    # without working, a report's title is only that of its question
    if explained.report is not None and explained.report.parts:
        title = explained.report.title
    yield from wrap_text(f"{number}. {title}", WIDTH)
    span = f"after step {explained.first}" if explained.last <= explained.first else f"step {explained.last}"
    if explained.last > explained.first + 1:
        span = f"steps {explained.first + 1} to {explained.last}"
    yield from wrap_text(f"{span}, {explained.opened}: ask {explained.question} {typed_parameters}".rstrip(), WIDTH)
    if explained.why_not:
        yield from wrap_text(f"cannot be asked: {explained.why_not}", WIDTH, "! ")
    if explained.throws:
        yield from _indent_lines("; ".join(f"{roll.name}: {roll.throw}" for roll in explained.throws), "Dice: ")
    thrown = {answering.name for answering in explained.throws}
    if stated := [f"{name}={answer}" for name, answer in explained.given.items() if name not in thrown]:
        yield from _indent_lines(" ".join(stated), "Answers given: ")
    if explained.chosen:
        words = "; ".join(f"{name}: {option}" for name, option in explained.chosen.items())
        yield from _indent_lines(words, "Choices that fit the map best: ")
    if explained.report is not None:
        for answer in explained.report.answers:
            yield from wrap_text(answer, WIDTH, "= ")


def _indent_lines(text: str, mark: str) -> list[str]:
    first, *rest = wrap_text(mark + text, WIDTH)
    if not rest:
        return [first]
    return [first, *(f"  {line}" for line in wrap_text(" ".join(rest), WIDTH - 2, ""))]


def _format_basis(report: Report[Any]) -> Iterator[str]:
    counted = {part.title: len(part.steps) for part in report.parts if part.title in _BASIS}
    if report.cautions:
        counted["Cautions"] = len(report.cautions)
    if counted:
        words = ", ".join(f"{title.lower()} ({count})" for title, count in counted.items())
        yield from _indent_lines(f"{words}: listed with --whole", "Rests on: ")


def _format_tail(answer: ExplainedQuestion) -> Iterator[str]:
    if answer.in_order:
        names = ", ".join(answer.in_order)
        what = f"{names}: matched by order only; to be sure, type the roll's name into the chat before the throw"
        yield from _indent_lines(what, "Dice: ")
    for throw in answer.unused[:_MAX_LACKS]:
        yield from wrap_text(f"step {throw.step}: {throw}: the rules do not ask for it here", WIDTH, "! ")
    if len(answer.unused) > _MAX_LACKS:
        steps = ", ".join(str(throw.step) for throw in answer.unused[_MAX_LACKS:])
        yield from wrap_text(f"and the throws of these steps: {steps}", WIDTH, "! ")
    for differing in answer.differs[:_MAX_DIFFERENCES]:
        yield from wrap_text(_format_difference(differing), WIDTH, "! ")
    if len(answer.differs) > _MAX_DIFFERENCES:
        yield f"! and {format_count(len(answer.differs) - _MAX_DIFFERENCES, 'more difference')}"
    if answer.is_partial and answer.differs:
        yield from wrap_text("more choices and orders of dice may fit than are tried", WIDTH, "! ")
    if answer.report is None:
        return
    if answer.report.changes and not answer.differs:
        yield "The log agrees with the rules."
    if answer.unmarked:
        marks: dict[str, list[str]] = {}
        for track, subject in answer.unmarked:
            marks.setdefault(track, []).append(subject)
        words = "; ".join(f"{track} ({', '.join(subjects)})" for track, subjects in marks.items())
        yield from _indent_lines(words, "Not marked in the log: ")
    lacks = list(format_asks(answer.report.asks))
    for lack in lacks[:_MAX_LACKS]:
        yield from wrap_text(lack, WIDTH, "? ")
    if lacks:
        more = f"and {len(lacks) - _MAX_LACKS} more; " if len(lacks) > _MAX_LACKS else ""
        yield from wrap_text(f"{more}the log lacks this; {_format_statements(answer)}", WIDTH, "? ")
    if answer.waiting:
        throws = "; ".join(f"step {throw.step}: {throw}" for throw in answer.waiting)
        yield from _indent_lines(throws, "Dice that may then be for it: ")


def _format_statements(answer: ExplainedQuestion) -> str:
    kinds = {ask.kind for ask in answer.report.asks} if answer.report is not None else set()
    if "parameter" in kinds:
        given = format_parameters(answer.parameters)
        return f"type into the chat before the dice, with what is missing: ask {answer.question} {given}".rstrip()
    if kinds & {"roll", "choice"}:
        return "type into the chat after the dice: answers NAME=VALUE"
    return "type such a line into the chat before the dice, after `Field Staff:`"


def _format_difference(disagreement: Disagreement) -> str:
    by_rules = _format_fact(disagreement.track, disagreement.rules)
    by_log = _format_fact(disagreement.track, disagreement.log)
    whose = f"by the rules {by_rules}" if disagreement.rule else f"the rules leave it at {by_rules}"
    return append_rule(f"{disagreement.subject or 'the game'}: {whose}, in the log {by_log}", disagreement.rule)


def _format_fact(track: str, value: Value | None) -> str:
    if track == "place":
        return f"in {value}" if value else "off the map"
    return f"{track} {_format_value(value)}"


def _format_value(value: Value | None) -> str:
    return "none" if value is None or value == "" else fill("{value}", {"value": value})


def _format_judged_fact(judgement: JudgedFact) -> str:
    head = f"step {judgement.step}: {judgement.unit} set to {judgement.track} {_format_value(judgement.log)}"
    if judgement.report is None:
        return f"{head}; the rules cannot be asked: {judgement.why_not}"
    verdict = "; ".join(judgement.report.answers)
    if judgement.rules is None:
        return f"{head}; by the rules {verdict}"
    if judgement.rules == judgement.log:
        return f"{head}; the rules agree: {verdict}"
    return f"{head}; the rules differ ({judgement.track} {_format_value(judgement.rules)}): {verdict}"


def _format_bullets(entries: Iterable[str]) -> list[str]:
    return [line for entry in entries for line in wrap_text(entry, WIDTH, "- ")]


class _Paragraph:
    """A part of a report as one paragraph, whose middle steps may be left out, or as a heading without steps."""

    def __init__(self, title: str, steps: Sequence[str]) -> None:
        self.title = title
        self.steps = list(steps)
        self.left_out = 0

    @property
    def lines(self) -> list[str]:
        if not self.steps:
            return [f"{self.title}:"]
        half = len(self.steps) // 2  # 0 for a single step, which stays last
        gap = [f"({self.left_out} more)"] if self.left_out else []
        return _indent_lines("; ".join([*self.steps[:half], *gap, *self.steps[half:]]), f"{self.title}: ")

    def shorten(self) -> bool:
        self.left_out += 1
        del self.steps[len(self.steps) // 2 if len(self.steps) > 2 else 0]
        return bool(self.steps)


def _list_paragraphs(report: Report[Any]) -> Iterator[_Paragraph]:
    for part in report.parts:
        if part.title not in _BASIS:
            yield _Paragraph(part.title, [append_rule(step.text, step.rule) for step in part.steps])


def explanation_json(explanation: Explanation) -> str:
    """Return the whole explanation as JSON, with reports in the form that questions have."""
    without = msgspec.structs.replace(
        explanation,
        explained=tuple(msgspec.structs.replace(answer, report=None) for answer in explanation.explained),
        judged=tuple(msgspec.structs.replace(judgement, report=None) for judgement in explanation.judged),
    )
    contents = msgspec.to_builtins(without, enc_hook=schemas.json_exact, str_keys=True)
    entries: list[ExplainedQuestion | JudgedFact] = [*explanation.explained, *explanation.judged]
    for entry, made in zip(entries, [*contents["explained"], *contents["judged"]], strict=True):
        if entry.report is not None:
            made["report"] = msgspec.json.decode(schemas.report_json(entry.report))
    return encode_json(contents).decode()
