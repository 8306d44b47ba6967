"""The wheel holds everything, works in an empty folder, and all it needs has wheels for every platform."""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Collection, Iterable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools.release.pythons import VERSIONS

from .cases import thorough
from .installed import FIRST, check_made, link_of_served, plays
from .manuals import manuals
from .module_builder.page.parts import write_parts
from .pages import rerun

pytestmark = thorough
ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SOURCES = PROJECT["tool"]["setuptools"]["package-dir"]
"""The folder of each top package."""
GAMES = PROJECT["project"]["entry-points"]["field_staff.games"]
"""The package of each game that comes with the program, by its id."""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip builds it, from a copy, without network."""
    return wheel_without((), tmp_path_factory)


def wheel_without(games: Collection[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip builds once all lines of pyproject.toml that name the packages of some games are deleted."""
    copy, built = tmp_path_factory.mktemp("source") / "clone", tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.egg-info", ".*_cache", "__pycache__", "tests")
    shutil.copytree(ROOT, copy, ignore=ignored)
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    kept = [line for line in lines if not any(GAMES[game] in line for game in games)]
    (copy / "pyproject.toml").write_text("\n".join(kept), "utf-8")
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*command, "--wheel-dir", str(built), str(copy)], check=True, capture_output=True)
    return next(built.glob("*.whl"))


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for package, folder in SOURCES.items():
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith("."):
                assert f"{package}/{file.relative_to(ROOT / folder).as_posix()}" in names


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {*SOURCES}
    beside = {name.partition(".data/")[2] for name in names} - {""}
    assert beside == {f"data/share/man/man1/{name}" for name in manuals()}


