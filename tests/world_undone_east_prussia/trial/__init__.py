"""The trial: two questions of a game that is otherwise data alone, written from the documentation."""

from assistant import hookimpl


@hookimpl
def register_questions(game, register):
    """The questions of this game, each with the module that holds it."""
    register("supply", f"{__name__}.supply")
    register("combat", f"{__name__}.combat")
