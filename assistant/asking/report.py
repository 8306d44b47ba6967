"""Reports: a verdict, the working step by step with its rule numbers, and what is still missing.

A step's text is made from a template and figures, so every figure in it is in the JSON too. This module writes reports
as text (wide or narrow), as plain lines for a forum and as HTML; `schemas.py` writes JSON.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from ..mechanics.chances import Likelihood
from ..mechanics.distribution import format_percent
from ..state.changes import AnyChange, Change, Enter, Leave
from ..state.state import UMPIRE
from ..state.trust import describe_making
from ..util.console import MAX_COLUMNS
from ..util.errors import nearest, quoted
from ..util.notes import note
from ..util.typesetting import set_in_type
from .asks import Ask, format_asks
from .basis import Basis
from .changes import format_change, group_changes
from .placeholders import Near, Placeholder, format_placeholder_mark, list_near
from .wording import (
    NOT_PRINTED,
    append_rule,
    choose_passages,
    figure_names,
    fill,
    format_fact_count,
    format_list,
    passage_figures,
    said_figures,
    sentence_case,
    short_title,
    template_pieces,
)
from .wrapping import wrap_text

R = TypeVar("R")
VerdictKind = Literal["yes", "no", "figure", "undecided"]


class Step(msgspec.Struct, frozen=True):
    """One step of the working."""

    rule: Annotated[str, note("the rule it follows")]
    template: Annotated[str, note("the text, with the names of figures in braces")]
    figures: Annotated[Mapping[str, Any], note("the figures by name")] = {}

    @property
    def text(self) -> str:
        """The step in words."""
        return fill(self.template, self.figures)


MISSING_ONE = "undecided: {missing:#fact} is missing"
"""Template of the verdict if one fact is missing."""
MISSING = "undecided: {missing:#fact} are missing"
"""Template of the verdict if several facts are missing."""
DEPENDING = "{verdict} (if {facts})"
"""Template of a verdict that depends on assumed facts."""


class Verdict(msgspec.Struct, frozen=True):
    """The answer itself."""

    kind: Annotated[VerdictKind, note("yes, no, a figure, or undecided")]
    template: Annotated[str, note("the text, with the names of figures in braces")]
    figures: Annotated[Mapping[str, Any], note("the figures by name")] = {}

    @property
    def text(self) -> str:
        """The verdict in words."""
        return fill(self.template, self.figures)

    @property
    def decided(self) -> Hashable:
        """The verdict's kind, words and figures, as a value to compare with other verdicts.

        Chances are left out: they change with any doubt, though the verdict stays the same.
        """
        chances = {name for _, name, spec in template_pieces(self.template) if name and spec == "%"}
        figures = [(name, self.figures[name]) for name in figure_names(self.template) if name not in chances]
        return self.kind, self.template, *((name, str(value)) for name, value in figures)


def step(rule: str, template: str, *holders: object, **figures: Any) -> Step:
    """Return a step with the figures and optional passages that its template names.

    `holders`: objects for figures missing in `figures`. A figure is read from the first one with an attribute of its
    name.

    Raises AttributeError if no holder has a figure.
    """
    return Step(rule, *_choose_words(template, holders, figures))


def verdict(kind: VerdictKind, template: str, *holders: object, **figures: Any) -> Verdict:
    """Return a verdict; its figures are looked up as in `step`. Raises AttributeError if no holder has a figure."""
    return Verdict(kind, *_choose_words(template, holders, figures))


def fill_from(template: str, *holders: object) -> str:
    """Return the text of a template; its figures are looked up as in `step`. Raises AttributeError if no holder has a
    figure.
    """
    return fill(*_choose_words(template, holders, {}))


def as_sentence(rule: str, source: Step | Verdict) -> Step:
    """Return a step or verdict as a sentence of the short answer."""
    return Step(rule, f"{source.template}.", source.figures)


def _choose_words(
    template: str, holders: Sequence[object], given: Mapping[str, object]
) -> tuple[str, dict[str, object]]:
    """Return the template with its chosen optional passages, and the figures for it.

    Given figures are kept, except those that only choose passages. Other figures come from the holders.
    """
    chosen = template
    if choosing := passage_figures(template):
        chosen = choose_passages(template, {name: _find_figure(name, template, holders, given) for name in choosing})
        only_choosing = {*choosing} - said_figures(template)
        given = {name: value for name, value in given.items() if name not in only_choosing}
    found = {name: _find_figure(name, template, holders, given) for name in figure_names(chosen) if name not in given}
    return chosen, {**found, **given}


def _find_figure(name: str, template: str, holders: Sequence[object], given: Mapping[str, object]) -> object:
    if name in given:
        return given[name]
    for holder in holders:
        if hasattr(holder, name):
            return getattr(holder, name)
    known_names = [*given, *(attribute for holder in holders for attribute in dir(holder) if attribute[0] != "_")]
    fault = f"the figure {name!r} of {template!r} is not given"
    raise AttributeError("; ".join(filter(None, (fault, nearest(name, known_names)))))


class Remedy(msgspec.Struct, frozen=True):
    """A value of one parameter that would make possible what is refused."""

    words: Annotated[str, note("the remedy in words, such as `with Ober-Ost`")]
    name: Annotated[str, note("the parameter")]
    value: Annotated[str, note("the value, as it is typed")]

    @property
    def typed(self) -> str:
        """The parameter as it is typed behind a question: `hq=Ober-Ost`."""
        return f"{self.name}={quoted(self.value)}"


NOT_ALLOWED = "Not allowed"
"""The title of the part with the reasons against what was asked."""


class Part(msgspec.Struct, frozen=True):
    """A part of the working."""

    title: Annotated[str, note("the title")]
    steps: Annotated[tuple[Step, ...], note("the steps")]
    brief: Annotated[
        str | None,
        note("the gist in one line, which the prompt shows first; empty if it shows none, null if it shows all steps"),
    ] = None


FOLLOWS = "What follows"
"""The title of the part with the consequences."""


class Consequence(msgspec.Struct, frozen=True):
    """Something that must or may happen at once because of an answer, and is owed until it is done."""

    step: Annotated[Step, note("the consequence in words")]
    ask: Annotated[str, note("the question to ask, with its parameters, empty if there is none")]
    owed: Annotated[Change, note("the change by which it is owed, which is among those of the report")]

    @property
    def sentence(self) -> Step:
        """The consequence as a step of the short answer, with the question: `it retreats (ask retreat).`"""
        question = self.ask.partition(" ")[0]
        text = f"{self.step.template} (ask {question})." if question else f"{self.step.template}."
        return Step(self.step.rule, text, self.step.figures)


class Report(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """The answer to one question about one state.

    A question's own report lacks the game, question, consequences, cautions, books, and the viewpoint with its title:
    `ask` fills them in. `ask` also drops parts without steps.
    """

    game: Annotated[str, note("the game's id")] = ""
    question: Annotated[str, note("the question's name")] = ""
    title: Annotated[str, note("the question in words")]
    verdict: Annotated[Verdict, note("the answer")]
    short: Annotated[
        tuple[Step, ...], note("the answer in sentences that need no working, empty where the verdict says it all")
    ] = ()
    follows: Annotated[
        tuple[Consequence, ...], note("the consequences that must or may happen at once, and are owed from then on")
    ] = ()
    parts: Annotated[tuple[Part, ...], note("the working")] = ()
    cautions: Annotated[tuple[Step, ...], note("the doubts that the answer rests on")] = ()
    rests_on: Annotated[
        tuple[Placeholder, ...], note("what it has read of maps, charts and counters that are not the owner's own")
    ] = ()
    asks: Annotated[tuple[Ask, ...], note("the facts that are missing, and the rolls and choices that are due")] = ()
    remedies: Annotated[tuple[Remedy, ...], note("the remedies for a refusal, each by one parameter")] = ()
    changes: Annotated[tuple[AnyChange, ...], note("the changes of the position when the answer is carried out")] = ()
    done: Annotated[tuple[str, ...], note("each of these changes in words")] = ()
    books: Annotated[
        tuple[str, ...], note("the tracks among these that stand in the books of a campaign, not on the map")
    ] = ()
    noted: Annotated[
        tuple[str, ...],
        note("the tracks among these that end with a phase or turn and that no counter or marker shows"),
    ] = ()
    result: Annotated[R | None, note("the answer in named fields, null where facts are missing")] = None
    viewpoint: Annotated[
        str,
        note(
            "whose knowledge the answer rests on: a side's, the umpire's, 'everything' if not stated, or '' in a "
            "game without hidden information"
        ),
    ] = ""
    viewpoint_title: Annotated[str, note("the name of the viewpoint's side, empty if it is not a side")] = ""
    as_seen: Annotated[
        Verdict | None,
        note(
            "the answer from what is seen alone, where it differs from `verdict`, which gives the range over what may be hidden"
        ),
    ] = None
    result_as_seen: Annotated[R | None, note("the result from what is seen alone, null where facts are missing")] = None
    between: Annotated[
        tuple[R | None, R | None] | None,
        note(
            "the results with everything hidden at its weakest and at its strongest, instead of `result`, if "
            "they differ"
        ),
    ] = None
    basis: Annotated[
        Basis | msgspec.UnsetType, note("what the answer was computed from, in what a command writes with --json")
    ] = msgspec.UNSET

    def __str__(self) -> str:
        return to_text(self)

    def _repr_html_(self) -> str:
        return to_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    @property
    def answers(self) -> tuple[str, ...]:
        """The answer in words, with its placeholders and consequences.

        With limited information, the answer as seen comes first, then the range over what may be hidden.
        """
        return self.answers_on(self.rests_on)

    @property
    def headline(self) -> str:
        """The answer in one line, with its placeholders and all its consequences.

        To fit MAX_HEADLINE_CHARS, the first sentence loses clauses, from the last semicolon back, and later sentences
        are left out. With limited information, the answer is the range over what may be hidden.
        """
        if self.as_seen or not self.sentences:
            missing = [ask.title for ask in self.asks] if self.verdict.template in (MISSING_ONE, MISSING) else []
            text = self._format_verdict(self.verdict, self.rests_on)
            text = fill("{text}: {missing:&}", {"text": text, "missing": missing}) if missing else text
            return ". ".join([text, " ".join(self.consequences)]) if self.follows else text
        mark = self.condition
        line, *later_sentences = map(_format_sentence, self.short)
        while len(f"{line} {mark}") > MAX_HEADLINE_CHARS and "; " in line:
            line = line.rpartition("; ")[0] + "."
        line = " ".join((line, *self.consequences))
        for sentence in (*later_sentences, *map(_format_choice, self.asks[:1])):
            if len(f"{line} {sentence} {mark}") > MAX_HEADLINE_CHARS:
                break
            line = f"{line} {sentence}"
        return append_mark(line, mark)

    @property
    def reasons(self) -> tuple[Step, ...]:
        """The reasons why the action asked about is not allowed, or () if it is allowed."""
        if self.verdict.kind != "no":
            return ()
        return next((part.steps for part in self.parts if part.title == NOT_ALLOWED), ())

    @property
    def condition(self) -> str:
        """The mark after the answer: its assumed facts and placeholders, or "" if it has none."""
        return self._format_condition(self.verdict, self.rests_on)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer and its consequences in sentences, empty if the verdict says all."""
        if not (self.short and _is_fallible(self.verdict)):
            return ()
        return (*map(_format_sentence, self.short), *self.consequences)

    @property
    def consequences(self) -> tuple[str, ...]:
        """The consequences in sentences."""
        return tuple(_format_sentence(consequence.sentence) for consequence in self.follows)

    @property
    def mark(self) -> str:
        """The mark of the placeholders behind the verdict, or "" if there are none."""
        return format_placeholder_mark(self.rests_on) if _is_fallible(self.as_seen or self.verdict) else ""

    def answers_on(self, rests_on: Sequence[Placeholder]) -> tuple[str, ...]:
        """Return `answers` with these placeholders in place of the report's.

        `rests_on`: the placeholders, or () if those of several reports are named together.
        """
        if self.as_seen is None:
            if self.sentences:
                return (append_mark(" ".join(self.sentences), self._format_condition(self.verdict, rests_on)),)
            return (self._format_verdict(self.verdict, rests_on), *self.consequences)
        figures = {
            name: "the same" if value == self.as_seen.text else value for name, value in self.verdict.figures.items()
        }
        ranged = msgspec.structs.replace(self.verdict, figures=figures)
        return (
            f"as seen: {self._format_verdict(self.as_seen, rests_on)}",
            f"over what may be hidden: {self._format_verdict(ranged, rests_on)}",
            *self.consequences,
        )

    def _format_verdict(self, verdict: Verdict, rests_on: Sequence[Placeholder]) -> str:
        text = verdict.figures["verdict"] if verdict.template == DEPENDING else verdict.text
        return append_mark(text, self._format_condition(verdict, rests_on))

    def _format_condition(self, verdict: Verdict, rests_on: Sequence[Placeholder]) -> str:
        """Return the mark after a verdict: its assumed facts, its placeholders, and what the file leaves in doubt."""
        if not _is_fallible(verdict):
            return ""
        facts = verdict.figures["facts"] if verdict.template == DEPENDING else ()
        doubts = (
            fill(_CONDITIONS[step.template], step.figures) for step in self.cautions if step.template in _CONDITIONS
        )
        return format_placeholder_mark(rests_on, (*facts, *doubts))

    @property
    def drawable(self) -> R | None:
        """The result that a picture shows: the one as seen, the only one, or the first known one of `between`.

        None if the report has no result.
        """
        if self.result_as_seen is not None:
            return self.result_as_seen
        return self.result if self.between is None else self.between[0] or self.between[1]

    @property
    def shown(self) -> R:
        """The result of `drawable`. The report must have one."""
        result = self.drawable
        assert result is not None  # callers draw only reports with a result
        return result


