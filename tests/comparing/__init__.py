"""Two ways to answer, compared: on made-up positions (`tests.making`), by one runner, with one report of what differs.

A `Search` (`search`) is what a module of tests adds: it makes a case of a seed and a number, and yields what is wrong with it.
`SEARCHES` names these modules; `python -m tests.comparing NAME [COUNT] [SEED] [FIRST]` and `make explore WHAT=NAME` run one,
`tried` tries a few of its cases in a test. `ways` has the ways to ask: a file, the library, a command, MCP, the prompt and the page.
`allowed.toml` lists the differences that are meant, with reasons.

A search for a new question takes 20 lines: `orders.py` is an example.
"""

SEARCHES = {
    "agreeing": "tests.combats.agreeing",
    "alike": "tests.alike.checking",
    "combats": "tests.combats.playing",
    "following": "tests.combats.following",
    "lacking": "tests.lacking.checking",
    "markers": "tests.evenings.turning",
    "orders": "tests.comparing.orders",
    "owed": "tests.comparisons.consequences",
    "rolls": "tests.combats.rolls",
    "secrets": "tests.secrets.run",
    "secrets-beside": "tests.secrets.beside",
    "secrets-fog": "tests.secrets.fog",
    "secrets-foreign": "tests.secrets.foreign",
    "secrets-shared": "tests.secrets.shared",
    "undoing": "tests.undoing.table",
}
"""The modules of all searches by name; each has its search as `SEARCH`."""
