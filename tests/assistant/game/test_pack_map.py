"""The map in an owner's pack: entries that can be typed and edited, for the printed map or for one board."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assistant.game.games import Game, read_game
from assistant.game.packs import Pack, overlay_pack
from assistant.state.tracks import Fact, Source, Value
from assistant.util.errors import InputError

from ...folders import game_of
from ..asking.test_placeholders import FILES, HEAD, LETTERS, TRACKS

TRACKS_TOO = (
    TRACKS
    + """
[fort]
title = "fort"
on = "hex"
kind = "flag"
printed = "map"

[held]
title = "holder"
on = "hex"
kind = "text"
"""
)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game with two boards: `valley` has the numbers of the printed map, `hills` its own."""
    shifted = HEAD.replace("[grid]\n", '[grid]\nshifted = "odd"\n')
    hills = {"boards/hills/board.toml": shifted, "boards/hills/terrain.txt": LETTERS}
    return game_of(tmp_path / "mill", {**FILES, "tracks.toml": TRACKS_TOO, **hills})


@pytest.fixture
def pack(game: Game, tmp_path: Path) -> Pack:
    return Pack(game, tmp_path / "pack")


def text_of(pack: Pack, name: str = "map.lines") -> str:
    return (pack.folder / name).read_text("utf-8")


def write(pack: Pack, text: str, name: str = "map.lines") -> None:
    (pack.folder / name).parent.mkdir(parents=True, exist_ok=True)
    (pack.folder / name).write_text(text, "utf-8")


def test_facts_of_the_printed_map_hold_on_every_board_with_its_numbers(pack: Pack) -> None:
    write(pack, '# from my map\n"Mill road" fort: 0101 0102\n"Mill" river: 0303|0302\n0901 wood\n')
    known = overlay_pack(pack.game, pack.folder)
    valley, hills = known.board("valley"), known.board("hills")
    assert valley.fact("fort", "0102") == Fact(True, Source.PRINTED)
    assert valley.fact("barrier", "0302|0303") == Fact(("river",), Source.PRINTED)
    assert hills.fact("fort", "0102") is None, "its numbers mean other hexes"
    assert known.board("").fact("terrain", "0901") == Fact("wood", Source.PRINTED)
    assert ("terrain", "0901") not in valley.facts, "that hex is not on the board"


def test_a_board_with_numbers_of_its_own_has_a_file_of_its_own(pack: Pack) -> None:
    pack.enter_all(ground={("hills", "0101", "terrain"): "swamp"})
    assert text_of(pack, "boards/hills.lines") == "0101 swamp\n"
    known = overlay_pack(pack.game, pack.folder)
    assert known.board("hills").fact("terrain", "0101") == Fact("swamp", Source.PRINTED)
    assert known.board("valley").fact("terrain", "0101") == Fact("clear", Source.DRAWN)
    assert [file.name for file in pack.files.list_existing()] == ["hills.lines"]
    paint(pack, {("terrain", "0101"): "wood"}, "hills")
    paint(pack, {("terrain", "0101"): "swamp"}, "valley")
    assert painted(pack, "boards/hills.lines") == ["0101 wood"]
    assert painted(pack) == ["0101 swamp"]


def test_where_each_board_is_a_map_of_its_own(pack: Pack) -> None:
    toml = Path(str(pack.game.folder)) / "game.toml"
    toml.write_text(f"one_map = false\n{toml.read_text('utf-8')}", "utf-8")
    apart = Pack(read_game("mill", Path(str(pack.game.folder))), pack.folder)
    apart.enter_all(ground={("valley", "0101", "fort"): "yes"})
    write(apart, "0102 fort\n")
    assert text_of(apart, "boards/valley.lines") == "0101 fort\n"
    known = overlay_pack(apart.game, apart.folder)
    assert known.board("valley").fact("fort", "0101") == Fact(True, Source.PRINTED)
    assert known.board("hills").fact("fort", "0101") is None
    assert known.board("valley").fact("fort", "0102") is None, "a number without its map is none of its places"


def test_the_rulebook_stays_on_top(pack: Pack) -> None:
    write(pack, "0101|0102 ridge\n")
    assert overlay_pack(pack.game, pack.folder).board("valley").fact("barrier", "0101|0102") == Fact(
        ("river",), Source.RULEBOOK
    )
    (fault,) = pack.check_ground()
    assert fault.what == "barrier of 0101|0102: ridge contradicts the rulebook"
    assert str(fault.where) == str(pack.folder / "map.lines")


