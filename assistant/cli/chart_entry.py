"""The charts that the owner of a game types from his copy, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..util.console import count_text, echo
from ..util.errors import InputError
from .entry import BACK, STOP, Asker, echo_fitted, echo_kept

if TYPE_CHECKING:
    from ..game.charts import Chart, Ends, Key, Keys
    from ..game.packs import Doubt, Pack


def enter_chart(pack: Pack, chart: str, words: Sequence[str], ask: Asker) -> None:
    """Ask for the cells of a chart that the pack lacks, row by row, or again for those that the beginning of a key names, and
    say what is kept.

    words: the beginning of a key. Raises InputError for one that the chart does not have, and where it is not known where
    the chart ends.
    """
    from ..game.charts import rows_of
    from ..game.packs import keys_of

    declared, cells = pack.game.chart(chart), pack.cells(chart)
    first = _first_of_key(declared, words)
    ends = ask_ends(declared, cells, ask) if declared.has_owner_ends else []
    if declared.has_owner_ends and not ends:
        raise InputError(
            f"where the {declared.title} ends is not known", hint="type its first and its last, such as 1:3 6:1"
        )
    known = (*cells, *ends)
    first = declared.key_within(first, declared.ends(known))
    todo = [key for key in pack.missing(chart, ends) if key[: len(first)] == first]
    anew = bool(first) and not todo
    if anew:
        todo = [key for key in keys_of(declared, known) if key[: len(first)] == first]
    _tell_cells_to_type(declared, len(todo), anew=anew)
    typed = sum(enter_rows(pack, chart, rows_of(todo), ask))
    left = len(pack.missing(chart, ends))
    lacking = (
        f"{count_text(left, 'is missing', 'are missing')}: `assistant pack enter {pack.game.id} {chart}` continues"
    )
    echo(f"{count_text(typed, 'cell')} kept; {lacking if left else 'the chart is complete'}")


def _first_of_key(chart: Chart, words: Sequence[str]) -> Keys:
    """The beginning of the key of a cell that some words name. Raises InputError for more words than it has parts."""
    if len(words) > len(chart.keys):
        hint = f"write at most: {' '.join(key.name.upper() for key in chart.keys)}"
        raise InputError(
            f"{words[len(chart.keys)]!r} comes after the last part of the key of a cell of {chart.name}", hint=hint
        )
    return tuple(key.read(word) for key, word in zip(chart.keys, words, strict=False))


def _tell_cells_to_type(chart: Chart, count: int, *, anew: bool) -> None:
    """Say how many cells of a chart are asked for, and how each is typed. anew: whether they are kept already."""
    to_type = f"{count_text(count, 'cell')} to type{' again' if anew else ''}"
    left_alone = "; an empty line keeps what you have" if anew else ""
    echo_fitted(f"{chart.title}: {to_type}, each as {' / '.join(f.name for f in chart.fields)}{left_alone}")
    for field in chart.fields:
        if field.note:
            echo_fitted(f"  {field.name}: {field.note}")
    tell_unread(chart)


def tell_unread(chart: Chart) -> None:
    """Say what of a chart is kept for later, as no rule reads it yet."""
    if chart.unread:
        echo(f"  {chart.name}: {chart.unread}", err=True)


def enter_rows(pack: Pack, chart: str, rows: Sequence[list[tuple[int | str, ...]]], ask: Asker) -> Iterator[int]:
    """Ask for rows of a chart and keep each at once; how many cells were kept of each.

    `back`, or the arrow up, returns to the row before; an empty line skips a row, a `?` a cell of it, a dot stops.
    """
    from ..game.charts import cells_of, known_cells

    declared = pack.game.chart(chart)
    todo = [list(row) for row in rows]
    at = 0
    whole = [list(row) for row in rows]
    while at < len(todo):
        row = todo[at]
        line = ask(_prompt(declared, row), _as_typed(pack, declared, row)).strip()
        if line == STOP:
            return
        if line.casefold() == BACK:
            at = max(at - 1, 0)
            todo[at] = list(whole[at])
        elif not line:
            at += 1
        else:
            try:
                typed = cells_of(declared, row, line)
                cells = known_cells(typed)
                tell_doubts(pack.enter_cells(chart, cells))
            except InputError as error:
                echo(f"  {error}")
                continue
            if len(row) > 1:
                echo_kept(f"{key[-1]}: {text}" for key, text in cells.items())
            yield len(cells)
            todo[at] = row[len(typed) :]
            at += not todo[at]


def ask_ends(chart: Chart, known: Iterable[Keys], ask: Asker) -> list[Keys]:
    """Ask where a chart ends, as far as only its owner knows and its known cells do not tell. Two keys that tell it
    together; none where it stays unknown.
    """
    firsts, lasts = list[int | str](), list[int | str]()
    for key, ends in zip(chart.keys, chart.ends(known), strict=True):
        row = key.values or _ask_ends_of(key, ends, chart.name, ask)
        if not row:
            return []
        firsts.append(row[0])
        lasts.append(row[-1])
    return [tuple(firsts), tuple(lasts)]


def _ask_ends_of(key: Key, ends: Ends, chart: str, ask: Asker) -> Sequence[int | str]:
    """The rows or columns of a chart once its owner has told the ends that are not known; none if he does not."""
    from ..game.charts import ABOVE, BELOW, Ends, ends_of

    ranks = {"first": (ends.first, key.least, BELOW), "last": (ends.last, key.most, ABOVE)}
    lacking = [rank for rank, (end, printed, _) in ranks.items() if not end and printed is None]
    while lacking:
        line = ask(f"{chart}: the {' and the '.join(lacking)} {key.name} printed> ", "").strip()
        if line in ("", STOP):
            return ()
        words = line.split()
        try:
            if len(words) != len(lacking):
                such = dict(zip(ranks, ("1:3", "6:1") if key.odds else ("0", "7"), strict=True))
                hint = f"type {' '.join(such[rank] for rank in lacking)} or the like"
                raise InputError(f"{line!r} is not the {' and the '.join(lacking)} {key.name}", hint=hint)
            ending = zip(lacking, words, (ranks[rank][2] for rank in lacking), strict=True)
            typed = {rank: key.read(word.removesuffix(sign) + sign) for rank, word, sign in ending}
            ends = Ends(*(str(typed.get(rank, end)) for rank, (end, *_) in ranks.items()))
            ends_of(key, tuple(filter(None, ends)))
            break
        except InputError as error:
            echo(f"  {error}")
    return key.row(ends)


def _prompt(chart: Chart, row: Sequence[tuple[int | str, ...]]) -> str:
    from ..game.charts import row_name

    return f"{chart.name} {row_name(row)} ({' / '.join(field.name for field in chart.fields)})> "


def _as_typed(pack: Pack, chart: Chart, row: Sequence[tuple[int | str, ...]]) -> str:
    """What a row holds already, as it may be typed; "" unless all of it is known."""
    known = pack.cells(chart.name)
    if any(key not in known for key in row):
        return ""
    return " ".join("/".join(str(value).replace(" ", "") for value in known[key].values.values()) for key in row)


def tell_doubts(doubts: Sequence[Doubt]) -> None:
    """Say which readings of the rulebook contradict what was kept."""
    for doubt in doubts:
        echo(f"  kept, but a reading of rule {doubt.rule} contradicts it: {doubt.text}", err=True)
