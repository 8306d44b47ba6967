"""A small campaign for the tests of the journal: two nations with points, supply and levels, schedules, and a few units."""

from __future__ import annotations

from pathlib import Path

from assistant.game.games import Game, read_game
from assistant.journal.files import parse_journal
from assistant.journal.journal import Journal

FILES = {
    "game.toml": """
title = "Small War"
id = "small-war"
[sides]
red = ["rust", "rose"]
blue = ["navy"]
[grid]
orientation = "flat"
format = "{column:02}{row:02}"
columns = [1, 9]
rows = [1, 9]
[notation]
identity = ["nation"]
""",
    "course.toml": """
[calendar]
first = "aug14/1"
last = "jun16/7"
turns = 7
special = true
[[phase]]
title = "Movement"
""",
    "tracks.toml": """
[turn]
title = "turn"
on = "game"
kind = "text"
names = "turn"
token = "turn={}"
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["rust", "rose", "navy"]
printed = "counter"
token = "{}"
[steps]
title = "steps lost"
on = "unit"
kind = "integer"
least = 0
absent = 0
token = "-{}"
[lost]
title = "turn in which it was destroyed"
on = "unit"
kind = "text"
names = "turn"
[dm]
title = "demoralization points"
on = "nation"
kind = "integer"
least = 0
absent = 0
rule = "1"
[sp]
title = "supply points"
on = "nation"
kind = "integer"
least = 0
absent = 0
rule = "2"
[vp]
title = "victory points"
on = "game"
kind = "integer"
absent = 0
rule = "3"
[shaken]
title = "turn since when it is shaken"
on = "nation"
kind = "text"
names = "turn"
[broken]
title = "turn since when it is broken"
on = "nation"
kind = "text"
names = "turn"
[weather]
title = "weather"
on = "game"
kind = "choice"
values = ["clear", "mud"]
absent = "clear"
[halted]
title = "halted"
on = "unit"
kind = "flag"
absent = false
ends_with = ["turn"]
""",
    "events.toml": """
[short]
ru = "rust"
ro = "rose"
na = "navy"
[event.dm]
title = "demoralization points"
least = 1
posts = { dm = 1 }
rule = "1"
[event.spend]
title = "supply points spent"
least = 1
posts = { sp = -1 }
rule = "2"
[event.give]
title = "supply points given to the rust nation"
least = 1
posts = { sp = -1, "rust.sp" = 1 }
only = ["rose"]
rule = "2.1"
[event.declare]
title = "declares itself shaken"
raises = { dm = 100 }
rule = "1.1"
[event.lose]
title = "a unit is destroyed"
unit = true
sets = { "unit.lost" = "turn" }
rule = "4"
[event.rebuild]
title = "strength rebuilt"
least = 1
kinds = { infantry = { posts = { sp = -1 } }, artillery = { posts = { sp = -2 }, rule = "2.2" } }
rule = "2"
[event.score]
title = "victory points"
on = "game"
least = 0
posts = { vp = 1 }
rule = "3"
[[level]]
account = "dm"
who = "rust"
at = 100
since = "shaken"
title = "Shaken"
rule = "1.1"
[[level]]
account = "dm"
who = "rust"
at = 200
since = "broken"
title = "Broken"
rule = "1.2"
""",
    "schedules/regular.csv": """rule,who,from,until,months,turns,item,account,amount
5,rust,,,,0,imports,dm,8
6,rust,dec14,shaken,odd,1,supply,sp,15
6,rust,dec14,shaken,even,1,supply,sp,10
7,rust,shaken,,,1,supply,sp,5
""",
    "roster.csv": "unit,nation\nA1,rust\nA2,rust\n3 Corps,rust\nB1,navy\nB2,navy\n",
    "setups/august.pos": "game small-war\nturn=aug14/1\n0101: A1, A2\n0505: B1\n",
}


def small_game(folder: Path, **others: str) -> Game:
    """The small campaign in a folder. others: files with another text, by their names with _ for what is not a letter."""
    files = {**FILES, "game.toml": FILES["game.toml"] + '\n[[roster]]\nfile = "roster.csv"\nsource = "printed"\n'}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read_game("small-war", folder)


def journal(game: Game, *lines: str, head: tuple[str, ...] = ("setup august",)) -> Journal:
    """A journal of the small campaign with these lines, numbered as they come if they are not."""
    numbered = [
        line if line[:1].isdigit() and line[1:2] in " 0123456789" else f"{number} {line}"
        for number, line in enumerate(lines, 1)
    ]
    text = "\n".join(["journal small-war 1", *head, *numbered, ""])
    return Journal(parse_journal(text.encode(), "war.journal"), "war.journal", lambda _: game)
