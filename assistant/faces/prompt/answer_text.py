"""What the prompt shows of an answer: only what is new, the verdict, what is taken for granted, what is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from ...asking.asks import Ask, format_ask_title, format_drawn_title
from ...asking.changes import group_changes
from ...asking.question import TAKEN_FOR_GRANTED
from ...asking.report import PHONE_COLUMNS, Report, Step, append_mark, working
from ...asking.wording import format_fact, format_modifiers
from ...asking.wrapping import wrap_lines, wrap_text
from ...game.charts import format_row
from ...game.games import Game
from ...state.changes import Change
from ...state.state import UNSEEN, FactKey, GameState, Unit
from ...state.tracks import Track
from ...util.console import format_count
from ...util.errors import InputError, format_with_file, plain
from .answers import is_of_units, list_values
from .table import Assumption, ShownAnswer

_FIRST = 8
"""How many lines of working a new answer shows before `why`."""
_LONGEST = 12
"""How many lines they are if a single step is longer."""
_FEW_FACTS = 6
"""How many facts that end are named one by one."""
_FEW_SUBJECTS = 3
"""How many subjects are named of each of more facts that end."""
_CHANGES = 8
"""How many lines of changes are shown before `why`."""
_OPTIONS = 8
"""How many options of a choice are listed."""
_USUAL = 3
"""From how many usual facts on they are only counted."""


def format_refusal(error: InputError, width: int) -> list[str]:
    """Return why a line is refused, and what to type instead, with the signs of a keyboard."""
    return [
        *wrap_text(plain(format_with_file(error)), width, "! ", typed=True),
        *wrap_text(plain(error.hint), width, "  ", typed=True),
    ]


def format_answer(
    shown: ShownAnswer,
    before: ShownAnswer | None,
    game: Game,
    width: int,
    *,
    bars: bool,
    whole: bool = False,
    warned: Sequence[Step] = (),
) -> Iterator[str]:
    """Yield an answer as lines: what its working has that the one before lacked, its verdict, its brief parts, what it
    takes for granted.

    before: the answer shown last, None to show all; bars: whether the screen can show bars; whole: whether all steps
    are shown; warned: cautions already shown of this battle.
    """
    report = shown.report
    anew = before is None or before.report.title != report.title
    if report.sentences and not report.as_seen and not whole:
        yield from wrap_text(_format_new_sentences(report, None if anew else before), width, "= ")
        briefs = {part.brief for part in before.report.parts} if before else set()
        for part in report.parts:
            if part.title == TAKEN_FOR_GRANTED and part.brief and part.brief not in briefs:
                yield from wrap_lines([f"{part.title}: {part.brief}"], width)
    else:
        if anew:
            yield from wrap_text(report.title, width)
        news = _select_news(shown, before.report if before else None, game, warned, whole=whole)
        full = tuple(part for part in news.parts if whole or part.brief is None)
        lines = working(msgspec.structs.replace(news, parts=full), width, bars=bars)
        first = _count_whole_steps(lines, _FIRST, width)
        if anew and not whole and len(lines) > first + 1:
            first = _drop_heading(lines, first)
            lines = [*lines[:first], "  (more: `why`)"]
        yield from lines
        for answer in report.answers:
            yield from wrap_text(answer, width, "= ")
        for part in news.parts:
            if part.brief and not whole:
                yield from wrap_lines([f"{part.title}: {part.brief}"], width)
    if shown.assumed and (before is None or before.assumed != shown.assumed):
        yield from wrap_text(_format_assumptions(shown, whole=whole), width, "assumed: ", typed=True)


def _format_new_sentences(report: Report[Any], before: ShownAnswer | None) -> str:
    """Return what an answer says in sentences that the one before did not, and what it rests on if that is new."""
    old = before.report if before else None
    new = [sentence for sentence in report.sentences if not old or sentence not in old.sentences]
    condition = "" if old and old.condition == report.condition else report.condition
    if not new and not condition:
        return "as before"
    return append_mark(" ".join(new or report.sentences), condition)


def _count_whole_steps(lines: Sequence[str], first: int, width: int) -> int:
    """Return how many lines are shown so that no step or caution is cut off. Their lines below the first are set in; on
    a narrow screen, where those of a step are not, it ends with its rule.
    """
    most = min(len(lines), _LONGEST)
    for at in range(first, most):
        line = lines[at]
        margin = next((before for before in reversed(lines[:at]) if not before.startswith(" ")), "")
        goes_on = line.startswith("  " if margin.startswith("! ") else "   ")
        if not goes_on and (width > PHONE_COLUMNS or not line or lines[at - 1].endswith("]")):
            return at
    return most


def _drop_heading(lines: Sequence[str], first: int) -> int:
    """Return how many of the first lines are shown so that no heading stands last, without what it heads."""
    while first > 1 and not lines[first - 1].startswith((" ", "! ")):
        first -= 1
    return first


def _format_assumptions(shown: ShownAnswer, *, whole: bool) -> str:
    """Return what an answer takes for granted: what it depends on first, many usual facts only by their number unless
    the whole is wished.
    """
    usual = [assumption.number for assumption in shown.assumed if assumption.key[0] and not assumption.decisive]
    counted = [] if whole or len(usual) < _USUAL else usual
    alike: dict[tuple[str, str, bool], list[Assumption]] = {}
    for assumption in shown.assumed:
        if assumption.number not in counted:
            same = assumption.key[0] if assumption.words.startswith(f"{assumption.key[1]} ") else assumption.words
            alike.setdefault((same, assumption.value, assumption.decisive), []).append(assumption)
    statements = [_format_alike(group) for group in alike.values()]
    if counted:
        statements.append(f"{len(counted)} usual facts ({_format_ranges(counted)}, `why` lists them)")
    star = "   (* the answer depends on it)" if any(assumption.decisive for assumption in shown.assumed) else ""
    has_groups = len(statements) < len(shown.assumed) - len(counted)
    return ("; " if has_groups else ", ").join(statements) + star


def _format_alike(group: Sequence[Assumption]) -> str:
    """Return what is taken for granted alike of several units or hexes, each with its number: "?1 36/17, ?3 28/20
    infantry*".
    """
    *others, last = group
    before = "".join(f"?{assumption.number} {assumption.key[1]}, " for assumption in others)
    return f"{before}?{last.number} {last.words}{'*' if last.decisive else ''}"


def _format_ranges(numbers: Sequence[int]) -> str:
    """Return numbers of assumptions in few words: `?3 to ?7, ?9`."""
    rows: list[list[int]] = []
    for number in sorted(numbers):
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(f"?{row[0]} to ?{row[-1]}" if len(row) > 1 else f"?{row[0]}" for row in rows)


def _select_news(
    shown: ShownAnswer, before: Report[Any] | None, game: Game, warned: Sequence[Step], *, whole: bool
) -> Report[Any]:
    """Return the report without what the last one already showed and without cautions about the assumptions listed
    below it.

    warned: cautions already shown of this battle; whole: whether cautions stay about what was supposed of units that no
    roster knows, which a line has said.
    """
    report = shown.report
    old = {(step.rule, step.text) for part in before.parts for step in part.steps} if before else set()
    briefs = {(part.title, part.brief) for part in before.parts} if before else set()
    parts = []
    for part in report.parts:
        steps = tuple(step for step in part.steps if (step.rule, step.text) not in old)
        brief = part.brief
        if brief and (part.title, brief) in briefs:
            brief = ""
        if steps or brief:
            parts.append(msgspec.structs.replace(part, steps=steps, brief=brief))
    known = set[str]()
    for assumption in shown.assumed:
        name, subject = assumption.key
        if name:
            known.add(format_fact(game.tracks[name].title, subject))
    known.update(caution.text for caution in warned)
    if before:
        known.update(caution.text for caution in before.cautions)
    if not whole:
        known |= _find_supposed_facts(shown, game)
    cautions = []
    for caution in report.cautions:
        if caution.figures.get("fact") not in known and caution.text not in known:
            cautions.append(caution)
    return msgspec.structs.replace(report, parts=tuple(parts), cautions=tuple(cautions))


def _find_supposed_facts(shown: ShownAnswer, game: Game) -> set[str]:
    """Return what was supposed of the identity of units that no roster knows, as cautions name it, unless the verdict
    turns on it.
    """
    decisive = {tuple(key) for key in shown.report.verdict.figures.get("about", ())}
    units = [unit.id for unit in shown.position.state.units.values() if unit.type not in game.roster]
    keys = ((name, unit) for unit in units for name in game.file.notation.identity)
    return {format_fact(game.tracks[name].title, unit) for name, unit in keys if (name, unit) not in decisive}


def _format_later_asks(asks: Sequence[Ask], game: Game) -> Iterator[str]:
    """Yield what is asked for after the first, chart cells only by their number."""
    cells = Counter(str(ask.key[0]) for ask in asks if ask.kind == "cell")
    for chart, many in cells.items():
        yield f"{format_count(many, 'cell')} of the {game.chart(chart).title}"
    for ask in asks:
        if ask.kind != "cell":
            yield format_ask_title(ask)


def format_asks(shown: ShownAnswer, ask: Ask | None, width: int, *, whole: bool = False) -> Iterator[str]:
    """Yield what is asked for, beyond what the prompt itself shows. whole: whether all options of a choice are listed,
    not the first alone.
    """
    asks = shown.report.asks
    of_report = None
    if ask:
        of_report = next((asked for asked in asks if asked.name == ask.name), None)
        if ask.kind == "parameter" or (ask.kind == "fact" and not ask.key and not ask.line):
            yield from wrap_text(ask.how, width, "  ", typed=True)
        for label, modifiers in ask.modifiers.items():
            yield from wrap_text(f"{label}: {format_modifiers(modifiers)}", width, "  ")
        options = ask.options if ask.kind == "choice" else ()
        usual = of_report.options[0] if of_report and options and is_of_units(shown.position.state, ask) else ""
        first = options if whole or len(options) <= _OPTIONS + 1 else options[:_OPTIONS]
        for number, option in enumerate(first, 1):
            mark = " (usual)" if option == usual and len(options) > 1 else ""
            remark = f" - {ask.remarks[option]}" if option in ask.remarks else ""
            yield from wrap_text(f"{number} {option}{mark}{remark}", width, "  ")
        if more := len(options) - len(first):
            yield from wrap_text(f"{more} more: type their names or numbers; `why` lists them", width, "  ")
    if len(asks) > 1 and of_report:
        yield from wrap_text("after that: " + "; ".join(_format_later_asks(asks[1:], shown.position.game)), width)


def format_changes(shown: ShownAnswer, width: int, *, carried_out: bool = False, whole: bool = False) -> Iterator[str]:
    """Yield what carrying an answer out changes, once nothing is asked for any more. carried_out: whether it was left,
    carried out or not; whole: whether what no marker shows is said too, and many facts that end one by one.
    """
    changes = shown.report.changes
    if not changes or shown.report.asks:
        return
    of_facts = [change for change in changes if isinstance(change, Change)]
    lapsing = _find_lapsing_tracks(shown.position.game)
    lapsed = [change for change in of_facts if change.after is None and change.track in lapsing]
    folds = len(lapsed) > _FEW_FACTS and not whole
    tracks = {*shown.report.noted} - {*shown.report.books}
    left = [change for change in of_facts if change.track in tracks]
    if folds:
        left += lapsed
    descriptions = zip(changes, shown.report.done, strict=True)
    texts = group_changes((change, text) for change, text in descriptions if change not in left)
    room = _CHANGES
    for text in texts:
        lines = [*wrap_text(text, width, "- ")]
        room -= len(lines)
        if room < 0 and not whole:
            yield f"- (`why` lists all {len(texts)} changes)"
            break
        yield from lines
    if folds:
        ended = _format_facts([(change.track, change.subject) for change in lapsed])
        yield from wrap_text(f"no longer in force: {ended} (`why` lists them)", width, "- ")
    if not carried_out:
        yield "`done` carries it out"


def format_prompt(ask: Ask | None, game: Game, row: Sequence[Ask] = ()) -> str:
    """Return the prompt: what is asked for, and the values that it takes. row: the chart cells that may be typed at
    once.
    """
    if ask is None:
        return "> "
    takes = ask.dice or (ask.takes if ask.kind == "parameter" else "")
    title = format_drawn_title(ask)
    if ask.kind == "fact":
        track = game.tracks[str(ask.key[0])] if ask.key else None
        takes = ask.takes or (_format_values(track, ask.options) if track else " / ".join(ask.options))
    elif ask.kind == "cell":
        chart = game.chart(str(ask.key[0]))
        alone = ask.takes if len(chart.fields) == 1 else ""  # room for what a field means there is for one
        takes = alone or " / ".join(field.name for field in chart.fields)
        if len(row) > 1:
            title = f"{chart.title}, {format_row([ask_of_row.key[1:] for ask_of_row in row])}"
    return f"{title} ({takes})> " if takes else f"{title}> "


def _format_values(track: Track, possible: tuple[str, ...]) -> str:
    """Return the values that a fact may have; of several words on one counter or map, how they are joined."""
    if track.kind == "choices":
        return f"none, or one or more of {', '.join(track.values)}, joined by +"
    return " / ".join(possible or list_values(track))


def format_side_effects(game: Game, was: GameState, now: GameState, gone: Sequence[FactKey]) -> Iterator[str]:
    """Yield the side effects of a line: new units, units that left the map, facts that lapsed. gone: the facts that are
    stated no longer.
    """
    for unit in _list_changed_units(was, now):
        before = was.units.get(unit.id)
        if unit.place is None and before and before.place:
            yield f"off the map: {unit.id}, from {before.place}"
        elif before is None and unit.place is None:
            yield f"not on the map: {unit.id}"
    yield from format_new_units(game, was, now)
    for name, about in gone:
        if name == UNSEEN:
            yield f"no longer assumed: unseen units in {about}"
    lapsing = _find_lapsing_tracks(game) if gone else set[str]()
    lapsed = [(name, about) for name, about in gone if name in lapsing]
    if lapsed:
        yield f"no longer in force: {_format_facts(lapsed)}"


def _list_changed_units(was: GameState, now: GameState) -> list[Unit]:
    """Return the units that are new in a state, or stand elsewhere than before."""
    return [now.units[name] for name in now.compare_units(was).since]


def _find_lapsing_tracks(game: Game) -> set[str]:
    """Return the tracks whose facts end by themselves."""
    return {name for name, track in game.tracks.items() if track.ends_with or track.back or track.below}


def _format_facts(facts: Sequence[tuple[str, str]]) -> str:
    """Return facts by their names and subjects; many of them by their names, and the first of their subjects."""
    if len(facts) <= _FEW_FACTS:
        return ", ".join(f"{name} of {about}" if about else name for name, about in facts)
    subjects: dict[str, list[str]] = {}
    for name, about in facts:
        subjects.setdefault(name, []).append(about)
    names: dict[tuple[str, ...], list[str]] = {}
    for name, abouts in subjects.items():
        names.setdefault(tuple(sorted(abouts)), []).append(name)
    texts = []
    for shared, alike in names.items():
        of = f" of {_format_subjects(shared)}" if any(shared) else ""
        texts.append(", ".join(alike) + of)
    return "; ".join(texts)


def _format_subjects(subjects: Sequence[str]) -> str:
    """Return the first of some subjects, and how many more there are."""
    more = len(subjects) - _FEW_SUBJECTS
    return ", ".join(subjects) if more <= 1 else f"{', '.join(subjects[:_FEW_SUBJECTS])} and {more} more"


def format_new_units(game: Game, was: GameState, now: GameState) -> Iterator[str]:
    """Yield the units on the map that a line brings and that no roster knows, those of one kind together."""
    kinds: dict[str, list[str]] = {}
    for unit in _list_changed_units(was, now):
        if unit.id not in was.units and unit.place and unit.type not in game.roster:
            words = (now.value(name, unit.id) for name in game.file.notation.identity)
            kinds.setdefault(" ".join(str(word) for word in words if word), []).append(unit.id)
    if kinds:
        units = "; ".join(f"{', '.join(names)} ({kind})" if kind else ", ".join(names) for kind, names in kinds.items())
        yield f"not in the roster: {units}"


def format_moved_units(was: GameState, now: GameState) -> Iterator[str]:
    """Yield the units that a line has moved from one place to another."""
    moved = []
    for unit in _list_changed_units(was, now):
        before = was.units.get(unit.id)
        if before and before.place and unit.place and before.place != unit.place:
            moved.append(f"{unit.id} from {before.place}")
    if moved:
        yield f"moved: {', '.join(moved)}"


def _find_facts_unlike_roster(game: Game, was: GameState, now: GameState, since: Iterable[FactKey]) -> Iterator[str]:
    """Yield the nation, arm or size that a line states of a unit for the first time, otherwise than every roster has
    it. since: as `format_replaced_facts` takes it.
    """
    for name, about in since:
        fact = now.facts[name, about]
        if name not in game.file.notation.identity or fact.assumed or (name, about) in was.facts:
            continue
        unit = now.units.get(about)
        known = game.roster.get(unit.type, {}).get(name, ()) if unit else ()
        if known and all(printed.value != fact.value for printed in known):
            written = game.tracks[name].write
            yield f"{about} {name} {written(known[0].value)} (roster) to {written(fact.value)}"


def format_replaced_facts(game: Game, was: GameState, now: GameState, since: Iterable[FactKey]) -> Iterator[str]:
    """Yield the facts of units, hexes and hexsides that a line has stated otherwise than they were, with the old
    value. since: the facts that are new or stated otherwise.
    """
    changed = [*_find_facts_unlike_roster(game, was, now, since)]
    for name, about in since:
        fact = now.facts[name, about]
        track = game.tracks[name]
        old = was.facts.get((name, about))
        if track.on in ("unit", "hex", "hexside") and old and old.value != fact.value:
            changed.append(f"{about} {name} {track.write(old.value)} to {track.write(fact.value)}")
    if changed:
        yield f"changed: {', '.join(changed)}"
