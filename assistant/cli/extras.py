"""What some commands need beside the program, which an extra of the package installs: `pip install "field-staff[serve]"`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import NamedTuple

from ..util.errors import InputError


class Extra(NamedTuple):
    """What an extra brings. purpose: what it is for; packages: each with the first major version that will do."""

    purpose: str
    packages: Mapping[str, int]


EXTRAS: Mapping[str, Extra] = {
    "serve": Extra("`assistant serve`, a table for phones, and QR codes", {"starlette": 0, "uvicorn": 0, "segno": 0}),
    "mcp": Extra("`assistant mcp`, by which a language model asks", {"mcp": 2}),
}


def require(extra: str) -> None:
    """Raise InputError if an extra is not installed."""
    if lack := lack_of(extra):
        raise InputError(lack, hint=how_to_install(extra))


def lack_of(extra: str) -> str:
    """Which packages of an extra are not installed or too old, "" if all will do."""
    return "; ".join(_lacks(EXTRAS[extra].packages))


def how_to_install(extra: str) -> str:
    """What the user types to install an extra."""
    return f'pip install "field-staff[{extra}]"'


def _lacks(packages: Mapping[str, int]) -> Iterator[str]:
    if missing := [package for package in packages if find_spec(package) is None]:
        yield f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
    for package, least in packages.items():
        if package not in missing and 0 <= _major_version(package) < least:
            yield f"{package} {version(package)} is too old, {least}.0 is needed"


def _major_version(package: str) -> int:
    """The first number of a package's version, -1 if that is not known."""
    try:
        number = version(package).partition(".")[0]
    except PackageNotFoundError:
        return -1
    return int(number) if number.isdecimal() else -1
