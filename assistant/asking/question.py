"""Questions: what can be asked of a game, typed both ways, and what an answer depends on.

The command line, the prompt, the page and the published JSON Schema all come from the two types of a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial, wraps
from inspect import Parameter, signature, unwrap
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

from ..game.games import Game
from ..mechanics.procedure import AnswerError
from ..state.changes import PLACED, AnyChange, Change, Enter, Leave
from ..state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, is_limited
from ..state.tracks import Track, Value
from ..util.console import format_count
from ..util.errors import (
    CodeError,
    InputError,
    MachineError,
    PluginError,
    find_failed_line,
    format_code_place,
    format_suggestion,
    is_of_the_machine,
    word_plugin_error,
)
from ..util.limits import Limit, TooMuch
from ..util.notes import note
from .asks import sort_as_printed
from .changes import format_change
from .owing import end_left_behind, settle_owed, word_consequences
from .paper_map import PAPER_MAP, state_at_once
from .premises import Premises
from .report import (
    DEPENDING,
    FOLLOWS,
    MISSING,
    MISSING_ONE,
    UNLIMITED,
    MissingFacts,
    Part,
    Report,
    Step,
    Verdict,
    list_steps,
    replace_placeholders,
)
from .view import View
from .wording import format_fact, format_fact_count, format_list, short_title

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from .sketch import Drawable

TAKEN_FOR_GRANTED = "Assumed"
"""The part of a report that lists what it rests on although it is not stated."""
RULINGS = "Rulings"
"""The part of a report that lists the readings of doubtful rules that it rests on."""
_MAX_DEPENDING_NAMED = 2
"""The maximum number of assumed facts that a verdict names as those on which it depends."""

P = TypeVar("P", bound=msgspec.Struct)
R = TypeVar("R")
T = TypeVar("T")

PlaceName = Annotated[str, note("a hex or box by its printed name", "place")]
UnitName = Annotated[str, note("a unit by its id", "unit")]
UnitOrDecoy = Annotated[UnitName, note("a unit by its id", "decoy")]
"""A unit, or a decoy, such as a dummy, that counts for nothing: elsewhere it is refused."""
SideName = Annotated[str, note("a side, by its name or that of a nation", "side")]
NationName = Annotated[str, note("a nation, by its name or its first letters", "nation")]
AnyName = Annotated[str, note("a hex, a unit or another name that the question knows", "name")]
WAY = "way"
"""How a list of places is marked that may name one of them several times."""
Way = Annotated[tuple[PlaceName, ...], note("the hexes entered, in order", WAY)]
Answers = Mapping[str, str]
"""Rolls and choices by the name under which a report asks for them, as typed."""


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of a question; those of each question derive from it."""


class Nothing(Parameters, frozen=True):
    """No parameters: the position says it all."""


class Helpful(NamedTuple):
    """The values of a parameter that may make possible what a question refuses, each in words and as typed.

    It stands in the annotation of the parameter: `hq: Annotated[UnitName, note("its Headquarters"), Helpful(find)]`.
    """

    find: Callable[[View], Iterable[tuple[str, str]]]


class Single(NamedTuple):
    """Why a parameter takes one unit or hex alone, where players might name several; with the rule.

    It stands in the annotation of the parameter, as `Helpful` does.
    """

    why: str


class Opening(msgspec.Struct, frozen=True):
    """A question that was played, as the map shows."""

    parameters: Annotated[Mapping[str, str], note("parameters of the question, as typed")]
    sign: Annotated[str, note("what shows it, in words")]


class Judgement(msgspec.Struct, frozen=True):
    """A fact that players set on counters and that a question finds."""

    track: Annotated[str, note("the track, on units")]
    parameter: Annotated[str, note("the parameter that names the unit")]
    value: Annotated[Callable[[Report[Any]], Value | None], note("the value that a report on one unit gives")]


Answering = Callable[[View, P, Answers], Report[R]]
"""Reads a view and returns a report; raises MissingFacts, or InputError for parameters or answers that are not allowed.
"""
Decision = Callable[[Report[R]], Hashable]
"""The part of a report, as typed values, on which its verdict depends: if another value of an assumed fact changes it,
the verdict is undecided. A question without any is not asked again for them.
"""


