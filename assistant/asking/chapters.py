"""The rules of an installed game by chapter, written from its rule index: which question applies each, what is left to
the players, and which reading is taken of what the rulebook leaves open.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..game.events import EVENTS
from ..game.games import Game
from ..game.rule_index import A_FACT, IN_PART, NO_INDEX, RuleRow, chapter_of, is_under
from ..game.rule_questions import rules_with_questions
from ..game.rulings import Ruling
from ..util.console import format_count
from ..util.errors import InputError
from ..util.patterns import late_pattern

_ABOUT = """
Look a rule up by its number. The last column says who applies it:

- a question, such as `battle`: `assistant battle FILE` applies the rule; of several, first the one that is most about it;
- *facts to state*, which a position states and questions read, and *a fact of the game*, which its files hold;
- *a reminder*, which the program gives at its time; whether players keep to it, it does not judge;
- *in part*: what is computed, and what is not;
- *left to the players*, with the reason.

Where the rulebook is open to several readings, the chapter ends with the one taken, in bold, with its name and what speaks
for it: the letter of a rule, a worked example, or sense. A line in a position such as `ruling NAME=READING` takes another; `assistant pack set {id} ruling NAME READING` does so in all your positions.

`assistant rules {id} NUMBER` names the code of a rule, and all questions that run it."""
"""What stands above the chapters."""

_SECTION = late_pattern(r"[0-9]+\.[0-9]+")
"""The number of a section, with which that of a rule begins: 10.8."""
_MOST = 4
"""How many questions a line names."""
_COMPUTED = "computed"
_FACTS = "facts"
_REMINDERS = "reminders"
_IN_PART = "in part"
_LEFT = "left to the players"
_SHARES = (_COMPUTED, _FACTS, _REMINDERS, _IN_PART, _LEFT)
"""How much of a rule is computed, as the columns of the table have it."""


class Applied(NamedTuple):
    """A rule, with the questions that apply it."""

    row: RuleRow
    questions: tuple[str, ...]

    @property
    def section(self) -> str:
        """The section that it belongs to: 10.8 for 10.8.1a; "" for a rule whose chapter has none."""
        section = _SECTION.match(self.row.rule)
        return section[0] if section else ""

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts that state it, where it is nothing but facts."""
        places = [place.partition(":") for place in self.row.code]
        return tuple(name for file, _, name in places if file == "tracks.toml") if not self.questions else ()

    @property
    def is_recorded(self) -> bool:
        """Whether events of a journal apply it."""
        return any(place.startswith(f"{EVENTS}:") for place in self.row.code)

    @property
    def share(self) -> str:
        """How much of it is computed: one of `_SHARES`."""
        if self.row.left_out.startswith(IN_PART):
            return _IN_PART
        if self.row.left_out and not self.row.left_out.startswith(A_FACT):
            return _LEFT
        if self.row.is_reminder:
            return _REMINDERS
        return _FACTS if self.row.left_out or (self.facts and not self.is_recorded) else _COMPUTED


class RulesChapter(NamedTuple):
    """A chapter of the rulebook."""

    name: str
    """As its rules begin, such as 10 or Opt."""
    title: str
    """Its heading, "" if none is stated."""
    rules: Sequence[Applied]
    rulings: Sequence[Ruling]

    @property
    def heading(self) -> str:
        """The number with the heading, or one of them."""
        if not self.title:
            return self.name
        return f"{self.name}. {self.title}" if self.name.isdecimal() else self.title


def list_chapters(game: Game, questions: Mapping[str, str]) -> list[RulesChapter]:
    """Return the chapters of a game, those that it names in their order and then all others, each with its rules and
    rulings.

    questions: the name of each with the module that holds it. Raises InputError for a game without a rule index.
    """
    every = [Applied(row, asked) for row, asked in rules_with_questions(game, questions)]
    if not every:
        raise InputError(f"{game.title} has no rule index", hint=NO_INDEX)
    titles = dict(game.file.chapters)
    rules: dict[str, list[Applied]] = {chapter: [] for chapter in titles}
    rulings: dict[str, list[Ruling]] = {}
    for applied in every:
        rules.setdefault(chapter_of(applied.row.rule, titles), []).append(applied)
    places = [applied.row.rule for applied in every]
    for ruling in sorted(game.rulings.values(), key=lambda ruling: _find_place(ruling.rule, places)):
        chapter = chapter_of(ruling.rule, titles)
        rules.setdefault(chapter, [])
        rulings.setdefault(chapter, []).append(ruling)
    return [RulesChapter(name, titles.get(name, ""), rows, rulings.get(name, ())) for name, rows in rules.items()]


def _find_place(rule: str, rules: Sequence[str]) -> int:
    """Return the place of a rule among others, or of the first that it stands above; behind them all if there is none."""
    return next((n for n, other in enumerate(rules) if is_under(other, rule)), len(rules))


