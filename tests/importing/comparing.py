"""What a module, its saves, the game imported of it, its adoption, and the module built of that game say of each piece: whether all agree."""

from __future__ import annotations

import csv
import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from click.testing import CliRunner

from assistant.faces.cli.main import cli as assistant
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.formats.vassal.legends import UNIT
from assistant.formats.vassal.positions import legend_of, position_of
from assistant.formats.vassal.saves import read_save
from assistant.game.games import Game, read_game
from assistant.util.errors import InputError
from module_builder.cli import cli as builder

from .making import Made
from .reading import MARKER, Grid, Lying, Module, Point, find_nations, grid_at, settle

NEAR = 3
"""How many pixels a piece may lie from where it lay: as far as rounding moves the middle of a hex."""
_PLAIN = str.maketrans(
    {"|": "/", "=": "-", '"': "'"} | dict.fromkeys("\u2018\u2019\u201c\u201d", "'") | dict.fromkeys("\u2013\u2014", "-")
)
_COMMON = re.compile(r"\b(units|counters|pieces|forces|troops|the)\b")


class Difference(NamedTuple):
    """Something on which two of them do not agree. kind: in a word; what: in a line."""

    kind: str
    what: str


class Outcome(NamedTuple):
    """What a comparison found. said: the words of the commands; report: IMPORT.md; pieces: how many were compared."""

    differences: list[Difference]
    said: str
    report: str
    pieces: int
    built: bytes


def clean(text: str) -> str:
    """Return a name as notation can write it."""
    text = text.translate(_PLAIN)
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:80].strip()


def base(name: str) -> str:
    """Return a name without the number of a copy."""
    return re.sub(r"( \(\d+\))+$", "", name)


def word(nation: str) -> str:
    """Return what two ways to write a nation have in common."""
    plain = re.sub(r"[^a-z0-9]+", " ", nation.casefold())
    return " ".join(_COMMON.sub("", plain).split()) or plain.strip()


def is_marker(one: Lying, module: Module) -> bool:
    """Return whether the tabs or the name of a piece say that it is a marker."""
    of = [slot for slot in module.slots if slot.gpid and slot.gpid == one.piece.gpid]
    named = [part for slot in of for part in slot.path]
    return any(map(MARKER.search, (*named, one.piece.name)))


