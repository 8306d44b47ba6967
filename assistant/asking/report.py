"""Reports: a verdict, the working step by step with its rule numbers, and what is still missing.

A step's text is made from a template and its figures, so every figure in it is in the JSON too. A report is rendered as
text (wide or narrow), as plain lines for a forum and as HTML; `schemas.py` writes JSON.
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
from ..util.console import WIDE
from ..util.errors import nearest, quoted
from ..util.notes import note
from ..util.typesetting import set_in_type
from .asks import Ask, format_asks
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
    template: Annotated[str, note("its text, with the names of figures in braces")]
    figures: Annotated[Mapping[str, Any], note("the figures by name")] = {}

    @property
    def text(self) -> str:
        """The step in words."""
        return fill(self.template, self.figures)


MISSING_ONE = "undecided: {missing:#fact} is missing"
"""The template of the verdict where one fact is missing."""
MISSING = "undecided: {missing:#fact} are missing"
"""The template of the verdict where several facts are missing."""
DEPENDING = "{verdict} (if {facts})"
"""The template of a verdict that depends on assumed facts."""


class Verdict(msgspec.Struct, frozen=True):
    """The answer itself."""

    kind: Annotated[VerdictKind, note("yes, no, a figure, or undecided")]
    template: Annotated[str, note("its text, with the names of figures in braces")]
    figures: Annotated[Mapping[str, Any], note("the figures by name")] = {}

    @property
    def text(self) -> str:
        """The verdict in words."""
        return fill(self.template, self.figures)

    @property
    def decided(self) -> Hashable:
        """What it decides: its kind, its words and their figures except chances, which any doubt changes."""
        chances = {name for _, name, spec in template_pieces(self.template) if name and spec == "%"}
        figures = [(name, self.figures[name]) for name in figure_names(self.template) if name not in chances]
        return self.kind, self.template, *((name, str(value)) for name, value in figures)


def step(rule: str, template: str, *holders: object, **figures: Any) -> Step:
    """Return a step whose figures are looked up: each that the template names is given by name, or is a field or
    property of the first holder that has it. Of its optional passages it has those that its figures have it say.

    Raises AttributeError for a name that no holder has.
    """
    return Step(rule, *_choose_words(template, holders, figures))


def verdict(kind: VerdictKind, template: str, *holders: object, **figures: Any) -> Verdict:
    """Return a verdict whose figures are looked up as those of a `step`. Raises AttributeError for a name that no
    holder has.
    """
    return Verdict(kind, *_choose_words(template, holders, figures))


def fill_from(template: str, *holders: object) -> str:
    """Return a template with its figures, looked up as those of a `step`. Raises AttributeError for a name that no
    holder has.
    """
    return fill(*_choose_words(template, holders, {}))


def as_sentence(rule: str, source: Step | Verdict) -> Step:
    """Return a step or verdict as a sentence of the short answer."""
    return Step(rule, f"{source.template}.", source.figures)


def _choose_words(
    template: str, holders: Sequence[object], given: Mapping[str, object]
) -> tuple[str, dict[str, object]]:
    """Return a template with those of its optional passages that it says, and the figures that it then names, looked up
    in the holders where they are not given, and all that are given but those that only choose passages.
    """
    chosen = template
    if choosing := passage_figures(template):
        chosen = choose_passages(template, {name: _find_figure(name, template, holders, given) for name in choosing})
        only_choosing = {*choosing} - said_figures(template)
        given = {name: value for name, value in given.items() if name not in only_choosing}
    found = {name: _find_figure(name, template, holders, given) for name in figure_names(chosen) if name not in given}
    return chosen, {**found, **given}


def _find_figure(name: str, template: str, holders: Sequence[object], given: Mapping[str, object]) -> object:
    """Return a figure that is given, or that of the first holder that has it. Raises AttributeError where none has."""
    if name in given:
        return given[name]
    for holder in holders:
        if hasattr(holder, name):
            return getattr(holder, name)
    known = [*given, *(known for owner in holders for known in dir(owner) if not known.startswith("_"))]
    what = f"the figure {name!r} of {template!r} is not given"
    raise AttributeError("; ".join(filter(None, (what, nearest(name, known)))))


class Remedy(msgspec.Struct, frozen=True):
    """A single parameter that, chosen so, would make possible what is refused."""

    words: Annotated[str, note("in words, such as `with Ober-Ost`")]
    name: Annotated[str, note("the parameter")]
    value: Annotated[str, note("its value, as it is typed")]

    @property
    def typed(self) -> str:
        """As it is typed behind a question: `hq=Ober-Ost`."""
        return f"{self.name}={quoted(self.value)}"


NOT_ALLOWED = "Not allowed"
"""The part of a report that has the reasons against it."""


class Part(msgspec.Struct, frozen=True):
    """A part of the working."""

    title: Annotated[str, note("its title")]
    steps: Annotated[tuple[Step, ...], note("its steps")]
    brief: Annotated[
        str | None,
        note("its gist in one line, which the prompt shows first; empty if it shows none, null if it shows all steps"),
    ] = None


FOLLOWS = "What follows"
"""The part of a report that has its consequences."""


class Consequence(msgspec.Struct, frozen=True):
    """What must or may happen at once because of an answer, and stays owed until it is done."""

    step: Annotated[Step, note("in words")]
    ask: Annotated[str, note("the question to ask, with its parameters, empty if there is none")]
    owed: Annotated[Change, note("the change by which it is owed, which is among those of the report")]

    @property
    def sentence(self) -> Step:
        """As the short answer says it, with the name of the question."""
        question = self.ask.partition(" ")[0]
        text = f"{self.step.template} (ask {question})." if question else f"{self.step.template}."
        return Step(self.step.rule, text, self.step.figures)


class Report(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """The answer to one question about one state.

    A question leaves out game, question, consequences, cautions, books and viewpoint with its title, which `ask` fills
    in, and may leave parts without a step: `ask` drops those.
    """

    game: Annotated[str, note("the game's id")] = ""
    question: Annotated[str, note("the question's name")] = ""
    title: Annotated[str, note("what was asked")]
    verdict: Annotated[Verdict, note("the answer")]
    short: Annotated[
        tuple[Step, ...], note("the answer in sentences that need no working, empty where the verdict says it all")
    ] = ()
    follows: Annotated[
        tuple[Consequence, ...], note("what must or may happen at once because of it, and is owed from then on")
    ] = ()
    parts: Annotated[tuple[Part, ...], note("the working")] = ()
    cautions: Annotated[tuple[Step, ...], note("the doubts that the answer rests on")] = ()
    rests_on: Annotated[
        tuple[Placeholder, ...], note("what it has read of maps, charts and counters that are not the owner's own")
    ] = ()
    asks: Annotated[tuple[Ask, ...], note("what is missing or due")] = ()
    remedies: Annotated[
        tuple[Remedy, ...], note("what would make possible what is refused, each by one parameter")
    ] = ()
    changes: Annotated[
        tuple[AnyChange, ...], note("what the answer changes in the position when it is carried out")
    ] = ()
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
    viewpoint_title: Annotated[str, note("what the side of the viewpoint is called, empty if it is not a side")] = ""
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

    def __str__(self) -> str:
        """Return the report as text, 100 columns wide."""
        return to_text(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return to_html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print what IPython shows in a terminal."""
        printer.text(str(self))

    @property
    def answers(self) -> tuple[str, ...]:
        """The verdict in words, with the placeholders that it rests on, and its consequences; by limited information the
        answer as seen comes first, then the range over what may be hidden.
        """
        return self.answers_on(self.rests_on)

    @property
    def headline(self) -> str:
        """The answer in one line of at most LINE letters if it can be said so, with the placeholders that it rests on;
        by limited information the range over what may be hidden. Its consequences are never left out.
        """
        if self.as_seen or not self.sentences:
            lacking = [ask.title for ask in self.asks] if self.verdict.template in (MISSING_ONE, MISSING) else []
            text = _format_verdict(self.verdict, self.rests_on)
            text = fill("{text}: {missing:&}", {"text": text, "missing": lacking}) if lacking else text
            return ". ".join([text, " ".join(self.consequences)]) if self.follows else text
        mark = _format_mark(self.verdict, self.rests_on)
        first, *others = map(_format_sentence, self.short)
        while len(f"{first} {mark}") > LINE and "; " in first:
            first = first.rpartition("; ")[0] + "."
        first = " ".join((first, *self.consequences))
        for sentence in (*others, *map(_format_choice, self.asks[:1])):
            if len(f"{first} {sentence} {mark}") > LINE:
                break
            first = f"{first} {sentence}"
        return append_mark(first, mark)

    @property
    def reasons(self) -> tuple[Step, ...]:
        """Why what was asked is not allowed, none if it is."""
        if self.verdict.kind != "no":
            return ()
        return next((part.steps for part in self.parts if part.title == NOT_ALLOWED), ())

    @property
    def condition(self) -> str:
        """What stands behind the answer: the assumed facts and placeholders that it rests on, "" for none."""
        return _format_mark(self.verdict, self.rests_on)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in sentences with its consequences, none where the verdict is all that can be said."""
        if not (self.short and _is_fallible(self.verdict)):
            return ()
        return (*map(_format_sentence, self.short), *self.consequences)

    @property
    def consequences(self) -> tuple[str, ...]:
        """Its consequences in sentences."""
        return tuple(_format_sentence(consequence.sentence) for consequence in self.follows)

    @property
    def mark(self) -> str:
        """What stands behind the verdict, "" for one that rests on no placeholder."""
        return format_placeholder_mark(self.rests_on) if _is_fallible(self.as_seen or self.verdict) else ""

    def answers_on(self, rests_on: Sequence[Placeholder]) -> tuple[str, ...]:
        """Return the verdict in words as `answers` has it, with some placeholders; none where they are named once for
        several.
        """
        if self.as_seen is None:
            if self.sentences:
                return (append_mark(" ".join(self.sentences), _format_mark(self.verdict, rests_on)),)
            return (_format_verdict(self.verdict, rests_on), *self.consequences)
        figures = {
            name: "the same" if value == self.as_seen.text else value for name, value in self.verdict.figures.items()
        }
        ranged = msgspec.structs.replace(self.verdict, figures=figures)
        return (
            f"as seen: {_format_verdict(self.as_seen, rests_on)}",
            f"over what may be hidden: {_format_verdict(ranged, rests_on)}",
            *self.consequences,
        )

    @property
    def drawable(self) -> R | None:
        """The result that a picture shows: the one as seen, the only one, or the first of two."""
        if self.result_as_seen is not None:
            return self.result_as_seen
        return self.result if self.between is None else self.between[0] or self.between[1]

    @property
    def shown(self) -> R:
        """What is drawn of a report that can be drawn."""
        result = self.drawable
        assert result is not None  # nothing is drawn of a report without a result
        return result


def _format_choice(ask: Ask) -> str:
    """Return a choice that is due with its options, "" for all else that is asked for."""
    return f"{sentence_case(ask.title)}: {format_list(ask.options, 'or')}." if ask.kind == "choice" else ""


def _format_sentence(step: Step) -> str:
    """Return a step as a sentence, with a capital unless it begins with a name."""
    text = step.text
    return text if step.template.startswith("{") and not text.startswith("the ") else sentence_case(text)


def _format_verdict(verdict: Verdict, rests_on: Sequence[Placeholder]) -> str:
    """Return a verdict in words with what it rests on; one that is undecided for want of facts rests on nothing."""
    text = verdict.figures["verdict"] if verdict.template == DEPENDING else verdict.text
    return append_mark(text, _format_mark(verdict, rests_on))


def append_mark(text: str, mark: str) -> str:
    """Return a text with a mark behind it, before its full stop."""
    if not mark:
        return text
    return f"{text[:-1]} {mark}." if text.endswith(".") else f"{text} {mark}"


def _format_mark(verdict: Verdict, rests_on: Sequence[Placeholder]) -> str:
    """Return what stands behind a verdict: the assumed facts and the placeholders that it rests on, "" for none."""
    facts = verdict.figures["facts"] if verdict.template == DEPENDING else ()
    return format_placeholder_mark(rests_on, facts) if _is_fallible(verdict) else ""


def _is_fallible(verdict: Verdict) -> bool:
    """Return whether a verdict says something that may be wrong: all but one that is undecided for want of facts."""
    return verdict.kind != "undecided" or verdict.template == DEPENDING


LINE = 200
"""The letters of an answer in one line, as far as whole sentences go."""
ON_YOUR_MAP = "On your map"
"""The part of a report that lists what a drawn map has in the hexes that the answer names."""
MOST_NEAR = 8
"""How many lines that part has at most."""


def list_steps(report: Report[Any]) -> Iterator[Step | Verdict]:
    """Yield the verdict of a report and its steps."""
    yield report.verdict
    for part in report.parts:
        yield from part.steps


def make_map_part(near: Sequence[Near]) -> Part:
    """Return what a drawn map has in the hexes that an answer names, a line for each value."""
    lines = [
        Step(
            "",
            "{title}: {value} on {subjects:+}" if "|" in fact.subjects[0] else "{title}: {value} in {subjects:+}",
            {"title": short_title(fact.title), "value": fact.value, "subjects": fact.subjects},
        )
        for fact in near[:MOST_NEAR]
    ]
    more = len(near) - MOST_NEAR
    return Part(ON_YOUR_MAP, tuple([*lines, Step("", "{more} more", {"more": more})] if more > 0 else lines), "")


def replace_placeholders(report: Report[R], rests_on: Sequence[Placeholder]) -> Report[R]:
    """Return a report that rests on these placeholders and no others: its cautions and its part about a drawn map say
    so.
    """
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
    """Yield a caution for each way in which placeholders were made, with what was read of them."""
    counted: dict[str, list[str]] = {}
    for placeholder in rests_on:
        facts = counted.setdefault(describe_making(placeholder.source), [])
        facts.append(format_fact_count(placeholder.title, placeholder.facts))
    for how, facts in counted.items():
        yield Step("", NOT_PRINTED, {"how": how, "facts": facts})


class MissingFacts(Exception):
    """Facts that a question needs and that are not stated, all of them at once. asks: one entry per fact; parts: the
    working as far as it got without them."""

    def __init__(self, asks: Sequence[Ask], parts: Sequence[Part] = ()) -> None:
        super().__init__("; ".join(ask.how for ask in asks))
        self.asks = tuple(asks)
        self.parts = tuple(parts)


# --- text -------------------------------------------------------------------------------------------------------------

NARROW = 40
"""The columns of a report for a phone."""


def to_text(report: Report[Any], width: int = WIDE, *, bars: bool = True) -> str:
    """Return the report as text: rule numbers in a column of their own, or in brackets behind the text where the width
    is small.

    width: columns of the terminal; NARROW suits a phone. bars: whether likelihoods are drawn as bars of block
    characters where there is room.
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


