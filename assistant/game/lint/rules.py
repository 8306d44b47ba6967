"""Mistakes in `rules.toml`: unknown tracks, words, sides, charts, options and rulings, and clauses that say nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from string import Formatter
from typing import NamedTuple

from ...state.tracks import Subject, Track
from ...util.datafiles import find_toml_line, read_text, resolve_within
from ...util.errors import InputError, OnFault, Where
from ..charts import Chart
from ..gamefile import TablePrompt
from ..games import CLAUSES, Game
from ..rule_file import Clause, RuleFile, Wanted, read_ranges, read_rule_file, words_of
from ..rule_results import codes_of, read_result
from .course import PHASE
from .faults import tracks_on, unknown

_SUBJECTS: dict[str, Subject] = {
    "unit": "unit",
    "but": "unit",
    "against": "unit",
    "into": "hex",
    "over": "hexside",
    "when": "game",
}
"""The kind of subject of each condition."""
_SAYING = {
    "movement": ("points", "unable", "barred"),
    "battle": ("idle", "strength", "shift"),
    "retreat": ("barred",),
    "advance": ("unable", "barred"),
}
"""The clauses whose words answers need, by section."""
_FIGURES = {"unable": ("unit",), "idle": ("unit",), "barred": ("unit", "hex")}
"""The figures that the words of a clause may have, by its key."""
OPTIONS = "options"
"""The track of the game with the options in force."""


class Misfit(NamedTuple):
    """A mistake in `rules.toml`."""

    path: tuple[str | int, ...]
    """The path of the table with the mistake."""
    word: str
    """The word at fault, which stands in its line."""
    fault: InputError


def find_rule_faults(game: Game, on_fault: OnFault) -> None:
    """Give every mistake in a game's `rules.toml` to `on_fault`."""
    file = resolve_within(game.folder, CLAUSES)
    if not file.is_file():
        return
    text = read_text(file)
    rules = read_rule_file(game, on_fault)
    for misfit in _find_misfits(game, rules):
        where = Where(CLAUSES, _find_line(text, misfit.path, misfit.word))
        on_fault(misfit.fault.told_as(misfit.fault.what, where))
    for fault in _find_second_answers(game, rules):
        on_fault(fault)


def _find_line(text: str, path: tuple[str | int, ...], word: str) -> int:
    """Return the first line from that of a table on in which a word stands, or the line of the table."""
    first = find_toml_line(text, path)
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    for number, line in enumerate(text.splitlines()[max(first - 1, 0) :], max(first, 1)):
        if number > first and re.match(r"\s*\[+[\w. -]+\]", line):
            break  # the next table
        if word and pattern.search(line):
            return number
    return first


def _find_second_answers(game: Game, rules: RuleFile) -> Iterator[InputError]:
    """Yield the lines of `game.toml` that give a combat a second answer besides that of [battle]."""
    if rules.battle is None:
        return
    text = read_text(resolve_within(game.folder, "game.toml"))
    hint = "leave it out: `battle` answers every combat by rules.toml"
    if game.file.combat:
        yield _in_game(text, ("combat",), "[combat]: rules.toml has [battle], so a combat has two answers", hint)
    table = game.file.table or TablePrompt(ask="", target="", attackers="")
    for name in table.about:
        if name == "odds":
            what = "[table] ask: 'odds' does not follow rules.toml"
            yield _in_game(text, ("table", "ask"), what, 'write: ask = "battle"')


def _in_game(text: str, path: tuple[str, ...], what: str, hint: str) -> InputError:
    return InputError(what, where=Where("game.toml", find_toml_line(text, path)), hint=hint)


def _find_misfits(game: Game, rules: RuleFile) -> Iterator[Misfit]:
    yield from _find_side_misfits(game, rules)
    yield from _find_ground_misfits(game, rules)
    yield from _find_terrain_misfits(game, rules)
    yield from _find_track_misfits(game, rules)
    yield from _find_supply_misfits(rules)
    yield from _find_battle_misfits(game, rules)
    for place, clause in rules.clauses():
        yield from _find_clause_misfits(game, rules, place, clause)


class _Names(NamedTuple):
    """A key of a section whose value names something."""

    key: str
    names: Iterable[str]
    known: Collection[str]
    what: str


