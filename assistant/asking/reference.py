"""The reference of an installed game (questions, figures, tracks, charts, turns), and its rules by chapter.

Both are written from the game itself. The rules by chapter name the questions that apply each rule, what is left to the
players, and the readings of unclear rules in use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from ..game.course import GAME, course_file
from ..game.events import EVENTS, read_events
from ..game.games import Game
from ..game.rule_index import A_FACT, IN_PART, NO_INDEX, RuleRow, chapter_of, is_under
from ..game.rule_questions import rules_with_questions
from ..game.rulings import Ruling
from ..game.turn_record import KINDS, format_runs, turns
from ..util.console import format_count
from ..util.datafiles import read_toml
from ..util.errors import InputError, Where, format_suggestion
from ..util.files import package_folder
from ..util.notes import fields_of, notes_of, options_of
from ..util.patterns import late_pattern
from .question import Parameters, Question
from .schemas import list_structs
from .wording import sentence_case

FIGURES = read_toml(package_folder(__package__).joinpath("figures.toml"), dict[str, str])
"""The meanings of the figures in the working of any report, by name; a game adds its own under [figures]."""


_REPORT_NOTE = """
A report in JSON holds `verdict`, `parts` (each step with its rule, its text and its figures), `cautions`, `asks`
(what is missing or due, and what to type), `changes`, `result` (the answer in named fields) and the `viewpoint`. With
hidden information, a figure may be a range, `{"weakest": ..., "strongest": ...}`; `between` may hold two results; and
`as_seen` and `result_as_seen` hold the answer from what is seen alone. Fractions are written as
`{"exact": "5/36", "decimal": 0.138888889}`. `result` may be null: where facts are missing, which `asks` then lists; where
the rules do not allow what was asked; and where `between` holds two results instead.