def _format_choice(ask: Ask) -> str:
    return f"{sentence_case(ask.title)}: {format_list(ask.options, 'or')}." if ask.kind == "choice" else ""


def _format_sentence(step: Step) -> str:
    text = step.text
    return text if step.template.startswith("{") and not text.startswith("the ") else sentence_case(text)


OTHER_FIGURES = "the counters in the file show other figures: {units}"
DOUBTED_UNITS = "the file is in doubt on which counters these are: {units}; see `assistant check`"
_CONDITIONS = {
    OTHER_FIGURES: "the game's figures of {units:&} are right",
    DOUBTED_UNITS: "{units:&} are the counters meant",
}
"""The conditions that an answer names itself, by the template of the caution that says more."""


def append_mark(text: str, mark: str) -> str:
    """Append a mark to a text, before its full stop."""
    if not mark:
        return text
    return f"{text[:-1]} {mark}." if text.endswith(".") else f"{text} {mark}"


def _is_fallible(verdict: Verdict) -> bool:
    return verdict.kind != "undecided" or verdict.template == DEPENDING


MAX_HEADLINE_CHARS = 200
ON_YOUR_MAP = "On your map"
"""The title of the part with the values of a drawn map in the hexes that the answer names."""
MAX_MAP_LINES = 8
"""The maximum number of lines of the part `ON_YOUR_MAP`, without the line that counts the rest."""


