"""The picture of the table: the combat that is asked about, or all units, as SVG, PDF or PNG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...asking.sketch import Sketch, Spot
from ...asking.view import View
from ...drawing import WRITERS
from ...drawing.sketch.scene import sketch_scene
from ...installed.registry import question_of
from ...rules.sketches import attack_arrows, side_at
from ...service import picture
from ...util.errors import InputError
from ...util.writing import write_whole
from .combats import list_named
from .files import OwnFiles
from .table import ShownAnswer, TableState

ALWAYS = "always"
"""Draws the picture after every line from now on."""
OFF = "off"
"""Ends that."""


class TablePicture:
    """Draws the table into files, and one of them anew after every line if the player wishes.

    live: the file that is kept up to date, None for none; kept: that of the last session, with the digest of what was
    drawn.
    """

    def __init__(self, kept: tuple[str, str] | None = None) -> None:
        self.live = Path(kept[0]) if kept else None
        self._own = OwnFiles(dict([kept]) if kept else None)

    @property
    def kept(self) -> tuple[str, str] | None:
        """The file that is kept up to date and the digest of what was drawn last, for the next session."""
        return (str(self.live), self._own.digests[str(self.live)]) if self.live else None

    def draw_as_asked(self, rest: str, table: TableState, shown: ShownAnswer | None) -> Iterator[str]:
        """Yield what `picture` does with what stands behind it: FILE, FILE always, or off.

        Raises InputError for a file of another kind, one that exists and is not ours, and if there is nothing to draw.
        """
        if rest.casefold() == OFF:
            yield "the picture is no longer kept up to date" if self.live else "no picture is kept up to date"
            self.live = None
            return
        words = rest.rsplit(" ", 1)
        always = len(words) == 2 and len(words[1]) > 1 and ALWAYS.startswith(words[1].casefold())
        name = words[0] if always else rest
        if not name:
            raise InputError(
                "a picture needs a file", hint=f"picture NAME.svg, .pdf or .png; {ALWAYS} after it keeps it up to date"
            )
        typed = Path(name.strip('"')).expanduser()
        file = typed.absolute()
        if file.suffix.lower() not in WRITERS:
            raise InputError(f"{typed} is not a picture file", hint=f"name it NAME{' or NAME'.join(WRITERS)}")
        if not self._own.may_write(file):
            raise InputError("the file already exists", hint="give the picture another name")
        self._draw(file, table, shown)
        if always:
            self.live = file
            yield f"drawn: {typed}, and again after every line"
        else:
            yield f"drawn: {typed}"

    def renew(self, table: TableState, shown: ShownAnswer | None) -> Iterator[str]:
        """Draw the file anew that is kept up to date; a line if that fails. A file that something else has changed is
        left alone from then on.
        """
        if self.live and not self._own.may_write(self.live):
            yield f"! {self.live} has been changed by something else and is no longer kept up to date"
            self.live = None
        if self.live:
            try:
                self._draw(self.live, table, shown)
            except InputError as error:
                yield f"! picture not drawn: {error.what}"

    def _draw(self, file: Path, table: TableState, shown: ShownAnswer | None) -> None:
        write_whole(file, _draw_table(table, shown, file.suffix.lower()), force=True)
        self._own.note_written(file)


def _has_own_picture(shown: ShownAnswer) -> bool:
    """Return whether the answer to a question has a picture that is not that of a combat."""
    drawn_as = question_of(shown.position.game, shown.asked.question).drawn_as
    return shown.report.drawable is not None and "picture" in drawn_as


def _draw_table(table: TableState, shown: ShownAnswer | None, ending: str) -> bytes:
    """Return the picture of a table: of its combat, of the answer to another question that has a picture, or else of
    all units.

    ending: of the file: .svg, .pdf or .png. Raises InputError if no unit is on the map.
    """
    position = table.position
    prompt = table.position.game.file.prompt
    targets = list[str]()
    attackers = list[str]()
    if shown and shown.asked.question == prompt.ask:
        targets = list_named(shown.asked, prompt.target)
        attackers = list_named(shown.asked, prompt.attackers)
    elif shown and _has_own_picture(shown):
        return picture(shown.position, shown.report, ending)
    places = [unit.place for unit in position.state.units.values() if unit.place]
    focus = [*targets, *attackers] if targets else list(dict.fromkeys(places))
    if not focus:
        raise InputError("no unit is on the map", hint="type a hex and its units first")
    view = View(position.game, position.state)
    side = side_at(view, *attackers)
    sketch = Sketch(
        title=shown.report.title if shown else position.game.title,
        answer=shown.report.headline if shown else "",
        side=side,
        spots=tuple(Spot(hex=target, role="target") for target in targets),
        arrows=attack_arrows(attackers, targets, side),
        focus=tuple(focus),
    )
    return WRITERS[ending](sketch_scene(view, sketch))