def test_what_is_entered_stands_behind_what_the_owner_wrote(pack: Pack) -> None:
    write(pack, '# from my map\n\n"Mill road" fort: 0101 0102   # both\n0103 clear [rulebook 2]\n')
    pack.enter_all(ground={("", "0104", "terrain"): "wood"})
    pack.enter_all(ground={("", "0104|0103", "barrier"): "river+ridge"})
    pack.enter_all(ground={("", "0104", "terrain"): "swamp"})
    assert text_of(pack) == (
        '# from my map\n\n"Mill road" fort: 0101 0102   # both\n0103 clear [rulebook 2]\n'
        "0103|0104 ridge river\n0104 swamp\n"
    )


def test_an_entry_of_the_owner_that_says_otherwise_is_told_and_nothing_is_kept(pack: Pack) -> None:
    for text in ("river: 0303|0302,0402\n", "0303|0302, 0303|0402 river\n"):
        write(pack, text)
        with pytest.raises(InputError) as caught:
            pack.enter_all(ground={("", "0302|0303", "barrier"): "ridge"})
        assert caught.value.what == "another entry contradicts this for 0302|0303"
        assert caught.value.hint == "it gives 0302|0303 ridge+river: change it there"
        assert text_of(pack) == text
    write(pack, "fort: 0101 0102\n")
    with pytest.raises(InputError, match=r"map.lines:2:1: fort of 0101 is no here but yes at .*map.lines:1:7"):
        pack.enter_all(ground={("", "0101", "fort"): "no"})
    assert text_of(pack) == "fort: 0101 0102\n"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("0101 wod\n", "1:6", "'wod' is not a fact about a hex"),
        ("\nriver: 0303|0302 0101|0102\n", "2:18", "0101|0102 does not touch 0303|0302"),
        ("0101 held=me\n", "1:1", "no map prints this: holder"),
        ("2101 wood\n", "1:1", "hex 2101 is off the map"),
        ("0101 wood\n0101 clear\n", "2:1", "terrain of 0101 is clear here but wood at"),
    ],
)
def test_faults_name_file_line_and_column(text: str, where: str, what: str, pack: Pack) -> None:
    write(pack, text)
    with pytest.raises(InputError) as caught:
        overlay_pack(pack.game, pack.folder)
    assert str(caught.value.where) == f"{pack.folder / 'map.lines'}:{where}"
    assert caught.value.what.startswith(what) and caught.value.hint


def test_several_facts_are_kept_together_or_not_at_all(pack: Pack) -> None:
    with pytest.raises(InputError, match="'mad' is not allowed"):
        pack.enter_all({}, {("", "0101", "terrain"): "wood", ("", "0102", "terrain"): "mad"})
    assert pack.files.list_existing() == []
    pack.enter_all({}, {("", "0101", "terrain"): "wood", ("valley", "0102", "terrain"): "wood"})
    assert text_of(pack) == "0101 wood\n0102 wood\n"


def test_a_file_of_an_older_version_is_told_rather_than_lost(pack: Pack) -> None:
    write(pack, "board,where,track,value\n,41.19,terrain,clear\n", "ground.csv")
    with pytest.raises(InputError, match="a file of an older version") as caught:
        overlay_pack(pack.game, pack.folder)
    assert "map.lines" in caught.value.hint


def test_a_fact_is_taken_out_of_the_board_that_has_it_or_is_named(pack: Pack) -> None:
    write(pack, "0101 swamp\n0102 wood\n", "boards/hills.lines")
    pack.leave_out_ground("0101", "terrain")
    assert text_of(pack, "boards/hills.lines") == "0102 wood\n"
    with pytest.raises(InputError, match="your pack has no entry for 0101 terrain"):
        pack.leave_out_ground("0101", "terrain")
    write(pack, "0101 swamp\n")
    write(pack, "0101 wood\n", "boards/hills.lines")
    with pytest.raises(InputError, match="your pack has terrain of 0101 for map and hills") as refused:
        pack.leave_out_ground("0101", "terrain")
    assert refused.value.hint == "name the board after it: 0101 terrain hills"
    with pytest.raises(InputError, match="no entry for 0101 terrain valley"):
        pack.leave_out_ground("0101", "terrain", "valley")
    with pytest.raises(InputError, match="unknown board 'hill'"):
        pack.leave_out_ground("0101", "terrain", "hill")
    pack.leave_out_ground("0101", "terrain", "hills")
    assert (text_of(pack), text_of(pack, "boards/hills.lines")) == ("0101 swamp\n", "")
    write(pack, "0101 wood\n", "boards/hills.lines")
    pack.leave_out_ground("0101", "terrain", "map")
    assert (text_of(pack), text_of(pack, "boards/hills.lines")) == ("", "0101 wood\n")