def list_steps(report: Report[Any]) -> Iterator[Step | Verdict]:
    """Yield the verdict of a report and its steps."""
    yield report.verdict
    for part in report.parts:
        yield from part.steps


def make_map_part(near: Sequence[Near]) -> Part:
    """Return the part with the values of a drawn map in the hexes that the answer names, a line for each."""
    lines = [
        Step(
            "",
            "{title}: {value} on {subjects:+}" if "|" in fact.subjects[0] else "{title}: {value} in {subjects:+}",
            {"title": short_title(fact.title), "value": fact.value, "subjects": fact.subjects},
        )
        for fact in near[:MAX_MAP_LINES]
    ]
    unlisted = len(near) - MAX_MAP_LINES
    return Part(
        ON_YOUR_MAP, tuple([*lines, Step("", "{more} more", {"more": unlisted})] if unlisted > 0 else lines), ""
    )


def replace_placeholders(report: Report[R], rests_on: Sequence[Placeholder]) -> Report[R]:
    """Return the report with other placeholders, and with their cautions and the part about a drawn map."""
    near = list_near(rests_on)
    parts = [part for part in report.parts if part.title != ON_YOUR_MAP]
    if near:
        parts.append(make_map_part(near))
    cautions = [step for step in report.cautions if step.template != NOT_PRINTED]
    return msgspec.structs.replace(
        report,
        parts=tuple(parts),
        cautions=(*cautions, *_list_cautions(rests_on)),
        rests_on=tuple(rests_on),
    )


