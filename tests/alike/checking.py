"""One question about one position, in a file, by a command, of the library, at the prompt and on the page; what differs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

import assistant
from assistant.asking.report import Report, find_likelihoods
from assistant.asking.schemas import as_plain
from assistant.asking.view import View
from assistant.faces.cli.main import cli
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import Assumption, ShownAnswer, TableState
from assistant.formats.notation import read_notation
from assistant.formats.positions import Asked, Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ..assistant.faces.page.pages import AtTable
from .worlds import World

_ANSWERS = 4
"""How many dice and choices are given, at most."""
Answered = Report[Any] | str
"""A report, or why there is none."""


class Case:
    """A world with its answers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.position = of_file(world.text())
        self.by_file = asked(self.position)
        self.session = Session(TableState(Position(world.game, build_state(world.game))), 200)
        self.wrong = [fault for line in world.lines if (fault := entered(self.session, line))]
        self.refused = entered(self.session, world.typed)

    @property
    def shown(self) -> ShownAnswer | None:
        """The answer at the prompt."""
        return self.session.shown

    def faults(self) -> Iterator[str]:
        """What one way answers otherwise than another."""
        yield from self.wrong
        if self.session.table.position.state != self.position.state:
            yield "the prompt states another position"
        yield from self.of_library()
        yield from self.of_command()
        yield from self.of_page()
        yield from self.of_prompt()

    def of_prompt(self) -> Iterator[str]:
        """What differs at the prompt, given what it takes for granted."""
        shown = self.shown
        if shown is None:
            if self.refused != (usual := self.with_usual_values()):
                yield f"the prompt refuses: {self.refused}; the file with what is usual: {worded(usual)}"
            return
        yield from self.of_assumed(shown)
        text = self.world.text(*(f"{fact.words}?" for fact in shown.assumed if fact.key[0]))
        named = {fact.key[1]: fact.value for fact in shown.assumed if not fact.key[0]}
        position = of_file(text)
        assumed = asked(position, **named) if shown.assumed else self.by_file
        yield from differences("the file with what the prompt takes for granted", assumed, "the prompt", shown.report)
        yield from self.of_dice(position, named)

    def of_dice(self, position: Position, named: dict[str, str]) -> Iterator[str]:
        """What differs once dice and choices are given, one by one. position, named: with what the prompt takes for granted."""
        random, answers = Random(self.world.ask), dict[str, str]()
        for _ in range(_ANSWERS):
            due = [ask for ask in (self.shown.report.asks if self.shown else ()) if ask.kind in ("roll", "choice")]
            if not due:
                return
            ask = due[0]
            count, _, sides = ask.dice.partition("d")
            thrown = "+".join(str(random.randint(1, int(sides))) for _ in range(int(count or 1))) if ask.dice else ""
            answers[ask.name] = thrown or random.choice(ask.options)
            if refused := entered(self.session, f"{ask.name}={answers[ask.name]}"):
                yield f"the prompt refuses {ask.name}={answers[ask.name]}: {refused}"
                return
            there = asked(position, answers=answers, **named)
            report = self.shown.report if self.shown else "no answer"
            yield from differences(f"the file with {answers}", there, "the prompt", report)

    def with_usual_values(self) -> Answered:
        """What the file answers once each fact and parameter that it asks for has its usual value, if it has one."""
        usual, lines, named = self.world.game.file.prompt.usual, dict[str, None](), dict[str, str]()
        while True:
            answer = asked(of_file(self.world.text(*lines)), **named)
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
        """What a unit is by its counter, which the prompt takes for granted; "" for anything else."""
        game, unit = self.world.game, self.position.state.units.get(subject)
        named = game.roster.get(unit.type, {}).get(track, ()) if unit and track in game.file.notation.identity else ()
        return game.track(track).write(named[0].value) if named else ""

    def of_assumed(self, shown: ShownAnswer) -> Iterator[str]:
        """What the prompt takes for granted though the file knows it, or does not ask for it."""
        view = View(self.position.game, self.position.state)
        for fact in shown.assumed:
            if fact.key[0] and (known := view.fact(*fact.key)):
                yield f"the prompt assumes {fact.words}, the file has {known.value} ({known.source.value})"
        if shown.assumed and isinstance(self.by_file, Report):
            wanted = {key_of(ask) for ask in self.by_file.asks}
            if not wanted.intersection(fact.key for fact in shown.assumed):
                yield f"the prompt assumes {words_of(shown.assumed)}, of which the file asks for nothing"

    def of_library(self) -> Iterator[str]:
        """What the library answers otherwise, to the same question by its name and parameters."""
        bare = assistant.parse(self.world.text().rpartition("ask ")[0])
        given = {f"{name}_" if name == "from" else name: value for name, value in self.world.parameters.items()}
        yield from differences("the file", self.by_file, "the library", asked(bare, self.world.question, **given))

    def of_command(self) -> Iterator[str]:
        """What `answer --json` answers otherwise."""
        done = CliRunner().invoke(cli, ["answer", "-", "--json"], input=self.world.text())
        (there,) = json.loads(done.stdout)
        if isinstance(self.by_file, str):
            if there.get("error", {}).get("what") != self.by_file:
                yield f"the file: {self.by_file}; the command: {str(there)[:300]}"
        elif (here := json.loads(assistant.to_json(self.by_file))) != there:
            yield f"the command differs in {[name for name in here if here[name] != there.get(name)]}"

    def of_page(self) -> Iterator[str]:
        """What the table page answers otherwise than the prompt, and otherwise than the file where it takes nothing for
        granted.
        """
        with TemporaryDirectory() as folder:
            page = AtTable(Path(folder), self.world.game.id)
            for line in self.world.lines:
                page.send("enter", line=line, tap=line, sure=True)
            table = page.send("enter", line=self.world.typed, tap="ask", sure=True)
            request = {"question": self.world.question, "parameters": self.world.parameters}
            plain = page.send("ask", **request)
        yield from same_page(self.shown.report if self.shown else self.refused, table, "the prompt")
        yield from same_page(self.by_file, plain, "the file")