Consequences = Callable[[View, Sequence[AnyChange]], Iterable[Change]]
"""Takes a view and the changes of an answer, and yields the changes that they bring about at once."""


class Question(msgspec.Struct, Generic[P, R], frozen=True, kw_only=True):
    """Something that can be asked: its name, its one-line description, its parameters and its result.

    `decide` may leave out chances and what-if. In `answers` a last part in capitals is a hex or unit: "to.UNIT".
    `openings` compares the position before dice with a later one; `sketch`'s annotation says what it returns.
    """

    name: str
    title: str
    parameters: type[P]
    result: type[R]
    answer: Answering[P, R]
    answers: Annotated[Mapping[str, str] | None, note("rolls and choices, with their meaning; None for any")] = None
    sketch: Annotated[
        Callable[[View, Report[R]], Drawable | tuple[Drawable | None, ...] | None] | None,
        note("what is drawn of it"),
    ] = None
    decision: Annotated[Decision[R] | None, note("what decides the verdict, None if no value does")] = lambda report: (
        report.verdict.decided
    )
    decide: Annotated[
        Answering[P, R] | None, note("the answer as far as the decision needs it; by default `answer`")
    ] = None
    openings: Annotated[Callable[[View, View], Iterable[Opening]] | None, note("what in a log shows its dice")] = None
    judges: Annotated[Judgement | None, note("the fact that it works out and that players also set")] = None
    consequences: Annotated[
        tuple[Consequences, ...], note("what else its changes bring, as the game registers it for all its questions")
    ] = ()

    def __post_init__(self) -> None:
        if self.sketch and not self.draws:  # also a name in its annotation that only a type checker knows fails here
            raise TypeError(f"{self.name}: annotate its sketch with what it returns")

    @property
    def draws(self) -> frozenset[type[Drawable]]:
        """The types of what can be drawn of its answers; a function without an annotation returns a `Sketch`."""
        if self.sketch is None:
            return frozenset()
        from .sketch import Sketch  # only here: most answers are not drawn

        return frozenset(_find_types(get_type_hints(_unwrap_function(self.sketch)).get("return", Sketch)))

    @property
    def drawn_as(self) -> frozenset[str]:
        """How its answers can be drawn: as a `picture`, a `chart`, a `map` in letters."""
        return frozenset(way for kind in self.draws for way in kind.DRAWN_AS)

    def draw(self, way: str, view: View, report: Report[R]) -> Drawable | None:
        """Return what is drawn of an answer; None if there is nothing. way: one of those of `drawn_as`."""
        made = self.sketch(view, report) if self.sketch else None
        every = made if isinstance(made, tuple) else (made,)
        return next((drawn for drawn in every if drawn is not None and way in drawn.DRAWN_AS), None)

    def file_in(self, folder: Traversable) -> str:
        """Return the file of a game's code that holds its answer, for messages; "" if that is none of the game's."""
        codes = (getattr(function, "__code__", None) for function in _find_functions(self.answer))
        places = (format_code_place(code.co_filename, code.co_firstlineno, folder) for code in codes if code)
        return next(filter(None, places), "")

    def waits_for(self, name: str) -> bool:
        """Return whether it may wait for an answer with this name."""
        if self.answers is None:
            return True
        return name in self.answers or any(
            name.startswith(head) and name != head for head in _find_heads(tuple(self.answers))
        )


def _unwrap_function(function: Any) -> Any:
    """Return the function that is written down behind one that is wrapped or has some of its arguments."""
    while isinstance(function, partial):
        function = function.func
    return unwrap(function)


def _find_functions(given: Any) -> Iterator[Any]:
    """Yield the function that is written down behind one, and those among the arguments that it has, such as a game's
    rules.
    """
    if isinstance(given, partial):
        given = given.func, *given.args, *given.keywords.values()
    if isinstance(given, tuple):
        for part in given:
            yield from _find_functions(part)
    elif callable(given):
        yield unwrap(given)


def _find_types(hint: Any) -> Iterator[type[Drawable]]:
    """Yield the types in an annotation, one by one."""
    parts = get_args(hint)
    if not parts and hint is not NoneType:
        yield hint
    for part in parts:
        yield from _find_types(part)


