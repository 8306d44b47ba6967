"""Words for the messages of the command line."""


def counted(count: int, what: str) -> str:
    """A number of things: `1 counter`, `2 counters`."""
    return f"{count} {what}{'' if count == 1 else 's'}"
