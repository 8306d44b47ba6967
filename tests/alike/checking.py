"""One question about one position, in a file, by a command, of the library, by MCP, at the prompt and on the page: what differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import Any

import assistant
from assistant.asking.report import Report, find_likelihoods
from assistant.asking.view import View
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import Assumption, ShownAnswer
from assistant.formats.positions import Position

from ..comparing import ways
from ..comparing.question_cases import QuestionCase, make_question_case
from ..comparing.search import Search
from ..comparing.ways import Answered, differences, enter

_ANSWERS = 4
"""The largest number of dice and choices given."""


class Case:
    """A world with its answers."""

    def __init__(self, world: QuestionCase) -> None:
        self.world = world
        self.position = ways.read_file(world.text())
        self.by_file = ways.ask(self.position)
        self.session: Session = ways.begin_session(world.game)
        self.wrong = [fault for line in world.lines if (fault := enter(self.session, line))]
        self.refused = enter(self.session, world.typed)

    @property
    def shown(self) -> ShownAnswer | None:
        """The answer at the prompt."""
        return self.session.shown

    @cached_property
    def exact(self) -> ways.Answer:
        """The answer of the file as JSON has it."""
        if isinstance(self.by_file, str):
            return {"error": self.by_file}
        found: ways.Answer = json.loads(assistant.to_json(self.by_file))
        return found

    def faults(self) -> Iterator[str]:
        """Yield what one way answers otherwise than another."""
        world = self.world
        yield from self.wrong
        if self.session.table.position.state != self.position.state:
            yield "the prompt states another position"
        library = ways.ask_library(world.bare, world.question, world.parameters)
        yield from differences("the file", self.by_file, "the library", library)
        yield from differences("the file", self.exact, "the command", ways.ask_command(world.text()))
        model = ways.ask_mcp(world.bare, world.question, world.parameters)
        if "error" not in model or "error" not in self.exact or not model["error"].startswith(self.exact["error"]):
            yield from differences("the file", self.exact, "the model", model)
        table, filled_in = ways.ask_page(world.game, world.lines, world.typed, world.question, world.parameters)
        yield from same_page(self.shown.report if self.shown else self.refused, table, "the prompt")
        yield from same_page(self.by_file, filled_in, "the file")
        yield from self.of_prompt()

    def of_prompt(self) -> Iterator[str]:
        """Yield what differs at the prompt, given what it takes for granted."""
        shown = self.shown
        if shown is None:
            if self.refused != (usual := self.with_usual_values()):
                yield f"the prompt refuses: {self.refused}; the file with what is usual: {worded(usual)}"
            return
        yield from self.of_assumed(shown)
        text = self.world.text(*(f"{fact.words}?" for fact in shown.assumed if fact.key[0]))
        named = {fact.key[1]: fact.value for fact in shown.assumed if not fact.key[0]}
        position = ways.read_file(text)
        assumed = ways.ask(position, **named) if shown.assumed else self.by_file
        yield from differences("the file with what the prompt takes for granted", assumed, "the prompt", shown.report)
        yield from self.of_dice(position, named)

    def of_dice(self, position: Position, named: dict[str, str]) -> Iterator[str]:
        """Yield what differs once dice and choices are given, one by one. `position`, `named`: with what the prompt takes for granted."""
        random, answers = Random(self.world.ask), dict[str, str]()
        for _ in range(_ANSWERS):
            due = [ask for ask in (self.shown.report.asks if self.shown else ()) if ask.kind in ("roll", "choice")]
            if not due:
                return
            ask = due[0]
            count, _, sides = ask.dice.partition("d")
            thrown = "+".join(str(random.randint(1, int(sides))) for _ in range(int(count or 1))) if ask.dice else ""
            answers[ask.name] = thrown or random.choice(ask.options)
            if refused := enter(self.session, f"{ask.name}={answers[ask.name]}"):
                yield f"the prompt refuses {ask.name}={answers[ask.name]}: {refused}"
                return
            there = ways.ask(position, answers=answers, **named)
            report = self.shown.report if self.shown else "no answer"
            yield from differences(f"the file with {answers}", there, "the prompt", report)

    def with_usual_values(self) -> Answered:
        """Return what the file answers once each fact and parameter that it asks for has its usual value, if it has one."""
        usual, lines, named = self.world.game.file.prompt.usual, dict[str, None](), dict[str, str]()
        while True:
            answer = ways.ask(ways.read_file(self.world.text(*lines)), **named)
            before = len(lines) + len(named)
            for ask in answer.asks if isinstance(answer, Report) else ():
                track, subject = key_of(ask)
                values = usual.get(track or subject, ())
                value = self.listed(track, subject) or (values if isinstance(values, str) else next(iter(values), ""))
                if value and not ask.drawn and track:
                    declared = self.world.game.track(track)
                    lines[f"{declared.how_to_state(subject, declared.parse(value))}?"] = None
                elif value and not track and self.world.question in self.world.game.file.prompt.about:
                    named[subject] = value
            if len(lines) + len(named) == before:
                return answer

    def listed(self, track: str, subject: str) -> str:
        """Return what a unit is by its counter, which the prompt takes for granted, or "" for anything else."""
        game, unit = self.world.game, self.position.state.units.get(subject)
        named = game.roster.get(unit.type, {}).get(track, ()) if unit and track in game.file.notation.identity else ()
        return game.track(track).write(named[0].value) if named else ""

    def of_assumed(self, shown: ShownAnswer) -> Iterator[str]:
        """Yield what the prompt takes for granted though the file knows it, or does not ask for it."""
        view = View(self.position.game, self.position.state)
        for fact in shown.assumed:
            if fact.key[0] and (known := view.fact(*fact.key)):
                yield f"the prompt assumes {fact.words}, the file has {known.value} ({known.source.value})"
        if shown.assumed and isinstance(self.by_file, Report):
            wanted = {key_of(ask) for ask in self.by_file.asks}
            if not wanted.intersection(fact.key for fact in shown.assumed):
                yield f"the prompt assumes {words_of(shown.assumed)}, of which the file asks for nothing"
            drawn = {key_of(ask): ask.drawn for ask in self.by_file.asks if ask.drawn}
            for fact in shown.assumed:
                if fact.key in drawn:
                    yield f"the prompt assumes {fact.words}, which the drawn map has as {drawn[fact.key]}"


def key_of(ask: Any) -> tuple[str, str]:
    """Return what an ask is for, as an assumption has it."""
    return (str(ask.key[0]), str(ask.key[1])) if ask.key else ("", ask.name)


def words_of(assumed: tuple[Assumption, ...]) -> str:
    """Return assumptions in words."""
    return ", ".join(fact.words for fact in assumed)


def worded(answer: Answered) -> str:
    """Return an answer in few words."""
    return answer if isinstance(answer, str) else answer.verdict.text


def same_page(answer: Answered, said: Any, whose: str) -> Iterator[str]:
    """Yield what a page says otherwise than an answer. `said`: its message. `whose`: the answer."""
    shown = said.get("answer") if "answer" in said else said
    if isinstance(answer, str):
        if said.get("what", (said.get("refused") or {}).get("what")) != answer:
            yield f"{whose} refuses: {answer}; the page: {str(said)[:300]}"
        return
    if not shown or "answers" not in shown:
        yield f"{whose}: {worded(answer)}; the page: {str(said)[:300]}"
        return
    steps = [bar.head if (bar := find_likelihoods(step)) else step.text for part in answer.parts for step in part.steps]
    there = [step["text"] for part in shown["parts"] for step in part["steps"]]
    said_alone, beside = list(answer.answers_on(())), [chip["words"] for chip in shown["rests_on"]]
    if (said_alone, len(answer.asks)) != (shown["answers"], len(shown["asks"])):
        yield f"{whose}: {said_alone}; the page: {shown['answers']}"
    elif not all(words in answer.mark for words in beside) or bool(answer.mark) != bool(beside):
        yield f"{whose} rests on {answer.mark}; the page: {beside}"
    elif steps != there:
        yield from differences(whose, {"steps": steps}, "the page", {"steps": there})


def find_faults(world: QuestionCase, seen: Counter[str]) -> Iterator[str]:
    """Yield what differs between the ways to ask about a world."""
    case = Case(world)
    seen[f"{world.question} of {world.game.id}"] += 1
    seen["refused" if isinstance(case.by_file, str) else case.by_file.verdict.kind] += 1
    seen["with assumptions"] += bool(case.shown and case.shown.assumed)
    yield from case.faults()


SEARCH = Search(
    "alike", make_question_case, find_faults, 500, write=QuestionCase.text, smaller=QuestionCase.smaller, chunk=5
)