def of_file(text: str) -> Position:
    """The position that a file holds."""
    return read_notation(text.encode(), "world.pos", load_game)


def asked(position: Position, question: str | Asked = "", **parameters: Any) -> Answered:
    """The answer to a question of a position, or why there is none."""
    try:
        return assistant.ask(position, question, **parameters)
    except InputError as error:
        return error.what


def entered(session: Session, line: str) -> str:
    """Type a line, and confirm what is asked about it; why it is refused, "" if it is taken."""
    session.enter(line)
    if session.held:
        session.enter("y")
    return session.fault.what if session.fault else ""


def key_of(ask: Any) -> tuple[str, str]:
    """What an ask is for, as an assumption has it."""
    return (str(ask.key[0]), str(ask.key[1])) if ask.key else ("", ask.name)


def words_of(assumed: tuple[Assumption, ...]) -> str:
    """Assumptions in words."""
    return ", ".join(fact.words for fact in assumed)


def worded(answer: Answered) -> str:
    """An answer in few words."""
    return answer if isinstance(answer, str) else answer.verdict.text


def differences(one: str, this: Answered, other: str, that: Answered) -> Iterator[str]:
    """What differs between two answers. one, other: whose they are."""
    if isinstance(this, str) or isinstance(that, str):
        if this != that:
            yield f"{one}: {worded(this)}; {other}: {worded(that)}"
        return
    before, after = as_plain(this), as_plain(that)
    for name in before:
        if _in_any_order(name, before[name]) != _in_any_order(name, after[name]):
            yield f"{name}: {one}: {_shortened(before[name], after[name])}; {other}: {_shortened(after[name], before[name])}"


def _in_any_order(name: str, value: Any) -> Any:
    """Cautions and asks have the order in which facts are read, which is that in which they are stated."""
    return sorted(map(repr, value)) if name in ("cautions", "asks") else value


def _shortened(value: Any, beside: Any) -> str:
    """A value in few words, of a list what another one lacks."""
    return repr([item for item in value if item not in beside] if isinstance(value, list) else value)[:400]


def same_page(answer: Answered, said: Any, whose: str) -> Iterator[str]:
    """What a page says otherwise than an answer. said: its message; whose: the answer."""
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
        yield f"{whose}: {_shortened(steps, there)}; the page: {_shortened(there, steps)}"
