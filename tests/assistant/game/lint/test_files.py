"""What a game's files may not say of its module: each fault is told in its own words, and alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game, read_game
from assistant.game.lint.faults import Faults, format_fault
from assistant.game.lint.files import faults, read_with_faults

GAME = """
title = "Heath"
about = "Made up for the tests."

[grid]
columns = [1, 9]
rows = [1, 9]

[[roster]]
file = "roster.csv"
source = "printed"

[module]
name = "Heath"
columns = [1, 5]
rows = [1, 5]
places = "places.csv"
units = "roster.csv"
palettes = ["army"]
setups = [["start.pos", "The start"]]
"""
TRACKS = """
[army]
title = "army"
on = "unit"
kind = "choice"
values = ["red", "blue"]
printed = "counter"
rule = "1"

[tired]
title = "tired"
on = "unit"
lasts = true
kind = "flag"
absent = false
rule = "1"
module = { menu = ["Tire"], keys = ["E"] }

[morale]
title = "morale"
on = "unit"
lasts = true
kind = "integer"
least = 0
rule = "1"
module = { menu = ["Up", "Down"], keys = ["U", "J"], needs = "army" }

[works]
title = "works"
on = "hex"
lasts = true
kind = "integer"
least = 0
most = 3
rule = "2"
module = { menu = ["Up", "Down"], keys = ["U", "J"] }