def _list_cautions(rests_on: Iterable[Placeholder]) -> Iterator[Step]:
    facts_by_making: dict[str, list[str]] = {}
    for placeholder in rests_on:
        facts = facts_by_making.setdefault(describe_making(placeholder.source), [])
        facts.append(format_fact_count(placeholder.title, placeholder.facts))
    for how, facts in facts_by_making.items():
        yield Step("", NOT_PRINTED, {"how": how, "facts": facts})


class MissingFacts(Exception):
    """All unstated facts that a question needs.

    `parts`: the parts of the working that precede them.
    """

    def __init__(self, asks: Sequence[Ask], parts: Sequence[Part] = ()) -> None:
        super().__init__("; ".join(ask.how for ask in asks))
        self.asks = tuple(asks)
        self.parts = tuple(parts)


# --- text -------------------------------------------------------------------------------------------------------------

PHONE_COLUMNS = 40


def to_text(report: Report[Any], width: int = MAX_COLUMNS, *, bars: bool = True) -> str:
    """Return the report as text.

    Rule numbers have a column of their own, or on a phone follow the text in brackets.

    `width`: columns of the terminal; PHONE_COLUMNS suits a phone.
    `bars`: whether to draw likelihoods as bars where there is room.
    """
    before, after = format_viewpoint_lines(report.viewpoint, report.viewpoint_title, report.game, width)
    lines = [
        *before,
        *wrap_text(report.title, width),
        *(line for answer in report.answers for line in wrap_text(answer, width, "= ")),
        *working(report, width, bars=bars),
        *_format_entries("Asked for", format_asks(report.asks), width, "? "),
        *(
            line
            for title, texts in format_changes(report).items()
            for line in _format_entries(title, texts, width, "- ")
        ),
        *after,
    ]
    return "\n".join(lines) + "\n"


