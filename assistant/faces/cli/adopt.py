"""The command `adopt`: maps the pieces of a published module to a game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...formats.vassal.adoption.archive import ENDING, adoption_archive
from ...formats.vassal.adoption.legend import check_kept, find_strays, mapping_of
from ...formats.vassal.adoption.mapping import ModuleMapping, check_mapping, read_mapping
from ...formats.vassal.adoption.mapping_files import (
    Fixtures,
    adopted_games,
    fixtures_file,
    mapping_file,
    shipped_mapping,
)
from ...formats.vassal.adoption.proposals.additions import add_proposals
from ...formats.vassal.adoption.proposals.candidates import GUESS, LIKELY, SURE, piece_names
from ...formats.vassal.adoption.proposals.draft import draft_mapping, write_draft
from ...formats.vassal.adoption.proposals.maps import number_maps
from ...formats.vassal.legends import GAME
from ...formats.vassal.modules import read_modules
from ...installed.registry import named_game
from ...util.console import echo, encode_json, format_count
from ...util.datafiles import read_text
from ...util.errors import InputError, Where, located
from ...util.files import data_folder
from ...util.limits import Limit
from ...util.writing import check_free, hold_folder, make_folder, write_whole

if TYPE_CHECKING:
    from ...formats.vassal.adoption.proposals.candidates import Proposal
    from ...formats.vassal.adoption.proposals.draft import MappingDraft
    from ...formats.vassal.modules import Module
    from ...game.games import Game


_ONE_GAME = "its saves are only listed until you name the game with --game"
"""The remark on a module that is adopted for several games."""


@click.command("adopt")
@click.argument("module", type=click.Path(path_type=Path, readable=False))
@click.argument("extensions", nargs=-1, type=click.Path(path_type=Path, readable=False))
@click.option("--game", "named", required=True, metavar="GAME", help="The game that is played with the module.")
@click.option("--board", metavar="NAME", help="The board of the game that the module's map shows.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Also write the adoption into this file (NAME.adoption), from which the table page takes it in.",
)
@click.option("--force", is_flag=True, help="Start again, overwriting earlier corrections.")
def adopt(
    module: Path, extensions: tuple[Path, ...], named: str, board: str | None, out: Path | None, force: bool
) -> None:
    """Adopt a published VASSAL MODULE for a game, with its EXTENSIONS: find out which piece is which unit, which layer
    states which fact.

    What is found goes into a file in your data folder, for you to correct; saves of the module are then read like those
    of a module made here. A second run adds what a newer version brings, and keeps what you have corrected.
    """
    if out is not None:
        _check_output(out)
    game = named_game(named)
    contents = read_modules([module, *extensions])
    _check_module(contents, module)
    maps = number_maps(contents)
    shown = board
    if shown is None:
        shown = game.file.module.board if game.file.module else ""
    text, shipped = _read_shipped(contents.about.module, game)
    with located(Where("--board" if board else str(module))):
        draft = draft_mapping(contents, maps, game, shown, shipped)
    file = mapping_file(contents.about.module, game.id)
    known = Fixtures(maps, contents.controls, (*piece_names(contents), *_list_pieces(shipped)))
    added = _write_mapping(file, draft, known, game, text, force=force)
    if added is None:
        lines = [*_format_summary(draft, game, file)]
    else:
        lines = [*_format_news(draft, game, file, added, known, contents.properties)]
        if shipped and (count := _count_corrected(mapping_of(file, contents.about.module, game.id), shipped)):
            differ = f"{format_count(count, 'entry differs', 'entries differ')} from the mapping in the game's folder"
            lines.append(f"! {differ}: --force takes that one, if they are no corrections of yours")
    if out is not None:
        write_whole(out, adoption_archive(file))
        lines.append(f"= {out}: open it on the table page")
    for other in adopted_games(contents.about.module):
        if other != game.id:
            lines.append(f"! it is adopted for {other} too: {_ONE_GAME}")
    lines.append("Correct the file, then see how much of a save is understood: assistant check SAVE")
    echo("\n".join(lines))


def _check_output(out: Path) -> None:
    """Raise InputError if the file cannot be written.

    An existing file is never overwritten, because --force overwrites corrections.
    """
    if out.suffix.lower() != ENDING:
        raise InputError("this is not the name of an adoption", where=Where(str(out)), hint=f"name it NAME{ENDING}")
    if out.exists():
        raise InputError("the file already exists", where=Where(str(out)), hint="choose another name, or remove it")
    check_free(out)


def _check_module(module: Module, file: Path) -> None:
    if GAME in module.properties:
        what = "this module was made by module-builder: its saves are understood as they are"
        raise InputError(what, where=Where(str(file)), hint="ask about a save: assistant check SAVE")
    if module.is_extension or not module.about.module.strip():
        what = "this is an extension" if module.is_extension else "the module has no name"
        raise InputError(what, where=Where(str(file)), hint="name the module itself, and its extensions after it")


def _read_shipped(module: str, game: Game) -> tuple[str, ModuleMapping | None]:
    """Return the mapping of a module in the game's own folder, as text and decoded, or "" and None."""
    file = shipped_mapping(module, game.folder)
    if not isinstance(file, Path):
        return "", None
    mapping = read_mapping(file)
    check_mapping(mapping, game, file)
    return read_text(file, str(file)), mapping


