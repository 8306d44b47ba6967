"""The command that says whether an installation is whole: what works, what may still be added, and what is wrong."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping

import click

from ...util.console import echo, encode_json, format_count
from ...util.errors import plain
from .doctor_findings import OK, OPTIONAL, WRONG, DoctorFinding, describe_fault
from .doctor_games import examine_folders, examine_games, examine_plugins, examine_settings
from .doctor_surroundings import examine_completion, examine_extras, examine_fonts, examine_vassal

FAULTY = 1
"""The exit code if something is wrong."""


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Look at the installation: games, what you have entered, where it is stored, and what may be added.

    Each line is ok, optional or wrong, and says what to do. Exit code 1 if something is wrong.
    """
    findings = list[DoctorFinding]()
    for finding in examine():
        findings.append(finding)
        if not as_json and finding.state != OPTIONAL:
            _echo_finding(finding)
    if not as_json:
        for finding in findings:
            if finding.state == OPTIONAL:
                _echo_finding(finding)
    wrong = sum(finding.state == WRONG for finding in findings)
    if as_json:
        echo(encode_json([finding._asdict() for finding in findings]).decode())
    else:
        echo(f"{format_count(wrong, 'thing is', 'things are')} wrong" if wrong else "Nothing is wrong.")
    if wrong:
        ctx.exit(FAULTY)


def _echo_finding(finding: DoctorFinding) -> None:
    echo(plain(f"{finding.state:<9} {finding.about}: {finding.said}"))
    if finding.hint:
        echo(plain(f"          {finding.hint}"))


def examine() -> Iterator[DoctorFinding]:
    """Yield everything that is looked at, one after the other."""
    yield DoctorFinding(
        "program", OK, f"Field Staff {_version()}, Python {platform.python_version()}, {platform.system()}"
    )
    for about, examiner in _EXAMINERS.items():
        try:
            yield from examiner()
        except Exception as error:  # what is wrong with one thing hides no other
            yield describe_fault(about, error)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("field-staff")
    except PackageNotFoundError:
        return "of unknown version"


def installed_versions() -> Iterator[str]:
    """Yield the program and each installed game, with the distribution that brings it; no game is loaded."""
    from ...installed.registry import installed_games

    yield f"Field Staff {_version()}, Python {platform.python_version()}"
    for name, entry in installed_games().items():
        yield f"{name} ({entry.distribution})" if entry.distribution else name


_EXAMINERS: Mapping[str, Callable[[], Iterator[DoctorFinding]]] = {
    "plugins": examine_plugins,
    "games": examine_games,
    "folders": examine_folders,
    "settings": examine_settings,
    "fonts": examine_fonts,
    "extras": examine_extras,
    "VASSAL": examine_vassal,
    "completion": examine_completion,
}
"""What looks at each part of an installation."""