MOST_LINES = 24
"""The most lines of an answer without its working on a wide screen."""
MOST_NARROW = 30
"""The most lines of an answer without its working on a phone."""


def to_short(report: Report[Any], width: int = WIDE, *, bars: bool = True, more: str = "--full") -> str:
    """Return the answer first: in sentences, or its verdict with what of the working has no shorter form; then what is
    asked for and what is done on the map and in the books; and whether there is more.

    more: what shows the rest.
    """
    in_sentences = bool(report.sentences) and report.as_seen is None
    answers = [line for answer in report.answers for line in wrap_text(answer, width, "" if in_sentences else "= ")]
    open_parts = () if in_sentences else tuple(part for part in report.parts if part.brief is None)
    working_shown = working(msgspec.structs.replace(report, parts=open_parts, cautions=()), width, bars=bars)
    title = [] if in_sentences else wrap_text(report.title, width)
    room = (MOST_LINES if width > NARROW else MOST_NARROW) - len(title) - len(answers) - (2 if width > NARROW else 4)
    lists = [line for entries in _list_after_answer(report, width) for line in entries.lines]
    after = list[str]()
    for entries in _list_after_answer(report, width, noted=False):
        after += entries.list_fitting(room - len(after))
    shown = _fit_parts(working_shown, room - len(after))
    left = len(working(report, width, bars=bars)) + len(lists) - len(shown) - len(after)
    notes = [f"more: {more}"] if left else []
    if report.viewpoint == UNLIMITED:
        notes.append("all is seen, --as SIDE for what one side may know")
    ends = wrap_text(f"({'; '.join(notes)})", width) if notes else []
    return "\n".join([*title, *answers, *shown, *after, *ends]) + "\n"


