"""What is proposed for a published module: its names, pieces, layers, properties, maps and sides, and what is added to an older mapping."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.adoption.proposals.additions import add_proposals
from assistant.formats.vassal.adoption.proposals.candidates import (
    GUESS,
    LIKELY,
    SURE,
    Proposal,
    find_candidates,
    propose_units,
)
from assistant.formats.vassal.adoption.proposals.draft import (
    MappingDraft,
    TrackNames,
    draft_mapping,
    propose_layers,
    propose_markers,
    propose_properties,
    propose_sides,
    propose_traits,
    propose_turn,
    write_draft,
    write_proposal,
)
from assistant.formats.vassal.adoption.proposals.likeness import has_all, likeness, tokens
from assistant.formats.vassal.adoption.proposals.maps import number_maps, propose_maps
from assistant.formats.vassal.controls import Controls, TurnLevel
from assistant.formats.vassal.grids import HEXES
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait
from assistant.game.games import Game, read_game
from assistant.util.errors import InputError
from module_builder.importing.game import import_module
from tests.growth import grows_evenly
from tests.module_builder.importing import identical

from ..published import GERMAN, GRID, MAP, RUSSIAN, Counter, build


def module(*counters: Counter, grid: str = GRID) -> Module:
    return read_module(build(counters, grid=grid))


def counter(name: str, *traits: Trait, path: tuple[str, ...] = RUSSIAN, image: str = "") -> Counter:
    return Counter(path, name, image or f"{name.casefold().replace(' ', '')}.png", (), traits)


def found(proposals: Iterable[Proposal], name: str) -> tuple[object, str]:
    """The value that is proposed for a name, and how sure it is."""
    return next((one.value, one.sure) for one in proposals if one.name == name)


def unit(game: Game, name: str, *counters: Counter, ratings: dict[str, str] | None = None) -> Proposal:
    proposals = propose_units(game, find_candidates(module(*counters)), ratings or {})
    return next(one for one in proposals if one.name == name)


# --- units ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "name", "path", "sure"),
    [
        ("29/20", "29th Inf Div", (*RUSSIAN, "XX Corps"), SURE),
        ("29/20", "29 ID (XX Corps)", RUSSIAN, SURE),
        ("29/20", "29/20", (), SURE),
        ("29/20", "29th Inf Div", RUSSIAN, LIKELY),
        ("3 r", "3rd Reserve Division", GERMAN, SURE),
        ("35 r", "R35", ("French", "Tanks"), LIKELY),
        ("1/1", "1st Inf Div", (*GERMAN, "I Corps"), SURE),
        ("2 gdc", "2nd Guard Cavalry Division", RUSSIAN, SURE),
        ("Lötzen", "Loetzen", GERMAN, ""),
        ("Lötzen", "LOTZEN", GERMAN, SURE),
        ("29/20", "28th Inf Div", (*RUSSIAN, "XX Corps"), ""),
        ("29/20", "29th Inf Div", (*GERMAN, "XX Corps"), ""),
        ("29/20", "29th Cavalry Division", (*RUSSIAN, "XX Corps"), ""),
    ],
)
def test_a_unit_is_found_by_its_name_and_by_the_palette(
    twilight: Game, id: str, name: str, path: tuple[str, ...], sure: str
) -> None:
    proposal = unit(twilight, id, counter(name, path=path))
    assert (proposal.value, proposal.sure) == (name if sure else "", sure)


def test_of_two_that_fit_as_well_none_is_taken_but_the_better_one_is(twilight: Game) -> None:
    pieces = [counter("29 Div", image="a.png"), counter("29 Division", image="b.png")]
    assert unit(twilight, "29/20", *pieces) == ("29/20", "", "", "one of 2: 29 Div, 29 Division")
    pieces = [counter("36th Division", path=(*GERMAN, "XVII Corps"))]
    assert unit(twilight, "36/17", *pieces).value == "36th Division"
    assert unit(twilight, "36 r/1 R", *pieces).value == ""


def test_ratings_that_stand_as_text_tell_two_pieces_apart(twilight: Game) -> None:
    low, high = Trait("mark;Steps", "3"), Trait("mark;Steps", "12")
    pieces = [
        counter("1 Div", low, image="a.png", path=GERMAN),
        counter("1 Division", high, image="b.png", path=GERMAN),
    ]
    assert unit(twilight, "1/1", *pieces).value == ""
    assert unit(twilight, "1/1", *pieces, ratings={"Steps": "steps"}).value == "1 Division"


def test_pieces_without_names_are_named_by_picture_and_those_with_one_picture_by_slot(twilight: Game) -> None:
    assert unit(twilight, "29/20", Counter((*RUSSIAN, "XX Corps"), "", "r029.png", ())).value == "r029.png"
    twins = [Counter((*RUSSIAN, f"{corps} Corps"), "Train", "train.png", ()) for corps in ("III", "XX")]
    keys = [piece.key for piece in find_candidates(module(Counter(RUSSIAN, "Train", "other.png", ()), *twins[:1]))]
    assert keys == ["other.png", "train.png"]


# --- layers, properties, markers, traits ------------------------------------------------------------------------------


def layer(name: str, names: tuple[str, ...], images: tuple[str, ...] = (), state: str = "1") -> Trait:
    return Trait(LayerTrait(name, images or tuple(f"{name}.png" for _ in names), names).type, state)


@pytest.mark.parametrize(
    ("trait", "key", "words", "sure"),
    [
        (layer("Supply", ("", "+ (Low Supply)", "+ OOS")), "Supply", ["", "supply=low", "supply=out"], SURE),
        (layer("Step Losses", ("", "+ 1 step", "+ 2 steps")), "Step Losses", ["", "-1", "-2"], SURE),
        (layer("Hits", ("", "", ""), ("hit0.png", "hit1.png", "hit2.png")), "Hits", ["", "-1", "-2"], LIKELY),
        (layer("Step Losses", ("", ""), ("a.png", "b.png"), "-1"), "Step Losses", ["-1", "-2"], GUESS),
        (layer("Status", ("", "+ Disordered 1", "+ Disordered 2")), "Status", ["", "D1", "D2"], SURE),
        (layer("CEL", ("", "-1", "-2")), "CEL", ["", "cel=-1", "cel=-2"], SURE),
        (layer("Reduced", ("", "")), "Reduced", ["", "reduced"], GUESS),
        (layer("", ("", "+ (reduced)")), "/2", ["", "reduced"], SURE),
        (layer("Colour", ("Red", "Blue")), "Colour", ["", ""], ""),
    ],
)
def test_a_layer_by_its_name_its_levels_or_its_pictures(
    twilight: Game, trait: Trait, key: str, words: list[str], sure: str
) -> None:
    proposals = propose_layers(TrackNames(twilight), find_candidates(module(counter("1 Div", trait))))
    assert found(proposals, key) == (words, sure)


def test_two_layers_of_one_name_are_told_apart_by_their_levels(twilight: Game) -> None:
    pieces = [
        counter("1 Div", layer("Layer", ("", "+ reduced"))),
        counter("2 Div", layer("Layer", ("", "+ D1", "+ D2"))),
    ]
    proposals = propose_layers(TrackNames(twilight), find_candidates(module(*pieces)))
    assert [(one.name, one.value) for one in proposals] == [("Layer/2", ["", "reduced"]), ("Layer/3", ["", "D1", "D2"])]


@pytest.mark.parametrize(
    ("trait", "name", "value", "sure"),
    [
        (Trait("mark;Defense", "16"), "Defense", "defence={}", SURE),
        (Trait("PROP;CEL lost;true,0,4,false;", "2"), "CEL lost", "cel=-{}", SURE),
        (Trait(LabelTrait("Army", "Set army").type, "First"), "Army", "army={}", SURE),
        (Trait("mark;Supply", "Out of Supply"), "Supply", {"Out of Supply": "supply=out"}, LIKELY),
        (Trait("mark;Supply", "Out of\x7f Supply"), "Supply", "", ""),
        (Trait("mark;Defense", "strong"), "Defense", "", ""),
        (Trait("mark;Colour", "Red"), "Colour", "", ""),
    ],
)
def test_a_property_by_its_name_if_its_values_fit(
    twilight: Game, trait: Trait, name: str, value: object, sure: str
) -> None:
    proposals = propose_properties(TrackNames(twilight), find_candidates(module(counter("1 Div", trait))))
    assert found(proposals, name) == (value, sure)


def test_markers_by_their_names_or_by_their_layers(twilight: Game) -> None:
    pieces = [
        counter("Improved Position 2"),
        counter("Entrenchment", layer("Level", ("+ 1", "+ 2"))),
        counter("Low Supply"),
        counter("Game Turn"),
    ]
    known, listed = TrackNames(twilight), find_candidates(module(*pieces))
    layers = propose_layers(known, listed)
    markers = list(propose_markers(known, listed, {one.name: one.value for one in layers}))
    assert {one.name: one.value for one in markers} == {
        "Improved Position 2": "ip=2",
        "Entrenchment": "",
        "Low Supply": "supply=low",
    }
    assert found(layers, "Level") == (["ip=1", "ip=2"], LIKELY)


def test_traits_of_own_code_are_left_to_the_player(twilight: Game) -> None:
    (proposal,) = propose_traits(find_candidates(module(counter("1 Div", Trait("morale;9", "2;1")))))
    assert (proposal.name, proposal.sure) == ("morale", "")
    assert "1 piece, such as morale;9 with the state 2;1" in proposal.why


def maps(game: Game, grid: str) -> list[Proposal]:
    return propose_maps(number_maps(module(grid=grid)), game.board(""))


def test_the_map_of_the_game_is_found_by_its_numbers_however_they_are_written(twilight: Game) -> None:
    proposals = maps(twilight, GRID)
    assert found(proposals, MAP) == ({"boxes": {"Bukowina Holding Area": "Bukowina Holding Box"}}, SURE)
    assert [one.value for one in proposals[1:]] == [{"aside": True}] * 2
    value, sure = found(maps(twilight, GRID.replace('sep=""', 'sep="/"')), MAP)
    assert (value, sure) == (
        {"hexes": "{column:02}/{row:02}", "boxes": {"Bukowina Holding Area": "Bukowina Holding Box"}},
        SURE,
    )
    assert (
        found(maps(twilight, GRID.replace('stagger="false"', 'stagger="true"').replace('hOff="', 'hOff="1')), MAP)[1]
        == GUESS
    )


def test_a_grid_without_numbers_counts_from_its_corner_and_asks_for_a_known_hex(twilight: Game) -> None:
    bare = f'<{HEXES} x0="40" y0="40" dx="52" dy="60"></{HEXES}>'
    window = number_maps(module(grid=bare))[MAP]
    grid = window.boards["East"].grid
    assert grid is not None and grid.locate((40 + 52, 40 + 30 + 60)) == "1,1"
    value, sure = found(maps(twilight, bare), MAP)
    assert (value["known"], sure) == ({}, GUESS)  # type: ignore[index]


# --- sides, turns -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("Russian Player", "russian"),
        ("Germans", "central-powers"),
        ("Austria-Hungary", "central-powers"),
        ("The Central Powers", "central-powers"),
        ("Referee", ""),
        ("German or Russian", ""),
    ],
)
def test_a_side_by_its_name_or_a_nation(twilight: Game, name: str, side: str) -> None:
    (proposal,) = propose_sides(twilight, Controls(sides=(name,)))
    assert (proposal.value, bool(proposal.sure)) == (side, bool(side))


def test_levels_of_a_turn_tracker(twilight: Game) -> None:
    phases = TurnLevel("Step", ("Movement Phase", "Attack Phase", "End"))
    proposals = propose_turn(TrackNames(twilight), Controls(trackers=((TurnLevel("Turn", (), (phases,)),),)))
    assert [(one.name, one.value) for one in proposals] == [
        ("Turn", "turn={}"),
        ("Step", ["phase=movement", "phase=attack", ""]),
    ]


@pytest.mark.parametrize(("name", "sure"), [("Turn", SURE), ("Weather", GUESS)])
def test_a_level_that_counts_is_sure_only_by_its_own_name(twilight: Game, name: str, sure: str) -> None:
    proposals = propose_turn(TrackNames(twilight), Controls(trackers=((TurnLevel(name),),)))
    assert [(one.value, one.sure) for one in proposals] == [("turn={}", sure)]


def test_what_has_too_long_a_name_is_listed(twilight: Game) -> None:
    build = module(counter("1 Div", Trait(f"mark;{'Supply' * 90}", "x")))
    draft = draft_mapping(build, number_maps(build), twilight, "")
    assert draft.too_long == ["Supply" * 90]
    assert "# Left out, for a name has at most 500 letters:\n#   SupplySupply" in write_draft(draft)


NO_NAMES = "of the be and in at a is to by it unit marker png jpg gif svg"
"""Words that tell no unit from another."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("29th Inf. Div.", "29 Infantry Division"),
        ("XX Korps", "20th Corps"),
        ("2nd Gd Cav", "2 gdc"),
        ("35r", "35 Reserve"),
        ("007", "7"),
        ("Lötzen", "LOTZEN"),
        ("A-H 3rd Army", "Austro-Hungarian 3 armee"),
        ("StepLosses", "steps lost"),
        ("iii-train", "3 Train"),
        *((f"20 {word} Korps", "20 Korps") for word in NO_NAMES.split()),
    ],
)
def test_names_that_mean_the_same(one: str, other: str) -> None:
    assert likeness(tokens(one), tokens(other)) == 1.0
    assert likeness(tokens(other), tokens(one)) == 1.0


