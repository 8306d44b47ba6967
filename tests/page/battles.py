"""Ten battles whose units are known, and one of three corps that no roster has: as they are typed at the table prompt."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from assistant import parse
from assistant.faces.prompt.books import JournalSession
from assistant.installed.registry import load_game
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile

GAME = "twilight-in-the-east"
KNOWN = """game twilight-in-the-east
turn=1
trust charts
45.25: german infantry XX 1/1 (12-16-7-11), german cavalry XX 8/8 (6-8-3-11)
35.20: russian infantry XX 25/3 (10-9-5-10), russian infantry XX 27/3 (10-9-5-10)
35.21: russian infantry XX 29/20 (10-9-5-10)
35.24: russian cavalry XX 2/2 (5-4-2-9)
"""
"""Where the units of the ten battles stand before: well behind."""
EMPTY = "game twilight-in-the-east\nturn=1\ntrust charts\n"


class Battle(NamedTuple):
    """A battle. start: the table before it; lines: as they are typed at the prompt, dice and choices among them; answer:
    what the answer says at the end; keys: how many it takes at the prompt, with Enter after each line.
    """

    start: str
    lines: tuple[str, ...]
    answer: str
    keys: int

    def played(self, folder: Path, width: int = 200) -> tuple[JournalSession, list[list[str]]]:
        """The table after all lines at the prompt, and what each line is answered with. width: columns of the screen."""
        game = load_game(GAME)
        file = folder / "battle.journal"
        create(file, write_head(game, parse(self.start, game=game), ""))
        books, said = JournalSession(JournalFile(file, load_game), width), list[list[str]]()
        for line in self.lines:
            said.append([shown for text in books.enter(line) for shown in text.splitlines()])
            assert books.fault is None, line
            assert books.held is None, line
        return books, said


def _known(*lines: str, answer: str, keys: int) -> Battle:
    return Battle(KNOWN, lines, answer, keys)


BATTLES = {
    "the rulebook's example": _known(
        *("4119c 1/1 <4020o 25/3 27/3 4019o 29/20 -3", "7", "3 4", "3", "12", "5", "6", "3"),
        answer="against 1/1 at 41.19: column 1:1 (42 against 23 is 2:1, shifted -1 for attackers of 2 corps or independent stacks), Large. The attacker loses 2 steps, the defender 2",
        keys=59,
    ),
    "over a river into rough ground": _known(
        *("4119r 1/1 <4020mi 25/3 27/3", "9", "3 4"),
        answer="against 1/1 at 41.19: column 1:3 (30 against 23 is 1:1, shifted -2 for rough terrain and across minor-river), Medium. 9 on 1:3: no retreat",
        keys=34,
    ),
    "without ammunition": _known(
        *("4119c 1/1 <4020o 25/3 27/3 4019o 29/20 ap=none", "7", "3 4", "1"),
        answer="against 1/1 at 41.19: column 1:2 (30 against 23 is 1:1, shifted -1 for attackers of 2 corps or independent stacks), Large. 7 on 1:2: no retreat",
        keys=55,
    ),
    "a flanked defender": _known(
        *("4119c 1/1 <4020o 25/3 27/3 flanked=yes", "11", "2"),
        answer="against 1/1 at 41.19: column 3:1 (30 against 23 is 1:1, shifted +2 for defender flanked), Medium. 11 on 3:1: by the result the defender retreats 1 hex",
        keys=44,
    ),
    "a defender without ammunition": _known(
        *("4119w 1/1 <4020o 25/3 dap=none", "5", "2 6"),
        answer="against 1/1 at 41.19: column 1:2 (15 against 16 is 1:1, shifted -1 for wetlands terrain), Medium. 5 on 1:2: no retreat",
        keys=37,
    ),
    "cavalry alone": _known(
        *("4119c 8/8 <4020o 2/2", "8", "6 1"),
        answer="against 8/8 at 41.19: column 1:2 (7 against 11), Small. 8 on 1:2: no retreat",
        keys=27,
    ),
    "one division withheld": _known(
        *("4119c 1/1 <4020o 25/3 27/3 4019o 29/20", "-27/3", "7", "3 4", "2"),
        answer="against 1/1 at 41.19: column 1:2 (30 against 23 is 1:1, shifted -1 for attackers of 2 corps or independent stacks), Medium. 7 on 1:2: no retreat",
        keys=53,
    ),
    "worn divisions": _known(
        *("4119c 1/1 -4 <4020o 25/3 -2 27/3 -2", "10", "2"),
        answer="against 1/1 at 41.19: column 1:1 (26 against 19), Medium. 10 on 1:1: by the result the defender retreats 1 hex",
        keys=41,
    ),
    "from three sides": _known(
        *("4119c 1/1 <4020o 25/3 4019o 27/3 4120o 29/20", "8"),
        answer="against 1/1 at 41.19: column 3:1 (45 against 23 is 2:1, shifted +1 for defender flanked and attackers of 2 corps or independent stacks), Large. 8 on 3:1: by the result the defender retreats 1 hex",
        keys=47,
    ),
    "in the mountains, with a level lost": _known(
        *("4119m 1/1 cel=-1 <4020o 25/3 27/3", "6", "1 1"),
        answer="against 1/1 at 41.19: column 1:3 (30 against 23 is 1:1, shifted -2 for mountain terrain), Medium. 6 on 1:3: no retreat",
        keys=40,
    ),
}
FROM_NOTHING = Battle(
    "game twilight-in-the-east\n",
    ("t=1", "trust all", "4119 1/1 <4020 25/3 27/3 4019 29/20 -3", "7 3 4", "3", "12 5 6", "3"),
    answer="against 1/1 at 41.19: column 1:1 (42 against 23 is 2:1, shifted -1 for attackers of 2 corps or independent stacks), Large. The attacker loses 2 steps, the defender 2",
    keys=70,
)
"""The rulebook's example from an empty table, with what there is of map, charts and counters."""
ON_THE_MAP = Battle(
    EMPTY + "41.19: 1/1 (12-16-7-11)\n40.20: 25/3 (10-9-5-10), 27/3 (10-9-5-10)\n40.19: 29/20 (10-9-5-10) -3\n",
    ("4119<4020 4019", "7 3 4", "3", "12 5 6", "3"),
    answer="against 1/1 at 41.19: column 1:1 (42 against 23 is 2:1, shifted -1 for attackers of 2 corps or independent stacks), Large. The attacker loses 2 steps, the defender 2",
    keys=32,
)
"""The rulebook's example once its units stand on the map."""
UNROSTERED = Battle(
    EMPTY,
    (
        "2213r ru 9/X 14-12-6-8 31/X 14-12-6-8 <2214mi a-h 3/XIV 12-11-4-9 8/XIV 12-11-4-10 "
        "2313o 12/VI 11-10-4-9 39/VI 11-10-4-9",
        *("7", "3 4", "1"),
    ),
    answer="against 9/X and 31/X at 22.13: column 1:2 (62 against 36 is 2:1, shifted -2 for rough terrain and attackers of 2 corps or independent stacks), Massive. 7 on 1:2: no retreat",
    keys=129,
)
THREE_CORPS = Battle(
    EMPTY,
    (
        "2213c ru art 10/X 5-7-7-8 inf 9/X 14-12-6-8 31/X 13-12-6-8 <2212o a-h 106/VI 9-8-4-10 "
        "2214mi art 14/XVII 4-2-8-9 inf 3/XVII 12-11-4-9 8/XVII 12-11-4-10 "
        "2313o art 6/VI 4-2-8-8 inf 12/VI 11-10-4-9 39/VI =",
        *("6", "3 4", "1"),
    ),
    answer="against 10/X, 9/X and 31/X at 22.13: column 3:1 (91 against 43 is 2:1, shifted +1 for defender flanked and attackers of 2 corps or independent stacks), Massive. 6 on 3:1: no retreat",
    keys=211,
)