class _Entries(NamedTuple):
    """A list with its title, each entry in lines."""

    title: str
    entries: Sequence[Sequence[str]]

    @property
    def lines(self) -> list[str]:
        """All lines, an empty one before the title."""
        return ["", self.title, *(line for entry in self.entries for line in entry)] if self.entries else []

    def list_fitting(self, room: int) -> list[str]:
        """Return the lines of the first entries that have room."""
        fits = next(
            (n for n in range(len(self.entries), 0, -1) if len(self._replace(entries=self.entries[:n]).lines) <= room),
            0,
        )
        return self._replace(entries=self.entries[:fits]).lines


def _list_after_answer(report: Report[Any], width: int, *, noted: bool = True) -> Iterator[_Entries]:
    """Yield what is asked for and what changes. noted: whether what only the program notes is among it."""
    lists = [("Asked for", [*format_asks(report.asks)], "? ")]
    changes = format_changes(report).items()
    lists += [(title, texts, "- ") for title, texts in changes if noted or title != FOR_THE_PHASE]
    for title, texts, mark in lists:
        yield _Entries(title, [wrap_text(text, width, mark) for text in texts])


def _fit_parts(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines of those parts that have room from the first on."""
    if len(lines) <= room:
        return [*lines]
    ends = [number for number, line in enumerate(lines) if not line and number <= room]
    return [*lines[: ends[-1]]] if ends else []


def to_brief(report: Report[Any], *, before: Report[Any] | None = None) -> str:
    """Return the report in short: the verdict, each part that has a brief form in a line, the others in full, what is
    asked for.

    before: the one that was shown last, whose lines are not repeated.
    """
    shown = {(part.title, part.brief) for part in before.parts} if before else set()
    brief = [part for part in report.parts if part.brief and (part.title, part.brief) not in shown]
    full = msgspec.structs.replace(
        report, parts=tuple(part for part in report.parts if part.brief is None), cautions=()
    )
    lines = [
        *wrap_text(report.title, WIDE),
        *(line for answer in report.answers for line in wrap_text(answer, WIDE, "= ")),
        *(line for part in brief for line in wrap_text(f"{part.title}: {part.brief}", WIDE)),
        *working(full, WIDE),
        *_format_entries("Asked for", format_asks(report.asks), WIDE, "? "),
    ]
    return "\n".join(lines) + "\n"


def working(report: Report[Any], width: int = WIDE, *, bars: bool = True) -> list[str]:
    """Return the lines of the working and its cautions, an empty one before each part; the arguments are those of
    `to_text`.
    """
    lines: list[str] = []
    rules = [entry.rule for part in report.parts for entry in part.steps]
    column = max((len(rule) for rule in rules), default=0) + 2 if width > NARROW else 0
    for part in report.parts:
        lines += ["", *wrap_text(part.title, width)]
        barred = _draw_bars(part, width - column - 2) if bars and column else {}
        for number, entry in enumerate(part.steps):
            if number in barred:
                rules_first = (entry.rule, *[""] * (len(barred[number]) - 1))
                lines += [f"  {rule:<{column}}{line}" for rule, line in zip(rules_first, barred[number], strict=True)]
            else:
                lines += _format_step(entry.rule, entry.text, width, column)
    return lines + _format_entries("Cautions", (caution.text for caution in report.cautions), width, "! ")


ON_THE_MAP = "On the map"
"""The heading of changes that a player makes with counters and markers."""
IN_THE_BOOKS = "In the books"
"""The heading of changes that he writes down."""
FOR_THE_PHASE = "Noted for this phase"
"""The heading of changes that only the program notes."""


def format_changes(report: Report[Any]) -> dict[str, list[str]]:
    """Return the changes of a report in words by their headings."""
    under: dict[str, list[tuple[AnyChange, str]]] = {ON_THE_MAP: [], IN_THE_BOOKS: [], FOR_THE_PHASE: []}
    for change, text in zip(report.changes, report.done or map(format_change, report.changes), strict=True):
        track = "" if isinstance(change, Enter | Leave) else change.track
        heading = ON_THE_MAP
        if track in report.books:
            heading = IN_THE_BOOKS
        elif track in report.noted:
            heading = FOR_THE_PHASE
        under[heading].append((change, text))
    return {heading: group_changes(changes) for heading, changes in under.items()}


def _format_entries(title: str, entries: Iterable[str], width: int, mark: str) -> list[str]:
    """Return the lines of entries below their title; none without entries."""
    lines = [line for entry in entries for line in wrap_text(entry, width, mark)]
    return ["", title, *lines] if lines else []


def to_forum(report: Report[Any]) -> str:
    """Return the report as plain lines that survive a forum: no columns, no wrapping, and plain characters but for what
    players typed.
    """
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


_MOST_OPEN = 60
"""How many steps a report has in HTML, at most, if its parts are not to be folded."""
_LEFT = 'style="text-align: left; vertical-align: top"'
"""How cells of tables are aligned in HTML."""


def to_html(report: Report[Any]) -> str:
    """Return the report as a piece of a page, such as a cell of a notebook: no colours of its own, and whatever files
    hold is escaped. The parts of a long one are folded.
    """
    text = format_viewpoint(report.viewpoint, report.viewpoint_title, report.game)
    opened = " open" if sum(len(part.steps) for part in report.parts) <= _MOST_OPEN else ""
    lists = [
        ("Cautions", [caution.text for caution in report.cautions]),
        ("Asked for", [*format_asks(report.asks)]),
        *format_changes(report).items(),
    ]
    answers = "".join(f"<br>= {_escape_text(answer)}" for answer in report.answers)
    lines = [f"<p><b>{_escape_text(report.title)}</b>{answers}</p>"]
    lines += [_write_html_part(part, opened) for part in report.parts]
    lines += [_write_html_list(title, entries) for title, entries in lists if entries]
    if text:
        lines.insert(0 if report.viewpoint == UNLIMITED else len(lines), f"<p><small>{_escape_html(text)}</small></p>")
    return "\n".join(["<div>", *lines, "</div>"])


def _escape_text(text: str) -> str:
    """Return a text on a page, with minus signs."""
    return _escape_html(set_in_type(text, curly=False))


def _write_html_part(part: Part, opened: str) -> str:
    """Return a part: its steps in rows, each with its rule."""
    rows = (
        f"<tr><td {_LEFT}><small>{_escape_html(entry.rule)}</small></td><td {_LEFT}>{_write_html_step(entry)}</td></tr>"
        for entry in part.steps
    )
    return f"<details{opened}><summary>{_escape_text(part.title)}</summary><table>{''.join(rows)}</table></details>"


def _escape_html(text: str) -> str:
    """Return a text as HTML."""
    from html import escape  # only here: few answers are written for a forum

    return escape(text)


def _write_html_step(entry: Step) -> str:
    """Return a step, its likelihoods with bars."""
    if (line := find_likelihoods(entry)) is None:
        return _escape_text(entry.text)
    bar = '<span style="display: inline-block; height: 0.7em; opacity: 0.5; background: currentColor; width: {:.2f}em"></span>'
    lines = [_escape_text(line.head)] if line.head else []
    for likelihood, percent in zip(line.likelihoods, line.percents, strict=True):
        width = float(likelihood.chance) * 20
        lines.append(f"{_escape_text(str(likelihood.value))}: {percent:>{_PERCENT}} {bar.format(width)}")
    return "<br>".join(lines)


def _write_html_list(title: str, entries: Iterable[str]) -> str:
    return f"<p>{title}</p><ul>{''.join(f'<li>{_escape_text(entry)}</li>' for entry in entries)}</ul>"


def format_viewpoint_lines(viewpoint: str, title: str, game: str, width: int) -> tuple[list[str], list[str]]:
    """Return whose knowledge a report rests on, as lines before it and after it: that it tells everything is said
    before it does.
    """
    lines = wrap_text(format_viewpoint(viewpoint, title, game), width)
    if viewpoint == UNLIMITED:
        return [*lines, ""], []
    return [], ["", *lines] if lines else []


def format_viewpoint(viewpoint: str, title: str = "", game: str = "") -> str:
    """Return whose knowledge a report rests on, in words; "" for an umpire or if nothing is hidden.

    title: what that side is called; game: the one whose players can have their side remembered.
    """
    if viewpoint == UNLIMITED:
        remembers = f" (`assistant viewpoint {game} SIDE` remembers it)" if game else ""
        return (
            f"Seen: everything. --as SIDE shows what one side may know{remembers}; --umpire says that you may see all"
        )
    return f"Seen: what the {title or viewpoint} side may know" if viewpoint not in ("", UMPIRE) else ""


def _draw_bars(part: Part, room: int) -> dict[int, list[str]]:
    """Return the lines of those steps of a part that have likelihoods to draw and room for them, by number."""
    bars = {number: bar for number, entry in enumerate(part.steps) if (bar := find_likelihoods(entry))}
    lines = draw_bars(list(bars.values()), room)
    return {number: line for number, line in zip(bars, lines, strict=True) if line}


def find_likelihoods(entry: Step) -> BarLine | None:
    """Return the likelihoods of a step, with its text before them; None if it has none."""
    for name, value in entry.figures.items():
        if isinstance(value, tuple) and value and all(isinstance(item, Likelihood) for item in value):
            return BarLine(fill(entry.template, {**entry.figures, name: ""}).removesuffix(": "), value)
    return None


def _format_step(rule: str, text: str, width: int, column: int) -> Iterator[str]:
    if not column:
        yield from wrap_text(append_rule(text, rule), width, "  ")
        return
    first, *rest = wrap_text(text, max(width - column - 2, 20)) or [""]
    yield f"  {rule:<{column}}{first}"
    for line in rest:
        yield " " * (column + 2) + line


# --- bars -------------------------------------------------------------------------------------------------------------


LONGEST = 40
"""The most columns of a bar; bars on one line share them."""
SHORTEST = 4
"""The least columns of a bar: with less room, none is drawn."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
"""The last column of a bar by how many eighths of it are filled, from 0 on."""
SIGNS = f"█{_EIGHTHS.strip()}"
"""The characters that bars are made of."""
_PERCENT = 6
"""The columns of a chance in percent, such as `100.0%`."""


class BarLine(msgspec.Struct, frozen=True):
    """A line of text and likelihoods to draw after it: a distribution of numbers below it, single events beside it."""

    head: str
    likelihoods: Sequence[Likelihood]

    @property
    def percents(self) -> list[str]:
        """The chance of each in percent."""
        return [format_percent(likelihood.chance) for likelihood in self.likelihoods]

    @property
    def is_of_events(self) -> bool:
        """Whether these are single events, in words."""
        return any(isinstance(likelihood.value, str) for likelihood in self.likelihoods)


def format_bar(share: Fraction, width: int) -> str:
    """Return a bar of a share of a width in columns, to the nearest eighth of one; any share above 0 shows."""
    eighths = round(share * width * 8)
    if share:
        eighths = max(eighths, 1)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + _EIGHTHS[rest].strip()


def draw_bars(lines: Sequence[BarLine], room: int) -> list[list[str] | None]:
    """Return the lines of each with its bars, aligned in columns; None if there is no room.

    room: columns.
    """
    heads = max((len(line.head) for line in lines if line.is_of_events), default=0)
    blocks = [_draw_events(line, heads, room) if line.is_of_events else _draw_numbers(line, room) for line in lines]
    headed = [line.is_of_events and bool(line.head) for line in lines]
    crowded = any(rows is None for rows, has_head in zip(blocks, headed, strict=True) if has_head)
    return [None if crowded and has_head else rows for rows, has_head in zip(blocks, headed, strict=True)]


def _draw_numbers(line: BarLine, room: int) -> list[str] | None:
    """Return a distribution of numbers, a line each below its head; None if there is no room."""
    labels = [set_in_type(str(likelihood.value)) for likelihood in line.likelihoods]
    label = max(map(len, labels), default=0)
    width = min(room - 2 - label - 2 - _PERCENT - 2, LONGEST)
    if width < SHORTEST or len(line.head) > room:
        return None
    rows = zip(labels, line.percents, line.likelihoods, strict=True)
    return [
        line.head,
        *(
            f"  {name:>{label}}  {percent:>{_PERCENT}}  {format_bar(likelihood.chance, width)}".rstrip()
            for name, percent, likelihood in rows
        ),
    ]


def _draw_events(line: BarLine, heads: int, room: int) -> list[str] | None:
    """Return single events on one line, beside its head; None if there is no room. heads: columns that all heads take."""
    words = [str(likelihood.value) for likelihood in line.likelihoods]
    start = f"{line.head:<{heads}}  " if line.head else ""
    taken = len(start) + sum(map(len, words)) + len(words) * (_PERCENT + 2) + (len(words) - 1) * 2
    width = min((room - taken) // len(words), LONGEST // len(words))
    if width < SHORTEST:
        return None
    cells = (
        f"{word} {percent:>{_PERCENT}} {format_bar(likelihood.chance, width):<{width}}"
        for word, percent, likelihood in zip(words, line.percents, line.likelihoods, strict=True)
    )
    return [(start + "  ".join(cells)).rstrip()]
