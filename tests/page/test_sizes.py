"""The page is small: the shell is there at once, and the whole is no more than a few pictures weigh."""

from __future__ import annotations

import gzip
from pathlib import Path

SHELL = Path(__file__).parents[2] / "assistant" / "faces" / "page" / "shell"
KILOBYTE, MEGABYTE = 1000, 1_000_000


def compressed(*files: Path) -> int:
    """How many bytes go over the wire, as static hosts compress; those that are compressed stay as they are."""
    return sum(
        file.stat().st_size if file.suffix in (".gz", ".png") else len(gzip.compress(file.read_bytes(), 6))
        for file in files
    )


def test_shell_is_below_175_kilobytes() -> None:
    assert compressed(*(file for file in SHELL.rglob("*") if file.is_file())) < 175 * KILOBYTE


def test_whole_page_with_all_games_is_below_12_megabytes(files: Path) -> None:
    assert compressed(*(file for file in files.rglob("*") if file.is_file())) < 12 * MEGABYTE
