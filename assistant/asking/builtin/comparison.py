"""The comparison of two positions of one game: units that moved, left or came, and facts that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from ...game.games import Game
from ...state.differences import Arrival, Differences, FactChange, find_differences
from ...state.state import UNSEEN, FactKey, GameState, is_limited
from ...state.tracks import Fact, Source, Track, Value
from ...state.trust import placeholder_kind
from ...util.errors import InputError
from ...util.notes import note
from ..question import find_viewpoint, viewpoint_title
from ..report import Part, Report, Step, Verdict
from ..view import View
from ..wording import fill


class Comparison(Differences, frozen=True, kw_only=True):
    """The differences between two positions."""

    lines: Annotated[
        tuple[str, ...], note("typed lines that are new, gone, follow another route or state other ground, by name")
    ] = ()
    cells: Annotated[tuple[str, ...], note("stated chart cells that differ: the chart and the keys of the cell")] = ()
    rulings: Annotated[tuple[str, ...], note("rulings that are read differently")] = ()
    elsewhere: Annotated[
        tuple[str, ...],
        note("tracks of which other values are stated of all hexes or hexsides not otherwise known"),
    ] = ()
    accepts: Annotated[tuple[str, ...], note("sources of facts that one position alone accepts")] = ()


def report_differences(game: Game, before: GameState, after: GameState, names: tuple[str, str]) -> Report[Comparison]:
    """Return the report on the differences between two positions of a game, as one viewpoint sees both.

    `names`: the names of the two positions, such as their files.

    Raises InputError if the positions are on different drawn boards or known to different viewpoints.
    """
    _check_alike(before, after, names)
    changes = find_differences(before, after, game.tracks)
    usual = {name: ruling.default for name, ruling in game.rulings.items()}
    compared = Comparison(
        moved=changes.moved,
        gone=changes.gone,
        came=changes.came,
        restacked=changes.restacked,
        facts=tuple(fact for fact in changes.facts if not _is_below(fact, before, after)),
        lines=_find_differing_keys(_read_lines(before), _read_lines(after)),
        cells=_find_differing_keys(
            {_format_cell(*key): cell.values for key, cell in before.cells.items()},
            {_format_cell(*key): cell.values for key, cell in after.cells.items()},
        ),
        rulings=_find_differing_keys(usual | dict(before.rulings), usual | dict(after.rulings)),
        elsewhere=_find_differing_keys(before.elsewhere, after.elsewhere),
        accepts=tuple(sorted({*before.accepts} ^ {*after.accepts})),
    )
    parts = _DifferenceSteps(game, before, after).list_parts(compared)
    cautions = list[Step]()
    for file, unread in zip(names, (before.unread, after.unread), strict=True):
        if unread:
            text = "{unread:#item} in {file} not understood: see `assistant check`"
            cautions.append(Step("", text, {"unread": len(unread), "file": file}))
    return Report(
        game=game.id,
        question="compare",
        title=f"{game.title}: from {names[0]} to {names[1]}",
        verdict=count_differences(compared, _COUNTS),
        parts=tuple(part for part in parts if part.steps),
        cautions=tuple(cautions),
        result=compared,
        viewpoint=find_viewpoint(View(game, before)) or find_viewpoint(View(game, after)),
        viewpoint_title=viewpoint_title(View(game, after)),
    )


def _check_alike(before: GameState, after: GameState, called: tuple[str, str]) -> None:
    first, second = called
    if before.board and after.board and before.board != after.board:
        raise InputError(f"{first} is on the board {before.board!r}, {second} on {after.board!r}")
    if before.seen_by != after.seen_by and (is_limited(before.seen_by) or is_limited(after.seen_by)):
        what = f"{first} holds {_describe_knowledge(before.seen_by)}, {second} {_describe_knowledge(after.seen_by)}"
        raise InputError(what, hint="compare what one side may know of both: --as SIDE")


def _describe_knowledge(viewpoint: str) -> str:
    return f"what the {viewpoint} side may know" if is_limited(viewpoint) else "everything"


def _find_differing_keys(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(key for key in sorted({**before, **after}) if before.get(key) != after.get(key))


def _read_lines(state: GameState) -> dict[str, tuple[tuple[str, ...], dict[FactKey, Fact]]]:
    return {name: (tuple(hexes), dict(state.line_facts.get(name, {}))) for name, hexes in state.lines.items()}


def _format_cell(chart: str, keys: tuple[int | str, ...]) -> str:
    return " ".join([chart, *map(str, keys)])


def _is_below(change: FactChange, before: GameState, after: GameState) -> bool:
    """Return whether a change concerns only unseen units below units that are seen."""
    return change.track == UNSEEN and bool((after if change.after else before).stack(change.subject))


_COUNTS = (
    ("moved", "{moved:#unit} moved"),
    ("gone", "{gone} gone"),
    ("came", "{came} came"),
    ("restacked", "{restacked:#stack} in another order"),
    ("facts", "{facts:#fact} changed"),
    ("lines", "{lines:#typed line} changed"),
    ("cells", "{cells:#chart cell} changed"),
    ("rulings", "{rulings:#ruling} changed"),
    ("elsewhere", "{elsewhere:#fact} of all other hexes changed"),
    ("accepts", "{accepts:#trusted source} changed"),
)
"""The fields of a comparison, each with the template for its length."""


def count_differences(compared: object, counts: Sequence[tuple[str, str]]) -> Verdict:
    """Return the verdict that counts the differences.

    `counts`: the fields of a comparison, each with the template for its length.
    """
    figures = {name: len(getattr(compared, name)) for name, _ in counts}
    templates = [template for name, template in counts if figures[name]]
    return Verdict("figure", ", ".join(templates) or "nothing differs", figures)


class _DifferenceSteps:
    def __init__(self, game: Game, before: GameState, after: GameState) -> None:
        self.game = game
        self.before = before
        self.after = after

    def list_parts(self, compared: Comparison) -> Iterator[Part]:
        yield Part("Moved", tuple(self.list_moves(compared)))
        units_lost = [unit for unit in compared.gone if self.is_certain(unit.unit)]
        lost_sight_of = [unit for unit in compared.gone if not self.is_certain(unit.unit)]
        yield Part("Lost", tuple(_make_step("{unit}, from {place}", unit) for unit in units_lost))
        yield Part("No longer seen", tuple(_make_step("{unit}, last in {place}", unit) for unit in lost_sight_of))
        units_arrived = [unit for unit in compared.came if self.is_certain(unit.unit)]
        sighted = [unit for unit in compared.came if not self.is_certain(unit.unit)]
        yield Part("Came", tuple(map(self.describe_arrival, units_arrived)))
        yield Part("Newly seen", tuple(map(self.describe_arrival, sighted)))
        order = "{place}, from the top: {after} (before: {before})"
        yield Part("In another order", tuple(_make_step(order, stack) for stack in compared.restacked))
        yield Part("Changed", tuple(self.list_facts(compared)))
        yield Part("Different agreements", tuple(self.list_agreements(compared)))

    def is_certain(self, unit: str) -> bool:
        """Return whether a unit in only one position has certainly entered or left play.

        An enemy unit may only have come into sight or left it.
        """
        side = self.after.seen_by
        if not is_limited(side):
            return True
        state = self.after if unit in self.after.units else self.before
        return self.game.side_of_unit(state.units[unit], state.facts) == side

    def list_moves(self, compared: Comparison) -> Iterator[Step]:
        units_by_move: dict[tuple[str, str], list[str]] = {}
        for move in compared.moved:
            units_by_move.setdefault((move.before, move.after), []).append(move.unit)
        for (before, after), units in units_by_move.items():
            yield Step("", "{units}: {before} to {after}", {"units": units, "before": before, "after": after})

    def describe_arrival(self, arrival: Arrival) -> Step:
        facts = [self.format_fact(name, value) for name, value in arrival.facts.items()]
        text = "{unit} in {place}: {facts}" if facts else "{unit} in {place}"
        return Step("", text, {"unit": arrival.unit, "place": arrival.place, "facts": facts})

    def list_facts(self, compared: Comparison) -> Iterator[Step]:
        subjects: dict[str, list[FactChange]] = {}
        for change in compared.facts:
            subjects.setdefault(change.subject, []).append(change)
        for subject, changes in subjects.items():
            unit = self.after.units.get(subject)
            place = unit.place if unit else None
            facts = [self.format_change(fact) for fact in changes]
            text = "{subject} in {place}: {facts}" if place else "{subject}: {facts}"
            yield Step("", text, {"subject": subject or "the game", "place": place, "facts": facts})

    def format_change(self, fact: FactChange) -> str:
        track = self.game.tracks[fact.track]
        if track.name == UNSEEN:
            return f"unseen units ({fact.after})" if fact.after else "no longer any unseen units"
        if fact.after is None:
            return f"{fact.track} no longer stated"
        if track.kind == "flag" or fact.before is None or fact.before in ("", ()):
            return self.format_fact(fact.track, fact.after)
        return f"{fact.track} {_format_value(track, fact.before)} to {_format_value(track, fact.after)}"

    def format_fact(self, name: str, value: Value) -> str:
        return f"{name} {_format_value(self.game.tracks[name], value)}"

    def list_agreements(self, compared: Comparison) -> Iterator[Step]:
        for name in compared.lines:
            hexes = self.after.lines.get(name, ())
            text = "line {line}: now {hexes}" if hexes else "line {line}: no longer stated"
            text = "line {line}: states other ground along {hexes}" if hexes == self.before.lines.get(name) else text
            yield Step("", text, {"line": name, "hexes": list(hexes)})
        for cell in compared.cells:
            yield Step("", "chart cell {cell}", {"cell": cell})
        for name in compared.rulings:
            usual = self.game.rulings[name].default
            before = self.before.rulings.get(name, usual)
            after = self.after.rulings.get(name, usual)
            yield Step("", "ruling {ruling}: {before} to {after}", {"ruling": name, "before": before, "after": after})
        for name in compared.elsewhere:
            stated = self.after.elsewhere.get(name)
            text = "all other hexes: {fact}" if stated else "all other hexes: {fact} no longer stated"
            yield Step("", text, {"fact": self.format_fact(name, stated.value) if stated else name})
        for source in compared.accepts:
            is_trusted = source in self.after.accepts
            yield Step("", "trust {kind}" if is_trusted else "own {kind}", {"kind": placeholder_kind(Source(source))})


def _make_step(template: str, holder: Any) -> Step:
    return Step("", template, {name: getattr(holder, name) for name in holder.__struct_fields__})


def _format_value(track: Track, value: Value) -> str:
    if value == "":
        return "none"
    return fill("{value}", {"value": value}) if track.kind == "flag" else track.write(value)
