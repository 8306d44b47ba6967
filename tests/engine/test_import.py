"""A module of another maker, imported and built again: the engine opens it, and says of each piece that it lies where it lay."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from assistant.game.games import read_game
from module_builder.importing.game import import_module
from module_builder.vassal.module import build_module, make_slug

from ..module_builder.importing.foreign import foreign
from .engine import Session


@pytest.fixture(scope="module")
def opened(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, Session]]:
    """The module, and what is built of it, each open."""
    folder = tmp_path_factory.mktemp("import")
    theirs, ours = folder / "theirs.vmod", folder / "ours.vmod"
    theirs.write_bytes(foreign())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
        import_module(theirs, folder / "marsh")
        ours.write_bytes(build_module(read_game("marsh", folder / "marsh")).data)
    with engine.Session(theirs) as one, engine.Session(ours) as other:
        yield one, other


def test_pieces_lie_where_they_lay(opened: tuple[Session, Session]) -> None:
    told = []
    for session, setup in zip(opened, ("start.vsav", f"{make_slug('The start')}.vsav"), strict=True):
        outcome = session.play([{"do": "setup", "file": setup}, {"do": "list", "as": "start"}])
        told.append(outcome)
    theirs, ours = (
        sorted(
            (piece.location, piece.x, piece.y)
            for piece in outcome["start"].pieces
            if piece.map != "Red only" and not piece.id.startswith("now ")  # the frames of our turn track
        )
        for outcome in told
    )
    assert ours == theirs
    assert told[1].faults == [] and not told[1]["start"].off_board


def test_the_engine_prints_the_numbers_of_the_module(opened: tuple[Session, Session]) -> None:
    points = [(x, y) for x in range(5, 900, 37) for y in range(75, 690, 31)]
    names = []
    for session, map in zip(opened, ("Main", "Map"), strict=True):
        outcome = session.play([{"do": "new"}, {"do": "locate", "map": map, "points": points, "as": "names"}])
        names.append([place.name for place in outcome["names"]])
    assert names[0] == names[1]