Answer a roll or a choice by the name that `asks` gives it. In the names below, a word in capitals stands for a hex, a
unit or a Force (by its first unit)."""
"""The text above the questions."""


def write_reference(
    game: Game, questions: Mapping[str, Question[Any, Any]], hidden: Collection[str] = ()
) -> Iterator[str]:
    """Yield the lines of the reference of a game and its questions, as Markdown.

    `hidden`: names of questions that are also names of other commands.

    Raises InputError if an entry of `[wishes]` in `game.toml` names an unknown question.
    """
    yield f"# Reference: {game.title}"
    yield ""
    yield f"Written by `assistant reference {game.id}`."
    yield from _REPORT_NOTE.split("\n")
    yield from _write_wishes(game, questions)
    for question in questions.values():
        yield from ("", *write_question(question, hidden=question.name in hidden))
    yield from ("", "## Figures of the working", "", "| name | meaning |", "| --- | --- |")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in sorted((FIGURES | game.file.figures).items()))
    yield from _write_tracks(game)
    yield from _write_events(game)
    yield from _write_charts(game)
    yield from _write_turns(game)


def _write_tracks(game: Game) -> Iterator[str]:
    yield from ("", "## Tracks", "")
    yield "What a position can state. In notation a track may always be written in full, `name=value`."
    yield ""
    yield "| track | on | notation | values | silence means | rule | meaning |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for track in game.tracks.values():
        silence = "unknown"
        if track.absent is not None:
            silence = f"`{track.write(track.absent)}`" if track.absent != "" else "none"
        takes = ", ".join(track.values) or track.takes
        meaning = f"{track.title}; {track.note}" if track.note else track.title
        yield f"| `{track.name}` | {track.on} | `{track.written}` | {takes} | {silence} | {track.rule} | {meaning} |"


def _write_events(game: Game) -> Iterator[str]:
    events = read_events(game)
    if not events.event:
        return
    yield from ("", "## Events", "", "What a journal records: `WHO EVENT AMOUNT KIND NOTE`.")
    yield f"Short names: {', '.join(f'`{short}` {subjects}' for short, subjects in events.short.items())}."
    yield from ("", "| event | amount | kind | happens to | rule | meaning |", "| --- | --- | --- | --- | --- | --- |")
    for word, event in events.event.items():
        amount = "" if event.least is None else f"{event.least} to {event.most}"
        alone = [("a unit" if event.unit else "", event)] if not event.kinds or event.posts or event.sets else []
        for kind, row in (*alone, *((f"`{name}`", kind) for name, kind in event.kinds.items())):
            subjects = GAME if event.on == GAME else ", ".join(row.only or event.only) or f"any {event.on}"
            rule = row.rule or event.rule
            title = row.title or event.title
            yield f"| `{word}` | {amount} | {kind} | {subjects} | {rule} | {title} |"


def _write_charts(game: Game) -> Iterator[str]:
    yield from ("", "## Charts", "")
    for chart in game.charts.values():
        keys = " ".join(key.name for key in chart.keys)
        fields = " / ".join(field.name for field in chart.fields)
        yield f"- `chart {chart.name} {keys} = {fields}`: {chart.title} ({chart.rule})"
        yield from (f"    - `{key.name}`: {key.takes}" for key in chart.keys)
        yield from (f"    - `{field.name}`: {field.note}" for field in chart.fields if field.note)
        if chart.unread:
            yield f"    - Not read yet: {chart.unread}."


def _write_turns(game: Game) -> Iterator[str]:
    course_turns = turns(game)
    course = course_file(game)
    if not course_turns:
        return
    yield from ("", "## Turns", "")
    titles = {
        figure.name: f", {figure.title}" + (f" of {figure.who}" if figure.who else "")
        for figure in course.turns.figures
    }
    for kind in (*KINDS[:-1], *titles):
        stated: dict[str, list[int]] = {}
        for turn in course_turns:
            if fact := turn.fact(kind):
                stated.setdefault(f"{fact.in_words}{f' ({fact.rule})' if fact.rule else ''}", []).append(turn.number)
        texts = "; ".join(f"{format_runs(numbers)}: {text}" for text, numbers in stated.items())
        yield f"- `{kind}`{titles.get(kind, '')}: {texts or 'not stated'}"
    yield from ("", "| turn | for | event | rule |", "| --- | --- | --- | --- |")
    for turn in course_turns:
        yield from (f"| {turn.number} | {event.who or 'all'} | {event.text} | {event.rule} |" for event in turn.events)


def _write_wishes(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[str]:
    if not game.file.wishes:
        return
    yield from ("", "## Which question answers what", "", "| to know | ask | where it is said |", "| --- | --- | --- |")
    for wish, answer in game.file.wishes.items():
        name, _, place = answer.partition(": ")
        if name not in questions:
            error = InputError(f"[wishes] {wish!r}: no question {name!r}", hint=format_suggestion(name, questions))
            raise error.at(Where("game.toml"))
        yield f"| {wish} | `{name}` | {place or 'the verdict'} |"


def write_question(question: Question[Any, Any], *, hidden: bool) -> Iterator[str]:
    """Yield a question with its parameters, its dice and choices, and its result, as Markdown."""
    yield f"## Question `{question.name}`"
    yield from ("", f"{sentence_case(question.title)}.")
    if hidden:
        yield from ("", f"{_format_command(question.name)}.")
    yield from ("", "Parameters:")
    yield from _write_struct(question.parameters)
    if question.answers:
        yield ""
        yield "Answers:"
        yield ""
        yield from (f"- `{name}`: {meaning}" for name, meaning in question.answers.items())
    yield from ("", "Result:")
    for kind in list_structs(question.result):
        yield from _write_struct(kind)


def format_question(question: Question[Any, Any], before: str = "--", *, hidden: bool = False) -> Iterator[str]:
    """Yield a question in a line, with its parameters, its dice and its choices below it.

    `before`: the text before a parameter.
    """
    yield f"{question.name}: {question.title}"
    if hidden:
        yield f"    {_format_command(question.name)}"
    notes = notes_of(question.parameters)
    for field, (option, words) in zip(
        fields_of(question.parameters), options_of(question.parameters).items(), strict=True
    ):
        optional_mark = "" if field.required else " (optional)"
        name = option if before == "--" else f"{before}{words}"
        yield f"    {name}{optional_mark}: {notes[field.name]}"
    for name, meaning in (question.answers or {}).items():
        yield f"    answers {name}: {meaning}"


def _format_command(name: str) -> str:
    return f"Asked by `assistant ask {name}`; `assistant {name}` does something else"


def _write_struct(kind: Any) -> Iterator[str]:
    yield ""
    yield f"`{kind.__name__}`: {' '.join((kind.__doc__ or '').split())}"
    yield ""
    types = get_type_hints(kind)
    notes = notes_of(kind)
    for field in fields_of(kind):
        name = field.encode_name
        optional = ""
        if issubclass(kind, Parameters):
            name = name.replace("_", "-")
            optional = "" if field.required else ", optional" + _format_default(field.default)
        yield f"- `{name}` ({_format_type(types[field.name])}{optional}): {notes[field.name]}"


def _format_default(value: Any) -> str:
    is_shown = value is True or (isinstance(value, int) and value > 0) or (isinstance(value, str) and value != "")
    return f", else {'yes' if value is True else value}" if is_shown else ""


def _format_type(kind: Any) -> str:
    names = {str: "text", int: "whole number", bool: "true or false", type(None): "null"}
    if kind in names:
        return names[kind]
    if get_origin(kind) is Literal:
        return " or ".join(f"`{word}`" for word in get_args(kind))
    inside = [_format_type(part) for part in get_args(kind) if part is not Ellipsis]
    if getattr(kind, "__origin__", None) is tuple:
        return f"list of {inside[0]}"
    if getattr(kind, "__origin__", None) is dict:
        return f"object of {inside[1]} by {inside[0]}"
    if inside:
        return " or ".join(inside)
    return f"`{kind.__name__}`" if list_structs(kind) else kind.__name__.lower()


_ABOUT_RULES = """
Look a rule up by its number. The last column says who applies it:

