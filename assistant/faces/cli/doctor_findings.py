"""What is found out about an installation, thing by thing."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ...util.errors import InputError, PluginError, is_want_of_memory, plain, word_machine_error

OK: Final = "ok"
OPTIONAL: Final = "optional"
WRONG: Final = "wrong"


class DoctorFinding(NamedTuple):
    """What was found out about one thing."""

    about: str
    state: Literal["ok", "optional", "wrong"]
    """`ok`, `optional` if it may be added, or `wrong`."""
    said: str
    """What is the case."""
    hint: str = ""
    """What to do."""


def describe_fault(about: str, error: BaseException) -> DoctorFinding:
    """Return a thing that cannot be read or used."""
    if isinstance(error, OSError) or is_want_of_memory(error):
        error = word_machine_error(error)
    if isinstance(error, PluginError):
        return DoctorFinding(about, WRONG, plain(error.what), "install its package again, or remove it")
    if isinstance(error, InputError):
        what, _, hint = str(error).partition("\n")
        return DoctorFinding(about, WRONG, what, hint.strip())
    return DoctorFinding(about, WRONG, plain(f"{type(error).__name__}: {error}"), "install the program again")