def _name_misfits(section: str, rows: Iterable[_Names]) -> Iterator[Misfit]:
    for key, names, known, what in rows:
        for name, fault in _find_unknown(f"[{section}] {key}", filter(None, names), known, what):
            yield Misfit((section, key), name, fault)


def _misfit(section: str, key: str, what: str, hint: str, word: str = "") -> Misfit:
    return Misfit((section, key), word or key, InputError(f"[{section}] {key}: {what}", hint=hint))


# --- sections ---------------------------------------------------------------------------------------------------------


def _find_side_misfits(game: Game, rules: RuleFile) -> Iterator[Misfit]:
    for side in rules.edges:
        if side not in game.file.sides:
            yield Misfit(("edges",), side, unknown("[edges]", side, game.file.sides, "side", CLAUSES))
    needs = (("movement", "enter", rules.movement), ("retreat", "toward", rules.retreat))
    for section, key, part in needs:
        missing = [side for side in game.file.sides if side not in rules.edges]
        if part and getattr(part, key) and missing:
            yield _misfit(
                section, key, f"no edge of the map is stated for {missing[0]}", f"write: [edges] {missing[0]}"
            )


def _find_ground_misfits(game: Game, rules: RuleFile) -> Iterator[Misfit]:
    ground = rules.ground
    hexsides = tracks_on(game, "hexside")
    hexes = tracks_on(game, "hex")
    rows = [
        _Names("hexside", [ground.hexside], hexsides, "track of hexsides"),
        _Names("roads", ground.roads, hexsides, "track of hexsides"),
        _Names("control", [ground.control], hexes, "track of hexes"),
    ]
    if rules.terrain or ground.hex != "terrain":
        rows.append(_Names("hex", [ground.hex], hexes, "track of hexes"))
    yield from _name_misfits("ground", rows)
    if ground.control in hexes and {*hexes[ground.control].values} != {*game.file.sides}:
        hint = f"values = [{', '.join(game.file.sides)}] in tracks.toml"
        yield _misfit("ground", "control", f"the words of {ground.control} are not the sides", hint)
    if rules.supply and rules.supply.held and not ground.control:
        yield _misfit("supply", "held", "no track of control is named", "write: [ground] control")


def _list_terrain_words(game: Game, rules: RuleFile) -> list[str]:
    """Return the words that a row of terrain may have: of the ground, of hexsides, and the roads."""
    ground = rules.ground
    tracks = [game.tracks[name] for name in (ground.hex, ground.hexside) if name in game.tracks]
    return [*(word for track in tracks for word in track.values or (track.name,)), *ground.roads]


def _find_terrain_misfits(game: Game, rules: RuleFile) -> Iterator[Misfit]:
    words = _list_terrain_words(game, rules)
    column = rules.movement.column if rules.movement else ""
    kinds = game.tracks[column].values if column in game.tracks else ()
    for name, row in rules.terrain.items():
        path = ("terrain", name)
        if name not in words:
            yield Misfit(path, name, unknown(f"[terrain] {name}", name, words, "word of the ground", CLAUSES))
        for kind in row.by:
            if not column:
                hint = 'write: [movement] column = "arm"'
                fault = InputError(f"[terrain] {name} by: no track says which kind a unit is", hint=hint)
                yield Misfit(path, "by", fault)
                break
            if kind not in kinds:
                yield Misfit(path, kind, unknown(f"[terrain] {name} by", kind, kinds, f"word of {column}", CLAUSES))