@cache
def _find_heads(answers: tuple[str, ...]) -> frozenset[str]:
    """Return what stands before the hex or the unit in the names of answers that have one: "to." for "to.UNIT"."""
    return frozenset(re.sub(r"(?<=\.)[A-Z.]+$", "", known) for known in answers) - {*answers}


def declare(
    name: str,
    title: str,
    answer: Callable[..., Report[R]],
    answers: Mapping[str, str] | None = MappingProxyType({}),
    *,
    parameters: type[msgspec.Struct] | None = None,
    decide: Callable[..., Report[R]] | None = None,
    **more: Any,
) -> Question[Any, R]:
    """Return a question, typed by the annotations of `answer(view: View, parameters: P, answers: Answers) ->
    Report[R]`, each left out if unused; or of `answer(view: View, *, at: PlaceName)`, where `from_` is named `from`.

    answers: the rolls and choices, by name; parameters: their type; more: other fields. Raises TypeError for other
    annotations.
    """
    hints = get_type_hints(answer.func if isinstance(answer, partial) else answer, include_extras=True)
    takes, single = _read_signature(answer)
    structs = [parameters] if parameters else [hints.get(name) for name in takes[1:] if name != "answers"]
    asked: Any = Nothing
    if structs:
        asked = structs[0]
    elif single:
        asked = _make_parameters(name, single, hints)
    results = get_args(hints.get("return"))
    if not isinstance(asked, type) or not issubclass(asked, msgspec.Struct) or len(results) != 1:
        raise TypeError(f"{name}: annotate its answer as (view: View, parameters: P, answers: Answers) -> Report[R]")
    return Question(
        name=name,
        title=title,
        parameters=asked,
        result=results[0],
        answer=_adapt_answer(answer),
        answers=answers,
        decide=_adapt_answer(decide) if decide else None,
        **more,
    )


def _read_signature(answer: Callable[..., Any]) -> tuple[list[str], list[Parameter]]:
    """Return what the function of a question takes: in order, the view first, and one by one, if it has no struct."""
    taken = signature(answer).parameters.values()
    positional = [given for given in taken if given.kind is not given.KEYWORD_ONLY]
    takes = [given.name for given in positional if given.default is given.empty]
    structs = any(name != "answers" for name in takes[1:])
    return takes, [] if structs else [given for given in taken if given.kind is given.KEYWORD_ONLY]


def _adapt_answer(answer: Callable[..., Report[R]]) -> Answering[Any, R]:
    """Return the function of a question as `Question` has it: called with parameters and answers, it receives what it
    takes.
    """
    takes, single = _read_signature(answer)

    @wraps(answer)  # so that an error names the line of the game's own function
    def answer_with_what_it_takes(view: View, parameters: Any, answers: Answers) -> Report[R]:
        every = ((parameter, getattr(parameters, parameter.name)) for parameter in single)
        named = {parameter.name: value for parameter, value in every if value != parameter.default}
        given = [view, *(answers if name == "answers" else parameters for name in takes[1:])]
        return answer(*given[: len(takes)], **named)

    return answer if len(takes) > 2 and not single else answer_with_what_it_takes


def _make_parameters(name: str, single: Iterable[Parameter], hints: Mapping[str, object]) -> type[msgspec.Struct]:
    """Return the parameters of a question that takes them one by one."""
    defaults = {given.name: msgspec.NODEFAULT if given.default is given.empty else given.default for given in single}
    fields = [
        (field, hints.get(field, Any), msgspec.field(default=default, name=field.rstrip("_")))
        for field, default in defaults.items()
    ]
    about = {"__doc__": f"What `{name}` is asked about."}
    return msgspec.defstruct(
        f"{name.title()}Parameters", fields, bases=(Parameters,), namespace=about, frozen=True, kw_only=True
    )