MAX_SHORT_LINES = 24
"""The maximum number of lines of a short answer on a wide screen."""
MAX_SHORT_LINES_ON_PHONE = 30


def to_short(report: Report[Any], width: int = MAX_COLUMNS, *, bars: bool = True, more: str = "--full") -> str:
    """Return a short answer that fits a screen.

    It has the sentences, or the verdict with those parts of the working that lack a brief form. Then come the asks, the
    changes on the map and in the books, and a hint if there is more.

    `more`: the option that shows the rest.
    """
    on_phone = width <= PHONE_COLUMNS
    in_sentences = bool(report.sentences) and report.as_seen is None
    answers = [line for answer in report.answers for line in wrap_text(answer, width, "" if in_sentences else "= ")]
    parts_without_brief = () if in_sentences else tuple(part for part in report.parts if part.brief is None)
    short_working = working(msgspec.structs.replace(report, parts=parts_without_brief, cautions=()), width, bars=bars)
    title = [] if in_sentences else wrap_text(report.title, width)
    max_lines, end_lines = (MAX_SHORT_LINES_ON_PHONE, 4) if on_phone else (MAX_SHORT_LINES, 2)
    room = max_lines - len(title) - len(answers) - end_lines
    list_lines = list[str]()
    for titled in _make_lists(report, width, with_phase_notes=False):
        list_lines += titled.list_fitting(room - len(list_lines))
    working_lines = _fit_parts(short_working, room - len(list_lines))
    full_count = len(working(report, width, bars=bars)) + sum(len(each.lines) for each in _make_lists(report, width))
    notes = [f"more: {more}"] if full_count != len(working_lines) + len(list_lines) else []
    if report.viewpoint == UNLIMITED:
        notes.append("all is seen, --as SIDE for what one side may know")
    ends = wrap_text(f"({'; '.join(notes)})", width) if notes else []
    return "\n".join([*title, *answers, *working_lines, *list_lines, *ends]) + "\n"


class _TitledList(NamedTuple):
    title: str
    entries: Sequence[Sequence[str]]

    @property
    def lines(self) -> list[str]:
        return ["", self.title, *(line for entry in self.entries for line in entry)] if self.entries else []

    def list_fitting(self, room: int) -> list[str]:
        for count in range(len(self.entries), 0, -1):
            lines = self._replace(entries=self.entries[:count]).lines
            if len(lines) <= room:
                return lines
        return []


def _make_lists(report: Report[Any], width: int, *, with_phase_notes: bool = True) -> Iterator[_TitledList]:
    """Yield the lists after the answer: the asks and the changes, perhaps with the notes of the program."""
    lists = [("Asked for", [*format_asks(report.asks)], "? ")]
    changes = format_changes(report).items()
    lists += [(title, texts, "- ") for title, texts in changes if with_phase_notes or title != FOR_THE_PHASE]
    for title, texts, mark in lists:
        yield _TitledList(title, [wrap_text(text, width, mark) for text in texts])


def _fit_parts(lines: Sequence[str], room: int) -> list[str]:
    if len(lines) <= room:
        return [*lines]
    part_starts = [number for number, line in enumerate(lines) if not line and number <= room]
    return [*lines[: part_starts[-1]]] if part_starts else []