def _find_track_misfits(game: Game, rules: RuleFile) -> Iterator[Misfit]:
    units = tracks_on(game, "unit")
    numbers = {name: track for name, track in units.items() if track.kind == "integer"}
    words = {name: track for name, track in units.items() if track.kind == "choice"}
    phases = game.tracks[PHASE].values if PHASE in game.tracks else ()
    number, word = "number of units", "choice of units"
    if movement := rules.movement:
        yield from _name_misfits(
            "movement",
            [
                _Names("allowance", [movement.allowance], numbers, number),
                _Names("column", [movement.column], words, word),
                _Names("phases", movement.phases, phases, "phase"),
            ],
        )
    if rules.stacking:
        yield from _name_misfits("stacking", [_Names("phases", rules.stacking.phases, phases, "phase")])
        for limit in rules.stacking.limit:
            yield from _name_misfits("stacking", [_Names("limit", [limit.points], numbers, number)])
    if victory := rules.victory:
        yield from _name_misfits("victory", [_Names("losses", [victory.losses], numbers, number)])
        if "vp" not in tracks_on(game, "hex"):
            hint = "declare [vp] in tracks.toml: the points of a hex"
            yield Misfit(("victory",), "", InputError("[victory]: no hex has a track 'vp'", hint=hint))
        if victory.losses and "lost" not in tracks_on(game, "side"):
            yield _misfit("victory", "losses", "no side has a track 'lost'", "declare [lost] in tracks.toml")


def _find_supply_misfits(rules: RuleFile) -> Iterator[Misfit]:
    if supply := rules.supply:
        for number, source in enumerate(supply.source):
            if bool(source.edge) == bool(source.place):
                fault = InputError("[supply] source: a source is an edge or a place", hint='write: edge = "west"')
                yield Misfit(("supply", "source", number), "", fault)
        for end in supply.end:
            if {*end.into} != {rules.ground.hex}:
                yield _misfit(
                    "supply", "end", "lines end in ground alone", f"write: into = {{ {rules.ground.hex} = ... }}"
                )
        if not supply.source:
            yield _misfit("supply", "source", "no source is stated", 'write: source = [{ edge = "west" }]')


def _find_battle_misfits(game: Game, rules: RuleFile) -> Iterator[Misfit]:
    battle = rules.battle
    if battle is None:
        return
    units = tracks_on(game, "unit")
    numbers = {name: track for name, track in units.items() if track.kind == "integer"}
    flags = {name: track for name, track in units.items() if track.kind == "flag"}
    phases = game.tracks[PHASE].values if PHASE in game.tracks else ()
    yield from _name_misfits(
        "battle",
        [
            _Names("attack", [battle.attack], numbers, "number of units"),
            _Names("defence", [battle.defence], numbers, "number of units"),
            _Names("steps", [battle.steps], flags, "flag of units"),
            _Names("phases", battle.phases, phases, "phase"),
            _Names("chart", [battle.chart], game.charts, "chart"),
        ],
    )
    if chart := game.charts.get(battle.chart):
        yield from _find_result_misfits(chart, battle.results, has_steps=bool(battle.steps))


def _find_result_misfits(chart: Chart, results: dict[str, str], *, has_steps: bool) -> Iterator[Misfit]:
    if len(chart.keys) != 2 or all(field.name != "result" for field in chart.fields):
        hint = 'keys: the odds and the die; fields: one named "result"'
        yield _misfit("battle", "chart", f"{chart.name} is not a table of odds and a die", hint)
        return
    codes = codes_of(chart)
    for code in results:
        if code not in codes:
            fault = unknown("[battle] results", code, codes, "result of the chart", CLAUSES)
            yield Misfit(("battle", "results"), code, fault)
    for code in codes:
        try:
            result = read_result(code, results.get(code, code))
        except InputError as error:
            path, word = (("battle", "results"), code) if code in results else (("battle", "chart"), chart.name)
            yield Misfit(path, word, InputError(f"[battle] results: {error.what}", hint=error.hint))
            continue
        if not has_steps and any(effect.endswith(":step") for effect in result.effects):
            hint = 'write: steps = "FLAG", the flag of units that have lost a step'
            yield Misfit(("battle",), code, InputError(f"[battle] results: {code} takes a step of a unit", hint=hint))


# --- clauses ----------------------------------------------------------------------------------------------------------


def _find_clause_misfits(game: Game, rules: RuleFile, place: str, clause: Clause) -> Iterator[Misfit]:
    section, _, rest = place.partition(".")
    key, _, number = rest.partition(" ")
    path = (section, key, int(number) - 1)
    spot = f"[{section}] {key} {number}"
    for name, subject in _SUBJECTS.items():
        for track, wanted in getattr(clause, name, {}).items():
            for word, fault in _find_condition_faults(game, f"{spot} {name}", subject, track, wanted):
                yield Misfit(path, word, fault)
    for word, fault in (
        *_find_word_faults(game, rules, spot, clause),
        *_find_saying_faults(section, key, spot, clause),
    ):
        yield Misfit(path, word, fault)


