"""Games of Twilight in the East that go the same way for all to see, with other units in a stack that lies hidden: the other side
learns the same of them after every answer that is carried out, from the position and from what a journal sends.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

from assistant.formats import notation, notation_writer
from assistant.formats.positions import Position
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.records.journal.exchange import write_message
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.question_lines import write_answer
from assistant.service import ask
from assistant.state.state import GameState
from assistant.util.errors import InputError

GAME = load_game("twilight-in-the-east")
OTHER = "central-powers"
HERE, CONTROLLED = "40.20", ("39.19", "39.20", "39.21", "40.17", "40.18", "40.19", "40.21", "40.22", "41.20")
DUMMY = "russian dummy - {} movement=8"
STACKS: dict[str, dict[str, str]] = {
    "a division": {"25/3": "25/3"},
    "two divisions": {"25/3": "25/3", "29/20": "29/20"},
    "a division and a dummy": {"25/3": "25/3", "R1": DUMMY.format("R1")},
    "a Corps Train": {"3 Train": '"3 Train"'},
    "a division and its Corps Train": {"25/3": "25/3", "3 Train": '"3 Train"'},
    "artillery": {"G1": "russian artillery II G1 movement=6 steps=1 artillery=3 rail-cost=1 asset"},
    "a cavalry brigade": {"C1": "russian cavalry X C1 movement=8 steps=4 defence=3 effectiveness=8 rail-cost=3"},
    "a dummy": {"R1": DUMMY.format("R1")},
    "two dummies": {"R1": DUMMY.format("R1"), "R2": DUMMY.format("R2")},
}
"""What lies hidden: units by name, each as notation states it."""
GROUND = (
    f"{HERE}|40.19 causeway", f"{HERE}|40.21 causeway", f"{HERE} star=2 country=russian", "40.19 star=3 star-holder=russian", "40.21 country=russian",
    'army "russian Second" plan', "side russian vp-towns=3", f"{HERE} control=russian", "42.18 ip=1: 43/2 movement=7",
    "nation russian concealment-markers=9", "weather=normal", "40.22 star=1 star-holder=russian", f"{HERE}|40.19 rail=rail1\n40.19 operational=russian",
)  # fmt: skip
"""What may be stated of the ground and of others, of which any of the stacks may be moved."""


class Pair(NamedTuple):
    """Two positions with different units in a hidden stack, and what is asked and carried out in both.

    hidden: what lies there; starts: the positions; questions: in order, each with its parameters, `UNITS` standing for the hidden
    units, `ONE` for the one on top.
    """

    option: str
    hidden: tuple[str, str]
    starts: tuple[str, str]
    questions: tuple[tuple[str, dict[str, object]], ...]


def pair(number: int, seed: int) -> Pair:
    """A pair by its number, the same in any run with this seed."""
    random = Random(f"played {seed} {number}")
    option = random.choice(["caps", "concealment"])
    first, second = random.sample(sorted(STACKS), 2)
    ground = random.sample(GROUND, random.randint(0, 6))
    starts = []
    for name in (first, second):
        crest = " concealed" if option == "concealment" else ""
        stack = ", ".join(f"{unit}{crest}" for unit in STACKS[name].values())
        cap = " capped" if option == "caps" else ""
        lines = [
            f"turn=3 phase=movement phasing=russian hidden-units={option}",
            f"trust charts counters\n{HERE}{cap}: {stack}\n46.15: 1/1 movement=7\n43.22: 27/3 movement=7",
            *(f"{hex} control=russian" for hex in CONTROLLED),
            *ground,
        ]
        starts.append("\n".join(lines) + "\n")
    shared = option == "concealment" and len(STACKS[first]) > 1 < len(STACKS[second])
    return Pair(option, (first, second), (starts[0], starts[1]), tuple(_questions(random, alone=shared)))


def _questions(random: Random, *, alone: bool) -> list[tuple[str, dict[str, object]]]:
    """What is asked, in order. alone: whether the top unit may go alone, with others below it staying."""
    way = random.choice(
        [["40.19"], ["40.19", "40.18"], ["40.21"], ["40.21", "40.22"], ["40.19", HERE], ["39.20"], ["41.20"]]
    )
    here, asked = way[-1], list[tuple[str, dict[str, object]]]()
    asked.append(
        (
            "move",
            {"units": "ONE" if alone and random.random() < 0.5 else "UNITS", "way": way, "ground": [1.0] * len(way)},
        )
    )
    onward = [hex for hex in CONTROLLED if hex in GAME.board("").neighbours(here)]
    others: list[tuple[str, dict[str, object]]] = [
        ("move", {"units": "UNITS", "way": [random.choice(onward)], "ground": [1.0]}),
        ("move", {"units": ["27/3"], "way": ["43.21"], "ground": [1.0]}),
        ("move", {"units": ["43/2"], "way": ["42.17"], "ground": [1.0]}),
        ("conceal", {"units": ["27/3"]}),
        ("next", {}),
        ("control", {}),
    ]
    return [*asked, *random.sample(others, 3)]


class Told(NamedTuple):
    """What the other side learns: its sight of the position, and the message of the journal."""

    sight: str
    message: str


def play(both: Pair) -> tuple[list[tuple[Told, Told]], Counter[str]]:
    """What the other side is told of each of a pair, at first and after each answer that both carry out; and how many answers were
    carried out, or refused.
    """
    now = [
        notation.read_notation(f"game {GAME.id}\n{start}".encode(), "x.pos", lambda _: GAME) for start in both.starts
    ]
    entries: list[list[str]] = [[], []]
    told, tried = [(_told(both, 0, now[0].state, []), _told(both, 1, now[1].state, []))], Counter[str]()
    for question, parameters in both.questions:
        made = []
        for which, position in enumerate(now):
            units = STACKS[both.hidden[which]]
            named = {"UNITS": [*units], "ONE": [*units][:1]}.get(str(parameters.get("units")), parameters.get("units"))
            given = {**parameters, "units": named} if named else parameters
            try:
                report = ask(position, question, **given)
            except InputError:
                continue
            if report.changes and not report.asks:
                typed = " ".join([question, *(f"{name}={_typed(value)}" for name, value in given.items())])
                made.append((position.after(report.changes), write_answer(typed, "", report.changes, GAME.tracks)))
        if len(made) < 2:
            tried["refused"] += 2
            continue
        tried["carried out"] += 2
        now = [after for after, _ in made]
        for which, (_, line) in enumerate(made):
            entries[which].append(f"{len(entries[which]) + 1} 3 answer {line}")
        told.append((_told(both, 0, now[0].state, entries[0]), _told(both, 1, now[1].state, entries[1])))
    return told, tried


def _typed(value: object) -> str:
    """A parameter as it is typed."""
    if isinstance(value, list):
        text = ",".join(f"{each:g}" if isinstance(each, float) else str(each) for each in value)
        return f'"{text}"' if " " in text else text
    return "yes" if value is True else str(value)


def _told(both: Pair, which: int, state: GameState, entries: list[str]) -> Told:
    sight = Position(GAME, reduce_state(GAME, state, OTHER))
    head = f"journal {GAME.id} 1\n{both.starts[which]}"
    text = parse_journal((head + "".join(f"{entry}\n" for entry in entries)).encode(), "x.journal")
    journal = Journal.read(text, "x.journal", lambda _: GAME)
    assert journal.position().state.units == state.units, journal.all_faults()
    return Told(notation_writer.write_notation(sight), write_message(journal, 0, OTHER)[0])


def differences(numbers: range, seed: int) -> tuple[list[str], Counter[str]]:
    """What tells the other side the two of some pairs apart, and how much was tried."""
    found, tried = list[str](), Counter[str]()
    for number in numbers:
        both = pair(number, seed)
        told, kinds = play(both)
        tried += kinds + Counter(pairs=1, told=2 * len(told))
        for first, second in told:
            if first != second:
                lines = {*str(first).split("\\n")} ^ {*str(second).split("\\n")}
                found.append(
                    f"pair {number}, {both.option}: {both.hidden}, {both.questions}:\n" + "\n".join(sorted(lines))
                )
                break
    return found, tried
