"""Words for the messages of the command line."""


def counted(count: int, what: str, more: str = "") -> str:
    """A number of things: `1 counter`, `2 counters`. more: the word for several, if it is not made with s."""
    return f"{count} {what if count == 1 else more or f'{what}s'}"