def write_chapters(game: Game, questions: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the rules of a game by chapter, as Markdown, which lie beside its reference. questions: as for
    `list_chapters`.

    Raises InputError for a game without a rule index.
    """
    chapters = list_chapters(game, questions)
    yield f"# Rules by chapter: {game.title}"
    yield ""
    yield f"Written by `assistant reference {game.id} --rules`."
    yield from _ABOUT.format(id=game.id).split("\n")
    yield ""
    yield _format_shares([applied for chapter in chapters for applied in chapter.rules])
    yield ""
    yield f"| chapter | rules | {' | '.join(_SHARES)} |"
    yield f"| --- |{' ---: |' * (len(_SHARES) + 1)}"
    for chapter in chapters:
        shares = Counter(applied.share for applied in chapter.rules)
        numbers = (len(chapter.rules), *(shares[share] for share in _SHARES))
        yield f"| [{chapter.heading}](#{_make_anchor(chapter.heading)}) | {' | '.join(str(n or '') for n in numbers)} |"
    total = Counter(name for chapter in chapters for applied in chapter.rules for name in applied.questions)
    for chapter in chapters:
        yield from _write_chapter(chapter, total)


def _write_chapter(chapter: RulesChapter, total: Mapping[str, int]) -> Iterator[str]:
    """Yield a chapter: how much of it is computed, its rules in the order of the index, and the readings taken.

    Of several questions the first are those that are mostly about the chapter, then those that apply most of the rule's
    section. total: how many rules of the game each question applies.
    """
    yield from ("", f"## {chapter.heading}", "", _format_shares(chapter.rules))
    here = Counter(name for applied in chapter.rules for name in applied.questions)
    near = Counter((applied.section, name) for applied in chapter.rules for name in applied.questions)
    if chapter.rules:
        yield from ("", "| rule | title | who applies it |", "| --- | --- | --- |")
    for applied in chapter.rules:
        beside = {name for name in here if 2 * here[name] <= total[name]}
        far = {
            name: (name in beside, -near[applied.section, name], 0 if name in beside else total[name]) for name in here
        }
        who = _format_appliers(applied, sorted(applied.questions, key=far.__getitem__), total)
        cells = (applied.row.rule, applied.row.title, who)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    if chapter.rulings:
        yield from ("", "Readings taken:", "")
    for ruling in chapter.rulings:
        yield _write_ruling(ruling)


def _format_appliers(applied: Applied, named: Sequence[str], every: Collection[str]) -> str:
    """Return who applies a rule: its questions, in the order in which they are named, or facts, or the players. every:
    the questions of the game, which lead to the reference wherever they are named.
    """
    links = [_write_link(name) for name in named[:_MOST]]
    left = re.sub("`([^`]+)`", lambda match: _write_link(match[1]) if match[1] in every else match[0], applied.row.left)
    if len(named) > _MOST:
        links.append(f"{len(named) - _MOST} more")
    if applied.is_recorded:
        links.append("the journal")
    texts = [", ".join(links), left]
    facts = [f"`{name}`" for name in applied.facts]
    if facts:
        texts.append(f"[{'facts' if len(facts) > 1 else 'fact'} to state](reference.md#tracks): {', '.join(facts)}")
    return "; ".join(filter(None, texts))


def _write_link(question: str) -> str:
    """Return a question, which leads to its place in the reference."""
    return f"[`{question}`](reference.md#question-{question})"


def _write_ruling(ruling: Ruling) -> str:
    """Return what a rulebook leaves open, with the reading taken, and how to take another."""
    others = [
        f"`ruling {ruling.id}={name}`, {meaning}" for name, meaning in ruling.readings.items() if name != ruling.default
    ]
    taken = f"**{ruling.readings[ruling.default]}** (`{ruling.default}`; {ruling.authority})"
    return f"- {ruling.rule}: {ruling.doubt}: {taken}. Otherwise {'; or '.join(others)}."


def _format_shares(rules: Sequence[Applied]) -> str:
    """Return how many rules there are, and how much of them is computed, as a sentence."""
    if not rules:
        return "The index has no rule of this chapter."
    shares = Counter(applied.share for applied in rules)
    if len(shares) == 1 < len(rules):
        return f"{len(rules)} rules, all {min(shares)}."
    nouns = {_FACTS: "fact", _REMINDERS: "reminder"}
    counts = ((share, n) for share in _SHARES if (n := shares[share]))
    texts = (format_count(n, nouns[share]) if share in nouns else f"{n} {share}" for share, n in counts)
    return f"{format_count(len(rules), 'rule')}: {', '.join(texts)}."


def _make_anchor(heading: str) -> str:
    """Return the name by which a link reaches a heading."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