def test_the_wheel_is_small_and_without_what_only_the_repository_needs(wheel: Path) -> None:
    assert wheel.stat().st_size < 4 * 1024 * 1024  # four games and the table page
    assert [name for name in zipfile.ZipFile(wheel).namelist() if "geography" in name] == []


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment, without pip, into which the wheel is installed, and what it depends on as it is installed here."""
    return environment_with(PROJECT["project"]["dependencies"], wheel, tmp_path_factory.mktemp("environment"))


def environment_with(requirements: Iterable[str], wheel: Path, where: Path) -> Path:
    """An environment with the wheel and what is required, copied from this one, so that no network is needed."""
    folder = where / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    for name in needed(requirements):
        bring(name, folder)
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--no-index", "--no-deps", "--quiet"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    subprocess.run([folder / "bin/python", "-m", "compileall", "-q", packages_of(folder)], check=True)
    return folder


def packages_of(environment: Path) -> Path:
    """The folder of an environment in which packages lie."""
    return next(environment.glob("lib/python3*/site-packages"))


def needed(requirements: Iterable[str]) -> set[str]:
    """The distributions that are required, and all that they depend on, as installed here."""
    found = set[str]()
    for required in map(Requirement, requirements):
        if required.name not in found and (required.marker is None or required.marker.evaluate({"extra": ""})):
            found |= {required.name, *needed(metadata.distribution(required.name).requires or ())}
    return found


def bring(name: str, environment: Path) -> None:
    """Put a distribution into an environment, file by file as it is installed here."""
    for file in metadata.distribution(name).files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target = packages_of(environment) / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), target)


MEGABYTE = 1_000_000
MOST_INSTALLED, MOST_USED = 75, 105
"""What an environment may take up, in MB: as it is installed, and with the bytecode of its first use."""


def test_an_environment_is_small(environment: Path) -> None:
    sizes = {path: path.stat().st_size for path in packages_of(environment).rglob("*") if path.is_file()}
    compiled = sum(size for path, size in sizes.items() if "__pycache__" in path.parts)
    assert 40 < (sum(sizes.values()) - compiled) / MEGABYTE < MOST_INSTALLED
    assert sum(sizes.values()) / MEGABYTE < MOST_USED


def test_the_pages_tell_the_sizes_to_which_the_tests_hold_an_environment() -> None:
    for page in ("docs/reference/installation.md", "docs/maintaining/dependencies.md"):
        told = re.search(r"less than (\d+) MB on disk, and less than (\d+) MB", (ROOT / page).read_text("utf-8"))
        assert told and (int(told[1]), int(told[2])) == (MOST_INSTALLED, MOST_USED)


def test_the_page_of_dependencies_says_why_each_is_there_and_what_it_weighs() -> None:
    rows = re.findall(
        r"^\| (\S+) ([\d.]+) \| ([\d.]+) MB", (ROOT / "docs/maintaining/dependencies.md").read_text(), re.M
    )
    stated = {f"{name}>={version}" for name, version, _ in rows}
    assert stated == {required.partition(",")[0] for required in PROJECT["project"]["dependencies"]}
    for name, _, size in rows:
        assert float(size) == pytest.approx(weight(name), rel=0.35, abs=0.2), name


def weight(name: str) -> float:
    """What a distribution weighs with all that it alone brings, without bytecode, in MB."""
    others = [required for required in PROJECT["project"]["dependencies"] if Requirement(required).name != name]
    shared = {one for other in others for one in needed([other]) if one != name}
    files = [file for one in needed([name]) - shared for file in metadata.distribution(one).files or ()]
    kept = [file for file in files if "__pycache__" not in file.parts and ".." not in file.parts]
    return sum(Path(str(file.locate())).stat().st_size for file in kept) / MEGABYTE


@pytest.mark.parametrize(("words", "typed", "said"), FIRST, ids=[" ".join(words[:2]) for words, *_ in FIRST])
def test_from_the_wheel_in_another_folder_with_a_home_that_cannot_be_written_to(
    words: tuple[str, ...], typed: str, said: str, environment: Path, tmp_path: Path
) -> None:
    write_parts(tmp_path / "parts")
    assert said in plays(environment / "bin", tmp_path, *words, typed=typed)
    check_made(tmp_path)


@pytest.mark.parametrize("words", [("field-staff",), ("assistant", "serve", "twilight", "--port", "0")])
def test_it_serves_the_table_page(words: tuple[str, ...], environment: Path, tmp_path: Path) -> None:
    assert link_of_served(environment / "bin", tmp_path, *words).startswith("http://127.0.0.1:")


def test_its_doctor_finds_nothing_wrong_but_that_home(environment: Path, tmp_path: Path) -> None:
    said = plays(environment / "bin", tmp_path, "assistant", "doctor", code=1)
    wrong = [line for line in said.splitlines() if line.startswith("wrong")]
    assert [line.split(":")[0] for line in wrong] == ["wrong     data folder", "wrong     cache folder"]
    assert "optional  extra mcp: mcp is not installed" in said


@pytest.mark.parametrize(
    "words",
    [
        ("assistant", "viewpoint", "twilight", "german"),
        ("assistant", "pack", "set", "twilight", "ruling", "supply-rounding", "exact"),
    ],
)
def test_what_has_to_be_kept_in_such_a_home_is_refused_in_two_lines(
    words: tuple[str, ...], environment: Path, tmp_path: Path
) -> None:
    said = plays(environment / "bin", tmp_path, *words, code=3)
    assert "not made: Not a directory\n  check that the folder exists and that you may write to it\n" in said
    assert len(said.splitlines()) == 2


def install(wheel: Path, target: Path) -> None:
    """Install a wheel alone into a folder."""
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)


def run(code: str, target: Path, *words: str) -> str:
    """What a program prints in an empty folder that sees the wheel installed in target, not the working copy."""
    empty = target.with_name("empty")
    empty.mkdir(exist_ok=True)
    # -S leaves out site-packages with its editable install; what is needed besides is named
    needed = [str(target), *(path for path in sys.path if path.endswith("site-packages"))]
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {needed!r}; {code}", *words]
    done = subprocess.run(command, cwd=empty, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("game", GAMES)
def test_any_game_can_be_left_out(game: str, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    install(wheel_without([game], tmp_path_factory), target)
    assert not (target / GAMES[game]).exists()
    listed = run("from assistant.faces.cli.main import main; main()", target, "games")
    assert {line.partition(":")[0] for line in listed.splitlines()} == {*GAMES} - {game}


def test_the_metadata_names_license_and_scripts(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    info = next(name for name in archive.namelist() if name.endswith("METADATA"))
    metadata = email.message_from_string(archive.read(info).decode())
    assert (metadata["License-Expression"], metadata["Requires-Python"]) == ("MIT AND OFL-1.1", ">=3.11")
    licenses = {Path(name).name for name in archive.namelist() if "/licenses/" in name}
    assert licenses == {"LICENSE", "OFL.txt"}  # the program's, and that of the face
    stated = metadata.get_all("Classifier", [])
    assert {f"Programming Language :: Python :: {version}" for version in VERSIONS} <= {*stated}
    assert "Topic :: Games/Entertainment :: Board Games" in stated and "VASSAL" in metadata["Keywords"].split(",")
    assert set(PROJECT["project"]["scripts"]) == {"assistant", "field-staff", "module-builder"}


@pytest.fixture(scope="session")
def heath(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working folder of a reader of docs/making/first-game.md at its end."""
    folder = tmp_path_factory.mktemp("reader")
    rerun(ROOT / "docs/making/first-game.md", folder)
    return folder


def test_the_package_of_the_first_game_holds_all_its_files_and_is_an_installed_game(
    heath: Path, tmp_path: Path
) -> None:
    target = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*install, "--target", str(target), str(heath)], check=True, capture_output=True)
    files = [file for file in (heath / "heath").rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert len(files) > 10
    for file in files:
        assert (target / file.relative_to(heath)).read_bytes() == file.read_bytes()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(heath / "supply.pos", elsewhere)
    command = [sys.executable, "-m", "assistant", "supply", "supply.pos"]
    environment = os.environ | {"PYTHONPATH": str(target)}
    done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "= Shepherds is in supply" in done.stdout


PLATFORMS = {
    "Linux": "manylinux_2_28_x86_64",
    "macOS on arm64": "macosx_14_0_arm64",
    "Windows": "win_amd64",
}


@pytest.mark.parametrize("version", ["3.11", "3.13"])
@pytest.mark.parametrize("platform", PLATFORMS.values(), ids=list(PLATFORMS))
def test_all_dependencies_have_wheels(platform: str, version: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--no-input"]
    command += [
        "--only-binary",
        ":all:",
        "--platform",
        platform,
        "--python-version",
        version,
        "--target",
        str(tmp_path),
    ]
    if platform.startswith("manylinux"):
        command += ["--platform", "manylinux2014_x86_64", "--platform", "manylinux_2_17_x86_64"]
    done = subprocess.run([*command, *PROJECT["project"]["dependencies"]], capture_output=True, text=True, check=False)
    if any(word in done.stderr for word in ("Temporary failure", "ConnectionError", "NewConnectionError", "No route")):
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
