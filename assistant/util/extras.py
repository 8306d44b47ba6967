"""Extras: additional packages that some commands need, and their installation."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .errors import InputError


class Extra(NamedTuple):
    """A group of packages that a feature needs."""

    purpose: str
    packages: Mapping[str, int]
    """The packages, each with its minimum major version."""


EXTRAS: Mapping[str, Extra] = {
    "mcp": Extra("`assistant mcp`, which lets a language model ask", {"mcp": 2}),
}


def require(extra: str) -> None:
    """Raise InputError if an extra is not installed."""
    if lack := describe_lack(extra):
        raise InputError(lack, hint=format_remedy(extra))


def describe_lack(extra: str) -> str:
    """Return a text with the packages of an extra that are missing or too old, or ""."""
    return "; ".join(_find_lacks(EXTRAS[extra].packages))


def is_program() -> bool:
    """Return whether this is the self-contained program, which has its own Python and cannot install packages."""
    return bool(getattr(sys, "frozen", False))


def is_checkout() -> bool:
    """Return whether this runs from the project's folder, not from an installed wheel."""
    return (Path(__file__).parents[2] / "pyproject.toml").is_file()


def format_remedy(extra: str) -> str:
    """Return the instruction to install an extra, such as `mcp`."""
    wheel = f'"FILE.whl[{extra}]"'
    if is_program():
        return f"the program in a folder lacks it; install Field Staff from its file: pipx install {wheel}"
    if is_checkout():
        return f'install it in the project folder: .venv/bin/pip install --editable ".[{extra}]"'
    return f"install Field Staff again with it: pipx install --force {wheel}, or, if you used pip: pip install {wheel}"


def _find_lacks(packages: Mapping[str, int]) -> Iterator[str]:
    if missing := [package for package in packages if find_spec(package) is None]:
        yield f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
    for package, min_version in packages.items():
        if package not in missing and 0 <= _read_major_version(package) < min_version:
            yield f"{package} {version(package)} is older than {min_version}.0"


def _read_major_version(package: str) -> int:
    try:
        stated: str | None = version(package)  # None if Python cannot read the metadata
    except PackageNotFoundError:
        return -1
    number = (stated or "").partition(".")[0]
    return int(number) if number.isdecimal() else -1
