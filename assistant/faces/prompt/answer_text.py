"""The text of an answer at the prompt: its news, its verdict, its assumptions, and its asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
from ...state.tracks import Track
from ...util.console import format_count
from ...util.errors import InputError, format_with_file, plain
from .answers import is_of_units, list_values
from .line_effects import MAX_FACTS_NAMED, find_ending_tracks, format_facts
from .table import Assumption, ShownAnswer

_MAX_LINES_OF_WORKING = 8
"""The maximum number of lines of working shown without `why`, unless a step would be cut off."""
_MAX_LINES_TO_END_OF_STEP = 12
"""The maximum number of lines of working if the last step is shown in full."""
_MAX_LINES_OF_CHANGES = 8
"""The maximum number of lines of changes that are shown without `why`."""
_MAX_OPTIONS = 8
"""The maximum number of options of a choice that are listed without `why`, unless only one would be left out."""
_MIN_USUAL_COUNTED = 3
"""The minimum number of usual facts that are only counted."""


def format_refusal(error: InputError, width: int) -> list[str]:
    """Return the reason of a refusal and its hint, in characters that a keyboard has."""
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
    cautions_shown: Sequence[Step] = (),
) -> Iterator[str]:
    """Yield the news of an answer, then its assumptions.

    An answer that has sentences shows these; any other shows its working and its verdict.

    `before`: the answer shown last, or None to show everything.
    `bars`: whether the screen can show bars.
    `whole`: whether all steps are shown, as for `why`, even if the answer has sentences.
    `cautions_shown`: the cautions already shown for this battle.
    """
    report = shown.report
    # None if the last answer was to another question
    last_answer = before if before and before.report.title == report.title else None
    if report.sentences and not report.as_seen and not whole:
        yield from wrap_text(_format_new_sentences(report, last_answer), width, "= ")
        briefs_shown = {part.brief for part in before.report.parts} if before else set()
        for part in report.parts:
            if part.title == TAKEN_FOR_GRANTED and part.brief and part.brief not in briefs_shown:
                yield from wrap_lines([f"{part.title}: {part.brief}"], width)
    else:
        if last_answer is None:
            yield from wrap_text(report.title, width)
        news = _select_news(shown, before.report if before else None, game, cautions_shown, whole=whole)
        yield from _format_working(news, width, bars=bars, shortens=last_answer is None and not whole, whole=whole)
        for answer in report.answers:
            yield from wrap_text(answer, width, "= ")
        for part in news.parts:
            if part.brief and not whole:
                yield from wrap_lines([f"{part.title}: {part.brief}"], width)
    if shown.assumed and (before is None or before.assumed != shown.assumed):
        yield from wrap_text(_format_assumptions(shown, whole=whole), width, "assumed: ", typed=True)


def _format_working(report: Report[Any], width: int, *, bars: bool, shortens: bool, whole: bool) -> list[str]:
    """Return the working and the cautions of a report as lines.

    `shortens`: whether to show only the first lines, and to point to `why` for the others.
    `whole`: whether to include the parts that have a brief form.
    """
    parts = tuple(part for part in report.parts if whole or part.brief is None)
    lines = working(msgspec.structs.replace(report, parts=parts), width, bars=bars)
    count = _count_whole_steps(lines, _MAX_LINES_OF_WORKING, width)
    if not shortens or len(lines) <= count + 1:  # to replace a single line by the remark would save nothing
        return lines
    return [*lines[: _drop_heading(lines, count)], "  (more: `why`)"]


def _format_new_sentences(report: Report[Any], before: ShownAnswer | None) -> str:
    """Return the new sentences of an answer, and the facts on which it depends if they differ."""
    old = before.report if before else None
    new = [sentence for sentence in report.sentences if not old or sentence not in old.sentences]
    condition = "" if old and old.condition == report.condition else report.condition
    if not new and not condition:
        return "as before"
    return append_mark(" ".join(new or report.sentences), condition)


def _count_whole_steps(lines: Sequence[str], min_lines: int, width: int) -> int:
    """Return the number of lines, at least `min_lines`, after which no step or caution of `working` is cut off.

    The indentation shows that a step or caution continues:

        5.0  5320: 1, and a       a step begins with 2 spaces and continues with 3 or more
             further line
        ! drawn, not from the     a caution begins with "! " and continues with 2 spaces
          printed game

    On a narrow screen all lines of a step have 2 spaces: there it ends with the line that ends in its rule, `[5.0]`.
    """
    max_lines = min(len(lines), _MAX_LINES_TO_END_OF_STEP)
    for count in range(min_lines, max_lines):
        next_line = lines[count]
        unindented = next((line for line in reversed(lines[:count]) if not line.startswith(" ")), "")
        goes_on = next_line.startswith("  " if unindented.startswith("! ") else "   ")
        if not goes_on and (width > PHONE_COLUMNS or not next_line or lines[count - 1].endswith("]")):
            return count
    return max_lines


def _drop_heading(lines: Sequence[str], count: int) -> int:
    """Return `count` reduced by a heading, and an empty line above it, at the end of that many lines."""
    while count > 1 and not lines[count - 1].startswith((" ", "! ")):
        count -= 1
    return count


def _format_assumptions(shown: ShownAnswer, *, whole: bool) -> str:
    """Return the assumptions of an answer, grouped by value and with a star for those on which the answer depends.

    Unless `whole` is set, usual facts are only counted if there are many.
    """
    usual = [assumption.number for assumption in shown.assumed if assumption.key[0] and not assumption.decisive]
    counted = [] if whole or len(usual) < _MIN_USUAL_COUNTED else usual
    groups: dict[tuple[str, str, bool], list[Assumption]] = {}
    for assumption in shown.assumed:
        if assumption.number not in counted:
            track, subject = assumption.key
            # words that begin with their subject can end a group of several subjects: `?1 36/17, ?3 28/20 infantry`
            same = track if assumption.words.startswith(f"{subject} ") else assumption.words
            groups.setdefault((same, assumption.value, assumption.decisive), []).append(assumption)
    statements = [_format_group(group) for group in groups.values()]
    if counted:
        statements.append(f"{len(counted)} usual facts ({_format_ranges(counted)}, `why` lists them)")
    star = "   (* the answer depends on it)" if any(assumption.decisive for assumption in shown.assumed) else ""
    has_commas = len(statements) < len(shown.assumed) - len(counted)
    return ("; " if has_commas else ", ").join(statements) + star


def _format_group(group: Sequence[Assumption]) -> str:
    """Return an assumption about several units or hexes, each with its number: `?1 36/17, ?3 28/20 infantry*`."""
    *others, last = group
    other_subjects = "".join(f"?{assumption.number} {assumption.key[1]}, " for assumption in others)
    return f"{other_subjects}?{last.number} {last.words}{'*' if last.decisive else ''}"


def _format_ranges(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"?{run[0]} to ?{run[-1]}" if len(run) > 1 else f"?{run[0]}" for run in runs)


def _select_news(
    shown: ShownAnswer, before: Report[Any] | None, game: Game, cautions_shown: Sequence[Step], *, whole: bool
) -> Report[Any]:
    """Return the report without the steps shown already and the cautions about its assumptions, listed below it.

    `whole`: whether cautions about the supposed identity of units in no roster stay.
    """
    report = shown.report
    steps_shown = {(step.rule, step.text) for part in before.parts for step in part.steps} if before else set()
    briefs_shown = {(part.title, part.brief) for part in before.parts} if before else set()
    parts = []
    for part in report.parts:
        steps = tuple(step for step in part.steps if (step.rule, step.text) not in steps_shown)
        brief = part.brief
        if brief and (part.title, brief) in briefs_shown:
            brief = ""
        if steps or brief:
            parts.append(msgspec.structs.replace(part, steps=steps, brief=brief))
    facts_listed = set[str]()
    for assumption in shown.assumed:
        track, subject = assumption.key
        if track:
            facts_listed.add(format_fact(game.tracks[track].title, subject))
    if not whole:
        facts_listed |= _find_supposed_facts(shown, game)
    texts_shown = {caution.text for caution in (*cautions_shown, *(before.cautions if before else ()))}
    known = facts_listed | texts_shown
    cautions = []
    for caution in report.cautions:
        if caution.figures.get("fact") not in known and caution.text not in known:
            cautions.append(caution)
    return msgspec.structs.replace(report, parts=tuple(parts), cautions=tuple(cautions))


def _find_supposed_facts(shown: ShownAnswer, game: Game) -> set[str]:
    """Return the facts of identity, such as the nation, of units in no roster, in the words of cautions.

    Facts on which the verdict depends are left out.
    """
    decisive = {tuple(key) for key in shown.report.verdict.figures.get("about", ())}
    units = [unit.id for unit in shown.position.state.units.values() if unit.type not in game.roster]
    keys = ((track, unit) for unit in units for track in game.file.notation.identity)
    return {format_fact(game.tracks[track].title, unit) for track, unit in keys if (track, unit) not in decisive}


def _format_later_asks(asks: Sequence[Ask], game: Game) -> Iterator[str]:
    cells_by_chart = Counter(str(ask.key[0]) for ask in asks if ask.kind == "cell")
    for chart, count in cells_by_chart.items():
        yield f"{format_count(count, 'cell')} of the {game.chart(chart).title}"
    for ask in asks:
        if ask.kind != "cell":
            yield format_ask_title(ask)


def format_asks(shown: ShownAnswer, ask: Ask | None, width: int, *, whole: bool = False) -> Iterator[str]:
    """Yield the lines above the prompt of an ask: how to answer it, modifiers, options, and later asks.

    `ask`: the ask of the prompt, or None if there is none.
    `whole`: whether to list all options of a choice, not only the first ones.
    """
    asks = shown.report.asks
    ask_of_report = None
    if ask:
        # the prompt may have its options in another order than the report, which has the usual one first
        ask_of_report = next((asked for asked in asks if asked.name == ask.name), None)
        if ask.kind == "parameter" or (ask.kind == "fact" and not ask.key and not ask.line):
            yield from wrap_text(ask.how, width, "  ", typed=True)
        for label, modifiers in ask.modifiers.items():
            yield from wrap_text(f"{label}: {format_modifiers(modifiers)}", width, "  ")
        options = ask.options if ask.kind == "choice" else ()
        has_usual = ask_of_report and options and is_of_units(shown.position.state, ask)
        usual = ask_of_report.options[0] if ask_of_report and has_usual else ""
        listed = options if whole or len(options) <= _MAX_OPTIONS + 1 else options[:_MAX_OPTIONS]
        for number, option in enumerate(listed, 1):
            mark = " (usual)" if option == usual and len(options) > 1 else ""
            remark = f" - {ask.remarks[option]}" if option in ask.remarks else ""
            yield from wrap_text(f"{number} {option}{mark}{remark}", width, "  ")
        if more := len(options) - len(listed):
            yield from wrap_text(f"{more} more: type their names or numbers; `why` lists them", width, "  ")
    if len(asks) > 1 and ask_of_report:
        yield from wrap_text("after that: " + "; ".join(_format_later_asks(asks[1:], shown.position.game)), width)


def format_changes(shown: ShownAnswer, width: int, *, carried_out: bool = False, whole: bool = False) -> Iterator[str]:
    """Yield the changes that `done` makes, or none while the report has asks.

    Facts that only the program notes are left out; the ends of many facts are one line.

    `carried_out`: whether the answer has been left, so that `done` is not offered.
    `whole`: whether all changes are shown, each in a line.
    """
    changes = shown.report.changes
    if not changes or shown.report.asks:
        return
    fact_changes = [change for change in changes if isinstance(change, Change)]
    ending_tracks = find_ending_tracks(shown.position.game)
    ends = [change for change in fact_changes if change.after is None and change.track in ending_tracks]
    groups_ends = len(ends) > MAX_FACTS_NAMED and not whole
    tracks_of_program = {*shown.report.noted} - {*shown.report.books}
    left_out = [change for change in fact_changes if change.track in tracks_of_program]
    if groups_ends:
        left_out += ends
    descriptions = zip(changes, shown.report.done, strict=True)
    texts = group_changes((change, text) for change, text in descriptions if change not in left_out)
    lines_left = _MAX_LINES_OF_CHANGES
    for text in texts:
        lines = [*wrap_text(text, width, "- ")]
        lines_left -= len(lines)
        if lines_left < 0 and not whole:
            yield f"- (`why` lists all {len(texts)} changes)"
            break
        yield from lines
    if groups_ends:
        ended_facts = format_facts([(change.track, change.subject) for change in ends])
        yield from wrap_text(f"no longer in force: {ended_facts} (`why` lists them)", width, "- ")
    if not carried_out:
        yield "`done` carries it out"


def format_prompt(ask: Ask | None, game: Game, row: Sequence[Ask] = ()) -> str:
    """Return the prompt: the title of the ask, and the allowed values in brackets.

    `ask`: the ask, or None for a prompt without one.
    `row`: the chart cells that may be typed at once, if `ask` is the first of them.
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
        meaning = ask.takes if len(chart.fields) == 1 else ""  # there is no room for the meaning of several fields
        takes = meaning or " / ".join(field.name for field in chart.fields)
        if len(row) > 1:
            title = f"{chart.title}, {format_row([cell.key[1:] for cell in row])}"
    return f"{title} ({takes})> " if takes else f"{title}> "


def _format_values(track: Track, possible: tuple[str, ...]) -> str:
    if track.kind == "choices":
        return f"none, or one or more of {', '.join(track.values)}, joined by +"
    return " / ".join(possible or list_values(track))
