"""Two ways to answer, compared: on made-up positions (`tests.making`), by one runner, with one report of what differs.

A `Search` (`search`) is what a module of tests adds: it makes a case of a seed and a number, and yields what is wrong with it.
`SEARCHES` names these modules; `python -m tests.comparing NAME [COUNT] [SEED] [FIRST]` and `make explore WHAT=NAME` run one,
`tried` tries a few of its cases in a test. `ways` has the ways to ask: a file, the library, a command, MCP, the prompt and the page.
`allowed.toml` lists the differences that are meant, with reasons.

A search for a new question takes 20 lines: `orders.py` is an example.
"""

SEARCHES = {
    "alike": "tests.alike.checking",
    "lacking": "tests.lacking.checking",
    "orders": "tests.comparing.orders",
    "supplies": "tests.supplies.checking",
}
"""The modules of all searches by name; each has its search as `SEARCH`."""