def to_brief(report: Report[Any], *, before: Report[Any] | None = None) -> str:
    """Return the report in brief: the verdict, the parts in their brief form if they have one, and the asks.

    `before`: the report shown last, whose brief lines are not repeated.
    """
    already_shown = {(part.title, part.brief) for part in before.parts} if before else set()
    brief_parts = [part for part in report.parts if part.brief and (part.title, part.brief) not in already_shown]
    full_parts = msgspec.structs.replace(
        report, parts=tuple(part for part in report.parts if part.brief is None), cautions=()
    )
    lines = [
        *wrap_text(report.title, MAX_COLUMNS),
        *(line for answer in report.answers for line in wrap_text(answer, MAX_COLUMNS, "= ")),
        *(line for part in brief_parts for line in wrap_text(f"{part.title}: {part.brief}", MAX_COLUMNS)),
        *working(full_parts, MAX_COLUMNS),
        *_format_entries("Asked for", format_asks(report.asks), MAX_COLUMNS, "? "),
    ]
    return "\n".join(lines) + "\n"


def working(report: Report[Any], width: int = MAX_COLUMNS, *, bars: bool = True) -> list[str]:
    """Return the lines of the working and its cautions, with an empty line before each part.

    The parameters are those of `to_text`.
    """
    lines: list[str] = []
    rules = [entry.rule for part in report.parts for entry in part.steps]
    rule_width = max((len(rule) for rule in rules), default=0) + 2 if width > PHONE_COLUMNS else 0
    for part in report.parts:
        lines += ["", *wrap_text(part.title, width)]
        bars_by_step = _draw_bars(part, width - rule_width - 2) if bars and rule_width else {}
        for number, entry in enumerate(part.steps):
            if (bar_lines := bars_by_step.get(number)) is not None:
                lines += [f"  {'' if at else entry.rule:<{rule_width}}{line}" for at, line in enumerate(bar_lines)]
            else:
                lines += _format_step(entry.rule, entry.text, width, rule_width)
    return lines + _format_entries("Cautions", (caution.text for caution in report.cautions), width, "! ")


ON_THE_MAP = "On the map"
"""The heading of changes made with counters and markers."""
IN_THE_BOOKS = "In the books"
"""The heading of changes that a player writes down."""
FOR_THE_PHASE = "Noted for this phase"
"""The heading of changes that only the program notes."""


def format_changes(report: Report[Any]) -> dict[str, list[str]]:
    """Return the changes of a report in words, by heading."""
    by_heading: dict[str, list[tuple[AnyChange, str]]] = {ON_THE_MAP: [], IN_THE_BOOKS: [], FOR_THE_PHASE: []}
    for change, text in zip(report.changes, report.done or map(format_change, report.changes), strict=True):
        track = "" if isinstance(change, Enter | Leave) else change.track
        heading = ON_THE_MAP
        if track in report.books:
            heading = IN_THE_BOOKS
        elif track in report.noted:
            heading = FOR_THE_PHASE
        by_heading[heading].append((change, text))
    return {heading: group_changes(changes) for heading, changes in by_heading.items()}


def _format_entries(title: str, entries: Iterable[str], width: int, mark: str) -> list[str]:
    lines = [line for entry in entries for line in wrap_text(entry, width, mark)]
    return ["", title, *lines] if lines else []


def to_forum(report: Report[Any]) -> str:
    """Return the report as plain lines for a forum, without columns, wrapping or special characters."""
    seen = format_viewpoint(report.viewpoint, report.viewpoint_title, report.game)
    lines = [seen, ""] if seen and report.viewpoint == UNLIMITED else []
    lines += [report.title, *report.answers, ""]
    for part in report.parts:
        lines += [f"{part.title}:", *(f"- {append_rule(entry.text, entry.rule)}" for entry in part.steps), ""]
    for title, entries in (
        ("Cautions", [caution.text for caution in report.cautions]),
        ("Asked for", list(format_asks(report.asks))),
        *format_changes(report).items(),
    ):
        if entries:
            lines += [f"{title}:", *(f"- {entry}" for entry in entries), ""]
    if seen and report.viewpoint != UNLIMITED:
        lines.append(seen)
    return "\n".join(lines).rstrip() + "\n"


UNLIMITED = "everything"
"""The viewpoint of a report if no side is named."""


