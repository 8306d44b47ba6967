"""A small campaign for the tests of the journal: two nations with points, supply and levels, schedules, and a few units."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hypothesis import strategies as st

from assistant.game.games import Game, read_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.lines import JournalLine, write_entry
from assistant.records.journal.typed_lines import read_typed
from assistant.util.errors import InputError

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
    return Journal.read(parse_journal(text.encode(), "war.journal"), "war.journal", lambda _: game)


# --- journals that are made up ---------------------------------------------------------------------------------------------

Step = tuple[str, int, int]
"""What is typed next: its kind, a pick among what there is of it, an amount."""
NATIONS = ("ru", "ro", "na")
FACTS = (
    "0102: A1, A2", "0505: B1, B2", "0203: A2", "A1 -1", "A2 -2", "A1 halted", "nation rust sp=7", "nation navy dm=3", "vp=4",
    "weather=mud", "0309: rust N9", "N9 -1", "0309: N9, A1", "0101: A1, B1", "0404: rose A1, N8 -x", "line front: 0101 0102",
    "line front: 0101 09x9", "trust charts", "trust charts nonsense", "0606: A3 of nowhere, N9",
)  # fmt: skip
"""Some cannot be meant, or not at every moment."""
CHANGES = (
    "sp rust + 10 9", "sp rust - 3 9; dm rust + 40 9", "dm navy up-to 50 9", "steps A1 0 -> 1 3; steps A2 - -> 2 3",
    "place A1 0101 -> 0203 4", "place A1 0102 -> - 4; lost A1 - -> aug14/2 4", "enter N7 A1 0101 0 9", "leave A2 9",
    "place N9 0309 -> 0310 4; sp navy + 2 9", "weather - clear -> mud 9", "shaken rust - -> zzz 9", "dm rust 5 -> 60 9",
)  # fmt: skip
PLAIN = (
    *("dm", "dm", "spend", "give", "declare", "rebuild", "lose", "score"),
    *("fact", "fact", "answer", "asked", "turn", "jump", "late"),
)
KINDS = (*PLAIN, "amend", "amend", "rewrite", "strike", "strike", "undo")
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 40), st.integers(1, 120)), max_size=14)
PLAIN_STEPS = st.lists(st.tuples(st.sampled_from(PLAIN), st.integers(0, 40), st.integers(1, 120)), max_size=12)


def typed(book: Journal, step: Step) -> str:
    """What a step types at a journal."""
    kind, pick, amount = step
    who, unit = NATIONS[pick % 3], ("A1", "A2", '"3 Corps"', "B1")[pick % 4]
    entry = pick % max(book.last, 1) + 1
    return {
        "dm": f"{who} dm {amount} at {pick}",
        "spend": f"force {who} spend {amount}",
        "give": f"force ro give {amount}",
        "declare": f"{who} declare",
        "rebuild": f"force {who} rebuild {amount} {('infantry', 'artillery')[pick % 2]}",
        "lose": f"{who} lose {unit}",
        "score": f"game score {amount}",
        "fact": f"fact {FACTS[pick % len(FACTS)]}",
        "asked": ("asked", f"asked check who=A1 | die={amount}", "asked check who=A1 | | ?1 steps A1 = 2")[pick % 3],
        "answer": f"answer check | | {CHANGES[pick % len(CHANGES)]}",
        "turn": "turn next",
        "jump": f"turn {book.label(book.turn + amount // 4)}",
        "late": f"late {book.label(pick % max(book.turn - 1, 1) + 1)} {NATIONS[amount % 3]} dm {amount}",
        "amend": f"force amend {entry} {amount}",
        "rewrite": f"amend {entry} {NATIONS[amount % 3]} dm {amount} anew",
        "strike": f"strike {entry}",
        "undo": "undo",
    }[kind]


def after(book: Journal, *typed: str | JournalLine) -> Journal:
    """A journal once lines have been typed: none may be refused."""
    for line in typed:
        book = book.check_typed(read_typed(book, line))
    return book


def play(book: Journal, *steps: Step | str) -> Journal:
    """A journal that goes on by steps, or what is typed; what cannot be meant is refused and left out."""
    for step in steps:
        with suppress(InputError):
            book = book.check_typed(read_typed(book, step if isinstance(step, str) else typed(book, step)))
    return book


def lines_of(book: Journal) -> list[str]:
    """The entries of a journal as its file has them."""
    return [write_entry(book.write_line(entry)) for entry in book.entries]


def whole(book: Journal) -> object:
    """All that a journal comes to but for numbers: accounts, levels, and the position."""
    state = book.position().state
    return (
        {key: book.books.balance(*key) for key in {(posting.account, posting.who) for posting in book.books.postings}},
        sorted((reached.level.title, reached.turn) for reached in book.books.reached),
        {key: fact for key, fact in state.facts.items() if fact.value != book.game.track(key[0]).nothing},
        dict(state.units),
        (dict(state.lines), state.accepts, state.board, dict(state.rulings), dict(state.cells)),
    )