def _find_condition_faults(
    game: Game, spot: str, subject: Subject, name: str, wanted: Wanted
) -> Iterator[tuple[str, InputError]]:
    """Yield the word at fault and the mistake of a condition on a track."""
    if subject == "unit" and name in ("side", "name"):
        known: Collection[str] = game.file.sides if name == "side" else game.counters
        yield from _find_unknown(f"{spot}", words_of(wanted), known, name)
        return
    known_tracks = tracks_on(game, subject)
    if name not in known_tracks:
        yield name, unknown(spot, name, known_tracks, f"track of a {subject}", CLAUSES)
        return
    yield from _find_value_faults(spot, known_tracks[name], wanted)


def _find_unknown(
    spot: str, names: Iterable[str], known: Collection[str], what: str
) -> Iterator[tuple[str, InputError]]:
    for name in names:
        if name not in known:
            yield name, unknown(spot, name, known, what, CLAUSES)


def _find_value_faults(spot: str, track: Track, wanted: Wanted) -> Iterator[tuple[str, InputError]]:
    if isinstance(wanted, bool):
        if track.kind == "integer":
            hint = f'write a number, or several: {track.name} = "1-3"'
            yield track.name, InputError(f"{spot} {track.name}: yes or no is not a number", hint=hint)
        return
    match track.kind:
        case "flag":
            what = f"{spot} {track.name}: {wanted!r} is not yes or no"
            yield track.name, InputError(what, hint=f"write: {track.name} = true")
        case "integer":
            try:
                read_ranges(wanted)
            except ValueError:
                what = f"{spot} {track.name}: {wanted!r} is not a number"
                yield track.name, InputError(what, hint=f'write: {track.name} = 3, or "2-5", or "4-"')
        case "choice" | "choices":
            for word in words_of(wanted):
                if word not in track.values:
                    yield word, unknown(f"{spot} {track.name}", word, track.values, "word", CLAUSES)


def _find_word_faults(game: Game, rules: RuleFile, spot: str, clause: Clause) -> Iterator[tuple[str, InputError]]:
    """Yield unknown options, rulings, sides and roads of a clause."""
    options = game.tracks[OPTIONS].values if OPTIONS in tracks_on(game, "game") else ()
    for key, text in (("option", clause.option), ("unless", clause.unless)):
        yield from _find_unknown(f"{spot} {key}", text.split(), options, "option")
    ruling, _, reading = clause.ruling.partition("=")
    if ruling and ruling not in game.rulings:
        yield ruling, unknown(f"{spot} ruling", ruling, game.rulings, "ruling", CLAUSES)
    elif ruling and reading not in game.rulings[ruling].readings:
        yield ruling, unknown(f"{spot} ruling", reading, game.rulings[ruling].readings, "reading", CLAUSES)
    if (side := getattr(clause, "side", "")) and side not in game.file.sides:
        yield side, unknown(f"{spot} side", side, game.file.sides, "side", CLAUSES)
    if along := getattr(clause, "along", ""):
        yield from _find_unknown(f"{spot} along", [along], tracks_on(game, "hexside"), "track of a hexside")
    if getattr(clause, "supplied", None) is not None and rules.supply is None:
        yield "supplied", InputError(f"{spot} supplied: no rule says who is in supply", hint="add [supply]")


def _find_saying_faults(section: str, key: str, spot: str, clause: Clause) -> Iterator[tuple[str, InputError]]:
    """Yield missing words of a clause, and figures in them that it does not have."""
    if key in _SAYING.get(section, ()) and not clause.says:
        yield key, InputError(f"{spot} has no words for answers", hint='write: says = "..."')
    try:
        figures = [name for _, name, _, _ in Formatter().parse(clause.says) if name is not None]
    except ValueError:
        yield "says", InputError(f"{spot} says: a brace is not closed", hint="write {unit} for the unit")
        return
    known = _FIGURES.get(key, ())
    yield from _find_unknown(f"{spot} says", figures, known, "figure")