class Comparison:
    """Compares a module in a folder of its own. saves: further ones, by the title of the set-up that each is."""

    def __init__(self, file: Path, folder: Path, saves: Mapping[str, bytes] = {}) -> None:
        self.file, self.folder = file, folder
        self.module = Module(file)
        self.names = self.module.names()
        self.saves = dict(saves)
        self._units: dict[str, str] = {}
        self.said, self.differences, self.pieces, self.built = "", list[Difference](), 0, b""

    def note(self, kind: str, what: str) -> None:
        """Note a difference."""
        self.differences.append(Difference(kind, what))

    def run(self, command: object, *words: str) -> bool:
        """Run a command; a failure is a difference."""
        done = CliRunner().invoke(command, words)  # type: ignore[arg-type]
        self.said += f"$ {' '.join(words)}\n{done.output}"
        if done.exit_code:
            what = str(done.exception) if done.exception and not isinstance(done.exception, SystemExit) else ""
            self.note(words[0], f"{what} {done.output.strip()[-300:]}".strip())
        return done.exit_code == 0

    def outcome(self) -> Outcome:
        """Return what is found."""
        game = str(self.folder / "game")
        if self.run(builder, "import", str(self.file), "-o", game):
            checked = self.run(builder, "check", game)
            built = self.folder / "built.vmod"
            made = self.run(builder, "module", game, "-o", str(built), "--force")
            self.built = built.read_bytes() if made else b""
            adopted = self.run(assistant, "adopt", str(self.file), "--game", game)
            self._units = self._renamed("Units")
            if checked:
                self._compare(read_game("game", Path(game)), adopted=adopted)
        report = Path(game) / "IMPORT.md"
        return Outcome(
            self.differences, self.said, report.read_text("utf-8") if report.exists() else "", self.pieces, self.built
        )

    def _compare(self, game: Game, *, adopted: bool) -> None:
        titles = {title: file for file, title in (game.file.module.setups if game.file.module else ())}
        theirs = [(clean(title), self._file(name)) for title, name in self.module.setups]
        theirs += [(title, data) for title, data in self.saves.items()]
        begun = {title: data for title, data in theirs if data}
        for title, file in titles.items():
            data = begun.get(title) or begun.get(base(title))
            if data is None and title != "At start":
                self.note("set-up", f"{title}: no set-up of the module is called so")
                continue
            lying = self.module.save(data) if data is not None else self.module.start()
            try:
                text = (self.folder / "game" / file).read_bytes()
                ours = read_notation(text, file, lambda _: game)
            except InputError as error:
                self.note("set-up", f"{title}: {error}")
                continue
            self._compare_units(title, game, ours, lying)
            if data is not None and adopted:
                try:
                    read = self._read_adopted(data, game)
                except InputError as error:
                    self.note("adopted", f"{title}: {error}")
                else:
                    self._compare_readings(title, game, ours, read)
            if self.built:
                self._compare_built(title, lying)

    def _read_adopted(self, data: bytes, game: Game) -> Position:
        """Return a save as the adoption reads it. Saves within a module need not name it."""
        save = read_save(data)
        save = msgspec.structs.replace(save, about=save.about._replace(module=self.module.root.get("name", "")))
        return position_of(save, legend_of(save, lambda _: game), "theirs.vsav")

    def _file(self, name: str) -> bytes | None:
        return self.module.zip.read(name) if name in self.module.zip.namelist() else None

    def _in_play(self, lying: list[Lying]) -> list[Lying]:
        """Return the pieces that an import takes for units: on a board, in no deck, in no window of some sides, no marker."""
        own = {name for name, element in self.module.maps.items() if element.get("side")}
        return [
            one
            for one in lying
            if one.board and not one.deck and one.map not in own and not is_marker(one, self.module)
        ]

    def _differ(self, kind: str, title: str, ours: Counter[tuple[str, str]], theirs: Counter[tuple[str, str]]) -> None:
        """Note what two counts do not have in common."""
        more, less = ours - theirs, theirs - ours
        if more or less:
            half = f"{[*more.items()][:4]} where it is {[*less.items()][:4]}"
            self.note(kind, f"{title}: {more.total()} and {less.total()} of {theirs.total()} differ: {half}")

    def _compare_units(self, title: str, game: Game, ours: Position, lying: list[Lying]) -> None:
        """Compare the set-up that is imported with what lies there: names, places, nations."""
        playing = self._in_play(lying)
        self.pieces += len(playing)
        names = Counter((self._base(unit.type), "") for unit in ours.state.units.values())
        self._differ("names", title, names, Counter((base(self._name(one)), "") for one in playing))
        self._compare_places(title, ours, playing)
        self._compare_nations(title, game, ours, playing)

    def _compare_places(self, title: str, ours: Position, playing: list[Lying]) -> None:
        """Compare the places of units, as far as they have names in the module and keep them."""
        before = self._renamed("Boxes")
        places = Counter(
            (self._base(unit.type), before.get(str(unit.place), str(unit.place))) for unit in ours.state.units.values()
        )
        anew = "hexes are renumbered" in self._report()  # the pixels say whether these are the same hexes
        printed = Counter(
            (base(self._name(one)), "" if anew and self._grid(one) else clean(one.place)) for one in playing
        )
        nameless = Counter(name for name, place in printed.elements() if not place)  # these may lie anywhere
        some = ((name, place) for (name, place) in (places - printed).elements())
        for at in [*some]:
            if nameless[at[0]]:
                nameless[at[0]] -= 1
                places[at] -= 1
                printed[at[0], ""] -= 1
        self._differ("places", title, places, printed)

    def _compare_nations(self, title: str, game: Game, ours: Position, playing: list[Lying]) -> None:
        """Compare the nations of units, and whether the table asks for those that have none."""
        units = [*ours.state.units.values()]
        nations = find_nations(self.module, playing)
        left_out, beside = self._left_out(), self._beside
        said = Counter(
            (name, "" if {("", nation), (name, nation)} & left_out else nation)
            for one in playing
            for name, nation in [(base(self._name(one)), word(nations[one.id]))]
        )
        given = Counter[tuple[str, str]]()
        for unit in units:
            name, nation = self._base(unit.type), word(game.nation_of_unit(unit, ours.state.facts))
            by_place = said[name, nation] <= given[name, nation] and nation in beside.get(name, ())
            given[name, "" if by_place else nation] += 1
        self._differ("nations", title, given, said)
        listed = {base(row["piece"]) for row in self._rows()} | {self._base(row["piece"]) for row in self._rows()}
        free = {self._base(unit.type) for unit in units if not game.nation_of_unit(unit, ours.state.facts)}
        if free - listed and not left_out:
            self.note("unlisted", f"{title}: the table does not ask for {sorted(free - listed)[:4]}")

    def _left_out(self) -> set[tuple[str, str]]:
        """Return the pieces, "" for all, with the nations of which IMPORT.md says that their side is to be filled in."""
        return {
            (self._base(row["piece"]), word(row["nation"])) for row in self._rows() if row["nation"] and not row["side"]
        }

    def _rows(self) -> list[dict[str, str]]:
        """Return the rows of the table of IMPORT.md that are to be filled in."""
        return [*csv.DictReader(self._report().partition("```csv\n")[2].partition("```")[0].splitlines())]

    @functools.cached_property
    def _beside(self) -> dict[str, set[str]]:
        """Return by name of which nations pieces lie in one place with it, or whose window that is, in any set-up."""
        setups = [self.module.save(data) for _, name in self.module.setups if (data := self._file(name))]
        whose, together = dict[str, set[str]](), list[list[str]]()
        for lying in (*setups, self.module.start()):
            nations, places = find_nations(self.module, lying), dict[tuple[str, Point], list[str]]()
            for one in lying:
                name = base(self._name(one))
                window = self.module.maps.get(one.map)
                owner = window.get("side", "") if window is not None else ""
                whose.setdefault(name, set()).update((word(nations[one.id]), word(owner)))
                places.setdefault((one.map, one.at), []).append(name)
            together += places.values()
        return {
            name: set().union(*(whose[other] for some in together if name in some for other in some)) for name in whose
        }

    def _report(self) -> str:
        return (self.folder / "game" / "IMPORT.md").read_text("utf-8")

    def _renamed(self, what: str) -> dict[str, str]:
        """Return what IMPORT.md says of names that are others here: those in the module by those here."""
        listed = self._report().partition(f"## {what} renamed here")[2].partition("## ")[0]
        lines = (line.removeprefix("- ").rpartition(": ") for line in listed.splitlines() if line.startswith("- "))
        return {re.sub(r"\\(.)", r"\1", now): clean(re.sub(r"\\(.)", r"\1", was)) for was, _, now in lines}

    def _base(self, unit: str) -> str:
        """Return what a unit is called in the module."""
        return base(self._units.get(unit, self._units.get(base(unit), unit)))

    def _name(self, one: Lying) -> str:
        """Return what a piece is called, by its slot if it has no name."""
        if named := clean(settle(self.module, one.piece).name):
            return named
        alike = (
            slot.name
            for slot in self.module.slots
            if one.piece.image and not slot.piece.name and slot.piece.image == one.piece.image
        )
        return next(filter(None, map(clean, (self.names.get(one.piece.gpid, ""), *alike))), "unit")

    def _compare_readings(self, title: str, game: Game, ours: Position, read: Position) -> None:
        """Compare the set-up that is imported with its save as the adoption reads it."""
        here, there = ({unit.id: unit for unit in one.state.units.values() if unit.place} for one in (ours, read))
        self._differ(
            "adopted names", title, Counter((name, "") for name in there), Counter((name, "") for name in here)
        )
        both = here.keys() & there.keys()
        self._differ(
            "adopted places",
            title,
            Counter((name, str(there[name].place)) for name in both),
            Counter((name, str(here[name].place)) for name in both),
        )
        nations = [
            Counter((name, game.nation_of_unit(units[name], one.state.facts)) for name in both)
            for one, units in ((read, there), (ours, here))
        ]
        self._differ("adopted nations", title, *nations)

    def _compare_built(self, title: str, lying: list[Lying]) -> None:
        """Compare where pieces lie in the module built again."""
        again = Module(self.built)
        file = {clean(name): file for name, file in again.setups}.get(title)
        if file is None:
            self.note("built", f"{title}: the module built again has no such set-up")
            return
        ours = [one for one in again.save(again.zip.read(file)) if UNIT in one.piece.properties and one.board]
        drawn = {
            again.zip.read(f"images/{one.piece.image}"): one.piece.properties[UNIT]
            for one in ours
            if self._base(one.piece.properties[UNIT]) == "Brigade" and one.piece.image
        }
        labelled = {
            one.piece.properties[UNIT].partition(" (")[0]
            for one in ours
            if one.piece.properties[UNIT].startswith("Brigade ")
        }
        if len({*drawn}) != len(labelled):
            self.note(
                "labels", f"{title}: {len(drawn)} different pictures of {sorted(labelled)} in the module built again"
            )
        there: dict[str, list[Point]] = {}
        for one in ours:
            if one.map == "Map":
                edge = [int(again.maps[one.map].get(key) or 0) for key in ("edgeWidth", "edgeHeight")]
                at = one.at[0] - edge[0], one.at[1] - edge[1]
                there.setdefault(self._base(clean(one.piece.properties[UNIT])), []).append(at)
        on_hexes = [one for one in self._in_play(lying) if self._grid(one) is not None]
        joined = [(one, self._middle(one, one.corner)) for one in on_hexes]
        boards = dict.fromkeys((one.map, one.board) for one in on_hexes)
        single = [[(one, self._middle(one, (0, 0))) for one in on_hexes if (one.map, one.board) == at] for at in boards]
        eighth = int(max((self._grid(one).dy for one in on_hexes), default=0) / 8)  # what boards may be out of line
        tries = [(_match(there, joined, self._name, max(NEAR, eighth)), joined)]
        tries += [(_match(there, some, self._name, NEAR), some) for some in (*single, [])]
        if on_hexes:
            (_, missed), some = max(tries, key=lambda found: (found[0][0], -len(found[0][1])))
            for one, at in missed:
                self.note("pixels", f"{title}: {self._name(one)} lay at {at} in {one.place!r}, now elsewhere")
            left = [one for one in on_hexes if all(one is not other for other, _ in some)]
            if left:
                self.note("boxes", f"{title}: the hexes of {', '.join({one.board for one in left})} are no hexes")

    def _grid(self, one: Lying) -> Grid | None:
        """Return the grid of hexes that a piece lies on, None if it lies on none."""
        board = self.module.boards(one.map)[one.board]
        grid, size, _ = grid_at(board.element, board.size, one.on_board)
        return Grid(grid, size) if grid is not None and grid.tag.endswith("HexGrid") else None

    def _middle(self, one: Lying, corner: Point) -> Point:
        """Return the middle of the hex that a piece lies in, on the picture of the game's map. corner: of its board there."""
        grid = self._grid(one)
        at = grid.centre(grid.cell(one.on_board)) if grid else one.on_board
        return at[0] + corner[0], at[1] + corner[1]


