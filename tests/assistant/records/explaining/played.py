"""Games as they were played, made up without a log: what was stated, thrown and said, one after the other."""

from __future__ import annotations

from pathlib import Path

from assistant.formats.positions import BY_PROGRAM, ChatLine, Position, Record, Throw
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.records.explaining.played import PlayedRecord
from assistant.records.explaining.played_journal import play_journal
from assistant.records.explaining.record import AnnotatedRecord
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.service import parse
from assistant.state.trust import AS_STATED, Trust

BATTLE = """game twilight-in-the-east
board east
turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
"""
"""The position of the comprehensive example, without a question."""
ASK = "ask battle at=41.19 attacker-ap=3,20 defender-ap=1"
DICE = ("2d6 2 5", "1d6 3", "1d6 4")
"""The first dice of the example: the combat, and both sides' losses."""
CHECKS = ("2d6 1 4", "2d6 6 6", "2d6 2 4")
"""Its checks in the order in which the rules ask for them: 40.19, 40.20, 41.19."""
OUTCOME = """40.19: 29/20 -4 fought
40.20: 25/3 cel=-1 fought
39.20: 27/3 -1 cel=-2 fought retreated
41.19: 1/1 -2 fought
41.19 attacked
"""
"""What the rules make of them, where 29/20 and 27/3 take the attacker's losses and 27/3 goes to 39.20."""


def record(start: str, *happenings: str, side: str = "") -> Record:
    """A game from a position on. Each happening is a step: dice and their faces (`2d6 2 5`), what a player says (`say:
    ...`), what this program notes (`noted: ask ...`), or lines of notation that change the position. side: whose
    knowledge it is.
    """
    positions, events = [parse(start)], list[Throw | ChatLine]()
    for step, happening in enumerate(happenings, 1):
        words, now = happening.split(), positions[-1]
        if words[0] in ("1d6", "2d6"):
            events.append(Throw(step, words[0], tuple(map(int, words[1:])), "Anna"))
        elif happening.startswith("say: "):
            events.append(ChatLine(step, happening.removeprefix("say: "), "Boris"))
        elif happening.startswith("noted: "):
            events.append(ChatLine(step, f"Field Staff: {happening.removeprefix('noted: ')}", BY_PROGRAM))
        else:
            now = parse(happening, now)
        positions.append(now)

    def position(step: int) -> Position:
        found = positions[step]
        return found.seen(reduce_state(found.game, found.state, side)) if side else found

    return Record(positions[0].game, len(happenings), tuple(events), tuple(range(len(positions))), position)


def table(start: str, *happenings: str, side: str = "") -> AnnotatedRecord:
    """The same as the assistant reads it."""
    return AnnotatedRecord(record(start, *happenings, side=side))


def in_a_journal(
    folder: Path, *entries: str, start: str = BATTLE, game: str = "twilight-in-the-east", trust: Trust = AS_STATED
) -> PlayedRecord:
    """A journal with some entries, gone through. start: the position from which it starts, "" for that of the game."""
    folder.mkdir(exist_ok=True)
    file = folder / "game.journal"
    create(file, write_head(load_game(game), parse(start) if start else None, ""))
    opened = JournalFile(file, load_game)
    for entry in entries:
        opened.add(entry)
    return play_journal(opened.read(), trust)