- a question, such as `battle`: `assistant battle FILE` applies the rule; of several, first the one that is most about it;
- *facts to state*, which a position states and questions read, and *a fact of the game*, which its files hold;
- *a reminder*, which the program gives at its time; whether players keep to it, it does not judge;
- *in part*: what is computed, and what is not;
- *left to the players*, with the reason.

Where the rulebook is open to several readings, the chapter ends with the one taken, in bold, with its name and what speaks
for it: the letter of a rule, a worked example, or sense. A line in a position such as `ruling NAME=READING` takes another; `assistant pack set {id} ruling NAME READING` does so in all your positions.

`assistant rules {id} NUMBER` names the code of a rule, and all questions that run it."""
"""The text above the chapters."""

_SECTION = late_pattern(r"[0-9]+\.[0-9]+")
"""The number of a section at the beginning of a rule's number: 10.8."""
_MAX_QUESTIONS_NAMED = 4
_COMPUTED = "computed"
_FACTS = "facts"
_REMINDERS = "reminders"
_IN_PART = "in part"
_LEFT_TO_PLAYERS = "left to the players"
_EXTENTS = (_COMPUTED, _FACTS, _REMINDERS, _IN_PART, _LEFT_TO_PLAYERS)
"""The extents to which a rule is computed, as columns of the table."""


class Applied(NamedTuple):
    """A rule with the questions that apply it."""

    row: RuleRow
    questions: tuple[str, ...]

    @property
    def section(self) -> str:
        """The section of the rule: 10.8 for 10.8.1a, or "" if its chapter has no sections."""
        section = _SECTION.match(self.row.rule)
        return section[0] if section else ""

    @property
    def facts(self) -> tuple[str, ...]:
        """The tracks of the rule, or () if a question applies it."""
        places = [place.partition(":") for place in self.row.code]
        return tuple(name for file, _, name in places if file == "tracks.toml") if not self.questions else ()

    @property
    def is_recorded(self) -> bool:
        """Whether events of a journal apply the rule."""
        return any(place.startswith(f"{EVENTS}:") for place in self.row.code)

    @property
    def share(self) -> str:
        """The extent to which the rule is computed: one of `_EXTENTS`."""
        if self.row.left_out.startswith(IN_PART):
            return _IN_PART
        if self.row.left_out and not self.row.left_out.startswith(A_FACT):
            return _LEFT_TO_PLAYERS
        if self.row.is_reminder:
            return _REMINDERS
        return _FACTS if self.row.left_out or (self.facts and not self.is_recorded) else _COMPUTED


class RulesChapter(NamedTuple):
    """A chapter of the rulebook."""

    name: str
    """The common beginning of its rule numbers, such as 10 or Opt."""
    title: str
    """The chapter's title, or "" if the game file has none."""
    rules: Sequence[Applied]
    rulings: Sequence[Ruling]

    @property
    def heading(self) -> str:
        """The chapter's number with its title, or one of the two."""
        if not self.title:
            return self.name
        return f"{self.name}. {self.title}" if self.name.isdecimal() else self.title


def list_chapters(game: Game, questions: Mapping[str, str]) -> list[RulesChapter]:
    """Return the chapters of a game with their rules and rulings; chapters that the game names come first.

    `questions`: the module of each question, by name.

    Raises InputError for a game without a rule index.
    """
    all_rules = [Applied(row, asked) for row, asked in rules_with_questions(game, questions)]
    if not all_rules:
        raise InputError(f"{game.title} has no rule index", hint=NO_INDEX)
    titles = dict(game.file.chapters)
    rules: dict[str, list[Applied]] = {chapter: [] for chapter in titles}
    rulings: dict[str, list[Ruling]] = {}
    for applied in all_rules:
        rules.setdefault(chapter_of(applied.row.rule, titles), []).append(applied)
    places = [applied.row.rule for applied in all_rules]
    for ruling in sorted(game.rulings.values(), key=lambda ruling: _find_place(ruling.rule, places)):
        chapter = chapter_of(ruling.rule, titles)
        rules.setdefault(chapter, [])
        rulings.setdefault(chapter, []).append(ruling)
    return [RulesChapter(name, titles.get(name, ""), rows, rulings.get(name, ())) for name, rows in rules.items()]