@pytest.mark.parametrize(
    ("one", "other"), [("29 Inf", "28 Inf"), ("I Corps", "II Corps"), ("Supply", "Step"), ("c", "100")]
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert likeness(tokens(one), tokens(other)) < 1.0


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_can_be_compared(one: str, other: str) -> None:
    alike = likeness(tokens(one), tokens(other))
    assert 0.0 <= alike <= 1.0
    assert not tokens(one) or likeness(tokens(one), tokens(one)) == 1.0


@given(st.integers(1, 89))
def test_a_roman_numeral_is_its_number(number: int) -> None:
    tens, ones = divmod(number, 10)
    tens_said = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX")[tens]
    ones_said = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]
    assert has_all(tokens(f"{tens_said}{ones_said} Corps"), tokens(str(number)))


HEAD = {"module": "Front", "version": "1.3", "game": "some-game", "folder": "/games/some-game", "board": "east"}


def test_a_mapping_without_version_or_folder_gets_both() -> None:
    older = {name: value for name, value in HEAD.items() if name not in ("version", "folder")}
    text = "".join(f'{name} = "{value}"\n' for name, value in older.items())
    assert tomllib.loads(add_proposals(text, MappingDraft(HEAD, {}, []))[0]) == HEAD
    text = 'module = "Front"\ngame = "some-game"\nfolder = "/old"\nboard = "east"\nignored = []\n\n[units]\n'
    found = tomllib.loads(add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("a", "A", "sure", "")]}, []))[0])
    assert found == {**HEAD, "ignored": [], "units": {"a": "A"}}


