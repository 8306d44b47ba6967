"""What an answer rests on, out of what its view has read: facts that a player assumed, of which another value would
change the verdict, and placeholders.

A question is asked again with each other value of each assumed fact, one at a time, and never about a placeholder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..state.state import FactKey
from ..state.tracks import CERTAIN, Fact, Source, Track, Value
from ..util.console import format_count
from ..util.errors import InputError, MachineError, PluginError
from ..util.limits import Limit
from ..util.patterns import late_pattern
from .placeholders import Kind, Near, Placeholder
from .premises import Premises
from .report import DEPENDING, MissingFacts, Report, Verdict
from .view import View
from .wording import format_list, short_title

_WORD = late_pattern(r"[^\s,;:()|]+")
"""A word in a text, such as the name of a hex or a unit."""
NAMED = 2
"""How many facts a verdict names that it depends on."""


class Deciding(NamedTuple):
    """An assumed fact on which a verdict depends."""

    key: FactKey
    other: Value
    """Another value of it."""
    then: str
    """What follows from that, in words."""


def find_deciding(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
) -> tuple[Deciding, ...]:
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

    def deciding(key: FactKey) -> Iterator[Deciding]:
        """Yield a fact with the first of its other values that changes the decision; none if no value does."""
        for value in values[key]:
            if then := consequence(key, value):
                yield Deciding(key, value, then)
                return

    # Put aside for the whole search: what a view has worked out may read on when another uses it.
    premises, view.premises = view.premises, Premises()
    try:
        return tuple(fact for key in values for fact in deciding(key))
    finally:
        view.premises = premises


def mark_depending(view: View, verdict: Verdict, deciding: Sequence[Deciding]) -> Verdict:
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
        for (track, value), subjects in [*alike.items()][:NAMED]
    ]
    if more := sum(map(len, [*alike.values()][NAMED:])):
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


def find_placeholders(view: View, figures: Iterable[Mapping[str, Any]]) -> tuple[Placeholder, ...]:
    """Return what an answer has read that is not the owner's own. figures: of the question, its verdict and its steps,
    which name hexes and units.
    """
    by_track = dict[tuple[str, Source], dict[FactKey, Fact]]()
    for key, fact in view.premises.facts.items():
        if fact.source not in CERTAIN and not fact.assumed:
            by_track.setdefault((key[0], fact.source), {})[key] = fact
    facts: dict[tuple[Kind, Source, str], dict[FactKey, Fact]] = {}
    for (name, source), of_track in by_track.items():
        track = view.game.track(name)
        kind = _find_kind(track)
        title = view.board.title if kind == "map" else short_title(track.title)
        facts.setdefault((kind, source, title), {}).update(of_track)
    cells = Counter(
        (cell.source, view.game.chart(chart).title)
        for (chart, _), cell in view.premises.cells.items()
        if cell.source not in CERTAIN
    )
    named = _find_names(figures) if facts else set[str]()
    return (
        *(
            Placeholder(kind, source, title, len(read), () if kind == "other" else _list_near(view, read, named))
            for (kind, source, title), read in facts.items()
        ),
        *(Placeholder("charts", source, title, count) for (source, title), count in cells.items()),
    )


def _find_kind(track: Track) -> Kind:
    """Return what a fact of a track is read of: a map, a counter's rating, or something that no verdict is marked for."""
    if track.on in ("hex", "hexside"):
        return "map"
    return "counters" if track.on == "unit" and track.kind == "integer" else "other"


def _list_near(view: View, facts: Mapping[FactKey, Fact], named: set[str]) -> tuple[Near, ...]:
    """Return the facts of what the answer names, or all where it names nothing of them: what a fact of the map bars is
    not named. By track and value, in an order of their own, as rules read them in any: first what the printed map
    shows, hexes before hexsides, and what there is before what there is not.
    """
    tracks = view.game.tracks
    rank = {name: at for at, name in enumerate(view.game.tracks)}
    alike: dict[tuple[str, str], list[str]] = {}
    of_named = {key: fact for key, fact in facts.items() if named.issuperset(key[1].split("|"))}
    for (name, subject), fact in (of_named or facts).items():
        alike.setdefault((name, tracks[name].write(fact.value)), []).append(subject)
    values = [
        Near(name, tracks[name].title, value, tuple(sorted(subjects))) for (name, value), subjects in alike.items()
    ]

    def order(near: Near) -> tuple[bool, bool, bool, int, str]:
        declared = tracks[near.track]
        is_nothing = near.value.startswith("no")  # no, none, no-rail
        return declared.printed != "map", declared.on == "hexside", is_nothing, rank[near.track], near.value

    return tuple(sorted(values, key=order))


def _find_names(figures: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return what figures name: each text of them, and the words in it."""
    texts = {text for named in figures for figure in named.values() for text in _find_texts(figure)}
    return texts.union(*map(_WORD.findall, texts))


def _find_texts(figure: Any) -> Iterator[str]:
    """Yield the texts in a figure, be it one, or a list of figures."""
    match figure:
        case str():
            yield figure
        case list() | tuple():
            for item in figure:
                yield from _find_texts(item)