def _find_place(rule: str, rules: Sequence[str]) -> int:
    return next((n for n, other in enumerate(rules) if is_under(other, rule)), len(rules))


def write_chapters(game: Game, questions: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the rules of a game by chapter, as Markdown. Raises InputError for a game without a rule
    index.
    """
    chapters = list_chapters(game, questions)
    yield f"# Rules by chapter: {game.title}"
    yield ""
    yield f"Written by `assistant reference {game.id} --rules`."
    yield from _ABOUT_RULES.format(id=game.id).split("\n")
    yield ""
    yield _format_shares([applied for chapter in chapters for applied in chapter.rules])
    yield ""
    yield f"| chapter | rules | {' | '.join(_EXTENTS)} |"
    yield f"| --- |{' ---: |' * (len(_EXTENTS) + 1)}"
    for chapter in chapters:
        shares = Counter(applied.share for applied in chapter.rules)
        numbers = (len(chapter.rules), *(shares[share] for share in _EXTENTS))
        yield f"| [{chapter.heading}](#{_make_anchor(chapter.heading)}) | {' | '.join(str(n or '') for n in numbers)} |"
    total = Counter(name for chapter in chapters for applied in chapter.rules for name in applied.questions)
    for chapter in chapters:
        yield from _write_chapter(chapter, total)


def _write_chapter(chapter: RulesChapter, total: Mapping[str, int]) -> Iterator[str]:
    """Yield a chapter: the shares of its rules that are computed, its rules in order, and the readings taken.

    Questions mostly about the chapter come first, then by the number of the section's rules that they apply.
    """
    yield from ("", f"## {chapter.heading}", "", _format_shares(chapter.rules))
    rules_by_question = Counter(name for applied in chapter.rules for name in applied.questions)
    rules_by_section = Counter((applied.section, name) for applied in chapter.rules for name in applied.questions)
    if chapter.rules:
        yield from ("", "| rule | title | who applies it |", "| --- | --- | --- |")
    for applied in chapter.rules:
        main_questions = {name for name in rules_by_question if 2 * rules_by_question[name] <= total[name]}
        sort_key = {
            name: (
                name in main_questions,
                -rules_by_section[applied.section, name],
                0 if name in main_questions else total[name],
            )
            for name in rules_by_question
        }
        appliers = _format_appliers(applied, sorted(applied.questions, key=sort_key.__getitem__), total)
        cells = (applied.row.rule, applied.row.title, appliers)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    if chapter.rulings:
        yield from ("", "Readings taken:", "")
    for ruling in chapter.rulings:
        yield _write_ruling(ruling)


def _format_appliers(applied: Applied, named: Sequence[str], every: Collection[str]) -> str:
    """Return the names of those who apply a rule: its questions, the journal, stated facts, or the players."""
    links = [_write_link(name) for name in named[:_MAX_QUESTIONS_NAMED]]
    left_text = re.sub(
        "`([^`]+)`", lambda match: _write_link(match[1]) if match[1] in every else match[0], applied.row.left
    )
    if len(named) > _MAX_QUESTIONS_NAMED:
        links.append(f"{len(named) - _MAX_QUESTIONS_NAMED} more")
    if applied.is_recorded:
        links.append("the journal")
    texts = [", ".join(links), left_text]
    facts = [f"`{name}`" for name in applied.facts]
    if facts:
        texts.append(f"[{'facts' if len(facts) > 1 else 'fact'} to state](reference.md#tracks): {', '.join(facts)}")
    return "; ".join(filter(None, texts))


def _write_link(question: str) -> str:
    return f"[`{question}`](reference.md#question-{question})"


def _write_ruling(ruling: Ruling) -> str:
    others = [
        f"`ruling {ruling.id}={name}`, {meaning}" for name, meaning in ruling.readings.items() if name != ruling.default
    ]
    taken = f"**{ruling.readings[ruling.default]}** (`{ruling.default}`; {ruling.authority})"
    return f"- {ruling.rule}: {ruling.doubt}: {taken}. Otherwise {'; or '.join(others)}."


def _format_shares(rules: Sequence[Applied]) -> str:
    if not rules:
        return "The index has no rule of this chapter."
    shares = Counter(applied.share for applied in rules)
    if len(shares) == 1 < len(rules):
        return f"{len(rules)} rules, all {min(shares)}."
    nouns = {_FACTS: "fact", _REMINDERS: "reminder"}
    counts = ((share, count) for share in _EXTENTS if (count := shares[share]))
    texts = (format_count(count, nouns[share]) if share in nouns else f"{count} {share}" for share, count in counts)
    return f"{format_count(len(rules), 'rule')}: {', '.join(texts)}."


def _make_anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
