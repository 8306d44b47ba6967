"""Field Staff's assistant: reads a wargame position and answers rules questions about it, showing its working.

These names are the library, see "The library" in the handbook. Each is loaded at its first use, so that importing the
package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .asking.recent_answers import keeping_answers as keeping_answers
    from .asking.report import Report as Report
    from .formats.positions import Position as Position
    from .game.games import Game as Game
    from .installed.hookspecs import hookimpl as hookimpl
    from .installed.registry import named_game as named_game
    from .many import Answered as Answered
    from .many import ask_many as ask_many
    from .records.mailing import carry_out as carry_out
    from .service import ask as ask
    from .service import chart as chart
    from .service import compare as compare
    from .service import link as link
    from .service import notation as notation
    from .service import parse as parse
    from .service import picture as picture
    from .service import read as read
    from .service import to_json as to_json
    from .service import write as write
    from .util.errors import InputError as InputError

_HOMES = {
    "formats.positions": ("Position",),
    "game.games": ("Game",),
    "many": ("Answered", "ask_many"),
    "installed.hookspecs": ("hookimpl",),
    "installed.registry": ("named_game",),
    "asking.recent_answers": ("keeping_answers",),
    "asking.report": ("Report",),
    "records.mailing": ("carry_out",),
    "service": ("ask", "chart", "compare", "link", "notation", "parse", "picture", "read", "to_json", "write"),
    "util.errors": ("InputError",),
}
"""The library's names, by module."""

__all__ = sorted(name for names in _HOMES.values() for name in names)

if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> Any:
        """Return a name of the library, from its module. Raises AttributeError for any other name."""
        for module, names in _HOMES.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f".{module}", __name__), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
