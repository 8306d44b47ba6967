"""Every package of the folders that `package-dir` in pyproject.toml names; everything else stands there."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

folders = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"]
setup(
    packages=[
        name
        for top, folder in folders.items()
        for name in (top, *(f"{top}.{below}" for below in find_packages(folder)))
    ]
)