def _match(
    there: Mapping[str, list[Point]], lay: list[tuple[Lying, Point]], name: Callable[[Lying], str], most: int
) -> tuple[int, list[tuple[Lying, Point]]]:
    """Return how many pieces lie where they lay, and the others. there: by name, where they lie now; most: pixels that they may be away."""
    left, missed = {called: [*some] for called, some in there.items()}, []
    for one, at in lay:
        some = left.get(base(name(one)), [])
        near = min(some, key=lambda pixel: abs(pixel[0] - at[0]) + abs(pixel[1] - at[1]), default=None)
        if near is None or max(abs(near[0] - at[0]), abs(near[1] - at[1])) > most:
            missed.append((one, at))
        else:
            some.remove(near)
    return len(lay) - len(missed), missed


def explain(outcome: Outcome) -> Iterator[Difference]:
    """Yield the differences that IMPORT.md does not explain."""
    for difference in outcome.differences:
        if not any(re.search(said, outcome.report) for said in EXPLAINED.get(difference.kind, ())):
            yield difference


EXPLAINED: dict[str, tuple[str, ...]] = {
    "boxes": ("bec[oa]me boxes", "boxes instead"),
}
"""By the kind of a difference, the words of IMPORT.md that explain it."""


def compare_made(made: Made, folder: Path) -> Outcome:
    """Return what a made-up module gives; the reader itself is compared with what is true of the module."""
    file = folder / "module.vmod"
    file.write_bytes(made.data)
    comparison = Comparison(file, folder, made.saves)
    for title, pieces in made.truth.items():
        module = comparison.module
        data = made.saves.get(title) or module.zip.read(dict(module.setups)[title])
        for lying in [module.save(data)] + ([module.start()] if title in made.saves else []):
            nations = find_nations(module, lying)
            read = Counter((one.piece.name, word(nations[one.id]), one.map, one.board, one.on_board) for one in lying)
            true = Counter((one.name, word(one.nation), one.map, one.board, one.at) for one in pieces)
            if read != true:
                comparison.note("reader", f"{title}: {[*(read - true)][:3]} where it is {[*(true - read)][:3]}")
    outcome = comparison.outcome()
    aside = sorted({piece.name for pieces in made.truth.values() for piece in pieces if piece.aside})
    if aside and "everything was imported" in outcome.said:
        comparison.note("everything", f"was imported, but {aside[:3]} were not")
    game = folder / "game"
    if (game / "game.toml").exists():
        cards = {
            clean(piece.name) for pieces in made.truth.values() for piece in pieces if piece.name.startswith("Card ")
        }
        rows = [
            row
            for file in sorted(game.glob("roster*.csv"))
            for row in csv.DictReader(file.read_text("utf-8").splitlines())
        ]
        rows = [row for row in rows if row["unit"] not in cards]
        for kind, columns, texts in (
            ("copies", (), [()] * len(made.pieces)),
            ("labels", ("chief",), [(piece.label,) for piece in made.pieces]),
            ("generated", ("arm", "size", "stats"), [piece.drawn for piece in made.pieces]),
        ):
            listed = Counter[tuple[str, ...]](
                (comparison._base(row["unit"]), *(row.get(column, "") for column in columns)) for row in rows
            )
            names = [base(clean(piece.name)) for piece in made.pieces]
            stated = Counter[tuple[str, ...]]((name, *text) for name, text in zip(names, texts, strict=True))
            if listed != stated:
                comparison.note(kind, f"{[*(listed - stated)][:3]} where it is {[*(stated - listed)][:3]}")
        labels = {piece.label for piece in made.pieces if piece.label}
        faces = {face.read_bytes() for face in game.glob("faces/Brigade*") if "-back" not in face.stem}
        if len(faces) != len(labels):
            comparison.note("labels", f"{len(faces)} different faces for {len(labels)} texts")
        if "missing from the module" in outcome.report:
            comparison.note("generated", "pictures that the engine draws are called missing")
    return outcome