def answer_question(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    """Return the report that answers a question, with every doubt that it rests on.

    What the view hides is tried at its weakest and at its strongest. The verdict is undecided where the answers differ,
    facts are missing, or assumed ones matter; other assumptions are cautions. Raises InputError for impossible
    parameters and answers, TooMuch for too many assumptions.
    """
    report = _answer_over_range(question, view, parameters, answers)
    if not report.asks:
        return report
    return msgspec.structs.replace(report, asks=sort_as_printed(report.asks, view.game.printed_order))


def _answer_over_range(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    """Return the report over everything that the view hides: what holds at its weakest and at its strongest."""
    _refuse_others(question, answers)
    weakest = view if view.end == "weakest" else view.at_its("weakest")
    lower = _answer_at_end(question, weakest, parameters, answers)
    if not weakest.premises.supposes:
        if isinstance(lower, InputError):
            raise lower
        return lower
    strongest = view.at_its("strongest")
    upper = _answer_at_end(question, strongest, parameters, answers)
    if isinstance(lower, InputError):
        if isinstance(upper, InputError):
            raise upper
        lower = _report_undecided(question, weakest, "undecided: {why}", {"why": lower.what})
    if isinstance(upper, InputError):
        upper = _report_undecided(question, strongest, "undecided: {why}", {"why": upper.what})
    from .ranges import add_as_seen, merge_ends  # only here: in most games nothing is hidden

    report = merge_ends(lower, upper, bounded=not answers)
    seen = view.at_its("seen")
    as_seen = _answer_at_end(question, seen, parameters, answers)
    return report if isinstance(as_seen, InputError) else add_as_seen(report, as_seen, blind=seen.read_unseen_alone)


def decide(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    """Return the question's own answer, as far as its verdict goes, by what the view knows or supposes, whatever is
    assumed.

    Raises MissingFacts, and InputError for parameters and answers that are not allowed.
    """
    _refuse_others(question, answers)
    return _call_answer(question, view, parameters, answers, briefly=True)


def _refuse_others(question: Question[P, R], answers: Answers) -> None:
    """Raise AnswerError for an answer that the question does not wait for."""
    for name in answers:
        if not question.waits_for(name):
            hint = format_suggestion(name, question.answers or ())
            raise AnswerError(name, InputError(f"{question.name} does not ask for it", hint=hint))


def _answer_at_end(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R] | InputError:
    try:
        return _ask_as_supposed(question, view, parameters, answers)
    except (PluginError, TooMuch, MachineError):
        raise
    except InputError as error:  # perhaps no such position can exist
        return error


def _ask_as_supposed(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    """Return the report with all that is hidden as the view supposes it."""
    try:
        report = _call_answer(question, view, parameters, answers)
    except MissingFacts as missing:
        return report_missing(question, view, missing)
    with _blame_game(view.game, f"try what is assumed in {question.name}", question):
        deciding = _find_deciding(
            view,
            report,
            question.decision,
            lambda other: _call_answer(question, other, parameters, answers, briefly=True),
        )
    asked = {"title": report.title, **{name: getattr(parameters, name) for name in parameters.__struct_fields__}}
    with _blame_game(view.game, f"say what follows from {question.name}", question):
        changes = (*report.changes, *settle_owed(view, report, question.name, asked))
        changes += tuple(change for find in question.consequences for change in find(view, changes)) if changes else ()
        changes += tuple(end_left_behind(view, changes))
        follows = word_consequences(view, changes)
    what_follows = Part(FOLLOWS, tuple(consequence.step for consequence in follows), "")
    report = msgspec.structs.replace(report, parts=(*report.parts, what_follows), changes=changes, follows=follows)
    rests_on = view.premises.find_placeholders(
        view.game, view.board, (asked, *(step.figures for step in list_steps(report)))
    )
    answered = msgspec.structs.replace(
        report,
        game=view.game.id,
        question=question.name,
        verdict=_mark_depending(view, report.verdict, deciding),
        cautions=(*report.cautions, *_list_cautions(view, deciding)),
        parts=(*_add_granted(report.parts, view), *_list_rulings(view)),
        done=tuple(format_change(change, view.game.tracks) for change in report.changes),
        books=_find_books(report, view.game),
        noted=_find_noted(report, view.game),
        viewpoint=find_viewpoint(view),
        viewpoint_title=viewpoint_title(view),
    )
    return replace_placeholders(answered, rests_on)


class _Deciding(NamedTuple):
    """An assumed fact on which a verdict depends."""

    key: FactKey
    other: Value
    """Another value of it."""
    then: str
    """What follows from that, in words."""


def _find_deciding(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
) -> tuple[_Deciding, ...]:
    """Return the assumed facts of which another value would change a decision.

    report: the answer as it stands; decision: what counts of a report, None if no value decides; again: asks a view the
    same question. Raises TooMuch if trying their values takes too long.
    """
    if decision is None:
        return ()
    values = {
        key: view.game.tracks[key[0]].alternatives(fact.value)
        for key, fact in view.premises.facts.items()
        if fact.assumed
    }
    readings = sum(map(len, values.values())) * len(view.premises.facts)  # each value is tried by asking again
    if readings > Limit.DOUBTS.most:
        error = Limit.DOUBTS.error(
            f"trying other values of {format_count(len(values), 'assumed fact')} reads", readings
        )
        error.hint = f"state some of them without the question mark, or {error.hint}"
        raise error
    decided = decision(report)

    def consequence(key: FactKey, value: Value) -> str:
        """Return what follows from another value of a fact in words, "" if the decision stays."""
        try:
            supposed = view.supposing({key: value})
        except MachineError:
            raise
        except InputError:  # no position can have it, so it cannot be meant
            return ""
        try:
            answer = again(supposed)
        except PluginError:
            raise
        except InputError as error:
            return error.what
        except MissingFacts:
            return "more facts would be needed"
        finally:
            supposed.forget()  # else what was made for each value would stay until the last of them
        return "" if decision(answer) == decided else answer.verdict.text

    def deciding(key: FactKey) -> Iterator[_Deciding]:
        """Yield a fact with the first of its other values that changes the decision; none if no value does."""
        for value in values[key]:
            if then := consequence(key, value):
                yield _Deciding(key, value, then)
                return

    # Put aside for the whole search: what a view has worked out may read on when another uses it.
    premises, view.premises = view.premises, Premises()
    try:
        return tuple(fact for key in values for fact in deciding(key))
    finally:
        view.premises = premises


def _mark_depending(view: View, verdict: Verdict, deciding: Sequence[_Deciding]) -> Verdict:
    """Return a verdict, undecided if it depends on assumed facts, which it names; those of the same track and value
    together, and what units are in one phrase.
    """
    if not deciding or verdict.kind == "undecided":
        return verdict
    alike: dict[tuple[str, str], list[str]] = {}
    for (track, subject), _, _ in deciding:
        declared = view.game.tracks[track]
        fact = view.premises.facts[track, subject]
        alike.setdefault((track, declared.write(fact.value)), []).append(subject)
    facts = list[str]()
    identity = [key for key in alike if key[0] in view.game.file.notation.identity]
    if len(identity) > 1:
        titles = dict.fromkeys(view.game.tracks[track].title for track, _ in identity)
        units = dict.fromkeys(unit for key in identity for unit in alike.pop(key))
        facts.append(f"{format_list(titles)} of {_format_subjects([*units])} are as assumed")
    facts += [
        _format_assumption(view.game.tracks[track], value, subjects)
        for (track, value), subjects in [*alike.items()][:_MAX_DEPENDING_NAMED]
    ]
    if more := sum(map(len, [*alike.values()][_MAX_DEPENDING_NAMED:])):
        facts.append(f"{format_count(more, 'more assumption')} {'holds' if more == 1 else 'hold'}")
    figures = {"verdict": verdict.text, "facts": facts, "about": [list(key) for key, _, _ in deciding]}
    return Verdict("undecided", DEPENDING, figures)


def _format_assumption(track: Track, value: str, subjects: Sequence[str]) -> str:
    """Return facts of one track and value in words, the first by its subject; of the ground as notation has it, which
    names no track.
    """
    several = len(subjects) > 1
    who = _format_subjects(subjects)
    title = short_title(track.title)
    if track.on not in ("hex", "hexside") or track.written != "{}":
        return f"{title}{f' of {who}' if subjects[0] else ''} is {value}"
    if value == "none" or value.startswith("no-"):
        return f"{who} {'have' if several else 'has'} no {title}"
    return f"{who} {'are' if several else 'is'} {value}"


def _format_subjects(subjects: Sequence[str]) -> str:
    """Return the first of some subjects and the number of the others."""
    return subjects[0] + (f" and {len(subjects) - 1} more" if len(subjects) > 1 else "")


def _find_books(report: Report[Any], game: Game) -> tuple[str, ...]:
    """Return the tracks among the changes of a report that stand in the books: of a nation, a side or the game, if it
    has events.
    """
    tracks = {change.track for change in report.changes if not isinstance(change, Enter | Leave)} - {*PLACED}
    books = sorted(name for name in tracks & game.tracks.keys() if game.track(name).on in ("nation", "side", "game"))
    if not books:
        return ()
    from ..game.events import read_events  # only here: most answers touch no account

    return tuple(books) if read_events(game).event else ()


def _find_noted(report: Report[Any], game: Game) -> tuple[str, ...]:
    """Return the tracks among the changes of a report that end with a phase or turn and that no counter or marker
    shows.
    """
    tracks = {change.track for change in report.changes if not isinstance(change, Enter | Leave)} & game.tracks.keys()
    return tuple(sorted(name for name in tracks if game.track(name).ends_with and game.track(name).module is None))


def _add_granted(parts: tuple[Part, ...], view: View) -> Iterator[Part]:
    """Yield the parts that have steps; what the view has taken for granted is added to the part with that title."""
    premises = view.premises
    if not any(part.title == TAKEN_FOR_GRANTED for part in parts):
        parts = (*parts, Part(TAKEN_FOR_GRANTED, ()))
    for part in parts:
        if part.title == TAKEN_FOR_GRANTED:
            brief = "; ".join(filter(None, (part.brief, *premises.assumed_aloud)))
            part = Part(part.title, (*part.steps, *premises.assumptions), brief)
        if part.steps:
            yield part


def report_missing(question: Question[P, R], view: View, missing: MissingFacts) -> Report[R]:
    """Return the report if facts are missing: it lists all of them and how to state each."""
    text = MISSING_ONE if len(missing.asks) == 1 else MISSING
    report = _report_undecided(question, view, text, {"missing": len(missing.asks)})
    parts = (*missing.parts, *_list_rulings(view)) if missing.parts else ()
    at_once = state_at_once(view, [ask.key[0] for ask in missing.asks if ask.kind == "fact" and ask.key])
    parts = (*parts, Part(PAPER_MAP, at_once)) if at_once else parts
    return msgspec.structs.replace(report, parts=parts, asks=missing.asks)


def _report_undecided(question: Question[P, R], view: View, template: str, figures: Mapping[str, object]) -> Report[R]:
    """Return the report if the question cannot be answered with what the view knows or supposes."""
    undecided: Report[R] = Report(
        game=view.game.id,
        question=question.name,
        title=f"{question.name}: {question.title}",
        verdict=Verdict("undecided", template, figures),
        cautions=tuple(_list_cautions(view)),
        viewpoint=find_viewpoint(view),
        viewpoint_title=viewpoint_title(view),
    )
    return replace_placeholders(undecided, view.premises.find_placeholders(view.game, view.board, ()))


def find_viewpoint(view: View) -> str:
    """Return whose knowledge the answer rests on; "" in a game without hidden information, or if the position states
    what is hidden.
    """
    state = view.state
    limited = view.game.hiding.limits(state.facts) is not None or state.tracks & {MASKED, INVISIBLE}
    return state.seen_by or (UNLIMITED if limited and not state.tracks & {UNSEEN, HIDDEN} else "")


def viewpoint_title(view: View) -> str:
    """Return what the side is called as which a view sees; "" for none."""
    seen_by = view.state.seen_by
    return view.game.file.title_of(seen_by) if is_limited(seen_by) else ""


def _call_answer(
    question: Question[P, R], view: View, parameters: P, answers: Answers, *, briefly: bool = False
) -> Report[R]:
    """Return the question's own answer; any unexpected exception becomes an error that names the plugin.

    briefly: whether to compute only what the decision needs.
    """
    answer = question.decide if briefly and question.decide else question.answer
    game = view.game
    doing = f"answer {question.name}"
    with _blame_game(game, doing, question):
        report = answer(view, parameters, answers)
    if not isinstance(report, Report):  # a question that forgets `return`, say
        code = getattr(_unwrap_function(answer), "__code__", None)
        place = format_code_place(code.co_filename, code.co_firstlineno, game.folder) if code else ""
        kind = "None" if report is None else f"of the type {type(report).__name__}"
        wrong = f"its answer is {kind}, not a Report; does it end with `return Report(...)`?"
        raise word_plugin_error(game.id + game.made_by, TypeError(wrong), doing, place or question.file_in(game.folder))
    for wanted in report.asks:
        if wanted.kind in ("roll", "choice") and not question.waits_for(wanted.name):
            unnamed = CodeError(f"it asks for {wanted.name!r}, which its answers do not name", "add it to `answers`")
            raise word_plugin_error(game.id + game.made_by, unnamed, doing, question.file_in(game.folder))
    return report


def draw_safely(game: Game, draw: Callable[[], T]) -> T:
    """Return what the code of a game draws of an answer. Raises PluginError, which names the game, for anything but
    InputError.
    """
    with _blame_game(game, "draw its answer", passes=(InputError,)):
        return draw()


@contextmanager
def _blame_game(
    game: Game,
    doing: str,
    question: Question[Any, Any] | None = None,
    *,
    passes: tuple[type[Exception], ...] = (InputError, MissingFacts),
) -> Iterator[None]:
    """Make a PluginError of what the code of a game raises in the block.

    doing: what fails; question: whose file is named where no line of the game is on the way to the error; passes:
    errors that are raised as they are.
    """
    try:
        yield
    except passes:
        raise
    except Exception as error:  # a plugin may raise anything; the message must say whose fault it is
        if is_of_the_machine(error):
            raise
        line = find_failed_line(error, game.folder) or (question.file_in(game.folder) if question else "")
        raise word_plugin_error(game.id + game.made_by, error, doing, line) from error


def _list_cautions(view: View, deciding: Iterable[_Deciding] = ()) -> list[Step]:
    """Return a line for each assumed fact, and what else the answer depends on but placeholders."""
    cautions = []
    stated_elsewhere: dict[str, list[str]] = {}
    turns = {turn.key: turn for turn in deciding}
    says_elsewhere = bool(view.state.elsewhere)
    for (name, subject), fact in view.premises.facts.items():
        if fact.assumed:
            track = view.game.track(name)
            figures = {"fact": format_fact(track.title, subject), "value": track.write(fact.value)}
            text = "assumed: {fact}: {value}"
            if turn := turns.get((name, subject)):
                figures |= {"other": track.write(turn.other), "then": turn.then}
                text += "; with {other}: {then}"
            cautions.append(Step(track.rule, text, figures))
        if says_elsewhere and view.is_elsewhere((name, subject), fact):
            stated_elsewhere.setdefault(name, []).append(subject)
    if stated_elsewhere:
        elsewhere = {name: view.game.track(name).word(view.state.elsewhere[name].value) for name in stated_elsewhere}
        counted = [format_fact_count(elsewhere[name], len(about)) for name, about in stated_elsewhere.items()]
        cautions.append(Step("", "stated of all other hexes: {elsewhere}", {"elsewhere": counted}))
    rule = view.game.file.intelligence.rule if view.game.file.intelligence else ""
    if view.premises.unseen:
        cautions.append(Step(rule, "not all units can be seen at {places}", {"places": list(view.premises.unseen)}))
    unknown: dict[str, list[str]] = {}
    for name, subject in view.premises.supposed:
        unknown.setdefault(subject, []).append(view.game.track(name).title)
    for unit, facts in unknown.items():
        cautions.append(Step(rule, "unknown for {unit}: {facts}", {"unit": unit, "facts": facts}))
    others = {
        item.about: None for item in view.state.unread if item.shown and (item.track, item.about) in view.premises.facts
    }
    if others:
        cautions.append(Step("", "the counters in the file show other figures: {units}", {"units": list(others)}))
    if unread := [item for item in view.state.unread if not item.shown]:
        count = {"unread": len(unread)}
        cautions.append(Step("", "{unread:#item} in the file not understood: see `assistant check`", count))
    return cautions


def _list_rulings(view: View) -> list[Part]:
    """Return the readings of doubtful rules that the answer rests on."""
    steps = []
    for name, reading in view.premises.rulings.items():
        ruling = view.game.rulings[name]
        figures = {"doubt": ruling.doubt, "meaning": ruling.readings[reading], "ruling": name, "reading": reading}
        steps.append(Step(ruling.rule, "{doubt}: {meaning} (ruling {ruling}={reading})", figures))
    brief = ", ".join(f"{name}={reading}" for name, reading in view.premises.rulings.items())
    return [Part(RULINGS, tuple(steps), brief)] if steps else []