@pytest.mark.parametrize("last", ['# "a" = "x"', '"a" = "x"', "[dice]", "# a remark"])
def test_a_last_line_without_a_line_break_is_a_line_of_its_own(last: str) -> None:
    text = f'game = "some-game"\n[units]\n{last}'
    made, new = add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("b", "B", "sure", "")]}, []))
    assert [one.name for one in new["units"]] == ["b"]
    assert tomllib.loads(made)["units"]["b"] == "B"
    assert last in made.splitlines()


def test_lines_of_the_player_end_and_stay_as_they_are() -> None:
    text = 'game = "some-game"\r\n[units]\r\n"a" = "A"\r\n'
    made, _ = add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("b", "B", "sure", "")]}, []))
    assert made.count("\r\n") == made.count("\n") == len(made.split("\n")) - 1
    text = 'game = "some-game"\nunits = { "a" = "A" }\n'
    with pytest.raises(InputError, match=r"cannot be added to \[units\]"):
        add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("b", "B", "sure", "")]}, []))
    with pytest.raises(InputError, match="nothing can be added"):
        add_proposals('game = "some-game', MappingDraft(HEAD, {}, []))


def test_comments_and_order_of_the_player_stay() -> None:
    text = """# mine
game = "some-game"  # of us
version = "1.2"     # old
module = "Front"

[units]  # by piece
"b" = ["B",
  "B reduced"]  # both

# the rest
"a" = ""
# "c" = ""  # left
# Layers: what each level states.
[layers]
"""
    units = [Proposal(name, name.upper(), "sure", "by its name") for name in ("a", "c", "d")]
    made, new = add_proposals(
        text, MappingDraft(HEAD, {"units": units, "sides": [Proposal("R", "red", "likely", "by its name")]}, [])
    )
    assert {section: [one.name for one in some] for section, some in new.items()} == {
        "units": ["c", "d"],
        "sides": ["R"],
    }
    assert made == (
        text.replace('"some-game"  # of us\n', '"some-game"  # of us\nfolder = "/games/some-game"\n')
        .replace('version = "1.2" ', 'version = "1.3" ')
        .replace('# "c" = ""  # left\n', "".join(f"{write_proposal(one)}\n" for one in units[1:]))
        + f"\n[sides]\n{write_proposal(Proposal('R', 'red', 'likely', 'by its name'))}\n"
    )


def test_of_one_name_with_many_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()

    def make(size: int) -> Callable[[], object]:
        slots = (
            identical.Slot("Red" if number % 2 else "Blue", "Infantry", f"{number}.png", 4, 4, ("0202",))
            for number in range(size)
        )
        monkeypatch.setattr(identical, "SLOTS", tuple(slots))
        file, folder = tmp_path / "m.vmod", tmp_path / f"game{next(numbers)}"
        file.write_bytes(identical.module())
        import_module(file, folder)
        game, module = read_game(folder.name, folder), read_module(file)
        assert len({one.value for one in propose_units(game, find_candidates(module), {})}) == size
        return lambda: propose_units(game, find_candidates(module), {})

    assert grows_evenly(make)