[water]
title = "water"
on = "hexside"
lasts = true
kind = "flag"
rule = "2"
"""
FILES = {
    "roster.csv": "unit,army\nRams,red\n",
    "places.csv": "hex,name\n0101,Well\n",
    "start.pos": "game heath\n0101: Rams\n",
    "boards/moor/board.toml": 'title = "The moor"\nsource = "printed"\n[grid]\ncolumns = [1, 9]\nrows = [1, 9]\n',
}


def game_in(folder: Path, game: str = GAME, tracks: str = TRACKS) -> Game:
    files = {**FILES, "game.toml": game, "tracks.toml": tracks}
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return read_game("heath", folder)


def lines_of(game: Game) -> list[str]:
    return list(map(format_fault, faults(game)))


def test_a_game_without_faults_with_a_module_or_without(tmp_path: Path) -> None:
    assert lines_of(game_in(tmp_path)) == []
    assert lines_of(game_in(tmp_path, GAME.partition("[module]")[0])) == []


@pytest.mark.parametrize(
    ("line", "instead", "fault"),
    [
        ("places.csv", "towns.csv", "names towns.csv, which does not exist"),
        ('units = "roster.csv"', 'names = "called.csv"', "names called.csv, which does not exist"),
        ("start.pos", "boards", "names boards, which does not exist"),
        ("start.pos", "../start.pos", "names ../start.pos, which is outside the game's folder"),
        ("places.csv", "/etc/hostname", "names /etc/hostname, which is outside the game's folder"),
        (
            'units = "roster.csv"',
            'units = "places.csv"',
            "units: unknown file of the roster 'places.csv'; nearest known: roster.csv",
        ),
        (
            'palettes = ["army"]',
            'palettes = ["army", "arm"]',
            "palettes: unknown printed track 'arm'; nearest known: army",
        ),
        ('palettes = ["army"]', 'palettes = ["tired"]', "palettes: unknown printed track 'tired'; known: army"),
        (
            '"The start"]',
            '"The start"], ["start.pos", "The: start!"]',
            "has several set-ups whose titles make the file name The-start.vsav",
        ),
        (
            '"The start"]',
            '"A: B"], ["start.pos", "A - B"]',
            "has several set-ups whose titles make the file name A-B.vsav",
        ),
        ('"The start"', '"!?"', "has a set-up whose title has no letters"),
        ("palettes", "hex = 15\npalettes", "hex and counter must measure 16 to 600 pixels"),
        ("palettes", "counter = 601\npalettes", "hex and counter must measure 16 to 600 pixels"),
        ("columns = [1, 5]", "columns = [0, 5]", "shows the columns 0 to 5 of a map that has 1 to 9"),
        ("rows = [1, 5]", "rows = [5, 10]", "shows the rows 5 to 10 of a map that has 1 to 9"),
        ("rows = [1, 5]", "rows = [5, 4]", "shows the rows 5 to 4 of a map that has 1 to 9"),
        ("palettes", 'board = "fen"\npalettes', "board: unknown board 'fen'; known: moor"),
    ],
)
def test_faults_of_the_module(tmp_path: Path, line: str, instead: str, fault: str) -> None:
    before, head, after = GAME.partition("[module]")
    game = game_in(tmp_path, before + head + after.replace(line, instead, 1))
    assert lines_of(game) == [f"game.toml: [module] {fault}"]


TABLE = '[table]\nask = "battle"\ntarget = "at"\nattackers = "from"\n'


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (f'{TABLE}when = "trun"', "[table] when: unknown fact of the game 'trun'"),
        (f'{TABLE}usual = {{ works = "9", at = "?" }}', "[table.usual] works: works: 9 is not allowed; allowed: a whole number from 0 to 3"),
        (f'{TABLE}usual = {{ army = ["red", "green"] }}', "[table.usual] army: army: 'green' is not allowed; nearest known: red"),
        ('[notation]\nsigns = { "=" = "water" }\nletters = { w = "works=1" }', ""),
        ('[notation.signs]\n"=" = "rail"', "[notation.signs] =: unknown word about a hexside 'rail'; known: water"),
        ('[notation.letters]\nr = "rough"', "[notation.letters] r: unknown word about a hex 'rough'"),
        ('[notation.signs]\n"x" = "water"', "[notation.signs] 'x' is not a symbol; use one such as = - : / ~ ^ +"),
        ('[notation.signs]\n"|" = "water"', "[notation.signs] '|' is not a symbol; use one such as = - : / ~ ^ +"),
        ('[notation.letters]\nww = "works=1"', "[notation.letters] 'ww' is not a letter; use one letter, or a symbol such as !"),
    ],
)  # fmt: skip
def test_faults_of_the_table_and_of_chains(tmp_path: Path, more: str, fault: str) -> None:
    assert lines_of(game_in(tmp_path, f"{GAME}\n{more}\n")) == ([f"game.toml: {fault}"] if fault else [])


def test_what_ends_adds_up_or_keeps_a_turn_from_coming_names_such_facts(tmp_path: Path) -> None:
    tracks = TRACKS.replace("lasts = true", 'ends_with = ["trun", "army"]', 1)
    assert lines_of(game_in(tmp_path, tracks=tracks)) == [
        "tracks.toml: [tired] ends_with: unknown fact of the game 'trun'",
        "tracks.toml: [tired] ends_with: unknown fact of the game 'army'",
    ]
    game = TRACKS.replace("lasts = true", 'ends_with = ["hour=noon", "hour=moon"]', 1)
    game += '[hour]\ntitle = "hour"\non = "game"\nkind = "choice"\nvalues = ["noon"]\n'
    (fault,) = lines_of(game_in(tmp_path, tracks=game))
    assert fault.startswith("tracks.toml: [tired] ends_with hour: unknown word 'moon'")
    tracks = TRACKS.replace("absent = false", 'absent = false\nunless = { green = "army" }')
    assert lines_of(game_in(tmp_path / "2", tracks=tracks)) == [
        "tracks.toml: [tired] unless: unknown side or nation 'green'",
        "tracks.toml: [tired] unless: unknown fact that is a turn 'army'",
    ]
    score = '[score]\ntitle = "score"\non = "{}"\nkind = "integer"\nabsent = 0\nlasts = true\nadds_to = "enemy.vp"\nrule = "2"\n'
    assert lines_of(game_in(tmp_path / "3", tracks=TRACKS + score.format("side"))) == []
    assert lines_of(game_in(tmp_path / "3", tracks=TRACKS + score.format("hex"))) == [
        "tracks.toml: [score] adds to 'enemy.vp', but is not an account; leave adds_to out"
    ]


COURSE = '[[phase]]\ntitle = "Night"\nsteps = [{ do = "Rest", name = "rest" }]\n'


@pytest.mark.parametrize(
    ("ending", "wrong"),
    [
        ('ends_with = ["hour"]', []),
        ('ended_by = ["rest"]', []),
        ("lasts = true", []),
        ('ended_by = ["rset"]', ["[tired] ended_by: unknown step of course.toml 'rset'; nearest known: rest"]),
        (
            "",
            [
                '[tired] does not say when it ends; write: ends_with = ["turn"], ended_by = ["STEP"] for a step of '
                "course.toml, or lasts = true"
            ],
        ),
        (
            'lasts = true\nended_by = ["rest"]',
            ["[tired] says twice when it ends; keep one of ends_with, ended_by and lasts"],
        ),
    ],
)
def test_a_marker_says_once_when_it_ends(ending: str, wrong: list[str], tmp_path: Path) -> None:
    hour = '[hour]\ntitle = "hour"\non = "game"\nkind = "choice"\nvalues = ["noon"]\n'
    game_in(tmp_path, tracks=hour + TRACKS.replace("lasts = true", ending, 1))
    (tmp_path / "course.toml").write_text(COURSE, "utf-8")
    found = Faults()
    read_with_faults("heath", tmp_path, on_fault=found)
    assert found.lines == [f"tracks.toml: {fault}" for fault in wrong]


@pytest.mark.parametrize("subject", ["game", "side", "nation", "army"])
def test_what_stands_in_books_and_what_is_printed_need_not_say_when_it_ends(subject: str, tmp_path: Path) -> None:
    more = f'[told]\ntitle = "told"\non = "{subject}"\nkind = "flag"\nrule = "2"\n'
    more += '[ford]\ntitle = "ford"\non = "hexside"\nkind = "flag"\nprinted = "map"\nrule = "2"\n'
    assert lines_of(game_in(tmp_path, tracks=TRACKS + more)) == []


def test_a_window_beside_what_is_drawn(tmp_path: Path) -> None:
    drawn = (
        TRACKS
        + '[terrain]\ntitle = "terrain"\non = "hex"\nkind = "choice"\nvalues = ["sand"]\nprinted = "map"\nrule = "2"\n'
    )
    game_in(tmp_path, GAME.replace("palettes", 'board = "moor"\npalettes'), drawn)
    board = tmp_path / "boards/moor"
    board.joinpath("board.toml").write_text(
        FILES["boards/moor/board.toml"].replace("[grid]", 'terrain = { s = "sand" }\n[grid]'), "utf-8"
    )
    board.joinpath("terrain.txt").write_text("8 9\n8 . s\n", "utf-8")
    assert lines_of(read_game("heath", tmp_path)) == ["game.toml: [module] shows no hex of The moor"]


@pytest.mark.parametrize(
    ("track", "line", "instead", "fault"),
    [
        ("tired", '["Tire"]', "[]", "needs one or two menu lines, and no more keys than lines"),
        ("tired", '["Tire"]', '["A", "B", "C"]', "needs one or two menu lines, and no more keys than lines"),
        ("tired", '["Tire"]', '[""]', "needs one or two menu lines, and no more keys than lines"),
        ("tired", '["E"]', '["E", "R"]', "needs one or two menu lines, and no more keys than lines"),
        ("tired", '["Tire"]', '["Up"]', "has the line 'Up', already used for [tired.module]"),
        ("morale", '["Up", "Down"]', '["Turn", "Turn"]', "has the line 'Turn' twice"),
        ("morale", '["U", "J"]', '["U", "u"]', "has the key U twice"),
        ("morale", '["U", "J"]', '["U", "e"]', "has the key e, already used for [tired.module]"),
        ("tired", '["E"]', '["Shift+C"]', "has the key Shift+C, already used for the palettes"),
        ("tired", '["E"]', '["Shift+d"]', "has the key Shift+d, already used for taking a counter out of play"),
        ("tired", '["E"]', '["s"]', "has the key s: players press Ctrl+S for saving; take another letter, or Shift+S"),
        ("tired", '["E"]', '["F1"]', "has the key F1, which is not a single letter; write: L, or: Shift+L"),
        ("tired", '["E"]', '["7"]', "has the key 7, which is not a single letter; write: L, or: Shift+L"),
        ("tired", '["E"]', '["Ä"]', "has the key Ä, which is not a single letter; write: L, or: Shift+L"),
        ("morale", '"army" }', '"nerve" }', "needs: unknown track 'nerve'; known: army, morale, tired, water, works"),
        ("tired", '["E"]', '["E"], colour = "red"', "colour 'red' is not a colour; write it as #rrggbb"),
        (
            "works",
            'kind = "integer"\nleast = 0\nmost = 3\nrule = "2"\nmodule = { ',
            'kind = "choice"\nvalues = ["trench", "redoubt"]\nrule = "2"\nmodule = { words = { trnch = "TR" }, ',
            "words: unknown value 'trnch'; nearest known: trench",
        ),
        (
            "water",
            'rule = "2"',
            'rule = "2"\nmodule = { menu = ["Flood"] }',
            "cannot be shown: a module shows only facts about units, hexes and the game",
        ),
        ("works", "most = 3", "", "has no values to step through; give it least and most"),
        ("morale", "least = 0", "", "has no values to step through; give it least and most"),
        ("works", 'kind = "integer"\nleast = 0\nmost = 3', 'kind = "text"', "is a text, which only a unit can show"),
        (
            "works",
            'kind = "integer"\nleast = 0\nmost = 3',
            'kind = "choices"\nvalues = ["a", "b"]',
            "has no values to step through; give it least and most",
        ),
    ],
)
def test_faults_of_what_counters_show(tmp_path: Path, track: str, line: str, instead: str, fault: str) -> None:
    before, head, after = TRACKS.partition(f"[{track}]")
    assert line in after
    where = "morale" if "already used for [tired.module]" in fault else track
    assert lines_of(game_in(tmp_path, tracks=before + head + after.replace(line, instead, 1))) == [
        f"tracks.toml: [{where}.module] {fault}"
    ]


def test_the_line_and_the_key_that_are_repeated_are_named(tmp_path: Path) -> None:
    before, head, after = TRACKS.partition("[morale]")
    after = after.replace('["Up", "Down"]', '["Up", "Down", "Down"]', 1).replace('["U", "J"]', '["U", "R", "R"]', 1)
    assert lines_of(game_in(tmp_path, tracks=before + head + after))[1:] == [
        "tracks.toml: [morale.module] has the line 'Down' twice",
        "tracks.toml: [morale.module] has the key R twice",
    ]


def test_all_tracks_of_a_picture_are_looked_up(tmp_path: Path) -> None:
    tracks = (
        TRACKS
        + '[gauge]\ntitle = "gauge"\non = "hexside"\nkind = "choice"\nvalues = ["broad"]\nprinted = "map"\nrule = "1"\n'
    )
    picture = '[picture]\nnation = "army"\nborder = "frontier"\n[picture.colours]\nbroad = "#983a12"\nred = "#aa0000"\n'
    assert lines_of(game_in(tmp_path, GAME + picture, tracks)) == [
        "game.toml: [picture] border: unknown track of a hexside 'frontier'; known: gauge, water"
    ]
    game = game_in(tmp_path, GAME + '\n[picture.markers]\nwroks = "marker-ruined"\nworks = "marker-ruined"\n')
    assert lines_of(game) == ["game.toml: [picture.markers]: unknown track of a hex 'wroks'; nearest known: works"]


@pytest.mark.parametrize(
    ("grid", "fault"),
    [
        ("columns = [-2, 9]", ""),
        ("columns = [1, 120]", "column 120, row 1: '12001'"),
        ('columns = [0, 9]\nformat = "{column:A}{row}"', "column 0, row 1: '1'"),
        ('columns = [1, 60]\nformat = "{column:A}{row}"', "column 60, row 1: 'HHH1'"),
        ('format = "{column:A}{row}"', ""),
    ],
)
def test_hexes_that_nobody_can_name(tmp_path: Path, grid: str, fault: str) -> None:
    """Columns and rows that are left out are no promise that there are so many."""
    game = game_in(tmp_path, f'title = "T"\n[grid]\n{grid}\n', "")
    found = [line.partition(" is not read as")[0] for line in lines_of(game)]
    assert found == ([f"game.toml: [grid] {fault}"] if fault else [])


def test_faults_of_boxes_sides_and_titles(tmp_path: Path) -> None:
    game = game_in(tmp_path, GAME.replace("[grid]", 'boxes = ["0101", "Dead", "dead", ""]\n[grid]', 1))
    assert [line.partition(";")[0] for line in lines_of(game)] == [
        "game.toml: boxes: '0101' is the number of a hex",
        "game.toml: boxes: 'dead' is named twice",
        "game.toml: boxes: '' is not a name",
    ]
    sides = '[sides]\nreds = ["red"]\nblues = ["blue", "red"]\n[titles]\nreds = "The Reds"\nblus = "The Blues"\n'
    game = game_in(tmp_path / "2", f'{GAME}{sides}[intelligence.weakest]\nworks = "1"\n')
    assert [line.partition(";")[0] for line in lines_of(game)] == [
        "game.toml: [sides] 'red' is on several sides",
        "game.toml: [titles]: unknown side or nation 'blus'",
        "game.toml: [intelligence.weakest]: unknown track of units 'works'",
    ]


def test_printed_ends_and_words_of_a_chart(tmp_path: Path) -> None:
    keys = 'keys = [{ name = "roll", least = 6, most = 1 }, { name = "roll", values = ["a"] }]'
    game = game_in(tmp_path)
    (tmp_path / "charts.toml").write_text(
        f'[crt]\ntitle = "CRT"\n{keys}\nfields = [{{ name = "result", values = ["AR"] }}]\n', "utf-8"
    )
    assert [line.partition(";")[0] for line in lines_of(game)] == [
        "charts.toml: [crt] roll runs from 6 to 1",
        "charts.toml: [crt] 'roll' is the name of several keys or fields",
    ]
    game = game_in(tmp_path)
    (tmp_path / "charts.toml").write_text(
        '[crt]\ntitle = "CRT"\nkeys = [{ name = "odds", values = ["1:1", "2:1"], heads = ["even"] }]\n'
        'fields = [{ name = "result", values = ["AR"], meanings = ["attacker retreats", "defender retreats"] }]\n',
        "utf-8",
    )
    assert [line.partition(";")[0] for line in lines_of(game)] == [
        "charts.toml: [crt] odds has 1 heads for 2 values",
        "charts.toml: [crt] result has 2 meanings for 1 value",
    ]


def test_a_tour_without_its_files(tmp_path: Path) -> None:
    demo = '[demo]\ntitle = "a tour"\nshows = []\nbrief = [["gone.pos", "What was there."]]\n'
    assert lines_of(game_in(tmp_path, GAME + demo)) == ["game.toml: [demo] brief gone.pos, which does not exist"]
