"""The commands on journals, such as those to begin, extend, correct and query one."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...util.console import echo, encode_json, format_count
from ...util.errors import InputError, Where
from .group import UNDECIDED_EXIT_CODE, GameCommand
from .options import EyesOptions, StateArgument

if TYPE_CHECKING:
    from ...records.journal.journal import Journal
    from ...records.journal.journal_file import Added, JournalFile
    from ...util.work_time import WorkTime

FILE = click.Path(path_type=Path, readable=False)


class JournalCommands(click.Group):
    """The commands of `journal`."""

    command_class = GameCommand


@click.group(cls=JournalCommands)
def journal() -> None:
    """A game from its first entry on: what happened, what the rules make of it, and every earlier state."""


@journal.command("new")
@click.argument("game")
@click.argument("file", type=FILE)
@click.option("--from", "start", type=StateArgument(), help="A position from which it starts: a file, or example:NAME.")
@click.option("--setup", help="A set-up of the game from which it starts.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
def begin_journal(game: str, file: Path, start: str | None, setup: str | None, force: bool) -> None:
    """Begin the journal FILE of a GAME."""
    from ...installed.fingerprints import name_rules
    from ...installed.registry import named_game
    from ...records.journal.files import create
    from ...records.journal.journal import write_head
    from ...service import read

    _check_name(file)
    if start and setup:
        raise InputError("a journal starts from a position or from a set-up", hint="leave one of them out")
    loaded = named_game(game)
    position = read(start, game=loaded) if start else None
    create(file, write_head(loaded, position, setup or "", rules=name_rules(loaded)), force=force)
    echo(f"{file}: a journal of {loaded.title}")


_ALLOWS_SIGNS = {"ignore_unknown_options": True}
"""The settings of commands whose words may begin with a sign: `27/3 -2`."""


@journal.command("add", context_settings=_ALLOWS_SIGNS)
@click.argument("file", type=FILE)
@click.argument("words", nargs=-1, required=True)
@click.option("--late", is_flag=True, help="The entry is of an earlier turn.")
@click.option("--agreed", is_flag=True, help="The players agree to more than is left.")
def add(file: Path, words: tuple[str, ...], late: bool, agreed: bool) -> None:
    """Add an entry to the journal FILE: `ah dm 22 Sabac`, `turn next`, `fact 40.20: 25/3`."""
    _show_added(_open_journal(file).add(_join_typed_words(words), late=late, force=agreed))


@journal.command("amend", context_settings=_ALLOWS_SIGNS)
@click.argument("file", type=FILE)
@click.argument("number")
@click.argument("words", nargs=-1, required=True)
@click.option("--agreed", is_flag=True, help="The players agree to more than is left.")
def amend(file: Path, number: str, words: tuple[str, ...], agreed: bool) -> None:
    """Say what the entry NUMBER should have said, and what that changes: `amend FILE 212 18`.

    `amend FILE 214 again` asks an answer again, with its dice.
    """
    _show_added(_open_journal(file).add(_join_typed_words(("amend", number, *words)), force=agreed))


def _join_typed_words(words: tuple[str, ...]) -> str:
    """Return an entry from the words typed in a shell.

    Raises InputError for an unknown option.
    """
    if option := next((word for word in words if word.startswith("--")), ""):
        raise InputError(f"unknown option {option}", hint="--late, --agreed")
    return " ".join(words)


@journal.command("strike")
@click.argument("file", type=FILE)
@click.argument("number")
def strike(file: Path, number: str) -> None:
    """Strike the entry NUMBER: it counts no longer, and stays readable."""
    _show_added(_open_journal(file).add(f"strike {number}"))


@journal.command("list")
@click.argument("file", type=FILE)
@click.option("--from", "first", help="The first turn to list.")
@click.option("--to", "last", help="The last turn to list.")
@click.option("--who", help="The nation or side whose events to list.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def list_entries(file: Path, first: str | None, last: str | None, who: str | None, as_json: bool) -> None:
    """The entries of the journal FILE in the order in which they take effect, those that are struck last."""
    from ...records.journal.journal_text import list_entry_rows

    rows = list_entry_rows(_read_journal(file), first or "", last or "", who or "")
    echo(encode_json(rows).decode() if as_json else "\n".join(row.text for row in rows))


@journal.command("why")
@click.argument("file", type=FILE)
@click.argument("account")
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def why(file: Path, account: str, words: tuple[str, ...], as_json: bool) -> None:
    """Open an ACCOUNT of the journal FILE into its entries and rules: `why FILE dm ah from=mar16/1 to=may16/7`. `why
    FILE vp russian` opens every account that adds to the Victory Points of a side.
    """
    from ...records.journal.accounts import format_accounts, open_accounts
    from ...records.journal.typed_lines import read_period

    who, first, last = read_period(words)
    opened = open_accounts(_read_journal(file), account, who, first, last)
    shown = opened if len(opened) > 1 else opened[0]
    echo(encode_json(shown).decode() if as_json else "\n".join(format_accounts(opened)))


@journal.command("chart")
@click.argument("file", type=FILE)
@click.argument("account")
@click.argument("words", nargs=-1)
@click.option("-o", "--output", type=FILE, help="The picture to write: .svg, .pdf or .png.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
def chart(file: Path, account: str, words: tuple[str, ...], output: Path | None, force: bool) -> None:
    """An ACCOUNT of the journal FILE over time, a line for each nation: `chart FILE dm ge ah from=aug14/1 -o dm.png`.
    Without nations all that have a posting; without -o in letters.
    """
    from ...drawing import WRITERS
    from ...records.journal.charts import draw_account, list_account
    from ...records.journal.typed_lines import read_period
    from ...util.writing import write_whole

    who, first, last = read_period(words)
    if output is not None and output.suffix.lower() not in WRITERS:
        hint = "name it NAME" + ", NAME".join(WRITERS)
        raise InputError(f"{output} is not a picture file", where=Where("-o"), hint=hint)
    opened = _read_journal(file)
    if output is None:
        width = shutil.get_terminal_size((100, 24)).columns
        for line in list_account(opened, account, who.split(), first, last, width):
            echo(line)
    else:
        scene = draw_account(opened, account, who.split(), first, last)
        write_whole(output, WRITERS[output.suffix.lower()](scene), force=force)


@journal.command("due")
@click.argument("file", type=FILE)
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def due(file: Path, words: tuple[str, ...], as_json: bool) -> None:
    """What is due in the turn of the journal FILE, or in a period: `due FILE ah turn=mar16/5 until=apr16/7`."""
    from ...asking.report import to_text
    from ...records.journal.typed_lines import read_due
    from ...service import ask, pose_question, to_json
    from .output import on_record

    opened = _read_journal(file)
    position = opened.position()
    asked = read_due(opened, words)
    report = ask(position, asked)
    echo(to_json(on_record(report, pose_question(position, asked, {}))) if as_json else to_text(report))


@journal.command("check")
@click.argument("file", type=FILE)
@click.option(
    "--seconds",
    type=click.FloatRange(0, 3600),
    default=2,
    show_default=True,
    help="How long the answers of the journal may be asked again.",
)
def check(file: Path, seconds: float) -> None:
    """List lines without effect in a journal FILE, answers from facts that have changed, and debts.

    Exit code 1 if there is any, 4 if there is none so far but no time was left for some answers.
    """
    from ...records.journal.findings import format_unchecked, list_findings, list_unchecked
    from ...util.work_time import WorkTime

    time = WorkTime(seconds)
    journal = _open_journal(file).read_again(time)
    lines = [*list_findings(journal, time), *_list_recomputed(journal, time)]
    unchecked = list_unchecked(journal)
    echo(f"{file}: {format_count(len(journal.entries), 'entry', 'entries')}, turn {journal.label(journal.turn)}")
    for line in lines:
        echo(f"! {line}")
    if unchecked:
        echo(f"! {format_unchecked(unchecked)} within {seconds:g} seconds: --seconds 600 allows more")
    if lines:
        sys.exit(1)
    if unchecked:
        sys.exit(UNDECIDED_EXIT_CODE)


@journal.command("send")
@click.argument("file", type=FILE)
@click.option("--since", default=0, show_default=True, help="The last entry that is not sent.")
@click.option("--to", "side", help="The side that reads it, and may not know everything.")
def send(file: Path, since: int, side: str | None) -> None:
    """The entries of the journal FILE as lines to paste into a mail, no more than the other side may know."""
    from ...records.journal.exchange import write_message

    message, withheld = write_message(_named_faults(_open_journal(file).read(compares=False)), since, side or "")
    echo(message.rstrip("\n"))
    if withheld:
        echo(
            f"{format_count(withheld, 'entry', 'entries')} withheld: {side} may not know what is named there", err=True
        )


@journal.command("take")
@click.argument("file", type=FILE)
@click.argument("source", type=FILE)
@click.option("--yes", is_flag=True, help="Add them; without it they are only shown.")
@click.option("--agreed", is_flag=True, help="The players agree to more than is left.")
def take(file: Path, source: Path, yes: bool, agreed: bool) -> None:
    """Take entries into the journal FILE: from a mail with lines that `send` gave, or from a spreadsheet, SOURCE.csv.
    Each is taken once, however often it comes; all of them, or if one cannot take effect none.
    """
    from ...records.journal.exchange import preview_source
    from ...records.journal.journal_text import format_consequences

    opened = _open_journal(file)
    taken = preview_source(opened.read(compares=False), source)
    for line in taken.said:
        echo(line)
    if not yes and taken.lines:
        echo("--yes adds them")
    if yes and taken.lines:
        added = opened.add_from(lambda journal: preview_source(journal, source).lines, force=agreed)
        for line in format_consequences(added):
            echo(line)
        _named_faults(added.journal)
    if taken.faults:
        sys.exit(1)


@journal.command("csv")
@click.argument("file", type=FILE)
@click.option("--months", is_flag=True, help="Sums, with the months across.")
@click.option("-o", "--output", type=FILE, help="The file to write.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
def write_csv(file: Path, months: bool, output: Path | None, force: bool) -> None:
    """The postings of the journal FILE for a spreadsheet: turn, nation, account, amount, entry, rule, what."""
    from ...records.journal.sheets import write_months, write_postings
    from ...util.writing import write_whole

    opened = _read_journal(file)
    text = write_months(opened) if months else write_postings(opened)
    if output is None:
        echo(text.rstrip("\n"))
    else:
        write_whole(output, text.encode(), force=force)


def _check_name(file: Path) -> None:
    from ...formats.positions import JOURNAL

    name, at, moment = str(file).partition(f"{JOURNAL}@")
    if at:
        after = f"to={moment} (why, chart), --to {moment} (list) or {moment} (due) after it"
        hint = f"name {name}{JOURNAL} alone, with {after}"
        raise InputError("a moment of a journal is not a journal", where=Where(str(file)), hint=hint)
    if file.suffix != JOURNAL:
        raise InputError("a journal is named NAME.journal", where=Where(str(file)))


def _open_journal(file: Path) -> JournalFile:
    """Return a journal to read or to extend.

    Raises InputError if the side may not know the whole journal, because the effects of entries and suggested
    spellings would reveal hidden facts.
    """
    from ...installed.registry import load_game
    from ...records.journal.journal_file import JournalFile
    from ...util.limits import kept_private
    from .options import check_sees_all, may_be_limited

    _check_name(file)
    eyes: EyesOptions = {"umpire": False, "side": None}
    opened = JournalFile(file, load_game)
    with kept_private(str(file), limited=may_be_limited(eyes)):
        journal = opened.read(compares=False)
    check_sees_all(journal.game, eyes, journal.name, journal.start.state.seen_by)
    return opened


def _read_journal(file: Path) -> Journal:
    """Return a journal to show, and print how many of its lines do not count."""
    return _named_faults(_open_journal(file).read(compares=False))


def _list_recomputed(journal: Journal, time: WorkTime, *, asks: bool = True) -> list[str]:
    """Return the entries of a journal that come out differently by the rules of today, as texts.

    `asks`: whether answers are asked again if the rules have changed.
    """
    if not journal.text.rules:
        return []
    from ...records.journal.recomputed import compare_with_today, format_comparison

    asks = asks and journal.rules_have_changed
    return [*format_comparison(journal, compare_with_today(journal, time, asks=asks))]


def _named_faults(journal: Journal) -> Journal:
    """Return the journal, and print how many of its lines do not count, so that no figure silently misses them.

    The accounts are computed by the rules of today: lines that changed them otherwise are named.
    """
    if journal.rules.events.event and journal.rules_have_changed:
        from ...records.journal.findings import CHECK_SECONDS
        from ...util.work_time import WorkTime

        for line in _list_recomputed(journal, WorkTime(CHECK_SECONDS), asks=False):
            echo(f"! {line}", err=True)
    if faults := journal.all_faults():
        command = f"`assistant journal check {journal.name}`"
        if len(faults) == 1:
            echo(f"! 1 line does not count: {command} names it", err=True)
        else:
            echo(f"! {len(faults)} lines do not count: {command} names them", err=True)
    return journal


def _show_added(added: Added) -> None:
    from ...records.journal.journal_text import format_added

    for line in format_added(added):
        echo(line)
    _named_faults(added.journal)