_MAX_UNFOLDED_STEPS = 60
"""Parts of an HTML report with more steps in all are folded."""
_CELL_STYLE = 'style="text-align: left; vertical-align: top"'


def to_html(report: Report[Any]) -> str:
    """Return the report as a piece of an HTML page, such as a notebook's cell, without colours. Long reports are
    folded.
    """
    seen = format_viewpoint(report.viewpoint, report.viewpoint_title, report.game)
    opened = " open" if sum(len(part.steps) for part in report.parts) <= _MAX_UNFOLDED_STEPS else ""
    lists = [
        ("Cautions", [caution.text for caution in report.cautions]),
        ("Asked for", [*format_asks(report.asks)]),
        *format_changes(report).items(),
    ]
    answers = "".join(f"<br>= {_escape_text(answer)}" for answer in report.answers)
    lines = [f"<p><b>{_escape_text(report.title)}</b>{answers}</p>"]
    lines += [_write_html_part(part, opened) for part in report.parts]
    lines += [_write_html_list(title, entries) for title, entries in lists if entries]
    if seen:
        lines.insert(0 if report.viewpoint == UNLIMITED else len(lines), f"<p><small>{_escape_html(seen)}</small></p>")
    return "\n".join(["<div>", *lines, "</div>"])


def _escape_text(text: str) -> str:
    return _escape_html(set_in_type(text, curly=False))


def _write_html_part(part: Part, opened: str) -> str:
    rows = (
        f"<tr><td {_CELL_STYLE}><small>{_escape_html(entry.rule)}</small></td>"
        f"<td {_CELL_STYLE}>{_write_html_step(entry)}</td></tr>"
        for entry in part.steps
    )
    return f"<details{opened}><summary>{_escape_text(part.title)}</summary><table>{''.join(rows)}</table></details>"


def _escape_html(text: str) -> str:
    from html import escape  # loaded late: few answers become HTML

    return escape(text)


def _write_html_step(entry: Step) -> str:
    if (line := find_likelihoods(entry)) is None:
        return _escape_text(entry.text)
    bar = '<span style="display: inline-block; height: 0.7em; opacity: 0.5; background: currentColor; width: {:.2f}em"></span>'
    lines = [_escape_text(line.head)] if line.head else []
    for likelihood, percent in zip(line.likelihoods, line.percents, strict=True):
        width = float(likelihood.chance) * 20
        lines.append(f"{_escape_text(str(likelihood.value))}: {percent:>{_PERCENT_COLUMNS}} {bar.format(width)}")
    return "<br>".join(lines)


def _write_html_list(title: str, entries: Iterable[str]) -> str:
    return f"<p>{title}</p><ul>{''.join(f'<li>{_escape_text(entry)}</li>' for entry in entries)}</ul>"


def format_viewpoint_lines(viewpoint: str, title: str, game: str, width: int) -> tuple[list[str], list[str]]:
    """Return the lines before a report and after it that state its viewpoint.

    A viewpoint that reveals everything comes before the report, so that a player can stop reading.
    """
    lines = wrap_text(format_viewpoint(viewpoint, title, game), width)
    if viewpoint == UNLIMITED:
        return [*lines, ""], []
    return [], ["", *lines] if lines else []


def format_viewpoint(viewpoint: str, title: str = "", game: str = "") -> str:
    """Return the viewpoint of a report in words, or "" for an umpire or if nothing is hidden.

    `title`: the name of the side.
    `game`: the game's id, for the hint how to remember the player's side, or "" for no hint.
    """
    if viewpoint == UNLIMITED:
        remembers = f" (`assistant viewpoint {game} SIDE` remembers it)" if game else ""
        return f"You see both sides. `--as SIDE` shows what one side knows{remembers}; `--umpire` leaves out this note."
    return f"You see what the {title or viewpoint} side knows." if viewpoint not in ("", UMPIRE) else ""


def _draw_bars(part: Part, room: int) -> dict[int, list[str]]:
    bar_lines = {number: bar_line for number, entry in enumerate(part.steps) if (bar_line := find_likelihoods(entry))}
    drawn = draw_bars(list(bar_lines.values()), room)
    return {number: lines for number, lines in zip(bar_lines, drawn, strict=True) if lines}


