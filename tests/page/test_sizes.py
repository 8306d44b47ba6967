"""The page is small: the shell is there at once, and the whole is no more than a few pictures weigh."""

from __future__ import annotations

import gzip
from pathlib import Path

from assistant.faces.page import shell_files
from module_builder.page.command import _strip_comments

KILOBYTE, MEGABYTE = 1000, 1_000_000


def compressed(*files: Path) -> int:
    """How many bytes go over the wire, as static hosts compress; those that are compressed stay as they are."""
    return sum(
        file.stat().st_size if file.suffix in (".gz", ".png") else len(gzip.compress(file.read_bytes(), 6))
        for file in files
    )


def test_shell_is_below_175_kilobytes() -> None:
    shell = {path: _strip_comments(path, data) for path, data in shell_files().items()}
    assert sum(len(gzip.compress(data, 6)) for data in shell.values()) < 175 * KILOBYTE


def test_whole_page_with_all_games_is_below_12_megabytes(files: Path) -> None:
    assert compressed(*(file for file in files.rglob("*") if file.is_file())) < 12 * MEGABYTE
