"""How sessions and walks are coloured: what is typed stands out from what the program prints."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Generic, Text
from sphinx.application import Sphinx


class Session(RegexLexer):
    """A `console` block: lines that are typed stand behind `$` or the prompt of the table, all others are printed."""

    name = "Session"
    tokens = {
        "root": [
            (r"^(\$ |(?:\S.*?(?<!-))?> )(.*\n)", bygroups(Generic.Prompt, Generic.Strong)),
            (r".*\n", Generic.Output),
        ]
    }


class Walk(RegexLexer):
    """A `walk` block of docs/maintaining/house.md: a module and its part, a star before what a hook registered."""

    name = "Walk"
    tokens = {
        "root": [
            (r"( *)(\* )?([\w.]+)(: .*\n)", bygroups(Text, Generic.Prompt, Generic.Strong, Generic.Output)),
            (r".*\n", Text),
        ]
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of both."""
    app.add_lexer("console", Session)
    app.add_lexer("walk", Walk)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
