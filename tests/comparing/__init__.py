"""Two ways to answer, compared: on made-up positions (`tests.making`), by one runner, with one report of what differs.

A `Search` (`search`) is what a module of tests adds: it makes a case of a seed and a number, and yields what is wrong with it.
`SEARCHES` names these modules; `python -m tests.comparing NAME [COUNT] [SEED] [FIRST]` and `make explore WHAT=NAME` run one,
`tried` tries a few of its cases in a test. `ways` has the ways to ask: a file, the library, a command, MCP, the prompt and the page.
`allowed.toml` lists the differences that are meant, with reasons.

A search for a new question takes 20 lines: `orders.py` is an example.
"""

from typing import NamedTuple


class Listed(NamedTuple):
    """A search by the module that has it as `SEARCH`."""

    module: str
    looks_for: str


SEARCHES = {
    "agreeing": Listed(
        "tests.combats.agreeing",
        "combats, retreats and marches of which two questions that judge one thing say different things",
    ),
    "alike": Listed(
        "tests.alike.checking",
        "positions with half of their ground typed, answered otherwise in a file, by a command, of the library, by MCP, at the prompt or on the page",
    ),
    "combats": Listed(
        "tests.combats.playing",
        "combats played until nothing is owed that break a rule, or that differ when their moves are entered one by one",
    ),
    "contradictions": Listed(
        "tests.comparing.contradictions",
        "positions that contradict themselves and are not refused, or in other words by another way to ask",
    ),
    "following": Listed(
        "tests.combats.following",
        "units that may follow after combats otherwise than by a plain account of who took part",
    ),
    "fuzz": Listed(
        "tests.fuzz.searching",
        "input, guided by the code that it reaches, on which the program crashes",
    ),
    "hostile": Listed(
        "tests.hostile.spoiled",
        "spoiled input of commands, prompt and builder that is neither answered nor refused in two lines",
    ),
    "imports": Listed(
        "tests.importing.checking",
        "made-up VASSAL modules that are imported otherwise than an independent reader reads them",
    ),
    "kills": Listed(
        "tests.hostile.kills",
        "commands that leave something broken when they are killed while they write",
    ),
    "lacking": Listed(
        "tests.lacking.checking",
        "questions with facts left out that are answered as if none were missing",
    ),
    "markers": Listed(
        "tests.evenings.turning",
        "markers of a game that outlive what their track declares, or end before it",
    ),
    "orders": Listed(
        "tests.comparing.orders",
        "questions answered otherwise once the lines of their position stand in another order",
    ),
    "owed": Listed(
        "tests.comparisons.consequences",
        "marches, retreats and combats whose answers leave out what follows from them",
    ),
    "pasting": Listed(
        "tests.assistant.game.pasting",
        "charts that are read otherwise than they were pasted, or end in an internal error",
    ),
    "phones": Listed(
        "tests.assistant.faces.page.phones",
        "phones that do not show the one journal of their table",
    ),
    "reviews": Listed(
        "tests.reviews.checking",
        "phases played by chance of which a review calls a lawful move or attack against a rule",
    ),
    "rolls": Listed(
        "tests.combats.rolls",
        "phases that are left although they owe a roll",
    ),
    "secrets": Listed(
        "tests.secrets.run",
        "answers that tell a side what is hidden from it",
    ),
    "secrets-beside": Listed(
        "tests.secrets.beside",
        "the same under the rules of hidden movement of a game",
    ),
    "secrets-fog": Listed(
        "tests.secrets.fog",
        "the same in fog of war",
    ),
    "secrets-foreign": Listed(
        "tests.secrets.foreign",
        "the same in saves of a module that nobody has adopted",
    ),
    "secrets-shared": Listed(
        "tests.secrets.shared",
        "the same at a shared table",
    ),
    "seeded-combats": Listed(
        "tests.reviews.combat_faults",
        "wrong results of attacks that a review calls lawful",
    ),
    "seeded-moves": Listed(
        "tests.reviews.faults",
        "units brought to a hex by chance on which a review and a naive judge disagree",
    ),
    "served": Listed(
        "tests.served.checking",
        "served tables that are wrong after a kill, a power cut or a full disk",
    ),
    "sessions": Listed(
        "tests.assistant.faces.prompt.grammar",
        "sessions at the prompt that come to another position than the same lines in a file",
    ),
    "stacking": Listed(
        "tests.comparing.stacking",
        "stacks of Kaiser's War in the East that are judged otherwise than their parts",
    ),
    "stored": Listed(
        "tests.assistant.faces.prompt.stored",
        "sessions at the prompt that leave on the table what no file may say",
    ),
    "suggestions": Listed(
        "tests.assistant.faces.prompt.suggestions",
        "slips at the prompt that are answered by a line which cannot be typed",
    ),
    "supplies": Listed(
        "tests.supplies.checking",
        "supply of a unit, alone or with its side, that a naive solver works out otherwise",
    ),
    "undoing": Listed(
        "tests.undoing.table",
        "undos and strikes at a served table that lose a unit or bring enemies into one hex",
    ),
    "viewpoints": Listed(
        "tests.assistant.faces.cli.viewpoints",
        "commands with --as about examples that end in an internal error",
    ),
    "years": Listed(
        "tests.years.checking",
        "histories of served tables, with kills, power cuts, full disks and new starts, that lose something or show a seat another table",
    ),
}
"""All searches by name."""
