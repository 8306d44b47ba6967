"""How much of real saves and logs is read and kept: `python -m tests.scorecard FOLDER [--write]`.

FOLDER holds a folder for each module with saves and logs, which stay where they are: only the folders' names and
figures are printed, and with --write put into docs/mail/vassal.md. Each file is read, its log replayed, its pieces counted a
second time by a counter that shares nothing with the reader, and it is written back: as it is, with every command
written anew, and with one piece moved.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from assistant.formats.vassal.pieces import Piece, unknown_kinds
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import Save, edit_stream, read_save, rewrite_save
from assistant.formats.vassal.streams import read_stream, split_commands
from assistant.util.errors import InputError
from tests.saves import move_piece

from .counting import count_facts

PAGE = Path(__file__).parents[2] / "docs/mail/vassal.md"
BEGIN, END = "<!-- scorecard -->\n", "<!-- end of the scorecard -->\n"
ENDINGS = {".vsav", ".vlog", ".sav", ".log"}


class Card(NamedTuple):
    """What became of one file. refused: why it was not read, "" if it was; first, last: its pieces as read, at its
    beginning and after its log; agrees: whether the independent count is the same; same: whether all commands came back
    when written anew; kept: whether all others did when one piece was moved; kinds: of traits that are kept unread;
    start, end: the game then, for the next log.
    """

    module: str
    form: str = ""
    refused: str = ""
    first: int = 0
    last: int = 0
    steps: int = 0
    agrees: bool = False
    same: bool = False
    kept: bool = False
    kinds: frozenset[str] = frozenset()
    start: Save | None = None
    end: Save | None = None


def card_of(data: bytes, module: str) -> Card:
    """What becomes of a file, given by its bytes. module: what to call its module."""
    count = count_facts(data)
    try:
        save = read_save(data)
        end = replay(save)
    except InputError as error:
        return Card(module, count.form, refused=error.what)
    stream, _ = read_stream(data)
    commands = list(split_commands(stream))
    anew = {number: [command] for number, command in enumerate(commands)}
    return Card(
        module,
        count.form,
        first=len(save.pieces),
        last=len(end.pieces),
        steps=len(save.steps),
        agrees=(len(save.pieces), len(end.pieces)) == (count.first, count.last),
        same=edit_stream(stream, {}) == edit_stream(stream, anew) == stream,
        kept=_others_are_kept(data, save, commands),
        kinds=frozenset(kind for piece in save.pieces.values() for kind in unknown_kinds(piece)),
        start=save,
        end=end,
    )


def _others_are_kept(data: bytes, save: Save, commands: list[str]) -> bool:
    """Whether every command stays as it was, but for those of a piece that is moved and of its stacks."""
    some = next((piece for piece in save.pieces.values() if piece.map), None)
    if save.steps or some is None:
        return rewritten_log(data, commands) if save.steps else True
    after = move_piece(save, some.id, some.map, (some.at[0] + 7, some.at[1] + 5))
    written = rewrite_save(data, after)
    if read_save(written).pieces[some.id] != after.pieces[some.id]:
        return False
    differing = Counter(commands)
    differing.subtract(split_commands(read_stream(written)[0]))
    ids = {some.id} | {id for id, stack in after.stacks.items() if save.stacks.get(id) != stack}
    return all(command[2:].split("/")[0] in ids for command, number in differing.items() if number)


def rewritten_log(data: bytes, commands: list[str]) -> bool:
    """Whether a log keeps its commands when another step is added."""
    stream = edit_stream(read_stream(data)[0], {}, ["LOG\tCHAT a step more"])
    return list(split_commands(stream)) == [*commands, "LOG\tCHAT a step more"]


def differences(end: Save, start: Save) -> int:
    """The pieces that lie elsewhere, or are in another state, at the end of a log and at the start of the next."""
    ids = end.pieces.keys() | start.pieces.keys()
    return sum(_said(end.pieces.get(id)) != _said(start.pieces.get(id)) for id in ids)


def _said(piece: Piece | None) -> object:
    return piece and (piece.map, piece.map and piece.at, [(trait.kind, trait.state) for trait in piece.traits])


def _cards(folder: Path) -> Iterator[tuple[Path, Card]]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in ENDINGS and file.is_file():
            yield file, card_of(file.read_bytes(), file.parent.name)


def table(cards: Iterable[tuple[Path, Card]]) -> str:
    """The figures by module, as a table of Markdown."""
    by_module: dict[str, list[Card]] = {}
    followed: Counter[str] = Counter()
    agreeing: Counter[str] = Counter()
    before: Card | None = None
    for _, card in cards:
        by_module.setdefault(card.module, []).append(card._replace(start=None, end=None))
        if before and before.module == card.module and before.end and card.start and before.steps and card.steps:
            followed[card.module] += 1
            agreeing[card.module] += differences(before.end, card.start) == 0
        before = card
    head = "module | files | read | pieces | counted alike | written back alike | others kept | log steps | logs that follow on | kinds kept unread"
    lines = [head, " | ".join(["---"] * (head.count("|") + 1))]
    for module, some in sorted(by_module.items()):
        read = [card for card in some if not card.refused]
        kinds = sorted(frozenset().union(*(card.kinds for card in read)))
        follow = f"{agreeing[module]} of {followed[module]}" if followed[module] else ""
        steps = sum(card.steps for card in read)
        cells = (module, len(some), len(read), sum(card.first for card in read), *_sums(read), steps or "", follow)
        lines.append(" | ".join(map(str, (*cells, ", ".join(f"`{kind}`" for kind in kinds)))))
    every = [card for some in by_module.values() for card in some]
    forms = Counter(card.form for card in every)
    said = ", ".join(f"{number} {form}" for form, number in forms.most_common())
    refused = {card.refused for card in every if card.refused}
    total = f"{len(every)} files of {len(by_module)} modules ({said})"
    why = "".join(f"\n\nRefused: {what}" for what in sorted(refused))
    return "\n".join(f"| {line} |" for line in lines) + f"\n\n{total}.{why}\n"


def _sums(cards: list[Card]) -> tuple[int, int, int]:
    return sum(card.agrees for card in cards), sum(card.same for card in cards), sum(card.kept for card in cards)


def main(words: list[str]) -> None:
    """Print the scorecard of a folder, and write it into the page."""
    found = table(_cards(Path(words[0])))
    print(found)
    if "--write" in words:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(re.sub(f"(?s){BEGIN}.*{END}", lambda _: f"{BEGIN}{found}{END}", page), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