def _list_pieces(shipped: ModuleMapping | None) -> Iterator[str]:
    if shipped is not None:
        yield from shipped.markers
        for unit in shipped.units:
            yield from shipped.pieces_of(unit)


def _count_corrected(kept: ModuleMapping, shipped: ModuleMapping) -> int:
    """Return the number of entries of a user's mapping that differ from the game's own mapping."""
    pairs = (
        (kept.maps, shipped.maps),
        (kept.units, shipped.units),
        (kept.markers, shipped.markers),
        (kept.layers, shipped.layers),
    )
    return sum(own[name] != value for own, given in pairs for name, value in given.items() if name in own)


def _write_mapping(
    file: Path, draft: MappingDraft, fixtures: object, game: Game, shipped: str, *, force: bool
) -> Mapping[str, Sequence[Proposal]] | None:
    """Write a mapping with its fixtures, and return the entries added to an existing one, or None for a new one.

    `shipped`: the text of the game's own mapping, or "".
    """
    with hold_folder(data_folder()):
        make_folder(file.parent)
        added = None
        if file.exists() and not force:
            check_kept(mapping_of(file, draft.head["module"], game.id), game, file)
            with located(Where(str(file))):
                text, added = add_proposals(read_text(file, str(file)), draft)
        else:
            text = add_proposals(shipped, draft)[0] if shipped else write_draft(draft)
        with located(Where(str(file))):
            Limit.DATA.check(len(text.encode()), "it would hold")
        write_whole(fixtures_file(file), encode_json(fixtures) + b"\n", force=True)
        write_whole(file, text.encode(), force=True)
    return added


def _format_news(
    draft: MappingDraft,
    game: Game,
    file: Path,
    added: Mapping[str, Sequence[Proposal]],
    fixtures: Fixtures,
    properties: Collection[str],
) -> Iterator[str]:
    new = sum(map(len, added.values()))
    yield f"{_describe_game(draft, game)}, {format_count(new, 'new entry', 'new entries')} in the file that you have corrected"
    yield f"= {file}"
    for name, proposals in added.items():
        yield f"- {name}: {format_count(len(proposals), 'new entry', 'new entries')}"
    likely = {proposal.name: proposal.value for proposal in draft.sections["units"] if proposal.sure}
    mapping = mapping_of(file, draft.head["module"], game.id)
    for stray in find_strays(mapping, fixtures, properties, likely):
        yield f"! {stray}"


def _describe_game(draft: MappingDraft, game: Game) -> str:
    module = " ".join(filter(None, (draft.head["module"], draft.head["version"])))
    return f"{module}, adopted for {game.title}"


def _format_summary(draft: MappingDraft, game: Game, file: Path) -> Iterator[str]:
    yield _describe_game(draft, game)
    yield f"= {file}"
    kinds = {SURE: "sure", LIKELY: "likely", GUESS: "guessed", "": "left to you"}
    for name, sure in draft.counts().items():
        if total := sure.total():
            parts = ", ".join(f"{sure[kind]} {word}" for kind, word in kinds.items() if sure[kind])
            yield f"- {name}: {total - sure['']} of {total} found ({parts})"
    if draft.left:
        yield f"- {format_count(len(draft.left), 'piece')} with nothing found, listed at the end of the file"