def find_likelihoods(entry: Step) -> BarLine | None:
    """Return the likelihoods of a step with the text before them, or None if it has no likelihoods."""
    for name, value in entry.figures.items():
        if isinstance(value, tuple) and value and all(isinstance(item, Likelihood) for item in value):
            return BarLine(fill(entry.template, {**entry.figures, name: ""}).removesuffix(": "), value)
    return None


def _format_step(rule: str, text: str, width: int, rule_width: int) -> Iterator[str]:
    if not rule_width:
        yield from wrap_text(append_rule(text, rule), width, "  ")
        return
    first, *rest = wrap_text(text, max(width - rule_width - 2, 20)) or [""]
    yield f"  {rule:<{rule_width}}{first}"
    for line in rest:
        yield " " * (rule_width + 2) + line


# --- bars -------------------------------------------------------------------------------------------------------------


MAX_BAR_COLUMNS = 40
"""The maximum columns of a bar; bars on one line share them."""
MIN_BAR_COLUMNS = 4
"""The minimum columns of a bar: with less room, none is drawn."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
"""The last character of a bar, by the number of eighths filled."""
BAR_CHARACTERS = f"█{_EIGHTHS.strip()}"
_PERCENT_COLUMNS = len("100.0%")


class BarLine(msgspec.Struct, frozen=True):
    """A text and likelihoods to draw with bars.

    A distribution of numbers is drawn below the text, a line for each number; single events are drawn beside it.
    """

    head: str
    likelihoods: Sequence[Likelihood]

    @property
    def percents(self) -> list[str]:
        """The chances in percent."""
        return [format_percent(likelihood.chance) for likelihood in self.likelihoods]

    @property
    def is_of_events(self) -> bool:
        """Whether the likelihoods are of single events, which have words for values."""
        return any(isinstance(likelihood.value, str) for likelihood in self.likelihoods)


def format_bar(share: Fraction, width: int) -> str:
    """Return a bar that fills a share of `width` columns, to the nearest eighth of a column.

    A share above 0 fills at least one eighth, so that it shows.
    """
    eighths = round(share * width * 8)
    if share:
        eighths = max(eighths, 1)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + _EIGHTHS[rest].strip()


def draw_bars(lines: Sequence[BarLine], room: int) -> list[list[str] | None]:
    """Return each bar line as lines of text, or None if there is no room.

    Events with a head are aligned in columns, so that either all or none are drawn.

    `room`: the columns available.
    """
    head_width = max((len(line.head) for line in lines if line.is_of_events), default=0)
    drawn = [_draw_events(line, head_width, room) if line.is_of_events else _draw_numbers(line, room) for line in lines]
    aligned = [line.is_of_events and bool(line.head) for line in lines]
    no_room = any(rows is None for rows, is_aligned in zip(drawn, aligned, strict=True) if is_aligned)
    return [None if no_room and is_aligned else rows for rows, is_aligned in zip(drawn, aligned, strict=True)]


def _draw_numbers(line: BarLine, room: int) -> list[str] | None:
    labels = [set_in_type(str(likelihood.value)) for likelihood in line.likelihoods]
    label_width = max(map(len, labels), default=0)
    bar_width = min(room - 2 - label_width - 2 - _PERCENT_COLUMNS - 2, MAX_BAR_COLUMNS)
    if bar_width < MIN_BAR_COLUMNS or len(line.head) > room:
        return None
    rows = zip(labels, line.percents, line.likelihoods, strict=True)
    return [
        line.head,
        *(
            f"  {label:>{label_width}}  {percent:>{_PERCENT_COLUMNS}}  {format_bar(likelihood.chance, bar_width)}".rstrip()
            for label, percent, likelihood in rows
        ),
    ]


def _draw_events(line: BarLine, head_width: int, room: int) -> list[str] | None:
    events = [str(likelihood.value) for likelihood in line.likelihoods]
    start = f"{line.head:<{head_width}}  " if line.head else ""
    text_width = len(start) + sum(map(len, events)) + len(events) * (_PERCENT_COLUMNS + 2) + (len(events) - 1) * 2
    bar_width = min((room - text_width) // len(events), MAX_BAR_COLUMNS // len(events))
    if bar_width < MIN_BAR_COLUMNS:
        return None
    cells = (
        f"{event} {percent:>{_PERCENT_COLUMNS}} {format_bar(likelihood.chance, bar_width):<{bar_width}}"
        for event, percent, likelihood in zip(events, line.percents, line.likelihoods, strict=True)
    )
    return [(start + "  ".join(cells)).rstrip()]