# --- what is painted ---

MARK = "# Painted on the table page."


def paint(pack: Pack, changes: dict[tuple[str, str], Value | None], board: str = "") -> dict[tuple[str, str], object]:
    return dict(pack.change_ground(board, lambda known: changes))


def painted(pack: Pack, name: str = "map.lines") -> list[str]:
    """The lines below the one that says what follows."""
    return text_of(pack, name).partition(MARK)[2].splitlines()[1:]


def test_what_is_painted_stands_together_and_says_the_same_once(pack: Pack) -> None:
    paint(pack, {("terrain", "0103"): "wood", ("terrain", "0101"): "wood", ("terrain", "0102"): "swamp"})
    paint(pack, {("barrier", "0101|0102"): ("river",), ("fort", "0103"): True})
    assert painted(pack) == ["0101 wood", "0102 swamp", "0103 fort wood", "0101|0102 river"]
    changed = paint(pack, {("terrain", "0103"): None, ("fort", "0103"): None, ("terrain", "0102"): "wood"})
    assert changed == {
        ("terrain", "0103"): ("wood", None),
        ("fort", "0103"): (True, None),
        ("terrain", "0102"): ("swamp", "wood"),
    }
    assert painted(pack) == ["0101, 0102 wood", "0101|0102 river"]
    assert overlay_pack(pack.game, pack.folder).board("valley").fact("terrain", "0102") == Fact("wood", Source.PRINTED)


def test_what_the_owner_wrote_stays_above_it_and_what_he_puts_below_goes_there(pack: Pack) -> None:
    own = '# from my map\n"Mill road" fort: 0101 0102   # both\n0104 clear\n'
    write(pack, own)
    paint(pack, {("terrain", "0103"): "wood"})
    assert text_of(pack).startswith(own + MARK)
    write(pack, text_of(pack) + '# mine too\n0201 wood # as I see it\n"Pond" river: 0303|0302\n')
    paint(pack, {("terrain", "0102"): "swamp"})
    assert text_of(pack).partition(MARK)[0] == own + '# mine too\n0201 wood # as I see it\n"Pond" river: 0303|0302\n'
    assert painted(pack) == ["0102 swamp", "0103 wood"]


def test_commands_change_what_is_painted(pack: Pack) -> None:
    paint(pack, {("terrain", name): "wood" for name in ("0101", "0102", "0103")})
    pack.leave_out_ground("0102", "terrain")
    assert painted(pack) == ["0101, 0103 wood"]
    pack.enter_all(ground={("", "0103", "terrain"): "swamp"})
    assert text_of(pack).startswith("0103 swamp\n" + MARK) and painted(pack) == ["0101 wood"]
    paint(pack, {("terrain", "0103"): "clear"})
    assert text_of(pack).startswith(MARK) and painted(pack) == ["0101 wood", "0103 clear"]


def test_another_entry_that_says_otherwise_is_told_and_nothing_is_painted(pack: Pack) -> None:
    write(pack, "0101, 0102 wood\n")
    for value in ("swamp", None):
        with pytest.raises(InputError, match="another entry contradicts this for 0101|terrain of 0101 is"):
            paint(pack, {("terrain", "0101"): value, ("terrain", "0104"): "swamp"})
    assert text_of(pack) == "0101, 0102 wood\n"


def test_a_long_entry_goes_on_in_the_next_line_and_is_read_again(pack: Pack) -> None:
    hexes = [f"{column:02}{row:02}" for column in range(1, 10) for row in range(1, 9)]
    board = pack.game.board("")
    facts: dict[tuple[str, str], Value | None] = {("terrain", name): "wood" for name in hexes if board.has(name)}
    paint(pack, facts)
    assert any(line.startswith(" ") for line in painted(pack))
    assert {key: fact.value for key, fact in known_of(pack).items()} == facts
    (name, *_) = (key[1] for key in facts)
    paint(pack, {("terrain", name): None})
    assert len(known_of(pack)) == len(facts) - 1


def known_of(pack: Pack) -> dict[tuple[str, str], Fact]:
    return {(track, subject): fact for (_, subject, track), fact in pack.ground().items()}


def test_many_painters_at_once_lose_nothing(pack: Pack) -> None:
    hexes = [f"{column:02}{row:02}" for column in range(1, 5) for row in range(1, 5)]
    with ThreadPoolExecutor(4) as painters:
        for done in painters.map(lambda name: paint(pack, {("terrain", name): "wood"}), hexes):
            assert len(done) == 1
    assert {subject for _, subject in known_of(pack)} == {*hexes}
