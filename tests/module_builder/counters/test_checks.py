"""What `check` says of counters: mistakes in counters.toml, and what has no room or does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.drawing.png import to_png
from assistant.drawing.style import palette_of
from assistant.game.games import Game, read_game
from assistant.util.errors import InputError, Where
from module_builder.cli import cli
from module_builder.counters.checks import counter_faults, counter_remarks
from module_builder.counters.design import read_design
from module_builder.counters.faces import Cut
from module_builder.counters.pieces import choose_counters, counters_and_markers, design_counters, format_troubles
from module_builder.new import new_game
from tests.module_builder.counters.made import markers

from ...cases import few


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_game(tmp_path / "drill")
    return tmp_path / "drill"


def read(folder: Path, design: str = "", roster: str = "") -> Game:
    if design:
        (folder / "counters.toml").write_text(design, "utf-8")
    if roster:
        with (folder / "roster.csv").open("a", encoding="utf-8") as file:
            file.write(roster)
    return read_game("drill", folder)


def test_a_new_game_has_nothing_to_mend(folder: Path) -> None:
    assert [*counter_faults(read(folder)), *counter_remarks(read(folder))] == []


@pytest.mark.parametrize(
    ("design", "where", "what"),
    [
        ('[slots.name]\ntext = "{nmae}"', "counters.toml:2", "[slots.name] text: unknown column 'nmae'"),
        ('[slots.name]\nwhen = "movment > 2"', "counters.toml:2", "unknown column 'movment'"),
        ('[slots.name]\ntext = "{unit"', "counters.toml:2", "an unmatched brace"),
        ('[slots.name]\nitems = ["{nmae}"]', "counters.toml:2", "[slots.name] items: unknown column 'nmae'"),
        ('[slots.name]\nitems = [{ text = "{nmae}" }]', "counters.toml:2", "[slots.name] items: unknown column 'nmae'"),
        ('[slots.name]\nitems = [{ text = "a", when = "movment > 2" }]', "counters.toml", "unknown column 'movment'"),
        (
            '[slots.name]\nitems = ["a", { text = ["b", { text = "{nmae}", when = "movement > 2" }] }]',
            "counters.toml:2",
            "items: unknown column 'nmae'",
        ),
        (
            '[slots.name]\nitems = [{ text = [{ text = "b", when = "movment > 2" }] }]',
            "counters.toml",
            "unknown column 'movment'",
        ),
        (
            '[slots.name]\ntext = [{ text = "{nmae}", when = "movement > 2" }]',
            "counters.toml:2",
            "unknown column 'nmae'",
        ),
        ('[slots.name]\nsize = "large"', "counters.toml:2", "size"),
        ("[slots.name]\nsiez = 8", "counters.toml:2", "unknown key"),
        ('[slots.name]\nbox = [1, 2, "wide", 4]', "counters.toml:2", "'wide' is not a length"),
        ('[slots.name]\nink = "gren"', "counters.toml:2", "'gren' is not a colour"),
        ('[colours]\nground = "#12"', "counters.toml:2", "'#12' is not a colour"),
        ('[colours]\nground = ""', "counters.toml:2", "'' is not a colour"),
        (
            f'[slots.name]\nwhen = "movement > {"9" * 5000}"',
            "counters.toml:2",
            "needs a whole number of at most 9 digits",
        ),
        ('[kinds.cavlary]\ninherits = ""', "counters.toml:1", "unknown word of a symbol 'cavlary'"),
        ('[nations.geen]\ninherits = ""', "counters.toml:1", "unknown nation 'geen'"),
        ('[units.Lancer]\ninherits = ""', "counters.toml:1", "unknown unit 'Lancer'"),
        (
            '[styles.a]\ninherits = "b"\n[styles.b]\ninherits = "a"',
            "counters.toml:2",
            "[styles.a] inherits itself, by way of b",
        ),
        ('[styles.a]\ninherits = "a"', "counters.toml:2", "[styles.a] inherits itself, by way of a"),
        ('[kinds.cavalry]\ninherits = "bold"', "counters.toml:2", "unknown style 'bold'"),
        ('[variants.night]\ninherits = ""', "counters.toml:1", "unknown variant 'night'"),
        ('[short.nation]\nblue = "b"\n[short.naton]\nblue = "b"', "counters.toml:3", "'naton'"),
        ("[markers.trun]\ncount = 2", "counters.toml:1", "unknown track 'trun'"),
        ('stripe = "armies"', "counters.toml:1", "'armies'"),
        ("[slots", "counters.toml", "Expected"),
    ],
)
def test_a_mistake_is_named_with_its_line(folder: Path, design: str, where: str, what: str) -> None:
    faults = [str(fault) for fault in counter_faults(read(folder, design))]
    assert any(fault.startswith(where) and what in fault for fault in faults), faults


def test_counters_are_not_drawn_by_a_faulty_design(folder: Path) -> None:
    with pytest.raises(InputError, match="siez"):
        design_counters(read(folder, "[slots.name]\nsiez = 8"))
    with pytest.raises(InputError, match="gren"):
        design_counters(read(folder, '[slots.name]\nink = "gren"'))


def test_a_name_without_room_or_in_small_letters_is_told_with_the_remedy(folder: Path) -> None:
    name = "Alexander Alexandrovitch's Own Grenadiers"
    said, *_ = counter_remarks(read(folder, roster=f"{name},blue,infantry,1,1,1\n"))
    assert said.startswith(f"counter {name}, slot name: ")
    assert "does not fit at 5.5 points; shorten it under [short.unit]" in said
    short = f'[short.unit]\n"{name}" = "A.A. Gren."'
    assert list(counter_remarks(read(folder, short))) == []
    said, *_ = counter_remarks(read(folder, "[slots.name]\nsize = 4\nfloor = 4"))
    assert (
        "slot name: '1st' has letters of 4.0 points; 5.5 is the smallest that can be read; shorten it under [short.unit], or "
        "state a larger size, floor or box"
    ) in said
    design = '[slots.side]\ntext = "{nation}"\nbox = [1.5, 4, 0.5, 2]'
    said = [line for line in counter_remarks(read(folder, design)) if "slot side" in line]
    assert "shorten it under [short.nation]" in said[0]
    assert list(counter_faults(read(folder, design + '\n[short.nation]\nblue = "b"'))) == []


def test_a_stripe_needs_its_column_and_the_band_is_one_where_the_file_says_so(folder: Path) -> None:
    assert read_design(read(folder)).file.slots["band"].draw == "ground"
    palette = palette_of(read(folder))
    fronts = {counter.unit: counter.front for counter in design_counters(read(folder, 'stripe = "arm"'))}
    for unit, number in (("1st", 0), ("Lancers", 1)):
        fills = [getattr(shape, "fill", "") for shape in fronts[unit].layers[0].shapes]
        assert palette.stripe("blue", number).colour in fills, unit
    slots = read_design(read(folder, 'stripe = "arm"')).file.slots
    assert (slots["band"].draw, slots["formation"].fill) == ("stripe", "stripe")


def test_commands_tell_what_spoils_a_counter_on_the_die_asked_for(folder: Path, tmp_path: Path) -> None:
    with (folder / "roster.csv").open("a", encoding="utf-8") as file:
        file.write("4th Extra Heavy,blue,infantry,1,1,1\n")

    def told_by(*words: str) -> str:
        done = CliRunner().invoke(cli, [words[0], str(folder), *words[1:], "--force"])
        assert done.exit_code == 0, done.stderr
        return done.stderr

    small = "counter 4th Extra Heavy, slot name: '4th Extra Heavy' does not fit at 5.5 points on a counter of 12.7 mm; "
    assert small in told_by("sheets", "--die", "1/2", "-o", str(tmp_path / "small.pdf"))
    assert small in told_by("counters", "--side", "12.7", "--overview", str(tmp_path / "small.png"))
    assert "4th" not in told_by("sheets", "-o", str(tmp_path / "large.pdf"))
    (folder / "counters.toml").write_text('[short.unit]\nLancers = "Alexander Alexandrovitch\'s Own"', "utf-8")
    assert "counter Lancers, slot name: " in told_by("module", "--out", str(tmp_path / "one.vmod"))


@pytest.mark.parametrize(
    ("box", "said"),
    [
        (
            "[15, 4.3, 3, 3]",
            "counters.toml:2: [slots.name] box reaches 2.1 mm over the edge of a counter of 15.875 mm; keep 1.15 mm",
        ),
        (
            "[0.2, 4.3, 3, 3]",
            "counters.toml:2: [slots.name] box lies 0.2 mm from the cut of a counter of 15.875 mm; keep 1.15 mm",
        ),
        ('["50%", 4.3, "60%", 3]', "[slots.name] box reaches 1.6 mm over the edge"),
    ],
)
def test_a_slot_off_the_counter_is_told(folder: Path, box: str, said: str) -> None:
    assert any(
        line.startswith(said) or said in line for line in counter_remarks(read(folder, f"[slots.name]\nbox = {box}"))
    )


def test_ink_that_cannot_be_seen_is_told(folder: Path) -> None:
    told_of = list(counter_remarks(read(folder, '[slots.figures]\nink = "nation"')))
    assert len(told_of) == 2  # the ground of each nation
    assert ", slot figures: its ink #" in told_of[0]
    assert told_of[0].endswith('write ink = "auto", or choose another colour')


def test_a_nation_without_a_sign_is_told_how_to_have_one(folder: Path) -> None:
    tracks = (folder / "tracks.toml").read_text("utf-8")
    head, nation, rest = tracks.partition("[nation]")
    (folder / "tracks.toml").write_text(
        head + nation + re.sub(r'kind = "choice"\nvalues = .*', 'kind = "text"', rest, count=1), "utf-8"
    )
    (folder / "game.toml").write_text(
        re.sub(r"\[sides\]\n.*\n.*\n", "", (folder / "game.toml").read_text("utf-8")), "utf-8"
    )
    said = [line for line in counter_remarks(read(folder)) if "slot mark" in line]
    assert (
        "there is no symbol for the nation 'blue'; put symbols/nation-blue.svg into the game's folder; nations of a track"
        in said[0]
    )


def test_pictures_that_an_earlier_run_has_left_are_named(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "drawn"
    out.mkdir()
    (out / "counter-Lancers-of-old.png").write_bytes(b"")
    done = CliRunner().invoke(cli, ["counters", str(folder), "--out", str(out)])
    assert (
        done.stderr
        == f"{out} also holds counter-Lancers-of-old.png, not made by this run; delete what an earlier run left\n"
    )
    alone = CliRunner().invoke(cli, ["counters", str(folder), "--out", str(out), "--only", "Lancers", "--force"])
    assert alone.stderr == ""


def test_many_troubles_are_told_in_a_few_lines(folder: Path) -> None:
    names = [f"Alexander Alexandrovitch's Own {number} Grenadiers" for number in range(14)]
    game = read(folder, roster="".join(f"{name},blue,infantry,1,1,1\n" for name in names))
    *lines, last = format_troubles(design_counters(game))
    assert len(lines) == 10
    assert last.startswith("and ")
    assert last.endswith("more of this kind; `module-builder check` names them")


def test_names_that_differ_only_in_case_or_spaces(folder: Path) -> None:
    assert list(counter_remarks(read(folder, roster="lancers,blue,infantry,1,1,1\n"))) == [
        "counters Lancers and lancers have names that differ only in case or spaces; rename one"
    ]


def test_a_symbol_that_does_not_exist_is_named(folder: Path) -> None:
    design = '[slots.badge]\ndraw = "symbol"\ntext = "{nation}"\nprefix = "badge-"\nwhen = "nation = red"\nbox = [1.5, 4, 3, 2]'
    (said,) = counter_remarks(read(folder, design))
    assert (
        "(and 4 more), slot badge: there is no symbol 'badge-red'; put symbols/badge-red.svg into the game's folder"
        in said
    )


def test_a_size_without_a_sign_is_printed_in_small_letters_rather_than_cut(folder: Path) -> None:
    game = read(folder, '[slots.size]\ntext = "Kampfgruppe"')
    said = [line for line in counter_remarks(game) if "slot size" in line]
    assert said
    assert all("Kampfgruppe' has letters of " in line for line in said)


@few(4)
@pytest.mark.parametrize(
    "design",
    [
        "[slots.name]\nbox = [0, 0, 0, 0]",
        "[slots.name]\nbox = [-1e9, 1e9, 1e9, -1e9]",
        "[slots.figures]\nbox = [1, 1, 0.1, 0.1]\ngap = 10",
        '[slots.pips]\ndraw = "pips"\ntext = "{movement}999"',
        '[slots.pips]\ndraw = "pips"\ntext = "many"',
        '[colours]\nground = "band"\nband = "turned"\nturned = "nation"',
        '[slots.name]\ntext = ["", "{unit}"]',
        '[slots.symbol]\ndraw = "signs"\ntext = "a+b+c"',
        '[slots.symbol]\ndraw = "echelon"\ntext = "{unit}"',
        '[slots.symbol]\ndraw = "mark"\ntext = "nowhere"',
        '[slots.symbol]\ntext = "../../etc/passwd"',
        '[slots.name]\ntext = "\\u202e\\U0001F600 {unit}"',
    ],
)
def test_an_odd_design_is_drawn_all_the_same(folder: Path, design: str) -> None:
    game = read(folder, design)
    assert list(counter_faults(game)) == []
    assert to_png([counter.front for counter in design_counters(game)], 2)
    assert all(len(line) < 1000 for line in counter_remarks(game))


@pytest.mark.parametrize(
    "design",
    [
        "[slots.name]\nsize = 1e300",
        "[slots.name]\nsize = nan",
        "[slots.name]\nfloor = -1",
        "[slots.name]\nlines = 3",
        "[slots.name]\nrim_width = -1",
        '[slots.name]\ndraw = "picture"',
        "[slots.name]\nbox = [1, 2]",
        "[markers.turn]\ncount = 1000000000",
        '[colours]\nground = "ground"',
        '[colours]\nground = "nation pale 7"',
    ],
)
def test_what_cannot_be_drawn_is_refused(folder: Path, design: str) -> None:
    game = read(folder, design)
    assert list(counter_faults(game))
    with pytest.raises(InputError):
        design_counters(game) and markers(game)


@pytest.mark.parametrize(
    ("design", "what"),
    [
        ('[styles.marker.slots.value]\ntext = "{value x"', "'{value x' has an unmatched brace"),
        ('[styles.marker.colours]\nground = "purpel"', "'purpel' is not a colour"),
    ],
)
def test_a_mistake_in_the_style_of_markers_is_refused(folder: Path, design: str, what: str) -> None:
    game = read(folder, design + '\n[markers.turn]\npairs = [["1"]]\n')
    with pytest.raises(InputError, match=re.escape(what)) as refused:
        counters_and_markers(game, Cut(), "colour")
    assert refused.value.where == Where("counters.toml")


def test_values_that_the_back_lacks(folder: Path) -> None:
    tracks = (folder / "tracks.toml").read_text("utf-8")
    for name in ("attack", "defence"):
        head = f"[{name}]\n"
        tracks = tracks.replace(head, f'{head}back = "back-{name}"\n')
        tracks += f'\n[back-{name}]\ntitle = "reduced {name}"\non = "unit"\nkind = "integer"\nprinted = "counter"\n'
    (folder / "tracks.toml").write_text(tracks, "utf-8")
    head, *rows = (folder / "roster.csv").read_text("utf-8").splitlines()
    rows = [f"{row},2," for row in rows[:2]] + [f"{row},2,1" for row in rows[2:8]] + [f"{row},0," for row in rows[8:]]
    (folder / "roster.csv").write_text("\n".join([f"{head},back-attack,back-defence", *rows]) + "\n", "utf-8")
    said = list(counter_remarks(read(folder)))
    assert said == [
        "counter 1st (and 1 more) has defence, but no back-defence for the back; enter it, 0 if there is none"
    ]


def test_a_counter_alone_of_its_kind_without_a_back_is_named(folder: Path) -> None:
    tracks = (folder / "tracks.toml").read_text("utf-8")
    tracks = tracks.replace("[attack]\n", '[attack]\nback = "back-attack"\n')
    tracks += '\n[back-attack]\ntitle = "reduced attack"\non = "unit"\nkind = "integer"\nprinted = "counter"\n'
    (folder / "tracks.toml").write_text(tracks, "utf-8")
    head, *rows = (folder / "roster.csv").read_text("utf-8").splitlines()
    backs = {"infantry": "1", "cavalry": "1", "artillery": ""}
    rows = [f"{row},{'' if row.startswith('12th') else backs[row.split(',')[2]]}" for row in rows]
    (folder / "roster.csv").write_text("\n".join([f"{head},back-attack", *rows]) + "\n", "utf-8")
    assert list(counter_remarks(read(folder))) == [
        "counter 12th has attack, but no back-attack for the back; enter it, 0 if there is none"
    ]


def test_texts_that_run_into_one_another_are_told(folder: Path) -> None:
    said = [
        line
        for line in counter_remarks(read(folder, "[slots.name]\nbox = [1.5, 10.5, 12.8, 3]"))
        if "runs into" in line
    ]
    assert said[0].startswith(
        "counter 1st, slot name: '1st' runs into '4' of slot figures; move one of the boxes apart"
    )


def test_a_mistake_that_does_not_keep_counters_from_being_drawn_is_told_with_them(folder: Path, tmp_path: Path) -> None:
    (folder / "counters.toml").write_text('[slots.name]\ntext = "{nmae}"\n[units.Lancer.colours]\n', "utf-8")
    for words in (["counters", "--overview", "all.png"], ["sheets", "-o", "all.pdf"]):
        words[-1] = str(tmp_path / words[-1])
        done = CliRunner().invoke(cli, [words[0], str(folder), *words[1:]])
        assert done.exit_code == 0, done.stderr
        assert done.stderr.startswith("counters.toml:2: [slots.name] text: unknown column 'nmae'")
        assert done.stderr.endswith(", and 1 more; `module-builder check` lists all mistakes\n")


def test_equal_counters_are_counted_and_chosen_and_markers_by_their_words(folder: Path) -> None:
    rows = (folder / "roster.csv").read_text("utf-8").splitlines()
    counts = {"unit": "count", "Lancers": "3", "Hussars": "2"}
    text = "".join(f"{row},{counts.get(row.partition(',')[0], '')}\n" for row in rows)
    (folder / "roster.csv").write_text(text, "utf-8")
    made = design_counters(read(folder))
    assert {counter.unit: counter.count for counter in made if counter.count > 1} == {"Lancers": 3, "Hussars": 2}
    assert [(counter.unit, counter.count) for counter in choose_counters(made, ["Hussars", "1st", "Hussars"])] == [
        ("1st", 1),
        ("Hussars", 2),
    ]
    made = markers(read(folder))
    for name in ("disrupted yes", "disrupted", made[0].name):
        assert [counter.unit for counter in choose_counters(made, [name])] == ["disrupted yes"], name
    with pytest.raises(InputError, match="--only: unknown counter 'disorder'"):
        choose_counters(made, ["disorder"])


def test_what_keeps_a_counter_from_being_drawn_is_said_once(tmp_path: Path) -> None:
    game = tmp_path / "heath"
    new_game(game)
    (game / "symbols").mkdir(exist_ok=True)
    (game / "symbols" / "infantry.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/><', "utf-8")
    done = CliRunner().invoke(cli, ["counters", str(game), "--overview", str(tmp_path / "x.png")])
    assert (done.exit_code, len(done.stderr.splitlines()), "the file is damaged" in done.stderr) == (3, 2, True)


def test_a_box_over_the_edge_of_a_variant_is_named(folder: Path) -> None:
    design = '[variants.low-ink.slots.note]\ntext = "{unit}"\nbox = [15, 4, 3, 3]\n'
    (found,) = [remark for remark in counter_remarks(read(folder, design)) if "over the edge" in remark]
    assert "[variants.low-ink.slots.note] box reaches" in found
