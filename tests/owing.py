"""What must hold of an answer after which something is owed, whatever the game: it is said everywhere, and owed until it is done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.asking.report import FOLLOWS, Report, to_short
from assistant.asking.schemas import as_plain
from assistant.formats.positions import Position
from assistant.state.changes import Change
from assistant.util.errors import InputError

from .conftest import answered

AT_ONCE = {
    "may have to leave its hex": "leave its hex",
    "has to lie on top": "on top",
    "may react: ": "may react",
    "must retreat ": "retreats",
}
"""What players have to do at once, or may, by the words of the working, each with words of the short answer."""
DEPOTS = ("minor-depot", "major-depot")


def left_out(position: Position, report: Report[Any]) -> Iterator[str]:
    """Each thing that an answer with changes leaves unsaid, or that is not owed once they are made."""
    if not report.changes:
        return
    yield from _in_the_working_alone(report)
    after = position.after(report.changes)
    listed = [step.text for part in report.parts if part.title == FOLLOWS for step in part.steps]
    if len(listed) != len(report.follows):
        yield f"{len(report.follows)} consequences, but --full lists {listed}"
    if not report.follows:
        return
    short = " ".join(to_short(report).replace("= ", " ").split())
    in_json = [consequence["step"]["text"] for consequence in as_plain(report)["follows"]]
    checklist = list_owed(after)
    for text, consequence in zip(listed, report.follows, strict=True):
        sentence = text[0].upper() + text[1:]
        for where, said in (("the short answer", short), ("the line", report.headline)):
            if text not in said and sentence not in said:
                yield f"not in {where}: {text}"
        if text not in in_json:
            yield f"not in JSON: {text}"
        owed = consequence.owed
        if owed not in report.changes or after.state.value(owed.track, owed.subject) != owed.after:
            yield f"not entered: {text}"
        if checklist is not None and not checklist & {owed.subject, owed.track, consequence.ask} - {""}:
            yield f"not owed: {text}"
    names = sorted({consequence.owed.track for consequence in report.follows})
    if checklist is not None:
        yield from _wrongly_left(after, names)


def _in_the_working_alone(report: Report[Any]) -> Iterator[str]:
    """Each line of the working that asks players for something at once and names a unit of which the short answer says nothing."""
    short = " ".join(to_short(report).replace("= ", " ").split())
    owing = {consequence.owed.subject for consequence in report.follows}
    for step in (step for part in report.parts if part.title != FOLLOWS for step in part.steps):
        about = str(step.figures.get("unit", step.figures.get("force")))
        for words, said in AT_ONCE.items():
            if words in step.text and not (
                about in short and said in short and (said != "leave its hex" or about in owing)
            ):
                yield f"in the working alone: {step.text}"


def list_owed(position: Position) -> set[str] | None:
    """Whom, where, by which names and questions the checklist of the phase owes something, None where there is none."""
    try:
        turn = answered(position, "turn").result
    except InputError:
        return None
    if turn is None or turn.now is None:
        return None
    owed = (item for item in turn.now.items if item.state == "owed")
    return {about for item in owed for about in (*item.units, *item.places, item.name, item.ask)}


def _wrongly_left(after: Position, names: list[str]) -> Iterator[str]:
    """Whether the phase ends while something is owed, and what still stands after it was let stand."""
    try:
        onward = answered(after, "next")
        steps = [item.name for item in answered(after, "turn").result.now.items if item.state in ("owed", "undecided")]
        left = answered(after, "next", leave=tuple(dict.fromkeys(filter(None, steps))))
    except InputError:
        return
    if onward.verdict.kind not in ("no", "undecided"):
        yield f"next does not wait for {names}"
    if left.verdict.kind != "figure":
        return
    then = after.after(left.changes)
    if still := [key for key in then.state.facts if key[0] in names]:
        yield f"still owed in the next phase: {still}"


def depots_passed_by(position: Position, report: Report[Any]) -> Iterator[str]:
    """Each enemy depot in Twilight next to which a march comes and of which the answer says nothing: a plain account of 9.9."""
    state, game = position.state, position.game
    if report.question != "move" or game.id != "twilight-in-the-east" or not report.changes:
        return
    gone = {change.subject for change in report.changes if isinstance(change, Change) and change.track == "place"}
    owed = {consequence.owed.subject for consequence in report.follows}
    board = game.board(state.board)
    way = report.result.way
    own = game.side_of_unit(state.units[report.result.units[0]], state.facts)
    for unit in state.units.values():
        if state.value("arm", unit.id) not in DEPOTS or unit.id in gone or not unit.place:
            continue
        if game.side_of_unit(unit, state.facts) in ("", own) or state.value("entrained", unit.id):
            continue
        if any(hex in board.neighbours(unit.place) for hex in way) and unit.id not in owed:
            yield f"{unit.id} in {unit.place} is passed by, and the answer does not say so"
